/* SPDX-License-Identifier: MIT */
/* Elements of D, computed by the reference units: passes over the products, as the recipe says. */
#include <string.h>

#include "emu/mma/mma.h"
#include "emu/num/fp.h"
#include "isa_tables/sparse.h"

static const lw_fp_env KEEP = { .round = LW_FP_RNE, .keep_in = true, .keep_out = true };

/* Operands unpacked once for all elements. */
typedef struct parts {
    lw_part a[LW_TILE_AB_ELEMENTS], b[LW_TILE_AB_ELEMENTS];
} parts;

/* The inputs of one element of D. */
typedef struct element {
    const lw_mma *mma;
    const lw_mma_tile *tile;
    unsigned row, col;
    const lw_part *a, *b;
    const uint8_t *k_of; /* dense k of each product, NULL where A is dense */
    lw_dot_env env;
    const lw_mma_group_log *log;
} element;

/* One scale of an operand: sig * 2^(exp - frac). */
typedef struct scale {
    uint32_t sig;
    int exp, frac;
    bool nan;
} scale;

/* The reading of e2m1 in which 0.5 is 1 * 2^-1 rather than 0.5 * 2^0; its value is the same. */
static lw_part with_normal_half(const lw_mma *mma, const lw_format *format, lw_part part)
{
    if (!mma->recipe.half_normal || format->bits != 4 || part.sig != 1)
        return part;
    part.sig = 2;
    part.exp = (int16_t)(part.exp - 1);
    return part;
}

static void take_a_apart(const lw_mma *mma, const uint32_t *image, unsigned row, lw_part *out)
{
    const lw_mma_port *port = &mma->port[LW_OPERAND_A];
    const uint32_t *string = lw_mma_row(port, image, row);
    for (unsigned k = 0; k < port->row_elements; k++)
        out[k] = with_normal_half(mma, mma->a,
                                  lw_mma_factor(mma->a, mma->factor_a, lw_mma_code(string, k, mma->a->bits),
                                                mma->recipe.mask_first));
}

static void take_b_apart(const lw_mma *mma, const uint32_t *image, unsigned col, lw_part *out)
{
    const lw_mma_port *port = &mma->port[LW_OPERAND_B];
    const uint32_t *string = lw_mma_row(port, image, col);
    for (unsigned k = 0; k < port->row_elements; k++)
        out[k] = with_normal_half(mma, mma->b,
                                  lw_mma_factor(mma->b, mma->factor_b, lw_mma_code(string, k, mma->b->bits),
                                                mma->recipe.mask_first));
}

static scale scale_of(const lw_format *format, uint8_t code)
{
    if (format->top == LW_TOP_SCALE)
        return (scale){ 1, (int)code - format->bias, 0, code == 0xff };
    const lw_part p = lw_part_make(format, code, false);
    return (scale){ p.sig, p.exp, format->frac_bits, p.kind == LW_PART_NAN };
}

/* Product `number` belongs to the second of two classes. */
static bool is_odd(const element *e, unsigned number)
{
    return (e->mma->recipe.parity_k && e->k_of ? e->k_of[number] : number) % 2 != 0;
}

static lw_dot_group make_group(const element *e, const lw_mma_pass *pass, unsigned first, unsigned count,
                               const lw_part *a, const lw_part *b)
{
    const lw_mma *mma = e->mma;
    lw_dot_group g = {
        .a = a + first,
        .b = b + first,
        .count = (int)count,
        .frac = lw_part_frac(mma->factor_a) + lw_part_frac(mma->factor_b),
        .a_frac = lw_part_frac(mma->factor_a),
        .scale_sig = 1,
    };
    for (unsigned i = 0; mma->recipe.unit.classes == 2 && i < count; i++)
        g.odd |= (uint32_t)is_odd(e, pass->number[first + i]) << i;
    if (mma->scaled) {
        const unsigned q = pass->number[first] / mma->scale_span, spans = mma->products / mma->scale_span;
        const scale sa = scale_of(mma->scale_a, e->tile->scale_a[e->row * spans + q]);
        const scale sb = scale_of(mma->scale_b, e->tile->scale_b[e->col * spans + q]);
        g.scale = sa.exp + sb.exp;
        g.scale_frac = sa.frac + sb.frac;
        g.scale_sig = sa.sig * sb.sig;
        g.scale_nan = sa.nan || sb.nan;
    }
    return g;
}

