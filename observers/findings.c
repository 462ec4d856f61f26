/* SPDX-License-Identifier: MIT */
#include "observers/findings.h"

#include <stdlib.h>
#include <string.h>

void lw_finding_at_event(lw_finding_at *at, const lw_event *event)
{
    at->code_offset = event->code_offset;
    at->pc = event->pc;
    lw_event_text(event, at->instruction, sizeof(at->instruction));
}

static bool is_same(const lw_finding_record *r, const lw_finding_new *made)
{
    return r->finding.rule == made->rule && r->finding.severity == made->severity &&
           r->place.pc == made->place->pc && r->finding.other.known == (made->other != NULL) &&
           (!made->other || r->other.pc == made->other->pc);
}

static bool grow(lw_finding_list *list)
{
    if (list->count < list->capacity)
        return true;
    const size_t capacity = list->capacity ? 2 * list->capacity : 16;
    lw_finding_record *records = realloc(list->records, capacity * sizeof(*records));
    if (!records)
        return false;
    list->records = records;
    list->capacity = capacity;
    return true;
}

/* The source line of another place in the same program. */
static void set_line(const lw_event *event, const lw_finding_at *at, lw_line *line)
{
    lw_event there = *event;
    there.pc = at->pc;
    lw_event_line(&there, line);
}

size_t lw_finding_find(lw_finding_list *list, const lw_event *event, const lw_finding_new *made, bool *fresh)
{
    *fresh = false;
    for (size_t i = 0; i < list->count; i++)
        if (is_same(&list->records[i], made))
            return i;
    if (!grow(list))
        return SIZE_MAX;
    lw_finding_record *r = &list->records[list->count];
    memset(r, 0, sizeof(*r));
    r->finding = (lw_finding){ .severity = made->severity,
                               .rule = made->rule,
                               .why = made->why,
                               .wave = event->wave,
                               .lane = made->lane,
                               .place.known = true,
                               .other.known = made->other != NULL };
    memcpy(r->finding.workgroup, event->workgroup, sizeof(r->finding.workgroup));
    r->place = *made->place;
    set_line(event, made->place, &r->finding.place.source);
    if (made->other) {
        r->other = *made->other;
        set_line(event, made->other, &r->finding.other.source);
    }
    *fresh = true;
    return list->count++;
}

static bool is_listed(const lw_finding_record *r, bool strict)
{
    return r->finding.times && (strict || r->finding.severity != LW_SEVERITY_STRICT);
}

size_t lw_finding_count(const lw_finding_list *list, bool strict)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += is_listed(&list->records[i], strict);
    return count;
}

/* Is finding `a` listed before `b`? Errors come first; then the address decides. */
static bool is_before(const lw_finding_list *list, uint32_t a, uint32_t b)
{
    const lw_finding_record *x = &list->records[a], *y = &list->records[b];
    if (x->finding.severity != y->finding.severity)
        return x->finding.severity < y->finding.severity;
    if (x->place.code_offset != y->place.code_offset)
        return x->place.code_offset < y->place.code_offset;
    if (x->other.code_offset != y->other.code_offset)
        return x->other.code_offset < y->other.code_offset;
    return a < b;
}

/* Merges two sorted runs of `from` into `to`. */
static void merge(const lw_finding_list *list, const uint32_t *from, uint32_t *to, size_t lo, size_t mid,
                  size_t hi)
{
    size_t a = lo, b = mid;
    for (size_t i = lo; i < hi; i++)
        to[i] = a < mid && (b >= hi || !is_before(list, from[b], from[a])) ? from[a++] : from[b++];
}

static bool sort(lw_finding_list *list)
{
    uint32_t *from = malloc(list->count * sizeof(*from)), *to = malloc(list->count * sizeof(*to));
    if (!from || !to) {
        free(from);
        free(to);
        return false;
    }
    for (size_t i = 0; i < list->count; i++)
        from[i] = (uint32_t)i;
    for (size_t run = 1; run < list->count; run *= 2) {
        for (size_t lo = 0; lo < list->count; lo += 2 * run) {
            const size_t mid = lo + run < list->count ? lo + run : list->count;
            const size_t hi = lo + 2 * run < list->count ? lo + 2 * run : list->count;
            merge(list, from, to, lo, mid, hi);
        }
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    free(to);
    free(list->order);
    list->order = from;
    list->ordered = list->count;
    return true;
}

static lw_finding *finish(lw_finding_record *r)
{
    lw_finding *f = &r->finding;
    f->what = r->what;
    f->cure = r->cure;
    f->place.code_offset = r->place.code_offset;
    f->place.instruction = r->place.instruction;
    f->other.code_offset = r->other.code_offset;
    f->other.instruction = r->other.instruction;
    return f;
}

const lw_finding *lw_finding_get(lw_finding_list *list, size_t index, bool strict)
{
    if (list->ordered != list->count && !sort(list))
        return NULL;
    for (size_t i = 0; i < list->count; i++) {
        lw_finding_record *r = &list->records[list->order[i]];
        if (is_listed(r, strict) && index-- == 0)
            return finish(r);
    }
    return NULL;
}

void lw_finding_free(lw_finding_list *list)
{
    free(list->records);
    free(list->order);
    *list = (lw_finding_list){ 0 };
}
