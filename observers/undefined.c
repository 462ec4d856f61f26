/* SPDX-License-Identifier: MIT */
/* --check uninit: data that nothing has written, reported where it decides something or leaves the wave. */
#include "observers/undefined.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ORIGINS = 1 << 14 };

static const char branch_rule[] = "undefined-branch", address_rule[] = "undefined-address",
                  barrier_rule[] = "undefined-barrier";
const char lw_lack_store_rule[] = "undefined-store", lw_lack_atomic_rule[] = "undefined-atomic",
           lw_lack_exec_rule[] = "undefined-exec";

static const struct {
    const char *rule, *what, *why;
} uses[] = {
    { branch_rule, "whether this executes or branches",
      "whether a branch is taken, or an instruction executes, must not depend on undefined data" },
    { lw_lack_exec_rule, "which lanes execute", "a lane mask in EXEC must not depend on undefined data" },
    { address_rule, "the address", "the address of an access must not depend on undefined data" },
    { barrier_rule, "a barrier, message or signal", "its operands must not depend on undefined data" },
    { lw_lack_atomic_rule, "the operand of an atomic operation",
      "an atomic operation must not use undefined data" },
    { lw_lack_store_rule, "what is stored to global memory",
      "other waves, kernels and the host see what is stored" },
};

enum { USES = sizeof(uses) / sizeof(uses[0]) };

/* ---- Origins ---- */

uint32_t lw_lack_origin_new(lw_lack_step *s, const char *what)
{
    lw_lack_check *c = s->check;
    for (size_t i = 0; i < c->origin_count; i++)
        if (c->origins[i].at.pc == s->place->at.pc && strcmp(c->origins[i].what, what) == 0)
            return (uint32_t)i + 1;
    if (c->origin_count == c->origin_room) {
        const size_t room = c->origin_room ? 2 * c->origin_room : 16;
        lw_lack_origin *grown = room <= MOST_ORIGINS ? realloc(c->origins, room * sizeof(*grown)) : NULL;
        if (!grown)
            return 0;
        c->origins = grown;
        c->origin_room = room;
    }
    lw_lack_origin *made = &c->origins[c->origin_count++];
    made->at = s->place->at;
    snprintf(made->what, sizeof(made->what), "%s", what);
    return (uint32_t)c->origin_count;
}

uint32_t lw_lack_origin_of(lw_lack_step *s, const lw_shadow_run *run, unsigned reg)
{
    uint32_t *origin = &s->wave->origin[run->row + reg];
    char name[LW_FINDING_CURE];
    if (*origin)
        return *origin;
    lw_event_register_name(s->event, (lw_reg_file)run->file, run->reg + reg, name, sizeof(name));
    return *origin = lw_lack_origin_new(s, name);
}

/* ---- Reports ---- */

static void say(lw_lack_step *s, lw_finding_record *r, const char *use, const lw_lack_origin *from)
{
    const bool here = from && from->at.pc == s->place->at.pc;
    if (!from)
        snprintf(r->what, sizeof(r->what), "%s depends on data that nothing has written", use);
    else
        snprintf(r->what, sizeof(r->what), "%s %s %s, which nothing has written", use,
                 here ? "is from" : "depends on", from->what);
    if (from)
        snprintf(r->cure, sizeof(r->cure), "write %s before +0x%llx", from->what,
                 (unsigned long long)from->at.code_offset);
}

void lw_lack_report(lw_lack_step *s, const char *rule, int lane)
{
    lw_lack_check *c = s->check;
    size_t use = 0;
    bool fresh;
    while (use + 1 < USES && uses[use].rule != rule)
        use++;
    const lw_lack_origin *from = s->origin ? &c->origins[s->origin - 1] : NULL;
    const bool other = from && from->at.pc != s->place->at.pc;
    const lw_finding_new made = { .severity = LW_SEVERITY_ERROR,
                                  .rule = rule,
                                  .why = uses[use].why,
                                  .place = &s->place->at,
                                  .other = other ? &from->at : NULL,
                                  .lane = lane };
    const size_t index = lw_finding_find(&c->check.findings, s->event, &made, &fresh);
    if (index == SIZE_MAX)
        return;
    lw_finding_record *r = &c->check.findings.records[index];
    r->finding.times++;
    if (fresh)
        say(s, r, uses[use].what, from);
}

