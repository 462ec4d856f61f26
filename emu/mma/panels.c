/* SPDX-License-Identifier: MIT */
/* From register images to panels and back: rearrangements computed once per prepared instruction. */
#include "emu/mma/panels.h"
#include "emu/num/rdna.h"

#include <stdlib.h>
#include <string.h>

/* Scales: bits shift[q]..shift[q]+7 of the moved words of scale block q. */
typedef struct scale_move {
    lw_move move;
    uint8_t shift[LW_PANEL_MAX_SCALES / LW_PANEL];
} scale_move;

struct lw_mma_panels {
    lw_panel_shape shape;
    lw_panel_fn fn;
    lw_move_fn run_move;
    bool swapped;       /* lanes are rows */
    bool in_place;      /* the kernel may be given d == c */
    uint8_t planes;     /* words of an element of C and D */
    lw_move s, v, c, d; /* d: to registers; without chunks where its runs are register words */
    scale_move scale_s, scale_v;
    uint16_t runs, a_words, b_words, d_words; /* of registers */
    uint16_t c_at[LW_PANEL_RUNS], d_at[LW_PANEL_RUNS], dense_at[LW_PANEL_RUNS];
};

static lw_status make_move(size_t chunks, lw_move *move)
{
    move->chunk = calloc(chunks, sizeof(*move->chunk));
    move->chunks = (uint16_t)chunks;
    return move->chunk ? LW_OK : LW_E_NO_MEMORY;
}

static void finish_move(lw_move *move)
{
    move->runs = true;
    for (unsigned n = 0; n < move->chunks; n++) {
        lw_move_prepare(&move->chunk[n]);
        move->runs &= move->chunk[n].kind == LW_MOVE_RUN;
    }
}

/* Words of a side by block, word, lane; lanes in excess repeat the last one. */
static lw_status make_side(const lw_mma_port *port, unsigned count, unsigned stride, unsigned blocks,
                           lw_move *move)
{
    const unsigned per_word = stride / LW_PANEL, words = port->row_words;
    const lw_status st = make_move((size_t)blocks * words * per_word, move);
    if (st != LW_OK)
        return st;
    for (unsigned n = 0; n < move->chunks; n++) {
        const unsigned block = n / per_word / words, w = n / per_word % words;
        for (unsigned t = 0; t < LW_PANEL; t++) {
            const unsigned lane = n % per_word * LW_PANEL + t, i = lane < count ? lane : count - 1;
            move->chunk[n].from[t] = port->word[(block * count + i) * words + w];
        }
    }
    finish_move(move);
    return LW_OK;
}

/* Register word of lane t of a run of C or D. */
static uint16_t run_word(const lw_mma_panels *p, const lw_mma_port *port, unsigned run, unsigned t)
{
    const lw_panel_shape *s = &p->shape;
    const unsigned plane = run % p->planes, panels = s->v_count / (unsigned)LW_PANEL;
    const unsigned at = run / p->planes, v = at % panels * LW_PANEL + t, i = at / panels % s->s_count,
                   block = at / panels / s->s_count;
    const unsigned rows = p->swapped ? s->v_count : s->s_count;
    const unsigned row = p->swapped ? v : i, col = p->swapped ? i : v;
    return port->word[(block * rows + row) * port->row_words + col * p->planes + plane];
}

static lw_status make_runs(const lw_mma_panels *p, const lw_mma_port *port, lw_move *move, uint16_t *at)
{
    const lw_status st = make_move(p->runs, move);
    if (st != LW_OK)
        return st;
    for (unsigned run = 0; run < p->runs; run++)
        for (unsigned t = 0; t < LW_PANEL; t++)
            move->chunk[run].from[t] = run_word(p, port, run, t);
    finish_move(move);
    for (unsigned run = 0; run < p->runs; run++)
        at[run] = move->runs ? move->chunk[run].from[0] : (uint16_t)(run * LW_PANEL);
    return LW_OK;
}

