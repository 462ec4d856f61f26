/* SPDX-License-Identifier: MIT */
/*
 * Four rows of a table by one copy (.tile::gather4, .tile::scatter4), copies whose mbarrier is in the other
 * block of a pair (.cta_group::2), and bulk copies of some bytes of every 16 (.cp_mask).
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>
#include <lanewise/tensor_map.h>

enum { COLUMNS = 128, ROWS = 16, BOX = 512 };

typedef struct rows {
    unsigned columns, swizzle; /* of the box */
    int column, row[4];
} rows;

static const rows cases[] = {
    { 64, 128, 32, { 5, 9, 5, 0 } },
    { 64, 0, 96, { 15, 16, -1, 3 } },
    { 16, 32, -4, { 1, 14, 2, -2147483647 } },
    { 32, 64, 128, { 0, 1, 2, 3 } },
};
enum { CASES = sizeof(cases) / sizeof(cases[0]) };

static uint16_t table[ROWS][COLUMNS], data[BOX / 2];

static const char head[] =
    ".version 8.6\n.target sm_100a\n.address_size 64\n"
    ".entry k(.param .align 64 .b8 map[128], .param .u64 data) {\n"
    ".reg .pred %p<6>; .reg .b16 %h<2>; .reg .b32 %r<12>; .reg .b64 %rd<6>;\n"
    ".shared .align 1024 .b8 box[512]; .shared .align 8 .b64 bar;\n"
    "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [data]; mov.u32 %r1, %tid.x;\n"
    "mul.wide.u32 %rd3, %r1, 16; add.u64 %rd2, %rd2, %rd3; cvt.u32.u64 %r2, %rd3; mov.u32 %r3, box;\n"
    "add.u32 %r2, %r2, %r3; setp.ne.u32 %p1, %r1, 0;\n";

static const char into[] =
    "ld.global.v4.b32 {%r4, %r5, %r6, %r7}, [%rd2]; st.shared.v4.b32 [%r2], {%r4, %r5, %r6, %r7};\n"
    "fence.proxy.async.shared::cta; bar.sync 0;\n";
static const char out_of[] =
    "ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r2]; st.global.v4.b32 [%rd2], {%r4, %r5, %r6, %r7};\n"
    "ret; }\n";

static lw_status run(const char *body, const rows *c, unsigned box_rows, unsigned blocks, lw_async async,
                     lw_error *error)
{
    static char text[4096];
    uint8_t map[LW_TENSOR_MAP_BYTES];
    uint64_t at[2];
    lw_program *program;
    lw_memory *memory;
    snprintf(text, sizeof(text), "%s%s", head, body);
    ck_assert_msg(lw_program_load(text, strlen(text), NULL, &program, error) == LW_OK, "%s\n%s", error->text,
                  text);
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "t", sizeof(table), LW_ACCESS_READ_WRITE, &at[0], NULL),
                     LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "d", sizeof(data), LW_ACCESS_READ_WRITE, &at[1], NULL),
                     LW_OK);
    lw_memory_write(memory, at[0], table, sizeof(table));
    lw_memory_write(memory, at[1], data, sizeof(data));
    lw_tensor_map m = { LW_TENSOR_U16, 2,         at[0], { COLUMNS, ROWS }, { 0 }, { c->columns, box_rows },
                        { 0 },         c->swizzle };
    lw_tensor_map_pack_strides(&m);
    ck_assert_msg(lw_tensor_map_encode(&m, map, error) == LW_OK, "%s", error->text);
    const lw_arg args[] = { { NULL, map, sizeof(map), false }, { NULL, &at[1], 8, true } };
    lw_launch_options o = lw_launch_options_default();
    o.program = program;
    o.memory = memory;
    o.grid[0] = o.cluster[0] = blocks;
    o.block[0] = 32;
    o.args = args;
    o.arg_count = 2;
    o.async = async;
    o.budget = 100000;
    const lw_status status = lw_launch(&o, NULL, error);
    lw_memory_read(memory, at[0], table, sizeof(table));
    lw_memory_read(memory, at[1], data, sizeof(data));
    lw_memory_free(memory);
    lw_program_free(program);
    return status;
}

