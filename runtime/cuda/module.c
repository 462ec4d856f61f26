/* SPDX-License-Identifier: MIT */
/* Modules, functions and their launches; tensor maps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/tensor_map.h>

#include "runtime/cuda/exports.h"

/* CUjit_option, CUfunction_attribute, CU_LAUNCH_PARAM_, CUlaunchAttributeID. */
enum { LOG_BUFFER = 5, LOG_SIZE = 6, PARAM_END = 0, PARAM_BUFFER = 1, PARAM_SIZE = 2 };
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
enum { ATTRIBUTE_CLUSTER = 4 };

/* The reason goes where the caller wants the assembler's log, and to stderr. */
static int refused(int code, const lw_error *error, unsigned count, const int *options, void **values)
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
    rt_say("cuModuleLoadData: error %d: %s", code, error->text);
    return code;
}

int cuModuleLoadDataEx(rt_module **module, const void *image, unsigned count, int *options, void **values)
{
    lw_error error = { "" };
    int code = module && image ? cuda_enter() : RT_INVALID_VALUE;
    if (code == RT_OK)
        code = rt_module_load(image, cuda_device(), module, &error);
    if (code == RT_OK)
        cuda_own(CUDA_MODULE, (uintptr_t)*module);
    return code != RT_OK && error.text[0] ? refused(code, &error, count, options, values) : code;
}

