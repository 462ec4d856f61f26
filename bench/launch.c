/* SPDX-License-Identifier: MIT */
/* What a launch costs beside its instructions, and how soon one ends that is cancelled. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench.h"

enum { LAUNCHES = 2000, CANCELS = 20, SPIN_MS = 5 };

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

static lw_status place(placed *p, const char *folder, const char *file)
{
    char path[1024];
    lw_error error = { .text = "" };
    memset(p, 0, sizeof(*p));
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    lw_status st = lw_program_load_file(path, NULL, &p->program, &error);
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
    if (place(&p, folder, file) != LW_OK)
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

typedef struct canceller {
    lw_session *session;
    double at;
} canceller;

static void *cancel(void *pointer)
{
    canceller *c = pointer;
    const struct timespec wait = { 0, SPIN_MS * 1000000 };
    nanosleep(&wait, NULL);
    c->at = bench_now();
    lw_session_cancel(c->session);
    return NULL;
}

/* From the cancelling to the end, the longest of several, in seconds. */
static int time_cancels(const char *folder)
{
    placed p;
    if (place(&p, folder, "module.co") != LW_OK)
        return 1;
    const lw_arg arg = { NULL, &p.out, 8, true };
    const lw_launch_options o = options_of(&p, "spin", &arg);
    double worst = 0;
    for (int i = 0; i < CANCELS; i++) {
        canceller c = { NULL, 0 };
        pthread_t thread;
        if (lw_session_begin(&o, &c.session, NULL) != LW_OK)
            return 1;
        if (pthread_create(&thread, NULL, cancel, &c) != 0) {
            lw_session_drop(c.session);
            return 1;
        }
        lw_session_finish(c.session, NULL, NULL);
        const double end = bench_now();
        pthread_join(thread, NULL);
        worst = end - c.at > worst ? end - c.at : worst;
    }
    printf("%10.1f  us at most from cancelling to the end, inside a workgroup\n", worst * 1e6);
    displace(&p);
    return 0;
}

int bench_launch_costs(const char *folder)
{
    printf("\nlaunches, us\n%10s %10s %10s  kernel\n", "placing", "first", "best");
    return time_launches(folder, "module.co", "count") | time_launches(folder, "large.hipfb", "small") |
           time_cancels(folder);
}
