/* SPDX-License-Identifier: MIT */
/* --check waits. Every wave has a queue of what it has issued. A register that an operation in the queue will
 * write must not be read or written before a wait has proved the operation complete. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observers/waits.h"

enum { MAX_RUNS = LW_WAITS_RUNS, SPANS = 6 };

/* What every execution looks at: the registers that the place uses, as rows. */
typedef struct wait_quick {
    bool known;
    bool acts;  /* issues or lw_waits */
    bool whole; /* all its registers are here */
    uint8_t count;
    uint8_t counts[SPANS];
    uint16_t rows[SPANS];
} wait_quick;

static const char raw_rule[] = "read-before-wait", waw_rule[] = "overwrite-before-wait",
                  lds_rule[] = "lds-before-wait", source_rule[] = "lds-source-before-wait";
static const char order_rule[] = "lds-overwrite-order";

static void wave_begin(void *context, const lw_event *event)
{
    lw_waits *w = context;
    w->target = lw_pending_target_of(event->arch);
    lw_shadow_layout(&w->rows, event);
    lw_pending *p = lw_live_of(&w->waves, event);
    if (p && !lw_pending_begin(p, w->rows.total))
        lw_live_end(&w->waves, event);
    lw_translations_begin(w, event);
}

static void wave_end(void *context, const lw_event *event)
{
    lw_waits *w = context;
    lw_live_end(&w->waves, event);
    lw_live_end(&w->translating, event);
}

static void set_quick(wait_quick *quick, const lw_wait_place *place)
{
    *quick = (wait_quick){ .known = true, .acts = place->kind.issues || place->kind.waits, .whole = true };
    for (unsigned i = 0; i < place->count; i++) {
        const lw_shadow_run *run = &place->runs[i];
        if (run->row > UINT16_MAX || run->count > UINT8_MAX || quick->count == SPANS) {
            quick->whole = false;
            return;
        }
        quick->rows[quick->count] = (uint16_t)run->row;
        quick->counts[quick->count++] = (uint8_t)run->count;
    }
}

static uint32_t decoded(void *context, const lw_event *event)
{
    lw_waits *w = context;
    const lw_facts *f = event->facts;
    if (!lw_pending_target_of(event->arch)) {
        lw_check_unchecked(&w->check, "the counters of this target are not known here: nothing was checked");
        return LW_SEE_NOTHING;
    }
    lw_wait_place *place = lw_note_of(&w->places, event->place);
    wait_quick *quick = lw_note_of(&w->quick, event->place);
    if (!place || !quick)
        return LW_SEE_NOTHING;
    memset(place, 0, sizeof(*place));
    lw_pending_kind_of(&place->kind, f);
    const size_t count = lw_shadow_runs(&w->rows, f, place->runs, MAX_RUNS);
    place->count = (uint8_t)(count < MAX_RUNS ? count : MAX_RUNS);
    const bool counted = f->counters[LW_COUNTER_ASYNC].raises || f->counters[LW_COUNTER_TENSOR].raises;
    lw_translation_kind_of(&place->translation, f);
    w->repeats = w->repeats || place->translation.issues;
    const bool copies = f->memory.to_lds || f->counters[LW_COUNTER_TENSOR].raises;
    place->from_lds = copies && counted && f->memory.store && !f->memory.load;
    place->to_lds = copies && !place->from_lds;
    place->reads_lds = f->kind == LW_CLASS_LDS && (f->memory.load || f->memory.store);
    place->known = true;
    set_quick(quick, place);
    lw_finding_at_event(&place->at, event);
    const bool lds = place->to_lds || place->from_lds || place->reads_lds;
    const bool acts = place->kind.issues || place->kind.waits || place->translation.awaits >= 0;
    return (place->count || acts ? LW_SEE_BEFORE : 0u) |
           (lds ? LW_SEE_AFTER | LW_SEE_ACCESSES | LW_SEE_RUNS | LW_SEE_ONCE : 0u);
}

uint64_t lw_waits_lanes(const lw_event *event, const lw_shadow_run *run)
{
    return run->lanes == LW_LANES_SCALAR   ? 1
           : run->lanes == LW_LANES_ACTIVE ? event->exec
                                           : lw_event_lanes(event, &event->facts->operands[run->operand]);
}

/* ---- Findings ---- */

