/* SPDX-License-Identifier: MIT */
/* Formatting for the printer. The conversions that it uses most are written here: through the C library's
 * they took three quarters of the time of a disassembly. */
#include "emu/amdgpu/text/text.h"

#include <stdarg.h>
#include <stdio.h>

void lw_text_cut(lw_text *t, const char *bytes, size_t count)
{
    const size_t room = t->length + 1 < t->size ? t->size - 1 - t->length : 0;
    if (room)
        memcpy(t->at + t->length, bytes, count < room ? count : room);
    t->length += count;
}

void lw_text_end(lw_text *t)
{
    if (t->size)
        t->at[t->length < t->size ? t->length : t->size - 1] = '\0';
}

static void put_number(lw_text *t, uint32_t v, unsigned base)
{
    char digits[10];
    size_t at = sizeof(digits);
    do
        digits[--at] = "0123456789abcdef"[v % base];
    while (v /= base);
    lw_text_bytes(t, digits + at, sizeof(digits) - at);
}

void lw_text_decimal(lw_text *t, uint32_t v)
{
    char *const to = lw_text_room(t, 3);
    if (to && v < 1000)
        t->length = (size_t)(lw_text_small(to, v) - t->at);
    else
        put_number(t, v, 10);
}

void lw_text_integer(lw_text *t, int32_t v)
{
    lw_text_if(t, v < 0, "-");
    lw_text_decimal(t, v < 0 ? 0u - (uint32_t)v : (uint32_t)v);
}

void lw_text_hex(lw_text *t, uint32_t v)
{
    lw_text_add(t, "0x");
    unsigned digits = 1;
    while (digits < 8 && v >> 4 * digits)
        digits++;
    char *to = lw_text_room(t, digits);
    if (!to) {
        put_number(t, v, 16);
        return;
    }
    for (unsigned i = digits; i > 0; i--, v >>= 4)
        to[i - 1] = "0123456789abcdef"[v & 15];
    t->length += digits;
}

/* One conversion without width, flags or size; false: another one. */
static bool put_one(lw_text *t, char conversion, va_list *args)
{
    if (conversion == 's') {
        lw_text_add(t, va_arg(*args, const char *));
    } else if (conversion == 'u') {
        lw_text_decimal(t, va_arg(*args, unsigned));
    } else if (conversion == 'x') {
        put_number(t, va_arg(*args, unsigned), 16);
    } else if (conversion == 'd') {
        lw_text_integer(t, va_arg(*args, int));
    } else {
        return false;
    }
    return true;
}

static bool put_all(lw_text *t, const char *format, va_list *args)
{
    while (*format) {
        const size_t plain = strcspn(format, "%");
        lw_text_bytes(t, format, plain);
        format += plain;
        if (*format && !put_one(t, format[1], args))
            return false;
        format += *format ? 2 : 0;
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
    if (done)
        return;
    const bool room = before < t->size;
    va_start(args, format);
    const int n = vsnprintf(room ? t->at + before : NULL, room ? t->size - before : 0, format, args);
    va_end(args);
    t->length = before + (n > 0 ? (size_t)n : 0);
}
