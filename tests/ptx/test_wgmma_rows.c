/* SPDX-License-Identifier: MIT */
/*
 * wgmma as an instruction of the tables: spellings and widths compared with what ptxas 13.0 accepts, layouts
 * of every width with the formulas of the PTX ISA's figures read from the place to the element, descriptors
 * with addresses from CUTLASS's layouts, and products of whole warpgroups with exact sums.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>
#include <lanewise/tile.h>

#include "isa_tables/csv.h"
#include "isa_tables/ptx/wgmma.h"
#include "layouts/layout.h"
#include "shuffle.h"

static const char *const csv_path = LW_SOURCE_DIR "/tests/data/ptx-mma.csv";

enum { MOST_N = 256, ROWS = 64, LANES = 128 };

static bool next_wgmma(csv *t)
{
    while (csv_next(t))
        if (strncmp(csv_get(t, "family"), "wgmma", 5) == 0)
            return true;
    return false;
}

/* Whether ptxas accepts that width, according to the table's note. */
static bool is_legal(const csv *t, unsigned n)
{
    const bool all = strstr(csv_get(t, "note"), "N = 8..256 step 8") != NULL;
    ck_assert(all || strstr(csv_get(t, "note"), "N = 8,16,24,32 then 48..256 step 16"));
    return n >= 8 && n <= MOST_N && n % 8 == 0 && (all || n <= 32 || n % 16 == 0);
}

/* The table's spelling with N columns. */
static void spell(const csv *t, unsigned n, char text[LW_PTX_SPELLING_MAX])
{
    const char *from = csv_get(t, "instruction"), *at = strstr(from, "m64nN");
    ck_assert_ptr_nonnull(at);
    snprintf(text, LW_PTX_SPELLING_MAX, "%.*sm64n%u%s", (int)(at - from), from, n, at + 5);
}

static const lw_insn *parse(const char *text, lw_mods *mods)
{
    const lw_insn *insn = NULL;
    lw_error error = { "" };
    ck_assert_msg(lw_insn_parse(LW_ARCH_SM_90, text, &insn, mods, &error) == LW_OK, "%s: %s", text,
                  error.text);
    return insn;
}

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
        ck_assert_ptr_nonnull(lw_wgmma_part_of(&lw_insn_rows[i]));
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
        struct {
            unsigned mn, k, address;
        } at[6];
    } cases[] = {
        { "wgmma.m64n64k16.f32.f16.f16",
          "",
          0x4000004000010040,
          { { 0, 0, 0x400 },
            { 1, 0, 0x490 },
            { 1, 8, 0x480 },
            { 7, 15, 0x7ee },
            { 8, 0, 0x800 },
            { 63, 15, 0x23ee } } },
        { "wgmma.m64n64k16.f32.f16.f16",
          "",
          0x4000004000010042,
          { { 0, 0, 0x420 },
            { 1, 0, 0x4b0 },
            { 5, 9, 0x6e2 },
            { 5, 9, 0x6e2 },
            { 5, 9, 0x6e2 },
            { 5, 9, 0x6e2 } } },
        { "wgmma.m64n64k32.f32.fp8.fp8",
          "",
          0x4000004000010200,
          { { 3, 17, 0x21a1 },
            { 9, 31, 0x248f },
            { 3, 17, 0x21a1 },
            { 3, 17, 0x21a1 },
            { 3, 17, 0x21a1 },
            { 3, 17, 0x21a1 } } },
        { "wgmma.m64n64k8.f32.tf32.tf32",
          "",
          0x4000004000010200,
          { { 2, 5, 0x2134 },
            { 15, 7, 0x27ec },
            { 2, 5, 0x2134 },
            { 2, 5, 0x2134 },
            { 2, 5, 0x2134 },
            { 2, 5, 0x2134 } } },
        { "wgmma.m64n64k16.f32.f16.f16",
          "",
          0x8000002000010100,
          { { 1, 0, 0x1040 },
            { 2, 0, 0x1090 },
            { 3, 9, 0x10c2 },
            { 6, 0, 0x11b0 },
            { 8, 0, 0x1200 },
            { 8, 0, 0x1200 } } },
        { "wgmma.m64n64k16.f32.f16.f16",
          "",
          0xc000001000010100,
          { { 1, 0, 0x1020 },
            { 3, 0, 0x1060 },
            { 4, 0, 0x1090 },
            { 4, 8, 0x1080 },
            { 15, 15, 0x11ee },
            { 1, 0, 0x1020 } } },
        { "wgmma.m64n64k16.f32.f16.f16",
          "",
          0x0000001000080100,
          { { 1, 0, 0x1010 },
            { 0, 8, 0x1080 },
            { 8, 0, 0x1100 },
            { 9, 9, 0x1192 },
            { 9, 9, 0x1192 },
            { 9, 9, 0x1192 } } },
        { "wgmma.m64n256k16.f32.f16.f16",
          " imm-trans-b:1",
          0x4000004002000400,
          { { 1, 0, 0x4002 },
            { 8, 0, 0x4010 },
            { 64, 0, 0x6000 },
            { 0, 1, 0x4090 },
            { 9, 3, 0x41a2 },
            { 200, 15, 0xa7e0 } } },
        { "wgmma.m64n128k16.f32.f16.f16",
          " imm-trans-b:1",
          0x4000010000400400,
          { { 64, 0, 0x4400 },
            { 0, 8, 0x5000 },
            { 70, 9, 0x549c },
            { 0, 8, 0x5000 },
            { 0, 8, 0x5000 },
            { 0, 8, 0x5000 } } },
        { "wgmma.m64n64k16.f32.bf16.bf16",
          " imm-trans-b:1",
          0x8000002000800400,
          { { 32, 0, 0x4800 },
            { 0, 2, 0x4090 },
            { 40, 11, 0x4ac0 },
            { 0, 2, 0x4090 },
            { 0, 2, 0x4090 },
            { 0, 2, 0x4090 } } },
        { "wgmma.m64n64k16.f32.f16.f16",
          " imm-trans-b:1",
          0x0000002000080400,
          { { 8, 0, 0x4200 },
            { 0, 1, 0x4010 },
            { 0, 8, 0x4080 },
            { 13, 10, 0x42aa },
            { 8, 0, 0x4200 },
            { 8, 0, 0x4200 } } },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char text[128];
        lw_mods mods;
        lw_tile *tile = NULL;
        lw_error error = { "" };
        snprintf(text, sizeof(text), "%s%s", cases[i].insn, cases[i].mods);
        const lw_insn *insn = parse(text, &mods);
        ck_assert_msg(lw_tile_of_descriptor(LW_ARCH_SM_90, insn, LW_OPERAND_B, &mods, cases[i].descriptor,
                                            &tile, &error) == LW_OK,
                      "%s", error.text);
        for (size_t n = 0; n < 6; n++) {
            uint64_t bit = 0;
            ck_assert_int_eq(lw_tile_bit(tile, cases[i].at[n].k, cases[i].at[n].mn, &bit), LW_OK);
            ck_assert_msg(bit == cases[i].at[n].address * 8u, "%s: (%u, %u) at %llx", text, cases[i].at[n].mn,
                          cases[i].at[n].k, (unsigned long long)bit / 8);
        }
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

/* ---- Numbers: small integers are exact in every format ---- */

static unsigned draw(uint64_t *state, unsigned below)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33) % below;
}

