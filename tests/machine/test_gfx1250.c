/* SPDX-License-Identifier: MIT */
/*
 * What gfx1250 does differently. Nothing was measured on the chip: expected values follow AMD's documents and
 * public test programs whose oracle is AMD's text of the instruction set (lane permutations), LLVM 22
 * (register numbers, literals, offsets), AMD's emulator (MODE), or arithmetic in C. Words: llvm-mc 22.
 */
#include "machine/fixture.h"

#include "isa_tables/amdgpu/registers.h"

enum { LANES = 32, REGS = 824, BYTES = 4096 };

static const uint32_t END = 0xbfb00000;

typedef struct world {
    lw_wave_state wave;
    uint32_t vgpr[REGS * 64], lds[64];
    lw_memory *memory;
    uint64_t address;
    uint8_t *bytes;
    lw_async async;
    const char *reading;
    lw_error error;
} world;

static world w;

static void reset(void)
{
    if (w.memory)
        lw_memory_free(w.memory);
    memset(&w, 0, sizeof(w));
    w.wave = (lw_wave_state){ .vgprs = REGS, .mode = 0xf0, .vgpr = w.vgpr };
    w.wave.sgpr[LW_SGPR_EXEC] = UINT32_MAX;
    ck_assert_int_eq(lw_memory_create(&w.memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(w.memory, "b", BYTES, LW_ACCESS_READ_WRITE, &w.address, NULL), LW_OK);
    w.bytes = lw_memory_host(w.memory, w.address, BYTES);
    for (uint32_t i = 0; i < BYTES / 4; i++)
        memcpy(w.bytes + 4 * (size_t)i, &(uint32_t){ 1000 + i }, 4);
}

static lw_status run_words(const uint32_t *words, size_t count)
{
    const lw_code_options o = { .struct_size = sizeof(o),
                                .arch = LW_ARCH_GFX1250,
                                .code = words,
                                .words = count,
                                .memory = w.memory,
                                .lds = w.lds,
                                .lds_size = sizeof(w.lds),
                                .scratch = 64,
                                .async = w.async,
                                .readings = &w.reading,
                                .reading_count = w.reading != NULL,
                                .budget = 10000 };
    return lw_code_run(&o, &w.wave, 1, NULL, &w.error);
}

#define RUN(...)                                                                                             \
    do {                                                                                                     \
        const uint32_t words_[] = { __VA_ARGS__, END };                                                      \
        ck_assert_msg(run_words(words_, sizeof(words_) / 4) == LW_OK, "%s", w.error.text);                   \
    } while (0)
#define REFUSED(why, ...)                                                                                    \
    do {                                                                                                     \
        const uint32_t words_[] = { __VA_ARGS__, END };                                                      \
        ck_assert_int_eq(run_words(words_, sizeof(words_) / 4), LW_E_FAULT);                                 \
        ck_assert_msg(strstr(w.error.text, why) != NULL, "%s", w.error.text);                                \
    } while (0)

static uint32_t *row(unsigned reg)
{
    return w.vgpr + (size_t)reg * 64;
}

static void fill(unsigned reg, uint32_t value)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        row(reg)[lane] = value;
}

static void fill64(unsigned reg, uint64_t value)
{
    fill(reg, (uint32_t)value);
    fill(reg + 1, (uint32_t)(value >> 32));
}

static uint64_t pair(unsigned reg, unsigned lane)
{
    return row(reg)[lane] | (uint64_t)row(reg + 1)[lane] << 32;
}

static uint32_t bits_of(float x)
{
    uint32_t v;
    memcpy(&v, &x, sizeof(v));
    return v;
}

/* CLAMP of a sum of 64 bits without carry: the largest number instead of one too large, 0 instead of one
 * below. */
START_TEST(sums_that_saturate)
{
    reset();
    fill64(2, UINT64_C(0xfffffffffffffff0));
    fill64(4, UINT64_C(0x20));
    RUN(0xd5280006, 0x00020902, 0xd5288008, 0x00020902, /* v_add_nc_u64 v[6:7], v[2:3], v[4:5], then clamp */
        0xd529000a, 0x00020504, 0xd529800c,
        0x00020504, /* v_sub_nc_u64 v[10:11], v[4:5], v[2:3], then clamp */
        0xd528800e, 0x00020904, 0xd5298010, 0x00020902); /* in range */
    ck_assert_uint_eq(pair(6, 0), 0x10);
    ck_assert_uint_eq(pair(8, 0), UINT64_MAX);
    ck_assert_uint_eq(pair(10, 31), 0x30);
    ck_assert_uint_eq(pair(12, 31), 0);
    ck_assert_uint_eq(pair(14, 5), 0x40);
    ck_assert_uint_eq(pair(16, 5), UINT64_C(0xffffffffffffffd0));
}
END_TEST

