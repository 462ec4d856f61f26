/* SPDX-License-Identifier: MIT */
/*
 * Forms of floating-point arithmetic for all formats: an operation is a row (float_op) and a lane expression.
 * f32 fills a lane; f16 is in its low half, and the upper half is zero.
 *
 * A form has four functions. At each execution MODE decides whether the first three can be used: with
 * unedited sources, with edited signs, and with CLAMP as well. Otherwise, and for DPP, SDWA and halves, the
 * fourth edits sources and computes the row separately. Rounding modes other than to nearest even are left to
 * the general handler.
 */
#ifndef LW_EMU_AMDGPU_FAST_NUMBERS_H
#define LW_EMU_AMDGPU_FAST_NUMBERS_H

#include "emu/amdgpu/fast/ints.h"
#include "isa_tables/amdgpu/traits.h"

/* A format: bit patterns, and where its fields in MODE are. */
typedef struct float_format {
    int size, sign, inf, quiet, one, least,
        made;           /* least: normal number; made: NaN of an invalid operation */
    int frac_bits, top; /* top: the exponent field of infinity */
    int round_shift, denorm_shift;
    lw_vkind kind;
    uint32_t keep[2], flip[2]; /* without and with ABS, NEG */
} float_format;

static const float_format format_f32 = {
    .size = INT32_MAX,
    .sign = INT32_MIN,
    .inf = 0x7f800000,
    .quiet = 0x00400000,
    .one = 0x3f800000,
    .least = 0x00800000,
    .made = (int)UINT32_C(0xffc00000),
    .frac_bits = 23,
    .top = 255,
    .round_shift = LW_MODE_ROUND_F32_SHIFT,
    .denorm_shift = LW_MODE_DENORM_F32_SHIFT,
    .kind = LW_V_F32,
    .keep = { UINT32_MAX, INT32_MAX },
    .flip = { 0, UINT32_C(0x80000000) },
};

static const float_format format_f16 = {
    .size = 0x7fff,
    .sign = 0x8000,
    .inf = 0x7c00,
    .quiet = 0x0200,
    .one = 0x3c00,
    .least = 0x0400,
    .made = 0xfe00,
    .frac_bits = 10,
    .top = 31,
    .round_shift = LW_MODE_ROUND_F64_SHIFT,
    .denorm_shift = LW_MODE_DENORM_F64_SHIFT,
    .kind = LW_V_F16,
    .keep = { UINT32_MAX, 0x7fff },
    .flip = { 0, 0x8000 },
};

#define F32 (&format_f32)
#define F16 (&format_f16)

VEC vi size_of(const float_format *f, vi a)
{
    return vi_and(a, vi_all(f->size));
}

VEC vm is_nan(const float_format *f, vi a)
{
    return vi_gt(size_of(f, a), vi_all(f->inf));
}

VEC vm is_inf(const float_format *f, vi a)
{
    return vi_eq(size_of(f, a), vi_all(f->inf));
}

VEC vm is_zero(const float_format *f, vi a)
{
    return vi_eq(size_of(f, a), vi_all(0));
}

/* The bit that is set in a NaN that is passed on; none with IEEE off. */
VEC vi quiet_of(const lw_wave *w, const float_format *f)
{
    return vi_all(w->mode & LW_MODE_IEEE ? f->quiet : 0);
}

/* The precedence of NaNs: 0 * Inf, then the first NaN source, then that of the sum (fp.c, fma_special). */
VEC vi nan_of_fma(const float_format *f, vi a, vi b, vi c, vi quiet)
{
    const vi made = vi_all(f->made);
    const vm none = vm_or(vm_and(is_zero(f, a), is_inf(f, b)), vm_and(is_inf(f, a), is_zero(f, b)));
    vi r = vi_pick(is_nan(f, c), vi_or(c, quiet), made);
    r = vi_pick(is_nan(f, b), vi_or(b, quiet), r);
    r = vi_pick(is_nan(f, a), vi_or(a, quiet), r);
    return vi_pick(none, made, r);
}

