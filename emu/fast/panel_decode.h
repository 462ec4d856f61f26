/* SPDX-License-Identifier: MIT */
/*
 * From images of codes to binary32 numbers and exponents. Included after vec_avx2.h or vec_avx512.h.
 *
 * Exponents are bytes, four k per word: the nominal exponent plus `rebase` (in formats with eight exponent
 * bits, the field minus `from`), 1 to 61 for numbers other than zero, and ZERO_EXP for zeros. The sum of two
 * is therefore at least 2 exactly when neither number is zero. If k is not a multiple of four, the bytes
 * beyond it are zero.
 */
#ifndef LW_EMU_FAST_PANEL_DECODE_H
#define LW_EMU_FAST_PANEL_DECODE_H

#include "emu/fast/codec.h"
#include "emu/fast/panel.h"

enum { ZERO_EXP = -64, /* 0xc0 */ MOST_EXP = 61, WIDE_REBASE = 96 };

typedef struct side {
    _Alignas(64) uint32_t value[LW_PANEL_SIDE_CODES];    /* binary32, [k][lane] */
    _Alignas(64) uint32_t exps[LW_PANEL_SIDE_CODES / 4]; /* [k / 4][lane] */
    _Alignas(64) uint32_t any[4 * LW_PANEL];             /* by lane, 64 at most: zero if all codes are +0 */
    uint64_t bad; /* bit per lane: has a NaN, an infinity or an exponent out of range */
    int rebase;   /* exponent byte - rebase = nominal exponent */
    bool normal;  /* there is certainly no subnormal number */
} side;

/* Byte n of each lane, signed. */
VEC vi byte_of(vi bytes, int n)
{
    return vi_sar(n == 3 ? bytes : vi_shl(bytes, 24 - 8 * n), 24);
}

/* The largest of all four bytes: in each half, the upper byte decides. */
VEC vi join_bytes(vi bytes)
{
    const vi tops = vi_max16(bytes, vi_shl(bytes, 8));
    return vi_sar(vi_max16(tops, vi_shl(tops, 16)), 24);
}

/* The larger half. */
VEC vi join_halves(vi halves)
{
    return vi_sar(vi_max16(halves, vi_shl(halves, 16)), 16);
}

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

/* A number from its code in the upper bits of a word, which `down` shifts to binary32's exponent and
 * fraction; mag: their bits; up: 2^(127 - bias). */
VEC vf assemble(vi code, int down, int mag, vf up)
{
    return vf_mul(vf_from_bits(vi_and(vi_sar(code, down), vi_all(INT32_MIN | mag))), up);
}

VEC vf format_up(const lw_codec *f)
{
    return vf_from_bits(vi_all((254 - f->bias) << 23));
}

/*
 * Formats of 32 bits, which have eight exponent bits: the code is the number. Infinities and NaNs have
 * exponents out of range, whatever `from` is; as 16-bit numbers, their lower halves decide. Where an exponent
 * is out of range, those of the whole row or column do not matter.
 */
static void decode_words(const lw_codec *f, int from, const uint32_t *image, int stride, int count, int k,
                         side *out)
{
    const vi one = vi_all(1), keep = vi_all((int)f->keep), size = vi_all((int)(f->keep & INT32_MAX));
    for (int lane = 0; lane < count; lane += VEC_LANES) {
        vi most = one, least = one, any = vi_all(0);
        for (int quad = 0; quad < k; quad += 4) {
            vi exps = vi_all(0);
            for (int i = 0; i < 4 && quad + i < k; i++) {
                const int at = (quad + i) * stride + lane;
                const vi code = vi_load(image + at), used = vi_and(code, size);
                any = vi_or(any, code);
                const vi e = vi_sub(vi_shr(used, f->frac), vi_all(from));
                const vi byte = vi_pick(vi_eq(used, vi_all(0)), vi_all(ZERO_EXP & 0xff), e);
                most = vi_max16(most, e);
                least = vi_min16(least, byte);
                exps = vi_or(exps, vi_shl(byte, 8 * i));
                vi_store(out->value + at, vi_and(code, keep));
            }
            vi_store(out->exps + quad / 4 * stride + lane, exps);
        }
        vi_store(out->any + lane, any);
        const vi over = vi_sub16(vi_all(MOST_EXP), most), under = vi_sub16(least, one);
        const vi bad = vi_and(vi_or(over, under), vi_all(0x8000));
        out->bad |= (uint64_t)((1u << VEC_LANES) - 1 - vm_bits(vi_eq(bad, vi_all(0)))) << lane;
    }
}

/* Values of the two 16-bit codes of a word. */
VEC void halves_values(const lw_codec *f, vi w, vf up, uint32_t *low, uint32_t *high)
{
    const vi upper = vi_shl(w, 16);
    if (f->as_is) {
        vi_store(low, upper);
        vi_store(high, vi_and(w, vi_all((int)UINT32_C(0xffff0000))));
        return;
    }
    vf_store(low, assemble(upper, 3, 0x0fffe000, up));
    vf_store(high, assemble(w, 3, 0x0fffe000, up));
}

