/* SPDX-License-Identifier: MIT */
/*
 * corpus DIRECTORY [TEXT]: runs the cases of every object FILE-ARCH-LEVEL.co in DIRECTORY (whose name
 * contains TEXT). Exit status 1 if a case failed, 2 if there was nothing to run.
 */
#include "corpus.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/check.h>
#include <lanewise/launch.h>
#include <lanewise/module.h>

enum { MAX_ARGS = 12 };

typedef struct argument {
    uint8_t value[8];
    size_t size;
    uint8_t *host; /* a buffer, as the case sees it */
    uint8_t *before;
    uint64_t address;
    size_t bytes;
} argument;

struct corpus {
    const char *object, *kernel;
    lw_program *program;
    lw_memory *memory;
    lw_module *module;
    argument args[MAX_ARGS];
    size_t count;
    uint32_t grid[2], block, local;
    uint64_t seed;
    unsigned wrong;
    bool failed;
    const char *fault; /* what the launch must stop with, or NULL */
};

const corpus_file corpus_files[] = {
    { "simple", corpus_simple },
    { "reduce", corpus_reduce },
    { "scan", corpus_scan },
    { "control", corpus_control },
    { "dense", corpus_dense },
    { "mfma", corpus_mfma },
    { "mfma_cdna1", corpus_mfma_cdna1 },
    { "mfma_cdna3", corpus_mfma_cdna3 },
    { "wmma", corpus_wmma },
    { "wmma_rdna4", corpus_wmma_rdna4 },
    { "wmma_gfx1250", corpus_wmma_gfx1250 },
    { "swmmac_gfx1250", corpus_swmmac_gfx1250 },
    { "quantize_gfx1250", corpus_quantize_gfx1250 },
    { "mfma_gfx950", corpus_mfma_gfx950 },
    { "mfma_xf32", corpus_mfma_xf32 },
    { "smfmac_gfx950", corpus_smfmac_gfx950 },
    { "tiles_gfx1250", corpus_tiles },
    { "wmma_64", corpus_wmma_64 },
    { "wmma_rdna4_64", corpus_wmma_rdna4_64 },
    { "smfmac", corpus_smfmac },
    { "swmmac", corpus_swmmac },
    { "swmmac_64", corpus_swmmac_64 },
    { "scaled", corpus_scaled },
    { "quantize8", corpus_quantize8 },
    { "quantize_mx", corpus_quantize_mx },
    { "attention", corpus_attention },
    { "attention_mfma", corpus_attention_mfma },
    { "opencl", corpus_opencl },
    { "lanes", corpus_lanes },
    { "shares", corpus_shares },
    { "permlane", corpus_permlane },
    { "machine", corpus_machine },
    { NULL, NULL },
};

static void complain(corpus *c, const char *what)
{
    printf("WRONG %s %s: %s\n", c->object, c->kernel, what);
    c->failed = true;
}

/* ---- Arguments ---- */

static argument *add(corpus *c, const void *bytes, size_t size)
{
    argument *a = &c->args[c->count++];
    memcpy(a->value, bytes, size);
    a->size = size;
    return a;
}

void *corpus_buffer(corpus *c, size_t size)
{
    argument *a = add(c, "\0\0\0\0\0\0\0", 8);
    a->host = calloc(1, size);
    a->before = malloc(size);
    a->bytes = size;
    if (!a->host || !a->before)
        exit(2);
    return a->host;
}

void corpus_u32(corpus *c, uint32_t value)
{
    add(c, &value, sizeof(value));
}

void corpus_f32(corpus *c, float value)
{
    add(c, &value, sizeof(value));
}

void corpus_f64(corpus *c, double value)
{
    add(c, &value, sizeof(value));
}

void corpus_local(corpus *c, uint32_t bytes)
{
    c->local = bytes;
}

/* ---- Launches ---- */

static bool place(corpus *c)
{
    lw_error error = { "" };
    lw_status st = lw_memory_create(&c->memory);
    for (size_t i = 0; i < c->count && st == LW_OK; i++)
        if (c->args[i].host)
            st = lw_memory_allocate(c->memory, "buffer", c->args[i].bytes, LW_ACCESS_READ_WRITE,
                                    &c->args[i].address, &error);
    if (st == LW_OK)
        st = lw_module_load(c->memory, c->program, &c->module, &error);
    if (st != LW_OK)
        complain(c, error.text);
    return st == LW_OK;
}

