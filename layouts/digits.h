/* SPDX-License-Identifier: MIT */
/* Building an operand's relation digit by digit. */
#ifndef LW_LAYOUTS_DIGITS_H
#define LW_LAYOUTS_DIGITS_H

#include <assert.h>

#include "layouts/layout.h"

/*
 * Builds one operand's relation: appends digits to a layout whose width, lanes, registers, operand, elem,
 * arch and extents are set. `mods` is checked and never NULL.
 */
typedef void lw_layout_builder(lw_layout *layout, const lw_insn *insn, const lw_mods *mods);

/*
 * Appends a digit that moves `lane` lanes and `bit` bits for each step of `element` (one of lw_rows ...
 * below, or {0} for a copy). A digit of radix 0 or 1 has no effect and is left out.
 */
static inline void lw_digit_add(lw_layout *layout, unsigned radix, unsigned lane, unsigned bit,
                                lw_digit element)
{
    if (radix <= 1)
        return;
    assert(layout->relation.digits < LW_RELATION_MAX_DIGITS);
    element.radix = radix;
    element.lane = lane;
    element.bit = bit;
    layout->relation.digit[layout->relation.digits++] = element;
}

static inline lw_digit lw_rows(unsigned stride)
{
    return (lw_digit){ .row = stride };
}

static inline lw_digit lw_cols(unsigned stride)
{
    return (lw_digit){ .col = stride };
}

static inline lw_digit lw_ks(unsigned stride)
{
    return (lw_digit){ .k = stride };
}

static inline lw_digit lw_blocks(unsigned stride)
{
    return (lw_digit){ .block = stride };
}

/* The coordinate other than k: A's rows (also of its index and scales), B's columns. */
static inline unsigned lw_outer(const lw_layout *layout)
{
    return layout->relation.cols > 1 ? layout->relation.cols : layout->relation.rows;
}

static inline lw_digit lw_outers(const lw_layout *layout, unsigned stride)
{
    return layout->relation.cols > 1 ? lw_cols(stride) : lw_rows(stride);
}

#endif
