/* SPDX-License-Identifier: MIT */
/*
 * Where stored bytes come from, through asynchronous copies and wgmma: the kernels of corpus/ in every order
 * of completion, against what each kernel says it computes: which elements of its inputs a result needs.
 */
#include <lanewise/tensor_map.h>
#include <lanewise/why.h>
#include <lanewise/why_product.h>

#include "tests/ptx/corpus_kit.h"

enum { T = 64, WAYS = 3, MOST_INPUTS = 512 };

typedef struct question {
    corpus_bench bench;
    const char *kernel;
    lw_arg args[4];
    size_t arg_count;
    uint32_t grid[2], block, shared, cluster;
    int way;
    uint32_t left; /* what the launch has stored to the bytes in question */
} question;

static question open_question(const char *file, const char *kernel, int way)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", LW_PTX_CORPUS, file);
    return (question){ .bench = corpus_open_file(path), .kernel = kernel, .grid = { 1, 1 }, .way = way };
}

static uint64_t buffer(question *q, const char *name, const void *data, uint64_t size)
{
    uint64_t at = 0;
    ck_assert_int_eq(lw_memory_allocate(q->bench.memory, name, size, LW_ACCESS_READ_WRITE, &at, NULL), LW_OK);
    if (data)
        lw_memory_write(q->bench.memory, at, data, size);
    return at;
}

/* Two buffers as arguments, the first of them filled with numbers that are all different. */
static void use_buffers(question *q, int count, uint32_t blocks)
{
    for (int i = 0; i < count; i++) {
        const uint32_t v = 1000u + 7919u * (uint32_t)i;
        lw_memory_write(q->bench.memory, q->bench.at[0] + 4 * (uint64_t)i, &v, 4);
    }
    for (int i = 0; i < 2; i++)
        q->args[i] = (lw_arg){ NULL, &q->bench.at[i], 8, true };
    q->arg_count = 2;
    q->block = T;
    q->grid[0] = blocks;
}

static lw_status try_ask(question *q, uint64_t address, uint32_t size, lw_why **why)
{
    static const lw_async ways[] = { LW_ASYNC_LATE, LW_ASYNC_EARLY, LW_ASYNC_RANDOM };
    lw_launch_options o = lw_launch_options_default();
    lw_snapshot *before = NULL;
    ck_assert_int_eq(lw_program_find(q->bench.program, q->kernel, &o.kernel, &q->bench.error), LW_OK);
    o.program = q->bench.program;
    o.memory = q->bench.memory;
    o.grid[0] = q->grid[0];
    o.grid[1] = q->grid[1];
    o.block[0] = q->block;
    o.dynamic_lds = q->shared;
    o.cluster[0] = q->cluster;
    o.args = q->args;
    o.arg_count = q->arg_count;
    o.async = ways[q->way];
    o.async_seed = 5;
    ck_assert_int_eq(lw_memory_snapshot(o.memory, &before, NULL), LW_OK);
    const lw_status status = lw_why_find(&o, address, size, NULL, why, &q->bench.error);
    lw_memory_read(o.memory, address, &q->left, size);
    if (status == LW_OK) /* the next question finds the same inputs */
        ck_assert_int_eq(lw_memory_restore(o.memory, before, NULL), LW_OK);
    lw_snapshot_free(before);
    return status;
}

static lw_why *ask(question *q, uint64_t address, uint32_t size)
{
    lw_why *why = NULL;
    ck_assert_msg(try_ask(q, address, size, &why) == LW_OK, "%s: %s", q->kernel, q->bench.error.text);
    return why;
}

/* The words of memory that the bytes come from, in ascending order. */
static size_t inputs_of(const lw_why *why, uint64_t found[MOST_INPUTS])
{
    size_t count = 0;
    for (size_t i = 0; i < lw_why_node_count(why); i++) {
        const lw_why_node *n = lw_why_node_at(why, i);
        if (n->kind != LW_WHY_INPUT)
            continue;
        ck_assert_uint_lt(count, MOST_INPUTS);
        size_t at = count++;
        for (; at > 0 && found[at - 1] > n->address; at--)
            found[at] = found[at - 1];
        found[at] = n->address;
    }
    return count;
}

