/* SPDX-License-Identifier: MIT */
/*
 * Rows of 32 lanes: reading sources, storing the lanes that execute. Included by one file per instruction
 * set, after its vectors. A form reads the vectors of its sources, other lanes' values included, before it
 * stores the same lanes of the result, which may therefore be a source, too.
 */
#ifndef LW_EMU_PTX_FAST_ROW_H
#define LW_EMU_PTX_FAST_ROW_H

#include "emu/ptx/fast/forms.h"
#include "emu/ptx/handlers.h"

#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

enum { ROW_VECTORS = LW_PTX_LANES / VEC_LANES };

/* A source: vector n is at `at` + n * step. A constant is one vector with step 0. */
typedef struct row {
    const uint32_t *at;
    size_t step;
} row;

typedef union row_room {
    vi each;
    uint32_t lanes[VEC_LANES];
} row_room;

VEC vi row_at(row r, unsigned n)
{
    return vi_load(r.at + n * r.step);
}

/* The lower or the upper word of source i. */
VEC row row_source(const lw_ptx_warp *w, const lw_ptx_record *r, unsigned i, unsigned word, row_room *room)
{
    const lw_ptx_hot *hot = &r->hot;
    if (hot->constant >> i & 1) {
        room->each = vi_all((int)(word ? hot->up[i] : hot->at[i]));
        return (row){ room->lanes, 0 };
    }
    return (row){ w->rows + hot->at[i] + word * LW_PTX_LANES, VEC_LANES };
}

VEC uint32_t *row_of_result(const lw_ptx_warp *w, const lw_ptx_record *r)
{
    return w->rows + r->hot.dst;
}

VEC void row_put(uint32_t *to, unsigned n, uint32_t lanes, vi v)
{
    if (lanes == UINT32_MAX)
        vi_store(to + n * VEC_LANES, v);
    else
        vi_store_some(to + n * VEC_LANES, (lanes >> n * VEC_LANES) & ((1u << VEC_LANES) - 1), v);
}

/* ---- Shapes: one, two or three sources and a result, all of 32 bits ---- */

typedef vi (*row_lane)(vi a, vi b, vi c);

VEC lw_ptx_step row_compute(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, unsigned sources,
                            row_lane lane)
{
    row_room room[3];
    row in[3];
    uint32_t *to = row_of_result(w, r);
    for (unsigned i = 0; i < 3; i++)
        in[i] = row_source(w, r, i < sources ? i : 0, 0, &room[i]);
    for (unsigned n = 0; n < ROW_VECTORS; n++)
        row_put(to, n, lanes, lane(row_at(in[0], n), row_at(in[1], n), row_at(in[2], n)));
    return LW_PTX_STEP_NEXT;
}

/* Numbers of 64 bits: their lower and upper words. */
typedef struct pair {
    vi low, high;
} pair;

typedef pair (*row_wide)(pair a, pair b, pair c);

/* Sources of 32 bits (`from` 32) have no upper words, and those of the third source are 64 bits always. */
VEC lw_ptx_step row_compute_wide(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, unsigned sources,
                                 unsigned from, row_wide lane)
{
    row_room room[6];
    row low[3], high[3];
    uint32_t *to = row_of_result(w, r);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned at = i < sources ? i : 0, has_high = from == 64 || at == 2;
        low[i] = row_source(w, r, at, 0, &room[2 * i]);
        high[i] = has_high ? row_source(w, r, at, 1, &room[2 * i + 1]) : low[i];
    }
    for (unsigned n = 0; n < ROW_VECTORS; n++) {
        const pair v = lane((pair){ row_at(low[0], n), row_at(high[0], n) },
                            (pair){ row_at(low[1], n), row_at(high[1], n) },
                            (pair){ row_at(low[2], n), row_at(high[2], n) });
        row_put(to, n, lanes, v.low);
        row_put(to + LW_PTX_LANES, n, lanes, v.high);
    }
    return LW_PTX_STEP_NEXT;
}

#define FORM(name, sources, lane)                                                                            \
    static lw_ptx_step form_##name(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)                   \
    {                                                                                                        \
        return row_compute(w, r, lanes, sources, lane);                                                      \
    }
#define FORM_WIDE(name, sources, from, lane)                                                                 \
    static lw_ptx_step form_##name(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)                   \
    {                                                                                                        \
        return row_compute_wide(w, r, lanes, sources, from, lane);                                           \
    }

/* ---- Choosing ---- */

/* Source i as a row of registers of `bits`, or a constant. False: it is neither. */
static bool take_source(lw_ptx_record *r, unsigned i, unsigned bits)
{
    const lw_ptx_source *s = &r->src[i];
    lw_ptx_hot *hot = &r->hot;
    if (s->kind == LW_PTX_SOURCE_CONSTANT) {
        const uint64_t v = s->want ? lw_ptx_extend(s->value, s->want, s->is_signed) : s->value;
        hot->constant |= (uint8_t)(1u << i);
        hot->at[i] = (uint32_t)v;
        hot->up[i] = (uint32_t)(v >> 32);
        return true;
    }
    hot->at[i] = s->slot * LW_PTX_LANES;
    return s->kind == LW_PTX_SOURCE_REGISTER && s->bits == bits && (!s->want || s->want == bits);
}

static bool take_result(lw_ptx_record *r, unsigned bits)
{
    const lw_ptx_source *d = &r->dst[0];
    r->hot.dst = d->slot * LW_PTX_LANES;
    return r->dst_count == 1 && d->kind == LW_PTX_SOURCE_REGISTER && d->bits == bits;
}

/* Plain registers and constants of the form's sizes; a third source has the result's. */
static bool take_plain(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    bool good = r->src_count == form->sources && r->parts <= 1 && take_result(r, form->bits);
    for (unsigned i = 0; good && i < form->sources; i++)
        good = take_source(r, i, i == 2 ? form->bits : form->from_bits);
    return good;
}

/* fn[0] for unsigned types, fn[1] for signed ones. */
static lw_ptx_exec *take_by_sign(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    const bool types = r->src_bits == form->from_bits && r->dst_whole == form->bits;
    return types && !r->fmt && !r->sat && take_plain(form, r) ? form->fn[r->src_signed] : NULL;
}

#endif
