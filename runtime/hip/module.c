/* SPDX-License-Identifier: MIT */
/* Modules, kernels and their launches. */
#include <stdio.h>
#include <string.h>

#include "runtime/hip/hip.h"

/* hipJitOption, hipFunction_attribute, HIP_LAUNCH_PARAM_. */
enum { LOG_BUFFER = 5, LOG_SIZE = 6, PARAM_END = 3, PARAM_BUFFER = 1, PARAM_SIZE = 2 };
enum {
    MAX_THREADS,
    SHARED,
    CONSTANT,
    LOCAL,
    REGISTERS,
    PTX_VERSION,
    BINARY_VERSION,
    CACHE_MODE,
    MAX_DYNAMIC
};

/* The reason goes to the buffer that the caller provides for the linker's log, and to stderr. */
static int refused(int code, const char *what, const lw_error *error, unsigned count, const int *options,
                   void **values)
{
    void *buffer = NULL;
    uintptr_t size = 0;
    for (unsigned i = 0; options && values && i < count; i++) {
        if (options[i] == LOG_BUFFER)
            buffer = values[i];
        if (options[i] == LOG_SIZE)
            size = (uintptr_t)values[i];
    }
    if (buffer && size)
        snprintf(buffer, size, "%s", error->text);
    rt_say("%s: %s: %s", what, hipGetErrorString(code), error->text);
    return code;
}

int hipModuleLoadDataEx(rt_module **module, const void *image, unsigned count, int *options, void **values)
{
    lw_error error = { "" };
    int code = module && image ? hip_enter() : RT_INVALID_VALUE;
    if (code == RT_OK)
        code = rt_module_load(image, *hip_device(), module, &error);
    if (code != RT_OK && error.text[0])
        (void)refused(code, "hipModuleLoadData", &error, count, options, values);
    return hip_done(code);
}

int hipModuleLoadData(rt_module **module, const void *image)
{
    return hipModuleLoadDataEx(module, image, 0, NULL, NULL);
}

int hipModuleLoadFatBinary(rt_module **module, const void *image)
{
    return hipModuleLoadDataEx(module, image, 0, NULL, NULL);
}

int hipModuleLoad(rt_module **module, const char *path)
{
    lw_error error = { "" };
    int code = module && path ? hip_enter() : RT_INVALID_VALUE;
    if (code == RT_OK)
        code = rt_module_load_file(path, *hip_device(), module, &error);
    if (code != RT_OK && error.text[0])
        (void)refused(code, "hipModuleLoad", &error, 0, NULL, NULL);
    return hip_done(code);
}

int hipModuleUnload(rt_module *module)
{
    const int error = rt_start();
    return hip_done(error == RT_OK ? rt_module_unload(module) : error);
}

int hipModuleGetFunction(rt_function **function, rt_module *module, const char *name)
{
    const int error = function && name && *name ? hip_enter() : RT_INVALID_VALUE;
    return hip_done(error == RT_OK ? rt_module_function(module, name, function) : error);
}

int hipModuleGetGlobal(void **pointer, size_t *size, rt_module *module, const char *name)
{
    uint64_t address = 0, bytes = 0;
    int error = name && *name && (pointer || size) ? hip_enter() : RT_INVALID_VALUE;
    if (error == RT_OK)
        error = rt_module_global(module, name, &address, &bytes);
    if (error == RT_OK && pointer)
        *pointer = (void *)(uintptr_t)address;
    if (error == RT_OK && size)
        *size = bytes;
    return hip_done(error);
}

/* Packed arguments: HIP_LAUNCH_PARAM_BUFFER_POINTER, its address, _BUFFER_SIZE, the address of its size,
 * _END. */
static bool take_extra(void **extra, rt_launch *launch)
{
    if ((uintptr_t)extra[0] != PARAM_BUFFER || (uintptr_t)extra[2] != PARAM_SIZE ||
        (uintptr_t)extra[4] != PARAM_END || !extra[3])
        return false;
    launch->block_of_args = extra[1];
    launch->block_size = *(const size_t *)extra[3];
    return launch->block_of_args || !launch->block_size;
}

/* Limits of hipModuleLaunchKernel: ROCm/clr hipamd/src/hip_module.cpp. */
static int check_sizes(const rt_launch *launch, const lw_kernel_info *info)
{
    enum { MOST_THREADS = 1024, MOST_GROUPS = 65536 };
    const uint32_t *g = launch->grid, *b = launch->block;
    const uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
    if (!b[0] || !b[1] || !b[2] || !g[0] || !g[1] || !g[2])
        return RT_INVALID_VALUE;
    if (b[0] > MOST_THREADS || b[1] > MOST_THREADS || threads > MOST_THREADS)
        return RT_INVALID_VALUE;
    if ((uint64_t)launch->shared + info->lds_size > (uint64_t)rt_lds_size())
        return RT_INVALID_VALUE;
    if (g[0] > INT32_MAX || g[1] > MOST_GROUPS || g[2] > MOST_GROUPS)
        return RT_INVALID_VALUE;
    for (int i = 0; i < 3; i++)
        if ((uint64_t)g[i] * b[i] > UINT32_MAX)
            return RT_INVALID_CONFIGURATION;
    return info->max_workgroup_size && threads > info->max_workgroup_size ? RT_LAUNCH_FAILURE : RT_OK;
}

