/* SPDX-License-Identifier: MIT */
/* The history of bytes, as --check races keeps it in lines and cells, against one that keeps every access. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "observers/race_cells.h"

enum { BYTES = 128, WORDS = BYTES / 4, WAVES = 2, STEPS = 400, PAIRS = 4096 };

static uint32_t state;

static uint32_t below(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

/* ---- The history of each word ---- */

typedef struct word {
    uint32_t write, writer;          /* of the last write; 0: none */
    uint32_t lane, read_lane[WAVES]; /* that wrote; that read, the first of several */
    bool several[WAVES];
    uint32_t read[WAVES]; /* the last read of each wave since */
    bool late, quiet;     /* the last write is a copy that has been issued only */
    uint8_t value[4];
    bool known;
} word;

typedef struct pair {
    uint32_t earlier, later;
    uint64_t address;
    int lane;
    bool earlier_stores, later_stores, quiet;
} pair;

typedef struct pairs {
    pair of[PAIRS];
    size_t count;
} pairs;

static uint8_t bytes[BYTES];
static word words[WORDS];
static pairs told, expected;
static bool lanes_matter;

static void add(pairs *list, pair p)
{
    ck_assert_uint_lt(list->count, PAIRS);
    list->of[list->count++] = p;
}

/* Nothing is ordered but what a lane does. */
static lw_race_verdict judge(void *context, const lw_race_record *earlier, const lw_race_record *later,
                             bool earlier_stores, bool later_stores)
{
    (void)context, (void)earlier_stores, (void)later_stores;
    const bool same = earlier->who == later->who && !((earlier->how ^ later->how) & LW_RACE_LANE) &&
                      !(earlier->how & LW_RACE_SEVERAL);
    return lanes_matter && same ? LW_RACE_ORDERED : LW_RACE_UNORDERED;
}

static void tell(void *context, const lw_event *event, const lw_race_pair *p)
{
    (void)context, (void)event;
    const bool quiet = (p->later_stores ? p->later.how : p->earlier.how) & LW_RACE_QUIET;
    add(&told, (pair){ p->earlier.index, p->later.index, p->address, p->lane, p->earlier_stores,
                       p->later_stores, quiet });
}

/* ---- One access to both ---- */

/* Which words, from when on, conflict with the access, and what they hold afterwards. */
static void touch_word(unsigned i, uint32_t wave, uint32_t index, const lw_memory_access *a)
{
    word *w = &words[i];
    const bool known = !a->late && !w->late && w->known;
    const bool quiet = a->store && known && memcmp(w->value, bytes + 4 * i, 4) == 0;
    const pair p = { .later = index,
                     .address = 4 * i,
                     .later_stores = a->store,
                     .quiet = quiet,
                     .lane = a->lane + (int)((4 * i - a->address) / a->size) };
    const uint32_t lane = (uint32_t)p.lane;
    for (unsigned earlier = 0; earlier < 1 + WAVES; earlier++) {
        const bool write = earlier == 0;
        const bool other =
            lanes_matter &&
            (write ? w->lane != lane : w->read_lane[earlier - 1] != lane || w->several[earlier - 1]);
        const uint32_t when = write ? w->write : w->read[earlier - 1];
        const uint32_t who = write ? w->writer : earlier - 1;
        pair found = p;
        found.earlier = when;
        found.earlier_stores = write;
        found.quiet = a->store ? quiet : w->quiet;
        if (when && (who != wave || other) && (write || a->store))
            add(&expected, found);
    }
    if (a->store) {
        *w = (word){ .write = index, .writer = wave, .lane = lane, .late = a->late, .quiet = quiet };
    } else {
        w->several[wave] = w->read[wave] == index && (w->several[wave] || w->read_lane[wave] != lane);
        w->read_lane[wave] = lane;
        w->read[wave] = index;
    }
    w->known = true;
    if (!a->late)
        memcpy(w->value, bytes + 4 * i, 4);
}

