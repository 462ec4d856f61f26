/* SPDX-License-Identifier: MIT */
/* Watching parallel runs: accesses to common and to separate bytes, compared with a byte map; restored
 * pages. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/device/watch.h"

enum { SIZE = 3 * LW_WATCH_PAGE + 100 };

typedef struct watched {
    lw_memory *memory;
    uint64_t a, b;
    lw_watch *watch;
    lw_watch_view *view[2];
} watched;

static void begin(watched *w)
{
    ck_assert_int_eq(lw_memory_create(&w->memory), LW_OK);
    lw_memory_allocate(w->memory, "a", SIZE, LW_ACCESS_READ_WRITE, &w->a, NULL);
    lw_memory_allocate(w->memory, "b", SIZE, LW_ACCESS_READ_WRITE, &w->b, NULL);
    ck_assert_ptr_nonnull(w->watch = lw_watch_new(w->memory));
    for (int i = 0; i < 2; i++)
        ck_assert_ptr_nonnull(w->view[i] = lw_watch_view_new(w->watch));
}

static bool end(watched *w)
{
    lw_watch_view_end(w->view[0]);
    lw_watch_view_end(w->view[1]);
    const bool met = lw_watch_met(w->watch);
    lw_watch_free(w->watch);
    lw_memory_free(w->memory);
    return met;
}

static void touch(watched *w, int view, uint64_t address, uint64_t size, bool store)
{
    ck_assert(lw_watch_note(w->view[view], address, size, store));
    if (store)
        memset(lw_memory_host(w->memory, address, size), 0x5a, size);
}

START_TEST(one_byte_decides)
{
    static const struct {
        unsigned first, size, second;
        bool store[2], met;
    } rows[] = {
        { 100, 4, 104, { true, true }, false }, /* neighbours */
        { 100, 4, 103, { true, true }, true },
        { 100, 4, 103, { true, false }, true },
        { 100, 4, 103, { false, true }, true },
        { 100, 4, 103, { false, false }, false },
        { LW_WATCH_PAGE - 2, 4, LW_WATCH_PAGE + 1, { true, false }, true }, /* across a page's end */
        { LW_WATCH_PAGE - 2, 4, LW_WATCH_PAGE + 2, { true, false }, false },
        { 63, 16, 78, { true, true }, true }, /* across words of the bitmaps */
        { 63, 16, 79, { true, true }, false },
        { SIZE - 16, 16, SIZE - 1, { false, true }, true },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        watched w;
        begin(&w);
        touch(&w, 0, w.b + rows[i].first, rows[i].size, rows[i].store[0]);
        touch(&w, 1, w.a + rows[i].second, 1, true); /* another allocation */
        touch(&w, 1, w.b + rows[i].second, 1, rows[i].store[1]);
        ck_assert_msg(end(&w) == rows[i].met, "row %zu", i);
    }
}
END_TEST

/* Runs of accesses, forward, backward and repeated, compared with a byte map. */
START_TEST(random_accesses)
{
    uint32_t x = (uint32_t)_i + 1;
    watched w;
    begin(&w);
    static uint8_t map[2][2][SIZE];
    memset(map, 0, sizeof(map));
    for (unsigned n = 0; n < 60; n++) {
        x = x * 1664525u + 1013904223u;
        const unsigned view = x >> 31, store = (x >> 28 & 7) == 0, size = 1u << (x >> 25 & 3);
        unsigned at = (x >> 8) % SIZE / 8 * 8;
        for (unsigned i = 0; i < (x >> 4 & 15) && at + size <= SIZE; i++) {
            touch(&w, (int)view, w.a + at, size, store);
            memset(&map[view][store][at], 1, size);
            at += (x & 3) == 3 ? 0 : (x & 3) == 2 ? 64 : size;
        }
    }
    bool met = false;
    for (unsigned i = 0; i < SIZE; i++)
        met |= (map[0][1][i] && (map[1][0][i] || map[1][1][i])) || (map[0][0][i] && map[1][1][i]);
    ck_assert(end(&w) == met);
}
END_TEST

/* What fast loads do: an access that is known is not marked again. */
static void touch_wave(watched *w, const lw_watch_wave *wave, bool store, uintptr_t instruction)
{
    lw_watch_view *view = w->view[0];
    lw_watch_shape *shape = lw_watch_shape_of(view, instruction << 6);
    const uint32_t first = wave->at[__builtin_ctzll(wave->active)];
    bool same = shape->active == wave->active && shape->bytes == wave->bytes && shape->store == store;
    for (unsigned lane = 0; lane < LW_WATCH_LANES; lane++)
        same &= !(wave->active >> lane & 1) || shape->from_first[lane] == wave->at[lane] - first;
    if (!same || !lw_watch_knows(view, shape, wave->start + first))
        ck_assert(lw_watch_learn(view, wave, store, shape, same));
}

