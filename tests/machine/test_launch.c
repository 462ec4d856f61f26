/* SPDX-License-Identifier: MIT */
/* Launches of a compiled kernel: sizes, arguments, schedules, faults, refusals. */
#include "loaders/program.h"
#include "machine/adding.h"

START_TEST(sizes_and_threads)
{
    adding t;
    adding_init(&t, OBJECT[_i]);
    for (unsigned threads = 0; threads < 5; threads++) {
        t.options.threads = threads;
        ck_assert_msg(adding_run(&t) == LW_OK, "%s", t.error.text);
        check_sums(&t, 0, COUNT);
        ck_assert_uint_eq(t.result->groups, 4);
        ck_assert_uint_eq(t.result->waves, 16);
        ck_assert_str_eq(t.result->schedule, threads == 1 ? "serial" : "parallel");
    }
    const uint64_t instructions = t.result->instructions;
    for (unsigned seed = 0; seed < 5; seed++) {
        t.options.schedule = LW_SCHEDULE_RANDOM;
        t.options.seed = seed;
        ck_assert_int_eq(adding_run(&t), LW_OK);
        check_sums(&t, 0, COUNT);
        ck_assert_uint_eq(t.result->instructions, instructions);
    }
    adding_free(&t);
}
END_TEST

/* 700 work-items: a workgroup of 188, whose last wave has 60 lanes. The kernel would do all of n. */
START_TEST(partial_workgroups)
{
    adding t;
    adding_init(&t, OBJECT[_i]);
    t.options.grid[0] = 0;
    t.options.items[0] = 700;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    ck_assert_str_eq(t.error.text,
                     "kernel vector_add was compiled for whole workgroups: 700 work-items are not a multiple "
                     "of 256");
    t.program->kernels[0].info.uniform_workgroup = false;
    ck_assert_int_eq(adding_run(&t), LW_OK);
    check_sums(&t, 0, 700);
    ck_assert_uint_eq(t.result->waves, 4 + 4 + 3);
    adding_free(&t);
}
END_TEST

START_TEST(only_some_workgroups)
{
    static const uint32_t only[][3] = { { 2, 0, 0 } }, outside[][3] = { { 4, 0, 0 } };
    adding t;
    adding_init(&t, OBJECT[_i]);
    t.options.only = only;
    t.options.only_count = 1;
    ck_assert_int_eq(adding_run(&t), LW_OK);
    check_sums(&t, 512, 768);
    t.options.only = outside;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    ck_assert_str_eq(t.error.text, "there is no workgroup (4,0,0) in a grid of 4 x 1 x 1");
    adding_free(&t);
}
END_TEST

START_TEST(raw_arguments)
{
    adding t;
    adding_init(&t, OBJECT[_i]);
    uint8_t segment[28];
    memcpy(segment, &t.c, 8);
    memcpy(segment + 8, &t.a, 8);
    memcpy(segment + 16, &t.b, 8);
    memcpy(segment + 24, &t.n, 4);
    t.options.kernarg = segment;
    t.options.kernarg_size = sizeof(segment);
    ck_assert_int_eq(adding_run(&t), LW_OK);
    check_sums(&t, 0, COUNT);
    t.options.kernarg_size = 27;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    ck_assert_str_eq(t.error.text, "kernel vector_add takes 28 bytes of arguments, not 27");
    adding_free(&t);
}
END_TEST

/* The first faulting workgroup is reported, whatever the number of threads. */
START_TEST(faults)
{
    adding t;
    adding_init(&t, OBJECT[_i]);
    t.n = 2000;
    t.options.grid[0] = 8;
    for (unsigned threads = 1; threads < 5; threads++) {
        t.options.threads = threads;
        ck_assert_int_eq(adding_run(&t), LW_E_FAULT);
        const lw_fault *fault = &t.result->fault;
        ck_assert(t.result->faulted);
        ck_assert_str_eq(fault->kernel, "vector_add");
        ck_assert_uint_eq(fault->workgroup[0], 3);
        ck_assert_uint_eq(fault->wave, 3);
        ck_assert_int_eq(fault->lane, COUNT % 64);
        ck_assert_ptr_nonnull(strstr(fault->instruction, "global_load_dword"));
        ck_assert_ptr_nonnull(strstr(fault->reason, "in no allocation (0 bytes past the end of"));
    }
    adding_free(&t);
}
END_TEST

