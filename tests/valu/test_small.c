/* SPDX-License-Identifier: MIT */
/* Conversions to and from small floats: packing, element order, seeds. */
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

START_TEST(fp8_on_both_generations)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        k.vgpr[0][lane] = bits_of_f32(1.0f);
        k.vgpr[1][lane] = bits_of_f32(-480.0f);
    }
    for (int new_chip = 0; new_chip < 2; new_chip++) {
        k.w.arch = new_chip ? LW_ARCH_GFX950 : LW_ARCH_GFX942;
        lw_decoded in = kit_inst(20, 0, 1, 2);
        in.op_sel = 8;
        const uint32_t old = k.vgpr[20][7];
        lw_sem_v_cvt_pk_fp8_f32(&k.w, &in);
        ck_assert_uint_eq(k.vgpr[20][7], (old & 0xffff) | (new_chip ? 0xff380000u : 0x80400000u));
        k.w.mode |= LW_MODE_FP16_OVFL;
        lw_sem_v_cvt_pk_fp8_f32(&k.w, &in);
        ck_assert_uint_eq(k.vgpr[20][7] >> 24, new_chip ? 0xfe : 0xff);
        k.w.mode &= ~(uint32_t)LW_MODE_FP16_OVFL;
        in = kit_inst(22, 20, 0, 0);
        in.enc = LW_ENC_VOP1;
        in.sub = LW_SUB_SDWA;
        in.sdwa_dst_sel = 6;
        in.src[0].sel = kit_sdwa(5);
        lw_sem_v_cvt_pk_f32_fp8(&k.w, &in);
        ck_assert_uint_eq(k.vgpr[22][7], bits_of_f32(1.0f));
        ck_assert_uint_eq(k.vgpr[23][7], bits_of_f32(new_chip ? -448.0f : -240.0f));
        in.src[0].sel = kit_sdwa(2);
        lw_sem_v_cvt_f32_fp8(&k.w, &in);
        ck_assert_uint_eq(k.vgpr[22][7], bits_of_f32(1.0f));
    }
}
END_TEST

START_TEST(scaled_pairs_and_bytes)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        k.vgpr[0][lane] = bits_of_f32(3.0f);
        k.vgpr[1][lane] = bits_of_f32(-0.5f);
        k.vgpr[2][lane] = bits_of_f32(0.5f) | 0x80001234; /* sign and mantissa are ignored */
        k.vgpr[3][lane] = 0xbc004200;                     /* f16 3, -1 */
        k.vgpr[20][lane] = 0xaabbccdd;
    }
    lw_decoded in = kit_inst(20, 0, 1, 2);
    in.op_sel = 4;                               /* byte 1 */
    lw_sem_v_cvt_scalef32_pk_fp4_f32(&k.w, &in); /* 6 and -1 */
    ck_assert_uint_eq(k.vgpr[20][0], 0xaabba7dd);
    in = kit_inst(20, 3, 2, 0);
    in.op_sel = 12;
    lw_sem_v_cvt_scalef32_pk_fp4_f16(&k.w, &in); /* 6 and -2 */
    ck_assert_uint_eq(k.vgpr[20][0], 0xc7bba7dd);
    in.op_sel = 0;
    lw_sem_v_cvt_scalef32_pk_fp8_f16(&k.w, &in); /* 6 and -2 in e4m3 */
    ck_assert_uint_eq(k.vgpr[20][0], 0xc7bbc04c);
    in = kit_inst(22, 20, 2, 0); /* reading: byte 3 times 2^-1, then the low word */
    in.op_sel = 3;
    lw_sem_v_cvt_scalef32_pk_f32_fp4(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[22][0], bits_of_f32(3.0f));
    ck_assert_uint_eq(k.vgpr[23][0], bits_of_f32(-1.0f));
    in.op_sel = 0;
    lw_sem_v_cvt_scalef32_pk_bf16_fp8(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[22][0], 0xbf804040);
    in.op_sel = 1 | 8;
    in.dst.sel = LW_SEL_WORD_1; /* byte 1 (fp8 -2) into the high half */
    lw_sem_v_cvt_scalef32_f16_fp8(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[22][0], 0xbc004040);
    in = kit_inst(20, 0, 9, 2); /* stochastic: 3 / 0.5 = 6 is exact whatever the seed */
    in.op_sel = 8;
    lw_sem_v_cvt_scalef32_sr_fp8_f32(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[20][0], 0xc74cc04c);
}
END_TEST

