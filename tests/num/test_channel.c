/* SPDX-License-Identifier: MIT */
/* Channels of buffer formats, compared with the host's arithmetic: all codes of up to 16 bits unpacked, and
 * random and tied numbers packed; published points of AMD's emulator. */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "emu/num/channel.h"
#include "tests/num/oracle.h"

static uint64_t seed = 0x3c6ef372fe94f82bu;

static uint32_t any(void)
{
    return (uint32_t)(next_random(&seed) >> 32);
}

static const unsigned WIDTHS[] = { 2, 8, 10, 16 };
static const lw_channel_number NUMBERS[] = { LW_CHANNEL_UNORM,   LW_CHANNEL_SNORM, LW_CHANNEL_USCALED,
                                             LW_CHANNEL_SSCALED, LW_CHANNEL_UINT,  LW_CHANNEL_SINT };

static bool is_signed(lw_channel_number n)
{
    return n == LW_CHANNEL_SNORM || n == LW_CHANNEL_SSCALED || n == LW_CHANNEL_SINT;
}

static uint32_t unpacked(lw_channel_number n, unsigned width, uint32_t code)
{
    const long whole = 1L << width, half = whole / 2;
    const long v = is_signed(n) && code >= (uint32_t)half ? (long)code - whole : (long)code;
    const float steps = (float)(n == LW_CHANNEL_SNORM ? half - 1 : whole - 1);
    switch (n) {
    case LW_CHANNEL_UNORM:
    case LW_CHANNEL_SNORM:
        return bits_of_f32(fmaxf((float)v / steps, -1));
    case LW_CHANNEL_USCALED:
    case LW_CHANNEL_SSCALED:
        return bits_of_f32((float)v);
    default:
        return (uint32_t)v;
    }
}

START_TEST(unpack_all_codes)
{
    for (size_t i = 0; i < sizeof(WIDTHS) / sizeof(WIDTHS[0]); i++)
        for (size_t k = 0; k < sizeof(NUMBERS) / sizeof(NUMBERS[0]); k++)
            for (uint32_t code = 0; code < 1u << WIDTHS[i]; code++) {
                const uint32_t got = lw_channel_unpack(NUMBERS[k], WIDTHS[i], code);
                ck_assert_msg(got == unpacked(NUMBERS[k], WIDTHS[i], code),
                              "number %d, %u bits, code %x: %08x", (int)NUMBERS[k], WIDTHS[i], (unsigned)code,
                              (unsigned)got);
            }
}
END_TEST

START_TEST(unpack_floats)
{
    static const unsigned widths[] = { 10, 11, 16 };
    for (size_t i = 0; i < 3; i++)
        for (uint32_t code = 0; code < 1u << widths[i]; code++) {
            const int frac_bits = widths[i] == 16 ? 10 : (int)widths[i] - 5;
            const uint32_t magnitude = code & 0x7fff, sign = code >> 15 << 31, top = 31u << frac_bits;
            const uint32_t frac = magnitude & ((1u << frac_bits) - 1);
            const uint32_t want =
                sign | (magnitude >= top ? 0x7f800000 | frac << (23 - frac_bits)
                                         : bits_of_f32((float)small_value(magnitude, 5, frac_bits, 15)));
            ck_assert_uint_eq(lw_channel_unpack(LW_CHANNEL_FLOAT, widths[i], code), want);
        }
    ck_assert_uint_eq(lw_channel_unpack(LW_CHANNEL_FLOAT, 32, 0x7fa00001), 0x7fa00001);
}
END_TEST

/* A number near a tie of the format, or any bits. */
static uint32_t sample(unsigned width)
{
    const float steps = (float)((1u << width) - 1);
    const uint32_t r = any();
    switch (r >> 29) {
    case 0:
    case 1:
        return bits_of_f32(((float)(any() >> (32 - width)) + 0.5f) / steps) + any() % 5 - 2;
    case 2:
        return bits_of_f32(((float)(any() >> (32 - width)) + 0.5f) / (steps / 2)) ^ (any() & 0x80000000);
    case 3:
        return bits_of_f32((float)(int32_t)(any() << (r & 15) >> 4) / 16);
    case 4:
        return 0x3f800000 + any() % 9 - 4;
    default:
        return any();
    }
}

static double limited(double x, double low, double high)
{
    return isnan(x) ? 0 : x < low ? low : x > high ? high : x;
}

static uint32_t packed(lw_channel_number n, unsigned width, uint32_t bits)
{
    const double x = (double)f32_of(bits), steps = (double)((1u << width) - 1),
                 half = (double)(1u << (width - 1));
    double v = 0;
    if (n == LW_CHANNEL_UNORM)
        v = nearbyint(limited(x, 0, 1) * steps);
    else if (n == LW_CHANNEL_SNORM)
        v = nearbyint(limited(x, -1, 1) * (half - 1));
    else if (n == LW_CHANNEL_USCALED)
        v = trunc(limited(x, 0, steps));
    else if (n == LW_CHANNEL_SSCALED)
        v = trunc(limited(x, -half, half - 1));
    else
        return bits & ((1u << width) - 1);
    return (uint32_t)(int32_t)v & ((1u << width) - 1);
}

START_TEST(pack_numbers)
{
    for (size_t i = 0; i < sizeof(WIDTHS) / sizeof(WIDTHS[0]); i++)
        for (size_t k = 0; k < sizeof(NUMBERS) / sizeof(NUMBERS[0]); k++)
            for (int round = 0; round < 20000; round++) {
                const uint32_t x = sample(WIDTHS[i]), got = lw_channel_pack(NUMBERS[k], WIDTHS[i], x);
                ck_assert_msg(got == packed(NUMBERS[k], WIDTHS[i], x), "number %d, %u bits, %08x: %x",
                              (int)NUMBERS[k], WIDTHS[i], (unsigned)x, (unsigned)got);
            }
}
END_TEST

