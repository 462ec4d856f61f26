/* SPDX-License-Identifier: MIT */
/* How many workgroups of a kernel a multiprocessor holds. */
#include "runtime/hip/hip.h"

enum { MAX_THREADS = 0 }; /* of hipFunction_attribute */

int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, rt_function *function, int block,
                                                       size_t dynamic)
{
    int error = groups && block > 0 ? hip_enter() : RT_INVALID_VALUE;
    if (error == RT_OK && (!function || !rt_function_is(function)))
        error = RT_INVALID_HANDLE;
    return hip_done(error == RT_OK ? rt_occupancy(function, (unsigned)block, dynamic, groups) : error);
}

int hipOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, const void *host, int block, size_t dynamic)
{
    rt_function *function;
    const int error = hip_function_of(host, &function);
    return error == RT_OK
               ? hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(groups, function, block, dynamic)
               : hip_done(error);
}

/* The largest block, and as many workgroups of that size as the device holds. */
int hipModuleOccupancyMaxPotentialBlockSize(int *grid, int *block, rt_function *function, size_t dynamic,
                                            int limit)
{
    int groups = 0, most = 0;
    int error = grid && block ? hip_enter() : RT_INVALID_VALUE;
    if (error == RT_OK && (!function || !rt_function_is(function)))
        error = RT_INVALID_HANDLE;
    if (error == RT_OK)
        error = hip_value_of(rt_function_info(function), MAX_THREADS, &most);
    if (error != RT_OK)
        return hip_done(error);
    if (limit > 0 && limit < most)
        most = limit;
    for (*block = most; *block > 0; *block /= 2) {
        error = rt_occupancy(function, (unsigned)*block, dynamic, &groups);
        if (error != RT_OK || groups)
            break;
    }
    *grid = groups * rt_product_get()->units;
    return hip_done(error);
}

int hipOccupancyMaxPotentialBlockSize(int *grid, int *block, const void *host, size_t dynamic, int limit)
{
    rt_function *function;
    const int error = hip_function_of(host, &function);
    return error == RT_OK ? hipModuleOccupancyMaxPotentialBlockSize(grid, block, function, dynamic, limit)
                          : hip_done(error);
}

int hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *groups, rt_function *function, int block,
                                                                size_t dynamic, unsigned flags)
{
    (void)flags;
    return hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(groups, function, block, dynamic);
}

int hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, rt_function *function,
                                                     size_t dynamic, int limit, unsigned flags)
{
    (void)flags;
    return hipModuleOccupancyMaxPotentialBlockSize(grid, block, function, dynamic, limit);
}

int hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *groups, const void *host, int block,
                                                          size_t dynamic, unsigned flags)
{
    (void)flags;
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(groups, host, block, dynamic);
}
