/* SPDX-License-Identifier: MIT */
/*
 * Instructions in blocks compared with single steps: a launch that goes instruction by instruction, with
 * observers, must give the same result as one without, however and wherever the waves end.
 */
#include "machine/fixture.h"

enum { ROUNDS = 40, LENGTH = 22 /* at most, per round */ };

typedef struct trial {
    uint64_t budget, seed;
    uint32_t stride, lds_stride; /* step of the lanes' stores from round to round */
    lw_schedule schedule;
} trial;

static void look(void *context, const lw_event *event)
{
    ++*(uint64_t *)context;
    (void)event;
}

static lw_status run(fixture *f, const trial *t, bool one_by_one)
{
    uint64_t seen = 0;
    const lw_observer observer = { .struct_size = sizeof(observer), .context = &seen, .before = look };
    const lw_observer *const observers[] = { &observer };
    fixture_init(f, 3);
    for (unsigned w = 0; w < 2; w++) {
        f->wave[w].sgpr[0] = ROUNDS;
        f->wave[w].sgpr[10] = (uint32_t)f->address;
        f->wave[w].sgpr[11] = (uint32_t)(f->address >> 32);
        for (unsigned lane = 0; lane < 64; lane++) {
            f->vgpr[w][2 * 64 + lane] = f->vgpr[w][3 * 64 + lane] = 4 * lane;
            f->vgpr[w][9 * 64 + lane] = t->stride;
            f->vgpr[w][10 * 64 + lane] = t->lds_stride;
        }
    }
    f->options.budget = t->budget;
    f->options.schedule = t->schedule;
    f->options.seed = t->seed;
    f->options.observers = observers;
    f->options.observer_count = one_by_one;
    const lw_status status = fixture_run(f, "through_blocks", 2);
    ck_assert(!one_by_one || seen == f->result->instructions);
    f->options.observer_count = 0;
    return status;
}

static void same_result(const lw_launch_result *a, const lw_launch_result *b)
{
    ck_assert_uint_eq(a->instructions, b->instructions);
    ck_assert_uint_eq(a->count_count, b->count_count);
    for (size_t i = 0; i < a->count_count; i++) {
        ck_assert_str_eq(a->counts[i].name, b->counts[i].name);
        ck_assert_uint_eq(a->counts[i].executed, b->counts[i].executed);
    }
    ck_assert_uint_eq(a->stand_count, b->stand_count);
    for (size_t i = 0; i < a->stand_count; i++) {
        ck_assert_uint_eq(a->stands[i].executed, b->stands[i].executed);
        ck_assert_uint_eq(a->stands[i].pc, b->stands[i].pc);
        ck_assert_str_eq(a->stands[i].text, b->stands[i].text);
    }
    ck_assert_uint_eq(a->lds_outside.times, b->lds_outside.times);
    ck_assert_uint_eq(a->lds_outside.code_offset, b->lds_outside.code_offset);
    ck_assert_str_eq(a->lds_outside.instruction, b->lds_outside.instruction);
}

static void compare(const trial *t, lw_status expected)
{
    static fixture by_one, blocks;
    snapshot s;
    const lw_status status = run(&by_one, t, true);
    ck_assert_int_eq(run(&blocks, t, false), status);
    ck_assert_msg(status == expected, "budget %llu, stride %u: %d, %s", (unsigned long long)t->budget,
                  t->stride, status, by_one.error.text);
    ck_assert_str_eq(by_one.error.text, blocks.error.text);
    same_result(by_one.result, blocks.result);
    take(&by_one, &s);
    same_as(&blocks, &s, "blocks");
    for (unsigned w = 0; w < 2; w++)
        ck_assert_mem_eq(by_one.wave[w].sgpr, blocks.wave[w].sgpr, sizeof(blocks.wave[w].sgpr));
    fixture_free(&by_one);
    fixture_free(&blocks);
}

START_TEST(to_the_end)
{
    const trial t = { .budget = 1000000, .lds_stride = (uint32_t)_i };
    compare(&t, LW_OK);
}
END_TEST

/* Budgets that end after each instruction of several rounds. */
START_TEST(budgets)
{
    for (uint64_t budget = 1; budget < 8 * LENGTH; budget++) {
        const trial t = { .budget = budget };
        compare(&t, LW_E_BUDGET);
    }
}
END_TEST

/* The store leaves the buffer in the middle of a block, in an odd or an even round. */
START_TEST(faults)
{
    for (uint32_t stride = 200; stride < 1000; stride += 4) {
        const trial t = { .budget = 1000000, .stride = stride };
        compare(&t, LW_E_FAULT);
    }
}
END_TEST

/* Accesses leave LDS: those outside are reported with their place. */
START_TEST(outside_lds)
{
    const trial t = { .budget = 1000000, .lds_stride = 60 };
    compare(&t, LW_OK);
}
END_TEST

/* Turns may end at any instruction. */
START_TEST(schedules)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        const trial t = { .budget = 1000000, .seed = seed, .schedule = LW_SCHEDULE_RANDOM };
        compare(&t, LW_OK);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("blocks");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, to_the_end, 0, 3);
    tcase_add_test(tc, budgets);
    tcase_add_test(tc, faults);
    tcase_add_test(tc, outside_lds);
    tcase_add_test(tc, schedules);
    return run_suite("blocks", tc);
}
