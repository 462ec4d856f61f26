/* SPDX-License-Identifier: MIT */
/*
 * Layouts of every PTX spelling of one warp, against formulas that go the other way (from the place to the
 * element), and against the register counts of what ptxas accepts.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa_tables/csv.h"
#include "layouts/layout.h"
#include "layouts/ptx_naive.h"

enum { MAX_REGISTERS = 32, MAX_ELEMENTS = 8192, LANES = 32 };

static const lw_arch archs[] = { LW_ARCH_SM_120A, LW_ARCH_SM_100A, LW_ARCH_SM_90,
                                 LW_ARCH_SM_80,   LW_ARCH_SM_75,   LW_ARCH_SM_70 };

/* The element in each place according to the formulas, and how often each element occurs. */
typedef struct expectation {
    bool used[LANES][MAX_REGISTERS * 32];
    ptx_element element[LANES][MAX_REGISTERS * 32];
    size_t places;
} expectation;

static void expect(const ptx_case *c, unsigned registers, expectation *x)
{
    const unsigned slot = ptx_slot_bits(c), wide = slot > 32 ? slot : 32;
    memset(x, 0, sizeof(*x));
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned n = 0; n < registers * 32 / slot; n++) {
            const unsigned bit = n * slot + ptx_offset(c), per = wide / slot;
            x->used[lane][bit] = ptx_find(c, lane, n / per, n % per, &x->element[lane][bit]);
            x->places += x->used[lane][bit];
        }
}

static void compare(const ptx_case *c, const lw_layout *layout)
{
    static expectation x;
    static uint8_t seen[MAX_ELEMENTS];
    memset(seen, 0, sizeof(seen));
    expect(c, layout->registers, &x);
    const size_t elements = lw_layout_elements_total(layout), pairs = lw_layout_pairs(layout);
    ck_assert_uint_le(elements, MAX_ELEMENTS);
    ck_assert_msg(pairs == x.places, "%s %s: %zu places, not %zu", c->spelling, lw_operand_name(c->operand),
                  pairs, x.places);
    for (size_t n = 0; n < pairs; n++) {
        const lw_pair p = lw_layout_pair(layout, n);
        const ptx_element *e = &x.element[p.lane][p.bit];
        if (!x.used[p.lane][p.bit] || e->row != p.row || e->col != p.col || e->k != p.k ||
            e->block != p.block)
            ck_abort_msg("%s %s: lane %u bit %u has row %u col %u k %u block %u", c->spelling,
                         lw_operand_name(c->operand), p.lane, p.bit, p.row, p.col, p.k, p.block);
        x.used[p.lane][p.bit] = false; /* each place once */
        seen[lw_layout_ordinal(layout, p.block, p.row, p.col, p.k)]++;
    }
    for (size_t i = 0; i < elements; i++)
        ck_assert_msg(seen[i] == pairs / elements, "%s %s: element %zu is there %u times", c->spelling,
                      lw_operand_name(c->operand), i, seen[i]);
}

/* "4xb32", "2xf64" in 32-bit registers; 0 for an empty field. */
static unsigned registers_in(const char *field)
{
    unsigned count = 0, bits = 0;
    return sscanf(field, "%ux%*c%u", &count, &bits) == 2 ? count * bits / 32 : 0;
}

static unsigned table_registers(const csv *t, const lw_insn_info *info, lw_operand operand)
{
    static const char *const columns[] = { "regs_a", "regs_b", "regs_c", "regs_d" };
    if (operand > LW_OPERAND_D)
        return 1;
    if (!info->moves)
        return registers_in(csv_get(t, columns[operand]));
    const unsigned a = registers_in(csv_get(t, "regs_a")), d = registers_in(csv_get(t, "regs_d"));
    return a ? a : d;
}

