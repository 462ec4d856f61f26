/* SPDX-License-Identifier: MIT */
/* The stand-in for the CUDA driver, called as programs call it. What each call must answer: the CUDA Driver
 * API manual and cudaTypedefs.h. */
#define _GNU_SOURCE /* dlsym, RTLD_DEFAULT */
#include <check.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/exports.h"

enum { COUNT = 1000, BLOCK = 256 };

/* c[i] = a[i] + b[i] + one, i < n; through dynamic shared memory. */
static const char add[] =
    "// made by hand\n.version 7.6\n.target sm_80\n.address_size 64\n"
    ".global .align 4 .f32 one = 0f3f800000;\n.extern .shared .align 4 .b8 room[];\n"
    ".visible .entry add(.param .u64 c, .param .u64 a, .param .u64 b, .param .u32 n) .maxntid 512, 1, 1 {\n"
    ".reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<5>; .reg .pred %p;\n"
    "ld.param.u64 %d1, [c]; ld.param.u64 %d2, [a]; ld.param.u64 %d3, [b]; ld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "setp.ge.u32 %p, %r5, %r1; @%p ret;\n"
    "mul.wide.u32 %d4, %r5, 4; add.u64 %d1, %d1, %d4; add.u64 %d2, %d2, %d4; add.u64 %d3, %d3, %d4;\n"
    "ld.global.f32 %f1, [%d2]; ld.global.f32 %f2, [%d3]; ld.global.f32 %f3, [one];\n"
    "add.f32 %f1, %f1, %f2; add.f32 %f1, %f1, %f3; st.global.f32 [%d1], %f1; ret; }\n";

typedef struct arrays {
    cuda_pointer a, b, c;
    float host[COUNT];
    rt_module *module;
    rt_function *function;
    cuda_context *context;
} arrays;

static void start(arrays *t)
{
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuDevicePrimaryCtxRetain(&t->context, 0), 0);
    ck_assert_int_eq(cuCtxSetCurrent(t->context), 0);
    ck_assert_int_eq(cuModuleLoadData(&t->module, add), 0);
    ck_assert_int_eq(cuModuleGetFunction(&t->function, t->module, "add"), 0);
    for (int i = 0; i < COUNT; i++)
        t->host[i] = (float)i;
    ck_assert_int_eq(cuMemAlloc_v2(&t->a, sizeof(t->host)), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&t->b, sizeof(t->host)), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&t->c, sizeof(t->host)), 0);
    ck_assert_int_eq(cuMemcpyHtoD_v2(t->a, t->host, sizeof(t->host)), 0);
    ck_assert_int_eq(cuMemcpyHtoD_v2(t->b, t->host, sizeof(t->host)), 0);
}

static int launch(arrays *t, uint32_t n, rt_stream *stream)
{
    void *params[] = { &t->c, &t->a, &t->b, &n };
    return cuLaunchKernel(t->function, (n + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, stream, params, NULL);
}

static void check_sums(arrays *t, float one)
{
    float got[COUNT];
    ck_assert_int_eq(cuMemcpyDtoH_v2(got, t->c, sizeof(got)), 0);
    for (int i = 0; i < COUNT; i++)
        ck_assert_float_eq(got[i], 2.0f * (float)i + one);
}

/* Nothing before cuInit, and nothing of a context without one. */
START_TEST(beginning)
{
    cuda_pointer p;
    int count, version;
    cuda_context *context;
    ck_assert_int_eq(cuMemAlloc_v2(&p, 4), 3);
    ck_assert_int_eq(cuDeviceGetCount(&count), 3);
    ck_assert_int_eq(cuDriverGetVersion(&version), 0);
    ck_assert_int_ge(version, 12000);
    ck_assert_int_eq(cuInit(1), 1);
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuDeviceGetCount(&count), 0);
    ck_assert_int_eq(count, 1);
    ck_assert_int_eq(cuMemAlloc_v2(&p, 4), 201);
    ck_assert_int_eq(cuCtxGetCurrent(&context), 0);
    ck_assert_ptr_null(context);
    ck_assert_int_eq(cuCtxCreate_v2(&context, 0, 0), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&p, 4), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&p, 0), 1);
    ck_assert_int_eq(cuCtxDestroy_v2(context), 0);
    ck_assert_int_eq(cuMemFree_v2(p), 201);
    ck_assert_int_eq(cuCtxCreate_v2(&context, 0, 1), 101);
}
END_TEST

