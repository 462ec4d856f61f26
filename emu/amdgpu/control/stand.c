/* SPDX-License-Identifier: MIT */
/* Where every wave stands when a launch ends early, and the sentence that says why it ended. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "emu/amdgpu/control/machine.h"
#include "isa_tables/error.h"

enum { MOST_STANDS = 4096, MOST_TOLD = 4 };

uint64_t lw_stand_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void note_text(const lw_machine *m, lw_wave_stand *s)
{
    uint32_t words[4];
    lw_decoded in;
    const uint64_t offset = s->pc - m->code_base;
    if (offset >= m->code_size || s->pc & 3)
        return;
    size_t count = (size_t)((m->code_size - offset) / 4);
    count = count > 4 ? 4 : count;
    memcpy(words, m->code + offset, count * 4);
    if (count && lw_amdgpu_decode(m->arch, words, count, &in) == LW_OK)
        lw_amdgpu_text(m->arch, &in, s->instruction, sizeof(s->instruction));
}

static unsigned arrived(const lw_amd_group *g)
{
    unsigned count = 0;
    for (uint32_t i = 0; i < g->wave_count; i++)
        count += g->waves[i].state == LW_WAVE_AT_BARRIER || g->waves[i].state == LW_WAVE_ENDED;
    return count;
}

static void note_doing(const lw_wave *w, lw_wave_stand *s)
{
    const lw_amd_group *g = w->group;
    const uint64_t budget = g->machine->budget;
    uint64_t period;
    if (w->state == LW_WAVE_ENDED) {
        s->doing = LW_DOING_ENDED;
        snprintf(s->text, sizeof(s->text), "has ended");
    } else if (w->state == LW_WAVE_AT_BARRIER) {
        s->doing = LW_DOING_BARRIER;
        s->pc -= 4; /* the wave goes on after its s_barrier */
        snprintf(s->text, sizeof(s->text), "waits at a barrier that %u of %u waves have reached", arrived(g),
                 g->wave_count);
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

void lw_stand_note(lw_machine *m, const lw_amd_group *g)
{
    const size_t room = MOST_STANDS - m->stand_count;
    const size_t count = g->wave_count < room ? g->wave_count : room;
    lw_wave_stand *grown = realloc(m->stands, (m->stand_count + count + 1) * sizeof(*grown));
    if (!grown)
        return;
    m->stands = grown;
    for (size_t i = 0; i < count; i++) {
        const lw_wave *w = &g->waves[i];
        lw_wave_stand *s = &m->stands[m->stand_count++];
        *s = (lw_wave_stand){ .wave = w->id, .pc = w->pc, .executed = w->executed };
        memcpy(s->workgroup, g->id, sizeof(s->workgroup));
        note_doing(w, s);
        s->code_offset = s->pc - m->kernel_base;
        note_text(m, s);
    }
}

static void tell(const lw_wave_stand *s, lw_error *error)
{
    lw_error_append(error, "workgroup (%u,%u,%u), wave %u, pc +0x%llx \"%.60s\": %s", s->workgroup[0],
                    s->workgroup[1], s->workgroup[2], s->wave, (unsigned long long)s->code_offset,
                    s->instruction, s->text);
}

/* The first waves that have not ended. */
static void tell_some(const lw_machine *m, lw_error *error)
{
    size_t told = 0, left_out = 0;
    for (size_t i = 0; i < m->stand_count; i++) {
        if (m->stands[i].doing == LW_DOING_ENDED)
            continue;
        if (told == MOST_TOLD) {
            left_out++;
            continue;
        }
        lw_error_append(error, "; ");
        tell(&m->stands[i], error);
        told++;
    }
    if (left_out)
        lw_error_append(error, "; and %zu more", left_out);
}

static const lw_wave_stand *used_up(const lw_machine *m)
{
    for (size_t i = 0; i < m->stand_count; i++)
        if (m->stands[i].doing == LW_DOING_USED_UP)
            return &m->stands[i];
    return NULL;
}

lw_status lw_stand_explain(const lw_machine *m, lw_status status, lw_error *error)
{
    const char *noun = m->kernel[0] ? "kernel " : "code";
    const lw_wave_stand *s = status == LW_E_BUDGET ? used_up(m) : NULL;
    if (status == LW_E_LIVELOCK) {
        lw_error_fail(error, status,
                      "%s%s: no wave can go on: each repeats itself or waits, and no memory changes", noun,
                      m->kernel);
        tell_some(m, error);
    } else if (status == LW_E_STOPPED) {
        lw_error_fail(error, status, "%s%s was stopped: the time limit of %g s has passed", noun, m->kernel,
                      m->time_limit);
        tell_some(m, error);
    } else if (s) {
        lw_error_fail(error, status, "%s%s, ", noun, m->kernel);
        tell(s, error);
    } else {
        lw_error_fail(error, status, "%s%s did not end within the budget of %llu instructions for each wave",
                      noun, m->kernel, (unsigned long long)m->budget);
    }
    return status;
}
