/* SPDX-License-Identifier: MIT */
#include "isa_tables/lane_dots.h"

#include <string.h>

static const lw_lane_dot rows[] = {
#define LANE_DOT(mnemonic_, arch_, unit_, a_, b_, acc_, label_, source_)                                     \
    { #mnemonic_,                                                                                            \
      LW_ARCH_##arch_,                                                                                       \
      LW_UNIT_##unit_,                                                                                       \
      LW_FORMAT_##a_,                                                                                        \
      LW_FORMAT_##b_,                                                                                        \
      LW_FORMAT_##acc_,                                                                                      \
      { LW_LABEL_##label_, source_ } },
#include "isa_tables/lane_dots.inc"
#undef LANE_DOT
};

const lw_lane_dot *lw_lane_dot_find(lw_arch arch, const char *mnemonic)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].arch == arch && strcmp(rows[i].mnemonic, mnemonic) == 0)
            return &rows[i];
    return NULL;
}
