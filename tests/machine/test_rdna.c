/* SPDX-License-Identifier: MIT */
/*
 * Waves of 32 lanes on gfx1100: lane masks of one register, NULL, M0, carries, and a whole kernel. The
 * numbered examples are results of gfx11 silicon (tinygrad, test/amd/hw); the others follow from AMD's RDNA3
 * ISA manual.
 */
#include <stdio.h>

#include "machine/fixture.h"

#include "emu/amdgpu/control/machine.h"
#include "isa_tables/amdgpu/registers.h"
#include "isa_tables/amdgpu/rows.h"

static const uint32_t END = 0xbfb00000; /* s_endpgm */

typedef struct world {
    lw_wave_state wave;
    uint32_t vgpr[8 * 64];
    lw_error error;
} world;

/* v0 is the lane's number, EXEC the low 32 lanes. */
static void reset(world *w)
{
    *w = (world){ .wave = { .vgprs = 8, .mode = 0x3f0 } };
    w->wave.vgpr = w->vgpr;
    for (uint32_t i = 0; i < 64; i++)
        w->vgpr[i] = i;
    w->wave.sgpr[LW_SGPR_EXEC] = UINT32_MAX;
}

static lw_status run(world *w, const uint32_t *words, size_t count)
{
    lw_launch_result *result = NULL;
    const lw_code_options options = {
        .struct_size = sizeof(options), .arch = LW_ARCH_GFX1100, .code = words, .words = count, .budget = 1000
    };
    const lw_status status = lw_code_run(&options, &w->wave, 1, &result, &w->error);
    lw_launch_result_free(result);
    return status;
}

#define RUN(w, ...)                                                                                          \
    do {                                                                                                     \
        const uint32_t code[] = { __VA_ARGS__, END };                                                        \
        ck_assert_msg(run(w, code, sizeof(code) / sizeof(code[0])) == LW_OK, "%s", (w)->error.text);         \
    } while (0)

/* Examples 1 to 3 and 6; M0 has its own number, whatever its code. */
START_TEST(null_and_m0)
{
    world w;
    reset(&w);
    w.wave.sgpr[4] = w.wave.sgpr[5] = w.wave.sgpr[6] = 77;
    RUN(&w, 0xbefd0085, /* s_mov_b32 m0, 5 */
        0xbe84017c,     /* s_mov_b64 s[4:5], null */
        0xbe86007c,     /* s_mov_b32 s6, null */
        0x80077cc0);    /* s_add_u32 s7, 64, null */
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_M0], 5);
    ck_assert_uint_eq(w.wave.sgpr[4] | w.wave.sgpr[5] | w.wave.sgpr[6], 0);
    ck_assert_uint_eq(w.wave.sgpr[7], 64);
    const uint32_t vcc = w.wave.sgpr[LW_SGPR_VCC];
    RUN(&w, 0x807c81c1); /* s_add_u32 null, -1, 1 */
    ck_assert_uint_eq(w.wave.scc, 1);
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_VCC], vcc);
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_EXEC], UINT32_MAX);
    RUN(&w, 0xbe8401ff, 0x80000000); /* s_mov_b64 s[4:5], 0x80000000 */
    ck_assert_uint_eq(w.wave.sgpr[4], 0x80000000);
    ck_assert_uint_eq(w.wave.sgpr[5], 0);
}
END_TEST

/* Examples 8 and 9: branches test only the low word. */
START_TEST(masks_are_one_register)
{
    for (unsigned low = 0; low < 2; low++) {
        world w;
        reset(&w);
        w.wave.sgpr[LW_SGPR_VCC] = low;
        w.wave.sgpr[LW_SGPR_VCC + 1] = !low;
        RUN(&w, 0xbfa40001, /* s_cbranch_vccnz over the next */
            0xbe840081,     /* s_mov_b32 s4, 1 */
            0xbfa30001,     /* s_cbranch_vccz over the next */
            0xbe850081);    /* s_mov_b32 s5, 1 */
        ck_assert_uint_eq(w.wave.sgpr[4], !low);
        ck_assert_uint_eq(w.wave.sgpr[5], low);
    }
}
END_TEST

START_TEST(compare_and_save_exec)
{
    world w;
    reset(&w);
    w.wave.sgpr[2] = 20;
    w.wave.sgpr[LW_SGPR_VCC + 1] = 0x1234;
    w.wave.sgpr[LW_SGPR_EXEC + 1] = 0x5678;
    RUN(&w, 0x7c980002, /* v_cmp_gt_u32_e32 vcc_lo, s2, v0 */
        0xbe83206a,     /* s_and_saveexec_b32 s3, vcc_lo */
        0x4a020101);    /* v_add_nc_u32_e32 v1, v1, v0 */
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_VCC], 0xfffff);
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_VCC + 1], 0x1234);
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_EXEC], 0xfffff);
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_EXEC + 1], 0x5678);
    ck_assert_uint_eq(w.wave.sgpr[3], UINT32_MAX);
    ck_assert_uint_eq(w.wave.scc, 1);
    for (unsigned lane = 0; lane < 64; lane++)
        ck_assert_uint_eq(w.vgpr[64 + lane], lane < 20 ? lane : 0);
    w.wave.sgpr[2] = 0xff00ff00;
    RUN(&w, 0xbe842202, /* s_or_saveexec_b32 s4, s2 */
        0xbe853002);    /* s_and_not1_saveexec_b32 s5, s2 */
    ck_assert_uint_eq(w.wave.sgpr[4], 0xfffff);
    ck_assert_uint_eq(w.wave.sgpr[5], 0xff0fffff);
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_EXEC], 0xff00ff00 & ~0xff0fffffu);
}
END_TEST

