/* SPDX-License-Identifier: MIT */
/*
 * gfx1250's conversions of blocks of 8 and 16 elements, and its other conversions, sums and tables: computed
 * a second time in doubles, by searching the codes and from tables.
 */
#include <check.h>
#include <math.h>

#include "tests/num/oracle.h"
#include "tests/valu/wave_kit.h"

static kit k;

enum { WAVE = 32, SRC = 32, DST = 64, SCALE = 2, SEED = 9 };

static void setup(void)
{
    kit_reset(&k, LW_ARCH_GFX1250);
    k.w.lanes = WAVE;
    lw_wave_set_sgpr64(&k.w, LW_SGPR_EXEC, 0xffffffff);
}

/* A format by its parameters. top: what the largest exponent field means: 0 numbers, 1 NaN for all ones, 2
 * Inf and NaNs */
typedef struct format {
    int exp_bits, frac_bits, bias, top;
} format;

static const format FP4 = { 2, 1, 1, 0 }, FP6 = { 2, 3, 1, 0 }, BF6 = { 3, 2, 3, 0 }, FP8 = { 4, 3, 7, 1 },
                    BF8 = { 5, 2, 15, 2 }, F16 = { 5, 10, 15, 2 }, BF16 = { 8, 7, 127, 2 },
                    F32 = { 8, 23, 127, 2 };

static int bits_of(const format *f)
{
    return 1 + f->exp_bits + f->frac_bits;
}

static double value_of(const format *f, uint32_t code)
{
    const int field = (int)(code >> f->frac_bits) & ((1 << f->exp_bits) - 1);
    const uint32_t frac = code & ((1u << f->frac_bits) - 1);
    const double sign = code >> (f->exp_bits + f->frac_bits) & 1 ? -1 : 1;
    if (f->top == 2 && field == (1 << f->exp_bits) - 1)
        return frac ? NAN : sign * INFINITY;
    if (f->top == 1 && field == (1 << f->exp_bits) - 1 && frac == (1u << f->frac_bits) - 1)
        return NAN;
    const double m = ldexp(frac, -f->frac_bits);
    return sign * (field ? ldexp(1 + m, field - f->bias) : ldexp(m, 1 - f->bias));
}

/* The code of a finite double, to nearest even; beyond the largest number the code of infinity, or the last.
 */
static uint32_t nearest(const format *f, double v)
{
    const uint32_t sign = signbit(v) ? 1u << (f->exp_bits + f->frac_bits) : 0;
    const double a = fabs(v);
    int e;
    frexp(a, &e);
    const int unit = (a == 0 || e - 1 < 1 - f->bias ? 1 - f->bias : e - 1) - f->frac_bits;
    const double steps = nearbyint(ldexp(a, -unit));
    const double code = steps + ldexp(unit + f->frac_bits - (1 - f->bias), f->frac_bits);
    const int last = f->exp_bits + f->frac_bits;
    const double inf = f->top == 2 ? ldexp((1 << f->exp_bits) - 1, f->frac_bits) : ldexp(1, last) - 1;
    return sign | (uint32_t)(code > inf ? inf : code);
}

/* Element i of a block in registers. */
static uint32_t element(unsigned reg, unsigned lane, int width, unsigned i)
{
    uint32_t code = 0;
    for (unsigned b = 0; b < (unsigned)width; b++)
        code |= (k.vgpr[reg + (i * (unsigned)width + b) / 32][lane] >> (i * (unsigned)width + b) % 32 & 1)
                << b;
    return code;
}

static bool same(const format *f, uint32_t got, double v)
{
    if (!isnan(v))
        return got == (isinf(v) ? nearest(f, v > 0 ? 1e300 : -1e300) : nearest(f, v));
    return isnan(value_of(f, got)) && !(got << (32 - f->frac_bits + 1)); /* only the quiet bit */
}

typedef lw_step (*handler)(lw_wave *, const lw_decoded *);

typedef struct block {
    handler fn;
    const format *small, *wide;
    unsigned count;
} block;

