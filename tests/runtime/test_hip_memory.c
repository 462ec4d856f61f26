/* SPDX-License-Identifier: MIT */
/* The memory of the stand-in for HIP's runtime: what each call must answer, by AMD's HIP documentation and
 * sources (ROCm/clr hipamd/src). */
#include "runtime/hip_fixture.h"

START_TEST(memory)
{
    void *p = &p, *host;
    size_t left, whole, size;
    char bytes[64];
    ck_assert_int_eq(hipMalloc(&p, 0), 0);
    ck_assert_ptr_null(p);
    ck_assert_int_eq(hipFree(NULL), 0);
    ck_assert_int_eq(hipFree(bytes), 1);
    ck_assert_int_eq(hipMalloc(&p, UINT64_C(1) << 50), 2);
    ck_assert_int_eq(hipMemGetInfo(&left, &whole), 0);
    ck_assert_uint_eq(whole, UINT64_C(192) << 30);
    ck_assert_int_eq(hipMalloc(&p, 100), 0);
    ck_assert_uint_eq((uintptr_t)p % 256, 0);
    ck_assert_int_eq(hipMemGetInfo(&size, &whole), 0);
    ck_assert_uint_eq(left - size, 100);
    ck_assert_int_eq(hipMemcpy(p, bytes, 64, 99), 21);
    ck_assert_int_eq(hipMemcpy((char *)p + 50, bytes, 51, 1), 1);
    ck_assert_int_eq(hipMemcpy((char *)p + 50, bytes, 50, 1), 0);
    ck_assert_int_eq(hipMemcpy(NULL, bytes, 0, 1), 0);
    ck_assert_int_eq(hipMemset(p, 1, 101), 1);
    ck_assert_int_eq(hipMemset(bytes, 1, 10), 1);
    ck_assert_int_eq(hipFree((char *)p + 1), 1);
    ck_assert_int_eq(hipFree(p), 0);
    ck_assert_int_eq(hipFree(p), 1);
    ck_assert_int_eq(hipMemcpy(p, bytes, 1, 1), 1); /* it is gone */
    ck_assert_int_eq(hipHostMalloc(&host, 100, 0), 0);
    ck_assert_int_eq(hipFree(host), 1);
    ck_assert_int_eq(hipMemcpy((char *)host + 50, bytes, 51, 0), 1);
    ck_assert_int_eq(hipMemcpy((char *)host + 50, bytes, 50, 0), 0);
    ck_assert_int_eq(hipHostFree(host), 0);
    ck_assert_int_eq(hipHostRegister(bytes, sizeof(bytes), 0), 0);
    ck_assert_int_eq(hipHostRegister(bytes, 1, 0), 712);
    ck_assert_int_eq(hipHostUnregister(bytes), 0);
    ck_assert_int_eq(hipHostUnregister(bytes), 713);
}
END_TEST

/* Elements are counted, and the last byte of a value serves bytes. */
START_TEST(fills)
{
    uint32_t *p, got[8];
    ck_assert_int_eq(hipMalloc((void **)&p, sizeof(got)), 0);
    ck_assert_int_eq(hipMemsetD32(p, 0x01020304, 8), 0);
    ck_assert_int_eq(hipMemsetD16(p + 1, 0xabcd, 2), 0);
    ck_assert_int_eq(hipMemsetD8((char *)p + 8, 0x7f, 3), 0);
    ck_assert_int_eq(hipMemset(p + 3, 0x155, 4), 0);
    ck_assert_int_eq(hipMemset2D(p + 4, 8, 0x99, 4, 2), 0);
    ck_assert_int_eq(hipMemsetD32(p, 0, 9), 1);
    ck_assert_int_eq(hipMemcpy(got, p, sizeof(got), 2), 0);
    const uint32_t want[] = { 0x01020304, 0xabcdabcd, 0x017f7f7f, 0x55555555,
                              0x99999999, 0x01020304, 0x99999999, 0x01020304 };
    ck_assert_mem_eq(got, want, sizeof(want));
    ck_assert_int_eq(hipFree(p), 0);
}
END_TEST

