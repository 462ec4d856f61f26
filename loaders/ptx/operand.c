/* SPDX-License-Identifier: MIT */
/* Operands of instructions. */
#include <stdlib.h>

#include "loaders/ptx/parse.h"

static lw_ptx_operand *push(lw_ptx_parser *p, lw_ptx_operand_kind kind)
{
    lw_ptx_operand *o = lw_ptx_push(p, &p->stack, sizeof(*o));
    if (o)
        o->kind = (uint8_t)kind;
    return o;
}

/* Pending names were recorded by their place on the stack; they follow their operand into the module. */
static void move_pending(lw_ptx_parser *p, size_t mark, uint32_t first)
{
    for (size_t i = p->first_pending; i < p->pending.count; i++) {
        lw_ptx_pending *pending = (lw_ptx_pending *)p->pending.items + i;
        if (pending->on_stack && pending->operand >= mark) {
            pending->operand = first + (pending->operand - (uint32_t)mark);
            pending->on_stack = false;
        }
    }
}

bool lw_ptx_operands_keep(lw_ptx_parser *p, size_t mark, lw_ptx_span *span)
{
    *span = (lw_ptx_span){ (uint32_t)p->module->operands.count, (uint32_t)(p->stack.count - mark) };
    move_pending(p, mark, span->first);
    for (size_t i = mark; i < p->stack.count; i++) {
        lw_ptx_operand *o = lw_ptx_push(p, &p->module->operands, sizeof(*o));
        if (!o)
            return false;
        *o = ((lw_ptx_operand *)p->stack.items)[i];
    }
    p->stack.count = mark;
    return true;
}

/* Ends a list: the operands from `mark` on become the children of one operand of this kind. */
static bool join(lw_ptx_parser *p, size_t mark, lw_ptx_operand_kind kind)
{
    lw_ptx_span span;
    if (!lw_ptx_operands_keep(p, mark, &span))
        return false;
    lw_ptx_operand *o = push(p, kind);
    if (!o)
        return false;
    o->index = span.first;
    o->count = span.count;
    return true;
}

/* ---- Names ---- */

static int part_of(char letter)
{
    static const char parts[] = "xyzwrgba";
    const char *found = letter ? strchr(parts, letter) : NULL;
    return found ? (int)(found - parts) % 4 : -1;
}

/* ".x" directly after a name; -1 if there is none. */
static bool read_part(lw_ptx_parser *p, int *part)
{
    *part = -1;
    if (p->token.kind != LW_PTX_TOKEN_DOT || !p->token.glued)
        return true;
    *part = p->token.size == 2 ? part_of(lw_ptx_text(p, &p->token)[1]) : -1;
    if (*part < 0)
        return lw_ptx_expected(p, ".x, .y, .z or .w");
    lw_ptx_next(p);
    return true;
}

static bool push_register(lw_ptx_parser *p, const lw_ptx_register *r, uint32_t part)
{
    const unsigned bits = lw_ptx_types[r->type].bits;
    const uint32_t step = r->type == LW_PTX_TYPE_PRED || bits <= 32 ? 1 : bits / 32;
    lw_ptx_operand *o = push(p, LW_PTX_OPERAND_REGISTER);
    if (!o)
        return false;
    o->type = r->type;
    o->index = r->slot + part * step;
    return true;
}

static bool read_register(lw_ptx_parser *p, const lw_ptx_token *name, uint32_t index)
{
    const lw_ptx_register r = *lw_ptx_register_at(p->module, index);
    const size_t mark = p->stack.count;
    int part;
    if (!read_part(p, &part))
        return false;
    if (part >= r.vector)
        return lw_ptx_fail_at(p, name, LW_E_FORMAT, "the register has no such element");
    if (part >= 0 || r.vector == 1)
        return push_register(p, &r, part < 0 ? 0 : (uint32_t)part);
    for (uint32_t i = 0; i < r.vector; i++)
        if (!push_register(p, &r, i))
            return false;
    return join(p, mark, LW_PTX_OPERAND_VECTOR);
}

static bool read_special(lw_ptx_parser *p, const lw_ptx_token *name, lw_ptx_special special, unsigned member)
{
    const lw_ptx_special_info *info = &lw_ptx_specials[special];
    int part;
    if (!read_part(p, &part))
        return false;
    if (info->components > 1 ? part < 0 : part >= 0)
        return lw_ptx_fail_at(p, name, LW_E_FORMAT,
                              info->components > 1 ? "%s is a vector: name its .x, .y or .z"
                                                   : "%s has no elements",
                              info->name);
    lw_ptx_operand *o = push(p, LW_PTX_OPERAND_SPECIAL);
    if (!o)
        return false;
    o->index = special;
    o->count = member;
    o->part = part < 0 ? 0 : (uint8_t)part;
    return true;
}

