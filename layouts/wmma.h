/* SPDX-License-Identifier: MIT */
/* The layout values of WMMA and SWMMAC: gfx11, gfx12, gfx1250. */
#ifndef LW_LAYOUTS_WMMA_H
#define LW_LAYOUTS_WMMA_H

#include "layouts/digits.h"

lw_layout_builder lw_wmma_ab, lw_wmma_cd, lw_wmma_index, lw_wmma_scale;

#endif
