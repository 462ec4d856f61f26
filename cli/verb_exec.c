/* SPDX-License-Identifier: MIT */
/* lanewise exec: runs an unmodified HIP program on a stand-in for the runtime. */
#define _XOPEN_SOURCE 700 /* realpath, mkstemp */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lanewise/arch.h>
#include <lanewise/check.h>

#include "cli/arg.h"
#include "cli/exec_report.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/target.h"

enum { BY_SIGNAL = 128, MOST_DEVICES = 64 };

static bool has_standin(const char *folder, const char *library)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof(path), "%s/%s", folder, library);
    return length > 0 && (size_t)length < sizeof(path) && access(path, R_OK) == 0;
}

/* Next to this program: where it is installed, or where it was built. */
static bool find_standins(const cli_call *call, const char *library, char folder[PATH_MAX])
{
    static const char *const places[] = { LW_STANDINS, "../runtime/standins" };
    char self[PATH_MAX], path[2 * PATH_MAX];
    const char *given = cli_value(call, "standins");
    if (given)
        return realpath(given, folder) && has_standin(folder, library);
    const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < CLI_COUNT(places); i++) {
        snprintf(path, sizeof(path), "%s/%s", self, places[i]);
        if (realpath(path, folder) && has_standin(folder, library))
            return true;
    }
    return false;
}

/* `folder` at the front of a list of folders that the environment may already contain. */
static void put_first(const char *name, const char *folder)
{
    const char *old = getenv(name);
    const size_t size = strlen(folder) + (old ? strlen(old) : 0) + 2;
    char *value = cli_alloc(size);
    snprintf(value, size, "%s%s%s", folder, old && *old ? ":" : "", old ? old : "");
    setenv(name, value, 1);
    free(value);
}

static void set_environment(const cli_call *call, const char *arch, const char *folder, const char *report)
{
    char library[PATH_MAX + 32];
    put_first("LD_LIBRARY_PATH", folder);
    setenv("IREE_HIP_DYLIB_PATH", folder, 1);
    snprintf(library, sizeof(library), "%s/libamdhip64.so", folder);
    setenv("TRITON_LIBHIP_PATH", library, 1);
    setenv("TRITON_LIBCUDA_PATH", folder, 1);
    setenv("LANEWISE_ARCH", arch, 1);
    setenv("LANEWISE_DEVICES", cli_has(call, "devices") ? cli_value(call, "devices") : "1", 1);
    setenv("LANEWISE_CHECK", cli_has(call, "check") ? cli_value(call, "check") : "", 1);
    setenv("LANEWISE_REPORT", report, 1);
}

/* In the child process. Errors are reported through the pipe, which a successful exec closes. */
static void start(const cli_call *call, const char *arch, const char *folder, const char *report, int tell)
{
    char **words = cli_alloc((call->operand_count + 1) * sizeof(*words));
    for (size_t i = 0; i < call->operand_count; i++)
        words[i] = cli_copy(call->operands[i], strlen(call->operands[i]));
    words[call->operand_count] = NULL;
    set_environment(call, arch, folder, report);
    execvp(words[0], words);
    const int error = errno;
    _exit(write(tell, &error, sizeof(error)) == sizeof(error) ? CLI_USAGE : CLI_FAULT);
}

/* Waits for the program; returns its own exit status, or a signal's number plus 128. -1 if that failed, with
 * errno. */
static int wait_for(pid_t child, int told)
{
    int status = 0, error = 0;
    /* an interrupt from the terminal is for the program; this process waits and reports */
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN), (*quit)(int) = signal(SIGQUIT, SIG_IGN);
    const bool failed = read(told, &error, sizeof(error)) == sizeof(error);
    pid_t ended;
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    signal(SIGINT, interrupt);
    signal(SIGQUIT, quit);
    if (failed || ended != child) {
        errno = failed ? error : errno;
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : BY_SIGNAL + WTERMSIG(status);
}

static int run(const cli_call *call, const char *arch, const char *folder, const char *report)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return -1;
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        start(call, arch, folder, report, ends[1]);
    }
    close(ends[1]);
    const int status = child < 0 ? -1 : wait_for(child, ends[0]);
    close(ends[0]);
    return status;
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

/* The program's status is kept, unless it is 0 although kernels did not end or checks found errors. */
static int judge(const exec_report *report, int status)
{
    if (status != 0)
        return status;
    return report->failed ? CLI_FAULT : report->errors ? CLI_NO : CLI_FINE;
}

static int tell(const cli_call *call, const char *arch, FILE *file, int status)
{
    exec_report report = { 0 };
    exec_report_read(file, &report);
    const int wrote = exec_report_junit(&report, call, status), judged = judge(&report, status);
    const int exit = judged == CLI_FINE ? wrote : judged;
    if (cli_has(call, "json")) {
        cli_json json = { .out = stdout };
        json_open(&json, NULL, '{');
        json_string(&json, "arch", arch);
        json_int(&json, "program_status", status);
        json_int(&json, "status", exit);
        exec_report_json(&report, &json);
        json_close(&json, '}');
    } else {
        exec_report_print(&report, arch, stderr);
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
    if (!find_standins(call, library, folder))
        return cli_fail(call, CLI_USAGE, "there is no %s %s; --standins names the folder that has it",
                        library,
                        cli_has(call, "standins") ? cli_value(call, "standins") : "beside this program");
    char path[] = "/tmp/lanewise-exec-XXXXXX";
    const int report = mkstemp(path);
    FILE *file = report < 0 ? NULL : fdopen(report, "r");
    if (!file)
        return cli_fail(call, CLI_FAULT, "cannot make a file for the report: %s", strerror(errno));
    const int status = run(call, name, folder, path);
    unlink(path);
    const int answer =
        status < 0 ? cli_fail(call, CLI_USAGE, "cannot start %s: %s", call->operands[0], strerror(errno))
                   : tell(call, name, file, status);
    fclose(file);
    return answer;
}

static const cli_option options[] = {
    { "arch", "ARCH",
      "the GPU to be: gfx908, gfx90a, gfx942, gfx950, gfx1100, gfx1150, gfx1201, sm_80 to sm_120a, or a "
      "product",
      0, false },
    { "devices", "N", "how many of it (1)", 0, false },
    { "check", "NAMES", "checks of every launch, with commas between: see 'lanewise help run'; all", 0,
      false },
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
