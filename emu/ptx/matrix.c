/* SPDX-License-Identifier: MIT */
/*
 * Matrix instructions of a warp: mma.sync, mma.sp and wmma.mma use a prepared lw_mma; ldmatrix, stmatrix,
 * movmatrix, wmma.load and wmma.store use lw_move_execute. All 32 lanes execute one together.
 */
#include "emu/ptx/matrix.h"

#include <stdio.h>
#include <stdlib.h>

#include <lanewise/mma.h>
#include <lanewise/move.h>

#include "emu/device/log.h"
#include "emu/mma/move_runs.h"
#include "emu/mma/prepared.h"
#include "emu/ptx/decode.h"
#include "emu/ptx/handlers.h"

enum { MOST_WORDS = LW_MOVED_WORDS, ROW_BYTES = 16 };

/* An operand in registers: its 32-bit words in order. */
typedef struct fragment {
    lw_ptx_source word[MOST_WORDS];
    uint8_t count;
    bool plain; /* registers of 32 bits */
} fragment;

struct lw_ptx_matrix {
    lw_ptx_product product;
    const lw_insn *insn;
    lw_mods mods;
    fragment d, a, b, c, index, scale_a, scale_b;
    lw_ptx_source stride;
    bool has_stride, stores;
    bool rows;             /* what lw_ptx_rows_move moves */
    uint8_t address_lanes; /* their addresses count; 0: those of no lane, it accesses no memory */
};

/* ---- Decoding ---- */

/* The word after the guard, including its modifiers. */
static bool read_opcode(lw_ptx_decoding *d, struct lw_ptx_matrix *m)
{
    const lw_ptx_insn *insn = d->r->insn;
    const char *text = d->ptx->text + insn->mnemonic;
    char opcode[256];
    lw_error error = { "" };
    snprintf(opcode, sizeof(opcode), "%.*s", (int)strcspn(text, " \t\r\n;[{"), text);
    if (lw_insn_parse(d->module->arch, opcode, &m->insn, &m->mods, &error) == LW_OK)
        return true;
    snprintf(d->text, sizeof(d->text), "%.390s", error.text);
    return lw_ptx_refuse(d, d->text);
}

static bool add_word(lw_ptx_decoding *d, fragment *f, const lw_ptx_operand *o)
{
    lw_ptx_source s;
    if (!lw_ptx_take(d, o, LW_PTX_TYPE_B64, &s))
        return false;
    for (unsigned i = 0; i < (s.bits == 64 && s.kind == LW_PTX_SOURCE_REGISTER ? 2u : 1u); i++) {
        if (f->count == MOST_WORDS)
            return lw_ptx_refuse(d, "a fragment has too many registers");
        f->word[f->count] = s;
        f->word[f->count].bits = s.bits > 32 ? 32 : s.bits;
        f->word[f->count].want = 32;
        f->word[f->count++].slot += i;
    }
    return true;
}

static const lw_ptx_operand *operand_at(const lw_ptx_decoding *d, uint32_t number)
{
    return lw_ptx_operand_at(d->ptx, d->r->insn->operands.first + number);
}

/* {a, b, ...}, or a single register; as many words as the instruction requires. */
static bool take_fragment(lw_ptx_decoding *d, const struct lw_ptx_matrix *m, uint32_t number,
                          lw_operand operand, fragment *f)
{
    lw_operand_info info;
    lw_error error;
    const lw_ptx_span *all = &d->r->insn->operands;
    if (number >= all->count)
        return lw_ptx_refuse(d, "an operand is missing");
    const lw_ptx_operand *o = lw_ptx_operand_at(d->ptx, all->first + number);
    const bool many = o->kind == LW_PTX_OPERAND_VECTOR;
    for (uint32_t i = 0; i < (many ? o->count : 1); i++)
        if (!add_word(d, f, many ? lw_ptx_operand_at(d->ptx, o->index + i) : o))
            return false;
    const bool known = lw_insn_operand(d->module->arch, m->insn, operand, &m->mods, &info, &error) == LW_OK;
    f->plain = lw_ptx_rows_plain(f->word, f->count);
    if (known && info.registers == f->count)
        return true;
    snprintf(d->text, sizeof(d->text), "operand %u has %u registers, not %u", number + 1, f->count,
             known ? info.registers : 0u);
    return lw_ptx_refuse(d, d->text);
}

