/* SPDX-License-Identifier: MIT */
/* Where every wave is when a launch ends early, and the sentence that says why it ended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emu/device/fail.h"
#include "emu/device/session.h"

enum { MOST_STANDS = 4096, MOST_TOLD = 4 };

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
        snprintf(s->text, sizeof(s->text), "waits at %s that %u of %u waves have reached", name, here, all);
    } else if (w->state == LW_WAVE_WAITS) {
        s->doing = LW_DOING_COPIES;
        snprintf(s->text, sizeof(s->text), "waits for copies to LDS");
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

void lw_stand_note(lw_session *m, const lw_group *g)
{
    const size_t room = MOST_STANDS - m->stand_count;
    const size_t count = g->wave_count < room ? g->wave_count : room;
    lw_wave_stand *grown = realloc(m->stands, (m->stand_count + count + 1) * sizeof(*grown));
    if (!grown)
        return;
    m->stands = grown;
    for (size_t i = 0; i < count; i++)
        lw_stand_of(lw_group_wave(g, (uint32_t)i), &m->stands[m->stand_count++]);
}

static void tell(const lw_session *m, const lw_wave_stand *s, lw_error *error)
{
    lw_line line;
    char source[80];
    m->machine->line(m->module, s->pc, &line);
    lw_fault_line_text(&line, 40, source, sizeof(source));
    lw_fail_more(error, "workgroup (%u,%u,%u), wave %u, pc +0x%llx \"%.60s\"%s: %s", s->workgroup[0],
                 s->workgroup[1], s->workgroup[2], s->wave, (unsigned long long)s->code_offset,
                 s->instruction, source, s->text);
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
        lw_fail(error, status, "%s%s: no wave can go on: each repeats itself or waits, and no memory changes",
                noun, m->kernel);
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
        lw_fail(error, status, "%s%s did not end within the budget of %llu instructions for each wave", noun,
                m->kernel, (unsigned long long)m->budget);
    }
    return status;
}