/* NaNs win: the first one, quieted whatever MODE says. */
VEC vi first_nan(const float_format *f, vi a, vi b, vi c, vi r)
{
    const vi bit = vi_all(f->quiet);
    r = vi_pick(is_nan(f, c), vi_or(c, bit), r);
    r = vi_pick(is_nan(f, b), vi_or(b, bit), r);
    return vi_pick(is_nan(f, a), vi_or(a, bit), r);
}

/* v_clamp: NaNs become zero with DX10_CLAMP, -0 becomes +0. */
VEC vi clamped(const float_format *f, vi x, bool nan_is_zero)
{
    const vm positive = vi_eq(vi_and(x, vi_all(f->sign)), vi_all(0));
    const vi limited = vi_pick(positive, vi_min(x, vi_all(f->one)), vi_all(0));
    return vi_pick(is_nan(f, x), nan_is_zero ? vi_all(0) : x, limited);
}

/*
 * Times 2, 4 or 1/2 (fp_integral.c, lw_fp_omod): NaNs and infinities pass, zeros lose their sign, and numbers
 * that are subnormal before or after become zeros.
 */
VEC vi scaled(const float_format *f, vi x, unsigned omod)
{
    const int step = omod == 3 ? -1 : (int)omod;
    const vi size = size_of(f, x), sign = vi_and(x, vi_all(f->sign));
    const vi more = vi_add(size, vi_all((int)((unsigned)step << f->frac_bits)));
    const vm over = vi_gt(vi_shr(size, f->frac_bits), vi_all(f->top - 1 - step));
    vi r = vi_pick(over, vi_all(f->inf), vi_pick(vi_gt(vi_all(f->least), more), vi_all(0), more));
    r = vi_or(r, sign);
    r = vi_pick(vi_gt(vi_all(f->least), size), vi_all(0), r);
    return vi_pick(vi_gt(vi_all(f->inf), size), r, x);
}

/* ---- Operations ---- */

enum {
    OP_FLUSHES = 1, /* flushes its sources, as MODE says */
    OP_ROUNDS = 2,  /* rounds to nearest even and flushes its results, as MODE says */
    OP_OLD = 4,     /* the last source is the result's old value */
    OP_KEEPS = 8,   /* only for MODEs that keep subnormals */
    OP_COUNT = 16,  /* source 1 is an integer, without signs */
    ARITHMETIC = OP_FLUSHES | OP_ROUNDS,
    SELECTION = OP_FLUSHES,
    MODEL = 32, /* independent of MODE; results are flushed */
};

typedef struct float_op {
    const float_format *f;
    uint8_t sources, flags;
    lw_vdst_kind place;
} float_op;

/* Sources as edited, and the bit to set in a NaN that is passed on. */
typedef vi (*float_lane)(vi a, vi b, vi c, vi quiet);

VEC bool float_rounds_to_nearest(const lw_wave *w, const float_format *f)
{
    const uint32_t ovfl = f->kind == LW_V_F16 ? LW_MODE_FP16_OVFL : 0;
    return !(w->mode & ((3u << f->round_shift) | ovfl));
}

VEC bool float_keeps(const lw_wave *w, const float_format *f)
{
    return (w->mode >> f->denorm_shift & 3) == 3;
}

/* Can the operation run without flushing sources and results? */
VEC bool float_is_plain(const lw_wave *w, const float_op *op)
{
    const uint32_t ovfl = op->f->kind == LW_V_F16 ? LW_MODE_FP16_OVFL : 0;
    const uint32_t kept = 3u << op->f->denorm_shift, round = (3u << op->f->round_shift) | ovfl;
    if (op->flags & OP_ROUNDS)
        return (w->mode & (kept | round)) == kept;
    return !(op->flags & OP_FLUSHES) || (w->mode & kept) == kept;
}

/* ---- Results that are flushed, limited or scaled ---- */

/* False: a result is the smallest normal number and may have been smaller before rounding. */
VEC bool flush_results(const float_format *f, uint32_t r[LW_LANES], uint64_t active)
{
    uint64_t odd = 0;
    for (unsigned n = 0; n < LW_LANES / VEC_LANES; n++) {
        const vi x = vi_load(r + n * VEC_LANES);
        odd |= (uint64_t)vm_bits(vi_eq(size_of(f, x), vi_all(f->least))) << n * VEC_LANES;
        vi_store(r + n * VEC_LANES, lane_flush(x, f->inf, f->sign));
    }
    return !(odd & active);
}

