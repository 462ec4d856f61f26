// SPDX-License-Identifier: MIT
// Kernels of every kind of control flow and cooperation that CUDA C++ has on one warp or block. main.c has the same in C.
#include <cstdint>
#include <cstdio>
#include <mma.h>
#include <cuda_fp16.h>

extern "C" __global__ void reduce_shfl(const float *in, float *out, int n)
{
    float v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        v += in[i];
    for (int step = 16; step; step >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, step);
    __shared__ float part[32];
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int i = 0; i < (blockDim.x + 31) / 32; i++)
            sum += part[i];
        *out = sum;
    }
}

extern "C" __global__ void scan(const int *in, int *out)
{
    __shared__ int s[256];
    const int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int step = 1; step < 256; step *= 2) {
        const int v = t >= step ? s[t - step] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    out[t] = s[t];
}

extern "C" __global__ void histogram(const uint8_t *in, unsigned *out, int n)
{
    __shared__ unsigned bins[16];
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i] % 16], 1u);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

extern "C" __global__ void transpose(const int *in, int *out)
{
    __shared__ int tile[32][33];
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        tile[y][threadIdx.x] = in[(blockIdx.y * 32 + y) * 64 + blockIdx.x * 32 + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
        out[(blockIdx.x * 32 + y) * 64 + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][y];
}

__device__ __noinline__ int collatz(unsigned n)
{
    int steps = 0;
    while (n != 1) {
        n = n & 1 ? 3 * n + 1 : n / 2;
        steps++;
        if (steps > 500)
            break;
    }
    return steps;
}

extern "C" __global__ void diverge(const int *in, int *out)
{
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[t];
    switch (v % 19) {
    case 0: v = collatz(v + 1); break;
    case 1: v *= 3; break;
    case 2: v -= 7; break;
    case 3: v ^= 0x55; break;
    case 4: v = __popc(v); break;
    case 5: v = __clz(v); break;
    case 6: v = v / 7; break;
    case 7: v = v % 11; break;
    case 8: v = __brev(v); break;
    case 9: v = v << 3; break;
    case 10: v = collatz(v); break;
    case 11: v = -v; break;
    case 12: v = __ffs(v); break;
    case 13: v = v * v; break;
    case 14: v = v >> 2; break;
    case 15: v = ~v; break;
    case 16: if (v & 32) return; v = 5; break;
    default: do v = v * 5 + 1; while (v & 12); break;
    }
    out[t] = v;
}

__device__ int op_add(int a, int b) { return a + b; }
__device__ int op_sub(int a, int b) { return a - b; }
__device__ int op_mul(int a, int b) { return a * b; }
__device__ int (*const ops[3])(int, int) = { op_add, op_sub, op_mul };

extern "C" __global__ void pointers(const int *in, int *out)
{
    const int t = threadIdx.x;
    out[t] = ops[in[t] % 3](in[t], t);
}

__device__ __noinline__ int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

extern "C" __global__ void recursion(int *out)
{
    out[threadIdx.x] = fib(threadIdx.x % 9);
}

extern "C" __global__ void spin_lock(int *lock, int *count)
{
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *(volatile int *)count = *(volatile int *)count + (int)threadIdx.x;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

extern "C" __global__ void votes(const int *in, unsigned *out)
{
    const int t = threadIdx.x, v = in[t];
    const unsigned b = __ballot_sync(0xffffffffu, v & 1);
    const unsigned m = __match_any_sync(0xffffffffu, v % 5);
    const int all = __syncthreads_and(v != 3), some = __syncthreads_or(v == 3), many = __syncthreads_count(v & 1);
    const unsigned r = __reduce_max_sync(0xffffffffu, (unsigned)v);
    out[t] = b ^ m * 3 ^ (unsigned)(all + 2 * some + 4 * many) * 7 ^ r << 8;
}

extern "C" __global__ void doubles(const double *in, double *out)
{
    const int t = threadIdx.x;
    double v = in[t];
    for (int i = 0; i < 5; i++)
        v = sqrt(v * v + 1.0) / (1.0 + 0.5 * v);
    out[t] = v;
}

extern "C" __global__ void prints(int n)
{
    if (threadIdx.x < 3)
        printf("thread %d of %s: %5.2f %llx\n", threadIdx.x, "prints", n / 4.0, 0x123456789abcull);
}

extern "C" __global__ void gemm_wmma(const __half *a, const __half *b, float *c)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
    fragment<accumulator, 16, 16, 16, float> fc;
    fill_fragment(fc, 0.0f);
    for (int k = 0; k < 32; k += 16) {
        load_matrix_sync(fa, a + k, 32);
        load_matrix_sync(fb, b + k, 32);
        mma_sync(fc, fa, fb, fc);
    }
    store_matrix_sync(c, fc, 16, mem_row_major);
}

extern "C" __global__ void gemm_mma(const __half *a, const __half *b, float *c)
{
    __shared__ __align__(16) __half sa[16 * 32], sb[8 * 32];
    const int t = threadIdx.x;
    for (int i = t; i < 16 * 32 / 8; i += 32) {
        const unsigned to = (unsigned)__cvta_generic_to_shared(&sa[i * 8]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(a + i * 8));
    }
    for (int i = t; i < 8 * 32 / 8; i += 32) {
        const unsigned to = (unsigned)__cvta_generic_to_shared(&sb[i * 8]);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(b + i * 8));
    }
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    for (int k = 0; k < 32; k += 16) {
        unsigned a0, a1, a2, a3, b0, b1;
        const unsigned pa = (unsigned)__cvta_generic_to_shared(&sa[t % 16 * 32 + k + t / 16 * 8]);
        const unsigned pb = (unsigned)__cvta_generic_to_shared(&sb[t % 8 * 32 + k + t / 8 % 2 * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(a0), "=r"(a1), "=r"(a2), "=r"(a3) : "r"(pa));
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(b0), "=r"(b1) : "r"(pb));
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                     "{%0,%1,%2,%3};"
                     : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    }
    const int row = t / 4, col = t % 4 * 2;
    c[row * 8 + col] = d0;
    c[row * 8 + col + 1] = d1;
    c[(row + 8) * 8 + col] = d2;
    c[(row + 8) * 8 + col + 1] = d3;
}

