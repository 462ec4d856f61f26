/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

static int run_validate(const cli_call *call)
{
    return cli_fail(
        call, CLI_FAULT,
        "not in this version: comparing with recorded vectors or with a GPU comes later; to compare a "
        "kernel's output with an array you have, use 'lanewise run ... --expect y.npy'");
}

static const cli_example examples[] = {
    { .command = "lanewise validate", .says = "says that it is not there yet (exit status 3)" },
};

const cli_verb cli_verb_validate = {
    .name = "validate",
    .usage = "...",
    .summary = "compare with recorded vectors or with a GPU (not in this version)",
    .text =
        "This version has no validate. 'lanewise run ... --expect y.npy' compares a kernel's output with an\n"
        "array, bit for bit.\n",
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_validate,
};
