/* SPDX-License-Identifier: MIT */
/* The forms of instructions that read or write lane masks, and wide floats. */
#ifndef LW_EMU_AMDGPU_FAST_GROUP_MASKS_H
#define LW_EMU_AMDGPU_FAST_GROUP_MASKS_H

#ifdef GROUP

#include "emu/amdgpu/fast/masks.h"
#include "emu/amdgpu/fast/wide.h"

GROUP(masks, MASKS_FORMS, WIDE_FORMS)

#endif
#endif
