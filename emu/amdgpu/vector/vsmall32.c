/* SPDX-License-Identifier: MIT */
/*
 * Conversions of blocks of elements to and from 8-, 6- and 4-bit floats: gfx950's of 32, gfx1250's of 8
 * and 16. Element i is at bit i * width. gfx950: AMD CDNA4 ISA manual. gfx1250: no measurement; where the
 * scale of a widening conversion is follows Triton's decoding of scale_sel and a published kernel for
 * gfx1250, which agree.
 */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/vector/vfloat.h"
#include "emu/num/small.h"

enum { MAX_COUNT = 32, MAX_PACKED = 6, HALF_WAVE = 16 };

static unsigned code_bits(const lw_small *s)
{
    return s->fmt->exp_bits + s->fmt->frac_bits + 1u;
}

/* Element i of a source of 32-bit or packed 16-bit numbers. */
static void read_element(lw_wave *w, const lw_decoded *in, unsigned source, const lw_format *f, unsigned i,
                         uint32_t out[LW_LANES])
{
    uint32_t buf[LW_LANES];
    const bool wide = f->frac_bits == 23;
    const uint32_t *row = lw_vsrc_part(w, in, source, wide ? i : i / 2, buf);
    const unsigned shift = wide ? 0 : 16 * (i & 1);
    const uint32_t mask = wide ? ~0u : 0xffff;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        out[lane] = row[lane] >> shift & mask;
}

static void put_code(uint32_t r[MAX_PACKED][LW_LANES], unsigned width, unsigned i, unsigned lane,
                     uint32_t code)
{
    const unsigned bit = width * i, at = bit / 32, shift = bit % 32;
    r[at][lane] |= code << shift;
    if (shift + width > 32)
        r[at + 1][lane] |= code >> (32 - shift);
}

/* interleaved: two sources of 16 f32 each, alternating. seed < 0: to nearest even. strict: gfx1250's. */
typedef struct narrow_op {
    const lw_format *from;
    uint8_t count;
    int8_t scale, seed;
    bool interleaved, strict;
} narrow_op;

/*
 * gfx1250: of scales that are no positive powers of two, AMD's emulator divides by all their bits, and public
 * notes say that the instruction drops all but the exponent. Of NaNs in formats without one it makes zero,
 * AMD's host reference of gfx950 the largest number. Neither is decided here.
 */
static lw_step refuse_open(lw_wave *w, const lw_small *to, const narrow_op *op, const uint32_t *scale,
                           uint32_t x[MAX_COUNT][LW_LANES])
{
    const bool no_nan = !lw_format_is_nan(to->fmt, to->nan);
    for (uint64_t left = lw_wave_exec(w); left; left &= left - 1) {
        const unsigned lane = lw_ctz64(left);
        const uint32_t s = scale[lane];
        if (s & 0x807fffff || s == 0 || s == 0x7f800000)
            return lw_wave_fault(w, (int)lane,
                                 "the scale %08x is not a positive power of two: sources disagree on whether "
                                 "more than its exponent counts",
                                 (unsigned)s);
        for (unsigned i = 0; i < op->count && no_nan; i++)
            if (lw_format_is_nan(op->from, x[i][lane]))
                return lw_wave_fault(w, (int)lane,
                                     "element %u is a NaN, which the result's format does not have: sources "
                                     "disagree on what it becomes",
                                     i);
    }
    return LW_STEP_NEXT;
}

static lw_step narrow_block(lw_wave *w, const lw_decoded *in, const lw_small *to, const narrow_op *op)
{
    uint32_t r[MAX_PACKED][LW_LANES] = { { 0 } }, x[MAX_COUNT][LW_LANES], bs[LW_LANES],
             random[LW_LANES] = { 0 };
    const bool ovfl = w->mode & LW_MODE_FP16_OVFL;
    const unsigned width = code_bits(to);
    const uint32_t *scale = lw_vsrc(w, in, (unsigned)op->scale, LW_V_B32, bs);
    if (op->seed >= 0) {
        uint32_t buf[LW_LANES];
        memcpy(random, lw_vsrc(w, in, (unsigned)op->seed, LW_V_B32, buf), sizeof(random));
    }
    for (unsigned i = 0; i < op->count; i++)
        read_element(w, in, op->interleaved ? i & 1 : 0, op->from, op->interleaved ? i / 2 : i, x[i]);
    lw_step step = lw_vcheck(w, in);
    if (step == LW_STEP_NEXT && op->strict)
        step = refuse_open(w, to, op, scale, x);
    if (step != LW_STEP_NEXT)
        return step;
    for (unsigned i = 0; i < op->count; i++)
        for (unsigned lane = 0; lane < LW_LANES; lane++) {
            const int s = lw_scale_of_f32(scale[lane]);
            const uint32_t code = op->seed >= 0
                                      ? lw_small_narrow_sr(to, ovfl, op->from, x[i][lane], s, random[lane])
                                      : lw_small_narrow(to, ovfl, op->from, x[i][lane], s);
            put_code(r, width, i, lane, code);
            random[lane] = lw_prng(random[lane]);
        }
    for (unsigned i = 0; i < width * op->count / 32; i++)
        lw_vwrite_part(w, in, i, r[i]);
    return LW_STEP_NEXT;
}

