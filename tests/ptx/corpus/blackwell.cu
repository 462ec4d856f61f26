// SPDX-License-Identifier: MIT
// What sm_100a adds for ordinary arithmetic: two floats at a time, maxima over a warp, the largest of three, rounding to
// four bits; and matrices of bytes, of which rows have elements of 8, 6 or 4 bits.

extern "C" __global__ void axpy_pairs(const float2 *x, const float2 *y, float2 *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float2 a = x[i], b = y[i];
    float2 c;
    asm("{ .reg .b64 a, b, c, d; mov.b64 a, {%2, %3}; mov.b64 b, {%4, %5}; mov.b64 c, {0f40400000, 0fBF000000};\n"
        "fma.rn.f32x2 d, a, c, b; mul.rn.f32x2 d, d, c; add.rn.f32x2 d, d, a; mov.b64 {%0, %1}, d; }"
        : "=f"(c.x), "=f"(c.y) : "f"(a.x), "f"(a.y), "f"(b.x), "f"(b.y));
    out[i] = c;
}

// The largest and smallest of each 32 numbers, and the largest magnitude
extern "C" __global__ void extremes(const float *x, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float most, least, size;
    asm volatile("redux.sync.max.f32 %0, %1, 0xffffffff;" : "=f"(most) : "f"(x[i]));
    asm volatile("redux.sync.min.f32 %0, %1, 0xffffffff;" : "=f"(least) : "f"(x[i]));
    asm volatile("redux.sync.max.abs.f32 %0, %1, 0xffffffff;" : "=f"(size) : "f"(x[i]));
    if (threadIdx.x % 32 == 0) {
        out[i / 32 * 3] = most;
        out[i / 32 * 3 + 1] = least;
        out[i / 32 * 3 + 2] = size;
    }
}

// The largest of neighbours
extern "C" __global__ void pool(const float *x, float *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float most;
    asm("max.f32 %0, %1, %2, %3;" : "=f"(most) : "f"(x[i]), "f"(x[(i + 1) % n]), "f"(x[(i + 2) % n]));
    out[i] = most;
}

// Blocks of 32 numbers become e2m1 with one scale, a power of two, each
extern "C" __global__ void quantise_fp4(const float *x, unsigned char *codes, unsigned char *scales)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float size;
    asm volatile("redux.sync.max.abs.f32 %0, %1, 0xffffffff;" : "=f"(size) : "f"(x[i]));
    const int exponent = (int)(__float_as_uint(size) >> 23) - 2;
    const float by = __uint_as_float((unsigned)(254 - exponent) << 23);
    const float mine = x[i] * by, next = __shfl_down_sync(0xffffffff, mine, 1);
    unsigned code;
    asm("{ .reg .b8 t; cvt.rn.satfinite.e2m1x2.f32 t, %1, %2; cvt.u32.u8 %0, t; }" : "=r"(code) : "f"(next), "f"(mine));
    if (threadIdx.x % 2 == 0)
        codes[i / 2] = (unsigned char)code;
    if (threadIdx.x % 32 == 0)
        scales[i / 32] = (unsigned char)exponent;
}

// Rows of 16 bytes, which the lanes know in another order, in four forms of ldmatrix and then as stmatrix leaves them
extern "C" __global__ void byte_matrices(const uint4 *in, uint4 *out)
{
    __shared__ uint4 rows[32];
    const int lane = threadIdx.x;
    const unsigned at = (unsigned)__cvta_generic_to_shared(&rows[lane * 5 % 32]);
    uint4 v = { 0, 0, 0, 0 };
    rows[lane] = in[lane];
    __syncwarp();
    asm volatile("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at) : "memory");
    out[lane] = v;
    asm volatile("ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b6x16_p32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at) : "memory");
    out[32 + lane] = v;
    asm volatile("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at) : "memory");
    out[64 + lane] = v;
    asm volatile("ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "r"(at) : "memory");
    out[96 + lane] = v;
    v = in[lane];
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%0], {%1, %2, %3, %4};"
                 : : "r"(at), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
    __syncwarp();
    out[128 + lane] = rows[lane];
}
