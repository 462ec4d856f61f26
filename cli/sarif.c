/* SPDX-License-Identifier: MIT */
/* --sarif FILE: the findings of the checks as SARIF 2.1.0 (OASIS), which editors and code hosts read. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <lanewise/lanewise.h>

#include "cli/json.h"
#include "cli/run.h"

/* One result: everything that the checks have in common. */
typedef struct result {
    const char *rule, *level, *text;
    lw_finding_place place, other;
    uint64_t times;
} result;

static void write_message(cli_json *json, const char *key, const char *text)
{
    json_open(json, key, '{');
    json_string(json, "text", text);
    json_close(json, '}');
}

/* A path as a reference by RFC 3986: all but unreserved characters and slashes are encoded. */
static void write_uri(cli_json *json, const char *path)
{
    static const char digits[] = "0123456789ABCDEF";
    char uri[3 * 1024];
    size_t at = 0;
    for (; *path && at + 4 < sizeof(uri); path++) {
        const unsigned char c = (unsigned char)*path;
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           strchr("-._~/", c) != NULL;
        if (plain) {
            uri[at++] = (char)c;
            continue;
        }
        uri[at++] = '%';
        uri[at++] = digits[c >> 4];
        uri[at++] = digits[c & 15];
    }
    uri[at] = '\0';
    json_string(json, "uri", uri);
}

/* The source line if it is known; always the kernel and the offset in it. */
static void write_location(const run_job *job, const lw_finding_place *place, cli_json *json)
{
    char name[512];
    json_open(json, NULL, '{');
    if (place->source.line) {
        json_open(json, "physicalLocation", '{');
        json_open(json, "artifactLocation", '{');
        write_uri(json, place->source.file);
        json_close(json, '}');
        json_open(json, "region", '{');
        json_uint(json, "startLine", place->source.line);
        json_close(json, '}');
        json_close(json, '}');
    }
    snprintf(name, sizeof(name), "%s+0x%" PRIx64, job->kernel->name, place->code_offset);
    json_open(json, "logicalLocations", '[');
    json_open(json, NULL, '{');
    json_string(json, "fullyQualifiedName", name);
    json_string(json, "kind", "function");
    json_close(json, '}');
    json_close(json, ']');
    write_message(json, "message", place->instruction);
    json_close(json, '}');
}

static void write_result(const run_job *job, const result *r, cli_json *json)
{
    json_open(json, NULL, '{');
    json_string(json, "ruleId", r->rule);
    json_string(json, "level", r->level);
    write_message(json, "message", r->text);
    json_open(json, "locations", '[');
    write_location(job, &r->place, json);
    json_close(json, ']');
    if (r->other.known) {
        json_open(json, "relatedLocations", '[');
        write_location(job, &r->other, json);
        json_close(json, ']');
    }
    if (r->times)
        json_uint(json, "occurrenceCount", r->times);
    json_close(json, '}');
}

static void write_findings(const run_job *job, const lw_check *check, cli_json *json)
{
    static const char *const levels[LW_SEVERITY_COUNT] = { [LW_SEVERITY_ERROR] = "error",
                                                           [LW_SEVERITY_WARNING] = "warning",
                                                           [LW_SEVERITY_STRICT] = "note",
                                                           [LW_SEVERITY_INFO] = "note" };
    for (size_t i = 0; i < lw_check_count(check); i++) {
        const lw_finding *f = lw_check_at(check, i);
        char rule[80], text[1024];
        snprintf(rule, sizeof(rule), "%s/%s", lw_check_name(check), f->rule);
        snprintf(text, sizeof(text), "%s. Rule: %s.%s%s", f->what, f->why, f->cure[0] ? " Cure: " : "",
                 f->cure);
        write_result(job, &(result){ rule, levels[f->severity], text, f->place, f->other, f->times }, json);
    }
}

static void write_uninit(const run_job *job, cli_json *json)
{
    for (size_t i = 0; i < lw_uninit_count(job->uninit); i++) {
        const lw_uninit_report *u = lw_uninit_at(job->uninit, i);
        char text[200];
        snprintf(text, sizeof(text), "reads %s, which was never written", u->what);
        const lw_finding_place place = { true, u->code_offset, u->instruction, u->source };
        write_result(job, &(result){ "uninit/read", "error", text, place, { 0 }, u->times }, json);
    }
}

