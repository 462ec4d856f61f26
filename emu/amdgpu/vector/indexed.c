/* SPDX-License-Identifier: MIT */
#include "emu/amdgpu/vector/indexed.h"

#include "isa_tables/amdgpu/rows.h"

/* Bits of M0[15:12]: which operands are indexed (AMD CDNA3 ISA manual, S_SET_GPR_IDX_MODE). */
enum { INDEX_SRC0 = 1, INDEX_DST = 8 };

static bool is_vector_alu(const lw_decoded *in)
{
    switch ((lw_enc)in->row->enc) {
    case LW_ENC_VOP1:
    case LW_ENC_VOP2:
    case LW_ENC_VOPC:
    case LW_ENC_VOP3:
    case LW_ENC_VOP3P:
    case LW_ENC_MAI:
        return true;
    case LW_ENC_SOP1:
    case LW_ENC_SOP2:
    case LW_ENC_SOPC:
    case LW_ENC_SOPK:
    case LW_ENC_SOPP:
    case LW_ENC_SMEM:
    case LW_ENC_DS:
    case LW_ENC_FLAT:
    case LW_ENC_MUBUF:
    case LW_ENC_MTBUF:
    case LW_ENC_TENSOR:
    case LW_ENC_MIMG:
    case LW_ENC_VIMAGE:
    case LW_ENC_VSAMPLE:
    case LW_ENC_EXP:
    case LW_ENC_VINTRP:
    case LW_ENC_VINTERP:
    case LW_ENC_LDSDIR:
    case LW_ENC_COUNT:
        break;
    }
    return false;
}

bool lw_indexed_skips(const lw_wave *w, const lw_decoded *in)
{
    return w->mode & w->resolving & LW_MODE_VSKIP && in->row->enc > LW_ENC_SMEM;
}

static bool move_operand(const lw_wave *w, lw_opnd *o, unsigned index)
{
    if (o->kind != LW_OPND_VGPR)
        return true;
    o->reg = (uint16_t)(o->reg + index);
    return o->reg + o->dwords <= w->vgprs;
}

/* Two bits of MODE for each role of a register, in this order. */
enum { MSB_DST, MSB_SRC0, MSB_SRC1, MSB_SRC2, MSB_BITS = 2, MSB_REGISTERS = 256 };

static bool extend(const lw_wave *w, lw_opnd *o, unsigned role)
{
    const uint32_t msb = w->mode >> (LW_MODE_VGPR_MSB_SHIFT + MSB_BITS * role) & 3;
    return move_operand(w, o, msb * MSB_REGISTERS);
}

/*
 * Which number extends which register (LLVM 22, the pass that inserts s_set_vgpr_msb). Memory: address, data,
 * second data, result; a buffer's data are a result even where they are stored, and so is an address in LDS.
 */
static bool extend_all(const lw_wave *w, lw_decoded *in)
{
    bool inside = extend(w, &in->dst, MSB_DST);
    for (unsigned i = 0; i < 3; i++) {
        inside = extend(w, &in->src[i], MSB_SRC0 + i) && inside;
        inside = (!in->second.row || extend(w, &in->second.src[i], MSB_SRC0 + i)) && inside;
    }
    inside = extend(w, &in->src[3], MSB_DST) && inside;
    inside = (!in->second.row || extend(w, &in->second.dst, MSB_DST)) && inside;
    for (unsigned i = 0; i < 2; i++)
        inside = extend(w, &in->scale[i], MSB_SRC0 + i) && inside;
    return inside;
}

static lw_step resolve_msb(lw_wave *w, lw_decoded *in)
{
    if (!extend_all(w, in))
        return lw_wave_fault(
            w, -1, "a register with the number that s_set_vgpr_msb extends is not among the %u of the wave",
            (unsigned)w->vgprs);
    return LW_STEP_NEXT;
}

lw_step lw_indexed_resolve(lw_wave *w, const lw_decoded *in, lw_decoded *resolved)
{
    *resolved = *in;
    if (w->resolving & LW_MODE_VGPR_MSB)
        return resolve_msb(w, resolved);
    if (!(w->mode & LW_MODE_GPR_IDX_EN) || !is_vector_alu(in))
        return LW_STEP_NEXT;
    const unsigned index = w->sgpr[LW_SGPR_M0] & 0xff, which = w->sgpr[LW_SGPR_M0] >> 12 & 0xf;
    bool inside = true;
    for (unsigned i = 0; i < 3; i++)
        if (which & (unsigned)INDEX_SRC0 << i)
            inside = move_operand(w, &resolved->src[i], index) && inside;
    if (which & INDEX_DST)
        inside = move_operand(w, &resolved->dst, index) && inside;
    if (!inside)
        return lw_wave_fault(w, -1, "register index %u in M0 leaves the %u vector registers of the wave",
                             index, (unsigned)w->vgprs);
    return LW_STEP_NEXT;
}

/* How M0 moves the source and the result of instructions that say so themselves: by all of it, or by half. */
enum { STAYS, WHOLE, LOW, HIGH };
static const struct {
    lw_op op;
    uint8_t source, result;
} relatives[] = {
    { LW_OP_s_movrels_b32, WHOLE, STAYS }, { LW_OP_s_movrels_b64, WHOLE, STAYS },
    { LW_OP_s_movreld_b32, STAYS, WHOLE }, { LW_OP_s_movreld_b64, STAYS, WHOLE },
    { LW_OP_s_movrelsd_2_b32, LOW, HIGH }, { LW_OP_v_movreld_b32, STAYS, WHOLE },
    { LW_OP_v_movrels_b32, WHOLE, STAYS }, { LW_OP_v_movrelsd_b32, WHOLE, WHOLE },
    { LW_OP_v_movrelsd_2_b32, LOW, HIGH }, { LW_OP_v_swaprel_b32, LOW, HIGH },
};

static bool move_register(const lw_wave *w, lw_opnd *o, unsigned by)
{
    if (o->kind != LW_OPND_SGPR)
        return move_operand(w, o, by);
    o->reg = (uint16_t)(o->reg + by);
    return o->reg + o->dwords <= w->sgprs;
}

static unsigned distance(uint32_t m0, unsigned how)
{
    const unsigned whole = m0 > UINT16_MAX ? UINT16_MAX : m0;
    return how == STAYS ? 0 : how == WHOLE ? whole : how == LOW ? m0 & 0x3ff : m0 >> 16 & 0x3ff;
}

bool lw_indexed_relative(const lw_wave *w, const lw_decoded *in, lw_decoded *moved)
{
    const uint32_t m0 = w->sgpr[LW_SGPR_M0];
    for (size_t i = 0; i < sizeof(relatives) / sizeof(relatives[0]); i++) {
        if (lw_op_index(in->row) != relatives[i].op)
            continue;
        *moved = *in;
        if (!move_register(w, &moved->src[0], distance(m0, relatives[i].source)))
            moved->src[0].reg = 0; /* v0 is read there; of scalars, the instruction faults */
        if (!move_register(w, &moved->dst, distance(m0, relatives[i].result)))
            moved->dst.kind = LW_OPND_NONE;
        return true;
    }
    return false;
}
