/* SPDX-License-Identifier: MIT */
#include "layouts/notation/fit.h"

/* One of the two coordinates of the elements. */
typedef struct numeral {
    const lw_fit *fit;
    uint32_t size, stride; /* how many there are; distance from one to the next in the table */
    bool is_lane;
} numeral;

static const uint32_t *look(const numeral *n, uint32_t at)
{
    return n->fit->at[(size_t)at * n->stride];
}

/* The digits along one input while the others are 0: each extends as long as the step stays the same. */
static bool find_digits(const numeral *n, lw_relation *r)
{
    const uint32_t *zero = look(n, 0);
    for (uint32_t step = 1; step < n->size;) {
        const uint32_t *first = look(n, step);
        uint32_t radix = 2;
        if (first[0] < zero[0] || first[1] < zero[1] || r->digits == LW_RELATION_MAX_DIGITS)
            return false;
        const uint32_t row = first[0] - zero[0], col = first[1] - zero[1];
        while ((uint64_t)radix * step < n->size && look(n, radix * step)[0] == zero[0] + radix * row &&
               look(n, radix * step)[1] == zero[1] + radix * col)
            radix++;
        while (radix > 1 && n->size % ((uint64_t)radix * step))
            radix--;
        if (radix == 1)
            return false;
        r->digit[r->digits++] = (lw_digit){ .radix = radix,
                                            .lane = n->is_lane ? step : 0,
                                            .bit = n->is_lane ? 0 : step,
                                            .row = row,
                                            .col = col };
        step *= radix;
    }
    return true;
}

static bool find_bases(const numeral *n, lw_relation *r)
{
    const uint32_t *zero = look(n, 0);
    if (!lw_is_power_of_two(n->size))
        return false;
    for (uint32_t bit = 1; bit < n->size; bit *= 2) {
        const uint32_t *at = look(n, bit);
        if (r->bases == LW_RELATION_MAX_BASES)
            return false;
        r->base[r->bases++] = (lw_pair){ .lane = n->is_lane ? bit : 0,
                                         .bit = n->is_lane ? 0 : bit,
                                         .row = at[0] ^ zero[0],
                                         .col = at[1] ^ zero[1] };
    }
    return true;
}

/* Whether every place is as the relation says. */
static bool holds(const lw_fit *fit, const lw_relation *r)
{
    const size_t count = (size_t)fit->lanes * fit->values;
    if (lw_relation_count(r) != count)
        return false;
    for (size_t n = 0; n < count; n++) {
        lw_pair p;
        lw_relation_pair(r, n, &p);
        const uint32_t *at = fit->at[(size_t)p.lane * fit->values + p.bit];
        if (at[0] != p.row || at[1] != p.col)
            return false;
    }
    return true;
}

bool lw_fit_relation(const lw_fit *fit, lw_relation *r)
{
    const numeral values = { fit, fit->values, 1, false }, lanes = { fit, fit->lanes, fit->values, true };
    *r = (lw_relation){ .pitch = 1, .width = 1, .lanes = fit->lanes, .bits = fit->values };
    r->origin = (lw_pair){ .row = fit->at[0][0], .col = fit->at[0][1] };
    if (find_digits(&values, r) && find_digits(&lanes, r) && holds(fit, r))
        return true;
    r->digits = 0;
    return find_bases(&values, r) && find_bases(&lanes, r) && holds(fit, r);
}
