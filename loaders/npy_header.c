/* SPDX-License-Identifier: MIT */
/* The header is a Python dictionary literal (NumPy documentation, "numpy.lib.format"). */
#include <inttypes.h>

#include "isa_tables/error.h"
#include "loaders/npy.h"

typedef struct cursor {
    const char *at, *end;
} cursor;

typedef struct header {
    cursor descr; /* the text between the quotes */
    bool has_descr, has_order, has_shape, fortran;
} header;

/* ---- Tokens ---- */

static void skip_space(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r'))
        c->at++;
}

static bool take(cursor *c, char wanted)
{
    skip_space(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool take_word(cursor *c, const char *word)
{
    const size_t length = strlen(word);
    skip_space(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* A quoted text; texts of this format contain neither quotes nor backslashes. */
static bool take_text(cursor *c, cursor *text)
{
    skip_space(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return false;
    const char quote = *c->at++;
    text->at = c->at;
    while (c->at < c->end && *c->at != quote && *c->at != '\\')
        c->at++;
    text->end = c->at;
    return take(c, quote);
}

/* A decimal number; Python 2 wrote long ones with an L after them. */
static bool take_number(cursor *c, uint64_t *value)
{
    uint64_t v = 0;
    skip_space(c);
    const char *start = c->at;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        const unsigned digit = (unsigned)(*c->at - '0');
        if (v > (UINT64_MAX - digit) / 10)
            return false;
        v = v * 10 + digit;
    }
    if (c->at == start)
        return false;
    if (c->at < c->end && *c->at == 'L')
        c->at++;
    *value = v;
    return true;
}

/* ---- The dictionary ---- */

static lw_status bad(lw_error *error, const char *why)
{
    return lw_error_fail(error, LW_E_FORMAT, ".npy header: %s", why);
}

static lw_status read_shape(cursor *c, lw_npy *array, lw_error *error)
{
    if (!take(c, '('))
        return bad(error, "'shape' is not a tuple");
    while (!take(c, ')')) {
        uint64_t extent;
        if (!take_number(c, &extent))
            return bad(error, "'shape' contains something other than numbers from 0 to 2^64 - 1");
        if (array->dims == LW_NPY_MAX_DIMS)
            return lw_error_fail(error, LW_E_UNSUPPORTED, ".npy header: more than %d dimensions",
                                 (int)LW_NPY_MAX_DIMS);
        array->shape[array->dims++] = extent;
        const bool comma = take(c, ',');
        skip_space(c);
        /* (3) is a number to Python, (3,) a tuple */
        if (!comma && (array->dims == 1 || c->at == c->end || *c->at != ')'))
            return bad(error, "'shape' is not a tuple");
    }
    return LW_OK;
}

static lw_status read_pair(cursor *c, header *h, lw_npy *array, lw_error *error)
{
    cursor key;
    if (!take_text(c, &key) || !take(c, ':'))
        return bad(error, "expected a quoted key and a colon");
    const size_t length = (size_t)(key.end - key.at);
    if (length == 5 && memcmp(key.at, "descr", 5) == 0 && !h->has_descr) {
        h->has_descr = true;
        skip_space(c);
        if (c->at < c->end && *c->at == '[')
            return lw_error_fail(error, LW_E_UNSUPPORTED,
                                 "the array is structured; only arrays of plain numbers "
                                 "are read");
        return take_text(c, &h->descr) ? LW_OK : bad(error, "'descr' is not a text");
    }
    if (length == 13 && memcmp(key.at, "fortran_order", 13) == 0 && !h->has_order) {
        h->has_order = true;
        h->fortran = take_word(c, "True");
        return h->fortran || take_word(c, "False") ? LW_OK
                                                   : bad(error, "'fortran_order' is neither True nor False");
    }
    if (length == 5 && memcmp(key.at, "shape", 5) == 0 && !h->has_shape) {
        h->has_shape = true;
        return read_shape(c, array, error);
    }
    return lw_error_fail(error, LW_E_FORMAT, ".npy header: unexpected or repeated key '%.*s'",
                         length > 40 ? 40 : (int)length, key.at);
}

static lw_status read_dictionary(cursor c, header *h, lw_npy *array, lw_error *error)
{
    if (!take(&c, '{'))
        return bad(error, "it is not a dictionary");
    while (!take(&c, '}')) {
        const lw_status status = read_pair(&c, h, array, error);
        if (status != LW_OK)
            return status;
        if (!take(&c, ',') && (c.at == c.end || *c.at != '}'))
            return bad(error, "expected a comma or the closing brace");
    }
    skip_space(&c);
    if (c.at != c.end)
        return bad(error, "something follows the dictionary");
    if (!h->has_descr || !h->has_order || !h->has_shape)
        return bad(error, "it lacks 'descr', 'fortran_order' or 'shape'");
    return LW_OK;
}

/* ---- The fields ---- */

static bool order_matters(const lw_npy *array)
{
    unsigned long_dims = 0;
    for (unsigned d = 0; d < array->dims; d++) {
        if (array->shape[d] == 0)
            return false;
        long_dims += array->shape[d] > 1;
    }
    return long_dims > 1;
}

static lw_status interpret(const header *h, lw_npy *array, lw_error *error)
{
    const size_t length = (size_t)(h->descr.end - h->descr.at);
    const int shown = length > 40 ? 40 : (int)length;
    size_t bytes;
    if (!lw_dtype_of_descr(h->descr.at, length, &array->dtype)) {
        const bool big = length && *h->descr.at == '>';
        return lw_error_fail(
            error, LW_E_UNSUPPORTED,
            "the array's elements are '%.*s'%s; read are b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8, "
            "little endian",
            shown, h->descr.at, big ? ", big endian" : "");
    }
    if (h->fortran && order_matters(array))
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "the array is in Fortran order; save "
                             "numpy.ascontiguousarray(x) instead");
    if (!lw_npy_measure(array, &array->count, &bytes))
        return lw_error_fail(error, LW_E_FORMAT, ".npy header: the array does not fit in memory");
    return LW_OK;
}

lw_status lw_npy_header_read(lw_bytes file, lw_npy *array, lw_bytes *body, lw_error *error)
{
    lw_npy a = { .dims = 0 };
    header h = { .has_descr = false };
    lw_bytes fixed, text;
    const bool whole = lw_slice(file, 0, 12, &fixed);
    if (!lw_starts_with(file, "\x93NUMPY", file.size < 6 ? file.size : 6))
        return lw_error_fail(error, LW_E_FORMAT, "not a .npy file: it does not start with \\x93NUMPY");
    if (!whole)
        return lw_error_fail(error, LW_E_TRUNCATED, "the .npy file ends inside its header");
    const unsigned major = fixed.data[6];
    if (major < 1 || major > 3 || fixed.data[7] != 0)
        return lw_error_fail(error, LW_E_UNSUPPORTED, ".npy format version %u.%u; 1.0, 2.0 and 3.0 are read",
                             major, (unsigned)fixed.data[7]);
    const uint64_t start = major == 1 ? 10 : 12;
    const uint64_t length = major == 1 ? lw_le16(fixed.data + 8) : lw_le32(fixed.data + 8);
    if (!lw_slice(file, start, length, &text))
        return lw_error_fail(error, LW_E_TRUNCATED,
                             "the .npy header of %" PRIu64 " bytes reaches beyond the end of the file",
                             length);
    const cursor c = { (const char *)text.data, (const char *)text.data + text.size };
    lw_status status = read_dictionary(c, &h, &a, error);
    if (status == LW_OK)
        status = interpret(&h, &a, error);
    if (status != LW_OK)
        return status;
    *array = a;
    *body = (lw_bytes){ text.data + text.size, file.size - (size_t)(start + length) };
    return LW_OK;
}
