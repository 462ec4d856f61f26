/* SPDX-License-Identifier: MIT */
/* One element of D by the reference units. */
#include <string.h>

#include "emu/mma/mma.h"

enum { SCALE_NAN = 0xff, SCALE_BLOCK = 32 };

static const uint32_t ODD_PLACES = UINT32_C(0xaaaaaaaa);

/* Operands of the aligned units, taken apart once for all elements. */
typedef struct parts {
    lw_part a[LW_TILE_AB_ELEMENTS], b[LW_TILE_AB_ELEMENTS];
} parts;

/* The products of one element of D. */
typedef struct products {
    const lw_part *a, *b;
    uint64_t odd[LW_MMA_MAX_PRODUCTS / 64]; /* class of product i, bit i */
    lw_part stored[LW_MMA_MAX_PRODUCTS / 2];
} products;

static const uint32_t *row_of(const lw_mma_port *port, const uint32_t *image, unsigned row)
{
    return image + (size_t)row * port->row_words;
}

static void take_apart(const lw_mma_port *port, const lw_format *format, const uint32_t *image,
                       bool mask_first, unsigned row, lw_part *out)
{
    const uint32_t *string = row_of(port, image, row);
    for (unsigned k = 0; k < port->row_elements; k++)
        out[k] = lw_part_make(format, (uint32_t)lw_mma_code(string, k, format->bits), mask_first);
}

/* Dense k that stored value j of a row multiplies: the index names one of four. */
static unsigned dense_k(const lw_mma *mma, const lw_mma_tile *tile, unsigned row, unsigned j)
{
    const unsigned nibble = tile->index[row * (mma->insn->k / 4u) + j / 2];
    return 4 * (j / 2) + (nibble >> 2 * (j % 2) & 3);
}

void lw_mma_product_codes(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                          unsigned col, unsigned i, uint64_t *a, uint64_t *b)
{
    const lw_mma_port *pa = &mma->port[LW_OPERAND_A], *pb = &mma->port[LW_OPERAND_B];
    const unsigned k = mma->sparse ? dense_k(mma, tile, row, i) : i;
    *a = lw_mma_code(row_of(pa, tile->a, block * mma->insn->m + row), i, mma->a->bits);
    *b = lw_mma_code(row_of(pb, tile->b, block * mma->insn->n + col), k, mma->b->bits);
}

static void collect(const lw_mma *mma, const lw_mma_tile *tile, unsigned row, const lw_part *a,
                    const lw_part *b, products *p)
{
    p->a = a;
    p->b = b;
    for (unsigned w = 0; w < LW_MMA_MAX_PRODUCTS / 64; w++)
        p->odd[w] = ODD_PLACES | (uint64_t)ODD_PLACES << 32;
    if (!mma->sparse)
        return;
    if (mma->recipe.parity_k)
        memset(p->odd, 0, sizeof(p->odd));
    for (unsigned j = 0; j < mma->products; j++) {
        const unsigned k = dense_k(mma, tile, row, j);
        p->stored[j] = b[k];
        if (mma->recipe.parity_k)
            p->odd[j / 64] |= (uint64_t)(k % 2) << j % 64;
    }
    p->b = p->stored;
}

static uint32_t aligned_element(const lw_mma *mma, const lw_mma_tile *tile, unsigned row, unsigned col,
                                const products *p, uint32_t c, const lw_mma_group_log *log)
{
    const lw_dot_unit *unit = &mma->recipe.unit;
    const lw_dot_log *dot = log ? log->dot : NULL;
    const bool clamp = (tile->mode & LW_MMA_MODE_FP16_OVFL) && !mma->recipe.no_clamp;
    const int frac = lw_part_frac(mma->a) + lw_part_frac(mma->b);
    const unsigned step = unit->group < mma->products ? unit->group : mma->products;
    const unsigned blocks = mma->insn->k / SCALE_BLOCK;
    lw_dot_env env = { .clamp = clamp, .first = true };
    lw_dot_group held[LW_DOT_MAX_GROUPS];
    int count = 0;

    for (unsigned i = 0; i < mma->products; i += step) {
        const unsigned q = i / SCALE_BLOCK;
        const int sa = mma->scaled ? tile->scale_a[row * blocks + q] : 127;
        const int sb = mma->scaled ? tile->scale_b[col * blocks + q] : 127;
        held[count++] = (lw_dot_group){ .a = p->a + i,
                                        .b = p->b + i,
                                        .count = (int)step,
                                        .frac = frac,
                                        .a_frac = lw_part_frac(mma->a),
                                        .odd = (uint32_t)(p->odd[i / 64] >> i % 64),
                                        .scale = sa + sb - 254,
                                        .scale_sig = 1,
                                        .scale_nan = sa == SCALE_NAN || sb == SCALE_NAN };
        if (log && log->group_begins)
            log->group_begins(log->context, (int)(i / step), (int)i, c, sa, sb);
        if (mma->recipe.fused && i + step < mma->products)
            continue;
        c = lw_dot_step(unit, held, count, LW_ACC_F32, c, &env, dot);
        env.first = false;
        count = 0;
    }
    return c;
}

