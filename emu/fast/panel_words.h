/* SPDX-License-Identifier: MIT */
/* 16-bit numbers to and from binary32, between registers and kernels. Included after a vec_*_lanes.h. */
#ifndef LW_EMU_FAST_PANEL_WORDS_H
#define LW_EMU_FAST_PANEL_WORDS_H

#include "emu/fast/panel.h"

enum { WIDER_F16 = 13, WIDER_BF16 = 16, REBIAS = 127 - 15 };

/* Subnormal numbers are converted as integers. NaNs keep their bits. */
static void widen_half(uint32_t *words, unsigned count)
{
    const vi rebias = vi_all(REBIAS << 23);
    for (unsigned i = 0; i < count; i += VEC_LANES) {
        const vi code = vi_load(words + i), size = vi_and(code, vi_all(0x7fff));
        const vi sign = vi_shl(vi_and(code, vi_all(0x8000)), 16);
        const vi small = vf_bits(vf_mul(vf_from_int(size), vf_all(0x1p-24f)));
        const vi normal = vi_add(vi_shl(size, WIDER_F16), rebias);
        const vi wide = vi_pick(vi_gt(size, vi_all(0x7bff)), vi_add(normal, rebias), normal);
        vi_store(words + i, vi_or(sign, vi_pick(vi_gt(vi_all(0x400), size), small, wide)));
    }
}

/* To nearest, ties to even. A NaN stays one. */
static void narrow_half(uint32_t *words, unsigned count)
{
    const vf half = vf_all(0.5f); /* its unit is 2^-24 */
    for (unsigned i = 0; i < count; i += VEC_LANES) {
        const vi bits = vi_load(words + i), size = vi_and(bits, vi_all(INT32_MAX));
        const vi sign = vi_and(vi_shr(bits, 16), vi_all(0x8000));
        const vi small = vi_sub(vf_bits(vf_add(vf_from_bits(size), half)), vf_bits(half));
        const vi rebased = vi_sub(size, vi_all(REBIAS << 23));
        const vi odd = vi_and(vi_shr(rebased, WIDER_F16), vi_all(1));
        const vi normal = vi_shr(vi_add(vi_add(rebased, vi_all(0xfff)), odd), WIDER_F16);
        const vi finite = vi_pick(vi_gt(vi_all(0x38800000), size), small, normal);
        const vi large = vi_pick(vi_gt(size, vi_all(0x7f800000)), vi_all(0x7e00), vi_all(0x7c00));
        vi_store(words + i, vi_or(sign, vi_pick(vi_gt(vi_all(0x47800000), size), finite, large)));
    }
}

static void widen_brain(uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i += VEC_LANES)
        vi_store(words + i, vi_shl(vi_load(words + i), WIDER_BF16));
}

static void narrow_brain(uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i += VEC_LANES) {
        const vi bits = vi_load(words + i), odd = vi_and(vi_shr(bits, WIDER_BF16), vi_all(1));
        const vm nan = vi_gt(vi_and(bits, vi_all(INT32_MAX)), vi_all(0x7f800000));
        const vi nearest = vi_add(vi_add(bits, vi_all(0x7fff)), odd);
        vi_store(words + i, vi_shr(vi_pick(nan, bits, nearest), WIDER_BF16));
    }
}

static void cut_brain(uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i += VEC_LANES)
        vi_store(words + i, vi_shr(vi_load(words + i), WIDER_BF16));
}

#define WORDS_OF(move_, index_, spread_)                                                                     \
    {                                                                                                        \
        .move = move_, .widen_half = widen_half, .narrow_half = narrow_half, .widen_brain = widen_brain,     \
        .narrow_brain = narrow_brain, .cut_brain = cut_brain, .index = index_, .spread = spread_             \
    }

#endif
