/* SPDX-License-Identifier: MIT */
/* The code object's metadata note (LLVM AMDGPUUsage, "Code Object Metadata", versions 3 to 6). */
#ifndef LW_LOADERS_METADATA_H
#define LW_LOADERS_METADATA_H

#include "loaders/program.h"

typedef struct lw_metadata {
    const char *target;   /* NULL when absent */
    lw_kernel *kernels;   /* their `info`, except for what comes from the descriptor */
    const char **symbols; /* of each kernel's descriptor */
    size_t count;
} lw_metadata;

/* `note` is the MessagePack map. Everything returned is allocated in the arena. */
lw_status lw_metadata_read(lw_arena *arena, lw_bytes note, lw_metadata *metadata, lw_error *error);

#endif
