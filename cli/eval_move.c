/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/layout.h>
#include <lanewise/move.h>

#include "cli/file.h"
#include "cli/eval.h"
#include "cli/eval_move.h"
#include "cli/expect.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "cli/target.h"

enum { LANES = LW_MOVE_LANES, ROW_BYTES = 16 };

/* One move: what it reads, where, and what it produces. Addresses count from the first byte of the memory. */
typedef struct move_job {
    lw_arch arch;
    const lw_insn *insn;
    lw_mods mods;
    bool loads, stores;    /* neither: movmatrix */
    bool fragment;         /* wmma: one address, a stride */
    unsigned rows;         /* ldmatrix, stmatrix: lanes whose addresses are used */
    lw_layout_info layout; /* of the operand that is moved */
    lw_npy memory, source, registers, expected;
    lw_npy *result; /* memory or registers */
    compare_limits limits;
    lw_move_args args;
    uint64_t held; /* bytes of the arrays that were read */
} move_job;

static int refuse(const cli_call *call, const char *const *options, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++)
        if (cli_has(call, options[i]))
            return cli_fail(call, CLI_USAGE, "--%s: %s %s", options[i], call->operands[0], why);
    return CLI_FINE;
}

int eval_move_refuse(const cli_call *call)
{
    static const char *const options[] = { "memory", "registers", "address", "stride" };
    return refuse(call, options, CLI_COUNT(options),
                  "multiplies matrices, which --a, --b and --c name; this is for instructions that move "
                  "elements");
}

static int describe(const cli_call *call, move_job *job)
{
    static const char *const options[] = { "a",       "b",    "c",        "index",   "scale-a", "scale-b",
                                           "explain", "mode", "numerics", "reading", "decimal" };
    lw_insn_info info;
    lw_layout *layout;
    lw_error error = { "" };
    int exit = refuse(call, options, CLI_COUNT(options),
                      "moves elements and computes nothing; it takes --memory, --registers, --address and "
                      "--stride");
    if (exit == CLI_FINE)
        exit = target_mods(call, job->arch, job->insn, &job->mods);
    if (exit != CLI_FINE)
        return exit;
    lw_insn_get_info(job->arch, job->insn, &info);
    job->fragment = !strncmp(info.family, "wmma", 4);
    job->loads = !strcmp(info.family, "ldmatrix") || !strcmp(info.family, "wmma.load");
    job->stores = !strcmp(info.family, "stmatrix") || !strcmp(info.family, "wmma.store");

    lw_operand operand = LW_OPERAND_A;
    while (!info.operand[operand].present)
        operand++;
    const lw_status st = lw_layout_create(job->arch, job->insn, operand, 0, &job->mods, &layout, &error);
    if (st != LW_OK)
        return cli_fail_status(call, NULL, st, &error);
    lw_layout_get_info(layout, &job->layout);
    lw_layout_free(layout);
    job->rows = job->fragment ? 0 : (unsigned)job->layout.x_count * job->layout.blocks;
    return CLI_FINE;
}

static int load(const cli_call *call, const char *option, const char *needs, uint64_t *held, lw_npy *array)
{
    const char *path = cli_value(call, option);
    if (!path)
        return cli_fail(call, CLI_USAGE, "needs --%s FILE.npy: %s", option, needs);
    return file_read_array(call, option, path, held, array);
}

static int read_memory(const cli_call *call, move_job *job)
{
    if (!job->loads && !job->stores)
        return cli_has(call, "memory")
                   ? cli_fail(call, CLI_USAGE, "--memory: %s moves between registers", call->operands[0])
                   : CLI_FINE;
    const int exit =
        load(call, "memory", "an array of any type, whose bytes are the memory", &job->held, &job->memory);
    if (exit != CLI_FINE)
        return exit;
    if (job->memory.dtype == LW_DTYPE_BOOL)
        return cli_fail(call, CLI_USAGE, "--memory %s: it holds bool; store it as uint8",
                        cli_value(call, "memory"));
    job->args.memory.bytes = job->memory.data;
    job->args.memory.size = (size_t)job->memory.count * lw_dtype_size(job->memory.dtype);
    return CLI_FINE;
}

