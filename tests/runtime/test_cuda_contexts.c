/* SPDX-License-Identifier: MIT */
/* Contexts, streams and host functions of the stand-in for the CUDA driver on a machine of three devices.
 * What each call must answer: the CUDA Driver API manual. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
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
    cuda_context *context;
    cuda_pointer p;
    ck_assert_int_eq(cuInit(0), 0);
    ck_assert_int_eq(cuCtxCreate_v2(&context, 0, 0), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, destroy, context), 0);
    pthread_join(thread, NULL);
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
    tcase_set_timeout(tc, 120);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