static struct lw_ptx_matrix *begin(lw_ptx_decoding *d, lw_ptx_record *r, lw_insn_info *info)
{
    struct lw_ptx_matrix *m = calloc(1, sizeof(*m));
    if (!m) {
        lw_ptx_refuse(d, "the host has no memory for decoded instructions");
        return NULL;
    }
    r->extra = m;
    r->extra_free = free;
    if (!read_opcode(d, m) || lw_insn_get_info(d->module->arch, m->insn, info) != LW_OK)
        return NULL;
    return m;
}

/* A constant among those that the PTX ISA calls immediates. */
static bool take_constant(lw_ptx_decoding *d, const lw_ptx_operand *o, uint8_t *value)
{
    if (o->kind != LW_PTX_OPERAND_INT || o->value > UINT8_MAX)
        return lw_ptx_refuse(d, "a selector is not a constant or is out of range");
    *value = (uint8_t)o->value;
    return true;
}

/* Metadata in a register, and the selector of the lanes that hold it. */
static bool take_index(lw_ptx_decoding *d, struct lw_ptx_matrix *m, uint32_t number)
{
    return take_fragment(d, m, number, LW_OPERAND_INDEX, &m->index) &&
           take_constant(d, operand_at(d, number + 1), &m->mods.ptx.selector);
}

/* Scales in a register, and the byte and lanes that hold them: {byte, thread}. */
static bool take_scale(lw_ptx_decoding *d, struct lw_ptx_matrix *m, uint32_t number, lw_operand operand)
{
    const bool is_a = operand == LW_OPERAND_SCALE_A;
    const lw_ptx_operand *pair = operand_at(d, number + 1);
    if (pair->kind != LW_PTX_OPERAND_VECTOR || pair->count != 2)
        return lw_ptx_refuse(d, "scales take {byte, thread} after their register");
    return take_fragment(d, m, number, operand, is_a ? &m->scale_a : &m->scale_b) &&
           take_constant(d, lw_ptx_operand_at(d->ptx, pair->index),
                         is_a ? &m->mods.ptx.byte_a : &m->mods.ptx.byte_b) &&
           take_constant(d, lw_ptx_operand_at(d->ptx, pair->index + 1),
                         is_a ? &m->mods.ptx.thread_a : &m->mods.ptx.thread_b);
}

static bool prepare_product(lw_ptx_decoding *d, lw_ptx_record *r, struct lw_ptx_matrix *m,
                            const lw_insn_info *info)
{
    lw_error error = { "" };
    const uint32_t scales = info->sparse ? 6 : 4, all = scales + (info->scaled ? 4 : 0);
    if (r->insn->operands.count != all)
        return lw_ptx_refuse(d, "it has another number of operands");
    if (!take_fragment(d, m, 0, LW_OPERAND_D, &m->d) || !take_fragment(d, m, 1, LW_OPERAND_A, &m->a) ||
        !take_fragment(d, m, 2, LW_OPERAND_B, &m->b) || !take_fragment(d, m, 3, LW_OPERAND_C, &m->c) ||
        (info->sparse && !take_index(d, m, 4)))
        return false;
    if (info->scaled &&
        (!take_scale(d, m, scales, LW_OPERAND_SCALE_A) || !take_scale(d, m, scales + 2, LW_OPERAND_SCALE_B)))
        return false;
    if (lw_mods_check(d->module->arch, m->insn, &m->mods, &error) != LW_OK) {
        snprintf(d->text, sizeof(d->text), "%.390s", error.text);
        return lw_ptx_refuse(d, d->text);
    }
    m->product.key = lw_mma_key_of(&((lw_ptx_placed *)d->module->own)->keys, m->insn, &m->mods);
    return m->product.key || lw_ptx_refuse(d, "the host has no memory for decoded instructions");
}

