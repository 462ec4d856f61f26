/* SPDX-License-Identifier: MIT */
/* A relation found from a table: digits if that will do, XOR bases otherwise. */
#ifndef LW_LAYOUTS_NOTATION_FIT_H
#define LW_LAYOUTS_NOTATION_FIT_H

#include "layouts/relation.h"

/* What places hold: at[lane * values + value] are two coordinates. */
typedef struct lw_fit {
    const uint32_t (*at)[2];
    uint32_t lanes, values;
} lw_fit;

/*
 * Sets digits, bases and origin so that lane and bit (counting values) hold row and col as the table says.
 * False: it is no such function. Extents and the rest are the caller's.
 */
bool lw_fit_relation(const lw_fit *fit, lw_relation *relation);

#endif
