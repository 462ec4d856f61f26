/* SPDX-License-Identifier: MIT */
/* What NaNs become. This belongs to the arithmetic (a dot unit, a scalar operation's environment), not to a
 * number format. */
#ifndef LW_ISA_NANS_H
#define LW_ISA_NANS_H

typedef enum lw_nan_rule {
    LW_NAN_SOURCE, /* the first NaN source is the result; an invalid operation gives a negative quiet NaN */
    LW_NAN_QUIET,  /* one pattern for all: 0x7fc00000, 0x7e00, 0x7fc0; our choice where nothing is known */
    LW_NAN_ONES,   /* one pattern for all: 0x7fffffff, 0x7fff: NVIDIA */
    LW_NAN_RDNA,   /* patterns by cause: see the unit; conversions behave as with SOURCE */
} lw_nan_rule;

#endif
