/* SPDX-License-Identifier: MIT */
/*
 * Lanes of gfx1100 that read from each other: DPP, DPP8 and v_permlane16, compared with the rules of AMD's
 * RDNA3 ISA manual written a second time; buffers, checked as OOB_SELECT says (the same manual, "Range
 * checking"); and single instructions that gfx9 does not have.
 */
#include "machine/fixture.h"

#include "isa_tables/amdgpu/registers.h"

enum { LANES = 32, NONE = -1, ROUNDS = 400 };

static const uint32_t END = 0xbfb00000; /* s_endpgm */

typedef struct world {
    lw_wave_state wave;
    uint32_t vgpr[8 * 64];
    lw_memory *memory;
    lw_error error;
} world;

static void reset(world *w, uint64_t seed)
{
    *w = (world){ .wave = { .vgprs = 8, .mode = 0x3f0 } };
    w->wave.vgpr = w->vgpr;
    for (uint32_t i = 0; i < 8 * 64; i++)
        w->vgpr[i] = (uint32_t)mix(seed * 4096 + i);
    w->wave.sgpr[LW_SGPR_EXEC] = seed % 3 ? (uint32_t)mix(seed + 99) : UINT32_MAX;
}

static void run(world *w, const uint32_t *words, size_t count)
{
    const lw_code_options o = { .struct_size = sizeof(o),
                                .arch = LW_ARCH_GFX1100,
                                .code = words,
                                .words = count,
                                .memory = w->memory,
                                .budget = 1000 };
    ck_assert_msg(lw_code_run(&o, &w->wave, 1, NULL, &w->error) == LW_OK, "%s", w->error.text);
}

/* The lane within its row of 16; NONE outside. */
static int in_row(unsigned ctrl, int at)
{
    const int n = (int)(ctrl % 16);
    if (ctrl < 256)
        return at - at % 4 + (int)(ctrl >> at % 4 * 2) % 4;
    switch (ctrl / 16) {
    case 16:
        return at + n > 15 ? NONE : at + n;
    case 17:
        return at - n < 0 ? NONE : at - n;
    case 18:
        return (at + 16 - n) % 16;
    case 20:
        return n ? at - at % 8 + 7 - at % 8 : 15 - at;
    case 21:
        return n;
    default:
        return at ^ n;
    }
}

typedef struct dpp {
    unsigned ctrl;
    bool fetch, bound;
    unsigned rows, banks;
} dpp;

static void check_dpp(const world *before, const world *after, const dpp *d)
{
    const uint32_t exec = before->wave.sgpr[LW_SGPR_EXEC];
    for (int lane = 0; lane < LANES; lane++) {
        const int at = in_row(d->ctrl, lane % 16), from = at == NONE ? NONE : lane - lane % 16 + at;
        const bool there = from != NONE && (d->fetch || exec >> from & 1);
        const bool masked = !(d->rows >> lane / 16 & 1) || !(d->banks >> lane % 16 / 4 & 1);
        uint32_t expected = before->vgpr[64 + lane];
        if (exec >> lane & 1 && !masked && (there || d->bound))
            expected = (there ? before->vgpr[2 * 64 + from] : 0) + before->vgpr[3 * 64 + lane];
        ck_assert_msg(after->vgpr[64 + lane] == expected, "control %x lane %d: %08x, expected %08x", d->ctrl,
                      lane, after->vgpr[64 + lane], expected);
    }
}

static unsigned control(uint64_t r)
{
    const unsigned kinds[] = { 0, 0x101, 0x111, 0x121, 0x140, 0x150, 0x160 }, kind = kinds[r % 7],
                   n = (unsigned)(r >> 8);
    return kind == 0 ? n % 256 : kind == 0x140 ? kind + n % 2 : kind & 1 ? kind + n % 15 : kind + n % 16;
}

/* v_add_nc_u32 v1, v2, v3 in its short and in its long form. */
START_TEST(moves_of_dpp16)
{
    for (uint64_t i = 0; i < ROUNDS; i++) {
        const uint64_t r = mix(i + 7);
        const dpp d = { control(r), r >> 40 & 1, r >> 41 & 1, r >> 42 & 15, r >> 46 & 15 };
        const uint32_t word = 2 | d.ctrl << 8 | (uint32_t)d.fetch << 18 | (uint32_t)d.bound << 19 |
                              d.banks << 24 | d.rows << 28;
        const uint32_t small[] = { 0x4a0206fa, word, END }, large[] = { 0xd5250001, 0x000206fa, word, END };
        world w, before;
        reset(&w, i);
        before = w;
        run(&w, small, 3);
        check_dpp(&before, &w, &d);
        w = before;
        w.wave.vgpr = w.vgpr;
        run(&w, large, 4);
        check_dpp(&before, &w, &d);
    }
}
END_TEST

