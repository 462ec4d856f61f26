/* SPDX-License-Identifier: MIT */
/* The forms of one instruction set. */
#ifndef LW_EMU_PTX_FAST_TABLE_H
#define LW_EMU_PTX_FAST_TABLE_H

#include "emu/ptx/fast/floats.h"
#include "emu/ptx/fast/ints.h"
#include "emu/ptx/fast/near.h"
#include "emu/ptx/fast/places.h"

static const lw_ptx_fast_form all_forms[] = { INTS_FORMS, FLOATS_FORMS, NEAR_FORMS, PLACES_FORMS };

const lw_ptx_fast_forms FORMS = { all_forms, sizeof(all_forms) / sizeof(all_forms[0]) };

#endif