START_TEST(kernels)
{
    arrays t;
    cuda_pointer one;
    size_t size;
    const float two = 2;
    start(&t);
    ck_assert_int_eq(launch(&t, COUNT, NULL), 0);
    check_sums(&t, 1);
    ck_assert_int_eq(cuModuleGetGlobal_v2(&one, &size, t.module, "one"), 0);
    ck_assert_uint_eq(size, 4);
    ck_assert_int_eq(cuMemcpyHtoD_v2(one, &two, sizeof(two)), 0);
    struct {
        cuda_pointer c, a, b;
        uint32_t n;
    } block = { t.c, t.a, t.b, COUNT };
    size = sizeof(block);
    void *extra[] = { (void *)2, &size, (void *)1, &block, NULL };
    ck_assert_int_eq(cuLaunchKernel(t.function, 4, 1, 1, BLOCK, 1, 1, 0, NULL, NULL, extra), 0);
    check_sums(&t, 2);
    void *params[] = { &t.c, &t.a, &t.b, &block.n };
    ck_assert_int_eq(cuLaunchKernel(t.function, 4, 1, 1, BLOCK, 1, 1, 0, NULL, params, extra), 1);
    cuda_launch_config config = { .grid = { 4, 1, 1 }, .block = { BLOCK, 1, 1 } };
    ck_assert_int_eq(cuLaunchKernelEx(&config, t.function, params, NULL), 0);
    cuda_launch_attribute cluster = { .id = 4, .value.cluster = { 2, 1, 1 } };
    config.attributes = &cluster;
    config.attribute_count = 1;
    ck_assert_int_eq(cuLaunchKernelEx(&config, t.function, params, NULL), 801);
    ck_assert_int_eq(cuModuleUnload(t.module), 0);
    ck_assert_int_eq(launch(&t, COUNT, NULL), 400);
}
END_TEST

START_TEST(launch_limits)
{
    arrays t;
    uint32_t n = 0;
    start(&t);
    void *params[] = { &t.c, &t.a, &t.b, &n };
    rt_function *f = t.function;
    ck_assert_int_eq(cuLaunchKernel(f, 1, 1, 1, 0, 1, 1, 0, NULL, params, NULL), 1);
    ck_assert_int_eq(cuLaunchKernel(f, 1, 65536, 1, 1, 1, 1, 0, NULL, params, NULL), 1);
    ck_assert_int_eq(cuLaunchKernel(f, 1, 1, 1, 1, 1, 65, 0, NULL, params, NULL), 1);
    ck_assert_int_eq(cuLaunchKernel(f, 1, 1, 1, 2048, 1, 1, 0, NULL, params, NULL), 1);
    ck_assert_int_eq(cuLaunchKernel(f, 1, 1, 1, 1024, 1, 1, 0, NULL, params, NULL), 701);
    ck_assert_int_eq(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 65536, NULL, params, NULL), 1);
    ck_assert_int_eq(cuFuncSetAttribute(f, 8, 65536), 0);
    ck_assert_int_eq(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 65536, NULL, params, NULL), 0);
    ck_assert_int_eq(cuFuncSetAttribute(f, 8, 1 << 20), 1);
    int value;
    ck_assert_int_eq(cuFuncGetAttribute(&value, 0, f), 0);
    ck_assert_int_eq(value, 512);
    ck_assert_int_eq(cuFuncGetAttribute(&value, 4, f), 801); /* registers: nobody has assembled it */
    ck_assert_int_eq(cuLaunchKernel(NULL, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL), 400);
    ck_assert_int_eq(cuCtxSynchronize(), 0);
}
END_TEST

START_TEST(images)
{
    arrays t;
    char log[300] = "", elf[512] = "\177ELF\2\1\1";
    int options[] = { 5, 6 };
    void *values[] = { log, (void *)(uintptr_t)sizeof(log) };
    const uint16_t cubin = 190;
    start(&t);
    memcpy(elf + 18, &cubin, sizeof(cubin));
    ck_assert_int_eq(cuModuleLoadDataEx(&t.module, elf, 2, options, values), 209);
    ck_assert_ptr_nonnull(strstr(log, "only PTX"));
    ck_assert_int_eq(
        cuModuleLoadDataEx(&t.module, ".version 7.0\n.target sm_80\nnonsense", 2, options, values), 218);
    ck_assert_ptr_nonnull(strstr(log, "line 3"));
    ck_assert_int_eq(cuModuleLoadData(&t.module, ".version 8.7\n.target sm_120a\n.address_size 64\n"), 209);
    ck_assert_int_eq(cuModuleLoad(&t.module, "/no/such/file"), 301);
    ck_assert_int_eq(cuModuleGetFunction(&t.function, t.module, "nothing"), 500);
}
END_TEST