// Fragments as the PTX ISA manual draws them.
// a: 16 x 16 stored f16, b: 8 columns of 32, e: a word of metadata for each lane, c: 16 x 8
extern "C" __global__ void product_sparse(const unsigned *a, const unsigned *b, const unsigned *e, float *c)
{
    const int t = threadIdx.x, row = t / 4, pair = t % 4;
    unsigned ra[4], rb[4];
    float d[4] = { 1, 2, 3, 4 };
    for (int i = 0; i < 4; i++) {
        ra[i] = a[(row + i % 2 * 8) * 8 + pair + i / 2 * 4];
        rb[i] = b[row * 16 + pair + i * 4];
    }
    asm volatile("mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, "
                 "{%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, 0x1;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]), "r"(rb[2]), "r"(rb[3]),
                   "r"(e[t]));
    for (int i = 0; i < 4; i++)
        c[(row + i / 2 * 8) * 8 + pair * 2 + i % 2] = d[i];
}

// One row of n numbers for each warp: exp of the difference to the row's largest, divided by their sum.
extern "C" __global__ void softmax(const float *in, float *out, int n)
{
    const float *row = in + blockIdx.x * n;
    float most = -INFINITY, sum = 0;
    for (int i = threadIdx.x; i < n; i += 32)
        most = fmaxf(most, row[i]);
    for (int d = 16; d; d /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, d));
    for (int i = threadIdx.x; i < n; i += 32)
        sum += expf(row[i] - most);
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    for (int i = threadIdx.x; i < n; i += 32)
        out[blockIdx.x * n + i] = expf(row[i] - most) / sum;
}

// Functions for which nvcc generates its own sequences, and the fast ones.
extern "C" __global__ void elementary(const float *in, float *out)
{
    const float x = in[threadIdx.x];
    float *to = out + threadIdx.x * 8;
    to[0] = tanhf(x);
    to[1] = __sinf(x);
    to[2] = __cosf(x);
    to[3] = __log2f(fabsf(x) + 1);
    to[4] = erff(x);
    to[5] = powf(fabsf(x), 1.5f);
    to[6] = logf(fabsf(x) + 1);
    to[7] = sinf(x * 1000);
}
