/* SPDX-License-Identifier: MIT */
/* Vector instructions that gfx1250 adds: sums with a limit, tables, bf16 in mixed sums and approximations,
 * halves and 8-bit floats; each written a second time. */
#include <check.h>
#include <math.h>

#include "tests/num/oracle.h"
#include "tests/valu/wave_kit.h"

static kit k;

enum { WAVE = 32, DST = 64 };

static void setup(void)
{
    kit_reset(&k, LW_ARCH_GFX1250);
    k.w.lanes = WAVE;
    lw_wave_set_sgpr64(&k.w, LW_SGPR_EXEC, 0xffffffff);
    static const uint32_t edges[] = { 0,          1,          0x7fffffff, 0x80000000,
                                      0xffffffff, 0x7fff8000, 0x80007fff, 0x00010001 };
    for (unsigned r = 0; r < 3; r++)
        for (unsigned lane = 0; lane < 24; lane++)
            k.vgpr[r][lane] = edges[(lane * (2 * r + 1) + r + lane / 8) % 8];
}

typedef lw_step (*handler)(lw_wave *, const lw_decoded *);

static int64_t limited_sum(int64_t a, int64_t b, int bits, bool is_signed)
{
    const double low = is_signed ? -ldexp(1, bits - 1) : 0,
                 high = is_signed ? ldexp(1, bits - 1) - 1 : ldexp(1, bits) - 1;
    const double sum = (double)a + (double)b;
    return (int64_t)fmin(fmax(sum, low), high);
}

static int64_t field(uint32_t v, int at, int bits, bool is_signed)
{
    const int64_t u = v >> at & (bits == 32 ? 0xffffffff : (1u << bits) - 1);
    return is_signed && u >> (bits - 1) ? u - ((int64_t)1 << bits) : u;
}

static void check_sums(handler fn, int bits, bool is_signed, bool max)
{
    for (uint8_t clamp = 0; clamp < 2; clamp++) {
        lw_decoded in = kit_inst(DST, 0, 1, 2);
        kit_pairs(&in, 0, 7, 0, 0);
        in.clamp = clamp;
        ck_assert_int_eq(fn(&k.w, &in), LW_STEP_NEXT);
        for (unsigned lane = 0; lane < WAVE; lane++)
            for (int at = 0; at < 32; at += bits) {
                int64_t s[3];
                for (unsigned i = 0; i < 3; i++)
                    s[i] = field(k.vgpr[i][lane], at, bits, is_signed);
                const int64_t sum = limited_sum(s[0], s[1], bits, is_signed);
                const int64_t want = (sum > s[2]) == max ? sum : s[2];
                ck_assert_int_eq(field(k.vgpr[DST][lane], at, bits, is_signed), want);
            }
    }
}

START_TEST(sums_with_a_limit)
{
    check_sums(lw_sem_v_add_max_i32, 32, true, true);
    check_sums(lw_sem_v_add_min_i32, 32, true, false);
    check_sums(lw_sem_v_add_max_u32, 32, false, true);
    check_sums(lw_sem_v_add_min_u32, 32, false, false);
    check_sums(lw_sem_v_pk_add_max_i16, 16, true, true);
    check_sums(lw_sem_v_pk_add_min_i16, 16, true, false);
    check_sums(lw_sem_v_pk_add_max_u16, 16, false, true);
    check_sums(lw_sem_v_pk_add_min_u16, 16, false, false);
}
END_TEST

START_TEST(bytes_to_nibbles)
{
    lw_decoded in = kit_inst(DST, 40, 0, 0);
    for (unsigned sign = 0; sign < 2; sign++) {
        (sign ? lw_sem_v_sat_pk4_i4_i8 : lw_sem_v_sat_pk4_u4_u8)(&k.w, &in);
        for (unsigned lane = 0; lane < WAVE; lane++)
            for (int i = 0; i < 4; i++) {
                const int64_t v = field(k.vgpr[40][lane], 8 * i, 8, sign),
                              got = field(k.vgpr[DST][lane], 4 * i, 4, sign);
                ck_assert_int_eq(got, v > (sign ? 7 : 15) ? (sign ? 7 : 15) : v < -8 ? -8 : v);
            }
    }
}
END_TEST

static unsigned bit_of(unsigned reg, unsigned lane, unsigned bit)
{
    return k.vgpr[reg + bit / 32][lane] >> bit % 32 & 1;
}

