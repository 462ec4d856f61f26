/* SPDX-License-Identifier: MIT */
/* --layouts: the passes, each of which numbers the elements by one digit, and the report. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run_layouts.h"
#include "cli/run_text.h"

/* ---- The passes ---- */

static bool is_kept(const run_job *job, size_t index)
{
    const char *name, *own = run_arg_name(job->infos[index]);
    char number[24];
    snprintf(number, sizeof(number), "%zu", index);
    for (size_t at = 0; (name = cli_next_value(job->call, "layouts-keep", &at)) != NULL;)
        if (strcmp(name, number) == 0 || strcmp(name, own) == 0)
            return true;
    return false;
}

static int check_kept(const run_job *job)
{
    const char *name;
    for (size_t at = 0; (name = cli_next_value(job->call, "layouts-keep", &at)) != NULL;) {
        bool found = false;
        for (size_t i = 0; i < job->arg_count; i++) {
            char number[24];
            snprintf(number, sizeof(number), "%zu", i);
            found = found || strcmp(name, number) == 0 || strcmp(name, run_arg_name(job->infos[i])) == 0;
        }
        if (!found)
            return cli_fail(job->call, CLI_USAGE, "--layouts-keep %s: the kernel has no such argument", name);
    }
    return CLI_FINE;
}

static void choose_arrays(run_job *job, uint64_t *bits)
{
    job->followed = cli_alloc((job->arg_count + 1) * sizeof(*job->followed));
    *bits = 0;
    for (size_t i = 0; i < job->arg_count; i++) {
        const run_arg *arg = &job->args[i];
        job->followed[i] =
            (arg->form == ARG_IN || arg->form == ARG_INOUT) && arg->array.data && !is_kept(job, i);
        *bits += job->followed[i] ? 8 * arg_array_bytes(arg) : 0;
    }
}

static void put_back(const run_job *job, uint8_t *const *before)
{
    for (size_t i = 0; i < job->arg_count; i++)
        if (before[i])
            memcpy(job->args[i].array.data, before[i], (size_t)arg_array_bytes(&job->args[i]));
}

/* Restores every array; the traced ones get the data of this pass. */
static void fill_arrays(const run_job *job, uint8_t *const *before)
{
    uint64_t first = 0;
    put_back(job, before);
    for (size_t i = 0; i < job->arg_count; i++) {
        const size_t size = before[i] ? (size_t)arg_array_bytes(&job->args[i]) : 0;
        if (job->followed[i]) {
            lw_origin_fill(job->origin, first, job->args[i].array.data, size);
            first += 8 * (uint64_t)size;
        }
    }
}

static int run_pass(run_job *job, unsigned pass, uint8_t *const *before)
{
    const lw_observer *observer = lw_origin_observer(job->origin);
    lw_launch_options options = job->options;
    lw_launch_result *result = NULL;
    lw_error error = { "" };
    options.observers = &observer;
    options.observer_count = 1;
    options.progress = NULL;
    lw_status status = lw_origin_begin(job->origin, pass);
    fill_arrays(job, before);
    if (status == LW_OK)
        status = lw_launch(&options, &result, &error);
    lw_launch_result_free(result);
    if (status == LW_OK)
        return CLI_FINE;
    return cli_fail(
        job->call, CLI_FAULT,
        "--layouts: the kernel stops when its arrays contain element numbers: %s; --layouts-keep NAME "
        "keeps the values of an array",
        error.text[0] ? error.text : lw_status_text(status));
}

static int run_passes(run_job *job, uint8_t **before)
{
    lw_error error = { "" };
    int exit = CLI_FINE;
    for (unsigned pass = 0; pass < lw_origin_passes(job->origin) && exit == CLI_FINE; pass++)
        exit = run_pass(job, pass, before);
    if (exit != CLI_FINE)
        return exit;
    const lw_status status = lw_origin_finish(job->origin, &error);
    return status == LW_OK ? CLI_FINE : cli_fail_status(job->call, "--layouts", status, &error);
}

int run_follow_layouts(run_job *job)
{
    uint64_t bits;
    if (!cli_has(job->call, "layouts"))
        return cli_has(job->call, "layouts-keep")
                   ? cli_fail(job->call, CLI_USAGE, "--layouts-keep has no effect without --layouts")
                   : CLI_FINE;
    if (check_kept(job) != CLI_FINE)
        return CLI_USAGE;
    choose_arrays(job, &bits);
    const lw_status status = lw_origin_create(bits, &job->origin);
    if (status != LW_OK)
        return cli_fail_status(job->call, "--layouts", status, NULL);
    uint8_t **before = cli_alloc((job->arg_count + 1) * sizeof(*before));
    for (size_t i = 0; i < job->arg_count; i++) {
        const size_t size = job->args[i].array.data ? (size_t)arg_array_bytes(&job->args[i]) : 0;
        before[i] = size ? cli_alloc(size) : NULL;
        if (size)
            memcpy(before[i], job->args[i].array.data, size);
    }
    const int exit = run_passes(job, before);
    put_back(job, before);
    for (size_t i = 0; i < job->arg_count; i++)
        free(before[i]);
    free(before);
    return exit;
}

