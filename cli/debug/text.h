/* SPDX-License-Identifier: MIT */
/* A text that grows. */
#ifndef LW_CLI_DEBUG_TEXT_H
#define LW_CLI_DEBUG_TEXT_H

#include <stddef.h>

typedef struct debug_text {
    char *at; /* ends in NUL; NULL: empty */
    size_t size, room;
} debug_text;

void debug_say(debug_text *text, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;
void debug_add(debug_text *text, const char *bytes, size_t size);
const char *debug_text_of(const debug_text *text); /* "" if it is empty */
void debug_text_clear(debug_text *text);
void debug_text_free(debug_text *text);

#endif
