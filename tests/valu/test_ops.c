/* SPDX-License-Identifier: MIT */
/* Integer, bit and conversion instructions compared with expressions written a second time. */
#include <check.h>

#include "emu/num/small.h"
#include "tests/num/oracle.h"
#include "tests/valu/wave_kit.h"

static kit k;

static void setup(void)
{
    kit_reset(&k, LW_ARCH_GFX950);
    for (unsigned r = 0; r < 3; r++) /* edges among the random bits */
        for (unsigned lane = r; lane < 64; lane += 7)
            k.vgpr[r][lane] = lane % 3 == 0 ? 0x80000000u : lane % 3 == 1 ? 0 : 0xffffffffu;
}

/* a, b, c as 64-bit unsigned; the expected low 32 bits of the result. */
typedef uint64_t (*want_fn)(uint64_t a, uint64_t b, uint64_t c);

#define WANT(name, expr)                                                                                     \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c)                                                 \
    {                                                                                                        \
        (void)a;                                                                                             \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        return (uint64_t)(expr);                                                                             \
    }

static int64_t sx(uint64_t v, int bits)
{
    const uint64_t sign = (uint64_t)1 << (bits - 1), low = v & (2 * sign - 1);
    return (int64_t)(low ^ sign) - (int64_t)sign;
}

static uint64_t field(uint64_t v, uint64_t offset, uint64_t width)
{
    uint64_t r = 0;
    for (uint64_t i = 0; i < width; i++)
        r |= (v >> (offset + i) & 1) << i;
    return r;
}

static uint64_t reversed(uint64_t v)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i++)
        r = r << 1 | (v >> i & 1);
    return r;
}

static int64_t lead(uint64_t v, uint64_t bit)
{
    for (int i = 0; i < 32; i++)
        if ((v >> (31 - i) & 1) == bit)
            return i;
    return -1;
}

static int64_t trail(uint64_t v)
{
    for (int i = 0; i < 32; i++)
        if (v >> i & 1)
            return i;
    return -1;
}

