/* SPDX-License-Identifier: MIT */
/* The graph as a tree of lines, and as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/mma.h>

#include "cli/run_text.h"
#include "cli/why.h"

enum { MOST_LINES = 200, MOST_DEPTH = 24, LONG = 400 };

typedef struct tree {
    why_job *job;
    unsigned lines, depth;
    bool cut;
} tree;

static bool begin_line(tree *t)
{
    if (t->lines >= MOST_LINES || t->depth > MOST_DEPTH) {
        t->cut = true;
        return false;
    }
    t->lines++;
    printf("%*s", 2 * (int)t->depth, "");
    return true;
}

static void print_place(const lw_why_node *n)
{
    printf("%s  +0x%" PRIx64, n->instruction, n->code_offset);
    if (n->source)
        run_text_source(n->source, NULL);
}

static void print_where(const lw_why_node *n)
{
    printf(", workgroup %u,%u,%u wave %u", n->workgroup[0], n->workgroup[1], n->workgroup[2], n->wave);
    if (n->lane >= 0)
        printf(" lane %d", n->lane);
}

static void print_node(tree *t, uint32_t number);

/* The nodes below a node, each once. */
static void print_below(tree *t, uint32_t number)
{
    const lw_why_edge *edge;
    uint32_t last = 0;
    t->depth++;
    for (size_t i = 0; (edge = lw_why_edge_at(t->job->why, number, i)) != NULL; i++) {
        if (edge->to != last)
            print_node(t, edge->to);
        last = edge->to;
    }
    t->depth--;
}

static bool only_inputs(const why_job *job, uint32_t number)
{
    const lw_why_edge *edge;
    for (size_t i = 0; (edge = lw_why_edge_at(job->why, number, i)) != NULL; i++)
        if (lw_why_node_at(job->why, edge->to)->kind != LW_WHY_INPUT)
            return false;
    return lw_why_edge_at(job->why, number, 0) != NULL;
}

static void print_input(const tree *t, const lw_why_node *n)
{
    char name[200];
    const size_t arg = why_arg_at(t->job, n->address);
    if (arg == t->job->run.arg_count) {
        printf("%s, byte 0x%" PRIx64 "\n", n->region[0] ? n->region : "memory", n->address - n->region_base);
        return;
    }
    const size_t size = lw_dtype_size(t->job->run.args[arg].array.dtype);
    why_name(t->job, arg, (n->address - n->region_base) / size, name, sizeof(name));
    printf("%s\n", name);
}

static void print_load(tree *t, uint32_t number, const lw_why_node *n)
{
    char inputs[LONG];
    const bool plain = only_inputs(t->job, number);
    printf("%s = 0x%08" PRIx32 ", loaded by ", n->reg, n->value);
    print_place(n);
    print_where(n);
    why_inputs(t->job, number, inputs, sizeof(inputs));
    printf("%s%s\n", plain && inputs[0] ? ": " : "", plain ? inputs : "");
    if (!plain || !inputs[0])
        print_below(t, number);
}

/* An element of D, as a number if the format is known. */
static void print_value(const why_job *job, const lw_why_node *n)
{
    lw_operand_info info;
    char text[64];
    printf("%s = 0x%08" PRIx32, n->reg, n->value);
    if (n->bits > 32 || lw_insn_operand(lw_program_arch(job->run.program), n->insn, LW_OPERAND_D, n->mods,
                                        &info, NULL) != LW_OK)
        return;
    const uint64_t code = (uint64_t)n->value >> n->lsb % 32 & ((UINT64_C(1) << n->bits) - 1);
    if (lw_mma_decode(info.format, code, text, sizeof(text)) == LW_OK)
        printf(" (%s)", text);
}

static void print_operand(const why_job *job, const lw_why_product *step, lw_operand op, const char *name)
{
    char text[LONG];
    if (!step->count[op])
        return;
    why_describe(job, step->element[op], step->count[op], text, sizeof(text));
    printf("; %s: %s", name, text);
}

