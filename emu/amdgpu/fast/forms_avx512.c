/* SPDX-License-Identifier: MIT */
/* The fast forms for AVX-512. */
#include "emu/amdgpu/fast/hot.h"
#include "emu/fast/panel_isa.h"

#ifdef LW_FAST_X86

#include "emu/fast/vec_avx512_lanes.h"

#include "emu/amdgpu/fast/turn_x86.h"

#include "emu/amdgpu/fast/forms.h"

const lw_hot_forms lw_hot_avx512 = ALL_FORMS;

#else

const lw_hot_forms lw_hot_avx512 = { .count = 0 };

#endif
