/* SPDX-License-Identifier: MIT */
/* From an instruction of a module to a record that runs. */
#include <stdlib.h>

#include "emu/ptx/warp.h"

enum { CHUNK_RECORDS = 64 };

struct lw_ptx_chunk {
    struct lw_ptx_chunk *next;
    size_t used;
    lw_ptx_record records[CHUNK_RECORDS];
};

typedef struct decoding {
    const lw_module *module;
    const lw_ptx_module *ptx;
    const lw_ptx_function *function;
    lw_ptx_record *r;
    const char *why;
} decoding;

const lw_ptx_function *lw_ptx_function_of(const lw_ptx_module *m, uint64_t number)
{
    for (size_t i = 0; i < m->functions.count; i++) {
        const lw_ptx_function *f = lw_ptx_function_at(m, i);
        if (f->is_defined && number - f->insns.first < f->insns.count)
            return f;
    }
    return NULL;
}

static bool refuse(decoding *d, const char *why)
{
    d->why = why;
    return false;
}

/* ---- Operands ---- */

/* The address of a variable in its own space; that of a parameter is where the launch places it. */
static bool address_of(decoding *d, const lw_ptx_operand *o, uint64_t *address)
{
    const lw_ptx_placed *placed = d->module->own;
    const lw_ptx_variable *v = lw_ptx_variable_at(d->ptx, o->index);
    const bool param = o->index - d->function->params.first < d->function->params.count;
    *address = v->offset;
    if (v->space == LW_PTX_SPACE_PARAM && !(param && d->function->is_entry))
        return refuse(d, "parameters of calls cannot be reached yet");
    if (v->space == LW_PTX_SPACE_SHARED && v->is_extern)
        *address = ((uint64_t)d->function->shared_size + v->align - 1) / v->align * v->align;
    else if (v->space == LW_PTX_SPACE_GLOBAL || v->space == LW_PTX_SPACE_CONST)
        *address = placed->addresses[o->index];
    *address += o->value;
    return true;
}

/* A real number as the type wants it; decimal ones are f64. */
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

static bool is_supported_special(uint32_t special)
{
    return special <= LW_PTX_SPECIAL_NWARPID ||
           (special >= LW_PTX_SPECIAL_LANEMASK_EQ && special <= LW_PTX_SPECIAL_LANEMASK_GT);
}

static bool take(decoding *d, const lw_ptx_operand *o, uint8_t type, lw_ptx_source *s)
{
    *s = (lw_ptx_source){
        .kind = LW_PTX_SOURCE_CONSTANT, .bits = 64, .negated = o->negated, .value = o->value
    };
    switch ((lw_ptx_operand_kind)o->kind) {
    case LW_PTX_OPERAND_REGISTER:
        s->kind = o->type == LW_PTX_TYPE_PRED ? LW_PTX_SOURCE_PREDICATE : LW_PTX_SOURCE_REGISTER;
        s->bits = lw_ptx_types[o->type].bits;
        s->slot = o->index;
        return s->bits <= 64 || refuse(d, "registers of 128 bits cannot be used yet");
    case LW_PTX_OPERAND_SPECIAL:
        s->kind = LW_PTX_SOURCE_SPECIAL;
        s->slot = o->index;
        s->part = o->part;
        return is_supported_special(o->index) || refuse(d, "the special register cannot be read yet");
    case LW_PTX_OPERAND_SINK:
        s->kind = LW_PTX_SOURCE_NOWHERE;
        return true;
    case LW_PTX_OPERAND_F32:
    case LW_PTX_OPERAND_F64:
        s->value = real_bits(o, type);
        return true;
    case LW_PTX_OPERAND_VARIABLE:
        return address_of(d, o, &s->value);
    case LW_PTX_OPERAND_INT:
        return true;
    default:
        return refuse(d, "the operand cannot be used yet");
    }
}

/* One operand, or the elements of {a, b} and p|q. */
static bool take_all(decoding *d, const lw_ptx_operand *o, uint8_t type, lw_ptx_source *to, uint8_t *count)
{
    const bool many = o->kind == LW_PTX_OPERAND_VECTOR || o->kind == LW_PTX_OPERAND_PAIR;
    const uint32_t n = many ? o->count : 1;
    if (*count + n > 4)
        return refuse(d, "the instruction has too many operands");
    for (uint32_t i = 0; i < n; i++)
        if (!take(d, many ? lw_ptx_operand_at(d->ptx, o->index + i) : o, type, &to[(*count)++]))
            return false;
    return true;
}

