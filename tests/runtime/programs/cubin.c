/* SPDX-License-Identifier: MIT */
/* Launches a kernel from machine code, as CUDA's runtime does: a library, a kernel, its function, all looked
 * up. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 64, MACHINE_CUDA = 190 };

#define GET(name) *(void **)&name = dlsym(driver, #name)

static int (*cuMemAlloc_v2)(uint64_t *, size_t);
static int (*cuMemcpyHtoD_v2)(uint64_t, const void *, size_t);
static int (*cuMemcpyDtoH_v2)(void *, uint64_t, size_t);
static int (*cuLibraryLoadData)(void **, const void *, int *, void **, unsigned, int *, void **, unsigned);
static int (*cuLibraryGetKernel)(void **, void *, const char *);
static int (*cuKernelGetFunction)(void **, void *);
static int (*cuGetProcAddress_v2)(const char *, void **, int, uint64_t, int *);
static int (*cuGraphLaunch)(void *, void *);
static int (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                             void *, void **, void **);

int main(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *library = NULL, *kernel = NULL, *function = NULL;
    unsigned char cubin[128] = "\177ELF\2\1\1";
    float data[2 * COUNT], a = 3;
    uint64_t x = 0, y;
    if (!driver)
        return puts(dlerror()), 2;
    GET(cuMemAlloc_v2), GET(cuMemcpyHtoD_v2), GET(cuMemcpyDtoH_v2), GET(cuLibraryLoadData),
        GET(cuLibraryGetKernel);
    GET(cuKernelGetFunction), GET(cuGetProcAddress_v2), GET(cuGraphLaunch);
    int status = 1;
    if (cuGetProcAddress_v2("cuLaunchKernel", (void **)&cuLaunchKernel, 12000, 0, &status) || status)
        return puts("no cuLaunchKernel"), 2;
    cubin[18] = MACHINE_CUDA;
    for (int i = 0; i < COUNT; i++)
        data[i] = (float)i, data[COUNT + i] = 100;
    if (cuMemAlloc_v2(&x, sizeof(data)) || cuMemcpyHtoD_v2(x, data, sizeof(data)) ||
        cuLibraryLoadData(&library, cubin, 0, 0, 0, 0, 0, 0) ||
        cuLibraryGetKernel(&kernel, library, "saxpy") || cuKernelGetFunction(&function, kernel) ||
        cuGraphLaunch(0, 0))
        return puts("the driver refuses"), 2;
    y = x + COUNT * sizeof(float);
    void *params[] = { &y, &x, &a };
    const int error = cuLaunchKernel(function, 1, 1, 1, COUNT, 1, 1, 0, 0, params, 0);
    printf("launch %d\n", error);
    if (cuMemcpyDtoH_v2(data, x, sizeof(data)) == 0)
        printf("y[7] = %g\n", data[COUNT + 7]);
    return 0;
}
