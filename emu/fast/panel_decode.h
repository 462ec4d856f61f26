/* SPDX-License-Identifier: MIT */
/*
 * From images of codes to binary32 numbers and exponents. Included behind vec_avx2.h or vec_avx512.h.
 *
 * Exponents are bytes, four k to a word: the nominal exponent counted from `rebase` on, 1 to 61 for numbers
 * that are not zero, ZERO_EXP for zeros, so that a sum of two is at least 2 exactly when neither is a zero.
 */
#ifndef LW_EMU_FAST_PANEL_DECODE_H
#define LW_EMU_FAST_PANEL_DECODE_H

#include "emu/fast/codec.h"
#include "emu/fast/panel.h"

enum { ZERO_EXP = -64, MOST_EXP = 61, WIDE_REBASE = 96 };

typedef struct side {
    _Alignas(64) uint32_t value[LW_PANEL_SIDE_CODES];    /* binary32, [k][lane] */
    _Alignas(64) uint32_t exps[LW_PANEL_SIDE_CODES / 4]; /* [k / 4][lane] */
    uint32_t bad; /* bit per lane: holds a NaN, an infinity or an exponent out of range */
    int rebase;   /* exponent byte - rebase = nominal exponent */
} side;

/* Code k of VEC_LANES strings; `image` is the first lane's first word. */
VEC vi code_at(const uint32_t *image, int stride, int k, int bits)
{
    const int at = k * bits, word = at / 32, shift = at % 32;
    const vi low = vi_load(image + word * stride);
    if (bits == 32)
        return low;
    vi code = vi_shr(low, shift);
    if (shift + bits > 32)
        code = vi_or(code, vi_shl(vi_load(image + (word + 1) * stride), 32 - shift));
    return vi_and(code, vi_all((1 << bits) - 1));
}

/* Value and exponent byte (in the lowest byte, the others zero). */
VEC vf decode_code(const lw_codec *f, vi code, vi *exp, vm *bad)
{
    const vi mag = vi_and(code, vi_all((int)((UINT32_C(1) << (f->bits - 1)) - 1)));
    *bad = vm_or(*bad, vm_or(vi_gt(mag, vi_all(f->special_from - 1)), vi_eq(code, vi_all(f->special_code))));
    const vi used = vi_and(mag, vi_all((int)f->keep));
    const vm zero = vi_eq(used, vi_all(0));
    vi e = vi_shr(used, f->frac);
    vf value;
    if (f->as_is) {
        e = vi_sub(e, vi_all(WIDE_REBASE));
        const vi kept = vi_pick(zero, vi_all(1), e);
        *bad = vm_or(*bad, vm_or(vi_gt(vi_all(1), kept), vi_gt(kept, vi_all(MOST_EXP))));
        value = vf_from_bits(vi_shl(vi_and(code, vi_all((int)f->keep)), 32 - f->bits));
    } else {
        const vi sign = vi_shl(vi_xor(code, mag), 32 - f->bits);
        const vf up = vf_from_bits(vi_all((254 - f->bias) << 23));
        e = vi_max(e, vi_all(1));
        value = vf_mul(vf_from_bits(vi_shl(mag, 23 - f->frac)), up);
        value = vf_from_bits(vi_or(vf_bits(value), sign));
    }
    *exp = vi_and(vi_pick(zero, vi_all(ZERO_EXP), e), vi_all(0xff));
    return value;
}

VEC void decode_with(const lw_codec *f, const uint32_t *image, int stride, int k, int bits, side *out)
{
    out->bad = 0;
    for (int lane = 0; lane < stride; lane += VEC_LANES) {
        vm bad = vm_none();
        for (int quad = 0; quad < k; quad += 4) {
            vi exps = vi_all(0), e;
            for (int i = 0; i < 4; i++) {
                const vi code = code_at(image + lane, stride, quad + i, bits);
                vf_store(out->value + (quad + i) * stride + lane, decode_code(f, code, &e, &bad));
                exps = vi_or(exps, vi_shl(e, 8 * i));
            }
            vi_store(out->exps + quad / 4 * stride + lane, exps);
        }
        out->bad |= vm_bits(bad) << lane;
    }
}

/* One block of a side, its number of bits known to the compiler. */
static void decode_side(const lw_format *format, const uint32_t *image, int stride, int k, side *out)
{
    const lw_codec f = lw_codec_of(format);
    out->rebase = f.as_is ? f.bias - WIDE_REBASE : f.bias;
    switch (f.bits) {
    case 32:
        decode_with(&f, image, stride, k, 32, out);
        return;
    case 16:
        decode_with(&f, image, stride, k, 16, out);
        return;
    case 8:
        decode_with(&f, image, stride, k, 8, out);
        return;
    case 6:
        decode_with(&f, image, stride, k, 6, out);
        return;
    default:
        decode_with(&f, image, stride, k, 4, out);
        return;
    }
}

#endif
