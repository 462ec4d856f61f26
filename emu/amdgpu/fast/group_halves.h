/* SPDX-License-Identifier: MIT */
/* The forms of f16 arithmetic and conversions. */
#ifndef LW_EMU_AMDGPU_FAST_GROUP_HALVES_H
#define LW_EMU_AMDGPU_FAST_GROUP_HALVES_H

#ifdef GROUP

#include "emu/amdgpu/fast/convert.h"
#include "emu/amdgpu/fast/halves.h"

GROUP(halves, HALVES_FORMS, CONVERT_FORMS)

#endif
#endif
