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
#include "isa_tables/sparse.h"

const lw_look *lw_portable_look(void)
{
    return &looks;
}

lw_panel_fn lw_portable_panels(const lw_panel_shape *shape)
{
    return find_kernel(shape);
}

VEC void turn_fours(const lw_move_step *s, const uint32_t *in, uint32_t *out, bool twice)
{
    w4 row[4] = { w4_load(in + s->from[0]), w4_load(in + s->from[1]), w4_load(in + s->from[2]),
                  w4_load(in + s->from[3]) };
    w4_turn(row);
    for (int n = 0; n < 4; n++)
        w4_store(out + s->to[n], row[n]);
    for (int n = 0; twice && n < 4; n++)
        w4_store(out + s->second[n], row[n]);
}

VEC void zip_fours(const lw_move_step *s, const uint32_t *in, uint32_t *out)
{
    const w4 x = w4_load(in + s->from[0]), y = w4_load(in + s->from[1]);
    w4_store(out + s->to[0], __builtin_shufflevector(x, y, 0, 4, 1, 5));
    w4_store(out + s->to[1], __builtin_shufflevector(x, y, 2, 6, 3, 7));
}

VEC void unzip_fours(const lw_move_step *s, const uint32_t *in, uint32_t *out)
{
    const w4 x = w4_load(in + s->from[0]), y = w4_load(in + s->from[1]);
    w4_store(out + s->to[0], __builtin_shufflevector(x, y, 0, 2, 4, 6));
    w4_store(out + s->to[1], __builtin_shufflevector(x, y, 1, 3, 5, 7));
}

/* Pairs of words stay together in two of four shuffles, which SSE2 needs one instruction for each. */
VEC void cross_fours(const lw_move_step *s, const uint32_t *in, uint32_t *out)
{
    const w4 x = w4_load(in + s->from[0]), y = w4_load(in + s->from[1]);
    const q2 low = (q2)__builtin_shufflevector(x, y, 0, 4, 1, 5),
             high = (q2)__builtin_shufflevector(x, y, 2, 6, 3, 7);
    w4_store(out + s->to[0], (w4)__builtin_shufflevector(low, high, 0, 2));
    w4_store(out + s->to[1], (w4)__builtin_shufflevector(low, high, 1, 3));
}

VEC void move_step(const lw_move_step *s, const uint32_t *in, uint32_t *out, lw_move_step_kind kind)
{
    const uint16_t *from = s->from;
    if (kind == LW_STEP_RUN)
        memcpy(out + s->to[0], in + from[0], LW_PANEL * sizeof(*out));
    else if (kind == LW_STEP_FOUR)
        w4_store(out + s->to[0], w4_load(in + from[0]));
    else if (kind == LW_STEP_TURN || kind == LW_STEP_TURN_TWICE)
        turn_fours(s, in, out, kind == LW_STEP_TURN_TWICE);
    else if (kind == LW_STEP_ZIP)
        zip_fours(s, in, out);
    else if (kind == LW_STEP_UNZIP)
        unzip_fours(s, in, out);
    else if (kind == LW_STEP_CROSS)
        cross_fours(s, in, out);
    else
        w4_store(out + s->to[0], (w4){ in[from[0]], in[from[1]], in[from[2]], in[from[3]] });
}

/* The steps of one kind; returns those of the next. */
VEC const lw_move_step *move_steps(const lw_move *move, const lw_move_step *s, const uint32_t *in,
                                   uint32_t *out, lw_move_step_kind kind)
{
    for (const lw_move_step *end = s + move->of[kind]; s < end; s++)
        move_step(s, in, out, kind);
    return s;
}

static void move_words(const lw_move *move, const uint32_t *in, uint32_t *out)
{
    const lw_move_step *s = move->step;
    s = move_steps(move, s, in, out, LW_STEP_RUN);
    s = move_steps(move, s, in, out, LW_STEP_FOUR);
    s = move_steps(move, s, in, out, LW_STEP_TURN);
    s = move_steps(move, s, in, out, LW_STEP_TURN_TWICE);
    s = move_steps(move, s, in, out, LW_STEP_ZIP);
    s = move_steps(move, s, in, out, LW_STEP_UNZIP);
    s = move_steps(move, s, in, out, LW_STEP_CROSS);
    (void)move_steps(move, s, in, out, LW_STEP_WORDS);
}

/* Bits are set in the nibbles that are not in the set (LW_SPARSE_*): from the exclusive or of both positions
 * in each, or from the second plus 3 minus the first, which is below 4. */
VEC vi undefined_nibbles(vi words, unsigned set)
{
    const vi low = vi_all(0x33333333), ones = vi_all(0x11111111), first = vi_and(words, low),
             second = vi_and(vi_shr(words, 2), low), apart = vi_xor(first, second);
    if (set == LW_SPARSE_DIFFERENT)
        return vi_and(vi_xor(vi_or(apart, vi_shr(apart, 1)), ones), ones);
    if (set == LW_SPARSE_ONE_OF_TWO)
        return vi_or(vi_xor(apart, ones), vi_and(words, ones));
    const vi four = vi_all(0x44444444);
    return vi_xor(vi_and(vi_add(second, vi_sub(low, first)), four), four);
}

/* One word for each of sixteen lanes. */
VEC void index_words(const uint16_t *from, const uint32_t *registers, vi words[LW_PANEL / VEC_LANES])
{
    for (int h = 0; h < LW_PANEL / VEC_LANES; h++, from += VEC_LANES)
        words[h] = (vi){ { registers[from[0]], registers[from[1]], registers[from[2]], registers[from[3]] },
                         { registers[from[4]], registers[from[5]], registers[from[6]], registers[from[7]] } };
}

VEC bool index_of_set(const lw_index *index, const uint32_t *registers, uint32_t *nibbles, unsigned set)
{
    vi words[HALVES] = { vi_all(0), vi_all(0) }, undefined = vi_all(0);
    for (unsigned n = 0; n < index->words.chunks; n++, nibbles += LW_PANEL) {
        const bool again = index->again >> n & 1;
        if (!again)
            index_words(index->words.chunk[n].from, registers, words);
        for (unsigned h = 0; h < HALVES; h++) {
            const int shift = (int)index->shift[n * LW_PANEL + h * VEC_LANES];
            vi_store(nibbles + h * VEC_LANES, vi_and(vi_shr(words[h], shift), vi_all(15)));
            if (!again)
                undefined = vi_or(undefined, vi_and(undefined_nibbles(words[h], set),
                                                    vi_all((int)index->used[HALVES * n + h])));
        }
    }
    return !vm_any(vm_not(vi_eq(undefined, vi_all(0))));
}

static bool index_nibbles(const lw_index *index, const uint32_t *registers, uint32_t *nibbles)
{
    if (index->set == LW_SPARSE_DIFFERENT)
        return index_of_set(index, registers, nibbles, LW_SPARSE_DIFFERENT);
    if (index->set == LW_SPARSE_ONE_OF_TWO)
        return index_of_set(index, registers, nibbles, LW_SPARSE_ONE_OF_TWO);
    return index_of_set(index, registers, nibbles, LW_SPARSE_ASCENDING);
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

static void spread(const lw_spread *s, const uint32_t *index, const uint32_t *stored, uint32_t *dense)
{
    if (s->bits == 16)
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
