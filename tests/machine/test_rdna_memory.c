/* SPDX-License-Identifier: MIT */
/* Memory instructions that are new in gfx11 and gfx12, compared with their definitions (AMD RDNA3 and RDNA4
 * ISA manuals) written a second time: atomics, scalar loads of bytes, transposing loads, blocks, addresses by
 * lane. Words: llvm-mc 22. */
#include "isa_tables/amdgpu/registers.h"
#include "machine/fixture.h"
#include "machine/float_rules.h"

enum { LANES = 32, REGS = 44, BYTES = 1024, LDS_BYTES = 512, CODE = 4, ROUNDS = 20, KEPT = 0xf0 };

static const uint32_t END = 0xbfb00000;
static uint64_t seed = 0x6a09e667f3bcc909u;

typedef struct world {
    lw_wave_state wave;
    uint32_t v[REGS][64];
    uint8_t memory[BYTES], lds[LDS_BYTES];
} world;

static world before, after;
static lw_memory *memory;
static uint64_t address;

static void open_memory(void)
{
    ck_assert_int_eq(lw_memory_create(&memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(memory, "b", BYTES, LW_ACCESS_READ_WRITE, &address, NULL), LW_OK);
}

static void close_memory(void)
{
    lw_memory_free(memory);
}

/* One instruction, from `before` to `after`. */
static void run(lw_arch arch, uint32_t mode, const uint32_t words[3])
{
    uint32_t code[CODE] = { words[0], words[1], words[2] ? words[2] : 0xbf800000, END };
    lw_error error;
    after = before;
    after.wave.vgpr = after.v[0], after.wave.vgprs = REGS, after.wave.mode = mode;
    const lw_code_options o = { .struct_size = sizeof(o),
                                .arch = arch,
                                .code = code,
                                .words = CODE,
                                .memory = memory,
                                .lds = after.lds,
                                .lds_size = LDS_BYTES,
                                .budget = 9 };
    uint8_t *host = lw_memory_host(memory, address, BYTES);
    memcpy(host, before.memory, BYTES);
    ck_assert_msg(lw_code_run(&o, &after.wave, 1, NULL, &error) == LW_OK, "%08x: %s", words[0], error.text);
    memcpy(after.memory, host, BYTES);
}

static uint32_t any(void)
{
    return (uint32_t)(next_random(&seed) >> 32);
}

/* s[4:5] is the memory's address, s[8:11] a buffer over it, v[6:7] each lane's dword in it; v1 is 4 *
 * lane. */
static void draw(void)
{
    for (unsigned r = 0; r < REGS; r++)
        for (unsigned lane = 0; lane < 64; lane++)
            before.v[r][lane] = any();
    for (unsigned i = 0; i < BYTES; i++)
        before.memory[i] = (uint8_t)any();
    for (unsigned i = 0; i < LDS_BYTES; i++)
        before.lds[i] = (uint8_t)any();
    for (unsigned lane = 0; lane < 64; lane++) {
        before.v[1][lane] = 4 * lane;
        before.v[6][lane] = (uint32_t)address + 4 * lane;
        before.v[7][lane] = (uint32_t)(address >> 32);
    }
    before.wave.sgpr[4] = before.wave.sgpr[8] = (uint32_t)address;
    before.wave.sgpr[5] = before.wave.sgpr[9] = (uint32_t)(address >> 32);
    before.wave.sgpr[10] = BYTES;
    before.wave.sgpr[11] = 0x31014000;
    before.wave.sgpr[LW_SGPR_EXEC] = any() | 1;
}

static bool active(unsigned lane)
{
    return before.wave.sgpr[LW_SGPR_EXEC] >> lane & 1;
}

/* ---- Atomics of a dword ---- */

/* `c`: the value to compare with. */
typedef uint32_t (*want_fn)(uint32_t mode, uint32_t old, uint32_t data, uint32_t c);

#define RULE(name, expression)                                                                               \
    static uint32_t name(uint32_t mode, uint32_t old, uint32_t data, uint32_t c)                             \
    {                                                                                                        \
        (void)mode, (void)c;                                                                                 \
        return expression;                                                                                   \
    }
RULE(w_cond_sub, old >= data ? old - data : old)
RULE(w_sub_clamp, old >= data ? old - data : 0)
RULE(w_cmpswap_f32, f32_of(old) == f32_of(c) ? data : old)
RULE(w_cmpswap, old == c ? data : old)

static uint32_t select_number(uint32_t mode, uint32_t old, uint32_t data, bool most)
{
    const rules r = of_mode(mode, false);
    return number(&r, data, old, most);
}

RULE(w_min_num, select_number(KEPT, old, data, false))
RULE(w_max_num, select_number(KEPT, old, data, true))
RULE(w_lds_min_num, select_number(mode, old, data, false))
RULE(w_lds_max_num, select_number(mode, old, data, true))

/* gfx11: a signalling NaN wins, quieted; a quiet one loses. */
static uint32_t select_legacy(uint32_t old, uint32_t data, bool most)
{
    const rules r = of_mode(KEPT, false);
    if (isnan(f32_of(data)) && quiet(&r, data) != data)
        return quiet(&r, data);
    if (isnan(f32_of(old)) && quiet(&r, old) != old)
        return quiet(&r, old);
    return isnan(f32_of(data)) ? old : isnan(f32_of(old)) ? data : chosen(&r, data, old, most);
}

RULE(w_min_legacy, select_legacy(old, data, false))
RULE(w_max_legacy, select_legacy(old, data, true))

/* To nearest; subnormals of f16 are kept. */
static uint32_t add_halves(uint32_t mode, uint32_t old, uint32_t data)
{
    const rules r = of_mode(mode, true);
    return fused(&r, old & 0xffff, 0x3c00, data & 0xffff) | fused(&r, old >> 16, 0x3c00, data >> 16) << 16;
}

RULE(w_pk_add_f16, add_halves(KEPT, old, data))
RULE(w_lds_pk_add_f16, add_halves(mode &KEPT, old, data))

static double bf16_value(uint32_t x)
{
    return f32_of(x << 16);
}

/* Sums of moderate numbers are exact in a double; then eight bits to nearest even. */
static uint32_t add_bf16(uint32_t x, uint32_t y)
{
    const double sum = bf16_value(x) + bf16_value(y);
    return sum == 0 ? bits_of_f32((float)sum) >> 16
                    : bits_of_f32((float)on_grid(sum, ilogb(sum) - 7, 0)) >> 16;
}

RULE(w_pk_add_bf16, add_bf16(old & 0xffff, data & 0xffff) | add_bf16(old >> 16, data >> 16) << 16)

enum { MEMORY, LDS_ALONE };
typedef enum kind { BITS, SINGLE, HALVES, BRAINS } kind;

/* Returning the old value in v3 (for buffers: v2). */
static const struct {
    lw_arch arch;
    uint32_t words[3];
    uint8_t data, result, compared, lds;
    kind of;
    want_fn want;
} atomics[] = {
#define R12 LW_ARCH_GFX1201
#define R11 LW_ARCH_GFX1100
    { R12, { 0xee140004, 0x01100003, 1 }, 2, 3, 2, MEMORY, BITS, w_cond_sub },
    { R12, { 0xee0dc004, 0x01100003, 1 }, 2, 3, 2, MEMORY, BITS, w_sub_clamp },
    { R12, { 0xee144004, 0x01100003, 1 }, 2, 3, 2, MEMORY, SINGLE, w_min_num },
    { R12, { 0xee148004, 0x01100003, 1 }, 2, 3, 2, MEMORY, SINGLE, w_max_num },
    { R12, { 0xee164004, 0x01100003, 1 }, 2, 3, 2, MEMORY, HALVES, w_pk_add_f16 },
    { R12, { 0xee168004, 0x01100003, 1 }, 2, 3, 2, MEMORY, BRAINS, w_pk_add_bf16 },
    { R12, { 0xec14007c, 0x01100003, 6 }, 2, 3, 2, MEMORY, BITS, w_cond_sub },
    { R12, { 0xec14407c, 0x01100003, 6 }, 2, 3, 2, MEMORY, SINGLE, w_min_num },
    { R12, { 0xec14807c, 0x01100003, 6 }, 2, 3, 2, MEMORY, SINGLE, w_max_num },
    { R12, { 0xc414007c, 0x40901002, 1 }, 2, 2, 2, MEMORY, BITS, w_cond_sub },
    { R12, { 0xc40dc07c, 0x40901002, 1 }, 2, 2, 2, MEMORY, BITS, w_sub_clamp },
    { R12, { 0xc414407c, 0x40901002, 1 }, 2, 2, 2, MEMORY, SINGLE, w_min_num },
    { R12, { 0xc414807c, 0x40901002, 1 }, 2, 2, 2, MEMORY, SINGLE, w_max_num },
    { R12, { 0xc416807c, 0x40901002, 1 }, 2, 2, 2, MEMORY, BRAINS, w_pk_add_bf16 },
    { R12, { 0xdaa00000, 0x03000201, 0 }, 2, 3, 2, LDS_ALONE, BITS, w_cond_sub },
    { R12, { 0xdaa40000, 0x03000201, 0 }, 2, 3, 2, LDS_ALONE, BITS, w_sub_clamp },
    { R12, { 0xd8c80000, 0x03000201, 0 }, 2, 3, 2, LDS_ALONE, SINGLE, w_lds_min_num },
    { R12, { 0xd8cc0000, 0x03000201, 0 }, 2, 3, 2, LDS_ALONE, SINGLE, w_lds_max_num },
    { R12, { 0xda600000, 0x00000201, 0 }, 2, 0, 2, LDS_ALONE, BITS, w_cond_sub },
    { R12, { 0xda640000, 0x00000201, 0 }, 2, 0, 2, LDS_ALONE, BITS, w_sub_clamp },
    { R12, { 0xd8480000, 0x00000201, 0 }, 2, 0, 2, LDS_ALONE, SINGLE, w_lds_min_num },
    { R12, { 0xd84c0000, 0x00000201, 0 }, 2, 0, 2, LDS_ALONE, SINGLE, w_lds_max_num },
    { R12, { 0xdaa80000, 0x03000201, 0 }, 2, 3, 2, LDS_ALONE, HALVES, w_lds_pk_add_f16 },
    { R11, { 0xdcde4000, 0x03040201, 0 }, 2, 3, 2, MEMORY, BITS, w_sub_clamp },
    { R11, { 0xdd424000, 0x03040801, 0 }, 8, 3, 9, MEMORY, SINGLE, w_cmpswap_f32 },
    { R11, { 0xdd464000, 0x03040201, 0 }, 2, 3, 2, MEMORY, SINGLE, w_min_legacy },
    { R11, { 0xdd4a4000, 0x03040201, 0 }, 2, 3, 2, MEMORY, SINGLE, w_max_legacy },
    { R11, { 0xe0dc4000, 0x80420201, 0 }, 2, 2, 2, MEMORY, BITS, w_sub_clamp },
    { R11, { 0xe1404000, 0x80420201, 0 }, 2, 2, 3, MEMORY, SINGLE, w_cmpswap_f32 },
    { R11, { 0xe1444000, 0x80420201, 0 }, 2, 2, 2, MEMORY, SINGLE, w_min_legacy },
    { R11, { 0xe1484000, 0x80420201, 0 }, 2, 2, 2, MEMORY, SINGLE, w_max_legacy },
    { R11, { 0xd8c00000, 0x03040201, 0 }, 2, 3, 4, LDS_ALONE, BITS, w_cmpswap },
    { R11, { 0xd8c40000, 0x03040201, 0 }, 2, 3, 4, LDS_ALONE, SINGLE, w_cmpswap_f32 },
    { R12, { 0xd8c00000, 0x03040201, 0 }, 2, 3, 4, LDS_ALONE, BITS, w_cmpswap },
};

static uint32_t draw_of(kind of)
{
    if (of == BRAINS) /* moderate */
        return (any() & 0x83ff83ff) | 0x3c003c00;
    return of == SINGLE   ? (uint32_t)nasty(&seed, 8, 23)
           : of == HALVES ? (uint32_t)(nasty(&seed, 5, 10) | nasty(&seed, 5, 10) << 16)
                          : any();
}

START_TEST(atomics_of_dwords)
{
    for (unsigned n = 0; n < ROUNDS; n++) {
        const uint32_t mode = (uint32_t)n << 4 & KEPT;
        uint8_t *at = atomics[_i].lds ? before.lds : before.memory;
        const uint8_t *left = atomics[_i].lds ? after.lds : after.memory;
        draw();
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t old = draw_of(atomics[_i].of), compared = old ^ (lane % 2 ? 0 : 0x80000000);
            before.v[atomics[_i].data][lane] = lane % 5 ? draw_of(atomics[_i].of) : old;
            if (atomics[_i].compared != atomics[_i].data)
                before.v[atomics[_i].compared][lane] = lane % 7 ? compared : any();
            if (lane % 4 == 0 && atomics[_i].of == SINGLE && atomics[_i].compared != atomics[_i].data)
                old = lane % 8 ? 0x80000000 : 0, before.v[atomics[_i].compared][lane] = 0;
            memcpy(at + 4 * (size_t)lane, &old, 4);
        }
        run(atomics[_i].arch, mode, atomics[_i].words);
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t old, is;
            memcpy(&old, at + 4 * (size_t)lane, 4);
            memcpy(&is, left + 4 * (size_t)lane, 4);
            const uint32_t data = before.v[atomics[_i].data][lane];
            const uint32_t want =
                active(lane) ? atomics[_i].want(mode, old, data, before.v[atomics[_i].compared][lane]) : old;
            ck_assert_msg(is == want, "%d: %08x with %08x, MODE %x: %08x, not %08x", _i, old, data, mode, is,
                          want);
            if (atomics[_i].result)
                ck_assert_uint_eq(after.v[atomics[_i].result][lane],
                                  active(lane) ? old : before.v[atomics[_i].result][lane]);
        }
    }
}
END_TEST