#define NARROW32(name, to, from, scale, seed, interleaved)                                                   \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return narrow_block(w, in, &lw_small_##to,                                                           \
                            &(const narrow_op){ &lw_fp_##from, 32, scale, seed, interleaved, false });       \
    }

NARROW32(v_cvt_scalef32_2xpk16_fp6_f32, fp6, f32, 2, -1, true)
NARROW32(v_cvt_scalef32_2xpk16_bf6_f32, bf6, f32, 2, -1, true)
NARROW32(v_cvt_scalef32_pk32_fp6_f16, fp6, f16, 1, -1, false)
NARROW32(v_cvt_scalef32_pk32_fp6_bf16, fp6, bf16, 1, -1, false)
NARROW32(v_cvt_scalef32_pk32_bf6_f16, bf6, f16, 1, -1, false)
NARROW32(v_cvt_scalef32_pk32_bf6_bf16, bf6, bf16, 1, -1, false)
NARROW32(v_cvt_scalef32_sr_pk32_fp6_f32, fp6, f32, 2, 1, false)
NARROW32(v_cvt_scalef32_sr_pk32_bf6_f32, bf6, f32, 2, 1, false)
NARROW32(v_cvt_scalef32_sr_pk32_fp6_f16, fp6, f16, 2, 1, false)
NARROW32(v_cvt_scalef32_sr_pk32_fp6_bf16, fp6, bf16, 2, 1, false)
NARROW32(v_cvt_scalef32_sr_pk32_bf6_f16, bf6, f16, 2, 1, false)
NARROW32(v_cvt_scalef32_sr_pk32_bf6_bf16, bf6, bf16, 2, 1, false)

/* gfx1250's 8-bit results follow those of gfx12's other conversions, which were measured on gfx1201. */
#define NARROW_BLOCK(name, to, from, count, scale, seed)                                                     \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return narrow_block(w, in, &lw_small_##to,                                                           \
                            &(const narrow_op){ &lw_fp_##from, count, scale, seed, false, true });           \
    }

NARROW_BLOCK(v_cvt_scalef32_pk8_fp4_f32, fp4, f32, 8, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk8_fp4_f16, fp4, f16, 8, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk8_fp4_bf16, fp4, bf16, 8, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk8_fp8_f32, fp8_rdna, f32, 8, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk8_fp8_f16, fp8_rdna, f16, 8, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk8_fp8_bf16, fp8_rdna, bf16, 8, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk8_bf8_f32, bf8_rdna, f32, 8, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk8_bf8_f16, bf8_rdna, f16, 8, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk8_bf8_bf16, bf8_rdna, bf16, 8, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk8_fp4_f32, fp4, f32, 8, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk8_fp4_f16, fp4, f16, 8, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk8_fp4_bf16, fp4, bf16, 8, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk8_fp8_f32, fp8_rdna, f32, 8, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk8_fp8_f16, fp8_rdna, f16, 8, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk8_fp8_bf16, fp8_rdna, bf16, 8, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk8_bf8_f32, bf8_rdna, f32, 8, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk8_bf8_f16, bf8_rdna, f16, 8, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk8_bf8_bf16, bf8_rdna, bf16, 8, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_pk16_fp6_f32, fp6, f32, 16, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk16_fp6_f16, fp6, f16, 16, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk16_fp6_bf16, fp6, bf16, 16, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk16_bf6_f32, bf6, f32, 16, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk16_bf6_f16, bf6, f16, 16, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_pk16_bf6_bf16, bf6, bf16, 16, 1, -1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk16_fp6_f32, fp6, f32, 16, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk16_fp6_f16, fp6, f16, 16, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk16_fp6_bf16, fp6, bf16, 16, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk16_bf6_f32, bf6, f32, 16, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk16_bf6_f16, bf6, f16, 16, 2, 1)
NARROW_BLOCK(v_cvt_scalef32_sr_pk16_bf6_bf16, bf6, bf16, 16, 2, 1)

