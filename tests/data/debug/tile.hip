/* SPDX-License-Identifier: MIT */
/* C[32][16] (f32) = A[32][32] * B[16][32] transposed (f16): two waves, B through LDS. For the debugger. */
#define DEVICE __attribute__((device))
typedef _Float16 f16;
typedef f16 f16x4 __attribute__((ext_vector_type(4)));
typedef float f32x4 __attribute__((ext_vector_type(4)));

extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(128, 128))) void
tile(float *C, const f16 *A, const f16 *B)
{
    __attribute__((shared)) f16 b[16 * 32];
    const unsigned thread = __builtin_amdgcn_workitem_id_x(), lane = thread % 64, wave = thread / 64;
    *(f16x4 *)(b + 4 * thread) = *(const f16x4 *)(B + 4 * thread);
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
    const unsigned row = 16 * wave + lane % 16, k = 4 * (lane / 16);
    f32x4 d = {};
    for (unsigned step = 0; step < 32; step += 16) {
        const f16x4 x = *(const f16x4 *)(A + 32 * row + step + k);
        const f16x4 y = *(const f16x4 *)(b + 32 * (lane % 16) + step + k);
        d = __builtin_amdgcn_mfma_f32_16x16x16f16(x, y, d, 0, 0, 0);
    }
    for (unsigned i = 0; i < 4; i++)
        C[16 * (16 * wave + 4 * (lane / 16) + i) + lane % 16] = d[i];
}
