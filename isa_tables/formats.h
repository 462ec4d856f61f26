/* SPDX-License-Identifier: MIT */
/* What the codes of matrix elements mean as numbers. */
#ifndef LW_ISA_FORMATS_H
#define LW_ISA_FORMATS_H

#include <stdint.h>

#include "isa_tables/matrix.h"

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

/*
 * The format of an element type on an architecture: FP8 and BF8 are FNUZ on gfx942 and OCP elsewhere.
 * NULL for types that are no numbers of their own (NONE, INDEX, CBSZ, BLGP).
 */
const lw_format *lw_format_of(lw_elem elem, lw_arch arch);

/* Bytes that hold a code in a plain matrix: the fewest of 1, 2, 4, 8. */
unsigned lw_format_bytes(const lw_format *format);

#endif
