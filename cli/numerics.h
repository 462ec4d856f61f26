/* SPDX-License-Identifier: MIT */
/* --reading TOPIC:NAME (formerly --numerics): which reading to take where sources leave the arithmetic open.
 */
#ifndef LW_CLI_NUMERICS_H
#define LW_CLI_NUMERICS_H

#include <lanewise/mma.h>

#include "cli/cli.h"

#define CLI_OPTION_NUMERICS                                                                                  \
    { .name = "reading",                                                                                     \
      .value = "TOPIC:NAME",                                                                                 \
      .repeats = true,                                                                                       \
      .help = "take this reading where sources leave the arithmetic open; 'lanewise info' lists them" },     \
    {                                                                                                        \
        .name = "numerics", .value = "TOPIC:NAME", .repeats = true, .help = "the former name of --reading"   \
    }

/* The readings asked for, checked against those there are. Free `names` and each of them with numerics_free.
 */
typedef struct numerics_choices {
    char **names; /* "topic:name" */
    size_t count;
} numerics_choices;

int numerics_read(const cli_call *call, numerics_choices *choices);
void numerics_free(numerics_choices *choices);

#endif
