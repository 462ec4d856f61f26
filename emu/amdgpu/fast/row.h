/* SPDX-License-Identifier: MIT */
/*
 * Rows of lanes for the fast forms: reading sources, storing results under EXEC. Included by one file per
 * instruction set, after the vectors that it uses (emu/fast/vec_*.h and vec_*_lanes.h).
 *
 * A form processes the wave's lanes a vector at a time: it reads the vectors of its sources, including
 * inactive lanes, before it stores that of the result; a result may therefore also be a source. Operations
 * that move values between lanes, and those that may have to start again in the general handler, store last.
 *
 * Each shape exists twice: with `edited` false, it reads rows and scalars unchanged; with true, it uses
 * row_edit and row_place, which handle DPP, SDWA, halves, signs and flushed sources.
 */
#ifndef LW_EMU_AMDGPU_FAST_ROW_H
#define LW_EMU_AMDGPU_FAST_ROW_H

#include "emu/amdgpu/control/handlers.h"
#include "emu/amdgpu/fast/hot.h"
#include "emu/amdgpu/vector/vlane.h"

/* A source: its n-th vector is at `at` + n * step. A scalar is one vector with step 0. */
typedef struct row {
    const uint32_t *at;
    size_t step;
} row;

/* Storage for the lanes of a source that is not a row of the register file. */
typedef union row_room {
    vi each;
    uint32_t lanes[LW_LANES];
} row_room;

/*
 * The number of vectors of a row. Waves of 32 lanes process all of them, too, with upper lanes that are never
 * active; that is cheaper than a number that the compiler does not know.
 */
VEC unsigned row_vectors(const lw_wave *w)
{
    (void)w;
    return LW_LANES / VEC_LANES;
}

/* All lanes of the wave. */
VEC uint64_t row_all(const lw_wave *w)
{
    return w->lanes == 64 ? ~(uint64_t)0 : 0xffffffffu;
}

VEC vi row_at(row r, unsigned n)
{
    return vi_load(r.at + n * r.step);
}

/* A source other than a VGPR. */
static LW_APART row row_source_apart(const lw_wave *w, const lw_hot *hot, unsigned i, unsigned part,
                                     row_room *room)
{
    if (hot->from[i] == LW_FROM_AGPR)
        return (row){ w->agpr + hot->at[i] + part * LW_LANES, VEC_LANES };
    room->each = vi_each(hot->from[i] == LW_FROM_SGPR ? &w->sgpr[hot->at[i] + part] : &hot->at[i]);
    return (row){ room->lanes, 0 };
}

/* Register `part` of source i; constants have one part. */
VEC row row_source(const lw_wave *w, const lw_hot *hot, unsigned i, unsigned part, row_room *room)
{
    if (hot->from[i] == LW_FROM_VGPR)
        return (row){ w->vgpr + hot->at[i] + part * LW_LANES, VEC_LANES };
    return row_source_apart(w, hot, i, part, room);
}

VEC uint32_t *row_of_result(const lw_wave *w, const lw_hot *hot)
{
    return (hot->to == LW_FROM_VGPR ? w->vgpr : w->agpr) + hot->dst;
}

/* ---- DPP ---- */

/* Repeats one bit for each of 16 lanes in all rows. */
VEC uint64_t dpp_rows(uint32_t bits)
{
    return (bits & 0xffff) * UINT64_C(0x0001000100010001);
}

/* Lanes whose source lane is active. */
static LW_APART uint64_t dpp_live(const lw_hot *hot, uint64_t exec)
{
    uint32_t live[LW_LANES];
    uint64_t fed = 0;
    for (unsigned n = 0; n < LW_LANES / VEC_LANES; n++)
        vi_store(live + n * VEC_LANES,
                 vi_pick(vm_of((unsigned)(exec >> n * VEC_LANES)), vi_all(-1), vi_all(0)));
    for (unsigned at = 0; at < LW_LANES; at += 16) {
        vi moved[16 / VEC_LANES];
        vec_moved(moved, live + at, hot->lanes);
        for (unsigned i = 0; i < 16 / VEC_LANES; i++)
            fed |= (uint64_t)vm_bits(vi_eq(moved[i], vi_all(-1))) << (at + i * VEC_LANES);
    }
    return fed;
}

/* Lanes that have a source lane, which is active. */
VEC uint64_t dpp_fed(const lw_wave *w, const lw_hot *hot)
{
    const uint64_t exec = lw_wave_exec(w), have = dpp_rows(hot->extra);
    if (exec == row_all(w))
        return have & exec;
    return dpp_live(hot, exec) & have;
}

/* The lanes that an instruction writes if they are active. */
VEC uint64_t dpp_lanes(const lw_hot *hot, const lw_decoded *in, uint64_t fed)
{
    const uint64_t m = in->dpp_row_mask;
    const uint64_t rows = (m & 1) | (m & 2) << 15 | (m & 4) << 30 | (m & 8) << 45;
    const uint64_t lanes = rows * 0xffff & dpp_rows(hot->extra >> 16);
    return lanes & (in->dpp_bound_ctrl ? ~(uint64_t)0 : fed);
}

