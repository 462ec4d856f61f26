/* SPDX-License-Identifier: MIT */
/*
 * wgmma of sm_90a: products of 64 rows by the four warps of a warpgroup, 16 rows each. A warp issues its
 * part, and computes it when a wgmma.wait_group covers it (at once in launches with early copies). Only then
 * are shared memory and the registers of A and D read, which belong to the product until the wait
 * (wgmma_owned.c); descriptors, scale-d and metadata are those of the issue. Eight
 * columns of D are one product of the size of mma.sync, with its fragments (isa_tables/ptx/wgmma.inc). Not
 * checked: that the four warps execute the same wgmma with the same descriptors, and that there is a
 * wgmma.fence where the ISA requires one. Descriptors and the
 * places of elements in shared memory: PTX ISA 9.1, "Asynchronous Warpgroup Level Matrix Instructions", and
 * CUTLASS's layouts.
 */
#include <stdio.h>
#include <stdlib.h>

#include "emu/ptx/decode.h"
#include "emu/ptx/handlers.h"
#include "emu/ptx/wgmma.h"

/* ---- Decoding ---- */

static const lw_ptx_operand *operand_at(const lw_ptx_decoding *d, uint32_t number)
{
    return lw_ptx_operand_at(d->ptx, d->r->insn->operands.first + number);
}

static bool take_word(lw_ptx_decoding *d, const lw_ptx_operand *o, lw_ptx_source *s)
{
    if (!lw_ptx_take(d, o, LW_PTX_TYPE_B32, s))
        return false;
    s->want = 32;
    return s->kind == LW_PTX_SOURCE_REGISTER
               ? s->bits == 32 || lw_ptx_refuse(d, "fragments are registers of 32 bits")
               : lw_ptx_refuse(d, "fragments are in registers");
}

static bool take_vector(lw_ptx_decoding *d, uint32_t number, lw_ptx_source *to, unsigned count)
{
    const lw_ptx_operand *o = operand_at(d, number);
    if (o->kind != LW_PTX_OPERAND_VECTOR || o->count != count) {
        snprintf(d->text, sizeof(d->text), "operand %u is a vector of %u registers", number + 1, count);
        return lw_ptx_refuse(d, d->text);
    }
    for (unsigned i = 0; i < count; i++)
        if (!take_word(d, lw_ptx_operand_at(d->ptx, o->index + i), &to[i]))
            return false;
    return true;
}

/* 1 or -1: `flip` becomes 0 or `bits`. */
static bool take_sign(lw_ptx_decoding *d, uint32_t number, uint32_t bits, uint32_t *flip)
{
    const lw_ptx_operand *o = operand_at(d, number);
    const int64_t value = (int64_t)o->value;
    if (o->kind != LW_PTX_OPERAND_INT || (value != 1 && value != -1 && o->value != UINT32_MAX))
        return lw_ptx_refuse(d, "imm-scale-a and imm-scale-b are 1 or -1");
    *flip = value == 1 ? 0 : bits;
    return true;
}

static bool take_turn(lw_ptx_decoding *d, uint32_t number, bool *turned)
{
    const lw_ptx_operand *o = operand_at(d, number);
    if (o->kind != LW_PTX_OPERAND_INT || o->value > 1)
        return lw_ptx_refuse(d, "imm-trans-a and imm-trans-b are 0 or 1");
    *turned = o->value == 1;
    return true;
}

/* The immediates after scale-d: two signs for floating-point types and then, for 16-bit types, which matrices
 * in shared memory are transposed. */