START_TEST(memory)
{
    arrays t;
    cuda_pointer p, base;
    size_t size;
    int type;
    void *host;
    char bytes[64];
    uint32_t got[4];
    start(&t);
    ck_assert_int_eq(cuMemAlloc_v2(&p, 100), 0);
    ck_assert_int_eq(cuPointerGetAttribute(&size, 12, p + 4), 0);
    ck_assert_uint_eq(size, 100);
    ck_assert_int_eq(cuPointerGetAttribute(&type, 2, p + 4), 0);
    ck_assert_int_eq(type, 2);
    ck_assert_int_eq(cuPointerGetAttribute(&type, 2, (uintptr_t)bytes), 1);
    ck_assert_int_eq(cuMemGetAddressRange_v2(&base, &size, p + 99), 0);
    ck_assert_uint_eq(base, p);
    ck_assert_int_eq(cuMemcpyHtoD_v2(p + 50, bytes, 51), 1);
    ck_assert_int_eq(cuMemsetD32_v2(p, 0x01020304, 4), 0);
    ck_assert_int_eq(cuMemsetD16_v2(p + 4, 0xabcd, 2), 0);
    ck_assert_int_eq(cuMemsetD8_v2(p + 8, 0x7f, 3), 0);
    ck_assert_int_eq(cuMemsetD32_v2(p, 0, 26), 1);
    ck_assert_int_eq(cuMemcpyDtoH_v2(got, p, sizeof(got)), 0);
    const uint32_t want[] = { 0x01020304, 0xabcdabcd, 0x017f7f7f, 0x01020304 };
    ck_assert_mem_eq(got, want, sizeof(want));
    ck_assert_int_eq(cuMemFree_v2(p), 0);
    ck_assert_int_eq(cuMemFree_v2(p), 1);
    ck_assert_int_eq(cuMemHostAlloc(&host, 100, 6), 0);
    ck_assert_int_eq(cuPointerGetAttribute(&type, 2, (uintptr_t)host), 0);
    ck_assert_int_eq(type, 1);
    ck_assert_int_eq(cuMemHostGetDevicePointer_v2(&base, host, 0), 0);
    ck_assert_uint_eq(base, (uintptr_t)host);
    ck_assert_int_eq(cuMemFreeHost(host), 0);
    ck_assert_int_eq(cuMemHostRegister_v2(bytes, sizeof(bytes), 0), 0);
    ck_assert_int_eq(cuMemHostRegister_v2(bytes, 1, 0), 712);
    ck_assert_int_eq(cuMemHostUnregister(bytes), 0);
    ck_assert_int_eq(cuMemHostUnregister(bytes), 713);
}
END_TEST

/* A rectangle out of the middle of another. */
START_TEST(rectangles)
{
    arrays t;
    unsigned char in[24], out[8] = { 0 };
    cuda_pointer p;
    size_t pitch;
    start(&t);
    for (unsigned i = 0; i < sizeof(in); i++)
        in[i] = (unsigned char)i;
    ck_assert_int_eq(cuMemAllocPitch_v2(&p, &pitch, 4, 3, 4), 0);
    cuda_rectangle r = { .from_x = 1,
                         .from_y = 1,
                         .from_type = 1,
                         .from_host = in,
                         .from_pitch = 8,
                         .to_type = 2,
                         .to_device = p,
                         .to_pitch = pitch,
                         .width = 4,
                         .height = 2 };
    ck_assert_int_eq(cuMemcpy2D_v2(&r), 0);
    r = (cuda_rectangle){ .from_type = 2,
                          .from_device = p,
                          .from_pitch = pitch,
                          .to_type = 1,
                          .to_host = out,
                          .to_pitch = 4,
                          .width = 4,
                          .height = 2 };
    ck_assert_int_eq(cuMemcpy2D_v2(&r), 0);
    for (unsigned i = 0; i < 8; i++)
        ck_assert_uint_eq(out[i], 9 + i / 4 * 8 + i % 4);
    r.height = 4;
    ck_assert_int_eq(cuMemcpy2D_v2(&r), 1);
    r.from_type = 3; /* an array */
    ck_assert_int_eq(cuMemcpy2D_v2(&r), 1);
}
END_TEST

