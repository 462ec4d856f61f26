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

/* Text that ends where the room does. */
typedef struct line {
    char *at;
    size_t room;
} line;

/* Few bytes: a call of memcpy would take longer. */
static void put_bytes(line *to, const char *bytes, size_t size)
{
    char *at = to->at;
    size = size < to->room ? size : to->room;
    to->at += size;
    to->room -= size;
    while (size--)
        *at++ = *bytes++;
}

static void put_fill(line *to, char fill, size_t size)
{
    size = size < to->room ? size : to->room;
    memset(to->at, fill, size);
    to->at += size;
    to->room -= size;
}

/* What stands between '%' and the letter. */
typedef struct directive {
    bool left, zeros, cut;
    int width, most; /* most: of the bytes of a text, where cut */
} directive;

static int read_int(const char **format, va_list *args)
{
    int n = 0;
    if (**format == '*') {
        ++*format;
        return va_arg(*args, int);
    }
    for (; **format >= '0' && **format <= '9' && n < 10000; ++*format)
        n = 10 * n + (**format - '0');
    return n;
}

static const char *read_directive(const char *format, va_list *args, directive *d)
{
    *d = (directive){ .width = 0 };
    for (; *format == '-' || *format == '0'; format++) {
        d->left = d->left || *format == '-';
        d->zeros = d->zeros || *format == '0';
    }
    d->width = read_int(&format, args);
    if (*format == '.') {
        format++;
        d->cut = true;
        d->most = read_int(&format, args);
    }
    return format;
}

static void put_padded(line *to, const directive *d, const char *bytes, size_t size)
{
    const size_t width = d->width > 0 ? (size_t)d->width : 0, pad = width > size ? width - size : 0;
    if (pad && !d->left)
        put_fill(to, d->zeros ? '0' : ' ', pad);
    put_bytes(to, bytes, size);
    if (pad && d->left)
        put_fill(to, ' ', pad);
}

static void put_decimal(line *to, const directive *d, unsigned n, bool negative)
{
    char digits[12], *at = digits + sizeof(digits);
    do
        *--at = (char)('0' + n % 10);
    while (n /= 10);
    if (negative)
        *--at = '-';
    put_padded(to, d, at, (size_t)(digits + sizeof(digits) - at));
}

static void put_hex(line *to, const directive *d, unsigned n)
{
    char digits[8], *at = digits + sizeof(digits);
    do
        *--at = "0123456789abcdef"[n % 16];
    while (n /= 16);
    put_padded(to, d, at, (size_t)(digits + sizeof(digits) - at));
}

static void put_text(line *to, const directive *d, const char *text)
{
    size_t size = 0;
    while ((!d->cut || size < (size_t)d->most) && text[size])
        size++;
    put_padded(to, d, text, size);
}

/* One directive; false if it is not one of those below. */
static bool put_directive(line *to, const directive *d, char letter, va_list *args)
{
    const bool plain = d->width >= 0 && d->most >= 0 && !(d->zeros && d->left);
    if (letter == 's' && plain && !d->zeros) {
        put_text(to, d, va_arg(*args, const char *));
    } else if (letter == 'u' && plain && !d->cut) {
        put_decimal(to, d, va_arg(*args, unsigned), false);
    } else if (letter == 'x' && plain && !d->cut) {
        put_hex(to, d, va_arg(*args, unsigned));
    } else if (letter == 'd' && plain && !d->cut && !d->zeros) {
        const int n = va_arg(*args, int);
        put_decimal(to, d, n < 0 ? 0u - (unsigned)n : (unsigned)n, n < 0);
    } else {
        return false;
    }
    return true;
}

/* The text before the next directive. */
static const char *put_literal(line *to, const char *format)
{
    const char *end = strchr(format, '%');
    const size_t size = end ? (size_t)(end - format) : strlen(format),
                 fits = size < to->room ? size : to->room;
    memcpy(to->at, format, fits);
    to->at += fits;
    to->room -= fits;
    return format + size;
}

/* Texts and integers, with widths: nearly all of a picture, for which vsnprintf is slow. False on the first
 * directive that is something else. */
static bool put_simple(line *to, const char *format, va_list *args)
{
    while (*(format = put_literal(to, format))) {
        directive d = { .width = 0 };
        format++;
        if (*format < 'a')
            format = read_directive(format, args, &d);
        if (!put_directive(to, &d, *format, args))
            return false;
        format++;
    }
    return true;
}

static size_t format_text(char *text, size_t room, const char *format, va_list *args, va_list *again)
{
    line to = { text, room };
    if (put_simple(&to, format, args))
        return room - to.room;
    const int length = vsnprintf(text, room + 1, format, *again);
    return length < 0 ? 0 : (size_t)length < room ? (size_t)length : room;
}

void lw_writer_put(lw_writer *w, const char *format, ...)
{
    enum { LONGEST = 1023 };
    if (w->used + LONGEST >= sizeof(w->buffer))
        flush(w);
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    w->used += format_text(w->buffer + w->used, LONGEST, format, &args, &again);
    va_end(again);
    va_end(args);
}

void lw_writer_text(char *text, size_t size, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    text[format_text(text, size - 1, format, &args, &again)] = '\0';
    va_end(again);
    va_end(args);
}

lw_status lw_writer_finish(lw_writer *w)
{
    flush(w);
    return w->status;
}