static uint64_t count(uint64_t v)
{
    uint64_t n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

static uint64_t permuted(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t r = 0;
    for (int i = 0; i < 4; i++) {
        const uint64_t s = c >> (8 * i) & 255, source[4] = { b >> 15, b >> 31, a >> 15, a >> 31 };
        const uint64_t byte = s < 4    ? b >> (8 * s) & 255
                              : s < 8  ? a >> (8 * (s - 4)) & 255
                              : s < 12 ? (source[s - 8] & 1) * 255
                              : s > 12 ? 255
                                       : 0;
        r |= byte << (8 * i);
    }
    return r;
}

static uint64_t byte_sums(uint64_t a, uint64_t b, bool masked)
{
    uint64_t sum = 0;
    for (int i = 0; i < 32; i += 8) {
        const int64_t x = (int64_t)(a >> i & 255), y = (int64_t)(b >> i & 255);
        sum += masked && y == 0 ? 0 : (uint64_t)(x > y ? x - y : y - x);
    }
    return sum;
}

static uint64_t byte_mean(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i += 8)
        r |= (((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) / 2) << i;
    return r;
}

static int64_t clip(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

WANT(w_add, a + b)
WANT(w_subrev, b - a)
WANT(w_and_or, (a & b) | c)
WANT(w_bfi, (a & b) | (~a & c))
WANT(w_xnor, ~(a ^ b))
WANT(w_lshl, b << (a % 32))
WANT(w_ashr, sx(b, 32) >> (a % 32))
WANT(w_min_i, sx(a, 32) < sx(b, 32) ? a : b)
WANT(w_max_u, a > b ? a : b)
WANT(w_mul_lo, a *b)
WANT(w_mul_hi, a *b >> 32)
WANT(w_mul_hi_i, sx(a, 32) * sx(b, 32) >> 32)
WANT(w_mul24, (a & 0xffffff) * (b & 0xffffff))
WANT(w_mul24i, sx(a, 24) * sx(b, 24))
WANT(w_mul24hi, sx(a, 24) * sx(b, 24) >> 32)
WANT(w_bfe_u, field(a, b % 32, c % 32))
WANT(w_bfe_i, c % 32 ? sx(field((uint64_t)sx(a, 32), b % 32, c % 32), (int)(c % 32)) : 0)
WANT(w_bfm, (((uint64_t)1 << (a % 32)) - 1) << (b % 32))
WANT(w_bfrev, reversed(a))
WANT(w_ffbh, lead(a, 1))
WANT(w_ffbh_i, lead(a, !(a >> 31)))
WANT(w_ffbl, trail(a))
WANT(w_bcnt, count(a) + b)
WANT(w_perm, permuted(a, b, c))
WANT(w_alignbit, (a << 32 | b) >> (c % 32))
WANT(w_alignbyte, (a << 32 | b) >> (c % 4 * 8))
WANT(w_med_i, clip(sx(c, 32), sx(a, 32) < sx(b, 32) ? sx(a, 32) : sx(b, 32),
                   sx(a, 32) < sx(b, 32) ? sx(b, 32) : sx(a, 32)))
WANT(w_lshl_add, (a << (b % 32)) + c)
WANT(w_add_lshl, (a + b) << (c % 32))
WANT(w_xad, (a ^ b) + c)
WANT(w_sad, byte_sums(a, b, false) + c)
WANT(w_msad, byte_sums(a, b, true) + c)
WANT(w_mad24, sx(a, 24) * sx(b, 24) + sx(c, 32))
WANT(w_mul16, (a & 0xffff) * (b & 0xffff) & 0xffff)
WANT(w_ashr16, (sx(b, 16) >> (a % 16)) & 0xffff)
WANT(w_max16, (sx(a, 16) > sx(b, 16) ? a : b) & 0xffff)
WANT(w_pk_i16, (clip(sx(a, 32), -32768, 32767) & 0xffff) | (clip(sx(b, 32), -32768, 32767) & 0xffff) << 16)
WANT(w_sat_pk, (uint64_t)clip(sx(a, 16), 0, 255) | (uint64_t)clip(sx(a >> 16, 16), 0, 255) << 8)
WANT(w_prng, a << 1 ^ (a >> 31) * 0xc5)
WANT(w_and, a &b)
WANT(w_or, a | b)
WANT(w_xor, a ^ b)
WANT(w_not, ~a)
WANT(w_sub, a - b)
WANT(w_add3, a + b + c)
WANT(w_or3, a | b | c)
WANT(w_lshl_or, (a << (b % 32)) | c)
WANT(w_lshr, b >> (a % 32))
WANT(w_max_i, sx(a, 32) > sx(b, 32) ? a : b)
WANT(w_min_u, a < b ? a : b)
WANT(w_min3_i, clip(clip(sx(a, 32), INT32_MIN, sx(b, 32)), INT32_MIN, sx(c, 32)))
WANT(w_max3_i, clip(clip(sx(a, 32), sx(b, 32), INT32_MAX), sx(c, 32), INT32_MAX))
WANT(w_min3_u, clip(clip((int64_t)a, 0, (int64_t)b), 0, (int64_t)c))
WANT(w_max3_u, clip(clip((int64_t)a, (int64_t)b, UINT32_MAX), (int64_t)c, UINT32_MAX))
WANT(w_med3_u, clip((int64_t)c, (int64_t)(a < b ? a : b), (int64_t)(a < b ? b : a)))
WANT(w_mul24hu, (a & 0xffffff) * (b & 0xffffff) >> 32)
WANT(w_mad24u, (a & 0xffffff) * (b & 0xffffff) + c)
WANT(w_sad_hi, (byte_sums(a, b, false) << 16) + c)
WANT(w_sad16, (uint64_t)llabs((int64_t)(a & 0xffff) - (int64_t)(b & 0xffff)) +
                  (uint64_t)llabs((int64_t)(a >> 16) - (int64_t)(b >> 16)) + c)
WANT(w_sad32, (uint64_t)llabs((int64_t)a - (int64_t)b) + c)
WANT(w_lerp, byte_mean(a, b, c))
WANT(w_add16, (a + b) & 0xffff)
WANT(w_sub16, (a - b) & 0xffff)
WANT(w_subrev16, (b - a) & 0xffff)
WANT(w_lshl16, (b << (a % 16)) & 0xffff)
WANT(w_lshr16, (b & 0xffff) >> (a % 16))
WANT(w_min16, (sx(a, 16) < sx(b, 16) ? a : b) & 0xffff)
WANT(w_max16u, ((a & 0xffff) > (b & 0xffff) ? a : b) & 0xffff)
WANT(w_min16u, ((a & 0xffff) < (b & 0xffff) ? a : b) & 0xffff)
WANT(w_mad16, (a * b + c) & 0xffff)
WANT(w_pk_u16, (a > 0xffff ? 0xffff : a) | (b > 0xffff ? 0xffff : b) << 16)
WANT(w_mad_i16, sx(a, 16) * sx(b, 16) + sx(c, 32))
WANT(w_mad_u16, (a & 0xffff) * (b & 0xffff) + c)

static const struct {
    lw_exec_fn fn;
    want_fn want;
} ops[] = {
    { lw_sem_v_add_u32, w_add },
    { lw_sem_v_subrev_u32, w_subrev },
    { lw_sem_v_and_or_b32, w_and_or },
    { lw_sem_v_bfi_b32, w_bfi },
    { lw_sem_v_xnor_b32, w_xnor },
    { lw_sem_v_lshlrev_b32, w_lshl },
    { lw_sem_v_ashrrev_i32, w_ashr },
    { lw_sem_v_min_i32, w_min_i },
    { lw_sem_v_max_u32, w_max_u },
    { lw_sem_v_mul_lo_u32, w_mul_lo },
    { lw_sem_v_mul_hi_u32, w_mul_hi },
    { lw_sem_v_mul_hi_i32, w_mul_hi_i },
    { lw_sem_v_mul_u32_u24, w_mul24 },
    { lw_sem_v_mul_i32_i24, w_mul24i },
    { lw_sem_v_mul_hi_i32_i24, w_mul24hi },
    { lw_sem_v_bfe_u32, w_bfe_u },
    { lw_sem_v_bfe_i32, w_bfe_i },
    { lw_sem_v_bfm_b32, w_bfm },
    { lw_sem_v_bfrev_b32, w_bfrev },
    { lw_sem_v_ffbh_u32, w_ffbh },
    { lw_sem_v_ffbh_i32, w_ffbh_i },
    { lw_sem_v_ffbl_b32, w_ffbl },
    { lw_sem_v_bcnt_u32_b32, w_bcnt },
    { lw_sem_v_perm_b32, w_perm },
    { lw_sem_v_alignbit_b32, w_alignbit },
    { lw_sem_v_alignbyte_b32, w_alignbyte },
    { lw_sem_v_med3_i32, w_med_i },
    { lw_sem_v_lshl_add_u32, w_lshl_add },
    { lw_sem_v_add_lshl_u32, w_add_lshl },
    { lw_sem_v_xad_u32, w_xad },
    { lw_sem_v_sad_u8, w_sad },
    { lw_sem_v_msad_u8, w_msad },
    { lw_sem_v_mad_i32_i24, w_mad24 },
    { lw_sem_v_mul_lo_u16, w_mul16 },
    { lw_sem_v_ashrrev_i16, w_ashr16 },
    { lw_sem_v_max_i16, w_max16 },
    { lw_sem_v_cvt_pk_i16_i32, w_pk_i16 },
    { lw_sem_v_sat_pk_u8_i16, w_sat_pk },
    { lw_sem_v_prng_b32, w_prng },
    { lw_sem_v_and_b32, w_and },
    { lw_sem_v_or_b32, w_or },
    { lw_sem_v_xor_b32, w_xor },
    { lw_sem_v_not_b32, w_not },
    { lw_sem_v_sub_u32, w_sub },
    { lw_sem_v_sub_i32, w_sub },
    { lw_sem_v_add3_u32, w_add3 },
    { lw_sem_v_or3_b32, w_or3 },
    { lw_sem_v_lshl_or_b32, w_lshl_or },
    { lw_sem_v_lshrrev_b32, w_lshr },
    { lw_sem_v_max_i32, w_max_i },
    { lw_sem_v_min_u32, w_min_u },
    { lw_sem_v_min3_i32, w_min3_i },
    { lw_sem_v_max3_i32, w_max3_i },
    { lw_sem_v_min3_u32, w_min3_u },
    { lw_sem_v_max3_u32, w_max3_u },
    { lw_sem_v_med3_u32, w_med3_u },
    { lw_sem_v_mul_hi_u32_u24, w_mul24hu },
    { lw_sem_v_mad_u32_u24, w_mad24u },
    { lw_sem_v_sad_hi_u8, w_sad_hi },
    { lw_sem_v_sad_u16, w_sad16 },
    { lw_sem_v_sad_u32, w_sad32 },
    { lw_sem_v_lerp_u8, w_lerp },
    { lw_sem_v_add_u16, w_add16 },
    { lw_sem_v_sub_u16, w_sub16 },
    { lw_sem_v_subrev_u16, w_subrev16 },
    { lw_sem_v_lshlrev_b16, w_lshl16 },
    { lw_sem_v_lshrrev_b16, w_lshr16 },
    { lw_sem_v_min_i16, w_min16 },
    { lw_sem_v_max_u16, w_max16u },
    { lw_sem_v_min_u16, w_min16u },
    { lw_sem_v_mad_legacy_u16, w_mad16 },
    { lw_sem_v_mad_legacy_i16, w_mad16 },
    { lw_sem_v_cvt_pk_u16_u32, w_pk_u16 },
    { lw_sem_v_mad_i32_i16, w_mad_i16 },
    { lw_sem_v_mad_u32_u16, w_mad_u16 },
};

enum { OPS = sizeof(ops) / sizeof(ops[0]) };

START_TEST(integer_operations)
{
    for (int n = 0; n < 200; n++) {
        const lw_decoded in = kit_inst(20, 0, 1, 2);
        setup();
        ck_assert_int_eq(ops[_i].fn(&k.w, &in), LW_STEP_NEXT);
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint32_t a = k.vgpr[0][lane], b = k.vgpr[1][lane], c = k.vgpr[2][lane];
            const uint32_t want = (uint32_t)ops[_i].want(a, b, c);
            ck_assert_msg(k.vgpr[20][lane] == want, "op %d (%08x, %08x, %08x) = %08x, not %08x", _i, a, b, c,
                          k.vgpr[20][lane], want);
        }
    }
}
END_TEST

START_TEST(known_examples)
{
    ck_assert_uint_eq((uint32_t)w_ffbh_i(0x80000000u, 0, 0),
                      1); /* the oracle itself, on the manual's example */
    lw_decoded in = kit_inst(20, 0, 1, 2);
    lw_sem_v_mbcnt_lo_u32_b32(&k.w, &in);
    uint32_t low[64];
    memcpy(low, k.vgpr[20], sizeof(low));
    lw_sem_v_mbcnt_hi_u32_b32(&k.w, &in);
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint32_t a = k.vgpr[0][lane];
        ck_assert_uint_eq(
            low[lane], (uint32_t)(count(lane < 32 ? a & (((uint64_t)1 << lane) - 1) : a) + k.vgpr[1][lane]));
        ck_assert_uint_eq(
            k.vgpr[20][lane],
            (uint32_t)(count(lane < 32 ? 0 : a & (((uint64_t)1 << (lane - 32)) - 1)) + k.vgpr[1][lane]));
    }
    for (uint32_t table = 0; table < 256; table++) {
        in.imm = table;
        lw_sem_v_bitop3_b32(&k.w, &in);
        for (unsigned bit = 0; bit < 32; bit++) {
            const uint32_t at =
                (k.vgpr[0][5] >> bit & 1) * 4 + (k.vgpr[1][5] >> bit & 1) * 2 + (k.vgpr[2][5] >> bit & 1);
            ck_assert_uint_eq(k.vgpr[20][5] >> bit & 1, table >> at & 1);
        }
    }
    in = kit_inst(20, 0, 1, 2);
    in.clamp = 1;
    lw_sem_v_add_i32(&k.w, &in);
    for (unsigned lane = 0; lane < 64; lane++)
        ck_assert_int_eq(
            (int32_t)k.vgpr[20][lane],
            clip((int64_t)(int32_t)k.vgpr[0][lane] + (int32_t)k.vgpr[1][lane], INT32_MIN, INT32_MAX));
}
END_TEST

