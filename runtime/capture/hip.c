/* SPDX-License-Identifier: MIT */
/* HIP: the functions that load code and launch kernels. */
#include <stdio.h>
#include <string.h>

#include "runtime/capture/hip.h"

enum {
    MISSING = 999 /* hipErrorUnknown */,
    PARAM_END = 3,
    PARAM_BUFFER = 1,
    PARAM_SIZE = 2,
    DEVICE_TO_HOST = 2
};

/* ---- What the recorder asks ---- */

static int synchronize(void)
{
    int (*const real)(void) = (int (*)(void))cap_real("hipDeviceSynchronize");
    return real ? real() : MISSING;
}

/* A lookup that fails sets the thread's last error, which the program must not see. */
static void forget_error(int before)
{
    int (*const get)(void) = (int (*)(void))cap_real("hipGetLastError");
    if (get && !before)
        (void)get();
}

static int last_error(void)
{
    int (*const peek)(void) = (int (*)(void))cap_real("hipPeekAtLastError");
    return peek ? peek() : 0;
}

static bool find(uint64_t address, uint64_t *base, uint64_t *size)
{
    typedef int range_fn(void **, size_t *, void *);
    range_fn *const real = (range_fn *)cap_real("hipMemGetAddressRange");
    const int before = last_error();
    void *at = NULL;
    size_t length = 0;
    const bool found = real && real(&at, &length, (void *)(uintptr_t)address) == 0;
    if (!found)
        forget_error(before);
    *base = (uintptr_t)at;
    *size = length;
    return found;
}

static bool read_memory(void *to, uint64_t from, uint64_t size)
{
    typedef int copy_fn(void *, const void *, size_t, int);
    copy_fn *const real = (copy_fn *)cap_real("hipMemcpy");
    return !size || (real && real(to, (const void *)(uintptr_t)from, (size_t)size, DEVICE_TO_HOST) == 0);
}

/* By the host's pointer where a fat binary registers it, else by the module. */
static int variable_of(const cap_function *f, const char *name, void **at, size_t *length)
{
    typedef int global_fn(void **, size_t *, const void *, const char *);
    typedef int address_fn(void **, const void *);
    typedef int size_fn(size_t *, const void *);
    const cap_variable *v = cap_next_variable(f->image, NULL);
    while (v && strcmp(v->name, name) != 0)
        v = cap_next_variable(f->image, v);
    if (!v) {
        global_fn *const get = (global_fn *)cap_real("hipModuleGetGlobal");
        return get && f->image->key ? get(at, length, f->image->key, name) : MISSING;
    }
    address_fn *const get = (address_fn *)cap_real("hipGetSymbolAddress");
    size_fn *const measure = (size_fn *)cap_real("hipGetSymbolSize");
    const int error = get && measure ? get(at, v->host) : MISSING;
    return error == 0 ? measure(length, v->host) : error;
}

static bool variable(const cap_function *f, const char *name, uint64_t *address, uint64_t *size)
{
    void *at = NULL;
    size_t length = 0;
    const int before = last_error();
    const bool found = variable_of(f, name, &at, &length) == 0;
    if (!found)
        forget_error(before);
    *address = (uintptr_t)at;
    *size = length;
    return found;
}

static bool is_recorded(void *stream)
{
    int (*const real)(void *, int *) = (int (*)(void *, int *))cap_real("hipStreamIsCapturing");
    int status = 0;
    return real && real(stream, &status) == 0 && status != 0;
}

/* gcnArchName: its place differs between the structure of HIP 6 and the one before. */
static void describe(char *target, size_t target_size, char *about, size_t about_size)
{
    typedef int properties_fn(void *, int);
    static _Thread_local char properties[4096];
    enum { NAME = 0, NAME_SIZE = 256, ARCH_6 = 1160, ARCH_5 = 396 };
    properties_fn *get = (properties_fn *)cap_real("hipGetDevicePropertiesR0600");
    const size_t at = get ? ARCH_6 : ARCH_5;
    int (*const current)(int *) = (int (*)(int *))cap_real("hipGetDevice");
    int (*const version)(int *) = (int (*)(int *))cap_real("hipRuntimeGetVersion");
    int device = 0, number = 0;
    if (!get)
        get = (properties_fn *)cap_real("hipGetDeviceProperties");
    memset(properties, 0, sizeof(properties));
    if (current)
        (void)current(&device);
    if (get)
        (void)get(properties, device);
    if (version)
        (void)version(&number);
    snprintf(target, target_size, "%.100s", properties + at);
    snprintf(about, about_size, "device %.*s\nHIP %d\n", NAME_SIZE - 1, properties + NAME, number);
}

