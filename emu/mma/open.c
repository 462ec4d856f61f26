/* SPDX-License-Identifier: MIT */
/*
 * Which open questions decide the result of one execution: those for which another reading gives other bits
 * of D. For the topics that depend on values, D is computed once more under each reading; the others (how
 * products are grouped, what MODE does) are covered by the labels of their aspects.
 */
#include <string.h>

#include "emu/mma/mma.h"
#include "emu/mma/panels.h"

static bool decides_by_value(const lw_reading_row *row)
{
    switch ((lw_reading_effect)row->effect) {
    case LW_EFFECT_FLOOR:
    case LW_EFFECT_PLUS_UNDERFLOW:
    case LW_EFFECT_ZERO_TERMS:
    case LW_EFFECT_HALF_NORMAL:
    case LW_EFFECT_MASK_FIRST:
    case LW_EFFECT_CLAMP_BITS:
        return true;
    default:
        return false;
    }
}

static bool is_other_reading(const lw_mma *mma, const lw_reading_row *used, const lw_reading_row *row)
{
    return row != used && strcmp(row->info.topic, used->info.topic) == 0 &&
           lw_reading_row_concerns(row, mma->insn->dot, mma->arch) &&
           (decides_by_value(row) || decides_by_value(used));
}

/* D under another reading. False: there is no such recipe. */
static bool compute_as(const lw_mma *mma, size_t topic, const lw_reading_row *row, const lw_mma_tile *tile,
                       uint32_t *d)
{
    lw_mma other = *mma;
    other.reading[topic] = row;
    other.panels = NULL;
    if (lw_recipe_resolve(mma->insn->dot, mma->arch, other.reading, other.readings, &other.recipe) != LW_OK)
        return false;
    lw_mma_reference(&other, tile, d);
    return true;
}

static uint32_t find_open(const lw_mma *mma, const lw_mma_tile *tile)
{
    uint32_t d[LW_TILE_CD_WORDS], other[LW_TILE_CD_WORDS], open = 0;
    const size_t bytes = mma->port[LW_OPERAND_D].words * sizeof(*d);
    bool known = false;
    for (size_t i = 0; i < mma->readings; i++)
        for (size_t c = 0; c < lw_reading_count && !(open >> i & 1); c++) {
            if (!is_other_reading(mma, mma->reading[i], &lw_reading_rows[c]))
                continue;
            if (!known)
                lw_mma_reference(mma, tile, d);
            known = true;
            if (compute_as(mma, i, &lw_reading_rows[c], tile, other) && memcmp(d, other, bytes) != 0)
                open |= 1u << i;
        }
    return open;
}

lw_status lw_mma_open_registers(const lw_mma *mma, const lw_mma_registers *regs, uint32_t *open)
{
    lw_mma_tile tile;
    if (!mma || !regs || !open)
        return LW_E_ARGUMENT;
    if (mma->whole)
        return LW_E_UNSUPPORTED;
    const lw_status st = lw_mma_tile_from_registers(mma, regs, &tile);
    if (st == LW_OK)
        *open = find_open(mma, &tile);
    return st;
}

static lw_status open_one(const lw_mma *mma, const lw_mma_matrices *mat, unsigned row, unsigned col,
                          void *context)
{
    lw_mma_tile tile;
    uint32_t *open = context;
    const lw_status st = lw_mma_tile_from_matrices(mma, mat, &tile);
    (void)row;
    (void)col;
    if (st == LW_OK)
        *open |= find_open(mma, &tile);
    return st;
}

lw_status lw_mma_open_matrices(const lw_mma *mma, const lw_mma_matrices *mat, uint32_t *open)
{
    uint32_t set = 0;
    if (!mma || !mat || !open)
        return LW_E_ARGUMENT;
    const lw_status st =
        mma->whole ? lw_mma_each_part(mma, mat, open_one, &set) : open_one(mma, mat, 0, 0, &set);
    if (st == LW_OK)
        *open = set;
    return st;
}

const lw_reading *lw_mma_open_at(const lw_mma *mma, uint32_t open, size_t index)
{
    for (size_t i = 0; mma && i < mma->readings; i++)
        if ((open >> i & 1) && index-- == 0)
            return &mma->reading[i]->info;
    return NULL;
}

/* A product below 2^-126 has a factor below 2^-63. */
enum { LEAST_FIELD = 64 };

static bool any_deep(const uint32_t *words, size_t count, const lw_format *f)
{
    const uint32_t least = (uint32_t)LEAST_FIELD << f->frac_bits;
    uint32_t found = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned at = 0; at < 32; at += f->bits) {
            const uint32_t size = words[i] >> at & (UINT32_MAX >> (33 - f->bits));
            found |= (uint32_t)(size - 1 < least - 1);
        }
    return found != 0;
}

void lw_mma_find_deep_topic(lw_mma *mma)
{
    for (size_t i = 0; i < mma->readings; i++)
        if (strcmp(mma->reading[i]->info.topic, "zero-product") == 0)
            mma->deep_topic = (uint8_t)(i + 1);
}

static bool operand_deep(const lw_mma *mma, lw_operand operand, const lw_format *f, const uint32_t *words)
{
    const uint32_t least = (uint32_t)LEAST_FIELD << f->frac_bits;
    const lw_mma_panels *p = mma->panels;
    if (p && p->look) {
        const unsigned count = operand == LW_OPERAND_A ? p->a_words : p->b_words;
        return p->look->small(words, count / mma->wave, mma->wave, f->bits, least);
    }
    const unsigned registers = lw_insn_registers(mma->arch, mma->insn, operand, &mma->mods);
    return any_deep(words, (size_t)registers * mma->wave, f);
}

bool lw_mma_may_be_open(const lw_mma *mma, const lw_mma_registers *regs, uint32_t known)
{
    return lw_mma_looks_deep(mma, known) && (operand_deep(mma, LW_OPERAND_A, mma->a, regs->a) ||
                                             operand_deep(mma, LW_OPERAND_B, mma->b, regs->b));
}