/* [base + offset], or a variable as it is. */
static bool take_address(decoding *d, const lw_ptx_operand *o)
{
    lw_ptx_source *to = &d->r->src[LW_PTX_MOST_SOURCES - 1];
    const lw_ptx_operand *base = o->kind == LW_PTX_OPERAND_ADDRESS ? lw_ptx_operand_at(d->ptx, o->index) : o;
    const uint8_t space = d->r->word;
    if (!take(d, base, LW_PTX_TYPE_U64, to))
        return false;
    const bool param = space == LW_PTX_WORD_PARAM || space == LW_PTX_WORD_PARAM_ENTRY;
    if (space == LW_PTX_WORD_PARAM_FUNC)
        return refuse(d, "parameters of calls cannot be reached yet");
    if (param && (base->kind != LW_PTX_OPERAND_VARIABLE || d->r->insn->op->operands[0] == 'm'))
        return refuse(d, "parameters can only be loaded, by name");
    d->r->offset = base->kind == LW_PTX_OPERAND_REGISTER ? base->value : 0;
    return true;
}

static bool take_operand(decoding *d, char letter, const lw_ptx_operand *o)
{
    lw_ptx_record *r = d->r;
    if (letter == 'l') {
        r->target = o->index;
        return o->kind == LW_PTX_OPERAND_LABEL || refuse(d, "the branch has no label");
    }
    if (letter == 'm')
        return take_address(d, o);
    if (strchr("dDNVqew", letter))
        return take_all(d, o, r->type, r->dst, &r->dst_count);
    return take_all(d, o, r->src_type, r->src, &r->src_count);
}

/* ---- Words ---- */

static lw_fp_rounding rounding(lw_ptx_word_id word)
{
    return word == LW_PTX_WORD_RZ || word == LW_PTX_WORD_RZI   ? LW_FP_ZERO
           : word == LW_PTX_WORD_RM || word == LW_PTX_WORD_RMI ? LW_FP_DOWN
           : word == LW_PTX_WORD_RP || word == LW_PTX_WORD_RPI ? LW_FP_UP
                                                               : LW_FP_RNE;
}

/* The one word that handlers look at. */
static uint8_t main_word(const lw_ptx_opcode *opcode)
{
    static const uint8_t groups[] = { LW_PTX_GROUP_COMPARE,       LW_PTX_GROUP_COMPARE_UNSIGNED,
                                      LW_PTX_GROUP_COMPARE_FLOAT, LW_PTX_GROUP_HALF,
                                      LW_PTX_GROUP_SPACE,         LW_PTX_GROUP_NAN,
                                      LW_PTX_GROUP_ROUND_INT };
    for (size_t i = 0; i < sizeof(groups); i++) {
        const lw_ptx_word_id word = lw_ptx_opcode_word(opcode, (lw_ptx_group)groups[i]);
        if (word)
            return (uint8_t)word;
    }
    return LW_PTX_WORD_NONE;
}

static const lw_format *format_of(uint8_t type)
{
    return lw_ptx_types[type].kind == LW_PTX_CLASS_FLOAT ? &lw_formats[lw_ptx_types[type].format] : NULL;
}

/* The result of a row: as wide as its first type, but for `e` and `w`. */
static void set_types(lw_ptx_record *r)
{
    const lw_ptx_opcode *opcode = &r->insn->opcode;
    const char result = r->insn->op->operands[0];
    r->type = opcode->types[0];
    r->src_type = opcode->type_count > 1 ? opcode->types[1] : r->type;
    r->dst_bits = result == 'e' ? 32 : lw_ptx_types[r->type].bits;
    r->dst_bits = (uint8_t)(result == 'w' ? 2 * r->dst_bits : r->dst_bits);
    r->src_bits = lw_ptx_types[r->src_type].bits;
    r->dst_signed = result != 'e' && lw_ptx_types[r->type].kind == LW_PTX_CLASS_SIGNED;
    r->src_signed = lw_ptx_types[r->src_type].kind == LW_PTX_CLASS_SIGNED;
    if (!opcode->type_count)
        r->src_bits = r->dst_bits = 32;
    r->fmt = format_of(r->type);
    r->src_fmt = format_of(r->src_type);
}

