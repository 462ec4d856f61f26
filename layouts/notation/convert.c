/* SPDX-License-Identifier: MIT */
/* Notations read and written without an instruction. */
#include <stdlib.h>
#include <string.h>

#include <lanewise/convert.h>

#include "isa_tables/error.h"
#include "layouts/notation/fit.h"
#include "layouts/notation/reader.h"

enum { X, Y };
#define NOWHERE UINT32_MAX

/* An operand with these extents and without places, for the readers. */
static void make_bare(lw_tv *tv, lw_operand operand, uint32_t x_count, uint32_t y_count, uint32_t lanes)
{
    const unsigned x = operand == LW_OPERAND_B ? LW_AXIS_K : LW_AXIS_ROW,
                   y = operand == LW_OPERAND_A ? LW_AXIS_K : LW_AXIS_COL;
    *tv =
        (lw_tv){ .r = { .rows = 1, .cols = 1, .ks = 1, .blocks = 1, .lanes = lanes, .width = 1, .pitch = 1 },
                 .axis = { (uint8_t)x, (uint8_t)y },
                 .axes = 2 };
    uint32_t *const extent[LW_AXES] = {
        [LW_AXIS_ROW] = &tv->r.rows, [LW_AXIS_COL] = &tv->r.cols, [LW_AXIS_K] = &tv->r.ks
    };
    *extent[x] = x_count;
    *extent[y] = y_count;
}

static uint32_t on_axis(const lw_pair *p, unsigned axis)
{
    return axis == LW_AXIS_ROW ? p->row : axis == LW_AXIS_COL ? p->col : p->k;
}

/* The claims as a table, NOWHERE where there is none. Sets the numbers of lanes and values to those
 * claimed. */
static bool tabulate(lw_reader *r, lw_fit *fit, uint32_t (**table)[2])
{
    fit->lanes = fit->values = 1;
    for (size_t i = 0; i < r->claims; i++) {
        const lw_pair *p = &r->claim[i];
        fit->lanes = p->lane >= fit->lanes ? p->lane + 1 : fit->lanes;
        fit->values = p->bit >= fit->values ? p->bit + 1 : fit->values;
        for (int a = X; a <= Y; a++)
            if (on_axis(p, r->tv->axis[a]) >= lw_tv_extent(r->tv, r->tv->axis[a]))
                return lw_reader_fail(r, "lane %u, value %u is %c = %u; the shape has %u", p->lane, p->bit,
                                      lw_tv_letter(r->tv->axis[a]), on_axis(p, r->tv->axis[a]),
                                      lw_tv_extent(r->tv, r->tv->axis[a]));
    }
    if (fit->lanes > LW_MOST_LANES || fit->values > LW_MOST_CLAIMS / fit->lanes)
        return lw_reader_fail(r, "the layout before this has too many lanes or values");
    *table = malloc((size_t)fit->lanes * fit->values * sizeof(**table));
    if (!*table) {
        r->status = lw_error_fail(r->error, LW_E_NO_MEMORY, "no memory to read a layout");
        return false;
    }
    memset(*table, 0xff, (size_t)fit->lanes * fit->values * sizeof(**table));
    fit->at = (const uint32_t(*)[2]) * table;
    return true;
}

static lw_status fail_places(lw_reader *r, const char *what)
{
    return lw_error_fail(r->error, LW_E_UNSUPPORTED,
                         "%s: a layout without an instruction needs one element in each place", what);
}

static lw_status fill(lw_reader *r, const lw_fit *fit, uint32_t (*table)[2])
{
    for (size_t i = 0; i < r->claims; i++) {
        const lw_pair *p = &r->claim[i];
        uint32_t *at = table[(size_t)p->lane * fit->values + p->bit];
        const uint32_t now[2] = { on_axis(p, r->tv->axis[X]), on_axis(p, r->tv->axis[Y]) };
        if (at[X] != NOWHERE && (at[X] != now[X] || at[Y] != now[Y]))
            return fail_places(r, "a value holds several elements");
        memcpy(at, now, sizeof(now));
    }
    for (size_t i = 0; i < (size_t)fit->lanes * fit->values; i++)
        if (table[i][X] == NOWHERE)
            return fail_places(r, "some lanes or values hold nothing");
    return LW_OK;
}

