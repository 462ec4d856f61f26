/* SPDX-License-Identifier: MIT */
/*
 * gfx1250: buffers, transposing loads, copies between LDS and memory, barriers in LDS. Expected values: LLVM
 * 22 (what a resource's fields mean), published probes of an MI455X (transposing loads of 16 bits), a probe
 * of gfx1201 (of 8 bits), the addresses at which AMD's tests and hipBLASLt's kernels find rows of 6 and 4
 * bits, Triton's and HipKittens' use of barriers in LDS. Words: llvm-mc 22.
 */
#include <lanewise/layout.h>

#include "machine/gfx1250.h"

/* base 57 bits, size 45 bits, stride */
static void set_resource(uint64_t base, uint64_t size, uint32_t stride)
{
    uint32_t *v = &w.wave[0].sgpr[8];
    v[0] = (uint32_t)base;
    v[1] = (uint32_t)(base >> 32 & 0x1ffffff) | (uint32_t)(size & 0x7f) << 25;
    v[2] = (uint32_t)(size >> 7);
    v[3] = (uint32_t)(size >> 39 & 0x3f) | stride << 12;
}

START_TEST(buffers)
{
    reset(1);
    set_resource(w.address, 200, 0);
    for (uint32_t lane = 0; lane < LANES; lane++)
        row(1)[lane] = 8 * lane;
    RUN(0xc405007c, 0x40801005, 0x00000001); /* offen: bytes from 200 on are out of range */
    for (uint32_t lane = 0; lane < LANES; lane++)
        ck_assert_uint_eq(row(5)[lane], lane < 25 ? 1000 + 2 * lane : 0);
    w.wave[0].sgpr[3] = 4;
    RUN(0xc405c003, 0x40801008, 0x00000401); /* b128 at lane * 8 + 4 + 4: the scalar offset counts */
    ck_assert(row(8)[0] == 1002 && row(11)[0] == 1005);
    ck_assert(row(9)[23] == 1000 + 2 * 23 + 2 + 1 && row(10)[23] == 0);
    for (uint32_t lane = 0; lane < LANES; lane++)
        row(2)[lane] = 7;
    RUN(0xc406807c, 0x40801002, 0x00000801);
    ck_assert_uint_eq(dword(w.bytes, 2), 7);
    ck_assert_uint_eq(dword(w.bytes, 48), 7);
    ck_assert_uint_eq(dword(w.bytes, 50), 1050);
    reset(1);
    for (uint32_t lane = 0; lane < LANES; lane++)
        row(1)[lane] = lane;
    set_resource(w.address, 100, 16);
    RUN(0xc405007c, 0x80801005, 0x00000001); /* by index: 16 bytes apart, the size still in bytes */
    ck_assert(row(5)[6] == 1000 + 24 && row(5)[7] == 0);
    set_resource(w.address, 100, 4 | 1 << 14); /* the stride times 4 */
    RUN(0xc405007c, 0x80801005, 0x00000001);
    ck_assert(row(5)[6] == 1000 + 24 && row(5)[7] == 0);
}
END_TEST

START_TEST(scalar_buffers_and_refusals)
{
    reset(1);
    set_resource(w.address, 44, 0);
    w.wave[0].sgpr[3] = 40;
    RUN(0xf4022304, 0xf8000008, 0xf4020384, 0x06000000);
    ck_assert(w.wave[0].sgpr[12] == 1002 && w.wave[0].sgpr[13] == 1003 && w.wave[0].sgpr[14] == 1010);
    w.wave[0].sgpr[3] = 44;
    RUN(0xf4020384, 0x06000000);
    ck_assert_uint_eq(w.wave[0].sgpr[14], 0);
    w.wave[0].sgpr[11] |= 1u << 28;
    REFUSED("swizzled", 0xc405007c, 0x40801005, 0x00000001);
    REFUSED("swizzled", 0xf4022304, 0xf8000008);
    w.wave[0].sgpr[11] ^= 3u << 28;
    REFUSED("disagree on the range check", 0xc405007c, 0x40801005, 0x00000001);
    REFUSED("disagree on the range check", 0xf4022304, 0xf8000008);
    set_resource(w.address + (UINT64_C(1) << 45), UINT64_C(1) << 44, 0); /* bits beyond 32 count */
    REFUSED("0x", 0xc405007c, 0x40801005, 0x00000001);
    set_resource(0, (UINT64_C(1) << 40) + 3, 0); /* nothing of a dword at the end of the size */
    w.wave[0].sgpr[3] = 0;
    REFUSED("0x", 0xc405007c, 0x40801005, 0x00000001);
}
END_TEST

