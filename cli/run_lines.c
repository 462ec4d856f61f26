/* SPDX-License-Identifier: MIT */
/* --launches FILE: one launch per line, in the words of the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/file.h"
#include "cli/run.h"

/* The words of one line; they point into the line. */
typedef struct line_words {
    char **word;
    int count;
} line_words;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Takes one word in place, without its quotes; *end is set past it. False: a quote is not closed. */
static bool take_word(char *at, char **end)
{
    char *to = at, quote = 0;
    while (*at && (quote || !is_blank(*at))) {
        if (!quote && (*at == '\'' || *at == '"'))
            quote = *at++;
        else if (quote && *at == quote) {
            quote = 0;
            at++;
        } else
            *to++ = *at++;
    }
    *end = *at ? at + 1 : at;
    *to = '\0';
    return !quote;
}

/* Blanks separate words, quotes protect them, # begins a comment. */
static bool split(char *line, line_words *w)
{
    while (*line) {
        if (is_blank(*line)) {
            line++;
            continue;
        }
        if (*line == '#')
            return true;
        char *word = line;
        if (!take_word(word, &line))
            return false;
        w->word[w->count++] = word;
    }
    return true;
}

/* Options on the command line apply to every line. */
static void add_common(const cli_call *call, line_words *w)
{
    for (size_t i = 0; i < call->given_count; i++) {
        const cli_given *g = &call->given[i];
        const size_t size = strlen(g->option->name) + strlen(g->value ? g->value : "") + 4;
        if (strcmp(g->option->name, "launches") == 0)
            continue;
        char *word = cli_alloc(size);
        snprintf(word, size, g->value ? "--%s=%s" : "--%s", g->option->name, g->value);
        w->word[w->count++] = word;
    }
}

static int run_line(const cli_call *call, const char *path, size_t number, char *line, run_one *one)
{
    line_words w = { .word = cli_alloc((call->given_count + strlen(line) + 1) * sizeof(char *)) };
    cli_call own;
    add_common(call, &w);
    const int common = w.count;
    int exit = CLI_USAGE;
    const bool whole = split(line, &w);
    if (!whole)
        cli_fail(call, CLI_USAGE, "%s: line %zu: a quote is not closed", path, number);
    else if (w.count == common)
        exit = -1; /* an empty line */
    else {
        printf("== line %zu:", number);
        for (int i = common; i < w.count; i++)
            printf(" %s", w.word[i]);
        putchar('\n');
        fflush(stdout);
        if (cli_call_parse(&own, call->verb, w.count, w.word))
            exit =
                cli_has(&own, "launches") || cli_has(&own, "json") || cli_has(&own, "help") ||
                        cli_has(&own, "junit")
                    ? cli_fail(call, CLI_USAGE,
                               "--launches, --json, --junit and --help cannot be used in a line of the file")
                    : one(&own);
        cli_call_free(&own);
        if (exit != CLI_FINE)
            cli_say(call, "%s: line %zu: exit status %d", path, number, exit);
    }
    for (int i = 0; i < common; i++)
        free(w.word[i]);
    free(w.word);
    return exit;
}

int run_lines(const cli_call *call, run_one *one)
{
    const char *path = cli_value(call, "launches");
    uint8_t *bytes = NULL;
    size_t size = 0, launches = 0, failed = 0;
    int worst = CLI_FINE;
    if (call->operand_count || call->wants_json)
        return cli_fail(call, CLI_USAGE, "--launches %s: %s", path,
                        call->operand_count ? "programs and arguments belong in the lines of the file"
                                            : "the results of several launches do not form one JSON object");
    if (file_read(call, path, &bytes, &size) != CLI_FINE)
        return CLI_USAGE;
    char *text = cli_copy((const char *)bytes, size);
    free(bytes);
    if (strlen(text) != size) {
        free(text);
        return cli_fail(call, CLI_USAGE, "--launches %s: it is not a text file", path);
    }
    char *line = text;
    for (size_t number = 1; line; number++) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        const int exit = run_line(call, path, number, line, one);
        launches += exit >= 0;
        failed += exit > CLI_FINE;
        worst = exit > worst ? exit : worst;
        line = end ? end + 1 : NULL;
    }
    free(text);
    printf("%s: %zu launch%s, %zu failed\n", path, launches, launches == 1 ? "" : "es", failed);
    return worst;
}
