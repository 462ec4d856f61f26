/* SPDX-License-Identifier: MIT */
/*
 * Every instruction of every AMD generation in every wave size: register images compared with matrices,
 * integers with plain arithmetic, one product at a time, signs with operands whose signs were changed by
 * hand, copies that differ.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "images.h"

static const lw_arch archs[] = { LW_ARCH_GFX908,  LW_ARCH_GFX90A,  LW_ARCH_GFX1100,
                                 LW_ARCH_GFX1150, LW_ARCH_GFX1201, LW_ARCH_GFX1250 };
static const unsigned waves[] = { 32, 64 };

enum { ARCHS = sizeof(archs) / sizeof(archs[0]) };

/* Calls `check` for every row, wave size and set of modifiers that the row takes; returns the number of
 * calls. */
static unsigned for_all(lw_arch arch, const char *const *mods, size_t count,
                        void (*check)(const subject *s, uint64_t *state))
{
    unsigned calls = 0;
    for (size_t index = 0; index < lw_insn_count(arch); index++)
        for (size_t n = 0; n < 2 * count; n++) {
            subject s;
            uint64_t state = 31 * index + n;
            if (!subject_parse(arch, index, mods[n / 2], waves[n % 2], &s))
                continue;
            check(&s, &state);
            lw_mma_free(s.mma);
            calls++;
        }
    return calls;
}

static const char *const modifiers[] = {
    "",
    "cbsz:1 abid:1",
    "cbsz:2 abid:3",
    "blgp:1",
    "blgp:3",
    "blgp:6",
    "neg_lo:[1,0,0]",
    "neg_lo:[0,1,1] neg_hi:[1,0,1]",
    "neg_lo:[0,0,1]",
    "neg_hi:[0,0,1]",
    "op_sel:[0,0,1]",
    "op_sel:[0,0,1] neg_lo:[0,1,1] neg_hi:[1,0,0]",
    "neg_lo:[1,0,0] clamp",
    "neg_lo:[1,1,0]",
    "clamp",
    "index_key:1",
    "index_key:2",
    "index_key:3 neg_lo:[0,1,0]",
    "matrix_a_fmt:MATRIX_FMT_BF8 matrix_b_fmt:MATRIX_FMT_FP6",
    "matrix_a_fmt:MATRIX_FMT_BF6 matrix_b_fmt:MATRIX_FMT_FP4",
    "matrix_a_fmt:MATRIX_FMT_FP4 matrix_b_fmt:MATRIX_FMT_FP4",
    "matrix_a_scale:MATRIX_SCALE_ROW1",
    "matrix_b_scale:MATRIX_SCALE_ROW1 matrix_a_reuse",
    ("matrix_a_fmt:MATRIX_FMT_FP4 matrix_b_fmt:MATRIX_FMT_FP4 matrix_a_scale_fmt:MATRIX_SCALE_FMT_E4M3 "
     "matrix_b_scale_fmt:MATRIX_SCALE_FMT_E4M3"),
    "matrix_b_fmt:MATRIX_FMT_FP4 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E5M3",
};

enum { MODIFIERS = sizeof(modifiers) / sizeof(modifiers[0]) };

START_TEST(images_and_matrices)
{
    ck_assert_uint_ge(for_all(archs[_i], modifiers, MODIFIERS, subject_run),
                      (unsigned)lw_insn_count(archs[_i]));
}
END_TEST

static void ignore(const subject *s, uint64_t *state)
{
    (void)s;
    (void)state;
}

/* Each of the texts above is used. */
START_TEST(modifiers_are_taken)
{
    unsigned calls = 0;
    for (int a = 0; a < ARCHS; a++)
        calls += for_all(archs[a], &modifiers[_i], 1, ignore);
    ck_assert_msg(calls > 0, "no row takes %s", modifiers[_i]);
}
END_TEST

