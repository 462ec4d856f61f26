/* SPDX-License-Identifier: MIT */
/* Products of warpgroups (corpus/wgmma.cu), compared with the same computation in C, on small integers:
 * whether they are computed late, early or at any time makes no difference to kernels that wait for them, and
 * does to a kernel that does not wait. */
#include "tests/ptx/corpus_kit.h"

enum { M = 128, N = 192, TILES = 5, K = 64 * TILES };

static uint16_t half_of(int v)
{
    static const uint16_t codes[] = { 0, 0x3c00, 0x4000, 0x4200 };
    return (uint16_t)(codes[abs(v)] | (v < 0 ? 0x8000 : 0));
}

static uint16_t bf16_of(int v)
{
    static const uint16_t codes[] = { 0, 0x3f80, 0x4000, 0x4040 };
    return (uint16_t)(codes[abs(v)] | (v < 0 ? 0x8000 : 0));
}

static int draw(uint32_t seed)
{
    return (int)(corpus_noise(seed) % 7) - 3;
}

static void set_way(lw_launch_options *o, int way)
{
    static const lw_async ways[] = { LW_ASYNC_LATE, LW_ASYNC_EARLY, LW_ASYNC_RANDOM };
    o->async = ways[way % 3];
    o->async_seed = (uint64_t)way;
}

/* A buffer; returns its address. */
static uint64_t buffer(corpus_bench *t, const char *name, const void *data, uint64_t size)
{
    uint64_t at = 0;
    ck_assert_int_eq(lw_memory_allocate(t->memory, name, size, LW_ACCESS_READ_WRITE, &at, NULL), LW_OK);
    if (data)
        lw_memory_write(t->memory, at, data, size);
    return at;
}

/* Returns how many instructions ran. */
static uint64_t launch(corpus_bench *t, const char *kernel, lw_launch_options *o, const lw_arg *args,
                       size_t count)
{
    lw_launch_result *result = NULL;
    ck_assert_int_eq(lw_program_find(t->program, kernel, &o->kernel, &t->error), LW_OK);
    o->program = t->program;
    o->memory = t->memory;
    o->args = args;
    o->arg_count = count;
    ck_assert_msg(lw_launch(o, &result, &t->error) == LW_OK, "%s", t->error.text);
    const uint64_t executed = result->instructions;
    lw_launch_result_free(result);
    return executed;
}

START_TEST(tiles_come_by_tensor_copies)
{
    static uint16_t a[M][K], b[N][K];
    static float c[M][N];
    corpus_bench t = corpus_open();
    uint8_t maps[2][LW_TENSOR_MAP_BYTES];
    const int tiles = TILES;
    for (unsigned i = 0; i < M; i++)
        for (unsigned k = 0; k < K; k++)
            a[i][k] = half_of(draw(i * 1000 + k));
    for (unsigned i = 0; i < N; i++)
        for (unsigned k = 0; k < K; k++)
            b[i][k] = half_of(draw(777777 + i * 1000 + k));
    const uint64_t at[3] = { buffer(&t, "a", a, sizeof(a)), buffer(&t, "b", b, sizeof(b)),
                             buffer(&t, "c", NULL, sizeof(c)) };
    for (int i = 0; i < 2; i++) {
        lw_tensor_map m = { LW_TENSOR_F16, 2, at[i], { K, i ? N : M }, { 0 }, { 64, 64 }, { 0 }, 128 };
        lw_tensor_map_pack_strides(&m);
        ck_assert_int_eq(lw_tensor_map_encode(&m, maps[i], NULL), LW_OK);
    }
    const lw_arg args[] = { { NULL, maps[0], sizeof(maps[0]), false },
                            { NULL, maps[1], sizeof(maps[1]), false },
                            { NULL, &at[2], 8, true },
                            { NULL, &tiles, 4, false } };
    lw_launch_options o = lw_launch_options_default();
    o.grid[0] = N / 64;
    o.grid[1] = M / 64;
    o.block[0] = 160;
    o.dynamic_lds = 32768;
    set_way(&o, _i);
    const uint64_t executed = launch(&t, "wgmma_pipeline", &o, args, 4);
    ck_assert_uint_lt(executed,
                      20000); /* warps that wait for tiles sleep instead of asking again and again */
    lw_memory_read(t.memory, at[2], c, sizeof(c));
    for (unsigned i = 0; i < M; i++)
        for (unsigned j = 0; j < N; j++) {
            int sum = 0;
            for (unsigned k = 0; k < K; k++)
                sum += draw(i * 1000 + k) * draw(777777 + j * 1000 + k);
            ck_assert_msg(c[i][j] == (float)sum, "row %u, column %u: %g, not %d", i, j, (double)c[i][j], sum);
        }
    corpus_close(&t);
}
END_TEST

