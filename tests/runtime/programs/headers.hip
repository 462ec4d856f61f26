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

// What the structure says and what the attribute says.
static int different_attributes(const hipDeviceProp_t &p, int device)
{
    const struct {
        hipDeviceAttribute_t attribute;
        long value;
        const char *name;
    } rows[] = {
        { hipDeviceAttributeMaxThreadsPerBlock, p.maxThreadsPerBlock, "MaxThreadsPerBlock" },
        { hipDeviceAttributeMaxGridDimX, p.maxGridSize[0], "MaxGridDimX" },
        { hipDeviceAttributeMaxGridDimY, p.maxGridSize[1], "MaxGridDimY" },
        { hipDeviceAttributeMaxBlockDimZ, p.maxThreadsDim[2], "MaxBlockDimZ" },
        { hipDeviceAttributeClockRate, p.clockRate, "ClockRate" },
        { hipDeviceAttributeMemoryClockRate, p.memoryClockRate, "MemoryClockRate" },
        { hipDeviceAttributeMemoryBusWidth, p.memoryBusWidth, "MemoryBusWidth" },
        { hipDeviceAttributeComputeCapabilityMajor, p.major, "ComputeCapabilityMajor" },
        { hipDeviceAttributeComputeCapabilityMinor, p.minor, "ComputeCapabilityMinor" },
        { hipDeviceAttributeMaxRegistersPerBlock, p.regsPerBlock, "MaxRegistersPerBlock" },
        { hipDeviceAttributeMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor, "MaxThreadsPerMultiProcessor" },
        { hipDeviceAttributeMaxSharedMemoryPerBlock, (long)p.sharedMemPerBlock, "MaxSharedMemoryPerBlock" },
        { hipDeviceAttributeL2CacheSize, p.l2CacheSize, "L2CacheSize" },
        { hipDeviceAttributeTotalConstantMemory, (long)p.totalConstMem, "TotalConstantMemory" },
        { hipDeviceAttributeMultiprocessorCount, p.multiProcessorCount, "MultiprocessorCount" },
        { hipDeviceAttributeWarpSize, p.warpSize, "WarpSize" },
        { hipDeviceAttributeIntegrated, p.integrated, "Integrated" },
        { hipDeviceAttributeManagedMemory, p.managedMemory, "ManagedMemory" },
        { hipDeviceAttributePciBusId, device + 1, "PciBusId" },
        { hipDeviceAttributePciDeviceId, 0, "PciDeviceId" },
        { hipDeviceAttributeCanMapHostMemory, 1, "CanMapHostMemory" },
        { hipDeviceAttributeKernelExecTimeout, 0, "KernelExecTimeout" },
        { hipDeviceAttributeComputeMode, hipComputeModeDefault, "ComputeMode" },
    };
    for (const auto &row : rows) {
        int value = -1;
        if (hipDeviceGetAttribute(&value, row.attribute, device) || value != row.value) {
            printf("wrong: attribute %s is %d, not %ld\n", row.name, value, row.value);
            return 1;
        }
    }
    return 0;
}

int main()
{
    std::vector<float> host(COUNT);
    float *x, *y, ms;
    int devices, blocks, ran, elsewhere;
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
    if (different_attributes(p, devices - 1))
        return 1;
    TRY(hipSetDevice(0)); // which has variables of its own
    TRY(hipMemcpyFromSymbol(&elsewhere, HIP_SYMBOL(runs), sizeof(elsewhere)));
    if (elsewhere != (devices == 1)) {
        printf("wrong: device 0 counts %d\n", elsewhere);
        return 1;
    }
    TRY(hipSetDevice(devices - 1));
    TRY(hipFree(x));
    printf("fine, ran %d times\n", ran);
    TRY(hipFree(x)); // twice
}
