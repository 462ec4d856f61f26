/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "runtime/cuda/exports.h"

/* CUpointer_attribute, CUmemorytype. */
enum {
    OF_CONTEXT = 1,
    OF_TYPE,
    OF_DEVICE_POINTER,
    OF_HOST_POINTER,
    IS_MANAGED = 8,
    OF_ORDINAL,
    OF_START = 11,
    OF_SIZE
};
enum { HOST = 1, DEVICE };

static int allocate(rt_kind kind, uint64_t size, unsigned flags, const char *name, uint64_t *address)
{
    const int error = size ? cuda_enter() : RT_INVALID_VALUE;
    if (error != RT_OK)
        return error;
    const int made = rt_allocate(kind, cuda_device(), size, flags, name, address);
    if (made == RT_OK)
        cuda_own(kind == RT_PINNED ? CUDA_PINNED : CUDA_MEMORY, *address);
    return made;
}

static int allocate_host(rt_kind kind, uint64_t size, unsigned flags, const char *name, void **pointer)
{
    uint64_t address = 0;
    const int error = pointer ? allocate(kind, size, flags, name, &address) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *pointer = (void *)(uintptr_t)address;
    return error;
}

int cuMemAlloc_v2(cuda_pointer *pointer, size_t size)
{
    return pointer ? allocate(RT_DEVICE, size, 0, "cuMemAlloc", pointer) : RT_INVALID_VALUE;
}

int cuMemAllocAsync(cuda_pointer *pointer, size_t size, rt_stream *stream)
{
    rt_stream *s;
    if (!rt_stream_of(stream, &s))
        return RT_INVALID_HANDLE;
    return pointer ? allocate(RT_DEVICE, size, 0, "cuMemAllocAsync", pointer) : RT_INVALID_VALUE;
}

int cuMemAllocManaged(cuda_pointer *pointer, size_t size, unsigned flags)
{
    return pointer ? allocate(RT_MANAGED, size, flags, "cuMemAllocManaged", pointer) : RT_INVALID_VALUE;
}

int cuMemAllocPitch_v2(cuda_pointer *pointer, size_t *pitch, size_t width, size_t height, unsigned unit)
{
    (void)unit;
    if (!pointer || !pitch || width > SIZE_MAX / 4 || (height && (width + 511) > SIZE_MAX / 2 / height))
        return RT_INVALID_VALUE;
    *pitch = (width + 511) / 512 * 512;
    return allocate(RT_DEVICE, *pitch * height, 0, "cuMemAllocPitch", pointer);
}

int cuMemHostAlloc(void **pointer, size_t size, unsigned flags)
{
    return allocate_host(RT_PINNED, size, flags, "cuMemHostAlloc", pointer);
}

int cuMemAllocHost_v2(void **pointer, size_t size)
{
    return allocate_host(RT_PINNED, size, 0, "cuMemAllocHost", pointer);
}

int cuMemFree_v2(cuda_pointer pointer)
{
    const int error = cuda_enter();
    if (error != RT_OK || !pointer)
        return error;
    cuda_owned *note = cuda_disown(CUDA_MEMORY, pointer);
    return cuda_disowned(note, rt_free(pointer, false));
}

/* Frees at once, when all work has been done. */
int cuMemFreeAsync(cuda_pointer pointer, rt_stream *stream)
{
    rt_stream *s;
    return rt_stream_of(stream, &s) ? cuMemFree_v2(pointer) : RT_INVALID_HANDLE;
}

int cuMemFreeHost(void *pointer)
{
    const int error = cuda_enter();
    if (error != RT_OK)
        return error;
    cuda_owned *note = cuda_disown(CUDA_PINNED, (uintptr_t)pointer);
    return cuda_disowned(note, rt_free((uintptr_t)pointer, true));
}

int cuMemHostRegister_v2(void *host, size_t size, unsigned flags)
{
    int error = cuda_enter();
    if (error == RT_OK)
        error = rt_register(host, size, cuda_device(), flags);
    if (error == RT_OK)
        cuda_own(CUDA_REGISTERED, (uintptr_t)host);
    return error;
}

int cuMemHostUnregister(void *host)
{
    const int error = cuda_enter();
    if (error != RT_OK)
        return error;
    cuda_owned *note = cuda_disown(CUDA_REGISTERED, (uintptr_t)host);
    return cuda_disowned(note, rt_unregister(host));
}

static int find(uint64_t pointer, rt_range *range)
{
    const int error = cuda_enter();
    if (error != RT_OK)
        return error;
    return pointer && rt_find(pointer, range) ? RT_OK : RT_INVALID_VALUE;
}

