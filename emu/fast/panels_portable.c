/* SPDX-License-Identifier: MIT */
/* The panel kernels with the compiler's vectors, for any host. */
#include "emu/fast/panel_isa.h"

#include <stddef.h>
#include <string.h>

#ifdef LW_FAST_VECTORS

#include "emu/fast/vec_portable_lanes.h"
#include "emu/fast/vec_portable_wide.h"

#include "emu/fast/panel_kernels.h"
#include "emu/fast/panel_look.h"
#include "emu/fast/panel_words.h"

const lw_look *lw_portable_look(void)
{
    return &looks;
}

lw_panel_fn lw_portable_panels(const lw_panel_shape *shape)
{
    return find_kernel(shape);
}

static void move_fours(const lw_move_step *s, const uint32_t *in, uint32_t *out)
{
    const w4 x = w4_load(in + s->from[0]), y = w4_load(in + s->from[1]);
    uint32_t *even = out + s->to[0], *odd = out + s->to[1];
    if (s->kind == LW_STEP_TURN) {
        w4 row[4] = { x, y, w4_load(in + s->from[2]), w4_load(in + s->from[3]) };
        w4_turn(row);
        w4_store(even, row[0]);
        w4_store(odd, row[1]);
        w4_store(out + s->to[2], row[2]);
        w4_store(out + s->to[3], row[3]);
    } else if (s->kind == LW_STEP_ZIP) {
        w4_store(even, __builtin_shufflevector(x, y, 0, 4, 1, 5));
        w4_store(odd, __builtin_shufflevector(x, y, 2, 6, 3, 7));
    } else {
        w4_store(even, __builtin_shufflevector(x, y, 0, 2, 4, 6));
        w4_store(odd, __builtin_shufflevector(x, y, 1, 3, 5, 7));
    }
}

static void move_words(const lw_move *move, const uint32_t *in, uint32_t *out)
{
    for (unsigned n = 0; n < move->steps; n++) {
        const lw_move_step *s = &move->step[n];
        if (s->kind == LW_STEP_RUN)
            memcpy(out + s->to[0], in + s->from[0], LW_PANEL * sizeof(*out));
        else if (s->kind == LW_STEP_FOUR)
            w4_store(out + s->to[0], w4_load(in + s->from[0]));
        else if (s->kind == LW_STEP_WORDS)
            w4_store(out + s->to[0], (w4){ in[s->from[0]], in[s->from[1]], in[s->from[2]], in[s->from[3]] });
        else
            move_fours(s, in, out);
    }
}

/* 2^n of the nibbles as bits, for a set of them; the conversion is exact. */
VEC vi nibble_bits(vi nibbles)
{
    return vf_cut(vf_from_bits(vi_shl(vi_add(nibbles, vi_all(127)), 23)));
}

static bool index_nibbles(const lw_index *index, const uint32_t *registers, uint32_t *nibbles)
{
    const vi legal = vi_all((int)index->legal_bits);
    uint32_t words[LW_PANEL];
    vm undefined = vm_none();
    for (unsigned n = 0; n < index->words.chunks; n++, nibbles += LW_PANEL) {
        const uint16_t *from = index->words.chunk[n].from;
        const uint32_t *shift = index->shift + n * LW_PANEL;
        if (!(index->again >> n & 1))
            for (unsigned i = 0; i < LW_PANEL; i++)
                words[i] = registers[from[i]];
        for (unsigned i = 0; !index->level && i < LW_PANEL; i++)
            nibbles[i] = words[i] >> shift[i];
        for (unsigned i = 0; i < LW_PANEL; i += VEC_LANES) {
            const vi all = index->level ? vi_shr(vi_load(words + i), (int)shift[i]) : vi_load(nibbles + i);
            const vi nibble = vi_and(all, vi_all(15));
            undefined = vm_or(undefined, vi_eq(vi_and(nibble_bits(nibble), legal), vi_all(0)));
            vi_store(nibbles + i, nibble);
        }
    }
    return !vm_any(undefined);
}

/* The shapes that s describes, as constants. */
VEC void spread_codes(const lw_spread *s, unsigned bits, unsigned chunk, const uint32_t *index,
                      const uint32_t *stored, uint32_t *dense)
{
    const unsigned words = 2 * chunk * bits / 32, width = s->lanes;
    const uint32_t mask = UINT32_MAX >> (32 - bits);
    for (unsigned q = 0; q < s->chunks; q++, index += width, dense += words * width) {
        const uint32_t *from = stored + q * chunk * bits / 32 * width;
        const unsigned first = q * chunk * bits % 32;
        for (unsigned lane = 0; lane < width; lane++) {
            uint64_t to = 0;
            for (unsigned n = 0; n < chunk; n++)
                to |= (uint64_t)(from[lane] >> (first + n * bits) & mask) << s->shift[n][index[lane] & 15];
            for (unsigned w = 0; w < words; w++)
                dense[w * width + lane] = (uint32_t)(to >> 32 * w);
        }
    }
}

/* One of two codes of 32 bits. */
static void spread_words(const lw_spread *s, const uint32_t *index, const uint32_t *stored, uint32_t *dense)
{
    const unsigned width = s->lanes;
    const vi set = vi_all(s->second), none = vi_all(0);
    for (unsigned q = 0; q < s->chunks; q++)
        for (unsigned lane = 0; lane < width; lane += VEC_LANES) {
            const vi code = vi_load(stored + q * width + lane);
            const vm first = vi_eq(vi_and(nibble_bits(vi_load(index + q * width + lane)), set), none);
            vi_store(dense + 2 * q * width + lane, vi_pick(first, code, none));
            vi_store(dense + (2 * q + 1) * width + lane, vi_pick(first, none, code));
        }
}

static void spread(const lw_spread *s, const uint32_t *index, const uint32_t *stored, uint32_t *dense)
{
    if (s->bits == 32)
        spread_words(s, index, stored, dense);
    else if (s->bits == 16)
        spread_codes(s, 16, 2, index, stored, dense);
    else
        spread_codes(s, s->bits, s->chunk, index, stored, dense);
}

const lw_words *lw_portable_words(void)
{
    static const lw_words words = WORDS_OF(move_words, index_nibbles, spread);
    return &words;
}

#endif
