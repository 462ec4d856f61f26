/* SPDX-License-Identifier: MIT */
/* The stand-in for HIP's runtime, called as programs call it. What each call must answer: AMD's HIP
 * documentation and sources (ROCm/clr hipamd/src), not this library. */
#define _GNU_SOURCE /* dlsym, RTLD_DEFAULT */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "runtime/hip_fixture.h"

START_TEST(kernels)
{
    rt_module *module;
    rt_function *function = vector_add(&module);
    arrays t;
    arrays_init(&t);
    ck_assert_int_eq(launch(function, &t, COUNT, NULL), 0);
    check_sums(&t);
    arrays_free(&t);
    ck_assert_int_eq(hipModuleUnload(module), 0);
    ck_assert_int_eq(hipModuleUnload(module), 400);
    uint32_t n = 1;
    void *params[] = { &t.c, &t.a, &t.b, &n };
    ck_assert_int_eq(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL), 400);
}
END_TEST

/* Arguments as one block: exactly buffer, size, end; not beside kernelParams. */
START_TEST(argument_blocks)
{
    rt_module *module;
    rt_function *function = vector_add(&module);
    arrays t;
    arrays_init(&t);
    struct {
        float *c, *a, *b;
        uint32_t n;
    } block = { t.c, t.a, t.b, COUNT };
    size_t size = sizeof(block);
    void *extra[] = { (void *)1, &block, (void *)2, &size, (void *)3 };
    void *params[] = { &t.c, &t.a, &t.b, &block.n };
    ck_assert_int_eq(hipModuleLaunchKernel(function, 4, 1, 1, BLOCK, 1, 1, 0, NULL, NULL, extra), 0);
    check_sums(&t);
    ck_assert_int_eq(hipModuleLaunchKernel(function, 4, 1, 1, BLOCK, 1, 1, 0, NULL, params, extra), 1);
    ck_assert_int_eq(hipModuleLaunchKernel(function, 4, 1, 1, BLOCK, 1, 1, 0, NULL, NULL, NULL), 1);
    extra[4] = (void *)9;
    ck_assert_int_eq(hipModuleLaunchKernel(function, 4, 1, 1, BLOCK, 1, 1, 0, NULL, NULL, extra), 1);
    arrays_free(&t);
    ck_assert_int_eq(hipModuleUnload(module), 0);
}
END_TEST

START_TEST(launch_limits)
{
    rt_module *module;
    rt_function *function = vector_add(&module);
    arrays t;
    uint32_t n = 0;
    void *params[] = { &t.c, &t.a, &t.b, &n };
    t.a = t.b = t.c = NULL;
    ck_assert_int_eq(hipModuleLaunchKernel(function, 1, 1, 1, 0, 1, 1, 0, NULL, params, NULL), 1);
    ck_assert_int_eq(hipModuleLaunchKernel(function, 0, 1, 1, 64, 1, 1, 0, NULL, params, NULL), 1);
    ck_assert_int_eq(hipModuleLaunchKernel(function, 1, 1, 1, 2048, 1, 1, 0, NULL, params, NULL), 1);
    ck_assert_int_eq(hipModuleLaunchKernel(function, 1, 1, 1, 512, 1, 1, 0, NULL, params, NULL), 719);
    ck_assert_int_eq(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 65537, NULL, params, NULL), 1);
    ck_assert_int_eq(hipModuleLaunchKernel(function, 1, 65537, 1, 64, 1, 1, 0, NULL, params, NULL), 1);
    ck_assert_int_eq(hipModuleLaunchKernel(NULL, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL), 400);
    ck_assert_int_eq(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, (rt_stream *)&t, params, NULL),
                     709);
    ck_assert_int_eq(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL), 0);
    ck_assert_int_eq(hipDeviceSynchronize(), 0);
    ck_assert_int_eq(hipModuleUnload(module), 0);
}
END_TEST

