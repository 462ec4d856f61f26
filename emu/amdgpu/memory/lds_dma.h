/* SPDX-License-Identifier: MIT */
/*
 * Loads to LDS instead of registers. Addresses, lanes and M0 are read when they are issued; the bytes move
 * when the copy completes: at a wait that covers it, when no other wave of the workgroup can continue
 * (lw_launch_options.async), or at the latest at the wave's end.
 */
#ifndef LW_EMU_AMDGPU_LDS_DMA_H
#define LW_EMU_AMDGPU_LDS_DMA_H

#include "emu/amdgpu/memory/access.h"

/* The copy for the instruction at w->head.pc, without lanes yet; NULL: no host memory. */
lw_copy *lw_lds_dma_begin(lw_wave *w);

/*
 * A lane's place in LDS: `base` + lane * 4, or lane * 16 for elements of 12 and 16 bytes (for 12, the fourth
 * dword of a slot is unchanged). Elements below 4 bytes are extended to a dword. Nothing is written if a part
 * of the place is outside the workgroup's LDS.
 */
typedef struct lw_lds_place {
    const lw_element *element;
    uint32_t base;
    unsigned lane;
} lw_lds_place;

/*
 * Adds `bytes` of the lane's element, from `offset` on, at a global address or in the lane's scratch;
 * LW_SOURCE_ZERO: out of range, and therefore zero. False: no host memory.
 */
typedef enum lw_copy_source { LW_SOURCE_ZERO, LW_SOURCE_GLOBAL, LW_SOURCE_SCRATCH } lw_copy_source;
bool lw_lds_dma_add(lw_wave *w, lw_copy *copy, const lw_lds_place *place, unsigned offset, unsigned bytes,
                    lw_copy_source source, uint64_t address);

/* Adds at most 16 bytes of a lane, from a global address to an address in LDS, which nothing
 * is written beyond; or the other way; or zeros to LDS. */
typedef enum lw_copy_way { LW_COPY_TO_LDS, LW_COPY_FROM_LDS, LW_COPY_ZEROS } lw_copy_way;
bool lw_lds_dma_add_at(lw_wave *w, lw_copy *copy, int lane, uint32_t lds, unsigned bytes, uint64_t address,
                       lw_copy_way way);

/* lw_copy.kind: which counter of gfx1250 counts it. */
enum { LW_COPY_ASYNC, LW_COPY_TENSOR };

/* Adds an arrival at a cell of LDS (cells.h). */
bool lw_lds_dma_add_arrival(lw_wave *w, lw_copy *copy, int lane, uint32_t cell);
lw_step lw_lds_dma_arrive_later(lw_wave *w, lw_copy *copy);

/*
 * Adds elements of `bytes`, 4 or 16, of all active lanes: lane n's lies at the global address base + at[n]
 * and goes to to + n * bytes, inside the workgroup's LDS. False: no host memory.
 */
bool lw_lds_dma_add_lanes(lw_copy *copy, uint64_t active, const uint32_t at[LW_LANES], uint64_t base,
                          uint32_t to, unsigned bytes);

/* Issues the copy; with LW_ASYNC_EARLY it completes here. */
lw_step lw_lds_dma_issue(lw_wave *w, lw_copy *copy);

/* Reports a fault: there is no host memory for the whole copy. `copy` (or NULL) is not issued. */
lw_step lw_lds_dma_abandon(lw_wave *w, lw_copy *copy);

/*
 * A wave with pending copies is about to issue one more operation that vmcnt counts. LW_STEP_NEXT: counted.
 * LW_STEP_WAIT: the counter is full; w->head.wait_limit says what must complete first. LW_STEP_FAULT: as
 * above.
 */
lw_step lw_lds_dma_gate(lw_wave *w);

#endif
