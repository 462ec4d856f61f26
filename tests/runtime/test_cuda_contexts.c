/* SPDX-License-Identifier: MIT */
/* Contexts, streams and host functions of the stand-in for the CUDA driver on a machine of three devices.
 * What each call must answer: the CUDA Driver API manual. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/cuda/exports.h"

static void pause_ms(long ms)
{
    nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

START_TEST(primary_contexts)
{
    cuda_context *context = NULL, *again = NULL, *current;
    unsigned flags = 9;
    int active = 9, device;
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuDevicePrimaryCtxGetState(1, &flags, &active), 0);
    ck_assert_int_eq(active, 0);
    ck_assert_int_eq(cuDevicePrimaryCtxRelease_v2(1), 201);
    ck_assert_int_eq(cuDevicePrimaryCtxSetFlags_v2(1, 4), 0);
    ck_assert_int_eq(cuDevicePrimaryCtxRetain(&context, 1), 0);
    ck_assert_int_eq(cuDevicePrimaryCtxRetain(&again, 1), 0);
    ck_assert_ptr_eq(context, again);
    ck_assert_int_eq(cuCtxGetCurrent(&current), 0);
    ck_assert_ptr_null(current); /* retaining does not make it current */
    ck_assert_int_eq(cuCtxSetCurrent(context), 0);
    ck_assert_int_eq(cuCtxGetDevice(&device), 0);
    ck_assert_int_eq(device, 1);
    ck_assert_int_eq(cuCtxGetFlags(&flags), 0);
    ck_assert_uint_eq(flags, 4);
    ck_assert_int_eq(cuDevicePrimaryCtxRelease_v2(1), 0);
    ck_assert_int_eq(cuDevicePrimaryCtxGetState(1, &flags, &active), 0);
    ck_assert_int_eq(active, 1); /* retained twice */
    ck_assert_int_eq(cuCtxSynchronize(), 0);
    ck_assert_int_eq(cuDevicePrimaryCtxRelease_v2(1), 0);
    ck_assert_int_eq(cuDevicePrimaryCtxGetState(1, &flags, &active), 0);
    ck_assert_int_eq(active, 0);
    ck_assert_int_eq(cuCtxSynchronize(), 709); /* what is current was destroyed */
    ck_assert_int_eq(cuDevicePrimaryCtxRetain(&context, 3), 101);
}
END_TEST

/* Handles that are none, or no longer, are refused and not followed. */
START_TEST(handles_of_contexts)
{
    cuda_context *first, *second, *current;
    unsigned flags;
    int device;
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&first, 2, 0), 0);
    ck_assert_int_eq(cuCtxSetCurrent((cuda_context *)(uintptr_t)0x1234), 201);
    ck_assert_int_eq(cuCtxPushCurrent_v2((cuda_context *)(uintptr_t)0x1234), 201);
    ck_assert_int_eq(cuCtxGetCurrent(&current), 0);
    ck_assert_ptr_eq(current, first);
    ck_assert_int_eq(cuCtxCreate_v2(&second, 4, 2), 0);
    ck_assert_int_eq(cuCtxGetDevice(&device), 0);
    ck_assert_int_eq(device, 2);
    ck_assert_int_eq(cuCtxGetFlags(&flags), 0);
    ck_assert_uint_eq(flags, 4);
    ck_assert_int_eq(cuCtxDestroy_v2(first), 0); /* not the current one: it stays in the stack */
    ck_assert_int_eq(cuCtxDestroy_v2(first), 201);
    ck_assert_int_eq(cuCtxGetDevice(&device), 0);
    ck_assert_int_eq(cuCtxDestroy_v2(second), 0);
    ck_assert_int_eq(cuCtxGetDevice(&device), 709);
    ck_assert_int_eq(cuCtxSetCurrent(second), 201);
    ck_assert_int_eq(cuCtxPopCurrent_v2(&current), 0);
    ck_assert_int_eq(cuCtxPopCurrent_v2(&current), 201);
}
END_TEST

static void *destroy(void *context)
{
    ck_assert_int_eq(cuCtxDestroy_v2(context), 0);
    return NULL;
}