/* Turns "dense word from register word" round. D covers its registers whole. */
static lw_status invert(const lw_mma_panels *p, lw_move *move)
{
    lw_move back;
    const lw_status st = make_move(p->runs, &back);
    if (st != LW_OK)
        return st;
    for (unsigned n = 0; n < p->d_words; n++) {
        const uint16_t to = move->chunk[n / LW_PANEL].from[n % LW_PANEL];
        back.chunk[to / LW_PANEL].from[to % LW_PANEL] = (uint16_t)n;
    }
    finish_move(&back);
    free(move->chunk);
    *move = back;
    return LW_OK;
}

/* False where the bytes of a scale block have no common place in their words. */
static bool scale_shift(const lw_mma_port *port, unsigned count, scale_move *scale)
{
    const unsigned blocks = port->elements / count;
    if (blocks > LW_PANEL_MAX_SCALES / LW_PANEL)
        return false;
    for (unsigned e = 0; e < port->elements; e++)
        if (port->place[e].lane == LW_NO_PLACE || port->place[e].bit % 32 != port->place[e % blocks].bit % 32)
            return false;
    for (unsigned q = 0; q < blocks; q++)
        scale->shift[q] = (uint8_t)(port->place[q].bit % 32);
    return true;
}

static lw_status make_scale(const lw_mma_port *port, unsigned count, unsigned stride, scale_move *scale)
{
    const unsigned per_block = stride / LW_PANEL, blocks = port->elements / count;
    const lw_status st = make_move((size_t)blocks * per_block, &scale->move);
    if (st != LW_OK)
        return st;
    for (unsigned n = 0; n < scale->move.chunks; n++)
        for (unsigned t = 0; t < LW_PANEL; t++) {
            const unsigned lane = n % per_block * LW_PANEL + t, i = lane < count ? lane : count - 1;
            const lw_place place = port->place[i * blocks + n / per_block];
            scale->move.chunk[n].from[t] = (uint16_t)(place.bit / 32 * port->lanes + place.lane);
        }
    finish_move(&scale->move);
    return LW_OK;
}

static lw_panel_shape shape_of(const lw_mma *mma, bool swapped)
{
    const lw_insn *in = mma->insn;
    const lw_mma_port *a = &mma->port[LW_OPERAND_A], *b = &mma->port[LW_OPERAND_B];
    const uint16_t s_count = swapped ? in->n : in->m;
    return (lw_panel_shape){
        .s = swapped ? mma->b : mma->a,
        .v = swapped ? mma->a : mma->b,
        .unit = mma->recipe.unit,
        .s_count = s_count,
        .s_stride = (uint16_t)((s_count + LW_PANEL - 1) / LW_PANEL * LW_PANEL),
        .v_count = swapped ? in->m : in->n,
        .k = in->k,
        .blocks = in->blocks,
        .s_words = swapped ? b->row_words : a->row_words,
        .v_words = swapped ? a->row_words : b->row_words,
        .scaled = mma->scaled,
        .scale_span = (uint16_t)mma->scale_span,
        .scale = mma->scale_a,
    };
}

/* One image of each operand, nothing done to operands or result on the way. */
static bool is_plain(const lw_mma *mma)
{
    const lw_recipe_shape *r = &mma->recipe.shape;
    const bool signs =
        mma->signs[LW_OPERAND_A].flip || mma->signs[LW_OPERAND_B].flip || mma->signs[LW_OPERAND_C].flip;
    const bool ints =
        mma->recipe.unit.kind != LW_KIND_INT || (mma->a->top == LW_TOP_INT && mma->b->top == LW_TOP_INT &&
                                                 mma->a->bits == 8 && mma->b->bits == 8 && !mma->saturate);
    const bool chain = mma->recipe.unit.kind != LW_KIND_FMA ||
                       (mma->recipe.unit.nan == LW_NAN_QUIET && mma->a->bits >= 32 && mma->round == 0);
    const bool blocks_of_32 = mma->scaled && mma->scale_span == 32 && mma->scale_a->top == LW_TOP_SCALE;
    const bool scales = !mma->scaled || (mma->scale_a == mma->scale_b &&
                                         (blocks_of_32 || mma->recipe.unit.kind == LW_KIND_FUSED_SCALED));
    return !r->c_last && mma->c == mma->d && mma->acc == lw_mma_acc_of(mma->d) && !signs && ints && chain &&
           scales;
}