/* ---- The report ---- */

/* "0..15, 32..47": runs of consecutive numbers. */
static void print_places(const uint64_t *n, size_t count)
{
    enum { SHOWN = 8 };
    size_t runs = 0;
    for (size_t i = 0; i < count && runs < SHOWN; runs++) {
        size_t end = i + 1;
        while (end < count && n[end] == n[end - 1] + 1)
            end++;
        printf("%s%" PRIu64, runs ? ", " : "", n[i]);
        if (end > i + 1)
            printf("..%" PRIu64, n[end - 1]);
        i = end;
        if (runs + 1 == SHOWN && i < count)
            fputs(", ..", stdout);
    }
}

static void print_argument(const run_job *job, size_t arg)
{
    char title[160];
    run_arg_title(job, arg, title, sizeof(title));
    fputs(title, stdout);
}

/* The row, or column, of each x or y. */
static uint64_t *places_of(const origin_operand *o, bool rows, size_t *count)
{
    const bool by_x = rows != o->turned;
    *count = by_x ? o->info.x_count : o->info.y_count;
    uint64_t *n = cli_alloc(*count * sizeof(*n));
    for (size_t i = 0; i < *count; i++) {
        const origin_element *e = &o->element[by_x ? i * o->info.y_count : i];
        n[i] = rows ? e->row : e->col;
    }
    return n;
}

static void print_plain(const run_job *job, const origin_operand *o)
{
    print_argument(job, o->arg);
    for (int rows = 1; rows >= 0; rows--) {
        size_t count;
        uint64_t *n = places_of(o, rows, &count);
        const bool by_x = (rows == 1) != o->turned;
        printf(", %s ", rows ? "rows" : "columns");
        print_places(n, count);
        printf(" by %s", by_x ? o->info.x_name : o->info.y_name);
        free(n);
    }
    putchar('\n');
}

/* The first elements, and how many came from which place. */
static void print_elements(const run_job *job, const origin_operand *o)
{
    enum { SHOWN = 4 };
    size_t shown = 0;
    printf("%zu of %zu elements are copies", o->copied, o->copied + o->constant + o->computed);
    if (o->constant)
        printf(", %zu constants", o->constant);
    if (o->computed)
        printf(", %zu computed", o->computed);
    putchar('\n');
    for (size_t i = 0; i < o->elements && shown < SHOWN; i++) {
        const origin_element *e = &o->element[i];
        const size_t inside = i % ((size_t)o->info.x_count * o->info.y_count);
        if (!e->seen || e->kind != ORIGIN_ELEMENT)
            continue;
        printf("      %s[%zu][%zu]", lw_operand_name(o->info.operand), inside / o->info.y_count,
               inside % o->info.y_count);
        if (o->info.blocks > 1)
            printf(" of block %zu", i / ((size_t)o->info.x_count * o->info.y_count));
        fputs(" is ", stdout);
        print_argument(job, e->arg);
        printf(" [%" PRIu64 "][%" PRIu64 "]\n", e->row, e->col);
        shown++;
    }
    if (shown && o->copied > shown)
        printf("      and %zu more: --json lists all\n", o->copied - shown);
}

static void print_operand(const run_job *job, const origin_operand *o)
{
    printf("  %s[%s][%s]: ", lw_operand_name(o->info.operand), o->info.x_name, o->info.y_name);
    if (o->unequal)
        fputs("copies of an element differ; ", stdout);
    if (o->plain)
        print_plain(job, o);
    else if (o->copied)
        print_elements(job, o);
    else
        printf("%s\n", o->computed ? "computed by the kernel" : "constants");
}

static void write_elements(const origin_operand *o, cli_json *json)
{
    json_open(json, "elements", '[');
    for (size_t i = 0; i < o->elements; i++) {
        const origin_element *e = &o->element[i];
        const size_t inside = i % ((size_t)o->info.x_count * o->info.y_count);
        if (!e->seen || e->kind != ORIGIN_ELEMENT)
            continue;
        const uint64_t numbers[] = { i / ((size_t)o->info.x_count * o->info.y_count),
                                     inside / o->info.y_count,
                                     inside % o->info.y_count,
                                     e->arg,
                                     e->row,
                                     e->col };
        json_open(json, NULL, '[');
        for (size_t n = 0; n < CLI_COUNT(numbers); n++)
            json_uint(json, NULL, numbers[n]);
        json_close(json, ']');
    }
    json_close(json, ']');
}

