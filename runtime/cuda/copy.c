/* SPDX-License-Identifier: MIT */
#include "runtime/cuda/exports.h"

enum { HOST = 1, DEVICE = 2, UNIFIED = 4 };

static int copy(uint64_t to, uint64_t from, const rt_box *box, rt_stream *handle, bool wait)
{
    rt_stream *stream;
    int error = cuda_enter();
    if (error == RT_OK && !rt_stream_of(handle, &stream))
        error = RT_INVALID_HANDLE;
    return error == RT_OK ? rt_queue_copy(to, from, box, stream, wait) : error;
}

static int line(uint64_t to, uint64_t from, size_t size, rt_stream *stream, bool wait)
{
    return copy(to, from, &(rt_box){ size, 1, 1, 0, 0, 0, 0 }, stream, wait);
}

int cuMemcpy(cuda_pointer to, cuda_pointer from, size_t size)
{
    return line(to, from, size, NULL, true);
}

int cuMemcpyAsync(cuda_pointer to, cuda_pointer from, size_t size, rt_stream *stream)
{
    return line(to, from, size, stream, false);
}

int cuMemcpyHtoD_v2(cuda_pointer to, const void *from, size_t size)
{
    return line(to, (uintptr_t)from, size, NULL, true);
}

int cuMemcpyDtoH_v2(void *to, cuda_pointer from, size_t size)
{
    return line((uintptr_t)to, from, size, NULL, true);
}

int cuMemcpyDtoD_v2(cuda_pointer to, cuda_pointer from, size_t size)
{
    return line(to, from, size, NULL, true);
}

int cuMemcpyHtoDAsync_v2(cuda_pointer to, const void *from, size_t size, rt_stream *stream)
{
    return line(to, (uintptr_t)from, size, stream, false);
}

int cuMemcpyDtoHAsync_v2(void *to, cuda_pointer from, size_t size, rt_stream *stream)
{
    return line((uintptr_t)to, from, size, stream, false);
}

int cuMemcpyDtoDAsync_v2(cuda_pointer to, cuda_pointer from, size_t size, rt_stream *stream)
{
    return line(to, from, size, stream, false);
}

static int check_contexts(cuda_context *to, cuda_context *from)
{
    int device, error = cuda_enter();
    if (error == RT_OK)
        error = cuda_context_device(to, &device);
    return error == RT_OK ? cuda_context_device(from, &device) : error;
}

int cuMemcpyPeer(cuda_pointer to, cuda_context *to_context, cuda_pointer from, cuda_context *from_context,
                 size_t size)
{
    const int error = check_contexts(to_context, from_context);
    return error == RT_OK ? line(to, from, size, NULL, true) : error;
}

int cuMemcpyPeerAsync(cuda_pointer to, cuda_context *to_context, cuda_pointer from,
                      cuda_context *from_context, size_t size, rt_stream *stream)
{
    const int error = check_contexts(to_context, from_context);
    return error == RT_OK ? line(to, from, size, stream, false) : error;
}

/* The first byte of a side; false: an array, or nothing. */
static bool corner(int type, const void *host, cuda_pointer device, size_t x, size_t y, size_t pitch,
                   uint64_t *address)
{
    const uint64_t base = type == HOST ? (uintptr_t)host : device;
    *address = base + y * pitch + x;
    return base && (type == HOST || type == DEVICE || type == UNIFIED);
}

static int rectangle(const cuda_rectangle *r, rt_stream *stream, bool wait)
{
    uint64_t to, from;
    if (!r || !corner(r->to_type, r->to_host, r->to_device, r->to_x, r->to_y, r->to_pitch, &to) ||
        !corner(r->from_type, r->from_host, r->from_device, r->from_x, r->from_y, r->from_pitch, &from))
        return RT_INVALID_VALUE;
    const rt_box box = { r->width, r->height, 1, r->to_pitch, 0, r->from_pitch, 0 };
    return copy(to, from, &box, stream, wait);
}

int cuMemcpy2D_v2(const cuda_rectangle *copy)
{
    return rectangle(copy, NULL, true);
}

int cuMemcpy2DUnaligned_v2(const cuda_rectangle *copy)
{
    return rectangle(copy, NULL, true);
}

int cuMemcpy2DAsync_v2(const cuda_rectangle *copy, rt_stream *stream)
{
    return rectangle(copy, stream, false);
}

