/* SPDX-License-Identifier: MIT */
/* What kind a number is, by its format. */
#include "observers/numerics.h"

unsigned lw_number_kind(uint64_t code, unsigned exponent, unsigned significand)
{
    const uint64_t fraction = code & ((UINT64_C(1) << significand) - 1);
    const uint64_t power = code >> significand & ((UINT64_C(1) << exponent) - 1);
    if (power == (UINT64_C(1) << exponent) - 1)
        return fraction ? LW_IS_NAN : LW_IS_INFINITY;
    return power ? LW_IS_NORMAL : fraction ? LW_IS_SUBNORMAL : LW_IS_ZERO;
}

/* OCP's formats of eight bits. Subnormal numbers are usual in them. */
static unsigned kind_of_byte(uint32_t code, uint32_t infinity)
{
    const uint32_t size = code & 0x7f;
    return size > infinity                        ? LW_IS_NAN
           : size == infinity && infinity != 0x7e ? LW_IS_INFINITY
           : size                                 ? LW_IS_NORMAL
                                                  : LW_IS_ZERO;
}

unsigned lw_number_kinds(lw_number format, uint32_t low, uint32_t high)
{
    switch (format) {
    case LW_NUMBER_E4M3X2:
        return kind_of_byte(low, 0x7e) | kind_of_byte(low >> 8, 0x7e);
    case LW_NUMBER_E5M2X2:
        return kind_of_byte(low, 0x7c) | kind_of_byte(low >> 8, 0x7c);
    case LW_NUMBER_E2M3X2:
    case LW_NUMBER_E3M2X2:
    case LW_NUMBER_E2M1X2:
        return LW_IS_NORMAL;
    case LW_NUMBER_F16:
        return lw_number_kind(low & 0xffff, 5, 10);
    case LW_NUMBER_BF16:
        return lw_number_kind(low & 0xffff, 8, 7);
    case LW_NUMBER_F32:
        return lw_number_kind(low, 8, 23);
    case LW_NUMBER_F64:
        return lw_number_kind((uint64_t)high << 32 | low, 11, 52);
    case LW_NUMBER_F16X2:
        return lw_number_kind(low & 0xffff, 5, 10) | lw_number_kind(low >> 16, 5, 10);
    case LW_NUMBER_BF16X2:
        return lw_number_kind(low & 0xffff, 8, 7) | lw_number_kind(low >> 16, 8, 7);
    case LW_NUMBER_F32X2:
        return lw_number_kind(low, 8, 23) | lw_number_kind(high, 8, 23);
    case LW_NUMBER_NONE: /* and those that numerics_narrow.c knows */
    case LW_NUMBER_E4M3:
    case LW_NUMBER_E4M3_FNUZ:
    case LW_NUMBER_E5M2:
    case LW_NUMBER_E5M2_FNUZ:
    case LW_NUMBER_E2M3:
    case LW_NUMBER_E3M2:
    case LW_NUMBER_E2M1:
        break;
    }
    return 0;
}

uint32_t lw_number_magnitude(lw_number format, uint32_t word)
{
    const uint32_t size = word & 0x7fff;
    switch (format) {
    case LW_NUMBER_F32:
        return (word & 0x7fffffff) < 0x7f800000 ? word & 0x7fffffff : 0;
    case LW_NUMBER_BF16:
    case LW_NUMBER_BF16X2:
        return size < 0x7f80 ? size << 16 : 0;
    case LW_NUMBER_F16:
    case LW_NUMBER_F16X2:
        return size >= 0x400 && size < 0x7c00 ? (size << 13) + (112u << 23) : 0;
    default:
        return 0;
    }
}
