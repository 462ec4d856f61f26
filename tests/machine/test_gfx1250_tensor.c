/* SPDX-License-Identifier: MIT */
/*
 * gfx1250: copies of tiles between memory and LDS. Expected bytes are computed here from the tile's
 * coordinates (AMD's CDNA5 manual 10.11 as public texts quote it); the examples with columns, padding and
 * gathered rows are those that one of these texts compared with an MI450. Words: llvm-mc 22.
 */
#include "machine/gfx1250.h"

/* A descriptor in words: groups 0 to 3. */
static uint32_t d[20];

static void put(unsigned low, unsigned count, uint64_t value)
{
    for (unsigned i = 0; i < count; i++)
        d[(low + i) / 32] = (d[(low + i) / 32] & ~(1u << (low + i) % 32)) | (uint32_t)(value >> i & 1)
                                                                                << (low + i) % 32;
}

/* Bits of group 1, 2 and 3 begin here. */
enum { G1 = 128, G2 = 384, G3 = 512 };

static const struct {
    unsigned dim, tile, stride;
} places[5] = { { G1 + 48, G1 + 112, 0 },
                { G1 + 80, G1 + 128, G1 + 160 },
                { G2 + 0, G1 + 144, G1 + 208 },
                { G2 + 32, G2 + 112, G2 + 64 },
                { G3 + 48, G3 + 80, G3 + 0 } };

static void describe(unsigned log_size, unsigned lds, uint64_t at, unsigned rank, const uint32_t *dim,
                     const uint32_t *tile, const uint64_t *stride)
{
    memset(d, 0, sizeof(d));
    put(0, 2, 1);
    put(32, 32, lds);
    put(64, 57, at);
    put(126, 2, 2);
    put(G1 + 16, 2, log_size);
    for (unsigned i = 0; i < rank; i++) {
        put(places[i].dim, 32, dim[i]);
        put(places[i].tile, 16, tile[i]);
        if (i)
            put(places[i].stride, 48, stride[i]);
    }
}

static void load_descriptor(void)
{
    memcpy(w.wave[0].sgpr, d, sizeof(d));
    w.wave[0].sgpr[LW_SGPR_EXEC] = 0; /* it does not matter */
}

#define LOAD 0xd0710001, 0x7c000000, 0x100c0400
#define STORE 0xd0714001, 0x7c000000, 0x100c0400
#define WAIT 0xbfcb0000

/* Every element by its coordinates. `padded`: where a byte of the packed tile goes. */
static void check_load(unsigned size, unsigned lds, const uint8_t *from, unsigned rank, const uint32_t *dim,
                       const uint32_t *tile, const uint64_t *stride, unsigned every, unsigned amount)
{
    uint8_t expected[LDS_BYTES];
    for (unsigned i = 0; i < LDS_BYTES; i++)
        expected[i] = (uint8_t)i;
    uint64_t count = 1;
    for (unsigned i = 0; i < rank; i++)
        count *= tile[i];
    for (uint64_t n = 0; n < count; n++) {
        uint64_t rest = n, element = 0;
        bool good = true;
        for (unsigned i = 0; i < rank; i++) {
            const uint64_t c = rest % tile[i];
            rest /= tile[i];
            element += c * (i ? stride[i] : 1);
            good = good && c < dim[i];
        }
        const uint64_t packed = n * size, at = lds + packed + (every ? packed / every * amount : 0);
        for (unsigned b = 0; b < size; b++)
            expected[at + b] = good ? from[element * size + b] : 0;
    }
    for (unsigned i = 0; i < LDS_BYTES; i++)
        ck_assert_msg(w.lds[i] == expected[i], "byte %u of LDS is %u, not %u", i, w.lds[i], expected[i]);
}

START_TEST(loads_of_every_rank)
{
    for (unsigned rank = 1; rank <= 5; rank++)
        for (unsigned log_size = 0; log_size < 4; log_size++)
            for (int async = LW_ASYNC_LATE; async <= LW_ASYNC_EARLY; async++) {
                const uint32_t tile[5] = { 12, 3, 2, 2, 2 }, dim[5] = { 9, 2, 2, 1, 2 };
                const uint64_t stride[5] = { 1, 20, 64, 130, 262 };
                const unsigned size = 1u << log_size;
                reset(1);
                w.async = (lw_async)async;
                describe(log_size, 40, w.address + 16, rank, dim, tile, stride);
                load_descriptor();
                RUN(LOAD, WAIT);
                check_load(size, 40, w.bytes + 16, rank, dim, tile, stride, 0, 0);
            }
}
END_TEST

