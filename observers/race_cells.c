/* SPDX-License-Identifier: MIT */
#include "observers/race_cells.h"

#include <stdlib.h>
#include <string.h>

lw_race_region *lw_race_region_of(lw_race_regions *all, const lw_event *event, uint64_t address,
                                  lw_event_region *seen)
{
    if (!lw_event_region_at(event, LW_SPACE_GLOBAL, address, seen))
        return NULL;
    if (all->last < all->count && all->regions[all->last].serial == seen->serial)
        return &all->regions[all->last];
    for (size_t i = 0; i < all->count; i++)
        if (all->regions[i].serial == seen->serial)
            return &all->regions[all->last = i];
    lw_race_region *grown = realloc(all->regions, (all->count + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    all->regions = grown;
    lw_race_cell *cells = calloc((size_t)(seen->size / 4 + 1), sizeof(*cells));
    if (!cells)
        return NULL;
    grown[all->count] = (lw_race_region){ seen->serial, seen->base, seen->size, cells };
    return &grown[all->last = all->count++];
}

void lw_race_regions_free(lw_race_regions *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->regions[i].cells);
    free(all->regions);
    *all = (lw_race_regions){ 0 };
}

typedef struct touch {
    lw_race_judge *judge;
    const lw_event *event;
    const lw_memory_access *access;
    lw_race_record record;
    uint64_t address;
} touch;

static inline bool may_conflict(const touch *t, const lw_race_record *earlier)
{
    const uint32_t both = earlier->how & t->record.how;
    return earlier->index && both & LW_RACE_MASK &&
           (earlier->who != t->record.who || t->judge->lanes_matter ||
            (earlier->how ^ t->record.how) & LW_RACE_CHANNEL);
}

/* Is it the same as the last one judged, in all that matters? */
static bool is_judged(const touch *t, const lw_race_record *earlier, bool earlier_stores)
{
    const lw_race_judge *j = t->judge;
    const uint32_t beside = LW_RACE_MASK | (j->lanes_matter ? 0u : LW_RACE_LANE | LW_RACE_SEVERAL);
    return j->last.index == earlier->index && j->last.who == earlier->who &&
           ((j->last.how ^ earlier->how) & ~beside) == 0 && j->last_stores == earlier_stores &&
           j->last_later == t->access->store;
}

static void against(touch *t, const lw_race_record *earlier, bool earlier_stores)
{
    lw_race_judge *j = t->judge;
    if (!is_judged(t, earlier, earlier_stores)) {
        j->last = *earlier;
        j->last_stores = earlier_stores;
        j->last_later = t->access->store;
        j->last_verdict = j->judge(j->context, earlier, &t->record, earlier_stores, t->access->store);
    }
    if (j->last_verdict == LW_RACE_ORDERED)
        return;
    const lw_race_pair pair = { .earlier = *earlier,
                                .later = t->record,
                                .earlier_stores = earlier_stores,
                                .later_stores = t->access->store,
                                .verdict = j->last_verdict,
                                .address = t->address,
                                .access = t->access };
    j->tell(j->context, t->event, &pair);
}

static bool comes_after(const touch *t, const lw_race_record *earlier)
{
    return t->judge->judge(t->judge->context, earlier, &t->record, false, false) == LW_RACE_ORDERED;
}

/* Keeps a read: it replaces one by the same wave, or one that is ordered before it, or takes a free slot;
 * otherwise it is not kept. */
static void keep_read(touch *t, lw_race_cell *cell)
{
    const lw_race_record *r = &t->record;
    lw_race_record *home = NULL;
    for (unsigned i = 0; i < LW_RACE_READS && !home; i++) {
        lw_race_record *old = &cell->read[i];
        if (!old->index) {
            home = old;
        } else if (old->who == r->who && !((old->how ^ r->how) & LW_RACE_CHANNEL)) {
            const bool more =
                t->judge->lanes_matter && old->index == r->index && (old->how ^ r->how) & LW_RACE_LANE;
            *old = *r;
            old->how |= more ? LW_RACE_SEVERAL : 0u;
            return;
        }
    }
    for (unsigned i = 0; i < LW_RACE_READS && !home; i++)
        if (lw_race_group(&cell->read[i]) == lw_race_group(r) && comes_after(t, &cell->read[i]))
            home = &cell->read[i];
    if (home)
        *home = *r;
}

static inline bool is_mine(const touch *t, const lw_race_record *r)
{
    return r->who == t->record.who && r->index && !((r->how ^ t->record.how) & LW_RACE_CHANNEL);
}

/* Has another lane of the same instruction changed the bytes? Memory already holds what all lanes have
 * left. */
static bool lanes_changed_it(const touch *t, const lw_race_record *write)
{
    return write->index == t->record.index && write->who == t->record.who &&
           write->how >> LW_RACE_PLACE_SHIFT == t->record.how >> LW_RACE_PLACE_SHIFT &&
           !(write->how & LW_RACE_QUIET);
}

static void touch_cell(touch *t, lw_race_cell *cell, const uint8_t *bytes)
{
    const lw_memory_access *a = t->access;
    const bool known =
        !a->late && !(cell->write.how & LW_RACE_LATE) && (cell->write.index || cell->read[0].index);
    uint32_t value = 0;
    memcpy(&value, bytes, sizeof(value));
    if (a->store && known && value == cell->value && !lanes_changed_it(t, &cell->write))
        t->record.how |= LW_RACE_QUIET;
    if (may_conflict(t, &cell->write))
        against(t, &cell->write, true);
    if (a->store) {
        for (unsigned i = 0; i < LW_RACE_READS && cell->read[i].index; i++)
            if (may_conflict(t, &cell->read[i]))
                against(t, &cell->read[i], false);
        cell->write = t->record;
        memset(cell->read, 0, sizeof(cell->read));
    } else if (is_mine(t, &cell->read[0]) && !t->judge->lanes_matter) {
        cell->read[0] = t->record;
    } else {
        keep_read(t, cell);
    }
    if (!a->late)
        cell->value = value;
    t->record.how &= ~(uint32_t)LW_RACE_QUIET;
}

void lw_race_touch(lw_race_judge *judge, const lw_event *event, lw_race_cell *cells, const uint8_t *bytes,
                   uint64_t offset, uint64_t size, const lw_memory_access *access, lw_race_record record)
{
    touch t = { .judge = judge, .event = event, .access = access, .record = record };
    if (judge->lanes_matter)
        judge->last.index = 0;
    const uint64_t end = offset + access->size;
    t.record.how |= access->late && access->store ? LW_RACE_LATE : 0u;
    uint64_t at = offset & ~UINT64_C(3);
    if (at == offset && access->size % 4 == 0 && end <= size) {
        t.record.how |= LW_RACE_MASK;
        for (; at < end; at += 4) {
            t.address = access->address + (at - offset);
            touch_cell(&t, &cells[at / 4], bytes + at);
        }
    }
    for (; at < end; at += 4) {
        const unsigned from = at < offset ? (unsigned)(offset - at) : 0;
        const unsigned to = end - at < 4 ? (unsigned)(end - at) : 4;
        uint8_t tail[4] = { 0 };
        t.record.how = (t.record.how & ~(uint32_t)LW_RACE_MASK) | ((1u << to) - (1u << from)) << 9;
        t.address = access->address + (at + from - offset);
        if (at + 4 > size)
            memcpy(tail, bytes + at, (size_t)(size - at));
        touch_cell(&t, &cells[at / 4], at + 4 > size ? tail : bytes + at);
    }
}
