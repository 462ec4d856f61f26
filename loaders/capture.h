/* SPDX-License-Identifier: MIT */
/* The parts of a file that holds a captured launch: include/lanewise/capture.h describes it. */
#ifndef LW_LOADERS_CAPTURE_H
#define LW_LOADERS_CAPTURE_H

#include <lanewise/capture.h>

#include "loaders/sections.h"

#define LW_CAPTURE_MAGIC "\x89LWCAP\r\n"

enum {
    LW_CAPTURE_WORDS = 13, /* of the launch */
    LW_CAPTURE_PIECE = 24, /* address, size, length of the name, what follows */
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

/* What a file may hold: the same for the reader and the writer. */
lw_status lw_capture_check(const lw_capture *capture, lw_error *error);

#endif