/* Lane l's address is 16 * l: element a of lane l is halfword l % 8 of the lane 8 * (l / 8) + a. */
START_TEST(transposing_loads)
{
    reset(1);
    for (uint32_t lane = 0; lane < LANES; lane++)
        row(1)[lane] = 16 * lane;
    for (uint32_t i = 0; i < 256; i++)
        memcpy(w.lds + 2 * (size_t)i, &(uint16_t){ (uint16_t)i }, 2);
    RUN(0xdbf00000, 0x08000001);
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t a = 0; a < 8; a++)
            ck_assert_uint_eq(row(8 + a / 2)[lane] >> (16 * (a % 2)) & 0xffff,
                              8 * ((lane & ~7u) + a) + (lane & 7));
    for (uint32_t i = 0; i < 512; i++)
        w.lds[16 + i] = (uint8_t)i;
    for (uint32_t lane = 0; lane < LANES; lane++)
        row(1)[lane] = 8 * lane;
    RUN(0xdbf40010, 0x0c000001);
    static const uint8_t first[8] = { 0, 8, 16, 24, 64, 72, 80, 88 };
    for (unsigned a = 0; a < 8; a++)
        ck_assert_uint_eq(row(12 + a / 4)[0] >> (8 * (a % 4)) & 0xff, first[a]);
    ck_assert(((row(12)[8] & 0xff) == 32) && ((row(12)[16] & 0xff) == 128));
    row(1)[5] += 4;
    REFUSED("multiples of 8", 0xdbf40010, 0x0c000001);
    w.wave[0].sgpr[LW_SGPR_EXEC] = 1;
    REFUSED("all lanes", 0xdbf00000, 0x08000001);
}
END_TEST

/* Element m of row k, `bits` wide. */
static uint32_t element_at(unsigned bits, unsigned m, unsigned k, unsigned trial)
{
    return (16 * k + m) >> trial * bits & ((1u << bits) - 1);
}

static void put_rows(uint8_t *to, unsigned bits, unsigned rows, unsigned trial)
{
    memset(to, 0, (size_t)rows * 2 * bits);
    for (unsigned n = 0; n < rows * 16 * bits; n++)
        if (element_at(bits, n / bits % 16, n / bits / 16, trial) >> n % bits & 1)
            to[n / 8] |= (uint8_t)(1 << n % 8);
}

static uint32_t field_of(unsigned first, unsigned lane, unsigned bit, unsigned bits)
{
    const uint64_t low = row(first + bit / 32)[lane], high = row(first + bit / 32 + 1)[lane];
    return (uint32_t)((low | high << 32) >> bit % 32) & ((1u << bits) - 1);
}

/* AMD's tests: the row that lane n names, and what lanes get of 32 rows. */
START_TEST(rows_of_four_and_six_bits)
{
    for (unsigned trial = 0; trial < 3; trial++)
        for (unsigned bits = 4; bits <= 6; bits += 2) {
            reset(1);
            put_rows(w.bytes, bits, 32, trial);
            for (uint32_t n = 0; n < LANES; n++) {
                const unsigned k = bits == 4 ? n : 4 * (n >> 3) + (n & 3) + 16 * (n >> 2 & 1);
                row(2)[n] = (uint32_t)w.address + k * 2 * bits;
                row(3)[n] = (uint32_t)(w.address >> 32);
            }
            RUN(bits == 4 ? 0xee1cc07c : 0xee1d007c, 0x0000000c, 0x00000002);
            for (unsigned m = 0; m < 16; m++)
                for (unsigned k = 0; k < 32; k++) {
                    const unsigned half = bits == 4 ? k >> 3 & 1 : k / 16;
                    const unsigned slot = bits == 4 ? (k & 7) + 8 * (k >> 4) : k % 16;
                    ck_assert_uint_eq(field_of(12, m + 16 * half, slot * bits, bits),
                                      element_at(bits, m, k, trial));
                }
        }
}
END_TEST

