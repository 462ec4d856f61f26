/* SPDX-License-Identifier: MIT */
/*
 * The GPU of this machine, through HIP's runtime or the CUDA driver. The library is opened when it is needed
 * and never linked; a stand-in (docs/programs.md) is a library like any other.
 */
#ifndef LW_CLI_GPU_RUNTIME_H
#define LW_CLI_GPU_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>

enum { GPU_TEXT = 1024 };

/* The functions that are called, with the types that both vendors' agree on: CUdeviceptr is a pointer's size.
 */
typedef struct gpu_calls {
    int (*init)(unsigned flags);
    int (*count)(int *devices);
    int (*name)(char *name, int size, int device);
    int (*driver)(int *version);
    int (*allocate)(uint64_t *address, size_t size);
    int (*release)(uint64_t address);
    int (*write)(uint64_t to, const void *from, size_t size);
    int (*read)(void *to, uint64_t from, size_t size);
    int (*load)(void **module, const void *image, unsigned count, int *options, void **values);
    int (*find)(void **function, void *module, const char *name);
    int (*unload)(void *module);
    int (*launch)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                  unsigned bz, unsigned shared, void *stream, void **arguments, void **extra);
    int (*wait)(void);
    int (*cuda_text)(int error, const char **text);
    int (*cuda_attribute)(int *value, int attribute, int device);
    int (*cuda_retain)(void **context, int device);
    int (*cuda_use)(void *context);
    const char *(*hip_text)(int error);
    int (*hip_use)(int device);
    int (*hip_properties)(void *properties, int device);
    int (*hip_properties_old)(void *properties, int device);
} gpu_calls;

struct gpu_vendor;

typedef struct gpu {
    const struct gpu_vendor *vendor;
    gpu_calls call;
    void *library;
    const char *library_name;
    char name[256];   /* of the device */
    char target[256]; /* "sm_90", "gfx942:sramecc+:xnack-" */
    int driver;       /* the version as the driver has it: 12040 */
    bool emulated;    /* the library is a stand-in of Lanewise */
    lw_arch arch;
    bool lost;          /* a launch failed: nothing that follows would mean anything */
    char why[GPU_TEXT]; /* after a failure: one sentence */
} gpu;

/*
 * Opens the first device. `api` is "hip" or "cuda"; `library` is NULL for the vendor's usual names. False,
 * with a sentence in `why`: no such API, no library, a function missing, no device, an architecture that
 * Lanewise does not know.
 */
bool gpu_open(const char *api, const char *library, gpu *g);
void gpu_close(gpu *g);

/* All return false with a sentence in g->why. A load that the driver refuses leaves the device usable. */
bool gpu_allocate(gpu *g, size_t size, uint64_t *address);
void gpu_release(gpu *g, uint64_t address);
bool gpu_write(gpu *g, uint64_t to, const void *from, size_t size);
bool gpu_read(gpu *g, void *to, uint64_t from, size_t size);
bool gpu_load(gpu *g, const void *image, const char *kernel, void **module, void **function);
void gpu_unload(gpu *g, void *module);
/* Launches and waits; `arguments` are pointers to the kernel's arguments. */
bool gpu_launch(gpu *g, void *function, const uint32_t grid[3], const uint32_t block[3], unsigned shared,
                void **arguments);

#endif
