/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/scalar/scalar.h"

static bool read_special(const lw_wave *wave, const lw_opnd *op, uint64_t *value)
{
    const uint64_t live = wave->lanes == 32 ? UINT32_MAX : UINT64_MAX;
    const bool wide = op->dwords >= 2;

    switch (op->reg) {
    case LW_SRC_FLAT_SCRATCH_LO:
        *value = wide ? LW_APERTURE_ALL_SCRATCH : (uint32_t)LW_APERTURE_ALL_SCRATCH;
        return true;
    case LW_SRC_FLAT_SCRATCH_HI:
        *value = LW_APERTURE_ALL_SCRATCH >> 32;
        return !wide;
    case LW_SRC_SHARED_BASE:
        *value = LW_APERTURE_LDS;
        return wide;
    case LW_SRC_SHARED_LIMIT:
        *value = LW_APERTURE_LDS + UINT32_MAX;
        return wide;
    case LW_SRC_PRIVATE_BASE:
        *value = LW_APERTURE_PRIVATE;
        return wide;
    case LW_SRC_PRIVATE_LIMIT:
        *value = LW_APERTURE_PRIVATE + UINT32_MAX;
        return wide;
    case LW_SRC_VCCZ:
        *value = (lw_wave_sgpr64(wave, LW_SGPR_VCC) & live) == 0;
        return true;
    case LW_SRC_EXECZ:
        *value = (lw_wave_exec(wave) & live) == 0;
        return true;
    case LW_SRC_SCC:
        *value = wave->scc;
        return true;
    default:
        return false;
    }
}

bool lw_scalar_read(const lw_wave *wave, const lw_opnd *op, uint64_t *value)
{
    switch ((lw_opnd_kind)op->kind) {
    case LW_OPND_SGPR:
        *value = op->dwords >= 2 ? lw_wave_sgpr64(wave, op->reg) : wave->sgpr[op->reg];
        return true;
    case LW_OPND_INLINE:
    case LW_OPND_LITERAL:
    case LW_OPND_IMM:
        *value = op->value;
        return true;
    case LW_OPND_SPECIAL:
        return read_special(wave, op, value);
    case LW_OPND_NONE:
    case LW_OPND_VGPR:
    case LW_OPND_AGPR:
    case LW_OPND_OFF:
        return false;
    }
    return false;
}

lw_step lw_scalar_no_value(lw_wave *wave, const lw_opnd *op)
{
    return lw_wave_fault(wave, -1, "scalar source %u has no documented value here", op->code);
}