/* ---- Checks: compiled code has no errors ---- */

enum { MAX_CHECKS = 8 };

typedef struct checks {
    lw_check *check[MAX_CHECKS];
    const lw_observer *observer[MAX_CHECKS];
    size_t count;
} checks;

static void open_checks(checks *k)
{
    for (k->count = 0; k->count < MAX_CHECKS && lw_check_name_at(k->count); k->count++) {
        if (lw_check_create(lw_check_name_at(k->count), NULL, &k->check[k->count]) != LW_OK)
            exit(2);
        k->observer[k->count] = lw_check_observer(k->check[k->count]);
    }
}

static void close_checks(corpus *c, checks *k)
{
    for (size_t i = 0; i < k->count; i++) {
        const lw_finding *f = lw_check_at(k->check[i], 0);
        char text[512];
        snprintf(text, sizeof(text), "--check %s, %s at +0x%" PRIx64 " (%s): %s", lw_check_name(k->check[i]),
                 f ? f->rule : "", f ? f->place.code_offset : 0, f ? f->place.instruction : "",
                 f ? f->what : "");
        const bool doubtful = strcmp(lw_check_name(k->check[i]), "waits") == 0 &&
                              lw_check_count_of(k->check[i], LW_SEVERITY_WARNING);
        if (doubtful || lw_check_count_of(k->check[i], LW_SEVERITY_ERROR))
            complain(c, text);
        lw_check_free(k->check[i]);
    }
}

/* What a launch ended with is what it had to end with. */
static bool ended(corpus *c, lw_status st, const lw_error *error)
{
    if (c->fault ? st != LW_E_FAULT || !strstr(error->text, c->fault) : st != LW_OK)
        complain(c, st == LW_OK ? "ends without the fault that is due" : error->text);
    return st == LW_OK;
}

/* On one thread with all checks. */
static bool launch(corpus *c, unsigned threads)
{
    lw_error error = { "" };
    lw_launch_options o = lw_launch_options_default();
    lw_launch_result *result = NULL;
    lw_arg args[MAX_ARGS];
    size_t kernel = 0;
    lw_status st = lw_program_find(c->program, c->kernel, &kernel, &error);
    for (size_t i = 0; i < c->count; i++) {
        argument *a = &c->args[i];
        if (a->host) {
            memcpy(lw_memory_host(c->memory, a->address, a->bytes), a->host, a->bytes);
            memcpy(a->value, &a->address, 8);
        }
        args[i] = (lw_arg){ NULL, a->value, a->size, a->host != NULL };
    }
    o.module = c->module;
    o.kernel = kernel;
    o.memory = c->memory;
    o.grid[0] = c->grid[0];
    o.grid[1] = c->grid[1];
    o.block[0] = c->block;
    o.dynamic_lds = c->local;
    o.args = args;
    o.arg_count = c->count;
    o.threads = threads;
    checks k = { .count = 0 };
    if (threads == 1)
        open_checks(&k);
    o.observers = k.observer;
    o.observer_count = k.count;
    if (st == LW_OK)
        st = lw_launch(&o, &result, &error);
    close_checks(c, &k);
    const bool good = ended(c, st, &error);
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].host)
            memcpy(c->args[i].host, lw_memory_host(c->memory, c->args[i].address, c->args[i].bytes),
                   c->args[i].bytes);
    lw_launch_result_free(result);
    return good;
}

static void unplace(corpus *c)
{
    lw_module_unload(c->module);
    lw_memory_free(c->memory);
    c->module = NULL;
    c->memory = NULL;
}

