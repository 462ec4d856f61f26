/* SPDX-License-Identifier: MIT */
/* The memory that a launch can reach. */
#ifndef LW_RUNTIME_CAPTURE_REACH_H
#define LW_RUNTIME_CAPTURE_REACH_H

#include "runtime/capture/capture.h"

typedef struct cap_reach {
    const cap_device *device;
    lw_capture_piece *pieces;
    bool *on_host;              /* for each piece: it is read from the program itself */
    size_t count, room, looked; /* `looked`: how many pieces have been searched for addresses */
    uint64_t bytes, limit;
    const char *why; /* "": all is well */
} cap_reach;

/*
 * Reads the variables of the function's program, the allocations that an aligned word of the arguments points
 * into, and, as pointers lie in memory too, those that a word of a variable or of an allocation up to 1 MiB
 * points into.
 */
bool cap_reach_find(cap_reach *reach, const cap_device *device, const cap_function *function,
                    const void *args, size_t args_size, uint64_t limit, char *why, size_t why_size);
/* Reads `after` of every piece. */
bool cap_reach_read_again(cap_reach *reach);
void cap_reach_free(cap_reach *reach);

#endif
