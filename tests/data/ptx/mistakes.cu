// SPDX-License-Identifier: MIT
// Kernels with one mistake each, and a copy of pixels. Compiled by build.sh.
#include <cstdlib>

struct __align__(64) map_t {
    char bytes[128];
};

extern "C" __global__ void past_end(int *out, int i)
{
    int *p = (int *)malloc(10 * sizeof(int) + 2);
    p[i] = 7;
    out[0] = p[i];
}

extern "C" __global__ void after_free(int *out)
{
    int *p = (int *)malloc(64);
    p[1] = 3;
    free(p);
    out[0] = p[1];
}

extern "C" __global__ void freed_twice(int *out)
{
    int *p = (int *)malloc(64);
    free(p);
    free(p);
    out[0] = 1;
}

extern "C" __global__ void foreign(int *out, int inside)
{
    int *p = (int *)malloc(64);
    free(inside ? p + 4 : out);
    out[0] = 1;
}

// Blocks wait for a flag that nobody sets; the last warp of each has ended.
extern "C" __global__ void poll(volatile int *flag, int *out)
{
    if (threadIdx.x >= 32)
        return;
    while (flag[2] == 0)
        ;
    out[0] = 1;
}

extern "C" __global__ void pixels(const __grid_constant__ map_t map, short *out, int w, int h, int n)
{
    __shared__ __align__(128) short box[1024];
    __shared__ __align__(8) unsigned long long bar;
    const unsigned to = (unsigned)__cvta_generic_to_shared(box), at = (unsigned)__cvta_generic_to_shared(&bar);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at));
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 512;" ::"r"(at));
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], "
                     "[%1, {%2, %3, %4, %5}], [%6], {%7, %8};" ::"r"(to), "l"(&map), "r"(0), "r"(w), "r"(h), "r"(n), "r"(at),
                     "h"((short)1), "h"((short)0));
    }
    __syncthreads();
    asm volatile("{ .reg .pred p; L: mbarrier.try_wait.parity.shared.b64 p, [%0], 0; @!p bra L; }" ::"r"(at));
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        out[i] = box[i];
}