/* Bit by bit: the table's lower part is source 1. */
static void check_table(handler fn, unsigned bits, unsigned low_bits)
{
    lw_decoded in = kit_inst(DST, 40, 44, 48);
    fn(&k.w, &in);
    for (unsigned lane = 0; lane < WAVE; lane++)
        for (unsigned i = 0; i < 16 * bits; i++) {
            const unsigned index = k.vgpr[48 + i / bits / 8][lane] >> (4 * (i / bits % 8)) & 15;
            const unsigned at = index * bits + i % bits;
            const unsigned want = at < low_bits ? bit_of(44, lane, at) : bit_of(40, lane, at - low_bits);
            ck_assert_uint_eq(bit_of(DST, lane, i), want);
        }
}

START_TEST(tables_of_sixteen)
{
    check_table(lw_sem_v_perm_pk16_b4_u4, 4, 32);
    check_table(lw_sem_v_perm_pk16_b6_u4, 6, 64);
    check_table(lw_sem_v_perm_pk16_b8_u4, 8, 64);
}
END_TEST

START_TEST(bf16_in_mixed_sums)
{
    for (unsigned lane = 0; lane < WAVE; lane++) { /* small multiples: sums are exact in f32 */
        const int n = (int)(kit_random(&k) % 65) - 32;
        k.vgpr[0][lane] = bits_of_f32((float)n / 4) | (k.vgpr[0][lane] & 0xff);
        k.vgpr[1][lane] = bits_of_f32((float)((int)(kit_random(&k) % 65) - 32) / 16);
        k.vgpr[2][lane] = bits_of_f32((float)((int)(kit_random(&k) % 65) - 32) / 8) >> 16 | 0x12340000;
    }
    lw_decoded in = kit_inst(DST, 0, 1, 2);
    kit_mixed(&in, 1, 5, 2, 4); /* high half of source 0, minus source 1, absolute low half of source 2 */
    lw_sem_v_fma_mix_f32_bf16(&k.w, &in);
    for (unsigned lane = 0; lane < WAVE; lane++) {
        const float a = f32_of(k.vgpr[0][lane] & 0xffff0000), b = f32_of(k.vgpr[1][lane]),
                    c = f32_of(k.vgpr[2][lane] << 16);
        ck_assert_uint_eq(k.vgpr[DST][lane], bits_of_f32(fabsf(c) - a * b));
    }
    const uint32_t old = k.vgpr[DST][4];
    k.vgpr[0][4] = 0x3f800000;             /* 1 */
    k.vgpr[1][4] = bits_of_f32(0x1.01p0f); /* a tie of bf16 */
    k.vgpr[2][4] = 0x00000001;             /* and a subnormal bf16 above it: one rounding goes up */
    kit_mixed(&in, 1, 5, 0, 0);
    lw_sem_v_fma_mixlo_bf16(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[DST][4], (old & 0xffff0000) | 0x3f81);
    k.vgpr[2][4] = 0;
    lw_sem_v_fma_mixhi_bf16(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[DST][4], 0x3f803f81);
}
END_TEST

/* e4m3 or e5m2 as f16. */
static uint32_t half_of(uint32_t code, bool e5m2)
{
    if (e5m2)
        return (code & 0x7f) > 0x7c ? (code & 0x80) << 8 | 0x7e00 : code << 8;
    if ((code & 0x7f) == 0x7f)
        return (code & 0x80) << 8 | 0x7e00;
    const int exp = code >> 3 & 15, frac = code & 7;
    const float v = exp ? ldexpf(8 + (float)frac, exp - 10) : ldexpf((float)frac, -9);
    const uint32_t f = bits_of_f32(v); /* normal in f16: move the exponent */
    return (code & 0x80) << 8 | (v == 0 ? 0 : ((f - (112u << 23)) >> 13));
}

