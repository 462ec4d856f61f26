/* SPDX-License-Identifier: MIT */
/*
 * A file of forms is one group for one instruction set, so that they compile side by side: GROUP makes its
 * table. It includes what other groups' forms stand on, and those forms with it; they are not compiled where
 * nothing names them.
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
