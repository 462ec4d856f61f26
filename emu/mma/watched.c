/* SPDX-License-Identifier: MIT */
/*
 * Executing with an eye on which aspects are touched, for those who sum that up over many executions: the
 * vectorised code computes D, and only numbers that could touch something new are looked at closely.
 */
#include <string.h>

#include "emu/mma/mma.h"
#include "emu/mma/panels.h"

/* Has a word a code, of `bits` bits, of a magnitude from 1 to below `least`? */
static inline uint32_t word_subnormal(uint32_t word, unsigned bits, uint32_t least)
{
    uint32_t found = 0;
    for (unsigned at = 0; at < 32; at += bits) {
        const uint32_t size = word >> at & (UINT32_MAX >> (33 - bits));
        found |= (uint32_t)(size - 1 < least - 1);
    }
    return found;
}

static bool words_subnormal(const uint32_t *words, size_t count, unsigned bits, uint32_t least)
{
    uint32_t found = 0;
    if (bits == 32)
        for (size_t i = 0; i < count; i++)
            found |= word_subnormal(words[i], 32, least);
    else if (bits == 16)
        for (size_t i = 0; i < count; i++)
            found |= word_subnormal(words[i], 16, least);
    else if (bits == 8)
        for (size_t i = 0; i < count; i++)
            found |= word_subnormal(words[i], 8, least);
    else
        return true; /* such formats have few numbers that are not */
    return found;
}

static size_t words_of(const lw_mma *mma, lw_operand operand)
{
    return (size_t)lw_insn_registers(mma->arch, mma->insn, operand, &mma->mods) * mma->wave;
}

static bool may_be_subnormal(const lw_mma *mma, lw_operand operand, const lw_format *f, const uint32_t *regs)
{
    return words_subnormal(regs, words_of(mma, operand), f->bits, UINT32_C(1) << f->frac_bits);
}

/* Whatever C is added to, the sum stays in range: products sum up to less than 2^30. */
static bool c_is_small(const uint32_t *c, size_t count)
{
    uint32_t large = 0;
    for (size_t i = 0; i < count; i++)
        large |= (c[i] + UINT32_C(0x40000000)) >> 31;
    return !large;
}

/* The aspects that elements of D, binary32 numbers, could touch by what they are. */
static uint32_t aspects_of(const uint32_t *d, size_t count)
{
    uint32_t zero = 0, tiny = 0, top = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t size = d[i] & UINT32_C(0x7fffffff);
        zero |= (uint32_t)(size == 0);
        tiny |= (uint32_t)(size - 1 < UINT32_C(0x007fffff));
        top |= (uint32_t)(size >= UINT32_C(0x7f7fffff));
    }
    return (zero ? 1u << LW_MMA_ZERO_SIGN : 0) | (tiny ? 1u << LW_MMA_SUBNORMAL : 0) |
           (top ? 1u << LW_MMA_OVERFLOW | 1u << LW_MMA_NAN : 0);
}

/* Can operands touch only what `known` has? */
static bool quiet_operands(const lw_mma *mma, const lw_mma_registers *r, uint32_t known)
{
    if (mma->recipe.unit.kind == LW_KIND_INT)
        return c_is_small(r->c, words_of(mma, LW_OPERAND_C));
    /* Forms that may ignore C are open about an infinite one. */
    if (mma->recipe.unit.drop && (aspects_of(r->c, words_of(mma, LW_OPERAND_C)) & 1u << LW_MMA_NAN))
        return false;
    return (known & 1u << LW_MMA_SUBNORMAL) || !(may_be_subnormal(mma, LW_OPERAND_A, mma->a, r->a) ||
                                                 may_be_subnormal(mma, LW_OPERAND_B, mma->b, r->b) ||
                                                 may_be_subnormal(mma, LW_OPERAND_C, mma->c, r->c));
}

static bool apart(const uint32_t *x, size_t x_words, const uint32_t *y, size_t y_words)
{
    return (uintptr_t)(x + x_words) <= (uintptr_t)y || (uintptr_t)(y + y_words) <= (uintptr_t)x;
}

/* Forms for which the above says enough, and registers that D leaves as they are, C excepted. */
static bool can_watch(const lw_mma *mma, const lw_mma_registers *r)
{
    const bool ints = mma->recipe.unit.kind == LW_KIND_INT, fused = lw_mma_is_ptx(mma);
    const size_t d = words_of(mma, LW_OPERAND_D);
    return mma->panels && !fused && !mma->sparse && !(r->mode & mma->mode_mask) && r->a && r->b && r->c &&
           r->d && mma->d->bits == 32 && mma->c->bits == 32 && (ints || mma->acc == LW_ACC_F32) &&
           d <= LW_TILE_CD_WORDS && apart(r->a, words_of(mma, LW_OPERAND_A), r->d, d) &&
           apart(r->b, words_of(mma, LW_OPERAND_B), r->d, d) &&
           (!mma->scaled || ((!r->scale_a || apart(r->scale_a, mma->wave, r->d, d)) &&
                             (!r->scale_b || apart(r->scale_b, mma->wave, r->d, d))));
}

lw_status lw_mma_execute_watched(const lw_mma *mma, const lw_mma_registers *regs, uint32_t *touched)
{
    uint32_t c[LW_TILE_CD_WORDS];
    uint32_t set = 0;
    if (mma && regs && can_watch(mma, regs) && quiet_operands(mma, regs, *touched)) {
        const size_t words = words_of(mma, LW_OPERAND_D);
        memcpy(c, regs->c, words * sizeof(*c));
        if (lw_mma_panels_run(mma, regs)) {
            const bool ints = mma->recipe.unit.kind == LW_KIND_INT;
            const uint32_t seen = ints ? 0 : aspects_of(regs->d, words);
            if (!(seen & ~*touched)) {
                *touched |= 1u << LW_MMA_FINITE;
                return LW_OK;
            }
            lw_mma_registers again = *regs;
            again.c = c;
            const lw_status status = lw_mma_execute_registers(mma, &again, &set);
            if (status == LW_OK)
                *touched |= set;
            return status;
        }
    }
    const lw_status status = lw_mma_execute_registers(mma, regs, &set);
    if (status == LW_OK)
        *touched |= set;
    return status;
}
