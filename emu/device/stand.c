/* SPDX-License-Identifier: MIT */
/* Where every wave is when a launch ends early, and the sentence that says why it ended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emu/device/fail.h"
#include "emu/device/session.h"

enum { MOST_STANDS = 4096, MOST_TOLD = 4, MOST_PERIOD = 1 << 12 };

uint64_t lw_stand_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* As is_complete counts: of the waves that the barrier of a waiting wave waits for, how many have come to it
 * (or, where all are waited for, have ended), and how many there are. */
static unsigned arrived(const lw_group *g, const lw_wave_head *w, unsigned *all)
{
    const unsigned barrier = w->barrier;
    unsigned count = g->arrived[barrier];
    *all = 0;
    for (uint32_t i = 0; i < g->wave_count; i++) {
        const lw_wave_head *x = lw_group_wave(g, i);
        if (!lw_wave_is_of(x, barrier))
            continue;
        const bool here = x->state == LW_WAVE_AT_BARRIER && x->barrier == barrier;
        count += here || (x->state == LW_WAVE_ENDED && !w->expected);
        ++*all;
    }
    if (w->expected)
        *all = w->expected;
    return count;
}

/* "a barrier", or a further one by its number. */
static void name_barrier(const lw_group *g, unsigned barrier, char text[24])
{
    const unsigned number = barrier % LW_BARRIERS;
    if (barrier == LW_WHOLE_BARRIER)
        snprintf(text, 24, g->session->ranks > 1 ? "the cluster's barrier" : "a barrier");
    else if (number)
        snprintf(text, 24, "barrier %u", number);
    else
        snprintf(text, 24, "a barrier");
}

static void note_doing(const lw_wave_head *w, lw_wave_stand *s)
{
    const lw_group *g = w->group;
    const uint64_t budget = g->session->budget;
    uint64_t period;
    if (w->state == LW_WAVE_ENDED) {
        s->doing = LW_DOING_ENDED;
        snprintf(s->text, sizeof(s->text), "has ended");
    } else if (w->state == LW_WAVE_AT_BARRIER) {
        s->doing = LW_DOING_BARRIER;
        s->pc = w->waits_at;
        unsigned all;
        char name[24];
        const unsigned here = arrived(g, w, &all);
        name_barrier(g, w->barrier, name);
        if (w->expected == LW_OPENED_BY_SIGNAL) {
            snprintf(s->text, sizeof(s->text), "waits at %s, at which %u signal%s arrived since it opened",
                     name, g->arrived[w->barrier], g->arrived[w->barrier] == 1 ? " has" : "s have");
            return;
        }
        snprintf(s->text, sizeof(s->text), "waits at %s that %u of %u %ss have reached", name, here, all,
                 g->session->machine->wave_word);
    } else if (w->state == LW_WAVE_WAITS) {
        s->doing = LW_DOING_COPIES;
        snprintf(s->text, sizeof(s->text), "waits for copies to %s", g->session->machine->shared_word);
    } else if (lw_still_repeats(w, &period)) {
        s->doing = LW_DOING_REPEATS;
        snprintf(s->text, sizeof(s->text), "repeats the same %llu instruction%s, and no memory changes",
                 (unsigned long long)period, period == 1 ? "" : "s");
    } else if (budget && w->executed >= budget) {
        s->doing = LW_DOING_USED_UP;
        snprintf(s->text, sizeof(s->text), "has used up its budget of %llu instructions",
                 (unsigned long long)budget);
    } else {
        s->doing = LW_DOING_RUNS;
        snprintf(s->text, sizeof(s->text), "runs");
    }
}

void lw_stand_of(const lw_wave_head *w, lw_wave_stand *s)
{
    const lw_session *session = w->group->session;
    *s = (lw_wave_stand){ .wave = w->place, .pc = w->pc, .executed = w->executed };
    lw_wave_workgroup(w, s->workgroup);
    note_doing(w, s);
    s->code_offset = s->pc - session->kernel_base;
    session->machine->text(session->module, s->pc, s->instruction, sizeof(s->instruction));
}

