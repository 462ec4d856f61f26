/* SPDX-License-Identifier: MIT */
/* All fast forms, joined to a table: what each instruction set's file compiles for itself. */
#ifndef LW_EMU_AMDGPU_FAST_FORMS_H
#define LW_EMU_AMDGPU_FAST_FORMS_H

#include "emu/amdgpu/fast/floats.h"
#include "emu/amdgpu/fast/halves.h"
#include "emu/amdgpu/fast/ints.h"
#include "emu/amdgpu/fast/masks.h"
#include "emu/amdgpu/fast/small.h"

/* What has not been compared with the handlers on an instruction set is left out of its table. */
#ifdef FORMS_COMPARED_ONLY
#define OTHER_FORMS
#else
#include "emu/amdgpu/fast/convert.h"
#include "emu/amdgpu/fast/mem_atomic.h"
#include "emu/amdgpu/fast/mem_buffer.h"
#include "emu/amdgpu/fast/mem_global.h"
#include "emu/amdgpu/fast/mem_lanes.h"
#include "emu/amdgpu/fast/mem_lds.h"
#include "emu/amdgpu/fast/wide.h"
#define OTHER_FORMS                                                                                          \
    , CONVERT_FORMS, WIDE_FORMS, MEM_BUFFER_FORMS, MEM_GLOBAL_FORMS, MEM_LDS_FORMS, MEM_LANES_FORMS,         \
        MEM_ATOMIC_FORMS
#endif

static const lw_hot_form all_forms[] = { INTS_FORMS, MASKS_FORMS, FLOATS_FORMS, SMALL_FORMS,
                                         HALVES_FORMS OTHER_FORMS };

#define ALL_FORMS                                                                                            \
    {                                                                                                        \
        all_forms, sizeof(all_forms) / sizeof(all_forms[0])                                                  \
    }

#endif
