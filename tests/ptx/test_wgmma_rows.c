/* SPDX-License-Identifier: MIT */
/*
 * wgmma as an instruction of the tables: spellings and widths compared with what ptxas 13.0 accepts, layouts
 * of every width with the formulas of the PTX ISA's figures read from the place to the element, and
 * descriptors with addresses from CUTLASS's layouts. Products: test_wgmma_products.c.
 */
#include <lanewise/tile.h>

#include "layouts/layout.h"
#include "ptx/wgmma_fixture.h"
#include "shuffle.h"

enum { ROWS = 64, LANES = 128 };

static void check_operands(const csv *t, const lw_insn *insn, const lw_mods *mods, unsigned n)
{
    static const char *const types[] = { "a_type", "b_type", "c_type", "d_type" };
    lw_operand_info info;
    unsigned share = 0;
    for (unsigned o = LW_OPERAND_A; o <= LW_OPERAND_D; o++) {
        ck_assert_int_eq(lw_insn_operand(LW_ARCH_SM_90, insn, (lw_operand)o, mods, &info, NULL), LW_OK);
        ck_assert_str_eq(info.format, csv_get(t, types[o]));
        const unsigned want = o == LW_OPERAND_A ? 4 : o == LW_OPERAND_B ? 0 : UINT32_MAX;
        ck_assert(want == UINT32_MAX || info.registers == want);
    }
    ck_assert_int_eq(sscanf(csv_get(t, "regs_d"), "N/%u xb32", &share), 1);
    ck_assert_uint_eq(info.registers, n / share);
    ck_assert_uint_eq(insn->m, ROWS);
    ck_assert_uint_eq(insn->n, n);
    ck_assert_int_eq(lw_insn_is_sparse(insn), strcmp(csv_get(t, "sparse"), "sp") == 0);
    ck_assert_str_eq(lw_ptx_form_names[insn->ptx->form], csv_get(t, "family"));
}

/* Found by its short name, with words in any order, and only on sm_90. */
static void check_names(const char *text, const lw_insn *insn, const lw_mods *mods, uint64_t *state)
{
    char other[SHUFFLE_MAX], printed[LW_PTX_SPELLING_MAX];
    lw_mods again;
    const lw_insn *none = NULL;
    lw_error error = { "" };
    for (int i = 0; i < 3; i++) {
        shuffle_words(text, true, state, other);
        ck_assert_ptr_eq(parse(other, &again), insn);
        ck_assert_mem_eq(&again, mods, sizeof(again));
    }
    lw_ptx_spell(insn, &mods->ptx, printed);
    ck_assert_str_eq(printed, text);
    ck_assert_ptr_eq(parse(insn->mnemonic, &again), insn);
    ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_100A, text, &none, &again, &error), LW_E_ARCH);
    ck_assert(strstr(error.text, "it is an instruction of sm_90"));
}

START_TEST(every_width_that_ptxas_takes)
{
    csv t;
    uint64_t state = 1;
    size_t legal = 0, refused = 0;
    csv_open(&t, csv_path);
    while (next_wgmma(&t))
        for (unsigned n = 4; n <= MOST_N + 8; n += 4) {
            char text[LW_PTX_SPELLING_MAX];
            const lw_insn *insn = NULL;
            lw_mods mods;
            lw_error error = { "" };
            spell(&t, n, text);
            if (!is_legal(&t, n)) {
                ck_assert_msg(lw_insn_parse(LW_ARCH_SM_90, text, &insn, &mods, &error) == LW_E_NOT_FOUND,
                              "%s", text);
                ck_assert_msg(strstr(error.text, "with N = 8 to 256 by 8"), "%s", error.text);
                refused++;
                continue;
            }
            insn = parse(text, &mods);
            check_operands(&t, insn, &mods, n);
            check_names(text, insn, &mods, &state);
            legal++;
        }
    ck_assert_uint_gt(legal, 2000);
    ck_assert_uint_gt(refused, 2000);
}
END_TEST

