/* SPDX-License-Identifier: MIT */
/* Register images against matrices, through the public layouts; aliasing, poison, constants, the host's
 * modes. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "tiles.h"

enum { LANES = 64, MAX_REGS = 40, ARENA = LANES * MAX_REGS, MAX_ENTRIES = 8192 };

typedef struct images {
    uint32_t a[ARENA], b[ARENA], c[ARENA], index[ARENA], scale_a[ARENA], scale_b[ARENA];
} images;

typedef struct subject {
    lw_arch arch;
    const lw_insn *insn;
    lw_mods mods;
    lw_mma *mma;
    lw_mma_shape shape;
    bool sparse, scaled;
} subject;

static size_t entries_of(const subject *s, lw_operand operand, lw_layout_entry *entries)
{
    lw_layout *layout;
    size_t count;
    lw_error error = { "" };
    ck_assert_msg(lw_layout_create(s->arch, s->insn, operand, 0, &s->mods, &layout, &error) == LW_OK, "%s",
                  error.text);
    ck_assert_int_eq(lw_layout_entries(layout, entries, MAX_ENTRIES, &count), LW_OK);
    ck_assert_uint_le(count, MAX_ENTRIES);
    lw_layout_free(layout);
    return count;
}

static uint64_t bits_at(const uint32_t *image, const lw_layout_entry *e)
{
    uint64_t code = 0;
    for (unsigned bit = e->lsb; bit <= e->msb; bit++)
        code |= (uint64_t)(image[(e->reg + bit / 32) * LANES + e->lane] >> bit % 32 & 1) << (bit - e->lsb);
    return code;
}

/* The matrix that a register image holds; `across`: x counts the rows of a matrix with `width` columns. */
static void to_matrix(const subject *s, lw_operand operand, const uint32_t *image, unsigned rows,
                      unsigned width, unsigned bytes, void *matrix)
{
    static lw_layout_entry entries[MAX_ENTRIES];
    const size_t count = entries_of(s, operand, entries);
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        tile_put(matrix, ((size_t)e->block * rows + e->x) * width + e->y, bytes, bits_at(image, e));
    }
}

static subject make(lw_arch arch, size_t index, const char *mods, bool *accepted)
{
    subject s = { .arch = arch, .insn = lw_insn_at(arch, index) };
    lw_error error = { "" };
    lw_insn_info info;
    *accepted = lw_mods_parse(arch, s.insn, mods, &s.mods, &error) == LW_OK;
    if (!*accepted)
        return s;
    const lw_mma_options options = { .mods = &s.mods };
    ck_assert_msg(lw_mma_create(arch, s.insn, &options, &s.mma, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_mma_get_shape(s.mma, &s.shape), LW_OK);
    lw_insn_get_info(arch, s.insn, &info);
    s.sparse = info.sparse;
    s.scaled = info.scaled;
    return s;
}

static void randomise(images *im, uint64_t *state)
{
    uint32_t *word = im->a;
    for (size_t i = 0; i < sizeof(*im) / sizeof(*word); i++)
        memcpy((char *)im + i * sizeof(*word), &(uint32_t){ (uint32_t)next_random(state) }, sizeof(*word));
    for (size_t i = 0; i < ARENA; i++) {
        im->c[i] = (im->c[i] & 0x83ffffff) | 0x38000000;
        im->scale_a[i] = (im->scale_a[i] & 0x07070707) + 0x7c7c7c7c;
        im->scale_b[i] = (im->scale_b[i] & 0x0f0f0f0f) + 0x78787878;
    }
}

/* D as matrices computed from what the layouts find in the images. */
static void expect(const subject *s, const images *im, void *d)
{
    static tile t;
    const lw_mma_shape *p = &s->shape;
    to_matrix(s, LW_OPERAND_A, im->a, p->m, p->a_k, p->a_bytes, t.a);
    to_matrix(s, LW_OPERAND_B, im->b, p->k, p->n, p->b_bytes, t.b);
    to_matrix(s, s->sparse ? LW_OPERAND_D : LW_OPERAND_C, im->c, p->m, p->n, p->c_bytes, t.c);
    if (s->sparse)
        to_matrix(s, LW_OPERAND_INDEX, im->index, p->m, p->groups, 1, t.index);
    if (s->scaled) {
        to_matrix(s, LW_OPERAND_SCALE_A, im->scale_a, p->m, p->scale_k, 1, t.scale_a);
        to_matrix(s, LW_OPERAND_SCALE_B, im->scale_b, p->n, p->scale_k, 1, t.scale_b);
    }
    const lw_mma_matrices mat = tile_matrices(p, &t, d);
    ck_assert_int_eq(lw_mma_execute_matrices(s->mma, &mat, NULL), LW_OK);
}

/* D's elements are as expected, its other words still poison (as `before` has them). */
static void check_d(const subject *s, const lw_layout_entry *entries, size_t count, const uint32_t *d,
                    const uint32_t *before, const void *want, const char *what)
{
    static bool covered[ARENA];
    lw_insn_info info;
    lw_insn_get_info(s->arch, s->insn, &info);
    memset(covered, 0, sizeof(covered));
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        const size_t n = ((size_t)e->block * s->shape.m + e->x) * s->shape.n + e->y;
        for (unsigned bit = e->lsb; bit <= e->msb; bit++)
            covered[(e->reg + bit / 32) * LANES + e->lane] = true;
        if (bits_at(d, e) != tile_get(want, n, s->shape.d_bytes))
            ck_abort_msg("%s, %s, element %zu", info.mnemonic, what, n);
    }
    for (size_t i = 0; i < ARENA; i++)
        if (!covered[i] && d[i] != before[i])
            ck_abort_msg("%s, %s: word %zu was written", info.mnemonic, what, i);
}

