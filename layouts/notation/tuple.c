/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "layouts/notation/tuple.h"

static bool put(lw_reader *r, lw_tuple *t, char c)
{
    if (t->length == sizeof(t->form))
        return lw_reader_fail(r, "the tuple is too deep");
    t->form[t->length++] = c;
    return true;
}

static bool take_open(lw_reader *r)
{
    static const char *const opens[] = { "(",      "Shape<",      "Stride<",      "Step<",
                                         "tuple<", "make_shape(", "make_stride(", "make_tuple(" };
    for (size_t i = 0; i < sizeof(opens) / sizeof(opens[0]); i++)
        if (lw_reader_take(r, opens[i]))
            return true;
    return false;
}

static bool read_node(lw_reader *r, lw_tuple *t, unsigned depth)
{
    if (depth == LW_TUPLE_DEPTH)
        return lw_reader_fail(r, "the tuple is too deep");
    if (!take_open(r)) {
        if (t->leaves == LW_TUPLE_LEAVES)
            return lw_reader_fail(r, "more than %d numbers", LW_TUPLE_LEAVES);
        const bool fine = lw_reader_number(r, &t->leaf[t->leaves++]) && put(r, t, 'n');
        lw_reader_take(r, "{}"); /* Int<8>{} */
        return fine;
    }
    if (!put(r, t, '('))
        return false;
    do {
        if (!read_node(r, t, depth + 1))
            return false;
        if (depth == 0 && t->modes++ == 0)
            t->end_of_first = t->leaves;
    } while (lw_reader_take(r, ","));
    if (!lw_reader_take(r, ")") && !lw_reader_take(r, ">"))
        return lw_reader_fail(r, "',' or a closing bracket is expected here");
    return put(r, t, ')');
}

bool lw_tuple_read_layout(lw_reader *r, lw_tuple *shape, lw_tuple *stride)
{
    const bool made = lw_reader_take(r, "cute.make_layout(") || lw_reader_take(r, "make_layout("),
               wrapped = !made && lw_reader_take(r, "Layout<");
    *shape = *stride = (lw_tuple){ .leaves = 0 };
    if (!read_node(r, shape, 0))
        return false;
    for (unsigned i = 0; i < shape->leaves; i++)
        if (shape->leaf[i] == 0)
            return lw_reader_fail(r, "a shape of 0");
    if (lw_reader_take(r, wrapped || made ? "," : ":")) {
        if (made && lw_reader_take(r, "stride") && !lw_reader_need(r, "="))
            return false;
        if (!read_node(r, stride, 0))
            return false;
        if (stride->length != shape->length || memcmp(stride->form, shape->form, shape->length) != 0)
            return lw_reader_fail(r, "the strides before this are nested otherwise than the shape");
    } else {
        uint64_t step = 1;
        for (unsigned i = 0; i < shape->leaves; i++) {
            stride->leaf[i] = (uint32_t)step;
            step *= shape->leaf[i];
            if (step > LW_MOST_NUMBER)
                return lw_reader_fail(r, "the shape before this is too large");
        }
    }
    if ((made && !lw_reader_need(r, ")")) || (wrapped && !lw_reader_need(r, ">")))
        return false;
    if (wrapped)
        lw_reader_take(r, "{}");
    return r->status == LW_OK;
}

uint32_t lw_tuple_size(const lw_tuple *shape, unsigned from, unsigned to)
{
    uint64_t n = 1;
    for (unsigned i = from; i < to; i++)
        if ((n *= shape->leaf[i]) > LW_MOST_CLAIMS)
            return 0;
    return (uint32_t)n;
}

uint64_t lw_tuple_map(const lw_tuple *shape, const lw_tuple *stride, unsigned from, unsigned to, uint32_t n)
{
    uint64_t at = 0;
    for (unsigned i = from; i < to; n /= shape->leaf[i++])
        at += (uint64_t)(n % shape->leaf[i]) * stride->leaf[i];
    return at;
}
