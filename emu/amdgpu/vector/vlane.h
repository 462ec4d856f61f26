/* SPDX-License-Identifier: MIT */
/*
 * What vector instructions share: sources as rows of lanes (with SDWA, DPP, half selection, NEG and ABS
 * applied), the lanes that are written, and the ways of writing a result. Rules: AMD CDNA3 and CDNA4 ISA
 * manuals.
 */
#ifndef LW_EMU_AMDGPU_VLANE_H
#define LW_EMU_AMDGPU_VLANE_H

#include "emu/amdgpu/control/wave.h"
#include "emu/num/fp.h"

/* How a 32-bit source is read; 16-bit kinds read the half that the operand selects. */
typedef enum lw_vkind {
    LW_V_B32,
    LW_V_F32,
    LW_V_B16,
    LW_V_F16,
} lw_vkind;

/* Where a 16-bit result goes: most gfx9 instructions clear the upper half; newer ones keep the other half. */
typedef enum lw_vdst_kind {
    LW_VD_FULL, /* all 32 bits; also SDWA's dst_sel */
    LW_VD_SEL,  /* the half that the operand selects */
    LW_VD_LOW,  /* the low half */
} lw_vdst_kind;

static inline unsigned lw_ctz64(uint64_t v)
{
#ifdef __GNUC__
    return (unsigned)__builtin_ctzll(v);
#else
    unsigned n = 0;
    for (; !(v & 1); v >>= 1)
        n++;
    return n;
#endif
}

static inline unsigned lw_popcount32(uint32_t v)
{
    v = v - (v >> 1 & 0x55555555u);
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    return ((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

/* The lanes that an instruction writes: EXEC without the lanes that DPP suppresses. */
uint64_t lw_vactive(const lw_wave *w, const lw_decoded *in);
uint64_t lw_vactive_of(const lw_decoded *in, uint64_t exec);
/* EXEC without the lanes for which DPP finds no source and BOUND_CTRL provides no zero. */
uint64_t lw_vsourced_of(const lw_decoded *in, uint64_t exec);
/* The lanes that DPP reads for the lanes of registers, or bits of a carry-out, that it writes. */
uint64_t lw_vread_of(const lw_decoded *in, uint64_t exec);
/* The lane that DPP reads for each lane; 255: none. */
void lw_vlanes_of(const lw_decoded *in, uint64_t exec, uint8_t from[LW_LANES]);

/* Source i for all lanes: either the register's row itself, or `buf`, filled. */
const uint32_t *lw_vsrc(lw_wave *w, const lw_decoded *in, unsigned i, lw_vkind kind, uint32_t buf[LW_LANES]);
const uint64_t *lw_vsrc64(lw_wave *w, const lw_decoded *in, unsigned i, bool is_float,
                          uint64_t buf[LW_LANES]);
/* Register `part` of a source of several registers (or of the constant), without modifiers. */
const uint32_t *lw_vsrc_part(lw_wave *w, const lw_decoded *in, unsigned i, unsigned part,
                             uint32_t buf[LW_LANES]);
/* Register `part` of the result register as a source (accumulators, kept bits). */
const uint32_t *lw_vdst_old(lw_wave *w, const lw_decoded *in, unsigned part);
/* A source that is the same for all lanes. */
uint64_t lw_vscalar(const lw_wave *w, const lw_opnd *o);
/* The mask that a carry-in or select reads: source 2 of the VOP3 form, otherwise VCC. */
uint64_t lw_vmask_in(const lw_wave *w, const lw_decoded *in);

/* Write the active lanes and end the instruction, or refuse an operand that has no meaning here. */
lw_step lw_vwrite(lw_wave *w, const lw_decoded *in, const uint32_t r[LW_LANES]);
lw_step lw_vwrite16(lw_wave *w, const lw_decoded *in, lw_vdst_kind kind, const uint32_t r[LW_LANES]);
lw_step lw_vwrite64(lw_wave *w, const lw_decoded *in, const uint64_t r[LW_LANES]);
/* Writes register `part` of a wide result; all sources must have been read. Does not end the instruction. */
void lw_vwrite_part(lw_wave *w, const lw_decoded *in, unsigned part, const uint32_t r[LW_LANES]);
/* Writes `mask` to a carry-out or compare destination (sdst, or VCC). */
void lw_vwrite_mask(lw_wave *w, const lw_decoded *in, uint64_t mask);
/* The same for carry-outs. Bits of inactive lanes are 0. DPP's row and bank masks apply to vector registers
 * only (CDNA4 ISA manual 13.3.9, table 93; AMD's emulator); lanes without a source keep the old bits (AMD's
 * emulator alone). */
void lw_vwrite_carry(lw_wave *w, const lw_decoded *in, uint64_t carry);
/* Copies the lanes of r that `active` names to the row. */
void lw_vmerge(uint32_t *row, uint64_t active, const uint32_t r[LW_LANES]);
/* LW_STEP_NEXT, or a fault if the vector unit has no rule for a source. */
lw_step lw_vcheck(lw_wave *w, const lw_decoded *in);

/* What MODE says about a format. */
lw_fp_env lw_vmode(const lw_wave *w, const lw_format *f);
/* The same for an operation: LW_OPF_FLUSHED flushes, and on gfx12 OMOD flushes a result before it is scaled,
 * whatever MODE says (captures of gfx1100 and gfx1201: tests/data/rdna-arithmetic.txt,
 * gfx1201-conversions.txt). */
lw_fp_env lw_vmode_of(const lw_wave *w, const lw_decoded *in, const lw_format *f);
/* The same for OMOD and CLAMP. OMOD of transcendental f16 and f32 operations gives infinity when it
 * overflows, whatever FP_ROUND says, and for f32 it does not ask MODE about subnormals (the same captures).
 */
lw_fp_env lw_vmode_out(const lw_wave *w, const lw_decoded *in, const lw_format *f);
/* Applies OMOD and CLAMP to the active lanes of results that are already rounded. OMOD applies only with IEEE
 * = 0 and flushed results. */
void lw_voutput32(const lw_wave *w, const lw_decoded *in, const lw_format *f, uint64_t active,
                  uint32_t r[LW_LANES]);
void lw_voutput64(const lw_wave *w, const lw_decoded *in, const lw_format *f, uint64_t active,
                  uint64_t r[LW_LANES]);

#endif
