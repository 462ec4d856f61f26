/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "layouts/notation/tuple.h"

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

/* Goes behind a word, wherever it is. */
static bool seek(lw_reader *r, const char *word)
{
    const size_t length = strlen(word);
    for (size_t at = 0; at + length <= r->size; at++)
        if (memcmp(r->text + at, word, length) == 0) {
            r->at = at + length;
            return true;
        }
    return false;
}

/*
 * What CuTe prints for an atom or a tiled MMA, line by line: the threads ("ThrID:"), and of the operand's
 * layout
 * ("LayoutA_TV:" in C++, "TV Layout A:" in Python) what follows. C stands for D, too.
 */
static bool read_atom(lw_reader *r, lw_tuple *lanes, lw_tuple *strides)
{
    const char *name = lw_operand_name((lw_operand)r->tv->layout->operand);
    const char letter = name[0] == 'D' ? 'C' : name[0];
    const char cpp[] = { 'L', 'a', 'y', 'o', 'u', 't', letter, '_', 'T', 'V', ':', '\0' },
               python[] = { 'T', 'V', ' ', 'L', 'a', 'y', 'o', 'u', 't', ' ', letter, ':', '\0' };
    if (!seek(r, "ThrID:"))
        return lw_reader_fail(r, "'ThrID:' is nowhere here");
    if (!lw_tuple_read_layout(r, lanes, strides))
        return false;
    if (name[1] || (!seek(r, cpp) && !seek(r, python)))
        return lw_reader_fail(r, "no line after this has the layout of %s", name);
    return true;
}

/* What a layout may stand in: !fly.layout<(16,4):(1,16)> */
static bool take_wrapper(lw_reader *r)
{
    return lw_reader_take(r, "!fly.layout<");
}

void lw_read_cute(lw_reader *r)
{
    lw_tuple lanes = { .leaves = 0 }, strides, shape, stride;
    const bool atom = seek(r, "_TV:") || seek(r, "TV Layout ");
    r->at = 0;
    if (atom && !r->tv->layout) {
        lw_reader_fail(r, "what CuTe prints for an atom is read for an operand of an instruction only");
        return;
    }
    const bool listed = atom || lw_reader_take(r, "ThrID"), wrapped = !listed && take_wrapper(r);
    if (atom) {
        if (!read_atom(r, &lanes, &strides))
            return;
    } else if (listed) {
        lw_reader_take(r, ":");
        if (!lw_tuple_read_layout(r, &lanes, &strides) || !lw_reader_need(r, ","))
            return;
    }
    if (lw_reader_take(r, "Swizzle<") || lw_reader_take(r, "Sw<")) {
        lw_reader_fail(r, "a swizzle applies to memory, not to lanes and values");
        return;
    }
    if (!lw_tuple_read_layout(r, &shape, &stride))
        return;
    if (wrapped && !lw_reader_need(r, ">"))
        return;
    if (!atom && !lw_reader_end(r)) {
        lw_reader_fail(r, "the layout ends before this");
        return;
    }
    if (shape.modes != 2) {
        lw_reader_fail(r, "the layout before this has no two modes, threads and values");
        return;
    }
    const uint32_t t = lw_tuple_size(&shape, 0, shape.end_of_first),
                   v = lw_tuple_size(&shape, shape.end_of_first, shape.leaves);
    if (!t || !v || t > LW_MOST_LANES || v > LW_MOST_CLAIMS / t) {
        lw_reader_fail(r, "the layout before this has more than %d places", LW_MOST_CLAIMS);
        return;
    }
    if (listed && lw_tuple_size(&lanes, 0, lanes.leaves) != t) {
        lw_reader_fail(r, "ThrID lists %u threads, the layout has %u", lw_tuple_size(&lanes, 0, lanes.leaves),
                       t);
        return;
    }
    for (uint32_t l = 0; l < t; l++)
        for (uint32_t value = 0; value < v; value++)
            if (!claim(r, listed ? lw_tuple_map(&lanes, &strides, 0, lanes.leaves, l) : l, value,
                       lw_tuple_map(&shape, &stride, 0, shape.end_of_first, l) +
                           lw_tuple_map(&shape, &stride, shape.end_of_first, shape.leaves, value)))
                return;
}