static void read_codes(lw_wave *w, const lw_decoded *in, unsigned width, unsigned i, uint32_t out[LW_LANES])
{
    uint32_t b0[LW_LANES], b1[LW_LANES];
    const unsigned bit = width * i, at = bit / 32, shift = bit % 32;
    const uint32_t *low = lw_vsrc_part(w, in, 0, at, b0);
    const uint32_t *high = shift + width > 32 ? lw_vsrc_part(w, in, 0, at + 1, b1) : low;
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        out[lane] = (uint32_t)((low[lane] | (uint64_t)high[lane] << 32) >> shift) & ((1u << width) - 1);
}

/* nans: gfx1250's, a quiet NaN without payload, positive for a NaN scale; FP16_OVFL limits f16 (AMD's
 * emulator). */
typedef struct widen_op {
    const lw_format *to;
    uint8_t count;
    bool plain_nan, ovfl;
} widen_op;

static uint32_t widen_element(const lw_small *from, const widen_op *op, uint32_t code, int scale)
{
    const uint32_t v = (uint32_t)lw_small_widen(from, code, scale, op->to);
    const uint32_t sign = v & (uint32_t)lw_fp_sign_bit(op->to);
    if (op->plain_nan && lw_format_is_nan(op->to, v))
        return (scale == LW_SCALE_NAN ? 0 : sign) | (uint32_t)lw_fp_one_nan(op->to, LW_NAN_QUIET);
    if (op->ovfl && v == (sign | lw_fp_inf(op->to)) && !lw_format_is_inf(from->fmt, code))
        return v - 1;
    return v;
}

static lw_step widen_block(lw_wave *w, const lw_decoded *in, const lw_small *from, const widen_op *op,
                           const int scale[LW_LANES])
{
    uint32_t r[MAX_COUNT][LW_LANES] = { { 0 } }, code[LW_LANES];
    const lw_step step = lw_vcheck(w, in);
    if (step != LW_STEP_NEXT)
        return step;
    const bool wide = op->to->frac_bits == 23;
    for (unsigned i = 0; i < op->count; i++) {
        read_codes(w, in, code_bits(from), i, code);
        uint32_t *out = r[wide ? i : i / 2];
        const unsigned shift = wide ? 0 : 16 * (i & 1);
        for (unsigned lane = 0; lane < LW_LANES; lane++)
            out[lane] |= widen_element(from, op, code[lane], scale[lane]) << shift;
    }
    for (unsigned i = 0; i < (wide ? op->count : op->count / 2u); i++)
        lw_vwrite_part(w, in, i, r[i]);
    return LW_STEP_NEXT;
}

static lw_step widen32(lw_wave *w, const lw_decoded *in, const lw_small *from, const lw_format *to)
{
    uint32_t bs[LW_LANES];
    int scale[LW_LANES];
    const uint32_t *row = lw_vsrc(w, in, 1, LW_V_B32, bs);
    for (unsigned lane = 0; lane < LW_LANES; lane++)
        scale[lane] = lw_scale_of_f32(row[lane]);
    return widen_block(w, in, from, &(const widen_op){ to, 32, false, false }, scale);
}

#define WIDEN32(name, from, to)                                                                              \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return widen32(w, in, &lw_small_##from, &lw_fp_##to);                                                \
    }

WIDEN32(v_cvt_scalef32_pk32_f32_fp6, fp6, f32)
WIDEN32(v_cvt_scalef32_pk32_f32_bf6, bf6, f32)
WIDEN32(v_cvt_scalef32_pk32_f16_fp6, fp6, f16)
WIDEN32(v_cvt_scalef32_pk32_f16_bf6, bf6, f16)
WIDEN32(v_cvt_scalef32_pk32_bf16_fp6, fp6, bf16)
WIDEN32(v_cvt_scalef32_pk32_bf16_bf6, bf6, bf16)

/* Where scale_sel finds a lane's scale: a lane of the low or the high half of the wave, and a byte for each
 * half. */
typedef struct scale_place {
    uint8_t first_lane, byte[2];
    bool known;
} scale_place;

/*
 * 8-bit elements: bit 0 the half, bits 1 and 2 the byte (high bit first) that all lanes read; with bit 3
 * (scales of 16 elements) bytes 0 and 1, or with bit 1 bytes 2 and 3, for lanes 0 to 15 and 16 to 31.
 * Narrower elements: bit 0 the half, then bytes 0 and 1, 2 and 3 (bit 1), or with bit 2 bytes 0 and 2, 1
 * and 3. MLIR's list of selections for 8-bit elements has fewer of them (its order of the bits is the
 * reverse): the others are not known.
 */
