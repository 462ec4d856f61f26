/* SPDX-License-Identifier: MIT */
/* What all verbs of the program share: the rows that describe them, the parsed call, and error reporting. */
#ifndef LW_CLI_CLI_H
#define LW_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include <lanewise/status.h>

/* Exit statuses, the same for every verb. */
enum cli_exit {
    CLI_FINE = 0,  /* done, and every comparison held */
    CLI_NO = 1,    /* the answer is "no": a comparison failed */
    CLI_USAGE = 2, /* bad usage or bad input */
    CLI_FAULT = 3, /* the kernel faulted, needs something that this version lacks, ran out of memory, threads
                      or budget, could not go on or was stopped */
};

typedef struct cli_option {
    const char *name;  /* without the dashes */
    const char *value; /* the help's name for its value; NULL for a switch */
    const char *help;
    char letter;  /* the short form, 0 if there is none */
    bool repeats; /* may be given more than once */
} cli_option;

typedef struct cli_example {
    const char *command; /* works as is in a directory that holds the files it names */
    const char *says;
} cli_example;

struct cli_call;

typedef struct cli_verb {
    const char *name;
    const char *usage;   /* what follows "lanewise NAME" */
    const char *summary; /* one line, for the list of verbs */
    const char *text;    /* the manual page of the verb, shown below its usage */
    const cli_option *options;
    size_t option_count;
    const cli_example *examples;
    size_t example_count;
    int (*run)(const struct cli_call *call);
} cli_verb;

typedef struct cli_given {
    const cli_option *option;
    const char *value; /* NULL for a switch */
} cli_given;

/* One parsed command line. Strings point into argv. */
typedef struct cli_call {
    const cli_verb *verb;
    const char **operands;
    size_t operand_count;
    cli_given *given;
    size_t given_count;
    bool wants_json; /* --json is among the words, perhaps after one that cannot be parsed */
} cli_call;

extern const cli_verb cli_verb_list, cli_verb_info, cli_verb_layout, cli_verb_eval, cli_verb_run,
    cli_verb_why, cli_verb_debug, cli_verb_exec, cli_verb_capture, cli_verb_disasm, cli_verb_schedule,
    cli_verb_pack, cli_verb_quiz, cli_verb_merge, cli_verb_validate;

/* The table of verbs, in the order the help shows them. */
size_t cli_verb_count(void);
const cli_verb *cli_verb_at(size_t index);
const cli_verb *cli_verb_find(const char *name); /* NULL when there is none */

/*
 * Parses `argv` (the words after the verb). On bad usage, reports it and returns false. A word such as -3 or
 * -0.5 is an operand; after `--` every word is.
 */
bool cli_call_parse(cli_call *call, const cli_verb *verb, int argc, char **argv);
void cli_call_free(cli_call *call);

/* The value of an option (the last one given), or NULL; whether it was given; its next occurrence from *at
 * on. */
const char *cli_value(const cli_call *call, const char *option);
bool cli_has(const cli_call *call, const char *option);
const char *cli_next_value(const cli_call *call, const char *option, size_t *at);

/* Reports an error on stderr ("lanewise: VERB: ..."; with --json also as an object on stdout); returns
 * `exit`. */
int cli_fail(const cli_call *call, int exit, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* CLI_USAGE, after saying on stderr only that the report which the option names cannot be written. */
int cli_unwritten(const cli_call *call, const char *option, const char *why);

/* Reports the sentence on stderr only. */
void cli_say(const cli_call *call, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* cli_fail for a library status: its sentence, or the status's own text if the library gave none. */
int cli_fail_status(const cli_call *call, const char *what, lw_status status, const lw_error *error);

/* For calls that fail only without memory: ends the program with the status's sentence. */
void cli_need(lw_status status);
/* Allocates memory, or ends the program with a sentence. */
void *cli_alloc(size_t size);
void *cli_grow(void *old, size_t size);
char *cli_copy(const char *text, size_t length);

void cli_help_program(void);
void cli_help_verb(const cli_verb *verb);

/* The candidate nearest to a misspelt word, or NULL if none is near. */
const char *cli_nearest(const char *word, const char *(*name)(size_t index, const void *context),
                        size_t count, const void *context);

#define CLI_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
