/* SPDX-License-Identifier: MIT */
/* Relocations: places and values from `llvm-readelf -r`, and types that no linked object has. */
#include "loaders/program.h"
#include "tests/loaders/fixture.h"

static const uint64_t base = 0x7089abc000;

static uint64_t word_at(const uint8_t *image, uint64_t at)
{
    uint64_t v = 0;
    for (int i = 7; i >= 0; i--)
        v = v << 8 | image[at + (uint64_t)i];
    return v;
}

static uint64_t address_of(const lw_program *p, const char *name)
{
    for (size_t i = 0; i < lw_program_symbol_count(p); i++)
        if (strcmp(lw_program_symbol_at(p, i)->name, name) == 0)
            return lw_program_symbol_at(p, i)->address;
    ck_abort_msg("no symbol %s", name);
}

static uint8_t *relocated(const lw_program *p)
{
    uint8_t *image = malloc(p->image_size);
    lw_error error = { "" };
    ck_assert_ptr_nonnull(image);
    const lw_status status = lw_program_relocate(p, base, image, &error);
    ck_assert_msg(status == LW_OK, "%s", error.text);
    return image;
}

/* tables.hip: first_and_last and functions hold addresses; everything else is unchanged. */
START_TEST(tables_point_into_the_loaded_image)
{
    lw_program *p = load_fixture(_i ? "stripped.co" : "tables.co", LW_ARCH_NONE);
    lw_program *named = load_fixture("tables.co", LW_ARCH_NONE);
    const uint64_t cells = address_of(named, "cells"), functions = address_of(named, "functions");
    uint8_t *image = relocated(p);
    ck_assert_uint_eq(p->reloc_count, 4);
    ck_assert_uint_eq(word_at(image, functions), base + address_of(named, "_Z5twicei"));
    ck_assert_uint_eq(word_at(image, functions + 8), base + address_of(named, "_Z6squarei"));
    size_t first = 0, last = 0, changed = 0;
    for (uint64_t at = 0; at + 8 <= p->image_size; at += 8) {
        first += word_at(image, at) == base + cells;
        last += word_at(image, at) == base + cells + 12;
        changed += word_at(image, at) != word_at(p->image, at);
    }
    ck_assert_uint_eq(first, 1);
    ck_assert_uint_eq(last, 1);
    ck_assert_uint_eq(changed, 4);
    free(image);
    lw_program_free(p);
    lw_program_free(named);
}
END_TEST

/* hand.s: the global offset table's one entry is R_AMDGPU_ABS64 of `table`. */
START_TEST(offset_table_holds_the_symbol)
{
    lw_program *p = load_fixture("hand.co", LW_ARCH_NONE);
    uint8_t *image = relocated(p);
    const uint64_t table = address_of(p, "table");
    uint64_t place = 0;
    for (uint64_t at = 0; at + 8 <= p->image_size; at += 8)
        if (word_at(image, at) == base + table)
            place = at;
    ck_assert_uint_ne(place, 0);
    ck_assert_uint_eq(word_at(image, table), 0x1122334455667788);
    free(image);
    lw_program_free(p);
}
END_TEST

/* The relocation of hand.co rewritten: Elf64_Rela is offset, info (symbol << 32 | type), addend. */
static const struct {
    uint32_t type, symbol;
    int64_t addend;
    lw_status status;
    const char *says;
    uint64_t value;
} rows[] = {
    { 3, 2, 0, LW_OK, NULL, 0 },
    { 0, 2, 0, LW_OK, NULL, 0 },
    { 13, 0, 0x123, LW_OK, NULL, 0x7089abc123 },
    { 13, 0, -16, LW_OK, NULL, 0x7089abbff0 },
    { 1, 0, 0x1234567890, LW_OK, NULL, 0x34567890 },
    { 2, 0, 0x1234567890, LW_OK, NULL, 0x12 },
    { 4, 2, 0, LW_E_UNSUPPORTED, "type 4 (R_AMDGPU_REL32)", 0 },
    { 7, 2, 0, LW_E_UNSUPPORTED, "type 7 (R_AMDGPU_GOTPCREL)", 0 },
    { 14, 2, 0, LW_E_UNSUPPORTED, "type 14 (R_AMDGPU_REL16)", 0 },
    { 12, 2, 0, LW_E_UNSUPPORTED, "type 12 (unknown)", 0 },
    { 1000, 2, 0, LW_E_UNSUPPORTED, "type 1000 (unknown)", 0 },
};

