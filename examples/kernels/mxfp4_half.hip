/* SPDX-License-Identifier: MIT */
/* Stage 3: as stage 2 with half a swizzle (2-way bank conflicts). */
#include "mxfp4_staged.h"

KERNEL WORKGROUP(64) void mxfp4_half(bf16 *C, const bf16 *A, const u32x4 *B, const u8 *Bscale, u32 m, u32 n, u32 k)
{
    SHARED u32x4 tile[TILE_QUADS];
    gemm_staged<SWIZZLE_HALF>(C, A, B, Bscale, m, n, k, tile);
}
