/* SPDX-License-Identifier: MIT */
/* From register images to panels and back: rearrangements computed once per prepared instruction. */
#include "emu/mma/panels.h"

#include <stdlib.h>
#include <string.h>

#include "isa_tables/sparse.h"

lw_status lw_mma_move_make(size_t chunks, lw_move *move)
{
    *move = (lw_move){ .chunk = calloc(chunks, sizeof(*move->chunk)), .chunks = (uint16_t)chunks };
    return move->chunk ? LW_OK : LW_E_NO_MEMORY;
}

static bool are_runs(const lw_move *move)
{
    for (unsigned n = 0; n < move->chunks; n++)
        if (!lw_move_is_run(&move->chunk[n]))
            return false;
    return true;
}

void lw_mma_move_finish(lw_move *move)
{
    move->runs = are_runs(move);
    for (unsigned n = 0; n < move->chunks; n++)
        lw_move_prepare(&move->chunk[n]);
}

/* Words of a side by block, word and lane; excess lanes repeat the others. */
static lw_status make_side(const lw_mma_port *port, unsigned count, unsigned stride, unsigned blocks,
                           lw_move *move)
{
    const unsigned per_word = stride / LW_PANEL, words = port->row_words;
    const lw_status st = lw_mma_move_make((size_t)blocks * words * per_word, move);
    if (st != LW_OK)
        return st;
    for (unsigned n = 0; n < move->chunks; n++) {
        const unsigned block = n / per_word / words, w = n / per_word % words;
        for (unsigned t = 0; t < LW_PANEL; t++) {
            const unsigned i = (n % per_word * LW_PANEL + t) % count;
            move->chunk[n].from[t] = port->word[(block * count + i) * words + w];
        }
    }
    lw_mma_move_finish(move);
    return LW_OK;
}

lw_mma_panel_place lw_mma_panels_place(const lw_mma_panels *p, unsigned run, unsigned t)
{
    const lw_panel_shape *s = &p->shape;
    if (s->squares)
        return lw_mma_squares_place(p, run, t);
    if (s->tile4) {
        const unsigned across = s->v_count / 4u, lane = run % across * 4 + t % 4;
        const uint16_t row = (uint16_t)(run / across * 4 + t / 4);
        return (
            lw_mma_panel_place){ .s = row, .v = p->column[lane], .s_lane = row, .v_lane = (uint16_t)lane };
    }
    const unsigned panels = s->v_count / (unsigned)LW_PANEL, at = run / p->planes;
    const uint16_t v = (uint16_t)(at % panels * LW_PANEL + t), row = (uint16_t)(at / panels % s->s_count),
                   block = (uint16_t)(at / panels / s->s_count);
    return (
        lw_mma_panel_place){ .block = block, .s = row, .v = v, .image = block, .s_lane = row, .v_lane = v };
}

/* The image word of lane t of a run of C or D. */
static unsigned run_index(const lw_mma_panels *p, const lw_mma_port *port, unsigned run, unsigned t)
{
    const lw_mma_panel_place at = lw_mma_panels_place(p, run, t);
    const unsigned rows = p->rows;
    const unsigned row = p->swapped ? at.v : at.s, col = p->swapped ? at.s : at.v;
    return (at.block * rows + row) * port->row_words + col * p->planes + run % p->planes;
}

/* The words of a run: equally spaced where lanes are rows or columns in their order. */
static void fill_run(const lw_mma_panels *p, const lw_mma_port *port, unsigned run, uint16_t from[LW_PANEL])
{
    if (p->shape.tile4 || p->shape.squares) {
        for (unsigned t = 0; t < LW_PANEL; t++)
            from[t] = port->word[run_index(p, port, run, t)];
        return;
    }
    const unsigned first = run_index(p, port, run, 0), step = run_index(p, port, run, 1) - first;
    for (unsigned t = 0; t < LW_PANEL; t++)
        from[t] = port->word[first + t * step];
}

