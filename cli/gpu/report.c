/* SPDX-License-Identifier: MIT */
#include "cli/gpu/report.h"

#include <string.h>

const char report_by_gpu[] = "gpu", report_by_emulator[] = "emulator";

void report_print_head(const recording_head *head, FILE *out)
{
    fprintf(out, "device: %s (%s), as %s, driver %s\n", head->device, head->target, head->arch, head->driver);
    if (strcmp(head->source, report_by_gpu) != 0)
        fputs(
            "note: this device is a stand-in, which computes with Lanewise itself: agreement shows that the\n"
            "path works, and nothing about a GPU\n",
            out);
}

void report_write_head(const recording_head *head, cli_json *json)
{
    json_string(json, "source", head->source);
    json_bool(json, "evidence", strcmp(head->source, report_by_gpu) == 0);
    json_string(json, "device", head->device);
    json_string(json, "target", head->target);
    json_string(json, "arch", head->arch);
    json_string(json, "driver", head->driver);
    json_string(json, "lanewise", head->lanewise);
    json_string(json, "generator", head->generator);
    json_string(json, "seed", head->seed);
    json_string(json, "date", head->date);
}

static uint64_t rows_that_differ(const contest *c)
{
    uint64_t count = 0;
    for (size_t i = 0; i < c->row_count; i++)
        count += c->row[i].mismatches != 0;
    return count;
}

static bool any_refused(const contest *c)
{
    bool any = false;
    for (size_t i = 0; i < c->reason_count; i++)
        any |= c->reason[i].refused;
    return any;
}

void report_write(const contest *c, const recording_head *head, int status, FILE *out)
{
    cli_json json = { .out = out };
    json_open(&json, NULL, '{');
    report_write_head(head, &json);
    json_uint(&json, "subjects", c->row_count);
    json_uint(&json, "subjects_that_differ", rows_that_differ(c));
    contest_json_probes(c, "probes", &json);
    contest_json(c, &json);
    json_int(&json, "status", status);
    json_close(&json, '}');
}

int report_conclude(const contest *c)
{
    if (c->row_count == 0 && !any_refused(c) && !c->parts)
        return cli_fail(c->call, CLI_USAGE, "--only %s: nothing is compared%s%s", c->only ? c->only : "",
                        c->reason_count ? ": " : "", c->reason_count ? c->reason[0].text : "");
    if (rows_that_differ(c))
        return CLI_NO;
    return any_refused(c) ? CLI_FAULT : CLI_FINE;
}

void report_end(const contest *c, const recording_head *head, int status)
{
    if (c->out)
        contest_print(c);
    else
        report_write(c, head, status, stdout);
}