/* The order of groups: a recipe's split, where a group lies within one part. */
static bool make_order(const lw_mma *mma, lw_panel_shape *s)
{
    static const uint8_t parts[LW_SPLIT_COUNT] = { [LW_SPLIT_EIGHTS] = 8, [LW_SPLIT_FOURS] = 4 };
    const unsigned split = mma->recipe.shape.split, part = parts[split];
    const unsigned group = s->unit.group < s->k ? s->unit.group : s->k, groups = s->k / group;
    if (groups > LW_PANEL_MAX_GROUPS || (split != LW_SPLIT_NONE && (part == 0 || part % group)))
        return false;
    unsigned n = 0;
    for (unsigned odd = 0; odd < (part ? 2u : 1u); odd++)
        for (unsigned g = 0; g < groups; g++)
            if (!part || g * group / part % 2 == odd)
                s->order[n++] = (uint8_t)g;
    return true;
}

/* Can panels hold the operands? */
static bool fits(const lw_mma *mma, const lw_mma_panels *p)
{
    const lw_panel_shape *s = &p->shape;
    const lw_mma_port *port = mma->port, *d = &port[LW_OPERAND_D];
    const unsigned lanes = s->s_stride > s->v_count ? s->s_stride : s->v_count;
    return is_plain(mma) && !mma->sparse && !mma->recipe.fused && port[LW_OPERAND_A].word &&
           port[LW_OPERAND_B].word && port[LW_OPERAND_C].word && d->word &&
           (mma->d->bits == 32 || mma->d->bits == 64) && mma->c->bits == mma->d->bits &&
           s->v_count % LW_PANEL == 0 && s->blocks <= LW_PANEL_MAX_BLOCKS && lanes <= 2 * LW_PANEL &&
           lanes * s->k <= LW_PANEL_SIDE_CODES &&
           lanes * s->blocks * (s->s_words > s->v_words ? s->s_words : s->v_words) <= LW_PANEL_SIDE_WORDS &&
           d->words <= LW_PANEL_CD_WORDS &&
           d->words == lw_insn_registers(mma->arch, mma->insn, LW_OPERAND_D, &mma->mods) * mma->wave;
}

static lw_status make_moves(const lw_mma *mma, lw_mma_panels *p)
{
    const lw_panel_shape *s = &p->shape;
    const lw_operand s_op = p->swapped ? LW_OPERAND_B : LW_OPERAND_A,
                     v_op = p->swapped ? LW_OPERAND_A : LW_OPERAND_B;
    lw_status st = make_side(&mma->port[s_op], s->s_count, s->s_stride, s->blocks, &p->s);
    if (st == LW_OK)
        st = make_side(&mma->port[v_op], s->v_count, s->v_count, s->blocks, &p->v);
    if (st == LW_OK)
        st = make_runs(p, &mma->port[LW_OPERAND_C], &p->c, p->c_at);
    if (st == LW_OK)
        st = make_runs(p, &mma->port[LW_OPERAND_D], &p->d, p->d_at);
    if (st == LW_OK && !p->d.runs)
        st = invert(p, &p->d);
    if (st == LW_OK && s->scaled) {
        st = make_scale(&mma->port[p->swapped ? LW_OPERAND_SCALE_B : LW_OPERAND_SCALE_A], s->s_count,
                        s->s_stride, &p->scale_s);
        if (st == LW_OK)
            st = make_scale(&mma->port[p->swapped ? LW_OPERAND_SCALE_A : LW_OPERAND_SCALE_B], s->v_count,
                            s->v_count, &p->scale_v);
    }
    return st;
}

