/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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

/* Whether there are only %u, %d and %s: nearly all text of a picture, for which vsnprintf is slow. */
static bool is_simple(const char *format)
{
    while ((format = strchr(format, '%')) != NULL) {
        if (format[1] != 'u' && format[1] != 'd' && format[1] != 's')
            return false;
        format += 2;
    }
    return true;
}

static void put_bytes(lw_writer *w, size_t *room, const char *bytes, size_t size)
{
    size = size < *room ? size : *room;
    memcpy(w->buffer + w->used, bytes, size);
    w->used += size;
    *room -= size;
}

static void put_number(lw_writer *w, size_t *room, unsigned n, bool negative)
{
    char digits[12], *at = digits + sizeof(digits);
    do
        *--at = (char)('0' + n % 10);
    while (n /= 10);
    if (negative)
        *--at = '-';
    put_bytes(w, room, at, (size_t)(digits + sizeof(digits) - at));
}

static void put_simple(lw_writer *w, size_t room, const char *format, va_list *args)
{
    while (*format) {
        const size_t plain = strcspn(format, "%");
        put_bytes(w, &room, format, plain);
        format += plain;
        if (!*format)
            return;
        if (format[1] == 's') {
            const char *text = va_arg(*args, const char *);
            put_bytes(w, &room, text, strlen(text));
        } else if (format[1] == 'u') {
            put_number(w, &room, va_arg(*args, unsigned), false);
        } else {
            const int n = va_arg(*args, int);
            put_number(w, &room, n < 0 ? 0u - (unsigned)n : (unsigned)n, n < 0);
        }
        format += 2;
    }
}

void lw_writer_put(lw_writer *w, const char *format, ...)
{
    enum { LONGEST = 1024 };
    if (w->used + LONGEST > sizeof(w->buffer))
        flush(w);
    va_list args;
    va_start(args, format);
    if (is_simple(format)) {
        put_simple(w, LONGEST - 1, format, &args);
    } else {
        const int length = vsnprintf(w->buffer + w->used, LONGEST, format, args);
        if (length > 0)
            w->used += length < LONGEST ? (size_t)length : LONGEST - 1;
    }
    va_end(args);
}

lw_status lw_writer_finish(lw_writer *w)
{
    flush(w);
    return w->status;
}
