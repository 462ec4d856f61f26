/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of instructions that read or write pairs of registers: packed f32, f64. Both words of a vector
 * of lanes are computed before either is stored, because results may overlap sources by one register.
 */
#ifndef LW_EMU_AMDGPU_FAST_WIDE_H
#define LW_EMU_AMDGPU_FAST_WIDE_H

#include "emu/amdgpu/fast/floats.h"

/* Word `part` of source i, which may also be a constant. */
VEC row word_source(const lw_wave *w, const lw_hot *hot, unsigned i, unsigned part, row_room *room)
{
    if (hot->from[i] != LW_FROM_VALUE)
        return row_source(w, hot, i, part, room);
    room->each = vi_all((int)(uint32_t)(hot->in->src[i].value >> 32 * part));
    return (row){ room->lanes, 0 };
}

/* ---- Packed f32 ---- */

typedef struct word_pair {
    row word[2];
    vi flip[2];
} word_pair;

enum { WORDS_CHECKED = 2 /* vectors of both words between two checks for NaNs */ };

/* The words that op_sel and op_sel_hi select, and their signs. */
VEC word_pair pair_words(const lw_wave *w, const lw_hot *hot, unsigned i, row_room room[2])
{
    const lw_opnd *o = &hot->in->src[i];
    return (word_pair){ { word_source(w, hot, i, o->pick & 1, &room[0]),
                          word_source(w, hot, i, o->pick >> 1 & 1, &room[1]) },
                        { vi_all(o->neg & 1 ? INT32_MIN : 0), vi_all(o->neg & 2 ? INT32_MIN : 0) } };
}

VEC vi word_at(const word_pair *p, unsigned n, int high, bool edited)
{
    return edited ? vi_xor(row_at(p->word[high], n), p->flip[high]) : row_at(p->word[high], n);
}

VEC lw_step words(lw_wave *w, const lw_hot *hot, bool edited, unsigned sources, float_raw raw,
                  float_lane lane)
{
    static const float_op arithmetic = { &format_f32, 3, ARITHMETIC, LW_VD_FULL };
    row_room room[3][2];
    if (!float_is_plain(w, &arithmetic))
        return lw_hot_general(w, hot);
    const vi quiet = quiet_of(w, F32);
    const word_pair s[3] = { pair_words(w, hot, 0, room[0]), pair_words(w, hot, 1, room[1]),
                             pair_words(w, hot, sources == 3 ? 2 : 0, room[2]) };
    const row_result r[2] = { row_open(w, hot, false, 0, NULL), row_open(w, hot, false, 1, NULL) };
    for (unsigned n = 0; n < LW_LANES / VEC_LANES; n += WORDS_CHECKED) {
        vi x[WORDS_CHECKED][2];
        vm doubt = vm_none();
        for (unsigned i = 0; i < 2 * WORDS_CHECKED; i++)
            x[i / 2][i & 1] =
                raw(word_at(&s[0], n + i / 2, i & 1, edited), word_at(&s[1], n + i / 2, i & 1, edited),
                    word_at(&s[2], n + i / 2, i & 1, edited), &doubt);
        for (unsigned i = 0; i < 2 * WORDS_CHECKED && vm_any(doubt); i++)
            x[i / 2][i & 1] =
                lane(word_at(&s[0], n + i / 2, i & 1, edited), word_at(&s[1], n + i / 2, i & 1, edited),
                     word_at(&s[2], n + i / 2, i & 1, edited), quiet);
        for (unsigned i = 0; i < 2 * WORDS_CHECKED; i++)
            row_put(r[i & 1], n + i / 2, x[i / 2][i & 1]);
    }
    return LW_STEP_NEXT;
}

/* The low result comes from source 0, the high one from source 1; signs mean nothing. */
static lw_step hot_v_pk_mov_b32(lw_wave *w, const lw_hot *hot)
{
    row_room room[2];
    const lw_opnd *o = hot->in->src;
    const row a = word_source(w, hot, 0, o[0].pick & 1, &room[0]);
    const row b = word_source(w, hot, 1, o[1].pick & 1, &room[1]);
    const row_result r = row_open(w, hot, false, 0, NULL), s = row_open(w, hot, false, 1, NULL);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi low = row_at(a, n), high = row_at(b, n);
        row_put(r, n, low);
        row_put(s, n, high);
    }
    return LW_STEP_NEXT;
}

FORM(words, v_pk_add_f32, 2, raw_add_f32, lane_add_f32)
FORM(words, v_pk_mul_f32, 2, raw_mul_f32, lane_mul_f32)
static lw_hot_fn take_words(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    (void)hot;
    if (in->clamp || in->omod || in->sub != LW_SUB_NONE)
        return NULL;
    return form->fn[1] && (in->src[0].neg || in->src[1].neg || in->src[2].neg) ? form->fn[1] : form->fn[0];
}

/* ---- f64: subnormals kept, to nearest; a row with a NaN in an active lane is left to the general handler
 * ---- */

