/* SPDX-License-Identifier: MIT */
/* Records what happens in the observed workgroups, execution by execution. */
#include <stdlib.h>
#include <string.h>

#include "observers/why.h"

enum { SMALL_REGION = 4096, FULL_TEXT = 2048 };

void lw_why_log_free(lw_why_log *log)
{
    for (size_t i = 0; i < log->place_count; i++) {
        for (int op = 0; op < LW_OPERAND_COUNT; op++)
            free(log->places[i].rows[op]);
        free(log->places[i].runs);
        free(log->places[i].role);
        free(log->places[i].share);
        free(log->places[i].text);
        free(log->places[i].line);
    }
    for (size_t i = 0; i < log->wave_count; i++) {
        free(log->waves[i].given);
        free(log->waves[i].want);
    }
    for (size_t i = 0; i < log->region_count; i++) {
        free(log->regions[i].name);
        free(log->regions[i].bytes);
    }
    lw_shadow_free(&log->scratch);
    lw_note_free(&log->numbers);
    free(log->names);
    free(log->places);
    free(log->waves);
    free(log->steps);
    free(log->accesses);
    free(log->flights);
    free(log->words);
    free(log->regions);
    *log = (lw_why_log){ .limit = log->limit };
}

bool lw_why_room(lw_why_log *log, void **items, size_t count, size_t *room, size_t size)
{
    if (log->full || log->no_memory)
        return false;
    if (count < *room)
        return true;
    const size_t grown = *room ? *room + *room / 2 : 64;
    const uint64_t more = (uint64_t)(grown - *room) * size;
    if (grown > UINT32_MAX || log->bytes + more > log->limit) {
        log->full = true;
        return false;
    }
    void *memory = realloc(*items, grown * size);
    if (!memory) {
        log->no_memory = true;
        return false;
    }
    log->bytes += more;
    *items = memory;
    *room = grown;
    return true;
}

/* Zeroed memory that counts towards the limit; NULL: `full` or `no_memory`. */
static void *take(lw_why_log *log, size_t count, size_t size)
{
    if (log->full || log->no_memory || log->bytes + (uint64_t)count * size > log->limit) {
        log->full = true;
        return NULL;
    }
    void *memory = calloc(count ? count : 1, size);
    log->no_memory = log->no_memory || !memory;
    log->bytes += memory ? (uint64_t)count * size : 0;
    return memory;
}

uint32_t lw_why_row(const lw_why_log *log, lw_reg_file file, unsigned reg)
{
    if (file == LW_FILE_VGPR && reg >= log->rows.accum) {
        file = LW_FILE_AGPR;
        reg -= log->rows.accum;
    }
    return (unsigned)file < LW_FILE_COUNT && reg < log->rows.count[file] ? log->rows.first[file] + reg
                                                                         : UINT32_MAX;
}

/* ---- Waves ---- */

/* One that has ended, too: its copies may arrive later. */
static lw_why_wave *find_wave(lw_why_log *log, const lw_event *event)
{
    for (size_t i = 0; i < log->wave_count; i++) {
        const size_t at = (log->last + log->wave_count - i) % log->wave_count;
        lw_why_wave *w = &log->waves[at];
        if (w->id == event->wave && memcmp(w->workgroup, event->workgroup, sizeof(w->workgroup)) == 0) {
            log->last = at;
            return w;
        }
    }
    return NULL;
}

static uint32_t group_of(lw_why_log *log, const uint32_t workgroup[3])
{
    for (size_t i = log->wave_count; i-- > 0;)
        if (memcmp(log->waves[i].workgroup, workgroup, sizeof(log->waves[i].workgroup)) == 0)
            return log->waves[i].group;
    return (uint32_t)log->groups++;
}

static bool begin_rows(lw_why_log *log, const lw_event *event)
{
    if (log->begun)
        return true;
    lw_shadow_layout(&log->rows, event);
    log->names = take(log, log->rows.total, sizeof(*log->names));
    return log->begun = log->names != NULL;
}

static void wave_begin(void *context, const lw_event *event)
{
    lw_why_log *log = context;
    if (!begin_rows(log, event) ||
        !lw_why_room(log, (void **)&log->waves, log->wave_count, &log->wave_room, sizeof(*log->waves)))
        return;
    uint64_t *given = take(log, log->rows.total, sizeof(*given));
    if (!given)
        return;
    if (!lw_shadow_begin(&log->scratch, &log->rows, event))
        log->no_memory = true;
    else
        memcpy(given, log->scratch.rows, log->rows.total * sizeof(*given));
    lw_why_wave w = { .id = event->wave,
                      .group = group_of(log, event->workgroup),
                      .lanes = event->lanes < LW_MAX_LANES ? event->lanes : LW_MAX_LANES,
                      .given = given };
    memcpy(w.workgroup, event->workgroup, sizeof(w.workgroup));
    log->last = log->wave_count;
    log->waves[log->wave_count++] = w;
}

