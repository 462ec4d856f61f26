/* SPDX-License-Identifier: MIT */
/*
 * gfx1250 executes matrix and transcendental instructions beside other vector instructions, which software
 * keeps at a distance. Distances are counted in vector instructions, v_nop and matrix instructions included.
 * Source: LLVM 22 (GCNHazardRecognizer, checkWMMACoexecutionHazards).
 */
#include "observers/hazards.h"

static const lw_hazard_lack to_matrix = {
    .rule = "wmma-ab",
    .why = "A, B or the index of a matrix instruction is the result of an earlier one, which is still under "
           "way; vector instructions between them help, others do not (LLVM; gfx1250)",
};
static const lw_hazard_lack to_vector = {
    .rule = "wmma-vector",
    .why = "a vector instruction reads or overwrites the result of a matrix instruction, or overwrites A, B "
           "or the index, while that is still under way; vector instructions between them help, others do "
           "not (LLVM; gfx1250)",
};
static const lw_hazard_lack after_trans = {
    .rule = "trans-use",
    .why = "a vector instruction reads the result of a transcendental one, or overwrites its source, with no "
           "vector instruction between them (LLVM; gfx1250)",
};

static bool overlap(const lw_hazard_operand *a, const lw_hazard_operand *b)
{
    return a->registers == LW_HZ_VECTOR && b->registers == LW_HZ_VECTOR && a->first < b->first + b->count &&
           b->first < a->first + a->count;
}

/* The first register that the later instruction must not access in its way yet; UINT16_MAX: none. */
static uint16_t shared(const lw_hazard_note *earlier, const lw_hazard_note *later, unsigned reads,
                       bool overwrites, bool *written)
{
    for (unsigned i = 0; i < earlier->count; i++)
        for (unsigned k = 0; k < later->count; k++) {
            const lw_hazard_operand *e = &earlier->operands[i], *l = &later->operands[k];
            const bool source = e->read && e->use & (LW_HZ_AB | LW_HZ_SOURCE);
            const bool result = e->written && earlier->kinds & LW_HZ_WMMA;
            if (!overlap(e, l))
                continue;
            *written = !(e->written && l->read && l->use & reads);
            if (!*written || (overwrites && l->written && (result || source)))
                return e->first > l->first ? e->first : l->first;
        }
    return UINT16_MAX;
}

lw_hazard_lack lw_hazard_wmma_between(const lw_hazard_note *earlier, const lw_hazard_note *later,
                                      lw_hazard_since since)
{
    static const lw_hazard_lack nothing;
    const bool matrix = later->kinds & LW_HZ_WMMA, trans = earlier->kinds & LW_HZ_TRANS;
    const bool vector = later->kinds & LW_HZ_VALU && !(later->kinds & LW_HZ_TRANS);
    if (!vector && !matrix)
        return nothing;
    lw_hazard_lack lack = trans ? after_trans : matrix ? to_matrix : to_vector;
    const bool plain = matrix && later->after_strict == 1; /* binary32 runs where others do not */
    const unsigned less = trans || matrix ? 0 : 1;
    const unsigned needs = plain ? 1u : earlier->after - less,
                   strict = plain ? 1u : earlier->after_strict - less;
    if (since.vectors >= strict)
        return nothing;
    lack.reg =
        shared(earlier, later, matrix && !trans ? LW_HZ_AB : LW_HZ_USE, trans || vector, &lack.written);
    /* LLVM does not look at registers that M0 selects, so compiled code may use them early */
    lack.severity = since.vectors < needs && !later->moved ? LW_SEVERITY_ERROR : LW_SEVERITY_STRICT;
    lack.vectors = (uint8_t)strict;
    return lack.reg == UINT16_MAX ? nothing : lack;
}
