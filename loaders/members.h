/* SPDX-License-Identifier: MIT */
/* The code objects inside a file, and where their bytes are. */
#ifndef LW_LOADERS_MEMBERS_H
#define LW_LOADERS_MEMBERS_H

#include <lanewise/program.h>

#include "loaders/bytes.h"

typedef struct lw_member_entry {
    lw_member info;
    uint32_t flags; /* e_flags */
    lw_bytes elf;   /* or the PTX text */
    bool is_ptx;
} lw_member_entry;

struct lw_members {
    lw_member_entry *entries;
    size_t count, room;
    size_t passed_over; /* entries other than AMDGPU code objects */
    uint64_t inflated;  /* bytes decompressed so far, against LW_MAX_DECOMPRESSED_MIB */
    uint64_t limit;     /* bytes that may be held in total */
    lw_arena arena;     /* names */
    struct lw_inflated *blocks;
};

/*
 * Adds one image found in a container if it is an AMDGPU ELF file; counts anything else. `container` is a
 * literal; `id` is copied.
 */
lw_status lw_members_add(lw_members *members, const char *container, lw_bytes id, lw_bytes image,
                         lw_error *error);

/* Reads the container at the start of `in`. `used` is how many bytes it occupies. */
typedef lw_status lw_container_fn(lw_members *members, lw_bytes in, size_t *used, lw_error *error);
lw_container_fn lw_bundle_read;            /* clang offload bundle */
lw_container_fn lw_compressed_bundle_read; /* the same, compressed */
lw_container_fn lw_offload_binary_read;

/* Keeps a malloc'd block until the members are freed; frees it at once if that fails. */
lw_status lw_members_keep(lw_members *members, uint8_t *block, lw_error *error);

#endif
