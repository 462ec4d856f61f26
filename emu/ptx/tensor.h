/* SPDX-License-Identifier: MIT */
/* Tensor maps as the copies read them, and the pieces of a copy. */
#ifndef LW_EMU_PTX_TENSOR_H
#define LW_EMU_PTX_TENSOR_H

#include "emu/ptx/bulk.h"

enum { LW_PTX_DIMS = 5, LW_PTX_MAP_BYTES = 128 };

/* What a map is for: a tile, or pixels of one of the three modes. */
typedef enum lw_im2col {
    LW_IM2COL_NONE,
    LW_IM2COL_SPACE,
    LW_IM2COL_W,
    LW_IM2COL_W128,
} lw_im2col;

typedef struct lw_ptx_tensor {
    uint64_t base, dim[LW_PTX_DIMS],
        stride[LW_PTX_DIMS];       /* bytes to the next element; 0: an element's size */
    uint32_t box[LW_PTX_DIMS];     /* elements that are copied; im2col: only [0], the channels of a pixel */
    uint32_t step[LW_PTX_DIMS];    /* their distance in the tensor; im2col: that of the pixels */
    uint32_t rank, bytes, swizzle; /* bytes: per element; swizzle: 0 none, 1 32 bytes, 2 64, 3 128, 4 96 */
    uint32_t pieces;               /* of a swizzle of 128 bytes: 0 16 bytes, 1 32, 2 64 */
    bool flips;                    /* with pieces of 32 bytes: halves of 16 bytes change places */
    uint32_t pitch;                /* bytes from row to row of the box in shared memory */
    uint32_t code;                 /* of the elements' type, as a map has it */
    lw_im2col mode;
    int32_t lower[LW_PTX_DIMS - 2], upper[LW_PTX_DIMS - 2]; /* im2col: the corners of the pixels' box */
    uint32_t pixels;
} lw_ptx_tensor;

/* Where a copy begins; im2col: what is added to the coordinates of each pixel. */
typedef struct lw_ptx_corner {
    int64_t at[LW_PTX_DIMS], plus[LW_PTX_DIMS - 2];
    uint32_t count;   /* of coordinates */
    uint32_t offsets; /* operands of im2col behind them */
    uint32_t halo;    /* im2col::w: pixels more, at the end; im2col::w::128: after each 32 */
    bool rows;        /* four rows of a table: at[1] to at[4] */
    bool pairs;       /* .cta_group::2: the mbarrier may be in the other block of a pair */
} lw_ptx_corner;

/* Adds one row, elements of dimension 0 from `first` on, to a copy between `row` in global memory and
 * `shared`. `inside`: the other coordinates are. False: no host memory. */
bool lw_ptx_tensor_row(lw_copy *copy, unsigned lane, const lw_ptx_tensor *t, uint64_t shared, uint64_t row,
                       int64_t first, bool inside, uint8_t kind);

/* cp.async.bulk.tensor out of shared memory. */
lw_ptx_exec lw_ptx_tensor_out;

/* ---- tensor_reduce.c ---- */

/* Is `r` a reduction that combines elements of the map's type? Otherwise a fault has been reported; copies
 * are fine with any type. */
bool lw_ptx_tensor_reduces(lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, uint32_t code);

/* The reduction as a record with the type of its elements. */
lw_ptx_record lw_ptx_tensor_typed(const lw_ptx_record *r, uint32_t code);

/* ---- im2col.c ---- */

/* Reads what a map says beyond the tensor; `map` has LW_PTX_MAP_BYTES. False: a number out of its range. */
bool lw_ptx_im2col_read(const uint8_t *map, lw_ptx_tensor *t);

/* Does the first pixel lie in the box of pixels, or before it in .im2col::w, and are halo and offset in their
 * ranges? Otherwise a fault has been reported. */
bool lw_ptx_im2col_begins(lw_ptx_warp *w, unsigned lane, const lw_ptx_tensor *t, const lw_ptx_corner *corner);

/* How many pixels a copy takes, halo included. */
uint32_t lw_ptx_im2col_pixels(const lw_ptx_tensor *t, const lw_ptx_corner *corner);

/* Adds the pixels. False: no host memory. */
bool lw_ptx_im2col_add(lw_copy *copy, unsigned lane, const lw_ptx_tensor *t, uint64_t shared,
                       const lw_ptx_corner *corner, uint8_t kind);

#endif
