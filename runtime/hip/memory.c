/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "runtime/hip/hip.h"

/* Values of the type in hipPointerAttribute_t since 6.0; before, the host is 0 and the device 1. */
enum { UNREGISTERED, HOST, DEVICE, MANAGED };

static int allocate(rt_kind kind, void **pointer, size_t size, unsigned flags, const char *name)
{
    const int error = pointer ? hip_enter() : RT_INVALID_VALUE;
    uint64_t address = 0;
    if (error != RT_OK)
        return hip_done(error);
    *pointer = NULL;
    if (!size)
        return hip_done(RT_OK);
    const int answer = rt_allocate(kind, *hip_device(), size, flags, name, &address);
    *pointer = (void *)(uintptr_t)address;
    return hip_done(answer);
}

int hipMalloc(void **pointer, size_t size)
{
    return allocate(RT_DEVICE, pointer, size, 0, "hipMalloc");
}

int hipExtMallocWithFlags(void **pointer, size_t size, unsigned flags)
{
    return allocate(RT_DEVICE, pointer, size, flags, "hipExtMallocWithFlags");
}

int hipMallocAsync(void **pointer, size_t size, rt_stream *stream)
{
    rt_stream *s;
    if (!rt_stream_of(stream, &s))
        return hip_done(RT_INVALID_HANDLE);
    return allocate(RT_DEVICE, pointer, size, 0, "hipMallocAsync");
}

int hipMallocManaged(void **pointer, size_t size, unsigned flags)
{
    return allocate(RT_MANAGED, pointer, size, flags, "hipMallocManaged");
}

int hipMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    if (!pitch || width > SIZE_MAX / 4 || (height && (width + 255) > SIZE_MAX / 2 / height))
        return hip_done(RT_INVALID_VALUE);
    *pitch = (width + 255) / 256 * 256;
    return allocate(RT_DEVICE, pointer, *pitch * height, 0, "hipMallocPitch");
}

int hipHostMalloc(void **pointer, size_t size, unsigned flags)
{
    return allocate(RT_PINNED, pointer, size, flags, "hipHostMalloc");
}

int hipHostAlloc(void **pointer, size_t size, unsigned flags)
{
    return hipHostMalloc(pointer, size, flags);
}

int hipMallocHost(void **pointer, size_t size)
{
    return hipHostMalloc(pointer, size, 0);
}

int hipMemAllocHost(void **pointer, size_t size)
{
    return hipHostMalloc(pointer, size, 0);
}

static int give_back(void *pointer, bool pinned)
{
    const int error = hip_enter();
    if (error != RT_OK || !pointer)
        return hip_done(error);
    return hip_done(rt_free((uintptr_t)pointer, pinned));
}

int hipFree(void *pointer)
{
    return give_back(pointer, false);
}

/* Frees once all work has finished: memory must exist as long as anything may use it. */
int hipFreeAsync(void *pointer, rt_stream *stream)
{
    rt_stream *s;
    if (!rt_stream_of(stream, &s))
        return hip_done(RT_INVALID_HANDLE);
    if (!pointer)
        return hip_done(hip_major() < 7 ? RT_INVALID_VALUE : RT_OK);
    return give_back(pointer, false);
}

int hipHostFree(void *pointer)
{
    return give_back(pointer, true);
}

int hipFreeHost(void *pointer)
{
    return give_back(pointer, true);
}

int hipHostRegister(void *host, size_t size, unsigned flags)
{
    const int error = hip_enter();
    return hip_done(error == RT_OK ? rt_register(host, size, *hip_device(), flags) : error);
}

int hipHostUnregister(void *host)
{
    const int error = hip_enter();
    return hip_done(error == RT_OK ? rt_unregister(host) : error);
}

static int find(const void *pointer, rt_range *range)
{
    const int error = hip_enter();
    if (error != RT_OK)
        return error;
    return pointer && rt_find((uintptr_t)pointer, range) ? RT_OK : RT_INVALID_VALUE;
}

int hipHostGetDevicePointer(void **pointer, void *host, unsigned flags)
{
    rt_range range;
    (void)flags;
    const int error = pointer ? find(host, &range) : RT_INVALID_VALUE;
    if (error != RT_OK || range.kind == RT_DEVICE)
        return hip_done(error == RT_OK ? RT_INVALID_VALUE : error);
    *pointer = host;
    return hip_done(RT_OK);
}

