/* SPDX-License-Identifier: MIT */
#include "nvidia_bench.h"

#include <check.h>
#include <string.h>

void bench_open(bench *x, lw_arch arch, const char *spelling, const char *const *choices, size_t count,
                bool reference)
{
    const lw_insn *insn;
    lw_error error;
    memset(x, 0, sizeof(*x));
    lw_status status = lw_insn_parse(arch, spelling, &insn, &x->mods, &error);
    ck_assert_msg(status == LW_OK, "%s: %s", spelling, error.text);
    const lw_mma_options options = {
        .mods = &x->mods, .choices = choices, .choice_count = count, .reference_only = reference
    };
    status = lw_mma_create(arch, insn, &options, &x->mma, &error);
    ck_assert_msg(status == LW_OK, "%s: %s", spelling, error.text);
    ck_assert_int_eq(lw_mma_get_shape(x->mma, &x->s), LW_OK);
}

void bench_run(bench *x, const char *what)
{
    const lw_mma_matrices mat = { .a = x->a,
                                  .b = x->b,
                                  .c = x->c,
                                  .d = x->d,
                                  .index = x->s.groups ? x->index : NULL,
                                  .scale_a = x->s.scale_k ? x->scale_a : NULL,
                                  .scale_b = x->s.scale_k ? x->scale_b : NULL };
    ck_assert_msg(lw_mma_execute_matrices(x->mma, &mat, NULL) == LW_OK, "%s does not execute", what);
}

void bench_put(uint8_t *matrix, size_t n, unsigned bytes, uint64_t code)
{
    memcpy(matrix + n * bytes, &code, bytes);
}

uint64_t bench_get(const uint8_t *matrix, size_t n, unsigned bytes)
{
    uint64_t code = 0;
    memcpy(&code, matrix + n * bytes, bytes);
    return code;
}
