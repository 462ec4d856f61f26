/* SPDX-License-Identifier: MIT */
/*
 * What kernels that add groups of products to an accumulator share: decoded operands, scales, and the
 * accumulators of the rows of S, for eight or sixteen columns. Included after vec_avx2.h or vec_avx512.h.
 */
#ifndef LW_EMU_FAST_PANEL_GROUPS_H
#define LW_EMU_FAST_PANEL_GROUPS_H

#include <stddef.h>

#include "emu/fast/panel_lanes.h"

/* Do the rows belong to V, and the lanes to S? */
VEC bool turned_by(int stride)
{
    return SPARSE_TURNED && stride == 0;
}

/* Marks outputs of a row for the reference. */
VEC void leave(const group_task *t, lanes *l, int row, unsigned bits, int stride)
{
    l->redo = true;
    if (!turned_by(stride)) {
        uint16_t *redo = &t->p->redo[l->run + row * l->run_step];
        *redo = (uint16_t)(*redo | bits << l->half);
        return;
    }
    for (int i = l->lane; bits && i < t->shape->s_count; i++, bits >>= 1) {
        uint16_t *redo = &t->p->redo[i * l->run_step + row / LW_PANEL];
        *redo = (uint16_t)(*redo | (bits & 1) << row % LW_PANEL);
    }
}

/* Marks outputs whose row, column or C is special; records subnormal numbers of C. */
LW_APART static void mark_dense(const group_task *t, unsigned s_bad, unsigned v_bad, lanes *l)
{
    const vi inf = vi_all(0x7f800000);
    const unsigned all = (1u << VEC_LANES) - 1;
    heed subnormal = heed_none();
    for (int i = 0; i < t->shape->s_count; i++) {
        const vf c = vf_load(l->acc[i]);
        const unsigned special = vm_bits(vi_eq(vi_and(vf_bits(c), inf), inf));
        const unsigned rows = t->shape->squares == 8 ? (s_bad >> i & 0x0101) * 0xff >> l->lane & all
                              : t->shape->squares    ? (s_bad >> i & 0x1111) * 0xf >> l->lane & all
                              : s_bad >> i & 1       ? all
                                                     : 0;
        const unsigned bad = special | (v_bad >> l->lane & all) | rows;
        subnormal = heed_small(subnormal, c);
        if (bad)
            leave(t, l, i, bad, LW_PANEL);
    }
    if (t->p->quiet && heed_found(subnormal, LOOK_SUBNORMAL))
        t->p->quiet->c = false;
}

/* Loads C; marks rows, columns and elements with special values for the reference. */
VEC void begin_dense(const group_task *t, unsigned s_bad, unsigned v_bad, unsigned block, int lane, lanes *l)
{
    const lw_panel_shape *s = t->shape;
    const int panels = s->v_count / LW_PANEL;
    suspects doubtful = suspects_none();
    l->lane = lane;
    l->half = lane % LW_PANEL;
    l->run = (int)block * s->s_count * panels + lane / LW_PANEL;
    l->run_step = panels;
    l->rows = t->count[lane / VEC_LANES];
    l->redo = false;
    const int rows = s->s_count;
    const bool asked = t->p->quiet != NULL;
    const uint16_t *c_at = t->p->c_at + l->run;
    const uint32_t *from = t->p->c + l->half;
    for (int i = 0; i < rows; i++, c_at += panels) {
        const vf c = vf_load(from + *c_at);
        doubtful = suspects_add(doubtful, c, asked);
        vf_store(l->acc[i], c);
    }
    l->plain_c = !suspects_found(doubtful);
    if (s_bad | v_bad || !l->plain_c)
        mark_dense(t, s_bad, v_bad, l);
}

#if VEC_HAS_PICKS

VEC void begin_lanes(const group_task *t, unsigned block, int lane, int stride, lanes *l)
{
    (void)stride;
    begin_dense(t, (unsigned)t->s->bad, (unsigned)t->v->bad, block, lane, l);
}

VEC void end_lanes(const group_task *t, lanes *l, int stride)
{
    (void)stride;
    end_dense(t, l);
}

#else

