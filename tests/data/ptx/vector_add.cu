/* SPDX-License-Identifier: MIT */
/* c[i] = a[i] + b[i]. nvcc has the built-in variables; for clang without CUDA's headers they are declared here. */
#ifdef __clang__
#define __global__ __attribute__((global))
#define BLOCK __nvvm_read_ptx_sreg_ctaid_x()
#define BLOCK_SIZE __nvvm_read_ptx_sreg_ntid_x()
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#else
#define BLOCK blockIdx.x
#define BLOCK_SIZE blockDim.x
#define THREAD threadIdx.x
#endif

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = BLOCK * BLOCK_SIZE + THREAD;
    if (i < n)
        c[i] = a[i] + b[i];
}
