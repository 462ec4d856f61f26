/* SPDX-License-Identifier: MIT */
/*
 * Registers that a memory operation reads, while its addresses are being translated (gfx1250). Where a page
 * is missing the operation is repeated, with what its registers hold then. xcnt shows that the translation is
 * done. LLVM 22 (SIInsertWaitcnts): registers of vector and scalar memory operations, and EXEC for those of
 * vector memory, are not to be written before; a vector load may write the sources of earlier ones, which are
 * translated then; operations of vector and of scalar memory wait for each other. Any wait for n of another
 * counter counts as one for xcnt, which LLVM assumes of loads and scalar loads alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observers/waits.h"

static const char source_rule[] = "source-before-wait";

void lw_translation_kind_of(lw_translation_kind *kind, const lw_facts *facts)
{
    *kind = (lw_translation_kind){ .issues = facts->counters[LW_COUNTER_X].raises != 0,
                                   .scalar = facts->kind == LW_CLASS_SCALAR_MEMORY,
                                   .awaits = -1 };
    for (int c = 0; c < LW_COUNTER_COUNT; c++) {
        const int16_t left = facts->counters[c].awaits;
        if (left >= 0 && (kind->awaits < 0 || left < kind->awaits))
            kind->awaits = left;
    }
}

void lw_translations_begin(lw_waits *w, const lw_event *event)
{
    lw_translations *t = lw_live_of(&w->translating, event);
    if (!t)
        return;
    if (t->rows < w->rows.total) {
        free(t->last);
        t->last = malloc(w->rows.total * sizeof(*t->last));
        t->rows = t->last ? w->rows.total : 0;
    }
    if (t->rows)
        memset(t->last, 0, t->rows * sizeof(*t->last));
    t->issued = t->done = 0;
}

void lw_translations_release(void *item)
{
    lw_translations *t = item;
    free(t->last);
    t->last = NULL;
}

static void wait_for(lw_translations *t, unsigned left)
{
    const uint64_t done = t->scalar && left ? 0 : t->issued > left ? t->issued - left : 0;
    t->done = done > t->done ? done : t->done;
}

static void tell(lw_waits *w, const lw_translations *t, const lw_wait_place *place, const lw_event *event,
                 const lw_shadow_run *run, unsigned reg, uint64_t number)
{
    const lw_wait_place *earlier = lw_note_of(&w->places, t->place[number % LW_TRANSLATIONS]);
    const uint64_t lanes = lw_waits_lanes(event, run);
    const lw_finding_new made = {
        .severity = LW_SEVERITY_WARNING,
        .rule = source_rule,
        .why = "where a page is missing, the operation is repeated, with what its registers hold then; xcnt "
               "shows that its addresses are translated",
        .place = &place->at,
        .other = earlier ? &earlier->at : NULL,
        .lane = lw_waits_first_lane(run, lanes & t->lanes[number % LW_TRANSLATIONS]),
    };
    bool fresh;
    const size_t index = lw_finding_find(&w->check.findings, event, &made, &fresh);
    if (index == SIZE_MAX)
        return;
    lw_finding_record *r = &w->check.findings.records[index];
    char name[16];
    r->finding.times++;
    if (!fresh)
        return;
    lw_event_register_name(event, (lw_reg_file)run->file, reg, name, sizeof(name));
    snprintf(r->what, sizeof(r->what), "%s is written while the operation that reads it may be repeated",
             name);
    snprintf(r->cure, sizeof(r->cure), "insert s_wait_xcnt %llu before +0x%llx",
             (unsigned long long)(t->scalar ? 0 : t->issued - number),
             (unsigned long long)place->at.code_offset);
}

static void check_write(lw_waits *w, lw_translations *t, const lw_wait_place *place, const lw_event *event,
                        const lw_shadow_run *run)
{
    for (uint32_t row = run->row; row < run->row + run->count && row < t->rows; row++) {
        const uint64_t number = t->last[row];
        const bool vector = lw_shadow_is_vector(run->file);
        if (number <= t->done ||
            (vector && !(lw_waits_lanes(event, run) & t->lanes[number % LW_TRANSLATIONS])))
            continue;
        tell(w, t, place, event, run, run->reg + (row - run->row), number);
        t->last[row] = 0;
    }
}

/* A vector load that writes what earlier operations read comes after their translation. */
static void pass_by(lw_translations *t, const lw_shadow_run *run)
{
    for (uint32_t row = run->row; row < run->row + run->count && row < t->rows; row++)
        t->done = t->last[row] > t->done ? t->last[row] : t->done;
}

static void issue(lw_waits *w, lw_translations *t, const lw_wait_place *place, const lw_shadow_run *runs,
                  size_t count, const lw_event *event)
{
    const uint32_t exec = w->rows.first[LW_FILE_NAMED] + LW_NAMED_EXEC_LO;
    if (t->issued - t->done == LW_TRANSLATIONS - 1) /* a full counter delays the next one */
        t->done++;
    const uint64_t number = ++t->issued;
    t->scalar = place->translation.scalar;
    t->place[number % LW_TRANSLATIONS] = event->place;
    t->lanes[number % LW_TRANSLATIONS] = event->exec;
    for (size_t i = 0; i < count; i++)
        for (uint32_t row = runs[i].row; runs[i].read && row < runs[i].row + runs[i].count; row++)
            if (row < t->rows)
                t->last[row] = number;
    for (uint32_t row = exec; !t->scalar && row < exec + 2 && row < t->rows; row++)
        t->last[row] = number;
}

void lw_translations_follow(lw_waits *w, const lw_wait_place *place, const lw_shadow_run *runs, size_t count,
                            const lw_event *event)
{
    lw_translations *t = lw_live_of(&w->translating, event);
    const lw_translation_kind *kind = &place->translation;
    if (!t || !t->rows)
        return;
    if (kind->awaits >= 0)
        wait_for(t, (unsigned)kind->awaits);
    if (kind->issues && kind->scalar != t->scalar)
        t->done = t->issued;
    const bool in_order = kind->issues && !kind->scalar;
    for (size_t i = 0; i < count && t->done < t->issued; i++) {
        if (runs[i].written && in_order)
            pass_by(t, &runs[i]);
        else if (runs[i].written)
            check_write(w, t, place, event, &runs[i]);
    }
    if (kind->issues)
        issue(w, t, place, runs, count, event);
}