/* ds_cmpstore_rtn_b64 and _f64 v[8:9], v1, v[2:3], v[4:5]: the new value first. */
START_TEST(pairs_compared)
{
    static const uint32_t words[3] = { 0xd9c00000, 0x08040201, 0 }, floats[3] = { 0xd9c40000, 0x08040201, 0 };
    for (unsigned n = 0; n < ROUNDS; n++) {
        draw();
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint32_t zero[2] = { 0, lane % 8 ? 0x80000000 : 0 }; /* -0 equals 0 as a number */
            if (lane % 4 == 0)
                memcpy(before.lds + 8 * (size_t)lane, zero, 8);
            memcpy(&before.v[4][lane], before.lds + 8 * (size_t)lane, 4);
            memcpy(&before.v[5][lane], before.lds + 8 * (size_t)lane + 4, 4);
            before.v[5][lane] = lane % 4 == 0 ? 0 : before.v[5][lane] ^ (lane % 3 == 1);
            before.v[1][lane] = 8 * lane;
        }
        run(n % 2 ? LW_ARCH_GFX1100 : LW_ARCH_GFX1201, KEPT, n % 2 ? floats : words);
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint64_t old, is;
            memcpy(&old, before.lds + 8 * (size_t)lane, 8);
            memcpy(&is, after.lds + 8 * (size_t)lane, 8);
            const uint64_t data = before.v[2][lane] | (uint64_t)before.v[3][lane] << 32,
                           with = before.v[4][lane] | (uint64_t)before.v[5][lane] << 32;
            const bool same = n % 2 ? f64_of(old) == f64_of(with) : old == with;
            ck_assert_uint_eq(is, active(lane) && same ? data : old);
            if (active(lane))
                ck_assert_uint_eq(after.v[8][lane] | (uint64_t)after.v[9][lane] << 32, old);
        }
    }
}
END_TEST

