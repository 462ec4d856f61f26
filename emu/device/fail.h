/* SPDX-License-Identifier: MIT */
/* Error messages of failed calls. emu/device depends on the public headers only. */
#ifndef LW_EMU_DEVICE_FAIL_H
#define LW_EMU_DEVICE_FAIL_H

#include <lanewise/status.h>

/* Writes the sentence, unless `error` is NULL, and returns `status`. */
lw_status lw_fail(lw_error *error, lw_status status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Appends to the sentence, as far as there is room. */
void lw_fail_more(lw_error *error, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