/* Digits to bases and back. The digits have been compared; the bases must give the same pairs. */
static void check_forms(const ptx_case *c, const lw_relation *r)
{
    lw_relation normal, bases, digits;
    bool equal = false;
    ck_assert_msg(lw_relation_normalize(r, &normal) == LW_OK &&
                      lw_relation_to_bases(r, &bases, NULL) == LW_OK &&
                      lw_relation_to_digits(&bases, &digits, NULL) == LW_OK,
                  "%s %s: no bases or no digits", c->spelling, lw_operand_name(c->operand));
    ck_assert_msg(memcmp(&digits, &normal, sizeof(digits)) == 0, "%s %s: other digits", c->spelling,
                  lw_operand_name(c->operand));
    for (size_t n = 0; n < 64; n += 9) { /* a sample of the pairs is in the other; the counts are equal */
        lw_pair p, got[16];
        size_t found = 0, pairs = 0, same = 0;
        lw_relation_pairs(&bases, &pairs);
        lw_relation_pair(&bases, n % pairs, &p);
        lw_relation_elements(r, p.lane, p.bit, got, 16, &found);
        for (size_t i = 0; i < found; i++)
            same += memcmp(&p, &got[i], sizeof(p)) == 0;
        ck_assert_msg(same == 1, "%s %s: pair %zu", c->spelling, lw_operand_name(c->operand), n);
    }
    lw_relation_equal(r, &bases, &equal);
    ck_assert(equal);
}

/* One operand of an instruction; false if it has no such operand. */
static bool check_operand(const csv *t, ptx_case *c, lw_arch arch, const lw_insn *insn, lw_operand operand)
{
    lw_operand_info info;
    lw_layout layout;
    lw_error error = { "" };
    if (!c->info.operand[operand].present)
        return false;
    ck_assert_int_eq(lw_insn_operand(arch, insn, operand, &c->mods, &info, NULL), LW_OK);
    const lw_status st = lw_layout_build(arch, insn, operand, 0, &c->mods, &layout, &error);
    ck_assert_msg(st == LW_OK, "%s %s: %s", c->spelling, lw_operand_name(operand), error.text);
    c->operand = operand;
    c->format = info.format;
    c->bits = info.element_bits;
    ck_assert_msg(layout.registers == table_registers(t, &c->info, operand), "%s %s: %u registers",
                  c->spelling, lw_operand_name(operand), layout.registers);
    ck_assert_uint_eq(layout.relation.lanes, LANES);
    compare(c, &layout);
    check_forms(c, &layout.relation);
    return true;
}

/* One spelling under modifiers that say what `c` does, wherever it is; returns how many operands it has. */
static unsigned check_spelling(const csv *t, ptx_case *c, const char *modifiers)
{
    char text[256];
    const lw_insn *insn;
    unsigned operands = 0, found = 0;
    snprintf(text, sizeof(text), "%s%s", c->spelling, modifiers);
    for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++) {
        if (lw_insn_parse(archs[i], text, &insn, &c->mods, NULL) != LW_OK)
            continue;
        ck_assert_int_eq(lw_insn_get_info(archs[i], insn, &c->info), LW_OK);
        for (int o = 0; o < LW_OPERAND_COUNT; o++)
            operands += check_operand(t, c, archs[i], insn, (lw_operand)o);
        found++;
    }
    ck_assert_msg(found > 0, "%s is nowhere", text);
    return operands / found;
}

static unsigned check_selectors(const csv *t, ptx_case *c)
{
    const unsigned count = 1u + (unsigned)atoi(csv_get(t, "sparsity_selector") +
                                               (strlen(csv_get(t, "sparsity_selector")) == 3 ? 2 : 0));
    unsigned checked = 0;
    for (c->selector = 0; c->selector < count; c->selector++) {
        char text[32];
        snprintf(text, sizeof(text), " selector:%u", c->selector);
        checked += check_spelling(t, c, c->selector ? text : "");
    }
    return checked;
}

