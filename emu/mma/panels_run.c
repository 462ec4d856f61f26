/* SPDX-License-Identifier: MIT */
/* Executing with panels: operands in, kernel, the outputs that it marked for the reference, results out. */
#include <string.h>

#include "emu/mma/panels.h"
#include "emu/num/rdna.h"

/* May the kernel write its runs directly into the registers? */
static bool writes_registers(const lw_mma *mma, const lw_mma_registers *r)
{
    const lw_mma_panels *p = mma->panels;
    if (!p->d.runs)
        return false;
    const uint32_t *side = p->swapped ? r->b : r->a;
    if (p->s_direct && !lw_mma_apart(side, p->swapped ? p->b_words : p->a_words, r->d, p->d_words))
        return false;
    if (p->in_place && r->c == r->d && p->same_runs)
        return true;
    const bool c_apart = !r->c || lw_mma_apart(r->c, p->d_words, r->d, p->d_words);
    if (p->in_place)
        return c_apart;
    return c_apart && lw_mma_apart(r->a, p->a_words, r->d, p->d_words) &&
           lw_mma_apart(r->b, p->b_words, r->d, p->d_words) &&
           (!r->index || lw_mma_apart(r->index, p->index_words, r->d, p->d_words)) &&
           (!r->scale_a || lw_mma_apart(r->scale_a, p->scale_a_words, r->d, p->d_words)) &&
           (!r->scale_b || lw_mma_apart(r->scale_b, p->scale_b_words, r->d, p->d_words));
}

static void constant_c(const lw_mma_panels *p, uint64_t bits, uint32_t *c)
{
    for (unsigned run = 0; run < p->runs; run++)
        for (unsigned t = 0; t < LW_PANEL; t++)
            c[run * LW_PANEL + t] = (uint32_t)(run % p->planes ? bits >> 32 : bits);
}

static void load_scale(const lw_mma_panels *p, const lw_mma_scale_move *scale, const uint32_t *regs,
                       uint8_t constant, uint32_t *out)
{
    const unsigned words = (unsigned)scale->move.chunks * LW_PANEL, stride = scale->stride;
    if (!regs) {
        for (unsigned i = 0; i < words; i++)
            out[i] = constant;
        return;
    }
    p->words->move(&scale->move, regs, out);
    for (unsigned q = 0; q < words / stride; q++) {
        const unsigned shift = scale->shift[q];
        for (unsigned i = 0; i < stride; i++)
            out[q * stride + i] = out[q * stride + i] >> shift & 0xff;
    }
}

/* The index by lane; false if it must be refused. AMD's is used as it is. */
static bool load_index(const lw_mma *mma, const uint32_t *regs, uint32_t *out, lw_mma_notes *notes)
{
    const lw_mma_panels *p = mma->panels;
    const bool known = p->words->index(&p->index, regs, out);
    if (notes && !known)
        notes->touched |= 1u << LW_MMA_OPERANDS;
    return known || !lw_mma_is_ptx(mma);
}

/* What a row of S or V holds besides ordinary numbers. */
enum { HAS_NAN = 1, HAS_INF = 2, LOOKED = 4 };

typedef struct redo_task {
    const lw_mma *mma;
    const lw_mma_source *source;
    const lw_panels *panels;
    uint8_t seen[2][LW_PANEL_MAX_BLOCKS][2 * LW_PANEL]; /* of S, of V */
    bool filled;
    lw_mma_tile tile; /* valid once `filled` */
} redo_task;

/* The pointers have been checked. */
static void fill_tile(redo_task *t)
{
    if (!t->filled)
        (void)(t->source->regs ? lw_mma_tile_from_registers(t->mma, t->source->regs, &t->tile)
                               : lw_mma_tile_from_matrices(t->mma, t->source->mat, &t->tile));
    t->filled = true;
}

