/* SPDX-License-Identifier: MIT */
/* Where a step pauses. */
#include <stdlib.h>
#include <string.h>

#include "emu/device/session.h"

static bool concerns(const lw_pausing *p, const lw_wave_head *w)
{
    uint32_t id[3];
    lw_wave_workgroup(w, id);
    return (p->wave < 0 || (uint32_t)p->wave == w->place) &&
           (!p->one_group || memcmp(p->workgroup, id, sizeof(p->workgroup)) == 0);
}

/* The first reason is kept. */
static void pause(lw_pausing *p, const lw_wave_head *w, lw_pause_reason reason)
{
    if (p->due)
        return;
    p->due = true;
    p->pause = (lw_pause){ .reason = reason, .wave = w->place };
    lw_wave_workgroup(w, p->pause.workgroup);
}

void lw_pause_note(lw_session *s, const lw_wave_head *w, lw_pause_reason reason)
{
    lw_pausing *p = &s->pausing;
    if (p->active && p->events >> reason & 1 && concerns(p, w))
        pause(p, w, reason);
}

static int compare(const void *key, const void *entry)
{
    const uint64_t a = *(const uint64_t *)key, b = *(const uint64_t *)entry;
    return a < b ? -1 : a > b;
}

static bool is_breakpoint(const lw_pausing *p, uint64_t pc)
{
    return bsearch(&pc, p->breakpoints, p->breakpoint_count, sizeof(pc), compare) != NULL;
}

uint64_t lw_pause_room(lw_session *s, const lw_wave_head *w)
{
    lw_pausing *p = &s->pausing;
    const bool listens = p->events >> LW_PAUSE_ASKED & 1;
    if (listens && p->asked)
        pause(p, w, LW_PAUSE_ASKED);
    if (p->due)
        return 0;
    if (!concerns(p, w))
        return listens ? 1 : UINT64_MAX;
    if (p->events >> LW_PAUSE_BEFORE & 1) {
        pause(p, w, LW_PAUSE_BEFORE);
        return 0;
    }
    if (!p->breakpoint_count)
        return listens ? 1 : p->left;
    if (!p->passed && is_breakpoint(p, w->pc)) {
        pause(p, w, LW_PAUSE_BREAKPOINT);
        return 0;
    }
    p->passed = false;
    return 1;
}

void lw_pause_spend(lw_session *s, const lw_wave_head *w, uint64_t executed)
{
    lw_pausing *p = &s->pausing;
    s->stepped += executed;
    if (p->asked && p->events >> LW_PAUSE_ASKED & 1)
        pause(p, w, LW_PAUSE_ASKED);
    if (!concerns(p, w) || p->left == UINT64_MAX)
        return;
    p->left -= executed < p->left ? executed : p->left;
    if (!p->left)
        pause(p, w, LW_PAUSE_INSTRUCTIONS);
}

void lw_session_ask(lw_session *s)
{
    if (s && s->pausing.active)
        s->pausing.asked = true;
}

uint64_t lw_session_instructions(const lw_session *s)
{
    return s ? s->stepped : 0;
}
