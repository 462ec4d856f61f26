/* SPDX-License-Identifier: MIT */
#include "loaders/msgpack.h"

typedef enum shape {
    SHAPE_NONE, /* 0xc1, never used */
    SHAPE_NIL,
    SHAPE_BOOL,
    SHAPE_UINT,
    SHAPE_INT, /* negative */
    SHAPE_TEXT,
    SHAPE_BLOB, /* bin and ext: `value` bytes */
    SHAPE_ARRAY,
    SHAPE_MAP,
    SHAPE_FLOAT, /* 4 or 8 bytes, as a blob */
} shape;

typedef struct token {
    shape shape;
    uint64_t value; /* the number, or how many bytes, elements or pairs follow */
} token;

/* First bytes 0xc0..0xdf: shape, width of the big-endian field that follows, further bytes of the value. */
static const struct {
    uint8_t shape, width, extra;
} wide[32] = {
    [0x00] = { SHAPE_NIL, 0, 0 },   [0x02] = { SHAPE_BOOL, 0, 0 },  [0x03] = { SHAPE_BOOL, 0, 1 },
    [0x04] = { SHAPE_BLOB, 1, 0 },  [0x05] = { SHAPE_BLOB, 2, 0 },  [0x06] = { SHAPE_BLOB, 4, 0 },
    [0x07] = { SHAPE_BLOB, 1, 1 },  [0x08] = { SHAPE_BLOB, 2, 1 },  [0x09] = { SHAPE_BLOB, 4, 1 },
    [0x0a] = { SHAPE_FLOAT, 0, 4 }, [0x0b] = { SHAPE_FLOAT, 0, 8 }, [0x0c] = { SHAPE_UINT, 1, 0 },
    [0x0d] = { SHAPE_UINT, 2, 0 },  [0x0e] = { SHAPE_UINT, 4, 0 },  [0x0f] = { SHAPE_UINT, 8, 0 },
    [0x10] = { SHAPE_INT, 1, 0 },   [0x11] = { SHAPE_INT, 2, 0 },   [0x12] = { SHAPE_INT, 4, 0 },
    [0x13] = { SHAPE_INT, 8, 0 },   [0x14] = { SHAPE_BLOB, 0, 2 },  [0x15] = { SHAPE_BLOB, 0, 3 },
    [0x16] = { SHAPE_BLOB, 0, 5 },  [0x17] = { SHAPE_BLOB, 0, 9 },  [0x18] = { SHAPE_BLOB, 0, 17 },
    [0x19] = { SHAPE_TEXT, 1, 0 },  [0x1a] = { SHAPE_TEXT, 2, 0 },  [0x1b] = { SHAPE_TEXT, 4, 0 },
    [0x1c] = { SHAPE_ARRAY, 2, 0 }, [0x1d] = { SHAPE_ARRAY, 4, 0 }, [0x1e] = { SHAPE_MAP, 2, 0 },
    [0x1f] = { SHAPE_MAP, 4, 0 },
};

static bool fail(lw_msgpack *in)
{
    in->failed = true;
    return false;
}

static bool take(lw_msgpack *in, uint64_t size, lw_bytes *out)
{
    if (in->failed || !lw_slice(in->rest, 0, size, out))
        return fail(in);
    in->rest.data += size;
    in->rest.size -= (size_t)size;
    return true;
}

static bool take_wide(lw_msgpack *in, unsigned first, token *out)
{
    const unsigned i = first - 0xc0;
    lw_bytes field;
    if (!take(in, wide[i].width, &field))
        return false;
    uint64_t value = 0;
    for (size_t b = 0; b < field.size; b++)
        value = value << 8 | field.data[b];

    out->shape = (shape)wide[i].shape;
    out->value = value + wide[i].extra;
    /* A signed field whose top bit is clear holds a non-negative number. */
    if (out->shape == SHAPE_INT && !(value >> (8 * wide[i].width - 1)))
        out->shape = SHAPE_UINT;
    return out->shape != SHAPE_NONE || fail(in);
}

/* Reads the head of a value. The size it announces has not been checked against the remaining bytes. */
static bool take_token(lw_msgpack *in, token *out)
{
    lw_bytes head;
    if (!take(in, 1, &head))
        return false;
    const unsigned first = head.data[0];
    if (first < 0x80)
        *out = (token){ SHAPE_UINT, first };
    else if (first < 0x90)
        *out = (token){ SHAPE_MAP, first & 15 };
    else if (first < 0xa0)
        *out = (token){ SHAPE_ARRAY, first & 15 };
    else if (first < 0xc0)
        *out = (token){ SHAPE_TEXT, first & 31 };
    else if (first >= 0xe0)
        *out = (token){ SHAPE_INT, first };
    else
        return take_wide(in, first, out);
    return true;
}

static bool take_count(lw_msgpack *in, shape wanted, uint32_t *count)
{
    token t;
    if (!take_token(in, &t))
        return false;
    if (t.shape != wanted || t.value > in->rest.size)
        return fail(in);
    *count = (uint32_t)t.value;
    return true;
}

bool lw_msgpack_map(lw_msgpack *in, uint32_t *pairs)
{
    return take_count(in, SHAPE_MAP, pairs);
}

bool lw_msgpack_array(lw_msgpack *in, uint32_t *count)
{
    return take_count(in, SHAPE_ARRAY, count);
}

bool lw_msgpack_text(lw_msgpack *in, lw_bytes *text)
{
    token t;
    if (!take_token(in, &t))
        return false;
    return t.shape == SHAPE_TEXT ? take(in, t.value, text) : fail(in);
}

bool lw_msgpack_uint(lw_msgpack *in, uint64_t *value)
{
    token t;
    if (!take_token(in, &t))
        return false;
    if (t.shape != SHAPE_UINT)
        return fail(in);
    *value = t.value;
    return true;
}

bool lw_msgpack_bool(lw_msgpack *in, bool *value)
{
    token t;
    if (!take_token(in, &t))
        return false;
    if ((t.shape != SHAPE_BOOL && t.shape != SHAPE_UINT) || t.value > 1)
        return fail(in);
    *value = t.value != 0;
    return true;
}

bool lw_msgpack_skip(lw_msgpack *in)
{
    /* Every value still to come takes at least a byte, so announcing more than remain is an error at once. */
    for (uint64_t owed = 1; owed > 0; owed--) {
        token t;
        lw_bytes blob;
        if (!take_token(in, &t))
            return false;
        if (t.shape == SHAPE_ARRAY)
            owed += t.value;
        else if (t.shape == SHAPE_MAP)
            owed += 2 * t.value;
        else if ((t.shape == SHAPE_TEXT || t.shape == SHAPE_BLOB || t.shape == SHAPE_FLOAT) &&
                 !take(in, t.value, &blob))
            return false;
        if (owed - 1 > in->rest.size)
            return fail(in);
    }
    return true;
}
