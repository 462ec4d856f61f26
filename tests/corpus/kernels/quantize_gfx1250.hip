/* SPDX-License-Identifier: MIT */
/* gfx1250: blocks of 32 values to codes of four, six and eight bits and back, under a scale that is a power of two. An
 * instruction has half a block, or a quarter. */
#include "gpu.h"

typedef vec<float, 8> f32x8;
typedef vec<float, 16> f32x16;
typedef vec<u32, 2> u32x2;
typedef vec<u32, 3> u32x3;

#define TO(name, count, bits, Codes, convert)                                                                \
    KERNEL(64) name(u32 *out, const float *x, const float *scales)                                           \
    {                                                                                                        \
        const u32 block = group() * 64 + tid(), words = count * bits / 32;                                   \
        for (u32 i = 0; i < 32 / count; i++) {                                                               \
            const Codes v = convert(*(const vec<float, count> *)(x + block * 32 + count * i), scales[block]); \
            for (u32 j = 0; j < words; j++)                                                                  \
                out[(block * (32 / count) + i) * words + j] = ((const u32 *)&v)[j];                          \
        }                                                                                                    \
    }

/* The scale of lane l is byte l / 16 of the register of lane l % 16 (that is selection 0, of 8-bit codes selection 8). */
DEVICE u32 scale_word(const float *scales, u32 block)
{
    const u32 first = block - lane() + lane() % 16;
    return bits_as<u32>(scales[first]) >> 23 | bits_as<u32>(scales[first + 16]) >> 23 << 8;
}

#define FROM(name, count, bits, Codes, selection, convert)                                                   \
    KERNEL(64) name(float *out, const u32 *x, const float *scales)                                           \
    {                                                                                                        \
        const u32 block = group() * 64 + tid(), words = count * bits / 32;                                   \
        const u32 scale = scale_word(scales, block);                                                         \
        for (u32 i = 0; i < 32 / count; i++) {                                                               \
            Codes v;                                                                                         \
            for (u32 j = 0; j < words; j++)                                                                  \
                ((u32 *)&v)[j] = x[(block * (32 / count) + i) * words + j];                                  \
            *(vec<float, count> *)(out + block * 32 + count * i) = convert(v, scale, selection);             \
        }                                                                                                    \
    }

/* Rounded up with the probability that `random` says, which changes from value to value. */
#define TO_RANDOM(name, count, bits, Codes, convert)                                                         \
    KERNEL(64) name(u32 *out, const float *x, const float *scales, const u32 *random)                        \
    {                                                                                                        \
        const u32 block = group() * 64 + tid(), words = count * bits / 32;                                   \
        for (u32 i = 0; i < 32 / count; i++) {                                                               \
            const vec<float, count> from = *(const vec<float, count> *)(x + block * 32 + count * i);         \
            const Codes v = convert(from, random[block], scales[block]);                                     \
            for (u32 j = 0; j < words; j++)                                                                  \
                out[(block * (32 / count) + i) * words + j] = ((const u32 *)&v)[j];                          \
        }                                                                                                    \
    }

TO(to_fp4, 8, 4, u32, __builtin_amdgcn_cvt_scalef32_pk8_fp4_f32)
TO(to_fp6, 16, 6, u32x3, __builtin_amdgcn_cvt_scalef32_pk16_fp6_f32)
TO(to_bf6, 16, 6, u32x3, __builtin_amdgcn_cvt_scalef32_pk16_bf6_f32)
TO(to_fp8, 8, 8, u32x2, __builtin_amdgcn_cvt_scalef32_pk8_fp8_f32)
TO(to_bf8, 8, 8, u32x2, __builtin_amdgcn_cvt_scalef32_pk8_bf8_f32)
FROM(from_fp4, 8, 4, u32, 0, __builtin_amdgcn_cvt_scale_pk8_f32_fp4)
FROM(from_fp6, 16, 6, u32x3, 0, __builtin_amdgcn_cvt_scale_pk16_f32_fp6)
FROM(from_bf6, 16, 6, u32x3, 0, __builtin_amdgcn_cvt_scale_pk16_f32_bf6)
FROM(from_fp8, 8, 8, u32x2, 8, __builtin_amdgcn_cvt_scale_pk8_f32_fp8)
FROM(from_bf8, 8, 8, u32x2, 8, __builtin_amdgcn_cvt_scale_pk8_f32_bf8)
TO_RANDOM(to_fp4_random, 8, 4, u32, __builtin_amdgcn_cvt_scalef32_sr_pk8_fp4_f32)
TO_RANDOM(to_fp6_random, 16, 6, u32x3, __builtin_amdgcn_cvt_scalef32_sr_pk16_fp6_f32)
TO_RANDOM(to_bf6_random, 16, 6, u32x3, __builtin_amdgcn_cvt_scalef32_sr_pk16_bf6_f32)
