/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "layouts/notation/reader.h"

enum { MOST_LEAVES = 24, MOST_DEPTH = 16 };

/* A tuple as its numbers in order, with the shape of its brackets: '(' ')' and 'n' for a number. */
typedef struct tuple {
    uint32_t leaf[MOST_LEAVES];
    unsigned leaves;
    char form[4 * MOST_LEAVES + 2 * MOST_DEPTH];
    unsigned length;
    unsigned modes, end_of_first; /* at the top; leaves of the first mode */
} tuple;

static bool put(lw_reader *r, tuple *t, char c)
{
    if (t->length == sizeof(t->form))
        return lw_reader_fail(r, "the tuple is too deep");
    t->form[t->length++] = c;
    return true;
}

static bool take_open(lw_reader *r)
{
    return lw_reader_take(r, "(") || lw_reader_take(r, "Shape<") || lw_reader_take(r, "Stride<") ||
           lw_reader_take(r, "Step<") || lw_reader_take(r, "tuple<");
}

static bool read_node(lw_reader *r, tuple *t, unsigned depth)
{
    if (depth == MOST_DEPTH)
        return lw_reader_fail(r, "the tuple is too deep");
    if (!take_open(r)) {
        if (t->leaves == MOST_LEAVES)
            return lw_reader_fail(r, "more than %d numbers", MOST_LEAVES);
        return lw_reader_number(r, &t->leaf[t->leaves++]) && put(r, t, 'n');
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

/* shape:stride, or Layout<Shape, Stride>; without strides, column-major over all numbers. */
static bool read_layout(lw_reader *r, tuple *shape, tuple *stride)
{
    const bool wrapped = lw_reader_take(r, "Layout<");
    *shape = *stride = (tuple){ .leaves = 0 };
    if (!read_node(r, shape, 0))
        return false;
    for (unsigned i = 0; i < shape->leaves; i++)
        if (shape->leaf[i] == 0)
            return lw_reader_fail(r, "a shape of 0");
    if (lw_reader_take(r, wrapped ? "," : ":")) {
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
    return !wrapped || lw_reader_need(r, ">");
}

/* The product of some sizes; 0 where it is beyond all reason. */
static uint32_t size_of(const tuple *shape, unsigned from, unsigned to)
{
    uint64_t n = 1;
    for (unsigned i = from; i < to; i++)
        if ((n *= shape->leaf[i]) > LW_MOST_CLAIMS)
            return 0;
    return (uint32_t)n;
}

static uint64_t map(const tuple *shape, const tuple *stride, unsigned from, unsigned to, uint32_t n)
{
    uint64_t at = 0;
    for (unsigned i = from; i < to; n /= shape->leaf[i++])
        at += (uint64_t)(n % shape->leaf[i]) * stride->leaf[i];
    return at;
}

static bool claim(lw_reader *r, uint64_t lane, uint32_t value, uint64_t number)
{
    uint8_t axis[LW_TV_MOST_AXES];
    uint32_t at[LW_TV_MOST_AXES];
    const unsigned axes = lw_reader_axes(r, true, axis);
    for (unsigned a = 0; a < axes; a++) {
        const uint32_t extent = lw_tv_extent(r->tv, axis[a]);
        at[a] = (uint32_t)(a + 1 < axes ? number % extent : number > UINT32_MAX ? UINT32_MAX : number);
        number /= extent;
    }
    return lw_reader_claim(r, lane > LW_MOST_NUMBER ? LW_MOST_NUMBER : (uint32_t)lane, value, axis, at, axes);
}

void lw_read_cute(lw_reader *r)
{
    tuple lanes = { .leaves = 0 }, strides, shape, stride;
    const bool listed = lw_reader_take(r, "ThrID");
    if (listed) {
        lw_reader_take(r, ":");
        if (!read_layout(r, &lanes, &strides) || !lw_reader_need(r, ","))
            return;
    }
    if (lw_reader_take(r, "Swizzle<") || lw_reader_take(r, "Sw<")) {
        lw_reader_fail(r, "a swizzle is about memory, not about lanes and values");
        return;
    }
    if (!read_layout(r, &shape, &stride))
        return;
    if (!lw_reader_end(r)) {
        lw_reader_fail(r, "the layout ends before this");
        return;
    }
    if (shape.modes != 2) {
        lw_reader_fail(r, "the layout before this has no two modes, threads and values");
        return;
    }
    const uint32_t t = size_of(&shape, 0, shape.end_of_first),
                   v = size_of(&shape, shape.end_of_first, shape.leaves);
    if (!t || !v || t > LW_MOST_LANES || v > LW_MOST_CLAIMS / t) {
        lw_reader_fail(r, "the layout before this has more than %d places", LW_MOST_CLAIMS);
        return;
    }
    if (listed && size_of(&lanes, 0, lanes.leaves) != t) {
        lw_reader_fail(r, "ThrID lists %u threads, the layout has %u", size_of(&lanes, 0, lanes.leaves), t);
        return;
    }
    for (uint32_t l = 0; l < t; l++)
        for (uint32_t value = 0; value < v; value++)
            if (!claim(r, listed ? map(&lanes, &strides, 0, lanes.leaves, l) : l, value,
                       map(&shape, &stride, 0, shape.end_of_first, l) +
                           map(&shape, &stride, shape.end_of_first, shape.leaves, value)))
                return;
}
