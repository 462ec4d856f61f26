/* SPDX-License-Identifier: MIT */
/* Functions by name and version, and those that only refuse. */
#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "runtime/cuda/exports.h"

enum {
    LONGEST = 64,
    V2_OF_LOOKUP = 12000,
    STATUS_OK = 0,
    STATUS_NOT_FOUND = 1,
    STATUS_TOO_OLD = 2,
    OWN_STREAM = 2
};

/* Suffixes by the version that brought them (cudaTypedefs.h), newest first. */
static const struct {
    const char *name, *suffix;
    int since;
} variants[] = {
#define VARIANT(name, suffix, since) { #name, #suffix, since },
#include "runtime/cuda/variants.inc"
#undef VARIANT
};

/* With `own_stream`, the form for a thread's own default stream, where there is one. */
static void *symbol(const char *name, const char *suffix, bool own_stream)
{
    static const char *const forms[] = { "_ptsz", "_ptds", "" };
    Dl_info info;
    char full[2 * LONGEST];
    void *found = NULL;
    if (strlen(name) >= LONGEST || !dladdr((void *)(uintptr_t)cuInit, &info))
        return NULL;
    void *self = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!self)
        return NULL;
    for (size_t i = own_stream ? 0 : 2; i < sizeof(forms) / sizeof(forms[0]) && !found; i++) {
        snprintf(full, sizeof(full), "%s%s%s", name, suffix, forms[i]);
        found = dlsym(self, full);
    }
    dlclose(self);
    return found;
}

/* What a version of CUDA means by a name: *status says why there is none. */
static void *find(const char *name, int version, uint64_t flags, int *status)
{
    const bool own_stream = flags & OWN_STREAM;
    bool too_old = false;
    *status = STATUS_OK;
    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        if (strcmp(variants[i].name, name) != 0)
            continue;
        if (variants[i].since <= version)
            return symbol(name, variants[i].suffix, own_stream);
        too_old = true;
    }
    void *plain = strncmp(name, "cu", 2) == 0 ? symbol(name, "", own_stream) : NULL;
    if (!plain)
        *status = too_old ? STATUS_TOO_OLD : STATUS_NOT_FOUND;
    return plain;
}

int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags)
{
    int status;
    if (!name || !function)
        return RT_INVALID_VALUE;
    *function = find(name, version, flags, &status);
    return *function ? RT_OK : RT_NOT_FOUND;
}

int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status)
{
    int why = STATUS_NOT_FOUND;
    if (!name || !function)
        return RT_INVALID_VALUE;
    *function = strcmp(name, "cuGetProcAddress") == 0
                    ? symbol(name, version < V2_OF_LOOKUP ? "" : "_v2", false)
                    : find(name, version, flags, &why);
    if (status)
        *status = *function ? STATUS_OK : why;
    return RT_OK;
}

/* Of a program that is compiled for a default stream of each thread. */
int cuGetProcAddress_v2_ptsz(const char *name, void **function, int version, uint64_t flags, int *status)
{
    return cuGetProcAddress_v2(name, function, version, flags ? flags : OWN_STREAM, status);
}

/* The tables are private; cudart passes the error on to every call of its program. */
int cuGetExportTable(const void **table, const void *id)
{
    (void)id;
    if (table)
        *table = NULL;
    rt_report_call("cuGetExportTable (CUDA's runtime library)");
    return RT_UNSUPPORTED;
}

static int refuse(const char *name)
{
    rt_report_call(name);
    return RT_UNSUPPORTED;
}

#define NOT_SERVED(name)                                                                                     \
    CUDA_API int name(void);                                                                                 \
    int name(void)                                                                                           \
    {                                                                                                        \
        return refuse(#name);                                                                                \
    }
#include "runtime/cuda/not_served.inc"
#undef NOT_SERVED
