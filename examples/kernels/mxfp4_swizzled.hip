/* SPDX-License-Identifier: MIT */
/* Stage 4: as stage 2 with the full swizzle (no bank conflicts). */
#include "mxfp4_staged.h"

KERNEL WORKGROUP(64) void mxfp4_swizzled(bf16 *C, const bf16 *A, const u32x4 *B, const u8 *Bscale, u32 m, u32 n, u32 k)
{
    SHARED u32x4 tile[TILE_QUADS];
    gemm_staged<SWIZZLE_FULL>(C, A, B, Bscale, m, n, k, tile);
}
