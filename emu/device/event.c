/* SPDX-License-Identifier: MIT */
/* What observers see. */
#include <string.h>

#include "emu/device/session.h"

/* In place: building it elsewhere and copying it takes several times as long. */
void lw_event_fill(lw_event *event, const lw_wave_head *w, const struct lw_event_state *state)
{
    const lw_session *s = w->group->session;
    memset(event, 0, sizeof(*event));
    event->kernel = s->kernel;
    event->arch = s->arch;
    event->wave = w->place;
    event->pc = w->pc;
    event->code_offset = w->pc - s->kernel_base;
    event->exec = s->machine->exec(w);
    event->number = w->executed;
    event->mnemonic = "";
    event->poison = s->poisoned ? &s->poison : NULL;
    event->state = state;
    event->lanes = s->machine->lanes(w);
    lw_wave_workgroup(w, event->workgroup);
}

static void set_place(lw_event *event, const lw_seen_place *place)
{
    event->place = place->number;
    event->facts = place->facts;
    event->mnemonic = place->mnemonic;
}

/* Another wave than before. */
LW_RARELY static lw_event *first_event(lw_worker *worker, const lw_wave_head *w,
                                       const struct lw_event_state *state)
{
    lw_event_fill(&worker->event, w, state);
    worker->event_wave = w;
    worker->event_group = w->group->linear;
    return &worker->event;
}

/* The event of an instruction. Members that do not change between events of one wave are kept. */
static lw_event *next_event(lw_worker *worker, const lw_wave_head *w, uint64_t exec,
                            const struct lw_event_state *state)
{
    lw_event *event = &worker->event;
    if (worker->event_wave != w || worker->event_group != w->group->linear)
        return first_event(worker, w, state);
    event->code_offset += w->pc - event->pc;
    event->pc = w->pc;
    event->exec = exec;
    event->number = w->executed;
    event->accesses = NULL;
    event->access_count = 0;
    event->state = state;
    event->moved = false;
    return event;
}

void lw_observe(lw_hook hook, lw_wave_head *w)
{
    const struct lw_event_state state = { w, NULL, NULL };
    lw_event event;
    lw_event_fill(&event, w, &state);
    lw_observed_call(w->group->worker->observed, hook, NULL, &event, 0);
}

/* A place that is new; observers are told. NULL: no host memory. */
LW_RARELY static const lw_seen_place *reach(lw_observed *observed, lw_wave_head *w, const void *record)
{
    const lw_session *s = w->group->session;
    lw_fact_operand operands[LW_MAX_OPERANDS];
    const lw_facts facts = s->machine->facts(s->arch, record, w->pc, operands);
    lw_seen_place *place = lw_observed_add(observed, w->pc, &facts);
    if (!place)
        return NULL;
    place->mnemonic = s->machine->mnemonic(record);
    const struct lw_event_state state = { w, record, NULL };
    lw_event event;
    lw_event_fill(&event, w, &state);
    set_place(&event, place);
    lw_observed_tell(observed, place, &event);
    return place;
}

/* The log for accesses of an instruction, empty; NULL: nobody wants them. */
static lw_access_log *log_for(lw_worker *worker, const lw_seen_place *place)
{
    lw_access_log *log = &worker->log;
    log->count = 0;
    log->runs = (place->wants & LW_SEE_RUNS) != 0;
    log->done = (place->wants & LW_SEE_DONE) != 0;
    log->once = (place->wants & LW_SEE_ONCE) != 0;
    log->across = (place->wants & LW_SEE_CLUSTER) != 0;
    return place->wants & LW_SEE_ACCESSES ? log : NULL;
}

/* The registers of this execution are not those of the place. */
LW_RARELY static void set_moved(lw_seen_step *step, lw_event *event, const void *record)
{
    const lw_session *s = step->worker->session;
    step->facts = s->machine->facts(s->arch, record, event->pc, step->operands);
    event->facts = &step->facts;
    event->moved = true;
}

/* Does an observer want `after`? */
static bool call_before(lw_worker *worker, const lw_seen_place *place, const lw_event *event)
{
    const lw_observed *o = worker->observed;
    if (!(place->wants & LW_SEE_BEFORE))
        return (place->wants & LW_SEE_AFTER) != 0;
    if (place->wants == LW_SEE_BEFORE && o->count == 1) {
        o->observers[0].before(o->observers[0].context, event);
        return false;
    }
    bool wanted = false;
    for (size_t i = 0; i < o->count; i++) {
        worker->declined = false;
        if (place->each[i] & LW_SEE_BEFORE)
            o->observers[i].before(o->observers[i].context, event);
        wanted = wanted || (place->each[i] & LW_SEE_AFTER && !worker->declined);
    }
    return wanted;
}