static int read_registers(const cli_call *call, move_job *job)
{
    char needs[96], have[256];
    const unsigned registers = job->layout.registers;
    const lw_npy *array = &job->source;
    if (job->loads)
        return cli_has(call, "registers")
                   ? cli_fail(call, CLI_USAGE, "--registers: %s writes registers and reads none",
                              call->operands[0])
                   : CLI_FINE;
    snprintf(needs, sizeof(needs), "the registers moved, uint32, %u x 32 (register, lane)", registers);
    const int exit = load(call, "registers", needs, &job->held, &job->source);
    if (exit != CLI_FINE)
        return exit;
    const bool flat = array->dims == 1 && registers == 1 && array->shape[0] == LANES;
    const bool table = array->dims == 2 && array->shape[0] == registers && array->shape[1] == LANES;
    expect_shape_text(array, have, sizeof(have));
    if (array->dtype != LW_DTYPE_U4 || (!flat && !table))
        return cli_fail(call, CLI_USAGE, "--registers %s: it holds %s %s; needs %s",
                        cli_value(call, "registers"), lw_dtype_name(array->dtype), have, needs);
    job->args.source = job->source.data;
    return CLI_FINE;
}

/* "FIRST+STEP": lane L has the address FIRST + L * STEP. */
static bool parse_run(const char *text, uint64_t address[LANES])
{
    uint64_t first, step;
    const char *plus = strchr(text, '+');
    char *head = cli_copy(text, plus ? (size_t)(plus - text) : 0);
    const bool ok = plus && parse_u64(head, &first) && parse_u64(plus + 1, &step);
    free(head);
    for (unsigned lane = 0; ok && lane < LANES; lane++)
        address[lane] = first + lane * step;
    return ok;
}

static int read_addresses(const cli_call *call, move_job *job)
{
    uint64_t values[LANES], *address = job->args.address;
    size_t count;
    const char *text = cli_value(call, "address");
    if (text && !job->loads && !job->stores)
        return cli_fail(call, CLI_USAGE, "--address: %s moves between registers", call->operands[0]);
    if (!text)
        text = job->fragment ? "0" : "0+16";
    if (parse_run(text, address))
        return CLI_FINE;
    if (!parse_numbers(text, 0, LANES, values, &count))
        return cli_fail(call, CLI_USAGE,
                        "--address %s: needs byte offsets from the start of the memory, one for each lane, "
                        "separated by commas (at most 32), or FIRST+STEP",
                        text);
    if (job->fragment && count != 1 && count != LANES)
        return cli_fail(call, CLI_USAGE, "--address: %zu addresses; %s takes one, or one for each lane",
                        count, call->operands[0]);
    if (count < job->rows)
        return cli_fail(call, CLI_USAGE, "--address: %zu addresses; %s takes those of lanes 0 to %u", count,
                        call->operands[0], job->rows - 1);
    for (unsigned lane = 0; lane < LANES; lane++)
        address[lane] = values[lane % count];
    return CLI_FINE;
}

static int read_stride(const cli_call *call, move_job *job)
{
    uint64_t stride;
    const char *text = cli_value(call, "stride");
    if (!text)
        return CLI_FINE;
    if (!job->fragment)
        return cli_fail(call, CLI_USAGE, "--stride: %s has an address for each row; use --address FIRST+STEP",
                        call->operands[0]);
    if (!parse_u64(text, &stride) || stride == 0 || stride > UINT32_MAX)
        return cli_fail(call, CLI_USAGE, "--stride %s: needs elements from 1 to 4294967295", text);
    job->args.stride = (uint32_t)stride;
    return CLI_FINE;
}

static int read_job(const cli_call *call, move_job *job)
{
    int (*const steps[])(const cli_call *, move_job *) = {
        describe, read_memory, read_registers, read_addresses, read_stride,
    };
    int exit = CLI_FINE;
    for (size_t i = 0; i < CLI_COUNT(steps) && exit == CLI_FINE; i++)
        exit = steps[i](call, job);
    if (exit != CLI_FINE)
        return exit;
    job->result = job->stores ? &job->memory : &job->registers;
    if (!job->stores) {
        job->registers = (lw_npy){ .dtype = LW_DTYPE_U4, .dims = 2 };
        job->registers.shape[0] = job->layout.registers;
        job->registers.shape[1] = LANES;
        job->registers.count = (uint64_t)job->layout.registers * LANES;
        job->registers.data = cli_alloc((size_t)job->registers.count * sizeof(uint32_t));
        job->args.result = job->registers.data;
    }
    const char *out = cli_value(call, "output"), *expect = cli_value(call, "expect");
    exit = expect_limits(call, &job->limits);
    if (exit == CLI_FINE && out)
        exit = eval_check_output(call, out);
    if (exit == CLI_FINE && expect)
        exit = expect_load(call, expect, job->held, arg_type_of(job->result->dtype), job->result,
                           &job->expected);
    return exit;
}

