/* SPDX-License-Identifier: MIT */
/* Failing with a sentence. */
#ifndef LW_ISA_ERROR_H
#define LW_ISA_ERROR_H

#include <lanewise/status.h>

/*
 * Writes the sentence (truncated if it does not fit; nothing when `error` is NULL) and returns `status`,
 * so that a function can `return lw_error_fail(error, LW_E_..., "...", ...)`.
 */
lw_status lw_error_fail(lw_error *error, lw_status status, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Appends to the sentence; the whole stays NUL-terminated. Nothing when `error` is NULL. */
void lw_error_append(lw_error *error, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
