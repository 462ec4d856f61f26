/* SPDX-License-Identifier: MIT */
/* Matrix instructions that gfx90a, gfx942 and gfx950 share. */
#include "mfma.h"

PRODUCT(f16_16, 16, 4, f16, f16x4, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x16f16)
PRODUCT(f16_32, 32, 4, f16, f16x4, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x8f16)
PRODUCT(bf16_16, 16, 4, short, i16x4, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x16bf16_1k)
PRODUCT(bf16_32, 32, 4, short, i16x4, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x8bf16_1k)
PRODUCT(f32_16, 16, 1, float, float, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x4f32)
PRODUCT(f32_32, 32, 1, float, float, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x2f32)

KERNEL(64) f64_16(double *c, const double *a, const double *b, u32 n, u32 k)
{
    const double *x = row_of<16, 1>(a, group_y(), k), *y = row_of<16, 1>(b, group(), k);
    f64x4 acc = {};
    for (u32 at = 0; at < k; at += 4)
        acc = __builtin_amdgcn_mfma_f64_16x16x4f64(x[at], y[at], acc, 0, 0, 0);
    for (u32 v = 0; v < 4; v++)
        c[(group_y() * 16 + 4 * v + lane() / 16) * n + group() * 16 + lane() % 16] = acc[v];
}

PRODUCT_4(f16_4)
