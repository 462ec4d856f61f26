/* SPDX-License-Identifier: MIT */
/*
 * Scalar accesses through a buffer resource: its extent (bytes, or records of a stride), dwords that are
 * partly inside, offsets that wrap, and accesses past its end. Rule: AMD CDNA3 ISA manual, scalar memory.
 */
#include "machine/fixture.h"

enum { BASE = 64 };

static void set_buffer(fixture *f, uint32_t records, uint32_t stride, uint32_t word3)
{
    const uint64_t base = f->address + BASE;
    f->wave[0].sgpr[0] = (uint32_t)base;
    f->wave[0].sgpr[1] = (uint32_t)(base >> 32) | stride << 16;
    f->wave[0].sgpr[2] = records;
    f->wave[0].sgpr[3] = word3;
}

/* Bytes the resource holds; bits 31:30 of the stride word are flags of swizzling and caching. */
static uint64_t size_of(uint32_t records, uint32_t stride)
{
    stride %= 0x4000;
    return stride == 0 ? records : (uint64_t)records * stride;
}

static uint32_t dword_at(const uint8_t *buffer, uint64_t size, uint64_t offset)
{
    uint32_t v = 0;
    if (offset >= size || size - offset < 4)
        return 0;
    for (unsigned b = 4; b-- > 0;)
        v = v << 8 | buffer[BASE + offset + b];
    return v;
}

static const struct {
    uint32_t records, stride;
} buffers[] = {
    { 100, 0 },     { 99, 0 },          { 97, 0 },          { 3, 0 },        { 0, 0 },
    { 8, 12 },      { 25, 4 },          { 1, 30 },          { 0, 16 },       { 7, 0x4000 | 8 },
    { 50, 0x8000 }, { 3, 0xc000 | 33 }, { 0x10000001, 16 }, { 4000, 16383 }, { UINT32_MAX, 0 },
};
static const uint32_t offsets[] = { 0, 4, 8, 40, 88, 92, 95, 96, 97, 100, 104, 2, 7, 0xfffffffc };
enum { BUFFERS = sizeof(buffers) / sizeof(buffers[0]), OFFSETS = sizeof(offsets) / sizeof(offsets[0]) };

START_TEST(loads)
{
    static const struct {
        unsigned first, count, offset;
    } results[] = { { 16, 1, 0 }, { 18, 2, 0 }, { 20, 4, 0 }, { 24, 8, 0 }, { 32, 16, 4 } };
    static fixture f;
    const uint64_t size = size_of(buffers[_i].records, buffers[_i].stride);
    for (unsigned o = 0; o < OFFSETS; o++) {
        if (size > 1000 && offsets[o] > 1000)
            continue; /* there is no memory */
        fixture_init(&f, 31);
        set_buffer(&f, buffers[_i].records, buffers[_i].stride, 0x00027000);
        f.wave[0].sgpr[8] = offsets[o];
        fixture_ok(&f, "s_buffer_widths");
        for (unsigned i = 0; i < 5; i++) {
            const uint64_t from = (offsets[o] + results[i].offset) % 0x100000000u / 4 * 4;
            for (unsigned d = 0; d < results[i].count; d++)
                ck_assert_uint_eq(f.wave[0].sgpr[results[i].first + d],
                                  dword_at(f.buffer, size, from + 4 * d));
        }
        fixture_free(&f);
    }
}
END_TEST

static void store_model(snapshot *s, const fixture *f, uint64_t size, unsigned first, unsigned count,
                        uint32_t at)
{
    at = at / 4 * 4;
    for (unsigned d = 0; d < count && at + 4 * d + 4 <= size; d++)
        memcpy(s->buffer + BASE + at + 4 * d, &f->wave[0].sgpr[first + d], 4);
}

START_TEST(stores)
{
    static fixture f;
    static snapshot s;
    const uint64_t size = size_of(buffers[_i].records, buffers[_i].stride);
    for (unsigned o = 0; o + 1 < OFFSETS; o++) {
        fixture_init(&f, 32);
        f.options.arch = LW_ARCH_GFX942;
        set_buffer(&f, buffers[_i].records, buffers[_i].stride, 0x00027000);
        for (unsigned i = 0; i < 3; i++)
            f.wave[0].sgpr[8 + i] = offsets[o] + 200 * i * (size > 1000);
        take(&f, &s);
        store_model(&s, &f, size, 16, 1, f.wave[0].sgpr[8]);
        store_model(&s, &f, size, 18, 2, f.wave[0].sgpr[9]);
        store_model(&s, &f, size, 20, 4, f.wave[0].sgpr[10]);
        fixture_ok(&f, "s_buffer_stores");
        same_as(&f, &s, "scalar buffer stores");
        fixture_free(&f);
    }
}
END_TEST

/* An atomic accesses all of its bytes or none; one past the end returns zero. */
START_TEST(atomics)
{
    static fixture f;
    static snapshot s;
    const uint64_t size = size_of(buffers[_i].records, buffers[_i].stride);
    for (uint32_t at = 72; at <= 104; at += 8) {
        fixture_init(&f, 33);
        f.options.arch = LW_ARCH_GFX942;
        set_buffer(&f, buffers[_i].records, buffers[_i].stride, 0x00027000);
        f.wave[0].sgpr[8] = at;
        f.wave[0].sgpr[9] = at + 8;
        f.wave[0].sgpr[10] = at + 20;
        take(&f, &s);
        const uint32_t value = f.wave[0].sgpr[16], old = dword_at(f.buffer, size, at);
        const uint64_t wide = f.wave[0].sgpr[18] | (uint64_t)f.wave[0].sgpr[19] << 32;
        const bool fits = at + 16 <= size;
        const uint64_t wide_old =
            fits ? dword_at(f.buffer, size, at + 8) | (uint64_t)dword_at(f.buffer, size, at + 12) << 32 : 0;
        const uint32_t sum = old + value;
        const uint64_t wide_sum = wide_old + wide;
        if (at + 4 <= size)
            memcpy(s.buffer + BASE + at, &sum, 4);
        if (fits)
            memcpy(s.buffer + BASE + at + 8, &wide_sum, 8);
        if (at + 24 <= size)
            memcpy(s.buffer + BASE + at + 20, &f.wave[0].sgpr[20], 4);
        const uint32_t swapped = f.wave[0].sgpr[20];
        fixture_ok(&f, "s_buffer_atomics");
        same_as(&f, &s, "scalar buffer atomics");
        ck_assert_uint_eq(f.wave[0].sgpr[16], old);
        ck_assert_uint_eq(f.wave[0].sgpr[18] | (uint64_t)f.wave[0].sgpr[19] << 32, wide_old);
        ck_assert_uint_eq(f.wave[0].sgpr[20], swapped); /* no return value requested */
        fixture_free(&f);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("scalar buffers");
    tcase_add_loop_test(tc, loads, 0, BUFFERS);
    tcase_add_loop_test(tc, stores, 0, BUFFERS);
    tcase_add_loop_test(tc, atomics, 0, BUFFERS);
    return run_suite("machine_scalar_buffers", tc);
}
