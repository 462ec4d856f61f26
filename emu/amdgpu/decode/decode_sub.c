/* SPDX-License-Identifier: MIT */
/* The sub-encodings of VOP1, VOP2 and VOPC: SDWA and DPP take a second dword (AMD CDNA3 ISA manual, 13.3). */
#include "emu/amdgpu/decode/decode.h"

enum { SEL_RESERVED = 7, SEL_DWORD = 6, UNUSED_RESERVED = 3 };

static bool is_float(unsigned type)
{
    return type == LW_TYPE_F16 || type == LW_TYPE_BF16 || type == LW_TYPE_V2F16 || type == LW_TYPE_F32 ||
           type == LW_TYPE_F64;
}

static bool next_word(lw_decoder *d, uint32_t *w)
{
    if (d->count < 2) {
        lw_decode_refuse(d, LW_E_TRUNCATED);
        return false;
    }
    *w = d->words[1];
    d->used = 2;
    d->no_literal = true;
    return true;
}

/* One source's byte of the SDWA word: sel, sext, neg, abs, a hole, and whether the operand is scalar. */
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
    const bool floats = row->mods >> i & LW_MOD_NEG, pair = row->src[i].type == LW_TYPE_V2F16;
    lw_decode_require(d, sel != SEL_RESERVED);
    lw_decode_require(d, floats ? !sext : !neg && !abs);
    lw_op_operand spec = row->src[i];
    if (row->enc == LW_ENC_VOPC && row->src[0].type == LW_TYPE_F16 && spec.type == LW_TYPE_U16)
        spec.type =
            LW_TYPE_F16; /* LLVM takes the mask of class_f16 for a number here; the bits are the same */
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

static void decode_sdwa_result(lw_decoder *d, uint32_t w)
{
    const lw_op_row *row = d->in.row;
    if (row->enc == LW_ENC_VOPC) {
        if (lw_bits(w, 15, 1))
            lw_decode_sreg(d, &d->in.sdst, (lw_op_operand){ LW_TYPE_B64, 2, 0 }, lw_bits(w, 8, 7));
        return;
    }
    d->in.sdwa_dst_sel = (uint8_t)lw_bits(w, 8, 3);
    d->in.sdwa_dst_unused = (uint8_t)lw_bits(w, 11, 2);
    d->in.clamp = (uint8_t)lw_bits(w, 13, 1);
    d->in.omod = (uint8_t)lw_bits(w, 14, 2);
    /* the fp8 conversions write whole registers */
    const bool whole = row->mods & LW_MOD_SDWA_WHOLE;
    lw_decode_require(d, whole ? d->in.sdwa_dst_sel == SEL_DWORD : d->in.sdwa_dst_sel != SEL_RESERVED);
    lw_decode_require(d, whole || d->in.sdwa_dst_unused != UNUSED_RESERVED);
    if (whole)
        d->in.sdwa_dst_unused = 0;
    lw_decode_require(d, !d->in.omod || (row->mods & LW_MOD_OMOD && (is_float(row->dst.type) || whole)));
}

void lw_decode_sdwa(lw_decoder *d)
{
    uint32_t w = 0;
    lw_decode_require(d, d->in.row->mods & LW_MOD_SDWA);
    if (d->status != LW_OK || !next_word(d, &w))
        return;
    d->in.sub = LW_SUB_SDWA;
    decode_sdwa_result(d, w);
    decode_sdwa_source(d, 0, lw_bits(w, 16, 8), lw_bits(w, 0, 8));
    decode_sdwa_source(d, 1, lw_bits(w, 24, 8), lw_bits(d->words[0], 9, 8));
}

/* DPP_CTRL values that exist on gfx90a and later gfx9 (AMD CDNA3 ISA manual, 13.3.9; LLVM
 * AMDGPUModifierSyntax). */
static bool control_exists(unsigned ctrl)
{
    if (ctrl < 0x100)
        return true;
    const unsigned n = ctrl & 15;
    switch (ctrl >> 4) {
    case 0x10: /* row_shl */
    case 0x11: /* row_shr */
    case 0x12: /* row_ror */
        return n != 0;
    case 0x13: /* wave_shl, wave_rol, wave_shr, wave_ror by 1 */
        return n % 4 == 0;
    case 0x14: /* row_mirror, row_half_mirror, row_bcast:15, row_bcast:31 */
        return n < 4;
    case 0x15: /* row_newbcast */
        return true;
    default:
        return false;
    }
}

static void decode_dpp_lanes(lw_decoder *d, uint32_t w)
{
    d->in.dpp_ctrl = (uint16_t)lw_bits(w, 8, 9);
    d->in.dpp_bound_ctrl = (uint8_t)lw_bits(w, 19, 1);
    d->in.dpp_bank_mask = (uint8_t)lw_bits(w, 24, 4);
    d->in.dpp_row_mask = (uint8_t)lw_bits(w, 28, 4);
}

/* v_nop in DPP or SDWA form: 8 bytes where the second dword fits the form, else 4 (as LLVM 22 reads it). */
void lw_decode_nop(lw_decoder *d, unsigned src0)
{
    if (!(d->in.row->mods & LW_MOD_DPP) || d->count < 2)
        return;
    const uint32_t w = d->words[1];
    if (src0 == LW_CODE_SDWA && w == 0)
        d->used = 2;
    if (src0 != LW_CODE_DPP || lw_bits(w, 20, 4))
        return;
    d->used = 2;
    d->in.sub = LW_SUB_DPP;
    decode_dpp_lanes(d, w);
    lw_decode_require(d, control_exists(d->in.dpp_ctrl));
}

void lw_decode_dpp(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    uint32_t w = 0;
    lw_decode_require(d, row->mods & LW_MOD_DPP);
    if (d->status != LW_OK || !next_word(d, &w))
        return;
    d->in.sub = LW_SUB_DPP;
    lw_decode_vreg(d, &d->in.src[0], row->src[0], lw_bits(w, 0, 8), false);
    decode_dpp_lanes(d, w);
    const bool wide = row->dst.dwords > 1 || row->src[0].dwords > 1;
    lw_decode_require(d, wide ? d->in.dpp_ctrl >> 4 == 0x15 : control_exists(d->in.dpp_ctrl));

    for (unsigned i = 0; i < 2; i++) {
        const bool floats = row->mods >> i & LW_MOD_NEG, ignored = row->mods >> i & LW_MOD_IGN;
        const unsigned neg = lw_bits(w, 20 + 2 * i, 1), abs = lw_bits(w, 21 + 2 * i, 1);
        lw_decode_require(d, floats || ignored || !(neg | abs));
        d->in.src[i].neg = floats && neg;
        d->in.src[i].abs = floats && abs;
    }
}
