/* SPDX-License-Identifier: MIT */
/*
 * The part of the CUDA driver's public API that this stand-in serves: names, parameters and numbers as cuda.h
 * has them. Handles are pointers that only this library looks into.
 */
#ifndef LW_RUNTIME_CUDA_H
#define LW_RUNTIME_CUDA_H

#include "runtime/device/device.h"

#define CUDA_API __attribute__((visibility("default")))

typedef struct cuda_context cuda_context;
typedef uint64_t cuda_pointer; /* CUdeviceptr */

/* CUDA_MEMCPY2D: memory types 1 (host), 2 (device), 4 (unified). */
typedef struct cuda_rectangle {
    size_t from_x, from_y;
    int from_type;
    const void *from_host;
    cuda_pointer from_device;
    void *from_array;
    size_t from_pitch, to_x, to_y;
    int to_type;
    void *to_host;
    cuda_pointer to_device;
    void *to_array;
    size_t to_pitch, width, height;
} cuda_rectangle;

/* CUDA_MEMCPY3D. */
typedef struct cuda_place {
    size_t x, y, z, level;
    int type;
    void *host;
    cuda_pointer device;
    void *array, *reserved;
    size_t pitch, height;
} cuda_place;

typedef struct cuda_copy_3d {
    cuda_place from, to;
    size_t width, height, depth;
} cuda_copy_3d;

/* CUlaunchAttribute, CUlaunchConfig. */
typedef struct cuda_launch_attribute {
    int id;
    char pad[4];
    union {
        char bytes[64];
        uint32_t cluster[3];
    } value;
} cuda_launch_attribute;

typedef struct cuda_launch_config {
    unsigned grid[3], block[3], shared;
    rt_stream *stream;
    cuda_launch_attribute *attributes;
    unsigned attribute_count;
} cuda_launch_config;

typedef size_t (*cuda_shared_of_block)(int block); /* CUoccupancyB2DSize */
typedef void (*cuda_host_fn)(void *data);
typedef void (*cuda_stream_callback)(rt_stream *stream, int status, void *data);

/* ---- What the files share ---- */

int cuda_enter(void);   /* not initialised, no device, no current context, or a kernel has failed */
int cuda_started(void); /* the same, but for contexts and failed kernels */
int cuda_device(void);  /* that of the current context */
int cuda_check_device(int device);        /* not initialised, or there is no such device */
cuda_context *cuda_context_current(void); /* NULL if none; it may have been destroyed since */
int cuda_context_device(cuda_context *context, int *device); /* RT_INVALID_CONTEXT: it is none */
cuda_context *cuda_context_primary(int device);              /* without retaining it */

/* What a context owns. */
typedef enum cuda_kind {
    CUDA_STREAM,
    CUDA_EVENT,
    CUDA_MODULE,
    CUDA_MEMORY,
    CUDA_PINNED,
    CUDA_REGISTERED
} cuda_kind;
typedef struct cuda_owned cuda_owned;
/* Notes that the current context owns what was made. */
void cuda_own(cuda_kind kind, uint64_t handle);
/* Takes the note before its handle is destroyed, since others may get the handle again at once; then drops
 * it, or puts it back if destroying failed. Returns the error. */
cuda_owned *cuda_disown(cuda_kind kind, uint64_t handle);
int cuda_disowned(cuda_owned *note, int error);
/* The notes of all that a context owns now; what is made in it later is not among them. */
cuda_owned *cuda_take_owned(const cuda_context *context);
/* Frees it. Its work must be done. */
void cuda_free_owned(cuda_owned *all);

#endif
