/* SPDX-License-Identifier: MIT */
/*
 * The preloaded library of `lanewise capture`. It defines the functions of HIP and of the CUDA driver that
 * load code and launch kernels, under their own names. Each calls the vendor's function, and around a launch
 * the recorder (record.c) reads the memory that the launch can reach and writes a file (store.c). Programs
 * that look functions up get the same definitions: hook.c stands before dlsym, and cuda.c and hip.c before
 * the vendors' own lookups.
 */
#ifndef LW_RUNTIME_CAPTURE_H
#define LW_RUNTIME_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/capture.h>
#include <lanewise/program.h>

#define CAP_API __attribute__((visibility("default")))

/* ---- hook.c: the functions that stand before the vendor's ---- */

typedef struct cap_hook {
    const char *name;
    uintptr_t mine; /* the function of that name in this library */
} cap_hook;

extern const cap_hook cap_hip_hooks[], cap_cuda_hooks[]; /* each ends with a NULL name */

/* The vendor's function of that name; 0: there is none. */
uintptr_t cap_real(const char *name);

/* A lookup of the vendor's returned `real` for `name`: what the program shall get. */
void *cap_instead(const char *name, void *real);

/* ---- An interface, as the recorder needs it ---- */

typedef struct cap_function cap_function;

typedef struct cap_device {
    const char *api; /* "HIP", "CUDA" */
    int (*synchronize)(void);
    bool (*find)(uint64_t address, uint64_t *base, uint64_t *size); /* the allocation that holds it */
    bool (*read)(void *to, uint64_t from, uint64_t size);
    bool (*variable)(const cap_function *function, const char *name, uint64_t *address, uint64_t *size);
    bool (*is_recorded)(void *stream); /* into a graph, instead of being run */
    /* Offset and size of argument `index`; false after the last one. NULL: the interface does not tell. */
    bool (*argument)(const void *function, size_t index, size_t *offset, size_t *size);
    void (*describe)(char *target, size_t target_size, char *about, size_t about_size);
    void (*error_text)(int error, char *text, size_t size);
} cap_device;

/* ---- functions.c: what the program has loaded ---- */

typedef struct cap_image {
    struct cap_image *next;
    const void *key; /* the module, library or fat binary */
    void *bytes;
    size_t size;         /* 0: machine code of NVIDIA, which is not kept */
    lw_program *program; /* once a launch has needed it */
} cap_image;

struct cap_function {
    struct cap_function *next;
    const void *key; /* the function's handle, or the host's pointer that stands for it */
    cap_image *image;
    char *name;
};

/* A variable that a fat binary registers: the host's pointer stands for it. */
typedef struct cap_variable {
    struct cap_variable *next;
    const cap_image *image;
    const void *host;
    char *name;
    bool managed; /* on the device it is a pointer, a copy of the one at `host` */
} cap_variable;

/* The bytes of an image are copied. Its key may be that of one unloaded before. */
void cap_add_image(const void *key, const void *image);
void cap_add_file(const void *key, const char *path);
void cap_add_function(const void *key, const void *image_key, const char *name);
/* Another handle for a function that is known. */
void cap_add_alias(const void *key, const void *known);
void cap_add_variable(const void *image_key, const void *host, const char *name, bool managed);
void cap_remove_image(const void *key);
cap_function *cap_find_function(const void *key);
/* The variables of an image: all with NULL, else those after one. */
const cap_variable *cap_next_variable(const cap_image *image, const cap_variable *after);

/* ---- record.c ---- */

typedef struct cap_request {
    const cap_device *device;
    const void *function;
    void *stream;
    uint32_t grid[3], items[3], block[3], cluster[3], shared;
    void **params;             /* pointers to the arguments, or */
    const void *block_of_args; /* their bytes */
    size_t block_size;
} cap_request;

typedef struct cap_record cap_record;

/* Before a launch and after it: `error` is what the launch returned, and what cap_end returns. */
cap_record *cap_begin(const cap_request *request);
int cap_end(cap_record *record, int error);
/* A way to launch kernels that is passed on and not recorded. */
void cap_pass(const char *how);

/* ---- store.c: settings, files and the report ---- */

typedef struct cap_settings {
    const char *folder, *kernel;
    uint64_t skip, most, limit;
} cap_settings;

const cap_settings *cap_settings_get(void);
/* Writes the file; `path` is chosen if it is "", else replaced. False: `why` says what went wrong. */
bool cap_store(const lw_capture *capture, char *path, size_t path_size, char *why, size_t why_size);
void cap_report(const char *what, const char *detail, const char *kernel);

#endif
