/* SPDX-License-Identifier: MIT */
/* The forms of elementary functions and small floats. */
#ifndef LW_EMU_AMDGPU_FAST_GROUP_MODELS_H
#define LW_EMU_AMDGPU_FAST_GROUP_MODELS_H

#ifdef GROUP

#include "emu/amdgpu/fast/models.h"
#include "emu/amdgpu/fast/small.h"
#include "emu/amdgpu/fast/small4.h"

GROUP(models, SMALL_FORMS, SMALL4_FORMS, MODELS_FORMS)

#endif
#endif
