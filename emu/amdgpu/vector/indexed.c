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
    case LW_ENC_COUNT:
        break;
    }
    return false;
}

bool lw_indexed_skips(const lw_wave *w, const lw_decoded *in)
{
    return w->mode & LW_MODE_VSKIP && in->row->enc > LW_ENC_SMEM;
}

static bool move_operand(const lw_wave *w, lw_opnd *o, unsigned index)
{
    if (o->kind != LW_OPND_VGPR)
        return true;
    o->reg = (uint16_t)(o->reg + index);
    return o->reg + o->dwords <= w->vgprs;
}

lw_step lw_indexed_resolve(lw_wave *w, const lw_decoded *in, lw_decoded *resolved)
{
    *resolved = *in;
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
