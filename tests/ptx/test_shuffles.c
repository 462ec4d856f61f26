/* SPDX-License-Identifier: MIT */
/* Lanes of a warp that exchange values. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/ptx/run_kit.h"

/*
 * __shfl_sync and its relatives of the CUDA C++ guide: segments of `width` lanes (a power of two), of which
 * each lane reads a lane of its own segment, and its own value where that lane would lie outside. PTX says
 * the width as 32 - width in bits 8 to 12 of the operand, and 31 (0 with .up) in the bits below.
 */
static uint32_t shuffled(const char *mode, uint32_t lane, uint32_t step, uint32_t width, bool *inside)
{
    const uint32_t first = lane / width * width, end = first + width;
    const int64_t at = mode[0] == 'u'   ? (int64_t)lane - step
                       : mode[0] == 'd' ? (int64_t)lane + step
                       : mode[0] == 'b' ? (int64_t)(lane ^ step)
                                        : (int64_t)(first + step % width);
    *inside = mode[0] == 'b' ? at < end : at >= first && at < end; /* .bfly may read lower segments */
    return (uint32_t)(*inside ? at : lane);
}

static void shuffle_once(const char *mode, uint32_t step, uint32_t width, bool constant, uint32_t lanes)
{
    const uint32_t mask = lanes == 32 ? UINT32_MAX : (1u << lanes) - 1;
    const uint32_t clamp = (32 - width) << 8 | (mode[0] == 'u' ? 0 : 31);
    char body[600], operands[80];
    bench t;
    snprintf(operands, sizeof(operands), constant ? "%u, %u" : "%%r5, %%r6", step, clamp);
    snprintf(body, sizeof(body),
             "mov.b32 %%r5, %u; mov.b32 %%r6, %u; mad.lo.u32 %%r4, %%r1, 1000, 7; mov.b32 %%r3, 0;\n"
             "setp.lt.u32 %%p1, %%r0, %u;\n"
             "@%%p1 shfl.sync.%s.b32 %%r3|%%p2, %%r4, %s, %u;\n@!%%p1 bra OUT;\n"
             "@%%p2 add.u32 %%r3, %%r3, 500000;\nOUT:",
             step, clamp, lanes, mode, operands, mask);
    run_one("", body, 32, 0, &t);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        bool inside;
        const uint32_t from = shuffled(mode, lane, step, width, &inside);
        if (from < lanes) /* what others have is undefined */
            ck_assert_msg(t.out[lane] == from * 1000 + 7 + (inside ? 500000 : 0), "%s\nlane %u: %u", body,
                          lane, t.out[lane]);
    }
    close_bench(&t);
}

START_TEST(lanes_out_of_range_keep_their_own_value)
{
    static const char *const modes[] = { "up", "down", "bfly", "idx" };
    static const uint32_t steps[] = { 0, 1, 3, 8, 17, 31 }, counts[] = { 32, 32, 21 };
    for (uint32_t width = 2; width <= 32; width *= 2)
        for (unsigned i = 0; i < 6; i++)
            for (unsigned k = 0; k < 3; k++)
                shuffle_once(modes[_i], steps[i], width, k == 0, counts[k]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_shuffles");
    TCase *tc = tcase_create("kernels");
    tcase_add_loop_test(tc, lanes_out_of_range_keep_their_own_value, 0, 4);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
