/* SPDX-License-Identifier: MIT */
/* The files of one run: no input file is replaced, no output file is written twice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/path.h"
#include "cli/run.h"

/* A file that the run reads or writes. */
typedef struct used_file {
    const char *path;
    const char *who; /* the argument's word, or the option */
    size_t arg;      /* number of the argument; NO_ARG: an option or the program */
} used_file;

static const size_t NO_ARG = (size_t)-1;

typedef struct used_files {
    used_file *read, *written;
    size_t reads, writes;
} used_files;

static void collect(const run_job *job, used_files *f)
{
    const size_t room = job->arg_count + job->expect_count + 5;
    const char *trace = cli_value(job->call, "trace");
    f->read = cli_alloc(room * sizeof(*f->read));
    f->written = cli_alloc(room * sizeof(*f->written));
    f->read[f->reads++] = (used_file){ job->path, "the run", NO_ARG };
    if (job->capture_path && job->call->operand_count)
        f->read[f->reads++] = (used_file){ job->capture_path, "--capture", NO_ARG };
    if (job->block_path)
        f->read[f->reads++] = (used_file){ job->block_path, "kernarg:", NO_ARG };
    for (size_t i = 0; i < job->arg_count; i++) {
        const run_arg *a = &job->args[i];
        if (a->read_path)
            f->read[f->reads++] = (used_file){ a->read_path, a->word, i };
        if (a->out_path && !job->part_path)
            f->written[f->writes++] = (used_file){ a->out_path, a->word, i };
    }
    for (size_t i = 0; i < job->expect_count; i++)
        f->read[f->reads++] = (used_file){ job->expects[i].path, "--expect", NO_ARG };
    if (trace && strcmp(trace, "-") != 0)
        f->written[f->writes++] = (used_file){ trace, "--trace", NO_ARG };
    if (job->part_path)
        f->written[f->writes++] = (used_file){ job->part_path, "--part-file", NO_ARG };
    if (cli_value(job->call, "sarif"))
        f->written[f->writes++] = (used_file){ cli_value(job->call, "sarif"), "--sarif", NO_ARG };
    if (cli_value(job->call, "junit"))
        f->written[f->writes++] = (used_file){ cli_value(job->call, "junit"), "--junit", NO_ARG };
}

static int check_written(const run_job *job, const used_files *f, size_t index)
{
    const used_file *w = &f->written[index];
    for (size_t i = 0; i < index; i++)
        if (path_same(f->written[i].path, w->path))
            return cli_fail(job->call, CLI_USAGE, "'%s' and '%s' would write the same file",
                            f->written[i].who, w->who);
    for (size_t i = 0; i < f->reads; i++) {
        const used_file *r = &f->read[i];
        const bool own = r->arg == w->arg && r->arg != NO_ARG && job->args[r->arg].form == ARG_INOUT;
        char who[512];
        snprintf(who, sizeof(who), r->arg == NO_ARG ? "%s" : "argument '%s'", r->who);
        const int exit = own ? CLI_FINE : output_check_read(job->call, w->path, r->path, who);
        if (exit != CLI_FINE)
            return exit;
    }
    return CLI_FINE;
}

int run_check_files(run_job *job)
{
    used_files f = { 0 };
    int exit = CLI_FINE;
    collect(job, &f);
    for (size_t i = 0; i < f.writes && exit == CLI_FINE; i++)
        exit = check_written(job, &f, i);
    free(f.read);
    free(f.written);
    return exit;
}