START_TEST(halves_of_eight_bits)
{
    for (unsigned base = 0; base < 256; base += WAVE)
        for (unsigned e5m2 = 0; e5m2 < 2; e5m2++) {
            for (unsigned lane = 0; lane < WAVE; lane++)
                k.vgpr[40][lane] =
                    ((base + lane) << 16 | (255 - base - lane) << 24) | (k.vgpr[40][lane] & 0xffff);
            lw_decoded in = kit_inst(DST, 40, 0, 0);
            in.op_sel = 1; /* byte 2: the bits are exchanged */
            in.dst.flags |= LW_OPND_F_HALF;
            const uint32_t old = k.vgpr[DST][3];
            (e5m2 ? lw_sem_v_cvt_f16_bf8 : lw_sem_v_cvt_f16_fp8)(&k.w, &in);
            ck_assert_uint_eq(k.vgpr[DST][3], (old & 0xffff0000) | half_of(base + 3, e5m2));
            in = kit_inst(DST, 40, 0, 0);
            in.src[0].sel = LW_SEL_WORD_1;
            (e5m2 ? lw_sem_v_cvt_pk_f16_bf8 : lw_sem_v_cvt_pk_f16_fp8)(&k.w, &in);
            for (unsigned lane = 0; lane < WAVE; lane++)
                ck_assert_uint_eq(k.vgpr[DST][lane],
                                  half_of(base + lane, e5m2) | half_of(255 - base - lane, e5m2) << 16);
            in = kit_inst(DST + 1, DST, 0, 0); /* and back */
            in.dst.flags |= LW_OPND_F_HALF;
            (e5m2 ? lw_sem_v_cvt_pk_bf8_f16 : lw_sem_v_cvt_pk_fp8_f16)(&k.w, &in);
            const uint32_t nan = e5m2 ? 0xfe : 0xff, last = e5m2 ? 0x7c : 0x7e;
            for (unsigned lane = 0; lane < WAVE; lane++) {
                const uint32_t low = base + lane, high = 255 - base - lane;
                const uint32_t want = ((low & 0x7f) > last ? nan : low) | ((high & 0x7f) > last ? nan : high)
                                                                              << 8;
                ck_assert_uint_eq(k.vgpr[DST + 1][lane] & 0xffff, want);
            }
        }
}
END_TEST

START_TEST(seeds_of_halves)
{
    lw_decoded in = kit_inst(DST, 40, 41, 0);
    in.op_sel = 4; /* byte 1 */
    for (uint32_t seed = 0; seed < 128; seed++) {
        k.vgpr[40][0] = 0x3c00 + 37; /* 1 and 37/128 of the last place of e4m3 */
        k.vgpr[41][0] = seed << 25 | 0x1ffffff;
        k.vgpr[DST][0] = 0x11223344;
        lw_sem_v_cvt_sr_fp8_f16(&k.w, &in);
        ck_assert_uint_eq(k.vgpr[DST][0], 0x11220044 | (seed + 37 >= 128 ? 0x39u : 0x38u) << 8);
        lw_sem_v_cvt_sr_bf8_f16(&k.w, &in);
        ck_assert_uint_eq(k.vgpr[DST][0], 0x11220044 | (2 * seed + 1 + 37 >= 256 ? 0x3du : 0x3cu) << 8);
    }
}
END_TEST

static double turns(double x, bool cosine)
{
    const double t = 2 * acos(-1) * (x - nearbyint(x));
    return cosine ? cos(t) : sin(t);
}

static double reciprocal(double x)
{
    return 1 / x;
}

static double reciprocal_root(double x)
{
    return 1 / sqrt(x);
}

static double sine(double x)
{
    return turns(x, false);
}

static double cosine(double x)
{
    return turns(x, true);
}

/* At most one unit off the exact value, wherever that is a normal number. */
START_TEST(approximations_of_bf16)
{
    static const handler all[] = { lw_sem_v_exp_bf16, lw_sem_v_log_bf16,  lw_sem_v_rcp_bf16,
                                   lw_sem_v_rsq_bf16, lw_sem_v_sqrt_bf16, lw_sem_v_sin_bf16,
                                   lw_sem_v_cos_bf16 };
    static double (*const exact[])(double) = { exp2, log2, reciprocal, reciprocal_root, sqrt, sine, cosine };
    lw_decoded in = kit_inst(DST, 40, 0, 0);
    in.src[0].sel = LW_SEL_WORD_1;
    for (uint32_t x = 0; x < 0x10000; x += WAVE) {
        for (unsigned lane = 0; lane < WAVE; lane++)
            k.vgpr[40][lane] = (x + lane) << 16 | 0x5555;
        all[_i](&k.w, &in);
        for (unsigned lane = 0; lane < WAVE; lane++) {
            const double v = f32_of((x + lane) << 16), want = exact[_i](v);
            const double got = f32_of(k.vgpr[DST][lane] << 16);
            if (!isnormal((float)v) || fabs(v) >= 0x1p22 || !isfinite(want) || fabs(want) < 0x1p-125 ||
                fabs(want) > 0x1.fep127)
                continue;
            int e;
            frexp(want, &e);
            ck_assert_msg(fabs(got - want) <= ldexp(1, e - 8) + 0x1p-50, "%x: %a for %a", x + lane, got,
                          want);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("gfx1250");
    TCase *t = tcase_create("gfx1250");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, sums_with_a_limit);
    tcase_add_test(t, bytes_to_nibbles);
    tcase_add_test(t, tables_of_sixteen);
    tcase_add_test(t, bf16_in_mixed_sums);
    tcase_add_test(t, halves_of_eight_bits);
    tcase_add_test(t, seeds_of_halves);
    tcase_add_loop_test(t, approximations_of_bf16, 0, 7);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