START_TEST(contexts_of_other_threads)
{
    pthread_t thread;
    cuda_context *context, *another;
    cuda_pointer p;
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&context, 0, 0), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, destroy, context), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(cuMemAlloc_v2(&p, 4), 709);
    ck_assert_int_eq(cuCtxCreate_v2(&another, 0, 0), 0); /* perhaps at the same address */
    ck_assert_int_eq(cuMemAlloc_v2(&p, 4), 0);
    ck_assert_int_eq(cuCtxPopCurrent_v2(NULL), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&p, 4), 709);
}
END_TEST

START_TEST(context_of_a_stream)
{
    cuda_context *first, *second, *of;
    rt_stream *stream;
    cuda_pointer p;
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&first, 0, 0), 0);
    ck_assert_int_eq(cuStreamCreate(&stream, 0), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&p, 4), 0);
    ck_assert_int_eq(cuPointerGetAttribute(&of, 1, p), 0);
    ck_assert_ptr_eq(of, first);
    ck_assert_int_eq(cuCtxCreate_v2(&second, 0, 1), 0);
    ck_assert_int_eq(cuStreamGetCtx(stream, &of), 0);
    ck_assert_ptr_eq(of, first);
    ck_assert_int_eq(cuStreamGetCtx(NULL, &of), 0);
    ck_assert_ptr_eq(of, second);
    ck_assert_int_eq(cuStreamGetCtx(stream, NULL), 1);
}
END_TEST

static atomic_int finished;

static void slow(void *data)
{
    (void)data;
    pause_ms(100);
    atomic_fetch_add(&finished, 1);
}

/* A stream may be destroyed while it has work: the context still waits for that. */
START_TEST(work_of_destroyed_streams)
{
    cuda_context *context;
    rt_stream *stream, *blocking;
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&context, 0, 0), 0);
    ck_assert_int_eq(cuStreamCreate(&stream, 1), 0);
    ck_assert_int_eq(cuLaunchHostFunc(stream, slow, NULL), 0);
    ck_assert_int_eq(cuStreamDestroy_v2(stream), 0);
    ck_assert_int_eq(cuStreamQuery(stream), 400);
    ck_assert_int_eq(cuStreamDestroy_v2(stream), 400);
    ck_assert_int_eq(cuCtxSynchronize(), 0);
    ck_assert_int_eq(atomic_load(&finished), 1);
    ck_assert_int_eq(cuStreamCreate(&blocking, 0), 0);
    ck_assert_int_eq(cuLaunchHostFunc(blocking, slow, NULL), 0);
    ck_assert_int_eq(cuStreamDestroy_v2(blocking), 0);
    ck_assert_int_eq(cuStreamSynchronize(NULL), 0);
    ck_assert_int_eq(atomic_load(&finished), 2);
}
END_TEST

typedef struct calls {
    rt_stream *stream;
    rt_event *event;
    cuda_context *context;
    cuda_pointer memory;
    int error[6];
} calls;

static void wait_inside(void *data)
{
    calls *c = data;
    char byte = 0;
    c->error[0] = cuCtxSetCurrent(c->context);
    c->error[1] = cuStreamSynchronize(c->stream);
    c->error[2] = cuCtxSynchronize();
    c->error[3] = cuMemFree_v2(c->memory);
    c->error[4] = cuMemcpyDtoH_v2(&byte, c->memory, 1);
    c->error[5] = cuEventSynchronize(c->event);
}

/* A host function that waits would wait for itself: the manual allows CUDA_ERROR_NOT_PERMITTED. */
START_TEST(waiting_in_a_host_function)
{
    calls c = { .error = { 0 } };
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&c.context, 0, 0), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&c.memory, 4), 0);
    ck_assert_int_eq(cuStreamCreate(&c.stream, 0), 0);
    ck_assert_int_eq(cuEventCreate(&c.event, 0), 0);
    ck_assert_int_eq(cuLaunchHostFunc(c.stream, wait_inside, &c), 0);
    ck_assert_int_eq(cuEventRecord(c.event, c.stream), 0);
    ck_assert_int_eq(cuStreamSynchronize(c.stream), 0);
    ck_assert_int_eq(c.error[0], 0);
    for (int i = 1; i < 6; i++)
        ck_assert_msg(c.error[i] == 800, "call %d: %d", i, c.error[i]);
    ck_assert_int_eq(cuMemFree_v2(c.memory), 0);
}
END_TEST

