/* SPDX-License-Identifier: MIT */
/*
 * The part of HIP's public C API that this stand-in implements: names, parameters and numbers as in AMD's
 * hip_runtime_api.h and clang's HIP code. Handles are pointers that only this library dereferences.
 */
#ifndef LW_RUNTIME_HIP_H
#define LW_RUNTIME_HIP_H

#include "runtime/device/device.h"

#define HIP_API __attribute__((visibility("default")))

typedef struct dim3 {
    uint32_t x, y, z;
} dim3;

typedef struct hip_context hip_context; /* a device, HIP's notion of a context */

/* hipPointerAttribute_t of HIP 5.5 and later. */
typedef struct hip_pointer_attributes {
    int type, device;
    void *device_pointer, *host_pointer;
    int managed;
    unsigned flags;
} hip_pointer_attributes;

/* hipFuncAttributes. */
typedef struct hip_function_attributes {
    int binary_version, cache_mode_ca;
    size_t const_bytes, local_bytes;
    int max_dynamic_shared, max_threads, registers, preferred_carveout, ptx_version;
    size_t shared_bytes;
} hip_function_attributes;

/* hipPitchedPtr, hipExtent, hipPos, hipMemcpy3DParms. */
typedef struct hip_pitched {
    void *pointer;
    size_t pitch, width, height;
} hip_pitched;

typedef struct hip_extent {
    size_t width, height, depth;
} hip_extent;

typedef struct hip_place {
    void *array;
    size_t x, y, z;
    hip_pitched memory;
} hip_place;

typedef struct hip_copy_3d {
    hip_place from, to;
    hip_extent size; /* the width in bytes */
    int kind;
} hip_copy_3d;

typedef void (*hip_host_fn)(void *data);
typedef void (*hip_stream_callback)(rt_stream *stream, int status, void *data);

/* ---- Shared by the files of this folder ---- */

/* The error with which a call must begin: the device could not be started, or a kernel has failed. */
int hip_enter(void);
/* Stores the value for hipGetLastError; returns `error`. Since HIP 7.0 only errors are stored, before that
 * every result. */
int hip_done(int error);
int hip_major(
    void); /* 5, 6 or 7: the number in the name under which this library was opened; 7 without one */
int *hip_device(void);                         /* the thread's current device */
hip_context *hip_context_current(void);        /* of that device */
int hip_device_of(const hip_context *context); /* -1: it is no context */
/* The kernel that a host function stands for, loaded at its first use. Returns an error number. */
int hip_function_of(const void *host, rt_function **function);
/* An attribute of hipFunction_attribute. */
int hip_value_of(const lw_kernel_info *info, int attribute, int *value);
int hip_start_kernel(rt_function *function, dim3 grid, dim3 block, void **args, size_t shared,
                     rt_stream *handle);

/* ---- Exports ---- */

HIP_API int hipInit(unsigned flags);
HIP_API int hipDriverGetVersion(int *version);
HIP_API int hipRuntimeGetVersion(int *version);
HIP_API int hipGetProcAddress(const char *name, void **function, int version, uint64_t flags, int *status);
HIP_API int hipGetLastError(void);
HIP_API int hipPeekAtLastError(void);
HIP_API int hipExtGetLastError(void);
HIP_API const char *hipGetErrorName(int error);
HIP_API const char *hipGetErrorString(int error);
HIP_API int hipDrvGetErrorName(int error, const char **name);
HIP_API int hipDrvGetErrorString(int error, const char **text);

