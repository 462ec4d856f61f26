/* SPDX-License-Identifier: MIT */
/* Scans, histograms, sorts, transposes: LDS, atomics, barriers. */
#include "gpu.h"

KERNEL(256) scan_lds(u32 *out, const u32 *x, u32 n)
{
    SHARED u32 line[2][256];
    const u32 i = group() * 256 + tid();
    u32 now = 0;
    line[0][tid()] = i < n ? x[i] : 0;
    for (u32 step = 1; step < 256; step *= 2) {
        barrier();
        line[1 - now][tid()] = line[now][tid()] + (tid() >= step ? line[now][tid() - step] : 0);
        now = 1 - now;
    }
    if (i < n)
        out[i] = line[now][tid()];
}

KERNEL(256) scan_lanes(u32 *out, const u32 *x, u32 n)
{
    SHARED u32 ends[8];
    const u32 i = group() * 256 + tid();
    u32 v = i < n ? x[i] : 0;
    for (u32 step = 1; step < WAVE; step *= 2) {
        const u32 before = (u32)from_lane((int)v, lane() - step);
        v += lane() >= step ? before : 0;
    }
    if (lane() == WAVE - 1)
        ends[tid() / WAVE] = v;
    barrier();
    for (u32 w = 0; w < tid() / WAVE; w++)
        v += ends[w];
    if (i < n)
        out[i] = v;
}

KERNEL(256) histogram(u32 *bins, const u8 *x, u32 n)
{
    SHARED u32 mine[256];
    mine[tid()] = 0;
    barrier();
    for (u32 i = group() * 256 + tid(); i < n; i += 3 * 256)
        __hip_atomic_fetch_add(&mine[x[i]], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
    barrier();
    add_to(&bins[tid()], mine[tid()]);
}

KERNEL(256) bitonic(u32 *x)
{
    SHARED u32 line[512];
    x += 512 * group();
    line[tid()] = x[tid()];
    line[tid() + 256] = x[tid() + 256];
    for (u32 size = 2; size <= 512; size *= 2)
        for (u32 gap = size / 2; gap; gap /= 2) {
            barrier();
            const u32 i = 2 * tid() - (tid() & (gap - 1)), j = i + gap;
            const bool up = (i & size) == 0;
            if ((line[i] > line[j]) == up) {
                const u32 t = line[i];
                line[i] = line[j];
                line[j] = t;
            }
        }
    barrier();
    x[tid()] = line[tid()];
    x[tid() + 256] = line[tid() + 256];
}

/* One byte digit at a time, stable: counts, offsets, places. One workgroup of one wave. */
KERNEL(64) radix_sort(u32 *out, const u32 *x, u32 n)
{
    SHARED u32 keys[2][256];
    SHARED u32 start[16];
    for (u32 i = tid(); i < n; i += 64)
        keys[0][i] = x[i];
    u32 now = 0;
    for (u32 shift = 0; shift < 32; shift += 4) {
        barrier();
        if (tid() < 16) {
            u32 below = 0;
            for (u32 i = 0; i < n; i++)
                below += (keys[now][i] >> shift & 15) < tid();
            start[tid()] = below;
        }
        barrier();
        if (tid() < 16) {
            u32 at = start[tid()];
            for (u32 i = 0; i < n; i++)
                if ((keys[now][i] >> shift & 15) == tid())
                    keys[1 - now][at++] = keys[now][i];
        }
        now = 1 - now;
    }
    barrier();
    for (u32 i = tid(); i < n; i += 64)
        out[i] = keys[now][i];
}

KERNEL(256) transpose(float *out, const float *in, u32 rows, u32 cols)
{
    SHARED float tile[16][17];
    const u32 x = tid() % 16, y = tid() / 16;
    const u32 row = group_y() * 16 + y, col = group() * 16 + x;
    if (row < rows && col < cols)
        tile[y][x] = in[row * cols + col];
    barrier();
    const u32 to_row = group() * 16 + y, to_col = group_y() * 16 + x;
    if (to_row < cols && to_col < rows)
        out[to_row * rows + to_col] = tile[x][y];
}

KERNEL(64) transpose_bytes(u8 *out, const u8 *in)
{
    SHARED u8 tile[64 * 65];
    for (u32 i = 0; i < 64; i++)
        tile[i * 65 + tid()] = in[64 * i + tid()];
    barrier();
    for (u32 i = 0; i < 64; i++)
        out[64 * i + tid()] = tile[tid() * 65 + i];
}
