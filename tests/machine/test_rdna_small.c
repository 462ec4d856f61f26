/* SPDX-License-Identifier: MIT */
/* Conversions of gfx12 to and from 8-bit floats, compared with their definitions (AMD RDNA4 ISA manual)
 * written a second time. Words: llvm-mc 22. */
#include "machine/rdna_lanes.h"

typedef struct small {
    int exp_bits, frac_bits, bias;
    uint32_t most, over, nan; /* the largest number, the code for overflow, NaN */
} small;

static const small fp8 = { 4, 3, 7, 0x7e, 0x7f, 0xff }, bf8 = { 5, 2, 15, 0x7b, 0x7c, 0xfe };

static double small_of(const small *s, uint32_t code)
{
    return small_value(code, s->exp_bits, s->frac_bits, s->bias);
}

/* The nearest of all codes, the even one of two equally near; one past the largest number overflows. */
static uint32_t nearest(const small *s, uint32_t bits, bool saturate)
{
    const double all = fabs((double)f32_of(bits)), x = all > 0x1p20 ? 0x1p20 : all;
    const uint32_t sign = bits >> 24 & 0x80;
    if (isnan(all) || isinf(all))
        return isnan(all) ? s->nan : sign | s->over;
    uint32_t best = 0;
    for (uint32_t code = 0; code <= s->most + 1; code++) {
        const double d = fabs(small_of(s, code) - x), e = fabs(small_of(s, best) - x);
        if (d < e || (d == e && code % 2 == 0))
            best = code;
    }
    return sign | (best <= s->most ? best : saturate ? s->most : s->over);
}

/* Bits of the seed are added below the last place, then truncated; bits that a subnormal loses are dropped
 * first. */
static uint32_t stochastic(const small *s, uint32_t bits, uint32_t random, bool saturate)
{
    const float x = fabsf(f32_of(bits));
    const uint32_t sign = bits >> 24 & 0x80;
    if (isnan(x) || isinf(x))
        return isnan(x) ? s->nan : sign | s->over;
    const int drop = 23 - s->frac_bits, least = 1 - s->bias;
    const int e = x == 0 || ilogbf(x) < least ? least : ilogbf(x);
    const uint32_t whole = (uint32_t)ldexp(x, 23 - e) + (random >> (32 - drop));
    const uint32_t code = ((uint32_t)(e - least) << s->frac_bits) + (whole >> drop);
    return sign | (code <= s->most ? code : saturate ? s->most : s->over);
}

/* Numbers in the format's range, and others. */
static uint32_t draw_small(void)
{
    const uint64_t r = next_random(&seed);
    const uint32_t exponent = r & 7 ? 100 + (uint32_t)(r >> 8) % 50 : (uint32_t)(r >> 8) & 255;
    const uint32_t fraction = (uint32_t)(r >> 20) & 0x7fffff & (r >> 50 & 1 ? 0x7c0000 : 0x7fffff);
    return (uint32_t)(r >> 63) << 31 | exponent << 23 | fraction;
}

/* v6 = two codes in a half, or one in a byte; byte_sel is the upper two bits of op_sel. */
START_TEST(to_small)
{
    for (unsigned n = 0; n < 4 * ROUNDS; n++) {
        const bool is_bf8 = n & 1, saturate = n & 2;
        const small *s = is_bf8 ? &bf8 : &fp8;
        const unsigned high = n >> 2 & 1, byte = n >> 2 & 3;
        const uint32_t mode = 0xf0 | (saturate ? OVFL : 0);
        draw_registers(false, false);
        before.wave.sgpr[LW_SGPR_EXEC] = UINT32_MAX;
        for (unsigned lane = 0; lane < LANES; lane++) {
            before.v[0][lane] = draw_small();
            before.v[1][lane] = draw_small();
        }
        run(LW_ARCH_GFX1201, mode, (0xd7690000u + ((uint32_t)is_bf8 << 16)) | high << 14 | D, 256 | 257 << 9);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint32_t pair = nearest(s, before.v[0][lane], saturate) |
                                  nearest(s, before.v[1][lane], saturate) << 8,
                           old = before.v[D][lane];
            const uint32_t want = high ? (old & 0xffff) | pair << 16 : (old & 0xffff0000) | pair;
            ck_assert_msg(after.v[D][lane] == want, "%s of %08x %08x, MODE %x: %08x, not %08x",
                          is_bf8 ? "bf8" : "fp8", before.v[0][lane], before.v[1][lane], mode,
                          after.v[D][lane], want);
        }
        run(LW_ARCH_GFX1201, mode, (0xd76b0000u + ((uint32_t)is_bf8 << 16)) | byte << 13 | D, 256 | 257 << 9);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint32_t code = stochastic(s, before.v[0][lane], before.v[1][lane], saturate),
                           old = before.v[D][lane];
            ck_assert_msg(after.v[D][lane] == ((old & ~(255u << 8 * byte)) | code << 8 * byte),
                          "%s of %08x, seed %08x, byte %u: %08x, not %02x", is_bf8 ? "bf8" : "fp8",
                          before.v[0][lane], before.v[1][lane], byte, after.v[D][lane], code);
        }
    }
}
END_TEST

static uint32_t widened(const small *s, uint32_t code)
{
    const uint32_t magnitude = code & 0x7f, sign = code << 24 & 0x80000000;
    if (magnitude > s->most)
        return sign | (s->over == 0x7c && magnitude == 0x7c ? 0x7f800000 : 0x7fc00000);
    return bits_of_f32((float)small_of(s, code));
}

/* All codes in all bytes: op_sel's two bits are swapped (byte 1 is 2); op_sel[0] is the half of a pair. */
START_TEST(from_small)
{
    static const unsigned op_sel[4] = { 0, 2, 1, 3 };
    for (unsigned n = 0; n < 64; n++) {
        const bool is_bf8 = n & 1;
        const small *s = is_bf8 ? &bf8 : &fp8;
        const unsigned byte = n >> 1 & 3, high = n >> 1 & 1;
        draw_registers(false, false);
        before.wave.sgpr[LW_SGPR_EXEC] = UINT32_MAX;
        for (unsigned lane = 0; lane < LANES; lane++)
            before.v[0][lane] = ((n / 8 * LANES + lane) & 255) * 0x01010101u + 0x00408020u;
        run(LW_ARCH_GFX1201, 0xf0, (0xd5ec0000u + ((uint32_t)is_bf8 << 16)) | op_sel[byte] << 11 | D, 256);
        for (unsigned lane = 0; lane < LANES; lane++)
            ck_assert_uint_eq(after.v[D][lane], widened(s, before.v[0][lane] >> 8 * byte & 255));
        run(LW_ARCH_GFX1201, 0xf0, (0xd5ee0000u + ((uint32_t)is_bf8 << 16)) | high << 11 | D, 256);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint32_t pair = before.v[0][lane] >> 16 * high;
            ck_assert_uint_eq(after.v[D][lane], widened(s, pair & 255));
            ck_assert_uint_eq(after.v[D + 1][lane], widened(s, pair >> 8 & 255));
        }
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("rdna small");
    tcase_add_test(tc, to_small);
    tcase_add_test(tc, from_small);
    tcase_set_timeout(tc, 60);
    return run_suite("rdna small", tc);
}
