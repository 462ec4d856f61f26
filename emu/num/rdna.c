/* SPDX-License-Identifier: MIT */
/*
 * Special values and narrowing of RDNA's dot units: rocjitsu's models and the captures from a Radeon Pro
 * W7900 and a Radeon AI Pro R9700 published with them (ROCm/rocm-systems, emulation/rocjitsu).
 */
#include "emu/num/rdna.h"
#include "emu/num/fp.h"
#include "emu/num/u128.h"

/* The NaN of Inf * 0 and of infinities with opposite signs. */
#define CONFLICT_NAN UINT32_C(0xffc00000)
#define F32_SIGN UINT32_C(0x80000000)
#define F32_INF UINT32_C(0x7f800000)

enum { F16_WIDER = 13, BF16_WIDER = 16 }; /* additional fraction bits of f32 */

int lw_rdna_lead(const lw_rdna_term *t)
{
    return t->exp + 63 - (int)lw_clz64(t->sig);
}

/* Zero, or a denormal that the unit treats as zero. */
static bool is_zero(const lw_dot_unit *unit, const lw_part *p, int frac)
{
    return p->kind == LW_PART_ZERO || (p->kind == LW_PART_FINITE && unit->flush && !(p->sig >> frac));
}

lw_rdna_term lw_rdna_product(const lw_dot_unit *unit, const lw_dot_group *g, int i)
{
    const lw_part *a = &g->a[i], *b = &g->b[i];
    const bool zero = is_zero(unit, a, g->a_frac) || is_zero(unit, b, g->frac - g->a_frac);
    const int nominal = a->exp + b->exp + g->scale;
    return (lw_rdna_term){ .neg = a->neg != b->neg,
                           .sig = zero ? 0 : (uint64_t)a->sig * b->sig * g->scale_sig,
                           .exp = nominal - g->frac - g->scale_frac,
                           .nominal = nominal };
}

lw_rdna_term lw_rdna_acc(lw_dot_acc format, uint32_t acc, bool flush)
{
    const lw_format *f = lw_dot_acc_format(format);
    const int frac = lw_part_frac(f);
    const lw_part c = lw_part_make(f, acc, false);
    const bool gone = flush && format != LW_ACC_F16 && !(c.sig >> frac);
    return (lw_rdna_term){ .neg = c.neg, .sig = gone ? 0 : c.sig, .exp = c.exp - frac, .nominal = c.exp };
}

/* An infinite or NaN accumulator as f32; payloads move up. */
static uint32_t widen_special(lw_dot_acc format, uint32_t acc)
{
    if (format == LW_ACC_BF16)
        return acc << BF16_WIDER;
    if (format == LW_ACC_F32)
        return acc;
    return (acc & 0x8000) << 16 | F32_INF | (acc & 0x3ff) << F16_WIDER;
}

static uint32_t narrow_special(lw_dot_acc format, uint32_t wide)
{
    if (format == LW_ACC_BF16)
        return wide >> BF16_WIDER;
    if (format == LW_ACC_F32)
        return wide;
    return (wide >> 16 & 0x8000) | 0x7c00 | (wide >> F16_WIDER & 0x3ff);
}

typedef struct causes {
    bool factor_nan, conflict, pos, neg;
} causes;

static causes look_at_products(const lw_dot_unit *unit, const lw_dot_group *g)
{
    causes c = { .factor_nan = g->scale_nan };
    for (int i = 0; i < g->count; i++) {
        const lw_part *a = &g->a[i], *b = &g->b[i];
        c.factor_nan |= a->kind == LW_PART_NAN || b->kind == LW_PART_NAN;
        if (a->kind != LW_PART_INF && b->kind != LW_PART_INF)
            continue;
        if (is_zero(unit, a, g->a_frac) || is_zero(unit, b, g->frac - g->a_frac))
            c.conflict = true;
        else if (a->neg != b->neg)
            c.neg = true;
        else
            c.pos = true;
    }
    c.conflict |= c.pos && c.neg;
    return c;
}

static uint32_t factor_nan(lw_dot_acc format)
{
    static const uint32_t codes[] = {
        [LW_ACC_F32] = LW_RDNA_FACTOR_NAN, [LW_ACC_F16] = 0xfe3d, [LW_ACC_BF16] = 0xfffd
    };
    return codes[format];
}

bool lw_rdna_special(const lw_dot_unit *unit, const lw_dot_group *g, lw_dot_acc format, uint32_t acc,
                     const lw_dot_env *env, uint32_t *code)
{
    const causes p = look_at_products(unit, g);
    const lw_part_kind kind = (lw_part_kind)lw_part_make(lw_dot_acc_format(format), acc, false).kind;
    const uint32_t c = kind >= LW_PART_INF ? widen_special(format, acc) : 0;
    const bool pos = p.pos || c == F32_INF, neg = p.neg || c == (F32_INF | F32_SIGN);
    if (!p.factor_nan && !p.conflict && kind != LW_PART_NAN && !pos && !neg)
        return false;

    const uint32_t conflict = unit->one_nan ? factor_nan(format) : narrow_special(format, CONFLICT_NAN);
    if (p.factor_nan)
        *code = factor_nan(format);
    else if (p.conflict)
        *code = conflict;
    else if (kind == LW_PART_NAN)
        *code = narrow_special(format, c | UINT32_C(0x00400000));
    else if (pos && neg)
        *code = conflict;
    else {
        *code = narrow_special(format, F32_INF | (neg ? F32_SIGN : 0));
        *code -= unit->clamp_inf && env->clamp && format != LW_ACC_F32;
    }
    return true;
}

uint32_t lw_rdna_narrow(lw_dot_acc format, bool neg, uint64_t units, int grid, bool flush,
                        const lw_dot_env *env)
{
    if (!units)
        return 0;
    const lw_fp_num v = lw_fp_from_int(neg, units, grid);
    const bool narrow = format == LW_ACC_F16;
    const lw_format *f = narrow ? &lw_fp_f16 : &lw_fp_f32;
    const lw_fp_env rule = {
        .round = LW_FP_RNE, .keep_in = true, .keep_out = narrow || !flush, .saturate = narrow && env->clamp
    };
    const uint32_t code = (uint32_t)lw_fp_pack(f, &rule, &v);
    if (!lw_fp_magnitude(f, code))
        return 0;
    return format == LW_ACC_BF16 ? code >> BF16_WIDER : code;
}
