/* SPDX-License-Identifier: MIT */
/* From an instruction of a module to an executable record. */
#include "emu/ptx/decode.h"
#include "emu/ptx/fast/forms.h"
#include "emu/ptx/handlers.h"

#include <stdlib.h>

enum { CHUNK_RECORDS = 64 };

struct lw_ptx_chunk {
    struct lw_ptx_chunk *next;
    size_t used;
    lw_ptx_record records[CHUNK_RECORDS];
};

/* ---- Words ---- */

static lw_fp_rounding rounding(lw_ptx_word_id word)
{
    return word == LW_PTX_WORD_RZ || word == LW_PTX_WORD_RZI   ? LW_FP_ZERO
           : word == LW_PTX_WORD_RM || word == LW_PTX_WORD_RMI ? LW_FP_DOWN
           : word == LW_PTX_WORD_RP || word == LW_PTX_WORD_RPI ? LW_FP_UP
                                                               : LW_FP_RNE;
}

/* The one word that handlers use. */
static uint8_t main_word(const lw_ptx_opcode *opcode)
{
    static const uint8_t groups[] = { LW_PTX_GROUP_COMPARE,       LW_PTX_GROUP_COMPARE_UNSIGNED,
                                      LW_PTX_GROUP_COMPARE_FLOAT, LW_PTX_GROUP_HALF,
                                      LW_PTX_GROUP_WIDE,          LW_PTX_GROUP_ROUND_INT,
                                      LW_PTX_GROUP_CLAMP,         LW_PTX_GROUP_PERMUTE,
                                      LW_PTX_GROUP_TEST,          LW_PTX_GROUP_ATOM_BITS,
                                      LW_PTX_GROUP_ATOM_WRAP,     LW_PTX_GROUP_ATOM_SELECT,
                                      LW_PTX_GROUP_SHUFFLE,       LW_PTX_GROUP_VOTE };
    for (size_t i = 0; i < sizeof(groups); i++) {
        const lw_ptx_word_id word = lw_ptx_opcode_word(opcode, (lw_ptx_group)groups[i]);
        if (word)
            return (uint8_t)word;
    }
    return LW_PTX_WORD_NONE;
}

/* The type of each of the two numbers of a packed type; other types stand for themselves. */
static uint8_t part_of(uint8_t type)
{
    const lw_ptx_type_info *whole = &lw_ptx_types[type];
    for (uint8_t t = 0; whole->count == 2 && t < LW_PTX_TYPE_COUNT; t++)
        if (lw_ptx_types[t].count == 1 && lw_ptx_types[t].format == whole->format &&
            lw_ptx_types[t].kind != LW_PTX_CLASS_PACKED)
            return t;
    return type;
}

static const lw_format *format_of(uint8_t type)
{
    return lw_ptx_types[type].kind == LW_PTX_CLASS_FLOAT ? &lw_formats[lw_ptx_types[type].format] : NULL;
}

/* The result of a row is as wide as its first type, except with `e`, `E` and `w`. */
static void set_types(lw_ptx_record *r)
{
    const lw_ptx_opcode *opcode = &r->insn->opcode;
    const char result = r->insn->op->operands[0];
    const bool fixed = result == 'e' || result == 'E';
    r->type = opcode->types[0];
    r->src_type = opcode->type_count > 1 ? opcode->types[1] : r->type;
    const lw_ptx_type_info *to = &lw_ptx_types[part_of(r->type)];
    const lw_ptx_type_info *from = &lw_ptx_types[part_of(r->src_type)];
    r->dst_bits = (uint8_t)(fixed ? 32 : result == 'w' ? 2 * to->bits : to->bits);
    r->dst_whole = (uint8_t)(fixed || result == 'w' ? r->dst_bits : lw_ptx_types[r->type].bits);
    r->src_bits = from->bits;
    r->parts = (uint8_t)(from->bits ? lw_ptx_types[r->src_type].bits / from->bits : 1);
    r->dst_signed = !fixed && to->kind == LW_PTX_CLASS_SIGNED;
    r->src_signed = from->kind == LW_PTX_CLASS_SIGNED;
    if (!opcode->type_count)
        r->src_bits = r->dst_bits = r->dst_whole = 32;
    r->fmt = format_of(part_of(r->type));
    r->src_fmt = format_of(part_of(r->src_type));
}

