/* SPDX-License-Identifier: MIT */
/* The counts of parts, from the lines that run_part.c writes, and what `merge` prints about them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>
#include <lanewise/version.h>

#include "cli/merge.h"
#include "cli/parse.h"
#include "cli/run_text.h"

/* ---- Reading lines ---- */

/* Takes the next word of a line, up to a blank. */
static char *next_word(char **line)
{
    char *word = *line, *blank = strchr(word, ' ');
    *line = blank ? blank + 1 : word + strlen(word);
    if (blank)
        *blank = '\0';
    return word;
}

static bool next_number(char **line, uint64_t most, uint64_t *value)
{
    return parse_u64(next_word(line), value) && *value <= most;
}

static bool add(uint64_t *sum, uint64_t value)
{
    const bool fits = value <= UINT64_MAX - *sum;
    *sum += fits ? value : 0;
    return fits;
}

static bool read_ran(merge_job *job, char *line)
{
    uint64_t *const sums[] = { &job->groups, &job->waves, &job->instructions, &job->matrix_instructions,
                               &job->outside };
    for (size_t i = 0; i < CLI_COUNT(sums); i++) {
        uint64_t value;
        if (!next_number(&line, UINT64_MAX, &value) || !add(sums[i], value))
            return false;
    }
    return true;
}

/*
 * The rule that these numbers belong to. Instructions of one name may have several rules (integer and float
 * `add` of PTX). A matrix instruction has one, whose label depends on the numbers it was given.
 */
static lw_launch_count *rule_of(merge_job *job, const lw_launch_count *c)
{
    for (size_t i = 0; i < job->rule_count; i++) {
        lw_launch_count *known = &job->rules[i];
        if (strcmp(known->name, c->name) == 0 && known->is_matrix == c->is_matrix &&
            (c->is_matrix || (known->label == c->label && strcmp(known->source, c->source) == 0)))
            return known;
    }
    job->rules = cli_grow(job->rules, (job->rule_count + 1) * sizeof(*job->rules));
    lw_launch_count *made = &job->rules[job->rule_count++];
    *made = *c;
    made->executed = 0;
    made->name = cli_copy(c->name, strlen(c->name));
    made->source = cli_copy(c->source, strlen(c->source));
    return made;
}

/* The weakest label counts, with its source, and all aspects that any part touched. */
static bool read_rule(merge_job *job, char *line)
{
    uint64_t label, matrix, aspects, executed;
    if (!next_number(&line, LW_LABEL_UNKNOWN, &label) || !next_number(&line, 1, &matrix) ||
        !next_number(&line, UINT32_MAX, &aspects) || !next_number(&line, UINT64_MAX, &executed))
        return false;
    lw_launch_count c = { .label = (lw_label)label, .is_matrix = matrix != 0 };
    c.name = next_word(&line);
    c.source = line;
    lw_launch_count *rule = rule_of(job, &c);
    rule->aspects |= (uint32_t)aspects;
    if (label > (uint64_t)rule->label) {
        rule->label = c.label;
        free((void *)(uintptr_t)rule->source);
        rule->source = cli_copy(line, strlen(line));
    }
    return c.name[0] && add(&rule->executed, executed);
}

static bool read_check(merge_job *job, char *line)
{
    uint64_t level, count;
    size_t i = 0;
    const char *name = next_word(&line);
    if (!next_number(&line, LW_SEVERITY_COUNT - 1, &level) || !next_number(&line, UINT64_MAX, &count))
        return false;
    while (i < job->check_count && strcmp(job->checks[i].name, name) != 0)
        i++;
    if (i == MERGE_CHECKS || strlen(name) >= sizeof(job->checks[i].name))
        return false;
    if (i == job->check_count) {
        snprintf(job->checks[i].name, sizeof(job->checks[i].name), "%s", name);
        job->check_count++;
    }
    return add(&job->checks[i].counts[level], count);
}

