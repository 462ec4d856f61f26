/* SPDX-License-Identifier: MIT */
/*
 * The transcendental operations against results that AMD captured on a gfx1100 and a gfx1201: digests of
 * whole ranges and single results. And against what AMD's rocjitsu publishes of rcp and rsq: the mantissas in
 * which the chips differ from its coarse cubic.
 */
#include <check.h>
#include <string.h>

#include "emu/num/transc.h"
#include "tests/num/oracle.h"

static const lw_fp_env keep = { .keep_in = true, .keep_out = true, .ieee = true };

static uint32_t sin_f32(uint32_t x)
{
    return lw_sin_f32(&keep, x);
}

static uint32_t cos_f32(uint32_t x)
{
    return lw_cos_f32(&keep, x);
}

#define lw_sin_one sin_f32
#define lw_cos_one cos_f32
#define lw_rcp_one lw_rcp_f32
#define lw_rsq_one lw_rsq_f32
#define lw_sqrt_one lw_sqrt_f32
#define lw_log2_one lw_log2_f32
#define lw_exp2_one lw_exp2_f32

typedef struct run {
    const char *name;
    uint32_t (*fn)(uint32_t);
    uint32_t first, count, step, bytes; /* step 0: i * 2^-24 with the sign of `first` */
    uint64_t digest;
} run;

typedef struct halves {
    const char *name;
    uint32_t (*fn)(const lw_fp_env *, uint32_t);
    unsigned denorm;
    bool saturate, quiet;
    uint64_t digest;
} halves;

typedef struct point {
    const char *name;
    uint32_t (*fn)(uint32_t);
    uint32_t in, out;
} point;

