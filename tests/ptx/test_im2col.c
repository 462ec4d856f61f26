/* SPDX-License-Identifier: MIT */
/*
 * Tensor copies of pixels (.im2col) into shared memory and out of it, of three to five dimensions: the pixels
 * of all images are listed one by one, and a copy takes the next ones from where it begins.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>
#include <lanewise/tensor_map.h>
#include <lanewise/why.h>

enum {
    BOX = 16384,
    IMAGES = 3,
    CHANNELS = 16,
    MOST = 8 * 8 * 8 * IMAGES * CHANNELS,
    REFUSED = 10,
    REFUSED_COPIES = 4
};

typedef struct pixels {
    unsigned space, size[3], step[3]; /* dimensions of space, the innermost first */
    int lower[3], upper[3];
    unsigned channels, count, swizzle, plus[3];
    int channel, at[3], image; /* where the copy begins */
} pixels;

static const pixels cases[] = {
    { 2, { 7, 5 }, { 1, 1 }, { -1, -1 }, { -1, -1 }, 8, 32, 0, { 0, 0 }, 0, { -1, -1 }, 0 },
    { 2, { 7, 5 }, { 1, 1 }, { -1, -1 }, { -1, -1 }, 16, 64, 32, { 2, 1 }, 0, { -1, -1 }, 1 },
    { 2, { 7, 5 }, { 1, 1 }, { -1, -1 }, { -1, -1 }, 16, 50, 32, { 1, 2 }, 0, { 2, 0 }, 2 },
    { 2, { 8, 6 }, { 2, 2 }, { -1, -1 }, { -1, -1 }, 8, 40, 0, { 1, 0 }, 8, { 1, 3 }, 0 },
    { 2, { 8, 6 }, { 3, 1 }, { 0, 0 }, { 0, 0 }, 16, 60, 64, { 0, 0 }, 0, { 3, 2 }, 1 },
    { 1, { 8 }, { 1 }, { -2 }, { -2 }, 16, 40, 128, { 3 }, 4, { -2 }, 0 },
    { 1, { 8 }, { 2 }, { 0 }, { -1 }, 8, 16, 0, { 0 }, 0, { 4 }, 2 },
    { 3,
      { 4, 3, 5 },
      { 1, 1, 1 },
      { -1, -1, -1 },
      { -1, -1, -1 },
      8,
      100,
      0,
      { 0, 2, 1 },
      0,
      { 0, 1, 2 },
      0 },
    { 3, { 4, 3, 5 }, { 2, 1, 3 }, { -1, 0, -2 }, { 0, 0, 1 }, 16, 70, 128, { 1, 0, 2 }, 0, { 1, 1, 1 }, 1 },
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static uint16_t tensor[MOST], data[BOX / 2];

/* The first element of a pixel in the tensor; -1 if the pixel is outside. */
static int first_of(const pixels *p, const int at[3], int image)
{
    int index = image;
    if (image < 0 || image >= IMAGES)
        return -1;
    for (int d = (int)p->space - 1; d >= 0; d--) {
        const int here = at[d] + (int)p->plus[d];
        if (here < 0 || here >= (int)p->size[d])
            return -1;
        index = index * (int)p->size[d] + here;
    }
    return index * CHANNELS;
}

/* Lists the pixels of all images and of two more, and returns those of the copy: places of first elements. */
static void list(const pixels *p, int *places)
{
    int begin[3], end[3], at[3] = { 0, 0, 0 };
    unsigned taken = 0;
    bool begun = false;
    for (unsigned d = 0; d < 3; d++) {
        begin[d] = d < p->space ? p->lower[d] : 0;
        end[d] = d < p->space ? (int)p->size[d] - 1 + p->upper[d] : 0;
    }
    for (int image = 0; image < IMAGES + 20; image++)
        for (at[2] = begin[2]; at[2] <= end[2]; at[2] += p->space > 2 ? (int)p->step[2] : 1)
            for (at[1] = begin[1]; at[1] <= end[1]; at[1] += p->space > 1 ? (int)p->step[1] : 1)
                for (at[0] = begin[0]; at[0] <= end[0]; at[0] += (int)p->step[0]) {
                    begun =
                        begun || (image == p->image && at[0] == p->at[0] &&
                                  (p->space < 2 || at[1] == p->at[1]) && (p->space < 3 || at[2] == p->at[2]));
                    if (begun && taken < p->count)
                        places[taken++] = first_of(p, at, image);
                }
    ck_assert_uint_eq(taken, p->count);
}

/* Where a byte of the dense image of a copy is: pixels are as far apart as the swizzle is wide. */
static unsigned place(const pixels *p, unsigned at)
{
    const unsigned keys = p->swizzle / 16, own = 2 * p->channels, pitch = p->swizzle ? p->swizzle : own;
    const unsigned byte = at / own * pitch + at % own, row = byte / 128, chunk = byte / 16 % 8;
    return row * 128 + (chunk ^ (keys ? row % keys : 0)) * 16 + byte % 16;
}

typedef enum direction { LOAD, STORE, ADD } direction;

static void write_kernel(const pixels *p, direction way, bool tile, char *text, size_t size)
{
    const bool store = way != LOAD;
    char at[80], plus[40] = "";
    const char *mode = tile ? "tile" : store ? "im2col_no_offs" : "im2col";
    int used = snprintf(at, sizeof(at), "{%d", p->channel);
    for (unsigned d = 0; d < p->space; d++)
        used += snprintf(at + used, sizeof(at) - (size_t)used, ", %d", p->at[d]);
    snprintf(at + used, sizeof(at) - (size_t)used, ", %d}", p->image);
    if (!store && !tile)
        snprintf(plus, sizeof(plus),
                 p->space == 3   ? ", {%u, %u, %u}"
                 : p->space == 2 ? ", {%u, %u}"
                                 : ", {%u}",
                 p->plus[0], p->plus[1], p->plus[2]);
    used = snprintf(
        text, size,
        ".version 8.6\n.target sm_90\n.address_size 64\n"
        ".entry k(.param .align 64 .b8 map[128], .param .u64 data) {\n"
        ".reg .pred %%p<3>; .reg .b32 %%r<8>; .reg .b64 %%rd<8>;\n"
        ".shared .align 1024 .b8 box[%d]; .shared .align 8 .b64 bar;\n"
        "mov.b64 %%rd1, map; cvta.param.u64 %%rd1, %%rd1; ld.param.u64 %%rd2, [data];\n"
        "mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd3, %%r1, 4; add.u64 %%rd2, %%rd2, %%rd3; cvt.u32.u64 "
        "%%r2, %%rd3;\n"
        "setp.ne.u32 %%p1, %%r1, 0; mov.u32 %%r4, box; add.u32 %%r2, %%r2, %%r4;\n",
        BOX);
    if (store)
        snprintf(text + used, size - (size_t)used,
                 "L: ld.global.b32 %%r3, [%%rd2]; st.shared.b32 [%%r2], %%r3; add.u64 %%rd2, %%rd2, 128; "
                 "add.u32 %%r2, %%r2, 128;\n"
                 "sub.u32 %%r5, %%r2, %%r4; setp.lt.u32 %%p2, %%r5, %d; @%%p2 bra L;\n"
                 "fence.proxy.async.shared::cta; bar.sync 0; @%%p1 bra E;\n"
                 "cp%s.async.bulk.tensor.%ud.global.shared::cta%s.%s.bulk_group [%%rd1, %s], [box];\n"
                 "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nE: ret; }\n",
                 BOX, way == ADD ? ".reduce" : "", p->space + 2, way == ADD ? ".add" : "", mode, at);
    else
        snprintf(text + used, size - (size_t)used,
                 "@%%p1 bra I; mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, "
                 "[bar], %u;\n"
                 "cp.async.bulk.prefetch.tensor.%ud.L2.global.%s [%%rd1, %s]%s;\n"
                 "cp.async.bulk.tensor.%ud.shared::cluster.global.%s.mbarrier::complete_tx::bytes [box], "
                 "[%%rd1, %s], [bar]%s;\n"
                 "I: bar.sync 0;\nW: mbarrier.try_wait.parity.shared.b64 %%p2, [bar], 0; @!%%p2 bra W;\n"
                 "L: ld.shared.b32 %%r3, [%%r2]; st.global.b32 [%%rd2], %%r3; add.u64 %%rd2, %%rd2, 128; "
                 "add.u32 %%r2, %%r2, 128;\n"
                 "sub.u32 %%r5, %%r2, %%r4; setp.lt.u32 %%p2, %%r5, %d; @%%p2 bra L;\nret; }\n",
                 p->count * p->channels * 2, p->space + 2, mode, at, plus, p->space + 2, mode, at, plus, BOX);
}

static void describe(const pixels *p, uint64_t address, lw_tensor_map *m, lw_tensor_im2col *i)
{
    *m = (lw_tensor_map){
        .type = LW_TENSOR_F16, .rank = p->space + 2, .address = address, .swizzle = p->swizzle
    };
    *i = (lw_tensor_im2col){ .channels = p->channels, .pixels = p->count };
    m->dims[0] = CHANNELS;
    for (unsigned d = 0; d < p->space; d++) {
        m->dims[d + 1] = p->size[d];
        m->steps[d + 1] = p->step[d];
        i->lower[d] = p->lower[d];
        i->upper[d] = p->upper[d];
    }
    m->dims[p->space + 1] = IMAGES;
    lw_tensor_map_pack_strides(m);
}

/* Where the elements of `data` come from: the address in the tensor, or 0 where they are zeros. */
static uint64_t origins[BOX / 2], tensor_at;

/* Asks where every `each`th element of the result comes from. */
static void trace(const lw_launch_options *o, uint64_t at, unsigned each)
{
    lw_error error = { "" };
    lw_why *why = NULL;
    lw_why_origin origin;
    for (unsigned i = 0; i < BOX / 2; i += each) {
        ck_assert_msg(lw_why_find(o, at + 2 * i, 2, NULL, &why, &error) == LW_OK, "%s", error.text);
        ck_assert(lw_why_trace(why, 0, 0, 16, &origin) && origin.copied);
        const lw_why_node *n = lw_why_node_at(why, origin.node);
        origins[i] = n->kind == LW_WHY_INPUT ? n->address + origin.bit / 8u : 0;
        ck_assert(n->kind == LW_WHY_INPUT || n->kind == LW_WHY_COPY || n->kind == LW_WHY_UNWRITTEN);
        lw_why_free(why);
    }
}

/* Runs the kernel on `tensor` and `data`, which then hold the result. `each`: also traces elements. */
static lw_status run_tracing(const pixels *p, direction way, bool tile, lw_async async, unsigned each,
                             lw_error *error)
{
    char text[4096];
    uint8_t map[LW_TENSOR_MAP_BYTES];
    uint64_t at[2];
    lw_program *program;
    lw_memory *memory;
    lw_tensor_map m;
    lw_tensor_im2col i;
    write_kernel(p, way, tile, text, sizeof(text));
    ck_assert_msg(lw_program_load(text, strlen(text), NULL, &program, error) == LW_OK, "%s\n%s", error->text,
                  text);
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "t", sizeof(tensor), LW_ACCESS_READ_WRITE, &at[0], NULL),
                     LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "d", sizeof(data), LW_ACCESS_READ_WRITE, &at[1], NULL),
                     LW_OK);
    lw_memory_write(memory, at[0], tensor, sizeof(tensor));
    lw_memory_write(memory, at[1], data, sizeof(data));
    describe(p, at[0], &m, &i);
    ck_assert_msg(lw_tensor_map_encode_im2col(&m, &i, map, error) == LW_OK, "%s", error->text);
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
    tensor_at = at[0];
    if (each)
        trace(&o, at[1], each);
    lw_memory_read(memory, at[0], tensor, sizeof(tensor));
    lw_memory_read(memory, at[1], data, sizeof(data));
    lw_memory_free(memory);
    lw_program_free(program);
    return status;
}

