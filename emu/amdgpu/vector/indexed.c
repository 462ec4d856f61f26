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

/* ---- Moves relative to M0 ---- */

/* By which part of M0 a register is moved. */
enum { BY_NONE, BY_ALL, BY_LOW, BY_HIGH };

static unsigned distance(const lw_wave *w, unsigned part)
{
    const uint32_t m0 = w->sgpr[LW_SGPR_M0];
    return part == BY_ALL   ? (m0 > UINT16_MAX ? UINT16_MAX : m0)
           : part == BY_LOW ? m0 & 0x3ff
                            : m0 >> 16 & 0x3ff;
}

/* Past the wave's registers v0 is read, and writes are discarded; scalar moves fault there. */
static void move_by(const lw_wave *w, lw_opnd *o, unsigned part, bool result)
{
    const bool vector = o->kind == LW_OPND_VGPR;
    if (part == BY_NONE || (!vector && o->kind != LW_OPND_SGPR))
        return;
    const unsigned reg = o->reg + distance(w, part);
    if (reg < (vector ? w->vgprs : w->sgprs))
        o->reg = (uint16_t)reg;
    else if (result)
        *o = (lw_opnd){ .kind = LW_OPND_NONE };
    else
        o->reg = 0;
}

bool lw_indexed_moves(const lw_wave *w, const lw_decoded *in, lw_decoded *moved)
{
    static const struct {
        uint16_t op;
        uint8_t source, result;
    } rows[] = {
        { LW_OP_v_movreld_b32, BY_NONE, BY_ALL }, { LW_OP_v_movrels_b32, BY_ALL, BY_NONE },
        { LW_OP_v_movrelsd_b32, BY_ALL, BY_ALL }, { LW_OP_v_movrelsd_2_b32, BY_LOW, BY_HIGH },
        { LW_OP_v_swaprel_b32, BY_LOW, BY_HIGH }, { LW_OP_s_movreld_b32, BY_NONE, BY_ALL },
        { LW_OP_s_movreld_b64, BY_NONE, BY_ALL }, { LW_OP_s_movrels_b32, BY_ALL, BY_NONE },
        { LW_OP_s_movrels_b64, BY_ALL, BY_NONE }, { LW_OP_s_movrelsd_2_b32, BY_LOW, BY_HIGH },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (in->row == &lw_op_rows[rows[i].op]) {
            *moved = *in;
            move_by(w, &moved->src[0], rows[i].source, false);
            move_by(w, &moved->dst, rows[i].result, true);
            return true;
        }
    return false;
}
