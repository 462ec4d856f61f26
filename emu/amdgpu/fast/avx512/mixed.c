/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/fast/isa_avx512.h"

#include "emu/amdgpu/fast/group_mixed.h"
