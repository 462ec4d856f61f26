/* SPDX-License-Identifier: MIT */
/*
 * Arrays in tiles, as MLIR's linalg.pack and linalg.unpack lay them out: the tiles of an array one after the
 * other, each with its elements together, so that one operand of a matrix instruction is one piece of memory.
 *
 * dest[o.., i..]: of the first `rank` dimensions, dimension x counts the tiles of source dimension perm[x];
 * then follows, for each tile size and in the order of pos, one dimension that counts elements inside the
 * tile. Source index of dimension d = o * tile + i (a dimension without a tile: o). For mmt4d, A (M x K) is
 * packed with pos 0,1 and tiles M0,K0; B (K x N) with perm 1,0, pos 1,0 and tiles N0,K0; C (M x N) with pos
 * 0,1 and tiles M0,N0.
 */
#ifndef LANEWISE_PACK_H
#define LANEWISE_PACK_H

#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/sink.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LW_PACK_DIMS = 8 };

/* A plain value and frozen. */
typedef struct lw_pack {
    uint32_t rank, tiles;         /* dimensions of the source, 1 to LW_PACK_DIMS; of them with a tile */
    uint64_t shape[LW_PACK_DIMS]; /* of the source */
    uint32_t pos[LW_PACK_DIMS];   /* which dimension each tile is of, each once */
    uint64_t tile[LW_PACK_DIMS];  /* elements of the tile along it */
    uint32_t perm[LW_PACK_DIMS];  /* the order of the tiles' dimensions: 0, 1, .. where it is not changed */
} lw_pack;

/*
 * The packed array's shape, of rank + tiles dimensions: the tiles along a dimension are rounded up.
 * LW_E_ARGUMENT with a sentence for an invalid packing: a dimension with two tiles, a tile of 0, an order
 * that is not a permutation, more than 2^48 elements.
 */
LW_API lw_status lw_pack_shape(const lw_pack *pack, uint64_t shape[2 * LW_PACK_DIMS], lw_error *error);

/*
 * Fills `packed` from `source`, elements of `size` bytes in C order; places outside the source get the
 * element at `padding`. NULL: LW_E_UNSUPPORTED if some tiles are not full. The arrays must not
 * overlap.
 */
LW_API lw_status lw_pack_array(const lw_pack *pack, const void *source, size_t size, const void *padding,
                               void *packed, lw_error *error);

/* The inverse: fills `source`; padding is dropped. */
LW_API lw_status lw_unpack_array(const lw_pack *pack, const void *packed, size_t size, void *source,
                                 lw_error *error);

/*
 * Writes two lines: where an element is, as an expression of d0, d1 ..: "offset = ((d0/4*2 + d1/3)*4 +
 * d0%4)*3 + d1%3"; and the same as a CuTe layout, "((4,2),(3,2)):((3,24),(1,12))".
 */
LW_API lw_status lw_pack_print(const lw_pack *pack, lw_sink sink, void *context, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
