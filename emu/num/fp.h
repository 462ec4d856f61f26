/* SPDX-License-Identifier: MIT */
/*
 * Scalar floating-point operations of AMD's vector ALU, on bit patterns in the low bits of uint64_t.
 * Sources: AMD CDNA3 and CDNA4 ISA manuals (MODE register, instruction pages); where published results of a
 * later generation's silicon differ from the printed pseudo-code, the comment says so.
 */
#ifndef LW_EMU_NUM_FP_H
#define LW_EMU_NUM_FP_H

#include <stdbool.h>
#include <stdint.h>

#include "isa_tables/formats.h"
#include "isa_tables/nans.h"

/* Rounding as the FP_ROUND fields of MODE encode it. */
typedef enum lw_fp_rounding {
    LW_FP_RNE,
    LW_FP_UP,   /* towards +infinity */
    LW_FP_DOWN, /* towards -infinity */
    LW_FP_ZERO,
} lw_fp_rounding;

/* Short names for rows of formats.inc. */
#define lw_fp_f64 lw_formats[LW_FORMAT_F64]
#define lw_fp_f32 lw_formats[LW_FORMAT_F32]
#define lw_fp_f16 lw_formats[LW_FORMAT_F16]
#define lw_fp_bf16 lw_formats[LW_FORMAT_BF16]
#define lw_fp_fp8 lw_formats[LW_FORMAT_FP8_OCP]
#define lw_fp_bf8 lw_formats[LW_FORMAT_BF8_OCP]
#define lw_fp_fp8_fnuz lw_formats[LW_FORMAT_FP8_FNUZ]
#define lw_fp_bf8_fnuz lw_formats[LW_FORMAT_BF8_FNUZ]
#define lw_fp_fp6 lw_formats[LW_FORMAT_FP6]
#define lw_fp_bf6 lw_formats[LW_FORMAT_BF6]
#define lw_fp_fp4 lw_formats[LW_FORMAT_FP4]

/* How operations on one format compute; for AMD's vector ALU, this follows from MODE. A conversion takes the
 * source's and the destination's. Zero is LW_NAN_SOURCE. */
typedef struct lw_fp_env {
    uint8_t round;   /* lw_fp_rounding */
    bool keep_in;    /* subnormal sources are kept; otherwise they count as zeros of the same sign */
    bool keep_out;   /* subnormal results are kept, else flushed; as rounded with unbounded exponent */
    bool ieee;       /* MODE.IEEE: signalling NaNs are quieted, and matter to min and max */
    uint8_t nan;     /* lw_nan_rule; for a conversion, the destination's */
    bool dx10_clamp; /* CLAMP turns NaN into +0 */
    bool saturate;   /* FP16_OVFL, f16 only: a finite overflow gives the largest finite number */
} lw_fp_env;

/* An exact number other than zero: (-1)^neg * hi.lo * 2^(exp - 127), with the top bit of hi set. Bit 0 of lo
 * may stand for any smaller remainder. */
typedef struct lw_fp_num {
    bool neg;
    int exp; /* floor(log2) */
    uint64_t hi, lo;
} lw_fp_num;

static inline uint64_t lw_fp_sign_bit(const lw_format *f)
{
    return (uint64_t)1 << (f->exp_bits + f->frac_bits);
}

static inline uint64_t lw_fp_magnitude(const lw_format *f, uint64_t x)
{
    return x & (lw_fp_sign_bit(f) - 1);
}

/* 1. */
static inline uint64_t lw_fp_one(const lw_format *f)
{
    return (uint64_t)f->bias << f->frac_bits;
}

/* The magnitude of infinity in an IEEE format. */
static inline uint64_t lw_fp_inf(const lw_format *f)
{
    return (((uint64_t)1 << f->exp_bits) - 1) << f->frac_bits;
}

static inline uint64_t lw_fp_quiet_bit(const lw_format *f)
{
    return (uint64_t)1 << (f->frac_bits - 1);
}

static inline bool lw_fp_neg(const lw_format *f, uint64_t x)
{
    return (x & lw_fp_sign_bit(f)) != 0;
}

/* The rest of this group holds for IEEE formats only. */
static inline bool lw_fp_is_nan(const lw_format *f, uint64_t x)
{
    return lw_fp_magnitude(f, x) > lw_fp_inf(f);
}

static inline bool lw_fp_is_snan(const lw_format *f, uint64_t x)
{
    return lw_fp_is_nan(f, x) && !(x & lw_fp_quiet_bit(f));
}

static inline bool lw_fp_is_inf(const lw_format *f, uint64_t x)
{
    return lw_fp_magnitude(f, x) == lw_fp_inf(f);
}