/* a: 8 bytes, b: 4, at 8 */
static const char kernel[] = ".version 7.6\n.target sm_80\n.address_size 64\n"
                             ".visible .entry one(.param .u64 a, .param .u32 b) .maxntid 512, 1, 1 { ret; }\n"
                             ".visible .entry two() { .shared .align 4 .b8 room[40000]; ret; }\n";

static size_t much(int block)
{
    return (size_t)block * 512; /* bytes of each thread */
}

/* Multiprocessors of compute capability 9.0 hold 2048 threads, 32 blocks and 228 KiB: CUDA's programming
 * guide. */
START_TEST(questions_about_kernels)
{
    cuda_context *context;
    rt_module *module, *of = NULL;
    rt_function *one, *two;
    const char *name = NULL;
    size_t offset, size;
    int grid, block, groups;
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&context, 0, 0), 0);
    ck_assert_int_eq(cuModuleLoadData(&module, kernel), 0);
    ck_assert_int_eq(cuModuleGetFunction(&one, module, "one"), 0);
    ck_assert_int_eq(cuModuleGetFunction(&two, module, "two"), 0);
    ck_assert_int_eq(cuOccupancyMaxPotentialBlockSize(&grid, &block, one, NULL, 0, 0), 0);
    ck_assert_int_eq(block, 512);
    ck_assert_int_eq(grid, 4 * 132);
    ck_assert_int_eq(cuOccupancyMaxPotentialBlockSize(&grid, &block, one, NULL, 0, 96), 0);
    ck_assert_int_eq(block, 64); /* 21 blocks of 96 are 2016 threads; 32 of 64 are 2048 */
    ck_assert_int_eq(grid, 32 * 132);
    ck_assert_int_eq(cuOccupancyMaxPotentialBlockSize(&grid, &block, two, NULL, 0, 0), 0);
    ck_assert_int_eq(block, 1024); /* 5 blocks by shared memory, 2 by threads */
    ck_assert_int_eq(grid, 2 * 132);
    ck_assert_int_eq(cuOccupancyMaxPotentialBlockSize(&grid, &block, one, much, 0, 0), 0);
    ck_assert_int_eq(grid % 132, 0);
    ck_assert_int_eq(cuOccupancyMaxActiveBlocksPerMultiprocessor(&groups, one, block, much(block)), 0);
    ck_assert_int_eq(grid, groups * 132);
    ck_assert_int_eq(cuOccupancyMaxPotentialBlockSize(&grid, NULL, one, NULL, 0, 0), 1);
    ck_assert_int_eq(cuFuncGetModule(&of, two), 0);
    ck_assert_ptr_eq(of, module);
    ck_assert_int_eq(cuFuncGetName(&name, two), 0);
    ck_assert_str_eq(name, "two");
    ck_assert_int_eq(cuFuncGetParamInfo(one, 1, &offset, &size), 0);
    ck_assert_uint_eq(offset, 8);
    ck_assert_uint_eq(size, 4);
    ck_assert_int_eq(cuFuncGetParamInfo(one, 2, &offset, &size), 1);
}
END_TEST

START_TEST(questions_about_addresses)
{
    cuda_context *context, *of = NULL;
    cuda_pointer p, rows;
    unsigned type = 9, ordinal = 9;
    unsigned char got[64];
    const int attributes[] = { 1, 2, 9 };
    void *data[] = { &of, &type, &ordinal };
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&context, 0, 2), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&p, 64), 0);
    ck_assert_int_eq(cuPointerGetAttributes(3, attributes, data, p), 0);
    ck_assert_ptr_eq(of, context);
    ck_assert_uint_eq(type, 2);
    ck_assert_uint_eq(ordinal, 2);
    ck_assert_int_eq(cuPointerGetAttributes(3, attributes, data, (uintptr_t)got), 0);
    ck_assert_uint_eq(type, 0); /* memory that the driver does not know */
    ck_assert_ptr_null(of);
    ck_assert_int_eq(cuMemsetD8_v2(p, 1, 64), 0);
    ck_assert_int_eq(cuMemsetD2D16_v2(p, 16, 0x0302, 3, 4), 0);
    ck_assert_int_eq(cuMemcpyDtoH_v2(got, p, 64), 0);
    for (int i = 0; i < 64; i++)
        ck_assert_int_eq(got[i], i % 16 < 6 ? 2 + i % 2 : 1);
    ck_assert_int_eq(cuMemsetD2D16_v2(p, 16, 1, 9, 4), 1); /* rows overlap */
    ck_assert_int_eq(cuMemsetD2D32_v2(p, 16, 1, 4, 5), 1); /* past the end */
    ck_assert_int_eq(cuMemAlloc_v2(&rows, 64), 0);
    ck_assert_int_eq(cuMemcpyPeer(rows, context, p, context, 64), 0);
    ck_assert_int_eq(cuMemcpyPeer(rows, context, p, NULL, 64), 201);
    ck_assert_int_eq(cuCtxEnablePeerAccess(context, 0), 217);
}
END_TEST