/* -2, -1, 0, 1, 2 as codes; unsigned and one-bit types have 0 and 1. */
static uint32_t code_of(const char *format, int value)
{
    static const struct {
        const char *name;
        uint32_t one, two, sign;
    } rows[] = {
        { "f16", 0x3c00, 0x4000, 0x8000 },
        { "bf16", 0x3f80, 0x4000, 0x8000 },
        { "tf32", 0x3f800000, 0x40000000, 1u << 31 },
        { "f32", 0x3f800000, 0x40000000, 1u << 31 },
        { "e4m3", 0x38, 0x40, 0x80 },
        { "e5m2", 0x3c, 0x40, 0x80 },
    };
    const int size = value < 0 ? -value : value;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (strcmp(format, rows[i].name) == 0)
            return (size == 0 ? 0 : size == 1 ? rows[i].one : rows[i].two) | (value < 0 ? rows[i].sign : 0);
    return (uint32_t)value; /* integers and bits */
}

/* A whole number as f16, f32 or s32, in the range of sums of the numbers above. */
static uint32_t sum_code(const char *format, int value)
{
    const uint32_t sign = value < 0;
    uint32_t size = (uint32_t)(value < 0 ? -value : value), exponent = 0;
    if (strcmp(format, "i32") == 0)
        return (uint32_t)value;
    if (size == 0)
        return 0;
    while (size >> (exponent + 1))
        exponent++;
    if (strcmp(format, "f16") == 0)
        return sign << 15 | (exponent + 15) << 10 | ((size << 10 >> exponent) & 0x3ff);
    return sign << 31 | (exponent + 127) << 23 | ((size << 23 >> exponent) & 0x7fffff);
}

typedef struct problem {
    lw_mma_shape s;
    int *a, *b, *c;
    uint8_t *am, *bm, *cm, *dm, *index;
    unsigned per_chunk; /* dense k per nibble */
} problem;

static void put(uint8_t *to, size_t at, unsigned bytes, uint32_t code)
{
    memcpy(to + at * bytes, &code, bytes);
}

