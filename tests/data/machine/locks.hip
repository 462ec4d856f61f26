// SPDX-License-Identifier: MIT
// Workgroups that ask for a lock which nobody gives back, compiled without optimisation: 96 instructions a round.
extern "C" __attribute__((global)) void ask(unsigned *lock)
{
    if (__builtin_amdgcn_workitem_id_x() == 0)
        while (__hip_atomic_exchange(lock, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT))
            ;
}

// The second workgroup answers late, and then waits for the first, which has long been waiting for it.
extern "C" __attribute__((global)) void answer(unsigned *turn)
{
    if (__builtin_amdgcn_workitem_id_x())
        return;
    const unsigned me = __builtin_amdgcn_workgroup_id_x();
    for (unsigned i = 0; me && i < 3000; i++)
        ;
    if (me)
        __hip_atomic_fetch_add(turn, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    while (__hip_atomic_load(turn, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) != 1 + me)
        ;
    if (!me)
        __hip_atomic_fetch_add(turn, 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
