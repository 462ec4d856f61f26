/* SPDX-License-Identifier: MIT */
/* Each allocation of the loaders fails once: the result is LW_E_NO_MEMORY, nothing leaks, nothing is written.
 * The linker redirects malloc, calloc and realloc (-Wl,--wrap); ASan shows leaks. */
#include <stddef.h>

#include <lanewise/npy.h>

#include "loaders/kernarg.h"
#include "loaders/program.h"
#include "tests/loaders/fixture.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

/* Allocations that still succeed; negative: all of them. */
static long allowed = -1;

static bool refused(void)
{
    if (allowed < 0)
        return false;
    return allowed-- == 0 ? (allowed = 0, true) : false;
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    return refused() ? NULL : __real_realloc(block, size);
}

static const char *const files[] = { "v6.co",
                                     "hand.co",
                                     "stripped.co",
                                     "bundle.hipfb",
                                     "v3_zlib.hipfb",
                                     "v2_zstd.hipfb",
                                     "two.offload",
                                     "host.so",
                                     "host_offloading.obj",
                                     "lines_v5.co",
                                     "lines_zlib.co",
                                     "lines_zstd.co",
                                     "../ptx/vector_add_clang_sm_80.ptx" };

static lw_status load_with(const fixture *f, long successes, lw_program **program, lw_error *error)
{
    lw_load_options options = lw_load_options_default();
    allowed = successes;
    lw_status status = lw_program_load(f->data, f->size, &options, program, error);
    /* Several code objects fit: the kernel decides, so each of them is loaded. */
    static const char *const kernels[] = { "blend", "one" };
    for (int k = 0; k < 2 && (status == LW_E_ARGUMENT || status == LW_E_NOT_FOUND); k++) {
        options.arch = LW_ARCH_GFX950;
        options.kernel = kernels[k];
        allowed = successes;
        status = lw_program_load(f->data, f->size, &options, program, error);
    }
    allowed = -1;
    return status;
}

START_TEST(loading)
{
    const fixture f = read_fixture(files[_i]);
    long n = 0;
    lw_status status = LW_E_NO_MEMORY;
    for (; status == LW_E_NO_MEMORY; n++) {
        lw_program *program = NULL;
        lw_error error = { "" };
        status = load_with(&f, n, &program, &error);
        ck_assert_int_lt(n, 1000);
        ck_assert((status == LW_OK) == (program != NULL));
        if (status == LW_E_NO_MEMORY)
            ck_assert_str_eq(error.text, "the host is out of memory");
        lw_program_free(program);
    }
    /* A build without a compression library stops before it allocates much. */
    ck_assert(status == LW_OK ? n > 5 : status == LW_E_ABSENT);
    free(f.data);
}
END_TEST

START_TEST(members_and_files)
{
    const fixture f = read_fixture("bundle.hipfb");
    char path[512];
    snprintf(path, sizeof(path), "%s/tests/data/loaders/hand.co", LW_SOURCE_DIR);
    lw_members *members = NULL;
    lw_program *program = NULL;
    lw_status status = LW_E_NO_MEMORY;
    for (long n = 0; status == LW_E_NO_MEMORY; n++) {
        ck_assert_ptr_null(members);
        allowed = n;
        status = lw_members_read(f.data, f.size, &members, NULL);
        allowed = -1;
    }
    ck_assert_ptr_nonnull(members);
    lw_members_free(members);
    status = LW_E_NO_MEMORY;
    for (long n = 0; status == LW_E_NO_MEMORY; n++) {
        ck_assert_ptr_null(program);
        allowed = n;
        status = lw_program_load_file(path, NULL, &program, NULL);
        allowed = -1;
    }
    ck_assert_int_eq(status, LW_OK);
    lw_program_free(program);
    free(f.data);
}
END_TEST

START_TEST(kernarg)
{
    lw_program *p = load_fixture("v6.co", LW_ARCH_NONE);
    const lw_kernel_info *info = lw_program_kernel_at(p, kernel_index(p, "hidden"));
    const lw_kernarg_launch launch = { .items = { 1, 1, 1 }, .group = { 1, 1, 1 } };
    const uint64_t pointer = 0;
    const lw_arg arg = { NULL, &pointer, 8, true };
    uint8_t segment[512];
    long n = 0;
    while (allowed = n, lw_kernarg_build(info, &arg, 1, &launch, segment, info->kernarg_size, NULL) != LW_OK)
        n++;
    allowed = -1;
    ck_assert_int_eq(n, 2);
    lw_program_free(p);
}
END_TEST

START_TEST(npy)
{
    uint32_t value = 7;
    const lw_npy a = { .dtype = LW_DTYPE_U4, .dims = 1, .shape = { 1 }, .data = &value };
    lw_npy b = { .dims = 99 };
    void *bytes = NULL;
    size_t size = 0;
    allowed = 0;
    lw_status status = lw_npy_write(&a, &bytes, &size, NULL);
    allowed = -1;
    ck_assert_int_eq(status, LW_E_NO_MEMORY);
    allowed = 0;
    status = lw_npy_save("/tmp/lanewise-not-written.npy", &a, NULL);
    allowed = -1;
    ck_assert_int_eq(status, LW_E_NO_MEMORY);
    ck_assert_int_eq(lw_npy_write(&a, &bytes, &size, NULL), LW_OK);
    allowed = 0;
    status = lw_npy_read(bytes, size, &b, NULL);
    allowed = -1;
    ck_assert_int_eq(status, LW_E_NO_MEMORY);
    ck_assert_uint_eq(b.dims, 99);
    lw_npy_free_bytes(bytes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alloc");
    TCase *tc = tcase_create("alloc");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, loading, 0, sizeof(files) / sizeof(files[0]));
    tcase_add_test(tc, members_and_files);
    tcase_add_test(tc, kernarg);
    tcase_add_test(tc, npy);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
