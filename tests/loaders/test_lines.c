/* SPDX-License-Identifier: MIT */
/*
 * Line tables written by hand, byte by byte from the text of DWARF 5, section 6.2, replacing that of a
 * compiled file; damaged ones; and queries of a program. lines.py compares with llvm-dwarfdump.
 */
#include "loaders/lines.h"
#include "tests/loaders/fixture.h"

enum { CODE = 0x1b00 }; /* address of the first kernel of lines_v4.co */

/* ---- A file with another .debug_line ---- */

static uint64_t read_field(const uint8_t *p, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++)
        value |= (uint64_t)p[i] << (8 * i);
    return value;
}

static void put(uint8_t *p, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

/* The section header with that name. */
static uint8_t *section_header(const fixture *f, const char *name)
{
    uint8_t *table = f->data + read_field(f->data + 40, 8);
    const uint64_t count = read_field(f->data + 60, 2);
    const uint8_t *names = f->data + read_field(table + 64 * read_field(f->data + 62, 2) + 24, 8);
    for (uint64_t i = 0; i < count; i++)
        if (strcmp((const char *)names + read_field(table + 64 * i, 4), name) == 0)
            return table + 64 * i;
    ck_abort_msg("no section %s", name);
    return NULL;
}

static lw_program *load_bytes(const fixture *f, uint64_t limit)
{
    lw_load_options options = lw_load_options_default();
    lw_program *program = NULL;
    lw_error error = { "" };
    options.memory_limit = limit;
    ck_assert_msg(lw_program_load(f->data, f->size, &options, &program, &error) == LW_OK, "%s", error.text);
    return program;
}

/* lines_v5.co with this table; its bytes are in a block of their own at the end of the file. */
static lw_program *with_table(const uint8_t *table, size_t size)
{
    fixture f = read_fixture("lines_v5.co");
    f.data = realloc(f.data, f.size + size);
    ck_assert_ptr_nonnull(f.data);
    uint8_t *header = section_header(&f, ".debug_line");
    put(header + 24, f.size, 8);
    put(header + 32, size, 8);
    memcpy(f.data + f.size, table, size);
    f.size += size;
    lw_program *program = load_bytes(&f, 0);
    free(f.data);
    return program;
}

typedef struct table {
    uint8_t bytes[512];
    size_t size, header; /* header: where header_length counts from */
    int version;
} table;

static void add(table *t, const void *bytes, size_t size)
{
    ck_assert_uint_le(t->size + size, sizeof(t->bytes));
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}
#define ADD(t, ...) add(t, (const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ }))

/* Up to the standard opcode lengths: min_inst_length 4, line_base -3, line_range 12, opcode_base `base`. */
static table begin_table(int version, uint8_t max_ops, uint8_t base)
{
    static const uint8_t lengths[] = { 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2, 0 };
    table t = { .version = version };
    ADD(&t, 0, 0, 0, 0, (uint8_t)version, 0);
    if (version >= 5)
        ADD(&t, 8, 0);
    ADD(&t, 0, 0, 0, 0);
    t.header = t.size;
    ADD(&t, 4);
    if (version >= 4)
        ADD(&t, max_ops);
    ADD(&t, 1, (uint8_t)-3, 12, base);
    add(&t, lengths, base - 1u);
    return t;
}

static void end_header(table *t)
{
    put(t->bytes + t->header - 4, t->size - t->header, 4);
}

static void set_address(table *t, uint64_t address)
{
    uint8_t bytes[] = { 0, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0 };
    put(bytes + 3, address, 8);
    add(t, bytes, sizeof(bytes));
}

static lw_program *end_table(table *t)
{
    put(t->bytes, t->size - 4, 4);
    return with_table(t->bytes, t->size);
}

static void check_line(const lw_program *p, uint64_t address, const char *file, uint32_t line,
                       uint32_t column)
{
    lw_line got;
    lw_error error = { "" };
    ck_assert_msg(lw_program_line(p, address, &got, &error) == LW_OK, "0x%llx: %s",
                  (unsigned long long)address, error.text);
    ck_assert_str_eq(got.file, file);
    ck_assert_uint_eq(got.line, line);
    ck_assert_uint_eq(got.column, column);
}

static void check_none(const lw_program *p, uint64_t address, lw_status status, const char *says)
{
    lw_line got = { "kept", 7, 8 };
    lw_error error = { "" };
    ck_assert_int_eq(lw_program_line(p, address, &got, &error), status);
    ck_assert_msg(strstr(error.text, says) != NULL, "%s", error.text);
    ck_assert(strcmp(got.file, "kept") == 0 && got.line == 7 && got.column == 8);
}

/* ---- Line number programs ---- */

static void add_old_files(table *t)
{
    static const char names[] = "inc\0/abs\0\0one.c\0\0\0\0two.c\0\1\0\0/x/three.c\0\2\0\0\0";
    add(t, names, sizeof(names) - 1);
    end_header(t);
}

/* Every standard opcode, two unknown ones, and the paths of all kinds of files. */
START_TEST(standard_opcodes)
{
    table t = begin_table(2 + _i, 1, 15);
    add_old_files(&t);
    set_address(&t, CODE);
    ADD(&t, 5, 9, 3, 0xe3, 0x00, 1);       /* column 9, line 1 + 99, copy: CODE */
    ADD(&t, 2, 2, 4, 2, 3, 0x9d, 0x7f, 1); /* +8, file 2, line 100 - 99 */
    ADD(&t, 8, 1);                         /* + 4 * ((255 - 15) / 12) = 80 */
    ADD(&t, 9, 0x10, 0x01, 4, 3, 1);       /* + 0x110 bytes, file 3 */
    ADD(&t, 6, 7, 10, 11, 12, 5, 13, 1, 0x81, 0x00, 14, 1);
    ADD(&t, 15 + 12 + 4);                  /* special: + 4, line + 1 */
    ADD(&t, 0, 2, 4, 3, 0, 3, 0x80, 1, 2); /* a discriminator; an opcode of a vendor */
    ADD(&t, 0, 10, 3, 'n', 'e', 'w', '.', 'c', 0, 1, 0, 0, 4, 4, 1); /* a fourth file */
    ADD(&t, 2, 1, 4, 77, 1, 2, 1, 0, 1, 1);
    lw_program *p = end_table(&t);
    check_line(p, CODE, "one.c", 100, 9);
    check_line(p, CODE + 7, "one.c", 100, 9);
    check_line(p, CODE + 8, "inc/two.c", 1, 9);
    check_line(p, CODE + 88, "inc/two.c", 1, 9);
    check_line(p, CODE + 88 + 0x10f, "inc/two.c", 1, 9);
    check_line(p, CODE + 88 + 0x110, "/x/three.c", 1, 9);
    check_line(p, CODE + 92 + 0x110, "inc/new.c", 2, 9);
    check_none(p, CODE + 96 + 0x110, LW_E_NOT_FOUND, "names no file for address 0x1c70");
    check_none(p, CODE + 100 + 0x110, LW_E_NOT_FOUND, "nothing for address 0x1c74");
    check_none(p, CODE - 1, LW_E_NOT_FOUND, "nothing for address 0x1aff");
    lw_program_free(p);
}
END_TEST

/* Two operations per instruction (section 6.2.5.1): the address moves with every second one. */
START_TEST(several_operations_an_instruction)
{
    table t = begin_table(4, 2, 13);
    add_old_files(&t);
    set_address(&t, CODE);
    ADD(&t, 13 + 12 + 4); /* operation 1 of CODE, line 2 */
    ADD(&t, 13 + 12 + 4); /* operation 0 of CODE + 4, line 3 */
    ADD(&t, 2, 5, 1);     /* operation 1 of CODE + 12, line 3 */
    ADD(&t, 8, 3, 1, 1);  /* + 20 operations: CODE + 52 */
    ADD(&t, 2, 1, 0, 1, 1);
    lw_program *p = end_table(&t);
    check_line(p, CODE, "one.c", 2, 0);
    check_line(p, CODE + 4, "one.c", 3, 0);
    check_line(p, CODE + 51, "one.c", 3, 0);
    check_line(p, CODE + 52, "one.c", 4, 0);
    check_none(p, CODE + 56, LW_E_NOT_FOUND, "nothing for address");
    lw_program_free(p);
}
END_TEST

/* Where opcode_base is below 13 the opcodes from it on are special ones. */
START_TEST(fewer_standard_opcodes)
{
    table t = begin_table(3, 1, 10);
    add_old_files(&t);
    set_address(&t, CODE);
    ADD(&t, 1, 10 + 12 + 5, 12 /* line - 1, same address */, 2, 1, 0, 1, 1);
    lw_program *p = end_table(&t);
    check_line(p, CODE, "one.c", 1, 0);
    check_line(p, CODE + 4, "one.c", 2, 0);
    lw_program_free(p);
}
END_TEST

/* Files described in all forms; content types of vendors are skipped. */
START_TEST(forms_of_version_5)
{
    table t = begin_table(5, 1, 13);
    ADD(&t, 1, 1, 0x08, 2, '/', 'b', 0, 's', 'u', 'b', 0); /* directories: "/b", "sub" */
    ADD(&t, 8, 1, 0x08, 2, 0x0f, 3, 0x09, 4, 0x06, 5, 0x1e, 6, 0x07, 7, 0x0b, 0x81, 0x40, 0x05);
    ADD(&t, 2);
    for (int i = 0; i < 2; i++) {
        ADD(&t, (uint8_t)('m' + i), '.', 'c', 0, (uint8_t)i, 2, 1, 1);
        ADD(&t, 1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
        ADD(&t, 1, 2, 3, 4, 5, 6, 7, 8, 1, 1, 2);
    }
    end_header(&t);
    set_address(&t, CODE);
    ADD(&t, 1, 4, 0, 13 + 12 + 3, 2, 1, 0, 1, 1);
    lw_program *p = end_table(&t);
    check_line(p, CODE, "/b/sub/n.c", 1, 0);
    check_line(p, CODE + 4, "/b/m.c", 1, 0);
    lw_program_free(p);
}
END_TEST

/* Linkers place the tables of functions that they removed at address 0. */
START_TEST(removed_functions_and_order)
{
    table t = begin_table(4, 1, 13);
    add_old_files(&t);
    set_address(&t, CODE + 16);
    ADD(&t, 3, 4, 1, 2, 2, 0, 1, 1); /* line 5 */
    set_address(&t, 0);
    ADD(&t, 3, 8, 1, 2, 0x80, 0x20, 0, 1, 1);
    set_address(&t, CODE);
    ADD(&t, 3, 5, 1, 3, 1, 1, 2, 2, 0, 1, 1); /* lines 6 and 7 at the same address */
    lw_program *p = end_table(&t);
    check_line(p, CODE, "one.c", 7, 0);
    check_none(p, CODE + 8, LW_E_NOT_FOUND, "nothing for address");
    check_line(p, CODE + 16, "one.c", 5, 0);
    check_none(p, 0, LW_E_NOT_FOUND, "nothing for address 0x0");
    check_none(p, 0x3000, LW_E_NOT_FOUND, "nothing for address");
    lw_program_free(p);
}
END_TEST

/* ---- Invalid tables: the program loads, and says why it has no lines ---- */

/* Changed bytes of the table below. Its program starts at 71, its second set_address at 83. */
static const struct {
    size_t at;
    uint8_t value;
    lw_status status;
    const char *says;
} damages[] = {
    { 0, 0xff, LW_E_TRUNCATED, "at offset 0x0 of .debug_line reaches past the end" },
    { 0, 90, LW_E_FORMAT, "does not end its last sequence" },
    { 4, 1, LW_E_UNSUPPORTED, "of a version other than 2 to 5" },
    { 4, 6, LW_E_UNSUPPORTED, "of a version other than 2 to 5" },
    { 6, 0xff, LW_E_TRUNCATED, "ends inside its header" },
    { 6, 30, LW_E_TRUNCATED, "ends inside its header" },
    { 6, 60, LW_E_TRUNCATED, "ends inside its header" },
    { 11, 0, LW_E_FORMAT, "a header field that must not be zero" },
    { 14, 0, LW_E_FORMAT, "a header field that must not be zero" },
    { 15, 0, LW_E_FORMAT, "a header field that must not be zero" },
    { 53, 3, LW_E_FORMAT, "has a file in a directory that it does not list" },
    { 72, 0, LW_E_TRUNCATED, "ends inside an instruction of its program" },
    { 72, 8, LW_E_TRUNCATED, "ends inside an instruction of its program" },
    { 72, 100, LW_E_TRUNCATED, "ends inside an instruction of its program" },
    { 86, 0, LW_E_FORMAT, "goes back to a lower address" },
    { 97, 4, LW_E_FORMAT, "does not end its last sequence" },
    { 98, 5, LW_E_TRUNCATED, "at offset 0x62 of .debug_line reaches past the end" },
};

START_TEST(damaged_tables)
{
    table t = begin_table(4, 1, 13);
    add_old_files(&t);
    ck_assert_uint_eq(t.size, 71);
    set_address(&t, CODE + 4);
    ADD(&t, 1);
    set_address(&t, CODE + 8);
    ADD(&t, 1, 0, 1, 1);
    ck_assert_uint_eq(t.size, 98);
    put(t.bytes, t.size - 4, 4);
    t.bytes[damages[_i].at] = damages[_i].value;
    lw_program *p = with_table(t.bytes, t.size + (damages[_i].at == t.size));
    check_none(p, CODE + 4, damages[_i].status, damages[_i].says);
    lw_program_free(p);
}
END_TEST

/* File tables of version 5 that claim more than there is: the first bytes after the lengths. */
static const struct {
    uint8_t bytes[16];
    size_t size;
    lw_status status;
    const char *says;
} entries[] = {
    { { 1, 1, 0x08, 0xff, 0xff, 0xff, 0xff, 0x0f, '/', 0 }, 10, LW_E_TRUNCATED, "ends inside its header" },
    { { 0, 0xff, 0xff, 0xff, 0xff, 0x0f }, 6, LW_E_FORMAT, "without a path" },
    { { 1, 2, 0x0f, 1, 0 }, 5, LW_E_FORMAT, "without a path" },
    { { 1, 1, 0x0f, 1, 0 }, 5, LW_E_FORMAT, "without a path" },
    { { 1, 1, 0x1d, 1, 0, 0, 0, 0 }, 8, LW_E_UNSUPPORTED, "in a form that is not read" },
    { { 1, 1, 0x1f, 1, 0xff, 0, 0, 0 }, 8, LW_E_FORMAT, "outside of the strings' section" },
    { { 1, 1, 0x0e, 1, 0, 0, 0, 0 }, 8, LW_E_FORMAT, "no section .debug_str" },
    { { 1, 1, 0x09, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 },
      14,
      LW_E_TRUNCATED,
      "ends" },
    { { 1, 1, 0x09, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02 },
      14,
      LW_E_TRUNCATED,
      "ends" },
};

START_TEST(damaged_entries)
{
    table t = begin_table(5, 1, 13);
    add(&t, entries[_i].bytes, entries[_i].size);
    end_header(&t);
    lw_program *p = end_table(&t);
    check_none(p, CODE, entries[_i].status, entries[_i].says);
    lw_program_free(p);
}
END_TEST

/* Special opcodes turn one byte into 24; the table may take what remains of the load's limit. */
START_TEST(memory_limit)
{
    enum { ROWS = 1 << 16 };
    fixture f = read_fixture("lines_v5.co");
    table t = begin_table(4, 1, 13);
    add_old_files(&t);
    set_address(&t, CODE);
    const size_t size = t.size + ROWS + 3;
    f.data = realloc(f.data, f.size + size);
    ck_assert_ptr_nonnull(f.data);
    put(t.bytes, size - 4, 4);
    memcpy(f.data + f.size, t.bytes, t.size);
    memset(f.data + f.size + t.size, 13 + 3, ROWS);
    memcpy(f.data + f.size + size - 3, "\0\1\1", 3);
    uint8_t *header = section_header(&f, ".debug_line");
    put(header + 24, f.size, 8);
    put(header + 32, size, 8);
    f.size += size;
    lw_program *p = load_bytes(&f, 1 << 20);
    check_none(p, CODE, LW_E_NO_MEMORY, "takes more than the memory limit leaves");
    lw_program_free(p);
    p = load_bytes(&f, 4 << 20);
    check_none(p, CODE, LW_E_NOT_FOUND, "nothing for address"); /* all rows at one address */
    lw_program_free(p);
    free(f.data);
}
END_TEST

/* ---- Compressed sections ---- */

static const struct {
    const char *file;
    int at; /* in the section; negative: unchanged */
    uint8_t value;
    lw_status status;
    const char *says;
} compressions[] = {
    { "lines_zlib.co", -1, 0, LW_OK, "" },
    { "lines_zstd.co", -1, 0, LW_OK, "" },
    { "lines_zlib.co", 0, 3, LW_E_UNSUPPORTED, "compressed in a way that is not read" },
    { "lines_zlib.co", 8, 0xff, LW_E_FORMAT, "cannot be decompressed with zlib" },
    { "lines_zstd.co", 8, 0x01, LW_E_FORMAT, "cannot be decompressed with zstd" },
    { "lines_zlib.co", 15, 0xff, LW_E_NO_MEMORY,
      "section .debug_line takes more than the memory limit leaves" },
    { "lines_zstd.co", 24, 0, LW_E_FORMAT, "cannot be decompressed with zstd" },
};

START_TEST(compressed_sections)
{
    fixture f = read_fixture(compressions[_i].file);
    uint8_t *bytes = f.data + read_field(section_header(&f, ".debug_line") + 24, 8);
    if (compressions[_i].at >= 0)
        bytes[compressions[_i].at] = compressions[_i].value;
    lw_program *p = load_bytes(&f, 0);
    lw_line line;
    const lw_status status = lw_program_line(p, CODE, &line, NULL);
    if (status == LW_E_ABSENT)
        check_none(p, CODE, LW_E_ABSENT, "section .debug_line cannot be decompressed");
    else if (compressions[_i].status == LW_OK)
        check_line(p, CODE, "/src/lines.hip", 9, 19);
    else
        check_none(p, CODE, compressions[_i].status, compressions[_i].says);
    lw_program_free(p);
    free(f.data);
}
END_TEST

START_TEST(compression_header_cut)
{
    fixture f = read_fixture("lines_zlib.co");
    put(section_header(&f, ".debug_line") + 32, 23, 8);
    lw_program *p = load_bytes(&f, 0);
    check_none(p, CODE, LW_E_TRUNCATED, "ends inside its compression header");
    lw_program_free(p);
    free(f.data);
}
END_TEST

/* ---- The caller's view ---- */

START_TEST(arguments)
{
    lw_line line = { "", 0, 0 };
    lw_program *p = load_fixture("lines_v4.co", LW_ARCH_NONE), *bare = load_fixture("hand.co", LW_ARCH_NONE);
    ck_assert_int_eq(lw_program_line(NULL, CODE, &line, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_program_line(p, CODE, NULL, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_program_line(bare, CODE, &line, NULL), LW_E_NOT_FOUND);
    check_none(bare, CODE, LW_E_NOT_FOUND, "the code object has no line table");
    check_line(p, CODE, "lines.hip", 9, 19);
    check_line(p, CODE + 0x20, "lines.hip", 0, 19); /* the compiler assigns it to no line */
    lw_program_free(p);
    lw_program_free(bare);
}
END_TEST

/* A path longer than the member is truncated, and ends with a NUL. */
START_TEST(long_paths)
{
    static uint8_t bytes[4096];
    table t = begin_table(4, 1, 13);
    put(t.bytes + t.header - 4, t.size - t.header + 1 + 2001 + 3 + 1, 4);
    memcpy(bytes, t.bytes, t.size);
    memset(bytes + t.size + 1, 'p', 2000);
    table end = { .size = 0 };
    set_address(&end, CODE);
    ADD(&end, 1, 2, 1, 0, 1, 1);
    const size_t head = t.size + 1 + 2001 + 3 + 1, size = head + end.size;
    memcpy(bytes + head, end.bytes, end.size);
    put(bytes, size - 4, 4);
    lw_program *p = with_table(bytes, size);
    lw_line line;
    ck_assert_int_eq(lw_program_line(p, CODE, &line, NULL), LW_OK);
    ck_assert_uint_eq(strlen(line.file), sizeof(line.file) - 1);
    lw_program_free(p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lines");
    TCase *tc = tcase_create("lines");
    tcase_add_loop_test(tc, standard_opcodes, 0, 3);
    tcase_add_test(tc, several_operations_an_instruction);
    tcase_add_test(tc, fewer_standard_opcodes);
    tcase_add_test(tc, forms_of_version_5);
    tcase_add_test(tc, removed_functions_and_order);
    tcase_add_loop_test(tc, damaged_tables, 0, sizeof(damages) / sizeof(damages[0]));
    tcase_add_loop_test(tc, damaged_entries, 0, sizeof(entries) / sizeof(entries[0]));
    tcase_add_test(tc, memory_limit);
    tcase_add_loop_test(tc, compressed_sections, 0, sizeof(compressions) / sizeof(compressions[0]));
    tcase_add_test(tc, compression_header_cut);
    tcase_add_test(tc, arguments);
    tcase_add_test(tc, long_paths);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
