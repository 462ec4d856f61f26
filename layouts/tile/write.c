/* SPDX-License-Identifier: MIT */
/* A tile in memory in the notations of other tools. */
#include <stdlib.h>

#include <lanewise/convert.h>

#include "isa_tables/error.h"
#include "layouts/notation/fit.h"
#include "layouts/tile/tile.h"

enum { MOST_SWIZZLE = 5, MOST_BASE = 8, MOST_SHIFT = 12 };

/* Offsets in elements, as a table by row ("lanes") and column ("values"). */
typedef struct offsets {
    uint32_t (*at)[2];
    lw_fit fit;
    uint64_t end; /* elements of memory */
} offsets;

static lw_status list(const lw_tile *t, offsets *o, lw_error *error)
{
    const size_t count = (size_t)t->rows * t->cols;
    o->at = malloc(count * sizeof(*o->at));
    if (!o->at)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory to print a tile");
    o->fit = (lw_fit){ .at = (const uint32_t(*)[2])o->at, .lanes = t->rows, .values = t->cols };
    o->end = t->bits / t->width;
    for (size_t i = 0; i < count; i++) {
        if (t->bit[i] % t->width || t->bit[i] / t->width >= UINT32_MAX)
            return lw_error_fail(error, LW_E_UNSUPPORTED,
                                 "elements do not begin at multiples of their width");
        o->at[i][0] = (uint32_t)(t->bit[i] / t->width);
        o->at[i][1] = 0;
    }
    return LW_OK;
}

typedef struct swizzle {
    unsigned b, m, s;
} swizzle;

static void turn(const lw_tile *t, offsets *o, const swizzle *w)
{
    for (size_t i = 0; i < (size_t)t->rows * t->cols; i++)
        o->at[i][0] = (uint32_t)lw_tile_swizzle(o->at[i][0], w->b, w->m, (int)w->s);
}

static bool is_digits(const offsets *o, lw_relation *r)
{
    return lw_fit_relation(&o->fit, r) && !r->bases && !r->origin.row;
}

/* Offset of a row and column with the swizzle undone. */
static uint64_t turned(const lw_tile *t, const offsets *o, const swizzle *w, uint32_t row, uint32_t col)
{
    return lw_tile_swizzle(o->at[row * t->cols + col][0], w->b, w->m, (int)w->s);
}

/* For powers of two: whether offsets of sums of two bits are the sums of their offsets. A quick test before
 * all elements are examined. */
static bool may_be_digits(const lw_tile *t, const offsets *o, const swizzle *w)
{
    const uint32_t all = t->rows * t->cols;
    const uint64_t zero = turned(t, o, w, 0, 0);
    if (!lw_is_power_of_two(t->rows) || !lw_is_power_of_two(t->cols))
        return true;
    for (uint32_t a = 1; a < all; a *= 2)
        for (uint32_t b = a * 2; b < all; b *= 2)
            if (turned(t, o, w, a / t->cols, a % t->cols) + turned(t, o, w, b / t->cols, b % t->cols) !=
                zero + turned(t, o, w, (a + b) / t->cols, (a + b) % t->cols))
                return false;
    return true;
}

/* The swizzle after which rows and columns are digits; b = 0 if none is needed. The first one in order that
 * does this. */
static bool find_swizzle(const lw_tile *t, offsets *o, swizzle *w, lw_relation *r)
{
    *w = (swizzle){ .b = 0 };
    if (is_digits(o, r))
        return true;
    for (w->b = 1; w->b <= MOST_SWIZZLE; w->b++)
        for (w->s = w->b; w->s <= MOST_SHIFT; w->s++)
            for (w->m = 0; w->m <= MOST_BASE; w->m++) {
                if (!may_be_digits(t, o, w))
                    continue;
                turn(t, o, w);
                const bool found = is_digits(o, r);
                if (found)
                    return true;
                turn(t, o, w);
            }
    return false;
}

static void put_mode(lw_writer *w, const lw_relation *r, bool lanes, bool strides)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < r->digits; i++)
        count += (r->digit[i].lane != 0) == lanes;
    if (count != 1)
        lw_writer_put(w, count ? "(" : strides ? "0" : "1");
    for (uint32_t i = 0, n = 0; i < r->digits; i++)
        if ((r->digit[i].lane != 0) == lanes)
            lw_writer_put(w, "%s%u", n++ ? "," : "", strides ? r->digit[i].row : r->digit[i].radix);
    if (count > 1)
        lw_writer_put(w, ")");
}

static lw_status put_cute(const lw_tile *t, offsets *o, lw_writer *w, lw_error *error)
{
    swizzle s;
    lw_relation r;
    if (!find_swizzle(t, o, &s, &r))
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "CuTe: this is not a layout of digits with one swizzle of elements");
    if (s.b)
        lw_writer_put(w, "Sw<%u,%u,%u> o 0 o ", s.b, s.m, s.s);
    lw_writer_put(w, "(");
    put_mode(w, &r, true, false);
    lw_writer_put(w, ",");
    put_mode(w, &r, false, false);
    lw_writer_put(w, "):(");
    put_mode(w, &r, true, true);
    lw_writer_put(w, ",");
    put_mode(w, &r, false, true);
    lw_writer_put(w, ")\n");
    return LW_OK;
}

/* shared_linear: the coordinates that each bit of the offset stands for; each bit moves one or more
 * coordinates. */