lw_status lw_mma_panels_make(lw_mma *mma, lw_fast_isa isa)
{
    const bool swapped = mma->insn->n % LW_PANEL != 0;
    lw_mma_panels *p = calloc(1, sizeof(*p));
    if (!p)
        return LW_E_NO_MEMORY;
    p->swapped = swapped;
    p->planes = mma->d->bits == 64 ? 2 : 1;
    p->shape = shape_of(mma, swapped);
    const lw_operand s_op = swapped ? LW_OPERAND_SCALE_B : LW_OPERAND_SCALE_A,
                     v_op = swapped ? LW_OPERAND_SCALE_A : LW_OPERAND_SCALE_B;
    const bool scales = !mma->scaled || (scale_shift(&mma->port[s_op], p->shape.s_count, &p->scale_s) &&
                                         scale_shift(&mma->port[v_op], p->shape.v_count, &p->scale_v));
    if (fits(mma, p) && scales && make_order(mma, &p->shape))
        p->fn = lw_panel_find(&p->shape, isa);
    if (!p->fn) {
        free(p);
        return LW_OK;
    }
    p->run_move = lw_move_find(isa);
    p->in_place = mma->recipe.unit.kind == LW_KIND_FMA || mma->recipe.unit.kind == LW_KIND_INT;
    p->a_words = (uint16_t)(lw_insn_registers(mma->arch, mma->insn, LW_OPERAND_A, &mma->mods) * mma->wave);
    p->b_words = (uint16_t)(lw_insn_registers(mma->arch, mma->insn, LW_OPERAND_B, &mma->mods) * mma->wave);
    p->d_words = mma->port[LW_OPERAND_D].words;
    p->runs = (uint16_t)(p->d_words / LW_PANEL);
    for (unsigned run = 0; run < p->runs; run++)
        p->dense_at[run] = (uint16_t)(run * LW_PANEL);
    const lw_status st = make_moves(mma, p);
    if (st != LW_OK) {
        lw_mma_panels_free(p);
        return st;
    }
    mma->panels = p;
    return LW_OK;
}

void lw_mma_panels_free(lw_mma_panels *p)
{
    if (!p)
        return;
    free(p->s.chunk);
    free(p->v.chunk);
    free(p->c.chunk);
    free(p->d.chunk);
    free(p->scale_s.move.chunk);
    free(p->scale_v.move.chunk);
    free(p);
}

static bool apart(const uint32_t *x, size_t x_words, const uint32_t *y, size_t y_words)
{
    return (uintptr_t)(x + x_words) <= (uintptr_t)y || (uintptr_t)(y + y_words) <= (uintptr_t)x;
}

/* May the kernel write its runs into the registers at once? */
static bool writes_registers(const lw_mma *mma, const lw_mma_registers *r)
{
    const lw_mma_panels *p = mma->panels;
    if (!p->d.runs)
        return false;
    if (p->in_place && r->c == r->d && p->c.runs && memcmp(p->c_at, p->d_at, sizeof(p->c_at)) == 0)
        return true;
    const bool c_apart = !r->c || apart(r->c, p->d_words, r->d, p->d_words);
    if (p->in_place)
        return c_apart;
    return c_apart && apart(r->a, p->a_words, r->d, p->d_words) &&
           apart(r->b, p->b_words, r->d, p->d_words) &&
           (!r->scale_a || apart(r->scale_a, mma->wave, r->d, p->d_words)) &&
           (!r->scale_b || apart(r->scale_b, mma->wave, r->d, p->d_words));
}

