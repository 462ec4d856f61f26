/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/numerics.h"

static bool is_topic(const lw_mma_choice_info *info, const char *text, size_t length)
{
    return strlen(info->topic) == length && memcmp(info->topic, text, length) == 0;
}

/* Where TOPIC ends; "topic=name" is accepted for "topic:name". */
static size_t topic_length(const char *text)
{
    return strcspn(text, ":=");
}

static int fail_choice(const cli_call *call, const char *option, const char *text)
{
    char names[512] = "";
    const size_t length = topic_length(text);
    const lw_mma_choice_info *info;
    bool known = false;
    for (size_t i = 0; (info = lw_mma_choice_at(i)) != NULL; i++)
        known = known || is_topic(info, text, length);
    for (size_t i = 0; (info = lw_mma_choice_at(i)) != NULL; i++) {
        const lw_mma_choice_info *before = i ? lw_mma_choice_at(i - 1) : NULL;
        if (known ? !is_topic(info, text, length) : before && strcmp(before->topic, info->topic) == 0)
            continue;
        const size_t used = strlen(names);
        snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
                 known ? info->name : info->topic);
    }
    if (known)
        return cli_fail(call, CLI_USAGE, "--%s %s: the readings of %.*s are %s", option, text, (int)length,
                        text, names);
    return cli_fail(call, CLI_USAGE, "--%s %s: needs TOPIC:NAME; the topics are %s", option, text, names);
}

static bool is_choice(const char *text)
{
    const lw_mma_choice_info *info;
    const size_t length = topic_length(text);
    for (size_t i = 0; (info = lw_mma_choice_at(i)) != NULL; i++)
        if (text[length] && is_topic(info, text, length) && strcmp(info->name, text + length + 1) == 0)
            return true;
    return false;
}

static int read_option(const cli_call *call, const char *option, numerics_choices *choices)
{
    const char *text;
    for (size_t at = 0; (text = cli_next_value(call, option, &at)) != NULL;) {
        if (!is_choice(text))
            return fail_choice(call, option, text);
        char *copy = cli_copy(text, strlen(text));
        copy[topic_length(copy)] = ':';
        choices->names[choices->count++] = copy;
    }
    return CLI_FINE;
}

int numerics_read(const cli_call *call, numerics_choices *choices)
{
    *choices = (numerics_choices){ .names = cli_alloc((call->given_count + 1) * sizeof(char *)) };
    int exit = read_option(call, "numerics", choices);
    if (exit == CLI_FINE)
        exit = read_option(call, "reading", choices);
    if (exit != CLI_FINE)
        numerics_free(choices);
    return exit;
}

void numerics_free(numerics_choices *choices)
{
    for (size_t i = 0; i < choices->count; i++)
        free(choices->names[i]);
    free(choices->names);
    *choices = (numerics_choices){ 0 };
}
