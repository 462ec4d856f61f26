/* SPDX-License-Identifier: MIT */
/* One scalar source, or a register and an immediate: SOP1, SOPK. */
#include "emu/amdgpu/scalar/salu_bits.h"
#include "emu/amdgpu/scalar/salu_shapes.h"

#include "emu/amdgpu/scalar/salu1.inc"

/* Register `reg` + M0, if the whole operand is among the wave's numbered SGPRs. */
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

/* AMD RDNA3 ISA manual, S_MOVRELSD_2_B32: M0[9:0] moves the source, M0[25:16] the result. */
lw_step lw_sem_s_movrelsd_2(lw_wave *wave, const lw_decoded *in)
{
    const uint32_t m0 = wave->sgpr[LW_SGPR_M0], from = in->src[0].reg + (m0 & 0x3ff);
    const uint32_t to = in->dst.reg + (m0 >> 16 & 0x3ff);
    if (in->src[0].kind != LW_OPND_SGPR || from >= wave->sgprs || to >= wave->sgprs)
        return lw_wave_fault(wave, -1, "M0 = 0x%x moves an operand out of the wave's SGPRs", m0);
    wave->sgpr[to] = wave->sgpr[from];
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_movreld(lw_wave *wave, const lw_decoded *in)
{
    return move_relative(wave, &in->src[0], &in->dst, false);
}
