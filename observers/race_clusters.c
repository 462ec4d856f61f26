/* SPDX-License-Identifier: MIT */
/*
 * Blocks of a cluster (PTX ISA 9.1, "barrier.cluster", "Memory Consistency Model"). Arriving is a release and
 * waiting an acquire, of everything that the warps of all blocks knew when they arrived; what lies between
 * the two is ordered with neither side. Shared memory of another block has the records of that block.
 */
#include <stdlib.h>
#include <string.h>

#include "observers/races.h"

/* What the warps that have arrived knew. Two turns may be in use: the one that all have left, as far as not
 * all have waited, and the next one. */
struct lw_race_cluster {
    uint32_t first[3]; /* its block 0 */
    unsigned live;     /* waves */
    uint32_t turn[2];
    lw_race_clock known[2], ended;
    lw_race_gate gate; /* gfx1250 */
};

static lw_race_cluster *find(const lw_races *races, const uint32_t first[3])
{
    for (size_t i = 0; i < races->cluster_count; i++)
        if (races->clusters[i]->live && memcmp(races->clusters[i]->first, first, 3 * sizeof(*first)) == 0)
            return races->clusters[i];
    return NULL;
}

static void clear(lw_race_cluster *c)
{
    lw_race_clock_free(&c->known[0]);
    lw_race_clock_free(&c->known[1]);
    lw_race_clock_free(&c->ended);
    lw_race_clock_free(&c->gate.known);
    memset(c, 0, sizeof(*c));
}

/* One that has ended, or a new one; NULL: no host memory. */
static lw_race_cluster *make(lw_races *races)
{
    for (size_t i = 0; i < races->cluster_count; i++)
        if (!races->clusters[i]->live)
            return races->clusters[i];
    lw_race_cluster **grown = realloc(races->clusters, (races->cluster_count + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    races->clusters = grown;
    lw_race_cluster *made = calloc(1, sizeof(*made));
    if (made)
        grown[races->cluster_count++] = made;
    return made;
}

void lw_race_clusters_begin(lw_races *races, const lw_event *event)
{
    uint32_t first[3];
    if (!lw_event_cluster_block(event, 0, first))
        return;
    lw_race_cluster *c = find(races, first);
    if (!c && (c = make(races)) != NULL) {
        clear(c);
        memcpy(c->first, first, sizeof(first));
    }
    if (c)
        c->live++;
}

static lw_race_cluster *of_event(const lw_races *races, const lw_event *event)
{
    uint32_t first[3];
    return races->cluster_count && lw_event_cluster_block(event, 0, first) ? find(races, first) : NULL;
}

void lw_race_clusters_end(lw_races *races, const lw_event *event)
{
    lw_race_cluster *c = of_event(races, event);
    if (!c)
        return;
    lw_race_give(races, &c->ended, false);
    if (--c->live == 0)
        clear(c);
}

void lw_race_clusters_free(lw_races *races)
{
    for (size_t i = 0; i < races->cluster_count; i++) {
        clear(races->clusters[i]);
        free(races->clusters[i]);
    }
    free(races->clusters);
    races->clusters = NULL;
    races->cluster_count = 0;
}

static void arrive(const lw_races *races, lw_race_cluster *c, unsigned number)
{
    lw_race_wave_state *wave = races->wave;
    const uint32_t turn = ++wave->cluster_turn;
    lw_race_threads_tick(wave, number, false);
    wave->cluster_time = wave->time;
    if (c->turn[turn % 2] != turn) {
        lw_race_clock_free(&c->known[turn % 2]);
        c->turn[turn % 2] = turn;
    }
    lw_race_give(races, &c->known[turn % 2], races->place->order == LW_ORDER_NONE);
}

/* The warp has left the barrier. All its lanes have arrived before. */
static void leave(const lw_races *races, const lw_race_cluster *c)
{
    lw_race_wave_state *wave = races->wave;
    lw_race_take(races, &c->known[wave->cluster_turn % 2]);
    lw_race_take(races, &c->ended);
    wave->met = wave->cluster_time > wave->met ? wave->cluster_time : wave->met;
}

void lw_race_clusters_sync(lw_races *races, const lw_event *event)
{
    lw_race_cluster *c = of_event(races, event);
    if (!c || !event->exec)
        return;
    if (races->place->step == LW_ASYNC_ARRIVES)
        arrive(races, c, event->wave);
    else
        races->wave->cluster_waits = true; /* it learns when the others have arrived */
}

void lw_race_clusters_continue(lw_races *races, const lw_event *event)
{
    const lw_race_cluster *c = of_event(races, event);
    races->wave->cluster_waits = false;
    if (c)
        leave(races, c);
}

lw_race_gate *lw_race_clusters_gate(const lw_races *races, const lw_event *event)
{
    lw_race_cluster *c = of_event(races, event);
    return c ? &c->gate : NULL;
}

void lw_race_clusters_open(const lw_races *races, const lw_event *event, lw_race_gate *gate)
{
    uint32_t id[3];
    for (unsigned rank = 0; lw_event_cluster_block(event, rank, id); rank++)
        for (size_t i = 0; i < races->group_count; i++) {
            lw_race_group_state *g = races->groups[i];
            if (!g->live || memcmp(g->id, id, sizeof(id)) != 0)
                continue;
            for (unsigned w = 0; w < g->waves; w++)
                if (g->wave[w] && g->wave[w]->live && !g->wave[w]->ended)
                    lw_race_gate_give(g->wave[w], LW_RACE_CLUSTER_GATE, gate, g == races->group);
        }
}

lw_race_group_state *lw_race_clusters_block(const lw_races *races, const lw_event *event,
                                            const lw_memory_access *access)
{
    uint32_t id[3];
    if (!access->block)
        return races->group;
    for (size_t i = 0; lw_event_cluster_block(event, access->block - 1u, id) && i < races->group_count; i++)
        if (races->groups[i]->live && memcmp(races->groups[i]->id, id, sizeof(id)) == 0)
            return races->groups[i];
    return NULL;
}

void lw_race_clusters_touch(lw_races *races, const lw_event *event, const lw_memory_access *access,
                            lw_race_record record)
{
    lw_event_region seen;
    lw_race_group_state *group = lw_race_clusters_block(races, event, access);
    if (!group || !group->lds.of || !lw_event_cluster_region(event, access->block - 1u, &seen) ||
        access->address >= seen.size ||
        access->size * (1 + (uint64_t)access->more) > seen.size - access->address)
        return;
    races->space = LW_SPACE_LDS;
    races->block = access->block;
    lw_race_touch(&races->judge, event, &group->lds, &seen, access, record);
}