static void constant_c(const lw_mma_panels *p, uint64_t bits, uint32_t *c)
{
    for (unsigned run = 0; run < p->runs; run++)
        for (unsigned t = 0; t < LW_PANEL; t++)
            c[run * LW_PANEL + t] = (uint32_t)(run % p->planes ? bits >> 32 : bits);
}

static void load_scale(const lw_mma_panels *p, const scale_move *scale, unsigned stride, const uint32_t *regs,
                       uint8_t constant, uint32_t *out)
{
    const unsigned words = (unsigned)scale->move.chunks * LW_PANEL;
    if (!regs) {
        for (unsigned i = 0; i < words; i++)
            out[i] = constant;
        return;
    }
    p->run_move(&scale->move, regs, out);
    for (unsigned q = 0; q < words / stride; q++)
        for (unsigned i = 0; i < stride; i++)
            out[q * stride + i] = out[q * stride + i] >> scale->shift[q] & 0xff;
}

/* What a row of S or V holds besides ordinary numbers. */
enum { HAS_NAN = 1, HAS_INF = 2, LOOKED = 4 };

typedef struct redo_task {
    const lw_mma *mma;
    const lw_mma_registers *regs;
    const lw_panels *panels;
    uint8_t seen[2][LW_PANEL_MAX_BLOCKS][2 * LW_PANEL]; /* of S, of V */
    bool filled;
    lw_mma_tile tile; /* once `filled` */
} redo_task;

/* Looks at row i of a side: bits of HAS_. */
static unsigned look(redo_task *t, unsigned side, unsigned block, unsigned i)
{
    uint8_t *seen = &t->seen[side][block][i];
    if (*seen || !(t->panels->bad[block][side] >> i & 1))
        return *seen;
    const lw_panel_shape *s = &t->mma->panels->shape;
    const lw_format *f = side ? s->v : s->s;
    const unsigned stride = side ? s->v_count : s->s_stride, words = side ? s->v_words : s->s_words;
    uint32_t string[LW_PANEL_SIDE_WORDS / LW_PANEL];
    for (unsigned w = 0; w < words; w++)
        string[w] = (side ? t->panels->v : t->panels->s)[(block * words + w) * stride + i];
    *seen = LOOKED;
    for (unsigned k = 0; k < s->k; k++) {
        const uint32_t code = (uint32_t)lw_mma_code(string, k, f->bits);
        const uint8_t kind = lw_part_make(f, code, t->mma->recipe.mask_first).kind;
        *seen = (uint8_t)(*seen | (kind == LW_PART_NAN ? HAS_NAN : kind == LW_PART_INF ? HAS_INF : 0));
    }
    return *seen;
}

/*
 * NaNs that need no arithmetic: any NaN operand, where units know one NaN; a NaN factor without infinities,
 * where they tell causes apart (infinities could meet in a later step, and that is another cause).
 */
static bool plain_nan(redo_task *t, unsigned block, unsigned i, unsigned v, uint32_t c, uint32_t *code)
{
    const lw_dot_unit *unit = &t->mma->recipe.unit;
    const unsigned seen = look(t, 0, block, i) | look(t, 1, block, v);
    *code = unit->nan == LW_NAN_RDNA ? LW_RDNA_FACTOR_NAN : lw_dot_nan(unit, LW_ACC_F32);
    if (unit->nan == LW_NAN_RDNA)
        return (seen & (HAS_NAN | HAS_INF)) == HAS_NAN;
    return (seen & HAS_NAN) || (c & 0x7fffffff) > 0x7f800000;
}

static uint32_t redo_element(redo_task *t, unsigned run, unsigned lane)
{
    const lw_mma_panels *p = t->mma->panels;
    const unsigned panels = p->shape.v_count / (unsigned)LW_PANEL;
    const unsigned v = run % panels * LW_PANEL + lane, i = run / panels % p->shape.s_count,
                   block = run / panels / p->shape.s_count;
    uint32_t code;
    if (plain_nan(t, block, i, v, t->panels->c[t->panels->c_at[run] + lane], &code))
        return code;
    if (!t->filled)
        (void)lw_mma_tile_from_registers(t->mma, t->regs, &t->tile); /* its pointers have been checked */
    t->filled = true;
    return (uint32_t)lw_mma_element(t->mma, &t->tile, block, p->swapped ? v : i, p->swapped ? i : v, NULL);
}

