/* SPDX-License-Identifier: MIT */
/* Lane masks, SDWA, DPP, op_sel, carries, lane masks of compares and lane moves, on a hand-made wave. */
#include <check.h>

#include "tests/valu/wave_kit.h"

static kit k;

static void setup(void)
{
    kit_reset(&k, LW_ARCH_GFX950);
}

static void set_exec(uint64_t exec)
{
    lw_wave_set_sgpr64(&k.w, LW_SGPR_EXEC, exec);
}

/* Runs, and checks that nothing changed except v[20], v[21] and what `also` names. */
static uint32_t before[KIT_REGS][LW_LANES];

static void run_in(lw_exec_fn fn, const lw_decoded *in, unsigned width)
{
    memcpy(before, k.vgpr, sizeof(before));
    ck_assert_int_eq(fn(&k.w, in), LW_STEP_NEXT);
    for (unsigned r = 0; r < KIT_REGS; r++)
        if (r < in->dst.reg || r >= in->dst.reg + width)
            ck_assert_msg(!memcmp(before[r], k.vgpr[r], sizeof(before[r])), "v%u changed", r);
}

START_TEST(only_active_lanes_are_written)
{
    static const uint64_t masks[] = { 0, 1, ~(uint64_t)0, 0x8000000000000001u, 0x00ff12345678fffeu };
    for (unsigned m = 0; m < 5; m++) {
        const lw_decoded in = kit_inst(20, 0, 1, 2);
        set_exec(masks[m]);
        run_in(lw_sem_v_add_u32, &in, 1);
        for (unsigned lane = 0; lane < 64; lane++)
            ck_assert_uint_eq(k.vgpr[20][lane],
                              masks[m] >> lane & 1 ? k.vgpr[0][lane] + k.vgpr[1][lane] : before[20][lane]);
        const lw_decoded wide = kit_inst(20, 0, 2, 4);
        run_in(lw_sem_v_mad_u64_u32, &wide, 2);
        for (unsigned lane = 0; lane < 64; lane++)
            if (!(masks[m] >> lane & 1))
                ck_assert(k.vgpr[20][lane] == before[20][lane] && k.vgpr[21][lane] == before[21][lane]);
    }
}
END_TEST

START_TEST(sources_may_be_scalars_and_the_result_a_source)
{
    lw_decoded in = kit_inst(20, 0, 20, 0);
    in.src[0] = kit_s(5, 1);
    k.w.sgpr[5] = 0x12345678;
    run_in(lw_sem_v_sub_u32, &in, 1);
    for (unsigned lane = 0; lane < 64; lane++)
        ck_assert_uint_eq(k.vgpr[20][lane], 0x12345678 - before[20][lane]);
    in.src[0] = kit_c(7);
    run_in(lw_sem_v_lshlrev_b32, &in, 1);
    for (unsigned lane = 0; lane < 64; lane++)
        ck_assert_uint_eq(k.vgpr[20][lane], before[20][lane] << 7);
    in.src[0] = (lw_opnd){ .kind = LW_OPND_SPECIAL, .dwords = 1, .reg = 253 };
    k.w.scc = 1;
    run_in(lw_sem_v_mov_b32, &in, 1);
    ck_assert_uint_eq(k.vgpr[20][63], 1);
}
END_TEST

/* Sources and results of SDWA, computed byte by byte. */
static uint32_t sdwa_pick(uint32_t v, unsigned sel, bool sext)
{
    if (sel == 6)
        return v;
    if (sel < 4) {
        const uint32_t b = v >> (8 * sel) & 255;
        return sext && b > 127 ? b - 256 : b;
    }
    const uint32_t h = sel == 4 ? v & 65535 : v >> 16;
    return sext && h > 32767 ? h - 65536 : h;
}

