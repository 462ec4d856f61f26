/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's fused dot products: a group of products and the accumulator on one grid, each cut towards zero,
 * added exactly and converted once (arXiv 2511.10909, arXiv 2512.07004, PeerJ CS 7:e330).
 */
#include "emu/num/fused.h"

#include "emu/num/fp.h"

enum {
    F32_FRAC = 23,
    F16_FRAC = 10,
    ZERO_EXP = -126, /* of a zero operand, under the reading in which it takes part */
};

lw_fused_sum lw_fused_begin(const lw_dot_unit *unit, lw_dot_acc acc, uint32_t c, const lw_dot_log *log)
{
    const bool narrow = acc == LW_ACC_F16;
    lw_fused_sum s = { .unit = unit, .log = log, .narrow = narrow };
    s.c = lw_part_make(&lw_formats[narrow ? LW_FORMAT_F16 : LW_FORMAT_F32], c, false);
    s.nan = s.c.kind == LW_PART_NAN;
    s.pos = s.c.kind == LW_PART_INF && !s.c.neg;
    s.neg = s.c.kind == LW_PART_INF && s.c.neg;
    s.top = narrow ? unit->floor16 : unit->floor32;
    if (s.c.sig && s.c.exp > s.top)
        s.top = s.c.exp;
    return s;
}

void lw_fused_specials(lw_fused_sum *s, const lw_dot_group *g)
{
    for (int i = 0; i < g->count; i++) {
        const lw_part *a = &g->a[i], *b = &g->b[i];
        if (a->kind < LW_PART_INF && b->kind < LW_PART_INF)
            continue;
        const bool zero = a->kind == LW_PART_ZERO || b->kind == LW_PART_ZERO;
        if (zero || a->kind == LW_PART_NAN || b->kind == LW_PART_NAN)
            s->nan = true;
        else if (a->neg != b->neg)
            s->neg = true;
        else
            s->pos = true;
    }
}

bool lw_fused_special_result(const lw_fused_sum *s, uint32_t *code)
{
    if (!s->nan && !s->pos && !s->neg)
        return false;
    if (s->nan || (s->pos && s->neg))
        *code = lw_dot_nan(s->unit, s->narrow ? LW_ACC_F16 : LW_ACC_F32);
    else if (s->narrow)
        *code = s->neg ? 0xfc00 : 0x7c00;
    else
        *code = s->neg ? UINT32_C(0xff800000) : UINT32_C(0x7f800000);
    lw_dot_tell(s->log, (lw_dot_event){ .kind = LW_EVENT_SPECIAL, .bits = *code });
    return true;
}

int64_t lw_fused_align(const lw_fused_sum *s, bool neg, uint64_t sig, int exp, bool *cut)
{
    const int shift = exp - (s->top - s->unit->product_frac);
    uint64_t units = 0; /* also of a zero, whose exponent may be far above the grid */
    if (sig && shift >= 0)
        units = sig << shift;
    else if (shift < 0 && shift > -64)
        units = sig >> -shift;
    *cut = shift < 0 && (shift <= -64 ? sig != 0 : units << -shift != sig);
    return neg ? -(int64_t)units : (int64_t)units;
}

static int64_t aligned_c(const lw_fused_sum *s)
{
    bool cut;
    const int64_t units =
        lw_fused_align(s, s->c.neg, s->c.sig, s->c.exp - (s->narrow ? F16_FRAC : F32_FRAC), &cut);
    lw_dot_tell(s->log, (lw_dot_event){ .kind = LW_EVENT_C,
                                        .value = units,
                                        .exp = s->top - s->unit->product_frac,
                                        .top = s->top,
                                        .cut = cut });
    return units;
}

