/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/fast/isa_portable.h"

#include "emu/amdgpu/fast/group_mixed.h"
