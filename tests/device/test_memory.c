/* SPDX-License-Identifier: MIT */
/* Device memory: addresses, bounds to the byte, access, registered host memory. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "emu/device/memory.h"

START_TEST(addresses_are_fixed)
{
    lw_memory *m;
    uint64_t a, b, c;
    ck_assert_int_eq(lw_memory_create(&m), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(m, "a", 1, LW_ACCESS_READ, &a, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(m, NULL, 65536, LW_ACCESS_READ_WRITE, &b, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(m, "none", 0, LW_ACCESS_READ, &c, NULL), LW_OK);
    ck_assert_uint_eq(a, 0x1000000000);
    ck_assert_uint_eq(b, 0x1000020000);
    ck_assert_uint_eq(c, 0x1000040000);
    lw_allocation info;
    ck_assert_uint_eq(lw_memory_count(m), 3);
    ck_assert(lw_memory_at(m, 1, &info));
    ck_assert_str_eq(info.name, "");
    ck_assert_uint_eq(info.size, 65536);
    ck_assert(!lw_memory_at(m, 3, &info));
    lw_memory_free(m);
}
END_TEST

START_TEST(addresses_that_the_caller_chooses)
{
    lw_memory *m;
    uint64_t a, b;
    lw_error error = { "" };
    const uint64_t far = UINT64_C(0x7f0000000000), end = UINT64_C(1) << 47;
    lw_memory_create(&m);
    ck_assert_int_eq(lw_memory_allocate_at(m, "far", far, 4096, LW_ACCESS_READ_WRITE, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_write(m, far + 4095, "x", 1), LW_OK);
    ck_assert_int_eq(lw_memory_write(m, far + 4096, "x", 1), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_allocate_at(m, "on it", far + 4095, 2, LW_ACCESS_READ, &error), LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "\"on it\" cannot be placed at 0x7f0000000fff"));
    ck_assert_int_eq(lw_memory_allocate_at(m, "after", far + 4096, 1, LW_ACCESS_READ, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_allocate_at(m, "last", end - 16, 16, LW_ACCESS_READ, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_allocate_at(m, "past", end - 15, 16, LW_ACCESS_READ, &error), LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "not between 0x1000000000 and 0x800000000000"));
    ck_assert_int_eq(lw_memory_allocate_at(m, "low", 0xfffffffff, 16, LW_ACCESS_READ, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_allocate_at(NULL, "", far, 1, LW_ACCESS_READ, NULL), LW_E_ARGUMENT);
    /* the library's own choice keeps 64 KiB away on both sides */
    ck_assert_int_eq(lw_memory_allocate_at(m, "near", 0x1000000010, 16, LW_ACCESS_READ, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_allocate_at(m, "next", 0x1000048000, 16, LW_ACCESS_READ, NULL), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(m, "a", 16, LW_ACCESS_READ, &a, NULL), LW_OK);
    ck_assert_uint_eq(a, 0x1000020000);
    ck_assert_int_eq(lw_memory_allocate(m, "b", 16, LW_ACCESS_READ, &b, NULL), LW_OK);
    ck_assert_uint_eq(b, 0x1000060000);
    ck_assert_int_eq(lw_memory_release(m, far, NULL), LW_OK);
    lw_memory_set_limit(m, 4096);
    ck_assert_int_eq(lw_memory_allocate_at(m, "much", far, 4096, LW_ACCESS_READ, NULL), LW_E_NO_MEMORY);
    lw_memory_free(m);
}
END_TEST