static void error_text(int error, char *text, size_t size)
{
    typedef const char *name_fn(int);
    name_fn *const name = (name_fn *)cap_real("hipGetErrorName");
    snprintf(text, size, "error %d (%.200s)", error, name ? name(error) : "");
}

static const cap_device hip = { .api = "HIP",
                                .synchronize = synchronize,
                                .find = find,
                                .read = read_memory,
                                .variable = variable,
                                .is_recorded = is_recorded,
                                .describe = describe,
                                .error_text = error_text };

/* ---- Code ---- */

int hipModuleLoad(void **module, const char *path)
{
    int (*const real)(void **, const char *) = (int (*)(void **, const char *))cap_real("hipModuleLoad");
    const int error = real ? real(module, path) : MISSING;
    if (error == 0)
        cap_add_file(*module, path);
    return error;
}

int hipModuleLoadDataEx(void **module, const void *image, unsigned count, int *options, void **values)
{
    typedef int load_fn(void **, const void *, unsigned, int *, void **);
    load_fn *const real = (load_fn *)cap_real("hipModuleLoadDataEx");
    const int error = real ? real(module, image, count, options, values) : MISSING;
    if (error == 0)
        cap_add_image(*module, image);
    return error;
}

int hipModuleLoadData(void **module, const void *image)
{
    int (*const real)(void **, const void *) = (int (*)(void **, const void *))cap_real("hipModuleLoadData");
    const int error = real ? real(module, image) : MISSING;
    if (error == 0)
        cap_add_image(*module, image);
    return error;
}

int hipModuleUnload(void *module)
{
    int (*const real)(void *) = (int (*)(void *))cap_real("hipModuleUnload");
    const int error = real ? real(module) : MISSING;
    if (error == 0)
        cap_remove_image(module);
    return error;
}

int hipModuleGetFunction(void **function, void *module, const char *name)
{
    typedef int get_fn(void **, void *, const char *);
    get_fn *const real = (get_fn *)cap_real("hipModuleGetFunction");
    const int error = real ? real(function, module, name) : MISSING;
    if (error == 0)
        cap_add_function(*function, module, name);
    return error;
}

int hipGetFuncBySymbol(void **function, const void *host)
{
    int (*const real)(void **, const void *) = (int (*)(void **, const void *))cap_real("hipGetFuncBySymbol");
    const int error = real ? real(function, host) : MISSING;
    if (error == 0)
        cap_add_alias(*function, host);
    return error;
}

void **__hipRegisterFatBinary(const void *wrapper)
{
    void **(*const real)(const void *) = (void **(*)(const void *))cap_real("__hipRegisterFatBinary");
    void **binary = real ? real(wrapper) : NULL;
    if (binary)
        cap_add_image((const void *)binary, wrapper);
    return binary;
}

void __hipRegisterFunction(void **binary, const void *host, char *device_name, const char *name,
                           unsigned limit, void *thread, void *block, void *block_size, void *grid_size,
                           int *wave)
{
    typedef void register_fn(void **, const void *, char *, const char *, unsigned, void *, void *, void *,
                             void *, int *);
    register_fn *const real = (register_fn *)cap_real("__hipRegisterFunction");
    if (real)
        real(binary, host, device_name, name, limit, thread, block, block_size, grid_size, wave);
    cap_add_function(host, (const void *)binary, name);
}

void __hipRegisterVar(void **binary, void *host, char *host_name, char *name, int external, size_t size,
                      int constant, int global)
{
    typedef void register_fn(void **, void *, char *, char *, int, size_t, int, int);
    register_fn *const real = (register_fn *)cap_real("__hipRegisterVar");
    if (real)
        real(binary, host, host_name, name, external, size, constant, global);
    cap_add_variable((const void *)binary, host, name, false);
}

void __hipRegisterManagedVar(void **binary, void **slot, void *initial, const char *name, size_t size,
                             unsigned align)
{
    typedef void register_fn(void **, void **, void *, const char *, size_t, unsigned);
    register_fn *const real = (register_fn *)cap_real("__hipRegisterManagedVar");
    if (real)
        real(binary, slot, initial, name, size, align);
    cap_add_variable((const void *)binary, (const void *)slot, name, true);
}

void __hipUnregisterFatBinary(void **binary)
{
    void (*const real)(void **) = (void (*)(void **))cap_real("__hipUnregisterFatBinary");
    cap_remove_image((const void *)binary);
    if (real)
        real(binary);
}

