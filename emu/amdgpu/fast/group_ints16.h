/* SPDX-License-Identifier: MIT */
/* The forms of 16-bit integers, one or two per lane, and dot products. */
#ifndef LW_EMU_AMDGPU_FAST_GROUP_INTS16_H
#define LW_EMU_AMDGPU_FAST_GROUP_INTS16_H

#ifdef GROUP

#include "emu/amdgpu/fast/dots.h"
#include "emu/amdgpu/fast/ints16.h"

GROUP(ints16, INTS16_FORMS, DOTS_FORMS)

#endif
#endif
