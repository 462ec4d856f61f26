/* SPDX-License-Identifier: MIT */
/*
 * Launches in parts. What a footprint says was touched is compared with what an observer sees; parts joined
 * with the whole launch on one thread, or refused where workgroups of two parts touch the same bytes.
 */
#include <lanewise/part.h>
#include <lanewise/session.h>

#include "loaders/program.h"
#include "machine/fixture.h"

enum { GROUPS = 24, WORDS = 64 * GROUPS + 64, BYTES = 4 * WORDS, MOST_PARTS = 30 };

/* The kernel is replaced by a block of code.s: s[0:1] are its arguments, s2 its workgroup, v0 its item. */
typedef struct parted {
    lw_program *program;
    lw_memory *memory;
    lw_footprint *footprint;
    uint64_t c;
    uint32_t n;
    lw_arg args[4];
    lw_launch_options options;
    lw_error error;
    uint8_t seen[2][BYTES]; /* read, written, as an observer sees it */
} parted;

static void parted_init(parted *t, const char *block)
{
    memset(t, 0, sizeof(*t));
    ck_assert_int_eq(lw_program_load_file(OBJECTS "/vector_add_gfx950.co", NULL, &t->program, &t->error),
                     LW_OK);
    const code_block *b = code_find(block);
    memcpy(t->program->image + t->program->kernels[0].desc.entry, b->words, 4 * b->count);
    ck_assert_int_eq(lw_memory_create(&t->memory), LW_OK);
    lw_memory_allocate(t->memory, "c", BYTES, LW_ACCESS_READ_WRITE, &t->c, NULL);
    ck_assert_int_eq(lw_footprint_create(&t->footprint), LW_OK);
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

static void parted_free(parted *t)
{
    lw_footprint_free(t->footprint);
    lw_program_free(t->program);
    lw_memory_free(t->memory);
}

static uint8_t *bytes_of(parted *t)
{
    return lw_memory_host(t->memory, t->c, BYTES);
}

static void fill(uint8_t *bytes)
{
    for (uint32_t i = 0; i < WORDS; i++)
        memcpy(bytes + 4 * i, &(uint32_t){ 1000 + i % 64 }, 4);
}

static lw_status parted_run(parted *t)
{
    fill(bytes_of(t));
    return lw_launch(&t->options, NULL, &t->error);
}

static void note(void *context, const lw_event *event)
{
    parted *t = context;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (a->space != LW_SPACE_GLOBAL || a->dropped || a->address - t->c >= BYTES)
            continue;
        memset(&t->seen[a->store][a->address - t->c], 1, a->size);
    }
}

/* What the footprint says, as a byte map. */
static void check_map(parted *t, bool written)
{
    static lw_byte_run runs[BYTES];
    static uint8_t map[BYTES];
    const size_t count = lw_footprint_runs(t->footprint, t->c, BYTES, written, runs, BYTES);
    memset(map, 0, sizeof(map));
    for (size_t i = 0; i < count; i++) {
        ck_assert(!i || runs[i].start > runs[i - 1].start + runs[i - 1].size);
        memset(map + runs[i].start, 1, runs[i].size);
    }
    for (size_t i = 0; i < BYTES; i++)
        ck_assert_msg(map[i] == t->seen[written][i], "byte %zu: %s %d, seen %d", i,
                      written ? "written" : "read", map[i], t->seen[written][i]);
}

static const struct {
    const char *block;
    bool joins;
} BLOCKS[] = {
    { "parallel_plain", true },  { "race_store", false },   { "race_add", false },
    { "race_neighbour", false }, { "part_atomics", false }, { "part_own_atomics", true },
    { "part_columns", true },
};

