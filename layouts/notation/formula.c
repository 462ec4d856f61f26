/* SPDX-License-Identifier: MIT */
/* The element of lane l and value v in closed form: "i = l%16, k = 4*(l/16)+v". */
#include "isa_tables/error.h"
#include "layouts/notation/tv.h"

/* l/16%2, leaving out what has no effect: division by 1, and the remainder of the topmost digit. */
static void put_digit(lw_writer *w, char letter, uint32_t step, uint32_t radix, uint32_t end, uint32_t factor)
{
    const bool divides = step > 1, cuts = (uint64_t)step * radix < end;
    const bool closed = factor > 1 && (divides || cuts);
    if (factor > 1)
        lw_writer_put(w, "%u*%s", factor, closed ? "(" : "");
    lw_writer_put(w, "%c", letter);
    if (divides)
        lw_writer_put(w, "/%u", step);
    if (cuts)
        lw_writer_put(w, "%%%u", radix);
    if (closed)
        lw_writer_put(w, ")");
}

/* What the number of a lane counts to before the next digit of it begins. */
static uint32_t room_of(const lw_tv *tv, const lw_digit *d)
{
    uint32_t room = tv->r.lanes;
    for (unsigned i = tv->lanes.count; i-- > 0 && tv->lanes.digit[i].lane > d->lane;)
        room = tv->lanes.digit[i].lane;
    return room;
}

/* l%32, where lanes 24 to 31 hold nothing: the next digit does not begin at a multiple of this one. */
static void put_loose_digit(const lw_tv *tv, const lw_digit *d, uint32_t room, uint32_t factor, lw_writer *w)
{
    if (factor > 1)
        lw_writer_put(w, "%u*(", factor);
    lw_writer_put(w, "l");
    if (room < tv->r.lanes)
        lw_writer_put(w, "%%%u", room);
    if (d->lane > 1)
        lw_writer_put(w, "/%u", d->lane);
    lw_writer_put(w, "%s", factor > 1 ? ")" : "");
}

static void put_coordinate(const lw_tv *tv, unsigned axis, const lw_tv_digits *digits, lw_writer *w)
{
    lw_writer_put(w, "%c = ", lw_tv_letter(axis));
    for (unsigned i = 0; i < digits->count; i++) {
        const lw_digit *d = &digits->digit[i];
        lw_writer_put(w, "%s", i ? "+" : "");
        const uint32_t room = d->lane ? room_of(tv, d) : 0;
        if (d->lane && room % (d->lane * d->radix))
            put_loose_digit(tv, d, room, lw_tv_on(d, axis), w);
        else
            put_digit(w, d->lane ? 'l' : 'v', d->lane ? d->lane : d->bit, d->radix,
                      d->lane ? tv->r.lanes : tv->count, lw_tv_on(d, axis));
    }
    if (!digits->count)
        lw_writer_put(w, "0");
}

/* A condition where not all lanes take part: "l%4 = 0", "l%32 < 24". */
static void put_conditions(const lw_tv *tv, lw_writer *w)
{
    uint32_t next = 1;
    for (unsigned i = 0; i <= tv->lanes.count; i++) {
        const uint32_t step = i < tv->lanes.count ? tv->lanes.digit[i].lane : tv->r.lanes;
        if (step % next) {
            lw_writer_put(w, ", l");
            if (step < tv->r.lanes)
                lw_writer_put(w, "%%%u", step);
            lw_writer_put(w, " < %u", next);
        } else if (step > next) {
            lw_writer_put(w, ", ");
            put_digit(w, 'l', next, step / next, tv->r.lanes, 1);
            lw_writer_put(w, " = 0");
        }
        next = i < tv->lanes.count ? step * tv->lanes.digit[i].radix : next;
    }
}

lw_status lw_write_formula(const lw_layout *layout, lw_writer *w, lw_error *error)
{
    lw_tv tv;
    lw_status st = lw_tv_make(layout, "formula", &tv, error);
    if (st != LW_OK || (st = lw_tv_is_function(&tv, "formula", true, error)) != LW_OK)
        return st;
    for (unsigned a = 0; a < tv.axes; a++) {
        lw_tv_digits digits;
        if ((st = lw_tv_coordinate(&tv, tv.axis[a], "formula", &digits, error)) != LW_OK)
            return st;
        lw_writer_put(w, "%s", a ? ", " : "");
        put_coordinate(&tv, tv.axis[a], &digits, w);
    }
    put_conditions(&tv, w);
    lw_writer_put(w, "\n");
    lw_tv_note(&tv, "//", w);
    return LW_OK;
}
