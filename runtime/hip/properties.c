/* SPDX-License-Identifier: MIT */
/* Devices, and what programs query about them. */
#include <stdio.h>
#include <string.h>

#include "runtime/device/rows.h"
#include "runtime/hip/hip.h"

static int check(int device)
{
    const int error = hip_enter();
    if (error != RT_OK)
        return error;
    return device >= 0 && device < rt_device_count() ? RT_OK : RT_INVALID_DEVICE;
}

int hipGetDeviceCount(int *count)
{
    if (!count)
        return hip_done(RT_INVALID_VALUE);
    const int error = rt_start();
    *count = error == RT_OK ? rt_device_count() : 0;
    return hip_done(*count ? RT_OK : error == RT_OK ? RT_NO_DEVICE : error);
}

int hipGetDevice(int *device)
{
    const int error = device ? hip_enter() : RT_INVALID_VALUE;
    if (error == RT_OK)
        *device = *hip_device();
    return hip_done(error);
}

int hipSetDevice(int device)
{
    const int error = check(device);
    if (error == RT_OK)
        *hip_device() = device;
    return hip_done(error);
}

int hipDeviceGet(int *device, int ordinal)
{
    const int error = device ? check(ordinal) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *device = ordinal;
    return hip_done(error);
}

int hipDeviceGetName(char *name, int length, int device)
{
    const int error = name && length > 0 ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        snprintf(name, (size_t)length, "%s", rt_product_get()->name);
    return hip_done(error);
}

/* Sixteen bytes, the same in every run. */
int hipDeviceGetUuid(void *uuid, int device)
{
    const int error = uuid ? check(device) : RT_INVALID_VALUE;
    char text[32];
    if (error == RT_OK) {
        snprintf(text, sizeof(text), "LW-%.8s-%04d", rt_product_get()->target, device);
        memset(uuid, '0', 16);
        memcpy(uuid, text, strlen(text) < 16 ? strlen(text) : 16);
    }
    return hip_done(error);
}

int hipDeviceGetPCIBusId(char *id, int length, int device)
{
    const int error = id && length > 0 ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        snprintf(id, (size_t)length, "0000:%02x:00.0", device + 1);
    return hip_done(error);
}

int hipDeviceGetByPCIBusId(int *device, const char *id)
{
    const int error = device && id ? check(0) : RT_INVALID_VALUE;
    return hip_done(error == RT_OK ? rt_device_at(id, device) : error);
}

int hipDeviceTotalMem(size_t *bytes, int device)
{
    const int error = bytes ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *bytes = (size_t)rt_product_get()->memory_gib << 30;
    return hip_done(error);
}

int hipDeviceComputeCapability(int *major, int *minor, int device)
{
    const int error = major && minor ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK) {
        *major = rt_product_get()->major;
        *minor = rt_product_get()->minor;
    }
    return hip_done(error);
}

int hipDeviceGetAttribute(int *value, int attribute, int device)
{
    const int error = value ? check(device) : RT_INVALID_VALUE;
    if (error != RT_OK)
        return hip_done(error);
    const rt_product *p = rt_product_get();
    const rt_value known[] = {
#define ATTRIBUTE(number, value) { number, value },
#include "runtime/hip/attributes.inc"
#undef ATTRIBUTE
    };
    const rt_value *row = rt_find_value(known, sizeof(known) / sizeof(known[0]), attribute);
    if (row)
        *value = row->value;
    return hip_done(row ? RT_OK : RT_INVALID_VALUE);
}

/* A member of a structure of properties: its offset in R0600 (1,472 bytes) and in R0000 (792), which lacks
 * some (-1), its width, and its value. */
typedef struct property {
    int new_at, old_at, bytes;
    uint64_t value;
} property;

enum { NEW_SIZE = 1472, OLD_SIZE = 792, NEW_ARCH = 1160, OLD_ARCH = 396, TEXT = 256 };

static void fill(char *to, int device, bool is_new)
{
    const rt_product *p = rt_product_get();
    const property known[] = {
#define PROPERTY(new_at, old_at, bytes, value) { new_at, old_at, bytes, (uint64_t)(value) },
#include "runtime/hip/properties.inc"
#undef PROPERTY
    };
    memset(to, 0, is_new ? NEW_SIZE : OLD_SIZE);
    snprintf(to, TEXT, "%s", p->name);
    snprintf(to + (is_new ? NEW_ARCH : OLD_ARCH), TEXT, "%s", p->gcn_name);
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const int at = is_new ? known[i].new_at : known[i].old_at;
        if (at >= 0)
            memcpy(to + at, &known[i].value, (size_t)known[i].bytes); /* the host is little endian */
    }
}

int hipGetDeviceProperties(void *properties, int device)
{
    const int error = properties ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        fill(properties, device, false);
    return hip_done(error);
}

int hipGetDevicePropertiesR0600(void *properties, int device)
{
    const int error = properties ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK) {
        fill(properties, device, true);
        (void)hipDeviceGetUuid((char *)properties + TEXT, device);
    }
    return hip_done(error);
}

int hipDeviceSynchronize(void)
{
    int error = hip_enter();
    if (error == RT_OK)
        error = rt_wait_all();
    return hip_done(error == RT_OK ? rt_sticky() : error);
}

int hipDeviceReset(void)
{
    return hipDevicePrimaryCtxReset(*hip_device());
}

int hipDeviceCanAccessPeer(int *can, int device, int peer)
{
    int error = can ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        error = check(peer);
    if (error == RT_OK)
        *can = 0;
    return hip_done(error);
}

int hipDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)flags;
    const int error = check(peer);
    return hip_done(error == RT_OK ? RT_PEER_UNSUPPORTED : error);
}

int hipDeviceDisablePeerAccess(int peer)
{
    const int error = check(peer);
    return hip_done(error == RT_OK ? RT_PEER_NOT_ENABLED : error);
}

int hipDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 1;
    if (greatest)
        *greatest = -1;
    return hip_done(hip_enter());
}

int hipSetDeviceFlags(unsigned flags)
{
    (void)flags;
    return hip_done(hip_enter());
}

int hipGetDeviceFlags(unsigned *flags)
{
    if (!flags)
        return hip_done(RT_INVALID_VALUE);
    *flags = 0;
    return hip_done(hip_enter());
}