/* Slices of two rows of four bytes; the box is 2 x 1 x 2 bytes. */
START_TEST(boxes)
{
    cuda_context *context;
    cuda_pointer p;
    unsigned char host[16], got[16];
    ck_assert_uint_eq(sizeof(cuda_copy_3d), 200); /* CUDA_MEMCPY3D */
    for (int i = 0; i < 16; i++)
        host[i] = (unsigned char)i;
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&context, 0, 0), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&p, 16), 0);
    ck_assert_int_eq(cuMemsetD8_v2(p, 0xaa, 16), 0);
    cuda_copy_3d c = { .from = { .x = 1, .y = 1, .type = 1, .host = host, .pitch = 4, .height = 2 },
                       .to = { .x = 2, .type = 2, .device = p, .pitch = 4, .height = 2 },
                       .width = 2,
                       .height = 1,
                       .depth = 2 };
    ck_assert_int_eq(cuMemcpy3D_v2(&c), 0);
    ck_assert_int_eq(cuMemcpyDtoH_v2(got, p, 16), 0);
    for (int i = 0; i < 16; i++)
        ck_assert_int_eq(got[i], i % 8 == 2 || i % 8 == 3 ? i / 8 * 8 + 4 + i % 8 - 1 : 0xaa);
    c.to.z = 1; /* the second slice is past the end */
    ck_assert_int_eq(cuMemcpy3D_v2(&c), 1);
    c.to.type = 3; /* an array */
    ck_assert_int_eq(cuMemcpy3D_v2(&c), 1);
}
END_TEST

START_TEST(attributes_and_addresses_of_devices)
{
    char id[32];
    int value, device = -1;
    ck_assert_int_eq(cuInit(0), 0);
    for (int d = 0; d < 3; d++) {
        ck_assert_int_eq(cuDeviceGetPCIBusId(id, sizeof(id), d), 0);
        ck_assert_int_eq(cuDeviceGetByPCIBusId(&device, id), 0);
        ck_assert_int_eq(device, d);
        ck_assert_int_eq(cuDeviceGetAttribute(&value, 33, d), 0); /* PCI_BUS_ID */
        ck_assert_int_eq(value, (int)strtol(id + 5, NULL, 16));
    }
    /* what deviceQuery of CUDA's samples asks of the driver */
    static const int asked[] = { 36, 37, 38, 8,  12, 10, 39, 1,  2,  3,  4,  5,  6,
                                 7,  11, 14, 15, 17, 18, 19, 32, 33, 34, 20, 95, 96 };
    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
        ck_assert_msg(cuDeviceGetAttribute(&value, asked[i], 0) == 0, "attribute %d", asked[i]);
    ck_assert_int_eq(cuDeviceGetAttribute(&value, 12345, 0), 1);
}
END_TEST