/* ---- Waves and workgroups ---- */

/* The waves of a workgroup begin together, the first one first. */
lw_lack_group *lw_lack_group_of(lw_lack_check *c, const lw_event *event)
{
    lw_event key = *event;
    key.wave = 0;
    return lw_live_of(&c->groups, &key);
}

static void begin_group(lw_lack_group *g, const lw_event *event)
{
    const uint32_t size = lw_event_lds_size(event);
    g->waves = 0;
    g->size = size;
    if (size > g->room) {
        free(g->lacks);
        free(g->origin);
        g->lacks = malloc(size);
        g->origin = malloc((size / LW_LACK_CELL + 1) * sizeof(*g->origin));
        g->room = g->lacks && g->origin ? size : 0;
    }
    g->known = g->room >= size;
    g->whole = 0;
    g->shift = 4;
    while (size >> g->shift > LW_LACK_PIECES - 1)
        g->shift++;
    g->missed = 0;
    g->patience = LW_LACK_PATIENCE;
    if (!g->known || !size)
        return;
    memset(g->lacks, event->poison ? 0xff : 0, size);
    memset(g->origin, 0, (size / LW_LACK_CELL + 1) * sizeof(*g->origin));
}

static void forget_bits(lw_lack_wave *w)
{
    for (size_t row = 0; w->exact && row < w->capacity; row++) {
        free(w->exact[row]);
        w->exact[row] = NULL;
    }
}

static void free_registers(lw_lack_wave *w)
{
    forget_bits(w);
    free(w->any);
    free(w->bytes);
    free(w->origin);
    free(w->exact);
    w->any = NULL;
    w->bytes = NULL;
    w->origin = NULL;
    w->exact = NULL;
    w->capacity = 0;
}

static bool make_room(lw_lack_wave *w, size_t rows)
{
    if (w->capacity >= rows)
        return true;
    free_registers(w);
    w->any = malloc(rows * sizeof(*w->any));
    w->bytes = malloc(rows * sizeof(*w->bytes));
    w->origin = malloc(rows * sizeof(*w->origin));
    w->exact = calloc(rows, sizeof(*w->exact));
    w->capacity = rows;
    if (!w->any || !w->bytes || !w->origin || !w->exact)
        free_registers(w);
    return w->capacity != 0;
}

static void begin_registers(lw_lack_check *c, lw_lack_wave *w, const lw_event *event)
{
    const uint64_t lanes = event->lanes < LW_MAX_LANES ? (UINT64_C(1) << event->lanes) - 1 : UINT64_MAX;
    for (unsigned file = 0; file < LW_FILE_COUNT; file++)
        for (uint32_t reg = 0; reg < c->rows.count[file]; reg++) {
            const uint32_t row = c->rows.first[file] + reg;
            const bool vector = lw_shadow_is_vector(file);
            const uint64_t given = c->initial.rows[row];
            w->any[row] = vector ? ~given & lanes : given & 1 ? 0 : UINT32_MAX;
            for (unsigned b = 0; b < 4; b++)
                w->bytes[row][b] = vector ? w->any[row] : 0;
        }
    memset(w->origin, 0, c->rows.total * sizeof(*w->origin));
    forget_bits(w);
}

static void wave_begin(void *context, const lw_event *event)
{
    lw_lack_check *c = context;
    lw_lack_wave *w = lw_live_of(&c->waves, event);
    lw_lack_group *g = lw_lack_group_of(c, event);
    if (g && (event->wave == 0 || !g->waves))
        begin_group(g, event);
    if (g)
        g->waves++;
    if (!w)
        return;
    lw_shadow_layout(&c->rows, event);
    w->known = c->rows.total && make_room(w, c->rows.total) && lw_shadow_begin(&c->initial, &c->rows, event);
    if (w->known)
        begin_registers(c, w, event);
    if (w->scratch_cells)
        memset(w->scratch_origin, 0, w->scratch_cells * sizeof(*w->scratch_origin));
    for (unsigned lane = 0; lane < LW_MAX_LANES; lane++)
        if (w->scratch_size[lane])
            memset(w->scratch[lane], 0, w->scratch_size[lane]);
}

