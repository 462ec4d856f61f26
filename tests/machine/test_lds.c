/* SPDX-License-Identifier: MIT */
/* LDS reads and writes, permutes, swizzles and transposing reads, compared with byte-wise models. */
#include <stdio.h>

#include "machine/fixture.h"

typedef struct form {
    const char *suffix;
    unsigned bytes;
    bool is_signed, d16, high;
} form;

static const form READS[] = {
    { "u8", 1, false, false, false },     { "i8", 1, true, false, false },
    { "u16", 2, false, false, false },    { "i16", 2, true, false, false },
    { "u8_d16", 1, false, true, false },  { "u8_d16_hi", 1, false, true, true },
    { "i8_d16", 1, true, true, false },   { "i8_d16_hi", 1, true, true, true },
    { "u16_d16", 2, false, true, false }, { "u16_d16_hi", 2, false, true, true },
    { "b32", 4, false, false, false },    { "b64", 8, false, false, false },
    { "b96", 12, false, false, false },   { "b128", 16, false, false, false },
};
static const form WRITES[] = {
    { "b8", 1, false, false, false },      { "b16", 2, false, false, false },
    { "b8_d16_hi", 1, false, true, true }, { "b16_d16_hi", 2, false, true, true },
    { "b32", 4, false, false, false },     { "b64", 8, false, false, false },
    { "b96", 12, false, false, false },    { "b128", 16, false, false, false },
};
enum { READ_COUNT = sizeof(READS) / sizeof(READS[0]), WRITE_COUNT = sizeof(WRITES) / sizeof(WRITES[0]) };

/* Unaligned; the last lane is outside. */
static uint32_t place(unsigned lane)
{
    return lane == 63 ? LDS - 2 : 17 * lane + 1;
}

static uint32_t word_at(const uint8_t *bytes, uint32_t at)
{
    return bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 |
           (uint32_t)bytes[at + 3] << 24;
}

START_TEST(reads)
{
    const form *m = &READS[_i];
    char name[64];
    snprintf(name, sizeof(name), "ds_read_%s", m->suffix);
    fixture f;
    fixture_init(&f, (uint64_t)_i + 1);
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] = place(lane);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint8_t bytes[16] = { 0 };
        const uint32_t at = place(lane) + 3;
        if (at + m->bytes <= LDS)
            memcpy(bytes, f.lds + at, m->bytes);
        uint32_t v = word_at(bytes, 0);
        if (m->bytes < 4) {
            if (m->is_signed)
                v = (uint32_t)(m->bytes == 1 ? (int32_t)(int8_t)v : (int32_t)(int16_t)v);
            if (m->d16)
                v = m->high ? v << 16 : v & 0xffff;
            s.vgpr[4 * 64 + lane] = v;
            continue;
        }
        for (unsigned i = 0; i < m->bytes / 4; i++)
            s.vgpr[(4 + i) * 64 + lane] = word_at(bytes, 4 * i);
    }
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}
END_TEST

START_TEST(writes)
{
    const form *m = &WRITES[_i];
    char name[64];
    snprintf(name, sizeof(name), "ds_write_%s", m->suffix);
    fixture f;
    fixture_init(&f, (uint64_t)_i + 1);
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] = place(lane);
    set_exec(&f, UINT64_C(0xfffffffffffffff6));
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 1; lane < 64; lane++)
        for (unsigned i = 0; i < m->bytes; i++)
            if (lane != 3 && place(lane) + 3 + m->bytes <= LDS)
                s.lds[place(lane) + 3 + i] =
                    (uint8_t)(f.vgpr[0][(4 + i / 4) * 64 + lane] >> (i % 4 * 8 + (m->high ? 16 : 0)));
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}
END_TEST

