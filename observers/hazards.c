/* SPDX-License-Identifier: MIT */
/*
 * --check hazards. What matters about a wave's past is the last instructions that it executed, whatever their
 * lanes. Pasts are numbered; what an instruction finds after a past is computed once and then looked up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observers/check.h"
#include "observers/hazards.h"
#include "observers/live.h"
#include "observers/notes.h"

enum { RECENT = 24, PASTS = 1 << 13, MOST_PASTS = 1 << 18, NO_PAST = 0 };

/* An instruction of the past, with the wait states since then: `passes` counts each matrix instruction as its
 * passes, `states` as one. RDNA: the two numbers of lw_hazard_since. */
typedef struct recent {
    uint32_t note;
    uint8_t passes, states;
} recent;

typedef struct past {
    recent recent[RECENT]; /* the most recent last */
    uint32_t count;
    uint32_t chain; /* the next past with the same hash */
} past;

/* What happens when an instruction follows a past. */
typedef struct step {
    uint32_t note, past; /* the instruction, and the past that results */
    uint32_t next;       /* of the same past */
    uint32_t found;      /* its findings: index of the first in `founds`, plus 1 */
} step;

/* A finding of a step; the last one of a list has `last` set. */
typedef struct found {
    uint32_t finding;
    bool last;
} found;

typedef struct own_note {
    lw_hazard_note note;
    lw_finding_at at;
} own_note;

typedef struct growing {
    unsigned char *items;
    size_t count, capacity, size;
} growing;

typedef struct hazards {
    lw_check check;
    int target;
    bool tracks;                          /* scalar registers: lw_hazard_scalars_on */
    lw_note_list places;                  /* of uint32_t: the number of the place's note, plus 1 */
    growing notes;                        /* of own_note */
    growing pasts, firsts, steps, founds; /* firsts: of each past, its first step */
    uint32_t buckets[PASTS];              /* pasts by hash, plus 1 */
    lw_live_list waves;                   /* of wave_past */
    uint32_t era;                         /* how often all pasts have been discarded */
} hazards;

/* The state of a wave. */
typedef struct wave_past {
    uint32_t past, era;
    lw_hazard_scalars scalars; /* RDNA */
} wave_past;

static void *append(growing *g)
{
    if (g->count == g->capacity) {
        const size_t capacity = g->capacity ? 2 * g->capacity : 64;
        unsigned char *grown = realloc(g->items, capacity * g->size);
        if (!grown)
            return NULL;
        g->items = grown;
        g->capacity = capacity;
    }
    return memset(g->items + g->count++ * g->size, 0, g->size);
}

static void *item_of(const growing *g, size_t index)
{
    return g->items + index * g->size;
}

/* ---- Notes ---- */

static bool is_rdna(const hazards *h)
{
    return h->target >= LW_HZ_TARGETS;
}

static uint32_t add_note(hazards *h, const lw_hazard_note *note, const lw_event *event)
{
    own_note *own = append(&h->notes);
    if (!own)
        return UINT32_MAX;
    own->note = *note;
    lw_finding_at_event(&own->at, event);
    return (uint32_t)(h->notes.count - 1);
}

static uint32_t decoded(void *context, const lw_event *event)
{
    hazards *h = context;
    lw_hazard_note note;
    h->target = lw_hazard_target_of(event->arch);
    if (h->target < 0) {
        lw_check_unchecked(&h->check,
                           "the rules of this target's wait states are not known here: nothing was checked");
        return LW_SEE_NOTHING;
    }
    uint32_t *number = lw_note_of(&h->places, event->place);
    if (!number)
        return LW_SEE_NOTHING;
    lw_hazard_note_of(&note, event, (lw_hazard_target)h->target);
    h->tracks = is_rdna(h) && lw_hazard_tracks((lw_hazard_target)h->target, &note);
    *number = add_note(h, &note, event) + 1;
    return *number ? LW_SEE_BEFORE : LW_SEE_NOTHING;
}