static bool take_base(lw_ptx_decoding *d, lw_ptx_record *r, uint32_t number)
{
    const lw_ptx_operand *o = lw_ptx_operand_at(d->ptx, r->insn->operands.first + number);
    const bool bracket = o->kind == LW_PTX_OPERAND_ADDRESS;
    const lw_ptx_operand *base = bracket ? lw_ptx_operand_at(d->ptx, o->index) : o;
    r->offset = base->kind == LW_PTX_OPERAND_REGISTER ? base->value : 0;
    return lw_ptx_take(d, base, LW_PTX_TYPE_U64, &r->address);
}

/* The operand of a move. */
static lw_operand moved_of(const lw_insn_info *info)
{
    for (int o = LW_OPERAND_A; o <= LW_OPERAND_D; o++)
        if (info->operand[o].present)
            return (lw_operand)o;
    return LW_OPERAND_D;
}

static bool prepare_move(lw_ptx_decoding *d, lw_ptx_record *r, struct lw_ptx_matrix *m,
                         const lw_insn_info *info)
{
    const uint32_t count = r->insn->operands.count;
    const lw_operand moved = moved_of(info);
    const bool registers = strcmp(info->family, "movmatrix") == 0;
    m->stores = strcmp(info->family, "stmatrix") == 0 || strcmp(info->family, "wmma.store") == 0;
    const bool rows = strcmp(info->family, "ldmatrix") == 0 || strcmp(info->family, "stmatrix") == 0;
    if (count < 2 || count > (rows || registers ? 2u : 3u))
        return lw_ptx_refuse(d, "it has another number of operands");
    if (!take_fragment(d, m, m->stores, moved, &m->d))
        return false;
    if (registers)
        return take_fragment(d, m, 1, moved, &m->a);
    m->has_stride = count == 3;
    m->address_lanes = rows ? 8 * m->d.count : LW_PTX_LANES;
    m->rows = rows && info->m == 8 && info->n == 8 && m->d.plain &&
              (r->space == LW_PTX_WORD_SHARED || r->space == LW_PTX_WORD_SHARED_CTA);
    return take_base(d, r, !m->stores) &&
           (!m->has_stride || lw_ptx_take(d, lw_ptx_operand_at(d->ptx, r->insn->operands.first + 2),
                                          LW_PTX_TYPE_U32, &m->stride));
}

static bool prepare(lw_ptx_decoding *d, lw_ptx_record *r)
{
    lw_insn_info info;
    struct lw_ptx_matrix *m = begin(d, r, &info);
    if (!m)
        return false;
    return info.moves ? prepare_move(d, r, m, &info) : prepare_product(d, r, m, &info);
}

/* ---- Products ---- */

static void gather(const lw_ptx_warp *w, const fragment *f, uint32_t *image)
{
    for (unsigned i = 0; f->plain && i < f->count; i++)
        memcpy(image + i * LW_PTX_LANES, w->rows + (size_t)f->word[i].slot * LW_PTX_LANES,
               LW_PTX_LANES * sizeof(*image));
    if (f->plain)
        return;
    for (unsigned i = 0; i < f->count; i++)
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
            image[i * LW_PTX_LANES + lane] = (uint32_t)lw_ptx_get(w, &f->word[i], lane);
}

static void scatter(lw_ptx_warp *w, const fragment *f, const uint32_t *image)
{
    for (unsigned i = 0; f->plain && i < f->count; i++)
        memcpy(w->rows + (size_t)f->word[i].slot * LW_PTX_LANES, image + i * LW_PTX_LANES,
               LW_PTX_LANES * sizeof(*image));
    if (f->plain)
        return;
    for (unsigned i = 0; i < f->count; i++)
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
            lw_ptx_put(w, &f->word[i], lane, image[i * LW_PTX_LANES + lane]);
}

