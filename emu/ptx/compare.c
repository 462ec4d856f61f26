/* SPDX-License-Identifier: MIT */
/* Comparisons, and instructions that choose by one. PTX ISA 9.1, section 9.7.7. */
#include "emu/ptx/handlers.h"

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

static unsigned relation(const lw_ptx_record *r, uint64_t a, uint64_t b)
{
    if (r->src_fmt)
        return lw_fp_compare(r->src_fmt, &r->env, a, b);
    const bool less = r->src_signed ? (int64_t)a < (int64_t)b : a < b;
    return a == b ? LW_FP_EQUAL : less ? LW_FP_LESS : LW_FP_GREATER;
}

/* The result of comparing part number `part` of two sources. */
static bool truth(const lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane, unsigned part)
{
    uint64_t in[2];
    for (unsigned i = 0; i < 2; i++) {
        in[i] = lw_ptx_get(w, &r->src[i], lane);
        if (r->parts > 1)
            in[i] = in[i] >> part * r->src_bits & lw_ptx_mask(r->src_bits);
    }
    return (relation(r, in[0], in[1]) & meaning(r->word)) != 0;
}

static bool third(const lw_ptx_warp *w, const lw_ptx_record *r, unsigned lane)
{
    return r->src_count > 2 && (lw_ptx_get(w, &r->src[2], lane) & 1);
}

/* p and q of p|q: the comparison and its opposite, each combined with the third operand. */
static lw_ptx_step setp(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        const bool is = truth(w, r, lane, 0), with = third(w, r, lane);
        lw_ptx_put(w, &r->dst[0], lane, joined(r->boolean, is, with));
        if (r->dst_count > 1)
            lw_ptx_put(w, &r->dst[1], lane, joined(r->boolean, !is, with));
    }
    return LW_PTX_STEP_NEXT;
}

/* p and q: the comparisons of the low and of the high half. */
static lw_ptx_step setp_pair(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        const bool low = truth(w, r, lane, 0), high = truth(w, r, lane, 1), with = third(w, r, lane);
        lw_ptx_put(w, &r->dst[0], lane, joined(r->boolean, low, with));
        if (r->dst_count > 1)
            lw_ptx_put(w, &r->dst[1], lane, joined(r->boolean, high, with));
    }
    return LW_PTX_STEP_NEXT;
}

/* The value for true: 1.0 in floating-point formats, otherwise all ones. */
static uint64_t yes(const lw_ptx_record *r)
{
    return r->fmt ? lw_fp_one(r->fmt) : lw_ptx_mask(r->dst_bits);
}

static lw_ptx_step set(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        uint64_t v = 0;
        if (!(lanes >> lane & 1))
            continue;
        for (unsigned part = 0; part < r->parts; part++)
            if (joined(r->boolean, truth(w, r, lane, part), third(w, r, lane)))
                v |= yes(r) << part * r->dst_bits;
        lw_ptx_put(w, &r->dst[0], lane, v);
    }
    return LW_PTX_STEP_NEXT;
}

const lw_ptx_handler lw_ptx_sem_setp = { .exec = setp };
const lw_ptx_handler lw_ptx_sem_setp_pair = { .exec = setp_pair };
const lw_ptx_handler lw_ptx_sem_set = { .exec = set };

/* With .ftz, subnormals of either sign are at least zero; a NaN never is. */
static bool at_least_zero(const lw_ptx_record *r, uint64_t c)
{
    return (lw_fp_compare(&lw_fp_f32, &r->env, c, 0) & (LW_FP_GREATER | LW_FP_EQUAL)) != 0;
}

LW_PTX_LANE(slct_int, (int64_t)c >= 0 ? a : b)
LW_PTX_LANE(slct_float, at_least_zero(r, c) ? a : b)
