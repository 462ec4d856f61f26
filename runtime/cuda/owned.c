/* SPDX-License-Identifier: MIT */
/* What belongs to contexts, and goes with them: memory, modules, streams, events. */
#include <pthread.h>
#include <stdlib.h>

#include "runtime/cuda/cuda.h"

typedef struct cuda_owned {
    struct cuda_owned *next;
    const cuda_context *context;
    cuda_kind kind;
    uint64_t handle;
} owned;

enum { CHAINS = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static owned *chains[CHAINS]; /* by handle, the newest first */

static owned **chain_of(uint64_t handle)
{
    return &chains[(handle >> 4 ^ handle >> 16) % CHAINS];
}

static void put(owned *o)
{
    pthread_mutex_lock(&lock);
    o->next = *chain_of(o->handle);
    *chain_of(o->handle) = o;
    pthread_mutex_unlock(&lock);
}

void cuda_own(cuda_kind kind, uint64_t handle)
{
    owned *o = malloc(sizeof(*o));
    if (!o) /* it stays until the process ends */
        return;
    *o = (owned){ .context = cuda_context_current(), .kind = kind, .handle = handle };
    put(o);
}

cuda_owned *cuda_disown(cuda_kind kind, uint64_t handle)
{
    owned **at = chain_of(handle), *found;
    pthread_mutex_lock(&lock);
    while (*at && ((*at)->handle != handle || (*at)->kind != kind))
        at = &(*at)->next;
    found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&lock);
    return found;
}

int cuda_disowned(cuda_owned *o, int error)
{
    if (o && error != RT_OK)
        put(o);
    else
        free(o);
    return error;
}

static void release(cuda_kind kind, uint64_t handle)
{
    void *pointer = (void *)(uintptr_t)handle;
    switch (kind) {
    case CUDA_STREAM:
        (void)rt_stream_destroy(pointer);
        break;
    case CUDA_EVENT:
        (void)rt_event_destroy(pointer);
        break;
    case CUDA_MODULE:
        (void)rt_module_unload(pointer);
        break;
    case CUDA_MEMORY:
        (void)rt_free(handle, false);
        break;
    case CUDA_PINNED:
        (void)rt_free(handle, true);
        break;
    case CUDA_REGISTERED:
        (void)rt_unregister(pointer);
        break;
    }
}

cuda_owned *cuda_take_owned(const cuda_context *context)
{
    owned *taken = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < CHAINS; i++)
        for (owned **at = &chains[i]; *at;) {
            owned *o = *at;
            if (o->context != context) {
                at = &o->next;
                continue;
            }
            *at = o->next;
            o->next = taken;
            taken = o;
        }
    pthread_mutex_unlock(&lock);
    return taken;
}

void cuda_free_owned(cuda_owned *all)
{
    for (owned *o = all, *next; o; o = next) {
        next = o->next;
        release(o->kind, o->handle);
        free(o);
    }
}