/* Exactly the `count` words of the first buffer whose numbers are listed, ascending. */
static void expect_words(const question *q, const lw_why *why, const uint64_t *words, size_t count)
{
    uint64_t found[MOST_INPUTS];
    const size_t got = inputs_of(why, found);
    ck_assert_msg(got == count, "%s: %zu words, not %zu", q->kernel, got, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(found[i] == q->bench.at[0] + 4 * words[i], "%s: word %lld, not %llu", q->kernel,
                      ((long long)found[i] - (long long)q->bench.at[0]) / 4, (unsigned long long)words[i]);
}

/* ---- Products of warpgroups ---- */

/* Every step multiplies the next `each` elements of row i of A by those of B; the last one gives what is
 * stored. */
static void expect_steps(const question *q, const lw_why *why, const lw_why_array arrays[2], unsigned i,
                         unsigned j, bool kn, bool bare, unsigned each, unsigned steps)
{
    lw_why_products *products = NULL;
    ck_assert_int_eq(lw_why_find_products(why, arrays, 2, &products), LW_OK);
    ck_assert_uint_eq(lw_why_products_count(products), steps);
    for (unsigned s = 0; s < steps; s++) {
        const lw_why_product *p = lw_why_products_at(products, s);
        const lw_why_node *n = lw_why_node_at(why, p->node);
        ck_assert_uint_eq(n->row, i % 64);
        ck_assert_uint_eq(n->col, j % 64);
        ck_assert(n->constant_c == (bare && s == 0));
        ck_assert_uint_eq(p->count[LW_OPERAND_A], each);
        ck_assert_uint_eq(p->count[LW_OPERAND_B], each);
        for (unsigned k = 0; k < each; k++) {
            const lw_why_element *a = &p->element[LW_OPERAND_A][k], *b = &p->element[LW_OPERAND_B][k];
            ck_assert(a->known && b->known && a->array == 0 && b->array == 1);
            ck_assert_uint_eq(a->row, i);
            ck_assert_uint_eq(a->column, s * each + k);
            ck_assert_uint_eq(kn ? b->column : b->row, j);
            ck_assert_uint_eq(kn ? b->row : b->column, s * each + k);
        }
    }
    const lw_why_product *last = lw_why_products_at(products, steps - 1);
    ck_assert_uint_eq(lw_why_node_at(why, last->node)->value, q->left);
    ck_assert_uint_ne(q->left, 0);
    lw_why_products_free(products);
}

/* Tiles of 64 x 64 elements come by tensor copies with a swizzle, from a warp that ends before they do. */
START_TEST(tiles_of_a_pipeline)
{
    enum { M = 128, N = 192, TILES = 5, K = 64 * TILES };
    static const unsigned elements[][2] = { { 0, 0 }, { 70, 130 }, { 127, 191 }, { 63, 64 }, { 17, 95 } };
    static uint16_t a[M][K], b[N][K];
    uint8_t maps[2][LW_TENSOR_MAP_BYTES];
    const int tiles = TILES;
    question q = open_question("wgmma_nvcc.ptx", "wgmma_pipeline", _i);
    for (unsigned i = 0; i < sizeof(a) / 2; i++)
        (&a[0][0])[i] = (uint16_t)(0x3c00 + i % 1021);
    for (unsigned i = 0; i < sizeof(b) / 2; i++)
        (&b[0][0])[i] = (uint16_t)(0x3c00 + i % 1019);
    const uint64_t at[3] = { buffer(&q, "a", a, sizeof(a)), buffer(&q, "b", b, sizeof(b)),
                             buffer(&q, "c", NULL, M * N * 4) };
    for (int i = 0; i < 2; i++) {
        lw_tensor_map m = { LW_TENSOR_F16, 2, at[i], { K, i ? N : M }, { 0 }, { 64, 64 }, { 0 }, 128 };
        lw_tensor_map_pack_strides(&m);
        ck_assert_int_eq(lw_tensor_map_encode(&m, maps[i], NULL), LW_OK);
        q.args[i] = (lw_arg){ NULL, maps[i], sizeof(maps[i]), false };
    }
    q.args[2] = (lw_arg){ NULL, &at[2], 8, true };
    q.args[3] = (lw_arg){ NULL, &tiles, 4, false };
    q.arg_count = 4;
    q.grid[0] = N / 64;
    q.grid[1] = M / 64;
    q.block = 160;
    q.shared = 32768;
    const lw_why_array arrays[] = { { "A", at[0], M, K, 2, 2, a }, { "B", at[1], N, K, 2, 2, b } };
    for (unsigned e = 0; e < sizeof(elements) / sizeof(elements[0]); e++) {
        const unsigned i = elements[e][0], j = elements[e][1];
        lw_why *why = ask(&q, at[2] + 4 * (uint64_t)(i * N + j), 4);
        ck_assert_uint_eq(lw_why_groups(why), 1);
        expect_steps(&q, why, arrays, i, j, false, false, 16, K / 16);
        lw_why_free(why);
    }
    corpus_close(&q.bench);
}
END_TEST

/* A is in registers; B, N-major and without a swizzle, was stored by the threads; the first step leaves C
 * out. */
START_TEST(a_factor_in_registers)
{
    enum { ROWS = 64, COLUMNS = 32, STEPS = 3, DEEP = 16 * STEPS };
    static const unsigned elements[][2] = { { 0, 0 }, { 50, 21 }, { 63, 31 }, { 8, 9 } };
    static uint16_t a[ROWS][DEEP], b[DEEP][COLUMNS];
    const int steps = STEPS;
    question q = open_question("wgmma_nvcc.ptx", "wgmma_registers", _i);
    for (unsigned i = 0; i < sizeof(a) / 2; i++)
        (&a[0][0])[i] = (uint16_t)(0x3f80 + i % 101);
    for (unsigned i = 0; i < sizeof(b) / 2; i++)
        (&b[0][0])[i] = (uint16_t)(0x3f80 + i % 103);
    const uint64_t at[3] = { buffer(&q, "a", a, sizeof(a)), buffer(&q, "b", b, sizeof(b)),
                             buffer(&q, "c", NULL, ROWS * COLUMNS * 4) };
    for (int i = 0; i < 3; i++)
        q.args[i] = (lw_arg){ NULL, &at[i], 8, true };
    q.args[3] = (lw_arg){ NULL, &steps, 4, false };
    q.arg_count = 4;
    q.block = 128;
    const lw_why_array arrays[] = { { "A", at[0], ROWS, DEEP, 2, 2, a },
                                    { "B", at[1], DEEP, COLUMNS, 2, 2, b } };
    for (unsigned e = 0; e < sizeof(elements) / sizeof(elements[0]); e++) {
        const unsigned i = elements[e][0], j = elements[e][1];
        lw_why *why = ask(&q, at[2] + 4 * (uint64_t)(i * COLUMNS + j), 4);
        expect_steps(&q, why, arrays, i, j, true, true, 16, STEPS);
        lw_why_free(why);
    }
    corpus_close(&q.bench);
}
END_TEST

/* A tile of 64 rows of A and one of eight columns of B, 32 bytes of k each, in shared memory without a
 * swizzle. */
static const char formats[] =
    ".version 8.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n"
    ".reg .pred %%p1;\n.reg .b32 %%r<16>;\n.reg .b64 %%rd<12>;\n"
    ".shared .align 128 .b8 ta[2048];\n.shared .align 128 .b8 tb[256];\n"
    "ld.param.u64 %%rd1, [a]; ld.param.u64 %%rd2, [b]; ld.param.u64 %%rd3, [c];\n"
    "mov.u32 %%r0, %%tid.x; mul.wide.u32 %%rd4, %%r0, 16;\n"
    "add.u64 %%rd5, %%rd1, %%rd4; add.u64 %%rd6, %%rd2, %%rd4;\n"
    "and.b32 %%r1, %%r0, 1; shr.u32 %%r2, %%r0, 1; shl.b32 %%r3, %%r2, 4;\n"
    "mov.u32 %%r4, ta; mad.lo.u32 %%r5, %%r1, 1024, %%r4; add.u32 %%r5, %%r5, %%r3;\n"
    "mov.u32 %%r6, tb; mad.lo.u32 %%r7, %%r1, 128, %%r6; add.u32 %%r7, %%r7, %%r3;\n"
    "cp.async.cg.shared.global [%%r5], [%%rd5], 16;\n"
    "setp.ge.u32 %%p1, %%r0, 16; @%%p1 bra both;\n"
    "cp.async.cg.shared.global [%%r7], [%%rd6], 16;\n"
    "both: cp.async.wait_all; fence.proxy.async; bar.sync 0;\n"
    "shr.u32 %%r4, %%r4, 4; cvt.u64.u32 %%rd7, %%r4; or.b64 %%rd7, %%rd7, 0x0000000800400000;\n"
    "shr.u32 %%r6, %%r6, 4; cvt.u64.u32 %%rd8, %%r6; or.b64 %%rd8, %%rd8, 0x0000000800080000;\n"
    "wgmma.fence.sync.aligned;\n"
    "wgmma.mma_async.sync.aligned.m64n8%s {%%r10, %%r11, %%r12, %%r13}, %%rd7, %%rd8, 0%s;\n"
    "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"
    "shr.u32 %%r8, %%r0, 5; shr.u32 %%r9, %%r0, 2; and.b32 %%r9, %%r9, 7; mad.lo.u32 %%r8, %%r8, 16, %%r9;\n"
    "and.b32 %%r9, %%r0, 3; mul.wide.u32 %%rd9, %%r8, 32; mul.wide.u32 %%rd10, %%r9, 8;\n"
    "add.u64 %%rd9, %%rd9, %%rd10; add.u64 %%rd9, %%rd9, %%rd3;\n"
    "st.global.v2.u32 [%%rd9], {%%r10, %%r11}; st.global.v2.u32 [%%rd9+256], {%%r12, %%r13};\nret;\n}\n";

/* Elements of 1 to 32 bits. */
START_TEST(elements_of_all_widths)
{
    enum { ROWS = 64, COLUMNS = 8, DEEP = 32 };
    static const struct {
        const char *shape, *signs;
        uint32_t size; /* of the arrays' elements */
        unsigned k;
    } cases[] = { { "k8.f32.tf32.tf32", ", 1, 1", 4, 8 },
                  { "k16.f32.f16.f16", ", 1, 1, 0, 0", 2, 16 },
                  { "k32.f32.e4m3.e5m2", ", 1, 1", 1, 32 },
                  { "k32.s32.s8.u8", "", 1, 32 },
                  { "k256.s32.b1.b1.and.popc", "", 1, 256 } };
    char text[4096];
    uint8_t a[ROWS * DEEP], b[COLUMNS * DEEP];
    const int length = snprintf(text, sizeof(text), formats, cases[_i].shape, cases[_i].signs);
    question q = { .kernel = "k", .grid = { 1, 1 }, .block = 128, .arg_count = 3 };
    ck_assert_msg(lw_program_load(text, (size_t)length, NULL, &q.bench.program, &q.bench.error) == LW_OK,
                  "%s", q.bench.error.text);
    ck_assert_int_eq(lw_memory_create(&q.bench.memory), LW_OK);
    for (unsigned i = 0; i < sizeof(a); i++)
        a[i] = (uint8_t)(0x30 + i % 7);
    for (unsigned i = 0; i < sizeof(b); i++)
        b[i] = (uint8_t)(0x31 + i % 5);
    const uint64_t at[3] = { buffer(&q, "a", a, sizeof(a)), buffer(&q, "b", b, sizeof(b)),
                             buffer(&q, "c", NULL, ROWS * COLUMNS * 4) };
    for (int i = 0; i < 3; i++)
        q.args[i] = (lw_arg){ NULL, &at[i], 8, true };
    const uint32_t size = cases[_i].size;
    const lw_why_array arrays[] = { { "A", at[0], ROWS, DEEP / size, 2, size, a },
                                    { "B", at[1], COLUMNS, DEEP / size, 2, size, b } };
    for (unsigned i = 5; i < ROWS; i += 29) {
        lw_why *why = ask(&q, at[2] + 4 * (uint64_t)(i * COLUMNS + i % COLUMNS), 4);
        expect_steps(&q, why, arrays, i, i % COLUMNS, false, true, cases[_i].k, 1);
        lw_why_free(why);
    }
    corpus_close(&q.bench);
}
END_TEST

/* ---- Copies ---- */

/* Thread t needs words t and 63 - t of every tile; a bulk copy stores the results. */
START_TEST(bulk_copies)
{
    enum { TILES = 5 };
    const int tiles = TILES;
    question q = open_question("async_nvcc.ptx", "pipeline", _i);
    use_buffers(&q, TILES * T, 2);
    q.args[2] = (lw_arg){ NULL, &tiles, 4, false };
    q.arg_count = 3;
    q.block = 96;
    for (unsigned t = 3; t < 64; t += 29) {
        uint64_t words[2 * TILES];
        lw_why *why = ask(&q, q.bench.at[1] + 4 * (uint64_t)(T + t), 4);
        for (unsigned i = 0; i < TILES; i++) {
            words[2 * i] = (uint64_t)T * i + (t < 63 - t ? t : 63 - t);
            words[2 * i + 1] = (uint64_t)T * i + (t < 63 - t ? 63 - t : t);
        }
        expect_words(&q, why, words, sizeof(words) / sizeof(words[0]));
        lw_why_free(why);
    }
    corpus_close(&q.bench);
}
END_TEST

/* A word is copied by cp.async, whose arrival at an mbarrier the block waits for; nothing is computed. */
START_TEST(copies_that_report)
{
    question q = open_question("async_nvcc.ptx", "gather", _i);
    use_buffers(&q, T, 1);
    for (unsigned t = 0; t < 64; t += 21) {
        lw_why_origin origin;
        lw_why *why = ask(&q, q.bench.at[1] + 4 * (uint64_t)t, 4);
        const uint64_t word = (63 - t) * 37 % 64;
        expect_words(&q, why, &word, 1);
        ck_assert(lw_why_trace(why, 0, 8, 16, &origin) && origin.copied && origin.bit == 8);
        ck_assert_uint_eq(lw_why_node_at(why, origin.node)->value, 1000 + 7919 * word);
        lw_why_free(why);
    }
    corpus_close(&q.bench);
}
END_TEST

/* A tile goes in and out by tensor copies with a swizzle; in between it is transposed. */
START_TEST(tensor_copies_both_ways)
{
    enum { SIDE = 64 };
    uint8_t maps[2][LW_TENSOR_MAP_BYTES];
    question q = open_question("async_nvcc.ptx", "turn", _i);
    use_buffers(&q, SIDE * SIDE, 2);
    for (int i = 0; i < 2; i++) {
        lw_tensor_map m = { LW_TENSOR_U32, 2, q.bench.at[i], { SIDE, SIDE }, { 0 }, { 32, 32 }, { 0 }, 128 };
        lw_tensor_map_pack_strides(&m);
        ck_assert_int_eq(lw_tensor_map_encode(&m, maps[i], NULL), LW_OK);
        q.args[i] = (lw_arg){ NULL, maps[i], sizeof(maps[i]), false };
    }
    q.grid[1] = 2;
    for (unsigned e = 0; e < 4; e++) {
        const unsigned row = e * 19 % SIDE, column = (e * 37 + 5) % SIDE;
        lw_why *why = ask(&q, q.bench.at[1] + 4 * (uint64_t)(row * SIDE + column), 4);
        const uint64_t word = (uint64_t)column * SIDE + row;
        expect_words(&q, why, &word, 1);
        lw_why_free(why);
    }
    corpus_close(&q.bench);
}
END_TEST

/* ---- Clusters ---- */

/* The block with rank 1 copies a tile into the shared memory of all four. */
START_TEST(one_copy_for_several_blocks)
{
    question q = open_question("cluster_nvcc.ptx", "multicast", _i);
    use_buffers(&q, 2 * T, 8);
    for (unsigned b = 0; b < 8; b += 3) {
        const unsigned t = 5 * b + 1;
        lw_why *why = ask(&q, q.bench.at[1] + 4 * (uint64_t)(b * T + t), 4);
        const uint64_t word = b / 4 * (uint64_t)T + t;
        expect_words(&q, why, &word, 1);
        lw_why_free(why);
    }
    corpus_close(&q.bench);
}
END_TEST

/* A block sends shared memory to the other one of its cluster, which subtracts its own. */
START_TEST(copies_between_blocks)
{
    question q = open_question("cluster_nvcc.ptx", "send", _i);
    use_buffers(&q, 6 * T, 6);
    for (unsigned b = 0; b < 6; b += 3) {
        const unsigned t = 40, own = b * T + t, other = (b ^ 1) * T + T - 1 - t;
        lw_why *why = ask(&q, q.bench.at[1] + 4 * (uint64_t)own, 4);
        const uint64_t words[2] = { own < other ? own : other, own < other ? other : own };
        expect_words(&q, why, words, 2);
        lw_why_free(why);
    }
    corpus_close(&q.bench);
}
END_TEST

/* A block reads the sums that atomics have made in every block of its cluster. */
START_TEST(memory_of_other_blocks)
{
    enum { CLUSTER = 4 };
    uint64_t words[CLUSTER * T];
    question q = open_question("cluster_nvcc.ptx", "reduce", _i);
    use_buffers(&q, 8 * T, 8);
    for (unsigned blocks = 1; blocks <= CLUSTER; blocks += CLUSTER - 1) {
        q.cluster = blocks;
        lw_why *why = ask(&q, q.bench.at[1] + 4 * (uint64_t)5, 4);
        for (unsigned i = 0; i < blocks * T; i++)
            words[i] = 5 / blocks * (uint64_t)blocks * T + i;
        expect_words(&q, why, words, (size_t)blocks * T);
        lw_why_free(why);
    }
    corpus_close(&q.bench);
}
END_TEST

/* Reductions of all blocks of all clusters: the maxima do, while sums also need what red.async has added. */
START_TEST(reductions_by_copies)
{
    enum { BLOCKS = 8 };
    uint64_t words[BLOCKS], found[MOST_INPUTS];
    lw_why *why = NULL;
    question q = open_question("cluster_nvcc.ptx", "gathered", _i);
    use_buffers(&q, BLOCKS * T, BLOCKS);
    const unsigned t = 9;
    why = ask(&q, q.bench.at[1] + 4 * (uint64_t)(T + t), 4);
    for (unsigned b = 0; b < BLOCKS; b++)
        words[b] = (uint64_t)b * T + t;
    ck_assert_uint_eq(inputs_of(why, found), BLOCKS + 1); /* and what the result was before */
    for (unsigned b = 0; b < BLOCKS; b++)
        ck_assert_uint_eq(found[b + (q.bench.at[1] < q.bench.at[0])], q.bench.at[0] + 4 * words[b]);
    lw_why_free(why);
    why = ask(&q, q.bench.at[1] + 4 * (uint64_t)t, 4);
    ck_assert_uint_eq(inputs_of(why, found), BLOCKS + 1);
    unsigned reductions = 0;
    for (size_t i = 0; i < lw_why_node_count(why); i++)
        reductions += strncmp(lw_why_node_at(why, i)->instruction, "red.async", 9) == 0;
    ck_assert_uint_eq(reductions, BLOCKS); /* of each block one */
    lw_why_free(why);
    corpus_close(&q.bench);
}
END_TEST

/* Values go from block to block, in each round to the next one. */
START_TEST(values_that_are_sent)
{
    enum { BLOCKS = 16, CLUSTER = 8, ROUNDS = 3 };
    static const int rounds = ROUNDS;
    question q = open_question("cluster_nvcc.ptx", "ring", _i);
    use_buffers(&q, BLOCKS * T, BLOCKS);
    q.args[q.arg_count++] = (lw_arg){ NULL, &rounds, sizeof(rounds), false };
    for (unsigned e = 0; e < 4; e++) {
        const unsigned b = 5 * e % BLOCKS, t = 13 * e + 7;
        lw_why *why = ask(&q, q.bench.at[1] + 4 * (uint64_t)(b * T + t), 4);
        const uint64_t word = (uint64_t)(b / CLUSTER * CLUSTER + (b + CLUSTER - ROUNDS) % CLUSTER) * T + t;
        expect_words(&q, why, &word, 1);
        lw_why_free(why);
    }
    corpus_close(&q.bench);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_why");
    TCase *tc = tcase_create("kernels");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, tiles_of_a_pipeline, 0, WAYS);
    tcase_add_loop_test(tc, a_factor_in_registers, 0, WAYS);
    tcase_add_loop_test(tc, elements_of_all_widths, 0, 5);
    tcase_add_loop_test(tc, bulk_copies, 0, WAYS);
    tcase_add_loop_test(tc, copies_that_report, 0, WAYS);
    tcase_add_loop_test(tc, tensor_copies_both_ways, 0, WAYS);
    tcase_add_loop_test(tc, one_copy_for_several_blocks, 0, WAYS);
    tcase_add_loop_test(tc, copies_between_blocks, 0, WAYS);
    tcase_add_loop_test(tc, memory_of_other_blocks, 0, WAYS);
    tcase_add_loop_test(tc, values_that_are_sent, 0, WAYS);
    tcase_add_loop_test(tc, reductions_by_copies, 0, WAYS);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
