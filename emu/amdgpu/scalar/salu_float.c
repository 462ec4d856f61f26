/* SPDX-License-Identifier: MIT */
/*
 * Floating-point instructions of the scalar unit, and those of the vector unit that read and write scalars
 * (gfx12; the scalar unit's came with gfx1150). They compute like the vector instructions of the same names,
 * including MODE (AMD RDNA4 ISA manual); a 16-bit result clears the upper half.
 */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/scalar/scalar.h"
#include "emu/amdgpu/vector/vfloat.h"
#include "emu/num/transc.h"

static uint64_t bits_of(const lw_format *f, uint64_t value)
{
    return f->frac_bits == 10 ? value & 0xffff : value & UINT32_MAX;
}

/* Reads `count` sources unchanged; false after a fault. */
static bool read(lw_wave *w, const lw_decoded *in, const lw_format *f, unsigned count, uint64_t s[3])
{
    for (unsigned i = 0; i < count; i++) {
        if (!lw_scalar_read(w, &in->src[i], &s[i])) {
            lw_scalar_no_value(w, &in->src[i]);
            return false;
        }
        s[i] = bits_of(f, s[i]);
    }
    return true;
}

static lw_step one(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_lane1 fn)
{
    uint64_t s[3];
    const lw_fp_env e = lw_vmode(w, f);
    if (!read(w, in, f, 1, s))
        return LW_STEP_FAULT;
    lw_scalar_write(w, &in->dst, fn(f, &e, s[0]));
    return LW_STEP_NEXT;
}

static lw_step two(lw_wave *w, const lw_decoded *in, const lw_format *f, lw_lane2 fn)
{
    uint64_t s[3];
    const lw_fp_env e = lw_vmode(w, f);
    if (!read(w, in, f, 2, s))
        return LW_STEP_FAULT;
    lw_scalar_write(w, &in->dst, fn(f, &e, s[0], s[1]));
    return LW_STEP_NEXT;
}

/* `accumulates`: the addend is the old result. */
static lw_step fused(lw_wave *w, const lw_decoded *in, const lw_format *f, bool accumulates)
{
    uint64_t s[3];
    const lw_fp_env e = lw_vmode(w, f);
    if (!read(w, in, f, accumulates ? 2 : 3, s))
        return LW_STEP_FAULT;
    if (accumulates && !lw_scalar_read(w, &in->dst, &s[2]))
        return lw_scalar_no_value(w, &in->dst);
    lw_scalar_write(w, &in->dst, lw_fp_fma(f, &e, s[0], s[1], bits_of(f, s[2])));
    return LW_STEP_NEXT;
}

/* `when`: LW_FP_LESS and the like, combined. */
static lw_step compare(lw_wave *w, const lw_decoded *in, const lw_format *f, unsigned when)
{
    uint64_t s[3];
    const lw_fp_env e = lw_vmode(w, f);
    if (!read(w, in, f, 2, s))
        return LW_STEP_FAULT;
    w->scc = (lw_fp_compare(f, &e, s[0], s[1]) & when) != 0;
    return LW_STEP_NEXT;
}

#define ONE(name, fn)                                                                                        \
    lw_step lw_sem_##name##_f32(lw_wave *w, const lw_decoded *in)                                            \
    {                                                                                                        \
        return one(w, in, &lw_fp_f32, fn);                                                                   \
    }                                                                                                        \
    lw_step lw_sem_##name##_f16(lw_wave *w, const lw_decoded *in)                                            \
    {                                                                                                        \
        return one(w, in, &lw_fp_f16, fn);                                                                   \
    }
#define TWO(name, fn)                                                                                        \
    lw_step lw_sem_##name##_f32(lw_wave *w, const lw_decoded *in)                                            \
    {                                                                                                        \
        return two(w, in, &lw_fp_f32, fn);                                                                   \
    }                                                                                                        \
    lw_step lw_sem_##name##_f16(lw_wave *w, const lw_decoded *in)                                            \
    {                                                                                                        \
        return two(w, in, &lw_fp_f16, fn);                                                                   \
    }