START_TEST(wide_integers)
{
    for (unsigned clear = 0; clear < 2; clear++) {
        lw_decoded in = kit_inst(20, 0, 2, 4);
        in.sdst = kit_s(30, 2);
        lw_sem_v_mad_i64_i32(&k.w, &in);
        const uint64_t carry = lw_wave_sgpr64(&k.w, 30);
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint64_t c = k.vgpr[4][lane] | (uint64_t)k.vgpr[5][lane] << 32;
            const int64_t p = (int64_t)(int32_t)k.vgpr[0][lane] * (int32_t)k.vgpr[2][lane];
            const uint64_t sum = (uint64_t)p + c;
            ck_assert_uint_eq(k.vgpr[20][lane] | (uint64_t)k.vgpr[21][lane] << 32, sum);
            const unsigned bit64 = (unsigned)(sum < c) ^ (p < 0) ^ (unsigned)(c >> 63);
            ck_assert_uint_eq(carry >> lane & 1, bit64);
        }
        lw_sem_v_ashrrev_i64(&k.w, &in);
        lw_sem_v_lshl_add_u64(&k.w, &in);
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint64_t a = k.vgpr[0][lane] | (uint64_t)k.vgpr[1][lane] << 32;
            const uint64_t c = k.vgpr[4][lane] | (uint64_t)k.vgpr[5][lane] << 32;
            ck_assert_uint_eq(k.vgpr[20][lane] | (uint64_t)k.vgpr[21][lane] << 32,
                              (a << (k.vgpr[2][lane] & 7)) + c);
        }
    }
}
END_TEST

