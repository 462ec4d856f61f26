/* SPDX-License-Identifier: MIT */
/* Read-modify-write operations of global memory and LDS. */
#include "emu/amdgpu/memory/access.h"
#include "emu/num/fp.h"

/* Makes an operation from an expression of `old`, the operand `v`, the comparand `c` and the width. */
#define ATOMIC(NAME, RESULT)                                                                                 \
    uint64_t lw_atomic_##NAME(uint64_t old, uint64_t v, uint64_t c, unsigned bytes, const lw_wave *w)        \
    {                                                                                                        \
        (void)old;                                                                                           \
        (void)c;                                                                                             \
        (void)bytes;                                                                                         \
        (void)w;                                                                                             \
        return (RESULT);                                                                                     \
    }

/* With its sign bit flipped, a zero-extended number compares like the signed one. */
static uint64_t biased(uint64_t v, unsigned bytes)
{
    return v ^ UINT64_C(1) << (8 * bytes - 1);
}

ATOMIC(swap, v)
ATOMIC(cmpswap, old == c ? v : old)
ATOMIC(add, old + v)
ATOMIC(sub, old - v)
ATOMIC(rsub, v - old)
ATOMIC(smin, biased(v, bytes) < biased(old, bytes) ? v : old)
ATOMIC(umin, v < old ? v : old)
ATOMIC(smax, biased(v, bytes) > biased(old, bytes) ? v : old)
ATOMIC(umax, v > old ? v : old)
ATOMIC(and, old &v)
ATOMIC(or, old | v)
ATOMIC(xor, old ^ v)
ATOMIC(inc, old >= v ? 0 : old + 1)
ATOMIC(dec, old == 0 || old > v ? v : old - 1)
/* Subtracts if the result is not below zero, otherwise stores 0 (AMD RDNA3 ISA manual,
 * BUFFER_ATOMIC_CSUB_U32). */
ATOMIC(csub, old >= v ? old - v : 0)
/* LDS: the first operand is the mask, the second (in `c`) holds the bits (AMD CDNA3 ISA manual,
 * DS_MSKOR_B32). */
ATOMIC(mskor, (old & ~v) | c)
/* DS_WRAP_RTN_B32: subtracts the first operand or, if that would go below zero, adds the second (in `c`). */
ATOMIC(wrap, old >= v ? old - v : old + c)

/* ---- Floating point: always round to nearest even (AMD CDNA4 ISA manual 9.2) ---- */

/* L2: F32 additions flush, the others keep subnormals. NaNs that are passed on are quieted. */
static uint64_t add_global(const lw_format *f, bool keep, uint64_t old, uint64_t v)
{
    const lw_fp_env e = { .round = LW_FP_RNE, .keep_in = keep, .keep_out = keep, .ieee = true };
    return lw_fp_add(f, &e, old, v);
}

/* LDS: subnormals as MODE says for the format; rounding to nearest. */
static lw_fp_env lds_env(const lw_wave *w, unsigned shift)
{
    const uint32_t kept = w->mode >> shift;
    return (lw_fp_env){ .round = LW_FP_RNE,
                        .keep_in = (kept & LW_DENORM_IN_KEPT) != 0,
                        .keep_out = (kept & LW_DENORM_OUT_KEPT) != 0,
                        .ieee = true };
}

static uint64_t add_lds(const lw_format *f, const lw_wave *w, unsigned shift, uint64_t old, uint64_t v)
{
    const lw_fp_env e = lds_env(w, shift);
    return lw_fp_add(f, &e, old, v);
}

ATOMIC(add_f32, add_global(&lw_fp_f32, false, old, v))
ATOMIC(add_f64, add_global(&lw_fp_f64, true, old, v))
ATOMIC(pk_add_f16, add_global(&lw_fp_f16, true, old & 0xffff, v & 0xffff) |
                       add_global(&lw_fp_f16, true, old >> 16, v >> 16) << 16)
ATOMIC(pk_add_bf16, add_global(&lw_fp_bf16, true, old & 0xffff, v & 0xffff) |
                        add_global(&lw_fp_bf16, true, old >> 16, v >> 16) << 16)
ATOMIC(lds_add_f32, add_lds(&lw_fp_f32, w, LW_MODE_DENORM_F32_SHIFT, old, v))
ATOMIC(lds_pk_add_f16, add_lds(&lw_fp_f16, w, LW_MODE_DENORM_F64_SHIFT, old & 0xffff, v & 0xffff) |
                           add_lds(&lw_fp_f16, w, LW_MODE_DENORM_F64_SHIFT, old >> 16, v >> 16) << 16)
ATOMIC(lds_pk_add_bf16, add_lds(&lw_fp_bf16, w, LW_MODE_DENORM_F64_SHIFT, old & 0xffff, v & 0xffff) |
                            add_lds(&lw_fp_bf16, w, LW_MODE_DENORM_F64_SHIFT, old >> 16, v >> 16) << 16)