/* Registers that are addressed through an index: one note for each set of registers. */
static uint32_t moved_note(hazards *h, const lw_event *event)
{
    lw_hazard_note note;
    lw_hazard_note_of(&note, event, (lw_hazard_target)h->target);
    for (size_t i = h->notes.count; i-- > 0;)
        if (memcmp(&((own_note *)item_of(&h->notes, i))->note, &note, sizeof(note)) == 0)
            return (uint32_t)i;
    return add_note(h, &note, event);
}

/* ---- Findings ---- */

static bool add_found(hazards *h, const lw_event *event, const own_note *earlier, const own_note *later,
                      const lw_hazard_need *need, lw_severity severity, unsigned states)
{
    const lw_finding_new made = { .severity = severity,
                                  .rule = need->rule,
                                  .why = need->why,
                                  .place = &later->at,
                                  .other = earlier ? &earlier->at : NULL,
                                  .lane = -1 };
    bool fresh;
    const size_t index = lw_finding_find(&h->check.findings, event, &made, &fresh);
    found *f = index == SIZE_MAX ? NULL : append(&h->founds);
    if (!f)
        return false;
    f->finding = (uint32_t)index;
    if (fresh) {
        lw_finding_record *r = &h->check.findings.records[index];
        lw_hazard_write_what(r->what, event, need, states);
        lw_hazard_write_cure(r->cure, need->states - states, later->at.code_offset);
    }
    return true;
}

/* ---- Pasts ---- */

static own_note *note_at(const hazards *h, uint32_t note)
{
    return item_of(&h->notes, note);
}

/* The first register that `earlier` writes and `later` reads; UINT16_MAX: none. */
static uint16_t shared_vector(const lw_hazard_note *earlier, const lw_hazard_note *later)
{
    for (unsigned i = 0; i < earlier->count; i++)
        for (unsigned k = 0; k < later->count; k++) {
            const lw_hazard_operand *w = &earlier->operands[i], *r = &later->operands[k];
            if (w->written && w->registers == LW_HZ_VECTOR && r->read && r->first < w->first + w->count &&
                w->first < r->first + r->count)
                return w->first > r->first ? w->first : r->first;
        }
    return UINT16_MAX;
}

/* A memory instruction reads what a vector instruction wrote, with one between them that moves to or from
 * accumulation registers (gfx908) or multiplies matrices of binary64 (gfx90a). This needs 2 wait states, of
 * which the one between counts as one. */
static lw_hazard_need need_between(const hazards *h, const past *p, unsigned earlier,
                                   const lw_hazard_note *later)
{
    static const lw_hazard_need none = { 0 };
    static const lw_hazard_need needs[] = {
        [LW_HZ_GFX908] = { 2, "valu-acc-memory",
                           "a memory instruction reads what a vector instruction wrote, and v_accvgpr_read "
                           "or "
                           "v_accvgpr_write stands between them (LLVM: gfx908 only)",
                           UINT16_MAX, false },
        [LW_HZ_GFX90A] = { 2, "valu-dgemm-memory",
                           "a memory instruction reads what a vector instruction wrote, and a matrix "
                           "instruction of binary64 stands between them (LLVM: gfx90a only)",
                           UINT16_MAX, false },
    };
    const uint32_t middle = h->target == LW_HZ_GFX908 ? LW_HZ_ACC_READ | LW_HZ_ACC_WRITE : LW_HZ_DGEMM;
    const lw_hazard_note *e = &note_at(h, p->recent[earlier].note)->note;
    bool between = false;
    if (h->target > LW_HZ_GFX90A || !(e->kinds & LW_HZ_VALU) || !(later->kinds & (LW_HZ_VMEM | LW_HZ_LDS)) ||
        e->kinds & middle)
        return none;
    for (unsigned i = earlier + 1; i < p->count; i++)
        between = between || note_at(h, p->recent[i].note)->note.kinds & middle;
    lw_hazard_need need = needs[h->target];
    need.reg = between ? shared_vector(e, later) : UINT16_MAX;
    return need.reg == UINT16_MAX ? none : need;
}

