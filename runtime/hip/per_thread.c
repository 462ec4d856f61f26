/* SPDX-License-Identifier: MIT */
/* What programs call that are compiled with -fgpu-default-stream=per-thread: for these functions, stream 0 is
 * the calling thread's own. */
#include "runtime/hip/hip.h"

/* The form without a stream waits for its work. */
static int finish(int error)
{
    return error == RT_OK ? hipStreamSynchronize(rt_stream_own(NULL)) : error;
}

#define OWN_STREAM(function, parameters, arguments)                                                          \
    int function##_spt parameters                                                                            \
    {                                                                                                        \
        return function arguments;                                                                           \
    }
#define OWN_THREAD(function, parameters, with_stream, arguments)                                             \
    int function##_spt parameters                                                                            \
    {                                                                                                        \
        return finish(with_stream arguments);                                                                \
    }
#include "runtime/hip/per_thread.inc"
#undef OWN_STREAM
#undef OWN_THREAD
