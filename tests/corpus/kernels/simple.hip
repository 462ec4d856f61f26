/* SPDX-License-Identifier: MIT */
/* One element per lane: arithmetic of every width, conversions, predicates. */
#include "gpu.h"

KERNEL(256) saxpy(float *y, const float *x, float a, u32 n)
{
    const u32 i = group() * 256 + tid();
    if (i < n)
        y[i] = __builtin_fmaf(a, x[i], y[i]);
}

KERNEL(256) daxpy(double *y, const double *x, double a, u32 n)
{
    const u32 i = group() * 256 + tid();
    if (i < n)
        y[i] = __builtin_fma(a, x[i], y[i]);
}

KERNEL(256) halves(f16 *z, const f16 *x, const f16 *y, u32 n)
{
    const u32 i = group() * 256 + tid();
    if (i < n) {
        const f16 sum = x[i] + y[i], product = x[i] * y[i];
        z[2 * i] = sum;
        z[2 * i + 1] = product;
    }
}

KERNEL(64) integers(u32 *out, const u32 *x, const u32 *y, u32 n)
{
    const u32 i = group() * 64 + tid();
    if (i >= n)
        return;
    const u32 a = x[i], b = y[i];
    u32 *o = out + 16 * i;
    o[0] = a + b;
    o[1] = a - b;
    o[2] = a * b;
    o[3] = (u32)((u64)a * b >> 32);
    o[4] = (u32)((i64)(int)a * (int)b >> 32);
    o[5] = a << (b & 31);
    o[6] = a >> (b & 31);
    o[7] = (u32)((int)a >> (b & 31));
    o[8] = b ? a / b : 7;
    o[9] = b ? a % b : 9;
    o[10] = (int)b > 0 ? (u32)((int)a / (int)b) : 1;
    o[11] = (u32)__builtin_popcount(a) + (u32)__builtin_clz(b | 1) * 256 + (u32)__builtin_ctz(a | 0x80000000u) * 65536;
    o[12] = (u32)((int)a < (int)b ? (int)a : (int)b);
    o[13] = a > b ? a : b;
    o[14] = __builtin_bitreverse32(a) ^ __builtin_bswap32(b);
    o[15] = (a & b) | (~a & 0x0f0f0f0fu);
}

KERNEL(64) wide_integers(u64 *out, const u64 *x, const u64 *y, u32 n)
{
    const u32 i = group() * 64 + tid();
    if (i >= n)
        return;
    const u64 a = x[i], b = y[i];
    u64 *o = out + 8 * i;
    o[0] = a + b;
    o[1] = a - b;
    o[2] = a * b;
    o[3] = a << (b & 63);
    o[4] = a >> (b & 63);
    o[5] = (u64)((i64)a >> (b & 63));
    o[6] = a < b ? a : b;
    o[7] = (i64)a < (i64)b;
}

KERNEL(64) bytes(u8 *out, const u8 *x, const u8 *y, u32 n)
{
    const u32 i = group() * 64 + tid();
    if (i >= n)
        return;
    const u32 sum = (u32)x[i] + y[i];
    out[2 * i] = (u8)(sum > 255 ? 255 : sum);
    out[2 * i + 1] = (u8)((i8)x[i] * (i8)y[i] >> 3);
}

KERNEL(64) shorts(u16 *out, const u16 *x, const u16 *y, u32 n)
{
    const u32 i = group() * 64 + tid();
    if (i >= n)
        return;
    u16 *o = out + 4 * i;
    o[0] = (u16)(x[i] + y[i]);
    o[1] = (u16)(x[i] * y[i]);
    o[2] = (short)x[i] < (short)y[i] ? x[i] : y[i];
    o[3] = (u16)(x[i] >> (y[i] & 15));
}

KERNEL(64) conversions(int *out, const float *x, u32 n)
{
    const u32 i = group() * 64 + tid();
    if (i >= n)
        return;
    const float v = x[i];
    int *o = out + 8 * i;
    o[0] = (int)v;
    o[1] = (int)(u32)__builtin_fabsf(v);
    o[2] = bits_as<int>((float)bits_as<int>(v));
    o[3] = bits_as<int>((float)bits_as<u32>(v));
    o[4] = (int)bits_as<u16>((f16)v);
    o[5] = bits_as<int>(__builtin_floorf(v));
    o[6] = bits_as<int>(__builtin_rintf(v));
    o[7] = bits_as<int>((float)((double)v * 3.0));
}
