/* SPDX-License-Identifier: MIT */
/*
 * A product of matrices in tiles, on an emulated matrix instruction: A, B and C are packed as MLIR's
 * linalg.pack does for linalg.mmt4d, so that each operand of the instruction is contiguous in memory; C is
 * unpacked, and is bit for bit what the same instruction computes from tiles that are cut out of the plain
 * matrices.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/lanewise.h>

enum { M = 40, N = 24, K = 50, T = 16, M1 = (M + T - 1) / T, N1 = (N + T - 1) / T, K1 = (K + T - 1) / T };

static uint16_t a[M][K], b[K][N];
static float plain[M][N], unpacked[M][N];
static uint16_t a4[M1][K1][T][T], b4[N1][K1][T][T]; /* B's tiles are N0 x K0 */
static float c4[M1][N1][T][T];

/* C += A B on one tile; b is K x N for the instruction. */
static int multiply(const lw_mma *mma, const uint16_t at[T][T], const uint16_t bt[T][T], float ct[T][T])
{
    return lw_mma_execute_matrices(mma, &(lw_mma_matrices){ .a = at, .b = bt, .c = ct, .d = ct }, NULL) ==
           LW_OK;
}

static int by_tiles(const lw_mma *mma)
{
    const lw_pack pa = { 2, 2, { M, K }, { 0, 1 }, { T, T }, { 0, 1 } },
                  pb = { 2, 2, { K, N }, { 1, 0 }, { T, T }, { 1, 0 } },
                  pc = { 2, 2, { M, N }, { 0, 1 }, { T, T }, { 0, 1 } };
    const uint16_t zero = 0;
    if (lw_pack_array(&pa, a, sizeof(a[0][0]), &zero, a4, NULL) != LW_OK ||
        lw_pack_array(&pb, b, sizeof(b[0][0]), &zero, b4, NULL) != LW_OK)
        return 0;
    if (lw_mmt4d_execute(mma, &(lw_mmt4d){ M1, N1, K1, a4, b4, c4 }, NULL) != LW_OK)
        return 0;
    return lw_unpack_array(&pc, c4, sizeof(float), unpacked, NULL) == LW_OK;
}

static int by_pieces(const lw_mma *mma)
{
    for (int m = 0; m < M; m += T)
        for (int n = 0; n < N; n += T) {
            float ct[T][T] = { { 0 } };
            for (int k = 0; k < K; k += T) {
                uint16_t at[T][T] = { { 0 } }, bt[T][T] = { { 0 } };
                for (int i = 0; i < T; i++)
                    for (int j = 0; j < T; j++) {
                        at[i][j] = m + i < M && k + j < K ? a[m + i][k + j] : 0;
                        bt[i][j] = k + i < K && n + j < N ? b[k + i][n + j] : 0;
                    }
                if (!multiply(mma, (const uint16_t(*)[T])at, (const uint16_t(*)[T])bt, ct))
                    return 0;
            }
            for (int i = 0; i < T && m + i < M; i++)
                for (int j = 0; j < T && n + j < N; j++)
                    plain[m + i][n + j] = ct[i][j];
        }
    return 1;
}

int main(void)
{
    const lw_insn *insn;
    lw_mma *mma;
    uint32_t random = 1;
    for (size_t i = 0; i < (size_t)M * K + (size_t)K * N; i++) {
        random = random * 1664525 + 1013904223; /* f16 of every magnitude except NaN and infinity */
        const uint16_t code = (uint16_t)(random >> 16 & 0xbfff);
        *(i < (size_t)M * K ? &a[i / K][i % K] : &b[(i - (size_t)M * K) / N][(i - (size_t)M * K) % N]) = code;
    }
    if (lw_insn_find(LW_ARCH_GFX942, "v_mfma_f32_16x16x16_f16", &insn, NULL) != LW_OK ||
        lw_mma_create(LW_ARCH_GFX942, insn, NULL, &mma, NULL) != LW_OK)
        return EXIT_FAILURE;
    const int fine = by_tiles(mma) && by_pieces(mma);
    lw_mma_free(mma);
    if (!fine || memcmp(plain, unpacked, sizeof(plain)) != 0 || plain[0][0] == 0) {
        puts("the packed product differs");
        return EXIT_FAILURE;
    }
    printf("%d x %d x %d in tiles of %d: packed and plain agree in every bit; c[0][0] = %g\n", M, N, K, T,
           (double)plain[0][0]);
    return EXIT_SUCCESS;
}
