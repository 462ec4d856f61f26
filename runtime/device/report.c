/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "runtime/device/device.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lanewise/hash.h>

#include "runtime/device/settings.h"

enum kind { KERNEL, CALL, CODE };

/* A kernel and what its launches did; a function that is not implemented; code that was loaded, by its hash.
 */
typedef struct entry {
    struct entry *next;
    char *name;
    enum kind kind;
    uint64_t times, bytes, instructions, matrix, failed;
    size_t errors, findings;
    double seconds;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *entries, **last = &entries;
static char *report_path;

/* The lock must be held. NULL: out of memory. */
static entry *entry_of(const char *name, enum kind kind)
{
    for (entry *e = entries; e; e = e->next)
        if (e->kind == kind && strcmp(e->name, name) == 0)
            return e;
    entry *e = calloc(1, sizeof(*e));
    if (!e)
        return NULL;
    e->name = strdup(name);
    e->kind = kind;
    if (!e->name) {
        free(e);
        return NULL;
    }
    *last = e;
    last = &e->next;
    return e;
}

void rt_report_launch(const char *kernel, const lw_launch_result *result, lw_status status, size_t errors,
                      size_t findings)
{
    pthread_mutex_lock(&lock);
    entry *e = entry_of(kernel, KERNEL);
    if (e) {
        e->times++;
        e->failed += status != LW_OK;
        e->errors += errors;
        e->findings += findings;
        e->instructions += result ? result->instructions : 0;
        e->matrix += result ? result->matrix_instructions : 0;
        e->seconds += result ? result->seconds : 0;
    }
    pthread_mutex_unlock(&lock);
}

void rt_report_call(const char *name)
{
    pthread_mutex_lock(&lock);
    entry *e = entry_of(name, CALL);
    const bool first = e && e->times++ == 0;
    pthread_mutex_unlock(&lock);
    if (first)
        rt_say("%s is not served and returns an error", name);
}

void rt_report_code(const void *bytes, size_t size)
{
    char text[LW_SHA256_TEXT];
    lw_sha256 hash;
    if (!report_path)
        return;
    lw_sha256_begin(&hash);
    lw_sha256_add(&hash, bytes, size);
    lw_sha256_end(&hash, NULL, text);
    pthread_mutex_lock(&lock);
    entry *e = entry_of(text, CODE);
    if (e) {
        e->times++;
        e->bytes = size;
    }
    pthread_mutex_unlock(&lock);
}

static void print(FILE *file, const entry *e)
{
    if (e->kind == CODE)
        fprintf(file, "code\t%s\t%llu\t%llu\n", e->name, (unsigned long long)e->times,
                (unsigned long long)e->bytes);
    else if (e->kind == CALL)
        fprintf(file, "call\t%s\t%llu\n", e->name, (unsigned long long)e->times);
    else
        fprintf(file, "kernel\t%s\t%llu\t%llu\t%llu\t%llu\t%zu\t%zu\t%.6f\n", e->name,
                (unsigned long long)e->times, (unsigned long long)e->instructions,
                (unsigned long long)e->matrix, (unsigned long long)e->failed, e->errors, e->findings,
                e->seconds);
}

/* One write, so that the lines of several processes do not mix. */
static void write_report(void)
{
    char *text = NULL;
    size_t size = 0;
    (void)rt_wait_all();
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return;
    pthread_mutex_lock(&lock);
    for (const entry *e = entries; e; e = e->next)
        print(file, e);
    pthread_mutex_unlock(&lock);
    fclose(file);
    const int out = open(report_path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (out >= 0) {
        if (size && write(out, text, size) != (ssize_t)size)
            rt_say("the report could not be written to %s", report_path);
        close(out);
    }
    free(text);
}

void rt_report_open(const char *path)
{
    if (!*path)
        return;
    report_path = strdup(path);
    if (report_path)
        atexit(write_report);
}