/* Register words of runs; the move is not finished yet. */
static lw_status make_runs(const lw_mma_panels *p, const lw_mma_port *port, lw_move *move, uint16_t *at)
{
    const lw_status st = lw_mma_move_make(p->runs, move);
    if (st != LW_OK)
        return st;
    for (unsigned run = 0; run < p->runs; run++)
        fill_run(p, port, run, move->chunk[run].from);
    move->runs = are_runs(move);
    for (unsigned run = 0; run < p->runs; run++)
        at[run] = move->runs ? move->chunk[run].from[0] : (uint16_t)(run * LW_PANEL);
    return LW_OK;
}

/* Inverts the move "dense word from register word" and finishes it. D fills its registers completely. */
static lw_status invert(const lw_mma_panels *p, lw_move *move)
{
    lw_move back;
    const lw_status st = lw_mma_move_make(p->runs, &back);
    if (st != LW_OK)
        return st;
    for (unsigned n = 0; n < p->d_words; n++) {
        const uint16_t to = move->chunk[n / LW_PANEL].from[n % LW_PANEL];
        back.chunk[to / LW_PANEL].from[to % LW_PANEL] = (uint16_t)n;
    }
    lw_mma_move_finish(&back);
    free(move->chunk);
    *move = back;
    return LW_OK;
}

/* False where the bytes of a scale block are not at the same position in their words. */
static bool scale_shift(const lw_mma_port *port, unsigned count, lw_mma_scale_move *scale)
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

/* Lane `lane` of a scale block belongs to row or column lane / repeat; with `column`, to that entry of the
 * list. */
static lw_status make_scale(const lw_mma_port *port, unsigned count, unsigned stride, unsigned repeat,
                            const uint8_t *column, lw_mma_scale_move *scale)
{
    const unsigned per_block = stride / LW_PANEL, blocks = port->elements / count;
    const lw_status st = lw_mma_move_make((size_t)blocks * per_block, &scale->move);
    if (st != LW_OK)
        return st;
    scale->stride = (uint16_t)stride;
    for (unsigned n = 0; n < scale->move.chunks; n++)
        for (unsigned t = 0; t < LW_PANEL; t++) {
            const unsigned lane = (n % per_block * LW_PANEL + t) / repeat,
                           i = lane < count ? lane : count - 1;
            const lw_place place = port->place[(column ? column[i] : i) * blocks + n / per_block];
            scale->move.chunk[n].from[t] = (uint16_t)(place.bit / 32 * port->lanes + place.lane);
        }
    lw_mma_move_finish(&scale->move);
    return LW_OK;
}

static lw_panel_shape shape_of(const lw_mma *mma, bool swapped, bool tile4)
{
    const lw_insn *in = mma->insn;
    const lw_mma_port *a = &mma->port[LW_OPERAND_A], *b = &mma->port[LW_OPERAND_B];
    const uint16_t s_count = swapped ? in->n : in->m;
    lw_panel_shape shape = {
        .s = swapped ? mma->b : mma->a,
        .v = swapped ? mma->a : mma->b,
        .acc = mma->d->bits == 16 && mma->acc == LW_ACC_F16    ? LW_PANEL_F16
               : mma->d->bits == 16 && mma->acc == LW_ACC_BF16 ? LW_PANEL_BF16
                                                               : LW_PANEL_F32,
        .unit = mma->recipe.unit,
        .s_count = s_count,
        .s_stride = (uint16_t)((s_count + LW_PANEL - 1) / LW_PANEL * LW_PANEL),
        .v_count = swapped ? in->m : in->n,
        .k = (uint16_t)mma->products,
        .sparse = mma->sparse,
        .one_of_two = mma->sparse && mma->chunk == 1,
        .blocks = in->blocks,
        .s_words = swapped ? b->row_words : a->row_words,
        .v_words = swapped ? a->row_words : b->row_words,
        .tile4 = tile4,
        .differ = mma->int_op == LW_INT_XOR,
        .c_after = mma->recipe.shape.c_last,
        .saturate = mma->saturate,
        .scaled = mma->scaled,
        .scale_span = (uint16_t)mma->scale_span,
        .scale = mma->scale_a,
    };
    return shape;
}