/* Pairs: name, bytes, distance of an offset step, the two offsets. */
START_TEST(pairs)
{
    static const struct {
        const char *name;
        unsigned bytes, step, first, second;
        bool writes;
    } P[] = {
        { "ds_read2_b32", 4, 4, 1, 9, false },       { "ds_read2_b64", 8, 8, 1, 9, false },
        { "ds_read2st64_b32", 4, 256, 1, 2, false }, { "ds_write2_b32", 4, 4, 1, 9, true },
        { "ds_write2st64_b64", 8, 512, 1, 2, true },
    };
    for (size_t p = 0; p < sizeof(P) / sizeof(P[0]); p++) {
        fixture f;
        fixture_init(&f, 40 + p);
        for (unsigned lane = 0; lane < 64; lane++)
            reg(&f, 2)[lane] = 13 * lane;
        snapshot s;
        take(&f, &s);
        for (unsigned lane = 0; lane < 64; lane++)
            for (unsigned i = 0; i < 2 * P[p].bytes / 4; i++) {
                const unsigned half = i / (P[p].bytes / 4), word = i % (P[p].bytes / 4);
                const uint32_t at = 13 * lane + (half ? P[p].second : P[p].first) * P[p].step;
                uint32_t *r = &s.vgpr[(4 + i) * 64 + lane];
                const bool inside = at + P[p].bytes <= LDS;
                if (P[p].writes && inside)
                    memcpy(s.lds + at + 4 * word, r, 4);
                if (!P[p].writes)
                    *r = inside ? word_at(f.lds, at + 4 * word) : 0;
            }
        fixture_ok(&f, P[p].name);
        same_as(&f, &s, P[p].name);
        fixture_free(&f);
    }
}
END_TEST

START_TEST(exchange_pairs)
{
    fixture f;
    fixture_init(&f, 50);
    for (unsigned lane = 0; lane < 64; lane++)
        reg(&f, 2)[lane] = 16 * lane;
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++)
        for (unsigned i = 0; i < 2; i++) {
            const uint32_t at = 16 * lane + (i ? 12 : 4);
            s.vgpr[(8 + i) * 64 + lane] = word_at(f.lds, at);
            memcpy(s.lds + at, &s.vgpr[(4 + i) * 64 + lane], 4);
        }
    fixture_ok(&f, "ds_wrxchg2_b32");
    same_as(&f, &s, "ds_wrxchg2");
    fixture_free(&f);
}
END_TEST

static const uint64_t EXEC = UINT64_C(0xf0f0ffff00ffff7e);

START_TEST(permutes)
{
    fixture f;
    fixture_init(&f, 60);
    set_exec(&f, EXEC);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++) {
        const unsigned from = (f.vgpr[0][2 * 64 + lane] + 12) / 4 % 64;
        if (EXEC >> lane & 1)
            s.vgpr[8 * 64 + lane] = EXEC >> from & 1 ? f.vgpr[0][4 * 64 + from] : 0;
    }
    fixture_ok(&f, "ds_bpermute");
    same_as(&f, &s, "ds_bpermute");

    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t got = 0;
        for (unsigned from = 0; from < 64; from++)
            if (EXEC >> from & 1 && f.vgpr[0][2 * 64 + from] / 4 % 64 == lane)
                got = f.vgpr[0][4 * 64 + from];
        if (EXEC >> lane & 1)
            s.vgpr[8 * 64 + lane] = got;
    }
    fixture_ok(&f, "ds_permute");
    same_as(&f, &s, "ds_permute");
    fixture_free(&f);
}
END_TEST

