/* SPDX-License-Identifier: MIT */
/* Looking up pairs by place or by element, and comparing two relations. */
#include <string.h>

#include "layouts/relation.h"

/* A combination of bases, and its effect on the axes of the query. */
typedef struct combination {
    lw_vector sum;
    uint32_t taken;
} combination;

typedef struct search {
    const lw_relation *relation;
    unsigned axes;
    lw_vector want;
    bool lanes_wrap;                             /* some lane wraps around */
    lw_vector flips;                             /* bits that bases can change */
    uint8_t order[LW_RELATION_MAX_DIGITS];       /* digits by decreasing stride */
    size_t weight[LW_RELATION_MAX_DIGITS + 1];   /* of a digit's value in a pair's number; last: of bases */
    lw_vector reach[LW_RELATION_MAX_DIGITS + 1]; /* what the digits from here on in `order` can add */
    combination pivot[LW_RELATION_MAX_BASES];    /* echelon form of the bases on the axes */
    combination silent[LW_RELATION_MAX_BASES];   /* combinations that change nothing on them */
    unsigned pivots, silents;
    lw_relation_found *found;
    void *context;
    bool stopped;
} search;

static bool asks(const search *s, unsigned axis)
{
    return s->axes >> axis & 1;
}

/* Whether the sums of an axis must be exact while digits are chosen: lanes that wrap around are compared at
 * the end. */
static bool prunes(const search *s, unsigned axis)
{
    return asks(s, axis) && !(axis == LW_AXIS_LANE && s->lanes_wrap);
}

static lw_vector on_axes(const search *s, lw_vector v)
{
    for (unsigned axis = 0; axis < LW_AXES; axis++)
        if (!asks(s, axis))
            v.on[axis] = 0;
    if (lw_is_power_of_two(s->relation->lanes))
        v.on[LW_AXIS_LANE] &= s->relation->lanes - 1;
    return v;
}

static void flip(combination *c, const combination *by)
{
    for (unsigned axis = 0; axis < LW_AXES; axis++)
        c->sum.on[axis] ^= by->sum.on[axis];
    c->taken ^= by->taken;
}

/* The first axis that is not zero; LW_AXES if all are. */
static unsigned first_axis(const lw_vector *v)
{
    unsigned axis = 0;
    while (axis < LW_AXES && !v->on[axis])
        axis++;
    return axis;
}

/* Reduces by all pivots: a vector that has the lowest bit of a pivot set loses it. */
static void reduce(const search *s, combination *c)
{
    for (unsigned i = 0; i < s->pivots; i++) {
        const unsigned axis = first_axis(&s->pivot[i].sum);
        const uint32_t bits = s->pivot[i].sum.on[axis];
        if (c->sum.on[axis] & bits & (0 - bits))
            flip(c, &s->pivot[i]);
    }
}

static void prepare_bases(search *s)
{
    for (uint32_t b = 0; b < s->relation->bases; b++) {
        combination c = { on_axes(s, lw_pair_vector(&s->relation->base[b])), UINT32_C(1) << b };
        for (unsigned axis = 0; axis < LW_AXES; axis++)
            s->flips.on[axis] |= c.sum.on[axis];
        reduce(s, &c);
        if (first_axis(&c.sum) == LW_AXES)
            s->silent[s->silents++] = c;
        else
            s->pivot[s->pivots++] = c;
    }
}

static uint64_t size_of(const search *s, unsigned digit)
{
    const lw_vector stride = lw_digit_vector(&s->relation->digit[digit]);
    uint64_t sum = 0;
    for (unsigned axis = 0; axis < LW_AXES; axis++)
        sum += prunes(s, axis) ? stride.on[axis] : 0;
    return sum;
}

