/* SPDX-License-Identifier: MIT */
/* Comparing a GPU's answers with the predictions. */
#include <stdlib.h>
#include <string.h>

#include "cli/probe.h"

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

/* "NAME", of a random one with the number of its round. */
static void name_round(const probe *p, unsigned round, char *name, size_t size)
{
    snprintf(name, size, p->fill == PROBE_RANDOM ? "%s#%u" : "%s", p->name, round);
}

static void print_verdict(FILE *out, const char *name, const probe *p, const cli_wave *wave,
                          const uint32_t *d, const probe_reading *readings, size_t count)
{
    const size_t bytes = wave_words(wave, LW_OPERAND_D) * sizeof(*d);
    const int digits = (wave->operand[LW_OPERAND_D].shape.width + 3) / 4;
    fprintf(out, "%s on %s: D(0,0) is %0*llx\n  %s\n", name, lw_arch_get(wave->arch)->name, digits,
            (unsigned long long)first_code(wave, d), p->question);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "  %-9s ", verdict_of(&readings[i], d, bytes));
        if (readings[i].d)
            fprintf(out, "%0*llx  ", digits, (unsigned long long)first_code(wave, readings[i].d));
        fprintf(out, "%s%s\n", readings[i].name, readings[i].is_default ? " (default)" : "");
    }
}

static void write_verdict(cli_json *json, const char *name, const cli_wave *wave, const uint32_t *d,
                          const probe_reading *readings, size_t count)
{
    const size_t bytes = wave_words(wave, LW_OPERAND_D) * sizeof(*d);
    const unsigned digits = (wave->operand[LW_OPERAND_D].shape.width + 3u) / 4u;
    json_open(json, NULL, '{');
    json_string(json, "probe", name);
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

void probe_judge(const probe *p, unsigned round, const cli_wave *wave, const uint32_t *d,
                 probe_report *report)
{
    char name[PROBE_NAME_SIZE];
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
    name_round(p, round, name, sizeof(name));
    if (report->json && (p->fill != PROBE_RANDOM || !by_default))
        write_verdict(report->json, name, wave, d, readings, count);
    else if (report->out && (p->fill != PROBE_RANDOM || !by_default))
        print_verdict(report->out, name, p, wave, d, readings, count);
    for (size_t i = 0; i < count; i++)
        free(readings[i].d);
}
