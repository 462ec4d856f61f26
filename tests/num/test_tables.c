/* SPDX-License-Identifier: MIT */
/*
 * The table models of exp2, log2, sqrt, rcp, rsq, sin and cos, bit for bit: every significand of several
 * exponents compared with the published description computed a second time in binary64, where each step is a
 * product below 2^53 and a floor. The digests were made with coefficients that were copied from the
 * publication independently of the .inc files, so that a changed coefficient is detected as well. The
 * publisher states that the description matches the chip; tests/num/test_captured.c has digests of its
 * captures.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/num/transc.h"
#include "tests/num/oracle.h"

enum { SIGNIFICANDS = 1 << 23 };

static const double exp_rows[][4] = {
#define ROW(c0, c1, c2, c3) { c0, c1, c2, c3 },
#include "emu/num/exp2_f32.inc"
};
static const double sqrt_rows[][4] = {
#include "emu/num/sqrt_f32.inc"
};
static const double rcp_rows[][4] = {
#include "emu/num/rcp_f32.inc"
};
static const double rsq_rows[][4] = {
#include "emu/num/rsq_f32.inc"
#undef ROW
};
static const double log_rows[][5] = {
#define ROW(c0, c1, c2, c3, bias) { c0, c1, c2, c3, bias },
#include "emu/num/log2_f32.inc"
#undef ROW
};
static const double above_rows[][5] = {
#define ABOVE(c0, c1, c2, c3, bias) { c0, c1, c2, c3, bias },
#include "emu/num/log2_near_one.inc"
#undef ABOVE
};
static const double below_rows[][5] = {
#define BELOW(c0, c1, c2, c3, bias) { c0, c1, c2, c3, bias },
#include "emu/num/log2_near_one.inc"
#undef BELOW
};

static double shifted(double v, int down)
{
    return floor(ldexp(v, -down));
}

/* To the nearest integer, ties to even: the host's rounding. */
static double nearest(double v, int down)
{
    return nearbyint(ldexp(v, -down));
}

/* The lowest bit is dropped from 2^25 on. */
static double kept(double v)
{
    return v >= 0x1p25 ? 2 * floor(v / 2) : v;
}

/* v as f32, its magnitude rounded up or cut. */
static uint32_t toward(double v, bool up)
{
    int e;
    const double m = fabs(v);
    frexp(m, &e);
    const double steps = ldexp(m, 24 - e), whole = up ? ceil(steps) : floor(steps);
    return bits_of_f32((float)copysign(ldexp(whole, e - 24), v));
}

static uint32_t want_log2(uint32_t x)
{
    const int e = (int)(x >> 23) - 127;
    const double m = x & 0x7fffff;
    const bool above = e == 0 && m < 0x1p18, below = e == -1 && m > 0x7c0000;
    if (e == 0 && m == 0)
        return 0;
    if (above || below) {
        const double n = above ? m : 0x1p23 - m;
        int s = 0;
        while (ldexp(n, s) < 0x1p14)
            s += 4;
        const double big = ldexp(n, s), sq = shifted(big * big, 12 + s);
        const double *c = above ? above_rows[n < 0x1p16   ? 0
                                             : n < 0x1p17 ? 1
                                                          : 2]
                                : below_rows[n < 0x1p17 ? 0 : 1];
        const double line = 8 * shifted(c[1] * big, 15), cubic = c[3] * n + c[4];
        if (above)
            return toward(ldexp(c[0] + line - kept(shifted((c[2] - shifted(cubic, 23)) * sq, 22)), -36 - s),
                          true);
        return toward(-ldexp(c[0] + line + kept(shifted((c[2] + shifted(cubic, 22)) * sq, 23)), -37 - s),
                      true);
    }
    const uint32_t third = x >> 17 & 63;
    const double *c = log_rows[third == 3 ? 32 : third / 2];
    const double d = x & 0x3ffff;
    const double in = c[2] - shifted(c[3] * d + c[4], 23);
    const double y =
        e * 0x1p36 + 64 * c[0] + 64 * shifted(c[1] * d, 16) - kept(shifted(in * shifted(d * d, 12), 22));
    return y == 0 ? 0 : toward(ldexp(y, -36), y < 0);
}

