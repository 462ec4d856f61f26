/* SPDX-License-Identifier: MIT */
/* Parts of a comparison with a device, joined: the table, report and recording of the whole one. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include <stdlib.h>
#include <string.h>

#include <lanewise/version.h>

#include "cli/arg.h"
#include "cli/gpu/report.h"
#include "cli/gpu/sweep.h"
#include "cli/output.h"
#include "cli/parse.h"

/* A subject that a part left out. */
typedef struct left_line {
    size_t number;
    uint64_t refused;
    char *name, *why;
} left_line;

/* A line of a recording: its subject, then its place there. */
typedef struct kept_line {
    uint64_t number, place;
    char *text;
} kept_line;

typedef struct joined {
    const merge_job *job;
    contest c;
    recording_head head;
    char *only, *report, *record; /* in the lines of a part; NULL: none */
    contest_row *row;             /* of all parts */
    size_t row_count;
    left_line *left;
    size_t left_count;
    kept_line *kept;
    size_t kept_count;
    uint64_t at;   /* the subject of recorded lines that follow */
    uint64_t held; /* bytes */
    size_t heads;  /* lines of the head of this part */
} joined;

bool sweep_is(const lw_launch_part *part)
{
    const char *second = strchr(part->about, '\n');
    return second && strncmp(second, "\ndevice\n", 8) == 0;
}

/* ---- Reading a part ---- */

/* The next word of a line as a number. */
static bool take(char **line, uint64_t *value)
{
    char *word = *line, *blank = strchr(word, ' ');
    if (!blank)
        return false;
    *blank = '\0';
    *line = blank + 1;
    return parse_u64(word, value);
}

static bool take_all(char **line, uint64_t *values, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count && good; i++)
        good = take(line, &values[i]);
    return good;
}

static bool read_row(joined *j, char *line)
{
    uint64_t n[9];
    char *blank;
    contest_row row = { .text = NULL };
    if (!take_all(&line, n, CLI_COUNT(n)) || !(blank = strchr(line, ' ')) ||
        (size_t)(blank - line) >= sizeof(row.group) || strlen(blank + 1) >= sizeof(row.name) ||
        n[0] > SIZE_MAX / 2 || n[6] > SIZE_MAX / 2 || n[1] > n[2] || n[7] > UINT32_MAX || n[8] > UINT32_MAX)
        return false;
    row.number = (size_t)n[0];
    row.cases = n[1];
    row.all = n[2];
    row.words = n[3];
    row.mismatches = n[4];
    row.first_case = n[5];
    row.first_word = (size_t)n[6];
    row.got = (uint32_t)n[7];
    row.want = (uint32_t)n[8];
    memcpy(row.group, line, (size_t)(blank - line));
    strcpy(row.name, blank + 1);
    j->row = cli_grow(j->row, (j->row_count + 1) * sizeof(*j->row));
    j->row[j->row_count++] = row;
    return true;
}

/* Adds a line to a text, which has a few of them. */
static bool append(char **text, const char *line)
{
    enum { MOST = 1 << 16 };
    const size_t old = *text ? strlen(*text) : 0, more = strlen(line);
    if (old + more > MOST)
        return false;
    *text = cli_grow(*text, old + more + 2);
    memcpy(*text + old, line, more);
    memcpy(*text + old + more, "\n", 2);
    return true;
}

static bool read_text(joined *j, char *line)
{
    return j->row_count && append(&j->row[j->row_count - 1].text, line);
}

static bool read_verdict(joined *j, char *line)
{
    return j->row_count && append(&j->row[j->row_count - 1].verdict, line);
}

static bool read_left(joined *j, char *line)
{
    uint64_t n[2];
    if (!take_all(&line, n, CLI_COUNT(n)) || n[0] > SIZE_MAX / 2 || n[1] > 1)
        return false;
    j->left = cli_grow(j->left, (j->left_count + 1) * sizeof(*j->left));
    j->left[j->left_count++] = (left_line){ (size_t)n[0], n[1], line, NULL };
    return true;
}

