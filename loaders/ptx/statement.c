/* SPDX-License-Identifier: MIT */
/* Bodies of functions: blocks, labels, instructions. */
#include <inttypes.h>

#include "loaders/ptx/parse.h"

/* ---- Source lines ---- */

/* The rest of an inlined .loc, after file, line and column: function_name NAME [+n], inlined_at n n n. */
static bool skip_inlined(lw_ptx_parser *p)
{
    lw_ptx_token name;
    lw_ptx_value v = { 0 };
    uint64_t number;
    while (lw_ptx_take_punct(p, ',')) {
        if (!lw_ptx_need_name(p, "function_name or inlined_at", &name))
            return false;
        if (lw_ptx_is(&p->lexer, &name, "function_name")) {
            if (!lw_ptx_need_name(p, "a label", &name) || (lw_ptx_at_punct(p, '+') && !lw_ptx_expr(p, &v)))
                return false;
            continue;
        }
        for (int i = 0; i < 3; i++)
            if (!lw_ptx_need_number(p, "a file, line or column", 0, UINT32_MAX, &number))
                return false;
    }
    return true;
}

bool lw_ptx_loc_read(lw_ptx_parser *p)
{
    uint64_t numbers[3];
    for (int i = 0; i < 3; i++)
        if (!lw_ptx_need_number(p, "a file, line or column", 0, UINT32_MAX, &numbers[i]))
            return false;
    lw_ptx_loc *loc = lw_ptx_push(p, &p->module->locs, sizeof(*loc));
    if (!loc)
        return false;
    *loc = (lw_ptx_loc){ (uint32_t)numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2] };
    p->loc = (uint32_t)(p->module->locs.count - 1);
    return skip_inlined(p);
}

/* ---- Labels ---- */

/* The names in a .branchtargets or .calltargets list, as one operand of the module. */
static bool read_targets(lw_ptx_parser *p, const lw_ptx_token *name)
{
    const size_t mark = p->stack.count;
    p->first_pending = p->pending.count;
    do {
        if (p->stack.count - mark >= 65536)
            return lw_ptx_fail_at(p, &p->token, LW_E_UNSUPPORTED, "more than 65536 targets");
        if (!lw_ptx_operand_read(p))
            return false;
    } while (lw_ptx_take_punct(p, ','));
    lw_ptx_span span;
    if (!lw_ptx_operands_keep(p, mark, &span))
        return false;
    lw_ptx_operand *o = lw_ptx_push(p, &p->module->operands, sizeof(*o));
    if (!o)
        return false;
    *o = (lw_ptx_operand){ .kind = LW_PTX_OPERAND_TARGETS, .index = span.first, .count = span.count };
    return lw_ptx_declare(p, name, LW_PTX_NAME_TARGETS, (uint32_t)(p->module->operands.count - 1)) &&
           lw_ptx_need_punct(p, ';');
}

static bool read_label(lw_ptx_parser *p, const lw_ptx_token *name)
{
    uint32_t index;
    lw_ptx_next(p); /* ':' */
    if (lw_ptx_take_dot(p, ".branchtargets") || lw_ptx_take_dot(p, ".calltargets"))
        return read_targets(p, name);
    if (lw_ptx_take_dot(p, ".callprototype"))
        return lw_ptx_prototype_read(p, &index) && lw_ptx_declare(p, name, LW_PTX_NAME_PROTOTYPE, index) &&
               lw_ptx_need_punct(p, ';');
    lw_ptx_label *label = lw_ptx_push(p, &p->module->labels, sizeof(*label));
    if (!label)
        return false;
    *label = (lw_ptx_label){ name->at, name->size, (uint32_t)p->module->insns.count };
    return lw_ptx_declare(p, name, LW_PTX_NAME_LABEL, label->insn);
}

/* ---- Instructions ---- */

/* @p or @!p */
static bool read_guard(lw_ptx_parser *p, lw_ptx_insn *insn)
{
    lw_ptx_token name;
    lw_ptx_name *found;
    insn->guard_negated = lw_ptx_take_punct(p, '!');
    if (!lw_ptx_need_name(p, "a predicate", &name) || !lw_ptx_find_name(p, &name, &found))
        return false;
    const lw_ptx_register *r =
        found && found->kind == LW_PTX_NAME_REGISTER ? lw_ptx_register_at(p->module, found->index) : NULL;
    if (!r || r->type != LW_PTX_TYPE_PRED || r->vector != 1)
        return lw_ptx_fail_at(p, &name, LW_E_FORMAT, "'%.*s' is not a predicate register",
                              name.size < 80 ? (int)name.size : 80, lw_ptx_text(p, &name));
    insn->guard = r->slot;
    return true;
}

