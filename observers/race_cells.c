/* SPDX-License-Identifier: MIT */
#include "observers/race_cells.h"

#include <stdlib.h>
#include <string.h>

/* ---- Lines ---- */

enum { CHUNK = 256 };

typedef struct lw_race_chunk {
    struct lw_race_chunk *next;
    size_t used;
    lw_race_cells cells[CHUNK];
} lw_race_chunk;

bool lw_race_lines_begin(lw_race_lines *lines, uint64_t bytes)
{
    const size_t count = (size_t)(bytes / LW_RACE_LINE + 1);
    lines->idle = NULL;
    lines->room = lines->chunks;
    for (lw_race_chunk *c = lines->chunks; c; c = c->next)
        c->used = 0;
    if (lines->of && lines->count == count) {
        memset(lines->of, 0, count * sizeof(*lines->of));
        return true;
    }
    free(lines->of);
    lines->of = calloc(count, sizeof(*lines->of));
    lines->count = lines->of ? count : 0;
    return lines->of != NULL;
}

void lw_race_lines_free(lw_race_lines *lines)
{
    while (lines->chunks) {
        lw_race_chunk *next = lines->chunks->next;
        free(lines->chunks);
        lines->chunks = next;
    }
    free(lines->of);
    *lines = (lw_race_lines){ 0 };
}

static lw_race_cells *take_cells(lw_race_lines *lines)
{
    lw_race_cells *cells = lines->idle;
    if (cells) {
        lines->idle = cells->next;
        return cells;
    }
    if (lines->room && lines->room->used == CHUNK && lines->room->next)
        lines->room = lines->room->next;
    if (!lines->room || lines->room->used == CHUNK) {
        lw_race_chunk *chunk = malloc(sizeof(*chunk));
        if (!chunk)
            return NULL;
        chunk->used = 0;
        chunk->next = NULL;
        *(lines->room ? &lines->room->next : &lines->chunks) = chunk;
        lines->room = chunk;
    }
    return &lines->room->cells[lines->room->used++];
}

/* The record of the nth four bytes. */
static void spread(lw_race_record *record, unsigned n)
{
    if (record->how & LW_RACE_SPREAD)
        record->how = (record->how & ~(uint32_t)LW_RACE_SPREAD) + n;
}

static bool split(lw_race_lines *lines, lw_race_line *line)
{
    line->split = take_cells(lines);
    for (unsigned i = 0; line->split && i < LW_RACE_CELLS; i++) {
        line->split->of[i] = line->whole;
        spread(&line->split->of[i].write, i);
        for (unsigned k = 0; k < LW_RACE_READS; k++)
            spread(&line->split->of[i].read[k], i);
    }
    return line->split != NULL;
}

/* All cells have the same history again. */
static void unite(lw_race_lines *lines, lw_race_line *line)
{
    line->whole = line->split->of[0];
    line->split->next = lines->idle;
    lines->idle = line->split;
    line->split = NULL;
}

lw_race_lines *lw_race_region_lines(lw_race_regions *all, const lw_event_region *seen)
{
    if (all->last < all->count && all->regions[all->last]->serial == seen->serial)
        return &all->regions[all->last]->lines;
    for (size_t i = 0; i < all->count; i++)
        if (all->regions[i]->serial == seen->serial)
            return &all->regions[all->last = i]->lines;
    lw_race_region **grown = realloc(all->regions, (all->count + 1) * sizeof(*grown));
    if (!grown)
        return NULL;
    all->regions = grown;
    lw_race_region *made = calloc(1, sizeof(*made));
    if (!made || !lw_race_lines_begin(&made->lines, seen->size)) {
        free(made);
        return NULL;
    }
    made->serial = seen->serial;
    grown[all->last = all->count++] = made;
    return &made->lines;
}

void lw_race_regions_free(lw_race_regions *all)
{
    for (size_t i = 0; i < all->count; i++) {
        lw_race_lines_free(&all->regions[i]->lines);
        free(all->regions[i]);
    }
    free(all->regions);
    *all = (lw_race_regions){ 0 };
}

/* ---- Accesses ---- */

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
    const uint32_t beside = LW_RACE_MASK | (j->lanes_matter ? 0u : LW_RACE_SEVERAL);
    return j->last.index == earlier->index && j->last.who == earlier->who &&
           ((j->last.how ^ earlier->how) & ~beside) == 0 && j->last_stores == earlier_stores &&
           j->last_later == t->access->store &&
           j->last_lane == (t->record.how & (LW_RACE_LANE | LW_RACE_SPREAD));
}