/* The files of a sweep are numbered. */
static bool read_compared(merge_job *job, char *line)
{
    uint64_t number, value;
    if (!next_number(&line, job->compared_count, &number))
        return false;
    if (number == job->compared_count) {
        job->compared = cli_grow(job->compared, (job->compared_count + 1) * sizeof(*job->compared));
        job->compared[job->compared_count++] = (merge_compared){ .path = NULL };
    }
    merge_compared *c = &job->compared[number];
    for (int i = 0; i < 4; i++)
        if (!next_number(&line, UINT64_MAX, &value) || !add(&c->counts[i], value))
            return false;
    if (!c->path)
        c->path = cli_copy(line, strlen(line));
    return true;
}

/* Keeps the first ones of all parts. */
static bool read_differs(merge_job *job, char *line)
{
    uint64_t number, result;
    if (!next_number(&line, UINT64_MAX, &number) || number >= job->compared_count ||
        !next_number(&line, SIZE_MAX, &result) || strlen(line) >= VECTORS_TEXT)
        return false;
    merge_compared *c = &job->compared[number];
    size_t at = c->differ_count;
    while (at > 0 && c->differs[at - 1].line > result)
        at--;
    if (at == VECTORS_SHOWN)
        return true;
    c->differ_count += c->differ_count < VECTORS_SHOWN;
    memmove(&c->differs[at + 1], &c->differs[at], (c->differ_count - at - 1) * sizeof(c->differs[0]));
    c->differs[at].line = (size_t)result;
    strcpy(c->differs[at].text, line);
    return true;
}

static bool read_name(char *to, size_t size, const char *name)
{
    const bool same = !to[0] || strcmp(to, name) == 0;
    snprintf(to, size, "%s", name);
    return same && strlen(name) < size;
}

static bool read_line(merge_job *job, char *line)
{
    const char *what = next_word(&line);
    if (strcmp(what, "lanewise") == 0)
        return strcmp(line, LW_VERSION_STRING) == 0;
    if (strcmp(what, "kernel") == 0)
        return read_name(job->kernel, sizeof(job->kernel), line);
    if (strcmp(what, "arch") == 0)
        return read_name(job->arch, sizeof(job->arch), line);
    if (strcmp(what, "ran") == 0)
        return read_ran(job, line);
    if (strcmp(what, "rule") == 0)
        return read_rule(job, line);
    if (strcmp(what, "compared") == 0)
        return read_compared(job, line);
    if (strcmp(what, "differs") == 0)
        return read_differs(job, line);
    return strcmp(what, "check") == 0 && read_check(job, line);
}

static int compare_rules(const void *a, const void *b)
{
    const lw_launch_count *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (int)x->label - (int)y->label;
}

int merge_count(merge_job *job)
{
    for (size_t i = 0; i < job->count; i++) {
        char *lines = cli_copy(job->parts[i]->about, strlen(job->parts[i]->about));
        bool good = true;
        for (char *line = lines, *end; good && (end = strchr(line, '\n')); line = end + 1) {
            *end = '\0';
            char *shown = cli_copy(line, strlen(line));
            good = read_line(job, line);
            if (!good)
                cli_fail(job->call, CLI_USAGE, "%s: version %s of lanewise cannot read '%.200s' in it",
                         job->files[i].path, LW_VERSION_STRING, shown);
            free(shown);
        }
        free(lines);
        if (!good)
            return CLI_USAGE;
    }
    if (job->rule_count)
        qsort(job->rules, job->rule_count, sizeof(*job->rules), compare_rules);
    return CLI_FINE;
}

/* ---- Printing ---- */

