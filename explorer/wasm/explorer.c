/* SPDX-License-Identifier: MIT */
/* What the page calls: verbs of the program, in a process that has memory instead of files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/version.h>

#include "explorer/wasm/explorer.h"

static const cli_verb *const verbs[] = { &cli_verb_list,      &cli_verb_info, &cli_verb_layout,
                                         &cli_verb_eval,      &cli_verb_quiz, &explorer_verb_numbers,
                                         &explorer_verb_moved };

size_t cli_verb_count(void)
{
    return CLI_COUNT(verbs);
}

const cli_verb *cli_verb_at(size_t index)
{
    return verbs[index];
}

const char *explorer_version(void)
{
    return LW_VERSION_STRING;
}

void *explorer_alloc(size_t size)
{
    return cli_alloc(size);
}

void explorer_free(void *memory)
{
    free(memory);
}

/* Answers are long: few calls of the page for each. */
__attribute__((constructor)) static void widen_output(void)
{
    static char buffer[1 << 16];
    setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
}

static int run(const cli_verb *verb, int argc, char **argv)
{
    cli_call call;
    int exit = CLI_USAGE;
    if (cli_call_parse(&call, verb, argc, argv))
        exit = verb->run(&call);
    cli_call_free(&call);
    return exit;
}

int explorer_run(char *words, size_t size)
{
    enum { MOST_WORDS = 64 };
    char *argv[MOST_WORDS];
    int argc = 0;
    size_t at = 0;
    for (; at < size && argc < MOST_WORDS; at += strlen(words + at) + 1)
        argv[argc++] = words + at;
    if (at < size)
        return cli_fail(NULL, CLI_USAGE, "more than %d words", MOST_WORDS);
    const cli_verb *verb = argc ? cli_verb_find(argv[0]) : NULL;
    const int exit = verb ? run(verb, argc - 1, argv + 1)
                          : cli_fail(NULL, CLI_USAGE, "no verb '%s' in the page", argc ? argv[0] : "");
    fflush(stdout);
    return exit;
}
