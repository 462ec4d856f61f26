/* SPDX-License-Identifier: MIT */
#include "emu/num/part.h"

enum { XF32_DROPPED = 13 };

int lw_part_frac(const lw_format *format)
{
    return format == &lw_formats[LW_FORMAT_XF32] ? format->frac_bits - XF32_DROPPED : format->frac_bits;
}

static lw_part_kind kind_of(const lw_format *f, uint32_t code)
{
    return lw_format_is_nan(f, code)      ? LW_PART_NAN
           : lw_format_is_inf(f, code)    ? LW_PART_INF
           : lw_format_magnitude(f, code) ? LW_PART_FINITE
                                          : LW_PART_ZERO;
}

lw_part lw_part_make(const lw_format *f, uint32_t code, bool mask_first)
{
    const int dropped = f->frac_bits - lw_part_frac(f);
    const bool neg = lw_format_neg(f, code);
    if (!mask_first && lw_format_is_nan(f, code))
        return (lw_part){ .kind = LW_PART_NAN, .neg = neg };
    code = code >> dropped << dropped;
    const lw_part_kind kind = kind_of(f, code);
    const uint32_t frac = (code & ((1u << f->frac_bits) - 1)) >> dropped;
    const uint32_t field = (uint32_t)lw_format_magnitude(f, code) >> f->frac_bits;
    return (lw_part){
        .sig = kind == LW_PART_FINITE ? frac | (uint32_t)(field != 0) << lw_part_frac(f) : 0,
        .exp = (int16_t)((field ? (int)field : 1) - f->bias),
        .neg = neg,
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
