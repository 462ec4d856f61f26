/* SPDX-License-Identifier: MIT */
/* Moving through the launch, both ways. */
#include <stdlib.h>
#include <string.h>

#include "cli/debug/debug.h"

enum { SOME_STEPS = 1 << 12 };

static bool is_interrupted(const debugger *d)
{
    return d->interrupted && d->interrupted(d->interrupt_context);
}

static void stop_with(debugger *d, debug_reason reason)
{
    d->stop = (debug_stop){ .reason = reason };
}

static void stop_at_point(debugger *d, debug_point *p)
{
    stop_with(d, DEBUG_BREAKPOINT);
    d->stop.number = p->number;
    d->told = d->position + 1;
    d->wave = d->next;
    d->chosen = true;
}

static void stop_at_access(debugger *d)
{
    d->stop = d->access;
    d->wave = d->accessor;
    lw_wave_stand s;
    if (!debug_stand(d, &d->wave, &s) || s.doing == LW_DOING_ENDED)
        debug_choose_next(d);
    d->chosen = true;
}

/*
 * Goes on to the next stop, or to `limit`, which is not one. False: the limit was reached, the launch is over
 * or it was interrupted.
 */
static bool run(debugger *d, uint64_t limit, bool *interrupted)
{
    size_t count;
    uint64_t *offsets = debug_offsets(d, &count);
    debug_point *here = NULL;
    bool good = true;
    *interrupted = false;
    d->accessed = false;
    d->listens = true;
    while (good && !here && !d->accessed && !d->over && d->position < limit && !*interrupted) {
        lw_step_options o = lw_step_options_default();
        lw_pause pause;
        o.breakpoints = offsets;
        o.breakpoint_count = count;
        o.events = 1u << LW_PAUSE_ASKED;
        o.instructions = debug_slice(d, limit);
        good = lw_session_step(d->session, &o, &pause, NULL) == LW_OK && debug_settle(d);
        here = good && !d->over ? debug_point_here(d) : NULL;
        *interrupted = is_interrupted(d);
    }
    d->listens = false;
    free(offsets);
    if (d->accessed)
        stop_at_access(d);
    else if (here && d->position < limit)
        stop_at_point(d, here);
    return d->accessed || (here && d->position < limit);
}

void debug_continue(debugger *d)
{
    bool interrupted;
    debug_point *here = d->over ? NULL : debug_point_here(d);
    if (here && d->told != d->position + 1 && !debug_same(&d->wave, &d->next)) {
        stop_at_point(d, here);
        return;
    }
    if (run(d, UINT64_MAX, &interrupted))
        return;
    if (d->over) {
        debug_judge_end(d);
        return;
    }
    stop_with(d, DEBUG_PAUSED);
    debug_choose_next(d);
}

/* One instruction of the chosen wave, until it is about to execute the next one. False: something else
 * stopped it. */
static bool step_once(debugger *d)
{
    const debug_id wave = d->wave;
    bool interrupted = false, mine = false;
    for (uint64_t steps = 0; !d->over; steps++) {
        if (mine && debug_same(&d->next, &wave))
            return true;
        lw_wave_stand s;
        if (!debug_stand(d, &wave, &s) || s.doing == LW_DOING_ENDED) {
            stop_with(d, DEBUG_WAVE_ENDED);
            debug_choose_next(d);
            return false;
        }
        if (steps % SOME_STEPS == SOME_STEPS - 1 && is_interrupted(d)) {
            stop_with(d, DEBUG_PAUSED);
            return false;
        }
        const bool others = steps && !debug_same(&d->next, &wave);
        debug_point *here = others ? debug_point_here(d) : NULL;
        if (here && d->told != d->position + 1) {
            stop_at_point(d, here);
            return false;
        }
        mine = mine || debug_same(&d->next, &wave);
        if (run(d, d->position + 1, &interrupted))
            return false;
    }
    debug_judge_end(d);
    return false;
}

void debug_step(debugger *d, uint64_t count)
{
    if (d->over) {
        debug_judge_end(d);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!step_once(d))
            return;
        debug_point *here = debug_point_here(d);
        if (here && i + 1 < count) {
            stop_at_point(d, here);
            return;
        }
        if (i % SOME_STEPS == SOME_STEPS - 1 && is_interrupted(d))
            break;
    }
    stop_with(d, DEBUG_STEPPED);
}

/* The line of the wave's next instruction; 0 where it is not known. */
static uint64_t line_of(const debugger *d)
{
    lw_wave_stand s;
    const debug_place *p = debug_stand(d, &d->wave, &s) ? debug_code_at(&d->code, s.code_offset) : NULL;
    if (!p)
        return 0;
    return d->code.has_lines ? (uint64_t)p->file << 32 | p->line : p->text_line;
}