static void add_lack(hazards *h, const recent *r, const own_note *later, lw_hazard_lack lack,
                     const lw_event *event)
{
    const own_note *earlier = note_at(h, r->note);
    const lw_hazard_need need = { .rule = lack.rule, .why = lack.why, .reg = lack.reg };
    if (!lack.rule || !add_found(h, event, earlier, later, &need, lack.severity, r->states))
        return;
    const found *f = item_of(&h->founds, h->founds.count - 1);
    lw_finding_record *record = &h->check.findings.records[f->finding];
    lw_hazard_write_vectors(record->what, event, &lack, r->states);
    lw_hazard_write_nops(record->cure, &lack, r->states, later->at.code_offset);
}

static void look_at_rdna(hazards *h, const past *p, const own_note *later, const lw_event *event)
{
    const lw_hazard_target target = (lw_hazard_target)h->target;
    lw_hazard_recent list[RECENT];
    for (unsigned i = 0; i < p->count; i++) {
        const recent *r = &p->recent[i];
        list[i] = (lw_hazard_recent){ &note_at(h, r->note)->note, { r->states, r->passes } };
        add_lack(h, r, later, lw_hazard_rdna_between(target, list[i].note, &later->note, list[i].since),
                 event);
    }
    unsigned by = 0;
    const lw_hazard_lack lack = lw_hazard_rdna_among(target, list, p->count, &later->note, &by);
    if (lack.rule)
        add_lack(h, &p->recent[by], later, lack, event);
}

static void look_at(hazards *h, const past *p, unsigned at, const own_note *later, const lw_event *event)
{
    const recent *r = &p->recent[at];
    const own_note *earlier = note_at(h, r->note);
    const lw_hazard_needs needs =
        lw_hazard_between((lw_hazard_target)h->target, &earlier->note, &later->note);
    const lw_hazard_need between = need_between(h, p, at, &later->note);
    const unsigned error = needs.error.states > r->passes ? needs.error.states - r->passes : 0;
    if (error)
        add_found(h, event, earlier, later, &needs.error, LW_SEVERITY_ERROR, r->passes);
    if (needs.strict.states > r->states + error)
        add_found(h, event, earlier, later, &needs.strict, LW_SEVERITY_STRICT, r->states);
    if (between.states > r->states)
        add_found(h, event, earlier, later, &between, LW_SEVERITY_ERROR, r->states);
}

/* The findings of an instruction after a past: index of the first in `founds`, plus 1; 0: none. */
static uint32_t look_back(hazards *h, const past *p, uint32_t note, const lw_event *event)
{
    const size_t first = h->founds.count;
    if (is_rdna(h))
        look_at_rdna(h, p, note_at(h, note), event);
    for (unsigned i = 0; !is_rdna(h) && i < p->count; i++)
        look_at(h, p, i, note_at(h, note), event);
    if (h->founds.count == first)
        return 0;
    ((found *)item_of(&h->founds, h->founds.count - 1))->last = true;
    return (uint32_t)first + 1;
}

static uint8_t add_states(uint8_t a, unsigned b)
{
    return (uint8_t)(a + b > UINT8_MAX ? UINT8_MAX : a + b);
}

/* Counts the next instruction; false: the earlier one no longer matters. */
static bool count_on(const hazards *h, recent *r, const lw_hazard_note *next)
{
    const lw_hazard_note *earlier = &note_at(h, r->note)->note;
    if (is_rdna(h)) {
        lw_hazard_since since = { .vectors = r->states, .others = r->passes };
        const bool matters = lw_hazard_rdna_on(earlier, next, &since);
        r->states = since.vectors;
        r->passes = since.others;
        return matters;
    }
    r->passes = add_states(r->passes, next->passes > next->wait_states ? next->passes : next->wait_states);
    r->states = add_states(r->states, next->wait_states);
    return r->states < earlier->longest;
}

