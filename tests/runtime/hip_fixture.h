/* SPDX-License-Identifier: MIT */
/* A compiled kernel and its arrays, through the functions of HIP. */
#ifndef TESTS_RUNTIME_HIP_FIXTURE_H
#define TESTS_RUNTIME_HIP_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/hip/hip.h"

enum { COUNT = 1000, BLOCK = 256 };

static inline char *read_object(const char *name)
{
    char path[512];
    snprintf(path, sizeof(path), LW_SOURCE_DIR "/examples/objects/%s", name);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    char *bytes = calloc(1, 1 << 20);
    ck_assert_uint_gt(fread(bytes, 1, 1 << 20, file), 64);
    fclose(file);
    return bytes;
}

/* The kernel c[i] = a[i] + b[i], i < n. */
static inline rt_function *vector_add(rt_module **module)
{
    rt_function *function = NULL;
    char *image = read_object("vector_add_gfx942.co");
    ck_assert_int_eq(hipModuleLoadData(module, image), 0);
    free(image); /* the bytes were copied */
    ck_assert_int_eq(hipModuleGetFunction(&function, *module, "vector_add"), 0);
    return function;
}

typedef struct arrays {
    float *a, *b, *c; /* of the device */
    float host[COUNT];
} arrays;

static inline void arrays_init(arrays *t)
{
    for (int i = 0; i < COUNT; i++)
        t->host[i] = (float)i;
    ck_assert_int_eq(hipMalloc((void **)&t->a, sizeof(t->host)), 0);
    ck_assert_int_eq(hipMalloc((void **)&t->b, sizeof(t->host)), 0);
    ck_assert_int_eq(hipMalloc((void **)&t->c, sizeof(t->host)), 0);
    ck_assert_int_eq(hipMemcpy(t->a, t->host, sizeof(t->host), 1), 0);
    ck_assert_int_eq(hipMemcpy(t->b, t->host, sizeof(t->host), 1), 0);
    ck_assert_int_eq(hipMemset(t->c, 0, sizeof(t->host)), 0);
}

static inline void arrays_free(arrays *t)
{
    ck_assert_int_eq(hipFree(t->a), 0);
    ck_assert_int_eq(hipFree(t->b), 0);
    ck_assert_int_eq(hipFree(t->c), 0);
}

static inline void check_sums(arrays *t)
{
    float got[COUNT];
    ck_assert_int_eq(hipMemcpy(got, t->c, sizeof(got), 2), 0);
    for (int i = 0; i < COUNT; i++)
        ck_assert_float_eq(got[i], 2.0f * (float)i);
}

static inline int launch(rt_function *function, arrays *t, uint32_t n, rt_stream *stream)
{
    void *params[] = { &t->c, &t->a, &t->b, &n };
    return hipModuleLaunchKernel(function, (n + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, stream, params,
                                 NULL);
}

static inline int run_tests(const char *name, TCase *tc)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tc);
    tcase_set_timeout(tc, 120);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