#define HALVES(...)
#define POINT(...)
#define RUN(op, first, count, step, bytes, digest)                                                           \
    { #op, lw_##op##_one, first, count, step, bytes, UINT64_C(digest) },
#define UNIT(op, sign, digest)                                                                               \
    { #op, lw_##op##_one, (uint32_t)(sign) << 31, 1 << 24, 0, 0, UINT64_C(digest) },
static const run runs[] = {
#include "tests/num/captured_transc.inc"
};
#undef RUN
#undef UNIT
#undef HALVES
#define RUN(...)
#define UNIT(...)
#define HALVES(op, denorm, saturate, quiet, digest)                                                          \
    { #op, lw_##op##_f16, denorm, saturate, quiet, UINT64_C(digest) },
static const halves half_runs[] = {
#include "tests/num/captured_transc.inc"
};
#undef HALVES
#undef POINT
#define HALVES(...)
#define POINT(op, in, out) { #op, lw_##op##_one, in, out },
static const point points[] = {
#include "tests/num/captured_transc.inc"
};

static uint64_t mix(uint64_t hash, uint64_t v)
{
    return (hash ^ v) * UINT64_C(1099511628211);
}

static uint64_t mix_result(uint64_t hash, uint32_t word, bool bytes)
{
    if (!bytes)
        return mix(hash, word);
    for (unsigned shift = 0; shift < 32; shift += 8)
        hash = mix(hash, word >> shift & 255);
    return hash;
}

#define SEED UINT64_C(14695981039346656037)

START_TEST(runs_have_the_captured_digest)
{
    const run *r = &runs[_i];
    uint64_t hash = SEED;
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t x = r->step ? r->first + i * r->step : r->first | bits_of_f32((float)i * 0x1p-24f);
        hash = mix_result(hash, r->fn(x), r->bytes);
    }
    ck_assert_msg(hash == r->digest, "%s, run %d: %016llx", r->name, _i, (unsigned long long)hash);
}
END_TEST

START_TEST(halves_have_the_captured_digest)
{
    const halves *r = &half_runs[_i];
    const lw_fp_env e = {
        .keep_in = r->denorm & 1, .keep_out = r->denorm >> 1, .ieee = r->quiet, .saturate = r->saturate
    };
    uint64_t hash = SEED;
    for (uint32_t x = 0; x < 65536; x++)
        hash = mix(hash, r->fn(&e, x));
    ck_assert_msg(hash == r->digest, "%s, run %d: %016llx", r->name, _i, (unsigned long long)hash);
}
END_TEST

START_TEST(single_results)
{
    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++) {
        const uint32_t got = points[i].fn(points[i].in);
        ck_assert_msg(got == points[i].out, "%s(%08x) = %08x, not %08x", points[i].name, points[i].in, got,
                      points[i].out);
    }
}
END_TEST

/* ---- The published differences ---- */

static const uint32_t rcp_rows[][4] = {
#define ROW(c0, c1, c2, c3) { c0, c1, c2, c3 },
#include "emu/num/rcp_f32.inc"
};
static const uint32_t rsq_rows[][4] = {
#include "emu/num/rsq_f32.inc"
#undef ROW
};

static uint64_t nearest(uint64_t v, unsigned s)
{
    const uint64_t rest = v & ((UINT64_C(1) << s) - 1), half = UINT64_C(1) << (s - 1), q = v >> s;
    return q + (rest > half || (rest == half && q & 1));
}

/* rocjitsu's cubic for the offset f; `fine` is 1 for rcp and 2 for rsq. */
static uint32_t coarse(const uint32_t row[4], uint32_t f, unsigned fine)
{
    const uint64_t p = (uint64_t)row[1] * f, big = p >> (fine == 1 ? 38 : 37), even = f & ~UINT32_C(1);
    const uint64_t line = nearest(p, 15 - fine + (unsigned)big) << big;
    const uint64_t in = ((uint64_t)row[2] << 18) - (uint64_t)row[3] * f, h = even / 2, square = h * h;
    /* in * square / 2^49, both below 2^34 */
    const uint64_t low = (in & 0x1ffff) * (square & 0x1ffff);
    const uint64_t middle = (in >> 17) * (square & 0x1ffff) + (in & 0x1ffff) * (square >> 17) + (low >> 17);
    const uint64_t quad = ((in >> 17) * (square >> 17) + (middle >> 17)) >> 15;
    const unsigned scale = 3 + fine; /* 1/16 or 1/32 of the rows' unit */
    return (uint32_t)((((uint64_t)row[0] << scale) - line + (quad << fine) + (UINT64_C(1) << (scale + 1))) >>
                      (scale + 2));
}

typedef struct published {
    const char *name;
    const uint32_t (*rows)[4];
    uint32_t (*fn)(uint32_t);
    uint32_t count;
    unsigned fine;
    uint32_t minus, plus; /* results one unit below and above the cubic */
    uint64_t digest;      /* of the list: index and sign */
} published;

/* The counts and digests are those of rocjitsu's lists. */
static const published lists[] = {
    { "rcp", rcp_rows, lw_rcp_f32, 1 << 23, 1, 2319, 442, UINT64_C(0x539a5e0e23741a47) },
    { "rsq", rsq_rows, lw_rsq_f32, 1 << 24, 2, 1906, 578, UINT64_C(0xee4675ce232f1559) },
};

START_TEST(differences_from_the_coarse_cubic)
{
    const published *l = &lists[_i];
    uint32_t minus = 0, plus = 0;
    uint64_t hash = SEED;
    for (uint32_t m = 0; m < l->count; m++) {
        const uint32_t got = l->fn(0x3f800000 + m);
        const uint32_t want = 0x3e800000 + coarse(l->rows[m >> 18], m & 0x3ffff, l->fine);
        if (got == want)
            continue;
        ck_assert_msg(got + 1 == want || got == want + 1, "%s of mantissa %06x", l->name, m);
        minus += got + 1 == want;
        plus += got == want + 1;
        hash = mix(hash, m << 1 | (got == want + 1));
    }
    ck_assert_uint_eq(minus, l->minus);
    ck_assert_uint_eq(plus, l->plus);
    ck_assert_msg(hash == l->digest, "%s: %016llx", l->name, (unsigned long long)hash);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("captured");
    TCase *tc = tcase_create("captured");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, runs_have_the_captured_digest, 0, (int)(sizeof(runs) / sizeof(runs[0])));
    tcase_add_loop_test(tc, halves_have_the_captured_digest, 0,
                        (int)(sizeof(half_runs) / sizeof(half_runs[0])));
    tcase_add_test(tc, single_results);
    tcase_add_loop_test(tc, differences_from_the_coarse_cubic, 0, (int)(sizeof(lists) / sizeof(lists[0])));
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
