/* SPDX-License-Identifier: MIT */
/* Contexts: those of devices (primary) and those that programs create; each thread has a stack of them. */
#include <pthread.h>
#include <stdlib.h>

#include "runtime/cuda/exports.h"

enum { DEVICES = 64, DEPTH = 64 };

/* A serial number tells a context from a later one at the same address; primary contexts keep theirs. */
struct cuda_context {
    cuda_context *next;
    uint64_t serial;
    unsigned flags, users; /* of a primary context: how often it is retained */
    int device;
};

typedef struct entry {
    cuda_context *context;
    uint64_t serial;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cuda_context primary[DEVICES]; /* by device */
static cuda_context *created;
static uint64_t serials;

static _Thread_local struct {
    entry stack[DEPTH];
    int count;
} mine;

static bool is_primary(const cuda_context *context)
{
    return context >= primary && context < primary + DEVICES;
}

/* The lock must be held. */
static bool exists(const cuda_context *context)
{
    const cuda_context *c = created;
    if (is_primary(context))
        return context->users > 0;
    while (c && c != context)
        c = c->next;
    return context && c;
}

/* Whether the context that a thread made current still exists; *device is its device. */
static bool is_alive(const entry *e, int *device, unsigned *flags)
{
    pthread_mutex_lock(&lock);
    const bool alive = exists(e->context) && e->context->serial == e->serial;
    if (alive) {
        *device = e->context->device;
        *flags = e->context->flags;
    }
    pthread_mutex_unlock(&lock);
    return alive;
}

static int current(int *device, unsigned *flags)
{
    const entry *top = mine.count ? &mine.stack[mine.count - 1] : NULL;
    if (!top)
        return RT_INVALID_CONTEXT;
    return is_alive(top, device, flags) ? RT_OK : RT_CONTEXT_IS_DESTROYED;
}

int cuda_enter(void)
{
    int device;
    unsigned flags;
    int error = cuda_started();
    if (error == RT_OK)
        error = current(&device, &flags);
    return error == RT_OK ? rt_sticky() : error;
}

int cuda_device(void)
{
    int device = 0;
    unsigned flags;
    (void)current(&device, &flags);
    return device;
}

cuda_context *cuda_context_current(void)
{
    return mine.count ? mine.stack[mine.count - 1].context : NULL;
}

int cuda_context_device(cuda_context *context, int *device)
{
    pthread_mutex_lock(&lock);
    const bool found = exists(context);
    if (found)
        *device = context->device;
    pthread_mutex_unlock(&lock);
    return found ? RT_OK : RT_INVALID_CONTEXT;
}

cuda_context *cuda_context_primary(int device)
{
    return &primary[device];
}

/* ---- Primary contexts ---- */

int cuDevicePrimaryCtxRetain(cuda_context **context, int device)
{
    const int error = context ? cuda_check_device(device) : RT_INVALID_VALUE;
    if (error != RT_OK)
        return error;
    cuda_context *p = &primary[device];
    pthread_mutex_lock(&lock);
    p->users++;
    if (!p->serial)
        p->serial = ++serials;
    p->device = device;
    pthread_mutex_unlock(&lock);
    *context = p;
    return RT_OK;
}

/* The last release destroys it: what is current in a thread is then no context any more. */
int cuDevicePrimaryCtxRelease_v2(int device)
{
    int error = cuda_check_device(device);
    if (error != RT_OK)
        return error;
    pthread_mutex_lock(&lock);
    const bool last = primary[device].users == 1;
    if (primary[device].users)
        primary[device].users--;
    else
        error = RT_INVALID_CONTEXT;
    /* whoever retains it from here on has another one, of which nothing is freed */
    cuda_owned *all = last ? cuda_take_owned(&primary[device]) : NULL;
    pthread_mutex_unlock(&lock);
    if (last)
        error = rt_wait_all();
    cuda_free_owned(all);
    return error;
}

/* Frees what the context owns and clears a kernel's failure; the context itself stays as often retained as it
 * is. */
int cuDevicePrimaryCtxReset_v2(int device)
{
    int error = cuda_check_device(device);
    if (error == RT_OK)
        error = rt_wait_all();
    if (error == RT_OK) {
        cuda_free_owned(cuda_take_owned(&primary[device]));
        rt_set_sticky(RT_OK);
    }
    return error;
}

int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    const int error = cuda_check_device(device);
    if (error != RT_OK)
        return error;
    pthread_mutex_lock(&lock);
    if (flags)
        *flags = primary[device].flags;
    if (active)
        *active = primary[device].users > 0;
    pthread_mutex_unlock(&lock);
    return RT_OK;
}

int cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags)
{
    const int error = cuda_check_device(device);
    if (error != RT_OK)
        return error;
    pthread_mutex_lock(&lock);
    primary[device].flags = flags;
    pthread_mutex_unlock(&lock);
    return RT_OK;
}

/* ---- The stack of a thread ---- */

int cuCtxPushCurrent_v2(cuda_context *context)
{
    const int error = cuda_started();
    if (error != RT_OK)
        return error;
    if (mine.count == DEPTH)
        return RT_INVALID_VALUE;
    pthread_mutex_lock(&lock);
    const bool found = exists(context);
    if (found)
        mine.stack[mine.count++] = (entry){ context, context->serial };
    pthread_mutex_unlock(&lock);
    return found ? RT_OK : RT_INVALID_CONTEXT;
}