/* The number of products that one group takes. */
static unsigned group_size(const lw_mma *mma, const lw_mma_pass *pass)
{
    const unsigned group =
        mma->recipe.unit.kind == LW_KIND_FMA ? LW_MMA_MAX_PRODUCTS : mma->recipe.unit.group;
    const unsigned limit = mma->scaled && mma->scale_span < pass->count ? mma->scale_span : pass->count;
    return group < limit ? group : limit;
}

static uint32_t run_pass(element *e, const lw_mma_pass *pass, uint32_t acc)
{
    const lw_mma *mma = e->mma;
    const lw_mma_group_log *log = e->log;
    const bool at_once = mma->recipe.fused || mma->recipe.unit.kind == LW_KIND_FUSED_SCALED;
    const unsigned step = group_size(mma, pass);
    lw_part a[LW_MMA_MAX_PRODUCTS], b[LW_MMA_MAX_PRODUCTS];
    lw_dot_group held[LW_DOT_MAX_GROUPS];
    int count = 0;

    for (unsigned i = 0; i < pass->count; i++) {
        const unsigned number = pass->number[i];
        a[i] = e->a[number];
        b[i] = e->b[e->k_of ? e->k_of[number] : number];
        b[i].neg ^= mma->flip_b[number % 2];
    }
    for (unsigned i = 0; i < pass->count; i += step) {
        const unsigned left = pass->count - i;
        held[count] = make_group(e, pass, i, step < left ? step : left, a, b);
        held[count].first = count * (int)step;
        if (log && log->group_begins)
            log->group_begins(log->context, pass, i, &held[count], acc);
        count++;
        if (at_once && i + step < pass->count)
            continue;
        acc = lw_dot_step(&mma->recipe.unit, held, count, (lw_dot_acc)mma->acc, acc, &e->env,
                          log ? log->dot : NULL);
        e->env.first = false;
        count = 0;
    }
    return acc;
}

static const lw_format *acc_format(const lw_mma *mma)
{
    return lw_dot_acc_format((lw_dot_acc)mma->acc);
}

/* How the recipe computes outside its unit: to nearest, with the unit's NaNs. */
static lw_fp_env nearest(const lw_mma *mma)
{
    return (lw_fp_env){ .round = LW_FP_RNE, .keep_in = true, .keep_out = true, .nan = mma->recipe.unit.nan };
}

/* C in the accumulator's format, which is at least as wide. */
static uint32_t open_acc(const lw_mma *mma, uint32_t c)
{
    const lw_format *to = acc_format(mma);
    return mma->c == to ? c : (uint32_t)lw_fp_convert(mma->c, &KEEP, to, &KEEP, c);
}

static uint32_t add_c(const lw_mma *mma, uint32_t acc, uint32_t c)
{
    const lw_fp_env env = nearest(mma);
    return (uint32_t)lw_fp_add(acc_format(mma), &env, acc, c);
}

/* The accumulator in D's format. */
static uint32_t close_acc(const lw_mma *mma, uint32_t acc, bool clamp)
{
    const lw_format *from = acc_format(mma);
    lw_fp_env env = nearest(mma);
    env.saturate = clamp;
    if (from == mma->d)
        return acc;
    if (mma->recipe.shape.narrow == LW_NARROW_CUT && !lw_fp_is_nan(from, acc))
        return acc >> 16;
    return (uint32_t)lw_fp_convert(from, &KEEP, mma->d, &env, acc);
}

static uint32_t float_element(element *e, uint32_t c_code)
{
    const lw_mma *mma = e->mma;
    const uint32_t c = open_acc(mma, c_code);
    uint32_t acc = mma->recipe.shape.c_last ? 0 : c;
    e->env.first = !mma->recipe.shape.c_last;
    for (unsigned p = 0; p < mma->passes; p++)
        acc = run_pass(e, &mma->pass[p], acc);
    if (mma->recipe.shape.c_last) {
        acc = add_c(mma, acc, c);
        if (e->log)
            lw_dot_tell(e->log->dot, (lw_dot_event){ .kind = LW_EVENT_C_ADDED, .bits = acc });
    }
    const uint32_t d = close_acc(mma, acc, e->env.clamp);
    if (e->log && mma->acc != lw_mma_acc_of(mma->d))
        lw_dot_tell(e->log->dot, (lw_dot_event){ .kind = LW_EVENT_NARROWED, .bits = d });
    return d;
}