/* ---- Scalar loads ---- */

/* s4 (or s[4:6]) from s[6:7], s[8:9] or the buffer s[8:11]. */
static const struct {
    uint32_t words[2], offset, size;
    bool is_signed, ends; /* a buffer that ends before */
} scalars[] = {
    { { 0xf4010103, 0xf8000005 }, 5, 1, true, false },   { { 0xf4012103, 0xf8000005 }, 5, 1, false, false },
    { { 0xf4014103, 0xf8000006 }, 6, 2, true, false },   { { 0xf4016103, 0xf8000006 }, 6, 2, false, false },
    { { 0xf400a104, 0xf8000008 }, 8, 12, false, false }, { { 0xf4030104, 0xf8000005 }, 5, 1, true, false },
    { { 0xf4032104, 0xf8000005 }, 5, 1, false, false },  { { 0xf4034104, 0xf8000006 }, 6, 2, true, false },
    { { 0xf4036104, 0xf8000006 }, 6, 2, false, false },  { { 0xf402a104, 0xf8000008 }, 8, 12, false, false },
    { { 0xf4030104, 0xf8000005 }, 5, 1, true, true },    { { 0xf4032104, 0xf8000005 }, 5, 1, false, true },
    { { 0xf4034104, 0xf8000006 }, 6, 2, true, true },    { { 0xf4036104, 0xf8000006 }, 6, 2, false, true },
};