/* The nearest code of a float with 5 bits of exponent, ties to even; codes from `top` on are infinite. */
static uint32_t nearest(double x, int frac_bits, uint32_t top)
{
    uint32_t low = 0, high = top;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (small_value(middle, 6, frac_bits, 15) <= x)
            low = middle;
        else
            high = middle;
    }
    const double below = x - small_value(low, 6, frac_bits, 15),
                 above = small_value(high, 6, frac_bits, 15) - x;
    return below < above || (below == above && low % 2 == 0) ? low : high;
}

static uint32_t packed_float(unsigned width, uint32_t bits)
{
    const double x = (double)f32_of(bits);
    const int frac_bits = width == 16 ? 10 : (int)width - 5;
    const uint32_t inf = 31u << frac_bits, sign = width == 16 ? bits >> 31 << 15 : 0;
    if (isnan(x))
        return sign | inf | 1u << (frac_bits - 1) | (width == 16 ? (bits & 0x7fffff) >> 13 : 0);
    if (width < 16 && x <= 0)
        return 0;
    if (isinf(x))
        return sign | inf;
    if (width < 16 && x >= small_value(inf - 1, 6, frac_bits, 15))
        return inf - 1;
    return sign | nearest(fabs(x), frac_bits, inf);
}

START_TEST(pack_floats)
{
    static const unsigned widths[] = { 10, 11, 16 };
    for (size_t i = 0; i < 3; i++)
        for (int round = 0; round < 100000; round++) {
            uint32_t x = any();
            if (round % 4) /* around the format's range, with ties */
                x = (x & 0x80000000) | ((100 + x % 48) << 23) | (any() & (round % 2 ? 0x7fffff : 0x7ff000));
            ck_assert_msg(lw_channel_pack(LW_CHANNEL_FLOAT, widths[i], x) == packed_float(widths[i], x),
                          "%u bits, %08x: %x, not %x", widths[i], (unsigned)x,
                          (unsigned)lw_channel_pack(LW_CHANNEL_FLOAT, widths[i], x),
                          (unsigned)packed_float(widths[i], x));
        }
    ck_assert_uint_eq(lw_channel_pack(LW_CHANNEL_FLOAT, 32, 0x7fa00001), 0x7fa00001);
}
END_TEST

/* Towards zero for an f32 channel, to nearest for the others; no number becomes infinite towards zero. */
START_TEST(halves)
{
    for (int round = 0; round < 100000; round++) {
        const uint32_t x = (any() & 0x807fffff) | ((100 + any() % 48) << 23), up = packed_float(16, x);
        const uint32_t magnitude = up & 0x7fff;
        const bool over = small_value(magnitude, 6, 10, 15) > fabs((double)f32_of(x));
        ck_assert_uint_eq(lw_channel_to_half(LW_CHANNEL_FLOAT, 16, x), up);
        ck_assert_uint_eq(lw_channel_to_half(LW_CHANNEL_UNORM, 8, x), up);
        ck_assert_uint_eq(lw_channel_to_half(LW_CHANNEL_FLOAT, 32, x),
                          over || magnitude == 0x7c00 ? up - 1 : up);
        ck_assert_uint_eq(lw_channel_to_half(LW_CHANNEL_UINT, 32, x), x & 0xffff);
    }
    for (uint32_t h = 0; h < 0x10000; h++) {
        ck_assert_uint_eq(lw_channel_of_half(LW_CHANNEL_UNORM, h),
                          lw_channel_unpack(LW_CHANNEL_FLOAT, 16, h));
        ck_assert_uint_eq(lw_channel_of_half(LW_CHANNEL_UINT, h), h);
        ck_assert_int_eq((int32_t)lw_channel_of_half(LW_CHANNEL_SINT, h), (int)h - (h & 0x8000 ? 65536 : 0));
    }
}
END_TEST

/* Inputs and the codes of 2, 8, 10 and 16 bits that rocjitsu's tests state for them. */
START_TEST(published_points)
{
    static const struct {
        uint32_t input, want[4];
    } points[] = {
        { 0xbf000000, { 0, 0, 0, 0 } },          { 0x7f800001, { 0, 0, 0, 0 } },
        { 0xffffffff, { 0, 0, 0, 0 } },          { 0x7f800000, { 3, 255, 1023, 65535 } },
        { 0x3f7fffff, { 3, 255, 1023, 65535 } }, { 0x3effffff, { 1, 127, 511, 32767 } },
        { 0x3f000000, { 2, 128, 512, 32768 } },  { 0x3e2aaaaa, { 0, 42, 170, 10922 } },
        { 0x3e2aaaab, { 1, 43, 171, 10923 } },   { 0x3b008080, { 0, 0, 2, 128 } },
        { 0x3b008081, { 0, 1, 2, 129 } },        { 0x3a002008, { 0, 0, 0, 32 } },
        { 0x3a002009, { 0, 0, 1, 32 } },         { 0x37000081, { 0, 0, 0, 1 } },
    };
    for (size_t i = 0; i < sizeof(points) / sizeof(points[0]); i++)
        for (size_t k = 0; k < 4; k++)
            ck_assert_uint_eq(lw_channel_pack(LW_CHANNEL_UNORM, WIDTHS[k], points[i].input),
                              points[i].want[k]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("num_channel");
    TCase *tc = tcase_create("channel");
    tcase_add_test(tc, unpack_all_codes);
    tcase_add_test(tc, unpack_floats);
    tcase_add_test(tc, pack_numbers);
    tcase_add_test(tc, pack_floats);
    tcase_add_test(tc, halves);
    tcase_add_test(tc, published_points);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
