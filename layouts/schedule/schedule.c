/* SPDX-License-Identifier: MIT */
/* IREE's tiling of a matrix product: GPUHeuristics.cpp and ConfigUtils.cpp (TileAndFuse), KernelConfig.cpp
 * (VectorDistribute). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/matrix.h"
#include "isa_tables/options.h"
#include "layouts/schedule/plan.h"

enum { M = LW_PLAN_M, N = LW_PLAN_N, K = LW_PLAN_K };

static const lw_plan_chip chips[] = {
#define CHIP(name_, arch_, ...) { name_, LW_ARCH_##arch_, __VA_ARGS__ },
#include "layouts/schedule/targets.inc"
#undef CHIP
};

static const lw_plan_target targets[] = {
#define TARGET(arch_, wave_, vgpr_, seeds_, few_, large_, k_groups_, row_step_)                              \
    { LW_ARCH_##arch_, wave_, vgpr_, LW_PLAN_##seeds_, few_, large_, k_groups_, row_step_ },
#include "layouts/schedule/targets.inc"
#undef TARGET
};

void lw_plan_say(lw_plan *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(p->s->steps + p->used, LW_TILING_TEXT - p->used, format, args);
    va_end(args);
    if (n > 0)
        p->used = p->used + (size_t)n < LW_TILING_TEXT ? p->used + (size_t)n : LW_TILING_TEXT - 1;
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

unsigned lw_plan_bits(const char *type)
{
    static const struct {
        const char *name;
        unsigned bits;
    } types[] = { { "f16", 16 }, { "bf16", 16 }, { "f32", 32 }, { "f64", 64 },
                  { "fp8", 8 },  { "bf8", 8 },   { "i8", 8 },   { "i32", 32 } };
    for (size_t i = 0; type && i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(type, types[i].name) == 0)
            return types[i].bits;
    return 0;
}

/* ---- Sizes and seeds ---- */

static void pad(lw_plan *p)
{
    static const char names[] = "MN";
    for (int d = M; d <= N && !p->p->vector_distribute; d++) {
        const uint32_t step = p->size[d] > 128 ? 128 : p->size[d] > 32 ? 32 : 1;
        const uint32_t padded = lw_plan_ceil_div(p->size[d], step) * step;
        if (padded != p->size[d])
            lw_plan_say(p, "%c = %u is padded to %u: more than %u, so a multiple of %u\n", names[d],
                        p->size[d], padded, step == 128 ? 128u : 32u, step);
        p->s->padded = p->s->padded || padded != p->size[d];
        p->size[d] = padded;
    }
}

static double speed(const lw_plan *p)
{
    return p->bits == 16       ? p->chip->f16
           : p->bits == 32     ? p->chip->f32
           : p->p->a[0] == 'i' ? p->chip->int8
                               : p->chip->fp8;
}

static void classify(lw_plan *p)
{
    static const char *const names[] = { "small", "medium", "large", "very large" };
    const uint64_t m = p->size[M], n = p->size[N], k = p->size[K];
    const uint64_t intensity = 2 * m * n * k / (m * n + n * k + m * k);
    double limits[3] = { 1, 1000, 7000 };
    if (p->chip && speed(p) > 0) {
        const double q = speed(p) / p->chip->terabytes;
        limits[0] = 0.05 * q;
        limits[1] = 5 * q;
        limits[2] = 22 * q;
    }
    const double i = (double)intensity;
    p->class = i <= limits[0]   ? LW_PLAN_SMALL
               : i >= limits[2] ? LW_PLAN_VERY_LARGE
               : i >= limits[1] ? LW_PLAN_LARGE
                                : LW_PLAN_MEDIUM;
    lw_plan_say(p, "intensity 2MNK / (MN + NK + MK) = %llu, between cut-offs %.4g, %.4g, %.4g%s: %s\n",
                (unsigned long long)intensity, limits[0], limits[1], limits[2], p->chip ? " of the chip" : "",
                names[p->class]);
}

static void take_seeds(lw_plan *p)
{
    static const lw_plan_seeds
        usual[] = { { 2, 2, 4, 2048 }, { 4, 8, 4, 2048 }, { 4, 16, 2, 512 }, { 4, 16, 2, 512 } },
        rdna4[] = { { 2, 2, 4, 2048 }, { 4, 4, 4, 1024 }, { 8, 16, 4, 1024 }, { 8, 16, 4, 1024 } },
        older[] = { { 4, 4, 8, 0 }, { 4, 8, 4, 0 } };
    if (p->p->vector_distribute)
        p->seeds = older[(uint64_t)p->size[M] * p->size[N] > 512 * 512];
    else
        p->seeds = (p->t->seeds == LW_PLAN_RDNA4 ? rdna4 : usual)[p->class];
    lw_plan_say(p, "seeds: %u subgroups, %u tiles along M and N, ", p->seeds.subgroups, p->seeds.tiles);
    if (p->seeds.k_bits)
        lw_plan_say(p, "%u bits = %u elements along K\n", p->seeds.k_bits, p->seeds.k_bits / p->bits);
    else
        lw_plan_say(p, "%u tiles along K\n", p->seeds.k_tiles);
}