/* Zeros add nothing to a group, and have no exponent. */
static void make_dense(const lw_mma *mma, lw_panel_shape *shape)
{
    shape->sparse = shape->one_of_two = false;
    shape->k = (uint16_t)(2 * shape->k);
    shape->unit.group = (uint8_t)(2 * shape->unit.group);
    shape->v_words = (uint16_t)(shape->k * mma->a->bits / 32);
}

/* One image per operand, and nothing to be applied to operands or result. */
static bool is_plain(const lw_mma *mma)
{
    const lw_recipe_shape *r = &mma->recipe.shape;
    const bool signs = mma->signs[LW_OPERAND_A].flip || mma->signs[LW_OPERAND_B].flip ||
                       mma->signs[LW_OPERAND_C].flip || mma->flip_b[0] || mma->flip_b[1];
    const bool ints = mma->recipe.unit.kind != LW_KIND_INT || !mma->saturate ||
                      (mma->passes == 1 && !mma->recipe.clamp_bits);
    const bool chain = mma->recipe.unit.kind != LW_KIND_FMA || r->c_last ||
                       (mma->recipe.unit.nan == LW_NAN_QUIET && mma->a->bits >= 32 && mma->round == 0);
    const bool blocks_of_32 = mma->scaled && mma->scale_span == 32 && mma->scale_a->top == LW_TOP_SCALE;
    const bool scales = !mma->scaled || (mma->scale_a == mma->scale_b &&
                                         (blocks_of_32 || mma->recipe.unit.kind == LW_KIND_FUSED_SCALED));
    const bool same = mma->c == mma->d && mma->acc == lw_mma_acc_of(mma->d) && !lw_mma_converts(mma);
    const bool factors = mma->factor_a == mma->a && mma->factor_b == mma->b;
    return (same || lw_mma_can_convert(mma)) && !signs && ints && chain && scales && factors;
}

/* Sparse A runs along the lanes: two of four codes in ascending order, classes by stored place. */
static bool sparse_fits(const lw_mma *mma, const lw_panel_shape *s)
{
    const lw_mma_port *port = &mma->port[LW_OPERAND_INDEX];
    if (!mma->sparse)
        return true;
    const unsigned split = mma->recipe.shape.split;
    const bool any_order = s->unit.kind == LW_KIND_INT || split == LW_SPLIT_NONE || split == LW_SPLIT_FOURS;
    for (unsigned e = 0; e < port->elements; e++)
        if (port->place[e].lane == LW_NO_PLACE || port->place[e].bit % 32 > 28)
            return false;
    return !s->tile4 && !s->squares && !mma->scaled && (mma->chunk == 2 || lw_mma_spreads(mma)) &&
           !mma->recipe.parity_k && s->blocks == 1 && any_order && lw_mma_index_is_level(port, s->v_count);
}

/* Converted elements may be anywhere; others are whole words, which fill D's registers. */
static bool results_fit(const lw_mma *mma)
{
    const lw_mma_port *c = &mma->port[LW_OPERAND_C], *d = &mma->port[LW_OPERAND_D];
    if (lw_mma_converts(mma))
        return true;
    return c->word && d->word && (mma->d->bits == 32 || mma->d->bits == 64) && mma->c->bits == mma->d->bits &&
           d->words == lw_insn_registers(mma->arch, mma->insn, LW_OPERAND_D, &mma->mods) * mma->wave;
}

