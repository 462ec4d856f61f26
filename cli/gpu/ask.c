/* SPDX-License-Identifier: MIT */
/* Asking a device: all subjects, case by case. */
#define _POSIX_C_SOURCE 200809L /* open_memstream, isatty */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/gpu/contest.h"
#include "cli/gpu/launches.h"
#include "cli/gpu/values.h"

static void count(contest_row *row, const subject *s, uint64_t cases)
{
    row->cases += cases;
    row->words += cases * s->out_words;
}

/* What a probe's answer says about its readings, in words. */
static char *judge(contest *c, const subject *s, uint64_t number, const uint32_t *got)
{
    char *text = NULL;
    size_t size = 0;
    c->probes.out = open_memstream(&text, &size);
    if (!c->probes.out)
        return NULL;
    probe_judge(s->probe, (unsigned)number, &s->wave, got, &c->probes);
    if (fclose(c->probes.out) != 0 || !size) {
        free(text);
        text = NULL;
    }
    c->probes.out = NULL;
    return text;
}

/* The first verdict in words is kept, all are counted. */
static void judge_batch(contest *c, subject *s, const contest_batch *b, contest_row *row)
{
    for (size_t i = 0; i < b->count && s->probe; i++) {
        s->group->fill(s, c->seed, b->first + i, b->in + i * s->in_words);
        char *text = judge(c, s, b->first + i, b->got + i * s->out_words);
        if (row->verdict)
            free(text);
        else
            row->verdict = text;
    }
}

static bool make_room(contest *c, size_t in, size_t out)
{
    gpu *g = c->device;
    if (c->in_room < in || c->out_room < out) {
        gpu_release(g, c->in_address);
        gpu_release(g, c->out_address);
        c->in_address = c->out_address = 0;
        c->in_room = c->in_room < in ? in : c->in_room;
        c->out_room = c->out_room < out ? out : c->out_room;
        return gpu_allocate(g, c->in_room, &c->in_address) && gpu_allocate(g, c->out_room, &c->out_address);
    }
    return true;
}

/* Fills the results with a pattern first, so that what a kernel does not write is seen. */
static bool ask(contest *c, const subject *s, void *function, contest_batch *b)
{
    gpu *g = c->device;
    const size_t in = b->count * s->in_words * sizeof(*b->in),
                 out = b->count * s->out_words * sizeof(*b->got);
    const uint32_t grid[3] = { subject_groups(s, b->count), 1, 1 }, block[3] = { s->lanes, 1, 1 };
    const size_t padded = (size_t)grid[0] * s->per_group * sizeof(*b->in);
    void *arguments[] = { &c->in_address, &c->out_address };
    memset(b->got, 0xa5, out);
    return make_room(c, padded * s->in_words, padded * s->out_words) &&
           gpu_write(g, c->in_address, b->in, in) && gpu_write(g, c->out_address, b->got, out) &&
           gpu_launch(g, function, grid, block, 0, arguments) && gpu_read(g, b->got, c->out_address, out);
}

/* Of a function's inputs 32 times as many: all of 16 bits, unless few are asked for. */
static uint64_t cases_of(const contest *c, const subject *s)
{
    enum { MORE = 32 };
    const uint64_t all = s->inputs / s->lanes, some = MORE * c->cases;
    if (s->one_case)
        return 1;
    if (!s->inputs)
        return c->cases;
    return c->all_inputs || all < some ? all : some;
}

/* How many cases of the first batch are recorded in full: a few of each kind of operands. */
static size_t full_cases(const subject *s, size_t count)
{
    const size_t bytes = s->out_words * sizeof(uint32_t);
    size_t full = bytes > CONTEST_LARGEST ? 0 : bytes < CONTEST_FULL_BYTES ? CONTEST_FULL_BYTES / bytes : 1;
    full = full > values_kinds() ? values_kinds() : full;
    return full < count ? full : count;
}

/* Answers to probes that differ are kept in full, so that a recording tells which reading they agree with. */
static void record_probe(const contest *c, const subject *s, const contest_batch *b)
{
    size_t from = 0;
    for (size_t i = 0; i <= b->count; i++) {
        const uint32_t *got = b->got + i * s->out_words, *want = b->want + i * s->out_words;
        const bool last = i == b->count;
        if (!last && b->first + i && memcmp(got, want, s->out_words * sizeof(*got)) == 0)
            continue;
        if (i > from)
            recording_put_digest(c->record, b->first + from, i - from,
                                 recording_digest(RECORDING_NO_WORDS, b->got + from * s->out_words,
                                                  (i - from) * s->out_words));
        if (!last)
            recording_put_full(c->record, b->first + i, got, s->out_words);
        from = i + 1;
    }
}

/* The rest of the cases is in one digest for each chunk, which `digest` collects. */
static void record(const contest *c, const subject *s, const contest_batch *b, uint64_t cases,
                   uint64_t *digest)
{
    const uint64_t chunk = contest_chunk(cases), next = b->first + b->count;
    const size_t full = b->first ? 0 : full_cases(s, b->count);
    const uint64_t from = b->first / chunk * chunk + (b->first < chunk ? full_cases(s, CONTEST_BATCH) : 0);
    if (!c->record)
        return;
    if (s->probe) {
        record_probe(c, s, b);
        return;
    }
    for (size_t i = 0; i < full; i++)
        recording_put_full(c->record, i, b->got + i * s->out_words, s->out_words);
    *digest = recording_digest(b->first % chunk ? *digest : RECORDING_NO_WORDS, b->got + full * s->out_words,
                               (b->count - full) * s->out_words);
    if ((next % chunk == 0 || next == cases) && next > from)
        recording_put_digest(c->record, from, next - from, *digest);
}

