/* SPDX-License-Identifier: MIT */
/* The common beginning of a file of forms for AVX-512 with FP16. */
#ifndef LW_EMU_AMDGPU_FAST_ISA_AVX512FP16_H
#define LW_EMU_AMDGPU_FAST_ISA_AVX512FP16_H

#include "emu/amdgpu/fast/forms_fp16.h"
#include "emu/amdgpu/fast/group.h"

#ifdef LW_FAST_FP16

#include "emu/fast/vec_avx512_fp16.h"

#include "emu/amdgpu/fast/turn_x86.h"

#define GROUP(name, ...) GROUP_OF(avx512fp16, name, __VA_ARGS__)

#endif
#endif