const lw_mma *lw_ptx_mma_of(lw_ptx_warp *w, const lw_mma_key *key)
{
    const lw_session *s = w->head.group->session;
    lw_mma_set *set = ((lw_ptx_launch *)s->own)->matrices;
    const lw_mma *mma = lw_mma_set_find(set, key);
    lw_error error = { "" };
    if (mma)
        return mma;
    lw_lock_take(&s->module->code.lock);
    mma = lw_mma_set_prepare(set, s->module->arch, key, &error);
    lw_lock_leave(&s->module->code.lock);
    if (!mma)
        lw_fault_say(&w->head, -1, "%.400s", error.text);
    return mma;
}

static bool multiply(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    const struct lw_ptx_matrix *m = of[0]->extra;
    uint32_t a[MOST_WORDS * LW_PTX_LANES], b[MOST_WORDS * LW_PTX_LANES], c[MOST_WORDS * LW_PTX_LANES];
    uint32_t index[LW_PTX_LANES], scale_a[LW_PTX_LANES], scale_b[LW_PTX_LANES];
    const lw_mma *mma = lw_ptx_mma_of(w, m->product.key);
    lw_mma_use *use = lw_worker_note(w->head.group->worker, m->product.key->number, sizeof(*use));
    const lw_mma_registers regs = {
        .a = a, .b = b, .c = c, .d = c, .index = index, .scale_a = scale_a, .scale_b = scale_b
    };
    lw_error error = { "no host memory" };
    (void)members;
    if (!mma)
        return false;
    gather(w, &m->a, a);
    gather(w, &m->b, b);
    gather(w, &m->c, c);
    gather(w, &m->index, index);
    gather(w, &m->scale_a, scale_a);
    gather(w, &m->scale_b, scale_b);
    if (!use || (m->index.count && lw_mma_check_registers(mma, &regs, &error) != LW_OK) ||
        lw_mma_execute_noting(mma, &regs, use) != LW_OK) {
        lw_fault_say(&w->head, -1, "the matrix unit refuses its operands: %.380s", error.text);
        return false;
    }
    scatter(w, &m->d, c);
    return true;
}

void lw_ptx_matrix_tally(const lw_worker *worker, const lw_ptx_record *r, lw_tally *tally)
{
    const bool matrix = strcmp(r->insn->op->semantics, "matrix") == 0;
    const lw_ptx_product *m = matrix || strcmp(r->insn->op->semantics, "wgmma") == 0 ? r->extra : NULL;
    const lw_ptx_launch *launch = worker->session->own;
    const lw_mma *mma = m && m->key ? lw_mma_set_find(launch->matrices, m->key) : NULL;
    lw_mma_use use = { .touched = 0 };
    const char *source;
    if (!mma)
        return;
    if ((m->key->number + 1) * sizeof(use) <= worker->note_bytes)
        memcpy(&use, worker->notes + m->key->number * sizeof(use), sizeof(use));
    const lw_label label = lw_mma_use_weakest(mma, &use, &source);
    tally->aspects |= use.touched;
    if (tally->is_matrix && label <= tally->label)
        return;
    tally->is_matrix = true;
    tally->label = label;
    tally->source = source;
}

/* ---- For observers ---- */

static const fragment *fragment_of(const struct lw_ptx_matrix *m, lw_operand operand)
{
    switch (operand) {
    case LW_OPERAND_A:
        return &m->a;
    case LW_OPERAND_B:
        return &m->b;
    case LW_OPERAND_C:
        return &m->c;
    case LW_OPERAND_D:
        return &m->d;
    case LW_OPERAND_INDEX:
        return &m->index;
    case LW_OPERAND_SCALE_A:
        return &m->scale_a;
    case LW_OPERAND_SCALE_B:
        return &m->scale_b;
    case LW_OPERAND_COUNT:
        break;
    }
    return NULL;
}