START_TEST(scalar_loads)
{
    for (unsigned n = 0; n < ROUNDS; n++) {
        const uint32_t words[3] = { scalars[_i].words[0], scalars[_i].words[1], 0 };
        uint32_t want[3] = { 0 };
        draw();
        before.wave.sgpr[6] = before.wave.sgpr[8], before.wave.sgpr[7] = before.wave.sgpr[9];
        if (scalars[_i].ends)
            before.wave.sgpr[10] = 4;
        else
            memcpy(want, before.memory + scalars[_i].offset, scalars[_i].size);
        if (scalars[_i].is_signed)
            want[0] = (uint32_t)(scalars[_i].size == 1 ? (int8_t)want[0] : (int16_t)want[0]);
        run(LW_ARCH_GFX1201, KEPT, words);
        for (unsigned i = 0; i < (scalars[_i].size + 3) / 4; i++)
            ck_assert_uint_eq(after.wave.sgpr[4 + i], want[i]);
        if (scalars[_i].size < 4)
            ck_assert_uint_eq(after.wave.sgpr[5], before.wave.sgpr[5]);
    }
}
END_TEST

/* ---- Vector loads ---- */

/* A tile of 16 x 16 bytes: lane L requests half a row, row 4 * (L / 8) + L % 4; lane d gets half a column. */
START_TEST(tiles_of_bytes)
{
    static const uint32_t words[3] = { 0xee16007c, 0x0000000c, 0x00000006 };
    draw();
    before.wave.sgpr[LW_SGPR_EXEC] = UINT32_MAX;
    for (unsigned lane = 0; lane < LANES; lane++) {
        const unsigned row = lane / 8 * 4 + lane % 4, half = lane / 4 % 2;
        before.v[6][lane] = (uint32_t)address + 16 * row + 8 * half;
    }
    run(LW_ARCH_GFX1201, KEPT, words);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned a = 0; a < 8; a++) {
            const unsigned row = lane / 16 * 8 + a, column = lane % 16;
            ck_assert_uint_eq(after.v[12 + a / 4][lane] >> a % 4 * 8 & 255, before.memory[16 * row + column]);
        }
}
END_TEST