static lw_mma_registers registers_of(const subject *s, const images *im, uint32_t *d)
{
    return (lw_mma_registers){ .a = im->a,
                               .b = im->b,
                               .c = im->c,
                               .d = d,
                               .index = s->sparse ? im->index : NULL,
                               .scale_a = im->scale_a,
                               .scale_b = im->scale_b };
}

static void run_subject(const subject *s, uint64_t *state)
{
    static images im, alias;
    static uint32_t d[ARENA], before[ARENA];
    static uint64_t want[2048];
    static lw_layout_entry places[MAX_ENTRIES];
    const size_t count = entries_of(s, LW_OPERAND_D, places);
    randomise(&im, state);
    expect(s, &im, want);
    memset(d, 0xa5, sizeof(d));
    memcpy(before, d, sizeof(d));
    lw_mma_registers regs = registers_of(s, &im, d);
    ck_assert_int_eq(lw_mma_execute_registers(s->mma, &regs, NULL), LW_OK);
    check_d(s, places, count, d, before, want, "apart");

    uint32_t *const targets[] = { alias.a, alias.b, alias.c, alias.index, alias.a + LANES, alias.c + LANES };
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
        alias = im;
        if ((char *)targets[i] + sizeof(d) > (char *)(&alias + 1))
            continue;
        memcpy(before, targets[i], sizeof(before));
        regs = registers_of(s, &alias, targets[i]);
        ck_assert_int_eq(lw_mma_execute_registers(s->mma, &regs, NULL), LW_OK);
        check_d(s, places, count, targets[i], before, want, "aliased");
    }
}

static void run_row(lw_arch arch, size_t index)
{
    static const char *const mods[] = {
        "",
        "cbsz:1 abid:1",
        "cbsz:2 abid:3",
        "cbsz:4 abid:9",
        "blgp:1",
        "blgp:3",
        "blgp:6",
        "cbsz:1 abid:0 blgp:2",
        "abid:1",
        "abid:3",
        "neg:[1,0,0]",
        "neg:[0,1,1]",
        "cbsz:2 blgp:4",
        "cbsz:3 blgp:0",
        "cbsz:4 blgp:4",
        "cbsz:0 blgp:4 op_sel:[1,0] op_sel_hi:[0,1]",
        "cbsz:4 blgp:4 op_sel:[0,1] op_sel_hi:[1,1]",
    };
    uint64_t state = 77 + index;
    for (size_t m = 0; m < sizeof(mods) / sizeof(mods[0]); m++) {
        bool accepted;
        const subject s = make(arch, index, mods[m], &accepted);
        if (accepted)
            run_subject(&s, &state);
        lw_mma_free(s.mma);
    }
}

