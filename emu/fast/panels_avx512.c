/* SPDX-License-Identifier: MIT */
/* The panel kernels for AVX-512 (F, BW, DQ, VL, VNNI). */
#include "emu/fast/panel_isa.h"

#include <stddef.h>

#ifdef LW_FAST_X86

#include "emu/fast/vec_avx512_lanes.h"
#include "emu/fast/vec_avx512_classes.h"

#include "emu/fast/panel_kernels.h"
#include "emu/fast/panel_look.h"
#include "emu/fast/panel_words.h"

const lw_look *lw_avx512_look(void)
{
    return &looks;
}

lw_panel_fn lw_avx512_panels(const lw_panel_shape *shape)
{
    return find_kernel(shape);
}

static vi shuffle(const lw_move_chunk *chunk, const uint32_t *in)
{
    const vi pick = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)chunk->pick));
    const vi first = vi_load(in + chunk->vector[0]);
    if (chunk->vectors == 1)
        return _mm512_permutexvar_epi32(pick, first);
    const vi low = _mm512_permutex2var_epi32(first, pick, vi_load(in + chunk->vector[1]));
    if (chunk->vectors == 2)
        return low;
    const vi high =
        _mm512_permutex2var_epi32(vi_load(in + chunk->vector[2]), pick, vi_load(in + chunk->vector[3]));
    return _mm512_mask_blend_epi32(_mm512_test_epi32_mask(pick, vi_all(2 * LW_PANEL)), low, high);
}

static void move_words(const lw_move *move, const uint32_t *in, uint32_t *out)
{
    for (unsigned n = 0; n < move->chunks; n++, out += LW_PANEL) {
        const lw_move_chunk *chunk = &move->chunk[n];
        if (chunk->kind == LW_MOVE_RUN)
            vi_store(out, vi_load(in + chunk->from[0]));
        else if (chunk->kind == LW_MOVE_SHUFFLE)
            vi_store(out, shuffle(chunk, in));
        else
            for (int t = 0; t < LW_PANEL; t++)
                out[t] = in[chunk->from[t]];
    }
}

#include "emu/fast/panel_spread.h"

const lw_words *lw_avx512_words(void)
{
    static const lw_words words = WORDS_OF(move_words, index_nibbles, spread);
    return &words;
}

#endif
