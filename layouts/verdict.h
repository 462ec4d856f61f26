/* SPDX-License-Identifier: MIT */
/* How sure we are of a layout, and what is uncertain about it. */
#ifndef LW_LAYOUTS_VERDICT_H
#define LW_LAYOUTS_VERDICT_H

#include "layouts/layout.h"

typedef struct lw_layout_verdict {
    lw_label evidence;
    const char *note; /* where the layout comes from */
    const char *open; /* what the sources leave open; NULL if nothing */
} lw_layout_verdict;

/* One for each way in which the layouts of a generation are known. */
typedef lw_layout_verdict lw_layout_judge(const lw_layout *layout);

lw_layout_judge lw_gfx11_verdict, lw_gfx12_verdict, lw_gfx1250_verdict, lw_ptx_verdict;

#endif
