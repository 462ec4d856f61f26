/* SPDX-License-Identifier: MIT */
/* One scalar source, or a register and an immediate: SOP1, SOPK. */
#include "emu/amdgpu/scalar/salu_bits.h"
#include "emu/amdgpu/scalar/salu_shapes.h"

typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t i32;
typedef int64_t i64;

static inline u32 sext16(u32 k)
{
    return (u32)(i32)(int16_t)k;
}

/* clang-format off */
LW_SOP1(s_mov_b32,  u32, u32, a,  scc)
LW_SOP1(s_mov_b64,  u64, u64, a,  scc)
LW_SOP1(s_not_b32,  u32, u32, ~a, d)
LW_SOP1(s_not_b64,  u64, u64, ~a, d)
LW_SOP1(s_wqm_b32,  u32, u32, lw_bits_whole_quads(a), d)
LW_SOP1(s_wqm_b64,  u64, u64, lw_bits_whole_quads(a), d)
LW_SOP1(s_brev_b32, u32, u32, lw_bits_reverse(a, 32), scc)
LW_SOP1(s_brev_b64, u64, u64, lw_bits_reverse(a, 64), scc)
LW_SOP1(s_bcnt0_i32_b32, u32, u32, 32 - lw_bits_count(a), d)
LW_SOP1(s_bcnt0_i32_b64, u64, u32, 64 - lw_bits_count(a), d)
LW_SOP1(s_bcnt1_i32_b32, u32, u32, lw_bits_count(a), d)
LW_SOP1(s_bcnt1_i32_b64, u64, u32, lw_bits_count(a), d)
LW_SOP1(s_ff0_i32_b32, u32, i32, lw_bits_lowest((u32)~a), scc)
LW_SOP1(s_ff0_i32_b64, u64, i32, lw_bits_lowest(~a), scc)
LW_SOP1(s_ff1_i32_b32, u32, i32, lw_bits_lowest(a), scc)
LW_SOP1(s_ff1_i32_b64, u64, i32, lw_bits_lowest(a), scc)
LW_SOP1(s_flbit_i32_b32, u32, i32, lw_bits_leading(a, 32), scc)
LW_SOP1(s_flbit_i32_b64, u64, i32, lw_bits_leading(a, 64), scc)
LW_SOP1(s_flbit_i32,     u32, i32, lw_bits_sign_run(a, 32), scc)
LW_SOP1(s_flbit_i32_i64, u64, i32, lw_bits_sign_run(a, 64), scc)
LW_SOP1(s_sext_i32_i8,  u32, i32, (int8_t)a,  scc)
LW_SOP1(s_sext_i32_i16, u32, i32, (int16_t)a, scc)
LW_SOP1(s_quadmask_b32, u32, u32, lw_bits_quads(a), d)
LW_SOP1(s_quadmask_b64, u64, u64, lw_bits_quads(a), d)
LW_SOP1(s_abs_i32, u32, u32, a >> 31 ? 0 - a : a, d)
LW_SOP1(s_bitreplicate_b64_b32, u32, u64, lw_bits_replicate(a), scc)

LW_SOP1_TIED(s_cmov_b32, u32, scc ? a : old)
LW_SOP1_TIED(s_cmov_b64, u64, scc ? a : old)
LW_SOP1_TIED(s_bitset0_b32, u32, old & ~(1u << (a & 31)))
LW_SOP1_TIED(s_bitset0_b64, u64, old & ~((u64)1 << (a & 63)))
LW_SOP1_TIED(s_bitset1_b32, u32, old | 1u << (a & 31))
LW_SOP1_TIED(s_bitset1_b64, u64, old | (u64)1 << (a & 63))

LW_SOPK(s_movk_i32,    true, sext16(k), scc)
LW_SOPK(s_cmovk_i32,   true, scc ? sext16(k) : a, scc)
LW_SOPK(s_addk_i32,    true, a + sext16(k), ((a ^ d) & (sext16(k) ^ d)) >> 31)
LW_SOPK(s_mulk_i32,    true, a * sext16(k), scc)
LW_SOPK(s_cmpk_eq_i32, false, 0, (i32)a == (i32)sext16(k))
LW_SOPK(s_cmpk_lg_i32, false, 0, (i32)a != (i32)sext16(k))
LW_SOPK(s_cmpk_gt_i32, false, 0, (i32)a > (i32)sext16(k))
LW_SOPK(s_cmpk_ge_i32, false, 0, (i32)a >= (i32)sext16(k))
LW_SOPK(s_cmpk_lt_i32, false, 0, (i32)a < (i32)sext16(k))
LW_SOPK(s_cmpk_le_i32, false, 0, (i32)a <= (i32)sext16(k))
LW_SOPK(s_cmpk_eq_u32, false, 0, a == k)
LW_SOPK(s_cmpk_lg_u32, false, 0, a != k)
LW_SOPK(s_cmpk_gt_u32, false, 0, a > k)
LW_SOPK(s_cmpk_ge_u32, false, 0, a >= k)
LW_SOPK(s_cmpk_lt_u32, false, 0, a < k)
LW_SOPK(s_cmpk_le_u32, false, 0, a <= k)
/* clang-format on */

/* Register `reg` + M0, if all of the operand lies in the wave's numbered SGPRs. */
static bool relative(const lw_wave *wave, const lw_opnd *op, lw_opnd *moved)
{
    const uint32_t m0 = wave->sgpr[LW_SGPR_M0];
    if (op->kind != LW_OPND_SGPR || op->reg >= wave->sgprs || m0 >= wave->sgprs ||
        op->reg + m0 + op->dwords > wave->sgprs)
        return false;
    *moved = *op;
    moved->reg = (uint16_t)(op->reg + m0);
    return true;
}

static lw_step move_relative(lw_wave *wave, const lw_opnd *from, const lw_opnd *to, bool from_moves)
{
    lw_opnd moved;
    uint64_t value;
    if (!relative(wave, from_moves ? from : to, &moved))
        return lw_wave_fault(wave, -1, "M0 = %u moves the operand out of the wave's SGPRs",
                             wave->sgpr[LW_SGPR_M0]);
    if (!lw_scalar_read(wave, from_moves ? &moved : from, &value))
        return lw_scalar_no_value(wave, from);
    lw_scalar_write(wave, from_moves ? to : &moved, value);
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_movrels(lw_wave *wave, const lw_decoded *in)
{
    return move_relative(wave, &in->src[0], &in->dst, true);
}

lw_step lw_sem_s_movreld(lw_wave *wave, const lw_decoded *in)
{
    return move_relative(wave, &in->src[0], &in->dst, false);
}
