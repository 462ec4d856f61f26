/* SPDX-License-Identifier: MIT */
/* Quantization to and from 8-bit floats: gfx942 (its own formats), gfx950 and gfx12 (OCP's). */
#include "quantize.h"

TO_BYTES(to_fp8, __builtin_amdgcn_cvt_pk_fp8_f32)
TO_BYTES(to_bf8, __builtin_amdgcn_cvt_pk_bf8_f32)
FROM_BYTES(from_fp8, __builtin_amdgcn_cvt_f32_fp8)
FROM_BYTES(from_bf8, __builtin_amdgcn_cvt_f32_bf8)
TO_BYTES_RANDOM(to_fp8_random, __builtin_amdgcn_cvt_sr_fp8_f32)
TO_BYTES_RANDOM(to_bf8_random, __builtin_amdgcn_cvt_sr_bf8_f32)
