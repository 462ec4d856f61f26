/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/vector/vrows.h"

#include <float.h>

#include "emu/amdgpu/vector/vlane.h"

#if FLT_EVAL_METHOD != 0
#error "this host keeps excess precision in floating-point expressions"
#endif
#ifdef __FAST_MATH__
#error "fast-math changes results"
#endif

#if defined(__GNUC__) && defined(__x86_64__)
#define HAS_X86_FMA 1
#endif

typedef float row_f32[LW_LANES];
typedef double row_f64[LW_LANES];

static const uint32_t MAG32 = 0x7fffffff, INF32 = 0x7f800000, MIN32 = 0x00800000;

static void load_f32(bool keep, const uint32_t *s, row_f32 f)
{
    uint32_t t[LW_LANES];
    if (keep) {
        memcpy(f, s, sizeof(t));
        return;
    }
    for (unsigned i = 0; i < LW_LANES; i++)
        t[i] = (s[i] & INF32) ? s[i] : s[i] & ~MAG32;
    memcpy(f, t, sizeof(t));
}

/*
 * Copies results and flushes them unless `keep`. Returns the lanes to compute again: NaNs and, when flushing,
 * the smallest normal number, which the host also returns for results that were below it before rounding.
 */
static uint64_t store_f32(bool keep, const row_f32 f, uint32_t *r)
{
    uint32_t t[LW_LANES], odd[LW_LANES], any = 0;
    memcpy(t, f, sizeof(t));
    for (unsigned i = 0; i < LW_LANES; i++) {
        const uint32_t m = t[i] & MAG32;
        odd[i] = (m > INF32) | (m == MIN32 && !keep);
        any |= odd[i];
        r[i] = !keep && m < MIN32 ? t[i] & ~MAG32 : t[i];
    }
    uint64_t lanes = 0;
    if (any)
        for (unsigned i = 0; i < LW_LANES; i++)
            lanes |= (uint64_t)odd[i] << i;
    return lanes;
}

typedef uint64_t (*two_fn)(const lw_format *, const lw_fp_env *, uint64_t, uint64_t);

static void repair2(const lw_fp_env *e, two_fn fn, uint64_t lanes, const uint32_t *a, const uint32_t *b,
                    uint32_t *r)
{
    for (; lanes; lanes &= lanes - 1) {
        const unsigned i = lw_ctz64(lanes);
        r[i] = (uint32_t)fn(&lw_fp_f32, e, a[i], b[i]);
    }
}

#define ROW2_F32(name, reference, expr)                                                                      \
    void name(const lw_fp_env *e, uint64_t active, const uint32_t *a, const uint32_t *b, uint32_t *r)        \
    {                                                                                                        \
        uint64_t again = ~(uint64_t)0;                                                                       \
        if (e->round == LW_FP_RNE) {                                                                         \
            row_f32 x, y, z;                                                                                 \
            load_f32(e->keep_in, a, x);                                                                      \
            load_f32(e->keep_in, b, y);                                                                      \
            for (unsigned i = 0; i < LW_LANES; i++)                                                          \
                z[i] = (expr);                                                                               \
            again = store_f32(e->keep_out, z, r);                                                            \
        }                                                                                                    \
        repair2(e, reference, again &active, a, b, r);                                                       \
    }

ROW2_F32(lw_row_add_f32, lw_fp_add, x[i] + y[i])
ROW2_F32(lw_row_sub_f32, lw_fp_sub, x[i] - y[i])
ROW2_F32(lw_row_subrev_f32, lw_fp_subrev, y[i] - x[i])
ROW2_F32(lw_row_mul_f32, lw_fp_mul, x[i] * y[i])

/*
 * f32 fma without the instruction: the product is exact in binary64, and the sum is rounded to odd there
 * (decided by its error, from TwoSum). Thus only the final rounding to 24 bits matters: 53 >= 2 * 24 + 2.
 */
static void fma_f32_generic(const row_f32 x, const row_f32 y, const row_f32 z, row_f32 r)
{
    for (unsigned i = 0; i < LW_LANES; i++) {
        const double p = (double)x[i] * (double)y[i], c = (double)z[i];
        const double s = p + c, back = s - p;
        const double error = (p - (s - back)) + (c - back);
        uint64_t bits;
        double odd;
        memcpy(&bits, &s, sizeof(bits));
        const bool grows = (error > 0) == (s > 0), inexact = error > 0 || error < 0;
        const uint64_t step = inexact && !(bits & 1) ? (grows ? 1 : ~(uint64_t)0) : 0;
        bits += step;
        memcpy(&odd, &bits, sizeof(odd));
        r[i] = (float)odd;
    }
}

