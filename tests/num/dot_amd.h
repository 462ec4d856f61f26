/* SPDX-License-Identifier: MIT */
/* Runs a dot unit over a list of products, group after group, k ascending. */
#ifndef LW_TESTS_NUM_DOT_AMD_H
#define LW_TESTS_NUM_DOT_AMD_H

#include "emu/num/dot.h"

enum { CHAIN_MAX = 16 };

static inline uint32_t run_chain(lw_dot_unit_id id, lw_format_id fa, lw_format_id fb, lw_dot_acc format,
                                 bool clamp, const uint32_t *a, const uint32_t *b, int count, uint32_t c)
{
    const lw_dot_unit *unit = &lw_dot_units[id];
    lw_part pa[CHAIN_MAX], pb[CHAIN_MAX];
    for (int k = 0; k < count; k++) {
        pa[k] = lw_part_make(&lw_formats[fa], a[k], false);
        pb[k] = lw_part_make(&lw_formats[fb], b[k], false);
    }
    lw_dot_env env = { .clamp = clamp, .first = true };
    for (int k = 0; k < count; k += unit->group) {
        const int left = count - k;
        const lw_dot_group group = { .a = pa + k,
                                     .b = pb + k,
                                     .count = left < unit->group ? left : unit->group,
                                     .frac = lw_part_frac(&lw_formats[fa]) + lw_part_frac(&lw_formats[fb]),
                                     .a_frac = lw_part_frac(&lw_formats[fa]),
                                     .scale_sig = 1 };
        c = lw_dot_step(unit, &group, 1, format, c, &env, NULL);
        env.first = false;
    }
    return c;
}

#endif
