/* SPDX-License-Identifier: MIT */
#ifndef LW_EMU_PTX_WGMMA_TILE_H
#define LW_EMU_PTX_WGMMA_TILE_H

#include "emu/ptx/warp.h"

/* The shared memory of a block. */
typedef struct lw_ptx_view {
    const uint8_t *shared;
    uint32_t size;
} lw_ptx_view;

lw_ptx_view lw_ptx_view_of(const lw_ptx_warp *w);

/* Reads `count` rows of A (columns of B) from number `first` on, one after the other, `bytes` of k each, from
 * where the descriptor says they are; `turned`: k is not the contiguous dimension. False: a fault. */
bool lw_ptx_read_tile(lw_ptx_warp *w, uint64_t descriptor, bool turned, unsigned first, unsigned count,
                      unsigned bytes, uint8_t *to);

/* The address in shared memory of byte `byte` of k of a row of A (a column of B); `bytes`: how many of k a
 * row has. False: nothing is known of the descriptor. */
bool lw_ptx_tile_address(uint64_t descriptor, bool turned, unsigned bytes, unsigned row, unsigned byte,
                         uint32_t *address);

#endif
