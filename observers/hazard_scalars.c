/* SPDX-License-Identifier: MIT */
/*
 * Scalar registers that vector instructions have read and that are then written: a later read may find the
 * old value, however far away it is, so what matters is the whole past of a wave.
 *
 * gfx12: any read of a pair counts, until a wait. A scalar instruction's result must not be read by either
 * kind, a vector instruction's not by vector instructions. gfx11, waves of 64: reads as a lane mask count,
 * until the next write. Sources: LLVM 22 (AMDGPUWaitSGPRHazards, GCNHazardRecognizer).
 */
#include <string.h>

#include "observers/hazards.h"

enum {
    VECTORS = LW_HZ_VALU | LW_HZ_WMMA,
    SCALARS = LW_HZ_SALU | LW_HZ_SETREG | LW_HZ_GETREG,
    SGPRS = 106,
    VCC_LO = SGPRS, /* and VCC_HI */
    SA_SDST = 1 << 0,
    VA_VCC = 1 << 1,
    VA_SDST = 7 << 9,
};

static const lw_hazard_lack sgpr = {
    .rule = "sgpr-overwritten",
    .why =
        "a scalar register of a pair that a vector instruction read was written, and is read without a wait "
        "since (LLVM; gfx12; no measurement of it is public)",
    .severity = LW_SEVERITY_WARNING,
};

static const lw_hazard_lack mask = {
    .rule = "mask-overwritten",
    .why =
        "a scalar register that a vector instruction read as a lane mask was written, and is read without a "
        "wait since; waves of 64 lanes (LLVM; gfx11)",
    .severity = LW_SEVERITY_ERROR,
};
static const lw_hazard_lack mask_strict = {
    .rule = "mask-overwritten",
    .why = "a scalar register that a vector instruction read as a lane mask was written by a vector "
           "instruction, and a scalar one reads it without a wait since; LLVM waits there, and says that it "
           "need not; waves of 64 lanes (gfx11)",
    .severity = LW_SEVERITY_STRICT,
};

bool lw_hazard_tracks(lw_hazard_target target, const lw_hazard_note *n)
{
    return target == LW_HZ_GFX12 || (target >= LW_HZ_GFX11 && target < LW_HZ_GFX12 && n->wide);
}

/* Registers of the operand, of `from` and after: the number here; SGPRS + 2: not one that is tracked. */
static unsigned tracked(const lw_hazard_operand *o)
{
    lw_reg_file file;
    unsigned number;
    lw_hazard_register(o->first, &file, &number);
    if (o->registers == LW_HZ_SCALAR && file == LW_FILE_SGPR && number + o->count <= SGPRS)
        return number;
    if (o->registers == LW_HZ_VCC)
        return VCC_LO + (number != (unsigned)LW_NAMED_VCC_LO);
    return SGPRS + 2;
}

static void forget(lw_hazard_scalars *s, lw_hazard_writer of, bool vcc, bool others)
{
    for (unsigned r = vcc ? 0 : SGPRS + 2; r < SGPRS + 2; r++)
        if (r >= VCC_LO)
            s->by[of][r] = 0;
    for (unsigned r = others ? 0 : SGPRS; r < SGPRS; r++)
        s->by[of][r] = 0;
}

static void wait(lw_hazard_scalars *s, int32_t fields)
{
    if (!(fields & SA_SDST))
        forget(s, LW_HZ_BY_SCALAR, true, true);
    if (!(fields & VA_VCC))
        forget(s, LW_HZ_BY_VECTOR, true, false);
    if (!(fields & VA_SDST))
        forget(s, LW_HZ_BY_VECTOR, false, true);
}

/* What ends the danger. */
static bool ended(lw_hazard_scalars *s, const lw_hazard_note *n)
{
    const unsigned enough = n->wide ? 8 : 4;
    const bool idle = n->kinds & LW_HZ_LDS && n->count == 0; /* ds_nop */
    s->idle = idle ? (uint8_t)(s->idle + (s->idle < enough)) : 0;
    if (idle && s->idle >= enough)
        memset(s->seen, 0, sizeof(s->seen));
    if (!(n->kinds & (LW_HZ_SMEM | LW_HZ_BUFFER)))
        return idle;
    memset(s->by, 0, sizeof(s->by));
    return true;
}

/* What reading the register now would be; NULL: fine. */
static const lw_hazard_lack *hazard_of(const lw_hazard_scalars *s, lw_hazard_target target,
                                       const lw_hazard_note *n, unsigned r)
{
    const bool near = s->by[LW_HZ_BY_SCALAR][r] || n->kinds & VECTORS;
    if (!s->by[LW_HZ_BY_SCALAR][r] && !s->by[LW_HZ_BY_VECTOR][r])
        return NULL;
    if (target != LW_HZ_GFX12)
        return near ? &mask : &mask_strict;
    return near ? &sgpr : NULL;
}

static void tell(const lw_hazard_scalars *s, const lw_hazard_lack *lack, const lw_hazard_operand *o,
                 unsigned r, unsigned base, lw_hazard_slip *slip)
{
    slip->lack = *lack;
    slip->lack.reg = (uint16_t)(o->first + r - base);
    const lw_hazard_writer kind = s->by[LW_HZ_BY_SCALAR][r] ? LW_HZ_BY_SCALAR : LW_HZ_BY_VECTOR;
    slip->lack.cure = kind == LW_HZ_BY_SCALAR ? "depctr_sa_sdst(0)"
                      : r >= VCC_LO           ? "depctr_va_vcc(0)"
                                              : "depctr_va_sdst(0)";
    slip->writer = s->by[kind][r] - 1;
}

