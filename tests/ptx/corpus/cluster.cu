/* Kernels of sm_90 whose blocks form clusters: distributed shared memory, remote mbarriers, multicast. */
#include <cooperative_groups.h>
#include <cstdint>

namespace cg = cooperative_groups;

static __device__ unsigned shared_of(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ unsigned rank_of(const void *p, unsigned rank)
{
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(shared_of(p)), "r"(rank));
    return there;
}

static __device__ void init(uint64_t *b, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\nfence.mbarrier_init.release.cluster;" ::"r"(shared_of(b)),
                 "r"(count) : "memory");
}

static __device__ void expect(uint64_t *b, unsigned bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_of(b)), "r"(bytes) : "memory");
}

static __device__ void wait(uint64_t *b, unsigned parity)
{
    asm volatile("{ .reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra again; }" ::"r"(shared_of(b)), "r"(parity) : "memory");
}

/* What each block says of where it is. */
extern "C" __global__ void places(int *out)
{
    const cg::cluster_group c = cg::this_cluster();
    unsigned n, id;
    asm("mov.u32 %0, %%nclusterid.x;" : "=r"(n));
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
    if (threadIdx.x == 0) {
        int *o = out + 8 * (blockIdx.x + gridDim.x * blockIdx.y);
        o[0] = c.block_rank();
        o[1] = c.num_blocks();
        o[2] = c.block_index().x;
        o[3] = c.block_index().y;
        o[4] = c.dim_blocks().x;
        o[5] = c.dim_blocks().y;
        o[6] = id;
        o[7] = n;
    }
}

/* Bins are spread over the blocks of a cluster, which count in each other's. */
extern "C" __global__ void __cluster_dims__(4, 1, 1) histogram(const int *in, int *out)
{
    __shared__ int bins[16];
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    c.sync();
    const int v = in[blockIdx.x * blockDim.x + threadIdx.x] & 63;
    atomicAdd(c.map_shared_rank(bins, v / 16) + v % 16, 1);
    c.sync();
    if (threadIdx.x < 16)
        atomicAdd(&out[c.block_rank() * 16 + threadIdx.x], bins[threadIdx.x]);
}

/* Every block reads the others' partial sums. */
extern "C" __global__ void reduce(const int *in, int *out)
{
    __shared__ int sum;
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    c.sync();
    if (threadIdx.x == 0) {
        int all = 0;
        for (unsigned r = 0; r < c.num_blocks(); r++)
            all = 3 * all + *c.map_shared_rank(&sum, r);
        out[blockIdx.x] = all;
    }
    c.sync();
}

/* Values go round the cluster with st.async; each block waits for those of the block before. */
extern "C" __global__ void __cluster_dims__(8, 1, 1) ring(const int *in, int *out, int rounds)
{
    __shared__ alignas(16) int box[2][64];
    __shared__ uint64_t full[2];
    cg::cluster_group c = cg::this_cluster();
    const unsigned t = threadIdx.x, next = (c.block_rank() + 1) % c.num_blocks();
    int v = in[blockIdx.x * 64 + t];
    if (t == 0)
        for (int i = 0; i < 2; i++)
            init(&full[i], 1);
    c.sync();
    for (int i = 0; i < rounds; i++) {
        const int s = i % 2;
        if (t == 0)
            expect(&full[s], 256);
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                         rank_of(&box[s][t], next)),
                     "r"(v), "r"(rank_of(&full[s], next)) : "memory");
        wait(&full[s], i / 2 & 1);
        v = 5 * box[s][t] + (int)c.block_rank();
        c.sync();
    }
    out[blockIdx.x * 64 + t] = v;
}

/* One block copies a tile into all of them at once. */
extern "C" __global__ void __cluster_dims__(4, 1, 1) multicast(const int *in, int *out)
{
    __shared__ alignas(128) int tile[64];
    __shared__ uint64_t full;
    cg::cluster_group c = cg::this_cluster();
    if (threadIdx.x == 0) {
        init(&full, 1);
        expect(&full, 256);
    }
    c.sync();
    if (c.block_rank() == 1 && threadIdx.x == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 256, "
                     "[%2], %3;" ::"r"(shared_of(tile)), "l"(in + blockIdx.x / 4 * 64), "r"(shared_of(&full)), "h"((uint16_t)0xf)
                     : "memory");
    wait(&full, 0);
    out[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x] * (int)(c.block_rank() + 1);
    c.sync();
}

