/* SPDX-License-Identifier: MIT */
/* All fast forms, joined to a table: what each instruction set's file compiles for itself. */
#ifndef LW_EMU_AMDGPU_FAST_FORMS_H
#define LW_EMU_AMDGPU_FAST_FORMS_H

#include "emu/amdgpu/fast/convert.h"
#include "emu/amdgpu/fast/floats.h"
#include "emu/amdgpu/fast/halves.h"
#include "emu/amdgpu/fast/ints.h"
#include "emu/amdgpu/fast/ints16.h"
#include "emu/amdgpu/fast/ints64.h"
#include "emu/amdgpu/fast/masks.h"
#include "emu/amdgpu/fast/mem_atomic.h"
#include "emu/amdgpu/fast/mem_buffer.h"
#include "emu/amdgpu/fast/mem_global.h"
#include "emu/amdgpu/fast/mem_lanes.h"
#include "emu/amdgpu/fast/mem_lds.h"
#include "emu/amdgpu/fast/models.h"
#include "emu/amdgpu/fast/moves.h"
#include "emu/amdgpu/fast/small.h"
#include "emu/amdgpu/fast/small4.h"
#include "emu/amdgpu/fast/wide.h"

static const lw_hot_form all_forms[] = { INTS_FORMS,       MASKS_FORMS,      FLOATS_FORMS,  SMALL_FORMS,
                                         SMALL4_FORMS,     HALVES_FORMS,     CONVERT_FORMS, INTS16_FORMS,
                                         INTS64_FORMS,     MODELS_FORMS,     MOVES_FORMS,   WIDE_FORMS,
                                         MEM_BUFFER_FORMS, MEM_GLOBAL_FORMS, MEM_LDS_FORMS, MEM_LANES_FORMS,
                                         MEM_ATOMIC_FORMS };

#define ALL_FORMS                                                                                            \
    {                                                                                                        \
        all_forms, sizeof(all_forms) / sizeof(all_forms[0])                                                  \
    }

#endif