int cuModuleLoadData(rt_module **module, const void *image)
{
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

int cuModuleLoadFatBinary(rt_module **module, const void *image)
{
    return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

int cuModuleLoad(rt_module **module, const char *path)
{
    lw_error error = { "" };
    int code = module && path ? cuda_enter() : RT_INVALID_VALUE;
    if (code == RT_OK)
        code = rt_module_load_file(path, cuda_device(), module, &error);
    if (code == RT_OK)
        cuda_own(CUDA_MODULE, (uintptr_t)*module);
    return code != RT_OK && error.text[0] ? refused(code, &error, 0, NULL, NULL) : code;
}

int cuModuleUnload(rt_module *module)
{
    const int error = cuda_started();
    if (error != RT_OK)
        return error;
    cuda_owned *note = cuda_disown(CUDA_MODULE, (uintptr_t)module);
    return cuda_disowned(note, rt_module_unload(module));
}

int cuModuleGetFunction(rt_function **function, rt_module *module, const char *name)
{
    const int error = function && name && *name ? cuda_enter() : RT_INVALID_VALUE;
    return error == RT_OK ? rt_module_function(module, name, function) : error;
}

int cuModuleGetGlobal_v2(cuda_pointer *pointer, size_t *size, rt_module *module, const char *name)
{
    uint64_t address = 0, bytes = 0;
    int error = name && *name && (pointer || size) ? cuda_enter() : RT_INVALID_VALUE;
    if (error == RT_OK)
        error = rt_module_global(module, name, &address, &bytes);
    if (error == RT_OK && pointer)
        *pointer = address;
    if (error == RT_OK && size)
        *size = bytes;
    return error;
}

static int enter(rt_function *function)
{
    const int error = cuda_enter();
    if (error != RT_OK)
        return error;
    return function && rt_function_is(function) ? RT_OK : RT_INVALID_HANDLE;
}

/* Bytes of arguments: pairs of a name and a value in any order, up to CU_LAUNCH_PARAM_END. */
static bool take_extra(void **extra, rt_launch *launch)
{
    bool has_size = false;
    for (; (uintptr_t)*extra != PARAM_END; extra += 2)
        if ((uintptr_t)extra[0] == PARAM_BUFFER) {
            launch->block_of_args = extra[1];
        } else if ((uintptr_t)extra[0] == PARAM_SIZE && extra[1]) {
            launch->block_size = *(const size_t *)extra[1];
            has_size = true;
        } else {
            return false;
        }
    return has_size && launch->block_of_args;
}

/* Limits of the compute capability; more than 48 KiB of shared memory only as cuFuncSetAttribute allows. */
static int check_sizes(const rt_launch *launch, const rt_function *function)
{
    enum { MOST_THREADS = 1024, MOST_DEEP = 64, MOST_GROUPS = 65535, UNASKED = 48 * 1024 };
    const uint32_t *g = launch->grid, *b = launch->block;
    const lw_kernel_info *info = rt_function_info(function);
    const uint64_t threads = (uint64_t)b[0] * b[1] * b[2], shared = (uint64_t)launch->shared + info->lds_size;
    const uint64_t allowed = rt_function_dynamic(function);
    if (!b[0] || !b[1] || !b[2] || !g[0] || !g[1] || !g[2] || b[0] > MOST_THREADS || b[1] > MOST_THREADS ||
        b[2] > MOST_DEEP || threads > MOST_THREADS)
        return RT_INVALID_VALUE;
    if (g[0] > INT32_MAX || g[1] > MOST_GROUPS || g[2] > MOST_GROUPS)
        return RT_INVALID_VALUE;
    if (shared > UNASKED && launch->shared > allowed)
        return RT_INVALID_VALUE;
    return info->max_workgroup_size && threads > info->max_workgroup_size ? RT_OUT_OF_RESOURCES : RT_OK;
}

static int start(rt_function *function, rt_launch *launch, rt_stream *handle, void **extra)
{
    rt_stream *stream;
    int error = enter(function);
    if (error == RT_OK && !rt_stream_of(handle, &stream))
        error = RT_INVALID_HANDLE;
    if (error == RT_OK && extra && (launch->params || !take_extra(extra, launch)))
        error = RT_INVALID_VALUE;
    if (error == RT_OK)
        error = check_sizes(launch, function);
    return error == RT_OK ? rt_function_launch(function, stream, launch) : error;
}

int cuLaunchKernel(rt_function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                   unsigned block_y, unsigned block_z, unsigned shared, rt_stream *stream, void **params,
                   void **extra)
{
    rt_launch launch = { .grid = { grid_x, grid_y, grid_z },
                         .block = { block_x, block_y, block_z },
                         .shared = shared,
                         .params = params };
    return start(function, &launch, stream, extra);
}

int cuLaunchCooperativeKernel(rt_function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                              rt_stream *stream, void **params)
{
    int groups = 0, error = enter(function);
    if (error == RT_OK)
        error = rt_occupancy(function, block_x * block_y * block_z, shared, &groups);
    if (error != RT_OK)
        return error;
    if ((uint64_t)grid_x * grid_y * grid_z > (uint64_t)groups * (unsigned)rt_product_get()->units)
        return RT_COOPERATIVE_TOO_LARGE;
    return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, params,
                          NULL);
}

/* Attributes that change what a kernel computes are served or refused; hints are not looked at. */
int cuLaunchKernelEx(const cuda_launch_config *config, rt_function *function, void **params, void **extra)
{
    if (!config || (config->attribute_count && !config->attributes))
        return RT_INVALID_VALUE;
    for (unsigned i = 0; i < config->attribute_count; i++) {
        const cuda_launch_attribute *a = &config->attributes[i];
        const uint32_t *c = a->value.cluster;
        if (a->id == ATTRIBUTE_CLUSTER && (uint64_t)c[0] * c[1] * c[2] > 1) {
            rt_report_call("cuLaunchKernelEx with a cluster");
            return RT_UNSUPPORTED;
        }
    }
    const unsigned *g = config->grid, *b = config->block;
    return cuLaunchKernel(function, g[0], g[1], g[2], b[0], b[1], b[2], config->shared, config->stream,
                          params, extra);
}

int cuFuncGetAttribute(int *value, int attribute, rt_function *function)
{
    const int error = value ? enter(function) : RT_INVALID_VALUE;
    if (error != RT_OK)
        return error;
    const lw_kernel_info *info = rt_function_info(function);
    const int version = 10 * rt_product_get()->major + rt_product_get()->minor;
    const int values[] = { [MAX_THREADS] = info->max_workgroup_size ? (int)info->max_workgroup_size : 1024,
                           [SHARED] = (int)info->lds_size,
                           [CONSTANT] = 0,
                           [LOCAL] = (int)info->private_size,
                           [PTX_VERSION] = version,
                           [BINARY_VERSION] = version,
                           [CACHE_MODE] = 0,
                           [MAX_DYNAMIC] = (int)rt_function_dynamic(function) };
    if (attribute == REGISTERS) { /* ptxas allocates them; PTX does not say how many */
        rt_report_call("cuFuncGetAttribute of registers");
        return RT_UNSUPPORTED;
    }
    if (attribute < 0 || (size_t)attribute >= sizeof(values) / sizeof(values[0]))
        return RT_INVALID_VALUE;
    *value = values[attribute];
    return RT_OK;
}

int cuFuncSetAttribute(rt_function *function, int attribute, int value)
{
    const int error = enter(function);
    if (error != RT_OK || attribute != MAX_DYNAMIC)
        return error;
    const int most = rt_lds_size() - (int)rt_function_info(function)->lds_size;
    if (value < 0 || value > most)
        return RT_INVALID_VALUE;
    rt_function_set_dynamic(function, (uint32_t)value);
    return RT_OK;
}

int cuFuncSetCacheConfig(rt_function *function, int config)
{
    (void)config;
    return enter(function);
}

int cuFuncSetSharedMemConfig(rt_function *function, int config)
{
    (void)config;
    return enter(function);
}

/* CUtensorMapSwizzle: none, 32, 64 and 128 bytes, then 128 in larger pieces. What lw_tensor_map_encode does
 * not write is refused. */
int cuTensorMapEncodeTiled(void *map, int type, unsigned rank, void *address, const uint64_t *dims,
                           const uint64_t *strides, const uint32_t *box, const uint32_t *steps,
                           int interleave, int swizzle, int promotion, int fill)
{
    static const uint32_t bytes[] = { 0,
                                      32,
                                      64,
                                      128,
                                      128 | LW_TENSOR_ATOM_32,
                                      128 | LW_TENSOR_ATOM_32 | LW_TENSOR_FLIP_8,
                                      128 | LW_TENSOR_ATOM_64 };
    lw_error error = { "" };
    (void)promotion;
    if (!map || !dims || !box || !steps || (rank > 1 && !strides) || rank < 1 || rank > LW_TENSOR_DIMS)
        return RT_INVALID_VALUE;
    if (interleave || fill || swizzle < 0 || swizzle > 6)
        return RT_UNSUPPORTED;
    lw_tensor_map m = {
        .type = (lw_tensor_type)type, .rank = rank, .address = (uintptr_t)address, .swizzle = bytes[swizzle]
    };
    for (unsigned d = 0; d < rank; d++) {
        m.dims[d] = dims[d];
        m.box[d] = box[d];
        m.steps[d] = steps[d];
        m.strides[d] = d ? strides[d - 1] : 0;
    }
    if (lw_tensor_map_encode(&m, map, &error) == LW_OK)
        return RT_OK;
    rt_say("cuTensorMapEncodeTiled: %s", error.text);
    return RT_INVALID_VALUE;
}
