// SPDX-License-Identifier: MIT
// One warp's products by wmma: every type of elements, the three shapes of 16-bit and 8-bit ones, both orders of A.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda::wmma;

// c = a * b + c; a has M rows of K, or K rows of M where it is col_major; b has N columns of K
#define PRODUCT(name, M, N, K, TYPE, ORDER, STRIDE, STORED, SUM)                                                       \
    extern "C" __global__ void name(const STORED *a, const STORED *b, SUM *c)                                          \
    {                                                                                                                  \
        fragment<matrix_a, M, N, K, TYPE, ORDER> fa;                                                                   \
        fragment<matrix_b, M, N, K, TYPE, col_major> fb;                                                               \
        fragment<accumulator, M, N, K, SUM> fc;                                                                        \
        load_matrix_sync(fa, a, STRIDE);                                                                               \
        load_matrix_sync(fb, b, K);                                                                                    \
        load_matrix_sync(fc, c, N, mem_row_major);                                                                     \
        mma_sync(fc, fa, fb, fc);                                                                                      \
        store_matrix_sync(c, fc, N, mem_row_major);                                                                    \
    }
PRODUCT(wmma_f16, 16, 16, 16, __half, row_major, 16, __half, __half)
PRODUCT(wmma_f16_wide, 8, 32, 16, __half, row_major, 16, __half, float)
PRODUCT(wmma_f16_tall, 32, 8, 16, __half, col_major, 32, __half, float)
PRODUCT(wmma_bf16, 16, 16, 16, __nv_bfloat16, row_major, 16, __nv_bfloat16, float)
PRODUCT(wmma_bf16_wide, 8, 32, 16, __nv_bfloat16, row_major, 16, __nv_bfloat16, float)
PRODUCT(wmma_tf32, 16, 16, 8, precision::tf32, row_major, 8, float, float)
PRODUCT(wmma_f64, 8, 8, 4, double, col_major, 8, double, double)
PRODUCT(wmma_s8, 16, 16, 16, signed char, row_major, 16, signed char, int)
PRODUCT(wmma_s8_wide, 8, 32, 16, signed char, col_major, 8, signed char, int)
PRODUCT(wmma_u8_tall, 32, 8, 16, unsigned char, row_major, 16, unsigned char, int)
PRODUCT(wmma_s4, 8, 8, 32, experimental::precision::s4, row_major, 32, int, int)
PRODUCT(wmma_u4, 8, 8, 32, experimental::precision::u4, row_major, 32, int, int)

#define BITS(name, OP)                                                                                                 \
    extern "C" __global__ void name(const int *a, const int *b, int *c)                                                \
    {                                                                                                                  \
        fragment<matrix_a, 8, 8, 128, experimental::precision::b1, row_major> fa;                                      \
        fragment<matrix_b, 8, 8, 128, experimental::precision::b1, col_major> fb;                                      \
        fragment<accumulator, 8, 8, 128, int> fc;                                                                      \
        load_matrix_sync(fa, a, 128);                                                                                  \
        load_matrix_sync(fb, b, 128);                                                                                  \
        load_matrix_sync(fc, c, 8, mem_row_major);                                                                     \
        bmma_sync(fc, fa, fb, fc, experimental::OP);                                                                   \
        store_matrix_sync(c, fc, 8, mem_row_major);                                                                    \
    }
BITS(wmma_b1_xor, bmmaBitOpXOR)
BITS(wmma_b1_and, bmmaBitOpAND)