START_TEST(every_row_has_a_spelling)
{
    size_t rows = 0;
    for (size_t i = 0; i < lw_insn_row_count; i++) {
        csv t;
        bool any = false;
        if (!lw_ptx_is_warpgroup(&lw_insn_rows[i]))
            continue;
        csv_open(&t, csv_path);
        while (!any && next_wgmma(&t)) {
            char text[LW_PTX_SPELLING_MAX];
            lw_mods mods;
            spell(&t, 8, text);
            any = parse(text, &mods) == &lw_insn_rows[i];
        }
        while (next_wgmma(&t))
            ;
        ck_assert_msg(any, "no spelling means %s", lw_insn_rows[i].mnemonic);
        ck_assert_ptr_nonnull(lw_ptx_part_of(&lw_insn_rows[i]));
        rows++;
    }
    ck_assert_uint_eq(rows, 15);
}
END_TEST

/* ---- Layouts, from the place to the element ---- */

typedef struct element {
    unsigned row, col, k;
} element;

/* From the ISA's figures: D of 32 bits and of halves, A, and metadata by nibbles. */
static element element_at(lw_operand operand, const lw_layout *l, unsigned lane, unsigned bit)
{
    const unsigned w = lane / 32, g = lane % 32 / 4, t = lane % 4, width = l->relation.width;
    const unsigned r = bit / 32, v = bit / width, e = 32 / width, j = bit % 32 / width;
    if (operand == LW_OPERAND_C || operand == LW_OPERAND_D)
        return (element){ 16 * w + g + 8 * (v >> 1 & 1), 8 * (v >> 2) + 2 * t + (v & 1), 0 };
    if (operand == LW_OPERAND_A)
        return (element){ 16 * w + g + 8 * (r & 1), 0, e * t + j + 4 * e * (r >> 1) };
    const unsigned nibble = bit / 4; /* its chunk of k */
    if (lw_elem_rows[lw_insn_elem(l->insn, LW_OPERAND_A, &l->mods)].bits == 8)
        return (element){ 16 * w + g + 8 * (t & 1), 0, nibble + 8 * (t >> 1) };
    return (element){ 16 * w + g + 8 * (nibble / 4), 0, nibble % 4 + 4 * (t & 1) };
}

/* Lanes that hold metadata: all for 8 bits, else two of each four. */
static size_t index_places(const lw_layout *l)
{
    const unsigned bits = lw_elem_rows[lw_insn_elem(l->insn, LW_OPERAND_A, &l->mods)].bits;
    return (size_t)LANES * 8 / (bits == 8 ? 1 : 2);
}

static void check_layout(const char *text, lw_operand operand, const char *selector)
{
    char all[LW_PTX_SPELLING_MAX + 16];
    lw_mods mods;
    lw_layout l;
    lw_error error = { "" };
    snprintf(all, sizeof(all), "%s%s", text, selector);
    const lw_insn *insn = parse(all, &mods);
    ck_assert_msg(lw_layout_build(LW_ARCH_SM_90, insn, operand, 0, &mods, &l, &error) == LW_OK, "%s",
                  error.text);
    ck_assert_uint_eq(l.relation.lanes, LANES);
    const size_t pairs = lw_layout_pairs(&l), full = (size_t)LANES * l.registers * 32 / l.relation.width;
    ck_assert_uint_eq(pairs, operand == LW_OPERAND_INDEX ? index_places(&l) : full);
    uint8_t *seen = calloc(lw_layout_elements_total(&l), 1);
    for (size_t n = 0; n < pairs; n++) {
        const lw_pair p = lw_layout_pair(&l, n);
        const element e = element_at(operand, &l, p.lane, p.bit);
        if (e.row != p.row || e.col != p.col || e.k != p.k)
            ck_abort_msg("%s %s: lane %u bit %u holds row %u col %u k %u", all, lw_operand_name(operand),
                         p.lane, p.bit, p.row, p.col, p.k);
        if (operand == LW_OPERAND_INDEX && lw_elem_rows[lw_insn_elem(insn, LW_OPERAND_A, &mods)].bits != 8)
            ck_assert_uint_eq(p.lane % 4 / 2, mods.ptx.selector);
        ck_assert_uint_eq(seen[lw_layout_ordinal(&l, 0, p.row, p.col, p.k)]++, 0);
    }
    ck_assert_uint_eq(pairs, lw_layout_elements_total(&l));
    free(seen);
}

