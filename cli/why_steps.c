/* SPDX-License-Identifier: MIT */
/* The chain of matrix instructions: which elements of which arrays were multiplied in each of them. */
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

void why_arg_name(const why_job *job, size_t arg, char *text, size_t size)
{
    const char *name = run_arg_name(job->run.infos[arg]);
    if (name[0])
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "argument %zu", arg);
}

void why_name(const why_job *job, size_t arg, uint64_t index, char *text, size_t size)
{
    const lw_npy *array = &job->run.args[arg].array;
    uint64_t inner = array->count;
    why_arg_name(job, arg, text, size);
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, size - used, "[");
    for (unsigned i = 0; i < array->dims && used < size; i++) {
        inner /= array->shape[i] ? array->shape[i] : 1;
        used += (size_t)snprintf(text + used, size - used, "%s%" PRIu64, i ? "," : "", index / inner);
        index %= inner;
    }
    if (used < size)
        snprintf(text + used, size - used, "]");
}

/* Bits of a row, i.e. of the last dimension. */
static uint64_t row_bits(const lw_npy *array)
{
    const uint64_t last = array->dims ? array->shape[array->dims - 1] : 1;
    return 8 * last * lw_dtype_size(array->dtype);
}

/* ---- Steps ---- */

static uint64_t input_code(const why_job *job, const why_element *e, unsigned bits)
{
    const uint8_t *data = job->run.args[e->arg].array.data;
    uint64_t code = 0;
    for (unsigned b = 0; b < bits && b < 64; b++) {
        const uint64_t bit = e->number * bits + b;
        code |= (uint64_t)(data[bit / 8] >> bit % 8 & 1) << b;
    }
    return code;
}

/* The operand element at which an edge begins. */
static why_element read_element(const why_job *job, const lw_why_edge *edge, unsigned bits)
{
    why_element e = { .node = edge->to };
    lw_why_origin origin;
    if (!lw_why_trace(job->why, edge->to, edge->lsb, edge->bits, &origin))
        return e;
    e.node = origin.node;
    const lw_why_node *node = lw_why_node_at(job->why, origin.node);
    if (node->kind != LW_WHY_INPUT || !origin.copied || edge->at)
        return e;
    e.arg = why_arg_at(job, node->address);
    if (e.arg == job->run.arg_count)
        return e;
    const uint64_t at = 8 * (node->address - job->run.addresses[e.arg]) + origin.bit;
    const uint64_t row = row_bits(&job->run.args[e.arg].array);
    if (at % bits || row % bits)
        return e;
    e.known = true;
    e.number = at / bits;
    e.row = at / row;
    e.col = at % row / bits;
    e.code = input_code(job, &e, bits);
    return e;
}

static unsigned bits_of(const why_job *job, const lw_why_node *node, lw_operand operand)
{
    lw_operand_info info;
    const lw_arch arch = lw_program_arch(job->run.program);
    if (lw_insn_operand(arch, node->insn, operand, node->mods, &info, NULL) != LW_OK)
        return 0;
    return info.element_bits;
}

static void fill_step(const why_job *job, uint32_t number, why_step *step)
{
    const lw_why_node *node = lw_why_node_at(job->why, number);
    const lw_why_edge *edge;
    step->node = number;
    for (size_t i = 0; (edge = lw_why_edge_at(job->why, number, i)) != NULL; i++) {
        const lw_operand op = edge->operand;
        if (op == LW_OPERAND_COUNT || op == LW_OPERAND_C)
            continue;
        const unsigned k = op == LW_OPERAND_B ? edge->x : edge->y;
        if (!step->bits[op])
            step->bits[op] = bits_of(job, node, op);
        if (!step->bits[op])
            continue;
        if (k >= step->count[op]) {
            step->element[op] = cli_grow(step->element[op], (k + 1) * sizeof(*step->element[op]));
            memset(step->element[op] + step->count[op], 0,
                   (k + 1 - step->count[op]) * sizeof(*step->element[op]));
            step->count[op] = k + 1;
        }
        if (!edge->at)
            step->element[op][k] = read_element(job, edge, step->bits[op]);
    }
}