/* cuCtxDestroy: memory, modules, streams and events of the context go with it, and only they. */
START_TEST(what_contexts_own)
{
    static const char text[] =
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";
    static char registered[4096];
    cuda_context *first, *second;
    rt_stream *stream;
    rt_event *event;
    rt_module *module;
    rt_function *function;
    cuda_pointer p, q;
    void *host;
    size_t before, left, all;
    int value;
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&second, 0, 0), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&q, 4096), 0);
    ck_assert_int_eq(cuMemGetInfo_v2(&before, &all), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&first, 0, 0), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&p, 1 << 20), 0);
    ck_assert_int_eq(cuMemHostAlloc(&host, 4096, 0), 0);
    ck_assert_int_eq(cuMemHostRegister_v2(registered, sizeof(registered), 0), 0);
    ck_assert_int_eq(cuStreamCreate(&stream, 0), 0);
    ck_assert_int_eq(cuEventCreate(&event, 0), 0);
    ck_assert_int_eq(cuModuleLoadData(&module, text), 0);
    ck_assert_int_eq(cuModuleGetFunction(&function, module, "k"), 0);
    ck_assert_int_eq(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL), 0);
    ck_assert_int_eq(cuCtxDestroy_v2(first), 0); /* the current one: the one below it is current again */
    ck_assert_int_eq(cuMemGetInfo_v2(&left, &all), 0);
    ck_assert_uint_eq(left, before);
    ck_assert_int_eq(cuPointerGetAttribute(&value, 2, p), 1);
    ck_assert_int_eq(cuPointerGetAttribute(&value, 2, (uintptr_t)host), 1);
    ck_assert_int_eq(cuMemFree_v2(p), 1);
    ck_assert_int_eq(cuStreamQuery(stream), 400);
    ck_assert_int_eq(cuEventQuery(event), 400);
    ck_assert_int_eq(cuModuleUnload(module), 400);
    ck_assert_int_eq(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL), 400);
    ck_assert_int_eq(cuMemHostUnregister(registered), 713);
    ck_assert_int_eq(cuMemsetD8_v2(q, 1, 4096), 0);
    /* what was freed before is not freed again */
    ck_assert_int_eq(cuCtxCreate_v2(&first, 0, 0), 0);
    ck_assert_int_eq(cuMemHostRegister_v2(registered, sizeof(registered), 0), 0);
    ck_assert_int_eq(cuMemHostUnregister(registered), 0);
    ck_assert_int_eq(cuCtxSetCurrent(second), 0);
    ck_assert_int_eq(cuMemHostRegister_v2(registered, sizeof(registered), 0), 0); /* at the same address */
    ck_assert_int_eq(cuCtxDestroy_v2(first), 0);
    ck_assert_int_eq(cuMemHostUnregister(registered), 0);
    ck_assert_int_eq(cuMemFree_v2(q), 0);
}
END_TEST

/* A primary context ends with its last release, or is reset. */
START_TEST(what_primary_contexts_own)
{
    cuda_context *context;
    cuda_pointer p;
    int value;
    ck_assert_int_eq(cuInit(0), 0);
    for (int reset = 0; reset < 2; reset++) {
        ck_assert_int_eq(cuDevicePrimaryCtxRetain(&context, 1), 0);
        ck_assert_int_eq(cuDevicePrimaryCtxRetain(&context, 1), 0);
        ck_assert_int_eq(cuCtxSetCurrent(context), 0);
        ck_assert_int_eq(cuMemAlloc_v2(&p, 64), 0);
        ck_assert_int_eq(cuDevicePrimaryCtxRelease_v2(1), 0);
        ck_assert_int_eq(cuPointerGetAttribute(&value, 2, p), 0);
        ck_assert_int_eq(reset ? cuDevicePrimaryCtxReset_v2(1) : cuDevicePrimaryCtxRelease_v2(1), 0);
        ck_assert_int_eq(cuDevicePrimaryCtxRetain(&context, 1), 0);
        ck_assert_int_eq(cuCtxSetCurrent(context), 0);
        ck_assert_int_eq(cuPointerGetAttribute(&value, 2, p), 1);
        ck_assert_int_eq(cuDevicePrimaryCtxRelease_v2(1), 0);
    }
}
END_TEST

static void *ask_own_stream(void *context)
{
    ck_assert_int_eq(cuCtxSetCurrent(context), 0);
    ck_assert_int_eq(cuStreamQuery_ptsz(NULL), 0);
    return NULL;
}