static uint64_t code_at(const lw_npy *array, uint64_t index)
{
    const size_t size = lw_dtype_size(array->dtype);
    uint64_t code = 0;
    memcpy(&code, (const char *)array->data + index * size, size);
    return code;
}

/* One line per lane, one column per register. */
static void print_registers(const lw_npy *array)
{
    fputs("lane", stdout);
    for (unsigned r = 0; r < array->shape[0]; r++) {
        char name[16];
        snprintf(name, sizeof(name), "v%u", r);
        printf("  %8s", name);
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        printf("\n%4u", lane);
        for (unsigned r = 0; r < array->shape[0]; r++)
            printf("  %08" PRIx64, code_at(array, r * LANES + lane));
    }
    putchar('\n');
}

/* Sixteen bytes per line, as codes of the array's elements, after the address of the first. */
static void print_memory(const lw_npy *array)
{
    const unsigned size = (unsigned)lw_dtype_size(array->dtype), line = ROW_BYTES / size;
    for (uint64_t i = 0; i < array->count; i++) {
        if (i % line == 0)
            printf("%s%06" PRIx64 " ", i ? "\n" : "", i * size);
        printf(" %0*" PRIx64, (int)size * 2, code_at(array, i));
    }
    putchar('\n');
}

static void write_array(const move_job *job, cli_json *json)
{
    const lw_npy *array = job->result;
    const unsigned digits = (unsigned)lw_dtype_size(array->dtype) * 2;
    json_string(json, "dtype", lw_dtype_name(array->dtype));
    json_open(json, "shape", '[');
    for (unsigned i = 0; i < array->dims; i++)
        json_uint(json, NULL, array->shape[i]);
    json_close(json, ']');
    json_open(json, job->stores ? "memory" : "registers", '[');
    for (uint64_t i = 0; i < array->count; i++)
        json_hex(json, NULL, code_at(array, i), digits);
    json_close(json, ']');
}

static int report(const cli_call *call, const move_job *job, cli_json *json)
{
    const char *out = cli_value(call, "output"), *expect = cli_value(call, "expect");
    const char *evidence = lw_label_name(job->layout.evidence);
    int exit = CLI_FINE;
    if (json)
        json_open(json, NULL, '{');
    if (json && !out)
        write_array(job, json);
    else if (!out && !expect && job->stores)
        print_memory(job->result);
    else if (!out && !expect)
        print_registers(job->result);
    if (json)
        json_string(json, "output", out);
    else if (out)
        printf("wrote %s\n", out);
    if (expect) {
        if (json)
            json_open(json, "expect", '[');
        exit = expect_report(expect, arg_type_of(job->result->dtype), job->result, &job->expected,
                             &job->limits, json);
        if (json)
            json_close(json, ']');
    }
    if (!json) {
        printf("evidence, layout: %s (%s)\n", evidence, job->layout.note);
        if (job->layout.open)
            printf("open: %s\n", job->layout.open);
        return exit;
    }
    json_string(json, "layout_evidence", evidence);
    json_string(json, "layout_source", job->layout.note);
    json_string(json, "layout_open", job->layout.open);
    json_int(json, "status", exit);
    json_close(json, '}');
    return exit;
}

static int execute(const cli_call *call, move_job *job)
{
    lw_error error = { "" };
    const lw_status st = lw_move_execute(job->arch, job->insn, &job->mods, &job->args, &error);
    if (st != LW_OK)
        return cli_fail_status(call, NULL, st, &error);
    const output_file file = { .path = cli_value(call, "output"), .array = job->result };
    return file.path ? output_write(call, &file, 1) : CLI_FINE;
}

int eval_move(const cli_call *call, lw_arch arch, const lw_insn *insn)
{
    move_job job = { .arch = arch, .insn = insn };
    cli_json json = { .out = stdout };
    int exit = read_job(call, &job);
    if (exit == CLI_FINE)
        exit = execute(call, &job);
    if (exit == CLI_FINE)
        exit = report(call, &job, cli_has(call, "json") ? &json : NULL);
    lw_npy_free(&job.memory);
    lw_npy_free(&job.source);
    lw_npy_free(&job.expected);
    free(job.registers.data);
    return exit;
}
