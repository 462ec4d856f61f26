/* SPDX-License-Identifier: MIT */
/* Every spelling of mma, mma.sp and wmma.mma on every target that takes it, against the model. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "num/oracle.h"
#include "nvidia_model.h"

enum { TILES = 3 };

static uint64_t draw(uint64_t *seed, const char *format, int bits, int style)
{
    const uint64_t r = next_random(seed);
    const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    const bool wide = strcmp(format, "bf16") == 0 || bits == 32;
    if (strcmp(format, "i32") == 0)
        return r % 3 ? r >> 32 : 0x7fffff00u + (r >> 8 & 511);
    if (bits <= 8 || format[0] == 'i' || format[0] == 'u')
        return style == 2 && r >> 60 ? 0 : r & mask;
    if (style == 0)
        return nasty(seed, bits == 64 ? 11 : wide ? 8 : 5, bits == 64 ? 52 : bits == 32 ? 23 : wide ? 7 : 10);
    if (style == 2 && r >> 61)
        return 0;
    /* Around one, so that sums keep bits of every term. */
    const int exp_bits = bits == 64 ? 11 : wide ? 8 : 5, frac_bits = bits - 1 - exp_bits;
    const uint64_t field = (UINT64_C(1) << (exp_bits - 1)) - 8 + (r >> 50 & 15);
    return r >> 63 << (bits - 1) | field << frac_bits | (r & ((UINT64_C(1) << frac_bits) - 1));
}

static void fill_index(bench *x, uint64_t *seed, bool ordered)
{
    static const uint8_t any[] = { 4, 8, 9, 12, 13, 14, 1, 2, 3, 6, 7, 11 };
    const bool halves = x->s.a_bits == 32;
    for (unsigned i = 0; i < (unsigned)x->s.m * x->s.groups; i++) {
        const uint64_t r = next_random(seed) >> 20;
        x->index[i] = halves ? r & 1 ? 4 : 14 : any[r % (ordered ? 6 : 12)];
    }
}

static void fill(bench *x, uint64_t *seed, int style, bool ordered)
{
    const lw_mma_shape *s = &x->s;
    const unsigned blocks = s->blocks;
    for (unsigned i = 0; i < blocks * s->m * s->a_k; i++)
        bench_put(x->a, i, s->a_bytes, draw(seed, s->a_format, s->a_bits, style));
    for (unsigned i = 0; i < blocks * s->k * s->n; i++)
        bench_put(x->b, i, s->b_bytes, draw(seed, s->b_format, s->b_bits, style));
    for (unsigned i = 0; i < blocks * s->m * s->n; i++)
        bench_put(x->c, i, s->c_bytes, draw(seed, s->c_format, s->c_bits, style));
    for (unsigned i = 0; i < sizeof(x->scale_a); i++) {
        const uint64_t r = next_random(seed);
        x->scale_a[i] = style ? (uint8_t)(120 + (r >> 8 & 15)) : (uint8_t)(r >> 8);
        x->scale_b[i] = style ? (uint8_t)(120 + (r >> 16 & 15)) : (uint8_t)(r >> 16);
    }
    fill_index(x, seed, ordered);
}

/* Dense k of stored value j. */
static unsigned dense_k(const bench *x, unsigned row, unsigned j)
{
    const lw_mma_shape *s = &x->s;
    if (!s->groups)
        return j;
    const unsigned per_group = s->a_k / s->groups;
    const unsigned nibble = x->index[row * s->groups + j / per_group], first = nibble & 3,
                   second = nibble >> 2;
    if (per_group == 1)
        return 2 * j + (nibble == 14);
    if (per_group == 2)
        return 4 * (j / 2) + (j % 2 ? second : first);
    return 8 * (j / 4) + 2 * (j % 4 / 2 ? second : first) + j % 2;
}

static void check_tile(const bench *x, const nvidia_model *m, const char *target)
{
    const lw_mma_shape *s = &x->s;
    for (unsigned e = 0; e < (unsigned)s->blocks * s->m * s->n; e++) {
        const unsigned col = e % s->n, row = e / s->n % s->m, block = e / s->n / s->m;
        uint64_t a[BENCH_MAX_K], b[BENCH_MAX_K];
        for (unsigned j = 0; j < s->a_k; j++) {
            a[j] = bench_get(x->a, (block * s->m + row) * s->a_k + j, s->a_bytes);
            b[j] = bench_get(x->b, (block * s->k + dense_k(x, row, j)) * s->n + col, s->b_bytes);
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

/* The vectorised code under another reading: does it agree with the reference? */
static void check_choice(bench *x, lw_arch arch, const char *spelling, const char *choice)
{
    static uint8_t want[BENCH_MATRIX];
    static bench y;
    for (int reference = 1; reference >= 0; reference--) {
        bench_open(&y, arch, spelling, &choice, 1, reference);
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
                  choice);
}

/* Sums near the edge of the formats, where readings differ. */
static void fill_tiny(bench *x, uint64_t *seed)
{
    const lw_mma_shape *s = &x->s;
    fill(x, seed, 2, true);
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
    check_choice(x, arch, spelling, "tiny-sums:floor");
    check_choice(x, arch, spelling, readings[next_random(seed) >> 20 & 3]);
    if (x->s.groups)
        check_choice(x, arch, spelling, readings[4]);
    if (strstr(spelling, "satfinite"))
        check_choice(x, arch, spelling, readings[5]);
}

static void check_spelling(bench *x, lw_arch arch, const char *spelling, uint64_t *seed)
{
    bench_open(x, arch, spelling, NULL, 0, false);
    const nvidia_model m = nvidia_model_of(spelling, arch, &x->s);
    check_readings(x, arch, spelling, seed);
    bench_run(x, spelling);
    check_tile(x, &m, lw_arch_get(arch)->name);
    for (int style = 0; style < TILES; style++) {
        fill(x, seed, style, strstr(spelling, "ordered") != NULL);
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