/* A read that counts is recorded, on gfx12 for its pair. */
static void see(lw_hazard_scalars *s, lw_hazard_target target, const lw_hazard_note *n)
{
    for (unsigned i = 0; i < n->count; i++) {
        const lw_hazard_operand *o = &n->operands[i];
        const unsigned base = tracked(o);
        if (!o->read || !(n->kinds & VECTORS) ||
            (target != LW_HZ_GFX12 && !(o->use & (LW_HZ_MASK | LW_HZ_IMPLIED))))
            continue;
        for (unsigned r = base; r < base + o->count && r < SGPRS + 2; r++) {
            s->seen[r] = true;
            if (target == LW_HZ_GFX12)
                s->seen[r ^ 1] = true;
        }
    }
}

static void read_one(lw_hazard_scalars *s, lw_hazard_target target, const lw_hazard_note *n,
                     const lw_hazard_operand *o, lw_hazard_slip *slip)
{
    const unsigned base = tracked(o);
    for (unsigned r = base; r < base + o->count && r < SGPRS + 2; r++) {
        const lw_hazard_lack *lack = hazard_of(s, target, n, r);
        if (!slip->lack.rule && lack)
            tell(s, lack, o, r, base, slip);
    }
    /* a scalar instruction waits for vector instructions' results of the kind that it reads */
    if (target == LW_HZ_GFX12 && n->kinds & SCALARS && base < SGPRS + 2 && s->seen[base])
        forget(s, LW_HZ_BY_VECTOR, base >= VCC_LO, base < VCC_LO);
}

static void write_one(lw_hazard_scalars *s, lw_hazard_target target, const lw_hazard_note *n, uint32_t number,
                      const lw_hazard_operand *o)
{
    const unsigned base = tracked(o);
    const lw_hazard_writer writer = n->kinds & VECTORS ? LW_HZ_BY_VECTOR : LW_HZ_BY_SCALAR;
    for (unsigned r = base; r < base + o->count && r < SGPRS + 2; r++) {
        if (s->seen[r])
            s->by[writer][r] = number + 1;
        /* gfx12, LLVM 22: of VCC, only the last writer counts if it is a vector instruction */
        if (target == LW_HZ_GFX12 && r >= VCC_LO && writer == LW_HZ_BY_VECTOR)
            s->by[LW_HZ_BY_SCALAR][r] = 0;
        if (target != LW_HZ_GFX12)
            s->seen[r] = false;
    }
}

/* gfx11: after any write the next one is not dangerous. */
static void unsee_results(lw_hazard_scalars *s, const lw_hazard_note *n)
{
    for (unsigned i = 0; i < n->count; i++) {
        const unsigned base = tracked(&n->operands[i]);
        for (unsigned r = base; n->operands[i].written && r < base + n->operands[i].count && r < SGPRS + 2;
             r++)
            s->seen[r] = false;
    }
}

/* What is found is taken as cured, so that it is told once. */
static void settle(lw_hazard_scalars *s, const lw_hazard_slip *slip)
{
    const bool scalar = slip->lack.cure[7] == 's';
    const bool vcc = slip->lack.cure[10] == 'v';
    forget(s, scalar ? LW_HZ_BY_SCALAR : LW_HZ_BY_VECTOR, scalar || vcc, scalar || !vcc);
}

/* Waits and everything else that reads and writes no register in the way that matters. */
static bool aside(lw_hazard_scalars *s, lw_hazard_target target, const lw_hazard_note *n)
{
    if (n->kinds & LW_HZ_WAIT_ALU) {
        wait(s, n->setting);
        return true;
    }
    if (target == LW_HZ_GFX12)
        return ended(s, n) || !(n->kinds & (VECTORS | SCALARS));
    if (n->kinds & (VECTORS | SCALARS))
        return false;
    unsee_results(s, n);
    return true;
}

bool lw_hazard_scalars_on(lw_hazard_scalars *s, lw_hazard_target target, const lw_hazard_note *n,
                          uint32_t number, lw_hazard_slip *slip)
{
    memset(slip, 0, sizeof(*slip));
    if (aside(s, target, n))
        return false;
    for (unsigned i = 0; i < n->count; i++)
        if (n->operands[i].read)
            read_one(s, target, n, &n->operands[i], slip);
    if (slip->lack.rule)
        settle(s, slip);
    if (target == LW_HZ_GFX12) /* gfx11: a mask that the instruction itself overwrites was read before */
        see(s, target, n);
    for (unsigned i = 0; i < n->count; i++)
        if (n->operands[i].written)
            write_one(s, target, n, number, &n->operands[i]);
    if (target != LW_HZ_GFX12)
        see(s, target, n);
    if (target != LW_HZ_GFX12 && n->kinds & LW_HZ_DRAIN) { /* LLVM does not look across calls and returns */
        memset(s->seen, 0, sizeof(s->seen));
        memset(s->by, 0, sizeof(s->by)); /* the return address, too, may be in what was a mask */
    }
    return slip->lack.rule != NULL;
}
