/* SPDX-License-Identifier: MIT */
/*
 * Differences of gfx1201 from gfx1100. Lane permutations and transposing loads as captured on gfx1201 (AMD's
 * ROCm documentation, rocjitsu, public probes); NaNs of minima, fp8 and OMOD as captured there (rocjitsu);
 * the rest by AMD's RDNA4 ISA manual, with numbers that need no rounding. Words: llvm-mc 22.
 */
#include "machine/fixture.h"

#include "isa_tables/amdgpu/registers.h"

enum { LANES = 32, REGS = 40 };

static const uint32_t END = 0xbfb00000, ONE = 0x3f800000, TWO = 0x40000000, QNAN = 0x7fc00001,
                      SNAN = 0x7f800001;

typedef struct world {
    lw_wave_state wave[2];
    uint32_t vgpr[2][REGS * 64];
    uint32_t lds[16];
    lw_memory *memory;
    lw_error error;
} world;

static void reset(world *w)
{
    memset(w, 0, sizeof(*w));
    for (int i = 0; i < 2; i++) {
        w->wave[i] = (lw_wave_state){ .vgprs = REGS, .mode = 0xf0, .vgpr = w->vgpr[i] };
        w->wave[i].sgpr[LW_SGPR_EXEC] = UINT32_MAX;
    }
}

static lw_status run_waves(world *w, const uint32_t *words, size_t count, size_t waves)
{
    const lw_code_options o = { .struct_size = sizeof(o),
                                .arch = LW_ARCH_GFX1201,
                                .code = words,
                                .words = count,
                                .memory = w->memory,
                                .lds = w->lds,
                                .lds_size = sizeof(w->lds),
                                .budget = 50000000 };
    return lw_code_run(&o, w->wave, waves, NULL, &w->error);
}

#define RUN(w, ...)                                                                                          \
    do {                                                                                                     \
        const uint32_t words_[] = { __VA_ARGS__, END };                                                      \
        ck_assert_msg(run_waves(w, words_, sizeof(words_) / 4, 1) == LW_OK, "%s", (w)->error.text);          \
    } while (0)

static void fill(world *w, unsigned reg, uint32_t value)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        w->vgpr[0][reg * 64 + lane] = value;
}

START_TEST(permutations_by_lanes)
{
    world w;
    reset(&w);
    for (uint32_t lane = 0; lane < LANES; lane++) {
        w.vgpr[0][64 + lane] = 100 + lane;
        w.vgpr[0][2 * 64 + lane] = 15 ^ lane;
        w.vgpr[0][3 * 64 + lane] = lane;
    }
    RUN(&w, 0xd70f0004, 0x00020501, 0xd7100005, 0x00020701);
    const uint32_t *same = w.vgpr[0] + 4 * 64, *other = w.vgpr[0] + 5 * 64;
    ck_assert(same[0] == 115 && same[5] == 110 && same[16] == 131);
    ck_assert(other[0] == 116 && other[16] == 100 && other[31] == 115);
}
END_TEST

/* Lane L's address is base + 8 * L (bytes) or base + 16 * L; byte n of memory is n, halfword n is n. */
START_TEST(transposing_loads)
{
    static const uint8_t first[8] = { 0, 8, 16, 24, 64, 72, 80, 88 };
    world w;
    uint64_t address = 0;
    reset(&w);
    ck_assert_int_eq(lw_memory_create(&w.memory), LW_OK);
    ck_assert_int_eq(lw_memory_allocate(w.memory, "b", 512, LW_ACCESS_READ_WRITE, &address, NULL), LW_OK);
    uint8_t *bytes = lw_memory_host(w.memory, address, 512);
    for (int i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        w.vgpr[0][6 * 64 + lane] = (uint32_t)address + 8 * lane;
        w.vgpr[0][7 * 64 + lane] = (uint32_t)(address >> 32);
    }
    RUN(&w, 0xee16007c, 0x0000000c, 0x00000006);
    const uint32_t *low = w.vgpr[0] + 12 * 64, *high = w.vgpr[0] + 13 * 64;
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq((i < 4 ? low : high)[0] >> 8 * (i % 4) & 255, first[i]);
    ck_assert_uint_eq(low[8] & 255, 32);
    ck_assert_uint_eq(low[16] & 255, 128);
    for (uint16_t i = 0; i < 256; i++)
        memcpy(bytes + 2 * i, &i, 2);
    for (uint32_t lane = 0; lane < LANES; lane++)
        w.vgpr[0][6 * 64 + lane] = (uint32_t)address + 16 * lane;
    RUN(&w, 0xee15c07c, 0x00000008, 0x00000006);
    for (uint32_t a = 0; a < 8; a++) /* halfword 1 of lane 8 + a */
        ck_assert_uint_eq(w.vgpr[0][(8 + a / 2) * 64 + 9] >> 16 * (a % 2) & 0xffff, 8 * (8 + a) + 1);
    lw_memory_free(w.memory);
}
END_TEST