static lw_status run(const pixels *p, direction way, bool tile, lw_async async, lw_error *error)
{
    return run_tracing(p, way, tile, async, 0, error);
}

static void fill(void)
{
    for (unsigned i = 0; i < MOST; i++)
        tensor[i] = (uint16_t)((i * 2654435761u >> 13) | 1);
    for (unsigned i = 0; i < BOX / 2; i++)
        data[i] = (uint16_t)(i * 40503u >> 5);
}

START_TEST(pixels_are_loaded)
{
    const pixels *p = &cases[_i / 2];
    lw_error error = { "" };
    int places[256];
    fill();
    list(p, places);
    enum { EACH = 211 };
    const lw_status status =
        run_tracing(p, LOAD, false, _i % 2 ? LW_ASYNC_EARLY : LW_ASYNC_LATE, EACH, &error);
    ck_assert_msg(status == LW_OK, "%s", error.text);
    for (unsigned n = 0; n < p->count * p->channels; n++) {
        const unsigned pixel = n / p->channels;
        const int channel = p->channel + (int)(n % p->channels);
        const bool inside = places[pixel] >= 0 && channel < CHANNELS;
        const uint16_t wanted = inside ? tensor[places[pixel] + channel] : 0, got = data[place(p, 2 * n) / 2];
        ck_assert_msg(got == wanted, "case %d, pixel %u, channel %d: %04x, not %04x", _i / 2, pixel, channel,
                      got, wanted);
        if (place(p, 2 * n) / 2 % EACH == 0)
            ck_assert_uint_eq(origins[place(p, 2 * n) / 2],
                              inside ? tensor_at + 2 * (uint64_t)(places[pixel] + channel) : 0);
    }
}
END_TEST

