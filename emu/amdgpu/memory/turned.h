/* SPDX-License-Identifier: MIT */
/*
 * Transposing loads of gfx12: each of 32 lanes loads a row of elements from an address of its own, and the
 * lanes exchange them. 16 and 8 bits: gfx1201 silicon (16: AMD's ROCm documentation; 8: a probe and public
 * kernels) and an MI455X (published probes of global_load_tr16_b128, ds_load_tr16_b128 and ds_load_tr8_b64).
 * 4 and 6 bits: AMD's emulator, and the addresses of hipBLASLt's kernels, which get the operands of WMMA from
 * these lanes and no others. For waves of 64 lanes sources disagree.
 */
#ifndef LW_EMU_AMDGPU_TURNED_H
#define LW_EMU_AMDGPU_TURNED_H

#include "emu/amdgpu/memory/access.h"

enum { LW_TURNED_LANES = 32, LW_TURNED_BYTES = 16 };

/* What each lane loaded, with room to read four bytes from any of them. */
typedef struct lw_turned {
    uint8_t source[LW_TURNED_LANES][LW_TURNED_BYTES + 4];
} lw_turned;

/* How lanes exchange `count` elements of `bits` each. */
typedef struct lw_turn {
    uint8_t bits, count;
    uint8_t align; /* of addresses in LDS */
    /* For element `a` of a lane's result: which lane's row it comes from, and which element of it. Lanes
     * count within the group that exchanges (lw_op_row.exchange). */
    void (*from)(unsigned lane, unsigned a, unsigned *other, unsigned *element);
} lw_turn;
extern const lw_turn lw_turn_16, lw_turn_8, lw_turn_6, lw_turn_4;

static inline unsigned lw_turn_bytes(const lw_turn *turn)
{
    return turn->bits * turn->count / 8u;
}

/* True after lw_wave_fault: the wave has not 32 lanes, all active. */
bool lw_turned_refused(lw_wave *w);

/* Writes the results of all lanes of a load. */
void lw_turned_put(const lw_turned *t, const lw_turn *turn, const lw_decoded *in, uint32_t *row);

#endif