/* The lane that accesses the current bytes. */
static int lane_of(const touch *t)
{
    const lw_memory_access *a = t->access;
    return a->lane < 0 ? a->lane : a->lane + (int)((t->address - a->address) / a->size);
}

/* Lanes are told apart within a warp, and where an asynchronous operation takes part. */
static bool is_by_lane(const touch *t, const lw_race_record *earlier)
{
    return earlier->who == t->record.who || (earlier->how | t->record.how) & LW_RACE_CHANNEL;
}

static void against(touch *t, const lw_race_record *earlier, bool earlier_stores)
{
    lw_race_judge *j = t->judge;
    j->by_lane = j->by_lane || is_by_lane(t, earlier);
    if (!is_judged(t, earlier, earlier_stores)) {
        j->last = *earlier;
        j->last_stores = earlier_stores;
        j->last_later = t->access->store;
        j->last_lane = t->record.how & (LW_RACE_LANE | LW_RACE_SPREAD);
        j->last_verdict = j->judge(j->context, earlier, &t->record, earlier_stores, t->access->store);
    }
    if (j->last_verdict == LW_RACE_ORDERED)
        return;
    j->by_lane = true;
    const lw_race_pair pair = { .earlier = *earlier,
                                .later = t->record,
                                .earlier_stores = earlier_stores,
                                .later_stores = t->access->store,
                                .verdict = j->last_verdict,
                                .address = t->address,
                                .lane = lane_of(t) };
    j->tell(j->context, t->event, &pair);
}

