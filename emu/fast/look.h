/* SPDX-License-Identifier: MIT */
/*
 * Examining many numbers at once for those that may have to be recorded: zeros, subnormal numbers, infinities
 * and NaNs, and sums that leave their range.
 */
#ifndef LW_EMU_FAST_LOOK_H
#define LW_EMU_FAST_LOOK_H

#include <stddef.h>

#include "emu/fast/panel.h"

enum {
    LW_SEEN_SIDES = 1,      /* S or V: a subnormal number */
    LW_SEEN_C = 2,          /* C: a subnormal number */
    LW_SEEN_LOW = 4,        /* D: a zero or a subnormal number */
    LW_SEEN_TOP = 8,        /* D: an infinity or a NaN */
    LW_SEEN_SUBNORMAL = 16, /* D: a subnormal number */
    LW_SEEN_ODD_ZERO = 32,  /* D: a zero that is not a plain one. A zero is plain if D and C are +0 and all
                               codes of its row of S or of its lane of V are +0. */
};

/* C and D are runs of numbers as the kernels use them: binary32, binary64 (`wide`) or integers. S and V are
 * images of panels. */
typedef struct lw_look {
    /* Does a code of the strings [words][stride] have a magnitude from 1 to below `least`? For 64 bits: from
     * 1 to the largest subnormal number. */
    bool (*small)(const uint32_t *image, unsigned words, unsigned stride, unsigned bits, uint32_t least);
    /* Is there a zero, a subnormal number, an infinity or a NaN? */
    bool (*odd)(const uint32_t *words, const uint16_t *at, unsigned runs, bool wide);
    /*
     * The bits of `wanted` that apply: SIDES and C (only the first `c_runs` runs of C can differ), and LOW
     * and TOP of D. If both of these are wanted, one may be returned for either; `zeros` then distinguishes
     * them.
     */
    unsigned (*first)(const lw_panel_shape *shape, const lw_panels *panels, unsigned runs, unsigned c_runs,
                      unsigned wanted);
    /* TOP, SUBNORMAL and ODD_ZERO of D; LOW if it is worth calling this for the next such tile, too. */
    unsigned (*zeros)(const lw_panel_shape *shape, const lw_panels *panels);
    /* Integer sums: is all of C far from the limits of the range? Did a sum of D leave the range and wrap? */
    bool (*near_zero)(const uint32_t *words, const uint16_t *at, unsigned runs);
    bool (*wrapped)(const lw_panels *panels, unsigned runs);
} lw_look;

/* NULL on hosts without vectors, which have no panel kernels either. */
const lw_look *lw_look_find(lw_fast_isa isa);

#endif
