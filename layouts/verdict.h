/* SPDX-License-Identifier: MIT */
/* How sure we are of a layout, and what about it is open. */
#ifndef LW_LAYOUTS_VERDICT_H
#define LW_LAYOUTS_VERDICT_H

#include "layouts/layout.h"

typedef struct lw_layout_verdict {
    lw_label evidence;
    const char *note; /* where the layout comes from */
    const char *open; /* what sources leave open; NULL */
} lw_layout_verdict;

/* Of WMMA and SWMMAC. */
lw_layout_verdict lw_wmma_verdict(const lw_layout *layout);

/* Of PTX instructions. */
lw_layout_verdict lw_ptx_verdict(const lw_layout *layout);

#endif