START_TEST(images)
{
    rt_module *module = NULL;
    char zeros[4096] = { 0 }, log[200] = "";
    int options[] = { 5, 6 };
    void *values[] = { log, (void *)(uintptr_t)sizeof(log) };
    char *other = read_object("vector_add_gfx950.co");
    ck_assert_int_eq(hipModuleLoadDataEx(&module, other, 2, options, values), 209);
    ck_assert_ptr_nonnull(strstr(log, "gfx950"));
    ck_assert_int_eq(hipModuleLoadData(&module, zeros), 200);
    ck_assert_int_eq(hipModuleLoadData(&module, NULL), 1);
    ck_assert_int_eq(hipModuleLoad(&module, "/no/such/file"), 301);
    ck_assert_int_eq(hipModuleLoad(&module, LW_SOURCE_DIR "/examples/objects/vector_add_gfx942.co"), 0);
    rt_function *function;
    ck_assert_int_eq(hipModuleGetFunction(&function, module, "nothing"), 500);
    ck_assert_int_eq(hipModuleGetFunction(&function, module, ""), 1);
    ck_assert_int_eq(hipModuleGetFunction(&function, NULL, "vector_add"), 400);
    ck_assert_int_eq(hipModuleUnload(module), 0);
    free(other);
}
END_TEST

/* Places in both structures, as offsetof of AMD's headers has them. */
START_TEST(properties)
{
    unsigned char p[1500];
    int value;
    uint64_t bytes;
    memset(p, 0xee, sizeof(p));
    ck_assert_int_eq(hipGetDeviceProperties(p, 0), 0);
    ck_assert_str_eq((char *)p + 396, "gfx942:sramecc+:xnack-");
    ck_assert_uint_eq(p[791], 0);
    ck_assert_uint_eq(p[792], 0xee);
    memset(p, 0xee, sizeof(p));
    void *function = NULL;
    int status = -1;
    ck_assert_int_eq(hipGetProcAddress("hipGetDeviceProperties", &function, 60300000, 0, &status), 0);
    ck_assert_int_eq(status, 0);
    int (*get)(void *, int);
    memcpy(&get, &function, sizeof(get));
    ck_assert_int_eq(get(p, 0), 0);
    ck_assert_str_eq((char *)p + 1160, "gfx942:sramecc+:xnack-");
    ck_assert_uint_eq(p[1472], 0xee);
    memcpy(&value, p + 308, 4);
    ck_assert_int_eq(value, 64);
    memcpy(&value, p + 388, 4);
    ck_assert_int_eq(value, 304);
    memcpy(&bytes, p + 296, 8);
    ck_assert_uint_eq(bytes, 65536);
    ck_assert_int_eq(hipDeviceGetAttribute(&value, 87, 0), 0);
    ck_assert_int_eq(value, 64);
    ck_assert_int_eq(hipDeviceGetAttribute(&value, 12345, 0), 1);
    ck_assert_int_eq(hipDeviceGetAttribute(&value, 87, 1), 101);
    ck_assert_int_eq(hipGetProcAddress("hipNoSuch", &function, 60300000, 0, &status), 1);
    ck_assert_int_eq(status, 1);
}
END_TEST

static void *other_thread(void *context)
{
    *(int *)context = hipGetLastError();
    return NULL;
}

