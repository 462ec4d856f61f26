/* SPDX-License-Identifier: MIT */
/* Arbitrary bytes as PTX, alone and as the body of a kernel; what is parsed must be consistent, and may run.
 */
#include <string.h>

#include <lanewise/launch.h>
#include <lanewise/program.h>

#include "fuzz/input.h"
#include "loaders/ptx/module.h"

static const char head[] = ".version 9.0\n.target sm_80\n.address_size 64\n.global .b32 g[4];\n";
static const char body[] = ".entry e(.param .u64 p) { .reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<9>;\n"
                           ".reg .b64 %rd<4>; .reg .f32 %f<4>; .reg .f64 %d<4>;\n";

static void check_operand(const lw_ptx_module *m, const lw_ptx_function *f, const lw_ptx_operand *o)
{
    const bool list = o->kind >= LW_PTX_OPERAND_VECTOR && o->kind <= LW_PTX_OPERAND_TARGETS;
    if (o->kind == LW_PTX_OPERAND_REGISTER)
        insist(o->index < (o->type == LW_PTX_TYPE_PRED ? f->predicates : f->rows));
    if (o->kind == LW_PTX_OPERAND_VARIABLE)
        insist(o->index < m->variables.count);
    if (o->kind == LW_PTX_OPERAND_FUNCTION || o->kind == LW_PTX_OPERAND_PROTOTYPE)
        insist(o->index < m->functions.count);
    if (o->kind == LW_PTX_OPERAND_LABEL)
        insist(o->index >= f->insns.first && o->index <= f->insns.first + f->insns.count);
    if (o->kind == LW_PTX_OPERAND_SPECIAL)
        insist(o->index < LW_PTX_SPECIAL_COUNT);
    for (uint32_t i = 0; list && i < o->count; i++) {
        insist(o->index + i < m->operands.count);
        check_operand(m, f, lw_ptx_operand_at(m, o->index + i));
    }
}

static void check_function(const lw_ptx_module *m, const lw_ptx_function *f)
{
    char text[80];
    for (uint32_t i = 0; i < f->insns.count; i++) {
        const lw_ptx_insn *in = lw_ptx_insn_at(m, f->insns.first + i);
        insist(in->guard == LW_PTX_NONE || in->guard < f->predicates);
        insist((uint64_t)in->at + in->size <= m->text_size);
        lw_ptx_insn_text(m, in, text, sizeof(text));
        for (uint32_t o = 0; o < in->operands.count; o++)
            check_operand(m, f, lw_ptx_operand_at(m, in->operands.first + o));
    }
}

/* A kernel with one parameter runs for a while on one page of memory. */
static void run(const lw_program *program)
{
    enum { PAGE = 4096, STEPS = 400 };
    lw_memory *memory = NULL;
    lw_error error = { "" };
    uint64_t at = 0;
    insist(lw_memory_create(&memory) == LW_OK);
    insist(lw_memory_allocate(memory, "p", PAGE, LW_ACCESS_READ_WRITE, &at, NULL) == LW_OK);
    const lw_arg args[] = { { NULL, &at, sizeof(at), true } };
    lw_launch_options o = lw_launch_options_default();
    o.program = program;
    o.memory = memory;
    o.grid[0] = 2;
    o.block[0] = 40;
    o.args = args;
    o.arg_count = 1;
    o.threads = 1;
    o.budget = STEPS;
    o.dynamic_lds = 256;
    insist(lw_launch(&o, NULL, &error) == LW_OK || error.text[0] != 0);
    lw_memory_free(memory);
}

/* Lists what its kernels need, and runs one. */
static void load(const uint8_t *data, size_t size)
{
    lw_program *program = NULL;
    lw_error error = { "" };
    if (lw_program_load(data, size, NULL, &program, &error) != LW_OK)
        return;
    for (size_t i = 0; i < lw_program_kernel_count(program); i++)
        insist(lw_program_kernel_at(program, i)->unsupported && lw_program_kernel_at(program, i)->contracted);
    if (lw_program_kernel_count(program) && lw_program_kernel_at(program, 0)->arg_count == 1)
        run(program);
    lw_program_free(program);
}

static void take(const uint8_t *data, size_t size)
{
    lw_ptx_module *m = NULL;
    lw_error error = { "" };
    lw_ptx_recognise((lw_bytes){ data, size });
    if (lw_ptx_parse((lw_bytes){ data, size }, UINT64_C(1) << 26, &m, &error) != LW_OK) {
        insist(error.text[0] != 0 && !m);
        return;
    }
    for (size_t i = 0; i < m->functions.count; i++)
        check_function(m, lw_ptx_function_at(m, i));
    lw_ptx_module_free(m);
    load(data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t room = size + sizeof(head) + sizeof(body) + 2;
    char *whole = malloc(room);
    if (!whole)
        return 0;
    take(data, size);
    memcpy(whole, head, sizeof(head) - 1);
    memcpy(whole + sizeof(head) - 1, body, sizeof(body) - 1);
    memcpy(whole + sizeof(head) + sizeof(body) - 2, data, size);
    memcpy(whole + sizeof(head) + sizeof(body) - 2 + size, "\n}\n", 3);
    take((const uint8_t *)whole, sizeof(head) + sizeof(body) - 2 + size + 3);
    free(whole);
    return 0;
}