START_TEST(a_factor_is_in_registers)
{
    enum { ROWS = 64, COLUMNS = 32, STEPS = 3, DEEP = 16 * STEPS };
    static uint16_t a[ROWS][DEEP], b[DEEP][COLUMNS];
    static float c[ROWS][COLUMNS];
    const int steps = STEPS;
    corpus_bench t = corpus_open();
    for (unsigned k = 0; k < DEEP; k++) {
        for (unsigned i = 0; i < ROWS; i++)
            a[i][k] = bf16_of(draw(i * 100 + k));
        for (unsigned j = 0; j < COLUMNS; j++)
            b[k][j] = bf16_of(draw(55555 + j * 100 + k));
    }
    const uint64_t at[3] = { buffer(&t, "a", a, sizeof(a)), buffer(&t, "b", b, sizeof(b)),
                             buffer(&t, "c", NULL, sizeof(c)) };
    const lw_arg args[] = { { NULL, &at[0], 8, true },
                            { NULL, &at[1], 8, true },
                            { NULL, &at[2], 8, true },
                            { NULL, &steps, 4, false } };
    lw_launch_options o = lw_launch_options_default();
    o.grid[0] = 1;
    o.block[0] = 128;
    set_way(&o, _i);
    launch(&t, "wgmma_registers", &o, args, 4);
    lw_memory_read(t.memory, at[2], c, sizeof(c));
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned j = 0; j < COLUMNS; j++) {
            int sum = 0;
            for (unsigned k = 0; k < DEEP; k++)
                sum -= draw(i * 100 + k) * draw(55555 + j * 100 + k);
            ck_assert_msg(c[i][j] == (float)sum, "row %u, column %u: %g, not %d", i, j, (double)c[i][j], sum);
        }
    corpus_close(&t);
}
END_TEST

/* If late, a register that has not been waited for is a fault; if early, the sum is there. */
START_TEST(a_missing_wait_shows)
{
    static uint16_t ones[16 * 64];
    static float c[128 * 16];
    const int steps = 0;
    corpus_bench t = corpus_open();
    for (unsigned i = 0; i < sizeof(ones) / 2; i++)
        ones[i] = 0x3f80;
    const uint64_t at[2] = { buffer(&t, "a", ones, sizeof(ones)), buffer(&t, "c", NULL, sizeof(c)) };
    const lw_arg args[] = { { NULL, &at[0], 8, true },
                            { NULL, &at[0], 8, true },
                            { NULL, &at[1], 8, true },
                            { NULL, &steps, 4, false } };
    lw_launch_options o = lw_launch_options_default();
    o.grid[0] = 1;
    o.block[0] = 128;
    o.async = _i ? LW_ASYNC_EARLY : LW_ASYNC_LATE;
    if (_i) {
        launch(&t, "wgmma_early", &o, args, 4);
        lw_memory_read(t.memory, at[1], c, sizeof(c));
        for (unsigned i = 0; i < sizeof(c) / sizeof(c[0]); i++)
            ck_assert(c[i] == -16.0f);
    } else {
        ck_assert_int_eq(lw_program_find(t.program, "wgmma_early", &o.kernel, &t.error), LW_OK);
        o.program = t.program;
        o.memory = t.memory;
        o.args = args;
        o.arg_count = 4;
        ck_assert_int_eq(lw_launch(&o, NULL, &t.error), LW_E_FAULT);
        ck_assert_msg(strstr(t.error.text, "belongs to the wgmma of line 1131 until") != NULL, "%s",
                      t.error.text);
    }
    corpus_close(&t);
}
END_TEST

static Suite *make(void)
{
    Suite *suite = suite_create("ptx_corpus_wgmma");
    TCase *tc = tcase_create("kernels");
    tcase_set_timeout(tc, 30);
    tcase_add_loop_test(tc, tiles_come_by_tensor_copies, 0, 6);
    tcase_add_loop_test(tc, a_factor_is_in_registers, 0, 6);
    tcase_add_loop_test(tc, a_missing_wait_shows, 0, 2);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    static const char *const files[] = { "wgmma_nvcc.ptx" };
    return corpus_main(make, files, 1);
}
