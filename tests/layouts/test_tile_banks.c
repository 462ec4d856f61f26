/* SPDX-License-Identifier: MIT */
/*
 * Bank conflicts of tiles in shared memory: figures computed by another program from the definitions of
 * CUTLASS and AMD, and those of a published kernel; conflicts counted a second time.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "layouts/tile/tile.h"

#include <lanewise/lanewise.h>

static lw_tile *tile_of(const char *text, uint32_t rows, uint32_t cols, uint32_t width)
{
    lw_tile *tile = NULL;
    lw_error error = { "" };
    ck_assert_msg(lw_tile_read(text, strlen(text), rows, cols, width, &tile, &error) == LW_OK, "%s: %s", text,
                  error.text);
    return tile;
}

static uint64_t at(const lw_tile *tile, uint32_t row, uint32_t col)
{
    uint64_t bit = 0;
    ck_assert_int_eq(lw_tile_bit(tile, row, col, &bit), LW_OK);
    return bit;
}

static lw_layout *layout_of(const char *arch, const char *name, lw_operand operand)
{
    lw_arch a;
    const lw_insn *insn = NULL;
    lw_layout *layout = NULL;
    ck_assert_int_eq(lw_arch_find(arch, &a), LW_OK);
    ck_assert_int_eq(lw_insn_find(a, name, &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_create(a, insn, operand, 0, NULL, &layout, NULL), LW_OK);
    return layout;
}

/* ---- Conflicts ---- */

#define K32 "v_mfma_f32_16x16x32_f16"
#define MMA "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"

static const struct {
    const char *tile;
    uint32_t cols, degree;
} ldmatrix[] = {
    { "offset = 64*row+col", 64, 8 }, { "Swizzle<2,3,3>", 64, 2 },      { "Swizzle<3,3,3>", 64, 1 },
    { "offset = 32*row+col", 32, 4 }, { "Swizzle<2,3,3>", 32, 1 },      { "offset = 16*row+col", 16, 2 },
    { "Swizzle<1,3,3>", 16, 1 },      { "Swizzle<3,3,3>", 128, 2 },     { "Swizzle<3,3,4>", 128, 1 },
    { "SWIZZLE_128B", 64, 1 },        { "offset = 72*row+col", 64, 1 },
};

START_TEST(rows_of_ldmatrix)
{
    lw_tile *tile = tile_of(ldmatrix[_i].tile, 64, ldmatrix[_i].cols, 16);
    lw_tile_banks banks;
    ck_assert_int_eq(lw_tile_count_ldmatrix(tile, LW_ARCH_SM_80, false, &banks, NULL), LW_OK);
    ck_assert_msg(banks.turns.degree == ldmatrix[_i].degree, "%s: %u", ldmatrix[_i].tile, banks.turns.degree);
    ck_assert_uint_eq(banks.operands, 64 / 8 * (ldmatrix[_i].cols / 8));
    ck_assert_uint_eq(banks.turns.phases, banks.operands);
    lw_tile_free(tile);
}
END_TEST

static const struct {
    const char *arch, *name;
    lw_operand operand;
    const char *tile;
    uint32_t rows, cols, bytes;
    bool store;
    uint32_t accesses, degree;
} loads[] = {
    { "gfx950", K32, LW_OPERAND_A, "(64,64):(64,1)", 64, 64, 16, false, 1, 4 },
    { "gfx950", K32, LW_OPERAND_A, "Swizzle<3,3,3>", 64, 64, 16, false, 1, 1 },
    { "gfx950", K32, LW_OPERAND_B, "(64,64):(1,64)", 64, 64, 16, false, 1, 4 },
    { "gfx950", K32, LW_OPERAND_A, "(64,64):(64,1)", 64, 64, 8, false, 2, 8 },
    { "gfx942", "v_mfma_f32_16x16x16_f16", LW_OPERAND_A, "(16,16):(16,1)", 16, 16, 8, false, 1, 4 },
    { "gfx942", "v_mfma_f32_16x16x16_f16", LW_OPERAND_A, "(16,16):(18,1)", 16, 16, 4, false, 2, 2 },
    { "gfx942", "v_mfma_f32_16x16x16_f16", LW_OPERAND_D, "(16,16):(16,1)", 16, 16, 4, true, 4, 2 },
    { "sm_80", MMA, LW_OPERAND_A, "(64,64):(64,1)", 64, 64, 4, false, 4, 8 },
    { "sm_80", MMA, LW_OPERAND_A, "Swizzle<3,3,3>", 64, 64, 4, false, 4, 1 },
    { "gfx1201", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, "(16,16):(16,1)", 16, 16, 8, false, 2, 4 },
};

