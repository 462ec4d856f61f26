/* SPDX-License-Identifier: MIT */
/* Instructions that write a new EXEC and save the old one; 32-bit ones leave EXEC_HI unchanged. */
#include "emu/amdgpu/scalar/salu_shapes.h"

#include "emu/amdgpu/scalar/salu_masks.inc"