static void write_banks(const run_job *job, cli_json *json)
{
    for (size_t i = 0; i < lw_banks_count(job->banks); i++) {
        const lw_banks_report *b = lw_banks_at(job->banks, i);
        char text[200];
        if (b->max_degree < 2)
            continue;
        snprintf(text, sizeof(text), "%u-way conflict of LDS banks, %" PRIu64 " turns for %" PRIu64 " phases",
                 b->max_degree, b->turns, b->phases);
        const lw_finding_place place = { true, b->code_offset, b->instruction, b->source };
        write_result(job, &(result){ "banks/conflict", "note", text, place, { 0 }, b->executed }, json);
    }
}

/* Those that touch more than twice as many blocks as they need. */
static void write_coalescing(const run_job *job, cli_json *json)
{
    for (size_t i = 0; i < lw_coalescing_count(job->coalescing); i++) {
        const lw_coalescing_report *c = lw_coalescing_at(job->coalescing, i);
        char text[200];
        if (c->touched <= 2 * c->needed)
            continue;
        snprintf(text, sizeof(text),
                 "touches %" PRIu64 " blocks of %u bytes of global memory where %" PRIu64
                 " would hold its bytes",
                 c->touched, c->unit, c->needed);
        const lw_finding_place place = { true, c->code_offset, c->instruction, c->source };
        write_result(job, &(result){ "banks/coalescing", "note", text, place, { 0 }, c->executed }, json);
    }
}

/* The fault that ended the launch. */
static void write_fault(const run_job *job, const char *stopped, cli_json *json)
{
    const lw_fault *f = &job->result->fault;
    if (!stopped || !job->result->faulted)
        return;
    const lw_finding_place place = { true, f->code_offset, f->instruction, f->source };
    write_result(job, &(result){ "launch/fault", "error", f->sentence, place, { 0 }, 0 }, json);
}

static void write_notification(const char *level, const char *text, cli_json *json)
{
    json_open(json, NULL, '{');
    json_string(json, "level", level);
    write_message(json, "message", text);
    json_close(json, '}');
}

/* Why the launch stopped, and what the checks did not look at, also where they found nothing. */
static void write_invocation(const run_job *job, const char *stopped, cli_json *json)
{
    json_open(json, "invocations", '[');
    json_open(json, NULL, '{');
    json_bool(json, "executionSuccessful", !stopped);
    json_open(json, "toolExecutionNotifications", '[');
    if (stopped)
        write_notification("error", stopped, json);
    for (size_t i = 0; i < RUN_CHECKS; i++) {
        const char *sentence;
        for (size_t k = 0; (sentence = lw_check_unchecked_at(job->checks[i], k)) != NULL; k++) {
            char text[400];
            snprintf(text, sizeof(text), "%s, not checked: %s", lw_check_name(job->checks[i]), sentence);
            write_notification("note", text, json);
        }
    }
    json_close(json, ']');
    json_close(json, '}');
    json_close(json, ']');
}

static void write_run(const run_job *job, const char *stopped, cli_json *json)
{
    json_open(json, NULL, '{');
    json_open(json, "tool", '{');
    json_open(json, "driver", '{');
    json_string(json, "name", "lanewise");
    json_string(json, "version", LW_VERSION_STRING);
    json_close(json, '}');
    json_close(json, '}');
    write_invocation(job, stopped, json);
    json_open(json, "results", '[');
    write_fault(job, stopped, json);
    write_uninit(job, json);
    write_banks(job, json);
    write_coalescing(job, json);
    for (size_t i = 0; i < RUN_CHECKS; i++)
        write_findings(job, job->checks[i], json);
    json_close(json, ']');
    json_close(json, '}');
}

int run_write_sarif(const run_job *job, const char *stopped)
{
    const char *path = cli_value(job->call, "sarif");
    FILE *out = path ? fopen(path, "w") : NULL;
    cli_json writer = { .out = out }, *json = &writer;
    if (!path)
        return CLI_FINE;
    if (!out)
        return cli_unwritten(job->call, "sarif", strerror(errno));
    json_open(json, NULL, '{');
    json_string(json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_string(json, "version", "2.1.0");
    json_open(json, "runs", '[');
    write_run(job, stopped, json);
    json_close(json, ']');
    json_close(json, '}');
    const bool broken = ferror(out) != 0;
    if (fclose(out) != 0 || broken)
        return cli_unwritten(job->call, "sarif", "the device is full or gone");
    return CLI_FINE;
}
