/* SPDX-License-Identifier: MIT */
/* Errors, devices and contexts. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/exports.h"

enum { CONTEXTS = 64, DRIVER_VERSION = 12040 };

const char rt_default_arch[] = "sm_90";

struct cuda_context {
    int device;
};

static cuda_context primary[CONTEXTS]; /* by device */
static atomic_bool initialised;

static _Thread_local struct {
    cuda_context *stack[CONTEXTS];
    int count;
} mine;

static const struct {
    int number;
    const char *name, *text;
} errors[] = {
#define ERROR(number, name, text) { number, name, text },
#include "runtime/cuda/errors.inc"
#undef ERROR
};

int cuGetErrorName(int error, const char **name)
{
    for (size_t i = 0; name && i < sizeof(errors) / sizeof(errors[0]); i++)
        if (errors[i].number == error) {
            *name = errors[i].name;
            return RT_OK;
        }
    if (name)
        *name = NULL;
    return RT_INVALID_VALUE;
}

int cuGetErrorString(int error, const char **text)
{
    for (size_t i = 0; text && i < sizeof(errors) / sizeof(errors[0]); i++)
        if (errors[i].number == error) {
            *text = errors[i].text;
            return RT_OK;
        }
    if (text)
        *text = NULL;
    return RT_INVALID_VALUE;
}

int cuda_started(void)
{
    if (!atomic_load(&initialised))
        return RT_NOT_INITIALIZED;
    const int error = rt_start();
    return error == RT_OK && !rt_device_count() ? RT_NO_DEVICE : error;
}

int cuda_enter(void)
{
    const int error = cuda_started();
    if (error != RT_OK)
        return error;
    return mine.count && mine.stack[mine.count - 1] ? rt_sticky() : RT_INVALID_CONTEXT;
}

int cuda_device(void)
{
    return mine.count && mine.stack[mine.count - 1] ? mine.stack[mine.count - 1]->device : 0;
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

static int check(int device)
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
    const int error = device ? check(ordinal) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *device = ordinal;
    return error;
}

int cuDeviceGetName(char *name, int length, int device)
{
    const int error = name && length > 0 ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        snprintf(name, (size_t)length, "%s", rt_product_get()->name);
    return error;
}

/* Sixteen bytes, the same in every run. */
int cuDeviceGetUuid(void *uuid, int device)
{
    const int error = uuid ? check(device) : RT_INVALID_VALUE;
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
    const int error = id && length > 0 ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        snprintf(id, (size_t)length, "0000:%02x:00.0", device + 1);
    return error;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    const int error = bytes ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *bytes = (size_t)rt_product_get()->memory_gib << 30;
    return error;
}

int cuDeviceComputeCapability(int *major, int *minor, int device)
{
    const int error = major && minor ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK) {
        *major = rt_product_get()->major;
        *minor = rt_product_get()->minor;
    }
    return error;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    const int error = value ? check(device) : RT_INVALID_VALUE;
    if (error != RT_OK)
        return error;
    const rt_product *p = rt_product_get();
    const struct {
        int number, value;
    } known[] = {
#define ATTRIBUTE(number, value) { number, value },
#include "runtime/cuda/attributes.inc"
#undef ATTRIBUTE
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].number == attribute) {
            *value = known[i].value;
            return RT_OK;
        }
    return RT_INVALID_VALUE;
}

int cuDeviceCanAccessPeer(int *can, int device, int peer)
{
    int error = can ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        error = check(peer);
    if (error == RT_OK)
        *can = 0;
    return error;
}

/* ---- Contexts ---- */

static bool is_primary(const cuda_context *context)
{
    return context >= primary && context < primary + CONTEXTS;
}

int cuDevicePrimaryCtxRetain(cuda_context **context, int device)
{
    const int error = context ? check(device) : RT_INVALID_VALUE;
    if (error == RT_OK) {
        primary[device].device = device;
        *context = &primary[device];
    }
    return error;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    return check(device);
}

/* Clears a kernel's failure; memory stays. */
int cuDevicePrimaryCtxReset_v2(int device)
{
    const int error = check(device);
    if (error == RT_OK) {
        (void)rt_wait_all();
        rt_set_sticky(RT_OK);
    }
    return error;
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    if (flags)
        *flags = 0;
    if (active)
        *active = 1;
    return check(device);
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags)
{
    (void)flags;
    return check(device);
}

int cuCtxPushCurrent_v2(cuda_context *context)
{
    const int error = context ? cuda_started() : RT_INVALID_CONTEXT;
    if (error != RT_OK || mine.count == CONTEXTS)
        return error == RT_OK ? RT_INVALID_VALUE : error;
    mine.stack[mine.count++] = context;
    return RT_OK;
}

int cuCtxPopCurrent_v2(cuda_context **context)
{
    if (!mine.count)
        return RT_INVALID_CONTEXT;
    mine.count--;
    if (context)
        *context = mine.stack[mine.count];
    return RT_OK;
}

int cuCtxCreate_v2(cuda_context **context, unsigned flags, int device)
{
    (void)flags;
    const int error = context ? check(device) : RT_INVALID_VALUE;
    cuda_context *made = error == RT_OK ? calloc(1, sizeof(*made)) : NULL;
    if (!made)
        return error == RT_OK ? RT_OUT_OF_MEMORY : error;
    made->device = device;
    *context = made;
    return cuCtxPushCurrent_v2(made);
}

int cuCtxCreate_v3(cuda_context **context, void *params, int count, unsigned flags, int device)
{
    return params || count ? RT_UNSUPPORTED : cuCtxCreate_v2(context, flags, device);
}

int cuCtxCreate_v4(cuda_context **context, void *params, unsigned flags, int device)
{
    return params ? RT_UNSUPPORTED : cuCtxCreate_v2(context, flags, device);
}

int cuCtxDestroy_v2(cuda_context *context)
{
    const int error = context && !is_primary(context) ? cuda_started() : RT_INVALID_CONTEXT;
    if (error != RT_OK)
        return error;
    (void)rt_wait_all();
    if (mine.count && mine.stack[mine.count - 1] == context)
        mine.count--;
    free(context);
    return RT_OK;
}

int cuCtxSetCurrent(cuda_context *context)
{
    const int error = cuda_started();
    if (error != RT_OK)
        return error;
    if (mine.count)
        mine.count--;
    return context ? cuCtxPushCurrent_v2(context) : RT_OK;
}

int cuCtxGetCurrent(cuda_context **context)
{
    const int error = context ? cuda_started() : RT_INVALID_VALUE;
    if (error == RT_OK)
        *context = mine.count ? mine.stack[mine.count - 1] : NULL;
    return error;
}

int cuCtxGetDevice(int *device)
{
    const int error = device ? cuda_enter() : RT_INVALID_VALUE;
    if (error == RT_OK)
        *device = cuda_device();
    return error;
}

int cuCtxSynchronize(void)
{
    const int error = cuda_enter();
    if (error != RT_OK)
        return error;
    (void)rt_wait_all();
    return rt_sticky();
}

int cuCtxGetApiVersion(cuda_context *context, unsigned *version)
{
    (void)context;
    if (!version)
        return RT_INVALID_VALUE;
    *version = 3020;
    return RT_OK;
}

int cuCtxGetFlags(unsigned *flags)
{
    if (!flags)
        return RT_INVALID_VALUE;
    *flags = 0;
    return cuda_enter();
}

int cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cuda_enter();
}

int cuCtxSetCacheConfig(int config)
{
    (void)config;
    return cuda_enter();
}
