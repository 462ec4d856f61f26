/* SPDX-License-Identifier: MIT */
/* The layout values of PTX's warp matrix instructions. */
#ifndef LW_LAYOUTS_PTX_H
#define LW_LAYOUTS_PTX_H

#include "layouts/digits.h"

/* mma of shapes m16n8kK and m8n8kK, dense, sparse and scaled, and the fragments of wmma. */
lw_layout_builder lw_ptx_ab, lw_ptx_cd, lw_ptx_index, lw_ptx_scale;

/* wgmma: each warp has 16 of the 64 rows, as in mma. B is in shared memory. */
lw_layout_builder lw_ptx_group_a, lw_ptx_group_cd, lw_ptx_group_index;

/* m8n8k4 of f16: four products, one for each pair of quads. */
lw_layout_builder lw_ptx_quads_ab, lw_ptx_quads_cd;

/*
 * The registers of ldmatrix, stmatrix and movmatrix. An element is a row of the matrix in memory, that is
 * one of its addresses, and a place in the row; blocks are the matrices. movmatrix reads its source as
 * ldmatrix writes without .trans and D has the same elements transposed.
 */
lw_layout_builder lw_ptx_move;

/* tcgen05: tensor memory. Of some operands the place is not known: the reason, or NULL. */
lw_layout_builder lw_ptx_tensor_a, lw_ptx_tensor_cd, lw_ptx_tensor_index, lw_ptx_tensor_scale;
const char *lw_ptx_tensor_unknown(const lw_layout *layout);

#endif
