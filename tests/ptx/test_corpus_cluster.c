/* SPDX-License-Identifier: MIT */
/*
 * Kernels of sm_90 whose blocks form clusters (corpus/cluster.cu), against the same in C: distributed shared
 * memory, mbarriers of other blocks, copies between blocks, and copies to several of them; copies may be
 * late, early or at any time.
 */
#include "tests/ptx/corpus_kit.h"

enum { T = 64 };

static corpus_bench open_cluster(int way)
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

/* 6 x 4 blocks in clusters of 3 x 2; and blocks by themselves. */
START_TEST(blocks_know_their_places)
{
    corpus_bench t = open_cluster(0);
    int out[24 * 8];
    t.cluster[0] = _i ? 0 : 3;
    t.cluster[1] = _i ? 0 : 2;
    corpus_launch(&t, "places", 6 + 100 * 4, 32, 1, NULL);
    corpus_get(&t, 0, out, sizeof(out));
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 6; x++) {
            const int cx = _i ? 1 : 3, cy = _i ? 1 : 2, *o = out + 8 * (x + 6 * y);
            ck_assert_int_eq(o[0], x % cx + cx * (y % cy));
            ck_assert_int_eq(o[1], cx * cy);
            ck_assert_int_eq(o[2], x % cx);
            ck_assert_int_eq(o[3], y % cy);
            ck_assert_int_eq(o[4], cx);
            ck_assert_int_eq(o[5], cy);
            ck_assert_int_eq(o[6], x / cx);
            ck_assert_int_eq(o[7], 6 / cx);
        }
    corpus_close(&t);
}
END_TEST

START_TEST(bins_lie_in_several_blocks)
{
    enum { BLOCKS = 8 };
    corpus_bench t = open_cluster(_i);
    int in[BLOCKS * T], out[T] = { 0 }, want[T] = { 0 };
    fill(&t, in, BLOCKS * T);
    corpus_put(&t, 1, out, sizeof(out));
    corpus_launch(&t, "histogram", BLOCKS, T, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int i = 0; i < BLOCKS * T; i++)
        want[in[i] & 63]++;
    ck_assert_mem_eq(out, want, sizeof(out));
    corpus_close(&t);
}
END_TEST

