/* SPDX-License-Identifier: MIT */
/* Operands of an instruction, by the letters of its row (isa_tables/ptx/op.h). */
#include "emu/ptx/decode.h"

bool lw_ptx_refuse(lw_ptx_decoding *d, const char *why)
{
    d->why = why;
    return false;
}

static bool is_in(const lw_ptx_span *span, uint32_t index)
{
    return index - span->first < span->count;
}

/* The address of a variable in its own space. */
static bool address_of(lw_ptx_decoding *d, const lw_ptx_operand *o, lw_ptx_source *s)
{
    const lw_ptx_placed *placed = d->module->own;
    const lw_ptx_variable *v = lw_ptx_variable_at(d->ptx, o->index);
    const bool of_kernel = d->function->is_entry && is_in(&d->function->params, o->index);
    s->value = v->offset + o->value;
    if (v->space == LW_PTX_SPACE_LOCAL && v->function == LW_PTX_NONE)
        return lw_ptx_refuse(d, "local variables outside functions cannot be reached");
    if (v->space == LW_PTX_SPACE_LOCAL || (v->space == LW_PTX_SPACE_PARAM && !of_kernel))
        s->kind = LW_PTX_SOURCE_FRAME;
    else if (v->space == LW_PTX_SPACE_SHARED) {
        const uint64_t fixed = d->function->shared_size;
        s->kind = LW_PTX_SOURCE_SHARED;
        if (v->is_extern)
            s->value = (fixed + v->align - 1) / v->align * v->align + o->value;
    } else if (v->space == LW_PTX_SPACE_GLOBAL || v->space == LW_PTX_SPACE_CONST) {
        if (!placed->addresses[o->index])
            return lw_ptx_refuse(d, "the variable is declared here and defined nowhere");
        s->value = placed->addresses[o->index] + o->value;
    }
    return true;
}

/* A floating-point constant in the operand's type; decimal ones are f64. */
static uint64_t real_bits(const lw_ptx_operand *o, uint8_t type)
{
    double d;
    float f;
    uint32_t low = (uint32_t)o->value;
    if (o->kind == LW_PTX_OPERAND_F64 && lw_ptx_types[type].bits == 32) {
        memcpy(&d, &o->value, sizeof(d));
        f = (float)d;
        memcpy(&low, &f, sizeof(low));
        return low;
    }
    if (o->kind == LW_PTX_OPERAND_F32 && lw_ptx_types[type].bits == 64) {
        uint64_t wide;
        memcpy(&f, &low, sizeof(f));
        d = (double)f;
        memcpy(&wide, &d, sizeof(wide));
        return wide;
    }
    return o->value;
}

static void take_register(lw_ptx_decoding *d, const lw_ptx_operand *o, lw_ptx_source *s)
{
    const lw_ptx_placed *placed = d->module->own;
    const size_t number = (size_t)(d->function - lw_ptx_function_at(d->ptx, 0));
    const bool predicate = o->type == LW_PTX_TYPE_PRED;
    s->kind = predicate ? LW_PTX_SOURCE_PREDICATE : LW_PTX_SOURCE_REGISTER;
    s->bits = lw_ptx_types[o->type].bits;
    s->slot = o->index + (predicate ? placed->predicates : placed->rows)[number];
}

