/* SPDX-License-Identifier: MIT */
/* Settings, which `lanewise capture` passes in the environment; the files; the report. */
#define _GNU_SOURCE /* O_CLOEXEC */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/capture/capture.h"

enum { LONGEST_NAME = 80 };

static cap_settings settings;
static int report = -1;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint64_t number(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static void start(void)
{
    const char *folder = getenv("LANEWISE_CAPTURE"), *kernel = getenv("LANEWISE_CAPTURE_KERNEL");
    const char *path = getenv("LANEWISE_CAPTURE_REPORT");
    settings = (cap_settings){ .folder = folder && *folder ? strdup(folder) : NULL,
                               .kernel = strdup(kernel ? kernel : ""),
                               .skip = number("LANEWISE_CAPTURE_SKIP", 0),
                               .most = number("LANEWISE_CAPTURE_MOST", UINT64_MAX),
                               .limit = number("LANEWISE_CAPTURE_LIMIT", UINT64_C(1) << 30) };
    report = path && *path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
}

const cap_settings *cap_settings_get(void)
{
    pthread_once(&once, start);
    return &settings;
}

/* One line, written at once, so that lines of several processes do not mix. */
void cap_report(const char *what, const char *detail, const char *kernel)
{
    char line[4096];
    const int length = snprintf(line, sizeof(line), "%s\t%.2000s\t%.1800s\n", what, detail, kernel);
    (void)cap_settings_get();
    if (report >= 0 && length > 0 && write(report, line, (size_t)length) != length)
        report = -1;
}

/* The kernel's name as part of a file's: without what a shell or a file system would not take. */
static void plain_name(const char *kernel, char name[LONGEST_NAME])
{
    size_t i = 0;
    for (; kernel[i] && i + 1 < LONGEST_NAME; i++) {
        const char c = kernel[i];
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        name[i] = plain ? c : '-';
    }
    name[i] = '\0';
}

static lw_status to_file(void *context, const char *text, size_t size)
{
    return fwrite(text, 1, size, context) == size ? LW_OK : LW_E_IO;
}

/* A complete file under a name that nobody looks at. */
static bool write_aside(const lw_capture *capture, const char *aside, char *why, size_t why_size)
{
    lw_error error = { "" };
    FILE *file = fopen(aside, "wbe");
    if (!file) {
        snprintf(why, why_size, "%s cannot be made: %s", aside, strerror(errno));
        return false;
    }
    const lw_status status = lw_capture_write(capture, to_file, file, &error);
    const bool closed = fclose(file) == 0, wrote = status == LW_OK && closed;
    if (!wrote) {
        snprintf(why, why_size, "%s", error.text[0] ? error.text : strerror(errno));
        unlink(aside);
    }
    return wrote;
}

/* The next number that no process has taken: an empty file claims it. */
static bool take_name(const lw_capture *capture, char *path, size_t path_size)
{
    static unsigned next = 1; /* under the recorder's lock */
    char name[LONGEST_NAME];
    plain_name(capture->kernel, name);
    for (; next < 1000000; next++) {
        snprintf(path, path_size, "%s/%06u-%s.lwcap", settings.folder, next, name);
        const int claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (claim >= 0) {
            close(claim);
            next++;
            return true;
        }
        if (errno != EEXIST)
            break;
    }
    path[0] = '\0';
    return false;
}

bool cap_store(const lw_capture *capture, char *path, size_t path_size, char *why, size_t why_size)
{
    char aside[4096];
    const int length = snprintf(aside, sizeof(aside), "%s/.capture-%ld", settings.folder, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof(aside)) {
        snprintf(why, why_size, "the folder's name is too long");
        return false;
    }
    if (!write_aside(capture, aside, why, why_size))
        return false;
    const bool named = (path[0] || take_name(capture, path, path_size)) && rename(aside, path) == 0;
    if (!named) {
        snprintf(why, why_size, "no file can be named in %s: %s", settings.folder, strerror(errno));
        unlink(aside);
    }
    return named;
}