/* An ordering of all numbers: -inf .. -0 < +0 .. +inf. */
static uint64_t order_key(const lw_format *f, uint64_t x)
{
    return lw_fp_neg(f, x) ? lw_fp_sign_bit(f) - 1 - lw_fp_magnitude(f, x) : lw_fp_sign_bit(f) | x;
}

/*
 * A signalling NaN wins and is quieted; quiet NaNs lose. Subnormals are compared according to the
 * environment, but the kept value is not flushed; if both compare equal, memory is unchanged (inferred).
 */
static uint64_t select_fp(const lw_format *f, const lw_fp_env *e, bool want_max, uint64_t old, uint64_t v)
{
    if (lw_fp_is_snan(f, v))
        return v | lw_fp_quiet_bit(f);
    if (lw_fp_is_snan(f, old))
        return old | lw_fp_quiet_bit(f);
    if (lw_fp_is_nan(f, v))
        return old;
    if (lw_fp_is_nan(f, old))
        return v;
    const uint64_t a = order_key(f, lw_fp_flush_in(f, e, v)), b = order_key(f, lw_fp_flush_in(f, e, old));
    return (want_max ? a > b : a < b) ? v : old;
}

/* L2 keeps subnormals. */
static uint64_t select_global(const lw_format *f, bool want_max, uint64_t old, uint64_t v)
{
    const lw_fp_env e = { .keep_in = true };
    return select_fp(f, &e, want_max, old, v);
}

static uint64_t select_lds(const lw_format *f, const lw_wave *w, unsigned shift, bool want_max, uint64_t old,
                           uint64_t v)
{
    const lw_fp_env e = lds_env(w, shift);
    return select_fp(f, &e, want_max, old, v);
}

/* gfx12: a number wins against any NaN; LDS flushes as MODE says (AMD RDNA4 ISA manual). */
static uint64_t number_lds(const lw_format *f, const lw_wave *w, unsigned shift, bool want_max, uint64_t old,
                           uint64_t v)
{
    const lw_fp_env e = lds_env(w, shift);
    return (want_max ? lw_fp_max_num : lw_fp_min_num)(f, &e, v, old);
}

static uint64_t number_global(const lw_format *f, bool want_max, uint64_t old, uint64_t v)
{
    const lw_fp_env e = { .keep_in = true, .keep_out = true };
    return (want_max ? lw_fp_max_num : lw_fp_min_num)(f, &e, v, old);
}

ATOMIC(min_num_f32, number_global(&lw_fp_f32, false, old, v))
ATOMIC(max_num_f32, number_global(&lw_fp_f32, true, old, v))
ATOMIC(min_num_f64, number_global(&lw_fp_f64, false, old, v))
ATOMIC(max_num_f64, number_global(&lw_fp_f64, true, old, v))
ATOMIC(lds_min_num_f32, number_lds(&lw_fp_f32, w, LW_MODE_DENORM_F32_SHIFT, false, old, v))
ATOMIC(lds_max_num_f32, number_lds(&lw_fp_f32, w, LW_MODE_DENORM_F32_SHIFT, true, old, v))
ATOMIC(lds_min_num_f64, number_lds(&lw_fp_f64, w, LW_MODE_DENORM_F64_SHIFT, false, old, v))
ATOMIC(lds_max_num_f64, number_lds(&lw_fp_f64, w, LW_MODE_DENORM_F64_SHIFT, true, old, v))
/* Subtracts if the result is not below zero, otherwise leaves memory unchanged (AMD RDNA4 ISA manual,
 * DS_COND_SUB_U32). */
ATOMIC(cond_sub, old >= v ? old - v : old)

ATOMIC(min_f64, select_global(&lw_fp_f64, false, old, v))
ATOMIC(max_f64, select_global(&lw_fp_f64, true, old, v))
ATOMIC(min_f32, select_global(&lw_fp_f32, false, old, v))
ATOMIC(max_f32, select_global(&lw_fp_f32, true, old, v))
ATOMIC(lds_min_f32, select_lds(&lw_fp_f32, w, LW_MODE_DENORM_F32_SHIFT, false, old, v))
ATOMIC(lds_max_f32, select_lds(&lw_fp_f32, w, LW_MODE_DENORM_F32_SHIFT, true, old, v))
ATOMIC(lds_min_f64, select_lds(&lw_fp_f64, w, LW_MODE_DENORM_F64_SHIFT, false, old, v))
ATOMIC(lds_max_f64, select_lds(&lw_fp_f64, w, LW_MODE_DENORM_F64_SHIFT, true, old, v))

static bool equal_fp(const lw_format *f, uint64_t a, uint64_t b)
{
    if (lw_fp_is_nan(f, a) || lw_fp_is_nan(f, b))
        return false;
    return a == b || (lw_fp_is_zero(f, a) && lw_fp_is_zero(f, b));
}

/* The float compare-and-swap treats -0 and +0 as equal, a NaN as equal to nothing. */
ATOMIC(cmpswap_float, equal_fp(bytes == 8 ? &lw_fp_f64 : &lw_fp_f32, old, c) ? v : old)
