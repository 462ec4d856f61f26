/* SPDX-License-Identifier: MIT */
/* Damaged files: every prefix, single changed bytes, deep nesting. Most useful under ASan and UBSan. */
#include "loaders/msgpack.h"
#include "loaders/program.h"
#include "tests/loaders/fixture.h"

/* Uses everything that a program offers, so that a wrong pointer is dereferenced. */
static uint64_t touch(const lw_program *p)
{
    uint64_t sum = lw_program_abi_version(p) + strlen(lw_program_target_id(p));
    for (size_t i = 0; i < lw_program_section_count(p); i++) {
        const lw_section *s = lw_program_section_at(p, i);
        sum += strlen(s->name) + s->data[0] + s->data[s->size - 1];
    }
    for (size_t i = 0; i < lw_program_symbol_count(p); i++)
        sum += strlen(lw_program_symbol_at(p, i)->name);
    for (size_t i = 0; i < lw_program_kernel_count(p); i++) {
        const lw_kernel_info *k = lw_program_kernel_at(p, i);
        sum += strlen(k->name) + p->image[p->kernels[i].desc.entry];
        for (size_t a = 0; a < k->arg_count; a++) {
            const lw_arg_info *arg = &k->args[a];
            ck_assert_uint_le((uint64_t)arg->offset + arg->size, k->kernarg_size);
            sum += strlen(arg->name) + strlen(arg->type_name) + strlen(arg->value_kind) +
                   strlen(arg->address_space);
        }
    }
    lw_line line = { "", 0, 0 };
    for (uint64_t at = 0; p->lines && at < p->image_size; at += 64)
        if (lw_program_line(p, p->image_vaddr + at, &line, NULL) == LW_OK)
            sum += strlen(line.file) + line.line;
    uint8_t *image = malloc(p->image_size ? p->image_size : 1);
    size_t index;
    lw_error error;
    if (image && p->image_size < 1 << 20 && lw_program_relocate(p, 0x7000000000, image, &error) == LW_OK)
        sum += image[0];
    free(image);
    sum += (uint64_t)lw_program_find(p, "x::y", &index, &error);
    return sum;
}

/* Loads everything that can be loaded; true if something was. */
static bool try_load(const uint8_t *data, size_t size)
{
    lw_load_options options = lw_load_options_default();
    lw_program *program = NULL;
    lw_error error = { "" };
    options.arch = LW_ARCH_GFX942;
    lw_status status = lw_program_load(data, size, &options, &program, &error);
    if (status != LW_OK) {
        ck_assert_ptr_null(program);
        ck_assert_uint_gt(strlen(error.text), 0);
        options.arch = LW_ARCH_GFX950;
        status = lw_program_load(data, size, &options, &program, &error);
    }
    if (status != LW_OK)
        return false;
    ck_assert_uint_gt(touch(program), 0);
    lw_program_free(program);
    return true;
}

static const struct {
    const char *file;
    bool ends_in_structure; /* every proper prefix must be refused */
    int stride;             /* step between the prefixes that are tried, besides those near both ends */
} files[] = {
    { "v4.co", true, 7 },
    { "v6.co", true, 7 },
    { "hand.co", true, 1 },
    { "tables.co", true, 3 },
    { "stripped.co", false, 3 },
    { "bundle.hipfb", true, 61 },
    { "v1_zlib.hipfb", true, 3 },
    { "v2_zlib.hipfb", true, 3 },
    { "v3_zlib.hipfb", true, 3 },
    { "v1_zstd.hipfb", true, 3 },
    { "v2_zstd.hipfb", true, 3 },
    { "v3_zstd.hipfb", true, 3 },
    { "two.offload", false, 61 },
    { "host.so", true, 61 },
    { "host_arm64.obj", true, 61 },
    { "host_rdc.obj", true, 61 },
    { "host_offloading.obj", true, 61 },
    { "unlinked.obj", true, 11 },
    { "lines_v3.co", true, 3 },
    { "lines_v5.co", true, 3 },
    { "lines_zlib.co", true, 3 },
    { "lines_zstd.co", true, 3 },
};
enum { FILES = sizeof(files) / sizeof(files[0]) };

START_TEST(every_prefix)
{
    const fixture f = read_fixture(files[_i].file);
    const size_t stride = (size_t)files[_i].stride;
    for (size_t size = 0; size < f.size; size++) {
        if (size > 600 && size + 200 < f.size && size % stride)
            continue;
        uint8_t *prefix = malloc(size ? size : 1);
        ck_assert_ptr_nonnull(prefix);
        if (size)
            memcpy(prefix, f.data, size);
        const bool loaded = try_load(prefix, size);
        free(prefix);
        ck_assert_msg(!(loaded && files[_i].ends_in_structure), "%s: its first %zu bytes load",
                      files[_i].file, size);
    }
    free(f.data);
}
END_TEST