/* The result that the conversion's name promises, computed by the host. */
START_TEST(conversions)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        k.vgpr[0][lane] = bits_of_f32((float)((int)lane - 31) * 1000.37f);
        k.vgpr[1][lane] = bits_of_f32((float)lane * 0.031f - 1);
    }
    lw_decoded in = kit_inst(20, 0, 1, 2);
    lw_sem_v_cvt_i32_f32(&k.w, &in);
    for (unsigned lane = 0; lane < 64; lane++)
        ck_assert_int_eq((int32_t)k.vgpr[20][lane], (int32_t)f32_of(k.vgpr[0][lane]));
    lw_sem_v_cvt_pk_bf16_f32(&k.w, &in);
    for (unsigned lane = 0; lane < 64; lane++)
        for (unsigned i = 0; i < 2; i++) {
            const uint32_t x = k.vgpr[i][lane];
            ck_assert_uint_eq(k.vgpr[20][lane] >> (16 * i) & 0xffff, (x + 0x7fff + (x >> 16 & 1)) >> 16);
        }
    lw_sem_v_cvt_f32_ubyte2(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[20][11], bits_of_f32((float)(k.vgpr[0][11] >> 16 & 255)));
    lw_sem_v_cvt_off_f32_i4(&k.w, &in);
    for (unsigned lane = 0; lane < 64; lane++)
        ck_assert_uint_eq(k.vgpr[20][lane], bits_of_f32((float)sx(k.vgpr[0][lane], 4) / 16));
    lw_sem_v_cvt_f64_f32(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[20][3] | (uint64_t)k.vgpr[21][3] << 32,
                      bits_of_f64((double)f32_of(k.vgpr[0][3])));
    lw_sem_v_cvt_pknorm_i16_f32(&k.w, &in);
    for (unsigned lane = 0; lane < 64; lane++)
        ck_assert_int_eq((int16_t)(k.vgpr[20][lane] >> 16),
                         (int)nearbyint((double)f32_of(k.vgpr[1][lane]) * 32767));
    memcpy(k.vgpr[3], k.vgpr[2], sizeof(k.vgpr[3]));
    in = kit_inst(20, 1, 2, 3); /* a float's value as byte src1[1:0] of src2 */
    lw_sem_v_cvt_pk_u8_f32(&k.w, &in);
    const uint32_t shift = 8 * (k.vgpr[2][8] & 3);
    ck_assert_uint_eq(k.vgpr[20][8], k.vgpr[3][8] & ~(255u << shift)); /* -0.75 */
    k.vgpr[1][8] = 0x40200000;
    lw_sem_v_cvt_pk_u8_f32(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[20][8], (k.vgpr[3][8] & ~(255u << shift)) | 2u << shift); /* 2.5 to even */
}
END_TEST

