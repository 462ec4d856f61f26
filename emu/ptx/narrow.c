/* SPDX-License-Identifier: MIT */
/*
 * Conversions between f32, f16, bf16 and the formats of 8, 6 and 4 bits, and with random bits. PTX ISA 9.1,
 * "cvt"; for NaNs and for scales of subnormal numbers, CUDA 13.0's cuda_fp8.hpp, cuda_fp6.hpp and
 * cuda_fp4.hpp, which compute on the host what the instructions compute.
 */
#include "emu/num/small.h"
#include "emu/ptx/floats.h"

/* Computes each lane's result from whole sources, including packed ones. */
static lw_ptx_step whole(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint64_t in[LW_PTX_MOST_SOURCES] = { 0, 0, 0, 0 };
        if (!(lanes >> lane & 1))
            continue;
        for (unsigned i = 0; i < r->src_count; i++)
            in[i] = lw_ptx_get(w, &r->src[i], lane);
        lw_ptx_put(w, &r->dst[0], lane, r->handler->lane(r, in));
    }
    return LW_PTX_STEP_NEXT;
}

/* The small format of a packed type. */
static const lw_small *small_of(uint8_t type)
{
    static const lw_small *const all[] = { &lw_small_fp8, &lw_small_bf8, &lw_small_fp6, &lw_small_bf6,
                                           &lw_small_fp4 };
    const lw_format *f = &lw_formats[lw_ptx_types[type].format];
    size_t i = 0;
    while (all[i]->fmt != f)
        i++;
    return all[i];
}

static unsigned element_bits(uint8_t type)
{
    return lw_ptx_types[type].bits / (unsigned)lw_ptx_types[type].count;
}

/* .satfinite: infinity becomes the largest number. A NaN loses its sign; formats of 6 and 4 bits have no NaN.
 * False: a number that has to be rounded. */
static bool is_special(const lw_ptx_record *r, const lw_small *to, const lw_format *from, uint64_t a,
                       uint64_t *code)
{
    const uint64_t sign = lw_fp_neg(from, a) ? lw_fp_sign_bit(to->fmt) : 0;
    const bool nan = lw_fp_is_nan(from, a), cut = r->relu && sign;
    *code = nan ? (to->fmt->bits == 8 ? lw_fp_sign_bit(to->fmt) - 1 : to->max) : cut ? 0 : sign | to->max;
    return nan || cut || lw_fp_is_inf(from, a);
}

/* Values beyond the largest number become the largest number, too. */
static uint64_t small(const lw_ptx_record *r, const lw_format *from, uint64_t a)
{
    const lw_small *to = small_of(r->type);
    uint64_t code;
    return is_special(r, to, from, a, &code) ? code : lw_small_narrow(to, true, from, a, 0);
}

static uint64_t small_two(const lw_ptx_record *r, const lw_format *from, uint64_t high, uint64_t low)
{
    return small(r, from, high) << element_bits(r->type) | small(r, from, low);
}

static uint64_t widened(const lw_ptx_record *r, uint64_t code)
{
    const lw_small *from = small_of(r->src_type);
    const uint64_t v = lw_small_widen(from, (uint32_t)(code & lw_ptx_mask(from->fmt->bits)), 0, &lw_fp_f16);
    return lw_fp_is_nan(&lw_fp_f16, v) ? lw_fp_sign_bit(&lw_fp_f16) - 1 : lw_ptx_result(r, v);
}

static uint64_t widened_two(const lw_ptx_record *r, uint64_t a)
{
    return widened(r, a >> element_bits(r->src_type)) << 16 | widened(r, a);
}

/* The exponent of an f32's magnitude: .rz cuts, .rp rounds up to the next power of two; the least is
 * 2^-127. */
static uint64_t scale(const lw_ptx_record *r, uint64_t a)
{
    enum { LEAST = 0x400000, FRACTION = 0x7fffff, NONE = 0xff };
    const uint64_t m = lw_fp_magnitude(&lw_fp_f32, a), inf = lw_fp_inf(&lw_fp_f32);
    const bool up = r->env.round == LW_FP_UP && (m & FRACTION) && m > LEAST && m < inf;
    const uint64_t code = (m >> 23) + up;
    return code == NONE && m <= inf && lw_ptx_has(r, LW_PTX_GROUP_SATFINITE) ? NONE - 1 : code;
}

