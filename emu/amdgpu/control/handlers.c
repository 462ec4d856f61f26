/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/control/handlers.h"

const lw_exec_fn lw_handlers[LW_OP_COUNT] = {
#define LW_ROW(id, enc, codes, sem, ev) [LW_OP_##id] = lw_sem_##sem,
#include "isa_tables/amdgpu/each_row.inc"
#undef LW_ROW
};

static const char
    NO_GWS[] = "the counters that all groups of a device share are not modelled",
    NO_FORK[] = "the stack of branches in hardware is not modelled",
    NO_ORDER[] = "the order in which the hardware starts waves is not modelled",
    PRIVILEGED[] = "only trap handlers may run it",
    NO_TRANSLATION[] = "the hardware's address translation is not modelled",
    NO_SCALAR_SCRATCH[] = "scalar accesses to scratch are not modelled",
    NO_CACHE[] = "what is lost depends on the scalar cache, which is not modelled",
    NO_SUBVECTORS[] = "loops over the two halves of a wave are not modelled",
    NO_IMAGES[] = "images, textures and ray tracing are not modelled",
    NO_GRAPHICS[] = "stages of graphics pipelines are not modelled",
    NO_TENSOR_STATE[] = "saving and stopping copies of tiles is for trap handlers",
    NO_TANH[] = "no source here gives its bits or a bound of its error; AMD's emulator calls the host's",
    NO_LEGACY[] = "no source here gives the bits of its approximation",
    TEXT_ONLY[] = "no source here says that it computes what it does on other generations";

/* Why a row without a function has none. */
static const char *const reasons[LW_OP_COUNT] = {
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
    [LW_OP_v_screen_partition_4se_b32] = "no source here gives its table",
    [LW_OP_buffer_store_lds_dword] = "stores from LDS to memory are not modelled",
    [LW_OP_s_setkill] = "the kill bit of a wave is not modelled",
    [LW_OP_s_sendmsghalt] = "the wave halts itself and nothing can resume it",
    [LW_OP_s_endpgm_ordered_ps_done] = "it ends pixel shaders, not compute waves",
    [LW_OP_s_code_end] = "it marks the end of code, which no wave may reach",
    [LW_OP_s_scratch_load_dword] = NO_SCALAR_SCRATCH,
    [LW_OP_s_scratch_load_dwordx2] = NO_SCALAR_SCRATCH,
    [LW_OP_s_scratch_load_dwordx4] = NO_SCALAR_SCRATCH,
    [LW_OP_s_scratch_store_dword] = NO_SCALAR_SCRATCH,
    [LW_OP_s_scratch_store_dwordx2] = NO_SCALAR_SCRATCH,
    [LW_OP_s_scratch_store_dwordx4] = NO_SCALAR_SCRATCH,
    [LW_OP_s_dcache_discard] = NO_CACHE,
    [LW_OP_s_dcache_discard_x2] = NO_CACHE,
    [LW_OP_s_subvector_loop_begin] = NO_SUBVECTORS,
    [LW_OP_s_subvector_loop_end] = NO_SUBVECTORS,
    [LW_OP_v_tanh_f32] = NO_TANH,
    [LW_OP_v_tanh_f16] = NO_TANH,
    [LW_OP_v_tanh_bf16] = NO_TANH,
    [LW_OP_v_wmma_ld_scale_paired_b32] =
        "it is the first half of a scaled matrix instruction, which does not follow",
    [LW_OP_v_wmma_ld_scale16_paired_b64] =
        "it is the first half of a scaled matrix instruction, which does not follow",
    [LW_OP_v_ashr_pk_i8_i32_dword] = "no source here says which half of its result it keeps",
    [LW_OP_v_ashr_pk_u8_i32_dword] = "no source here says which half of its result it keeps",
    [LW_OP_ds_add_gs_reg_rtn] = NO_GRAPHICS,
    [LW_OP_ds_sub_gs_reg_rtn] = NO_GRAPHICS,
    [LW_OP_ds_bvh_stack_rtn_b32] = NO_IMAGES,
    [LW_OP_ds_bvh_stack_push4_pop1_rtn_b32] = NO_IMAGES,
    [LW_OP_ds_bvh_stack_push8_pop1_rtn_b32] = NO_IMAGES,
    [LW_OP_ds_bvh_stack_push8_pop2_rtn_b64] = NO_IMAGES,
    [LW_OP_tensor_save] = NO_TENSOR_STATE,
    [LW_OP_tensor_stop] = NO_TENSOR_STATE,
    [LW_OP_v_exp_legacy_f32] = NO_LEGACY,
    [LW_OP_v_log_legacy_f32] = NO_LEGACY,
    [LW_OP_v_mfma_ld_scale_b32] =
        "it is the first half of a scaled matrix instruction, which does not follow",
};

/* The same for whole encoding classes. */
static const char *const class_reasons[LW_ENC_COUNT] = {
    [LW_ENC_MIMG] = NO_IMAGES,      [LW_ENC_EXP] = NO_GRAPHICS,    [LW_ENC_VINTRP] = NO_GRAPHICS,
    [LW_ENC_VINTERP] = NO_GRAPHICS, [LW_ENC_LDSDIR] = NO_GRAPHICS,
};

const char *lw_refusal_of(const lw_op_row *row, lw_arch arch)
{
    const lw_op_on *on = lw_op_get_on(row, arch);
    const char *own = reasons[lw_op_index(row)], *why = own ? own : class_reasons[row->enc];
    return !why && on && on->text_only ? TEXT_ONLY : why;
}

lw_step lw_sem_none(lw_wave *wave, const lw_decoded *in)
{
    const char *why = lw_refusal_of(in->row, wave->arch);
    return lw_wave_fault(wave, -1, "the instruction %s cannot run: %s", lw_op_name(in->row, wave->arch),
                         why ? why : "it is not implemented");
}
