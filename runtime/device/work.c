/* SPDX-License-Identifier: MIT */
/* Copies, fills and host functions as work of streams, and the handles by which programs name streams. */
#include <stdlib.h>

#include "runtime/device/device.h"

/* A copy or a fill queued in a stream. */
typedef struct transfer {
    uint64_t to, from;
    rt_box box;
    bool is_fill;
    uint64_t count;
    unsigned unit;
    uint32_t value;
} transfer;

static int transfer_now(void *payload)
{
    transfer *t = payload;
    int error = rt_sticky();
    if (error == RT_OK)
        error = t->is_fill ? rt_fill(t->to, t->box.to_pitch, t->box.height, t->count, t->unit, t->value)
                           : rt_copy(t->to, t->from, &t->box);
    free(t);
    return error;
}

static int push(const transfer *given, rt_stream *stream, bool wait)
{
    transfer *t = malloc(sizeof(*t));
    if (!t)
        return RT_OUT_OF_MEMORY;
    *t = *given;
    const int error = rt_stream_push(stream, transfer_now, t, wait);
    if (error == RT_OUT_OF_MEMORY ||
        error == RT_NOT_PERMITTED) /* not queued: transfer_now() returns neither */
        free(t);
    return error;
}

int rt_queue_copy(uint64_t to, uint64_t from, const rt_box *box, rt_stream *stream, bool wait)
{
    const transfer t = { .to = to, .from = from, .box = *box };
    const int error = rt_copy_check(to, from, box);
    return error == RT_OK ? push(&t, stream, wait || rt_copy_is_pageable(to, from)) : error;
}

int rt_queue_fill(uint64_t to, uint64_t pitch, uint64_t rows, uint64_t count, unsigned unit, uint32_t value,
                  rt_stream *stream, bool wait)
{
    const transfer t = { .to = to,
                         .box = { .height = rows, .to_pitch = pitch },
                         .is_fill = true,
                         .count = count,
                         .unit = unit,
                         .value = value };
    const int error = rt_fill_check(to, pitch, rows, count, unit);
    return error == RT_OK ? push(&t, stream, wait) : error;
}

static int call_host(void *payload)
{
    const rt_host_call call = *(const rt_host_call *)payload;
    free(payload);
    if (call.function)
        call.function(call.data);
    else
        call.callback(call.handle, rt_sticky(), call.data);
    return RT_OK;
}

int rt_queue_host(rt_stream *stream, const rt_host_call *given)
{
    rt_host_call *call = malloc(sizeof(*call));
    if (!call)
        return RT_OUT_OF_MEMORY;
    *call = *given;
    const int error = rt_stream_push(stream, call_host, call, false);
    if (error != RT_OK)
        free(call);
    return error;
}

bool rt_stream_of(rt_stream *handle, rt_stream **stream)
{
    enum { LEGACY = 1, PER_THREAD = 2 };
    static _Thread_local rt_stream *own;
    const uintptr_t value = (uintptr_t)handle;
    *stream = value == LEGACY ? NULL : handle;
    if (value != PER_THREAD)
        return rt_stream_is(*stream);
    if (!own && rt_stream_create(true, 0, 0, NULL, &own) != RT_OK)
        return false;
    *stream = own;
    return true;
}
