/* SPDX-License-Identifier: MIT */
/*
 * What RDNA requires between two instructions. Its distances are counted in vector instructions, not in wait
 * states. Sources: LLVM 22 (GCNHazardRecognizer); for v_nop after v_cmpx, Mesa's ACO.
 */
#include "observers/hazards.h"

enum {
    VECTORS = LW_HZ_VALU | LW_HZ_WMMA,
    ENOUGH_VECTORS = 6, /* after a transcendental instruction */
    ENOUGH_TRANS = 2,
    NEAR = 4,    /* vector instructions between a result and its reader: at most so many */
    BETWEEN = 2, /* and between two results, with a write of EXEC */
    LOOK_BACK = NEAR + 1 + BETWEEN,
    SA_SDST = 1 << 0, /* fields of s_wait_alu */
    VA_SDST = 7 << 9,
};

static const lw_hazard_lack wmma = {
    .rule = "wmma-ab",
    .why = "A, B or the index of a matrix instruction is the result of the one before it, with no vector "
           "instruction between them; others than vector instructions do not help",
    .cure = "insert v_nop before",
};
static const lw_hazard_lack cmpx = {
    .rule = "cmpx-permlane",
    .why = "v_permlane follows v_cmpx with no vector instruction between them",
    .cure = "insert v_nop before",
};
static const lw_hazard_lack cmpx_strict = {
    .rule = "cmpx-permlane",
    .why = "v_permlane follows v_cmpx with nothing but v_nop between them; LLVM asks for another vector "
           "instruction",
    .cure = "insert a v_mov_b32 of a register to itself before",
};
static const lw_hazard_lack trans = {
    .rule = "trans-use",
    .why = "a vector instruction reads the result of a transcendental one, with fewer than 6 vector "
           "instructions and fewer than 2 transcendental ones between them",
    .cure = "insert s_waitcnt_depctr depctr_va_vdst(0) before",
};

static const lw_hazard_lack partial = {
    .rule = "exec-between-results",
    .why =
        "a vector instruction reads two registers, one written before and one after a scalar instruction "
        "that "
        "writes EXEC, with at most 2 vector instructions between the writes and at most 4 after them; waves "
        "of 64 lanes (LLVM; gfx11)",
    .cure = "insert s_waitcnt_depctr depctr_va_vdst(0) before",
};

static bool writes_exec(const lw_hazard_note *n, uint32_t kind)
{
    for (unsigned i = 0; i < n->count; i++)
        if (n->operands[i].registers == LW_HZ_EXEC && n->operands[i].written)
            return n->kinds & kind;
    return false;
}

/* The first vector register that `earlier` writes and `later` reads in one of the ways `use`; UINT16_MAX. */
static uint16_t read_of(const lw_hazard_note *earlier, const lw_hazard_note *later, unsigned use)
{
    for (unsigned i = 0; i < earlier->count; i++)
        for (unsigned k = 0; k < later->count; k++) {
            const lw_hazard_operand *w = &earlier->operands[i], *r = &later->operands[k];
            if (w->written && w->registers == LW_HZ_VECTOR && r->read && r->use & use &&
                r->first < w->first + w->count && w->first < r->first + r->count)
                return w->first > r->first ? w->first : r->first;
        }
    return UINT16_MAX;
}

static lw_hazard_lack lack_of(const lw_hazard_lack *row, uint16_t reg, lw_severity severity)
{
    lw_hazard_lack lack = *row;
    lack.reg = reg;
    lack.severity = severity;
    return lack;
}

lw_hazard_lack lw_hazard_rdna_between(lw_hazard_target target, const lw_hazard_note *earlier,
                                      const lw_hazard_note *later, lw_hazard_since since)
{
    static const lw_hazard_lack nothing;
    const uint32_t e = earlier->kinds, l = later->kinds;
    uint16_t reg = UINT16_MAX;
    if (target == LW_HZ_GFX1250 && e & (LW_HZ_WMMA | LW_HZ_TRANS))
        return lw_hazard_wmma_between(earlier, later, since);
    if (e & LW_HZ_WMMA && l & LW_HZ_WMMA && since.vectors == 0)
        reg = read_of(earlier, later, LW_HZ_AB);
    if (reg != UINT16_MAX)
        return lack_of(&wmma, reg, LW_SEVERITY_ERROR);
    if (writes_exec(earlier, LW_HZ_VALU) && l & (LW_HZ_PERMLANE | LW_HZ_SWAP) && since.others == 0)
        return since.vectors ? lack_of(&cmpx_strict, reg, LW_SEVERITY_STRICT)
                             : lack_of(&cmpx, reg, LW_SEVERITY_ERROR);
    if (target == LW_HZ_GFX11 && e & LW_HZ_TRANS && l & VECTORS && since.vectors < ENOUGH_VECTORS &&
        since.others < ENOUGH_TRANS)
        reg = read_of(earlier, later, LW_HZ_USE);
    return reg == UINT16_MAX ? nothing : lack_of(&trans, reg, LW_SEVERITY_ERROR);
}