/* Can panels hold the operands? */
static bool fits(const lw_mma *mma, lw_mma_panels *p)
{
    const lw_panel_shape *s = &p->shape;
    const lw_mma_port *port = mma->port, *d = &port[LW_OPERAND_D];
    const unsigned lanes = s->s_stride > s->v_count ? s->s_stride : s->v_count;
    const lw_operand s_op = p->swapped ? LW_OPERAND_SCALE_B : LW_OPERAND_SCALE_A,
                     v_op = p->swapped ? LW_OPERAND_SCALE_A : LW_OPERAND_SCALE_B;
    const bool scales = !mma->scaled || (scale_shift(&port[s_op], s->s_count, &p->scale_s) &&
                                         scale_shift(&port[v_op], s->v_count, &p->scale_v));
    const bool lane_count = s->tile4 ? s->s_words % 4 == 0 && s->s_words == s->v_words && mma->d->bits == 32
                                     : s->v_count % LW_PANEL == 0; /* so do squares */
    const unsigned dense_k = s->sparse ? 2u * s->k : s->k;
    return is_plain(mma) && scales && sparse_fits(mma, s) && !mma->recipe.fused && port[LW_OPERAND_A].word &&
           port[LW_OPERAND_B].word && lane_count && results_fit(mma) && s->blocks <= LW_PANEL_MAX_BLOCKS &&
           lanes <= 2 * LW_PANEL && lanes * dense_k <= LW_PANEL_SIDE_CODES &&
           lanes * s->blocks * (s->s_words > s->v_words ? s->s_words : s->v_words) <= LW_PANEL_SIDE_WORDS &&
           d->words <= LW_PANEL_CD_WORDS;
}

static lw_status make_scales(const lw_mma *mma, lw_mma_panels *p)
{
    const lw_panel_shape *s = &p->shape;
    const lw_mma_port *a = &mma->port[LW_OPERAND_SCALE_A], *b = &mma->port[LW_OPERAND_SCALE_B];
    lw_status st;
    if (s->tile4) {
        st = make_scale(a, s->s_count, 4u * s->s_count, 4, NULL, &p->scale_s);
        return st == LW_OK ? make_scale(b, s->v_count, LW_PANEL, 1, p->column, &p->scale_v) : st;
    }
    st = make_scale(p->swapped ? b : a, s->s_count, s->s_stride, 1, NULL, &p->scale_s);
    return st == LW_OK ? make_scale(p->swapped ? a : b, s->v_count, s->v_count, 1, NULL, &p->scale_v) : st;
}

static bool is_identity(const lw_move *move)
{
    bool same = move->runs;
    for (unsigned n = 0; n < move->chunks; n++)
        same &= move->chunk[n].from[0] == n * LW_PANEL;
    return same;
}

static void make_spread(const lw_mma *mma, lw_spread *s, unsigned lanes)
{
    s->bits = (uint8_t)mma->a->bits;
    s->chunk = mma->chunk;
    s->chunks = (uint16_t)(mma->port[LW_OPERAND_A].row_elements / mma->chunk);
    s->lanes = (uint16_t)lanes;
    for (unsigned nibble = 0; nibble < 16; nibble++)
        for (unsigned n = 0; n < s->chunk; n++)
            s->shift[n][nibble] = (uint8_t)(lw_sparse_dense_k(mma->chunk, nibble, n) * s->bits);
}

static void join_index(lw_index *index)
{
    unsigned first = 0;
    for (unsigned n = 0; n < index->words.chunks; n++) {
        const lw_move_chunk *chunk = &index->words.chunk[n];
        if (n && memcmp(chunk->from, chunk[-1].from, sizeof(chunk->from)) == 0)
            index->again |= UINT32_C(1) << n;
        else
            first = n;
        for (unsigned half = 0; half < 2; half++)
            index->used[2 * first + half] |= UINT32_C(15) << index->shift[n * LW_PANEL + 8 * half];
    }
}

static lw_status make_index(const lw_mma *mma, lw_mma_panels *p)
{
    const lw_mma_port *port = &mma->port[LW_OPERAND_INDEX];
    const unsigned rows = p->shape.v_count, groups = port->elements / rows;
    lw_index *index = &p->index;
    index->shift = calloc(port->elements + port->elements / 8, sizeof(*index->shift));
    if (lw_mma_move_make(port->elements / LW_PANEL, &index->words) != LW_OK || !index->shift)
        return LW_E_NO_MEMORY;
    index->used = index->shift + port->elements;
    for (unsigned n = 0; n < port->elements; n++) {
        const lw_place place = port->place[n % rows * groups + n / rows];
        index->words.chunk[n / LW_PANEL].from[n % LW_PANEL] =
            (uint16_t)(place.bit / 32 * port->lanes + place.lane);
        index->shift[n] = place.bit % 32;
    }
    lw_mma_move_finish(&index->words);
    for (unsigned nibble = 0; nibble < 16; nibble++)
        index->legal[nibble] = mma->legal_index >> nibble & 1;
    index->set = mma->legal_index;
    join_index(index);
    if (!p->shape.sparse)
        make_spread(mma, &p->spread, rows);
    return LW_OK;
}

