/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* gmtime_r */
#include "cli/gpu/validate.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lanewise/version.h>

#include "cli/file.h"
#include "cli/gpu/contest.h"
#include "cli/gpu/values.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/target.h"

static const char by_gpu[] = "gpu", by_emulator[] = "emulator";

/* ---- Options ---- */

static int read_number(const cli_call *call, const char *option, uint64_t low, uint64_t high, uint64_t *value)
{
    const char *text = cli_value(call, option);
    if (text && (!parse_u64(text, value) || *value < low || *value > high))
        return cli_fail(call, CLI_USAGE, "--%s %s: needs a number from %llu to %llu", option, text,
                        (unsigned long long)low, (unsigned long long)high);
    return CLI_FINE;
}

static int read_options(const cli_call *call, contest *c)
{
    enum { MOST_CASES = 100000000, USUAL_CASES = 70 };
    static const char *const written[] = { "record", "report" };
    c->call = call;
    c->seed = 1;
    c->cases = USUAL_CASES;
    c->only = cli_value(call, "only");
    c->launches = cli_value(call, "launches");
    c->all_inputs = cli_has(call, "all-inputs");
    int exit = read_number(call, "seed", 0, UINT64_MAX, &c->seed);
    if (exit == CLI_FINE)
        exit = read_number(call, "cases", 1, MOST_CASES, &c->cases);
    for (size_t i = 0; i < CLI_COUNT(written) && exit == CLI_FINE; i++)
        if (cli_has(call, written[i]))
            exit = output_check(call, cli_value(call, written[i]));
    return exit;
}

/* The device says what it is; --arch may say what it should be. */
static int check_arch(const cli_call *call, const gpu *g)
{
    lw_arch wanted;
    const int exit = target_arch(call, false, &wanted);
    if (exit == CLI_FINE && wanted != LW_ARCH_NONE && wanted != g->arch)
        return cli_fail(call, CLI_USAGE, "--arch %s: the device is %s", cli_value(call, "arch"),
                        lw_arch_get(g->arch)->name);
    return exit;
}

/* ---- What is said about the device ---- */

static void fill_head(const contest *c, recording_head *head)
{
    const gpu *g = c->device;
    const time_t now = time(NULL);
    struct tm utc;
    *head = (recording_head){ .source = "" };
    snprintf(head->source, sizeof(head->source), "%s", g->emulated ? by_emulator : by_gpu);
    snprintf(head->api, sizeof(head->api), "%s", cli_value(c->call, "device"));
    snprintf(head->device, sizeof(head->device), "%.255s", g->name);
    snprintf(head->target, sizeof(head->target), "%.255s", g->target);
    snprintf(head->arch, sizeof(head->arch), "%s", lw_arch_get(g->arch)->name);
    snprintf(head->driver, sizeof(head->driver), "%d", g->driver);
    snprintf(head->lanewise, sizeof(head->lanewise), "%s", LW_VERSION_STRING);
    snprintf(head->generator, sizeof(head->generator), "%d", VALUES_VERSION);
    snprintf(head->seed, sizeof(head->seed), "%llu", (unsigned long long)c->seed);
    if (gmtime_r(&now, &utc))
        strftime(head->date, sizeof(head->date), "%Y-%m-%dT%H:%M:%SZ", &utc);
}

static void print_head(const recording_head *head, FILE *out)
{
    fprintf(out, "device: %s (%s), as %s, driver %s\n", head->device, head->target, head->arch, head->driver);
    if (strcmp(head->source, by_gpu) != 0)
        fputs(
            "note: this device is a stand-in, which computes with Lanewise itself: agreement shows that the\n"
            "path works, and nothing about a GPU\n",
            out);
}

static void write_head(const recording_head *head, cli_json *json)
{
    json_string(json, "source", head->source);
    json_bool(json, "evidence", strcmp(head->source, by_gpu) == 0);
    json_string(json, "device", head->device);
    json_string(json, "target", head->target);
    json_string(json, "arch", head->arch);
    json_string(json, "driver", head->driver);
    json_string(json, "lanewise", head->lanewise);
    json_string(json, "generator", head->generator);
    json_string(json, "seed", head->seed);
    json_string(json, "date", head->date);
}

/* ---- Asking a device ---- */

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

static void write_report(const contest *c, const recording_head *head, int status, FILE *out)
{
    cli_json json = { .out = out };
    json_open(&json, NULL, '{');
    write_head(head, &json);
    json_uint(&json, "subjects", c->row_count);
    json_uint(&json, "subjects_that_differ", rows_that_differ(c));
    json_open(&json, "probes", '{');
    json_uint(&json, "results", c->probes.results);
    json_uint(&json, "as_default", c->probes.as_default);
    json_uint(&json, "by_another_reading", c->probes.otherwise);
    json_uint(&json, "unexplained", c->probes.unexplained);
    json_close(&json, '}');
    contest_json(c, &json);
    json_int(&json, "status", status);
    json_close(&json, '}');
}

static int write_report_file(const contest *c, const recording_head *head, int status)
{
    const char *path = cli_value(c->call, "report");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!path)
        return CLI_FINE;
    if (file)
        write_report(c, head, status, file);
    if (!file || fclose(file) != 0)
        return cli_unwritten(c->call, "report", "the file cannot be written");
    return CLI_FINE;
}

