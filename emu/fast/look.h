/* SPDX-License-Identifier: MIT */
/*
 * Looking at many numbers at once for those of which a note may have to be taken: zeros, subnormal numbers,
 * infinities and NaNs, sums that leave their range.
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
    LW_SEEN_SUBNORMAL = 16, /* D */
    LW_SEEN_ODD_ZERO = 32,  /* D: a zero that is not plainly one. It is where D and C are +0 and all codes of
                               its row of S, or of its lane of V, are. */
};

/* C and D are runs of numbers as the kernels have them, binary32, binary64 (`wide`) or integers; S and V
 * images of panels. */
typedef struct lw_look {
    /* Has a code of the strings [words][stride] a magnitude from 1 to below `least`? Of 64 bits: from 1 to
     * the largest subnormal one. */
    bool (*small)(const uint32_t *image, unsigned words, unsigned stride, unsigned bits, uint32_t least);
    /* Is there a zero, a subnormal number, an infinity or a NaN? */
    bool (*odd)(const uint32_t *words, const uint16_t *at, unsigned runs, bool wide);
    /*
     * The bits of `wanted`: SIDES and C, whose first `c_runs` runs are all that differ, and LOW and TOP of D.
     * Where both of these are wanted, either may give both: `zeros` then tells.
     */
    unsigned (*first)(const lw_panel_shape *shape, const lw_panels *panels, unsigned runs, unsigned c_runs,
                      unsigned wanted);
    /* TOP, SUBNORMAL and ODD_ZERO of D; LOW where it is worth calling again for the next tile like this. */
    unsigned (*zeros)(const lw_panel_shape *shape, const lw_panels *panels);
    /* Sums of integers: is all of C far from the ends of the range? Did a sum of D leave it and wrap? */
    bool (*near_zero)(const uint32_t *words, const uint16_t *at, unsigned runs);
    bool (*wrapped)(const lw_panels *panels, unsigned runs);
} lw_look;

/* NULL on hosts without vectors, where there are no panel kernels either. */
const lw_look *lw_look_find(lw_fast_isa isa);

#endif
