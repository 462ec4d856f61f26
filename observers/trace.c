/* SPDX-License-Identifier: MIT */
#include "observers/report.h"
#include "observers/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PER_LINE = 8 };

void lw_trace_write(lw_trace *trace, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (trace->stopped || length <= 0)
        return;
    const size_t size = (size_t)length < sizeof(text) ? (size_t)length : sizeof(text) - 1;
    if (trace->options.sink(trace->options.sink_context, text, size) != LW_OK)
        trace->stopped = true;
}

static bool is_wanted(const lw_trace *trace, const lw_event *event)
{
    const lw_trace_options *o = &trace->options;
    if (trace->stopped || (o->limit && trace->shown >= o->limit))
        return false;
    if (o->workgroup && memcmp(o->workgroup, event->workgroup, sizeof(event->workgroup)) != 0)
        return false;
    return o->wave < 0 || (uint32_t)o->wave == event->wave;
}

/* All lanes on one line if they hold one value or an arithmetic series; otherwise eight lanes per line. */
static void show_lanes(lw_trace *trace, const lw_event *event, lw_reg_file file, unsigned reg, uint64_t lanes,
                       const char *lead)
{
    const unsigned count = event->lanes < LW_MAX_LANES ? event->lanes : LW_MAX_LANES;
    const uint64_t all = count < LW_MAX_LANES ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
    uint32_t value[LW_MAX_LANES];
    lw_event_values(event, file, reg, value, count);
    const uint32_t step = value[1] - value[0];
    bool series = (lanes & all) == all && step < 0x10000u;
    for (unsigned lane = 0; lane < count; lane++)
        series = series && value[lane] == value[0] + lane * step;

    char name[LW_REGISTER_NAME];
    lw_event_register_name(event, file, reg, name, sizeof(name));
    if (series) {
        if (step == 0)
            lw_trace_write(trace, "%s%s = %08x in all lanes\n", lead, name, value[0]);
        else
            lw_trace_write(trace, "%s%s = %08x + 0x%x * lane\n", lead, name, value[0], step);
        return;
    }
    for (unsigned lane = 0; lane < count; lane++) {
        if (lane % PER_LINE == 0)
            lw_trace_write(trace, "%s%-4s %2u:", lead, lane == 0 ? name : "", lane);
        if (lanes >> lane & 1)
            lw_trace_write(trace, " %08x", value[lane]);
        else
            lw_trace_write(trace, " --------");
        if (lane % PER_LINE == PER_LINE - 1)
            lw_trace_write(trace, "\n");
    }
}

static void show_registers(lw_trace *trace, const lw_event *event, const lw_fact_operand *o, const char *lead)
{
    for (unsigned reg = o->first; reg < (unsigned)o->first + o->count; reg++) {
        if (o->lanes != LW_LANES_SCALAR) {
            show_lanes(trace, event, o->file, reg, lw_event_lanes(event, o), lead);
            continue;
        }
        char name[LW_REGISTER_NAME];
        lw_event_register_name(event, o->file, reg, name, sizeof(name));
        lw_trace_write(trace, "%s%s = %08x\n", lead, name, lw_event_value(event, o->file, reg, 0));
    }
}

static void show_operands(lw_trace *trace, const lw_event *event, bool written)
{
    const lw_facts *facts = event->facts;
    for (size_t i = 0; i < facts->operand_count; i++)
        if (written ? facts->operands[i].written : facts->operands[i].read)
            show_registers(trace, event, &facts->operands[i], written ? "      => " : "         ");
}

/* Ends the line of the instruction, with its source line if that is known. */
static void show_line(lw_trace *trace, const lw_event *event)
{
    lw_line line;
    if (lw_event_line(event, &line))
        lw_trace_write(trace, "  %s:%u", line.file, line.line);
    if (line.column)
        lw_trace_write(trace, ":%u", line.column);
    lw_trace_write(trace, "\n");
}

/* A matrix instruction that computes; others move elements. */
static bool has_matrices(const lw_event *event, lw_matrix_event *matrix)
{
    lw_insn_info info;
    return lw_event_matrix(event, matrix) && lw_insn_get_info(event->arch, matrix->insn, &info) == LW_OK &&
           !info.moves;
}

