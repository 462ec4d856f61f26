/* SPDX-License-Identifier: MIT */
/*
 * Instructions that a target computes by other ones: each element of D is computed again by executing those
 * on the same values. Every row of the table of spellings whose column for the target says so must have a
 * lowering here. m8n8k4 of f16 becomes scalar instructions: mma_nvidia_oracle.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/csv.h"
#include "nvidia_model.h"
#include "num/oracle.h"

enum { BENCHES = 8, SPELLING = 128 };

static const struct target {
    lw_arch arch;
    int generation;
    const char *column; /* column of the table */
} targets[] = {
    { LW_ARCH_SM_80, 80, "lower_sm80" },      { LW_ARCH_SM_89, 89, "lower_sm89" },
    { LW_ARCH_SM_90, 90, "lower_sm90" },      { LW_ARCH_SM_100, 100, "lower_sm100a" },
    { LW_ARCH_SM_100A, 100, "lower_sm100a" }, { LW_ARCH_SM_120A, 120, "lower_sm120a" },
};

/* The instruction that is computed by others. */
typedef struct subject {
    const struct target *target;
    const csv *row;
    const char *spelling, *kind, *round; /* kind and round with their dots */
    const char *a, *b, *c, *d;           /* types */
    bool sparse, wmma, saturates;
    bench x;
} subject;

/* The products of one element, and C; returns D. */
typedef uint64_t other_fn(const subject *s, const uint64_t *a, const uint64_t *b, unsigned count, uint64_t c);

/* Element 0, 0 of another instruction, given row 0 of A and column 0 of B. */
static uint64_t execute(const subject *s, const char *spelling, const uint64_t *a, const uint64_t *b,
                        unsigned count, uint64_t c)
{
    static struct {
        lw_arch arch;
        char spelling[SPELLING];
        bench bench;
    } open[BENCHES];
    static unsigned turn;
    unsigned n = 0;
    while (n < BENCHES && (open[n].arch != s->target->arch || strcmp(open[n].spelling, spelling)))
        n++;
    if (n == BENCHES) {
        n = turn++ % BENCHES;
        lw_mma_free(open[n].bench.mma);
        open[n].arch = s->target->arch;
        snprintf(open[n].spelling, SPELLING, "%s", spelling);
        bench_open(&open[n].bench, s->target->arch, spelling, NULL, 0, false);
    }
    bench *y = &open[n].bench;
    ck_assert_msg(y->s.a_k == count, "%s takes %u products, not %u", spelling, y->s.a_k, count);
    for (unsigned k = 0; k < count; k++) {
        bench_put(y->a, k, y->s.a_bytes, a[k]);
        bench_put(y->b, (size_t)k * y->s.n, y->s.b_bytes, b[k]);
    }
    bench_put(y->c, 0, y->s.c_bytes, c);
    bench_run(y, spelling);
    return bench_get(y->d, 0, y->s.d_bytes);
}

/* `count` products, `step` at a time; each result is the next one's C. */
static uint64_t chain(const subject *s, const char *spelling, const uint64_t *a, const uint64_t *b,
                      unsigned count, unsigned step, uint64_t c)
{
    for (unsigned k = 0; k < count; k += step)
        c = execute(s, spelling, a + k, b + k, step, c);
    return c;
}

/* fp8: operands become f16; products with k % 4 of 0 and 1, then those of 2 and 3; then C is added. */
static uint64_t fp8_by_f16(const subject *s, const uint64_t *a, const uint64_t *b, unsigned count, uint64_t c)
{
    const bool half = s->x.s.d_bits == 16;
    char other[SPELLING];
    uint64_t h = 0;
    snprintf(other, sizeof(other), "mma.sync.aligned.m16n8k%u.row.col.%s.f16.f16.%s", count / 2, s->d, s->d);
    for (unsigned part = 0; part < 2; part++) {
        uint64_t x[BENCH_MAX_K], y[BENCH_MAX_K];
        unsigned n = 0;
        for (unsigned k = 0; k < count; k++)
            if (k % 4 / 2 == part) {
                x[n] = nvidia_f16_of(s->x.s.a_format, a[k]);
                y[n++] = nvidia_f16_of(s->x.s.b_format, b[k]);
            }
        h = execute(s, other, x, y, n, h);
    }
    return nvidia_add(half, (uint32_t)h, (uint32_t)c);
}

