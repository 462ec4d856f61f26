/* SPDX-License-Identifier: MIT */
/* --junit of a launch: a case for the launch, one for its checks and one for each --expect. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/junit.h"
#include "cli/run_capture.h"

static junit_case expect_case(const run_job *job, const run_expect *e)
{
    const run_arg *arg = &job->args[e->arg];
    junit_case c = { .name = e->path };
    compare_result result;
    compare_arrays(arg->type, &arg->array, &e->array, &job->limits, &result);
    c.outcome = result.outside ? JUNIT_FAILED : JUNIT_PASSED;
    snprintf(c.text, sizeof(c.text), "%" PRIu64 " of %" PRIu64 " elements differ", result.outside,
             result.count);
    return c;
}

int run_write_junit(const run_job *job, const char *fault, bool meets)
{
    if (!cli_has(job->call, "junit"))
        return CLI_FINE;
    junit_case *cases = cli_alloc((job->expect_count + 3) * sizeof(*cases));
    size_t count = 1;
    cases[0] = (junit_case){ .name = job->kernel->name, .outcome = fault ? JUNIT_ERROR : JUNIT_PASSED };
    if (fault) {
        snprintf(cases[0].text, sizeof(cases[0].text), "%s", fault);
    } else if (cli_has(job->call, "check") || cli_has(job->call, "layouts")) {
        cases[1] = (junit_case){ .name = "checks", .text = "errors were found" };
        cases[1].outcome = run_check_failed(job) || !meets ? JUNIT_FAILED : JUNIT_PASSED;
        count++;
    }
    count += run_capture_case(job, !fault, &cases[count]);
    for (size_t i = 0; i < job->expect_count; i++) {
        cases[count] = fault ? (junit_case){ job->expects[i].path, JUNIT_ERROR, "the launch did not end" }
                             : expect_case(job, &job->expects[i]);
        count++;
    }
    const int exit = junit_write(job->call, "lanewise run", cases, count);
    free(cases);
    return exit;
}