/* A program that is compiled for a default stream of each thread: stream 0 is the thread's own. */
START_TEST(streams_of_threads)
{
    cuda_context *context;
    cuda_pointer p;
    rt_stream *stream;
    char got[64];
    int (*query)(rt_stream *);
    int (*get)(void *, cuda_pointer, size_t);
    int (*look_up)(const char *, void **, int, uint64_t, int *);
    void *found, *plain;
    pthread_t thread;
    int status;
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&context, 0, 0), 0);
    ck_assert_int_eq(cuMemAlloc_v2(&p, sizeof(got)), 0);
    ck_assert_int_eq(cuStreamCreate(&stream, 1), 0);
    const int before = atomic_load(&finished);
    ck_assert_int_eq(cuLaunchHostFunc_ptsz(NULL, slow, NULL), 0);
    ck_assert_int_eq(cuStreamQuery_ptsz(NULL), 600);
    ck_assert_int_eq(pthread_create(&thread, NULL, ask_own_stream, context), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(cuStreamQuery_ptsz(NULL), 600);
    ck_assert_int_eq(cuStreamQuery_ptsz(stream), 0); /* a stream that is named is that stream */
    ck_assert_int_eq(cuMemsetD8_v2_ptds(p, 7, sizeof(got)), 0);
    ck_assert_int_eq(atomic_load(&finished), before + 1); /* it waited for what is before it */
    ck_assert_int_eq(cuStreamQuery_ptsz(NULL), 0);
    ck_assert_int_eq(cuMemcpyDtoH_v2_ptds(got, p, sizeof(got)), 0);
    ck_assert_int_eq(got[0] + got[63], 14);
    ck_assert_int_eq(cuMemcpyDtoH_v2_ptds(got, p, sizeof(got) + 1), 1);
    /* the legacy stream waits for it, and is not it */
    ck_assert_int_eq(cuLaunchHostFunc(stream, slow, NULL), 0);
    ck_assert_int_eq(cuStreamQuery_ptsz((rt_stream *)(uintptr_t)1), 0);
    ck_assert_int_eq(cuStreamSynchronize(stream), 0);
    /* by name: flag 2, and the form of cuGetProcAddress that such programs call */
    ck_assert_int_eq(cuGetProcAddress_v2("cuStreamQuery", &found, 12000, 2, &status), 0);
    memcpy(&query, &found, sizeof(query));
    ck_assert(query == cuStreamQuery_ptsz);
    ck_assert_int_eq(cuGetProcAddress_v2("cuMemcpyDtoH", &found, 12000, 2, &status), 0);
    memcpy(&get, &found, sizeof(get));
    ck_assert(get == cuMemcpyDtoH_v2_ptds);
    ck_assert_int_eq(cuGetProcAddress_v2_ptsz("cuStreamQuery", &found, 12000, 0, &status), 0);
    ck_assert_int_eq(cuGetProcAddress_v2_ptsz("cuStreamQuery", &plain, 12000, 1, &status), 0);
    ck_assert_ptr_ne(found, plain);
    ck_assert_int_eq(cuGetProcAddress_v2("cuMemAlloc", &found, 12000, 2, &status), 0); /* has no stream */
    ck_assert_int_eq(cuGetProcAddress_v2("cuMemAlloc", &plain, 12000, 0, &status), 0);
    ck_assert_ptr_eq(found, plain);
    ck_assert_int_eq(cuGetProcAddress_v2("cuGetProcAddress", &found, 12000, 0, &status), 0);
    memcpy(&look_up, &found, sizeof(look_up));
    ck_assert(look_up == cuGetProcAddress_v2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cuda_contexts");
    TCase *tc = tcase_create("cuda_contexts");
    tcase_add_test(tc, primary_contexts);
    tcase_add_test(tc, handles_of_contexts);
    tcase_add_test(tc, contexts_of_other_threads);
    tcase_add_test(tc, context_of_a_stream);
    tcase_add_test(tc, work_of_destroyed_streams);
    tcase_add_test(tc, waiting_in_a_host_function);
    tcase_add_test(tc, questions_about_kernels);
    tcase_add_test(tc, questions_about_addresses);
    tcase_add_test(tc, boxes);
    tcase_add_test(tc, attributes_and_addresses_of_devices);
    tcase_add_test(tc, what_contexts_own);
    tcase_add_test(tc, what_primary_contexts_own);
    tcase_add_test(tc, streams_of_threads);
    tcase_set_timeout(tc, 120);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
