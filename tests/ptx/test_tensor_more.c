/* SPDX-License-Identifier: MIT */
/* Tensor copies to several blocks of a cluster at once, and tensor maps that kernels write themselves. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>
#include <lanewise/tensor_map.h>

enum {
    ROWS = 16,
    COLUMNS = 64,
    BOX_ROWS = 8,
    BOX_COLUMNS = 32,
    BOX = BOX_ROWS * BOX_COLUMNS * 4,
    BLOCKS = 2
};

static lw_status run(const char *text, const lw_arg *args, size_t count, lw_memory *memory, uint32_t blocks,
                     lw_async async, lw_error *error)
{
    lw_program *program;
    lw_launch_options o = lw_launch_options_default();
    ck_assert_msg(lw_program_load(text, strlen(text), NULL, &program, error) == LW_OK, "%s\n%s", error->text,
                  text);
    o.program = program;
    o.memory = memory;
    o.grid[0] = blocks;
    o.cluster[0] = blocks;
    o.block[0] = 32;
    o.args = args;
    o.arg_count = count;
    o.async = async;
    o.budget = 1000000;
    const lw_status status = lw_launch(&o, NULL, error);
    lw_program_free(program);
    return status;
}

/* ---- Multicast ---- */

/* Block 0 copies to the blocks of `mask`, each of which waits for the bytes and stores its box. */
static const char multicast[] =
    ".version 8.6\n.target sm_90\n.address_size 64\n"
    ".entry k(.param .align 64 .b8 map[128], .param .u64 data, .param .u32 mask) {\n"
    ".reg .pred %p<6>; .reg .b32 %r<12>; .reg .b64 %rd<6>; .reg .b16 %h;\n"
    ".shared .align 1024 .b8 box[1024]; .shared .align 8 .b64 bar;\n"
    "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [data]; ld.param.u32 %r1, [mask];\n"
    "cvt.u16.u32 %h, %r1; mov.u32 %r2, %tid.x; mov.u32 %r3, %cluster_ctarank;\n"
    "setp.ne.u32 %p1, %r2, 0; shr.u32 %r4, %r1, %r3; and.b32 %r4, %r4, 1; setp.eq.u32 %p2, %r4, 0;\n"
    "mov.u32 %r8, box; shl.b32 %r5, %r2, 2; add.u32 %r9, %r8, %r5; add.u32 %r10, %r8, 1024;\n"
    "mov.u32 %r6, 0x55555555; mov.u32 %r7, %r9;\n"
    "Z: st.shared.b32 [%r7], %r6; add.u32 %r7, %r7, 128; setp.lt.u32 %p3, %r7, %r10; @%p3 bra Z;\n"
    "@%p1 bra I; mbarrier.init.shared.b64 [bar], 1; @%p2 bra I;\n"
    "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 1024;\n"
    "I: bar.sync 0; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
    "or.b32 %r11, %r2, %r3; setp.ne.u32 %p4, %r11, 0; @%p4 bra C;\n"
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [box], "
    "[%rd1, {16, 4}], [bar], %h;\n"
    "C: @%p2 bra S;\nW: mbarrier.try_wait.parity.shared.b64 %p5, [bar], 0; @!%p5 bra W;\n"
    "S: mul.lo.u32 %r3, %r3, 1024; add.u32 %r3, %r3, %r5; cvt.u64.u32 %rd3, %r3; add.u64 %rd2, %rd2, %rd3;\n"
    "L: ld.shared.b32 %r6, [%r9]; st.global.b32 [%rd2], %r6; add.u64 %rd2, %rd2, 128; add.u32 %r9, %r9, "
    "128;\n"
    "setp.lt.u32 %p3, %r9, %r10; @%p3 bra L;\n"
    "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\nret; }\n";

