/* SPDX-License-Identifier: MIT */
/* --reading TOPIC:NAME: which rule to assume where sources leave one open. */
#ifndef LW_CLI_READINGS_H
#define LW_CLI_READINGS_H

#include <lanewise/reading.h>

#include "cli/cli.h"

#define CLI_OPTION_READING                                                                                   \
    {                                                                                                        \
        .name = "reading", .value = "TOPIC:NAME", .repeats = true,                                           \
        .help = "how to read what sources leave open; 'lanewise info INSN' lists the readings\n"             \
                "of an instruction"                                                                          \
    }

/* Names of --reading from when it took readings of arithmetic only. */
#define CLI_OPTION_NUMERICS                                                                                  \
    {                                                                                                        \
        .name = "numerics", .value = "TOPIC:NAME", .repeats = true, .help = "the former name of --reading"   \
    }

/* The readings given, in the order of the words. Free with readings_free. */
typedef struct cli_readings {
    char **names; /* "topic:name" */
    size_t count;
} cli_readings;

/* Those of --reading, and of --numerics and --assume, its former names. Reports an unknown one. */
int readings_read(const cli_call *call, cli_readings *readings);
void readings_free(cli_readings *readings);

/* The reading that `text` names; "topic=name" is accepted for "topic:name". Reports an unknown one. */
int readings_find(const cli_call *call, const char *option, const char *text, const lw_reading **reading);

#endif