/* Tiles of 8 x 8 halfwords: eight lanes request the rows of a tile, and get its columns. */
START_TEST(tiles_of_halves)
{
    static const uint32_t words[3] = { 0xee15c07c, 0x00000008, 0x00000006 };
    draw();
    before.wave.sgpr[LW_SGPR_EXEC] = UINT32_MAX;
    for (unsigned lane = 0; lane < LANES; lane++)
        before.v[6][lane] = (uint32_t)address + 16 * lane;
    run(LW_ARCH_GFX1201, KEPT, words);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned row = 0; row < 8; row++) {
            uint16_t want;
            memcpy(&want,
                   before.memory + 128 * (size_t)(lane / 8) + 16 * (size_t)row + 2 * (size_t)(lane % 8), 2);
            ck_assert_uint_eq(after.v[8 + row / 2][lane] >> row % 2 * 16 & 0xffff, want);
        }
}
END_TEST

/* global_load_block v[8:39], v1, s[4:5] offset:16 and back: M0 selects the registers and dwords. */
START_TEST(blocks)
{
    static const uint32_t load[3] = { 0xee14c004, 0x00000008, 0x00001001 },
                          store[3] = { 0xee150004, 0x04000000, 0x00001001 };
    for (unsigned n = 0; n < ROUNDS; n++) {
        draw();
        const uint32_t m0 = before.wave.sgpr[LW_SGPR_M0] = any();
        run(LW_ARCH_GFX1201, KEPT, load);
        for (unsigned i = 0; i < 32; i++)
            for (unsigned lane = 0; lane < LANES; lane++) {
                uint32_t there;
                memcpy(&there, before.memory + 4 * (size_t)lane + 16 + 4 * (size_t)i, 4);
                ck_assert_uint_eq(after.v[8 + i][lane],
                                  m0 >> i & 1 && active(lane) ? there : before.v[8 + i][lane]);
            }
        before.wave.sgpr[LW_SGPR_EXEC] = UINT32_C(1) << n;
        run(LW_ARCH_GFX1201, KEPT, store);
        for (unsigned i = 0; i < BYTES / 4; i++) {
            const unsigned at = i - n - 4;
            uint32_t old, is;
            memcpy(&old, before.memory + 4 * (size_t)i, 4);
            memcpy(&is, after.memory + 4 * (size_t)i, 4);
            ck_assert_uint_eq(is, at < 32 && m0 >> at & 1 ? before.v[8 + at][n] : old);
        }
    }
}
END_TEST