static void fill(problem *p, const char *a_type, const char *b_type, uint64_t *state)
{
    static const uint8_t legal[] = { 0x4, 0x8, 0xc, 0x9, 0xd, 0xe }, legal2[] = { 0x4, 0xe };
    const lw_mma_shape *s = &p->s;
    const bool a_plain = strcmp(a_type, "u8") == 0 || strcmp(a_type, "b1") == 0;
    const bool b_plain = strcmp(b_type, "u8") == 0 || strcmp(b_type, "b1") == 0;
    for (size_t i = 0; i < (size_t)s->m * s->a_k; i++) {
        p->a[i] = a_plain ? (int)draw(state, 2) : (int)draw(state, 5) - 2;
        put(p->am, i, s->a_bytes, code_of(a_type, p->a[i]) & (s->a_bytes == 1 ? 0xff : UINT32_MAX));
    }
    for (size_t i = 0; i < (size_t)s->k * s->n; i++) {
        p->b[i] = b_plain ? (int)draw(state, 2) : (int)draw(state, 5) - 2;
        put(p->bm, i, s->b_bytes, code_of(b_type, p->b[i]) & (s->b_bytes == 1 ? 0xff : UINT32_MAX));
    }
    for (size_t i = 0; i < (size_t)s->m * s->n; i++) {
        p->c[i] = (int)draw(state, 101) - 50;
        put(p->cm, i, s->c_bytes, sum_code(s->c_format, p->c[i]));
    }
    p->per_chunk = s->groups ? s->k / s->groups : 1;
    for (size_t i = 0; i < (size_t)s->m * s->groups; i++)
        p->index[i] = p->per_chunk == 2 ? legal2[draw(state, 2)] : legal[draw(state, 6)];
}

/* The k of B that stored value `n` of a row is multiplied with. */
static unsigned dense_k(const problem *p, unsigned row, unsigned n)
{
    const unsigned each = p->per_chunk / 2;
    if (!p->s.groups)
        return n;
    const unsigned nibble = p->index[row * p->s.groups + n / each];
    if (each == 1)
        return 2 * n + (nibble == 0xe);
    return 4 * (n / 2) + (nibble >> 2 * (n % 2) & 3);
}

static void compare(const problem *p, const char *text, int sign, bool adds)
{
    for (unsigned i = 0; i < p->s.m; i++)
        for (unsigned j = 0; j < p->s.n; j++) {
            int sum = 0;
            uint32_t got = 0;
            for (unsigned n = 0; n < p->s.a_k; n++)
                sum += p->a[i * p->s.a_k + n] * p->b[dense_k(p, i, n) * p->s.n + j];
            sum = sign * sum + (adds ? p->c[i * p->s.n + j] : 0);
            memcpy(&got, p->dm + ((size_t)i * p->s.n + j) * p->s.d_bytes, p->s.d_bytes);
            if (got != sum_code(p->s.d_format, sum))
                ck_abort_msg("%s: D(%u, %u) is %x, not %d", text, i, j, got, sum);
        }
}

static void check_product(const char *text, const char *a_type, const char *b_type, int sign, bool adds,
                          uint64_t *state)
{
    enum { MOST = 64 * 1024 };
    static int a[MOST], b[MOST], c[MOST];
    static uint8_t am[4 * MOST], bm[4 * MOST], cm[4 * MOST], dm[4 * MOST], index[MOST];
    problem p = { .a = a, .b = b, .c = c, .am = am, .bm = bm, .cm = cm, .dm = dm, .index = index };
    lw_mods mods;
    lw_mma *mma = NULL;
    lw_error error = { "" };
    uint32_t touched = 0;
    const lw_insn *insn = parse(text, &mods);
    const lw_mma_options options = { .struct_size = sizeof(options), .mods = &mods };
    ck_assert_msg(lw_mma_create(LW_ARCH_SM_90, insn, &options, &mma, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_mma_get_shape(mma, &p.s), LW_OK);
    ck_assert(p.s.m == ROWS && p.s.n == insn->n && p.s.wave == LANES && p.s.insn == insn);
    fill(&p, a_type, b_type, state);
    const lw_mma_matrices mat = { .a = am, .b = bm, .c = cm, .d = dm, .index = p.s.groups ? index : NULL };
    ck_assert_int_eq(lw_mma_check_matrices(mma, &mat, &error), LW_OK);
    memset(dm, 0xa5, sizeof(dm));
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    compare(&p, text, sign, adds);
    memset(dm, 0xa5, sizeof(dm));
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, &touched), LW_OK);
    compare(&p, text, sign, adds);
    lw_mma_free(mma);
}

