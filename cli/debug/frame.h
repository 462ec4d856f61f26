/* SPDX-License-Identifier: MIT */
/* The frames of the Debug Adapter Protocol: "Content-Length: N", an empty line, N bytes. */
#ifndef LW_CLI_DEBUG_FRAME_H
#define LW_CLI_DEBUG_FRAME_H

#include <stddef.h>

enum { FRAME_HEADER = 4096, FRAME_BODY = 1 << 20 /* the most bytes */ };

typedef enum frame_state { FRAME_MORE, FRAME_WHOLE, FRAME_BAD } frame_state;

/* Looks for a frame at the beginning of `bytes`. FRAME_WHOLE: the body is at `bytes + *at`. FRAME_BAD: *why
 * says why; what follows cannot be read either. FRAME_MORE: it is not complete. */
frame_state frame_find(const char *bytes, size_t size, size_t *at, size_t *body, const char **why);

#endif
