/* SPDX-License-Identifier: MIT */
#include "isa_tables/dot_units.h"

const lw_dot_unit lw_dot_units[LW_UNIT_COUNT] = {
#define UNIT(id_, kind_, group_, classes_, p_, c_, s_, n_, drop_, name_, text_)                              \
    [LW_UNIT_##id_] = { .kind = LW_KIND_##kind_,                                                             \
                        .group = group_,                                                                     \
                        .classes = classes_,                                                                 \
                        .product_frac = p_,                                                                  \
                        .c_frac = c_,                                                                        \
                        .sum_frac = s_,                                                                      \
                        .post_frac = n_,                                                                     \
                        .drop = drop_,                                                                       \
                        .name = name_,                                                                       \
                        .text = text_ },
#include "isa_tables/dot_units.inc"
#undef UNIT
};