/* Each wave has a budget of its own; which wave ends a launch does not depend on the number of threads. */
START_TEST(budget)
{
    adding t;
    char said[sizeof(t.error.text)];
    uint64_t enough = 1;
    adding_init(&t, OBJECT[_i]);
    ck_assert_int_eq(adding_run(&t), LW_OK);
    const uint64_t all = t.result->instructions, waves = t.result->waves;
    t.options.threads = 1;
    for (t.options.budget = 1; adding_run(&t) == LW_E_BUDGET; t.options.budget++)
        enough = t.options.budget + 1;
    ck_assert_uint_ge(enough, all / waves);
    ck_assert_uint_lt(enough, all / waves * 2);
    for (unsigned threads = 1; threads < 4; threads++) {
        t.options.threads = threads;
        t.options.budget = enough;
        ck_assert_int_eq(adding_run(&t), LW_OK);
        t.options.budget = enough - 1;
        ck_assert_int_eq(adding_run(&t), LW_E_BUDGET);
        if (threads == 1)
            memcpy(said, t.error.text, sizeof(said));
        ck_assert_str_eq(t.error.text, said);
    }
    ck_assert_ptr_nonnull(strstr(said, "kernel vector_add, workgroup (0,0,0), wave 0, pc +0x"));
    adding_free(&t);
}
END_TEST

static lw_status count_progress(void *context, const lw_progress *progress)
{
    unsigned *calls = context;
    ++*calls;
    ck_assert_uint_eq(progress->groups, 4);
    return *calls == 3 ? LW_E_IO : LW_OK;
}

START_TEST(progress)
{
    adding t;
    adding_init(&t, OBJECT[_i]);
    unsigned calls = 0;
    t.options.progress = count_progress;
    t.options.progress_context = &calls;
    t.options.threads = 1;
    ck_assert_int_eq(adding_run(&t), LW_E_IO);
    ck_assert_uint_eq(calls, 3);
    ck_assert_ptr_null(t.result);
    adding_free(&t);
}
END_TEST

START_TEST(refusals)
{
    adding t;
    adding_init(&t, OBJECT[_i]);
    t.options.block[0] = 512;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    t.options.block[0] = 256;
    t.options.items[0] = 1000;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    ck_assert_str_eq(t.error.text, "a launch needs a size in workgroups or in work-items, and not both");
    t.options.items[0] = 0;
    t.options.dynamic_lds = 1 << 20;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(t.error.text, "1048576 bytes of LDS"));
    t.options.dynamic_lds = 0;
    t.options.scratch = UINT32_MAX;
    ck_assert_int_eq(adding_run(&t), LW_E_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(t.error.text, "4294967295 bytes of scratch"));
    t.options.scratch = 0;
    t.options.only_count = 1;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    t.options.only_count = 0;
    t.options.arg_count = 3;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    t.options.arg_count = 4;
    t.options.kernel = 1;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    t.options.kernel = 0;
    const lw_observer other = { .struct_size = sizeof(lw_observer) + 8 };
    const lw_observer *const observers[] = { &other, NULL };
    t.options.observers = observers;
    t.options.observer_count = 1;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    ck_assert_str_eq(t.error.text, "observer 0 is NULL or not of this version");
    t.options.observers = &observers[1];
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    t.options.observer_count = 0;
    t.options.struct_size = 8;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    t.options.struct_size = sizeof(lw_launch_options) + 8; /* may hold options of a later version */
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    adding_free(&t);
}
END_TEST

/* 2^64 workgroups must not wrap to zero. */
START_TEST(more_workgroups_than_can_be_counted)
{
    adding t;
    adding_init(&t, OBJECT[_i]);
    t.program->kernels[0].info.max_workgroup_size = 0;
    t.options.block[0] = 1;
    t.options.grid[0] = 1u << 22;
    t.options.grid[1] = t.options.grid[2] = 1u << 21;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    ck_assert_str_eq(t.error.text,
                     "a launch of 4194304 x 2097152 x 2097152 workgroups; at most 2^40 are run");
    adding_free(&t);
}
END_TEST

/* Dynamic LDS begins at a multiple of its pointer's alignment, and all of it is there. */
START_TEST(aligned_dynamic_lds)
{
    adding t;
    adding_init(&t, OBJECT[_i]);
    lw_kernel *kernel = &t.program->kernels[0];
    lw_arg_info args[5];
    memcpy(args, kernel->info.args, 4 * sizeof(*args));
    args[4] = (lw_arg_info){ .name = "",
                             .type_name = "",
                             .value_kind = "dynamic_shared_pointer",
                             .address_space = "local",
                             .kind = LW_ARG_LDS,
                             .offset = 24,
                             .size = 4,
                             .pointee_align = 1024 };
    kernel->info.args = args;
    kernel->info.arg_count = 5;
    kernel->info.lds_size = kernel->desc.group_segment_size = 4;
    t.options.dynamic_lds = 160 * 1024 - 1023;
    ck_assert_int_eq(adding_run(&t), LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(t.error.text, "163841 bytes of LDS"));
    adding_free(&t);
}
END_TEST

