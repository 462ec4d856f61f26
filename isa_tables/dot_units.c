/* SPDX-License-Identifier: MIT */
#include "isa_tables/dot_units.h"

const lw_dot_unit lw_dot_units[LW_UNIT_COUNT] = {
#define DOT_UNIT(id_, kind_, group_, name_, text_, ...)                                                      \
    [LW_UNIT_##id_] = { .kind = LW_KIND_##kind_, .group = group_, .name = name_, .text = text_, __VA_ARGS__ },
#include "isa_tables/dot_units.inc"
#undef DOT_UNIT
};