/* All widths of one instruction with f32 and one with f16; three of the others. */
static bool is_checked(const csv *t, unsigned n)
{
    const bool all = strstr(csv_get(t, "instruction"), "16.f32.f16.f16") ||
                     strstr(csv_get(t, "instruction"), "16.f16.f16.f16");
    return strcmp(csv_get(t, "layouts"), "A=regs,B=desc") == 0 && is_legal(t, n) &&
           (all || n == 8 || n == 48 || n == MOST_N);
}

START_TEST(fragments_lie_as_the_figures_have_them)
{
    csv t;
    size_t checked = 0;
    csv_open(&t, csv_path);
    while (next_wgmma(&t))
        for (unsigned n = 8; n <= MOST_N; n += 8) {
            char text[LW_PTX_SPELLING_MAX];
            if (!is_checked(&t, n))
                continue;
            spell(&t, n, text);
            check_layout(text, LW_OPERAND_D, "");
            checked++;
            if (n > 8)
                continue;
            check_layout(text, LW_OPERAND_C, "");
            check_layout(text, LW_OPERAND_A, "");
            if (strcmp(csv_get(&t, "sparse"), "sp") != 0)
                continue;
            check_layout(text, LW_OPERAND_INDEX, "");
            if (strstr(text, "f16.f16") || strstr(text, "tf32"))
                check_layout(text, LW_OPERAND_INDEX, " selector:1");
        }
    ck_assert_uint_ge(checked, 2 * 32 + 39 * 3);
}
END_TEST

