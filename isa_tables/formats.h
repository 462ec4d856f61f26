/* SPDX-License-Identifier: MIT */
/* What codes mean as numbers: the rows of formats.inc. */
#ifndef LW_ISA_FORMATS_H
#define LW_ISA_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

/* What the codes with the largest exponent field mean. */
typedef enum lw_top {
    LW_TOP_IEEE,   /* infinity, and NaNs */
    LW_TOP_NAN,    /* ordinary numbers, but all ones is a NaN */
    LW_TOP_NUMBER, /* ordinary numbers */
    LW_TOP_FNUZ,   /* ordinary numbers; the code of minus zero is the only NaN */
    LW_TOP_SCALE,  /* no sign, no zero: 2^(code - bias); all ones is a NaN */
    LW_TOP_INT,    /* two's complement */
    LW_TOP_UINT,   /* unsigned integer */
    LW_TOP_UNAN,   /* no sign: the code's top bit is ignored; all ones below it is a NaN */
    LW_TOP_BITS,   /* not a number by itself */
} lw_top;

typedef enum lw_format_id {
#define FORMAT(id_, name_, bits_, exp_, frac_, bias_, top_, source_) LW_FORMAT_##id_,
#include "isa_tables/formats.inc"
#undef FORMAT
    LW_FORMAT_COUNT,
} lw_format_id;

typedef struct lw_format {
    const char *name;
    uint8_t bits, exp_bits, frac_bits;
    int16_t bias;
    uint8_t top; /* lw_top */
    const char *source;
} lw_format;

/* Indexed by lw_format_id. */
extern const lw_format lw_formats[LW_FORMAT_COUNT];

/* Bits of a code, for other tables: LW_BITS_OF_F16 ... */
enum {
#define FORMAT(id_, name_, bits_, exp_, frac_, bias_, top_, source_) LW_BITS_OF_##id_ = (bits_),
#include "isa_tables/formats.inc"
#undef FORMAT
};

/* The bits of a floating-point code that are exponent and fraction. */
static inline uint64_t lw_format_magnitude(const lw_format *f, uint64_t code)
{
    return code & ((UINT64_C(1) << (f->exp_bits + f->frac_bits)) - 1);
}

/* Is the code of a floating-point number or a scale a NaN? */
static inline bool lw_format_is_nan(const lw_format *f, uint64_t code)
{
    const uint64_t magnitude = lw_format_magnitude(f, code);
    const uint64_t ones = lw_format_magnitude(f, UINT64_MAX);
    switch ((lw_top)f->top) {
    case LW_TOP_IEEE:
        return magnitude > (ones >> f->frac_bits << f->frac_bits);
    case LW_TOP_NAN:
    case LW_TOP_UNAN:
    case LW_TOP_SCALE:
        return magnitude == ones;
    case LW_TOP_FNUZ:
        return magnitude == 0 && code != 0;
    case LW_TOP_NUMBER:
    case LW_TOP_INT:
    case LW_TOP_UINT:
    case LW_TOP_BITS:
        break;
    }
    return false;
}

static inline bool lw_format_is_inf(const lw_format *f, uint64_t code)
{
    const uint64_t ones = lw_format_magnitude(f, UINT64_MAX);
    return f->top == LW_TOP_IEEE && lw_format_magnitude(f, code) == (ones >> f->frac_bits << f->frac_bits);
}

/* Is the sign bit of a floating-point code set? Formats without a sign: never. */
static inline bool lw_format_neg(const lw_format *f, uint64_t code)
{
    return f->top != LW_TOP_UNAN && (code >> (f->exp_bits + f->frac_bits) & 1);
}

/* Bytes that hold a code in a plain matrix: 1, 2, 4 or 8, the fewest that do. */
unsigned lw_format_bytes(const lw_format *format);

#endif