START_TEST(lanes_of_groups)
{
    reset();
    for (uint32_t lane = 0; lane < LANES; lane++) {
        row(1)[lane] = 100 + lane;
        row(2)[lane] = 3 * lane + 1;
        row(11)[lane] = 100 + lane;
        row(12)[lane] = 200 + lane;
    }
    RUN(0xd6710004, 0x02210501, 0xd6700005, 0x02210501, 0xd6720006, 0x02210501, 0xd6730007,
        0x02210501,                                                  /* S 2, W 8 */
        0xd6700008, 0x02215101, 0xd6710009, 0x02215101,              /* S 40 */
        0xd714000a, 0x00011102, 0x7e16930c, 0xd673000d, 0x02211101); /* xor with 8 */
    ck_assert(row(4)[9] == 109 && row(4)[10] == 108);
    ck_assert_uint_eq(row(5)[13], 110);
    ck_assert(row(6)[5] == 107 && row(6)[6] == 106);
    ck_assert_uint_eq(row(7)[0], 102);
    ck_assert(row(8)[3] == 100 && row(9)[3] == 103);
    ck_assert_uint_eq(row(10)[3], 8);
    ck_assert(row(11)[16] == 200 && row(12)[0] == 116);
    ck_assert(row(13)[0] == 100 && row(13)[8] == 100); /* only a group of lower lanes can be reached */
    REFUSED("power of two", 0xd6710004, 0x02310501);
}
END_TEST

START_TEST(more_registers)
{
    reset();
    fill(300, bits_of(3));
    fill(600, bits_of(5));
    fill(800, bits_of(7));
    RUN(0xbf860039, 0xd6130014, 0x0482b12c); /* v20 = v300 * v600 + v800 */
    ck_assert_uint_eq(row(20)[31], bits_of(22));
    fill64(600, w.address + 16);
    RUN(0xbf860006, 0xee06807c, 0x16000000, 0x00000058); /* address v[600:601], data v300 */
    uint32_t stored;
    memcpy(&stored, w.bytes + 16, 4);
    ck_assert_uint_eq(stored, bits_of(3));
    fill(600, bits_of(5));
    RUN(0xbf860072, 0x58584158, 0x40000000); /* v300 = v600 * 2.0 + v800: the addend has the third number */
    ck_assert_uint_eq(row(300)[0], bits_of(17));
    RUN(0xbf8600b9, 0xb8853b01, 0xbf860000); /* MODE[19:12]: the result's number, then the sources' */
    ck_assert_uint_eq(w.wave.sgpr[5], 0xe6);
    ck_assert_uint_eq(w.wave.mode, 0xf0);
    RUN(0xbf8600ff, 0xb9800641, 0x00000001); /* a constant for any field of MODE resets them */
    ck_assert_uint_eq(w.wave.mode, 0xf0 | 1 << 25);
    w.wave.mode = 0xf0;
    REFUSED("not among the 824", 0xbf860003, 0xd6130014, 0x0482b1c0);
}
END_TEST

START_TEST(long_literals)
{
    double sum = 1, bigger = 1.5;
    uint64_t v;
    reset();
    fill64(4, UINT64_C(0x3ff0000000000000));
    fill64(6, UINT64_C(0x4000000000000000));
    RUN(0xbe8001fe, 0x34567890, 0x00000012, 0x040408fe, 0x00000001, 0x3ff00000);
    ck_assert(w.wave.sgpr[0] == 0x34567890 && w.wave.sgpr[1] == 0x12);
    memcpy(&v, &sum, 8);
    sum = 2; /* 1 + (1 + 2^-52), halfway: to even */
    memcpy(&v, &sum, 8);
    ck_assert_uint_eq(pair(2, 7), v);
    RUN(0x48040d04, 0x00000001, 0x3ff80000); /* 1 * 2 + (1.5 + 2^-52) */
    bigger = 3.5;
    memcpy(&v, &bigger, 8);
    ck_assert_uint_eq(pair(2, 7), v);
    REFUSED("a literal of 64 bits means", 0xbe8000fe, 5, 0);
}
END_TEST

