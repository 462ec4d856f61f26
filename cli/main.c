/* SPDX-License-Identifier: MIT */
/* The program `lanewise`: one verb per question. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <lanewise/version.h>

#include "cli/arg.h"

static const cli_verb *const verbs[] = {
    &cli_verb_list,     &cli_verb_info,  &cli_verb_layout, &cli_verb_eval,    &cli_verb_run,
    &cli_verb_why,      &cli_verb_debug, &cli_verb_exec,   &cli_verb_capture, &cli_verb_disasm,
    &cli_verb_schedule, &cli_verb_pack,  &cli_verb_quiz,   &cli_verb_merge,   &cli_verb_validate,
};

size_t cli_verb_count(void)
{
    return CLI_COUNT(verbs);
}

const cli_verb *cli_verb_at(size_t index)
{
    return verbs[index];
}

static const char *verb_name(size_t index, const void *context)
{
    (void)context;
    return verbs[index]->name;
}

static int fail_verb(const char *word)
{
    const char *near = cli_nearest(word, verb_name, CLI_COUNT(verbs), NULL);
    if (near)
        return cli_fail(NULL, CLI_USAGE, "no verb '%s'; did you mean '%s'?", word, near);
    return cli_fail(NULL, CLI_USAGE, "no verb '%s'; 'lanewise help' lists them", word);
}

static int run_verb(const cli_verb *verb, int argc, char **argv)
{
    cli_call call;
    int exit = CLI_USAGE;
    if (cli_call_parse(&call, verb, argc, argv)) {
        if (cli_has(&call, "help"))
            cli_help_verb(verb);
        exit = cli_has(&call, "help") ? CLI_FINE : arg_check_limit(&call);
        if (exit == CLI_FINE && !cli_has(&call, "help"))
            exit = verb->run(&call);
    }
    cli_call_free(&call);
    return exit;
}

static int help(int argc, char **argv)
{
    const cli_verb *verb = argc > 0 ? cli_verb_find(argv[0]) : NULL;
    if (argc > 0 && !verb)
        return fail_verb(argv[0]);
    if (verb)
        cli_help_verb(verb);
    else
        cli_help_program();
    return CLI_FINE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        cli_help_program();
        return CLI_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(word, "--version") == 0) {
        puts("lanewise " LW_VERSION_STRING);
        return CLI_FINE;
    }
    const cli_verb *verb = cli_verb_find(word);
    return verb ? run_verb(verb, argc - 2, argv + 2) : fail_verb(word);
}

int main(int argc, char **argv)
{
    const int exit = dispatch(argc, argv);

    /* A full disk must not look like success. */
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        return cli_fail(NULL, CLI_USAGE, "cannot write to standard output: %s",
                        errno ? strerror(errno) : "write error");
    return exit;
}