/* ---- Launches ---- */

/* Packed arguments; the vendor's function refuses what is not in this form. */
static void take_extra(void **extra, cap_request *q)
{
    if (!extra || (uintptr_t)extra[0] != PARAM_BUFFER || (uintptr_t)extra[2] != PARAM_SIZE ||
        (uintptr_t)extra[4] != PARAM_END || !extra[3])
        return;
    q->block_of_args = extra[1];
    q->block_size = *(const size_t *)extra[3];
}

static cap_request request(const void *function, dim3 block, size_t shared, void *stream, void **params,
                           void **extra)
{
    cap_request q = { .device = &hip,
                      .function = function,
                      .stream = stream,
                      .block = { block.x, block.y, block.z },
                      .shared = (uint32_t)shared,
                      .params = params };
    take_extra(extra, &q);
    return q;
}

static void set(uint32_t to[3], dim3 d)
{
    to[0] = d.x;
    to[1] = d.y;
    to[2] = d.z;
}

int hipModuleLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                          unsigned bz, unsigned shared, void *stream, void **params, void **extra)
{
    typedef int launch_fn(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          void *, void **, void **);
    launch_fn *const real = (launch_fn *)cap_real("hipModuleLaunchKernel");
    cap_request q = request(function, (dim3){ bx, by, bz }, shared, stream, params, extra);
    set(q.grid, (dim3){ gx, gy, gz });
    cap_record *r = cap_begin(&q);
    return cap_end(r, real ? real(function, gx, gy, gz, bx, by, bz, shared, stream, params, extra) : MISSING);
}

int hipModuleLaunchCooperativeKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                     unsigned by, unsigned bz, unsigned shared, void *stream, void **params)
{
    typedef int launch_fn(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          void *, void **);
    launch_fn *const real = (launch_fn *)cap_real("hipModuleLaunchCooperativeKernel");
    cap_request q = request(function, (dim3){ bx, by, bz }, shared, stream, params, NULL);
    set(q.grid, (dim3){ gx, gy, gz });
    cap_record *r = cap_begin(&q);
    return cap_end(r, real ? real(function, gx, gy, gz, bx, by, bz, shared, stream, params) : MISSING);
}

/* Counts work-items, not workgroups. */
int hipExtModuleLaunchKernel(void *function, uint32_t ix, uint32_t iy, uint32_t iz, uint32_t bx, uint32_t by,
                             uint32_t bz, size_t shared, void *stream, void **params, void **extra,
                             void *start, void *stop, uint32_t flags)
{
    typedef int launch_fn(void *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t, void *,
                          void **, void **, void *, void *, uint32_t);
    launch_fn *const real = (launch_fn *)cap_real("hipExtModuleLaunchKernel");
    cap_request q = request(function, (dim3){ bx, by, bz }, shared, stream, params, extra);
    set(q.items, (dim3){ ix, iy, iz });
    cap_record *r = cap_begin(&q);
    return cap_end(
        r, real ? real(function, ix, iy, iz, bx, by, bz, shared, stream, params, extra, start, stop, flags)
                : MISSING);
}

int hipHccModuleLaunchKernel(void *function, uint32_t ix, uint32_t iy, uint32_t iz, uint32_t bx, uint32_t by,
                             uint32_t bz, size_t shared, void *stream, void **params, void **extra,
                             void *start, void *stop)
{
    typedef int launch_fn(void *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t, void *,
                          void **, void **, void *, void *);
    launch_fn *const real = (launch_fn *)cap_real("hipHccModuleLaunchKernel");
    cap_request q = request(function, (dim3){ bx, by, bz }, shared, stream, params, extra);
    set(q.items, (dim3){ ix, iy, iz });
    cap_record *r = cap_begin(&q);
    return cap_end(r, real
                          ? real(function, ix, iy, iz, bx, by, bz, shared, stream, params, extra, start, stop)
                          : MISSING);
}

typedef int host_launch_fn(const void *, dim3, dim3, void **, size_t, void *);

static int launch_host(const char *name, const void *host, dim3 grid, dim3 block, void **args, size_t shared,
                       void *stream)
{
    host_launch_fn *const real = (host_launch_fn *)cap_real(name);
    cap_request q = request(host, block, shared, stream, args, NULL);
    set(q.grid, grid);
    cap_record *r = cap_begin(&q);
    return cap_end(r, real ? real(host, grid, block, args, shared, stream) : MISSING);
}

int hipLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t shared, void *stream)
{
    return launch_host("hipLaunchKernel", host, grid, block, args, shared, stream);
}

int hipLaunchKernel_spt(const void *host, dim3 grid, dim3 block, void **args, size_t shared, void *stream)
{
    return launch_host("hipLaunchKernel_spt", host, grid, block, args, shared, stream);
}

int hipLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **args, unsigned shared,
                               void *stream)
{
    typedef int launch_fn(const void *, dim3, dim3, void **, unsigned, void *);
    launch_fn *const real = (launch_fn *)cap_real("hipLaunchCooperativeKernel");
    cap_request q = request(host, block, shared, stream, args, NULL);
    set(q.grid, grid);
    cap_record *r = cap_begin(&q);
    return cap_end(r, real ? real(host, grid, block, args, shared, stream) : MISSING);
}

int hipExtLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t shared, void *stream,
                       void *start, void *stop, int flags)
{
    typedef int launch_fn(const void *, dim3, dim3, void **, size_t, void *, void *, void *, int);
    launch_fn *const real = (launch_fn *)cap_real("hipExtLaunchKernel");
    cap_request q = request(host, block, shared, stream, args, NULL);
    set(q.grid, grid);
    cap_record *r = cap_begin(&q);
    return cap_end(r, real ? real(host, grid, block, args, shared, stream, start, stop, flags) : MISSING);
}

/* ---- What is passed on ---- */

int hipGraphLaunch(void *graph, void *stream)
{
    int (*const real)(void *, void *) = (int (*)(void *, void *))cap_real("hipGraphLaunch");
    cap_pass("launched by hipGraphLaunch");
    return real ? real(graph, stream) : MISSING;
}

int hipLaunchByPtr(const void *host)
{
    int (*const real)(const void *) = (int (*)(const void *))cap_real("hipLaunchByPtr");
    cap_pass("launched by hipLaunchByPtr");
    return real ? real(host) : MISSING;
}

int hipDrvLaunchKernelEx(const void *config, void *function, void **params, void **extra)
{
    typedef int launch_fn(const void *, void *, void **, void **);
    launch_fn *const real = (launch_fn *)cap_real("hipDrvLaunchKernelEx");
    cap_pass("launched by hipDrvLaunchKernelEx");
    return real ? real(config, function, params, extra) : MISSING;
}

int hipLaunchKernelExC(const void *config, const void *host, void **args)
{
    typedef int launch_fn(const void *, const void *, void **);
    launch_fn *const real = (launch_fn *)cap_real("hipLaunchKernelExC");
    cap_pass("launched by hipLaunchKernelExC");
    return real ? real(config, host, args) : MISSING;
}

int hipGetProcAddress(const char *name, void **function, int version, uint64_t flags, int *status)
{
    typedef int get_fn(const char *, void **, int, uint64_t, int *);
    get_fn *const real = (get_fn *)cap_real("hipGetProcAddress");
    const int error = real ? real(name, function, version, flags, status) : MISSING;
    if (error == 0 && function && *function)
        *function = cap_instead(name, *function);
    return error;
}

#define HOOK(name)                                                                                           \
    {                                                                                                        \
#name, (uintptr_t)name                                                                               \
    }

const cap_hook cap_hip_hooks[] = {
    HOOK(hipModuleLoad),
    HOOK(hipModuleLoadData),
    HOOK(hipModuleLoadDataEx),
    HOOK(hipModuleUnload),
    HOOK(hipModuleGetFunction),
    HOOK(hipGetFuncBySymbol),
    HOOK(__hipRegisterFatBinary),
    HOOK(__hipRegisterFunction),
    HOOK(__hipRegisterVar),
    HOOK(__hipRegisterManagedVar),
    HOOK(__hipUnregisterFatBinary),
    HOOK(hipModuleLaunchKernel),
    HOOK(hipModuleLaunchCooperativeKernel),
    HOOK(hipExtModuleLaunchKernel),
    HOOK(hipHccModuleLaunchKernel),
    HOOK(hipLaunchKernel),
    HOOK(hipLaunchKernel_spt),
    HOOK(hipLaunchCooperativeKernel),
    HOOK(hipExtLaunchKernel),
    HOOK(hipGraphLaunch),
    HOOK(hipLaunchByPtr),
    HOOK(hipDrvLaunchKernelEx),
    HOOK(hipLaunchKernelExC),
    HOOK(hipGetProcAddress),
    { NULL, 0 },
};