/* ---- Places ---- */

static void name_rows(lw_why_log *log, const lw_event *event, const lw_shadow_run *run)
{
    for (unsigned i = 0; i < run->count; i++)
        if (!log->names[run->row + i][0])
            lw_event_register_name(event, (lw_reg_file)run->file, run->reg + i, log->names[run->row + i],
                                   LW_WHY_NAME);
}

/* Sets how many bytes of each operand go to memory or come from there. */
static void set_shares(lw_why_place *p, const lw_facts *facts)
{
    const bool two = facts->memory.requests == 2;
    for (int role = LW_ROLE_RESULT; role <= LW_ROLE_DATA; role += LW_ROLE_DATA - LW_ROLE_RESULT) {
        unsigned operands = 0;
        for (size_t i = 0; i < facts->operand_count; i++)
            operands += facts->operands[i].role == (lw_role)role && facts->operands[i].is_register;
        for (size_t i = 0; i < p->run_count; i++)
            if (p->role[i] == role && operands)
                p->share[i] = (uint8_t)(two ? (role == LW_ROLE_RESULT ? 2u : 1u) * facts->memory.bytes
                                            : facts->memory.bytes / operands);
    }
}

static void set_matrix(lw_why_log *log, lw_why_place *p, const lw_event *event)
{
    lw_matrix_event m;
    if (!lw_event_matrix(event, &m))
        return;
    lw_insn_info info;
    p->mods = m.mods;
    p->moves = lw_insn_get_info(event->arch, m.insn, &info) == LW_OK && info.moves;
    if (p->moves && !p->memory.requests && (p->memory.load || p->memory.store)) {
        p->moves = false; /* wmma.load and wmma.store: each lane's accesses are those of its registers, in
                             their order */
        return;
    }
    for (int op = 0; op < LW_OPERAND_COUNT; op++) {
        const lw_matrix_operand *o = &m.operand[op];
        p->constant[op] = !o->is_register;
        p->value[op] = o->constant;
        if (!o->is_register || !o->count)
            continue;
        p->rows[op] = take(log, o->count, sizeof(*p->rows[op]));
        if (!p->rows[op])
            return;
        p->row_count[op] = o->count;
        for (unsigned i = 0; i < o->count; i++)
            p->rows[op][i] = lw_why_row(log, o->file, lw_event_matrix_register(event, (lw_operand)op, i));
    }
    p->insn = m.insn;
}

/* The runs of an instruction that selects bytes; a selector that differs between lanes is not traced. */
static void set_bytes(lw_why_place *p, const lw_facts *facts)
{
    size_t at = 0;
    p->source[0] = p->source[1] = p->run_count;
    for (size_t i = 0; i < facts->operand_count; i++) {
        if (facts->operands[i].role != LW_ROLE_SOURCE)
            continue;
        for (size_t r = 0; at < 2 && r < p->run_count; r++)
            if (p->runs[r].operand == i)
                p->source[at] = r;
        if (at++ == 2 && facts->operands[i].is_register && facts->operands[i].lanes != LW_LANES_SCALAR)
            p->flow = LW_FLOW_COMPUTES;
    }
}

/* What it does to memory, beyond the facts of loads and stores. */
static void set_memory(lw_why_place *p, const lw_facts *facts)
{
    const bool issues = facts->sync == LW_SYNC_COPY && facts->step == LW_ASYNC_ISSUES;
    p->copies = facts->memory.to_lds || issues;
    if (facts->kind == LW_CLASS_SYNC && facts->sync == LW_SYNC_NONE)
        p->refused = "the global data share";
    p->sends = issues && facts->completion == LW_COMPLETION_OBJECT && !facts->async_proxy;
}

static void set_runs(lw_why_log *log, lw_why_place *p, const lw_facts *facts)
{
    lw_shadow_run runs[LW_SHADOW_RUNS];
    size_t count = lw_shadow_runs(&log->rows, facts, runs, LW_SHADOW_RUNS);
    count = count < LW_SHADOW_RUNS ? count : LW_SHADOW_RUNS;
    p->runs = take(log, count, sizeof(*p->runs));
    p->role = take(log, count, sizeof(*p->role));
    p->share = take(log, count, sizeof(*p->share));
    if (!p->runs || !p->role || !p->share)
        return;
    memcpy(p->runs, runs, count * sizeof(*runs));
    p->run_count = count;
}

