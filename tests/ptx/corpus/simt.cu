/* Kernels without tensor cores, each with one idiom of CUDA C++. Every result is exact. */
#include <cstdint>
#include <cuda_fp16.h>

#define KERNEL extern "C" __global__ void
#define ALL 0xffffffffu

/* More elements than threads. */
KERNEL saxpy(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = __fmaf_rn(2.5f, x[i], y[i]);
}

/* Tiles of both factors in shared memory. */
KERNEL matmul(const int *a, const int *b, int *c)
{
    __shared__ int s[2][16][17];
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 48; k += 16) {
        s[0][threadIdx.y][threadIdx.x] = a[row * 48 + k + threadIdx.x];
        s[1][threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * 32 + col];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += s[0][threadIdx.y][i] * s[1][i][threadIdx.x];
        __syncthreads();
    }
    c[row * 32 + col] = sum;
}

/* Prefix sums, by shuffles in each warp and one warp over the warps' sums. */
KERNEL scan_shfl(const int *in, int *out)
{
    __shared__ int sums[8];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = in[t];
    for (int d = 1; d < 32; d *= 2) {
        const int other = __shfl_up_sync(ALL, v, d);
        if (lane >= d)
            v += other;
    }
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        int w = lane < 8 ? sums[lane] : 0;
        for (int d = 1; d < 8; d *= 2) {
            const int other = __shfl_up_sync(ALL, w, d);
            if (lane >= d)
                w += other;
        }
        if (lane < 8)
            sums[lane] = w;
    }
    __syncthreads();
    out[t] = v + (warp ? sums[warp - 1] : 0);
}

KERNEL bitonic(const int *in, int *out)
{
    extern __shared__ int s[];
    const unsigned t = threadIdx.x;
    s[t] = in[t];
    for (unsigned k = 2; k <= blockDim.x; k *= 2)
        for (unsigned j = k / 2; j; j /= 2) {
            __syncthreads();
            const unsigned o = t ^ j;
            if (o > t && (s[t] > s[o]) == ((t & k) == 0)) {
                const int keep = s[t];
                s[t] = s[o];
                s[o] = keep;
            }
        }
    __syncthreads();
    out[t] = s[t];
}

/* The even numbers, in order. */
KERNEL compact(const int *in, int *out, int n)
{
    int base = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        const int v = in[i];
        const unsigned yes = __ballot_sync(ALL, v % 2 == 0);
        if (v % 2 == 0)
            out[base + __popc(yes & ((1u << threadIdx.x) - 1))] = v;
        base += __popc(yes);
    }
    if (threadIdx.x == 0)
        out[n] = base;
}

KERNEL life(const uint8_t *in, uint8_t *out)
{
    const int x = threadIdx.x, y = threadIdx.y;
    int around = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            around += (dx || dy) ? in[((y + dy) & 15) * 32 + ((x + dx) & 31)] : 0;
    out[y * 32 + x] = around == 3 || (around == 2 && in[y * 32 + x]);
}

/* Each point leaves its loop at a different time. */
KERNEL mandelbrot(int *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float cx = (float)(i % 32) / 16.0f - 1.5f, cy = (float)(i / 32) / 8.0f - 1.0f;
    float x = 0, y = 0;
    int n = 0;
    while (n < 60 && __fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)) < 4) {
        const float next = __fadd_rn(__fsub_rn(__fmul_rn(x, x), __fmul_rn(y, y)), cx);
        y = __fadd_rn(__fmul_rn(__fmul_rn(2, x), y), cy);
        x = next;
        n++;
    }
    out[i] = n;
}

/* Lanes with equal values add once. */
KERNEL match_count(const int *in, int *out)
{
    const int v = in[threadIdx.x] & 7;
    const unsigned same = __match_any_sync(ALL, v);
    if ((int)threadIdx.x % 32 == __ffs(same) - 1)
        atomicAdd(&out[v], __popc(same));
}

KERNEL redux(const int *in, int *out)
{
    const int v = in[threadIdx.x];
    const int sum = __reduce_add_sync(ALL, v), most = __reduce_max_sync(ALL, v);
    const unsigned any = __reduce_or_sync(ALL, (unsigned)v), odd = __reduce_xor_sync(ALL, (unsigned)v);
    out[threadIdx.x] = sum ^ most ^ (int)any ^ (int)odd;
}

KERNEL bits(const uint32_t *in, uint32_t *out)
{
    const uint32_t a = in[threadIdx.x], b = in[threadIdx.x ^ 1];
    uint32_t v = __brev(a) + __popc(b) + __clz(a) * 3 + __ffs(b) * 5;
    v ^= __byte_perm(a, b, 0x5216) + __funnelshift_l(a, b, 7) + __funnelshift_r(a, b, b);
    v += __umulhi(a, b) + (uint32_t)__mulhi((int)a, (int)b) + __usad(a, b, v) + (uint32_t)__dp4a((int)a, (int)b, 7);
    out[threadIdx.x] = v;
}

