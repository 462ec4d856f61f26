/* SPDX-License-Identifier: MIT */
/* Matrix instructions that are new in gfx942. */
#include "mfma.h"

PRODUCT(i8_16, 16, 8, i8, long, int, i32x4, __builtin_amdgcn_mfma_i32_16x16x32_i8)
PRODUCT(i8_32, 32, 8, i8, long, int, i32x16, __builtin_amdgcn_mfma_i32_32x32x16_i8)
PRODUCT(fp8_16, 16, 8, u8, long, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8)
PRODUCT(fp8_32, 32, 8, u8, long, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8)
PRODUCT(bf8_16, 16, 8, u8, long, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x32_bf8_bf8)
PRODUCT(bf8_32, 32, 8, u8, long, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x16_bf8_bf8)
PRODUCT(fp8_bf8_16, 16, 8, u8, long, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8)
PRODUCT(bf8_fp8_32, 32, 8, u8, long, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x16_bf8_fp8)

/* A stores two of every four k; the index says which, four bits for each two stored values, from `which`. */
KERNEL(64) sparse_16(float *c, const f16 *a, const f16 *b, const u16 *which, u32 n, u32 k)
{
    const f16 *x = a + (group_y() * 16 + lane() % 16) * (k / 2) + lane() / 16 * 4;
    const f16 *y = b + (group() * 16 + lane() % 16) * k + lane() / 16 * 8;
    const u16 *w = which + (group_y() * 16 + lane() % 16) * (k / 8) + lane() / 16;
    f32x4 acc = {};
    for (u32 at = 0; at < k; at += 32)
        acc = __builtin_amdgcn_smfmac_f32_16x16x32_f16(*(const f16x4 *)(x + at / 2), *(const f16x8 *)(y + at), acc,
                                                       w[at / 8], 0, 0);
    store<16>(c, acc, n);
}
