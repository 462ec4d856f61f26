/* SPDX-License-Identifier: MIT */
/*
 * Transposing loads of gfx12: each of 32 lanes loads eight elements from an address of its own, and the lanes
 * exchange them. From global memory: gfx1201 silicon (16 bits: AMD's ROCm documentation; 8 bits: a probe of
 * public kernels) and, 16 bits, an MI455X (published probes of global_load_tr16_b128 and ds_load_tr16_b128).
 * For waves of 64 lanes, and for elements of 4 and 6 bits, no source says where they go, or sources disagree.
 */
#ifndef LW_EMU_AMDGPU_TURNED_H
#define LW_EMU_AMDGPU_TURNED_H

#include "emu/amdgpu/memory/access.h"

enum { LW_TURNED_LANES = 32, LW_TURNED_ELEMENTS = 8 };

typedef struct lw_turned {
    uint8_t source[LW_TURNED_LANES][2 * LW_TURNED_ELEMENTS];
} lw_turned;

/* For element `a` of a lane's result: which lane's bytes it comes from, and which element of them. */
typedef void (*lw_turn_fn)(unsigned lane, unsigned a, unsigned *from, unsigned *element);
void lw_turn_16(unsigned lane, unsigned a, unsigned *from, unsigned *element);
void lw_turn_8(unsigned lane, unsigned a, unsigned *from, unsigned *element);

/* True after lw_wave_fault: the wave has not 32 lanes, all active. */
bool lw_turned_refused(lw_wave *w);

/* Writes the results of all lanes; `size`: bytes of an element. */
void lw_turned_put(const lw_turned *t, lw_turn_fn turn, unsigned size, uint32_t *row);

#endif
