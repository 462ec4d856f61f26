/* SPDX-License-Identifier: MIT */
/* What is known about a prepared instruction. */
#include <string.h>

#include "emu/mma/mma.h"
#include "isa_tables/options.h"

const char *lw_mma_aspect_name(lw_mma_aspect aspect)
{
    static const char *const names[LW_MMA_ASPECT_COUNT] = {
        [LW_MMA_FINITE] = "finite results",
        [LW_MMA_SUBNORMAL] = "subnormals",
        [LW_MMA_ZERO_SIGN] = "sign of zero",
        [LW_MMA_OVERFLOW] = "overflow",
        [LW_MMA_NAN] = "NaN bits",
        [LW_MMA_MODE] = "MODE bits",
        [LW_MMA_OPERANDS] = "undefined operands",
    };
    return (unsigned)aspect < LW_MMA_ASPECT_COUNT ? names[aspect] : NULL;
}

lw_status lw_mma_fill_shape(const lw_mma *mma, lw_mma_shape *shape)
{
    if (!mma || !lw_options_known(shape, sizeof(*shape), sizeof(*shape)))
        return LW_E_ARGUMENT;
    const lw_insn *in = mma->whole ? mma->whole : mma->insn;
    const lw_mma_shape made = {
        .insn = in,
        .arch = mma->arch,
        .m = in->m,
        .n = in->n,
        .k = in->k,
        .blocks = in->blocks,
        .a_k = mma->products,
        .groups = (uint16_t)(mma->sparse ? mma->products / mma->chunk : 0),
        .scale_k = (uint16_t)(mma->scaled ? mma->products / mma->scale_span : 0),
        .a_format = mma->a->name,
        .b_format = mma->b->name,
        .c_format = mma->c->name,
        .d_format = mma->d->name,
        .a_bits = mma->a->bits,
        .b_bits = mma->b->bits,
        .c_bits = mma->c->bits,
        .d_bits = mma->d->bits,
        .a_bytes = (uint8_t)lw_format_bytes(mma->a),
        .b_bytes = (uint8_t)lw_format_bytes(mma->b),
        .c_bytes = (uint8_t)lw_format_bytes(mma->c),
        .d_bytes = (uint8_t)lw_format_bytes(mma->d),
        .wave = (uint8_t)(mma->whole ? 4 * mma->wave : mma->wave),
    };
    lw_options_give(shape, &made, sizeof(made), sizeof(made));
    return LW_OK;
}

lw_status lw_mma_get_evidence(const lw_mma *mma, lw_mma_aspect aspect, lw_mma_evidence *evidence)
{
    if (!mma || !evidence || (unsigned)aspect >= LW_MMA_ASPECT_COUNT)
        return LW_E_ARGUMENT;
    *evidence = mma->recipe.evidence[aspect];
    return LW_OK;
}

lw_label lw_mma_weakest(const lw_mma *mma, uint32_t aspects)
{
    if (!mma)
        return LW_LABEL_UNKNOWN;
    lw_label weakest = mma->recipe.evidence[LW_MMA_FINITE].label;
    for (unsigned a = 0; a < LW_MMA_ASPECT_COUNT; a++)
        if ((aspects & 1u << a) && mma->recipe.evidence[a].label > weakest)
            weakest = mma->recipe.evidence[a].label;
    return weakest;
}

lw_status lw_mma_get_rule(const lw_mma *mma, lw_mma_rule *rule)
{
    if (!mma || !rule)
        return LW_E_ARGUMENT;
    *rule = (lw_mma_rule){ mma->recipe_name, mma->rule };
    return LW_OK;
}

const lw_reading *lw_mma_get_reading(const lw_mma *mma, const char *topic)
{
    for (size_t i = 0; mma && topic && i < mma->readings; i++)
        if (strcmp(mma->reading[i]->info.topic, topic) == 0)
            return &mma->reading[i]->info;
    return NULL;
}
