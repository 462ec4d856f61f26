/* SPDX-License-Identifier: MIT */
/* The CUDA driver: the functions that load code and launch kernels. */
#include <stdio.h>
#include <string.h>

#include "runtime/capture/cuda.h"

enum { MISSING = 500 /* CUDA_ERROR_NOT_FOUND */, PARAM_END = 0, PARAM_BUFFER = 1, PARAM_SIZE = 2 };
enum { START = 11, LENGTH = 12 };              /* CUpointer_attribute */
enum { MAJOR = 75, MINOR = 76 };               /* CUdevice_attribute */
enum { CLUSTER = 4 };                          /* CUlaunchAttributeID */
enum { PER_THREAD = 2, V2_OF_LOOKUP = 12000 }; /* flag and version of cuGetProcAddress */

/* ---- What the recorder asks ---- */

static int synchronize(void)
{
    int (*const real)(void) = (int (*)(void))cap_real("cuCtxSynchronize");
    return real ? real() : MISSING;
}

/* Of device memory the driver knows the range; of other memory it tells two attributes. */
static bool find(uint64_t address, uint64_t *base, uint64_t *size)
{
    typedef int range_fn(uint64_t *, size_t *, uint64_t);
    typedef int attribute_fn(void *, int, uint64_t);
    range_fn *const range = (range_fn *)cap_real("cuMemGetAddressRange_v2");
    attribute_fn *const attribute = (attribute_fn *)cap_real("cuPointerGetAttribute");
    size_t length = 0;
    *base = 0;
    if (range && range(base, &length, address) == 0) {
        *size = length;
        return true;
    }
    if (!attribute || attribute(base, START, address) != 0 || attribute(&length, LENGTH, address) != 0)
        return false;
    *size = length;
    return *base != 0;
}

static bool read_memory(void *to, uint64_t from, uint64_t size)
{
    int (*const real)(void *, uint64_t, size_t) =
        (int (*)(void *, uint64_t, size_t))cap_real("cuMemcpyDtoH_v2");
    return !size || (real && real(to, from, (size_t)size) == 0);
}

static bool variable(const cap_function *f, const char *name, uint64_t *address, uint64_t *size)
{
    typedef int global_fn(uint64_t *, size_t *, const void *, const char *);
    global_fn *const get = (global_fn *)cap_real("cuModuleGetGlobal_v2");
    size_t length = 0;
    *address = 0;
    const bool found = get && f->image->key && get(address, &length, f->image->key, name) == 0;
    *size = length;
    return found;
}

static bool is_recorded(void *stream)
{
    int (*const real)(void *, int *) = (int (*)(void *, int *))cap_real("cuStreamIsCapturing");
    int status = 0;
    return real && real(stream, &status) == 0 && status != 0;
}

/* From CUDA 12.4 on. */
static bool argument(const void *function, size_t index, size_t *offset, size_t *size)
{
    typedef int info_fn(const void *, size_t, size_t *, size_t *);
    info_fn *const real = (info_fn *)cap_real("cuFuncGetParamInfo");
    return real && real(function, index, offset, size) == 0;
}

static void describe(char *target, size_t target_size, char *about, size_t about_size)
{
    typedef int attribute_fn(int *, int, int);
    int (*const current)(int *) = (int (*)(int *))cap_real("cuCtxGetDevice");
    attribute_fn *const attribute = (attribute_fn *)cap_real("cuDeviceGetAttribute");
    int (*const get_name)(char *, int, int) = (int (*)(char *, int, int))cap_real("cuDeviceGetName");
    int (*const version)(int *) = (int (*)(int *))cap_real("cuDriverGetVersion");
    int device = 0, major = 0, minor = 0, number = 0;
    char name[256] = "";
    if (current)
        (void)current(&device);
    if (attribute) {
        (void)attribute(&major, MAJOR, device);
        (void)attribute(&minor, MINOR, device);
    }
    if (get_name)
        (void)get_name(name, sizeof(name), device);
    if (version)
        (void)version(&number);
    snprintf(target, target_size, "sm_%d%d", major, minor);
    snprintf(about, about_size, "device %s\nCUDA %d\n", name, number);
}

static void error_text(int error, char *text, size_t size)
{
    int (*const get)(int, const char **) = (int (*)(int, const char **))cap_real("cuGetErrorName");
    const char *name = NULL;
    if (get)
        (void)get(error, &name);
    snprintf(text, size, "error %d (%.200s)", error, name ? name : "");
}

static const cap_device cuda = { "CUDA",      synchronize, find,     read_memory, variable,
                                 is_recorded, argument,    describe, error_text };

/* ---- Code ---- */

int cuModuleLoad(void **module, const char *path)
{
    int (*const real)(void **, const char *) = (int (*)(void **, const char *))cap_real("cuModuleLoad");
    const int error = real ? real(module, path) : MISSING;
    if (error == 0)
        cap_add_file(*module, path);
    return error;
}

