/* SPDX-License-Identifier: MIT */
/* Normal forms: joined digits, reduced bases, and conversion between digits and bases. */
#include "isa_tables/error.h"
#include "layouts/relation.h"

enum { MOST = LW_RELATION_MAX_DIGITS + LW_RELATION_MAX_BASES };

static uint32_t gcd(uint32_t a, uint32_t b)
{
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Moves the greatest common step of all places into `pitch`, and the constant into `start`. */
static void set_pitch(lw_relation *r)
{
    uint32_t step = 0, flips = 0;
    for (uint32_t i = 0; i < r->digits; i++)
        step = gcd(step, r->digit[i].bit);
    for (uint32_t i = 0; i < r->bases; i++)
        flips |= r->base[i].bit;
    if (flips) /* XOR and a factor commute if the factor is a power of two */
        step = gcd(step, flips & (0 - flips));
    const uint32_t constant = flips ? r->origin.bit & (step - 1) : r->origin.bit;
    r->start += r->pitch * constant;
    r->origin.bit -= constant;
    if (!step) {
        r->pitch = 1;
        return;
    }
    r->pitch *= step;
    r->origin.bit /= step;
    for (uint32_t i = 0; i < r->digits; i++)
        r->digit[i].bit /= step;
    for (uint32_t i = 0; i < r->bases; i++)
        r->base[i].bit /= step;
}

/* Reduces lanes that wrap around. */
static void wrap_lanes(lw_relation *r)
{
    bool moved = false;
    for (uint32_t i = 0; i < r->bases; i++)
        moved = moved || r->base[i].lane;
    if (moved && !lw_is_power_of_two(r->lanes))
        return; /* then nothing wraps around */
    r->origin.lane %= r->lanes;
    for (uint32_t i = 0; i < r->digits; i++)
        r->digit[i].lane %= r->lanes;
    for (uint32_t i = 0; i < r->bases; i++)
        r->base[i].lane %= r->lanes;
}

static bool is_zero(const lw_vector *v)
{
    uint32_t any = 0;
    for (unsigned axis = 0; axis < LW_AXES; axis++)
        any |= v->on[axis];
    return !any;
}

/* Whether digit b continues digit a. */
static bool continues(const lw_digit *a, const lw_digit *b)
{
    const lw_vector from = lw_digit_vector(a), on = lw_digit_vector(b);
    for (unsigned axis = 0; axis < LW_AXES; axis++)
        if ((uint64_t)from.on[axis] * a->radix != on.on[axis])
            return false;
    return true;
}

/* In the order of the normal form. */
static bool is_before(const lw_digit *a, const lw_digit *b)
{
    const lw_vector x = lw_digit_vector(a), y = lw_digit_vector(b);
    for (unsigned axis = 0; axis < LW_AXES; axis++)
        if (x.on[axis] != y.on[axis])
            return x.on[axis] && (!y.on[axis] || x.on[axis] < y.on[axis]);
    return a->radix < b->radix;
}

/* Joins the first two digits that can be joined, and moves the last digit to the free place. */
static bool join_two(lw_digit *digit, unsigned count)
{
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = 0; b < count; b++)
            if (a != b && continues(&digit[a], &digit[b])) {
                digit[a].radix *= digit[b].radix;
                digit[b] = digit[count - 1];
                return true;
            }
    return false;
}

/* Joins, drops and sorts digits in place; returns how many are left. */
static unsigned tidy(lw_digit *digit, unsigned count)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        const lw_vector stride = lw_digit_vector(&digit[i]);
        if (digit[i].radix > 1 && !is_zero(&stride))
            digit[kept++] = digit[i];
    }
    while (join_two(digit, kept))
        kept--;
    for (unsigned i = 1; i < kept; i++)
        for (unsigned at = i; at > 0 && is_before(&digit[at], &digit[at - 1]); at--) {
            const lw_digit swap = digit[at];
            digit[at] = digit[at - 1];
            digit[at - 1] = swap;
        }
    return kept;
}

