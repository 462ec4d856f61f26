/* SPDX-License-Identifier: MIT */
/* The functions of HIP that stand before the vendor's own: names and types are theirs. */
#ifndef LW_RUNTIME_CAPTURE_HIP_H
#define LW_RUNTIME_CAPTURE_HIP_H

#include "runtime/capture/capture.h"

typedef struct dim3 {
    uint32_t x, y, z;
} dim3;

CAP_API int hipModuleLoad(void **module, const char *path);
CAP_API int hipModuleLoadDataEx(void **module, const void *image, unsigned count, int *options,
                                void **values);
CAP_API int hipModuleLoadData(void **module, const void *image);
CAP_API int hipModuleUnload(void *module);
CAP_API int hipModuleGetFunction(void **function, void *module, const char *name);
CAP_API int hipGetFuncBySymbol(void **function, const void *host);
CAP_API void **__hipRegisterFatBinary(const void *wrapper);
CAP_API void __hipRegisterFunction(void **binary, const void *host, char *device_name, const char *name,
                                   unsigned limit, void *thread, void *block, void *block_size,
                                   void *grid_size, int *wave);
CAP_API void __hipRegisterVar(void **binary, void *host, char *host_name, char *name, int external,
                              size_t size, int constant, int global);
CAP_API void __hipRegisterManagedVar(void **binary, void **slot, void *initial, const char *name, size_t size,
                                     unsigned align);
CAP_API void __hipUnregisterFatBinary(void **binary);
CAP_API int hipModuleLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                  unsigned by, unsigned bz, unsigned shared, void *stream, void **params,
                                  void **extra);
CAP_API int hipModuleLaunchCooperativeKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                                             unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                             void *stream, void **params);
CAP_API int hipExtModuleLaunchKernel(void *function, uint32_t ix, uint32_t iy, uint32_t iz, uint32_t bx,
                                     uint32_t by, uint32_t bz, size_t shared, void *stream, void **params,
                                     void **extra, void *start, void *stop, uint32_t flags);
CAP_API int hipHccModuleLaunchKernel(void *function, uint32_t ix, uint32_t iy, uint32_t iz, uint32_t bx,
                                     uint32_t by, uint32_t bz, size_t shared, void *stream, void **params,
                                     void **extra, void *start, void *stop);
CAP_API int hipLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t shared,
                            void *stream);
CAP_API int hipLaunchKernel_spt(const void *host, dim3 grid, dim3 block, void **args, size_t shared,
                                void *stream);
CAP_API int hipLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **args, unsigned shared,
                                       void *stream);
CAP_API int hipExtLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t shared,
                               void *stream, void *start, void *stop, int flags);
CAP_API int hipGraphLaunch(void *graph, void *stream);
CAP_API int hipLaunchByPtr(const void *host);
CAP_API int hipDrvLaunchKernelEx(const void *config, void *function, void **params, void **extra);
CAP_API int hipLaunchKernelExC(const void *config, const void *host, void **args);
CAP_API int hipGetProcAddress(const char *name, void **function, int version, uint64_t flags, int *status);

#endif