/* Marks outputs whose row, column or C is special. */
LW_APART static void mark_sparse(const group_task *t, unsigned s_bad, unsigned v_bad, lanes *l)
{
    const vi inf = vi_all(0x7f800000);
    const int left = t->shape->s_count - l->lane;
    const unsigned all = (1u << (left < VEC_LANES ? left : VEC_LANES)) - 1;
    for (int i = 0; i < l->rows; i++) {
        const unsigned special = vm_bits(vi_eq(vi_and(vi_load(l->acc[i]), inf), inf)) | s_bad >> l->lane;
        const unsigned bad = (v_bad >> i & 1 ? all : special) & all;
        if (bad)
            leave(t, l, i, bad, 0);
    }
}

/* The same where C is already transposed. The upper halves of magnitudes tell infinities and NaNs. */
VEC void begin_sparse(const group_task *t, unsigned s_bad, unsigned v_bad, int lane, lanes *l)
{
    const lw_panel_shape *s = t->shape;
    const int rows = s->v_count;
    vi top = vi_all(0);
    l->lane = lane;
    l->run_step = s->v_count / LW_PANEL;
    l->rows = s->v_count;
    l->redo = false;
    for (int i = 0; i < rows; i++) {
        const vf c = vf_load(chosen_row(t->chosen, i, lane));
        top = vi_max16(top, vf_bits(vf_abs(c)));
        vf_store(l->acc[i], c);
    }
    if (s_bad | v_bad || vm_any(vi_gt(top, vi_all(0x7f7fffff))))
        mark_sparse(t, s_bad, v_bad, l);
}

VEC void begin_lanes(const group_task *t, unsigned block, int lane, int stride, lanes *l)
{
    if (stride)
        begin_dense(t, (unsigned)t->s->bad, (unsigned)t->v->bad, block, lane, l);
    else
        begin_sparse(t, (unsigned)t->s->bad, (unsigned)t->v->bad, lane, l);
}

VEC void end_lanes(const group_task *t, lanes *l, int stride)
{
    for (int i = 0; !stride && i < l->rows; i++)
        vf_store(chosen_row(t->chosen, i, l->lane), vf_load(l->acc[i]));
    if (stride)
        end_dense(t, l);
}

#endif

/* 2^(frac - e) as bits, for a sum of exponent bytes e >= 1. */
VEC vi up_bits(vi e, int frac, int rebase)
{
    return vi_shl(vi_sub(vi_all(127 + frac + rebase), e), 23);
}

/* The inverse of a power of two. */
VEC vf inverse(vi bits)
{
    return vf_from_bits(vi_sub(vi_all(254 << 23), bits));
}

/* Row i's word, of one for each row of S, in all lanes that belong to the row. With SQUARES_STRIDE, i must be
 * known to the compiler. */
VEC vi row_word(const uint32_t *words, const lanes *l, int i, int stride)
{
    if (stride == EIGHTS_STRIDE)
        return vi_each_eight(words + l->lane + i);
    return stride == SQUARES_STRIDE ? vi_of_four(vi_load(words + l->lane), i) : vi_each(words + i);
}

/* Number k of row i. */
VEC vf row_value(const group_task *t, const lanes *l, int i, int k, int stride)
{
    return vf_from_bits(row_word(t->s->value + k * lanes_of(stride), l, i, stride));
}

/* The product of row i's code k and the lanes' codes; the codes of V's lanes are in b. */
VEC vf product_at(const group_task *t, const lanes *l, int i, int k, int stride, const vf *b)
{
    if (stride)
        return vf_mul(row_value(t, l, i, k, stride), *b);
#if VEC_HAS_PICKS
    return chosen_product(t->chosen, i, k, l->lane, *b);
#else
    return chosen_product(t->chosen, t->s, t->v, i, k, l->lane);
#endif
}

/* Exponents of four codes of row i of S, from 4 * q on. */
VEC vi s_exponents(const group_task *t, const lanes *l, int i, int q, int stride)
{
    return row_word(t->s->exps + q * lanes_of(stride), l, i, stride);
}

/* What is added to the exponents of V's lanes where several quads are compared. */
VEC vi bytes_bias(int quads)
{
    return vi_all(quads > 1 ? VEC_BYTE_BIAS : 0);
}

