/* SPDX-License-Identifier: MIT */
/* Every spelling of mma, mma.sp and wmma.mma on every target that takes it, compared with the model. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "num/oracle.h"
#include "nvidia_model.h"

static void check_tile(const bench *x, const nvidia_model *m, const char *target)
{
    const lw_mma_shape *s = &x->s;
    for (unsigned e = 0; e < (unsigned)s->blocks * s->m * s->n; e++) {
        const unsigned col = e % s->n, row = e / s->n % s->m, block = e / s->n / s->m;
        uint64_t a[BENCH_MAX_K], b[BENCH_MAX_K];
        for (unsigned j = 0; j < s->a_k; j++) {
            a[j] = bench_get(x->a, (block * s->m + row) * s->a_k + j, s->a_bytes);
            b[j] = bench_get(x->b, (block * s->k + bench_dense_k(x, row, j)) * s->n + col, s->b_bytes);
        }
        const uint64_t c = bench_get(x->c, e, s->c_bytes), d = bench_get(x->d, e, s->d_bytes);
        const uint64_t want =
            nvidia_element(m, a, b, s->a_k, c, s->scale_k ? x->scale_a + row * s->scale_k : NULL,
                           s->scale_k ? x->scale_b + col * s->scale_k : NULL);
        ck_assert_msg(d == want, "%s on %s, element %u %u: %llx, not %llx", m->spelling, target, row, col,
                      (unsigned long long)d, (unsigned long long)want);
    }
}

static bool accepts(lw_arch arch, const char *spelling)
{
    const lw_insn *insn;
    lw_mods mods;
    return lw_insn_parse(arch, spelling, &insn, &mods, NULL) == LW_OK;
}

/* Whether the vectorised code agrees with the reference under another reading. */
static void check_reading(bench *x, lw_arch arch, const char *spelling, const char *reading)
{
    static uint8_t want[BENCH_MATRIX];
    static bench y;
    for (int reference = 1; reference >= 0; reference--) {
        bench_open(&y, arch, spelling, &reading, 1, reference);
        memcpy(y.a, x->a, sizeof(y.a));
        memcpy(y.b, x->b, sizeof(y.b));
        memcpy(y.c, x->c, sizeof(y.c));
        memcpy(y.index, x->index, sizeof(y.index));
        memcpy(y.scale_a, x->scale_a, sizeof(y.scale_a));
        memcpy(y.scale_b, x->scale_b, sizeof(y.scale_b));
        bench_run(&y, spelling);
        if (reference)
            memcpy(want, y.d, sizeof(want));
        lw_mma_free(y.mma);
    }
    ck_assert_msg(memcmp(want, y.d, sizeof(want)) == 0, "%s with %s: the fast path differs", spelling,
                  reading);
}

/* Sums near the edge of the formats, where readings differ. */
static void fill_tiny(bench *x, uint64_t *seed)
{
    const lw_mma_shape *s = &x->s;
    bench_fill(x, seed, BENCH_SPARSE, true);
    for (unsigned i = 0; i < (unsigned)s->blocks * s->m * s->n; i++)
        bench_put(x->c, i, s->c_bytes, next_random(seed) & 7);
    if (s->a_bits < 16 || s->a_bits == 64)
        return;
    const int frac_bits = s->a_bits == 32 ? 23 : strcmp(s->a_format, "bf16") == 0 ? 7 : 10;
    for (unsigned i = 0; i < (unsigned)s->blocks * s->m * s->a_k; i++) {
        const uint64_t r = next_random(seed), mask = (UINT64_C(1) << frac_bits) - 1;
        const uint64_t field = frac_bits == 10 ? r >> 40 & 3 : 40 + (r >> 40 & 15);
        bench_put(x->a, i, s->a_bytes, (r & mask) | field << frac_bits | r >> 63 << (s->a_bits - 1));
    }
    for (unsigned i = 0; i < (unsigned)s->blocks * s->k * s->n; i++) {
        const uint64_t r = next_random(seed), mask = (UINT64_C(1) << frac_bits) - 1;
        const uint64_t field = frac_bits == 10 ? r >> 40 & 3 : r >> 40 & 15;
        bench_put(x->b, i, s->b_bytes, (r & mask) | field << frac_bits);
    }
}

static void check_readings(bench *x, lw_arch arch, const char *spelling, uint64_t *seed)
{
    static const char *const readings[] = { "tiny-sums:zero-operands", "tiny-sums:none",
                                            "tiny-sums:floor-f32",     "underflow-sign:plus",
                                            "sparse-group:doubled",    "satfinite:per-step" };
    fill_tiny(x, seed);
    check_reading(x, arch, spelling, "tiny-sums:floor");
    check_reading(x, arch, spelling, readings[next_random(seed) >> 20 & 3]);
    if (x->s.groups)
        check_reading(x, arch, spelling, readings[4]);
    if (strstr(spelling, "satfinite"))
        check_reading(x, arch, spelling, readings[5]);
}

static void check_spelling(bench *x, lw_arch arch, const char *spelling, uint64_t *seed)
{
    bench_open(x, arch, spelling, NULL, 0, false);
    const nvidia_model m = nvidia_model_of(spelling, arch, &x->s);
    check_readings(x, arch, spelling, seed);
    bench_run(x, spelling);
    check_tile(x, &m, lw_arch_get(arch)->name);
    for (int style = 0; style < BENCH_STYLES; style++) {
        bench_fill(x, seed, (bench_style)style, strstr(spelling, "ordered") != NULL);
        bench_run(x, spelling);
        check_tile(x, &m, lw_arch_get(arch)->name);
    }
    lw_mma_free(x->mma);
}

START_TEST(spellings)
{
    const lw_arch arch = (lw_arch)_i;
    static bench x;
    char line[2048];
    uint64_t seed = 1 + (uint64_t)_i;
    unsigned runs = 0;
    FILE *file = fopen(LW_SOURCE_DIR "/tests/data/ptx-mma.csv", "r");
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file)) {
        char *comma = strchr(line, ',');
        char *spelling = comma ? comma + 1 : NULL;
        if (!spelling || !strchr(spelling, ','))
            continue;
        *comma = 0;
        *strchr(spelling, ',') = 0;
        const bool computes =
            strcmp(line, "mma") == 0 || strcmp(line, "mma.sp") == 0 || strcmp(line, "wmma.mma") == 0;
        if (!computes || !accepts(arch, spelling))
            continue;
        check_spelling(&x, arch, spelling, &seed);
        runs++;
    }
    fclose(file);
    ck_assert_uint_gt(runs, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nvidia_oracle");
    TCase *tc = tcase_create("nvidia_oracle");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, spellings, LW_ARCH_SM_70, LW_ARCH_COUNT);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