int cuMemHostGetDevicePointer_v2(cuda_pointer *pointer, void *host, unsigned flags)
{
    rt_range range;
    (void)flags;
    const int error = pointer ? find((uintptr_t)host, &range) : RT_INVALID_VALUE;
    if (error != RT_OK || range.kind == RT_DEVICE)
        return error == RT_OK ? RT_INVALID_VALUE : error;
    *pointer = (uintptr_t)host;
    return RT_OK;
}

int cuMemHostGetFlags(unsigned *flags, void *host)
{
    rt_range range;
    const int error = flags ? find((uintptr_t)host, &range) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *flags = range.flags;
    return error;
}

int cuMemGetInfo_v2(size_t *left, size_t *whole)
{
    uint64_t bytes, of;
    const int error = left && whole ? cuda_enter() : RT_INVALID_VALUE;
    if (error == RT_OK) {
        rt_room(&bytes, &of);
        *left = bytes;
        *whole = of;
    }
    return error;
}

int cuMemGetAddressRange_v2(cuda_pointer *base, size_t *size, cuda_pointer pointer)
{
    rt_range range;
    const int error = find(pointer, &range);
    if (error == RT_OK && base)
        *base = range.address;
    if (error == RT_OK && size)
        *size = range.size;
    return error == RT_INVALID_VALUE ? RT_NOT_FOUND : error;
}

static size_t width_of(int attribute)
{
    if (attribute == OF_TYPE || attribute == OF_ORDINAL)
        return sizeof(uint32_t);
    return attribute == OF_CONTEXT || attribute == OF_DEVICE_POINTER || attribute == OF_HOST_POINTER ||
                   attribute == OF_START || attribute == OF_SIZE
               ? sizeof(uint64_t)
               : 1;
}

int cuPointerGetAttribute(void *data, int attribute, cuda_pointer pointer)
{
    rt_range range;
    int error = data ? find(pointer, &range) : RT_INVALID_VALUE;
    if (error != RT_OK)
        return error;
    const uint64_t wide[] = { [OF_DEVICE_POINTER] = pointer,
                              [OF_HOST_POINTER] = pointer,
                              [OF_START] = range.address,
                              [OF_SIZE] = range.size };
    const uint32_t narrow[] = { [OF_TYPE] =
                                    range.kind == RT_PINNED || range.kind == RT_REGISTERED ? HOST : DEVICE,
                                [OF_ORDINAL] = (uint32_t)range.device };
    /* every context of a device can use its memory */
    cuda_context *const context =
        cuda_device() == range.device ? cuda_context_current() : cuda_context_primary(range.device);
    if (attribute == OF_CONTEXT)
        memcpy(data, &context, sizeof(context));
    else if (attribute == OF_TYPE || attribute == OF_ORDINAL)
        memcpy(data, &narrow[attribute], sizeof(narrow[0]));
    else if (attribute == OF_DEVICE_POINTER || attribute == OF_START || attribute == OF_SIZE ||
             (attribute == OF_HOST_POINTER && range.kind != RT_DEVICE))
        memcpy(data, &wide[attribute], sizeof(wide[0]));
    else if (attribute == IS_MANAGED)
        *(unsigned char *)data = range.kind == RT_MANAGED;
    else
        error = RT_INVALID_VALUE;
    return error;
}

/* All that are known; those that do not apply to the address are zero. */
int cuPointerGetAttributes(unsigned count, const int *attributes, void **data, cuda_pointer pointer)
{
    const int error = count && attributes && data ? cuda_enter() : RT_INVALID_VALUE;
    for (unsigned i = 0; error == RT_OK && i < count; i++)
        if (data[i] && cuPointerGetAttribute(data[i], attributes[i], pointer) != RT_OK)
            memset(data[i], 0, width_of(attributes[i]));
    return error;
}

/* Hints: there is one memory. */
static int hint(cuda_pointer pointer, size_t size)
{
    rt_range range;
    const int error = find(pointer, &range);
    return error == RT_OK && size > range.size - (pointer - range.address) ? RT_INVALID_VALUE : error;
}

int cuMemPrefetchAsync(cuda_pointer pointer, size_t size, int device, rt_stream *stream)
{
    rt_stream *s;
    (void)device;
    return rt_stream_of(stream, &s) ? hint(pointer, size) : RT_INVALID_HANDLE;
}

/* `place`: CUmemLocation, a type and an id. */
int cuMemPrefetchAsync_v2(cuda_pointer pointer, size_t size, uint64_t place, unsigned flags,
                          rt_stream *stream)
{
    (void)flags, (void)place;
    return cuMemPrefetchAsync(pointer, size, 0, stream);
}

int cuMemAdvise(cuda_pointer pointer, size_t size, int advice, int device)
{
    (void)advice, (void)device;
    return hint(pointer, size);
}

int cuMemAdvise_v2(cuda_pointer pointer, size_t size, int advice, uint64_t place)
{
    (void)place;
    return cuMemAdvise(pointer, size, advice, 0);
}
