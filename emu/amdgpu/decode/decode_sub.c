/* SPDX-License-Identifier: MIT */
/* The sub-encodings of VOP1, VOP2 and VOPC: SDWA and DPP take a second dword (AMD CDNA3 ISA manual, 13.3). */
#include "emu/amdgpu/decode/decode.h"

enum { SEL_RESERVED = 7, SEL_DWORD = 6, UNUSED_RESERVED = 3 };

static bool is_float(unsigned type)
{
    return type == LW_TYPE_F16 || type == LW_TYPE_BF16 || type == LW_TYPE_V2F16 || type == LW_TYPE_F32 ||
           type == LW_TYPE_F64;
}

/* From here on, fields are those of the sub-encoding. */
static bool next_word(lw_decoder *d, unsigned enc)
{
    if (d->count < 2) {
        lw_decode_refuse(d, LW_E_TRUNCATED);
        return false;
    }
    d->encoding = lw_encoding_of(d->traits->encodings, enc);
    d->used = 2;
    d->no_literal = true;
    return true;
}

/* One source's byte of the SDWA word: sel, sext, neg, abs, an unused bit, and whether the operand is
 * scalar. */
static void decode_sdwa_source(lw_decoder *d, unsigned i, unsigned field, unsigned reg)
{
    static const uint8_t sels[8] = { LW_SEL_BYTE_0, LW_SEL_BYTE_1, LW_SEL_BYTE_2, LW_SEL_BYTE_3,
                                     LW_SEL_WORD_0, LW_SEL_WORD_1, LW_SEL_ALL };
    const lw_op_row *row = d->in.row;
    const unsigned sel = field & 7, sext = field >> 3 & 1, neg = field >> 4 & 1, abs = field >> 5 & 1;
    const bool scalar = field >> 7;
    if (row->src[i].type == LW_TYPE_NONE) {
        lw_decode_require(d, !(field & 0xbf));
        return;
    }
    const bool floats = d->in.mods >> i & LW_MOD_NEG, pair = row->src[i].type == LW_TYPE_V2F16;
    lw_decode_require(d, sel != SEL_RESERVED);
    lw_decode_require(d, floats ? !sext : !neg && !abs);
    lw_op_operand spec = row->src[i];
    if (row->enc == LW_ENC_VOPC && row->src[0].type == LW_TYPE_F16 && spec.type == LW_TYPE_U16)
        spec.type =
            LW_TYPE_F16; /* LLVM treats the mask of class_f16 as a number here; the bits are the same */
    if (scalar)
        lw_decode_src(d, &d->in.src[i], spec, reg);
    else
        lw_decode_vreg(d, &d->in.src[i], spec, reg, false);
    lw_opnd *o = &d->in.src[i];
    o->sel = sels[sel];
    o->flags |= sext ? LW_OPND_F_SEXT : 0;
    o->neg = floats && !pair && neg;
    o->abs = floats && !pair && abs;
}

static void decode_sdwa_result(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    if (row->enc == LW_ENC_VOPC) {
        if (lw_decode_field(d, LW_FIELD_SDST_EN))
            lw_decode_sreg(d, &d->in.sdst, lw_decode_mask(d), lw_decode_field(d, LW_FIELD_SDST));
        return;
    }
    d->in.sdwa_dst_sel = lw_decode_small(d, LW_FIELD_DST_SEL);
    d->in.sdwa_dst_unused = lw_decode_small(d, LW_FIELD_DST_UNUSED);
    d->in.clamp = lw_decode_small(d, LW_FIELD_CLAMP);
    d->in.omod = lw_decode_small(d, LW_FIELD_OMOD);
    /* the fp8 conversions write whole registers */
    const bool whole = d->in.mods & LW_MOD_SDWA_WHOLE;
    lw_decode_require(d, whole ? d->in.sdwa_dst_sel == SEL_DWORD : d->in.sdwa_dst_sel != SEL_RESERVED);
    lw_decode_require(d, whole || d->in.sdwa_dst_unused != UNUSED_RESERVED);
    if (whole)
        d->in.sdwa_dst_unused = 0;
    lw_decode_require(d, !d->in.omod || (d->in.mods & LW_MOD_OMOD && (is_float(row->dst.type) || whole)));
}

