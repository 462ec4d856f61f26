/* Kernels of sm_90 with asynchronous copies: mbarriers, bulk copies, the election of a lane. */
#include <cstdint>

static __device__ unsigned shared_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ void init(uint64_t *b, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_of(b)), "r"(count) : "memory");
}

static __device__ void expect(uint64_t *b, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_of(b)), "r"(bytes) : "memory");
}

static __device__ void arrive(uint64_t *b)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_of(b)) : "memory");
}

static __device__ void wait(uint64_t *b, unsigned parity)
{
    asm volatile("{ .reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again; }" ::"r"(shared_of(b)), "r"(parity) : "memory");
}

static __device__ void load(void *to, const void *from, unsigned bytes, uint64_t *b)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_of(to)),
                 "l"(from), "r"(bytes), "r"(shared_of(b)) : "memory");
}

/* A producer fills two stages in turn, consumers add their contents; a bulk copy writes the result. */
extern "C" __global__ void pipeline(const int *in, int *out, int tiles)
{
    __shared__ alignas(128) int stage[2][64];
    __shared__ alignas(128) int result[64];
    __shared__ uint64_t full[2], empty[2];
    const unsigned t = threadIdx.x;
    if (t == 0)
        for (int i = 0; i < 2; i++) {
            init(&full[i], 1);
            init(&empty[i], 64);
        }
    __syncthreads();
    if (t >= 64) {
        if (t == 64)
            for (int i = 0; i < tiles; i++) {
                wait(&empty[i % 2], 1 ^ (i / 2 & 1));
                expect(&full[i % 2], 256);
                load(stage[i % 2], in + 64 * i, 256, &full[i % 2]);
            }
    } else {
        int sum = 0;
        for (int i = 0; i < tiles; i++) {
            wait(&full[i % 2], i / 2 & 1);
            sum = 3 * sum + stage[i % 2][t] - stage[i % 2][63 - t] / 2;
            arrive(&empty[i % 2]);
        }
        result[t] = sum;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("bar.sync 1, 64;" ::: "memory");
        if (t == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + 64 * blockIdx.x),
                         "r"(shared_of(result)), "r"(256) : "memory");
            asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
        }
    }
}

/* Copies by threads that report to a barrier by themselves; a token instead of a parity. */
extern "C" __global__ void gather(const int *in, int *out)
{
    __shared__ alignas(16) int data[64];
    __shared__ uint64_t ready;
    const unsigned t = threadIdx.x;
    uint64_t token;
    int done;
    if (t == 0)
        init(&ready, 64);
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_of(&data[t])), "l"(in + (t * 37 & 63)) : "memory");
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(shared_of(&ready)) : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared_of(&ready)) : "memory");
    do
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }" : "=r"(done)
                     : "r"(shared_of(&ready)), "l"(token) : "memory");
    while (!done);
    out[t] = data[63 - t];
}

/* One lane of each warp is elected; the block is a cluster of one. */
extern "C" __global__ void election(int *out)
{
    __shared__ int votes[4];
    const unsigned warp = threadIdx.x / 32;
    unsigned leader, me, rank, size;
    asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.b32 %1, 1, 0, p; }" : "=r"(leader), "=r"(me));
    if (me)
        votes[warp] = 100 * warp + leader;
    asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    unsigned address = shared_of(&votes[3 - warp]), far;
    int got;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(far) : "r"(address), "r"(rank));
    asm volatile("ld.shared::cluster.b32 %0, [%1];" : "=r"(got) : "r"(far));
    out[threadIdx.x] = got + 1000 * rank + 10000 * size;
}

/* Mistakes: a barrier with one arrival too few, one not initialised, an arrival too many, 24 bytes. */
extern "C" __global__ void starved(int *out)
{
    __shared__ uint64_t b;
    if (threadIdx.x == 0)
        init(&b, 33);
    __syncthreads();
    arrive(&b);
    wait(&b, 0);
    out[threadIdx.x] = 1;
}

extern "C" __global__ void unready(int *out)
{
    __shared__ uint64_t b;
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(shared_of(&b)) : "memory");
    out[threadIdx.x] = 1;
}

extern "C" __global__ void crowded(int *out)
{
    __shared__ uint64_t b;
    if (threadIdx.x == 0) {
        init(&b, 2);
        asm volatile("{ .reg .b64 t; mbarrier.arrive.shared::cta.b64 t, [%0], 3; }" ::"r"(shared_of(&b)) : "memory");
    }
    out[threadIdx.x] = 1;
}

extern "C" __global__ void crooked(int *out)
{
    __shared__ alignas(16) int data[8];
    __shared__ uint64_t b;
    if (threadIdx.x == 0) {
        init(&b, 1);
        expect(&b, 24);
        load(data, out, 24 * blockDim.y, &b);
        wait(&b, 0);
    }
    out[threadIdx.x] = data[0];
}

/* A tile of 32 x 32 words is loaded and stored by swizzled tensor copies; in between it is transposed. */
struct alignas(64) tensor_map {
    unsigned char bytes[128];
};

static __device__ unsigned swizzled(unsigned row, unsigned column)
{
    return row * 32 + ((column / 4 ^ row % 8) * 4 | column % 4);
}

extern "C" __global__ void turn(const __grid_constant__ tensor_map from, const __grid_constant__ tensor_map to)
{
    __shared__ alignas(1024) unsigned tile[2][1024];
    __shared__ uint64_t ready;
    const unsigned t = threadIdx.x;
    const int x = 32 * blockIdx.x, y = 32 * blockIdx.y;
    if (t == 0) {
        init(&ready, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        expect(&ready, sizeof(tile[0]));
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                         shared_of(tile[0])),
                     "l"(&from), "r"(x), "r"(y), "r"(shared_of(&ready)) : "memory");
    }
    __syncthreads();
    wait(&ready, 0);
    for (unsigned i = t; i < 1024; i += blockDim.x)
        tile[1][swizzled(i % 32, i / 32)] = tile[0][swizzled(i / 32, i % 32)] + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to), "r"(y), "r"(x),
                     "r"(shared_of(tile[1])) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
    }
}
