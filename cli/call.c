/* SPDX-License-Identifier: MIT */
/* Parsing a command line by the rows of its verb. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* Options that every verb takes besides its own. */
static const cli_option common[] = {
    { .name = "json", .help = "print the answer as one JSON object" },
    { .name = "help", .letter = 'h', .help = "explain this verb, with examples" },
};

static const cli_option *option_at(const cli_verb *verb, size_t index)
{
    if (index < verb->option_count)
        return &verb->options[index];
    index -= verb->option_count;
    return index < CLI_COUNT(common) ? &common[index] : NULL;
}

static const char *option_name(size_t index, const void *context)
{
    return option_at(context, index)->name;
}

static const cli_option *option_find(const cli_verb *verb, const char *name, size_t length)
{
    const cli_option *o;
    for (size_t i = 0; (o = option_at(verb, i)) != NULL; i++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0)
            return o;
    return NULL;
}

static const cli_option *option_find_letter(const cli_verb *verb, char letter)
{
    const cli_option *o;
    for (size_t i = 0; (o = option_at(verb, i)) != NULL; i++)
        if (o->letter == letter)
            return o;
    return NULL;
}

/* "-3", "-.5" and "-" are words, not options. */
static bool is_option(const char *word)
{
    if (word[0] != '-' || word[1] == '\0')
        return false;
    return !(word[1] == '.' || (word[1] >= '0' && word[1] <= '9'));
}

static void add_given(cli_call *call, const cli_option *option, const char *value)
{
    call->given[call->given_count++] = (cli_given){ .option = option, .value = value };
}

static bool fail_unknown(const cli_call *call, const char *word)
{
    char name[64];
    snprintf(name, sizeof(name), "%s", word + strspn(word, "-"));
    name[strcspn(name, "=")] = '\0';
    const char *near =
        cli_nearest(name, option_name, call->verb->option_count + CLI_COUNT(common), call->verb);
    if (near)
        cli_fail(call, CLI_USAGE, "unknown option '%s'; did you mean --%s?", word, near);
    else
        cli_fail(call, CLI_USAGE, "unknown option '%s'; 'lanewise help %s' lists them", word,
                 call->verb->name);
    return false;
}

/* Handles the option at argv[*at] and moves *at past the words it used. */
static bool take_option(cli_call *call, int argc, char **argv, int *at)
{
    const char *word = argv[(*at)++];
    const bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    const char *equals = is_long ? strchr(name, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const cli_option *o =
        is_long ? option_find(call->verb, name, length) : option_find_letter(call->verb, *name);
    const char *value = equals ? equals + 1 : NULL;

    if (!o)
        return fail_unknown(call, word);
    if (!is_long && name[1] != '\0')
        value = name + 1;
    if (!o->value && value) {
        cli_fail(call, CLI_USAGE, "--%s takes no value, but '%s' gives it one", o->name, word);
        return false;
    }
    if (o->value && !value && *at < argc)
        value = argv[(*at)++];
    if (o->value && !value) {
        cli_fail(call, CLI_USAGE, "--%s needs a value: --%s %s", o->name, o->name, o->value);
        return false;
    }
    if (!o->repeats && cli_has(call, o->name)) {
        cli_fail(call, CLI_USAGE, "--%s is given twice", o->name);
        return false;
    }
    add_given(call, o, value);
    return true;
}

bool cli_call_parse(cli_call *call, const cli_verb *verb, int argc, char **argv)
{
    *call = (cli_call){ .verb = verb };
    call->operands = cli_alloc(((size_t)argc + 1) * sizeof(*call->operands));
    call->given = cli_alloc(((size_t)argc + 1) * sizeof(*call->given));

    for (int at = 0; at < argc && strcmp(argv[at], "--") != 0; at++)
        call->wants_json |= strcmp(argv[at], "--json") == 0;

    bool options = true;
    for (int at = 0; at < argc;) {
        if (options && strcmp(argv[at], "--") == 0) {
            options = false;
            at++;
        } else if (options && is_option(argv[at])) {
            if (!take_option(call, argc, argv, &at))
                return false;
        } else {
            call->operands[call->operand_count++] = argv[at++];
        }
    }
    return true;
}

void cli_call_free(cli_call *call)
{
    free(call->operands);
    free(call->given);
}

const char *cli_next_value(const cli_call *call, const char *option, size_t *at)
{
    while (*at < call->given_count) {
        const cli_given *g = &call->given[(*at)++];
        if (strcmp(g->option->name, option) == 0)
            return g->value ? g->value : "";
    }
    return NULL;
}

const char *cli_value(const cli_call *call, const char *option)
{
    const char *value, *last = NULL;
    for (size_t at = 0; (value = cli_next_value(call, option, &at)) != NULL;)
        last = value;
    return last;
}

bool cli_has(const cli_call *call, const char *option)
{
    return cli_value(call, option) != NULL;
}

const cli_verb *cli_verb_find(const char *name)
{
    for (size_t i = 0; i < cli_verb_count(); i++)
        if (strcmp(cli_verb_at(i)->name, name) == 0)
            return cli_verb_at(i);
    return NULL;
}
