/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* gmtime_r, open_memstream */
#include "cli/gpu/validate.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lanewise/version.h>

#include "cli/file.h"
#include "cli/gpu/contest.h"
#include "cli/gpu/report.h"
#include "cli/gpu/sweep.h"
#include "cli/gpu/values.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/part_file.h"
#include "cli/target.h"

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
    enum { USUAL_CASES = 70 };
    static const char *const written[] = { "record", "report" };
    c->call = call;
    c->seed = 1;
    c->cases = USUAL_CASES;
    c->only = cli_value(call, "only");
    c->launches = cli_value(call, "launches");
    c->all_inputs = cli_has(call, "all-inputs");
    c->report_path = cli_value(call, "report");
    c->record_path = cli_value(call, "record");
    int exit = contest_read_limit(c);
    if (exit == CLI_FINE)
        exit = read_number(call, "seed", 0, UINT64_MAX, &c->seed);
    if (exit == CLI_FINE)
        exit = read_number(call, "cases", 1, CONTEST_MOST_CASES, &c->cases);
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
    snprintf(head->source, sizeof(head->source), "%s", g->emulated ? report_by_emulator : report_by_gpu);
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

/* ---- Asking a device ---- */

static int write_report_file(const contest *c, const recording_head *head, int status)
{
    FILE *file = c->report_path ? fopen(c->report_path, "w") : NULL;
    if (!c->report_path)
        return CLI_FINE;
    if (file)
        report_write(c, head, status, file);
    if (!file || fclose(file) != 0)
        return cli_unwritten(c->call, "report", "the file cannot be written");
    return CLI_FINE;
}

/* A recording of a run that did not end is kept without its end, so that nobody takes it for a whole one. */
static int run_recorded(contest *c, const recording_head *head)
{
    recording_writer writer;
    if (!c->record_path)
        return contest_run(c);
    FILE *file = fopen(c->record_path, "w");
    if (!file)
        return cli_fail(c->call, CLI_USAGE, "--record %s: cannot be written", c->record_path);
    recording_begin(&writer, file, head);
    c->record = &writer;
    int exit = contest_run(c);
    c->record = NULL;
    const bool wrote = exit > CLI_NO || recording_end(&writer);
    if ((fclose(file) != 0 || !wrote) && exit <= CLI_NO)
        exit = cli_fail(c->call, CLI_USAGE, "--record %s: cannot be written", c->record_path);
    return exit;
}

static int run_whole(contest *c, const recording_head *head)
{
    int exit = run_recorded(c, head);
    if (exit != CLI_FINE || (exit = report_conclude(c)) == CLI_USAGE)
        return exit;
    report_end(c, head, exit);
    const int wrote = write_report_file(c, head, exit);
    return exit == CLI_FINE ? wrote : exit;
}

/* What the files of a comparison depend on, but for the contents of --launches. */
static void identify(const contest *c, const recording_head *head)
{
    recording_head same = *head;
    const char *const texts[] = { c->only, c->launches, c->report_path, c->record_path };
    const uint64_t numbers[] = { c->cases, c->all_inputs };
    memset(same.date, 0, sizeof(same.date));
    lw_sha256_begin(c->identity);
    lw_sha256_add(c->identity, &same, sizeof(same));
    lw_sha256_add(c->identity, numbers, sizeof(numbers));
    for (size_t i = 0; i < CLI_COUNT(texts); i++)
        lw_sha256_add(c->identity, texts[i] ? texts[i] : "", texts[i] ? strlen(texts[i]) + 1 : 0);
}

static int run_part(contest *c, const recording_head *head, const char *path)
{
    lw_sha256 identity;
    recording_writer writer = { .file = NULL };
    char *kept = NULL;
    size_t size = 0;
    if (c->record_path && !(writer.file = open_memstream(&kept, &size)))
        return cli_fail(c->call, CLI_FAULT, "there is no memory for the answers");
    c->identity = &identity;
    c->record = writer.file ? &writer : NULL;
    identify(c, head);
    int exit = contest_run(c);
    c->record = NULL;
    if (writer.file && fclose(writer.file) != 0 && exit == CLI_FINE)
        exit = cli_fail(c->call, CLI_FAULT, "there is no memory for the answers");
    if (exit == CLI_FINE) {
        exit = report_conclude(c);
        report_end(c, head, exit);
        const int wrote = sweep_write(c, head, kept, path);
        exit = wrote == CLI_FINE ? exit : wrote;
    }
    free(kept);
    return exit;
}

int validate_device(const cli_call *call)
{
    gpu g;
    contest c = { .device = &g };
    recording_head head;
    const char *path;
    int exit = part_options(call, &path, &c.part, &c.parts);
    if (exit == CLI_FINE)
        exit = read_options(call, &c);
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
    c.out = cli_has(call, "json") ? NULL : stdout;
    if (c.out)
        report_print_head(&head, c.out);
    exit = path ? run_part(&c, &head, path) : run_whole(&c, &head);
    contest_free(&c);
    gpu_close(&g);
    return exit;
}

/* ---- Recordings ---- */

static int check_head(const cli_call *call, const char *path, const recording_head *head, uint64_t *seed)
{
    char generator[16];
    snprintf(generator, sizeof(generator), "%d", VALUES_VERSION);
    if (strcmp(head->source, report_by_gpu) != 0 && strcmp(head->source, report_by_emulator) != 0)
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
    contest_counts cases = { 0 };
    int exit = contest_read_limit(&c);
    if (exit == CLI_FINE)
        exit = check_head(call, path, &r->head, &c.seed);
    if (exit != CLI_FINE)
        return exit;
    if (json)
        report_write_head(&r->head, json);
    else
        report_print_head(&r->head, stdout);
    if (json)
        json_open(json, "probes", '[');
    c.probes.json = json;
    c.probes.out = c.out;
    exit = contest_replay(&c, path, r, &cases);
    if (json) {
        json_close(json, ']');
        contest_json_probes(&c, "probe_results", json);
        contest_json(&c, json);
    } else if (exit == CLI_FINE) {
        contest_print_probes(&c);
    }
    contest_free(&c);
    counts->results = cases.all;
    counts->same = cases.same;
    counts->different = cases.different;
    counts->evidence = strcmp(r->head.source, report_by_gpu) == 0 ? counts->results : 0;
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