static int load_plain(const char *name, void **module, const void *image)
{
    int (*const real)(void **, const void *) = (int (*)(void **, const void *))cap_real(name);
    const int error = real ? real(module, image) : MISSING;
    if (error == 0)
        cap_add_image(*module, image);
    return error;
}

int cuModuleLoadData(void **module, const void *image)
{
    return load_plain("cuModuleLoadData", module, image);
}

int cuModuleLoadFatBinary(void **module, const void *image)
{
    return load_plain("cuModuleLoadFatBinary", module, image);
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values)
{
    typedef int load_fn(void **, const void *, unsigned, int *, void **);
    load_fn *const real = (load_fn *)cap_real("cuModuleLoadDataEx");
    const int error = real ? real(module, image, count, options, values) : MISSING;
    if (error == 0)
        cap_add_image(*module, image);
    return error;
}

int cuModuleUnload(void *module)
{
    int (*const real)(void *) = (int (*)(void *))cap_real("cuModuleUnload");
    const int error = real ? real(module) : MISSING;
    if (error == 0)
        cap_remove_image(module);
    return error;
}

static int get_function(const char *lookup, void **function, void *module, const char *name)
{
    typedef int get_fn(void **, void *, const char *);
    get_fn *const real = (get_fn *)cap_real(lookup);
    const int error = real ? real(function, module, name) : MISSING;
    if (error == 0)
        cap_add_function(*function, module, name);
    return error;
}

int cuModuleGetFunction(void **function, void *module, const char *name)
{
    return get_function("cuModuleGetFunction", function, module, name);
}

int cuLibraryGetKernel(void **kernel, void *library, const char *name)
{
    return get_function("cuLibraryGetKernel", kernel, library, name);
}

int cuLibraryLoadData(void **library, const void *image, int *options, void **values, unsigned count,
                      int *library_options, void **library_values, unsigned library_count)
{
    typedef int load_fn(void **, const void *, int *, void **, unsigned, int *, void **, unsigned);
    load_fn *const real = (load_fn *)cap_real("cuLibraryLoadData");
    const int error =
        real ? real(library, image, options, values, count, library_options, library_values, library_count)
             : MISSING;
    if (error == 0)
        cap_add_image(*library, image);
    return error;
}

int cuKernelGetFunction(void **function, void *kernel)
{
    int (*const real)(void **, void *) = (int (*)(void **, void *))cap_real("cuKernelGetFunction");
    const int error = real ? real(function, kernel) : MISSING;
    if (error == 0)
        cap_add_alias(*function, kernel);
    return error;
}

/* ---- Launches ---- */

/* Pairs of a name and a value in any order, up to the end; the driver refuses what is not in this form. */
static void take_extra(void **extra, cap_request *q)
{
    for (; extra && (uintptr_t)*extra != PARAM_END; extra += 2)
        if ((uintptr_t)extra[0] == PARAM_BUFFER)
            q->block_of_args = extra[1];
        else if ((uintptr_t)extra[0] == PARAM_SIZE && extra[1])
            q->block_size = *(const size_t *)extra[1];
        else
            return;
}

typedef int launch_fn(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *,
                      void **, void **);