/* How many of the elements have a claim. */
static bool covers(const lw_reader *r)
{
    const uint32_t ys = lw_tv_extent(r->tv, r->tv->axis[Y]), all = lw_tv_extent(r->tv, r->tv->axis[X]) * ys;
    bool *seen = calloc(all, sizeof(*seen));
    uint32_t count = 0;
    for (size_t i = 0; seen && i < r->claims; i++) {
        const uint32_t x = on_axis(&r->claim[i], r->tv->axis[X]), y = on_axis(&r->claim[i], r->tv->axis[Y]);
        if (x < all / ys && y < ys && !seen[x * ys + y]) {
            seen[x * ys + y] = true;
            count++;
        }
    }
    free(seen);
    return count == all;
}

/* Lane arithmetic does not say how many values a lane has: take the smallest number that holds every
 * element. */
static void read(lw_reader *r, lw_tv *tv, lw_notation notation)
{
    const uint32_t all = lw_tv_extent(tv, tv->axis[X]) * lw_tv_extent(tv, tv->axis[Y]);
    tv->count = all > tv->r.lanes ? all / tv->r.lanes : 1;
    r->tv = tv;
    lw_notation_take(r, notation);
    while (notation == LW_NOTATION_FORMULA && r->status == LW_OK && !covers(r) && tv->count < all) {
        tv->count *= 2;
        lw_notation_take(r, notation);
    }
    if (r->status == LW_OK && !r->claims)
        lw_reader_fail(r, "no place is said");
}

static void finish(const lw_tv *tv, const lw_fit *fit, lw_relation *made)
{
    const lw_relation found = *made;
    *made = tv->r;
    made->digits = found.digits;
    made->bases = found.bases;
    made->lanes = fit->lanes;
    made->bits = fit->values;
    const unsigned x = tv->axis[X], y = tv->axis[Y];
    for (uint32_t i = 0; i < found.digits; i++) {
        lw_vector v = { { 0 } };
        v.on[LW_AXIS_BIT] = found.digit[i].bit;
        v.on[LW_AXIS_LANE] = found.digit[i].lane;
        v.on[x] = found.digit[i].row;
        v.on[y] = found.digit[i].col;
        made->digit[i] = lw_vector_digit(found.digit[i].radix, &v);
    }
    for (uint32_t i = 0; i <= found.bases; i++) {
        const lw_pair *p = i < found.bases ? &found.base[i] : &found.origin;
        lw_vector v = { { 0 } };
        v.on[LW_AXIS_BIT] = p->bit;
        v.on[LW_AXIS_LANE] = p->lane;
        v.on[x] = p->row;
        v.on[y] = p->col;
        *(i < found.bases ? &made->base[i] : &made->origin) = lw_vector_pair(&v);
    }
}

static bool is_matrix(lw_operand operand)
{
    return operand == LW_OPERAND_A || operand == LW_OPERAND_B || operand == LW_OPERAND_C ||
           operand == LW_OPERAND_D;
}

