/* SPDX-License-Identifier: MIT */
/*
 * The emulated device behind the stand-ins for vendors' runtimes: settings, memory, streams, modules,
 * launches.
 *
 * Functions return the numbers that hip_runtime_api.h and cuda.h assign to errors, 0 for success; the two
 * share the ones below. Every function may be called from any thread.
 */
#ifndef LW_RUNTIME_DEVICE_H
#define LW_RUNTIME_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/lanewise.h>

enum {
    RT_OK = 0,
    RT_INVALID_VALUE = 1,
    RT_OUT_OF_MEMORY = 2,
    RT_NOT_INITIALIZED = 3,
    RT_INVALID_CONFIGURATION = 9,
    RT_INVALID_SYMBOL = 13,
    RT_INVALID_DEVICE_POINTER = 17,
    RT_INVALID_DIRECTION = 21,
    RT_INVALID_DEVICE_FUNCTION = 98,
    RT_NO_DEVICE = 100,
    RT_INVALID_DEVICE = 101,
    RT_INVALID_IMAGE = 200,
    RT_NO_BINARY_FOR_DEVICE = 209,
    RT_INVALID_CONTEXT = 201,
    RT_PEER_UNSUPPORTED = 217,
    RT_INVALID_PTX = 218,
    RT_FILE_NOT_FOUND = 301,
    RT_INVALID_HANDLE = 400,
    RT_NOT_FOUND = 500,
    RT_NOT_READY = 600,
    RT_ILLEGAL_ADDRESS = 700,
    RT_OUT_OF_RESOURCES = 701,
    RT_PEER_NOT_ENABLED = 705,
    RT_CONTEXT_IS_DESTROYED = 709,
    RT_ASSERT = 710,
    RT_ALREADY_REGISTERED = 712,
    RT_NOT_REGISTERED = 713,
    RT_MISALIGNED_ADDRESS = 716, /* CUDA's; AMD's GPUs take any address */
    RT_LAUNCH_FAILURE = 719,
    RT_COOPERATIVE_TOO_LARGE = 720,
    RT_NOT_PERMITTED = 800, /* CUDA's; HIP has no such error */
    RT_UNSUPPORTED = 801,
};

typedef struct rt_product {
    const char *target, *name, *gcn_name;
    int units, wave, shared_unit_kib;
    int memory_gib, mhz, major, minor, pci_device, unit_threads, unit_groups;
} rt_product;

/* The target where the environment names none: each stand-in defines its own. Devices are of its vendor. */
extern const char rt_default_arch[];

/*
 * Settings from the environment: LANEWISE_ARCH (a target or a product), LANEWISE_DEVICES (how many;
 * 1), LANEWISE_CHECK (checks of every launch, separated by commas), LANEWISE_REPORT (a file to which a line
 * for each kernel is appended when the process ends). Read once. Not RT_OK if a value is invalid; stderr then
 * says so, once.
 */
int rt_start(void);

/* Valid after rt_start. */
const rt_product *rt_product_get(void);
lw_arch rt_arch(void);
/* The most bytes of LDS or shared memory of a workgroup. */
int rt_lds_size(void);
int rt_device_count(void);
/* The device at an address on the PCI bus (domain:bus:slot.function, or without the domain): device N has bus
 * N + 1. RT_INVALID_VALUE: it is no such address; RT_INVALID_DEVICE: there is none. */
int rt_device_at(const char *bus_id, int *device);

/* Is the device NVIDIA's, for which modules are PTX? Else AMD's. */
bool rt_is_nvidia(void);

/* Prints one line on stderr, after "lanewise: ". */
void rt_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The first failure of a kernel, which every later call returns; RT_OK if there was none. RT_OK clears
 * it. */
int rt_sticky(void);
void rt_set_sticky(int error);

/*
 * The memory of all devices. The lock is held while anything reads or changes the memory or a kernel runs.
 * Host functions in streams run without it.
 */
lw_memory *rt_memory_lock(void);
void rt_memory_unlock(void);

/* ---- Memory ---- */

typedef enum rt_kind {
    RT_DEVICE,  /* not readable by the host */
    RT_PINNED,  /* accessible to the host and to kernels, at one address */
    RT_MANAGED, /* the same */
    RT_REGISTERED,
} rt_kind;

typedef struct rt_range {
    uint64_t address, size;
    rt_kind kind;
    int device;
    unsigned flags; /* the caller's */
} rt_range;

/* `size` is not 0. Pinned and managed memory begins at a page boundary and takes no room until it is
 * touched. */
int rt_allocate(rt_kind kind, int device, uint64_t size, unsigned flags, const char *name, uint64_t *address);
/* Makes the host's own memory accessible, until rt_unregister. */
int rt_register(void *host, uint64_t size, int device, unsigned flags);
/* RT_INVALID_VALUE: no allocation of that kind begins there. Waits for all streams. */
int rt_free(uint64_t address, bool pinned);
int rt_unregister(void *host);
/* The allocation that contains `address`; false if none. */
bool rt_find(uint64_t address, rt_range *range);
/* Bytes that are free, and the total. */
void rt_room(uint64_t *left, uint64_t *all);

/* A rectangle of bytes: `width` in each of `height` rows, `depth` slices of `slice` bytes. A copy of `size`
 * bytes has width = size, height = depth = 1. */
typedef struct rt_box {
    uint64_t width, height, depth;
    uint64_t to_pitch, to_slice, from_pitch, from_slice;
} rt_box;

/* Whether both sides are inside the memory in which they begin; RT_INVALID_VALUE if not. Unregistered host
 * memory cannot be checked. */
