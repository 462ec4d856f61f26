/* SPDX-License-Identifier: MIT */
/* Comparing a GPU's answers with the predictions. */
#include <stdlib.h>
#include <string.h>

#include "cli/probe.h"

/* Reads the words of a result's image; false unless there are exactly `count`. */
static bool read_words(const char *text, uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *end;
        words[i] = (uint32_t)strtoul(text, &end, 16);
        if (end == text)
            return false;
        text = end;
    }
    return text[strspn(text, " ")] == '\0';
}

/* D(0,0) of an image. */
static uint64_t first_code(const cli_wave *wave, const uint32_t *d)
{
    cli_wave other = *wave;
    uint64_t code = 0;
    uint32_t *copy = cli_alloc(wave_words(wave, LW_OPERAND_D) * sizeof(*copy));
    memcpy(copy, d, wave_words(wave, LW_OPERAND_D) * sizeof(*copy));
    other.operand[LW_OPERAND_D].image = copy;
    wave_get(&other, LW_OPERAND_D, 0, 0, &code);
    free(copy);
    return code;
}

static const char *verdict_of(const probe_reading *r, const uint32_t *d, size_t bytes)
{
    if (!r->d)
        return "undefined";
    return memcmp(r->d, d, bytes) ? "refuted" : "survives";
}

static void print_verdict(FILE *out, const probe *p, const cli_wave *wave, const uint32_t *d,
                          const probe_reading *readings, size_t count)
{
    const size_t bytes = wave_words(wave, LW_OPERAND_D) * sizeof(*d);
    const int digits = (wave->operand[LW_OPERAND_D].shape.width + 3) / 4;
    fprintf(out, "%s on %s: D(0,0) is %0*llx\n  %s\n", p->name, lw_arch_get(wave->arch)->name, digits,
            (unsigned long long)first_code(wave, d), p->question);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "  %-9s ", verdict_of(&readings[i], d, bytes));
        if (readings[i].d)
            fprintf(out, "%0*llx  ", digits, (unsigned long long)first_code(wave, readings[i].d));
        fprintf(out, "%s%s\n", readings[i].name, readings[i].is_default ? " (default)" : "");
    }
}

static void write_verdict(cli_json *json, const probe *p, const cli_wave *wave, const uint32_t *d,
                          const probe_reading *readings, size_t count)
{
    const size_t bytes = wave_words(wave, LW_OPERAND_D) * sizeof(*d);
    const unsigned digits = (wave->operand[LW_OPERAND_D].shape.width + 3u) / 4u;
    json_open(json, NULL, '{');
    json_string(json, "probe", p->name);
    json_string(json, "arch", lw_arch_get(wave->arch)->name);
    json_hex(json, "d", first_code(wave, d), digits);
    json_open(json, "readings", '[');
    for (size_t i = 0; i < count; i++) {
        json_open(json, NULL, '{');
        json_string(json, "reading", readings[i].name);
        json_bool(json, "default", readings[i].is_default);
        json_string(json, "verdict", verdict_of(&readings[i], d, bytes));
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

void probe_judge_one(const probe *p, const cli_wave *wave, const uint32_t *d, probe_report *report)
{
    probe_reading readings[PROBE_MAX_READINGS] = { { .d = NULL } };
    const size_t bytes = wave_words(wave, LW_OPERAND_D) * sizeof(*d);
    const size_t count = probe_readings(p, wave, readings);
    bool any = false, by_default = false;
    for (size_t i = 0; i < count; i++) {
        const bool same = readings[i].d && !memcmp(readings[i].d, d, bytes);
        any |= same;
        by_default |= same && readings[i].is_default;
    }
    report->results++;
    report->as_default += by_default;
    report->otherwise += any && !by_default;
    report->unexplained += !any;
    if (report->json && (p->fill != PROBE_RANDOM || !by_default))
        write_verdict(report->json, p, wave, d, readings, count);
    else if (p->fill != PROBE_RANDOM || !by_default)
        print_verdict(report->out ? report->out : stdout, p, wave, d, readings, count);
    for (size_t i = 0; i < count; i++)
        free(readings[i].d);
}

/* One result: its first line has been read, its image follows. */
static int judge_result(const cli_call *call, const char *path, const char *head, const char *image,
                        probe_report *report)
{
    char name[PROBE_NAME_SIZE], arch_name[16];
    unsigned round;
    lw_arch arch;
    cli_wave wave;
    lw_error error = { "" };
    if (sscanf(head, "result %63s %15s", name, arch_name) != 2)
        return cli_fail(call, CLI_USAGE, "%s: not a result: '%s'", path, head);
    const probe *p = probe_find(name, &round);
    if (!p || lw_arch_find(arch_name, &arch) != LW_OK || !probe_concerns(p, arch))
        return cli_fail(call, CLI_USAGE, "%s: no probe %s on %s", path, name, arch_name);
    const lw_status st = probe_open(p, arch, round, &wave, &error);
    int exit = st == LW_OK ? CLI_FINE : cli_fail_status(call, name, st, &error);
    if (exit == CLI_FINE) {
        const size_t count = wave_words(&wave, LW_OPERAND_D);
        uint32_t *d = cli_alloc(count * sizeof(*d));
        if (strncmp(image, "d ", 2) != 0 || !read_words(image + 2, d, count))
            exit =
                cli_fail(call, CLI_USAGE, "%s: the image of %s does not have %zu words", path, name, count);
        else
            probe_judge_one(p, &wave, d, report);
        free(d);
    }
    wave_close(&wave);
    return exit;
}

int probe_judge(const cli_call *call, const char *path, FILE *results, probe_report *report)
{
    char *line = NULL, *head = NULL;
    size_t size = 0;
    bool more = false;
    int exit;
    *report = (probe_report){ .json = report->json };
    while ((exit = probe_next_line(call, path, results, &line, &size, &more)) == CLI_FINE && more) {
        if (!strncmp(line, "# device", 8) && !report->json)
            printf("%s\n", line + 2);
        if (*line == '#' || !*line || !strcmp(line, "none"))
            continue;
        if (!strncmp(line, "result ", 7)) {
            free(head);
            head = cli_copy(line, strlen(line));
        } else if (head) {
            exit = judge_result(call, path, head, line, report);
        } else {
            exit = cli_fail(call, CLI_USAGE, "%s: not a file of results: '%.40s'", path, line);
        }
        if (exit != CLI_FINE)
            break;
    }
    free(line);
    free(head);
    return exit;
}