/* What remains of `from` after one more instruction. */
static void go_on(const hazards *h, past *to, const past *from, uint32_t note)
{
    const lw_hazard_note *n = &note_at(h, note)->note;
    memset(to, 0, sizeof(*to));
    for (unsigned i = 0; i < from->count; i++) {
        recent r = from->recent[i];
        if (count_on(h, &r, n) && to->count < RECENT)
            to->recent[to->count++] = r;
    }
    if (to->count == RECENT)
        memmove(to->recent, to->recent + 1, (size_t)--to->count * sizeof(recent));
    to->recent[to->count++] = (recent){ .note = note };
}

static uint32_t hash_of(const past *p)
{
    uint32_t hash = 2166136261u;
    for (unsigned i = 0; i < p->count; i++)
        hash = (hash ^ (p->recent[i].note * 65599u + p->recent[i].states * 257u + p->recent[i].passes)) *
               16777619u;
    return (hash ^ hash >> 15) % PASTS;
}

/* The number of a past, which is added if it is new; NO_PAST: no host memory. */
static uint32_t past_number(hazards *h, const past *p)
{
    uint32_t *bucket = &h->buckets[hash_of(p)];
    for (uint32_t at = *bucket; at; at = ((past *)item_of(&h->pasts, at))->chain) {
        const past *have = item_of(&h->pasts, at);
        if (have->count == p->count && memcmp(have->recent, p->recent, sizeof(p->recent)) == 0)
            return at;
    }
    past *made = append(&h->pasts);
    if (!made)
        return NO_PAST;
    if (!append(&h->firsts)) {
        h->pasts.count--;
        return NO_PAST;
    }
    *made = *p;
    made->chain = *bucket;
    return *bucket = (uint32_t)(h->pasts.count - 1);
}

/* Number 0 is the past of a wave that begins. If a program has too many pasts, all are discarded. */
static bool forget(hazards *h)
{
    h->pasts.count = h->firsts.count = h->steps.count = 0;
    h->era++;
    memset(h->buckets, 0, sizeof(h->buckets));
    return append(&h->pasts) && append(&h->firsts) && append(&h->steps);
}

static step *make_step(hazards *h, uint32_t from, uint32_t note, const lw_event *event)
{
    const past before = *(past *)item_of(&h->pasts, from);
    past after;
    const uint32_t found_at = look_back(h, &before, note, event);
    go_on(h, &after, &before, note);
    const uint32_t to = past_number(h, &after);
    step *made = to == NO_PAST ? NULL : append(&h->steps);
    if (!made)
        return NULL;
    uint32_t *first = item_of(&h->firsts, from);
    *made = (step){ .note = note, .past = to, .next = *first, .found = found_at };
    *first = (uint32_t)(h->steps.count - 1);
    return made;
}

static inline const step *find_step(const hazards *h, uint32_t from, uint32_t note)
{
    const step *steps = (const step *)(const void *)h->steps.items;
    uint32_t at = ((const uint32_t *)(const void *)h->firsts.items)[from];
    while (at && steps[at].note != note)
        at = steps[at].next;
    return at ? &steps[at] : NULL;
}

static void count_found(hazards *h, const step *s)
{
    for (uint32_t at = s->found; at; at++) {
        const found *f = item_of(&h->founds, at - 1);
        h->check.findings.records[f->finding].finding.times++;
        if (f->last)
            return;
    }
}