static void wave_end(void *context, const lw_event *event)
{
    lw_lack_check *c = context;
    lw_lack_group *g = lw_lack_group_of(c, event);
    lw_event key = *event;
    key.wave = 0;
    lw_live_end(&c->waves, event);
    if (g && g->waves && --g->waves == 0)
        lw_live_end(&c->groups, &key);
}

static void release_wave(void *item)
{
    lw_lack_wave *w = item;
    free_registers(w);
    for (unsigned lane = 0; lane < LW_MAX_LANES; lane++)
        free(w->scratch[lane]);
    free(w->scratch_origin);
}

static void release_group(void *item)
{
    lw_lack_group *g = item;
    free(g->lacks);
    free(g->origin);
}

/* ---- Instructions ---- */

static uint32_t decoded(void *context, const lw_event *event)
{
    lw_lack_check *c = context;
    lw_lack_place *p = lw_note_of(&c->places, event->place);
    uint32_t other[3];
    if (!p)
        return LW_SEE_NOTHING;
    if (event->place == 0)
        c->clustered = lw_event_cluster_block(event, 1, other);
    const uint32_t seen = lw_lack_prepare(p, &c->rows, event);
    return c->clustered && seen & LW_SEE_ACCESSES ? seen | LW_SEE_CLUSTER : seen;
}

static bool is_memory(const lw_facts *f)
{
    return f->memory.load || f->memory.store || f->memory.to_lds || f->kind == LW_CLASS_CACHE;
}

/* The rule that a read of the run breaks if it lacks something; NULL: none. */
static const char *rule_of(const lw_lack_step *s, size_t i)
{
    const lw_facts *f = s->event->facts;
    const lw_shadow_run *run = &s->runs[i];
    const lw_role role = (lw_role)s->role[i];
    const bool m0 = run->file == LW_FILE_NAMED && run->reg == LW_NAMED_M0 && role == LW_ROLE_IMPLIED;
    const bool guards = role == LW_ROLE_MASK && run->lanes == LW_LANES_SOME;
    if (guards || f->kind == LW_CLASS_BRANCH)
        return branch_rule;
    if (f->kind == LW_CLASS_BARRIER || f->kind == LW_CLASS_MESSAGE || f->kind == LW_CLASS_SYNC)
        return barrier_rule;
    if (is_memory(f) && f->flow != LW_FLOW_LANES && (role == LW_ROLE_ADDRESS || m0))
        return address_rule;
    if (role == LW_ROLE_SOURCE && f->memory.load && f->memory.store) /* PTX */
        return lw_lack_atomic_rule;
    const bool plain = (f->kind == LW_CLASS_GLOBAL && !f->memory.buffer) || f->kind == LW_CLASS_SCALAR_MEMORY;
    if (plain && role == LW_ROLE_DATA && f->memory.store && !f->memory.to_lds)
        return f->memory.load ? lw_lack_atomic_rule : lw_lack_store_rule;
    return NULL;
}

static int first_lane(const lw_lack_step *s, const lw_shadow_run *run, unsigned *reg)
{
    for (*reg = 0; *reg < run->count; ++*reg) {
        const uint64_t lacks = lw_lack_of(s, run, *reg) & lw_lack_lanes(s, run);
        for (int lane = 0; lacks && lane < LW_MAX_LANES; lane++)
            if (lacks >> lane & 1)
                return lw_shadow_is_vector(run->file) ? lane : -1;
    }
    *reg = 0;
    return -1;
}

/* True: a use was reported, and the instruction's results count as defined. */
static bool judge(lw_lack_step *s)
{
    bool told = false;
    for (size_t i = 0; i < s->count && !told; i++) {
        const char *rule = s->runs[i].read ? rule_of(s, i) : NULL;
        unsigned reg;
        if (!rule || !lw_lack_reads(s, &s->runs[i]))
            continue;
        const int lane = first_lane(s, &s->runs[i], &reg);
        s->origin = lw_lack_origin_of(s, &s->runs[i], reg);
        lw_lack_report(s, rule, lane);
        s->origin = 0;
        told = true;
    }
    return told;
}