/* Positions computed with CUTLASS's CLayout_64xN, ALayout_64xK and ELayout of wgmma. */
START_TEST(fragments_lie_where_cutlass_has_them)
{
    static const struct {
        const char *insn;
        lw_operand operand;
        unsigned thread, bit, row, col, k;
    } cases[] = {
        { "wgmma.m64n256k16.f32.f16.f16", LW_OPERAND_D, 77, 6 * 32, 43, 10, 0 },
        { "wgmma.m64n256k16.f32.f16.f16", LW_OPERAND_D, 127, 127 * 32, 63, 255, 0 },
        { "wgmma.m64n32k16.f32.f16.f16", LW_OPERAND_D, 5, 13 * 32, 1, 27, 0 },
        { "wgmma.m64n32k16.f16.f16.f16", LW_OPERAND_D, 33, 3 * 32 + 16, 24, 11, 0 },
        { "wgmma.m64n8k16.f32.f16.f16", LW_OPERAND_A, 40, 3 * 32 + 16, 26, 0, 9 },
        { "wgmma.m64n8k32.f32.fp8.fp8", LW_OPERAND_A, 70, 2 * 32 + 24, 33, 0, 27 },
        { "wgmma.m64n8k8.f32.tf32.tf32", LW_OPERAND_A, 99, 32, 56, 0, 3 },
        { "wgmma.sp.m64n8k32.f32.f16.f16", LW_OPERAND_INDEX, 37, 8, 17, 0, 6 },
        { "wgmma.sp.m64n8k64.f32.fp8.fp8", LW_OPERAND_INDEX, 2, 0, 0, 0, 8 },
        { "wgmma.sp.m64n8k64.f32.fp8.fp8", LW_OPERAND_INDEX, 3, 0, 8, 0, 8 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lw_mods mods;
        lw_layout l;
        lw_pair p;
        size_t count = 0;
        const lw_insn *insn = parse(cases[i].insn, &mods);
        ck_assert_int_eq(lw_layout_build(LW_ARCH_SM_90, insn, cases[i].operand, 0, &mods, &l, NULL), LW_OK);
        lw_relation_elements(&l.relation, cases[i].thread, cases[i].bit, &p, 1, &count);
        ck_assert_msg(count == 1 && p.row == cases[i].row && p.col == cases[i].col && p.k == cases[i].k,
                      "%s: row %u col %u k %u", cases[i].insn, p.row, p.col, p.k);
    }
}
END_TEST

/* ---- Shared memory: addresses that make_gmma_desc and CUTLASS's swizzled layouts give ---- */

START_TEST(descriptors_name_the_bytes_that_cutlass_does)
{
    static const struct {
        const char *insn, *mods;
        uint64_t descriptor;
        unsigned column, k, address;
    } cases[] = {
#define PLACE(...) { __VA_ARGS__ },
#include "ptx/wgmma_places.inc"
#undef PLACE
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[128];
        lw_mods mods;
        lw_tile *tile = NULL;
        lw_error error = { "" };
        uint64_t bit = 0;
        snprintf(text, sizeof(text), "%s%s", cases[i].insn, cases[i].mods);
        const lw_insn *insn = parse(text, &mods);
        ck_assert_msg(lw_tile_of_descriptor(LW_ARCH_SM_90, insn, LW_OPERAND_B, &mods, cases[i].descriptor,
                                            &tile, &error) == LW_OK,
                      "%s", error.text);
        ck_assert_int_eq(lw_tile_bit(tile, cases[i].k, cases[i].column, &bit), LW_OK);
        ck_assert_msg(bit == cases[i].address * 8u, "%s: (%u, %u) at %llx", text, cases[i].column, cases[i].k,
                      (unsigned long long)bit / 8);
        lw_tile_free(tile);
    }
}
END_TEST

/* M-major A has the layout of N-major B with 64 columns; a sparse A has half the k. */
START_TEST(a_lies_as_b_does)
{
    lw_mods a_mods, b_mods;
    lw_tile *a = NULL, *b = NULL;
    lw_tile_info info;
    const lw_insn *insn = parse("wgmma.m64n64k16.f32.f16.f16 imm-trans-a:1", &a_mods);
    parse("wgmma.m64n64k16.f32.f16.f16 imm-trans-b:1", &b_mods);
    ck_assert_int_eq(
        lw_tile_of_descriptor(LW_ARCH_SM_90, insn, LW_OPERAND_A, &a_mods, 0x4000004002000400, &a, NULL),
        LW_OK);
    ck_assert_int_eq(
        lw_tile_of_descriptor(LW_ARCH_SM_90, insn, LW_OPERAND_B, &b_mods, 0x4000004002000400, &b, NULL),
        LW_OK);
    for (unsigned mn = 0; mn < ROWS; mn++)
        for (unsigned k = 0; k < 16; k++) {
            uint64_t x = 0, y = 1;
            lw_tile_bit(a, mn, k, &x);
            lw_tile_bit(b, k, mn, &y);
            ck_assert_uint_eq(x, y);
        }
    lw_tile_free(a);
    lw_tile_free(b);
    insn = parse("wgmma.sp.m64n64k64.s32.int8.int8", &a_mods);
    ck_assert_int_eq(
        lw_tile_of_descriptor(LW_ARCH_SM_90, insn, LW_OPERAND_A, NULL, 0x4000004000010000, &a, NULL), LW_OK);
    ck_assert_int_eq(lw_tile_get_info(a, &info), LW_OK);
    ck_assert(info.rows == ROWS && info.cols == 32);
    lw_tile_free(a);
}
END_TEST

static lw_status no_line(void *context, const lw_mma_explain_row *row)
{
    (void)context;
    (void)row;
    return LW_E_ARGUMENT;
}

START_TEST(what_has_no_place_is_refused)
{
    static const struct {
        const char *insn;
        lw_operand operand;
        uint64_t descriptor;
        lw_status status;
        const char *says;
    } cases[] = {
        { "wgmma.m64n64k16.f32.f16.f16", LW_OPERAND_B, 0x4002004000010040, LW_E_UNSUPPORTED,
          "base offset 1" },
        { "wgmma.sp.m64n64k32.f32.f16.f16", LW_OPERAND_B, 0xc000001000010000, LW_E_UNSUPPORTED,
          "32 bytes cannot hold the 64" },
        { "wgmma.m64n64k16.f32.f16.f16", LW_OPERAND_D, 0, LW_E_ARGUMENT, "A and B of wgmma" },
        { "mma.m16n8k16.f32.f16.f16.f32", LW_OPERAND_B, 0, LW_E_ARGUMENT, "A and B of wgmma" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lw_mods mods;
        lw_tile *tile = NULL;
        lw_error error = { "" };
        const lw_insn *insn = parse(cases[i].insn, &mods);
        ck_assert_int_eq(lw_tile_of_descriptor(LW_ARCH_SM_90, insn, cases[i].operand, NULL,
                                               cases[i].descriptor, &tile, &error),
                         cases[i].status);
        ck_assert_msg(strstr(error.text, cases[i].says), "%s", error.text);
        ck_assert_ptr_null(tile);
    }
    lw_mods mods;
    lw_layout l;
    lw_mma *mma = NULL;
    lw_error error = { "" };
    uint32_t none[1] = { 0 };
    const lw_insn *insn = parse("wgmma.m64n64k16.f32.f16.f16", &mods);
    ck_assert_int_eq(lw_layout_build(LW_ARCH_SM_90, insn, LW_OPERAND_B, 0, NULL, &l, &error),
                     LW_E_UNSUPPORTED);
    ck_assert(strstr(error.text, "shared memory"));
    ck_assert_int_eq(lw_mma_create(LW_ARCH_SM_90, insn, NULL, &mma, NULL), LW_OK);
    const lw_mma_registers regs = { .a = none, .b = none, .c = none, .d = none };
    ck_assert_int_eq(lw_mma_execute_registers(mma, &regs, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mma_check_registers(mma, &regs, &error), LW_E_UNSUPPORTED);
    ck_assert(strstr(error.text, "from matrices"));
    uint32_t open = 0;
    ck_assert_int_eq(lw_mma_open_registers(mma, &regs, &open), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mma_explain_registers(mma, &regs, 0, 0, 0, no_line, NULL), LW_E_UNSUPPORTED);
    lw_mma_free(mma);
}
END_TEST

/* The fp8 rows were recorded; everything else of wgmma is from documents and comparisons, or inferred. */
START_TEST(labels_are_those_of_the_lists)
{
    static const struct {
        const char *insn;
        lw_label label;
    } cases[] = {
        { "wgmma.m64n128k32.f32.fp8.fp8", LW_LABEL_RECORDED },
        { "wgmma.m64n8k32.f16.fp8.fp8", LW_LABEL_MEASURED },
        { "wgmma.m64n256k16.f32.f16.f16", LW_LABEL_MEASURED },
        { "wgmma.sp.m64n8k64.f32.fp8.fp8", LW_LABEL_INFERRED },
        { "wgmma.sp.m64n8k32.f32.f16.f16", LW_LABEL_INFERRED },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lw_mods mods;
        lw_mma *mma = NULL;
        lw_mma_evidence e;
        const lw_insn *insn = parse(cases[i].insn, &mods);
        ck_assert_int_eq(lw_mma_create(LW_ARCH_SM_90, insn, NULL, &mma, NULL), LW_OK);
        lw_mma_get_evidence(mma, LW_MMA_FINITE, &e);
        ck_assert_msg(e.label == cases[i].label, "%s: %s", cases[i].insn, lw_label_name(e.label));
        lw_mma_free(mma);
    }
}
END_TEST

/* Modifiers that no spelling gives are refused where they are used. */
START_TEST(integers_are_not_negated)
{
    lw_mods mods;
    lw_mma *mma = NULL;
    lw_error error = { "" };
    const lw_insn *insn = parse("wgmma.m64n64k32.s32.int8.int8", &mods);
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    mods.ptx.neg_a = 1;
    ck_assert_int_eq(lw_mma_create(LW_ARCH_SM_90, insn, &options, &mma, &error), LW_E_UNSUPPORTED);
    ck_assert_msg(strstr(error.text, "imm-scale-a and imm-scale-b of -1"), "%s", error.text);
}
END_TEST

START_TEST(numbers_of_wgmma_are_read_and_printed)
{
    static const char *const good =
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 scale-d:0 imm-scale-b:-1 imm-trans-a:1";
    static const struct {
        const char *text;
        lw_status status;
        const char *says;
    } bad[] = {
        { "wgmma.m64n64k16.f32.f16.f16 imm-scale-a:0", LW_E_FORMAT, "imm-scale-a is 1 or -1" },
        { "wgmma.m64n64k32.f32.fp8.fp8 imm-trans-b:1", LW_E_UNSUPPORTED, "does not take \"imm-trans-b:1\"" },
        { "wgmma.m64n64k32.s32.int8.int8 imm-scale-a:-1", LW_E_UNSUPPORTED,
          "beside its spelling it takes: scale-d" },
        { "wgmma.m64n64k16.f32.f16.f16 scale-d:2", LW_E_FORMAT, "scale-d is 1 or 0" },
        { "wgmma.mma_async.sync.aligned.m64n64k256.s32.b1.b1.xor.popc", LW_E_NOT_FOUND,
          "legal is: .and.popc" },
        { "wgmma.mma_async.sp::ordered_metadata.sync.aligned.m64n64k32.f32.f16.f16", LW_E_NOT_FOUND,
          "legal is: .sp" },
        { "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16.f32", LW_E_FORMAT, "one too many" },
        { "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16", LW_E_FORMAT, "D, A and B" },
        { "wgmma.mma_async.sync.aligned.m64n64k16.f16.bf16.bf16", LW_E_NOT_FOUND, "the type of A is wrong" },
        { "wgmma.fence.sync.aligned", LW_E_UNSUPPORTED, "only wgmma.mma_async multiplies" },
        { "wgmma.m64n128k16.f32.f16.f61", LW_E_NOT_FOUND, "wgmma.m64n128k16.f32.f16.f16" },
    };
    char text[256];
    lw_mods mods;
    const lw_insn *insn = parse(good, &mods);
    ck_assert_int_eq(lw_insn_print(LW_ARCH_SM_90, insn, &mods, text, sizeof(text), NULL), LW_OK);
    ck_assert_str_eq(text, good);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        lw_error error = { "" };
        const lw_status st = lw_insn_parse(LW_ARCH_SM_90, bad[i].text, &insn, &mods, &error);
        ck_assert_msg(st == bad[i].status && strstr(error.text, bad[i].says), "%s: %d %s", bad[i].text, st,
                      error.text);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("wgmma");
    tcase_add_test(tc, every_width_that_ptxas_takes);
    tcase_add_test(tc, every_row_has_a_spelling);
    tcase_add_test(tc, fragments_lie_as_the_figures_have_them);
    tcase_add_test(tc, fragments_lie_where_cutlass_has_them);
    tcase_add_test(tc, descriptors_name_the_bytes_that_cutlass_does);
    tcase_add_test(tc, a_lies_as_b_does);
    tcase_add_test(tc, what_has_no_place_is_refused);
    tcase_add_test(tc, labels_are_those_of_the_lists);
    tcase_add_test(tc, integers_are_not_negated);
    tcase_add_test(tc, numbers_of_wgmma_are_read_and_printed);
    return run_wgmma("ptx_wgmma_rows", tc);
}
