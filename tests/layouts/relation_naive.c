/* SPDX-License-Identifier: MIT */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "layouts/relation_naive.h"

/* The definition, written again: one coordinate at a time, with values from a counter that has a wheel for
 * each digit and base. */
size_t naive_pairs(const lw_relation *r, lw_pair *out)
{
    uint32_t value[LW_RELATION_MAX_DIGITS + LW_RELATION_MAX_BASES] = { 0 };
    const unsigned wheels = r->digits + r->bases;
    size_t count = 0;
    for (;;) {
        uint64_t c[6] = { r->origin.lane, r->origin.bit, r->origin.row,
                          r->origin.col,  r->origin.k,   r->origin.block };
        for (unsigned i = 0; i < r->digits; i++) {
            const lw_digit *d = &r->digit[i];
            const uint32_t stride[6] = { d->lane, d->bit, d->row, d->col, d->k, d->block };
            for (int axis = 0; axis < 6; axis++)
                c[axis] += (uint64_t)value[i] * stride[axis];
        }
        for (unsigned i = 0; i < r->bases; i++) {
            const lw_pair *b = &r->base[i];
            const uint32_t bits[6] = { b->lane, b->bit, b->row, b->col, b->k, b->block };
            for (int axis = 0; axis < 6; axis++)
                c[axis] ^= value[r->digits + i] ? bits[axis] : 0;
        }
        if (count == NAIVE_PAIRS)
            ck_abort_msg("too many pairs for this test");
        out[count++] = (lw_pair){ (uint32_t)(c[0] % r->lanes),
                                  (uint32_t)(r->start + r->pitch * c[1]),
                                  (uint32_t)c[2],
                                  (uint32_t)c[3],
                                  (uint32_t)c[4],
                                  (uint32_t)c[5] };
        unsigned wheel = 0;
        while (wheel < wheels && ++value[wheel] == (wheel < r->digits ? r->digit[wheel].radix : 2))
            value[wheel++] = 0;
        if (wheel == wheels)
            return count;
    }
}

static int order(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(lw_pair));
}

size_t naive_sort(lw_pair *pairs, size_t count, bool once)
{
    size_t kept = 0;
    qsort(pairs, count, sizeof(*pairs), order);
    for (size_t i = 0; i < count; i++)
        if (!once || !kept || order(&pairs[kept - 1], &pairs[i]) != 0)
            pairs[kept++] = pairs[i];
    return kept;
}

/* xorshift64* */
static uint64_t state = 0x9e3779b97f4a7c15u;
uint32_t naive_draw(uint32_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % below;
}
