/* SPDX-License-Identifier: MIT */
/* The parts of a file that holds a part of a launch: include/lanewise/part.h describes it. */
#ifndef LW_LOADERS_PART_H
#define LW_LOADERS_PART_H

#include <lanewise/part.h>

#include "loaders/sections.h"

#define LW_PART_MAGIC "\x89LWPAR\r\n"

enum {
    LW_PART_HEAD = 40,   /* number, count, launch */
    LW_PART_PIECE = 56,  /* six sizes, fill, zero */
    LW_PART_ONCE = 2,    /* sections that are there once */
    LW_LEB128_MOST = 10, /* bytes of a number of 64 bits */
};

enum { LW_SECTION_PART = 1, LW_SECTION_PART_ABOUT, LW_SECTION_PART_PIECE };

/* How many bytes the runs have in all. */
uint64_t lw_runs_bytes(const lw_byte_run *runs, size_t count);

/* What a file may hold: the same for the reader, the writer and lw_launch_parts_join. */
lw_status lw_launch_part_check(const lw_launch_part *part, lw_error *error);

#endif
