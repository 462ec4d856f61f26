/* SPDX-License-Identifier: MIT */
#include "emu/num/lane_dot.h"

enum { MAX_ELEMENTS = 4 };

static lw_dot_acc acc_of(lw_format_id format)
{
    if (format == LW_FORMAT_F16)
        return LW_ACC_F16;
    return format == LW_FORMAT_BF16 ? LW_ACC_BF16 : LW_ACC_F32;
}

static void take_apart(const lw_format *format, uint32_t packed, int count, lw_part *parts)
{
    const uint32_t mask = (1u << format->bits) - 1;
    for (int i = 0; i < count; i++)
        parts[i] = lw_part_make(format, packed >> i * format->bits & mask, false);
}

uint32_t lw_lane_dot_step(const lw_lane_dot *row, uint32_t a, uint32_t b, uint32_t c, const lw_dot_env *env,
                          const lw_dot_log *log)
{
    const lw_dot_unit *unit = &lw_dot_units[row->unit];
    const lw_format *fa = &lw_formats[row->a], *fb = &lw_formats[row->b];
    lw_part pa[MAX_ELEMENTS], pb[MAX_ELEMENTS];
    take_apart(fa, a, unit->group, pa);
    take_apart(fb, b, unit->group, pb);
    const lw_dot_group group = { .a = pa,
                                 .b = pb,
                                 .count = unit->group,
                                 .frac = lw_part_frac(fa) + lw_part_frac(fb),
                                 .a_frac = lw_part_frac(fa),
                                 .scale_sig = 1 };
    return lw_dot_step(unit, &group, 1, acc_of((lw_format_id)row->acc), c, env, log);
}
