/* SPDX-License-Identifier: MIT */
/* Scalar instructions: SOP1, SOP2, SOPC, SOPK, SOPP, SMEM. */
#include "emu/amdgpu/decode/decode.h"

static void decode_sdst(lw_decoder *d, unsigned code)
{
    if (d->in.row->dst.type != LW_TYPE_NONE)
        lw_decode_sreg(d, &d->in.dst, d->in.row->dst, code);
}

static lw_opnd immediate(uint32_t value)
{
    return (lw_opnd){ .kind = LW_OPND_IMM, .type = LW_TYPE_B32, .value = value };
}

static void decode_ssrc(lw_decoder *d, unsigned i, unsigned code)
{
    const lw_op_operand spec = d->in.row->src[i];
    if (spec.reg == LW_REG_IMM) {
        d->in.imm = code;
        d->in.src[i] = immediate(code);
        return;
    }
    if (spec.type != LW_TYPE_NONE)
        lw_decode_ssrc(d, &d->in.src[i], spec, code);
    const bool number = d->in.src[i].kind == LW_OPND_INLINE || d->in.src[i].kind == LW_OPND_LITERAL;
    lw_decode_require(d, spec.reg != LW_REG_SGPR || !number);
    lw_decode_require(d, spec.reg != LW_REG_SRC || d->in.src[i].kind != LW_OPND_LITERAL);
}

void lw_decode_sop1(lw_decoder *d)
{
    decode_sdst(d, lw_decode_field(d, LW_FIELD_SDST));
    decode_ssrc(d, 0, lw_decode_field(d, LW_FIELD_SRC0));
}

void lw_decode_sop2(lw_decoder *d)
{
    decode_sdst(d, lw_decode_field(d, LW_FIELD_SDST));
    decode_ssrc(d, 0, lw_decode_field(d, LW_FIELD_SRC0));
    decode_ssrc(d, 1, lw_decode_field(d, LW_FIELD_SRC1));
    if (!(d->in.mods & (LW_MOD_K1 | LW_MOD_K2)))
        return;
    const unsigned at = d->in.mods & LW_MOD_K1 ? 1 : 2;
    d->in.src[2] = d->in.src[1];
    lw_decode_ssrc(d, &d->in.src[at], d->in.row->src[1], LW_CODE_LITERAL);
    d->in.src[at].flags = LW_OPND_F_K;
}

void lw_decode_sopc(lw_decoder *d)
{
    decode_ssrc(d, 0, lw_decode_field(d, LW_FIELD_SRC0));
    d->in.imm = lw_decode_field(d, LW_FIELD_SRC1);
    decode_ssrc(d, 1, d->in.imm);
}

/* The register is a result, a source or both, and is in dst, src[0] or both. */
void lw_decode_sopk(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    const unsigned code = lw_decode_field(d, LW_FIELD_SDST);
    d->in.imm = lw_decode_field(d, LW_FIELD_SIMM);
    if (row->access & 2)
        lw_decode_sreg(d, &d->in.dst, row->dst, code);
    if (row->access & 1)
        lw_decode_sreg(d, &d->in.src[0], row->dst, code);
    lw_decode_require(d, row->wait == LW_WAIT_NONE || d->in.src[0].reg == LW_SGPR_NULL);
    d->in.src[1] = immediate(d->in.imm);
    if (row->imm == LW_IMM_HWREG_K32)
        lw_decode_ssrc(d, &d->in.src[0], (lw_op_operand){ LW_TYPE_B32, 1, 0 }, LW_CODE_LITERAL);
}

void lw_decode_sopp(lw_decoder *d)
{
    d->in.imm = lw_decode_field(d, LW_FIELD_SIMM);
    d->in.src[0] = immediate(d->in.imm);
    lw_decode_require(d, d->in.row->imm != LW_IMM_NOIMM || d->in.imm == 0);
}