/* ---- What a wave polls ---- */

/* What the wave accesses while it repeats its state once more, which changes nothing. `first_pc`: the
 * instruction of the first access. */
static void repeat(lw_wave_head *w, uint64_t period, lw_access_log *log, uint64_t *first_pc)
{
    lw_worker *worker = w->group->worker;
    lw_observed *observed = worker->observed;
    const uint64_t executed = w->executed, all = worker->executed, changes = worker->changes;
    lw_run_end end = LW_RUN_TURN_OVER;
    worker->observed = NULL;
    w->log = log;
    for (uint64_t i = 0; i < period && (end == LW_RUN_TURN_OVER || end == LW_RUN_YIELD); i++) {
        *first_pc = log->count ? *first_pc : w->pc;
        end = worker->session->machine->run(worker, w, 1);
    }
    w->log = NULL;
    worker->observed = observed;
    w->executed = executed;
    worker->executed = all;
    worker->changes = changes; /* atomics wrote what was there */
}

/* Atomics that change nothing poll as well. */
static bool is_polled(const lw_access_log *log, size_t i)
{
    const lw_memory_access *a = &log->entries[i];
    bool first = a->space == LW_SPACE_GLOBAL || a->space == LW_SPACE_LDS;
    for (size_t k = 0; k < i && first; k++)
        first = log->entries[k].space != a->space || log->entries[k].address != a->address;
    return first;
}

static void name_polled(const lw_wave_head *w, const lw_memory_access *a, char *text, size_t size)
{
    lw_mem_view *view = &w->group->worker->view;
    const uint8_t *at = a->space == LW_SPACE_GLOBAL ? lw_mem_at(view, a->address, a->size, false) : NULL;
    const unsigned long long address = a->address;
    if (at)
        snprintf(text, size, "%s+0x%llx", view->hit.name, address - view->hit.base);
    else
        snprintf(text, size, "%s+0x%llx", w->group->session->machine->shared_word, address);
}

/* Adds what the object that the wave polls waits for. */
static void note_object(const lw_wave_head *w, uint64_t pc, const lw_memory_access *a, lw_wave_stand *s)
{
    const lw_machine *machine = w->group->session->machine;
    const size_t used = strlen(s->text);
    char lacks[64];
    if (a->space == LW_SPACE_LDS && machine->asked && machine->asked(w, pc, lacks, sizeof(lacks)))
        snprintf(s->text + used, sizeof(s->text) - used, ", an mbarrier that lacks %s", lacks);
}

/* Adds the places that the wave polls. */
static void note_polled(lw_wave_head *w, lw_wave_stand *s)
{
    lw_access_log log = { .count = 0 };
    uint64_t period = 0, first_pc = 0;
    size_t places = 0;
    const size_t used = strlen(s->text);
    char place[72] = "";
    if (lw_still_repeats(w, &period) && !lw_still_crosses(w) && period <= MOST_PERIOD)
        repeat(w, period, &log, &first_pc);
    for (size_t i = 0; i < log.count; i++)
        if (is_polled(&log, i) && ++places == 1)
            name_polled(w, &log.entries[i], place, sizeof(place));
    if (places > 1)
        snprintf(s->text + used, sizeof(s->text) - used, ": polls %.36s and %zu more", place, places - 1);
    else if (places)
        snprintf(s->text + used, sizeof(s->text) - used, ": polls %.58s", place);
    if (places == 1)
        note_object(w, first_pc, &log.entries[0], s);
    free(log.entries);
}

