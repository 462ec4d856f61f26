/* SPDX-License-Identifier: MIT */
/* Inspecting the waves of a paused session. */
#include "emu/device/fail.h"
#include "emu/device/session.h"

/* Workgroup `index` of those that have begun and not ended; NULL if there is none. */
static lw_group *group_at(const lw_session *s, size_t index)
{
    return s->grid ? lw_grid_group(s->grid, index) : NULL;
}

size_t lw_session_wave_count(const lw_session *s)
{
    const size_t groups = s && s->grid ? lw_grid_live(s->grid) : 0;
    size_t count = 0;
    for (size_t i = 0; i < groups; i++)
        if (group_at(s, i))
            count += group_at(s, i)->wave_count;
    return count;
}

static lw_wave_head *wave_at(const lw_session *s, size_t index)
{
    const size_t groups = s && s->grid ? lw_grid_live(s->grid) : 0;
    for (size_t i = 0; i < groups; i++) {
        const lw_group *g = group_at(s, i);
        if (g && index < g->wave_count)
            return lw_group_wave(g, (uint32_t)index);
        index -= g ? g->wave_count : 0;
    }
    return NULL;
}

bool lw_session_wave_at(const lw_session *s, size_t index, lw_wave_stand *stand)
{
    const lw_wave_head *w = wave_at(s, index);
    if (w && stand)
        lw_stand_of(w, stand);
    return w && stand;
}

bool lw_session_wave_line(const lw_session *s, size_t index, lw_line *line)
{
    const lw_wave_head *w = wave_at(s, index);
    return w && line && s->machine->line(s->module, w->pc, line);
}

uint64_t lw_session_wave_exec(const lw_session *s, size_t index)
{
    const lw_wave_head *w = wave_at(s, index);
    return w ? s->machine->exec(w) : 0;
}

uint32_t lw_session_value(const lw_session *s, size_t index, lw_reg_file file, unsigned reg, unsigned lane)
{
    const lw_wave_head *w = wave_at(s, index);
    return w ? s->machine->value(w, file, reg, lane) : 0;
}

unsigned lw_session_register_count(const lw_session *s, size_t index, lw_reg_file file)
{
    const lw_wave_head *w = wave_at(s, index);
    return w ? s->machine->registers(w, file) : 0;
}

const void *lw_session_lds(const lw_session *s, size_t index, uint32_t *size)
{
    const lw_wave_head *w = wave_at(s, index);
    if (!w)
        return NULL;
    if (size)
        *size = w->group->lds_size;
    return lw_group_lds(w->group, w->rank);
}

const lw_event *lw_session_wave_event(lw_session *s, size_t index)
{
    lw_wave_head *w = wave_at(s, index);
    if (!w || w->state == LW_WAVE_ENDED)
        return NULL;
    bool no_memory;
    lw_worker *worker = w->group->worker;
    const bool there = lw_code_turn(&s->module->code, &worker->counts, w->pc, &worker->cursor, &no_memory);
    const void *record = there ? s->machine->fetch(worker, w) : NULL;
    if (!record)
        return NULL;
    s->shown_state = (struct lw_event_state){ w, record, NULL };
    s->shown_facts = s->machine->facts(s->arch, record, w->pc, s->shown_operands);
    lw_event_fill(&s->shown, w, &s->shown_state);
    s->shown.mnemonic = s->machine->mnemonic(record);
    s->shown.facts = &s->shown_facts;
    return &s->shown;
}

lw_status lw_session_outcome(const lw_session *s, lw_fault *fault, lw_error *error)
{
    lw_status status = LW_E_NO_MEMORY;
    if (!s || !s->grid || !lw_grid_outcome(s->grid, &status))
        return lw_fail(error, LW_E_ARGUMENT, "an outcome needs a session that has ended and is not finished");
    const lw_worker *worker = lw_grid_worker(s->grid);
    if (lw_has_stands(status))
        return lw_stand_explain(s, status, error);
    if (status == LW_E_FAULT && fault)
        *fault = worker->fault;
    if (status == LW_E_FAULT)
        return lw_fail(error, status, "%s", worker->fault.sentence);
    return status == LW_OK ? status : lw_fail(error, status, "%s", lw_status_text(status));
}
