/* SPDX-License-Identifier: MIT */
/* The cost of a launch besides its instructions, and how soon a cancelled launch ends. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"

enum { LAUNCHES = 2000, CANCELS = 200, SPIN_MS = 3 };

typedef struct placed {
    lw_program *program;
    lw_memory *memory;
    lw_module *module;
    uint64_t out;
    double load; /* seconds of lw_module_load */
} placed;

static void displace(placed *p)
{
    lw_module_unload(p->module);
    lw_program_free(p->program);
    lw_memory_free(p->memory);
}

/* Loads a file of the folder, or a program's text. */
static lw_status place(placed *p, const char *folder, const char *file, const char *text)
{
    char path[1024];
    lw_error error = { .text = "" };
    memset(p, 0, sizeof(*p));
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    lw_status st = text ? lw_program_load(text, strlen(text), NULL, &p->program, &error)
                        : lw_program_load_file(path, NULL, &p->program, &error);
    if (st == LW_OK)
        st = lw_memory_create(&p->memory);
    if (st == LW_OK)
        st = lw_memory_allocate(p->memory, "out", 4096, LW_ACCESS_READ_WRITE, &p->out, &error);
    const double start = bench_now();
    if (st == LW_OK)
        st = lw_module_load(p->memory, p->program, &p->module, &error);
    p->load = bench_now() - start;
    if (st != LW_OK) {
        printf("%s: %s\n", file, error.text);
        displace(p);
    }
    return st;
}

static lw_launch_options options_of(const placed *p, const char *kernel, const lw_arg *arg)
{
    lw_launch_options o = lw_launch_options_default();
    lw_program_find(p->program, kernel, &o.kernel, NULL);
    o.module = p->module;
    o.grid[0] = 1;
    o.block[0] = 64;
    o.args = arg;
    o.arg_count = 1;
    o.threads = 1;
    return o;
}

/* The first launch and the best of the others, in seconds. */
static int time_launches(const char *folder, const char *file, const char *kernel)
{
    placed p;
    if (place(&p, folder, file, NULL) != LW_OK)
        return 1;
    const lw_arg arg = { NULL, &p.out, 8, true };
    const lw_launch_options o = options_of(&p, kernel, &arg);
    double first = 0, best = 1;
    int bad = 0;
    for (int i = 0; i < LAUNCHES && !bad; i++) {
        const double start = bench_now();
        bad = lw_launch(&o, NULL, NULL) != LW_OK;
        const double took = bench_now() - start;
        first = i ? first : took;
        best = i && took < best ? took : best;
    }
    printf("%10.1f %10.1f %10.2f  %s of %s\n", p.load * 1e6, first * 1e6, best * 1e6, kernel, file);
    displace(&p);
    return bad;
}

/* The time of the thread that runs the launch: other threads competing for its processor do not count. */
typedef struct canceller {
    lw_session *session;
    clockid_t clock;
    double at;
} canceller;

static double time_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *cancel(void *pointer)
{
    canceller *c = pointer;
    const struct timespec wait = { 0, SPIN_MS * 1000000 };
    nanosleep(&wait, NULL);
    c->at = time_of(c->clock);
    lw_session_cancel(c->session);
    return NULL;
}

/* A loop of arithmetic that never ends. */
static const char endless_ptx[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                                  ".visible .entry spin(.param .u64 out)\n{\n"
                                  ".reg .u32 %r<3>;\nmov.u32 %r1, 1;\n"
                                  "L: mad.lo.u32 %r1, %r1, 5, 3;\nxor.b32 %r1, %r1, 77;\n"
                                  "bra L;\n}\n";

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Seconds from one cancellation to the end of the launch; below 0 if it could not be measured. */
static double time_cancel(const lw_launch_options *o)
{
    canceller c = { .session = NULL };
    pthread_t thread;
    if (pthread_getcpuclockid(pthread_self(), &c.clock) != 0 ||
        lw_session_begin(o, &c.session, NULL) != LW_OK)
        return -1;
    if (pthread_create(&thread, NULL, cancel, &c) != 0) {
        lw_session_drop(c.session);
        return -1;
    }
    lw_session_finish(c.session, NULL, NULL);
    const double end = time_of(c.clock);
    pthread_join(thread, NULL);
    return end - c.at;
}

/* The minimum, median and maximum of many, inside a workgroup that would never end. */
static int time_cancels(const char *folder, const char *file, const char *text)
{
    placed p;
    double took[CANCELS];
    if (place(&p, folder, file, text) != LW_OK)
        return 1;
    const lw_arg arg = { NULL, &p.out, 8, true };
    lw_launch_options o = options_of(&p, "spin", &arg);
    o.budget = 0;
    for (int i = 0; i < CANCELS; i++)
        if ((took[i] = time_cancel(&o)) < 0)
            return 1;
    qsort(took, CANCELS, sizeof(took[0]), by_size);
    printf("%10.1f %10.1f %10.1f  from cancelling to the end: spin of %s\n", took[0] * 1e6,
           took[CANCELS / 2] * 1e6, took[CANCELS - 1] * 1e6, file);
    displace(&p);
    return 0;
}

int bench_launch_costs(const char *folder)
{
    printf("\nlaunches, us\n%10s %10s %10s  kernel\n", "placing", "first", "best");
    int bad = time_launches(folder, "module.co", "count") | time_launches(folder, "large.hipfb", "small");
    printf("%10s %10s %10s\n", "least", "median", "most");
    bad |= time_cancels(folder, "module.co", NULL);
    return bad | time_cancels(folder, "a PTX text", endless_ptx);
}
