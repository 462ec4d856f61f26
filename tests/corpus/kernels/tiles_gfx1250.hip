/* SPDX-License-Identifier: MIT */
/* gfx1250: clusters, named barriers, copies of tiles, transposing loads, buffers of 45 bits, scaled products. */
#include "gpu.h"

typedef vec<int, 2> i32x2;
typedef vec<int, 4> i32x4;
typedef vec<int, 8> i32x8;
typedef vec<int, 16> i32x16;
typedef vec<float, 8> f32x8;
typedef vec<float, 16> f32x16;
typedef vec<short, 8> i16x8;
#define LDS_PTR(T) __attribute__((address_space(3))) T

/* Each workgroup notes where it is, and after the cluster's barrier what another one of its cluster noted. */
extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(64, 64)))
__attribute__((cluster_dims(2, 2, 1))) void
cluster_places(u32 *out)
{
    const u32 x = group(), y = group_y(), place = y * 4 + x;
    const u32 px = __builtin_amdgcn_cluster_workgroup_id_x(), py = __builtin_amdgcn_cluster_workgroup_id_y();
    if (tid() == 0) {
        out[place * 8] = x | y << 8 | __builtin_amdgcn_cluster_id_x() << 16 | __builtin_amdgcn_cluster_id_y() << 24;
        out[place * 8 + 1] = px | py << 8 | __builtin_amdgcn_cluster_workgroup_flat_id() << 16;
        out[place * 8 + 2] =
            __builtin_amdgcn_cluster_workgroup_max_id_x() | __builtin_amdgcn_cluster_workgroup_max_flat_id() << 8;
    }
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
    __builtin_amdgcn_s_cluster_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    const u32 other = (y ^ 1) * 4 + (x ^ 1);
    if (tid() == 63)
        out[place * 8 + 3] = out[other * 8 + 1];
}

/* The tile at (row, column) of a matrix of 16-bit numbers, transposed; what is outside the matrix is 0. */
KERNEL(32) tensor_transpose(u16 *out, const u16 *in, u32 rows, u32 columns, u32 row, u32 column)
{
    SHARED u16 tile[16 * 16];
    const u64 at = (u64)(in + row * columns + column);
    const u32 left = columns - column, below = rows - row;
    i32x4 g0 = { 1, (int)(u32)(u64)(LDS_PTR(u16) *)tile, (int)(u32)at, (int)((u32)(at >> 32) | 2u << 30) };
    i32x8 g1 = { 1 << 16, (int)(left << 16), (int)(left >> 16 | below << 16), (int)(below >> 16 | 16u << 16),
                 16, (int)columns, 0, 0 };
    __builtin_amdgcn_tensor_load_to_lds_d2(g0, g1, 0);
    __builtin_amdgcn_s_wait_tensorcnt(0);
    for (u32 half = 0; half < 2; half++) {
        LDS_PTR(u16) *from = (LDS_PTR(u16) *)tile + (half * 8 + lane() % 8) * 16 + lane() / 8 % 2 * 8;
        const i16x8 turned = __builtin_amdgcn_ds_load_tr16_b128_v8i16((LDS_PTR(i16x8) *)from);
        if (lane() < 16)
            for (u32 a = 0; a < 8; a++)
                out[lane() * 16 + half * 8 + a] = (u16)turned[a];
    }
}

/* Two waves: the first fills LDS for the second, which waits at a named barrier. */
SHARED __amdgpu_named_workgroup_barrier_t full;

KERNEL(64) named_producer(u32 *out, const u32 *in)
{
    SHARED u32 passed[32];
    const bool consumer = __builtin_amdgcn_readfirstlane((int)(tid() / 32)) != 0;
    if (consumer)
        __builtin_amdgcn_s_barrier_join(&full);
    __builtin_amdgcn_s_barrier_init(&full, 2);
    barrier();
    if (!consumer)
        passed[lane()] = in[lane()] + 1;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier_signal_var(&full, 2);
    if (consumer) {
        __builtin_amdgcn_s_barrier_wait(1);
        __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
        out[lane()] = passed[31 - lane()];
    }
}

/* Loads and stores through buffers of `bytes`, which are fewer than there are. */
KERNEL(32) raw_buffers(u32 *out, u32 *in, u32 bytes)
{
    const auto from = __builtin_amdgcn_make_buffer_rsrc(in, 0, bytes, 0);
    const auto to = __builtin_amdgcn_make_buffer_rsrc(out, 0, bytes, 0);
    const u32 v = __builtin_amdgcn_raw_buffer_load_b32(from, (int)lane() * 4, 16, 0);
    __builtin_amdgcn_raw_buffer_store_b32(v + 1, to, (int)lane() * 4, 0, 0);
}