/* The previous instruction in the chain: C, through copies. 0: none. */
static uint32_t before(const why_job *job, uint32_t number)
{
    const lw_why_edge *edge;
    for (size_t i = 0; (edge = lw_why_edge_at(job->why, number, i)) != NULL; i++) {
        lw_why_origin origin;
        if (edge->operand == LW_OPERAND_C &&
            lw_why_trace(job->why, edge->to, edge->lsb, edge->bits, &origin) &&
            lw_why_node_at(job->why, origin.node)->kind == LW_WHY_MATRIX)
            return origin.node;
    }
    return 0;
}

why_step *why_chain(const why_job *job, uint32_t last, size_t *count)
{
    *count = 0;
    for (uint32_t n = last; n; n = before(job, n))
        ++*count;
    why_step *steps = cli_alloc((*count + 1) * sizeof(*steps));
    size_t at = *count;
    for (uint32_t n = last; n; n = before(job, n))
        fill_step(job, n, &steps[--at]);
    return steps;
}

void why_free_chain(why_step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int op = 0; op < LW_OPERAND_COUNT; op++)
            free(steps[i].element[op]);
    free(steps);
}

/* The instructions whose D reaches node 0 as a term of a sum, not as an element of another instruction's A or
 * B. Nodes are numbered backwards in time, and edges lead to higher numbers. */
void why_find_steps(why_job *job)
{
    const size_t count = lw_why_node_count(job->why);
    bool *term = cli_alloc(count * sizeof(*term));
    job->steps = cli_alloc((count + 1) * sizeof(*job->steps));
    term[0] = true;
    for (uint32_t n = 0; n < count; n++) {
        const bool matrix = lw_why_node_at(job->why, n)->kind == LW_WHY_MATRIX;
        const lw_why_edge *edge;
        for (size_t i = 0; term[n] && (edge = lw_why_edge_at(job->why, n, i)) != NULL; i++)
            term[edge->to] = term[edge->to] || !matrix || edge->operand == LW_OPERAND_C;
        job->step_count += term[n] && matrix;
    }
    size_t at = job->step_count;
    for (uint32_t n = 0; n < count; n++)
        if (term[n] && lw_why_node_at(job->why, n)->kind == LW_WHY_MATRIX)
            fill_step(job, n, &job->steps[--at]);
    free(term);
}

void why_free_steps(why_job *job)
{
    why_free_chain(job->steps, job->step_count);
    job->steps = NULL;
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
static size_t run_of(const why_element *e, size_t i, size_t count)
{
    size_t end = i + 1;
    if (end == count || !e[end].known || e[end].arg != e[i].arg)
        return 1;
    const uint64_t rows = e[end].row - e[i].row, cols = e[end].col - e[i].col;
    if (!((rows == 0 && cols <= 1) || (cols == 0 && rows <= 1)))
        return 1;
    while (end < count && e[end].known && e[end].arg == e[i].arg && e[end].row - e[end - 1].row == rows &&
           e[end].col - e[end - 1].col == cols)
        end++;
    return end - i;
}

static size_t add_run(const why_job *job, const why_element *e, size_t count, char *text, size_t size,
                      size_t used)
{
    char name[80];
    why_arg_name(job, e->arg, name, sizeof(name));
    used += (size_t)snprintf(text + used, size - used, "%s%s[", used ? ", " : "", name);
    if (job->run.args[e->arg].array.dims > 1)
        used = add_range(text, size, used, e->row, e[count - 1].row, ",");
    return add_range(text, size, used, e->col, e[count - 1].col, "]");
}

/* The widest ranges of several nodes together. */
static size_t ranges_of(const why_job *job, const why_element *e, size_t count, lw_why_range *range,
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
static void add_ranges(const why_job *job, const why_element *e, size_t count, char *text, size_t size)
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
    add_ranges(job, &(why_element){ .node = node }, 1, text, size);
}

void why_describe(const why_job *job, const why_element *elements, size_t count, char *text, size_t size)
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