/* Examples 19 to 22. */
START_TEST(carries)
{
    world w;
    reset(&w);
    w.wave.sgpr[7] = 1;
    w.wave.sgpr[LW_SGPR_VCC] = 0xdeadbeef;
    RUN(&w, 0xd5207c02, 0x001902c1, /* v_add_co_ci_u32_e64 v2, null, -1, 1, s6 */
        0xd5210a03, 0x001d0080);    /* v_sub_co_ci_u32_e64 v3, s10, 0, 0, s7 */
    ck_assert_uint_eq(w.vgpr[2 * 64 + 5], 0);
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_VCC], 0xdeadbeef);
    ck_assert_uint_eq(w.vgpr[3 * 64], UINT32_MAX);
    ck_assert_uint_eq(w.wave.sgpr[10], 1);
    w.wave.sgpr[LW_SGPR_EXEC] = 15;
    w.wave.sgpr[LW_SGPR_VCC] = 0x00010000;
    for (unsigned lane = 0; lane < 4; lane++)
        w.vgpr[64 + lane] = 1;
    RUN(&w, 0x400a0281); /* v_add_co_ci_u32_e32 v5, vcc_lo, 1, v1, vcc_lo */
    ck_assert_uint_eq(w.vgpr[5 * 64 + 3], 2);
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_VCC], 0);
    w.wave.sgpr[LW_SGPR_EXEC] = 7;
    w.wave.sgpr[LW_SGPR_VCC] = 99;
    RUN(&w, 0x7d940081); /* v_cmpx_eq_u32_e32 1, v0 */
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_EXEC], 2);
    ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_VCC], 99);
}
END_TEST

/* Example 26; a message that changes nothing here. */
START_TEST(literals_and_messages)
{
    world w;
    reset(&w);
    RUN(&w, 0xd73c0004, 0x0001fe84, 0xdeadbeef); /* v_lshlrev_b64 v[4:5], 4, 0xdeadbeef */
    ck_assert_uint_eq(w.vgpr[4 * 64 + 31], 0xeadbeef0);
    ck_assert_uint_eq(w.vgpr[5 * 64 + 31], 0xd);
    RUN(&w, 0xbfb60003); /* s_sendmsg sendmsg(MSG_DEALLOC_VGPRS) */
}
END_TEST

/* EXEC from the source a and the old e, bit a * 2 + e of a table; the result is the old or (wrexec) the new.
 */
START_TEST(all_saveexec)
{
    static const struct {
        uint32_t op;
        unsigned table;
        bool result_is_new;
    } rows[] = { { 0x20, 0x8, false }, { 0x22, 0xe, false }, { 0x24, 0x6, false }, { 0x26, 0x7, false },
                 { 0x28, 0x1, false }, { 0x2a, 0x9, false }, { 0x2c, 0x2, false }, { 0x2e, 0xb, false },
                 { 0x30, 0x4, false }, { 0x32, 0xd, false }, { 0x34, 0x2, true },  { 0x36, 0x4, true } };
    world w;
    for (uint64_t n = 0; n < 16; n++) {
        const uint32_t a = n ? (uint32_t)mix(n) : 0, e = n % 4 ? (uint32_t)mix(n + 99) : n ? UINT32_MAX : 0;
        uint32_t now = 0;
        reset(&w);
        w.wave.sgpr[5] = a;
        w.wave.sgpr[LW_SGPR_EXEC] = e;
        w.wave.sgpr[LW_SGPR_EXEC + 1] = 0x1234;
        RUN(&w, 0xbe840005 | rows[_i].op << 8);
        for (unsigned i = 0; i < 32; i++)
            now |= (rows[_i].table >> ((a >> i & 1) * 2 + (e >> i & 1)) & 1u) << i;
        ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_EXEC], now);
        ck_assert_uint_eq(w.wave.sgpr[LW_SGPR_EXEC + 1], 0x1234);
        ck_assert_uint_eq(w.wave.sgpr[4], rows[_i].result_is_new ? now : e);
        ck_assert_uint_eq(w.wave.scc, now != 0);
    }
}
END_TEST