#define COMPARE(name, when)                                                                                  \
    lw_step lw_sem_s_cmp_##name##_f32(lw_wave *w, const lw_decoded *in)                                      \
    {                                                                                                        \
        return compare(w, in, &lw_fp_f32, when);                                                             \
    }                                                                                                        \
    lw_step lw_sem_s_cmp_##name##_f16(lw_wave *w, const lw_decoded *in)                                      \
    {                                                                                                        \
        return compare(w, in, &lw_fp_f16, when);                                                             \
    }

ONE(s_ceil, lw_fp_ceil)
ONE(s_floor, lw_fp_floor)
ONE(s_trunc, lw_fp_trunc)
ONE(s_rndne, lw_fp_rndne)
TWO(s_add, lw_fp_add)
TWO(s_sub, lw_fp_sub)
TWO(s_mul, lw_fp_mul)
/* gfx1150: taken to follow MODE.IEEE as gfx11's v_min_f32 and v_max_f32 do */
TWO(s_min, lw_fp_min)
TWO(s_max, lw_fp_max)
TWO(s_min_num, lw_fp_min_num)
TWO(s_max_num, lw_fp_max_num)
TWO(s_minimum, lw_fp_minimum)
TWO(s_maximum, lw_fp_maximum)

enum { LT = LW_FP_LESS, EQ = LW_FP_EQUAL, GT = LW_FP_GREATER, UN = LW_FP_UNORDERED };
COMPARE(lt, LT)
COMPARE(eq, EQ)
COMPARE(le, LT | EQ)
COMPARE(gt, GT)
COMPARE(lg, LT | GT)
COMPARE(ge, GT | EQ)
COMPARE(o, LT | EQ | GT)
COMPARE(u, UN)
COMPARE(nge, LT | UN)
COMPARE(nlg, EQ | UN)
COMPARE(ngt, LT | EQ | UN)
COMPARE(nle, GT | UN)
COMPARE(neq, LT | GT | UN)
COMPARE(nlt, EQ | GT | UN)

lw_step lw_sem_s_fmac_f32(lw_wave *w, const lw_decoded *in)
{
    return fused(w, in, &lw_fp_f32, true);
}

lw_step lw_sem_s_fmac_f16(lw_wave *w, const lw_decoded *in)
{
    return fused(w, in, &lw_fp_f16, true);
}

/* Sources in the assembler's order, also for s_fmamk_f32: the literal is source 1 or source 2. */
lw_step lw_sem_s_fmaak_f32(lw_wave *w, const lw_decoded *in)
{
    return fused(w, in, &lw_fp_f32, false);
}

/* ---- Conversions ---- */

static uint64_t to_i32(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return (uint32_t)lw_fp_to_int(f, e, LW_FP_ZERO, 32, x);
}

static uint64_t to_u32(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return lw_fp_to_uint(f, e, LW_FP_ZERO, 32, x);
}

static uint64_t from_i32(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    const bool neg = x >> 31 & 1;
    return lw_fp_from_u64(f, e, neg, neg ? (uint32_t)(0u - (uint32_t)x) : x);
}

static uint64_t from_u32(const lw_format *f, const lw_fp_env *e, uint64_t x)
{
    return lw_fp_from_u64(f, e, false, x);
}

lw_step lw_sem_s_cvt_i32_f32(lw_wave *w, const lw_decoded *in)
{
    return one(w, in, &lw_fp_f32, to_i32);
}

lw_step lw_sem_s_cvt_u32_f32(lw_wave *w, const lw_decoded *in)
{
    return one(w, in, &lw_fp_f32, to_u32);
}

lw_step lw_sem_s_cvt_f32_i32(lw_wave *w, const lw_decoded *in)
{
    return one(w, in, &lw_fp_f32, from_i32);
}

lw_step lw_sem_s_cvt_f32_u32(lw_wave *w, const lw_decoded *in)
{
    return one(w, in, &lw_fp_f32, from_u32);
}

