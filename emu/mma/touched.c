/* SPDX-License-Identifier: MIT */
/* Which aspects of the arithmetic a computation touched, found from its operands and result. */
#include "emu/mma/mma.h"

typedef struct fields {
    uint64_t magnitude, infinity, least_normal;
} fields;

static fields fields_of(const lw_format *f, uint64_t code)
{
    return (fields){ code & ((UINT64_C(1) << (f->bits - 1)) - 1),
                     ((UINT64_C(1) << f->exp_bits) - 1) << f->frac_bits, UINT64_C(1) << f->frac_bits };
}

static bool is_subnormal(const lw_format *f, uint64_t code)
{
    const fields x = fields_of(f, code);
    return x.magnitude && x.magnitude < x.least_normal;
}

static bool is_infinite(const lw_format *f, uint64_t code)
{
    const fields x = fields_of(f, code);
    return f->top == LW_TOP_IEEE && x.magnitude == x.infinity;
}

/* Does the operand have an element of this kind? Rows without padding bits are read word by word. */
static bool has(const lw_mma_port *port, const lw_format *f, const uint32_t *image,
                bool (*kind)(const lw_format *, uint64_t))
{
    if (port->width <= 32 && 32 % port->width == 0 && port->row_elements * port->width % 32 == 0) {
        const uint32_t mask = UINT32_MAX >> (32 - port->width);
        for (unsigned w = 0; w < port->words; w++)
            for (unsigned at = 0; at < 32; at += port->width)
                if (kind(f, image[w] >> at & mask))
                    return true;
        return false;
    }
    for (unsigned e = 0; e < port->elements; e++) {
        const uint32_t *row = image + (size_t)(e / port->row_elements) * port->row_words;
        if (kind(f, lw_mma_code(row, e % port->row_elements, port->width)))
            return true;
    }
    return false;
}

static bool any_operand(const lw_mma *mma, const lw_mma_tile *tile, bool (*kind)(const lw_format *, uint64_t))
{
    const lw_mma_port *port = mma->port;
    return has(&port[LW_OPERAND_A], mma->a, tile->a, kind) ||
           has(&port[LW_OPERAND_B], mma->b, tile->b, kind) || has(&port[LW_OPERAND_C], mma->c, tile->c, kind);
}

/* Are all codes of a row +0? Then a zero result is simply +0 if C is. */
static bool all_zero(const lw_mma_port *port, const uint32_t *image, unsigned row)
{
    for (unsigned w = 0; w < port->row_words; w++)
        if (image[(size_t)row * port->row_words + w])
            return false;
    return true;
}

static bool plain_zero(const lw_mma *mma, const lw_mma_tile *tile, unsigned i, uint64_t d)
{
    const lw_insn *in = mma->insn;
    const unsigned block = i / in->n / in->m;
    return d == 0 && lw_mma_c_code(mma, tile, block, i / in->n % in->m, i % in->n) == 0 &&
           (all_zero(&mma->port[LW_OPERAND_A], tile->a, block * in->m + i / in->n % in->m) ||
            all_zero(&mma->port[LW_OPERAND_B], tile->b, block * in->n + i % in->n));
}

/* d = c + s with |s| < 2^30: did the sum leave the range, whether it wrapped or was clamped? */
static bool wrapped(uint32_t c, uint32_t d, bool clamped)
{
    const uint32_t s = d - c;
    return clamped ? d == INT32_MAX || d == UINT32_C(0x80000000) : ((d ^ c) & (d ^ s)) >> 31 != 0;
}

/* May a clamped sum have left the range on its way? Only if c is this close to the limits. */
static bool may_leave(uint32_t c)
{
    enum { MOST_PRODUCTS = 256 * 255 * 255 };
    const int64_t value = (int32_t)c;
    return value > INT32_MAX - MOST_PRODUCTS || value < INT32_MIN + MOST_PRODUCTS;
}

static uint32_t touched_int(const lw_mma *mma, const lw_mma_tile *tile, const uint32_t *d)
{
    const bool clamp = mma->saturate || ((tile->mode & LW_MMA_MODE_FP16_OVFL) && !mma->recipe.no_clamp);
    for (unsigned i = 0; i < mma->port[LW_OPERAND_D].elements; i++)
        if (wrapped(tile->c[i], d[i], clamp) ||
            (mma->saturate && lw_mma_is_ptx(mma) && may_leave(tile->c[i])))
            return 1u << LW_MMA_FINITE | 1u << LW_MMA_OVERFLOW;
    return 1u << LW_MMA_FINITE;
}

