/* SPDX-License-Identifier: MIT */
/* lanewise capture: a program runs on its GPU, and each launch is saved. */
#define _XOPEN_SOURCE 700 /* realpath, mkstemp, setenv */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/arg.h"
#include "cli/child.h"
#include "cli/json.h"
#include "cli/parse.h"

static const char library[] = "liblanewise-capture.so";

typedef struct setting {
    const cli_call *call;
    const char *folder, *preload, *report;
    uint64_t limit;
} setting;

static void set_number(const char *name, const char *value)
{
    setenv(name, value ? value : "", 1);
}

static void set_environment(const void *context)
{
    const setting *s = context;
    char limit[32];
    snprintf(limit, sizeof(limit), "%" PRIu64, s->limit);
    child_put_first("LD_PRELOAD", s->preload);
    setenv("LANEWISE_CAPTURE", s->folder, 1);
    setenv("LANEWISE_CAPTURE_REPORT", s->report, 1);
    setenv("LANEWISE_CAPTURE_KERNEL", cli_has(s->call, "kernel") ? cli_value(s->call, "kernel") : "", 1);
    setenv("LANEWISE_CAPTURE_LIMIT", limit, 1);
    set_number("LANEWISE_CAPTURE_SKIP", cli_value(s->call, "skip"));
    set_number("LANEWISE_CAPTURE_MOST", cli_value(s->call, "most"));
}

/* ---- What became of the launches ---- */

/* A reason for which launches were not saved, or "" for those that were. */
typedef struct outcome {
    char *what;
    uint64_t times;
} outcome;

typedef struct tally {
    outcome *reasons;
    size_t count;
    char **files;
    size_t saved, room;
} tally;

static void count_reason(tally *t, const char *what, size_t length)
{
    for (size_t i = 0; i < t->count; i++)
        if (strlen(t->reasons[i].what) == length && strncmp(t->reasons[i].what, what, length) == 0) {
            t->reasons[i].times++;
            return;
        }
    outcome *more = cli_alloc((t->count + 1) * sizeof(*more));
    if (t->count)
        memcpy(more, t->reasons, t->count * sizeof(*more));
    free(t->reasons);
    t->reasons = more;
    t->reasons[t->count++] = (outcome){ cli_copy(what, length), 1 };
}

static void keep_file(tally *t, const char *path, size_t length)
{
    if (t->saved == t->room) {
        t->room = t->room ? 2 * t->room : 64;
        char **more = cli_alloc(t->room * sizeof(*more));
        if (t->saved)
            memcpy((void *)more, (const void *)t->files, t->saved * sizeof(*more));
        free((void *)t->files);
        t->files = more;
    }
    t->files[t->saved++] = cli_copy(path, length);
}

/* Lines of runtime/capture/store.c: what, detail and kernel between tabs. */
static void read_report(FILE *file, tally *t)
{
    char line[4096];
    while (fgets(line, sizeof(line), file)) {
        const char *detail = strchr(line, '\t');
        if (!detail)
            continue;
        detail++;
        const size_t length = strcspn(detail, "\t\n");
        if (strncmp(line, "saved\t", 6) == 0)
            keep_file(t, detail, length);
        else if (strncmp(line, "lost\t", 5) == 0)
            count_reason(t, detail, length);
    }
}

static void free_tally(tally *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->reasons[i].what);
    for (size_t i = 0; i < t->saved; i++)
        free(t->files[i]);
    free(t->reasons);
    free((void *)t->files);
}

static void print_tally(const tally *t, const char *folder)
{
    fprintf(stderr, "lanewise: %zu launch%s saved in %s\n", t->saved, t->saved == 1 ? "" : "es", folder);
    for (size_t i = 0; i < t->count; i++)
        fprintf(stderr, "lanewise: %" PRIu64 " launch%s not saved: %s\n", t->reasons[i].times,
                t->reasons[i].times == 1 ? "" : "es", t->reasons[i].what);
    if (t->saved)
        fprintf(stderr, "lanewise: for example: lanewise run --capture %s\n", t->files[0]);
    else if (!t->count)
        fputs("lanewise: no launch was seen: does the program use HIP or the CUDA driver as a shared "
              "library?\n",
              stderr);
}

static void write_tally(const tally *t, int program, int exit)
{
    cli_json json = { .out = stdout };
    json_open(&json, NULL, '{');
    json_int(&json, "program_status", program);
    json_int(&json, "status", exit);
    json_open(&json, "saved", '[');
    for (size_t i = 0; i < t->saved; i++)
        json_string(&json, NULL, t->files[i]);
    json_close(&json, ']');
    json_open(&json, "not_saved", '[');
    for (size_t i = 0; i < t->count; i++) {
        json_open(&json, NULL, '{');
        json_string(&json, "reason", t->reasons[i].what);
        json_uint(&json, "launches", t->reasons[i].times);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
}

static int tell(const cli_call *call, FILE *file, const char *folder, int status)
{
    tally t = { 0 };
    read_report(file, &t);
    const int exit = status != 0 ? status : t.saved ? CLI_FINE : CLI_NO;
    if (cli_has(call, "json"))
        write_tally(&t, status, exit);
    else
        print_tally(&t, folder);
    free_tally(&t);
    return exit;
}

/* ---- Words ---- */

static int check_number(const cli_call *call, const char *option, uint64_t least)
{
    uint64_t value;
    const char *text = cli_value(call, option);
    if (text && (!parse_u64(text, &value) || value < least))
        return cli_fail(call, CLI_USAGE, "--%s %s: needs a whole number from %" PRIu64 " up", option, text,
                        least);
    return CLI_FINE;
}

static int read_limit(const cli_call *call, uint64_t *limit)
{
    const char *text = cli_value(call, "limit");
    *limit = UINT64_C(1) << 30;
    if (text && !parse_size(text, limit))
        return cli_fail(call, CLI_USAGE, "--limit %s: needs a number of bytes, such as 1000000, 512M or 8G",
                        text);
    return CLI_FINE;
}

/* A new folder, or one that is there. */
static int make_folder(const cli_call *call, char folder[PATH_MAX])
{
    const char *path = cli_has(call, "output") ? cli_value(call, "output") : "capture";
    struct stat info;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return cli_fail(call, CLI_USAGE, "--output %s: %s", path, strerror(errno));
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode) || access(path, W_OK) != 0 ||
        !realpath(path, folder))
        return cli_fail(call, CLI_USAGE, "--output %s: it is no folder that can be written to", path);
    return CLI_FINE;
}