static inline bool lw_fp_is_zero(const lw_format *f, uint64_t x)
{
    return lw_fp_magnitude(f, x) == 0;
}

static inline bool lw_fp_is_subnormal(const lw_format *f, uint64_t x)
{
    const uint64_t m = lw_fp_magnitude(f, x);
    return m != 0 && m >> f->frac_bits == 0;
}

/* The encoded exponent field, 0 for zeros and subnormals. */
static inline int lw_fp_field(const lw_format *f, uint64_t x)
{
    return (int)(lw_fp_magnitude(f, x) >> f->frac_bits);
}

/* The one NaN of the rules QUIET and ONES. */
static inline uint64_t lw_fp_one_nan(const lw_format *f, lw_nan_rule rule)
{
    return rule == LW_NAN_ONES ? lw_fp_sign_bit(f) - 1 : lw_fp_inf(f) | lw_fp_quiet_bit(f);
}

static inline bool lw_fp_has_one_nan(const lw_fp_env *e)
{
    return e->nan == LW_NAN_QUIET || e->nan == LW_NAN_ONES;
}

/* The NaN that an invalid operation gives: negative and quiet, unless all NaNs are one (AMD ISA manuals). */
static inline uint64_t lw_fp_nan(const lw_format *f, const lw_fp_env *e)
{
    if (lw_fp_has_one_nan(e))
        return lw_fp_one_nan(f, (lw_nan_rule)e->nan);
    return lw_fp_sign_bit(f) | lw_fp_inf(f) | lw_fp_quiet_bit(f);
}

/* A source as the operation sees it: subnormals flushed unless kept. */
static inline uint64_t lw_fp_flush_in(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return !e->keep_in && lw_fp_field(f, x) == 0 ? x & lw_fp_sign_bit(f) : x;
}

/* A NaN passed on: quieted if MODE.IEEE requires it. */
static inline uint64_t lw_fp_pass_nan(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    if (lw_fp_has_one_nan(e))
        return lw_fp_one_nan(f, (lw_nan_rule)e->nan);
    return e->ieee ? x | lw_fp_quiet_bit(f) : x;
}

/* Unpacks a finite number other than zero, in any format. */
lw_fp_num lw_fp_unpack(const lw_format *f, uint64_t x);

/* mantissa * 2^exp, mantissa not 0. */
lw_fp_num lw_fp_from_int(bool neg, uint64_t mantissa, int exp);

/*
 * Rounds to the format's grid, subnormals included, and returns exponent field and fraction as one number.
 * The exponent is not bounded above: a result beyond the largest code means overflow.
 */
uint64_t lw_fp_round_code(const lw_format *f, lw_fp_rounding round, const lw_fp_num *v);

/* Rounds to an IEEE format; `e` decides about overflow, FP16_OVFL and output flush. */
uint64_t lw_fp_pack(const lw_format *f, const lw_fp_env *e, const lw_fp_num *v);

/* The number as an integer, rounded; its exponent must be below 62. */
uint64_t lw_fp_round_int(const lw_fp_num *v, lw_fp_rounding round);

/* Exact a*b and a+b; lw_fp_sum returns false when the sum is zero. */
lw_fp_num lw_fp_product(const lw_fp_num *a, const lw_fp_num *b);
bool lw_fp_sum(const lw_fp_num *a, const lw_fp_num *b, lw_fp_num *sum);

