/* SPDX-License-Identifier: MIT */
/*
 * A CUDA driver of its own, with one buffer and one kernel that the host computes: y[i] = a * x[i] + y[i]
 * over 64 floats. What it returns does not come from the emulator, it takes cubins, and it fails on request:
 * MOCK=wrong (a result is off), refuse (launches return 1), crash (cuCtxSynchronize returns 719 after a
 * launch), abort (the process ends within the launch), old (no cuFuncGetParamInfo), graph (streams are being
 * recorded).
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t cu_pointer;
enum { COUNT = 64 };
static float memory[2 * COUNT]; /* x, then y */
static int failed;

static int is(const char *mode)
{
    const char *chosen = getenv("MOCK");
    return chosen && strcmp(chosen, mode) == 0;
}

int cuInit(unsigned flags)
{
    return (int)flags;
}

int cuCtxGetDevice(int *device)
{
    *device = 0;
    return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = attribute == 75 ? 9 : 0;
    return device;
}

int cuDeviceGetName(char *name, int size, int device)
{
    strncpy(name, "Mock", (size_t)size);
    return device;
}

int cuDriverGetVersion(int *version)
{
    *version = 12040;
    return 0;
}

int cuGetErrorName(int error, const char **name)
{
    *name = error == 719 ? "CUDA_ERROR_LAUNCH_FAILED" : "CUDA_ERROR_INVALID_VALUE";
    return 0;
}

int cuMemAlloc_v2(cu_pointer *pointer, size_t size)
{
    *pointer = (uintptr_t)memory;
    return size > sizeof(memory);
}

/* As for memory that the driver has mapped from the host: only the attributes tell. */
int cuMemGetAddressRange_v2(cu_pointer *base, size_t *size, cu_pointer pointer)
{
    (void)base, (void)size, (void)pointer;
    return 1;
}

int cuPointerGetAttribute(void *data, int attribute, cu_pointer pointer)
{
    const cu_pointer base = (uintptr_t)memory, size = sizeof(memory);
    if (pointer - base >= size || (attribute != 11 && attribute != 12))
        return 1;
    memcpy(data, attribute == 11 ? &base : &size, sizeof(base));
    return 0;
}

int cuMemcpyDtoH_v2(void *to, cu_pointer from, size_t size)
{
    if (failed)
        return 719;
    memcpy(to, (const void *)(uintptr_t)from, size);
    return 0;
}

int cuMemcpyHtoD_v2(cu_pointer to, const void *from, size_t size)
{
    memcpy((void *)(uintptr_t)to, from, size);
    return 0;
}

int cuCtxSynchronize(void)
{
    return failed ? 719 : 0;
}

int cuStreamIsCapturing(void *stream, int *status)
{
    *status = is("graph");
    return stream != NULL;
}

int cuGraphLaunch(void *graph, void *stream)
{
    return graph != NULL || stream != NULL;
}

int cuLibraryLoadData(void **library, const void *image, int *options, void **values, unsigned count,
                      int *names, void **more, unsigned more_count)
{
    (void)image, (void)options, (void)values, (void)count, (void)names, (void)more, (void)more_count;
    *library = &memory[1];
    return 0;
}

int cuLibraryGetKernel(void **kernel, void *library, const char *name)
{
    *kernel = &memory[2];
    return library != &memory[1] || strcmp(name, "saxpy") != 0;
}

int cuKernelGetFunction(void **function, void *kernel)
{
    *function = &memory[3];
    return kernel != &memory[2];
}

static const size_t offsets[] = { 0, 8, 16 }, sizes[] = { 8, 8, 4 };

int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size)
{
    if (is("old") || index >= 3 || !function)
        return 1;
    *offset = offsets[index];
    *size = sizes[index];
    return 0;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **params, void **extra)
{
    float a, *x, *y;
    if (is("refuse") || !function || extra || stream || (uint64_t)gx * gy * gz * bx * by * bz != COUNT)
        return 1;
    (void)shared;
    memcpy(&y, params[0], sizeof(y));
    memcpy(&x, params[1], sizeof(x));
    memcpy(&a, params[2], sizeof(a));
    for (int i = 0; i < COUNT; i++)
        y[i] += a * x[i];
    if (is("wrong"))
        y[5] = 1;
    failed = is("crash");
    if (is("abort"))
        abort();
    return 0;
}

/* Returns the function itself, as a driver does, not what the loader would find. */
int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status)
{
    static int (*const launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                               void *, void **, void **) = cuLaunchKernel;
    *function = strcmp(name, "cuLaunchKernel") == 0 && !flags ? (void *)(uintptr_t)launch : NULL;
    *status = *function == NULL;
    return version < 12000;
}
