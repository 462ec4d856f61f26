/* SPDX-License-Identifier: MIT */
/* The group of forms that is compiled for AVX512-FP16; the other groups are AVX-512's. */
#ifndef LW_EMU_AMDGPU_FAST_FORMS_FP16_H
#define LW_EMU_AMDGPU_FAST_FORMS_FP16_H

#include "emu/amdgpu/fast/hot.h"

extern const lw_hot_forms lw_hot_avx512fp16_halves;

#endif
