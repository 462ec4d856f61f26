/* SPDX-License-Identifier: MIT */
/* lanewise exec: runs an unmodified HIP program on a stand-in for the runtime. */
#define _XOPEN_SOURCE 700 /* mkstemp, setenv */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lanewise/arch.h>
#include <lanewise/check.h>

#include "cli/arg.h"
#include "cli/child.h"
#include "cli/exec_report.h"
#include "cli/inputs.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/readings.h"
#include "cli/target.h"

enum { MOST_DEVICES = 64 };

/* What the program finds in its environment. */
typedef struct setting {
    const cli_call *call;
    const char *arch, *folder, *report;
    char *readings; /* with commas between */
} setting;

/* What it reads, as far as the command line says. */
typedef struct inputs {
    char *program;
    input_file *files;
    size_t count;
} inputs;

static void set_environment(const void *context)
{
    const setting *s = context;
    const cli_call *call = s->call;
    char library[PATH_MAX + 32];
    child_put_first("LD_LIBRARY_PATH", s->folder);
    setenv("IREE_HIP_DYLIB_PATH", s->folder, 1);
    snprintf(library, sizeof(library), "%s/libamdhip64.so", s->folder);
    setenv("TRITON_LIBHIP_PATH", library, 1);
    setenv("TRITON_LIBCUDA_PATH", s->folder, 1);
    setenv("LANEWISE_ARCH", s->arch, 1);
    setenv("LANEWISE_DEVICES", cli_has(call, "devices") ? cli_value(call, "devices") : "1", 1);
    setenv("LANEWISE_CHECK", cli_has(call, "check") ? cli_value(call, "check") : "", 1);
    setenv("LANEWISE_READING", s->readings, 1);
    setenv("LANEWISE_REPORT", s->report, 1);
}

/* A stand-in for HIP has AMD's devices; names of checks are looked up before anything starts. */
static int check_words(const cli_call *call, lw_arch arch)
{
    const lw_arch_info *info = lw_arch_get(arch);
    const char *names = cli_has(call, "check") ? cli_value(call, "check") : "",
               *devices = cli_value(call, "devices");
    uint64_t count;
    if (!info->runs_kernels)
        return cli_fail(call, CLI_USAGE, "this version does not run kernels of %s", info->name);
    if (devices && (!parse_u64(devices, &count) || count > MOST_DEVICES))
        return cli_fail(call, CLI_USAGE, "--devices %s: needs a number from 0 to 64", devices);
    for (size_t length; *names; names += length + (names[length] == ',')) {
        length = strcspn(names, ",");
        bool known = length == 3 && strncmp(names, "all", 3) == 0;
        for (size_t i = 0; !known && lw_check_name_at(i); i++)
            known = strlen(lw_check_name_at(i)) == length && strncmp(lw_check_name_at(i), names, length) == 0;
        if (!known)
            return cli_fail(call, CLI_USAGE, "--check: there is no check '%.*s'", (int)length, names);
    }
    return CLI_FINE;
}

static int join_readings(const cli_call *call, char **text)
{
    cli_readings readings;
    size_t size = 1;
    const int exit = readings_read(call, &readings);
    if (exit != CLI_FINE)
        return exit;
    for (size_t i = 0; i < readings.count; i++)
        size += strlen(readings.names[i]) + 1;
    char *at = *text = cli_alloc(size);
    *at = '\0';
    for (size_t i = 0; i < readings.count; i++)
        at += sprintf(at, "%s%s", i ? "," : "", readings.names[i]);
    readings_free(&readings);
    return CLI_FINE;
}

/* The program's status is kept, unless it is 0 although kernels did not end or checks found errors. */
static int judge(const exec_report *report, int status)
{
    if (status != 0)
        return status;
    return report->failed ? CLI_FAULT : report->errors ? CLI_NO : CLI_FINE;
}

