/* SPDX-License-Identifier: MIT */
/* What programs call that are compiled with -fgpu-default-stream=per-thread: for these functions, stream 0 is
 * the calling thread's own. */
#include "runtime/hip/hip.h"

static rt_stream *mine(rt_stream *stream)
{
    return stream ? stream : (rt_stream *)(uintptr_t)2;
}

/* The form without a stream waits for its work. */
static int finish(int error)
{
    return error == RT_OK ? hipStreamSynchronize(mine(NULL)) : error;
}

int hipEventRecord_spt(rt_event *event, rt_stream *stream)
{
    return hipEventRecord(event, mine(stream));
}

int hipLaunchHostFunc_spt(rt_stream *stream, hip_host_fn function, void *data)
{
    return hipLaunchHostFunc(mine(stream), function, data);
}

int hipMemcpy2DAsync_spt(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, int kind, rt_stream *stream)
{
    return hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, mine(stream));
}

int hipMemcpy2D_spt(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                    size_t height, int kind)
{
    return finish(hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, mine(NULL)));
}

int hipMemcpyAsync_spt(void *to, const void *from, size_t size, int kind, rt_stream *stream)
{
    return hipMemcpyAsync(to, from, size, kind, mine(stream));
}

int hipMemcpyFromSymbolAsync_spt(void *to, const void *symbol, size_t size, size_t offset, int kind,
                                 rt_stream *stream)
{
    return hipMemcpyFromSymbolAsync(to, symbol, size, offset, kind, mine(stream));
}

int hipMemcpyFromSymbol_spt(void *to, const void *symbol, size_t size, size_t offset, int kind)
{
    return finish(hipMemcpyFromSymbolAsync(to, symbol, size, offset, kind, mine(NULL)));
}

int hipMemcpyToSymbolAsync_spt(const void *symbol, const void *from, size_t size, size_t offset, int kind,
                               rt_stream *stream)
{
    return hipMemcpyToSymbolAsync(symbol, from, size, offset, kind, mine(stream));
}

int hipMemcpyToSymbol_spt(const void *symbol, const void *from, size_t size, size_t offset, int kind)
{
    return finish(hipMemcpyToSymbolAsync(symbol, from, size, offset, kind, mine(NULL)));
}

int hipMemcpy_spt(void *to, const void *from, size_t size, int kind)
{
    return finish(hipMemcpyAsync(to, from, size, kind, mine(NULL)));
}

int hipMemset2DAsync_spt(void *to, size_t pitch, int value, size_t width, size_t height, rt_stream *stream)
{
    return hipMemset2DAsync(to, pitch, value, width, height, mine(stream));
}

int hipMemset2D_spt(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return finish(hipMemset2DAsync(to, pitch, value, width, height, mine(NULL)));
}

int hipMemsetAsync_spt(void *to, int value, size_t size, rt_stream *stream)
{
    return hipMemsetAsync(to, value, size, mine(stream));
}

int hipMemset_spt(void *to, int value, size_t size)
{
    return finish(hipMemsetAsync(to, value, size, mine(NULL)));
}

int hipStreamAddCallback_spt(rt_stream *stream, hip_stream_callback callback, void *data, unsigned flags)
{
    return hipStreamAddCallback(mine(stream), callback, data, flags);
}

int hipStreamGetFlags_spt(rt_stream *stream, unsigned *flags)
{
    return hipStreamGetFlags(mine(stream), flags);
}

int hipStreamGetPriority_spt(rt_stream *stream, int *priority)
{
    return hipStreamGetPriority(mine(stream), priority);
}

int hipStreamIsCapturing_spt(rt_stream *stream, int *status)
{
    return hipStreamIsCapturing(mine(stream), status);
}

int hipStreamQuery_spt(rt_stream *stream)
{
    return hipStreamQuery(mine(stream));
}

int hipStreamSynchronize_spt(rt_stream *stream)
{
    return hipStreamSynchronize(mine(stream));
}

int hipStreamWaitEvent_spt(rt_stream *stream, rt_event *event, unsigned flags)
{
    return hipStreamWaitEvent(mine(stream), event, flags);
}

int hipLaunchCooperativeKernel_spt(const void *host, dim3 grid, dim3 block, void **args, unsigned shared,
                                   rt_stream *stream)
{
    return hipLaunchCooperativeKernel(host, grid, block, args, shared, mine(stream));
}