/* A recording of a run that did not end is kept without its end, so that nobody takes it for a whole one. */
static int run_recorded(contest *c, const recording_head *head)
{
    const char *path = cli_value(c->call, "record");
    recording_writer writer;
    if (!path)
        return contest_run(c);
    FILE *file = fopen(path, "w");
    if (!file)
        return cli_fail(c->call, CLI_USAGE, "--record %s: cannot be written", path);
    recording_begin(&writer, file, head);
    c->record = &writer;
    int exit = contest_run(c);
    c->record = NULL;
    const bool wrote = exit > CLI_NO || recording_end(&writer);
    if ((fclose(file) != 0 || !wrote) && exit <= CLI_NO)
        exit = cli_fail(c->call, CLI_USAGE, "--record %s: cannot be written", path);
    return exit;
}

static int conclude(const contest *c)
{
    if (c->row_count == 0 && !any_refused(c))
        return cli_fail(c->call, CLI_USAGE, "--only %s: nothing is compared%s%s", c->only ? c->only : "",
                        c->reason_count ? ": " : "", c->reason_count ? c->reason[0].text : "");
    if (rows_that_differ(c))
        return CLI_NO;
    return any_refused(c) ? CLI_FAULT : CLI_FINE;
}

/* The end of a run in which the device did not fail. */
static int report(const contest *c, const recording_head *head)
{
    const int exit = conclude(c);
    if (exit == CLI_USAGE)
        return exit;
    if (c->out)
        contest_print(c);
    else
        write_report(c, head, exit, stdout);
    const int wrote = write_report_file(c, head, exit);
    return exit == CLI_FINE ? wrote : exit;
}

int validate_device(const cli_call *call)
{
    gpu g;
    contest c = { .device = &g };
    recording_head head;
    const bool json = cli_has(call, "json");
    int exit = read_options(call, &c);
    if (exit != CLI_FINE)
        return exit;
    if (!gpu_open(cli_value(call, "device"), cli_value(call, "library"), &g))
        return cli_fail(call, CLI_FAULT, "--device %s: %s", cli_value(call, "device"), g.why);
    exit = check_arch(call, &g);
    if (exit != CLI_FINE) {
        gpu_close(&g);
        return exit;
    }
    fill_head(&c, &head);
    c.out = json ? NULL : stdout;
    cli_json verdicts = { .out = json ? tmpfile() : NULL }; /* probes write theirs there */
    c.probes.json = verdicts.out ? &verdicts : NULL;
    if (c.out)
        print_head(&head, c.out);
    if (verdicts.out)
        json_open(&verdicts, NULL, '[');
    exit = run_recorded(&c, &head);
    if (verdicts.out)
        fclose(verdicts.out);
    exit = exit == CLI_FINE ? report(&c, &head) : exit;
    contest_free(&c);
    gpu_close(&g);
    return exit;
}

/* ---- Recordings ---- */

static int check_head(const cli_call *call, const char *path, const recording_head *head, uint64_t *seed)
{
    char generator[16];
    snprintf(generator, sizeof(generator), "%d", VALUES_VERSION);
    if (strcmp(head->source, by_gpu) != 0 && strcmp(head->source, by_emulator) != 0)
        return cli_fail(call, CLI_USAGE, "%s: 'source: %s' is neither gpu nor emulator", path, head->source);
    if (strcmp(head->generator, generator) != 0)
        return cli_fail(call, CLI_USAGE, "%s: its operands are those of generator %s, this version has %s",
                        path, head->generator, generator);
    if (!parse_u64(head->seed, seed))
        return cli_fail(call, CLI_USAGE, "%s: the seed '%s' is no number", path, head->seed);
    return CLI_FINE;
}

static int replay(const cli_call *call, const char *path, const recording *r, cli_json *json,
                  validate_counts *counts)
{
    contest c = { .call = call, .out = json ? NULL : stdout, .only = cli_value(call, "only") };
    int exit = check_head(call, path, &r->head, &c.seed);
    if (exit != CLI_FINE)
        return exit;
    if (json)
        write_head(&r->head, json);
    else
        print_head(&r->head, stdout);
    if (json)
        json_open(json, "probes", '[');
    c.probes.json = json;
    exit = contest_replay(&c, path, r, &counts->same, &counts->different);
    if (json) {
        json_close(json, ']');
        contest_json(&c, json);
    }
    contest_free(&c);
    counts->results = counts->same + counts->different;
    counts->evidence = strcmp(r->head.source, by_gpu) == 0 ? counts->results : 0;
    return exit == CLI_FINE && counts->different ? CLI_NO : exit;
}

int validate_recording(const cli_call *call, const char *path, cli_json *json, validate_counts *counts)
{
    recording r;
    uint8_t *bytes;
    size_t size;
    char why[RECORDING_TEXT];
    *counts = (validate_counts){ .results = 0 };
    int exit = file_read(call, path, &bytes, &size);
    if (exit != CLI_FINE)
        return exit;
    if (recording_read((const char *)bytes, size, &r, why))
        exit = replay(call, path, &r, json, counts);
    else
        exit = cli_fail(call, CLI_USAGE, "%s: %s", path, why);
    recording_free(&r);
    free(bytes);
    return exit;
}
