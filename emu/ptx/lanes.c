/* SPDX-License-Identifier: MIT */
/* What one lane computes: integers, bits, predicates, comparisons. PTX ISA 9.1, sections 9.7.1, 9.7.2, 9.7.7
 * to 9. */
#include "emu/ptx/handlers.h"

lw_ptx_step lw_ptx_compute(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint64_t in[3] = { 0, 0, 0 };
        if (!(lanes >> lane & 1))
            continue;
        for (unsigned i = 0; i < r->src_count && i < 3; i++)
            in[i] = lw_ptx_extend(lw_ptx_get(w, &r->src[i], lane), r->src_bits, r->src_signed);
        const uint64_t v = r->handler->lane(r, in[0], in[1], in[2]);
        lw_ptx_put(w, &r->dst[0], lane, lw_ptx_extend(v, r->dst_bits, r->dst_signed));
    }
    return LW_PTX_STEP_NEXT;
}

static bool less(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    return r->src_signed ? (int64_t)a < (int64_t)b : a < b;
}

/* Only 32-bit signed sums saturate. */
static uint64_t saturate(const lw_ptx_record *r, uint64_t v)
{
    if (!r->sat)
        return v;
    const int64_t s = (int64_t)v;
    return (uint64_t)(s > INT32_MAX ? INT32_MAX : s < INT32_MIN ? INT32_MIN : s);
}

/* The upper half of a product. */
static uint64_t high(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    if (r->src_bits < 64)
        return a * b >> r->src_bits;
    const uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    const uint64_t middle = ah * bl + (al * bl >> 32), other = al * bh + (uint32_t)middle;
    uint64_t top = ah * bh + (middle >> 32) + (other >> 32);
    if (r->src_signed)
        top -= (a >> 63 ? b : 0) + (b >> 63 ? a : 0);
    return top;
}

static uint64_t product(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    return r->word == LW_PTX_WORD_HI ? high(r, a, b) : a * b;
}

static uint64_t shift_left(const lw_ptx_record *r, uint64_t a, uint64_t by)
{
    return by >= r->src_bits ? 0 : a << by;
}

static uint64_t shift_right(const lw_ptx_record *r, uint64_t a, uint64_t by)
{
    const uint64_t fill = r->dst_signed && a >> (r->src_bits - 1) & 1 ? UINT64_MAX : 0;
    const uint64_t wide = lw_ptx_extend(a, r->src_bits, r->dst_signed);
    return by >= r->src_bits ? fill : wide >> by | (by && fill ? fill << (64 - by) : 0);
}

static uint64_t reverse(uint64_t a, unsigned bits)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bits; i++)
        v |= (a >> i & 1) << (bits - 1 - i);
    return v;
}

static uint64_t leading_zeros(uint64_t a, unsigned bits)
{
    uint64_t n = 0;
    while (n < bits && !(a >> (bits - 1 - n) & 1))
        n++;
    return n;
}

static uint64_t ones(uint64_t a)
{
    uint64_t n = 0;
    for (; a; a &= a - 1)
        n++;
    return n;
}

/* cvt.sat: the nearest number of the result's type. */
static uint64_t narrow(const lw_ptx_record *r, uint64_t a)
{
    const uint64_t most = lw_ptx_mask(r->dst_bits) >> r->dst_signed;
    if (!r->sat)
        return a;
    if (r->src_signed && (int64_t)a < 0) {
        const int64_t least = r->dst_signed ? -(int64_t)most - 1 : 0;
        return (int64_t)a < least ? (uint64_t)least : a;
    }
    return a > most ? most : a;
}

LW_PTX_LANE(abs_int, (int64_t)a < 0 ? 0 - a : a)
LW_PTX_LANE(add_int, saturate(r, a + b))
LW_PTX_LANE(sub_int, saturate(r, a - b))
LW_PTX_LANE(mul_int, product(r, a, b))
LW_PTX_LANE(mad_int, product(r, a, b) + c)
LW_PTX_LANE(mul_wide, a *b)
LW_PTX_LANE(min_int, less(r, b, a) ? b : a)
LW_PTX_LANE(max_int, less(r, a, b) ? b : a)
LW_PTX_LANE(neg_int, 0 - a)
LW_PTX_LANE(and, a &b)
LW_PTX_LANE(or, a | b)
LW_PTX_LANE(xor, a ^ b)
LW_PTX_LANE(not, ~a)
LW_PTX_LANE(cnot, a == 0)
LW_PTX_LANE(brev, reverse(a, r->src_bits))
LW_PTX_LANE(clz, leading_zeros(a, r->src_bits))
LW_PTX_LANE(popc, ones(a))
LW_PTX_LANE(cvt_int, narrow(r, a))
LW_PTX_LANE(cvta_to, a - lw_ptx_window(r))

/* ---- Operands of other widths than the instruction's ---- */

/* The amount of a shift has 32 bits whatever is shifted. */
static lw_ptx_step shift(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        const uint64_t a = lw_ptx_get(w, &r->src[0], lane) & lw_ptx_mask(r->src_bits);
        const uint64_t by = lw_ptx_get(w, &r->src[1], lane) & UINT32_MAX;
        lw_ptx_put(w, &r->dst[0], lane, lw_ptx_extend(r->handler->lane(r, a, by, 0), r->dst_bits, false));
    }
    return LW_PTX_STEP_NEXT;
}

