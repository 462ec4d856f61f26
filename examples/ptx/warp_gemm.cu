// C[m][n] (f32) = A[m][k] (f16) * B[n][k] (f16): a warp computes 16 rows and 8 columns of C with mma.sync.m16n8k16.
// blockIdx.x counts tiles of columns, blockIdx.y tiles of rows; k is a multiple of 16. nvcc -arch=sm_80 -ptx
#include <cuda_fp16.h>

extern "C" __global__ void warp_gemm(float *C, const __half *A, const __half *B, int n, int k)
{
    const int group = threadIdx.x / 4, pair = 2 * (threadIdx.x % 4);
    const int row = 16 * blockIdx.y + group, column = 8 * blockIdx.x + group;
    float c[4] = { 0, 0, 0, 0 };
    for (int at = 0; at < k; at += 16) {
        // A: register r holds row `group` + 8 (r & 1), elements `pair` and the next, + 8 (r >> 1)
        unsigned a[4], b[2];
        for (int r = 0; r < 4; r++)
            a[r] = *(const unsigned *)&A[(size_t)(row + 8 * (r & 1)) * k + at + pair + 8 * (r >> 1)];
        // B: register r holds column `group`, elements `pair` and the next, + 8 r
        for (int r = 0; r < 2; r++)
            b[r] = *(const unsigned *)&B[(size_t)column * k + at + pair + 8 * r];
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
            "{%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    }
    // C: register v holds row `group` + 8 (v >> 1), column `pair` + (v & 1)
    for (int v = 0; v < 4; v++)
        C[(size_t)(row + 8 * (v >> 1)) * n + 8 * blockIdx.x + pair + (v & 1)] = c[v];
}