/* What follows rounding or selection. False: the general handler must start again. */
VEC bool float_output(const lw_wave *w, const lw_decoded *in, const float_format *f, unsigned flags,
                      uint32_t r[LW_LANES])
{
    const bool kept = !(flags & MODEL) && w->mode >> f->denorm_shift & LW_DENORM_OUT_KEPT;
    const bool rounds = flags & OP_ROUNDS;
    const bool allowed = !kept && !(w->mode & LW_MODE_IEEE);
    const unsigned omod = in->omod && (allowed || lw_amdgpu_traits_of(w->arch)->omod_always) ? in->omod : 0;
    if ((omod || rounds) && !float_rounds_to_nearest(w, f))
        return false;
    if ((!kept || omod) && rounds && !flush_results(f, r, lw_wave_exec(w)))
        return false;
    for (unsigned n = 0; n < LW_LANES / VEC_LANES && (omod || in->clamp); n++) {
        vi x = vi_load(r + n * VEC_LANES);
        if (omod)
            x = scaled(f, x, omod);
        if (in->clamp)
            x = clamped(f, x, w->mode & LW_MODE_DX10_CLAMP);
        vi_store(r + n * VEC_LANES, x);
    }
    return true;
}

static LW_APART bool f32_output(const lw_wave *w, const lw_decoded *in, unsigned flags, uint32_t r[LW_LANES])
{
    return float_output(w, in, F32, flags, r);
}

static LW_APART bool f16_output(const lw_wave *w, const lw_decoded *in, unsigned flags, uint32_t r[LW_LANES])
{
    return float_output(w, in, F16, flags, r);
}

/* ---- Shapes ---- */

/* The result's old value is in the upper half of its register if the result is (lw_vfloat_acc). */
VEC int old_shift(const lw_decoded *in)
{
    return in->dst.flags & LW_OPND_F_HALF && in->dst.sel == LW_SEL_WORD_1 ? 16 : 0;
}

/* The result's old value as a source. */
static LW_APART row float_old(const lw_wave *w, const lw_hot *hot, const float_format *f, row_room *room)
{
    const row old = { row_of_result(w, hot), VEC_LANES };
    const vi cut = vi_all(f->size | f->sign);
    const bool flushes = row_flushes(w, f->kind);
    const int shift = old_shift(hot->in);
    for (unsigned n = 0; n < row_vectors(w); n++) {
        const vi x = vi_and(vi_shr(row_at(old, n), shift), cut);
        vi_store(room->lanes + n * VEC_LANES, flushes ? lane_flush(x, f->inf, f->sign) : x);
    }
    return (row){ room->lanes, VEC_LANES };
}

/* Lanes do not use sources that an operation does not have; this is passed instead. */
VEC row float_edit(const lw_wave *w, const lw_hot *hot, const float_op *op, unsigned i, row_room *room)
{
    if (i >= op->sources)
        return (row){ room->lanes, 0 };
    if (op->flags & OP_OLD && i + 1u == op->sources)
        return float_old(w, hot, op->f, room);
    if (op->flags & OP_COUNT && i == 1)
        return row_source(w, hot, i, 0, room);
    return row_edit(w, hot, i, op->f->kind, op->flags & OP_FLUSHES, room);
}

VEC lw_step float_edited(lw_wave *w, const lw_hot *hot, const float_op *op, float_lane lane)
{
    row_room room[3];
    uint32_t r[LW_LANES] = { 0 };
    const vi quiet = quiet_of(w, op->f);
    const bool rounds = op->flags & OP_ROUNDS;
    if ((rounds && !float_rounds_to_nearest(w, op->f)) || (op->flags & OP_KEEPS && !float_keeps(w, op->f)))
        return lw_hot_general(w, hot);
    for (unsigned i = op->sources; i < 3; i++)
        room[i].each = vi_all(0);
    const row a = float_edit(w, hot, op, 0, &room[0]), b = float_edit(w, hot, op, 1, &room[1]);
    const row c = float_edit(w, hot, op, 2, &room[2]);
    for (unsigned n = 0; n < row_vectors(w); n++)
        vi_store(r + n * VEC_LANES, lane(row_at(a, n), row_at(b, n), row_at(c, n), quiet));
    if (!(op->f == F32 ? f32_output : f16_output)(w, hot->in, op->flags, r))
        return lw_hot_general(w, hot);
    return row_place(w, hot, op->place, r);
}

