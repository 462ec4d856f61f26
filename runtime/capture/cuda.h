/* SPDX-License-Identifier: MIT */
/* The functions of the CUDA driver that stand before the vendor's own: names and types are theirs. */
#ifndef LW_RUNTIME_CAPTURE_CUDA_H
#define LW_RUNTIME_CAPTURE_CUDA_H

#include "runtime/capture/capture.h"

/* CUlaunchAttribute and CUlaunchConfig. */
typedef struct attribute_of_launch {
    int id;
    char pad[4];
    union {
        char bytes[64];
        uint32_t cluster[3];
    } value;
} attribute_of_launch;

typedef struct launch_config {
    unsigned grid[3], block[3], shared;
    void *stream;
    attribute_of_launch *attributes;
    unsigned attribute_count;
} launch_config;

CAP_API int cuModuleLoad(void **module, const char *path);
CAP_API int cuModuleLoadData(void **module, const void *image);
CAP_API int cuModuleLoadFatBinary(void **module, const void *image);
CAP_API int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values);
CAP_API int cuModuleUnload(void *module);
CAP_API int cuModuleGetFunction(void **function, void *module, const char *name);
CAP_API int cuLibraryGetKernel(void **kernel, void *library, const char *name);
CAP_API int cuLibraryLoadData(void **library, const void *image, int *options, void **values, unsigned count,
                              int *library_options, void **library_values, unsigned library_count);
CAP_API int cuKernelGetFunction(void **function, void *kernel);
CAP_API int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                           unsigned bz, unsigned shared, void *stream, void **params, void **extra);
CAP_API int cuLaunchKernel_ptsz(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                unsigned by, unsigned bz, unsigned shared, void *stream, void **params,
                                void **extra);
CAP_API int cuLaunchCooperativeKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                      unsigned by, unsigned bz, unsigned shared, void *stream, void **params);
CAP_API int cuLaunchCooperativeKernel_ptsz(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                           unsigned by, unsigned bz, unsigned shared, void *stream,
                                           void **params);
CAP_API int cuLaunchKernelEx(const launch_config *config, void *function, void **params, void **extra);
CAP_API int cuLaunchKernelEx_ptsz(const launch_config *config, void *function, void **params, void **extra);
CAP_API int cuGraphLaunch(void *graph, void *stream);
CAP_API int cuGraphLaunch_ptsz(void *graph, void *stream);
CAP_API int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags);
CAP_API int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status);

#endif
