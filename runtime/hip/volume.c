/* SPDX-License-Identifier: MIT */
/* Copies and fills of boxes: rows of a pitch, slices of so many rows. */
#include "runtime/hip/hip.h"

int hipMalloc3D(hip_pitched *memory, hip_extent size)
{
    if (!memory || (size.height && size.depth > SIZE_MAX / size.height))
        return hip_done(RT_INVALID_VALUE);
    memory->width = size.width;
    memory->height = size.height;
    return hipMallocPitch(&memory->pointer, &memory->pitch, size.width, size.height * size.depth);
}

/* The first byte of a side. False: an array, or rows or slices that overlap. */
static bool corner(const hip_place *p, const hip_extent *size, uint64_t *address, uint64_t *slice)
{
    const hip_pitched *m = &p->memory;
    if (p->array || !m->pointer || m->pitch < size->width || (size->depth > 1 && m->height < size->height) ||
        __builtin_mul_overflow(m->pitch, m->height, slice))
        return false;
    *address = (uintptr_t)m->pointer + p->z * *slice + p->y * m->pitch + p->x;
    return true;
}

static int copy_box(const hip_copy_3d *c, rt_stream *handle, bool wait)
{
    enum { KIND_DEFAULT = 4 };
    uint64_t to, from;
    rt_box box;
    rt_stream *stream;
    const int error = c ? hip_enter() : RT_INVALID_VALUE;
    if (error != RT_OK)
        return hip_done(error);
    if (c->from.array || c->to.array) {
        rt_report_call("hipMemcpy3D with an array");
        return hip_done(RT_UNSUPPORTED);
    }
    if (!rt_stream_of(handle, &stream))
        return hip_done(RT_INVALID_HANDLE);
    if (c->kind < 0 || c->kind > KIND_DEFAULT)
        return hip_done(RT_INVALID_DIRECTION);
    if (!corner(&c->to, &c->size, &to, &box.to_slice) || !corner(&c->from, &c->size, &from, &box.from_slice))
        return hip_done(RT_INVALID_VALUE);
    box.width = c->size.width;
    box.height = c->size.height;
    box.depth = c->size.depth;
    box.to_pitch = c->to.memory.pitch;
    box.from_pitch = c->from.memory.pitch;
    return hip_done(rt_queue_copy(to, from, &box, stream, wait));
}

int hipMemcpy3D(const hip_copy_3d *copy)
{
    return copy_box(copy, NULL, true);
}

int hipMemcpy3DAsync(const hip_copy_3d *copy, rt_stream *stream)
{
    return copy_box(copy, stream, false);
}

/* A slice after another; the first that is not all in memory ends it. */
static int fill_box(const hip_pitched *m, int value, const hip_extent *size, rt_stream *handle, bool wait)
{
    size_t slice = 0;
    rt_stream *stream;
    int error = hip_enter();
    if (error == RT_OK && !rt_stream_of(handle, &stream))
        error = RT_INVALID_HANDLE;
    if (error != RT_OK || !size->width || !size->height || !size->depth)
        return hip_done(error);
    if (m->pitch < size->width || m->height < size->height ||
        __builtin_mul_overflow(m->pitch, m->height, &slice))
        return hip_done(RT_INVALID_VALUE);
    for (size_t z = 0; z < size->depth && error == RT_OK; z++)
        error = rt_queue_fill((uintptr_t)m->pointer + z * slice, m->pitch, size->height, size->width, 1,
                              (uint32_t)value, stream, wait);
    return hip_done(error);
}

int hipMemset3D(hip_pitched memory, int value, hip_extent size)
{
    return fill_box(&memory, value, &size, NULL, true);
}

int hipMemset3DAsync(hip_pitched memory, int value, hip_extent size, rt_stream *stream)
{
    return fill_box(&memory, value, &size, stream, false);
}
