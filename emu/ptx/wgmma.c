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
#include "emu/ptx/matrix.h"
#include "emu/ptx/wgmma_tile.h"
#include "isa_tables/ptx/parts.h"

enum {
    MOST_D = 128,       /* registers of D */
    A_WORDS = 4,        /* registers of A */
    ROWS = 16,          /* of a warp */
    COLUMNS = 8,        /* of a part */
    MOST_COLUMNS = 256, /* of all */
    CHUNK = 16,         /* bytes that stay contiguous in shared memory */
    A_BYTES = 32,       /* of a row of A */
    MOST_BYTES = 64,    /* of a column of B, in sparse products */
    GROUP_WARPS = 4,
    DESCRIPTORS = 2, /* the first pieces of a copy; the metadata of sparse products follow, lane by lane */
};

typedef struct wgmma {
    lw_ptx_product product;
    lw_ptx_wgmma_verb verb;
    uint64_t left;       /* of a wait: groups that may stay pending */
    const lw_insn *part; /* of one warp, for eight columns */
    lw_mods mods;        /* of the part */
    uint16_t columns;
    lw_ptx_source d[MOST_D], a[A_WORDS], a_desc, b_desc, meta, scale_d;
    uint8_t d_count;
    bool a_in_registers, sparse;
    bool a_turned, b_turned; /* A is M-major, B is N-major */
    uint32_t a_flip, b_flip; /* sign bits, in a word of elements, to be negated */
} wgmma;

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
static bool take_immediates(lw_ptx_decoding *d, wgmma *g, uint32_t first)
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

static bool take_meta(lw_ptx_decoding *d, wgmma *g, uint32_t number)
{
    const lw_ptx_operand *selector = operand_at(d, number + 1);
    if (selector->kind != LW_PTX_OPERAND_INT || selector->value >= g->part->ptx->selectors)
        return lw_ptx_refuse(d, "the sparsity selector is not a constant or is out of range");
    g->mods.ptx.selector = (uint8_t)selector->value;
    return take_word(d, operand_at(d, number), &g->meta);
}

static bool take_operands(lw_ptx_decoding *d, wgmma *g)
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
           (g->a_in_registers ? take_vector(d, 1, g->a, A_WORDS)
                              : lw_ptx_take(d, operand_at(d, 1), LW_PTX_TYPE_B64, &g->a_desc)) &&
           lw_ptx_take(d, operand_at(d, 2), LW_PTX_TYPE_B64, &g->b_desc) &&
           (!g->sparse || take_meta(d, g, 3)) && lw_ptx_take(d, d_scale, LW_PTX_TYPE_PRED, &g->scale_d) &&
           take_immediates(d, g, scale + 1);
}

static bool prepare_product(lw_ptx_decoding *d, wgmma *g, const char *opcode)
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
    wgmma *g = calloc(1, sizeof(*g));
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
    for (unsigned b = 0; b < bytes; b += CHUNK)
        for (unsigned e = 0; e < early; e++)
            for (unsigned lane = 0; lane < LW_PTX_LANES; lane++) {
                uint32_t word;
                memcpy(&word, rows + (size_t)(lane / 4 + 8 * e) * bytes + b + lane % 4 * sizeof(word),
                       sizeof(word));
                image[(b / CHUNK * early + e) * LW_PTX_LANES + lane] = word ^ flip;
            }
}

static uint32_t *row_of(const lw_ptx_warp *w, const lw_ptx_source *s)
{
    return &w->rows[(size_t)s->slot * LW_PTX_LANES];
}

