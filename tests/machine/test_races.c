/* SPDX-License-Identifier: MIT */
/*
 * Workgroups that race on memory, on two threads: always the bits of the serial schedule. Also what a plain
 * launch reports about LDS past the allocation, and what --check uninit reports about kept bytes. The code of
 * a compiled kernel is replaced by a block of code.s: s[0:1] are its arguments, s2 its workgroup, v0 its
 * item.
 */
#include "loaders/program.h"
#include "machine/fixture.h"

enum { GROUPS = 1024, WORDS = 64 * GROUPS, RUNS = 20, PATIENCE = 1000 };

typedef struct racing {
    lw_program *program;
    lw_memory *memory;
    uint64_t c;
    uint32_t n;
    lw_arg args[4];
    lw_launch_options options;
    lw_launch_result *result;
    lw_error error;
} racing;

static void racing_init(racing *t, const char *block)
{
    memset(t, 0, sizeof(*t));
    ck_assert_int_eq(lw_program_load_file(OBJECTS "/vector_add_gfx950.co", NULL, &t->program, &t->error),
                     LW_OK);
    const code_block *b = code_find(block);
    memcpy(t->program->image + t->program->kernels[0].desc.entry, b->words, 4 * b->count);
    ck_assert_int_eq(lw_memory_create(&t->memory), LW_OK);
    lw_memory_allocate(t->memory, "c", 4 * WORDS, LW_ACCESS_READ_WRITE, &t->c, NULL);
    for (unsigned i = 0; i < 3; i++)
        t->args[i] = (lw_arg){ NULL, &t->c, 8, true };
    t->args[3] = (lw_arg){ NULL, &t->n, 4, false };
    t->options = lw_launch_options_default();
    t->options.program = t->program;
    t->options.memory = t->memory;
    t->options.grid[0] = GROUPS;
    t->options.block[0] = 64;
    t->options.args = t->args;
    t->options.arg_count = 4;
    t->options.threads = 2;
}

static uint32_t *words_of(racing *t)
{
    return lw_memory_host(t->memory, t->c, 4 * WORDS);
}

static lw_status racing_run(racing *t)
{
    lw_launch_result_free(t->result);
    t->result = NULL;
    for (unsigned i = 0; i < WORDS; i++)
        words_of(t)[i] = 1000 + i % 64;
    return lw_launch(&t->options, &t->result, &t->error);
}

static void racing_free(racing *t)
{
    lw_launch_result_free(t->result);
    lw_program_free(t->program);
    lw_memory_free(t->memory);
}

/* The result of running workgroups in ascending order. */
static uint32_t serial_store(unsigned i)
{
    return i < 64 ? GROUPS - 1 : 1000 + i % 64;
}

static uint32_t serial_add(unsigned i)
{
    return 1000 + i % 64 + (i < 64 ? GROUPS * (GROUPS - 1) / 2 : 0);
}

static uint32_t serial_neighbour(unsigned i)
{
    return 1000 + i % 64 + i / 64 + 1;
}

static uint32_t sevens_before_512(unsigned i)
{
    return i < 64 * 512 ? 7 : 1000 + i % 64;
}

static void check_words(racing *t, uint32_t (*word)(unsigned i), unsigned run)
{
    unsigned i = 0;
    const uint32_t *words = words_of(t);
    while (i < WORDS && words[i] == word(i))
        i++;
    ck_assert_msg(i == WORDS, "run %u: word %u is %u, not %u", run, i, words[i < WORDS ? i : 0], word(i));
}

