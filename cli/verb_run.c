/* SPDX-License-Identifier: MIT */
/* lanewise run: runs a compiled kernel, wave by wave, and leaves the bits it computes in memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/run.h"
#include "cli/run_capture.h"
#include "cli/run_layouts.h"
#include "cli/target.h"

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

/* Shown on a terminal only, a few times a second, once a run takes longer than a second. */
static lw_status show_progress(void *context, const lw_progress *p)
{
    run_job *job = context;
    const double now = seconds_since(&job->started);
    if (now < 1 || now - job->progress_shown < 0.2)
        return LW_OK;
    fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " workgroups, %.3g instructions, %.0f s \b", p->groups_done,
            p->groups, (double)p->instructions, now);
    job->progress_shown = now;
    return LW_OK;
}

static void clear_progress(const run_job *job)
{
    if (job->progress_shown > 0)
        fprintf(stderr, "\r%70s\r", "");
}

static int launch(run_job *job)
{
    lw_error error = { "" };
    clock_gettime(CLOCK_MONOTONIC, &job->started);
    if (isatty(STDERR_FILENO)) {
        job->options.progress = show_progress;
        job->options.progress_context = job;
    }
    const lw_status status = lw_launch(&job->options, &job->result, &error);
    clear_progress(job);
    return run_report(job, status, &error);
}

void run_free(run_job *job)
{
    lw_launch_result_free(job->result);
    lw_trace_free(job->trace);
    lw_uninit_free(job->uninit);
    lw_banks_free(job->banks);
    lw_coalescing_free(job->coalescing);
    lw_coverage_free(job->coverage);
    lw_origin_free(job->origin);
    free(job->followed);
    for (size_t i = 0; i < RUN_CHECKS; i++)
        lw_check_free(job->checks[i]);
    if (job->trace_file && job->trace_file != stdout)
        fclose(job->trace_file);
    for (size_t i = 0; job->args && i < job->arg_count; i++)
        arg_free(&job->args[i]);
    for (size_t i = 0; i < job->expect_count; i++)
        if (!job->expects[i].borrowed)
            lw_npy_free(&job->expects[i].array);
    readings_free(&job->readings);
    run_part_free(job);
    run_capture_free(job);
    lw_memory_free(job->memory);
    lw_program_free(job->program);
    free(job->path);
    free(job->block);
    free(job->block_infos);
    free(job->args);
    free(job->addresses);
    free(job->values);
    free(job->infos);
    free(job->expects);
    free(job->only);
    free(job->inputs);
}

static int run_launch(const cli_call *call)
{
    int (*const captured[])(run_job * job) = {
        run_capture_read,  run_read_options,   run_check_files, run_hash_inputs,
        run_capture_place, run_open_observers, launch,
    };
    int (*const steps[])(run_job * job) = {
        run_read_program, run_read_options,   run_part_read,      run_read_args,
        run_read_expects, run_check_files,    run_hash_inputs,    run_make_memory,
        run_part_prepare, run_open_observers, run_follow_layouts, launch,
    };
    run_job job = { .call = call, .options = lw_launch_options_default() };
    const bool again = cli_has(call, "capture");
    int exit = CLI_FINE;
    for (size_t i = 0; i < (again ? CLI_COUNT(captured) : CLI_COUNT(steps)) && exit == CLI_FINE; i++)
        exit = again ? captured[i](&job) : steps[i](&job);
    run_free(&job);
    return exit;
}

static int run_run(const cli_call *call)
{
    return cli_has(call, "launches") ? run_lines(call, run_launch) : run_launch(call);
}