void lw_mma_dense_k(const lw_mma *mma, const lw_mma_tile *tile, unsigned row, uint8_t *k_of)
{
    const unsigned chunk = mma->chunk;
    const uint8_t *nibbles = tile->index + row * (mma->products / chunk);
    for (unsigned j = 0; j < mma->products; j++)
        k_of[j] = (uint8_t)lw_sparse_dense_k(chunk, nibbles[j / chunk], j);
}

void lw_mma_product_codes(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                          unsigned col, unsigned i, uint64_t *a, uint64_t *b)
{
    const lw_mma_port *pa = &mma->port[LW_OPERAND_A], *pb = &mma->port[LW_OPERAND_B];
    uint8_t k_of[LW_MMA_MAX_PRODUCTS];
    unsigned k = i;
    if (mma->sparse) {
        lw_mma_dense_k(mma, tile, row, k_of);
        k = k_of[i];
    }
    *a = lw_mma_code(lw_mma_row(pa, tile->a, block * mma->insn->m + row), i, mma->a->bits);
    *b = lw_mma_code(lw_mma_row(pb, tile->b, block * mma->insn->n + col), k, mma->b->bits) ^
         (uint64_t)mma->flip_b[i % 2] << (mma->b->bits - 1);
}

uint64_t lw_mma_c_code(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row, unsigned col)
{
    const lw_insn *in = mma->insn;
    return lw_mma_code(lw_mma_row(&mma->port[LW_OPERAND_C], tile->c, block * in->m + row), col, mma->c->bits);
}

/* The value of an integer of the format's width. */
static int16_t int_value(const lw_format *f, uint64_t code)
{
    const bool neg = f->top == LW_TOP_INT && (code >> (f->bits - 1) & 1);
    return (int16_t)(neg ? (int)code - (1 << f->bits) : (int)code);
}

static uint32_t int_element(const element *e, unsigned block, uint32_t c)
{
    const lw_mma *mma = e->mma;
    const uint32_t *as = lw_mma_row(&mma->port[LW_OPERAND_A], e->tile->a, block * mma->insn->m + e->row);
    const uint32_t *bs = lw_mma_row(&mma->port[LW_OPERAND_B], e->tile->b, block * mma->insn->n + e->col);
    int16_t a[LW_MMA_MAX_PRODUCTS], b[LW_MMA_MAX_PRODUCTS];
    const unsigned once = LW_MMA_MAX_PRODUCTS, clamp = mma->recipe.clamp_bits;
    const unsigned step = clamp ? clamp / (unsigned)mma->a->bits : once;
    for (unsigned p = 0; p < mma->passes; p++) {
        const lw_mma_pass *pass = &mma->pass[p];
        for (unsigned i = 0; i < pass->count; i++) {
            const unsigned number = pass->number[i], k = e->k_of ? e->k_of[number] : number;
            a[i] = int_value(mma->a, lw_mma_code(as, number, mma->a->bits));
            b[i] = int_value(mma->b, lw_mma_code(bs, k, mma->b->bits));
        }
        for (unsigned i = 0; i < pass->count; i += step) {
            if (e->log && e->log->group_begins)
                e->log->group_begins(e->log->context, pass, i, NULL, c);
            c = lw_dot_int((lw_dot_int_op)mma->int_op, a + i, b + i,
                           (int)(pass->count - i < step ? pass->count - i : step), c,
                           mma->saturate || e->env.clamp, e->log ? e->log->dot : NULL);
        }
    }
    return c;
}

static uint64_t f64_element(const element *e, unsigned block, uint64_t c)
{
    const lw_mma *mma = e->mma;
    uint64_t a[LW_MMA_MAX_PRODUCTS], b[LW_MMA_MAX_PRODUCTS];
    for (unsigned k = 0; k < mma->products; k++)
        lw_mma_product_codes(mma, e->tile, block, e->row, e->col, k, &a[k], &b[k]);
    if (e->log && e->log->group_begins)
        e->log->group_begins(e->log->context, &mma->pass[0], 0, NULL, c);
    return lw_dot_fma64(a, b, mma->products, c, mma->round, e->log ? e->log->dot : NULL);
}

