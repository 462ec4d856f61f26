/* SPDX-License-Identifier: MIT */
/* Positions: the launch before its n-th instruction. */
#include <stdlib.h>
#include <string.h>

#include "cli/debug/debug.h"

enum { FIRST_INTERVAL = 1 << 14, SLICE = 1 << 17 };

bool debug_same(const debug_id *a, const debug_id *b)
{
    return a->wave == b->wave && memcmp(a->workgroup, b->workgroup, sizeof(a->workgroup)) == 0;
}

bool debug_find(const debugger *d, const debug_id *id, size_t *index)
{
    const size_t count = lw_session_wave_count(d->session);
    for (size_t i = 0; i < count; i++) {
        lw_wave_stand s;
        if (!lw_session_wave_at(d->session, i, &s))
            continue;
        const debug_id here = { { s.workgroup[0], s.workgroup[1], s.workgroup[2] }, s.wave };
        if (debug_same(&here, id)) {
            *index = i;
            return true;
        }
    }
    return false;
}

bool debug_stand(const debugger *d, const debug_id *id, lw_wave_stand *stand)
{
    size_t index;
    return debug_find(d, id, &index) && lw_session_wave_at(d->session, index, stand);
}

void debug_choose_next(debugger *d)
{
    lw_wave_stand s;
    d->chosen = !d->over;
    if (d->chosen) {
        d->wave = d->next;
        d->lane = 0;
    } else if (lw_session_wave_at(d->session, 0, &s)) {
        d->wave = (debug_id){ { s.workgroup[0], s.workgroup[1], s.workgroup[2] }, s.wave };
        d->chosen = true;
    }
}

enum { MOST_PRINTED = 1 << 20 };

/* What the kernel prints is kept once, however often the launch runs through it. */
static void print(void *context, const char *text, size_t size)
{
    debugger *d = context;
    if (lw_session_instructions(d->session) < d->furthest || d->printed.size > MOST_PRINTED)
        return;
    debug_add(&d->printed, text, size);
    if (d->printed.size > MOST_PRINTED)
        debug_say(&d->printed, "\n[more than 1 MiB was printed before this stop; the rest is not shown]\n");
}

uint64_t debug_slice(const debugger *d, uint64_t limit)
{
    const uint64_t now = lw_session_instructions(d->session);
    const uint64_t most = d->interval < SLICE ? d->interval : SLICE;
    uint64_t slice = limit - now < most ? limit - now : most;
    if (now < d->furthest && slice > d->furthest - now)
        slice = d->furthest - now;
    return slice;
}

/* ---- Checkpoints ---- */

static void drop_from(debugger *d, size_t first)
{
    for (size_t i = first; i < d->kept_count; i++)
        lw_checkpoint_free(d->kept[i].saved);
    d->kept_count = first < d->kept_count ? first : d->kept_count;
}

/* Every second one goes; from now on they are twice as far apart. */
static void thin(debugger *d)
{
    size_t kept = 0;
    for (size_t i = 0; i < d->kept_count; i++) {
        if (i % 2)
            lw_checkpoint_free(d->kept[i].saved);
        else
            d->kept[kept++] = d->kept[i];
    }
    d->kept_count = kept;
    d->interval *= 2;
}

/* Without memory for a checkpoint, going back takes longer. */
static void keep(debugger *d)
{
    const uint64_t now = lw_session_instructions(d->session);
    if (d->kept_count && now < d->kept[d->kept_count - 1].number + d->interval)
        return;
    if (d->kept_count == DEBUG_CHECKPOINTS)
        thin(d);
    debug_checkpoint *c = &d->kept[d->kept_count];
    if (lw_session_save(d->session, &c->saved, NULL) != LW_OK)
        return;
    c->number = now;
    d->kept_count++;
}

/* ---- Moving ---- */

static bool step(debugger *d, lw_step_options *o, lw_pause *pause)
{
    lw_error error = { "" };
    const lw_status status = lw_session_step(d->session, o, pause, &error);
    if (status != LW_OK)
        cli_say(d->job->call, "%s", error.text);
    return status == LW_OK;
}

