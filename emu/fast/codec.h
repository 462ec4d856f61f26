/* SPDX-License-Identifier: MIT */
/* Conversion of a format's codes to binary32 numbers. */
#ifndef LW_EMU_FAST_CODEC_H
#define LW_EMU_FAST_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "isa_tables/formats.h"

typedef struct lw_codec {
    int bits, frac, bias;
    int special_from; /* smallest magnitude that is a NaN or an infinity */
    int special_code; /* a code that is a NaN although its magnitude is below that, or -1 */
    bool as_is;       /* the code, shifted up, is itself the binary32 number */
    uint32_t keep;    /* its bits that take part */
} lw_codec;

static inline lw_codec lw_codec_of(const lw_format *f)
{
    const int ones = (int)((UINT32_C(1) << (f->bits - 1)) - 1);
    lw_codec c = { .bits = f->bits,
                   .frac = f->frac_bits,
                   .bias = f->bias,
                   .special_from = ones,
                   .special_code = -1,
                   .as_is = f->exp_bits == 8,
                   .keep = UINT32_MAX };
    if (f->top == LW_TOP_IEEE)
        c.special_from = ones >> f->frac_bits << f->frac_bits;
    else if (f->top != LW_TOP_NAN)
        c.special_from = ones + (f->bits < 32);
    if (f->top == LW_TOP_FNUZ)
        c.special_code = ones + 1;
    if (f == &lw_formats[LW_FORMAT_XF32])
        c.keep = ~UINT32_C(0x1fff); /* the 13 bits that xf32 lacks count as zero */
    return c;
}

#endif
