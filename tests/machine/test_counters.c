/* SPDX-License-Identifier: MIT */
/* LDS: counters for a whole wave, conditional exchanges, operations between two places of gfx908. Expected
 * values: the definitions of AMD's ISA manuals, written with integers and floats of C. */
#include <stdio.h>

#include "machine/fixture.h"

enum { COUNTER = 48, M0 = 124 };
static const uint64_t SOME_LANES = UINT64_C(0x80f0000000ff0a30);

static uint32_t lds32(const uint8_t *lds, unsigned at)
{
    uint32_t v;
    memcpy(&v, lds + at, 4);
    return v;
}

static const struct {
    const char *block;
    lw_arch arch;
    unsigned lanes;
    int sign;
} COUNTERS[] = {
    { "append", LW_ARCH_GFX950, 64, 1 },          { "append", LW_ARCH_GFX90A, 64, 1 },
    { "consume", LW_ARCH_GFX950, 64, -1 },        { "append_gfx1100", LW_ARCH_GFX1100, 32, 1 },
    { "append_gfx1100", LW_ARCH_GFX1100, 64, 1 }, { "consume_gfx1201", LW_ARCH_GFX1201, 32, -1 },
};
enum { COUNTER_COUNT = sizeof(COUNTERS) / sizeof(COUNTERS[0]) };

/* The upper half of M0 is ignored. The dword changes by the number of active lanes, which all get its old
 * value. */
START_TEST(counters)
{
    for (int none = 0; none < 2; none++) {
        const unsigned lanes = COUNTERS[_i].lanes;
        const uint64_t exec = none ? 0 : lanes == 32 ? SOME_LANES & UINT32_MAX : SOME_LANES;
        fixture f;
        fixture_init(&f, 40 + (uint64_t)_i);
        f.options.arch = COUNTERS[_i].arch;
        f.options.lanes = lanes;
        f.wave[0].sgpr[M0] = 0xabcd0000u | (COUNTER - 8);
        set_exec(&f, exec);
        snapshot s;
        take(&f, &s);
        const uint32_t old = lds32(s.lds, COUNTER);
        uint32_t active = 0;
        for (unsigned lane = 0; lane < lanes; lane++)
            if (exec >> lane & 1) {
                active++;
                s.vgpr[4 * 64 + lane] = old;
            }
        const uint32_t now = COUNTERS[_i].sign > 0 ? old + active : old - active;
        memcpy(s.lds + COUNTER, &now, 4);
        fixture_ok(&f, COUNTERS[_i].block);
        same_as(&f, &s, COUNTERS[_i].block);
        fixture_free(&f);
    }
}
END_TEST

/* Outside of LDS nothing is stored and lanes get zero. */
START_TEST(counter_outside)
{
    fixture f;
    fixture_init(&f, 41);
    f.wave[0].sgpr[M0] = LDS;
    snapshot s;
    take(&f, &s);
    memset(s.vgpr + (size_t)4 * 64, 0, 64 * sizeof(s.vgpr[0]));
    fixture_ok(&f, "append");
    same_as(&f, &s, "append");
    fixture_free(&f);
}
END_TEST

static const struct {
    const char *block;
    lw_arch arch;
} EXCHANGES[] = {
    { "condxchg", LW_ARCH_GFX942 },
    { "condxchg_gfx1100", LW_ARCH_GFX1100 },
    { "condxchg_gfx1201", LW_ARCH_GFX1201 },
};
enum { EXCHANGE_COUNT = sizeof(EXCHANGES) / sizeof(EXCHANGES[0]) };

/* Address and offset together lose their lowest three bits; bits 31 and 63 of the data say what is replaced.
 */
START_TEST(conditional_exchanges)
{
    fixture f;
    fixture_init(&f, 42);
    f.options.arch = EXCHANGES[_i].arch;
    f.options.lanes = 64;
    set_exec(&f, SOME_LANES);
    for (unsigned lane = 0; lane < 64; lane++) {
        reg(&f, 2)[lane] = 16 * lane + lane % 8;
        reg(&f, 4)[lane] = (reg(&f, 4)[lane] & 0x7fffffff) | (lane & 1) << 31;
        reg(&f, 5)[lane] = (reg(&f, 5)[lane] & 0x7fffffff) | (lane >> 1 & 1) << 31;
    }
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++)
        for (unsigned i = 0; i < 2 && SOME_LANES >> lane & 1; i++) {
            const unsigned at = (16 * lane + lane % 8 + 12) / 8 * 8 + 4 * i;
            const uint32_t data = reg(&f, 4 + i)[lane], kept = data - 0x80000000u;
            s.vgpr[(8 + i) * 64 + lane] = lds32(s.lds, at);
            if (data >= 0x80000000u)
                memcpy(s.lds + at, &kept, 4);
        }
    fixture_ok(&f, EXCHANGES[_i].block);
    same_as(&f, &s, EXCHANGES[_i].block);
    fixture_free(&f);
}
END_TEST