/* "insert s_waitcnt vmcnt(1) before +0x1a8"; gfx12: "insert s_wait_loadcnt 1 before +0x1a8". */
static void write_cure(char *cure, const lw_pending *p, const lw_pending_target *target,
                       const lw_pending_op *op, uint64_t before)
{
    static const char *const names[LW_COUNTER_COUNT] = { "vmcnt", "lgkmcnt",  "expcnt",    "vscnt",
                                                         "kmcnt", "asynccnt", "tensorcnt", "xcnt" };
    const bool apart = target->names[LW_COUNTER_VM] != NULL; /* an instruction for each counter */
    int at = snprintf(cure, LW_FINDING_CURE, "insert%s", apart ? "" : " s_waitcnt");
    bool more = false;
    for (int c = 0; c < LW_COUNTER_COUNT; c++)
        if (op->tokens[c] && lw_pending_shows(op, (lw_counter)c) && at > 0 && at < LW_FINDING_CURE) {
            const unsigned left = lw_pending_left_for(p, target, op, (lw_counter)c);
            at += snprintf(cure + at, (size_t)(LW_FINDING_CURE - at), apart ? "%s %s %u" : "%s %s(%u)",
                           apart && more ? " and" : "", apart ? target->names[c] : names[c], left);
            more = true;
        }
    if (at > 0 && at < LW_FINDING_CURE)
        snprintf(cure + at, (size_t)(LW_FINDING_CURE - at), " before +0x%llx", (unsigned long long)before);
}

/* What is reported about an operation that is still pending. */
typedef struct broken {
    lw_severity severity;
    const char *rule, *why;
    char subject[48]; /* "v17 is read" */
    int lane;
} broken;

static void tell(lw_waits *w, lw_pending *p, const lw_pending_op *op, const lw_wait_place *place,
                 const lw_event *event, const broken *b)
{
    const lw_wait_place *earlier = lw_note_of(&w->places, op->place);
    const lw_finding_new made = { .severity = b->severity,
                                  .rule = b->rule,
                                  .why = b->why,
                                  .place = &place->at,
                                  .other = earlier ? &earlier->at : NULL,
                                  .lane = b->lane };
    bool fresh;
    const size_t index = lw_finding_find(&w->check.findings, event, &made, &fresh);
    if (index == SIZE_MAX)
        return;
    lw_finding_record *r = &w->check.findings.records[index];
    r->finding.times++;
    if (fresh) {
        snprintf(r->what, sizeof(r->what), "%s while the operation that %s it is under way", b->subject,
                 b->rule == source_rule ? "reads" : "writes");
        write_cure(r->cure, p, w->target, op, place->at.code_offset);
    }
}

int lw_waits_first_lane(const lw_shadow_run *run, uint64_t lanes)
{
    int lane = 0;
    if (run->lanes == LW_LANES_SCALAR)
        return -1;
    while (lanes && !(lanes >> lane & 1))
        lane++;
    return lane;
}

static uint8_t pending_bytes(const lw_pending_op *op, uint32_t row)
{
    uint8_t bytes = 0;
    for (unsigned i = 0; i < op->run_count; i++)
        if (row >= op->runs[i].row && row - op->runs[i].row < op->runs[i].count)
            bytes |= op->runs[i].bytes;
    return bytes;
}

static void tell_register(lw_waits *w, lw_pending *p, const lw_pending_op *op, const lw_wait_place *place,
                          const lw_event *event, const lw_shadow_run *run, unsigned reg, bool read,
                          uint64_t lanes)
{
    char name[16];
    broken b = { .severity = LW_SEVERITY_ERROR, .lane = lw_waits_first_lane(run, lanes & op->lanes) };
    const bool in_order = !read && op->class == LW_PENDING_LDS && place->kind.class == LW_PENDING_LDS;
    b.rule = read ? raw_rule : in_order ? order_rule : waw_rule;
    b.why =
        read ? "the result of a load is not available before a wait that covers the load: the old or the new "
               "value is read"
        : in_order
            ? "LLVM waits there; operations of LDS complete in their order, so that the later one should win"
            : "the load completes later and overwrites what was written";
    b.severity = in_order ? LW_SEVERITY_STRICT : LW_SEVERITY_ERROR;
    lw_event_register_name(event, (lw_reg_file)run->file, reg, name, sizeof(name));
    snprintf(b.subject, sizeof(b.subject), "%s is %s", name, read ? "read" : "written");
    tell(w, p, op, place, event, &b);
    lw_pending_forget(p, op);
}

/* Vector memory loads complete in order before gfx12: if two load the same register, the later one wins. */
static bool may_overwrite(const lw_waits *w, const lw_pending_op *op, const lw_wait_place *place)
{
    return !w->target->loads_cross && op->class == LW_PENDING_VMEM && place->kind.class == LW_PENDING_VMEM &&
           place->kind.issues;
}

