/* SPDX-License-Identifier: MIT */
#include <lanewise/coverage.h>

#include <stdlib.h>
#include <string.h>

#include "observers/live.h"
#include "observers/notes.h"

typedef struct place {
    lw_covered covered;
    uint64_t target; /* of a branch, where it is known */
    bool known, conditional, has_target;
} place;

/* A wave, and the branch that it executed last. */
typedef struct wave {
    bool pending;
    uint32_t branch;
    uint64_t active; /* lanes of its last instruction that had no condition */
    uint64_t exec;   /* at the branch */
} wave;

struct lw_coverage {
    lw_observer observer;
    lw_note_list places; /* of place */
    lw_live_list waves;  /* of wave */
    bool threads;        /* conditions are those of lanes */
    lw_covered *sorted;
    size_t count;
};

/* Which way a branch went is seen at the next instruction; of a warp, also from its lanes. */
static void settle(lw_coverage *c, wave *w, uint64_t pc)
{
    place *branch = lw_note_of(&c->places, w->branch);
    w->pending = false;
    if (!branch)
        return;
    if (c->threads) {
        branch->covered.taken += w->exec != 0;
        branch->covered.not_taken += (w->active & ~w->exec) != 0;
        return;
    }
    const bool taken = branch->has_target && pc == branch->target;
    branch->covered.taken += taken;
    branch->covered.not_taken += !taken;
}

static uint32_t decoded(void *context, const lw_event *event)
{
    lw_coverage *c = context;
    place *p = lw_note_of(&c->places, event->place);
    if (!p)
        return LW_SEE_NOTHING;
    const bool branch = event->facts->kind == LW_CLASS_BRANCH;
    c->threads = strcmp(lw_arch_get(event->arch)->vendor, "NVIDIA") == 0;
    *p = (place){ .covered.code_offset = event->code_offset,
                  .covered.branches = branch && event->facts->conditional,
                  .known = true,
                  .conditional = event->facts->conditional,
                  .has_target = event->facts->has_target,
                  .target = event->facts->target };
    return LW_SEE_BEFORE;
}

static void before(void *context, const lw_event *event)
{
    lw_coverage *c = context;
    place *p = lw_note_of(&c->places, event->place);
    wave *w = lw_live_of(&c->waves, event);
    if (!p || !w)
        return;
    p->covered.executed++;
    if (w->pending)
        settle(c, w, event->pc);
    if (p->covered.branches) {
        w->pending = true;
        w->branch = event->place;
        w->exec = event->exec;
    }
    if (!p->conditional)
        w->active = event->exec;
}

static void wave_begin(void *context, const lw_event *event)
{
    wave *w = lw_live_of(&((lw_coverage *)context)->waves, event);
    if (w)
        *w = (wave){ .active = event->exec };
}

/* A branch to the end of the program. */
static void wave_end(void *context, const lw_event *event)
{
    lw_coverage *c = context;
    wave *w = lw_live_of(&c->waves, event);
    if (w && w->pending)
        settle(c, w, event->pc);
    lw_live_end(&c->waves, event);
}

lw_status lw_coverage_create(lw_coverage **coverage)
{
    if (!coverage)
        return LW_E_ARGUMENT;
    lw_coverage *c = calloc(1, sizeof(*c));
    if (!c)
        return LW_E_NO_MEMORY;
    c->places.item_size = sizeof(place);
    c->waves.item_size = sizeof(wave);
    c->observer = (lw_observer){ .struct_size = sizeof(lw_observer),
                                 .context = c,
                                 .wave_begin = wave_begin,
                                 .wave_end = wave_end,
                                 .decoded = decoded,
                                 .before = before };
    *coverage = c;
    return LW_OK;
}

const lw_observer *lw_coverage_observer(const lw_coverage *coverage)
{
    return coverage ? &coverage->observer : NULL;
}

static int compare(const void *a, const void *b)
{
    const lw_covered *x = a, *y = b;
    return (x->code_offset > y->code_offset) - (x->code_offset < y->code_offset);
}

/* Sorted anew where something was added. */
static bool sort(lw_coverage *c)
{
    const place *all = (const place *)(void *)c->places.items;
    size_t count = 0;
    free(c->sorted);
    c->sorted = calloc(c->places.count + 1, sizeof(*c->sorted));
    for (size_t i = 0; c->sorted && i < c->places.count; i++)
        if (all[i].known)
            c->sorted[count++] = all[i].covered;
    c->count = count;
    if (c->sorted)
        qsort(c->sorted, count, sizeof(*c->sorted), compare);
    return c->sorted != NULL;
}

size_t lw_coverage_count(const lw_coverage *coverage)
{
    return coverage && sort((lw_coverage *)coverage) ? coverage->count : 0;
}

const lw_covered *lw_coverage_at(const lw_coverage *coverage, size_t index)
{
    lw_coverage *c = (lw_coverage *)coverage;
    if (!c || (!c->sorted && !sort(c)))
        return NULL;
    return index < c->count ? &c->sorted[index] : NULL;
}

void lw_coverage_free(lw_coverage *coverage)
{
    if (!coverage)
        return;
    lw_note_free(&coverage->places);
    lw_live_free(&coverage->waves, NULL);
    free(coverage->sorted);
    free(coverage);
}
