/* SPDX-License-Identifier: MIT */
/* TIRx (TVM): from elements to places, S[extents : strides@axis] + R[copies]. TVM, docs/tirx/layout.rst. */
#include "isa_tables/error.h"
#include "layouts/notation/tv.h"

typedef struct term {
    uint32_t extent, lane, value; /* strides; at most one is not 0 */
} term;

typedef struct terms {
    term at[LW_RELATION_MAX_DIGITS];
    unsigned count;
} terms;

/* From slow to fast; terms from number `first` on are merged where the slower one continues the faster. */
static void add(terms *t, unsigned first, const lw_digit *d)
{
    const term next = { d->radix, d->lane, d->bit };
    term *last = t->count > first ? &t->at[t->count - 1] : NULL;
    if (last && last->lane == next.extent * next.lane && last->value == next.extent * next.value) {
        last->extent *= next.extent;
        last->lane = next.lane;
        last->value = next.value;
        return;
    }
    t->at[t->count++] = next;
}

static void put(const terms *t, const char *name, lw_writer *w)
{
    const bool tuple = t->count != 1;
    lw_writer_put(w, "%s[%s", name, tuple ? "(" : "");
    for (unsigned i = 0; i < t->count; i++)
        lw_writer_put(w, "%s%u", i ? "," : "", t->at[i].extent);
    lw_writer_put(w, "%s:%s", tuple ? ")" : "", tuple ? "(" : "");
    for (unsigned i = 0; i < t->count; i++)
        lw_writer_put(w, "%s%u%s", i ? "," : "", t->at[i].lane ? t->at[i].lane : t->at[i].value,
                      t->at[i].lane ? "@laneid" : "");
    lw_writer_put(w, "%s]", tuple ? ")" : "");
}

static terms copies_of(const lw_tv *tv)
{
    terms copies = { .count = 0 };
    for (unsigned i = tv->lanes.count; i-- > 0;)
        if (lw_tv_is_copy(&tv->lanes.digit[i]))
            add(&copies, 0, &tv->lanes.digit[i]);
    for (unsigned i = tv->values.count; i-- > 0;)
        if (lw_tv_is_copy(&tv->values.digit[i]))
            add(&copies, 0, &tv->values.digit[i]);
    return copies;
}

lw_status lw_write_tirx(const lw_layout *layout, lw_writer *w, lw_error *error)
{
    lw_tv tv;
    terms shard = { .count = 0 };
    lw_status st = lw_tv_make(layout, "TIRx", &tv, error);
    if (st != LW_OK)
        return st;
    if (tv.turned)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "TIRx: lanes are rotated, and it has no offset modulo the wave");
    for (unsigned a = 0; a < tv.axes; a++) {
        lw_tv_digits digits;
        if ((st = lw_tv_coordinate(&tv, tv.axis[a], "TIRx", &digits, error)) != LW_OK)
            return st;
        const unsigned first = shard.count; /* coordinates stay separate, for readability */
        for (unsigned i = 0; i < digits.count; i++)
            add(&shard, first, &digits.digit[i]);
    }
    const terms copies = copies_of(&tv);
    put(&shard, "S", w);
    if (copies.count)
        put(&copies, " + R", w);
    if (tv.r.origin.lane)
        lw_writer_put(w, " + %u@laneid", tv.r.origin.lane);
    if (tv.r.origin.bit)
        lw_writer_put(w, " + %u", tv.r.origin.bit);
    lw_writer_put(w, "\n");
    lw_tv_note(&tv, "//", w);
    return LW_OK;
}