static uint64_t left(const lw_ptx_record *r, uint64_t a, uint64_t b, uint64_t c)
{
    (void)c;
    return shift_left(r, a, b);
}

static uint64_t right(const lw_ptx_record *r, uint64_t a, uint64_t b, uint64_t c)
{
    (void)c;
    return shift_right(r, a, b);
}

const lw_ptx_handler lw_ptx_sem_shl = { shift, left };
const lw_ptx_handler lw_ptx_sem_shr = { shift, right };

/* The third operand of mad.wide has twice the width. */
static lw_ptx_step mad_wide(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        const uint64_t a = lw_ptx_extend(lw_ptx_get(w, &r->src[0], lane), r->src_bits, r->src_signed);
        const uint64_t b = lw_ptx_extend(lw_ptx_get(w, &r->src[1], lane), r->src_bits, r->src_signed);
        const uint64_t v = a * b + lw_ptx_get(w, &r->src[2], lane);
        lw_ptx_put(w, &r->dst[0], lane, lw_ptx_extend(v, r->dst_bits, r->dst_signed));
    }
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_mad_wide = { mad_wide, NULL };

static lw_ptx_step selp(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
        if (lanes >> lane & 1)
            lw_ptx_put(w, &r->dst[0], lane,
                       lw_ptx_get(w, &r->src[lw_ptx_get(w, &r->src[2], lane) & 1 ? 0 : 1], lane));
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_selp = { selp, NULL };

/* ---- Comparisons ---- */

static unsigned relation_int(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    return a == b ? LW_FP_EQUAL : less(r, a, b) ? LW_FP_LESS : LW_FP_GREATER;
}

/* The relations for which a comparison is true, bits of LW_FP_LESS and the like. */
static unsigned meaning(uint8_t word)
{
    static const uint8_t meanings[LW_PTX_WORD_COUNT] = {
        [LW_PTX_WORD_EQ] = LW_FP_EQUAL,
        [LW_PTX_WORD_NE] = LW_FP_LESS | LW_FP_GREATER,
        [LW_PTX_WORD_LT] = LW_FP_LESS,
        [LW_PTX_WORD_LO] = LW_FP_LESS,
        [LW_PTX_WORD_LE] = LW_FP_LESS | LW_FP_EQUAL,
        [LW_PTX_WORD_LS] = LW_FP_LESS | LW_FP_EQUAL,
        [LW_PTX_WORD_GT] = LW_FP_GREATER,
        [LW_PTX_WORD_HI] = LW_FP_GREATER,
        [LW_PTX_WORD_GE] = LW_FP_GREATER | LW_FP_EQUAL,
        [LW_PTX_WORD_HS] = LW_FP_GREATER | LW_FP_EQUAL,
        [LW_PTX_WORD_EQU] = LW_FP_EQUAL | LW_FP_UNORDERED,
        [LW_PTX_WORD_NEU] = LW_FP_LESS | LW_FP_GREATER | LW_FP_UNORDERED,
        [LW_PTX_WORD_LTU] = LW_FP_LESS | LW_FP_UNORDERED,
        [LW_PTX_WORD_LEU] = LW_FP_LESS | LW_FP_EQUAL | LW_FP_UNORDERED,
        [LW_PTX_WORD_GTU] = LW_FP_GREATER | LW_FP_UNORDERED,
        [LW_PTX_WORD_GEU] = LW_FP_GREATER | LW_FP_EQUAL | LW_FP_UNORDERED,
        [LW_PTX_WORD_NUM] = LW_FP_LESS | LW_FP_EQUAL | LW_FP_GREATER,
        [LW_PTX_WORD_ISNAN] = LW_FP_UNORDERED,
    };
    return meanings[word];
}

static bool joined(uint8_t word, bool a, bool b)
{
    return word == LW_PTX_WORD_AND   ? a && b
           : word == LW_PTX_WORD_OR  ? a || b
           : word == LW_PTX_WORD_XOR ? a != b
                                     : a;
}

/* p and q of p|q: the comparison, and its opposite, each joined to the third operand. */
static lw_ptx_step setp(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        const uint64_t a = lw_ptx_extend(lw_ptx_get(w, &r->src[0], lane), r->src_bits, r->src_signed);
        const uint64_t b = lw_ptx_extend(lw_ptx_get(w, &r->src[1], lane), r->src_bits, r->src_signed);
        const unsigned relation =
            r->src_fmt ? lw_fp_compare(r->src_fmt, &r->env, a, b) : relation_int(r, a, b);
        const bool truth = (relation & meaning(r->word)) != 0;
        const bool third = r->src_count > 2 && (lw_ptx_get(w, &r->src[2], lane) & 1);
        lw_ptx_put(w, &r->dst[0], lane, joined(r->boolean, truth, third));
        if (r->dst_count > 1)
            lw_ptx_put(w, &r->dst[1], lane, joined(r->boolean, !truth, third));
    }
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_setp_int = { setp, NULL };
const lw_ptx_handler lw_ptx_sem_setp_float = { setp, NULL };
