// SPDX-License-Identifier: MIT
// Kernels whose code objects the loader tests read. Compiled without ROCm: see build.sh.
#define GLOBAL __attribute__((global))
#define DEVICE __attribute__((device))

namespace shapes {
// Every launch-size query that has a hidden argument.
GLOBAL void sizes(unsigned *out, long bias, int first)
{
    unsigned i = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
                 __builtin_amdgcn_workitem_id_x();
    out[i] = __builtin_amdgcn_workgroup_size_y() + __builtin_amdgcn_workgroup_size_z() +
             __builtin_amdgcn_grid_size_x() + (unsigned)bias + (unsigned)first;
}

// Reads behind its arguments, so that every hidden argument is listed.
GLOBAL void hidden(long *out)
{
    out[0] = ((const __attribute__((address_space(4))) long *)__builtin_amdgcn_implicitarg_ptr())[out[1]];
}

template <int N, typename T> GLOBAL void repeat(T *x, T by)
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] * by;
}
template GLOBAL void repeat<4, float>(float *, float);
template GLOBAL void repeat<8, int>(int *, int);
} // namespace shapes

// By-value structures, a constant buffer, a fixed workgroup and static LDS.
struct pair {
    short a;
    double b;
};
__attribute__((shared)) int tile[96];
extern "C" GLOBAL __attribute__((amdgpu_flat_work_group_size(64, 64))) void
blend(const float *__restrict__ from, float *__restrict__ to, struct pair p, unsigned char last)
{
    unsigned i = __builtin_amdgcn_workitem_id_x();
    tile[i] = (int)from[i];
    __builtin_amdgcn_s_barrier();
    to[i] = (float)tile[i ^ 1] * (float)p.b + p.a + last;
}
