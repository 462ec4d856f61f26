/* SPDX-License-Identifier: MIT */
/*
 * CDNA1: the exact sum of a few products and the accumulator, rounded once (arXiv 2511.10909, compared with
 * an MI100). A bf16 sum may need every bit from 2^-266 to 2^259, and is therefore kept in a long fixed-point
 * number.
 */
#include "emu/num/dot.h"
#include "emu/num/fp.h"
#include "emu/num/u128.h"

enum { LIMBS = 18, LOWEST = -288, F32_FRAC = 23 };

/* The sum of limb[i] * 2^(32*i + LOWEST); limbs are signed, and carries are deferred. */
typedef struct wide {
    int64_t limb[LIMBS];
} wide;

/* sig is below 2^31. */
static void add(wide *w, bool neg, uint32_t sig, int exp)
{
    const unsigned at = (unsigned)(exp - LOWEST);
    const uint64_t v = (uint64_t)sig << at % 32;
    const int64_t low = (int64_t)(v & UINT32_MAX), high = (int64_t)(v >> 32);
    w->limb[at / 32] += neg ? -low : low;
    w->limb[at / 32 + 1] += neg ? -high : high;
}

/* Brings every limb except the last into 0..2^32-1. */
static void carry(wide *w)
{
    for (int i = 0; i < LIMBS - 1; i++) {
        const int64_t low = w->limb[i] & UINT32_MAX;
        w->limb[i + 1] += (w->limb[i] - low) / ((int64_t)1 << 32);
        w->limb[i] = low;
    }
}

/* False for zero. Yields at least the 33 leading bits; bit 0 is also set if anything below was left out
 * (*more). */
static bool leading_bits(wide *w, bool *neg, uint64_t *bits, int *exp, bool *more)
{
    carry(w);
    *neg = w->limb[LIMBS - 1] < 0;
    if (*neg) {
        for (int i = 0; i < LIMBS; i++)
            w->limb[i] = -w->limb[i];
        carry(w);
    }
    int top = LIMBS - 1;
    while (top > 0 && !w->limb[top])
        top--;
    if (!w->limb[top])
        return false;
    const uint64_t next = top > 0 ? (uint64_t)w->limb[top - 1] : 0;
    *bits = (uint64_t)w->limb[top] << 32 | next;
    *exp = LOWEST + 32 * (top - 1);
    *more = false;
    for (int i = 0; i < top - 1; i++)
        *more = *more || w->limb[i];
    *bits |= *more;
    return true;
}

static void add_products(wide *w, const lw_dot_group *g, const lw_dot_log *log)
{
    for (int i = 0; i < g->count; i++) {
        const lw_part *a = &g->a[i], *b = &g->b[i];
        const uint32_t sig = a->sig * b->sig;
        const bool neg = a->neg != b->neg;
        if (!sig)
            continue;
        const int nominal = a->exp + b->exp;
        add(w, neg, sig, nominal - g->frac);
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_PRODUCT,
                                         .index = g->first + i,
                                         .value = neg ? -(int64_t)sig : (int64_t)sig,
                                         .exp = nominal - g->frac,
                                         .top = nominal,
                                         .grid = nominal - g->frac,
                                         .units = neg ? -(int64_t)sig : (int64_t)sig });
    }
}

static void add_c(wide *w, uint32_t code, const lw_dot_log *log)
{
    const lw_part c = lw_part_make(&lw_formats[LW_FORMAT_F32], code, false);
    if (c.sig)
        add(w, c.neg, c.sig, c.exp - F32_FRAC);
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_C,
                                     .value = c.neg ? -(int64_t)c.sig : (int64_t)c.sig,
                                     .exp = c.exp - F32_FRAC,
                                     .top = c.exp });
}

/* A NaN, Inf * 0 or infinities of both signs give NaN; otherwise an infinity is the result. False: all is
 * finite. */
static bool special_result(const lw_dot_unit *unit, const lw_dot_group *groups, int count, uint32_t c,
                           uint32_t *code)
{
    bool nan = lw_fp_is_nan(&lw_fp_f32, c);
    bool pos = c == 0x7f800000, neg = c == 0xff800000;
    for (int n = 0; n < count; n++)
        for (int i = 0; i < groups[n].count; i++) {
            const lw_part *a = &groups[n].a[i], *b = &groups[n].b[i];
            if (a->kind < LW_PART_INF && b->kind < LW_PART_INF)
                continue;
            nan |= a->kind == LW_PART_NAN || b->kind == LW_PART_NAN || a->kind == LW_PART_ZERO ||
                   b->kind == LW_PART_ZERO;
            neg |= a->neg != b->neg;
            pos |= a->neg == b->neg;
        }
    if (!nan && !pos && !neg)
        return false;
    *code = neg ? UINT32_C(0xff800000) : UINT32_C(0x7f800000);
    if (nan || (pos && neg))
        *code = lw_dot_nan(unit, LW_ACC_F32);
    return true;
}

uint32_t lw_dot_step_exact(const lw_dot_unit *unit, const lw_dot_group *groups, int count, lw_dot_acc format,
                           uint32_t acc, const lw_dot_env *env, const lw_dot_log *log)
{
    static const lw_fp_env keep = { .round = LW_FP_RNE, .keep_in = true, .keep_out = true };
    (void)format; /* f32 accumulators only; FP16_OVFL has no effect on these generations */
    (void)env;
    uint32_t code;
    if (special_result(unit, groups, count, acc, &code)) {
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_SPECIAL, .bits = code });
        return code;
    }
    wide sum = { { 0 } };
    for (int i = 0; i < count; i++)
        add_products(&sum, &groups[i], log);
    add_c(&sum, acc, log);

    bool neg, more;
    uint64_t bits;
    int exp;
    code = 0; /* even where all terms are -0 */
    if (leading_bits(&sum, &neg, &bits, &exp, &more)) {
        const lw_fp_num v = lw_fp_from_int(neg, bits, exp);
        const unsigned spare = lw_clz64(bits) ? 0 : 1; /* the event holds 63 bits */
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_TOTAL,
                                         .value = neg ? -(int64_t)(bits >> spare) : (int64_t)(bits >> spare),
                                         .exp = exp + (int)spare,
                                         .top = v.exp,
                                         .cut = more || (bits & spare) });
        code = (uint32_t)lw_fp_pack(&lw_fp_f32, &keep, &v);
    }
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_ROUNDED, .bits = code });
    return code;
}
