/* SPDX-License-Identifier: MIT */
/*
 * C[8][n] (f32) = A[8][k] (f16) * B[n][k] (f16, row-major) on gfx942, without padding A to 16 rows.
 *
 * A sparse instruction keeps two of every four k of A. Two of its 16 rows stand for one row of ours: the
 * even one keeps positions 0 and 1, the odd one 2 and 3. B is permuted in registers to match, and the
 * two rows' sums are added at the end. 64 k per step, by two instructions.
 */
#include "rt.h"

DEVICE f32x4 sparse_multiply(f16x4 a, f16x8 b, f32x4 c, u32 kept)
{
    return __builtin_amdgcn_smfmac_f32_16x16x32_f16(a, b, c, kept, 0, 0);
}

KERNEL WORKGROUP(64) void skinny_vdmfma(float *C, const f16 *A, const f16 *B, u32 n, u32 k)
{
    const u32 lane = lane_in_workgroup();
    const u32 group = lane / 16, col = block_x() * 16 + lane % 16;
    const u32 odd = lane & 1;
    const u32 kept = odd ? 0xee : 0x44; /* positions (2,3) or (0,1) in both groups of four */

    /* Lanes 2p and 2p+1 share row p; each holds 8 of the 16 k of its lane group. */
    const f16 *a = A + lane % 16 / 2 * k + group * 16 + odd * 8;
    const f16 *b = B + col * k + group * 16;

    f32x4 acc = {}; /* rows 2p and 2p+1 of the instruction, two pairs per lane */
    for (u32 at = 0; at < k; at += 64) {
        const f16x8 va = *reinterpret_cast<const f16x8 *>(a + at);
        const f16x8 lo = *reinterpret_cast<const f16x8 *>(b + at);
        const f16x8 hi = *reinterpret_cast<const f16x8 *>(b + at + 8);
        acc = sparse_multiply(va.lo, __builtin_shufflevector(lo, hi, 0, 1, 8, 9, 2, 3, 10, 11), acc, kept);
        acc = sparse_multiply(va.hi, __builtin_shufflevector(lo, hi, 4, 5, 12, 13, 6, 7, 14, 15), acc, kept);
    }
    C[(group * 2) * n + col] = acc.x + acc.y;
    C[(group * 2 + 1) * n + col] = acc.z + acc.w;
}
