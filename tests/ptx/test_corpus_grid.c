/* SPDX-License-Identifier: MIT */
/* Grids whose blocks wait for each other: nvcc's cooperative groups. */
#include "tests/ptx/corpus_kit.h"

enum { BLOCKS = 5, THREADS = 48, COUNT = BLOCKS * THREADS, ROUNDS = 3 };

/* out = 3 out + a in reverse, where every block writes a anew in each round. */
START_TEST(blocks_wait_for_each_other)
{
    static uint32_t a[COUNT], out[COUNT], want[COUNT];
    const int rounds = ROUNDS;
    corpus_bench t = corpus_open();
    for (uint32_t r = 0; r < ROUNDS; r++)
        for (uint32_t i = 0; i < COUNT; i++)
            want[i] = want[i] * 3 + (COUNT - 1 - i) * (COUNT - 1 - i) + r;
    ck_assert_int_eq(lw_module_load(t.memory, t.program, &t.module, &t.error), LW_OK);
    for (int launch = 0; launch < 2; launch++) {
        memset(out, 0, sizeof(out));
        corpus_put(&t, 0, a, sizeof(a));
        corpus_put(&t, 1, out, sizeof(out));
        corpus_launch(&t, "grid_sync", BLOCKS, THREADS, 2, &rounds);
        corpus_get(&t, 1, out, sizeof(out));
        ck_assert_mem_eq(out, want, sizeof(out));
        /* the buffers are too small for this many: the last block faults while the others wait at the
         * barrier, which the next launch finds as new */
        ck_assert_int_eq(corpus_try(&t, "grid_sync", BLOCKS, 1024, 2, &rounds), LW_E_FAULT);
    }
    corpus_close(&t);
}
END_TEST

static Suite *make(void)
{
    Suite *suite = suite_create("ptx_corpus_grid");
    TCase *tc = tcase_create("kernels");
    tcase_add_test(tc, blocks_wait_for_each_other);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    static const char *const files[] = { "grid_nvcc.ptx" };
    return corpus_main(make, files, 1);
}