/* The magnitude's code: f16 to nearest even, f32 cut; what is too large becomes infinity. */
static uint32_t convert(const lw_fused_sum *s, uint64_t magnitude, int exp)
{
    const lw_format *f = s->narrow ? &lw_fp_f16 : &lw_fp_f32;
    const lw_fp_num v = lw_fp_from_int(false, magnitude, exp);
    const uint64_t code = lw_fp_round_code(f, s->narrow ? LW_FP_RNE : LW_FP_ZERO, &v);
    if (code >= lw_fp_inf(f))
        return (uint32_t)lw_fp_inf(f);
    const int dropped = s->narrow ? 0 : F32_FRAC - s->unit->out_frac;
    return (uint32_t)code >> dropped << dropped;
}

uint32_t lw_fused_finish(const lw_fused_sum *s, int64_t terms)
{
    const int64_t total = terms + aligned_c(s);
    const int grid = s->top - s->unit->product_frac;
    lw_dot_tell(s->log, (lw_dot_event){ .kind = LW_EVENT_TOTAL, .value = total, .exp = grid, .top = s->top });
    uint32_t code = 0;
    if (total) {
        code = convert(s, (uint64_t)(total < 0 ? -total : total), grid);
        if (total < 0 && (code || !s->unit->plus_underflow))
            code |= s->narrow ? UINT32_C(0x8000) : UINT32_C(0x80000000);
    }
    lw_dot_tell(s->log, (lw_dot_event){ .kind = LW_EVENT_ROUNDED, .bits = code });
    return code;
}

/* The exponent of product i in the search for the largest; false if it does not take part. */
static bool product_exp(const lw_dot_unit *unit, const lw_dot_group *g, int i, int *exp)
{
    const lw_part *a = &g->a[i], *b = &g->b[i];
    if (a->sig && b->sig) {
        *exp = a->exp + b->exp + g->scale;
        return true;
    }
    *exp = (a->sig ? a->exp : ZERO_EXP) + (b->sig ? b->exp : ZERO_EXP) + g->scale;
    return unit->zero_terms;
}

static int64_t aligned_products(const lw_fused_sum *s, const lw_dot_group *g)
{
    int64_t sum = 0;
    for (int i = 0; i < g->count; i++) {
        const lw_part *a = &g->a[i], *b = &g->b[i];
        if (!a->sig || !b->sig)
            continue;
        const bool neg = a->neg != b->neg;
        const uint64_t sig = (uint64_t)a->sig * b->sig;
        const int exp = a->exp + b->exp + g->scale;
        bool cut;
        const int64_t units = lw_fused_align(s, neg, sig, exp - g->frac, &cut);
        sum += units;
        lw_dot_tell(s->log, (lw_dot_event){ .kind = LW_EVENT_PRODUCT,
                                            .index = i,
                                            .value = neg ? -(int64_t)sig : (int64_t)sig,
                                            .exp = exp - g->frac,
                                            .top = exp,
                                            .cut = cut,
                                            .grid = s->top - s->unit->product_frac,
                                            .units = units });
    }
    return sum;
}

static uint32_t fuse_group(const lw_dot_unit *unit, const lw_dot_group *g, lw_dot_acc acc, uint32_t c,
                           const lw_dot_log *log)
{
    lw_fused_sum s = lw_fused_begin(unit, acc, c, log);
    uint32_t code;
    s.nan |= g->scale_nan;
    lw_fused_specials(&s, g);
    if (lw_fused_special_result(&s, &code))
        return code;
    for (int i = 0; i < g->count; i++) {
        int exp;
        if (product_exp(unit, g, i, &exp) && exp > s.top)
            s.top = exp;
    }
    return lw_fused_finish(&s, aligned_products(&s, g));
}

uint32_t lw_dot_step_fused(const lw_dot_unit *unit, const lw_dot_group *groups, int count, lw_dot_acc acc,
                           uint32_t c, const lw_dot_env *env, const lw_dot_log *log)
{
    (void)env;
    for (int i = 0; i < count; i++)
        c = fuse_group(unit, &groups[i], acc, c, log);
    return c;
}
