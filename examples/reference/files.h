/* SPDX-License-Identifier: MIT */
/* Just enough .npy (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html) for the examples.
 */
#ifndef REFERENCE_FILES_H
#define REFERENCE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An array of up to two dimensions; `type` is NumPy's: "<u2", "|u1", "<f4", "<f2". */
typedef struct array {
    char type[4];
    size_t shape[2], dims, item, count;
    void *data;
} array;

/* Exits with a message when out of memory. */
array array_new(const char *type, size_t rows, size_t cols);
array array_new_flat(const char *type, size_t count);
void array_free(array *a);

/* DIR/NAME. The readers check type and element count. All exit with a message on failure. */
void array_write(const array *a, const char *dir, const char *name);
array array_read(const char *dir, const char *name, const char *type, size_t count);

/* Prints a message to stderr and exits with status 2. */
_Noreturn void fail(const char *what, const char *why);

#endif
