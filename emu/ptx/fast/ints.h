/* SPDX-License-Identifier: MIT */
/* Fast forms of integers of 32 and 64 bits, of comparisons and of selections. */
#ifndef LW_EMU_PTX_FAST_INTS_H
#define LW_EMU_PTX_FAST_INTS_H

#include "emu/ptx/fast/row.h"

/* An expression of a, b and c, and its form. */
#define LANE(name, sources, expression)                                                                      \
    VEC vi lane_##name(vi a, vi b, vi c)                                                                     \
    {                                                                                                        \
        (void)a, (void)b, (void)c;                                                                           \
        return (expression);                                                                                 \
    }                                                                                                        \
    FORM(name, sources, lane_##name)

LANE(add, 2, vi_add(a, b))
LANE(sub, 2, vi_sub(a, b))
LANE(mul, 2, vi_mul(a, b))
LANE(mul_hi_u, 2, vi_mul_hi_u(a, b))
LANE(mul_hi_i, 2, vi_mul_hi_i(a, b))
LANE(mad, 3, vi_add(vi_mul(a, b), c))
LANE(min_u, 2, vi_min_u(a, b))
LANE(min_i, 2, vi_min(a, b))
LANE(max_u, 2, vi_max_u(a, b))
LANE(max_i, 2, vi_max(a, b))
LANE(neg, 1, vi_sub(vi_all(0), a))
LANE(abs, 1, vi_max(a, vi_sub(vi_all(0), a)))
LANE(and, 2, vi_and(a, b))
LANE(or, 2, vi_or(a, b))
LANE(xor, 2, vi_xor(a, b))
LANE(not, 1, vi_xor(a, vi_all(-1)))
LANE(shl, 2, vi_shlv(a, b))
LANE(shr_u, 2, vi_shrv(a, b))
LANE(shr_i, 2, vi_sarv(a, b))
LANE(copy, 1, a)

/* ---- 64 bits ---- */

/* Ones where the sum of two words, one of which is a, has overflowed. */
VEC vi carry_of(vi sum, vi a)
{
    return vi_pick(vi_le_u(a, sum), vi_all(0), vi_all(1));
}

VEC pair pair_add(pair a, pair b)
{
    const vi low = vi_add(a.low, b.low);
    return (pair){ low, vi_add(vi_add(a.high, b.high), carry_of(low, a.low)) };
}

VEC pair pair_sub(pair a, pair b)
{
    const vi borrow = vi_pick(vi_le_u(b.low, a.low), vi_all(0), vi_all(1));
    return (pair){ vi_sub(a.low, b.low), vi_sub(vi_sub(a.high, b.high), borrow) };
}

VEC pair pair_mul(pair a, pair b)
{
    const vi cross = vi_add(vi_mul(a.low, b.high), vi_mul(a.high, b.low));
    return (pair){ vi_mul(a.low, b.low), vi_add(vi_mul_hi_u(a.low, b.low), cross) };
}

/* Shifts by counts of 64 and more give zero, or signs. */
VEC pair pair_shl(pair a, pair b)
{
    const vi n = b.low, over = vi_sub(n, vi_all(32)), under = vi_sub(vi_all(32), n);
    const vi up = vi_or(vi_shlv(a.high, n), vi_shrv(a.low, under));
    return (pair){ vi_shlv(a.low, n), vi_pick(vi_le_u(vi_all(32), n), vi_shlv(a.low, over), up) };
}

VEC pair pair_shr(pair a, pair b)
{
    const vi n = b.low, over = vi_sub(n, vi_all(32)), under = vi_sub(vi_all(32), n);
    const vi down = vi_or(vi_shrv(a.low, n), vi_shlv(a.high, under));
    return (pair){ vi_pick(vi_le_u(vi_all(32), n), vi_shrv(a.high, over), down), vi_shrv(a.high, n) };
}

VEC pair pair_sar(pair a, pair b)
{
    const vi n = b.low, over = vi_sub(n, vi_all(32)), under = vi_sub(vi_all(32), n);
    const vi down = vi_or(vi_shrv(a.low, n), vi_shlv(a.high, under));
    return (pair){ vi_pick(vi_le_u(vi_all(32), n), vi_sarv(a.high, over), down), vi_sarv(a.high, n) };
}

#define LANE_WIDE(name, sources, from, expression)                                                           \
    VEC pair lane_##name(pair a, pair b, pair c)                                                             \
    {                                                                                                        \
        (void)a, (void)b, (void)c;                                                                           \
        return (expression);                                                                                 \
    }                                                                                                        \
    FORM_WIDE(name, sources, from, lane_##name)

#define PRODUCT_U                                                                                            \
    (pair)                                                                                                   \
    {                                                                                                        \
        vi_mul(a.low, b.low), vi_mul_hi_u(a.low, b.low)                                                      \
    }
#define PRODUCT_I                                                                                            \
    (pair)                                                                                                   \
    {                                                                                                        \
        vi_mul(a.low, b.low), vi_mul_hi_i(a.low, b.low)                                                      \
    }

LANE_WIDE(add64, 2, 64, pair_add(a, b))
LANE_WIDE(sub64, 2, 64, pair_sub(a, b))
LANE_WIDE(mul64, 2, 64, pair_mul(a, b))
LANE_WIDE(mad64, 3, 64, pair_add(pair_mul(a, b), c))
LANE_WIDE(and64, 2, 64, ((pair){ vi_and(a.low, b.low), vi_and(a.high, b.high) }))
LANE_WIDE(or64, 2, 64, ((pair){ vi_or(a.low, b.low), vi_or(a.high, b.high) }))
LANE_WIDE(xor64, 2, 64, ((pair){ vi_xor(a.low, b.low), vi_xor(a.high, b.high) }))
LANE_WIDE(shl64, 2, 64, pair_shl(a, b))
LANE_WIDE(shr64_u, 2, 64, pair_shr(a, b))
LANE_WIDE(shr64_i, 2, 64, pair_sar(a, b))
LANE_WIDE(mul_wide_u, 2, 32, PRODUCT_U)
LANE_WIDE(mul_wide_i, 2, 32, PRODUCT_I)
LANE_WIDE(mad_wide_u, 3, 32, pair_add(PRODUCT_U, c))
LANE_WIDE(mad_wide_i, 3, 32, pair_add(PRODUCT_I, c))
LANE_WIDE(widen_u, 1, 32, ((pair){ a.low, vi_all(0) }))
LANE_WIDE(widen_i, 1, 32, ((pair){ a.low, vi_sar(a.low, 31) }))

/* ---- Which form ---- */

static lw_ptx_exec *take_low(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    return r->word == LW_PTX_WORD_HI ? NULL : take_by_sign(form, r);
}

static lw_ptx_exec *take_high(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    return r->word == LW_PTX_WORD_HI ? take_by_sign(form, r) : NULL;
}

/* .wide: the result and the third source have twice the bits. */
static lw_ptx_exec *take_wide(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    return lw_ptx_has(r, LW_PTX_GROUP_WIDE) ? take_by_sign(form, r) : NULL;
}

/* The count of a shift has 32 bits, whatever is shifted. */
static lw_ptx_exec *take_shift(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    const bool good = r->src_count == 2 && r->parts <= 1 && r->src_bits == form->bits &&
                      take_result(r, form->bits) && take_source(r, 0, form->bits) && take_source(r, 1, 32);
    return good ? form->fn[r->src_signed] : NULL;
}

/* cvta: what is added is a constant. */
static lw_ptx_exec *take_window(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    const uint64_t window = lw_ptx_window(r->space);
    r->hot.constant = 2;
    r->hot.at[1] = (uint32_t)window;
    r->hot.up[1] = (uint32_t)(window >> 32);
    return r->src_count == 1 && r->dst_whole == 64 && take_result(r, 64) &&
                   r->src[0].kind == LW_PTX_SOURCE_REGISTER && take_source(r, 0, 64)
               ? form->fn[0]
               : NULL;
}

/* cvt between integers: to 64 bits, to 32, or the same bits. */
static lw_ptx_exec *take_convert(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    const bool types = r->src_bits == form->from_bits && r->dst_bits == form->bits && !r->sat;
    return types && r->src[0].kind == LW_PTX_SOURCE_REGISTER && take_plain(form, r) ? form->fn[r->src_signed]
                                                                                    : NULL;
}

/* ---- Comparisons: a bit for each lane, combined with a predicate ---- */

enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };

/* Predicates, all lanes at once. */
VEC lw_ptx_step row_decide(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, uint32_t is)
{
    const lw_ptx_source *third = &r->src[2];
    const uint32_t with =
        r->src_count > 2 ? w->predicates[third->slot] ^ (third->negated ? UINT32_MAX : 0) : 0;
    for (unsigned i = 0; i < r->dst_count; i++) {
        const uint32_t side = i ? ~is : is;
        const uint32_t v = r->boolean == LW_PTX_WORD_AND   ? side & with
                           : r->boolean == LW_PTX_WORD_OR  ? side | with
                           : r->boolean == LW_PTX_WORD_XOR ? side ^ with
                                                           : side;
        if (r->dst[i].kind == LW_PTX_SOURCE_PREDICATE)
            w->predicates[r->dst[i].slot] = (w->predicates[r->dst[i].slot] & ~lanes) | (v & lanes);
    }
    return LW_PTX_STEP_NEXT;
}

/* Are the two sources of the form's size, and are a third one and the results predicates? */
static bool take_decision(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    bool good = r->parts <= 1 && r->src_bits == form->from_bits && take_source(r, 0, form->from_bits) &&
                take_source(r, 1, form->from_bits) &&
                (r->src_count < 3 || r->src[2].kind == LW_PTX_SOURCE_PREDICATE);
    for (unsigned i = 0; i < r->dst_count; i++)
        good = good && (r->dst[i].kind == LW_PTX_SOURCE_PREDICATE || r->dst[i].kind == LW_PTX_SOURCE_NOWHERE);
    return good;
}

/* The relation that is tested, and whether the answer is inverted. */
static bool relation_of(uint8_t word, uint8_t *relation, bool *inverted)
{
    static const uint8_t of[LW_PTX_WORD_COUNT] = {
        [LW_PTX_WORD_EQ] = EQUAL,
        [LW_PTX_WORD_NE] = LESS | GREATER,
        [LW_PTX_WORD_LT] = LESS,
        [LW_PTX_WORD_LO] = LESS,
        [LW_PTX_WORD_LE] = LESS | EQUAL,
        [LW_PTX_WORD_LS] = LESS | EQUAL,
        [LW_PTX_WORD_GT] = GREATER,
        [LW_PTX_WORD_HI] = GREATER,
        [LW_PTX_WORD_GE] = GREATER | EQUAL,
        [LW_PTX_WORD_HS] = GREATER | EQUAL,
    };
    const uint8_t all = of[word];
    *inverted = all == (LESS | GREATER) || all == (LESS | EQUAL) || all == (GREATER | EQUAL);
    *relation = *inverted ? (LESS | EQUAL | GREATER) & ~all : all;
    return all != 0;
}

static lw_ptx_exec *take_compare(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    bool inverted = false;
    if (r->src_fmt || !relation_of(r->word, &r->hot.relation, &inverted) || !take_decision(form, r))
        return NULL;
    r->hot.inverted = inverted ? UINT32_MAX : 0;
    return form->fn[r->src_signed];
}

/* a < b of words that are signed, or become so by flipping their top bits. */
VEC uint32_t row_relation(lw_ptx_warp *w, const lw_ptx_record *r, bool is_signed)
{
    row_room room[2];
    const row a = row_source(w, r, 0, 0, &room[0]), b = row_source(w, r, 1, 0, &room[1]);
    const vi top = vi_all(is_signed ? 0 : INT32_MIN);
    const uint8_t relation = r->hot.relation;
    uint32_t is = 0;
    for (unsigned n = 0; n < ROW_VECTORS; n++) {
        const vi x = vi_xor(row_at(a, n), top), y = vi_xor(row_at(b, n), top);
        const vm m = relation == EQUAL ? vi_eq(x, y) : relation == LESS ? vi_gt(y, x) : vi_gt(x, y);
        is |= (uint32_t)vm_bits(m) << n * VEC_LANES;
    }
    return is ^ r->hot.inverted;
}

static lw_ptx_step form_compare_u(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return row_decide(w, r, lanes, row_relation(w, r, false));
}

static lw_ptx_step form_compare_i(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return row_decide(w, r, lanes, row_relation(w, r, true));
}

VEC uint32_t row_relation_wide(lw_ptx_warp *w, const lw_ptx_record *r, bool is_signed)
{
    row_room room[4];
    const row a = row_source(w, r, 0, 0, &room[0]), b = row_source(w, r, 1, 0, &room[1]);
    const row a2 = row_source(w, r, 0, 1, &room[2]), b2 = row_source(w, r, 1, 1, &room[3]);
    const vi top = vi_all(is_signed ? 0 : INT32_MIN), low = vi_all(INT32_MIN);
    const uint8_t relation = r->hot.relation;
    uint32_t is = 0;
    for (unsigned n = 0; n < ROW_VECTORS; n++) {
        const vi x = vi_xor(row_at(a, n), low), y = vi_xor(row_at(b, n), low);
        const vi x2 = vi_xor(row_at(a2, n), top), y2 = vi_xor(row_at(b2, n), top);
        const vm same = vi_eq(x2, y2);
        const vm m = relation == EQUAL  ? vm_and(same, vi_eq(x, y))
                     : relation == LESS ? vm_or(vi_gt(y2, x2), vm_and(same, vi_gt(y, x)))
                                        : vm_or(vi_gt(x2, y2), vm_and(same, vi_gt(x, y)));
        is |= (uint32_t)vm_bits(m) << n * VEC_LANES;
    }
    return is ^ r->hot.inverted;
}

static lw_ptx_step form_compare64_u(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return row_decide(w, r, lanes, row_relation_wide(w, r, false));
}

static lw_ptx_step form_compare64_i(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return row_decide(w, r, lanes, row_relation_wide(w, r, true));
}

/* ---- selp ---- */

VEC lw_ptx_step row_select(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes, unsigned words)
{
    const lw_ptx_source *p = &r->src[2];
    const uint32_t first = w->predicates[p->slot] ^ (p->negated ? UINT32_MAX : 0);
    for (unsigned word = 0; word < words; word++) {
        row_room room[2];
        const row a = row_source(w, r, 0, word, &room[0]), b = row_source(w, r, 1, word, &room[1]);
        uint32_t *to = row_of_result(w, r) + word * LW_PTX_LANES;
        for (unsigned n = 0; n < ROW_VECTORS; n++) {
            const vm m = vm_of((first >> n * VEC_LANES) & ((1u << VEC_LANES) - 1));
            row_put(to, n, lanes, vi_pick(m, row_at(a, n), row_at(b, n)));
        }
    }
    return LW_PTX_STEP_NEXT;
}

static lw_ptx_step form_select(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return row_select(w, r, lanes, 1);
}

static lw_ptx_step form_select64(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    return row_select(w, r, lanes, 2);
}

static lw_ptx_exec *take_select(const lw_ptx_fast_form *form, lw_ptx_record *r)
{
    const bool good = r->src_count == 3 && r->parts <= 1 && take_result(r, form->bits) &&
                      take_source(r, 0, form->bits) && take_source(r, 1, form->bits) &&
                      r->src[2].kind == LW_PTX_SOURCE_PREDICATE;
    return good ? form->fn[0] : NULL;
}

/* clang-format off */
#define INTS_FORMS                                                                                           \
    { &lw_ptx_sem_add_int, take_by_sign, { form_add, form_add }, 32, 2, 32 },                                \
    { &lw_ptx_sem_add_int, take_by_sign, { form_add64, form_add64 }, 64, 2, 64 },                            \
    { &lw_ptx_sem_sub_int, take_by_sign, { form_sub, form_sub }, 32, 2, 32 },                                \
    { &lw_ptx_sem_sub_int, take_by_sign, { form_sub64, form_sub64 }, 64, 2, 64 },                            \
    { &lw_ptx_sem_mul_int, take_wide, { form_mul_wide_u, form_mul_wide_i }, 64, 2, 32 },                     \
    { &lw_ptx_sem_mul_int, take_high, { form_mul_hi_u, form_mul_hi_i }, 32, 2, 32 },                         \
    { &lw_ptx_sem_mul_int, take_low, { form_mul, form_mul }, 32, 2, 32 },                                    \
    { &lw_ptx_sem_mul_int, take_low, { form_mul64, form_mul64 }, 64, 2, 64 },                                \
    { &lw_ptx_sem_mad_int, take_wide, { form_mad_wide_u, form_mad_wide_i }, 64, 3, 32 },                     \
    { &lw_ptx_sem_mad_int, take_low, { form_mad, form_mad }, 32, 3, 32 },                                    \
    { &lw_ptx_sem_mad_int, take_low, { form_mad64, form_mad64 }, 64, 3, 64 },                                \
    { &lw_ptx_sem_min_int, take_by_sign, { form_min_u, form_min_i }, 32, 2, 32 },                            \
    { &lw_ptx_sem_max_int, take_by_sign, { form_max_u, form_max_i }, 32, 2, 32 },                            \
    { &lw_ptx_sem_neg_int, take_by_sign, { form_neg, form_neg }, 32, 1, 32 },                                \
    { &lw_ptx_sem_abs_int, take_by_sign, { form_abs, form_abs }, 32, 1, 32 },                                \
    { &lw_ptx_sem_and, take_by_sign, { form_and, form_and }, 32, 2, 32 },                                    \
    { &lw_ptx_sem_and, take_by_sign, { form_and64, form_and64 }, 64, 2, 64 },                                \
    { &lw_ptx_sem_or, take_by_sign, { form_or, form_or }, 32, 2, 32 },                                       \
    { &lw_ptx_sem_or, take_by_sign, { form_or64, form_or64 }, 64, 2, 64 },                                   \
    { &lw_ptx_sem_xor, take_by_sign, { form_xor, form_xor }, 32, 2, 32 },                                    \
    { &lw_ptx_sem_xor, take_by_sign, { form_xor64, form_xor64 }, 64, 2, 64 },                                \
    { &lw_ptx_sem_not, take_by_sign, { form_not, form_not }, 32, 1, 32 },                                    \
    { &lw_ptx_sem_shl, take_shift, { form_shl, form_shl }, 32, 2, 32 },                                      \
    { &lw_ptx_sem_shl, take_shift, { form_shl64, form_shl64 }, 64, 2, 64 },                                  \
    { &lw_ptx_sem_shr, take_shift, { form_shr_u, form_shr_i }, 32, 2, 32 },                                  \
    { &lw_ptx_sem_shr, take_shift, { form_shr64_u, form_shr64_i }, 64, 2, 64 },                              \
    { &lw_ptx_sem_cvta, take_window, { form_add64 }, 64, 1, 64 },                                            \
    { &lw_ptx_sem_cvta_to, take_window, { form_sub64 }, 64, 1, 64 },                                         \
    { &lw_ptx_sem_cvt_int, take_convert, { form_widen_u, form_widen_i }, 64, 1, 32 },                        \
    { &lw_ptx_sem_cvt_int, take_convert, { form_copy, form_copy }, 32, 1, 64 },                              \
    { &lw_ptx_sem_cvt_int, take_convert, { form_copy, form_copy }, 32, 1, 32 },                              \
    { &lw_ptx_sem_setp, take_compare, { form_compare_u, form_compare_i }, 0, 2, 32 },                        \
    { &lw_ptx_sem_setp, take_compare, { form_compare64_u, form_compare64_i }, 0, 2, 64 },                    \
    { &lw_ptx_sem_selp, take_select, { form_select }, 32, 3, 32 },                                           \
    { &lw_ptx_sem_selp, take_select, { form_select64 }, 64, 3, 64 }
/* clang-format on */

#endif
