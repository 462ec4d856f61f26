/* SPDX-License-Identifier: MIT */
/*
 * MLIR's linalg.mmt4d on an emulated matrix instruction: a product of packed arrays (lanewise/pack.h), tile
 * by tile; each tile is one operand of the instruction.
 */
#ifndef LANEWISE_MMT4D_H
#define LANEWISE_MMT4D_H

#include <lanewise/mma.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * a is [m1][k1][m][k], b is [n1][k1][n][k] (its tiles are transposed) and c is [m1][n1][m][n], with the m, n,
 * k of the instruction; elements are stored as in lw_mma_matrices. A plain value and frozen.
 */
typedef struct lw_mmt4d {
    uint64_t m1, n1, k1; /* tiles */
    const void *a, *b;
    void *c; /* C[m1][n1] += A[m1][k1] * B[n1][k1]^T, for ascending k1; initialise it */
} lw_mmt4d;

/*
 * The result equals that of the same instruction chained over ascending k on tiles of the unpacked matrices:
 * packing changes no bit. LW_E_UNSUPPORTED for instructions with several blocks, sparse ones, those
 * with scales, and those whose C and D are of different formats; LW_E_ARGUMENT; LW_E_NO_MEMORY.
 */
LW_API lw_status lw_mmt4d_execute(const lw_mma *mma, const lw_mmt4d *product, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
