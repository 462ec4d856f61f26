/* SPDX-License-Identifier: MIT */
/* What programs ask about kernels before they launch them. */
#include "runtime/cuda/exports.h"

static int enter(rt_function *function)
{
    const int error = cuda_enter();
    if (error != RT_OK)
        return error;
    return function && rt_function_is(function) ? RT_OK : RT_INVALID_HANDLE;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, rt_function *function, int block, size_t dynamic)
{
    const int error = groups && block > 0 ? enter(function) : RT_INVALID_VALUE;
    return error == RT_OK ? rt_occupancy(function, (unsigned)block, dynamic, groups) : error;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *groups, rt_function *function, int block,
                                                         size_t dynamic, unsigned flags)
{
    (void)flags;
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(groups, function, block, dynamic);
}

/* Of all whole numbers of warps, the largest that keeps most threads of a multiprocessor busy. */
int cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, rt_function *function,
                                              cuda_shared_of_block shared_of, size_t dynamic, int limit,
                                              unsigned flags)
{
    const int wave = 32;
    int best = 0, error = grid && block ? enter(function) : RT_INVALID_VALUE;
    (void)flags;
    if (error != RT_OK)
        return error;
    const int allowed = (int)rt_function_info(function)->max_workgroup_size;
    int most = allowed ? allowed : 1024;
    if (limit > 0 && limit < most)
        most = limit;
    *grid = *block = 0;
    for (int size = most; size > 0; size = (size - 1) / wave * wave) {
        int groups = 0;
        error = rt_occupancy(function, (unsigned)size, shared_of ? shared_of(size) : dynamic, &groups);
        if (error != RT_OK)
            return error;
        if (groups * size <= best)
            continue;
        best = groups * size;
        *block = size;
        *grid = groups * rt_product_get()->units;
    }
    return RT_OK;
}

int cuOccupancyMaxPotentialBlockSize(int *grid, int *block, rt_function *function,
                                     cuda_shared_of_block shared_of, size_t dynamic, int limit)
{
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, dynamic, limit, 0);
}

int cuFuncGetModule(rt_module **module, rt_function *function)
{
    const int error = module ? enter(function) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *module = rt_function_module(function);
    return error;
}

int cuFuncGetName(const char **name, rt_function *function)
{
    const int error = name ? enter(function) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *name = rt_function_info(function)->name;
    return error;
}

int cuFuncGetParamInfo(rt_function *function, size_t index, size_t *offset, size_t *size)
{
    const int error = offset ? enter(function) : RT_INVALID_VALUE;
    if (error != RT_OK)
        return error;
    const lw_kernel_info *info = rt_function_info(function);
    if (index >= info->explicit_count)
        return RT_INVALID_VALUE;
    *offset = info->args[index].offset;
    if (size)
        *size = info->args[index].size;
    return RT_OK;
}
