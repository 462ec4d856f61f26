/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"

lw_status lw_error_fail(lw_error *error, lw_status status, const char *format, ...)
{
    if (!error)
        return status;
    va_list args;
    va_start(args, format);
    if (vsnprintf(error->text, sizeof(error->text), format, args) < 0)
        error->text[0] = '\0';
    va_end(args);
    return status;
}

void lw_error_append(lw_error *error, const char *format, ...)
{
    if (!error)
        return;
    const size_t used = strlen(error->text);
    va_list args;
    va_start(args, format);
    if (vsnprintf(error->text + used, sizeof(error->text) - used, format, args) < 0)
        error->text[used] = '\0';
    va_end(args);
}
