/* SPDX-License-Identifier: MIT */
/*
 * How IREE tiles a matrix product C[M x N] = A[M x K] B[K x N] for a GPU with matrix instructions: which
 * instruction, how many of its tiles a subgroup (wave) computes, how many subgroups a workgroup has, with the
 * reason for each step. The rules are those of IREE at main b48a5955 (2026-08-21), compared with
 * iree-base-compiler 3.13.0; products with transposed operands, several dimensions, scales and convolutions
 * are not derived.
 */
#ifndef LANEWISE_TILING_H
#define LANEWISE_TILING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/export.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LW_TILING_TEXT = 4096, LW_TILING_MOST = 1 << 20 };

/* A plain value and frozen. */
typedef struct lw_tiling_problem {
    lw_arch arch;
    uint32_t m, n, k;      /* 1 to LW_TILING_MOST */
    const char *a, *b, *c; /* f16, bf16, f32, f64, fp8, bf8, i8, i32 */
    const char
        *chip; /* "mi300x" and so on, for the number of compute units and the speeds; NULL: not known */
    bool vector_distribute; /* the older pipeline; otherwise TileAndFuse */
} lw_tiling_problem;

typedef struct lw_tiling {
    size_t struct_size; /* sizeof(lw_tiling): lw_tiling_derive sets it */
    const char
        *intrinsic;   /* IREE's name: "MFMA_F32_16x16x16_F16"; of NVIDIA's GPUs PTX's, for lw_tiling_check */
    uint32_t size[3]; /* m, n, k of the instruction */
    uint32_t wave;
    uint32_t tiles[3];          /* of a subgroup along m, n, k */
    uint32_t subgroups[2];      /* of a workgroup along m, n */
    bool padded;                /* the product is not a multiple of the tile */
    uint32_t lds, lds_limit;    /* bytes of A and B in LDS */
    char steps[LW_TILING_TEXT]; /* each step with its reason, a line each */
} lw_tiling;

/* Derives the schedule. LW_E_UNSUPPORTED with the reason where IREE uses no matrix instruction, or that GPU
 * or case is not known; LW_E_ARGUMENT. */
LW_API lw_status lw_tiling_fill(const lw_tiling_problem *problem, lw_tiling *schedule, lw_error *error);
static inline lw_status lw_tiling_derive(const lw_tiling_problem *problem, lw_tiling *schedule,
                                         lw_error *error)
{
    if (schedule)
        schedule->struct_size = sizeof(*schedule);
    return lw_tiling_fill(problem, schedule, error);
}

/*
 * Whether a given schedule is possible. The intrinsic, tiles and subgroups of `schedule` are checked;
 * size, wave, lds and lds_limit are filled in, steps says what was checked. LW_E_UNSUPPORTED with the reason
 * where it is not possible; LW_E_NOT_FOUND for an unknown intrinsic.
 *
 * For NVIDIA's GPUs, which IREE's rules are not known for here, the intrinsic is a dense mma.sync or wgmma as
 * PTX writes it, or NULL: the deepest mma.sync of these types, of equals the first; tf32 is a type, too.
 * `wave` is 32, or 128 with wgmma, `lds` is shared memory. Checked are the types, that the tiles divide M, N
 * and K unless `padded`, at most 1024 threads, and that A and B fit once into the shared memory that a block
 * can have (CUDA C++ Programming Guide, technical specifications per compute capability).
 */
LW_API lw_status lw_tiling_check(const lw_tiling_problem *problem, lw_tiling *schedule, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
