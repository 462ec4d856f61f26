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

/* What a function has to list. */
enum { SEEN = 1, UNSUPPORTED = 2, APPROXIMATE = 4, PAIRS = 8 };

static size_t number_of(const lw_ptx_needs *n, const lw_ptx_function *f)
{
    return (size_t)(f - lw_ptx_function_at(n->program->ptx, 0));
}

/* The functions that a kernel may reach: itself, and those that it or they call by name. */
typedef struct reached {
    lw_ptx_needs *needs;
    const lw_ptx_module *module;
    size_t count; /* of needs->functions */
} reached;

static void reach(reached *r, const lw_ptx_function *f)
{
    uint32_t *by = &r->needs->reached_by[number_of(r->needs, f)];
    if (*by != r->needs->kernel)
        r->needs->functions[r->count++] = f;
    *by = r->needs->kernel;
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
    const char *only = lw_ptx_op_target(insn->op);
    if (only && strcmp(m->target, only) != 0)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s is an instruction of %s only", insn->op->mnemonic,
                             only) == LW_OK;
    return wait ? lw_ptx_wgmma_verb_of(opcode) != LW_PTX_WGMMA_NONE
                : lw_insn_parse(lw_ptx_arch(m->target), opcode, &row, &mods, error) == LW_OK;
}

/* The same, remembered: kernels repeat few spellings. */
static bool is_known_matrix(reached *r, const lw_ptx_insn *insn)
{
    const char *text = r->module->text + insn->mnemonic;
    const size_t size = strcspn(text, " \t\r\n;[{");
    lw_ptx_spellings *all = &r->needs->spellings;
    for (size_t i = 0; i < LW_PTX_SPELLINGS && i < all->count; i++)
        if (all->last[i].size == size && memcmp(all->last[i].text, text, size) == 0)
            return all->last[i].known;
    const lw_ptx_spelling new = { text, size, is_matrix(r->module, insn, NULL) };
    all->last[all->count++ % LW_PTX_SPELLINGS] = new;
    return new.known;
}

