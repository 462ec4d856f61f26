/* SPDX-License-Identifier: MIT */
/* What the corpus needs from a HIP header, and no more: plain clang compiles it without ROCm, at any
 * level. */
#ifndef CORPUS_GPU_H
#define CORPUS_GPU_H

#define KERNEL(n) extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(n, n))) void
#define DEVICE static __attribute__((device))
#define APART static __attribute__((device)) __attribute__((noinline))
#define SHARED static __attribute__((shared))
#define GLOBAL __attribute__((device))

typedef signed char i8;
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
typedef _Float16 f16;
typedef __bf16 bf16;

template <class T, int N> using vec = T __attribute__((ext_vector_type(N)));

/* Numbers of four bits, two to a byte; how many numbers an element of a buffer holds. */
struct nibbles {
    u8 both;
};
template <class T> constexpr u32 NUMBERS = 1;
template <> constexpr u32 NUMBERS<nibbles> = 2;

#define WAVE (u32) __builtin_amdgcn_wavefrontsize()

DEVICE u32 tid()
{
    return __builtin_amdgcn_workitem_id_x();
}
DEVICE u32 tid_y()
{
    return __builtin_amdgcn_workitem_id_y();
}
DEVICE u32 group()
{
    return __builtin_amdgcn_workgroup_id_x();
}
DEVICE u32 group_y()
{
    return __builtin_amdgcn_workgroup_id_y();
}
DEVICE u32 lane()
{
    return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
}

DEVICE void barrier()
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

template <class To, class From> DEVICE To bits_as(From v)
{
    return __builtin_bit_cast(To, v);
}

/* The value of another lane of the wave. gfx11 permutes within 32 lanes, also in waves of 64 lanes. */
DEVICE int from_lane(int v, u32 source)
{
    const int here = __builtin_amdgcn_ds_bpermute((int)(source * 4), v);
#if defined(__GFX11__)
    if (WAVE == 64) {
        const int there = __builtin_amdgcn_ds_bpermute((int)(source * 4), __builtin_amdgcn_permlane64(v));
        return (source ^ lane()) & 32 ? there : here;
    }
#endif
    return here;
}
DEVICE float from_lane(float v, u32 source)
{
    return bits_as<float>(from_lane(bits_as<int>(v), source));
}

template <class T> DEVICE T add_to(T *at, T v)
{
    return __hip_atomic_fetch_add(at, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

#endif
