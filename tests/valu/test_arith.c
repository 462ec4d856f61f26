/* SPDX-License-Identifier: MIT */
/* Rows that use the host's floating point, compared with emu/num in every mode; packed, mixed and dot forms;
 * output modifiers. */
#include <check.h>

#include "emu/amdgpu/vector/vrows.h"
#include "emu/num/fp.h"
#include "tests/num/oracle.h"
#include "tests/valu/wave_kit.h"

static kit k;

static void setup(void)
{
    kit_reset(&k, LW_ARCH_GFX950);
}

enum { MODES = 4 * 4 * 4 };

/* Rounding, denormals, and the IEEE and DX10_CLAMP bits from one number. */
static void set_mode(int i)
{
    const unsigned round = (unsigned)i & 3, denorm = (unsigned)i >> 2 & 3;
    k.w.mode = round | round << 2 | denorm << 4 | denorm << 6 | (i >> 4 & 1 ? LW_MODE_IEEE : 0) |
               (i >> 5 & 1 ? LW_MODE_DX10_CLAMP : 0);
}

static lw_fp_env env_now(void)
{
    const unsigned denorm = k.w.mode >> 4 & 3;
    return (lw_fp_env){ .round = k.w.mode & 3,
                        .keep_in = denorm & 1,
                        .keep_out = denorm >> 1,
                        .ieee = k.w.mode & LW_MODE_IEEE,
                        .dx10_clamp = k.w.mode & LW_MODE_DX10_CLAMP };
}

static void fill(unsigned reg, int exp_bits, int frac_bits)
{
    for (unsigned lane = 0; lane < 64; lane++)
        k.vgpr[reg][lane] = (uint32_t)nasty(&k.seed, exp_bits, frac_bits);
}

static void fill64(unsigned reg)
{
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint64_t v = nasty(&k.seed, 11, 52);
        k.vgpr[reg][lane] = (uint32_t)v;
        k.vgpr[reg + 1][lane] = (uint32_t)(v >> 32);
    }
}

static uint64_t pair(unsigned reg, unsigned lane)
{
    return k.vgpr[reg][lane] | (uint64_t)k.vgpr[reg + 1][lane] << 32;
}

static uint32_t signs(const lw_decoded *in, unsigned i, uint32_t v)
{
    v = in->src[i].abs ? v & 0x7fffffff : v;
    return in->src[i].neg ? v ^ 0x80000000 : v;
}

typedef uint64_t (*two_fn)(const lw_format *, const lw_fp_env *, uint64_t, uint64_t);

START_TEST(f32_rows_agree_with_the_reference)
{
    static const struct {
        lw_exec_fn fn;
        two_fn want;
    } ops[] = { { lw_sem_v_add_f32, lw_fp_add },
                { lw_sem_v_sub_f32, lw_fp_sub },
                { lw_sem_v_subrev_f32, lw_fp_subrev },
                { lw_sem_v_mul_f32, lw_fp_mul },
                { lw_sem_v_min_f32, lw_fp_min },
                { lw_sem_v_max_f32, lw_fp_max },
                { lw_sem_v_mul_legacy_f32, lw_fp_mul_legacy } };
    set_mode(_i);
    const lw_fp_env e = env_now();
    for (int n = 0; n < 100; n++) {
        lw_decoded in = kit_inst(20, 0, 1, 2);
        kit_signs(&in, (unsigned)n / 3 % 8, (unsigned)n / 5 % 8);
        for (unsigned r = 0; r < 3; r++)
            fill(r, 8, 23);
        fill(20, 8, 23);
        if (n % 4 == 0) /* products around the smallest normal number */
            for (unsigned lane = 0; lane < 64; lane++) {
                k.vgpr[0][lane] = 0x1f800000 + (k.vgpr[0][lane] & 0x80ffffff);
                k.vgpr[1][lane] =
                    bits_of_f32((float)(0x1p-126 / (double)f32_of(k.vgpr[0][lane]))) + lane % 3 - 1;
            }
        for (unsigned op = 0; op < sizeof(ops) / sizeof(ops[0]); op++) {
            ops[op].fn(&k.w, &in);
            for (unsigned lane = 0; lane < 64; lane++) {
                const uint32_t a = signs(&in, 0, k.vgpr[0][lane]), b = signs(&in, 1, k.vgpr[1][lane]);
                ck_assert_msg(k.vgpr[20][lane] == ops[op].want(&lw_fp_f32, &e, a, b),
                              "op %u %08x %08x mode %x", op, a, b, k.w.mode);
            }
        }
        lw_sem_v_fma_f32(&k.w, &in);
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint32_t a = signs(&in, 0, k.vgpr[0][lane]), b = signs(&in, 1, k.vgpr[1][lane]);
            const uint32_t c = signs(&in, 2, k.vgpr[2][lane]);
            ck_assert_msg(k.vgpr[20][lane] == lw_fp_fma(&lw_fp_f32, &e, a, b, c), "fma %08x %08x %08x", a, b,
                          c);
        }
    }
}
END_TEST