/* Largest sums of exponents over `quads` quads from q0 on, as bytes; be: exponents of the columns. If the
 * rows are V's: as halves, one for even and one for odd codes. */
VEC vi quad_tops(const group_task *t, const lanes *l, int i, int q0, int stride, const vi *be, int quads)
{
    if (!stride)
        return chosen_tops(t->chosen, i, q0, quads, l->lane, be);
    vi tops = vi_add8(s_exponents(t, l, i, q0, stride), be[0]);
    for (int q = 1; q < quads; q++)
        tops = vi_max8_biased(tops, vi_add8(s_exponents(t, l, i, q0 + q, stride), be[q]));
    return vi_xor(tops, bytes_bias(quads));
}

/* The largest that quad_tops found among all codes, and among even or odd ones. */
VEC vi top_of_all(vi tops, int stride)
{
    return turned_by(stride) ? join_halves(tops) : join_bytes(tops);
}
VEC vi top_of_some(vi tops, int odd, int stride)
{
    if (turned_by(stride))
        return vi_sar(odd ? tops : vi_shl(tops, 16), 16);
    return byte_of(vi_max8(tops, vi_shr(tops, 16)), odd);
}

/* The lanes' codes k0 .. k0 + group - 1 and their exponents, biased for quad_tops, if these are the same for
 * all rows. */
VEC void load_lanes(const group_task *t, const lanes *l, int k0, int group, int stride, vf *b, vi *be)
{
    const int v_stride = has_squares(stride) ? LW_PANEL : t->shape->v_count;
    const bool same = !turned_by(stride);
    for (int k = 0; same && k < group; k++)
        b[k] = vf_load(t->v->value + (k0 + k) * v_stride + l->lane);
    for (int q = 0; same && q < group / 4; q++)
        be[q] = vi_xor(vi_load(t->v->exps + (k0 / 4 + q) * v_stride + l->lane), bytes_bias(group / 4));
}

/* Products k0 + from .. k0 + to - 1, every `step`th, in units of 1 / up, cut towards zero and added. */
VEC vi cut_products(const group_task *t, const lanes *l, int i, int k0, const vf *b, int from, int to,
                    int step, int stride, vf up)
{
    vi sum = vi_all(0);
    for (int k = from; k < to; k += step)
        sum = vi_add(sum, vf_cut(vf_mul(product_at(t, l, i, k0 + k, stride, b + k), up)));
    return sum;
}

/* Lanes of S that are used; rows of squares are all of them. */
static int s_lanes(const lw_panel_shape *shape)
{
    return shape->squares ? shape->s_stride : shape->s_count;
}

/*
 * Sides of ALIGNED units that hold numbers far from 1 are decoded again. The least rebase keeps products
 * below 2^128; the largest keeps 2^(e - 24) at or above 2^-126, so that results need no second rounding.
 */
static void decode_far(const lw_panel_shape *shape, const uint32_t *s_image, const uint32_t *v_image, side *s,
                       side *v)
{
    enum { LEAST_REBASE = -4, MOST_REBASE = 103 };
    const int s_from = reach_from(shape->s, s_image, shape->s_words * shape->s_stride),
              v_from = reach_from(shape->v, v_image, shape->v_words * shape->v_count);
    const int rebase = shape->s->bias - s_from + shape->v->bias - v_from;
    if (rebase < LEAST_REBASE || rebase > MOST_REBASE)
        return;
    if (s_from != WIDE_REBASE)
        decode_side_from(shape->s, s_from, s_image, shape->s_stride, s_lanes(shape),
                         shape->sparse ? 2 * shape->k : shape->k, s);
    if (v_from != WIDE_REBASE)
        decode_side_from(shape->v, v_from, v_image, shape->v_count, shape->v_count, shape->k, v);
}

/*
 * Units that add in binary32 or binary64 (CDNA1 and CDNA2) take numbers of any exponent: only f16's
 * infinities and NaNs, which have not been decoded, are bad. For a tree, subnormal numbers and zeros are +0.
 */
