/* SPDX-License-Identifier: MIT */
/* The words that stand for kernel arguments: x.npy, in:, inout:, out:, zero:, i32:5, 5, bytes:, null, tma:.
 */
#ifndef LW_CLI_ARG_H
#define LW_CLI_ARG_H

#include <lanewise/npy.h>
#include <lanewise/tensor_map.h>

#include "cli/cli.h"

typedef enum arg_form {
    ARG_IN,     /* an array the kernel only reads */
    ARG_INOUT,  /* an array from a file, written to another one afterwards */
    ARG_OUT,    /* an array filled with poison, written afterwards */
    ARG_ZERO,   /* an array filled with zeros, written afterwards */
    ARG_VALUE,  /* typed bytes: `value`, `size` */
    ARG_NUMBER, /* a bare number: `text`; the kernel's metadata has to say the type */
    ARG_NULL,   /* a null pointer */
    ARG_OVER,   /* a tensor map over the array of another argument */
} arg_form;

/* tma:ARRAY,box=...: a tensor map. Its array, if it has one of its own, is the argument's. */
typedef struct arg_tensor {
    lw_tensor_map map; /* box, steps and swizzle as given; the rest as the array says */
    size_t sizes;      /* numbers in box= */
    size_t steps;      /* in steps= */
    char *over;        /* ARG_OVER: the name or the number of the argument that has the array */
    uint8_t bytes[LW_TENSOR_MAP_BYTES];
} arg_tensor;

/* Element types of .npy by their names in words: bits, never bytes, so that u8 is an 8-bit number. */
typedef struct arg_type {
    const char *name;
    lw_dtype dtype;
    uint8_t significand; /* fraction bits of a floating-point type; 0 for integers and for codes that two
                            standards read differently (fp8, bf8) */
    uint8_t exponent;    /* exponent bits */
    bool raw;            /* .npy has no such type: its codes are stored */
} arg_type;

enum { ARG_VALUE_ROOM = 4096 }; /* the kernarg segment's limit on AMD GPUs */

typedef struct run_arg {
    const char *word; /* as given */
    const char *text; /* the word after NAME= */
    char *name;       /* of NAME=..., NULL where the argument is positional */
    arg_form form;
    lw_npy array;         /* out: and zero: have no data before they are placed in device memory */
    bool placed;          /* the data are those in device memory */
    const arg_type *type; /* of `array` or of a typed value; NULL for bytes:HEX */
    char *out_path;       /* where the array goes afterwards; NULL: nowhere */
    char *read_path;      /* the file the array, or its type and shape, came from; NULL: none */
    uint8_t *value;
    size_t size;
    arg_tensor *tensor; /* what is passed, where the argument is a tensor map; else NULL */
    bool no_memory;     /* why it could not be read */
} run_arg;

enum { ARG_POISON = 0xa5 }; /* every byte of an `out:` array before the kernel runs */

/* The bytes of --memory-limit, or what the library takes where there is no such option; false: it is no size.
 */
bool arg_memory_limit(const cli_call *call, uint64_t *bytes);

/* CLI_FINE unless --memory-limit is no size; says so. */
int arg_check_limit(const cli_call *call);

/* For verbs that read files. */
#define CLI_OPTION_MEMORY_LIMIT                                                                              \
    {                                                                                                        \
        .name = "memory-limit", .value = "SIZE",                                                             \
        .help = "bytes (or 512M, 8G) that the files read may take (a quarter of the host's memory)"          \
    }

/* Bytes of the array; 0 where there is none. */
uint64_t arg_array_bytes(const run_arg *arg);

/* CLI_FINE if an array of so many bytes more is within the memory limit of a call that holds `held`. */
int arg_check_room(const cli_call *call, const char *word, uint64_t held, uint64_t bytes);

/* Is an address passed? */
static inline bool arg_is_pointer(const run_arg *arg)
{
    return arg->form != ARG_VALUE && arg->form != ARG_NUMBER && !arg->tensor;
}

/* Reads one word, its input file included, where the call holds `held` bytes already. Says what is wrong and
 * returns false otherwise. */
bool arg_read(const cli_call *call, const char *word, uint64_t held, run_arg *arg);
void arg_free(run_arg *arg);

/* Takes ",box=64x32,swizzle=128B" off the end of what follows tma:. The array's word, to be freed; NULL after
 * saying into `why` what is wrong. */
char *arg_tensor_read(const char *text, arg_tensor *tensor, char *why, size_t size);
/* The map over an array at that address, into tensor->bytes. */
lw_status arg_tensor_make(arg_tensor *tensor, const lw_npy *array, uint64_t address, lw_error *error);

/* A typed value in little-endian bytes ("i32", "-5"). LW_E_FORMAT with a sentence when it does not fit. */
lw_status arg_value(const arg_type *type, const char *text, uint8_t bytes[8], lw_error *error);

const arg_type *arg_type_find(const char *name, size_t length); /* NULL when there is none */
const arg_type *arg_type_of(lw_dtype dtype);

#endif