HIP_API int hipGetDeviceCount(int *count);
HIP_API int hipGetDevice(int *device);
HIP_API int hipSetDevice(int device);
HIP_API int hipDeviceGet(int *device, int ordinal);
HIP_API int hipDeviceGetName(char *name, int length, int device);
HIP_API int hipDeviceGetUuid(void *uuid, int device);
HIP_API int hipDeviceGetPCIBusId(char *id, int length, int device);
HIP_API int hipDeviceTotalMem(size_t *bytes, int device);
HIP_API int hipDeviceComputeCapability(int *major, int *minor, int device);
HIP_API int hipDeviceGetAttribute(int *value, int attribute, int device);
HIP_API int hipGetDeviceProperties(void *properties, int device);
HIP_API int hipGetDevicePropertiesR0600(void *properties, int device);
HIP_API int hipDeviceSynchronize(void);
HIP_API int hipDeviceReset(void);
HIP_API int hipDeviceCanAccessPeer(int *can, int device, int peer);
HIP_API int hipDeviceEnablePeerAccess(int peer, unsigned flags);
HIP_API int hipDeviceDisablePeerAccess(int peer);
HIP_API int hipDeviceGetStreamPriorityRange(int *least, int *greatest);
HIP_API int hipSetDeviceFlags(unsigned flags);
HIP_API int hipGetDeviceFlags(unsigned *flags);
HIP_API int hipDevicePrimaryCtxRetain(hip_context **context, int device);
HIP_API int hipDevicePrimaryCtxRelease(int device);
HIP_API int hipDevicePrimaryCtxReset(int device);
HIP_API int hipDevicePrimaryCtxGetState(int device, unsigned *flags, int *active);
HIP_API int hipCtxCreate(hip_context **context, unsigned flags, int device);
HIP_API int hipCtxDestroy(hip_context *context);
HIP_API int hipCtxSetCurrent(hip_context *context);
HIP_API int hipCtxGetCurrent(hip_context **context);
HIP_API int hipCtxPushCurrent(hip_context *context);
HIP_API int hipCtxPopCurrent(hip_context **context);
HIP_API int hipCtxGetDevice(int *device);
HIP_API int hipCtxSynchronize(void);

HIP_API int hipMalloc(void **pointer, size_t size);
HIP_API int hipExtMallocWithFlags(void **pointer, size_t size, unsigned flags);
HIP_API int hipMallocAsync(void **pointer, size_t size, rt_stream *stream);
HIP_API int hipMallocManaged(void **pointer, size_t size, unsigned flags);
HIP_API int hipMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
HIP_API int hipHostMalloc(void **pointer, size_t size, unsigned flags);
HIP_API int hipHostAlloc(void **pointer, size_t size, unsigned flags);
HIP_API int hipMallocHost(void **pointer, size_t size);
HIP_API int hipMemAllocHost(void **pointer, size_t size);
HIP_API int hipFree(void *pointer);
HIP_API int hipFreeAsync(void *pointer, rt_stream *stream);
HIP_API int hipHostFree(void *pointer);
HIP_API int hipFreeHost(void *pointer);
HIP_API int hipHostRegister(void *host, size_t size, unsigned flags);
HIP_API int hipHostUnregister(void *host);
HIP_API int hipHostGetDevicePointer(void **pointer, void *host, unsigned flags);
HIP_API int hipHostGetFlags(unsigned *flags, void *host);
HIP_API int hipMemGetInfo(size_t *left, size_t *all);
HIP_API int hipMemGetAddressRange(void **base, size_t *size, void *pointer);
HIP_API int hipMemPtrGetInfo(void *pointer, size_t *size);
HIP_API int hipPointerGetAttributes(hip_pointer_attributes *attributes, const void *pointer);
HIP_API int hipPointerGetAttribute(void *data, int attribute, void *pointer);
HIP_API int hipMemPrefetchAsync(const void *pointer, size_t size, int device, rt_stream *stream);
HIP_API int hipMemAdvise(const void *pointer, size_t size, int advice, int device);

HIP_API int hipMemcpy(void *to, const void *from, size_t size, int kind);
HIP_API int hipMemcpyAsync(void *to, const void *from, size_t size, int kind, rt_stream *stream);
HIP_API int hipMemcpyWithStream(void *to, const void *from, size_t size, int kind, rt_stream *stream);
HIP_API int hipMemcpyHtoD(void *to, void *from, size_t size);
HIP_API int hipMemcpyDtoH(void *to, void *from, size_t size);
HIP_API int hipMemcpyDtoD(void *to, void *from, size_t size);
HIP_API int hipMemcpyHtoDAsync(void *to, void *from, size_t size, rt_stream *stream);
HIP_API int hipMemcpyDtoHAsync(void *to, void *from, size_t size, rt_stream *stream);
HIP_API int hipMemcpyDtoDAsync(void *to, void *from, size_t size, rt_stream *stream);
HIP_API int hipMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size);
HIP_API int hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size,
                               rt_stream *stream);
