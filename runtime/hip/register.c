/* SPDX-License-Identifier: MIT */
/* Programs with embedded kernels: what clang's constructors register, and what its launch stubs call. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/hip/hip.h"

/* The code object of a fat binary on one device, which has its own variables. */
typedef struct code {
    rt_module *module;
    bool tried;
    int error;
} code;

/* The fat binary of a source file; its code object is loaded when some part of it is first used on a
 * device. */
enum { DEVICES = 64 };
typedef struct binary {
    struct binary *next;
    const void *wrapper;
    code on[DEVICES];
} binary;

typedef enum item_kind { KERNEL, VARIABLE, MANAGED } item_kind;

/* A host address that stands for an object on the device. */
typedef struct item {
    struct item *next;
    item_kind kind;
    binary *of;
    const void *host;
    char *name;
    uint64_t address; /* MANAGED: the memory itself */
    size_t size;
} item;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static binary *binaries;
static item *items;

/* The grid of a launch, between evaluating `<<< >>>` and calling the stub. */
enum { MOST_PUSHED = 16 };
typedef struct configuration {
    dim3 grid, block;
    size_t shared;
    rt_stream *stream;
} configuration;
static _Thread_local configuration pushed[MOST_PUSHED];
static _Thread_local int pushed_count;

void **__hipRegisterFatBinary(const void *wrapper)
{
    binary *b = calloc(1, sizeof(*b));
    if (!b || !wrapper)
        return NULL;
    b->wrapper = wrapper;
    pthread_mutex_lock(&lock);
    b->next = binaries;
    binaries = b;
    pthread_mutex_unlock(&lock);
    return (void **)b;
}

static void add(item_kind kind, void **of, const void *host, const char *name, uint64_t address, size_t size)
{
    item *i = calloc(1, sizeof(*i));
    char *copy = strdup(name);
    if (!i || !copy) { /* it will not be found, and using it is an error */
        free(i);
        free(copy);
        return;
    }
    *i = (item){
        .kind = kind, .of = (binary *)of, .host = host, .name = copy, .address = address, .size = size
    };
    pthread_mutex_lock(&lock);
    i->next = items;
    items = i;
    pthread_mutex_unlock(&lock);
}

void __hipRegisterFunction(void **of, const void *host, char *device_name, const char *name, unsigned limit,
                           void *thread, void *block, void *block_size, void *grid_size, int *wave)
{
    (void)device_name, (void)limit, (void)thread, (void)block, (void)block_size, (void)grid_size, (void)wave;
    add(KERNEL, of, host, name, 0, 0);
}

void __hipRegisterVar(void **of, void *host, char *host_name, char *name, int external, size_t size,
                      int constant, int global)
{
    (void)host_name, (void)external, (void)constant, (void)global;
    add(VARIABLE, of, host, name, 0, size);
}

/* The program accesses the memory through the pointer in `slot`, the device through a pointer of the same
 * name. */
void __hipRegisterManagedVar(void **of, void **slot, void *initial, const char *name, size_t size,
                             unsigned align)
{
    uint64_t address = 0;
    (void)align; /* page alignment suffices */
    if (!size || hip_enter() != RT_OK || rt_allocate(RT_MANAGED, 0, size, 0, name, &address) != RT_OK)
        return;
    memcpy((void *)(uintptr_t)address, initial, size);
    *slot = (void *)(uintptr_t)address;
    add(MANAGED, of, slot, name, address, size);
}

void __hipRegisterSurface(void **of, void *host, char *host_name, char *name, int type, int external)
{
    (void)of, (void)host, (void)host_name, (void)name, (void)type, (void)external;
    rt_report_call("a surface");
}

void __hipRegisterTexture(void **of, void *host, char *host_name, char *name, int type, int normal,
                          int external)
{
    (void)of, (void)host, (void)host_name, (void)name, (void)type, (void)normal, (void)external;
    rt_report_call("a texture");
}

void __hipUnregisterFatBinary(void **of)
{
    binary *b = (binary *)of;
    if (!b)
        return;
    pthread_mutex_lock(&lock);
    for (binary **at = &binaries; *at; at = &(*at)->next)
        if (*at == b) {
            *at = b->next;
            break;
        }
    for (item **at = &items; *at;) {
        item *i = *at;
        if (i->of != b) {
            at = &i->next;
            continue;
        }
        *at = i->next;
        free(i->name);
        free(i);
    }
    pthread_mutex_unlock(&lock);
    for (int d = 0; d < DEVICES; d++)
        if (b->on[d].module && rt_start() == RT_OK)
            (void)rt_module_unload(b->on[d].module);
    free(b);
}

/* Writes the addresses of managed variables into a newly loaded module. */
static int bind_managed(const binary *b, rt_module *module)
{
    int error = RT_OK;
    for (const item *i = items; i && error == RT_OK; i = i->next) {
        uint64_t address = 0, size = 0;
        if (i->of != b || i->kind != MANAGED)
            continue;
        error = rt_module_global(module, i->name, &address, &size);
        const rt_box box = { sizeof(i->address), 1, 1, 0, 0, 0, 0 };
        if (error == RT_OK)
            error = rt_copy(address, (uintptr_t)&i->address, &box);
    }
    return error;
}