/* The turns counted a second time: dwords of each bank in a table, lanes of a phase from the rule. */
static void count_again(const lw_tile *tile, const lw_layout *layout, uint32_t bytes,
                        const lw_bank_rule *rule, lw_bank_turns *turns)
{
    enum { DWORDS = 8192 };
    lw_layout_info info;
    size_t count = 0;
    lw_layout_get_info(layout, &info);
    lw_layout_entries(layout, NULL, 0, &count);
    lw_layout_entry *e = malloc(count * sizeof(*e));
    ck_assert_int_eq(lw_layout_entries(layout, e, count, &count), LW_OK);
    lw_tile_info shape;
    lw_tile_get_info(tile, &shape);
    const uint32_t pieces = (uint32_t)(count / info.wave * info.width / (8 * bytes));
    for (uint32_t row = 0; row < shape.rows; row += info.x_count)
        for (uint32_t col = 0; col < shape.cols; col += info.y_count)
            for (uint32_t piece = 0; piece < pieces; piece++)
                for (unsigned phase = 0; phase < rule->phases; phase++) {
                    static bool asked[DWORDS];
                    unsigned worst = 0;
                    memset(asked, 0, sizeof(asked));
                    for (size_t i = 0; i < count;
                         i++) { /* entries are in the order of bits, hence of values */
                        const uint32_t value = (uint32_t)(32u * e[i].reg + e[i].lsb) / info.width;
                        if (value * info.width / (8 * bytes) == piece && rule->phase[e[i].lane / 4] == phase)
                            asked[at(tile, row + e[i].x, col + e[i].y) / 32] = true;
                    }
                    for (unsigned bank = 0; bank < rule->banks; bank++) {
                        unsigned n = 0;
                        for (unsigned d = bank; d < DWORDS; d += rule->banks)
                            n += asked[d];
                        worst = n > worst ? n : worst;
                    }
                    turns->phases += worst > 0;
                    turns->turns += worst;
                }
    free(e);
}

START_TEST(loads_of_operands)
{
    lw_layout *layout = layout_of(loads[_i].arch, loads[_i].name, loads[_i].operand);
    lw_layout_info info;
    lw_layout_get_info(layout, &info);
    lw_tile *tile = tile_of(loads[_i].tile, loads[_i].rows, loads[_i].cols, info.width);
    lw_tile_banks banks;
    lw_bank_turns again = { .phases = 0 };
    lw_error error = { "" };
    ck_assert_msg(lw_tile_count_banks(tile, layout, loads[_i].bytes, loads[_i].store, &banks, &error) ==
                      LW_OK,
                  "%s", error.text);
    ck_assert_uint_eq(banks.accesses, loads[_i].accesses);
    count_again(tile, layout, loads[_i].bytes, &banks.rule, &again);
    ck_assert_uint_eq(banks.turns.turns, again.turns);
    ck_assert_uint_eq(banks.turns.phases, again.phases);
    ck_assert_msg(banks.turns.degree == loads[_i].degree, "%s %s: %u", loads[_i].name, loads[_i].tile,
                  banks.turns.degree);
    lw_tile_free(tile);
    lw_layout_free(layout);
}
END_TEST

/* 16 rows by four 16-byte chunks per wave, as in a published calculation: 4-way plain, none swizzled, 2-way
 * padded by 16 bytes. */
START_TEST(wide_reads_of_gfx942)
{
    static const struct {
        const char *tile;
        uint32_t degree;
    } cases[] = { { "(16,64):(64,1)", 4 }, { "Swizzle<3,3,3>", 1 }, { "(16,64):(72,1)", 2 } };
    const lw_bank_rule *rule;
    ck_assert_int_eq(lw_bank_rule_find(LW_ARCH_GFX942, false, 16, &rule, NULL), LW_OK);
    for (size_t c = 0; c < 3; c++) {
        lw_tile *tile = tile_of(cases[c].tile, 16, 64, 16);
        lw_bank_access accesses[64];
        lw_bank_turns turns = { .phases = 0 };
        for (uint32_t l = 0; l < 64; l++)
            accesses[l] =
                (lw_bank_access){ .lane = l, .size = 16, .address = at(tile, l % 16, l / 16 * 8) / 8 };
        ck_assert_int_eq(lw_bank_count(rule, accesses, 64, &turns), LW_OK);
        ck_assert_uint_eq(turns.degree, cases[c].degree);
        lw_tile_free(tile);
    }
}
END_TEST

