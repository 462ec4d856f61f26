/* SPDX-License-Identifier: MIT */
#include "loaders/ptx/needs.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lanewise/insn.h>

#include "isa_tables/error.h"
#include "isa_tables/ptx/parts.h"
#include "loaders/ptx/program.h"

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

/* A special register whose value is not known; NULL if the instruction reads none. */
static const char *unknown_register(const lw_ptx_module *m, const lw_ptx_insn *insn)
{
    for (uint32_t i = 0; i < insn->operands.count; i++) {
        const lw_ptx_operand *o = lw_ptx_operand_at(m, insn->operands.first + i);
        if (o->kind == LW_PTX_OPERAND_SPECIAL && !(lw_ptx_specials[o->index].known >> o->count & 1))
            return lw_ptx_specials[o->index].name;
    }
    return NULL;
}

/* Is there such a matrix instruction, on the module's target? Otherwise `error`, unless it is NULL, says why
 * not. */
static bool is_matrix(const lw_ptx_module *m, const lw_ptx_insn *insn, lw_error *error)
{
    enum { SPELLING = 256 };
    const char *text = m->text + insn->mnemonic;
    char opcode[SPELLING];
    lw_mods mods;
    const lw_insn *row;
    snprintf(opcode, sizeof(opcode), "%.*s", (int)strcspn(text, " \t\r\n;[{"), text);
    const bool wait = insn->op->id == LW_PTX_OP_wgmma && lw_ptx_wgmma_verb_of(opcode) != LW_PTX_WGMMA_PRODUCT;
    if (insn->op->id == LW_PTX_OP_wgmma && strcmp(m->target, "sm_90a") != 0)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "wgmma is an instruction of sm_90a only") == LW_OK;
    return wait ? lw_ptx_wgmma_verb_of(opcode) != LW_PTX_WGMMA_NONE
                : lw_insn_parse(lw_ptx_arch(m->target), opcode, &row, &mods, error) == LW_OK;
}

static bool cannot_run(const lw_ptx_module *m, const lw_ptx_insn *insn)
{
    return !lw_ptx_op_runs(insn->op) || (insn->op->id == LW_PTX_OP_call && !call_runs(m, insn)) ||
           (insn->op->operands[0] == 'n' && !is_matrix(m, insn, NULL)) || unknown_register(m, insn);
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

/* ---- Lists of the instructions of one kind ---- */

typedef struct list {
    char *text;
    size_t size, capacity, found;
    bool failed, explained;
} list;

static void append(list *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(list *l, const char *format, ...)
{
    char part[1400];
    va_list args;
    va_start(args, format);
    const int written = vsnprintf(part, sizeof(part), format, args);
    va_end(args);
    const size_t size = written < 0 ? 0 : strlen(part);
    if (l->size + size + 1 > l->capacity) {
        const size_t capacity = 2 * (l->capacity + sizeof(part));
        char *grown = realloc(l->text, capacity);
        l->failed = l->failed || !grown;
        if (!grown)
            return;
        l->text = grown;
        l->capacity = capacity;
    }
    memcpy(l->text + l->size, part, size + 1);
    l->size += size;
}

/* Why there is no such matrix instruction, once in a list. */
static void explain(list *l, const lw_ptx_module *m, const lw_ptx_insn *insn)
{
    lw_error error = { "" };
    if (l->explained || !insn->op || insn->op->operands[0] != 'n' || is_matrix(m, insn, &error))
        return;
    l->explained = true;
    append(l, ": %.600s", error.text);
}

static void name_insn(list *l, const lw_ptx_module *m, const lw_ptx_insn *insn)
{
    char whole[160];
    lw_ptx_insn_text(m, insn, whole, sizeof(whole));
    const char *opcode = insn->guard != LW_PTX_NONE ? strchr(whole, ' ') : whole;
    opcode = opcode && *opcode == ' ' ? opcode + 1 : whole;
    const bool call = insn->op && insn->op->id == LW_PTX_OP_call;
    const bool whole_text = call || unknown_register(m, insn);
    append(l, "%s%.*s (line %" PRIu32, l->size ? ", " : "", (int)strcspn(opcode, whole_text ? "\n" : " "),
           opcode, insn->line);
    explain(l, m, insn);
    append(l, ")");
}

/* "wmma.load.a.sync (line 12), mma.sync (line 30)": a thousand at most, and how many more. */
static const char *list_of(lw_program *p, const reached *r,
                           bool (*wanted)(const lw_ptx_module *m, const lw_ptx_insn *insn))
{
    enum { MOST = 1000 };
    list l = { 0 };
    for (size_t n = 0; n < r->count; n++) {
        const lw_ptx_function *f = r->functions[n];
        for (uint32_t i = 0; i < f->insns.count; i++) {
            const lw_ptx_insn *insn = lw_ptx_insn_at(p->ptx, f->insns.first + i);
            if (wanted(p->ptx, insn) && l.found++ < MOST)
                name_insn(&l, p->ptx, insn);
        }
    }
    if (l.found > MOST)
        append(&l, " and %zu more", l.found - MOST);
    const char *text = l.failed ? NULL : lw_arena_text(&p->arena, l.text ? l.text : "", l.size);
    free(l.text);
    return text;
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