static const cli_option options[] = {
    { .name = "grid", .value = "X[,Y[,Z]]", .help = "size of the launch in workgroups" },
    { .name = "items",
      .value = "X[,Y[,Z]]",
      .help = "or in work-items; the last workgroup of a dimension may then be partial" },
    { .name = "block", .value = "X[,Y[,Z]]", .help = "size of a workgroup in work-items" },
    { .name = "cluster",
      .value = "X[,Y[,Z]]",
      .help = "PTX, gfx1250: workgroups in a cluster; default: what the kernel states, or one" },
    { .name = "smem", .value = "BYTES", .help = "dynamic LDS" },
    { .name = "expect",
      .value = "[NAME=]Y.npy",
      .repeats = true,
      .help = "compare a result with this array; exit status 1 if it differs;\nnames the simple mistake that "
              "explains every difference, if there is one" },
    CLI_OPTIONS_LIMITS,
    { .name = "check",
      .value = "WHAT",
      .repeats = true,
      .help = "hazards: wait states that software must keep (AMD); waits: results used before a wait covers "
              "the\nload; races: unordered accesses by two waves or threads; bounds: accesses "
              "that\nare dropped, and what each array is used for; numerics: where NaN and infinity arise; "
              "uninit: branches, addresses "
              "and\nstores that depend on what was never written (=strict: every read of it); banks: LDS "
              "bank conflicts,\ntheir cure, and blocks of global memory; all; errors make the exit status 1; "
              "NAME=strict lists "
              "more" },
    { .name = "coverage", .help = "which instructions, branches and source lines no wave reached" },
    { .name = "sarif", .value = "FILE", .help = "what the checks found, as SARIF 2.1.0" },
    { .name = "junit",
      .value = "FILE",
      .help = "the launch, its checks and each --expect as test cases, in JUnit's XML" },
    { .name = "layouts",
      .help = "which elements of which arrays are in the operands of each matrix instruction, and\nwhether A "
              "and B match in k: exit status 1 if not; runs the kernel about 30 times" },
    { .name = "layouts-keep",
      .value = "NAME",
      .repeats = true,
      .help = "--layouts: an argument (or its number) that keeps its values: indices, sizes" },
    { .name = "trace",
      .value = "FILE",
      .help = "what each instruction read and wrote, matrices as matrices; -: standard output" },
    { .name = "trace-wave", .value = "W", .help = "trace only wave W of each workgroup" },
    { .name = "trace-limit", .value = "N", .help = "trace only the first N instructions" },
    { .name = "trace-plain", .help = "leave matrix operands out of the trace" },
    { .name = "workgroup",
      .value = "X[,Y[,Z]]",
      .repeats = true,
      .help = "run only this workgroup, counted from 0" },
    { .name = "part",
      .value = "I/N",
      .help = "run part I of N (from 1 on): consecutive workgroups; 'lanewise merge' joins the parts" },
    { .name = "part-file",
      .value = "FILE",
      .help = "with --part: what the part read and wrote, instead of its arrays" },
    { .name = "budget",
      .value = "N",
      .help = "instructions that each wave may execute (3000000000, about a minute's; 0: no limit)" },
    { .name = "memory-limit",
      .value = "SIZE",
      .help = "bytes (or 512M, 8G) for arrays, the program, and registers, LDS and scratch of workgroups\n(a "
              "quarter of "
              "the host's)" },
    { .name = "time-limit", .value = "SECONDS", .help = "stop after so many seconds; default: no limit" },
    { .name = "threads",
      .value = "N",
      .help = "host threads (all processors); changes speed, never a bit: where\nworkgroups on different "
              "threads touch the same bytes, the launch runs again, serially" },
    { .name = "schedule", .value = "ORDER", .help = "serial, or random:SEED: permutes workgroups and waves" },
    { .name = "async",
      .value = "WHEN",
      .help = "when loads to LDS arrive: late (at a wait that covers them, once all other waves wait, have\n"
              "ended or spin), early (when issued) or random:SEED; a correct kernel gives the same bits" },
    CLI_OPTION_READING,
    CLI_OPTION_NUMERICS,
    { .name = "assume",
      .value = "NAME",
      .repeats = true,
      .help = "the former name of --reading, with former names: cbsz-ignored for cbsz:ignored" },
    { .name = "evidence", .help = "list the rule and label of everything that ran" },
    { .name = "poison",
      .value = "N",
      .help = "what registers and LDS hold before they are written (0x7fc0dead)" },
    { .name = "scratch",
      .value = "BYTES",
      .help = "scratch per work-item, where the kernel needs more than its metadata says" },
    { .name = "launches",
      .value = "FILE",
      .help = "runs several launches, one per line of FILE, in order. A line has the same words as a command "
              "line\n(quotes keep blanks, # begins a comment); options of the command line apply to every "
              "launch;\nthe exit status is the worst one" },
    { .name = "capture",
      .value = "FILE",
      .help =
          "run again a launch that 'lanewise capture' recorded, with its memory and arguments, and compare\n"
          "what memory holds afterwards; a kernel FILE given as well replaces the recorded code" },
    { .name = "arch", .value = "ARCH", .help = "which code object of a file that contains several" },
};

static const cli_example examples[] = {
    { .command =
          "lanewise run vector_add_gfx950.co --grid 4 --block 256 out:c.npy=like:x.npy x.npy y.npy i32:1000",
      .says = "c = x + y: an output like x.npy, two inputs, a number" },
    { .command = "lanewise run vector_add_gfx950.co:vector_add --items 1024 --block 256 "
                 "'out:c.npy=f32[1000]' b=y.npy a=x.npy n=i32:1000",
      .says = "the kernel and its arguments by name, the size in work-items" },
    { .command =
          "lanewise run vector_add_gfx950.co --grid 4 --block 256 'out:-=f32[1000]' x.npy y.npy i32:1000 "
          "--expect c.npy",
      .says = "compare bit for bit instead of writing a file" },
    { .command =
          "lanewise run vector_add_gfx942.co --grid 4 --block 256 'out:-=f32[1000]' x.npy y.npy i32:1000 "
          "--workgroup 3 --trace trace.txt --trace-limit 100",
      .says = "look at the first instructions of one workgroup" },
    { .command =
          "lanewise run vector_add_gfx950.co --grid 4 --block 256 'zero:-=f32[1000]' x.npy y.npy i32:1000 "
          "--check uninit,banks --evidence",
      .says = "is anything read that was never written? how well is each rule supported?" },
    { .command = "lanewise run --capture 000001-vector_add.lwcap --check races",
      .says = "a launch that was recorded on a GPU: the same bytes here? any races?" },
    { .command =
          "lanewise run vector_add_gfx950.co --grid 4 --block 256 out:c.npy=like:x.npy x.npy y.npy i32:1000 "
          "--part 1/2 --part-file 1.lwpart",
      .says = "half of the workgroups" },
    { .command =
          "lanewise run vector_add_gfx950.co --grid 4 --block 256 out:c.npy=like:x.npy x.npy y.npy i32:1000 "
          "--part 2/2 --part-file 2.lwpart",
      .says = "the other half, on another machine; 'lanewise merge' then writes c.npy" },
};