/* hipBLASLt's kernels: 128 rows in LDS, four loads; the registers are A of v_wmma_*_16x16x128_f8f6f4. */
START_TEST(operands_of_four_and_six_bits)
{
    static const uint32_t of_4[] = { 0xdbe80000, 0x08000001, 0xdbe80080, 0x0a000001,
                                     0xdbe80200, 0x0c000001, 0xdbe80280, 0x0e000001 },
                          of_6[] = { 0xdbec0000, 0x08000001, 0xdbec00c0, 0x0b000001,
                                     0xdbec0300, 0x0e000001, 0xdbec03c0, 0x11000001 };
    const unsigned bits = _i ? 6 : 4;
    const uint32_t *code = _i ? of_6 : of_4;
    const lw_insn *insn;
    lw_mods mods;
    lw_layout *layout;
    ck_assert_int_eq(lw_insn_find(LW_ARCH_GFX1250, "v_wmma_f32_16x16x128_f8f6f4", &insn, NULL), LW_OK);
    ck_assert_int_eq(
        lw_mods_parse(LW_ARCH_GFX1250, insn, _i ? "matrix_a_fmt:fp6" : "matrix_a_fmt:fp4", &mods, NULL),
        LW_OK);
    ck_assert_int_eq(lw_layout_create(LW_ARCH_GFX1250, insn, LW_OPERAND_A, LANES, &mods, &layout, NULL),
                     LW_OK);
    for (unsigned trial = 0; trial < 3; trial++) {
        reset(1);
        put_rows(w.lds, bits, 128, trial);
        for (uint32_t n = 0; n < LANES; n++) {
            const unsigned k = _i ? n % 8 / 4 * 32 + n / 8 * 4 + n % 4 : n / 16 * 8 + n % 16 / 8 * 32 + n % 8;
            row(1)[n] = k * 2 * bits;
        }
        RUN(code[0], code[1], code[2], code[3], code[4], code[5], code[6], code[7]);
        for (unsigned m = 0; m < 16; m++)
            for (unsigned k = 0; k < 128; k++) {
                lw_layout_entry at[2];
                size_t count;
                ck_assert_int_eq(lw_layout_places(layout, 0, m, k, at, 2, &count), LW_OK);
                ck_assert_uint_eq(field_of(8, at[0].lane, 32u * at[0].reg + at[0].lsb, bits),
                                  element_at(bits, m, k, trial));
            }
    }
    lw_layout_free(layout);
}
END_TEST

START_TEST(rows_refused)
{
    reset(1);
    for (uint32_t n = 0; n < LANES; n++)
        row(1)[n] = 12 * n;
    RUN(0xdbec0000, 0x08000001);
    row(1)[7] += 2;
    REFUSED("multiples of 4", 0xdbec0000, 0x08000001);
    row(1)[7] += 2;
    REFUSED("multiples of 8", 0xdbe80000, 0x08000001);
    w.wave[0].sgpr[LW_SGPR_EXEC] = 0x7fffffff;
    REFUSED("all lanes", 0xdbec0000, 0x08000001);
}
END_TEST

/* Lane n stores a dword of LDS to memory; a wait, or the wave's end, completes it. */
START_TEST(copies_from_lds)
{
    for (int async = LW_ASYNC_LATE; async <= LW_ASYNC_EARLY; async++) {
        reset(1);
        w.async = (lw_async)async;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            row(3)[lane] = 4 * (LANES - lane);
            row(6)[lane] = (uint32_t)w.address + 8 * lane;
            row(7)[lane] = (uint32_t)(w.address >> 32);
        }
        w.wave[0].sgpr[LW_SGPR_EXEC] = 0xfffffffe;
        RUN(0xee19007c, 0x01800000, 0x00000406);
        for (uint32_t lane = 0; lane < LANES; lane++)
            ck_assert_uint_eq(dword(w.bytes, 2 * lane + 1), lane ? dword(w.lds, LANES - lane + 1) : 1001);
        ck_assert_uint_eq(dword(w.bytes, 2), 1002);
    }
    w.wave[0].sgpr[4] = (uint32_t)w.address;
    w.wave[0].sgpr[5] = (uint32_t)(w.address >> 32);
    for (uint32_t lane = 0; lane < LANES; lane++)
        row(6)[lane] = 16 * lane;
    RUN(0xee198004, 0x01800000, 0x00000006, 0xbfca0000);
    ck_assert_uint_eq(dword(w.bytes, 4 * 5 + 3), dword(w.lds, LANES - 5 + 3));
    row(3)[1] = LDS_BYTES;
    REFUSED("outside the workgroup's LDS", 0xee198004, 0x01800000, 0x00000006, 0xbfca0000);
    row(3)[1] = 64; /* for a wave without a cluster, this one is an ordinary copy */
    row(6)[1] = (uint32_t)w.address + 12;
    row(7)[1] = (uint32_t)(w.address >> 32);
    w.wave[0].sgpr[LW_SGPR_EXEC] = 2;
    RUN(0xee1ac07c, 0x00000003, 0x00000006, 0xbfca0000);
    ck_assert_uint_eq(dword(w.lds, 16), dword(w.bytes, 3));
}
END_TEST