static void fill(void)
{
    for (unsigned i = 0; i < ROWS * COLUMNS; i++)
        table[i / COLUMNS][i % COLUMNS] = (uint16_t)(i + 1);
    for (unsigned i = 0; i < BOX / 2; i++)
        data[i] = (uint16_t)(0x8000 + i);
}

/* The element of the table that belongs to a byte of the dense box; NULL outside the table. */
static uint16_t *element(const rows *c, unsigned at)
{
    const int row = c->row[at / (2 * c->columns)], column = c->column + (int)(at / 2 % c->columns);
    return row >= 0 && row < ROWS && column >= 0 && column < COLUMNS ? &table[row][column] : NULL;
}

/* Where a byte of the dense box is in shared memory. */
static unsigned place(const rows *c, unsigned at)
{
    const unsigned keys = c->swizzle / 16, line = at / 128, chunk = at / 16 % 8;
    return line * 128 + (chunk ^ (keys ? line % keys : 0)) * 16 + at % 16;
}

START_TEST(rows_are_gathered)
{
    char body[1500];
    const rows *c = &cases[_i / 2];
    lw_error error = { "" };
    const unsigned bytes = c->columns * 8;
    fill();
    snprintf(body, sizeof(body),
             "%s@%%p1 bra I; mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, "
             "[bar], %u;\n"
             "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%%rd1, {%d, %d, %d, %d, %d}];\n"
             "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes"
             ".cta_group::1 [box], [%%rd1, {%d, %d, %d, %d, %d}], [bar];\n"
             "I: bar.sync 0;\nW: mbarrier.try_wait.parity.shared.b64 %%p2, [bar], 0; @!%%p2 bra W;\n%s",
             into, bytes, c->column, c->row[0], c->row[1], c->row[2], c->row[3], c->column, c->row[0],
             c->row[1], c->row[2], c->row[3], out_of);
    ck_assert_msg(run(body, c, 1, 1, _i % 2 ? LW_ASYNC_EARLY : LW_ASYNC_LATE, &error) == LW_OK, "%s",
                  error.text);
    for (unsigned at = 0; at < BOX; at += 2) {
        const uint16_t *from = at < bytes ? element(c, at) : NULL;
        const unsigned want = at >= bytes ? 0x8000 + place(c, at) / 2 : from ? *from : 0;
        ck_assert_msg(data[place(c, at) / 2] == want, "case %d, byte %u: %04x, not %04x", _i / 2, at,
                      data[place(c, at) / 2], want);
    }
}
END_TEST

START_TEST(rows_are_scattered)
{
    static uint16_t wanted[ROWS][COLUMNS];
    char body[1500];
    rows c = cases[_i / 2];
    const bool early = _i % 2;
    lw_error error = { "" };
    c.row[2] = c.row[2] == c.row[0] ? 7 : c.row[2]; /* of two equal rows either may be last */
    fill();
    memcpy(wanted, table, sizeof(wanted));
    for (unsigned at = 0; at < c.columns * 8; at += 2) {
        const uint16_t *to = element(&c, at);
        const ptrdiff_t n = to ? to - table[0] : 0;
        if (to)
            wanted[n / COLUMNS][n % COLUMNS] = (uint16_t)(0x8000 + place(&c, at) / 2);
    }
    snprintf(body, sizeof(body),
             "%s@%%p1 bra E;\n"
             "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%%rd1, {%d, %d, %d, %d, "
             "%d}], [box];\n"
             "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nE: ret; }\n",
             into, c.column, c.row[0], c.row[1], c.row[2], c.row[3]);
    ck_assert_msg(run(body, &c, 1, 1, early ? LW_ASYNC_EARLY : LW_ASYNC_LATE, &error) == LW_OK, "%s",
                  error.text);
    ck_assert_mem_eq(table, wanted, sizeof(wanted));
}
END_TEST

START_TEST(a_box_of_several_rows_is_refused)
{
    char body[1500];
    lw_error error = { "" };
    fill();
    snprintf(body, sizeof(body),
             "%s@%%p1 bra E;\n"
             "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%%rd1, {0, 1, 2, 3, 4}], "
             "[box];\n"
             "E: ret; }\n",
             into);
    ck_assert_int_eq(run(body, &cases[0], 4, 1, LW_ASYNC_LATE, &error), LW_E_FAULT);
    ck_assert_msg(strstr(error.text, "copies four rows one by one; the tensor map's box has 4 rows, not 1"),
                  "%s", error.text);
}
END_TEST