START_TEST(bf16_pairs)
{
    static const lw_fp_env keep = { .keep_in = true, .keep_out = true, .ieee = true };
    for (int n = 0; n < 500; n++) {
        lw_decoded in = kit_inst(20, 0, 1, 2);
        const unsigned neg = n & 3;
        kit_signs(&in, neg, 0);
        for (unsigned r = 0; r < 2; r++)
            for (unsigned lane = 0; lane < 64; lane++)
                k.vgpr[r][lane] = (uint32_t)nasty(&k.seed, 8, 23);
        lw_sem_v_cvt_pk_bf16_f32(&k.w, &in);
        for (unsigned at = 0; at < 128; at++) {
            const uint32_t x = k.vgpr[at & 1][at / 2] ^ ((uint32_t)neg >> (at & 1) & 1u) << 31;
            ck_assert_uint_eq(k.vgpr[20][at / 2] >> (16 * (at & 1)) & 0xffff,
                              lw_fp_convert(&lw_fp_f32, &keep, &lw_fp_bf16, &keep, x));
        }
    }
}
END_TEST

START_TEST(division_steps_use_lane_masks)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        k.vgpr[0][lane] = 0x7f000000; /* a quotient that overflows unless scaled */
        k.vgpr[1][lane] = lane % 2 ? 0x00800000 : 0x7e000000;
    }
    lw_decoded in = kit_inst(20, 0, 1, 0);
    in.sdst = kit_s(LW_SGPR_VCC, 2);
    lw_wave_set_sgpr64(&k.w, LW_SGPR_EXEC, 0x00ffffffffffffffu);
    lw_sem_v_div_scale_f32(&k.w, &in);
    ck_assert_uint_eq(lw_wave_sgpr64(&k.w, LW_SGPR_VCC), 0x00aaaaaaaaaaaaaau);
    for (unsigned lane = 0; lane < 64; lane++)
        k.vgpr[0][lane] = k.vgpr[1][lane] = k.vgpr[2][lane] = 0x3f800000;
    in = kit_inst(20, 0, 1, 2);
    lw_sem_v_div_fmas_f32(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[20][0], 0x40000000);
    ck_assert_uint_eq(k.vgpr[20][1], 0x40000000 - (64u << 23));
}
END_TEST

