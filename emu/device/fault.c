/* SPDX-License-Identifier: MIT */
/* Why a wave cannot continue, and where that happened. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/device/session.h"

void lw_fault_say_all(lw_wave_head *w, int lane, const char *format, va_list args)
{
    vsnprintf(w->fault->reason, sizeof(w->fault->reason), format, args);
    w->fault->lane = lane;
}

void lw_fault_say(lw_wave_head *w, int lane, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    lw_fault_say_all(w, lane, format, args);
    va_end(args);
}

void lw_fault_line_text(const lw_line *line, size_t most, char *text, size_t size)
{
    const size_t length = strlen(line->file);
    const bool cut = length > most;
    char column[16] = "";
    if (line->column)
        snprintf(column, sizeof(column), ":%u", line->column);
    text[0] = '\0';
    if (line->line)
        snprintf(text, size, " (%s%s:%u%s)", cut ? "..." : "", line->file + (cut ? length - most : 0),
                 line->line, column);
}

/* "kernel add, workgroup (0,0,0), wave 1, lane 3" */
static size_t who_text(const lw_session *s, const lw_fault *f, char *text, size_t size)
{
    char lane[32] = "";
    if (f->lane >= 0)
        snprintf(lane, sizeof(lane), ", lane %d", f->lane);
    const int n = snprintf(text, size, "%s%s, %s (%u,%u,%u), %s %u%s", f->kernel[0] ? "kernel " : "code",
                           f->kernel, s->machine->group_word, f->workgroup[0], f->workgroup[1],
                           f->workgroup[2], s->machine->wave_word, f->wave, lane);
    return n < 0 ? 0 : (size_t)n < size ? (size_t)n : size - 1;
}

void lw_fault_locate(lw_worker *worker, const lw_wave_head *w, bool text)
{
    const lw_session *s = worker->session;
    lw_fault *f = &worker->fault;
    snprintf(f->kernel, sizeof(f->kernel), "%s", s->kernel);
    lw_wave_workgroup(w, f->workgroup);
    f->wave = w->place;
    f->pc = w->pc;
    f->code_offset = w->pc - s->kernel_base;
    f->instruction[0] = '\0';
    if (text)
        s->machine->text(s->module, f->pc, f->instruction, sizeof(f->instruction));

    char source[256];
    s->machine->line(s->module, f->pc, &f->source);
    lw_fault_line_text(&f->source, 160, source, sizeof(source));
    const bool inside = f->code_offset < UINT64_C(1) << 40;
    const size_t n = who_text(s, f, f->sentence, sizeof(f->sentence));
    snprintf(f->sentence + n, sizeof(f->sentence) - n, ", pc %s0x%llx%s%s%s%s: %s", inside ? "+" : "",
             (unsigned long long)(inside ? f->code_offset : f->pc), f->instruction[0] ? " \"" : "",
             f->instruction, f->instruction[0] ? "\"" : "", source, f->reason);
    worker->faulted = true;
    worker->fault_linear = w->group->linear;
}