START_TEST(what_an_observer_sees)
{
    static parted t;
    const lw_observer watching = { .struct_size = sizeof(watching), .context = &t, .after = note };
    const lw_observer *observer = &watching;
    parted_init(&t, BLOCKS[_i].block);
    t.options.footprint = t.footprint;
    t.options.observers = &observer;
    t.options.observer_count = 1;
    ck_assert_msg(parted_run(&t) == LW_OK, "%s", t.error.text);
    check_map(&t, false);
    check_map(&t, true);
    t.options.observer_count = 0;
    for (unsigned threads = 1; threads < 4; threads++) {
        t.options.threads = threads;
        ck_assert_int_eq(parted_run(&t), LW_OK);
        check_map(&t, false);
        check_map(&t, true);
    }
    parted_free(&t);
}
END_TEST

/* ---- Parts ---- */

typedef struct made {
    lw_launch_part part;
    lw_launch_piece piece;
    lw_byte_run reads[BYTES], writes[BYTES];
    uint8_t bytes[BYTES];
} made;

static void take_part(parted *t, uint32_t number, uint32_t count, made *m)
{
    t->options.part = number;
    t->options.parts = count;
    ck_assert_msg(parted_run(t) == LW_OK, "%s", t->error.text);
    memset(m, 0, sizeof(*m));
    m->part = lw_launch_part_default();
    m->part.number = number;
    m->part.count = count;
    m->part.pieces = &m->piece;
    m->part.piece_count = 1;
    m->piece = (lw_launch_piece){ .name = "c", .file = "", .size = BYTES, .fill = LW_FILL_UNKNOWN };
    m->piece.reads = m->reads;
    m->piece.writes = m->writes;
    m->piece.bytes = m->bytes;
    m->piece.read_count = lw_footprint_runs(t->footprint, t->c, BYTES, false, m->reads, BYTES);
    m->piece.write_count = lw_footprint_runs(t->footprint, t->c, BYTES, true, m->writes, BYTES);
    for (size_t i = 0, at = 0; i < m->piece.write_count; at += m->writes[i++].size)
        memcpy(m->bytes + at, bytes_of(t) + m->writes[i].start, m->writes[i].size);
}

START_TEST(joined_or_refused)
{
    static const uint32_t counts[] = { 1, 2, 3, 7, MOST_PARTS };
    static uint8_t whole[BYTES], got[BYTES];
    static parted t;
    parted_init(&t, BLOCKS[_i].block);
    t.options.threads = 1;
    ck_assert_int_eq(parted_run(&t), LW_OK);
    memcpy(whole, bytes_of(&t), BYTES);
    t.options.threads = 2;
    t.options.footprint = t.footprint;
    for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
        made *parts = malloc(counts[c] * sizeof(*parts));
        const lw_launch_part *all[MOST_PARTS];
        void *target = got;
        for (uint32_t i = 0; i < counts[c]; i++) {
            take_part(&t, i, counts[c], &parts[i]);
            all[counts[c] - 1 - i] = &parts[i].part;
        }
        fill(got);
        const lw_status status = lw_launch_parts_join(all, counts[c], &target, &t.error);
        const bool joins = BLOCKS[_i].joins || counts[c] == 1;
        ck_assert_msg(status == (joins ? LW_OK : LW_E_UNSUPPORTED), "%s in %u: %s", BLOCKS[_i].block,
                      counts[c], t.error.text);
        if (!joins) {
            ck_assert(strstr(t.error.text, "run the launch whole") != NULL);
            fill(whole); /* nothing has been written */
        }
        ck_assert_mem_eq(got, whole, BYTES);
        free(parts);
    }
    parted_free(&t);
}
END_TEST

/* The workgroups of all parts are those of the launch, each once; parts differ by one at most. */
START_TEST(parts_are_even)
{
    static parted t;
    parted_init(&t, "parallel_plain");
    for (uint32_t parts = 1; parts <= MOST_PARTS; parts++) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < parts; i++) {
            lw_launch_result *result = NULL;
            t.options.part = i;
            t.options.parts = parts;
            ck_assert_int_eq(lw_launch(&t.options, &result, NULL), LW_OK);
            ck_assert_uint_ge(result->groups, GROUPS / parts);
            ck_assert_uint_le(result->groups, (GROUPS + parts - 1) / parts);
            sum += result->groups;
            lw_launch_result_free(result);
        }
        ck_assert_uint_eq(sum, GROUPS);
    }
    parted_free(&t);
}
END_TEST