START_TEST(scaled_offsets)
{
    reset();
    fill(2, 5);
    w.wave.sgpr[4] = 3;
    w.wave.sgpr[6] = (uint32_t)w.address + 2; /* 5 elements of 4 bytes, and 10 bytes that are not scaled */
    w.wave.sgpr[7] = (uint32_t)(w.address >> 32);
    RUN(0xee050006, 0x00010003, 0x00000a02);
    ck_assert_uint_eq(row(3)[0], 1000 + (5 * 4 + 12) / 4);
    w.wave.sgpr[6] -= 2;
    RUN(0xee054006, 0x00010004, 0x00000002, 0xf4002203, 0x09000008);
    ck_assert_uint_eq(row(4)[0], 1000 + 5 * 8 / 4);
    ck_assert_uint_eq(w.wave.sgpr[8], 1000 + (3 * 8 + 8) / 4);
}
END_TEST

/* Lane n copies a dword of its own to LDS; the wave's wait makes it visible. */
START_TEST(copies_to_lds)
{
    for (int async = LW_ASYNC_LATE; async <= LW_ASYNC_EARLY; async++) {
        reset();
        w.async = (lw_async)async;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            row(3)[lane] = 4 * (LANES - 1 - lane);
            row(6)[lane] = (uint32_t)w.address + 8 * lane;
            row(7)[lane] = (uint32_t)(w.address >> 32);
            row(9)[lane] = 4 * lane;
        }
        w.wave.sgpr[LW_SGPR_EXEC] = 0xfffffffe;
        RUN(0xee18007c, 0x00000003, 0x00000406, 0xd8d80000, 0x08000009, 0xbfca0000, 0xd8d80000, 0x0b000009);
        for (uint32_t lane = 1; lane < LANES; lane++) {
            const uint32_t copied = 1000 + 2 * (LANES - lane) + 1; /* both sides are 4 bytes further */
            ck_assert_uint_eq(row(11)[lane], copied);
            ck_assert_uint_eq(row(8)[lane], async == LW_ASYNC_EARLY ? copied : 0);
        }
        ck_assert_uint_eq(w.lds[LANES], 0); /* of lane 0, which is not active */
    }
    reset();
    memset(w.lds, 0xee, sizeof(w.lds));
    fill(3, 8);
    fill64(6, w.address);
    w.wave.sgpr[LW_SGPR_EXEC] = 1;
    RUN(0xee17c07c, 0x00000003, 0x00000006, 0xbfca0000); /* one byte */
    ck_assert_uint_eq(w.lds[2], 0xeeeeee00 | (1000 & 255));
}
END_TEST

START_TEST(pairs)
{
    reset();
    fill(1, bits_of(3));
    fill(2, bits_of(5));
    fill(3, 77);
    fill(4, bits_of(7));
    RUN(0xcf4c8101, 0x04020b03, 0x07000003);
    ck_assert_uint_eq(row(3)[0], bits_of(-22));
    ck_assert_uint_eq(row(7)[0], 77); /* read before the other half writes */
    fill64(2, UINT64_C(0x9900000077));
    fill64(4, UINT64_C(0x3ff0000000000000));
    fill64(6, UINT64_C(0x4000000000000000));
    RUN(0xcf848104, 0x00060103, 0x08000002);
    ck_assert_uint_eq(pair(2, 31), UINT64_C(0x4008000000000000));
    ck_assert_uint_eq(row(8)[31], 0x99);
    fill(1, 10);
    fill(2, 20);
    fill(4, 0xff00ff00);
    fill(5, 0xf0f0f0f0);
    w.wave.sgpr[5] = 0x2;
    RUN(0xcf252101, 0x05020104, 0x03140500);
    ck_assert(row(0)[0] == 10 && row(0)[1] == 20);
    ck_assert_uint_eq(row(3)[0], 0xff00ff00 ^ 0xf0f0f0f0);
}
END_TEST

START_TEST(integers)
{
    const uint64_t a = UINT64_C(0x8123456789abcdef), b = UINT64_C(0x7edcba9876543213);
    reset();
    fill64(4, a);
    fill64(6, b);
    RUN(0x50040d04);
    ck_assert_uint_eq(pair(2, 3), a + b);
    RUN(0x52040d04);
    ck_assert_uint_eq(pair(2, 3), a - b);
    RUN(0x54040d04);
    ck_assert_uint_eq(pair(2, 3), a * b);
    RUN(0xd71b0002, 0x00020d04);
    ck_assert_uint_eq(pair(2, 3), b);
    RUN(0xd7180002, 0x00020d04);
    ck_assert_uint_eq(pair(2, 3), b);
    RUN(0xd6fa0002, 0x041a0b04);
    ck_assert_uint_eq(pair(2, 3), (uint64_t)(uint32_t)a * (uint32_t)(a >> 32) + b);
    RUN(0xd6350002, 0x041a0b04);
    ck_assert_uint_eq(row(2)[3], (uint32_t)a * (uint32_t)(a >> 32) + (uint32_t)b);
}
END_TEST

