/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lanewise/mma.h>

#include "cli/run_text.h"

/* "1,234,567" */
static void print_number(uint64_t value)
{
    char digits[32];
    const int count = snprintf(digits, sizeof(digits), "%" PRIu64, value);
    for (int i = 0; i < count; i++) {
        if (i && (count - i) % 3 == 0)
            putchar(',');
        putchar(digits[i]);
    }
}

static void print_counted(uint64_t value, const char *noun)
{
    print_number(value);
    printf(" %s%s", noun, value == 1 ? "" : "s");
}

/* Whether to use NVIDIA's terms, such as block and warp. */
static bool is_ptx(const run_job *job)
{
    return strncmp(lw_arch_get(lw_program_arch(job->program))->name, "sm_", 3) == 0;
}

void run_text_who(const run_job *job, const uint32_t workgroup[3], uint32_t wave)
{
    const bool ptx = is_ptx(job);
    printf("%s %u,%u,%u %s %u", ptx ? "block" : "workgroup", workgroup[0], workgroup[1], workgroup[2],
           ptx ? "warp" : "wave", wave);
}

static void print_summary(const run_job *job)
{
    const lw_launch_result *r = job->result;
    const bool ptx = is_ptx(job);
    printf("%s on %s: ", job->kernel->name, lw_arch_get(lw_program_arch(job->program))->name);
    print_counted(r->groups, ptx ? "block" : "workgroup");
    fputs(", ", stdout);
    print_counted(r->waves, ptx ? "warp" : "wave");
    fputs("\nran ", stdout);
    print_counted(r->instructions, "instruction");
    fputs(", ", stdout);
    print_number(r->matrix_instructions);
    printf(" of them matrix instructions, in %.3f s", r->seconds);
    if (job->options.budget) {
        fputs(" (budget ", stdout);
        print_number(job->options.budget);
        putchar(')');
    }
    printf("\n%s on %u thread%s: %s\n", r->schedule, r->threads, r->threads == 1 ? "" : "s",
           r->schedule_reason);
}

static void write_summary(const run_job *job, cli_json *json)
{
    const lw_launch_result *r = job->result;
    json_string(json, "kernel", job->kernel->name);
    json_string(json, "arch", lw_arch_get(lw_program_arch(job->program))->name);
    json_uint(json, "workgroups", r->groups);
    json_uint(json, "waves", r->waves);
    json_uint(json, "instructions", r->instructions);
    json_uint(json, "matrix_instructions", r->matrix_instructions);
    json_uint(json, "budget", job->options.budget);
    json_seconds(json, "seconds", r->seconds);
    json_uint(json, "threads", r->threads);
    json_string(json, "schedule", r->schedule);
    json_string(json, "schedule_reason", r->schedule_reason);
    json_bool(json, "repeated", r->repeated);
}

static void print_outside(const run_job *job, const lw_lds_outside *o)
{
    fputs("LDS: ", stdout);
    print_number(o->times);
    printf(" access%s past the workgroup's %u bytes read zero or stored nothing; the first: +0x%" PRIx64
           "  %s, byte 0x%x, lane "
           "%d, workgroup %u,%u,%u wave %u\n",
           o->times == 1 ? "" : "es", o->lds_size, o->code_offset, o->instruction, o->address, o->lane,
           o->workgroup[0], o->workgroup[1], o->workgroup[2], o->wave);
    if (job->kernel->lds_size == 0)
        puts("     the kernel declares no LDS: --smem BYTES gives it some");
}

static void write_outside(const lw_lds_outside *o, cli_json *json)
{
    json_open(json, "lds_outside", '{');
    json_uint(json, "times", o->times);
    json_uint(json, "lds_bytes", o->lds_size);
    json_uint(json, "code_offset", o->code_offset);
    json_string(json, "instruction", o->instruction);
    json_uint(json, "address", o->address);
    json_uint(json, "size", o->size);
    json_bool(json, "store", o->store);
    json_int(json, "lane", o->lane);
    json_uint(json, "wave", o->wave);
    json_open(json, "workgroup", '[');
    for (int i = 0; i < 3; i++)
        json_uint(json, NULL, o->workgroup[i]);
    json_close(json, ']');
    json_close(json, '}');
}

void run_text_summary(const run_job *job, cli_json *json)
{
    const lw_lds_outside *outside = &job->result->lds_outside;
    if (json)
        write_summary(job, json);
    else
        print_summary(job);
    if (outside->times && json)
        write_outside(outside, json);
    else if (outside->times)
        print_outside(job, outside);
}

/* " (add.c:5)"; nothing if the line is unknown. */
static void print_source(const lw_line *line)
{
    if (line->line)
        printf(" (%s:%u)", line->file, line->line);
}

static void write_source(const lw_line *line, cli_json *json)
{
    if (!line->line)
        return;
    json_open(json, "source", '{');
    json_string(json, "file", line->file);
    json_uint(json, "line", line->line);
    json_uint(json, "column", line->column);
    json_close(json, '}');
}

void run_text_source(const lw_line *line, cli_json *json)
{
    if (json)
        write_source(line, json);
    else
        print_source(line);
}

static void report_uninit(const run_job *job, const lw_uninit_report *u, cli_json *json)
{
    if (!json) {
        printf("  +0x%" PRIx64 "  %s", u->code_offset, u->instruction);
        print_source(&u->source);
        printf(": reads %s", u->what);
        if (u->lane >= 0)
            printf(" in lane %d", u->lane);
        fputs(", ", stdout);
        run_text_who(job, u->workgroup, u->wave);
        printf(", %" PRIu64 " time%s\n", u->times, u->times == 1 ? "" : "s");
        return;
    }
    json_open(json, NULL, '{');
    json_uint(json, "code_offset", u->code_offset);
    json_string(json, "instruction", u->instruction);
    write_source(&u->source, json);
    json_string(json, "what", u->what);
    json_int(json, "lane", u->lane);
    json_uint(json, "wave", u->wave);
    json_uint(json, "times", u->times);
    json_close(json, '}');
}

