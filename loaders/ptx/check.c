/* SPDX-License-Identifier: MIT */
/* Operands against the row of their instruction: how many there are, of what kind, how wide. */
#include <stdio.h>

#include "loaders/ptx/parse.h"

typedef struct checking {
    lw_ptx_parser *p;
    const lw_ptx_insn *insn;
    unsigned number; /* of the operand, counted from 1 */
} checking;

static bool refuse(const checking *c, const char *what)
{
    const lw_ptx_token at = { .line = c->insn->line, .column = c->insn->column };
    return lw_ptx_fail_at(c->p, &at, LW_E_FORMAT, "operand %u of %.*s must be %s", c->number,
                          (int)c->insn->mnemonic_size, c->p->module->text + c->insn->mnemonic, what);
}

static bool is_predicate(const lw_ptx_operand *o)
{
    return o->kind == LW_PTX_OPERAND_REGISTER && o->type == LW_PTX_TYPE_PRED;
}

static bool is_integer_class(uint8_t kind)
{
    return kind == LW_PTX_CLASS_SIGNED || kind == LW_PTX_CLASS_UNSIGNED;
}

/*
 * PTX ISA 9.1, "Operand Size Exceeding Instruction-Type Size" and "Type Checking": a register fits if it is
 * as wide as the type (or wider, where that is allowed) and of the same class, or if one of the two types is
 * untyped bits.
 */
static bool register_fits(const lw_ptx_operand *o, uint8_t type, bool wider)
{
    const lw_ptx_type_info *is = &lw_ptx_types[o->type], *wanted = &lw_ptx_types[type];
    if ((o->type == LW_PTX_TYPE_PRED) != (type == LW_PTX_TYPE_PRED))
        return false;
    if (is->bits != wanted->bits && (!wider || is->bits < wanted->bits))
        return false;
    if (is->bits != wanted->bits && (is->kind == LW_PTX_CLASS_FLOAT || wanted->kind == LW_PTX_CLASS_FLOAT))
        return is->kind == LW_PTX_CLASS_BITS;
    return is->kind == wanted->kind || is->kind == LW_PTX_CLASS_BITS || wanted->kind == LW_PTX_CLASS_BITS ||
           (is_integer_class(is->kind) && is_integer_class(wanted->kind));
}

static bool constant_fits(const lw_ptx_operand *o, uint8_t type)
{
    const lw_ptx_type_info *wanted = &lw_ptx_types[type];
    const bool real = o->kind == LW_PTX_OPERAND_F32 || o->kind == LW_PTX_OPERAND_F64;
    if (wanted->kind == LW_PTX_CLASS_FLOAT)
        return real;
    return o->kind == LW_PTX_OPERAND_INT || (real && wanted->kind == LW_PTX_CLASS_BITS);
}

static bool check_source(const checking *c, const lw_ptx_operand *o, uint8_t type, bool wider)
{
    char what[80];
    const bool good = o->kind == LW_PTX_OPERAND_REGISTER ? register_fits(o, type, wider) && !o->negated
                                                         : constant_fits(o, type);
    snprintf(what, sizeof(what), "a register or constant of type .%s", lw_ptx_types[type].word);
    return good || refuse(c, what);
}

static bool check_result(const checking *c, const lw_ptx_operand *o, uint8_t type, bool wider)
{
    char what[80];
    const bool good = o->kind == LW_PTX_OPERAND_SINK ||
                      (o->kind == LW_PTX_OPERAND_REGISTER && register_fits(o, type, wider) && !o->negated);
    snprintf(what, sizeof(what), "a register of type .%s", lw_ptx_types[type].word);
    return good || refuse(c, what);
}

static uint8_t twice(uint8_t type)
{
    const bool is_signed = lw_ptx_types[type].kind == LW_PTX_CLASS_SIGNED;
    if (lw_ptx_types[type].bits == 16)
        return is_signed ? LW_PTX_TYPE_S32 : LW_PTX_TYPE_U32;
    return is_signed ? LW_PTX_TYPE_S64 : LW_PTX_TYPE_U64;
}

/* ---- Vectors ---- */

static unsigned elements(const lw_ptx_insn *insn)
{
    const lw_ptx_word_id word = lw_ptx_opcode_word(&insn->opcode, LW_PTX_GROUP_VECTOR);
    return word == LW_PTX_WORD_V2 ? 2 : word == LW_PTX_WORD_V4 ? 4 : word == LW_PTX_WORD_V8 ? 8 : 1;
}