static bool read_a(lw_ptx_warp *w, const wgmma *g, uint64_t descriptor,
                   uint32_t image[A_WORDS * LW_PTX_LANES])
{
    uint8_t rows[ROWS * A_BYTES];
    for (unsigned i = 0; g->a_in_registers && i < A_WORDS; i++)
        for (unsigned lane = 0; lane < LW_PTX_LANES; lane++)
            image[i * LW_PTX_LANES + lane] = row_of(w, &g->a[i])[lane] ^ g->a_flip;
    if (g->a_in_registers)
        return true;
    if (!lw_ptx_read_tile(w, NULL, descriptor, g->a_turned, w->head.place % GROUP_WARPS * ROWS, ROWS, A_BYTES,
                          rows))
        return false;
    fill(rows, A_BYTES, 2, g->a_flip, image);
    return true;
}

/* Eight columns of D, where their registers follow each other: there C and D are read and written. Else NULL.
 */
static uint32_t *in_place(const lw_ptx_warp *w, const wgmma *g, unsigned first, unsigned each)
{
    for (unsigned i = 1; i < each; i++)
        if (g->d[first + i].slot != g->d[first].slot + i)
            return NULL;
    return row_of(w, &g->d[first]);
}

/* Eight columns by way of `c`. */
static bool multiply_apart(lw_ptx_warp *w, const wgmma *g, unsigned first, unsigned each, const lw_mma *mma,
                           const lw_mma_registers *regs, lw_mma_use *use, uint32_t *c)
{
    lw_mma_registers own = *regs;
    own.c = own.d = c;
    for (unsigned i = 0; i < each; i++)
        memcpy(c + i * LW_PTX_LANES, row_of(w, &g->d[first + i]), LW_PTX_LANES * sizeof(*c));
    const bool good = lw_mma_execute_noting(mma, &own, use) == LW_OK;
    for (unsigned i = 0; good && i < each; i++)
        memcpy(row_of(w, &g->d[first + i]), c + i * LW_PTX_LANES, LW_PTX_LANES * sizeof(*c));
    return good;
}

