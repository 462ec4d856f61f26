/* SPDX-License-Identifier: MIT */
/* Instructions that make a new EXEC and keep the old one; of 32 bits they leave EXEC_HI alone. */
#include "emu/amdgpu/scalar/salu_shapes.h"

#include "emu/amdgpu/scalar/salu_masks.inc"