/* bf16 of small whole numbers: 3 is 4040, 5 is 40a0, 7 is 40e0; the smallest subnormal number is kept. */
START_TEST(packed_bf16)
{
    reset();
    fill(4, 0x000140a0);
    fill(5, 0x00014040);
    fill(6, 0x000040e0);
    w.wave.mode = 0;
    RUN(0xcc234002, 0x18020b04);
    ck_assert_uint_eq(row(2)[0], 0x00024100); /* 8 */
    RUN(0xcc114002, 0x1c1a0b04);
    ck_assert_uint_eq(row(2)[0], 0x000041b0); /* 22 */
}
END_TEST

START_TEST(scratch_through_flat_addresses)
{
    reset();
    for (uint32_t lane = 0; lane < LANES; lane++) {
        row(4)[lane] = 500 + lane;
        row(12)[lane] = 8;
        row(13)[lane] = (lane ^ 1) << 20; /* the neighbour's */
    }
    RUN(0xed06807c, 0x02000000, 0x00000800, 0xbe8a01e6, 0x501c180a, 0xec05007c, 0x00000002, 0x0000000e);
    for (uint32_t lane = 0; lane < LANES; lane++)
        ck_assert_uint_eq(row(2)[lane], 500 + (lane ^ 1));
}
END_TEST

START_TEST(counter_and_places)
{
    reset();
    w.wave.sgpr[3] = 9;
    RUN(0x7e020280, 0xbe804b84, 0xbe830085, 0xb884199c); /* jumps over s_mov_b32 s3, 5 */
    ck_assert_uint_eq(w.wave.sgpr[3], 9);
    ck_assert_uint_eq(w.wave.sgpr[4], 0);
}
END_TEST

/* Magnitudes that f16 has as normal numbers: adding random bits below the result's last one and cutting. */
START_TEST(pairs_with_a_seed)
{
    reset();
    uint64_t x = 88172645463325252;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned r = 0; r < 3; r++) {
            x = mix(x + 1);
            row(r)[lane] = r == 2 ? (uint32_t)x : ((uint32_t)x & 0x83ffffff) | 0x3c000000;
        }
    row(2)[0] = 0;
    row(2)[1] = UINT32_MAX;
    static const char *const readings[] = { NULL, "sr-pk-seed:next", "sr-pk-seed:halves" };
    for (unsigned i = 0; i < 3; i++) {
        w.reading = readings[i];
        RUN(0xd76e0004, 0x040a0300); /* v_cvt_sr_pk_bf16_f32 v4, v0, v1, v2 */
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint32_t a = row(0)[lane], b = row(1)[lane], seed = row(2)[lane];
            const uint32_t next = (uint32_t)(2 * (uint64_t)seed) ^ (seed >= 0x80000000 ? 0xc5 : 0);
            const uint32_t low = i < 2 ? seed >> 16 : seed & 0xffff, high = i < 2 ? next >> 16 : seed >> 16;
            ck_assert_uint_eq(row(4)[lane], (a + low) >> 16 | ((b + high) & 0xffff0000));
        }
        if (i == 2) {
            REFUSED("which of 16 random bits", 0xd7700003, 0x040a0300);
            break;
        }
        RUN(0xd7700003, 0x040a0300); /* v_cvt_sr_pk_f16_f32 v3, v0, v1, v2 */
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint32_t seed = row(2)[lane];
            const uint32_t next = (uint32_t)(2 * (uint64_t)seed) ^ (seed >= 0x80000000 ? 0xc5 : 0);
            uint32_t want = 0;
            for (unsigned r = 0; r < 2; r++) {
                const uint32_t bits = row(r)[lane], up = (bits & 0x7fffffff) + ((r ? next : seed) >> 19);
                want |= (bits >> 31 << 15 | (up - (112u << 23)) >> 13) << 16 * r;
            }
            ck_assert_uint_eq(row(3)[lane], want);
        }
    }
    w.reading = NULL;
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gfx1250");
    tcase_add_test(tc, pairs_with_a_seed);
    tcase_add_test(tc, sums_that_saturate);
    tcase_add_test(tc, lanes_of_groups);
    tcase_add_test(tc, more_registers);
    tcase_add_test(tc, long_literals);
    tcase_add_test(tc, scaled_offsets);
    tcase_add_test(tc, copies_to_lds);
    tcase_add_test(tc, pairs);
    tcase_add_test(tc, integers);
    tcase_add_test(tc, packed_bf16);
    tcase_add_test(tc, scratch_through_flat_addresses);
    tcase_add_test(tc, counter_and_places);
    const int failed = run_suite("machine_gfx1250", tc);
    if (w.memory)
        lw_memory_free(w.memory);
    return failed;
}