void lw_event_decline(const lw_event *event)
{
    lw_worker *worker = event->state->wave->group->worker;
    if (worker)
        worker->declined = true;
}

bool lw_observe_begin(lw_worker *worker, lw_wave_head *w, const void *encoded, const void *record,
                      uint64_t exec, lw_seen_step *step)
{
    const lw_seen_place *place = lw_observed_at(worker->observed, w->pc);
    if (!place)
        place = reach(worker->observed, w, encoded);
    w->log = NULL;
    step->worker = worker;
    step->place = place;
    step->ends = false;
    if (!place || !place->wants)
        return place != NULL;
    step->state = (struct lw_event_state){ w, record, NULL };
    lw_event *event = next_event(worker, w, exec, &step->state);
    set_place(event, place);
    if (record != encoded)
        set_moved(step, event, record);
    step->ends = call_before(worker, place, event);
    if (step->ends || !(place->wants & LW_SEE_AFTER))
        w->log = log_for(worker, place);
    return true;
}

void lw_observe_end(lw_seen_step *step, uint64_t exec)
{
    lw_worker *worker = step->worker;
    if (!step->ends)
        return;
    lw_wave_head *w = step->state.wave;
    lw_event *event = &worker->event;
    const uint64_t next = w->pc;
    w->pc = event->pc;
    event->exec = exec;
    const lw_observed *o = worker->observed;
    const size_t own = lw_observed_own(o, step->place, &worker->log);
    event->accesses = worker->log.entries;
    for (size_t i = 0; i < o->count; i++) {
        event->access_count = step->place->each[i] & LW_SEE_CLUSTER ? worker->log.count : own;
        if (step->place->each[i] & LW_SEE_AFTER)
            o->observers[i].after(o->observers[i].context, event);
    }
    w->pc = next;
}

lw_access_log *lw_observe_arrival_log(const lw_wave_head *w)
{
    lw_worker *worker = w->group->worker;
    const lw_seen_place *place = worker->observed ? lw_observed_at(worker->observed, w->pc) : NULL;
    return place ? log_for(worker, place) : NULL;
}

void lw_observe_arrival(lw_wave_head *w, const void *record, const lw_copy *copy)
{
    const lw_observed *observed = w->group->worker->observed;
    const lw_seen_place *place = lw_observed_at(observed, w->pc);
    const struct lw_event_state state = { w, record, copy };
    lw_event event;
    lw_event_fill(&event, w, &state);
    set_place(&event, place);
    const size_t own = lw_observed_own(observed, place, w->log);
    event.accesses = w->log->entries;
    event.access_count = w->log->count;
    lw_observed_call(observed, LW_HOOK_ARRIVED, place, &event, own);
}

static const lw_machine *machine_of(const lw_event *event)
{
    return event->state->wave->group->session->machine;
}

size_t lw_event_text(const lw_event *event, char *text, size_t size)
{
    if (event->state->record)
        return machine_of(event)->event_text(event, text, size);
    if (size)
        text[0] = '\0';
    return 0;
}

bool lw_event_line(const lw_event *event, lw_line *line)
{
    return machine_of(event)->line(event->state->wave->group->session->module, event->pc, line);
}

uint32_t lw_event_value(const lw_event *event, lw_reg_file file, unsigned reg, unsigned lane)
{
    return machine_of(event)->value(event->state->wave, file, reg, lane);
}

bool lw_event_object_at(const lw_event *event, uint64_t address, lw_event_object *object)
{
    return lw_event_cluster_object(event, event->state->wave->rank, address, object);
}

bool lw_event_cluster_object(const lw_event *event, unsigned rank, uint64_t address, lw_event_object *object)
{
    const lw_machine *machine = machine_of(event);
    const lw_group *g = event->state->wave->group;
    return machine->object && rank < lw_group_ranks(g) && machine->object(g, rank, address, object);
}

bool lw_event_barrier_at(const lw_event *event, unsigned number, lw_event_barrier *barrier)
{
    const lw_machine *machine = machine_of(event);
    return machine->barrier && machine->barrier(event->state->wave, number, barrier);
}

bool lw_event_matrix(const lw_event *event, lw_matrix_event *matrix)
{
    return event->state->record && machine_of(event)->event_matrix(event, matrix);
}

