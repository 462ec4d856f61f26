/* SPDX-License-Identifier: MIT */
#include "cli/debug/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static void make_room(debug_text *t, size_t more)
{
    if (t->size + more < t->room)
        return;
    t->room = 2 * t->room > t->size + more + 1 ? 2 * t->room : t->size + more + 1;
    t->at = cli_grow(t->at, t->room);
}

void debug_add(debug_text *t, const char *bytes, size_t size)
{
    make_room(t, size);
    memcpy(t->at + t->size, bytes, size);
    t->size += size;
    t->at[t->size] = '\0';
}

void debug_say(debug_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length <= 0)
        return;
    make_room(t, (size_t)length);
    va_start(args, format);
    vsnprintf(t->at + t->size, (size_t)length + 1, format, args);
    va_end(args);
    t->size += (size_t)length;
}

const char *debug_text_of(const debug_text *t)
{
    return t->size ? t->at : "";
}

void debug_text_clear(debug_text *t)
{
    t->size = 0;
    if (t->at)
        t->at[0] = '\0';
}

void debug_text_free(debug_text *t)
{
    free(t->at);
    *t = (debug_text){ NULL, 0, 0 };
}
