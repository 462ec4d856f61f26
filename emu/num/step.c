/* SPDX-License-Identifier: MIT */
/* One function per kind of unit. */
#include "emu/num/dot.h"
#include "emu/num/fp.h"

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

const lw_format *lw_dot_acc_format(lw_dot_acc acc)
{
    static const uint8_t ids[] = {
        [LW_ACC_F32] = LW_FORMAT_F32, [LW_ACC_F16] = LW_FORMAT_F16, [LW_ACC_BF16] = LW_FORMAT_BF16
    };
    return &lw_formats[ids[acc]];
}

uint32_t lw_dot_nan(const lw_dot_unit *unit, lw_dot_acc format)
{
    return (uint32_t)lw_fp_one_nan(lw_dot_acc_format(format), (lw_nan_rule)unit->nan);
}
