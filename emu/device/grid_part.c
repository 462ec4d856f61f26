/* SPDX-License-Identifier: MIT */
/* Which groups a run has, and on how many threads; the numbers behind random orders. */
#include "emu/device/crew.h"
#include "emu/device/grid.h"

uint64_t lw_grid_first(const lw_grid_job *job, uint32_t part)
{
    const uint64_t count = (uint64_t)job->size[0] * job->size[1] * job->size[2];
    if (job->parts < 2)
        return part ? count : 0;
    return count / job->parts * part + count % job->parts * part / job->parts;
}

uint64_t lw_grid_count(const lw_grid_job *job)
{
    return job->only ? job->only_count : lw_grid_first(job, job->part + 1) - lw_grid_first(job, job->part);
}

unsigned lw_grid_threads(const lw_grid_job *job)
{
    if (!job->parallel)
        return 1;
    uint64_t threads = job->threads ? job->threads : lw_crew_processors();
    if (threads > lw_grid_count(job))
        threads = lw_grid_count(job);
    if (job->most_live && threads > job->most_live)
        threads = job->most_live;
    return threads < 1 ? 1 : threads > 1024 ? 1024 : (unsigned)threads;
}

/* The finaliser of splitmix64. */
uint64_t lw_grid_hash(uint64_t seed, uint64_t value)
{
    uint64_t z = seed + (value + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
