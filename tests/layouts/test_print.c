/* SPDX-License-Identifier: MIT */
/* What lw_layout_print writes, read back and compared with the entries; sinks that fail; filters. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { TEXT_MAX = 1 << 20, ENTRIES_MAX = 8192 };

typedef struct text {
    size_t size;
    int refuse_at; /* the call that fails; 0: none */
    int calls;
    char bytes[TEXT_MAX];
} text;

static text out;

static lw_status collect(void *context, const char *bytes, size_t size)
{
    text *t = context;
    if (++t->calls == t->refuse_at)
        return LW_E_IO;
    ck_assert_uint_lt(t->size + size, TEXT_MAX);
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
    t->bytes[t->size] = '\0';
    return LW_OK;
}

static lw_layout *layout_of(lw_arch arch, const char *name, lw_operand operand, const char *mods_text)
{
    const lw_insn *insn = NULL;
    lw_mods mods;
    lw_layout *layout = NULL;
    ck_assert_int_eq(lw_insn_find(arch, name, &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_mods_parse(arch, insn, mods_text, &mods, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_create(arch, insn, operand, 0, &mods, &layout, NULL), LW_OK);
    return layout;
}

static lw_status print(const lw_layout *layout, lw_layout_format format,
                       const lw_layout_print_options *options)
{
    out.size = 0;
    out.calls = 0;
    out.bytes[0] = '\0';
    return lw_layout_print(layout, format, options, collect, &out, NULL);
}

static const struct {
    lw_arch arch;
    const char *name;
    lw_operand operand;
    const char *mods;
} subjects[] = {
    { LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", LW_OPERAND_A, "" },
    { LW_ARCH_GFX942, "v_mfma_f32_4x4x4_16b_f16", LW_OPERAND_A, "cbsz:2 abid:1" },
    { LW_ARCH_GFX942, "v_mfma_f32_32x32x4_2b_f16", LW_OPERAND_B, "blgp:1" },
    { LW_ARCH_GFX942, "v_mfma_f64_16x16x4_f64", LW_OPERAND_D, "" },
    { LW_ARCH_GFX942, "v_smfmac_f32_16x16x32_f16", LW_OPERAND_INDEX, "abid:3" },
    { LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4", LW_OPERAND_B, "blgp:fp6" },
    { LW_ARCH_GFX950, "v_mfma_scale_f32_32x32x64_f8f6f4", LW_OPERAND_SCALE_B,
      "op_sel:[0,1] op_sel_hi:[0,1]" },
    { LW_ARCH_GFX950, "v_smfmac_f32_32x32x64_fp8_fp8", LW_OPERAND_B, "" },
};

enum { SUBJECTS = sizeof(subjects) / sizeof(subjects[0]) };

static lw_layout *subject(int i)
{
    return layout_of(subjects[i].arch, subjects[i].name, subjects[i].operand, subjects[i].mods);
}

/* Reads lines of seven numbers in `form` and compares them with the entries. */
static void check_lines(const lw_layout *layout, const char *lines, const char *form)
{
    static lw_layout_entry entries[ENTRIES_MAX];
    size_t count = 0, line = 0;
    ck_assert_int_eq(lw_layout_entries(layout, entries, ENTRIES_MAX, &count), LW_OK);
    for (; *lines; lines = strchr(lines, '\n') + 1, line++) {
        const lw_layout_entry *e = &entries[line];
        unsigned v[7] = { 0 };
        int used = 0;
        char again[128];
        if (sscanf(lines, form, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &used) != 7 || line >= count)
            ck_abort_msg("line %zu is \"%.40s\"", line, lines);
        if (v[0] != e->lane || v[1] != e->reg || v[2] != e->lsb || v[3] != e->msb || v[4] != e->block ||
            v[5] != e->x || v[6] != e->y)
            ck_abort_msg("line %zu is \"%.40s\"", line, lines);
        const char sep = form[2];
        snprintf(again, sizeof(again), "%u%c%u%c%u%c%u%c%u%c%u%c%u\n", v[0], sep, v[1], sep, v[2], sep, v[3],
                 sep, v[4], sep, v[5], sep, v[6]);
        if (strncmp(lines, again, strlen(again)) != 0)
            ck_abort_msg("line %zu has other characters: \"%.40s\"", line, lines);
    }
    ck_assert_uint_eq(line, count);
}

START_TEST(listing_and_csv_hold_the_entries)
{
    lw_layout *layout = subject(_i);
    ck_assert_int_eq(print(layout, LW_LAYOUT_LISTING, NULL), LW_OK);
    check_lines(layout, out.bytes, "%u %u %u %u %u %u %u%n");
    ck_assert_int_eq(print(layout, LW_LAYOUT_CSV, NULL), LW_OK);
    const char *head = "lane,reg,lsb,msb,block,x,y\n";
    ck_assert_int_eq(strncmp(out.bytes, head, strlen(head)), 0);
    check_lines(layout, out.bytes + strlen(head), "%u,%u,%u,%u,%u,%u,%u%n");
    lw_layout_free(layout);
}
END_TEST

START_TEST(json_holds_the_entries)
{
    static lw_layout_entry entries[ENTRIES_MAX];
    lw_layout *layout = subject(_i);
    size_t count = 0;
    ck_assert_int_eq(lw_layout_entries(layout, entries, ENTRIES_MAX, &count), LW_OK);
    ck_assert_int_eq(print(layout, LW_LAYOUT_JSON, NULL), LW_OK);
    const char *at = strstr(out.bytes, "\"entries\": [");
    ck_assert_ptr_nonnull(at);
    for (size_t i = 0; i < count; i++) {
        const lw_layout_entry *e = &entries[i];
        char want[160];
        snprintf(
            want, sizeof(want),
            "{ \"lane\": %u, \"reg\": %u, \"lsb\": %u, \"msb\": %u, \"block\": %u, \"x\": %u, \"y\": %u }",
            e->lane, e->reg, e->lsb, e->msb, e->block, e->x, e->y);
        at = strchr(at + 1, '{');
        if (!at || strncmp(at, want, strlen(want)) != 0)
            ck_abort_msg("entry %zu is not %s", i, want);
    }
    ck_assert_ptr_null(strchr(at + 1, '{'));
    lw_layout_free(layout);
}
END_TEST

/* Every cell of an unfolded grid names the place of its element. */
START_TEST(grid_cells_name_places)
{
    lw_layout *layout = layout_of(LW_ARCH_GFX942, "v_mfma_f32_16x16x4_4b_f16", LW_OPERAND_D, "");
    lw_layout_print_options o = lw_layout_print_options_default();
    o.columns = 40;
    ck_assert_int_eq(print(layout, LW_LAYOUT_GRID, &o), LW_OK);
    unsigned cells = 0, block = 0, row = 0, first = 0;
    for (const char *line = strtok(out.bytes, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned v[2] = { 0 };
        ck_assert_uint_le(strlen(line), 40);
        sscanf(line, " block %u", &block);
        if (sscanf(line, "i\\j %u", &v[0]) == 1)
            first = v[0];
        int at = 0, used = 0;
        unsigned col = first;
        if (sscanf(line, "%u%n", &row, &at) != 1)
            continue;
        for (; sscanf(line + at, "%u:v%u%n", &v[0], &v[1], &used) == 2; at += used, col++, cells++) {
            ck_assert_uint_eq(v[0], 16 * (row / 4) + col);
            ck_assert_uint_eq(v[1], 4 * block + row % 4);
        }
    }
    ck_assert_uint_eq(cells, 4 * 16 * 16);
    lw_layout_free(layout);
}
END_TEST

START_TEST(grid_folds_runs_along_k)
{
    const char *const want =
        "A of v_mfma_f32_4x4x4_16b_f16 on gfx942: 16 blocks of 4 x 4 f16, 2 registers of 64 lanes\n"
        "Rows are i, columns are k; a cell is lane:register.\n"
        "Evidence: vendor. Equal to AMD's matrix instruction calculator, element for element.\n"
        "\n"
        "    block 2\n"
        "i\\k  0-1  2-3\n"
        "  0\n"
        "  1 9:v0 9:v1\n"
        "  2\n"
        "  3\n";
    lw_layout *layout = layout_of(LW_ARCH_GFX942, "v_mfma_f32_4x4x4_16b_f16", LW_OPERAND_A, "");
    lw_layout_print_options o = lw_layout_print_options_default();
    o.lane = 9;
    o.block = 2;
    ck_assert_int_eq(print(layout, LW_LAYOUT_GRID, &o), LW_OK);
    ck_assert_str_eq(out.bytes, want);

    o = lw_layout_print_options_default();
    o.colour = true;
    ck_assert_int_eq(print(layout, LW_LAYOUT_GRID, &o), LW_OK);
    ck_assert_ptr_nonnull(strstr(out.bytes, "\033[38;5;166m9:v1\033[0m"));
    o.unfold = true;
    o.colour = false;
    ck_assert_int_eq(print(layout, LW_LAYOUT_GRID, &o), LW_OK);
    ck_assert_ptr_nonnull(strstr(out.bytes, "9:v1[31:16]"));
    lw_layout_free(layout);
}
END_TEST

static unsigned count_of(const char *haystack, const char *needle)
{
    unsigned count = 0;
    for (const char *at = strstr(haystack, needle); at; at = strstr(at + 1, needle))
        count++;
    return count;
}

START_TEST(svg_has_a_cell_per_run)
{
    const unsigned cells[SUBJECTS] = { 16 * 8, 16 * 4 * 2, 2 * 2 * 32, 16 * 16,
                                       16 * 4, 4 * 16,     32 * 2,     16 * 32 };
    lw_layout *layout = subject(_i);
    ck_assert_int_eq(print(layout, LW_LAYOUT_SVG, NULL), LW_OK);
    ck_assert_int_eq(strncmp(out.bytes, "<svg ", 5), 0);
    ck_assert_str_eq(out.bytes + out.size - 7, "</svg>\n");
    ck_assert_uint_eq(count_of(out.bytes, "class=\"l\""), cells[_i]);
    ck_assert_uint_eq(count_of(out.bytes, "<text"), count_of(out.bytes, "</text>"));
    lw_layout_free(layout);
}
END_TEST

START_TEST(filters_keep_what_matches)
{
    lw_layout *layout = layout_of(LW_ARCH_GFX950, "v_mfma_f32_16x16x128_f8f6f4", LW_OPERAND_A, "cbsz:fp6");
    lw_layout_print_options o = lw_layout_print_options_default();
    o.lane = 17;
    o.reg = 1;
    ck_assert_int_eq(print(layout, LW_LAYOUT_LISTING, &o), LW_OK);
    /* register 1 of a 6-bit string: slots 5 (bits 30..35) to 10 (60..65) */
    ck_assert_str_eq(
        out.bytes,
        "17 0 30 35 0 1 37\n17 1 4 9 0 1 38\n17 1 10 15 0 1 39\n17 1 16 21 0 1 40\n17 1 22 27 0 1 41\n"
        "17 1 28 33 0 1 42\n");
    lw_layout_free(layout);
}
END_TEST

START_TEST(filters_outside_the_operand_are_refused)
{
    lw_layout *layout = subject(0);
    for (int which = 0; which < 5; which++) {
        lw_layout_print_options o = lw_layout_print_options_default();
        int *fields[] = { &o.lane, &o.reg, &o.block, &o.x, &o.y };
        const char *say[] = { "lane 0 to 63, not 64", "register 0 to 1, not 2", "block 0 to 0, not 1",
                              "i 0 to 15, not 16", "k 0 to 15, not 16" };
        const int beyond[] = { 64, 2, 1, 16, 16 };
        lw_error error = { { 0 } };
        *fields[which] = beyond[which];
        out.calls = 0;
        ck_assert_int_eq(lw_layout_print(layout, LW_LAYOUT_CSV, &o, collect, &out, &error), LW_E_ARGUMENT);
        ck_assert_msg(strstr(error.text, say[which]) != NULL, "%s", error.text);
        ck_assert_int_eq(out.calls, 0);
    }
    lw_layout_free(layout);
}
END_TEST

START_TEST(a_sink_can_stop_the_writer)
{
    lw_layout *layout = subject(_i);
    for (int format = LW_LAYOUT_LISTING; format <= LW_LAYOUT_SVG; format++)
        for (out.refuse_at = 1; out.refuse_at <= 2; out.refuse_at++) {
            const lw_status st = print(layout, (lw_layout_format)format, NULL);
            ck_assert_int_eq(st, out.calls >= out.refuse_at ? LW_E_IO : LW_OK);
            ck_assert_int_le(out.calls, out.refuse_at);
        }
    out.refuse_at = 0;
    lw_layout_free(layout);
}
END_TEST

START_TEST(bad_arguments_are_refused)
{
    lw_layout *layout = subject(0), *other = NULL;
    lw_layout_entry e;
    lw_layout_format format;
    lw_error error = { { 0 } };
    lw_layout_info info;
    size_t count = 0;
    ck_assert_int_eq(lw_layout_get_info(layout, &info), LW_OK);
    ck_assert_int_eq(lw_layout_get_info(NULL, &info), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_places(layout, 1, 0, 0, &e, 1, &count), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_places(layout, 0, 16, 0, &e, 1, &count), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_elements(layout, 64, 0, &e, 1, &count), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_elements(layout, 0, 2, &e, 1, &count), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_entries(layout, NULL, 1, &count), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_entries(layout, NULL, 0, &count), LW_OK);
    ck_assert_uint_eq(count, 256);
    ck_assert_int_eq(lw_layout_create(LW_ARCH_GFX942, info.insn, LW_OPERAND_A, 32, NULL, &other, &error),
                     LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "64 lanes"));
    ck_assert_int_eq(lw_layout_create(LW_ARCH_GFX942, info.insn, LW_OPERAND_INDEX, 0, NULL, &other, &error),
                     LW_E_ARGUMENT);
    ck_assert_int_eq(lw_layout_create(LW_ARCH_GFX1100, info.insn, LW_OPERAND_A, 0, NULL, &other, &error),
                     LW_E_ARCH);
    ck_assert_ptr_null(other);
    ck_assert_int_eq(lw_layout_format_find("grid", &format), LW_OK);
    ck_assert_int_eq(format, LW_LAYOUT_GRID);
    ck_assert_int_eq(lw_layout_format_find("png", &format), LW_E_NOT_FOUND);
    lw_layout_free(layout);
    lw_layout_free(NULL);
}
END_TEST

/* The label that users see for each kind of layout. */
START_TEST(evidence_is_told_apart)
{
    static const struct {
        lw_arch arch;
        const char *name;
        lw_operand operand;
        const char *mods;
        lw_label evidence;
        const char *note; /* part of it */
    } rows[] = {
        { LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", LW_OPERAND_A, "", LW_LABEL_VENDOR, "" },
        { LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", LW_OPERAND_B, "blgp:1 reading:blgp:pattern",
          LW_LABEL_UNKNOWN, "" },
        { LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", LW_OPERAND_D, "blgp:1 reading:blgp:pattern",
          LW_LABEL_VENDOR, "" },
        { LW_ARCH_GFX950, "v_mfma_f32_16x16x16_f16", LW_OPERAND_A, "", LW_LABEL_INFERRED,
          "The rule of CDNA3" },
        { LW_ARCH_GFX950, "v_mfma_f32_16x16x32_f16", LW_OPERAND_A, "", LW_LABEL_INFERRED, "twice the k" },
        { LW_ARCH_GFX950, "v_smfmac_f32_16x16x32_f16", LW_OPERAND_B, "", LW_LABEL_UNKNOWN, "" },
        { LW_ARCH_GFX950, "v_smfmac_f32_16x16x64_f16", LW_OPERAND_B, "", LW_LABEL_MEASURED, "" },
        { LW_ARCH_GFX950, "v_smfmac_f32_16x16x64_f16", LW_OPERAND_INDEX, "abid:1", LW_LABEL_VENDOR, "" },
        { LW_ARCH_GFX950, "v_mfma_scale_f32_16x16x128_f8f6f4", LW_OPERAND_SCALE_A, "", LW_LABEL_MEASURED,
          "" },
        { LW_ARCH_GFX90A, "v_mfma_f64_16x16x4f64", LW_OPERAND_B, "blgp:1 reading:blgp:pattern",
          LW_LABEL_UNKNOWN, "the reading that was given" },
        { LW_ARCH_GFX90A, "v_mfma_f32_16x16x16f16", LW_OPERAND_B, "blgp:1", LW_LABEL_VENDOR, "calculator" },
        { LW_ARCH_GFX908, "v_mfma_f32_16x16x16f16", LW_OPERAND_B, "blgp:1", LW_LABEL_VENDOR, "calculator" },
        { LW_ARCH_GFX1100, "v_wmma_f32_16x16x16_f16", LW_OPERAND_A, "", LW_LABEL_VENDOR, "hold a copy" },
        { LW_ARCH_GFX1250, "v_wmma_f32_16x16x32_f16", LW_OPERAND_A, "", LW_LABEL_VENDOR,
          "Kernel's parameters" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        lw_layout *layout = layout_of(rows[i].arch, rows[i].name, rows[i].operand, rows[i].mods);
        lw_layout_info info;
        ck_assert_int_eq(lw_layout_get_info(layout, &info), LW_OK);
        ck_assert_msg(info.evidence == rows[i].evidence && strstr(info.note, rows[i].note), "%s %s: %s: %s",
                      rows[i].name, rows[i].mods, lw_label_name(info.evidence), info.note);
        lw_layout_free(layout);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("layout print");
    TCase *tc = tcase_create("all");
    tcase_add_loop_test(tc, listing_and_csv_hold_the_entries, 0, SUBJECTS);
    tcase_add_loop_test(tc, json_holds_the_entries, 0, SUBJECTS);
    tcase_add_loop_test(tc, svg_has_a_cell_per_run, 0, SUBJECTS);
    tcase_add_test(tc, grid_cells_name_places);
    tcase_add_test(tc, grid_folds_runs_along_k);
    tcase_add_test(tc, filters_keep_what_matches);
    tcase_add_test(tc, filters_outside_the_operand_are_refused);
    tcase_add_loop_test(tc, a_sink_can_stop_the_writer, 0, SUBJECTS);
    tcase_add_test(tc, bad_arguments_are_refused);
    tcase_add_test(tc, evidence_is_told_apart);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
