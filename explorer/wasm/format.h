/* SPDX-License-Identifier: MIT */
/* Numbers of any element format, found by asking the library what each code means. */
#ifndef LW_EXPLORER_FORMAT_H
#define LW_EXPLORER_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct number_format {
    const char *name; /* one of lw_mma_shape's */
    unsigned bits;
    bool integer, is_signed;
    uint64_t largest;      /* code of the largest finite number */
    uint64_t nan, inf;     /* `largest` where the format has none */
    uint64_t quarter, two; /* the codes nearest to 1/4 and 2 */
} number_format;

/* False for a format that the library cannot decode. */
bool format_open(const char *name, unsigned bits, number_format *format);

double format_value(const number_format *format, uint64_t code);

/* The code nearest to a number, ties to the even code; finite ones beyond the range become the largest. */
uint64_t format_nearest(const number_format *format, double value);

/* "0x3c00" is a code, "nan", "inf" and decimals are numbers. False for anything else, for codes
 * that are too wide, and for nan where there are only integers.
 */
bool format_read(const number_format *format, const char *text, uint64_t *code);

#endif