void lw_decode_sdwa(lw_decoder *d)
{
    const unsigned src1 = lw_decode_field(d, LW_FIELD_SRC1);
    if (d->status != LW_OK || !next_word(d, LW_ENC_SDWA))
        return;
    d->in.sub = LW_SUB_SDWA;
    decode_sdwa_result(d);
    decode_sdwa_source(d, 0, lw_decode_field(d, LW_FIELD_PART0), lw_decode_field(d, LW_FIELD_SRC0));
    decode_sdwa_source(d, 1, lw_decode_field(d, LW_FIELD_PART1), src1);
}

/* DPP_CTRL values that exist on gfx90a and later gfx9, and on gfx11 (AMD CDNA3 ISA manual, 13.3.9; RDNA3 ISA
 * manual, "DPP_CTRL"; LLVM AMDGPUModifierSyntax). */
static bool control_exists(const lw_decoder *d, unsigned ctrl)
{
    const unsigned n = ctrl & 15;
    const bool rows_only = d->traits->dpp_all;
    if (ctrl < 0x100)
        return true;
    switch (ctrl >> 4) {
    case 0x10: /* row_shl */
    case 0x11: /* row_shr */
    case 0x12: /* row_ror */
        return n != 0;
    case 0x13: /* wave_shl, wave_rol, wave_shr, wave_ror by 1 */
        return n % 4 == 0 && !rows_only;
    case 0x14: /* row_mirror, row_half_mirror, row_bcast:15, row_bcast:31 */
        return n < (rows_only ? 2 : 4);
    case 0x15: /* row_newbcast, row_share */
        return !d->traits->dpp_no_newbcast;
    case 0x16: /* row_xmask */
        return rows_only;
    default:
        return false;
    }
}

bool lw_decode_takes_dpp(const lw_amdgpu_traits *traits, const lw_op_row *row, uint32_t mods)
{
    const uint32_t never = LW_MOD_NO_DPP | LW_MOD_K1 | LW_MOD_K2;
    bool wide = row->dst.dwords > 1 && row->enc != LW_ENC_VOPC;
    for (unsigned i = 0; i < 3; i++)
        wide = wide || row->src[i].dwords > 1;
    if (mods & LW_MOD_DPP || !traits->dpp_all)
        return mods & LW_MOD_DPP && !(traits->dpp_all && (wide || mods & never));
    const bool vector = row->dst.reg != LW_REG_SCALAR || row->enc == LW_ENC_VOPC;
    const bool lanes = row->flags & (LW_OPF_SWAP | LW_OPF_ONE_LANE) || row->enc == LW_ENC_VOP3P;
    return !wide && vector && !lanes && !(mods & never) && row->src[0].type != LW_TYPE_NONE;
}

bool lw_decode_shares(const lw_decoder *d)
{
    return d->traits->dpp_share && lw_op_shares(d->in.row, d->arch);
}

bool lw_decode_says_dpp(const lw_decoder *d, unsigned src0)
{
    const bool eight = d->traits->dpp_all && (src0 == LW_CODE_DPP8 || src0 == LW_CODE_DPP8_FETCH);
    return d->in.mods & LW_MOD_DPP && (src0 == LW_CODE_DPP || eight);
}

/* A field of the DPP dword, which is the last dword so far. */
static unsigned dpp_field(const lw_decoder *d, lw_field field)
{
    const lw_encoding *e = lw_encoding_of(d->traits->encodings, d->in.dpp8 ? LW_ENC_DPP8 : LW_ENC_DPP);
    return lw_encoding_get(e, d->words + d->used - 2, field);
}

