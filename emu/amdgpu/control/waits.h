/* SPDX-License-Identifier: MIT */
/* When a wave that waits for its copies to LDS may go on: which one, and whether the others only spin. */
#ifndef LW_EMU_AMDGPU_WAITS_H
#define LW_EMU_AMDGPU_WAITS_H

#include "emu/amdgpu/control/machine.h"

/* The first wave of the workgroup that waits for copies; NULL if none does. */
lw_wave *lw_waiting_wave(const lw_amd_group *g);

/*
 * A wave has slept. Did it sleep at this place with these registers the last time, too? Always true where
 * nobody waits for copies: then nobody asks.
 */
bool lw_wave_sleeps_again(lw_wave *w);

#endif