static void print_step(tree *t, const lw_why_product *step, size_t index, bool same)
{
    const lw_why_node *n = lw_why_node_at(t->job->why, step->node);
    if (!begin_line(t))
        return;
    printf("step %zu: ", index + 1);
    print_value(t->job, n);
    if (same)
        printf("  +0x%" PRIx64, n->code_offset);
    else {
        fputs(" by ", stdout);
        print_place(n);
    }
    print_operand(t->job, step, LW_OPERAND_A, "A");
    print_operand(t->job, step, LW_OPERAND_B, "B");
    print_operand(t->job, step, LW_OPERAND_SCALE_A, "scales of A");
    print_operand(t->job, step, LW_OPERAND_SCALE_B, "scales of B");
    print_operand(t->job, step, LW_OPERAND_INDEX, "index");
    putchar('\n');
    t->job->shown[step->node] = true;
}

static void print_c(tree *t, uint32_t number)
{
    const lw_why_node *n = lw_why_node_at(t->job->why, number);
    const lw_why_edge *edge;
    if (n->constant_c && begin_line(t))
        printf("C of the first is the constant 0x%" PRIx64 "\n", n->c);
    for (size_t i = 0; (edge = lw_why_edge_at(t->job->why, number, i)) != NULL; i++)
        if (edge->operand == LW_OPERAND_C) {
            if (begin_line(t))
                puts("C of the first:");
            t->depth++;
            print_node(t, edge->to);
            t->depth--;
        }
}

static void print_matrix(tree *t, uint32_t number, const lw_why_node *n)
{
    lw_why_products *steps = why_products(t->job, number);
    const size_t count = lw_why_products_count(steps);
    print_value(t->job, n);
    printf(", element [%u][%u] of D", n->row, n->col);
    if (n->block)
        printf(" of block %u", n->block);
    fputs(" of ", stdout);
    print_place(n);
    print_where(n);
    printf(", the last of %zu step%s\n", count, count == 1 ? "" : "s");
    t->depth++;
    const char *previous = "";
    for (size_t i = 0; i < count; i++) {
        const lw_why_product *step = lw_why_products_at(steps, i);
        const char *instruction = lw_why_node_at(t->job->why, step->node)->instruction;
        print_step(t, step, i, strcmp(instruction, previous) == 0);
        previous = instruction;
    }
    print_c(t, lw_why_products_at(steps, 0)->node);
    t->depth--;
    lw_why_products_free(steps);
}

static void print_memory(tree *t, uint32_t number, const lw_why_node *n, const char *verb)
{
    static const char *const spaces[] = { "memory", "LDS byte", "scratch byte" };
    const bool zeros = n->kind == LW_WHY_COPY && !lw_why_edge_at(t->job->why, number, 0);
    if (n->space == LW_SPACE_GLOBAL)
        printf("%s by ", verb);
    else
        printf("%s 0x%" PRIx64 ", %s by ", spaces[n->space], n->address, verb);
    print_place(n);
    print_where(n);
    puts(zeros ? ": zeros, it has read nothing for these bytes" : "");
    print_below(t, number);
}

static void print_given(const lw_why_node *n)
{
    printf("%s", n->reg);
    print_where(n);
    puts(n->kind == LW_WHY_GIVEN ? ": set by the launch" : ": never written");
}

/* Whether an array contributes to it. Otherwise it comes from work-item numbers, arguments and constants. */
static bool from_arrays(const tree *t, uint32_t number)
{
    char inputs[LONG];
    why_inputs(t->job, number, inputs, sizeof(inputs));
    return inputs[0] != '\0';
}

