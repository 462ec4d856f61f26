/* SPDX-License-Identifier: MIT */
/* Structs that grow: each size that a version had, and all other sizes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>
#include <lanewise/lanewise.h>

#include "isa_tables/options.h"

/* A struct after one addition. */
typedef struct grown {
    size_t struct_size;
    uint32_t old[2];
    uint64_t added;
} grown;

enum { FIRST = offsetof(grown, added) };

START_TEST(smaller_sizes_keep_defaults)
{
    for (size_t size = 0; size <= sizeof(grown) + 8; size++) {
        grown into = { sizeof(into), { 1, 2 }, 3 };
        const grown given = { size, { 7, 8 }, 9 };
        const bool known = size == FIRST || size == sizeof(grown);
        ck_assert(lw_options_take(&into, &given, sizeof(grown), FIRST) == known);
        ck_assert_uint_eq(into.struct_size, sizeof(into));
        ck_assert_uint_eq(into.old[1], known ? 8 : 2);
        ck_assert_uint_eq(into.added, size == sizeof(grown) ? 9 : 3);
    }
    grown into;
    ck_assert(!lw_options_take(&into, NULL, sizeof(grown), FIRST));
}
END_TEST

START_TEST(smaller_results_leave_out_the_rest)
{
    for (size_t size = 0; size <= sizeof(grown) + 8; size++) {
        grown given = { size, { 1, 2 }, 3 };
        const grown made = { 0, { 7, 8 }, 9 };
        const bool known = size == FIRST || size == sizeof(grown);
        ck_assert(lw_options_give(&given, &made, sizeof(grown), FIRST) == known);
        ck_assert_uint_eq(given.struct_size, size);
        ck_assert_uint_eq(given.old[1], known ? 8 : 2);
        ck_assert_uint_eq(given.added, size == sizeof(grown) ? 9 : 3);
    }
}
END_TEST

START_TEST(defaults_fill_the_room_there_is)
{
    for (size_t room = 0; room <= 2 * sizeof(grown); room++) {
        const grown made = { 0, { 7, 8 }, 9 };
        unsigned char bytes[2 * sizeof(grown) + 1], size[sizeof(room)];
        memset(bytes, 0x5a, sizeof(bytes));
        memcpy(size, &room, sizeof(room));
        lw_options_init(bytes, room, &made, sizeof(made));
        ck_assert_uint_eq(bytes[room], 0x5a);
        if (room < sizeof(room))
            continue;
        ck_assert_mem_eq(bytes, size, sizeof(size));
        for (size_t i = sizeof(room); i < room; i++)
            ck_assert_uint_eq(bytes[i], i < sizeof(made) ? ((const unsigned char *)&made)[i] : 0);
    }
    lw_options_init(NULL, sizeof(grown), NULL, 0);
}
END_TEST

/* Every public struct that may grow, at every size around its own. */
START_TEST(other_sizes_are_refused)
{
    static const uint32_t end = 0xbf810000;
    const lw_insn *insn;
    lw_mma *mma = NULL, *other = NULL;
    lw_layout *layout;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", &insn, NULL), LW_OK);
    ck_assert_int_eq(lw_mma_create(LW_ARCH_GFX942, insn, NULL, &mma, NULL), LW_OK);
    ck_assert_int_eq(lw_layout_create(LW_ARCH_GFX942, insn, LW_OPERAND_A, 0, NULL, &layout, NULL), LW_OK);
    for (size_t size = 0; size < 1024; size++) {
        lw_insn_info info = { .struct_size = size };
        lw_layout_info shown = { .struct_size = size };
        lw_mma_shape shape = { .struct_size = size };
        lw_disasm disasm = { .struct_size = size };
        lw_mma_options options = { .struct_size = size };
        lw_load_options load = { .struct_size = size, .member = -2 };
        lw_error error = { "" };
        ck_assert((lw_insn_fill_info(LW_ARCH_GFX942, insn, &info) == LW_OK) == (size == sizeof(info)));
        ck_assert((lw_layout_fill_info(layout, &shown) == LW_OK) ==
                  (size == sizeof(shown) || size == offsetof(lw_layout_info, columns)));
        ck_assert((lw_mma_fill_shape(mma, &shape) == LW_OK) == (size == sizeof(shape)));
        ck_assert((lw_disasm_fill(LW_ARCH_GFX942, &end, 4, 0, &disasm) == LW_OK) == (size == sizeof(disasm)));
        ck_assert((lw_mma_create(LW_ARCH_GFX942, insn, &options, &other, NULL) == LW_OK) ==
                  (size == sizeof(options)));
        lw_mma_free(other);
        other = NULL;
        lw_program *program;
        ck_assert_int_eq(lw_program_load(&end, 4, &load, &program, &error), LW_E_ARGUMENT);
        const bool known = size == sizeof(load) || size == offsetof(lw_load_options, memory_limit);
        ck_assert((strstr(error.text, "member is out of range") != NULL) == known);
    }
    lw_layout_free(layout);
    lw_mma_free(mma);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("options");
    TCase *tc = tcase_create("sizes");
    tcase_add_test(tc, smaller_sizes_keep_defaults);
    tcase_add_test(tc, smaller_results_leave_out_the_rest);
    tcase_add_test(tc, defaults_fill_the_room_there_is);
    tcase_add_test(tc, other_sizes_are_refused);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
