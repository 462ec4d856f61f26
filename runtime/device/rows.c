/* SPDX-License-Identifier: MIT */
#include "runtime/device/rows.h"

const rt_value *rt_find_value(const rt_value *rows, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}

const rt_error_row *rt_find_error(const rt_error_row *rows, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].number == number)
            return &rows[i];
    return NULL;
}