int cuCtxPopCurrent_v2(cuda_context **context)
{
    if (!mine.count)
        return RT_INVALID_CONTEXT;
    mine.count--;
    if (context)
        *context = mine.stack[mine.count].context;
    return RT_OK;
}

/* Replaces the top of the stack; with NULL, removes it. */
int cuCtxSetCurrent(cuda_context *context)
{
    const int error = cuda_started();
    if (error != RT_OK)
        return error;
    const int count = mine.count;
    const entry top = count ? mine.stack[count - 1] : (entry){ NULL, 0 };
    if (count)
        mine.count--;
    const int answer = context ? cuCtxPushCurrent_v2(context) : RT_OK;
    if (answer != RT_OK && count)
        mine.stack[mine.count++] = top;
    return answer;
}

int cuCtxGetCurrent(cuda_context **context)
{
    const int error = context ? cuda_started() : RT_INVALID_VALUE;
    if (error == RT_OK)
        *context = cuda_context_current();
    return error;
}

/* ---- Contexts of programs ---- */

int cuCtxCreate_v2(cuda_context **context, unsigned flags, int device)
{
    const int error = context ? cuda_check_device(device) : RT_INVALID_VALUE;
    if (error != RT_OK || mine.count == DEPTH)
        return error == RT_OK ? RT_INVALID_VALUE : error;
    cuda_context *made = calloc(1, sizeof(*made));
    if (!made)
        return RT_OUT_OF_MEMORY;
    made->device = device;
    made->flags = flags;
    pthread_mutex_lock(&lock);
    made->serial = ++serials;
    made->next = created;
    created = made;
    mine.stack[mine.count++] = (entry){ made, made->serial };
    pthread_mutex_unlock(&lock);
    *context = made;
    return RT_OK;
}

int cuCtxCreate_v3(cuda_context **context, void *params, int count, unsigned flags, int device)
{
    return params || count ? RT_UNSUPPORTED : cuCtxCreate_v2(context, flags, device);
}

int cuCtxCreate_v4(cuda_context **context, void *params, unsigned flags, int device)
{
    return params ? RT_UNSUPPORTED : cuCtxCreate_v2(context, flags, device);
}

/* Waits for all work, then frees what the context owns. */
int cuCtxDestroy_v2(cuda_context *context)
{
    int error = cuda_started();
    if (error == RT_OK)
        error = rt_wait_all();
    if (error != RT_OK)
        return error;
    bool found = false;
    pthread_mutex_lock(&lock);
    for (cuda_context **c = &created; *c && !found;) {
        found = *c == context;
        if (found)
            *c = context->next;
        else
            c = &(*c)->next;
    }
    pthread_mutex_unlock(&lock);
    if (!found)
        return RT_INVALID_CONTEXT;
    cuda_free_owned(cuda_take_owned(context));
    if (cuda_context_current() == context)
        mine.count--;
    free(context);
    return RT_OK;
}

/* ---- What is known of the current context ---- */

int cuCtxGetDevice(int *device)
{
    const int error = device ? cuda_enter() : RT_INVALID_VALUE;
    if (error == RT_OK)
        *device = cuda_device();
    return error;
}

int cuCtxSynchronize(void)
{
    int error = cuda_enter();
    if (error == RT_OK)
        error = rt_wait_all();
    return error == RT_OK ? rt_sticky() : error;
}

int cuCtxGetApiVersion(cuda_context *context, unsigned *version)
{
    (void)context;
    if (!version)
        return RT_INVALID_VALUE;
    *version = 3020;
    return RT_OK;
}

int cuCtxGetFlags(unsigned *flags)
{
    int device;
    const int error = flags ? cuda_enter() : RT_INVALID_VALUE;
    return error == RT_OK ? current(&device, flags) : error;
}

int cuCtxSetFlags(unsigned flags)
{
    const int error = cuda_enter();
    if (error != RT_OK)
        return error;
    pthread_mutex_lock(&lock);
    if (exists(cuda_context_current()))
        cuda_context_current()->flags = flags;
    pthread_mutex_unlock(&lock);
    return RT_OK;
}

/* Of the current context, if none is given. */
int cuCtxGetId(cuda_context *context, uint64_t *id)
{
    int error = id ? cuda_enter() : RT_INVALID_VALUE;
    if (error != RT_OK)
        return error;
    cuda_context *c = context ? context : cuda_context_current();
    pthread_mutex_lock(&lock);
    error = exists(c) ? RT_OK : RT_INVALID_CONTEXT;
    if (error == RT_OK)
        *id = c->serial;
    pthread_mutex_unlock(&lock);
    return error;
}

static int check_peer(cuda_context *peer, int answer)
{
    int device, error = cuda_enter();
    if (error == RT_OK)
        error = cuda_context_device(peer, &device);
    return error == RT_OK ? answer : error;
}

/* No device can access another's memory: cuDeviceCanAccessPeer says so. */
int cuCtxEnablePeerAccess(cuda_context *peer, unsigned flags)
{
    return flags ? RT_INVALID_VALUE : check_peer(peer, RT_PEER_UNSUPPORTED);
}

int cuCtxDisablePeerAccess(cuda_context *peer)
{
    return check_peer(peer, RT_PEER_NOT_ENABLED);
}

int cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cuda_enter();
}

int cuCtxSetCacheConfig(int config)
{
    (void)config;
    return cuda_enter();
}