static uint32_t sdwa_place(uint32_t v, uint32_t old, unsigned sel, unsigned unused)
{
    if (sel == 6)
        return v;
    uint8_t out[4], from[4], kept[4];
    memcpy(from, &v, 4);
    memcpy(kept, &old, 4);
    const unsigned first = sel < 4 ? sel : 2 * (sel - 4), bytes = sel < 4 ? 1 : 2;
    for (unsigned i = 0; i < 4; i++) {
        const bool inside = i >= first && i < first + bytes;
        const bool negative = from[bytes - 1] > 127;
        out[i] = inside                                 ? from[i - first]
                 : unused == 2                          ? kept[i]
                 : unused == 1 && negative && i > first ? 255
                                                        : 0;
    }
    uint32_t r;
    memcpy(&r, out, 4);
    return r;
}

START_TEST(sdwa_selects_extends_and_places)
{
    for (unsigned sel = 0; sel < 7; sel++)
        for (unsigned other = 0; other < 7; other++)
            for (unsigned mode = 0; mode < 12; mode++) {
                lw_decoded in = kit_inst(20, 0, 1, 0);
                in.enc = LW_ENC_VOP2;
                in.sub = LW_SUB_SDWA;
                in.src[0].sel = kit_sdwa(sel);
                in.src[1].sel = kit_sdwa(other);
                in.src[0].flags = mode & 1 ? LW_OPND_F_SEXT : 0;
                in.src[1].flags = mode & 2 ? LW_OPND_F_SEXT : 0;
                in.sdwa_dst_sel = (uint8_t)((sel + other) % 7);
                in.sdwa_dst_unused = (uint8_t)(mode >> 2);
                run_in(lw_sem_v_sub_u32, &in, 1);
                for (unsigned lane = 0; lane < 64; lane++) {
                    const uint32_t a = sdwa_pick(k.vgpr[0][lane], sel, mode & 1);
                    const uint32_t b = sdwa_pick(k.vgpr[1][lane], other, mode >> 1 & 1);
                    ck_assert_uint_eq(k.vgpr[20][lane], sdwa_place(a - b, before[20][lane], in.sdwa_dst_sel,
                                                                   in.sdwa_dst_unused));
                }
            }
}
END_TEST

START_TEST(sdwa_edits_signs_after_selection)
{
    lw_decoded in = kit_inst(20, 0, 1, 0);
    in.enc = LW_ENC_VOP2;
    in.sub = LW_SUB_SDWA;
    in.src[0].sel = kit_sdwa(5);
    in.src[1].sel = kit_sdwa(4);
    in.sdwa_dst_sel = 6;
    kit_signs(&in, 1, 2);
    for (unsigned lane = 0; lane < 64; lane++) {
        k.vgpr[0][lane] = 0x3c00ffff; /* high half 1.0 */
        k.vgpr[1][lane] = 0x1234c000; /* low half -2.0 */
    }
    run_in(lw_sem_v_add_f16, &in, 1);
    ck_assert_uint_eq(k.vgpr[20][7], 0x3c00); /* -1 + 2 */
}
END_TEST

/* The lane that DPP reads, from the manual's list of controls; -1 if there is none. */
static int dpp_lane(unsigned ctrl, int lane)
{
    const int at = lane % 16, first = lane - at;
    if (ctrl <= 0xff)
        return lane / 4 * 4 + (int)(ctrl >> (lane % 4 * 2)) % 4;
    if (ctrl >= 0x101 && ctrl <= 0x10f)
        return at + (int)ctrl - 0x100 > 15 ? -1 : lane + (int)ctrl - 0x100;
    if (ctrl >= 0x111 && ctrl <= 0x11f)
        return at - ((int)ctrl - 0x110) < 0 ? -1 : lane - ((int)ctrl - 0x110);
    if (ctrl >= 0x121 && ctrl <= 0x12f)
        return first + (at + 16 - ((int)ctrl - 0x120)) % 16;
    if (ctrl >= 0x150 && ctrl <= 0x15f)
        return first + (int)ctrl - 0x150;
    switch (ctrl) {
    case 0x130:
        return lane == 63 ? -1 : lane + 1;
    case 0x134:
        return lane == 63 ? 0 : lane + 1;
    case 0x138:
        return lane == 0 ? -1 : lane - 1;
    case 0x13c:
        return lane == 0 ? 63 : lane - 1;
    case 0x140:
        return first + 15 - at;
    case 0x141:
        return lane / 8 * 8 + 7 - lane % 8;
    case 0x142:
        return lane < 16 ? -1 : first - 1;
    default:
        return lane < 32 ? -1 : 31;
    }
}

