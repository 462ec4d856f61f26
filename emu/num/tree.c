/* SPDX-License-Identifier: MIT */
/*
 * CDNA2: products and sums are separate f32 operations, in a tree, with denormals flushed everywhere (arXiv
 * 2511.10909, compared with an MI250X; the ISA manual states the flushing).
 */
#include "emu/num/dot.h"
#include "emu/num/fp.h"

/* Rounds as IEEE does; denormals are flushed afterwards, by value. */
static lw_fp_env ieee(const lw_dot_unit *unit)
{
    return (lw_fp_env){ .round = LW_FP_RNE, .keep_in = true, .keep_out = true, .nan = unit->nan };
}

/* A denormal result keeps its sign as a zero. */
static uint32_t settle(uint32_t x)
{
    return lw_fp_field(&lw_fp_f32, x) ? x : x & UINT32_C(0x80000000);
}

static uint32_t sum(const lw_dot_unit *unit, uint32_t x, uint32_t y, int node, const lw_dot_log *log)
{
    const lw_fp_env env = ieee(unit);
    const uint32_t r = settle((uint32_t)lw_fp_add(&lw_fp_f32, &env, x, y));
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_ADD, .index = node, .bits = r });
    return r;
}

/* A denormal or zero source counts as +0. */
static bool counts(const lw_part *p, int frac)
{
    return p->kind >= LW_PART_INF || p->sig >> frac != 0;
}

static uint32_t product(const lw_dot_unit *unit, const lw_dot_group *g, int i, const lw_dot_log *log)
{
    const lw_part *a = &g->a[i], *b = &g->b[i];
    const bool a_counts = counts(a, g->a_frac), b_counts = counts(b, g->frac - g->a_frac);
    const bool neg = (a_counts && a->neg) != (b_counts && b->neg);
    const uint32_t sig = a_counts && b_counts ? a->sig * b->sig : 0;
    const uint32_t sign = neg ? UINT32_C(0x80000000) : 0;
    uint32_t r = sign;
    if (a->kind == LW_PART_NAN || b->kind == LW_PART_NAN)
        r = lw_dot_nan(unit, LW_ACC_F32);
    else if (a->kind == LW_PART_INF || b->kind == LW_PART_INF)
        r = a_counts && b_counts ? sign | UINT32_C(0x7f800000) : lw_dot_nan(unit, LW_ACC_F32);
    else if (sig) {
        const lw_fp_num v = lw_fp_from_int(neg, sig, a->exp + b->exp - g->frac);
        const lw_fp_env env = ieee(unit);
        r = settle((uint32_t)lw_fp_pack(&lw_fp_f32, &env, &v));
    }
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_MUL,
                                     .index = i,
                                     .value = neg ? -(int64_t)sig : (int64_t)sig,
                                     .exp = a->exp + b->exp - g->frac,
                                     .bits = r });
    return r;
}

/* The products of a group (a power of two of them), added in pairs, pairs of pairs and so on. */
static uint32_t add_group(const lw_dot_unit *unit, const lw_dot_group *g, const lw_dot_log *log)
{
    uint32_t v[LW_DOT_MAX_GROUP];
    for (int i = 0; i < g->count; i++)
        v[i] = product(unit, g, i, log);
    int node = 0;
    for (int left = g->count; left > 1; left /= 2)
        for (int i = 0; i < left / 2; i++)
            v[i] = sum(unit, v[2 * i], v[2 * i + 1], node++, log);
    return v[0];
}

uint32_t lw_dot_step_tree(const lw_dot_unit *unit, const lw_dot_group *groups, int count, lw_dot_acc format,
                          uint32_t acc, const lw_dot_env *env, const lw_dot_log *log)
{
    (void)format; /* f32 accumulators only; FP16_OVFL has no effect on this generation */
    if (env->first && !lw_fp_field(&lw_fp_f32, acc))
        acc = 0; /* like the other sources, C loses the sign of a zero; later accumulators do not */
    for (int i = 0; i < count; i++)
        acc = sum(unit, acc, add_group(unit, &groups[i], log), groups[i].count - 1, log);
    lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_ROUNDED, .bits = acc });
    return acc;
}
