/* SPDX-License-Identifier: MIT */
/* Kernarg segments of compiled kernels, compared with the offsets that LLVM documents for hidden
 * arguments. */
#include "loaders/kernarg.h"
#include "loaders/program.h"
#include "tests/loaders/fixture.h"

enum { MOST = 512 };

/* 7 full workgroups of 32 and a partial one of 5; 3 of 4 and one of 2; 2 of 2. */
static const lw_kernarg_launch odd_launch = {
    .items = { 7 * 32 + 5, 3 * 4 + 2, 4 },
    .group = { 32, 4, 2 },
    .global_offset = { 0x1111, 0x2222, 0x3333 },
    .dynamic_lds = 0x1234,
    .private_base = 0x0002000000000000,
    .shared_base = 0x0001000000000000,
    .printf_buffer = 0xa1,
    .hostcall_buffer = 0xa2,
    .multigrid_sync = 0xa3,
    .heap = 0xa4,
    .default_queue = 0xa5,
    .completion_action = 0xa6,
    .queue = 0xa7,
};

static uint64_t load(const uint8_t *p, size_t size)
{
    uint64_t v = 0;
    for (size_t i = size; i-- > 0;)
        v = v << 8 | p[i];
    return v;
}

typedef struct expected {
    uint32_t offset, size; /* offset after the explicit arguments, rounded up to 8 */
    uint64_t value;
} expected;

static void build(const lw_kernel_info *info, const lw_arg *args, size_t count, uint8_t segment[MOST])
{
    lw_error error = { "" };
    memset(segment, 0xee, MOST);
    ck_assert_uint_le(info->kernarg_size, MOST);
    const lw_status status =
        lw_kernarg_build(info, args, count, &odd_launch, segment, info->kernarg_size, &error);
    ck_assert_msg(status == LW_OK, "%s", error.text);
    for (size_t i = info->kernarg_size; i < MOST; i++)
        ck_assert_uint_eq(segment[i], 0xee);
}

static void check_hidden(const char *file, const expected *rows, size_t count)
{
    lw_program *p = load_fixture(file, LW_ARCH_NONE);
    const lw_kernel_info *info = lw_program_kernel_at(p, kernel_index(p, "shapes::hidden"));
    const uint64_t out = 0x123456789abcdef0;
    const lw_arg arg = { NULL, &out, 8, true };
    uint8_t segment[MOST];
    build(info, &arg, 1, segment);
    ck_assert_uint_eq(load(segment, 8), out);
    for (size_t i = 0; i < count; i++) {
        if (8 + rows[i].offset + rows[i].size > info->kernarg_size)
            continue;
        ck_assert_msg(load(segment + 8 + rows[i].offset, rows[i].size) == rows[i].value,
                      "%s: offset %u is 0x%llx", file, (unsigned)rows[i].offset,
                      (unsigned long long)load(segment + 8 + rows[i].offset, rows[i].size));
    }
    lw_program_free(p);
}

/* Code objects V5 and V6 (LLVM AMDGPUUsage; offsets as clang 22 lays them out). */
static const expected v5[] = {
    { 0, 4, 7 },  { 4, 4, 3 },     { 8, 4, 2 },     { 12, 2, 32 },     { 14, 2, 4 },      { 16, 2, 2 },
    { 18, 2, 5 }, { 20, 2, 2 },    { 22, 2, 0 },    { 40, 8, 0x1111 }, { 48, 8, 0x2222 }, { 56, 8, 0x3333 },
    { 64, 2, 3 }, { 80, 8, 0xa2 }, { 88, 8, 0xa3 }, { 96, 8, 0xa4 },   { 104, 8, 0xa5 },  { 112, 8, 0xa6 },
};

static const expected v4[] = {
    { 0, 8, 0x1111 }, { 8, 8, 0x2222 }, { 16, 8, 0x3333 }, { 24, 8, 0xa2 },
    { 32, 8, 0xa5 },  { 40, 8, 0xa6 },  { 48, 8, 0xa3 },
};

START_TEST(hidden_arguments)
{
    check_hidden("v4.co", v4, sizeof(v4) / sizeof(v4[0]));
    check_hidden("v5.co", v5, sizeof(v5) / sizeof(v5[0]));
    check_hidden("v6.co", v5, sizeof(v5) / sizeof(v5[0]));
    check_hidden("gfx1100.co", v5, sizeof(v5) / sizeof(v5[0]));
}
END_TEST

