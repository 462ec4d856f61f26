/* SPDX-License-Identifier: MIT */
/*
 * Rules of the dynamic section, of symbols and of kernel descriptors, with one field of hand.co rewritten at
 * a time. Expected values: the ELF specification and LLVM's "User Guide for AMDGPU Backend".
 */
#include "loaders/program.h"
#include "tests/loaders/fixture.h"

/* Where llvm-readelf finds things in hand.co; addresses are file offsets up to the descriptors. */
enum {
    SHNUM = 60,
    FLAGS = 48,
    DYNSYM = 0x5e8,
    TABLE_SYMBOL = DYNSYM + 2 * 24,
    RELA = 0x708,
    DESCRIPTOR = 0x740,
    DYNAMIC = 0x908,
    GOT = 0x29a8,
    GOT_FILE = 0x9a8,
    TABLE = 0x39b0
};
/* Its dynamic entries in order. */
enum {
    AT_RELA,
    AT_RELASZ,
    AT_RELAENT,
    AT_SYMTAB,
    AT_SYMENT,
    AT_STRTAB,
    AT_STRSZ,
    AT_GNU_HASH,
    AT_HASH,
    AT_NULL
};

static const uint64_t base = 0x7089abc000;

static void put(fixture *f, size_t at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        f->data[at + i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned i = bytes; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

static void put_tag(fixture *f, int entry, uint64_t tag, uint64_t value)
{
    put(f, DYNAMIC + 16 * (size_t)entry, tag, 8);
    put(f, DYNAMIC + 16 * (size_t)entry + 8, value, 8);
}

static lw_program *load(fixture *f, lw_error *error)
{
    lw_program *p = NULL;
    const lw_status status = lw_program_load(f->data, f->size, NULL, &p, error);
    ck_assert((status == LW_OK) == (p != NULL));
    return p;
}

/* The word of the global offset table after relocation; the file must load. */
static uint64_t got_of(fixture *f, lw_status *status, lw_error *error)
{
    lw_program *p = load(f, error);
    ck_assert_msg(p != NULL, "%s", error->text);
    uint8_t *image = malloc(p->image_size);
    ck_assert_ptr_nonnull(image);
    *status = lw_program_relocate(p, base, image, error);
    const uint64_t word = get(image + GOT, 8);
    free(image);
    lw_program_free(p);
    return word;
}

/* ---- Tags ---- */

enum { UNTOUCHED = 0x5555 };

static const struct {
    const char *what;
    int entry[2];
    uint64_t tag[2], value[2];
    const char *says; /* NULL if it loads */
    bool applied;
} tags[] = {
    { "as it is", { 9, 9 }, { 0, 0 }, { 0, 0 }, NULL, true },
    { "in DT_JMPREL", { AT_RELA, AT_RELASZ }, { 23, 2 }, { RELA, 24 }, NULL, true },
    { "in both", { AT_SYMENT, AT_GNU_HASH }, { 23, 2 }, { RELA, 24 }, NULL, true },
    { "DT_JMPREL without a size", { AT_RELA, AT_RELASZ }, { 23, 99 }, { RELA, 24 }, NULL, false },
    { "a size without DT_RELA", { AT_RELA, 9 }, { 99, 0 }, { RELA, 0 }, NULL, false },
    { "part of a second one", { AT_RELASZ, 9 }, { 8, 0 }, { 47, 0 }, NULL, true },
    { "less than one", { AT_RELASZ, 9 }, { 8, 0 }, { 23, 0 }, NULL, false },
    { "the list ends before them", { AT_RELA, 9 }, { 0, 0 }, { 0, 0 }, NULL, false },
    { "without the size of an entry", { AT_RELAENT, 9 }, { 99, 0 }, { 0, 0 }, NULL, true },
    { "entries of another size",
      { AT_RELAENT, 9 },
      { 9, 0 },
      { 16, 0 },
      "relocations of 16 bytes; expected 24",
      false },
    { "DT_REL", { AT_GNU_HASH, 9 }, { 17, 0 }, { RELA, 0 }, "has DT_REL relocations", false },
    { "DT_RELR", { AT_GNU_HASH, 9 }, { 36, 0 }, { RELA, 0 }, "has DT_RELR relocations", false },
    { "past the image", { AT_RELASZ, 9 }, { 8, 0 }, { 0x4000, 0 }, "relocations lie outside", false },
    { "DT_JMPREL past the image",
      { AT_SYMENT, AT_GNU_HASH },
      { 23, 2 },
      { 0x39b8, 24 },
      "relocations lie outside",
      false },
    { "names past the image",
      { AT_STRSZ, 9 },
      { 10, 0 },
      { 0x4000, 0 },
      "dynamic strings lie outside",
      false },
    { "names without an end", { AT_STRSZ, 9 }, { 10, 0 }, { 36, 0 }, "do not end with a NUL byte", false },
    { "no symbols", { AT_SYMTAB, 9 }, { 99, 0 }, { 0, 0 }, "dynamic symbol 2; there is none", false },
    { "symbols past the image",
      { AT_SYMTAB, 9 },
      { 6, 0 },
      { 0x39a0, 0 },
      "dynamic symbol 2; there is none",
      false },
};

START_TEST(dynamic_tags)
{
    fixture f = read_fixture("hand.co");
    lw_error error = { "" };
    lw_status status = LW_OK;
    put(&f, GOT_FILE, UNTOUCHED, 8);
    for (int i = 0; i < 2; i++)
        put_tag(&f, tags[_i].entry[i], tags[_i].tag[i], tags[_i].value[i]);
    if (tags[_i].says) {
        lw_program *p = load(&f, &error);
        ck_assert_msg(!p && strstr(error.text, tags[_i].says), "%s: %s", tags[_i].what, error.text);
    } else {
        const uint64_t word = got_of(&f, &status, &error);
        ck_assert_msg(status == LW_OK && word == (tags[_i].applied ? base + TABLE : UNTOUCHED), "%s: %llx %s",
                      tags[_i].what, (unsigned long long)word, error.text);
    }
    free(f.data);
}
END_TEST

START_TEST(nothing_follows_the_end_of_the_list)
{
    for (int ends = 0; ends < 2; ends++) {
        fixture f = read_fixture("hand.co");
        lw_error error = { "" };
        lw_status status;
        put(&f, GOT_FILE, UNTOUCHED, 8);
        put_tag(&f, AT_RELA, 99, 0);
        put_tag(&f, AT_RELASZ, ends ? 0 : 99, 0);
        put_tag(&f, AT_SYMENT, 23, RELA);
        put_tag(&f, AT_GNU_HASH, 2, 24);
        ck_assert_uint_eq(got_of(&f, &status, &error), ends ? UNTOUCHED : base + TABLE);
        free(f.data);
    }
}
END_TEST

/* ---- The symbol of a relocation ---- */

enum { UNDEF = 0, DATA = 12, LDS_SYMBOL = 0xff00, ABS = 0xfff1, COMMON = 0xfff2 };
enum { LOCAL = 0, GLOBAL = 1, WEAK = 2 };

static const struct {
    unsigned section, binding;
    uint64_t value, want; /* of R_AMDGPU_ABS64 with addend 0x30 */
    bool undefined;
} symbols[] = {
    { DATA, GLOBAL, TABLE, 0x7089abc000 + TABLE + 0x30, false },
    { DATA, LOCAL, TABLE + 4, 0x7089abc000 + TABLE + 0x34, false },
    { DATA, WEAK, TABLE, 0x7089abc000 + TABLE + 0x30, false },
    { UNDEF, WEAK, 0, 0x30, false },
    { UNDEF, WEAK, 0x1234, 0x30, false }, /* an unresolved weak symbol is zero, whatever its value */
    { UNDEF, GLOBAL, 0, 0, true },
    { UNDEF, LOCAL, 0, 0, true },
    { ABS, GLOBAL, 0x123456789, 0x1234567b9, false }, /* does not move with the load address */
    { COMMON, GLOBAL, 8, 0, true },
    { LDS_SYMBOL, GLOBAL, 8, 0, true },
    { LDS_SYMBOL, WEAK, 8, 0, true },
};

START_TEST(symbol_kinds)
{
    fixture f = read_fixture("hand.co");
    lw_error error = { "" };
    lw_status status;
    put(&f, TABLE_SYMBOL + 4, symbols[_i].binding << 4 | 1, 1);
    put(&f, TABLE_SYMBOL + 6, symbols[_i].section, 2);
    put(&f, TABLE_SYMBOL + 8, symbols[_i].value, 8);
    put(&f, RELA + 16, 0x30, 8);
    const uint64_t word = got_of(&f, &status, &error);
    ck_assert_int_eq(status, symbols[_i].undefined ? LW_E_UNSUPPORTED : LW_OK);
    if (symbols[_i].undefined)
        ck_assert_str_eq(error.text, "the code object refers to 'table', which it does not define");
    else
        ck_assert_uint_eq(word, symbols[_i].want);
    free(f.data);
}
END_TEST

/* Each type with a symbol and an addend: S + A, S + A - P, B + A; and bytes beside the place. */
START_TEST(calculations)
{
    const uint64_t s = base + TABLE, a = 0x1ff123456, p = base + GOT + 1;
    const struct {
        unsigned type, bytes;
        uint64_t want;
    } rows[] = {
        { 0, 0, 0 },         { 1, 4, s + a },      { 2, 4, (s + a) >> 32 },      { 3, 8, s + a },
        { 5, 8, s + a - p }, { 10, 4, s + a - p }, { 11, 4, (s + a - p) >> 32 }, { 13, 8, base + a }
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture f = read_fixture("hand.co");
        lw_error error = { "" };
        put(&f, GOT_FILE, 0xeeeeeeeeeeeeeeee, 8);
        put(&f, RELA, GOT + 1, 8); /* no alignment is required */
        put(&f, RELA + 8, (uint64_t)2 << 32 | rows[i].type, 8);
        put(&f, RELA + 16, a, 8);
        lw_program *program = load(&f, &error);
        ck_assert_ptr_nonnull(program);
        uint8_t *image = malloc(program->image_size);
        ck_assert_ptr_nonnull(image);
        ck_assert_int_eq(lw_program_relocate(program, base, image, &error), LW_OK);
        uint8_t want[16];
        memcpy(want, program->image + GOT, sizeof(want));
        for (unsigned b = 0; b < rows[i].bytes; b++)
            want[1 + b] = (uint8_t)(rows[i].want >> (8 * b));
        ck_assert_mem_eq(image + GOT, want, sizeof(want));
        free(image);
        lw_program_free(program);
        free(f.data);
    }
}
END_TEST

/* ---- Without section headers: the symbols that DT_HASH counts ---- */

static bool has_symbol(const lw_program *p, const char *name)
{
    for (size_t i = 0; i < lw_program_symbol_count(p); i++)
        if (!strcmp(lw_program_symbol_at(p, i)->name, name))
            return true;
    return false;
}

START_TEST(symbols_of_a_stripped_file)
{
    for (int hash = 0; hash < 2; hash++) {
        fixture f = read_fixture("hand.co");
        lw_error error = { "" };
        put(&f, SHNUM, 0, 2);
        put(&f, 0x6a8, 3, 4); /* buckets, not symbols */
        put(&f, 40, 0, 8);
        if (!hash)
            put_tag(&f, AT_HASH, 99, 0);
        lw_program *p = load(&f, &error);
        if (hash) {
            ck_assert_msg(p != NULL, "%s", error.text);
            ck_assert_uint_eq(lw_program_symbol_count(p), 5);
            ck_assert(has_symbol(p, "padded") && has_symbol(p, "bare.kd") && has_symbol(p, "table"));
            ck_assert_uint_eq(lw_program_kernel_count(p), 2);
        } else {
            ck_assert_ptr_null(p);
            ck_assert_ptr_nonnull(strstr(error.text, "'padded.kd' is not in the symbol table"));
        }
        lw_program_free(p);
        free(f.data);
    }
}
END_TEST

/* ---- Descriptors ---- */

/* Registers as allocated: granules of each generation; the split of the unified file. */
START_TEST(register_counts)
{
    static const struct {
        unsigned machine, granules, sgpr_granules, accum, wave32, vgprs, agprs, sgprs;
    } rows[] = {
        { 0x30, 9, 5, 0, 0, 40, 40, 48 },       { 0x3f, 9, 5, 4, 0, 20, 60, 48 },
        { 0x4c, 9, 7, 4, 0, 20, 60, 64 },       { 0x4c, 1, 1, 63, 0, 16, 0, 16 },
        { 0x4c, 63, 15, 31, 0, 128, 384, 128 }, { 0x4f, 63, 15, 63, 0, 256, 256, 128 },
        { 0x4c, 1, 0, 3, 0, 16, 0, 16 },        { 0x41, 9, 0, 4, 1, 80, 0, 128 },
        { 0x41, 9, 0, 4, 0, 40, 0, 128 },       { 0x4e, 11, 0, 4, 1, 96, 0, 128 },
        { 0x4e, 11, 0, 4, 0, 48, 0, 128 },      { 0x49, 15, 0, 4, 1, 256, 0, 128 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fixture f = read_fixture("hand.co");
        lw_error error = { "" };
        put(&f, FLAGS, rows[i].machine, 1);
        put(&f, DESCRIPTOR + 48, rows[i].granules | rows[i].sgpr_granules << 6, 4);
        put(&f, DESCRIPTOR + 44, rows[i].accum, 4);
        put(&f, DESCRIPTOR + 56, rows[i].wave32 << 10 | 1u << 3, 2);
        lw_program *p = load(&f, &error);
        ck_assert_msg(p != NULL, "%s", error.text);
        const lw_kernel_info *k = lw_program_kernel_at(p, kernel_index(p, "padded"));
        ck_assert_msg(k->vgprs == rows[i].vgprs && k->agprs == rows[i].agprs && k->sgprs == rows[i].sgprs,
                      "row %zu: %u, %u, %u", i, k->vgprs, k->agprs, k->sgprs);
        lw_program_free(p);
        free(f.data);
    }
}
END_TEST

static const struct {
    const char *what;
    unsigned at, bytes;
    uint64_t value;
    const char *says;
} descriptors[] = {
    { "entry not on a word", 16, 8, 0x1800 - DESCRIPTOR + 2, "which is not code" },
    { "entry in data", 16, 8, TABLE - DESCRIPTOR, "which is not code" },
    { "entry at the end of the code", 16, 8, 0x1904 - DESCRIPTOR, "which is not code" },
    { "entry before the code", 16, 8, 0x17fc - DESCRIPTOR, "which is not code" },
    { "entry at the last word", 16, 8, 0x1900 - DESCRIPTOR, NULL },
    { "LDS", 0, 4, 4321, NULL },
    { "scratch", 4, 4, 32, NULL },
    { "fewer arguments than the metadata", 8, 4, 16, NULL },
    { "more arguments than the metadata", 8, 4, 80, NULL },
    { "a dynamic stack", 56, 2, 1u << 11 | 1u << 3, NULL },
    { "preloading", 58, 2, 9u << 7 | 5, NULL },
};

START_TEST(descriptor_fields)
{
    fixture f = read_fixture("hand.co");
    lw_error error = { "" };
    put(&f, DESCRIPTOR + descriptors[_i].at, descriptors[_i].value, descriptors[_i].bytes);
    lw_program *p = load(&f, &error);
    if (descriptors[_i].says) {
        ck_assert_msg(!p && strstr(error.text, descriptors[_i].says), "%s: %s", descriptors[_i].what,
                      error.text);
        free(f.data);
        return;
    }
    ck_assert_msg(p != NULL, "%s: %s", descriptors[_i].what, error.text);
    const lw_kernel *k = &p->kernels[kernel_index(p, "padded")];
    const unsigned at = descriptors[_i].at;
    ck_assert_uint_eq(k->info.lds_size, at == 0 ? 4321 : 1000);
    ck_assert_uint_eq(k->info.private_size, at == 4 ? 32 : 16);
    ck_assert_uint_eq(k->info.kernarg_size, at == 8 && descriptors[_i].value > 64 ? 80 : 64);
    ck_assert_int_eq(k->info.dynamic_stack, at == 56);
    ck_assert_uint_eq(k->desc.preload_length, at == 58 ? 5 : 3);
    ck_assert_uint_eq(k->desc.preload_offset, at == 58 ? 9 : 5);
    ck_assert_uint_eq(k->desc.entry, at == 16 ? 0x1900 : 0x1800);
    lw_program_free(p);
    free(f.data);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dynamic");
    TCase *tc = tcase_create("dynamic");
    tcase_add_loop_test(tc, dynamic_tags, 0, sizeof(tags) / sizeof(tags[0]));
    tcase_add_test(tc, nothing_follows_the_end_of_the_list);
    tcase_add_loop_test(tc, symbol_kinds, 0, sizeof(symbols) / sizeof(symbols[0]));
    tcase_add_test(tc, calculations);
    tcase_add_test(tc, symbols_of_a_stripped_file);
    tcase_add_test(tc, register_counts);
    tcase_add_loop_test(tc, descriptor_fields, 0, sizeof(descriptors) / sizeof(descriptors[0]));
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