/* The axis and the bit that only this base has. */
typedef struct pivot {
    unsigned axis;
    uint32_t bit;
} pivot;

static pivot pivot_of(const lw_vector *v)
{
    unsigned axis = 0;
    while (!v->on[axis])
        axis++;
    return (pivot){ axis, v->on[axis] & (0 - v->on[axis]) };
}

static bool has(const lw_vector *v, pivot p)
{
    return v->on[p.axis] & p.bit;
}

static void flip(lw_vector *v, const lw_vector *by)
{
    for (unsigned axis = 0; axis < LW_AXES; axis++)
        v->on[axis] ^= by->on[axis];
}

/* Bases in reduced echelon form; the origin, if no digit is added to it, has no pivot bit. */
static void reduce_bases(lw_relation *r)
{
    lw_vector form[LW_RELATION_MAX_BASES];
    unsigned count = 0;
    for (uint32_t i = 0; i < r->bases; i++) {
        lw_vector v = lw_pair_vector(&r->base[i]);
        for (unsigned p = 0; p < count; p++)
            if (has(&v, pivot_of(&form[p])))
                flip(&v, &form[p]);
        if (is_zero(&v))
            continue;
        const pivot own = pivot_of(&v);
        for (unsigned p = 0; p < count; p++)
            if (has(&form[p], own))
                flip(&form[p], &v);
        unsigned at = count++;
        for (; at > 0; at--) {
            const pivot before = pivot_of(&form[at - 1]);
            if (before.axis < own.axis || (before.axis == own.axis && before.bit < own.bit))
                break;
            form[at] = form[at - 1];
        }
        form[at] = v;
    }
    lw_vector origin = lw_pair_vector(&r->origin);
    r->bases = count;
    for (unsigned p = 0; p < count; p++) {
        r->base[p] = lw_vector_pair(&form[p]);
        if (!r->digits && has(&origin, pivot_of(&form[p])))
            flip(&origin, &form[p]);
    }
    r->origin = lw_vector_pair(&origin);
}

/* Stores digits in their normal form in a relation. LW_E_UNSUPPORTED if there are too many. */
static lw_status set_digits(lw_relation *r, lw_digit *digit, unsigned count, lw_error *error)
{
    count = tidy(digit, count);
    if (count > LW_RELATION_MAX_DIGITS)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%u digits would be needed; a relation has at most %d",
                             count, LW_RELATION_MAX_DIGITS);
    r->digits = count;
    for (unsigned i = 0; i < LW_RELATION_MAX_DIGITS; i++)
        r->digit[i] = i < count ? digit[i] : (lw_digit){ 0 };
    return LW_OK;
}

static void normalize(lw_relation *r)
{
    wrap_lanes(r);
    r->digits = tidy(r->digit, r->digits);
    reduce_bases(r);
    set_pitch(r);
    for (unsigned i = r->digits; i < LW_RELATION_MAX_DIGITS; i++)
        r->digit[i] = (lw_digit){ 0 };
    for (unsigned i = r->bases; i < LW_RELATION_MAX_BASES; i++)
        r->base[i] = (lw_pair){ 0 };
}

lw_status lw_relation_normalize(const lw_relation *relation, lw_relation *result)
{
    if (!result || lw_relation_check(relation, NULL) != LW_OK)
        return LW_E_ARGUMENT;
    lw_relation r = *relation;
    normalize(&r);
    *result = r;
    return LW_OK;
}

/*
 * The bits of an axis that may be used at most once for a sum to be an XOR: where lanes wrap around, a carry
 * out of the highest bit is lost.
 */
static uint32_t carrying(const lw_relation *r, unsigned axis)
{
    return axis == LW_AXIS_LANE && lw_is_power_of_two(r->lanes) ? (r->lanes - 1) >> 1 : UINT32_MAX;
}

