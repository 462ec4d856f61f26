/* SPDX-License-Identifier: MIT */
/* --junit FILE: what passed and what failed, in the XML of JUnit's Ant task, which CI services read. */
#ifndef LW_CLI_JUNIT_H
#define LW_CLI_JUNIT_H

#include <stddef.h>

#include "cli/cli.h"

typedef enum junit_outcome { JUNIT_PASSED, JUNIT_FAILED, JUNIT_ERROR } junit_outcome;

typedef struct junit_case {
    const char *name;
    junit_outcome outcome;
    char text[256]; /* why it did not pass */
} junit_case;

/* Does nothing without --junit. Whatever XML cannot hold as it is becomes an entity or \xNN. */
int junit_write(const cli_call *call, const char *suite, const junit_case *cases, size_t count);

#endif