static int launch(const char *name, void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                  unsigned by, unsigned bz, unsigned shared, void *stream, void **params, void **extra)
{
    launch_fn *const real = (launch_fn *)cap_real(name);
    cap_request q = { .device = &cuda,
                      .function = function,
                      .stream = stream,
                      .grid = { gx, gy, gz },
                      .block = { bx, by, bz },
                      .shared = shared,
                      .params = params };
    take_extra(params ? NULL : extra, &q);
    cap_record *r = cap_begin(&q);
    return cap_end(r, real ? real(function, gx, gy, gz, bx, by, bz, shared, stream, params, extra) : MISSING);
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **params, void **extra)
{
    return launch("cuLaunchKernel", function, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
}

int cuLaunchKernel_ptsz(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, void *stream, void **params, void **extra)
{
    return launch("cuLaunchKernel_ptsz", function, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
}

typedef int cooperative_fn(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                           void *, void **);

static int cooperate(const char *name, void *function, const unsigned grid[3], const unsigned block[3],
                     unsigned shared, void *stream, void **params)
{
    cooperative_fn *const real = (cooperative_fn *)cap_real(name);
    cap_request q = { .device = &cuda,
                      .function = function,
                      .stream = stream,
                      .grid = { grid[0], grid[1], grid[2] },
                      .block = { block[0], block[1], block[2] },
                      .shared = shared,
                      .params = params };
    cap_record *r = cap_begin(&q);
    return cap_end(r, real ? real(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared,
                                  stream, params)
                           : MISSING);
}

int cuLaunchCooperativeKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                              unsigned bz, unsigned shared, void *stream, void **params)
{
    const unsigned grid[] = { gx, gy, gz }, block[] = { bx, by, bz };
    return cooperate("cuLaunchCooperativeKernel", function, grid, block, shared, stream, params);
}

int cuLaunchCooperativeKernel_ptsz(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                   unsigned by, unsigned bz, unsigned shared, void *stream, void **params)
{
    const unsigned grid[] = { gx, gy, gz }, block[] = { bx, by, bz };
    return cooperate("cuLaunchCooperativeKernel_ptsz", function, grid, block, shared, stream, params);
}

static int launch_ex(const char *name, const launch_config *config, void *function, void **params,
                     void **extra)
{
    typedef int launch_ex_fn(const launch_config *, void *, void **, void **);
    launch_ex_fn *const real = (launch_ex_fn *)cap_real(name);
    cap_request q = { .device = &cuda, .function = function, .params = params };
    if (config) {
        q.stream = config->stream;
        q.shared = config->shared;
        memcpy(q.grid, config->grid, sizeof(q.grid));
        memcpy(q.block, config->block, sizeof(q.block));
        for (unsigned i = 0; config->attributes && i < config->attribute_count; i++)
            if (config->attributes[i].id == CLUSTER)
                memcpy(q.cluster, config->attributes[i].value.cluster, sizeof(q.cluster));
    }
    take_extra(params ? NULL : extra, &q);
    cap_record *r = cap_begin(&q);
    return cap_end(r, real ? real(config, function, params, extra) : MISSING);
}

int cuLaunchKernelEx(const launch_config *config, void *function, void **params, void **extra)
{
    return launch_ex("cuLaunchKernelEx", config, function, params, extra);
}

int cuLaunchKernelEx_ptsz(const launch_config *config, void *function, void **params, void **extra)
{
    return launch_ex("cuLaunchKernelEx_ptsz", config, function, params, extra);
}

static int pass_graph(const char *name, void *graph, void *stream)
{
    int (*const real)(void *, void *) = (int (*)(void *, void *))cap_real(name);
    cap_pass("launched by cuGraphLaunch");
    return real ? real(graph, stream) : MISSING;
}

int cuGraphLaunch(void *graph, void *stream)
{
    return pass_graph("cuGraphLaunch", graph, stream);
}

int cuGraphLaunch_ptsz(void *graph, void *stream)
{
    return pass_graph("cuGraphLaunch_ptsz", graph, stream);
}

/* ---- Lookups ---- */

/* The hook for what the driver returned: the variant for a stream per thread has a name of its own. */
static void *hooked(const char *name, int version, uint64_t flags, void *real)
{
    char full[128];
    const bool lookup = strcmp(name, "cuGetProcAddress") == 0, per_thread = (flags & PER_THREAD) != 0;
    snprintf(full, sizeof(full), "%.100s%s", name,
             lookup && version >= V2_OF_LOOKUP ? "_v2"
             : per_thread                      ? "_ptsz"
                                               : "");
    void *mine = cap_instead(full, real);
    return mine == real && per_thread ? cap_instead(name, real) : mine;
}

int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags)
{
    typedef int get_fn(const char *, void **, int, uint64_t);
    get_fn *const real = (get_fn *)cap_real("cuGetProcAddress");
    const int error = real ? real(name, function, version, flags) : MISSING;
    if (error == 0 && name && function && *function)
        *function = hooked(name, version, flags, *function);
    return error;
}

int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status)
{
    typedef int get_fn(const char *, void **, int, uint64_t, int *);
    get_fn *const real = (get_fn *)cap_real("cuGetProcAddress_v2");
    const int error = real ? real(name, function, version, flags, status) : MISSING;
    if (error == 0 && name && function && *function)
        *function = hooked(name, version, flags, *function);
    return error;
}

#define HOOK(name)                                                                                           \
    {                                                                                                        \
#name, (uintptr_t)name                                                                               \
    }

const cap_hook cap_cuda_hooks[] = {
    HOOK(cuModuleLoad),
    HOOK(cuModuleLoadData),
    HOOK(cuModuleLoadDataEx),
    HOOK(cuModuleLoadFatBinary),
    HOOK(cuModuleUnload),
    HOOK(cuModuleGetFunction),
    HOOK(cuLibraryLoadData),
    HOOK(cuLibraryGetKernel),
    HOOK(cuKernelGetFunction),
    HOOK(cuLaunchKernel),
    HOOK(cuLaunchKernel_ptsz),
    HOOK(cuLaunchKernelEx),
    HOOK(cuLaunchKernelEx_ptsz),
    HOOK(cuLaunchCooperativeKernel),
    HOOK(cuLaunchCooperativeKernel_ptsz),
    HOOK(cuGraphLaunch),
    HOOK(cuGraphLaunch_ptsz),
    HOOK(cuGetProcAddress),
    HOOK(cuGetProcAddress_v2),
    { NULL, 0 },
};