unsigned lw_event_matrix_register(const lw_event *event, lw_operand operand, unsigned index)
{
    lw_matrix_event m;
    if ((unsigned)operand >= LW_OPERAND_COUNT || !lw_event_matrix(event, &m) ||
        !m.operand[operand].is_register || index >= m.operand[operand].count)
        return 0;
    const lw_machine *machine = machine_of(event);
    return machine->matrix_register ? machine->matrix_register(event, operand, index)
                                    : m.operand[operand].first + index;
}

bool lw_event_product(const lw_event *event, lw_matrix_event *matrix)
{
    const lw_machine *machine = machine_of(event);
    return event->state->record &&
           (machine->product ? machine->product : machine->event_matrix)(event, matrix);
}

bool lw_event_product_word(const lw_event *event, lw_operand operand, unsigned word, uint32_t *values,
                           size_t count)
{
    const lw_machine *machine = machine_of(event);
    lw_matrix_event matrix;
    if ((unsigned)operand >= LW_OPERAND_COUNT || !lw_event_product(event, &matrix) ||
        !matrix.operand[operand].is_register || word >= matrix.operand[operand].count)
        return false;
    if (machine->product_word)
        machine->product_word(event, operand, word, values, count);
    else
        lw_event_values(event, matrix.operand[operand].file, matrix.operand[operand].first + word, values,
                        count);
    return true;
}

bool lw_event_product_place(const lw_event *event, lw_operand operand, unsigned word, lw_product_place *place)
{
    const lw_machine *machine = machine_of(event);
    lw_matrix_event m;
    if ((unsigned)operand >= LW_OPERAND_COUNT || !event->state->record)
        return false;
    if (machine->product_place)
        return machine->product_place(event, operand, word, place);
    if (!lw_event_product(event, &m) || !m.operand[operand].is_register || word >= m.operand[operand].count)
        return false;
    *place = (lw_product_place){ .file = m.operand[operand].file, .reg = m.operand[operand].first + word };
    return true;
}

unsigned lw_event_register_count(const lw_event *event, lw_reg_file file)
{
    return machine_of(event)->registers(event->state->wave, file);
}

unsigned lw_event_accum_offset(const lw_event *event)
{
    return machine_of(event)->accum_offset(event->state->wave);
}

bool lw_event_splits_l0(const lw_event *event)
{
    const lw_machine *machine = machine_of(event);
    return machine->splits_l0 && machine->splits_l0(event->state->wave);
}

uint32_t lw_event_lds_size(const lw_event *event)
{
    return event->state->wave->group->lds_size;
}

uint64_t lw_event_lanes(const lw_event *event, const lw_fact_operand *operand)
{
    return event->state->record ? machine_of(event)->event_lanes(event, operand) : 0;
}

bool lw_event_lane_sources(const lw_event *event, const lw_fact_operand *operand, uint8_t from[LW_MAX_LANES])
{
    const lw_machine *machine = machine_of(event);
    return event->state->record && machine->lane_sources && machine->lane_sources(event, operand, from);
}

void lw_event_values(const lw_event *event, lw_reg_file file, unsigned reg, uint32_t *values, size_t count)
{
    machine_of(event)->values(event->state->wave, file, reg, values, count);
}

size_t lw_event_register_name(const lw_event *event, lw_reg_file file, unsigned reg, char *text, size_t size)
{
    return machine_of(event)->register_name(event, file, reg, text, size);
}

bool lw_event_cluster_region(const lw_event *event, unsigned rank, lw_event_region *region)
{
    const lw_group *g = event->state->wave->group;
    if (rank >= lw_group_ranks(g))
        return false;
    *region = (lw_event_region){ .name = "", .size = g->lds_size, .bytes = lw_group_lds(g, rank) };
    return true;
}

bool lw_event_region_at(const lw_event *event, lw_space space, uint64_t address, lw_event_region *region)
{
    const lw_group *g = event->state->wave->group;
    if (space == LW_SPACE_LDS) {
        *region = (lw_event_region){ .name = "",
                                     .size = g->lds_size,
                                     .bytes = lw_group_lds(g, event->state->wave->rank) };
        return address < g->lds_size;
    }
    lw_mem_view view = { .memory = g->session->memory };
    if (space != LW_SPACE_GLOBAL || !lw_mem_lookup(&view, address, 1, false))
        return false;
    *region = (lw_event_region){ .name = view.hit.name ? view.hit.name : "",
                                 .base = view.hit.base,
                                 .size = view.hit.size,
                                 .serial = view.hit.serial,
                                 .bytes = view.hit.host };
    return true;
}