START_TEST(fmac_accumulates_in_the_result)
{
    set_mode(_i);
    const lw_fp_env e = env_now();
    const lw_decoded in = kit_inst(20, 0, 1, 7);
    uint32_t old[64];
    fill(0, 8, 23);
    fill(1, 8, 23);
    fill(20, 8, 23);
    memcpy(old, k.vgpr[20], sizeof(old));
    lw_sem_v_fmac_f32(&k.w, &in);
    for (unsigned lane = 0; lane < 64; lane++)
        ck_assert_uint_eq(k.vgpr[20][lane],
                          lw_fp_fma(&lw_fp_f32, &e, k.vgpr[0][lane], k.vgpr[1][lane], old[lane]));
}
END_TEST

START_TEST(the_portable_fma_rounds_once)
{
    const lw_fp_env e = { .keep_in = true, .keep_out = true };
    uint32_t r[64];
    for (int n = 0; n < 3000; n++) {
        for (unsigned i = 0; i < 3; i++)
            fill(i, 8, 23);
        if (n % 2)
            for (unsigned lane = 0; lane < 64; lane++)
                k.vgpr[2][lane] =
                    bits_of_f32(-(f32_of(k.vgpr[0][lane]) * f32_of(k.vgpr[1][lane]))) ^ (lane & 1);
        lw_row_fma_f32_portable(k.vgpr[0], k.vgpr[1], k.vgpr[2], r);
        for (unsigned lane = 0; lane < 64; lane++)
            if (!isnan(f32_of(r[lane])))
                ck_assert_uint_eq(
                    r[lane], lw_fp_fma(&lw_fp_f32, &e, k.vgpr[0][lane], k.vgpr[1][lane], k.vgpr[2][lane]));
    }
}
END_TEST

START_TEST(f64_rows_agree_with_the_reference)
{
    set_mode(_i);
    const lw_fp_env e = env_now();
    for (int n = 0; n < 60; n++) {
        lw_decoded in = kit_inst(20, 0, 2, 4);
        for (unsigned r = 0; r < 3; r++)
            fill64(2 * r);
        lw_sem_v_fma_f64(&k.w, &in);
        for (unsigned lane = 0; lane < 64; lane++)
            ck_assert_uint_eq(pair(20, lane),
                              lw_fp_fma(&lw_fp_f64, &e, pair(0, lane), pair(2, lane), pair(4, lane)));
        kit_signs(&in, 2, 0);
        lw_sem_v_add_f64(&k.w, &in);
        for (unsigned lane = 0; lane < 64; lane++)
            ck_assert_uint_eq(pair(20, lane),
                              lw_fp_add(&lw_fp_f64, &e, pair(0, lane), pair(2, lane) ^ (uint64_t)1 << 63));
        lw_sem_v_mul_f64(&k.w, &in);
        for (unsigned lane = 0; lane < 64; lane++)
            ck_assert_uint_eq(pair(20, lane),
                              lw_fp_mul(&lw_fp_f64, &e, pair(0, lane), pair(2, lane) ^ (uint64_t)1 << 63));
    }
}
END_TEST

/* Every combination of three kinds of NaN, infinities, zeros and a number in one fma. */
START_TEST(all_special_combinations)
{
    static const uint32_t special[] = { 0x7f800001, 0xff812345, 0x7fc00002, 0xffc54321,
                                        0x7f800000, 0xff800000, 0x00000000, 0x80000000,
                                        0x3f800000, 0xbf800000, 0x00000001, 0x807fffff };
    enum { N = sizeof(special) / sizeof(special[0]) };
    set_mode(_i);
    const lw_fp_env e = env_now();
    const lw_decoded in = kit_inst(20, 0, 1, 2);
    for (unsigned first = 0; first < N * N * N; first += 64) {
        for (unsigned lane = 0; lane < 64; lane++) {
            const unsigned at = (first + lane) % (N * N * N);
            k.vgpr[0][lane] = special[at % N];
            k.vgpr[1][lane] = special[at / N % N];
            k.vgpr[2][lane] = special[at / N / N];
        }
        lw_sem_v_fma_f32(&k.w, &in);
        for (unsigned lane = 0; lane < 64; lane++)
            ck_assert_uint_eq(k.vgpr[20][lane],
                              lw_fp_fma(&lw_fp_f32, &e, k.vgpr[0][lane], k.vgpr[1][lane], k.vgpr[2][lane]));
    }
}
END_TEST

