/* SPDX-License-Identifier: MIT */
/* Branches, program control, hardware registers, register indexing. */
#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/control/machine.h"
#include "emu/amdgpu/scalar/scalar.h"
#include "isa_tables/amdgpu/traits.h"

static uint64_t next_pc(const lw_wave *w, const lw_decoded *in)
{
    return w->head.pc + 4u * in->words;
}

static lw_step jump(lw_wave *w, uint64_t pc)
{
    w->head.pc = pc;
    return LW_STEP_JUMPED;
}

/* The immediate counts dwords from the next instruction. */
static lw_step branch_if(lw_wave *w, const lw_decoded *in, bool taken)
{
    if (!taken)
        return LW_STEP_NEXT;
    return jump(w, next_pc(w, in) + (uint64_t)((int64_t)(int16_t)in->imm * 4));
}

#define BRANCH(NAME, TAKEN)                                                                                  \
    lw_step lw_sem_##NAME(lw_wave *w, const lw_decoded *in)                                                  \
    {                                                                                                        \
        return branch_if(w, in, (TAKEN));                                                                    \
    }

#include "emu/amdgpu/control/branches.inc"

lw_step lw_sem_s_getpc_b64(lw_wave *w, const lw_decoded *in)
{
    lw_scalar_write(w, &in->dst, next_pc(w, in));
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_setpc_b64(lw_wave *w, const lw_decoded *in)
{
    uint64_t target;
    if (!lw_scalar_read(w, &in->src[0], &target))
        return lw_scalar_no_value(w, &in->src[0]);
    return jump(w, target);
}

/* The source counts bytes from the next instruction (LLVM 22: the target of a long branch). */
lw_step lw_sem_s_add_pc_i64(lw_wave *w, const lw_decoded *in)
{
    uint64_t distance;
    if (!lw_scalar_read(w, &in->src[0], &distance))
        return lw_scalar_no_value(w, &in->src[0]);
    return jump(w, next_pc(w, in) + distance);
}

/* The numbers that extend those of vector registers: in MODE, the result's first, then the sources'. */
lw_step lw_sem_s_set_vgpr_msb(lw_wave *w, const lw_decoded *in)
{
    const uint32_t msb = (in->imm >> 6 & 3) | (in->imm & 63) << 2;
    w->mode = (w->mode & ~(uint32_t)LW_MODE_VGPR_MSB) | msb << LW_MODE_VGPR_MSB_SHIFT;
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_swappc_b64(lw_wave *w, const lw_decoded *in)
{
    uint64_t target;
    if (!lw_scalar_read(w, &in->src[0], &target))
        return lw_scalar_no_value(w, &in->src[0]);
    lw_scalar_write(w, &in->dst, next_pc(w, in));
    return jump(w, target);
}

lw_step lw_sem_s_call_b64(lw_wave *w, const lw_decoded *in)
{
    lw_scalar_write(w, &in->dst, next_pc(w, in));
    return branch_if(w, in, true);
}

/* A sleeping wave lets others run; spin loops rely on it. */
lw_step lw_sem_s_sleep(lw_wave *w, const lw_decoded *in)
{
    (void)w;
    (void)in;
    return LW_STEP_YIELD;
}

lw_step lw_sem_s_sethalt(lw_wave *w, const lw_decoded *in)
{
    if (in->imm & 1)
        return lw_wave_fault(w, -1, "the wave halts itself and nothing can resume it");
    return LW_STEP_NEXT;
}

/* Message 1 interrupts the host; others are not defined for compute waves of these targets. */
lw_step lw_sem_s_sendmsg(lw_wave *w, const lw_decoded *in)
{
    const unsigned dealloc = lw_amdgpu_traits_of(w->arch)->message_dealloc;
    if ((in->imm & 0xf) != 1 && !(dealloc && in->imm == dealloc))
        return lw_wave_fault(w, -1, "message %u has no receiver", (unsigned)(in->imm & 0xf));
    return LW_STEP_NEXT;
}

/* GET_REALTIME returns the wave's clock; what the other messages request does not exist here. */
lw_step lw_sem_s_sendmsg_rtn(lw_wave *w, const lw_decoded *in)
{
    enum { GET_REALTIME = 131 };
    if (in->imm != GET_REALTIME)
        return lw_wave_fault(w, -1, "message %u has no receiver that answers", (unsigned)in->imm);
    lw_scalar_write(w, &in->dst, w->head.executed);
    w->head.group->worker->changes++; /* a wave that reads the clock does not repeat its state */
    return LW_STEP_NEXT;
}

/* MODE[3:0] and MODE[7:4] (AMD RDNA3 ISA manual, S_ROUND_MODE, S_DENORM_MODE). */
lw_step lw_sem_s_round_mode(lw_wave *w, const lw_decoded *in)
{
    w->mode = (w->mode & ~UINT32_C(0xf)) | (in->imm & 0xf);
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_denorm_mode(lw_wave *w, const lw_decoded *in)
{
    w->mode = (w->mode & ~UINT32_C(0xf0)) | (in->imm & 0xf) << 4;
    return LW_STEP_NEXT;
}

/* Trap 2 aborts, 3 is for debuggers (LLVM AMDGPUUsage, "Trap Handler ABI"). */
lw_step lw_sem_s_trap(lw_wave *w, const lw_decoded *in)
{
    const unsigned id = in->imm & 0xff;
    if (id == 3)
        return LW_STEP_NEXT;
    if (id == 2)
        return lw_wave_fault(w, -1, "the kernel aborts itself (trap 2)");
    return lw_wave_fault(w, -1, "trap %u needs a trap handler", id);
}

/* ---- Hardware registers: id [5:0], offset [10:6], width - 1 [15:11] ---- */

enum {
    HWREG_MODE = 1,
    HWREG_STATUS = 2,
    HWREG_TRAPSTS = 3,
    HWREG_HW_ID = 4,
    HWREG_IB_STS = 7,
    HWREG_SH_MEM_BASES = 15,
    HWREG_XCC_ID = 20,
};

/* STATUS of a compute wave (AMD CDNA3 ISA manual, "Status register"): SCC, EXECZ, VCCZ, IN_TG, VALID. */
static uint32_t status_bits(const lw_wave *w)
{
    return (uint32_t)w->scc | (uint32_t)!lw_wave_exec(w) << 9 |
           (uint32_t)!lw_wave_mask(w, LW_SGPR_VCC) << 10 | (uint32_t)(w->head.group->wave_count > 1) << 11 |
           UINT32_C(1) << 16;
}

/* gfx1250: bits 9:6 are not 0 in a launch with clusters, bits 24:21 are the workgroup's number in its cluster
 * (LLVM 22, which only compares the first with 0). */
static uint32_t cluster_bits(const lw_wave *w)
{
    return lw_group_ranks(w->head.group) > 1 ? UINT32_C(1) << 6 | w->head.rank << 21 : 0;
}

/* gfx12: other bit positions, and privileged state in another register. */
static bool read_newer_hwreg(const lw_wave *w, unsigned id, uint32_t *value)
{
    enum {
        EXCP_FLAG_PRIV = 17,
        EXCP_FLAG_USER,
        TRAP_CTRL,
        HW_ID1 = 23,
        HW_ID2,
        IB_STS2 = 28,
        CYCLES_LO = 29,
        CYCLES_HI
    };
    const uint32_t hidden = LW_MODE_DX10_CLAMP | LW_MODE_IEEE;
    *value = 0;
    switch (id) {
    case HWREG_MODE:
        *value = w->mode & ~hidden;
        return true;
    case CYCLES_LO:
    case CYCLES_HI:
        *value = (uint32_t)(w->head.executed >> (id == CYCLES_HI ? 32 : 0));
        w->head.group->worker->changes++; /* a wave that reads the clock does not repeat its state */
        return true;
    case EXCP_FLAG_PRIV:
    case EXCP_FLAG_USER:
    case TRAP_CTRL:
    case HW_ID1:
    case HW_ID2:
    case HWREG_IB_STS:
        return true;
    case IB_STS2:
        *value = cluster_bits(w);
        return lw_amdgpu_traits_of(w->arch)->hwregs[id] != NULL;
    default:
        return false;
    }
}

/* Results must not depend on the unit that a wave runs on; it is always the first. No trap is pending, and no
 * instruction is outstanding. */
static bool read_hwreg(const lw_wave *w, unsigned id, uint32_t *value)
{
    switch (id) {
    case HWREG_MODE:
        *value = w->mode;
        return true;
    case HWREG_STATUS:
        *value = status_bits(w);
        return true;
    case HWREG_TRAPSTS:
    case HWREG_HW_ID:
    case HWREG_IB_STS:
    case HWREG_XCC_ID:
        *value = 0;
        return true;
    case HWREG_SH_MEM_BASES:
        *value = (uint32_t)(LW_APERTURE_LDS >> 48) << 16 | (uint32_t)(LW_APERTURE_PRIVATE >> 48);
        return true;
    default:
        return false;
    }
}

static uint32_t hwreg_mask(uint32_t imm)
{
    const unsigned width = (imm >> 11 & 31) + 1;
    return width == 32 ? UINT32_MAX : (UINT32_C(1) << width) - 1;
}

lw_step lw_sem_s_getreg_b32(lw_wave *w, const lw_decoded *in)
{
    uint32_t value;
    const bool newer = lw_amdgpu_traits_of(w->arch)->mode_fixed;
    if (!(newer ? read_newer_hwreg : read_hwreg)(w, in->imm & 63, &value))
        return lw_wave_fault(w, -1, "hardware register %u has no defined value", (unsigned)(in->imm & 63));
    lw_scalar_write(w, &in->dst, value >> (in->imm >> 6 & 31) & hwreg_mask(in->imm));
    return LW_STEP_NEXT;
}

static lw_step write_hwreg(lw_wave *w, const lw_decoded *in, uint32_t value)
{
    const unsigned id = in->imm & 63, offset = in->imm >> 6 & 31;
    const bool fixed = lw_amdgpu_traits_of(w->arch)->mode_fixed;
    if (id == HWREG_TRAPSTS && !fixed)
        return LW_STEP_NEXT;
    if (id != HWREG_MODE)
        return lw_wave_fault(w, -1, "writing hardware register %u is not defined for user code", id);
    const uint32_t mask = (hwreg_mask(in->imm) << offset) & ~(fixed ? LW_MODE_DX10_CLAMP | LW_MODE_IEEE : 0u);
    w->mode = (w->mode & ~mask) | (value << offset & mask);
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_setreg_b32(lw_wave *w, const lw_decoded *in)
{
    uint64_t value;
    if (!lw_scalar_read(w, &in->src[0], &value))
        return lw_scalar_no_value(w, &in->src[0]);
    return write_hwreg(w, in, (uint32_t)value);
}

lw_step lw_sem_s_setreg_imm32_b32(lw_wave *w, const lw_decoded *in)
{
    const lw_step step = write_hwreg(w, in, (uint32_t)in->src[0].value);
    /* whatever field it names, it sets what extends register numbers (AMD's emulator; LLVM's prologue relies
     * on it) */
    if (step == LW_STEP_NEXT && lw_amdgpu_traits_of(w->arch)->vgpr_msb)
        w->mode = (w->mode & ~(uint32_t)LW_MODE_VGPR_MSB) | ((uint32_t)in->src[0].value & LW_MODE_VGPR_MSB);
    return step;
}

/* ---- Indexed registers and skipping ---- */

static void set_mode_bit(lw_wave *w, uint32_t bit, bool on)
{
    w->mode = on ? w->mode | bit : w->mode & ~bit;
}

/* M0[7:0] is the index, M0[15:12] says which operands it is added to. */
lw_step lw_sem_s_set_gpr_idx_on(lw_wave *w, const lw_decoded *in)
{
    uint64_t value;
    if (!lw_scalar_read(w, &in->src[0], &value))
        return lw_scalar_no_value(w, &in->src[0]);
    const uint32_t index = (uint32_t)value & 0xff;
    const uint32_t which = (uint32_t)in->src[1].value & 0xf;
    w->sgpr[LW_SGPR_M0] = (w->sgpr[LW_SGPR_M0] & ~UINT32_C(0xf0ff)) | index | which << 12;
    set_mode_bit(w, LW_MODE_GPR_IDX_EN, true);
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_set_gpr_idx_off(lw_wave *w, const lw_decoded *in)
{
    (void)in;
    set_mode_bit(w, LW_MODE_GPR_IDX_EN, false);
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_set_gpr_idx_mode(lw_wave *w, const lw_decoded *in)
{
    w->sgpr[LW_SGPR_M0] = (w->sgpr[LW_SGPR_M0] & ~UINT32_C(0xf000)) | (in->imm & 0xf) << 12;
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_set_gpr_idx_idx(lw_wave *w, const lw_decoded *in)
{
    uint64_t value;
    if (!lw_scalar_read(w, &in->src[0], &value))
        return lw_scalar_no_value(w, &in->src[0]);
    const uint32_t index = (uint32_t)value & 0xff;
    w->sgpr[LW_SGPR_M0] = (w->sgpr[LW_SGPR_M0] & ~UINT32_C(0xff)) | index;
    return LW_STEP_NEXT;
}

lw_step lw_sem_s_setvskip(lw_wave *w, const lw_decoded *in)
{
    uint64_t a, b;
    if (!lw_scalar_read(w, &in->src[0], &a))
        return lw_scalar_no_value(w, &in->src[0]);
    if (!lw_scalar_read(w, &in->src[1], &b))
        return lw_scalar_no_value(w, &in->src[1]);
    set_mode_bit(w, LW_MODE_VSKIP, (uint32_t)a >> (b & 31) & 1);
    return LW_STEP_NEXT;
}

lw_step lw_sem_nothing(lw_wave *w, const lw_decoded *in)
{
    (void)w;
    (void)in;
    return LW_STEP_NEXT;
}
