/* SPDX-License-Identifier: MIT */
/*
 * One limit for all memory that an emulated launch holds: allocations, workgroups, and the pages that
 * snapshots, checkpoints and watched parallel runs save. Exceeding it is refused with a message, and nothing
 * is left half done. The kernel hand_on stores a number derived from its index into each word of "out".
 */
#include <lanewise/module.h>
#include <lanewise/session.h>

#include "emu/device/session.h"
#include "machine/fixture.h"

enum { GROUPS = 3, ITEMS = 256 * GROUPS, PAGE = 4096, PAGES = 8 };

/* ---- Memory alone ---- */

typedef struct pages {
    lw_memory *memory;
    uint64_t at;
    uint8_t bytes[PAGES * PAGE];
    lw_error error;
} pages;

static void fill(pages *p, uint8_t value, unsigned count)
{
    memset(p->bytes, value, (size_t)count * PAGE);
}

static lw_status put(pages *p, unsigned first, unsigned count)
{
    return lw_memory_write(p->memory, p->at + (uint64_t)first * PAGE, p->bytes, (uint64_t)count * PAGE);
}

static uint8_t at(const pages *p, unsigned page)
{
    return *(const uint8_t *)lw_memory_host(p->memory, p->at + (uint64_t)page * PAGE + 5, 1);
}