/* Of two NaNs the first; with IEEE a signalling one counts more than a quiet one. */
static bool two_nans(const lw_fp_env *e, uint64_t a, uint64_t b, uint64_t *r)
{
    enum { INF = 0x7c00, QUIET = 0x200 };
    const bool swap = e->ieee && a & QUIET && !(b & QUIET);
    *r = (swap ? b : a) | (e->ieee ? QUIET : 0u);
    return (a & 0x7fff) > INF && (b & 0x7fff) > INF;
}

static uint64_t want_min(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    uint64_t r;
    return two_nans(e, a, b, &r) ? r : lw_fp_min(f, e, a, b);
}

static uint64_t want_max(const lw_format *f, const lw_fp_env *e, uint64_t a, uint64_t b)
{
    uint64_t r;
    return two_nans(e, a, b, &r) ? r : lw_fp_max(f, e, a, b);
}

START_TEST(packed_f16_halves)
{
    static const struct {
        lw_exec_fn fn;
        two_fn want;
    } ops[] = { { lw_sem_v_pk_add_f16, lw_fp_add },
                { lw_sem_v_pk_mul_f16, lw_fp_mul },
                { lw_sem_v_pk_min_f16, want_min },
                { lw_sem_v_pk_max_f16, want_max } };
    set_mode(_i);
    const lw_fp_env e = env_now();
    for (unsigned n = 0; n < 64; n++) {
        lw_decoded in = kit_inst(20, 0, 1, 2);
        in.enc = LW_ENC_VOP3P;
        const unsigned halves[2] = { n & 7, n >> 3 & 7 };
        const unsigned negs[2] = { kit_random(&k) & 7, kit_random(&k) & 7 };
        kit_pairs(&in, halves[0], halves[1], negs[0], negs[1]);
        for (unsigned r = 0; r < 3; r++)
            for (unsigned lane = 0; lane < 64; lane++)
                k.vgpr[r][lane] = (uint32_t)(nasty(&k.seed, 5, 10) | nasty(&k.seed, 5, 10) << 16);
        for (unsigned op = 0; op < 5; op++) {
            (op < 4 ? ops[op].fn : lw_sem_v_pk_fma_f16)(&k.w, &in);
            for (unsigned at = 0; at < 128; at++) {
                const unsigned lane = at / 2, high = at % 2, sel = halves[high];
                uint32_t s[3];
                for (unsigned r = 0; r < 3; r++) {
                    s[r] = sel >> r & 1 ? k.vgpr[r][lane] >> 16 : k.vgpr[r][lane] & 0xffff;
                    s[r] ^= negs[high] >> r & 1 ? 0x8000 : 0;
                }
                const uint64_t want = op < 4 ? ops[op].want(&lw_fp_f16, &e, s[0], s[1])
                                             : lw_fp_fma(&lw_fp_f16, &e, s[0], s[1], s[2]);
                ck_assert_uint_eq(k.vgpr[20][lane] >> (16 * high) & 0xffff, want);
            }
        }
    }
}
END_TEST

START_TEST(packed_f32_words)
{
    for (unsigned n = 0; n < 64; n++) {
        lw_decoded in = kit_inst(20, 0, 2, 4);
        const lw_fp_env e = { .keep_in = true, .keep_out = true, .ieee = true };
        in.enc = LW_ENC_VOP3P;
        const unsigned halves[2] = { n & 7, n >> 3 & 7 }, negs[2] = { n * 5 % 8, n * 3 % 8 };
        kit_pairs(&in, halves[0], halves[1], negs[0], negs[1]);
        for (unsigned r = 0; r < 6; r++)
            fill(r, 8, 23);
        for (unsigned op = 0; op < 4; op++) {
            static const lw_exec_fn fns[] = { lw_sem_v_pk_fma_f32, lw_sem_v_pk_mul_f32, lw_sem_v_pk_add_f32,
                                              lw_sem_v_pk_mov_b32 };
            fns[op](&k.w, &in);
            for (unsigned at = 0; at < 128; at++) {
                const unsigned lane = at / 2, high = at % 2, sel = halves[high];
                uint32_t s[3];
                for (unsigned r = 0; r < 3; r++)
                    s[r] = k.vgpr[2 * r + (sel >> r & 1)][lane] ^ (negs[high] >> r & 1 ? 0x80000000 : 0);
                const unsigned part = halves[0] >> high & 1;
                const uint64_t want[] = { lw_fp_fma(&lw_fp_f32, &e, s[0], s[1], s[2]),
                                          lw_fp_mul(&lw_fp_f32, &e, s[0], s[1]),
                                          lw_fp_add(&lw_fp_f32, &e, s[0], s[1]),
                                          k.vgpr[2 * high + part][lane] };
                ck_assert_uint_eq(k.vgpr[20 + high][lane], want[op]);
            }
        }
    }
}
END_TEST

