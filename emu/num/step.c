/* SPDX-License-Identifier: MIT */
/* One function per kind of unit. */
#include "emu/num/dot.h"

static lw_dot_step_fn *const steps[LW_KIND_COUNT] = {
    [LW_KIND_FMA] = lw_dot_step_fma,
    [LW_KIND_ALIGNED] = lw_dot_step_aligned,
    [LW_KIND_FUSED] = lw_dot_step_fused,
    [LW_KIND_FUSED_SCALED] = lw_dot_step_fused_scaled,
    [LW_KIND_FMA_PAIRS] = lw_dot_step_fma_pairs,
    [LW_KIND_EXACT] = lw_dot_step_exact,
    [LW_KIND_TREE] = lw_dot_step_tree,
    [LW_KIND_ONES] = lw_dot_step_ones,
    [LW_KIND_PAIRS] = lw_dot_step_pairs,
    [LW_KIND_BLOCKS] = lw_dot_step_blocks,
};

uint32_t lw_dot_step(const lw_dot_unit *unit, const lw_dot_group *groups, int count, lw_dot_acc format,
                     uint32_t acc, const lw_dot_env *env, const lw_dot_log *log)
{
    return steps[unit->kind](unit, groups, count, format, acc, env, log);
}

uint32_t lw_dot_nan(const lw_dot_unit *unit, lw_dot_acc format)
{
    static const uint32_t quiet[] = {
        [LW_ACC_F32] = LW_DOT_NAN32, [LW_ACC_F16] = 0x7e00, [LW_ACC_BF16] = 0x7fc0
    };
    static const uint32_t ones[] = {
        [LW_ACC_F32] = 0x7fffffff, [LW_ACC_F16] = 0x7fff, [LW_ACC_BF16] = 0x7fff
    };
    return unit->nan == LW_NAN_ONES ? ones[format] : quiet[format];
}