/* 2^x with 36 fraction bits, times 2^-n. */
static double exp2_fixed(uint32_t x, int *n)
{
    const double whole = floor(ldexp((double)fabsf(f32_of(x)), 29));
    double f = fmod(whole, 0x1p29);
    *n = (int)floor(ldexp(whole, -29));
    if (x >> 31) {
        *n = -*n - 1;
        f = 0x1p29 - 1 - f;
    }
    const double *c = exp_rows[(int)shifted(f, 24)];
    const double t = fmod(f, 0x1p24), h = shifted(t, 6), p = c[1] * t;
    const double line = shifted(p + (p >= 0x1p47 ? 0x1p23 : 0x1p22), 24);
    const double q = shifted(h * h, 12) * nearest(128 * c[2] + c[3] * h, 7);
    const double quad = q >= 0x1p47 ? 2 * shifted(q + 0x1p23, 24) : shifted(q + 0x1p22, 23);
    return 256 * (c[0] + line) + quad;
}

static uint32_t want_exp2(uint32_t x)
{
    const uint32_t field = x >> 23 & 255;
    int n;
    if (field < 103)
        return 0x3f800000;
    if (field >= 134)
        return x >> 31 ? 0 : 0x7f800000;
    const double fixed = exp2_fixed(x, &n);
    const double v = ldexp(nearest(fixed, 13), n - 23);
    return v < 0x1p-126 ? 0 : v >= 0x1p128 ? 0x7f800000 : bits_of_f32((float)v);
}

/* ---- The reciprocal and the roots: t is an offset of 24 bits ---- */

static double upper_terms(const double c[4], double t, int up, int down)
{
    const double half = floor(t / 128), inner = ldexp(c[2], up) - nearest(c[3] * (floor(t / 16) + 1), down);
    const double q = inner * shifted(half * half, 10);
    return q >= 0x1p47 ? 2 * nearest(q, 24) : nearest(q, 23);
}

/* Times 2^35, for an offset in 2^-29. The line is rounded to 24 bits, then up to a common place. */
static double rcp_sum(double m)
{
    const double *c = rcp_rows[(int)shifted(m, 24)], t = fmod(m, 0x1p24), p = c[1] * t;
    const double line = p >= 0x1p44 ? nearest(p, 21) : ceil(nearest(p, 20) / 2);
    return 512 * c[0] - 64 * line + upper_terms(c, t, 8, 12);
}

/* Times 2^36, for an offset in 2^-29. */
static double rsq_sum(int odd, double m)
{
    const int row = (int)shifted(m, 24);
    const double *c = rsq_rows[32 * odd + row], t = fmod(m, 0x1p24);
    const double low = fmod(t, 16), seen = row == 31 ? 64 * floor(t / 64) + low : t, p = c[1] * seen;
    const double line = ceil(p >= 0x1p43 ? nearest(p, 20) / 2 : nearest(p, 19) / 4);
    return 1024 * c[0] - 128 * line + upper_terms(c, t, 9, 11);
}

/* Times 2^35, for an offset in 2^-28. */
static double sqrt_sum(int odd, double m)
{
    const double *c = sqrt_rows[16 * odd + (int)shifted(m, 24)], t = fmod(m, 0x1p24), p = c[1] * t;
    const double line = p >= 0x1p45 ? nearest(p, 22) : shifted(p + 0x1p20, 22);
    return 1024 * c[0] + 128 * line - upper_terms(c, t, 8, 11);
}

static uint32_t want_sqrt(uint32_t x)
{
    const int e = (int)(x >> 23) - 127, odd = e & 1;
    return bits_of_f32((float)ldexp(nearest(sqrt_sum(odd, 32.0 * (x & 0x7fffff)), 12), (e - odd) / 2 - 23));
}

