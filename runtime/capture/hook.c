/* SPDX-License-Identifier: MIT */
/* Standing before dlsym: a program that looks a hooked function up gets this library's. */
#define _GNU_SOURCE /* dlvsym, dladdr, RTLD_NEXT */
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/capture/capture.h"

enum { MOST_HOOKS = 96, LIBRARIES = 2 };

/* What the vendors' functions are, as lookups have returned them: by hook. */
static _Atomic(uintptr_t) reals[LIBRARIES][MOST_HOOKS];
/* The vendors' libraries, once a lookup has shown where they are. */
static _Atomic(void *) handles[LIBRARIES];

typedef void *(*dlsym_fn)(void *, const char *);

/* glibc's own. Its version differs by processor and age. */
static dlsym_fn real_dlsym(void)
{
    static const char *const versions[] = { "GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17", "GLIBC_2.0" };
    static _Atomic(uintptr_t) found;
    uintptr_t at = atomic_load(&found);
    for (size_t i = 0; !at && i < sizeof(versions) / sizeof(versions[0]); i++)
        at = (uintptr_t)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    atomic_store(&found, at);
    return (dlsym_fn)at;
}

static const cap_hook *find(const char *name, int *library, size_t *index)
{
    const cap_hook *const tables[LIBRARIES] = { cap_hip_hooks, cap_cuda_hooks };
    for (int l = 0; l < LIBRARIES; l++)
        for (size_t i = 0; tables[l][i].name; i++)
            if (strcmp(tables[l][i].name, name) == 0) {
                *library = l;
                *index = i;
                return &tables[l][i];
            }
    return NULL;
}

void *cap_instead(const char *name, void *real)
{
    Dl_info info;
    int library;
    size_t index;
    const cap_hook *hook = find(name, &library, &index);
    if (!hook || !real || (uintptr_t)real == hook->mine)
        return real;
    atomic_store(&reals[library][index], (uintptr_t)real);
    if (!atomic_load(&handles[library]) && dladdr(real, &info) && info.dli_fname)
        atomic_store(&handles[library], dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD));
    return (void *)hook->mine;
}

uintptr_t cap_real(const char *name)
{
    int library = strncmp(name, "cu", 2) == 0;
    size_t index;
    const cap_hook *hook = find(name, &library, &index);
    uintptr_t real = hook ? atomic_load(&reals[library][index]) : 0;
    if (!real)
        real = (uintptr_t)real_dlsym()(RTLD_NEXT, name);
    void *handle = atomic_load(&handles[library]);
    if (!real && handle)
        real = (uintptr_t)real_dlsym()(handle, name);
    return real;
}

/*
 * Only names that begin like the vendors' are looked at, and those after RTLD_NEXT are not: glibc finds the
 * caller's library by the return address, so the call must be the last one (a jump: see CMakeLists.txt).
 */
CAP_API void *dlsym(void *restrict handle, const char *restrict name)
{
    const bool ours = handle != RTLD_NEXT && (strncmp(name, "hip", 3) == 0 || strncmp(name, "cu", 2) == 0 ||
                                              strncmp(name, "__hip", 5) == 0);
    if (!ours)
        return real_dlsym()(handle, name);
    return cap_instead(name, real_dlsym()(handle, name));
}