static bool check_vector(const checking *c, const lw_ptx_operand *o, uint8_t type, unsigned count,
                         bool result)
{
    const bool vector = o->kind == LW_PTX_OPERAND_VECTOR;
    if (vector ? o->count != count : count != 1)
        return refuse(c, count == 1   ? "one register"
                         : count == 2 ? "{a, b}"
                         : count == 4 ? "{a, b, c, d}"
                                      : "a vector of eight elements");
    for (unsigned i = 0; i < count; i++) {
        const lw_ptx_operand *e = vector ? lw_ptx_operand_at(c->p->module, o->index + i) : o;
        if (result ? !check_result(c, e, type, true) : !check_source(c, e, type, true))
            return false;
    }
    return true;
}

/* {a, b} of mov: parts of equal width that together are as wide as the type. */
static bool check_packed(const checking *c, const lw_ptx_operand *o, uint8_t type, bool result)
{
    const unsigned bits = lw_ptx_types[type].bits;
    if ((o->count != 2 && o->count != 4) || bits / o->count < 8)
        return refuse(c, "made of 2 or 4 parts of 8 bits or more");
    for (unsigned i = 0; i < o->count; i++) {
        const lw_ptx_operand *e = lw_ptx_operand_at(c->p->module, o->index + i);
        const bool sink = result && e->kind == LW_PTX_OPERAND_SINK;
        const bool constant = !result && (e->kind == LW_PTX_OPERAND_INT ||
                                          (e->kind == LW_PTX_OPERAND_F32 && bits / o->count == 32) ||
                                          (e->kind == LW_PTX_OPERAND_F64 && bits / o->count == 64));
        if (!sink && !constant &&
            (e->kind != LW_PTX_OPERAND_REGISTER || lw_ptx_types[e->type].bits != bits / o->count))
            return refuse(c, "made of registers whose widths add up to its type");
    }
    return true;
}

/* ---- One letter of a row ---- */

static bool check_address(const checking *c, const lw_ptx_operand *o)
{
    const char *what = "an address in brackets";
    if (o->kind == LW_PTX_OPERAND_VARIABLE)
        return true;
    if (o->kind != LW_PTX_OPERAND_ADDRESS || o->count != 1)
        return refuse(c, what);
    const lw_ptx_operand *base = lw_ptx_operand_at(c->p->module, o->index);
    if (base->kind == LW_PTX_OPERAND_REGISTER)
        return (lw_ptx_types[base->type].bits >= 32 && lw_ptx_types[base->type].bits <= 64 &&
                lw_ptx_types[base->type].kind != LW_PTX_CLASS_FLOAT) ||
               refuse(c, "an address: its register must be an integer of 32 or 64 bits");
    return base->kind == LW_PTX_OPERAND_VARIABLE || base->kind == LW_PTX_OPERAND_INT || refuse(c, what);
}

#define ROWS_OF_TENSORS (LW_PTX_GROUP_BIT(LW_PTX_GROUP_GATHER) | LW_PTX_GROUP_BIT(LW_PTX_GROUP_SCATTER))

/* [map, {x, y}]: as many coordinates as the modifier says; a column and four rows. */
static bool check_tensor(const checking *c, const lw_ptx_operand *o)
{
    const unsigned said =
        (unsigned)(lw_ptx_opcode_word(&c->insn->opcode, LW_PTX_GROUP_DIM) - LW_PTX_WORD_DIM_1) + 1;
    const bool rows = (lw_ptx_opcode_groups(&c->insn->opcode) & ROWS_OF_TENSORS) != 0;
    const unsigned dims = rows ? 5 : said;
    if (rows && said != 2)
        return refuse(c,
                      "of a tensor of two dimensions (.2d), whose rows .tile::gather4 and scatter4 choose");
    if (o->kind != LW_PTX_OPERAND_ADDRESS || o->count != 2)
        return refuse(c, "a tensor's map and coordinates, [map, {x, y}]");
    const lw_ptx_operand *map = lw_ptx_operand_at(c->p->module, o->index);
    const lw_ptx_operand *at = lw_ptx_operand_at(c->p->module, o->index + 1);
    if (map->kind != LW_PTX_OPERAND_VARIABLE && !register_fits(map, LW_PTX_TYPE_B64, false))
        return refuse(c, "a tensor's map, whose address has 64 bits, and coordinates");
    if (at->kind != LW_PTX_OPERAND_VECTOR || at->count != dims)
        return refuse(c, rows ? "a tensor's map, a column and four rows: [map, {x, y0, y1, y2, y3}]"
                              : "a tensor's map and a coordinate for each dimension");
    for (unsigned i = 0; i < dims; i++)
        if (!check_source(c, lw_ptx_operand_at(c->p->module, at->index + i), LW_PTX_TYPE_B32, false))
            return false;
    return true;
}

