/* SPDX-License-Identifier: MIT */
/* The common beginning of a file of forms for AVX-512. */
#ifndef LW_EMU_AMDGPU_FAST_ISA_AVX512_H
#define LW_EMU_AMDGPU_FAST_ISA_AVX512_H

#include "emu/amdgpu/fast/group.h"

#ifdef LW_FAST_X86

#include "emu/fast/vec_avx512_lanes.h"

#include "emu/amdgpu/fast/turn_x86.h"

#define GROUP(name, ...) GROUP_OF(avx512, name, __VA_ARGS__)

#endif
#endif