static const struct {
    uint32_t a, b, min_num, max_num, minimum, maximum;
} selections[] = {
    { ONE, TWO, ONE, TWO, ONE, TWO },
    { 0x80000000, 0, 0x80000000, 0, 0x80000000, 0 },
    { QNAN, ONE, ONE, ONE, QNAN, QNAN },
    { ONE, SNAN, ONE, ONE, SNAN | 0x400000, SNAN | 0x400000 },
    { SNAN, QNAN + 1, SNAN | 0x400000, SNAN | 0x400000, SNAN | 0x400000, SNAN | 0x400000 },
    { QNAN, SNAN, QNAN, QNAN, QNAN, QNAN },
};

START_TEST(selections_and_nans)
{
    world w;
    reset(&w);
    fill(&w, 1, selections[_i].a);
    fill(&w, 2, selections[_i].b);
    RUN(&w, 0x2a080501, 0x2c0a0501, 0xd7650008, 0x00020501, 0xd7660009, 0x00020501);
    ck_assert_uint_eq(w.vgpr[0][4 * 64], selections[_i].min_num);
    ck_assert_uint_eq(w.vgpr[0][5 * 64], selections[_i].max_num);
    ck_assert_uint_eq(w.vgpr[0][8 * 64], selections[_i].minimum);
    ck_assert_uint_eq(w.vgpr[0][9 * 64], selections[_i].maximum);
}
END_TEST

/* Bytes 1 to 3 of fp8 1, 2, 4, 8: byte_sel:2 and byte_sel:1; NaN becomes ff whatever its sign. */
START_TEST(bytes_of_fp8)
{
    world w;
    reset(&w);
    fill(&w, 1, 0x50484038);
    RUN(&w, 0xd5ec0804, 0x00000101, 0xd5ec1005, 0x00000101);
    ck_assert_uint_eq(w.vgpr[0][4 * 64], 0x40800000);
    ck_assert_uint_eq(w.vgpr[0][5 * 64], TWO);
    fill(&w, 1, QNAN);
    fill(&w, 2, ONE);
    fill(&w, 8, 0xabcd0000);
    RUN(&w, 0xd7690008, 0x00020501);
    ck_assert_uint_eq(w.vgpr[0][8 * 64], 0xabcd38ff);
}
END_TEST

/* OMOD also works with subnormals kept. */
START_TEST(output_modifiers)
{
    world w;
    reset(&w);
    fill(&w, 1, 0x3fc00000);
    fill(&w, 2, 0x40100000);
    RUN(&w, 0xd5030004, 0x08020501);
    ck_assert_uint_eq(w.vgpr[0][4 * 64], 0x40f00000);
}
END_TEST

/* s5 = 1.5, s6 = 2.25; SCC is set before and stays set. */
static const struct {
    uint32_t words[2], result;
} scalars[] = {
    { { 0xa0040605, 0xbf800000 }, 0x40700000 }, /* s_add_f32: 3.75 */
    { { 0xa3840605, 0xbf800000 }, 0x40ac0000 }, /* s_fmac_f32 into 2: 5.375 */
    { { 0xa2840605, 0x41200000 }, 0x41560000 }, /* s_fmaak_f32 with 10: 13.375 */
    { { 0xa3040605, 0x41200000 }, 0x418a0000 }, /* s_fmamk_f32 with 10: 17.25 */
    { { 0xbe846605, 0xbf800000 }, 1 },          /* s_cvt_i32_f32 */
    { { 0xbe846406, 0xbf800000 }, 0x4e802000 }, /* s_cvt_f32_i32 of 40100000 */
    { { 0xa4040605, 0xbf800000 }, 0x40803e00 }, /* s_cvt_pk_rtz_f16_f32 */
};

START_TEST(scalar_floats)
{
    world w;
    reset(&w);
    w.wave[0].scc = 1;
    w.wave[0].sgpr[4] = TWO;
    w.wave[0].sgpr[5] = 0x3fc00000;
    w.wave[0].sgpr[6] = 0x40100000;
    RUN(&w, scalars[_i].words[0], scalars[_i].words[1]);
    ck_assert_uint_eq(w.wave[0].sgpr[4], scalars[_i].result);
    ck_assert_uint_eq(w.wave[0].scc, 1);
    RUN(&w, 0xbf410506); /* s_cmp_lt_f32 s6, s5 */
    ck_assert_uint_eq(w.wave[0].scc, 0);
}
END_TEST

