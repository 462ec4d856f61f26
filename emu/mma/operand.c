/* SPDX-License-Identifier: MIT */
/* What modifiers do to operands, and which operands documents leave undefined. */
#include <stdlib.h>
#include <string.h>

#include "emu/mma/mma.h"
#include "isa_tables/error.h"
#include "isa_tables/sparse.h"

static lw_status prepare_signs(lw_mma *mma, lw_operand operand)
{
    const lw_mma_port *port = &mma->port[operand];
    lw_mma_signs *s = &mma->signs[operand];
    const size_t words = (size_t)port->words + 1;
    s->keep = malloc(words * sizeof(*s->keep));
    s->flip = calloc(words, sizeof(*s->flip));
    if (!s->keep || !s->flip)
        return LW_E_NO_MEMORY;
    memset(s->keep, 0xff, words * sizeof(*s->keep));
    return LW_OK;
}

/* Operands whose elements are all negated: those of f64 on CDNA, and of wgmma and tcgen05. */
static unsigned negated(const lw_mma *mma)
{
    const lw_ptx_mods *ptx = &mma->mods.ptx;
    return mma->mods.neg | (unsigned)ptx->neg_a << LW_OPERAND_A | (unsigned)ptx->neg_b << LW_OPERAND_B;
}

/*
 * The sign of element e under the modifiers. NEG_LO and NEG_HI of A and B act on one half of every register
 * each; NEG of C acts on every element; NEG_HI of C takes the absolute value first (AMD RDNA3 and RDNA4 ISA
 * manuals, 7.9; NEG of f64 on CDNA3 and CDNA4: BLGP, VOP3P-MAI). B of SWMMAC: see prepare_stored_b.
 */
static void set_sign(const lw_mma *mma, lw_operand operand, unsigned e, lw_mma_signs *s)
{
    const lw_mma_port *port = &mma->port[operand];
    const unsigned bit = 1u << operand;
    const unsigned at =
        e / port->row_elements * port->row_words * 32u + (e % port->row_elements + 1u) * port->width - 1;
    const bool upper = operand != LW_OPERAND_C && port->width == 16 && port->place[e].bit % 32 >= 16;
    const bool flip = (negated(mma) & bit) || ((upper ? mma->mods.neg_hi : mma->mods.neg_lo) & bit);
    if (flip)
        s->flip[at / 32] |= 1u << at % 32;
    if (operand == LW_OPERAND_C && (mma->mods.neg_hi & bit))
        s->keep[at / 32] &= ~(1u << at % 32);
}

/*
 * SWMMAC selects two of four values of B for each pair of stored values of A. Then NEG_LO acts on the value
 * multiplied with the pair's first value, NEG_HI on the other: recorded on gfx1201.
 */
static void prepare_stored_b(lw_mma *mma)
{
    mma->flip_b[0] = mma->mods.neg_lo >> LW_OPERAND_B & 1;
    mma->flip_b[1] = mma->mods.neg_hi >> LW_OPERAND_B & 1;
}

lw_status lw_mma_prepare_signs(lw_mma *mma)
{
    const unsigned acting = negated(mma) | mma->mods.neg_lo | mma->mods.neg_hi;
    for (int op = LW_OPERAND_A; op <= LW_OPERAND_C; op++) {
        if (!(acting & 1u << op) || mma->recipe.unit.kind == LW_KIND_INT)
            continue;
        if (mma->sparse && op == LW_OPERAND_B && !lw_mma_is_ptx(mma)) {
            prepare_stored_b(mma);
            continue;
        }
        const lw_status st = prepare_signs(mma, (lw_operand)op);
        if (st != LW_OK)
            return st;
        for (unsigned e = 0; e < mma->port[op].elements; e++)
            set_sign(mma, (lw_operand)op, e, &mma->signs[op]);
    }
    return LW_OK;
}

void lw_mma_apply_signs(const lw_mma *mma, lw_operand operand, uint32_t *image)
{
    const lw_mma_signs *s = &mma->signs[operand];
    if (!s->flip)
        return;
    for (unsigned w = 0; w < mma->port[operand].words; w++)
        image[w] = (image[w] & s->keep[w]) ^ s->flip[w];
}

int lw_mma_undefined_index(const lw_mma *mma, const lw_mma_tile *tile)
{
    const unsigned count = mma->sparse ? mma->port[LW_OPERAND_INDEX].elements : 0;
    return lw_sparse_find_undefined(mma->legal_index, tile->index, count);
}

/* Do the words of two groups of lanes differ? Inline, so that a constant number of lanes needs no loop. */
static inline uint64_t difference(const uint32_t *first, const uint32_t *other, unsigned lanes)
{
    uint64_t found = 0;
    for (unsigned i = 0; i + 1 < lanes; i += 2) {
        uint64_t a, b;
        memcpy(&a, first + i, sizeof(a));
        memcpy(&b, other + i, sizeof(b));
        found |= a ^ b;
    }
    return found;
}

