/* SPDX-License-Identifier: MIT */
/* Two scalar sources: SOP2, SOPC. */
#include "emu/amdgpu/scalar/salu_bits.h"
#include "emu/amdgpu/scalar/salu_shapes.h"

#include "emu/amdgpu/scalar/salu2.inc"