static bool read_why(joined *j, char *line)
{
    return j->left_count && append(&j->left[j->left_count - 1].why, line);
}

static bool read_probes(joined *j, char *line)
{
    probe_report *p = &j->c.probes;
    uint64_t n[4];
    char *last = strrchr(line, ' ');
    if (!last || !parse_u64(last + 1, &n[3]) || !take_all(&line, n, 3))
        return false;
    p->results += (size_t)n[0];
    p->as_default += (size_t)n[1];
    p->otherwise += (size_t)n[2];
    p->unexplained += (size_t)n[3];
    return true;
}

/* "at N" tells the subject; its own line comes first, then "full N" and "digest N". */
static bool read_kept(joined *j, char *line)
{
    kept_line kept = { j->at, 0, line };
    const size_t word = strcspn(line, " ");
    if (strncmp(line, "at ", 3) == 0)
        return parse_u64(line + 3, &j->at);
    if (strncmp(line, "subject ", 8) != 0) {
        char *number = line[word] ? cli_copy(line + word + 1, strcspn(line + word + 1, " ")) : NULL;
        const bool good = number && parse_u64(number, &kept.place) && kept.place < UINT64_MAX;
        free(number);
        if (!good || (strncmp(line, "full ", 5) != 0 && strncmp(line, "digest ", 7) != 0))
            return false;
        kept.place++;
    }
    if ((j->kept_count & (j->kept_count - 1)) == 0)
        j->kept = cli_grow(j->kept, (j->kept_count ? 2 * j->kept_count : 1) * sizeof(*j->kept));
    j->kept[j->kept_count++] = kept;
    return true;
}

/* That of the part that is read last, which is the first. */
static bool read_head(joined *j, char *line)
{
    return recording_head_take(&j->head, j->heads++, line);
}

static bool read_version(joined *j, char *line)
{
    (void)j;
    return strcmp(line, LW_VERSION_STRING) == 0;
}

static bool read_device(joined *j, char *line)
{
    j->heads = 0;
    return *line == '\0';
}

static bool read_only(joined *j, char *line)
{
    j->only = line;
    return true;
}

static bool read_report(joined *j, char *line)
{
    j->report = line;
    return true;
}

static bool read_record(joined *j, char *line)
{
    j->record = line;
    return true;
}

static bool read_launches(joined *j, char *line)
{
    j->c.launches = "";
    return *line == '\0';
}

static const struct line_row {
    const char *word;
    bool (*read)(joined *j, char *line);
} line_rows[] = {
    { "row", read_row },       { "text", read_text },         { "verdict", read_verdict },
    { "left", read_left },     { "why", read_why },           { "probes", read_probes },
    { "kept", read_kept },     { "head", read_head },         { "lanewise", read_version },
    { "device", read_device }, { "only", read_only },         { "report", read_report },
    { "record", read_record }, { "launches", read_launches },
};

static bool read_line(joined *j, char *line)
{
    char *blank = strchr(line, ' '), *rest = blank ? blank + 1 : line + strlen(line);
    const size_t length = blank ? (size_t)(blank - line) : strlen(line);
    for (size_t i = 0; i < CLI_COUNT(line_rows); i++)
        if (strlen(line_rows[i].word) == length && strncmp(line, line_rows[i].word, length) == 0)
            return line_rows[i].read(j, rest);
    return false;
}

/* What the lines of a part become: at most so many bytes for each word that begins one. */
static uint64_t room_for(const char *about)
{
    static const struct {
        const char *word;
        size_t bytes;
    } sizes[] = { { "row ", 2 * sizeof(contest_row) },
                  { "left ",
                    sizeof(left_line) + sizeof(contest_left) + sizeof(contest_reason) + 4 * sizeof(size_t) },
                  { "kept ", 2 * sizeof(kept_line) } };
    uint64_t room = 2 * (uint64_t)strlen(about); /* the lines, and the texts that are appended */
    for (const char *line = about; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        for (size_t i = 0; i < CLI_COUNT(sizes); i++)
            if (strncmp(line, sizes[i].word, strlen(sizes[i].word)) == 0)
                room += sizes[i].bytes;
    }
    return room;
}

