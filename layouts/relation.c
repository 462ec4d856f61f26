/* SPDX-License-Identifier: MIT */
/* Which relations are valid, and the pairs of a relation in order. */
#include "isa_tables/error.h"
#include "layouts/relation.h"

const char *lw_axis_name(unsigned axis)
{
    static const char *const names[LW_AXES] = { "bit", "lane", "row", "col", "k", "block" };
    return names[axis];
}

/* All bits up to the highest bit of n. */
static uint64_t fill_below(uint64_t n)
{
    for (unsigned shift = 1; shift < 64; shift *= 2)
        n |= n >> shift;
    return n;
}

/* Bits that the multiples of one digit can have. */
static uint64_t digit_mask(uint32_t radix, uint32_t stride)
{
    const uint64_t most = (uint64_t)(radix - 1) * stride;
    uint64_t bits = 0;
    for (uint64_t v = 1; v < radix; v *= 2) {
        if (bits & v * stride) /* carries: any bit from the lowest up */
            return fill_below(most) & ~(uint64_t)((stride & (0 - stride)) - 1);
        bits |= v * stride;
    }
    return bits;
}

uint32_t lw_digits_mask(const lw_digit *digit, unsigned count, unsigned axis, uint32_t start)
{
    uint64_t bits = start, most = start;
    bool carries = false;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t stride = lw_digit_vector(&digit[i]).on[axis];
        const uint64_t own = stride ? digit_mask(digit[i].radix, stride) : 0;
        carries = carries || (bits & own);
        bits |= own;
        most += (uint64_t)(digit[i].radix - 1) * stride;
    }
    if (carries)
        bits = fill_below(most) & ~((bits & (0 - bits)) - 1);
    return (uint32_t)bits;
}

/* One more than any coordinate on the axis; more than 2^32 where 32-bit numbers do not suffice. */
static uint64_t bound_on(const lw_relation *r, unsigned axis)
{
    uint64_t most = lw_pair_vector(&r->origin).on[axis];
    uint32_t flips = 0;
    for (uint32_t i = 0; i < r->digits; i++)
        most += (uint64_t)(r->digit[i].radix - 1) * lw_digit_vector(&r->digit[i]).on[axis];
    for (uint32_t i = 0; i < r->bases; i++)
        flips |= lw_pair_vector(&r->base[i]).on[axis];
    if (most > UINT32_MAX)
        return UINT64_C(1) << 33;
    const uint32_t bits =
        lw_digits_mask(r->digit, r->digits, axis, lw_pair_vector(&r->origin).on[axis]) | flips;
    return (most + flips < bits ? most + flips : bits) + 1;
}

static bool has_limits(const lw_relation *r)
{
    return r->lanes && r->pitch && r->width && r->bits && r->rows && r->cols && r->ks && r->blocks;
}

static lw_status check_places(const lw_relation *r, lw_error *error)
{
    const uint64_t lanes = bound_on(r, LW_AXIS_LANE), steps = bound_on(r, LW_AXIS_BIT);
    bool moved = false;
    for (uint32_t i = 0; i < r->bases; i++)
        moved = moved || r->base[i].lane;
    if (lanes > UINT64_C(1) << 32 || (lanes > r->lanes && moved && !lw_is_power_of_two(r->lanes)))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "a relation whose lanes reach past %u: with bases they need a power of two",
                             r->lanes - 1);
    /* each product below is of a 33-bit and a 32-bit number */
    if (steps > UINT64_C(1) << 32 || r->start + (steps - 1) * r->pitch + r->width > r->bits)
        return lw_error_fail(error, LW_E_ARGUMENT, "a relation with places past bit %u of a lane",
                             r->bits - 1);
    return LW_OK;
}

static lw_status check_elements(const lw_relation *r, lw_error *error)
{
    const uint32_t extents[LW_AXES] = { 0, 0, r->rows, r->cols, r->ks, r->blocks };
    for (unsigned axis = LW_AXIS_ROW; axis < LW_AXES; axis++) {
        if (bound_on(r, axis) > extents[axis])
            return lw_error_fail(error, LW_E_ARGUMENT, "a relation of elements past %s %u",
                                 lw_axis_name(axis), extents[axis] - 1);
    }
    return LW_OK;
}

uint64_t lw_relation_count(const lw_relation *r)
{
    uint64_t pairs = UINT64_C(1) << r->bases;
    for (uint32_t i = 0; i < r->digits && pairs <= LW_RELATION_MAX_PAIRS; i++)
        pairs *= r->digit[i].radix;
    return pairs;
}

lw_status lw_relation_check(const lw_relation *r, lw_error *error)
{
    if (!r)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_relation_check needs a relation");
    if (r->digits > LW_RELATION_MAX_DIGITS || r->bases > LW_RELATION_MAX_BASES)
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "a relation of %u digits and %u bases: %d and %d are the most", r->digits,
                             r->bases, LW_RELATION_MAX_DIGITS, LW_RELATION_MAX_BASES);
    if (!has_limits(r))
        return lw_error_fail(error, LW_E_ARGUMENT,
                             "lanes, bits, pitch, width and extents of a relation are at least 1");
    for (uint32_t i = 0; i < r->digits; i++)
        if (!r->digit[i].radix)
            return lw_error_fail(error, LW_E_ARGUMENT, "digit %u of a relation has radix 0", i);
    if (lw_relation_count(r) > LW_RELATION_MAX_PAIRS)
        return lw_error_fail(error, LW_E_ARGUMENT, "a relation of more than 2^%d pairs",
                             LW_RELATION_MAX_BASES);
    const lw_status st = check_places(r, error);
    return st == LW_OK ? check_elements(r, error) : st;
}

lw_status lw_relation_pairs(const lw_relation *relation, size_t *count)
{
    if (!count || lw_relation_check(relation, NULL) != LW_OK)
        return LW_E_ARGUMENT;
    *count = (size_t)lw_relation_count(relation);
    return LW_OK;
}

static void add(lw_pair *pair, const lw_digit *d, uint32_t times)
{
    pair->lane += d->lane * times;
    pair->bit += d->bit * times;
    pair->row += d->row * times;
    pair->col += d->col * times;
    pair->k += d->k * times;
    pair->block += d->block * times;
}

static void flip(lw_pair *pair, const lw_pair *base)
{
    pair->lane ^= base->lane;
    pair->bit ^= base->bit;
    pair->row ^= base->row;
    pair->col ^= base->col;
    pair->k ^= base->k;
    pair->block ^= base->block;
}

lw_status lw_relation_pair(const lw_relation *r, size_t n, lw_pair *pair)
{
    if (!r || !pair || !r->lanes || r->digits > LW_RELATION_MAX_DIGITS || r->bases > LW_RELATION_MAX_BASES)
        return LW_E_ARGUMENT;
    lw_pair p = r->origin;
    for (uint32_t i = 0; i < r->digits; i++) {
        if (!r->digit[i].radix)
            return LW_E_ARGUMENT;
        add(&p, &r->digit[i], (uint32_t)(n % r->digit[i].radix));
        n /= r->digit[i].radix;
    }
    if (n >> r->bases)
        return LW_E_ARGUMENT;
    for (uint32_t i = 0; i < r->bases; i++)
        if (n >> i & 1)
            flip(&p, &r->base[i]);
    p.lane %= r->lanes;
    p.bit = r->start + r->pitch * p.bit;
    *pair = p;
    return LW_OK;
}
