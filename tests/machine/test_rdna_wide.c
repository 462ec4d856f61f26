/* SPDX-License-Identifier: MIT */
/*
 * Waves of 64 lanes on gfx1100 and gfx1201: masks in pairs of scalar registers, lanes of all four rows,
 * instructions for 32 lanes only. DPP as measured on gfx11 (tinygrad, test/amd/hw); the rest by AMD's RDNA3
 * and RDNA4 ISA manuals. Words: llvm-mc 22.
 */
#include "isa_tables/amdgpu/registers.h"
#include "machine/fixture.h"

enum { LANES = 64, REGS = 12, ROUNDS = 40 };

static const uint32_t END = 0xbfb00000;
static const lw_arch arches[] = { LW_ARCH_GFX1100, LW_ARCH_GFX1201 };

typedef struct world {
    lw_wave_state wave;
    uint32_t v[REGS][LANES];
    uint32_t lds[16];
} world;

static world before, after;
static lw_error error;

static lw_status try_run(lw_arch arch, unsigned lanes, const uint32_t *words, size_t count)
{
    uint32_t code[8] = { 0 };
    memcpy(code, words, count * sizeof(*code));
    code[count] = END;
    after = before;
    after.wave.vgpr = after.v[0], after.wave.vgprs = REGS, after.wave.mode = 0x3f0;
    const lw_code_options o = { .struct_size = sizeof(o),
                                .arch = arch,
                                .code = code,
                                .words = count + 1,
                                .lds = after.lds,
                                .lds_size = sizeof(after.lds),
                                .budget = 20,
                                .lanes = lanes };
    return lw_code_run(&o, &after.wave, 1, NULL, &error);
}

#define RUN(arch, ...)                                                                                       \
    do {                                                                                                     \
        const uint32_t words_[] = { __VA_ARGS__ };                                                           \
        ck_assert_msg(try_run(arch, LANES, words_, sizeof(words_) / 4) == LW_OK, "%s", error.text);          \
    } while (0)

static uint64_t pair(const world *w, unsigned reg)
{
    return w->wave.sgpr[reg] | (uint64_t)w->wave.sgpr[reg + 1] << 32;
}

static void set_pair64(unsigned reg, uint64_t v)
{
    before.wave.sgpr[reg] = (uint32_t)v;
    before.wave.sgpr[reg + 1] = (uint32_t)(v >> 32);
}

/* v0 is the lane's number, s2 a limit, s[8:9] a mask; EXEC always includes lanes of the upper half. */
static void draw(uint64_t seed)
{
    for (unsigned r = 0; r < REGS; r++)
        for (unsigned lane = 0; lane < LANES; lane++)
            before.v[r][lane] = r ? (uint32_t)mix(seed * 4096 + r * LANES + lane) : lane;
    for (unsigned s = 0; s < 16; s++)
        before.wave.sgpr[s] = (uint32_t)mix(seed * 77 + s);
    before.wave.sgpr[2] = 10 + (uint32_t)(seed % 50);
    before.wave.sgpr[3] = (uint32_t)seed;
    set_pair64(LW_SGPR_EXEC, mix(seed + 5) | UINT64_C(1) << 40);
    set_pair64(LW_SGPR_VCC, mix(seed + 6));
    before.wave.scc = 0;
}

static uint64_t exec_before(void)
{
    return pair(&before, LW_SGPR_EXEC);
}

static bool active(unsigned lane)
{
    return exec_before() >> lane & 1;
}

START_TEST(masks)
{
    for (uint64_t n = 0; n < ROUNDS; n++) {
        draw(n);
        const uint64_t less = (UINT64_C(1) << before.wave.sgpr[2]) - 1, exec = exec_before();
        RUN(arches[_i], 0x7c980002); /* v_cmp_gt_u32 vcc, s2, v0 */
        ck_assert_uint_eq(pair(&after, LW_SGPR_VCC), less & exec);
        RUN(arches[_i], 0xd44c0008, 0x00020002); /* v_cmp_gt_u32 s[8:9], s2, v0 */
        ck_assert_uint_eq(pair(&after, 8), less & exec);
        ck_assert_uint_eq(after.wave.sgpr[10], before.wave.sgpr[10]);
        RUN(arches[_i], 0x7d980002); /* v_cmpx_gt_u32 s2, v0 */
        ck_assert_uint_eq(pair(&after, LW_SGPR_EXEC), less & exec);
        ck_assert_uint_eq(pair(&after, LW_SGPR_VCC), pair(&before, LW_SGPR_VCC));
        RUN(arches[_i], 0xbe84216a); /* s_and_saveexec_b64 s[4:5], vcc */
        ck_assert_uint_eq(pair(&after, 4), exec);
        ck_assert_uint_eq(pair(&after, LW_SGPR_EXEC), exec & pair(&before, LW_SGPR_VCC));
        RUN(arches[_i], 0xd5010003, 0x00220501); /* v_cndmask_b32 v3, v1, v2, s[8:9] */
        for (unsigned lane = 0; lane < LANES; lane++)
            ck_assert_uint_eq(after.v[3][lane], !active(lane)                  ? before.v[3][lane]
                                                : pair(&before, 8) >> lane & 1 ? before.v[2][lane]
                                                                               : before.v[1][lane]);
    }
}
END_TEST

