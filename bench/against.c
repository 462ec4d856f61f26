/* SPDX-License-Identifier: MIT */
/* Figures of this program and of an earlier build of it, taken alternately, so that changes on the host
 * affect both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bench.h"

enum { MAX_FIGURES = 4096, MAX_LINE = 256, ROUNDS = 5, MAX_COMMAND = 4096 };

/* A line of the tables: its text, and the smallest figure that each program printed in its first column. */
typedef struct figure {
    char text[MAX_LINE];
    double best[2];
} figure;

typedef struct comparison {
    figure *figures;
    size_t count;
    unsigned ones[2]; /* runs of each program whose status was 1: a figure misses its aim, but is one */
} comparison;

/* "CPU 12.5 ...  name" or "12.5 ...  name": the figure, and the text that identifies the line; 0 for other
 * lines. */
static int read_line(const char *line, char text[MAX_LINE], double *value)
{
    char cpu[16] = "";
    const char *name = NULL;
    for (const char *at = line; (at = strstr(at, "  ")); at++)
        if (at[2] != ' ' && at[2] != '\0')
            name = at + 2;
    if (sscanf(line, "%lf", value) != 1 && sscanf(line, "%15s %lf", cpu, value) != 2)
        return 0;
    if (!name || *value <= 0 || (*name >= '0' && *name <= '9') || *name == '-')
        return 0;
    snprintf(text, MAX_LINE, "%s%s%.*s", cpu, *cpu ? " " : "", (int)strcspn(name, "\n("), name);
    return 1;
}

static figure *find(comparison *c, const char *text)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->figures[i].text, text) == 0)
            return &c->figures[i];
    if (c->count == MAX_FIGURES)
        return NULL;
    figure *f = &c->figures[c->count++];
    snprintf(f->text, sizeof(f->text), "%s", text);
    return f;
}

/* Adds the figures that a program prints; `which`: 0 this program, 1 the other. 1 if it failed: it could not
 * be run, was ended by a signal, or has a status above 1. */
static int take(comparison *c, const char *command, int which)
{
    char line[MAX_LINE], text[MAX_LINE];
    double value;
    FILE *out = popen(command, "r");
    if (!out)
        return 1;
    while (fgets(line, sizeof(line), out)) {
        figure *f = read_line(line, text, &value) ? find(c, text) : NULL;
        if (f && (f->best[which] <= 0 || value < f->best[which]))
            f->best[which] = value;
    }
    const int status = pclose(out), code = status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
    c->ones[which] += code == 1;
    return code > 1;
}

/* The program, quoted for the shell, and its arguments; 1 if that is not possible. */
static int make_command(const char *program, char **words, int count, char command[MAX_COMMAND])
{
    size_t length = 0;
    for (int i = -1; i < count; i++) {
        const char *word = i < 0 ? program : words[i];
        if (strchr(word, '\'') || length + strlen(word) + 4 >= MAX_COMMAND)
            return 1;
        length += (size_t)snprintf(command + length, MAX_COMMAND - length, "%s'%s'", i < 0 ? "" : " ", word);
    }
    return 0;
}

static int print(const comparison *c)
{
    int compared = 0, slower = 0;
    printf("this build against the other, in turns, the best of %d each\n%12s %12s %6s\n", ROUNDS, "this",
           "other", "ratio");
    for (size_t i = 0; i < c->count; i++) {
        const figure *f = &c->figures[i];
        if (f->best[0] <= 0 || f->best[1] <= 0)
            continue;
        const double ratio = f->best[0] / f->best[1];
        compared++;
        slower += ratio > BENCH_SLOWER;
        printf("%12.3f %12.3f %6.2f%s  %s\n", f->best[0], f->best[1], ratio,
               ratio > BENCH_SLOWER ? " slower" : "", f->text);
    }
    for (int which = 0; which < 2; which++)
        if (c->ones[which])
            printf("%s ended with status 1 in %u of %d rounds: a figure misses its aim\n",
                   which ? "the other" : "this build", c->ones[which], ROUNDS);
    printf("%d figures compared, %d slower by more than %.1f\n", compared, slower, BENCH_SLOWER);
    return compared == 0 || slower != 0;
}

int bench_against(const char *self, const char *other, char **words, int count)
{
    char command[2][MAX_COMMAND];
    comparison c = { .figures = calloc(MAX_FIGURES, sizeof(figure)) };
    if (!c.figures || make_command(self, words, count, command[0]) ||
        make_command(other, words, count, command[1])) {
        fprintf(stderr, "bench: no memory, or a name with a quote in it\n");
        free(c.figures);
        return 1;
    }
    int bad = 0;
    for (int round = 0; round < ROUNDS && !bad; round++)
        for (int n = 0; n < 2 && !bad; n++)
            bad = take(&c, command[n ^ (round & 1)], n ^ (round & 1));
    if (bad)
        fprintf(stderr, "bench: one of the two programs failed\n");
    else
        bad = print(&c);
    free(c.figures);
    return bad;
}