static uint32_t want_rcp(uint32_t x)
{
    const double v = ldexp(nearest(rcp_sum(64.0 * (x & 0x7fffff)), 11), 103 - (int)(x >> 23 & 255));
    return (x & 0x80000000) | (v < 0x1p-126 ? 0 : bits_of_f32((float)v));
}

static uint32_t want_rsq(uint32_t x)
{
    const int e = (int)(x >> 23) - 127, odd = e & 1;
    return bits_of_f32((float)ldexp(nearest(rsq_sum(odd, 64.0 * (x & 0x7fffff)), 12), -24 - (e - odd) / 2));
}

/* The f64 forms of a positive normal number whose upper 28 fraction bits are not all zero. */
static double want_f64(int op, double x)
{
    int e;
    const double m = 2 * frexp(x, &e) - 1;
    e -= 1;
    const int odd = e & 1, half = (e - odd) / 2;
    const double at = floor(ldexp(m, 29)), segment = floor(ldexp(m, 5));
    if (op == 0)
        return ldexp(rcp_sum(at) + (segment != 0 ? 256 : 0), -35 - e);
    if (op == 1)
        return ldexp(rsq_sum(odd, at) + (segment != 0 ? 512 : 0), -36 - half);
    return ldexp(sqrt_sum(odd, floor(at / 2)) + (floor(segment / 2) != 15 ? 512 : 0), -35 + half);
}

/* ---- Sine and cosine ---- */

static const double sines[][4] = {
#define SINE(c0, c1, c2, c3) { c0, c1, c2, c3 },
#define COSINE(c0, c1, c2, c3)
#include "emu/num/trig_f32.inc"
#undef SINE
#undef COSINE
};
static const double cosines[][4] = {
#define SINE(c0, c1, c2, c3)
#define COSINE(c0, c1, c2, c3) { c0, c1, c2, c3 },
#include "emu/num/trig_f32.inc"
#undef SINE
#undef COSINE
};

/* Without `drop` bits, but in the same 2^(20 + drop). */
static double dropped(double u, int drop)
{
    return ldexp(fmin(shifted(u + ldexp(1, drop - 1), drop), ldexp(shifted(u, 20 + drop) + 1, 20) - 1), drop);
}

/* The first row of the sine, times 2^(34 + *n). */
static double first_sum(const double c[4], double off, int back, double curve, double square, int *n)
{
    int width;
    frexp(off, &width);
    *n = width < 24 ? (24 - width) / 4 * 4 : 0;
    const int up = width < 25 ? (25 - width) / 4 * 4 : 0, kept = 24 + *n > 34 ? 34 : 24 + *n;
    const double at = ldexp(off, up) - (back && fmod(ldexp(off, *n), 0x1p20) == 0 ? 1 : 0);
    return 4 * shifted(c[1] * at, 18 + up - *n) - nearest(curve * shifted(square, 34 - kept), kept - 1 - *n);
}

static double other_sum(const double c[4], double u, double curve, double square, int minus)
{
    const double p = c[1] * dropped(u, 4), line = p >= 0x1p45 ? 2 * nearest(p, 22) : nearest(p, 21);
    const double q = curve * shifted(square, 10), half = q >= 0x1p47 ? 0x1p23 : 0x1p22;
    return 8 * c[0] + (minus ? -line : line) - 2 * fmax(0, ceil(ldexp(q - half, -29)));
}

