/* SPDX-License-Identifier: MIT */
/*
 * What the example kernels need from a HIP runtime header, and no more, so that plain clang compiles them
 * without ROCm: attributes, fixed-width types, vector types and the position in the launch.
 */
#ifndef EXAMPLES_RT_H
#define EXAMPLES_RT_H

#define KERNEL extern "C" __attribute__((global))
#define DEVICE static __attribute__((device)) __attribute__((always_inline))
#define SHARED __attribute__((shared))
#define WORKGROUP(n) __attribute__((amdgpu_flat_work_group_size(n, n)))

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

typedef __bf16 bf16;
typedef _Float16 f16;

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

typedef vec<u32, 4> u32x4;
typedef vec<u32, 8> u32x8;
typedef vec<u8, 4> u8x4;
typedef vec<bf16, 2> bf16x2;
typedef vec<bf16, 4> bf16x4;
typedef vec<bf16, 8> bf16x8;
typedef vec<f16, 2> f16x2;
typedef vec<f16, 4> f16x4;
typedef vec<f16, 8> f16x8;
typedef vec<f16, 16> f16x16;
typedef vec<float, 4> f32x4;

DEVICE u32 lane_in_workgroup() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE u32 block_x() { return __builtin_amdgcn_workgroup_id_x(); }
DEVICE u32 block_y() { return __builtin_amdgcn_workgroup_id_y(); }

template <class To, class From> DEVICE To bits_as(From v)
{
    return __builtin_bit_cast(To, v);
}

#endif
