/* SPDX-License-Identifier: MIT */
#include "codes.h"

uint64_t codes_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint64_t code_of(uint64_t sign, uint64_t field, uint64_t frac, const lw_format *f)
{
    const uint64_t most = (UINT64_C(1) << f->exp_bits) - 1;
    field = field > most ? most : field;
    return sign << (f->bits - 1) | field << f->frac_bits | (frac & ((UINT64_C(1) << f->frac_bits) - 1));
}

uint64_t codes_element(const lw_format *f, kind what, uint64_t *state)
{
    const uint64_t r = codes_next(state), sign = r & 1, low = r >> 16;
    const uint64_t top = (UINT64_C(1) << f->exp_bits) - 1;
    const uint64_t one = (uint64_t)(f->bias < 1 ? 1 : f->bias), spread = r >> 1 & 7;
    if (f->exp_bits == 0 || what == KIND_BITS)
        return f->bits == 64 ? codes_next(state) : codes_next(state) & ((UINT64_C(1) << f->bits) - 1);
    switch (what) {
    case KIND_FINITE:
        return code_of(sign, codes_next(state) % (top + (f->top == LW_TOP_NUMBER)), low, f);
    case KIND_NARROW:
        return code_of(sign, one + (spread & 1), low << (f->frac_bits - (f->frac_bits > 0)), f);
    case KIND_SPARSE:
        if (r >> 8 & 1)
            return code_of(f->top == LW_TOP_FNUZ ? 0 : sign, 0, 0, f);
        return r >> 9 & 1 ? code_of(sign, 0, low | 1, f) : code_of(sign, one, low, f);
    case KIND_LARGE:
        return code_of(sign, top - 1 - (spread == 7), low | (r >> 8 & 3 ? UINT64_MAX : 0), f);
    default:
        return code_of(sign, one > 4 ? one - spread % 5 + 1 : one, low, f);
    }
}

uint64_t codes_c(const lw_format *f, kind what, uint64_t *state)
{
    const uint64_t r = codes_next(state), one = (uint64_t)f->bias;
    if (f->exp_bits == 0)
        return what == KIND_LARGE ? 0x7fffffff - r % 100000 : r & 0xffffffff;
    if (f->exp_bits < 8)
        return codes_element(f, what, state);
    switch (what) {
    case KIND_FAR:
        return code_of(r & 1, one + (r >> 1 & 63), r >> 16, f);
    case KIND_TINY_C:
        return r & 2 ? code_of(r & 1, 0, r & 4 ? r >> 16 : 0, f)
                     : code_of(r & 1, one - 20 - (r >> 3) % 90, r >> 16, f);
    case KIND_LARGE:
        return code_of(r & 1, one + 20 + (r >> 1) % 20, r >> 16, f);
    case KIND_ONE_ODD:
        return code_of(r & 1, one, r >> 16, f);
    case KIND_NARROW:
        return code_of(r & 1, one + (r >> 1 & 3), r >> 3 & 1 ? 0 : r << (f->frac_bits - 2), f);
    default:
        return codes_element(f, what, state);
    }
}

uint64_t codes_moved(const lw_format *f, uint64_t code, int powers)
{
    const int most = (1 << f->exp_bits) - 2, field = (int)(code >> f->frac_bits) & (most | 1);
    const int to = field + powers;
    if (f->exp_bits != 8 || field == 0)
        return code;
    return code_of(code >> (f->bits - 1), (uint64_t)(to < 1 ? 1 : to > most ? most : to), code, f);
}

uint64_t codes_odd(const lw_format *f, uint64_t *state)
{
    const uint64_t ones = (UINT64_C(1) << (f->exp_bits + f->frac_bits)) - 1;
    if (f->top == LW_TOP_FNUZ)
        return ones + 1;
    return codes_next(state) & 1 ? ones : ones >> f->frac_bits << f->frac_bits;
}