/* The masks of rows and banks are those of vector registers: a carry-out does not know them. */
static void check_dpp(unsigned ctrl, uint64_t exec, unsigned rows, unsigned banks, bool bound)
{
    const uint64_t old = kit_random(&k);
    lw_decoded in = kit_inst(20, 0, 1, 0);
    in.enc = LW_ENC_VOP2;
    in.sub = LW_SUB_DPP;
    in.dpp_ctrl = (uint16_t)ctrl;
    in.dpp_row_mask = (uint8_t)rows;
    in.dpp_bank_mask = (uint8_t)banks;
    in.dpp_bound_ctrl = bound;
    set_exec(exec);
    lw_wave_set_sgpr64(&k.w, LW_SGPR_VCC, old);
    run_in(lw_sem_v_sub_co_u32, &in, 1);
    const uint64_t borrows = lw_wave_mask(&k.w, LW_SGPR_VCC);
    for (int lane = 0; lane < 64; lane++) {
        int from = dpp_lane(ctrl, lane);
        if (from >= 0 && !(exec >> from & 1))
            from = -1;
        const bool written =
            exec >> lane & 1 && rows >> lane / 16 & 1 && banks >> lane % 16 / 4 & 1 && (from >= 0 || bound);
        const uint32_t a = from < 0 ? 0 : k.vgpr[0][from];
        ck_assert_msg(k.vgpr[20][lane] == (written ? a - k.vgpr[1][lane] : before[20][lane]),
                      "ctrl %x lane %d", ctrl, lane);
        const bool borrow = from >= 0 || bound ? a < k.vgpr[1][lane] : old >> lane & 1;
        ck_assert_msg((borrows >> lane & 1) == (exec >> lane & 1 && borrow), "VCC, ctrl %x lane %d", ctrl,
                      lane);
    }
}

START_TEST(dpp_controls)
{
    static const unsigned single[] = { 0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143 };
    for (unsigned i = 0; i < 400; i++) {
        const uint64_t exec = i % 3 ? ~(uint64_t)0 : kit_random(&k);
        const unsigned masks = i % 5 ? 0xff : (unsigned)kit_random(&k) & 0xff;
        unsigned ctrl = (unsigned)kit_random(&k) & 0xff;
        if (i % 4 == 1)
            ctrl = single[i / 4 % 8];
        else if (i % 4 == 2)
            ctrl = 0x101 + 0x10 * (i / 4 % 3) + i / 12 % 15;
        else if (i % 4 == 3)
            ctrl = 0x150 + i / 4 % 16;
        check_dpp(ctrl, exec, masks >> 4, masks & 15, i & 8);
    }
}
END_TEST

START_TEST(dpp_moves_doubles_and_edits_signs)
{
    lw_decoded in = kit_inst(20, 0, 2, 0);
    in.enc = LW_ENC_VOP1;
    in.sub = LW_SUB_DPP;
    in.dpp_ctrl = 0x153;
    in.dpp_row_mask = in.dpp_bank_mask = 15;
    in.src[0].dwords = in.dst.dwords = 2;
    run_in(lw_sem_v_mov_b64, &in, 2);
    for (unsigned lane = 0; lane < 64; lane++) {
        ck_assert_uint_eq(k.vgpr[20][lane], k.vgpr[0][lane / 16 * 16 + 3]);
        ck_assert_uint_eq(k.vgpr[21][lane], k.vgpr[1][lane / 16 * 16 + 3]);
    }
    in.dpp_ctrl = 0x140;
    kit_signs(&in, 1, 0);
    for (unsigned lane = 0; lane < 64; lane++) {
        k.vgpr[0][lane] = lane == 15 ? 0x40000000 : 0x3f800000;
        k.vgpr[2][lane] = 0x40400000;
    }
    in.src[1] = kit_v(2);
    run_in(lw_sem_v_add_f32, &in, 1);
    ck_assert_uint_eq(k.vgpr[20][0], 0x3f800000); /* 3 - 2 */
    ck_assert_uint_eq(k.vgpr[20][1], 0x40000000); /* 3 - 1 */
}
END_TEST

