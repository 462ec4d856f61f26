// SPDX-License-Identifier: MIT
// Kernels for modules and sessions: globals that keep their values, barriers, loops that end or never end.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))

extern "C" {
__device__ unsigned counter = 0;
__device__ unsigned table[4] = { 10, 20, 30, 40 };

__global__ void count(unsigned *out)
{
    counter = counter + 1;
    *out = counter + table[counter & 3];
}

// Every work-item hands its number to its neighbour `rounds` times.
__global__ void hand_on(unsigned *out, unsigned rounds)
{
    __shared__ unsigned slot[256];
    const unsigned me = __builtin_amdgcn_workitem_id_x();
    unsigned value = me + 256 * __builtin_amdgcn_workgroup_id_x();
    for (unsigned i = 0; i < rounds; i++) {
        slot[me] = value;
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
        __builtin_amdgcn_s_barrier();
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
        value = slot[(me + 1) & 255] * 3 + i;
        __builtin_amdgcn_s_barrier();
    }
    out[me + 256 * __builtin_amdgcn_workgroup_id_x()] = value;
}

// Runs until `flag` is changed from outside, and itself changes memory meanwhile.
__global__ void spin(volatile unsigned *flag)
{
    while (flag[0] == 0)
        flag[1] = flag[1] + 1;
}
}
