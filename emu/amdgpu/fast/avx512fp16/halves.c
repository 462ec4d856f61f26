/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/fast/isa_avx512fp16.h"

#include "emu/amdgpu/fast/group_halves.h"