static void settle_side(const lw_panel_shape *shape, const lw_format *format, int stride, int count,
                        side *out)
{
    const vf least = vf_from_bits(vi_all((128 - format->bias) << 23));
    if (format->exp_bits == 8)
        out->bad = 0;
    if (shape->unit.kind != LW_KIND_TREE)
        return;
    const int rows = count == stride ? 1 : shape->k, width = count == stride ? shape->k * count : count;
    for (int k = 0; k < rows; k++)
        for (int i = 0; i < width; i += VEC_LANES) {
            uint32_t *at = out->value + k * stride + i;
            const vf x = vf_load(at);
            vf_store(at, vf_pick(vf_not_less(vf_abs(x), least), x, vf_all(0.0f)));
        }
}

/* Decodes both sides of a block. */
static void decode_block(group_task *t, unsigned block, side *s, side *v)
{
    const lw_panel_shape *shape = t->shape;
    const uint32_t *s_image = t->p->s + (size_t)block * shape->s_words * shape->s_stride,
                   *v_image = t->p->v + (size_t)block * shape->v_words * shape->v_count;
    decode_side(shape->s, s_image, shape->s_stride, s_lanes(shape), shape->sparse ? 2 * shape->k : shape->k,
                s);
    decode_side(shape->v, v_image, shape->v_count, shape->v_count, shape->k, v);
    if ((s->bad | v->bad) && shape->unit.kind == LW_KIND_ALIGNED)
        decode_far(shape, s_image, v_image, s, v);
    t->sides &= s->normal && v->normal;
    if (shape->unit.kind == LW_KIND_TREE || shape->unit.kind == LW_KIND_EXACT) {
        settle_side(shape, shape->s, shape->s_stride, s_lanes(shape), s);
        settle_side(shape, shape->v, shape->v_count, shape->v_count, v);
    }
    t->p->bad[block][0] = (uint32_t)s->bad;
    t->p->bad[block][1] = (uint32_t)v->bad;
    t->rebase = s->rebase + v->rebase;
}

/* Decodes all blocks as if they were one, if nobody asks about single ones. False: one by one is better,
 * since a special row or column of one block would leave outputs of all of them for the reference. */
static bool decode_blocks(group_task *t, side *s, side *v)
{
    const lw_panel_shape *shape = t->shape;
    const int k = shape->blocks * shape->k, kind = shape->unit.kind;
    if (shape->blocks == 1 || shape->sparse || shape->scaled || t->p->quiet || kind == LW_KIND_TREE ||
        kind == LW_KIND_EXACT || shape->k % 4)
        return false;
    decode_side(shape->s, t->p->s, shape->s_stride, s_lanes(shape), k, s);
    decode_side(shape->v, t->p->v, shape->v_count, shape->v_count, k, v);
    t->rebase = s->rebase + v->rebase;
    return !(s->bad | v->bad);
}

/*
 * Rows to compute, less than all where rows of S or lanes of V are expected to be unused. Without products, C
 * only loses -0; and special numbers of the other side are marked for the reference, while units of other
 * kinds multiply them.
 */
static void count_rows(group_task *t)
{
    const lw_panel_shape *s = t->shape;
    const bool leaves = t->heeds && s->unit.kind == LW_KIND_ALIGNED;
    int rows = s->s_count;
    while (leaves && rows > 0 && !(t->heeds->s_used >> (rows - 1) & 1))
        rows--;
    for (int n = 0; n < MAX_VECTORS; n++)
        t->count[n] = (uint8_t)rows;
    for (int lane = 0; leaves && t->heeds->v_used && lane < s->v_count; lane += VEC_LANES)
        if (!vm_any(vm_not(vi_eq(vi_load(t->heeds->v_used + lane), vi_all(0)))))
            t->count[lane / VEC_LANES] = 0;
}

/* Before a block and after it, if somebody asks; quiet->c and ->d are true until something is found. */
static void quiet_begin(group_task *t, unsigned block, const uint32_t *s_used, const uint32_t *v_used,
                        heeds *h)
{
    lw_panel_quiet *q = t->p->quiet;
    t->heeds = NULL;
    if (!q)
        return;
    if (block == 0)
        q->c = q->d = true;
    if (t->shape->squares || turned_by(t->shape->sparse ? 0 : LW_PANEL))
        return;
    t->heeds = h;
    heeds_begin(t->shape, q->padded, s_used, v_used, h);
}