/* A kernel made by hand for the kinds that compilers list only for some targets. */
/* The caller's own value of a hidden argument, besides the computed ones; names are those in the metadata. */
START_TEST(hidden_arguments_of_the_caller)
{
    lw_program *p = load_fixture("v5.co", LW_ARCH_NONE);
    const lw_kernel_info *info = lw_program_kernel_at(p, kernel_index(p, "shapes::hidden"));
    const uint64_t out = 0x123456789abcdef0, buffer = 0xb0ffe4;
    const uint32_t blocks = 77;
    lw_arg args[] = { { "hidden_hostcall_buffer", &buffer, 8, true },
                      { NULL, &out, 8, true },
                      { "hidden_block_count_y", &blocks, 4, false },
                      { "hidden_block_count_y", &blocks, 4, false } };
    uint8_t segment[MOST];
    lw_error error;
    build(info, args, 3, segment);
    ck_assert_uint_eq(load(segment, 8), out);
    ck_assert_uint_eq(load(segment + 8 + 0, 4), 7);
    ck_assert_uint_eq(load(segment + 8 + 4, 4), 77);
    ck_assert_uint_eq(load(segment + 8 + 80, 8), 0xb0ffe4);
    ck_assert_uint_eq(load(segment + 8 + 96, 8), 0xa4);
    ck_assert_int_eq(lw_kernarg_build(info, args, 4, &odd_launch, segment, info->kernarg_size, &error),
                     LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "given twice"));
    ck_assert_int_eq(lw_kernarg_build(info, args, 1, &odd_launch, segment, info->kernarg_size, &error),
                     LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "takes 1 arguments; 0 are given"));
    args[2].size = 2;
    ck_assert_int_eq(lw_kernarg_build(info, args, 3, &odd_launch, segment, info->kernarg_size, &error),
                     LW_E_ARGUMENT);
    args[2].name = "hidden_none";
    ck_assert_int_eq(lw_kernarg_build(info, args, 3, &odd_launch, segment, info->kernarg_size, &error),
                     LW_E_ARGUMENT);
    lw_program_free(p);
}
END_TEST