START_TEST(the_same_bits_as_one_thread)
{
    static const struct {
        const char *block;
        uint32_t (*word)(unsigned i);
    } rows[] = { { "race_store", serial_store },
                 { "race_add", serial_add },
                 { "race_neighbour", serial_neighbour } };
    racing t;
    racing_init(&t, "parallel_plain");
    ck_assert_int_eq(racing_run(&t), LW_OK);
    const bool parallel = t.result->threads == 2;
    ck_assert(!t.result->repeated); /* neighbours in one page, not in one byte */
    racing_free(&t);

    racing_init(&t, rows[_i].block);
    unsigned repeated = 0;
    /* On a busy host one thread may have done everything before the other one begins: then run again. */
    for (unsigned run = 0; run <= RUNS || (parallel && !repeated && run < PATIENCE); run++) {
        t.options.threads = run ? 2 : 1;
        ck_assert_int_eq(racing_run(&t), LW_OK);
        check_words(&t, rows[_i].word, run);
        ck_assert_uint_eq(t.result->groups, GROUPS);
        ck_assert_uint_eq(t.result->waves, GROUPS);
        ck_assert(!t.result->repeated || strcmp(t.result->schedule, "serial") == 0);
        repeated += t.result->repeated;
    }
    ck_assert(!parallel || repeated);
    racing_free(&t);
}
END_TEST

/* A fault leaves the state of the serial schedule: all workgroups before the faulting one, none after it. */
START_TEST(faults_are_those_of_one_thread)
{
    racing t;
    racing_init(&t, "parallel_fault_middle");
    for (unsigned run = 0; run < RUNS; run++) {
        t.options.threads = run ? 2 : 1;
        ck_assert_int_eq(racing_run(&t), LW_E_FAULT);
        ck_assert_uint_eq(t.result->fault.workgroup[0], 512);
        ck_assert_uint_eq(t.result->groups, 512);
        check_words(&t, sevens_before_512, run);
    }
    racing_free(&t);
}
END_TEST

/* LDS beyond the allocation: reported once per launch, the first workgroup's first access. */
START_TEST(lds_past_the_allocation)
{
    racing t;
    racing_init(&t, "lds_beyond");
    t.options.grid[0] = 3;
    ck_assert_int_eq(racing_run(&t), LW_OK);
    const lw_lds_outside *o = &t.result->lds_outside;
    ck_assert_uint_eq(o->times, 3 * 128);
    ck_assert_uint_eq(o->lds_size, 0);
    ck_assert_uint_eq(o->workgroup[0], 0);
    ck_assert_str_eq(o->instruction, "ds_write_b32 v0, v0");
    ck_assert_uint_eq(o->code_offset, 8);
    ck_assert(o->store && o->lane == 0 && o->address == 0 && o->size == 4);

    t.options.dynamic_lds = 1000; /* 1,280 bytes: all that is needed */
    ck_assert_int_eq(racing_run(&t), LW_OK);
    ck_assert_uint_eq(t.result->lds_outside.times, 0);
    racing_free(&t);
}
END_TEST

/* Bytes and lanes of its result that an instruction keeps are reported where they are read; addends are
 * read. */
START_TEST(kept_bytes_stay_what_they_were)
{
    static const struct {
        const char *what, *instruction;
        int lane;
    } rows[] = {
        { "v3", "v_mov_b32_e32 v5", 0 },
        { "v7", "v_fmac_f32_e32 v7", 0 },
    };
    racing t;
    racing_init(&t, "uninit_kept");
    lw_uninit *check = NULL;
    ck_assert_int_eq(lw_uninit_create(&check), LW_OK);
    const lw_observer *observer = lw_uninit_observer(check);
    t.options.observers = &observer;
    t.options.observer_count = 1;
    t.options.grid[0] = 1;
    ck_assert_int_eq(racing_run(&t), LW_OK);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const lw_uninit_report *report = lw_uninit_at(check, i);
        ck_assert_ptr_nonnull(report);
        ck_assert_msg(strcmp(report->what, rows[i].what) == 0 && report->lane == rows[i].lane &&
                          strncmp(report->instruction, rows[i].instruction, strlen(rows[i].instruction)) == 0,
                      "%zu: %s in lane %d of %s", i, report->what, report->lane, report->instruction);
    }
    ck_assert_uint_eq(lw_uninit_count(check), sizeof(rows) / sizeof(rows[0]));
    lw_uninit_free(check);
    racing_free(&t);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("races");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, the_same_bits_as_one_thread, 0, 3);
    tcase_add_test(tc, faults_are_those_of_one_thread);
    tcase_add_test(tc, lds_past_the_allocation);
    tcase_add_test(tc, kept_bytes_stay_what_they_were);
    return run_suite("machine_races", tc);
}
