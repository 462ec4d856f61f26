/* SPDX-License-Identifier: MIT */
#include "loaders/ptx/needs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"

/* The functions that a kernel may reach: itself, and those that it or they call by name. */
typedef struct reached {
    const lw_ptx_module *module;
    const lw_ptx_function **functions;
    size_t count;
} reached;

static void reach(reached *r, const lw_ptx_function *f)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->functions[i] == f)
            return;
    r->functions[r->count++] = f;
}

/* The function that an operand of a call or mov names; NULL if it names none. */
static const lw_ptx_function *named(const lw_ptx_module *m, const lw_ptx_operand *o)
{
    return o->kind == LW_PTX_OPERAND_FUNCTION ? lw_ptx_function_at(m, o->index) : NULL;
}

static bool call_runs(const lw_ptx_module *m, const lw_ptx_insn *insn)
{
    for (uint32_t i = 0; i < insn->operands.count && i < 2; i++) {
        const lw_ptx_function *f = named(m, lw_ptx_operand_at(m, insn->operands.first + i));
        if (f && !f->is_defined && !lw_ptx_host_find(f->name, f->params.count))
            return false;
    }
    return true;
}

static bool cannot_run(const lw_ptx_module *m, const lw_ptx_insn *insn)
{
    return !lw_ptx_op_runs(insn->op) || (insn->op->id == LW_PTX_OP_call && !call_runs(m, insn));
}

/* Follows the function names in a body. */
static void follow(reached *r, const lw_ptx_function *f)
{
    const lw_ptx_module *m = r->module;
    for (uint32_t i = 0; i < f->insns.count; i++) {
        const lw_ptx_insn *insn = lw_ptx_insn_at(m, f->insns.first + i);
        for (uint32_t o = 0; o < insn->operands.count; o++) {
            const lw_ptx_function *to = named(m, lw_ptx_operand_at(m, insn->operands.first + o));
            if (to && to->is_defined)
                reach(r, to);
        }
    }
}

static void name_insn(const lw_ptx_module *m, const lw_ptx_insn *insn, bool first, lw_error *text)
{
    char whole[160];
    lw_ptx_insn_text(m, insn, whole, sizeof(whole));
    const char *opcode = insn->guard != LW_PTX_NONE ? strchr(whole, ' ') : whole;
    opcode = opcode && *opcode == ' ' ? opcode + 1 : whole;
    const bool call = insn->op && insn->op->id == LW_PTX_OP_call;
    lw_error_append(text, "%s%.*s (line %" PRIu32 ")", first ? "" : ", ",
                    (int)(call ? strcspn(opcode, "\n") : strcspn(opcode, " ")), opcode, insn->line);
}

/* ---- Lists of the instructions of one kind ---- */

/* "wmma.load.a.sync (line 12), mma.sync (line 30)": the first few, and how many more. */
static const char *list_of(lw_program *p, const reached *r,
                           bool (*wanted)(const lw_ptx_module *m, const lw_ptx_insn *insn))
{
    enum { MOST = 40 };
    lw_error text = { "" };
    size_t found = 0;
    for (size_t n = 0; n < r->count; n++) {
        const lw_ptx_function *f = r->functions[n];
        for (uint32_t i = 0; i < f->insns.count; i++) {
            const lw_ptx_insn *insn = lw_ptx_insn_at(p->ptx, f->insns.first + i);
            if (wanted(p->ptx, insn) && found++ < MOST)
                name_insn(p->ptx, insn, found == 1, &text);
        }
    }
    if (found > MOST)
        lw_error_append(&text, " and %zu more", found - MOST);
    return lw_arena_text(&p->arena, text.text, strlen(text.text));
}

/* Instructions for which the PTX ISA only promises an error bound. */
static bool is_approximate(const lw_ptx_module *m, const lw_ptx_insn *insn)
{
    const lw_ptx_group_set bounded =
        LW_PTX_GROUP_BIT(LW_PTX_GROUP_APPROX) | LW_PTX_GROUP_BIT(LW_PTX_GROUP_FULL);
    (void)m;
    return insn->op && (insn->op->needs & bounded) && lw_ptx_op_runs(insn->op);
}