/* The program's file, as the system will find it; NULL: nowhere. The caller frees it. */
static char *find_program(const char *word)
{
    const char *folders = strchr(word, '/') ? "" : getenv("PATH");
    for (size_t length; folders; folders = folders[length] ? folders + length + 1 : NULL) {
        length = strcspn(folders, ":");
        const size_t size = length + strlen(word) + 2;
        char *path = cli_alloc(size);
        snprintf(path, size, "%.*s%s%s", (int)length, folders, length ? "/" : "", word);
        if (access(path, X_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* --json: the program, and those of its arguments that are files, before it starts. */
static int hash_inputs(const cli_call *call, inputs *in)
{
    int exit = CLI_FINE;
    if (!cli_has(call, "json"))
        return CLI_FINE;
    in->files = cli_alloc(call->operand_count * sizeof(*in->files));
    in->program = find_program(call->operands[0]);
    if (in->program && is_file(in->program) && access(in->program, R_OK) == 0)
        exit = input_hash(call, in->program, &in->files[in->count++]);
    for (size_t i = 1; i < call->operand_count && exit == CLI_FINE; i++)
        if (is_file(call->operands[i]) && access(call->operands[i], R_OK) == 0)
            exit = input_hash(call, call->operands[i], &in->files[in->count++]);
    return exit;
}

static int tell(const cli_call *call, const char *arch, FILE *file, int status, const inputs *in)
{
    exec_report report = { 0 };
    exec_report_read(file, &report);
    const int wrote = exec_report_junit(&report, call, status), judged = judge(&report, status);
    const int exit = judged == CLI_FINE ? wrote : judged;
    if (cli_has(call, "json")) {
        cli_json json = { .out = stdout };
        json_open(&json, NULL, '{');
        input_report(in->files, in->count, &json);
        json_string(&json, "arch", arch);
        json_int(&json, "program_status", status);
        json_int(&json, "status", exit);
        exec_report_json(&report, &json);
        json_close(&json, '}');
    } else {
        exec_report_print(&report, arch, status, stderr);
    }
    exec_report_free(&report);
    return exit;
}

static int run_exec(const cli_call *call)
{
    char folder[PATH_MAX];
    lw_arch arch;
    if (call->operand_count == 0)
        return cli_fail(call, CLI_USAGE,
                        "needs a program to run: lanewise exec --arch gfx942 -- PROGRAM ...");
    int exit = target_arch(call, true, &arch);
    if (exit == CLI_FINE)
        exit = check_words(call, arch);
    if (exit == CLI_FINE && cli_has(call, "junit"))
        exit = output_check(call, cli_value(call, "junit"));
    if (exit != CLI_FINE)
        return exit;
    const char *name = lw_arch_get(arch)->name;
    const char *library = strcmp(lw_arch_get(arch)->vendor, "AMD") == 0 ? "libamdhip64.so" : "libcuda.so.1";
    if (!child_find_library(call, library, folder))
        return cli_fail(call, CLI_USAGE, "there is no %s %s; --standins names the folder that has it",
                        library,
                        cli_has(call, "standins") ? cli_value(call, "standins") : "beside this program");
    char path[] = "/tmp/lanewise-exec-XXXXXX";
    const int report = mkstemp(path);
    FILE *file = report < 0 ? NULL : fdopen(report, "r");
    if (!file)
        return cli_fail(call, CLI_FAULT, "cannot make a file for the report: %s", strerror(errno));
    setting chosen = { call, name, folder, path, NULL };
    inputs in = { 0 };
    int answer = join_readings(call, &chosen.readings);
    if (answer == CLI_FINE)
        answer = hash_inputs(call, &in);
    if (answer == CLI_FINE) {
        const int status = child_run(call, set_environment, &chosen);
        answer = status < 0
                     ? cli_fail(call, CLI_USAGE, "cannot start %s: %s", call->operands[0], strerror(errno))
                     : tell(call, name, file, status, &in);
    }
    unlink(path);
    fclose(file);
    free(in.program);
    free(in.files);
    free(chosen.readings);
    return answer;
}

static const cli_option options[] = {
    { "arch", "ARCH",
      "the GPU to be: gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, sm_70 to sm_120a, or a "
      "product",
      0, false },
    { "devices", "N", "how many of it (1)", 0, false },
    { "check", "NAMES", "checks of every launch, with commas between: see 'lanewise help run'; all", 0,
      false },
    CLI_OPTION_READING,
    { "standins", "DIR", "the folder of the stand-ins; default: the one that came with this program", 0,
      false },
    { "junit", "FILE", "the program and each kernel as test cases, in JUnit's XML", 0, false },
    { "json", NULL, "after what the program prints, one JSON object on standard output", 0, false },
};

static const cli_example examples[] = {
    { "lanewise exec --arch gfx942 -- ./saxpy", "a HIP program on a machine without a GPU" },
    { "lanewise exec --arch gfx950 --check hazards,races -- ./attention --heads 8",
      "the same, every launch checked" },
};

const cli_verb cli_verb_exec = {
    .name = "exec",
    .usage = "--arch ARCH [options] -- PROGRAM [ARGUMENT...]",
    .summary = "a HIP or CUDA program, unmodified, without a GPU",
    .text = "Runs a program on a stand-in for the runtime of its GPU, which executes its kernels here: "
            "libamdhip64.so\n"
            "(HIP; also .so.5, .so.6, .so.7) or libcuda.so.1 (the CUDA driver). The program is not changed "
            "and needs neither\n"
            "ROCm nor a driver: whatever loads one of these through the loader's path gets the stand-in, "
            "including programs\n"
            "of hipcc and iree-run-module. A program that was linked with an RPATH to the vendor's library "
            "finds that one\n"
            "first. For CUDA, kernels must be PTX text: cubins and CUDA's runtime library (cudaMalloc and so "
            "on) are refused.\n"
            "\n"
            "At the end, standard error says which kernels ran, and which functions were called that the "
            "stand-in does not\n"
            "serve: graphs, textures, memory pools, virtual memory, IPC and others return \"not supported\". "
            "A kernel\n"
            "that faults says why on standard error; from then on the program gets the vendor's error for "
            "it. printf,\n"
            "assert and malloc in HIP kernels are not served.\n"
            "\n"
            "The exit status is the program's. If that is 0, it becomes 3 if a launch failed and 1 if a "
            "check found an\n"
            "error. A program ended by signal N gives 128 + N.",
    .options = options,
    .option_count = CLI_COUNT(options),
    .examples = examples,
    .example_count = CLI_COUNT(examples),
    .run = run_exec,
};
