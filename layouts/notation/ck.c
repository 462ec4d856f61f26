/* SPDX-License-Identifier: MIT */
/*
 * Composable Kernel: tile_distribution_encoding<Rs, Hs, Ps major, Ps minor, Ys major, Ys minor>. Coordinates
 * are (m, k), (n, k) and (m, n), as its warp operations have them; blocks are one more coordinate, at the
 * end.
 */
#include "layouts/notation/tv.h"

typedef struct encoding {
    lw_tv_digits copies, h[LW_TV_MOST_AXES];
    uint8_t axis[LW_TV_MOST_AXES];
    unsigned axes;
} encoding;

static void put_sequence(lw_writer *w, const lw_tv_digits *digits)
{
    lw_writer_put(w, "sequence<");
    for (unsigned i = 0; i < digits->count; i++)
        lw_writer_put(w, "%s%u", i ? ", " : "", digits->digit[i].radix);
    lw_writer_put(w, ">");
}

static unsigned find(const lw_tv_digits *list, unsigned axis, const lw_digit *d)
{
    unsigned n = 0;
    while (n < list->count && lw_tv_on(&list->digit[n], axis) != lw_tv_on(d, axis))
        n++;
    return n;
}

/* The coordinate that a digit belongs to, 0 for copies, and the digit's number there. */
static void locate(const encoding *e, const lw_digit *d, unsigned *major, unsigned *minor)
{
    for (unsigned a = 0; a < e->axes; a++)
        if (lw_tv_on(d, e->axis[a])) {
            *major = a + 1;
            *minor = find(&e->h[a], e->axis[a], d);
            return;
        }
    *major = 0;
    *minor = find(&e->copies, d->lane ? LW_AXIS_LANE : LW_AXIS_BIT, d);
}

/* The digits from slow to fast, as majors or as minors. */
static void put_places(lw_writer *w, const encoding *e, const lw_tv_digits *digits, bool minors)
{
    lw_writer_put(w, "sequence<");
    for (unsigned i = digits->count; i-- > 0;) {
        unsigned major, minor;
        locate(e, &digits->digit[i], &major, &minor);
        lw_writer_put(w, "%u%s", minors ? minor : major, i ? ", " : "");
    }
    lw_writer_put(w, ">");
}

static lw_status make(const lw_tv *tv, encoding *e, lw_error *error)
{
    static const uint8_t order[] = { LW_AXIS_ROW, LW_AXIS_COL, LW_AXIS_K, LW_AXIS_BLOCK };
    lw_status st = LW_OK;
    *e = (encoding){ .axes = 0 };
    for (unsigned i = 0; st == LW_OK && i < sizeof(order); i++)
        for (unsigned a = 0; a < tv->axes; a++)
            if (tv->axis[a] == order[i]) {
                st = lw_tv_coordinate(tv, order[i], "CK", &e->h[e->axes], error);
                e->axis[e->axes++] = order[i];
            }
    for (unsigned i = tv->lanes.count; i-- > 0;)
        if (lw_tv_is_copy(&tv->lanes.digit[i]))
            e->copies.digit[e->copies.count++] = tv->lanes.digit[i];
    for (unsigned i = tv->values.count; i-- > 0;)
        if (lw_tv_is_copy(&tv->values.digit[i]))
            e->copies.digit[e->copies.count++] = tv->values.digit[i];
    return st;
}

lw_status lw_write_ck(const lw_layout *layout, lw_writer *w, lw_error *error)
{
    lw_tv tv;
    encoding e;
    lw_status st = lw_tv_make(layout, "CK", &tv, error);
    if (st != LW_OK || (st = lw_tv_is_function(&tv, "CK", false, error)) != LW_OK ||
        (st = make(&tv, &e, error)) != LW_OK)
        return st;
    lw_writer_put(w, "tile_distribution_encoding<");
    put_sequence(w, &e.copies);
    for (unsigned a = 0; a < e.axes; a++) {
        lw_writer_put(w, a ? ", " : ", tuple<");
        put_sequence(w, &e.h[a]);
    }
    lw_writer_put(w, ">, tuple<");
    put_places(w, &e, &tv.lanes, false);
    lw_writer_put(w, ">, tuple<");
    put_places(w, &e, &tv.lanes, true);
    lw_writer_put(w, ">, ");
    put_places(w, &e, &tv.values, false);
    lw_writer_put(w, ", ");
    put_places(w, &e, &tv.values, true);
    lw_writer_put(w, ">\n");
    lw_tv_note(&tv, "//", w);
    return LW_OK;
}
