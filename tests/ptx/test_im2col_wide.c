/* SPDX-License-Identifier: MIT */
/*
 * Tensor copies of pixels along one row (.im2col::w, .im2col::w::128): which pixel each row of shared memory
 * has is computed from its number, and for one copy listed as TIRx-harness' numsim, a public simulator, has
 * it (tests/numsim, wide im2col: "separate plane" of halos).
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>
#include <lanewise/tensor_map.h>

enum { CHANNELS = 16, IMAGES = 40, BOX = 32768, MOST = CHANNELS * 8 * 4 * IMAGES, GROUPS = 4, GROUP = 32 };

typedef struct row {
    bool w128;
    unsigned width, height, step;
    int lower, upper;
    unsigned channels, count, swizzle, halo, offset;
    int channel, at, y, image; /* where the copy begins */
} row;

static const row cases[] = {
    { false, 8, 3, 1, 0, 0, 16, 20, 64, 2, 0, 0, 3, 2, 0 },
    { false, 8, 3, 2, -1, 0, 16, 24, 64, 1, 0, 0, -1, 1, 3 },
    { false, 8, 3, 2, -1, 0, 16, 24, 128, 0, 1, 0, -1, 1, 3 },
    { false, 7, 2, 3, -1, -1, 8, 40, 128 | LW_TENSOR_ATOM_32, 3, 2, 8, -3, 0, 1 },
    { false, 5, 1, 1, 0, -2, 16, 9, 96, 300, 31, 4, 2, 0, 0 },
    { true, 4, 2, 1, 0, 0, 16, 9, 64, 2, 0, 0, 0, 0, 0 },
    { true, 7, 2, 2, -2, 1, 8, 1, 128, 31, 1, 0, -5, 1, 2 },
    { true, 8, 4, 1, 1, -1, 16, 1, 128, 0, 3, 8, 6, 3, 20 },
    { false, 8, 3, 1, 0, 0, 16, 20, 64, 2, 0, 0, 3, 3, 0 },
};
enum { CASES = sizeof(cases) / sizeof(cases[0]), LISTED = 5 };

static uint16_t tensor[MOST], data[BOX / 2];

static unsigned rows_of(const row *r)
{
    return r->w128 ? GROUPS * (GROUP + r->halo) : r->count + r->halo;
}

/* The first element, in the tensor, of the pixel that is reached after `steps`; -1 outside. */
static int pixel(const row *r, unsigned steps)
{
    const int last = (int)r->width - 1 + r->upper, step = (int)r->step, n = (int)steps;
    const int in_first = (last - r->at) / step + 1, in_each = (last - r->lower) / step + 1;
    const int after = n - in_first;
    const int x = (after < 0 ? r->at + n * step : r->lower + after % in_each * step) + (int)r->offset;
    const int image = r->image + (after < 0 ? 0 : 1 + after / in_each);
    if (x < 0 || x >= (int)r->width || r->y >= (int)r->height || image >= IMAGES)
        return -1;
    return ((image * (int)r->height + r->y) * (int)r->width + x) * CHANNELS;
}

/* The steps to the pixel in row `n` of shared memory. */
static unsigned steps_to(const row *r, unsigned n)
{
    const unsigned halo = n - GROUPS * GROUP;
    if (!r->w128 || n < GROUPS * GROUP)
        return n;
    return GROUP * (halo % GROUPS + 1) + halo / GROUPS;
}

/* Where byte `at` of row `n` is. */
static unsigned place(const row *r, unsigned n, unsigned at)
{
    const unsigned span = r->swizzle & 0xff, piece = r->swizzle & LW_TENSOR_ATOM_32 ? 32 : 16;
    const unsigned byte = n * span + at, line = byte / 128, keys = span == 96 ? 2 : span / piece;
    return line * 128 + (byte % 128 / piece ^ line % keys) * piece + byte % piece;
}

