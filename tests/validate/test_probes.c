/* SPDX-License-Identifier: MIT */
/* The probes: each opens on every target that it is for, and together they distinguish the readings. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cli/probe.h"

void *cli_alloc(size_t size)
{
    void *memory = calloc(1, size ? size : 1);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

static size_t readings_of(const probe *p, lw_arch arch, cli_wave *wave, probe_reading *readings)
{
    lw_error error = { "" };
    memset(readings, 0, PROBE_MAX_READINGS * sizeof(*readings));
    const lw_status st = probe_open(p, arch, wave, &error);
    ck_assert_msg(st == LW_OK, "%s on %s: %s", p->name, lw_arch_get(arch)->name, error.text);
    return probe_readings(p, wave, readings);
}

static void drop(cli_wave *wave, probe_reading *readings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(readings[i].d);
    wave_close(wave);
}

START_TEST(every_probe_is_for_some_target)
{
    const probe *p = probe_at((size_t)_i);
    unsigned archs = 0;
    for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT; a++) {
        cli_wave wave;
        probe_reading readings[PROBE_MAX_READINGS];
        if (!probe_concerns(p, (lw_arch)a))
            continue;
        const size_t count = readings_of(p, (lw_arch)a, &wave, readings);
        size_t known = 0;
        for (size_t i = 0; i < count; i++)
            known += readings[i].d != NULL;
        ck_assert_msg(known > 0, "%s on %s: nothing is predicted", p->name, lw_arch_get((lw_arch)a)->name);
        drop(&wave, readings, count);
        archs++;
    }
    ck_assert_msg(archs > 0, "%s is for no target", p->name);
}
END_TEST

START_TEST(names_are_unique_and_short)
{
    for (size_t i = 0; i < probe_count(); i++) {
        ck_assert_uint_lt(strlen(probe_at(i)->name), PROBE_NAME_SIZE - 12);
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(probe_at(i)->name, probe_at(j)->name);
    }
}
END_TEST

static bool differs(const probe *p, lw_arch arch, const char *reading)
{
    cli_wave wave;
    probe_reading readings[PROBE_MAX_READINGS];
    const size_t count = readings_of(p, arch, &wave, readings);
    const size_t bytes = wave_words(&wave, LW_OPERAND_D) * sizeof(uint32_t);
    bool apart = false;
    for (size_t i = 1; i < count; i++)
        if (!strcmp(readings[i].name, reading) && readings[i].d && readings[0].d)
            apart = memcmp(readings[i].d, readings[0].d, bytes) != 0;
    drop(&wave, readings, count);
    return apart;
}

/* Topics about bits of MODE, which the kernels do not set. */
static bool is_of_mode(const char *topic)
{
    return !strcmp(topic, "fp16-ovfl") || !strcmp(topic, "f32-denorm") || !strcmp(topic, "gfx1250-ovfl");
}

/* Every reading of arithmetic is distinguished from the default by a probe of its topic. */
START_TEST(readings_are_told_apart)
{
    const lw_reading *reading;
    unsigned told = 0;
    for (size_t i = 0; (reading = lw_reading_at(i)) != NULL; i++) {
        char name[96];
        bool apart = false;
        snprintf(name, sizeof(name), "%s:%s", reading->topic, reading->name);
        if (reading->about != LW_READING_OF_ARITHMETIC)
            continue;
        for (size_t n = 0; n < probe_count() && !reading->is_default; n++) {
            const probe *p = probe_at(n);
            if (!p->topic || strcmp(p->topic, reading->topic) != 0)
                continue;
            for (int a = LW_ARCH_NONE + 1; a < LW_ARCH_COUNT && !apart; a++)
                apart = probe_concerns(p, (lw_arch)a) && differs(p, (lw_arch)a, name);
        }
        ck_assert_msg(apart || reading->is_default || is_of_mode(reading->topic),
                      "no probe tells %s from the default", name);
        told += apart;
    }
    ck_assert_uint_ge(told, 20);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("probes");
    TCase *tc = tcase_create("probes");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, every_probe_is_for_some_target, 0, (int)probe_count());
    tcase_add_test(tc, names_are_unique_and_short);
    tcase_add_test(tc, readings_are_told_apart);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
