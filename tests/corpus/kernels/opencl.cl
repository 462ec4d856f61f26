/* SPDX-License-Identifier: MIT */
/* OpenCL C without its library of functions: vectors, swizzles, local and constant memory. */
#define TID ((uint)__builtin_amdgcn_workitem_id_x())
#define GROUP ((uint)__builtin_amdgcn_workgroup_id_x())

typedef unsigned int uint;
typedef unsigned char uchar;
typedef uint uint4 __attribute__((ext_vector_type(4)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef uchar uchar4 __attribute__((ext_vector_type(4)));

__constant uint PRIMES[8] = { 2, 3, 5, 7, 11, 13, 17, 19 };

static void meet(void)
{
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void swizzles(__global uint4 *out, __global const uint4 *x)
{
    const uint i = GROUP * 64 + TID;
    const uint4 v = x[i];
    out[i] = v.wzyx * (uint4)(1, 2, 3, 4) + v.xxyy;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void gray(__global uchar *out, __global const uchar4 *pixels)
{
    const uint i = GROUP * 64 + TID;
    const uchar4 p = pixels[i];
    out[i] = (uchar)((p.x * 77u + p.y * 150u + p.z * 29u + 128u) >> 8);
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void saturate(__global float4 *out, __global const float4 *x,
                                                                      float low, float high)
{
    const uint i = GROUP * 64 + TID;
    const float4 v = x[i];
    out[i] = v < low ? (float4)(low) : v > high ? (float4)(high) : v;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void reverse(__global uint *out, __global const uint *x,
                                                                     __local uint *room)
{
    room[TID] = x[GROUP * 64 + TID] * PRIMES[TID % 8];
    meet();
    out[GROUP * 64 + TID] = room[63 - TID];
}
