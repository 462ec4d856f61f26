// SPDX-License-Identifier: MIT
// c[M][N] = a[M][K] b[N][K]^T of f16 with f32 sums: tiles of 128 x 128, three stages of 32 k, eight warps of 64 x 32.
// Made with: nvcc -arch=sm_80 -ptx -o gemm.ptx gemm.cu
#include <stdint.h>

static __device__ unsigned shared_of(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ void load_four(unsigned *r, const void *at)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_of(at)));
}

extern "C" __global__ void __launch_bounds__(256) gemm_f16(const uint16_t *a, const uint16_t *b, float *c, int n, int k)
{
    enum { TILE = 128, STEP = 32, STAGES = 3, PITCH = STEP + 8 };
    extern __shared__ __align__(16) uint16_t stages[]; // 61,440 bytes
    uint16_t(*sa)[TILE][PITCH] = (uint16_t(*)[TILE][PITCH])stages, (*sb)[TILE][PITCH] = sa + STAGES;
    const int t = threadIdx.x, warp = t / 32, lane = t % 32, row = t / 4, part = t % 4 * 8;
    const int top = warp / 4 * 64, left = warp % 4 * 32;
    const uint16_t *from_a = a + (TILE * blockIdx.y + row) * k + part, *from_b = b + (TILE * blockIdx.x + row) * k + part;
    float d[4][4][4] = {};
    auto copy = [&](int step) {
        if (step * STEP < k)
            for (int i = 0; i < TILE; i += 64) {
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_of(&sa[step % STAGES][row + i][part])),
                             "l"(from_a + i * k + step * STEP));
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_of(&sb[step % STAGES][row + i][part])),
                             "l"(from_b + i * k + step * STEP));
            }
        asm volatile("cp.async.commit_group;");
    };
    copy(0);
    copy(1);
    for (int step = 0; step * STEP < k; step++) {
        const int s = step % STAGES;
        asm volatile("cp.async.wait_group 1;");
        __syncthreads();
        copy(step + 2);
        for (int kk = 0; kk < STEP; kk += 16) {
            unsigned ra[4][4], rb[2][4];
            for (int i = 0; i < 4; i++)
                load_four(ra[i], &sa[s][top + i * 16 + lane % 16][kk + lane / 16 * 8]);
            for (int j = 0; j < 2; j++)
                load_four(rb[j], &sb[s][left + j * 16 + lane % 8 + lane / 16 * 8][kk + lane / 8 % 2 * 8]);
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                                 : "+f"(d[i][j][0]), "+f"(d[i][j][1]), "+f"(d[i][j][2]), "+f"(d[i][j][3])
                                 : "r"(ra[i][0]), "r"(ra[i][1]), "r"(ra[i][2]), "r"(ra[i][3]), "r"(rb[j / 2][j % 2 * 2]),
                                   "r"(rb[j / 2][j % 2 * 2 + 1]));
        }
    }
    float *out = c + (TILE * blockIdx.y + top + lane / 4) * n + TILE * blockIdx.x + left + lane % 4 * 2;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int v = 0; v < 4; v++)
                out[(i * 16 + v / 2 * 8) * n + j * 8 + v % 2] = d[i][j][v];
}