/* Sums are folded in the order of ranks, whatever the size of the cluster. */
START_TEST(blocks_read_each_other)
{
    static const uint32_t sizes[] = { 1, 2, 4, 8, 16 };
    enum { BLOCKS = 16 };
    corpus_bench t = open_cluster(0);
    int in[BLOCKS * T], out[BLOCKS];
    t.cluster[0] = sizes[_i];
    fill(&t, in, BLOCKS * T);
    corpus_launch(&t, "reduce", BLOCKS, T, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (uint32_t b = 0; b < BLOCKS; b++) {
        uint32_t all = 0;
        for (uint32_t r = 0; r < sizes[_i]; r++) {
            uint32_t sum = 0;
            for (int i = 0; i < T; i++)
                sum += (uint32_t)in[(b / sizes[_i] * sizes[_i] + r) * T + (uint32_t)i];
            all = 3 * all + sum;
        }
        ck_assert_uint_eq((uint32_t)out[b], all);
    }
    corpus_close(&t);
}
END_TEST

START_TEST(values_go_round_the_cluster)
{
    enum { BLOCKS = 16, CLUSTER = 8 };
    const int rounds = 11;
    corpus_bench t = open_cluster(_i);
    static int in[BLOCKS * T], out[BLOCKS * T];
    fill(&t, in, BLOCKS * T);
    corpus_launch(&t, "ring", BLOCKS, T, 2, &rounds);
    corpus_get(&t, 1, out, sizeof(out));
    for (int c = 0; c < BLOCKS / CLUSTER; c++)
        for (int l = 0; l < T; l++) {
            unsigned v[CLUSTER], next[CLUSTER];
            for (int r = 0; r < CLUSTER; r++)
                v[r] = (unsigned)in[(c * CLUSTER + r) * T + l];
            for (int i = 0; i < rounds; i++) {
                for (int r = 0; r < CLUSTER; r++)
                    next[r] = 5 * v[(r + CLUSTER - 1) % CLUSTER] + (unsigned)r;
                memcpy(v, next, sizeof(v));
            }
            for (int r = 0; r < CLUSTER; r++)
                ck_assert_int_eq(out[(c * CLUSTER + r) * T + l], (int)v[r]);
        }
    corpus_close(&t);
}
END_TEST

START_TEST(one_copy_goes_to_all_blocks)
{
    enum { BLOCKS = 8, CLUSTER = 4 };
    corpus_bench t = open_cluster(_i);
    int in[2 * T], out[BLOCKS * T];
    fill(&t, in, 2 * T);
    corpus_launch(&t, "multicast", BLOCKS, T, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int b = 0; b < BLOCKS; b++)
        for (int l = 0; l < T; l++)
            ck_assert_int_eq(out[b * T + l], in[b / CLUSTER * T + l] * (b % CLUSTER + 1));
    corpus_close(&t);
}
END_TEST

START_TEST(blocks_send_shared_memory)
{
    enum { BLOCKS = 6 };
    corpus_bench t = open_cluster(_i);
    int in[BLOCKS * T], out[BLOCKS * T];
    fill(&t, in, BLOCKS * T);
    corpus_launch(&t, "send", BLOCKS, T, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int b = 0; b < BLOCKS; b++)
        for (int l = 0; l < T; l++)
            ck_assert_int_eq(out[b * T + l], in[(b ^ 1) * T + T - 1 - l] - in[b * T + l]);
    corpus_close(&t);
}
END_TEST

START_TEST(copies_add_as_they_arrive)
{
    enum { BLOCKS = 8, CLUSTER = 4 };
    corpus_bench t = open_cluster(_i);
    int in[BLOCKS * T];
    unsigned out[2 * T], sum[T], most[T];
    fill(&t, in, BLOCKS * T);
    for (unsigned l = 0; l < T; l++) {
        out[l] = sum[l] = l * 1000;
        out[T + l] = most[l] = 5;
    }
    corpus_put(&t, 1, out, sizeof(out));
    corpus_launch(&t, "gathered", BLOCKS, T, 2, NULL);
    corpus_get(&t, 1, out, sizeof(out));
    for (int l = 0; l < T; l++) {
        sum[l] += 15 * (BLOCKS / CLUSTER); /* a bit of each block */
        for (int b = 0; b < BLOCKS; b++) {
            const unsigned v = (unsigned)in[b * T + l];
            sum[l] += v;
            most[l] = v > most[l] ? v : most[l];
        }
    }
    ck_assert_mem_eq(out, sum, sizeof(sum));
    ck_assert_mem_eq(out + T, most, sizeof(most));
    corpus_close(&t);
}
END_TEST

START_TEST(misuse_is_said)
{
    static const struct {
        const char *kernel, *says;
        uint32_t blocks, cluster;
        lw_status status;
    } cases[] = {
        { "leaver", "reads shared memory of block 0 of the cluster, which has ended", 2, 0, LW_E_FAULT },
        { "stuck", "waits at the cluster's barrier that 1 of 2 warps have reached", 2, 0, LW_E_LIVELOCK },
        { "trespass",
          "shared memory of block 1 of the cluster with .shared, which is that of the block's own", 2, 0,
          LW_E_FAULT },
        { "reduce", "a grid of 6 x 1 x 1 blocks is not a multiple of clusters of 4 x 1 x 1", 6, 4,
          LW_E_ARGUMENT },
        { "reduce", "a cluster of 17 blocks; at most 16 are run", 17, 17, LW_E_ARGUMENT },
        { "ring", "was compiled for clusters of 8 x 1 x 1 only", 4, 4, LW_E_ARGUMENT },
        { "leaver", "kernel leaver, block (1,0,0), warp 0, lane 0", 2, 0, LW_E_FAULT },
    };
    corpus_bench t = open_cluster(0);
    const int one = 1;
    t.cluster[0] = cases[_i].cluster;
    const bool number = strcmp(cases[_i].kernel, "ring") == 0;
    const int pointers = cases[_i].cluster || number ? 2 : 1;
    const lw_status status =
        corpus_try(&t, cases[_i].kernel, cases[_i].blocks, 32, pointers, number ? &one : NULL);
    ck_assert_msg(status == cases[_i].status && strstr(t.error.text, cases[_i].says), "%d: %s", (int)status,
                  t.error.text);
    corpus_close(&t);
}
END_TEST

static Suite *make(void)
{
    Suite *suite = suite_create("ptx_corpus_cluster");
    TCase *tc = tcase_create("kernels");
    tcase_add_loop_test(tc, blocks_know_their_places, 0, 2);
    tcase_add_loop_test(tc, bins_lie_in_several_blocks, 0, 3);
    tcase_add_loop_test(tc, blocks_read_each_other, 0, 5);
    tcase_add_loop_test(tc, values_go_round_the_cluster, 0, 6);
    tcase_add_loop_test(tc, one_copy_goes_to_all_blocks, 0, 6);
    tcase_add_loop_test(tc, blocks_send_shared_memory, 0, 6);
    tcase_add_loop_test(tc, copies_add_as_they_arrive, 0, 6);
    tcase_add_loop_test(tc, misuse_is_said, 0, 7);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    static const char *const files[] = { "cluster_nvcc.ptx" };
    return corpus_main(make, files, 1);
}