static bool is_fused(const lw_mma *mma)
{
    return mma->recipe.unit.kind == LW_KIND_FUSED || mma->recipe.unit.kind == LW_KIND_FUSED_SCALED;
}

/*
 * NVIDIA's fused units: did a sum of zero come from products that are all below the normal numbers, where
 * readings of the exponent's floor differ? Scales are not considered: with them, any product counts.
 */
static bool tiny_zero(const lw_mma *mma, const lw_mma_tile *tile, unsigned i)
{
    const lw_insn *in = mma->insn;
    const int least = mma->d->bits == 16 ? -14 : -126;
    bool any = false;
    for (unsigned n = 0; n < mma->products; n++) {
        uint64_t a, b;
        lw_mma_product_codes(mma, tile, i / in->n / in->m, i / in->n % in->m, i % in->n, n, &a, &b);
        const lw_part x = lw_mma_factor(mma->a, mma->factor_a, a, true),
                      y = lw_mma_factor(mma->b, mma->factor_b, b, true);
        if (!x.sig || !y.sig)
            continue;
        if (!mma->scaled && x.exp + y.exp >= least)
            return false;
        any = true;
    }
    return any;
}

static uint32_t touched_fused(const lw_mma *mma, const lw_mma_tile *tile, const uint32_t *d)
{
    const lw_mma_port *port = &mma->port[LW_OPERAND_D];
    uint32_t set = 1u << LW_MMA_FINITE;
    bool infinity = false;
    for (unsigned i = 0; i < port->elements; i++) {
        const uint64_t bits =
            lw_mma_code(lw_mma_row(port, d, i / port->row_elements), i % port->row_elements, mma->d->bits);
        const fields x = fields_of(mma->d, bits);
        infinity |= x.magnitude == x.infinity;
        if (x.magnitude > x.infinity)
            set |= 1u << LW_MMA_NAN;
        else if (x.magnitude == 0 && bits)
            set |= 1u << LW_MMA_ZERO_SIGN | 1u << LW_MMA_SUBNORMAL;
        else if (x.magnitude < x.least_normal && !(set & 1u << LW_MMA_SUBNORMAL) &&
                 (x.magnitude || (!plain_zero(mma, tile, i, bits) && tiny_zero(mma, tile, i))))
            set |= 1u << LW_MMA_SUBNORMAL;
    }
    return infinity && !any_operand(mma, tile, is_infinite) ? set | 1u << LW_MMA_OVERFLOW : set;
}

static uint32_t touched_float(const lw_mma *mma, const lw_mma_tile *tile, const uint32_t *d)
{
    bool subnormal = any_operand(mma, tile, is_subnormal), infinity = false;
    uint32_t set = 1u << LW_MMA_FINITE;
    if (mma->recipe.unit.drop && has(&mma->port[LW_OPERAND_C], mma->c, tile->c, is_infinite))
        set |= 1u << LW_MMA_NAN;
    for (unsigned i = 0; i < mma->port[LW_OPERAND_D].elements; i++) {
        const lw_mma_port *port = &mma->port[LW_OPERAND_D];
        const uint64_t bits =
            lw_mma_code(lw_mma_row(port, d, i / port->row_elements), i % port->row_elements, mma->d->bits);
        const fields x = fields_of(mma->d, bits);
        subnormal |= x.magnitude && x.magnitude < x.least_normal;
        infinity |= x.magnitude == x.infinity;
        if (x.magnitude > x.infinity)
            set |= 1u << LW_MMA_NAN;
        else if (x.magnitude == x.infinity - 1 && (tile->mode & LW_MMA_MODE_FP16_OVFL))
            set |= 1u << LW_MMA_OVERFLOW;
        else if (x.magnitude == 0 && !(set & 1u << LW_MMA_ZERO_SIGN) && !plain_zero(mma, tile, i, bits))
            set |= 1u << LW_MMA_ZERO_SIGN;
    }
    if (infinity && !any_operand(mma, tile, is_infinite))
        set |= 1u << LW_MMA_OVERFLOW;
    return subnormal ? set | 1u << LW_MMA_SUBNORMAL : set;
}

uint32_t lw_mma_touched(const lw_mma *mma, const lw_mma_tile *tile, const uint32_t *d)
{
    const bool is_int = mma->recipe.unit.kind == LW_KIND_INT;
    const uint32_t set = is_int          ? touched_int(mma, tile, d)
                         : is_fused(mma) ? touched_fused(mma, tile, d)
                                         : touched_float(mma, tile, d);
    return lw_mma_undefined_index(mma, tile) >= 0 ? set | 1u << LW_MMA_OPERANDS : set;
}