static lw_status run_multicast(uint32_t mask, lw_async async, uint32_t got[BLOCKS][BOX / 4], lw_error *error)
{
    uint32_t source[ROWS][COLUMNS];
    uint8_t map[LW_TENSOR_MAP_BYTES];
    uint64_t at[2];
    lw_memory *memory;
    for (unsigned i = 0; i < ROWS * COLUMNS; i++)
        source[i / COLUMNS][i % COLUMNS] = i * 2654435761u;
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "t", sizeof(source), LW_ACCESS_READ, &at[0], NULL), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "d", BLOCKS * BOX, LW_ACCESS_READ_WRITE, &at[1], NULL),
                     LW_OK);
    memcpy(lw_memory_host(memory, at[0], sizeof(source)), source, sizeof(source));
    lw_tensor_map m = {
        LW_TENSOR_U32, 2, at[0], { COLUMNS, ROWS }, { 0 }, { BOX_COLUMNS, BOX_ROWS }, { 0 }, 0
    };
    lw_tensor_map_pack_strides(&m);
    ck_assert_int_eq(lw_tensor_map_encode(&m, map, error), LW_OK);
    const lw_arg args[] = { { NULL, map, sizeof(map), false },
                            { NULL, &at[1], 8, true },
                            { NULL, &mask, 4, false } };
    const lw_status status = run(multicast, args, 3, memory, BLOCKS, async, error);
    lw_memory_read(memory, at[1], got, BLOCKS * BOX);
    lw_memory_free(memory);
    return status;
}

START_TEST(a_box_reaches_the_blocks_of_the_mask)
{
    static uint32_t got[BLOCKS][BOX / 4];
    const uint32_t mask = (uint32_t)_i % 3 + 1;
    lw_error error = { "" };
    ck_assert_msg(run_multicast(mask, _i > 2 ? LW_ASYNC_EARLY : LW_ASYNC_LATE, got, &error) == LW_OK, "%s",
                  error.text);
    for (unsigned block = 0; block < BLOCKS; block++)
        for (unsigned i = 0; i < BOX / 4; i++) {
            const uint32_t element = (4 + i / BOX_COLUMNS) * COLUMNS + 16 + i % BOX_COLUMNS;
            const uint32_t want = mask >> block & 1 ? element * 2654435761u : 0x55555555;
            ck_assert_msg(got[block][i] == want, "mask %u, block %u, element %u: %08x, not %08x", mask, block,
                          i, got[block][i], want);
        }
}
END_TEST

START_TEST(a_mask_names_blocks_of_the_cluster)
{
    static uint32_t got[BLOCKS][BOX / 4];
    lw_error error = { "" };
    ck_assert_int_eq(run_multicast(5, LW_ASYNC_LATE, got, &error), LW_E_FAULT);
    ck_assert_msg(strstr(error.text, "copies to the blocks 0x5 of a cluster that has 2") != NULL, "%s",
                  error.text);
    ck_assert_int_eq(run_multicast(0x10000, LW_ASYNC_LATE, got, &error), LW_E_FAULT);
    ck_assert_msg(strstr(error.text, "copies to no block of the cluster") != NULL, "%s", error.text);
}
END_TEST

/* ---- tensormap.replace ---- */

/* Writes a map's fields one by one into shared memory, which holds `fill`, and copies it out. */
static void write_map(const char *fields, uint32_t fill, uint32_t words[32])
{
    char text[4096];
    uint64_t out;
    lw_memory *memory;
    lw_error error = { "" };
    snprintf(
        text, sizeof(text),
        ".version 8.6\n.target sm_90a\n.address_size 64\n.entry k(.param .u64 out, .param .u32 fill) {\n"
        ".reg .pred %%p; .reg .b32 %%r<4>; .reg .b64 %%rd<3>; .shared .align 128 .b8 m[128];\n"
        "ld.param.u64 %%rd1, [out]; ld.param.u32 %%r1, [fill]; mov.u32 %%r2, %%tid.x; shl.b32 %%r3, %%r2, "
        "2;\n"
        "mov.u32 %%r0, m; add.u32 %%r3, %%r3, %%r0; st.shared.b32 [%%r3], %%r1; bar.sync 0;\n"
        "setp.ne.u32 %%p, %%r2, 0; cvt.u64.u32 %%rd0, %%r0; @%%p bra E;\n%sE: bar.warp.sync -1;\n"
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%%rd1], "
        "[%%rd0], 128;\nret; }\n",
        fields);
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "out", 128, LW_ACCESS_READ_WRITE, &out, NULL), LW_OK);
    const lw_arg args[] = { { NULL, &out, 8, true }, { NULL, &fill, 4, false } };
    ck_assert_msg(run(text, args, 2, memory, 1, LW_ASYNC_LATE, &error) == LW_OK, "%s", error.text);
    lw_memory_read(memory, out, words, 128);
    lw_memory_free(memory);
}

#define FIELD(name, bits, values)                                                                            \
    "tensormap.replace.tile." name ".shared::cta.b1024.b" bits " [%rd0], " values ";\n"

