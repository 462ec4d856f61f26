/* SPDX-License-Identifier: MIT */
/*
 * Every spelling of mma, mma.sp and wmma.mma on every target that accepts it: register images compared with
 * matrices, integers with plain arithmetic, one product at a time, metadata that is refused.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "images.h"

enum { MAX_SPELLINGS = 700, SLICES = 8 };

static char spellings[MAX_SPELLINGS][160];
static unsigned count;

static void load(void)
{
    char line[4096];
    FILE *f = fopen(LW_SOURCE_DIR "/tests/data/ptx-mma.csv", "r");
    ck_assert_ptr_nonnull(f);
    while (fgets(line, sizeof(line), f)) {
        char *name = strchr(line, ',');
        const char *family = line;
        if (!name)
            continue;
        *name++ = '\0';
        name[strcspn(name, ",")] = '\0';
        if (strcmp(family, "mma") != 0 && strcmp(family, "mma.sp") != 0 && strcmp(family, "wmma.mma") != 0)
            continue;
        ck_assert_uint_lt(count, MAX_SPELLINGS);
        snprintf(spellings[count++], sizeof(spellings[0]), "%s", name);
    }
    fclose(f);
    ck_assert_uint_ge(count, 500);
}

/* Calls `check` for the spellings of a slice on all targets (or the first that accepts them); returns the
 * number of calls. */
static unsigned for_all(unsigned slice, bool once, void (*check)(const subject *s, uint64_t *state))
{
    unsigned calls = 0;
    for (unsigned n = slice; n < count; n += SLICES)
        for (lw_arch arch = LW_ARCH_SM_70; arch < LW_ARCH_COUNT; arch++) {
            const lw_insn *insn;
            lw_mods mods;
            subject s;
            uint64_t state = n;
            if (lw_insn_parse(arch, spellings[n], &insn, &mods, NULL) != LW_OK)
                continue;
            ck_assert_msg(subject_make(arch, insn, &mods, 0, &s), "%s", spellings[n]);
            s.name = spellings[n];
            check(&s, &state);
            lw_mma_free(s.mma);
            calls++;
            if (once)
                break;
        }
    return calls;
}

START_TEST(images_and_matrices)
{
    ck_assert_uint_ge(for_all((unsigned)_i, false, subject_run), count / SLICES);
}
END_TEST

/* Dense k of stored value j, from the PTX ISA's figures. */
static unsigned dense_k(const lw_mma_shape *s, const tile *t, unsigned row, unsigned j)
{
    if (!s->groups)
        return j;
    if (s->groups == s->a_k) /* one of two */
        return 2 * j + (t->index[row * s->groups + j] == 0xe);
    if (s->groups * 2 == s->a_k) { /* two of four */
        const unsigned nibble = t->index[row * s->groups + j / 2];
        return j / 2 * 4 + (j % 2 ? nibble >> 2 : nibble & 3);
    }
    const unsigned nibble = t->index[row * s->groups + j / 4]; /* two pairs of four */
    return j / 4 * 8 + 2 * (j / 2 % 2 ? nibble >> 2 : nibble & 3) + j % 2;
}

static void fill_index(const subject *s, uint64_t *state, tile *t)
{
    static const uint8_t ordered[6] = { 0x4, 0x8, 0xc, 0x9, 0xd, 0xe };
    const bool half = s->shape.groups == s->shape.a_k;
    for (unsigned i = 0; i < (unsigned)s->shape.m * s->shape.groups; i++)
        t->index[i] = half ? (next_random(state) & 1 ? 0xe : 0x4) : ordered[next_random(state) % 6];
}

static int64_t value_of(const char *format, unsigned bits, uint64_t code)
{
    return format[0] == 'i' && code >> (bits - 1) ? (int64_t)code - ((int64_t)1 << bits) : (int64_t)code;
}

static uint32_t int_oracle(const subject *s, const tile *t, unsigned i, unsigned j)
{
    const lw_mma_shape *p = &s->shape;
    const bool by_xor = strstr(s->name, ".xor.") != NULL;
    int64_t total = (int32_t)tile_get(t->c, i * p->n + j, 4);
    for (unsigned x = 0; x < p->a_k; x++) {
        const int64_t a = value_of(p->a_format, p->a_bits, tile_get(t->a, (size_t)i * p->a_k + x, 1));
        const int64_t b =
            value_of(p->b_format, p->b_bits, tile_get(t->b, (size_t)dense_k(p, t, i, x) * p->n + j, 1));
        total += by_xor ? a != b : a * b;
    }
    if (strstr(s->name, "satfinite"))
        total = total > INT32_MAX ? INT32_MAX : total < INT32_MIN ? INT32_MIN : total;
    return (uint32_t)total;
}