static void report_check(const merge_check *c, cli_json *json)
{
    uint64_t all = 0;
    if (json) {
        json_open(json, NULL, '{');
        json_string(json, "check", c->name);
    } else {
        printf("check %s: ", c->name);
    }
    for (int level = 0; level < LW_SEVERITY_COUNT; level++) {
        if (json)
            json_uint(json, lw_severity_name((lw_severity)level), c->counts[level]);
        else if (c->counts[level])
            printf("%s%" PRIu64 " %s%s", all ? ", " : "", c->counts[level],
                   lw_severity_name((lw_severity)level),
                   c->counts[level] == 1 || level >= LW_SEVERITY_STRICT ? "" : "s");
        all += c->counts[level] != 0;
    }
    if (json)
        json_close(json, '}');
    else
        puts(all ? " in the parts, which list them; a place that several parts found counts for each"
                 : "nothing found in any part");
}

void merge_report(const merge_job *job, cli_json *json)
{
    lw_launch_result result = { .counts = job->rules, .count_count = job->rule_count };
    for (size_t i = 0; i < job->rule_count; i++)
        result.weakest = job->rules[i].label > result.weakest ? job->rules[i].label : result.weakest;
    const run_job shown = { .call = job->call, .result = &result };
    if (json) {
        json_string(json, "lanewise", LW_VERSION_STRING);
        json_uint(json, "parts", job->count);
        json_string(json, "kernel", job->kernel);
        json_string(json, "arch", job->arch);
        json_uint(json, "workgroups", job->groups);
        json_uint(json, "waves", job->waves);
        json_uint(json, "instructions", job->instructions);
        json_uint(json, "matrix_instructions", job->matrix_instructions);
        json_uint(json, "lds_outside", job->outside);
        json_open(json, "checks", '[');
    } else {
        printf("%s on %s: %zu part%s, %" PRIu64 " workgroups, %" PRIu64 " waves\nran %" PRIu64
               " instructions, %" PRIu64 " of them matrix instructions\n",
               job->kernel, job->arch, job->count, job->count == 1 ? "" : "s", job->groups, job->waves,
               job->instructions, job->matrix_instructions);
        if (job->outside)
            printf("LDS: %" PRIu64 " accesses past the workgroup's memory read zero or stored nothing\n",
                   job->outside);
    }
    for (size_t i = 0; i < job->check_count; i++)
        report_check(&job->checks[i], json);
    if (json)
        json_close(json, ']');
    run_text_evidence(&shown, json);
}

static const char *const COUNTS[] = { "rows", "results as here", "different", "of other instructions" };

void merge_report_compared(const merge_job *job, cli_json *json)
{
    if (json)
        json_open(json, "files", '[');
    for (size_t i = 0; i < job->compared_count; i++) {
        const merge_compared *c = &job->compared[i];
        for (size_t k = 0; k < c->differ_count && !json; k++)
            vectors_print(c->path, c->differs[k].line, c->differs[k].text);
        if (json) {
            json_open(json, NULL, '{');
            json_string(json, "file", c->path);
        } else {
            printf("%s:", c->path);
        }
        for (int k = 0; k < 4; k++)
            if (json)
                json_uint(json, COUNTS[k], c->counts[k]);
            else
                printf("%s %" PRIu64 " %s", k ? "," : "", c->counts[k], COUNTS[k]);
        if (json)
            json_close(json, '}');
        else
            putchar('\n');
    }
    if (json)
        json_close(json, ']');
}

bool merge_check_failed(const merge_job *job)
{
    for (size_t i = 0; i < job->compared_count; i++)
        if (job->compared[i].counts[2])
            return true;
    for (size_t i = 0; i < job->check_count; i++)
        if (job->checks[i].counts[LW_SEVERITY_ERROR])
            return true;
    return false;
}

void merge_forget(merge_job *job)
{
    for (size_t i = 0; i < job->rule_count; i++) {
        free((void *)(uintptr_t)job->rules[i].name);
        free((void *)(uintptr_t)job->rules[i].source);
    }
    for (size_t i = 0; i < job->compared_count; i++)
        free(job->compared[i].path);
    free(job->compared);
    free(job->rules);
}
