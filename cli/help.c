/* SPDX-License-Identifier: MIT */
/* Help, printed from the rows of the verbs. */
#include <stdio.h>
#include <string.h>

#include <lanewise/version.h>

#include "cli/cli.h"

void cli_help_program(void)
{
    puts("lanewise " LW_VERSION_STRING
         ": what a GPU's matrix instructions compute, bit for bit, without a GPU\n"
         "\n"
         "  lanewise VERB ...          each verb answers one kind of question:\n");
    for (size_t i = 0; i < cli_verb_count(); i++)
        printf("  %-10s %s\n", cli_verb_at(i)->name, cli_verb_at(i)->summary);
    puts("\n"
         "  lanewise help VERB         a verb's options, with examples\n"
         "  lanewise --version\n"
         "\n"
         "Try these:\n"
         "  lanewise list --arch gfx950 --family mfma\n"
         "  lanewise layout v_mfma_f32_16x16x16_f16 --arch gfx942 --operand A\n"
         "  lanewise help run\n"
         "\n"
         "Every verb takes --json. Exit status: 0 fine, 1 the answer is \"no\" (a comparison failed),\n"
         "2 bad usage or input, 3 the kernel faulted, needs something unsupported, ran out of memory, "
         "threads\n"
         "or budget, or was stopped.");
}

static int print_option_head(const cli_option *o, bool measure)
{
    char head[80];
    const int width =
        snprintf(head, sizeof(head), "%c%c%s--%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
                 o->letter ? ", " : "  ", o->name, o->value ? " " : "", o->value ? o->value : "");
    if (!measure)
        fputs(head, stdout);
    return width;
}

/* Help texts may have several lines; continuation lines are indented like the first. */
static void print_option(const cli_option *o, int column)
{
    fputs("  ", stdout);
    const int width = print_option_head(o, false);
    printf("%*s  ", column - width, "");
    for (const char *line = o->help; line;) {
        const char *end = strchr(line, '\n');
        printf("%.*s\n", (int)(end ? end - line : (long)strlen(line)), line);
        line = end ? end + 1 : NULL;
        if (line)
            printf("  %*s  ", column, "");
    }
}

static bool has_own_json(const cli_verb *verb)
{
    for (size_t i = 0; i < verb->option_count; i++)
        if (strcmp(verb->options[i].name, "json") == 0)
            return true;
    return false;
}

void cli_help_verb(const cli_verb *verb)
{
    static const cli_option json = { .name = "json", .help = "print the answer as one JSON object" };
    printf("lanewise %s: %s\n\n  lanewise %s %s\n\n%s\n", verb->name, verb->summary, verb->name, verb->usage,
           verb->text);

    int column = print_option_head(&json, true);
    for (size_t i = 0; i < verb->option_count; i++) {
        const int width = print_option_head(&verb->options[i], true);
        column = width > column ? width : column;
    }
    puts("Options:");
    for (size_t i = 0; i < verb->option_count; i++)
        print_option(&verb->options[i], column);
    if (!has_own_json(verb))
        print_option(&json, column);

    puts("\nExamples:");
    for (size_t i = 0; i < verb->example_count; i++)
        printf("  # %s\n  %s\n", verb->examples[i].says, verb->examples[i].command);
}
