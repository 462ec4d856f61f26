/* SPDX-License-Identifier: MIT */
/*
 * NumPy .npy files: one array of plain numbers.
 *
 * Read: format versions 1.0, 2.0 and 3.0, little endian (or one-byte) elements, C order. Refused with a
 * sentence: big endian, Fortran order (of arrays where it makes a difference), structured and object
 * arrays, strings, complex numbers. Written: version 1.0. Rules: NumPy documentation, "numpy.lib.format".
 * Formats NumPy lacks (bf16, fp8, fp4, ...) are stored as raw codes in u1 or u2 arrays.
 */
#ifndef LANEWISE_NPY_H
#define LANEWISE_NPY_H

#include <stddef.h>
#include <stdint.h>

#include <lanewise/export.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lw_dtype {
    LW_DTYPE_BOOL,
    LW_DTYPE_I1,
    LW_DTYPE_I2,
    LW_DTYPE_I4,
    LW_DTYPE_I8,
    LW_DTYPE_U1,
    LW_DTYPE_U2,
    LW_DTYPE_U4,
    LW_DTYPE_U8,
    LW_DTYPE_F2,
    LW_DTYPE_F4,
    LW_DTYPE_F8,
    LW_DTYPE_COUNT,
} lw_dtype;

/* Bytes of one element; 0 for a value outside the enumeration. */
LW_API size_t lw_dtype_size(lw_dtype dtype);
/* NumPy's short name ("float32", "uint8", "bool"); NULL for a value outside the enumeration. */
LW_API const char *lw_dtype_name(lw_dtype dtype);
/*
 * Finds one by NumPy's name ("float32"), by its typed code ("<f4", "|u1") or as instructions spell it, with
 * the width in bits ("f32", "i8", "u64", "bool"). NumPy's codes without their first character are not
 * accepted: its i8 has 64 bits. LW_E_NOT_FOUND for anything else.
 */
LW_API lw_status lw_dtype_find(const char *name, lw_dtype *dtype);

enum { LW_NPY_MAX_DIMS = 32 };

/*
 * An array in C order: the last dimension varies fastest. dims 0 is one scalar.
 * lw_npy_read and lw_npy_load allocate `data`; free it with lw_npy_free. When writing, `data` is the
 * caller's.
 */
typedef struct lw_npy {
    lw_dtype dtype;
    unsigned dims;
    uint64_t shape[LW_NPY_MAX_DIMS];
    uint64_t count; /* elements: the product of the shape, 1 for a scalar; ignored when writing */
    void *data;     /* count elements, aligned for any of them; not NULL even when count is 0 */
} lw_npy;

/*
 * Reads one array from `size` bytes. Bytes after the array are refused (LW_E_FORMAT), missing ones too
 * (LW_E_TRUNCATED). LW_E_UNSUPPORTED: a valid file that this library does not read (see above).
 */
LW_API lw_status lw_npy_read(const void *bytes, size_t size, lw_npy *array, lw_error *error);
/* The same from a file. LW_E_IO if it cannot be read; the sentence names path and reason. */
LW_API lw_status lw_npy_load(const char *path, lw_npy *array, lw_error *error);
/*
 * The same for files of at most `memory_limit` bytes; a larger one is not read (LW_E_NO_MEMORY).
 * 0: lw_memory_limit_default() (lanewise/program.h), as in lw_npy_load.
 */
LW_API lw_status lw_npy_load_within(const char *path, uint64_t memory_limit, lw_npy *array, lw_error *error);
/* Frees what lw_npy_read or lw_npy_load allocated and clears `array`. */
LW_API void lw_npy_free(lw_npy *array);

/*
 * Writes the file's bytes into a block to be freed with lw_npy_free_bytes.
 * LW_E_ARGUMENT: dtype or dims out of range, or a shape whose size does not fit in memory.
 */
LW_API lw_status lw_npy_write(const lw_npy *array, void **bytes, size_t *size, lw_error *error);
LW_API void lw_npy_free_bytes(void *bytes);
/*
 * Writes a file: first a new file beside `path`, then renamed over it, so that `path` never holds half
 * an array (a symbolic link is replaced, not followed). LW_E_IO if that fails, or if `path` exists and is not
 * a regular file; `path` is then unchanged.
 */
LW_API lw_status lw_npy_save(const char *path, const lw_npy *array, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