/* A name that is not declared yet may be a label further down. */
static bool read_later(lw_ptx_parser *p, const lw_ptx_token *name)
{
    lw_ptx_pending *pending = lw_ptx_push(p, &p->pending, sizeof(*pending));
    if (!pending)
        return false;
    *pending = (lw_ptx_pending){
        .token = *name, .operand = (uint32_t)p->stack.count, .scope = p->scope, .on_stack = true
    };
    return push(p, LW_PTX_OPERAND_LABEL) != NULL;
}

/* ---- Values ---- */

static bool push_value(lw_ptx_parser *p, const lw_ptx_token *at, const lw_ptx_value *v)
{
    static const uint8_t kinds[] = { [LW_PTX_VALUE_INT] = LW_PTX_OPERAND_INT,
                                     [LW_PTX_VALUE_F32] = LW_PTX_OPERAND_F32,
                                     [LW_PTX_VALUE_F64] = LW_PTX_OPERAND_F64,
                                     [LW_PTX_VALUE_VARIABLE] = LW_PTX_OPERAND_VARIABLE,
                                     [LW_PTX_VALUE_FUNCTION] = LW_PTX_OPERAND_FUNCTION };
    if (v->masked || v->generic)
        return lw_ptx_fail_at(p, at, LW_E_FORMAT, "generic() and masks belong to initialisers");
    lw_ptx_operand *o = push(p, (lw_ptx_operand_kind)kinds[v->kind]);
    if (!o)
        return false;
    o->index = v->index;
    o->value = v->bits;
    o->is_unsigned = v->is_unsigned;
    return true;
}

/* name[2]: the address of an array's element. */
static bool read_indexed(lw_ptx_parser *p, lw_ptx_operand *o)
{
    uint64_t element;
    const size_t here = (size_t)(o - (lw_ptx_operand *)p->stack.items);
    if (!lw_ptx_need_number(p, "the index of an element", 0, UINT32_MAX, &element) ||
        !lw_ptx_need_punct(p, ']'))
        return false;
    o = (lw_ptx_operand *)p->stack.items + here;
    o->value += element * (lw_ptx_types[lw_ptx_variable_at(p->module, o->index)->type].bits / 8);
    return true;
}

static bool read_constant(lw_ptx_parser *p)
{
    const lw_ptx_token at = p->token;
    lw_ptx_value v = { 0 };
    if (!lw_ptx_expr(p, &v) || !push_value(p, &at, &v))
        return false;
    lw_ptx_operand *o = (lw_ptx_operand *)p->stack.items + (p->stack.count - 1);
    if (o->kind == LW_PTX_OPERAND_VARIABLE && lw_ptx_take_punct(p, '['))
        return read_indexed(p, o);
    return true;
}

/* An operand that begins with a name. Only constants and variables can continue as an expression. */
static bool read_named(lw_ptx_parser *p)
{
    lw_ptx_special special;
    unsigned member;
    lw_ptx_name *found;
    const lw_ptx_token name = p->token;
    if (lw_ptx_is(&p->lexer, &name, "_")) {
        lw_ptx_next(p);
        return push(p, LW_PTX_OPERAND_SINK) != NULL;
    }
    if (lw_ptx_is(&p->lexer, &name, "WARP_SZ"))
        return read_constant(p);
    if (!lw_ptx_find_name(p, &name, &found))
        return false;
    if (found && (found->kind == LW_PTX_NAME_VARIABLE || found->kind == LW_PTX_NAME_FUNCTION))
        return read_constant(p);
    lw_ptx_next(p);
    if (found && found->kind == LW_PTX_NAME_REGISTER)
        return read_register(p, &name, found->index);
    if (!found && lw_ptx_special_find(lw_ptx_text(p, &name), name.size, &special, &member))
        return read_special(p, &name, special, member);
    return read_later(p, &name);
}

/* ---- Lists ---- */