bool debug_settle(debugger *d)
{
    lw_step_options o = lw_step_options_default();
    lw_pause pause;
    o.events = 1u << LW_PAUSE_BEFORE;
    if (!step(d, &o, &pause))
        return false;
    d->over = pause.reason == LW_PAUSE_ENDED;
    d->position = lw_session_instructions(d->session);
    d->furthest = d->position > d->furthest ? d->position : d->furthest;
    memcpy(d->next.workgroup, pause.workgroup, sizeof(d->next.workgroup));
    d->next.wave = pause.wave;
    keep(d);
    return true;
}

bool debug_reach(debugger *d, uint64_t number)
{
    lw_step_options o = lw_step_options_default();
    lw_pause pause = { .reason = LW_PAUSE_INSTRUCTIONS };
    for (;;) {
        const uint64_t now = lw_session_instructions(d->session);
        if (now >= number || pause.reason == LW_PAUSE_ENDED)
            break;
        o.instructions = debug_slice(d, number);
        if (!step(d, &o, &pause))
            return false;
        keep(d);
    }
    return debug_settle(d);
}

bool debug_restore(debugger *d, size_t index)
{
    lw_error error = { "" };
    const lw_status status = lw_session_restore(d->session, d->kept[index].saved, &error);
    if (status != LW_OK)
        cli_say(d->job->call, "%s", error.text);
    return status == LW_OK && debug_settle(d);
}

bool debug_seek(debugger *d, uint64_t number)
{
    size_t index = d->kept_count - 1;
    while (index && d->kept[index].number > number)
        index--;
    return debug_restore(d, index) && debug_reach(d, number);
}

/* Is the wave that executes next at the fault? */
static bool is_at(const debugger *d, const lw_fault *f)
{
    lw_wave_stand s;
    const debug_id id = { { f->workgroup[0], f->workgroup[1], f->workgroup[2] }, f->wave };
    return !d->over && debug_same(&d->next, &id) && debug_stand(d, &id, &s) && s.pc == f->pc;
}

void debug_judge_end(debugger *d)
{
    lw_fault fault;
    lw_error error = { "" };
    const lw_status status = lw_session_outcome(d->session, &fault, &error);
    const uint64_t total = d->position;
    d->stop = (debug_stop){ .reason = status == LW_OK ? DEBUG_ENDED : DEBUG_STUCK };
    if (status != LW_OK)
        snprintf(d->stop.text, sizeof(d->stop.text), "%s", error.text);
    if (status == LW_E_FAULT) {
        const uint64_t last = total ? total - 1 : 0;
        d->stop.reason = DEBUG_FAULT;
        if (debug_seek(d, last) && !is_at(d, &fault))
            debug_reach(d, total);
    }
    lw_wave_stand s;
    if (!d->chosen || !debug_stand(d, &d->wave, &s) || status == LW_E_FAULT)
        debug_choose_next(d);
}

/* ---- Beginning and end ---- */

int debug_open(debugger *d, run_job *job)
{
    lw_error error = { "" };
    d->job = job;
    d->interval = FIRST_INTERVAL;
    d->amd = strcmp(lw_arch_get(lw_program_arch(job->program))->vendor, "AMD") == 0;
    d->lanes = job->kernel->wavefront_size ? job->kernel->wavefront_size : 32;
    debug_code_read(&d->code, job->program, job->kernel->name, job->path);
    debug_observe(d);
    job->options.print = print;
    job->options.print_context = d;
    lw_status status = lw_session_begin(&job->options, &d->session, &error);
    if (status == LW_OK)
        status = lw_session_save(d->session, &d->kept[0].saved, &error);
    if (status != LW_OK)
        return cli_fail_status(job->call, NULL, status, &error);
    d->kept_count = 1;
    if (!debug_settle(d))
        return CLI_FAULT;
    debug_choose_next(d);
    if (d->over)
        debug_judge_end(d);
    return CLI_FINE;
}

void debug_close(debugger *d)
{
    drop_from(d, 0);
    lw_session_drop(d->session);
    debug_code_free(&d->code);
    debug_points_free(d);
    debug_text_free(&d->printed);
}