START_TEST(second_element_uses_the_next_seed)
{
    lw_decoded in = kit_inst(20, 4, 9, 2);
    for (unsigned lane = 0; lane < 64; lane++) {
        k.vgpr[4][lane] = k.vgpr[5][lane] = bits_of_f32(1.2f);
        k.vgpr[2][lane] = 0x3f800000;
    }
    in.src[0].dwords = 2;
    lw_sem_v_cvt_scalef32_sr_pk_fp4_f32(&k.w, &in);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t s = k.vgpr[9][lane];
        const uint32_t first = lw_small_narrow_sr(&lw_small_fp4, false, &lw_fp_f32, k.vgpr[4][lane], 0, s);
        s = s << 1 ^ (s >> 31) * 0xc5;
        const uint32_t second = lw_small_narrow_sr(&lw_small_fp4, false, &lw_fp_f32, k.vgpr[4][lane], 0, s);
        ck_assert_uint_eq(k.vgpr[20][lane] & 255, first | second << 4);
    }
}
END_TEST

/* Code i of 192 packed bits. */
static uint32_t code_at(unsigned reg, unsigned lane, unsigned i)
{
    uint32_t code = 0;
    for (unsigned b = 0; b < 6; b++)
        code |= (k.vgpr[reg + (6 * i + b) / 32][lane] >> (6 * i + b) % 32 & 1) << b;
    return code;
}

START_TEST(thirty_two_at_a_time)
{
    for (unsigned r = 32; r < 64; r++)
        for (unsigned lane = 0; lane < 64; lane++)
            k.vgpr[r][lane] = bits_of_f32((float)((int)(kit_random(&k) % 1000) - 500) / 64.0f);
    for (unsigned lane = 0; lane < 64; lane++)
        k.vgpr[2][lane] = 0x3f800000 + ((lane % 3) << 23);
    lw_decoded in = kit_inst(70, 32, 48, 2);
    lw_sem_v_cvt_scalef32_2xpk16_fp6_f32(&k.w, &in);
    for (unsigned lane = 0; lane < 64; lane++)
        for (unsigned i = 0; i < 32; i++)
            ck_assert_uint_eq(code_at(70, lane, i),
                              lw_small_narrow(&lw_small_fp6, false, &lw_fp_f32,
                                              k.vgpr[32 + 16 * (i % 2) + i / 2][lane], (int)(lane % 3)));
    in = kit_inst(80, 70, 2, 0);
    lw_sem_v_cvt_scalef32_pk32_f32_fp6(&k.w, &in);
    for (unsigned lane = 0; lane < 64; lane++)
        for (unsigned i = 0; i < 32; i++) {
            const uint32_t code = code_at(70, lane, i);
            const double v = ldexp(small_value(code, 2, 3, 1), (int)(lane % 3));
            ck_assert_uint_eq(k.vgpr[80 + i][lane] & 0x7fffffff, bits_of_f32((float)fabs(v)));
        }
    lw_sem_v_cvt_scalef32_pk32_bf16_fp6(&k.w, &in);
    in = kit_inst(70, 80, 2, 0);
    uint32_t packed[6][64];
    memcpy(packed, k.vgpr[70], sizeof(packed));
    lw_sem_v_cvt_scalef32_pk32_fp6_bf16(&k.w, &in); /* there and back */
    ck_assert(!memcmp(packed, k.vgpr[70], sizeof(packed)));
    in = kit_inst(70, 32, 9, 2);
    lw_sem_v_cvt_scalef32_sr_pk32_bf6_f32(&k.w, &in);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t s = k.vgpr[9][lane];
        for (unsigned i = 0; i < 32; i++, s = s << 1 ^ (s >> 31) * 0xc5)
            ck_assert_uint_eq(code_at(70, lane, i),
                              lw_small_narrow_sr(&lw_small_bf6, false, &lw_fp_f32, k.vgpr[32 + i][lane],
                                                 (int)(lane % 3), s));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("small");
    TCase *tc = tcase_create("small");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, fp8_on_both_generations);
    tcase_add_test(tc, scaled_pairs_and_bytes);
    tcase_add_test(tc, second_element_uses_the_next_seed);
    tcase_add_test(tc, thirty_two_at_a_time);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
