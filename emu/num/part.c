/* SPDX-License-Identifier: MIT */
#include "emu/num/part.h"

enum { XF32_DROPPED = 13 };

int lw_part_frac(const lw_format *format)
{
    return format == &lw_formats[LW_FORMAT_XF32] ? format->frac_bits - XF32_DROPPED : format->frac_bits;
}

static lw_part_kind kind_of(const lw_format *f, uint32_t field, uint32_t frac, uint32_t neg)
{
    const uint32_t ones = (1u << f->exp_bits) - 1;
    switch ((lw_top)f->top) {
    case LW_TOP_IEEE:
        if (field == ones)
            return frac ? LW_PART_NAN : LW_PART_INF;
        break;
    case LW_TOP_NAN:
        if (field == ones && frac == (1u << f->frac_bits) - 1)
            return LW_PART_NAN;
        break;
    case LW_TOP_FNUZ:
        if (neg && !field && !frac)
            return LW_PART_NAN;
        break;
    case LW_TOP_UNAN:
        if (field == ones && frac == (1u << f->frac_bits) - 1)
            return LW_PART_NAN;
        break;
    case LW_TOP_NUMBER:
    case LW_TOP_SCALE:
    case LW_TOP_INT:
    case LW_TOP_UINT:
        break;
    }
    return field || frac ? LW_PART_FINITE : LW_PART_ZERO;
}

lw_part lw_part_make(const lw_format *f, uint32_t code, bool mask_first)
{
    const int dropped = f->frac_bits - lw_part_frac(f);
    uint32_t frac = code & ((1u << f->frac_bits) - 1);
    const uint32_t field = code >> f->frac_bits & ((1u << f->exp_bits) - 1);
    const uint32_t neg = f->top == LW_TOP_UNAN ? 0 : code >> (f->exp_bits + f->frac_bits) & 1;

    lw_part_kind kind = LW_PART_ZERO;
    if (!mask_first && (kind = kind_of(f, field, frac, neg)) == LW_PART_NAN)
        return (lw_part){ .kind = LW_PART_NAN, .neg = (uint8_t)neg };
    frac >>= dropped;
    kind = kind_of(f, field, frac << dropped, neg);
    return (lw_part){
        .sig = kind == LW_PART_FINITE ? frac | (uint32_t)(field != 0) << lw_part_frac(f) : 0,
        .exp = (int16_t)((field ? (int)field : 1) - f->bias),
        .neg = (uint8_t)neg,
        .kind = (uint8_t)kind,
    };
}

lw_part lw_part_widen(const lw_format *from, const lw_format *to, lw_part part)
{
    const int least = 1 - to->bias;
    if (part.kind != LW_PART_FINITE)
        return part;
    const int unit = part.exp - lw_part_frac(from); /* the number is sig * 2^unit */
    int exp = unit;
    for (uint32_t rest = part.sig; rest > 1; rest >>= 1)
        exp++;
    if (exp < least)
        exp = least;
    part.sig <<= unit - exp + lw_part_frac(to);
    part.exp = (int16_t)exp;
    return part;
}
