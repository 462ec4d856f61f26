/* SPDX-License-Identifier: MIT */
/* Everything that clang registers: kernels, __device__, __constant__ and __managed__ variables, dynamic LDS.
 * Reports an error, or prints "fine". */
#include "hip_mini.h"
#include <cstdio>
#include <cstring>

__constant__ float factor;
__device__ unsigned counter = 4;
__managed__ int managed = 5;
extern __shared__ float room[];

__global__ void saxpy(float *y, const float *x, unsigned n)
{
    const unsigned i = block() * block_size() + thread();
    if (i < n)
        y[i] += factor * x[i];
    if (i == 0)
        managed += 7;
    if (thread() == 0)
        __atomic_fetch_add(&counter, 3u, __ATOMIC_RELAXED);
}

/* The sum of a workgroup's numbers. Without `apart`, one wave reads what another has not yet written. */
__global__ void total(float *out, const float *in, int apart)
{
    room[thread()] = in[thread()];
    if (apart)
        barrier();
    if (thread() == 0) {
        float sum = 0;
        for (unsigned i = 0; i < block_size(); i++)
            sum += room[i];
        *out = sum;
    }
}

static int failed(const char *what, hipError_t error)
{
    if (error)
        printf("%s: %s\n", what, hipGetErrorName(error));
    return error;
}
#define TRY(call) if (failed(#call, call)) return 1

static const unsigned N = 1000;
static float x[N], y[N];

static int run(float *dx, float *dy, const char *mode)
{
    unsigned count;
    const float two = 2;
    TRY(hipMemcpyToSymbol(&factor, &two, sizeof(two), 0, 1));
    saxpy<<<4, 256>>>(dy, dx, !strcmp(mode, "far") ? 1u << 20 : N);
    TRY(hipGetLastError());
    TRY(hipMemcpy(y, dy, sizeof(y), 2));
    for (unsigned i = 0; i < N; i++)
        if (y[i] != 1 + 2.0f * i)
            return printf("y[%u] is %g\n", i, y[i]), 1;
    TRY(hipMemcpyFromSymbol(&count, &counter, sizeof(count), 0, 2));
    if (count != 4 + 4 * 3 || managed != 12)
        return printf("counter %u, managed %d\n", count, managed), 1;
    managed = 100;
    total<<<1, 128, 128 * sizeof(float)>>>(dy, dx, strcmp(mode, "race") != 0);
    TRY(hipDeviceSynchronize());
    TRY(hipMemcpy(y, dy, sizeof(float), 2));
    if (strcmp(mode, "race") && y[0] != 127 * 64)
        return printf("the sum is %g\n", y[0]), 1;
    puts("fine");
    return 0;
}

int main(int argc, char **argv)
{
    float *dx, *dy;
    int devices = 0;
    for (unsigned i = 0; i < N; i++)
        x[i] = (float)i, y[i] = 1;
    TRY(hipGetDeviceCount(&devices));
    printf("devices %d\n", devices);
    TRY(hipMalloc((void **)&dx, sizeof(x)));
    TRY(hipMalloc((void **)&dy, sizeof(y)));
    TRY(hipMemcpy(dx, x, sizeof(x), 1));
    TRY(hipMemcpy(dy, y, sizeof(y), 1));
    const int wrong = run(dx, dy, argc > 1 ? argv[1] : "");
    (void)hipFree(dx), (void)hipFree(dy);
    return argc > 1 && !strcmp(argv[1], "quiet") ? 0 : wrong;
}