static void write_kernel(const row *r, const char *mode, char *text, size_t size)
{
    snprintf(text, size,
             ".version 8.6\n.target sm_100a\n.address_size 64\n"
             ".entry k(.param .align 64 .b8 map[128], .param .u64 data) {\n"
             ".reg .pred %%p<3>; .reg .b16 %%h<2>; .reg .b32 %%r<8>; .reg .b64 %%rd<8>;\n"
             ".shared .align 1024 .b8 box[%d]; .shared .align 8 .b64 bar;\n"
             "mov.b64 %%rd1, map; cvta.param.u64 %%rd1, %%rd1; ld.param.u64 %%rd2, [data];\n"
             "mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd3, %%r1, 4; add.u64 %%rd2, %%rd2, %%rd3; cvt.u32.u64 "
             "%%r2, %%rd3;\n"
             "setp.ne.u32 %%p1, %%r1, 0; mov.u32 %%r4, box; add.u32 %%r2, %%r2, %%r4;\n"
             "@%%p1 bra I; mov.b16 %%h0, %u; mov.b16 %%h1, %u; mbarrier.init.shared.b64 [bar], 1;\n"
             "mbarrier.arrive.expect_tx.shared.b64 _, [bar], %u;\n"
             "cp.async.bulk.prefetch.tensor.4d.L2.global.im2col::w [%%rd1, {%d, %d, %d, %d}], {%%h0, %%h1};\n"
             "cp.async.bulk.tensor.4d.shared::cluster.global.%s.mbarrier::complete_tx::bytes [box], "
             "[%%rd1, {%d, %d, %d, %d}], [bar], {%%h0, %%h1};\n"
             "I: bar.sync 0;\nW: mbarrier.try_wait.parity.shared.b64 %%p2, [bar], 0; @!%%p2 bra W;\n"
             "L: ld.shared.b32 %%r3, [%%r2]; st.global.b32 [%%rd2], %%r3; add.u64 %%rd2, %%rd2, 128; "
             "add.u32 %%r2, %%r2, 128;\n"
             "sub.u32 %%r5, %%r2, %%r4; setp.lt.u32 %%p2, %%r5, %d; @%%p2 bra L;\nret; }\n",
             BOX, r->halo, r->offset, rows_of(r) * r->channels * 2, r->channel, r->at, r->y, r->image, mode,
             r->channel, r->at, r->y, r->image, BOX);
}

static lw_status encode(const row *r, uint64_t address, uint8_t *map, lw_error *error)
{
    lw_tensor_map m = {
        .type = LW_TENSOR_F16, .rank = 4, .address = address, .swizzle = r->swizzle, .steps = { 1, r->step }
    };
    const lw_tensor_im2col i = { { r->lower, 99 }, { r->upper, -99 }, r->channels, r->count };
    const uint64_t dims[] = { CHANNELS, r->width, r->height, IMAGES };
    memcpy(m.dims, dims, sizeof(dims));
    lw_tensor_map_pack_strides(&m);
    return lw_tensor_map_encode_im2col_wide(&m, &i, r->w128 ? LW_TENSOR_WIDE_W128 : LW_TENSOR_WIDE_W, map,
                                            error);
}

/* `data` then holds the box. */
static lw_status run(const row *r, const char *mode, lw_async async, lw_error *error)
{
    char text[4096];
    uint8_t map[LW_TENSOR_MAP_BYTES];
    uint64_t at[2];
    lw_program *program;
    lw_memory *memory;
    write_kernel(r, mode, text, sizeof(text));
    ck_assert_msg(lw_program_load(text, strlen(text), NULL, &program, error) == LW_OK, "%s\n%s", error->text,
                  text);
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "t", sizeof(tensor), LW_ACCESS_READ_WRITE, &at[0], NULL),
                     LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "d", sizeof(data), LW_ACCESS_READ_WRITE, &at[1], NULL),
                     LW_OK);
    for (unsigned i = 0; i < MOST; i++)
        tensor[i] = (uint16_t)((i * 2654435761u >> 13) | 1);
    lw_memory_write(memory, at[0], tensor, sizeof(tensor));
    ck_assert_msg(encode(r, at[0], map, error) == LW_OK, "%s", error->text);
    const lw_arg args[] = { { NULL, map, sizeof(map), false }, { NULL, &at[1], 8, true } };
    lw_launch_options o = lw_launch_options_default();
    o.program = program;
    o.memory = memory;
    o.grid[0] = 1;
    o.block[0] = 32;
    o.args = args;
    o.arg_count = 2;
    o.async = async;
    const lw_status status = lw_launch(&o, NULL, error);
    lw_memory_read(memory, at[1], data, sizeof(data));
    lw_memory_free(memory);
    lw_program_free(program);
    return status;
}

