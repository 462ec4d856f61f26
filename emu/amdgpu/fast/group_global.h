/* SPDX-License-Identifier: MIT */
/* The forms of global memory, buffers and atomics. */
#ifndef LW_EMU_AMDGPU_FAST_GROUP_GLOBAL_H
#define LW_EMU_AMDGPU_FAST_GROUP_GLOBAL_H

#ifdef GROUP

#include "emu/amdgpu/fast/mem_atomic.h"
#include "emu/amdgpu/fast/mem_buffer.h"
#include "emu/amdgpu/fast/mem_global.h"

GROUP(global, MEM_BUFFER_FORMS, MEM_GLOBAL_FORMS, MEM_ATOMIC_FORMS)

#endif
#endif