/* The words are those of ptxas 13.0's code: the map of 64 x 4096 x 8 f16 that test_tensor.c has, too. */
START_TEST(fields_go_where_ptxas_puts_them)
{
    static const uint32_t wanted[16] = {
        [0] = 0x00200000, [1] = 0x00007f00, [2] = 0x00006320, [3] = 8,           [4] = 0x23456789, [7] = 0x10,
        [8] = 0x3f,       [9] = 0xfff,      [10] = 7,         [13] = 0x3f000000, [14] = 0x7f,
    };
    uint32_t words[32];
    write_map(
        "mov.b64 %rd2, 0x7f0000200000;\n" FIELD("global_address", "64", "%rd2") FIELD("rank", "32", "2")
            FIELD("elemtype", "32", "6") FIELD("interleave_layout", "32", "0")
                FIELD("swizzle_mode", "32", "3") FIELD("fill_mode", "32", "0")
                    FIELD("global_dim", "32", "0, 64") FIELD("global_dim", "32", "1, 4096")
                        FIELD("global_dim", "32", "2, 8") "mov.b64 %rd2, 128;\n" FIELD(
                            "global_stride", "64",
                            "0, %rd2") "mov.b64 %rd2, 0x1234567890;\n" FIELD("global_stride", "64", "1, %rd2")
                            FIELD("box_dim", "32", "0, 64") FIELD("box_dim", "32", "1, 128")
                                FIELD("box_dim", "32", "2, 1") FIELD("element_stride", "32", "0, 1")
                                    FIELD("element_stride", "32", "1, 1"),
        0, words);
    ck_assert_mem_eq(words, wanted, sizeof(wanted));
    write_map(FIELD("elemtype", "32", "12"), 0, words); /* f32.ftz, and the bit for tf32 */
    ck_assert_uint_eq(words[2], 8u << 7 | 1u << 16);
}
END_TEST

/* One field at a time, in a map of ones: everything around it stays. */
START_TEST(other_bits_stay)
{
    static const struct {
        const char *text;
        unsigned word;
        uint32_t value;
    } cases[] = {
        { FIELD("rank", "32", "2"), 2, ~0x70u | 2u << 4 },
        { FIELD("elemtype", "32", "10"), 2, ~0x780u | 10u << 7 },
        { FIELD("elemtype", "32", "11"), 2, ~0x780u | 7u << 7 },
        { FIELD("elemtype", "32", "13"), 2, ~0x780u | 11u << 7 },
        { FIELD("interleave_layout", "32", "1"), 2, ~0x1800u | 1u << 11 },
        { FIELD("swizzle_mode", "32", "2"), 2, ~0x406000u | 2u << 13 },
        { FIELD("swizzle_mode", "32", "4"), 2, ~0x6000u },
        { FIELD("fill_mode", "32", "0"), 2, ~0x8000u },
        { FIELD("swizzle_atomicity", "32", "1"), 2, ~0x180000u | 1u << 19 },
        { FIELD("box_dim", "32", "0, 17"), 13, 0x10ffffff },
        { FIELD("box_dim", "32", "3, 18"), 14, 0xff11ffff },
        { FIELD("element_stride", "32", "2, 3"), 13, ~0x1c0u | 2u << 6 },
        { FIELD("global_dim", "32", "4, 100"), 12, 99 },
    };
    const unsigned n = (unsigned)_i;
    uint32_t words[32];
    ck_assert_uint_eq(sizeof(cases) / sizeof(cases[0]), 13);
    write_map(cases[n].text, UINT32_MAX, words);
    for (unsigned i = 0; i < 32; i++) {
        const uint32_t want = i == cases[n].word ? cases[n].value : UINT32_MAX;
        ck_assert_msg(words[i] == want, "%s: word %u is %08x, not %08x", cases[n].text, i, words[i], want);
    }
}
END_TEST

START_TEST(fields_that_no_map_has)
{
    static const char *const cases[][2] = {
        { FIELD("rank", "32", "5"), "a tensor map has no field of this kind with the value 5" },
        { FIELD("elemtype", "32", "16"), "a tensor map has no element type 16" },
        { FIELD("swizzle_mode", "32", "5"), "a tensor map has no swizzle mode 5" },
        { FIELD("box_dim", "32", "5, 1"), "a tensor map has no dimension 5" },
    };
    char text[1000];
    lw_memory *memory;
    lw_error error = { "" };
    snprintf(text, sizeof(text),
             ".version 8.6\n.target sm_90a\n.address_size 64\n.entry k() {\n.reg .b64 %%rd<1>; .shared "
             ".align 128 .b8 "
             "m[128];\nmov.b64 %%rd0, m;\n%sret; }\n",
             cases[_i][0]);
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(run(text, NULL, 0, memory, 1, LW_ASYNC_LATE, &error), LW_E_FAULT);
    ck_assert_msg(strstr(error.text, cases[_i][1]) != NULL, "%s", error.text);
    lw_memory_free(memory);
}
END_TEST