static uint64_t next_random(uint64_t *state)
{
    /* xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled") */
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1d;
}

START_TEST(changed_bytes)
{
    enum { TRIALS = 4000 };
    static const uint8_t awkward[] = { 0, 1, 0x7f, 0x80, 0xff, 0xdf, 0xdd, 0xdb };
    const fixture f = read_fixture(files[_i].file);
    uint64_t state = 0x9e3779b97f4a7c15 + (uint64_t)_i;
    size_t loaded = 0;
    for (int t = 0; t < TRIALS; t++) {
        const uint64_t r = next_random(&state);
        /* Half of the changes hit the first 2 KiB, where most structures are. */
        const size_t reach = (r & 1) && f.size > 2048 ? 2048 : f.size;
        const size_t at = (size_t)((r >> 8) % reach);
        const uint8_t old = f.data[at];
        const unsigned flipped = old ^ 1u << (r >> 2) % 8;
        f.data[at] = (uint8_t)((r & 2) ? awkward[(r >> 2) % sizeof(awkward)] : flipped);
        loaded += try_load(f.data, f.size);
        f.data[at] = old;
    }
    const bool good = try_load(f.data, f.size);
    ck_assert_msg(!good || loaded > 0, "%s: only %zu of %d changed files load", files[_i].file, loaded,
                  (int)TRIALS);
    free(f.data);
}
END_TEST

/* Every byte of a line table with every awkward value, and every place where it may end: the file still
 * loads. */
START_TEST(every_byte_of_a_line_table)
{
    static const uint8_t values[] = { 0, 1, 2, 0x7f, 0x80, 0xff };
    static const char *const names[] = { "lines_v2.co", "lines_v4.co", "lines_v5.co", "lines_zlib.co",
                                         "lines_zstd.co" };
    const fixture f = read_fixture(names[_i]);
    uint8_t *table = f.data + (f.data[40] | (size_t)f.data[41] << 8), *header = NULL;
    size_t from = 0, size = 0;
    for (size_t i = 0; i < f.data[60] && !header; i++) {
        const uint8_t *p = table + 64 * i;
        from = p[24] | (size_t)p[25] << 8;
        size = p[32] | (size_t)p[33] << 8;
        /* the first section without an address, apart from the null one */
        if (i && memcmp(p + 16, "\0\0\0\0\0\0\0", 8) == 0 && p[4] == 1 && size > 100)
            header = table + 64 * i;
    }
    ck_assert(header && size < 512);
    for (size_t at = 0; at < size; at++) {
        const uint8_t old = f.data[from + at];
        for (size_t v = 0; v < sizeof(values); v++) {
            f.data[from + at] = values[v];
            ck_assert(try_load(f.data, f.size));
        }
        f.data[from + at] = old;
        header[32] = (uint8_t)at;
        header[33] = (uint8_t)(at >> 8);
        ck_assert(try_load(f.data, f.size));
        header[32] = (uint8_t)size;
        header[33] = (uint8_t)(size >> 8);
    }
    free(f.data);
}
END_TEST

/* Every byte of a small code object with every awkward value. */
START_TEST(every_byte_of_a_small_file)
{
    static const uint8_t values[] = { 0, 0x7f, 0x80, 0xff };
    const fixture f = read_fixture("hand.co");
    for (size_t at = 0; at < f.size; at++) {
        const uint8_t old = f.data[at];
        f.data[at] = values[_i];
        (void)try_load(f.data, f.size);
        f.data[at] = old;
    }
    ck_assert(try_load(f.data, f.size));
    free(f.data);
}
END_TEST

/* ---- Fields set to values that must be refused ---- */

