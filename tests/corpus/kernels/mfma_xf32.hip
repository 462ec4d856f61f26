/* SPDX-License-Identifier: MIT */
/* Matrix instructions that only gfx942 has: f32 of which the upper 19 bits count. */
#include "mfma.h"

typedef vec<float, 2> f32x2;

PRODUCT(f32_16, 16, 2, float, f32x2, float, f32x4, __builtin_amdgcn_mfma_f32_16x16x8_xf32)
PRODUCT(f32_32, 32, 2, float, f32x2, float, f32x16, __builtin_amdgcn_mfma_f32_32x32x4_xf32)
