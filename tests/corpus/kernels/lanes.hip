/* SPDX-License-Identifier: MIT */
/* What lanes of a wave tell each other without memory, one kernel for each way that the hardware has. */
#include "gpu.h"

/* The lanes `n` before in the row of sixteen; before the first lane there are zeros. */
template <int n> DEVICE u32 before(u32 v)
{
    return (u32)__builtin_amdgcn_update_dpp(0, (int)v, 0x110 + n, 15, 15, false);
}

/* Sums of all elements up to each one, of 64: rows first, then row by row. */
KERNEL(64) scan_dpp(u32 *out, const u32 *x)
{
    SHARED u32 first_wave;
    u32 v = x[group() * 64 + tid()];
    v += before<1>(v);
    v += before<2>(v);
    v += before<4>(v);
    v += before<8>(v);
#if defined(__GFX9__)
    v += (u32)__builtin_amdgcn_update_dpp(0, (int)v, 0x142, 10, 15, false); /* row_bcast:15 to rows 1 and 3 */
    v += (u32)__builtin_amdgcn_update_dpp(0, (int)v, 0x143, 12, 15, false); /* row_bcast:31 to rows 2 and 3 */
#else
    const u32 other = (u32)__builtin_amdgcn_permlanex16((int)v, (int)v, -1, -1, false, false);
    v += lane() & 16 ? other : 0;
    const u32 half = (u32)__builtin_amdgcn_readlane((int)v, 31);
    v += lane() & 32 ? half : 0;
#endif
    if (tid() == 31)
        first_wave = v;
    barrier();
    out[group() * 64 + tid()] = v + (WAVE == 32 && tid() >= 32 ? first_wave : 0);
}

/* In every lane the sum of its row of sixteen. */
KERNEL(64) sum_rows(u32 *out, const u32 *x)
{
    int v = (int)x[group() * 64 + tid()];
#if defined(__GFX9__)
    v += __builtin_amdgcn_update_dpp(0, v, 0x128, 15, 15, false); /* row_ror:8 */
    v += __builtin_amdgcn_update_dpp(0, v, 0x124, 15, 15, false);
    v += __builtin_amdgcn_update_dpp(0, v, 0x122, 15, 15, false);
    v += __builtin_amdgcn_update_dpp(0, v, 0x121, 15, 15, false);
#else
    v += __builtin_amdgcn_update_dpp(0, v, 0x168, 15, 15, false); /* row_xmask:8 */
    v += __builtin_amdgcn_update_dpp(0, v, 0x164, 15, 15, false);
    v += __builtin_amdgcn_update_dpp(0, v, 0x162, 15, 15, false);
    v += __builtin_amdgcn_update_dpp(0, v, 0x161, 15, 15, false);
#endif
    out[group() * 64 + tid()] = (u32)v;
}

/* Lanes 0 and 11 of the row, the second only in banks 1 and 2: elsewhere the lane's own element. */
KERNEL(64) share(u32 *out, const u32 *x)
{
    const u32 v = x[group() * 64 + tid()];
#if defined(__gfx908__)
    const u32 row = lane() / 16 * 16, bank = lane() / 4 % 4;
    const u32 zero = (u32)from_lane((int)v, row), eleven = bank == 1 || bank == 2 ? (u32)from_lane((int)v, row + 11) : v;
#else
    const u32 zero = (u32)__builtin_amdgcn_update_dpp(0, (int)v, 0x150, 15, 15, false);
    const u32 eleven = (u32)__builtin_amdgcn_update_dpp((int)v, (int)v, 0x15b, 15, 6, false);
#endif
    out[group() * 64 + tid()] = (zero ^ eleven << 3);
}

/* Eight by eight backwards. */
KERNEL(64) reverse_eights(u32 *out, const u32 *x)
{
    const u32 v = x[group() * 64 + tid()];
#if defined(__GFX9__)
    out[group() * 64 + tid()] = (u32)__builtin_amdgcn_update_dpp(0, (int)v, 0x141, 15, 15, false); /* row_half_mirror */
#else
    out[group() * 64 + tid()] = __builtin_amdgcn_mov_dpp8(v, 7 | 6 << 3 | 5 << 6 | 4 << 9 | 3 << 12 | 2 << 15 | 1 << 18);
#endif
}

template <int mask> DEVICE u32 across(u32 v)
{
    return (u32)__builtin_amdgcn_ds_swizzle((int)v, 0x1f | mask << 10);
}

/* In every lane the largest of its 32. */
KERNEL(64) max_swizzle(u32 *out, const u32 *x)
{
    u32 v = x[group() * 64 + tid()];
    u32 other = across<1>(v);
    v = v > other ? v : other;
    other = across<2>(v);
    v = v > other ? v : other;
    other = across<4>(v);
    v = v > other ? v : other;
    other = across<8>(v);
    v = v > other ? v : other;
    other = across<16>(v);
    out[group() * 64 + tid()] = v > other ? v : other;
}

/* Sent, not fetched: lane i of 32 gives its element to lane 5 i + 3. */
KERNEL(64) send(u32 *out, const u32 *x)
{
    const u32 to = (lane() & 32) + (5 * lane() + 3) % 32;
    out[group() * 64 + tid()] = (u32)__builtin_amdgcn_ds_permute((int)(4 * to), (int)x[group() * 64 + tid()]);
}

/* Fetched: element 31 - i of 32, and what the lane that the own element names has fetched. */
KERNEL(64) fetch(u32 *out, const u32 *x)
{
    const u32 v = x[group() * 64 + tid()], base = lane() & 32;
    const u32 back = (u32)from_lane((int)v, base + 31 - lane() % 32);
    out[group() * 64 + tid()] = (u32)from_lane((int)back, base + v % 32) + back;
}
