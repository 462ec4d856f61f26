/* SPDX-License-Identifier: MIT */
#include "cli/gpu/runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = sizeof(gpu_calls) / sizeof(void (*)(void)) };

/* A function's place in gpu_calls, and its name in either library; NULL: not called there. */
static const struct call_row {
    size_t offset;
    const char *cuda, *hip;
    bool optional;
} rows[] = {
    { offsetof(gpu_calls, init), "cuInit", "hipInit", false },
    { offsetof(gpu_calls, count), "cuDeviceGetCount", "hipGetDeviceCount", false },
    { offsetof(gpu_calls, name), "cuDeviceGetName", "hipDeviceGetName", false },
    { offsetof(gpu_calls, driver), "cuDriverGetVersion", "hipDriverGetVersion", false },
    { offsetof(gpu_calls, allocate), "cuMemAlloc_v2", "hipMalloc", false },
    { offsetof(gpu_calls, release), "cuMemFree_v2", "hipFree", false },
    { offsetof(gpu_calls, write), "cuMemcpyHtoD_v2", "hipMemcpyHtoD", false },
    { offsetof(gpu_calls, read), "cuMemcpyDtoH_v2", "hipMemcpyDtoH", false },
    { offsetof(gpu_calls, load), "cuModuleLoadDataEx", "hipModuleLoadDataEx", false },
    { offsetof(gpu_calls, find), "cuModuleGetFunction", "hipModuleGetFunction", false },
    { offsetof(gpu_calls, unload), "cuModuleUnload", "hipModuleUnload", false },
    { offsetof(gpu_calls, launch), "cuLaunchKernel", "hipModuleLaunchKernel", false },
    { offsetof(gpu_calls, wait), "cuCtxSynchronize", "hipDeviceSynchronize", false },
    { offsetof(gpu_calls, cuda_text), "cuGetErrorString", NULL, false },
    { offsetof(gpu_calls, cuda_attribute), "cuDeviceGetAttribute", NULL, false },
    { offsetof(gpu_calls, cuda_retain), "cuDevicePrimaryCtxRetain", NULL, false },
    { offsetof(gpu_calls, cuda_use), "cuCtxSetCurrent", NULL, false },
    { offsetof(gpu_calls, hip_text), NULL, "hipGetErrorString", false },
    { offsetof(gpu_calls, hip_use), NULL, "hipSetDevice", false },
    { offsetof(gpu_calls, hip_properties), NULL, "hipGetDevicePropertiesR0600", true },
    { offsetof(gpu_calls, hip_properties_old), NULL, "hipGetDeviceProperties", false },
};
_Static_assert(sizeof(rows) / sizeof(rows[0]) == CALLS, "a row for each function");

typedef struct gpu_vendor {
    const char *api, *what;
    const char *libraries[3]; /* in the order of trying */
    const char *(*text)(const gpu *g, int error);
    bool (*open)(gpu *g);
} gpu_vendor;

static bool fail(gpu *g, const char *what, int error)
{
    snprintf(g->why, sizeof(g->why), "%s: %s (error %d)", what, g->vendor->text(g, error), error);
    return false;
}

static const char *cuda_text(const gpu *g, int error)
{
    const char *text = NULL;
    return g->call.cuda_text(error, &text) == 0 && text ? text : "an error without a name";
}

static const char *hip_text(const gpu *g, int error)
{
    const char *text = g->call.hip_text(error);
    return text ? text : "an error without a name";
}

static bool cuda_open(gpu *g)
{
    enum { MAJOR = 75, MINOR = 76 }; /* CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR */
    int major = 0, minor = 0;
    void *context = NULL;
    int error = g->call.cuda_attribute(&major, MAJOR, 0);
    if (error == 0)
        error = g->call.cuda_attribute(&minor, MINOR, 0);
    if (error == 0)
        error = g->call.cuda_retain(&context, 0);
    if (error == 0)
        error = g->call.cuda_use(context);
    snprintf(g->target, sizeof(g->target), "sm_%d%d", major, minor);
    return error == 0 || fail(g, "opening the device", error);
}

/* gcnArchName is at another place in the structure that hipGetDevicePropertiesR0600 fills (HIP 6) than in the
 * older one. */
static bool hip_open(gpu *g)
{
    enum { ROOM = 4096, NAME = 1160, OLD_NAME = 396, LONGEST = 255 };
    char *properties = calloc(1, ROOM);
    int error = properties ? g->call.hip_use(0) : 2;
    if (error == 0)
        error = (g->call.hip_properties ? g->call.hip_properties : g->call.hip_properties_old)(properties, 0);
    if (error == 0)
        snprintf(g->target, sizeof(g->target), "%.*s", LONGEST,
                 properties + (g->call.hip_properties ? NAME : OLD_NAME));
    free(properties);
    return error == 0 || fail(g, "opening the device", error);
}

static const gpu_vendor vendors[] = {
    { "cuda", "CUDA's driver", { "libcuda.so.1", "libcuda.so" }, cuda_text, cuda_open },
    { "hip",
      "HIP's runtime",
      { "libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6" },
      hip_text,
      hip_open },
};

static bool find_library(gpu *g, const char *library)
{
    const char *const one[] = { library }, *const *names = library ? one : g->vendor->libraries;
    const size_t count = library ? 1 : sizeof(g->vendor->libraries) / sizeof(g->vendor->libraries[0]);
    char first[GPU_TEXT / 2] = "";
    for (size_t i = 0; i < count && names[i]; i++) {
        g->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        g->library_name = names[i];
        if (g->library)
            return true;
        if (!*first)
            snprintf(first, sizeof(first), "%s", dlerror());
    }
    snprintf(g->why, sizeof(g->why), "%s cannot be loaded: %s", g->vendor->what, first);
    return false;
}

