/* SPDX-License-Identifier: MIT */
#include <stddef.h>
#include <string.h>

#include "loaders/mangle.h"

enum { MOST_PARTS = 16 };

typedef struct parts {
    const char *text[MOST_PARTS];
    size_t length[MOST_PARTS];
    size_t count;
} parts;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* <source-name>: a decimal length and that many characters. NULL for anything else. */
static const char *read_source_name(const char *p, const char **text, size_t *length)
{
    size_t n = 0;
    if (!is_digit(*p))
        return NULL;
    while (is_digit(*p) && n < 65536)
        n = n * 10 + (size_t)(*p++ - '0');
    if (n == 0 || strlen(p) < n)
        return NULL;
    *text = p;
    *length = n;
    return p + n;
}

/* A literal, from after its L: a one-letter type, then digits (with n for a minus sign), then E. */
static const char *skip_literal(const char *p)
{
    if (*p < 'a' || *p > 'z')
        return NULL;
    p++;
    while (is_digit(*p) || (*p >= 'a' && *p <= 'f') || *p == 'n')
        p++;
    return *p == 'E' ? p + 1 : NULL;
}

/* Template arguments, from after their I to past their E. NULL for forms that are not handled here. */
static const char *skip_template_args(const char *p)
{
    const char *text;
    size_t length;
    for (int depth = 1; p && *p;) {
        const char c = *p;
        if (is_digit(c)) {
            p = read_source_name(p, &text, &length);
        } else if (c == 'L') {
            p = skip_literal(p + 1);
        } else if (c == 'I' || c == 'N' || c == 'J') {
            depth++;
            p++;
        } else if (c == 'E') {
            p++;
            if (--depth == 0)
                return p;
        } else if (c == 'S' || c == 'T') {
            /* S_, S0_, St and T_, T0_: a substitution, an abbreviation of std's, or a template parameter */
            p++;
            if (*p >= 'a' && *p <= 'z')
                p++;
            else
                p = (p = strchr(p, '_')) ? p + 1 : NULL;
        } else if ((c >= 'a' && c <= 'z') || c == 'P' || c == 'R' || c == 'O' || c == 'K' || c == 'V') {
            p++;
        } else {
            return NULL;
        }
    }
    return NULL;
}

static bool add_part(parts *out, const char *text, size_t length)
{
    if (out->count == MOST_PARTS)
        return false;
    out->text[out->count] = text;
    out->length[out->count++] = length;
    return true;
}

/* N [cv] {<source-name> | St | <template-args>} E. An anonymous namespace has no name in the source. */
static bool read_nested(const char *p, parts *out)
{
    static const char anonymous[] = "_GLOBAL__N_1";
    while (*p == 'K' || *p == 'V' || *p == 'r')
        p++;
    while (p && *p && *p != 'E') {
        const char *text = NULL;
        size_t length = 0;
        if (p[0] == 'I') {
            p = skip_template_args(p + 1);
        } else if (p[0] == 'S' && p[1] == 't') {
            p = add_part(out, "std", 3) ? p + 2 : NULL;
        } else {
            p = read_source_name(p, &text, &length);
            const bool named = p && (length != strlen(anonymous) || memcmp(text, anonymous, length) != 0);
            if (named && !add_part(out, text, length))
                return false;
        }
    }
    return p && *p == 'E' && out->count > 0;
}

static bool read_parts(const char *mangled, parts *out)
{
    if (strncmp(mangled, "_Z", 2) != 0)
        return false;
    const char *p = mangled + 2;
    if (*p == 'N')
        return read_nested(p + 1, out);
    if (*p == 'L')
        p++;
    out->count = 1;
    return read_source_name(p, &out->text[0], &out->length[0]) != NULL;
}

bool lw_mangled_has_name(const char *mangled, const char *name)
{
    parts found = { .count = 0 };
    size_t left = strlen(name);
    if (!read_parts(mangled, &found))
        return false;
    for (size_t i = found.count; i-- > 0;) {
        const size_t n = found.length[i];
        if (left < n || memcmp(name + left - n, found.text[i], n) != 0)
            return false;
        left -= n;
        if (left == 0)
            return true;
        if (left < 3 || memcmp(name + left - 2, "::", 2) != 0)
            return false;
        left -= 2;
    }
    return false;
}