/* Two arrivals end a phase of a cell that counts from 1; the phase goes down in bits 31:29. */
START_TEST(barriers_in_lds)
{
    const uint64_t begin = UINT64_C(0x0000000100000001);
    reset(1);
    memcpy(w.lds + 64, &begin, 8);
    w.wave[0].sgpr[LW_SGPR_EXEC] = 7;
    for (uint32_t lane = 0; lane < 3; lane++) {
        row(1)[lane] = 64;
        row(2)[lane] = 1;
    }
    RUN(0xd9d40000, 0x04000201);
    ck_assert(row(4)[0] == 1 && row(4)[1] == 0 && row(4)[2] == (7u << 29 | 1));
    ck_assert(row(5)[0] == 1 && row(5)[2] == 1);
    ck_assert_uint_eq(dword(w.lds, 16), 7u << 29);
    row(2)[0] = 3;
    w.wave[0].sgpr[LW_SGPR_EXEC] = 1;
    REFUSED("whose phase lacks 1", 0xd9d40000, 0x04000201);
    row(2)[0] = 1;
    RUN(0xd9d40000, 0x04000201);
    ck_assert_uint_eq(dword(w.lds, 16), 6u << 29 | 1);
    row(1)[0] = LDS_BYTES;
    RUN(0xd9d40000, 0x04000201); /* outside LDS: nothing */
    ck_assert(row(4)[0] == 0 && row(5)[0] == 0);
}
END_TEST

/* Wave 1 sees the cell change only after the copy that wave 0 issued before arriving. */
START_TEST(arrival_after_copies)
{
    for (int async = LW_ASYNC_LATE; async <= LW_ASYNC_EARLY; async++) {
        reset(2);
        w.async = (lw_async)async;
        memset(w.lds + 64, 0, 8);
        for (unsigned i = 0; i < 2; i++) {
            w.wave[i].sgpr[LW_SGPR_EXEC] = 1;
            w.vgpr[i][1 * 64] = 64;
            w.vgpr[i][3 * 64] = 256;
            w.vgpr[i][6 * 64] = (uint32_t)w.address + 20;
            w.vgpr[i][7 * 64] = (uint32_t)(w.address >> 32);
        }
        RUN(0xbf068002, 0xbfa10006,                         /* wave 0: copy, arrive, end */
            0xee18007c, 0x00000003, 0x00000006,             /* global_load_async_to_lds_b32 */
            0xd9580000, 0x00000001, 0xbfb00000,             /* ds_atomic_async_barrier_arrive_b64 */
            0xd8d80000, 0x04000001, 0xbfc60000, 0x7e0a0504, /* v4 = cell; s5 = readfirstlane v4 */
            0xbf830001, 0xbf068005, 0xbfa2fff9,             /* while it is 0 */
            0xd8d80000, 0x08000003, 0xbfc60000);
        ck_assert_uint_eq(w.vgpr[1][8 * 64], 1005);
        ck_assert_uint_eq(dword(w.lds, 16), 7u << 29);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gfx1250 memory");
    tcase_add_test(tc, buffers);
    tcase_add_test(tc, scalar_buffers_and_refusals);
    tcase_add_test(tc, transposing_loads);
    tcase_add_test(tc, rows_of_four_and_six_bits);
    tcase_add_loop_test(tc, operands_of_four_and_six_bits, 0, 2);
    tcase_add_test(tc, rows_refused);
    tcase_add_test(tc, copies_from_lds);
    tcase_add_test(tc, barriers_in_lds);
    tcase_add_test(tc, arrival_after_copies);
    const int failed = run_suite("machine_gfx1250_memory", tc);
    if (w.memory)
        lw_memory_free(w.memory);
    return failed;
}
