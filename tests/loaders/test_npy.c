/* SPDX-License-Identifier: MIT */
/* .npy files: round trips, hostile headers, and writes that never leave a partial file. */
#include <sys/stat.h>
#include <unistd.h>

#include <lanewise/npy.h>

#include "tests/loaders/fixture.h"

enum { HEAD = 10, MOST = 512 };

/* A version 1 file from a header text and a number of element bytes. */
static size_t make_file(const char *header, size_t body, uint8_t out[MOST])
{
    const size_t length = strlen(header);
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (uint8_t)length;
    out[9] = (uint8_t)(length >> 8);
    memcpy(out + HEAD, header, length);
    for (size_t i = 0; i < body; i++)
        out[HEAD + length + i] = (uint8_t)(i + 1);
    return HEAD + length + body;
}

static lw_status read_exactly(const uint8_t *file, size_t size, lw_npy *array, lw_error *error)
{
    uint8_t *copy = malloc(size ? size : 1);
    ck_assert_ptr_nonnull(copy);
    if (size)
        memcpy(copy, file, size);
    const lw_status status = lw_npy_read(copy, size, array, error);
    free(copy);
    return status;
}

static const struct {
    const char *header;
    size_t body;
    lw_status status;
    const char *says; /* or, if it loads, "dtype:shape" */
} headers[] = {
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24, LW_OK, "float32:2x3" },
    { "{\"shape\":(3,),\"fortran_order\":False,\"descr\":\"|u1\"}", 3, LW_OK, "uint8:3" },
    { "  { 'descr' : '<i8' , 'fortran_order' : False , 'shape' : ( ) } \n", 8, LW_OK, "int64:" },
    { "{'descr': '=u2', 'fortran_order': False, 'shape': (2L, 1L)}", 4, LW_OK, "uint16:2x1" },
    { "{'descr': '>u1', 'fortran_order': False, 'shape': (4,)}", 4, LW_OK, "uint8:4" },
    { "{'descr': '<f8', 'fortran_order': True, 'shape': (1, 3)}", 24, LW_OK, "float64:1x3" },
    { "{'descr': '|b1', 'fortran_order': True, 'shape': (0, 7, 9)}", 0, LW_OK, "bool:0x7x9" },
    { "{'descr': '<f2', 'fortran_order': False, 'shape': (18446744073709551615, 0, 18446744073709551615)}", 0,
      LW_OK, "float16:18446744073709551615x0x18446744073709551615" },
    { "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3)}", 48, LW_E_UNSUPPORTED, "Fortran order" },
    { "{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}", 8, LW_E_UNSUPPORTED, "'>f4', big endian" },
    { "{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", 16, LW_E_UNSUPPORTED, "'|O'" },
    { "{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}", 16, LW_E_UNSUPPORTED, "'<c8'" },
    { "{'descr': '<U5', 'fortran_order': False, 'shape': (2,)}", 16, LW_E_UNSUPPORTED, "'<U5'" },
    { "{'descr': '!f4', 'fortran_order': False, 'shape': (2,)}", 8, LW_E_UNSUPPORTED, "'!f4'" },
    { "{'descr': 'f4', 'fortran_order': False, 'shape': (2,)}", 8, LW_E_UNSUPPORTED, "'f4'" },
    { "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", 8, LW_E_UNSUPPORTED, "structured" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 23, LW_E_TRUNCATED,
      "announces 24 bytes" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 25, LW_E_FORMAT, "the file has 25" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", 12, LW_E_FORMAT, "not a tuple" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': 3}", 12, LW_E_FORMAT, "not a tuple" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}", 48, LW_E_FORMAT, "not a tuple" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (-3,)}", 12, LW_E_FORMAT, "other than numbers" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", 12, LW_E_FORMAT, "other than numbers" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,)}", 0, LW_E_FORMAT,
      "other than numbers" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", 0, LW_E_FORMAT,
      "does not fit" },
    { "{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,)}", 0, LW_E_FORMAT,
      "does not fit" },
    { "{'descr': '<f4', 'fortran_order': 0, 'shape': (3,)}", 12, LW_E_FORMAT, "neither True nor False" },
    { "{'descr': '<f4', 'shape': (3,)}", 12, LW_E_FORMAT, "lacks" },
    { "{'descr': '<f4', 'descr': '<f4', 'shape': (3,)}", 12, LW_E_FORMAT, "repeated key 'descr'" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), 'more': 1}", 12, LW_E_FORMAT, "key 'more'" },
    { "{'descr': '<f4' 'fortran_order': False, 'shape': (3,)}", 12, LW_E_FORMAT, "comma or the closing" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x", 12, LW_E_FORMAT,
      "follows the dictionary" },
    { "{'descr': '<f4\\'', 'fortran_order': False, 'shape': (3,)}", 12, LW_E_FORMAT,
      "'descr' is not a text" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': "
      "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
      "1,1,1)}",
      4, LW_E_UNSUPPORTED, "more than 32 dimensions" },
    { "", 2, LW_E_FORMAT, "not a dictionary" },
    { "{", 12, LW_E_FORMAT, "quoted key" },
};

