// SPDX-License-Identifier: MIT
// One warp's products in further types, sorts, a GEMM with stages of cp.async, attention and layer norm.
#include <cstdint>

// A: 16 rows of 32 bytes, B: 8 columns of 32 bytes, whatever the elements; C: 16 x 8 numbers.
#define PRODUCT(name, type, reg, words)                                                                                \
    extern "C" __global__ void name(const unsigned *a, const unsigned *b, type *c)                                     \
    {                                                                                                                  \
        const int t = threadIdx.x, row = t / 4, quad = t % 4;                                                          \
        unsigned ra[4], rb[2];                                                                                         \
        type d[4];                                                                                                     \
        for (int i = 0; i < 4; i++) {                                                                                  \
            ra[i] = a[(row + i % 2 * 8) * 8 + quad + i / 2 * 4];                                                       \
            d[i] = c[(row + i / 2 * 8) * 8 + quad * 2 + i % 2];                                                        \
        }                                                                                                              \
        for (int i = 0; i < 2; i++)                                                                                    \
            rb[i] = b[row * 8 + quad + i * 4];                                                                         \
        asm volatile("mma.sync.aligned." words " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                \
                     : "+" reg(d[0]), "+" reg(d[1]), "+" reg(d[2]), "+" reg(d[3])                                      \
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));                        \
        for (int i = 0; i < 4; i++)                                                                                    \
            c[(row + i / 2 * 8) * 8 + quad * 2 + i % 2] = d[i];                                                        \
    }
PRODUCT(product_s8, int, "r", "m16n8k32.row.col.s32.s8.s8.s32")
PRODUCT(product_u8_sat, int, "r", "m16n8k32.row.col.satfinite.s32.u8.s8.s32")
PRODUCT(product_s4, int, "r", "m16n8k64.row.col.s32.s4.s4.s32")
PRODUCT(product_u4, int, "r", "m16n8k64.row.col.s32.u4.s4.s32")
PRODUCT(product_b1, int, "r", "m16n8k256.row.col.s32.b1.b1.s32.and.popc")
PRODUCT(product_b1_xor, int, "r", "m16n8k256.row.col.s32.b1.b1.s32.xor.popc")
PRODUCT(product_bf16, float, "f", "m16n8k16.row.col.f32.bf16.bf16.f32")
PRODUCT(product_tf32, float, "f", "m16n8k8.row.col.f32.tf32.tf32.f32")

// ---- Sorts of 256 numbers by a block of 128 threads ----

extern "C" __global__ void bitonic_sort(const int *in, int *out)
{
    __shared__ int v[256];
    for (int i = threadIdx.x; i < 256; i += 128)
        v[i] = in[i];
    for (int size = 2; size <= 256; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            const int t = threadIdx.x, i = t / step * 2 * step + t % step;
            const bool up = (i & size) == 0;
            if ((v[i] > v[i + step]) == up) {
                const int x = v[i];
                v[i] = v[i + step];
                v[i + step] = x;
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 128)
        out[i] = v[i];
}

// Where a number goes among those of the other run: those before it, or at most it
static __device__ int rank_in(const int *run, int count, int x, bool equal_too)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (run[middle] < x || (equal_too && run[middle] == x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

extern "C" __global__ void merge_sort(const int *in, int *out)
{
    __shared__ int v[2][256];
    for (int i = threadIdx.x; i < 256; i += 128)
        v[0][i] = in[i];
    int from = 0;
    for (int run = 1; run < 256; run *= 2, from ^= 1) {
        __syncthreads();
        for (int i = threadIdx.x; i < 256; i += 128) {
            const int pair = i / (2 * run) * 2 * run, left = i < pair + run;
            const int own = i - pair - (left ? 0 : run);
            const int *other = &v[from][left ? pair + run : pair];
            v[from ^ 1][pair + own + rank_in(other, run, v[from][i], !left)] = v[from][i];
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 128)
        out[i] = v[from][i];
}

// Least significant bit first: numbers with a 0 go before those with a 1, their order kept
extern "C" __global__ void radix_sort(const unsigned *in, unsigned *out)
{
    __shared__ unsigned v[2][128], ones[4];
    const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
    v[0][t] = in[t];
    for (int bit = 0; bit < 32; bit++) {
        __syncthreads();
        const unsigned x = v[bit & 1][t], mine = x >> bit & 1, ballot = __ballot_sync(~0u, mine);
        if (lane == 0)
            ones[warp] = __popc(ballot);
        __syncthreads();
        unsigned before = __popc(ballot & ((1u << lane) - 1)), all = 0;
        for (unsigned w = 0; w < 4; w++) {
            before += w < warp ? ones[w] : 0;
            all += ones[w];
        }
        v[~bit & 1][mine ? 128 - all + before : t - before] = x;
    }
    __syncthreads();
    out[t] = v[0][t];
}

// ---- Lanes with equal keys add their values together ----

extern "C" __global__ void grouped(const int *in, int *out)
{
    const int key = in[threadIdx.x] & 7, value = in[threadIdx.x] >> 3;
    const unsigned peers = __match_any_sync(~0u, key);
    const int sum = __reduce_add_sync(peers, value);
    const unsigned most = __reduce_max_sync(peers, (unsigned)value);
    out[2 * threadIdx.x] = sum;
    out[2 * threadIdx.x + 1] = (int)most;
}

// ---- 32 x 32 x 64 of f16 with three stages of cp.async and ldmatrix; A by rows, B by columns ----

static __device__ unsigned shared_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

extern "C" __global__ void gemm_stages(const uint16_t *a, const uint16_t *b, float *c)
{
    enum { M = 32, N = 32, K = 64, STEP = 16, STAGES = 3, PITCH = STEP + 8 };
    __shared__ alignas(16) uint16_t sa[STAGES][M][PITCH], sb[STAGES][N][PITCH];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32, row = t / 2, half = t % 2 * 8;
    float d[4][4] = {};
    auto load = [&](int k) {
        if (k < K) {
            const int s = k / STEP % STAGES;
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_of(&sa[s][row][half])),
                         "l"(a + row * K + k + half));
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_of(&sb[s][row][half])),
                         "l"(b + row * K + k + half));
        }
        asm volatile("cp.async.commit_group;");
    };
    load(0);
    load(STEP);
    for (int k = 0; k < K; k += STEP) {
        const int s = k / STEP % STAGES;
        unsigned ra[4];
        asm volatile("cp.async.wait_group 1;");
        __syncthreads();
        load(k + 2 * STEP);
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                     : "r"(shared_of(&sa[s][warp * 16 + lane % 16][lane / 16 * 8])));
        for (int n = 0; n < 4; n++) {
            unsigned rb[2];
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                         : "=r"(rb[0]), "=r"(rb[1])
                         : "r"(shared_of(&sb[s][n * 8 + lane % 8][lane / 8 % 2 * 8])));
            asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                         : "+f"(d[n][0]), "+f"(d[n][1]), "+f"(d[n][2]), "+f"(d[n][3])
                         : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
        }
    }
    for (int n = 0; n < 4; n++)
        for (int i = 0; i < 4; i++)
            c[(warp * 16 + lane / 4 + i / 2 * 8) * N + n * 8 + lane % 4 * 2 + i % 2] = d[n][i];
}