START_TEST(halves_by_op_sel)
{
    for (unsigned sel = 0; sel < 16; sel++) {
        lw_decoded in = kit_inst(20, 0, 1, 2);
        kit_halves(&in, sel);
        run_in(lw_sem_v_mad_u16, &in, 1);
        for (unsigned lane = 0; lane < 64; lane++) {
            uint32_t s[3];
            for (unsigned i = 0; i < 3; i++)
                s[i] = sel >> i & 1 ? k.vgpr[i][lane] >> 16 : k.vgpr[i][lane] & 0xffff;
            const uint32_t r = (s[0] * s[1] + s[2]) & 0xffff, old = before[20][lane];
            ck_assert_uint_eq(k.vgpr[20][lane], sel & 8 ? r << 16 | (old & 0xffff) : r | (old & 0xffff0000));
        }
    }
    const lw_decoded plain = kit_inst(20, 0, 1, 2); /* older 16-bit instructions clear the upper half */
    run_in(lw_sem_v_mad_legacy_u16, &plain, 1);
    for (unsigned lane = 0; lane < 64; lane++)
        ck_assert_uint_eq(k.vgpr[20][lane], (k.vgpr[0][lane] * k.vgpr[1][lane] + k.vgpr[2][lane]) & 0xffff);
}
END_TEST

START_TEST(carry_chains)
{
    lw_decoded low = kit_inst(20, 0, 2, 0), high = kit_inst(21, 1, 3, 0);
    low.sdst = high.sdst = kit_s(10, 2);
    high.src[2] = kit_s(10, 2);
    set_exec(0x0ffffffffffffff5u);
    for (int subtract = 0; subtract < 2; subtract++) {
        run_in(subtract ? lw_sem_v_sub_co_u32 : lw_sem_v_add_co_u32, &low, 1);
        run_in(subtract ? lw_sem_v_subb_co_u32 : lw_sem_v_addc_co_u32, &high, 1);
        const uint64_t carry = lw_wave_sgpr64(&k.w, 10);
        for (unsigned lane = 0; lane < 64; lane++) {
            const uint64_t a = k.vgpr[0][lane] | (uint64_t)k.vgpr[1][lane] << 32;
            const uint64_t b = k.vgpr[2][lane] | (uint64_t)k.vgpr[3][lane] << 32,
                           r = subtract ? a - b : a + b;
            const bool out = subtract ? a < b : r < a;
            if (lane == 1 || lane == 3 || lane > 59) {
                ck_assert_uint_eq(carry >> lane & 1, 0);
                continue;
            }
            ck_assert_uint_eq(k.vgpr[20][lane] | (uint64_t)k.vgpr[21][lane] << 32, r);
            ck_assert_uint_eq(carry >> lane & 1, out);
        }
    }
    lw_decoded plain = kit_inst(20, 0, 2, 0); /* 32-bit form: VCC both ways, reversed operands, saturation */
    plain.enc = LW_ENC_VOP2;
    set_exec(~(uint64_t)0);
    lw_wave_set_sgpr64(&k.w, LW_SGPR_VCC, 0x5555555555555555u);
    plain.clamp = 1;
    run_in(lw_sem_v_subbrev_co_u32, &plain, 1);
    for (unsigned lane = 0; lane < 64; lane++) {
        const int64_t r = (int64_t)k.vgpr[2][lane] - k.vgpr[0][lane] - !(lane & 1);
        ck_assert_uint_eq(k.vgpr[20][lane], r < 0 ? 0 : (uint32_t)r);
        ck_assert_uint_eq(lw_wave_sgpr64(&k.w, LW_SGPR_VCC) >> lane & 1, r < 0);
    }
}
END_TEST