static void prepare_digits(search *s)
{
    const lw_relation *r = s->relation;
    size_t weight = 1;
    uint64_t lanes = r->origin.lane;
    for (uint32_t i = 0; i < r->digits; i++) {
        s->weight[i] = weight;
        weight *= r->digit[i].radix;
        lanes += (uint64_t)(r->digit[i].radix - 1) * r->digit[i].lane;
    }
    s->weight[r->digits] = weight;
    s->lanes_wrap = lanes >= r->lanes;

    for (unsigned i = 0; i < r->digits; i++) {
        unsigned at = i;
        for (; at > 0 && size_of(s, s->order[at - 1]) < size_of(s, i); at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = (uint8_t)i;
    }
    for (unsigned i = r->digits; i-- > 0;) {
        const lw_digit *d = &r->digit[s->order[i]];
        const lw_vector stride = lw_digit_vector(d);
        for (unsigned axis = 0; axis < LW_AXES; axis++)
            s->reach[i].on[axis] = s->reach[i + 1].on[axis] + (d->radix - 1) * stride.on[axis];
    }
}

/* All digits are chosen: the bases have to supply the difference. */
static void finish(search *s, const lw_vector *sum, size_t n)
{
    combination c = { { { 0 } }, 0 };
    for (unsigned axis = 0; axis < LW_AXES; axis++) {
        uint32_t is = sum->on[axis];
        if (axis == LW_AXIS_LANE && s->lanes_wrap)
            is %= s->relation->lanes;
        c.sum.on[axis] = asks(s, axis) ? is ^ s->want.on[axis] : 0;
    }
    reduce(s, &c);
    if (first_axis(&c.sum) != LW_AXES)
        return;
    for (size_t choice = 0; !(choice >> s->silents) && !s->stopped; choice++) {
        uint32_t taken = c.taken;
        for (unsigned i = 0; i < s->silents; i++)
            taken ^= choice >> i & 1 ? s->silent[i].taken : 0;
        s->stopped = !s->found(s->context, n + s->weight[s->relation->digits] * taken);
    }
}

/* The values of a digit that can still reach the query, first..last; none if first > last. */
static void range_of(const search *s, unsigned at, const lw_vector *sum, uint64_t *first, uint64_t *last)
{
    const lw_digit *d = &s->relation->digit[s->order[at]];
    const lw_vector stride = lw_digit_vector(d);
    *first = 0;
    *last = d->radix - 1;
    for (unsigned axis = 0; axis < LW_AXES; axis++) {
        if (!prunes(s, axis))
            continue;
        const uint64_t low = s->want.on[axis] & ~s->flips.on[axis],
                       high = s->want.on[axis] | s->flips.on[axis];
        const uint64_t now = sum->on[axis], rest = s->reach[at + 1].on[axis], step = stride.on[axis];
        if (now > high || now + rest + step * *last < low) {
            *first = *last + 1;
            return;
        }
        if (!step)
            continue;
        const uint64_t least = now + rest >= low ? 0 : (low - now - rest + step - 1) / step;
        const uint64_t most = (high - now) / step;
        *first = least > *first ? least : *first;
        *last = most < *last ? most : *last;
        if (*first > *last)
            return;
    }
}

static void choose(search *s, unsigned at, const lw_vector *sum, size_t n)
{
    if (at == s->relation->digits) {
        finish(s, sum, n);
        return;
    }
    const unsigned digit = s->order[at];
    const lw_vector stride = lw_digit_vector(&s->relation->digit[digit]);
    uint64_t first, last;
    range_of(s, at, sum, &first, &last);
    for (uint64_t v = first; v <= last && !s->stopped; v++) {
        lw_vector next = *sum;
        for (unsigned axis = 0; axis < LW_AXES; axis++)
            next.on[axis] += (uint32_t)v * stride.on[axis];
        choose(s, at + 1, &next, n + s->weight[digit] * (size_t)v);
    }
}

void lw_relation_search(const lw_relation *relation, unsigned axes, const lw_vector *want,
                        lw_relation_found *found, void *context)
{
    search s = { .relation = relation, .axes = axes, .want = *want, .found = found, .context = context };
    prepare_digits(&s);
    prepare_bases(&s);
    const lw_vector origin = lw_pair_vector(&relation->origin);
    choose(&s, 0, &origin, 0);
}

typedef struct list {
    const lw_relation *relation;
    lw_pair *pairs;
    size_t capacity, count;
} list;

static bool append(void *context, size_t n)
{
    list *l = context;
    if (l->count < l->capacity)
        lw_relation_pair(l->relation, n, &l->pairs[l->count]);
    l->count++;
    return true;
}

lw_status lw_relation_elements(const lw_relation *relation, uint32_t lane, uint32_t bit, lw_pair *pairs,
                               size_t capacity, size_t *count)
{
    if (!count || (!pairs && capacity) || lw_relation_check(relation, NULL) != LW_OK ||
        lane >= relation->lanes || bit >= relation->bits)
        return LW_E_ARGUMENT;
    list l = { relation, pairs, capacity, 0 };
    if (bit >= relation->start && (bit - relation->start) % relation->pitch == 0) {
        lw_vector want = { { 0 } };
        want.on[LW_AXIS_LANE] = lane;
        want.on[LW_AXIS_BIT] = (bit - relation->start) / relation->pitch;
        lw_relation_search(relation, 1u << LW_AXIS_LANE | 1u << LW_AXIS_BIT, &want, append, &l);
    }
    *count = l.count;
    return LW_OK;
}

enum { ELEMENT_AXES = 1 << LW_AXIS_ROW | 1 << LW_AXIS_COL | 1 << LW_AXIS_K | 1 << LW_AXIS_BLOCK };

lw_status lw_relation_places(const lw_relation *relation, const lw_pair *element, lw_pair *pairs,
                             size_t capacity, size_t *count)
{
    if (!count || !element || (!pairs && capacity) || lw_relation_check(relation, NULL) != LW_OK ||
        element->row >= relation->rows || element->col >= relation->cols || element->k >= relation->ks ||
        element->block >= relation->blocks)
        return LW_E_ARGUMENT;
    list l = { relation, pairs, capacity, 0 };
    const lw_vector want = lw_pair_vector(element);
    lw_relation_search(relation, ELEMENT_AXES, &want, append, &l);
    *count = l.count;
    return LW_OK;
}

static bool note(void *context, size_t n)
{
    (void)n;
    *(bool *)context = true;
    return false;
}

/* Whether `in` has every pair of `of`. */
static bool contains(const lw_relation *in, const lw_relation *of)
{
    size_t pairs = 0;
    if (lw_relation_pairs(of, &pairs) != LW_OK)
        return false;
    for (size_t n = 0; n < pairs; n++) {
        lw_pair p;
        bool found = false;
        lw_relation_pair(of, n, &p);
        if (p.bit >= in->start && (p.bit - in->start) % in->pitch == 0) {
            p.bit = (p.bit - in->start) / in->pitch;
            const lw_vector want = lw_pair_vector(&p);
            lw_relation_search(in, (1u << LW_AXES) - 1, &want, note, &found);
        }
        if (!found)
            return false;
    }
    return true;
}

static bool is_same_form(const lw_relation *a, const lw_relation *b)
{
    return a->digits == b->digits && a->bases == b->bases && a->pitch == b->pitch && a->start == b->start &&
           memcmp(&a->origin, &b->origin, sizeof(a->origin)) == 0 &&
           memcmp(a->digit, b->digit, a->digits * sizeof(*a->digit)) == 0 &&
           memcmp(a->base, b->base, a->bases * sizeof(*a->base)) == 0;
}

lw_status lw_relation_equal(const lw_relation *a, const lw_relation *b, bool *equal)
{
    lw_relation x, y;
    if (!equal || lw_relation_normalize(a, &x) != LW_OK || lw_relation_normalize(b, &y) != LW_OK)
        return LW_E_ARGUMENT;
    if (x.width != y.width || x.lanes != y.lanes) {
        *equal = false;
        return LW_OK;
    }
    if (is_same_form(&x, &y) || (lw_relation_to_bases(&x, &x, NULL) == LW_OK &&
                                 lw_relation_to_bases(&y, &y, NULL) == LW_OK && is_same_form(&x, &y))) {
        *equal = true;
        return LW_OK;
    }
    *equal = contains(a, b) && contains(b, a);
    return LW_OK;
}