static bool find_calls(gpu *g)
{
    const bool hip = strcmp(g->vendor->api, "hip") == 0;
    for (size_t i = 0; i < CALLS; i++) {
        const char *name = hip ? rows[i].hip : rows[i].cuda;
        void *function = name ? dlsym(g->library, name) : NULL;
        if (name && !function && !rows[i].optional) {
            snprintf(g->why, sizeof(g->why), "%s has no function %s", g->library_name, name);
            return false;
        }
        memcpy((char *)&g->call + rows[i].offset, &function, sizeof(function));
    }
    g->emulated = dlsym(g->library, "lanewise_standin") != NULL;
    return true;
}

/* Whether the driver takes PTX for a target. */
static bool takes_target(gpu *g, const char *target)
{
    char text[256];
    void *module, *function;
    snprintf(text, sizeof(text),
             ".version 8.7\n.target %.32s\n.address_size 64\n.visible .entry k()\n{\n ret;\n}\n", target);
    if (!gpu_load(g, text, "k", &module, &function))
        return false;
    gpu_unload(g, module);
    return true;
}

/* The target with the suffix a has all instructions of the device; older drivers do not know it. */
static bool find_arch(gpu *g)
{
    char name[sizeof(g->target) + 1];
    lw_arch plain = LW_ARCH_NONE;
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(g->target, ":"), g->target);
    const bool known = lw_arch_find(name, &plain) == LW_OK;
    strcat(name, strncmp(name, "sm_", 3) == 0 ? "a" : "");
    if (lw_arch_find(name, &g->arch) == LW_OK && (g->arch == plain || !known || takes_target(g, name)))
        return true;
    g->arch = plain;
    if (known)
        return true;
    name[strcspn(name, "a")] = '\0';
    snprintf(g->why, sizeof(g->why), "%.200s is a %.200s, which this version does not know", g->name, name);
    return false;
}

static bool open_device(gpu *g)
{
    int devices = 0;
    int error = g->call.init(0);
    if (error == 0)
        error = g->call.count(&devices);
    if (error != 0)
        return fail(g, "looking for a device", error);
    if (devices < 1) {
        snprintf(g->why, sizeof(g->why), "%s offers no device", g->library_name);
        return false;
    }
    error = g->call.name(g->name, sizeof(g->name) - 1, 0);
    if (error == 0)
        error = g->call.driver(&g->driver);
    if (error != 0)
        return fail(g, "asking for the device", error);
    return g->vendor->open(g) && find_arch(g);
}

bool gpu_open(const char *api, const char *library, gpu *g)
{
    *g = (gpu){ .vendor = NULL };
    for (size_t i = 0; i < sizeof(vendors) / sizeof(vendors[0]); i++)
        if (strcmp(vendors[i].api, api) == 0)
            g->vendor = &vendors[i];
    if (!g->vendor) {
        snprintf(g->why, sizeof(g->why), "needs hip or cuda, not '%.100s'", api);
        return false;
    }
    if (find_library(g, library) && find_calls(g) && open_device(g))
        return true;
    gpu_close(g);
    return false;
}

void gpu_close(gpu *g)
{
    /* not dlclose: drivers leave threads and exit handlers behind */
    g->library = NULL;
}

bool gpu_allocate(gpu *g, size_t size, uint64_t *address)
{
    *address = 0;
    const int error = g->call.allocate(address, size);
    return error == 0 || fail(g, "allocating memory", error);
}

void gpu_release(gpu *g, uint64_t address)
{
    if (address)
        (void)g->call.release(address);
}

bool gpu_write(gpu *g, uint64_t to, const void *from, size_t size)
{
    const int error = size ? g->call.write(to, from, size) : 0;
    return error == 0 || fail(g, "copying to the device", error);
}

bool gpu_read(gpu *g, void *to, uint64_t from, size_t size)
{
    const int error = size ? g->call.read(to, from, size) : 0;
    return error == 0 || fail(g, "copying from the device", error);
}

/* CUDA's driver says in a buffer what it does not accept in PTX. */
bool gpu_load(gpu *g, const void *image, const char *kernel, void **module, void **function)
{
    enum { ERROR_LOG = 5, ERROR_LOG_SIZE = 6, LOG = 512 };
    char log[LOG] = "";
    int options[] = { ERROR_LOG, ERROR_LOG_SIZE };
    void *values[] = { log, (void *)(uintptr_t)sizeof(log) };
    const bool cuda = strcmp(g->vendor->api, "cuda") == 0;
    int error = g->call.load(module, image, cuda ? 2 : 0, cuda ? options : NULL, cuda ? values : NULL);
    if (error != 0) {
        log[LOG - 1] = '\0';
        for (char *at = log; *at; at++)
            *at = *at == '\n' ? ' ' : *at;
        snprintf(g->why, sizeof(g->why), "the driver refuses the code: %s (error %d)%s%s",
                 g->vendor->text(g, error), error, *log ? ": " : "", log);
        *module = NULL;
        return false;
    }
    error = g->call.find(function, *module, kernel);
    if (error == 0)
        return true;
    gpu_unload(g, *module);
    *module = NULL;
    return fail(g, "looking for the kernel", error);
}

void gpu_unload(gpu *g, void *module)
{
    if (module && !g->lost)
        (void)g->call.unload(module);
}

bool gpu_launch(gpu *g, void *function, const uint32_t grid[3], const uint32_t block[3], unsigned shared,
                void **arguments)
{
    int error = g->call.launch(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared,
                               NULL, arguments, NULL);
    if (error == 0)
        error = g->call.wait();
    g->lost = error != 0;
    return error == 0 || fail(g, "running the kernel", error);
}
