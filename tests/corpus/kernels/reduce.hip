/* SPDX-License-Identifier: MIT */
/* Many to one: across LDS, across lanes, across workgroups. */
#include "gpu.h"

KERNEL(256) sum_lds(int *out, const int *x, u32 n)
{
    SHARED int part[256];
    int total = 0;
    for (u32 i = group() * 256 + tid(); i < n; i += 4 * 256)
        total += x[i];
    part[tid()] = total;
    for (u32 half = 128; half; half /= 2) {
        barrier();
        if (tid() < half)
            part[tid()] += part[tid() + half];
    }
    if (!tid())
        out[group()] = part[0];
}

/* Exchanges within the wave; one atomic per wave. */
KERNEL(256) sum_lanes(int *out, const int *x, u32 n)
{
    const u32 i = group() * 256 + tid();
    int v = i < n ? x[i] : 0;
    for (u32 step = 1; step < WAVE; step *= 2)
        v += from_lane(v, lane() ^ step);
    if (!lane())
        add_to(out, v);
}

/* Rows of sixteen by DPP, then LDS. */
KERNEL(256) max_dpp(int *out, const int *x, u32 n)
{
    SHARED int part[16];
    const u32 i = group() * 256 + tid();
    int v = i < n ? x[i] : (int)0x80000000;
    int other = __builtin_amdgcn_update_dpp(v, v, 0xb1, 15, 15, false); /* quad_perm 1,0,3,2 */
    v = v > other ? v : other;
    other = __builtin_amdgcn_update_dpp(v, v, 0x4e, 15, 15, false); /* quad_perm 2,3,0,1 */
    v = v > other ? v : other;
    other = __builtin_amdgcn_update_dpp(v, v, 0x141, 15, 15, false); /* row_half_mirror */
    v = v > other ? v : other;
    other = __builtin_amdgcn_update_dpp(v, v, 0x140, 15, 15, false); /* row_mirror */
    v = v > other ? v : other;
    if (tid() % 16 == 0)
        part[tid() / 16] = v;
    barrier();
    if (tid() < 16)
        for (u32 k = 0; k < 16; k++)
            v = part[k] > v ? part[k] : v;
    if (!tid())
        out[group()] = v;
}

/* The position of the largest element, the first of equals. */
KERNEL(256) argmax(u32 *out, const float *x, u32 n)
{
    SHARED float best[256];
    SHARED u32 where[256];
    float v = -__builtin_inff();
    u32 at = ~0u;
    for (u32 i = tid(); i < n; i += 256)
        if (x[group() * n + i] > v) {
            v = x[group() * n + i];
            at = i;
        }
    best[tid()] = v;
    where[tid()] = at;
    for (u32 half = 128; half; half /= 2) {
        barrier();
        if (tid() < half) {
            const float w = best[tid() + half];
            const u32 b = where[tid() + half];
            if (w > best[tid()] || (w == best[tid()] && b < where[tid()])) {
                best[tid()] = w;
                where[tid()] = b;
            }
        }
    }
    if (!tid())
        out[group()] = where[0];
}

/* Exact: whole numbers. */
KERNEL(256) dot_f64(double *out, const double *x, const double *y, u32 n)
{
    SHARED double part[256];
    double total = 0;
    for (u32 i = tid(); i < n; i += 256)
        total = __builtin_fma(x[i], y[i], total);
    part[tid()] = total;
    barrier();
    if (!tid()) {
        for (u32 k = 1; k < 256; k++)
            total += part[k];
        *out = total;
    }
}

/* How many lanes say yes, counted by masks. */
KERNEL(256) count_ballot(u32 *out, const int *x, int limit, u32 n)
{
    const u32 i = group() * 256 + tid();
    const bool yes = i < n && x[i] > limit;
    const u64 mask = __builtin_amdgcn_ballot_w64(yes);
    if (!lane())
        add_to(out, (u32)__builtin_popcountll(mask));
}

/* Workgroups take numbered tickets; the last one adds up all their results. */
GLOBAL u32 arrived;

KERNEL(64) last_block(u32 *out, u32 *partial, const u32 *x, u32 n)
{
    SHARED u32 ticket;
    u32 total = 0;
    for (u32 i = group() * 64 + tid(); i < n; i += 8 * 64)
        total += x[i];
    for (u32 step = 1; step < WAVE; step *= 2)
        total += (u32)from_lane((int)total, lane() ^ step);
    if (WAVE == 32) {
        SHARED u32 both[2];
        if (!lane())
            both[tid() / 32] = total;
        barrier();
        total = both[0] + both[1];
    }
    if (!tid()) {
        partial[group()] = total;
        __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
        ticket = add_to(&arrived, 1u);
    }
    barrier();
    if (ticket != 7)
        return;
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    if (!tid()) {
        u32 sum = 0;
        for (u32 k = 0; k < 8; k++)
            sum += partial[k];
        *out = sum;
        arrived = 0;
    }
}