static int start(rt_function *function, rt_launch *launch, rt_stream *handle, void **extra)
{
    rt_stream *stream;
    const int error = hip_enter();
    if (error != RT_OK)
        return error;
    if (!function || !rt_function_is(function))
        return RT_INVALID_HANDLE;
    if (!rt_stream_of(handle, &stream))
        return hip_major() < 7 ? RT_INVALID_VALUE : 709;
    if (extra && (launch->params || !take_extra(extra, launch)))
        return RT_INVALID_VALUE;
    const uint32_t *b = launch->block;
    if (hip_major() < 7 && !(b[0] && b[1] && b[2]))
        return RT_INVALID_CONFIGURATION;
    const int wrong = check_sizes(launch, rt_function_info(function));
    return wrong == RT_OK ? rt_function_launch(function, stream, launch) : wrong;
}

int hipModuleLaunchKernel(rt_function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                          unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                          rt_stream *stream, void **params, void **extra)
{
    rt_launch launch = { .grid = { grid_x, grid_y, grid_z },
                         .block = { block_x, block_y, block_z },
                         .shared = shared,
                         .params = params };
    return hip_done(start(function, &launch, stream, extra));
}

/* Workgroups of a launch are active together as far as waiting for each other requires it. */
int hipModuleLaunchCooperativeKernel(rt_function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                     unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                     rt_stream *stream, void **params)
{
    int groups = 0;
    if (function && rt_start() == RT_OK && rt_function_is(function) &&
        rt_occupancy(function, block_x * block_y * block_z, shared, &groups) == RT_OK &&
        (uint64_t)grid_x * grid_y * grid_z > (uint64_t)groups * (unsigned)rt_product_get()->units)
        return hip_done(RT_COOPERATIVE_TOO_LARGE);
    return hipModuleLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
                                 params, NULL);
}

int hip_start_kernel(rt_function *function, dim3 grid, dim3 block, void **args, size_t shared,
                     rt_stream *handle)
{
    rt_launch launch = { .grid = { grid.x, grid.y, grid.z },
                         .block = { block.x, block.y, block.z },
                         .shared = (uint32_t)shared,
                         .params = args };
    if (shared > UINT32_MAX)
        return RT_INVALID_VALUE;
    if (hip_major() >= 7 && (uint64_t)block.x * block.y * block.z > 1024)
        return RT_INVALID_CONFIGURATION;
    return start(function, &launch, handle, NULL);
}

int hip_value_of(const lw_kernel_info *info, int attribute, int *value)
{
    const int left = rt_lds_size() - (int)info->lds_size;
    const int values[] = { [MAX_THREADS] = info->max_workgroup_size ? (int)info->max_workgroup_size : 1024,
                           [SHARED] = (int)info->lds_size,
                           [CONSTANT] = 0,
                           [LOCAL] = (int)info->private_size,
                           [REGISTERS] = (int)(info->vgprs + info->agprs),
                           [PTX_VERSION] = 0,
                           [BINARY_VERSION] = 0,
                           [CACHE_MODE] = 0,
                           [MAX_DYNAMIC] = left };
    if (attribute < 0 || (size_t)attribute >= sizeof(values) / sizeof(values[0]))
        return RT_INVALID_VALUE;
    *value = values[attribute];
    return RT_OK;
}

int hipFuncGetAttribute(int *value, int attribute, rt_function *function)
{
    int error = value ? hip_enter() : RT_INVALID_VALUE;
    if (error == RT_OK && (!function || !rt_function_is(function)))
        error = RT_INVALID_HANDLE;
    return hip_done(error == RT_OK ? hip_value_of(rt_function_info(function), attribute, value) : error);
}

int hipFuncGetAttributes(hip_function_attributes *attributes, const void *host)
{
    rt_function *function;
    const int error = attributes ? hip_function_of(host, &function) : RT_INVALID_VALUE;
    if (error != RT_OK)
        return hip_done(error);
    const lw_kernel_info *info = rt_function_info(function);
    memset(attributes, 0, sizeof(*attributes));
    attributes->local_bytes = info->private_size;
    attributes->shared_bytes = info->lds_size;
    (void)hip_value_of(info, MAX_DYNAMIC, &attributes->max_dynamic_shared);
    (void)hip_value_of(info, MAX_THREADS, &attributes->max_threads);
    (void)hip_value_of(info, REGISTERS, &attributes->registers);
    return hip_done(RT_OK);
}

/* No further limit applies to the sizes that kernels request, and there are no caches. */
int hipFuncSetAttribute(const void *host, int attribute, int value)
{
    (void)attribute;
    (void)value;
    return hip_done(host ? hip_enter() : RT_INVALID_DEVICE_FUNCTION);
}

int hipFuncSetCacheConfig(const void *host, int config)
{
    return hipFuncSetAttribute(host, 0, config);
}

int hipFuncSetSharedMemConfig(const void *host, int config)
{
    return hipFuncSetAttribute(host, 0, config);
}