static void show_progress(const contest *c, const subject *s, uint64_t done, uint64_t cases)
{
    if (isatty(STDERR_FILENO) && (!c->out || !isatty(STDOUT_FILENO) || cases > CONTEST_BATCH))
        fprintf(stderr, "\r%zu of %zu  %3llu %%  %-60.60s\r", c->done + 1, c->wanted,
                (unsigned long long)(cases ? 100 * done / cases : 0), s->name);
}

uint64_t contest_first_chunk(const contest *c)
{
    return c->parts ? ((uint64_t)c->part + c->parts - c->done % c->parts) % c->parts : 0;
}

/* The row, and what a recording says first. */
static contest_row *begin(contest *c, const subject *s, uint64_t cases)
{
    if (c->record && c->parts)
        fprintf(c->record->file, "at %zu\n", c->done);
    if (c->record)
        recording_put_subject(c->record, s->group->name, s->name, cases, s->out_words);
    return contest_begin_row(c, s, cases);
}

/* All cases of a subject whose code is loaded, or this part's. False if the device failed. */
static bool run_cases(contest *c, subject *s, void *function, contest_batch *b, lw_error *error)
{
    const uint64_t cases = cases_of(c, s), chunk = contest_chunk(cases), others = c->parts ? c->parts - 1 : 0;
    contest_row *row = NULL;
    uint64_t digest = 0;
    for (b->first = contest_first_chunk(c) * chunk; b->first < cases; b->first += b->count) {
        const uint64_t left = cases - b->first;
        if (contest_is_late(c)) {
            snprintf(c->device->why, sizeof(c->device->why), "stopped by --time-limit");
            return false;
        }
        b->count = left < b->room ? (size_t)left : b->room;
        if (!contest_compute(c, s, b, error) && (!s->undefined || c->device->emulated)) {
            snprintf(c->device->why, sizeof(c->device->why), "case %llu cannot be computed here: %s",
                     (unsigned long long)b->first, error->text);
            return row == NULL;
        }
        row = row ? row : begin(c, s, cases);
        if (!ask(c, s, function, b))
            return false;
        count(row, s, b->count);
        if (!s->undefined)
            contest_compare(row, s, b);
        judge_batch(c, s, b, row);
        record(c, s, b, cases, &digest);
        show_progress(c, s, b->first + b->count, cases);
        if ((b->first + b->count) % chunk == 0)
            b->first += others * chunk;
    }
    if (row)
        contest_end_row(c, row);
    *error = (lw_error){ "" };
    return true;
}

static void run_loaded(contest *c, subject *s, void *function, int *exit)
{
    lw_error error = { "" };
    contest_batch b;
    contest_batch_open(&b, s, cases_of(c, s));
    if (!run_cases(c, s, function, &b, &error))
        *exit = cli_fail(c->call, CLI_FAULT, "%s: %s", s->name, c->device->why);
    else if (*error.text)
        contest_leave_out(c, s->name, error.text, false);
    contest_batch_close(&b);
}

/* What the whole enumeration hands on. */
typedef struct turn {
    contest *c;
    const subject_group *group;
    bool counts; /* only counts the subjects */
    int exit;
} turn;

/* Some probes ask a GPU what it makes of an instruction that documents leave undefined. */
static bool is_defined(const subject *s)
{
    const lw_insn *insn;
    lw_mods mods;
    return !s->probe || lw_insn_parse(s->arch, probe_kernel(s->probe), &insn, &mods, NULL) == LW_OK;
}

/* Only functions have their own number of cases, which their code tells. */
static bool is_elsewhere(const contest *c, const subject_group *group)
{
    const uint64_t first = contest_first_chunk(c);
    return first && group->fill != functions_fill && first * contest_chunk(c->cases) >= c->cases;
}

static void compare(turn *t, const char *name)
{
    contest *c = t->c;
    subject s;
    lw_error error;
    void *module = NULL, *function = NULL;
    if (!subject_open(t->group, name, c->device->arch, &s, &error)) {
        contest_leave_out(c, name, error.text, false);
    } else if (contest_first_chunk(c) * contest_chunk(cases_of(c, &s)) >= cases_of(c, &s)) {
        ; /* another part has it */
    } else if (c->device->emulated && !is_defined(&s)) {
        contest_leave_out(c, name, "documents leave it undefined, and a stand-in refuses it", false);
    } else if (!gpu_load(c->device, s.image, "k", &module, &function)) {
        contest_leave_out(c, name, c->device->why, true);
    } else {
        run_loaded(c, &s, function, &t->exit);
        gpu_unload(c->device, module);
    }
    subject_close(&s);
}

static int visit(void *context, const char *name)
{
    turn *t = context;
    contest *c = t->c;
    if (c->only && !strstr(name, c->only) && strcmp(t->group->name, c->only) != 0)
        return CLI_FINE;
    if (t->counts) {
        c->wanted++;
        return CLI_FINE;
    }
    if (!is_elsewhere(c, t->group))
        compare(t, name);
    c->done++;
    return t->exit;
}

static int run_groups(contest *c, bool counts)
{
    turn t = { .c = c, .counts = counts };
    for (size_t i = 0; (t.group = subject_group_at(i)) != NULL && t.exit == CLI_FINE; i++) {
        if (!counts)
            contest_print_titles(c, t.group->what, "cases");
        (void)t.group->each(c->device->arch, visit, &t);
    }
    return t.exit;
}

int contest_run(contest *c)
{
    if (isatty(STDERR_FILENO))
        (void)run_groups(c, true);
    int exit = run_groups(c, false);
    if (exit == CLI_FINE && c->launches)
        exit = launches_run(c, c->launches);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "%-100s\r", "");
    if (!c->device->lost) {
        gpu_release(c->device, c->in_address);
        gpu_release(c->device, c->out_address);
    }
    return exit;
}
