/* SPDX-License-Identifier: MIT */
#include "cli/debug/frame.h"

#include <string.h>

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

/* The digits after "Content-Length:", which may be spelled in any case; NULL for other fields. */
static const char *find_length(const char *line, size_t size)
{
    static const char name[] = "content-length:";
    if (size < sizeof(name) - 1)
        return NULL;
    for (size_t i = 0; i < sizeof(name) - 1; i++)
        if (lower(line[i]) != name[i])
            return NULL;
    return line + sizeof(name) - 1;
}

static int read_length(const char *at, const char *end, size_t *length)
{
    size_t value = 0, digits = 0;
    while (at < end && *at == ' ')
        at++;
    for (; at < end && *at >= '0' && *at <= '9'; at++, digits++)
        value = value > FRAME_BODY ? value : 10 * value + (size_t)(*at - '0');
    while (at < end && (*at == ' ' || *at == '\r'))
        at++;
    *length = value;
    return digits && at == end;
}

static frame_state refuse(const char **why, const char *text)
{
    *why = text;
    return FRAME_BAD;
}

frame_state frame_find(const char *bytes, size_t size, size_t *at, size_t *body, const char **why)
{
    int found = 0;
    size_t length = 0;
    for (size_t from = 0;;) {
        const size_t room = size < FRAME_HEADER ? size : FRAME_HEADER;
        const char *end = from < room ? memchr(bytes + from, '\n', room - from) : NULL;
        if (!end)
            return size >= FRAME_HEADER ? refuse(why, "a header of more than 4096 bytes") : FRAME_MORE;
        const char *line = bytes + from, *digits = find_length(line, (size_t)(end - line));
        from = (size_t)(end - bytes) + 1;
        if (end == line || (end == line + 1 && *line == '\r')) {
            if (!found)
                return refuse(why, "a header without Content-Length");
            *at = from;
            *body = length;
            return size - from >= length ? FRAME_WHOLE : FRAME_MORE;
        }
        if (!digits)
            continue;
        if (!read_length(digits, end, &length))
            return refuse(why, "Content-Length is not a number");
        if (length > FRAME_BODY)
            return refuse(why, "a message of more than 1048576 bytes");
        found = 1;
    }
}