static void check_integers(const subject *s, uint64_t *state)
{
    static tile t;
    static uint32_t d[2048];
    const lw_mma_shape *p = &s->shape;
    if (strcmp(p->d_format, "i32") != 0)
        return;
    tile_fill(p, TILE_RANDOM_BITS, state, &t);
    fill_index(s, state, &t);
    const lw_mma_matrices mat = tile_matrices(p, &t, d);
    ck_assert_int_eq(lw_mma_execute_matrices(s->mma, &mat, NULL), LW_OK);
    for (unsigned e = 0; e < (unsigned)p->m * p->n; e++)
        ck_assert_msg(d[e] == int_oracle(s, &t, e / p->n, e % p->n), "%s, element %u: %x, not %x", s->name, e,
                      d[e], int_oracle(s, &t, e / p->n, e % p->n));
}

START_TEST(integers)
{
    for_all((unsigned)_i, false, check_integers);
}
END_TEST

static void check_one_hot(const subject *s, uint64_t *state)
{
    static tile t;
    static uint64_t d[2048];
    const lw_mma_shape *p = &s->shape;
    const uint64_t one_d = one_of(p->d_format, p->d_bits);
    if (strstr(s->name, ".xor."))
        return;
    for (unsigned x = 0; x < p->a_k; x++) {
        fill_index(s, state, &t);
        const unsigned i = (unsigned)(next_random(state) % p->m), j = (unsigned)(next_random(state) % p->n);
        const unsigned block = (unsigned)(next_random(state) % p->blocks), k = dense_k(p, &t, i, x);
        one_hot(s, &t, block, i, x, k, j);
        lw_mma_matrices mat = tile_matrices(p, &t, d);
        mat.scale_a = mat.scale_b = NULL;
        ck_assert_int_eq(lw_mma_execute_matrices(s->mma, &mat, NULL), LW_OK);
        for (unsigned e = 0; e < (unsigned)p->blocks * p->m * p->n; e++) {
            const uint64_t want = e == (block * p->m + i) * p->n + j ? one_d : 0;
            ck_assert_msg(tile_get(d, e, p->d_bytes) == want, "%s, product %u, element %u", s->name, x, e);
        }
    }
}

START_TEST(one_product)
{
    ck_assert_uint_gt(for_all((unsigned)_i, true, check_one_hot), 0);
}
END_TEST

START_TEST(scales)
{
    for_all((unsigned)_i, true, subject_check_scales);
}
END_TEST

/* Which nibbles each form takes, and the messages for the others. */
static void check_metadata(const subject *s, uint64_t *state)
{
    static tile t;
    static uint64_t d[2048];
    if (!s->sparse)
        return;
    const bool half = s->shape.groups == s->shape.a_k, ordered = strstr(s->name, "ordered") != NULL;
    for (unsigned nibble = 0; nibble < 16; nibble++) {
        const unsigned first = nibble & 3, second = nibble >> 2;
        const bool legal = half ? nibble == 0x4 || nibble == 0xe : ordered ? first < second : first != second;
        lw_error error = { "" };
        memset(&t, 0, sizeof(t));
        fill_index(s, state, &t);
        t.index[s->shape.groups + 1] = (uint8_t)nibble;
        const lw_mma_matrices mat = tile_matrices(&s->shape, &t, d);
        const lw_status st = lw_mma_execute_matrices(s->mma, &mat, NULL);
        ck_assert_msg(st == (legal ? LW_OK : LW_E_UNSUPPORTED), "%s: %x", s->name, nibble);
        ck_assert_int_eq(lw_mma_check_matrices(s->mma, &mat, &error), st);
        ck_assert(legal || strstr(error.text, "row 1, chunk 1"));
    }
}

START_TEST(metadata)
{
    for_all((unsigned)_i, true, check_metadata);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_ptx");
    TCase *tc = tcase_create("ptx");
    tcase_set_timeout(tc, 600);
    tcase_add_unchecked_fixture(tc, load, NULL);
    tcase_add_loop_test(tc, images_and_matrices, 0, SLICES);
    tcase_add_loop_test(tc, integers, 0, SLICES);
    tcase_add_loop_test(tc, one_product, 0, SLICES);
    tcase_add_loop_test(tc, scales, 0, SLICES);
    tcase_add_loop_test(tc, metadata, 0, SLICES);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
