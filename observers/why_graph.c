/* SPDX-License-Identifier: MIT */
/* Queries on the graph. */
#include <stdlib.h>
#include <string.h>

#include "observers/why.h"

enum { MOST_REGIONS = 8 };

/* The inputs of a node: one range for each region. */
struct lw_why_input {
    uint64_t first[MOST_REGIONS], last[MOST_REGIONS];
    uint32_t seen;
    bool done;
};

const char *lw_why_kind_name(lw_why_kind kind)
{
    static const char *const names[] = {
        [LW_WHY_ASKED] = "asked",         [LW_WHY_INPUT] = "input", [LW_WHY_GIVEN] = "given",
        [LW_WHY_UNWRITTEN] = "unwritten", [LW_WHY_STORE] = "store", [LW_WHY_ATOMIC] = "atomic",
        [LW_WHY_COPY] = "copy",           [LW_WHY_LOAD] = "load",   [LW_WHY_MATRIX] = "matrix",
        [LW_WHY_COMPUTED] = "computed"
    };
    return (unsigned)kind < sizeof(names) / sizeof(names[0]) ? names[kind] : "";
}

size_t lw_why_node_count(const lw_why *why)
{
    return why ? why->node_count : 0;
}

const lw_why_node *lw_why_node_at(const lw_why *why, size_t index)
{
    return why && index < why->node_count ? &why->nodes[index] : NULL;
}

const lw_why_edge *lw_why_edge_at(const lw_why *why, size_t node, size_t index)
{
    if (!why || node >= why->node_count || index >= why->first[node + 1] - why->first[node])
        return NULL;
    return &why->edges[why->first[node] + index];
}

uint64_t lw_why_groups(const lw_why *why)
{
    return why ? why->groups : 0;
}

uint64_t lw_why_instructions(const lw_why *why)
{
    return why ? why->log.step_count : 0;
}

uint64_t lw_why_bytes(const lw_why *why)
{
    return why ? why->log.bytes : 0;
}

/* ---- Order ---- */