/* How sources are read and results written if nothing else must be edited. */
typedef enum float_way { WAY_PLAIN, WAY_SIGNED, WAY_LIMITED } float_way;

typedef struct float_source {
    row from;
    vi keep, flip;
} float_source;

VEC float_source float_read(const lw_wave *w, const lw_hot *hot, const float_op *op, unsigned i,
                            row_room *room)
{
    const bool old = op->flags & OP_OLD && i + 1u == op->sources;
    const vi keep = vi_each(&op->f->keep[!old && hot->abs >> i & 1]);
    const vi flip = vi_each(&op->f->flip[!old && hot->neg >> i & 1]);
    if (old)
        return (float_source){ { row_of_result(w, hot), VEC_LANES }, keep, flip };
    return (float_source){ row_source(w, hot, i < op->sources ? i : 0, 0, room), keep, flip };
}

VEC vi float_at(const float_source *s, unsigned n, const float_op *op, float_way way)
{
    vi x = row_at(s->from, n);
    if (op->f == F16)
        x = vi_and(x, vi_all(0xffff));
    return way == WAY_PLAIN ? x : vi_and_xor(x, s->keep, s->flip);
}

/* Computes the lanes from vector `from` on. */
VEC lw_step float_run(lw_wave *w, const lw_hot *hot, const float_op *op, unsigned from, float_way way,
                      float_lane lane)
{
    row_room room[3];
    const vi quiet = quiet_of(w, op->f);
    const bool nan_is_zero = w->mode & LW_MODE_DX10_CLAMP;
    const float_source a = float_read(w, hot, op, 0, &room[0]), b = float_read(w, hot, op, 1, &room[1]);
    const float_source c = float_read(w, hot, op, 2, &room[2]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = from; n < row_vectors(w); n++) {
        const vi x =
            lane(float_at(&a, n, op, way), float_at(&b, n, op, way), float_at(&c, n, op, way), quiet);
        row_put(r, n, way == WAY_LIMITED ? clamped(op->f, x, nan_is_zero) : x);
    }
    return LW_STEP_NEXT;
}

/* An expression whose results are wrong for some numbers, in particular NaNs; it sets those lanes in
 * *doubt. */
typedef vi (*float_raw)(vi a, vi b, vi c, vm *doubt);

enum { CHECKED = LW_LANES / VEC_LANES > 4 ? 4 : 2 /* vectors between two checks of `doubt` */ };

/* `slow` computes the lanes from a vector on, of which none has been stored yet. */
VEC lw_step float_checked(lw_wave *w, const lw_hot *hot, const float_op *op, float_way way, float_raw raw,
                          lw_step (*slow)(lw_wave *, const lw_hot *, unsigned))
{
    row_room room[3];
    const float_source a = float_read(w, hot, op, 0, &room[0]), b = float_read(w, hot, op, 1, &room[1]);
    const float_source c = float_read(w, hot, op, 2, &room[2]);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < LW_LANES / VEC_LANES; n += CHECKED) {
        vi x[CHECKED];
        vm doubt = vm_none();
        for (unsigned i = 0; i < CHECKED; i++)
            x[i] = raw(float_at(&a, n + i, op, way), float_at(&b, n + i, op, way),
                       float_at(&c, n + i, op, way), &doubt);
        if (vm_any(doubt))
            return slow(w, hot, n);
        for (unsigned i = 0; i < CHECKED; i++)
            row_put(r, n + i, x[i]);
    }
    return LW_STEP_NEXT;
}

/* Are subnormal sources and results flushed, with rounding to nearest even? */
VEC bool float_flushes(const lw_wave *w, const float_format *f)
{
    return float_rounds_to_nearest(w, f) && !(w->mode >> f->denorm_shift & 3);
}