/* MODE has neither the clamp of NaNs nor IEEE. */
START_TEST(mode_without_two_bits)
{
    world w;
    reset(&w);
    RUN(&w, 0xb884f801);
    ck_assert_uint_eq(w.wave[0].sgpr[4], 0xf0);
    ck_assert_uint_eq(w.wave[0].mode, 0xf0);
}
END_TEST

/*
 * Both waves signal the barrier. The first does not wait until it has seen what the second writes after its
 * own wait: the signal is enough.
 */
START_TEST(barriers_in_two_parts)
{
    static const uint32_t words[] = { 0xbe804ec1, 0xbf068000, 0xbfa10008, 0xd8d80000, 0x01000000,
                                      0xbfc60000, 0x7e020501, 0xbf068001, 0xbfa2fffa, 0xbf94ffff,
                                      0xbfb00000, 0xbf94ffff, 0xd8340000, 0x00000200, 0xbfb00000 };
    world w;
    reset(&w);
    w.wave[1].sgpr[0] = 1;
    for (int lane = 0; lane < LANES; lane++)
        w.vgpr[1][2 * 64 + lane] = 7;
    ck_assert_msg(run_waves(&w, words, sizeof(words) / 4, 2) == LW_OK, "%s", w.error.text);
    ck_assert_uint_eq(w.lds[0], 7);
    ck_assert_uint_eq(w.wave[0].sgpr[1], 7);
}
END_TEST

/* s[4:5] = s[6:7] op s[8:9]; SCC stays. */
START_TEST(wide_sums)
{
    static const uint64_t values[] = {
        0, 1, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0xfedcba9876543210
    };
    enum { COUNT = sizeof(values) / sizeof(values[0]) };
    world w;
    for (unsigned i = 0; i < COUNT * COUNT; i++) {
        const uint64_t a = values[i % COUNT], b = values[i / COUNT], want[3] = { a + b, a - b, a * b };
        for (uint32_t op = 0; op < 3; op++) {
            uint64_t got;
            reset(&w);
            w.wave[0].scc = i & 1;
            memcpy(&w.wave[0].sgpr[6], &a, 8);
            memcpy(&w.wave[0].sgpr[8], &b, 8);
            RUN(&w, 0xa9840806 + op * 0x800000);
            memcpy(&got, &w.wave[0].sgpr[4], 8);
            ck_assert_uint_eq(got, want[op]);
            ck_assert_uint_eq(w.wave[0].scc, i & 1);
        }
    }
}
END_TEST

/* s_barrier_signal_isfirst -1: SCC says that nobody had come before; then all wait. */
START_TEST(first_at_the_barrier)
{
    static const uint32_t words[] = { 0xbe804fc1, 0xbf94ffff, 0xbfb00000 };
    world w;
    reset(&w);
    ck_assert_msg(run_waves(&w, words, 3, 2) == LW_OK, "%s", w.error.text);
    ck_assert_uint_eq(w.wave[0].scc, 1);
    ck_assert_uint_eq(w.wave[1].scc, 0);
}
END_TEST

/* s_barrier_signal -1, s_get_barrier_state s4, -1: valid, two members, the first of them has come; the second
 * completes the barrier, which starts anew. Then s_get_barrier_state s5, -1 of wave 0, when wave 1 has ended.
 */
START_TEST(state_of_the_barrier)
{
    static const uint32_t words[] = { 0xbe804ec1, 0xbe8450c1, 0xbf94ffff, 0xbf068100, 0xbfa20003,
                                      0xbf830001, 0xbf830001, 0xbe8550c1, 0xbfb00000 };
    world w;
    reset(&w);
    w.wave[1].sgpr[0] = 1;
    ck_assert_msg(run_waves(&w, words, sizeof(words) / 4, 2) == LW_OK, "%s", w.error.text);
    ck_assert_uint_eq(w.wave[0].sgpr[4], 1 | 2 << 4 | 1 << 16);
    ck_assert_uint_eq(w.wave[1].sgpr[4], 1 | 2 << 4);
    ck_assert_uint_eq(w.wave[0].sgpr[5], 1 | 1 << 4);
}
END_TEST

