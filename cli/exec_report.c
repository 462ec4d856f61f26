/* SPDX-License-Identifier: MIT */
#include "cli/exec_report.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/junit.h"

enum { SIGNALLED = 128 /* and the number, as exit status */, LAST_SIGNAL = 64 };
enum { FIELDS = 9, CALL_FIELDS = 3, CODE_FIELDS = 4 };

static exec_line *line_of(exec_report *report, const char *name, exec_kind kind)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->line[i].kind == kind && strcmp(report->line[i].name, name) == 0)
            return &report->line[i];
    report->line = cli_grow(report->line, (report->count + 1) * sizeof(*report->line));
    exec_line *line = &report->line[report->count++];
    *line = (exec_line){ .name = cli_copy(name, strlen(name)), .kind = kind };
    return line;
}

static uint64_t number(const char *text)
{
    return strtoull(text, NULL, 10);
}

static void add_kernel(exec_report *report, char *const *field)
{
    exec_line *line = line_of(report, field[1], EXEC_KERNEL);
    line->times += number(field[2]);
    line->instructions += number(field[3]);
    line->matrix += number(field[4]);
    line->failed += number(field[5]);
    line->errors += number(field[6]);
    line->findings += number(field[7]);
    line->seconds += strtod(field[8], NULL);
    report->launches += number(field[2]);
    report->failed += number(field[5]);
    report->errors += number(field[6]);
    report->findings += number(field[7]);
}

void exec_report_read(FILE *file, exec_report *report)
{
    char *text = NULL;
    size_t room = 0;
    while (getline(&text, &room, file) > 0) {
        char *field[FIELDS], *rest = text;
        int count = 0;
        text[strcspn(text, "\n")] = '\0';
        while (count < FIELDS && rest) {
            field[count++] = rest;
            rest = strchr(rest, '\t');
            if (rest)
                *rest++ = '\0';
        }
        if (count == FIELDS && strcmp(field[0], "kernel") == 0)
            add_kernel(report, field);
        else if (count == CALL_FIELDS && strcmp(field[0], "call") == 0)
            line_of(report, field[1], EXEC_CALL)->times += number(field[2]);
        else if (count == CODE_FIELDS && strcmp(field[0], "code") == 0) {
            exec_line *code = line_of(report, field[1], EXEC_CODE);
            code->times += number(field[2]);
            code->bytes = number(field[3]);
        }
    }
    free(text);
}

static size_t kernels_of(const exec_report *report)
{
    size_t kernels = 0;
    for (size_t i = 0; i < report->count; i++)
        kernels += report->line[i].kind == EXEC_KERNEL;
    return kernels;
}

void exec_report_print(const exec_report *report, const char *arch, int status, FILE *out)
{
    const size_t kernels = kernels_of(report);
    if (status > SIGNALLED && status <= SIGNALLED + LAST_SIGNAL)
        fprintf(out,
                "lanewise: the program ended with status %d, as after signal %d: its last launches may be "
                "missing\n",
                status, status - SIGNALLED);
    if (!report->launches)
        fprintf(out, "lanewise: no kernel was launched on the stand-in for %s\n", arch);
    else
        fprintf(out, "lanewise: %llu launch%s of %zu kernel%s on %s\n", (unsigned long long)report->launches,
                report->launches == 1 ? "" : "es", kernels, kernels == 1 ? "" : "s", arch);
    if (kernels)
        fprintf(out, "%9s %14s %12s %9s %8s %8s  %s\n", "launches", "instructions", "matrix", "seconds",
                "failed", "errors", "kernel");
    for (size_t i = 0; i < report->count; i++) {
        const exec_line *l = &report->line[i];
        if (l->kind == EXEC_KERNEL)
            fprintf(out, "%9llu %14llu %12llu %9.3f %8llu %8llu  %s\n", (unsigned long long)l->times,
                    (unsigned long long)l->instructions, (unsigned long long)l->matrix, l->seconds,
                    (unsigned long long)l->failed, (unsigned long long)l->errors, l->name);
    }
    for (size_t i = 0; i < report->count; i++)
        if (report->line[i].kind == EXEC_CALL)
            fprintf(out, "not served: %s, called %llu time%s\n", report->line[i].name,
                    (unsigned long long)report->line[i].times, report->line[i].times == 1 ? "" : "s");
}

void exec_report_json(const exec_report *report, cli_json *json)
{
    json_open(json, "kernels", '[');
    for (size_t i = 0; i < report->count; i++) {
        const exec_line *l = &report->line[i];
        if (l->kind != EXEC_KERNEL)
            continue;
        json_open(json, NULL, '{');
        json_string(json, "name", l->name);
        json_uint(json, "launches", l->times);
        json_uint(json, "instructions", l->instructions);
        json_uint(json, "matrix_instructions", l->matrix);
        json_uint(json, "failed", l->failed);
        json_uint(json, "errors", l->errors);
        json_uint(json, "findings", l->findings);
        json_seconds(json, "seconds", l->seconds);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "code", '[');
    for (size_t i = 0; i < report->count; i++) {
        if (report->line[i].kind != EXEC_CODE)
            continue;
        json_open(json, NULL, '{');
        json_string(json, "sha256", report->line[i].name);
        json_uint(json, "bytes", report->line[i].bytes);
        json_uint(json, "loads", report->line[i].times);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "not_served", '[');
    for (size_t i = 0; i < report->count; i++) {
        if (report->line[i].kind != EXEC_CALL)
            continue;
        json_open(json, NULL, '{');
        json_string(json, "name", report->line[i].name);
        json_uint(json, "calls", report->line[i].times);
        json_close(json, '}');
    }
    json_close(json, ']');
}

/* Launches that did not end are errors, what checks found is a failure. */
static junit_case kernel_case(const exec_line *l)
{
    junit_case c = { .name = l->name };
    if (l->failed) {
        c.outcome = JUNIT_ERROR;
        snprintf(c.text, sizeof(c.text), "%llu of %llu launches failed", (unsigned long long)l->failed,
                 (unsigned long long)l->times);
    } else if (l->errors) {
        c.outcome = JUNIT_FAILED;
        snprintf(c.text, sizeof(c.text), "checks found %llu errors", (unsigned long long)l->errors);
    }
    return c;
}

int exec_report_junit(const exec_report *report, const cli_call *call, int status)
{
    junit_case *cases = cli_alloc((kernels_of(report) + 1) * sizeof(*cases));
    size_t count = 1;
    cases[0] = (junit_case){ .name = "program", .outcome = status ? JUNIT_FAILED : JUNIT_PASSED };
    snprintf(cases[0].text, sizeof(cases[0].text), "exit status %d", status);
    for (size_t i = 0; i < report->count; i++)
        if (report->line[i].kind == EXEC_KERNEL)
            cases[count++] = kernel_case(&report->line[i]);
    const int exit = junit_write(call, "lanewise exec", cases, count);
    free(cases);
    return exit;
}

void exec_report_free(exec_report *report)
{
    for (size_t i = 0; i < report->count; i++)
        free(report->line[i].name);
    free(report->line);
}
