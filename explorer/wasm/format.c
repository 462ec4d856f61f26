/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>

#include "cli/parse.h"
#include "explorer/wasm/format.h"

enum { TEXT_ROOM = 64 };

static bool finite(double value)
{
    return value - value == 0;
}

double format_value(const number_format *format, uint64_t code)
{
    char text[TEXT_ROOM];
    return lw_mma_decode(format->name, code, text, sizeof(text)) == LW_OK ? strtod(text, NULL) : 0;
}

static uint64_t ones(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* Finite positive numbers have the codes from 0 on, in ascending order, in every format of the tables. Scales
 * without a sign go on beyond half of the codes. */
static uint64_t find_largest(const number_format *format)
{
    const bool unsigned_scale = format_value(format, (uint64_t)1 << (format->bits - 1)) > 0;
    uint64_t low = 0, high = ones(format->bits - !unsigned_scale);
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        if (finite(format_value(format, middle)))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

bool format_open(const char *name, unsigned bits, number_format *format)
{
    char text[TEXT_ROOM];
    *format = (number_format){ .name = name, .bits = bits };
    if (bits < 1 || bits > 64 || lw_mma_decode(name, ones(bits), text, sizeof(text)) != LW_OK)
        return false;
    const double top = strtod(text, NULL);
    format->is_signed = top == -1;
    format->integer = format->is_signed || (bits < 64 && top == (double)ones(bits));
    if (format->integer) {
        format->largest = format->nan = format->inf = ones(bits - format->is_signed);
        return true;
    }
    const uint64_t largest = find_largest(format), sign = (uint64_t)1 << (bits - 1);
    const double after = format_value(format, largest + 1), last = format_value(format, ones(bits - 1));
    format->largest = format->nan = format->inf = largest;
    if (largest + 1 < sign && !finite(after) && after == after)
        format->inf = largest + 1;
    if (last != last)
        format->nan = ones(bits - 1);
    else if (format_value(format, sign) != format_value(format, sign))
        format->nan = sign; /* fnuz: the code of -0 */
    format->quarter = format_nearest(format, 0.25);
    format->two = format_nearest(format, 2);
    return true;
}

static uint64_t nearest_integer(const number_format *format, double value)
{
    const double most = (double)format->largest, least = format->is_signed ? -most - 1 : 0;
    const double clipped = value > most ? most : value < least ? least : value;
    const int64_t whole = (int64_t)(clipped < 0 ? clipped - 0.5 : clipped + 0.5);
    return (uint64_t)whole & ones(format->bits);
}

uint64_t format_nearest(const number_format *format, double value)
{
    if (format->integer)
        return nearest_integer(format, value);
    if (value != value)
        return format->nan;
    const double size = value < 0 ? -value : value;
    const uint64_t sign = value < 0 ? (uint64_t)1 << (format->bits - 1) : 0;
    if (!finite(value))
        return sign | format->inf;
    uint64_t low = 0, high = format->largest;
    while (low < high) { /* the largest code that is not above */
        const uint64_t middle = high - (high - low) / 2;
        if (format_value(format, middle) <= size)
            low = middle;
        else
            high = middle - 1;
    }
    if (low < format->largest) {
        const double under = size - format_value(format, low), over = format_value(format, low + 1) - size;
        low += over < under || (over == under && (low & 1));
    }
    return low || format->nan != sign ? sign | low : 0;
}

bool format_read(const number_format *format, const char *text, uint64_t *code)
{
    char *end;
    const double value = strtod(text, &end);
    if (strncmp(text, "0x", 2) == 0 && !strpbrk(text, "pP."))
        return parse_u64(text, code) && *code <= ones(format->bits);
    if (end == text || *end || (format->integer && value != value))
        return false;
    *code = format_nearest(format, value);
    return true;
}