/* A published kernel of a gfx950: rows of 128 bf16, each lane reads 64 bytes in four accesses. It reports
 * eight-way conflicts, and none with its swizzle. */
START_TEST(a_published_swizzle)
{
    static const char *const texts[] = {
        "byte = 256*row + 2*col", "a = 256*row + 2*col; byte = ((a >> 4 & 3 << 4) | (a >> 3 & 1 << 7)) ^ a"
    };
    const lw_bank_rule *rule;
    ck_assert_int_eq(lw_bank_rule_find(LW_ARCH_GFX950, false, 16, &rule, NULL), LW_OK);
    for (unsigned t = 0; t < 2; t++) {
        lw_tile *tile = tile_of(texts[t], 16, 128, 16);
        for (uint32_t n = 0; n < 4; n++) {
            lw_bank_access accesses[64];
            lw_bank_turns turns = { .phases = 0 };
            for (uint32_t l = 0; l < 64; l++)
                accesses[l] = (lw_bank_access){ .lane = l,
                                                .size = 16,
                                                .address = at(tile, l % 16, l / 16 * 32 + n * 8) / 8 };
            ck_assert_int_eq(lw_bank_count(rule, accesses, 64, &turns), LW_OK);
            ck_assert_uint_eq(turns.degree, t ? 1 : 8);
        }
        lw_tile_free(tile);
    }
}
END_TEST

/* Both halves of a warp are served at once if lanes l and l ^ 1 (or l ^ 2) access the same address. */
START_TEST(merged_halves)
{
    static const struct {
        uint32_t divide, phases;
    } cases[] = { { 1, 2 }, { 2, 1 }, { 32, 1 } };
    const lw_bank_rule *rule;
    ck_assert_int_eq(lw_bank_rule_find(LW_ARCH_SM_80, false, 8, &rule, NULL), LW_OK);
    for (size_t c = 0; c < 3; c++) {
        lw_bank_access accesses[32];
        lw_bank_turns turns = { .phases = 0 };
        for (uint32_t l = 0; l < 32; l++)
            accesses[l] = (lw_bank_access){ .lane = l, .size = 8, .address = 8 * (l / cases[c].divide) };
        ck_assert_int_eq(lw_bank_count(rule, accesses, 32, &turns), LW_OK);
        ck_assert_uint_eq(turns.phases, cases[c].phases);
        ck_assert_uint_eq(turns.degree, 1);
    }
}
END_TEST

/* ---- Repairs of conflicts ---- */

/* Every line of the text of a repair is a tile with as few turns as it says. */
static void check_repair(const lw_layout *layout, const lw_tile_repair *repair, uint32_t rows, uint32_t cols,
                         uint32_t width, uint32_t bytes)
{
    for (const char *line = repair->text; *line; line = strchr(line, '\n') + 1) {
        char text[256] = "";
        lw_tile_banks banks;
        memcpy(text, line, (size_t)(strchr(line, '\n') - line));
        lw_tile *tile = tile_of(text, rows, cols, width);
        ck_assert_int_eq(lw_tile_count_banks(tile, layout, bytes, false, &banks, NULL), LW_OK);
        const bool pads = strstr(text, "padded") || text[0] == '(';
        ck_assert_msg(banks.turns.turns == (pads ? repair->padding.turns : repair->swizzle.turns), "%s: %llu",
                      text, (unsigned long long)banks.turns.turns);
        lw_tile_free(tile);
    }
}

