/* SPDX-License-Identifier: MIT */
/* Issuing copies of many bytes. */
#ifndef LW_EMU_PTX_BULK_H
#define LW_EMU_PTX_BULK_H

#include "emu/ptx/copies.h"
#include "emu/ptx/decode.h"

/* A copy that reports to an mbarrier, or else belongs to a bulk group. NULL: no host memory. */
lw_copy *lw_ptx_bulk_new(lw_ptx_warp *w, bool reports);
/* Appends the report to the mbarrier to the copy's bytes; `kind`: lw_ptx_piece. False: no host memory. */
bool lw_ptx_bulk_report(lw_copy *copy, unsigned lane, uint64_t mbarrier, uint64_t bytes, uint8_t kind);
/* Issues a complete copy; it arrives at once if copies are early. */
lw_ptx_step lw_ptx_bulk_issue(lw_ptx_warp *w, lw_copy *copy);
/* The blocks of the cluster that get a copy, a bit a rank; 0: not several, it goes where the address says. */
bool lw_ptx_bulk_targets(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, unsigned mask_source,
                         uint32_t *targets);
/* Is the mbarrier in the block that gets the bytes, or in its pair of blocks? Otherwise a fault has been
 * reported. */
bool lw_ptx_bulk_is_with(lw_ptx_warp *w, unsigned lane, uint64_t to, uint64_t mbarrier, bool pairs);
/* Reports a fault: the host has no memory. */
lw_ptx_step lw_ptx_bulk_no_memory(lw_ptx_warp *w);

/* cp.reduce.async.bulk, st.async and red.async: handler->lane combines the old value with the new one. */
lw_ptx_exec lw_ptx_bulk_reduce, lw_ptx_value_async;
bool lw_ptx_bulk_take_reduce(lw_ptx_decoding *d, lw_ptx_record *r);

#endif