/* A op B as integers of both signs and as floats. */
typedef struct two {
    uint64_t a, b;
    int64_t sa, sb;
} two;

static double number(uint64_t v, unsigned bytes)
{
    float f;
    double d;
    memcpy(&f, &v, 4);
    memcpy(&d, &v, 8);
    return bytes == 4 ? (double)f : d;
}

static uint64_t sum_f32(const two *p)
{
    const float sum = (float)(number(p->a, 4) + number(p->b, 4));
    uint32_t bits;
    memcpy(&bits, &sum, 4);
    return bits;
}

static const char *const PLACES[] = { "add_u",   "sub_u", "rsub_u", "inc_u", "dec_u", "min_i",
                                      "max_i",   "min_u", "max_u",  "and_b", "or_b",  "xor_b",
                                      "write_b", "min_f", "max_f",  "add_f" };
enum { PLACE_COUNT = sizeof(PLACES) / sizeof(PLACES[0]) };

static uint64_t expected(int op, const two *p, unsigned bytes)
{
    const uint64_t results[] = {
        p->a + p->b,
        p->a - p->b,
        p->b - p->a,
        p->a >= p->b ? 0 : p->a + 1,
        p->a == 0 || p->a > p->b ? p->b : p->a - 1,
        p->sa < p->sb ? p->a : p->b,
        p->sa > p->sb ? p->a : p->b,
        p->a < p->b ? p->a : p->b,
        p->a > p->b ? p->a : p->b,
        p->a & p->b,
        p->a | p->b,
        p->a ^ p->b,
        p->b,
        number(p->a, bytes) < number(p->b, bytes) ? p->a : p->b,
        number(p->a, bytes) > number(p->b, bytes) ? p->a : p->b,
        sum_f32(p),
    };
    return results[op];
}

static uint64_t place(const uint8_t *lds, unsigned at, unsigned bytes)
{
    uint64_t v = 0;
    memcpy(&v, lds + at, bytes);
    return v;
}

/* Floats: normal numbers, so that nothing is flushed and nothing is a NaN. */
static void make_normal(uint8_t *lds, unsigned bytes)
{
    for (unsigned at = bytes - 1; at < LDS; at += bytes)
        lds[at] = (uint8_t)(0x3f | (lds[at] & 0x80));
}

/* B is 16 dwords above A, or 18 below it. */
static void check_places(int op, unsigned bytes)
{
    char name[64];
    snprintf(name, sizeof(name), "src2_%s%u", PLACES[op], 8 * bytes);
    const int distance = bytes == 4 ? 64 : -72;
    fixture f;
    fixture_init(&f, 43);
    f.options.arch = LW_ARCH_GFX908;
    if (strchr(PLACES[op], 'f'))
        make_normal(f.lds, bytes);
    set_exec(&f, SOME_LANES);
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] = 128 + bytes * lane;
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++) {
        if (!(SOME_LANES >> lane & 1))
            continue;
        const unsigned at = 128 + bytes * lane;
        two p = { .a = place(s.lds, at, bytes), .b = place(s.lds, at + (unsigned)distance, bytes) };
        p.sa = bytes == 4 ? (int32_t)p.a : (int64_t)p.a;
        p.sb = bytes == 4 ? (int32_t)p.b : (int64_t)p.b;
        const uint64_t now = expected(op, &p, bytes);
        memcpy(s.lds + at, &now, bytes);
    }
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}

START_TEST(two_places)
{
    check_places(_i, 4);
    if (_i + 1 < PLACE_COUNT)
        check_places(_i, 8);
}
END_TEST

/* No source says which bits name A where the distance is in the address. */
START_TEST(distance_in_address)
{
    fixture f;
    fixture_init(&f, 44);
    f.options.arch = LW_ARCH_GFX908;
    ck_assert_int_ne(fixture_run(&f, "src2_by_address", 1), LW_OK);
    ck_assert_ptr_nonnull(
        strstr(f.error.text, "offset1[7] puts the distance of the two places into the address"));
    fixture_free(&f);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("counters");
    tcase_add_loop_test(tc, counters, 0, COUNTER_COUNT);
    tcase_add_test(tc, counter_outside);
    tcase_add_loop_test(tc, conditional_exchanges, 0, EXCHANGE_COUNT);
    tcase_add_loop_test(tc, two_places, 0, PLACE_COUNT);
    tcase_add_test(tc, distance_in_address);
    return run_suite("machine_counters", tc);
}
