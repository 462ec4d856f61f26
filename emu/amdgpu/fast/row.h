/* SPDX-License-Identifier: MIT */
/*
 * Rows of lanes for the fast forms: reading sources, storing results under EXEC. Included by one file per
 * instruction set, after the vectors that it is to use (emu/fast/vec_*.h).
 *
 * A form computes all the lanes of the wave's size, inactive ones too, into locals, and stores last: then a
 * result that is also a source needs no care, whatever the compiler assumes about them.
 */
#ifndef LW_EMU_AMDGPU_FAST_ROW_H
#define LW_EMU_AMDGPU_FAST_ROW_H

#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/fast/hot.h"

enum { ROW_VECTORS = LW_LANES / VEC_LANES };

/* A row of 64 lanes in registers, as far as there are enough. */
typedef struct row {
    vi v[ROW_VECTORS];
} row;

/* Source i. */
VEC row row_source(const lw_wave *w, const lw_hot *hot, unsigned i)
{
    row r;
    if (hot->from[i] <= LW_FROM_AGPR) {
        const uint32_t *at = (hot->from[i] == LW_FROM_VGPR ? w->vgpr : w->agpr) + hot->at[i];
        for (unsigned n = 0; n < ROW_VECTORS; n++)
            r.v[n] = vi_load(at + n * VEC_LANES);
        return r;
    }
    const vi all = vi_each(hot->from[i] == LW_FROM_SGPR ? &w->sgpr[hot->at[i]] : &hot->at[i]);
    for (unsigned n = 0; n < ROW_VECTORS; n++)
        r.v[n] = all;
    return r;
}

VEC uint32_t *row_of_result(const lw_wave *w, const lw_hot *hot)
{
    return (hot->to == LW_FROM_VGPR ? w->vgpr : w->agpr) + hot->dst;
}

/* The lanes that `active` names, to a row of a register file. */
VEC void row_store(uint32_t *at, uint64_t active, row r)
{
    if (active == ~(uint64_t)0) {
        for (unsigned n = 0; n < ROW_VECTORS; n++)
            vi_store(at + n * VEC_LANES, r.v[n]);
        return;
    }
    for (unsigned n = 0; n < ROW_VECTORS; n++)
        vi_store_some(at + n * VEC_LANES, (unsigned)(active >> n * VEC_LANES), r.v[n]);
}

VEC lw_step row_finish(const lw_wave *w, const lw_hot *hot, row r)
{
    row_store(row_of_result(w, hot), lw_wave_exec(w), r);
    return LW_STEP_NEXT;
}

#endif