static void count_event(void *context, const lw_event *event)
{
    unsigned *counts = context;
    counts[0]++;
    counts[1] += (unsigned)event->access_count;
}

/*
 * accum_offset does not bound VGPRs, the total does; VGPRs beyond it are the accumulation registers. The
 * kernel's code and descriptor are replaced in the loaded program.
 */
START_TEST(vgprs_beyond_accum_offset)
{
    adding t;
    adding_init(&t, OBJECTS "/vector_add_gfx950.co");
    lw_kernel_desc *desc = &t.program->kernels[0].desc;
    desc->rsrc3 &= ~UINT32_C(63); /* a0 is v4 */
    ck_assert_int_eq(adding_run(&t), LW_OK);
    check_sums(&t, 0, COUNT);
    desc->rsrc1 = (desc->rsrc1 & ~UINT32_C(63)) | 1; /* 16 registers */
    const code_block *block = code_find("beyond_accum");
    memcpy(t.program->image + desc->entry, block->words, 4 * block->count);
    t.options.grid[0] = 1;
    lw_uninit *check = NULL;
    ck_assert_int_eq(lw_uninit_create(&check), LW_OK);
    const lw_observer *observer = lw_uninit_observer(check);
    t.options.observers = &observer;
    t.options.observer_count = 1;
    ck_assert_int_eq(adding_run(&t), LW_OK);
    const uint32_t *c = lw_memory_host(t.memory, t.c, 4 * COUNT);
    for (unsigned i = 0; i < 256; i++)
        ck_assert_uint_eq(c[i], 4 * i + 5);
    ck_assert_uint_eq(lw_uninit_count(check), 0); /* v7 was written as a3 */
    lw_uninit_free(check);
    t.options.observer_count = 0;

    desc->rsrc1 &= ~UINT32_C(63); /* 8 registers */
    block = code_find("beyond_total");
    memcpy(t.program->image + desc->entry, block->words, 4 * block->count);
    ck_assert_int_eq(adding_run(&t), LW_E_FAULT);
    ck_assert_str_eq(t.result->fault.reason, "register v8 is not among the 8 that the wave has allocated");
    adding_free(&t);
}
END_TEST

START_TEST(observed)
{
    adding t;
    adding_init(&t, OBJECT[_i]);
    unsigned before[2] = { 0, 0 }, after[2] = { 0, 0 }, ends[2] = { 0, 0 };
    const lw_observer first = { .struct_size = sizeof(lw_observer),
                                .context = before,
                                .before = count_event };
    const lw_observer second = { .struct_size = sizeof(lw_observer), .context = after, .after = count_event };
    const lw_observer third = { .struct_size = sizeof(lw_observer),
                                .context = ends,
                                .wave_end = count_event };
    const lw_observer *const all[] = { &first, &second, &third };
    t.options.observers = all;
    t.options.observer_count = 3;
    ck_assert_int_eq(adding_run(&t), LW_OK);
    check_sums(&t, 0, COUNT);
    ck_assert_str_eq(t.result->schedule_reason, "observers watch the launch");
    ck_assert_uint_eq(before[0], t.result->instructions);
    ck_assert_uint_eq(after[0], t.result->instructions);
    ck_assert_uint_eq(ends[0], 16);
    ck_assert_uint_ge(after[1], 3 * COUNT); /* vector accesses, besides the scalar ones */
    adding_free(&t);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("launch");
    tcase_add_loop_test(tc, sizes_and_threads, 0, 2);
    tcase_add_loop_test(tc, partial_workgroups, 0, 2);
    tcase_add_loop_test(tc, only_some_workgroups, 0, 2);
    tcase_add_loop_test(tc, raw_arguments, 0, 2);
    tcase_add_loop_test(tc, faults, 0, 2);
    tcase_add_loop_test(tc, budget, 0, 2);
    tcase_add_loop_test(tc, progress, 0, 2);
    tcase_add_loop_test(tc, refusals, 0, 2);
    tcase_add_loop_test(tc, more_workgroups_than_can_be_counted, 0, 2);
    tcase_add_loop_test(tc, aligned_dynamic_lds, 0, 2);
    tcase_add_test(tc, vgprs_beyond_accum_offset);
    tcase_add_loop_test(tc, observed, 0, 2);
    return run_suite("machine_launch", tc);
}
