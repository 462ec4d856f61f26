/* SPDX-License-Identifier: MIT */
/* Reporting what a launch did. */
#include <stdlib.h>
#include <string.h>

#include "emu/device/fail.h"
#include "emu/device/session.h"

static int compare_counts(const void *a, const void *b)
{
    return strcmp(((const lw_launch_count *)a)->name, ((const lw_launch_count *)b)->name);
}

/* Room for what build_counts writes. NULL: no host memory. */
static lw_launch_count *counts_new(const lw_session *s)
{
    size_t size = (s->tally_count + 1) * sizeof(lw_launch_count);
    for (size_t i = 0; i < s->tally_count; i++)
        size += strlen(s->tallies[i].source) + 1;
    return calloc(1, size);
}

/* Sources may belong to prepared instructions, and so to the module, which the result outlives: their texts
 * follow the counts. */
static void build_counts(const lw_session *s, lw_launch_count *counts, lw_launch_result *result)
{
    char *text = (char *)(counts + s->tally_count);
    for (size_t i = 0; i < s->tally_count; i++) {
        const lw_tally *t = &s->tallies[i];
        const size_t length = strlen(t->source) + 1;
        counts[i] = (lw_launch_count){ t->name, t->executed, t->label, t->is_matrix, t->aspects, text };
        memcpy(text, t->source, length);
        text += length;
        result->instructions += t->executed;
        if (t->is_matrix)
            result->matrix_instructions += t->executed;
        if (t->label > result->weakest)
            result->weakest = t->label;
    }
    qsort(counts, s->tally_count, sizeof(*counts), compare_counts);
}

static void find_fault(const lw_session *s, const lw_grid_result *grid, lw_launch_result *result)
{
    for (size_t i = 0; i < s->fault_count; i++) {
        if (s->faults[i].linear != grid->fault_linear)
            continue;
        result->fault = s->faults[i].fault;
        result->faulted = true;
    }
}

static const char *schedule_name(const lw_session *s)
{
    if (s->schedule == LW_SCHEDULE_RANDOM)
        return "random order";
    return s->job.parallel ? "parallel" : "serial";
}

bool lw_has_stands(lw_status status)
{
    return status == LW_E_BUDGET || status == LW_E_LIVELOCK || status == LW_E_STOPPED;
}

/* The source lines of the recorded positions. NULL: no host memory. */
static lw_line *find_sources(const lw_session *s)
{
    lw_line *lines = calloc(s->stand_count + 1, sizeof(*lines));
    for (size_t i = 0; lines && i < s->stand_count; i++)
        s->machine->line(s->module, s->stands[i].pc, &lines[i]);
    return lines;
}

lw_launch_result *lw_result_new(lw_session *s, const lw_grid_result *grid)
{
    lw_launch_result *result = calloc(1, sizeof(*result));
    lw_launch_count *counts = counts_new(s);
    lw_line *sources = find_sources(s);
    if (!result || !counts || !sources) {
        free(result);
        free(counts);
        free(sources);
        return NULL;
    }
    build_counts(s, counts, result);
    result->status = s->status;
    result->counts = counts;
    result->count_count = s->tally_count;
    result->groups = grid->groups * s->ranks;
    result->waves = s->waves;
    result->lds_outside = s->outside;
    result->threads = grid->threads;
    result->stands = s->stands;
    result->stand_count = s->stand_count;
    result->stand_sources = sources;
    s->stands = NULL;
    result->seconds = (double)s->spent * 1e-9;
    result->schedule = schedule_name(s);
    result->repeated = s->repeated != NULL;
    result->schedule_reason =
        s->repeated ? s->repeated
        : grid->threads < grid->wanted
            ? "the host gave fewer threads than requested; the order of workgroups cannot be observed"
            : s->schedule_reason;
    if (grid->faulted)
        find_fault(s, grid, result);
    return result;
}

void lw_launch_result_free(lw_launch_result *result)
{
    if (!result)
        return;
    free((void *)(uintptr_t)result->counts);
    free((void *)(uintptr_t)result->stands);
    free((void *)(uintptr_t)result->stand_sources);
    free(result);
}

static lw_status fail_memory(const lw_session *s, const lw_grid_result *grid, lw_error *error)
{
    if (!grid->crowded)
        return lw_fail(error, LW_E_NO_MEMORY, "%s", lw_status_text(LW_E_NO_MEMORY));
    return lw_fail(error, LW_E_NO_MEMORY,
                   "%s%s: all %ss that may exist at once wait for others; with %zu bytes each, "
                   "the memory limit of %llu bytes allows %llu",
                   s->kernel[0] ? "kernel " : "code", s->kernel, s->machine->group_word, lw_group_bytes(s),
                   (unsigned long long)s->memory->limit, (unsigned long long)grid->live);
}

lw_status lw_result_explain(const lw_session *s, const lw_grid_result *grid, const lw_launch_result *result,
                            lw_error *error)
{
    if (s->explained)
        return s->status;
    if (!result)
        return s->status == LW_OK || s->status == LW_E_NO_MEMORY
                   ? fail_memory(s, grid, error)
                   : lw_fail(error, s->status, "%s", lw_status_text(s->status));
    if (s->status == LW_E_FAULT)
        return lw_fail(error, s->status, "%s", result->fault.sentence);
    return s->status;
}
