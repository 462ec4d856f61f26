/* SPDX-License-Identifier: MIT */
/* Stage 2: workgroups renumbered for the dies' caches, A loaded straight into LDS (8-way bank conflicts). */
#include "mxfp4_staged.h"

KERNEL WORKGROUP(64) void mxfp4_direct(bf16 *C, const bf16 *A, const u32x4 *B, const u8 *Bscale, u32 m, u32 n, u32 k)
{
    SHARED u32x4 tile[TILE_QUADS];
    gemm_staged<SWIZZLE_NONE>(C, A, B, Bscale, m, n, k, tile);
}
