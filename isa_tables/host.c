/* SPDX-License-Identifier: MIT */
/* Facts about the host. */
#include <unistd.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#define HAS_RLIMIT 1
#endif

#include <lanewise/program.h>

static const uint64_t UNKNOWN_HOST = UINT64_C(1) << 30;

uint64_t lw_memory_limit_default(void)
{
    uint64_t bytes = UNKNOWN_HOST;
#ifdef _SC_PHYS_PAGES
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        bytes = (uint64_t)pages * (uint64_t)page;
#endif
#ifdef HAS_RLIMIT
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY && space.rlim_cur < bytes)
        bytes = space.rlim_cur;
#endif
    return bytes / 4;
}