static void fill_place(lw_why_log *log, lw_why_place *p, const lw_event *event)
{
    const lw_facts *facts = event->facts;
    char text[FULL_TEXT];
    lw_line line;
    *p = (lw_why_place){ .pc = event->pc,
                         .code_offset = event->code_offset,
                         .memory = facts->memory,
                         .kind = facts->kind,
                         .flow = facts->flow };
    set_runs(log, p, facts);
    for (size_t i = 0; i < p->run_count; i++) {
        const lw_shadow_run *run = &p->runs[i];
        p->role[i] = (uint8_t)facts->operands[run->operand].role;
        p->crosses = p->crosses || run->lanes == LW_LANES_ONE || run->lanes == LW_LANES_SOME;
        name_rows(log, event, run);
    }
    set_shares(p, facts);
    if (p->flow == LW_FLOW_BYTES)
        set_bytes(p, facts);
    set_memory(p, facts);
    if (facts->sync == LW_SYNC_MATRIX)
        lw_why_set_product(log, p, event);
    else
        set_matrix(log, p, event);
    (void)lw_event_text(event, text, sizeof(text));
    lw_why_shorten(text);
    p->text = take(log, strlen(text) + 1, 1);
    if (p->text)
        strcpy(p->text, text);
    if (lw_event_line(event, &line) && (p->line = take(log, 1, sizeof(*p->line))) != NULL)
        *p->line = line;
}

uint32_t lw_why_add_place(lw_why_log *log, const lw_event *event)
{
    if (!lw_why_room(log, (void **)&log->places, log->place_count, &log->place_room, sizeof(*log->places)))
        return UINT32_MAX;
    fill_place(log, &log->places[log->place_count], event);
    return (uint32_t)log->place_count++;
}

static bool accesses_memory(const lw_facts *facts)
{
    return facts->memory.load || facts->memory.store || facts->memory.to_lds || facts->sync == LW_SYNC_COPY ||
           facts->sync == LW_SYNC_OBJECT || facts->sync == LW_SYNC_MATRIX;
}

static uint32_t decoded(void *context, const lw_event *event)
{
    lw_why_log *log = context;
    if (!begin_rows(log, event))
        return LW_SEE_NOTHING;
    const uint32_t place = lw_why_add_place(log, event);
    uint32_t *number = lw_note_of(&log->numbers, event->place);
    if (!number || place == UINT32_MAX)
        return LW_SEE_NOTHING;
    *number = place + 1;
    return accesses_memory(event->facts) ? LW_SEE_ALL | LW_SEE_CLUSTER : LW_SEE_BEFORE;
}

/* ---- Executions ---- */

static lw_why_step *add_step(lw_why_log *log, const lw_event *event)
{
    const uint32_t *number = lw_note_of(&log->numbers, event->place);
    lw_why_wave *w = find_wave(log, event);
    if (!w || !number || !*number ||
        !lw_why_room(log, (void **)&log->steps, log->step_count, &log->step_room, sizeof(*log->steps)))
        return NULL;
    const uint32_t place = event->moved ? lw_why_add_place(log, event) : *number - 1;
    if (place == UINT32_MAX)
        return NULL;
    lw_why_step *step = &log->steps[log->step_count];
    *step = (lw_why_step){ .exec = event->exec,
                           .place = place,
                           .wave = (uint32_t)(w - log->waves),
                           .access = (uint32_t)log->access_count };
    w->step = (uint32_t)log->step_count++;
    return step;
}

void lw_why_add_access(lw_why_log *log, lw_why_step *step, const lw_why_access *access)
{
    if (!lw_why_room(log, (void **)&log->accesses, log->access_count, &log->access_room,
                     sizeof(*log->accesses)))
        return;
    log->accesses[log->access_count++] = *access;
    step->accesses++;
}

/* The lane that a readlane or a writelane names: its last source that is not a vector. */
static uint64_t named_lane(const lw_event *event, uint64_t all)
{
    for (size_t i = event->facts->operand_count; i-- > 0;) {
        const lw_fact_operand *o = &event->facts->operands[i];
        if (o->role != LW_ROLE_SOURCE || (o->is_register && o->lanes != LW_LANES_SCALAR))
            continue;
        const uint64_t lane = o->is_register ? lw_event_value(event, o->file, o->first, 0) : o->constant;
        return UINT64_C(1) << (lane % event->lanes);
    }
    return all;
}

static void add_lanes(lw_why_log *log, lw_why_step *step, const lw_event *event)
{
    uint64_t read = 0, written = 0;
    for (size_t i = 0; i < event->facts->operand_count; i++) {
        const lw_fact_operand *o = &event->facts->operands[i];
        if (!o->is_register || o->role == LW_ROLE_KEPT ||
            (o->lanes != LW_LANES_ONE && o->lanes != LW_LANES_SOME))
            continue;
        uint64_t lanes = lw_event_lanes(event, o);
        if (o->lanes == LW_LANES_ONE)
            lanes = named_lane(event, lanes);
        read |= o->read ? lanes : 0;
        written |= o->written ? lanes : 0;
    }
    lw_why_add_access(log, step, &(lw_why_access){ .address = read });
    lw_why_add_access(log, step, &(lw_why_access){ .address = written });
}