START_TEST(rectangles)
{
    unsigned char *p, in[12], out[12] = { 0 };
    size_t pitch;
    for (unsigned i = 0; i < 12; i++)
        in[i] = (unsigned char)(i + 1);
    ck_assert_int_eq(hipMallocPitch((void **)&p, &pitch, 4, 3), 0);
    ck_assert_uint_ge(pitch, 4);
    ck_assert_int_eq(hipMemcpy2D(p, pitch, in, 4, 3, 3, 1), 0);
    ck_assert_int_eq(hipMemcpy2D(out, 4, p, pitch, 3, 3, 2), 0);
    for (unsigned i = 0; i < 12; i++)
        ck_assert_uint_eq(out[i], i % 4 == 3 ? 0 : i + 1);
    ck_assert_int_eq(hipMemcpy2D(p, 2, in, 4, 3, 3, 1), 1);
    ck_assert_int_eq(hipMemcpy2D(p, pitch, in, 4, 3, 300, 1), 1);
    ck_assert_int_eq(hipFree(p), 0);
}
END_TEST

/* Host and kernel see each other's writes; the direction that is stated does not matter. */
/* A box of 3 x 2 x 2 bytes at (1, 1, 1) of one of 8 x 4 x 3, which keeps what is around it. */
START_TEST(boxes)
{
    unsigned char host[3 * 4 * 8], got[3 * 4 * 8];
    hip_pitched room;
    ck_assert_uint_eq(sizeof(hip_copy_3d), 160); /* hipMemcpy3DParms of HIP 5.2's and 7.1's headers */
    for (unsigned i = 0; i < sizeof(host); i++)
        host[i] = (unsigned char)i;
    ck_assert_int_eq(hipMalloc3D(&room, (hip_extent){ 8, 4, 3 }), 0);
    ck_assert_uint_ge(room.pitch, 8);
    ck_assert_uint_eq(room.height, 4);
    ck_assert_int_eq(hipMemset3D(room, 0xaa, (hip_extent){ 8, 4, 3 }), 0);
    hip_copy_3d c = { .from = { NULL, 1, 1, 1, { host, 8, 8, 4 } },
                      .to = { NULL, 1, 1, 1, room },
                      .size = { 3, 2, 2 },
                      .kind = 1 };
    ck_assert_int_eq(hipMemcpy3D(&c), 0);
    const hip_copy_3d back = { .from = { NULL, 0, 0, 0, room },
                               .to = { NULL, 0, 0, 0, { got, 8, 8, 4 } },
                               .size = { 8, 4, 3 },
                               .kind = 2 };
    ck_assert_int_eq(hipMemcpy3D(&back), 0);
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 8; x++) {
                const bool copied = z >= 1 && y >= 1 && y < 3 && x >= 1 && x < 4;
                ck_assert_int_eq(got[32 * z + 8 * y + x], copied ? 32 * z + 8 * y + x : 0xaa);
            }
    c.size.depth = 3; /* one slice too many */
    ck_assert_int_eq(hipMemcpy3D(&c), 1);
    c.size = (hip_extent){ 3, 5, 2 }; /* slices overlap */
    ck_assert_int_eq(hipMemcpy3D(&c), 1);
    c.from.array = host;
    ck_assert_int_eq(hipMemcpy3D(&c), 801);
    ck_assert_int_eq(hipMemset3D(room, 1, (hip_extent){ 8, 4, SIZE_MAX }), 1);
    ck_assert_int_eq(hipMemset3D(room, 1, (hip_extent){ 8, 5, 1 }), 1);
    ck_assert_int_eq(hipFree(room.pointer), 0);
}
END_TEST