static void *lookup(const char *name, int version, int want)
{
    void *function = &function;
    int status = -1;
    ck_assert_int_eq(cuGetProcAddress_v2(name, &function, version, 0, &status), 0);
    ck_assert_int_eq(status, want);
    return function;
}

/* The newest form that is not newer than the version. */
START_TEST(functions_by_version)
{
    void *function;
    ck_assert_ptr_eq(lookup("cuMemAlloc", 11030, 0), dlsym(RTLD_DEFAULT, "cuMemAlloc_v2"));
    ck_assert_ptr_eq(lookup("cuCtxCreate", 11030, 0), dlsym(RTLD_DEFAULT, "cuCtxCreate_v2"));
    ck_assert_ptr_eq(lookup("cuCtxCreate", 12000, 0), dlsym(RTLD_DEFAULT, "cuCtxCreate_v3"));
    ck_assert_ptr_eq(lookup("cuCtxCreate", 13000, 0), dlsym(RTLD_DEFAULT, "cuCtxCreate_v4"));
    ck_assert_ptr_ne(lookup("cuGraphAddKernelNode", 11030, 0), lookup("cuGraphAddKernelNode", 12000, 0));
    ck_assert_ptr_eq(lookup("cuGetProcAddress", 11030, 0), dlsym(RTLD_DEFAULT, "cuGetProcAddress"));
    ck_assert_ptr_eq(lookup("cuGetProcAddress", 12000, 0), dlsym(RTLD_DEFAULT, "cuGetProcAddress_v2"));
    ck_assert_ptr_null(lookup("cuNoSuch", 12000, 1));
    ck_assert_ptr_null(lookup("cuMemAlloc", 3000, 2));
    ck_assert_ptr_null(lookup("malloc", 12000, 1));
    ck_assert_int_eq(cuGetProcAddress("cuNoSuch", &function, 11030, 0), 500);
    static const char *const names[] = {
#define NAME(name) "cu" #name,
#include "runtime/iree_cuda_names.inc"
#undef NAME
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        ck_assert_msg(cuGetProcAddress(names[i], &function, 11030, 0) == 0, "%s", names[i]);
        ck_assert_ptr_nonnull(function);
    }
}
END_TEST

/* Private tables: an error, and no table. */
START_TEST(export_tables)
{
    const void *table = &table;
    const char id[16] = { 0 };
    ck_assert_int_eq(cuGetExportTable(&table, id), 801);
    ck_assert_ptr_null(table);
}
END_TEST

START_TEST(faults)
{
    arrays t;
    cuda_pointer p;
    start(&t);
    ck_assert_int_eq(launch(&t, 100000, NULL), 0);
    ck_assert_int_eq(cuCtxSynchronize(), 700);
    ck_assert_int_eq(cuMemAlloc_v2(&p, 4), 700);
    ck_assert_int_eq(cuDevicePrimaryCtxReset_v2(0), 0); /* frees all that the context has, too */
    ck_assert_int_eq(cuMemcpyDtoH_v2(t.host, t.a, sizeof(t.host)), 1);
    ck_assert_int_eq(launch(&t, COUNT, NULL), 400);
    start(&t);
    ck_assert_int_eq(launch(&t, COUNT, NULL), 0);
    check_sums(&t, 1);
}
END_TEST