/* Without offsets; pixels and channels outside the tensor are not stored. */
START_TEST(pixels_are_stored)
{
    static uint16_t wanted[MOST];
    pixels p = cases[_i];
    lw_error error = { "" };
    int places[256];
    memset(p.plus, 0, sizeof(p.plus));
    fill();
    list(&p, places);
    memcpy(wanted, tensor, sizeof(wanted));
    for (unsigned n = 0; n < p.count * p.channels; n++)
        if (places[n / p.channels] >= 0 && p.channel + (int)(n % p.channels) < CHANNELS)
            wanted[places[n / p.channels] + p.channel + (int)(n % p.channels)] = data[place(&p, 2 * n) / 2];
    const lw_status status = run(&p, STORE, false, LW_ASYNC_LATE, &error);
    ck_assert_msg(status == LW_OK, "%s", error.text);
    for (unsigned i = 0; i < MOST; i++)
        ck_assert_msg(tensor[i] == wanted[i], "case %d, element %u: %04x, not %04x", _i, i, tensor[i],
                      wanted[i]);
}
END_TEST

/* f16 of a whole number below 2048. */
static uint16_t half_of(unsigned n)
{
    unsigned e = 0;
    if (n == 0)
        return 0;
    while (n >> (e + 1))
        e++;
    return (uint16_t)((e + 15) << 10 | (n << (10 - e) & 0x3ff));
}

