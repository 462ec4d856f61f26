/* SPDX-License-Identifier: MIT */
/* Finds a relation that matches a table: digits if they suffice, XOR bases otherwise. */
#ifndef LW_LAYOUTS_NOTATION_FIT_H
#define LW_LAYOUTS_NOTATION_FIT_H

#include "layouts/relation.h"

/* Contents of the places: at[lane * values + value] are two coordinates. */
typedef struct lw_fit {
    const uint32_t (*at)[2];
    uint32_t lanes, values;
} lw_fit;

/*
 * Sets digits, bases and origin so that lane and bit (counting values) hold row and col as the table says.
 * False if the table is no such function. The caller sets the extents and everything else.
 */
bool lw_fit_relation(const lw_fit *fit, lw_relation *relation);

#endif
