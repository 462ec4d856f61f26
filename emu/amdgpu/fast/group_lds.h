/* SPDX-License-Identifier: MIT */
/* The forms of the LDS. */
#ifndef LW_EMU_AMDGPU_FAST_GROUP_LDS_H
#define LW_EMU_AMDGPU_FAST_GROUP_LDS_H

#ifdef GROUP

#include "emu/amdgpu/fast/mem_lanes.h"
#include "emu/amdgpu/fast/mem_lds.h"

GROUP(lds, MEM_LDS_FORMS, MEM_LANES_FORMS)

#endif
#endif
