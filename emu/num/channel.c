/* SPDX-License-Identifier: MIT */
#include "emu/num/channel.h"

#include "emu/num/fp.h"

/* No subnormal is flushed, whatever MODE says. */
static const lw_fp_env nearest = { .round = LW_FP_RNE, .keep_in = true, .keep_out = true };
static const lw_fp_env towards_zero = { .round = LW_FP_ZERO, .keep_in = true, .keep_out = true };

enum { SMALL_EXP_BITS = 5, SMALL_BIAS = 15, SMALL_MAX = 31 };

static uint32_t ones(unsigned bits)
{
    return bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX;
}

static int32_t sign_extend(uint32_t bits, unsigned width)
{
    const uint32_t sign = UINT32_C(1) << (width - 1);
    return (int32_t)((bits ^ sign) - sign);
}

static uint32_t f32_of_number(const lw_fp_num *v)
{
    return (uint32_t)lw_fp_pack(&lw_fp_f32, &nearest, v);
}

/* magnitude / steps, magnitude at most steps and steps below 2^16. The quotient has more bits than an f32;
 * its lowest bit stands for the rest. */
static uint32_t quotient(bool neg, uint32_t magnitude, uint32_t steps)
{
    enum { SHIFT = 46 };
    if (magnitude == 0)
        return 0;
    const uint64_t dividend = (uint64_t)magnitude << SHIFT, q = dividend / steps;
    const lw_fp_num v = lw_fp_from_int(neg, q << 1 | (dividend % steps != 0), -SHIFT - 1);
    return f32_of_number(&v);
}

static uint32_t unpack_snorm(uint32_t bits, unsigned width)
{
    const int32_t n = sign_extend(bits, width);
    const uint32_t steps = ones(width - 1), magnitude = (uint32_t)(n < 0 ? -n : n);
    return quotient(n < 0, magnitude < steps ? magnitude : steps, steps);
}

static uint32_t unpack_scaled(uint32_t bits, unsigned width, bool is_signed)
{
    const int32_t n = is_signed ? sign_extend(bits, width) : (int32_t)bits;
    return (uint32_t)lw_fp_from_u64(&lw_fp_f32, &nearest, n < 0, (uint64_t)(n < 0 ? -n : n));
}

/* 5 bits of exponent, the rest fraction, no sign. */
static uint32_t unpack_small(uint32_t bits, unsigned width)
{
    const unsigned frac_bits = width - SMALL_EXP_BITS;
    const uint32_t exp = bits >> frac_bits, frac = bits & ones(frac_bits);
    if (exp == SMALL_MAX)
        return (uint32_t)lw_fp_inf(&lw_fp_f32) | frac << (lw_fp_f32.frac_bits - frac_bits);
    if (bits == 0)
        return 0;
    const uint32_t mantissa = frac | (exp ? UINT32_C(1) << frac_bits : 0);
    const lw_fp_num v = lw_fp_from_int(false, mantissa, (exp ? (int)exp : 1) - SMALL_BIAS - (int)frac_bits);
    return f32_of_number(&v);
}

static uint32_t unpack_float(uint32_t bits, unsigned width)
{
    if (width == 32)
        return bits;
    if (width == 16)
        return (uint32_t)lw_fp_convert(&lw_fp_f16, &nearest, &lw_fp_f32, &nearest, bits);
    return unpack_small(bits, width);
}

uint32_t lw_channel_unpack(lw_channel_number number, unsigned width, uint32_t bits)
{
    bits &= ones(width);
    switch (number) {
    case LW_CHANNEL_UNORM:
        return quotient(false, bits, ones(width));
    case LW_CHANNEL_SNORM:
        return unpack_snorm(bits, width);
    case LW_CHANNEL_USCALED:
    case LW_CHANNEL_SSCALED:
        return unpack_scaled(bits, width, number == LW_CHANNEL_SSCALED);
    case LW_CHANNEL_SINT:
        return (uint32_t)sign_extend(bits, width);
    case LW_CHANNEL_FLOAT:
        return unpack_float(bits, width);
    case LW_CHANNEL_UINT:
    case LW_CHANNEL_RESERVED_6:
        break;
    }
    return bits;
}

static uint32_t pack_small(uint32_t value, unsigned width)
{
    const unsigned frac_bits = width - SMALL_EXP_BITS;
    const uint32_t inf = (uint32_t)SMALL_MAX << frac_bits;
    const lw_format small = { .exp_bits = SMALL_EXP_BITS,
                              .frac_bits = (uint8_t)frac_bits,
                              .bias = SMALL_BIAS };
    if (lw_fp_is_nan(&lw_fp_f32, value))
        return inf | UINT32_C(1) << (frac_bits - 1);
    if (lw_fp_neg(&lw_fp_f32, value) || lw_fp_is_zero(&lw_fp_f32, value))
        return 0;
    if (lw_fp_is_inf(&lw_fp_f32, value))
        return inf;
    const lw_fp_num v = lw_fp_unpack(&lw_fp_f32, value);
    const uint64_t code = lw_fp_round_code(&small, LW_FP_RNE, &v);
    return code < inf ? (uint32_t)code : inf - 1;
}

static uint32_t pack_float(uint32_t value, unsigned width)
{
    if (width == 32)
        return value;
    if (width == 16)
        return (uint32_t)lw_fp_convert(&lw_fp_f32, &nearest, &lw_fp_f16, &nearest, value);
    return pack_small(value, width);
}

static uint32_t pack_number(lw_channel_number number, unsigned width, uint32_t value)
{
    switch (number) {
    case LW_CHANNEL_UNORM:
        return (uint32_t)lw_fp_to_norm(&lw_fp_f32, &nearest, ones(width), false, value);
    case LW_CHANNEL_SNORM:
        return (uint32_t)lw_fp_to_norm(&lw_fp_f32, &nearest, ones(width - 1), true, value);
    case LW_CHANNEL_USCALED:
        return lw_fp_to_uint(&lw_fp_f32, &nearest, LW_FP_ZERO, width, value);
    case LW_CHANNEL_SSCALED:
        return (uint32_t)lw_fp_to_int(&lw_fp_f32, &nearest, LW_FP_ZERO, width, value);
    case LW_CHANNEL_FLOAT:
        return pack_float(value, width);
    case LW_CHANNEL_UINT:
    case LW_CHANNEL_SINT:
    case LW_CHANNEL_RESERVED_6:
        break;
    }
    return value;
}

uint32_t lw_channel_pack(lw_channel_number number, unsigned width, uint32_t value)
{
    return pack_number(number, width, value) & ones(width);
}

uint32_t lw_channel_to_half(lw_channel_number number, unsigned width, uint32_t value)
{
    if (lw_channel_is_integer(number))
        return value & 0xffff;
    const lw_fp_env *to = number == LW_CHANNEL_FLOAT && width == 32 ? &towards_zero : &nearest;
    return (uint32_t)lw_fp_convert(&lw_fp_f32, &nearest, &lw_fp_f16, to, value);
}

uint32_t lw_channel_of_half(lw_channel_number number, uint32_t half)
{
    if (lw_channel_is_integer(number))
        return number == LW_CHANNEL_SINT ? (uint32_t)sign_extend(half & 0xffff, 16) : half & 0xffff;
    return (uint32_t)lw_fp_convert(&lw_fp_f16, &nearest, &lw_fp_f32, &nearest, half & 0xffff);
}