static void before(void *context, const lw_event *event)
{
    lw_trace *trace = context;
    if (!is_wanted(trace, event))
        return;
    char text[256];
    lw_event_text(event, text, sizeof(text));
    lw_trace_write(trace, "[%u,%u,%u] w%u #%llu +0x%04llx  %s", event->workgroup[0], event->workgroup[1],
                   event->workgroup[2], event->wave, (unsigned long long)event->number,
                   (unsigned long long)event->code_offset, text);
    show_line(trace, event);
    trace->exec = event->exec;
    lw_matrix_event matrix;
    if (trace->options.matrices && has_matrices(event, &matrix))
        lw_trace_matrices(trace, event, &matrix, false);
    else
        show_operands(trace, event, false);
}

/* One line for what an instruction accesses in one space. */
static void show_space(lw_trace *trace, const lw_event *event, lw_space space, const char *name)
{
    uint64_t low = UINT64_MAX, high = 0;
    size_t dropped = 0, count = 0;
    const lw_memory_access *first = NULL;
    for (size_t i = 0; i < event->access_count; i++) {
        const lw_memory_access *a = &event->accesses[i];
        if (a->space != space)
            continue;
        first = first ? first : a;
        low = a->address < low ? a->address : low;
        high = a->address + a->size > high ? a->address + a->size : high;
        dropped += a->dropped;
        count++;
    }
    if (!first)
        return;
    const char *what = first->load && first->store ? "atomic" : first->store ? "store" : "load";
    lw_trace_write(trace, "      %s %s: %zu x %u bytes within 0x%llx..0x%llx", name, what, count, first->size,
                   (unsigned long long)low, (unsigned long long)high - 1);
    if (dropped)
        lw_trace_write(trace, ", %zu out of range", dropped);
    lw_trace_write(trace, first->late ? ", issued\n" : "\n");
}

static void show_accesses(lw_trace *trace, const lw_event *event)
{
    show_space(trace, event, LW_SPACE_GLOBAL, "global");
    show_space(trace, event, LW_SPACE_LDS, "LDS");
    show_space(trace, event, LW_SPACE_SCRATCH, "scratch");
}

/* The arrival of a copy to LDS that was issued earlier. */
static void arrived(void *context, const lw_event *event)
{
    lw_trace *trace = context;
    if (!is_wanted(trace, event))
        return;
    lw_trace_write(trace, "[%u,%u,%u] w%u arrives from +0x%04llx\n", event->workgroup[0], event->workgroup[1],
                   event->workgroup[2], event->wave, (unsigned long long)event->code_offset);
    show_accesses(trace, event);
}

static void after(void *context, const lw_event *event)
{
    lw_trace *trace = context;
    if (!is_wanted(trace, event))
        return;
    lw_matrix_event matrix;
    if (trace->options.matrices && has_matrices(event, &matrix))
        lw_trace_matrices(trace, event, &matrix, true);
    else
        show_operands(trace, event, true);
    show_accesses(trace, event);
    trace->shown++;
    if (trace->options.limit && trace->shown == trace->options.limit)
        lw_trace_write(trace, "the trace ends here: its limit is %llu instructions\n",
                       (unsigned long long)trace->options.limit);
}

lw_trace_options lw_trace_options_default(void)
{
    return (lw_trace_options){ .struct_size = sizeof(lw_trace_options), .wave = -1, .matrices = true };
}

lw_status lw_trace_create(const lw_trace_options *options, lw_trace **trace)
{
    if (!options || !trace || !options->sink || options->struct_size != sizeof(lw_trace_options))
        return LW_E_ARGUMENT;
    lw_trace *made = calloc(1, sizeof(*made));
    if (!made)
        return LW_E_NO_MEMORY;
    made->options = *options;
    if (options->workgroup) {
        memcpy(made->workgroup, options->workgroup, sizeof(made->workgroup));
        made->options.workgroup = made->workgroup;
    }
    made->observer = (lw_observer){ .struct_size = sizeof(lw_observer),
                                    .context = made,
                                    .before = before,
                                    .after = after,
                                    .arrived = arrived };
    *trace = made;
    return LW_OK;
}

const lw_observer *lw_trace_observer(const lw_trace *trace)
{
    return trace ? &trace->observer : NULL;
}

void lw_trace_free(lw_trace *trace)
{
    free(trace);
}