/* Every byte and every thread that the form has, the same for A and B if A has as many. */
static unsigned check_scales(const csv *t, ptx_case *c)
{
    const char *vec = csv_get(t, "scale_vec");
    c->scales = strchr(vec, '4') ? 4 : strchr(vec, '2') || !strcmp(csv_get(t, "kind"), "mxf4") ? 2 : 1;
    unsigned checked = 0;
    for (c->byte_id = 0; c->byte_id + c->scales <= 4; c->byte_id += c->scales)
        for (c->thread_id = 0; c->thread_id < 2; c->thread_id++) {
            char text[96];
            snprintf(text, sizeof(text), " byte-id-a:%u thread-id-a:%u byte-id-b:%u thread-id-b:%u",
                     c->byte_id, c->thread_id, c->byte_id, c->thread_id);
            checked += check_spelling(t, c, text);
        }
    return checked;
}

START_TEST(every_spelling_is_laid_out_by_the_formulas)
{
    csv t;
    unsigned spellings = 0, operands = 0;
    csv_open(&t, LW_SOURCE_DIR "/tests/data/ptx-mma.csv");
    while (csv_next(&t)) {
        const char *family = csv_get(&t, "family");
        if (!strncmp(family, "wgmma", 5) || !strncmp(family, "tcgen05", 7))
            continue;
        ptx_case c = { .spelling = csv_get(&t, "instruction") };
        spellings++;
        if (*csv_get(&t, "scale_type"))
            operands += check_scales(&t, &c);
        else if (*csv_get(&t, "sparsity_selector"))
            operands += check_selectors(&t, &c);
        else
            operands += check_spelling(&t, &c, "");
    }
    ck_assert_uint_eq(spellings, 700);
    ck_assert_uint_gt(operands, 2500);
}
END_TEST

/* B's thread-id has a range of its own: 0 to 3. */
START_TEST(scales_of_b_come_from_any_thread)
{
    static const char spelling[] =
        "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.f32.e4m3.e4m3.f32.ue8m0";
    for (unsigned thread = 0; thread < 4; thread++) {
        char text[160];
        const lw_insn *insn;
        lw_mods mods;
        lw_layout layout;
        snprintf(text, sizeof(text), "%s thread-id-b:%u byte-id-b:3", spelling, thread);
        ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_120A, text, &insn, &mods, NULL), LW_OK);
        ck_assert_int_eq(lw_layout_build(LW_ARCH_SM_120A, insn, LW_OPERAND_SCALE_B, 0, &mods, &layout, NULL),
                         LW_OK);
        for (size_t n = 0; n < lw_layout_pairs(&layout); n++) {
            const lw_pair p = lw_layout_pair(&layout, n);
            ck_assert_uint_eq(p.lane, 4u * p.col + thread);
            ck_assert_uint_eq(p.bit, 24);
        }
    }
}
END_TEST

static lw_label evidence_of(lw_arch arch, const char *spelling, lw_operand operand)
{
    const lw_insn *insn;
    lw_mods mods;
    lw_layout layout;
    lw_layout_info info;
    ck_assert_int_eq(lw_insn_parse(arch, spelling, &insn, &mods, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_build(arch, insn, operand, 0, &mods, &layout, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_get_info(&layout, &info), LW_OK);
    return info.evidence;
}

START_TEST(what_is_not_known_is_labelled)
{
    static const char wmma[] = "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32";
    ck_assert_int_eq(evidence_of(LW_ARCH_SM_70, wmma, LW_OPERAND_A), LW_LABEL_UNKNOWN);
    ck_assert_int_eq(evidence_of(LW_ARCH_SM_75, wmma, LW_OPERAND_A), LW_LABEL_VENDOR);
    ck_assert_int_eq(evidence_of(LW_ARCH_SM_80, wmma, LW_OPERAND_A), LW_LABEL_VENDOR);
    ck_assert_int_eq(
        evidence_of(LW_ARCH_SM_90, "mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", LW_OPERAND_INDEX),
        LW_LABEL_VENDOR);
    ck_assert_int_eq(
        evidence_of(LW_ARCH_SM_90, "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", LW_OPERAND_INDEX),
        LW_LABEL_VENDOR);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("PTX layouts");
    TCase *tc = tcase_create("all");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, every_spelling_is_laid_out_by_the_formulas);
    tcase_add_test(tc, scales_of_b_come_from_any_thread);
    tcase_add_test(tc, what_is_not_known_is_labelled);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
