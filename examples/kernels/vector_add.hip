/* SPDX-License-Identifier: MIT */
/* c[i] = a[i] + b[i] for i < n. The smallest kernel that has every part: arguments, a guard, memory. */
#include "rt.h"

KERNEL WORKGROUP(256) void vector_add(float *c, const float *a, const float *b, u32 n)
{
    const u32 i = block_x() * 256 + lane_in_workgroup();
    if (i < n)
        c[i] = a[i] + b[i];
}