/* An error of a kernel stays until the context is reset: the same for every later call. */
START_TEST(errors_of_kernels)
{
    static const char head[] =
        ".version 7.6\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
        ".reg .b32 %r<4>; .reg .b64 %d<4>; .shared .align 16 .b8 room[512];\nld.param.u64 %d1, [p];\n";
    static const struct {
        const char *body;
        int error;
    } rows[] = {
        { "ld.global.u32 %r1, [%d1+2]; ret; }", 716 },
        { "st.global.u32 [%d1+2], %r1; ret; }", 716 },
        { "mov.u32 %r2, room; st.shared.u32 [%r2+1], %r1; ret; }", 716 },
        { "atom.global.add.u32 %r1, [%d1+2], 1; ret; }", 716 },
        { "ld.global.u32 %r1, [%d1+4096]; ret; }", 700 },
        { "red.global.add.u32 [%d1+4096], 1; ret; }", 700 },
        { "mov.u32 %r2, room; cp.async.ca.shared.global [%r2], [%d1+4096], 4; cp.async.wait_all; ret; }",
          700 },
        { "trap; }", 719 }
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[1024];
        arrays t;
        cuda_pointer p;
        void *params[] = { &p };
        start(&t);
        ck_assert_int_eq(cuMemAlloc_v2(&p, 64), 0);
        snprintf(text, sizeof(text), "%s%s", head, rows[i].body);
        ck_assert_int_eq(cuModuleLoadData(&t.module, text), 0);
        ck_assert_int_eq(cuModuleGetFunction(&t.function, t.module, "k"), 0);
        ck_assert_int_eq(cuLaunchKernel(t.function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL), 0);
        const int error = cuCtxSynchronize();
        ck_assert_msg(error == rows[i].error, "%s: %d, not %d", rows[i].body, error, rows[i].error);
        ck_assert_int_eq(cuMemAlloc_v2(&p, 64), rows[i].error);
        ck_assert_int_eq(cuDevicePrimaryCtxReset_v2(0), 0);
    }
}
END_TEST

static void *many_launches(void *context)
{
    arrays *t = context;
    rt_stream *stream;
    rt_event *event;
    ck_assert_int_eq(cuCtxSetCurrent(t->context), 0);
    ck_assert_int_eq(cuStreamCreate(&stream, 1), 0);
    ck_assert_int_eq(cuEventCreate(&event, 2), 0);
    for (int i = 0; i < 200; i++) {
        ck_assert_int_eq(launch(t, COUNT, stream), 0);
        ck_assert_int_eq(cuEventRecord(event, stream), 0);
    }
    ck_assert_int_eq(cuEventSynchronize(event), 0);
    ck_assert_int_eq(cuEventDestroy_v2(event), 0);
    ck_assert_int_eq(cuStreamDestroy_v2(stream), 0);
    return NULL;
}

START_TEST(threads)
{
    pthread_t thread[2];
    arrays t[2];
    for (int i = 0; i < 2; i++) {
        start(&t[i]);
        ck_assert_int_eq(pthread_create(&thread[i], NULL, many_launches, &t[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
        check_sums(&t[i], 1);
    }
}
END_TEST

/* The bytes are those of lw_tensor_map_encode, whose own tests compare them with the published fields. */
START_TEST(tensor_maps)
{
    arrays t;
    lw_error error;
    unsigned char got[LW_TENSOR_MAP_BYTES], want[LW_TENSOR_MAP_BYTES];
    const uint64_t dims[] = { 64, 32 }, strides[] = { 128 };
    const uint32_t box[] = { 64, 8 }, steps[] = { 1, 2 };
    start(&t);
    const lw_tensor_map map = { .type = LW_TENSOR_F16,
                                .rank = 2,
                                .address = t.a,
                                .dims = { 64, 32 },
                                .strides = { 0, 128 },
                                .box = { 64, 8 },
                                .steps = { 1, 2 },
                                .swizzle = 128 };
    ck_assert_int_eq(lw_tensor_map_encode(&map, want, &error), LW_OK);
    ck_assert_int_eq(
        cuTensorMapEncodeTiled(got, 6, 2, (void *)(uintptr_t)t.a, dims, strides, box, steps, 0, 3, 0, 0), 0);
    ck_assert_mem_eq(got, want, sizeof(want));
    ck_assert_int_eq(cuTensorMapEncodeTiled(got, 6, 2, (void *)(uintptr_t)(t.a + 1), dims, strides, box,
                                            steps, 0, 3, 0, 0),
                     1);
    ck_assert_int_eq(
        cuTensorMapEncodeTiled(got, 6, 2, (void *)(uintptr_t)t.a, dims, strides, box, steps, 1, 3, 0, 0),
        801);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("cuda");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, beginning);
    tcase_add_test(tc, kernels);
    tcase_add_test(tc, launch_limits);
    tcase_add_test(tc, images);
    tcase_add_test(tc, memory);
    tcase_add_test(tc, rectangles);
    tcase_add_test(tc, functions_by_version);
    tcase_add_test(tc, export_tables);
    tcase_add_test(tc, faults);
    tcase_add_test(tc, errors_of_kernels);
    tcase_add_test(tc, threads);
    tcase_add_test(tc, tensor_maps);
    Suite *suite = suite_create("cuda");
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