HIP_API int hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                        size_t height, int kind);
HIP_API int hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                             size_t height, int kind, rt_stream *stream);
HIP_API int hipMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, int kind);
HIP_API int hipMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, int kind);
HIP_API int hipMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset, int kind,
                                   rt_stream *stream);
HIP_API int hipMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, int kind,
                                     rt_stream *stream);
HIP_API int hipGetSymbolAddress(void **pointer, const void *symbol);
HIP_API int hipGetSymbolSize(size_t *size, const void *symbol);
HIP_API int hipMemset(void *to, int value, size_t size);
HIP_API int hipMemsetAsync(void *to, int value, size_t size, rt_stream *stream);
HIP_API int hipMemsetD8(void *to, unsigned char value, size_t count);
HIP_API int hipMemsetD16(void *to, unsigned short value, size_t count);
HIP_API int hipMemsetD32(void *to, int value, size_t count);
HIP_API int hipMemsetD8Async(void *to, unsigned char value, size_t count, rt_stream *stream);
HIP_API int hipMemsetD16Async(void *to, unsigned short value, size_t count, rt_stream *stream);
HIP_API int hipMemsetD32Async(void *to, int value, size_t count, rt_stream *stream);
HIP_API int hipMemset2D(void *to, size_t pitch, int value, size_t width, size_t height);
HIP_API int hipMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                             rt_stream *stream);

HIP_API int hipStreamCreate(rt_stream **stream);
HIP_API int hipStreamCreateWithFlags(rt_stream **stream, unsigned flags);
HIP_API int hipStreamCreateWithPriority(rt_stream **stream, unsigned flags, int priority);
HIP_API int hipStreamDestroy(rt_stream *stream);
HIP_API int hipStreamQuery(rt_stream *stream);
HIP_API int hipStreamSynchronize(rt_stream *stream);
HIP_API int hipStreamWaitEvent(rt_stream *stream, rt_event *event, unsigned flags);
HIP_API int hipStreamGetFlags(rt_stream *stream, unsigned *flags);
HIP_API int hipStreamGetPriority(rt_stream *stream, int *priority);
HIP_API int hipStreamIsCapturing(rt_stream *stream, int *status);
HIP_API int hipStreamAddCallback(rt_stream *stream, hip_stream_callback callback, void *data, unsigned flags);
HIP_API int hipLaunchHostFunc(rt_stream *stream, hip_host_fn function, void *data);
HIP_API int hipEventCreate(rt_event **event);
HIP_API int hipEventCreateWithFlags(rt_event **event, unsigned flags);
HIP_API int hipEventDestroy(rt_event *event);
HIP_API int hipEventRecord(rt_event *event, rt_stream *stream);
HIP_API int hipEventQuery(rt_event *event);
HIP_API int hipEventSynchronize(rt_event *event);
HIP_API int hipEventElapsedTime(float *ms, rt_event *from, rt_event *to);

HIP_API int hipModuleLoad(rt_module **module, const char *path);
HIP_API int hipModuleLoadData(rt_module **module, const void *image);
HIP_API int hipModuleLoadDataEx(rt_module **module, const void *image, unsigned count, int *options,
                                void **values);
HIP_API int hipModuleUnload(rt_module *module);
HIP_API int hipModuleGetFunction(rt_function **function, rt_module *module, const char *name);
HIP_API int hipModuleGetGlobal(void **pointer, size_t *size, rt_module *module, const char *name);
HIP_API int hipModuleLaunchKernel(rt_function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                  rt_stream *stream, void **params, void **extra);
HIP_API int hipModuleLaunchCooperativeKernel(rt_function *function, unsigned grid_x, unsigned grid_y,
                                             unsigned grid_z, unsigned block_x, unsigned block_y,
                                             unsigned block_z, unsigned shared, rt_stream *stream,
                                             void **params);
