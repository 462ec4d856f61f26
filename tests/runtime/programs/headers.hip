// SPDX-License-Identifier: MIT
// A program on the vendor's own headers (Debian: libamdhip64-dev). The kernel uses clang's builtins for indices and the barrier: those of the
// headers need the vendor's device library.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

enum { GROUP = 256, COUNT = 1000 };
__device__ int runs;

__global__ void scale(float *y, const float *x, float a, int n)
{
    __shared__ float tile[GROUP];
    const int lane = __builtin_amdgcn_workitem_id_x(), i = __builtin_amdgcn_workgroup_id_x() * GROUP + lane;
    tile[lane] = i < n ? x[i] : 0;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    if (i < n)
        y[i] = a * tile[GROUP - 1 - lane];
    if (i == 0)
        runs++;
}

#define TRY(call)                                                                                                      \
    if (const hipError_t e = (call)) {                                                                                 \
        printf("%s: %s (%s)\n", #call, hipGetErrorName(e), hipGetErrorString(e));                                      \
        return 1;                                                                                                      \
    }

int main()
{
    std::vector<float> host(COUNT);
    float *x, *y, ms;
    int devices, blocks, ran;
    hipDeviceProp_t p;
    hipStream_t stream;
    hipEvent_t begin, end;
    for (int i = 0; i < COUNT; i++)
        host[i] = i;
    TRY(hipGetDeviceCount(&devices));
    TRY(hipGetDeviceProperties(&p, devices - 1));
    TRY(hipSetDevice(devices - 1));
    TRY(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, GROUP, 0));
    printf("%s, waves of %d, %d multiprocessors, at least one block each: %d\n", p.gcnArchName, p.warpSize, p.multiProcessorCount, blocks > 0);
    TRY(hipStreamCreate(&stream));
    TRY(hipEventCreate(&begin));
    TRY(hipEventCreate(&end));
    TRY(hipMalloc(&x, COUNT * sizeof(*x)));
    TRY(hipMalloc(&y, COUNT * sizeof(*y)));
    TRY(hipMemcpyAsync(x, host.data(), COUNT * sizeof(*x), hipMemcpyHostToDevice, stream));
    TRY(hipEventRecord(begin, stream));
    scale<<<4, GROUP, 0, stream>>>(y, x, 2.5f, COUNT);
    TRY(hipGetLastError());
    TRY(hipEventRecord(end, stream));
    TRY(hipMemcpyAsync(host.data(), y, COUNT * sizeof(*y), hipMemcpyDeviceToHost, stream));
    TRY(hipStreamSynchronize(stream));
    TRY(hipEventElapsedTime(&ms, begin, end));
    TRY(hipMemcpyFromSymbol(&ran, HIP_SYMBOL(runs), sizeof(ran)));
    for (int i = 0; i < COUNT; i++) {
        const int from = i / GROUP * GROUP + GROUP - 1 - i % GROUP;
        if (host[i] != 2.5f * (from < COUNT ? from : 0)) {
            printf("wrong: [%d] is %g\n", i, (double)host[i]);
            return 1;
        }
    }
    TRY(hipFree(x));
    printf("fine, ran %d times\n", ran);
    TRY(hipFree(x)); // twice
}
