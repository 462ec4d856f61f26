/* SPDX-License-Identifier: MIT */
/* What a launch touched, as runs of bytes: include/lanewise/part.h. */
#ifndef LW_EMU_DEVICE_FOOTPRINT_H
#define LW_EMU_DEVICE_FOOTPRINT_H

#include <lanewise/part.h>

#include "emu/device/watch.h"

/* A launch begins: forgets the last one, and copies what kernels may write. */
lw_status lw_footprint_begin(lw_footprint *footprint, const lw_memory *memory, lw_error *error);

/* It has ended, and all views of the watch too: keeps what it touched. LW_E_UNSUPPORTED: a byte has changed
 * that was not seen to be written. */
lw_status lw_footprint_take(lw_footprint *footprint, const lw_watch *watch, lw_error *error);

/* Frees the copies, in any case. */
void lw_footprint_end(lw_footprint *footprint);

#endif