/* Do the lanes that hold copies of an operand agree? */
static bool agree(const lw_mma *mma, unsigned registers, const uint32_t *regs)
{
    const unsigned lanes = mma->copy_lanes;
    uint64_t found = 0;
    for (unsigned r = 0; r < registers; r++, regs += mma->wave)
        for (unsigned c = 1; c < mma->copies; c++)
            found |= lanes == 16 ? difference(regs, regs + 16 * c, 16)
                                 : difference(regs, regs + (size_t)c * lanes, lanes);
    return !found;
}

bool lw_mma_copies_agree(const lw_mma *mma, const lw_mma_registers *r)
{
    return mma->copies < 2 || (agree(mma, mma->copy_registers[LW_OPERAND_A], r->a) &&
                               agree(mma, mma->copy_registers[LW_OPERAND_B], r->b));
}

void lw_mma_find_copies(lw_mma *mma, const lw_layout *layout)
{
    if (lw_mma_is_ptx(mma) || layout->operand != LW_OPERAND_A)
        return;
    for (unsigned d = 0; d < layout->relation.digits; d++) {
        const lw_digit *digit = &layout->relation.digit[d];
        if (digit->lane && !digit->row && !digit->col && !digit->k && !digit->block) {
            mma->copies = (uint8_t)digit->radix;
            mma->copy_lanes = (uint8_t)digit->lane; /* an even number */
            for (unsigned op = LW_OPERAND_A; op <= LW_OPERAND_B; op++)
                mma->copy_registers[op] =
                    (uint8_t)lw_insn_registers(mma->arch, mma->insn, (lw_operand)op, &mma->mods);
        }
    }
}

static lw_status check_index(const lw_mma *mma, const lw_mma_tile *tile, lw_error *error)
{
    const int at = lw_mma_undefined_index(mma, tile);
    if (at < 0 || !lw_mma_is_ptx(mma))
        return LW_OK;
    return lw_sparse_fail(mma->insn, &mma->mods, mma->chunk, tile->index,
                          (unsigned)mma->products / mma->chunk, (unsigned)at, error);
}

lw_status lw_mma_check_registers(const lw_mma *mma, const lw_mma_registers *regs, lw_error *error)
{
    lw_mma_tile tile;
    if (!mma || !regs)
        return lw_error_fail(error, LW_E_ARGUMENT, "a prepared instruction and its operands are needed");
    if (mma->whole)
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s has B in shared memory: it is computed from matrices, not from registers",
                             mma->whole->mnemonic);
    const lw_status st = lw_mma_tile_from_registers(mma, regs, &tile);
    if (st == LW_E_ARGUMENT)
        return lw_error_fail(error, st, "%s needs A, B%s", lw_insn_name(mma->arch, mma->insn),
                             mma->sparse ? " and the index" : "");
    return check_index(mma, &tile, error);
}

/* Checks only parts with column 0, which together have all rows of A and its index. */
static lw_status check_part(const lw_mma *mma, const lw_mma_matrices *mat, unsigned row, unsigned col,
                            void *context)
{
    lw_mma_tile tile;
    const lw_status st = col ? LW_E_NOT_FOUND : lw_mma_tile_from_matrices(mma, mat, &tile);
    const int at = st == LW_OK ? lw_mma_undefined_index(mma, &tile) : -1;
    const unsigned chunks = mma->products / mma->chunk;
    if (at < 0)
        return LW_OK;
    /* the message names the row of the whole */
    uint8_t all[LW_MMA_MOST_ROWS * LW_TILE_INDEX / 16] = { 0 };
    memcpy(all + (size_t)row * chunks, tile.index, mma->port[LW_OPERAND_INDEX].elements);
    return lw_sparse_fail(mma->whole, &mma->mods, mma->chunk, all, chunks, row * chunks + (unsigned)at,
                          context);
}

lw_status lw_mma_check_matrices(const lw_mma *mma, const lw_mma_matrices *mat, lw_error *error)
{
    lw_mma_tile tile;
    if (!mma || !mat)
        return lw_error_fail(error, LW_E_ARGUMENT, "a prepared instruction and its operands are needed");
    if (mma->whole && mat->a && mat->b && (mat->index || !mma->sparse))
        return mma->sparse ? lw_mma_each_part(mma, mat, check_part, error) : LW_OK;
    const lw_status st = lw_mma_tile_from_matrices(mma, mat, &tile);
    if (st == LW_E_ARGUMENT)
        return lw_error_fail(error, st, "%s needs A, B%s", lw_insn_name(mma->arch, mma->insn),
                             mma->sparse ? " and the index" : "");
    return check_index(mma, &tile, error);
}