START_TEST(bounds)
{
    lw_memory *m;
    uint64_t a;
    uint8_t bytes[64] = { 0 };
    lw_memory_create(&m);
    lw_memory_allocate(m, "a", 50, LW_ACCESS_READ, &a, NULL);
    ck_assert_int_eq(lw_memory_write(m, a, "hello", 5), LW_OK);
    ck_assert_int_eq(lw_memory_read(m, a, bytes, 50), LW_OK);
    ck_assert_int_eq(bytes[4], 'o');
    ck_assert_int_eq(lw_memory_read(m, a, bytes, 51), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_read(m, a + 49, bytes, 1), LW_OK);
    ck_assert_int_eq(lw_memory_read(m, a + 50, bytes, 1), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_read(m, a - 1, bytes, 1), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_read(m, a + 1, bytes, UINT64_MAX), LW_E_ARGUMENT);
    ck_assert_ptr_null(lw_memory_host(m, 0, 1));

    lw_mem_view view = { .memory = m };
    ck_assert_ptr_nonnull(lw_mem_at(&view, a + 46, 4, false));
    ck_assert_ptr_null(lw_mem_at(&view, a + 47, 4, false));
    ck_assert_ptr_null(lw_mem_at(&view, a, 4, true)); /* read-only */
    ck_assert_ptr_null(lw_mem_at(&view, UINT64_MAX, 4, false));
    lw_memory_free(m);
}
END_TEST

START_TEST(registered_host_memory)
{
    lw_memory *m;
    uint8_t bytes[256];
    lw_error error;
    lw_memory_create(&m);
    ck_assert_int_eq(lw_memory_register(m, "host", bytes, sizeof(bytes), LW_ACCESS_READ_WRITE, &error),
                     LW_OK);
    ck_assert_ptr_eq(lw_memory_host(m, (uint64_t)(uintptr_t)bytes + 9, 3), bytes + 9);
    ck_assert_int_eq(lw_memory_register(m, "again", bytes + 255, 1, LW_ACCESS_READ, &error), LW_E_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(error.text, "overlaps"));
    ck_assert_int_eq(lw_memory_register(m, "empty", bytes, 0, LW_ACCESS_READ, &error), LW_E_ARGUMENT);
    lw_memory_free(m);
}
END_TEST

START_TEST(too_much)
{
    lw_memory *m;
    uint64_t a;
    lw_error error;
    lw_memory_create(&m);
    ck_assert_int_eq(lw_memory_allocate(m, "huge", (UINT64_C(1) << 40) + 1, LW_ACCESS_READ, &a, &error),
                     LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_allocate(m, "max", UINT64_MAX, LW_ACCESS_READ, &a, &error), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_create(NULL), LW_E_ARGUMENT);
    lw_memory_free(m);
    lw_memory_free(NULL);
}
END_TEST

/* Many regions: every one is found, every gap is not. */
START_TEST(many_regions)
{
    enum { N = 300 };
    lw_memory *m;
    uint64_t at[N];
    lw_memory_create(&m);
    for (unsigned i = 0; i < N; i++)
        lw_memory_allocate(m, "r", 100 + i, LW_ACCESS_READ_WRITE, &at[i], NULL);
    lw_memory_unmap(m, at[7]);
    lw_mem_view view = { .memory = m };
    for (unsigned i = 0; i < N; i++) {
        ck_assert((lw_mem_at(&view, at[i] + 99 + i, 1, true) != NULL) == (i != 7));
        ck_assert_ptr_null(lw_mem_at(&view, at[i] + 100 + i, 1, false));
    }
    lw_memory_free(m);
}
END_TEST

/* How many units have an unset byte in `model`, and the first such unit. */
static uint64_t count_unset(const bool *model, uint64_t unit, uint64_t count, uint64_t *first)
{
    uint64_t missing = 0;
    for (uint64_t i = 0; i < count; i++) {
        const bool *u = model + i * unit;
        bool whole = true;
        for (uint64_t b = 0; b < unit; b++)
            whole = whole && u[b];
        if (!whole && missing++ == 0)
            *first = i;
    }
    return missing;
}

/* Random stores of all widths, anywhere, interleaved with loads: the recorded bytes are those of a byte
 * map. */
