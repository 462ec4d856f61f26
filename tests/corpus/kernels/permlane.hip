/* SPDX-License-Identifier: MIT */
/* Permutations between rows of lanes: v_permlane16, x16 and 64 of gfx11 and later, the swaps of gfx950. */
#include "gpu.h"

/* The lane whose number differs in the bits of `mask`, which is a power of two. */
template <u32 mask> DEVICE u32 across(u32 v)
{
#if defined(__gfx950__)
    if (mask == 32) {
        const auto both = __builtin_amdgcn_permlane32_swap(v, v, false, false);
        return lane() & 32 ? both[0] : both[1];
    }
    if (mask == 16) {
        const auto both = __builtin_amdgcn_permlane16_swap(v, v, false, false);
        return lane() & 16 ? both[0] : both[1];
    }
    return (u32)from_lane((int)v, lane() ^ mask);
#else
    if (mask == 32)
        return (u32)__builtin_amdgcn_permlane64((int)v);
    if (mask == 16)
        return __builtin_amdgcn_permlanex16(v, v, 0x76543210, 0xfedcba98, false, false);
    if (mask == 8)
        return __builtin_amdgcn_permlane16(v, v, 0xfedcba98, 0x76543210, false, false);
    if (mask == 4)
        return __builtin_amdgcn_permlane16(v, v, 0x32107654, 0xba98fedc, false, false);
    if (mask == 2)
        return __builtin_amdgcn_permlane16(v, v, 0x54761032, 0xdcfe98ba, false, false);
    return __builtin_amdgcn_permlane16(v, v, 0x67452301, 0xefcdab89, false, false);
#endif
}

/* One sum a workgroup, whatever the size of its waves. */
KERNEL(64) sum_permlane(u32 *out, const u32 *x)
{
    SHARED u32 part[64];
    u32 v = x[group() * 64 + tid()];
    v += across<1>(v);
    v += across<2>(v);
    v += across<4>(v);
    v += across<8>(v);
    v += across<16>(v);
    if (WAVE == 64)
        v += across<32>(v);
    part[tid()] = v; /* by all lanes: what clang 22 needs in one lane only, it moves behind the branch, permlane64 too */
    barrier();
    if (!tid())
        out[group()] = WAVE == 64 ? part[0] : part[0] + part[32];
}

/* Each row backwards, and the row beside it, by selectors that lanes hold on gfx12. */
KERNEL(64) chosen_rows(u32 *out, const u32 *x)
{
    const u32 i = group() * 64 + tid();
    u32 v = x[i];
#if defined(__GFX12__)
    v = __builtin_amdgcn_permlane16_var(v, v, 15 - lane() % 16, false, false);
    const u32 other = __builtin_amdgcn_permlanex16_var(v, v, lane() % 16, false, false);
#else
    v = (u32)from_lane((int)v, lane() ^ 15);
    const u32 other = across<16>(v);
#endif
    out[i] = tid() % 3 ? v + 2 * other : v;
}

/* A transpose of 2 x 2 blocks: every lane keeps one of its two elements and gets its neighbour's. */
KERNEL(64) exchange(u32 *out, const u32 *x)
{
    const u32 i = group() * 128 + 2 * tid();
    const u32 a = x[i], b = x[i + 1];
    const u32 theirs = across<16>(lane() & 16 ? a : b);
    out[i] = lane() & 16 ? theirs : a;
    out[i + 1] = lane() & 16 ? b : theirs;
}