static void open_pages(pages *p)
{
    ck_assert_int_eq(lw_memory_create(&p->memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(p->memory, "a", sizeof(p->bytes), LW_ACCESS_READ_WRITE, &p->at, NULL),
                     LW_OK);
    fill(p, 1, PAGES);
    ck_assert_int_eq(put(p, 0, PAGES), LW_OK);
}

/* Leaves that many bytes of the limit. */
static void leave(lw_memory *memory, uint64_t bytes)
{
    lw_memory_set_limit(memory, 0);
    const uint64_t taken = lw_memory_limit_default() - lw_memory_room(memory);
    lw_memory_set_limit(memory, taken + bytes);
    ck_assert_uint_eq(lw_memory_room(memory), bytes);
}

/* A page saved for several snapshots counts once, and not any more when the last of them is freed. */
START_TEST(saved_pages_count)
{
    static pages p;
    lw_snapshot *first, *second;
    open_pages(&p);
    ck_assert_int_eq(lw_memory_snapshot(p.memory, &first, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_snapshot(p.memory, &second, NULL), LW_OK);
    const uint64_t before = lw_memory_room(p.memory);
    fill(&p, 2, 3);
    ck_assert_int_eq(put(&p, 1, 3), LW_OK);
    const uint64_t saved = before - lw_memory_room(p.memory);
    ck_assert(saved >= 3 * PAGE && saved < 4 * PAGE);
    ck_assert_int_eq(put(&p, 1, 3), LW_OK); /* already saved */
    ck_assert_uint_eq(before - lw_memory_room(p.memory), saved);
    lw_snapshot_free(first);
    ck_assert_uint_ge(before - lw_memory_room(p.memory), 3 * PAGE);
    lw_snapshot_free(second);
    ck_assert_uint_gt(lw_memory_room(p.memory), before);
    ck_assert(!p.memory->regions[0].noted);     /* stores are fast again */
    ck_assert_int_eq(put(&p, 0, PAGES), LW_OK); /* no snapshot needs pages any more */
    ck_assert_uint_gt(lw_memory_room(p.memory), before);
    ck_assert_int_eq(lw_memory_release(p.memory, p.at, NULL), LW_OK);
    ck_assert_uint_eq(lw_memory_room(p.memory), lw_memory_limit_default());
    lw_memory_free(p.memory);
}
END_TEST

/* A snapshot for which the limit has no room is refused; those saved before stay valid. */
START_TEST(a_snapshot_is_refused)
{
    static pages p;
    lw_snapshot *old, *none = NULL;
    open_pages(&p);
    ck_assert_int_eq(lw_memory_snapshot(p.memory, &old, NULL), LW_OK);
    fill(&p, 2, 2);
    ck_assert_int_eq(put(&p, 0, 2), LW_OK);
    leave(p.memory, 16);
    ck_assert_int_eq(lw_memory_snapshot(p.memory, &none, &p.error), LW_E_NO_MEMORY);
    ck_assert_ptr_nonnull(strstr(p.error.text, "a snapshot begins with "));
    ck_assert_ptr_nonnull(strstr(p.error.text, " bytes leaves 16"));
    ck_assert_ptr_null(none);
    ck_assert_uint_eq(lw_memory_room(p.memory), 16);
    ck_assert_int_eq(lw_memory_restore(p.memory, old, NULL), LW_OK);
    ck_assert_uint_eq(at(&p, 0), 1);
    lw_snapshot_free(old);
    lw_memory_free(p.memory);
}
END_TEST

/* A write whose pages cannot all be saved writes nothing. */
START_TEST(a_write_is_refused)
{
    static pages p;
    lw_snapshot *s;
    open_pages(&p);
    ck_assert_int_eq(lw_memory_snapshot(p.memory, &s, NULL), LW_OK);
    leave(p.memory, 3 * PAGE);
    fill(&p, 9, 4);
    ck_assert_int_eq(put(&p, 2, 4), LW_E_NO_MEMORY);
    for (unsigned i = 0; i < PAGES; i++)
        ck_assert_uint_eq(at(&p, i), 1);
    ck_assert_int_eq(put(&p, 2, 1), LW_OK);
    ck_assert_uint_eq(at(&p, 2), 9);
    ck_assert_int_eq(lw_memory_restore(p.memory, s, NULL), LW_OK);
    ck_assert_uint_eq(at(&p, 2), 1);
    lw_snapshot_free(s);
    lw_memory_free(p.memory);
}
END_TEST

/* ---- Launches ---- */

typedef struct run {
    lw_program *program;
    lw_memory *memory;
    lw_module *module;
    uint64_t out;
    uint32_t rounds;
    lw_arg args[2];
    lw_launch_options options;
    lw_launch_result *result;
    lw_error error;
    uint32_t right[ITEMS];
    uint64_t group; /* bytes of a workgroup, and of what else the launch holds */
} run;

static const uint32_t *out_of(const run *t)
{
    return lw_memory_host(t->memory, t->out, 4 * ITEMS);
}

static lw_status launch(run *t)
{
    lw_launch_result_free(t->result);
    t->result = NULL;
    return lw_launch(&t->options, &t->result, &t->error);
}

static void clear(run *t)
{
    memset(lw_memory_host(t->memory, t->out, 4 * ITEMS), 0, 4 * ITEMS);
}

static void check_clear(const run *t)
{
    for (unsigned i = 0; i < ITEMS; i++)
        ck_assert_uint_eq(out_of(t)[i], 0);
}

static void open_run(run *t)
{
    lw_session *s;
    memset(t, 0, sizeof(*t));
    ck_assert_int_eq(lw_program_load_file(OBJECTS "/module.co", NULL, &t->program, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_create(&t->memory), LW_OK);
    lw_memory_allocate(t->memory, "out", 4 * ITEMS, LW_ACCESS_READ_WRITE, &t->out, NULL);
    ck_assert_int_eq(lw_module_load(t->memory, t->program, &t->module, NULL), LW_OK);
    t->rounds = 5;
    t->args[0] = (lw_arg){ NULL, &t->out, 8, true };
    t->args[1] = (lw_arg){ NULL, &t->rounds, 4, false };
    t->options = lw_launch_options_default();
    ck_assert_int_eq(lw_program_find(t->program, "hand_on", &t->options.kernel, NULL), LW_OK);
    t->options.module = t->module;
    t->options.grid[0] = GROUPS;
    t->options.block[0] = 256;
    t->options.args = t->args;
    t->options.arg_count = 2;
    t->options.threads = 1;
    const uint64_t room = lw_memory_room(t->memory);
    ck_assert_int_eq(lw_session_begin(&t->options, &s, NULL), LW_OK);
    t->group = room - lw_memory_room(t->memory);
    ck_assert_uint_gt(t->group, 0);
    lw_session_drop(s);
    ck_assert_uint_eq(lw_memory_room(t->memory), room);
    ck_assert_int_eq(launch(t), LW_OK);
    memcpy(t->right, out_of(t), sizeof(t->right));
    ck_assert_uint_ne(t->right[ITEMS - 1], 0);
    clear(t);
}

static void close_run(run *t)
{
    lw_launch_result_free(t->result);
    lw_module_unload(t->module);
    lw_program_free(t->program);
    lw_memory_free(t->memory);
}

/* A store whose page cannot be saved does not happen; the whole memory is restored, and the next launch is
 * right. */
START_TEST(a_store_is_refused)
{
    static run t;
    lw_snapshot *s;
    open_run(&t);
    ck_assert_int_eq(lw_memory_snapshot(t.memory, &s, NULL), LW_OK);
    leave(t.memory, t.group + 100);
    ck_assert_int_eq(launch(&t), LW_E_FAULT);
    ck_assert_ptr_nonnull(strstr(t.error.text, "there is no memory, or none within the limit of "));
    check_clear(&t);
    leave(t.memory, t.group + 2 * PAGE);
    ck_assert_msg(launch(&t) == LW_OK, "%s", t.error.text);
    ck_assert_mem_eq(out_of(&t), t.right, sizeof(t.right));
    ck_assert_int_eq(lw_memory_restore(t.memory, s, NULL), LW_OK);
    check_clear(&t);
    lw_snapshot_free(s);
    close_run(&t);
}
END_TEST

/* Without room to watch, or to save the first page that is stored to, a launch runs serially, and
 * correctly. */
START_TEST(parallel_runs_need_room)
{
    static run t;
    open_run(&t);
    t.options.threads = 2;
    ck_assert_int_eq(launch(&t), LW_OK);
    const bool parallel = t.result->threads == 2;
    clear(&t);
    leave(t.memory, 2 * t.group + 8);
    ck_assert_msg(launch(&t) == LW_OK, "%s", t.error.text);
    ck_assert(!parallel || strstr(t.result->schedule_reason, "the memory limit leaves no room to watch"));
    ck_assert_mem_eq(out_of(&t), t.right, sizeof(t.right));
    clear(&t);
    leave(t.memory, 2 * t.group + 2048); /* room for tables, but not for a page */
    ck_assert_msg(launch(&t) == LW_OK, "%s", t.error.text);
    ck_assert(!parallel || t.result->repeated);
    ck_assert_mem_eq(out_of(&t), t.right, sizeof(t.right));
    ck_assert_uint_eq(lw_memory_room(t.memory), 2 * t.group + 2048);
    close_run(&t);
}
END_TEST

/* A checkpoint for which the limit has no room: the session continues as if it had not been requested. */
START_TEST(a_checkpoint_is_refused)
{
    static run t;
    lw_session *s;
    lw_pause pause;
    lw_checkpoint *none = NULL, *c;
    lw_step_options step = lw_step_options_default();
    open_run(&t);
    ck_assert_int_eq(lw_session_begin(&t.options, &s, NULL), LW_OK);
    step.instructions = 500;
    ck_assert_int_eq(lw_session_step(s, &step, &pause, NULL), LW_OK);
    ck_assert_int_eq(lw_session_save(s, &c, NULL), LW_OK);
    leave(t.memory, 1000);
    ck_assert_int_eq(lw_session_save(s, &none, &t.error), LW_E_NO_MEMORY);
    ck_assert_msg(strstr(t.error.text, "a checkpoint begins with ") && strstr(t.error.text, " leaves "), "%s",
                  t.error.text);
    ck_assert_ptr_null(none);
    ck_assert_uint_eq(lw_memory_room(t.memory), 1000);
    lw_memory_set_limit(t.memory, 0);
    const uint64_t room = lw_memory_room(t.memory);
    lw_checkpoint_free(c);
    ck_assert_uint_gt(lw_memory_room(t.memory), room + t.group / 2);
    ck_assert_int_eq(lw_session_finish(s, NULL, NULL), LW_OK);
    ck_assert_mem_eq(out_of(&t), t.right, sizeof(t.right));
    close_run(&t);
}
END_TEST

/* A session that had stored to a page finishes after a snapshot: its later stores must not appear in the
 * snapshot. */
START_TEST(finishing_after_a_snapshot)
{
    static run t;
    lw_session *s;
    lw_snapshot *moment;
    lw_pause pause;
    lw_step_options step = lw_step_options_default();
    open_run(&t);
    ck_assert_int_eq(lw_program_find(t.program, "spin", &t.options.kernel, NULL),
                     LW_OK); /* counts up for ever */
    t.options.arg_count = 1;
    t.options.budget = 2000;
    ck_assert_int_eq(lw_session_begin(&t.options, &s, NULL), LW_OK);
    step.instructions = 300;
    ck_assert_int_eq(lw_session_step(s, &step, &pause, NULL), LW_OK);
    const uint32_t before = out_of(&t)[1];
    ck_assert_uint_gt(before, 0);
    ck_assert_int_eq(lw_memory_snapshot(t.memory, &moment, NULL), LW_OK);
    ck_assert_int_eq(lw_session_finish(s, NULL, NULL), LW_E_BUDGET);
    ck_assert_uint_gt(out_of(&t)[1], before);
    ck_assert_int_eq(lw_memory_restore(t.memory, moment, NULL), LW_OK);
    ck_assert_uint_eq(out_of(&t)[1], before);
    lw_snapshot_free(moment);
    close_run(&t);
}
END_TEST

/* ---- Workgroups that wait for each other ---- */

/* Each thread counts itself and waits until all have: in the serial order all of them are active at the
 * end. */
static const char meeting[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                              ".visible .entry meet(.param .u64 out, .param .u32 all)\n{\n"
                              ".reg .u64 %rd<2>;\n.reg .u32 %r<4>;\n.reg .pred %p;\n"
                              "ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [all];\n"
                              "atom.global.add.u32 %r2, [%rd1], 1;\n"
                              "L: ld.volatile.global.u32 %r3, [%rd1];\n"
                              "setp.lt.u32 %p, %r3, %r1;\n@%p bra L;\nret;\n}\n";

typedef struct meeting_run {
    lw_memory *memory;
    lw_program *program;
    lw_module *module;
    uint64_t out, least, first; /* of the launch with one block */
    uint32_t all;
    lw_arg args[2];
    lw_launch_options options;
    lw_error error;
} meeting_run;

/* The room that is left each time a block has ended. */
static lw_status look(void *context, const lw_progress *progress)
{
    meeting_run *t = context;
    const uint64_t room = lw_memory_room(t->memory);
    (void)progress;
    t->least = room < t->least ? room : t->least;
    return LW_OK;
}

/* The bytes that one block takes. */
static uint64_t open_meeting(meeting_run *t, uint32_t blocks)
{
    lw_session *s;
    memset(t, 0, sizeof(*t));
    ck_assert_int_eq(lw_program_load(meeting, sizeof(meeting) - 1, NULL, &t->program, &t->error), LW_OK);
    ck_assert_int_eq(lw_memory_create(&t->memory), LW_OK);
    lw_memory_allocate(t->memory, "out", 4, LW_ACCESS_READ_WRITE, &t->out, NULL);
    ck_assert_int_eq(lw_module_load(t->memory, t->program, &t->module, NULL), LW_OK);
    t->least = UINT64_MAX;
    t->all = 32 * blocks;
    t->args[0] = (lw_arg){ NULL, &t->out, 8, true };
    t->args[1] = (lw_arg){ NULL, &t->all, 4, false };
    t->options = lw_launch_options_default();
    t->options.module = t->module;
    t->options.grid[0] = blocks;
    t->options.block[0] = 32;
    t->options.args = t->args;
    t->options.arg_count = 2;
    t->options.threads = 1;
    t->options.progress = look;
    t->options.progress_context = t;
    const uint64_t room = lw_memory_room(t->memory);
    ck_assert_msg(lw_session_begin(&t->options, &s, &t->error) == LW_OK, "%s", t->error.text);
    t->first = room - lw_memory_room(t->memory);
    const uint64_t each = lw_group_bytes(s);
    lw_session_drop(s);
    return each;
}

static void close_meeting(meeting_run *t)
{
    lw_module_unload(t->module);
    lw_program_free(t->program);
    lw_memory_free(t->memory);
}

START_TEST(live_workgroups_count)
{
    static meeting_run t;
    const uint64_t each = open_meeting(&t, 4), room = lw_memory_room(t.memory);
    ck_assert_msg(lw_launch(&t.options, NULL, &t.error) == LW_OK, "%s", t.error.text);
    ck_assert_uint_eq(room - t.least, t.first + 3 * each);
    ck_assert_uint_eq(lw_memory_room(t.memory), room);
    close_meeting(&t);
}
END_TEST

/* Room that disappears after the launch has begun counts too; a checkpoint with more workgroups needs room
 * for them. */
START_TEST(no_room_for_a_workgroup)
{
    static meeting_run t;
    lw_session *s;
    lw_checkpoint *before, *late;
    lw_pause pause;
    lw_step_options step = lw_step_options_default();
    const uint64_t each = open_meeting(&t, 4);
    t.all = 1000; /* more than there are, so none finishes */
    ck_assert_int_eq(lw_session_begin(&t.options, &s, NULL), LW_OK);
    step.instructions = 4;
    ck_assert_int_eq(lw_session_step(s, &step, &pause, NULL), LW_OK);
    ck_assert_int_eq(lw_session_save(s, &before, NULL), LW_OK);
    const uint64_t room = lw_memory_room(t.memory);
    step.instructions = 1000;
    for (int i = 0; i < 20000 && lw_session_wave_count(s) < 3; i++)
        ck_assert_int_eq(lw_session_step(s, &step, &pause, NULL), LW_OK);
    ck_assert_uint_eq(lw_session_wave_count(s), 3);
    ck_assert_uint_ge(room - lw_memory_room(t.memory), 2 * each);
    ck_assert_int_eq(lw_session_save(s, &late, NULL), LW_OK);
    ck_assert_int_eq(lw_session_restore(s, before, NULL), LW_OK);
    leave(t.memory, 0);
    ck_assert_int_eq(lw_session_restore(s, late, &t.error), LW_E_NO_MEMORY);
    ck_assert_msg(strstr(t.error.text, "going back takes ") != NULL, "%s", t.error.text);
    lw_checkpoint_free(before);
    lw_checkpoint_free(late);
    leave(t.memory, 0);
    ck_assert_int_eq(lw_session_finish(s, NULL, &t.error), LW_E_NO_MEMORY);
    ck_assert_msg(strstr(t.error.text, " allows 2") != NULL, "%s", t.error.text);
    ck_assert_uint_ge(lw_memory_room(t.memory), 2 * each);
    close_meeting(&t);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("machine_budget");
    TCase *tc = tcase_create("all");
    tcase_add_test(tc, saved_pages_count);
    tcase_add_test(tc, a_snapshot_is_refused);
    tcase_add_test(tc, a_write_is_refused);
    tcase_add_test(tc, a_store_is_refused);
    tcase_add_test(tc, parallel_runs_need_room);
    tcase_add_test(tc, a_checkpoint_is_refused);
    tcase_add_test(tc, finishing_after_a_snapshot);
    tcase_add_test(tc, live_workgroups_count);
    tcase_add_test(tc, no_room_for_a_workgroup);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