static void set_words(lw_ptx_record *r)
{
    const lw_ptx_opcode *opcode = &r->insn->opcode;
    r->groups = lw_ptx_opcode_groups(opcode);
    const bool keep = !lw_ptx_has(r, LW_PTX_GROUP_FTZ);
    r->word = main_word(opcode);
    r->space = (uint8_t)lw_ptx_opcode_word(opcode, LW_PTX_GROUP_SPACE);
    r->boolean = (uint8_t)lw_ptx_opcode_word(opcode, LW_PTX_GROUP_BOOLEAN);
    r->sat = lw_ptx_has(r, LW_PTX_GROUP_SAT);
    r->relu = lw_ptx_has(r, LW_PTX_GROUP_RELU);
    r->round = (uint8_t)rounding(lw_ptx_opcode_word(opcode, LW_PTX_GROUP_ROUND_INT));
    r->env = (lw_fp_env){ .round = (uint8_t)rounding(lw_ptx_opcode_word(opcode, LW_PTX_GROUP_ROUND)),
                          .keep_in = keep,
                          .keep_out = keep,
                          .ieee = true,
                          .nan = LW_NAN_SOURCE }; /* of f64; lw_ptx_result gives the others theirs */
    r->aligned = strcmp(r->insn->op->mnemonic, "barrier") != 0 || lw_ptx_has(r, LW_PTX_GROUP_ALIGNED);
}

/* Registers of 128 bits are treated as two of 64, the lower first; mov keeps the full width, because it
 * combines parts. */
static bool halve(lw_ptx_record *r)
{
    const bool moves = r->handler == &lw_ptx_sem_mov;
    if (!moves && r->handler != &lw_ptx_sem_ld && r->handler != &lw_ptx_sem_st &&
        r->handler != &lw_ptx_sem_atom_wide)
        return false;
    r->type = r->src_type = LW_PTX_TYPE_B64;
    r->src_bits = 64;
    r->dst_bits = r->dst_whole = moves ? 128 : 64;
    return true;
}

static bool decode(lw_ptx_decoding *d, const lw_ptx_insn *insn, uint64_t number)
{
    lw_ptx_record *r = d->r;
    const lw_ptx_function *f = d->function;
    *r = (lw_ptx_record){ .insn = insn, .function = f, .guard = insn->guard };
    if (insn->guard != LW_PTX_NONE)
        r->guard += ((const lw_ptx_placed *)d->module->own)->predicates[f - lw_ptx_function_at(d->ptx, 0)];
    if (!insn->op)
        return lw_ptx_refuse(d, "this version cannot run the instruction");
    r->handler = lw_ptx_handlers[insn->op->id];
    r->ends = number + 1 == (uint64_t)f->insns.first + f->insns.count;
    set_types(r);
    set_words(r);
    if (r->dst_bits > 64 && !halve(r))
        return lw_ptx_refuse(d, "only ld, st, mov and atom are run with types of 128 bits");
    if (r->ends && r->handler->together)
        return lw_ptx_refuse(d, "the function ends with it: there is no ret");
    if (!lw_ptx_take_operands(d) || (r->handler->prepare && !r->handler->prepare(d, r)))
        return false;
    lw_ptx_hot_prepare(((const lw_ptx_placed *)d->module->own)->isa, r);
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
        for (size_t i = 0; i < chunk->used; i++)
            lw_ptx_extra_free(&chunk->records[i]);
        free(chunk);
    }
}

/* The function whose body holds an instruction; NULL if none does. */
static const lw_ptx_function *function_of(const lw_module *m, uint64_t number)
{
    const lw_ptx_placed *own = m->own;
    size_t low = 0, high = own->defined_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const lw_ptx_function *f = own->defined[middle];
        if (number < f->insns.first)
            high = middle;
        else if (number - f->insns.first >= f->insns.count)
            low = middle + 1;
        else
            return f;
    }
    return NULL;
}

/* The caller holds the module's lock. */
static const lw_ptx_record *make(lw_worker *worker, lw_ptx_warp *w, _Atomic(void *) *slot)
{
    const lw_module *m = worker->session->module;
    const lw_ptx_record *there = atomic_load_explicit(slot, memory_order_relaxed);
    const uint64_t number = w->head.pc - m->code.base;
    if (there)
        return there;
    lw_ptx_decoding d = { .module = m, .ptx = m->program->ptx, .r = new_record(m->own) };
    if (!d.r) {
        lw_fault_say(&w->head, -1, "the host has no memory for decoded instructions");
        return NULL;
    }
    d.function = function_of(m, number);
    if (!d.function || !decode(&d, lw_ptx_insn_at(d.ptx, (size_t)number), number)) {
        lw_ptx_extra_free(d.r);
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