/* `shift`: the position of the 16-bit number. */
static lw_step between(lw_wave *w, const lw_decoded *in, const lw_format *from, const lw_format *to,
                       unsigned shift)
{
    uint64_t x;
    const lw_fp_env e_from = lw_vmode(w, from), e_to = lw_vmode(w, to);
    if (!lw_scalar_read(w, &in->src[0], &x))
        return lw_scalar_no_value(w, &in->src[0]);
    lw_scalar_write(w, &in->dst, lw_fp_convert(from, &e_from, to, &e_to, bits_of(from, x >> shift)));
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_cvt_f16_f32(lw_wave *w, const lw_decoded *in)
{
    return between(w, in, &lw_fp_f32, &lw_fp_f16, 0);
}

lw_step lw_sem_s_cvt_f32_f16(lw_wave *w, const lw_decoded *in)
{
    return between(w, in, &lw_fp_f16, &lw_fp_f32, 0);
}

lw_step lw_sem_s_cvt_hi_f32_f16(lw_wave *w, const lw_decoded *in)
{
    return between(w, in, &lw_fp_f16, &lw_fp_f32, 16);
}

lw_step lw_sem_s_cvt_pk_rtz_f16_f32(lw_wave *w, const lw_decoded *in)
{
    uint64_t s[3];
    const lw_fp_env from = lw_vmode(w, &lw_fp_f32);
    lw_fp_env to = lw_vmode(w, &lw_fp_f16);
    to.round = LW_FP_ZERO;
    if (!read(w, in, &lw_fp_f32, 2, s))
        return LW_STEP_FAULT;
    for (unsigned i = 0; i < 2; i++)
        s[i] = lw_fp_convert(&lw_fp_f32, &from, &lw_fp_f16, &to, s[i]);
    lw_scalar_write(w, &in->dst, s[0] | s[1] << 16);
    return LW_STEP_NEXT;
}

/* ---- v_s_*: one scalar with modifiers, computed with the models of the vector unit ---- */

typedef uint64_t (*model_fn)(const lw_fp_env *e, uint64_t x);

static lw_step through_model(lw_wave *w, const lw_decoded *in, const lw_format *f, model_fn model)
{
    uint64_t s[3];
    const uint64_t sign = lw_fp_sign_bit(f);
    const lw_fp_env e = lw_vmode_of(w, in, f), out = lw_vmode_out(w, in, f);
    if (!read(w, in, f, 1, s))
        return LW_STEP_FAULT;
    if (in->src[0].abs)
        s[0] &= ~sign;
    if (in->src[0].neg)
        s[0] ^= sign;
    uint64_t r = lw_fp_omod(f, &out, model(&e, s[0]), in->omod);
    if (in->clamp)
        r = lw_fp_clamp(f, &e, r);
    lw_scalar_write(w, &in->dst, r);
    return LW_STEP_NEXT;
}

#define MODEL(name, model32, model16)                                                                        \
    static uint64_t name##_32(const lw_fp_env *e, uint64_t x)                                                \
    {                                                                                                        \
        (void)e;                                                                                             \
        return model32((uint32_t)x);                                                                         \
    }                                                                                                        \
    static uint64_t name##_16(const lw_fp_env *e, uint64_t x)                                                \
    {                                                                                                        \
        return model16(e, (uint32_t)x);                                                                      \
    }                                                                                                        \
    lw_step lw_sem_v_s_##name##_f32(lw_wave *w, const lw_decoded *in)                                        \
    {                                                                                                        \
        return through_model(w, in, &lw_fp_f32, name##_32);                                                  \
    }                                                                                                        \
    lw_step lw_sem_v_s_##name##_f16(lw_wave *w, const lw_decoded *in)                                        \
    {                                                                                                        \
        return through_model(w, in, &lw_fp_f16, name##_16);                                                  \
    }

MODEL(exp, lw_exp2_f32, lw_exp2_f16)
MODEL(log, lw_log2_f32, lw_log2_f16)
MODEL(rcp, lw_rcp_f32, lw_rcp_f16)
MODEL(rsq, lw_rsq_f32, lw_rsq_f16)
MODEL(sqrt, lw_sqrt_f32, lw_sqrt_f16)