/*
 * Lanes of f32 results that are NaNs, subnormal or, as the least normal number, may have been before
 * rounding. Doubled, so without their signs, and rotated, those come below LAST, where of other numbers only
 * ZERO is.
 */
VEC vm rounded_doubts(const vi x[LW_LANES / VEC_LANES])
{
    enum { TWICE_LEAST = 2 * 0x00800000, ZERO = TWICE_LEAST - 2, LAST = ZERO + TWICE_LEAST };
    const vi zero = vi_all(ZERO), last = vi_all(LAST);
    vi turned[LW_LANES / VEC_LANES], lowest = vi_all(-1);
    vm doubt = vm_none();
    for (unsigned n = 0; n < LW_LANES / VEC_LANES; n++) {
        turned[n] = vi_add(vi_add(x[n], x[n]), zero);
        lowest = vi_min_u(lowest, turned[n]);
    }
    if (!vm_any(vi_eq(vi_min_u(lowest, last), lowest)))
        return doubt;
    for (unsigned n = 0; n < LW_LANES / VEC_LANES; n++) {
        const vm low = vi_eq(vi_min_u(turned[n], last), turned[n]);
        doubt = vm_or(doubt, vm_and(low, vm_not(vi_eq(turned[n], zero))));
    }
    return doubt;
}

/* For such a MODE, f32 only. `edit` computes rows with a NaN, or a result that is or was flushed. */
VEC lw_step float_flushed(lw_wave *w, const lw_hot *hot, const float_op *op, float_way way, float_raw raw,
                          lw_step (*edit)(lw_wave *, const lw_hot *))
{
    row_room room[3];
    vi x[LW_LANES / VEC_LANES];
    vm doubt = vm_none();
    const float_format *f = op->f;
    const float_source a = float_read(w, hot, op, 0, &room[0]), b = float_read(w, hot, op, 1, &room[1]);
    const float_source c = float_read(w, hot, op, 2, &room[2]);
    for (unsigned n = 0; n < LW_LANES / VEC_LANES; n++)
        x[n] = raw(lane_flush(float_at(&a, n, op, way), f->inf, f->sign),
                   lane_flush(float_at(&b, n, op, way), f->inf, f->sign),
                   lane_flush(float_at(&c, n, op, way), f->inf, f->sign), &doubt);
    if (op->flags & OP_ROUNDS)
        doubt = rounded_doubts(x);
    if (vm_any(doubt))
        return edit(w, hot);
    const row_result r = row_open(w, hot, false, 0, NULL);
    for (unsigned n = 0; n < LW_LANES / VEC_LANES; n++)
        row_put(r, n, x[n]);
    return LW_STEP_NEXT;
}

