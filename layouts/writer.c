/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "layouts/writer.h"

void lw_writer_start(lw_writer *w, lw_sink sink, void *context)
{
    w->sink = sink;
    w->context = context;
    w->status = LW_OK;
    w->used = 0;
}

static void flush(lw_writer *w)
{
    if (w->status == LW_OK && w->used)
        w->status = w->sink(w->context, w->buffer, w->used);
    w->used = 0;
}

void lw_writer_put(lw_writer *w, const char *format, ...)
{
    enum { LONGEST = 1024 };
    if (w->used + LONGEST > sizeof(w->buffer))
        flush(w);
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(w->buffer + w->used, LONGEST, format, args);
    va_end(args);
    if (length > 0)
        w->used += length < LONGEST ? (size_t)length : LONGEST - 1;
}

lw_status lw_writer_finish(lw_writer *w)
{
    flush(w);
    return w->status;
}
