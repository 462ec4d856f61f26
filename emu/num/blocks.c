/* SPDX-License-Identifier: MIT */
/* AMD's rocjitsu model of gfx1250's scaled instructions; agreement with hardware has not been shown. */
#include "emu/num/dot.h"
#include "emu/num/fp.h"

/* The factor of both scales of a group, rounded if necessary. */
static uint32_t scale_of(const lw_dot_unit *unit, const lw_fp_env *ieee, const lw_dot_group *g)
{
    if (g->scale_nan)
        return lw_dot_nan(unit, LW_ACC_F32);
    if (!g->scale_sig)
        return 0;
    const lw_fp_num v = lw_fp_from_int(false, g->scale_sig, g->scale - g->scale_frac);
    return (uint32_t)lw_fp_pack(&lw_fp_f32, ieee, &v);
}

uint32_t lw_dot_step_blocks(const lw_dot_unit *unit, const lw_dot_group *groups, int count, lw_dot_acc format,
                            uint32_t acc, const lw_dot_env *env, const lw_dot_log *log)
{
    const lw_fp_env ieee = { .round = LW_FP_RNE, .keep_in = true, .keep_out = true, .nan = unit->nan };
    for (int i = 0; i < count; i++) {
        const uint32_t sum = lw_dot_step_fma(unit, &groups[i], 1, format, 0, env, log);
        const uint32_t scale = scale_of(unit, &ieee, &groups[i]);
        const uint32_t scaled = (uint32_t)lw_fp_mul(&lw_fp_f32, &ieee, sum, scale);
        acc = (uint32_t)lw_fp_add(&lw_fp_f32, &ieee, acc, scaled);
        lw_dot_tell(log, (lw_dot_event){ .kind = LW_EVENT_ROUNDED, .bits = acc });
    }
    return acc;
}
