/* SPDX-License-Identifier: MIT */
/* Which bytes of memory each lane's registers of wmma.load and wmma.store have. */
#ifndef LW_EMU_MMA_MOVE_RUNS_H
#define LW_EMU_MMA_MOVE_RUNS_H

#include <lanewise/move.h>

enum { LW_MOVED_WORDS = 16, LW_MOVE_RUNS = LW_MOVE_LANES * LW_MOVED_WORDS * 4 };

/* Bytes of a lane that follow each other in memory, as in its registers. */
typedef struct lw_move_run {
    uint8_t lane, size;
    uint64_t offset; /* from the matrix's address */
} lw_move_run;

/* Lane by lane, each in the order of its registers; `stride` is that of lw_move_args. The count, at most
 * LW_MOVE_RUNS; 0 for other instructions and without host memory. */
size_t lw_move_runs(lw_arch arch, const lw_insn *insn, const lw_mods *mods, uint32_t stride,
                    lw_move_run *runs);

#endif
