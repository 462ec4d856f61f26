/* SPDX-License-Identifier: MIT */
/* Formatted text into a sink, in pieces of a few kilobytes. */
#ifndef LW_LAYOUTS_WRITER_H
#define LW_LAYOUTS_WRITER_H

#include <stddef.h>

#include <lanewise/sink.h>

typedef struct lw_writer {
    lw_sink sink;
    void *context;
    lw_status status; /* the first status other than LW_OK; nothing is sent after it */
    size_t used;
    char buffer[4096];
} lw_writer;

void lw_writer_start(lw_writer *w, lw_sink sink, void *context);

/* Writes at most 1023 bytes per call. */
void lw_writer_put(lw_writer *w, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* As snprintf, with less ado for texts and integers; `size` is at least 1. */
void lw_writer_text(char *text, size_t size, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Sends the rest and returns the status. */
lw_status lw_writer_finish(lw_writer *w);

#endif
