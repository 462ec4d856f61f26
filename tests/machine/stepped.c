/* SPDX-License-Identifier: MIT */
#include "machine/stepped.h"

void stepped_prepare(stepped *t, const char *kernel, size_t args)
{
    memset(t, 0, sizeof(*t));
    ck_assert_int_eq(lw_program_load_file(OBJECTS "/module.co", NULL, &t->program, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_create(&t->memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(t->memory, "out", 4 * ITEMS, LW_ACCESS_READ_WRITE, &t->out, NULL),
                     LW_OK);
    ck_assert_int_eq(lw_module_load(t->memory, t->program, &t->module, NULL), LW_OK);
    t->rounds = 5;
    t->args[0] = (lw_arg){ NULL, &t->out, 8, true };
    t->args[1] = (lw_arg){ NULL, &t->rounds, 4, false };
    t->options = lw_launch_options_default();
    ck_assert_int_eq(lw_program_find(t->program, kernel, &t->options.kernel, NULL), LW_OK);
    t->options.module = t->module;
    t->options.grid[0] = GROUPS;
    t->options.block[0] = 256;
    t->options.args = t->args;
    t->options.arg_count = args;
    t->step = lw_step_options_default();
}

void stepped_begin(stepped *t)
{
    ck_assert_msg(lw_session_begin(&t->options, &t->session, &t->error) == LW_OK, "%s", t->error.text);
}

void stepped_done(stepped *t)
{
    lw_module_unload(t->module);
    lw_program_free(t->program);
    lw_memory_free(t->memory);
}

lw_pause stepped_step(stepped *t)
{
    lw_pause pause;
    ck_assert_msg(lw_session_step(t->session, &t->step, &pause, &t->error) == LW_OK, "%s", t->error.text);
    return pause;
}

void stepped_expect(uint32_t rounds, uint32_t group, uint32_t slot[256])
{
    for (uint32_t i = 0; i < 256; i++)
        slot[i] = i + 256 * group;
    for (uint32_t r = 0; r < rounds; r++) {
        const uint32_t first = slot[0];
        for (uint32_t i = 0; i < 256; i++)
            slot[i] = (i < 255 ? slot[i + 1] : first) * 3 + r;
    }
}

void stepped_check_out(const stepped *t)
{
    const uint32_t *out = lw_memory_host(t->memory, t->out, 4 * ITEMS);
    for (uint32_t g = 0; g < GROUPS; g++) {
        uint32_t slot[256];
        stepped_expect(t->rounds, g, slot);
        ck_assert_mem_eq(out + 256 * g, slot, sizeof(slot));
    }
}