/* A block sends a run of its shared memory to the next one, and arrives there a second time itself. */
extern "C" __global__ void __cluster_dims__(2, 1, 1) send(const int *in, int *out)
{
    __shared__ alignas(128) int mine[64], theirs[64];
    __shared__ uint64_t full;
    cg::cluster_group c = cg::this_cluster();
    const unsigned t = threadIdx.x, other = c.block_rank() ^ 1;
    mine[t] = in[blockIdx.x * 64 + t];
    if (t == 0) {
        init(&full, 2);
        expect(&full, 256);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    c.sync();
    if (t == 0) {
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(
                         rank_of(theirs, other)),
                     "r"(shared_of(mine)), "r"(rank_of(&full, other)) : "memory");
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(rank_of(&full, other)) : "memory");
    }
    wait(&full, 0);
    out[blockIdx.x * 64 + t] = theirs[63 - t] - mine[t];
    c.sync();
}

/* Blocks add to one block's sums and maxima as their copies arrive, then to global memory. */
extern "C" __global__ void __cluster_dims__(4, 1, 1) gathered(const unsigned *in, unsigned *out)
{
    __shared__ alignas(128) unsigned mine[64], sums[64], most[64], bits;
    __shared__ uint64_t full;
    cg::cluster_group c = cg::this_cluster();
    const unsigned t = threadIdx.x;
    mine[t] = in[blockIdx.x * 64 + t];
    sums[t] = most[t] = bits = 0;
    if (t == 0) {
        init(&full, 1);
        if (c.block_rank() == 0)
            expect(&full, 4 * (512 + 4));
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    c.sync();
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], 256, [%2];" ::
                         "r"(rank_of(sums, 0)), "r"(shared_of(mine)), "r"(rank_of(&full, 0)) : "memory");
        asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.u32 [%0], [%1], 256, [%2];" ::
                         "r"(rank_of(most, 0)), "r"(shared_of(mine)), "r"(rank_of(&full, 0)) : "memory");
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.or.b32 [%0], %1, [%2];" ::"r"(
                         rank_of(&bits, 0)), "r"(1u << c.block_rank()), "r"(rank_of(&full, 0)) : "memory");
    }
    if (c.block_rank() == 0) {
        wait(&full, 0);
        sums[t] += bits;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (t == 0) {
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 256;\n"
                         "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [%2], [%3], 256;\n"
                         "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::"l"(out), "r"(shared_of(sums)),
                         "l"(out + 64), "r"(shared_of(most)) : "memory");
        }
    }
    c.sync();
}

/* ---- Mistakes ---- */

/* A block ends while another still reads its memory. */
extern "C" __global__ void __cluster_dims__(2, 1, 1) leaver(int *out)
{
    __shared__ int v;
    cg::cluster_group c = cg::this_cluster();
    v = threadIdx.x;
    c.sync();
    if (c.block_rank() == 0)
        return;
    __nanosleep(100);
    for (volatile int i = 0; i < 100; i++)
        ;
    out[threadIdx.x] = *c.map_shared_rank(&v, 0);
}

/* One block does not come to the cluster's barrier, but waits for an mbarrier that nobody completes. */
extern "C" __global__ void __cluster_dims__(2, 1, 1) stuck(int *out)
{
    __shared__ uint64_t never;
    cg::cluster_group c = cg::this_cluster();
    if (c.block_rank() == 1 && threadIdx.x == 0)
        init(&never, 1);
    __syncthreads();
    if (c.block_rank() == 1)
        wait(&never, 0);
    c.sync();
    out[threadIdx.x] = 1;
}

/* Another block's memory through an address of the own. */
extern "C" __global__ void __cluster_dims__(2, 1, 1) trespass(int *out)
{
    __shared__ int v;
    v = threadIdx.x;
    cg::this_cluster().sync();
    int w;
    asm volatile("ld.shared::cta.u32 %0, [%1];" : "=r"(w) : "r"(rank_of(&v, 1 - cg::this_cluster().block_rank())));
    out[threadIdx.x] = w;
    cg::this_cluster().sync();
}
