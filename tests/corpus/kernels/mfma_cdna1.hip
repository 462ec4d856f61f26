/* SPDX-License-Identifier: MIT */
/* Matrix instructions of gfx908, which accumulate in registers of their own. */
#include "mfma.h"

PRODUCT(f16_16, 16, 4, f16, f16x4, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x16f16)
PRODUCT(f16_32, 32, 4, f16, f16x4, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x8f16)
PRODUCT(bf16_16, 16, 2, short, i16x2, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x8bf16)
PRODUCT(bf16_32, 32, 2, short, i16x2, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x4bf16)
PRODUCT(f32_16, 16, 1, float, float, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x4f32)
PRODUCT(f32_32, 32, 1, float, float, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x2f32)
PRODUCT(i8_16, 16, 4, i8, int, int, i32x4, __builtin_amdgcn_mfma_i32_16x16x16i8)
PRODUCT(i8_32, 32, 4, i8, int, int, i32x16, __builtin_amdgcn_mfma_i32_32x32x8i8)
PRODUCT_4(f16_4)
