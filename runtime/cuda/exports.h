/* SPDX-License-Identifier: MIT */
/* The functions that programs call. */
#ifndef LW_RUNTIME_CUDA_EXPORTS_H
#define LW_RUNTIME_CUDA_EXPORTS_H

#include "runtime/cuda/cuda.h"

CUDA_API int cuGetErrorName(int error, const char **name);
CUDA_API int cuGetErrorString(int error, const char **text);
CUDA_API int cuInit(unsigned flags);
CUDA_API int cuDriverGetVersion(int *version);
CUDA_API int cuDeviceGetCount(int *count);
CUDA_API int cuDeviceGet(int *device, int ordinal);
CUDA_API int cuDeviceGetName(char *name, int length, int device);
CUDA_API int cuDeviceGetUuid(void *uuid, int device);
CUDA_API int cuDeviceGetUuid_v2(void *uuid, int device);
CUDA_API int cuDeviceGetPCIBusId(char *id, int length, int device);
CUDA_API int cuDeviceGetByPCIBusId(int *device, const char *id);
CUDA_API int cuDeviceTotalMem_v2(size_t *bytes, int device);
CUDA_API int cuDeviceComputeCapability(int *major, int *minor, int device);
CUDA_API int cuDeviceGetAttribute(int *value, int attribute, int device);
CUDA_API int cuDeviceCanAccessPeer(int *can, int device, int peer);
CUDA_API int cuDevicePrimaryCtxRetain(cuda_context **context, int device);
CUDA_API int cuDevicePrimaryCtxRelease_v2(int device);
CUDA_API int cuDevicePrimaryCtxReset_v2(int device);
CUDA_API int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active);
CUDA_API int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags);
CUDA_API int cuCtxPushCurrent_v2(cuda_context *context);
CUDA_API int cuCtxPopCurrent_v2(cuda_context **context);
CUDA_API int cuCtxCreate_v2(cuda_context **context, unsigned flags, int device);
CUDA_API int cuCtxCreate_v3(cuda_context **context, void *params, int count, unsigned flags, int device);
CUDA_API int cuCtxCreate_v4(cuda_context **context, void *params, unsigned flags, int device);
CUDA_API int cuCtxDestroy_v2(cuda_context *context);
CUDA_API int cuCtxSetCurrent(cuda_context *context);
CUDA_API int cuCtxGetCurrent(cuda_context **context);
CUDA_API int cuCtxGetDevice(int *device);
CUDA_API int cuCtxSynchronize(void);
CUDA_API int cuCtxGetApiVersion(cuda_context *context, unsigned *version);
CUDA_API int cuCtxGetFlags(unsigned *flags);
CUDA_API int cuCtxSetFlags(unsigned flags);
CUDA_API int cuCtxGetId(cuda_context *context, uint64_t *id);
CUDA_API int cuCtxEnablePeerAccess(cuda_context *peer, unsigned flags);
CUDA_API int cuCtxDisablePeerAccess(cuda_context *peer);
CUDA_API int cuCtxGetStreamPriorityRange(int *least, int *greatest);
CUDA_API int cuCtxSetCacheConfig(int config);
CUDA_API int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags);
CUDA_API int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status);
CUDA_API int cuGetExportTable(const void **table, const void *id);
CUDA_API int cuMemAlloc_v2(cuda_pointer *pointer, size_t size);
CUDA_API int cuMemAllocAsync(cuda_pointer *pointer, size_t size, rt_stream *stream);
CUDA_API int cuMemAllocManaged(cuda_pointer *pointer, size_t size, unsigned flags);
CUDA_API int cuMemAllocPitch_v2(cuda_pointer *pointer, size_t *pitch, size_t width, size_t height,
                                unsigned unit);
CUDA_API int cuMemHostAlloc(void **pointer, size_t size, unsigned flags);
CUDA_API int cuMemAllocHost_v2(void **pointer, size_t size);
CUDA_API int cuMemFree_v2(cuda_pointer pointer);
CUDA_API int cuMemFreeAsync(cuda_pointer pointer, rt_stream *stream);
CUDA_API int cuMemFreeHost(void *pointer);
CUDA_API int cuMemHostRegister_v2(void *host, size_t size, unsigned flags);
CUDA_API int cuMemHostUnregister(void *host);
CUDA_API int cuMemHostGetDevicePointer_v2(cuda_pointer *pointer, void *host, unsigned flags);
CUDA_API int cuMemHostGetFlags(unsigned *flags, void *host);
CUDA_API int cuMemGetInfo_v2(size_t *left, size_t *whole);
CUDA_API int cuMemGetAddressRange_v2(cuda_pointer *base, size_t *size, cuda_pointer pointer);
CUDA_API int cuPointerGetAttribute(void *data, int attribute, cuda_pointer pointer);
CUDA_API int cuPointerGetAttributes(unsigned count, const int *attributes, void **data, cuda_pointer pointer);
CUDA_API int cuMemPrefetchAsync(cuda_pointer pointer, size_t size, int device, rt_stream *stream);
CUDA_API int cuMemPrefetchAsync_v2(cuda_pointer pointer, size_t size, uint64_t place, unsigned flags,
                                   rt_stream *stream);
