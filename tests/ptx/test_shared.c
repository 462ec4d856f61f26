/* SPDX-License-Identifier: MIT */
/* How much shared memory a block has: of the target that the module names, or of the later one that it was
 * loaded for. The figures: tests/isa_tables/lds.sh. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/launch.h>

static const struct {
    const char *target;
    lw_arch arch; /* what the module is loaded for */
    const char *device;
    uint32_t kib;
} cases[] = {
    { "sm_70", LW_ARCH_NONE, "sm_70", 96 },    { "sm_75", LW_ARCH_NONE, "sm_75", 64 },
    { "sm_80", LW_ARCH_NONE, "sm_80", 163 },   { "sm_86", LW_ARCH_NONE, "sm_86", 99 },
    { "sm_87", LW_ARCH_NONE, "sm_87", 163 },   { "sm_87", LW_ARCH_SM_86, "sm_87", 163 },
    { "sm_90a", LW_ARCH_NONE, "sm_90a", 227 }, { "sm_120", LW_ARCH_NONE, "sm_120", 99 },
    { "sm_80", LW_ARCH_SM_90, "sm_90", 227 },  { "sm_80", LW_ARCH_SM_120, "sm_120", 99 },
};

/* 256 bytes are the kernel's own. */
static lw_status launch(const lw_program *program, lw_memory *memory, uint32_t dynamic, lw_error *error)
{
    lw_launch_options o = lw_launch_options_default();
    o.program = program;
    o.memory = memory;
    o.grid[0] = o.block[0] = 1;
    o.dynamic_lds = dynamic;
    return lw_launch(&o, NULL, error);
}

START_TEST(a_block_has_what_its_target_has)
{
    char text[512], says[128];
    lw_program *program;
    lw_memory *memory;
    lw_error error;
    lw_load_options load = { .struct_size = sizeof(load), .arch = cases[_i].arch };
    const uint32_t most = cases[_i].kib * 1024;
    snprintf(text, sizeof(text),
             ".version 8.7\n.target %s\n.address_size 64\n"
             ".entry k() { .reg .b32 %%r<2>; .shared .align 16 .b8 own[256]; mov.u32 %%r1, own; ret; }\n",
             cases[_i].target);
    const lw_status status = lw_program_load(text, strlen(text), &load, &program, &error);
    ck_assert_msg(status == LW_OK, "%s", error.text);
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_msg(launch(program, memory, most - 256, &error) == LW_OK, "%s", error.text);
    ck_assert_int_eq(launch(program, memory, most - 255, &error), LW_E_ARGUMENT);
    snprintf(says, sizeof(says),
             "%u bytes of shared memory (256 of them the kernel's own); a block of %s has at most %u",
             most + 1, cases[_i].device, most);
    ck_assert_str_eq(error.text, says);
    lw_memory_free(memory);
    lw_program_free(program);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx_shared");
    TCase *tc = tcase_create("limits");
    tcase_add_loop_test(tc, a_block_has_what_its_target_has, 0, sizeof(cases) / sizeof(cases[0]));
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
