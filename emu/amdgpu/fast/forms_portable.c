/* SPDX-License-Identifier: MIT */
/* The fast forms for the compiler's own vectors. */
#include "emu/amdgpu/fast/hot.h"
#include "emu/fast/panel_isa.h"

#ifdef LW_FAST_VECTORS

#include "emu/fast/vec_portable_lanes.h"

#include "emu/amdgpu/fast/turn_portable.h"

#include "emu/amdgpu/fast/forms.h"

const lw_hot_forms lw_hot_portable = ALL_FORMS;

#else

const lw_hot_forms lw_hot_portable = { .count = 0 };

#endif