static lw_status put_linear(const lw_tile *t, const offsets *o, lw_writer *w, lw_error *error)
{
    const uint32_t count = t->rows * t->cols;
    uint32_t *back = malloc(count * sizeof(*back));
    if (!back)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory to print a tile");
    bool linear = o->end == count && !(count & (count - 1)) && !(t->rows & (t->rows - 1)) && !o->at[0][0];
    for (uint32_t i = 0; linear && i < count; i++)
        back[o->at[i][0]] = i;
    for (uint32_t n = 1; linear && n < count; n++)
        linear = back[n] == (back[n & (n - 1)] ^ back[n & (0 - n)]);
    if (linear) {
        lw_writer_put(w, "#ttg.shared_linear<{offset = [");
        for (uint32_t bit = 1; bit < count; bit *= 2)
            lw_writer_put(w, "%s[%u, %u]", bit > 1 ? ", " : "", back[bit] / t->cols, back[bit] % t->cols);
        lw_writer_put(w, "]}, alignment = 16>\n");
    }
    free(back);
    return linear ? LW_OK
                  : lw_error_fail(error, LW_E_UNSUPPORTED,
                                  "Triton: the tile is not linear in bits: it has padding, or an extent that "
                                  "is not a power of two");
}

static lw_status put_shuffle(const lw_tile *t, offsets *o, lw_writer *w, lw_error *error)
{
    swizzle s;
    lw_relation r;
    const bool found = find_swizzle(t, o, &s, &r);
    bool rows = found && s.b;
    for (uint32_t i = 0; rows && i < t->rows * t->cols; i++)
        rows = o->at[i][0] == i;
    if (!rows)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "IREE: xor_shuffle expresses swizzled rows, and this tile is something else");
    lw_writer_put(w, "#iree_codegen.xor_shuffle<%u, %u", 1u << (s.m + s.b), 1u << s.m);
    if (s.s != s.b)
        lw_writer_put(w, ", %u", 1u << (s.m + s.s));
    lw_writer_put(w, ">\n");
    return LW_OK;
}

/* The digits of rows, then of columns, the slowest first, as in S[..]. */
static lw_status put_tirx(const lw_tile *t, offsets *o, lw_writer *w, lw_error *error)
{
    lw_relation r;
    (void)t;
    if (!is_digits(o, &r))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "TIRx: the tile is not a layout of digits");
    for (int strides = 0; strides < 2; strides++) {
        unsigned n = 0;
        lw_writer_put(w, strides ? "):(" : "S[(");
        for (int lanes = 1; lanes >= 0; lanes--)
            for (uint32_t i = r.digits; i-- > 0;)
                if ((r.digit[i].lane != 0) == lanes)
                    lw_writer_put(w, "%s%u", n++ ? "," : "", strides ? r.digit[i].row : r.digit[i].radix);
        if (!n)
            lw_writer_put(w, strides ? "0" : "1");
    }
    lw_writer_put(w, ")]\n");
    return LW_OK;
}

/* Whether every 16 bytes of a row are contiguous and aligned. */
static bool has_pieces(const lw_tile *t, uint32_t piece)
{
    if (!piece || t->cols % piece || t->cols == piece)
        return false;
    for (uint32_t i = 0; i < t->rows * t->cols; i++)
        if (i % piece ? t->bit[i] != t->bit[i - 1] + t->width : t->bit[i] % 128)
            return false;
    return true;
}

/* A line for each row: where each 16-byte piece is, in units of such pieces; or each element, in elements. */
static lw_status put_grid(const lw_tile *t, lw_writer *w)
{
    const uint32_t piece = 128 % t->width ? 0 : 128 / t->width;
    const bool pieces = has_pieces(t, piece);
    const uint32_t step = pieces ? piece : 1;
    const uint64_t unit = pieces ? 128 : t->width;
    lw_writer_put(w, "row: position of each %s, counted in %s from the start\n",
                  pieces ? "16 bytes" : "element", pieces ? "units of 16 bytes" : "elements");
    for (uint32_t row = 0; row < t->rows; row++) {
        lw_writer_put(w, "%3u:", row);
        for (uint32_t col = 0; col < t->cols; col += step) {
            const uint64_t bit = t->bit[(size_t)row * t->cols + col];
            if (bit % unit)
                lw_writer_put(w, " %4llu+%llu/%llu", (unsigned long long)(bit / unit),
                              (unsigned long long)(bit % unit), (unsigned long long)unit);
            else
                lw_writer_put(w, " %4llu", (unsigned long long)(bit / unit));
        }
        lw_writer_put(w, "\n");
    }
    return lw_writer_finish(w);
}

lw_status lw_tile_print(const lw_tile *tile, lw_layout_format format, lw_sink sink, void *context,
                        lw_error *error)
{
    offsets o = { .at = NULL };
    lw_writer w;
    if (!tile || !sink)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_tile_print needs a tile and a sink");
    lw_writer_start(&w, sink, context);
    if (format == LW_LAYOUT_LISTING) {
        for (uint32_t i = 0; i < tile->rows * tile->cols; i++)
            lw_writer_put(&w, "%u %u %llu\n", i / tile->cols, i % tile->cols,
                          (unsigned long long)tile->bit[i]);
        return lw_writer_finish(&w);
    }
    if (format == LW_LAYOUT_GRID)
        return put_grid(tile, &w);
    lw_status st = list(tile, &o, error);
    if (st == LW_OK)
        st = format == LW_LAYOUT_CUTE     ? put_cute(tile, &o, &w, error)
             : format == LW_LAYOUT_TRITON ? put_linear(tile, &o, &w, error)
             : format == LW_LAYOUT_IREE   ? put_shuffle(tile, &o, &w, error)
             : format == LW_LAYOUT_TIRX
                 ? put_tirx(tile, &o, &w, error)
                 : lw_error_fail(error, LW_E_UNSUPPORTED,
                                 "a tile in memory is written as cute, triton, iree, tirx, grid or "
                                 "listing");
    free(o.at);
    return st == LW_OK ? lw_writer_finish(&w) : st;
}