START_TEST(hidden_arguments_by_kind)
{
    static const struct {
        const char *kind;
        uint32_t size;
        uint64_t value;
    } rows[] = {
        { "hidden_printf_buffer", 8, 0xa1 },   { "hidden_dynamic_lds_size", 4, 0x1234 },
        { "hidden_private_base", 4, 0x20000 }, { "hidden_shared_base", 4, 0x10000 },
        { "hidden_queue_ptr", 8, 0xa7 },       { "hidden_none", 8, 0 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        lw_arg_info arg = { "", "", rows[i].kind, "", LW_ARG_HIDDEN, 8, rows[i].size, 0, false };
        const lw_kernel_info info = {
            .name = "k", .args = &arg, .arg_count = 1, .kernarg_size = 16, .has_metadata = true
        };
        uint8_t segment[MOST];
        lw_error error;
        build(&info, NULL, 0, segment);
        ck_assert_uint_eq(load(segment, 8), 0);
        ck_assert_uint_eq(load(segment + 8, rows[i].size), rows[i].value);
        ck_assert_uint_eq(load(segment + 8 + rows[i].size, 8 - rows[i].size), 0);
        arg.size ^= 4 | 8;
        const lw_status wanted = strcmp(rows[i].kind, "hidden_none") == 0 ? LW_OK : LW_E_FORMAT;
        ck_assert_int_eq(lw_kernarg_build(&info, NULL, 0, &odd_launch, segment, 16, &error), wanted);
    }
    const lw_arg_info odd = { "", "", "hidden_novelty", "", LW_ARG_HIDDEN, 0, 8, 0, false };
    const lw_kernel_info info = {
        .name = "k", .args = &odd, .arg_count = 1, .kernarg_size = 8, .has_metadata = true
    };
    uint8_t segment[8];
    lw_error error;
    ck_assert_int_eq(lw_kernarg_build(&info, NULL, 0, &odd_launch, segment, 8, &error), LW_E_UNSUPPORTED);
    ck_assert_str_eq(error.text, "kernel 'k' wants 'hidden_novelty', which a launch here cannot set up");
}
END_TEST

START_TEST(dimensions_follow_the_grid)
{
    static const struct {
        uint32_t items[3];
        unsigned dims, says;
    } rows[] = {
        { { 64, 1, 1 }, 0, 1 },
        { { 64, 2, 1 }, 0, 2 },
        { { 64, 1, 2 }, 0, 3 },
        { { 64, 1, 1 }, 3, 3 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const lw_arg_info arg = { "", "", "hidden_grid_dims", "", LW_ARG_HIDDEN, 0, 2, 0, false };
        const lw_kernel_info info = {
            .name = "k", .args = &arg, .arg_count = 1, .kernarg_size = 2, .has_metadata = true
        };
        lw_kernarg_launch launch = { .group = { 1, 1, 1 }, .dims = rows[i].dims };
        memcpy(launch.items, rows[i].items, sizeof(launch.items));
        uint8_t segment[2], packet[LW_AQL_PACKET_SIZE];
        ck_assert_int_eq(lw_kernarg_build(&info, NULL, 0, &launch, segment, 2, NULL), LW_OK);
        ck_assert_uint_eq(load(segment, 2), rows[i].says);
        lw_aql_packet(&launch, 0, 0, 0, 0, packet);
        ck_assert_uint_eq(load(packet + 2, 2), rows[i].says);
    }
}
END_TEST

/* ---- The caller's arguments, on `padded` of hand.s ---- */

static lw_status try_padded(const lw_arg *args, size_t count, uint8_t *segment, lw_error *error)
{
    lw_program *p = load_fixture("hand.co", LW_ARCH_NONE);
    const lw_kernel_info *info = lw_program_kernel_at(p, kernel_index(p, "padded"));
    const lw_status status = lw_kernarg_build(info, args, count, &odd_launch, segment, 64, error);
    lw_program_free(p);
    return status;
}

START_TEST(values_go_where_the_metadata_says)
{
    const uint64_t d = 0xd0d0d0d0d0d0d0d0, a = 0xa0a0a0a0a0a0a0a0;
    const uint32_t rows = 0x01020304, scale = 0x3f800000;
    const lw_arg in_order[] = {
        { NULL, &d, 8, true }, { NULL, &a, 8, true }, { NULL, &rows, 4, false }, { NULL, &scale, 4, false }
    };
    const lw_arg by_name[] = { { "scale", &scale, 4, false },
                               { NULL, &d, 8, true },
                               { "rows", &rows, 4, false },
                               { NULL, &a, 8, true } };
    uint8_t one[64], two[64];
    lw_error error = { "" };
    memset(one, 0xee, 64);
    ck_assert_msg(try_padded(in_order, 4, one, &error) == LW_OK, "%s", error.text);
    ck_assert_uint_eq(load(one, 8), d);
    ck_assert_uint_eq(load(one + 8, 8), 0);
    ck_assert_uint_eq(load(one + 16, 8), a);
    ck_assert_uint_eq(load(one + 24, 8), 0);
    ck_assert_uint_eq(load(one + 32, 4), 1024); /* 1000 bytes of static LDS, rounded up to 64 */
    ck_assert_uint_eq(load(one + 36, 4), rows);
    ck_assert_uint_eq(load(one + 40, 8), 0x1111);
    ck_assert_uint_eq(load(one + 48, 4), scale);
    ck_assert_uint_eq(load(one + 52, 8), 0);
    ck_assert_int_eq(try_padded(by_name, 4, two, &error), LW_OK);
    ck_assert_mem_eq(one, two, 64);
}
END_TEST

START_TEST(dynamic_lds_starts_after_the_static)
{
    static const struct {
        uint32_t lds, align, start;
    } rows[] = { { 0, 16, 0 },       { 1, 16, 16 },      { 1000, 64, 1024 },
                 { 1024, 64, 1024 }, { 1025, 64, 1088 }, { 7, 0, 7 } };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const lw_arg_info args[] = {
            { "a", "", "dynamic_shared_pointer", "local", LW_ARG_LDS, 0, 4, rows[i].align, false },
            { "b", "", "dynamic_shared_pointer", "local", LW_ARG_LDS, 4, 4, 1, false },
        };
        const lw_kernel_info info = { .args = args, .arg_count = 2, .lds_size = rows[i].lds };
        ck_assert_uint_eq(lw_kernarg_lds_start(&info), rows[i].start);
    }
}
END_TEST

START_TEST(wrong_values_are_refused)
{
    const uint64_t v = 1;
    const lw_arg p8 = { NULL, &v, 8, true }, v4_ = { NULL, &v, 4, false }, v8 = { NULL, &v, 8, false };
    const lw_arg p4 = { NULL, &v, 4, true }, gone = { NULL, NULL, 4, false };
    const lw_arg odd = { "cols", &v, 4, false }, first = { "ptr_D", &v, 8, true },
                 blank = { "", &v, 4, false };
    const struct {
        lw_arg args[5];
        size_t count;
        const char *says;
    } rows[] = {
        { { p8, p8, v4_ }, 3, "kernel 'padded' takes 4 arguments; 3 are given" },
        { { p8, p8, v4_, v4_, v4_ }, 5, "kernel 'padded' takes 4 arguments; 5 are given" },
        { { v8, p8, v4_, v4_ }, 4, "argument 0 'ptr_D' of kernel 'padded' is a buffer; a value was given" },
        { { p8, p8, p4, v4_ },
          4,
          "argument 2 'rows' of kernel 'padded' is passed by value; a buffer was given" },
        { { p8, p8, v8, v4_ },
          4,
          "argument 2 'rows' of kernel 'padded' has another size than what was given: it is "
          "'by_value' of 4 bytes, given 8 bytes" },
        { { p8, p4, v4_, v4_ }, 4, "argument 1 'ptr_A' of kernel 'padded' is a buffer, but not of 8 bytes" },
        { { p8, p8, v4_, gone }, 4, "argument 3 'scale' of kernel 'padded' was given as NULL bytes" },
        { { p8, p8, v4_, odd },
          4,
          "kernel 'padded' has no argument 'cols'; it has ptr_D, ptr_A, rows, scale" },
        { { first, p8, first, v4_ }, 4, "argument 'ptr_D' of kernel 'padded' is given twice" },
        { { p8, p8, v4_, blank }, 4, "kernel 'padded' has no argument ''" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint8_t segment[64];
        lw_error error = { "" };
        memset(segment, 0xee, 64);
        ck_assert_int_eq(try_padded(rows[i].args, rows[i].count, segment, &error), LW_E_ARGUMENT);
        ck_assert_msg(strncmp(error.text, rows[i].says, strlen(rows[i].says)) == 0, "%s", error.text);
        for (int b = 0; b < 64; b++)
            ck_assert_uint_eq(segment[b], 0xee);
    }
}
END_TEST

START_TEST(wrong_launches_are_refused)
{
    const lw_kernel_info info = { .name = "k", .has_metadata = true };
    lw_error error = { "" };
    uint8_t segment[8];
    lw_kernarg_launch launch = odd_launch;
    launch.group[1] = 0;
    ck_assert_int_eq(lw_kernarg_build(&info, NULL, 0, &launch, segment, 0, &error), LW_E_ARGUMENT);
    ck_assert_str_eq(error.text, "workgroup size y is 0; it must be 1 to 65535");
    launch.group[1] = 65536;
    ck_assert_int_eq(lw_kernarg_build(&info, NULL, 0, &launch, segment, 0, &error), LW_E_ARGUMENT);
    launch = odd_launch;
    launch.items[2] = 0;
    ck_assert_int_eq(lw_kernarg_build(&info, NULL, 0, &launch, segment, 0, &error), LW_E_ARGUMENT);
    launch = odd_launch;
    launch.dims = 4;
    ck_assert_int_eq(lw_kernarg_build(&info, NULL, 0, &launch, segment, 0, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_kernarg_build(&info, NULL, 0, &odd_launch, segment, 8, &error), LW_E_ARGUMENT);
    const lw_kernel_info bare = { .name = "bare", .kernarg_size = 8 };
    ck_assert_int_eq(lw_kernarg_build(&bare, NULL, 0, &odd_launch, segment, 8, &error), LW_E_UNSUPPORTED);
    const lw_arg_info image = { "tex", "", "image", "", LW_ARG_OTHER, 0, 8, 0, false };
    const lw_kernel_info other = { .name = "k",
                                   .args = &image,
                                   .arg_count = 1,
                                   .explicit_count = 1,
                                   .kernarg_size = 8,
                                   .has_metadata = true };
    const uint64_t v = 0;
    const lw_arg arg = { NULL, &v, 8, true };
    ck_assert_int_eq(lw_kernarg_build(&other, &arg, 1, &odd_launch, segment, 8, &error), LW_E_UNSUPPORTED);
}
END_TEST

/* Byte positions: HSA Platform System Architecture Specification 1.2, kernel dispatch packet. */
START_TEST(dispatch_packet)
{
    uint8_t packet[LW_AQL_PACKET_SIZE];
    lw_aql_packet(&odd_launch, 0x111, 0x222, 0x333333333333, 0x444444444444, packet);
    static const expected rows[] = {
        { 0, 1, 2 },
        { 2, 2, 3 },
        { 4, 2, 32 },
        { 6, 2, 4 },
        { 8, 2, 2 },
        { 10, 2, 0 },
        { 12, 4, 229 },
        { 16, 4, 14 },
        { 20, 4, 4 },
        { 24, 4, 0x111 },
        { 28, 4, 0x222 },
        { 32, 8, 0x333333333333 },
        { 40, 8, 0x444444444444 },
        { 48, 8, 0 },
        { 56, 8, 0 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        ck_assert_uint_eq(load(packet + rows[i].offset, rows[i].size), rows[i].value);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kernarg");
    TCase *tc = tcase_create("kernarg");
    tcase_add_test(tc, hidden_arguments);
    tcase_add_test(tc, hidden_arguments_of_the_caller);
    tcase_add_test(tc, hidden_arguments_by_kind);
    tcase_add_test(tc, dimensions_follow_the_grid);
    tcase_add_test(tc, values_go_where_the_metadata_says);
    tcase_add_test(tc, dynamic_lds_starts_after_the_static);
    tcase_add_test(tc, wrong_values_are_refused);
    tcase_add_test(tc, wrong_launches_are_refused);
    tcase_add_test(tc, dispatch_packet);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
