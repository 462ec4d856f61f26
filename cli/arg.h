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
    ARG_INOUT,  /* an array from a file, written to another file afterwards */
    ARG_OUT,    /* an array filled with poison, written afterwards */
    ARG_ZERO,   /* an array filled with zeros, written afterwards */
    ARG_VALUE,  /* typed bytes: `value`, `size` */
    ARG_NUMBER, /* a bare number: `text`; the kernel's metadata must give the type */
    ARG_NULL,   /* a null pointer */
    ARG_OVER,   /* a tensor map over the array of another argument */
} arg_form;

/* tma:ARRAY,box=...: a tensor map. If it has an array of its own, that is the argument's array. */
typedef struct arg_tensor {
    lw_tensor_map map;   /* box, steps and swizzle as given; the rest from the array */
    size_t sizes;        /* count of numbers in box= */
    size_t steps;        /* count of numbers in steps= */
    lw_tensor_wide wide; /* wide=, if is_wide */
    bool is_wide;
    lw_tensor_im2col pixels;         /* im2col=; its channels are 0 if that was not given */
    size_t lower_count, upper_count; /* counts of numbers in lower= and upper= */
    char *over;                      /* ARG_OVER: the name or number of the argument that has the array */
    uint8_t bytes[LW_TENSOR_MAP_BYTES];
} arg_tensor;

/* Element types of .npy files by name; sizes are in bits, never bytes, so u8 is an 8-bit number. */
typedef struct arg_type {
    const char *name;
    lw_dtype dtype;
    uint8_t significand; /* fraction bits of a floating-point type; 0 for integers and for codes that two
                            standards define differently (fp8, bf8) */
    uint8_t exponent;    /* exponent bits */
    bool raw;            /* .npy has no such type: its codes are stored */
} arg_type;

enum { ARG_VALUE_ROOM = 4096 }; /* the kernarg segment's limit on AMD GPUs */

typedef struct run_arg {
    const char *word; /* as given */
    const char *text; /* the word after NAME= */
    char *name;       /* of NAME=..., NULL where the argument is positional */
    arg_form form;
    lw_npy array;         /* out: and zero: arrays have no data before they are placed in device memory */
    bool placed;          /* the data are in device memory */
    const arg_type *type; /* of `array` or of a typed value; NULL for bytes:HEX */
    char *out_path;       /* where the array is written afterwards; NULL: nowhere */
    char *read_path;      /* the file that the array, or its type and shape, came from; NULL: none */
    uint8_t *value;
    size_t size;
    arg_tensor *tensor; /* what is passed if the argument is a tensor map; else NULL */
    bool no_memory;     /* it could not be read for lack of memory */
} run_arg;

enum { ARG_POISON = 0xa5 }; /* every byte of an `out:` array before the kernel runs */

/* The bytes of --memory-limit, or the library's default without that option; false if the value is not a
 * size. */
bool arg_memory_limit(const cli_call *call, uint64_t *bytes);

/* CLI_FINE, or reports that the value of --memory-limit is not a size. */
int arg_check_limit(const cli_call *call);

/* For verbs that read files. */
#define CLI_OPTION_MEMORY_LIMIT                                                                              \
    {                                                                                                        \
        .name = "memory-limit", .value = "SIZE",                                                             \
        .help = "bytes (or 512M, 8G) that the files read may take (a quarter of the host's memory)"          \
    }

/* Size of the array in bytes; 0 without an array. */
uint64_t arg_array_bytes(const run_arg *arg);

/* CLI_FINE if another array of that many bytes fits in the memory limit of a call that holds `held` bytes. */
int arg_check_room(const cli_call *call, const char *word, uint64_t held, uint64_t bytes);

/* Whether an address is passed. */
static inline bool arg_is_pointer(const run_arg *arg)
{
    return arg->form != ARG_VALUE && arg->form != ARG_NUMBER && !arg->tensor;
}

/* Reads one word, including its input file, for a call that already holds `held` bytes. Otherwise says what
 * is wrong and returns false. */
bool arg_read(const cli_call *call, const char *word, uint64_t held, run_arg *arg);
void arg_free(run_arg *arg);

/* Removes ",box=64x32,swizzle=128B" from the end of what follows tma:. Returns the array's word, which the
 * caller frees; NULL after putting the reason into `why`. */
char *arg_tensor_read(const char *text, arg_tensor *tensor, char *why, size_t size);
/* Encodes the map for the array at that address into tensor->bytes. */
lw_status arg_tensor_make(arg_tensor *tensor, const lw_npy *array, uint64_t address, lw_error *error);

/* A typed value in little-endian bytes ("i32", "-5"). LW_E_FORMAT with a sentence if it does not fit. */
lw_status arg_value(const arg_type *type, const char *text, uint8_t bytes[8], lw_error *error);

const arg_type *arg_type_find(const char *name, size_t length); /* NULL if there is none */
const arg_type *arg_type_of(lw_dtype dtype);

#endif