static const char *mode_of(const row *r)
{
    return r->w128 ? "im2col::w::128" : "im2col::w";
}

START_TEST(pixels_and_their_halos_are_loaded)
{
    const row *r = &cases[_i / 2];
    lw_error error = { "" };
    const lw_status status = run(r, mode_of(r), _i % 2 ? LW_ASYNC_EARLY : LW_ASYNC_LATE, &error);
    ck_assert_msg(status == LW_OK, "%s", error.text);
    for (unsigned n = 0; n < rows_of(r); n++)
        for (unsigned c = 0; c < r->channels; c++) {
            const int first = pixel(r, steps_to(r, n)), channel = r->channel + (int)c;
            const uint16_t wanted = first >= 0 && channel < CHANNELS ? tensor[first + channel] : 0;
            const uint16_t got = data[place(r, n, 2 * c) / 2];
            ck_assert_msg(got == wanted, "case %d, row %u, channel %u: %04x, not %04x", _i / 2, n, c, got,
                          wanted);
        }
}
END_TEST

/* 128 pixels, four to a row of an image, and two more after each 32: the first elements of the last rows. */
START_TEST(halos_of_128_stand_where_numsim_has_them)
{
    static const unsigned last[] = { 1024, 2048, 3072, 4096, 1040, 2064, 3088, 4112 };
    const row *r = &cases[LISTED];
    lw_error error = { "" };
    ck_assert_msg(run(r, mode_of(r), LW_ASYNC_LATE, &error) == LW_OK, "%s", error.text);
    for (unsigned n = 0; n < GROUPS * GROUP + 8; n++) {
        const unsigned first = n < GROUPS * GROUP ? n / 4 * 128 + n % 4 * 16 : last[n - GROUPS * GROUP];
        ck_assert_msg(data[place(r, n, 0) / 2] == tensor[first], "row %u: %04x, not %04x", n,
                      data[place(r, n, 0) / 2], tensor[first]);
    }
}
END_TEST

START_TEST(misuse_is_said)
{
    static const struct {
        unsigned number, halo, offset;
        int at;
        const char *mode, *says;
    } wrong[] = {
        { 0, 512, 0, 0, "im2col::w", "a halo of 512 and an offset of 0; they are below 512 and 32" },
        { 0, 0, 32, 0, "im2col::w", "a halo of 0 and an offset of 32; they are below 512 and 32" },
        { 5, 32, 0, 0, "im2col::w::128", "a halo of 32 and an offset of 0; they are below 32 and 32" },
        { 0, 0, 0, 8, "im2col::w", "begins at coordinate 8 of dimension 1; its box is from 0 to 7" },
        { 0, 0, 0, 0, "im2col", "copies pixels (.im2col); the tensor map is for pixels (im2col::w)" },
        { 5, 0, 0, 0, "im2col::w",
          "copies pixels (.im2col::w); the tensor map is for pixels (im2col::w::128" },
        { 0, 0, 0, -9, "im2col::w", NULL },
    };
    row r = cases[wrong[_i].number];
    lw_error error = { "" };
    ck_assert_uint_eq(sizeof(wrong) / sizeof(wrong[0]), 7);
    r.halo = wrong[_i].halo;
    r.offset = wrong[_i].offset;
    r.at = wrong[_i].at;
    ck_assert_int_eq(run(&r, wrong[_i].mode, LW_ASYNC_LATE, &error), wrong[_i].says ? LW_E_FAULT : LW_OK);
    ck_assert_msg(!wrong[_i].says || strstr(error.text, wrong[_i].says), "%s", error.text);
}
END_TEST

