/* SPDX-License-Identifier: MIT */
/* Kernels of sm_90 with asynchronous copies (corpus/async.cu), compared with the same computation in C:
 * whether copies are late, early or at any time makes no difference to kernels that wait for them. */
#include "tests/ptx/corpus_kit.h"

enum { LANES = 64 };

static corpus_bench open_async(int way)
{
    static const lw_async ways[] = { LW_ASYNC_LATE, LW_ASYNC_EARLY, LW_ASYNC_RANDOM };
    corpus_bench t = corpus_open();
    t.async = ways[way % 3];
    t.seed = (uint64_t)way;
    return t;
}

static void fill(corpus_bench *t, int *in, int count)
{
    for (int i = 0; i < count; i++)
        in[i] = (int)(corpus_noise((uint32_t)i) % 2000) - 1000;
    corpus_put(t, 0, in, (size_t)count * sizeof(int));
}

START_TEST(a_producer_and_consumers_share_stages)
{
    enum { TILES = 7 };
    const int tiles = TILES;
    corpus_bench t = open_async(_i);
    int in[TILES * LANES], out[LANES];
    fill(&t, in, TILES * LANES);
    corpus_launch(&t, "pipeline", 1, 96, 2, &tiles);
    corpus_get(&t, 1, out, sizeof(out));
    for (int l = 0; l < LANES; l++) {
        int sum = 0;
        for (int i = 0; i < TILES; i++)
            sum = 3 * sum + in[LANES * i + l] - in[LANES * i + LANES - 1 - l] / 2;
        ck_assert_int_eq(out[l], sum);
    }
    corpus_close(&t);
}
END_TEST

START_TEST(threads_report_their_copies)
{
    corpus_bench t = open_async(_i);
    int in[LANES], out[LANES];
    fill(&t, in, LANES);
    corpus_launch(&t, "gather", 1, LANES, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int l = 0; l < LANES; l++)
        ck_assert_int_eq(out[l], in[(LANES - 1 - l) * 37 % LANES]);
    corpus_close(&t);
}
END_TEST

START_TEST(one_lane_is_elected)
{
    corpus_bench t = open_async(0);
    int out[128];
    corpus_launch(&t, "election", 1, 128, 1, NULL);
    corpus_get(&t, 0, out, sizeof(out));
    for (int l = 0; l < 128; l++)
        ck_assert_int_eq(out[l], 10000 + 100 * (3 - l / 32));
    corpus_close(&t);
}
END_TEST

START_TEST(misuse_is_said)
{
    static const struct {
        const char *kernel, *says;
        lw_status status;
    } cases[] = {
        { "starved", "no memory changes", LW_E_LIVELOCK },
        { "unready", "is not initialised (executed by lanes 0xffffffff)", LW_E_FAULT },
        { "crowded", "arrives 3 times at an mbarrier that still expects 2 of 2 arrivals", LW_E_FAULT },
        { "crooked", "copies 24 bytes between", LW_E_FAULT },
    };
    corpus_bench t = open_async(0);
    const lw_status status = corpus_try(&t, cases[_i].kernel, 1, 32, 1, NULL);
    ck_assert_msg(status == cases[_i].status && strstr(t.error.text, cases[_i].says), "%d: %s", (int)status,
                  t.error.text);
    corpus_close(&t);
}
END_TEST

static Suite *make(void)
{
    Suite *suite = suite_create("ptx_corpus_async");
    TCase *tc = tcase_create("kernels");
    tcase_add_loop_test(tc, a_producer_and_consumers_share_stages, 0, 8);
    tcase_add_loop_test(tc, threads_report_their_copies, 0, 8);
    tcase_add_test(tc, one_lane_is_elected);
    tcase_add_loop_test(tc, misuse_is_said, 0, 4);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    static const char *const files[] = { "async_nvcc.ptx" };
    return corpus_main(make, files, 1);
}
