/* SPDX-License-Identifier: MIT */
/* Tables of numbers that both interfaces answer from: attributes of devices, and errors. */
#ifndef LW_RUNTIME_DEVICE_ROWS_H
#define LW_RUNTIME_DEVICE_ROWS_H

#include <stddef.h>

typedef struct rt_value {
    int number, value;
} rt_value;

typedef struct rt_error_row {
    int number;
    const char *name, *text;
} rt_error_row;

/* The row of a number; NULL: there is none. */
const rt_value *rt_find_value(const rt_value *rows, size_t count, int number);
const rt_error_row *rt_find_error(const rt_error_row *rows, size_t count, int number);

#endif
