/* SPDX-License-Identifier: MIT */
/* The parts of a file that holds a captured launch: include/lanewise/capture.h describes it. */
#ifndef LW_LOADERS_CAPTURE_H
#define LW_LOADERS_CAPTURE_H

#include <lanewise/capture.h>

#include "loaders/bytes.h"

#define LW_CAPTURE_MAGIC "\x89LWCAP\r\n"

enum {
    LW_CAPTURE_MAGIC_SIZE = 8,
    LW_CAPTURE_HEAD = 16, /* magic, version, count of sections */
    LW_CAPTURE_VERSION = 1,
    LW_CAPTURE_SECTION = 16, /* kind, zero, size */
    LW_CAPTURE_WORDS = 13,   /* of the launch */
    LW_CAPTURE_PIECE = 24,   /* address, size, length of the name, what follows */
};

enum {
    LW_SECTION_LAUNCH = 1,
    LW_SECTION_KERNEL,
    LW_SECTION_TARGET,
    LW_SECTION_API,
    LW_SECTION_OUTCOME,
    LW_SECTION_ABOUT,
    LW_SECTION_CODE,
    LW_SECTION_ARGS,
    LW_SECTION_PIECE,
    LW_SECTIONS_ONCE = LW_SECTION_ARGS,
};

enum { LW_PIECE_BEFORE, LW_PIECE_SAME, LW_PIECE_BOTH };

static inline uint64_t lw_capture_padded(uint64_t size)
{
    return (size + 7) / 8 * 8;
}

#define LW_FNV_FIRST UINT64_C(0xcbf29ce484222325)

static inline uint64_t lw_fnv(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ b[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* What a file may hold: the same for the reader and the writer. */
lw_status lw_capture_check(const lw_capture *capture, lw_error *error);

#endif
