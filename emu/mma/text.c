/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lanewise/mma.h>

#include "emu/mma/text.h"

enum { MAX_FRACTION = 10, MAX_INTEGER_BITS = 40 };

static int bit_length(uint64_t v)
{
    int n = 0;
    for (; v; v >>= 1)
        n++;
    return n;
}

static void fixed_point(const char *sign, uint64_t sig, int places, char *text)
{
    const uint64_t whole = sig >> places;
    uint64_t digits = sig & ((UINT64_C(1) << places) - 1);
    for (int i = 0; i < places; i++)
        digits *= 5;
    snprintf(text, LW_NUMBER_TEXT, "%s%" PRIu64 ".%0*" PRIu64, sign, whole, places, digits);
}

/* sig is odd: its leading bit comes before the point, the rest in hexadecimal after it. */
static void hexadecimal(const char *sign, uint64_t sig, int exp, char *text)
{
    const int places = bit_length(sig) - 1;
    const int nibbles = (places + 3) / 4;
    const uint64_t digits = (sig ^ UINT64_C(1) << places) << (4 * nibbles - places);
    if (nibbles)
        snprintf(text, LW_NUMBER_TEXT, "%s0x1.%0*" PRIx64 "p%+d", sign, nibbles, digits, exp + places);
    else
        snprintf(text, LW_NUMBER_TEXT, "%s0x1p%+d", sign, exp);
}

void lw_text_number(bool neg, uint64_t sig, int exp, char *text)
{
    const char *sign = neg ? "-" : "";
    while (sig && !(sig & 1)) {
        sig >>= 1;
        exp++;
    }
    if (!sig)
        snprintf(text, LW_NUMBER_TEXT, "%s0", sign);
    else if (exp >= 0 && bit_length(sig) + exp <= MAX_INTEGER_BITS)
        snprintf(text, LW_NUMBER_TEXT, "%s%" PRIu64, sign, sig << exp);
    else if (exp < 0 && exp >= -MAX_FRACTION && bit_length(sig) <= MAX_INTEGER_BITS)
        fixed_point(sign, sig, -exp, text);
    else
        hexadecimal(sign, sig, exp, text);
}

void lw_text_code(const lw_format *f, uint64_t code, char *text)
{
    const uint64_t ones = UINT64_MAX >> (64 - f->bits);
    code &= ones;
    if (f->top == LW_TOP_INT || f->top == LW_TOP_UINT) {
        const bool neg = f->top == LW_TOP_INT && (code >> (f->bits - 1) & 1);
        lw_text_number(neg, neg ? (~code & ones) + 1 : code, 0, text);
        return;
    }
    const uint64_t magnitude = code & ((UINT64_C(1) << (f->exp_bits + f->frac_bits)) - 1);
    const bool neg = f->top != LW_TOP_UNAN && magnitude != code;
    const uint64_t field = magnitude >> f->frac_bits, frac = magnitude & ((UINT64_C(1) << f->frac_bits) - 1);
    if (lw_format_is_nan(f, code))
        snprintf(text, LW_NUMBER_TEXT, "nan");
    else if (f->top == LW_TOP_IEEE && field == (UINT64_C(1) << f->exp_bits) - 1)
        snprintf(text, LW_NUMBER_TEXT, neg ? "-inf" : "inf");
    else if (f->top == LW_TOP_SCALE)
        lw_text_number(false, 1, (int)code - f->bias, text);
    else
        lw_text_number(neg, field ? frac | UINT64_C(1) << f->frac_bits : frac,
                       (field ? (int)field : 1) - f->bias - f->frac_bits, text);
}

lw_status lw_mma_decode(const char *format, uint64_t code, char *text, size_t size)
{
    if (!format || !text || size < LW_NUMBER_TEXT)
        return LW_E_ARGUMENT;
    for (int f = 0; f < LW_FORMAT_COUNT; f++)
        if (lw_formats[f].top != LW_TOP_BITS && strcmp(lw_formats[f].name, format) == 0) {
            lw_text_code(&lw_formats[f], code, text);
            return LW_OK;
        }
    return LW_E_NOT_FOUND;
}