static bool take_immediates(lw_ptx_decoding *d, lw_ptx_wgmma *g, uint32_t first)
{
    const lw_ptx_row *row = g->part->ptx;
    const uint32_t given = d->r->insn->operands.count - first;
    const bool half = row->data == LW_PTX_F16 || row->data == LW_PTX_BF16;
    const bool real = half || row->data == LW_PTX_TF32 || row->data == LW_PTX_FP8;
    const uint32_t turns = half ? (g->a_in_registers ? 1 : 2) : 0, most = real ? 2 + turns : 0;
    const uint32_t signs = half ? 0x80008000u : row->data == LW_PTX_TF32 ? 0x80000000u : 0x80808080u;
    if (given != 0 && given != most && !(real && given == 2))
        return lw_ptx_refuse(d, "it has another number of operands");
    if (given && (!take_sign(d, first, signs, &g->a_flip) || !take_sign(d, first + 1, signs, &g->b_flip)))
        return false;
    if (given <= 2)
        return true;
    return g->a_in_registers ? take_turn(d, first + 2, &g->b_turned)
                             : take_turn(d, first + 2, &g->a_turned) && take_turn(d, first + 3, &g->b_turned);
}

static bool take_meta(lw_ptx_decoding *d, lw_ptx_wgmma *g, uint32_t number)
{
    const lw_ptx_operand *selector = operand_at(d, number + 1);
    if (selector->kind != LW_PTX_OPERAND_INT || selector->value >= g->part->ptx->selectors)
        return lw_ptx_refuse(d, "the sparsity selector is not a constant or is out of range");
    g->mods.ptx.selector = (uint8_t)selector->value;
    return take_word(d, operand_at(d, number), &g->meta);
}

static bool take_operands(lw_ptx_decoding *d, lw_ptx_wgmma *g)
{
    const uint32_t count = d->r->insn->operands.count, scale = g->sparse ? 5 : 3;
    if (count <= scale)
        return lw_ptx_refuse(d, "it has another number of operands");
    g->a_in_registers = operand_at(d, 1)->kind == LW_PTX_OPERAND_VECTOR;
    const lw_ptx_operand *d_scale = operand_at(d, scale);
    const bool constant = d_scale->kind == LW_PTX_OPERAND_INT && d_scale->value <= 1;
    if (!constant && (d_scale->kind != LW_PTX_OPERAND_REGISTER || d_scale->type != LW_PTX_TYPE_PRED))
        return lw_ptx_refuse(d, "scale-d is a predicate, 0 or 1");
    return take_vector(d, 0, g->d, g->d_count) &&
           (g->a_in_registers ? take_vector(d, 1, g->a, LW_WGMMA_A_WORDS)
                              : lw_ptx_take(d, operand_at(d, 1), LW_PTX_TYPE_B64, &g->a_desc)) &&
           lw_ptx_take(d, operand_at(d, 2), LW_PTX_TYPE_B64, &g->b_desc) &&
           (!g->sparse || take_meta(d, g, 3)) && lw_ptx_take(d, d_scale, LW_PTX_TYPE_PRED, &g->scale_d) &&
           take_immediates(d, g, scale + 1);
}

static bool prepare_product(lw_ptx_decoding *d, lw_ptx_wgmma *g, const char *opcode)
{
    lw_error error = { "" };
    const lw_insn *insn;
    lw_arch arch = LW_ARCH_NONE;
    (void)lw_arch_find(d->ptx->target, &arch);
    if (lw_ptx_find(arch, opcode, &insn, &g->mods, &error) != LW_OK) {
        snprintf(d->text, sizeof(d->text), "%.390s", error.text);
        return lw_ptx_refuse(d, d->text);
    }
    g->part = lw_ptx_part_of(insn);
    g->mods = lw_ptx_part_mods(insn, &g->mods);
    g->columns = insn->n;
    g->sparse = lw_ptx_is_sparse(insn);
    g->d_count = (uint8_t)lw_ptx_registers(insn, LW_OPERAND_D, &g->mods.ptx);
    if (!take_operands(d, g))
        return false;
    g->product.key = lw_mma_key_of(&((lw_ptx_placed *)d->module->own)->keys, g->part, &g->mods);
    return g->product.key || lw_ptx_refuse(d, "the host has no memory for decoded instructions");
}