bool lw_ptx_take(lw_ptx_decoding *d, const lw_ptx_operand *o, uint8_t type, lw_ptx_source *s)
{
    const lw_ptx_type_info *info = &lw_ptx_types[type];
    *s = (lw_ptx_source){ .kind = LW_PTX_SOURCE_CONSTANT,
                          .bits = 64,
                          .want = info->bits > 64 ? 64 : info->bits,
                          .is_signed = info->kind == LW_PTX_CLASS_SIGNED,
                          .negated = o->negated,
                          .value = o->value };
    switch ((lw_ptx_operand_kind)o->kind) {
    case LW_PTX_OPERAND_REGISTER:
        take_register(d, o, s);
        return s->bits <= 64 || lw_ptx_refuse(d, "registers of 128 bits cannot be used yet");
    case LW_PTX_OPERAND_SPECIAL:
        s->kind = LW_PTX_SOURCE_SPECIAL;
        s->slot = o->index;
        s->part = o->part;
        s->member = (uint8_t)o->count;
        return lw_ptx_specials[o->index].known >> s->member & 1 ||
               lw_ptx_refuse(d, "what the special register holds is not documented");
    case LW_PTX_OPERAND_SINK:
        s->kind = LW_PTX_SOURCE_NOWHERE;
        return true;
    case LW_PTX_OPERAND_F32:
    case LW_PTX_OPERAND_F64:
        s->value = real_bits(o, type);
        return true;
    case LW_PTX_OPERAND_VARIABLE:
        return address_of(d, o, s);
    case LW_PTX_OPERAND_FUNCTION:
        s->value = d->module->base + lw_ptx_function_at(d->ptx, o->index)->insns.first;
        return lw_ptx_function_at(d->ptx, o->index)->is_defined ||
               lw_ptx_refuse(d, "the function is declared here and defined nowhere");
    case LW_PTX_OPERAND_INT:
        return true;
    default:
        return lw_ptx_refuse(d, "the operand cannot be used yet");
    }
}

/* A 128-bit register, as two 64-bit registers. */
static bool take_halves(lw_ptx_decoding *d, const lw_ptx_operand *o, uint8_t type, lw_ptx_source *to,
                        uint8_t *count)
{
    lw_ptx_operand half = *o;
    half.type = LW_PTX_TYPE_B64;
    if (*count + 2 > LW_PTX_MOST_ELEMENTS)
        return lw_ptx_refuse(d, "the instruction has too many operands");
    if (!lw_ptx_take(d, &half, type, &to[*count]))
        return false;
    to[*count + 1] = to[*count];
    to[*count + 1].slot += 2;
    *count = (uint8_t)(*count + 2);
    return true;
}

static bool is_wide(const lw_ptx_operand *o)
{
    return o->kind == LW_PTX_OPERAND_REGISTER && lw_ptx_types[o->type].bits == 128;
}

/* One operand, or the elements of {a, b} and p|q. */
static bool take_all(lw_ptx_decoding *d, const lw_ptx_operand *o, uint8_t type, lw_ptx_source *to,
                     uint8_t *count)
{
    const bool many = o->kind == LW_PTX_OPERAND_VECTOR || o->kind == LW_PTX_OPERAND_PAIR;
    const uint32_t n = many ? o->count : 1;
    if (is_wide(o))
        return take_halves(d, o, type, to, count);
    if (*count + n > LW_PTX_MOST_ELEMENTS)
        return lw_ptx_refuse(d, "the instruction has too many operands");
    for (uint32_t i = 0; i < n; i++)
        if (!lw_ptx_take(d, many ? lw_ptx_operand_at(d->ptx, o->index + i) : o, type, &to[(*count)++]))
            return false;
    return true;
}

/* Parameters of calls are in frames; those of kernels are in a separate read-only space. */
static bool settle_param(lw_ptx_decoding *d, const lw_ptx_source *base)
{
    lw_ptx_record *r = d->r;
    const bool store = !r->dst_count && r->insn->op->operands[0] == 'm';
    if (base->kind == LW_PTX_SOURCE_FRAME || r->space == LW_PTX_WORD_PARAM_FUNC || !d->function->is_entry)
        r->space = LW_PTX_WORD_LOCAL;
    else if (store)
        return lw_ptx_refuse(d, "parameters of a kernel can only be loaded");
    return true;
}

/* [base + offset], or the name of a variable. */
static bool take_address(lw_ptx_decoding *d, const lw_ptx_operand *o, lw_ptx_source *to, uint64_t *offset)
{
    const lw_ptx_operand *base = o->kind == LW_PTX_OPERAND_ADDRESS ? lw_ptx_operand_at(d->ptx, o->index) : o;
    const uint8_t space = d->r->space;
    if (!lw_ptx_take(d, base, LW_PTX_TYPE_U64, to))
        return false;
    *offset = base->kind == LW_PTX_OPERAND_REGISTER ? base->value : 0;
    const bool param =
        space == LW_PTX_WORD_PARAM || space == LW_PTX_WORD_PARAM_ENTRY || space == LW_PTX_WORD_PARAM_FUNC;
    return !param || settle_param(d, to);
}