START_TEST(pinned)
{
    rt_module *module;
    rt_function *function = vector_add(&module);
    arrays t;
    float *device, got[4];
    ck_assert_int_eq(hipHostMalloc((void **)&t.a, 16, 6), 0);
    ck_assert_int_eq(hipMallocManaged((void **)&t.b, 16, 1), 0);
    ck_assert_int_eq(hipHostMalloc((void **)&t.c, 16, 0), 0);
    ck_assert_int_eq(hipHostGetDevicePointer((void **)&device, t.a, 0), 0);
    ck_assert_ptr_eq(device, t.a);
    for (int i = 0; i < 4; i++)
        t.a[i] = (float)i, t.b[i] = 10;
    ck_assert_int_eq(launch(function, &t, 4, NULL), 0);
    ck_assert_int_eq(hipDeviceSynchronize(), 0);
    ck_assert_float_eq(t.c[3], 13);
    ck_assert_int_eq(hipMalloc((void **)&device, 16), 0);
    ck_assert_int_eq(hipMemcpy(device, t.c, 16, 3), 0);
    ck_assert_int_eq(hipMemcpy(got, device, 16, 2), 0);
    ck_assert_float_eq(got[2], 12);
    ck_assert_int_eq(hipFree(device), 0);
    ck_assert_int_eq(hipHostFree(t.a), 0);
    ck_assert_int_eq(hipFree(t.b), 0);
    ck_assert_int_eq(hipHostFree(t.c), 0);
    ck_assert_int_eq(hipModuleUnload(module), 0);
}
END_TEST

static long resident_pages(void)
{
    long all, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    ck_assert(file && fscanf(file, "%ld %ld", &all, &resident) == 2);
    fclose(file);
    return resident;
}

START_TEST(large_pinned_memory_is_lazy)
{
    void *p;
    const long before = resident_pages();
    ck_assert_int_eq(hipHostMalloc(&p, 128 << 20, 6), 0);
    ck_assert_int_lt(resident_pages() - before, 256);
    ck_assert_int_eq(hipHostFree(p), 0);
}
END_TEST

START_TEST(pointers)
{
    hip_pointer_attributes a;
    char *p, *base, local = 0;
    size_t size;
    void *address;
    ck_assert_int_eq(hipMalloc((void **)&p, 1000), 0);
    ck_assert_int_eq(hipPointerGetAttributes(&a, p + 4), 0);
    ck_assert_int_eq(a.type, 2);
    ck_assert_int_eq(a.device, 0);
    ck_assert_ptr_eq(a.device_pointer, p + 4);
    ck_assert_ptr_null(a.host_pointer);
    ck_assert_int_eq(hipPointerGetAttributes(&a, &local), 0);
    ck_assert_int_eq(a.type, 0);
    ck_assert_int_eq(a.device, -2);
    ck_assert_int_eq(hipPointerGetAttribute(&size, 12, p + 4), 0);
    ck_assert_uint_eq(size, 1000);
    ck_assert_int_eq(hipPointerGetAttribute(&base, 11, p + 4), 0);
    ck_assert_ptr_eq(base, p);
    ck_assert_int_eq(hipPointerGetAttribute(&address, 3, p + 4), 0);
    ck_assert_ptr_eq(address, p + 4);
    ck_assert_int_eq(hipPointerGetAttribute(&address, 3, &local), 1);
    ck_assert_int_eq(hipMemGetAddressRange((void **)&base, &size, p + 999), 0);
    ck_assert_ptr_eq(base, p);
    ck_assert_int_eq(hipFree(p), 0);
    ck_assert_int_eq(hipMallocManaged((void **)&p, 8, 1), 0);
    ck_assert_int_eq(hipPointerGetAttributes(&a, p), 0);
    ck_assert_int_eq(a.type, 3);
    ck_assert_int_eq(a.managed, 1);
    ck_assert_int_eq(hipFree(p), 0);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("hip_memory");
    tcase_add_test(tc, memory);
    tcase_add_test(tc, fills);
    tcase_add_test(tc, rectangles);
    tcase_add_test(tc, boxes);
    tcase_add_test(tc, pinned);
    tcase_add_test(tc, large_pinned_memory_is_lazy);
    tcase_add_test(tc, pointers);
    return run_tests("hip_memory", tc);
}