/* Whether lanes past the last wrap around in a way that no XOR expresses. */
static bool wraps_oddly(const lw_relation *r)
{
    uint64_t most = r->origin.lane;
    for (uint32_t i = 0; i < r->digits; i++)
        most += (uint64_t)(r->digit[i].radix - 1) * r->digit[i].lane;
    return most >= r->lanes && !lw_is_power_of_two(r->lanes);
}

/* Appends the bases of a digit's powers of two, and leaves the odd rest in the digit. */
static void move_powers(lw_relation *r, lw_digit *d)
{
    lw_vector stride = lw_digit_vector(d);
    uint32_t radix = d->radix;
    for (; radix % 2 == 0; radix /= 2) {
        r->base[r->bases++] = lw_vector_pair(&stride);
        for (unsigned axis = 0; axis < LW_AXES; axis++)
            stride.on[axis] *= 2;
        if (lw_is_power_of_two(r->lanes))
            stride.on[LW_AXIS_LANE] &= r->lanes - 1;
    }
    *d = lw_vector_digit(radix, &stride);
}

/* Whether a base from number `first` on shares a bit with another, or with sums of the digits. */
static lw_status find_carry(const lw_relation *r, uint32_t first, lw_error *error)
{
    const lw_vector origin = lw_pair_vector(&r->origin);
    for (unsigned axis = 0; axis < LW_AXES; axis++) {
        uint32_t used = lw_digits_mask(r->digit, r->digits, axis, origin.on[axis]);
        for (uint32_t i = first; i < r->bases; i++) {
            const uint32_t bits = lw_pair_vector(&r->base[i]).on[axis];
            if (used & bits & carrying(r, axis))
                return lw_error_fail(
                    error, LW_E_UNSUPPORTED,
                    "two digits or bases move %s by 0x%x alike, so a sum would carry and an XOR "
                    "would not",
                    lw_axis_name(axis), used & bits);
            used |= bits;
        }
    }
    return LW_OK;
}

lw_status lw_relation_split(const lw_relation *relation, lw_relation *result, lw_error *error)
{
    lw_status st = lw_relation_check(relation, error);
    if (st != LW_OK || !result)
        return LW_E_ARGUMENT;
    lw_relation r = *relation;
    normalize(&r);
    if (wraps_oddly(&r))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "lanes wrap around at %u, which no XOR can express",
                             r.lanes);
    const uint32_t first = r.bases;
    for (uint32_t i = 0; i < r.digits; i++)
        move_powers(&r, &r.digit[i]);
    r.digits = tidy(r.digit, r.digits);
    st = find_carry(&r, first, error);
    if (st != LW_OK)
        return st;
    normalize(&r);
    *result = r;
    return LW_OK;
}

lw_status lw_relation_to_bases(const lw_relation *relation, lw_relation *result, lw_error *error)
{
    lw_relation r;
    if (!result)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_relation_to_bases needs a result");
    const lw_status st = lw_relation_split(relation, &r, error);
    if (st != LW_OK)
        return st;
    if (r.digits)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "a digit counts to %u times a power of two; bases need powers "
                             "of two",
                             r.digit[0].radix);
    *result = r;
    return LW_OK;
}

lw_status lw_relation_to_digits(const lw_relation *relation, lw_relation *result, lw_error *error)
{
    lw_status st = lw_relation_check(relation, error);
    if (st != LW_OK || !result)
        return LW_E_ARGUMENT;
    lw_relation r = *relation;
    normalize(&r);
    if ((st = find_carry(&r, 0, error)) != LW_OK)
        return st;
    lw_digit digit[MOST];
    unsigned count = 0;
    for (; count < r.digits; count++)
        digit[count] = r.digit[count];
    for (uint32_t i = 0; i < r.bases; i++) {
        const lw_vector v = lw_pair_vector(&r.base[i]);
        digit[count++] = lw_vector_digit(2, &v);
        r.base[i] = (lw_pair){ 0 };
    }
    r.bases = 0;
    if ((st = set_digits(&r, digit, count, error)) != LW_OK)
        return st;
    normalize(&r);
    *result = r;
    return LW_OK;
}