/* The string of codes of a row of A or a column of B; rows and columns are counted over all blocks. */
static const uint32_t *string_of(redo_task *t, lw_operand operand, unsigned row, uint32_t *string)
{
    const lw_mma_port *port = &t->mma->port[operand];
    const lw_mma_registers *r = t->source->regs;
    if (!r) {
        fill_tile(t);
        return lw_mma_row(port, operand == LW_OPERAND_A ? t->tile.a : t->tile.b, row);
    }
    const uint32_t *regs = operand == LW_OPERAND_A ? r->a : r->b;
    const uint16_t *word = port->word + (size_t)row * port->row_words;
    for (unsigned w = 0; w < port->row_words; w++)
        string[w] = regs[word[w]];
    return string;
}

/* Inspects a row or column of a side: bits of HAS_. */
static unsigned look(redo_task *t, unsigned side, lw_mma_panel_place at)
{
    const unsigned i = side ? at.v : at.s;
    uint8_t *seen = &t->seen[side][at.block][i];
    if (*seen || !(t->panels->bad[at.image][side] >> (side ? at.v_lane : at.s_lane) & 1))
        return *seen;
    const lw_mma_panels *p = t->mma->panels;
    const bool is_b = side != p->swapped;
    const lw_panel_shape *s = &p->shape;
    const lw_format *f = side ? s->v : s->s;
    uint32_t words[LW_PANEL_SIDE_WORDS / LW_PANEL];
    const unsigned count = is_b ? t->mma->insn->n : t->mma->insn->m;
    const uint32_t *string = string_of(t, is_b ? LW_OPERAND_B : LW_OPERAND_A, at.block * count + i, words);
    *seen = LOOKED;
    const unsigned stored = t->mma->port[is_b ? LW_OPERAND_B : LW_OPERAND_A].row_elements;
    for (unsigned k = 0; k < s->k && k < stored; k++) {
        const uint32_t code = (uint32_t)lw_mma_code(string, k, f->bits);
        const uint8_t kind = lw_part_make(f, code, t->mma->recipe.mask_first).kind;
        *seen = (uint8_t)(*seen | (kind == LW_PART_NAN ? HAS_NAN : kind == LW_PART_INF ? HAS_INF : 0));
    }
    return *seen;
}

/*
 * NaNs that need no arithmetic: any NaN operand, where the unit has one NaN; a NaN factor without infinities,
 * where the unit has NaNs by cause (infinities could meet in a later step, which is another cause).
 */
static bool plain_nan(redo_task *t, lw_mma_panel_place at, uint32_t c, uint32_t *code)
{
    const lw_dot_unit *unit = &t->mma->recipe.unit;
    /* Where V is sparse, not every value of S is multiplied. */
    if (t->mma->sparse && (t->panels->bad[at.image][0] >> at.s_lane & 1))
        return false;
    const lw_dot_acc acc = lw_mma_acc_of(t->mma->d);
    if (unit->nan == LW_NAN_RDNA && acc != LW_ACC_F32)
        return false;
    const unsigned seen = look(t, 0, at) | look(t, 1, at);
    *code = unit->nan == LW_NAN_RDNA ? LW_RDNA_FACTOR_NAN : lw_dot_nan(unit, acc);
    if (unit->nan == LW_NAN_RDNA)
        return (seen & (HAS_NAN | HAS_INF)) == HAS_NAN;
    return (seen & HAS_NAN) || (c & 0x7fffffff) > 0x7f800000;
}

static uint32_t redo_element(redo_task *t, unsigned run, unsigned lane)
{
    const lw_mma_panels *p = t->mma->panels;
    const lw_mma_panel_place at = lw_mma_panels_place(p, run, lane);
    uint32_t code;
    const uint32_t *c =
        p->shape.c_after ? t->panels->c_after + run * LW_PANEL : t->panels->c + t->panels->c_at[run];
    if (plain_nan(t, at, c[lane], &code))
        return code;
    fill_tile(t);
    return (uint32_t)lw_mma_element(t->mma, &t->tile, at.block, p->swapped ? at.v : at.s,
                                    p->swapped ? at.s : at.v, NULL);
}

