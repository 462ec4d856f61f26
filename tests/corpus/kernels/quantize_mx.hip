/* SPDX-License-Identifier: MIT */
/* gfx950: 32 values of a block to codes of four and six bits and back, under a scale that is a power of two. */
#include "gpu.h"

typedef vec<float, 2> f32x2;
typedef vec<float, 16> f32x16;
typedef vec<float, 32> f32x32;
typedef vec<u32, 6> u32x6;

KERNEL(64) to_fp4(u32 *out, const float *x, const float *scales)
{
    const u32 block = group() * 64 + tid();
    for (u32 i = 0; i < 4; i++) {
        const float *at = x + block * 32 + 8 * i;
        u32 v = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(0, at[0], at[1], scales[block], 0);
        v = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(v, at[2], at[3], scales[block], 1);
        v = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(v, at[4], at[5], scales[block], 2);
        out[block * 4 + i] = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(v, at[6], at[7], scales[block], 3);
    }
}

KERNEL(64) from_fp4(f32x2 *out, const u32 *x, const float *scales)
{
    const u32 block = group() * 64 + tid();
    for (u32 i = 0; i < 4; i++) {
        const u32 v = x[block * 4 + i];
        f32x2 *to = out + block * 16 + 4 * i;
        to[0] = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(v, scales[block], 0);
        to[1] = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(v, scales[block], 1);
        to[2] = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(v, scales[block], 2);
        to[3] = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(v, scales[block], 3);
    }
}

/* The instruction takes codes in turn from its two sources. */
#define SIX(name, convert)                                                                                   \
    KERNEL(64) name(u32 *out, const float *x, const float *scales)                                           \
    {                                                                                                        \
        const u32 block = group() * 64 + tid();                                                              \
        f32x16 low, high;                                                                                    \
        for (u32 i = 0; i < 16; i++) {                                                                       \
            low[i] = x[block * 32 + 2 * i];                                                                      \
            high[i] = x[block * 32 + 2 * i + 1];                                                                \
        }                                                                                                    \
        const u32x6 v = convert(low, high, scales[block]);                                                   \
        for (u32 i = 0; i < 6; i++)                                                                          \
            out[block * 6 + i] = v[i];                                                                       \
    }

#define FROM_SIX(name, convert)                                                                              \
    KERNEL(64) name(float *out, const u32 *x, const float *scales)                                           \
    {                                                                                                        \
        const u32 block = group() * 64 + tid();                                                              \
        u32x6 v;                                                                                             \
        for (u32 i = 0; i < 6; i++)                                                                          \
            v[i] = x[block * 6 + i];                                                                         \
        const f32x32 all = convert(v, scales[block]);                                                        \
        for (u32 i = 0; i < 32; i++)                                                                         \
            out[block * 32 + i] = all[i];                                                                    \
    }

SIX(to_fp6, __builtin_amdgcn_cvt_scalef32_2xpk16_fp6_f32)
SIX(to_bf6, __builtin_amdgcn_cvt_scalef32_2xpk16_bf6_f32)
FROM_SIX(from_fp6, __builtin_amdgcn_cvt_scalef32_pk32_f32_fp6)
FROM_SIX(from_bf6, __builtin_amdgcn_cvt_scalef32_pk32_f32_bf6)

/* Rounded up with the probability that `random` says, which changes from value to value. */
#define SIX_RANDOM(name, convert)                                                                            \
    KERNEL(64) name(u32 *out, const float *x, const float *scales, const u32 *random)                        \
    {                                                                                                        \
        const u32 block = group() * 64 + tid();                                                              \
        const u32x6 v = convert(*(const f32x32 *)(x + block * 32), random[block], scales[block]);            \
        for (u32 i = 0; i < 6; i++)                                                                          \
            out[block * 6 + i] = v[i];                                                                       \
    }

SIX_RANDOM(to_fp6_random, __builtin_amdgcn_cvt_scalef32_sr_pk32_fp6_f32)
SIX_RANDOM(to_bf6_random, __builtin_amdgcn_cvt_scalef32_sr_pk32_bf6_f32)