START_TEST(products_of_small_integers_are_exact)
{
    csv t;
    uint64_t state = 7;
    unsigned number = 0;
    csv_open(&t, csv_path);
    while (next_wgmma(&t)) {
        static const unsigned widths[] = { 8, 24, 64, 256 };
        static const struct {
            const char *mods;
            int sign;
            bool adds;
        } ways[] = { { "", 1, true },
                     { " scale-d:0", 1, false },
                     { " imm-scale-a:-1", -1, true },
                     { " imm-scale-b:-1", -1, true },
                     { " imm-scale-a:-1 imm-scale-b:-1 scale-d:0", 1, false } };
        char text[LW_PTX_SPELLING_MAX + 64];
        const bool real = strstr(csv_get(&t, "extra_operands"), "imm-scale") != NULL;
        for (unsigned w = 0; w < (real ? 5 : 2); w++) {
            spell(&t, widths[number++ % 4], text);
            strcat(text, ways[w].mods);
            check_product(text, csv_get(&t, "a_type"), csv_get(&t, "b_type"), ways[w].sign, ways[w].adds,
                          &state);
        }
        if (real)
            continue;
        spell(&t, 8, text);
        strcat(text, " imm-scale-a:-1");
        const lw_insn *insn = NULL;
        lw_mods mods;
        ck_assert_int_eq(lw_insn_parse(LW_ARCH_SM_90, text, &insn, &mods, NULL), LW_E_UNSUPPORTED);
    }
}
END_TEST

/* The explanation of an element ends with the computed value; undefined metadata is reported with its row. */
static lw_status keep_last(void *context, const lw_mma_explain_row *row)
{
    *(uint64_t *)context = row->bits;
    return LW_OK;
}

START_TEST(elements_are_explained_and_errors_name_rows)
{
    static uint8_t am[64 * 32], bm[64 * 24], index[64 * 16];
    static uint32_t dm[64 * 24];
    uint64_t state = 3;
    lw_mods mods;
    lw_mma *mma = NULL;
    lw_error error = { "" };
    const lw_insn *insn = parse("wgmma.sp.m64n24k64.s32.int8.int8", &mods);
    for (size_t i = 0; i < sizeof(am); i++)
        am[i] = (uint8_t)draw(&state, 256);
    for (size_t i = 0; i < sizeof(bm); i++)
        bm[i] = (uint8_t)draw(&state, 256);
    memset(index, 4, sizeof(index));
    ck_assert_int_eq(lw_mma_create(LW_ARCH_SM_90, insn, NULL, &mma, NULL), LW_OK);
    const lw_mma_matrices mat = { .a = am, .b = bm, .d = dm, .index = index };
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_OK);
    for (unsigned i = 0; i < 64; i += 13)
        for (unsigned j = 0; j < 24; j += 5) {
            uint64_t last = 0;
            ck_assert_int_eq(lw_mma_explain_matrices(mma, &mat, 0, i, j, keep_last, &last), LW_OK);
            ck_assert_uint_eq(last, dm[i * 24 + j]);
        }
    uint64_t unused = 0;
    ck_assert_int_eq(lw_mma_explain_matrices(mma, &mat, 0, 64, 0, keep_last, &unused), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_mma_explain_matrices(mma, &mat, 0, 0, 24, keep_last, &unused), LW_E_ARGUMENT);
    index[37 * 16 + 3] = 5;
    ck_assert_int_eq(lw_mma_execute_matrices(mma, &mat, NULL), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_mma_check_matrices(mma, &mat, &error), LW_E_UNSUPPORTED);
    ck_assert_msg(strstr(error.text, "row 37, chunk 3"), "%s", error.text);
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
    Suite *s = suite_create("ptx_wgmma_rows");
    TCase *tc = tcase_create("wgmma");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, every_width_that_ptxas_takes);
    tcase_add_test(tc, every_row_has_a_spelling);
    tcase_add_test(tc, fragments_lie_as_the_figures_have_them);
    tcase_add_test(tc, fragments_lie_where_cutlass_has_them);
    tcase_add_test(tc, descriptors_name_the_bytes_that_cutlass_does);
    tcase_add_test(tc, a_lies_as_b_does);
    tcase_add_test(tc, what_has_no_place_is_refused);
    tcase_add_test(tc, products_of_small_integers_are_exact);
    tcase_add_test(tc, elements_are_explained_and_errors_name_rows);
    tcase_add_test(tc, labels_are_those_of_the_lists);
    tcase_add_test(tc, numbers_of_wgmma_are_read_and_printed);
    suite_add_tcase(s, tc);
    SRunner *sr = srunner_create(s);
    srunner_run_all(sr, CK_NORMAL);
    const int failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return failed != 0;
}