/* An operation's functions. */
#define FORM_FLOAT_EDITED(name, lane)                                                                        \
    static LW_APART lw_step edit_##name(lw_wave *w, const lw_hot *hot)                                       \
    {                                                                                                        \
        return float_edited(w, hot, &op_##name, lane);                                                       \
    }
#define FORM_FLOAT_WAY(prefix, name, run, other)                                                             \
    static lw_step prefix##_##name(lw_wave *w, const lw_hot *hot)                                            \
    {                                                                                                        \
        return float_is_plain(w, &op_##name) ? run : other##_##name(w, hot);                                 \
    }

/* The arguments after the expression are the members of the float_op. */
#define FORM_FLOAT(name, lane, ...)                                                                          \
    static const float_op op_##name = { __VA_ARGS__ };                                                       \
    FORM_FLOAT_EDITED(name, lane)                                                                            \
    FORM_FLOAT_WAY(hot, name, float_run(w, hot, &op_##name, 0, WAY_PLAIN, lane), edit)                       \
    FORM_FLOAT_WAY(sign, name, float_run(w, hot, &op_##name, 0, WAY_SIGNED, lane), edit)                     \
    FORM_FLOAT_WAY(limit, name, float_run(w, hot, &op_##name, 0, WAY_LIMITED, lane), edit)

/* The same, trying an expression for ordinary numbers first. */
#define FORM_CHECKED(name, lane, raw, ...)                                                                   \
    static const float_op op_##name = { __VA_ARGS__ };                                                       \
    FORM_FLOAT_EDITED(name, lane)                                                                            \
    static LW_APART lw_step slow_##name(lw_wave *w, const lw_hot *hot, unsigned from)                        \
    {                                                                                                        \
        return float_run(w, hot, &op_##name, from, WAY_SIGNED, lane);                                        \
    }                                                                                                        \
    static LW_APART lw_step flush_##name(lw_wave *w, const lw_hot *hot)                                      \
    {                                                                                                        \
        if (!float_flushes(w, op_##name.f))                                                                  \
            return edit_##name(w, hot);                                                                      \
        return lw_decoded_has_signs(hot->in)                                                                 \
                   ? float_flushed(w, hot, &op_##name, WAY_SIGNED, raw, edit_##name)                         \
                   : float_flushed(w, hot, &op_##name, WAY_PLAIN, raw, edit_##name);                         \
    }                                                                                                        \
    FORM_FLOAT_WAY(hot, name, float_checked(w, hot, &op_##name, WAY_PLAIN, raw, slow_##name), flush)         \
    FORM_FLOAT_WAY(sign, name, float_checked(w, hot, &op_##name, WAY_SIGNED, raw, slow_##name), flush)       \
    FORM_FLOAT_WAY(limit, name, float_run(w, hot, &op_##name, 0, WAY_LIMITED, lane), edit)

/* form->kind: the other half of the result's register is kept, which requires editing. */
static lw_hot_fn take_float(const lw_hot_form *form, const lw_decoded *in, lw_hot *hot)
{
    if (is_plain(in) && !form->kind && !in->omod)
        return form->fn[in->clamp ? 2 : lw_decoded_has_signs(in) ? 1 : 0];
    return is_editable(in, hot) ? form->fn[3] : NULL;
}

#define FLOAT_ROW(sem, name, keeps)                                                                          \
    {                                                                                                        \
        .general = lw_sem_##sem, .take = take_float,                                                         \
        .fn = { hot_##name, sign_##name, limit_##name, edit_##name }, .kind = keeps                          \
    }
#define FLOAT(name) FLOAT_ROW(name, name, 0)

/* Lane functions with fewer sources. */
#define LANE_1(name)                                                                                         \
    VEC vi lane_##name(vi a, vi b, vi c, vi quiet)                                                           \
    {                                                                                                        \
        (void)b;                                                                                             \
        (void)c;                                                                                             \
        return name(a, quiet);                                                                               \
    }
#define LANE_2(name)                                                                                         \
    VEC vi lane_##name(vi a, vi b, vi c, vi quiet)                                                           \
    {                                                                                                        \
        (void)c;                                                                                             \
        return name(a, b, quiet);                                                                            \
    }

/* Sums and products of a format, apart from NaNs: for NaNs, a sum counts as a fused operation with the factor
 * one, and the NaNs of differences keep their sign. */
#define ARITHMETIC_OF(type, from)                                                                            \
    VEC vi lane_add_##type(vi a, vi b, vi c, vi quiet)                                                       \
    {                                                                                                        \
        (void)c;                                                                                             \
        return type##_or_nan(vf_add(from(a), from(b)), a, vi_all(format_##type.one), b, quiet);              \
    }                                                                                                        \
    VEC vi lane_sub_##type(vi a, vi b, vi c, vi quiet)                                                       \
    {                                                                                                        \
        (void)c;                                                                                             \
        return type##_or_nan(vf_sub(from(a), from(b)), a, vi_all(format_##type.one), b, quiet);              \
    }                                                                                                        \
    VEC vi lane_subrev_##type(vi a, vi b, vi c, vi quiet)                                                    \
    {                                                                                                        \
        (void)c;                                                                                             \
        return type##_or_nan(vf_sub(from(b), from(a)), a, vi_all(format_##type.one), b, quiet);              \
    }                                                                                                        \
    VEC vi lane_mul_##type(vi a, vi b, vi c, vi quiet)                                                       \
    {                                                                                                        \
        (void)c;                                                                                             \
        return type##_or_nan(vf_mul(from(a), from(b)), a, b, vi_all(0), quiet);                              \
    }

#endif