static uint64_t scale_two(const lw_ptx_record *r, uint64_t high, uint64_t low)
{
    return scale(r, high) << 8 | scale(r, low);
}

static uint64_t bf16_of_scale(uint64_t code)
{
    enum { LEAST = 0x40, NONE = 0xff, NAN_ = 0x7fff };
    return code == NONE ? NAN_ : code ? code << 7 : LEAST;
}

/*
 * .rs: random bits are added to those that are cut off, 13 for f16 and 16 for bf16, and a carry rounds away
 * from zero. For a subnormal result this happens after its shift, which the ISA does not specify.
 */
static uint64_t random_one(const lw_ptx_record *r, uint64_t a, uint64_t random)
{
    enum { F32_FRACTION = 23 };
    const unsigned cut = F32_FRACTION - r->fmt->frac_bits;
    const lw_fp_env e = { .saturate = lw_ptx_has(r, LW_PTX_GROUP_SATFINITE) };
    uint64_t v = lw_fp_convert_sr(r->fmt, &e, (uint32_t)a, (uint32_t)(random << (32 - cut)));
    if (e.saturate && lw_fp_is_inf(r->fmt, v))
        v--;
    return lw_ptx_result(r, v);
}

static uint64_t random_two(const lw_ptx_record *r, uint64_t high, uint64_t low, uint64_t random)
{
    return random_one(r, high, random >> 16) << 16 | random_one(r, low, random & 0xffff);
}

/* ---- .rs to four small numbers ---- */

static uint32_t mirrored(uint32_t half)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < 16; i++)
        v |= (half >> i & 1) << (15 - i);
    return v;
}

/*
 * The 16 random bits of number i, the first in the highest place of the result. Two numbers share a half of
 * the operand: the first of them reads it mirrored. e2m1x4 makes these halves from the operand's bytes 3 and
 * 1, and 2 and 0. Measured on B200: mlc-ai/TIRx-harness (numsim, ptx_cvt_rs_randoms), and for e4m3x4 a second
 * time in the notes of a quantization kernel; the PTX ISA says only which half belongs to which pair. Not
 * measured: formats of 6 bits.
 */
static uint32_t random_of(const lw_ptx_record *r, uint32_t random, unsigned i)
{
    const bool bytes = element_bits(r->type) < 8;
    const uint32_t high = bytes ? (random >> 24) << 8 | (random >> 8 & 0xff) : random >> 16;
    const uint32_t low = bytes ? (random >> 16 & 0xff) << 8 | (random & 0xff) : random & 0xffff;
    const uint32_t half = i < 2 ? high : low;
    return i % 2 ? half : mirrored(half);
}

static uint64_t small_random(const lw_ptx_record *r, uint64_t a, uint32_t random)
{
    const lw_small *to = small_of(r->type);
    uint64_t code;
    return is_special(r, to, &lw_fp_f32, a, &code)
               ? code
               : lw_small_narrow_sr(to, true, &lw_fp_f32, a, 0, random << 16);
}

static lw_ptx_step small_four(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    enum { NUMBERS = 4 };
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint64_t v = 0;
        if (!(lanes >> lane & 1))
            continue;
        const uint32_t random = (uint32_t)lw_ptx_get(w, &r->src[NUMBERS], lane);
        for (unsigned i = 0; i < NUMBERS; i++)
            v = v << element_bits(r->type) |
                small_random(r, lw_ptx_get(w, &r->src[i], lane), random_of(r, random, i));
        lw_ptx_put(w, &r->dst[0], lane, v);
    }
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_cvt_small_random = { .exec = small_four };

LW_PTX_LANE_OF(cvt_small, whole, small_two(r, &lw_fp_f32, a, b))
LW_PTX_LANE_OF(cvt_small_pair, whole, small_two(r, &lw_fp_f16, a >> 16, a & 0xffff))
LW_PTX_LANE_OF(cvt_from_small, whole, widened_two(r, a))
LW_PTX_LANE_OF(cvt_scale, whole, scale_two(r, a, b))
LW_PTX_LANE_OF(cvt_scale_pair, whole, scale_two(r, a >> 16 << 16, a << 16 & UINT32_MAX))
LW_PTX_LANE_OF(cvt_from_scale, whole, bf16_of_scale(a >> 8) << 16 | bf16_of_scale(a & 0xff))
LW_PTX_LANE_OF(cvt_pair_random, whole, random_two(r, a, b, c))