static bool comes_after(const touch *t, const lw_race_record *earlier)
{
    t->judge->by_lane = t->judge->by_lane || is_by_lane(t, earlier);
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
            const bool more = t->judge->lanes_matter && old->index == r->index &&
                              ((old->how ^ r->how) & LW_RACE_LANE || old->how & LW_RACE_SEVERAL);
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

static bool is_known(const touch *t, const lw_race_cell *cell)
{
    return !t->access->late && !(cell->write.how & LW_RACE_LATE) &&
           (cell->write.index || cell->read[0].index);
}

/* `same`: the bytes are those after the last access. */
static inline void touch_cell(touch *t, lw_race_cell *cell, bool same)
{
    const lw_memory_access *a = t->access;
    if (a->store && same && is_known(t, cell) && !lanes_changed_it(t, &cell->write))
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
    t->record.how &= ~(uint32_t)LW_RACE_QUIET;
}

/* Do two records of a line say the same of all its bytes, as far as lanes matter? */
static inline bool agrees(const touch *t, const lw_race_record *earlier)
{
    const uint32_t where = LW_RACE_LANE | LW_RACE_SPREAD, either = earlier->how | t->record.how;
    return !earlier->index || !(either & LW_RACE_SPREAD) || ((earlier->how ^ t->record.how) & where) == 0 ||
           (earlier->who != t->record.who && !(either & LW_RACE_CHANNEL));
}

/* An access to all bytes of a line that is not split. False: it has to be split, since a write has changed
 * some of the bytes only, or lanes differ. */
static inline bool touch_whole(touch *t, lw_race_line *line, const uint8_t *bytes)
{
    const lw_memory_access *a = t->access;
    bool same = false;
    if (!agrees(t, &line->whole.write) || !agrees(t, &line->whole.read[0]) ||
        !agrees(t, &line->whole.read[1]))
        return false;
    if (a->store && is_known(t, &line->whole)) {
        unsigned unchanged = 0;
        for (unsigned i = 0; i < LW_RACE_CELLS; i++)
            unchanged += memcmp(&line->value[i], bytes + 4 * (size_t)i, 4) == 0;
        same = unchanged == LW_RACE_CELLS;
        if (unchanged && !same)
            return false;
    }
    touch_cell(t, &line->whole, same);
    if (!a->late)
        memcpy(line->value, bytes, LW_RACE_LINE);
    return true;
}

/* A write to all bytes leaves all cells alike, unless it has changed some of them only. `apart`: from one
 * cell's lane to the next one's. */
static bool are_alike(const lw_race_cell *cells, unsigned apart)
{
    for (unsigned i = 1; i < LW_RACE_CELLS; i++)
        if (cells[i].write.how != cells[0].write.how + i * apart)
            return false;
    return true;
}

static void set_lane(touch *t)
{
    const int lane = lane_of(t);
    if (t->judge->lanes_matter)
        t->record.how =
            (t->record.how & ~(uint32_t)LW_RACE_LANE) | (lane > 0 ? (uint32_t)lane & LW_RACE_LANE : 0);
}

/* From offset `at` to `end`, both in the line; `left`: bytes of the region from the line's start. */
static void touch_split(touch *t, lw_race_lines *lines, lw_race_line *line, const uint8_t *bytes, unsigned at,
                        unsigned end, uint64_t left)
{
    const bool all = end - at == LW_RACE_LINE;
    const uint64_t base = t->address - at;
    if (!line->split && !split(lines, line)) {
        t->judge->lost = true;
        return;
    }
    for (unsigned i = at / 4; 4 * i < end; i++) {
        const unsigned from = at > 4 * i ? at - 4 * i : 0, to = end - 4 * i < 4 ? end - 4 * i : 4;
        uint32_t value = 0;
        memcpy(&value, bytes + 4 * (size_t)i, left - 4 * i < 4 ? (size_t)(left - 4 * i) : 4);
        t->record.how = (t->record.how & ~(uint32_t)LW_RACE_MASK) | ((1u << to) - (1u << from)) << 9;
        t->address = base + 4 * i + from;
        set_lane(t);
        touch_cell(t, &line->split->of[i], value == line->value[i]);
        if (!t->access->late)
            line->value[i] = value;
    }
    const bool spreads = t->judge->lanes_matter && t->access->size == 4;
    if (!all || !t->access->store || !are_alike(line->split->of, spreads))
        return;
    line->split->of[0].write.how |= spreads ? LW_RACE_SPREAD : 0u;
    unite(lines, line);
}

/* Do the lanes that access a line follow each other by four bytes, or is it one lane? */
static bool fits_line(const touch *t)
{
    const lw_memory_access *a = t->access;
    return !t->judge->lanes_matter || a->size == 4 ||
           (a->size % LW_RACE_LINE == 0 && a->address % LW_RACE_LINE == 0);
}

static void touch_bytes(touch *t, lw_race_lines *lines, const lw_event_region *seen)
{
    const lw_memory_access *a = t->access;
    const uint64_t offset = a->address - seen->base, end = offset + a->size * (1 + (uint64_t)a->more);
    const bool spreads = t->judge->lanes_matter && a->size == 4, fits = fits_line(t);
    for (uint64_t at = offset; at < end; at = (at / LW_RACE_LINE + 1) * LW_RACE_LINE) {
        lw_race_line *line = &lines->of[at / LW_RACE_LINE];
        const uint64_t base = at & ~(uint64_t)(LW_RACE_LINE - 1);
        const bool all = at == base && end - base >= LW_RACE_LINE;
        t->address = seen->base + at;
        set_lane(t);
        t->record.how |= LW_RACE_MASK | (spreads ? LW_RACE_SPREAD : 0u);
        if (fits && all && !line->split && touch_whole(t, line, seen->bytes + base))
            continue;
        t->record.how &= ~(uint32_t)LW_RACE_SPREAD;
        touch_split(t, lines, line, seen->bytes + base, (unsigned)(at - base),
                    end - base < LW_RACE_LINE ? (unsigned)(end - base) : LW_RACE_LINE, seen->size - base);
    }
}

/* The accesses of one lane, or of several beside each other. */
static void touch_lanes(touch *t, lw_race_lines *lines, const lw_event_region *seen)
{
    const lw_memory_access *access = t->access;
    if (t->judge->lanes_matter) /* asynchronous operations differ in more than the lane */
        t->judge->last.index = 0;
    if (!t->judge->lanes_matter || access->size >= 4) {
        touch_bytes(t, lines, seen);
        return;
    }
    lw_memory_access one = *access;
    t->access = &one;
    one.more = 0;
    for (uint32_t n = 0; n <= access->more; n++, one.lane++, one.address += one.size)
        touch_bytes(t, lines, seen);
    t->access = access;
}

void lw_race_touch(lw_race_judge *judge, const lw_event *event, lw_race_lines *lines,
                   const lw_event_region *seen, const lw_memory_access *access, lw_race_record record)
{
    lw_memory_access one = *access;
    touch t = { .judge = judge, .event = event, .access = &one, .record = record };
    t.record.how |= access->late && access->store ? LW_RACE_LATE : 0u;
    judge->by_lane = false;
    touch_lanes(&t, lines, seen);
    if (!judge->lanes_matter || !access->again)
        return;
    /* the last lane leaves the same behind, whether those before it are looked at or not */
    one.lane += judge->by_lane ? 1 : access->again;
    for (; one.lane <= access->lane + access->again; one.lane++)
        touch_lanes(&t, lines, seen);
}
