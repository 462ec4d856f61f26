/* SPDX-License-Identifier: MIT */
/* --check: opening checks, and reporting what they found as text and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/run.h"
#include "cli/run_text.h"

enum { SHOWN = 20 }; /* most findings of a check that are printed as text */

static bool is_name(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

static int open_numbered(run_job *job, size_t number, bool strict)
{
    lw_check_options options = lw_check_options_default();
    options.strict = strict;
    if (job->checks[number])
        return CLI_FINE;
    const lw_status status = lw_check_create(lw_check_name_at(number), &options, &job->checks[number]);
    if (status != LW_OK)
        return cli_fail_status(job->call, "--check", status, NULL);
    run_observe(job, lw_check_observer(job->checks[number]));
    return CLI_FINE;
}

static int open_uninit(run_job *job)
{
    if (job->uninit)
        return CLI_FINE;
    const lw_status status = lw_uninit_create(&job->uninit);
    if (status != LW_OK)
        return cli_fail_status(job->call, "--check uninit=strict", status, NULL);
    run_observe(job, lw_uninit_observer(job->uninit));
    return CLI_FINE;
}

static int open_banks(run_job *job)
{
    if (job->banks)
        return CLI_FINE;
    const lw_status status = lw_banks_create(&job->banks);
    if (status != LW_OK)
        return cli_fail_status(job->call, "--check banks", status, NULL);
    run_observe(job, lw_banks_observer(job->banks));
    if (lw_coalescing_create(&job->coalescing) != LW_OK)
        return cli_fail_status(job->call, "--check banks", LW_E_NO_MEMORY, NULL);
    run_observe(job, lw_coalescing_observer(job->coalescing));
    return CLI_FINE;
}

static int open_all(run_job *job)
{
    int exit = open_banks(job);
    for (size_t i = 0; i < RUN_CHECKS && lw_check_name_at(i) && exit == CLI_FINE; i++)
        exit = open_numbered(job, i, false);
    return exit;
}

static int fail_name(const run_job *job, const char *name, size_t length)
{
    char names[200] = "banks";
    for (size_t i = 0; i < RUN_CHECKS && lw_check_name_at(i); i++)
        snprintf(names + strlen(names), sizeof(names) - strlen(names), ", %s", lw_check_name_at(i));
    return cli_fail(job->call, CLI_USAGE, "--check '%.*s': must be %s, all, or several with commas",
                    (int)length, name, names);
}

int run_open_check(run_job *job, const char *name, size_t length)
{
    static const char strict[] = "=strict";
    const size_t tail = sizeof(strict) - 1;
    const bool is_strict = length > tail && memcmp(name + length - tail, strict, tail) == 0;
    const size_t bare = is_strict ? length - tail : length;
    if (is_name("all", name, length))
        return open_all(job);
    if (is_name("uninit=strict", name, length))
        return open_uninit(job);
    if (is_name("banks", name, length))
        return open_banks(job);
    for (size_t i = 0; i < RUN_CHECKS && lw_check_name_at(i); i++)
        if (is_name(lw_check_name_at(i), name, bare))
            return open_numbered(job, i, is_strict);
    return fail_name(job, name, length);
}

bool run_check_failed(const run_job *job)
{
    bool failed = job->uninit && lw_uninit_count(job->uninit);
    for (size_t i = 0; i < RUN_CHECKS; i++)
        failed = failed || lw_check_count_of(job->checks[i], LW_SEVERITY_ERROR);
    return failed;
}

static void print_place(const char *title, const lw_finding_place *place)
{
    if (!place->known)
        return;
    printf("    %s +0x%" PRIx64 "  %s", title, place->code_offset, place->instruction);
    run_text_source(&place->source, NULL);
    putchar('\n');
}

static void print_finding(const run_job *job, const lw_finding *f)
{
    printf("  %s %s: %s\n", lw_severity_name(f->severity), f->rule, f->what);
    print_place(f->other.known ? "earlier" : "at", f->other.known ? &f->other : &f->place);
    if (f->other.known)
        print_place("later  ", &f->place);
    fputs("    first in ", stdout);
    run_text_who(job, f->workgroup, f->wave);
    if (f->lane >= 0)
        printf(" lane %d", f->lane);
    printf(", %" PRIu64 " time%s\n    rule: %s\n", f->times, f->times == 1 ? "" : "s", f->why);
    if (f->cure[0])
        printf("    cure: %s\n", f->cure);
}

static void write_place(const char *key, const lw_finding_place *place, cli_json *json)
{
    if (!place->known)
        return;
    json_open(json, key, '{');
    json_uint(json, "code_offset", place->code_offset);
    json_string(json, "instruction", place->instruction);
    run_text_source(&place->source, json);
    json_close(json, '}');
}

static void write_finding(const lw_finding *f, cli_json *json)
{
    json_open(json, NULL, '{');
    json_string(json, "severity", lw_severity_name(f->severity));
    json_string(json, "rule", f->rule);
    json_string(json, "what", f->what);
    json_string(json, "why", f->why);
    json_string(json, "cure", f->cure);
    write_place("place", &f->place, json);
    write_place("other", &f->other, json);
    json_open(json, "workgroup", '[');
    for (int i = 0; i < 3; i++)
        json_uint(json, NULL, f->workgroup[i]);
    json_close(json, ']');
    json_uint(json, "wave", f->wave);
    json_int(json, "lane", f->lane);
    json_uint(json, "times", f->times);
    json_close(json, '}');
}

/* "2 errors, 1 warning"; severities without findings are left out. */
static void print_counts(const lw_check *check)
{
    const char *between = "";
    for (int s = 0; s < LW_SEVERITY_COUNT; s++) {
        const size_t count = lw_check_count_of(check, (lw_severity)s);
        const char *name = lw_severity_name((lw_severity)s);
        if (!count)
            continue;
        if (s == LW_SEVERITY_STRICT)
            printf("%s%zu by the strict level", between, count);
        else
            printf("%s%zu %s%s", between, count, name, count == 1 || s == LW_SEVERITY_INFO ? "" : "s");
        between = ", ";
    }
    puts(between[0] ? "" : "nothing found");
}

static void print_check(const run_job *job, const lw_check *check)
{
    const size_t count = lw_check_count(check);
    const char *sentence;
    printf("check %s: ", lw_check_name(check));
    print_counts(check);
    for (size_t i = 0; i < count && i < SHOWN; i++)
        print_finding(job, lw_check_at(check, i));
    if (count > SHOWN)
        printf("  and %zu more: --json lists all\n", count - SHOWN);
    for (size_t i = 0; (sentence = lw_check_unchecked_at(check, i)) != NULL; i++)
        printf("  not checked: %s\n", sentence);
}

static void write_check(const lw_check *check, cli_json *json)
{
    const char *sentence;
    json_open(json, NULL, '{');
    json_string(json, "check", lw_check_name(check));
    for (int s = 0; s < LW_SEVERITY_COUNT; s++)
        json_uint(json, lw_severity_name((lw_severity)s), lw_check_count_of(check, (lw_severity)s));
    json_open(json, "findings", '[');
    for (size_t i = 0; i < lw_check_count(check); i++)
        write_finding(lw_check_at(check, i), json);
    json_close(json, ']');
    json_open(json, "not_checked", '[');
    for (size_t i = 0; (sentence = lw_check_unchecked_at(check, i)) != NULL; i++)
        json_string(json, NULL, sentence);
    json_close(json, ']');
    json_close(json, '}');
}

void run_text_findings(const run_job *job, cli_json *json)
{
    bool any = false;
    for (size_t i = 0; i < RUN_CHECKS; i++)
        any = any || job->checks[i];
    if (json && any)
        json_open(json, "checks", '[');
    for (size_t i = 0; i < RUN_CHECKS; i++) {
        if (job->checks[i] && json)
            write_check(job->checks[i], json);
        else if (job->checks[i])
            print_check(job, job->checks[i]);
    }
    if (json && any)
        json_close(json, ']');
}