/* Where the only Elf64_Rela of hand.co is: info 0x0000000200000003 occurs once. */
static size_t find_rela(const fixture *f)
{
    static const uint8_t info[] = { 3, 0, 0, 0, 2, 0, 0, 0 };
    for (size_t at = 8; at + 16 <= f->size; at++)
        if (memcmp(f->data + at, info, sizeof(info)) == 0)
            return at - 8;
    ck_abort_msg("hand.co has no R_AMDGPU_ABS64");
}

static void put64(uint8_t *p, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

START_TEST(types)
{
    const fixture f = read_fixture("hand.co");
    const size_t rela = find_rela(&f);
    lw_program *p = NULL;
    lw_error error = { "" };
    put64(f.data + rela + 8, (uint64_t)rows[_i].symbol << 32 | rows[_i].type);
    put64(f.data + rela + 16, (uint64_t)rows[_i].addend);
    const uint64_t place = word_at(f.data, rela);
    ck_assert_int_eq(lw_program_load(f.data, f.size, NULL, &p, &error), LW_OK);
    uint8_t *image = malloc(p->image_size);
    ck_assert_ptr_nonnull(image);
    const lw_status status = lw_program_relocate(p, base, image, &error);
    ck_assert_int_eq(status, rows[_i].status);
    if (status == LW_OK)
        ck_assert_uint_eq(word_at(image, place),
                          rows[_i].type == 3 ? base + address_of(p, "table") : rows[_i].value);
    else
        ck_assert_msg(strstr(error.text, rows[_i].says) != NULL, "%s", error.text);
    free(image);
    lw_program_free(p);
    free(f.data);
}
END_TEST

START_TEST(places_and_symbols_outside)
{
    const fixture f = read_fixture("hand.co");
    const size_t rela = find_rela(&f);
    lw_program *p = NULL;
    lw_error error = { "" };
    put64(f.data + rela + 8, (uint64_t)1000000 << 32 | 3);
    ck_assert_int_eq(lw_program_load(f.data, f.size, NULL, &p, &error), LW_E_FORMAT);
    ck_assert(strstr(error.text, "dynamic symbol 1000000; there is none"));
    put64(f.data + rela + 8, 13);
    const uint64_t places[] = { UINT64_MAX, UINT64_MAX - 8, 0x100000, word_at(f.data, rela) + 0x1001 };
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        put64(f.data + rela, places[i]);
        ck_assert_int_eq(lw_program_load(f.data, f.size, NULL, &p, &error), LW_OK);
        uint8_t *image = malloc(p->image_size);
        ck_assert_ptr_nonnull(image);
        const bool inside = places[i] < p->image_size && p->image_size - places[i] >= 8;
        ck_assert_int_eq(lw_program_relocate(p, base, image, &error), inside ? LW_OK : LW_E_FORMAT);
        free(image);
        lw_program_free(p);
    }
    free(f.data);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("relocate");
    TCase *tc = tcase_create("relocate");
    tcase_add_loop_test(tc, tables_point_into_the_loaded_image, 0, 2);
    tcase_add_test(tc, offset_table_holds_the_symbol);
    tcase_add_loop_test(tc, types, 0, sizeof(rows) / sizeof(rows[0]));
    tcase_add_test(tc, places_and_symbols_outside);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