static uint64_t widened(const char *type, uint64_t code)
{
    return type[0] == 's' && code & 8 ? code | 0xf0 : code;
}

/* 4-bit integers by 8-bit ones. C leaves headroom, so that only the whole sum is clamped. */
static uint64_t int4_by_int8(const subject *s, const uint64_t *a, const uint64_t *b, unsigned count,
                             uint64_t c)
{
    uint64_t x[BENCH_MAX_K], y[BENCH_MAX_K];
    char other[SPELLING];
    for (unsigned k = 0; k < count; k++) {
        x[k] = widened(s->a, a[k]);
        y[k] = widened(s->b, b[k]);
    }
    snprintf(other, sizeof(other), "mma.sync.aligned.m16n8k32.row.col%s.s32.%c8.%c8.s32",
             s->saturates ? ".satfinite" : "", s->a[0], s->b[0]);
    return chain(s, other, x, y, count, 32, c);
}

static uint64_t f64_by_k4(const subject *s, const uint64_t *a, const uint64_t *b, unsigned count, uint64_t c)
{
    char other[SPELLING];
    snprintf(other, sizeof(other), "mma.sync.aligned.m8n8k4.row.col%s.f64.f64.f64.f64", s->round);
    return chain(s, other, a, b, count, 4, c);
}

/* Exclusive or: the bits of one operand that the other does not have, by the instruction's `and`. */
static uint64_t xor_by_and(const subject *s, const uint64_t *a, const uint64_t *b, unsigned count, uint64_t c)
{
    static const char other[] = "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc";
    for (unsigned part = 0; part < 2; part++) {
        uint64_t x[BENCH_MAX_K] = { 0 }, y[BENCH_MAX_K] = { 0 };
        for (unsigned k = 0; k < count; k++) {
            x[k] = part ? !a[k] : a[k];
            y[k] = part ? b[k] : !b[k];
        }
        c = execute(s, other, x, y, BENCH_MAX_K, c);
    }
    return c;
}

/* Bits by 8-bit integers. */
static uint64_t bits_by_int8(const subject *s, const uint64_t *a, const uint64_t *b, unsigned count,
                             uint64_t c)
{
    static const char other[] = "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32";
    const bool exclusive = strcmp(s->round, ".xor") == 0;
    if (!exclusive)
        return chain(s, other, a, b, count, 32, c);
    for (unsigned part = 0; part < 2; part++) {
        uint64_t x[BENCH_MAX_K], y[BENCH_MAX_K];
        for (unsigned k = 0; k < count; k++) {
            x[k] = part ? !a[k] : a[k];
            y[k] = part ? b[k] : !b[k];
        }
        c = chain(s, other, x, y, count, 32, c);
    }
    return c;
}

/* Sparse: the dense instruction with as many products as are stored. */
static uint64_t sparse_by_dense(const subject *s, const uint64_t *a, const uint64_t *b, unsigned count,
                                uint64_t c)
{
    char other[SPELLING];
    snprintf(other, sizeof(other), "mma.sync.aligned.m16n8k%u.row.col%s%s.%s.%s.%s.%s", count, s->kind,
             s->saturates ? ".satfinite" : "", s->d, s->a, s->b, s->c);
    return execute(s, other, a, b, count, c);
}

/* wmma: mma instructions along k. Sums of 16-bit floats are f32 if C or D is. */
static uint64_t wmma_by_mma(const subject *s, const uint64_t *a, const uint64_t *b, unsigned count,
                            uint64_t c)
{
    const bool mixed = strcmp(s->c, s->d) != 0;
    const char *acc = mixed ? "f32" : s->c;
    const bool tf32 = strcmp(s->a, "tf32") == 0, bits = strcmp(s->a, "b1") == 0;
    const unsigned step = tf32 ? 4 : count;
    char other[SPELLING];
    if (strcmp(s->a, "f64") == 0)
        return f64_by_k4(s, a, b, count, c);
    snprintf(other, sizeof(other), "mma.sync.aligned.%sk%u.row.col%s.%s.%s.%s.%s%s%s",
             bits || s->a[1] == '4' ? "m8n8" : "m16n8", step, s->saturates ? ".satfinite" : "", acc, s->a,
             s->b, acc, bits ? s->round : "", bits ? ".popc" : "");
    if (mixed && s->c[1] == '1')
        c = nvidia_f32_of_f16((uint32_t)c);
    const uint64_t d = chain(s, other, a, b, count, step, c);
    return mixed && s->d[1] == '1' ? nvidia_f16_of("f32", d) : d;
}