/* Computed by hand from the manual's text, block by block of code.s. */
static unsigned swizzle_model(int which, unsigned k)
{
    const unsigned half = k / 32 * 32, l = k % 32;
    switch (which) {
    case 0: /* 0x041f: and 31, or 0, xor 1 */
        return k ^ 1;
    case 1: /* quads 3 2 1 0 */
        return k / 4 * 4 + 3 - k % 4;
    case 2: { /* FFT, mask 16 */
        const unsigned reversed = (l & 1) << 4 | (l & 2) << 2 | (l & 4) | (l & 8) >> 2 | (l & 16) >> 4;
        return half + (reversed / 2 | (l & 16));
    }
    case 3: /* rotate right by 3 */
        return half + (l + 29) % 32;
    case 4: /* rotate left by 5, bit 1 stays */
        return half + (((l + 5) % 32 & ~2u) | (l & 2));
    case 5: /* 0x7c1f: xor 31 */
        return k ^ 31;
    default: /* 0x0c03: and 3, xor 3 */
        return half + ((l & 3) ^ 3);
    }
}

START_TEST(swizzles)
{
    char name[32];
    snprintf(name, sizeof(name), "ds_swizzle_%d", _i);
    fixture f;
    fixture_init(&f, 70);
    set_exec(&f, EXEC);
    snapshot s;
    take(&f, &s);
    for (unsigned lane = 0; lane < 64; lane++) {
        const unsigned from = swizzle_model(_i, lane);
        if (EXEC >> lane & 1)
            s.vgpr[8 * 64 + lane] = EXEC >> from & 1 ? f.vgpr[0][4 * 64 + from] : 0;
    }
    fixture_ok(&f, name);
    same_as(&f, &s, name);
    fixture_free(&f);
}
END_TEST

/* 16 lanes hold a matrix of `rows` rows of 16 elements; lane l of them receives column l. */
START_TEST(transposing_reads)
{
    static const struct {
        const char *name;
        unsigned bits, bytes;
    } T[] = { { "ds_read_b64_tr_b16", 16, 8 },
              { "ds_read_b64_tr_b8", 8, 8 },
              { "ds_read_b64_tr_b4", 4, 8 },
              { "ds_read_b96_tr_b6", 6, 12 } };
    for (size_t t = 0; t < 4; t++) {
        fixture f;
        fixture_init(&f, 80 + t);
        for (unsigned lane = 0; lane < 64; lane++)
            reg(&f, 2)[lane] = (lane * 5 % 64) * 16;
        snapshot s;
        take(&f, &s);
        const unsigned rows = T[t].bytes * 8 / T[t].bits, lanes_a_row = 16 / rows;
        for (unsigned lane = 0; lane < 64; lane++) {
            for (unsigned i = 0; i < T[t].bytes / 4; i++)
                s.vgpr[(4 + i) * 64 + lane] = 0;
            for (unsigned row = 0; row < rows; row++) {
                const unsigned column = lane % 16,
                               holder = lane / 16 * 16 + row * lanes_a_row + column / rows;
                const unsigned first = (column % rows) * T[t].bits;
                for (unsigned b = 0; b < T[t].bits; b++) {
                    const unsigned bit = first + b, to = row * T[t].bits + b;
                    const uint8_t byte = f.lds[reg(&f, 2)[holder] + 16 + bit / 8];
                    s.vgpr[(4 + to / 32) * 64 + lane] |= (uint32_t)(byte >> bit % 8 & 1) << to % 32;
                }
            }
        }
        fixture_ok(&f, T[t].name);
        same_as(&f, &s, T[t].name);

        set_exec(&f, UINT64_MAX - 1);
        ck_assert_int_eq(fixture_run(&f, T[t].name, 1), LW_E_FAULT);
        ck_assert_str_eq(f.result->fault.reason, "a transposing read needs all lanes active");
        fixture_free(&f);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("lds");
    tcase_add_loop_test(tc, reads, 0, READ_COUNT);
    tcase_add_loop_test(tc, writes, 0, WRITE_COUNT);
    tcase_add_test(tc, pairs);
    tcase_add_test(tc, exchange_pairs);
    tcase_add_test(tc, permutes);
    tcase_add_loop_test(tc, swizzles, 0, 7);
    tcase_add_test(tc, transposing_reads);
    return run_suite("machine_lds", tc);
}
