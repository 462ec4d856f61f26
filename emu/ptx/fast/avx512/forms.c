/* SPDX-License-Identifier: MIT */
#include "emu/fast/panel_isa.h"

#ifdef LW_FAST_X86

#include "emu/fast/vec_avx512_lanes.h"

#define FORMS lw_ptx_fast_forms_avx512

#include "emu/ptx/fast/table.h"

#endif
