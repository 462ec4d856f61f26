/* SPDX-License-Identifier: MIT */
/*
 * Each file of forms is one group for one instruction set, so that they compile in parallel; GROUP defines
 * the group's table. A file includes the files on which it depends, with the forms of other groups in them;
 * forms that nothing refers to are not compiled.
 */
#ifndef LW_EMU_AMDGPU_FAST_GROUP_H
#define LW_EMU_AMDGPU_FAST_GROUP_H

#include "emu/amdgpu/fast/hot.h"
#include "emu/fast/panel_isa.h"

#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

#define GROUP_OF(isa, name, ...)                                                                             \
    static const lw_hot_form all_forms[] = { __VA_ARGS__ };                                                  \
    const lw_hot_forms lw_hot_##isa##_##name = { all_forms, sizeof(all_forms) / sizeof(all_forms[0]) };

#endif
