/* SPDX-License-Identifier: MIT */
/* lanewise debug: steps through a kernel, both ways. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/debug/terminal.h"

static int serve(debugger *d, const cli_call *call)
{
    const char *path = cli_value(call, "script");
    if (cli_has(call, "dap"))
        return debug_serve(d);
    FILE *in = path ? fopen(path, "r") : stdin;
    if (!in)
        return cli_fail(call, CLI_USAGE, "--script %s: cannot read it: %s", path, strerror(errno));
    const int exit = debug_terminal(d, in);
    if (path)
        fclose(in);
    return exit;
}

static int run_debug(const cli_call *call)
{
    int (*const steps[])(run_job *) = { run_read_program, run_read_options, run_read_args, run_make_memory };
    run_job job = { .call = call, .options = lw_launch_options_default() };
    debugger d = { .job = &job };
    int exit = CLI_FINE;
    if (cli_has(call, "dap") && (cli_has(call, "script") || call->wants_json))
        return cli_fail(call, CLI_USAGE, "--dap takes its commands from the editor: no --script, no --json");
    for (size_t i = 0; i < CLI_COUNT(steps) && exit == CLI_FINE; i++)
        exit = steps[i](&job);
    if (exit == CLI_FINE)
        exit = debug_open(&d, &job);
    if (exit == CLI_FINE)
        exit = serve(&d, call);
    debug_close(&d);
    run_free(&job);
    return exit;
}

static const cli_option options[] = {
    { .name = "script", .value = "FILE", .help = "commands, one a line, instead of standard input" },
    { .name = "dap", .help = "serve an editor: the Debug Adapter Protocol on standard input and output" },
    { .name = "grid", .value = "X[,Y[,Z]]", .help = "size of the launch in workgroups" },
    { .name = "items", .value = "X[,Y[,Z]]", .help = "or in work-items" },
    { .name = "block", .value = "X[,Y[,Z]]", .help = "size of a workgroup in work-items" },
    { .name = "cluster", .value = "X[,Y[,Z]]", .help = "PTX, gfx1250: workgroups in a cluster" },
    { .name = "smem", .value = "BYTES", .help = "dynamic LDS" },
    { .name = "workgroup", .value = "X[,Y[,Z]]", .repeats = true, .help = "run only this workgroup" },
    { .name = "budget", .value = "N", .help = "instructions that each wave may execute" },
    { .name = "memory-limit", .value = "SIZE", .help = "bytes (or 512M, 8G), as for run" },
    { .name = "schedule", .value = "ORDER", .help = "serial, or random:SEED" },
    { .name = "async", .value = "WHEN", .help = "late, early or random:SEED, as for run" },
    CLI_OPTION_READING,
    CLI_OPTION_NUMERICS,
    { .name = "poison", .value = "N", .help = "what registers and LDS hold before they are written" },
    { .name = "scratch", .value = "BYTES", .help = "scratch per work-item, at least" },
    { .name = "arch", .value = "ARCH", .help = "which code object of a file that contains several" },
};

static const cli_example examples[] = {
    { .command =
          "lanewise debug vector_add_gfx950.co --grid 4 --block 256 'c=out:-=f32[1000]' a=x.npy b=y.npy "
          "n=i32:1000",
      .says = "commands from the terminal: try step, break 0x40, continue, print v2 f32, back" },
    { .command =
          "lanewise debug vector_add_gfx950.co --grid 4 --block 256 'c=out:-=f32[1000]' a=x.npy b=y.npy "
          "n=i32:1000 --script commands",
      .says = "commands from a file, for example: watch c[17], continue, back 2, print v2 f32" },
};

const cli_verb cli_verb_debug = {
    .name = "debug",
    .usage = "FILE[:KERNEL] --grid X,Y,Z|--items X,Y,Z --block X,Y,Z [options] ARG...",
    .summary = "step through a kernel, forwards and back",
    .text =
        "Runs a kernel as 'lanewise run' does, with the same ARGs, under the control of commands: from the\n"
        "terminal, from a script or a pipe, or from an editor. The commands ('help' explains each):\n"
        "\n"
        "  step, next, continue          forwards: by instruction, by source line, to a breakpoint\n"
        "  back, reverse, goto           the same backwards, or to a position\n"
        "  break, watch, breakpoints, delete\n"
        "                                at an offset, source line, instruction name, matrix instruction,\n"
        "                                barrier; after an access to an array's element or to LDS; of one\n"
        "                                wave or lane\n"
        "  where, waves, wave, list      what each wave does and waits for; chooses one; code\n"
        "  print, matrix, lds, memory    registers as numbers of any type, as the matrix that an\n"
        "                                instruction sees; LDS and arrays\n"
        "  help, quit\n"
        "\n"
        "The launch is serial and repeatable: the number in [ ] counts the instructions that all waves have\n"
        "executed, and names the same state whenever it is reached. Going back runs the launch again from a\n"
        "checkpoint. A kernel that faults stops before the faulting instruction. No array is written.\n"
        "\n"
        "Commands that come from a script or a pipe are repeated in the output. Exit status: 3 if the "
        "session\n"
        "ends at a fault or where no wave can go on, 2 if a command of a script could not be done.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_debug,
};
