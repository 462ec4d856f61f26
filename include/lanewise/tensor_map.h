/* SPDX-License-Identifier: MIT */
/*
 * Tensor maps describe an array in global memory to the tensor copies of sm_90 and later
 * (cp.async.bulk.tensor). A kernel takes a map as a parameter of 128 bytes (CUtensorMap in CUDA C++). On a
 * GPU the driver makes them (cuTensorMapEncodeTiled); here lw_tensor_map_encode does. Every field is where
 * the code that ptxas 13.0 generates for tensormap.replace writes it, so kernels that change fields work as
 * well.
 *
 * Dimension 0 is the one whose elements are contiguous: a C array t[rows][columns] has dims { columns, rows
 * }.
 */
#ifndef LANEWISE_TENSOR_MAP_H
#define LANEWISE_TENSOR_MAP_H

#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LW_TENSOR_DIMS = 5, LW_TENSOR_MAP_BYTES = 128 };

/* Element types, with CUDA's numbers (CUtensorMapDataType). A copy moves bits, so only their size matters. */
typedef enum lw_tensor_type {
    LW_TENSOR_U8 = 0,
    LW_TENSOR_U16 = 1,
    LW_TENSOR_U32 = 2,
    LW_TENSOR_I32 = 3,
    LW_TENSOR_U64 = 4,
    LW_TENSOR_I64 = 5,
    LW_TENSOR_F16 = 6,
    LW_TENSOR_F32 = 7,
    LW_TENSOR_F64 = 8,
    LW_TENSOR_BF16 = 9,
} lw_tensor_type;

enum { LW_TENSOR_ATOM_32 = 0x2000, LW_TENSOR_ATOM_64 = 0x4000, LW_TENSOR_FLIP_8 = 0x8000 };

/* A plain value and frozen. */
typedef struct lw_tensor_map {
    lw_tensor_type type;
    uint32_t rank;                    /* 1 to 5 */
    uint64_t address;                 /* of element 0, in device memory; a multiple of 16 */
    uint64_t dims[LW_TENSOR_DIMS];    /* elements, 1 to 2^32 */
    uint64_t strides[LW_TENSOR_DIMS]; /* bytes from one index of a dimension to the next: multiples of 16
                                         below 2^40; that of dimension 0 is ignored, an element's size */
    uint32_t box[LW_TENSOR_DIMS];     /* elements that a copy spans, 1 to 256; the innermost ones together a
                                         multiple of 16 bytes, and at most `swizzle` bytes if that is not 0 */
    uint32_t steps[LW_TENSOR_DIMS];   /* a copy takes each second, third, ... of them, 1 to 8; 0 is 1;
                                         that of dimension 0 is 1 */
    uint32_t swizzle; /* 0, 32, 64, 96 or 128: the bytes of shared memory within which 16-byte pieces are
                         permuted; or 128 with LW_TENSOR_ATOM_32 or _64: pieces of 32 or 64 bytes are; or 128
                         with LW_TENSOR_ATOM_32 and LW_TENSOR_FLIP_8, for copies into shared memory only: and
                         in odd lines of 128 bytes the halves of 16 bytes change places (PTX ISA 9.1,
                         "Swizzling Modes" and .swizzle_atomicity; pieces need sm_100, 96 needs sm_103a) */
} lw_tensor_map;

/*
 * Inferred, as NVIDIA's text leaves it open: in shared memory, rows of a box that are narrower than the
 * swizzle are the swizzle's bytes apart (the CUDA programming guide asks for room for its full width), with
 * 96 so 96; which lines LW_TENSOR_FLIP_8 changes.
 */

/* Sets `strides` to those of an array without gaps, from `type`, `rank` and `dims`. */
LW_API void lw_tensor_map_pack_strides(lw_tensor_map *map);

/* Bytes of one element; 0 for a value outside the enumeration. */
LW_API size_t lw_tensor_type_size(lw_tensor_type type);

/*
 * Writes the 128 bytes. LW_E_ARGUMENT, with a sentence that names the field, where a rule above is broken:
 * the driver refuses such maps too. Not supported: interleaved layouts, filling with NaN, tf32, packed
 * elements of 4 and 6 bits.
 */
LW_API lw_status lw_tensor_map_encode(const lw_tensor_map *map, uint8_t bytes[LW_TENSOR_MAP_BYTES],
                                      lw_error *error);

enum { LW_TENSOR_SPACE = LW_TENSOR_DIMS - 2 };

/*
 * Maps of pixels, for copies with .im2col (cuTensorMapEncodeIm2col). The tensor has channels in dimension 0,
 * then one to three dimensions of space, then images. A copy takes `channels` of each of `pixels` pixels: it
 * walks from its coordinates in steps through the pixels from `lower` to size - 1 + `upper` of each dimension
 * of space, the first of them fastest, from image to image; pixels that lie outside the tensor once its
 * offsets are added are zeros. A plain value and frozen.
 */
typedef struct lw_tensor_im2col {
    int32_t lower[LW_TENSOR_SPACE]; /* by dimension of space: -2^15 to 2^15 - 1 where there is one, -128 to */
    int32_t upper[LW_TENSOR_SPACE]; /* 127 where there are two, -16 to 15 where there are three */
    uint32_t channels;              /* 1 to 256; together as lw_tensor_map.box[0] */
    uint32_t pixels;                /* 1 to 1024 */
} lw_tensor_im2col;

/*
 * Writes the 128 bytes of a map of pixels: of `map`, `box` is not used, and `steps` are those of the walk, 1
 * for channels and images. The driver's places for these numbers are not published: kernels can pass such a
 * map on, but not change it. LW_E_ARGUMENT as above.
 */
LW_API lw_status lw_tensor_map_encode_im2col(const lw_tensor_map *map, const lw_tensor_im2col *pixels,
                                             uint8_t bytes[LW_TENSOR_MAP_BYTES], lw_error *error);

/* CUDA's numbers (CUtensorMapIm2ColWideMode). */
typedef enum lw_tensor_wide {
    LW_TENSOR_WIDE_W = 0,
    LW_TENSOR_WIDE_W128 = 1,
} lw_tensor_wide;

/*
 * Maps of pixels for copies with .im2col::w or .im2col::w::128 (cuTensorMapEncodeIm2colWide; sm_100a on): the
 * walk goes through dimension 1 only, whose corners are the first of `pixels`, -2^15 to 2^15 - 1, and from
 * image to image; the others are ignored. It takes `pixels->pixels` pixels, with LW_TENSOR_WIDE_W128 always
 * 128. `swizzle` is 64, 128, 128 with LW_TENSOR_ATOM_32, or with LW_TENSOR_WIDE_W 96. The pixels that the
 * instruction's halo adds come last in shared memory; with LW_TENSOR_WIDE_W128 the first of each 32 pixels,
 * then the second of each (inferred: NVIDIA draws it only). LW_E_ARGUMENT as above.
 */
LW_API lw_status lw_tensor_map_encode_im2col_wide(const lw_tensor_map *map, const lw_tensor_im2col *pixels,
                                                  lw_tensor_wide mode, uint8_t bytes[LW_TENSOR_MAP_BYTES],
                                                  lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