static int read_part(joined *j, const merge_file *file, char **lines)
{
    const uint64_t room = room_for(file->part->about);
    const int exit = arg_check_room(j->job->call, file->path, j->held, room);
    if (exit != CLI_FINE)
        return exit;
    j->held += room;
    *lines = cli_copy(file->part->about, strlen(file->part->about));
    for (char *line = *lines, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        char *shown = cli_copy(line, strlen(line));
        const bool good = read_line(j, line);
        if (!good)
            cli_fail(j->job->call, CLI_USAGE, "%s: version %s of lanewise cannot read '%.200s' in it",
                     file->path, LW_VERSION_STRING, shown);
        free(shown);
        if (!good)
            return CLI_USAGE;
    }
    return CLI_FINE;
}

/* ---- Joining ---- */

static int by_subject(const void *a, const void *b)
{
    const contest_row *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->first_case > y->first_case) - (x->first_case < y->first_case);
}

static void swap(char **a, char **b)
{
    char *kept = *a;
    *a = *b;
    *b = kept;
}

/* The first difference of all cases is that of the part that has the first one. */
static bool add_row(contest_row *sum, contest_row *row)
{
    if (strcmp(sum->name, row->name) != 0 || strcmp(sum->group, row->group) != 0 || sum->all != row->all ||
        row->cases > sum->all - sum->cases)
        return false;
    if (row->mismatches && !sum->mismatches) {
        sum->first_case = row->first_case;
        sum->first_word = row->first_word;
        sum->got = row->got;
        sum->want = row->want;
        swap(&sum->text, &row->text);
    }
    if (!sum->verdict)
        swap(&sum->verdict, &row->verdict);
    sum->cases += row->cases;
    sum->words += row->words;
    sum->mismatches += row->mismatches;
    return true;
}

static int join_rows(joined *j)
{
    contest *c = &j->c;
    if (j->row_count)
        qsort(j->row, j->row_count, sizeof(*j->row), by_subject);
    for (size_t i = 0; i < j->row_count; i++) {
        contest_row *last = c->row_count ? &c->row[c->row_count - 1] : NULL, *row = &j->row[i];
        if (!last || last->number != row->number) {
            c->done = row->number;
            last = contest_add_row(c, row->group, row->name);
            last->all = row->all;
        }
        if (!add_row(last, row))
            return cli_fail(c->call, CLI_USAGE, "the parts do not say the same about %s", row->name);
    }
    for (size_t i = 0; i < c->row_count; i++)
        if (c->row[i].cases != c->row[i].all)
            return cli_fail(c->call, CLI_FAULT, "%s: %llu of %llu cases were compared: a part left it out",
                            c->row[i].name, (unsigned long long)c->row[i].cases,
                            (unsigned long long)c->row[i].all);
    return CLI_FINE;
}

static int by_number(const void *a, const void *b)
{
    const left_line *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static int join_left(joined *j)
{
    if (j->left_count)
        qsort(j->left, j->left_count, sizeof(*j->left), by_number);
    for (size_t i = 0; i < j->left_count; i++) {
        left_line *left = &j->left[i];
        if (i && left->number == left[-1].number)
            continue;
        if (left->why)
            left->why[strlen(left->why) - 1] = '\0'; /* append's last \n */
        j->c.done = left->number;
        contest_leave_out(&j->c, left->name, left->why ? left->why : "", left->refused != 0);
    }
    return CLI_FINE;
}

/* ---- Files ---- */

static int by_place(const void *a, const void *b)
{
    const kept_line *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->place > y->place) - (x->place < y->place);
}