static void check_run(lw_waits *w, lw_pending *p, const lw_wait_place *place, const lw_event *event,
                      const lw_shadow_run *run)
{
    for (uint32_t row = run->row; row < run->row + run->count; row++) {
        const unsigned slot = p->row_ops[row];
        if (!slot)
            continue;
        const lw_pending_op *op = &p->ops[slot - 1];
        const uint64_t lanes = lw_waits_lanes(event, run);
        const uint8_t bytes = pending_bytes(op, row);
        const unsigned reg = run->reg + (row - run->row);
        if (!(lanes & op->lanes) || run->lanes == LW_LANES_ONE)
            continue;
        if (run->read & bytes)
            tell_register(w, p, op, place, event, run, reg, true, lanes);
        else if (run->written & bytes && !may_overwrite(w, op, place))
            tell_register(w, p, op, place, event, run, reg, false, lanes);
    }
}

/* ---- Events ---- */

static void claim(lw_pending *p, lw_pending_op *op, const lw_wait_place *place, const lw_shadow_run *runs,
                  size_t count, const lw_event *event)
{
    for (size_t i = 0; i < count && op->run_count < LW_PENDING_RUNS; i++) {
        if (!runs[i].written)
            continue;
        op->lanes |= lw_waits_lanes(event, &runs[i]);
        op->runs[op->run_count].row = runs[i].row;
        op->runs[op->run_count].count = runs[i].count;
        op->runs[op->run_count++].bytes = runs[i].written;
    }
    op->copies = place->to_lds || place->from_lds;
    op->from_lds = place->from_lds;
    lw_pending_claim(p, op);
}

static bool uses_pending(const lw_pending *p, const wait_quick *quick)
{
    for (unsigned i = 0; i < quick->count; i++)
        if (lw_pending_any(p, quick->rows[i], quick->counts[i]))
            return true;
    return !quick->whole;
}

/* The registers of this execution; `moved` has room for those that differ from the place's. */
static const lw_shadow_run *runs_of(const lw_waits *w, const lw_wait_place *place, const lw_event *event,
                                    lw_shadow_run *moved, size_t *count)
{
    *count = place->count;
    if (!event->moved)
        return place->runs;
    *count = lw_shadow_runs(&w->rows, event->facts, moved, MAX_RUNS);
    *count = *count < MAX_RUNS ? *count : MAX_RUNS;
    return moved;
}

static void follow_sources(lw_waits *w, const lw_wait_place *place, const lw_event *event)
{
    lw_shadow_run moved[MAX_RUNS];
    size_t count;
    const lw_shadow_run *runs = runs_of(w, place, event, moved, &count);
    lw_translations_follow(w, place, runs, count, event);
}

static void act(lw_waits *w, lw_pending *p, const lw_wait_place *place, const wait_quick *quick,
                const lw_event *event)
{
    lw_shadow_run moved[MAX_RUNS];
    size_t count;
    const lw_shadow_run *runs = runs_of(w, place, event, moved, &count);
    if (place->kind.waits)
        lw_pending_wait(p, w->target, &place->kind);
    if (place->kind.issues)
        lw_pending_make_room(p, w->target, &place->kind);
    if (p->count && (event->moved || uses_pending(p, quick)))
        for (size_t i = 0; i < count; i++)
            check_run(w, p, place, event, &runs[i]);
    if (place->kind.issues)
        claim(p, lw_pending_issue(p, &place->kind, event->place), place, runs, count, event);
    if (place->reads_lds && !p->copies)
        lw_event_decline(event);
}

static void before(void *context, const lw_event *event)
{
    lw_waits *w = context;
    lw_pending *p = lw_live_of(&w->waves, event);
    const wait_quick *quick = lw_note_of(&w->quick, event->place);
    if (!p || !p->row_ops || !quick || !quick->known || !w->target)
        return;
    if (w->repeats)
        follow_sources(w, lw_note_of(&w->places, event->place), event);
    if (!quick->acts && !event->moved && (!p->count || !uses_pending(p, quick)))
        return;
    const lw_wait_place *place = lw_note_of(&w->places, event->place);
    if (place)
        act(w, p, place, quick, event);
}

static uint64_t end_of(const lw_memory_access *a)
{
    return a->address + a->size * (1 + (uint64_t)a->more);
}

