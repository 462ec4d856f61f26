/* SPDX-License-Identifier: MIT */
/* Per-thread state, versions, errors, names of functions. */
#define _GNU_SOURCE /* dladdr, RTLD_DEFAULT */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device/rows.h"
#include "runtime/hip/hip.h"

enum { CONTEXTS = 64 };

static _Thread_local struct {
    int error, device;
    int pushed[CONTEXTS], count;
} mine;

static const rt_error_row errors[] = {
#define ERROR(number, name, text) { number, name, text },
#include "runtime/hip/errors.inc"
#undef ERROR
};

const char rt_default_arch[] = "gfx942";

static int major_version = 7;

/* Programs built for those versions open libamdhip64.so.5 and .6. */
static void find_version(void)
{
    static const char stem[] = "libamdhip64.so.";
    Dl_info info;
    if (!dladdr((void *)(uintptr_t)hipInit, &info) || !info.dli_fname)
        return;
    const char *slash = strrchr(info.dli_fname, '/'), *name = slash ? slash + 1 : info.dli_fname;
    if (strncmp(name, stem, sizeof(stem) - 1) == 0 &&
        (name[sizeof(stem) - 1] == '5' || name[sizeof(stem) - 1] == '6'))
        major_version = name[sizeof(stem) - 1] - '0';
}

int hip_major(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_version);
    return major_version;
}

int hip_enter(void)
{
    const int error = rt_start();
    if (error != RT_OK)
        return error;
    return rt_device_count() ? rt_sticky() : RT_NO_DEVICE;
}

int hip_done(int error)
{
    if (error == RT_NOT_PERMITTED)
        error = RT_UNSUPPORTED;
    if (hip_major() < 7 || (error != RT_OK && error != RT_NOT_READY))
        mine.error = error;
    return error;
}

int *hip_device(void)
{
    return &mine.device;
}

int hipInit(unsigned flags)
{
    return hip_done(flags ? RT_INVALID_VALUE : hip_enter());
}

/* Major * 10^7 + minor * 10^5 + patch. */
int hipDriverGetVersion(int *version)
{
    if (!version)
        return hip_done(RT_INVALID_VALUE);
    *version = hip_major() == 5 ? 50200000 : hip_major() == 6 ? 60300000 : 70100000;
    return hip_done(RT_OK);
}

int hipRuntimeGetVersion(int *version)
{
    return hipDriverGetVersion(version);
}

int hipGetProcAddress(const char *name, void **function, int version, uint64_t flags, int *status)
{
    Dl_info info;
    void *self = NULL;
    (void)flags;
    if (!name || !function)
        return hip_done(RT_INVALID_VALUE);
    if (strcmp(name, "hipGetDeviceProperties") == 0 && version >= 600)
        name = "hipGetDevicePropertiesR0600";
    if (dladdr((void *)(uintptr_t)hipInit, &info))
        self = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    *function = self && strncmp(name, "hip", 3) == 0 ? dlsym(self, name) : NULL;
    if (self)
        dlclose(self);
    if (status)
        *status = *function ? 0 : 1;
    return hip_done(*function ? RT_OK : RT_INVALID_VALUE);
}

int hipGetLastError(void)
{
    const int error = mine.error;
    mine.error = RT_OK;
    return error;
}

int hipExtGetLastError(void)
{
    return hipGetLastError();
}

int hipPeekAtLastError(void)
{
    return mine.error;
}

static const rt_error_row *row_of(int error)
{
    return rt_find_error(errors, sizeof(errors) / sizeof(errors[0]), error);
}

const char *hipGetErrorName(int error)
{
    const rt_error_row *row = row_of(error);
    return row ? row->name : "hipErrorUnknown";
}

const char *hipGetErrorString(int error)
{
    const rt_error_row *row = row_of(error);
    return row ? row->text : "unknown error";
}

int hipDrvGetErrorName(int error, const char **name)
{
    if (!name)
        return RT_INVALID_VALUE;
    *name = hipGetErrorName(error);
    return RT_OK;
}

int hipDrvGetErrorString(int error, const char **text)
{
    if (!text)
        return RT_INVALID_VALUE;
    *text = hipGetErrorString(error);
    return RT_OK;
}

/* ---- Contexts: a context is a device, and each thread has a stack of them ---- */

/* Handles are not NULL and differ from the addresses of the program's objects. */
static hip_context *context_of(int device)
{
    static const char places[CONTEXTS];
    return (hip_context *)(uintptr_t)&places[device];
}

int hip_device_of(const hip_context *context)
{
    const uintptr_t n = (uintptr_t)context - (uintptr_t)context_of(0);
    return n < (uintptr_t)rt_device_count() ? (int)n : -1;
}

hip_context *hip_context_current(void)
{
    return context_of(mine.device);
}

static int check_device(int device)
{
    const int error = hip_enter();
    if (error != RT_OK)
        return error;
    return device >= 0 && device < rt_device_count() ? RT_OK : RT_INVALID_DEVICE;
}

int hipDevicePrimaryCtxRetain(hip_context **context, int device)
{
    const int error = context ? check_device(device) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *context = context_of(device);
    return hip_done(error);
}

int hipDevicePrimaryCtxRelease(int device)
{
    return hip_done(check_device(device));
}

/* Clears a kernel's failure; memory is kept, since several libraries of a program may share the context. */
int hipDevicePrimaryCtxReset(int device)
{
    const int error = rt_wait_all();
    if (error != RT_OK)
        return hip_done(error);
    rt_set_sticky(RT_OK);
    return hip_done(check_device(device));
}

int hipDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    if (flags)
        *flags = 0;
    if (active)
        *active = 1;
    return hip_done(check_device(device));
}

int hipCtxCreate(hip_context **context, unsigned flags, int device)
{
    (void)flags;
    const int error = hipDevicePrimaryCtxRetain(context, device);
    return error == RT_OK ? hipCtxPushCurrent(*context) : error;
}

int hipCtxDestroy(hip_context *context)
{
    return hip_done(hip_device_of(context) < 0 ? RT_INVALID_VALUE : RT_OK);
}

int hipCtxSetCurrent(hip_context *context)
{
    const int error = hip_enter();
    if (error == RT_OK && hip_device_of(context) >= 0)
        mine.device = hip_device_of(context);
    return hip_done(error == RT_OK && context && hip_device_of(context) < 0 ? RT_INVALID_VALUE : error);
}

int hipCtxGetCurrent(hip_context **context)
{
    const int error = context ? hip_enter() : RT_INVALID_VALUE;
    if (error == RT_OK)
        *context = context_of(mine.device);
    return hip_done(error);
}

int hipCtxPushCurrent(hip_context *context)
{
    const int device = hip_device_of(context);
    if (device < 0 || mine.count == CONTEXTS)
        return hip_done(RT_INVALID_VALUE);
    mine.pushed[mine.count++] = mine.device;
    mine.device = device;
    return hip_done(RT_OK);
}

int hipCtxPopCurrent(hip_context **context)
{
    if (context)
        *context = context_of(mine.device);
    if (mine.count)
        mine.device = mine.pushed[--mine.count];
    return hip_done(RT_OK);
}

int hipCtxGetDevice(int *device)
{
    return hipGetDevice(device);
}

int hipCtxSynchronize(void)
{
    return hipDeviceSynchronize();
}
