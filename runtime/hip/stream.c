/* SPDX-License-Identifier: MIT */
#include "runtime/hip/hip.h"

enum { NON_BLOCKING = 1, NO_TIMING = 2 };

int hipStreamCreateWithPriority(rt_stream **stream, unsigned flags, int priority)
{
    const int error = stream && flags <= NON_BLOCKING ? hip_enter() : RT_INVALID_VALUE;
    if (error != RT_OK)
        return hip_done(error);
    const int most = priority > 1 ? 1 : priority < -1 ? -1 : priority;
    return hip_done(rt_stream_create(!(flags & NON_BLOCKING), flags, most, hip_context_current(), stream));
}

int hipStreamCreateWithFlags(rt_stream **stream, unsigned flags)
{
    return hipStreamCreateWithPriority(stream, flags, 0);
}

int hipStreamCreate(rt_stream **stream)
{
    return hipStreamCreateWithPriority(stream, 0, 0);
}

/* Calls `act` with a valid stream. */
static int with_stream(rt_stream *handle, int (*act)(rt_stream *))
{
    rt_stream *stream;
    const int error = hip_enter();
    if (error != RT_OK)
        return hip_done(error);
    return hip_done(rt_stream_of(handle, &stream) ? act(stream) : RT_INVALID_HANDLE);
}

int hipStreamDestroy(rt_stream *stream)
{
    const int error = rt_start();
    return hip_done(error != RT_OK           ? error
                    : (uintptr_t)stream <= 2 ? RT_INVALID_HANDLE
                                             : rt_stream_destroy(stream));
}

int hipStreamQuery(rt_stream *stream)
{
    return with_stream(stream, rt_stream_query);
}

int hipStreamSynchronize(rt_stream *stream)
{
    const int error = with_stream(stream, rt_stream_wait);
    return error == RT_OK ? hip_done(rt_sticky()) : error;
}

int hipStreamWaitEvent(rt_stream *stream, rt_event *event, unsigned flags)
{
    rt_stream *s;
    const int error = event && !flags ? hip_enter() : RT_INVALID_HANDLE;
    if (error != RT_OK)
        return hip_done(flags ? RT_INVALID_VALUE : error);
    return hip_done(rt_stream_of(stream, &s) ? rt_stream_wait_event(s, event) : RT_INVALID_HANDLE);
}

int hipStreamGetFlags(rt_stream *stream, unsigned *flags)
{
    rt_stream *s;
    const int error = flags ? hip_enter() : RT_INVALID_VALUE;
    if (error != RT_OK || !rt_stream_of(stream, &s))
        return hip_done(error == RT_OK ? RT_INVALID_HANDLE : error);
    *flags = rt_stream_flags(s);
    return hip_done(RT_OK);
}

int hipStreamGetPriority(rt_stream *stream, int *priority)
{
    rt_stream *s;
    const int error = priority ? hip_enter() : RT_INVALID_VALUE;
    if (error != RT_OK || !rt_stream_of(stream, &s))
        return hip_done(error == RT_OK ? RT_INVALID_HANDLE : error);
    *priority = rt_stream_priority(s);
    return hip_done(RT_OK);
}

/* The null stream is that of the current device. */
int hipStreamGetDevice(rt_stream *stream, int *device)
{
    rt_stream *s;
    const int error = device ? hip_enter() : RT_INVALID_VALUE;
    if (error != RT_OK || !rt_stream_of(stream, &s))
        return hip_done(error == RT_OK ? RT_INVALID_HANDLE : error);
    *device = rt_stream_owner(s) ? hip_device_of(rt_stream_owner(s)) : *hip_device();
    return hip_done(RT_OK);
}

/* -1: there is no such stream. */
int hipGetStreamDeviceId(rt_stream *stream)
{
    int device = -1;
    return hipStreamGetDevice(stream, &device) == RT_OK ? device : -1;
}

int hipStreamIsCapturing(rt_stream *stream, int *status)
{
    rt_stream *s;
    const int error = status ? hip_enter() : RT_INVALID_VALUE;
    if (error != RT_OK || !rt_stream_of(stream, &s))
        return hip_done(error == RT_OK ? RT_INVALID_HANDLE : error);
    *status = 0;
    return hip_done(RT_OK);
}

static int push_host(rt_stream *handle, const rt_host_call *given)
{
    rt_stream *stream;
    const int error = given->function || given->callback ? hip_enter() : RT_INVALID_VALUE;
    if (error != RT_OK)
        return hip_done(error);
    if (!rt_stream_of(handle, &stream))
        return hip_done(RT_INVALID_HANDLE);
    return hip_done(rt_queue_host(stream, given));
}

int hipLaunchHostFunc(rt_stream *stream, hip_host_fn function, void *data)
{
    return push_host(stream, &(rt_host_call){ function, NULL, stream, data });
}

int hipStreamAddCallback(rt_stream *stream, hip_stream_callback callback, void *data, unsigned flags)
{
    (void)flags;
    return push_host(stream, &(rt_host_call){ NULL, callback, stream, data });
}

int hipEventCreateWithFlags(rt_event **event, unsigned flags)
{
    const int error = event ? hip_enter() : RT_INVALID_VALUE;
    return hip_done(error == RT_OK ? rt_event_create(flags, !(flags & NO_TIMING), event) : error);
}

int hipEventCreate(rt_event **event)
{
    return hipEventCreateWithFlags(event, 0);
}

int hipEventDestroy(rt_event *event)
{
    const int error = event ? rt_start() : RT_INVALID_HANDLE;
    return hip_done(error == RT_OK ? rt_event_destroy(event) : error);
}

int hipEventRecord(rt_event *event, rt_stream *stream)
{
    rt_stream *s;
    const int error = event ? hip_enter() : RT_INVALID_HANDLE;
    if (error != RT_OK)
        return hip_done(error);
    return hip_done(rt_stream_of(stream, &s) ? rt_event_record(event, s) : 709);
}

/* Flags concern graphs. */
int hipEventRecordWithFlags(rt_event *event, rt_stream *stream, unsigned flags)
{
    return flags > 1 ? hip_done(RT_INVALID_VALUE) : hipEventRecord(event, stream);
}

int hipEventQuery(rt_event *event)
{
    const int error = event ? hip_enter() : RT_INVALID_HANDLE;
    return hip_done(error == RT_OK ? rt_event_query(event) : error);
}

int hipEventSynchronize(rt_event *event)
{
    int error = event ? hip_enter() : RT_INVALID_HANDLE;
    if (error == RT_OK)
        error = rt_event_wait(event);
    return hip_done(error == RT_OK ? rt_sticky() : error);
}

int hipEventElapsedTime(float *ms, rt_event *from, rt_event *to)
{
    const int error = ms ? hip_enter() : RT_INVALID_VALUE;
    if (error != RT_OK)
        return hip_done(error);
    return hip_done(from && to ? rt_event_elapsed(ms, from, to) : RT_INVALID_HANDLE);
}

/* There is no profiler to be started. */
int hipProfilerStart(void)
{
    return hip_done(hip_enter());
}

int hipProfilerStop(void)
{
    return hip_done(hip_enter());
}