/* The outputs that the kernel marked for the reference. False when there are so many that computing the whole
 * tile is cheaper. */
static bool redo(const lw_mma *mma, const lw_mma_source *source, const lw_panels *panels)
{
    const lw_mma_panels *p = mma->panels;
    redo_task task;
    task.mma = mma;
    task.source = source;
    task.panels = panels;
    task.filled = false;
    memset(task.seen, 0, sizeof(task.seen));
    unsigned marked = 0;
    for (unsigned run = 0; run < p->runs; run++)
        for (unsigned bits = panels->redo[run]; bits; bits &= bits - 1)
            marked++;
    if (marked > (unsigned)p->runs * LW_PANEL / 4)
        return false;
    for (unsigned run = 0; run < p->runs; run++)
        for (unsigned lane = 0; panels->redo[run] >> lane; lane++)
            if (panels->redo[run] >> lane & 1)
                panels->d[panels->d_at[run] + lane] = redo_element(&task, run, lane);
    return true;
}

typedef struct conversion {
    const lw_mma *mma;
    uint32_t *d;
} conversion;

static void convert_d(void *context)
{
    const conversion *c = context;
    lw_mma_convert_d(c->mma, c->d);
}

bool lw_mma_panels_call(const lw_mma *mma, const lw_mma_source *source, lw_panels *panels)
{
    const lw_mma_panels *p = mma->panels;
    uint16_t lanes[LW_PANEL_RUNS];
    uint32_t bad[LW_PANEL_MAX_BLOCKS][2];
    panels->redo = lanes;
    panels->bad = bad;
    if (!p->in_place) {
        memset(lanes, 0, p->runs * sizeof(*lanes));
        memset(bad, 0, p->shape.blocks * sizeof(*bad));
    }
    const bool floats = p->shape.unit.kind != LW_KIND_INT;
    const lw_panel_result result = floats ? lw_panel_run(p->fn, &p->shape, panels) : p->fn(&p->shape, panels);
    if (p->c_half && result != LW_PANELS_NONE)
        lw_panel_default(convert_d, &(conversion){ mma, panels->d });
    if (result == LW_PANELS_REDO && panels->quiet)
        panels->quiet->d = false;
    return result != LW_PANELS_NONE && (result != LW_PANELS_REDO || redo(mma, source, panels));
}

bool lw_mma_panels_convert(const lw_mma *mma, const lw_mma_source *source, uint32_t *c, lw_panels *panels)
{
    static const uint32_t zeros[LW_PANEL];
    static const uint16_t there[LW_PANEL_RUNS];
    const lw_mma_panels *p = mma->panels;
    const bool after = p->shape.c_after;
    lw_mma_convert_c(mma, source, c);
    panels->c_after = c;
    panels->c = after ? zeros : c;
    panels->c_at = after ? there : p->dense_at;
    panels->d_at = p->dense_at;
    return lw_mma_panels_call(mma, source, panels);
}

/* Buffers for the operands of the kernel. */
typedef struct room {
    _Alignas(64) uint32_t s[LW_PANEL_SIDE_WORDS], v[LW_PANEL_SIDE_WORDS], c[LW_PANEL_CD_WORDS],
        d[LW_PANEL_CD_WORDS], scale_s[LW_PANEL_TILE4_SCALES], scale_v[LW_PANEL_MAX_SCALES];
    uint32_t index[LW_TILE_INDEX];
} room;

static void load_sides(const lw_mma_panels *p, const lw_mma_registers *r, room *to)
{
    if (!p->s_direct)
        p->words->move(&p->s, p->swapped ? r->b : r->a, to->s);
    p->words->move(&p->v, p->swapped ? r->a : r->b, to->v);
    if (p->shape.scaled) {
        const bool swap = p->swapped;
        load_scale(p, &p->scale_s, swap ? r->scale_b : r->scale_a,
                   swap ? r->scale_b_constant : r->scale_a_constant, to->scale_s);
        load_scale(p, &p->scale_v, swap ? r->scale_a : r->scale_b,
                   swap ? r->scale_a_constant : r->scale_b_constant, to->scale_v);
    }
}