void lw_stand_note(lw_session *m, const lw_group *g)
{
    const size_t room = MOST_STANDS - m->stand_count;
    const size_t count = g->wave_count < room ? g->wave_count : room;
    lw_wave_stand *grown = realloc(m->stands, (m->stand_count + count + 1) * sizeof(*grown));
    if (!grown)
        return;
    m->stands = grown;
    for (size_t i = 0; i < count; i++) {
        lw_wave_stand *s = &m->stands[m->stand_count++];
        lw_stand_of(lw_group_wave(g, (uint32_t)i), s);
        if (s->doing == LW_DOING_REPEATS)
            note_polled(lw_group_wave(g, (uint32_t)i), s);
    }
}

static void tell(const lw_session *m, const lw_wave_stand *s, lw_error *error)
{
    lw_line line;
    char source[80];
    m->machine->line(m->module, s->pc, &line);
    lw_fault_line_text(&line, 40, source, sizeof(source));
    lw_fail_more(error, "%s (%u,%u,%u), %s %u, pc +0x%llx \"%.60s\"%s: %s", m->machine->group_word,
                 s->workgroup[0], s->workgroup[1], s->workgroup[2], m->machine->wave_word, s->wave,
                 (unsigned long long)s->code_offset, s->instruction, source, s->text);
}

/* Who could change what the waves read or reach the barriers: those under way, which do not, and no others.
 */
static void tell_others(const lw_session *m, lw_error *error)
{
    size_t repeat = 0, wait = 0, read = 0;
    for (size_t i = 0; i < m->stand_count; i++) {
        read += strstr(m->stands[i].text, ": polls ") != NULL;
        repeat += m->stands[i].doing == LW_DOING_REPEATS;
        wait += m->stands[i].doing == LW_DOING_BARRIER || m->stands[i].doing == LW_DOING_COPIES;
    }
    if (read && m->stand_count < MOST_STANDS)
        lw_fail_more(
            error, "; nobody is left to change what is polled: %zu %s, %zu wait%s, all other %ss have ended",
            repeat, repeat == 1 ? "repeats itself" : "repeat themselves", wait, wait == 1 ? "s" : "",
            m->machine->wave_word);
}

/* The first waves that have not ended. */
static void tell_some(const lw_session *m, lw_error *error)
{
    size_t told = 0, left_out = 0;
    for (size_t i = 0; i < m->stand_count; i++) {
        if (m->stands[i].doing == LW_DOING_ENDED)
            continue;
        if (told == MOST_TOLD) {
            left_out++;
            continue;
        }
        lw_fail_more(error, "; ");
        tell(m, &m->stands[i], error);
        told++;
    }
    if (left_out)
        lw_fail_more(error, "; and %zu more", left_out);
}

static const lw_wave_stand *used_up(const lw_session *m)
{
    for (size_t i = 0; i < m->stand_count; i++)
        if (m->stands[i].doing == LW_DOING_USED_UP)
            return &m->stands[i];
    return NULL;
}

lw_status lw_stand_explain(const lw_session *m, lw_status status, lw_error *error)
{
    const char *noun = m->kernel[0] ? "kernel " : "code";
    const lw_wave_stand *s = status == LW_E_BUDGET ? used_up(m) : NULL;
    if (status == LW_E_LIVELOCK) {
        lw_fail(error, status, "%s%s: no %s can go on: each repeats itself or waits, and no memory changes",
                noun, m->kernel, m->machine->wave_word);
        tell_others(m, error);
        tell_some(m, error);
    } else if (status == LW_E_STOPPED && atomic_load(&m->cancelled)) {
        lw_fail(error, status, "%s%s was cancelled", noun, m->kernel);
        tell_some(m, error);
    } else if (status == LW_E_STOPPED) {
        lw_fail(error, status, "%s%s was stopped: the time limit of %g s has passed", noun, m->kernel,
                m->time_limit);
        tell_some(m, error);
    } else if (s) {
        lw_fail(error, status, "%s%s, ", noun, m->kernel);
        tell(m, s, error);
    } else {
        lw_fail(error, status, "%s%s did not end within the budget of %llu instructions for each %s", noun,
                m->kernel, (unsigned long long)m->budget, m->machine->wave_word);
    }
    return status;
}
