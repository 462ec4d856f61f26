/* SPDX-License-Identifier: MIT */
/* Where stored bytes come from: chains of small kernels whose sources are known, and what is refused. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/coverage.h>
#include <lanewise/why.h>
#include <lanewise/why_product.h>

enum { COUNT = 64 };

/* Every thread of every block adds its element to the first one of the sum; the last one is stored plainly.
 */
static const char sums[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry sums(.param .u64 sum, .param .u64 x, .param .u32 n)\n{\n"
    ".reg .pred %p<4>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n"
    "ld.param.u64 %rd1, [sum];\nld.param.u64 %rd2, [x];\nld.param.u32 %r9, [n];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, 32, %r1;\n"
    "mul.wide.u32 %rd3, %r3, 4;\nadd.u64 %rd4, %rd2, %rd3;\nld.global.u32 %r4, [%rd4];\n"
    "setp.ge.u32 %p1, %r3, %r9;\n@%p1 bra past;\n"
    "red.global.add.u32 [%rd1], %r4;\nbra done;\n"
    "past:\nst.global.u32 [%rd1+4], %r4;\n"
    "done:\nret;\n}\n";

typedef struct world {
    lw_program *program;
    lw_memory *memory;
    uint64_t sum, x;
    uint32_t n;
    lw_arg args[3];
    lw_launch_options options;
} world;

static void open_world(world *w, uint32_t n)
{
    lw_error error = { "" };
    uint32_t x[COUNT];
    *w = (world){ .n = n };
    ck_assert_msg(lw_program_load(sums, sizeof(sums) - 1, NULL, &w->program, &error) == LW_OK, "%s",
                  error.text);
    ck_assert_int_eq(lw_memory_create(&w->memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(w->memory, "sum", 16, LW_ACCESS_READ_WRITE, &w->sum, &error), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(w->memory, "x", sizeof(x), LW_ACCESS_READ, &w->x, &error), LW_OK);
    for (uint32_t i = 0; i < COUNT; i++)
        x[i] = i + 1;
    ck_assert_int_eq(lw_memory_write(w->memory, w->x, x, sizeof(x)), LW_OK);
    w->args[0] = (lw_arg){ .bytes = &w->sum, .size = 8, .is_pointer = true };
    w->args[1] = (lw_arg){ .bytes = &w->x, .size = 8, .is_pointer = true };
    w->args[2] = (lw_arg){ .bytes = &w->n, .size = 4 };
    w->options = lw_launch_options_default();
    w->options.program = w->program;
    w->options.memory = w->memory;
    w->options.grid[0] = 2;
    w->options.block[0] = 32;
    w->options.args = w->args;
    w->options.arg_count = 3;
}

static void close_world(world *w)
{
    lw_memory_free(w->memory);
    lw_program_free(w->program);
}

static uint32_t read_sum(const world *w, unsigned index)
{
    uint32_t value = 0;
    ck_assert_int_eq(lw_memory_read(w->memory, w->sum + 4 * index, &value, 4), LW_OK);
    return value;
}

static size_t count_kind(const lw_why *why, lw_why_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < lw_why_node_count(why); i++)
        count += lw_why_node_at(why, i)->kind == kind;
    return count;
}

/* Both blocks add to it, so both are followed, thread by thread. */
START_TEST(atomics_of_all_blocks)
{
    world w;
    lw_why *why = NULL;
    lw_error error = { "" };
    lw_why_range range[4];
    size_t count = 0;
    open_world(&w, COUNT);
    ck_assert_msg(lw_why_find(&w.options, w.sum, 4, NULL, &why, &error) == LW_OK, "%s", error.text);
    ck_assert_uint_eq(read_sum(&w, 0), COUNT * (COUNT + 1) / 2);
    ck_assert_uint_eq(lw_why_groups(why), 2);
    ck_assert_uint_eq(count_kind(why, LW_WHY_ATOMIC), COUNT);
    ck_assert_uint_eq(count_kind(why, LW_WHY_LOAD), COUNT);
    ck_assert_int_eq(lw_why_inputs(why, 0, range, 4, &count), LW_OK);
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(range[0].region, "sum");
    ck_assert_str_eq(range[1].region, "x");
    ck_assert_uint_eq(range[1].first, 0);
    ck_assert_uint_eq(range[1].last, 4 * COUNT - 1);
    lw_why_free(why);
    close_world(&w);
}
END_TEST

/* No matrix instruction has part in it: no products, no words about them. */
static void expect_no_products(const lw_why *why)
{
    const uint32_t data[1] = { COUNT };
    lw_why_array array = { .name = "x", .rows = 1, .columns = 1, .dims = 2, .size = 4, .data = data };
    const lw_why_target target = { 1, 1, 0, 0 };
    lw_why_products *products = NULL;
    char words[80] = "?";
    ck_assert_int_eq(lw_why_find_chain(why, 1, &array, 1, &products), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_why_find_chain(why, 4, &array, 1, &products), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_why_find_products(why, &array, 1, &products), LW_OK);
    ck_assert_uint_eq(lw_why_products_count(products), 0);
    ck_assert_ptr_null(lw_why_products_at(products, 0));
    ck_assert_int_eq(lw_why_explain(products, &target, NULL, words, sizeof(words)), LW_OK);
    ck_assert_str_eq(words, "");
    lw_why_products_free(products);
    array.size = 3;
    ck_assert_int_eq(lw_why_find_products(why, &array, 1, &products), LW_E_ARGUMENT);
}

/* One thread stores it: its block alone, the one element, and the value that it had. */
START_TEST(one_store)
{
    world w;
    lw_why *why = NULL;
    lw_error error = { "" };
    lw_why_origin origin;
    open_world(&w, COUNT - 1);
    ck_assert_msg(lw_why_find(&w.options, w.sum + 4, 4, NULL, &why, &error) == LW_OK, "%s", error.text);
    ck_assert_uint_eq(read_sum(&w, 1), COUNT);
    ck_assert_uint_eq(lw_why_groups(why), 1);
    ck_assert_uint_eq(lw_why_node_count(why), 4);
    static const lw_why_kind kinds[] = { LW_WHY_ASKED, LW_WHY_STORE, LW_WHY_LOAD, LW_WHY_INPUT };
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(lw_why_node_at(why, i)->kind, kinds[i]);
    ck_assert_int_eq(lw_why_node_at(why, 1)->lane, 31);
    ck_assert_uint_eq(lw_why_node_at(why, 1)->workgroup[0], 1);
    ck_assert_str_eq(lw_why_node_at(why, 2)->reg, "%r4");
    ck_assert_uint_eq(lw_why_node_at(why, 2)->value, COUNT);
    ck_assert_uint_eq(lw_why_node_at(why, 3)->value, COUNT);
    ck_assert_uint_eq(lw_why_node_at(why, 3)->address, w.x + 4 * (COUNT - 1));
    ck_assert(lw_why_trace(why, 1, 8, 16, &origin) && origin.copied);
    ck_assert_uint_eq(origin.node, 3);
    ck_assert_uint_eq(origin.bit, 8);
    ck_assert(!lw_why_trace(why, 1, 24, 16, &origin) && !lw_why_trace(why, 4, 0, 8, &origin));
    ck_assert_ptr_null(lw_why_edge_at(why, 3, 0));
    ck_assert_ptr_null(lw_why_node_at(why, 4));
    expect_no_products(why);
    lw_why_free(why);
    close_world(&w);
}
END_TEST

START_TEST(refused)
{
    world w;
    lw_why *why = NULL;
    lw_error error = { "" };
    lw_why_options options = lw_why_options_default();
    open_world(&w, COUNT);
    ck_assert_int_eq(lw_why_find(&w.options, w.sum + 8, 4, NULL, &why, &error), LW_E_NOT_FOUND);
    ck_assert_uint_eq(read_sum(&w, 0), COUNT * (COUNT + 1) / 2);
    ck_assert_int_eq(lw_why_find(&w.options, w.sum + 14, 4, NULL, &why, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_why_find(&w.options, w.sum, 9, NULL, &why, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_why_find(NULL, w.sum, 4, NULL, &why, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_why_find(&w.options, w.sum, 4, NULL, NULL, &error), LW_E_ARGUMENT);
    options.limit = 4096;
    ck_assert_int_eq(lw_why_find(&w.options, w.sum, 4, &options, &why, &error), LW_E_NO_MEMORY);
    ck_assert_ptr_null(why);
    close_world(&w);
}
END_TEST

static const lw_covered *covered_at(const lw_coverage *coverage, uint64_t offset)
{
    for (size_t i = 0; i < lw_coverage_count(coverage); i++)
        if (lw_coverage_at(coverage, i)->code_offset == offset)
            return lw_coverage_at(coverage, i);
    return NULL;
}

/* The branch is the 11th instruction; the store after it is the 14th. */
START_TEST(branches_covered)
{
    enum { BRANCH = 10, STORE = 13 };
    for (uint32_t n = COUNT - 1; n <= COUNT; n++) {
        world w;
        lw_coverage *coverage = NULL;
        open_world(&w, n);
        ck_assert_int_eq(lw_coverage_create(&coverage), LW_OK);
        const lw_observer *observer = lw_coverage_observer(coverage);
        w.options.observers = &observer;
        w.options.observer_count = 1;
        ck_assert_int_eq(lw_launch(&w.options, NULL, NULL), LW_OK);
        const lw_covered *branch = covered_at(coverage, BRANCH);
        ck_assert(branch && branch->branches);
        ck_assert_uint_eq(branch->executed, 2);
        ck_assert_uint_eq(branch->taken, COUNT - n);
        ck_assert_uint_eq(branch->not_taken, 2);
        ck_assert((covered_at(coverage, STORE) != NULL) == (n < COUNT));
        lw_coverage_free(coverage);
        close_world(&w);
    }
    ck_assert_int_eq(lw_coverage_create(NULL), LW_E_ARGUMENT);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("why");
    tcase_add_test(tc, atomics_of_all_blocks);
    tcase_add_test(tc, one_store);
    tcase_add_test(tc, refused);
    tcase_add_test(tc, branches_covered);
    Suite *suite = suite_create("why");
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
