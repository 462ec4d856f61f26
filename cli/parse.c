/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "cli/parse.h"

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 16;
}

/* Reads up to `end`; the text before it must be the number and nothing else. */
static bool parse_span(const char *text, const char *end, uint64_t *value)
{
    const bool hex = end - text > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const unsigned base = hex ? 16 : 10;
    uint64_t v = 0;
    text += hex ? 2 : 0;
    if (text == end)
        return false;
    for (; text < end; text++) {
        const unsigned digit = (unsigned)digit_value(*text);
        if (digit >= base || v > (UINT64_MAX - digit) / base)
            return false;
        v = v * base + digit;
    }
    *value = v;
    return true;
}

bool parse_u64(const char *text, uint64_t *value)
{
    return parse_span(text, text + strlen(text), value);
}

bool parse_integer(const char *text, unsigned size, bool is_signed, uint64_t *bits)
{
    const uint64_t mask = size == 8 ? UINT64_MAX : (1ull << (size * 8)) - 1;
    const uint64_t top = is_signed ? mask >> 1 : mask;
    const bool negative = text[0] == '-';
    uint64_t v;
    if (!parse_u64(text + negative, &v))
        return false;
    if (negative ? !is_signed || v > top + 1 : v > top)
        return false;
    *bits = (negative ? 0 - v : v) & mask;
    return true;
}

bool parse_numbers(const char *text, uint64_t low, size_t most, uint64_t *values, size_t *count)
{
    size_t n = 0;
    for (;;) {
        const char *end = text + strcspn(text, ",");
        uint64_t v;
        if (n == most || !parse_span(text, end, &v) || v < low)
            return false;
        values[n++] = v;
        if (!*end)
            break;
        text = end + 1;
    }
    *count = n;
    return true;
}

bool parse_dims(const char *text, uint32_t dims[3])
{
    uint64_t v[3] = { 1, 1, 1 };
    size_t count;
    if (!parse_numbers(text, 1, 3, v, &count))
        return false;
    for (int i = 0; i < 3; i++)
        if (v[i] > UINT32_MAX)
            return false;
    for (int i = 0; i < 3; i++)
        dims[i] = (uint32_t)v[i];
    return true;
}

bool parse_hex_bytes(const char *text, uint8_t *bytes, size_t room, size_t *size)
{
    size_t n = 0;
    while (*text) {
        if (*text == '_' || *text == ' ') {
            text++;
            continue;
        }
        const int high = digit_value(text[0]);
        const int low = high < 16 ? digit_value(text[1]) : 16;
        if (low >= 16 || n == room)
            return false;
        bytes[n++] = (uint8_t)(high << 4 | low);
        text += 2;
    }
    *size = n;
    return n > 0;
}

bool parse_size(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    char digits[32];
    uint64_t value;
    const size_t length = strlen(text);
    const char *unit = length > 1 ? strchr(units, text[length - 1]) : NULL;
    const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    snprintf(digits, sizeof(digits), "%.*s", (int)(length < 31 ? length - (unit != NULL) : 31), text);
    if (!parse_u64(digits, &value) || value == 0 || value > UINT64_MAX >> shift)
        return false;
    *bytes = value << shift;
    return true;
}
