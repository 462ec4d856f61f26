/* SPDX-License-Identifier: MIT */
/*
 * A PTX program on the CUDA driver, every function through cuGetProcAddress: a table of pointers in memory, a
 * variable of the module, packed arguments. Prints the sum. Also: dlsym with RTLD_NEXT means the caller's
 * next library.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".global .u32 bias = 5;\n"
    /* out[0] = sum of the tables' first words + bias + k; bias += 1 */
    ".visible .entry gather(.param .u64 out, .param .u64 table, .param .u32 n, .param .u32 k) {\n"
    ".reg .b64 %rd<6>; .reg .b32 %r<8>; .reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [table]; ld.param.u32 %r1, [n]; ld.param.u32 %r2, [k];\n"
    "ld.global.u32 %r3, [bias]; add.u32 %r4, %r2, %r3; add.u32 %r3, %r3, 1; st.global.u32 [bias], %r3;\n"
    "mov.u32 %r5, 0;\n"
    "L: ld.global.u64 %rd3, [%rd2]; ld.global.u32 %r6, [%rd3]; add.u32 %r4, %r4, %r6;\n"
    "add.u64 %rd2, %rd2, 8; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, %r1; @%p1 bra L;\n"
    "st.global.u32 [%rd1], %r4; ret; }\n";

typedef int any_fn(void);
static int (*get)(const char *, void **, int, uint64_t, int *);

static any_fn *look(const char *name)
{
    void *found = NULL;
    int status = 0;
    if (get(name, &found, 12000, 0, &status) != 0 || !found)
        printf("no %s\n", name);
    return (any_fn *)(uintptr_t)found;
}

#define CALL(name, ...) ((int (*)())look(name))(__VA_ARGS__)
#define TRY(name, ...)                                                                                       \
    do {                                                                                                     \
        const int error = CALL(name, __VA_ARGS__);                                                           \
        if (error)                                                                                           \
            return printf("%s: %d\n", name, error), 1;                                                       \
    } while (0)

static int launch(void *function, uint64_t out, uint64_t table)
{
    struct {
        uint64_t out, table;
        uint32_t n, k;
    } block = { out, table, 3, 1000 };
    size_t size = sizeof(block);
    void *extra[] = { (void *)1, &block, (void *)2, &size, NULL };
    TRY("cuLaunchKernel", function, 1u, 1u, 1u, 1u, 1u, 1u, 0u, NULL, NULL, extra);
    return 0;
}

int main(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *module = NULL, *function = NULL;
    uint64_t data[3] = { 0 }, table = 0, out = 0;
    uint32_t sum = 0, word;
    int device = 0;
    void *context = NULL;
    if (!driver)
        return puts(dlerror()), 2;
    *(void **)&get = dlsym(driver, "cuGetProcAddress_v2");
    if (dlsym(RTLD_NEXT, "main") != NULL || dlsym(RTLD_NEXT, "dlsym") == NULL ||
        dlsym(driver, "cuNoSuch") != NULL)
        return puts("dlsym finds what it should not"), 1;
    TRY("cuInit", 0u);
    TRY("cuDeviceGet", &device, 0);
    TRY("cuDevicePrimaryCtxRetain", &context, device);
    TRY("cuCtxSetCurrent", context);
    TRY("cuModuleLoadData", &module, ptx);
    TRY("cuModuleGetFunction", &function, module, "gather");
    for (int i = 0; i < 3; i++) {
        TRY("cuMemAlloc", &data[i], (size_t)4096);
        word = (uint32_t)(10 << i);
        TRY("cuMemcpyHtoD", data[i], &word, sizeof(word));
    }
    TRY("cuMemAlloc", &table, (size_t)24);
    TRY("cuMemAlloc", &out, (size_t)4);
    TRY("cuMemcpyHtoD", table, data, sizeof(data));
    if (launch(function, out, table))
        return 1;
    uint32_t n = 3, k = 1000;
    void *params[] = { &out, &table, &n, &k }; /* the stand-in passes this on to cuLaunchKernel */
    TRY("cuLaunchCooperativeKernel", function, 1u, 1u, 1u, 1u, 1u, 1u, 0u, NULL, params);
    TRY("cuCtxSynchronize", 0);
    TRY("cuMemcpyDtoH", &sum, out, sizeof(sum));
    printf("sum %u\n", sum);
    return 0;
}