static void quiet_end(group_task *t, unsigned block)
{
    lw_panel_quiet *q = t->p->quiet;
    if (!q)
        return;
    q->c &= t->heeds != NULL;
    q->d &= t->heeds && !heeds_odd(t->heeds);
    const lw_panel_padded padded = t->heeds ? heeds_padded(t->shape, t->heeds) : LW_PADDED_NOT;
    t->padded = padded > t->padded ? padded : t->padded;
    if (block + 1 < t->shape->blocks)
        return;
    q->padded = t->padded;
    q->sides |= t->sides;
}

typedef bool (*group_fn)(const group_task *task, unsigned block);

/* Computes all blocks with `fn`. */
static lw_panel_result run_groups(const lw_panel_shape *shape, const lw_panels *p, group_fn fn, float limit)
{
    side s, v;
    chosen picks;
    side_scales xs, xv;
    if (shape->scaled)
        both_scales(shape, p, &xs, &xv);
    group_task task = { .shape = shape, .p = p, .xs = xs.x, .xv = xv.x, .limit = limit, .sides = true };
    bool redo = false;
    heeds found;
    task.s = &s;
    task.v = &v;
    const bool together = decode_blocks(&task, &s, &v);
    for (unsigned block = 0; block < shape->blocks; block++) {
        if (together)
            task.k_from = (int)block * shape->k;
        else
            decode_block(&task, block, &s, &v);
        quiet_begin(&task, block, s.any, v.any, &found);
        count_rows(&task);
        if (shape->scaled) {
            p->bad[block][0] = (uint32_t)(s.bad |= xs.bad);
            p->bad[block][1] = (uint32_t)(v.bad |= xv.bad);
        }
        if (shape->sparse) {
            choose(shape, p, &s, &v, &picks);
            task.chosen = &picks;
        }
        redo |= fn(&task, block);
        if (shape->sparse)
            choose_end(shape, p, &picks);
        quiet_end(&task, block);
    }
    return redo ? LW_PANELS_REDO : LW_PANELS_DONE;
}

/*
 * DEFINE_GROUPS(name, step, group, stride, ...): the loops over lanes and groups around `step`, with sizes
 * known to the compiler; the further arguments are passed on.
 */
#define DEFINE_GROUPS(name_, step_, group_, stride_, ...)                                                    \
    static bool name_(const group_task *t, unsigned block)                                                   \
    {                                                                                                        \
        bool redo = false;                                                                                   \
        const int count = turned_by(stride_) ? t->shape->s_count : t->shape->v_count;                        \
        for (int lane = 0; lane < count; lane += VEC_LANES) {                                                \
            lanes l;                                                                                         \
            begin_lanes(t, block, lane, stride_, &l);                                                        \
            for (int n = 0; n < t->shape->k / (group_); n++)                                                 \
                step_(t, &l, t->k_from + (group_)*t->shape->order[n], group_, stride_, __VA_ARGS__);         \
            end_lanes(t, &l, stride_);                                                                       \
            redo |= l.redo;                                                                                  \
        }                                                                                                    \
        return redo;                                                                                         \
    }

typedef struct group_row {
    uint8_t group, classes, stride;
    bool scaled;
    group_fn fn;
    float limit;
} group_row;

static const group_row *find_group_row(const lw_panel_shape *s, const group_row *rows, size_t count)
{
    const int group = s->unit.group < s->k ? s->unit.group : s->k;
    const int stride = s->sparse         ? 0
                       : s->squares == 8 ? EIGHTS_STRIDE
                       : s->squares      ? SQUARES_STRIDE
                                         : s->s_stride;
    for (size_t i = 0; i < count; i++)
        if (rows[i].group == group && rows[i].classes == s->unit.classes && rows[i].stride == stride &&
            rows[i].scaled == s->scaled && s->k % group == 0 && s->k % 4 == 0)
            return &rows[i];
    return NULL;
}

#endif