/* The selector: the last source. */
static void add_selector(lw_why_log *log, lw_why_step *step, const lw_event *event)
{
    uint64_t selector = 0;
    for (size_t i = 0; i < event->facts->operand_count; i++) {
        const lw_fact_operand *o = &event->facts->operands[i];
        if (o->role == LW_ROLE_SOURCE)
            selector = o->is_register ? lw_event_value(event, o->file, o->first, 0) : o->constant;
    }
    lw_why_add_access(log, step, &(lw_why_access){ .address = selector });
}

static void before(void *context, const lw_event *event)
{
    lw_why_log *log = context;
    lw_why_step *step = add_step(log, event);
    if (step && log->places[step->place].crosses)
        add_lanes(log, step, event);
    else if (step && log->places[step->place].flow == LW_FLOW_BYTES)
        add_selector(log, step, event);
}

const lw_why_region *lw_why_region_of(const lw_why_log *log, uint64_t address)
{
    for (size_t i = 0; i < log->region_count; i++)
        if (address - log->regions[i].base < log->regions[i].size)
            return &log->regions[i];
    return NULL;
}

static void note_region(lw_why_log *log, const lw_event *event, uint64_t address)
{
    lw_event_region found;
    if (lw_why_region_of(log, address) || !lw_event_region_at(event, LW_SPACE_GLOBAL, address, &found) ||
        !lw_why_room(log, (void **)&log->regions, log->region_count, &log->region_room,
                     sizeof(*log->regions)))
        return;
    lw_why_region r = { .base = found.base,
                        .size = found.size,
                        .name = take(log, strlen(found.name) + 1, 1) };
    if (r.name)
        strcpy(r.name, found.name);
    if (found.size <= SMALL_REGION && (r.bytes = take(log, (size_t)found.size, 1)) != NULL)
        memcpy(r.bytes, found.bytes, (size_t)found.size);
    log->regions[log->region_count++] = r;
}

/* Where an access to shared memory of another block of the cluster goes. */
static void set_block(lw_why_log *log, const lw_event *event, unsigned rank, lw_why_access *access)
{
    uint32_t workgroup[3];
    if (!lw_event_cluster_block(event, rank, workgroup))
        return;
    access->space = LW_WHY_REMOTE;
    access->address |= (uint64_t)group_of(log, workgroup) << 32;
}

/* `from`: where values in flight are, of one lane; each access gets the next of them. 0: none are. */
static void add_accesses(lw_why_log *log, lw_why_step *step, const lw_event *event, uint64_t from)
{
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (lw_why_is_left_out(a))
            continue;
        if (a->space == LW_SPACE_GLOBAL)
            note_region(log, event, a->address);
        lw_why_access access = { .address = a->address,
                                 .size = a->size,
                                 .lane = a->lane < 0 ? LW_WHY_SCALAR : (uint8_t)a->lane,
                                 .space = (uint8_t)a->space,
                                 .load = a->load,
                                 .store = a->store };
        if (from) {
            lw_why_add_access(log, step,
                              &(lw_why_access){ from, a->size, access.lane, LW_WHY_FLIGHT, .load = true });
            from += a->size;
        }
        if (a->block)
            set_block(log, event, a->block - 1u, &access);
        lw_why_add_access(log, step, &access);
    }
}

/* What a step has accessed. */
static void note(lw_why_log *log, lw_why_step *step, const lw_event *event)
{
    if (log->places[step->place].sends && lw_why_send(log, step, event))
        return;
    if (log->places[step->place].sends)
        add_accesses(log, step, event, lw_why_land(log, step, event));
    else if (!log->places[step->place].arrives)
        add_accesses(log, step, event, 0);
    else if (event->access_count)
        lw_why_note_product(log, step, event);
}

static void after(void *context, const lw_event *event)
{
    lw_why_log *log = context;
    const lw_why_wave *w = find_wave(log, event);
    if (w && w->step < log->step_count)
        note(log, &log->steps[w->step], event);
}

/* A copy or a wgmma that was issued earlier has completed. */
static void arrived(void *context, const lw_event *event)
{
    lw_why_log *log = context;
    lw_why_step *step = add_step(log, event);
    if (step)
        note(log, step, event);
}

void lw_why_log_begin(lw_why_log *log, uint64_t limit)
{
    *log = (lw_why_log){ .limit = limit, .numbers.item_size = sizeof(uint32_t) };
    log->observer = (lw_observer){ .struct_size = sizeof(lw_observer),
                                   .context = log,
                                   .wave_begin = wave_begin,
                                   .decoded = decoded,
                                   .before = before,
                                   .after = after,
                                   .arrived = arrived };
}
