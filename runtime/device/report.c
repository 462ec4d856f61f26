/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_CLOEXEC */
#include "runtime/device/device.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <lanewise/hash.h>

#include "runtime/device/settings.h"

enum kind { KERNEL, CALL, CODE };

/* What is added up. */
typedef struct sums {
    uint64_t times, instructions, matrix, failed;
    size_t errors, findings;
    double seconds;
} sums;

/* A kernel and what its launches did; a function that is not implemented; code that was loaded, by its hash.
 */
typedef struct entry {
    struct entry *next;
    char *name;
    enum kind kind;
    uint64_t bytes;
    sums all, written;
} entry;

/* What was not written yet is written when something new ran, and this long after the last time: a program
 * that is ended by a signal loses no more. */
static const double seconds_between = 0.1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static entry *entries, **last = &entries;
static char *report_path;
static double last_time;

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

/* What has been added since it was last written. */
static void print(FILE *file, entry *e)
{
    const sums *a = &e->all, *w = &e->written;
    const unsigned long long times = a->times - w->times;
    if (!times)
        return;
    if (e->kind == CODE)
        fprintf(file, "code\t%s\t%llu\t%llu\n", e->name, times, (unsigned long long)e->bytes);
    else if (e->kind == CALL)
        fprintf(file, "call\t%s\t%llu\n", e->name, times);
    else
        fprintf(file, "kernel\t%s\t%llu\t%llu\t%llu\t%llu\t%zu\t%zu\t%.6f\n", e->name, times,
                (unsigned long long)(a->instructions - w->instructions),
                (unsigned long long)(a->matrix - w->matrix), (unsigned long long)(a->failed - w->failed),
                a->errors - w->errors, a->findings - w->findings, a->seconds - w->seconds);
    e->written = e->all;
}

/* One write, so that the lines of several processes do not mix. The lock must be held. */
static void write_lines(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return;
    for (entry *e = entries; e; e = e->next)
        print(file, e);
    fclose(file);
    const int out = open(report_path, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (out >= 0) {
        if (size && write(out, text, size) != (ssize_t)size)
            fprintf(stderr, "lanewise: the report could not be written to %s\n", report_path);
        close(out);
    }
    free(text);
}

/* The lock must be held. */
static void write_some(const entry *changed)
{
    struct timespec now;
    if (!report_path)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
    if (changed->written.times && seconds - last_time < seconds_between)
        return;
    last_time = seconds;
    write_lines();
}

static void write_rest(void)
{
    if (rt_start() != RT_OK) /* a child, in which there are no streams to wait for and nothing ran */
        return;
    (void)rt_wait_all();
    pthread_mutex_lock(&lock);
    write_lines();
    pthread_mutex_unlock(&lock);
}

void rt_report_launch(const char *kernel, const lw_launch_result *result, lw_status status, size_t errors,
                      size_t findings)
{
    pthread_mutex_lock(&lock);
    entry *e = entry_of(kernel, KERNEL);
    if (e) {
        e->all.times++;
        e->all.failed += status != LW_OK;
        e->all.errors += errors;
        e->all.findings += findings;
        e->all.instructions += result ? result->instructions : 0;
        e->all.matrix += result ? result->matrix_instructions : 0;
        e->all.seconds += result ? result->seconds : 0;
        write_some(e);
    }
    pthread_mutex_unlock(&lock);
}

void rt_report_call(const char *name)
{
    pthread_mutex_lock(&lock);
    entry *e = entry_of(name, CALL);
    const bool first = e && e->all.times++ == 0;
    if (e)
        write_some(e);
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
        e->all.times++;
        e->bytes = size;
        write_some(e);
    }
    pthread_mutex_unlock(&lock);
}

void rt_report_open(const char *path)
{
    if (!*path)
        return;
    report_path = strdup(path);
    if (report_path)
        atexit(write_rest);
}