static uint32_t int_element(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                            unsigned col, uint32_t c, const lw_dot_log *log)
{
    const lw_mma_port *pa = &mma->port[LW_OPERAND_A], *pb = &mma->port[LW_OPERAND_B];
    const uint32_t *as = row_of(pa, tile->a, block * mma->insn->m + row);
    const uint32_t *bs = row_of(pb, tile->b, block * mma->insn->n + col);
    const bool clamp = (tile->mode & LW_MMA_MODE_FP16_OVFL) && !mma->recipe.no_clamp;
    int8_t a[LW_MMA_MAX_PRODUCTS], b[LW_MMA_MAX_PRODUCTS];
    memcpy(a, as, mma->products);
    for (unsigned i = 0; i < mma->products; i++) {
        const unsigned k = mma->sparse ? dense_k(mma, tile, row, i) : i;
        memcpy(&b[i], (const char *)bs + k, 1);
    }
    return lw_dot_int(a, b, mma->products, c, clamp, log);
}

static uint32_t fma32_element(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                              unsigned col, uint32_t c, const lw_dot_log *log)
{
    const bool ignore = mma->recipe.keep_subnormals;
    const lw_dot_env env = {
        .flush_in = !ignore && (tile->mode & LW_MMA_MODE_F32_FLUSH_IN),
        .flush_out = !ignore && (tile->mode & LW_MMA_MODE_F32_FLUSH_OUT),
        .clamp = (tile->mode & LW_MMA_MODE_FP16_OVFL) && !mma->recipe.no_clamp,
    };
    return lw_dot_fma32(row_of(&mma->port[LW_OPERAND_A], tile->a, block * mma->insn->m + row),
                        row_of(&mma->port[LW_OPERAND_B], tile->b, block * mma->insn->n + col), mma->products,
                        c, &env, log);
}

static uint64_t fma64_element(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                              unsigned col, uint64_t c, const lw_dot_log *log)
{
    uint64_t a[LW_MMA_MAX_PRODUCTS], b[LW_MMA_MAX_PRODUCTS];
    for (unsigned k = 0; k < mma->products; k++)
        lw_mma_product_codes(mma, tile, block, row, col, k, &a[k], &b[k]);
    return lw_dot_fma64(a, b, mma->products, c, log);
}

static uint64_t c_code(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row, unsigned col)
{
    const lw_insn *in = mma->insn;
    return lw_mma_code(tile->c, (block * in->m + row) * in->n + col, mma->c->bits);
}

static uint64_t chain_element(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                              unsigned col, const lw_dot_log *log)
{
    const uint64_t c = c_code(mma, tile, block, row, col);
    if (mma->recipe.unit.kind == LW_KIND_INT)
        return int_element(mma, tile, block, row, col, (uint32_t)c, log);
    if (mma->c->bits == 64)
        return fma64_element(mma, tile, block, row, col, c, log);
    return fma32_element(mma, tile, block, row, col, (uint32_t)c, log);
}

uint64_t lw_mma_element(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                        unsigned col, const lw_mma_group_log *log)
{
    if (mma->recipe.unit.kind != LW_KIND_ALIGNED)
        return chain_element(mma, tile, block, row, col, log ? log->dot : NULL);
    const lw_insn *in = mma->insn;
    const bool mask_first = mma->recipe.mask_first;
    lw_part a[LW_MMA_MAX_PRODUCTS], b[LW_MMA_MAX_PRODUCTS];
    products p;
    take_apart(&mma->port[LW_OPERAND_A], mma->a, tile->a, mask_first, block * in->m + row, a);
    take_apart(&mma->port[LW_OPERAND_B], mma->b, tile->b, mask_first, block * in->n + col, b);
    collect(mma, tile, row, a, b, &p);
    return aligned_element(mma, tile, row, col, &p, (uint32_t)c_code(mma, tile, block, row, col), log);
}

static void aligned_tile(const lw_mma *mma, const lw_mma_tile *tile, uint32_t *d)
{
    const lw_insn *in = mma->insn;
    const lw_mma_port *pa = &mma->port[LW_OPERAND_A], *pb = &mma->port[LW_OPERAND_B];
    parts all;
    for (unsigned row = 0; row < (unsigned)in->m * in->blocks; row++)
        take_apart(pa, mma->a, tile->a, mma->recipe.mask_first, row, all.a + (size_t)row * pa->row_elements);
    for (unsigned col = 0; col < (unsigned)in->n * in->blocks; col++)
        take_apart(pb, mma->b, tile->b, mma->recipe.mask_first, col, all.b + (size_t)col * pb->row_elements);

    for (unsigned i = 0; i < (unsigned)in->blocks * in->m * in->n; i++) {
        const unsigned col = i % in->n, row = i / in->n % in->m, block = i / in->n / in->m;
        products p;
        collect(mma, tile, row, all.a + (size_t)(block * in->m + row) * pa->row_elements,
                all.b + (size_t)(block * in->n + col) * pb->row_elements, &p);
        d[i] = aligned_element(mma, tile, row, col, &p, tile->c[i], NULL);
    }
}

void lw_mma_reference(const lw_mma *mma, const lw_mma_tile *tile, uint32_t *d)
{
    if (mma->recipe.unit.kind == LW_KIND_ALIGNED) {
        aligned_tile(mma, tile, d);
        return;
    }
    const lw_insn *in = mma->insn;
    for (unsigned i = 0; i < (unsigned)in->blocks * in->m * in->n; i++) {
        const uint64_t bits = chain_element(mma, tile, i / in->n / in->m, i / in->n % in->m, i % in->n, NULL);
        if (mma->d->bits == 64) {
            d[2 * i] = (uint32_t)bits;
            d[2 * i + 1] = (uint32_t)(bits >> 32);
        } else {
            d[i] = (uint32_t)bits;
        }
    }
}