static bool multiply(lw_ptx_warp *w, const wgmma *g, const lw_copy *copy)
{
    enum { MOST_C = 4 };
    const unsigned bytes = g->sparse ? MOST_BYTES : A_BYTES, each = g->d_count / (g->columns / COLUMNS);
    const bool adds = copy->pieces[0].bytes != 0;
    uint8_t columns[MOST_COLUMNS * MOST_BYTES];
    uint32_t a[A_WORDS * LW_PTX_LANES], b[A_WORDS * LW_PTX_LANES], c[MOST_C * LW_PTX_LANES];
    const lw_mma *mma = lw_ptx_mma_of(w, g->product.key);
    lw_mma_use *use = lw_worker_note(w->head.group->worker, g->product.key->number, sizeof(*use));
    uint32_t meta[LW_PTX_LANES];
    for (unsigned lane = 0; g->sparse && lane < LW_PTX_LANES; lane++)
        meta[lane] = (uint32_t)copy->pieces[DESCRIPTORS + lane].from;
    lw_mma_registers regs = { .a = a, .b = b, .c = c, .d = c, .index = g->sparse ? meta : NULL };
    lw_error error = { "no host memory" };
    if (!mma || !read_a(w, g, copy->pieces[0].from, a) ||
        !lw_ptx_read_tile(w, NULL, copy->pieces[1].from, g->b_turned, 0, g->columns, bytes, columns))
        return false;
    bool good = use && (!g->sparse || lw_mma_check_registers(mma, &regs, &error) == LW_OK);
    for (unsigned n = 0; good && n < g->columns / COLUMNS; n++) {
        fill(columns + (size_t)n * COLUMNS * bytes, bytes, 1, g->b_flip, b);
        for (unsigned i = 0; !adds && i < each; i++)
            memset(row_of(w, &g->d[n * each + i]), 0, LW_PTX_LANES * sizeof(*c));
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

/* ---- What observers see: the operands as they are when the wgmma is issued. C is still being computed.
 * ---- */

lw_async_step lw_ptx_wgmma_step(const lw_ptx_record *r, uint64_t *left)
{
    static const lw_async_step steps[] = {
        [LW_PTX_WGMMA_PRODUCT] = LW_ASYNC_ISSUES, [LW_PTX_WGMMA_FENCE] = LW_ASYNC_OTHER,
        [LW_PTX_WGMMA_COMMIT] = LW_ASYNC_COMMITS, [LW_PTX_WGMMA_WAIT] = LW_ASYNC_WAITS,
        [LW_PTX_WGMMA_NONE] = LW_ASYNC_OTHER,
    };
    const wgmma *g = r->extra;
    *left = g->left;
    return steps[g->verb];
}

/* Registers that follow each other are one operand; D counts as written when the wgmma is issued. */
void lw_ptx_wgmma_operands(const lw_ptx_record *r, lw_facts *f, lw_fact_operand *operands)
{
    enum { MOST_RUNS = 24 };
    const wgmma *g = r->extra;
    const unsigned a_count = g->a_in_registers ? A_WORDS : 0,
                   count = g->verb == LW_PTX_WGMMA_PRODUCT ? g->d_count + a_count : 0;
    const bool adds = g->scale_d.kind != LW_PTX_SOURCE_CONSTANT || (g->scale_d.value & 1);
    lw_fact_operand *last = NULL;
    for (unsigned i = 0; i < count && f->operand_count < MOST_RUNS; i++) {
        const bool is_d = i < g->d_count;
        const uint32_t slot = is_d ? g->d[i].slot : g->a[i - g->d_count].slot;
        if (last && last->written == is_d && last->first + (uint32_t)last->count == slot) {
            last->count++;
            continue;
        }
        last = &operands[f->operand_count++];
        *last = (lw_fact_operand){ .role = is_d ? LW_ROLE_RESULT : LW_ROLE_SOURCE,
                                   .is_register = true,
                                   .file = LW_FILE_VGPR,
                                   .first = (uint16_t)slot,
                                   .count = 1,
                                   .lanes = LW_LANES_ALL,
                                   .read = !is_d || adds,
                                   .written = is_d,
                                   .bytes_read = !is_d || adds ? LW_BYTES_ALL : 0,
                                   .bytes_written = is_d ? LW_BYTES_ALL : 0 };
    }
}

static unsigned parts(const wgmma *g)
{
    return (unsigned)g->columns / COLUMNS;
}

bool lw_ptx_wgmma_event(const lw_ptx_record *r, lw_matrix_event *event)
{
    const wgmma *g = r->extra;
    if (g->verb != LW_PTX_WGMMA_PRODUCT)
        return false;
    const unsigned bytes = g->sparse ? MOST_BYTES : A_BYTES, b_words = bytes / CHUNK * parts(g);
    const uint16_t counts[LW_OPERAND_COUNT] = { [LW_OPERAND_A] = A_WORDS,
                                                [LW_OPERAND_B] = (uint16_t)b_words,
                                                [LW_OPERAND_D] = g->d_count,
                                                [LW_OPERAND_INDEX] = g->sparse };
    *event = (lw_matrix_event){ .insn = g->part, .mods = g->mods };
    for (int o = 0; o < LW_OPERAND_COUNT; o++)
        event->operand[o] = (lw_matrix_operand){ .is_register = counts[o] > 0,
                                                 .file = LW_FILE_VGPR,
                                                 .first = (uint16_t)(o == LW_OPERAND_D ? g->d[0].slot : 0),
                                                 .count = counts[o] };
    return true;
}

/* Rows of A or columns of B from shared memory, as the registers of a part hold them; zeros where none are.
 */
static void told_shared(const lw_ptx_warp *w, const wgmma *g, bool is_a, unsigned word, uint32_t *image)
{
    const unsigned bytes = is_a || !g->sparse ? A_BYTES : MOST_BYTES, words = bytes / CHUNK;
    const unsigned first = is_a ? w->head.place % GROUP_WARPS * ROWS : word / words * COLUMNS;
    uint32_t all[A_WORDS * LW_PTX_LANES];
    uint8_t rows[ROWS * A_BYTES] = { 0 };
    _Static_assert(COLUMNS * MOST_BYTES <= sizeof(rows), "a part of B fits");
    const lw_ptx_view shared = lw_ptx_view_of(w);
    if (!lw_ptx_read_tile(NULL, &shared, lw_ptx_get(w, is_a ? &g->a_desc : &g->b_desc, 0),
                          is_a ? g->a_turned : g->b_turned, first, is_a ? ROWS : COLUMNS, bytes, rows))
        memset(rows, 0, sizeof(rows));
    fill(rows, bytes, is_a ? 2 : 1, 0, all);
    memcpy(image, all + (is_a ? word : word % words) * LW_PTX_LANES, LW_PTX_LANES * sizeof(*image));
}

void lw_ptx_wgmma_word(const lw_ptx_warp *w, const lw_ptx_record *r, lw_operand operand, unsigned word,
                       uint32_t *values, size_t count)
{
    const wgmma *g = r->extra;
    uint32_t image[LW_PTX_LANES] = { 0 };
    lw_matrix_event event;
    if (!lw_ptx_wgmma_event(r, &event) || word >= event.operand[operand].count)
        ;
    else if (operand == LW_OPERAND_B || (operand == LW_OPERAND_A && !g->a_in_registers))
        told_shared(w, g, operand == LW_OPERAND_A, word, image);
    else
        memcpy(image,
               row_of(w, operand == LW_OPERAND_A       ? &g->a[word]
                         : operand == LW_OPERAND_INDEX ? &g->meta
                                                       : &g->d[word]),
               sizeof(image));
    for (size_t lane = 0; lane < count; lane++)
        values[lane] = lane < LW_PTX_LANES ? image[lane] : 0;
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

static bool issue(lw_ptx_warp *w, const wgmma *g)
{
    lw_copies *copies = &w->head.group->copies;
    uint64_t value[2] = { 0, 0 }, adds;
    const uint32_t warps = w->head.group->wave_count / lw_group_ranks(w->head.group);
    if (w->head.place / GROUP_WARPS * GROUP_WARPS + GROUP_WARPS > warps) {
        lw_fault_say(&w->head, -1,
                     "warp %u belongs to no warpgroup: a block of %u warps has %u groups of four",
                     w->head.place, warps, warps / GROUP_WARPS);
        return false;
    }
    if ((!g->a_in_registers && !same(w, &g->a_desc, "descriptor of A", &value[0])) ||
        !same(w, &g->b_desc, "descriptor of B", &value[1]) || !same(w, &g->scale_d, "scale-d", &adds))
        return false;
    lw_copy *copy = lw_copies_new(copies, w->head.id, w->head.pc, w->head.issued);
    const unsigned pieces = DESCRIPTORS + (g->sparse ? LW_PTX_LANES : 0);
    for (unsigned i = 0; i < pieces; i++) {
        lw_copy_piece *piece = copy ? lw_copy_add(copy) : NULL;
        if (!piece) {
            lw_fault_say(&w->head, -1, "the host has no memory for copies");
            return false;
        }
        *piece =
            (lw_copy_piece){ .from = i < DESCRIPTORS ? value[i] : lw_ptx_get(w, &g->meta, i - DESCRIPTORS),
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
    for (unsigned i = 0; g->a_in_registers && i < A_WORDS; i++)
        lw_ptx_own(w, g->a[i].slot);
    lw_copies_issue(copies, copy);
    w->head.pending++;
    w->head.issued++;
    return true;
}

/* A wait covers the copies with an index below *limit. False after a fault, which has been reported. */
static bool wait_limit(lw_ptx_warp *w, const wgmma *g, uint64_t *limit)
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
    const wgmma *g = of[0]->extra;
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
    const wgmma *g = r->extra;
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
