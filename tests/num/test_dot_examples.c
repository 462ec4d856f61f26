/* SPDX-License-Identifier: MIT */
/*
 * Worked examples of AMD's dot units. 1..23 have the numbers of docs/numerics.md: computed with the published
 * models of arXiv 2511.10909 (1 is the vector of its Table 8). From 100 on: results captured from a gfx1100
 * and a gfx1201 (rocjitsu's fixtures).
 */
#include <check.h>
#include <stdlib.h>

#include "num/dot_amd.h"

enum { NAN32 = 0x7fc00000 };

typedef struct example {
    int number;
    lw_dot_unit_id unit;
    lw_format_id format;
    uint32_t a[4], b[4];
    int count; /* the rest of a and b is zero */
    uint32_t c, d;
} example;

/* clang-format off */
static const example examples[] = {
    { 1, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0xf000, 0xb800, 0xb400, 0xb000 }, { 0x6400, 0x3c00, 0x3c00, 0x3c00 }, 8, 0x4b000000, 0xbf600000 },
    { 1, LW_UNIT_TREE4, LW_FORMAT_F16, { 0xf000, 0xb800, 0xb400, 0xb000 }, { 0x6400, 0x3c00, 0x3c00, 0x3c00 }, 8, 0x4b000000, 0x00000000 },
    { 1, LW_UNIT_TR8, LW_FORMAT_F16, { 0xf000, 0xb800, 0xb400, 0xb000 }, { 0x6400, 0x3c00, 0x3c00, 0x3c00 }, 8, 0x4b000000, 0xbf000000 },
    { 2, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x3c00 }, { 0x3c00 }, 8, 0xb0000000, 0x3f800000 },
    { 2, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x3c00 }, { 0x3c00 }, 8, 0xb0000000, 0x3f800000 },
    { 2, LW_UNIT_TR8, LW_FORMAT_F16, { 0x3c00 }, { 0x3c00 }, 8, 0xb0000000, 0x3f7fffff },
    { 3, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x3c00 }, { 0x3c00 }, 8, 0x80000001, 0x3f800000 },
    { 3, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x3c00 }, { 0x3c00 }, 8, 0x80000001, 0x3f800000 },
    { 3, LW_UNIT_TR8, LW_FORMAT_F16, { 0x3c00 }, { 0x3c00 }, 8, 0x80000001, 0x3f7fffff },
    { 4, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x3c00 }, { 0x3c00 }, 8, 0x33ffffff, 0x3f800001 },
    { 4, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x3c00 }, { 0x3c00 }, 8, 0x33ffffff, 0x3f800001 },
    { 4, LW_UNIT_TR8, LW_FORMAT_F16, { 0x3c00 }, { 0x3c00 }, 8, 0x33ffffff, 0x3f800000 },
    { 5, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x0001 }, { 0x3c00 }, 8, 0x00000000, 0x33800000 },
    { 5, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x0001 }, { 0x3c00 }, 8, 0x00000000, 0x00000000 },
    { 5, LW_UNIT_TR8, LW_FORMAT_F16, { 0x0001 }, { 0x3c00 }, 8, 0x00000000, 0x33800000 },
    { 6, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x0001 }, { 0x0001 }, 8, 0x00000000, 0x27800000 },
    { 6, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x0001 }, { 0x0001 }, 8, 0x00000000, 0x00000000 },
    { 6, LW_UNIT_TR8, LW_FORMAT_F16, { 0x0001 }, { 0x0001 }, 8, 0x00000000, 0x27800000 },
    { 7, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x83ff, 0x3c00 }, { 0x3c00, 0x0400 }, 8, 0x00000000, 0x33800000 },
    { 7, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x83ff, 0x3c00 }, { 0x3c00, 0x0400 }, 8, 0x00000000, 0x38800000 },
    { 7, LW_UNIT_TR8, LW_FORMAT_F16, { 0x83ff, 0x3c00 }, { 0x3c00, 0x0400 }, 8, 0x00000000, 0x33800000 },
    { 8, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x0 }, { 0x0 }, 8, 0x007fffff, 0x007fffff },
    { 8, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x0 }, { 0x0 }, 8, 0x007fffff, 0x00000000 },
    { 8, LW_UNIT_TR8, LW_FORMAT_F16, { 0x0 }, { 0x0 }, 8, 0x007fffff, 0x007fffff },
    { 9, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x7bff, 0xfbff, 0x0001 }, { 0x7bff, 0x7bff, 0x0001 }, 8, 0x00000000, 0x27800000 },
    { 9, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x7bff, 0xfbff, 0x0001 }, { 0x7bff, 0x7bff, 0x0001 }, 8, 0x00000000, 0x00000000 },
    { 9, LW_UNIT_TR8, LW_FORMAT_F16, { 0x7bff, 0xfbff, 0x0001 }, { 0x7bff, 0x7bff, 0x0001 }, 8, 0x00000000, 0x00000000 },
    { 10, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x7400, 0xf400, 0x1400 }, { 0x7400, 0x7400, 0x1c00 }, 8, 0x00000000, 0x36800000 },
    { 10, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x7400, 0xf400, 0x1400 }, { 0x7400, 0x7400, 0x1c00 }, 8, 0x00000000, 0x36800000 },
    { 10, LW_UNIT_TR8, LW_FORMAT_F16, { 0x7400, 0xf400, 0x1400 }, { 0x7400, 0x7400, 0x1c00 }, 8, 0x00000000, 0x00000000 },
    { 11, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x6c00, 0x1000, 0xec00, 0x1000 }, { 0x6c00, 0x1000, 0x6c00, 0x1000 }, 8, 0x00000000, 0x35000000 },
    { 11, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x6c00, 0x1000, 0xec00, 0x1000 }, { 0x6c00, 0x1000, 0x6c00, 0x1000 }, 8, 0x00000000, 0x00000000 },
    { 11, LW_UNIT_TR8, LW_FORMAT_F16, { 0x6c00, 0x1000, 0xec00, 0x1000 }, { 0x6c00, 0x1000, 0x6c00, 0x1000 }, 8, 0x00000000, 0x00000000 },
    { 12, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x3c00, 0x2000 }, { 0x3c00, 0x3c00 }, 8, 0x4b800004, 0x4b800005 },
    { 12, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x3c00, 0x2000 }, { 0x3c00, 0x3c00 }, 8, 0x4b800004, 0x4b800005 },
    { 12, LW_UNIT_TR8, LW_FORMAT_F16, { 0x3c00, 0x2000 }, { 0x3c00, 0x3c00 }, 8, 0x4b800004, 0x4b800005 },
    { 13, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x3c00, 0x1c00 }, { 0x3c00, 0x3c00 }, 8, 0x4b800004, 0x4b800005 },
    { 13, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x3c00, 0x1c00 }, { 0x3c00, 0x3c00 }, 8, 0x4b800004, 0x4b800005 },
    { 13, LW_UNIT_TR8, LW_FORMAT_F16, { 0x3c00, 0x1c00 }, { 0x3c00, 0x3c00 }, 8, 0x4b800004, 0x4b800004 },
    { 14, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x8000 }, { 0x3c00 }, 8, 0x80000000, 0x00000000 },
    { 14, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x8000 }, { 0x3c00 }, 8, 0x80000000, 0x00000000 },
    { 14, LW_UNIT_TR8, LW_FORMAT_F16, { 0x8000 }, { 0x3c00 }, 8, 0x80000000, 0x00000000 },
    { 15, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x7c00 }, { 0x0000 }, 8, 0x3f800000, NAN32 },
    { 15, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x7c00 }, { 0x0000 }, 8, 0x3f800000, NAN32 },
    { 15, LW_UNIT_TR8, LW_FORMAT_F16, { 0x7c00 }, { 0x0000 }, 8, 0x3f800000, NAN32 },
    { 16, LW_UNIT_EXACT4, LW_FORMAT_F16, { 0x7c00 }, { 0x3c00 }, 8, 0xff800000, NAN32 },
    { 16, LW_UNIT_TREE4, LW_FORMAT_F16, { 0x7c00 }, { 0x3c00 }, 8, 0xff800000, NAN32 },
    { 16, LW_UNIT_TR8, LW_FORMAT_F16, { 0x7c00 }, { 0x3c00 }, 8, 0xff800000, NAN32 },
    { 17, LW_UNIT_EXACT2, LW_FORMAT_BF16, { 0xc600, 0xbf00, 0xbe80, 0xbe00 }, { 0x4480, 0x3f80, 0x3f80, 0x3f80 }, 8, 0x4b000000, 0xbf600000 },
    { 17, LW_UNIT_TREE2, LW_FORMAT_BF16, { 0xc600, 0xbf00, 0xbe80, 0xbe00 }, { 0x4480, 0x3f80, 0x3f80, 0x3f80 }, 8, 0x4b000000, 0xbec00000 },
    { 17, LW_UNIT_TREE4, LW_FORMAT_BF16, { 0xc600, 0xbf00, 0xbe80, 0xbe00 }, { 0x4480, 0x3f80, 0x3f80, 0x3f80 }, 8, 0x4b000000, 0x00000000 },
    { 17, LW_UNIT_TR8, LW_FORMAT_BF16, { 0xc600, 0xbf00, 0xbe80, 0xbe00 }, { 0x4480, 0x3f80, 0x3f80, 0x3f80 }, 8, 0x4b000000, 0xbf000000 },
    { 18, LW_UNIT_EXACT2, LW_FORMAT_BF16, { 0x7f00, 0xff00 }, { 0x4000, 0x4000 }, 8, 0x3f800000, 0x3f800000 },
    { 18, LW_UNIT_TREE2, LW_FORMAT_BF16, { 0x7f00, 0xff00 }, { 0x4000, 0x4000 }, 8, 0x3f800000, NAN32 },
    { 18, LW_UNIT_TREE4, LW_FORMAT_BF16, { 0x7f00, 0xff00 }, { 0x4000, 0x4000 }, 8, 0x3f800000, NAN32 },
    { 18, LW_UNIT_TR8, LW_FORMAT_BF16, { 0x7f00, 0xff00 }, { 0x4000, 0x4000 }, 8, 0x3f800000, NAN32 },
    { 19, LW_UNIT_EXACT2, LW_FORMAT_BF16, { 0x7f00, 0xff00 }, { 0x4000, 0x3f80 }, 8, 0x00000000, 0x7f000000 },
    { 19, LW_UNIT_TREE2, LW_FORMAT_BF16, { 0x7f00, 0xff00 }, { 0x4000, 0x3f80 }, 8, 0x00000000, 0x7f800000 },
    { 19, LW_UNIT_TREE4, LW_FORMAT_BF16, { 0x7f00, 0xff00 }, { 0x4000, 0x3f80 }, 8, 0x00000000, 0x7f800000 },
    { 19, LW_UNIT_TR8, LW_FORMAT_BF16, { 0x7f00, 0xff00 }, { 0x4000, 0x3f80 }, 8, 0x00000000, 0x7f800000 },
    { 20, LW_UNIT_EXACT2, LW_FORMAT_BF16, { 0x7f00, 0x7f00, 0xff00 }, { 0x3f80, 0x3f80, 0x3f80 }, 8, 0x00000000, 0x7f800000 },
    { 20, LW_UNIT_TREE2, LW_FORMAT_BF16, { 0x7f00, 0x7f00, 0xff00 }, { 0x3f80, 0x3f80, 0x3f80 }, 8, 0x00000000, 0x7f800000 },
    { 20, LW_UNIT_TREE4, LW_FORMAT_BF16, { 0x7f00, 0x7f00, 0xff00 }, { 0x3f80, 0x3f80, 0x3f80 }, 8, 0x00000000, 0x7f800000 },
    { 20, LW_UNIT_TR8, LW_FORMAT_BF16, { 0x7f00, 0x7f00, 0xff00 }, { 0x3f80, 0x3f80, 0x3f80 }, 8, 0x00000000, 0x7f000000 },
    { 21, LW_UNIT_EXACT2, LW_FORMAT_BF16, { 0x0080, 0x0001 }, { 0x3f00, 0x3f80 }, 8, 0x00000000, 0x00410000 },
    { 21, LW_UNIT_TREE2, LW_FORMAT_BF16, { 0x0080, 0x0001 }, { 0x3f00, 0x3f80 }, 8, 0x00000000, 0x00000000 },
    { 21, LW_UNIT_TREE4, LW_FORMAT_BF16, { 0x0080, 0x0001 }, { 0x3f00, 0x3f80 }, 8, 0x00000000, 0x00000000 },
    { 21, LW_UNIT_TR8, LW_FORMAT_BF16, { 0x0080, 0x0001 }, { 0x3f00, 0x3f80 }, 8, 0x00000000, 0x00410000 },
    { 22, LW_UNIT_EXACT2, LW_FORMAT_BF16, { 0x8080 }, { 0x3380 }, 8, 0x00000000, 0x00000000 },
    { 22, LW_UNIT_TREE2, LW_FORMAT_BF16, { 0x8080 }, { 0x3380 }, 8, 0x00000000, 0x00000000 },
    { 22, LW_UNIT_TREE4, LW_FORMAT_BF16, { 0x8080 }, { 0x3380 }, 8, 0x00000000, 0x00000000 },
    { 22, LW_UNIT_TR8, LW_FORMAT_BF16, { 0x8080 }, { 0x3380 }, 8, 0x00000000, 0x80000000 },
    { 23, LW_UNIT_EXACT2, LW_FORMAT_BF16, { 0x0080 }, { 0x3f80 }, 8, 0x80c00000, 0x80400000 },
    { 23, LW_UNIT_TREE2, LW_FORMAT_BF16, { 0x0080 }, { 0x3f80 }, 2, 0x80c00000, 0x80000000 },
    { 23, LW_UNIT_TREE4, LW_FORMAT_BF16, { 0x0080 }, { 0x3f80 }, 4, 0x80c00000, 0x80000000 },
    { 23, LW_UNIT_TREE2, LW_FORMAT_BF16, { 0x0080 }, { 0x3f80 }, 4, 0x80c00000, 0x00000000 },
    { 23, LW_UNIT_TREE4, LW_FORMAT_BF16, { 0x0080 }, { 0x3f80 }, 8, 0x80c00000, 0x00000000 },
    { 23, LW_UNIT_TR8, LW_FORMAT_BF16, { 0x0080 }, { 0x3f80 }, 8, 0x80c00000, 0x80400000 },
    { 100, LW_UNIT_ONES2, LW_FORMAT_F16, { 0x4200, 0x4800 }, { 0x4800, 0x4400 }, 2, 0xbf800000, 0x425c0001 },
    { 101, LW_UNIT_PAIRS2, LW_FORMAT_F16, { 0x4200, 0x4800 }, { 0x4800, 0x4400 }, 2, 0xbf800000, 0x425c0000 },
    { 102, LW_UNIT_ONES2, LW_FORMAT_F16, { 0xc200, 0xc800 }, { 0x4800, 0x4400 }, 2, 0x3f800000, 0xc25c0001 },
    { 103, LW_UNIT_PAIRS2, LW_FORMAT_F16, { 0xc200, 0xc800 }, { 0x4800, 0x4400 }, 2, 0x3f800000, 0xc25c0000 },
    { 104, LW_UNIT_ONES2, LW_FORMAT_F16, { 0xbc00, 0x3c00 }, { 0x3c00, 0x3c00 }, 2, 0x3f800000, 0x3f7fffff },
    { 105, LW_UNIT_PAIRS2, LW_FORMAT_F16, { 0xbc00, 0x3c00 }, { 0x3c00, 0x3c00 }, 2, 0x3f800000, 0x3f800000 },
    { 106, LW_UNIT_ONES2, LW_FORMAT_F16, { 0x3c00, 0x3c00 }, { 0x3c00, 0x3c00 }, 2, 0xc0000000, 0x34000000 },
    { 107, LW_UNIT_PAIRS2, LW_FORMAT_F16, { 0x3c00, 0x3c00 }, { 0x3c00, 0x3c00 }, 2, 0xc0000000, 0x00000000 },
    { 108, LW_UNIT_ONES2, LW_FORMAT_F16, { 0x4000, 0x3c00 }, { 0x3c00, 0x3c00 }, 2, 0xc0000000, 0x3f800002 },
    { 109, LW_UNIT_PAIRS2, LW_FORMAT_F16, { 0x4000, 0x3c00 }, { 0x3c00, 0x3c00 }, 2, 0xc0000000, 0x3f800000 },
    { 110, LW_UNIT_ONES2, LW_FORMAT_F16, { 0xc800, 0x4800 }, { 0x4800, 0x4800 }, 2, 0x3f800000, 0x3f7fffc0 },
    { 111, LW_UNIT_PAIRS2, LW_FORMAT_F16, { 0xc800, 0x4800 }, { 0x4800, 0x4800 }, 2, 0x3f800000, 0x3f800000 },
    { 112, LW_UNIT_ONES2, LW_FORMAT_F16, { 0xbc00, 0x3c00 }, { 0x0000, 0x3c00 }, 2, 0x00000000, 0x3f7fffff },
    { 113, LW_UNIT_ONES2, LW_FORMAT_F16, { 0x3c00, 0x3c00 }, { 0x0000, 0x3c00 }, 2, 0x80000000, 0x3f800001 },
    { 114, LW_UNIT_ONES2, LW_FORMAT_F16, { 0x0001, 0x0000 }, { 0x8001, 0x3c00 }, 2, 0x00000000, 0xa7880000 },
    { 115, LW_UNIT_PAIRS2, LW_FORMAT_F16, { 0x0001, 0x0000 }, { 0x8001, 0x3c00 }, 2, 0x00000000, 0xa7800000 },
    { 116, LW_UNIT_ONES2, LW_FORMAT_F16, { 0x4d6c, 0xcd6c }, { 0x78af, 0x78af }, 2, 0x00000000, 0xbd000000 },
    { 117, LW_UNIT_ONES2, LW_FORMAT_F16, { 0xf3f3, 0x058e }, { 0x1c4a, 0x2b24 }, 2, 0xb8eed486, 0xc2886106 },
    { 118, LW_UNIT_ONES2, LW_FORMAT_F16, { 0x7e01, 0x3c00 }, { 0x3c00, 0x3c00 }, 2, 0x00000000, 0xffc00a3d },
    { 119, LW_UNIT_PAIRS2, LW_FORMAT_F16, { 0x7e01, 0x3c00 }, { 0x3c00, 0x3c00 }, 2, 0x00000000, 0xffc00a3d },
    { 120, LW_UNIT_ONES2, LW_FORMAT_F16, { 0x7c00, 0x3c00 }, { 0x0000, 0x3c00 }, 2, 0x00000000, 0xffc00000 },
    { 121, LW_UNIT_PAIRS2, LW_FORMAT_F16, { 0x7c00, 0x3c00 }, { 0x0000, 0x3c00 }, 2, 0x00000000, 0xffc00000 },
    { 122, LW_UNIT_ONES2F, LW_FORMAT_BF16, { 0x0001, 0x0000 }, { 0x4980, 0x3f80 }, 2, 0x00000000, 0x00000000 },
    { 123, LW_UNIT_PAIRS2, LW_FORMAT_BF16, { 0x0001, 0x0000 }, { 0x4980, 0x3f80 }, 2, 0x00000000, 0x07000000 },
    { 124, LW_UNIT_ONES2F, LW_FORMAT_BF16, { 0x0700, 0x0000 }, { 0x3f80, 0x3f80 }, 2, 0x00000000, 0x07000000 },
    { 125, LW_UNIT_ONES2F, LW_FORMAT_BF16, { 0x0080, 0x0080 }, { 0x3f00, 0x3f00 }, 2, 0x00000000, 0x00800000 },
    { 126, LW_UNIT_ONES2F, LW_FORMAT_BF16, { 0x0000, 0x0080 }, { 0x8000, 0x3f80 }, 2, 0x00000000, 0x00000000 },
    { 127, LW_UNIT_PAIRS2, LW_FORMAT_BF16, { 0x0000, 0x0080 }, { 0x8000, 0x3f80 }, 2, 0x00000000, 0x00800000 },
    { 128, LW_UNIT_ONES2F, LW_FORMAT_BF16, { 0x0000, 0x0080 }, { 0x8000, 0x3f80 }, 2, 0x00000001, 0x00000000 },
    { 129, LW_UNIT_PAIRS2, LW_FORMAT_BF16, { 0x0000, 0x0080 }, { 0x8000, 0x3f80 }, 2, 0x00000001, 0x00800001 },
    { 130, LW_UNIT_ONES2F, LW_FORMAT_BF16, { 0x629b, 0xc395 }, { 0x3359, 0xd963 }, 2, 0xdc60025c, 0x5d504185 },
    { 131, LW_UNIT_PAIRS2, LW_FORMAT_BF16, { 0x629b, 0xc395 }, { 0x3359, 0xd963 }, 2, 0xdc60025c, 0x5d504184 },
    { 132, LW_UNIT_ONES2F, LW_FORMAT_BF16, { 0x7f7f, 0xff7f }, { 0x7f7f, 0x7f7f }, 2, 0x00000000, 0xff800000 },
    { 133, LW_UNIT_PAIRS2, LW_FORMAT_BF16, { 0x7f7f, 0xff7f }, { 0x7f7f, 0x7f7f }, 2, 0x00000000, 0x00000000 },
    { 134, LW_UNIT_PAIRS2, LW_FORMAT_BF16, { 0xbc39, 0x2061 }, { 0x0093, 0x96b4 }, 2, 0x0056dd77, 0x00553463 },
    { 135, LW_UNIT_PAIRS2, LW_FORMAT_BF16, { 0xbc8c, 0x0364 }, { 0x8385, 0x3c46 }, 2, 0x807ffffe, 0x0069a402 },
};
/* clang-format on */

