/* SPDX-License-Identifier: MIT */
/* The forms of mixed formats, of 6-bit floats, of division, and of what compares and selects 64-bit numbers.
 */
#ifndef LW_EMU_AMDGPU_FAST_GROUP_MIXED_H
#define LW_EMU_AMDGPU_FAST_GROUP_MIXED_H

#ifdef GROUP

#include "emu/amdgpu/fast/division.h"
#include "emu/amdgpu/fast/doubles.h"
#include "emu/amdgpu/fast/mixed.h"
#include "emu/amdgpu/fast/small6.h"

GROUP(mixed, MIXED_FORMS DIVISION_FORMS, DOUBLES_FORMS, SMALL6_FORMS)

#endif
#endif
