/* SPDX-License-Identifier: MIT */
/*
 * Matrices in the order of IREE's GPU data tiling: the packed form that IREE chooses for an operand of a
 * matrix product on a GPU, in which the operands of several matrix instructions are contiguous for each wave.
 * The rules are those of IREE at main b48a5955 (2026-08-21), compared with iree-base-compiler 3.13.0.
 */
#ifndef LANEWISE_ENCODING_H
#define LANEWISE_ENCODING_H

#include <lanewise/insn.h>
#include <lanewise/sink.h>
#include <lanewise/tiling.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LW_DATA_TILING_DIMS = 12, LW_ENCODING_TEXT = 320 };

/* A dimension of the packed array. A plain value and frozen. */
typedef struct lw_data_tiling_dim {
    uint32_t of;     /* the dimension of the matrix that it counts along: 0 or 1 */
    uint64_t step;   /* elements of that dimension for each count */
    uint64_t extent; /* counts */
} lw_data_tiling_dim;

typedef struct lw_data_tiling {
    size_t struct_size; /* sizeof(lw_data_tiling): lw_data_tiling_derive sets it */
    const char *intrinsic;
    uint32_t intrinsics[3], subgroups[2]; /* along m, n, k; m, n */
    uint64_t shape[2];                    /* of the matrix: A is M x K, B K x N, C M x N */
    uint32_t dims;
    lw_data_tiling_dim dim[LW_DATA_TILING_DIMS]; /* the slowest first */
    char text[LW_ENCODING_TEXT];                 /* #iree_gpu.data_tiled_mma_layout<..> */
} lw_data_tiling;

/*
 * The encoding of A, B or C of a product; problem->vector_distribute is ignored. LW_E_UNSUPPORTED where IREE
 * uses no matrix instruction for these types, and for NVIDIA's GPUs; LW_E_ARGUMENT.
 */
LW_API lw_status lw_data_tiling_fill(const lw_tiling_problem *problem, lw_operand operand,
                                     lw_data_tiling *encoding, lw_error *error);
static inline lw_status lw_data_tiling_derive(const lw_tiling_problem *problem, lw_operand operand,
                                              lw_data_tiling *encoding, lw_error *error)
{
    if (encoding)
        encoding->struct_size = sizeof(*encoding);
    return lw_data_tiling_fill(problem, operand, encoding, error);
}

/* Fills `packed`, whose shape is given by the extents, from a row-major matrix with elements of `size` bytes;
 * elements outside the matrix are 0. LW_E_ARGUMENT. */
LW_API lw_status lw_data_tiling_pack(const lw_data_tiling *encoding, const void *matrix, size_t size,
                                     void *packed);
/* The inverse; padding is dropped. */
LW_API lw_status lw_data_tiling_unpack(const lw_data_tiling *encoding, const void *packed, size_t size,
                                       void *matrix);

/* Two lines: "offset = .." of d0 and d1, and the same as a CuTe layout. */
LW_API lw_status lw_data_tiling_print(const lw_data_tiling *encoding, lw_sink sink, void *context);

#ifdef __cplusplus
}
#endif

#endif
