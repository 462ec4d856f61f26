/* SPDX-License-Identifier: MIT */
/* Recordings of devices, recomputed. */
#include <stdlib.h>
#include <string.h>

#include "cli/gpu/contest.h"

typedef struct replay {
    contest *c;
    const char *path;
    const recording *r;
    lw_arch arch;
    uint64_t same, different, undefined;
} replay;

static int fail(const replay *t, const char *name, const char *why)
{
    return cli_fail(t->c->call, CLI_USAGE, "%s: %s: %s", t->path, name, why);
}

static void compare_full(replay *t, subject *s, const recording_item *item, const contest_batch *b,
                         contest_row *row)
{
    for (size_t i = 0; i < s->out_words; i++)
        b->got[i] = recording_word(item, i);
    if (!s->undefined)
        contest_compare(row, s, b);
    if (s->probe)
        probe_judge(s->probe, (unsigned)item->first, &s->wave, b->got, &t->c->probes);
    *(s->undefined                                                   ? &t->undefined
      : memcmp(b->got, b->want, s->out_words * sizeof(*b->got)) == 0 ? &t->same
                                                                     : &t->different) += 1;
}

static void compare_digest(replay *t, const subject *s, const recording_item *item, uint64_t digest,
                           contest_row *row)
{
    char text[128];
    const bool same = digest == item->digest;
    *(same ? &t->same : &t->different) += item->count;
    if (s->probe) {
        t->c->probes.results += item->count;
        *(same ? &t->c->probes.as_default : &t->c->probes.unexplained) += item->count;
    }
    if (same)
        return;
    if (row->mismatches++ == 0) {
        row->first_case = item->first;
        snprintf(text, sizeof(text), "  cases %llu to %llu: another digest\n",
                 (unsigned long long)item->first, (unsigned long long)(item->first + item->count - 1));
        row->text = cli_copy(text, strlen(text));
    }
}

/* Results in full are compared word by word, others by their digest: of these, how many words differ is not
 * known. */
static bool compare_item(replay *t, subject *s, const recording_item *item, contest_batch *b,
                         contest_row *row, lw_error *error)
{
    uint64_t digest = RECORDING_NO_WORDS;
    for (b->first = item->first; b->first < item->first + item->count; b->first += b->count) {
        const uint64_t left = item->first + item->count - b->first;
        b->count = left < b->room ? (size_t)left : b->room;
        if (!contest_compute(t->c, s, b, error) && !(s->undefined && item->full))
            return false;
        if (!item->full)
            digest = recording_digest(digest, b->want, b->count * s->out_words);
    }
    b->first = item->first;
    if (item->full)
        compare_full(t, s, item, b, row);
    else
        compare_digest(t, s, item, digest, row);
    return true;
}

static int replay_items(replay *t, const recording_subject *from, subject *s, contest_batch *b)
{
    lw_error error = { "" };
    contest_row *row = contest_begin_row(t->c, s, from->cases);
    row->cases = from->cases;
    row->words = from->cases * s->out_words;
    for (size_t i = 0; i < from->item_count; i++) {
        const recording_item *item = &t->r->item[from->first_item + i];
        if (item->count > contest_chunk(from->cases))
            return fail(t, s->name, "a digest of more cases than one has");
        if (contest_is_late(t->c))
            return cli_fail(t->c->call, CLI_FAULT, "%s: stopped by --time-limit in %s", t->path, s->name);
        if (!compare_item(t, s, item, b, row, &error))
            return fail(t, s->name, error.text);
    }
    if (row->mismatches)
        contest_end_row(t->c, row);
    return CLI_FINE;
}

/* A short line can stand for many cases: what no comparison records is refused before it is computed. */
static bool has_so_many(const subject *s, uint64_t cases)
{
    const uint64_t most = s->one_case ? 1 : s->inputs ? s->inputs / s->lanes : CONTEST_MOST_CASES;
    return cases <= most;
}

static int by_name(const void *a, const void *b)
{
    const recording_subject *x = *(const recording_subject *const *)a,
                            *y = *(const recording_subject *const *)b;
    const int order = strcmp(x->group, y->group);
    return order ? order : strcmp(x->name, y->name);
}

/* Each subject has one place in a recording. */
static int check_names(const replay *t)
{
    const size_t count = t->r->subject_count;
    const recording_subject **sorted = cli_alloc((count + 1) * sizeof(*sorted));
    int exit = CLI_FINE;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &t->r->subject[i];
    qsort(sorted, count, sizeof(*sorted), by_name);
    for (size_t i = 1; i < count && exit == CLI_FINE; i++)
        if (by_name(&sorted[i - 1], &sorted[i]) == 0)
            exit = fail(t, sorted[i]->name, "it stands there twice");
    free(sorted);
    return exit;
}

static int replay_subject(replay *t, const recording_subject *from)
{
    subject s;
    lw_error error;
    contest_batch b;
    const subject_group *group = subject_group_find(from->group);
    if (!group)
        return fail(t, from->name, "this version has no such kind of subject");
    int exit = CLI_FINE;
    if (!subject_open(group, from->name, t->arch, &s, &error))
        exit = fail(t, from->name, error.text);
    else if (s.out_words != from->words)
        exit = fail(t, from->name, "its results have another size here");
    else if (!has_so_many(&s, from->cases))
        exit = fail(t, from->name, "it does not have so many cases");
    if (exit == CLI_FINE) {
        contest_batch_open(&b, &s, from->cases);
        exit = replay_items(t, from, &s, &b);
        contest_batch_close(&b);
    }
    subject_close(&s);
    return exit;
}

int contest_replay(contest *c, const char *path, const recording *r, contest_counts *counts)
{
    replay t = { .c = c, .path = path, .r = r };
    int exit = CLI_FINE;
    if (lw_arch_find(r->head.arch, &t.arch) != LW_OK)
        return fail(&t, r->head.arch, "this version does not know that architecture");
    exit = check_names(&t);
    for (size_t i = 0; i < r->subject_count && exit == CLI_FINE; i++)
        if (!c->only || strstr(r->subject[i].name, c->only) || strcmp(r->subject[i].group, c->only) == 0)
            exit = replay_subject(&t, &r->subject[i]);
    *counts = (contest_counts){ t.same + t.different + t.undefined, t.same, t.different };
    return exit;
}