/* Waiting without having signalled, signalling twice, named barriers and their state, dynamic VGPRs. */
START_TEST(barriers_refused)
{
    static const struct {
        uint32_t words[3];
        const char *says;
    } cases[] = { { { 0xbf94ffff, 0xbfb00000, 0xbfb00000 }, "has not come to" },
                  { { 0xbe804ec1, 0xbe804ec1, 0xbfb00000 }, "second time" },
                  { { 0xbe804e81, 0xbfb00000, 0xbfb00000 }, "named" },
                  { { 0xbe845081, 0xbfb00000, 0xbfb00000 }, "gfx1201 has no named barriers; this one is 1" },
                  { { 0xbe805181, 0xbfb00000, 0xbfb00000 }, "gfx1201 has no named barriers" },
                  { { 0xbe805281, 0xbfb00000, 0xbfb00000 }, "gfx1201 has no named barriers" },
                  { { 0xbf950000, 0xbfb00000, 0xbfb00000 }, "gfx1201 has no named barriers" },
                  { { 0xbe805304, 0xbfb00000, 0xbfb00000 },
                    "s_alloc_vgpr cannot run: waves that allocate" } };
    world w;
    reset(&w);
    ck_assert(run_waves(&w, cases[_i].words, 3, 2) != LW_OK);
    ck_assert_msg(strstr(w.error.text, cases[_i].says) != NULL, "%s", w.error.text);
}
END_TEST

/* Doubles in LDS: a number is chosen rather than any NaN, -0 is below +0, and subnormals are zeros if MODE
 * flushes them (AMD RDNA4 ISA manual, DS_MIN_NUM_F64). The results were worked out by hand. */
START_TEST(doubles_in_lds)
{
    enum { KEPT = 0xf0, KEEP_SINGLE = 0x30, DATA = 2 * 64, RESULT = 8 * 64 };
    const uint64_t minus = UINT64_C(1) << 63, two = UINT64_C(0x4000000000000000),
                   five = UINT64_C(0x4014000000000000), down = UINT64_C(0xfff0000000000000),
                   quiet_nan = UINT64_C(0x7ff8000000000005), loud_nan = UINT64_C(0x7ff0000000000005);
    const struct {
        uint64_t old, data, least, most;
        uint32_t mode;
    } cases[] = { { five, two, two, five, KEPT },        { two, five, two, five, KEPT },
                  { minus, 0, minus, 0, KEPT },          { 0, minus, minus, 0, KEPT },
                  { loud_nan, two, two, two, KEPT },     { two, loud_nan, two, two, KEPT },
                  { quiet_nan, down, down, down, KEPT }, { down, quiet_nan, down, down, KEPT },
                  { 1, minus, minus, 1, KEPT },          { 1, minus, minus, 0, KEEP_SINGLE } };
    /* ds_min_num_rtn_f64 v[8:9], v1, v[2:3]; ds_max_num_rtn_f64; ds_min_num_f64 v1, v[2:3]; ds_max_num_f64 */
    static const uint32_t words[4][2] = { { 0xd9c80000, 0x08000201 },
                                          { 0xd9cc0000, 0x08000201 },
                                          { 0xd9480000, 0x00000201 },
                                          { 0xd94c0000, 0x00000201 } };
    for (unsigned i = 0; i < 4 * sizeof(cases) / sizeof(cases[0]); i++) {
        const uint64_t old = cases[i / 4].old, data = cases[i / 4].data;
        uint64_t got;
        world w;
        reset(&w);
        w.wave[0].sgpr[LW_SGPR_EXEC] = 1;
        w.wave[0].mode = cases[i / 4].mode;
        w.vgpr[0][DATA] = (uint32_t)data, w.vgpr[0][DATA + 64] = (uint32_t)(data >> 32);
        memcpy(w.lds, &old, 8);
        RUN(&w, words[i & 3][0], words[i & 3][1]);
        memcpy(&got, w.lds, 8);
        ck_assert_uint_eq(got, i & 1 ? cases[i / 4].most : cases[i / 4].least);
        got = w.vgpr[0][RESULT] | (uint64_t)w.vgpr[0][RESULT + 64] << 32;
        ck_assert_uint_eq(got, i & 2 ? 0 : old);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gfx1201");
    tcase_add_test(tc, permutations_by_lanes);
    tcase_add_test(tc, transposing_loads);
    tcase_add_loop_test(tc, selections_and_nans, 0, (int)(sizeof(selections) / sizeof(selections[0])));
    tcase_add_test(tc, bytes_of_fp8);
    tcase_add_test(tc, output_modifiers);
    tcase_add_loop_test(tc, scalar_floats, 0, (int)(sizeof(scalars) / sizeof(scalars[0])));
    tcase_add_test(tc, mode_without_two_bits);
    tcase_add_test(tc, barriers_in_two_parts);
    tcase_add_test(tc, wide_sums);
    tcase_add_test(tc, first_at_the_barrier);
    tcase_add_test(tc, state_of_the_barrier);
    tcase_add_test(tc, doubles_in_lds);
    tcase_add_loop_test(tc, barriers_refused, 0, 8);
    return run_suite("rdna4", tc);
}