/* v_add_co_ci_u32 v3, s[10:11], v1, v2, s[8:9]: one carry bit per lane, 0 for inactive ones. */
START_TEST(carries)
{
    for (uint64_t n = 0; n < ROUNDS; n++) {
        uint64_t out = 0;
        draw(n);
        RUN(arches[_i], 0xd5200a03, 0x00220501);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint64_t sum =
                (uint64_t)before.v[1][lane] + before.v[2][lane] + (pair(&before, 8) >> lane & 1);
            ck_assert_uint_eq(after.v[3][lane], active(lane) ? (uint32_t)sum : before.v[3][lane]);
            out |= (active(lane) ? sum >> 32 : 0) << lane;
        }
        ck_assert_uint_eq(pair(&after, 10), out);
        RUN(arches[_i], 0x40060501); /* v_add_co_ci_u32 v3, vcc, v1, v2, vcc */
        for (unsigned lane = 0; lane < LANES; lane++) {
            const uint64_t sum =
                (uint64_t)before.v[1][lane] + before.v[2][lane] + (pair(&before, LW_SGPR_VCC) >> lane & 1);
            ck_assert_uint_eq(pair(&after, LW_SGPR_VCC) >> lane & 1, active(lane) ? sum >> 32 : 0);
        }
    }
}
END_TEST

/* A lane's number has six bits; branches look at both words. */
START_TEST(single_lanes)
{
    for (uint64_t n = 0; n < 2 * LANES; n++) {
        draw(n);
        RUN(arches[_i], 0xd7600004, 0x00000701); /* v_readlane_b32 s4, v1, s3 */
        ck_assert_uint_eq(after.wave.sgpr[4], before.v[1][n % LANES]);
        RUN(arches[_i], 0xd7610001, 0x00000604); /* v_writelane_b32 v1, s4, s3 */
        for (unsigned lane = 0; lane < LANES; lane++)
            ck_assert_uint_eq(after.v[1][lane], lane == n % LANES ? before.wave.sgpr[4] : before.v[1][lane]);
        set_pair64(LW_SGPR_EXEC, UINT64_C(1) << (32 + n % 32));
        set_pair64(LW_SGPR_VCC, UINT64_C(1) << (32 + n % 32));
        RUN(arches[_i], 0x7e080501); /* v_readfirstlane_b32 s4, v1 */
        ck_assert_uint_eq(after.wave.sgpr[4], before.v[1][32 + n % 32]);
        RUN(arches[_i], 0xbfa30001, 0xbe840085, 0xbfa50001, 0xbe850086); /* s_cbranch_vccz, s_cbranch_execz */
        ck_assert(after.wave.sgpr[4] == 5 && after.wave.sgpr[5] == 6);
    }
}
END_TEST

/* v_permlane64 exchanges the halves; v_permlane16 and x16 stay in rows and pairs of rows. */
START_TEST(permutations)
{
    for (uint64_t n = 0; n < ROUNDS; n++) {
        draw(n);
        RUN(arches[_i], 0x7e06cf01);
        for (unsigned lane = 0; lane < LANES; lane++)
            ck_assert_uint_eq(after.v[3][lane], active(lane) ? before.v[1][lane ^ 32] : before.v[3][lane]);
        set_pair64(LW_SGPR_EXEC, UINT64_MAX);
        const uint64_t select = pair(&before, 2);
        RUN(arches[_i], 0xd65b0003, 0x000c0501);
        for (unsigned lane = 0; lane < LANES; lane++)
            ck_assert_uint_eq(after.v[3][lane], before.v[1][lane / 16 * 16 + (select >> lane % 16 * 4 & 15)]);
        RUN(arches[_i], 0xd65c0003, 0x000c0501);
        for (unsigned lane = 0; lane < LANES; lane++)
            ck_assert_uint_eq(after.v[3][lane],
                              before.v[1][(lane / 16 ^ 1) * 16 + (select >> lane % 16 * 4 & 15)]);
    }
}
END_TEST