static bool read_list(lw_ptx_parser *p, unsigned end, lw_ptx_operand_kind kind)
{
    const size_t mark = p->stack.count;
    if (!lw_ptx_enter(p))
        return false;
    lw_ptx_next(p);
    if (!lw_ptx_at_punct(p, end) || kind != LW_PTX_OPERAND_LIST)
        do {
            if (p->stack.count - mark >= LW_PTX_MOST_LIST)
                return lw_ptx_fail_at(p, &p->token, LW_E_UNSUPPORTED, "more than %d operands",
                                      LW_PTX_MOST_LIST);
            if (!lw_ptx_operand_read(p))
                return false;
        } while (lw_ptx_take_punct(p, ','));
    if (!lw_ptx_need_punct(p, end))
        return false;
    p->depth--;
    return join(p, mark, kind);
}

/* "+ 4", "+-8" after a register in brackets. */
static bool read_offset(lw_ptx_parser *p)
{
    uint64_t offset = 0;
    const size_t here = p->stack.count - 1;
    lw_ptx_operand *o = (lw_ptx_operand *)p->stack.items + here;
    if (o->kind != LW_PTX_OPERAND_REGISTER || !lw_ptx_take_punct(p, '+'))
        return true;
    if (!lw_ptx_need_number(p, "what is added to an address", 0, UINT64_MAX, &offset))
        return false;
    ((lw_ptx_operand *)p->stack.items)[here].value = offset;
    return true;
}

static bool read_pair(lw_ptx_parser *p, size_t mark)
{
    const lw_ptx_operand *first = (lw_ptx_operand *)p->stack.items + mark;
    if (first->kind != LW_PTX_OPERAND_REGISTER && first->kind != LW_PTX_OPERAND_SINK)
        return true;
    if (!lw_ptx_take_punct(p, '|'))
        return true;
    return read_named(p) && join(p, mark, LW_PTX_OPERAND_PAIR);
}

bool lw_ptx_list_read(lw_ptx_parser *p)
{
    return read_list(p, ')', LW_PTX_OPERAND_LIST);
}

bool lw_ptx_operand_read(lw_ptx_parser *p)
{
    const size_t mark = p->stack.count;
    if (lw_ptx_at_punct(p, '{'))
        return read_list(p, '}', LW_PTX_OPERAND_VECTOR);
    if (lw_ptx_at_punct(p, '['))
        return read_list(p, ']', LW_PTX_OPERAND_ADDRESS);
    if (p->token.kind == LW_PTX_TOKEN_NAME)
        return read_named(p) && read_offset(p) && read_pair(p, mark);
    if (!lw_ptx_at_punct(p, '!'))
        return read_constant(p);
    lw_ptx_lexer saved = p->lexer;
    const lw_ptx_token bang = lw_ptx_next(p);
    if (p->token.kind != LW_PTX_TOKEN_NAME || lw_ptx_is(&p->lexer, &p->token, "WARP_SZ")) {
        p->lexer = saved;
        p->token = bang;
        return read_constant(p);
    }
    if (!read_named(p))
        return false;
    lw_ptx_operand *o = (lw_ptx_operand *)p->stack.items + (p->stack.count - 1);
    if (o->kind != LW_PTX_OPERAND_REGISTER || o->type != LW_PTX_TYPE_PRED)
        return lw_ptx_fail_at(p, &bang, LW_E_FORMAT, "'!' stands before a predicate");
    o->negated = true;
    return true;
}

/* ---- Labels ---- */

static bool resolve(lw_ptx_parser *p, const lw_ptx_pending *pending)
{
    const lw_ptx_name *n = lw_ptx_find_from(p, &pending->token, pending->scope);
    lw_ptx_operand *o = lw_ptx_operand_at(p->module, pending->operand);
    if (!n)
        return lw_ptx_fail_at(p, &pending->token, LW_E_FORMAT, "'%.*s' is not declared",
                              pending->token.size < 80 ? (int)pending->token.size : 80,
                              lw_ptx_text(p, &pending->token));
    if (n->kind == LW_PTX_NAME_TARGETS)
        *o = *lw_ptx_operand_at(p->module, n->index);
    else if (n->kind == LW_PTX_NAME_LABEL || n->kind == LW_PTX_NAME_PROTOTYPE) {
        o->kind = n->kind == LW_PTX_NAME_LABEL ? LW_PTX_OPERAND_LABEL : LW_PTX_OPERAND_PROTOTYPE;
        o->index = n->index;
    } else
        return lw_ptx_fail_at(p, &pending->token, LW_E_FORMAT, "the name is declared only further down");
    return true;
}

bool lw_ptx_resolve_pending(lw_ptx_parser *p)
{
    for (size_t i = 0; i < p->pending.count; i++)
        if (!resolve(p, (lw_ptx_pending *)p->pending.items + i))
            return false;
    p->pending.count = p->first_pending = 0;
    return true;
}