/* On the current device. The lock must be held. */
static int load(binary *b, rt_module **module)
{
    lw_error error = { "" };
    code *c = &b->on[*hip_device()];
    if (!c->tried) {
        c->tried = true;
        c->error = rt_module_load(b->wrapper, *hip_device(), &c->module, &error);
        if (c->error == RT_OK)
            c->error = bind_managed(b, c->module);
        else
            rt_say("the program's kernels: %s: %s", hipGetErrorString(c->error), error.text);
    }
    *module = c->module;
    return c->error;
}

static const item *find(const void *host, bool kernel)
{
    const item *i = items;
    while (i && (i->host != host || (i->kind == KERNEL) != kernel))
        i = i->next;
    return i;
}

int hip_function_of(const void *host, rt_function **function)
{
    int error = hip_enter();
    if (error != RT_OK)
        return error;
    rt_module *module;
    pthread_mutex_lock(&lock);
    const item *i = find(host, true);
    error = i ? load(i->of, &module) : RT_INVALID_DEVICE_FUNCTION;
    if (error == RT_OK)
        error = rt_module_function(module, i->name, function);
    pthread_mutex_unlock(&lock);
    return error;
}

static int variable_of(const void *host, uint64_t *address, uint64_t *size)
{
    int error = hip_enter();
    if (error != RT_OK)
        return error;
    rt_module *module;
    pthread_mutex_lock(&lock);
    const item *i = find(host, false);
    error = i ? load(i->of, &module) : RT_INVALID_SYMBOL;
    if (error == RT_OK && i->kind == MANAGED) {
        *address = i->address;
        *size = i->size;
    } else if (error == RT_OK) {
        error = rt_module_global(module, i->name, address, size);
    }
    pthread_mutex_unlock(&lock);
    return error;
}

int hipGetSymbolAddress(void **pointer, const void *symbol)
{
    uint64_t address, size;
    const int error = pointer ? variable_of(symbol, &address, &size) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *pointer = (void *)(uintptr_t)address;
    return hip_done(error);
}

int hipGetSymbolSize(size_t *bytes, const void *symbol)
{
    uint64_t address, size;
    const int error = bytes ? variable_of(symbol, &address, &size) : RT_INVALID_VALUE;
    if (error == RT_OK)
        *bytes = size;
    return hip_done(error);
}

/* The part of a variable that is copied. */
static int part_of(const void *symbol, size_t size, size_t offset, uint64_t *address)
{
    uint64_t whole = 0;
    const int error = variable_of(symbol, address, &whole);
    if (error == RT_OK && (offset > whole || size > whole - offset))
        return RT_INVALID_VALUE;
    *address += offset;
    return error;
}

int hipMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset, int kind,
                           rt_stream *stream)
{
    uint64_t address = 0;
    const int error = part_of(symbol, size, offset, &address);
    return error == RT_OK ? hipMemcpyAsync((void *)(uintptr_t)address, from, size, kind, stream)
                          : hip_done(error);
}

int hipMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, int kind,
                             rt_stream *stream)
{
    uint64_t address = 0;
    const int error = part_of(symbol, size, offset, &address);
    return error == RT_OK ? hipMemcpyAsync(to, (void *)(uintptr_t)address, size, kind, stream)
                          : hip_done(error);
}

int hipMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, int kind)
{
    uint64_t address = 0;
    const int error = part_of(symbol, size, offset, &address);
    return error == RT_OK ? hipMemcpy((void *)(uintptr_t)address, from, size, kind) : hip_done(error);
}

int hipMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, int kind)
{
    uint64_t address = 0;
    const int error = part_of(symbol, size, offset, &address);
    return error == RT_OK ? hipMemcpy(to, (void *)(uintptr_t)address, size, kind) : hip_done(error);
}

int hipGetFuncBySymbol(rt_function **function, const void *host)
{
    return hip_done(function ? hip_function_of(host, function) : RT_INVALID_VALUE);
}

int __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared, rt_stream *stream)
{
    if (pushed_count == MOST_PUSHED)
        return hip_done(RT_INVALID_VALUE);
    pushed[pushed_count++] = (configuration){ grid, block, shared, stream };
    return RT_OK;
}

int __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, rt_stream **stream)
{
    if (!pushed_count)
        return hip_done(RT_INVALID_VALUE);
    const configuration c = pushed[--pushed_count];
    *grid = c.grid;
    *block = c.block;
    *shared = c.shared;
    *stream = c.stream;
    return RT_OK;
}

int hipLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t shared, rt_stream *stream)
{
    rt_function *function;
    const int error = hip_function_of(host, &function);
    return hip_done(error == RT_OK ? hip_start_kernel(function, grid, block, args, shared, stream) : error);
}

/* Compiled with a default stream per thread: 0 is the thread's own. */
int hipLaunchKernel_spt(const void *host, dim3 grid, dim3 block, void **args, size_t shared,
                        rt_stream *stream)
{
    return hipLaunchKernel(host, grid, block, args, shared, rt_stream_own(stream));
}

int hipLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **args, unsigned shared,
                               rt_stream *stream)
{
    rt_function *function;
    const int error = hip_function_of(host, &function);
    if (error != RT_OK)
        return hip_done(error);
    return hipModuleLaunchCooperativeKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                            shared, stream, args);
}