const cli_verb cli_verb_run = {
    .name = "run",
    .usage = "FILE[:KERNEL] --grid X,Y,Z|--items X,Y,Z --block X,Y,Z [options] ARG...",
    .summary = "run a compiled kernel and get the bits that it leaves in memory",
    .text =
        "Runs a kernel of a code object, an offload bundle, a host program with kernels, or a PTX file. Each "
        "ARG is one of\n"
        "the kernel's arguments, in its order or as NAME=ARG ('lanewise list FILE' shows them):\n"
        "\n"
        "  x.npy, in:x.npy         an array the kernel only reads\n"
        "  inout:x.npy=y.npy       an array from x.npy; its contents after the run go to y.npy\n"
        "  out:y.npy=f32[16,2112]  an array of that type and shape, every byte 0xa5 at first\n"
        "  out:y.npy=like:x.npy    the same with type and shape of x.npy\n"
        "  zero:y.npy=u16[64]      like out:, but zero at first\n"
        "  i32:5 u64:7 f32:1.5     a value of that type (i8 to i64, u8 to u64, f32, f64, bool)\n"
        "  5                       a number, where the file gives the argument's type\n"
        "  bytes:0a000000          the bytes of a value, lowest address first\n"
        "  null                    a null pointer\n"
        "  tma:ARRAY,box=64x32     PTX: a tensor map (CUtensorMap) over an array: x.npy, in:, inout:, out: "
        "or "
        "zero:\n"
        "                          as above, or the array of another argument (@NAME, @2). The box gives "
        "the\n"
        "                          innermost dimension first, which is an array's last. Optional:\n"
        "                          ,swizzle=none|32B|64B|96B|128B|128B_ATOM_32B|128B_ATOM_32B_FLIP_8B|\n"
        "                          128B_ATOM_64B and ,steps=1x2 (every second row).\n"
        "  tma:ARRAY,im2col=64x128 a map for .im2col copies, of 64 channels of 128 pixels each; the array "
        "is\n"
        "                          images, space, channels. ,lower=-1x-1 and ,upper=-1x-1: the corners of "
        "the\n"
        "                          pixels' box, innermost first (0); ,steps=1x2x2x1: its steps; ,wide=w "
        "or\n"
        "                          ,wide=w128: for .im2col::w or .im2col::w::128\n"
        "  hidden_KIND=ARG         a hidden argument, to replace the value that the launch would pass\n"
        "  kernarg:FILE            the bytes of the whole argument block; NAME=ARG and +OFFSET=ARG then\n"
        "                          put values and the addresses of arrays into it\n"
        "\n"
        "Types are bool i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64; bf16 is stored as uint16 codes; fp8, bf8\n"
        "and e8m0 as uint8; packed formats are u8 or u32 arrays as the kernel expects them. '-' as the "
        "file\nkeeps an array in memory. Nothing is converted. Arrays are written after the whole run "
        "has\nsucceeded, all of them or none; a trace is written while the kernel runs. A file that exists "
        "keeps its "
        "mode,\n"
        "links to it are followed, and links that lead nowhere are refused. A file that the run has read is\n"
        "replaced only by the inout: argument that read it.\n"
        "Elements of out: and zero: arrays that no instruction stored to are counted.\n"
        "--json adds the version of Lanewise, and the SHA-256 of every file that the run has read.\n"
        "For a file compiled with -g or -gline-tables-only, faults and traces name the source line.\n"
        "\n"
        "A file has argument names if it was compiled with -fhip-kernel-arg-name. Files of HIP have no "
        "types, so\nnumbers are written i32:5 rather than 5.\n"
        "\n"
        "For --check uninit=strict, the part of its result register that an instruction keeps counts as "
        "read. It "
        "also\nreports what compilers do on purpose: v_mad_u64_u32 with half of an addend unset where half "
        "of the sum is\nnot used, and one half of a register written where the other one is never used. LDS "
        "accesses past the end\nof the workgroup's allocation are reported in every run.\n",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_run,
};
