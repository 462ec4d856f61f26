/* SPDX-License-Identifier: MIT */
/* Launches that should gain from a second thread: softmax of rows, and attention with a running softmax. */
#include "rt.h"

DEVICE float exp2_of(float x)
{
    return __builtin_amdgcn_exp2f(x);
}

/* The maximum or the sum of 256 work-items' values. */
template <bool greatest> DEVICE float over_workgroup(float x)
{
    SHARED static float all[256];
    const u32 i = lane_in_workgroup();
    all[i] = x;
    for (u32 step = 128; step; step /= 2) {
        __builtin_amdgcn_s_barrier();
        if (i < step)
            all[i] = greatest ? __builtin_fmaxf(all[i], all[i + step]) : all[i] + all[i + step];
    }
    __builtin_amdgcn_s_barrier();
    const float result = all[0];
    __builtin_amdgcn_s_barrier();
    return result;
}

/* One workgroup per row. */
KERNEL WORKGROUP(256) void softmax(float *out, const float *x, u32 n)
{
    const float log2e = 0x1.715476p+0f;
    const u64 row = (u64)block_x() * n;
    float most = -0x1p127f, sum = 0;
    for (u32 i = lane_in_workgroup(); i < n; i += 256)
        most = __builtin_fmaxf(most, x[row + i]);
    most = over_workgroup<true>(most);
    for (u32 i = lane_in_workgroup(); i < n; i += 256)
        sum += exp2_of((x[row + i] - most) * log2e);
    const float scale = __builtin_amdgcn_rcpf(over_workgroup<false>(sum));
    for (u32 i = lane_in_workgroup(); i < n; i += 256)
        out[row + i] = exp2_of((x[row + i] - most) * log2e) * scale;
}

enum { HEAD = 64, TILE = 16 };

/* Across the sixteen lanes that hold a row of a tile. */
template <bool greatest> DEVICE float over_row(float x)
{
    for (u32 step = 1; step < TILE; step *= 2) {
        const int other = (int)((lane_in_workgroup() ^ step) * 4);
        const float y = bits_as<float>(__builtin_amdgcn_ds_bpermute(other, bits_as<int>(x)));
        x = greatest ? __builtin_fmaxf(x, y) : x + y;
    }
    return x;
}

/* Each wave takes sixteen queries: out[m][64] = softmax(q[m][64] * k[n][64]) * v[n][64]. */
KERNEL WORKGROUP(64) void attention(float *out, const f16 *q, const f16 *k, const f16 *v, u32 keys)
{
    SHARED static f16 weights[TILE * TILE];
    const u32 lane = lane_in_workgroup(), column = lane % TILE, four = lane / TILE * 4;
    const f16 *query = q + (block_x() * TILE + column) * HEAD + four;
    f16x4 a[HEAD / TILE];
    f32x4 sum[HEAD / TILE] = {}, total = {}, most = { -0x1p120f, -0x1p120f, -0x1p120f, -0x1p120f };
    for (u32 i = 0; i < HEAD / TILE; i++)
        a[i] = *(const f16x4 *)(query + i * TILE);
    for (u32 key = 0; key < keys; key += TILE) {
        const f16 *at = k + (key + column) * HEAD + four;
        f32x4 score = {};
        for (u32 i = 0; i < HEAD / TILE; i++)
            score = __builtin_amdgcn_mfma_f32_16x16x16f16(a[i], *(const f16x4 *)(at + i * TILE), score, 0, 0, 0);
        f32x4 kept;
        for (u32 r = 0; r < 4; r++) {
            const float higher = __builtin_fmaxf(most[r], over_row<true>(score[r]));
            const float weight = exp2_of(score[r] - higher);
            kept[r] = exp2_of(most[r] - higher);
            total[r] = total[r] * kept[r] + over_row<false>(weight);
            most[r] = higher;
            weights[(four + r) * TILE + column] = (f16)weight;
        }
        __builtin_amdgcn_s_barrier();
        const f16x4 weight = *(const f16x4 *)(weights + column * TILE + four);
        for (u32 i = 0; i < HEAD / TILE; i++) {
            f16x4 value;
            for (u32 r = 0; r < 4; r++)
                value[r] = v[(key + four + r) * HEAD + i * TILE + column];
            sum[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(weight, value, sum[i] * kept, 0, 0, 0);
        }
        __builtin_amdgcn_s_barrier();
    }
    for (u32 i = 0; i < HEAD / TILE; i++)
        for (u32 r = 0; r < 4; r++)
            out[(block_x() * TILE + four + r) * HEAD + i * TILE + column] =
                sum[i][r] * __builtin_amdgcn_rcpf(total[r]);
}