CUDA_API int cuMemAdvise(cuda_pointer pointer, size_t size, int advice, int device);
CUDA_API int cuMemAdvise_v2(cuda_pointer pointer, size_t size, int advice, uint64_t place);
CUDA_API int cuMemcpyPeer(cuda_pointer to, cuda_context *to_context, cuda_pointer from,
                          cuda_context *from_context, size_t size);
CUDA_API int cuMemcpyPeerAsync(cuda_pointer to, cuda_context *to_context, cuda_pointer from,
                               cuda_context *from_context, size_t size, rt_stream *stream);
CUDA_API int cuMemcpy(cuda_pointer to, cuda_pointer from, size_t size);
CUDA_API int cuMemcpyAsync(cuda_pointer to, cuda_pointer from, size_t size, rt_stream *stream);
CUDA_API int cuMemcpyHtoD_v2(cuda_pointer to, const void *from, size_t size);
CUDA_API int cuMemcpyDtoH_v2(void *to, cuda_pointer from, size_t size);
CUDA_API int cuMemcpyDtoD_v2(cuda_pointer to, cuda_pointer from, size_t size);
CUDA_API int cuMemcpyHtoDAsync_v2(cuda_pointer to, const void *from, size_t size, rt_stream *stream);
CUDA_API int cuMemcpyDtoHAsync_v2(void *to, cuda_pointer from, size_t size, rt_stream *stream);
CUDA_API int cuMemcpyDtoDAsync_v2(cuda_pointer to, cuda_pointer from, size_t size, rt_stream *stream);
CUDA_API int cuMemcpy2D_v2(const cuda_rectangle *copy);
CUDA_API int cuMemcpy2DUnaligned_v2(const cuda_rectangle *copy);
CUDA_API int cuMemcpy2DAsync_v2(const cuda_rectangle *copy, rt_stream *stream);
CUDA_API int cuMemcpy3D_v2(const cuda_copy_3d *copy);
CUDA_API int cuMemcpy3DAsync_v2(const cuda_copy_3d *copy, rt_stream *stream);
CUDA_API int cuMemsetD8_v2(cuda_pointer to, unsigned char value, size_t count);
CUDA_API int cuMemsetD16_v2(cuda_pointer to, unsigned short value, size_t count);
CUDA_API int cuMemsetD32_v2(cuda_pointer to, unsigned value, size_t count);
CUDA_API int cuMemsetD8Async(cuda_pointer to, unsigned char value, size_t count, rt_stream *stream);
CUDA_API int cuMemsetD16Async(cuda_pointer to, unsigned short value, size_t count, rt_stream *stream);
CUDA_API int cuMemsetD32Async(cuda_pointer to, unsigned value, size_t count, rt_stream *stream);
CUDA_API int cuMemsetD2D8_v2(cuda_pointer to, size_t pitch, unsigned char value, size_t width, size_t height);
CUDA_API int cuMemsetD2D16_v2(cuda_pointer to, size_t pitch, unsigned short value, size_t width,
                              size_t height);
CUDA_API int cuMemsetD2D32_v2(cuda_pointer to, size_t pitch, unsigned value, size_t width, size_t height);
CUDA_API int cuMemsetD2D8Async(cuda_pointer to, size_t pitch, unsigned char value, size_t width,
                               size_t height, rt_stream *stream);
CUDA_API int cuMemsetD2D16Async(cuda_pointer to, size_t pitch, unsigned short value, size_t width,
                                size_t height, rt_stream *stream);
CUDA_API int cuMemsetD2D32Async(cuda_pointer to, size_t pitch, unsigned value, size_t width, size_t height,
                                rt_stream *stream);