/* On two threads in a module of its own, then on one: the case compares the result of the second launch. */
bool corpus_launch(corpus *c, uint32_t groups_x, uint32_t groups_y, uint32_t block)
{
    uint8_t *two[MAX_ARGS] = { NULL };
    c->grid[0] = groups_x;
    c->grid[1] = groups_y;
    c->block = block;
    for (size_t i = 0; i < c->count; i++)
        if (c->args[i].host)
            memcpy(c->args[i].before, c->args[i].host, c->args[i].bytes);
    bool good = place(c) && launch(c, 2);
    unplace(c);
    for (size_t i = 0; i < c->count && good; i++) {
        argument *a = &c->args[i];
        if (!a->host)
            continue;
        two[i] = a->host;
        a->host = malloc(a->bytes);
        if (!a->host)
            exit(2);
        memcpy(a->host, a->before, a->bytes);
    }
    if (good)
        good = place(c) && launch(c, 1);
    for (size_t i = 0; i < c->count; i++) {
        if (!two[i])
            continue;
        if (good && memcmp(two[i], c->args[i].host, c->args[i].bytes) != 0)
            complain(c, "two threads leave other bytes than one");
        memcpy(two[i], c->args[i].host, c->args[i].bytes); /* where the case reads results */
        free(c->args[i].host);
        c->args[i].host = two[i];
    }
    return good;
}

bool corpus_again(corpus *c)
{
    return c->module && launch(c, 1);
}

void corpus_faults(corpus *c, const char *reason)
{
    c->fault = reason;
    for (unsigned threads = 1; c->module && threads <= 2; threads++)
        launch(c, threads);
}

bool corpus_is(const corpus *c, const char *arch)
{
    return strstr(c->object, arch) != NULL;
}

/* ---- Numbers ---- */

uint32_t corpus_random(corpus *c)
{
    c->seed = c->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(c->seed >> 33) ^ (uint32_t)(c->seed >> 20) << 16;
}

float corpus_unit(corpus *c)
{
    return (float)(int32_t)(corpus_random(c) >> 8) / 8388608.0f - 1.0f;
}

float corpus_whole(corpus *c, int limit)
{
    return (float)((int)(corpus_random(c) % (2u * (unsigned)limit + 1)) - limit);
}

void corpus_same_u64(corpus *c, const char *what, size_t i, uint64_t got, uint64_t expected)
{
    char text[200];
    if (got == expected || c->wrong++)
        return;
    snprintf(text, sizeof(text), "%s %zu is 0x%" PRIx64 ", expected 0x%" PRIx64, what, i, got, expected);
    complain(c, text);
}

void corpus_near(corpus *c, const char *what, size_t i, double got, double expected, double allowed)
{
    char text[200];
    if (fabs(got - expected) <= allowed * fabs(expected) + allowed / 1000 || c->wrong++)
        return;
    snprintf(text, sizeof(text), "%s %zu is %.9g, expected %.9g", what, i, got, expected);
    complain(c, text);
}

/* ---- Objects ---- */

static bool run_case(const char *object, lw_program *program, const corpus_case *one)
{
    corpus c = { .object = object, .kernel = one->name, .program = program, .seed = 88172645463325252u };
    one->run(&c);
    unplace(&c);
    for (size_t i = 0; i < c.count; i++) {
        free(c.args[i].host);
        free(c.args[i].before);
    }
    return !c.failed;
}

static unsigned run_object(const char *directory, const char *object, const corpus_case *cases,
                           unsigned *count)
{
    char path[1024];
    lw_program *program = NULL;
    lw_error error = { "" };
    unsigned bad = 0;
    snprintf(path, sizeof(path), "%s/%s", directory, object);
    if (lw_program_load_file(path, NULL, &program, &error) != LW_OK) {
        printf("WRONG %s: %s\n", object, error.text);
        return 1;
    }
    for (; cases->name; cases++, ++*count)
        bad += !run_case(object, program, cases);
    lw_program_free(program);
    return bad;
}

static const corpus_case *cases_of(const char *object)
{
    for (const corpus_file *f = corpus_files; f->name; f++) {
        const size_t length = strlen(f->name);
        if (strncmp(object, f->name, length) == 0 && object[length] == '-')
            return f->cases;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    unsigned count = 0, bad = 0;
    struct dirent **entries;
    const int all = argc > 1 ? scandir(argv[1], &entries, NULL, alphasort) : -1;
    for (int i = 0; i < all; i++) {
        const char *object = entries[i]->d_name;
        const corpus_case *cases = cases_of(object);
        if (cases && (argc < 3 || strstr(object, argv[2])))
            bad += run_object(argv[1], object, cases, &count);
        free(entries[i]);
    }
    if (all >= 0)
        free(entries);
    printf("%u cases, %u wrong\n", count, bad);
    return bad ? 1 : count ? 0 : 2;
}