/* Columns 32 to 47 of 40: eight numbers and eight zeros; the bound counts from the tile on. */
START_TEST(edges)
{
    const uint32_t tile[2] = { 16, 2 }, dim[2] = { 8, 5 };
    const uint64_t stride[2] = { 1, 40 };
    reset(1);
    describe(2, 0, w.address + 32 * 4, 2, dim, tile, stride);
    put(G1 + 0, 0, 0);
    load_descriptor();
    RUN(0xd0710001, 0x7c000000, 0x7c7c0400, WAIT); /* two groups suffice */
    for (uint32_t i = 0; i < 32; i++)
        ck_assert_uint_eq(dword(w.lds, i), i % 16 < 8 ? 1032 + i / 16 * 40 + i % 16 : 0);
    memset(d, 0, sizeof(d));
    load_descriptor();
    RUN(LOAD, WAIT); /* nothing, whatever else it says */
    ck_assert_uint_eq(dword(w.lds, 0), 1032);
}
END_TEST

/* Rows of 16 dwords with one dword between them would need an amount of 0: two dwords are the least. */
START_TEST(padding)
{
    const uint32_t tile[2] = { 16, 8 }, dim[2] = { 16, 8 };
    const uint64_t stride[2] = { 1, 16 };
    reset(1);
    describe(2, 8, w.address, 2, dim, tile, stride);
    put(G1 + 20, 1, 1);
    put(G1 + 22, 3, 3); /* every 16 dwords */
    put(G1 + 25, 7, 1); /* two dwords */
    load_descriptor();
    RUN(LOAD, WAIT);
    check_load(4, 8, w.bytes, 2, dim, tile, stride, 64, 8);
    put(G1 + 22, 3, 0);
    load_descriptor();
    REFUSED("of its fields for padding", LOAD, WAIT);
    reset(1);
    describe(1, 8, w.address, 2, dim, tile, stride);
    put(G1 + 20, 1, 1); /* both fields 0: after two dwords one */
    load_descriptor();
    RUN(LOAD, WAIT);
    check_load(2, 8, w.bytes, 2, dim, tile, stride, 8, 4);
}
END_TEST

START_TEST(gathered_rows)
{
    static const unsigned rows[4] = { 9, 2, 6, 2 };
    const uint32_t tile[2] = { 8, 4 }, dim[2] = { 8, 10 };
    const uint64_t stride[2] = { 1, 8 };
    for (unsigned wide = 0; wide < 2; wide++) {
        reset(1);
        describe(2, 0, w.address, 2, dim, tile, stride);
        put(31, 1, 1);
        put(30, 1, wide);
        for (unsigned i = 0; i < 4; i++)
            put(G2 + i * (wide ? 32 : 16), wide ? 32 : 16, rows[i]);
        load_descriptor();
        RUN(LOAD, WAIT);
        for (uint32_t i = 0; i < 32; i++)
            ck_assert_uint_eq(dword(w.lds, i), 1000 + rows[i / 8] * 8 + i % 8);
        ck_assert_uint_eq(w.lds[128], 128);
        put(places[1].dim, 32, 9);
        load_descriptor();
        REFUSED("not in ascending order", LOAD, WAIT);
    }
    put(G2, 32, 2);
    put(G2 + 32, 32, 2);
    put(G2 + 64, 32, 8);
    put(G2 + 96, 32, 9);
    load_descriptor();
    RUN(STORE, WAIT); /* scatters: row 9 is outside, the second row 2 wins */
    ck_assert_uint_eq(dword(w.bytes, 16), 1000 + 2 * 8);
    ck_assert_uint_eq(dword(w.bytes, 64), 1000 + 6 * 8);
    ck_assert_uint_eq(dword(w.bytes, 72), 1072);
}
END_TEST

START_TEST(stores)
{
    const uint32_t tile[3] = { 6, 3, 2 }, dim[3] = { 5, 2, 2 };
    const uint64_t stride[3] = { 1, 10, 100 };
    reset(1);
    describe(1, 4, w.address + 8, 3, dim, tile, stride);
    load_descriptor();
    uint8_t expected[BYTES];
    memcpy(expected, w.bytes, BYTES);
    for (unsigned z = 0; z < 2; z++)
        for (unsigned y = 0; y < 2; y++)
            for (unsigned x = 0; x < 5; x++)
                memcpy(expected + 8 + 2 * (x + 10 * y + 100 * z), w.lds + 4 + 2 * (x + 6 * y + 18 * z), 2);
    RUN(STORE, WAIT);
    ck_assert(memcmp(expected, w.bytes, BYTES) == 0);
}
END_TEST

