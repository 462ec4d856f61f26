/* SPDX-License-Identifier: MIT */
/*
 * Blocks of global memory that an instruction's lanes touch, counted byte by byte: loads and stores of every
 * width, strides, broadcasts, random addresses, inactive lanes, and what is not counted.
 */
#include "machine/fixture.h"

enum { LANES = 64, PATTERNS = 16 };

static const struct {
    const char *block;
    unsigned bytes;
} instructions[] = {
    { "global_load_ubyte", 1 },   { "global_load_ushort", 2 },   { "global_load_dword", 4 },
    { "global_load_dwordx2", 8 }, { "global_load_dwordx4", 16 }, { "flat_load_dword", 4 },
};
enum { INSTRUCTIONS = sizeof(instructions) / sizeof(instructions[0]) };

/* A lane's distance from the buffer, with room for 16 bytes after it. */
static unsigned pattern(unsigned n, unsigned lane, unsigned bytes)
{
    static const unsigned strides[] = { 1, 2, 3, 4, 8, 0 };
    if (n < 6)
        return strides[n] * bytes * lane % (BUFFER - 16);
    if (n == 6)
        return 4 + bytes * lane; /* begins inside a block */
    if (n == 7)
        return bytes * (LANES - 1 - lane);
    return (unsigned)mix(n * 64 + lane) % (BUFFER - 16) / bytes * bytes;
}

/* Distinct blocks of `size` bytes among those that `wanted` marks. */
static unsigned blocks_of(const fixture *f, const bool wanted[BUFFER], unsigned size)
{
    unsigned blocks = 0;
    for (unsigned i = 0, last = 0; i < BUFFER; i++) {
        const unsigned block = (unsigned)((f->address + i) / size - f->address / size) + 1;
        blocks += wanted[i] && block != last;
        last = wanted[i] ? block : last;
    }
    return blocks;
}

static void expect(const fixture *f, const lw_coalescing_report *got, const bool wanted[BUFFER],
                   unsigned unit)
{
    unsigned bytes = 0, first = 0;
    while (!wanted[first])
        first++;
    for (unsigned i = 0; i < BUFFER; i++)
        bytes += wanted[i];
    ck_assert_ptr_nonnull(got);
    ck_assert_uint_eq(got->executed, 1);
    ck_assert_uint_eq(got->bytes, bytes);
    for (int i = 0; i < LW_COALESCING_SIZES; i++)
        ck_assert_uint_eq(got->blocks[i], blocks_of(f, wanted, 32u << i));
    ck_assert_uint_eq(got->unit, unit);
    ck_assert_uint_eq(got->touched, blocks_of(f, wanted, unit));
    ck_assert_uint_eq(got->needed, (bytes + unit - 1) / unit);
    ck_assert_uint_eq(got->misaligned, (f->address + first) % unit != 0);
    ck_assert(!got->assumed);
}

START_TEST(blocks)
{
    static fixture f;
    const unsigned bytes = instructions[_i].bytes,
                   offset = strstr(instructions[_i].block, "flat") ? 9 : 0u - 7;
    for (unsigned n = 0; n < PATTERNS; n++) {
        lw_coalescing *coalescing;
        bool wanted[BUFFER] = { false };
        fixture_init(&f, n + 1);
        ck_assert_int_eq(lw_coalescing_create(&coalescing), LW_OK);
        const lw_observer *observers[] = { lw_coalescing_observer(coalescing) };
        f.options.observers = observers;
        f.options.observer_count = 1;
        const uint64_t exec = n == 9 ? 0xff00 : n == 10 ? mix(n) | 1 : UINT64_MAX;
        set_exec(&f, exec);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const unsigned at = pattern(n, lane, bytes);
            set_pair(&f, 0, lane, f.address + at - (uint64_t)(int64_t)(int32_t)offset);
            for (unsigned b = 0; b < bytes && exec >> lane & 1; b++)
                wanted[at + b] = true;
        }
        fixture_ok(&f, instructions[_i].block);
        ck_assert_uint_eq(lw_coalescing_count(coalescing), 1);
        const lw_coalescing_report *got = lw_coalescing_at(coalescing, 0);
        expect(&f, got, wanted, 64);
        static const int strides[] = { 1, 2, 3, 4, 8, 0, 1, -1 };
        if (n < 8 && !(n == 4 && bytes == 16)) /* which wraps around */
            ck_assert_msg(got->strided && !got->irregular && got->stride == strides[n] * (int)bytes,
                          "%s, pattern %u: stride %lld", instructions[_i].block, n, (long long)got->stride);
        if (n > 10)
            ck_assert(got->irregular);
        lw_coalescing_free(coalescing);
        fixture_free(&f);
    }
}
END_TEST

