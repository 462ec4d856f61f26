/* SPDX-License-Identifier: MIT */
/* Several devices, the default stream of a thread, and host functions that wait, through the functions of
 * HIP. */
#include <time.h>

#include "tests/runtime/hip_fixture.h"

START_TEST(devices)
{
    unsigned char p[1500];
    char id[32];
    int count, device = -1, bus, of_attribute;
    ck_assert_int_eq(hipGetDeviceCount(&count), 0);
    ck_assert_int_eq(count, 3);
    for (int d = 0; d < count; d++) {
        ck_assert_int_eq(hipDeviceGetPCIBusId(id, sizeof(id), d), 0);
        ck_assert_int_eq(hipDeviceGetByPCIBusId(&device, id), 0);
        ck_assert_int_eq(device, d);
        ck_assert_int_eq(hipDeviceGetByPCIBusId(&device, id + 5), 0); /* without the domain */
        ck_assert_int_eq(device, d);
        ck_assert_int_eq(hipGetDevicePropertiesR0600(p, d), 0);
        memcpy(&bus, p + 584, sizeof(bus)); /* pciBusID */
        ck_assert_int_eq(hipDeviceGetAttribute(&of_attribute, 67, d), 0);
        ck_assert_int_eq(bus, (int)strtol(id + 5, NULL, 16));
        ck_assert_int_eq(of_attribute, bus);
    }
    ck_assert_int_eq(hipDeviceGetByPCIBusId(&device, "0000:04:00.0"), 101);
    ck_assert_int_eq(hipDeviceGetByPCIBusId(&device, "0000:00:00.0"), 101);
    ck_assert_int_eq(hipDeviceGetByPCIBusId(&device, "0001:01:00.0"), 101);
    ck_assert_int_eq(hipDeviceGetByPCIBusId(&device, "0000:01:00.0x"), 1);
    ck_assert_int_eq(hipDeviceGetByPCIBusId(&device, "first"), 1);
}
END_TEST

START_TEST(device_of_a_stream)
{
    rt_stream *stream;
    int device = -1;
    ck_assert_int_eq(hipSetDevice(2), 0);
    ck_assert_int_eq(hipStreamCreate(&stream), 0);
    ck_assert_int_eq(hipSetDevice(1), 0);
    ck_assert_int_eq(hipStreamGetDevice(stream, &device), 0);
    ck_assert_int_eq(device, 2);
    ck_assert_int_eq(hipGetStreamDeviceId(stream), 2);
    ck_assert_int_eq(hipStreamGetDevice(NULL, &device), 0);
    ck_assert_int_eq(device, 1);
    ck_assert_int_eq(hipStreamDestroy(stream), 0);
    ck_assert_int_eq(hipGetStreamDeviceId(stream), -1);
}
END_TEST

/* Host functions take long enough that a call that does not wait is seen. */
static void slow(void *data)
{
    nanosleep(&(struct timespec){ 0, 100000000 }, NULL);
    *(int *)data = 1;
}

/* The kernel's sums come from streams of the thread, which the forms of a default stream per thread name by
 * 0. */
START_TEST(default_stream_of_a_thread)
{
    rt_module *module;
    rt_function *function = vector_add(&module);
    arrays t;
    float got[COUNT], *const to = got;
    arrays_init(&t);
    ck_assert_int_eq(hipMemset_spt(t.a, 0, sizeof(t.host)), 0);
    ck_assert_int_eq(hipMemcpyAsync_spt(t.a, t.host, sizeof(t.host), 1, NULL), 0);
    ck_assert_int_eq(launch(function, &t, COUNT, (rt_stream *)(uintptr_t)2), 0);
    ck_assert_int_eq(hipStreamSynchronize_spt(NULL), 0);
    ck_assert_int_eq(hipStreamQuery_spt(NULL), 0);
    check_sums(&t);
    ck_assert_int_eq(hipMemcpy_spt(to, t.c, sizeof(got), 2), 0);
    ck_assert_float_eq(got[COUNT - 1], 2.0f * (COUNT - 1));
    ck_assert_int_eq(hipMemcpy_spt(to, t.c, sizeof(t.host) + 1, 2), 1);
    int done = 0;
    ck_assert_int_eq(hipLaunchHostFunc_spt(NULL, slow, &done), 0);
    ck_assert_int_eq(hipMemset_spt(t.a, 0, sizeof(t.host)), 0); /* waits for what is before it */
    ck_assert_int_eq(done, 1);
    arrays_free(&t);
    ck_assert_int_eq(hipModuleUnload(module), 0);
}
END_TEST

typedef struct calls {
    rt_stream *stream;
    int device, stream_alone, query;
} calls;

static void wait_inside(void *data)
{
    calls *c = data;
    c->device = hipDeviceSynchronize();
    c->stream_alone = hipStreamSynchronize(c->stream);
    c->query = hipStreamQuery(c->stream);
}

/* HIP has no error for what is not permitted. */
START_TEST(waiting_in_a_host_function)
{
    calls c = { 0 };
    ck_assert_int_eq(hipStreamCreate(&c.stream), 0);
    ck_assert_int_eq(hipLaunchHostFunc(c.stream, wait_inside, &c), 0);
    ck_assert_int_eq(hipStreamSynchronize(c.stream), 0);
    ck_assert_int_eq(c.device, 801);
    ck_assert_int_eq(c.stream_alone, 801);
    ck_assert_int_eq(c.query, 600); /* it is running */
}
END_TEST

START_TEST(work_of_a_destroyed_stream)
{
    rt_stream *stream;
    int done = 0;
    ck_assert_int_eq(hipStreamCreateWithFlags(&stream, 1), 0);
    ck_assert_int_eq(hipLaunchHostFunc(stream, slow, &done), 0);
    ck_assert_int_eq(hipStreamDestroy(stream), 0);
    ck_assert_int_eq(hipDeviceSynchronize(), 0);
    ck_assert_int_eq(done, 1);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("hip_devices");
    tcase_add_test(tc, devices);
    tcase_add_test(tc, device_of_a_stream);
    tcase_add_test(tc, default_stream_of_a_thread);
    tcase_add_test(tc, waiting_in_a_host_function);
    tcase_add_test(tc, work_of_a_destroyed_stream);
    return run_tests("hip_devices", tc);
}
