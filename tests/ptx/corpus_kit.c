/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "tests/ptx/corpus_kit.h"

#include <sys/mman.h>

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    char *text = malloc(1 << 20);
    *size = fread(text, 1, 1 << 20, file);
    fclose(file);
    return text;
}

corpus_bench corpus_open_file(const char *path)
{
    corpus_bench t = { .memory = NULL };
    size_t size;
    char *text = read_file(path, &size);
    ck_assert_msg(lw_program_load(text, size, NULL, &t.program, &t.error) == LW_OK, "%s", t.error.text);
    free(text);
    ck_assert_int_eq(lw_memory_create(&t.memory), LW_OK);
    for (int i = 0; i < MOST_BUFFERS; i++)
        ck_assert_int_eq(
            lw_memory_allocate(t.memory, &"abcd"[i], MOST_BYTES, LW_ACCESS_READ_WRITE, &t.at[i], NULL),
            LW_OK);
    return t;
}

static const char *opened = "";
/* Launches whose parts could be joined, and whose blocks touch each other's bytes: of all tests, which fork.
 */
static unsigned *joined, *met;

int corpus_main(Suite *(*make)(void), const char *const *files, size_t count)
{
    int failed = 0;
    joined = mmap(NULL, 2 * sizeof(*joined), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    met = joined + 1;
    if (joined == MAP_FAILED)
        return EXIT_FAILURE;
    for (size_t i = 0; i < count; i++) {
        opened = files[i];
        printf("%s: ", opened);
        fflush(stdout);
        SRunner *runner = srunner_create(make());
        srunner_run_all(runner, CK_ENV);
        failed += srunner_ntests_failed(runner);
        srunner_free(runner);
    }
    printf("in parts: %u launches joined, %u touch each other's bytes\n", *joined, *met);
    failed += *met && !*joined;
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

corpus_bench corpus_open(void)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", LW_PTX_CORPUS, opened);
    return corpus_open_file(path);
}

void corpus_close(corpus_bench *t)
{
    lw_module_unload(t->module);
    lw_memory_free(t->memory);
    lw_program_free(t->program);
}

static void keep(void *context, const char *text, size_t size)
{
    corpus_bench *t = context;
    if (t->used + size < sizeof(t->printed))
        memcpy(t->printed + t->used, text, size);
    t->used += size;
}

/* The first launch of a bench runs under all checks, on one thread; the others use all threads. */
static void open_checks(corpus_bench *t, lw_launch_options *o)
{
    const char *name;
    if (t->launches++)
        return;
    while ((name = lw_check_name_at(o->observer_count)) != NULL) {
        lw_check **check = &t->check[o->observer_count];
        ck_assert_uint_lt(o->observer_count, CORPUS_CHECKS);
        ck_assert_int_eq(lw_check_create(name, NULL, check), LW_OK);
        t->observer[o->observer_count++] = lw_check_observer(*check);
    }
    o->observers = t->observer;
}

/* Nothing but the race that the kernel is known for. */
static void close_checks(corpus_bench *t, const char *kernel, bool fine)
{
    for (size_t i = 0; i < CORPUS_CHECKS && t->check[i]; i++) {
        const char *name = lw_check_name(t->check[i]);
        const lw_finding *f = lw_check_at(t->check[i], 0);
        const bool error = f && f->severity == LW_SEVERITY_ERROR;
        if (fine && t->race && strcmp(name, "races") == 0)
            ck_assert_msg(error && strcmp(f->rule, t->race) == 0, "%s: no %s", kernel, t->race);
        else if (fine)
            ck_assert_msg(!error, "%s: %s/%s: %s: %s after %s", kernel, name, f->rule, f->what,
                          f->place.instruction, f->other.instruction);
        lw_check_free(t->check[i]);
        t->check[i] = NULL;
    }
}

/* ---- The same launch in parts ---- */

enum { PARTS = 3 };

typedef struct taken {
    lw_launch_part part;
    lw_launch_piece piece[MOST_BUFFERS];
    lw_byte_run runs[MOST_BUFFERS][2][MOST_BYTES];
    uint8_t bytes[MOST_BUFFERS][MOST_BYTES];
} taken;

static void take(const corpus_bench *t, const lw_footprint *footprint, uint32_t number, taken *into)
{
    into->part = lw_launch_part_default();
    into->part.number = number;
    into->part.count = PARTS;
    into->part.pieces = into->piece;
    into->part.piece_count = MOST_BUFFERS;
    for (int b = 0; b < MOST_BUFFERS; b++) {
        lw_launch_piece *p = &into->piece[b];
        lw_byte_run(*runs)[MOST_BYTES] = into->runs[b];
        *p = (lw_launch_piece){ .name = "a", .file = "", .size = MOST_BYTES, .fill = LW_FILL_UNKNOWN };
        p->read_count = lw_footprint_runs(footprint, t->at[b], MOST_BYTES, false, runs[0], MOST_BYTES);
        p->write_count = lw_footprint_runs(footprint, t->at[b], MOST_BYTES, true, runs[1], MOST_BYTES);
        p->reads = runs[0];
        p->writes = runs[1];
        p->bytes = into->bytes[b];
        for (size_t i = 0, at = 0; i < p->write_count; at += p->writes[i++].size)
            lw_memory_read(t->memory, t->at[b] + p->writes[i].start, into->bytes[b] + at, p->writes[i].size);
    }
}

/* Runs each part on the memory of `before`. Kernels whose blocks wait for each other do not end. */
static bool take_all(corpus_bench *t, lw_launch_options o, lw_snapshot *before, taken *parts)
{
    lw_byte_run areas[MOST_BUFFERS];
    lw_footprint *footprint;
    bool good = lw_footprint_create(&footprint) == LW_OK;
    for (int b = 0; b < MOST_BUFFERS; b++)
        areas[b] = (lw_byte_run){ t->at[b], MOST_BYTES };
    o.observer_count = 0;
    o.print = NULL;
    o.footprint = footprint;
    o.parts = PARTS;
    for (o.part = 0; o.part < PARTS && good; o.part++) {
        lw_memory_restore(t->memory, before, NULL);
        good = lw_launch(&o, NULL, NULL) == LW_OK;
        take(t, footprint, o.part, &parts[o.part]);
        good = good && lw_footprint_within(footprint, areas, MOST_BUFFERS, NULL) == LW_OK;
    }
    lw_footprint_free(footprint);
    return good;
}

/* Parts give the bytes of the whole launch, which has just ended, or are refused. */
static void compare_parts(corpus_bench *t, const lw_launch_options *o, lw_snapshot *before,
                          const char *kernel)
{
    static uint8_t after[MOST_BUFFERS][MOST_BYTES], got[MOST_BUFFERS][MOST_BYTES];
    taken *parts = malloc(PARTS * sizeof(*parts));
    const lw_launch_part *all[PARTS];
    void *targets[MOST_BUFFERS];
    for (int b = 0; b < MOST_BUFFERS; b++)
        lw_memory_read(t->memory, t->at[b], after[b], MOST_BYTES);
    const bool ran = take_all(t, *o, before, parts);
    lw_memory_restore(t->memory, before, NULL);
    for (int b = 0; b < MOST_BUFFERS; b++) {
        lw_memory_read(t->memory, t->at[b], got[b], MOST_BYTES);
        lw_memory_write(t->memory, t->at[b], after[b], MOST_BYTES);
        targets[b] = got[b];
    }
    for (int i = 0; i < PARTS; i++)
        all[i] = &parts[i].part;
    const lw_status status = ran ? lw_launch_parts_join(all, PARTS, targets, &t->error) : LW_E_UNSUPPORTED;
    ck_assert_msg(status == LW_OK || status == LW_E_UNSUPPORTED, "%s: %s", kernel, t->error.text);
    *joined += status == LW_OK;
    *met += status != LW_OK;
    for (int b = 0; b < MOST_BUFFERS && status == LW_OK; b++)
        ck_assert_msg(memcmp(got[b], after[b], MOST_BYTES) == 0, "%s: buffer %d differs in parts", kernel, b);
    free(parts);
}

/* What nobody observes takes shorter ways. The same launch again without checks leaves the same bytes, and
 * the test then compares these with what it expects. */
static void launch_unobserved(corpus_bench *t, lw_launch_options o, lw_snapshot *before, const char *kernel)
{
    static uint8_t after[MOST_BUFFERS][MOST_BYTES], got[MOST_BYTES];
    for (int b = 0; b < MOST_BUFFERS; b++)
        lw_memory_read(t->memory, t->at[b], after[b], MOST_BYTES);
    lw_memory_restore(t->memory, before, NULL);
    o.observer_count = 0;
    o.print = NULL;
    ck_assert_msg(lw_launch(&o, NULL, &t->error) == LW_OK, "%s: %s", kernel, t->error.text);
    for (int b = 0; b < MOST_BUFFERS; b++) {
        lw_memory_read(t->memory, t->at[b], got, MOST_BYTES);
        ck_assert_msg(memcmp(got, after[b], MOST_BYTES) == 0, "%s: buffer %d differs without checks", kernel,
                      b);
    }
}

/* The arguments are `pointers` buffers, possibly followed by a number. */
lw_status corpus_try(corpus_bench *t, const char *kernel, uint32_t blocks, uint32_t threads, int pointers,
                     const int *number)
{
    lw_arg args[MOST_BUFFERS + 1];
    lw_launch_options o = lw_launch_options_default();
    lw_launch_result *result = NULL;
    ck_assert_int_eq(lw_program_find(t->program, kernel, &o.kernel, &t->error), LW_OK);
    for (int i = 0; i < pointers; i++)
        args[i] = (lw_arg){ NULL, &t->at[i], 8, true };
    if (number)
        args[pointers] = (lw_arg){ NULL, number, 4, false };
    o.program = t->program;
    o.memory = t->memory;
    o.module = t->module;
    o.grid[0] = blocks % 100;
    o.grid[1] = blocks / 100;
    o.block[0] = threads % 10000;
    o.block[1] = threads / 10000;
    o.args = args;
    o.arg_count = (size_t)pointers + (number != NULL);
    o.budget = 10000000;
    o.print = keep;
    o.print_context = t;
    o.readings = &t->reading;
    o.reading_count = t->reading != NULL;
    o.async = t->async;
    o.async_seed = t->seed;
    o.dynamic_lds = t->shared;
    memcpy(o.cluster, t->cluster, sizeof(o.cluster));
    open_checks(t, &o);
    lw_snapshot *before = NULL;
    if (!t->module)
        ck_assert_int_eq(lw_memory_snapshot(t->memory, &before, &t->error), LW_OK);
    const lw_status status = lw_launch(&o, &result, &t->error);
    close_checks(t, kernel, status == LW_OK);
    if (before && status == LW_OK && o.observer_count)
        launch_unobserved(t, o, before, kernel);
    if (before && status == LW_OK && (o.grid[0] > 1 || o.grid[1] > 1))
        compare_parts(t, &o, before, kernel);
    lw_snapshot_free(before);
    for (size_t i = 0; result && i < result->count_count; i++)
        if (result->counts[i].label == LW_LABEL_INFERRED && !result->counts[i].is_matrix) {
            const bool bounded = strstr(result->counts[i].source, "bound of error") != NULL;
            ck_assert(bounded || strcmp(result->counts[i].name, "elect") == 0);
            t->approximate += bounded ? result->counts[i].executed : 0;
        }
    lw_launch_result_free(result);
    return status;
}

void corpus_launch(corpus_bench *t, const char *kernel, uint32_t blocks, uint32_t threads, int pointers,
                   const int *number)
{
    const lw_status status = corpus_try(t, kernel, blocks, threads, pointers, number);
    ck_assert_msg(status == LW_OK, "%s: %s", kernel, t->error.text);
}

void corpus_refused(corpus_bench *t, const char *kernel, int pointers, const char *says)
{
    ck_assert_int_eq(corpus_try(t, kernel, 1, 32, pointers, NULL), LW_E_FAULT);
    ck_assert_msg(strstr(t->error.text, says) != NULL, "%s", t->error.text);
}

void corpus_put(corpus_bench *t, int buffer, const void *data, size_t size)
{
    lw_memory_write(t->memory, t->at[buffer], data, size);
}

void corpus_get(corpus_bench *t, int buffer, void *data, size_t size)
{
    lw_memory_read(t->memory, t->at[buffer], data, size);
}

uint32_t corpus_noise(uint32_t i)
{
    i = (i + 0x9e3779b9u) * 0x85ebca6bu;
    return (i ^ i >> 13) * 0xc2b2ae35u >> 3;
}