// ---- Attention in one pass over keys: a thread a query, 16 numbers each ----

extern "C" __global__ void attention(const float *q, const float *k, const float *v, float *out)
{
    enum { D = 16, KEYS = 48, TILE = 16 };
    __shared__ float sk[TILE][D], sv[TILE][D];
    float mine[D], sum[D] = {}, most = -INFINITY, total = 0;
    for (int i = 0; i < D; i++)
        mine[i] = q[threadIdx.x * D + i];
    for (int first = 0; first < KEYS; first += TILE) {
        __syncthreads();
        for (int i = threadIdx.x; i < TILE * D; i += blockDim.x) {
            sk[i / D][i % D] = k[first * D + i];
            sv[i / D][i % D] = v[first * D + i];
        }
        __syncthreads();
        for (int j = 0; j < TILE; j++) {
            float score = 0;
            for (int i = 0; i < D; i++)
                score = fmaf(mine[i], sk[j][i], score);
            score *= 0.25f * 1.44269504f;
            const float next = fmaxf(most, score), old = exp2f(most - next), weight = exp2f(score - next);
            total = fmaf(total, old, weight);
            for (int i = 0; i < D; i++)
                sum[i] = fmaf(sum[i], old, weight * sv[j][i]);
            most = next;
        }
    }
    for (int i = 0; i < D; i++)
        out[threadIdx.x * D + i] = sum[i] / total;
}

// A warp a row of 64
extern "C" __global__ void layer_norm(const float *in, float *out)
{
    const int lane = threadIdx.x % 32, row = threadIdx.x / 32;
    float x[2], sum = 0, squares = 0;
    for (int i = 0; i < 2; i++)
        sum += x[i] = in[row * 64 + i * 32 + lane];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0u, sum, step);
    for (int i = 0; i < 2; i++)
        squares += (x[i] - sum / 64) * (x[i] - sum / 64);
    for (int step = 16; step > 0; step /= 2)
        squares += __shfl_xor_sync(~0u, squares, step);
    for (int i = 0; i < 2; i++)
        out[row * 64 + i * 32 + lane] = (x[i] - sum / 64) * rsqrtf(squares / 64 + 1e-5f);
}