/* The bytes of LDS that a copy will write or read. */
static void note_copy(lw_pending *p, const lw_event *event)
{
    lw_pending_op *op = p->count ? &p->ops[p->order[p->count - 1]] : NULL;
    if (!op || op->place != event->place || !op->copies)
        return;
    op->lds_first = UINT32_MAX;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (a->space != LW_SPACE_LDS || (op->from_lds ? !a->load : !a->store) || a->dropped)
            continue;
        op->lds_first = a->address < op->lds_first ? (uint32_t)a->address : op->lds_first;
        const uint64_t end = end_of(a);
        op->lds_end = end > op->lds_end ? (uint32_t)end : op->lds_end;
    }
}

static const char *why_of_copy(const lw_pending_op *op)
{
    if (op->from_lds)
        return lw_pending_shows(op, LW_COUNTER_TENSOR)
                   ? "a copy of a tile from LDS has read when tensorcnt says so; no other counter shows it"
                   : "a copy from LDS has read when asynccnt says so; no other counter shows it";
    if (op->class != LW_PENDING_ASYNC && op->class != LW_PENDING_TENSOR)
        return "a load to LDS has written when vmcnt says so; lgkmcnt does not count it";
    return lw_pending_shows(op, LW_COUNTER_TENSOR)
               ? "a copy of a tile to LDS has written when tensorcnt says so; no other counter shows it"
               : "a copy to LDS has written when asynccnt says so; loadcnt and dscnt do not show it";
}

static void check_lds(lw_waits *w, lw_pending *p, const lw_wait_place *place, const lw_event *event,
                      const lw_pending_op *op)
{
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        const bool harmless = op->from_lds && !a->store;
        if (a->space != LW_SPACE_LDS || harmless || a->dropped || a->address >= op->lds_end ||
            end_of(a) <= op->lds_first)
            continue;
        const uint64_t before = op->lds_first > a->address ? (op->lds_first - a->address) / a->size : 0;
        const uint64_t at = a->address + before * a->size;
        broken b = { LW_SEVERITY_ERROR, op->from_lds ? source_rule : lds_rule, why_of_copy(op), "",
                     a->lane + (int)before };
        snprintf(b.subject, sizeof(b.subject), "LDS byte 0x%llx is %s", (unsigned long long)at,
                 a->store ? "written" : "read");
        tell(w, p, op, place, event, &b);
        lw_pending_forget(p, op);
        return;
    }
}

/* From the first byte of LDS that the event accesses to the end of the last one. */
static void span_of(const lw_event *event, uint64_t *first, uint64_t *end)
{
    *first = UINT64_MAX;
    *end = 0;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (a->space != LW_SPACE_LDS)
            continue;
        const uint64_t after_it = end_of(a);
        *first = a->address < *first ? a->address : *first;
        *end = after_it > *end ? after_it : *end;
    }
}

static void after(void *context, const lw_event *event)
{
    lw_waits *w = context;
    lw_pending *p = lw_live_of(&w->waves, event);
    const lw_wait_place *place = lw_note_of(&w->places, event->place);
    if (!p || !p->row_ops || !place || !place->known || !w->target)
        return;
    if (place->to_lds || place->from_lds) {
        note_copy(p, event);
        return;
    }
    uint64_t first, end;
    span_of(event, &first, &end);
    for (unsigned at = 0; at < p->count; at++) {
        const lw_pending_op *op = &p->ops[p->order[at]];
        if (op->copies && op->lds_first < end && first < op->lds_end)
            check_lds(w, p, place, event, op);
    }
}

static bool begin(lw_check *check)
{
    lw_waits *w = (lw_waits *)check;
    w->quick.item_size = sizeof(wait_quick);
    w->places.item_size = sizeof(lw_wait_place);
    w->waves.item_size = sizeof(lw_pending);
    w->translating.item_size = sizeof(lw_translations);
    check->observer.decoded = decoded;
    check->observer.before = before;
    check->observer.after = after;
    check->observer.wave_begin = wave_begin;
    check->observer.wave_end = wave_end;
    lw_check_unchecked(check,
                       "paths that no wave took; what other waves read before a wait of this one (races)");
    return true;
}

static void release_wave(void *item)
{
    lw_pending_release(item);
}

static void release(lw_check *check)
{
    lw_waits *w = (lw_waits *)check;
    lw_note_free(&w->quick);
    lw_note_free(&w->places);
    lw_live_free(&w->waves, release_wave);
    lw_live_free(&w->translating, lw_translations_release);
}

const lw_check_row lw_check_waits = {
    .name = "waits",
    .summary = "registers and LDS that are used before a wait covers the load that writes them",
    .size = sizeof(lw_waits),
    .begin = begin,
    .release = release,
};