static void report_uninits(const run_job *job, cli_json *json)
{
    const size_t count = lw_uninit_count(job->uninit);
    if (json)
        json_open(json, "uninitialised", '[');
    else if (count == 0)
        puts("check uninit=strict: every register and LDS byte was written before it was read");
    else
        printf("check uninit=strict: %zu instruction%s read%s what was never written\n", count,
               count == 1 ? "" : "s", count == 1 ? "s" : "");
    for (size_t i = 0; i < count; i++)
        report_uninit(job, lw_uninit_at(job->uninit, i), json);
    if (json)
        json_close(json, ']');
}

void run_text_checks(const run_job *job, cli_json *json)
{
    if (job->uninit)
        report_uninits(job, json);
    run_text_banks(job, json);
    run_text_findings(job, json);
    run_text_coverage(job, json);
}

static void write_count(const lw_launch_count *c, cli_json *json)
{
    json_open(json, NULL, '{');
    json_string(json, "instruction", c->name);
    json_uint(json, "executed", c->executed);
    json_bool(json, "matrix", c->is_matrix);
    json_string(json, "label", lw_label_name(c->label));
    json_string(json, "source", c->source);
    json_open(json, "aspects", '[');
    for (int a = 0; a < LW_MMA_ASPECT_COUNT; a++)
        if (c->aspects >> a & 1)
            json_string(json, NULL, lw_mma_aspect_name((lw_mma_aspect)a));
    json_close(json, ']');
    json_close(json, '}');
}

static void write_evidence(const run_job *job, cli_json *json)
{
    json_string(json, "weakest", lw_label_name(job->result->weakest));
    json_open(json, "counts", '[');
    for (size_t i = 0; i < job->result->count_count; i++)
        write_count(&job->result->counts[i], json);
    json_close(json, ']');
}

static void print_count(const lw_launch_count *c)
{
    printf("  %-9s %-40s ", lw_label_name(c->label), c->name);
    print_counted(c->executed, "time");
    if (c->source[0])
        printf("  (%s)", c->source);
    putchar('\n');
}

/* Without --evidence, only rules that are neither defined by the manual's text nor measured. */
static void print_evidence(const run_job *job)
{
    const lw_launch_result *r = job->result;
    const bool all = cli_has(job->call, "evidence");
    size_t weak = 0;
    for (size_t i = 0; i < r->count_count; i++)
        weak += r->counts[i].label > LW_LABEL_VENDOR;
    printf("evidence: %zu kinds of instruction ran, the weakest label is %s", r->count_count,
           lw_label_name(r->weakest));
    printf(weak ? "; %zu not measured:\n" : all ? ":\n" : "\n", weak);
    for (int label = LW_LABEL_UNKNOWN; label >= LW_LABEL_EXACT; label--)
        for (size_t i = 0; i < r->count_count; i++)
            if ((int)r->counts[i].label == label && (all || label > LW_LABEL_VENDOR))
                print_count(&r->counts[i]);
}

void run_text_evidence(const run_job *job, cli_json *json)
{
    if (json)
        write_evidence(job, json);
    else
        print_evidence(job);
}

void run_text_fault(const lw_fault *fault, cli_json *json)
{
    json_open(json, "fault", '{');
    json_string(json, "kernel", fault->kernel);
    json_open(json, "workgroup", '[');
    for (int i = 0; i < 3; i++)
        json_uint(json, NULL, fault->workgroup[i]);
    json_close(json, ']');
    json_uint(json, "wave", fault->wave);
    json_int(json, "lane", fault->lane);
    json_hex(json, "pc", fault->pc, 1);
    json_uint(json, "code_offset", fault->code_offset);
    json_string(json, "instruction", fault->instruction);
    write_source(&fault->source, json);
    json_string(json, "reason", fault->reason);
    json_close(json, '}');
}

static void print_stand(const run_job *job, const lw_wave_stand *s, const lw_line *source)
{
    fputs("  ", stdout);
    run_text_who(job, s->workgroup, s->wave);
    printf("%s +0x%-6" PRIx64 " %-40s %s", s->wave < 10 ? " " : "", s->code_offset, s->instruction, s->text);
    print_source(source);
    putchar('\n');
}

static void write_stand(const lw_wave_stand *s, const lw_line *source, cli_json *json)
{
    json_open(json, NULL, '{');
    json_open(json, "workgroup", '[');
    for (int i = 0; i < 3; i++)
        json_uint(json, NULL, s->workgroup[i]);
    json_close(json, ']');
    json_uint(json, "wave", s->wave);
    json_hex(json, "pc", s->pc, 1);
    json_uint(json, "code_offset", s->code_offset);
    json_string(json, "instruction", s->instruction);
    write_source(source, json);
    json_uint(json, "executed", s->executed);
    json_string(json, "doing", s->text);
    json_close(json, '}');
}

void run_text_stands(const run_job *job, cli_json *json)
{
    const lw_launch_result *r = job->result;
    if (r->stand_count == 0)
        return;
    if (json)
        json_open(json, "waves_under_way", '[');
    else
        printf("where the %ss stand:\n", is_ptx(job) ? "warp" : "wave");
    for (size_t i = 0; i < r->stand_count; i++) {
        if (json)
            write_stand(&r->stands[i], &r->stand_sources[i], json);
        else
            print_stand(job, &r->stands[i], &r->stand_sources[i]);
    }
    if (json)
        json_close(json, ']');
}