static lw_dot_env env_of(const lw_mma *mma, const lw_mma_tile *tile)
{
    const bool ignore = mma->recipe.keep_subnormals;
    return (lw_dot_env){
        .flush_in = !ignore && (tile->mode & LW_MMA_MODE_F32_FLUSH_IN),
        .flush_out = !ignore && (tile->mode & LW_MMA_MODE_F32_FLUSH_OUT),
        .clamp = (tile->mode & LW_MMA_MODE_FP16_OVFL) && !mma->recipe.no_clamp,
    };
}

/* Elements whose operands are not unpacked into parts. */
static uint64_t whole_element(const element *e, unsigned block)
{
    const uint64_t c = lw_mma_c_code(e->mma, e->tile, block, e->row, e->col);
    return e->mma->c->bits == 64 ? f64_element(e, block, c) : int_element(e, block, (uint32_t)c);
}

static bool takes_parts(const lw_mma *mma)
{
    return mma->recipe.unit.kind != LW_KIND_INT && mma->d->bits != 64;
}

uint64_t lw_mma_element(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                        unsigned col, const lw_mma_group_log *log)
{
    const lw_insn *in = mma->insn;
    uint8_t k_of[LW_MMA_MAX_PRODUCTS];
    element e = { .mma = mma, .tile = tile, .row = row, .col = col, .env = env_of(mma, tile), .log = log };
    if (mma->sparse) {
        lw_mma_dense_k(mma, tile, row, k_of);
        e.k_of = k_of;
    }
    if (!takes_parts(mma))
        return whole_element(&e, block);
    lw_part a[LW_MMA_MAX_PRODUCTS], b[LW_MMA_MAX_PRODUCTS];
    take_a_apart(mma, tile->a, block * in->m + row, a);
    take_b_apart(mma, tile->b, block * in->n + col, b);
    e.a = a;
    e.b = b;
    return float_element(&e, (uint32_t)lw_mma_c_code(mma, tile, block, row, col));
}

static void take_all_apart(const lw_mma *mma, const lw_mma_tile *tile, parts *all)
{
    const lw_insn *in = mma->insn;
    const lw_mma_port *pa = &mma->port[LW_OPERAND_A], *pb = &mma->port[LW_OPERAND_B];
    for (unsigned row = 0; row < (unsigned)in->m * in->blocks; row++)
        take_a_apart(mma, tile->a, row, all->a + (size_t)row * pa->row_elements);
    for (unsigned col = 0; col < (unsigned)in->n * in->blocks; col++)
        take_b_apart(mma, tile->b, col, all->b + (size_t)col * pb->row_elements);
}

void lw_mma_reference(const lw_mma *mma, const lw_mma_tile *tile, uint32_t *d)
{
    const lw_insn *in = mma->insn;
    const lw_mma_port *pd = &mma->port[LW_OPERAND_D];
    const bool in_parts = takes_parts(mma);
    uint8_t k_of[LW_MMA_MAX_PRODUCTS];
    parts all;
    element e = { .mma = mma, .tile = tile, .k_of = mma->sparse ? k_of : NULL, .env = env_of(mma, tile) };
    if (in_parts)
        take_all_apart(mma, tile, &all);
    memset(d, 0, pd->words * sizeof(*d));
    for (unsigned r = 0; r < (unsigned)in->blocks * in->m; r++) {
        const unsigned block = r / in->m;
        e.row = r % in->m;
        e.a = all.a + (size_t)r * mma->port[LW_OPERAND_A].row_elements;
        if (mma->sparse)
            lw_mma_dense_k(mma, tile, e.row, k_of);
        for (e.col = 0; e.col < in->n; e.col++) {
            e.b = all.b + (size_t)(block * in->n + e.col) * mma->port[LW_OPERAND_B].row_elements;
            const uint64_t code =
                in_parts ? float_element(&e, (uint32_t)lw_mma_c_code(mma, tile, block, e.row, e.col))
                         : whole_element(&e, block);
            lw_mma_put(d + (size_t)r * pd->row_words, e.col, mma->d->bits, code);
        }
    }
}
