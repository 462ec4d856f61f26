/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* open_memstream, clock_gettime */
#include "cli/gpu/contest.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/gpu/values.h"
#include "cli/parse.h"

/* ---- Time ---- */

static double now(void)
{
    struct timespec t = { 0, 0 };
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int contest_read_limit(contest *c)
{
    enum { MOST_SECONDS = 1000000000 };
    uint64_t seconds = 0;
    const char *text = cli_value(c->call, "time-limit");
    if (!text)
        return CLI_FINE;
    if (!parse_u64(text, &seconds) || !seconds || seconds > MOST_SECONDS)
        return cli_fail(c->call, CLI_USAGE, "--time-limit %s: needs a number of seconds from 1 to 1000000000",
                        text);
    c->deadline = now() + (double)seconds;
    return CLI_FINE;
}

bool contest_is_late(const contest *c)
{
    return c->deadline > 0 && now() > c->deadline;
}

/* ---- Rows and reasons ---- */

contest_row *contest_add_row(contest *c, const char *group, const char *name)
{
    c->row = cli_grow(c->row, (c->row_count + 1) * sizeof(*c->row));
    contest_row *row = &c->row[c->row_count++];
    *row = (contest_row){ .cases = 0 };
    row->number = c->done;
    snprintf(row->group, sizeof(row->group), "%s", group);
    snprintf(row->name, sizeof(row->name), "%s", name);
    return row;
}

contest_row *contest_begin_row(contest *c, const subject *s, uint64_t cases)
{
    contest_row *row = contest_add_row(c, s->group->name, s->name);
    row->all = cases;
    return row;
}

void contest_end_row(const contest *c, const contest_row *row)
{
    if (!c->out)
        return;
    if (row->group[0] != 'p' || row->mismatches)
        fprintf(c->out, "%-72s %9llu %10llu %10llu\n", row->name, (unsigned long long)row->cases,
                (unsigned long long)row->words, (unsigned long long)row->mismatches);
    if (row->text)
        fputs(row->text, c->out);
    if (row->verdict)
        fputs(row->verdict, c->out);
    fflush(c->out);
}

static const char WHOLE_KERNELS[] = "launches";

void contest_print_titles(const contest *c, const char *what, const char *cases)
{
    if (c->out)
        fprintf(c->out, "\n%-72s %9s %10s %10s\n", what, cases, "words", "different");
}

void contest_print_rows(const contest *c)
{
    const subject_group *group;
    size_t at = 0;
    for (size_t i = 0; (group = subject_group_at(i)) != NULL; i++)
        for (contest_print_titles(c, group->what, "cases");
             at < c->row_count && strcmp(c->row[at].group, group->name) == 0; at++)
            contest_end_row(c, &c->row[at]);
    for (c->launches ? contest_print_titles(c, "whole kernels", WHOLE_KERNELS) : (void)0;
         at < c->row_count && strcmp(c->row[at].group, WHOLE_KERNELS) == 0; at++)
        contest_end_row(c, &c->row[at]);
}

/* Where the reason's number plus one is in the table, or where it belongs. */
static size_t *slot_of(const contest *c, const char *why)
{
    size_t at = (size_t)recording_text_hash(why) & (c->slot_count - 1);
    while (c->slot[at] && strcmp(c->reason[c->slot[at] - 1].text, why) != 0)
        at = (at + 1) & (c->slot_count - 1);
    return &c->slot[at];
}

/* At most half of the slots are used. */
static void widen_slots(contest *c)
{
    enum { FEWEST = 64 };
    if (2 * c->reason_count < c->slot_count)
        return;
    c->slot_count = c->slot_count ? 2 * c->slot_count : FEWEST;
    free(c->slot);
    c->slot = cli_alloc(c->slot_count * sizeof(*c->slot));
    memset(c->slot, 0, c->slot_count * sizeof(*c->slot));
    for (size_t i = 0; i < c->reason_count; i++)
        *slot_of(c, c->reason[i].text) = i + 1;
}

void contest_leave_out(contest *c, const char *name, const char *why, bool refused)
{
    char text[sizeof(c->reason->text)]; /* as it is kept */
    snprintf(text, sizeof(text), "%s", why);
    widen_slots(c);
    size_t *slot = slot_of(c, text);
    const size_t number = *slot ? *slot - 1 : c->reason_count;
    c->left = cli_grow(c->left, (c->left_count + 1) * sizeof(*c->left));
    contest_left *left = &c->left[c->left_count++];
    *left = (contest_left){ .number = c->done, .reason = number };
    snprintf(left->name, sizeof(left->name), "%s", name);
    if (*slot) {
        c->reason[number].count++;
        return;
    }
    *slot = number + 1;
    c->reason = cli_grow(c->reason, (c->reason_count + 1) * sizeof(*c->reason));
    contest_reason *r = &c->reason[c->reason_count++];
    *r = (contest_reason){ .count = 1, .refused = refused };
    snprintf(r->text, sizeof(r->text), "%s", text);
    snprintf(r->example, sizeof(r->example), "%s", name);
}

/* ---- Batches ---- */

uint64_t contest_chunk(uint64_t cases)
{
    enum { MANY = 1 << 20 };
    return cases > MANY ? CONTEST_MOST_OF_DIGEST : CONTEST_BATCH;
}

void contest_batch_open(contest_batch *b, const subject *s, uint64_t cases)
{
    enum { LARGE_BATCH = 4096 };
    const bool large = s->inputs && contest_chunk(cases) == CONTEST_MOST_OF_DIGEST;
    *b = (contest_batch){ .room = large ? LARGE_BATCH : CONTEST_BATCH };
    b->in = cli_alloc(b->room * s->in_words * sizeof(*b->in));
    b->want = cli_alloc(b->room * s->out_words * sizeof(*b->want));
    b->got = cli_alloc(b->room * s->out_words * sizeof(*b->got));
}

void contest_batch_close(contest_batch *b)
{
    free(b->in);
    free(b->want);
    free(b->got);
}

bool contest_compute(const contest *c, subject *s, contest_batch *b, lw_error *error)
{
    for (size_t i = 0; i < b->count; i++)
        s->group->fill(s, c->seed, b->first + i, b->in + i * s->in_words);
    return s->group->expect(s, b->in, b->count, b->want, error);
}

/* The first difference of a row, in words. */
static char *explain(subject *s, const contest_row *row, const uint32_t *in, const uint32_t *got,
                     const uint32_t *want)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "  case %llu", (unsigned long long)row->first_case);
    if (s->group == subject_group_find("matrix"))
        fprintf(out, " (%s)", values_kind_name((size_t)(row->first_case % values_kinds())));
    fprintf(out, ", word %zu: %08x there, %08x here\n", row->first_word, row->got, row->want);
    s->group->explain(s, in, got, want, row->first_word, out);
    return fclose(out) == 0 ? text : NULL;
}