/* cp.reduce.async.bulk.tensor: whole numbers are added to those of the pixels inside. */
START_TEST(pixels_are_added)
{
    static unsigned wanted[MOST];
    pixels p = cases[_i];
    lw_error error = { "" };
    int places[256];
    memset(p.plus, 0, sizeof(p.plus));
    list(&p, places);
    for (unsigned i = 0; i < MOST; i++)
        tensor[i] = half_of(wanted[i] = i % 700);
    for (unsigned i = 0; i < BOX / 2; i++)
        data[i] = half_of(i % 1000 + 1);
    for (unsigned n = 0; n < p.count * p.channels; n++)
        if (places[n / p.channels] >= 0 && p.channel + (int)(n % p.channels) < CHANNELS)
            wanted[places[n / p.channels] + p.channel + (int)(n % p.channels)] +=
                place(&p, 2 * n) / 2 % 1000 + 1;
    const lw_status status = run(&p, ADD, false, LW_ASYNC_LATE, &error);
    ck_assert_msg(status == LW_OK, "%s", error.text);
    for (unsigned i = 0; i < MOST; i++)
        ck_assert_msg(tensor[i] == half_of(wanted[i]), "case %d, element %u: %04x, not %u", _i, i, tensor[i],
                      wanted[i]);
}
END_TEST