START_TEST(headers_mean_what_numpy_says)
{
    uint8_t file[MOST];
    char shown[256];
    lw_npy a = { .dims = 99 };
    lw_error error = { "" };
    const size_t size = make_file(headers[_i].header, headers[_i].body, file);
    const lw_status status = read_exactly(file, size, &a, &error);
    ck_assert_msg(status == headers[_i].status, "%s: %d %s", headers[_i].header, (int)status, error.text);
    if (status != LW_OK) {
        ck_assert_uint_eq(a.dims, 99);
        ck_assert_msg(strstr(error.text, headers[_i].says) != NULL, "%s: %s", headers[_i].header, error.text);
        return;
    }
    int n = snprintf(shown, sizeof(shown), "%s:", lw_dtype_name(a.dtype));
    for (unsigned d = 0; d < a.dims; d++)
        n += snprintf(shown + n, sizeof(shown) - (size_t)n, "%s%llu", d ? "x" : "",
                      (unsigned long long)a.shape[d]);
    ck_assert_str_eq(shown, headers[_i].says);
    ck_assert_uint_eq(a.count * lw_dtype_size(a.dtype), headers[_i].body);
    ck_assert_ptr_nonnull(a.data);
    ck_assert_mem_eq(a.data, file + size - headers[_i].body, headers[_i].body);
    lw_npy_free(&a);
    ck_assert_ptr_null(a.data);
}
END_TEST

START_TEST(every_prefix_of_a_header_is_refused)
{
    uint8_t file[MOST];
    lw_npy a;
    lw_error error;
    const size_t size = make_file(headers[_i].header, headers[_i].body, file);
    for (size_t n = 0; n < size; n++)
        ck_assert_int_ne(read_exactly(file, n, &a, &error), LW_OK);
}
END_TEST

START_TEST(changed_bytes_do_no_harm)
{
    uint8_t file[MOST];
    lw_npy a;
    lw_error error;
    const size_t size = make_file(headers[0].header, headers[0].body, file);
    for (size_t at = 0; at < size; at++)
        for (unsigned v = 0; v < 256; v++) {
            const uint8_t old = file[at];
            file[at] = (uint8_t)v;
            if (read_exactly(file, size, &a, &error) == LW_OK)
                lw_npy_free(&a);
            file[at] = old;
        }
}
END_TEST

START_TEST(versions)
{
    static const char header[] = "{'descr': '<u2', 'fortran_order': False, 'shape': (2,)}";
    for (uint8_t major = 0; major < 6; major++) {
        uint8_t file[MOST] = { 0x93, 'N', 'U', 'M', 'P', 'Y', major, 0, (uint8_t)(sizeof(header) - 1) };
        const size_t head = major == 1 ? 10 : 12;
        lw_npy a;
        lw_error error = { "" };
        memcpy(file + head, header, sizeof(header) - 1);
        const lw_status status = read_exactly(file, head + sizeof(header) - 1 + 4, &a, &error);
        ck_assert_int_eq(status, major >= 1 && major <= 3 ? LW_OK : LW_E_UNSUPPORTED);
        if (status == LW_OK)
            lw_npy_free(&a);
        file[7] = 1;
        ck_assert_int_eq(read_exactly(file, head + sizeof(header) - 1 + 4, &a, &error), LW_E_UNSUPPORTED);
    }
    lw_npy a;
    lw_error error;
    ck_assert_int_eq(lw_npy_read("PK\3\4", 4, &a, &error), LW_E_FORMAT);
    ck_assert_int_eq(lw_npy_read(NULL, 0, &a, &error), LW_E_TRUNCATED);
    ck_assert_int_eq(lw_npy_read(NULL, 1, &a, &error), LW_E_ARGUMENT);
}
END_TEST

