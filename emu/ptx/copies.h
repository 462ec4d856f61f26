/* SPDX-License-Identifier: MIT */
/* Pieces of asynchronous copies (emu/device/copies.h). */
#ifndef LW_EMU_PTX_COPIES_H
#define LW_EMU_PTX_COPIES_H

#include "emu/ptx/warp.h"

/* lw_copy_piece.kind */
typedef enum lw_ptx_piece {
    LW_PTX_PIECE_IN,          /* from global to shared memory: cp.async and bulk copies */
    LW_PTX_PIECE_OUT,         /* from shared memory at `to` to global memory at `from` */
    LW_PTX_PIECE_BYTES,       /* the mbarrier at `to` waits for `from` bytes fewer */
    LW_PTX_PIECE_ARRIVE,      /* one arrival at the mbarrier at `to` */
    LW_PTX_PIECE_ARRIVE_MORE, /* the same, already added to what the mbarrier expects */
    LW_PTX_PIECE_ACROSS,      /* from the block's shared memory at `from` to one of its cluster at `to` */
    LW_PTX_PIECE_VALUE,       /* `from` itself to shared memory of its cluster at `to` */
    LW_PTX_PIECE_WGMMA,       /* an issued matrix product; see wgmma.c */
} lw_ptx_piece;

/* The mbarrier's phase waits for one more arrival. False after a fault, which has been reported. */
bool lw_ptx_mbarrier_expect_one(lw_ptx_warp *w, unsigned lane, uint32_t address);

/* lw_machine.asked: of the mbarrier that the instruction at `pc` waits for. */
bool lw_ptx_asked(const lw_wave_head *head, uint64_t pc, char *text, size_t size);
/* lw_machine.object */
bool lw_ptx_object(const lw_group *group, unsigned rank, uint64_t address, lw_event_object *object);

#endif