/* ---- Tiles and subgroups ---- */

static void spare_units(lw_plan *p, const lw_intrinsic *i)
{
    const uint64_t outputs = (uint64_t)p->size[M] * p->size[N];
    if (!p->chip || p->class == LW_PLAN_SMALL || p->p->vector_distribute)
        return;
    while (p->seeds.tiles > 1) {
        const uint64_t groups =
            outputs / ((uint64_t)p->seeds.tiles * i->size[M] * i->size[N] * p->seeds.subgroups);
        if (groups >= p->chip->units)
            break;
        p->seeds.tiles /= 2;
        lw_plan_say(p, "%llu workgroups for %u compute units: tiles are halved to %u\n",
                    (unsigned long long)groups, p->chip->units, p->seeds.tiles);
    }
}

static uint32_t root_up(uint32_t n)
{
    uint32_t r = 1;
    while (r * r < n)
        r *= 2;
    return r;
}

static uint32_t root_down(uint32_t n)
{
    uint32_t r = 1;
    while (4 * r * r <= n)
        r *= 2;
    return r;
}

/* A long and narrow product: the remaining tiles go along its length. */
static void stretch(lw_plan *p, const uint32_t count[2])
{
    lw_tiling *s = p->s;
    const int longer = count[M] >= count[N] ? M : N;
    if (count[M] < 8 || count[N] < 8 || count[longer] < 4 * count[1 - longer])
        return;
    const uint32_t left = p->seeds.tiles / (s->tiles[M] * s->tiles[N]),
                   more = least(left, lw_plan_ceil_div(count[longer], s->subgroups[longer]));
    if (left <= 1 || more <= s->tiles[longer])
        return;
    s->tiles[longer] = more;
    uint32_t rest = count[longer], *const counts[2] = { &s->subgroups[longer], &s->tiles[longer] };
    for (int c = 0; c < 2; c++) {
        *counts[c] = rest > *counts[c] && rest / *counts[c] < 2 ? 1 : least(*counts[c], rest);
        rest = rest / *counts[c];
    }
    lw_plan_say(p, "%c is at least four times as long: it takes the tiles that are left, %u\n", "MN"[longer],
                s -> tiles[longer]);
}

static void distribute(lw_plan *p, const lw_intrinsic *i)
{
    lw_tiling *s = p->s;
    const uint32_t count[2] = { lw_plan_ceil_div(p->size[M], i->size[M]),
                                lw_plan_ceil_div(p->size[N], i->size[N]) };
    const uint32_t all = p->seeds.subgroups, tiles = p->seeds.tiles, ss = root_up(all), ts = root_down(tiles),
                   f = ss * ts;
    const int first = count[M] > f && count[M] % f == 0 ? M : count[N] > f && count[N] % f == 0 ? N : -1;
    lw_plan_say(p, "%u by %u tiles of the instruction; half of %u subgroups is %u, half of %u tiles %u\n",
                count[M], count[N], all, ss, tiles, ts);
    if (first >= 0) {
        const int other = 1 - first;
        s->subgroups[first] = ss;
        s->tiles[first] = ts;
        s->subgroups[other] = gcd(count[other], all / ss);
        s->tiles[other] = gcd(count[other] / s->subgroups[other], tiles / ts);
        lw_plan_say(p, "%u divides along %c: %u subgroups of %u tiles; along %c common divisors: %u of %u\n",
                    f, "MN"[first], ss, ts, "MN"[other], s -> subgroups[other], s -> tiles[other]);
    } else {
        s->subgroups[N] = gcd(count[N], all);
        s->tiles[N] = gcd(count[N] / s->subgroups[N], tiles);
        s->subgroups[M] = gcd(count[M], all / s->subgroups[N]);
        s->tiles[M] = gcd(count[M] / s->subgroups[M], tiles / s->tiles[N]);
        lw_plan_say(
            p,
            "%u divides neither: common divisors along N, %u subgroups of %u tiles, then along M, %u of %u\n",
            f, s->subgroups[N], s->tiles[N], s->subgroups[M], s->tiles[M]);
    }
    stretch(p, count);
    const uint32_t along_k =
        p->seeds.k_bits ? lw_plan_ceil_div(p->seeds.k_bits / p->bits, i->size[K]) : p->seeds.k_tiles;
    s->tiles[K] = gcd(lw_plan_ceil_div(p->size[K], i->size[K]), along_k);
    lw_plan_say(p, "along K the common divisor of %u and %u tiles: %u\n",
                lw_plan_ceil_div(p->size[K], i->size[K]), along_k, s->tiles[K]);
}

