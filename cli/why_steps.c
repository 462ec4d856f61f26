/* SPDX-License-Identifier: MIT */
/* Products in text: which elements of which arrays were multiplied. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/why.h"

size_t why_arg_at(const why_job *job, uint64_t address)
{
    const run_job *run = &job->run;
    for (size_t i = 0; i < run->arg_count; i++)
        if (run->args[i].array.data && address - run->addresses[i] < arg_array_bytes(&run->args[i]))
            return i;
    return run->arg_count;
}

void why_name(const why_job *job, size_t arg, uint64_t index, char *text, size_t size)
{
    const lw_npy *array = &job->run.args[arg].array;
    uint64_t inner = array->count;
    size_t used = (size_t)snprintf(text, size, "%s[", job->names[arg]);
    for (unsigned i = 0; i < array->dims && used < size; i++) {
        inner /= array->shape[i] ? array->shape[i] : 1;
        used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, i ? "," : "", index / inner);
        index %= inner;
    }
    if (used < size)
        snprintf(text + used, size - used, "]");
}

/* ---- Products ---- */

void why_fill_arrays(why_job *job)
{
    const run_job *run = &job->run;
    job->names = cli_alloc((run->arg_count + 1) * sizeof(*job->names));
    job->arrays = cli_alloc((run->arg_count + 1) * sizeof(*job->arrays));
    for (size_t i = 0; i < run->arg_count; i++) {
        const lw_npy *array = &run->args[i].array;
        const char *name = run_arg_name(run->infos[i]);
        if (name[0])
            snprintf(job->names[i], sizeof(job->names[i]), "%s", name);
        else
            snprintf(job->names[i], sizeof(job->names[i]), "argument %zu", i);
        const uint64_t columns = array->dims ? array->shape[array->dims - 1] : 1;
        job->arrays[i] = (lw_why_array){ .name = job->names[i],
                                         .address = run->addresses[i],
                                         .rows = columns ? array->count / columns : 0,
                                         .columns = columns,
                                         .dims = array->dims,
                                         .size = array->data ? (uint32_t)lw_dtype_size(array->dtype) : 0,
                                         .data = array->data };
    }
}

lw_why_products *why_products(const why_job *job, uint32_t last)
{
    lw_why_products *made = NULL;
    const size_t count = job->run.arg_count;
    cli_need(last ? lw_why_find_chain(job->why, last, job->arrays, count, &made)
                  : lw_why_find_products(job->why, job->arrays, count, &made));
    return made;
}

void why_free(why_job *job)
{
    lw_why_products_free(job->products);
    lw_why_free(job->why);
    free(job->arrays);
    free(job->names);
    free(job->shown);
}

/* ---- Words ---- */

static size_t add_range(char *text, size_t size, size_t used, uint64_t first, uint64_t last, const char *end)
{
    if (used >= size)
        return used;
    const int n = first == last
                      ? snprintf(text + used, size - used, "%" PRIu64 "%s", first, end)
                      : snprintf(text + used, size - used, "%" PRIu64 "..%" PRIu64 "%s", first, last, end);
    return used + (size_t)n;
}

/* How many elements from `i` on are consecutive in one row or one column. */
static size_t run_of(const lw_why_element *e, size_t i, size_t count)
{
    size_t end = i + 1;
    if (end == count || !e[end].known || e[end].array != e[i].array)
        return 1;
    const uint64_t rows = e[end].row - e[i].row, cols = e[end].column - e[i].column;
    if (!((rows == 0 && cols <= 1) || (cols == 0 && rows <= 1)))
        return 1;
    while (end < count && e[end].known && e[end].array == e[i].array && e[end].row - e[end - 1].row == rows &&
           e[end].column - e[end - 1].column == cols)
        end++;
    return end - i;
}

static size_t add_run(const why_job *job, const lw_why_element *e, size_t count, char *text, size_t size,
                      size_t used)
{
    used += (size_t)snprintf(text + used, size - used, "%s%s[", used ? ", " : "", job->names[e->array]);
    if (job->arrays[e->array].dims > 1)
        used = add_range(text, size, used, e->row, e[count - 1].row, ",");
    return add_range(text, size, used, e->column, e[count - 1].column, "]");
}

/* The widest ranges of several nodes together. */
static size_t ranges_of(const why_job *job, const lw_why_element *e, size_t count, lw_why_range *range,
                        size_t room)
{
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        lw_why_range one[16];
        size_t found = 0;
        if (lw_why_inputs(job->why, e[i].node, one, CLI_COUNT(one), &found) != LW_OK)
            continue;
        for (size_t r = 0; r < found && r < CLI_COUNT(one); r++) {
            size_t at = 0;
            while (at < used && range[at].base != one[r].base)
                at++;
            if (at == room)
                continue;
            if (at == used) {
                range[used++] = one[r];
                continue;
            }
            range[at].first = range[at].first < one[r].first ? range[at].first : one[r].first;
            range[at].last = range[at].last > one[r].last ? range[at].last : one[r].last;
        }
    }
    return used;
}

/* "A[2,0] to A[2,31], B[7]"; argument blocks are left out. */
static void add_ranges(const why_job *job, const lw_why_element *e, size_t count, char *text, size_t size)
{
    lw_why_range range[16];
    const size_t found = ranges_of(job, e, count, range, CLI_COUNT(range));
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < found && used + 64 < size; i++) {
        const size_t arg = why_arg_at(job, range[i].base);
        if (arg == job->run.arg_count)
            continue;
        const size_t bytes = lw_dtype_size(job->run.args[arg].array.dtype);
        char first[160], last[160];
        why_name(job, arg, range[i].first / bytes, first, sizeof(first));
        why_name(job, arg, range[i].last / bytes, last, sizeof(last));
        const bool one = strcmp(first, last) == 0;
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", used ? ", " : "", first,
                                 one ? "" : " to ", one ? "" : last);
    }
}

void why_inputs(const why_job *job, uint32_t node, char *text, size_t size)
{
    add_ranges(job, &(lw_why_element){ .node = node }, 1, text, size);
}

void why_describe(const why_job *job, const lw_why_element *elements, size_t count, char *text, size_t size)
{
    enum { SHOWN = 4 };
    size_t used = 0, shown = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used + 80 < size;) {
        if (shown++ == SHOWN) {
            snprintf(text + used, size - used, ", ..");
            return;
        }
        if (elements[i].known) {
            const size_t n = run_of(elements, i, count);
            used = add_run(job, &elements[i], n, text, size, used);
            i += n;
            continue;
        }
        char inputs[200];
        size_t end = i + 1;
        while (end < count && !elements[end].known)
            end++;
        add_ranges(job, elements + i, end - i, inputs, sizeof(inputs));
        used += (size_t)snprintf(text + used, size - used, "%s%s%s", used ? ", " : "",
                                 inputs[0] ? "computed from " : "from no array", inputs);
        i = end;
    }
}