static bool bit_of(const lw_watch *watch, const lw_memory *m, uint64_t address, bool store)
{
    const size_t region = address < m->regions[1].base ? 0 : 1;
    const uint64_t at = address - m->regions[region].base;
    const lw_watch_page *page = lw_watch_page_at(watch, region, at / LW_WATCH_PAGE);
    return page && page->bits[store][at % LW_WATCH_PAGE / 64] >> at % 64 & 1;
}

/* Loops of a few instructions over rows of a matrix, which come back to what is known and to what is not,
 * byte by byte as a map has it. */
START_TEST(waves_that_repeat)
{
    enum { LOOPS = 200 };
    static uint8_t map[2][SIZE];
    uint32_t x = (uint32_t)_i + 1, at[LW_WATCH_LANES];
    watched w;
    begin(&w);
    memset(map, 0, sizeof(map));
    for (unsigned n = 0; n < LOOPS; n++) {
        x = x * 1664525u + 1013904223u;
        const unsigned bytes = (x >> 30) * 4 + 4, store = x >> 29 & 1, stride = 32u << (x >> 27 & 2),
                       step = bytes << (x >> 25 & 3), start = (x >> 12) % 256 * 4;
        const uint64_t active = x & 1 ? UINT64_C(0xf0ff00ffffffff) : UINT64_MAX;
        for (unsigned lane = 0; lane < LW_WATCH_LANES; lane++)
            at[lane] = lane % 16 * stride + lane / 16 * bytes;
        for (unsigned i = 0; i < (x >> 8 & 15); i++) {
            const lw_watch_wave wave = { w.a + start + i * step, at, active, bytes, false };
            touch_wave(&w, &wave, store, x & 6 ? bytes / 4 : n);
            for (unsigned lane = 0; lane < LW_WATCH_LANES; lane++)
                if (active >> lane & 1)
                    memset(&map[store][start + i * step + at[lane]], 1, bytes);
        }
    }
    lw_watch_view_end(w.view[0]);
    lw_watch_view_end(w.view[1]);
    for (unsigned i = 0; i < 2 * SIZE; i++)
        ck_assert_msg(bit_of(w.watch, w.memory, w.a + i / 2, i % 2) == map[i % 2][i / 2], "byte %u", i / 2);
    lw_watch_free(w.watch);
    lw_memory_free(w.memory);
}
END_TEST

START_TEST(pages_are_put_back)
{
    watched w;
    begin(&w);
    uint8_t *host = lw_memory_host(w.memory, w.a, SIZE), *before = malloc(SIZE);
    ck_assert_ptr_nonnull(before);
    for (unsigned i = 0; i < SIZE; i++)
        host[i] = (uint8_t)(i * 7 >> 3);
    memcpy(before, host, SIZE);
    touch(&w, 0, w.a + 10, 4, true);
    touch(&w, 1, w.a + 12, 4, true); /* the same page: saved once, before both */
    touch(&w, 1, w.a + LW_WATCH_PAGE - 1, 8, true);
    touch(&w, 0, w.a + SIZE - 4, 4, true);
    ck_assert_int_ne(memcmp(before, host, SIZE), 0);
    ck_assert_int_eq(lw_watch_restore(w.watch), LW_OK);
    ck_assert_int_eq(memcmp(before, host, SIZE), 0);
    ck_assert(end(&w));
    free(before);
}
END_TEST

/* Stores of a launch that is then repeated do not count as stored; those of earlier launches do. */
START_TEST(marks_of_stores_are_put_back)
{
    lw_memory *m;
    uint64_t a, b, missing, first;
    lw_memory_create(&m);
    lw_memory_allocate(m, "a", SIZE, LW_ACCESS_READ_WRITE, &a, NULL);
    lw_memory_allocate(m, "b", SIZE, LW_ACCESS_READ_WRITE, &b, NULL);
    lw_memory_watch_stores(m, b, NULL);
    lw_mem_view view = { .memory = m };
    ck_assert_ptr_nonnull(lw_mem_at(&view, b, 8, true));
    lw_watch *watch = lw_watch_new(m);
    ck_assert_ptr_nonnull(watch);
    view = (lw_mem_view){ .memory = m }; /* a launch is watched before it first accesses memory */
    ck_assert_ptr_nonnull(lw_mem_at(&view, b + 4, 16, true));
    ck_assert_ptr_nonnull(lw_mem_at(&view, a, 16, true));
    lw_memory_unstored(m, b, 4, 10, &missing, &first);
    ck_assert_uint_eq(missing, 5);
    ck_assert_int_eq(lw_watch_restore(watch), LW_OK);
    lw_watch_free(watch);
    lw_memory_unstored(m, b, 4, 10, &missing, &first);
    ck_assert_uint_eq(missing, 8);
    ck_assert_uint_eq(first, 2);
    lw_memory_free(m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device_watch");
    TCase *tc = tcase_create("watch");
    tcase_add_test(tc, one_byte_decides);
    tcase_add_loop_test(tc, random_accesses, 0, 200);
    tcase_add_loop_test(tc, waves_that_repeat, 0, 100);
    tcase_add_test(tc, pages_are_put_back);
    tcase_add_test(tc, marks_of_stores_are_put_back);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