/* Addresses by the number of the lane: global memory on both, LDS from M0 on. */
START_TEST(addresses_by_lane)
{
    static const uint32_t load11[3] = { 0xdca20010, 0x01040000, 0 }, load12[3] = { 0xee0a0004, 1, 0x1000 },
                          store12[3] = { 0xee0a4004, 0x00800000, 0x1000 },
                          lds_load[3] = { 0xdac40008, 0x03000000, 0 },
                          lds_store[3] = { 0xdac00008, 0x00000300, 0 };
    for (unsigned n = 0; n < ROUNDS; n++) {
        uint32_t there;
        draw();
        before.wave.sgpr[LW_SGPR_M0] = 64 | 0xabcd0000;
        run(n % 2 ? LW_ARCH_GFX1100 : LW_ARCH_GFX1201, KEPT, n % 2 ? load11 : load12);
        for (unsigned lane = 0; lane < LANES; lane++) {
            memcpy(&there, before.memory + 16 + 4 * (size_t)lane, 4);
            ck_assert_uint_eq(after.v[1][lane], active(lane) ? there : before.v[1][lane]);
        }
        run(LW_ARCH_GFX1201, KEPT, store12);
        for (unsigned lane = 0; lane < LANES; lane++) {
            memcpy(&there, after.memory + 16 + 4 * (size_t)lane, 4);
            if (active(lane))
                ck_assert_uint_eq(there, before.v[1][lane]);
        }
        run(n % 2 ? LW_ARCH_GFX1100 : LW_ARCH_GFX1201, KEPT, lds_load);
        for (unsigned lane = 0; lane < LANES; lane++) {
            memcpy(&there, before.lds + 64 + 8 + 4 * (size_t)lane, 4);
            ck_assert_uint_eq(after.v[3][lane], active(lane) ? there : before.v[3][lane]);
        }
        run(LW_ARCH_GFX1201, KEPT, lds_store);
        for (unsigned lane = 0; lane < LANES; lane++) {
            memcpy(&there, after.lds + 64 + 8 + 4 * (size_t)lane, 4);
            if (active(lane))
                ck_assert_uint_eq(there, before.v[3][lane]);
        }
    }
}
END_TEST

