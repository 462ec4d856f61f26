/* SPDX-License-Identifier: MIT */
/* C[32][8] (f32) = A[32][16] * B[8][16] transposed (f16): two warps, B through shared memory. For the debugger. */
extern "C" __global__ void tile(float *C, const unsigned *A, const unsigned *B)
{
    __shared__ unsigned b[8 * 8];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    b[threadIdx.x] = B[threadIdx.x];
    __syncthreads();
    const unsigned *a = A + (16 * warp + lane / 4) * 8 + lane % 4;
    const unsigned a0 = a[0], a1 = a[64], a2 = a[4], a3 = a[68];
    const unsigned b0 = b[lane / 4 * 8 + lane % 4], b1 = b[lane / 4 * 8 + lane % 4 + 4];
    float d0, d1, d2, d3;
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %10, %10, %10};"
        : "=f"(d0), "=f"(d1), "=f"(d2), "=f"(d3)
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1), "f"(0.0f));
    float *c = C + (16 * warp + lane / 4) * 8 + 2 * (lane % 4);
    c[0] = d0;
    c[1] = d1;
    c[64] = d2;
    c[65] = d3;
}
