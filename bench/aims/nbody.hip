/* SPDX-License-Identifier: MIT */
/* Gravity of n bodies; w is the mass. */
#include "../../tests/corpus/kernels/gpu.h"

typedef vec<float, 4> f32x4;

KERNEL(256) nbody(f32x4 *pull, const f32x4 *bodies, u32 n)
{
    SHARED f32x4 tile[256];
    const u32 me = group() * 256 + tid();
    const f32x4 mine = bodies[me];
    float x = 0, y = 0, z = 0;
    for (u32 base = 0; base < n; base += 256) {
        tile[tid()] = bodies[base + tid()];
        barrier();
        for (u32 i = 0; i < 256; i++) {
            const float dx = tile[i].x - mine.x, dy = tile[i].y - mine.y, dz = tile[i].z - mine.z;
            const float r = __builtin_amdgcn_rsqf(dx * dx + dy * dy + dz * dz + 0.01f), s = tile[i].w * r * r * r;
            x += s * dx, y += s * dy, z += s * dz;
        }
        barrier();
    }
    pull[me] = f32x4{ x, y, z, 0 };
}