void contest_compare(contest_row *row, subject *s, const contest_batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        const uint32_t *got = b->got + i * s->out_words, *want = b->want + i * s->out_words;
        if (memcmp(got, want, s->out_words * sizeof(*got)) == 0)
            continue;
        for (size_t w = 0; w < s->out_words; w++) {
            if (got[w] == want[w])
                continue;
            if (row->mismatches++ == 0) {
                row->first_case = b->first + i;
                row->first_word = w;
                row->got = got[w];
                row->want = want[w];
                row->text = explain(s, row, b->in + i * s->in_words, got, want);
            }
        }
    }
}

/* ---- Reports ---- */

void contest_print_probes(const contest *c)
{
    if (c->probes.results)
        fprintf(c->out,
                "\nprobes: %zu results, %zu as the default, %zu by another reading, %zu unexplained\n",
                c->probes.results, c->probes.as_default, c->probes.otherwise, c->probes.unexplained);
}

void contest_json_probes(const contest *c, const char *name, cli_json *json)
{
    json_open(json, name, '{');
    json_uint(json, "results", c->probes.results);
    json_uint(json, "as_default", c->probes.as_default);
    json_uint(json, "by_another_reading", c->probes.otherwise);
    json_uint(json, "unexplained", c->probes.unexplained);
    json_close(json, '}');
}

void contest_print(const contest *c)
{
    contest_print_probes(c);
    for (size_t i = 0; i < c->reason_count; i++)
        fprintf(c->out, "%s %zu, for example %s: %s\n",
                c->reason[i].refused ? "refused:" : "left out:", c->reason[i].count, c->reason[i].example,
                c->reason[i].text);
}

static void write_row(const contest_row *row, cli_json *json)
{
    json_open(json, NULL, '{');
    json_string(json, "group", row->group);
    json_string(json, "name", row->name);
    json_uint(json, "cases", row->cases);
    json_uint(json, "words", row->words);
    json_uint(json, "different", row->mismatches);
    if (row->mismatches) {
        json_uint(json, "first_case", row->first_case);
        json_uint(json, "first_word", row->first_word);
        json_hex(json, "there", row->got, 8);
        json_hex(json, "here", row->want, 8);
        json_string(json, "explained", row->text);
    }
    json_close(json, '}');
}

void contest_json(const contest *c, cli_json *json)
{
    json_open(json, "rows", '[');
    for (size_t i = 0; i < c->row_count; i++)
        write_row(&c->row[i], json);
    json_close(json, ']');
    json_open(json, "not_compared", '[');
    for (size_t i = 0; i < c->reason_count; i++) {
        json_open(json, NULL, '{');
        json_string(json, "why", c->reason[i].text);
        json_bool(json, "refused", c->reason[i].refused);
        json_uint(json, "subjects", c->reason[i].count);
        json_string(json, "example", c->reason[i].example);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void contest_free(contest *c)
{
    for (size_t i = 0; i < c->row_count; i++) {
        free(c->row[i].text);
        free(c->row[i].verdict);
    }
    free(c->row);
    free(c->reason);
    free(c->left);
    free(c->slot);
    c->slot = NULL;
    c->slot_count = 0;
    c->row = NULL;
    c->reason = NULL;
    c->left = NULL;
    c->row_count = c->reason_count = c->left_count = 0;
}