/* ---- Validity ---- */

static bool spreads(uint32_t vectors, uint32_t threads)
{
    return vectors == 0 || threads % vectors == 0 || vectors % threads == 0;
}

/* The reason why it is not valid, in `why`; NULL if it is. */
static const char *find_fault(const lw_plan *p, bool aligned, char *why, size_t room)
{
    lw_tiling *s = p->s;
    const uint32_t tile[3] = { s->size[M] * s->tiles[M] * s->subgroups[M],
                               s->size[N] * s->tiles[N] * s->subgroups[N], s->size[K] * s->tiles[K] };
    const uint32_t threads = s->wave * s->subgroups[M] * s->subgroups[N], vector = 128 / p->bits;
    s->lds = (tile[M] + tile[N]) * tile[K] * p->bits / 8;
    for (int d = M; d <= K && aligned; d++)
        if (p->size[d] % tile[d]) {
            snprintf(why, room, "%c = %u is not a multiple of %u", "MNK"[d], p -> size[d], tile[d]);
            return why;
        }
    for (int d = N; d <= K; d++)
        if (!spreads(tile[d] / vector, threads)) {
            snprintf(why, room, "%u threads do not share a row of %u elements along %c by 128 bits each",
                     threads, tile[d], "MNK"[d]);
            return why;
        }
    if (s->lds > s->lds_limit) {
        snprintf(why, room, "A and B take %u bytes of LDS, of %u", s->lds, s->lds_limit);
        return why;
    }
    return NULL;
}

static lw_status shrink(lw_plan *p)
{
    lw_tiling *s = p->s;
    uint32_t *const counts[] = { &s->tiles[M], &s->tiles[N], &s->tiles[K], &s->subgroups[M],
                                 &s->subgroups[N] };
    static const char *const names[] = { "tiles along M", "tiles along N", "tiles along K",
                                         "subgroups along M", "subgroups along N" };
    char why[160];
    while (find_fault(p, !p->unaligned, why, sizeof(why))) {
        size_t c = 0;
        while (c < 5 && *counts[c] <= 1)
            c++;
        if (c == 5)
            return lw_error_fail(p->error, LW_E_UNSUPPORTED, "IREE uses no matrix instruction here: %s", why);
        --*counts[c];
        lw_plan_say(p, "%s: one less of %s, %u\n", why, names[c], *counts[c]);
    }
    lw_plan_say(p, "valid: A and B take %u of %u bytes of LDS\n", s->lds, s->lds_limit);
    return LW_OK;
}

/* One step along K takes several instructions. */
static void unroll(lw_plan *p, const lw_intrinsic *i)
{
    lw_tiling *s = p->s;
    s->tiles[K] *= i->unroll;
    s->lds *= i->unroll;
    lw_plan_say(p, "%s: %u along K at a time, which is %u of %u and takes %u bytes of LDS\n", i->name,
                i->unroll, s->tiles[K], s->size[K], s->lds);
    if (p->size[K] % (s->tiles[K] * s->size[K]))
        s->padded = true;
}

lw_status lw_plan_open(lw_plan *p)
{
    const lw_tiling_problem *q = p->p;
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
        if (targets[i].arch == q->arch)
            p->t = &targets[i];
    if (!lw_arch_get(q->arch))
        return lw_error_fail(p->error, LW_E_ARCH, "no such architecture");
    if (!p->t)
        return lw_error_fail(p->error, LW_E_UNSUPPORTED, "%s: IREE's rules for it are not known here",
                             lw_arch_get(q->arch)->name);
    for (size_t i = 0; q->chip && i < sizeof(chips) / sizeof(chips[0]); i++)
        if (strcmp(chips[i].name, q->chip) == 0 && chips[i].arch == q->arch)
            p->chip = &chips[i];
    if (q->chip && !p->chip)
        return lw_error_fail(p->error, LW_E_ARGUMENT, "%s is not a known chip of %s", q->chip,
                             lw_arch_get(q->arch)->name);
    if (!lw_plan_bits(q->a) || !lw_plan_bits(q->b) || !lw_plan_bits(q->c))
        return lw_error_fail(p->error, LW_E_ARGUMENT,
                             "types must be f16, bf16, f32, f64, fp8, bf8, i8 or i32");
    if (!q->m || !q->n || !q->k || q->m > LW_TILING_MOST || q->n > LW_TILING_MOST || q->k > LW_TILING_MOST)
        return lw_error_fail(p->error, LW_E_ARGUMENT, "M, N and K must be 1 to %d", LW_TILING_MOST);
    p->size[M] = q->m;
    p->size[N] = q->n;
    p->size[K] = q->k;
    p->bits = lw_plan_bits(q->b);
    p->class = LW_PLAN_MEDIUM;
    p->s->wave = p->t->wave;
    p->s->lds_limit = lw_arch_lds_size(lw_arch_get(p->t->arch)->name);
    return LW_OK;
}