static scale_place place_of_scale(unsigned sel, bool eight_bits)
{
    const uint8_t lane = sel & 1 ? HALF_WAVE : 0, high = sel >> 1 & 1, two = (uint8_t)(2 * high);
    if (!eight_bits) {
        if (sel >> 2 & 1)
            return (scale_place){ lane, { high, (uint8_t)(high + 2) }, sel < 8 };
        return (scale_place){ lane, { two, (uint8_t)(two + 1) }, sel < 8 };
    }
    if (sel >> 3 & 1)
        return (scale_place){ lane, { two, (uint8_t)(two + 1) }, sel == 8 || sel == 11 };
    const uint8_t byte = (uint8_t)(two + (sel >> 2 & 1));
    return (scale_place){ lane, { byte, byte }, sel != 1 };
}

static lw_step scales_of(lw_wave *w, const lw_decoded *in, bool eight_bits, int scale[LW_LANES])
{
    const scale_place p = place_of_scale(in->op_sel, eight_bits);
    const uint64_t exec = lw_wave_exec(w);
    uint32_t bs[LW_LANES];
    if (!p.known)
        return lw_wave_fault(w, -1, "sources disagree on whether scale_sel:%u is a selection",
                             (unsigned)in->op_sel);
    const uint32_t *row = lw_vsrc(w, in, 1, LW_V_B32, bs);
    const bool in_lanes = in->src[1].kind == LW_OPND_VGPR;
    for (unsigned lane = 0; lane < LW_LANES; lane++) {
        const unsigned from = p.first_lane + lane % HALF_WAVE;
        if (in_lanes && exec >> lane & 1 && !(exec >> from & 1))
            return lw_wave_fault(w, (int)lane,
                                 "its scale is in lane %u, which is not active: no source says what is read",
                                 from);
        scale[lane] = (int)(row[from] >> (8 * p.byte[lane / HALF_WAVE & 1]) & 0xff) - 127;
    }
    return LW_STEP_NEXT;
}

static lw_step widen_selected(lw_wave *w, const lw_decoded *in, const lw_small *from, const lw_format *to,
                              unsigned count)
{
    int scale[LW_LANES];
    const lw_step step = scales_of(w, in, code_bits(from) == 8, scale);
    if (step != LW_STEP_NEXT)
        return step;
    const bool ovfl = to->bits == 16 && to->frac_bits == 10 && w->mode & LW_MODE_FP16_OVFL;
    return widen_block(w, in, from, &(const widen_op){ to, (uint8_t)count, true, ovfl }, scale);
}

#define WIDEN_BLOCK(name, from, to, count)                                                                   \
    lw_step lw_sem_##name(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return widen_selected(w, in, &lw_small_##from, &lw_fp_##to, count);                                  \
    }

WIDEN_BLOCK(v_cvt_scale_pk8_f16_fp4, fp4, f16, 8)
WIDEN_BLOCK(v_cvt_scale_pk8_bf16_fp4, fp4, bf16, 8)
WIDEN_BLOCK(v_cvt_scale_pk8_f32_fp4, fp4, f32, 8)
WIDEN_BLOCK(v_cvt_scale_pk8_f16_fp8, fp8, f16, 8)
WIDEN_BLOCK(v_cvt_scale_pk8_bf16_fp8, fp8, bf16, 8)
WIDEN_BLOCK(v_cvt_scale_pk8_f32_fp8, fp8, f32, 8)
WIDEN_BLOCK(v_cvt_scale_pk8_f16_bf8, bf8, f16, 8)
WIDEN_BLOCK(v_cvt_scale_pk8_bf16_bf8, bf8, bf16, 8)
WIDEN_BLOCK(v_cvt_scale_pk8_f32_bf8, bf8, f32, 8)
WIDEN_BLOCK(v_cvt_scale_pk16_f16_fp6, fp6, f16, 16)
WIDEN_BLOCK(v_cvt_scale_pk16_bf16_fp6, fp6, bf16, 16)
WIDEN_BLOCK(v_cvt_scale_pk16_f32_fp6, fp6, f32, 16)
WIDEN_BLOCK(v_cvt_scale_pk16_f16_bf6, bf6, f16, 16)
WIDEN_BLOCK(v_cvt_scale_pk16_bf16_bf6, bf6, bf16, 16)
WIDEN_BLOCK(v_cvt_scale_pk16_f32_bf6, bf6, f32, 16)
