/* SPDX-License-Identifier: MIT */
/* Errors, and devices. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "runtime/cuda/exports.h"
#include "runtime/device/rows.h"

enum { DRIVER_VERSION = 12040 };

const char rt_default_arch[] = "sm_90";

static atomic_bool initialised;

static const rt_error_row errors[] = {
#define ERROR(number, name, text) { number, name, text },
#include "runtime/cuda/errors.inc"
#undef ERROR
};

static const rt_error_row *row_of(int error)
{
    return rt_find_error(errors, sizeof(errors) / sizeof(errors[0]), error);
}

int cuGetErrorName(int error, const char **name)
{
    const rt_error_row *row = row_of(error);
    if (name)
        *name = row ? row->name : NULL;
    return name && row ? RT_OK : RT_INVALID_VALUE;
}

int cuGetErrorString(int error, const char **text)
{
    const rt_error_row *row = row_of(error);
    if (text)
        *text = row ? row->text : NULL;
    return text && row ? RT_OK : RT_INVALID_VALUE;
}

int cuda_started(void)
{
    if (!atomic_load(&initialised))
        return RT_NOT_INITIALIZED;
    const int error = rt_start();
    return error == RT_OK && !rt_device_count() ? RT_NO_DEVICE : error;
}

int cuInit(unsigned flags)
{
    const int error = flags ? RT_INVALID_VALUE : rt_start();
    if (error != RT_OK)
        return error;
    atomic_store(&initialised, true);
    return cuda_started();
}

int cuDriverGetVersion(int *version)
{
    if (!version)
        return RT_INVALID_VALUE;
    *version = DRIVER_VERSION;
    return RT_OK;
}

/* ---- Devices ---- */

int cuda_check_device(int device)
{
    const int error = cuda_started();
    if (error != RT_OK)
        return error;
    return device >= 0 && device < rt_device_count() ? RT_OK : RT_INVALID_DEVICE;
}

int cuDeviceGetCount(int *count)
{
    const int error = count ? cuda_started() : RT_INVALID_VALUE;
    if (error == RT_OK)
        *count = rt_device_count();
    return error;
}

int cuDeviceGet(int *device, int ordinal)
{
    const int error = device ? cuda_check_device(ordinal) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *device = ordinal;
    return error;
}

int cuDeviceGetName(char *name, int length, int device)
{
    const int error = name && length > 0 ? cuda_check_device(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        snprintf(name, (size_t)length, "%s", rt_product_get()->name);
    return error;
}

/* Sixteen bytes, the same in every run. */
int cuDeviceGetUuid(void *uuid, int device)
{
    const int error = uuid ? cuda_check_device(device) : RT_INVALID_VALUE;
    char text[32];
    if (error == RT_OK) {
        snprintf(text, sizeof(text), "LW-%.8s-%04d", rt_product_get()->target, device);
        memset(uuid, '0', 16);
        memcpy(uuid, text, strlen(text) < 16 ? strlen(text) : 16);
    }
    return error;
}

int cuDeviceGetUuid_v2(void *uuid, int device)
{
    return cuDeviceGetUuid(uuid, device);
}

int cuDeviceGetPCIBusId(char *id, int length, int device)
{
    const int error = id && length > 0 ? cuda_check_device(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        snprintf(id, (size_t)length, "0000:%02x:00.0", device + 1);
    return error;
}

int cuDeviceGetByPCIBusId(int *device, const char *id)
{
    const int error = device && id ? cuda_check_device(0) : RT_INVALID_VALUE;
    return error == RT_OK ? rt_device_at(id, device) : error;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    const int error = bytes ? cuda_check_device(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *bytes = (size_t)rt_product_get()->memory_gib << 30;
    return error;
}

int cuDeviceComputeCapability(int *major, int *minor, int device)
{
    const int error = major && minor ? cuda_check_device(device) : RT_INVALID_VALUE;
    if (error == RT_OK) {
        *major = rt_product_get()->major;
        *minor = rt_product_get()->minor;
    }
    return error;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    const int error = value ? cuda_check_device(device) : RT_INVALID_VALUE;
    if (error != RT_OK)
        return error;
    const rt_product *p = rt_product_get();
    const rt_value known[] = {
#define ATTRIBUTE(number, value) { number, value },
#include "runtime/cuda/attributes.inc"
#undef ATTRIBUTE
    };
    const rt_value *row = rt_find_value(known, sizeof(known) / sizeof(known[0]), attribute);
    if (row)
        *value = row->value;
    return row ? RT_OK : RT_INVALID_VALUE;
}

int cuDeviceCanAccessPeer(int *can, int device, int peer)
{
    int error = can ? cuda_check_device(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        error = cuda_check_device(peer);
    if (error == RT_OK)
        *can = 0;
    return error;
}