static void put(uint8_t *p, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

static const struct {
    size_t at;
    int size;
    uint64_t value;
    lw_status status;
    const char *says;
} fields[] = {
    { 4, 1, 1, LW_E_UNSUPPORTED, "a 32-bit ELF file" },
    { 7, 1, 66, LW_E_UNSUPPORTED, "OS ABI 66; only 64" },
    { 8, 1, 1, LW_E_UNSUPPORTED, "a code object of version 3; versions 4, 5 and 6 are read" },
    { 8, 1, 9, LW_E_UNSUPPORTED, "a code object of version 11" },
    { 16, 2, 2, LW_E_FORMAT, "ELF type 2; a code object is a shared object (3)" },
    { 32, 8, UINT64_MAX, LW_E_TRUNCATED, "program headers reach beyond the end" },
    { 40, 8, UINT64_MAX - 63, LW_E_TRUNCATED, "section headers reach beyond the end" },
    { 48, 1, 0x77, LW_E_ARCH,
      "the code object is for machine 0x77, a processor that Lanewise does not know" },
    { 54, 2, 55, LW_E_FORMAT, "program headers of 55 bytes" },
    { 56, 2, 0, LW_E_FORMAT, "nothing to load" },
    { 58, 2, 63, LW_E_FORMAT, "section headers of 63 bytes" },
    { 60, 2, 0xffff, LW_E_TRUNCATED, "section headers reach beyond the end" },
    /* the second program header is the first PT_LOAD: offset +8, vaddr +16, file size +32, memory size +40 */
    { 64 + 56 + 8, 8, UINT64_MAX, LW_E_TRUNCATED, "reaches beyond the end of the file" },
    { 64 + 56 + 16, 8, UINT64_MAX - 1, LW_E_FORMAT, "wraps around the address space" },
    { 64 + 56 + 32, 8, UINT64_MAX, LW_E_FORMAT, "more bytes in the file" },
    { 64 + 56 + 40, 8, UINT64_MAX, LW_E_FORMAT, "overlaps the one before it" },
    { 64 + 4 * 56 + 40, 8, (uint64_t)1 << 40, LW_E_UNSUPPORTED, "bytes of memory, the limit is 512 MiB" },
};

START_TEST(fields_out_of_range)
{
    const fixture f = read_fixture("hand.co");
    lw_program *program = NULL;
    lw_error error = { "" };
    put(f.data + fields[_i].at, fields[_i].value, fields[_i].size);
    const lw_status status = lw_program_load(f.data, f.size, NULL, &program, &error);
    ck_assert_msg(status == fields[_i].status, "row %d: %d, %s", _i, (int)status, error.text);
    ck_assert_msg(strstr(error.text, fields[_i].says) != NULL, "row %d: %s", _i, error.text);
    ck_assert_ptr_null(program);
    free(f.data);
}
END_TEST

/* With e_shnum 0, section 0's size is the number of sections: here one for which the table has 64 bytes
 * modulo 2^64. */
START_TEST(section_count_does_not_wrap)
{
    const fixture f = read_fixture("hand.co");
    lw_program *program = NULL;
    lw_error error = { "" };
    const size_t table = (size_t)f.data[40] | (size_t)f.data[41] << 8;
    put(f.data + 60, 0, 2);
    put(f.data + table + 32, ((uint64_t)1 << 58) + 1, 8);
    ck_assert_int_eq(lw_program_load(f.data, f.size, NULL, &program, &error), LW_E_TRUNCATED);
    free(f.data);
}
END_TEST

START_TEST(section_count_may_stand_in_section_0)
{
    const fixture f = read_fixture("hand.co");
    lw_program *program = NULL;
    lw_error error = { "" };
    const size_t table = (size_t)f.data[40] | (size_t)f.data[41] << 8;
    const uint8_t count = f.data[60], names = f.data[62];
    put(f.data + 60, 0, 2);
    put(f.data + 62, 0xffff, 2);
    put(f.data + table + 32, count, 8);
    put(f.data + table + 40, names, 4);
    ck_assert_msg(lw_program_load(f.data, f.size, NULL, &program, &error) == LW_OK, "%s", error.text);
    ck_assert_uint_gt(lw_program_section_count(program), 5);
    ck_assert_str_eq(lw_program_section_at(program, 0)->name, ".note");
    lw_program_free(program);
    free(f.data);
}
END_TEST

/* ---- Data between and after containers ---- */

static lw_status count_members(const uint8_t *data, size_t size, size_t *count, lw_error *error)
{
    lw_members *members = NULL;
    const lw_status status = lw_members_read(data, size, &members, error);
    *count = lw_members_count(members);
    lw_members_free(members);
    return status;
}

START_TEST(containers_back_to_back)
{
    const fixture a = read_fixture("bundle.hipfb"), b = read_fixture("two.offload");
    enum { GAP = 4096 };
    const size_t size = a.size + GAP + b.size;
    uint8_t *both = calloc(1, size);
    lw_error error = { "" };
    size_t count;
    ck_assert_ptr_nonnull(both);
    memcpy(both, a.data, a.size);
    memcpy(both + a.size + GAP, b.data, b.size);
    ck_assert_int_eq(count_members(both, size, &count, &error), LW_OK);
    ck_assert_uint_eq(count, 5);
    both[a.size + 7] = 1;
    char says[128];
    snprintf(says, sizeof(says), "file: offset %zu holds neither an offload bundle nor an offload binary",
             a.size + 7);
    ck_assert_int_eq(count_members(both, size, &count, &error), LW_E_FORMAT);
    ck_assert_str_eq(error.text, says);
    free(both);
    free(a.data);
    free(b.data);
}
END_TEST

/* A compressed bundle may have more bytes than its stream: its file size counts. */
START_TEST(compressed_bundle_with_a_tail)
{
    enum { TAIL = 9 };
    const fixture f = read_fixture("v2_zlib.hipfb");
    uint8_t *longer = malloc(f.size + TAIL);
    lw_error error = { "" };
    size_t count;
    ck_assert_ptr_nonnull(longer);
    memcpy(longer, f.data, f.size);
    memset(longer + f.size, 0xaa, TAIL);
    const lw_status without_zlib = count_members(f.data, f.size, &count, &error);
    if (without_zlib != LW_E_ABSENT) {
        ck_assert_int_eq(count_members(longer, f.size + TAIL, &count, &error), LW_E_FORMAT);
        put(longer + 8, f.size + TAIL, 4);
        ck_assert_int_eq(count_members(longer, f.size + TAIL, &count, &error), LW_OK);
        ck_assert_uint_eq(count, 1);
        longer[12]++; /* the inflated size */
        ck_assert_int_eq(count_members(longer, f.size + TAIL, &count, &error), LW_E_FORMAT);
        ck_assert(strstr(error.text, "bytes come out; it is"));
    }
    free(longer);
    free(f.data);
}
END_TEST

/* ---- MessagePack ---- */

static lw_msgpack reader_of(const uint8_t *data, size_t size)
{
    return (lw_msgpack){ .rest = { data, size } };
}

START_TEST(msgpack_nesting_is_harmless)
{
    enum { DEPTH = 1000000 };
    static const uint8_t openers[] = { 0x91, 0x81, 0xdd, 0xdf };
    uint8_t *deep = malloc(DEPTH);
    ck_assert_ptr_nonnull(deep);
    for (size_t o = 0; o < sizeof(openers); o++) {
        memset(deep, openers[o], DEPTH);
        lw_msgpack in = reader_of(deep, DEPTH);
        ck_assert(!lw_msgpack_skip(&in));
        ck_assert(in.failed);
    }
    memset(deep, 0x91, DEPTH);
    deep[DEPTH - 1] = 0xc0;
    lw_msgpack in = reader_of(deep, DEPTH);
    ck_assert(lw_msgpack_skip(&in));
    ck_assert_uint_eq(in.rest.size, 0);
    free(deep);
}
END_TEST

/* One value of each kind in the specification, and its size in bytes. */
static const struct {
    uint8_t bytes[20];
    size_t size;
} values[] = {
    { { 0x00 }, 1 },
    { { 0x7f }, 1 },
    { { 0xe0 }, 1 },
    { { 0xff }, 1 },
    { { 0xc0 }, 1 },
    { { 0xc2 }, 1 },
    { { 0xc3 }, 1 },
    { { 0xcc, 1 }, 2 },
    { { 0xcd, 1, 2 }, 3 },
    { { 0xce, 1, 2, 3, 4 }, 5 },
    { { 0xcf, 1, 2, 3, 4, 5, 6, 7, 8 }, 9 },
    { { 0xd0, 1 }, 2 },
    { { 0xd1, 1, 2 }, 3 },
    { { 0xd2, 1, 2, 3, 4 }, 5 },
    { { 0xd3, 1, 2, 3, 4, 5, 6, 7, 8 }, 9 },
    { { 0xca, 0, 0, 0, 0 }, 5 },
    { { 0xcb, 0, 0, 0, 0, 0, 0, 0, 0 }, 9 },
    { { 0xa0 }, 1 },
    { { 0xa2, 'o', 'k' }, 3 },
    { { 0xd9, 2, 'o', 'k' }, 4 },
    { { 0xda, 0, 2, 'o', 'k' }, 5 },
    { { 0xdb, 0, 0, 0, 2, 'o', 'k' }, 7 },
    { { 0xc4, 2, 1, 2 }, 4 },
    { { 0xc5, 0, 2, 1, 2 }, 5 },
    { { 0xc6, 0, 0, 0, 2, 1, 2 }, 7 },
    { { 0xc7, 2, 9, 1, 2 }, 5 },
    { { 0xc8, 0, 2, 9, 1, 2 }, 6 },
    { { 0xc9, 0, 0, 0, 2, 9, 1, 2 }, 8 },
    { { 0xd4, 9, 1 }, 3 },
    { { 0xd5, 9, 1, 2 }, 4 },
    { { 0xd6, 9, 1, 2, 3, 4 }, 6 },
    { { 0xd7, 9 }, 10 },
    { { 0xd8, 9 }, 18 },
    { { 0x90 }, 1 },
    { { 0x92, 1, 2 }, 3 },
    { { 0xdc, 0, 2, 1, 2 }, 5 },
    { { 0xdd, 0, 0, 0, 2, 1, 2 }, 7 },
    { { 0x80 }, 1 },
    { { 0x81, 1, 2 }, 3 },
    { { 0xde, 0, 1, 1, 2 }, 5 },
    { { 0xdf, 0, 0, 0, 1, 1, 2 }, 7 },
    { { 0x92, 0x81, 1, 0x91, 2, 3 }, 6 },
};

START_TEST(msgpack_values)
{
    lw_msgpack in = reader_of(values[_i].bytes, sizeof(values[_i].bytes));
    ck_assert(lw_msgpack_skip(&in));
    ck_assert_uint_eq(in.rest.size, sizeof(values[_i].bytes) - values[_i].size);
    for (size_t size = 0; size < values[_i].size; size++) {
        uint8_t *prefix = malloc(size ? size : 1);
        ck_assert_ptr_nonnull(prefix);
        memcpy(prefix, values[_i].bytes, size);
        in = reader_of(prefix, size);
        ck_assert(!lw_msgpack_skip(&in));
        free(prefix);
    }
}
END_TEST

START_TEST(msgpack_numbers_and_kinds)
{
    static const uint8_t big[] = { 0xcf, 1, 2, 3, 4, 5, 6, 7, 8 }, minus[] = { 0xd1, 0xff, 0xfe },
                         plus[] = { 0xd1, 0x01, 0x02 };
    static const uint8_t two[] = { 2 }, text[] = { 0xa2, 'o', 'k' }, never[] = { 0xc1 };
    uint64_t value = 0;
    uint32_t count;
    bool flag;
    lw_bytes bytes;
    lw_msgpack in = reader_of(big, sizeof(big));
    ck_assert(lw_msgpack_uint(&in, &value));
    ck_assert_uint_eq(value, 0x0102030405060708);
    in = reader_of(minus, sizeof(minus));
    ck_assert(!lw_msgpack_uint(&in, &value));
    ck_assert(!lw_msgpack_skip(&in)); /* a failed reader stays failed */
    in = reader_of(plus, sizeof(plus));
    ck_assert(lw_msgpack_uint(&in, &value));
    ck_assert_uint_eq(value, 0x102);
    in = reader_of(two, sizeof(two));
    ck_assert(!lw_msgpack_bool(&in, &flag));
    in = reader_of(text, sizeof(text));
    ck_assert(!lw_msgpack_map(&in, &count));
    in = reader_of(text, sizeof(text));
    ck_assert(lw_msgpack_text(&in, &bytes));
    ck_assert_uint_eq(bytes.size, 2);
    ck_assert_mem_eq(bytes.data, "ok", 2);
    in = reader_of(never, sizeof(never));
    ck_assert(!lw_msgpack_skip(&in));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hostile");
    TCase *tc = tcase_create("hostile");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, every_prefix, 0, FILES);
    tcase_add_loop_test(tc, changed_bytes, 0, FILES);
    tcase_add_loop_test(tc, every_byte_of_a_small_file, 0, 4);
    tcase_add_loop_test(tc, every_byte_of_a_line_table, 0, 5);
    tcase_add_loop_test(tc, fields_out_of_range, 0, sizeof(fields) / sizeof(fields[0]));
    tcase_add_test(tc, section_count_does_not_wrap);
    tcase_add_test(tc, section_count_may_stand_in_section_0);
    tcase_add_test(tc, containers_back_to_back);
    tcase_add_test(tc, compressed_bundle_with_a_tail);
    tcase_add_test(tc, msgpack_nesting_is_harmless);
    tcase_add_loop_test(tc, msgpack_values, 0, sizeof(values) / sizeof(values[0]));
    tcase_add_test(tc, msgpack_numbers_and_kinds);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