START_TEST(stores_are_remembered)
{
    enum { SIZE = 1021 };
    lw_memory *m;
    uint64_t a, other, missing, first = 99;
    bool model[SIZE] = { false };
    uint32_t random = 1;
    lw_memory_create(&m);
    lw_memory_allocate(m, "out", SIZE, LW_ACCESS_READ_WRITE, &a, NULL);
    lw_memory_allocate(m, "other", SIZE, LW_ACCESS_READ_WRITE, &other, NULL);
    ck_assert_int_eq(lw_memory_unstored(m, a, 1, SIZE, &missing, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_watch_stores(m, a, NULL), LW_OK);
    lw_memory_write(m, a, &random, sizeof(random));
    lw_mem_view view = { .memory = m };
    for (int round = 0; round < 400; round++) {
        random = random * 1664525 + 1013904223;
        const uint64_t size = 1 + (random >> 28), at = (random >> 8) % (SIZE - size + 1);
        const bool store = random >> 20 & 1;
        ck_assert_ptr_nonnull(lw_mem_at(&view, (round & 7 ? a : other) + at, size, store));
        for (uint64_t b = 0; b < size && store && round & 7; b++)
            model[at + b] = true;
        for (uint64_t unit = 1; unit <= 8; unit++) {
            uint64_t model_first = 99;
            const uint64_t want = count_unset(model, unit, SIZE / unit, &model_first);
            ck_assert_int_eq(lw_memory_unstored(m, a, unit, SIZE / unit, &missing, &first), LW_OK);
            ck_assert_uint_eq(missing, want);
            ck_assert(!missing || first == model_first);
        }
    }
    ck_assert_int_eq(lw_memory_watch_stores(m, a, NULL), LW_OK);
    lw_memory_unstored(m, a, 1, SIZE, &missing, NULL);
    ck_assert_uint_eq(missing, SIZE);
    ck_assert_int_eq(lw_memory_watch_stores(m, a + 1, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_watch_stores(NULL, a, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_unstored(m, a, 0, 1, &missing, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_unstored(m, a, 1, SIZE + 1, &missing, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_unstored(m, a, UINT64_MAX, 3, &missing, NULL), LW_E_ARGUMENT);
    ck_assert_int_eq(lw_memory_unstored(m, other, 1, 1, &missing, NULL), LW_E_ARGUMENT);
    lw_memory_free(m);
}
END_TEST

/* One limit for everything that is allocated; the needs of a launch count against the same limit. */
START_TEST(limits)
{
    lw_memory *memory;
    uint64_t address;
    lw_error error = { "" };
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_uint_eq(lw_memory_room(memory), lw_memory_limit_default());
    ck_assert_uint_ge(lw_memory_limit_default(), 1 << 20);
    ck_assert_int_eq(lw_memory_set_limit(memory, 1000), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "a", 600, LW_ACCESS_READ, &address, &error), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "b", 401, LW_ACCESS_READ, &address, &error), LW_E_NO_MEMORY);
    ck_assert_str_eq(error.text, "allocation \"b\" of 401 bytes: the memory limit of 1000 bytes leaves 400");
    ck_assert_int_eq(lw_memory_allocate(memory, "b", 400, LW_ACCESS_READ, &address, &error), LW_OK);
    ck_assert_uint_eq(lw_memory_room(memory), 0);
    ck_assert_int_eq(lw_memory_set_limit(memory, 0), LW_OK);
    ck_assert_uint_eq(lw_memory_room(memory), lw_memory_limit_default() - 1000);
    ck_assert_int_eq(lw_memory_set_limit(NULL, 1), LW_E_ARGUMENT);
    lw_memory_free(memory);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device_memory");
    TCase *tc = tcase_create("memory");
    tcase_add_test(tc, addresses_are_fixed);
    tcase_add_test(tc, addresses_that_the_caller_chooses);
    tcase_add_test(tc, bounds);
    tcase_add_test(tc, registered_host_memory);
    tcase_add_test(tc, too_much);
    tcase_add_test(tc, many_regions);
    tcase_add_test(tc, stores_are_remembered);
    tcase_add_test(tc, limits);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