VEC uint64_t dpp_written(const lw_wave *w, const lw_hot *hot, uint64_t fed)
{
    return lw_wave_exec(w) & dpp_lanes(hot, hot->in, fed);
}

static LW_APART uint64_t dpp_active(const lw_wave *w, const lw_hot *hot)
{
    return dpp_written(w, hot, dpp_fed(w, hot));
}

/* Stores the `written` lanes of the moved values; lanes without an active source become zero. */
VEC void dpp_move(const lw_hot *hot, row from, uint64_t fed, uint64_t written, uint32_t *to)
{
    const bool all = written == ~(uint64_t)0, cut = (written & ~fed) != 0;
    for (unsigned at = 0; at < LW_LANES; at += 16) {
        vi moved[16 / VEC_LANES];
        vec_moved(moved, from.at + at, hot->lanes);
        for (unsigned i = 0; i < 16 / VEC_LANES; i++) {
            const unsigned n = at + i * VEC_LANES;
            const vi x = cut ? vi_pick(vm_of((unsigned)(fed >> n)), moved[i], vi_all(0)) : moved[i];
            if (all)
                vi_store(to + n, x);
            else
                vi_store_some(to + n, (unsigned)(written >> n), x);
        }
    }
}

static LW_APART void dpp_move_apart(const lw_wave *w, const lw_hot *hot, row from, uint32_t to[LW_LANES])
{
    dpp_move(hot, from, dpp_fed(w, hot), ~(uint64_t)0, to);
}

VEC uint64_t row_active(const lw_wave *w, const lw_hot *hot, bool edited)
{
    return edited && hot->in->sub == LW_SUB_DPP ? dpp_active(w, hot) : lw_wave_exec(w);
}

/* ---- Edited sources and results ---- */

/* Subnormals become zeros; `field`: the exponent bits, `sign`: the sign bit. */
VEC vi lane_flush(vi x, int field, int sign)
{
    return vi_clear(vi_lacks(x, vi_all(field)), x, vi_all(~sign));
}

enum { F32_FIELD = 0x7f800000, F32_SIGN = INT32_MIN, F16_FIELD = 0x7c00, F16_SIGN = 0x8000 };

/* Are subnormals of the source's format flushed? */
VEC bool row_flushes(const lw_wave *w, lw_vkind kind)
{
    const unsigned at = kind == LW_V_F32 ? LW_MODE_DENORM_F32_SHIFT : LW_MODE_DENORM_F64_SHIFT;
    return (kind == LW_V_F32 || kind == LW_V_F16) && !(w->mode >> at & LW_DENORM_IN_KEPT);
}

/* Source i as the general handlers read it (lw_vsrc), also flushed if `flush` and MODE say so. */
static LW_APART row row_edit(const lw_wave *w, const lw_hot *hot, unsigned i, lw_vkind kind, bool flush,
                             row_room *room)
{
    const lw_opnd *o = &hot->in->src[i];
    const bool byte = o->sel >= LW_SEL_BYTE_0, half = kind == LW_V_B16 || kind == LW_V_F16;
    const bool number = kind == LW_V_F32 || kind == LW_V_F16;
    const int shift = byte ? 8 * (o->sel - LW_SEL_BYTE_0) : o->sel == LW_SEL_WORD_1 ? 16 : 0;
    const int field = !o->sel ? -1 : byte ? 0xff : 0xffff;
    const int top = o->sel && o->flags & LW_OPND_F_SEXT ? (field >> 1) + 1 : 0;
    const int sign = half ? F16_SIGN : F32_SIGN, exponent = half ? F16_FIELD : F32_FIELD;
    const vi cut = vi_all(half ? 0xffff : -1), keep = vi_all(number && o->abs ? ~sign : -1);
    const vi flip = vi_all(number && o->neg ? sign : 0), extend = vi_all(top);
    const bool flushes = flush && row_flushes(w, kind);
    const row from = row_source(w, hot, i, 0, room), to = { room->lanes, from.step };
    const unsigned count = from.step ? row_vectors(w) : 1;
    const bool moves = hot->in->sub == LW_SUB_DPP && i == 0, same = !o->sel && !half && !flushes;
    if (moves)
        dpp_move_apart(w, hot, from, room->lanes);
    const row moved = moves ? to : from;
    if (same && !(number && (o->abs || o->neg)))
        return moved;
    for (unsigned n = 0; n < count; n++) {
        vi x = vi_and(vi_shr(row_at(moved, n), shift), vi_all(field));
        x = vi_and(vi_sub(vi_xor(x, extend), extend), cut);
        x = vi_xor(vi_and(x, keep), flip);
        vi_store(room->lanes + n * VEC_LANES, flushes ? lane_flush(x, exponent, sign) : x);
    }
    return to;
}