enum { REFUSED = 17 };

START_TEST(a_map_that_the_driver_refuses_is_refused)
{
    static const struct {
        lw_tensor_map map;
        const char *says;
    } cases[] = {
        { { (lw_tensor_type)10, 1, 0, { 16 }, { 0 }, { 16 }, { 0 }, 0 }, "there is no element type 10" },
        { { LW_TENSOR_U8, 6, 0, { 16 }, { 0 }, { 16 }, { 0 }, 0 }, "has 6 dimensions; a map takes 1 to 5" },
        { { LW_TENSOR_U8, 0, 0, { 16 }, { 0 }, { 16 }, { 0 }, 0 }, "has 0 dimensions" },
        { { LW_TENSOR_U8, 1, 8, { 16 }, { 0 }, { 16 }, { 0 }, 0 }, "address 0x8 is not a multiple of 16" },
        { { LW_TENSOR_U8, 1, 0, { 16 }, { 0 }, { 16 }, { 0 }, 160 }, "a swizzle of 160 bytes" },
        { { LW_TENSOR_U8, 1, 0, { 16 }, { 0 }, { 16 }, { 0 }, 128 | LW_TENSOR_FLIP_8 },
          "a swizzle of 32896 bytes" },
        { { LW_TENSOR_U8, 1, 0, { 112 }, { 0 }, { 112 }, { 0 }, 96 }, "a swizzle of 96 bytes takes no more" },
        { { LW_TENSOR_U8, 1, 0, { 0 }, { 0 }, { 16 }, { 0 }, 0 }, "dimension 0 has 0 elements" },
        { { LW_TENSOR_U8, 1, 0, { 0x100000001 }, { 0 }, { 16 }, { 0 }, 0 }, "has 4294967297 elements" },
        { { LW_TENSOR_U8, 2, 0, { 16, 2 }, { 0, 24 }, { 16, 1 }, { 0 }, 0 }, "a stride of 24 bytes" },
        { { LW_TENSOR_U8, 2, 0, { 16, 2 }, { 0, UINT64_C(1) << 40 }, { 16, 1 }, { 0 }, 0 }, "a stride of" },
        { { LW_TENSOR_U8, 1, 0, { 16 }, { 0 }, { 257 }, { 0 }, 0 }, "the box has 257 elements" },
        { { LW_TENSOR_U8, 1, 0, { 16 }, { 0 }, { 0 }, { 0 }, 0 }, "the box has 0 elements" },
        { { LW_TENSOR_U8, 1, 0, { 16 }, { 0 }, { 16 }, { 2 }, 0 }, "a step of 2 in dimension 0; it is 1" },
        { { LW_TENSOR_U8, 2, 0, { 16, 2 }, { 0, 16 }, { 16, 1 }, { 1, 9 }, 0 },
          "a step of 9 in dimension 1" },
        { { LW_TENSOR_F32, 1, 0, { 16 }, { 0 }, { 6 }, { 0 }, 0 }, "rows of 24 bytes" },
        { { LW_TENSOR_F16, 1, 0, { 64 }, { 0 }, { 64 }, { 0 }, 64 }, "a swizzle of 64 bytes takes no more" },
    };
    uint8_t bytes[128];
    lw_error error = { "" };
    ck_assert_uint_eq(sizeof(cases) / sizeof(cases[0]), REFUSED);
    ck_assert_int_eq(lw_tensor_map_encode(&cases[_i].map, bytes, &error), LW_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, cases[_i].says) != NULL, "%s", error.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_tensor_more");
    TCase *tc = tcase_create("maps");
    tcase_add_loop_test(tc, a_box_reaches_the_blocks_of_the_mask, 0, 6);
    tcase_add_test(tc, a_mask_names_blocks_of_the_cluster);
    tcase_add_test(tc, fields_go_where_ptxas_puts_them);
    tcase_add_loop_test(tc, other_bits_stay, 0, 13);
    tcase_add_loop_test(tc, fields_that_no_map_has, 0, 4);
    tcase_add_loop_test(tc, a_map_that_the_driver_refuses_is_refused, 0, REFUSED);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
