/* SPDX-License-Identifier: MIT */
#include "tests/ptx/run_kit.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

void open_bench(bench *t, const char *text, const uint32_t *a, const uint32_t *b)
{
    const lw_status status = lw_program_load(text, strlen(text), NULL, &t->program, &t->error);
    ck_assert_msg(status == LW_OK, "%s\n%s", t->error.text, text);
    ck_assert_int_eq(lw_memory_create(&t->memory), LW_OK);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(
            lw_memory_allocate(t->memory, &"abo"[i], sizeof(t->out), LW_ACCESS_READ_WRITE, &t->at[i], NULL),
            LW_OK);
    if (a)
        lw_memory_write(t->memory, t->at[0], a, sizeof(t->out));
    if (b)
        lw_memory_write(t->memory, t->at[1], b, sizeof(t->out));
}

lw_status launch(bench *t, uint32_t threads, uint32_t shared)
{
    lw_launch_result *result = NULL;
    lw_arg args[3];
    lw_launch_options o = lw_launch_options_default();
    for (int i = 0; i < 3; i++)
        args[i] = (lw_arg){ NULL, &t->at[i], 8, true };
    o.program = t->program;
    o.memory = t->memory;
    o.grid[0] = 1;
    o.block[0] = threads;
    o.dynamic_lds = shared;
    o.args = args;
    o.arg_count = 3;
    o.budget = 1000000;
    const lw_status status = lw_launch(&o, &result, &t->error);
    if (result) {
        t->fault = result->fault;
        t->executed = result->instructions;
    }
    lw_launch_result_free(result);
    lw_memory_read(t->memory, t->at[2], t->out, sizeof(t->out));
    return status;
}

void close_bench(bench *t)
{
    lw_memory_free(t->memory);
    lw_program_free(t->program);
}

void write_kernel(char *text, size_t size, const char *declarations, const char *body)
{
    snprintf(text, size,
             HEAD "%s\n.entry k(.param .u64 a, .param .u64 b, .param .u64 o) {\n"
                  ".reg .b32 %%r<20>; .reg .b64 %%rd<20>; .reg .pred %%p<9>; .reg .b16 %%h<9>;\n"
                  "ld.param.u64 %%rd1, [a]; ld.param.u64 %%rd2, [b]; ld.param.u64 %%rd3, [o];\n"
                  "mov.u32 %%r0, %%tid.x; mul.wide.u32 %%rd4, %%r0, 4;\n"
                  "add.s64 %%rd1, %%rd1, %%rd4; add.s64 %%rd2, %%rd2, %%rd4; add.s64 %%rd3, %%rd3, %%rd4;\n"
                  "ld.global.b32 %%r1, [%%rd1]; ld.global.b32 %%r2, [%%rd2];\n%s\n"
                  "st.global.b32 [%%rd3], %%r3;\n}\n",
             declarations, body);
}

void run_one(const char *declarations, const char *body, uint32_t threads, uint32_t shared, bench *t)
{
    char text[4096];
    uint32_t a[MOST];
    for (unsigned i = 0; i < MOST; i++)
        a[i] = i;
    write_kernel(text, sizeof(text), declarations, body);
    *t = (bench){ 0 };
    open_bench(t, text, a, a);
    ck_assert_msg(launch(t, threads, shared) == LW_OK, "%s", t->error.text);
}