/*
 * Both blocks of a pair copy into their own memory and report to the mbarrier of block 0, which waits for
 * both and meets block 1 at the cluster's barrier; or block 0 copies to both. Without .cta_group::2 the first
 * is refused.
 */
START_TEST(a_pair_reports_to_one_mbarrier)
{
    static const struct {
        const char *words, *mask, *says;
        int row; /* of block 1 */
    } ways[] = { { ".cta_group::2", "", NULL, 1 },
                 { ".multicast::cluster.cta_group::2", ", %h1", NULL, 0 },
                 { "", "", "they have to be in the same block", 0 } };
    char body[2000];
    lw_error error = { "" };
    fill();
    snprintf(
        body, sizeof(body),
        "mov.u32 %%r8, %%cluster_ctarank; setp.ne.u32 %%p3, %%r8, 0; or.pred %%p4, %%p1, %%p3; @%%p4 bra I;\n"
        "mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 1024;\n"
        "I: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; mov.b16 %%h1, 3; @%%p1 bra D; %s\n"
        "mov.u32 %%r9, bar; mapa.shared::cluster.u32 %%r9, %%r9, 0;\n"
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes%s"
        " [box], [%%rd1, {32, %%r8, 5, %%r8, 9}], [%%r9]%s;\n"
        "D: @%%p3 bra C;\nW: mbarrier.try_wait.parity.shared.b64 %%p2, [bar], 0; @!%%p2 bra W;\n"
        "C: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; @!%%p3 bra E;\n"
        "ld.shared.v4.b32 {%%r4, %%r5, %%r6, %%r7}, [%%r2]; st.global.v4.b32 [%%rd2], {%%r4, %%r5, %%r6, "
        "%%r7};\n"
        "E: ret; }\n",
        ways[_i].mask[0] ? "@%p3 bra C;" : "", ways[_i].words, ways[_i].mask);
    const lw_status status = run(body, &cases[0], 1, 2, LW_ASYNC_LATE, &error);
    ck_assert_int_eq(status, ways[_i].says ? LW_E_FAULT : LW_OK);
    ck_assert_msg(!ways[_i].says || strstr(error.text, ways[_i].says), "%s", error.text);
    const rows of_block_1 = { 64, 128, 32, { ways[_i].row, 5, ways[_i].row, 9 } };
    for (unsigned at = 0; at < BOX && !ways[_i].says; at += 2)
        ck_assert_uint_eq(data[place(&of_block_1, at) / 2], *element(&of_block_1, at));
}
END_TEST

START_TEST(a_mask_chooses_bytes_of_every_sixteen)
{
    static const unsigned masks[] = { 0xffff, 0, 0x8001, 0x0ff6 };
    char body[1500];
    uint8_t before[sizeof(table)];
    const uint8_t *after = (const uint8_t *)table, *from = (const uint8_t *)data;
    lw_error error = { "" };
    fill();
    memcpy(before, table, sizeof(before));
    snprintf(body, sizeof(body),
             "%s@%%p1 bra E; ld.param.u64 %%rd4, [map]; mov.b16 %%h0, %u;\n"
             "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%%rd4+64], [box], 48, %%h0;\n"
             "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nE: ret; }\n",
             into, masks[_i]);
    ck_assert_msg(run(body, &cases[0], 1, 1, LW_ASYNC_LATE, &error) == LW_OK, "%s", error.text);
    for (unsigned at = 0; at < sizeof(before); at++) {
        const bool copied = at >= 64 && at < 112 && masks[_i] >> at % 16 & 1;
        ck_assert_msg(after[at] == (copied ? from[at - 64] : before[at]), "mask %04x, byte %u", masks[_i],
                      at);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_tensor_rows");
    TCase *tc = tcase_create("rows");
    tcase_add_loop_test(tc, rows_are_gathered, 0, 2 * CASES);
    tcase_add_loop_test(tc, rows_are_scattered, 0, 2 * CASES);
    tcase_add_test(tc, a_box_of_several_rows_is_refused);
    tcase_add_loop_test(tc, a_pair_reports_to_one_mbarrier, 0, 3);
    tcase_add_loop_test(tc, a_mask_chooses_bytes_of_every_sixteen, 0, 4);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