static void decode_dpp_lanes(lw_decoder *d)
{
    const unsigned ctrl = dpp_field(d, LW_FIELD_DPP_CTRL);
    d->in.sub = LW_SUB_DPP;
    if (d->in.dpp8) {
        d->in.dpp_lanes = ctrl;
        d->in.dpp_bound_ctrl = 1;
        d->in.dpp_row_mask = d->in.dpp_bank_mask = 15;
        return;
    }
    d->in.dpp_ctrl = (uint16_t)ctrl;
    d->in.dpp_bound_ctrl = (uint8_t)dpp_field(d, LW_FIELD_BOUND_CTRL);
    d->in.dpp_fetch_inactive = (uint8_t)dpp_field(d, LW_FIELD_FETCH_INACTIVE);
    d->in.dpp_bank_mask = (uint8_t)dpp_field(d, LW_FIELD_BANK_MASK);
    d->in.dpp_row_mask = (uint8_t)dpp_field(d, LW_FIELD_ROW_MASK);
    lw_decode_require(d, control_exists(d, d->in.dpp_ctrl));
}

/* v_nop in DPP or SDWA form: on gfx9, 8 bytes if the second dword is valid for the form, otherwise 4 (as in
 * LLVM 22). */
void lw_decode_nop(lw_decoder *d, unsigned src0)
{
    if (!(d->in.mods & LW_MOD_DPP) || d->traits->dpp_all || d->count < 2)
        return;
    if (src0 == LW_CODE_SDWA && d->words[1] == 0)
        d->used = 2;
    if (src0 != LW_CODE_DPP)
        return;
    d->used = 2;
    if (dpp_field(d, LW_FIELD_SIGNS))
        d->used = 1;
    else
        decode_dpp_lanes(d);
}

/* Signs of the 32-bit forms; VOP3 has separate sign bits. */
static void decode_dpp_signs(lw_decoder *d)
{
    const uint32_t signs = dpp_field(d, LW_FIELD_SIGNS);
    /* for integers that are halves of registers: as in VOP3 */
    const bool halves = !(d->in.mods / LW_MOD_NEG & 7) && lw_decode_has_halves(d->traits, d->in.row);
    for (unsigned i = 0; i < 2; i++) {
        const bool floats = d->in.mods >> i & LW_MOD_NEG, there = d->in.row->src[i].type != LW_TYPE_NONE;
        const bool ignored = (halves && there) || d->in.mods >> i & LW_MOD_IGN;
        const unsigned neg = signs >> (2 * i) & 1, abs = signs >> (2 * i + 1) & 1;
        lw_decode_require(d, floats || ignored || !(neg | abs));
        d->in.src[i].neg = floats && neg;
        d->in.src[i].abs = floats && abs;
    }
}

/* Source 0 is a register named in the DPP dword. */
void lw_decode_dpp(lw_decoder *d, unsigned src0)
{
    const lw_op_row *row = d->in.row;
    if (d->status != LW_OK)
        return;
    if (d->count <= d->used) {
        lw_decode_refuse(d, LW_E_TRUNCATED);
        return;
    }
    d->used++;
    d->no_literal = true;
    d->in.dpp8 = src0 != LW_CODE_DPP;
    decode_dpp_lanes(d);
    if (src0 == LW_CODE_DPP8_FETCH)
        d->in.dpp_fetch_inactive = 1;
    lw_decode_vreg(d, &d->in.src[0], row->src[0], dpp_field(d, LW_FIELD_SRC0), false);
    const bool wide = row->dst.dwords > 1 || row->src[0].dwords > 1;
    const bool one_lane = d->in.dpp_ctrl >> 4 == 0x15; /* row_newbcast, row_share */
    lw_decode_require(d, one_lane || (!wide && !lw_decode_shares(d)) || row->enc == LW_ENC_VOPC);
    if (!d->in.dpp8 && d->in.enc != LW_ENC_VOP3 && d->in.enc != LW_ENC_VOP3P)
        decode_dpp_signs(d);
}