static void print_kind(tree *t, uint32_t number, const lw_why_node *n)
{
    switch (n->kind) {
    case LW_WHY_ASKED:
        break;
    case LW_WHY_INPUT:
        print_input(t, n);
        break;
    case LW_WHY_GIVEN:
        print_given(n);
        break;
    case LW_WHY_UNWRITTEN:
        if (n->reg[0])
            print_given(n);
        else
            printf("%s byte 0x%" PRIx64 ": never written\n", n->space == LW_SPACE_LDS ? "LDS" : "scratch",
                   n->address);
        break;
    case LW_WHY_STORE:
        print_memory(t, number, n, "stored");
        break;
    case LW_WHY_ATOMIC:
        print_memory(t, number, n, "changed");
        break;
    case LW_WHY_COPY:
        print_memory(t, number, n, "copied");
        break;
    case LW_WHY_LOAD:
        print_load(t, number, n);
        break;
    case LW_WHY_MATRIX:
        print_matrix(t, number, n);
        break;
    case LW_WHY_COMPUTED:
        printf("%s = 0x%08" PRIx32 " by ", n->reg, n->value);
        print_place(n);
        print_where(n);
        if (from_arrays(t, number)) {
            putchar('\n');
            print_below(t, number);
        } else {
            puts(": from no array");
        }
        break;
    }
}

static void print_node(tree *t, uint32_t number)
{
    const lw_why_node *n = lw_why_node_at(t->job->why, number);
    const bool again = t->job->shown[number] && n->kind != LW_WHY_INPUT && n->kind != LW_WHY_GIVEN;
    if (!begin_line(t))
        return;
    t->job->shown[number] = true;
    if (again)
        printf("%s, as above: %s  +0x%" PRIx64 "\n", n->reg, n->instruction, n->code_offset);
    else
        print_kind(t, number, n);
}

/* How the element differs from the expectation, in words; "" if there is no simple explanation. */
static void explain(const why_job *job, char *text, size_t size)
{
    const lw_npy *c = &job->run.args[job->arg].array;
    const arg_type *type = job->run.args[job->arg].type;
    text[0] = '\0';
    if (!job->expect || job->got == job->expected || c->dims != 2)
        return;
    const lw_why_target target = { c->shape[0], c->shape[1], job->element / c->shape[1],
                                   job->element % c->shape[1] };
    const double expected = type->significand ? compare_value(type, job->expected) : 0;
    cli_need(lw_why_explain(job->products, &target, type->significand ? &expected : NULL, text, size));
}

static void print_code(const why_job *job, uint64_t code)
{
    const arg_type *type = job->run.args[job->arg].type;
    printf("0x%0*" PRIx64, (int)lw_dtype_size(type->dtype) * 2, code);
    if (!type->raw || type->significand)
        printf(" (%.9g)", compare_value(type, code));
}

void why_print(why_job *job)
{
    char name[200], words[1024];
    tree t = { .job = job };
    why_name(job, job->arg, job->element, name, sizeof(name));
    printf("%s = ", name);
    print_code(job, job->got);
    if (job->expect && job->got != job->expected) {
        fputs(job->expect->borrowed ? ", on the GPU " : ", expected ", stdout);
        print_code(job, job->expected);
    } else if (job->expect) {
        fputs(job->expect->borrowed ? ", as on the GPU" : ", as expected", stdout);
    }
    putchar('\n');
    print_below(&t, 0);
    if (t.cut)
        puts("  ..: the rest is left out; --json has all of it");
    explain(job, words, sizeof(words));
    if (words[0])
        printf("%s\n", words);
    why_capture_note(job);
    printf("noted: %" PRIu64 " instructions of %" PRIu64 " workgroup%s, %zu values, %.1f MiB\n",
           lw_why_instructions(job->why), lw_why_groups(job->why), lw_why_groups(job->why) == 1 ? "" : "s",
           lw_why_node_count(job->why), (double)lw_why_bytes(job->why) / (1 << 20));
}

/* ---- JSON ---- */