/* How many vector instructions ago the operand's registers were last written, and by which of the list. */
static unsigned written_ago(const lw_hazard_recent *list, unsigned count, const lw_hazard_operand *r,
                            unsigned *by)
{
    for (unsigned i = count; i-- > 0;) {
        const lw_hazard_note *n = list[i].note;
        for (unsigned k = 0; n->kinds & VECTORS && k < n->count; k++) {
            const lw_hazard_operand *w = &n->operands[k];
            *by = i;
            if (w->written && w->registers == LW_HZ_VECTOR && r->first < w->first + w->count &&
                w->first < r->first + r->count)
                return list[i].since.vectors;
        }
    }
    return UINT8_MAX;
}

/* How many vector instructions ago EXEC was written last before the one at `newest`. */
static unsigned exec_ago(const lw_hazard_recent *list, unsigned newest)
{
    for (unsigned i = newest; i-- > 0;)
        if (writes_exec(list[i].note, LW_HZ_SALU | LW_HZ_SETREG | LW_HZ_GETREG))
            return list[i].since.vectors;
    return UINT8_MAX;
}

lw_hazard_lack lw_hazard_rdna_among(lw_hazard_target target, const lw_hazard_recent *list, unsigned count,
                                    const lw_hazard_note *later, unsigned *earlier)
{
    static const lw_hazard_lack nothing;
    unsigned ago[LW_HZ_OPERANDS], before = UINT8_MAX, after = UINT8_MAX;
    uint16_t reg = UINT16_MAX;
    if (target == LW_HZ_GFX1250)
        return lw_hazard_wmma_among(list, count, later, earlier);
    if (target >= LW_HZ_GFX12 || !later->wide || !(later->kinds & VECTORS))
        return nothing;
    for (unsigned i = 0; i < later->count; i++) {
        const lw_hazard_operand *o = &later->operands[i];
        unsigned by = 0;
        ago[i] = o->read && o->registers == LW_HZ_VECTOR ? written_ago(list, count, o, &by) : UINT8_MAX;
        if (ago[i] >= after)
            continue;
        after = ago[i];
        reg = o->first;
        *earlier = by;
    }
    if (after > NEAR)
        return nothing;
    const unsigned exec = exec_ago(list, *earlier);
    for (unsigned i = 0; i < later->count; i++)
        if (ago[i] >= exec && ago[i] < before)
            before = ago[i];
    if (exec == UINT8_MAX || before == UINT8_MAX || before - after - 1 > BETWEEN)
        return nothing;
    return lack_of(&partial, reg, LW_SEVERITY_ERROR);
}

bool lw_hazard_rdna_on(const lw_hazard_note *past, const lw_hazard_note *next, lw_hazard_since *since)
{
    const bool vector = next->kinds & VECTORS, is_trans = past->kinds & LW_HZ_TRANS;
    const bool drained = next->kinds & (LW_HZ_VMEM | LW_HZ_LDS | LW_HZ_DRAIN);
    if (vector)
        since->vectors++;
    if (vector && !past->base_writer &&
        (is_trans ? (next->kinds & LW_HZ_TRANS) != 0 : next->count > 0)) /* v_nop has no operands */
        since->others++;
    if (past->base_writer) {
        if (!vector && next->kinds & (LW_HZ_SALU | LW_HZ_SETREG | LW_HZ_GETREG))
            since->others++;
        if (next->kinds & LW_HZ_WAIT_ALU && !(next->setting & (VA_SDST | SA_SDST)))
            return false;
        return since->others < LW_HZ_BASE_FAR;
    }
    if (past->after_strict)
        return since->vectors < past->after_strict;
    if ((past->wide || is_trans) && !drained && since->vectors <= LOOK_BACK &&
        (past->kinds & VECTORS || writes_exec(past, ~0u)))
        return true;
    return past->kinds & LW_HZ_WMMA ? since->vectors == 0
                                    : writes_exec(past, LW_HZ_VALU) && since->others == 0;
}