KERNEL wide(const uint64_t *in, uint64_t *out)
{
    const uint64_t a = in[threadIdx.x], b = in[threadIdx.x ^ 1] | 1;
    out[threadIdx.x] = a / b + a % b * 3 + __umul64hi(a, b) + (uint64_t)((int64_t)a / (int64_t)b) + (a >> (b & 63)) + __popcll(a) + __clzll(b);
}

KERNEL atomics(const int *in, int *out)
{
    const int v = in[threadIdx.x];
    atomicMin(&out[0], v);
    atomicMax(&out[1], v);
    atomicAnd((unsigned *)&out[2], (unsigned)v | 0xffff0000u);
    atomicOr(&out[3], v & 0xff);
    atomicXor(&out[4], v);
    atomicInc((unsigned *)&out[5], 9);
    atomicDec((unsigned *)&out[6], 50);
    int seen = out[7], old;
    do {
        old = seen;
        seen = atomicCAS(&out[7], old, old + v % 10);
    } while (seen != old);
    atomicAdd((unsigned long long *)&out[8], (unsigned long long)v);
}

/* Virtual functions, found through tables. */
struct shape {
    int a, b;
    __device__ shape(int x, int y) : a(x), b(y) {}
    __device__ virtual int area() const { return a * b; }
};
struct triangle : shape {
    __device__ triangle(int x, int y) : shape(x, y) {}
    __device__ int area() const override { return a * b / 2; }
};
struct circle : shape {
    __device__ circle(int x, int y) : shape(x, y) {}
    __device__ int area() const override { return 3 * a * a + b; }
};

KERNEL objects(const int *in, int *out)
{
    const int v = in[threadIdx.x] & 255;
    triangle t(v, 3);
    circle c(v, 5);
    shape s(v, 7);
    const shape *of[3] = { &s, &t, &c };
    out[threadIdx.x] = of[threadIdx.x % 3]->area();
}

__constant__ int primes[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };
__device__ int launches = 100;

/* Constants indexed by a lane's number, a global variable that keeps its value, an array in local memory. */
KERNEL spaces(const int *in, int *out)
{
    int mine[16];
    for (int i = 0; i < 16; i++)
        mine[i] = in[(threadIdx.x + i) & 31] * primes[i & 7];
    int sum = 0;
    for (int i = 0; i < 16; i++)
        sum = sum * 2 + mine[(in[threadIdx.x] + i * 5) & 15];
    out[threadIdx.x] = sum + launches;
    __syncthreads();
    if (threadIdx.x == 0)
        launches++;
}

KERNEL counts(const int *in, int *out)
{
    const int v = in[threadIdx.x];
    const int odd = __syncthreads_count(v & 1), all = __syncthreads_and(v > -5000), some = __syncthreads_or(v == 12345);
    out[threadIdx.x] = odd * 4 + (all != 0) * 2 + (some != 0);
}

/* Each block waits for the previous one. */
KERNEL relay(int *flag, int *out)
{
    if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) != (int)blockIdx.x)
            ;
        out[blockIdx.x] = blockIdx.x ? out[blockIdx.x - 1] * 3 + 1 : 1;
        __threadfence();
        atomicExch(flag, blockIdx.x + 1);
    }
}

KERNEL casts(const float *in, int *out)
{
    const float x = in[threadIdx.x];
    int v = (int)x + __float2int_rn(x) * 3 + __float2int_ru(x) * 5 + (int)__float2uint_rz(x) * 7;
    v += (int)(int8_t)__float2int_rd(x) + (int)__half2short_rz(__float2half_rn(x)) + (int)__float2ll_rn(x * 3.0f);
    out[threadIdx.x] = v + (int)__double2float_rd((double)x * 1.1);
}

KERNEL halves(const __half2 *in, __half2 *out)
{
    const __half2 a = in[threadIdx.x], b = in[threadIdx.x ^ 1];
    out[threadIdx.x] = __hmax2(__hfma2(a, b, __hadd2(a, b)), __hmul2(a, a));
}

/* Nodes on the heap. */
KERNEL lists(int *out, int n)
{
    struct node {
        node *next;
        int v;
    };
    node *head = nullptr;
    for (int i = 0; i < n; i++) {
        node *x = (node *)malloc(sizeof(node));
        if (!x)
            return;
        x->v = i * (int)(threadIdx.x + 1);
        x->next = head;
        head = x;
    }
    int sum = 0;
    while (head) {
        node *x = head;
        sum = sum * 3 + x->v;
        head = x->next;
        free(x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

KERNEL freed_twice(int *out)
{
    int *volatile p = (int *)malloc(16);
    free(p);
    if (threadIdx.x == 3)
        free(p);
    out[0] = 1;
}