START_TEST(last_error)
{
    void *p;
    pthread_t thread;
    int error = -1, device;
    ck_assert_int_eq(hipGetLastError(), 0);
    ck_assert_int_eq(hipMalloc(&p, UINT64_C(1) << 50), 2);
    ck_assert_int_eq(hipGetDevice(&device), 0);
    ck_assert_int_eq(hipPeekAtLastError(), 2);
    ck_assert_int_eq(pthread_create(&thread, NULL, other_thread, &error), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(error, 0);
    ck_assert_int_eq(hipGetLastError(), 2);
    ck_assert_int_eq(hipGetLastError(), 0);
    ck_assert_str_eq(hipGetErrorName(2), "hipErrorOutOfMemory");
    ck_assert_str_eq(hipGetErrorString(719), "unspecified launch failure");
    ck_assert_int_eq(hipDeviceEnablePeerAccess(0, 0), 217);
    int (*not_served)(void) = NULL;
    void *found = dlsym(RTLD_DEFAULT, "hipIpcGetMemHandle");
    memcpy(&not_served, &found, sizeof(found));
    ck_assert_ptr_nonnull(found);
    ck_assert_int_eq(not_served(), 801);
}
END_TEST

/* Work of the host that a stream does: in its order, not in the caller's thread, and not before the caller
 * goes on. */
typedef struct gate {
    atomic_int open, order, seen;
    pthread_t thread;
} gate;

static void wait_for_gate(void *context)
{
    gate *g = context;
    while (!atomic_load(&g->open))
        usleep(100);
    g->thread = pthread_self();
    atomic_store(&g->seen, atomic_fetch_add(&g->order, 1) + 1);
}

START_TEST(streams)
{
    rt_module *module;
    rt_function *function = vector_add(&module);
    rt_stream *stream, *other;
    rt_event *from, *to, *untimed;
    gate g = { 0 };
    float ms = -1;
    arrays t;
    arrays_init(&t);
    ck_assert_int_eq(hipStreamCreateWithFlags(&stream, 1), 0);
    ck_assert_int_eq(hipStreamCreateWithFlags(&other, 1), 0);
    ck_assert_int_eq(hipEventCreate(&from), 0);
    ck_assert_int_eq(hipEventCreateWithFlags(&to, 0), 0);
    ck_assert_int_eq(hipEventCreateWithFlags(&untimed, 2), 0);
    ck_assert_int_eq(hipEventQuery(to), 0); /* never recorded */
    ck_assert_int_eq(hipEventElapsedTime(&ms, from, to), 400);
    ck_assert_int_eq(hipEventRecord(from, stream), 0);
    ck_assert_int_eq(hipLaunchHostFunc(stream, wait_for_gate, &g), 0);
    ck_assert_int_eq(hipEventRecord(to, stream), 0);
    ck_assert_int_eq(hipStreamQuery(stream), 600);
    ck_assert_int_eq(hipEventQuery(to), 600);
    ck_assert_int_eq(hipEventElapsedTime(&ms, from, to), 600);
    ck_assert_int_eq(hipStreamWaitEvent(other, to, 0), 0);
    ck_assert_int_eq(launch(function, &t, COUNT, other), 0);
    usleep(50000); /* long enough for what does not wait */
    ck_assert_int_eq(hipStreamQuery(other), 600);
    atomic_store(&g.open, 1);
    ck_assert_int_eq(hipStreamSynchronize(other), 0);
    ck_assert_int_eq(atomic_load(&g.seen), 1);
    ck_assert(!pthread_equal(g.thread, pthread_self()));
    check_sums(&t);
    ck_assert_int_eq(hipEventSynchronize(to), 0);
    ck_assert_int_eq(hipEventElapsedTime(&ms, from, to), 0);
    ck_assert_float_gt(ms, 0);
    ck_assert_int_eq(hipEventElapsedTime(&ms, from, untimed), 400);
    ck_assert_int_eq(hipEventDestroy(from), 0);
    ck_assert_int_eq(hipEventDestroy(from), 400);
    ck_assert_int_eq(hipEventDestroy(to), 0);
    ck_assert_int_eq(hipEventDestroy(untimed), 0);
    ck_assert_int_eq(hipStreamDestroy(stream), 0);
    ck_assert_int_eq(hipStreamDestroy(other), 0);
    ck_assert_int_eq(hipStreamSynchronize(other), 400);
    arrays_free(&t);
    ck_assert_int_eq(hipModuleUnload(module), 0);
}
END_TEST

static void *open_later(void *context)
{
    usleep(50000);
    atomic_store(&((gate *)context)->open, 1);
    return NULL;
}

/* The null stream waits for blocking streams, and not for the others. */
START_TEST(null_stream)
{
    rt_stream *blocking, *apart;
    pthread_t thread;
    gate g = { 0 }, h = { 0 };
    ck_assert_int_eq(hipStreamCreate(&blocking), 0);
    ck_assert_int_eq(hipStreamCreateWithFlags(&apart, 1), 0);
    ck_assert_int_eq(hipLaunchHostFunc(apart, wait_for_gate, &h), 0);
    ck_assert_int_eq(hipStreamSynchronize(NULL), 0);
    ck_assert_int_eq(hipLaunchHostFunc(blocking, wait_for_gate, &g), 0);
    ck_assert_int_eq(hipStreamQuery(NULL), 600);
    ck_assert_int_eq(pthread_create(&thread, NULL, open_later, &g), 0);
    ck_assert_int_eq(hipStreamSynchronize(NULL), 0);
    ck_assert_int_eq(atomic_load(&g.seen), 1);
    ck_assert_int_eq(atomic_load(&h.seen), 0);
    pthread_join(thread, NULL);
    atomic_store(&h.open, 1);
    ck_assert_int_eq(hipDeviceSynchronize(), 0);
    ck_assert_int_eq(atomic_load(&h.seen), 1);
    ck_assert_int_eq(hipStreamDestroy(blocking), 0);
    ck_assert_int_eq(hipStreamDestroy(apart), 0);
}
END_TEST

static void *many_launches(void *context)
{
    arrays *t = context;
    rt_module *module;
    rt_function *function = vector_add(&module);
    rt_stream *stream;
    ck_assert_int_eq(hipStreamCreateWithFlags(&stream, 1), 0);
    for (int i = 0; i < 200; i++)
        ck_assert_int_eq(launch(function, t, COUNT, stream), 0);
    ck_assert_int_eq(hipStreamSynchronize(stream), 0);
    ck_assert_int_eq(hipStreamDestroy(stream), 0);
    ck_assert_int_eq(hipModuleUnload(module), 0);
    return NULL;
}

START_TEST(threads)
{
    pthread_t thread[2];
    arrays t[2];
    for (int i = 0; i < 2; i++) {
        arrays_init(&t[i]);
        ck_assert_int_eq(pthread_create(&thread[i], NULL, many_launches, &t[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(thread[i], NULL);
        check_sums(&t[i]);
        arrays_free(&t[i]);
    }
}
END_TEST

/* A kernel that faults: every later call fails until the device is reset. */
START_TEST(faults)
{
    rt_module *module;
    rt_function *function = vector_add(&module);
    arrays t;
    float got;
    int device;
    arrays_init(&t);
    ck_assert_int_eq(launch(function, &t, 100000, NULL), 0);
    ck_assert_int_eq(hipDeviceSynchronize(), 700);
    ck_assert_int_eq(hipMemcpy(&got, t.c, 4, 2), 700);
    ck_assert_int_eq(hipGetDevice(&device), 700);
    ck_assert_int_eq(hipDeviceReset(), 0);
    ck_assert_int_eq(launch(function, &t, COUNT, NULL), 0);
    check_sums(&t);
    arrays_free(&t);
    ck_assert_int_eq(hipModuleUnload(module), 0);
}
END_TEST

START_TEST(occupancy)
{
    rt_module *module;
    rt_function *function = vector_add(&module);
    int groups = -1, grid, block, value;
    ck_assert_int_eq(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&groups, function, 256, 0), 0);
    ck_assert_int_eq(groups, 8); /* 8 waves of a SIMD, 4 SIMDs, 4 waves of a workgroup */
    ck_assert_int_eq(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&groups, function, 256, 20000), 0);
    ck_assert_int_eq(groups, 3); /* 65536 / 20000 */
    ck_assert_int_eq(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&groups, function, 2000, 0), 0);
    ck_assert_int_eq(groups, 0);
    ck_assert_int_eq(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&groups, function, 0, 0), 1);
    ck_assert_int_eq(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, function, 0, 0), 0);
    ck_assert_int_eq(block, 256);
    ck_assert_int_eq(grid, 8 * 304);
    ck_assert_int_eq(hipFuncGetAttribute(&value, 0, function), 0);
    ck_assert_int_eq(value, 256);
    ck_assert_int_eq(hipModuleUnload(module), 0);
}
END_TEST

/* What IREE's HIP driver looks up; it does not load without any one of them. */
START_TEST(names)
{
    static const char *const tails[] = {
#define NAME(name) #name,
#include "runtime/iree_names.inc"
#undef NAME
    };
    char name[64];
    for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
        snprintf(name, sizeof(name), "hip%s", tails[i]);
        ck_assert_msg(dlsym(RTLD_DEFAULT, name), "%s", name);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("hip");
    tcase_add_test(tc, kernels);
    tcase_add_test(tc, argument_blocks);
    tcase_add_test(tc, launch_limits);
    tcase_add_test(tc, images);
    tcase_add_test(tc, properties);
    tcase_add_test(tc, last_error);
    tcase_add_test(tc, streams);
    tcase_add_test(tc, null_stream);
    tcase_add_test(tc, threads);
    tcase_add_test(tc, faults);
    tcase_add_test(tc, occupancy);
    tcase_add_test(tc, names);
    return run_tests("hip", tc);
}
