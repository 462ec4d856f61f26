/* SPDX-License-Identifier: MIT */
/* Linear layouts: the element is the XOR of the vectors of all bits that are set in value and lane. */
#include <string.h>

#include <lanewise/convert.h>

#include "isa_tables/error.h"
#include "layouts/notation/linear.h"

enum { REGISTER = LW_LINEAR_REGISTER, LANE = LW_LINEAR_LANE, WARP = LW_LINEAR_WARP, BLOCK = LW_LINEAR_BLOCK };
enum { INPUTS = LW_LINEAR_INPUTS, MOST_BITS = LW_LINEAR_BITS };
typedef lw_linear linear;

const char *const lw_linear_names[INPUTS] = { "register", "lane", "warp", "block" };
static const char *const gluon_names[INPUTS] = { "reg_bases", "lane_bases", "warp_bases", "block_bases" };

static bool add(lw_reader *r, linear *l, unsigned input, const char *open, const char *close)
{
    unsigned count;
    if (l->bits[input] == MOST_BITS)
        return lw_reader_fail(r, "more than %d vectors", MOST_BITS);
    uint32_t *v = l->vector[input][l->bits[input]++];
    if (!lw_reader_list(r, open, close, v, LW_TV_MOST_AXES, &count))
        return false;
    return count == l->axes ||
           lw_reader_fail(r, "the vector before this has %u coordinates, the operand has %u", count, l->axes);
}

bool lw_linear_read_vectors(lw_reader *r, linear *l, unsigned input)
{
    if (!lw_reader_need(r, "["))
        return false;
    if (lw_reader_take(r, "]"))
        return true;
    do
        if (!add(r, l, input, "[", "]"))
            return false;
    while (lw_reader_take(r, ","));
    return lw_reader_need(r, "]");
}

bool lw_linear_read_inputs(lw_reader *r, lw_linear *l, const char *const *words)
{
    bool named[INPUTS] = { false };
    do {
        unsigned input = 0;
        while (input < INPUTS && !lw_reader_take(r, words[input]))
            input++;
        if (input == INPUTS) {
            uint32_t shape[LW_TV_MOST_AXES];
            unsigned count;
            if (words != gluon_names || !lw_reader_take(r, "shape"))
                return lw_reader_fail(r, "one of %s, %s, %s, %s is expected here", words[0], words[1],
                                      words[2], words[3]);
            if (!lw_reader_need(r, "=") || !lw_reader_list(r, "[", "]", shape, LW_TV_MOST_AXES, &count))
                return false;
            continue;
        }
        if (named[input])
            return lw_reader_fail(r, "%s is said twice", words[input]);
        named[input] = true;
        if (!lw_reader_need(r, "=") || !lw_linear_read_vectors(r, l, input))
            return false;
    } while (lw_reader_take(r, ","));
    for (unsigned i = 0; i < INPUTS; i++)
        if (!named[i])
            return lw_reader_fail(r, "%s is missing before this", words[i]);
    return true;
}

/* "- register=1 -> (0, 1)" and so on; an input of size 1 is "- warp is a size 1 dimension". */
static bool read_lines(lw_reader *r, linear *l)
{
    unsigned input = INPUTS;
    while (!lw_reader_end(r) && !lw_reader_take(r, "where")) {
        uint32_t bit;
        lw_reader_take(r, "-");
        unsigned next = 0;
        while (next < INPUTS && !lw_reader_take(r, lw_linear_names[next]))
            next++;
        if (next == INPUTS)
            return lw_reader_fail(r, "register, lane, warp or block is expected here");
        input = next;
        if (lw_reader_take(r, "is")) {
            if (!lw_reader_need(r, "a") || !lw_reader_need(r, "size") || !lw_reader_need(r, "1") ||
                !lw_reader_need(r, "dimension"))
                return false;
            continue;
        }
        if (!lw_reader_need(r, "=") || !lw_reader_number(r, &bit))
            return false;
        if (bit != UINT32_C(1) << l->bits[input])
            return lw_reader_fail(r, "%s=%u is expected before this", lw_linear_names[input],
                                  1u << l->bits[input]);
        if (!lw_reader_need(r, "->") || !add(r, l, input, "(", ")"))
            return false;
    }
    r->at = r->size; /* the list of output dimensions adds no information */
    return true;
}

static bool is_silent(const linear *l, unsigned input)
{
    for (unsigned b = 0; b < l->bits[input]; b++)
        for (unsigned a = 0; a < l->axes; a++)
            if (l->vector[input][b][a])
                return false;
    return true;
}