static void write_record(joined *j, FILE *file)
{
    recording_writer writer;
    recording_begin(&writer, file, &j->head);
    if (j->kept_count)
        qsort(j->kept, j->kept_count, sizeof(*j->kept), by_place);
    for (size_t i = 0; i < j->kept_count; i++) {
        const kept_line *kept = &j->kept[i];
        const bool again = i && !kept->place && kept->number == kept[-1].number && !kept[-1].place;
        if (!again)
            recording_put_line(&writer, kept->text, strlen(kept->text));
    }
    recording_end(&writer);
}

static int check_outputs(const joined *j)
{
    const char *const paths[] = { j->report, j->record };
    int exit = CLI_FINE;
    for (size_t i = 0; i < CLI_COUNT(paths) && exit == CLI_FINE; i++) {
        exit = paths[i] ? output_check(j->job->call, paths[i]) : CLI_FINE;
        for (size_t k = 0; k < j->job->count && exit == CLI_FINE && paths[i]; k++)
            exit = output_check_read(j->job->call, paths[i], j->job->files[k].path, "merge");
    }
    return exit;
}

static int write_files(joined *j, int status)
{
    char *text[2] = { NULL, NULL };
    const char *const paths[] = { j->report, j->record };
    output_file files[2];
    size_t count = 0;
    int exit = CLI_FINE;
    for (size_t i = 0; i < CLI_COUNT(paths) && exit == CLI_FINE; i++) {
        size_t size = 0;
        FILE *out = paths[i] ? open_memstream(&text[i], &size) : NULL;
        if (out && i == 0)
            report_write(&j->c, &j->head, status, out);
        else if (out)
            write_record(j, out);
        if (paths[i] && (!out || fclose(out) != 0))
            exit = cli_fail(j->job->call, CLI_FAULT, "there is no memory for %s", paths[i]);
        else if (paths[i])
            files[count++] = (output_file){ .path = paths[i], .bytes = text[i], .size = size };
    }
    if (exit == CLI_FINE && count)
        exit = output_write(j->job->call, files, count);
    free(text[0]);
    free(text[1]);
    return exit;
}

static int finish(joined *j)
{
    int exit = check_outputs(j);
    if (exit == CLI_FINE)
        exit = join_rows(j);
    if (exit == CLI_FINE)
        exit = join_left(j);
    if (exit != CLI_FINE)
        return exit;
    exit = report_conclude(&j->c);
    if (exit == CLI_USAGE)
        return exit;
    const int wrote = write_files(j, exit);
    if (wrote != CLI_FINE)
        return wrote;
    if (j->c.out) {
        report_print_head(&j->head, j->c.out);
        contest_print_rows(&j->c);
    }
    report_end(&j->c, &j->head, exit);
    return exit;
}

int sweep_merge(const merge_job *job)
{
    joined j = { .job = job, .held = job->held };
    char **lines = cli_alloc(job->count * sizeof(*lines));
    int exit = CLI_FINE;
    j.c.call = job->call;
    j.c.out = cli_has(job->call, "json") ? NULL : stdout;
    for (size_t number = job->count; number-- > 0 && exit == CLI_FINE;)
        for (size_t i = 0; i < job->count; i++)
            if (job->files[i].part->number == number)
                exit = read_part(&j, &job->files[i], &lines[number]);
    j.c.only = j.only;
    if (exit == CLI_FINE)
        exit = finish(&j);
    for (size_t i = 0; i < j.row_count; i++) {
        free(j.row[i].text);
        free(j.row[i].verdict);
    }
    for (size_t i = 0; i < j.left_count; i++)
        free(j.left[i].why);
    for (size_t i = 0; i < job->count; i++)
        free(lines[i]);
    contest_free(&j.c);
    free(lines);
    free(j.row);
    free(j.left);
    free(j.kept);
    return exit;
}