static bool prepare(lw_ptx_decoding *d, lw_ptx_record *r)
{
    const char *text = d->ptx->text + r->insn->mnemonic;
    const uint32_t count = r->insn->operands.count;
    char opcode[128];
    lw_ptx_wgmma *g = calloc(1, sizeof(*g));
    if (!g)
        return lw_ptx_refuse(d, "the host has no memory for decoded instructions");
    r->extra = g;
    r->extra_free = free;
    snprintf(opcode, sizeof(opcode), "%.*s", (int)strcspn(text, " \t\r\n;[{"), text);
    g->verb = lw_ptx_wgmma_verb_of(opcode);
    if (g->verb == LW_PTX_WGMMA_PRODUCT)
        return prepare_product(d, g, opcode);
    if (g->verb == LW_PTX_WGMMA_NONE || count != (g->verb == LW_PTX_WGMMA_WAIT ? 1 : 0) ||
        (count && operand_at(d, 0)->kind != LW_PTX_OPERAND_INT))
        return lw_ptx_refuse(d, "no wgmma has these words and operands");
    g->left = count ? operand_at(d, 0)->value : 0;
    return true;
}

/* ---- One warp's part ---- */

/* A lane's words of some rows: row g, word t of each 16 bytes; with `early` = 2, each word is followed by
 * that of row g + 8. */
static void fill(const uint8_t *rows, unsigned bytes, unsigned early, uint32_t flip, uint32_t *image)
{
    for (unsigned b = 0; b < bytes; b += LW_WGMMA_CHUNK)
        for (unsigned e = 0; e < early; e++)
            for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
                uint32_t word;
                memcpy(&word, rows + (size_t)(lane / 4 + 8 * e) * bytes + b + lane % 4 * sizeof(word),
                       sizeof(word));
                image[(b / LW_WGMMA_CHUNK * early + e) * LW_PTX_LANES + lane] = word ^ flip;
            }
}

static bool read_a(lw_ptx_warp *w, const lw_ptx_wgmma *g, uint64_t descriptor,
                   uint32_t image[LW_WGMMA_A_WORDS * LW_PTX_LANES])
{
    uint8_t rows[LW_WGMMA_ROWS * LW_WGMMA_A_BYTES];
    for (unsigned i = 0; g->a_in_registers && i < LW_WGMMA_A_WORDS; i++)
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
            image[i * LW_PTX_LANES + lane] = lw_ptx_wgmma_row(w, &g->a[i])[lane] ^ g->a_flip;
    if (g->a_in_registers)
        return true;
    if (!lw_ptx_read_tile(w, descriptor, g->a_turned, w->head.place % LW_WGMMA_GROUP_WARPS * LW_WGMMA_ROWS,
                          LW_WGMMA_ROWS, LW_WGMMA_A_BYTES, rows))
        return false;
    fill(rows, LW_WGMMA_A_BYTES, 2, g->a_flip, image);
    return true;
}

/* Eight columns of D, where their registers follow each other: there C and D are read and written. Else NULL.
 */
static uint32_t *in_place(const lw_ptx_warp *w, const lw_ptx_wgmma *g, unsigned first, unsigned each)
{
    for (unsigned i = 1; i < each; i++)
        if (g->d[first + i].slot != g->d[first].slot + i)
            return NULL;
    return lw_ptx_wgmma_row(w, &g->d[first]);
}

/* Eight columns by way of `c`. */
static bool multiply_apart(lw_ptx_warp *w, const lw_ptx_wgmma *g, unsigned first, unsigned each,
                           const lw_mma *mma, const lw_mma_registers *regs, lw_mma_use *use, uint32_t *c)
{
    lw_mma_registers own = *regs;
    own.c = own.d = c;
    for (unsigned i = 0; i < each; i++)
        memcpy(c + i * LW_PTX_LANES, lw_ptx_wgmma_row(w, &g->d[first + i]), LW_PTX_LANES * sizeof(*c));
    const bool good = lw_mma_execute_noting(mma, &own, use) == LW_OK;
    for (unsigned i = 0; good && i < each; i++)
        memcpy(lw_ptx_wgmma_row(w, &g->d[first + i]), c + i * LW_PTX_LANES, LW_PTX_LANES * sizeof(*c));
    return good;
}