/* At a phase in 2^-31 turns, less than a quarter. */
static double quarter_of(double phase, int is_cosine)
{
    const int back = phase >= 0x1p28;
    const double at = back ? 0x1p29 - phase : phase;
    const int row = (int)shifted(at - back, 24), wants_cosine = is_cosine ^ back;
    const double off = at - ldexp(row, 24), u = off - back, square = shifted(u, 7) * shifted(u, 7);
    const double *c = wants_cosine ? cosines[row] : sines[row];
    const double from = 64 * shifted(wants_cosine ? 0xffffff - u : u, 6);
    const double curve = nearest(ldexp(wants_cosine ? c[2] - c[3] : c[2], 24) + c[3] * from, 17);
    int n = 0;
    if (wants_cosine)
        return at - back < 46592 ? 1 : ldexp(other_sum(c, u, curve, square, 1), -29);
    if (at == 0)
        return 0;
    if (row == 0) {
        const double sum = first_sum(c, off, back, curve, square, &n);
        return ldexp(sum, -34 - n);
    }
    if (row > 1)
        return ldexp(other_sum(c, u, curve, square, 0), -29);
    return ldexp(
        256 * c[0] + 16 * shifted(c[1] * dropped(u, 2), 20) - nearest(curve * shifted(square, 10), 23), -34);
}

static uint32_t want_trig(uint32_t x, int cosine)
{
    const double v = fabs((double)f32_of(x)), phase = floor(ldexp(v - floor(v), 31));
    const int turn = (int)shifted(phase, 29);
    if (!cosine && v < 0x1.8p-12)
        return bits_of_f32((float)((double)f32_of(x) * 0xc90fd5p-21));
    const double r = quarter_of(phase - ldexp(turn, 29), cosine ^ (turn & 1));
    const int minus = (turn >> 1) ^ (cosine ? turn & 1 : (int)(x >> 31));
    return r == 0 ? 0 : toward(minus ? -r : r, false);
}

static void compare_trig(uint32_t first, uint32_t count, uint32_t step)
{
    static const lw_fp_env keep = { .keep_in = true, .keep_out = true, .ieee = true };
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t x = first + i * step;
        const uint32_t s = lw_sin_f32(&keep, x), c = lw_cos_f32(&keep, x);
        if (s != want_trig(x, 0) || c != want_trig(x, 1))
            ck_abort_msg("%08x: sin %08x, not %08x, cos %08x, not %08x", x, s, want_trig(x, 0), c,
                         want_trig(x, 1));
    }
}

/* Both signs from 2^-31 to 2^23 turns, and densely where a row or the flat part of the cosine starts. */
START_TEST(sine_and_cosine)
{
    compare_trig(0x30000000, (0x4b000000 - 0x30000000) / 211, 211);
    compare_trig(0xb0000001, (0x4b000000 - 0x30000000) / 1009, 1009);
    for (int part = 1; part <= 256; part++) {
        compare_trig(bits_of_f32((float)part / 128) - 300, 600, 1);
        compare_trig(bits_of_f32((float)part / 4 + 46592 * 0x1p-31f) - 300, 600, 1);
        compare_trig(bits_of_f32((float)part / 4 - 46592 * 0x1p-31f) - 300, 600, 1);
    }
    compare_trig(bits_of_f32(46592 * 0x1p-31f) - 300, 600, 1);
}
END_TEST

typedef struct table {
    const char *name;
    uint32_t (*run)(uint32_t);
    uint32_t (*want)(uint32_t);
    uint32_t first[3]; /* sign and exponent of the runs of significands; 0 ends */
    uint64_t digest;   /* of those runs */
    uint32_t more[6];  /* further exponents with LW_FULL=1 */
} table;

#define POSITIVE(field) ((uint32_t)(field) << 23)
#define NEGATIVE(field) (0x80000000u | (uint32_t)(field) << 23)