/* Base, offset, scalar offset. */
static void decode_smem_address(lw_decoder *d)
{
    const lw_op_operand base = { LW_TYPE_WIDE, d->in.row->base, 0 }, one = { LW_TYPE_U32, 1, 0 };
    const bool always = d->traits->smem_always_offset;
    if (d->in.row->base)
        lw_decode_sreg(d, &d->in.src[0], base, lw_decode_field(d, LW_FIELD_SBASE) * 2);
    d->in.imm_offset = always ? 1 : lw_decode_small(d, LW_FIELD_OFFSET_EN);
    d->in.soffset_en = always ? 1 : lw_decode_small(d, LW_FIELD_SOFFSET_EN);
    if (d->in.imm_offset)
        d->in.offset = lw_encoding_get_signed(d->encoding, d->words, LW_FIELD_OFFSET);
    if (d->in.soffset_en)
        lw_decode_ssrc(d, &d->in.src[1], one, lw_decode_field(d, LW_FIELD_SOFFSET));
    else if (!d->in.imm_offset)
        lw_decode_ssrc(d, &d->in.src[1], one, lw_decode_field(d, LW_FIELD_OFFSET_REG));
}

/* Loads write dst; stores read src[2]; atomics read src[2] and, with GLC, write dst. M0 and EXEC cannot hold
 * memory data. */
static void decode_smem_data(lw_decoder *d, unsigned code)
{
    const lw_op_row *row = d->in.row;
    lw_opnd o = { 0 };
    lw_decode_sreg(d, &o, row->dst, code);
    lw_decode_require(d, row->dst.dwords > 2 || (o.reg != LW_SGPR_M0 && o.reg < LW_SGPR_EXEC));
    if (row->kind == LW_SM_LOAD || (row->kind == LW_SM_ATOMIC && d->in.glc))
        d->in.dst = o;
    if (row->kind != LW_SM_LOAD)
        d->in.src[2] = o;
    if (row->kind == LW_SM_ATOMIC && row->bytes * 2u == row->dst.dwords * 4u)
        d->in.dst.dwords = (uint8_t)(row->dst.dwords / 2); /* compare and swap returns only the old value */
}

void lw_decode_smem(lw_decoder *d)
{
    enum { LENGTHS = 32, RESOURCE = 4 };
    const lw_op_row *row = d->in.row;
    const unsigned data = lw_decode_field(d, LW_FIELD_SDST);
    const bool bits = d->traits->smem_always_offset &&
                      (lw_decode_field(d, LW_FIELD_GLC) || lw_decode_field(d, LW_FIELD_DLC));
    lw_decode_require(d, !bits || row->kind == LW_SM_LOAD);
    switch ((lw_smem_kind)row->kind) {
    case LW_SM_INV:
    case LW_SM_INV_L1:
    case LW_SM_WB:
        lw_decode_require(d, !lw_decode_field(d, LW_FIELD_OFFSET_EN));
        return;
    case LW_SM_TIME:
        lw_decode_require(d, !lw_decode_field(d, LW_FIELD_OFFSET_EN));
        lw_decode_sreg(d, &d->in.dst, row->dst, data);
        lw_decode_require(d, d->in.dst.reg < LW_SGPR_EXEC);
        return;
    case LW_SM_PROBE:
    case LW_SM_PREFETCH:
        d->in.imm = data;
        lw_decode_require(d, !d->traits->temporal_hints || data < LENGTHS);
        break;
    case LW_SM_DISCARD:
        break;
    case LW_SM_LOAD:
    case LW_SM_STORE:
    case LW_SM_ATOMIC:
        d->in.th = lw_decode_small(d, LW_FIELD_TH);
        d->in.scope = lw_decode_small(d, LW_FIELD_SCOPE);
        d->in.nv = lw_decode_small(d, LW_FIELD_NV);
        d->in.has_scope = d->traits->temporal_hints;
        d->in.scale_offset = lw_decode_small(d, LW_FIELD_SCALE_OFFSET);
        d->in.glc = lw_decode_small(d, LW_FIELD_GLC);
        d->in.dlc = lw_decode_small(d, LW_FIELD_DLC);
        decode_smem_data(d, data);
        break;
    }
    decode_smem_address(d);
    /* there is no buffer below the base */
    lw_decode_require(d, !d->traits->temporal_hints || row->base != RESOURCE || d->in.offset >= 0);
}
