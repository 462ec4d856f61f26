/* SPDX-License-Identifier: MIT */
/* Parameters of the arithmetic that adds products to an accumulator. */
#ifndef LW_ISA_DOT_UNITS_H
#define LW_ISA_DOT_UNITS_H

#include <stdint.h>

typedef enum lw_dot_kind {
    LW_KIND_FMA,     /* one product at a time, rounded each time */
    LW_KIND_ALIGNED, /* a group of products on common grids, rounded once */
    LW_KIND_INT,
} lw_dot_kind;

typedef enum lw_dot_unit_id {
#define UNIT(id_, kind_, group_, classes_, p_, c_, s_, n_, drop_, name_, text_) LW_UNIT_##id_,
#include "isa_tables/dot_units.inc"
#undef UNIT
    LW_UNIT_COUNT,
} lw_dot_unit_id;

enum { LW_DOT_MAX_GROUP = 32 };

typedef struct lw_dot_unit {
    uint8_t kind; /* lw_dot_kind */
    uint8_t group, classes;
    uint8_t product_frac, c_frac, sum_frac, post_frac; /* see dot_units.inc */
    uint8_t drop;
    const char *name, *text;
} lw_dot_unit;

/* Indexed by lw_dot_unit_id. */
extern const lw_dot_unit lw_dot_units[LW_UNIT_COUNT];

#endif