void debug_step_line(debugger *d)
{
    const uint64_t from = line_of(d);
    uint64_t now = from;
    if (d->over) {
        debug_judge_end(d);
        return;
    }
    for (uint64_t i = 0; now == from || !now; i++) {
        if (!step_once(d))
            return;
        now = line_of(d);
        debug_point *here = debug_point_here(d);
        if (here && now == from) {
            stop_at_point(d, here);
            return;
        }
        if (i % SOME_STEPS == SOME_STEPS - 1 && is_interrupted(d))
            break;
    }
    stop_with(d, DEBUG_STEPPED);
}

/* ---- Back ---- */

/* To where the chosen wave has executed `executed` instructions and is about to execute the next one. */
static bool seek_wave(debugger *d, uint64_t executed)
{
    const debug_id wave = d->wave;
    const uint64_t here = d->position;
    lw_wave_stand s;
    size_t index = d->kept_count;
    uint64_t done = 0;
    while (index-- > 0) {
        if (d->kept[index].number > here)
            continue;
        if (!debug_restore(d, index))
            return false;
        done = debug_stand(d, &wave, &s) ? s.executed : 0;
        if (done <= executed || !index)
            break;
    }
    lw_step_options o = lw_step_options_default();
    lw_pause pause;
    o.workgroup = wave.workgroup;
    o.wave = (int)wave.wave;
    o.instructions = executed - done;
    if (o.instructions && lw_session_step(d->session, &o, &pause, NULL) != LW_OK)
        return false;
    o.instructions = 0;
    o.events = 1u << LW_PAUSE_BEFORE;
    return lw_session_step(d->session, &o, &pause, NULL) == LW_OK && debug_settle(d);
}

void debug_back(debugger *d, uint64_t count)
{
    lw_wave_stand s;
    const bool there = d->chosen && debug_stand(d, &d->wave, &s) && s.doing != LW_DOING_ENDED;
    if (!there) { /* from the end: before the launch's last instructions */
        debug_seek(d, d->position > count ? d->position - count : 0);
        debug_choose_next(d);
    } else if (count) {
        seek_wave(d, s.executed > count ? s.executed - count : 0);
    }
    const bool first = there ? s.executed <= count : d->position == 0;
    stop_with(d, first ? DEBUG_BEGINS : DEBUG_STEPPED);
}

void debug_back_line(debugger *d)
{
    const uint64_t from = line_of(d);
    lw_wave_stand s;
    uint64_t now = from;
    do {
        debug_back(d, 1);
        now = line_of(d);
    } while (now == from && d->stop.reason == DEBUG_STEPPED && debug_stand(d, &d->wave, &s) && s.executed &&
             !is_interrupted(d));
    /* to the first instruction of that line */
    const uint64_t line = now;
    while (d->stop.reason == DEBUG_STEPPED && debug_stand(d, &d->wave, &s) && s.executed) {
        debug_back(d, 1);
        if (line_of(d) != line) {
            debug_step(d, 1);
            break;
        }
    }
}

/* The last stop before position `limit` from a checkpoint on; false if there is none or if the search was
 * interrupted. */
static bool last_stop(debugger *d, size_t index, uint64_t limit, debug_stop *stop, debug_id *wave,
                      uint64_t *at, bool *interrupted)
{
    bool found = false;
    if (!debug_restore(d, index))
        return false;
    debug_point *here = d->over || d->position >= limit ? NULL : debug_point_here(d);
    if (here)
        stop_at_point(d, here);
    for (bool more = here != NULL || run(d, limit, interrupted); more && d->position < limit;
         more = run(d, limit, interrupted)) {
        found = true;
        *stop = d->stop;
        *wave = d->wave;
        *at = d->position;
    }
    return found && !*interrupted;
}

/* Where it was before. */
static void stay(debugger *d, uint64_t here, debug_id wave)
{
    debug_seek(d, here);
    d->wave = wave;
    d->chosen = true;
    stop_with(d, DEBUG_PAUSED);
}

void debug_reverse(debugger *d)
{
    const uint64_t here = d->position;
    uint64_t limit = here, at = 0;
    debug_stop stop;
    debug_id wave;
    const debug_id before = d->wave;
    bool interrupted = false;
    for (size_t index = d->kept_count; index-- > 0;) {
        if (d->kept[index].number >= limit)
            continue;
        if (last_stop(d, index, limit, &stop, &wave, &at, &interrupted)) {
            debug_seek(d, at);
            d->stop = stop;
            d->wave = wave;
            d->chosen = true;
            d->told = at + 1;
            return;
        }
        if (interrupted) {
            stay(d, here, before);
            return;
        }
        limit = d->kept[index].number + 1;
    }
    debug_goto(d, 0);
}

void debug_goto(debugger *d, uint64_t number)
{
    debug_seek(d, number);
    if (d->over && d->position <= number) {
        debug_judge_end(d);
        return;
    }
    debug_choose_next(d);
    stop_with(d, number ? DEBUG_STEPPED : DEBUG_BEGINS);
}