START_TEST(round_trip_of_every_type)
{
    static const struct {
        unsigned dims;
        uint64_t shape[4];
        size_t count;
    } shapes[] = { { 0, { 0 }, 1 },
                   { 1, { 5 }, 5 },
                   { 2, { 3, 4 }, 12 },
                   { 3, { 2, 0, 3 }, 0 },
                   { 4, { 1, 2, 3, 2 }, 12 } };
    const lw_dtype dtype = (lw_dtype)_i;
    uint8_t data[12 * 8];
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)(i * 37 + 1);
    for (size_t s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
        lw_npy a = { .dtype = dtype, .dims = shapes[s].dims, .data = data }, b;
        memcpy(a.shape, shapes[s].shape, sizeof(shapes[s].shape));
        void *file;
        size_t size;
        ck_assert_int_eq(lw_npy_write(&a, &file, &size, NULL), LW_OK);
        ck_assert_uint_eq((size - shapes[s].count * lw_dtype_size(dtype)) % 64, 0);
        ck_assert_int_eq(read_exactly(file, size, &b, NULL), LW_OK);
        ck_assert_int_eq(b.dtype, dtype);
        ck_assert_uint_eq(b.dims, a.dims);
        ck_assert_mem_eq(b.shape, a.shape, sizeof(a.shape[0]) * a.dims);
        ck_assert_uint_eq(b.count, shapes[s].count);
        ck_assert_mem_eq(b.data, data, b.count * lw_dtype_size(dtype));
        lw_npy_free(&b);
        lw_npy_free_bytes(file);
    }
}
END_TEST

/* Headers of every length: the closing brace and the newline must be separated. */
START_TEST(headers_of_every_length)
{
    uint8_t none;
    for (unsigned dims = 1; dims <= LW_NPY_MAX_DIMS; dims++)
        for (uint64_t last = 1; last <= 10000000; last *= 10) {
            lw_npy a = { .dtype = LW_DTYPE_F8, .dims = dims, .data = &none }, b;
            void *file;
            size_t size;
            a.shape[dims - 1] = last;
            a.shape[0] = 0; /* no elements, whatever the other extents */
            ck_assert_int_eq(lw_npy_write(&a, &file, &size, NULL), LW_OK);
            ck_assert_uint_eq(size % 64, 0);
            ck_assert_int_eq(((const char *)file)[size - 1], '\n');
            ck_assert_int_eq(read_exactly(file, size, &b, NULL), LW_OK);
            ck_assert_mem_eq(a.shape, b.shape, sizeof(a.shape));
            lw_npy_free(&b);
            lw_npy_free_bytes(file);
        }
}
END_TEST