/* v_swaprel_b32 v1, v2; v_movrelsd_b32 v1, v2; s_movrelsd_2_b32 s4, s5; s_pack_hl_b32_b16 s4, s5, s6. */
START_TEST(moved_by_m0)
{
    world w;
    reset(&w);
    for (unsigned r = 0; r < 8; r++)
        w.vgpr[r * 64] = 100 + r;
    w.wave.sgpr[LW_SGPR_M0] = 2 << 16 | 4; /* v3 and v6 */
    RUN(&w, 0x7e02d102);
    ck_assert(w.vgpr[3 * 64] == 106 && w.vgpr[6 * 64] == 103);
    w.wave.sgpr[LW_SGPR_M0] = 3; /* v4 is v5 */
    RUN(&w, 0x7e028902);
    ck_assert_uint_eq(w.vgpr[4 * 64], 105);
    w.wave.sgpr[LW_SGPR_M0] = 7 << 16 | 3; /* s11 is s8 */
    w.wave.sgpr[8] = 88;
    RUN(&w, 0xbe844405);
    ck_assert_uint_eq(w.wave.sgpr[11], 88);
    w.wave.sgpr[5] = 0x11112222, w.wave.sgpr[6] = 0x33334444;
    RUN(&w, 0x9a840605);
    ck_assert_uint_eq(w.wave.sgpr[4], 0x44441111);
}
END_TEST

/* The registers of an instruction, as observers are told them: the result, then the source. */
static void note_registers(void *context, const lw_event *event)
{
    int *seen = context;
    if (strstr(event->mnemonic, "endpgm"))
        return;
    for (size_t i = 0; i < 2; i++)
        seen[i] = event->facts->operand_count > i ? event->facts->operands[i].first : -1;
}

/* Observers are told the registers that M0 selects, not those that the instruction names. */
START_TEST(observers_of_moves_by_m0)
{
    static const struct {
        uint32_t word, m0;
        int result, source;
    } cases[] = {
        { 0x7e028502, 3, 4, 2 },           /* v_movreld_b32 v1, v2 */
        { 0x7e028702, 3, 1, 5 },           /* v_movrels_b32 v1, v2 */
        { 0x7e028902, 3, 4, 5 },           /* v_movrelsd_b32 v1, v2 */
        { 0x7e029102, 2 << 16 | 4, 3, 6 }, /* v_movrelsd_2_b32 v1, v2 */
        { 0x7e02d102, 2 << 16 | 4, 3, 6 }, /* v_swaprel_b32 v1, v2 */
        { 0x7e028702, 100, 1, 0 },         /* outside: v0 */
        { 0xbe844005, 3, 4, 8 },           /* s_movrels_b32 s4, s5 */
        { 0xbe844205, 3, 7, 5 },           /* s_movreld_b32 s4, s5 */
    };
    world w;
    reset(&w);
    int seen[2];
    const lw_observer observer = { .struct_size = sizeof(observer),
                                   .context = seen,
                                   .before = note_registers };
    const lw_observer *const observers[] = { &observer };
    const uint32_t code[] = { cases[_i].word, END };
    const lw_code_options options = { .struct_size = sizeof(options),
                                      .arch = LW_ARCH_GFX1100,
                                      .code = code,
                                      .words = 2,
                                      .budget = 10,
                                      .observers = observers,
                                      .observer_count = 1 };
    lw_launch_result *result = NULL;
    w.wave.sgpr[LW_SGPR_M0] = cases[_i].m0;
    ck_assert_int_eq(lw_code_run(&options, &w.wave, 1, &result, &w.error), LW_OK);
    lw_launch_result_free(result);
    ck_assert_int_eq(seen[0], cases[_i].result);
    ck_assert_int_eq(seen[1], cases[_i].source);
}
END_TEST

/* The names used for counting loads and stores, which are in tables, are those of the generation. */
START_TEST(flat_names)
{
    static const struct {
        lw_arch arch;
        unsigned shift, no_saddr;
        const char *load;
    } rows[] = { { LW_ARCH_GFX950, 14, 127, "load_dword" }, { LW_ARCH_GFX1100, 16, 124, "load_b32" } };
    static const char *const prefixes[3] = { "flat_", "scratch_", "global_" };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        unsigned found = 0, loads = 0;
        for (uint32_t n = 0; n < 3u * 128; n++) {
            const uint32_t words[2] = { 0xdc000000 | (n % 3) << rows[i].shift | n / 3 << 18,
                                        rows[i].no_saddr << 16 };
            lw_decoded in;
            char want[64];
            if (lw_amdgpu_decode(rows[i].arch, words, 2, &in) != LW_OK)
                continue;
            snprintf(want, sizeof(want), "%s%s", prefixes[in.seg], lw_op_name(in.row, rows[i].arch));
            ck_assert_str_eq(lw_decoded_name(rows[i].arch, &in), want);
            loads += strcmp(want + strlen(prefixes[in.seg]), rows[i].load) == 0;
            found++;
        }
        ck_assert_uint_gt(found, 60);
        ck_assert_uint_ge(loads, 2);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gfx1100");
    tcase_add_test(tc, null_and_m0);
    tcase_add_test(tc, masks_are_one_register);
    tcase_add_test(tc, compare_and_save_exec);
    tcase_add_test(tc, carries);
    tcase_add_test(tc, literals_and_messages);
    tcase_add_loop_test(tc, all_saveexec, 0, 12);
    tcase_add_test(tc, moved_by_m0);
    tcase_add_loop_test(tc, observers_of_moves_by_m0, 0, 8);
    tcase_add_test(tc, flat_names);
    return run_suite("rdna", tc);
}