CUDA_API int cuStreamCreateWithPriority(rt_stream **stream, unsigned flags, int priority);
CUDA_API int cuStreamCreate(rt_stream **stream, unsigned flags);
CUDA_API int cuStreamDestroy_v2(rt_stream *stream);
CUDA_API int cuStreamQuery(rt_stream *stream);
CUDA_API int cuStreamSynchronize(rt_stream *stream);
CUDA_API int cuStreamWaitEvent(rt_stream *stream, rt_event *event, unsigned flags);
CUDA_API int cuStreamGetFlags(rt_stream *stream, unsigned *flags);
CUDA_API int cuStreamGetPriority(rt_stream *stream, int *priority);
CUDA_API int cuStreamGetCtx(rt_stream *stream, cuda_context **context);
CUDA_API int cuStreamGetDevice(rt_stream *stream, int *device);
CUDA_API int cuStreamIsCapturing(rt_stream *stream, int *status);
CUDA_API int cuLaunchHostFunc(rt_stream *stream, cuda_host_fn function, void *data);
CUDA_API int cuStreamAddCallback(rt_stream *stream, cuda_stream_callback callback, void *data,
                                 unsigned flags);
CUDA_API int cuEventCreate(rt_event **event, unsigned flags);
CUDA_API int cuEventDestroy_v2(rt_event *event);
CUDA_API int cuEventRecord(rt_event *event, rt_stream *stream);
CUDA_API int cuEventRecordWithFlags(rt_event *event, rt_stream *stream, unsigned flags);
CUDA_API int cuEventQuery(rt_event *event);
CUDA_API int cuEventSynchronize(rt_event *event);
CUDA_API int cuEventElapsedTime(float *ms, rt_event *from, rt_event *to);
CUDA_API int cuEventElapsedTime_v2(float *ms, rt_event *from, rt_event *to);
CUDA_API int cuGetProcAddress_v2_ptsz(const char *name, void **function, int version, uint64_t flags,
                                      int *status);
CUDA_API int cuLaunchKernelEx_ptsz(const cuda_launch_config *config, rt_function *function, void **params,
                                   void **extra);
#define OWN_STREAM(function, parameters, arguments) CUDA_API int function##_ptsz parameters;
#define OWN_THREAD(function, parameters, with_stream, arguments) CUDA_API int function##_ptds parameters;
#include "runtime/cuda/per_thread.inc"
#undef OWN_STREAM
#undef OWN_THREAD
CUDA_API int cuProfilerStart(void);
CUDA_API int cuProfilerStop(void);
CUDA_API int cuModuleLoadDataEx(rt_module **module, const void *image, unsigned count, int *options,
                                void **values);
CUDA_API int cuModuleLoadData(rt_module **module, const void *image);
CUDA_API int cuModuleLoadFatBinary(rt_module **module, const void *image);
CUDA_API int cuModuleLoad(rt_module **module, const char *path);
CUDA_API int cuModuleUnload(rt_module *module);
CUDA_API int cuModuleGetFunction(rt_function **function, rt_module *module, const char *name);
CUDA_API int cuModuleGetGlobal_v2(cuda_pointer *pointer, size_t *size, rt_module *module, const char *name);
CUDA_API int cuLaunchKernel(rt_function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                            rt_stream *stream, void **params, void **extra);
CUDA_API int cuLaunchCooperativeKernel(rt_function *function, unsigned grid_x, unsigned grid_y,
                                       unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                                       unsigned shared, rt_stream *stream, void **params);
CUDA_API int cuLaunchKernelEx(const cuda_launch_config *config, rt_function *function, void **params,
                              void **extra);
CUDA_API int cuFuncGetAttribute(int *value, int attribute, rt_function *function);
CUDA_API int cuFuncSetAttribute(rt_function *function, int attribute, int value);
CUDA_API int cuFuncSetCacheConfig(rt_function *function, int config);
CUDA_API int cuFuncSetSharedMemConfig(rt_function *function, int config);
CUDA_API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, rt_function *function, int block,
                                                         size_t dynamic);
CUDA_API int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *groups, rt_function *function,
                                                                  int block, size_t dynamic, unsigned flags);
CUDA_API int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, rt_function *function,
                                              cuda_shared_of_block shared_of, size_t dynamic, int limit);
CUDA_API int cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, rt_function *function,
                                                       cuda_shared_of_block shared_of, size_t dynamic,
                                                       int limit, unsigned flags);
CUDA_API int cuFuncGetModule(rt_module **module, rt_function *function);
CUDA_API int cuFuncGetName(const char **name, rt_function *function);
CUDA_API int cuFuncGetParamInfo(rt_function *function, size_t index, size_t *offset, size_t *size);
CUDA_API int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address, const uint64_t *dims,
                                    const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                                    int interleave, int swizzle, int promotion, int fill);

#endif
