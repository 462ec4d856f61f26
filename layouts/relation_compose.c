/* SPDX-License-Identifier: MIT */
/* New relations from old ones: swizzled places, and the path from one relation to another through the
 * elements. */
#include "isa_tables/error.h"
#include "layouts/relation.h"

typedef struct swizzle {
    uint32_t from; /* the bits to XOR into others */
    int shift;     /* downwards */
} swizzle;

static uint32_t swizzled(const swizzle *s, uint32_t x)
{
    return x ^ (s->shift >= 0 ? (x & s->from) >> s->shift : (x & s->from) << -s->shift);
}

/* Counts places in units: `pitch` becomes the unit, and `start` becomes part of the origin. */
static lw_status count_in(lw_relation *r, uint32_t unit, lw_error *error)
{
    const uint32_t factor = r->pitch / unit, constant = r->start / unit;
    uint32_t flips = 0;
    for (uint32_t i = 0; i < r->bases; i++)
        flips |= r->base[i].bit;
    if (r->pitch % unit || r->start % unit || (flips && (constant || !lw_is_power_of_two(factor))))
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "places %u bits apart, from bit %u on, are not counted in %u", r->pitch,
                             r->start, unit);
    for (uint32_t i = 0; i < r->digits; i++)
        r->digit[i].bit *= factor;
    for (uint32_t i = 0; i < r->bases; i++)
        r->base[i].bit *= factor;
    r->origin.bit = r->origin.bit * factor + constant;
    r->pitch = unit;
    r->start = 0;
    return LW_OK;
}

lw_status lw_relation_swizzle(const lw_relation *relation, uint32_t unit, unsigned bits, unsigned base,
                              int shift, lw_relation *result, lw_error *error)
{
    const int64_t far = shift < 0 ? -(int64_t)shift : shift;
    if (!result || !unit || !bits || bits > 31 || base > 31 || far < bits || far + base + bits > 32)
        return lw_error_fail(error, LW_E_ARGUMENT, "a swizzle <%u,%u,%d> of units of %u bits", bits, base,
                             shift, unit);
    const swizzle s = { ((UINT32_C(1) << bits) - 1) << (shift > 0 ? base + (unsigned)shift : base), shift };
    const uint32_t touched = swizzled(&s, s.from);
    lw_relation r;
    lw_status st = lw_relation_split(relation, &r, error);
    if (st == LW_OK)
        st = count_in(&r, unit, error);
    if (st != LW_OK)
        return st;
    const uint32_t odd = lw_digits_mask(r.digit, r.digits, LW_AXIS_BIT, 0);
    if (odd && (odd & (0 - odd)) <= touched)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "a digit of radix %u moves places among the bits that are "
                             "swizzled",
                             r.digit[0].radix);
    for (uint32_t i = 0; i < r.bases; i++)
        r.base[i].bit = swizzled(&s, r.base[i].bit);
    r.origin.bit = swizzled(&s, r.origin.bit);
    if ((st = lw_relation_check(&r, error)) != LW_OK)
        return st;
    return lw_relation_normalize(&r, result);
}

/* `to` without the digits that only copy: each element in one place. */
static void drop_copies(lw_relation *to, lw_relation *copies)
{
    uint32_t digits = 0, bases = 0;
    copies->digits = copies->bases = 0;
    for (uint32_t i = 0; i < to->digits; i++) {
        const lw_digit d = to->digit[i];
        if (d.row || d.col || d.k || d.block)
            to->digit[digits++] = d;
        else
            copies->digit[copies->digits++] = d;
    }
    for (uint32_t i = 0; i < to->bases; i++) {
        const lw_pair b = to->base[i];
        if (b.row || b.col || b.k || b.block)
            to->base[bases++] = b;
        else
            copies->base[copies->bases++] = b;
    }
    to->digits = digits;
    to->bases = bases;
}

/* The one place of the pair's element, as an element of the result. */
static lw_status place_in(const lw_relation *to, const lw_pair *pair, lw_pair *place, lw_error *error)
{
    size_t count = 0;
    lw_pair found;
    if (lw_relation_places(to, pair, &found, 1, &count) != LW_OK || count != 1)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "the element of row %u, col %u, k %u, block %u has %s place where it should go",
                             pair->row, pair->col, pair->k, pair->block, count ? "more than one" : "no");
    *place = (lw_pair){ .lane = pair->lane, .bit = pair->bit, .row = found.lane, .col = found.bit };
    return LW_OK;
}

/* Splits every radix into primes, the smallest first. */
static lw_status refine(const lw_relation *from, lw_relation *fine, lw_error *error)
{
    fine->digits = 0;
    for (uint32_t i = 0; i < from->digits; i++) {
        lw_vector stride = lw_digit_vector(&from->digit[i]);
        uint32_t rest = from->digit[i].radix;
        for (uint32_t p = 2; rest > 1; p += p == 2 ? 1 : 2) {
            if ((uint64_t)p * p > rest)
                p = rest;
            for (; rest % p == 0 && rest > 1; rest /= p) {
                if (fine->digits == LW_RELATION_MAX_DIGITS)
                    return lw_error_fail(error, LW_E_UNSUPPORTED, "more than %d digits would be needed",
                                         LW_RELATION_MAX_DIGITS);
                fine->digit[fine->digits++] = lw_vector_digit(p, &stride);
                for (unsigned axis = 0; axis < LW_AXES; axis++)
                    stride.on[axis] *= p;
            }
        }
    }
    return LW_OK;
}

