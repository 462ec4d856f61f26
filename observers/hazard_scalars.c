/* SPDX-License-Identifier: MIT */
/*
 * gfx12: scalar registers whose pair a vector instruction has read and that are then written. A later read
 * may find the old value, however far away it is, so what matters is the whole past of a wave: a scalar
 * instruction's result must not be read by either kind, a vector instruction's not by vector instructions.
 * Source: LLVM 22 (AMDGPUWaitSGPRHazards).
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

bool lw_hazard_tracks(lw_hazard_target target)
{
    return target == LW_HZ_GFX12;
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
        if (r >= VCC_LO && s->by[r] == of)
            s->by[r] = LW_HZ_SETTLED;
    for (unsigned r = others ? 0 : SGPRS; r < SGPRS; r++)
        if (s->by[r] == of)
            s->by[r] = LW_HZ_SETTLED;
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
    memset(s->by, LW_HZ_SETTLED, sizeof(s->by));
    return true;
}

static bool is_hazard(const lw_hazard_scalars *s, const lw_hazard_note *n, unsigned r)
{
    return s->by[r] == LW_HZ_BY_SCALAR || (s->by[r] == LW_HZ_BY_VECTOR && n->kinds & VECTORS);
}

static void tell(const lw_hazard_scalars *s, const lw_hazard_operand *o, unsigned r, unsigned base,
                 lw_hazard_slip *slip)
{
    slip->lack = sgpr;
    slip->lack.reg = (uint16_t)(o->first + r - base);
    slip->lack.cure = s->by[r] == LW_HZ_BY_SCALAR ? "depctr_sa_sdst(0)"
                      : r >= VCC_LO               ? "depctr_va_vcc(0)"
                                                  : "depctr_va_sdst(0)";
    slip->writer = s->writer[r];
}

/* A read is recorded for its pair. */
static void see(lw_hazard_scalars *s, const lw_hazard_operand *o, unsigned base)
{
    for (unsigned r = base; r < base + o->count && r < SGPRS + 2; r++)
        s->seen[r] = s->seen[r ^ 1] = true;
}

static void read_one(lw_hazard_scalars *s, const lw_hazard_note *n, const lw_hazard_operand *o,
                     lw_hazard_slip *slip)
{
    const unsigned base = tracked(o);
    for (unsigned r = base; r < base + o->count && r < SGPRS + 2; r++)
        if (!slip->lack.rule && is_hazard(s, n, r))
            tell(s, o, r, base, slip);
    /* a scalar instruction waits for vector instructions' results of the kind that it reads */
    if (n->kinds & SCALARS && base < SGPRS + 2 && s->seen[base])
        forget(s, LW_HZ_BY_VECTOR, base >= VCC_LO, base < VCC_LO);
}

static void write_one(lw_hazard_scalars *s, const lw_hazard_note *n, uint32_t number,
                      const lw_hazard_operand *o)
{
    const unsigned base = tracked(o);
    for (unsigned r = base; r < base + o->count && r < SGPRS + 2; r++)
        if (s->seen[r]) {
            s->by[r] = n->kinds & VECTORS ? LW_HZ_BY_VECTOR : LW_HZ_BY_SCALAR;
            s->writer[r] = number;
        }
}

/* What is found is taken as cured, so that it is told once. */
static void settle(lw_hazard_scalars *s, const lw_hazard_slip *slip)
{
    const bool scalar = slip->lack.cure[7] == 's';
    const bool vcc = slip->lack.cure[10] == 'v';
    forget(s, scalar ? LW_HZ_BY_SCALAR : LW_HZ_BY_VECTOR, scalar || vcc, scalar || !vcc);
}

bool lw_hazard_scalars_on(lw_hazard_scalars *s, const lw_hazard_note *n, uint32_t number,
                          lw_hazard_slip *slip)
{
    memset(slip, 0, sizeof(*slip));
    if (n->kinds & LW_HZ_WAIT_ALU)
        wait(s, n->setting);
    if (n->kinds & LW_HZ_WAIT_ALU || ended(s, n) || !(n->kinds & (VECTORS | SCALARS)))
        return false;
    for (unsigned i = 0; i < n->count; i++)
        if (n->operands[i].read)
            read_one(s, n, &n->operands[i], slip);
    if (slip->lack.rule)
        settle(s, slip);
    for (unsigned i = 0; i < n->count; i++) {
        const unsigned base = tracked(&n->operands[i]);
        if (n->operands[i].read && n->kinds & VECTORS && base < SGPRS + 2)
            see(s, &n->operands[i], base);
    }
    for (unsigned i = 0; i < n->count; i++)
        if (n->operands[i].written)
            write_one(s, n, number, &n->operands[i]);
    return slip->lack.rule != NULL;
}