static bool multiply(lw_ptx_warp *w, const lw_ptx_wgmma *g, const lw_copy *copy)
{
    enum { MOST_C = 4 };
    const unsigned bytes = g->sparse ? LW_WGMMA_MOST_BYTES : LW_WGMMA_A_BYTES,
                   each = g->d_count / (g->columns / LW_WGMMA_COLUMNS);
    const bool adds = copy->pieces[0].bytes != 0;
    uint8_t columns[LW_WGMMA_MOST_COLUMNS * LW_WGMMA_MOST_BYTES];
    uint32_t a[LW_WGMMA_A_WORDS * LW_PTX_LANES], b[LW_WGMMA_A_WORDS * LW_PTX_LANES], c[MOST_C * LW_PTX_LANES];
    const lw_mma *mma = lw_ptx_mma_of(w, g->product.key);
    lw_mma_use *use = lw_worker_note(w->head.group->worker, g->product.key->number, sizeof(*use));
    uint32_t meta[LW_PTX_LANES];
    for (unsigned lane = 0; g->sparse && lane < LW_PTX_LANES; lane++)
        meta[lane] = (uint32_t)copy->pieces[LW_WGMMA_DESCRIPTORS + lane].from;
    lw_mma_registers regs = { .a = a, .b = b, .c = c, .d = c, .index = g->sparse ? meta : NULL };
    lw_error error = { "no host memory" };
    if (!mma || !read_a(w, g, copy->pieces[0].from, a) ||
        !lw_ptx_read_tile(w, copy->pieces[1].from, g->b_turned, 0, g->columns, bytes, columns))
        return false;
    bool good = use && (!g->sparse || lw_mma_check_registers(mma, &regs, &error) == LW_OK);
    for (unsigned n = 0; good && n < g->columns / LW_WGMMA_COLUMNS; n++) {
        fill(columns + (size_t)n * LW_WGMMA_COLUMNS * bytes, bytes, 1, g->b_flip, b);
        for (unsigned i = 0; !adds && i < each; i++)
            memset(lw_ptx_wgmma_row(w, &g->d[n * each + i]), 0, LW_PTX_LANES * sizeof(*c));
        regs.c = regs.d = in_place(w, g, n * each, each);
        good = regs.d ? lw_mma_execute_noting(mma, &regs, use) == LW_OK
                      : multiply_apart(w, g, n * each, each, mma, &regs, use, c);
    }
    if (!good)
        lw_fault_say(&w->head, -1, "the matrix unit refuses its operands: %.380s", error.text);
    return good;
}

bool lw_ptx_wgmma_arrive(lw_ptx_warp *w, const lw_copy *copy)
{
    const lw_ptx_record *r = lw_code_at(&w->head.group->session->module->code, copy->pc);
    return multiply(w, r->extra, copy);
}

/* ---- Issue and wait ---- */

/* An operand that must be the same in all lanes of the warp. */
static bool same(lw_ptx_warp *w, const lw_ptx_source *s, const char *what, uint64_t *value)
{
    *value = lw_ptx_get(w, s, 0);
    if (lw_ptx_is_uniform(w, s))
        return true;
    for (unsigned lane = 1; lane < LW_PTX_LANES; lane++)
        if (lw_ptx_get(w, s, lane) != *value) {
            lw_fault_say(&w->head, (int)lane, "has another %s than lane 0 has", what);
            return false;
        }
    return true;
}