static int compare(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    const int64_t d = x->address != y->address   ? (int64_t)x->address - (int64_t)y->address
                      : x->earlier != y->earlier ? (int64_t)x->earlier - (int64_t)y->earlier
                                                 : (int)x->earlier_stores - (int)y->earlier_stores;
    return d < 0 ? -1 : d > 0;
}

/* A line that is not split tells of its first word for all. */
static void check_pairs(void)
{
    qsort(expected.of, expected.count, sizeof(pair), compare);
    qsort(told.of, told.count, sizeof(pair), compare);
    size_t at = 0;
    for (size_t i = 0; i < expected.count; i++) {
        const pair *e = &expected.of[i];
        bool found = false;
        for (at = 0; at < told.count && !found; at++) {
            const pair *t = &told.of[at];
            const bool here =
                t->address == e->address || (t->address % 16 == 0 && t->address == e->address / 16 * 16);
            found = here && (t->address != e->address || t->lane == e->lane) && t->earlier == e->earlier &&
                    t->later == e->later && t->earlier_stores == e->earlier_stores &&
                    t->later_stores == e->later_stores && t->quiet == e->quiet;
        }
        ck_assert_msg(found, "word 0x%x: %u after %u was not told", (unsigned)e->address, e->later,
                      e->earlier);
    }
    for (size_t i = 0; i < told.count; i++) {
        const pair *t = &told.of[i];
        bool found = false;
        for (size_t k = 0; k < expected.count && !found; k++)
            found = expected.of[k].address == t->address && expected.of[k].earlier == t->earlier &&
                    expected.of[k].earlier_stores == t->earlier_stores && expected.of[k].quiet == t->quiet &&
                    expected.of[k].lane == t->lane;
        ck_assert_msg(found, "0x%x: %u after %u is told wrongly", (unsigned)t->address, t->later, t->earlier);
    }
}

static lw_memory_access any_access(void)
{
    static const uint32_t sizes[] = { 4, 4, 8, 16, 16, 16, 12, 32 };
    lw_memory_access a = { .lane = (int)below(8), .space = LW_SPACE_LDS, .size = sizes[below(8)] };
    const unsigned most = BYTES / a.size < 24 ? BYTES / a.size : 24, lanes = 1 + below(2) * below(most);
    a.store = below(3) == 0;
    a.load = !a.store;
    a.late = a.store && below(8) == 0;
    a.more = lanes - 1;
    a.again = lanes_matter && a.load && lanes == 1 && below(2) ? (uint8_t)below(8) : 0;
    a.address = 4 * (uint64_t)below((BYTES - a.size * lanes) / 4 + 1);
    if (below(2))
        a.address &= ~UINT64_C(15);
    return a;
}

/* Some of the words that are stored keep their values. */
static void store(const lw_memory_access *a)
{
    const unsigned to_change = below(3);
    for (unsigned i = (unsigned)a->address; a->store && !a->late && i < a->address + a->size * (1 + a->more);
         i++)
        if (to_change == 0 || (to_change == 1 && below(8) == 0))
            bytes[i] = (uint8_t)below(256);
}

static void run(uint32_t seed, bool threads)
{
    lw_race_lines lines = { 0 };
    lw_race_judge j = { .judge = judge, .tell = tell, .lanes_matter = threads };
    const lw_event event = { .mnemonic = "" };
    const lw_event_region seen = { .name = "", .size = BYTES, .bytes = bytes };
    uint32_t wave = 0, index = 0;
    bool loaded = false;
    state = seed;
    lanes_matter = threads;
    memset(bytes, 0, sizeof(bytes));
    ck_assert(lw_race_lines_begin(&lines, BYTES));
    for (uint32_t step = 0; step < STEPS; step++) {
        if (step == STEPS / 2) { /* another workgroup */
            ck_assert(lw_race_lines_begin(&lines, BYTES));
            memset(words, 0, sizeof(words));
        }
        const lw_memory_access a = any_access();
        if (!loaded || !a.load || below(4)) { /* another instruction */
            wave = below(WAVES);
            index++;
        }
        loaded = a.load;
        told.count = expected.count = 0;
        store(&a);
        lw_memory_access one = a;
        for (; one.lane <= a.lane + a.again; one.lane++)
            for (unsigned i = (unsigned)a.address / 4; 4 * i < a.address + a.size * (1 + a.more); i++)
                touch_word(i, wave, index, &one);
        j.last.index = 0;
        lw_race_touch(&j, &event, &lines, &seen, &a,
                      (lw_race_record){ .index = index, .who = wave, .how = 1u << 18 });
        check_pairs();
    }
    lw_race_lines_free(&lines);
    memset(words, 0, sizeof(words));
}