START_TEST(compares_write_masks)
{
    const uint64_t exec = 0xf0f0ffff0000fffeu;
    lw_decoded in = kit_inst(0, 0, 1, 0);
    in.enc = LW_ENC_VOPC;
    in.dst = (lw_opnd){ 0 };
    for (unsigned lane = 0; lane < 64; lane += 3)
        k.vgpr[1][lane] = k.vgpr[0][lane];
    uint64_t lt = 0, ge = 0, signed_gt = 0;
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint32_t a = k.vgpr[0][lane], b = k.vgpr[1][lane];
        lt |= (uint64_t)(a < b) << lane;
        ge |= (uint64_t)(a >= b) << lane;
        signed_gt |= (uint64_t)((int32_t)a > (int32_t)b) << lane;
    }
    set_exec(exec);
    lw_wave_set_sgpr64(&k.w, LW_SGPR_VCC, ~(uint64_t)0);
    ck_assert_int_eq(lw_sem_v_cmp_lt_u32(&k.w, &in), LW_STEP_NEXT);
    ck_assert_uint_eq(lw_wave_sgpr64(&k.w, LW_SGPR_VCC), lt & exec);
    in.enc = LW_ENC_VOP3;
    in.sdst = kit_s(30, 2);
    ck_assert_int_eq(lw_sem_v_cmp_gt_i32(&k.w, &in), LW_STEP_NEXT);
    ck_assert_uint_eq(lw_wave_sgpr64(&k.w, 30), signed_gt & exec);
    ck_assert_uint_eq(lw_wave_exec(&k.w), exec);
    ck_assert_int_eq(lw_sem_v_cmpx_ge_u32(&k.w, &in), LW_STEP_NEXT);
    ck_assert_uint_eq(lw_wave_sgpr64(&k.w, 30), ge & exec);
    ck_assert_uint_eq(lw_wave_exec(&k.w), ge & exec);
}
END_TEST

START_TEST(float_predicates)
{
    static const struct {
        lw_exec_fn fn;
        bool less, equal, greater, unordered;
    } preds[] = {
        { lw_sem_v_cmp_f_f32, 0, 0, 0, 0 },   { lw_sem_v_cmp_lt_f32, 1, 0, 0, 0 },
        { lw_sem_v_cmp_eq_f32, 0, 1, 0, 0 },  { lw_sem_v_cmp_le_f32, 1, 1, 0, 0 },
        { lw_sem_v_cmp_gt_f32, 0, 0, 1, 0 },  { lw_sem_v_cmp_lg_f32, 1, 0, 1, 0 },
        { lw_sem_v_cmp_ge_f32, 0, 1, 1, 0 },  { lw_sem_v_cmp_o_f32, 1, 1, 1, 0 },
        { lw_sem_v_cmp_u_f32, 0, 0, 0, 1 },   { lw_sem_v_cmp_nge_f32, 1, 0, 0, 1 },
        { lw_sem_v_cmp_nlg_f32, 0, 1, 0, 1 }, { lw_sem_v_cmp_ngt_f32, 1, 1, 0, 1 },
        { lw_sem_v_cmp_nle_f32, 0, 0, 1, 1 }, { lw_sem_v_cmp_neq_f32, 1, 0, 1, 1 },
        { lw_sem_v_cmp_nlt_f32, 0, 1, 1, 1 }, { lw_sem_v_cmp_tru_f32, 1, 1, 1, 1 },
    };
    static const uint32_t pairs[4][2] = {
        { 0xbf800000, 0x00000001 }, { 0x80000000, 0 }, { 0x7f800000, 1 }, { 0, 0xffc00000 }
    };
    for (unsigned lane = 0; lane < 64; lane++) {
        k.vgpr[0][lane] = pairs[lane % 4][0];
        k.vgpr[1][lane] = pairs[lane % 4][1];
    }
    for (unsigned i = 0; i < sizeof(preds) / sizeof(preds[0]); i++) {
        lw_decoded in = kit_inst(0, 0, 1, 0);
        in.sdst = kit_s(30, 2);
        ck_assert_int_eq(preds[i].fn(&k.w, &in), LW_STEP_NEXT);
        const uint64_t nibble =
            (uint64_t)(preds[i].less | preds[i].equal << 1 | preds[i].greater << 2 | preds[i].unordered << 3);
        ck_assert_msg(lw_wave_sgpr64(&k.w, 30) == nibble * 0x1111111111111111u, "predicate %u", i);
    }
}
END_TEST