START_TEST(repairs)
{
    static const struct {
        const char *arch, *name;
        lw_operand operand;
        uint32_t rows, cols, bytes;
        bool swizzled;
        unsigned b, m, s;
        uint32_t pad;
    } cases[] = {
        { "gfx950", K32, LW_OPERAND_A, 64, 64, 16, true, 2, 5, 3, 32 },
        { "gfx950", K32, LW_OPERAND_B, 64, 64, 16, true, 2, 5, 3, 32 },
        { "gfx950", K32, LW_OPERAND_A, 16, 32, 16, true, 1, 5, 3, 32 },
        { "sm_80", MMA, LW_OPERAND_A, 64, 64, 4, true, 3, 4, 3, 16 },
        { "gfx942", "v_mfma_f32_16x16x16_f16", LW_OPERAND_A, 64, 64, 8, true, 4, 3, 4, 8 },
        { "gfx942", "v_mfma_f32_16x16x16_f16", LW_OPERAND_A, 256, 256, 8, true, 4, 3, 6, 8 },
    };
    for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
        lw_layout *layout = layout_of(cases[c].arch, cases[c].name, cases[c].operand);
        lw_tile_repair repair;
        lw_error error = { "" };
        ck_assert_msg(lw_tile_find_repair(layout, cases[c].rows, cases[c].cols, cases[c].bytes, false,
                                          &repair, &error) == LW_OK,
                      "%s", error.text);
        ck_assert_msg(repair.swizzled == cases[c].swizzled && repair.b == cases[c].b &&
                          repair.m == cases[c].m && repair.s == cases[c].s && repair.pad == cases[c].pad,
                      "case %zu: %u %u %u pad %u", c, repair.b, repair.m, repair.s, repair.pad);
        ck_assert_uint_eq(repair.swizzle.degree, 1);
        ck_assert_uint_eq(repair.padding.degree, 1);
        check_repair(layout, &repair, cases[c].rows, cases[c].cols, 16, cases[c].bytes);
        lw_layout_free(layout);
    }
}
END_TEST

/* How many turns an access of 16 bytes takes after a swizzle of bytes, or with padded rows of 128 bytes. */
static uint64_t turns_of(const lw_bank_access *accesses, unsigned b, unsigned m, unsigned s, uint64_t pad)
{
    lw_bank_access moved[LW_BANK_LANES];
    lw_bank_turns turns = { .phases = 0 };
    const lw_bank_rule *rule;
    ck_assert_int_eq(lw_bank_rule_find(LW_ARCH_GFX950, false, 16, &rule, NULL), LW_OK);
    for (size_t lane = 0; lane < LW_BANK_LANES; lane++) {
        const uint64_t x = accesses[lane].address, mask = ((UINT64_C(1) << b) - 1) << (m + s);
        moved[lane] = accesses[lane];
        moved[lane].address = (x ^ (x & mask) >> s) + x / 128 * pad;
    }
    ck_assert_int_eq(lw_bank_count(rule, moved, LW_BANK_LANES, &turns), LW_OK);
    return turns.turns;
}

/* Accesses that agree in lane 0 alone take different turns; those that are alike take the same ones, whatever
 * is tried. */
START_TEST(accesses_alike)
{
    lw_bank_access rows[LW_BANK_LANES], chunks[LW_BANK_LANES], exchanged[LW_BANK_LANES], below[LW_BANK_LANES],
        fewer[LW_BANK_LANES];
    for (uint32_t l = 0; l < LW_BANK_LANES; l++) {
        rows[l] = (lw_bank_access){ .lane = l, .size = 16, .address = 128 * l };
        chunks[l] = exchanged[l] = below[l] = fewer[l] = rows[l];
        chunks[l].address = 16 * l;
        exchanged[l].address ^= 96;
        below[l].address += 7 * 128 + 32;
        fewer[l].size = l == 63 ? 0 : 16;
    }
    ck_assert(!lw_tile_swizzles_alike(64, 16, rows, chunks));
    ck_assert(!lw_tile_pads_alike(128, rows, chunks));
    ck_assert_uint_gt(turns_of(rows, 0, 0, 0, 0), turns_of(chunks, 0, 0, 0, 0));
    ck_assert(lw_tile_swizzles_alike(64, 16, rows, exchanged));
    ck_assert(lw_tile_pads_alike(128, rows, below));
    ck_assert(!lw_tile_swizzles_alike(64, 16, rows, fewer) && !lw_tile_pads_alike(128, rows, fewer));
    for (unsigned n = 1; n <= 3; n++) {
        ck_assert_uint_eq(turns_of(rows, n, 4, 3, 0), turns_of(exchanged, n, 4, 3, 0));
        ck_assert_uint_eq(turns_of(rows, 0, 0, 0, 16 * n), turns_of(below, 0, 0, 0, 16 * n));
    }
}
END_TEST

