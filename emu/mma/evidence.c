/* SPDX-License-Identifier: MIT */
/*
 * How well the results of one instruction are supported: what its recipe says about the class, limited to
 * `inferred` where no list names the instruction, and what the lists of comparisons with chips say about it.
 */
#include <stdio.h>

#include "emu/mma/mma.h"
#include "isa_tables/evidence.h"

/* The evidence about operands that documents leave undefined. */
static void add_operand_evidence(lw_mma *mma)
{
    lw_mma_evidence *e = &mma->recipe.evidence[LW_MMA_OPERANDS];
    if (mma->copies > 1)
        *e = (lw_mma_evidence){
            LW_LABEL_UNKNOWN, "AMD requires the copies of A and B in the lane groups to be equal; where they "
                              "differ, each group is taken to use its own, as the rocjitsu emulator does"
        };
    else if (mma->sparse && !lw_mma_is_ptx(mma))
        *e = (lw_mma_evidence){ LW_LABEL_UNKNOWN,
                                "an index whose first position is not below its second is not defined; it is "
                                "used as it stands" };
    else if (mma->sparse)
        *e = (lw_mma_evidence){ LW_LABEL_VENDOR,
                                "PTX ISA: which metadata is defined; with any other nothing is computed" };
    else
        *e = (lw_mma_evidence){ LW_LABEL_VENDOR, "no operand of this instruction is undefined" };
}

/* What a sum of integers that leaves the range becomes is an open question only with .satfinite. */
static void add_wrap_evidence(lw_mma *mma)
{
    if (lw_mma_is_ptx(mma) && mma->recipe.unit.kind == LW_KIND_INT && !mma->saturate)
        mma->recipe.evidence[LW_MMA_OVERFLOW] =
            (lw_mma_evidence){ LW_LABEL_VENDOR, "PTX ISA: without .satfinite sums wrap, modulo 2^32" };
}

/* Documents about other instructions say nothing about one that no list names. */
static void forget_documents(lw_mma *mma)
{
    for (unsigned aspect = 0; aspect < LW_MMA_ASPECT_COUNT; aspect++)
        if (mma->recipe.evidence[aspect].label < LW_LABEL_INFERRED)
            mma->recipe.evidence[aspect] = (lw_mma_evidence){
                LW_LABEL_INFERRED,
                "as instructions of its class; no list of comparisons or documents names it"
            };
}

/* Did the caller choose a reading that is not the default and decides this aspect? Then no measurement
 * applies. */
static bool reads_otherwise(const lw_mma *mma, unsigned aspect)
{
    for (size_t i = 0; i < mma->readings; i++)
        if (!mma->reading[i]->info.is_default && lw_reading_decides(mma->reading[i], (lw_mma_aspect)aspect))
            return true;
    return false;
}

static void add_lines(lw_mma *mma, const char *key)
{
    for (unsigned aspect = 0; aspect < LW_MMA_ASPECT_COUNT; aspect++) {
        const lw_evidence_line *line = lw_evidence_find(mma->arch, key, mma->wave, aspect);
        lw_mma_evidence *e = &mma->recipe.evidence[aspect];
        if (line && lw_evidence_sources[line->source].label < e->label && !reads_otherwise(mma, aspect))
            *e = (lw_mma_evidence){ lw_evidence_sources[line->source].label,
                                    lw_evidence_sources[line->source].text };
    }
}

/* What was recorded of a part of the instruction is quoted, but earns no label. */
static void add_partial(lw_mma *mma, const char *key)
{
    const lw_evidence_line *part = lw_evidence_partial(mma->arch, key, mma->wave);
    lw_mma_evidence *e = &mma->recipe.evidence[LW_MMA_FINITE];
    if (!part)
        return;
    snprintf(mma->partial, sizeof(mma->partial), "%s; replayed of it: %s", e->source,
             lw_evidence_sources[part->source].text);
    e->source = mma->partial;
}

/* clamp was captured with bf16 results only; no comparison covers it with f16 results. */
static void limit_ignored_clamp(lw_mma *mma)
{
    if (!mma->ignores_clamp || mma->d != &lw_formats[LW_FORMAT_F16])
        return;
    for (unsigned aspect = 0; aspect <= LW_MMA_NAN; aspect++)
        if (mma->recipe.evidence[aspect].label < LW_LABEL_INFERRED)
            mma->recipe.evidence[aspect] = (lw_mma_evidence){
                LW_LABEL_INFERRED,
                "clamp is taken to have no effect on f16 results, as recorded of bf16 results"
            };
}

void lw_mma_adjust_evidence(lw_mma *mma)
{
    char key[LW_EVIDENCE_KEY_MAX];
    lw_evidence_key(mma->arch, mma->insn, &mma->mods, key);
    add_operand_evidence(mma);
    add_wrap_evidence(mma);
    if (!lw_evidence_documented(mma->arch, mma->insn))
        forget_documents(mma);
    add_lines(mma, key);
    add_partial(mma, key);
    limit_ignored_clamp(mma);
}