/* Slices of so many rows; false as for corner(), or if rows or slices overlap. */
static bool corner_of_box(const cuda_place *p, const cuda_copy_3d *c, uint64_t *address, uint64_t *slice)
{
    if (p->pitch < c->width || (c->depth > 1 && p->height < c->height) ||
        __builtin_mul_overflow(p->pitch, p->height, slice) ||
        !corner(p->type, p->host, p->device, p->x, p->y, p->pitch, address))
        return false;
    *address += p->z * *slice;
    return true;
}

static int copy_box(const cuda_copy_3d *c, rt_stream *stream, bool wait)
{
    uint64_t to, from;
    rt_box box;
    if (!c || !corner_of_box(&c->to, c, &to, &box.to_slice) ||
        !corner_of_box(&c->from, c, &from, &box.from_slice))
        return RT_INVALID_VALUE;
    box.width = c->width;
    box.height = c->height;
    box.depth = c->depth;
    box.to_pitch = c->to.pitch;
    box.from_pitch = c->from.pitch;
    return copy(to, from, &box, stream, wait);
}

int cuMemcpy3D_v2(const cuda_copy_3d *copy)
{
    return copy_box(copy, NULL, true);
}

int cuMemcpy3DAsync_v2(const cuda_copy_3d *copy, rt_stream *stream)
{
    return copy_box(copy, stream, false);
}

/* Elements of `unit` bytes. */
static int fill_rows(cuda_pointer to, size_t pitch, size_t rows, size_t count, unsigned unit, uint32_t value,
                     rt_stream *handle, bool wait)
{
    rt_stream *stream;
    int error = cuda_enter();
    if (error == RT_OK && !rt_stream_of(handle, &stream))
        error = RT_INVALID_HANDLE;
    return error == RT_OK ? rt_queue_fill(to, pitch, rows, count, unit, value, stream, wait) : error;
}

static int fill(cuda_pointer to, size_t count, unsigned unit, uint32_t value, rt_stream *handle, bool wait)
{
    return fill_rows(to, 0, 1, count, unit, value, handle, wait);
}

int cuMemsetD8_v2(cuda_pointer to, unsigned char value, size_t count)
{
    return fill(to, count, 1, value, NULL, true);
}

int cuMemsetD16_v2(cuda_pointer to, unsigned short value, size_t count)
{
    return fill(to, count, 2, value, NULL, true);
}

int cuMemsetD32_v2(cuda_pointer to, unsigned value, size_t count)
{
    return fill(to, count, 4, value, NULL, true);
}

int cuMemsetD8Async(cuda_pointer to, unsigned char value, size_t count, rt_stream *stream)
{
    return fill(to, count, 1, value, stream, false);
}

int cuMemsetD16Async(cuda_pointer to, unsigned short value, size_t count, rt_stream *stream)
{
    return fill(to, count, 2, value, stream, false);
}

int cuMemsetD32Async(cuda_pointer to, unsigned value, size_t count, rt_stream *stream)
{
    return fill(to, count, 4, value, stream, false);
}

int cuMemsetD2D8_v2(cuda_pointer to, size_t pitch, unsigned char value, size_t width, size_t height)
{
    return fill_rows(to, pitch, height, width, 1, value, NULL, true);
}

int cuMemsetD2D8Async(cuda_pointer to, size_t pitch, unsigned char value, size_t width, size_t height,
                      rt_stream *stream)
{
    return fill_rows(to, pitch, height, width, 1, value, stream, false);
}

int cuMemsetD2D16_v2(cuda_pointer to, size_t pitch, unsigned short value, size_t width, size_t height)
{
    return fill_rows(to, pitch, height, width, 2, value, NULL, true);
}

int cuMemsetD2D16Async(cuda_pointer to, size_t pitch, unsigned short value, size_t width, size_t height,
                       rt_stream *stream)
{
    return fill_rows(to, pitch, height, width, 2, value, stream, false);
}

int cuMemsetD2D32_v2(cuda_pointer to, size_t pitch, unsigned value, size_t width, size_t height)
{
    return fill_rows(to, pitch, height, width, 4, value, NULL, true);
}

int cuMemsetD2D32Async(cuda_pointer to, size_t pitch, unsigned value, size_t width, size_t height,
                       rt_stream *stream)
{
    return fill_rows(to, pitch, height, width, 4, value, stream, false);
}