static lw_status make_sides(const lw_mma *mma, lw_mma_panels *p)
{
    const lw_panel_shape *s = &p->shape;
    const lw_mma_port *s_port = &mma->port[p->swapped ? LW_OPERAND_B : LW_OPERAND_A],
                      *v_port = &mma->port[p->swapped ? LW_OPERAND_A : LW_OPERAND_B];
    lw_status st = s->squares ? lw_mma_squares_side(mma, p, false, &p->s)
                   : s->tile4 ? lw_mma_tile4_side(s_port, s->s_count, NULL, &p->s)
                              : make_side(s_port, s->s_count, s->s_stride, s->blocks, &p->s);
    if (st == LW_OK)
        st = s->squares ? lw_mma_squares_side(mma, p, true, &p->v)
             : s->tile4 ? lw_mma_tile4_side(v_port, s->v_count, p->column, &p->v)
                        : make_side(v_port, s->v_count, s->v_count, s->blocks, &p->v);
    return st;
}

static lw_status make_results(const lw_mma *mma, lw_mma_panels *p)
{
    lw_status st = make_runs(p, &mma->port[LW_OPERAND_C], &p->c, p->c_at);
    if (st == LW_OK)
        st = make_runs(p, &mma->port[LW_OPERAND_D], &p->d, p->d_at);
    if (st == LW_OK && !p->c.runs)
        lw_mma_move_finish(&p->c);
    if (st == LW_OK && !p->d.runs)
        st = invert(p, &p->d);
    return st;
}

static lw_status make_moves(const lw_mma *mma, lw_mma_panels *p)
{
    const lw_panel_shape *s = &p->shape;
    lw_status st = make_sides(mma, p);
    if (st == LW_OK)
        st = lw_mma_converts(mma) ? lw_mma_convert_make(mma, p) : make_results(mma, p);
    if (st == LW_OK && s->scaled)
        st = make_scales(mma, p);
    if (st == LW_OK && mma->sparse)
        st = make_index(mma, p);
    if (st == LW_OK && (s->tile4 || s->squares))
        st = lw_mma_fours_dense(mma, p);
    p->s_direct = st == LW_OK && is_identity(&p->s);
    p->same_runs = p->c.runs && p->d.runs && memcmp(p->c_at, p->d_at, sizeof(p->c_at)) == 0;
    return st;
}

/* Tiles of four, if C's registers form them. */
static bool choose_tile4(const lw_mma *mma, lw_mma_panels *p, lw_fast_isa isa)
{
    p->shape = shape_of(mma, false, true);
    return !lw_mma_converts(mma) && lw_mma_tile4_find(mma, p->column) && fits(mma, p) &&
           lw_mma_order_groups(mma, &p->shape) && (p->fn = lw_panel_find(&p->shape, isa)) != NULL;
}

static bool choose_rows(const lw_mma *mma, lw_mma_panels *p, lw_fast_isa isa)
{
    const bool columns = !mma->sparse && mma->insn->n % LW_PANEL == 0;
    const bool spreads = lw_mma_spreads(mma);
    for (unsigned swapped = columns ? 0 : 1; swapped < 2; swapped++)
        for (unsigned dense = spreads && mma->chunk != 1; dense < (spreads ? 2 : 1); dense++) {
            p->swapped = swapped != 0;
            p->shape = shape_of(mma, p->swapped, false);
            if (dense)
                make_dense(mma, &p->shape);
            if (fits(mma, p) && lw_mma_order_groups(mma, &p->shape) &&
                (p->fn = lw_panel_find(&p->shape, isa)) != NULL)
                return true;
        }
    return false;
}