/* Through LDS by asynchronous copies, reversed. */
KERNEL(32) async_reverse(int *out, const int *in)
{
    SHARED int passed[32];
    typedef __attribute__((address_space(1))) int global_int;
    __builtin_amdgcn_global_load_async_to_lds_b32((global_int *)(u64)(in + lane()),
                                                  (LDS_PTR(int) *)passed + 31 - lane(), 0, 0);
    __builtin_amdgcn_s_wait_asynccnt(0);
    barrier();
    __builtin_amdgcn_global_store_async_from_lds_b32((global_int *)(u64)(out + lane()),
                                                     (LDS_PTR(int) *)passed + lane(), 0, 0);
    __builtin_amdgcn_s_wait_asynccnt(0);
}

/* D[16][16] = sum of A[16][128] * B[16][128], 8-bit numbers, and a power of 2 for each 32 of a row. */
KERNEL(32) scaled_product(float *d, const u8 *a, const u8 *b, const u8 *scale_a, const u8 *scale_b)
{
    const u32 r = lane() % 16, h = lane() / 16;
    i32x16 x, y;
    for (u32 v = 0; v < 16; v++) {
        const u32 k = v / 4 * 32 + h * 16 + v % 4 * 4;
        x[v] = *(const int *)(a + r * 128 + k);
        y[v] = *(const int *)(b + r * 128 + k);
    }
    const int sa = ((const int *)scale_a)[r], sb = ((const int *)scale_b)[r];
    f32x8 c = {};
    c = __builtin_amdgcn_wmma_scale_f32_16x16x128_f8f6f4(0, x, 0, y, (short)0, c, 0, 0, sa, 0, 0, sb, false, false);
    for (u32 v = 0; v < 8; v++)
        d[(h * 8 + v) * 16 + r] = c[v];
}

/* The same with a scale for each 16 of a row. */
KERNEL(32) finely_scaled_product(float *d, const u8 *a, const u8 *b, const u8 *scale_a, const u8 *scale_b)
{
    const u32 r = lane() % 16, h = lane() / 16;
    i32x16 x, y;
    for (u32 v = 0; v < 16; v++) {
        const u32 k = v / 4 * 32 + h * 16 + v % 4 * 4;
        x[v] = *(const int *)(a + r * 128 + k);
        y[v] = *(const int *)(b + r * 128 + k);
    }
    const long sa = ((const long *)scale_a)[r], sb = ((const long *)scale_b)[r];
    f32x8 c = {};
    c = __builtin_amdgcn_wmma_scale16_f32_16x16x128_f8f6f4(0, x, 0, y, (short)0, c, 0, 0, sa, 0, 0, sb, false, false);
    for (u32 v = 0; v < 8; v++)
        d[(v + 8 * h) * 16 + r] = c[v];
}

/* D[32][16] = sum of A[32][128] * B[16][128] + 1 of 4-bit numbers, two to a byte. SCALE: one scale for this many. */
template <int SCALE>
static inline __attribute__((device)) void tall_product(float *d, const u8 *a, const u8 *b, const u8 *scale_a, const u8 *scale_b)
{
    const u32 r = lane() % 16, h = lane() / 16;
    i32x16 x;
    i32x8 y;
    f32x16 c;
    for (u32 v = 0; v < 16; v++) {
        x[v] = *(const int *)(a + (r + 16 * (v / 8)) * 64 + v / 4 % 2 * 32 + h * 16 + v % 4 * 4);
        c[v] = 1;
    }
    for (u32 v = 0; v < 8; v++)
        y[v] = *(const int *)(b + r * 64 + v / 4 * 32 + h * 16 + v % 4 * 4);
    if constexpr (SCALE == 0)
        c = __builtin_amdgcn_wmma_f32_32x16x128_f4(x, y, (short)0, c);
    else if constexpr (SCALE == 32)
        c = __builtin_amdgcn_wmma_scale_f32_32x16x128_f4(x, y, (short)0, c, 0, 0, ((const int *)scale_a)[lane()], 0, 0, ((const int *)scale_b)[r], false, false);
    else
        c = __builtin_amdgcn_wmma_scale16_f32_32x16x128_f4(x, y, (short)0, c, 0, 0, ((const long *)scale_a)[lane()], 0, 0, ((const long *)scale_b)[r], false, false);
    for (u32 v = 0; v < 16; v++)
        d[(v / 8 * 16 + v % 8 + 8 * h) * 16 + r] = c[v];
}

KERNEL(32) tall_plain(float *d, const u8 *a, const u8 *b, const u8 *scale_a, const u8 *scale_b)
{
    tall_product<0>(d, a, b, scale_a, scale_b);
}

KERNEL(32) tall_scaled(float *d, const u8 *a, const u8 *b, const u8 *scale_a, const u8 *scale_b)
{
    tall_product<32>(d, a, b, scale_a, scale_b);
}

KERNEL(32) tall_finely_scaled(float *d, const u8 *a, const u8 *b, const u8 *scale_a, const u8 *scale_b)
{
    tall_product<16>(d, a, b, scale_a, scale_b);
}