static int compare(const void *a, const void *b)
{
    const lw_why_edge *x = a, *y = b;
    const uint32_t left[] = { x->from, x->operand, x->x, x->y, x->at, x->to, x->bytes },
                   right[] = { y->from, y->operand, y->x, y->y, y->at, y->to, y->bytes };
    for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

bool lw_why_close(lw_why *w)
{
    w->first = calloc(w->node_count + 1, sizeof(*w->first));
    if (!w->first)
        return false;
    if (w->edge_count)
        qsort(w->edges, w->edge_count, sizeof(*w->edges), compare);
    for (size_t i = 0; i < w->edge_count; i++)
        w->first[w->edges[i].from + 1]++;
    for (size_t i = 0; i < w->node_count; i++)
        w->first[i + 1] += w->first[i];
    return true;
}

/* ---- Copies ---- */

/* An edge that has all of these bytes; NULL: none has. */
static const lw_why_edge *edge_with(const lw_why *w, size_t node, unsigned bytes)
{
    for (size_t i = w->first[node]; i < w->first[node + 1]; i++)
        if ((w->edges[i].bytes & bytes) == bytes)
            return &w->edges[i];
    return NULL;
}

static bool has_any(const lw_why *w, size_t node, unsigned bytes)
{
    for (size_t i = w->first[node]; i < w->first[node + 1]; i++)
        if (w->edges[i].bytes & bytes)
            return true;
    return false;
}

bool lw_why_trace(const lw_why *why, size_t node, unsigned lsb, unsigned bits, lw_why_origin *origin)
{
    if (!why || !origin || node >= why->node_count || !bits || lsb + bits > 32)
        return false;
    *origin = (lw_why_origin){ .node = (uint32_t)node, .bit = (uint8_t)lsb, .copied = true };
    while (why->nodes[origin->node].exact) {
        const unsigned low = origin->bit / 8u, high = (origin->bit + bits - 1) / 8u;
        const unsigned bytes = ((1u << (high + 1)) - 1) & ~((1u << low) - 1);
        const lw_why_edge *e = edge_with(why, origin->node, bytes);
        if (!e) {
            origin->copied = !has_any(why, origin->node, bytes);
            break;
        }
        origin->node = e->to;
        origin->bit = (uint8_t)(origin->bit + 8 * e->shift);
    }
    return true;
}

/* ---- Inputs ---- */

static void merge(struct lw_why_input *to, const struct lw_why_input *from)
{
    for (unsigned r = 0; r < MOST_REGIONS; r++) {
        if (!(from->seen >> r & 1))
            continue;
        const bool seen = to->seen >> r & 1;
        to->first[r] = seen && to->first[r] < from->first[r] ? to->first[r] : from->first[r];
        to->last[r] = seen && to->last[r] > from->last[r] ? to->last[r] : from->last[r];
        to->seen |= 1u << r;
    }
}

/* Adds the input bytes that the edge counts. */
static void add_input(const lw_why *w, struct lw_why_input *to, const lw_why_edge *e)
{
    const lw_why_node *n = &w->nodes[e->to];
    const int shift = w->nodes[e->from].exact ? e->shift : 0;
    struct lw_why_input one = { .seen = 0 };
    for (size_t r = 0; r < w->log.region_count && r < MOST_REGIONS; r++)
        if (n->address - w->log.regions[r].base < w->log.regions[r].size)
            for (int b = 0; b < 8; b++) {
                const uint64_t at = n->address - w->log.regions[r].base + (uint64_t)(b + shift);
                if (!(e->bytes >> b & 1))
                    continue;
                one.first[r] = one.seen && one.first[r] < at ? one.first[r] : at;
                one.last[r] = one.seen && one.last[r] > at ? one.last[r] : at;
                one.seen = 1u << r;
            }
    merge(to, &one);
}

/* Edges lead to nodes with higher numbers, whose inputs are known already when going from the last node
 * down. */
static bool find_inputs(lw_why *w)
{
    if (w->inputs)
        return true;
    w->inputs = calloc(w->node_count, sizeof(*w->inputs));
    for (size_t n = w->inputs ? w->node_count : 0; n-- > 0;)
        for (size_t i = w->first[n]; i < w->first[n + 1]; i++) {
            const lw_why_edge *e = &w->edges[i];
            if (w->nodes[e->to].kind == LW_WHY_INPUT)
                add_input(w, &w->inputs[n], e);
            else
                merge(&w->inputs[n], &w->inputs[e->to]);
        }
    return w->inputs != NULL;
}

static size_t next_region(const lw_why *w, uint64_t from)
{
    size_t best = SIZE_MAX;
    for (size_t r = 0; r < w->log.region_count && r < MOST_REGIONS; r++)
        if (w->log.regions[r].base >= from &&
            (best == SIZE_MAX || w->log.regions[r].base < w->log.regions[best].base))
            best = r;
    return best;
}

lw_status lw_why_inputs(const lw_why *why, size_t node, lw_why_range *ranges, size_t capacity, size_t *count)
{
    lw_why *own = (lw_why *)why;
    if (!why || !count || node >= why->node_count || (!ranges && capacity))
        return LW_E_ARGUMENT;
    if (!find_inputs(own))
        return LW_E_NO_MEMORY;
    const struct lw_why_input *in = &own->inputs[node];
    uint64_t from = 0;
    *count = 0;
    for (size_t r; (r = next_region(why, from)) != SIZE_MAX; from = why->log.regions[r].base + 1) {
        if (!(in->seen >> r & 1))
            continue;
        if (*count < capacity)
            ranges[*count] = (lw_why_range){ .region = why->log.regions[r].name,
                                             .base = why->log.regions[r].base,
                                             .first = in->first[r],
                                             .last = in->last[r] };
        ++*count;
    }
    return LW_OK;
}