int rt_copy_check(uint64_t to, uint64_t from, const rt_box *box);
/* Whether either side is unregistered host memory. Such a copy must finish before the call returns. */
bool rt_copy_is_pageable(uint64_t to, uint64_t from);
/* The box must have been checked; this function locks the memory. */
int rt_copy(uint64_t to, uint64_t from, const rt_box *box);
/* `count` elements of `unit` bytes (1, 2, 4) in each of `rows` rows. */
int rt_fill_check(uint64_t to, uint64_t pitch, uint64_t rows, uint64_t count, unsigned unit);
int rt_fill(uint64_t to, uint64_t pitch, uint64_t rows, uint64_t count, unsigned unit, uint32_t value);

/* ---- Streams and events ---- */

typedef struct rt_stream rt_stream;
typedef struct rt_event rt_event;

/* NULL is the null stream, which waits for all blocking streams, and they for it. `owner` is the context of
 * the vendor's runtime in which it is created. */
int rt_stream_create(bool blocking, unsigned flags, int priority, void *owner, rt_stream **stream);
/* Queued work is finished first, without the caller waiting. Until then, rt_wait_all and the null stream wait
 * for it. */
int rt_stream_destroy(rt_stream *stream);
bool rt_stream_is(const rt_stream *stream); /* an existing stream, or NULL */
/* For programs compiled with a default stream per thread: NULL is the calling thread's own, which both APIs
 * call 2. */
static inline rt_stream *rt_stream_own(rt_stream *stream)
{
    return stream ? stream : (rt_stream *)(uintptr_t)2;
}
unsigned rt_stream_flags(const rt_stream *stream);
int rt_stream_priority(const rt_stream *stream);
void *rt_stream_owner(const rt_stream *stream); /* NULL: the null stream, or a thread's own */

/* Queues work, which runs in the stream's order on its own thread. `run` owns `payload` and frees it. With
 * `wait`, waits for it and returns *run's result. RT_OUT_OF_MEMORY: no thread could be created; nothing is
 * queued. */
typedef int (*rt_work)(void *payload);
int rt_stream_push(rt_stream *stream, rt_work run, void *payload, bool wait);
/* RT_NOT_READY or RT_OK. */
int rt_stream_query(rt_stream *stream);
int rt_stream_wait(rt_stream *stream);
int rt_wait_all(void);

int rt_event_create(unsigned flags, bool timing, rt_event **event);
int rt_event_destroy(rt_event *event);
int rt_event_record(rt_event *event, rt_stream *stream);
int rt_event_query(rt_event *event);
int rt_event_wait(rt_event *event);
int rt_stream_wait_event(rt_stream *stream, rt_event *event);
int rt_event_elapsed(float *ms, rt_event *from, rt_event *to);

/* ---- Work of streams ---- */

/* The stream that a program's handle names: 1 is the null stream, 2 the calling thread's own, which is made
 * when it is first named. False: there is no such stream. */
bool rt_stream_of(rt_stream *handle, rt_stream **stream);

/* Checks a copy or a fill, and queues it. A copy from or to pageable memory is waited for. */
int rt_queue_copy(uint64_t to, uint64_t from, const rt_box *box, rt_stream *stream, bool wait);
int rt_queue_fill(uint64_t to, uint64_t pitch, uint64_t rows, uint64_t count, unsigned unit, uint32_t value,
                  rt_stream *stream, bool wait);

/* A function of the host, of one of two types; the other is NULL. */
typedef struct rt_host_call {
    void (*function)(void *data);
    void (*callback)(rt_stream *handle, int status, void *data);
    rt_stream *handle; /* as the program gave it */
    void *data;
} rt_host_call;
int rt_queue_host(rt_stream *stream, const rt_host_call *call);

/* ---- Modules and launches ---- */

typedef struct rt_module rt_module;
typedef struct rt_function rt_function;

/*
 * An image of unknown length: a code object, an offload bundle, plain or compressed, or a fat binary's
 * wrapper of these. The message says why it was refused. The bytes are copied.
 */
int rt_module_load(const void *image, int device, rt_module **module, lw_error *error);
int rt_module_load_file(const char *path, int device, rt_module **module, lw_error *error);
int rt_module_unload(rt_module *module);
int rt_module_function(rt_module *module, const char *name, rt_function **function);
int rt_module_global(rt_module *module, const char *name, uint64_t *address, uint64_t *size);
bool rt_function_is(const rt_function *function);
rt_module *rt_function_module(const rt_function *function);
const lw_kernel_info *rt_function_info(const rt_function *function);
/* A number that the vendor's runtime keeps with a function: bytes of dynamic shared memory; 0 at first. */
uint32_t rt_function_dynamic(const rt_function *function);
void rt_function_set_dynamic(rt_function *function, uint32_t bytes);

typedef struct rt_launch {
    uint32_t grid[3], block[3];
    uint32_t shared;
    void **params;             /* one for each argument, or: */
    const void *block_of_args; /* their bytes, of which there are: */
    size_t block_size;
} rt_launch;

/* Copies the arguments, and queues. Sizes have been checked as the vendor's runtime checks them. */
int rt_function_launch(rt_function *function, rt_stream *stream, const rt_launch *launch);
/* Workgroups per compute unit. */
int rt_occupancy(const rt_function *function, unsigned block, size_t dynamic, int *groups);

/* ---- What ran ---- */

/* Adds a launch to the report. `findings` are those of checks. */
void rt_report_launch(const char *kernel, const lw_launch_result *result, lw_status status, size_t errors,
                      size_t findings);
/* An image that a module was made from: its hash is told, if there is a report. */
void rt_report_code(const void *bytes, size_t size);
void rt_report_call(const char *name); /* a function that is not implemented: reported once for each name */

#endif