static void write_edges(const why_job *job, size_t number, cli_json *json)
{
    const lw_why_edge *e;
    json_open(json, "from", '[');
    for (size_t i = 0; (e = lw_why_edge_at(job->why, number, i)) != NULL; i++) {
        json_open(json, NULL, '{');
        json_uint(json, "node", e->to);
        json_uint(json, "bytes", e->bytes);
        if (e->shift)
            json_int(json, "shift", e->shift);
        if (e->operand != LW_OPERAND_COUNT) {
            json_string(json, "operand", lw_operand_name(e->operand));
            json_uint(json, "x", e->x);
            json_uint(json, "y", e->y);
            json_uint(json, "lsb", e->lsb);
            json_uint(json, "bits", e->bits);
        }
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_instruction(const lw_why_node *n, cli_json *json)
{
    if (n->number == UINT64_MAX)
        return;
    json_string(json, "instruction", n->instruction);
    json_uint(json, "code_offset", n->code_offset);
    if (n->source)
        run_text_source(n->source, json);
    json_uint(json, "number", n->number);
    json_open(json, "workgroup", '[');
    for (int i = 0; i < 3; i++)
        json_uint(json, NULL, n->workgroup[i]);
    json_close(json, ']');
    json_uint(json, "wave", n->wave);
    json_int(json, "lane", n->lane);
}

static void write_node(const why_job *job, size_t number, cli_json *json)
{
    static const char *const spaces[] = { "global", "LDS", "scratch" };
    const lw_why_node *n = lw_why_node_at(job->why, number);
    json_open(json, NULL, '{');
    json_uint(json, "node", number);
    json_string(json, "kind", lw_why_kind_name(n->kind));
    json_bool(json, "copy", n->exact);
    write_instruction(n, json);
    if (n->reg[0]) {
        json_string(json, "register", n->reg);
        json_hex(json, "value", n->value, 8);
    } else {
        json_string(json, "space", spaces[n->space]);
        json_string(json, "region", n->region);
        json_uint(json, "offset", n->address - n->region_base);
        json_uint(json, "size", n->size);
        if (n->kind == LW_WHY_INPUT)
            json_hex(json, "value", n->value, 8);
    }
    if (n->kind == LW_WHY_MATRIX) {
        json_uint(json, "block", n->block);
        json_uint(json, "row", n->row);
        json_uint(json, "column", n->col);
        if (n->constant_c)
            json_hex(json, "c", n->c, 8);
    }
    write_edges(job, number, json);
    json_close(json, '}');
}

static void write_steps(const why_job *job, cli_json *json)
{
    char text[LONG];
    json_open(json, "steps", '[');
    const lw_why_product *step;
    for (size_t i = 0; (step = lw_why_products_at(job->products, i)) != NULL; i++) {
        json_open(json, NULL, '{');
        json_uint(json, "node", step->node);
        for (int op = 0; op < LW_OPERAND_COUNT; op++)
            if (step->count[op]) {
                why_describe(job, step->element[op], step->count[op], text, sizeof(text));
                json_string(json, lw_operand_name((lw_operand)op), text);
            }
        json_close(json, '}');
    }
    json_close(json, ']');
}

void why_write(why_job *job, cli_json *json)
{
    char name[200], words[1024];
    const unsigned digits = (unsigned)lw_dtype_size(job->run.args[job->arg].array.dtype) * 2;
    why_name(job, job->arg, job->element, name, sizeof(name));
    explain(job, words, sizeof(words));
    json_open(json, NULL, '{');
    json_string(json, "element", name);
    json_hex(json, "got", job->got, digits);
    if (job->expect)
        json_hex(json, "expected", job->expected, digits);
    if (job->expect && job->expect->borrowed)
        json_string(json, "expected_from", job->expect->path);
    json_string(json, "explained", words[0] ? words : NULL);
    json_uint(json, "workgroups", lw_why_groups(job->why));
    json_uint(json, "instructions", lw_why_instructions(job->why));
    json_uint(json, "bytes", lw_why_bytes(job->why));
    write_steps(job, json);
    json_open(json, "nodes", '[');
    for (size_t i = 0; i < lw_why_node_count(job->why); i++)
        write_node(job, i, json);
    json_close(json, ']');
    json_int(json, "status", job->expect && job->got != job->expected ? CLI_NO : CLI_FINE);
    json_close(json, '}');
}
