/* SPDX-License-Identifier: MIT */
/* The header of a .npy file. */
#ifndef LW_LOADERS_NPY_H
#define LW_LOADERS_NPY_H

#include <lanewise/npy.h>

#include "loaders/bytes.h"

/* Finds the type of a header's `descr`, byte order first ("<f4", "|u1"). */
bool lw_dtype_of_descr(const char *descr, size_t length, lw_dtype *dtype);

/*
 * Reads the header: everything of `array` but its data. `body` is what follows it. The caller checks that the
 * body has the right size.
 */
lw_status lw_npy_header_read(lw_bytes file, lw_npy *array, lw_bytes *body, lw_error *error);

/* Number of elements of a shape, and their size in bytes; false if that does not fit in memory. */
bool lw_npy_measure(const lw_npy *array, uint64_t *count, size_t *bytes);

#endif