static bool issue(lw_ptx_warp *w, const lw_ptx_wgmma *g)
{
    lw_copies *copies = &w->head.group->copies;
    uint64_t value[2] = { 0, 0 }, adds;
    const uint32_t warps = w->head.group->wave_count / lw_group_ranks(w->head.group);
    if (w->head.place / LW_WGMMA_GROUP_WARPS * LW_WGMMA_GROUP_WARPS + LW_WGMMA_GROUP_WARPS > warps) {
        lw_fault_say(&w->head, -1,
                     "warp %u belongs to no warpgroup: a block of %u warps has %u groups of four",
                     w->head.place, warps, warps / LW_WGMMA_GROUP_WARPS);
        return false;
    }
    if ((!g->a_in_registers && !same(w, &g->a_desc, "descriptor of A", &value[0])) ||
        !same(w, &g->b_desc, "descriptor of B", &value[1]) || !same(w, &g->scale_d, "scale-d", &adds))
        return false;
    lw_copy *copy = lw_copies_new(copies, w->head.id, w->head.pc, w->head.issued);
    const unsigned pieces = LW_WGMMA_DESCRIPTORS + (g->sparse ? LW_PTX_LANES : 0);
    for (unsigned i = 0; i < pieces; i++) {
        lw_copy_piece *piece = copy ? lw_copy_add(copy) : NULL;
        if (!piece) {
            lw_copies_refuse(&w->head);
            return false;
        }
        *piece = (lw_copy_piece){ .from = i < LW_WGMMA_DESCRIPTORS
                                              ? value[i]
                                              : lw_ptx_get(w, &g->meta, i - LW_WGMMA_DESCRIPTORS),
                                  .lane = -1,
                                  .bytes = adds & 1,
                                  .kind = LW_PTX_PIECE_WGMMA };
    }
    if (w->head.group->session->async == LW_ASYNC_EARLY) {
        const bool good = multiply(w, g, copy);
        lw_copies_recycle(copies, copy);
        return good;
    }
    for (unsigned i = 0; i < g->d_count; i++)
        lw_ptx_own(w, g->d[i].slot);
    for (unsigned i = 0; g->a_in_registers && i < LW_WGMMA_A_WORDS; i++)
        lw_ptx_own(w, g->a[i].slot);
    lw_copies_issue(copies, copy);
    w->head.pending++;
    w->head.issued++;
    return true;
}

/* A wait covers the copies with an index below *limit. False after a fault, which has been reported. */
static bool wait_limit(lw_ptx_warp *w, const lw_ptx_wgmma *g, uint64_t *limit)
{
    if (g->left >= LW_PTX_MOST_COMMITS) {
        lw_fault_say(&w->head, -1, "waits but for %llu groups; up to %d are kept apart",
                     (unsigned long long)g->left, LW_PTX_MOST_COMMITS - 1);
        return false;
    }
    lw_ptx_disown(w, g->left);
    *limit =
        g->left < w->wgmma_count ? w->wgmma_commits[(w->wgmma_count - g->left - 1) % LW_PTX_MOST_COMMITS] : 0;
    return true;
}

/* Everything except a wait that must give way to other warps. */
static bool act(lw_ptx_warp *w, const lw_ptx_record *const *of, uint32_t members)
{
    const lw_ptx_wgmma *g = of[0]->extra;
    uint64_t limit;
    (void)members;
    if (g->verb == LW_PTX_WGMMA_PRODUCT)
        return issue(w, g);
    if (g->verb == LW_PTX_WGMMA_COMMIT)
        w->wgmma_commits[w->wgmma_count++ % LW_PTX_MOST_COMMITS] = w->head.issued;
    return g->verb != LW_PTX_WGMMA_WAIT || (wait_limit(w, g, &limit) && lw_copies_complete(&w->head, limit));
}

static lw_ptx_step step(lw_ptx_warp *w, const lw_ptx_record *r, uint32_t lanes)
{
    const lw_ptx_wgmma *g = r->extra;
    uint64_t limit;
    if (g->verb != LW_PTX_WGMMA_WAIT || lanes != UINT32_MAX)
        return lw_ptx_meet(w, r, lanes);
    if (!wait_limit(w, g, &limit))
        return LW_PTX_STEP_FAULT;
    if (!w->head.pending || !lw_copies_covered(&w->head.group->copies, w->head.id, limit))
        return LW_PTX_STEP_NEXT;
    w->head.wait_limit = limit;
    return LW_PTX_STEP_WAIT;
}

const lw_ptx_handler lw_ptx_sem_wgmma = { .exec = step, .together = act, .prepare = prepare };