START_TEST(images_gfx942)
{
    if ((size_t)_i < lw_insn_count(LW_ARCH_GFX942))
        run_row(LW_ARCH_GFX942, (size_t)_i);
}
END_TEST

START_TEST(images_gfx950)
{
    if ((size_t)_i < lw_insn_count(LW_ARCH_GFX950))
        run_row(LW_ARCH_GFX950, (size_t)_i);
}
END_TEST

START_TEST(constants)
{
    static images im;
    static uint32_t d[ARENA], want[ARENA];
    for (size_t index = 0; index < lw_insn_count(LW_ARCH_GFX950); index++) {
        bool accepted;
        const subject s = make(LW_ARCH_GFX950, index, "", &accepted);
        uint64_t state = index;
        randomise(&im, &state);
        for (size_t i = 0; i < ARENA; i++) {
            const bool high = s.shape.c_bits == 64 && i / LANES % 2;
            im.c[i] = s.shape.c_bits == 64 ? (high ? 0xbfe00000 : 0) : 0x40800000;
            im.scale_a[i] = 0x81818181;
            im.scale_b[i] = 0x7e7e7e7e;
        }
        memset(d, 0, sizeof(d));
        memset(want, 0, sizeof(want));
        lw_mma_registers regs = registers_of(&s, &im, want);
        ck_assert_int_eq(lw_mma_execute_registers(s.mma, &regs, NULL), LW_OK);
        regs.c = regs.scale_a = regs.scale_b = NULL;
        regs.c_constant = s.shape.c_bits == 64 ? UINT64_C(0xbfe0000000000000) : 0x40800000;
        regs.scale_a_constant = 0x81;
        regs.scale_b_constant = 0x7e;
        regs.d = d;
        ck_assert_int_eq(lw_mma_execute_registers(s.mma, &regs, NULL), LW_OK);
        ck_assert_mem_eq(d, want, sizeof(d));
        lw_mma_free(s.mma);
    }
}
END_TEST

/* The caller's floating-point control word neither changes results nor is changed. */
START_TEST(host_modes)
{
#if defined(__x86_64__)
    static images im;
    static uint32_t d[ARENA], want[ARENA];
    static const unsigned words[] = { 0x9fc0, 0x3f80, 0x5f80, 0x7f80, 0xffc0 };
    for (size_t index = 0; index < lw_insn_count(LW_ARCH_GFX950); index++) {
        bool accepted;
        const subject s = make(LW_ARCH_GFX950, index, "", &accepted);
        uint64_t state = index;
        randomise(&im, &state);
        for (size_t i = 0; i < ARENA; i++) {
            im.c[i] &= i % 3 ? UINT32_MAX : 0x807fffff;
            im.a[i] &= 0xbfbfbfbf;
        }
        lw_mma_registers regs = registers_of(&s, &im, want);
        ck_assert_int_eq(lw_mma_execute_registers(s.mma, &regs, NULL), LW_OK);
        regs.d = d;
        memcpy(d, want, sizeof(d));
        for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++) {
            const unsigned saved = _mm_getcsr();
            _mm_setcsr(words[w]);
            const lw_status st = lw_mma_execute_registers(s.mma, &regs, NULL);
            const unsigned after = _mm_getcsr();
            _mm_setcsr(saved);
            ck_assert_int_eq(st, LW_OK);
            ck_assert_uint_eq(after & ~0x3fu, words[w] & ~0x3fu);
            ck_assert_mem_eq(d, want, sizeof(d));
        }
        lw_mma_free(s.mma);
    }
#endif
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mma_registers");
    TCase *tc = tcase_create("registers");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, images_gfx942, 0, 46);
    tcase_add_loop_test(tc, images_gfx950, 0, 68);
    tcase_add_test(tc, constants);
    tcase_add_test(tc, host_modes);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