static int run_in(const cli_call *call, const char *folder, const char *preload, uint64_t limit)
{
    char path[] = "/tmp/lanewise-capture-XXXXXX";
    const int report = mkstemp(path);
    FILE *file = report < 0 ? NULL : fdopen(report, "r");
    if (!file)
        return cli_fail(call, CLI_FAULT, "cannot make a file for the report: %s", strerror(errno));
    const setting chosen = { call, folder, preload, path, limit };
    const int status = child_run(call, set_environment, &chosen);
    unlink(path);
    const int answer =
        status < 0 ? cli_fail(call, CLI_USAGE, "cannot start %s: %s", call->operands[0], strerror(errno))
                   : tell(call, file, folder, status);
    fclose(file);
    return answer;
}

static int run_capture(const cli_call *call)
{
    char libraries[PATH_MAX], folder[PATH_MAX], preload[PATH_MAX + 64];
    uint64_t limit = 0;
    if (call->operand_count == 0)
        return cli_fail(call, CLI_USAGE, "needs a program to run: lanewise capture -- PROGRAM ...");
    int exit = check_number(call, "skip", 0);
    if (exit == CLI_FINE)
        exit = check_number(call, "most", 1);
    if (exit == CLI_FINE)
        exit = read_limit(call, &limit);
    if (exit != CLI_FINE)
        return exit;
    if (!child_find_library(call, library, libraries))
        return cli_fail(call, CLI_USAGE, "there is no %s %s; --standins names the folder that has it",
                        library,
                        cli_has(call, "standins") ? cli_value(call, "standins") : "beside this program");
    if (strpbrk(libraries, ": "))
        return cli_fail(call, CLI_USAGE,
                        "%s: the loader cannot preload from a folder with a blank or a colon in its name",
                        libraries);
    snprintf(preload, sizeof(preload), "%s/%s", libraries, library);
    exit = make_folder(call, folder);
    return exit == CLI_FINE ? run_in(call, folder, preload, limit) : exit;
}

static const cli_option options[] = {
    { "output", "DIR", "the folder for the files; it is made if need be (capture)", 0, false },
    { "kernel", "TEXT", "only kernels whose name contains this", 0, false },
    { "skip", "N", "leave out the first N launches (of those kernels)", 0, false },
    { "most", "N", "save at most N launches", 0, false },
    { "limit", "SIZE", "leave out launches that can reach more memory than this (1G)", 0, false },
    { "standins", "DIR", "the folder of liblanewise-capture.so; default: the one that came with this program",
      0, false },
    { "json", NULL, "after what the program prints, one JSON object on standard output", 0, false },
};

static const cli_example examples[] = {
    { "lanewise capture --kernel attention --most 3 -- ./train --steps 1",
      "three launches of one kernel, on the machine with the GPU" },
    { "lanewise run --capture capture/000001-attention.lwcap --check all",
      "one of them again, anywhere, checked and compared" },
};

const cli_verb cli_verb_capture = {
    .name = "capture",
    .usage = "[options] -- PROGRAM [ARGUMENT...]",
    .summary = "save each kernel launch of a HIP or CUDA program, to be run again anywhere",
    .text =
        "Runs a program on the GPU of this machine with a library in front of HIP and the CUDA driver\n"
        "(LD_PRELOAD). For each launch it writes a file: the code, the size of the launch, the arguments, "
        "and\n"
        "the memory that the launch can reach, before it and after it. 'lanewise run --capture FILE' runs "
        "it\n"
        "again on any machine and compares every byte; all its checks, traces and limits apply.\n"
        "\n"
        "What a launch can reach: the variables of its program; each allocation that an aligned 8-byte word "
        "of\n"
        "the arguments points into; and those that such a word of a variable, or of an allocation up to 1 "
        "MiB,\n"
        "points into. Each launch waits for the GPU before and after, and the memory is copied to the host\n"
        "twice, so programs become slower, and kernels that wait for another launch never end.\n"
        "\n"
        "The file is there before the kernel starts: after a crash it holds the memory before the launch.\n"
        "Files contain the program's data; look at what you send away ('lanewise list FILE').\n"
        "\n"
        "Not saved, and counted with the reason: launches of graphs, launches that the runtime refuses, AMD\n"
        "kernels for processors that Lanewise does not know. Machine code of NVIDIA (cubins) is not kept: "
        "such\n"
        "a launch is saved without code if the driver tells the sizes of its arguments (CUDA 12.4), and is "
        "run\n"
        "again with a PTX file: lanewise run --capture FILE kernel.ptx. PTX that the program gives the "
        "driver\n"
        "is kept. Programs linked statically to CUDA's runtime are followed where that calls the driver's\n"
        "public functions.\n"
        "\n"
        "This has been tested on the stand-ins of 'lanewise exec', not on a GPU.\n"
        "\n"
        "The exit status is the program's. If that is 0, it becomes 1 if no launch was saved. A program "
        "ended\n"
        "by signal N gives 128 + N.",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_capture,
};