/* The outputs that the kernel left; false when they are so many that the whole tile is cheaper. */
static bool redo(const lw_mma *mma, const lw_mma_registers *r, const lw_panels *panels)
{
    const lw_mma_panels *p = mma->panels;
    redo_task task;
    task.mma = mma;
    task.regs = r;
    task.panels = panels;
    task.filled = false;
    memset(task.seen, 0, sizeof(task.seen));
    unsigned left = 0;
    for (unsigned run = 0; run < p->runs; run++)
        for (unsigned bits = panels->redo[run]; bits; bits &= bits - 1)
            left++;
    if (left > (unsigned)p->runs * LW_PANEL / 4)
        return false;
    for (unsigned run = 0; run < p->runs; run++)
        for (unsigned lane = 0; panels->redo[run] >> lane; lane++)
            if (panels->redo[run] >> lane & 1)
                panels->d[panels->d_at[run] + lane] = redo_element(&task, run, lane);
    return true;
}

bool lw_mma_panels_run(const lw_mma *mma, const lw_mma_registers *r)
{
    const lw_mma_panels *p = mma->panels;
    if (!p || !lw_mma_copies_agree(mma, r))
        return false;
    _Alignas(64) uint32_t s[LW_PANEL_SIDE_WORDS], v[LW_PANEL_SIDE_WORDS], c[LW_PANEL_CD_WORDS],
        d[LW_PANEL_CD_WORDS], scale_s[LW_PANEL_MAX_SCALES], scale_v[LW_PANEL_MAX_SCALES];
    uint16_t lanes[LW_PANEL_RUNS] = { 0 };
    uint32_t bad[LW_PANEL_MAX_BLOCKS][2] = { { 0 } };
    const bool direct = writes_registers(mma, r), dense_c = !r->c || !p->c.runs;
    p->run_move(&p->s, p->swapped ? r->b : r->a, s);
    p->run_move(&p->v, p->swapped ? r->a : r->b, v);
    if (!r->c)
        constant_c(p, r->c_constant, c);
    else if (dense_c)
        p->run_move(&p->c, r->c, c);
    if (p->shape.scaled) {
        const bool swap = p->swapped;
        load_scale(p, &p->scale_s, p->shape.s_stride, swap ? r->scale_b : r->scale_a,
                   swap ? r->scale_b_constant : r->scale_a_constant, scale_s);
        load_scale(p, &p->scale_v, p->shape.v_count, swap ? r->scale_a : r->scale_b,
                   swap ? r->scale_a_constant : r->scale_b_constant, scale_v);
    }
    const lw_panels panels = {
        .s = s,
        .v = v,
        .c = dense_c ? c : r->c,
        .d = direct ? r->d : d,
        .c_at = dense_c ? p->dense_at : p->c_at,
        .d_at = direct ? p->d_at : p->dense_at,
        .scale_s = scale_s,
        .scale_v = scale_v,
        .redo = lanes,
        .bad = bad,
    };
    const lw_panel_result result = lw_panel_run(p->fn, &p->shape, &panels);
    if (result == LW_PANELS_NONE || (result == LW_PANELS_REDO && !redo(mma, r, &panels)))
        return false;
    if (direct)
        return true;
    if (!p->d.runs) {
        p->run_move(&p->d, d, r->d);
        return true;
    }
    for (unsigned run = 0; run < p->runs; run++)
        memcpy(r->d + p->d_at[run], d + run * LW_PANEL, LW_PANEL * sizeof(*d));
    return true;
}
