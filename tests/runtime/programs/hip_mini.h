/* SPDX-License-Identifier: MIT */
/* What the programs need of HIP's headers, so that plain clang compiles them without ROCm. */
#ifndef HIP_MINI_H
#define HIP_MINI_H
#include <cstddef>
#include <cstdint>

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))

struct dim3 {
    unsigned x, y, z;
    __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z)
    {
    }
};
typedef struct hipStream *hipStream_t;
typedef struct hipEvent *hipEvent_t;
typedef int hipError_t;

extern "C" {
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, hipStream_t stream = nullptr);
hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, hipStream_t *stream);
hipError_t hipLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t shared,
                           hipStream_t stream);
hipError_t hipLaunchKernel_spt(const void *host, dim3 grid, dim3 block, void **args, size_t shared,
                               hipStream_t stream);
hipError_t hipMalloc(void **pointer, size_t size);
hipError_t hipFree(void *pointer);
hipError_t hipMemcpy(void *to, const void *from, size_t size, int kind);
hipError_t hipMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, int kind);
hipError_t hipMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, int kind);
hipError_t hipGetSymbolAddress(void **pointer, const void *symbol);
hipError_t hipDeviceSynchronize(void);
hipError_t hipGetLastError(void);
hipError_t hipGetDeviceCount(int *count);
const char *hipGetErrorName(hipError_t error);
}

__device__ static inline unsigned thread()
{
    return __builtin_amdgcn_workitem_id_x();
}
__device__ static inline unsigned block()
{
    return __builtin_amdgcn_workgroup_id_x();
}
__device__ static inline void barrier()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ static inline unsigned block_size()
{
    return __builtin_amdgcn_workgroup_size_x();
}
#endif