START_TEST(mixed_fma_rounds_once)
{
    const lw_fp_env e = { .keep_in = true, .keep_out = true, .ieee = true };
    for (unsigned n = 0; n < 64; n++) {
        lw_decoded in = kit_inst(20, 0, 1, 2);
        in.enc = LW_ENC_VOP3P;
        const unsigned high = n & 7, is_half = n >> 3 & 7;
        kit_mixed(&in, high, is_half, n * 5 % 8, n * 3 % 8);
        for (unsigned r = 0; r < 3; r++)
            for (unsigned lane = 0; lane < 64; lane++)
                k.vgpr[r][lane] = lane % 2 ? (uint32_t)nasty(&k.seed, 8, 23)
                                           : (uint32_t)(nasty(&k.seed, 5, 10) | nasty(&k.seed, 5, 10) << 16);
        for (unsigned op = 0; op < 3; op++) {
            static const lw_exec_fn fns[] = { lw_sem_v_fma_mix_f32, lw_sem_v_fma_mixlo_f16,
                                              lw_sem_v_fma_mixhi_f16 };
            uint32_t old[64];
            memcpy(old, k.vgpr[20], sizeof(old));
            fns[op](&k.w, &in);
            for (unsigned lane = 0; lane < 64; lane++) {
                uint32_t s[3];
                bool nan = false;
                for (unsigned r = 0; r < 3; r++) {
                    const uint32_t half = high >> r & 1 ? k.vgpr[r][lane] >> 16 : k.vgpr[r][lane] & 0xffff;
                    const uint32_t wide = bits_of_f32((float)f16_value(half));
                    s[r] = signs(&in, r, is_half >> r & 1 ? wide : k.vgpr[r][lane]);
                    nan |= (s[r] & 0x7fffffff) > 0x7f800000;
                }
                if (nan)
                    continue;
                const uint32_t half = (uint32_t)lw_fp_fma_f32_to(&lw_fp_f16, &e, s[0], s[1], s[2]);
                const uint32_t want[] = { (uint32_t)lw_fp_fma(&lw_fp_f32, &e, s[0], s[1], s[2]),
                                          half | (old[lane] & 0xffff0000),
                                          half << 16 | (old[lane] & 0xffff) };
                ck_assert_uint_eq(k.vgpr[20][lane], want[op]);
            }
        }
    }
}
END_TEST

START_TEST(dot_products_of_integers)
{
    for (int clamp = 0; clamp < 2; clamp++)
        for (unsigned lane = 0; lane < 64; lane += 5)
            k.vgpr[2][lane] = lane & 1 ? 0x7ffffff0 : 0x80000005;
    for (int clamp = 0; clamp < 2; clamp++) {
        lw_decoded in = kit_inst(20, 0, 1, 2);
        in.enc = LW_ENC_VOP3P;
        kit_pairs(&in, 0, 7, 0, 0);
        in.clamp = (uint8_t)clamp;
        lw_sem_v_dot4_i32_i8(&k.w, &in);
        for (unsigned lane = 0; lane < 64; lane++) {
            int8_t a[4], b[4];
            memcpy(a, &k.vgpr[0][lane], 4);
            memcpy(b, &k.vgpr[1][lane], 4);
            int64_t sum = (int32_t)k.vgpr[2][lane];
            for (int i = 0; i < 4; i++)
                sum += a[i] * b[i];
            if (clamp)
                sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            ck_assert_uint_eq(k.vgpr[20][lane], (uint32_t)sum);
        }
        lw_sem_v_dot8_u32_u4(&k.w, &in);
        for (unsigned lane = 0; lane < 64; lane++) {
            uint64_t sum = k.vgpr[2][lane];
            for (int i = 0; i < 32; i += 4)
                sum += (uint64_t)((k.vgpr[0][lane] >> i & 15) * (k.vgpr[1][lane] >> i & 15));
            ck_assert_uint_eq(k.vgpr[20][lane], clamp && sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum);
        }
        kit_pairs(&in, 1, 7, 0, 0); /* both elements read the high half of source 0 */
        lw_sem_v_dot2_i32_i16(&k.w, &in);
        for (unsigned lane = 0; lane < 64; lane++) {
            const int64_t a = (int16_t)(k.vgpr[0][lane] >> 16), b0 = (int16_t)k.vgpr[1][lane];
            int64_t sum = a * b0 + a * (int16_t)(k.vgpr[1][lane] >> 16) + (int32_t)k.vgpr[2][lane];
            if (clamp)
                sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
            ck_assert_uint_eq(k.vgpr[20][lane], (uint32_t)sum);
        }
    }
}
END_TEST

