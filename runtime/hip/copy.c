/* SPDX-License-Identifier: MIT */
#include "runtime/hip/hip.h"

enum { KIND_DEFAULT = 4 };

/* What is copied where. */
typedef struct span {
    uint64_t to, from;
    rt_box box;
} span;

/* The direction stated by the caller is ignored: the addresses determine it. */
static int copy(const span *t, int kind, rt_stream *handle, bool wait)
{
    rt_stream *stream;
    int error = hip_enter();
    if (error == RT_OK && !rt_stream_of(handle, &stream))
        error = RT_INVALID_HANDLE;
    if (error == RT_OK && (kind < 0 || kind > KIND_DEFAULT))
        error = RT_INVALID_DIRECTION;
    if (error == RT_OK)
        error = rt_queue_copy(t->to, t->from, &t->box, stream, wait);
    return hip_done(error);
}

static span line(void *to, const void *from, size_t size)
{
    return (span){ .to = (uintptr_t)to, .from = (uintptr_t)from, .box = { size, 1, 1, 0, 0, 0, 0 } };
}

static int copy_bytes(void *to, const void *from, size_t size, rt_stream *stream, bool wait)
{
    const span t = line(to, from, size);
    return copy(&t, KIND_DEFAULT, stream, wait);
}

int hipMemcpy(void *to, const void *from, size_t size, int kind)
{
    const span t = line(to, from, size);
    return copy(&t, kind, NULL, true);
}

int hipMemcpyAsync(void *to, const void *from, size_t size, int kind, rt_stream *stream)
{
    const span t = line(to, from, size);
    return copy(&t, kind, stream, false);
}

int hipMemcpyWithStream(void *to, const void *from, size_t size, int kind, rt_stream *stream)
{
    const span t = line(to, from, size);
    return copy(&t, kind, stream, true);
}

int hipMemcpyHtoD(void *to, void *from, size_t size)
{
    return copy_bytes(to, from, size, NULL, true);
}

int hipMemcpyDtoH(void *to, void *from, size_t size)
{
    return copy_bytes(to, from, size, NULL, true);
}

int hipMemcpyDtoD(void *to, void *from, size_t size)
{
    return copy_bytes(to, from, size, NULL, true);
}

int hipMemcpyHtoDAsync(void *to, void *from, size_t size, rt_stream *stream)
{
    return copy_bytes(to, from, size, stream, false);
}

int hipMemcpyDtoHAsync(void *to, void *from, size_t size, rt_stream *stream)
{
    return copy_bytes(to, from, size, stream, false);
}

int hipMemcpyDtoDAsync(void *to, void *from, size_t size, rt_stream *stream)
{
    return copy_bytes(to, from, size, stream, false);
}

static int check_devices(int to_device, int from_device)
{
    const int error = hip_enter(), count = error == RT_OK ? rt_device_count() : 0;
    if (error != RT_OK)
        return error;
    return to_device >= 0 && to_device < count && from_device >= 0 && from_device < count ? RT_OK
                                                                                          : RT_INVALID_DEVICE;
}

int hipMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size)
{
    const int error = check_devices(to_device, from_device);
    return error == RT_OK ? copy_bytes(to, from, size, NULL, true) : hip_done(error);
}

int hipMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size,
                       rt_stream *stream)
{
    const int error = check_devices(to_device, from_device);
    return error == RT_OK ? copy_bytes(to, from, size, stream, false) : hip_done(error);
}

static span rectangle(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height)
{
    return (span){ .to = (uintptr_t)to,
                   .from = (uintptr_t)from,
                   .box = { width, height, 1, to_pitch, 0, from_pitch, 0 } };
}

int hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                int kind)
{
    const span t = rectangle(to, to_pitch, from, from_pitch, width, height);
    return copy(&t, kind, NULL, true);
}

int hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                     size_t height, int kind, rt_stream *stream)
{
    const span t = rectangle(to, to_pitch, from, from_pitch, width, height);
    return copy(&t, kind, stream, false);
}

/* Elements of `unit` bytes; of the value, only the low bits. */
static int fill(void *to, size_t pitch, size_t rows, size_t count, unsigned unit, uint32_t value,
                rt_stream *handle, bool wait)
{
    rt_stream *stream;
    int error = hip_enter();
    if (error == RT_OK && !rt_stream_of(handle, &stream))
        error = RT_INVALID_HANDLE;
    if (error == RT_OK)
        error = rt_queue_fill((uintptr_t)to, pitch, rows, count, unit, value, stream, wait);
    return hip_done(error);
}

int hipMemset(void *to, int value, size_t size)
{
    return fill(to, 0, 1, size, 1, (uint32_t)value, NULL, true);
}

int hipMemsetAsync(void *to, int value, size_t size, rt_stream *stream)
{
    return fill(to, 0, 1, size, 1, (uint32_t)value, stream, false);
}

int hipMemsetD8(void *to, unsigned char value, size_t count)
{
    return fill(to, 0, 1, count, 1, value, NULL, true);
}

int hipMemsetD16(void *to, unsigned short value, size_t count)
{
    return fill(to, 0, 1, count, 2, value, NULL, true);
}

int hipMemsetD32(void *to, int value, size_t count)
{
    return fill(to, 0, 1, count, 4, (uint32_t)value, NULL, true);
}

int hipMemsetD8Async(void *to, unsigned char value, size_t count, rt_stream *stream)
{
    return fill(to, 0, 1, count, 1, value, stream, false);
}

int hipMemsetD16Async(void *to, unsigned short value, size_t count, rt_stream *stream)
{
    return fill(to, 0, 1, count, 2, value, stream, false);
}

int hipMemsetD32Async(void *to, int value, size_t count, rt_stream *stream)
{
    return fill(to, 0, 1, count, 4, (uint32_t)value, stream, false);
}

int hipMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return fill(to, pitch, height, width, 1, (uint32_t)value, NULL, true);
}

int hipMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, rt_stream *stream)
{
    return fill(to, pitch, height, width, 1, (uint32_t)value, stream, false);
}