START_TEST(bad_arrays_are_not_written)
{
    uint8_t data[4] = { 0 };
    void *file = data;
    size_t size = 7;
    lw_error error;
    const lw_npy bad[] = {
        { .dtype = LW_DTYPE_COUNT, .data = data },
        { .dtype = LW_DTYPE_F4, .dims = 33, .data = data },
        { .dtype = LW_DTYPE_F4, .dims = 2, .shape = { UINT64_MAX, UINT64_MAX }, .data = data },
        { .dtype = LW_DTYPE_F4, .dims = 1, .shape = { 1 } },
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        ck_assert_int_eq(lw_npy_write(&bad[i], &file, &size, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_npy_write(NULL, &file, &size, &error), LW_E_ARGUMENT);
    ck_assert_ptr_eq(file, data);
    ck_assert_uint_eq(size, 7);
    /* 32 dimensions of the longest numbers fit into the header. */
    lw_npy wide = { .dtype = LW_DTYPE_U1, .dims = 32, .data = data };
    for (int d = 0; d < 32; d++)
        wide.shape[d] = d ? UINT64_MAX : 0;
    lw_npy back;
    ck_assert_int_eq(lw_npy_write(&wide, &file, &size, &error), LW_OK);
    ck_assert_int_eq(read_exactly(file, size, &back, &error), LW_OK);
    ck_assert_mem_eq(back.shape, wide.shape, sizeof(wide.shape));
    lw_npy_free(&back);
    lw_npy_free_bytes(file);
}
END_TEST

START_TEST(types_by_name)
{
    static const struct {
        const char *name;
        int dtype; /* -1: none */
    } rows[] = {
        { "float32", LW_DTYPE_F4 },
        { "f32", LW_DTYPE_F4 },
        { "<f4", LW_DTYPE_F4 },
        { "f4", -1 },
        { ">f4", -1 },
        { "int64", LW_DTYPE_I8 },
        { "<i8", LW_DTYPE_I8 },
        { "i64", LW_DTYPE_I8 },
        { "i8", LW_DTYPE_I1 },
        { "|i1", LW_DTYPE_I1 },
        { "u8", LW_DTYPE_U1 },
        { "<u8", LW_DTYPE_U8 },
        { "u16", LW_DTYPE_U2 },
        { "f16", LW_DTYPE_F2 },
        { "bool", LW_DTYPE_BOOL },
        { "|b1", LW_DTYPE_BOOL },
        { "f64", LW_DTYPE_F8 },
        { "bf16", -1 },
        { "", -1 },
        { "f8", -1 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        lw_dtype dtype = LW_DTYPE_COUNT;
        const lw_status status = lw_dtype_find(rows[i].name, &dtype);
        ck_assert_msg(status == (rows[i].dtype < 0 ? LW_E_NOT_FOUND : LW_OK), "%s", rows[i].name);
        ck_assert_int_eq(dtype, rows[i].dtype < 0 ? (int)LW_DTYPE_COUNT : rows[i].dtype);
    }
    ck_assert_uint_eq(lw_dtype_size(LW_DTYPE_COUNT), 0);
    ck_assert_ptr_null(lw_dtype_name((lw_dtype)-1));
}
END_TEST

START_TEST(files_are_whole_or_untouched)
{
    char folder[] = "/tmp/lanewise-npy-XXXXXX", path[128], other[128];
    float values[3] = { 1, 2, 3 };
    const lw_npy a = { .dtype = LW_DTYPE_F4, .dims = 1, .shape = { 3 }, .data = values };
    lw_npy b;
    lw_error error = { "" };
    struct stat info;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/x.npy", folder);
    ck_assert_int_eq(lw_npy_save(path, &a, &error), LW_OK);
    ck_assert_int_eq(chmod(path, 0640), 0);
    ck_assert_int_eq(lw_npy_save(path, &a, &error), LW_OK); /* replaces, and keeps the mode */
    ck_assert_int_eq(stat(path, &info), 0);
    ck_assert_int_eq(info.st_mode & 0777, 0640);
    ck_assert_int_eq(lw_npy_load(path, &b, &error), LW_OK);
    ck_assert_mem_eq(b.data, values, sizeof(values));
    lw_npy_free(&b);
    ck_assert_int_eq(lw_npy_load_within(path, (uint64_t)info.st_size - 1, &b, &error), LW_E_NO_MEMORY);
    ck_assert(strstr(error.text, "exceeds the memory limit"));
    ck_assert_int_eq(lw_npy_load_within(path, (uint64_t)info.st_size, &b, &error), LW_OK);
    lw_npy_free(&b);

    snprintf(other, sizeof(other), "%s/none/x.npy", folder);
    ck_assert_int_eq(lw_npy_save(other, &a, &error), LW_E_IO);
    ck_assert(strstr(error.text, "/none/x.npy: No such file or directory"));
    ck_assert_int_eq(lw_npy_save(folder, &a, &error), LW_E_IO);
    ck_assert(strstr(error.text, "exists and is not a regular file"));
    ck_assert_int_eq(lw_npy_save("/dev/full", &a, &error), LW_E_IO);
    ck_assert_int_eq(lw_npy_save("", &a, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_npy_load(other, &b, &error), LW_E_IO);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_eq(rmdir(folder), 0); /* no other file was left there */
}
END_TEST

int main(void)
{
    enum { HEADERS = sizeof(headers) / sizeof(headers[0]) };
    Suite *suite = suite_create("npy");
    TCase *tc = tcase_create("npy");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, headers_mean_what_numpy_says, 0, HEADERS);
    tcase_add_loop_test(tc, every_prefix_of_a_header_is_refused, 0, 8);
    tcase_add_test(tc, changed_bytes_do_no_harm);
    tcase_add_test(tc, versions);
    tcase_add_loop_test(tc, round_trip_of_every_type, 0, LW_DTYPE_COUNT);
    tcase_add_test(tc, headers_of_every_length);
    tcase_add_test(tc, bad_arrays_are_not_written);
    tcase_add_test(tc, types_by_name);
    tcase_add_test(tc, files_are_whole_or_untouched);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