/* The last lane reaches past the end of its buffer, which is bounded dword by dword: it has several pieces,
 * of which some are dropped. The stride is that of the lanes. */
START_TEST(pieces_of_a_lane)
{
    static fixture f;
    lw_coalescing *coalescing;
    bool wanted[BUFFER] = { false };
    fixture_init(&f, 1);
    ck_assert_int_eq(lw_coalescing_create(&coalescing), LW_OK);
    const lw_observer *observers[] = { lw_coalescing_observer(coalescing) };
    f.options.observers = observers;
    f.options.observer_count = 1;
    f.wave[0].sgpr[0] = (uint32_t)f.address;
    f.wave[0].sgpr[1] = (uint32_t)(f.address >> 32);
    f.wave[0].sgpr[2] = 48 * (LANES - 1) + 8 + 8;
    f.wave[0].sgpr[3] = 0x00027000;
    f.wave[0].sgpr[8] = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        reg(&f, 2)[lane] = 48 * lane + 3; /* the instruction adds 5 */
        for (unsigned b = 0; b < (lane < LANES - 1 ? 16 : 8); b++)
            wanted[48 * lane + 8 + b] = true;
    }
    fixture_ok(&f, "buffer_load_dwordx4");
    const lw_coalescing_report *got = lw_coalescing_at(coalescing, 0);
    expect(&f, got, wanted, 64);
    ck_assert(got->strided && !got->irregular && got->stride == 48);
    lw_coalescing_free(coalescing);
    fixture_free(&f);
}
END_TEST

/* LDS and one lane: no report, and no stride. */
START_TEST(others)
{
    static fixture f;
    lw_coalescing *coalescing;
    fixture_init(&f, 1);
    ck_assert_int_eq(lw_coalescing_create(&coalescing), LW_OK);
    const lw_observer *observers[] = { lw_coalescing_observer(coalescing) };
    f.options.observers = observers;
    f.options.observer_count = 1;
    for (unsigned lane = 0; lane < LANES; lane++)
        reg(&f, 2)[lane] = lane * 4;
    fixture_ok(&f, "ds_read_b32");
    ck_assert_uint_eq(lw_coalescing_count(coalescing), 0);
    ck_assert_ptr_null(lw_coalescing_at(coalescing, 0));
    set_exec(&f, 8);
    for (unsigned lane = 0; lane < LANES; lane++)
        set_pair(&f, 0, lane, f.address + 7 + 4 * lane);
    f.options.arch = LW_ARCH_GFX90A;
    fixture_ok(&f, "global_load_dword");
    const lw_coalescing_report *got = lw_coalescing_at(coalescing, 0);
    ck_assert_ptr_nonnull(got);
    ck_assert(!got->strided && !got->irregular && got->assumed && got->unit == 64 && got->needed == 1);
    ck_assert_int_eq(lw_coalescing_create(NULL), LW_E_ARGUMENT);
    ck_assert_ptr_null(lw_coalescing_observer(NULL));
    ck_assert_uint_eq(lw_coalescing_count(NULL), 0);
    lw_coalescing_free(coalescing);
    lw_coalescing_free(NULL);
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("coalescing");
    tcase_add_loop_test(tc, blocks, 0, INSTRUCTIONS);
    tcase_add_test(tc, pieces_of_a_lane);
    tcase_add_test(tc, others);
    return run_suite("observers_coalescing", tc);
}