static bool reads_undefined(const lw_lack_step *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->runs[i].read && lw_lack_reads(s, &s->runs[i]))
            return true;
    return false;
}

/* Is all defined that the instruction names? Then it leaves nothing undefined. */
static bool is_defined(const lw_lack_place *p, const lw_lack_wave *w)
{
    uint64_t lacks = 0;
    for (size_t i = 0; i < p->count; i++) {
        const uint64_t *any = w->any + p->runs[i].row;
        for (unsigned reg = 0; reg < p->runs[i].count; reg++)
            lacks |= any[reg];
    }
    return !lacks;
}

static bool begin_step(lw_lack_step *s, lw_lack_check *c, const lw_event *event)
{
    lw_lack_place *p = lw_note_of(&c->places, event->place);
    lw_lack_wave *w = lw_live_of(&c->waves, event);
    if (!p || !w || !w->known)
        return false;
    *s = (lw_lack_step){
        .check = c, .event = event, .place = p, .runs = p->runs, .role = p->role, .count = p->count, .wave = w
    };
    return true;
}

static void before(void *context, const lw_event *event)
{
    lw_lack_check *c = context;
    lw_shadow_run runs[LW_LACK_RUNS];
    uint8_t role[LW_LACK_RUNS];
    lw_matrix_event matrix;
    lw_lack_step s;
    if (!begin_step(&s, c, event))
        return;
    if (!event->moved && is_defined(s.place, s.wave)) {
        if (s.place->only_lds && !c->clustered && lw_lack_lds_is_whole(lw_lack_group_of(c, event)))
            lw_event_decline(event);
        return;
    }
    if (event->moved) {
        s.count = lw_lack_runs(&c->rows, event->facts, runs, role);
        s.runs = runs;
        s.role = role;
    }
    if (!reads_undefined(&s) || judge(&s) || is_memory(event->facts) ||
        event->facts->sync == LW_SYNC_MATRIX) {
        lw_lack_clear(&s);
        return;
    }
    if (!s.place->is_matrix)
        lw_lack_flow(&s);
    else if (!lw_event_matrix(event, &matrix) || !lw_lack_matrix(&s, &matrix))
        lw_lack_clear(&s);
}

/* Also called when copies to LDS arrive. */
static void after(void *context, const lw_event *event)
{
    lw_lack_check *c = context;
    lw_lack_step s;
    if (!begin_step(&s, c, event))
        return;
    s.group = lw_lack_group_of(c, event);
    lw_lack_memory(&s);
}

/* ---- The check ---- */

static bool begin(lw_check *check)
{
    lw_lack_check *c = (lw_lack_check *)check;
    c->places.item_size = sizeof(lw_lack_place);
    c->waves.item_size = sizeof(lw_lack_wave);
    c->groups.item_size = sizeof(lw_lack_group);
    check->observer.wave_begin = wave_begin;
    check->observer.wave_end = wave_end;
    check->observer.decoded = decoded;
    check->observer.before = before;
    check->observer.after = after;
    check->observer.arrived = after;
    lw_check_unchecked(check, "global memory that nothing has written; arguments of calls; results of wgmma");
    return true;
}

static void release(lw_check *check)
{
    lw_lack_check *c = (lw_lack_check *)check;
    lw_lack_place *all = (lw_lack_place *)(void *)c->places.items;
    for (size_t i = 0; i < c->places.count; i++)
        lw_lack_place_free(&all[i]);
    lw_note_free(&c->places);
    lw_live_free(&c->waves, release_wave);
    lw_live_free(&c->groups, release_group);
    lw_shadow_free(&c->initial);
    free(c->origins);
}

const lw_check_row lw_check_uninit = {
    .name = "uninit",
    .summary =
        "branches, addresses and stores that depend on registers, LDS or scratch that nothing has written",
    .size = sizeof(lw_lack_check),
    .begin = begin,
    .release = release,
};