START_TEST(dot_products_of_halves)
{
    lw_decoded in = kit_inst(20, 0, 1, 2);
    in.enc = LW_ENC_VOP3P;
    kit_pairs(&in, 0, 7, 0, 0);
    for (unsigned lane = 0; lane < 64; lane++) {
        k.vgpr[0][lane] = 0x3c004000; /* 2, 1 */
        k.vgpr[1][lane] = 0x42004400; /* 4, 3 */
        k.vgpr[2][lane] = 0x3f000000;
    }
    lw_sem_v_dot2_f32_f16(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[20][9], bits_of_f32(11.5f));
    kit_pairs(&in, 0, 7, 1, 0); /* low element of source 0 */
    lw_sem_v_dot2_f32_f16(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[20][9], bits_of_f32(-4.5f));
    for (unsigned lane = 0; lane < 64; lane++) {
        k.vgpr[0][lane] = 0x3f804000; /* bf16 2, 1 */
        k.vgpr[1][lane] = 0x40404080; /* 4, 3 */
        k.vgpr[20][lane] = 0xbf800000;
    }
    in = kit_inst(20, 0, 1, 0);
    in.enc = LW_ENC_VOP2;
    lw_sem_v_dot2c_f32_bf16(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[20][9], bits_of_f32(10.0f));
}
END_TEST

START_TEST(output_modifiers_obey_mode)
{
    lw_decoded in = kit_inst(20, 0, 1, 0);
    for (unsigned lane = 0; lane < 64; lane++) {
        k.vgpr[0][lane] = lane == 1 ? 0x7fc00000 : lane == 2 ? 0xbf800000 : 0x3f800000;
        k.vgpr[1][lane] = 0x3f000000;
    }
    in.omod = 1;
    lw_sem_v_add_f32(&k.w, &in); /* IEEE = 1: OMOD does nothing */
    ck_assert_uint_eq(k.vgpr[20][0], bits_of_f32(1.5f));
    k.w.mode = 0xc << 4;
    lw_sem_v_add_f32(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[20][0], bits_of_f32(3.0f));
    in.omod = 3;
    in.clamp = 1;
    lw_sem_v_add_f32(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[20][0], bits_of_f32(0.75f));
    ck_assert_uint_eq(k.vgpr[20][1], 0x7fc00000); /* DX10_CLAMP = 0 */
    ck_assert_uint_eq(k.vgpr[20][2], 0);
    k.w.mode = KIT_DEFAULT_MODE;
    lw_sem_v_add_f32(&k.w, &in);
    ck_assert_uint_eq(k.vgpr[20][0], 0x3f800000);
    ck_assert_uint_eq(k.vgpr[20][1], 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("arith");
    TCase *tc = tcase_create("arith");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_loop_test(tc, f32_rows_agree_with_the_reference, 0, MODES);
    tcase_add_loop_test(tc, fmac_accumulates_in_the_result, 0, MODES);
    tcase_add_loop_test(tc, f64_rows_agree_with_the_reference, 0, MODES);
    tcase_add_loop_test(tc, all_special_combinations, 0, MODES);
    tcase_add_loop_test(tc, packed_f16_halves, 0, MODES);
    tcase_add_test(tc, the_portable_fma_rounds_once);
    tcase_add_test(tc, packed_f32_words);
    tcase_add_test(tc, mixed_fma_rounds_once);
    tcase_add_test(tc, dot_products_of_integers);
    tcase_add_test(tc, dot_products_of_halves);
    tcase_add_test(tc, output_modifiers_obey_mode);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
