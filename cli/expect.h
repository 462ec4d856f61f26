/* SPDX-License-Identifier: MIT */
/* --expect FILE: is the array that came out the one in the file? */
#ifndef LW_CLI_EXPECT_H
#define LW_CLI_EXPECT_H

#include "cli/compare.h"
#include "cli/json.h"

#define CLI_OPTIONS_LIMITS                                                                                   \
    { .name = "ulp", .value = "N", .help = "--expect: accept elements up to N neighbours apart" },           \
    {                                                                                                        \
        .name = "rtol", .value = "R", .help = "--expect: accept |got - expected| up to R times |expected|"   \
    }

/* --ulp and --rtol of a call. */
int expect_limits(const cli_call *call, compare_limits *limits);

/* Loads the array that `got` is to be compared with; its type and shape must be the same. The call
 * holds `held` bytes already. Freed by lw_npy_free. */
int expect_load(const cli_call *call, const char *path, uint64_t held, const arg_type *type,
                const lw_npy *got, lw_npy *expected);

/* Compares and says how it went: a few lines, or an object in `json`. CLI_FINE or CLI_NO. */
int expect_report(const char *path, const arg_type *type, const lw_npy *got, const lw_npy *expected,
                  const compare_limits *limits, cli_json *json);

/* Prints "[3,7]" for element number `index`. */
void expect_print_index(const lw_npy *array, uint64_t index);

/* "16x2112" */
void expect_shape_text(const lw_npy *array, char *text, size_t size);

#endif
