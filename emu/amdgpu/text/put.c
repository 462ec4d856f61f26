/* SPDX-License-Identifier: MIT */
/* Formatting for the printer. The conversions that it uses most are written here: through the C library's
 * they took three quarters of the time of a disassembly. */
#include "emu/amdgpu/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Keeps a byte free for the end of the text; what does not fit is counted. */
static void put_bytes(lw_text *t, const char *bytes, size_t count)
{
    const size_t room = t->length + 1 < t->size ? t->size - 1 - t->length : 0;
    memcpy(t->at + (room ? t->length : 0), bytes, count < room ? count : room);
    t->length += count;
}

static void put_number(lw_text *t, uint32_t v, unsigned base, bool negative)
{
    char digits[12];
    size_t at = sizeof(digits);
    do
        digits[--at] = "0123456789abcdef"[v % base];
    while (v /= base);
    if (negative)
        digits[--at] = '-';
    put_bytes(t, digits + at, sizeof(digits) - at);
}

/* One conversion without width, flags or size; false: another one. */
static bool put_one(lw_text *t, char conversion, va_list *args)
{
    if (conversion == 's') {
        const char *text = va_arg(*args, const char *);
        put_bytes(t, text, strlen(text));
    } else if (conversion == 'u' || conversion == 'x') {
        put_number(t, va_arg(*args, unsigned), conversion == 'u' ? 10 : 16, false);
    } else if (conversion == 'd') {
        const int v = va_arg(*args, int);
        put_number(t, v < 0 ? 0u - (uint32_t)v : (uint32_t)v, 10, v < 0);
    } else {
        return false;
    }
    return true;
}

static bool put_all(lw_text *t, const char *format, va_list *args)
{
    for (; *format; format++) {
        if (*format == '%') {
            if (!put_one(t, *++format, args))
                return false;
            continue;
        }
        if (t->length + 1 < t->size)
            t->at[t->length] = *format;
        t->length++;
    }
    return true;
}

void lw_text_put(lw_text *t, const char *format, ...)
{
    const size_t before = t->length;
    va_list args;
    va_start(args, format);
    const bool done = put_all(t, format, &args);
    va_end(args);
    if (!done) {
        const bool room = before < t->size;
        va_start(args, format);
        const int n = vsnprintf(room ? t->at + before : NULL, room ? t->size - before : 0, format, args);
        va_end(args);
        t->length = before + (n > 0 ? (size_t)n : 0);
    } else if (t->size) {
        t->at[t->length < t->size ? t->length : t->size - 1] = '\0';
    }
}
