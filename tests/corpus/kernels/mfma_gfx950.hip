/* SPDX-License-Identifier: MIT */
/* Matrix instructions of gfx950 of twice the depth. */
#include "mfma.h"

typedef vec<bf16, 8> bf16x8;

PRODUCT(f16_16, 16, 8, f16, f16x8, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x32_f16)
PRODUCT(f16_32, 32, 8, f16, f16x8, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x16_f16)
PRODUCT(bf16_16, 16, 8, short, bf16x8, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x32_bf16)
PRODUCT(bf16_32, 32, 8, short, bf16x8, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x16_bf16)
PRODUCT(i8_16, 16, 16, i8, i32x4, int, i32x4, __builtin_amdgcn_mfma_i32_16x16x64_i8)
PRODUCT(i8_32, 32, 16, i8, i32x4, int, i32x16, __builtin_amdgcn_mfma_i32_32x32x32_i8)
