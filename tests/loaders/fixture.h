/* SPDX-License-Identifier: MIT */
/* Files of tests/data/loaders in blocks of exact size, so that reading one byte too many is detected. */
#ifndef LW_TESTS_LOADERS_FIXTURE_H
#define LW_TESTS_LOADERS_FIXTURE_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/program.h>

typedef struct fixture {
    uint8_t *data;
    size_t size;
} fixture;

static inline fixture read_fixture(const char *name)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/tests/data/loaders/%s", LW_SOURCE_DIR, name);
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s cannot be opened", path);
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    ck_assert_int_gt(size, 0);
    fixture f = { malloc((size_t)size), (size_t)size };
    ck_assert_ptr_nonnull(f.data);
    ck_assert_uint_eq(fread(f.data, 1, f.size, file), f.size);
    fclose(file);
    return f;
}

/* A program from a fixture that must load. */
static inline lw_program *load_fixture(const char *name, lw_arch arch)
{
    const fixture f = read_fixture(name);
    lw_load_options options = lw_load_options_default();
    options.arch = arch;
    lw_program *program = NULL;
    lw_error error = { "" };
    const lw_status status = lw_program_load(f.data, f.size, &options, &program, &error);
    ck_assert_msg(status == LW_OK, "%s: %s", name, error.text);
    free(f.data);
    return program;
}

static inline size_t kernel_index(const lw_program *program, const char *name)
{
    size_t index = 0;
    lw_error error = { "" };
    const lw_status status = lw_program_find(program, name, &index, &error);
    ck_assert_msg(status == LW_OK, "%s", error.text);
    return index;
}

static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
