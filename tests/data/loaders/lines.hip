/* SPDX-License-Identifier: MIT */
/* Kernels for line tables: code of two files, inlined, in loops, and instructions of no line. */
#include "lines/blend.h"

#define KERNEL extern "C" __attribute__((global))

KERNEL void pick(float *out, const float *in, int n)
{
    const int i = __builtin_amdgcn_workitem_id_x();
    if (i < n)
        out[i] = in[i];
}

KERNEL void mix(float *out, const float *a, const float *b, float weight, int n)
{
    for (int i = __builtin_amdgcn_workitem_id_x(); i < n; i += 64) {
        const float x = blended(a[i], b[i], weight);
        out[i] = x *
                 b[n - i];
    }
}

KERNEL void last(unsigned *out, unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += out[i] * i;
    out[n] = sum;
}