START_TEST(what_makes_no_sense)
{
    static const uint32_t only[1][3] = { { 0, 0, 0 } };
    static parted t;
    lw_session *session;
    lw_pause pause;
    lw_step_options step = lw_step_options_default();
    lw_checkpoint *checkpoint;
    parted_init(&t, "parallel_plain");
    t.options.part = 2;
    t.options.parts = 2;
    ck_assert_int_eq(parted_run(&t), LW_E_ARGUMENT);
    ck_assert_str_eq(t.error.text, "there is no part 2 of 2");
    t.options.part = 1;
    t.options.parts = 0;
    ck_assert_int_eq(parted_run(&t), LW_E_ARGUMENT);
    t.options.parts = 2;
    t.options.schedule = LW_SCHEDULE_RANDOM;
    ck_assert_int_eq(parted_run(&t), LW_E_ARGUMENT);
    t.options.schedule = LW_SCHEDULE_SERIAL;
    t.options.only = only;
    t.options.only_count = 1;
    ck_assert_int_eq(parted_run(&t), LW_E_ARGUMENT);
    t.options.only = NULL;
    t.options.only_count = 0;
    t.options.footprint = t.footprint;
    ck_assert_int_eq(lw_session_begin(&t.options, &session, &t.error), LW_OK);
    ck_assert_int_eq(lw_session_step(session, &step, &pause, &t.error), LW_E_UNSUPPORTED);
    ck_assert_int_eq(lw_session_save(session, &checkpoint, &t.error), LW_E_UNSUPPORTED);
    lw_session_drop(session);

    /* No room for a copy of the array. */
    lw_memory_set_limit(t.memory, 1 << 20);
    ck_assert_int_eq(parted_run(&t), LW_OK);
    lw_memory_set_limit(t.memory, 2 * BYTES);
    ck_assert_int_eq(parted_run(&t), LW_E_NO_MEMORY);
    ck_assert_msg(strstr(t.error.text, "memory limit") != NULL, "%s", t.error.text);
    parted_free(&t);
}
END_TEST

/* What is written beside the arrays that the caller names, and what adjoins. */
START_TEST(areas)
{
    static parted t;
    parted_init(&t, "parallel_plain");
    t.options.footprint = t.footprint;
    ck_assert_int_eq(parted_run(&t), LW_OK);
    const lw_byte_run halves[] = { { t.c + 100, BYTES - 100 }, { t.c, 100 } };
    ck_assert_int_eq(lw_footprint_within(t.footprint, halves, 2, &t.error), LW_OK);
    ck_assert_int_eq(lw_footprint_within(t.footprint, halves, 1, &t.error), LW_E_UNSUPPORTED);
    ck_assert_str_eq(t.error.text,
                     "the kernel writes byte 0 of \"c\", which is none of the arrays that parts keep; run "
                     "the launch whole");
    ck_assert_int_eq(lw_footprint_within(NULL, halves, 1, NULL), LW_E_ARGUMENT);
    lw_byte_run runs[2];
    ck_assert_uint_eq(lw_footprint_runs(t.footprint, t.c + 10, 20, true, runs, 2), 1);
    ck_assert_uint_eq(runs[0].start, 0);
    ck_assert_uint_eq(runs[0].size, 20);
    ck_assert_uint_eq(lw_footprint_runs(NULL, t.c, 20, true, runs, 2), 0);
    parted_free(&t);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("parts");
    const int blocks = sizeof(BLOCKS) / sizeof(BLOCKS[0]);
    tcase_add_loop_test(tc, what_an_observer_sees, 0, blocks);
    tcase_add_loop_test(tc, joined_or_refused, 0, blocks);
    tcase_add_test(tc, parts_are_even);
    tcase_add_test(tc, what_makes_no_sense);
    tcase_add_test(tc, areas);
    return run_suite("machine_parts", tc);
}