/* How far one step of each digit and each base of `r` moves in `to`; these become the elements of `r`. */
static lw_status measure(lw_relation *r, const lw_relation *to, lw_error *error)
{
    lw_pair pair, first = { 0 }, step = { 0 };
    size_t weight = 1;
    lw_status st = lw_relation_pair(r, 0, &pair);
    if (st == LW_OK)
        st = place_in(to, &pair, &first, error);
    const lw_relation old = *r;
    for (uint32_t i = 0; st == LW_OK && i < r->digits + r->bases; i++) {
        lw_relation_pair(&old, weight, &pair);
        if ((st = place_in(to, &pair, &step, error)) != LW_OK)
            break;
        if (i < r->digits) {
            lw_digit *d = &r->digit[i];
            weight *= d->radix;
            if (step.row < first.row || step.col < first.col)
                return lw_error_fail(error, LW_E_UNSUPPORTED, "a step of a digit would move backwards");
            *d = (lw_digit){ d->radix, d->lane, d->bit, step.row - first.row, step.col - first.col, 0, 0 };
        } else {
            lw_pair *b = &r->base[i - r->digits];
            weight *= 2;
            *b = (lw_pair){ b->lane, b->bit, step.row ^ first.row, step.col ^ first.col, 0, 0 };
        }
    }
    if (st == LW_OK)
        r->origin = (lw_pair){ r->origin.lane, r->origin.bit, first.row, first.col, 0, 0 };
    return st;
}

static bool note(void *context, size_t n)
{
    (void)n;
    *(bool *)context = true;
    return false;
}

/* Whether every pair of the result agrees with the path through the element. */
static lw_status compare(const lw_relation *r, const lw_relation *from, const lw_relation *to,
                         lw_error *error)
{
    size_t pairs = 0, all = 0;
    lw_status st = lw_relation_pairs(from, &pairs);
    if (st == LW_OK)
        st = lw_relation_pairs(r, &all);
    for (size_t n = 0; st == LW_OK && n < all; n++) {
        lw_pair is, want;
        bool found = false;
        lw_relation_pair(from, n % pairs, &want);
        lw_relation_pair(r, n, &is);
        if (is.col >= to->start && (is.col - to->start) % to->pitch == 0) {
            want.lane = is.row;
            want.bit = (is.col - to->start) / to->pitch;
            const lw_vector at = lw_pair_vector(&want);
            lw_relation_search(to, (1u << LW_AXES) - 1, &at, note, &found);
        }
        if (!found)
            st = lw_error_fail(error, LW_E_UNSUPPORTED,
                               "lane %u bit %u does not go where the steps of its digits lead", is.lane,
                               is.bit);
    }
    return st;
}

/* Adds the digits of `to` that only copy: an element is then in several places. */
static lw_status add_copies(lw_relation *r, const lw_relation *copies, uint32_t pitch, lw_error *error)
{
    if (r->digits + copies->digits > LW_RELATION_MAX_DIGITS ||
        r->bases + copies->bases > LW_RELATION_MAX_BASES || (copies->digits && r->bases))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "more than %d digits would be needed",
                             LW_RELATION_MAX_DIGITS);
    for (uint32_t i = 0; i < copies->digits; i++) {
        const lw_digit d = copies->digit[i];
        r->digit[r->digits++] = (lw_digit){ .radix = d.radix, .row = d.lane, .col = d.bit * pitch };
    }
    for (uint32_t i = 0; i < copies->bases; i++)
        r->base[r->bases++] = (lw_pair){ .row = copies->base[i].lane, .col = copies->base[i].bit * pitch };
    return LW_OK;
}

/* `from` has its final digits and bases; only their strides in elements change. */
static lw_status compose(const lw_relation *from, const lw_relation *to, lw_relation *result, lw_error *error)
{
    lw_relation r = *from, once = *to, copies = { 0 };
    drop_copies(&once, &copies);
    lw_status st = measure(&r, &once, error);
    r.rows = to->lanes;
    r.cols = to->bits;
    r.ks = r.blocks = 1;
    if (st == LW_OK)
        st = add_copies(&r, &copies, to->pitch, error);
    if (st == LW_OK && lw_relation_check(&r, error) != LW_OK)
        st = LW_E_UNSUPPORTED;
    if (st == LW_OK)
        st = compare(&r, from, to, error);
    if (st == LW_OK)
        *result = r;
    return st;
}

lw_status lw_relation_compose(const lw_relation *from, const lw_relation *to, lw_relation *result,
                              lw_error *error)
{
    if (!result || !to)
        return lw_error_fail(error, LW_E_ARGUMENT, "lw_relation_compose needs two relations and a result");
    lw_relation a, b, fine, r;
    lw_status st = lw_relation_check(from, error);
    if (st == LW_OK)
        st = lw_relation_check(to, error);
    if (st != LW_OK)
        return st;
    lw_relation_normalize(from, &a);
    lw_relation_normalize(to, &b);

    lw_relation split_from, split_to;
    if (lw_relation_split(&a, &split_from, NULL) == LW_OK && !split_from.digits &&
        lw_relation_split(&b, &split_to, NULL) == LW_OK && !split_to.digits)
        st = compose(&split_from, &split_to, &r, error);
    else
        st = LW_E_UNSUPPORTED;
    if (st != LW_OK) {
        fine = a;
        st = refine(&a, &fine, error);
        if (st == LW_OK)
            st = compose(&fine, &b, &r, error);
    }
    if (st != LW_OK)
        return st;
    if (lw_relation_to_digits(&r, result, NULL) == LW_OK)
        return LW_OK;
    return lw_relation_normalize(&r, result);
}