START_TEST(lane_moves)
{
    lw_decoded in = kit_inst(0, 3, 0, 0);
    in.dst = kit_s(40, 1);
    in.src[1] = kit_c(64 + 17);
    set_exec(0);
    ck_assert_int_eq(lw_sem_v_readlane_b32(&k.w, &in), LW_STEP_NEXT);
    ck_assert_uint_eq(k.w.sgpr[40], k.vgpr[3][17]);
    lw_sem_v_readfirstlane_b32(&k.w, &in);
    ck_assert_uint_eq(k.w.sgpr[40], k.vgpr[3][0]);
    set_exec(0xff00);
    lw_sem_v_readfirstlane_b32(&k.w, &in);
    ck_assert_uint_eq(k.w.sgpr[40], k.vgpr[3][8]);
    lw_decoded wr = kit_inst(20, 0, 0, 0);
    wr.src[0] = kit_s(40, 1);
    wr.src[1] = kit_c(5);
    run_in(lw_sem_v_writelane_b32, &wr, 1);
    for (unsigned lane = 0; lane < 64; lane++)
        ck_assert_uint_eq(k.vgpr[20][lane], lane == 5 ? k.w.sgpr[40] : before[20][lane]);

    lw_decoded acc = kit_inst(20, 9, 0, 0);
    set_exec(0xffff0000ffff0000u);
    acc.dst.kind = LW_OPND_AGPR;
    const uint32_t old = k.agpr[20][0];
    lw_sem_v_accvgpr_write_b32(&k.w, &acc);
    ck_assert_uint_eq(k.agpr[20][0], old);
    ck_assert_uint_eq(k.agpr[20][16], k.vgpr[9][16]);
    acc.dst.kind = LW_OPND_VGPR;
    acc.src[0].kind = LW_OPND_AGPR;
    run_in(lw_sem_v_accvgpr_read_b32, &acc, 1);
    ck_assert_uint_eq(k.vgpr[20][63], k.agpr[9][63]);
}
END_TEST

START_TEST(half_rows_change_places)
{
    for (unsigned width = 16; width <= 32; width *= 2) {
        const lw_decoded in = kit_inst(20, 7, 0, 0);
        memcpy(before, k.vgpr, sizeof(before));
        (width == 16 ? lw_sem_v_permlane16_swap_b32 : lw_sem_v_permlane32_swap_b32)(&k.w, &in);
        for (unsigned lane = 0; lane < 64; lane++) {
            const bool upper = lane / width % 2;
            ck_assert_uint_eq(k.vgpr[20][lane], upper ? before[7][lane - width] : before[20][lane]);
            ck_assert_uint_eq(k.vgpr[7][lane], upper ? before[7][lane] : before[20][lane + width]);
        }
    }
    const lw_decoded swap = kit_inst(20, 7, 0, 0);
    set_exec(0xff);
    memcpy(before, k.vgpr, sizeof(before));
    lw_sem_v_swap_b32(&k.w, &swap);
    ck_assert(k.vgpr[20][7] == before[7][7] && k.vgpr[7][7] == before[20][7] &&
              k.vgpr[20][8] == before[20][8]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shapes");
    TCase *tc = tcase_create("shapes");
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, only_active_lanes_are_written);
    tcase_add_test(tc, sources_may_be_scalars_and_the_result_a_source);
    tcase_add_test(tc, sdwa_selects_extends_and_places);
    tcase_add_test(tc, sdwa_edits_signs_after_selection);
    tcase_add_test(tc, dpp_controls);
    tcase_add_test(tc, dpp_moves_doubles_and_edits_signs);
    tcase_add_test(tc, halves_by_op_sel);
    tcase_add_test(tc, carry_chains);
    tcase_add_test(tc, compares_write_masks);
    tcase_add_test(tc, float_predicates);
    tcase_add_test(tc, lane_moves);
    tcase_add_test(tc, half_rows_change_places);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
