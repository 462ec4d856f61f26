/* SPDX-License-Identifier: MIT */
/* The forms of f32 arithmetic and of classes of numbers. */
#ifndef LW_EMU_AMDGPU_FAST_GROUP_FLOATS_H
#define LW_EMU_AMDGPU_FAST_GROUP_FLOATS_H

#ifdef GROUP

#include "emu/amdgpu/fast/classes.h"
#include "emu/amdgpu/fast/floats.h"

GROUP(floats, FLOATS_FORMS, CLASSES_FORMS)

#endif
#endif
