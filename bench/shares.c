/* SPDX-License-Identifier: MIT */
/*
 * The share of each class of instructions in the time of each kernel. A handler takes nanoseconds, so a clock
 * around it would measure the clock, and a launch with an observer does not use the fast forms. The shares
 * are therefore computed: how often a launch executes each instruction, counted by an observer, times what
 * that instruction takes in a loop of its own (classes.inc). The time of the whole launch is measured, so
 * that the sum can be judged.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { MAX_NAMES = 512, MAX_PLACES = 1 << 16, NAME = 48, REPEATS = 5 };

/* An instruction by name, with its encodings merged. */
typedef struct share {
    char name[NAME];
    uint64_t count;
    double ns; /* for each; negative: no class has it */
} share;

typedef struct shares {
    share of[MAX_NAMES];
    size_t names;
    uint16_t name_of[MAX_PLACES]; /* of a place of the launch */
    bool full;
} shares;

/* The mnemonic in an instruction's text, without the suffixes of encodings that compute the same; loads to
 * LDS count as separate instructions. */
static void take_name(const char *text, char name[NAME])
{
    static const char *const alike[] = { "_e32", "_e64" };
    snprintf(name, NAME, "%.*s", (int)strcspn(text, " \t"), text);
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof(alike) / sizeof(alike[0]); i++)
        if (length > strlen(alike[i]) && strcmp(name + length - strlen(alike[i]), alike[i]) == 0)
            name[length - strlen(alike[i])] = '\0';
    if (strstr(text, " lds"))
        snprintf(name + strlen(name), NAME - strlen(name), " lds");
}

static size_t find_name(shares *s, const char *name)
{
    size_t i = 0;
    while (i < s->names && strcmp(s->of[i].name, name) != 0)
        i++;
    if (i == MAX_NAMES) {
        s->full = true;
        return 0;
    }
    if (i == s->names)
        snprintf(s->of[s->names++].name, NAME, "%s", name);
    return i;
}

static uint32_t decoded(void *context, const lw_event *event)
{
    shares *s = context;
    char text[256], name[NAME];
    lw_event_text(event, text, sizeof(text));
    take_name(text, name);
    if (event->place >= MAX_PLACES)
        s->full = true;
    else
        s->name_of[event->place] = (uint16_t)find_name(s, name);
    return LW_SEE_BEFORE;
}

static void count(void *context, const lw_event *event)
{
    shares *s = context;
    if (event->place < MAX_PLACES)
        s->of[s->name_of[event->place]].count++;
}

/* ---- Time of each instruction ---- */

static const bench_insn measured[] = {
#define CLASS(text_, aim_, aim512_, words_, ...) { text_, words_, { __VA_ARGS__ }, LW_ARCH_NONE },
#include "classes.inc"
#undef CLASS
#define INSN(text_, words_, ...) { text_, words_, { __VA_ARGS__ }, LW_ARCH_NONE },
#include "code.inc"
#include "shares.inc"
#undef INSN
};
enum { MEASURED = sizeof(measured) / sizeof(measured[0]) };

/* Measured when it is first needed. */
static double ns_of(const char *name, const uint32_t *registers)
{
    static double ns[MEASURED];
    for (size_t i = 0; i < MEASURED; i++) {
        char own[NAME];
        take_name(measured[i].text, own);
        if (strcmp(own, name) != 0)
            continue;
        if (ns[i] <= 0)
            ns[i] = bench_insn_ns(&measured[i], registers);
        return ns[i];
    }
    return -1;
}

static int by_time(const void *a, const void *b)
{
    const share *x = a, *y = b;
    const double tx = (double)x->count * x->ns, ty = (double)y->count * y->ns;
    return tx < ty ? 1 : tx > ty ? -1 : strcmp(x->name, y->name);
}

/* ---- The table ---- */

static double time_launch(const char *objects, size_t kernel)
{
    double best = 0;
    for (int i = 0; i < REPEATS; i++) {
        const double seconds = bench_launch(objects, kernel, NULL);
        if (seconds <= 0)
            return 0;
        best = i == 0 || seconds < best ? seconds : best;
    }
    return best;
}

static void print(const shares *s, const char *kernel, double seconds)
{
    enum { LISTED = 16 };
    double sum = 0, listed = 0;
    uint64_t all = 0, known = 0;
    for (size_t i = 0; i < s->names; i++) {
        all += s->of[i].count;
        known += s->of[i].ns >= 0 ? s->of[i].count : 0;
        sum += s->of[i].ns >= 0 ? 1e-9 * s->of[i].ns * (double)s->of[i].count : 0;
    }
    printf("%10.3f %10s %12s %6s %6s  %s: the launch, ms\n", 1e3 * seconds, "", "", "", "", kernel);
    printf("%10.3f %10s %12llu %6.1f %6s  %s: the sum, and what it is of the launch; %.2f %% of the "
           "instructions have no class\n",
           1e3 * sum, "", (unsigned long long)all, 100 * sum / seconds, "", kernel,
           all ? 100.0 * (double)(all - known) / (double)all : 0);
    for (size_t i = 0; i < s->names && i < LISTED && s->of[i].ns >= 0; i++) {
        const double ms = 1e-6 * s->of[i].ns * (double)s->of[i].count;
        printf("%10.3f %10.1f %12llu %6.1f %6.1f  %s: %s\n", ms, s->of[i].ns,
               (unsigned long long)s->of[i].count, 100 * ms / (1e3 * seconds), 100 * ms / (1e3 * sum), kernel,
               s->of[i].name);
        listed += ms;
    }
    printf("%10.3f %10s %12s %6.1f %6.1f  %s: all others\n", 1e3 * sum - listed, "", "",
           (1e3 * sum - listed) / (10 * seconds), 100 * (1 - listed / (1e3 * sum)), kernel);
}

static int bench_one(const char *objects, size_t kernel, const uint32_t *registers)
{
    shares *s = calloc(1, sizeof(*s));
    const lw_observer observer = {
        .struct_size = sizeof(observer), .context = s, .before = count, .decoded = decoded
    };
    const double seconds = s ? time_launch(objects, kernel) : 0;
    int bad = !s || seconds <= 0 || bench_launch(objects, kernel, &observer) <= 0 || s->full;
    for (size_t i = 0; !bad && i < s->names; i++)
        s->of[i].ns = ns_of(s->of[i].name, registers);
    if (bad) {
        fprintf(stderr, "bench: %s: no shares\n", bench_kernel_name(kernel));
    } else {
        qsort(s->of, s->names, sizeof(s->of[0]), by_time);
        print(s, bench_kernel_name(kernel), seconds);
    }
    free(s);
    return bad;
}

int bench_shares(const char *objects, const char *only)
{
    static uint32_t registers[BENCH_VGPRS * 64];
    int bad = 0;
    bench_fill_registers(registers);
    printf("\nshares of instructions in kernels (one thread), computed: how often the launch executes each, "
           "times "
           "what one takes in a loop of its own\n%10s %10s %12s %6s %6s\n",
           "ms", "ns each", "count", "% of launch", "% of sum");
    for (size_t kernel = 0; bench_kernel_name(kernel); kernel++)
        if (!only || strstr(bench_kernel_name(kernel), only))
            bad |= bench_one(objects, kernel, registers);
    return bad;
}