START_TEST(all_conflicts_are_told)
{
    for (uint32_t seed = 1; seed <= 60; seed++)
        run(seed, seed % 2);
}
END_TEST

/* Four single bytes of a word: the last write is kept; whole lines beside it stay one. */
START_TEST(bytes_that_are_accessed_alone_do_not_conflict)
{
    lw_race_lines lines = { 0 };
    lw_race_judge j = { .judge = judge, .tell = tell };
    const lw_event event = { .mnemonic = "" };
    const lw_event_region seen = { .name = "", .size = 18, .bytes = bytes };
    ck_assert(lw_race_lines_begin(&lines, 18));
    told.count = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const lw_memory_access a = { .space = LW_SPACE_LDS, .store = true, .size = 1, .address = 4 + i };
        lw_race_touch(&j, &event, &lines, &seen, &a, (lw_race_record){ .index = 1, .who = i });
    }
    ck_assert_uint_eq(told.count, 0);
    const lw_memory_access last = { .space = LW_SPACE_LDS, .load = true, .size = 2, .address = 16 },
                           across = { .space = LW_SPACE_LDS, .store = true, .size = 8, .address = 10 };
    lw_race_touch(&j, &event, &lines, &seen, &last, (lw_race_record){ .index = 1, .who = 1 });
    lw_race_touch(&j, &event, &lines, &seen, &across, (lw_race_record){ .index = 1, .who = 2 });
    ck_assert_uint_eq(told.count, 1);
    ck_assert_uint_eq(told.of[0].address, 16);
    lw_race_lines_free(&lines);
}
END_TEST

/* The first of them has changed the bytes; memory holds what the last one left. */
START_TEST(lanes_that_store_the_same_have_changed_the_bytes)
{
    lw_race_lines lines = { 0 };
    lw_race_judge j = { .judge = judge, .tell = tell };
    const lw_event event = { .mnemonic = "" };
    const lw_event_region seen = { .name = "", .size = BYTES, .bytes = bytes };
    memset(bytes, 0, sizeof(bytes));
    ck_assert(lw_race_lines_begin(&lines, BYTES));
    told.count = 0;
    lw_memory_access a = { .space = LW_SPACE_LDS, .load = true, .size = 4, .address = 8 };
    lw_race_touch(&j, &event, &lines, &seen, &a, (lw_race_record){ .index = 1, .who = 0 });
    a.store = !(a.load = false);
    bytes[8] = 7;
    for (a.lane = 0; a.lane < 2; a.lane++)
        lw_race_touch(&j, &event, &lines, &seen, &a,
                      (lw_race_record){ .index = 2, .who = 0, .how = 5u << LW_RACE_PLACE_SHIFT });
    a.store = !(a.load = true);
    lw_race_touch(&j, &event, &lines, &seen, &a, (lw_race_record){ .index = 1, .who = 1 });
    ck_assert_uint_eq(told.count, 1);
    ck_assert(!told.of[0].quiet);
    lw_race_lines_free(&lines);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("race_cells");
    TCase *tc = tcase_create("cells");
    tcase_add_test(tc, all_conflicts_are_told);
    tcase_add_test(tc, bytes_that_are_accessed_alone_do_not_conflict);
    tcase_add_test(tc, lanes_that_store_the_same_have_changed_the_bytes);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
