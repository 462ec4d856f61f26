/* SPDX-License-Identifier: MIT */
#include "emu/device/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

lw_status lw_fail(lw_error *error, lw_status status, const char *format, ...)
{
    if (!error)
        return status;
    va_list args;
    va_start(args, format);
    vsnprintf(error->text, sizeof(error->text), format, args);
    va_end(args);
    return status;
}

void lw_fail_more(lw_error *error, const char *format, ...)
{
    if (!error)
        return;
    const size_t used = strlen(error->text);
    va_list args;
    va_start(args, format);
    vsnprintf(error->text + used, sizeof(error->text) - used, format, args);
    va_end(args);
}
