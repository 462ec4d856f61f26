/* SPDX-License-Identifier: MIT */
/* What a call returns, and the sentence that says why it failed. */
#ifndef LANEWISE_STATUS_H
#define LANEWISE_STATUS_H

#include <stddef.h>

#include <lanewise/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Every fallible function returns one of these. LW_OK is 0; all others are failures, and a failed call
 * has written none of its results (launches excepted: see launch.h).
 */
#define LW_STATUS_ROWS(ROW)                                                                                  \
    ROW(OK, "done")                                                                                          \
    ROW(E_ARGUMENT, "an argument is out of its documented range")                                            \
    ROW(E_NO_MEMORY, "the host has no more memory, or its limit is reached")                                 \
    ROW(E_NOT_FOUND, "no such name")                                                                         \
    ROW(E_UNSUPPORTED, "this is known but not supported here")                                               \
    ROW(E_TRUNCATED, "input ends inside a structure")                                                        \
    ROW(E_FORMAT, "input is not what it claims to be")                                                       \
    ROW(E_ARCH, "the file or instruction belongs to another architecture")                                   \
    ROW(E_ABSENT, "the library was built without what this input needs")                                     \
    ROW(E_FAULT, "the kernel faulted")                                                                       \
    ROW(E_BUDGET, "the instruction budget ran out")                                                          \
    ROW(E_IO, "a file could not be read or written")                                                         \
    ROW(E_LIVELOCK, "no wave can go on")                                                                     \
    ROW(E_STOPPED, "the time limit has passed")

typedef enum lw_status {
#define LW_STATUS_MEMBER(name, text) LW_##name,
    LW_STATUS_ROWS(LW_STATUS_MEMBER)
#undef LW_STATUS_MEMBER
} lw_status;

/* The sentence of a status, without a full stop; "unknown status" for other values. Never NULL. */
LW_API const char *lw_status_text(lw_status status);

/*
 * Where functions that can fail for many reasons leave one clear sentence: what, where and why.
 * The caller owns it; the text is always NUL-terminated and truncated if it does not fit.
 * Functions take `lw_error *` as an optional argument: NULL means the sentence is not wanted.
 */
typedef struct lw_error {
    char text[1024];
} lw_error;

#ifdef __cplusplus
}
#endif

#endif
