/* SPDX-License-Identifier: MIT */
/* Error messages, and allocations that must succeed. */
#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"

enum { SENTENCE_ROOM = 4096 };

/* Standard output is flushed first, so that earlier output stays before the error. */
static void say(const cli_call *call, const char *text)
{
    fflush(stdout);
    if (call)
        fprintf(stderr, "lanewise: %s: %s\n", call->verb->name, text);
    else
        fprintf(stderr, "lanewise: %s\n", text);
}

void cli_say(const cli_call *call, const char *format, ...)
{
    char text[SENTENCE_ROOM];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    say(call, text);
}

int cli_unwritten(const cli_call *call, const char *option, const char *why)
{
    cli_say(call, "--%s %s: cannot write it: %s", option, cli_value(call, option), why);
    return CLI_USAGE;
}

int cli_fail(const cli_call *call, int exit, const char *format, ...)
{
    char text[SENTENCE_ROOM];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    say(call, text);
    if (!call || !call->wants_json)
        return exit;

    cli_json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_string(&json, "error", text);
    json_int(&json, "status", exit);
    json_close(&json, '}');
    return exit;
}

/* Caused by the kernel or the host, not by the caller. */
static bool ends_a_run(lw_status status)
{
    static const lw_status all[] = { LW_E_FAULT,  LW_E_UNSUPPORTED, LW_E_ABSENT, LW_E_NO_MEMORY,
                                     LW_E_BUDGET, LW_E_LIVELOCK,    LW_E_STOPPED };
    for (size_t i = 0; i < CLI_COUNT(all); i++)
        if (all[i] == status)
            return true;
    return false;
}

int cli_fail_status(const cli_call *call, const char *what, lw_status status, const lw_error *error)
{
    const char *text = error && error->text[0] ? error->text : lw_status_text(status);
    const int exit = ends_a_run(status) ? CLI_FAULT : CLI_USAGE;
    return what ? cli_fail(call, exit, "%s: %s", what, text) : cli_fail(call, exit, "%s", text);
}

void cli_need(lw_status status)
{
    if (status != LW_OK) {
        fprintf(stderr, "lanewise: %s\n", lw_status_text(status));
        exit(CLI_FAULT);
    }
}

void *cli_grow(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);
    if (!p) {
        fprintf(stderr, "lanewise: the host has no memory for %zu more bytes\n", size);
        exit(CLI_FAULT);
    }
    return p;
}

void *cli_alloc(size_t size)
{
    return memset(cli_grow(NULL, size), 0, size);
}

char *cli_copy(const char *text, size_t length)
{
    char *copy = cli_alloc(length + 1);
    memcpy(copy, text, length);
    return copy;
}

enum { NEAR_WORD = 40, NEAR_ENOUGH = 3 };

/* Levenshtein distance, ignoring case; long words count as far apart. */
static size_t edit_distance(const char *a, const char *b)
{
    const size_t la = strlen(a), lb = strlen(b);
    size_t row[NEAR_WORD + 1];
    if (la > NEAR_WORD || lb > NEAR_WORD)
        return SIZE_MAX;
    for (size_t j = 0; j <= lb; j++)
        row[j] = j;
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            const size_t change =
                diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            const size_t shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
            diagonal = row[j];
            row[j] = change < shorter + 1 ? change : shorter + 1;
        }
    }
    return row[lb];
}

const char *cli_nearest(const char *word, const char *(*name)(size_t index, const void *context),
                        size_t count, const void *context)
{
    const char *best = NULL;
    size_t best_distance = NEAR_ENOUGH;
    for (size_t i = 0; i < count; i++) {
        const size_t distance = edit_distance(word, name(i, context));
        if (distance < best_distance && distance < strlen(word)) {
            best_distance = distance;
            best = name(i, context);
        }
    }
    return best;
}
