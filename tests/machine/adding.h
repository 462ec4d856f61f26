/* SPDX-License-Identifier: MIT */
/* A compiled kernel that adds two vectors, ready to launch. */
#ifndef TESTS_MACHINE_ADDING_H
#define TESTS_MACHINE_ADDING_H

#include "machine/fixture.h"

enum { COUNT = 1000 };

/* vector_add: c[i] = a[i] + b[i] for i < n. */
typedef struct adding {
    lw_program *program;
    lw_memory *memory;
    uint64_t c, a, b;
    uint32_t n;
    lw_arg args[4];
    lw_launch_options options;
    lw_launch_result *result;
    lw_error error;
} adding;

static inline void adding_init(adding *t, const char *object)
{
    memset(t, 0, sizeof(*t));
    ck_assert_int_eq(lw_program_load_file(object, NULL, &t->program, &t->error), LW_OK);
    ck_assert_int_eq(lw_memory_create(&t->memory), LW_OK);
    lw_memory_allocate(t->memory, "c", 4 * COUNT, LW_ACCESS_READ_WRITE, &t->c, NULL);
    lw_memory_allocate(t->memory, "a", 4 * COUNT, LW_ACCESS_READ, &t->a, NULL);
    lw_memory_allocate(t->memory, "b", 4 * COUNT, LW_ACCESS_READ, &t->b, NULL);
    for (unsigned i = 0; i < COUNT; i++) {
        const float a = 0.5f * (float)i, b = 1000.0f - (float)i;
        lw_memory_write(t->memory, t->a + 4 * i, &a, 4);
        lw_memory_write(t->memory, t->b + 4 * i, &b, 4);
    }
    t->n = COUNT;
    t->args[0] = (lw_arg){ NULL, &t->c, 8, true };
    t->args[1] = (lw_arg){ NULL, &t->a, 8, true };
    t->args[2] = (lw_arg){ NULL, &t->b, 8, true };
    t->args[3] = (lw_arg){ "n", &t->n, 4, false };
    t->options = lw_launch_options_default();
    t->options.program = t->program;
    t->options.memory = t->memory;
    t->options.grid[0] = 4;
    t->options.block[0] = 256;
    t->options.args = t->args;
    t->options.arg_count = 4;
}

static inline void adding_free(adding *t)
{
    lw_launch_result_free(t->result);
    lw_program_free(t->program);
    lw_memory_free(t->memory);
}

static inline lw_status adding_run(adding *t)
{
    lw_launch_result_free(t->result);
    t->result = NULL;
    memset(lw_memory_host(t->memory, t->c, 4 * COUNT), 0xee, 4 * COUNT);
    const lw_status status = lw_launch(&t->options, &t->result, &t->error);
    ck_assert_uint_eq(lw_memory_count(t->memory), 3); /* the launch's mappings are removed afterwards */
    return status;
}

/* Elements [first, last) are sums, all others unchanged. */
static inline void check_sums(adding *t, unsigned first, unsigned last)
{
    const uint8_t *c = lw_memory_host(t->memory, t->c, 4 * COUNT);
    for (unsigned i = 0; i < COUNT; i++) {
        const float want = 0.5f * (float)i + (1000.0f - (float)i);
        uint32_t bits = 0xeeeeeeee, got;
        if (i >= first && i < last)
            memcpy(&bits, &want, 4);
        memcpy(&got, c + 4 * i, 4);
        ck_assert_msg(got == bits, "element %u is %08x, not %08x", i, got, bits);
    }
}

static const char *const OBJECT[] = { OBJECTS "/vector_add_gfx942.co", OBJECTS "/vector_add_gfx950.co" };

#endif
