/* SPDX-License-Identifier: MIT */
#include "loaders/lines.h"

lw_bytes lw_take_bytes(lw_cursor *in, uint64_t size)
{
    lw_bytes taken = { in->rest.data, 0 };
    if (in->failed || !lw_slice(in->rest, 0, size, &taken)) {
        in->failed = true;
        return taken;
    }
    in->rest.data += size;
    in->rest.size -= (size_t)size;
    return taken;
}

uint64_t lw_take(lw_cursor *in, size_t size)
{
    const lw_bytes taken = lw_take_bytes(in, size);
    uint64_t value = 0;
    for (size_t i = 0; i < taken.size; i++)
        value |= (uint64_t)taken.data[i] << (8 * i);
    return value;
}

/* LEB128 (section 7.6): seven bits per byte, the lowest first. Bit 6 of the last byte is the sign. */
static uint64_t take_leb(lw_cursor *in, unsigned *bits, bool *sign, bool *lost)
{
    uint64_t value = 0;
    uint8_t byte;
    *bits = 0;
    *lost = false;
    do {
        byte = (uint8_t)lw_take(in, 1);
        const uint64_t part = byte & 0x7f;
        if (*bits < 64)
            value |= part << *bits;
        *lost = *lost || (*bits >= 64 ? part != 0 : *bits == 63 && part > 1);
        *bits = *bits < 70 ? *bits + 7 : 70;
    } while (byte & 0x80);
    *sign = (byte & 0x40) != 0;
    return value;
}

uint64_t lw_take_uleb(lw_cursor *in)
{
    unsigned bits;
    bool sign, lost;
    const uint64_t value = take_leb(in, &bits, &sign, &lost);
    if (lost)
        in->failed = true;
    return in->failed ? 0 : value;
}

int64_t lw_take_sleb(lw_cursor *in)
{
    unsigned bits;
    bool sign, lost;
    uint64_t value = take_leb(in, &bits, &sign, &lost);
    if (sign && bits < 64)
        value |= UINT64_MAX << bits;
    if (in->failed)
        return 0;
    return value > INT64_MAX ? -(int64_t)(UINT64_MAX - value) - 1 : (int64_t)value;
}

const char *lw_take_string(lw_cursor *in)
{
    const uint8_t *end = in->failed || !in->rest.size ? NULL : memchr(in->rest.data, 0, in->rest.size);
    if (!end) {
        in->failed = true;
        return NULL;
    }
    return (const char *)lw_take_bytes(in, (uint64_t)(end - in->rest.data) + 1).data;
}
