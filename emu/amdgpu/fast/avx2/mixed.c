/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/fast/isa_avx2.h"

#include "emu/amdgpu/fast/group_mixed.h"
