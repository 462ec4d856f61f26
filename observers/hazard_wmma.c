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
    /* LLVM looks neither at registers that M0 selects nor at those of pairs: compiled code may use them early
     */
    lack.severity =
        since.vectors < needs && !later->moved && !later->dual ? LW_SEVERITY_ERROR : LW_SEVERITY_STRICT;
    lack.vectors = (uint8_t)strict;
    return lack.reg == UINT16_MAX ? nothing : lack;
}

/* ---- Waits ---- */

static const lw_hazard_lack state = {
    .rule = "getreg-state",
    .why =
        "s_getreg_b32 reads STATUS, STATE_PRIV or exception flags, and nothing directly before it waits for "
        "all vector and scalar instructions (LLVM; gfx1250)",
    .cure = "insert s_wait_alu 0x0 before",
    .reg = UINT16_MAX,
    .severity = LW_SEVERITY_ERROR,
};
static const lw_hazard_lack sources = {
    .rule = "arrival-sources",
    .why =
        "ds_atomic_async_barrier_arrive_b64 needs a wait directly before and directly after it until memory "
        "instructions have read their sources (LLVM; gfx1250)",
    .cure = "insert s_wait_alu depctr_vm_vsrc(0) before",
    .reg = UINT16_MAX,
    .severity = LW_SEVERITY_ERROR,
};
static const lw_hazard_lack base = {
    .rule = "scratch-base",
    .why =
        "the scratch base is made of s102 and s103; it is read after a write of its half, with fewer than 10 "
        "scalar instructions between them (LLVM; gfx1250)",
    .cure = "insert s_wait_alu depctr_va_sdst(0) depctr_sa_sdst(0) before",
    .reg = UINT16_MAX,
    .severity = LW_SEVERITY_ERROR,
};

bool lw_hazard_writes_base(const lw_hazard_note *note, unsigned halves)
{
    enum { S102 = 102 };
    for (unsigned i = 0; i < note->count; i++) {
        const lw_hazard_operand *o = &note->operands[i];
        lw_reg_file file;
        unsigned number;
        lw_hazard_register(o->first, &file, &number);
        for (unsigned half = 0; half < 2; half++)
            if (file == LW_FILE_SGPR && o->written && halves >> half & 1 && number <= S102 + half &&
                S102 + half < number + o->count)
                return (note->kinds & (LW_HZ_SALU | LW_HZ_SETREG | LW_HZ_GETREG | LW_HZ_VALU)) != 0;
    }
    return false;
}

static bool reads_state(const lw_hazard_note *n)
{
    enum { STATUS = 2, STATE_PRIV = 4, EXCP_FLAG_PRIV = 17, EXCP_FLAG_USER = 18 };
    const int32_t id = n->setting & 63;
    return n->kinds & LW_HZ_GETREG &&
           (id == STATUS || id == STATE_PRIV || id == EXCP_FLAG_PRIV || id == EXCP_FLAG_USER);
}

/* vm_vsrc is 0 */
static bool waits_for_sources(const lw_hazard_note *n)
{
    return n->kinds & LW_HZ_WAIT_ALU && (n->setting >> 2 & 7) == 0;
}

lw_hazard_lack lw_hazard_wmma_among(const lw_hazard_recent *list, unsigned count, const lw_hazard_note *later,
                                    unsigned *earlier)
{
    static const lw_hazard_lack nothing;
    if (!count)
        return nothing;
    const lw_hazard_note *last = list[count - 1].note;
    *earlier = count - 1;
    if (reads_state(later) && !(last->kinds & LW_HZ_WAIT_ALU && last->setting == 0))
        return state;
    if ((later->arrives && !waits_for_sources(last)) || (last->arrives && !waits_for_sources(later)))
        return sources;
    for (unsigned i = count; later->scratch_base && i-- > 0;)
        if (lw_hazard_writes_base(list[i].note, later->scratch_base)) {
            *earlier = i;
            return base;
        }
    return nothing;
}