/* The third repetition would be row 6, which is outside. */
START_TEST(repetitions)
{
    const uint32_t tile[2] = { 8, 1 }, dim[2] = { 8, 6 };
    const uint64_t stride[2] = { 1, 8 };
    reset(1);
    describe(2, 0, w.address, 2, dim, tile, stride);
    put(G1 + 19, 1, 1);
    put(G2 + 112, 16, 2); /* three times */
    put(G2 + 64, 48, 24); /* every third row */
    put(G2 + 32, 32, 10); /* ten elements apart in LDS */
    load_descriptor();
    RUN(LOAD, WAIT);
    for (uint32_t i = 0; i < 8; i++) {
        ck_assert_uint_eq(dword(w.lds, i), 1000 + i);
        ck_assert_uint_eq(dword(w.lds, 10 + i), 1024 + i);
        ck_assert_uint_eq(dword(w.lds, 20 + i), 0);
    }
    ck_assert_uint_eq(w.lds[32], 32);
}
END_TEST

/* With one copy outstanding, the first of two has arrived; and the cell tells of the second. */
START_TEST(waits_and_arrivals)
{
    const uint32_t tile[1] = { 4 }, dim[1] = { 4 };
    const uint64_t stride[1] = { 1 };
    reset(1);
    describe(2, 0, w.address, 1, dim, tile, stride);
    load_descriptor();
    w.wave[0].sgpr[LW_SGPR_EXEC] = 1;
    row(1)[0] = 0;
    row(3)[0] = 64;
    /* the second copy goes to byte 64: s1 = 64 */
    RUN(0xd0710001, 0x7c000000, 0x7c7c0400, 0xbe8100ff, 64, 0xd0710001, 0x7c000000, 0x7c7c0400, 0xbfcb0001,
        0xd8d80000, 0x08000001, 0xd8d80000, 0x09000003, 0xbfcb0000, 0xd8d80000, 0x0a000003);
    ck_assert(row(8)[0] == 1000 && row(9)[0] == 0x43424140 && row(10)[0] == 1000);
    reset(1);
    describe(2, 0, w.address, 1, dim, tile, stride);
    put(G1 + 18, 1, 1);
    put(G1 + 32, 16, 128 / 8);
    load_descriptor();
    memset(w.lds + 128, 0, 8);
    RUN(LOAD);
    ck_assert_uint_eq(dword(w.lds, 32), 7u << 29);
}
END_TEST

START_TEST(refusals)
{
    static const struct {
        unsigned low, count;
        uint64_t value;
        const char *why;
    } cases[] = { { 0, 2, 2, "count is neither" },
                  { 2, 1, 1, "context switch" },
                  { 3, 1, 1, "context switch" },
                  { 126, 2, 1, "its type is not 2" },
                  { G1, 16, 1, "there is none" },
                  { G1 + 112, 16, 60000, "larger than the workgroup's LDS" },
                  { 32, 32, LDS_BYTES - 4, "beyond the workgroup's LDS" },
                  { G1 + 144, 16, 0, "a dimension of its tile is 0" } };
    const uint32_t tile[4] = { 4, 2, 1, 1 }, dim[4] = { 4, 2, 1, 1 };
    const uint64_t stride[4] = { 1, 4, 8, 8 };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        reset(1);
        describe(2, 0, w.address, 4, dim, tile, stride);
        put(cases[i].low, cases[i].count, cases[i].value);
        load_descriptor();
        REFUSED(cases[i].why, LOAD, WAIT);
    }
    reset(1);
    describe(2, 0, w.address, 4, dim, tile, stride);
    put(31, 1, 1);
    put(G1 + 19, 1, 1);
    load_descriptor();
    REFUSED("gathers and repeats", LOAD, WAIT);
    describe(2, 0, w.address + BYTES - 4, 2, dim, tile, stride); /* memory that is not there */
    load_descriptor();
    REFUSED("0x", LOAD, WAIT);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gfx1250 tensors");
    tcase_add_test(tc, loads_of_every_rank);
    tcase_add_test(tc, edges);
    tcase_add_test(tc, padding);
    tcase_add_test(tc, gathered_rows);
    tcase_add_test(tc, stores);
    tcase_add_test(tc, repetitions);
    tcase_add_test(tc, waits_and_arrivals);
    tcase_add_test(tc, refusals);
    const int failed = run_suite("machine_gfx1250_tensor", tc);
    if (w.memory)
        lw_memory_free(w.memory);
    return failed;
}