static void claim_all(lw_reader *r, const linear *l)
{
    uint8_t axis[LW_TV_MOST_AXES];
    const unsigned axes = lw_reader_axes(r, false, axis);
    for (uint32_t n = 0; n < UINT32_C(1) << (l->bits[LANE] + l->bits[REGISTER]); n++) {
        uint32_t at[LW_TV_MOST_AXES] = { 0 };
        const uint32_t lane = n >> l->bits[REGISTER], value = n & ((UINT32_C(1) << l->bits[REGISTER]) - 1);
        for (unsigned a = 0; a < axes; a++) {
            for (unsigned b = 0; b < l->bits[LANE]; b++)
                at[a] ^= lane >> b & 1 ? l->vector[LANE][b][a] : 0;
            for (unsigned b = 0; b < l->bits[REGISTER]; b++)
                at[a] ^= value >> b & 1 ? l->vector[REGISTER][b][a] : 0;
        }
        if (!lw_reader_claim(r, lane, value, axis, at, axes))
            return;
    }
}

static bool read_any(lw_reader *r, linear *l)
{
    uint8_t axis[LW_TV_MOST_AXES];
    uint32_t shape[LW_TV_MOST_AXES];
    lw_reader_axes(r, false, axis);
    lw_reader_skip(r);
    if (r->at < r->size && r->text[r->at] == '#') {
        for (unsigned d = 0; d < l->axes; d++)
            shape[d] = lw_tv_extent(r->tv, axis[d]);
        return lw_linear_read_attribute(r, l, shape, true);
    }
    if (lw_reader_take(r, "DistributedLinearLayout"))
        return lw_reader_need(r, "(") && lw_linear_read_inputs(r, l, gluon_names) && lw_reader_need(r, ")");
    return read_lines(r, l);
}

void lw_read_triton(lw_reader *r)
{
    linear l = { .axes = r->tv->axes };
    if (!read_any(r, &l))
        return;
    if (!lw_reader_end(r)) {
        lw_reader_fail(r, "the layout ends before this");
        return;
    }
    if (!is_silent(&l, WARP) || !is_silent(&l, BLOCK)) {
        r->status = lw_error_fail(r->error, LW_E_UNSUPPORTED,
                                  "the layout is of several warps; an instruction's is of one");
        return;
    }
    if (l.bits[LANE] + l.bits[REGISTER] > 17) {
        lw_reader_fail(r, "the layout before this has more than %d places", LW_MOST_CLAIMS);
        return;
    }
    claim_all(r, &l);
}

static void put_vectors(const linear *l, unsigned input, lw_writer *w)
{
    lw_writer_put(w, "[");
    for (unsigned b = 0; b < l->bits[input]; b++) {
        lw_writer_put(w, "%s[", b ? ", " : "");
        for (unsigned a = 0; a < l->axes; a++)
            lw_writer_put(w, "%s%u", a ? ", " : "", l->vector[input][b][a]);
        lw_writer_put(w, "]");
    }
    lw_writer_put(w, "]");
}

static lw_status put_linear(const linear *l, const uint32_t *shape, bool gluon, lw_writer *w)
{
    lw_writer_put(w, gluon ? "DistributedLinearLayout(" : "#ttg.linear<{");
    for (unsigned input = 0; input < INPUTS; input++) {
        lw_writer_put(w, gluon ? "%s%s=" : "%s%s = ", input ? ", " : "",
                      (gluon ? gluon_names : lw_linear_names)[input]);
        put_vectors(l, input, w);
    }
    if (gluon) {
        lw_writer_put(w, ", shape=[");
        for (unsigned a = 0; a < l->axes; a++)
            lw_writer_put(w, "%s%u", a ? ", " : "", shape[a]);
        lw_writer_put(w, "]");
    }
    lw_writer_put(w, gluon ? ")\n" : "}>\n");
    return lw_writer_finish(w);
}

lw_status lw_triton_linear(const char *text, size_t size, const uint32_t *shape, uint32_t rank,
                           lw_layout_format format, lw_sink sink, void *context, lw_error *error)
{
    if (!text || !shape || !rank || rank > 3 || !sink ||
        (format != LW_LAYOUT_TRITON && format != LW_LAYOUT_GLUON))
        return lw_error_fail(
            error, LW_E_ARGUMENT,
            "lw_triton_linear needs a text, up to three dimensions, triton or gluon, and a sink");
    for (uint32_t d = 0; d < rank; d++)
        if (!shape[d] || shape[d] > LW_MOST_CLAIMS)
            return lw_error_fail(error, LW_E_ARGUMENT, "a tensor has 1 to %d elements along a dimension",
                                 LW_MOST_CLAIMS);
    lw_writer w;
    lw_linear l = { .axes = rank };
    lw_reader r = { .text = text, .size = size, .error = error };
    if (!lw_linear_read_attribute(&r, &l, shape, false))
        return r.status;
    lw_writer_start(&w, sink, context);
    return put_linear(&l, shape, format == LW_LAYOUT_GLUON, &w);
}
