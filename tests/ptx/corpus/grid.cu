// SPDX-License-Identifier: MIT
// Blocks that wait for each other: cooperative groups of CUDA.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void grid_sync(unsigned *a, unsigned *out, unsigned rounds)
{
    cg::grid_group g = cg::this_grid();
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    for (unsigned r = 0; r < rounds; r++) {
        a[i] = i * i + r;
        g.sync();
        out[i] = out[i] * 3 + a[n - 1 - i];
        g.sync();
    }
}