START_TEST(unknown_meanings_are_refused)
{
    lw_decoded in = kit_inst(20, 0, 1, 2);
    in.enc = LW_ENC_VOP3P;
    kit_pairs(&in, 0, 0, 1, 0);
    ck_assert_int_eq(lw_sem_v_pk_add_u16(&k.w, &in), LW_STEP_FAULT);
    ck_assert_int_eq(lw_sem_v_dot4_i32_i8(&k.w, &in), LW_STEP_FAULT);
    kit_pairs(&in, 0, 0, 0, 0);
    in.src[0] = (lw_opnd){ .kind = LW_OPND_SPECIAL, .dwords = 1, .reg = 254 };
    ck_assert_int_eq(lw_sem_v_mov_b32(&k.w, &in), LW_STEP_FAULT);
    ck_assert_str_eq(k.fault.reason, "source 0: special register 254 has no rule for vector instructions");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ops");
    TCase *tc = tcase_create("ops");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_loop_test(tc, integer_operations, 0, OPS);
    tcase_add_test(tc, known_examples);
    tcase_add_test(tc, wide_integers);
    tcase_add_test(tc, conversions);
    tcase_add_test(tc, bf16_pairs);
    tcase_add_test(tc, division_steps_use_lane_masks);
    tcase_add_test(tc, unknown_meanings_are_refused);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
