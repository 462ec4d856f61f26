/* SPDX-License-Identifier: MIT */
/* Listings: every element by name. */
#include <stdlib.h>

#include "isa_tables/error.h"
#include "layouts/notation/reader.h"

enum { FIELDS = LW_LISTING_FIELDS, LANE = 0, REG, LSB, MSB, BLOCK, X, Y };

bool lw_reader_claim_bit(lw_reader *r, uint32_t lane, uint64_t bit, const uint32_t element[3])
{
    uint8_t axis[LW_TV_MOST_AXES];
    uint64_t value;
    const unsigned axes = lw_reader_axes(r, false, axis);
    if (!lw_tv_value(r->tv, bit, &value) || value > LW_MOST_NUMBER)
        return lw_reader_fail(r, "no value of the operand begins at bit %llu", (unsigned long long)bit);
    return lw_reader_claim(r, lane, (uint32_t)value, axis, element + 3 - axes, axes);
}

/* Without an instruction there are no registers: "LANE VALUE X Y", as lw_notation_print writes them. */
static void read_bare_listing(lw_reader *r)
{
    uint8_t axis[LW_TV_MOST_AXES];
    const unsigned axes = lw_reader_axes(r, false, axis);
    while (!lw_reader_end(r)) {
        uint32_t n[4];
        for (int f = 0; f < 4; f++)
            if (!lw_reader_number(r, &n[f]))
                return;
        if (!lw_reader_claim(r, n[0], n[1], axis, n + 2, axes))
            return;
    }
}

/* The names of the fields, which need not be there. */
static bool skip_head(lw_reader *r)
{
    static const char *const names[FIELDS] = { "lane", "reg", "lsb", "msb", "block", "x", "y" };
    if (lw_reader_take(r, names[LANE]))
        for (int f = REG; f < FIELDS; f++)
            if (!lw_reader_need(r, ",") || !lw_reader_need(r, names[f]))
                return false;
    return true;
}

static bool read_line(lw_reader *r, uint32_t n[FIELDS])
{
    for (int f = 0; f < FIELDS; f++) {
        if (f)
            lw_reader_take(r, ",");
        if (!lw_reader_number(r, &n[f]))
            return false;
    }
    return true;
}

static bool claim_line(lw_reader *r, const uint32_t n[FIELDS])
{
    if (n[MSB] < n[LSB] || n[MSB] - n[LSB] + 1 != r->tv->r.width)
        return lw_reader_fail(r, "bits %u:%u before this are not the %u of an element", n[MSB], n[LSB],
                              r->tv->r.width);
    return lw_reader_claim_bit(r, n[LANE], 32ull * n[REG] + n[LSB], &n[BLOCK]);
}

void lw_read_listing(lw_reader *r)
{
    uint32_t n[FIELDS];
    if (!r->tv->layout) {
        read_bare_listing(r);
        return;
    }
    if (r->listing) {
        for (size_t i = 0; i < r->listing->count; i++)
            if (!claim_line(r, r->listing->line[i]))
                return;
        return;
    }
    if (!skip_head(r))
        return;
    while (!lw_reader_end(r))
        if (!read_line(r, n) || !claim_line(r, n))
            return;
}

uint32_t *lw_listing_add(lw_listing *listing)
{
    if (listing->count == listing->room) {
        const size_t room = listing->room ? 2 * listing->room : 256;
        void *more = room <= LW_MOST_CLAIMS ? realloc(listing->line, room * sizeof(*listing->line)) : NULL;
        if (!more)
            return NULL;
        listing->line = more;
        listing->room = room;
    }
    return listing->line[listing->count++];
}

bool lw_listing_finish(lw_listing *listing, bool whole)
{
    for (size_t i = 0; whole && i < listing->count; i++)
        for (int f = 0; f < FIELDS; f++)
            if (listing->line[i][f] > listing->most[f])
                listing->most[f] = listing->line[i][f];
    if (whole && listing->count)
        return true;
    free(listing->line);
    *listing = (lw_listing){ .line = NULL, .operand = -1 };
    return false;
}

bool lw_listing_read(const char *text, size_t size, lw_listing *listing)
{
    lw_reader r = { .text = text, .size = size };
    bool whole = lw_notation_guess(&r) == LW_NOTATION_LISTING && skip_head(&r);
    *listing = (lw_listing){ .line = NULL, .operand = -1 };
    while (whole && !lw_reader_end(&r)) {
        uint32_t *line = lw_listing_add(listing);
        whole = line && read_line(&r, line);
    }
    return lw_listing_finish(listing, whole);
}

bool lw_listing_exceeds(const lw_listing *listing, const lw_tv *tv)
{
    const uint32_t *most = listing->most, xs = lw_tv_extent(tv, tv->axis[tv->axes - 2]),
                   ys = lw_tv_extent(tv, tv->axis[tv->axes - 1]);
    const bool straight = most[X] < xs && most[Y] < ys, transposed = most[X] < ys && most[Y] < xs;
    return most[LANE] >= tv->r.lanes || !(straight || transposed);
}
