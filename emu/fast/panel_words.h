/* SPDX-License-Identifier: MIT */
/* 16-bit numbers to and from binary32, between registers and kernels. Included after a vec_*_lanes.h. */
#ifndef LW_EMU_FAST_PANEL_WORDS_H
#define LW_EMU_FAST_PANEL_WORDS_H

#include "emu/fast/panel.h"

enum { WIDER_F16 = 13, WIDER_BF16 = 16, REBIAS = 127 - 15 };

/* A subnormal number is one with the least exponent, from which that power of two is subtracted. NaNs keep
 * their bits. */
static void widen_half(uint32_t *words, unsigned count)
{
    const vi rebias = vi_all(REBIAS << 23), none = vi_all(0);
    for (unsigned i = 0; i < count; i += VEC_LANES) {
        const vi code = vi_load(words + i), size = vi_and(code, vi_all(0x7fff));
        const vi sign = vi_shl(vi_xor(code, size), 16);
        const vm small = vi_gt(vi_all(0x400), size);
        const vi shifted =
            vi_add(vi_add(vi_shl(size, WIDER_F16), rebias), vi_pick(small, vi_all(1 << 23), none));
        const vf less = vf_from_bits(vi_pick(small, vi_all((REBIAS + 1) << 23), none));
        const vi value = vf_bits(vf_sub(vf_from_bits(shifted), less));
        const vi more = vi_pick(vi_gt(size, vi_all(0x7bff)), rebias, none);
        vi_store(words + i, vi_or(sign, vi_add(value, more)));
    }
}

/* Numbers that f16 has; what infinities and NaNs become is undefined. */
static void narrow_exact(uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i += VEC_LANES)
        vi_store(words + i, vi_f16_exact(vf_load(words + i)));
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

/* Halves of words to runs of sixteen lanes, two runs for sixteen words: neighbouring lanes, or the same lane
 * of both. */
static void runs_of_halves(const uint32_t *words, unsigned runs, bool beside, uint32_t *out)
{
    for (unsigned n = 0; n < runs; n += 2, words += LW_PANEL, out += 2 * LW_PANEL)
        if (beside)
            for (unsigned i = 0; i < 2 * LW_PANEL; i += VEC_LANES)
                vi_store(out + i, vi_load_halves(words + i / 2));
        else
            for (unsigned i = 0; i < LW_PANEL; i += VEC_LANES) {
                const vi word = vi_load(words + i);
                vi_store(out + i, vi_and(word, vi_all(0xffff)));
                vi_store(out + LW_PANEL + i, vi_shr(word, 16));
            }
}

/* Are both halves of all words zeros or normal numbers of f16? */
VEC bool halves_are_plain(const uint32_t *words, unsigned count)
{
    const vi size = vi_all(0x7fff7fff);
    vi most = vi_all(0), least = size;
    for (unsigned i = 0; i < count; i += VEC_LANES) {
        const vi mag = vi_and(vi_load(words + i), size);
        most = vi_max16(most, mag);
        least = vi_min16(least, vi_add16(mag, size)); /* zeros become largest, the others negative */
    }
    const vi under = vi_sub16(least, vi_all((int)UINT32_C(0x83ff83ff))),
             over = vi_sub16(vi_all(0x7bff7bff), most);
    const vi odd = vi_and(vi_or(under, over), vi_all((int)UINT32_C(0x80008000)));
    return !vm_any(vm_not(vi_eq(odd, vi_all(0))));
}

/* The same as binary32 numbers. Plain ones need only be shifted and multiplied. */
static void widen_runs(const uint32_t *words, unsigned runs, bool beside, uint32_t *out)
{
    const vi keep = vi_all((int)UINT32_C(0x8fffe000));
    const vf up = vf_from_bits(vi_all((127 + REBIAS) << 23));
    if (!halves_are_plain(words, runs * LW_PANEL / 2)) {
        runs_of_halves(words, runs, beside, out);
        widen_half(out, runs * LW_PANEL);
        return;
    }
    for (unsigned n = 0; n < runs; n += 2, words += LW_PANEL, out += 2 * LW_PANEL)
        if (beside)
            for (unsigned i = 0; i < 2 * LW_PANEL; i += VEC_LANES) {
                const vi upper = vi_shl(vi_load_halves(words + i / 2), 16);
                vf_store(out + i, vf_mul(vf_from_bits(vi_and(vi_sar(upper, 3), keep)), up));
            }
        else
            for (unsigned i = 0; i < LW_PANEL; i += VEC_LANES) {
                const vi word = vi_load(words + i), upper = vi_shl(word, 16);
                vf_store(out + i, vf_mul(vf_from_bits(vi_and(vi_sar(upper, 3), keep)), up));
                vf_store(out + LW_PANEL + i, vf_mul(vf_from_bits(vi_and(vi_sar(word, 3), keep)), up));
            }
}

/* And back. */
static void halves_of_runs(const uint32_t *in, unsigned runs, bool beside, uint32_t *words)
{
    for (unsigned n = 0; n < runs; n += 2, words += LW_PANEL, in += 2 * LW_PANEL)
        if (beside)
            for (unsigned i = 0; i < 2 * LW_PANEL; i += VEC_LANES)
                vi_store_halves(words + i / 2, vi_load(in + i));
        else
            for (unsigned i = 0; i < LW_PANEL; i += VEC_LANES)
                vi_store(words + i, vi_or(vi_load(in + i), vi_shl(vi_load(in + LW_PANEL + i), 16)));
}

#define WORDS_OF(move_, index_, spread_)                                                                     \
    {                                                                                                        \
        .move = move_, .widen_half = widen_half, .narrow_half = narrow_half, .widen_brain = widen_brain,     \
        .narrow_brain = narrow_brain, .narrow_exact = narrow_exact, .runs_of_halves = runs_of_halves,        \
        .widen_runs = widen_runs, .halves_of_runs = halves_of_runs, .cut_brain = cut_brain, .index = index_, \
        .spread = spread_                                                                                    \
    }

#endif
