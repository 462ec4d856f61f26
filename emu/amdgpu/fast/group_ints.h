/* SPDX-License-Identifier: MIT */
/* The forms of 32-bit integers, 64-bit ones and moves between lanes. */
#ifndef LW_EMU_AMDGPU_FAST_GROUP_INTS_H
#define LW_EMU_AMDGPU_FAST_GROUP_INTS_H

#ifdef GROUP

#include "emu/amdgpu/fast/ints.h"
#include "emu/amdgpu/fast/ints64.h"
#include "emu/amdgpu/fast/moves.h"

GROUP(ints, INTS_FORMS, INTS64_FORMS, MOVES_FORMS)

#endif
#endif