START_TEST(moves_of_dpp8)
{
    for (uint64_t i = 0; i < ROUNDS; i++) {
        const uint32_t lanes = (uint32_t)mix(i + 31) & 0xffffff, fetch = i & 1;
        const uint32_t code[] = { 0x4a0206e9 + fetch, 2 | lanes << 8, END };
        world w, before;
        reset(&w, i);
        before = w;
        run(&w, code, 3);
        const uint32_t exec = before.wave.sgpr[LW_SGPR_EXEC];
        for (unsigned lane = 0; lane < LANES; lane++) {
            const unsigned from = lane / 8 * 8 + (lanes >> lane % 8 * 3) % 8;
            const uint32_t value = fetch || exec >> from & 1 ? before.vgpr[2 * 64 + from] : 0;
            const uint32_t expected =
                exec >> lane & 1 ? value + before.vgpr[3 * 64 + lane] : before.vgpr[64 + lane];
            ck_assert_uint_eq(w.vgpr[64 + lane], expected);
        }
    }
}
END_TEST

/* v_permlane16_b32 v1, v2, s3, s4, and x16. */
START_TEST(permuted_rows)
{
    for (uint64_t i = 0; i < ROUNDS; i++) {
        const uint32_t flags = (uint32_t)(i >> 1 & 3), x = i & 1;
        const uint32_t code[] = { (x ? 0xd65c0001 : 0xd65b0001) | flags << 11, 0x00100702, END };
        world w, before;
        reset(&w, i);
        w.wave.sgpr[3] = (uint32_t)mix(i + 1000);
        w.wave.sgpr[4] = (uint32_t)mix(i + 2000);
        before = w;
        run(&w, code, 3);
        const uint32_t exec = before.wave.sgpr[LW_SGPR_EXEC];
        for (unsigned lane = 0; lane < LANES; lane++) {
            const unsigned at = w.wave.sgpr[3 + lane % 16 / 8] >> lane % 8 * 4 & 15;
            const unsigned from = (lane / 16 ^ x) * 16 + at;
            const bool there = flags & 1 || exec >> from & 1;
            const bool writes = exec >> lane & 1 && (there || flags & 2);
            const uint32_t expected = !writes ? before.vgpr[64 + lane]
                                      : there ? before.vgpr[2 * 64 + from]
                                              : 0;
            ck_assert_uint_eq(w.vgpr[64 + lane], expected);
        }
    }
}
END_TEST

/* buffer_load_b64 v[4:5], v[0:1], s[4:7], s3 idxen offen offset:4 */
START_TEST(ranges_of_buffers)
{
    enum { BYTES = 4096, STRIDE = 24, RECORDS = 20 };
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const uint32_t select = i & 3, swizzled = i >> 2 & 1 ? 1 + 2 * (i >> 3 & 1) : 0,
                       soffset = i >> 4 & 1 ? 8 : 0;
        const uint32_t code[] = { 0xe0540004, 0x03c10400, END };
        world w, before;
        uint64_t address = 0;
        reset(&w, i);
        ck_assert_int_eq(lw_memory_create(&w.memory), LW_OK);
        ck_assert_int_eq(lw_memory_allocate(w.memory, "b", 65536, LW_ACCESS_READ_WRITE, &address, NULL),
                         LW_OK);
        uint32_t *data = lw_memory_host(w.memory, address, 65536);
        for (uint32_t k = 0; k < 65536 / 4; k++)
            data[k] = k;
        for (unsigned lane = 0; lane < 64; lane++) {
            w.vgpr[lane] = (uint32_t)mix((uint64_t)i * 64 + lane) % (RECORDS + 4);
            w.vgpr[64 + lane] = (uint32_t)mix((uint64_t)i * 128 + lane) % 7 * 4;
        }
        const uint32_t count = select == 3 && !swizzled ? 300 : RECORDS;
        w.wave.sgpr[3] = soffset;
        w.wave.sgpr[4] = (uint32_t)address;
        w.wave.sgpr[5] = (uint32_t)(address >> 32) | STRIDE << 16 | swizzled << 30;
        w.wave.sgpr[6] = count;
        w.wave.sgpr[7] = select << 28;
        before = w;
        run(&w, code, 3);
        for (unsigned lane = 0; lane < LANES; lane++)
            for (uint32_t k = 0; k < 2 && before.wave.sgpr[LW_SGPR_EXEC] >> lane & 1; k++) {
                const uint32_t index = before.vgpr[lane], off = before.vgpr[64 + lane] + 4 + 4 * k,
                               end = off + 4;
                const uint32_t e = swizzled == 3 ? 16 : 4;
                const uint32_t at =
                    swizzled ? (index / 8 * STRIDE + off / e * e) * 8 + index % 8 * e + off % e + soffset
                             : index * STRIDE + off + soffset;
                const bool both = index < count && end <= STRIDE;
                const bool good = select == 0   ? both
                                  : select == 1 ? index < count
                                  : select == 2 ? true
                                  : swizzled    ? both
                                                : end + soffset <= count;
                ck_assert_uint_eq(w.vgpr[(4 + k) * 64 + lane], good ? at / 4 : 0);
            }
        lw_memory_free(w.memory);
    }
}
END_TEST