/* The second access of the second operand to the right: values 4 to 7 of lanes, at column 32. */
START_TEST(what_lanes_request)
{
    lw_layout *layout = layout_of("gfx950", K32, LW_OPERAND_A);
    lw_tile *tile = tile_of("Swizzle<3,3,3>", 64, 64, 16);
    lw_layout_entry entries[512];
    lw_bank_access asked[LW_BANK_LANES];
    size_t count = 0, found = 0, lanes = 0;
    ck_assert_int_eq(lw_layout_entries(layout, entries, 512, &count), LW_OK);
    ck_assert_int_eq(lw_tile_list_access(tile, layout, 8, 3, asked, LW_BANK_LANES, &lanes, NULL), LW_OK);
    ck_assert_uint_eq(lanes, 64);
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        if (e->reg != 2 || e->lsb != 0)
            continue;
        ck_assert_uint_eq(asked[e->lane].lane, e->lane);
        ck_assert_uint_eq(asked[e->lane].size, 8);
        ck_assert_uint_eq(asked[e->lane].address, at(tile, e->x, 32u + e->y) / 8);
        found++;
    }
    ck_assert_uint_eq(found, 64);
    ck_assert_int_eq(lw_tile_list_access(tile, layout, 8, 16, asked, 64, &lanes, NULL), LW_E_ARGUMENT);
    lw_tile_free(tile);
    lw_layout_free(layout);
}
END_TEST

/* NVIDIA serves 128 bits of eight lanes at a time. */
START_TEST(phases_of_lanes)
{
    const lw_bank_rule *rule;
    unsigned phase = 99;
    ck_assert_int_eq(lw_bank_rule_find(LW_ARCH_SM_80, false, 16, &rule, NULL), LW_OK);
    ck_assert_int_eq(lw_bank_phase(rule, 17, &phase), LW_OK);
    ck_assert_uint_eq(phase, 2);
    ck_assert_int_eq(lw_bank_phase(rule, LW_BANK_LANES, &phase), LW_E_ARGUMENT);
}
END_TEST

START_TEST(refused_accesses)
{
    static const struct {
        const char *arch, *name, *tile;
        uint32_t rows, cols, bytes;
        const char *says;
    } cases[] = {
        { "gfx942", "v_mfma_f32_16x16x16_f16", "(16,16):(16,1)", 16, 16, 16,
          "not a whole number of accesses of 128 bits; the widest access that is possible has 64 bits" },
        { "gfx942", "v_mfma_f32_16x16x16_f16", "(16,16):(1,16)", 16, 16, 8,
          "value 0 of lane 0 on are not adjacent and aligned in the tile; the widest access that is "
          "possible has 16" },
        { "gfx942", "v_mfma_f32_16x16x16_f16", "(16,16):(18,1)", 16, 16, 8, "value 0 of lane 1 on" },
        { "gfx942", "v_mfma_f32_16x16x16_f16", "(16,24):(24,1)", 16, 24, 8,
          "not a whole number of operands" },
        { "gfx942", "v_mfma_f32_4x4x4_16b_f16", "(4,4):(4,1)", 4, 4, 8, "several blocks" },
        { "gfx1250", "v_wmma_f32_16x16x32_f16", "(16,32):(32,1)", 16, 32, 16,
          "gfx1250: how reads of 128 bits share banks is not published" },
        { "sm_90", "wgmma.m64n8k16.f16.f16.f16", "(64,16):(16,1)", 64, 16, 4, "128 lanes of a warpgroup" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        lw_layout *layout = layout_of(cases[i].arch, cases[i].name, LW_OPERAND_A);
        lw_tile *tile = tile_of(cases[i].tile, cases[i].rows, cases[i].cols, 16);
        lw_tile_banks banks;
        lw_error error = { "" };
        ck_assert_int_eq(lw_tile_count_banks(tile, layout, cases[i].bytes, false, &banks, &error),
                         LW_E_UNSUPPORTED);
        ck_assert_msg(strstr(error.text, cases[i].says), "%s", error.text);
        lw_tile_free(tile);
        lw_layout_free(layout);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tile banks");
    TCase *tc = tcase_create("tiles");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, rows_of_ldmatrix, 0, sizeof(ldmatrix) / sizeof(ldmatrix[0]));
    tcase_add_loop_test(tc, loads_of_operands, 0, sizeof(loads) / sizeof(loads[0]));
    tcase_add_test(tc, wide_reads_of_gfx942);
    tcase_add_test(tc, a_published_swizzle);
    tcase_add_test(tc, merged_halves);
    tcase_add_test(tc, repairs);
    tcase_add_test(tc, accesses_alike);
    tcase_add_test(tc, what_lanes_request);
    tcase_add_test(tc, phases_of_lanes);
    tcase_add_test(tc, refused_accesses);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
