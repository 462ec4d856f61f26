/* SPDX-License-Identifier: MIT */
/* Where functions that write text of any length send it. */
#ifndef LANEWISE_SINK_H
#define LANEWISE_SINK_H

#include <stddef.h>

#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Receives the next `size` bytes (no NUL) of a text. The pieces, joined, are the whole text; how it is
 * cut into pieces is not specified. A return value other than LW_OK stops the writer, which then returns it.
 */
typedef lw_status (*lw_sink)(void *context, const char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
