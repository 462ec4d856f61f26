/* SPDX-License-Identifier: MIT */
/*
 * v_dot4_f32_* of 8-bit floats on gfx1201, against the rule written a second time in doubles, which hold
 * every step exactly: products are cut 24 bits below the largest nominal exponent, their sum and the addend
 * 26 bits below the addend's leading bit at least; a cut is a floor; one rounding to nearest even.
 */
#include <math.h>

#include "machine/fixture.h"

enum { ROUNDS = 400 };

typedef struct small {
    double value;
    int exponent; /* nominal: subnormals have that of the smallest normal number */
} small;

static small small_of(uint32_t code, bool bf8)
{
    const int fraction = bf8 ? 2 : 3, bias = bf8 ? 15 : 7;
    const int field = (int)(code >> fraction & (bf8 ? 31 : 15)), e = (field ? field : 1) - bias;
    const double m = (double)(code & ((1u << fraction) - 1)) / (1 << fraction) + (field ? 1 : 0);
    return (small){ (code & 0x80 ? -1 : 1) * ldexp(m, e), e };
}

static bool is_special(uint32_t code, bool bf8)
{
    return bf8 ? (code & 0x7c) == 0x7c : (code & 0x7f) == 0x7f;
}

static double cut(double x, int grid)
{
    return ldexp(floor(ldexp(x, -grid)), grid);
}

static uint32_t want_of(uint32_t a, uint32_t b, uint32_t c_bits, bool a_bf8, bool b_bf8)
{
    float c;
    memcpy(&c, &c_bits, sizeof(c));
    double p[4], sum = 0;
    int top = -1000;
    for (unsigned k = 0; k < 4; k++) {
        const small x = small_of(a >> 8 * k & 0xff, a_bf8), y = small_of(b >> 8 * k & 0xff, b_bf8);
        p[k] = x.value * y.value;
        if (p[k] != 0 && x.exponent + y.exponent - 24 > top)
            top = x.exponent + y.exponent - 24;
    }
    for (unsigned k = 0; k < 4; k++)
        sum += p[k] != 0 ? cut(p[k], top) : 0;
    const int lead = c != 0 && ilogbf(c) > -126 ? ilogbf(c) : -126, grid = top > lead - 26 ? top : lead - 26;
    const bool lost = grid > -126 && fabs((double)c) < ldexp(1, grid);
    const float total = (float)((lost ? 0 : cut(c, grid)) + cut(sum, grid));
    uint32_t bits;
    memcpy(&bits, &total, sizeof(bits));
    return total == 0 ? 0 : bits;
}

static uint32_t draw(uint64_t *seed, bool a_bf8, bool b_bf8)
{
    uint32_t word = 0;
    for (unsigned k = 0; k < 4; k++) {
        uint32_t code;
        do
            code = (uint32_t)(*seed = mix(*seed + 1)) & 0xff;
        while (is_special(code, a_bf8) || is_special(code, b_bf8));
        word |= code << 8 * k;
    }
    return word;
}

/* Finite numbers; the addend's exponent runs through all of f32's. */
START_TEST(numbers)
{
    fixture f;
    fixture_init(&f, 5);
    f.options.arch = LW_ARCH_GFX1201;
    f.options.lanes = 64;
    uint64_t seed = 99;
    for (unsigned n = 0; n < ROUNDS; n++) {
        uint32_t c[64];
        for (unsigned lane = 0; lane < 64; lane++) {
            reg(&f, 0)[lane] = draw(&seed, true, false);
            reg(&f, 1)[lane] = draw(&seed, true, false);
            const uint32_t exponent = n % 2 ? lane * 4 % 254 : 90 + (lane + n) % 70;
            c[lane] = ((uint32_t)mix(seed + lane) & 0x807fffff) | exponent << 23;
            reg(&f, 2)[lane] = n % 9 ? c[lane] : (c[lane] = 0);
        }
        fixture_ok(&f, "gfx1201_dot4");
        for (unsigned lane = 0; lane < 64; lane++)
            for (unsigned form = 0; form < 6; form++) {
                const bool a_bf8 = form >= 2, b_bf8 = form == 1 || form >= 3;
                const uint32_t addend = form == 4   ? c[lane] ^ 0x80000000
                                        : form == 5 ? c[lane] & 0x7fffffff
                                                    : c[lane];
                const uint32_t a = reg(&f, 0)[lane], b = reg(&f, 1)[lane], got = reg(&f, 4 + form)[lane];
                const uint32_t want = want_of(a, b, addend, a_bf8, b_bf8);
                ck_assert_msg(got == want, "form %u of %08x, %08x, %08x: %08x, not %08x", form, a, b, addend,
                              got, want);
            }
    }
    fixture_free(&f);
}
END_TEST

/* The constants that rocjitsu gives for gfx12: any NaN factor, and conflicts, which have the same one. */
START_TEST(specials)
{
    static const struct {
        uint32_t a, b, c, want;
    } rows[] = {
        { 0x0000003c, 0x0000003c, 0x7f800001, 0x7fc00001 }, /* 1 * 1 + a signalling NaN */
        { 0x0000007e, 0x0000003c, 0, 0xffc00a3d },          /* NaN * 1 */
        { 0x0000007c, 0x00000000, 0, 0xffc00a3d },          /* Inf * 0 */
        { 0x00007c7c, 0x0000bc3c, 0, 0xffc00a3d },          /* Inf - Inf */
        { 0x0000007c, 0x0000003c, 0xff800000, 0xffc00a3d }, /* Inf + -Inf */
        { 0x0000007c, 0x0000003c, 0x3f800000, 0x7f800000 },
    };
    fixture f;
    fixture_init(&f, 6);
    f.options.arch = LW_ARCH_GFX1201;
    f.options.lanes = 64;
    for (unsigned lane = 0; lane < 64; lane++) {
        const unsigned i = lane % (sizeof(rows) / sizeof(rows[0]));
        reg(&f, 0)[lane] = rows[i].a;
        reg(&f, 1)[lane] = rows[i].b;
        reg(&f, 2)[lane] = rows[i].c;
    }
    fixture_ok(&f, "gfx1201_dot4");
    for (unsigned lane = 0; lane < 64; lane++)
        ck_assert_uint_eq(reg(&f, 7)[lane], rows[lane % (sizeof(rows) / sizeof(rows[0]))].want);
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("rdna_dot4");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, numbers);
    tcase_add_test(tc, specials);
    return run_suite("machine_rdna_dot4", tc);
}
