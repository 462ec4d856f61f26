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
    uint64_t same, different;
} replay;

static int fail(const replay *t, const char *name, const char *why)
{
    return cli_fail(t->c->call, CLI_USAGE, "%s: %s: %s", t->path, name, why);
}

/* Results in full are compared word by word, others by their digest: of these, how many words differ is not
 * known. */
static void compare_item(replay *t, subject *s, const recording_item *item, const contest_batch *b,
                         contest_row *row)
{
    bool same;
    if (item->full) {
        for (size_t i = 0; i < s->out_words; i++)
            b->got[i] = recording_word(item, i);
        same = memcmp(b->got, b->want, s->out_words * sizeof(*b->got)) == 0;
        contest_compare(row, s, b);
        if (s->probe)
            probe_judge_one(s->probe, &s->wave, b->got, &t->c->probes);
    } else {
        same = recording_digest(b->want, b->count * s->out_words) == item->digest;
        if (!same && row->mismatches++ == 0) {
            char text[128];
            row->first_case = b->first;
            snprintf(text, sizeof(text), "  cases %llu to %llu: another digest\n",
                     (unsigned long long)b->first, (unsigned long long)(b->first + b->count - 1));
            row->text = cli_copy(text, strlen(text));
        }
    }
    *(same ? &t->same : &t->different) += b->count;
}

static int replay_items(replay *t, const recording_subject *from, subject *s, contest_batch *b)
{
    lw_error error = { "" };
    contest_row *row = contest_begin_row(t->c, s, from->cases);
    row->cases = from->cases;
    row->words = from->cases * s->out_words;
    for (size_t i = 0; i < from->item_count; i++) {
        const recording_item *item = &t->r->item[from->first_item + i];
        if (item->count > CONTEST_BATCH)
            return fail(t, s->name, "a digest of more cases than one batch has");
        b->first = item->first;
        b->count = (size_t)item->count;
        if (!contest_compute(t->c, s, b, &error))
            return fail(t, s->name, error.text);
        compare_item(t, s, item, b, row);
    }
    if (row->mismatches)
        contest_end_row(t->c, row);
    return CLI_FINE;
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
    if (exit == CLI_FINE) {
        contest_batch_open(&b, &s);
        exit = replay_items(t, from, &s, &b);
        contest_batch_close(&b);
    }
    subject_close(&s);
    return exit;
}

int contest_replay(contest *c, const char *path, const recording *r, uint64_t *same, uint64_t *different)
{
    replay t = { .c = c, .path = path, .r = r };
    int exit = CLI_FINE;
    if (lw_arch_find(r->head.arch, &t.arch) != LW_OK)
        return fail(&t, r->head.arch, "this version does not know that architecture");
    for (size_t i = 0; i < r->subject_count && exit == CLI_FINE; i++)
        if (!c->only || strstr(r->subject[i].name, c->only) || strcmp(r->subject[i].group, c->only) == 0)
            exit = replay_subject(&t, &r->subject[i]);
    *same = t.same;
    *different = t.different;
    return exit;
}