/* gfx11 permutes within 32 lanes, gfx12 within the wave; the highest sender wins. */
START_TEST(permutes_of_lds)
{
    for (uint64_t n = 0; n < ROUNDS; n++) {
        uint32_t sent[LANES] = { 0 };
        draw(n);
        RUN(arches[_i], 0xdacc0000, 0x03000201); /* ds_bpermute_b32 v3, v1, v2 */
        for (unsigned lane = 0; lane < LANES; lane++) {
            const unsigned named = before.v[1][lane] / 4 % 64,
                           from = arches[_i] == LW_ARCH_GFX1100 ? lane / 32 * 32 + named % 32 : named;
            const uint32_t want = active(from) ? before.v[2][from] : 0;
            ck_assert_uint_eq(after.v[3][lane], active(lane) ? want : before.v[3][lane]);
            if (active(lane))
                sent[from] = before.v[2][lane];
        }
        RUN(arches[_i], 0xdac80000, 0x03000201); /* ds_permute_b32 v3, v1, v2 */
        for (unsigned lane = 0; lane < LANES; lane++)
            ck_assert_uint_eq(after.v[3][lane], active(lane) ? sent[lane] : before.v[3][lane]);
    }
}
END_TEST

/* v_mov_b32_dpp v1, v0 with v0 = 3 + 10 * lane and v1 = 7. */
START_TEST(dpp_of_silicon)
{
    static const struct {
        uint32_t word;
        unsigned lane;
        uint32_t is;
    } rows[] = {
        { 0xff081b00, 0, 33 },                                                    /* quad_perm:[3,2,1,0] */
        { 0xff090100, 0, 13 },                                                    /* row_shl:1 bound_ctrl:1 */
        { 0xff090100, 15, 0 },   { 0xff090100, 16, 173 }, { 0xff012100, 0, 153 }, /* row_ror:1 */
        { 0xff014000, 5, 103 },                                                   /* row_mirror */
        { 0x5f090100, 16, 7 },                                                    /* row_shl:1 row_mask:0x5 */
        { 0x5f090100, 32, 333 }, { 0x5f090100, 48, 7 },   { 0xf5090100, 4, 7 }, /* row_shl:1 bank_mask:0x5 */
        { 0xf5090100, 8, 93 },
    };
    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        draw(i);
        set_pair64(LW_SGPR_EXEC, UINT64_MAX);
        for (unsigned lane = 0; lane < LANES; lane++) {
            before.v[0][lane] = 3 + 10 * lane;
            before.v[1][lane] = 7;
        }
        RUN(arches[_i], 0x7e0202fa, rows[i].word);
        ck_assert_uint_eq(after.v[1][rows[i].lane], rows[i].is);
    }
}
END_TEST

/* VOPD is for waves of 32 only, and so are transposing loads, as far as is known; other wave sizes do not
 * exist. */
START_TEST(refusals)
{
    static const uint32_t dual[] = { 0xca200103, 0x02000b04 }, turned[] = { 0xee16007c, 0x8, 0x6 };
    draw(1);
    ck_assert_int_eq(try_run(arches[_i], LANES, dual, 2), LW_E_FAULT);
    ck_assert_msg(strstr(error.text, "are not an instruction") != NULL, "%s", error.text);
    ck_assert_int_eq(try_run(arches[_i], 48, dual, 2), LW_E_ARGUMENT);
    ck_assert_msg(strstr(error.text, "has no waves of 48 lanes") != NULL, "%s", error.text);
    ck_assert_int_eq(try_run(LW_ARCH_GFX942, 32, dual, 2), LW_E_ARGUMENT);
    if (arches[_i] != LW_ARCH_GFX1201)
        return;
    ck_assert_int_eq(try_run(arches[_i], LANES, turned, 3), LW_E_FAULT);
    ck_assert_msg(strstr(error.text, "a transposing load cannot run in a wave of 64 lanes"), "%s",
                  error.text);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("rdna wide");
    tcase_add_loop_test(tc, masks, 0, 2);
    tcase_add_loop_test(tc, carries, 0, 2);
    tcase_add_loop_test(tc, single_lanes, 0, 2);
    tcase_add_loop_test(tc, permutations, 0, 2);
    tcase_add_loop_test(tc, permutes_of_lds, 0, 2);
    tcase_add_loop_test(tc, dpp_of_silicon, 0, 2);
    tcase_add_loop_test(tc, refusals, 0, 2);
    tcase_set_timeout(tc, 60);
    return run_suite("rdna wide", tc);
}