static const table tables[] = {
    { "log2",
      lw_log2_f32,
      want_log2,
      { POSITIVE(127), POSITIVE(126), POSITIVE(128) },
      UINT64_C(0xbf8e3549787d3399),
      { POSITIVE(125), POSITIVE(130), POSITIVE(1), POSITIVE(254) } },
    { "exp2",
      lw_exp2_f32,
      want_exp2,
      { POSITIVE(127), NEGATIVE(127) },
      UINT64_C(0xbb5522eed1deca8b),
      { POSITIVE(126), NEGATIVE(125), POSITIVE(133), NEGATIVE(133), POSITIVE(110) } },
    { "sqrt",
      lw_sqrt_f32,
      want_sqrt,
      { POSITIVE(127), POSITIVE(128) },
      UINT64_C(0xd30e678cd62b1330),
      { POSITIVE(1), POSITIVE(254) } },
    { "rcp",
      lw_rcp_f32,
      want_rcp,
      { POSITIVE(127) },
      UINT64_C(0xfc7321d94f8f6fe0),
      { NEGATIVE(128), POSITIVE(253), NEGATIVE(1) } },
    { "rsq",
      lw_rsq_f32,
      want_rsq,
      { POSITIVE(127), POSITIVE(128) },
      UINT64_C(0xfb84a0c0ff59730c),
      { POSITIVE(1), POSITIVE(254) } },
};

/* Compares one run of significands and adds it to the digest. Check's own assertions would take longer than
 * the models. */
static void run_significands(const table *t, uint32_t first, uint64_t *digest, uint64_t *weight)
{
    for (uint32_t m = 0; m < SIGNIFICANDS; m++, *weight += 2) {
        const uint32_t x = first | m, got = t->run(x), want = t->want(x);
        if (got != want)
            ck_abort_msg("%s(%08x) = %08x, not %08x", t->name, x, got, want);
        *digest += (got ^ UINT64_C(0x9e3779b97f4a7c15)) * *weight;
    }
}

START_TEST(every_significand)
{
    const table *t = &tables[_i];
    uint64_t digest = 0, weight = 1;
    for (unsigned run = 0; run < 3 && t->first[run]; run++)
        run_significands(t, t->first[run], &digest, &weight);
    ck_assert_msg(digest == t->digest, "%s: digest %016llx", t->name, (unsigned long long)digest);
    for (unsigned run = 0; getenv("LW_FULL") && run < 6 && t->more[run]; run++)
        run_significands(t, t->more[run], &digest, &weight);
}
END_TEST

/* All exponents, every 509th significand. */
START_TEST(every_exponent)
{
    const table *t = &tables[_i];
    const bool both = t->run == lw_exp2_f32 || t->run == lw_rcp_f32;
    for (uint32_t field = 1; field < 255; field++)
        for (uint32_t m = field; m < SIGNIFICANDS; m += 509)
            for (uint32_t sign = 0; sign <= both; sign++) {
                const uint32_t x = sign << 31 | field << 23 | m, got = t->run(x), want = t->want(x);
                if (got != want)
                    ck_abort_msg("%s(%08x) = %08x, not %08x", t->name, x, got, want);
            }
}
END_TEST

START_TEST(f64_forms)
{
    static uint64_t (*const runs[])(const lw_fp_env *, uint64_t) = { lw_rcp_f64, lw_rsq_f64, lw_sqrt_f64 };
    static const lw_fp_env keep = { .keep_in = true, .keep_out = true, .ieee = true };
    uint64_t x = UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 3000000; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        const uint64_t in = (x & UINT64_C(0x000fffffffffffff)) | (uint64_t)(1 + (x >> 52) % 2046) << 52;
        if ((in >> 24 & 0xfffffff) == 0)
            continue;
        const uint64_t got = runs[i % 3](&keep, in), want = bits_of_f64(want_f64(i % 3, f64_of(in)));
        if (got != want)
            ck_abort_msg("op %d of %016llx: %016llx, not %016llx", i % 3, (unsigned long long)in,
                         (unsigned long long)got, (unsigned long long)want);
    }
}
END_TEST

int main(void)
{
    enum { TABLES = sizeof(tables) / sizeof(tables[0]) };
    Suite *suite = suite_create("tables");
    TCase *tc = tcase_create("tables");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, every_significand, 0, TABLES);
    tcase_add_loop_test(tc, every_exponent, 0, TABLES);
    tcase_add_test(tc, f64_forms);
    tcase_add_test(tc, sine_and_cosine);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