lw_status lw_notation_read(const char *text, size_t size, lw_operand operand, uint32_t x_count,
                           uint32_t y_count, uint32_t lanes, lw_relation *relation, lw_notation *notation,
                           lw_error *error)
{
    lw_tv tv;
    lw_fit fit;
    lw_relation made = { .digits = 0 };
    uint32_t(*table)[2] = NULL;
    if (!text || !relation || !is_matrix(operand) || !x_count || !y_count || x_count > 4096 ||
        y_count > 4096 || x_count * y_count > LW_MOST_CLAIMS || (lanes != 32 && lanes != 64))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "a layout needs A, B, C or D, up to %d elements, and waves of 32 or 64 lanes",
                             LW_MOST_CLAIMS);
    lw_reader r = { .text = text, .size = size, .error = error };
    make_bare(&tv, operand, x_count, y_count, lanes);
    r.tv = &tv;
    const lw_notation guess = lw_notation_guess(&r);
    read(&r, &tv, guess);
    lw_status st = r.status == LW_OK && !tabulate(&r, &fit, &table) ? r.status : r.status;
    if (st == LW_OK)
        st = fill(&r, &fit, table);
    if (st == LW_OK && !lw_fit_relation(&fit, &made))
        st = lw_error_fail(error, LW_E_UNSUPPORTED, "the layout is neither digits nor XOR bases");
    if (st == LW_OK) {
        finish(&tv, &fit, &made);
        *relation = made;
        if (notation)
            *notation = guess;
    }
    free(table);
    free(r.claim);
    return st;
}

/* ---- Writing ---- */

/* The place of element (x, y): the lowest lane, and value; NOWHERE if it has none. */
static uint32_t (*places_of(const lw_tv *tv))[2]
{
    const uint32_t ys = lw_tv_extent(tv, tv->axis[Y]), all = lw_tv_extent(tv, tv->axis[X]) * ys;
    uint32_t(*at)[2] = malloc(all * sizeof(*at));
    if (!at)
        return NULL;
    memset(at, 0xff, all * sizeof(*at));
    const size_t pairs = (size_t)lw_relation_count(&tv->r);
    for (size_t n = 0; n < pairs; n++) {
        lw_pair p;
        lw_relation_pair(&tv->r, n, &p);
        uint32_t *cell = at[on_axis(&p, tv->axis[X]) * ys + on_axis(&p, tv->axis[Y])];
        if (p.lane < cell[0] || (p.lane == cell[0] && p.bit < cell[1])) {
            cell[0] = p.lane;
            cell[1] = p.bit;
        }
    }
    return at;
}

static void put_grid(const lw_tv *tv, const uint32_t (*at)[2], lw_writer *w)
{
    const uint32_t xs = lw_tv_extent(tv, tv->axis[X]), ys = lw_tv_extent(tv, tv->axis[Y]);
    lw_writer_put(w, "%c\\%c ", lw_tv_letter(tv->axis[X]), lw_tv_letter(tv->axis[Y]));
    for (uint32_t y = 0; y < ys; y++)
        lw_writer_put(w, " %6u", y);
    for (uint32_t x = 0; x < xs; x++) {
        lw_writer_put(w, "\n%3u ", x);
        for (uint32_t y = 0; y < ys; y++)
            if (at[x * ys + y][0] == NOWHERE)
                lw_writer_put(w, "      .");
            else
                lw_writer_put(w, " %3u:v%-1u", at[x * ys + y][0], at[x * ys + y][1]);
    }
    lw_writer_put(w, "\n");
}

static void put_svg(const lw_tv *tv, const uint32_t (*at)[2], lw_writer *w)
{
    enum { CELL = 44, LINE = 22, HEAD = 24 };
    static const char *const colours[8] = { "#afd8f8", "#f8c8af", "#c8f8af", "#f8afe0",
                                            "#f8f0af", "#c0b8f8", "#aff8ec", "#dddddd" };
    const uint32_t xs = lw_tv_extent(tv, tv->axis[X]), ys = lw_tv_extent(tv, tv->axis[Y]);
    lw_writer_put(
        w,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" font-family=\"sans-serif\" "
        "font-size=\"11\" text-anchor=\"middle\">\n",
        HEAD + ys * CELL + 1, HEAD + xs * LINE + 1);
    for (uint32_t y = 0; y < ys; y++)
        lw_writer_put(w, "<text x=\"%u\" y=\"16\">%u</text>\n", HEAD + y * CELL + CELL / 2, y);
    for (uint32_t x = 0; x < xs; x++) {
        lw_writer_put(w, "<text x=\"12\" y=\"%u\">%u</text>\n", HEAD + x * LINE + 15, x);
        for (uint32_t y = 0; y < ys; y++) {
            const uint32_t *p = at[x * ys + y];
            lw_writer_put(
                w, "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%d\" fill=\"%s\" stroke=\"#888\"/>",
                HEAD + y * CELL, HEAD + x * LINE, CELL, LINE, p[0] == NOWHERE ? "#fff" : colours[p[1] % 8]);
            if (p[0] != NOWHERE)
                lw_writer_put(w, "<text x=\"%u\" y=\"%u\"><tspan font-weight=\"bold\">%u</tspan> v%u</text>",
                              HEAD + y * CELL + CELL / 2, HEAD + x * LINE + 15, p[0], p[1]);
            lw_writer_put(w, "\n");
        }
    }
    lw_writer_put(w, "</svg>\n");
}

