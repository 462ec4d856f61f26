/* SPDX-License-Identifier: MIT */
#include "emu/fast/panel_isa.h"

#ifdef LW_FAST_VECTORS

#include "emu/fast/vec_portable_lanes.h"

#define FORMS lw_ptx_fast_forms_portable

#include "emu/ptx/fast/table.h"

#endif
