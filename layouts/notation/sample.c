/* SPDX-License-Identifier: MIT */
/* A look at a few lanes, which tells most texts that do not fit an operand. */
#include <stdlib.h>

#include "layouts/notation/sides.h"

enum { SAMPLES = 3 };

/* Lanes 0 and 1 and the last one. */
static uint32_t sample(const lw_tv *tv, unsigned n)
{
    return n < SAMPLES - 1 ? n : tv->r.lanes - 1;
}

bool lw_reader_skips(const lw_reader *r, uint32_t lane)
{
    for (unsigned n = 0; r->sampled && n < SAMPLES; n++)
        if (lane == sample(r->tv, n))
            return false;
    return r->sampled;
}

static bool append(void *context, size_t n)
{
    lw_sides *s = context;
    lw_pair *p = &s->own[s->owns++];
    lw_relation_pair(&s->tv->r, n, p);
    p->bit = (p->bit - s->tv->r.start) / s->tv->r.pitch;
    return true;
}

/* Room for every pair: a lane of an operand may hold all of its elements. */
static bool list_own(lw_sides *s)
{
    const lw_relation *r = &s->tv->r;
    s->own = malloc((size_t)(lw_relation_count(r) + 1) * sizeof(*s->own));
    for (unsigned n = 0; s->own && n < SAMPLES; n++) {
        lw_vector want = { { 0 } };
        want.on[LW_AXIS_LANE] = sample(s->tv, n);
        lw_relation_search(r, 1u << LW_AXIS_LANE, &want, append, s);
    }
    if (s->own)
        s->owns = lw_pairs_sort(s->own, s->owns);
    return s->own != NULL;
}

static bool read(lw_reader *r, lw_sides *s, lw_notation notation, bool transposed)
{
    r->transposed = transposed;
    r->at = 0;
    lw_notation_take(r, notation);
    s->given = r->claim;
    s->givens = r->status == LW_OK ? lw_pairs_sort(r->claim, r->claims) : 0;
    return r->status == LW_OK;
}

static int by_lane_and_element(const void *a, const void *b)
{
    lw_pair x = *(const lw_pair *)a, y = *(const lw_pair *)b;
    x.bit = y.bit = 0;
    return lw_pair_compare(&x, &y);
}

/* Whether each lane has the same elements on both sides. Leaves the lists in another order. */
static bool have_same_elements(lw_sides *s)
{
    if (s->owns != s->givens)
        return false;
    qsort(s->own, s->owns, sizeof(*s->own), by_lane_and_element);
    qsort(s->given, s->givens, sizeof(*s->given), by_lane_and_element);
    for (size_t i = 0; i < s->owns; i++)
        if (by_lane_and_element(&s->own[i], &s->given[i]) != 0)
            return false;
    return true;
}

static bool may_fit(lw_sides *s, lw_reader *r)
{
    lw_layout_judgement j;
    s->j = &j;
    const lw_notation notation = lw_notation_guess(r);
    const bool straight = read(r, s, notation, false);
    if (straight && s->givens != s->owns)
        return false;
    if (straight && (lw_sides_find_k(s) || lw_pairs_equal(s->own, s->owns, s->given, s->givens)))
        return true;
    if (r->status == LW_E_NO_MEMORY || (straight && have_same_elements(s)))
        return true;
    r->status = LW_OK; /* transposed, what is outside may be inside */
    s->owns = lw_pairs_sort(s->own, s->owns);
    return read(r, s, notation, true) && lw_pairs_equal(s->own, s->owns, s->given, s->givens);
}

bool lw_text_may_fit(const lw_tv *tv, const lw_reader *text)
{
    lw_error error;
    lw_sides s = { .tv = tv };
    lw_reader r = *text;
    r.error = &error;
    r.tv = tv;
    r.sampled = true;
    if (r.listing && lw_listing_exceeds(r.listing, tv))
        return false;
    const bool may = tv->r.lanes <= SAMPLES || !list_own(&s) || may_fit(&s, &r);
    free(s.own);
    free(r.claim);
    return may;
}
