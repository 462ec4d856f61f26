/* SPDX-License-Identifier: MIT */
/* What kernels ask of the machine beyond arithmetic: registers chosen by number, local memory whose size the launch decides,
 * workgroups that wait for each other, traps. */
#include "gpu.h"

/* Elements of a vector in registers, by numbers that all lanes share: gpr_idx on gfx9, movrel and others on RDNA. */
KERNEL(64) indexed(u32 *out, const u32 *x, const u32 *which, u32 n)
{
    vec<u32, 16> v;
    for (u32 i = 0; i < 16; i++)
        v[i] = x[16 * tid() + i];
    u32 sum = 0;
    for (u32 k = 0; k < n; k++) {
        const u32 from = which[2 * k] % 16, to = which[2 * k + 1] % 16;
        sum = sum * 31 + v[from];
        v[to] += sum;
    }
    for (u32 i = 0; i < 16; i++)
        out[16 * tid() + i] = v[i];
}

extern __attribute__((shared)) u32 room[];

/* `n` elements a workgroup backwards, through as many words of local memory. */
KERNEL(64) dynamic_lds(u32 *out, const u32 *x, u32 n)
{
    SHARED u32 count[64];
    count[tid()] = 0;
    for (u32 i = tid(); i < n; i += 64) {
        room[i] = x[group() * n + i];
        count[tid()]++;
    }
    barrier();
    for (u32 i = tid(); i < n; i += 64)
        out[group() * n + i] = room[n - 1 - i] + count[63 - tid()];
}

/* The lower half of the workgroups take messages from the upper half, which start later: one place for each pair, whose flag is
 * even while it is empty. */
KERNEL(64) consumers(u32 *out, u32 *flags, u32 *places, const u32 *x, u32 pairs, u32 n)
{
    const bool consumer = group() < pairs;
    const u32 pair = group() % pairs;
    u32 *const flag = flags + pair, *const place = places + 64 * pair + tid();
    u32 sum = 0;
    for (u32 k = 0; k < n; k++) {
        while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != 2 * k + consumer)
            __builtin_amdgcn_s_sleep(1);
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
        if (consumer)
            sum = sum * 5 + *place;
        else
            *place = x[(pair * n + k) * 64 + tid()];
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
        __builtin_amdgcn_s_barrier();
        if (!tid())
            add_to(flag, 1u);
    }
    if (consumer)
        out[64 * pair + tid()] = sum;
}

/* A lane that finds the number it must not find stops the kernel. */
KERNEL(64) trap(u32 *out, const u32 *x, u32 forbidden)
{
    const u32 i = group() * 64 + tid();
    if (x[i] == forbidden)
        __builtin_trap();
    out[i] = x[i] + 1;
}
