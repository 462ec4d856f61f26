/* SPDX-License-Identifier: MIT */
/*
 * The text of AMD's matrix instruction calculator, read: both of its tables in its four formats, transposed
 * or not, as the calculator's source lays them out; lines that its README shows; and texts that are damaged.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { ENTRIES = 2048, TEXT = 1 << 19, CELL = 64, ROWS = 66, COLUMNS = 66 };

typedef enum style { GRID, CSV, MARKDOWN, ASCIIDOC, STYLES } style;

static lw_layout_entry entry[ENTRIES];
static size_t entries;
static char text[TEXT], cell[ROWS][COLUMNS][2][CELL]; /* up to two items, for copies */
static size_t used;

static lw_layout *layout_of(const char *arch, const char *name, lw_operand operand)
{
    lw_arch a;
    const lw_insn *insn = NULL;
    lw_mods mods = { 0 };
    lw_layout *layout = NULL;
    ck_assert_int_eq(lw_arch_find(arch, &a), LW_OK);
    ck_assert_int_eq(lw_insn_parse(a, name, &insn, &mods, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_create(a, insn, operand, 0, &mods, &layout, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_entries(layout, entry, ENTRIES, &entries), LW_OK);
    return layout;
}

#define PUT(...) (used += (size_t)snprintf(text + used, sizeof(text) - used, __VA_ARGS__))

static void name_place(char *out, const lw_layout_entry *e, bool lane)
{
    size_t n = 0;
    if (e->msb > 31)
        n += (size_t)snprintf(out, CELL, "v[%u:%u]", e->reg + 1u, e->reg);
    else
        n += (size_t)snprintf(out, CELL, "v%u", e->reg);
    if (lane)
        n += (size_t)snprintf(out + n, CELL - n, "{%u}", e->lane);
    if ((e->msb + 1 - e->lsb) % 32)
        snprintf(out + n, CELL - n, ".[%u:%u]", e->msb, e->lsb);
}

static void add(unsigned row, unsigned column, const char *item)
{
    ck_assert(row < ROWS && column < COLUMNS);
    const unsigned n = cell[row][column][0][0] != '\0';
    memcpy(cell[row][column][n], item, strlen(item) + 1);
}

static const char *at(unsigned row, unsigned column, bool turned, unsigned item)
{
    return turned ? cell[column][row][item] : cell[row][column][item];
}

static void put_rule(style s, unsigned columns, char line)
{
    for (unsigned c = 0; c < columns; c++)
        PUT("%c------", s == GRID ? '+' : '|');
    if (line == '=')
        for (size_t i = used - 7 * columns; i < used; i++)
            text[i] = text[i] == '-' ? '=' : text[i];
    PUT("%c\n", s == GRID ? '+' : '|');
}

static void put_row(style s, unsigned row, unsigned columns, bool turned)
{
    bool more = false;
    for (unsigned c = 0; c < columns; c++) {
        const char *first = at(row, c, turned, 0), *second = at(row, c, turned, 1);
        more = more || second[0];
        PUT("%s%s", s == CSV ? (c ? "," : "") : "| ", first);
        if (second[0] && s != GRID)
            PUT("%s%s", s == CSV ? " " : s == MARKDOWN ? "<br />" : "\n", second);
        PUT("%s", s == CSV ? "" : " ");
    }
    PUT("%s\n", s == GRID || s == MARKDOWN ? "|" : "");
    for (unsigned c = 0; more && s == GRID && c < columns; c++)
        PUT("| %s %s", at(row, c, turned, 1), c + 1 == columns ? "|\n" : "");
}

static void put_table(style s, unsigned rows, unsigned columns, bool turned)
{
    const unsigned lines = turned ? columns : rows, across = turned ? rows : columns;
    if (s == ASCIIDOC)
        PUT("[cols=\"11<,12<\",options=\"header\"]\n|====\n");
    if (s == GRID)
        put_rule(s, across, '-');
    for (unsigned line = 0; line < lines; line++) {
        put_row(s, line, across, turned);
        if (s == GRID || (s == MARKDOWN && !line))
            put_rule(s, across, s == GRID && !line ? '=' : '-');
    }
    if (s == ASCIIDOC)
        PUT("|====\n");
}

/* The registers of every element. */
static void put_registers(const lw_layout_info *info, style s, bool turned)
{
    const char *letters = info->operand == LW_OPERAND_A ? "MK" : info->operand == LW_OPERAND_B ? "KN" : "MN";
    for (unsigned block = 0; block < info->blocks; block++) {
        char name[CELL];
        memset(cell, 0, sizeof(cell));
        snprintf(name, CELL, "%s[%c][%c]", lw_operand_name(info->operand), letters[turned], letters[!turned]);
        add(0, 0, name);
        for (unsigned n = 0; n < (info->x_count > info->y_count ? info->x_count : info->y_count); n++) {
            snprintf(name, CELL, "%u", n);
            if (n < info->x_count)
                add(n + 1, 0, name);
            if (n < info->y_count)
                add(0, n + 1, name);
        }
        for (size_t i = 0; i < entries; i++)
            if (entry[i].block == block) {
                name_place(name, &entry[i], true);
                add(entry[i].x + 1u, entry[i].y + 1u, name);
            }
        if (info->blocks > 1)
            PUT("Block %u\n", block);
        put_table(s, info->x_count + 1, info->y_count + 1, turned);
    }
}

/* The elements of every register: entries are in the order of bits. */
static void put_elements(const lw_layout_info *info, style s, bool turned)
{
    char name[CELL];
    unsigned columns = 0;
    memset(cell, 0, sizeof(cell));
    add(0, 0, "lane");
    for (unsigned lane = 0; lane < info->wave; lane++) {
        snprintf(name, CELL, "%u", lane);
        add(lane + 1, 0, name);
    }
    for (size_t i = 0; i < entries; i++) {
        const lw_layout_entry *e = &entry[i];
        name_place(name, e, false);
        if (!i || strcmp(cell[0][columns][0], name) != 0)
            add(0, ++columns, name);
        const int n = snprintf(name, CELL, "%s[%u][%u]", lw_operand_name(info->operand), e->x, e->y);
        if (info->blocks > 1)
            snprintf(name + n, CELL - (size_t)n, ".B%u", e->block);
        add(e->lane + 1u, columns, name);
    }
    put_table(s, info->wave + 1, columns + 1, turned);
}

static const struct {
    const char *arch, *name;
    lw_operand operand;
} operands[] = {
    { "gfx942", "v_mfma_f32_16x16x16_f16", LW_OPERAND_A },
    { "gfx942", "v_mfma_f32_16x16x16_f16", LW_OPERAND_B },
    { "gfx90a", "v_mfma_f64_4x4x4f64", LW_OPERAND_D },
    { "gfx942", "v_mfma_i32_16x16x32_i8", LW_OPERAND_A },
    { "gfx1100", "v_wmma_f32_16x16x16_f16", LW_OPERAND_A },
    { "gfx1100", "v_wmma_f16_16x16x16_f16", LW_OPERAND_D },
};
enum { OPERANDS = sizeof(operands) / sizeof(operands[0]), TABLES = 4 * STYLES };

static lw_layout *write_table(unsigned operand, unsigned way)
{
    lw_layout *layout = layout_of(operands[operand].arch, operands[operand].name, operands[operand].operand);
    lw_layout_info info;
    lw_layout_get_info(layout, &info);
    used = 0;
    PUT("%s", operand % 2 ? "Architecture: CDNA3\nInstruction: V_MFMA\n" : "");
    if (way & 1)
        put_elements(&info, (style)(way / 4), way & 2);
    else
        put_registers(&info, (style)(way / 4), way & 2);
    ck_assert_uint_lt(used, sizeof(text));
    return layout;
}

START_TEST(tables)
{
    lw_layout *layout = write_table((unsigned)_i / TABLES, (unsigned)_i % TABLES);
    lw_layout_judgement j;
    lw_error error = { "" };
    ck_assert_msg(lw_layout_judge(layout, text, used, &j, &error) == LW_OK, "%s: %s", error.text, text);
    ck_assert_int_eq(j.notation, LW_NOTATION_CALCULATOR);
    ck_assert_msg(j.verdict == LW_VERDICT_EQUAL, "%s: %s", j.text, text);
    /* exchange two lanes */
    char *place = strstr(text, "{3}"), *lane = strstr(text, "\n3,");
    if (place || lane) {
        (place ? place : lane)[1] = '2';
        ck_assert_int_eq(lw_layout_judge(layout, text, used, &j, &error), LW_OK);
        ck_assert_int_ne(j.verdict, LW_VERDICT_EQUAL);
    }
    lw_layout_free(layout);
}
END_TEST

/* In blocks of exact size: beginnings, and one character changed. */
static void read_damaged(const lw_layout *layout, size_t size, bool cut)
{
    lw_layout_judgement j;
    lw_error error = { "" };
    char *exact = malloc(size ? size : 1);
    ck_assert_ptr_nonnull(exact);
    memcpy(exact, text, size);
    const lw_status st = lw_layout_judge(layout, exact, size, &j, &error);
    ck_assert_msg(st == LW_OK || (st == LW_E_FORMAT && strstr(error.text, "column ")), "%.*s: %s", (int)size,
                  exact, error.text);
    ck_assert_msg(!cut || st != LW_OK || j.verdict != LW_VERDICT_EQUAL, "%.*s", (int)size, exact);
    free(exact);
}

START_TEST(damaged)
{
    static const char signs[] = "(<[{,:=0179lvA|+-\n_. \0";
    lw_layout *layout = write_table(2, (unsigned)_i);
    const size_t last = strlen(strrchr(text, '}') ? strrchr(text, '}') : strrchr(text, ']'));
    for (size_t n = 0; n <= used - last; n += n < 400 ? 1 : 37)
        read_damaged(layout, n, true);
    for (size_t n = 0; n < used; n += n < 400 ? 1 : 37) {
        const char was = text[n];
        text[n] = signs[(n + (size_t)_i) % (sizeof(signs) - 1)];
        read_damaged(layout, used, false);
        text[n] = was;
    }
    lw_layout_free(layout);
}
END_TEST

/* Lines of the README: single elements are right as far as they go, and say so. */
static const struct {
    const char *arch, *name, *text, *says;
    lw_operand operand;
} lines[] = {
    { "gfx90a", "v_mfma_f32_4x4x4f16", "v1{17}.[15:0] = A[1][2].B4\nv1{17}.[31:16] = A[1][3].B4\n",
      "2 of 256", LW_OPERAND_A },
    { "gfx90a", "v_mfma_f32_4x4x4f16",
      "Architecture: CDNA2\nInstruction: V_MFMA_F32_4X4X4F16\nD[3][2].B1 = v3{6}\n", "1 of 256",
      LW_OPERAND_D },
    { "gfx90a", "v_mfma_f64_4x4x4f64",
      "Block "
      "1\nD[M][N],0,1,2,3\n0,v[1:0]{4},v[1:0]{5},v[1:0]{6},v[1:0]{7}\n1,v[1:0]{20},v[1:0]{21},,v[1:0]{23}\n",
      "7 of 64", LW_OPERAND_D },
    { "gfx90a", "v_mfma_f32_16x16x2bf16 cbsz:2 abid:2",
      "Blocks 0, 1, 2, 3\nA[M][K],0,1\n5,v0{37}.[15:0],v0{37}.[31:16]\n", "8 of 128", LW_OPERAND_A },
};

START_TEST(lines_of_the_readme)
{
    lw_layout *layout = layout_of(lines[_i].arch, lines[_i].name, lines[_i].operand);
    lw_layout_judgement j;
    lw_error error = { "" };
    ck_assert_msg(lw_layout_judge(layout, lines[_i].text, strlen(lines[_i].text), &j, &error) == LW_OK, "%s",
                  error.text);
    ck_assert_msg(strstr(j.text, lines[_i].says) != NULL, "%s", j.text);
    lw_layout_free(layout);
}
END_TEST

static const struct {
    const char *text, *error;
} refused[] = {
    { "A[5][7] = v1{21}.[20:16]", "column 25: the place before this has not the 16 bits of an element" },
    { "A[5][7] = v1{21}", "column 17: the place before this has not the 16 bits of an element" },
    { "A[5][7] = v[9:1]{21}", "column 21: the place before this has not the 16 bits of an element" },
    { "A[5][7] = 7", "column 11: a register is expected here: v0{0}" },
    { "A[K][N],0,1", "column 2: [M][K] is expected here" },
    { "A[M][K]", "column 8: a column is expected here" },
    { "A[M][K],0,1\n0,v0{0}.[15:0]", "line 2, column 15: ',' is expected here: the table has 2 columns" },
    { "A[M][K],0\n0,v0{0}.[15:0],v0{0}.[31:16]", "line 2, column 15: the row ends before this" },
    { "lane,v0.[15:0]\n0,B[0][0]", "line 2, column 3: the row ends before this" },
    { "lane,v0.[7:0]\n0,A[0][0]", "column 14: the place before this has not the 16 bits of an element" },
    { "| A[M][K] | x |", "column 13: a number is expected here" },
    { "| A[M][K] | 0 |\n|  | v0{0}.[15:0] |", "line 2, column 4: a number is expected here" },
    { "+---+", "column 6: a table is expected here" },
    { "A[M][K],0\n0,v0{0}.[15:0]<br>", "line 2, column 15: '<br />' is expected here" },
};

START_TEST(refusals)
{
    lw_layout *layout = layout_of("gfx942", "v_mfma_f32_16x16x16_f16", LW_OPERAND_A);
    lw_layout_judgement j;
    lw_error error = { "" };
    ck_assert_int_eq(lw_layout_judge(layout, refused[_i].text, strlen(refused[_i].text), &j, &error),
                     LW_E_FORMAT);
    ck_assert_str_eq(error.text, refused[_i].error);
    lw_layout_free(layout);
}
END_TEST

/* The calculator names k of the dense matrix. */
START_TEST(sparse)
{
    static const char line[] = "A[5][7] = v1{21}.[31:16]";
    lw_layout *layout = layout_of("gfx942", "v_smfmac_f32_16x16x32_f16", LW_OPERAND_A);
    lw_layout_judgement j;
    ck_assert_int_eq(lw_layout_judge(layout, line, sizeof(line) - 1, &j, NULL), LW_E_UNSUPPORTED);
    lw_layout_free(layout);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calculator");
    TCase *tc = tcase_create("calculator");
    tcase_add_loop_test(tc, tables, 0, OPERANDS * TABLES);
    tcase_add_loop_test(tc, damaged, 0, TABLES);
    tcase_add_loop_test(tc, lines_of_the_readme, 0, (int)(sizeof(lines) / sizeof(lines[0])));
    tcase_add_loop_test(tc, refusals, 0, (int)(sizeof(refused) / sizeof(refused[0])));
    tcase_add_test(tc, sparse);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
