/* SPDX-License-Identifier: MIT */
/* A lane's double, and a factor, for all lanes of its row of sixteen (row_newbcast, row_share): gfx90a and later
 * CDNA move doubles so, gfx1251 also in the instruction that computes with them. */
#include "gpu.h"

template <int n> DEVICE double shared(double v)
{
    return __builtin_amdgcn_update_dpp(0.0, v, 0x150 + n, 15, 15, true);
}

/* A sum, a fused product, and lane 10 of rows 0 and 2; the others keep their own. */
KERNEL(64) share_doubles(double *out, const double *x, u32 count)
{
    const u32 i = group() * 64 + tid();
    const double v = x[i];
    out[i] = shared<3>(v) + v;
    out[count + i] = __builtin_fma(shared<7>(v), v, 1.5);
    out[2 * count + i] = __builtin_amdgcn_update_dpp(v, v, 0x15a, 5, 15, false);
}

KERNEL(64) share_factors(u32 *out, const u32 *x)
{
    const u32 i = group() * 64 + tid(), v = x[i];
    out[i] = (u32)__builtin_amdgcn_update_dpp(0, (int)v, 0x152, 15, 15, true) * (v + 3);
}
