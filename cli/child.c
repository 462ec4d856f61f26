/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath, readlink */
#include "cli/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BY_SIGNAL = 128 };

static bool has_library(const char *folder, const char *library)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof(path), "%s/%s", folder, library);
    return length > 0 && (size_t)length < sizeof(path) && access(path, R_OK) == 0;
}

/* Next to this program: where it is installed, or where it was built. */
bool child_find_library(const cli_call *call, const char *library, char folder[PATH_MAX])
{
    static const char *const places[] = { LW_STANDINS, "../runtime/standins" };
    char self[PATH_MAX], path[2 * PATH_MAX];
    const char *given = cli_value(call, "standins");
    if (given)
        return realpath(given, folder) && has_library(folder, library);
    const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < CLI_COUNT(places); i++) {
        snprintf(path, sizeof(path), "%s/%s", self, places[i]);
        if (realpath(path, folder) && has_library(folder, library))
            return true;
    }
    return false;
}

void child_put_first(const char *name, const char *item)
{
    const char *old = getenv(name);
    const size_t size = strlen(item) + (old ? strlen(old) : 0) + 2;
    char *value = cli_alloc(size);
    snprintf(value, size, "%s%s%s", item, old && *old ? ":" : "", old ? old : "");
    setenv(name, value, 1);
    free(value);
}

/* In the child process. Errors are reported through the pipe, which a successful exec closes. */
static void start(const cli_call *call, child_prepare *prepare, const void *context, int tell)
{
    char **words = cli_alloc((call->operand_count + 1) * sizeof(*words));
    for (size_t i = 0; i < call->operand_count; i++)
        words[i] = cli_copy(call->operands[i], strlen(call->operands[i]));
    words[call->operand_count] = NULL;
    prepare(context);
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

int child_run(const cli_call *call, child_prepare *prepare, const void *context)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return -1;
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        start(call, prepare, context, ends[1]);
    }
    close(ends[1]);
    const int status = child < 0 ? -1 : wait_for(child, ends[0]);
    close(ends[0]);
    return status;
}
