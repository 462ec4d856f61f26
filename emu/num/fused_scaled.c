/* SPDX-License-Identifier: MIT */
/*
 * mxf4 and mxf4nvf4: the exact sum of each block of 16 products times its scales, then the blocks and C on
 * one grid (arXiv 2511.10909, measured on a B200 and an RTX PRO 6000).
 */
#include "emu/num/fused.h"

/* The exact sum of a group's products in units of 2^-frac (all operands are e2m1: no exponent is large). */
static int64_t exact_sum(const lw_dot_group *g, bool *any, const lw_dot_log *log)
{
    int64_t sum = 0;
    *any = false;
    for (int i = 0; i < g->count; i++) {
        const lw_part *a = &g->a[i], *b = &g->b[i];
        if (!a->sig || !b->sig)
            continue;
        const int64_t product = (int64_t)((uint64_t)a->sig * b->sig << (a->exp + b->exp));
        const int64_t value = a->neg != b->neg ? -product : product;
        *any = true;
        sum += value;
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_PRODUCT,
                                         .index = g->first + i,
                                         .value = value,
                                         .exp = -g->frac,
                                         .top = a->exp + b->exp,
                                         .grid = -g->frac,
                                         .units = value });
    }
    return sum;
}

uint32_t lw_dot_step_fused_scaled(const lw_dot_unit *unit, const lw_dot_group *groups, int count,
                                  lw_dot_acc acc, uint32_t c, const lw_dot_env *env, const lw_dot_log *log)
{
    (void)env;
    lw_fused_sum s = lw_fused_begin(unit, acc, c, log);
    int64_t sums[LW_DOT_MAX_GROUPS], terms = 0;
    for (int i = 0; i < count; i++) {
        const lw_dot_group *g = &groups[i];
        bool any;
        s.nan |= g->scale_nan;
        lw_fused_specials(&s, g);
        sums[i] = exact_sum(g, &any, log);
        /* Products that cancel take part in the search for the largest exponent; products of zero do not. */
        if ((any || unit->zero_terms) && g->scale_sig && g->scale > s.top)
            s.top = g->scale;
    }
    uint32_t code;
    if (lw_fused_special_result(&s, &code))
        return code;
    for (int i = 0; i < count; i++) {
        const lw_dot_group *g = &groups[i];
        const uint64_t magnitude = (uint64_t)(sums[i] < 0 ? -sums[i] : sums[i]) * g->scale_sig;
        bool cut;
        const int64_t units =
            lw_fused_align(&s, sums[i] < 0, magnitude, g->scale - g->frac - g->scale_frac, &cut);
        terms += units;
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_JOINED,
                                         .index = i,
                                         .value = units,
                                         .exp = s.top - unit->product_frac,
                                         .top = g->scale,
                                         .cut = cut });
    }
    return lw_fused_finish(&s, terms);
}