/* LANE VALUE X Y for every place, by lane and value. */
static void put_listing(const lw_tv *tv, lw_writer *w)
{
    lw_pair found[1];
    size_t count;
    for (uint32_t lane = 0; lane < tv->r.lanes; lane++)
        for (uint32_t value = 0; value < tv->count; value++)
            if (lw_relation_elements(&tv->r, lane, tv->r.start + value * tv->r.pitch, found, 1, &count) ==
                    LW_OK &&
                count)
                lw_writer_put(w, "%u %u %u %u\n", lane, value, on_axis(&found[0], tv->axis[X]),
                              on_axis(&found[0], tv->axis[Y]));
}

static lw_status put_picture(const lw_layout *bare, lw_layout_format format, lw_writer *w, lw_error *error)
{
    lw_tv tv = { .r = bare->relation };
    lw_tv names;
    make_bare(&names, (lw_operand)bare->operand, 1, 1, 1);
    memcpy(tv.axis, names.axis, sizeof(tv.axis));
    tv.axes = 2;
    tv.count = bare->relation.bits;
    if (format == LW_LAYOUT_LISTING) {
        put_listing(&tv, w);
        return LW_OK;
    }
    uint32_t(*at)[2] = places_of(&tv);
    if (!at)
        return lw_error_fail(error, LW_E_NO_MEMORY, "no memory to print a layout");
    (format == LW_LAYOUT_GRID ? put_grid : put_svg)(&tv, (const uint32_t(*)[2])at, w);
    free(at);
    return LW_OK;
}

lw_status lw_notation_print(const lw_relation *relation, lw_operand operand, lw_layout_format format,
                            lw_sink sink, void *context, lw_error *error)
{
    static lw_notation_writer *const writers[] = {
        [LW_LAYOUT_FORMULA] = lw_write_formula, [LW_LAYOUT_CUTE] = lw_write_cute,
        [LW_LAYOUT_TRITON] = lw_write_triton,   [LW_LAYOUT_GLUON] = lw_write_gluon,
        [LW_LAYOUT_IREE] = lw_write_iree,       [LW_LAYOUT_TIRX] = lw_write_tirx,
        [LW_LAYOUT_CK] = lw_write_ck,
    };
    lw_writer w;
    if (!relation || !sink || !is_matrix(operand))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "lw_notation_print needs a relation of A, B, C or D and a sink");
    lw_status st = lw_relation_check(relation, error);
    if (st != LW_OK)
        return st;
    const lw_layout bare = { .relation = *relation, .operand = (uint8_t)operand };
    lw_writer_start(&w, sink, context);
    if (format == LW_LAYOUT_LISTING || format == LW_LAYOUT_GRID || format == LW_LAYOUT_SVG)
        st = put_picture(&bare, format, &w, error);
    else if ((unsigned)format < sizeof(writers) / sizeof(writers[0]) && writers[format])
        st = writers[format](&bare, &w, error);
    else
        return lw_error_fail(error, LW_E_UNSUPPORTED, "that format is for an operand of an instruction");
    return st == LW_OK ? lw_writer_finish(&w) : st;
}
