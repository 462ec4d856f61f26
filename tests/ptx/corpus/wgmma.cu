/* Products of warpgroups on sm_90a: tiles loaded by tensor copies, and a factor in registers. */
#include <cstdint>

struct alignas(64) tensor_map {
    unsigned char bytes[128];
};

static __device__ unsigned shared_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ void wait(uint64_t *b, unsigned parity)
{
    asm volatile("{ .reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again; }" ::"r"(shared_of(b)), "r"(parity) : "memory");
}

static __device__ void load(void *to, const tensor_map *map, int x, int y, uint64_t *b)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                     shared_of(to)), "l"(map), "r"(x), "r"(y), "r"(shared_of(b)) : "memory");
}

static __device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
static __device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> static __device__ void wait_group() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory"); }

/* Rows of 128 bytes, with their 16-byte pieces swizzled by the row; eight rows are 1024 bytes. */
static __device__ uint64_t swizzled_tile(const void *p)
{
    return (uint64_t)1 << 62 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 16 | (shared_of(p) & 0x3ffff) >> 4;
}

static __device__ void multiply_64(float (&d)[32], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, %32, %33, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
                 : "l"(a), "l"(b));
}

static __device__ void multiply_32(float (&d)[16], const unsigned (&a)[4], uint64_t b, int add)
{
    asm volatile("{ .reg .pred p; setp.ne.b32 p, %21, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19}, %20, p, 1, -1, 1; }"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

/*
 * c[64 blocks of rows][64 columns of a block] = a[M][K] b[N][K]^T of f16. One warp fetches tiles of 64 k into two
 * stages, a warpgroup multiplies them and keeps one product under way.
 */
extern "C" __global__ void __launch_bounds__(160) wgmma_pipeline(const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b,
                                                                 float *c, int tiles)
{
    extern __shared__ __align__(1024) unsigned char stage[]; /* of 8192 bytes: A, B, A, B */
    __shared__ uint64_t full[2], empty[2];
    const int t = threadIdx.x, warp = t / 32, g = t % 32 / 4, q = t % 4;
    if (t == 0) {
        for (int i = 0; i < 2; i++) {
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_of(&full[i])) : "memory");
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 128;" ::"r"(shared_of(&empty[i])) : "memory");
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (warp == 4) {
        if (t == 128)
            for (int i = 0; i < tiles; i++) {
                const int s = i % 2;
                wait(&empty[s], 1 ^ (i / 2 & 1));
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16384;" ::"r"(shared_of(&full[s])) : "memory");
                load(stage + 16384 * s, &a, 64 * i, 64 * blockIdx.y, &full[s]);
                load(stage + 16384 * s + 8192, &b, 64 * i, 64 * blockIdx.x, &full[s]);
            }
        return;
    }
    float d[32] = {};
    for (int i = 0; i < tiles; i++) {
        const int s = i % 2;
        wait(&full[s], i / 2 & 1);
        fence();
        for (int k = 0; k < 4; k++)
            multiply_64(d, swizzled_tile(stage + 16384 * s) + 2 * k, swizzled_tile(stage + 16384 * s + 8192) + 2 * k);
        commit();
        if (i) {
            wait_group<1>();
            asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_of(&empty[1 - s])) : "memory");
        }
    }
    wait_group<0>();
    const int columns = 64 * gridDim.x;
    float *out = c + (64 * blockIdx.y + 16 * warp + g) * columns + 64 * blockIdx.x + 2 * q;
    for (int v = 0; v < 32; v++)
        out[(v / 2 % 2) * 8 * columns + v / 4 * 8 + v % 2] = d[v];
}

/*
 * c[64][32] = -a[64][K] b[K][32] of bf16: a goes straight to registers, b to shared memory row by row, which is its
 * N-major form without a swizzle: pieces of eight columns and eight k.
 */
extern "C" __global__ void wgmma_registers(const unsigned *a, const unsigned short *b, float *c, int steps)
{
    __shared__ alignas(128) unsigned short tile[512];
    const int t = threadIdx.x, warp = t / 32, g = t % 32 / 4, q = t % 4;
    float d[16];
    for (int s = 0; s < steps; s++) {
        unsigned f[4];
        for (int r = 0; r < 4; r++)
            f[r] = a[(16 * warp + g + r % 2 * 8) * 8 * steps + 8 * s + q + r / 2 * 4];
        for (int i = t; i < 512; i += 128) {
            const int k = i / 32, n = i % 32;
            tile[k / 8 * 64 + n / 8 * 128 + k % 8 * 8 + n % 8] = b[32 * (16 * s + k) + n];
        }
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        fence();
        multiply_32(d, f, (uint64_t)(256 >> 4) << 32 | (uint64_t)(128 >> 4) << 16 | (shared_of(tile) & 0x3ffff) >> 4, s);
        commit();
        wait_group<0>();
        __syncthreads();
    }
    for (int v = 0; v < 16; v++)
        c[(16 * warp + g + v / 2 % 2 * 8) * 32 + v / 4 * 8 + 2 * q + v % 2] = d[v];
}

/* A mistake: the result is read before the product is waited for. */
extern "C" __global__ void wgmma_early(const unsigned *a, const unsigned short *b, float *c, int steps)
{
    __shared__ alignas(128) unsigned short tile[512];
    float d[16] = {};
    const unsigned f[4] = { a[threadIdx.x], a[threadIdx.x], a[threadIdx.x], a[threadIdx.x] };
    for (int i = threadIdx.x; i < 512; i += 128)
        tile[i] = b[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    fence();
    multiply_32(d, f, (uint64_t)(256 >> 4) << 32 | (uint64_t)(128 >> 4) << 16 | (shared_of(tile) & 0x3ffff) >> 4, steps);
    for (int v = 0; v < 16; v++)
        c[threadIdx.x * 16 + v] = d[v];
    commit();
    wait_group<0>();
}