HIP_API int hipFuncGetAttribute(int *value, int attribute, rt_function *function);
HIP_API int hipFuncGetAttributes(hip_function_attributes *attributes, const void *host);
HIP_API int hipFuncSetAttribute(const void *host, int attribute, int value);
HIP_API int hipFuncSetCacheConfig(const void *host, int config);
HIP_API int hipFuncSetSharedMemConfig(const void *host, int config);
HIP_API int hipGetFuncBySymbol(rt_function **function, const void *host);
HIP_API int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, rt_function *function, int block,
                                                               size_t dynamic);
HIP_API int hipOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, const void *host, int block,
                                                         size_t dynamic);
HIP_API int hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, rt_function *function,
                                                    size_t dynamic, int limit);
HIP_API int hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *host, size_t dynamic,
                                              int limit);

/* Functions that clang's code for HIP programs calls. */
HIP_API void **__hipRegisterFatBinary(const void *wrapper);
HIP_API void __hipUnregisterFatBinary(void **binary);
HIP_API void __hipRegisterFunction(void **binary, const void *host, char *device_name, const char *name,
                                   unsigned limit, void *thread, void *block, void *block_size,
                                   void *grid_size, int *wave);
HIP_API void __hipRegisterVar(void **binary, void *host, char *host_name, char *name, int external,
                              size_t size, int constant, int global);
HIP_API void __hipRegisterManagedVar(void **binary, void **slot, void *initial, const char *name, size_t size,
                                     unsigned align);
HIP_API void __hipRegisterSurface(void **binary, void *host, char *host_name, char *name, int type,
                                  int external);
HIP_API void __hipRegisterTexture(void **binary, void *host, char *host_name, char *name, int type,
                                  int normal, int external);
HIP_API int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, rt_stream *stream);
HIP_API int __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, rt_stream **stream);
HIP_API int hipLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t shared,
                            rt_stream *stream);
HIP_API int hipLaunchKernel_spt(const void *host, dim3 grid, dim3 block, void **args, size_t shared,
                                rt_stream *stream);
HIP_API int hipLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **args, unsigned shared,
                                       rt_stream *stream);

/* Of a default stream per thread. */

HIP_API int hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *groups, rt_function *function,
                                                                        int block, size_t dynamic,
                                                                        unsigned flags);
HIP_API int hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, rt_function *function,
                                                             size_t dynamic, int limit, unsigned flags);
HIP_API int hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *groups, const void *host, int block,
                                                                  size_t dynamic, unsigned flags);
HIP_API int hipModuleLoadFatBinary(rt_module **module, const void *image);
HIP_API int hipDeviceGetByPCIBusId(int *device, const char *id);
HIP_API int hipStreamGetDevice(rt_stream *stream, int *device);
HIP_API int hipGetStreamDeviceId(rt_stream *stream);
HIP_API int hipEventRecordWithFlags(rt_event *event, rt_stream *stream, unsigned flags);
HIP_API int hipMalloc3D(hip_pitched *memory, hip_extent size);
HIP_API int hipMemcpy3D(const hip_copy_3d *copy);
HIP_API int hipMemcpy3DAsync(const hip_copy_3d *copy, rt_stream *stream);
HIP_API int hipMemset3D(hip_pitched memory, int value, hip_extent size);
HIP_API int hipMemset3DAsync(hip_pitched memory, int value, hip_extent size, rt_stream *stream);
#define OWN_STREAM(function, parameters, arguments) HIP_API int function##_spt parameters;
#define OWN_THREAD(function, parameters, with_stream, arguments) HIP_API int function##_spt parameters;
#include "runtime/hip/per_thread.inc"
#undef OWN_STREAM
#undef OWN_THREAD
HIP_API int hipProfilerStart(void);
HIP_API int hipProfilerStop(void);

#endif