static uint8_t twice(uint8_t type)
{
    const bool is_signed = lw_ptx_types[type].kind == LW_PTX_CLASS_SIGNED;
    if (lw_ptx_types[type].bits == 16)
        return is_signed ? LW_PTX_TYPE_S32 : LW_PTX_TYPE_U32;
    return is_signed ? LW_PTX_TYPE_S64 : LW_PTX_TYPE_U64;
}

static uint8_t letter_type(const lw_ptx_record *r, char letter)
{
    return strchr("bBW", letter)     ? r->src_type
           : strchr("wx", letter)    ? twice(r->type)
           : strchr("cueEy", letter) ? LW_PTX_TYPE_U32
           : strchr("poq", letter)   ? LW_PTX_TYPE_PRED
           : letter == 'f'           ? LW_PTX_TYPE_F32
           : strchr("gO", letter)    ? LW_PTX_TYPE_U16
           : letter == 'S'           ? LW_PTX_TYPE_NONE
                                     : r->type;
}

/* What mov reads: a real number among the parts of {a, b} has the bits that are written, as wide as a part.
 */
static bool take_moved(lw_ptx_decoding *d, const lw_ptx_operand *o)
{
    lw_ptx_record *r = d->r;
    const unsigned first = r->src_count;
    const bool good = take_all(d, o, r->type, r->src, &r->src_count);
    for (uint32_t i = 0; good && o->kind == LW_PTX_OPERAND_VECTOR && i < o->count; i++) {
        const lw_ptx_operand *e = lw_ptx_operand_at(d->ptx, o->index + i);
        if (e->kind == LW_PTX_OPERAND_F32 || e->kind == LW_PTX_OPERAND_F64)
            r->src[first + i].value = e->value;
    }
    return good;
}

static bool take_operand(lw_ptx_decoding *d, char letter, const lw_ptx_operand *o)
{
    lw_ptx_record *r = d->r;
    const lw_ptx_function *f = d->function;
    switch (letter) {
    case 'l':
        r->target = o->index;
        r->to_end = o->index == f->insns.first + f->insns.count;
        return o->kind == LW_PTX_OPERAND_LABEL || lw_ptx_refuse(d, "the branch has no label");
    case 'm':
        return take_address(d, o, &r->address, &r->offset);
    case 'z':
        return take_address(d, o, &r->from, &r->from_offset);
    case 'T':
        return take_address(d, o, &r->from, &r->from_offset) &&
               take_all(d, lw_ptx_operand_at(d->ptx, o->index + 1), LW_PTX_TYPE_U32, r->src, &r->src_count);
    case 'j':
        return take_address(d, o, &r->third, &r->third_offset);
    case 'M':
        return take_moved(d, o);
    case 't': /* the handler takes it */
    case 'h':
        return true;
    default:
        return strchr("dDNVqeEQow", letter) ? take_all(d, o, letter_type(r, letter), r->dst, &r->dst_count)
                                            : take_all(d, o, letter_type(r, letter), r->src, &r->src_count);
    }
}

bool lw_ptx_take_operands(lw_ptx_decoding *d)
{
    const lw_ptx_insn *insn = d->r->insn;
    char letters[LW_PTX_MOST_OPERANDS + 1];
    if (strchr("kn", insn->op->operands[0]) && insn->op->operands[0])
        return true; /* the handler takes the operands */
    if (!lw_ptx_op_letters(insn->op, &insn->opcode, insn->operands.count, letters))
        return lw_ptx_refuse(d, "it has another number of operands");
    for (uint32_t i = 0; letters[i]; i++)
        if (!take_operand(d, letters[i], lw_ptx_operand_at(d->ptx, insn->operands.first + i)))
            return false;
    return true;
}