static void write_operand(const run_job *job, const origin_operand *o, cli_json *json)
{
    json_open(json, NULL, '{');
    json_string(json, "operand", lw_operand_name(o->info.operand));
    json_string(json, "x", o->info.x_name);
    json_string(json, "y", o->info.y_name);
    json_uint(json, "copied", o->copied);
    json_uint(json, "constant", o->constant);
    json_uint(json, "computed", o->computed);
    json_bool(json, "copies_differ", o->unequal);
    if (o->plain) {
        json_uint(json, "argument", o->arg);
        json_string(json, "name", run_arg_name(job->infos[o->arg]));
        json_string(json, "rows_by", o->turned ? o->info.y_name : o->info.x_name);
        for (int rows = 1; rows >= 0; rows--) {
            size_t count;
            uint64_t *n = places_of(o, rows, &count);
            json_open(json, rows ? "rows" : "columns", '[');
            for (size_t i = 0; i < count; i++)
                json_uint(json, NULL, n[i]);
            json_close(json, ']');
            free(n);
        }
    } else if (o->copied) {
        write_elements(o, json);
    }
    json_close(json, '}');
}

/* Whether A and B have the same k: 1 yes, 0 no, -1 unknown. */
static int meet(const origin_operand *a, const origin_operand *b, uint32_t *first)
{
    const uint32_t ks = a->element && b->element ? a->info.y_count : 0;
    uint64_t left, right;
    if (!ks || ks != b->info.x_count)
        return -1;
    for (uint32_t k = 0; k < ks; k++) {
        if (!origin_of_k(a, k, &left) || !origin_of_k(b, k, &right))
            return -1;
        if (left != right) {
            *first = k;
            return 0;
        }
    }
    return 1;
}

static void print_meeting(int met, const origin_operand *a, const origin_operand *b, uint32_t k)
{
    uint64_t left = 0, right = 0;
    if (met == 1)
        puts("  A and B match in k");
    if (met != 0)
        return;
    (void)origin_of_k(a, k, &left);
    (void)origin_of_k(b, k, &right);
    printf("  A and B do not match: at k = %u, A has k = %" PRIu64 " of its array and B k = %" PRIu64
           " of its own\n",
           k, left, right);
}

static void open_report(const lw_origin_report *r, cli_json *json)
{
    if (!json) {
        const bool amd = strcmp(lw_arch_get(r->arch)->vendor, "AMD") == 0;
        printf("%s, %s %u,%u,%u %s %u, +0x%" PRIx64, r->instruction, amd ? "workgroup" : "block",
               r->workgroup[0], r->workgroup[1], r->workgroup[2], amd ? "wave" : "warp", r->wave,
               r->code_offset);
        if (r->times > 1)
            printf(", first of %" PRIu64 " times", r->times);
        run_text_source(&r->source, NULL);
        putchar('\n');
        return;
    }
    json_open(json, NULL, '{');
    json_string(json, "instruction", r->instruction);
    json_uint(json, "code_offset", r->code_offset);
    run_text_source(&r->source, json);
    json_open(json, "workgroup", '[');
    for (int i = 0; i < 3; i++)
        json_uint(json, NULL, r->workgroup[i]);
    json_close(json, ']');
    json_uint(json, "wave", r->wave);
    json_uint(json, "times", r->times);
    json_open(json, "operands", '[');
}

/* Reports one instruction; false if A and B do not match. */
static bool report_instruction(const run_job *job, size_t index, cli_json *json)
{
    origin_operand operand[LW_OPERAND_COUNT] = { { .element = NULL } };
    uint32_t first = 0;
    open_report(lw_origin_at(job->origin, index), json);
    for (int op = 0; op < LW_OPERAND_COUNT; op++)
        if (op != LW_OPERAND_D && origin_read(job, index, (lw_operand)op, &operand[op])) {
            if (json)
                write_operand(job, &operand[op], json);
            else
                print_operand(job, &operand[op]);
        }
    const int met = meet(&operand[LW_OPERAND_A], &operand[LW_OPERAND_B], &first);
    if (json) {
        json_close(json, ']');
        json_string(json, "k", met == 1 ? "same" : met == 0 ? "different" : NULL);
        json_close(json, '}');
    } else {
        print_meeting(met, &operand[LW_OPERAND_A], &operand[LW_OPERAND_B], first);
    }
    for (int op = 0; op < LW_OPERAND_COUNT; op++)
        free(operand[op].element);
    return met != 0;
}

bool run_text_layouts(const run_job *job, cli_json *json)
{
    bool fine = true;
    if (!job->origin)
        return true;
    const size_t count = lw_origin_count(job->origin);
    if (json)
        json_open(json, "layouts", '[');
    else if (!count)
        puts("layouts: no matrix instruction with operands in registers ran");
    for (size_t i = 0; i < count; i++)
        fine = report_instruction(job, i, json) && fine;
    if (json)
        json_close(json, ']');
    return fine;
}