START_TEST(misuse_is_said)
{
    static const struct {
        int at;
        bool tile;
        const char *says;
    } wrong[REFUSED_COPIES] = {
        { -2, false, "begins at coordinate -2 of dimension 1; its box is from -1 to 5" },
        { 6, false, "begins at coordinate 6 of dimension 1; its box is from -1 to 5" },
        { 0, true, "copies a tile; the tensor map is for pixels (im2col)" },
        { 5, false, NULL },
    };
    pixels p = cases[0];
    lw_error error = { "" };
    p.at[0] = wrong[_i].at;
    const lw_status status = run(&p, LOAD, wrong[_i].tile, LW_ASYNC_LATE, &error);
    ck_assert_int_eq(status, wrong[_i].says ? LW_E_FAULT : LW_OK);
    ck_assert_msg(!wrong[_i].says || strstr(error.text, wrong[_i].says), "%s", error.text);
}
END_TEST

START_TEST(a_map_that_the_driver_refuses_is_refused)
{
    static const struct {
        lw_tensor_im2col pixels;
        unsigned rank;
        uint32_t steps[5];
        const char *says;
    } wrong[REFUSED] = {
        { { { 0 }, { 0 }, 16, 4 }, 2, { 1 }, "has 2 dimensions; a map of pixels takes 3 to 5" },
        { { { 0 }, { 0 }, 0, 4 }, 4, { 1 }, "0 channels of 4 pixels" },
        { { { 0 }, { 0 }, 257, 4 }, 4, { 1 }, "257 channels of 4 pixels" },
        { { { 0 }, { 0 }, 16, 1025 }, 4, { 1 }, "16 channels of 1025 pixels" },
        { { { -129 }, { 0 }, 16, 4 },
          4,
          { 1 },
          "the corners of dimension 1 are -129 and 0; with 4 dimensions" },
        { { { 0 }, { 0, 128 }, 16, 4 }, 4, { 1 }, "the corners of dimension 2 are 0 and 128" },
        { { { 0, 0, 16 }, { 0 }, 16, 4 }, 5, { 1 }, "they are -16 to 15" },
        { { { 4 }, { -5 }, 16, 4 }, 4, { 1 }, "leave no pixel" },
        { { { 0 }, { 0 }, 4, 4 }, 4, { 1 }, "rows of 8 bytes" },
        { { { 0 }, { 0 }, 16, 4 }, 4, { 1, 1, 1, 2 }, "a step of 2 from image to image" },
    };
    lw_tensor_map m = { .type = LW_TENSOR_F16, .rank = wrong[_i].rank, .dims = { 16, 8, 8, 8, 8 } };
    uint8_t bytes[LW_TENSOR_MAP_BYTES];
    lw_error error = { "" };
    memcpy(m.steps, wrong[_i].steps, sizeof(m.steps));
    lw_tensor_map_pack_strides(&m);
    ck_assert_int_eq(lw_tensor_map_encode_im2col(&m, &wrong[_i].pixels, bytes, &error), LW_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, wrong[_i].says) != NULL, "%s", error.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_im2col");
    TCase *tc = tcase_create("pixels");
    tcase_add_loop_test(tc, pixels_are_loaded, 0, 2 * CASES);
    tcase_add_loop_test(tc, pixels_are_stored, 0, CASES);
    tcase_add_loop_test(tc, pixels_are_added, 0, CASES);
    tcase_add_loop_test(tc, misuse_is_said, 0, REFUSED_COPIES);
    tcase_add_loop_test(tc, a_map_that_the_driver_refuses_is_refused, 0, REFUSED);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