/* The least exponent bytes of lanes: subnormal numbers, and numbers with the least exponent of all, have 1.
 */
VEC bool bytes_normal(vi least)
{
    const vi two = vi_all(0x02020202);
    return VEC_HAS_MIN8 && !vm_any(vm_not(vi_eq(vi_max_u8(least, two), least)));
}

#if VEC_HAS_PICKS

/* Exponents in halves as bytes, with ZERO_EXP for zeros; *least: if `wide`, their minimum, without zeros. */
VEC vi exps_of_halves(vi mag, vi e, bool wide, vi *least)
{
    if (wide)
        *least = vi_min16(*least, vi_if_zero16(mag, vi_all(0x00010001), e));
    return vi_and(vi_if_zero16(mag, vi_all(0x00c000c0), e), vi_all(0x00ff00ff));
}

/* Bytes in halves, of codes 0 and 1, and of 2 and 3, in the order of the codes. */
VEC vi bytes_of_halves(vi low, vi high)
{
    return vi_swap_middle(vi_or(low, vi_shl(high, 8)));
}

#else

VEC vi exps_of_halves(vi mag, vi e, bool wide, vi *least)
{
    const vi zero = vi_eq16(mag, vi_all(0)), used = vi_without(zero, e);
    if (wide)
        *least = vi_min16(*least, vi_sub16(used, zero));
    return vi_or(used, vi_and(zero, vi_all(0x00c000c0)));
}

VEC vi bytes_of_halves(vi low, vi high)
{
    return (vi){ w4_bytes_of_halves(low.lo, high.lo), w4_bytes_of_halves(low.hi, high.hi) };
}

#endif

/* f16 and bf16: the exponents of both halves of a word at once. */
VEC void decode_halves(const lw_codec *f, int from, const uint32_t *image, int stride, int count, int k,
                       bool wide, side *out)
{
    const vf up = format_up(f);
    const vi one = vi_all(0x00010001);
    vi least_exps = vi_all(-1);
    for (int lane = 0; lane < count; lane += VEC_LANES) {
        vi most = one, least = one, any = vi_all(0);
        for (int quad = 0; quad < k; quad += 4) {
            vi exp[2] = { vi_all(0), vi_all(0) };
            for (int h = 0; h < 2 && quad + 2 * h < k; h++) {
                const vi w = vi_load(image + (quad / 2 + h) * stride + lane);
                const vi mag = vi_and(w, vi_all(0x7fff7fff));
                any = vi_or(any, w);
                vi e = vi_shr16(mag, f->frac);
                e = wide ? vi_sub16(e, vi_all(from * 0x10001)) : vi_max16(e, one);
                exp[h] = exps_of_halves(mag, e, wide, &least);
                most = vi_max16(most, e);
                uint32_t *to = out->value + (quad + 2 * h) * stride + lane;
                halves_values(f, w, up, to, to + stride);
            }
            const vi exps = bytes_of_halves(exp[0], exp[1]);
            vi_store(out->exps + quad / 4 * stride + lane, exps);
            if (!wide && VEC_HAS_MIN8)
                least_exps = vi_min_u8(least_exps, exps);
        }
        vi_store(out->any + lane, any);
        const int limit = wide ? MOST_EXP : (f->special_from >> f->frac) - 1;
        const vi over = vi_sub16(vi_all(limit * 0x10001), most), under = vi_sub16(least, one);
        const vi bad = vi_and(vi_or(over, under), vi_all((int)UINT32_C(0x80008000)));
        out->bad |= (uint64_t)((1u << VEC_LANES) - 1 - vm_bits(vi_eq(bad, vi_all(0)))) << lane;
    }
    /* With wide exponents, 1 stands for the field from + 1; whatever is below that is bad. */
    out->normal = wide ? !out->bad && from >= 0 : bytes_normal(least_exps);
}

/* Four codes of at most eight bits, one per byte. */
VEC vi quad_at(const uint32_t *image, int stride, int quad, int bits)
{
    if (bits == 8)
        return vi_load(image + quad / 4 * stride);
    vi codes = code_at(image, stride, quad, bits);
    for (int i = 1; i < 4; i++)
        codes = vi_or(codes, vi_shl(code_at(image, stride, quad + i, bits), 8 * i));
    return codes;
}

