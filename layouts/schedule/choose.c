/* SPDX-License-Identifier: MIT */
/* The matrix instruction that IREE chooses: GPUHeuristics.cpp. */
#include <string.h>

#include "isa_tables/error.h"
#include "layouts/schedule/plan.h"

enum { M = LW_PLAN_M, N = LW_PLAN_N, K = LW_PLAN_K };

static const lw_intrinsic intrinsics[] = {
#define INTRINSIC(arch_, name_, m_, n_, k_, a_, b_, c_)                                                      \
    { LW_ARCH_##arch_, name_, { m_, n_, k_ }, a_, b_, c_, 0 },
#define FEW_ROWS(arch_, name_, m_, n_, k_, a_, b_, c_, unroll_)                                              \
    { LW_ARCH_##arch_, name_, { m_, n_, k_ }, a_, b_, c_, unroll_ },
#include "layouts/schedule/intrinsics.inc"
#undef INTRINSIC
#undef FEW_ROWS
};
enum { INTRINSICS = sizeof(intrinsics) / sizeof(intrinsics[0]) };

static bool is_wider_float(const char *have, const char *want)
{
    return strcmp(have, "f32") == 0 && (strcmp(want, "f16") == 0 || strcmp(want, "bf16") == 0);
}

static bool fits(const lw_plan *p, const lw_intrinsic *i, bool aligned, bool wider)
{
    const lw_tiling_problem *q = p->p;
    if (i->arch != p->t->arch || strcmp(i->a, q->a) != 0 || strcmp(i->b, q->b) != 0 ||
        (strcmp(i->c, q->c) != 0 && !(wider && is_wider_float(i->c, q->c))))
        return false;
    if (i->unroll &&
        (q->vector_distribute || p->size[M] > i->size[M] || p->size[K] % (i->unroll * i->size[K])))
        return false;
    for (int d = M; d <= K && aligned; d++)
        if (p->size[d] % i->size[d])
            return false;
    if (aligned)
        return true;
    return !(p->size[M] <= 4 && p->size[N] > p->t->wave) && !(p->size[N] <= 4 && p->size[M] > p->t->wave);
}

/* The share of the tiles covering M and N that is inside the product. */
static double use_of(const lw_plan *p, const lw_intrinsic *i)
{
    const double covered = (double)lw_plan_ceil_div(p->size[M], i->size[M]) * i->size[M] *
                           ((double)lw_plan_ceil_div(p->size[N], i->size[N]) * i->size[N]);
    return (double)p->size[M] * p->size[N] / covered;
}

/* Positive if x is preferred: the first rule by which the two differ decides. */
static int by_k_and_size(const lw_plan *p, const lw_intrinsic *x, const lw_intrinsic *y)
{
    const int64_t xk = x->size[K], yk = y->size[K], xs = (x->size[M] + x->size[N]) * xk,
                  ys = (y->size[M] + y->size[N]) * yk, xv = (int64_t)x->size[M] * x->size[N] * xk,
                  yv = (int64_t)y->size[M] * y->size[N] * yk;
    if (p->class != LW_PLAN_VERY_LARGE)
        return xs != ys ? (xs > ys ? 1 : -1) : xk != yk ? (xk > yk ? 1 : -1) : 0;
    return xv != yv ? (xv > yv ? 1 : -1) : xs != ys ? (xs < ys ? 1 : -1) : xk != yk ? (xk < yk ? 1 : -1) : 0;
}

static int prefer(const lw_plan *p, const lw_intrinsic *x, const lw_intrinsic *y)
{
    const uint32_t m = x->size[M] > y->size[M] ? x->size[M] : y->size[M],
                   n = x->size[N] > y->size[N] ? x->size[N] : y->size[N];
    const bool small = p->size[M] < m && p->size[N] < n;
    const double xu = use_of(p, x), yu = use_of(p, y);
    if (small && (xu >= 2 * yu || yu >= 2 * xu))
        return xu > yu ? 1 : -1;
    const bool xk = p->size[K] % x->size[K] == 0, yk = p->size[K] % y->size[K] == 0;
    if (xk != yk)
        return xk ? 1 : -1;
    const bool xa = p->size[M] % x->size[M] == 0 && p->size[N] % x->size[N] == 0,
               ya = p->size[M] % y->size[M] == 0 && p->size[N] % y->size[N] == 0;
    if (xa != ya)
        return xa ? 1 : -1;
    const uint32_t xt = x->size[M] * x->size[N], yt = y->size[M] * y->size[N];
    if (small && xu == yu && xt != yt)
        return xt < yt ? 1 : -1;
    if (small && xu == yu && xu >= 0.1 && xt * x->size[K] != yt * y->size[K])
        return xt * x->size[K] < yt * y->size[K] ? 1 : -1;
    return by_k_and_size(p, x, y);
}

/* The best instruction that fits; the first of equals. */
static const lw_intrinsic *best(const lw_plan *p, bool aligned, bool wider)
{
    const lw_intrinsic *found = NULL;
    for (size_t i = 0; i < INTRINSICS; i++)
        if (fits(p, &intrinsics[i], aligned, wider) && (!found || prefer(p, &intrinsics[i], found) > 0))
            found = &intrinsics[i];
    return found;
}

lw_status lw_plan_choose(lw_plan *p, const lw_intrinsic **chosen)
{
    const lw_intrinsic *i = best(p, true, false);
    if (!i && p->p->vector_distribute) {
        i = best(p, true, true);
    } else if (!i) {
        i = best(p, false, false);
        p->unaligned = i != NULL;
        p->s->padded = p->s->padded || p->unaligned;
    }
    if (!i)
        return lw_error_fail(p->error, LW_E_UNSUPPORTED,
                             "IREE uses no matrix instruction here: none of %s takes %s, %s and %s%s",
                             lw_arch_get(p->t->arch)->name, p->p->a, p->p->b, p->p->c,
                             p->p->vector_distribute ? " and divides M, N and K"
                                                     : " for so few rows or columns");
    lw_plan_say(p, "instruction: %s%s\n", i->name,
                p->s->padded ? "; M, N or K is not a multiple of it and is padded" : "");
    *chosen = i;
    return LW_OK;
}

const lw_intrinsic *lw_plan_deepest(const lw_plan *p)
{
    const lw_intrinsic *found = NULL;
    for (size_t n = 0; n < INTRINSICS; n++) {
        const lw_intrinsic *i = &intrinsics[n];
        if (i->arch == p->t->arch && !i->unroll && i->size[M] == 16 && i->size[N] == 16 &&
            strcmp(i->a, p->p->a) == 0 && strcmp(i->b, p->p->b) == 0 && strcmp(i->c, p->p->c) == 0 &&
            (!found || i->size[K] > found->size[K]))
            found = i;
    }
    return found;
}

lw_status lw_plan_find(const lw_plan *p, const char *name, const lw_intrinsic **found)
{
    const lw_tiling_problem *q = p->p;
    for (size_t i = 0; i < INTRINSICS; i++) {
        if (intrinsics[i].arch != q->arch || strcmp(intrinsics[i].name, name) != 0)
            continue;
        if (!fits(p, &intrinsics[i], false, true))
            return lw_error_fail(p->error, LW_E_UNSUPPORTED, "%s does not take %s, %s and %s of this size",
                                 name, q->a, q->b, q->c);
        *found = &intrinsics[i];
        return LW_OK;
    }
    return lw_error_fail(p->error, LW_E_NOT_FOUND, "%s is not an instruction that IREE has for %s", name,
                         lw_arch_get(q->arch)->name);
}
