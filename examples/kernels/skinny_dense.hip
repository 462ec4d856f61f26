/* SPDX-License-Identifier: MIT */
/* The same product by the dense instruction: A padded to 16 rows, so half of the work is on zeros. 16 k per
 * step. */
#include "rt.h"

KERNEL WORKGROUP(64) void skinny_dense(float *C, const f16 *A, const f16 *B, u32 n, u32 k)
{
    const u32 lane = lane_in_workgroup();
    const u32 group = lane / 16, row = lane % 16, col = block_x() * 16 + lane % 16;

    A += row * k + group * 4;
    B += col * k + group * 4;
    f32x4 acc = {};
    for (u32 at = 0; at < k; at += 16) {
        f16x4 a = {};
        if (row < 8)
            a = *reinterpret_cast<const f16x4 *>(A + at);
        const f16x4 b = *reinterpret_cast<const f16x4 *>(B + at);
        acc = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, acc, 0, 0, 0);
    }
    if (group < 2)
        for (u32 i = 0; i < 4; i++)
            C[(group * 4 + i) * n + col] = acc[i];
}