/* A scalar register read too early. */
static void tell_slip(hazards *h, const lw_hazard_slip *slip, const own_note *later, const lw_event *event)
{
    const own_note *earlier = note_at(h, slip->writer);
    const lw_finding_new made = { .severity = slip->lack.severity,
                                  .rule = slip->lack.rule,
                                  .why = slip->lack.why,
                                  .place = &later->at,
                                  .other = &earlier->at,
                                  .lane = -1 };
    bool fresh;
    const size_t index = lw_finding_find(&h->check.findings, event, &made, &fresh);
    if (index == SIZE_MAX)
        return;
    lw_finding_record *r = &h->check.findings.records[index];
    r->finding.times++;
    if (!fresh)
        return;
    char name[16] = "it";
    lw_reg_file file;
    unsigned number;
    lw_hazard_register(slip->lack.reg, &file, &number);
    lw_event_register_name(event, file, number, name, sizeof(name));
    snprintf(r->what, LW_FINDING_WHAT, "%s is read after it was written, with no wait for the write between",
             name);
    snprintf(r->cure, LW_FINDING_CURE, "insert %s %s before +0x%llx",
             h->target == LW_HZ_GFX12 ? "s_wait_alu" : "s_waitcnt_depctr", slip->lack.cure,
             (unsigned long long)later->at.code_offset);
}

static void go_slowly(hazards *h, wave_past *now, uint32_t note, const lw_event *event)
{
    if (note == UINT32_MAX || (h->pasts.count > MOST_PASTS && !forget(h)))
        return;
    if (now->era != h->era) {
        now->past = 0;
        now->era = h->era;
    }
    lw_hazard_slip slip;
    const own_note *own = note_at(h, note);
    if (h->tracks &&
        lw_hazard_scalars_on(&now->scalars, (lw_hazard_target)h->target, &own->note, note, &slip))
        tell_slip(h, &slip, own, event);
    const step *s = find_step(h, now->past, note);
    if (!s && !(s = make_step(h, now->past, note, event)))
        return;
    if (s->found)
        count_found(h, s);
    now->past = s->past;
}

static void before(void *context, const lw_event *event)
{
    hazards *h = context;
    wave_past *now = lw_live_of(&h->waves, event);
    const uint32_t *number = lw_note_of(&h->places, event->place);
    if (!now || !number || !*number)
        return;
    if (!event->moved && !h->tracks && now->era == h->era) {
        const step *s = find_step(h, now->past, *number - 1);
        if (s && !s->found) {
            now->past = s->past;
            return;
        }
    }
    go_slowly(h, now, event->moved ? moved_note(h, event) : *number - 1, event);
}

static void wave_begin(void *context, const lw_event *event)
{
    hazards *h = context;
    wave_past *now = lw_live_of(&h->waves, event);
    if (now)
        *now = (wave_past){ .era = h->era };
}

static void wave_end(void *context, const lw_event *event)
{
    lw_live_end(&((hazards *)context)->waves, event);
}

static bool begin(lw_check *check)
{
    hazards *h = (hazards *)check;
    h->places.item_size = sizeof(uint32_t);
    h->waves.item_size = sizeof(wave_past);
    h->notes.size = sizeof(own_note);
    h->pasts.size = sizeof(past);
    h->firsts.size = sizeof(uint32_t);
    h->steps.size = sizeof(step);
    h->founds.size = sizeof(found);
    check->observer.decoded = decoded;
    check->observer.before = before;
    check->observer.wave_begin = wave_begin;
    check->observer.wave_end = wave_end;
    lw_check_unchecked(check, "paths that no wave took; memory instructions that XNACK may replay");
    return forget(h);
}

static void release(lw_check *check)
{
    hazards *h = (hazards *)check;
    lw_note_free(&h->places);
    lw_live_free(&h->waves, NULL);
    free(h->notes.items);
    free(h->pasts.items);
    free(h->firsts.items);
    free(h->steps.items);
    free(h->founds.items);
}

const lw_check_row lw_check_hazards = {
    .name = "hazards",
    .summary = "wait states that software must keep between two instructions",
    .size = sizeof(hazards),
    .begin = begin,
    .release = release,
};