static void set_words(lw_ptx_record *r)
{
    const lw_ptx_opcode *opcode = &r->insn->opcode;
    const bool keep = lw_ptx_opcode_word(opcode, LW_PTX_GROUP_FTZ) == LW_PTX_WORD_NONE;
    r->word = main_word(opcode);
    r->boolean = (uint8_t)lw_ptx_opcode_word(opcode, LW_PTX_GROUP_BOOLEAN);
    r->sat = lw_ptx_opcode_word(opcode, LW_PTX_GROUP_SAT) != LW_PTX_WORD_NONE;
    r->round = (uint8_t)rounding(lw_ptx_opcode_word(opcode, LW_PTX_GROUP_ROUND_INT));
    r->env = (lw_fp_env){ .round = (uint8_t)rounding(lw_ptx_opcode_word(opcode, LW_PTX_GROUP_ROUND)),
                          .keep_in = keep,
                          .keep_out = keep,
                          .nan = LW_NAN_ONES };
}

static bool decode(decoding *d, const lw_ptx_insn *insn)
{
    lw_ptx_record *r = d->r;
    unsigned number = 0;
    *r = (lw_ptx_record){ .insn = insn };
    if (!insn->op)
        return refuse(d, "this version cannot run the instruction");
    r->handler = lw_ptx_handlers[insn->op->id];
    set_types(r);
    set_words(r);
    if (strcmp(insn->op->mnemonic, "cvta") == 0 &&
        (r->word == LW_PTX_WORD_PARAM || r->word == LW_PTX_WORD_PARAM_ENTRY))
        return refuse(d, "parameters have no generic address yet");
    if (r->dst_bits > 64)
        return refuse(d, "types of 128 bits cannot be used yet");
    for (const char *letter = insn->op->operands; *letter && number < insn->operands.count; letter++)
        if (*letter != '?' &&
            !take_operand(d, *letter, lw_ptx_operand_at(d->ptx, insn->operands.first + number++)))
            return false;
    return true;
}

/* ---- Records ---- */

static lw_ptx_record *new_record(lw_ptx_placed *own)
{
    if (!own->chunks || own->chunks->used == CHUNK_RECORDS) {
        struct lw_ptx_chunk *chunk = calloc(1, sizeof(*chunk));
        if (!chunk)
            return NULL;
        chunk->next = own->chunks;
        own->chunks = chunk;
    }
    return &own->chunks->records[own->chunks->used];
}

void lw_ptx_records_free(lw_ptx_placed *own)
{
    while (own->chunks) {
        struct lw_ptx_chunk *chunk = own->chunks;
        own->chunks = chunk->next;
        free(chunk);
    }
}

/* Holds the module's lock. */
static const lw_ptx_record *make(lw_worker *worker, lw_ptx_warp *w, _Atomic(void *) *slot)
{
    const lw_module *m = worker->session->module;
    const lw_ptx_record *there = atomic_load_explicit(slot, memory_order_relaxed);
    const uint64_t number = w->head.pc - m->code.base;
    if (there)
        return there;
    decoding d = { .module = m, .ptx = m->program->ptx, .r = new_record(m->own) };
    if (!d.r) {
        lw_fault_say(&w->head, -1, "the host has no memory for decoded instructions");
        return NULL;
    }
    d.function = lw_ptx_function_of(d.ptx, number);
    if (!d.function || !decode(&d, lw_ptx_insn_at(d.ptx, (size_t)number))) {
        lw_fault_say(&w->head, -1, "%s", d.why ? d.why : "the program counter is outside the program's code");
        return NULL;
    }
    ((lw_ptx_placed *)m->own)->chunks->used++;
    atomic_store_explicit(slot, d.r, memory_order_release);
    return d.r;
}

const lw_ptx_record *lw_ptx_fetch(lw_worker *worker, lw_ptx_warp *w)
{
    lw_code *code = &worker->session->module->code;
    const lw_code_cursor *at = &worker->cursor;
    lw_lock_take(&code->lock);
    const lw_ptx_record *record = make(worker, w, &at->page->record[w->head.pc - at->base]);
    lw_lock_leave(&code->lock);
    return record;
}