/* ds_bpermute_fi_b32 v3, v1, v2 also reads inactive lanes. */
START_TEST(permutes_with_inactive_lanes)
{
    static const uint32_t words[3] = { 0xdb340000, 0x03000201, 0 };
    for (unsigned n = 0; n < ROUNDS; n++) {
        draw();
        for (unsigned lane = 0; lane < LANES; lane++)
            before.v[1][lane] = any();
        run(LW_ARCH_GFX1201, KEPT, words);
        for (unsigned lane = 0; lane < LANES; lane++)
            ck_assert_uint_eq(after.v[3][lane],
                              active(lane) ? before.v[2][before.v[1][lane] / 4 % 32] : before.v[3][lane]);
    }
}
END_TEST

/* Halves of a register from memory and back; the other half stays. */
START_TEST(halves)
{
    static const uint32_t high[3] = { 0xee08c004, 3, 1 }, byte[3] = { 0xee078004, 3, 1 },
                          out[3] = { 0xee090004, 0x01800000, 1 };
    for (unsigned n = 0; n < ROUNDS; n++) {
        uint16_t there;
        draw();
        run(LW_ARCH_GFX1201, KEPT, high);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint32_t old = before.v[3][lane];
            memcpy(&there, before.memory + 4 * (size_t)lane, 2);
            ck_assert_uint_eq(after.v[3][lane], active(lane) ? (old & 0xffff) | (uint32_t)there << 16 : old);
        }
        run(LW_ARCH_GFX1201, KEPT, byte);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint32_t old = before.v[3][lane];
            ck_assert_uint_eq(after.v[3][lane],
                              active(lane) ? (old & 0xffff0000) | before.memory[4 * lane] : old);
        }
        run(LW_ARCH_GFX1201, KEPT, out);
        for (unsigned lane = 0; lane < LANES; lane++)
            ck_assert_uint_eq(after.memory[4 * lane],
                              active(lane) ? before.v[3][lane] >> 16 & 255 : before.memory[4 * lane]);
    }
}
END_TEST

/* Waits, hints and prefetches, even of unmapped memory, change nothing. */
START_TEST(without_effect)
{
    static const uint32_t words[][3] = {
        { 0xf404c003, 0xf8000005, 0 }, /* s_prefetch_data s[6:7], 0x5, null, 0 */
        { 0xbfc00000, 0xbfc10000, 0xbfc60000 }, { 0xbfc70000, 0xbfc80000, 0xbfc90000 }, /* s_wait_* */
        { 0xbe805805, 0xbf800000, 0 },                                                  /* s_sleep_var s5 */
        { 0xbf880000, 0xbf850001, 0xbf870001 }, /* s_wait_alu, s_clause, s_delay_alu */
    };
    for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        draw();
        before.wave.sgpr[6] = before.wave.sgpr[7] = 0;
        run(LW_ARCH_GFX1201, KEPT, words[i]);
        ck_assert_mem_eq(after.v, before.v, sizeof(after.v));
        ck_assert_mem_eq(after.wave.sgpr, before.wave.sgpr, sizeof(after.wave.sgpr));
        ck_assert_mem_eq(after.memory, before.memory, BYTES);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { pairs_compared, tiles_of_bytes,    tiles_of_halves,
                                   blocks,         addresses_by_lane, permutes_with_inactive_lanes,
                                   halves,         without_effect };
    TCase *tc = tcase_create("rdna memory");
    tcase_add_unchecked_fixture(tc, open_memory, close_memory);
    tcase_add_loop_test(tc, atomics_of_dwords, 0, (int)(sizeof(atomics) / sizeof(atomics[0])));
    tcase_add_loop_test(tc, scalar_loads, 0, (int)(sizeof(scalars) / sizeof(scalars[0])));
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
        tcase_add_test(tc, tests[i]);
    tcase_set_timeout(tc, 60);
    return run_suite("rdna memory", tc);
}