VEC row row_read(const lw_wave *w, const lw_hot *hot, unsigned i, bool edited, lw_vkind kind, row_room *room)
{
    return edited ? row_edit(w, hot, i, kind, true, room) : row_source(w, hot, i, 0, room);
}

/* A field of the result, and what happens to the bits around it. */
typedef struct row_field {
    int shift, field, sign; /* sign: the field's top bit if it is sign-extended upwards */
    bool keeps;
} row_field;

static row_field field_of(const lw_hot *hot, lw_vdst_kind kind)
{
    enum { SEXT = 1, PRESERVE = 2, ALL = 6 };
    const lw_decoded *in = hot->in;
    if (in->sub == LW_SUB_SDWA && in->sdwa_dst_sel < ALL) {
        const int sel = in->sdwa_dst_sel, width = sel < 4 ? 8 : 16;
        const int shift = sel < 4 ? 8 * sel : 16 * (sel - 4), low = (1 << width) - 1;
        const uint32_t top = in->sdwa_dst_unused == SEXT ? UINT32_C(1) << (shift + width - 1) : 0;
        return (row_field){ shift, (int)((uint32_t)low << shift), (int)top, in->sdwa_dst_unused == PRESERVE };
    }
    const bool half = in->dst.flags & LW_OPND_F_HALF;
    if (!half && (kind == LW_VD_FULL || in->sub == LW_SUB_SDWA))
        return (row_field){ 0, -1, 0, false };
    const bool high = (half || kind == LW_VD_SEL) && in->dst.sel == LW_SEL_WORD_1;
    return (row_field){ high ? 16 : 0, (int)(high ? UINT32_C(0xffff0000) : 0xffff), 0, true };
}

/* Writes results into the selected part of the register, as lw_vwrite and lw_vwrite16 do. */
static LW_APART lw_step row_place(const lw_wave *w, const lw_hot *hot, lw_vdst_kind kind, const uint32_t *r)
{
    const row_field f = field_of(hot, kind);
    const uint64_t active = row_active(w, hot, true);
    uint32_t *to = row_of_result(w, hot);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi old = vi_load(to + n * VEC_LANES);
        vi x = vi_and(vi_shl(vi_load(r + n * VEC_LANES), f.shift), vi_all(f.field));
        if (f.keeps)
            x = vi_or(x, vi_and(old, vi_all(~f.field)));
        if (f.sign) /* copied into all higher bits */
            x = vi_sub(vi_xor(x, vi_all(f.sign)), vi_all(f.sign));
        vi_store(to + n * VEC_LANES, vi_pick(vm_of((unsigned)(active >> n * VEC_LANES)), x, old));
    }
    return LW_STEP_NEXT;
}

/* ---- Results ---- */

typedef struct row_result {
    uint32_t *at;
    uint64_t active;
    bool all; /* all lanes are written */
} row_result;

/* Opens register `part` of the result; if `edited`, lanes go to `apart` first and are placed later. */
VEC row_result row_open(const lw_wave *w, const lw_hot *hot, bool edited, unsigned part, uint32_t *apart)
{
    const uint64_t exec = lw_wave_exec(w);
    if (edited)
        return (row_result){ apart, exec, true };
    return (row_result){ row_of_result(w, hot) + part * LW_LANES, exec, exec == ~(uint64_t)0 };
}

VEC void row_put(row_result r, unsigned n, vi x)
{
    if (r.all)
        vi_store(r.at + n * VEC_LANES, x);
    else
        vi_store_some(r.at + n * VEC_LANES, (unsigned)(r.active >> n * VEC_LANES), x);
}

VEC lw_step row_close(const lw_wave *w, const lw_hot *hot, bool edited, lw_vdst_kind kind, row_result r)
{
    return edited ? row_place(w, hot, kind, r.at) : LW_STEP_NEXT;
}

/* ---- Which of a form's functions is suitable ---- */

/* A form's two functions: with plain registers, and with edited sources and result. */
#define FORM(shape, name, ...)                                                                               \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return shape(w, hot, false, __VA_ARGS__);                                                            \
    }                                                                                                        \
    static LW_APART lw_step edit_##name(lw_wave *w, const lw_hot *hot)                                       \
    {                                                                                                        \
        return shape(w, hot, true, __VA_ARGS__);                                                             \
    }

/* Are there only registers and constants: no DPP, SDWA or halves? */
VEC bool is_plain(const lw_decoded *in)
{
    return in->sub == LW_SUB_NONE && !(in->dst.flags & LW_OPND_F_HALF) && !in->dst.sel && !in->src[0].sel &&
           !in->src[1].sel && !in->src[2].sel;
}

/* Can row_edit and row_place handle it? Of DPP, they support moves within rows of 16. */
VEC bool is_editable(const lw_decoded *in, const lw_hot *hot)
{
    return in->sub != LW_SUB_DPP || (hot->extra & 0xffff && hot->from[0] <= LW_FROM_AGPR);
}

#endif