/* Decides where D goes; true if directly to the registers. *keeps: to C's place, and the kernel has to keep
 * C. */
static bool choose_d(const lw_mma *mma, const lw_mma_registers *r, uint32_t *own, lw_panels *panels,
                     lw_mma_notes *notes, bool *keeps)
{
    const lw_mma_panels *p = mma->panels;
    bool direct = writes_registers(mma, r);
    const bool onto = notes && direct && r->c && !lw_mma_apart(r->c, p->d_words, r->d, p->d_words);
    *keeps = onto && lw_panel_keeps_c(&p->shape);
    if (onto && !*keeps)
        direct = notes->c_is_gone = lw_mma_note_c(mma, panels, notes);
    panels->d = direct ? r->d : own;
    panels->d_at = direct ? p->d_at : p->dense_at;
    return direct;
}

static bool run_converted(const lw_mma *mma, const lw_mma_registers *r, room *to)
{
    const lw_mma_panels *p = mma->panels;
    const lw_mma_source source = { .regs = r };
    lw_panels panels = {
        .s = p->s_direct ? (p->swapped ? r->b : r->a) : to->s, .v = to->v, .d = to->d, .index = to->index
    };
    if (!lw_mma_panels_convert(mma, &source, to->c, &panels))
        return false;
    lw_mma_convert_to_registers(mma, to->d, r->d);
    return true;
}

bool lw_mma_panels_run(const lw_mma *mma, const lw_mma_registers *r, lw_mma_notes *notes)
{
    const lw_mma_panels *p = mma->panels;
    if (!p || !lw_mma_copies_agree(mma, r))
        return false;
    room to;
    const bool dense_c = !r->c || !p->c.runs;
    load_sides(p, r, &to);
    if (mma->sparse && !(r->index && load_index(mma, r->index, to.index, notes)))
        return false;
    if (p->spread.chunk) {
        memcpy(to.d, to.v, (size_t)mma->port[LW_OPERAND_A].words * sizeof(*to.d));
        p->words->spread(&p->spread, to.index, to.d, to.v);
    }
    if (p->c_half)
        return run_converted(mma, r, &to);
    if (!r->c)
        constant_c(p, r->c_constant, to.c);
    else if (dense_c)
        p->words->move(&p->c, r->c, to.c);
    lw_panels panels = {
        .s = p->s_direct ? (p->swapped ? r->b : r->a) : to.s,
        .v = to.v,
        .c = dense_c ? to.c : r->c,
        .c_at = dense_c ? p->dense_at : p->c_at,
        .index = to.index,
        .scale_s = to.scale_s,
        .scale_v = to.scale_v,
    };
    bool keeps;
    const bool direct = choose_d(mma, r, to.d, &panels, notes, &keeps);
    lw_panel_quiet quiet;
    if (notes && lw_mma_note_quiet(mma, notes, keeps ? to.c : NULL, &quiet))
        panels.quiet = &quiet;
    if (!lw_mma_panels_call(mma, &(lw_mma_source){ .regs = r }, &panels))
        return false;
    if (keeps && panels.quiet) {
        panels.c = to.c;
        panels.c_at = p->dense_at;
    }
    if (notes)
        lw_mma_note_d(mma, &panels, r->c ? p->runs : p->planes, notes);
    if (direct)
        return true;
    if (!p->d.runs) {
        p->words->move(&p->d, to.d, r->d);
        return true;
    }
    for (unsigned run = 0; run < p->runs; run++)
        memcpy(r->d + p->d_at[run], to.d + run * LW_PANEL, LW_PANEL * sizeof(*to.d));
    return true;
}
