/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/control/handlers.h"

const lw_exec_fn lw_handlers[LW_OP_COUNT] = {
#define LW_ROW(id, enc, codes, sem, ev) [LW_OP_##id] = lw_sem_##sem,
#include "isa_tables/amdgpu/each_row.inc"
#undef LW_ROW
};

static const char NO_NAMED[] = "gfx12 has no named barriers, they came with gfx1250",
                  NO_GWS[] = "the counters that all groups of a device share are not modelled",
                  NO_FORK[] = "the stack of branches in hardware is not modelled",
                  NO_ORDER[] = "the order in which the hardware starts waves is not modelled",
                  PRIVILEGED[] = "only trap handlers may run it",
                  NO_TRANSLATION[] = "the hardware's address translation is not modelled";

/* Why a row without a function has none, where there is more to say than that nobody wrote it. */
static const char *const reasons[LW_OP_COUNT] = {
    [LW_OP_s_barrier_init] = NO_NAMED,
    [LW_OP_s_barrier_join] = NO_NAMED,
    [LW_OP_s_barrier_leave] = NO_NAMED,
    [LW_OP_s_alloc_vgpr] = "waves that allocate VGPRs while they run are not modelled",
    [LW_OP_ds_gws_sema_release_all] = NO_GWS,
    [LW_OP_ds_gws_init] = NO_GWS,
    [LW_OP_ds_gws_sema_v] = NO_GWS,
    [LW_OP_ds_gws_sema_br] = NO_GWS,
    [LW_OP_ds_gws_sema_p] = NO_GWS,
    [LW_OP_ds_gws_barrier] = NO_GWS,
    [LW_OP_s_cbranch_g_fork] = NO_FORK,
    [LW_OP_s_cbranch_i_fork] = NO_FORK,
    [LW_OP_s_cbranch_join] = NO_FORK,
    [LW_OP_ds_ordered_count] = NO_ORDER,
    [LW_OP_atomic_ordered_add_b64] = NO_ORDER,
    [LW_OP_s_rfe_b64] = PRIVILEGED,
    [LW_OP_s_rfe_restore_b64] = PRIVILEGED,
    [LW_OP_s_atc_probe] = NO_TRANSLATION,
    [LW_OP_s_atc_probe_buffer] = NO_TRANSLATION,
    [LW_OP_v_mfma_ld_scale_b32] =
        "it is the first half of a scaled matrix instruction, which does not follow",
};

lw_step lw_sem_none(lw_wave *wave, const lw_decoded *in)
{
    const char *why = reasons[lw_op_index(in->row)];
    if (why)
        return lw_wave_fault(wave, -1, "the instruction %s cannot run: %s", lw_op_name(in->row, wave->arch),
                             why);
    return lw_wave_fault(wave, -1, "the instruction %s is known but not implemented",
                         lw_op_name(in->row, wave->arch));
}