int hipHostGetFlags(unsigned *flags, void *host)
{
    rt_range range;
    const int error = flags ? find(host, &range) : RT_INVALID_VALUE;
    if (error != RT_OK || range.kind == RT_DEVICE)
        return hip_done(error == RT_OK ? RT_INVALID_VALUE : error);
    *flags = range.flags;
    return hip_done(RT_OK);
}

int hipMemGetInfo(size_t *left, size_t *whole)
{
    const int error = left && whole ? hip_enter() : RT_INVALID_VALUE;
    uint64_t bytes, of;
    if (error == RT_OK) {
        rt_room(&bytes, &of);
        *left = bytes;
        *whole = of;
    }
    return hip_done(error);
}

int hipMemGetAddressRange(void **base, size_t *size, void *pointer)
{
    rt_range range;
    const int error = find(pointer, &range);
    if (error == RT_OK && base)
        *base = (void *)(uintptr_t)range.address;
    if (error == RT_OK && size)
        *size = range.size;
    return hip_done(error == RT_INVALID_VALUE ? RT_NOT_FOUND : error);
}

int hipMemPtrGetInfo(void *pointer, size_t *size)
{
    rt_range range;
    const int error = size ? find(pointer, &range) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *size = range.size;
    return hip_done(error);
}

static int type_of(rt_kind kind)
{
    if (kind == RT_MANAGED)
        return MANAGED;
    return (kind == RT_DEVICE ? DEVICE : HOST) - (hip_major() < 6);
}

int hipPointerGetAttributes(hip_pointer_attributes *attributes, const void *pointer)
{
    rt_range range;
    const int error = attributes ? hip_enter() : RT_INVALID_VALUE;
    if (error != RT_OK)
        return hip_done(error);
    memset(attributes, 0, sizeof(*attributes));
    if (!pointer)
        return hip_done(hip_major() < 7 ? RT_INVALID_VALUE : RT_OK);
    if (!rt_find((uintptr_t)pointer, &range)) {
        attributes->device = -2;
        return hip_done(hip_major() < 6 ? RT_INVALID_VALUE : RT_OK);
    }
    attributes->type = type_of(range.kind);
    attributes->device = range.device;
    attributes->device_pointer = (void *)(uintptr_t)pointer;
    attributes->host_pointer = range.kind == RT_DEVICE ? NULL : (void *)(uintptr_t)pointer;
    attributes->managed = range.kind == RT_MANAGED;
    attributes->flags = range.flags;
    return hip_done(RT_OK);
}

/* hipPointer_attribute: 2 the type, 3 the device's address, 4 the host's, 8 managed, 9 the device, 11 the
 * first byte, 12 the size. */
int hipPointerGetAttribute(void *data, int attribute, void *pointer)
{
    rt_range range;
    const int error = data ? find(pointer, &range) : RT_INVALID_VALUE;
    if (error != RT_OK)
        return hip_done(error);
    const uint64_t wide[] = {
        [3] = (uintptr_t)pointer, [4] = (uintptr_t)pointer, [11] = range.address, [12] = range.size
    };
    const uint32_t narrow[] = { [2] = (uint32_t)type_of(range.kind), [9] = (uint32_t)range.device };
    if (attribute == 4 && range.kind == RT_DEVICE)
        return hip_done(RT_INVALID_VALUE);
    if (attribute == 3 || attribute == 4 || attribute == 11 || attribute == 12)
        memcpy(data, &wide[attribute], sizeof(wide[0]));
    else if (attribute == 2 || attribute == 9)
        memcpy(data, &narrow[attribute], sizeof(narrow[0]));
    else if (attribute == 8)
        *(bool *)data = range.kind == RT_MANAGED;
    else
        return hip_done(RT_INVALID_VALUE);
    return hip_done(RT_OK);
}

/* Hints have no effect: there is only one memory. */
int hipMemPrefetchAsync(const void *pointer, size_t size, int device, rt_stream *stream)
{
    rt_range range;
    rt_stream *s;
    (void)device;
    if (!rt_stream_of(stream, &s))
        return hip_done(RT_INVALID_HANDLE);
    const int error = find(pointer, &range);
    return hip_done(error == RT_OK && size > range.size - ((uintptr_t)pointer - range.address)
                        ? RT_INVALID_VALUE
                        : error);
}

int hipMemAdvise(const void *pointer, size_t size, int advice, int device)
{
    (void)advice;
    return hipMemPrefetchAsync(pointer, size, device, NULL);
}
