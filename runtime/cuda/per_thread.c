/* SPDX-License-Identifier: MIT */
/* What programs call that are compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM: for these functions, stream 0
 * is the calling thread's own. */
#include "runtime/cuda/exports.h"

/* The form without a stream waits for its work. */
static int finish(int error)
{
    return error == RT_OK ? cuStreamSynchronize(rt_stream_own(NULL)) : error;
}

#define OWN_STREAM(function, parameters, arguments)                                                          \
    int function##_ptsz parameters                                                                           \
    {                                                                                                        \
        return function arguments;                                                                           \
    }
#define OWN_THREAD(function, parameters, with_stream, arguments)                                             \
    int function##_ptds parameters                                                                           \
    {                                                                                                        \
        return finish(with_stream arguments);                                                                \
    }
#include "runtime/cuda/per_thread.inc"
#undef OWN_STREAM
#undef OWN_THREAD

int cuLaunchKernelEx_ptsz(const cuda_launch_config *config, rt_function *function, void **params,
                          void **extra)
{
    cuda_launch_config own;
    if (!config)
        return cuLaunchKernelEx(config, function, params, extra);
    own = *config;
    own.stream = rt_stream_own(own.stream);
    return cuLaunchKernelEx(&own, function, params, extra);
}