/* Instructions that only gfx11 has, one at a time, on lane 0. */
START_TEST(single_instructions)
{
    enum { M0 = LW_SGPR_M0 };
    static uint32_t lds[16];
    world w;
    reset(&w, 0);
    const uint32_t modes[] = { 0xbf910003, 0xbf920005, END }; /* s_round_mode 3, s_denorm_mode 5 */
    run(&w, modes, 3);
    ck_assert_uint_eq(w.wave.mode, 0x353);

    uint32_t *v = w.vgpr;
    v[64] = 0x11112222, v[2 * 64] = 0x33334444;
    const uint32_t swap[] = { 0x7f02cd02, END }; /* v_swap_b16 v1.h, v2.l */
    run(&w, swap, 2);
    ck_assert_uint_eq(v[64], 0x44442222);
    ck_assert_uint_eq(v[2 * 64], 0x33331111);

    w.wave.sgpr[M0] = 2;
    v[4 * 64] = 44;
    const uint32_t from[] = { 0x7e028702, END }; /* v_movrels_b32 v1, v2: v4 */
    run(&w, from, 2);
    ck_assert_uint_eq(v[64], 44);
    v[2 * 64] = 22;
    const uint32_t to[] = { 0x7e028502, END }; /* v_movreld_b32 v1, v2: v3 */
    run(&w, to, 2);
    ck_assert_uint_eq(v[3 * 64], 22);
    w.wave.sgpr[M0] = 3 << 16 | 1; /* v_movrelsd_2_b32 v1, v2: v4 is v3 */
    const uint32_t both[] = { 0x7e029102, END };
    run(&w, both, 2);
    ck_assert_uint_eq(v[4 * 64], 22);
    w.wave.sgpr[M0] = 1000; /* out of range: v0, and nothing is written */
    v[0] = 7;
    run(&w, from, 2);
    ck_assert_uint_eq(v[64], 7);
    run(&w, to, 2);

    v[2 * 64] = 0, v[3 * 64] = 0x7f800000, v[4 * 64] = 0x3f800000; /* 0 * infinity + 1 */
    const uint32_t dx9[] = { 0xd6090001, 0x04120702, END };
    run(&w, dx9, 3);
    ck_assert_uint_eq(v[64], 0x3f800000);

    lds[1] = 100, v[0] = 4, v[2 * 64] = 200, v[3 * 64] = 100;
    w.wave.sgpr[LW_SGPR_EXEC] = 1;
    const uint32_t swapping[] = { 0xd8c00000, 0x01030200, END }; /* ds_cmpstore_rtn_b32 v1, v0, v2, v3 */
    const lw_code_options o = { .struct_size = sizeof(o),
                                .arch = LW_ARCH_GFX1100,
                                .code = swapping,
                                .words = 3,
                                .lds = lds,
                                .lds_size = sizeof(lds),
                                .budget = 100 };
    ck_assert_int_eq(lw_code_run(&o, &w.wave, 1, NULL, &w.error), LW_OK);
    ck_assert_uint_eq(v[64], 100);
    ck_assert_uint_eq(lds[1], 200);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("rdna lanes");
    tcase_add_test(tc, moves_of_dpp16);
    tcase_add_test(tc, moves_of_dpp8);
    tcase_add_test(tc, permuted_rows);
    tcase_add_test(tc, ranges_of_buffers);
    tcase_add_test(tc, single_instructions);
    tcase_set_timeout(tc, 60);
    return run_suite("rdna lanes", tc);
}
