/* SPDX-License-Identifier: MIT */
/* CuTe: shapes and strides from (T, V) to column-major element numbers, coalesced. CUTLASS,
 * media/docs/cpp/cute. */
#include "layouts/notation/tv.h"

typedef struct mode {
    uint32_t size[LW_RELATION_MAX_DIGITS], stride[LW_RELATION_MAX_DIGITS];
    unsigned count;
} mode;

static void add(mode *m, uint32_t size, uint32_t stride)
{
    if (size == 1)
        return;
    const unsigned last = m->count - 1;
    if (m->count && stride == m->stride[last] * m->size[last]) {
        m->size[last] *= size;
        return;
    }
    m->size[m->count] = size;
    m->stride[m->count++] = stride;
}

static void put(lw_writer *w, const uint32_t *numbers, unsigned count, unsigned none)
{
    if (count > 1)
        lw_writer_put(w, "(");
    for (unsigned i = 0; i < count; i++)
        lw_writer_put(w, "%s%u", i ? "," : "", numbers[i]);
    if (count > 1)
        lw_writer_put(w, ")");
    if (!count)
        lw_writer_put(w, "%u", none);
}

/* How far a step of the digit moves the element number: rows fastest, then columns, k, blocks. */
static uint32_t number_of(const lw_relation *r, const lw_digit *d)
{
    return d->row + r->rows * (d->col + r->cols * (d->k + r->ks * d->block));
}

static mode mode_of(const lw_relation *r, const lw_tv_digits *digits)
{
    mode m = { .count = 0 };
    for (unsigned i = 0; i < digits->count; i++)
        add(&m, digits->digit[i].radix, number_of(r, &digits->digit[i]));
    return m;
}

/* The lanes that take part: "ThrID (2,8):(1,4), ". */
static void put_lanes(const lw_tv *tv, lw_writer *w)
{
    mode m = { .count = 0 };
    for (unsigned i = 0; i < tv->lanes.count; i++)
        add(&m, tv->lanes.digit[i].radix, tv->lanes.digit[i].lane);
    lw_writer_put(w, "ThrID ");
    put(w, m.size, m.count, 1);
    lw_writer_put(w, ":");
    put(w, m.stride, m.count, 0);
    lw_writer_put(w, ", ");
}

lw_status lw_write_cute(const lw_layout *layout, lw_writer *w, lw_error *error)
{
    lw_tv tv;
    lw_status st = lw_tv_make(layout, "CuTe", &tv, error);
    if (st != LW_OK || (st = lw_tv_is_function(&tv, "CuTe", true, error)) != LW_OK)
        return st;
    const mode t = mode_of(&tv.r, &tv.lanes), v = mode_of(&tv.r, &tv.values);
    if (!tv.whole)
        put_lanes(&tv, w);
    lw_writer_put(w, "(");
    put(w, t.size, t.count, 1);
    lw_writer_put(w, ",");
    put(w, v.size, v.count, 1);
    lw_writer_put(w, "):(");
    put(w, t.stride, t.count, 0);
    lw_writer_put(w, ",");
    put(w, v.stride, v.count, 0);
    lw_writer_put(w, ")\n");
    lw_tv_note(&tv, "//", w);
    return LW_OK;
}