/* {w, h}: an offset for each dimension but the first and the last; of im2col::w {halo, offset}. */
static bool check_offsets(const checking *c, const lw_ptx_operand *o)
{
    const unsigned dims =
        (unsigned)(lw_ptx_opcode_word(&c->insn->opcode, LW_PTX_GROUP_DIM) - LW_PTX_WORD_DIM_1) + 1;
    if (dims < 3)
        return refuse(c, "left out: im2col copies have three to five dimensions");
    const bool wide =
        (lw_ptx_opcode_groups(&c->insn->opcode) & LW_PTX_GROUP_BIT(LW_PTX_GROUP_IM2COL_WIDE)) != 0;
    if (o->kind != LW_PTX_OPERAND_VECTOR || o->count != (wide ? 2 : dims - 2))
        return refuse(c, wide ? "the halo and the offset in braces, {halo, offset}"
                              : "the offsets in braces, of each dimension but the first and the last");
    for (unsigned i = 0; i < o->count; i++)
        if (!check_source(c, lw_ptx_operand_at(c->p->module, o->index + i), LW_PTX_TYPE_U16, false))
            return false;
    return true;
}

/* isspacep: a plain address, in a register or of a variable. */
static bool check_pointer(const checking *c, const lw_ptx_operand *o)
{
    const bool reg = o->kind == LW_PTX_OPERAND_REGISTER && !o->negated &&
                     (lw_ptx_types[o->type].bits == 32 || lw_ptx_types[o->type].bits == 64) &&
                     lw_ptx_types[o->type].kind != LW_PTX_CLASS_FLOAT;
    return reg || o->kind == LW_PTX_OPERAND_VARIABLE || o->kind == LW_PTX_OPERAND_INT ||
           refuse(c, "an address in a register of 32 or 64 bits");
}

/* A result of this type, or a result and a predicate, r|p. */
static bool check_pair(const checking *c, const lw_ptx_operand *o, uint8_t type)
{
    if (o->kind != LW_PTX_OPERAND_PAIR)
        return check_result(c, o, type, false);
    return o->count == 2 && check_result(c, lw_ptx_operand_at(c->p->module, o->index), type, false) &&
           check_result(c, lw_ptx_operand_at(c->p->module, o->index + 1), LW_PTX_TYPE_PRED, false);
}

/* The operands that mov takes. */
static bool check_moved(const checking *c, const lw_ptx_operand *o, uint8_t type)
{
    const unsigned bits = lw_ptx_types[type].bits;
    if (o->kind == LW_PTX_OPERAND_VECTOR)
        return check_packed(c, o, type, false);
    if (o->kind == LW_PTX_OPERAND_SPECIAL) {
        const unsigned own = lw_ptx_specials[o->index].bits;
        return own == bits || (own == 32 && bits == 64) || (own == 32 && bits == 16) ||
               refuse(c, "as wide as its type");
    }
    if (o->kind == LW_PTX_OPERAND_VARIABLE || o->kind == LW_PTX_OPERAND_FUNCTION)
        return bits >= 32 || refuse(c, "no address: it does not fit the type");
    return check_source(c, o, type, false);
}

static bool check_predicate(const checking *c, const lw_ptx_operand *o)
{
    return is_predicate(o) || o->kind == LW_PTX_OPERAND_INT || refuse(c, "a predicate");
}