static bool cannot_run(reached *r, const lw_ptx_insn *insn)
{
    const lw_ptx_module *m = r->module;
    return !lw_ptx_op_runs(insn->op) || (insn->op->id == LW_PTX_OP_call && !call_runs(m, insn)) ||
           (insn->op->operands[0] == 'n' && !is_known_matrix(r, insn)) || unknown_register(m, insn);
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

/* "wmma.load.a.sync (line 12), mma.sync (line 30)": a thousand at most, and how many more. `bit`: what
 * functions without any do not have. */
static const char *list_of(reached *r, unsigned bit, bool (*wanted)(reached *r, const lw_ptx_insn *insn))
{
    enum { MOST = 1000 };
    lw_ptx_needs *needs = r->needs;
    lw_program *p = needs->program;
    list l = { 0 };
    for (size_t n = 0; n < r->count; n++) {
        const lw_ptx_function *f = needs->functions[n];
        if (!(needs->has[number_of(needs, f)] & bit))
            continue;
        for (uint32_t i = 0; i < f->insns.count; i++) {
            const lw_ptx_insn *insn = lw_ptx_insn_at(p->ptx, f->insns.first + i);
            if (wanted(r, insn) && l.found++ < MOST && l.size < needs->text_left)
                name_insn(&l, p->ptx, insn);
        }
    }
    if (l.found && (l.found > MOST || l.size >= needs->text_left))
        append(&l, " and more, %zu in all", l.found);
    needs->text_left -= l.size < needs->text_left ? l.size : needs->text_left;
    const char *text = l.failed ? NULL : lw_arena_text(&p->arena, l.text ? l.text : "", l.size);
    free(l.text);
    return text;
}

/* Instructions for which the PTX ISA only promises an error bound. */
static bool is_approximate(reached *r, const lw_ptx_insn *insn)
{
    const lw_ptx_group_set bounded =
        LW_PTX_GROUP_BIT(LW_PTX_GROUP_APPROX) | LW_PTX_GROUP_BIT(LW_PTX_GROUP_FULL);
    (void)r;
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

/* The slot of the register that an operand is; LW_PTX_NONE if it is none that holds numbers. */
static uint32_t slot_of(const lw_ptx_module *m, uint32_t operand)
{
    const lw_ptx_operand *o = lw_ptx_operand_at(m, operand);
    return o->kind == LW_PTX_OPERAND_REGISTER && o->type != LW_PTX_TYPE_PRED ? o->index : LW_PTX_NONE;
}

/* The product of the sum's type that one of its sources was written by last, as far as the text goes; NULL:
 * none was. */
static const lw_ptx_insn *product_of(const lw_ptx_needs *n, const lw_ptx_function *f, const lw_ptx_insn *sum)
{
    const lw_ptx_module *m = n->program->ptx;
    for (uint32_t o = 1; o < sum->operands.count; o++) {
        const uint32_t slot = slot_of(m, sum->operands.first + o);
        const uint32_t last = slot < f->rows ? n->last[slot] : 0;
        const lw_ptx_insn *product = last ? lw_ptx_insn_at(m, f->insns.first + last - 1) : NULL;
        if (product && product->opcode.types[0] == sum->opcode.types[0])
            return product;
    }
    return NULL;
}

static bool is_sum(const lw_ptx_insn *insn)
{
    return is_loose(insn, LW_PTX_OP_add_float) || is_loose(insn, LW_PTX_OP_sub_float);
}

/* Pairs of one function, in the order of their sums; `text` NULL: only counts them. */
static void add_pairs(lw_ptx_needs *n, const lw_ptx_function *f, size_t *found, lw_error *text)
{
    enum { MOST = 20 };
    const lw_ptx_module *m = n->program->ptx;
    memset(n->last, 0, f->rows * sizeof(*n->last));
    for (uint32_t i = 0; i < f->insns.count; i++) {
        const lw_ptx_insn *insn = lw_ptx_insn_at(m, f->insns.first + i);
        const lw_ptx_insn *product = is_sum(insn) ? product_of(n, f, insn) : NULL;
        const uint32_t slot = insn->operands.count ? slot_of(m, insn->operands.first) : LW_PTX_NONE;
        if (product && (*found)++ < MOST && text)
            lw_error_append(text, "%slines %" PRIu32 " and %" PRIu32, *found == 1 ? "" : ", ", product->line,
                            insn->line);
        if (slot < f->rows)
            n->last[slot] = is_loose(insn, LW_PTX_OP_mul_float) ? i + 1 : 0;
    }
    if (text && *found > MOST && !strstr(text->text, " and more"))
        lw_error_append(text, " and more");
}

static const char *contracted(reached *r)
{
    lw_ptx_needs *needs = r->needs;
    lw_error text = { "" };
    size_t found = 0;
    for (size_t n = 0; n < r->count; n++)
        if (needs->has[number_of(needs, needs->functions[n])] & PAIRS)
            add_pairs(needs, needs->functions[n], &found, &text);
    return lw_arena_text(&needs->program->arena, text.text, strlen(text.text));
}

/* ---- All of a kernel ---- */

/* Looks once at a function's instructions. */
static void note_function(reached *r, const lw_ptx_function *f)
{
    uint8_t *has = &r->needs->has[number_of(r->needs, f)];
    size_t pairs = 0;
    if (*has)
        return;
    *has = SEEN;
    for (uint32_t i = 0; i < f->insns.count; i++) {
        const lw_ptx_insn *insn = lw_ptx_insn_at(r->module, f->insns.first + i);
        *has |=
            (uint8_t)((cannot_run(r, insn) ? UNSUPPORTED : 0) | (is_approximate(r, insn) ? APPROXIMATE : 0));
    }
    add_pairs(r->needs, f, &pairs, NULL);
    *has |= pairs ? PAIRS : 0;
}

bool lw_ptx_needs_open(lw_ptx_needs *needs, lw_program *program)
{
    enum { MOST_TEXT = 4 << 20 };
    const size_t count = program->ptx->functions.count + 1;
    size_t rows = 1;
    for (size_t i = 0; i + 1 < count; i++)
        if (lw_ptx_function_at(program->ptx, i)->rows > rows)
            rows = lw_ptx_function_at(program->ptx, i)->rows;
    *needs = (lw_ptx_needs){ .program = program, .text_left = MOST_TEXT };
    needs->functions = calloc(count, sizeof(*needs->functions));
    needs->reached_by = calloc(count, sizeof(*needs->reached_by));
    needs->has = calloc(count, 1);
    needs->last = calloc(rows, sizeof(*needs->last));
    return needs->functions && needs->reached_by && needs->has && needs->last;
}

void lw_ptx_needs_close(lw_ptx_needs *needs)
{
    free(needs->functions);
    free(needs->reached_by);
    free(needs->has);
    free(needs->last);
}

bool lw_ptx_fill_needs(lw_ptx_needs *needs, const lw_ptx_function *kernel, lw_kernel_info *info)
{
    reached r = { .needs = needs, .module = needs->program->ptx };
    needs->kernel++;
    reach(&r, kernel);
    for (size_t n = 0; n < r.count; n++) {
        follow(&r, needs->functions[n]);
        note_function(&r, needs->functions[n]);
    }
    info->unsupported = list_of(&r, UNSUPPORTED, cannot_run);
    info->approximate = list_of(&r, APPROXIMATE, is_approximate);
    info->contracted = contracted(&r);
    return info->unsupported && info->approximate && info->contracted;
}
