/* SPDX-License-Identifier: MIT */
#include "runtime/cuda/exports.h"

enum { NON_BLOCKING = 1, NO_TIMING = 2 };

int cuStreamCreateWithPriority(rt_stream **stream, unsigned flags, int priority)
{
    const int error = stream && flags <= NON_BLOCKING ? cuda_enter() : RT_INVALID_VALUE;
    if (error != RT_OK)
        return error;
    const int made =
        rt_stream_create(!(flags & NON_BLOCKING), flags, priority, cuda_context_current(), stream);
    if (made == RT_OK)
        cuda_own(CUDA_STREAM, (uintptr_t)*stream);
    return made;
}

int cuStreamCreate(rt_stream **stream, unsigned flags)
{
    return cuStreamCreateWithPriority(stream, flags, 0);
}

int cuStreamDestroy_v2(rt_stream *stream)
{
    const int error = (uintptr_t)stream > 2 ? cuda_started() : RT_INVALID_HANDLE;
    if (error != RT_OK)
        return error;
    cuda_owned *note = cuda_disown(CUDA_STREAM, (uintptr_t)stream);
    return cuda_disowned(note, rt_stream_destroy(stream));
}

/* Whether the call may go on, with the stream that a handle means. */
static int enter(rt_stream *handle, rt_stream **stream)
{
    const int error = cuda_enter();
    return error == RT_OK && !rt_stream_of(handle, stream) ? RT_INVALID_HANDLE : error;
}

int cuStreamQuery(rt_stream *stream)
{
    rt_stream *s;
    const int error = enter(stream, &s);
    return error == RT_OK ? rt_stream_query(s) : error;
}

int cuStreamSynchronize(rt_stream *stream)
{
    rt_stream *s;
    int error = enter(stream, &s);
    if (error == RT_OK)
        error = rt_stream_wait(s);
    return error == RT_OK ? rt_sticky() : error;
}

int cuStreamWaitEvent(rt_stream *stream, rt_event *event, unsigned flags)
{
    rt_stream *s;
    const int error = flags > 1 ? RT_INVALID_VALUE : enter(stream, &s);
    return error == RT_OK ? rt_stream_wait_event(s, event) : error;
}

int cuStreamGetFlags(rt_stream *stream, unsigned *flags)
{
    rt_stream *s;
    const int error = flags ? enter(stream, &s) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *flags = rt_stream_flags(s);
    return error;
}

int cuStreamGetPriority(rt_stream *stream, int *priority)
{
    rt_stream *s;
    const int error = priority ? enter(stream, &s) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *priority = rt_stream_priority(s);
    return error;
}

int cuStreamGetCtx(rt_stream *stream, cuda_context **context)
{
    rt_stream *s;
    const int error = context ? enter(stream, &s) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *context = rt_stream_owner(s) ? rt_stream_owner(s) : cuda_context_current();
    return error;
}

int cuStreamGetDevice(rt_stream *stream, int *device)
{
    cuda_context *context;
    const int error = device ? cuStreamGetCtx(stream, &context) : RT_INVALID_VALUE;
    return error == RT_OK ? cuda_context_device(context, device) : error;
}

int cuStreamIsCapturing(rt_stream *stream, int *status)
{
    rt_stream *s;
    const int error = status ? enter(stream, &s) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *status = 0;
    return error;
}

static int push_host(rt_stream *handle, const rt_host_call *given)
{
    rt_stream *stream;
    const int error = given->function || given->callback ? enter(handle, &stream) : RT_INVALID_VALUE;
    return error == RT_OK ? rt_queue_host(stream, given) : error;
}

int cuLaunchHostFunc(rt_stream *stream, cuda_host_fn function, void *data)
{
    return push_host(stream, &(rt_host_call){ function, NULL, stream, data });
}

int cuStreamAddCallback(rt_stream *stream, cuda_stream_callback callback, void *data, unsigned flags)
{
    (void)flags;
    return push_host(stream, &(rt_host_call){ NULL, callback, stream, data });
}

int cuEventCreate(rt_event **event, unsigned flags)
{
    const int error = event ? cuda_enter() : RT_INVALID_VALUE;
    if (error != RT_OK)
        return error;
    const int made = rt_event_create(flags, !(flags & NO_TIMING), event);
    if (made == RT_OK)
        cuda_own(CUDA_EVENT, (uintptr_t)*event);
    return made;
}

int cuEventDestroy_v2(rt_event *event)
{
    const int error = event ? cuda_started() : RT_INVALID_HANDLE;
    if (error != RT_OK)
        return error;
    cuda_owned *note = cuda_disown(CUDA_EVENT, (uintptr_t)event);
    return cuda_disowned(note, rt_event_destroy(event));
}

int cuEventRecord(rt_event *event, rt_stream *stream)
{
    rt_stream *s;
    const int error = event ? enter(stream, &s) : RT_INVALID_HANDLE;
    return error == RT_OK ? rt_event_record(event, s) : error;
}

/* Flags concern graphs. */
int cuEventRecordWithFlags(rt_event *event, rt_stream *stream, unsigned flags)
{
    return flags > 1 ? RT_INVALID_VALUE : cuEventRecord(event, stream);
}

int cuEventQuery(rt_event *event)
{
    const int error = event ? cuda_enter() : RT_INVALID_HANDLE;
    return error == RT_OK ? rt_event_query(event) : error;
}

int cuEventSynchronize(rt_event *event)
{
    int error = event ? cuda_enter() : RT_INVALID_HANDLE;
    if (error == RT_OK)
        error = rt_event_wait(event);
    return error == RT_OK ? rt_sticky() : error;
}

int cuEventElapsedTime(float *ms, rt_event *from, rt_event *to)
{
    const int error = ms ? cuda_enter() : RT_INVALID_VALUE;
    if (error != RT_OK)
        return error;
    return from && to ? rt_event_elapsed(ms, from, to) : RT_INVALID_HANDLE;
}

int cuEventElapsedTime_v2(float *ms, rt_event *from, rt_event *to)
{
    return cuEventElapsedTime(ms, from, to);
}

/* There is no profiler to be started. */
int cuProfilerStart(void)
{
    return cuda_enter();
}

int cuProfilerStop(void)
{
    return cuda_enter();
}