static bool is_fp8(const subject *s)
{
    return s->x.s.a_bits == 8 && s->a[0] == 'e' &&
           (s->target->generation == 90 || s->target->generation == 100);
}

static bool is_int4(const subject *s)
{
    return s->x.s.a_bits == 4 && s->a[0] != 'e' && s->target->generation >= 90;
}

static bool is_long_f64(const subject *s)
{
    return s->x.s.a_bits == 64 && s->x.s.m == 16 && s->target->generation >= 100;
}

static bool is_xor(const subject *s)
{
    return s->x.s.a_bits == 1 && strcmp(s->round, ".xor") == 0 && s->target->generation == 90;
}

static bool is_bits(const subject *s)
{
    return s->x.s.a_bits == 1 && s->target->generation >= 100;
}

static bool is_sparse(const subject *s)
{
    return s->sparse && s->x.s.scale_k == 0;
}

static bool is_wmma(const subject *s)
{
    return s->wmma;
}

/* The first lowering that applies. */
static const struct {
    bool (*applies)(const subject *s);
    other_fn *other;
} lowerings[] = {
    { is_wmma, wmma_by_mma },       { is_fp8, fp8_by_f16 },    { is_int4, int4_by_int8 },
    { is_xor, xor_by_and },         { is_bits, bits_by_int8 }, { is_long_f64, f64_by_k4 },
    { is_sparse, sparse_by_dense },
};

static other_fn *lowering_of(const subject *s)
{
    for (size_t i = 0; i < sizeof(lowerings) / sizeof(lowerings[0]); i++)
        if (lowerings[i].applies(s))
            return lowerings[i].other;
    return NULL;
}

static void check_tile(const subject *s, other_fn *other, int style)
{
    const bench *x = &s->x;
    const lw_mma_shape *p = &x->s;
    /* Integers are exact, and wmma has many spellings of the same operation. */
    const unsigned step = is_fp8(s) || getenv("LW_FULL") ? 1 : s->wmma || p->d_format[0] == 'i' ? 29 : 5;
    for (unsigned e = step > 1 ? (unsigned)style : 0; e < (unsigned)p->m * p->n; e += step) {
        const unsigned row = e / p->n, col = e % p->n;
        uint64_t a[BENCH_MAX_K], b[BENCH_MAX_K];
        for (unsigned j = 0; j < p->a_k; j++) {
            a[j] = bench_get(x->a, row * p->a_k + j, p->a_bytes);
            b[j] = bench_get(x->b, bench_dense_k(x, row, j) * p->n + col, p->b_bytes);
        }
        const uint64_t c = bench_get(x->c, e, p->c_bytes), d = bench_get(x->d, e, p->d_bytes);
        const uint64_t want = other(s, a, b, p->a_k, c);
        ck_assert_msg(d == want, "%s on %s, style %d, element %u %u: %llx, the other instruction gives %llx",
                      s->spelling, lw_arch_get(s->target->arch)->name, style, row, col, (unsigned long long)d,
                      (unsigned long long)want);
    }
}

/* Integers: C leaves headroom for the products. */
static void calm_c(bench *x)
{
    for (unsigned i = 0; strcmp(x->s.c_format, "i32") == 0 && i < (unsigned)x->s.m * x->s.n; i++)
        bench_put(x->c, i, 4, bench_get(x->c, i, 4) & 0x3fffffff);
}

static bool takes(lw_arch arch, const char *spelling)
{
    const lw_insn *insn;
    lw_mods mods;
    return lw_insn_parse(arch, spelling, &insn, &mods, NULL) == LW_OK;
}