/* A constant fragment is one constant, that of its first word. */
bool lw_ptx_matrix_event(const lw_ptx_record *r, lw_matrix_event *matrix)
{
    const struct lw_ptx_matrix *m = strcmp(r->insn->op->semantics, "matrix") == 0 ? r->extra : NULL;
    if (!m)
        return false;
    *matrix = (lw_matrix_event){ .insn = m->insn, .mods = m->mods };
    for (int op = 0; op < LW_OPERAND_COUNT; op++) {
        const fragment *f = fragment_of(m, (lw_operand)op);
        if (!f->count)
            continue;
        const bool is_register = f->word[0].kind == LW_PTX_SOURCE_REGISTER;
        matrix->operand[op] = (lw_matrix_operand){ .is_register = is_register,
                                                   .file = LW_FILE_VGPR,
                                                   .first = (uint16_t)(is_register ? f->word[0].slot : 0),
                                                   .count = is_register ? f->count : 0,
                                                   .constant = is_register ? 0 : f->word[0].value };
    }
    return true;
}

const lw_ptx_source *lw_ptx_matrix_memory(const lw_ptx_record *r, lw_fact_memory *memory, uint64_t *lanes)
{
    const struct lw_ptx_matrix *m = strcmp(r->insn->op->semantics, "matrix") == 0 ? r->extra : NULL;
    if (!m || !m->address_lanes)
        return NULL;
    const bool wmma = strncmp(r->insn->op->mnemonic, "wmma", 4) == 0;
    *memory = (lw_fact_memory){ .load = !m->stores,
                                .store = m->stores,
                                .requests = !wmma,
                                .bytes = (uint16_t)(4u * m->d.count),
                                .offset = (int64_t)r->offset };
    *lanes = (UINT64_C(1) << m->address_lanes) - 1;
    return m->has_stride ? &m->stride : &r->address;
}

uint32_t lw_ptx_matrix_register(const lw_ptx_record *r, lw_operand operand, unsigned index)
{
    const fragment *f = fragment_of(r->extra, operand);
    return f && index < f->count ? f->word[index].slot : 0;
}

/* ---- Moves ---- */

static bool is_shared(const lw_ptx_record *r, uint64_t address)
{
    return r->space == LW_PTX_WORD_SHARED || r->space == LW_PTX_WORD_SHARED_CTA ||
           (r->space == LW_PTX_WORD_NONE && address - LW_APERTURE_LDS < LW_APERTURE_SIZE);
}

/* The rows that lanes point to are checked and observed one by one: 8 for each register, as a register has
 * half of a matrix with 16 rows. */
static bool reach_rows(lw_ptx_warp *w, const lw_ptx_record *r, const struct lw_ptx_matrix *m)
{
    for (unsigned lane = 0; lane < m->address_lanes; lane++) {
        uint8_t *at = lw_ptx_reach(w, lane, r->space, lw_ptx_address(w, r, lane), ROW_BYTES, m->stores);
        if (!at)
            return false;
        if (m->stores)
            lw_note_store(w->head.group->worker, at, ROW_BYTES);
    }
    return true;
}

/* The allocation in global memory that contains an address. What the move may access is marked, but not past
 * the end of the allocation. */