START_TEST(a_map_that_the_driver_refuses_is_refused)
{
    static const struct {
        row r;
        const char *says;
    } wrong[] = {
        { { .width = 4, .height = 2, .channels = 16, .count = 4, .swizzle = 32 }, "takes swizzles of 64 or" },
        { { .width = 4, .height = 2, .channels = 16, .count = 4 }, "takes swizzles of 64 or 128" },
        { { .w128 = true, .width = 4, .height = 2, .channels = 16, .count = 4, .swizzle = 96 },
          "also one of 96 bytes" },
        { { .width = 4,
            .height = 2,
            .channels = 16,
            .count = 4,
            .swizzle = 128 | LW_TENSOR_ATOM_32 | LW_TENSOR_FLIP_8 },
          "in pieces of 16 or 32 bytes" },
        { { .width = 4, .height = 2, .lower = -32769, .channels = 16, .count = 4, .swizzle = 64 },
          "they are -32768 to 32767" },
        { { .width = 4, .height = 2, .lower = 2, .upper = -2, .channels = 16, .count = 4, .swizzle = 64 },
          "leave no pixel" },
        { { .width = 4, .height = 2, .channels = 64, .count = 4, .swizzle = 64 }, "takes no more than" },
    };
    uint8_t bytes[LW_TENSOR_MAP_BYTES];
    lw_error error = { "" };
    ck_assert_uint_eq(sizeof(wrong) / sizeof(wrong[0]), 7);
    ck_assert_int_eq(encode(&wrong[_i].r, 0, bytes, &error), LW_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, wrong[_i].says) != NULL, "%s", error.text);
    const lw_tensor_map map = { .type = LW_TENSOR_F16, .rank = 4 };
    const lw_tensor_im2col pixels = { { 0 }, { 0 }, 16, 4 };
    ck_assert_int_eq(lw_tensor_map_encode_im2col_wide(&map, &pixels, (lw_tensor_wide)2, bytes, &error),
                     LW_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, "there is no mode 2 of wide im2col") != NULL, "%s", error.text);
}
END_TEST

/* As ptxas 13.0 refuses it: two operands, whatever the dimensions; no fewer than three dimensions. */
START_TEST(operands_are_two)
{
    static const char *const cases_of[][3] = {
        { "3d", "{%r0, %r0, %r0}, {%h0}", "operand 4 of cp must be the halo and the offset in braces" },
        { "5d", "{%r0, %r0, %r0, %r0, %r0}, {%h0, %h0, %h0}",
          "operand 4 of cp must be the halo and the offset in braces" },
        { "2d", "{%r0, %r0}, {%h0, %h0}", "im2col copies have three to five dimensions" },
    };
    char text[1000], coordinates[64];
    lw_program *program;
    lw_error error = { "" };
    const size_t split = strcspn(cases_of[_i][1], "}") + 1;
    snprintf(coordinates, sizeof(coordinates), "%.*s", (int)split, cases_of[_i][1]);
    snprintf(text, sizeof(text),
             ".version 8.6\n.target sm_100a\n.address_size 64\n.entry k() { .reg .b16 %%h<1>; .reg .b32 "
             "%%r<1>; .reg .b64 %%rd<1>; .shared .b64 bar; .shared .align 128 .b8 box[1024];\n"
             "cp.async.bulk.tensor.%s.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes [box], "
             "[%%rd0, %s], [bar]%s; ret; }\n",
             cases_of[_i][0], coordinates, cases_of[_i][1] + split);
    ck_assert_int_eq(lw_program_load(text, strlen(text), NULL, &program, &error), LW_E_FORMAT);
    ck_assert_msg(strstr(error.text, cases_of[_i][2]) != NULL, "%s", error.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_im2col_wide");
    TCase *tc = tcase_create("rows of pixels");
    tcase_add_loop_test(tc, pixels_and_their_halos_are_loaded, 0, 2 * CASES);
    tcase_add_test(tc, halos_of_128_stand_where_numsim_has_them);
    tcase_add_loop_test(tc, misuse_is_said, 0, 7);
    tcase_add_loop_test(tc, a_map_that_the_driver_refuses_is_refused, 0, 7);
    tcase_add_loop_test(tc, operands_are_two, 0, 3);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