/* A column of the table, with `prefix` before it unless it is empty. */
static const char *dotted(const char *prefix, const char *text, char *out)
{
    snprintf(out, SPELLING, "%s%s", *text ? prefix : "", text);
    return out;
}

static bool check_row(const csv *row, const struct target *target, uint64_t *seed)
{
    static subject s;
    static char kind[SPELLING], round[SPELLING];
    const char *family = csv_get(row, "family"), *spelling = csv_get(row, "instruction");
    const char *how = csv_get(row, target->column);
    const bool lowers =
        (strstr(how, "x2") || strstr(how, "x4") || strstr(how, "x8") || strstr(how, "emul")) &&
        !strstr(how, "FFMA");
    memset(&s, 0, sizeof(s));
    s.wmma = strcmp(family, "wmma.mma") == 0;
    s.sparse = strcmp(family, "mma.sp") == 0;
    if (!s.wmma && !s.sparse && strcmp(family, "mma"))
        return false;
    if (!takes(target->arch, spelling) || (s.wmma && !strstr(spelling, "row.col")))
        return false;
    s.target = target;
    s.spelling = spelling;
    s.kind = dotted(".kind::", csv_get(row, "kind"), kind);
    s.round = dotted(".", csv_get(row, "op_or_round"), round);
    s.saturates = strcmp(csv_get(row, "satfinite"), "yes") == 0;
    s.a = csv_get(row, "a_type");
    s.b = csv_get(row, "b_type");
    s.c = csv_get(row, "c_type");
    s.d = csv_get(row, "d_type");
    bench_open(&s.x, target->arch, spelling, NULL, 0, false);
    other_fn *other = lowering_of(&s);
    ck_assert_msg(other || !lowers, "%s on %s is %s: by what instruction?", spelling, target->column, how);
    for (int style = 0; other && style < BENCH_STYLES; style++) {
        bench_fill(&s.x, seed, (bench_style)style, strstr(spelling, "ordered") != NULL);
        calm_c(&s.x);
        bench_run(&s.x, spelling);
        check_tile(&s, other, style);
    }
    lw_mma_free(s.x.mma);
    return other != NULL;
}

START_TEST(rows)
{
    static csv table;
    uint64_t seed = 7 + (uint64_t)_i;
    unsigned compared = 0;
    csv_open(&table, LW_SOURCE_DIR "/tests/data/ptx-mma.csv");
    while (csv_next(&table))
        compared += check_row(&table, &targets[_i], &seed);
    ck_assert_uint_gt(compared, 20);
}
END_TEST

/*
 * An e4m3 subnormal is a normal f16, and its product is aligned by that exponent: 2^-9 * 57344 - 2^-9 *
 * 57344 + 2^-9 * 2^-10.
 */
START_TEST(mixed_fp8)
{
    static const struct {
        lw_arch arch;
        const char *spelling;
    } spellings[] = {
        { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32" },
        { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32" },
        { LW_ARCH_SM_100, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32" },
        { LW_ARCH_SM_100A, "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e5m2.f32" },
        { LW_ARCH_SM_90, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32" },
    };
    static bench x;
    static const uint8_t e4m3[] = { 0x01, 0x81, 0, 0, 0x01 }, e5m2[] = { 0x7b, 0x7b, 0, 0, 0x14 };
    const bool swapped = strstr(spellings[_i].spelling, "e5m2.e4m3") != NULL;
    bench_open(&x, spellings[_i].arch, spellings[_i].spelling, NULL, 0, false);
    for (unsigned k = 0; k < 5; k++) {
        x.a[k] = swapped ? e5m2[k] : e4m3[k];
        x.b[k * x.s.n] = swapped ? e4m3[k] : e5m2[k];
    }
    bench_run(&x, spellings[_i].spelling);
    ck_assert_uint_eq(bench_get(x.d, 0, 4), 0x36000000);
    lw_mma_free(x.mma);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_lowering");
    TCase *tc = tcase_create("lowering");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, rows, 0, (int)(sizeof(targets) / sizeof(targets[0])));
    tcase_add_loop_test(tc, mixed_fp8, 0, 5);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