START_TEST(one_example)
{
    const example *e = &examples[_i];
    uint32_t a[CHAIN_MAX] = { 0 }, b[CHAIN_MAX] = { 0 };
    for (int k = 0; k < 4; k++) {
        a[k] = e->a[k];
        b[k] = e->b[k];
    }
    const uint32_t d = run_chain(e->unit, e->format, e->format, LW_ACC_F32, false, a, b, e->count, e->c);
    ck_assert_msg(d == e->d, "example %d, %s: %08x instead of %08x", e->number, lw_dot_units[e->unit].name, d,
                  e->d);
}
END_TEST

/*
 * f16 C and D, FP16_OVFL: two products of 65504*2, later -65504. The overflow of the first step is 65504, so
 * that the rest cancels; on gfx11 the one's complement leaves a trace. Captured from a gfx1100 and a gfx1201.
 */
START_TEST(clamped_overflow)
{
    static const struct {
        lw_dot_unit_id unit;
        uint32_t flip, d;
    } rows[] = {
        { LW_UNIT_PAIRS4, 0, 0x0000 },
        { LW_UNIT_PAIRS4, 0x8000, 0x0000 },
        { LW_UNIT_ONES2, 0, 0x9800 },
        { LW_UNIT_ONES2, 0x8000, 0x1c00 },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint32_t f = rows[i].flip;
        const uint32_t a[CHAIN_MAX] = { 0x7bff ^ f, 0x7bff ^ f, 0, 0, 0xfbff ^ f },
                       b[CHAIN_MAX] = { 0x4000, 0x4000, 0, 0, 0x3c00 };
        const uint32_t d =
            run_chain(rows[i].unit, LW_FORMAT_F16, LW_FORMAT_F16, LW_ACC_F16, true, a, b, CHAIN_MAX, 0);
        ck_assert_msg(d == rows[i].d, "row %zu: %04x instead of %04x", i, d, rows[i].d);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("num_dot_examples");
    TCase *tc = tcase_create("examples");
    tcase_add_loop_test(tc, one_example, 0, (int)(sizeof(examples) / sizeof(examples[0])));
    tcase_add_test(tc, clamped_overflow);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