/* Arithmetic with one rounding. NaN order: 0*Inf, then the first NaN source, then Inf - Inf. */
uint64_t lw_fp_add(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
/* a - b and b - a. A NaN source keeps its sign. No source says this: in later generations NEG changes the
 * sign. It is our choice. */
uint64_t lw_fp_sub(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
uint64_t lw_fp_subrev(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
uint64_t lw_fp_mul(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
uint64_t lw_fp_fma(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
/* Zero times anything is +0, NaN and infinity included (v_mul_legacy_f32). */
uint64_t lw_fp_mul_legacy(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
/* Product and sum rounded separately (v_mad_f16). */
uint64_t lw_fp_mad(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
/* fma(a, b, c) * 2^scale with one rounding; sources are not flushed (v_div_fmas). */
uint64_t lw_fp_fma_scaled(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c,
                          int scale);
/* fma of three f32 sources, already flushed, rounded once to f16 (v_fma_mixlo_f16). */
uint64_t lw_fp_fma_f32_to(const lw_format *to, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);

/* Two-source selection, gfx9 rules: MODE.IEEE decides whether a signalling NaN wins. -0 < +0. */
uint64_t lw_fp_min(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
uint64_t lw_fp_max(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
uint64_t lw_fp_min3(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
uint64_t lw_fp_max3(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
uint64_t lw_fp_med3(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
/* NaN-propagating selection of three (gfx950): the first NaN in source order, quieted, whatever IEEE says. */
uint64_t lw_fp_minimum3(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
uint64_t lw_fp_maximum3(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);

/* gfx12: a number wins against any NaN; of two NaNs the first is the result, quieted, whatever IEEE says. */
uint64_t lw_fp_min_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
uint64_t lw_fp_max_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
uint64_t lw_fp_min3_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
uint64_t lw_fp_max3_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
uint64_t lw_fp_med3_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
/* The second operation is applied to the result of the first. */
uint64_t lw_fp_minmax_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
uint64_t lw_fp_maxmin_num(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
/* The rule of minimum3 and maximum3 for two sources, and both operations one after the other. */
uint64_t lw_fp_minimum(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
uint64_t lw_fp_maximum(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);
uint64_t lw_fp_minimummaximum(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);
uint64_t lw_fp_maximumminimum(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t c);

/* Integral parts, exact; -0 and the sign of a zero result are kept. */
uint64_t lw_fp_trunc(const lw_format *f, const lw_fp_env *e, uint64_t x);
uint64_t lw_fp_ceil(const lw_format *f, const lw_fp_env *e, uint64_t x);
uint64_t lw_fp_floor(const lw_format *f, const lw_fp_env *e, uint64_t x);
uint64_t lw_fp_rndne(const lw_format *f, const lw_fp_env *e, uint64_t x);
/* x - floor(x), at most the largest number below 1. */
uint64_t lw_fp_fract(const lw_format *f, const lw_fp_env *e, uint64_t x);
/* Mantissa in [0.5, 1) and its exponent; zero, infinity and NaN pass unchanged, with exponent 0. */
uint64_t lw_fp_frexp_mant(const lw_format *f, const lw_fp_env *e, uint64_t x);
int lw_fp_frexp_exp(const lw_format *f, const lw_fp_env *e, uint64_t x);
/* x * 2^n, one rounding. */
uint64_t lw_fp_ldexp(const lw_format *f, const lw_fp_env *e, uint64_t x, int n);

/* Bits of a comparison's outcome; a compare instruction is the set of outcomes for which it is true. */
enum { LW_FP_LESS = 1, LW_FP_EQUAL = 2, LW_FP_GREATER = 4, LW_FP_UNORDERED = 8 };
unsigned lw_fp_compare(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b);

/* The one bit of v_cmp_class's mask that holds for x: bit 0 sNaN .. bit 9 +Inf. Never flushed. */
unsigned lw_fp_class(const lw_format *f, uint64_t x);

/* Output modifiers, in this order, on a result that is already rounded. omod: 0 none, 1 *2, 2 *4, 3 /2. */
uint64_t lw_fp_omod(const lw_format *f, const lw_fp_env *e, uint64_t x, unsigned omod);
uint64_t lw_fp_clamp(const lw_format *f, const lw_fp_env *e, uint64_t x);

/* From one IEEE format to another: the source is flushed, the top bits of a NaN's payload are kept, one
 * rounding. */
uint64_t lw_fp_convert(const lw_format *from, const lw_fp_env *e_from, const lw_format *to,
                       const lw_fp_env *e_to, uint64_t x);
uint64_t lw_fp_from_u64(const lw_format *f, const lw_fp_env *e, bool neg, uint64_t magnitude);
/* To an integer of `bits` bits (at most 32), saturating, with the given rounding; NaN gives 0. */
uint32_t lw_fp_to_uint(const lw_format *f, const lw_fp_env *e, lw_fp_rounding round, unsigned bits,
                       uint64_t x);
int32_t lw_fp_to_int(const lw_format *f, const lw_fp_env *e, lw_fp_rounding round, unsigned bits, uint64_t x);
/*
 * floor(x) and floor(x + 0.5), the sum not rounded, as 32-bit integers (v_cvt_flr_i32_f32,
 * v_cvt_rpi_i32_f32). A NaN saturates by its sign, as measured on gfx1201; the manuals' general rule would
 * give 0.
 */
int32_t lw_fp_to_int_floor(const lw_format *f, const lw_fp_env *e, uint64_t x);
int32_t lw_fp_to_int_half_up(const lw_format *f, const lw_fp_env *e, uint64_t x);
/* round(x * steps) to nearest even, limited to [-steps, steps] or [0, steps]; NaN gives 0 (v_cvt_pknorm). */
int32_t lw_fp_to_norm(const lw_format *f, const lw_fp_env *e, uint32_t steps, bool is_signed, uint64_t x);

#endif