static lw_status derive(lw_plan *p)
{
    const lw_intrinsic *chosen = NULL;
    if (lw_arch_get(p->p->arch) && lw_arch_is_nvidia(p->p->arch))
        return lw_error_fail(p->error, LW_E_UNSUPPORTED,
                             "%s: IREE's rules for it are not known here; lw_tiling_check (--tile) takes a "
                             "tile of yours",
                             lw_arch_get(p->p->arch)->name);
    lw_status st = lw_plan_open(p);
    if (st != LW_OK)
        return st;
    if (p->size[M] <= 8 && !p->t->few_known && !p->p->vector_distribute)
        return lw_error_fail(
            p->error, LW_E_UNSUPPORTED,
            "products of up to 8 rows go by rules of %s that were not compared with the compiler",
            lw_arch_get(p->t->arch)->name);
    pad(p);
    if (!p->p->vector_distribute)
        classify(p);
    if (!p->t->large_known && p->class >= LW_PLAN_LARGE)
        return lw_error_fail(p->error, LW_E_UNSUPPORTED,
                             "large products of %s follow rules that were not compared with the compiler",
                             lw_arch_get(p->t->arch)->name);
    take_seeds(p);
    if ((st = lw_plan_choose(p, &chosen)) != LW_OK)
        return st;
    p->s->intrinsic = chosen->name;
    memcpy(p->s->size, chosen->size, sizeof(chosen->size));
    spare_units(p, chosen);
    distribute(p, chosen);
    st = shrink(p);
    if (st == LW_OK && chosen->unroll)
        unroll(p, chosen);
    return st;
}

lw_status lw_tiling_fill(const lw_tiling_problem *problem, lw_tiling *schedule, lw_error *error)
{
    lw_tiling made = { .struct_size = sizeof(made) };
    if (!problem || !schedule || !lw_options_known(schedule, sizeof(made), sizeof(made)))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "lw_tiling_derive needs a problem and a result of this version");
    lw_plan p = { .p = problem, .s = &made, .error = error };
    const lw_status st = derive(&p);
    if (st == LW_OK)
        lw_options_give(schedule, &made, sizeof(made), sizeof(made));
    return st;
}

lw_status lw_plan_check_counts(lw_plan *p)
{
    const lw_tiling *s = p->s;
    for (int d = M; d <= K; d++)
        if (!s->tiles[d] || s->tiles[d] > 4096 || (d < K && (!s->subgroups[d] || s->subgroups[d] > 64)))
            return lw_error_fail(p->error, LW_E_ARGUMENT, "tiles must be 1 to 4096, subgroups 1 to 64");
    return LW_OK;
}

/* By IREE's rules. */
static lw_status check(lw_plan *p)
{
    char why[160];
    const lw_intrinsic *found = NULL;
    lw_status st = lw_plan_open(p);
    if (st == LW_OK)
        st = lw_plan_find(p, p->s->intrinsic, &found);
    if (st != LW_OK)
        return st;
    p->s->intrinsic = found->name;
    memcpy(p->s->size, found->size, sizeof(found->size));
    pad(p);
    if ((st = lw_plan_check_counts(p)) != LW_OK)
        return st;
    if (find_fault(p, !p->s->padded, why, sizeof(why)))
        return lw_error_fail(p->error, LW_E_UNSUPPORTED, "not valid: %s", why);
    lw_plan_say(p, "valid: A and B take %u of %u bytes of LDS\n", p->s->lds, p->s->lds_limit);
    return LW_OK;
}

lw_status lw_tiling_check(const lw_tiling_problem *problem, lw_tiling *schedule, lw_error *error)
{
    lw_tiling made;
    if (!problem || !schedule || !lw_options_take(&made, schedule, sizeof(made), sizeof(made)))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "lw_tiling_check needs a problem and a schedule of this version");
    const bool nvidia = lw_arch_get(problem->arch) && lw_arch_is_nvidia(problem->arch);
    if (!made.intrinsic && !nvidia)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_tiling_check needs the name of an instruction");
    made.steps[0] = '\0';
    lw_plan p = { .p = problem, .s = &made, .error = error };
    const lw_status st = nvidia ? lw_plan_check_block(&p) : check(&p);
    if (st == LW_OK)
        lw_options_give(schedule, &made, sizeof(made), sizeof(made));
    return st;
}