#ifdef HAS_X86_FMA
__attribute__((target("avx2,fma"))) static void fma_f32_x86(const row_f32 x, const row_f32 y, const row_f32 z,
                                                            row_f32 r)
{
    for (unsigned i = 0; i < LW_LANES; i++)
        r[i] = __builtin_fmaf(x[i], y[i], z[i]);
}

__attribute__((target("avx2,fma"))) static void fma_f64_x86(const row_f64 x, const row_f64 y, const row_f64 z,
                                                            row_f64 r)
{
    for (unsigned i = 0; i < LW_LANES; i++)
        r[i] = __builtin_fma(x[i], y[i], z[i]);
}
#endif

static void fma_f32(const row_f32 x, const row_f32 y, const row_f32 z, row_f32 r)
{
#ifdef HAS_X86_FMA
    if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) {
        fma_f32_x86(x, y, z, r);
        return;
    }
#endif
    fma_f32_generic(x, y, z, r);
}

void lw_row_fma_f32(const lw_fp_env *e, uint64_t active, const uint32_t *a, const uint32_t *b,
                    const uint32_t *c, uint32_t *r)
{
    uint64_t again = ~(uint64_t)0;
    if (e->round == LW_FP_RNE) {
        row_f32 x, y, z, v;
        load_f32(e->keep_in, a, x);
        load_f32(e->keep_in, b, y);
        load_f32(e->keep_in, c, z);
        fma_f32(x, y, z, v);
        again = store_f32(e->keep_out, v, r);
    }
    for (uint64_t left = again & active; left; left &= left - 1) {
        const unsigned i = lw_ctz64(left);
        r[i] = (uint32_t)lw_fp_fma(&lw_fp_f32, e, a[i], b[i], c[i]);
    }
}

void lw_row_fma_f32_portable(const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t *r)
{
    row_f32 x, y, z, v;
    memcpy(x, a, sizeof(x));
    memcpy(y, b, sizeof(y));
    memcpy(z, c, sizeof(z));
    fma_f32_generic(x, y, z, v);
    memcpy(r, v, sizeof(v));
}

/* The host's f64 is used only if subnormals are kept on both sides, as in every known kernel. */
static bool host_f64(const lw_fp_env *e)
{
    return e->round == LW_FP_RNE && e->keep_in && e->keep_out;
}

static uint64_t store_f64(const row_f64 f, uint64_t *r)
{
    uint64_t lanes = 0;
    memcpy(r, f, LW_LANES * sizeof(*r));
    for (unsigned i = 0; i < LW_LANES; i++)
        lanes |= (uint64_t)lw_fp_is_nan(&lw_fp_f64, r[i]) << i;
    return lanes;
}

#define ROW2_F64(name, reference, expr)                                                                      \
    void name(const lw_fp_env *e, uint64_t active, const uint64_t *a, const uint64_t *b, uint64_t *r)        \
    {                                                                                                        \
        uint64_t again = ~(uint64_t)0;                                                                       \
        if (host_f64(e)) {                                                                                   \
            row_f64 x, y, z;                                                                                 \
            memcpy(x, a, sizeof(x));                                                                         \
            memcpy(y, b, sizeof(y));                                                                         \
            for (unsigned i = 0; i < LW_LANES; i++)                                                          \
                z[i] = (expr);                                                                               \
            again = store_f64(z, r);                                                                         \
        }                                                                                                    \
        for (uint64_t left = again & active; left; left &= left - 1) {                                       \
            const unsigned i = lw_ctz64(left);                                                               \
            r[i] = reference(&lw_fp_f64, e, a[i], b[i]);                                                     \
        }                                                                                                    \
    }

ROW2_F64(lw_row_add_f64, lw_fp_add, x[i] + y[i])
ROW2_F64(lw_row_mul_f64, lw_fp_mul, x[i] * y[i])

/* Computes on the host if possible; false if it has no fused multiply-add. */
static bool fma_f64_host(const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *r,
                         uint64_t *again)
{
#ifdef HAS_X86_FMA
    if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2")) {
        row_f64 x, y, z, v;
        memcpy(x, a, sizeof(x));
        memcpy(y, b, sizeof(y));
        memcpy(z, c, sizeof(z));
        fma_f64_x86(x, y, z, v);
        *again = store_f64(v, r);
        return true;
    }
#endif
    (void)a;
    (void)b;
    (void)c;
    (void)r;
    (void)again;
    return false;
}

void lw_row_fma_f64(const lw_fp_env *e, uint64_t active, const uint64_t *a, const uint64_t *b,
                    const uint64_t *c, uint64_t *r)
{
    uint64_t again = ~(uint64_t)0;
    if (host_f64(e))
        fma_f64_host(a, b, c, r, &again);
    for (uint64_t left = again & active; left; left &= left - 1) {
        const unsigned i = lw_ctz64(left);
        r[i] = lw_fp_fma(&lw_fp_f64, e, a[i], b[i], c[i]);
    }
}