/* Squares side by side, if rows and columns are too few for panels. */
static bool choose_squares(const lw_mma *mma, lw_mma_panels *p, lw_fast_isa isa)
{
    p->swapped = false;
    for (unsigned edge = 8; edge >= 4; edge /= 2) {
        p->shape = shape_of(mma, false, false);
        if (lw_mma_squares_find(mma, edge, p) && fits(mma, p) && lw_mma_order_groups(mma, &p->shape) &&
            (p->fn = lw_panel_find(&p->shape, isa)) != NULL)
            return true;
    }
    return false;
}

static uint16_t words_of(const lw_mma *mma, lw_operand operand)
{
    return (uint16_t)(lw_insn_registers(mma->arch, mma->insn, operand, &mma->mods) * mma->wave);
}

/* Instructions for which lw_mma_note_d records all aspects: AMD's with 32-bit and 64-bit results. */
static bool can_look(const lw_mma *mma, const lw_mma_panels *p)
{
    const bool ints = mma->recipe.unit.kind == LW_KIND_INT;
    return !lw_mma_is_ptx(mma) && !p->shape.tile4 && !lw_mma_converts(mma) &&
           (ints || (mma->acc == LW_ACC_F32 && !p->shape.squares));
}

enum { MOVES = 10 };

static void list_moves(lw_mma_panels *p, lw_move *moves[MOVES])
{
    lw_move *const all[MOVES] = { &p->s,           &p->v,       &p->c,
                                  &p->d,           &p->order_s, &p->order_v,
                                  &p->dense_c,     &p->dense_d, &p->scale_s.move,
                                  &p->scale_v.move };
    memcpy(moves, all, sizeof(all));
}

static lw_status make_steps(lw_mma_panels *p)
{
    lw_status st = LW_OK;
    lw_move *moves[MOVES];
    list_moves(p, moves);
    for (unsigned n = 0; n < MOVES && st == LW_OK; n++)
        st = lw_move_make_steps(moves[n]);
    return st;
}

lw_status lw_mma_panels_make(lw_mma *mma, lw_fast_isa isa)
{
    lw_mma_panels *p = calloc(1, sizeof(*p));
    if (!p)
        return LW_E_NO_MEMORY;
    p->planes = mma->d->bits == 64 ? 2 : 1;
    p->rows = (uint8_t)mma->insn->m;
    if (!choose_tile4(mma, p, isa) && !choose_rows(mma, p, isa) && !choose_squares(mma, p, isa)) {
        free(p);
        return LW_OK;
    }
    p->words = lw_words_find(isa);
    p->look = can_look(mma, p) ? lw_look_find(isa) : NULL;
    p->in_place = !lw_mma_converts(mma) &&
                  (mma->recipe.unit.kind == LW_KIND_FMA || mma->recipe.unit.kind == LW_KIND_INT);
    p->a_words = words_of(mma, LW_OPERAND_A);
    p->b_words = words_of(mma, LW_OPERAND_B);
    p->scale_a_words = words_of(mma, LW_OPERAND_SCALE_A);
    p->scale_b_words = words_of(mma, LW_OPERAND_SCALE_B);
    p->index_words = words_of(mma, LW_OPERAND_INDEX);
    p->d_words = words_of(mma, LW_OPERAND_D);
    p->runs = (uint16_t)(mma->port[LW_OPERAND_D].elements * p->planes / LW_PANEL);
    for (unsigned run = 0; run < p->runs; run++)
        p->dense_at[run] = (uint16_t)(run * LW_PANEL);
    lw_status st = make_moves(mma, p);
    if (st == LW_OK && isa == LW_FAST_PORTABLE)
        st = make_steps(p);
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
    lw_move *moves[MOVES];
    list_moves(p, moves);
    for (unsigned n = 0; n < MOVES; n++) {
        free(moves[n]->chunk);
        free(moves[n]->step);
    }
    free(p->c_half);
    free(p->index.words.chunk);
    free(p->index.shift);
    free(p);
}