/* ---- Products and sums that the assembler may fuse ---- */

/* Without a rounding modifier, a floating-point instruction may be fused with another (PTX ISA, "add" and
 * "mul"). */
static bool is_loose(const lw_ptx_insn *insn, lw_ptx_op_id id)
{
    return insn->op && insn->op->id == id &&
           lw_ptx_opcode_word(&insn->opcode, LW_PTX_GROUP_ROUND) == LW_PTX_WORD_NONE;
}

static bool is_register(const lw_ptx_module *m, uint32_t operand, uint32_t slot)
{
    const lw_ptx_operand *o = lw_ptx_operand_at(m, operand);
    return o->kind == LW_PTX_OPERAND_REGISTER && o->type != LW_PTX_TYPE_PRED && o->index == slot;
}

/* The product in register `slot` before instruction `at` of the body; NULL if the last instruction that wrote
 * the register is not such a product. */
static const lw_ptx_insn *product_in(const lw_ptx_module *m, const lw_ptx_function *f, uint32_t at,
                                     uint32_t slot)
{
    for (uint32_t i = at; i-- > 0;) {
        const lw_ptx_insn *insn = lw_ptx_insn_at(m, f->insns.first + i);
        if (insn->operands.count && is_register(m, insn->operands.first, slot))
            return is_loose(insn, LW_PTX_OP_mul_float) ? insn : NULL;
    }
    return NULL;
}

static void name_pair(const lw_ptx_insn *product, const lw_ptx_insn *sum, bool first, lw_error *text)
{
    lw_error_append(text, "%slines %" PRIu32 " and %" PRIu32, first ? "" : ", ", product->line, sum->line);
}

static void add_pairs(const lw_ptx_module *m, const lw_ptx_function *f, size_t *found, lw_error *text)
{
    enum { MOST = 20 };
    for (uint32_t i = 0; i < f->insns.count; i++) {
        const lw_ptx_insn *sum = lw_ptx_insn_at(m, f->insns.first + i), *product = NULL;
        if (!is_loose(sum, LW_PTX_OP_add_float) && !is_loose(sum, LW_PTX_OP_sub_float))
            continue;
        for (uint32_t o = 1; o < sum->operands.count && !product; o++) {
            const lw_ptx_operand *source = lw_ptx_operand_at(m, sum->operands.first + o);
            product = source->kind == LW_PTX_OPERAND_REGISTER ? product_in(m, f, i, source->index) : NULL;
            if (product && product->opcode.types[0] != sum->opcode.types[0])
                product = NULL;
        }
        if (product && (*found)++ < MOST)
            name_pair(product, sum, *found == 1, text);
    }
    if (*found > MOST && !strstr(text->text, " and more"))
        lw_error_append(text, " and more");
}

static const char *contracted(lw_program *p, const reached *r)
{
    lw_error text = { "" };
    size_t found = 0;
    for (size_t n = 0; n < r->count; n++)
        add_pairs(p->ptx, r->functions[n], &found, &text);
    return lw_arena_text(&p->arena, text.text, strlen(text.text));
}

bool lw_ptx_fill_needs(lw_program *p, const lw_ptx_function *kernel, lw_kernel_info *info)
{
    reached r = { .module = p->ptx };
    r.functions = lw_arena_alloc(&p->arena, p->ptx->functions.count + 1, sizeof(*r.functions));
    if (!r.functions)
        return false;
    reach(&r, kernel);
    for (size_t n = 0; n < r.count; n++)
        follow(&r, r.functions[n]);
    info->unsupported = list_of(p, &r, cannot_run);
    info->approximate = list_of(p, &r, is_approximate);
    info->contracted = contracted(p, &r);
    return info->unsupported && info->approximate && info->contracted;
}