#define UP(count, small_, SMALL, wide_, WIDE)                                                                \
    { lw_sem_v_cvt_scale_pk##count##_##wide_##_##small_, &SMALL, &WIDE, count },
#define DOWN(count, small_, SMALL, wide_, WIDE)                                                              \
    { lw_sem_v_cvt_scalef32_pk##count##_##small_##_##wide_, &SMALL, &WIDE, count },
#define DOWN_SR(count, small_, SMALL, wide_, WIDE)                                                           \
    { lw_sem_v_cvt_scalef32_sr_pk##count##_##small_##_##wide_, &SMALL, &WIDE, count },
#define WIDES(M, count, small, SMALL)                                                                        \
    M(count, small, SMALL, f16, F16) M(count, small, SMALL, bf16, BF16) M(count, small, SMALL, f32, F32)
#define BLOCKS(M)                                                                                            \
    WIDES(M, 8, fp4, FP4)                                                                                    \
    WIDES(M, 8, fp8, FP8) WIDES(M, 8, bf8, BF8) WIDES(M, 16, fp6, FP6) WIDES(M, 16, bf6, BF6)

static const block up[] = { BLOCKS(UP) }, down[] = { BLOCKS(DOWN) }, down_sr[] = { BLOCKS(DOWN_SR) };
enum { ROWS = 15 };

/* scale_sel: the first lane of the scales, and the bytes that lanes 0 to 15 and 16 to 31 read. */
static const int8_t narrow_sel[16][3] = { { 0, 0, 1 }, { 16, 0, 1 }, { 0, 2, 3 }, { 16, 2, 3 },
                                          { 0, 0, 2 }, { 16, 0, 2 }, { 0, 1, 3 }, { 16, 1, 3 },
                                          { -1 },      { -1 },       { -1 },      { -1 },
                                          { -1 },      { -1 },       { -1 },      { -1 } };
static const int8_t byte_sel[16][3] = { { 0, 0, 0 }, { -1 },       { 0, 2, 2 }, { 16, 2, 2 },
                                        { 0, 1, 1 }, { 16, 1, 1 }, { 0, 3, 3 }, { 16, 3, 3 },
                                        { 0, 0, 1 }, { -1 },       { -1 },      { 16, 2, 3 },
                                        { -1 },      { -1 },       { -1 },      { -1 } };

static void check_up(const block *b, unsigned sel, const int8_t place[3])
{
    for (unsigned lane = 0; lane < WAVE; lane++) {
        const uint32_t scale =
            k.vgpr[SCALE][(unsigned)place[0] + lane % 16] >> (8 * place[1 + lane / 16]) & 0xff;
        for (unsigned i = 0; i < b->count; i++) {
            const double v = value_of(b->small, element(SRC, lane, bits_of(b->small), i));
            const double scaled = scale == 255 ? NAN : ldexp(v, (int)scale - 127);
            const uint32_t got = element(DST, lane, bits_of(b->wide), i);
            ck_assert_msg(same(b->wide, got, scaled), "row %d sel %u lane %u element %u: %x", (int)(b - up),
                          sel, lane, i, got);
        }
    }
}

START_TEST(widening_blocks)
{
    for (unsigned round = 0; round < 20; round++) {
        setup();
        for (unsigned lane = 0; lane < WAVE && round % 2; lane++) /* scales whose products are in range */
            k.vgpr[SCALE][lane] = 0x7f7f7f7f + (k.vgpr[SCALE][lane] & 0x07070707);
        for (unsigned sel = 0; sel < 16; sel++) {
            lw_decoded in = kit_inst(DST, SRC, SCALE, 0);
            in.op_sel = (uint8_t)sel;
            const block *b = &up[_i];
            const int8_t *place = bits_of(b->small) == 8 ? byte_sel[sel] : narrow_sel[sel];
            const lw_step step = b->fn(&k.w, &in);
            ck_assert_int_eq(step, place[0] < 0 ? LW_STEP_FAULT : LW_STEP_NEXT);
            if (place[0] >= 0)
                check_up(b, sel, place);
        }
    }
}
END_TEST

START_TEST(scales_of_inactive_lanes)
{
    lw_decoded in = kit_inst(DST, SRC, SCALE, 0);
    lw_wave_set_sgpr64(&k.w, LW_SGPR_EXEC, 0xffff);
    ck_assert_int_eq(lw_sem_v_cvt_scale_pk8_f32_fp8(&k.w, &in), LW_STEP_NEXT);
    in.op_sel = 3;
    ck_assert_int_eq(lw_sem_v_cvt_scale_pk8_f32_fp8(&k.w, &in), LW_STEP_FAULT);
    in.src[1] = kit_c(127);
    ck_assert_int_eq(lw_sem_v_cvt_scale_pk8_f32_fp8(&k.w, &in), LW_STEP_NEXT);
    k.w.mode |= LW_MODE_FP16_OVFL;
    in = kit_inst(DST, SRC, SCALE, 0);
    for (unsigned lane = 0; lane < WAVE; lane++)
        k.vgpr[SCALE][lane] = 127 + 40;
    k.vgpr[SRC][3] = 0x7cfbb8fb; /* bf8: -57344, -0.5, -57344, Inf */
    ck_assert_int_eq(lw_sem_v_cvt_scale_pk8_f16_bf8(&k.w, &in), LW_STEP_NEXT);
    ck_assert_uint_eq(k.vgpr[DST][3], 0xfbfffbff);
    ck_assert_uint_eq(k.vgpr[DST + 1][3], 0x7c00fbff);
}
END_TEST

/* What a double becomes in a small format: the nearest code; beyond the largest number NaN or infinity, or
 * the largest. */
static uint32_t narrowed(const format *f, double v)
{
    const uint32_t sign = signbit(v) ? 1u << (bits_of(f) - 1) : 0, largest = (1u << (bits_of(f) - 1)) - 1;
    if (isnan(v))
        return f->top == 1 ? 0xff : 0xfe;
    if (f->top == 0)
        return fabs(v) >= value_of(f, largest) ? sign | largest : nearest(f, v);
    const uint32_t limit = f->top == 1 ? 0x7f : 0x7c, code = isinf(v) ? limit : nearest(f, v) & 0x7f;
    return sign | (code >= limit ? limit : code);
}

/* Sources and scales for a narrowing row: numbers around the format's range, some of them special. */
static void fill_wide(const block *b, bool with_nans)
{
    const int width = bits_of(b->wide);
    for (unsigned lane = 0; lane < WAVE; lane++) {
        k.vgpr[SCALE][lane] = (120 + (uint32_t)(kit_random(&k) % 16)) << 23;
        for (unsigned r = 0; r < b->count * (unsigned)width / 32; r++)
            k.vgpr[SRC + r][lane] = 0;
        for (unsigned i = 0; i < b->count; i++) {
            const uint64_t n = kit_random(&k);
            double v = ldexp((double)((int64_t)(n >> 20) % 4096 - 2048), (int)(n % 16) - 14);
            uint32_t code = nearest(b->wide, v);
            if (n >> 56 == 0)
                code = nearest(b->wide, 1e300);
            if (with_nans && n >> 56 == 1)
                code |= nearest(b->wide, 1e300) + 1;
            k.vgpr[SRC + i * (unsigned)width / 32][lane] |= code << (i * (unsigned)width % 32);
        }
    }
}

START_TEST(narrowing_blocks)
{
    const block *b = &down[_i];
    const bool has_nan = b->small->top != 0;
    for (unsigned round = 0; round < 40; round++) {
        fill_wide(b, has_nan);
        lw_decoded in = kit_inst(DST, SRC, SCALE, 0);
        ck_assert_int_eq(b->fn(&k.w, &in), LW_STEP_NEXT);
        for (unsigned lane = 0; lane < WAVE; lane++)
            for (unsigned i = 0; i < b->count; i++) {
                const double v = value_of(b->wide, element(SRC, lane, bits_of(b->wide), i));
                const double scaled = ldexp(v, 127 - (int)(k.vgpr[SCALE][lane] >> 23));
                ck_assert_uint_eq(element(DST, lane, bits_of(b->small), i), narrowed(b->small, scaled));
            }
    }
}
END_TEST

START_TEST(stochastic_blocks)
{
    const block *b = &down_sr[_i];
    for (unsigned round = 0; round < 40; round++) {
        fill_wide(b, false);
        lw_decoded in = kit_inst(DST, SRC, SEED, SCALE);
        ck_assert_int_eq(b->fn(&k.w, &in), LW_STEP_NEXT);
        for (unsigned lane = 0; lane < WAVE; lane++) {
            uint32_t seed = k.vgpr[SEED][lane];
            for (unsigned i = 0; i < b->count; i++, seed = seed << 1 ^ (seed >> 31 ? 0xc5 : 0)) {
                const double v = value_of(b->wide, element(SRC, lane, bits_of(b->wide), i));
                const double a = fabs(ldexp(v, 127 - (int)(k.vgpr[SCALE][lane] >> 23)));
                const double least = ldexp(1, 1 - b->small->bias);
                if (isinf(v) || a < least ||
                    a >= value_of(b->small, (1u << (bits_of(b->small) - 1)) - (b->small->top ? 5 : 1)))
                    continue; /* numbers between the smallest normal one and the last but few */
                int e;
                frexp(a, &e);
                const double unit = ldexp(1, e - 1 - b->small->frac_bits);
                const int n = b->wide->frac_bits - b->small->frac_bits;
                const double down_to = floor(a / unit + ldexp(seed >> (32 - n), -n)) * unit;
                const uint32_t sign = signbit(v) ? 1u << (bits_of(b->small) - 1) : 0;
                ck_assert_uint_eq(element(DST, lane, bits_of(b->small), i),
                                  sign | nearest(b->small, down_to));
            }
        }
    }
}
END_TEST

START_TEST(open_scales_and_nans)
{
    static const uint32_t open[] = { 0, 0x3fc00000, 0xbf800000, 0x7f800000, 0x7fc00000, 1 };
    for (unsigned i = 0; i < sizeof(open) / sizeof(open[0]); i++) {
        for (unsigned lane = 0; lane < WAVE; lane++)
            k.vgpr[SCALE][lane] = 0x3f800000;
        lw_decoded in = kit_inst(DST, SRC, SCALE, 0);
        k.vgpr[SCALE][40] = open[i]; /* no lane of the wave */
        k.vgpr[SCALE][5] = open[i];
        ck_assert_int_eq(lw_sem_v_cvt_scalef32_pk8_fp8_f32(&k.w, &in), LW_STEP_FAULT);
        lw_wave_set_sgpr64(&k.w, LW_SGPR_EXEC, 0xffffffdf);
        ck_assert_int_eq(lw_sem_v_cvt_scalef32_pk8_fp8_f32(&k.w, &in), LW_STEP_NEXT);
        lw_wave_set_sgpr64(&k.w, LW_SGPR_EXEC, 0xffffffff);
    }
    for (unsigned lane = 0; lane < WAVE; lane++) {
        k.vgpr[SCALE][lane] = 0x3f800000;
        for (unsigned r = 0; r < 16; r++)
            k.vgpr[SRC + r][lane] = 0x3f800000;
    }
    lw_decoded in = kit_inst(DST, SRC, SCALE, 0);
    k.vgpr[SRC + 7][9] = 0x7fc00000;
    ck_assert_int_eq(lw_sem_v_cvt_scalef32_pk8_fp8_f32(&k.w, &in), LW_STEP_NEXT);
    ck_assert_int_eq(lw_sem_v_cvt_scalef32_pk8_fp4_f32(&k.w, &in), LW_STEP_FAULT);
    ck_assert_int_eq(lw_sem_v_cvt_scalef32_pk16_bf6_f32(&k.w, &in), LW_STEP_FAULT);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("blocks");
    TCase *t = tcase_create("gfx1250");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_loop_test(t, widening_blocks, 0, ROWS);
    tcase_add_test(t, scales_of_inactive_lanes);
    tcase_add_loop_test(t, narrowing_blocks, 0, ROWS);
    tcase_add_loop_test(t, stochastic_blocks, 0, ROWS);
    tcase_add_test(t, open_scales_and_nans);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