static bool find_buffer(lw_ptx_warp *w, const struct lw_ptx_matrix *m, uint64_t address,
                        lw_move_memory *memory)
{
    enum { MOST_ROWS = 32, MOST_BYTES = 8 };
    lw_worker *worker = w->head.group->worker;
    const uint64_t stride = m->has_stride ? lw_ptx_get(w, &m->stride, 0) & UINT32_MAX : MOST_ROWS;
    const uint64_t span = ((MOST_ROWS - 1) * stride + MOST_ROWS) * MOST_BYTES;
    const lw_region *hit = &worker->view.hit;
    lw_access_log *log = w->head.log;
    w->head.log = NULL; /* what is accessed is listed afterwards */
    const bool reached = lw_ptx_reach(w, 0, LW_PTX_WORD_GLOBAL, address, 1, m->stores) != NULL;
    w->head.log = log;
    if (!reached)
        return false;
    const uint64_t room = hit->base + hit->size - address, size = span < room ? span : room;
    uint8_t *at = lw_mem_at(&worker->view, address, size, m->stores);
    if (!at || (worker->watch && hit->writable && !lw_watch_note(worker->watch, address, size, m->stores))) {
        lw_fault_say(&w->head, -1, "there is no memory to record what the launch touches");
        return false;
    }
    if (m->stores)
        lw_note_store(worker, at, (uint32_t)size);
    *memory = (lw_move_memory){ hit->host, hit->base, (size_t)hit->size };
    return true;
}

static bool find_memory(lw_ptx_warp *w, const lw_ptx_record *r, lw_move_args *args)
{
    const struct lw_ptx_matrix *m = r->extra;
    const lw_group *g = w->head.group;
    for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
        const uint64_t address = lw_ptx_address(w, r, lane);
        args->address[lane] = is_shared(r, address) ? (uint32_t)address : address;
    }
    if (!is_shared(r, lw_ptx_address(w, r, 0)))
        return find_buffer(w, m, args->address[0], &args->memory);
    uint8_t *lds = lw_group_lds(g, w->head.rank);
    args->memory = (lw_move_memory){ lds, (uint64_t)w->head.rank << LW_PTX_RANK_AT, g->lds_size };
    if (m->stores && g->lds_size)
        lw_note_store(g->worker, lds, g->lds_size);
    return strchr(r->insn->op->mnemonic, 'w') || reach_rows(w, r, m);
}

static bool move(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    const lw_ptx_record *r = of[0];
    const struct lw_ptx_matrix *m = r->extra;
    uint32_t source[MOST_WORDS * LW_PTX_LANES], result[MOST_WORDS * LW_PTX_LANES];
    lw_move_args args = { .source = source, .result = result };
    lw_error error = { "" };
    (void)members;
    if (m->rows && lw_ptx_rows_move(w, r, m->d.word, m->d.count, m->stores, m->mods.ptx.trans))
        return true;
    gather(w, &m->d, result);
    gather(w, m->stores ? &m->d : &m->a, source);
    if (m->has_stride)
        args.stride = (uint32_t)lw_ptx_get(w, &m->stride, 0);
    if (!m->a.count && !find_memory(w, r, &args))
        return false;
    if (lw_move_execute(w->head.group->session->module->arch, m->insn, &m->mods, &args, &error) != LW_OK) {
        lw_fault_say(&w->head, -1, "%.400s", error.text);
        return false;
    }
    if (w->head.log && !m->a.count && strchr(r->insn->op->mnemonic, 'w'))
        lw_ptx_wmma_note(w, m->insn, &m->mods, &args, is_shared(r, lw_ptx_address(w, r, 0)), m->stores);
    if (!m->stores)
        scatter(w, &m->d, result);
    return true;
}

void lw_ptx_matrix_word(const lw_ptx_warp *w, const lw_ptx_record *r, lw_operand operand, unsigned word,
                        uint32_t *values, size_t count)
{
    const fragment *f = fragment_of(r->extra, operand);
    for (size_t lane = 0; lane < count; lane++)
        values[lane] = word < f->count && lane < LW_PTX_LANES
                           ? (uint32_t)lw_ptx_get(w, &f->word[word], (unsigned)lane)
                           : 0;
}

/* The same handler serves products and moves; decoding has found out which it is. */
static bool work(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    const struct lw_ptx_matrix *m = of[0]->extra;
    return m->product.key ? multiply(w, of, members) : move(w, of, members);
}

const lw_ptx_handler lw_ptx_sem_matrix = { .exec = lw_ptx_meet, .together = work, .prepare = prepare };