/* The dense k that stored value j of a row is multiplied with, as the documents state it. */
static unsigned dense_k(const lw_mma_shape *s, const tile *t, unsigned row, unsigned j)
{
    if (!s->groups)
        return j;
    const uint8_t nibble = t->index[row * s->groups + j / 2];
    return j / 2 * 4 + (j % 2 ? nibble >> 2 : nibble & 3);
}

static int64_t value_of(const char *format, unsigned bits, uint64_t code)
{
    return format[0] == 'i' && code >> (bits - 1) ? (int64_t)code - ((int64_t)1 << bits) : (int64_t)code;
}

static int64_t limited(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

/*
 * gfx1201 saturates after the lower half of k and again after the upper half (of stored values if A is
 * sparse); all others saturate once.
 */
static uint32_t int_oracle(const subject *s, const tile *t, unsigned i, unsigned j)
{
    const lw_mma_shape *p = &s->shape;
    const bool stages = s->mods.clamp && s->arch == LW_ARCH_GFX1201;
    int64_t total = (int32_t)tile_get(t->c, i * p->n + j, 4);
    for (unsigned stage = 0; stage < 2; stage++) {
        for (unsigned x = 0; x < p->a_k; x++) {
            if ((x >= p->a_k / 2) != stage)
                continue;
            const uint64_t a = tile_get(t->a, (size_t)i * p->a_k + x, 1);
            const uint64_t b = tile_get(t->b, (size_t)dense_k(p, t, i, x) * p->n + j, 1);
            total += value_of(p->a_format, p->a_bits, a) * value_of(p->b_format, p->b_bits, b);
        }
        if (stages)
            total = limited(total);
    }
    return (uint32_t)(s->mods.clamp ? limited(total) : total);
}

static void check_integers(const subject *s, uint64_t *state)
{
    static tile t;
    static uint32_t d[2048];
    const lw_mma_shape *p = &s->shape;
    if (strcmp(p->d_format, "i32") != 0 || p->blocks != 1)
        return;
    for (int n = 0; n < 4; n++) {
        tile_fill(p, TILE_NORMAL, state, &t);
        const lw_mma_matrices mat = tile_matrices(p, &t, d);
        ck_assert_int_eq(lw_mma_execute_matrices(s->mma, &mat, NULL), LW_OK);
        for (unsigned e = 0; e < (unsigned)p->m * p->n; e++)
            ck_assert_msg(d[e] == int_oracle(s, &t, e / p->n, e % p->n), "%s, element %u: %x, not %x",
                          s->name, e, d[e], int_oracle(s, &t, e / p->n, e % p->n));
    }
}

START_TEST(integers)
{
    static const char *const mods[] = { "",      "neg_lo:[1,0,0]",       "neg_lo:[1,1,0]",
                                        "clamp", "neg_lo:[0,1,0] clamp", "neg_lo:[1,1,0] clamp" };
    ck_assert_uint_gt(for_all(archs[_i], mods, sizeof(mods) / sizeof(mods[0]), check_integers), 0);
}
END_TEST

/* A one in A and a one in B give a single one in D, wherever they are. */
static void check_one_hot(const subject *s, uint64_t *state)
{
    static tile t;
    static uint64_t d[2048];
    const lw_mma_shape *p = &s->shape;
    const uint64_t one_d = one_of(p->d_format, p->d_bits);
    for (unsigned x = 0; x < p->a_k; x++) {
        tile_fill(p, TILE_NORMAL, state, &t);
        const unsigned i = (unsigned)(next_random(state) % p->m), j = (unsigned)(next_random(state) % p->n);
        const unsigned block = (unsigned)(next_random(state) % p->blocks);
        const unsigned k = dense_k(p, &t, i, x);
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
    static const char *const mods[] = { "" };
    ck_assert_uint_gt(for_all(archs[_i], mods, 1, check_one_hot), 0);
}
END_TEST

/* Negates, or makes positive, the elements of an image that `half` selects (0 low, 1 high, 2 all). */
static void change_signs(const subject *s, lw_operand operand, int half, bool positive, uint32_t *image)
{
    static lw_layout_entry entries[MAX_ENTRIES];
    const size_t count = entries_of(s, operand, entries);
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        const uint64_t code = bits_at(s, image, e), sign = UINT64_C(1) << (e->msb - e->lsb);
        if (half == 2 || (e->lsb % 32 >= 16) == (half == 1))
            put_bits(s, image, e, positive ? code & ~sign : code ^ sign);
    }
}

/*
 * D with neg_lo and neg_hi equals D of changed operands without them. B of sparse instructions is negated
 * after values have been selected for the pairs of stored values of A: this equals negating A's stored
 * values.
 */
static void check_signs(const subject *s, uint64_t *state)
{
    static images im, changed;
    static uint32_t with[ARENA], without[ARENA];
    subject plain;
    lw_mods mods = s->mods;
    const lw_operand c = LW_OPERAND_C;
    mods.neg_lo = mods.neg_hi = 0;
    if (s->shape.d_format[0] == 'i')
        return;
    ck_assert(subject_make(s->arch, s->insn, &mods, s->shape.wave, &plain));
    images_fill(s, &im, state);
    changed = im;
    for (int half = 0; half < 2; half++) {
        const unsigned bits = half ? s->mods.neg_hi : s->mods.neg_lo;
        if (bits & 1)
            change_signs(s, LW_OPERAND_A, half, false, changed.a);
        if (bits & 2)
            change_signs(s, s->sparse ? LW_OPERAND_A : LW_OPERAND_B, half, false,
                         s->sparse ? changed.a : changed.b);
    }
    if (s->mods.neg_hi & 4)
        change_signs(s, c, 2, true, changed.c);
    if (s->mods.neg_lo & 4)
        change_signs(s, c, 2, false, changed.c);
    memset(with, 0, sizeof(with));
    memset(without, 0, sizeof(without));
    const lw_mma_registers r = registers_of(s, &im, with), q = registers_of(&plain, &changed, without);
    ck_assert_int_eq(lw_mma_execute_registers(s->mma, &r, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_execute_registers(plain.mma, &q, NULL), LW_OK);
    ck_assert_msg(memcmp(with, without, sizeof(with)) == 0, "%s, neg_lo %u neg_hi %u", s->name,
                  s->mods.neg_lo, s->mods.neg_hi);
    lw_mma_free(plain.mma);
}

START_TEST(scales)
{
    for_all(archs[_i], modifiers, MODIFIERS, subject_check_scales);
}
END_TEST

START_TEST(constants)
{
    for_all(archs[_i], modifiers, MODIFIERS, subject_check_constants);
}
END_TEST

START_TEST(signs)
{
    static const char *const mods[] = { "neg_lo:[1,0,0]",
                                        "neg_hi:[1,0,0]",
                                        "neg_lo:[0,1,0]",
                                        "neg_hi:[0,1,0]",
                                        "neg_lo:[0,0,1]",
                                        "neg_hi:[0,0,1]",
                                        "neg_lo:[1,1,1] neg_hi:[0,1,1]" };
    const bool has = archs[_i] >= LW_ARCH_GFX1100;
    const unsigned calls = for_all(archs[_i], mods, sizeof(mods) / sizeof(mods[0]), check_signs);
    ck_assert(has == (calls != 0));
}
END_TEST

/* D with the bits of op_sel and op_sel_hi that have no effect, and clamp, equals D without them. */
static void check_ignored(const subject *s, uint64_t *state)
{
    static images im;
    static uint32_t with[ARENA], without[ARENA];
    const unsigned half =
        (s->arch == LW_ARCH_GFX1100 || s->arch == LW_ARCH_GFX1150) ? s->mods.op_sel & 4u : 0;
    lw_mods mods = s->mods;
    subject noisy;
    mods.op_sel = (uint8_t)(half | ((s->arch == LW_ARCH_GFX1100 || s->arch == LW_ARCH_GFX1150) ? 3 : 7));
    mods.op_sel_hi = 7;
    mods.clamp = 1;
    if (s->shape.d_bits != 16 || s->sparse)
        return;
    ck_assert(subject_make(s->arch, s->insn, &mods, s->shape.wave, &noisy));
    images_fill(s, &im, state);
    memset(with, 0, sizeof(with));
    memset(without, 0, sizeof(without));
    const lw_mma_registers r = registers_of(&noisy, &im, with), q = registers_of(s, &im, without);
    ck_assert_int_eq(lw_mma_execute_registers(noisy.mma, &r, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_execute_registers(s->mma, &q, NULL), LW_OK);
    ck_assert_msg(memcmp(with, without, sizeof(with)) == 0, "%s, op_sel %u", s->name, mods.op_sel);
    lw_mma_evidence e;
    ck_assert_int_eq(lw_mma_get_evidence(noisy.mma, LW_MMA_FINITE, &e), LW_OK);
    ck_assert_int_eq(e.label == LW_LABEL_INFERRED, strcmp(s->shape.d_format, "f16") == 0);
    lw_mma_free(noisy.mma);
}

START_TEST(ignored)
{
    static const lw_arch rdna[] = { LW_ARCH_GFX1100, LW_ARCH_GFX1201 };
    static const char *const mods[] = { "", "op_sel:[0,0,1]", "neg_lo:[1,0,1] neg_hi:[0,1,1]" };
    ck_assert_uint_gt(for_all(rdna[_i], mods, 3, check_ignored), 0);
}
END_TEST

/* gfx11: if copies of A and B differ, the outputs in a group of 16 lanes come from the group's own copy. */
static void check_copies(const subject *s, uint64_t *state)
{
    static images im, same;
    static uint32_t d[ARENA], own[ARENA];
    const unsigned wave = s->shape.wave;
    uint32_t touched;
    images_fill(s, &im, state);
    memset(d, 0, sizeof(d));
    lw_mma_registers r = registers_of(s, &im, d);
    ck_assert_int_eq(lw_mma_execute_registers(s->mma, &r, &touched), LW_OK);
    ck_assert(!(touched & 1u << LW_MMA_OPERANDS));
    for (unsigned i = 0; i < ARENA; i++)
        im.b[i] ^= i % wave >= 16 ? (uint32_t)(i % wave / 16) << 3 : 0;
    memset(d, 0, sizeof(d));
    ck_assert_int_eq(lw_mma_execute_registers(s->mma, &r, &touched), LW_OK);
    ck_assert(touched & 1u << LW_MMA_OPERANDS);
    for (unsigned group = 0; group < wave / 16; group++) {
        same = im;
        for (unsigned i = 0; i < ARENA; i++) {
            same.a[i] = im.a[i / wave * wave + group * 16 + i % 16];
            same.b[i] = im.b[i / wave * wave + group * 16 + i % 16];
        }
        memset(own, 0, sizeof(own));
        const lw_mma_registers q = registers_of(s, &same, own);
        ck_assert_int_eq(lw_mma_execute_registers(s->mma, &q, NULL), LW_OK);
        for (unsigned i = 0; i < ARENA; i++)
            if (i % wave / 16 == group)
                ck_assert_msg(own[i] == d[i], "%s: word %u of group %u", s->name, i, group);
    }
}

START_TEST(copies)
{
    static const char *const mods[] = { "" };
    ck_assert_uint_eq(for_all(LW_ARCH_GFX1100, mods, 1, check_copies), 2 * lw_insn_count(LW_ARCH_GFX1100));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_generations");
    TCase *tc = tcase_create("generations");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, images_and_matrices, 0, ARCHS);
    tcase_add_loop_test(tc, modifiers_are_taken, 0, MODIFIERS);
    tcase_add_loop_test(tc, integers, 0, ARCHS);
    tcase_add_loop_test(tc, one_product, 0, ARCHS);
    tcase_add_loop_test(tc, scales, 0, ARCHS);
    tcase_add_loop_test(tc, constants, 0, ARCHS);
    tcase_add_loop_test(tc, signs, 0, ARCHS);
    tcase_add_loop_test(tc, ignored, 0, 2);
    tcase_add_test(tc, copies);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