/* Formats of at most eight bits: the exponents of four codes at once. */
VEC void decode_bytes(const lw_codec *f, const uint32_t *image, int stride, int count, int k, int bits,
                      side *out)
{
    const int all = 0x01010101, ones = (1 << (bits - 1)) - 1;
    const vf up = format_up(f);
    vi least = vi_all(-1);
    for (int lane = 0; lane < count; lane += VEC_LANES) {
        vi bad = vi_all(0), any = vi_all(0);
        for (int quad = 0; quad < k; quad += 4) {
            const vi codes = quad_at(image + lane, stride, quad, bits),
                     mag = vi_and(codes, vi_all(ones * all));
            const vi field = vi_and(vi_shr(mag, f->frac), vi_all((ones >> f->frac) * all));
            const vi exps = vi_if_zero8(mag, vi_all((int)UINT32_C(0xc0c0c0c0)), vi_max8(field, vi_all(all)));
            vi_store(out->exps + quad / 4 * stride + lane, exps);
            any = vi_or(any, codes);
            if (VEC_HAS_MIN8)
                least = vi_min_u8(least, exps);
            if (f->special_code >= 0)
                bad = vi_or(bad, vi_eq8(codes, vi_all((int)((unsigned)f->special_code * 0x01010101u))));
            if (f->special_from <= ones)
                bad = vi_or(bad, vi_gt8(mag, vi_all((f->special_from - 1) * all)));
            for (int i = 0; i < 4; i++)
                vf_store(out->value + (quad + i) * stride + lane,
                         assemble(vi_shl(codes, 32 - 8 * i - bits), 9 - bits + f->frac,
                                  ones << (23 - f->frac), up));
        }
        vi_store(out->any + lane, any);
        out->bad |= (uint64_t)((1u << VEC_LANES) - 1 - vm_bits(vi_eq(bad, vi_all(0)))) << lane;
    }
    out->normal = bytes_normal(least);
}

/* One block of a side: `count` of its lanes, whose words are `stride` apart. */
static void decode_side_from(const lw_format *format, int from, const uint32_t *image, int stride, int count,
                             int k, side *out)
{
    const lw_codec f = lw_codec_of(format);
    out->rebase = f.as_is ? f.bias - from : f.bias;
    out->bad = 0;
    out->normal = false;
    switch (f.bits) {
    case 32:
        decode_words(&f, from, image, stride, count, k, out);
        return;
    case 16:
        if (f.as_is)
            decode_halves(&f, from, image, stride, count, k, true, out);
        else
            decode_halves(&f, from, image, stride, count, k, false, out);
        return;
    case 8:
        decode_bytes(&f, image, stride, count, k, 8, out);
        return;
    case 6:
        decode_bytes(&f, image, stride, count, k, 6, out);
        return;
    default:
        decode_bytes(&f, image, stride, count, k, 4, out);
        return;
    }
}

static void decode_side(const lw_format *format, const uint32_t *image, int stride, int count, int k,
                        side *out)
{
    decode_side_from(format, WIDE_REBASE, image, stride, count, k, out);
}

/* Least and largest exponent field of a block's numbers, without zeros, infinities and NaNs; for formats with
 * eight exponent bits. */
static void fields_of(const lw_codec *f, const uint32_t *image, int count, int *least_field, int *most_field)
{
    const bool halves = f->bits == 16;
    const vi size = vi_all(halves ? 0x7fff7fff : (int)(f->keep & INT32_MAX)),
             one = vi_all((int)((1u << f->frac) * (halves ? 0x10001u : 1u))), none = vi_all(0);
    vi least = size, most = none;
    for (int i = 0; i < count; i += VEC_LANES) {
        const vi mag = vi_and(vi_load(image + i), size);
        if (halves) {
            least = vi_min16(least, vi_if_zero16(mag, size, mag));
            most = vi_max16(most, vi_add16(mag, one)); /* this makes infinities and NaNs negative */
        } else {
            least = vi_min(least, vi_pick(vi_eq(mag, none), size, mag));
            most = vi_max(most, vi_add(mag, one));
        }
    }
    uint32_t low[VEC_LANES], high[VEC_LANES];
    vi_store(low, least);
    vi_store(high, most);
    *least_field = *most_field = 0;
    for (int i = 0; i < VEC_LANES * 32 / f->bits; i++) {
        const int at = i * f->bits / 32, shift = i * f->bits % 32 + f->frac;
        const int l = low[at] >> shift & 0xff, m = (int)(high[at] >> shift & 0xff) - 1;
        *least_field = i == 0 || l < *least_field ? l : *least_field;
        *most_field = m > *most_field ? m : *most_field;
    }
}

/* The `from` with which all exponents of a block are in range, as close to WIDE_REBASE as possible. */
static int reach_from(const lw_format *format, const uint32_t *image, int count)
{
    const lw_codec f = lw_codec_of(format);
    int least, most;
    if (!f.as_is)
        return WIDE_REBASE;
    fields_of(&f, image, count, &least, &most);
    if (most - least >= MOST_EXP)
        return WIDE_REBASE;
    return least <= WIDE_REBASE ? least - 1 : most > WIDE_REBASE + MOST_EXP ? most - MOST_EXP : WIDE_REBASE;
}

#endif