/* The modifiers after a mnemonic. */
static void read_words(lw_ptx_parser *p, lw_ptx_insn *insn)
{
    while (p->token.kind == LW_PTX_TOKEN_DOT && p->token.glued) {
        const lw_ptx_token word = lw_ptx_next(p);
        lw_ptx_opcode_add(&insn->opcode, lw_ptx_text(p, &word) + 1, word.size - 1);
    }
}

static bool read_operands(lw_ptx_parser *p, lw_ptx_insn *insn, bool call)
{
    const size_t mark = p->stack.count;
    p->first_pending = p->pending.count;
    while (!lw_ptx_at_punct(p, ';')) {
        if (p->stack.count - mark >= LW_PTX_MOST_LIST)
            return lw_ptx_fail_at(p, &p->token, LW_E_UNSUPPORTED, "more than %d operands", LW_PTX_MOST_LIST);
        if (call && lw_ptx_at_punct(p, '(') ? !lw_ptx_list_read(p) : !lw_ptx_operand_read(p))
            return false;
        if (lw_ptx_at_punct(p, ';'))
            break;
        if (!lw_ptx_take_punct(p, ','))
            return lw_ptx_expected(p, "',' or ';'");
    }
    return lw_ptx_operands_keep(p, mark, &insn->operands);
}

static bool read_instruction(lw_ptx_parser *p, const lw_ptx_token *start, const lw_ptx_token *mnemonic,
                             lw_ptx_insn *insn)
{
    insn->at = start->at;
    insn->line = start->line;
    insn->column = start->column;
    insn->loc = p->loc;
    insn->mnemonic = mnemonic->at;
    if (mnemonic->size > UINT8_MAX)
        return lw_ptx_fail_at(p, mnemonic, LW_E_FORMAT, "a mnemonic of more than 255 characters");
    insn->mnemonic_size = (uint8_t)mnemonic->size;
    read_words(p, insn);
    if (!read_operands(p, insn, lw_ptx_is(&p->lexer, mnemonic, "call")))
        return false;
    insn->size = p->token.at - start->at;
    insn->op = lw_ptx_op_find(lw_ptx_text(p, mnemonic), mnemonic->size, &insn->opcode);
    if (insn->op && !lw_ptx_check_operands(p, insn))
        return false;
    lw_ptx_function_at(p->module, p->function)->unknown += !lw_ptx_op_runs(insn->op);
    lw_ptx_insn *kept = lw_ptx_need_punct(p, ';') ? lw_ptx_push(p, &p->module->insns, sizeof(*kept)) : NULL;
    if (!kept)
        return false;
    *kept = *insn;
    return true;
}

static bool read_statement(lw_ptx_parser *p)
{
    const lw_ptx_token start = p->token;
    lw_ptx_insn insn = { .guard = LW_PTX_NONE };
    lw_ptx_token name;
    uint8_t space;
    if (lw_ptx_take_punct(p, ';'))
        return true;
    if (lw_ptx_at_punct(p, '{')) {
        if (!lw_ptx_scope_open(p) || !lw_ptx_block_read(p))
            return false;
        lw_ptx_scope_close(p);
        return true;
    }
    if (lw_ptx_take_dot(p, ".loc"))
        return lw_ptx_loc_read(p);
    if (lw_ptx_take_dot(p, ".pragma"))
        return lw_ptx_pragma_read(p);
    if (lw_ptx_space_at(p, &space))
        return lw_ptx_variables_read(p, (lw_ptx_declaration){ 0 });
    const bool guarded = lw_ptx_take_punct(p, '@');
    if (guarded && !read_guard(p, &insn))
        return false;
    if (!lw_ptx_need_name(p, "an instruction", &name))
        return false;
    if (!guarded && lw_ptx_at_punct(p, ':'))
        return read_label(p, &name);
    return read_instruction(p, &start, &name, &insn);
}

bool lw_ptx_block_read(lw_ptx_parser *p)
{
    if (!lw_ptx_need_punct(p, '{'))
        return false;
    while (!lw_ptx_at_punct(p, '}'))
        if (!read_statement(p))
            return false;
    lw_ptx_next(p);
    return true;
}
