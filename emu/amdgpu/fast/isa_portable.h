/* SPDX-License-Identifier: MIT */
/* The common beginning of a file of forms for the compiler's own vectors. */
#ifndef LW_EMU_AMDGPU_FAST_ISA_PORTABLE_H
#define LW_EMU_AMDGPU_FAST_ISA_PORTABLE_H

#include "emu/amdgpu/fast/group.h"

#ifdef LW_FAST_VECTORS

#include "emu/fast/vec_portable_lanes.h"

#include "emu/amdgpu/fast/turn_portable.h"

#define GROUP(name, ...) GROUP_OF(portable, name, __VA_ARGS__)

#endif
#endif
