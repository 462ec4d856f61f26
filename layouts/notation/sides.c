/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "layouts/notation/sides.h"

int lw_pair_compare(const void *a, const void *b)
{
    const lw_pair *x = a, *y = b;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    if (x->bit != y->bit)
        return x->bit < y->bit ? -1 : 1;
    const uint32_t u[] = { x->block, x->row, x->col, x->k };
    const uint32_t v[] = { y->block, y->row, y->col, y->k };
    for (size_t i = 0; i < sizeof(u) / sizeof(u[0]); i++)
        if (u[i] != v[i])
            return u[i] < v[i] ? -1 : 1;
    return 0;
}

/* Sorts by counting how many there are of each place. False, with nothing changed, where lanes and values are
 * too sparse for that. */
static bool sort_by_place(lw_pair *pairs, size_t count)
{
    enum { SPARSEST = 32 };
    uint64_t lanes = 1, bits = 1;
    for (size_t i = 0; i < count; i++) {
        lanes = pairs[i].lane >= lanes ? (uint64_t)pairs[i].lane + 1 : lanes;
        bits = pairs[i].bit >= bits ? (uint64_t)pairs[i].bit + 1 : bits;
    }
    if (lanes > SPARSEST * count || bits > SPARSEST * count || lanes * bits > SPARSEST * count)
        return false;
    const size_t places = (size_t)(lanes * bits);
    size_t *first = calloc(places + 1, sizeof(*first));
    lw_pair *copy = malloc(count * sizeof(*copy));
    const bool sorts = first && copy;
    if (sorts) {
        memcpy(copy, pairs, count * sizeof(*copy));
        for (size_t i = 0; i < count; i++)
            first[copy[i].lane * bits + copy[i].bit + 1]++;
        for (size_t n = 0; n < places; n++)
            first[n + 1] += first[n];
        for (size_t i = 0; i < count; i++)
            pairs[first[copy[i].lane * bits + copy[i].bit]++] = copy[i];
        for (size_t n = 0, from = 0; n < places; from = first[n++])
            if (first[n] - from > 1)
                qsort(&pairs[from], first[n] - from, sizeof(*pairs), lw_pair_compare);
    }
    free(first);
    free(copy);
    return sorts;
}

size_t lw_pairs_sort(lw_pair *pairs, size_t count)
{
    size_t kept = 0, sorted = 1;
    while (sorted < count && lw_pair_compare(&pairs[sorted - 1], &pairs[sorted]) <= 0)
        sorted++;
    if (sorted < count && !sort_by_place(pairs, count))
        qsort(pairs, count, sizeof(*pairs), lw_pair_compare);
    for (size_t i = 0; i < count; i++)
        if (!kept || lw_pair_compare(&pairs[kept - 1], &pairs[i]) != 0)
            pairs[kept++] = pairs[i];
    return kept;
}

bool lw_pairs_equal(const lw_pair *a, size_t count, const lw_pair *b, size_t others)
{
    if (count != others)
        return false;
    for (size_t i = 0; i < count; i++)
        if (lw_pair_compare(&a[i], &b[i]) != 0)
            return false;
    return true;
}

lw_status lw_sides_list_own(lw_sides *s)
{
    const lw_tv *tv = s->tv;
    s->owns = (size_t)lw_relation_count(&tv->r);
    s->own = malloc((s->owns ? s->owns : 1) * sizeof(*s->own));
    if (!s->own)
        return LW_E_NO_MEMORY;
    for (size_t n = 0; n < s->owns; n++) {
        lw_relation_pair(&tv->r, n, &s->own[n]);
        s->own[n].bit = (s->own[n].bit - tv->r.start) / tv->r.pitch;
    }
    s->owns = lw_pairs_sort(s->own, s->owns);
    return LW_OK;
}

bool lw_sides_find_k(lw_sides *s)
{
    lw_layout_judgement *j = s->j;
    const uint32_t ks = s->tv->r.ks;
    uint16_t back[LW_VERDICT_MOST_K];
    if (ks < 2 || ks > LW_VERDICT_MOST_K || s->owns != s->givens)
        return false;
    memset(back, 0xff, sizeof(back));
    memset(j->k_of, 0xff, sizeof(j->k_of));
    for (size_t i = 0; i < s->owns; i++) {
        const lw_pair *a = &s->own[i], *b = &s->given[i];
        if (!lw_pair_same_place(a, b) || a->row != b->row || a->col != b->col || a->block != b->block ||
            b->k >= ks)
            return false;
        if (j->k_of[a->k] == LW_SIDES_NO_K && back[b->k] == LW_SIDES_NO_K) {
            j->k_of[a->k] = (uint16_t)b->k;
            back[b->k] = (uint16_t)a->k;
        }
        if (j->k_of[a->k] != b->k)
            return false;
    }
    j->ks = (uint16_t)ks;
    return true;
}