#if !VEC_FMA64_LIMITED

FORM(words, v_pk_fma_f32, 3, raw_fma_f32, lane_fma_f32)

typedef struct f64_source {
    row low, high;
    vi keep, flip;
} f64_source;

VEC f64_source f64_read(const lw_wave *w, const lw_hot *hot, unsigned i, row_room room[2])
{
    const lw_opnd *o = &hot->in->src[i];
    return (f64_source){ word_source(w, hot, i, 0, &room[0]), word_source(w, hot, i, 1, &room[1]),
                         vi_all(o->abs ? INT32_MAX : -1), vi_all(o->neg ? INT32_MIN : 0) };
}

/* The result's old value. */
VEC f64_source f64_old(const lw_wave *w, const lw_hot *hot)
{
    const uint32_t *at = row_of_result(w, hot);
    return (f64_source){ { at, VEC_LANES }, { at + LW_LANES, VEC_LANES }, vi_all(-1), vi_all(0) };
}

VEC vd f64_at(const f64_source *s, unsigned n, int half)
{
    const vi high = vi_xor(vi_and(row_at(s->high, n), s->keep), s->flip);
    return vd_from_words(row_at(s->low, n), high, half);
}

VEC unsigned f64_nans(vi low, vi high)
{
    const vi size = size_of(F32, high), inf = vi_all(0x7ff00000);
    const unsigned none = vm_bits(vi_eq(low, vi_all(0)));
    return vm_bits(vi_gt(size, inf)) | (vm_bits(vi_eq(size, inf)) & ~none);
}

VEC vd lane_add_f64(vd a, vd b, vd c)
{
    (void)c;
    return vd_add(a, b);
}

VEC vd lane_mul_f64(vd a, vd b, vd c)
{
    (void)c;
    return vd_mul(a, b);
}

VEC lw_step f64_3(lw_wave *w, const lw_hot *hot, unsigned sources, bool accumulates, vd (*lane)(vd, vd, vd))
{
    const uint32_t kept = 3 << LW_MODE_DENORM_F64_SHIFT, round = 3 << LW_MODE_ROUND_F64_SHIFT;
    row_room room[3][2];
    uint32_t r[2][LW_LANES];
    uint64_t nans = 0;
    if ((w->mode & (kept | round)) != kept)
        return lw_hot_general(w, hot);
    const f64_source a = f64_read(w, hot, 0, room[0]), b = f64_read(w, hot, 1, room[1]);
    const f64_source c = accumulates ? f64_old(w, hot) : sources < 3 ? a : f64_read(w, hot, 2, room[2]);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vd x = lane(f64_at(&a, n, 0), f64_at(&b, n, 0), f64_at(&c, n, 0));
        const vd y = lane(f64_at(&a, n, 1), f64_at(&b, n, 1), f64_at(&c, n, 1));
        const vi low = vd_words(x, y, 0), high = vd_words(x, y, 1);
        nans |= (uint64_t)f64_nans(low, high) << n * VEC_LANES;
        vi_store(r[0] + n * VEC_LANES, low);
        vi_store(r[1] + n * VEC_LANES, high);
    }
    if (nans & lw_wave_exec(w))
        return lw_hot_general(w, hot);
    for (unsigned part = 0; part < 2; part++) {
        const row_result to = row_open(w, hot, false, part, NULL);
        for (unsigned n = 0; n < row_vectors(w); n++)
            row_put(to, n, vi_load(r[part] + n * VEC_LANES));
    }
    return LW_STEP_NEXT;
}

#define FORM_F64(name, sources, accumulates, lane)                                                           \
    static lw_step hot_##name(lw_wave *w, const lw_hot *hot)                                                 \
    {                                                                                                        \
        return f64_3(w, hot, sources, accumulates, lane);                                                    \
    }

FORM_F64(v_add_f64, 2, false, lane_add_f64)
FORM_F64(v_mul_f64, 2, false, lane_mul_f64)
FORM_F64(v_fma_f64, 3, false, vd_fma)
FORM_F64(v_fmac_f64, 3, true, vd_fma)

#endif

#define PAIRED(name)                                                                                         \
    {                                                                                                        \
        .general = lw_sem_##name, .take = take_words, .fn = { hot_##name, edit_##name }                      \
    }
#define WORDS(name)                                                                                          \
    {                                                                                                        \
        .general = lw_sem_##name, .take = take_words, .fn = { hot_##name }                                   \
    }

#if !VEC_FMA64_LIMITED
#define FMA64_FORMS                                                                                          \
    , PAIRED(v_pk_fma_f32), WORDS(v_add_f64), WORDS(v_mul_f64), WORDS(v_fma_f64), WORDS(v_fmac_f64)
#else
#define FMA64_FORMS
#endif

#define WIDE_FORMS PAIRED(v_pk_add_f32), PAIRED(v_pk_mul_f32), WORDS(v_pk_mov_b32) FMA64_FORMS

#endif