static bool check_letter(const checking *c, char letter, const lw_ptx_operand *o)
{
    const uint8_t first = c->insn->opcode.types[0], second = c->insn->opcode.types[1];
    const bool address = o->kind == LW_PTX_OPERAND_VARIABLE || o->kind == LW_PTX_OPERAND_FUNCTION;
    switch (letter) {
    case 'd':
    case 'D':
        return check_result(c, o, first, letter == 'D');
    case 'e':
        return check_result(c, o, LW_PTX_TYPE_B32, false);
    case 'w':
        return check_result(c, o, twice(first), false);
    case 'q':
        return check_pair(c, o, LW_PTX_TYPE_PRED);
    case 'Q':
        return check_pair(c, o, first);
    case 'E':
        return check_pair(c, o, LW_PTX_TYPE_B32);
    case 'o':
        return check_result(c, o, LW_PTX_TYPE_PRED, false);
    case 't':
        return o->kind == LW_PTX_OPERAND_TARGETS || o->kind == LW_PTX_OPERAND_LABEL ||
               refuse(c, "the name of a list of labels");
    case 'u':
        return is_predicate(o) || check_source(c, o, LW_PTX_TYPE_U32, false);
    case 'V':
    case 'v':
        return check_vector(c, o, first, elements(c->insn), letter == 'V');
    case 'W':
        return check_vector(c, o, second, 4, false);
    case 'N':
        return o->kind == LW_PTX_OPERAND_VECTOR ? check_packed(c, o, first, true)
                                                : check_result(c, o, first, false);
    case 'M':
        return check_moved(c, o, first);
    case 'm':
    case 'z':
    case 'j':
        return check_address(c, o);
    case 'l':
        return o->kind == LW_PTX_OPERAND_LABEL || refuse(c, "a label");
    case 'p':
        return check_predicate(c, o);
    case 's':
        return address || check_source(c, o, first, false);
    case 'x':
        return check_source(c, o, twice(first), false);
    case 'c':
    case 'y':
        return check_source(c, o, LW_PTX_TYPE_U32, false);
    case 'T':
        return check_tensor(c, o);
    case 'O':
        return check_offsets(c, o);
    case 'g':
        return check_source(c, o, LW_PTX_TYPE_U16, false);
    case 'f':
        return check_source(c, o, LW_PTX_TYPE_F32, false);
    case 'h':
        return check_source(c, o, LW_PTX_TYPE_B64, false);
    case 'S':
        return check_pointer(c, o);
    case 'b':
    case 'B':
        return check_source(c, o, second, letter == 'B');
    default:
        return (letter == 'a' && first == LW_PTX_TYPE_PRED) ? check_predicate(c, o)
                                                            : check_source(c, o, first, false);
    }
}

/* An undeclared name was taken for a label; where a label is not allowed, report the missing declaration. */
static bool refuse_name(const checking *c, uint32_t operand)
{
    for (size_t i = c->p->first_pending; i < c->p->pending.count; i++) {
        const lw_ptx_pending *pending = (lw_ptx_pending *)c->p->pending.items + i;
        if (pending->operand == operand)
            return lw_ptx_fail_at(c->p, &pending->token, LW_E_FORMAT, "'%.*s' is not declared",
                                  pending->token.size < 80 ? (int)pending->token.size : 80,
                                  lw_ptx_text(c->p, &pending->token));
    }
    return refuse(c, "no label");
}

/* Names among the operands of a matrix instruction that nothing declares. */
static bool check_names(checking *c)
{
    for (uint32_t i = 0; i < c->insn->operands.count; i++) {
        const uint32_t index = c->insn->operands.first + i;
        const lw_ptx_operand *o = lw_ptx_operand_at(c->p->module, index);
        const bool vector = o->kind == LW_PTX_OPERAND_VECTOR;
        c->number = i + 1;
        for (uint32_t e = 0; e < (vector ? o->count : 1); e++) {
            const uint32_t at = vector ? o->index + e : index;
            if (lw_ptx_operand_at(c->p->module, at)->kind == LW_PTX_OPERAND_LABEL)
                return refuse_name(c, at);
        }
    }
    return true;
}

bool lw_ptx_check_operands(lw_ptx_parser *p, const lw_ptx_insn *insn)
{
    checking c = { .p = p, .insn = insn };
    char letters[LW_PTX_MOST_OPERANDS + 1];
    const char first = insn->op->operands[0];
    if (first == 'n')
        return check_names(&c) && lw_ptx_check_matrix(p, insn);
    if (first == 'k')
        return true; /* its handler checks them */
    const bool fits = lw_ptx_op_letters(insn->op, &insn->opcode, insn->operands.count, letters);
    for (uint32_t i = 0; i < insn->operands.count && letters[i]; i++) {
        const uint32_t index = insn->operands.first + i;
        const lw_ptx_operand *o = lw_ptx_operand_at(p->module, index);
        c.number = i + 1;
        if (o->kind == LW_PTX_OPERAND_LABEL && letters[i] != 'l' && letters[i] != 't')
            return refuse_name(&c, index);
        if (!check_letter(&c, letters[i], o))
            return false;
    }
    c.number++;
    return fits || refuse(&c, letters[insn->operands.count < sizeof(letters) ? c.number - 1 : 0]
                                  ? "given: it is missing"
                                  : "left out: there are too many");
}
