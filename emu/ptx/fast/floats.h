/* SPDX-License-Identifier: MIT */
/*
 * Fast forms of f32: the host's operations, to nearest even. A NaN is always 0x7fffffff. fn[0] keeps
 * subnormals, fn[1] is .ftz.
 */
#ifndef LW_EMU_PTX_FAST_FLOATS_H
#define LW_EMU_PTX_FAST_FLOATS_H

#include "emu/ptx/fast/ints.h"

enum { NAN_F32 = INT32_MAX, FIELD_F32 = 0x7f800000, SIGN_F32 = INT32_MIN };

/* Subnormals become zeros of their sign. */
VEC vi flushed(vi x)
{
    return vi_pick(vi_eq(vi_and(x, vi_all(FIELD_F32)), vi_all(0)), vi_and(x, vi_all(SIGN_F32)), x);
}

VEC vi result(vf r)
{
    return vi_pick(vf_is_nan(r), vi_all(NAN_F32), vf_bits(r));
}

#define LANE_FLOAT(name, sources, expression)                                                                \
    VEC vi lane_##name(vi x, vi y, vi z)                                                                     \
    {                                                                                                        \
        const vf a = vf_from_bits(x), b = vf_from_bits(y), c = vf_from_bits(z);                              \
        (void)a, (void)b, (void)c;                                                                           \
        return result(expression);                                                                           \
    }                                                                                                        \
    VEC vi lane_##name##_ftz(vi x, vi y, vi z)                                                               \
    {                                                                                                        \
        return flushed(lane_##name(flushed(x), flushed(y), flushed(z)));                                     \
    }                                                                                                        \
    FORM(name, sources, lane_##name)                                                                         \
    static lw_ptx_step form_##name##_ftz(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)             \
    {                                                                                                        \
        return row_compute_ftz(w, r, lanes, sources, lane_##name##_ftz);                                     \
    }

/*
 * A result is flushed if it is subnormal when rounded to 24 bits whatever its exponent; the host has rounded
 * it to the bits that a subnormal has. The two differ only where the host's result is the least normal
 * number.
 */
VEC lw_ptx_step row_compute_ftz(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, unsigned sources,
                                row_lane lane)
{
    enum { LEAST = 0x00800000 };
    row_room room[3];
    row in[3];
    vi out[ROW_VECTORS];
    vm doubt = vm_none();
    uint32_t *to = row_of_result(w, r);
    for (unsigned i = 0; i < 3; i++)
        in[i] = row_source(w, r, i < sources ? i : 0, 0, &room[i]);
    for (unsigned n = 0; n < ROW_VECTORS; n++) {
        out[n] = lane(row_at(in[0], n), row_at(in[1], n), row_at(in[2], n));
        doubt = vm_or(doubt, vi_eq(vi_and(out[n], vi_all(INT32_MAX)), vi_all(LEAST)));
    }
    if (vm_any(doubt))
        return r->handler->exec(w, r, lanes);
    for (unsigned n = 0; n < ROW_VECTORS; n++)
        row_put(to, n, lanes, out[n]);
    return LW_PTX_STEP_NEXT;
}

LANE_FLOAT(add_f32, 2, vf_add(a, b))
LANE_FLOAT(sub_f32, 2, vf_sub(a, b))
LANE_FLOAT(mul_f32, 2, vf_mul(a, b))
#if VEC_HAS_FMA32
LANE_FLOAT(fma_f32, 3, vf_fma(a, b, c))
#define FMA_FORMS                                                                                            \
    ,                                                                                                        \
    {                                                                                                        \
        &lw_ptx_sem_fma_float, take_f32, { form_fma_f32, form_fma_f32_ftz }, 32, 3, 32                       \
    }
#else
#define FMA_FORMS
#endif

/* The number where the other one is a NaN. */
VEC vi unless_nan(vi x, vi y, vf r)
{
    const vf a = vf_from_bits(x), b = vf_from_bits(y);
    const vi one = vi_pick(vf_is_nan(a), y, vi_pick(vf_is_nan(b), x, vf_bits(r)));
    return vi_pick(vf_is_nan(vf_from_bits(one)), vi_all(NAN_F32), one);
}

VEC vi lane_min_f32(vi x, vi y, vi z)
{
    (void)z;
    return unless_nan(x, y, vf_min_number(vf_from_bits(x), vf_from_bits(y)));
}

VEC vi lane_max_f32(vi x, vi y, vi z)
{
    (void)z;
    return unless_nan(x, y, vf_max_number(vf_from_bits(x), vf_from_bits(y)));
}

VEC vi lane_min_f32_ftz(vi x, vi y, vi z)
{
    return lane_min_f32(flushed(x), flushed(y), z);
}

VEC vi lane_max_f32_ftz(vi x, vi y, vi z)
{
    return lane_max_f32(flushed(x), flushed(y), z);
}

/* The sign of a number changes; a NaN is the device's. */
VEC vi lane_neg_f32(vi x, vi y, vi z)
{
    (void)y, (void)z;
    return vi_pick(vf_is_nan(vf_from_bits(x)), vi_all(NAN_F32), vi_xor(x, vi_all(SIGN_F32)));
}

VEC vi lane_abs_f32(vi x, vi y, vi z)
{
    (void)y, (void)z;
    return vi_pick(vf_is_nan(vf_from_bits(x)), vi_all(NAN_F32), vi_and(x, vi_all(INT32_MAX)));
}

VEC vi lane_from_i32(vi x, vi y, vi z)
{
    (void)y, (void)z;
    return vf_bits(vf_from_int(x));
}

VEC vi lane_from_f16(vi x, vi y, vi z)
{
    (void)y, (void)z;
    return result(vf_from_f16(vi_and(x, vi_all(0xffff))));
}

/* bf16 is the upper half of f32. */
VEC vi lane_from_bf16(vi x, vi y, vi z)
{
    (void)y, (void)z;
    return result(vf_from_bits(vi_shl(x, 16)));
}

VEC vi lane_to_f16(vi x, vi y, vi z)
{
    (void)y, (void)z;
    const vf a = vf_from_bits(x);
    return vi_pick(vf_is_nan(a), vi_all(0x7fff), vi_f16_of(a));
}

FORM(min_f32, 2, lane_min_f32)
FORM(min_f32_ftz, 2, lane_min_f32_ftz)
FORM(max_f32, 2, lane_max_f32)
FORM(max_f32_ftz, 2, lane_max_f32_ftz)
FORM(neg_f32, 1, lane_neg_f32)
FORM(abs_f32, 1, lane_abs_f32)
FORM(from_i32, 1, lane_from_i32)
FORM(from_f16, 1, lane_from_f16)
FORM(from_bf16, 1, lane_from_bf16)
FORM(to_f16, 1, lane_to_f16)

/* cvt.rn.f16x2.f32: the first source is above the second. */
VEC vi lane_to_f16x2(vi x, vi y, vi z)
{
    return vi_or(vi_shl(lane_to_f16(x, y, z), 16), lane_to_f16(y, x, z));
}
FORM(to_f16x2, 2, lane_to_f16x2)

/* ---- Which form ---- */

static bool is_nearest(const lw_ptx_record *r)
{
    return r->env.round == LW_FP_RNE && !r->sat && !r->relu && !lw_ptx_has(r, LW_PTX_GROUP_SATFINITE);
}

static lw_ptx_exec *take_f32(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    const bool good = r->fmt == &lw_fp_f32 && is_nearest(r) && !lw_ptx_has(r, LW_PTX_GROUP_NAN) &&
                      !lw_ptx_has(r, LW_PTX_GROUP_ABS) && take_plain(form, r);
    return good ? form->fn[!r->env.keep_in] : NULL;
}

/* From s32. */
static lw_ptx_exec *take_from_int(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    const bool good =
        r->fmt == &lw_fp_f32 && is_nearest(r) && r->src_bits == 32 && r->src_signed && take_plain(form, r);
    return good ? form->fn[0] : NULL;
}

/* Between f32 and halves, with no flushing. */
static lw_ptx_exec *take_widen(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    const bool bf16 = r->src_fmt == &lw_fp_bf16;
    const bool good = r->fmt == &lw_fp_f32 && (bf16 || r->src_fmt == &lw_fp_f16) && !r->sat &&
                      r->env.keep_in && take_plain(form, r);
    return good ? form->fn[bf16] : NULL;
}

static lw_ptx_exec *take_narrow(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    const bool good = r->fmt == &lw_fp_f16 && r->src_fmt == &lw_fp_f32 && is_nearest(r) && r->env.keep_in &&
                      take_plain(form, r);
    return good ? form->fn[0] : NULL;
}

/* ---- setp ---- */

static lw_ptx_exec *take_compare_f32(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    static const uint8_t with_nan[LW_PTX_WORD_COUNT] = {
        [LW_PTX_WORD_EQ] = EQUAL,
        [LW_PTX_WORD_NE] = LESS | GREATER,
        [LW_PTX_WORD_LT] = LESS,
        [LW_PTX_WORD_LE] = LESS | EQUAL,
        [LW_PTX_WORD_GT] = GREATER,
        [LW_PTX_WORD_GE] = GREATER | EQUAL,
        [LW_PTX_WORD_EQU] = EQUAL | UNORDERED,
        [LW_PTX_WORD_NEU] = LESS | GREATER | UNORDERED,
        [LW_PTX_WORD_LTU] = LESS | UNORDERED,
        [LW_PTX_WORD_LEU] = LESS | EQUAL | UNORDERED,
        [LW_PTX_WORD_GTU] = GREATER | UNORDERED,
        [LW_PTX_WORD_GEU] = GREATER | EQUAL | UNORDERED,
        [LW_PTX_WORD_NUM] = LESS | EQUAL | GREATER,
        [LW_PTX_WORD_ISNAN] = UNORDERED,
    };
    r->hot.relation = with_nan[r->word];
    return r->src_fmt == &lw_fp_f32 && r->hot.relation && take_decision(form, r) ? form->fn[!r->env.keep_in]
                                                                                 : NULL;
}

VEC lw_ptx_step row_compare_f32(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, bool ftz)
{
    row_room room[2];
    const row a = row_source(w, r, 0, 0, &room[0]), b = row_source(w, r, 1, 0, &room[1]);
    const uint8_t relation = r->hot.relation;
    uint32_t is = 0;
    for (unsigned n = 0; n < ROW_VECTORS; n++) {
        const vi p = row_at(a, n), q = row_at(b, n);
        const vf x = vf_from_bits(ftz ? flushed(p) : p), y = vf_from_bits(ftz ? flushed(q) : q);
        vm m = vm_none();
        if (relation & LESS)
            m = vm_or(m, vf_less(x, y));
        if (relation & EQUAL)
            m = vm_or(m, vf_equal(x, y));
        if (relation & GREATER)
            m = vm_or(m, vf_less(y, x));
        if (relation & UNORDERED)
            m = vm_or(m, vf_unordered(x, y));
        is |= (uint32_t)vm_bits(m) << n * VEC_LANES;
    }
    return row_decide(w, r, lanes, is);
}

static lw_ptx_step form_compare_f32(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return row_compare_f32(w, r, lanes, false);
}

static lw_ptx_step form_compare_f32_ftz(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return row_compare_f32(w, r, lanes, true);
}

/* clang-format off */
#define FLOATS_FORMS                                                                                         \
    { &lw_ptx_sem_add_float, take_f32, { form_add_f32, form_add_f32_ftz }, 32, 2, 32 },                      \
    { &lw_ptx_sem_sub_float, take_f32, { form_sub_f32, form_sub_f32_ftz }, 32, 2, 32 },                      \
    { &lw_ptx_sem_mul_float, take_f32, { form_mul_f32, form_mul_f32_ftz }, 32, 2, 32 },                      \
    { &lw_ptx_sem_min_f32, take_f32, { form_min_f32, form_min_f32_ftz }, 32, 2, 32 },                        \
    { &lw_ptx_sem_max_f32, take_f32, { form_max_f32, form_max_f32_ftz }, 32, 2, 32 },                        \
    { &lw_ptx_sem_neg_float, take_f32, { form_neg_f32 }, 32, 1, 32 },                                        \
    { &lw_ptx_sem_abs_float, take_f32, { form_abs_f32 }, 32, 1, 32 },                                        \
    { &lw_ptx_sem_cvt_from_int, take_from_int, { form_from_i32 }, 32, 1, 32 },                               \
    { &lw_ptx_sem_cvt_float, take_widen, { form_from_f16, form_from_bf16 }, 32, 1, 16 },                     \
    { &lw_ptx_sem_cvt_float, take_narrow, { form_to_f16 }, 16, 1, 32 },                                      \
    { &lw_ptx_sem_cvt_pair, take_narrow, { form_to_f16x2 }, 32, 2, 32 },                                     \
    { &lw_ptx_sem_setp, take_compare_f32, { form_compare_f32, form_compare_f32_ftz }, 0, 2, 32 }             \
    FMA_FORMS
/* clang-format on */

#endif
