/* SPDX-License-Identifier: MIT */
/* Vector ALU instructions in their 32-bit, VOP3 and VOP3P forms. */
#include "emu/amdgpu/decode/decode.h"

static const lw_op_operand dword = { LW_TYPE_B32, 1, 0 };

static lw_opsel_use opsel_use(const lw_decoder *d)
{
    return (lw_opsel_use)(d->in.mods >> LW_MOD_OPSEL_SHIFT & 7);
}

static void set_mask(lw_decoder *d, lw_opnd *o, unsigned reg)
{
    *o = (lw_opnd){ .kind = LW_OPND_SGPR,
                    .type = LW_TYPE_MASK,
                    .dwords = d->in.mask_dwords,
                    .reg = (uint16_t)reg,
                    .code = (uint16_t)reg };
}

static void decode_result(lw_decoder *d, unsigned code)
{
    const lw_op_operand spec = d->in.row->dst;
    if (d->in.row->enc == LW_ENC_VOPC) {
        lw_decode_sreg(d, &d->in.sdst, lw_decode_mask(d), code);
        const bool exec = d->in.row->flags & LW_OPF_W_EXEC && d->traits->cmpx_exec_only;
        lw_decode_require(d, !exec || d->in.sdst.reg == LW_SGPR_EXEC);
    } else if (spec.type == LW_TYPE_NONE) {
        lw_decode_require(d, code == 0);
    } else if (spec.reg == LW_REG_SCALAR) {
        lw_decode_sreg(d, &d->in.dst, spec, code);
        const bool through = d->in.row->src[0].reg == LW_REG_SCALAR; /* v_s_exp_f32 and the like */
        const bool exec = d->in.dst.reg == LW_SGPR_EXEC || d->in.dst.reg == LW_SGPR_EXEC + 1;
        lw_decode_require(d, through ? !exec : d->in.dst.reg != LW_SGPR_M0);
    } else {
        lw_decode_vreg(d, &d->in.dst, spec, code, spec.reg == LW_REG_ACC);
    }
}

static void decode_source(lw_decoder *d, unsigned i, unsigned code)
{
    lw_op_operand spec = d->in.row->src[i];
    if (spec.type == LW_TYPE_NONE)
        return;
    /* LLVM treats the mask of class_f16 as a number; the bits are the same */
    const bool mask = d->in.row->enc == LW_ENC_VOPC && spec.type == LW_TYPE_U16;
    if (mask && d->in.row->src[0].type == LW_TYPE_F16)
        spec.type = LW_TYPE_F16;
    if (spec.reg == LW_REG_SCALAR)
        lw_decode_ssrc(d, &d->in.src[i], spec, code);
    else if (spec.reg == LW_REG_ACC)
        lw_decode_vreg(d, &d->in.src[i], spec, code & 0xff, true);
    else
        lw_decode_src(d, &d->in.src[i], spec, code);
    /* LLVM 22: of what takes VGPRs only, v_readlane and v_readfirstlane take it */
    const bool direct =
        code == LW_CODE_LDS_DIRECT && !d->traits->literal64 && d->in.row->dst.reg == LW_REG_SCALAR;
    const bool vector = code >= LW_CODE_VGPR0 || direct;
    const bool any = spec.reg != LW_REG_VECTOR && spec.reg != LW_REG_ACC && spec.type != LW_TYPE_WIDE;
    lw_decode_require(d, any || vector);
}

/* VCC as the carry-in or carry-out of the 32-bit forms. */
static void set_implicit_masks(lw_decoder *d)
{
    const bool exec = d->in.row->flags & LW_OPF_W_EXEC && d->traits->cmpx_exec_only;
    if (d->in.row->enc == LW_ENC_VOPC || d->in.row->flags & LW_OPF_CARRY_OUT)
        set_mask(d, &d->in.sdst, exec ? LW_SGPR_EXEC : LW_SGPR_VCC);
    if (d->in.row->flags & LW_OPF_CARRY_IN)
        set_mask(d, &d->in.src[2], LW_SGPR_VCC);
}

/* The literal of madmk (between the sources) or madak (after them). */
static void decode_k(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    if (!(d->in.mods & (LW_MOD_K1 | LW_MOD_K2)))
        return;
    const unsigned at = d->in.mods & LW_MOD_K1 ? 1 : 2;
    d->in.src[2] = d->in.src[1];
    lw_decode_src(d, &d->in.src[at], row->src[1],
                  row->src[1].dwords > 1 ? LW_CODE_LITERAL64 : LW_CODE_LITERAL);
    d->in.src[at].flags = LW_OPND_F_K;
}

void lw_decode_vop(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    const unsigned src0 = lw_decode_field(d, LW_FIELD_SRC0);
    if (row->enc != LW_ENC_VOPC)
        decode_result(d, lw_decode_field(d, LW_FIELD_VDST));
    if (row->src[1].type != LW_TYPE_NONE)
        decode_source(d, 1, LW_CODE_VGPR0 + lw_decode_field(d, LW_FIELD_SRC1));
    if (row->src[0].type == LW_TYPE_NONE) {
        lw_decode_nop(d, src0);
    } else if (src0 == LW_CODE_SDWA && d->in.mods & LW_MOD_SDWA) {
        lw_decode_sdwa(d);
    } else if (lw_decode_says_dpp(d, src0)) {
        lw_decode_dpp(d, src0);
    } else {
        decode_source(d, 0, src0);
        decode_k(d);
    }
    if (d->in.sdst.kind == LW_OPND_NONE)
        set_implicit_masks(d);
}

bool lw_decode_has_halves(const lw_amdgpu_traits *traits, const lw_op_row *row)
{
    bool any = lw_decode_is_half((lw_type)row->dst.type);
    for (unsigned i = 0; i < 3; i++)
        any = any || lw_decode_is_half((lw_type)row->src[i].type);
    return traits->true16 && any;
}

/* Bits of op_sel that the operands accept. LLVM 22 also accepts them for 32-bit operands, which have no
 * halves. */
unsigned lw_decode_opsel_bits(const lw_op_row *row)
{
    unsigned bits = row->enc == LW_ENC_VOPC || row->dst.type == LW_TYPE_NONE ? 0 : 8;
    for (unsigned i = 0; i < 3; i++)
        bits |= row->src[i].type != LW_TYPE_NONE ? 1u << i : 0;
    return row->flags & LW_OPF_CARRY_IN ? bits & 11 : bits;
}

typedef struct sign_bits {
    unsigned neg, abs; /* bit i: source i; VOP3P: neg_lo and neg_hi */
} sign_bits;

/* Drops bits without meaning for this row and refuses bits that must be zero. */
static sign_bits check_signs(lw_decoder *d, unsigned neg, unsigned abs)
{
    const uint32_t mods = d->in.mods;
    const unsigned negs = mods / LW_MOD_NEG & 7, abses = mods / LW_MOD_ABS & 7;
    /* LLVM 22: for integers that are halves of registers, the bits are allowed without meaning */
    const bool halves = !negs && d->in.row->enc != LW_ENC_VOP1 && lw_decode_has_halves(d->traits, d->in.row);
    const unsigned ignored = halves ? lw_decode_opsel_bits(d->in.row) & 7 : mods / LW_MOD_IGN & 7;
    lw_decode_require(d, !(neg & ~(negs | ignored)) && !(abs & ~(abses | ignored)));
    return (sign_bits){ neg & negs, abs & abses };
}

static void choose_half(lw_opnd *o, unsigned op_sel, unsigned bit)
{
    if (lw_decode_is_half((lw_type)o->type) && op_sel >> bit & 1)
        o->sel = LW_SEL_WORD_1;
}

/* Bits 3:2 choose the byte of the result and bit 0 the half of a 16-bit source, or 1:0 choose the byte of the
 * source and bit 3 the half of a 16-bit result. */
static unsigned byte_sel_bits(const lw_op_row *row)
{
    if (row->part == LW_PART_BYTE)
        return lw_decode_is_half((lw_type)row->src[0].type) ? 13 : 12;
    return lw_decode_is_half((lw_type)row->dst.type) ? 11 : 3;
}

/* VOP3 op_sel: bits 0 to 2 for the sources, bit 3 for the result. */
static void check_opsel(lw_decoder *d)
{
    enum { SOURCE2 = 4 };
    const bool scalar = d->in.row->src[0].reg == LW_REG_SCALAR; /* v_s_log_f16 and the like have no halves */
    if (d->in.mods & LW_MOD_SCALE_SEL)
        return;
    if (!scalar && opsel_use(d) != LW_OPSEL_BYTE_SEL && lw_decode_has_halves(d->traits, d->in.row)) {
        lw_decode_require(d, !(d->in.op_sel & ~lw_decode_opsel_bits(d->in.row)));
        const bool dot = d->in.row->src[2].type != LW_TYPE_NONE;
        for (unsigned i = 0; i < 2 && dot; i++) /* no meaning for pairs; LLVM 22 drops it in dot products */
            if (d->in.src[i].type == LW_TYPE_V2F16 || d->in.src[i].type == LW_TYPE_V2BF16)
                d->in.op_sel &= (uint8_t) ~(1u << i);
        return;
    }
    switch (opsel_use(d)) {
    case LW_OPSEL_BOUND_FI:
        lw_decode_require(d, d->in.row->src[1].reg != LW_REG_VECTOR || !(d->in.op_sel & SOURCE2));
        d->in.op_sel &= 3; /* LLVM 22 ignores the others */
        return;
    case LW_OPSEL_BYTE_SEL:
        lw_decode_require(d, !(d->in.op_sel & ~byte_sel_bits(d->in.row)));
        return;
    case LW_OPSEL_ALL:
    case LW_OPSEL_BYTES:
        return;
    case LW_OPSEL_TWO:
        lw_decode_require(d, !(d->in.op_sel & SOURCE2));
        return;
    case LW_OPSEL_NONE:
        lw_decode_require(d, !d->in.op_sel);
        return;
    case LW_OPSEL_NOT2:
        lw_decode_require(d, !(d->in.op_sel & SOURCE2));
        break;
    case LW_OPSEL_IGNORED:
        break;
    }
    d->in.op_sel = 0;
}

static void decode_vop3_modifiers(lw_decoder *d)
{
    const uint32_t mods = d->in.mods, negs = lw_decode_field(d, LW_FIELD_NEG);
    const uint32_t abses = lw_decode_field(d, LW_FIELD_ABS), omod = lw_decode_field(d, LW_FIELD_OMOD);
    const bool has_sdst = d->in.row->flags & LW_OPF_CARRY_OUT;
    d->in.clamp = lw_decode_small(d, LW_FIELD_CLAMP);
    lw_decode_require(d, mods & LW_MOD_CLAMP || !d->in.clamp);
    if (!has_sdst) {
        d->in.op_sel = lw_decode_small(d, LW_FIELD_OPSEL);
        check_opsel(d);
        for (unsigned i = 0; i < 3 && opsel_use(d) < LW_OPSEL_BYTES; i++)
            choose_half(&d->in.src[i], d->in.op_sel, i);
        if (opsel_use(d) == LW_OPSEL_BYTE_SEL && d->in.row->part == LW_PART_BYTE)
            choose_half(&d->in.src[0], d->in.op_sel, 0);
        choose_half(&d->in.dst, d->in.op_sel, 3);
    }
    if (mods & LW_MOD_BITOP3) {
        d->in.imm = negs | abses << 3 | omod << 6;
        return;
    }
    const sign_bits signs = check_signs(d, negs, has_sdst ? 0 : abses);
    for (unsigned i = 0; i < 3; i++) {
        d->in.src[i].neg = signs.neg >> i & 1;
        d->in.src[i].abs = signs.abs >> i & 1;
    }
    d->in.omod = (uint8_t)omod;
    lw_decode_require(d, mods & LW_MOD_OMOD || !d->in.omod);
}

static void decode_vop3_sources(lw_decoder *d)
{
    static const lw_field fields[3] = { LW_FIELD_SRC0, LW_FIELD_SRC1, LW_FIELD_SRC2 };
    const unsigned src0 = lw_decode_field(d, LW_FIELD_SRC0);
    const bool dpp = d->traits->dpp_all && lw_decode_says_dpp(d, src0);
    if (dpp) {
        const bool vector = lw_decode_field(d, LW_FIELD_SRC1) >= LW_CODE_VGPR0;
        lw_decode_dpp(d, src0);
        const bool dot = d->in.row->enc == LW_ENC_VOP3P && d->in.row->src[1].type == LW_TYPE_B32;
        const bool both = vector && lw_decode_field(d, LW_FIELD_SRC2) >= LW_CODE_VGPR0;
        lw_decode_require(d, vector || !(d->in.mods & LW_MOD_MIX));
        lw_decode_require(d, both || !dot);
    }
    for (unsigned i = dpp ? 1 : 0; i < 3; i++)
        decode_source(d, i, lw_decode_field(d, fields[i]));
}

void lw_decode_vop3(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    decode_result(d, lw_decode_field(d, LW_FIELD_VDST));
    if (row->flags & LW_OPF_CARRY_OUT)
        lw_decode_sreg(d, &d->in.sdst, lw_decode_mask(d), lw_decode_field(d, LW_FIELD_SDST));
    decode_vop3_sources(d);
    if (row->flags & LW_OPF_CARRY_IN) {
        const unsigned code = lw_decode_field(d, LW_FIELD_SRC2);
        lw_decode_require(d, code < LW_CODE_INT_0);
        lw_decode_src(d, &d->in.src[2], lw_decode_mask(d), code);
    }
    decode_vop3_modifiers(d);
}

/* Modifiers of two-element and mixed operands. */
static void set_pairs(lw_decoder *d, sign_bits signs)
{
    const bool mixed = d->in.mods & LW_MOD_MIX;
    for (unsigned i = 0; i < 3; i++) {
        lw_opnd *o = &d->in.src[i];
        const unsigned high = signs.abs >> i & 1;
        o->pick = (uint8_t)((d->in.op_sel >> i & 1) | (d->in.op_sel_hi >> i & 1) << 1);
        o->neg = (uint8_t)((signs.neg >> i & 1) | (mixed ? 0 : high << 1));
        o->abs = (uint8_t)(mixed ? high : 0);
        if (mixed && o->pick == 3)
            o->sel = LW_SEL_WORD_1;
    }
}

void lw_decode_vop3p(lw_decoder *d)
{
    if (d->in.row->insn) {
        lw_decode_wmma(d);
        return;
    }
    if (d->in.mods & LW_MOD_LD_SCALE) {
        lw_decode_ld_scale(d);
        return;
    }
    decode_result(d, lw_decode_field(d, LW_FIELD_VDST));
    decode_vop3_sources(d);
    d->in.clamp = lw_decode_small(d, LW_FIELD_CLAMP);
    lw_decode_require(d, d->in.mods & LW_MOD_CLAMP || !d->in.clamp);
    d->in.op_sel = lw_decode_small(d, LW_FIELD_OPSEL);
    d->in.op_sel_hi =
        (uint8_t)(lw_decode_field(d, LW_FIELD_OPSEL_HI) | lw_decode_field(d, LW_FIELD_OPSEL_HI2) << 2);
    check_opsel(d);
    if (opsel_use(d) == LW_OPSEL_TWO)
        d->in.op_sel_hi &= 3;
    /* dots of 8-bit floats have all of op_sel_hi set, like matrix instructions; for integers it has no
     * meaning */
    const bool floats = d->in.row->dst.type == LW_TYPE_F32 && d->traits->opsel_hi_ones;
    lw_decode_require(d, opsel_use(d) != LW_OPSEL_NONE || !floats || d->in.op_sel_hi == 7);
    if (opsel_use(d) == LW_OPSEL_NONE)
        d->in.op_sel_hi = 7;
    set_pairs(d, check_signs(d, lw_decode_field(d, LW_FIELD_NEG), lw_decode_field(d, LW_FIELD_ABS)));
}

/* Registers of A or B in f8f6f4: 8 for 8-bit formats, 6 for 6-bit, 4 for FP4 (AMD CDNA4 ISA manual, 7.2). */
static unsigned f8f6f4_registers(unsigned format)
{
    static const uint8_t registers[8] = { 8, 8, 6, 6, 4 };
    return registers[format];
}

static void decode_mai_operand(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned code, bool acc)
{
    const bool vector = code >= LW_CODE_VGPR0;
    switch ((lw_reg_class)spec.reg) {
    case LW_REG_ACC:
        lw_decode_require(d, vector);
        lw_decode_vreg(d, o, spec, code & 0xff, true);
        return;
    case LW_REG_VECTOR:
    case LW_REG_AV:
        lw_decode_require(d, vector);
        lw_decode_vreg(d, o, spec, code & 0xff, acc && spec.reg == LW_REG_AV);
        return;
    case LW_REG_AV_SRC:
        if (vector)
            lw_decode_vreg(d, o, spec, code & 0xff, acc);
        else
            lw_decode_src(d, o, spec, code);
        lw_decode_require(d, vector || o->kind == LW_OPND_INLINE);
        return;
    case LW_REG_DEFAULT:
    case LW_REG_SCALAR:
    case LW_REG_SGPR:
    case LW_REG_SRC:
    case LW_REG_IMM:
        lw_decode_src(d, o, spec, code);
        return;
    }
}

/* Scale sources and their selectors; the second half is in words 2 and 3. */
static void decode_scales(lw_decoder *d)
{
    const uint32_t w0 = d->words[0], w1 = d->words[1];
    const bool scaled = d->in.mods & LW_MOD_SCALED;
    /* before a matrix instruction AMD's assembler sets bits 14:13, which LLVM 22 ignores there */
    lw_decode_require(d, !(w0 & (scaled ? 0x84ff : 0xa4ff)) && !(w1 >> 31));
    lw_opnd *at = scaled ? &d->in.scale[0] : &d->in.src[0];
    lw_decode_src(d, &at[0], dword, lw_decode_field(d, LW_FIELD_SRC0));
    lw_decode_src(d, &at[1], dword, lw_decode_field(d, LW_FIELD_SRC1));
    lw_decode_require(d, !scaled || (at[0].kind == LW_OPND_VGPR && at[1].kind == LW_OPND_VGPR));
    d->in.op_sel = lw_decode_small(d, LW_FIELD_OPSEL);
    d->in.op_sel_hi = lw_decode_small(d, LW_FIELD_OPSEL_HI);
}

void lw_decode_mai(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    const lw_encoding *e = d->encoding;
    const uint32_t *w = row->mods & LW_MOD_SCALED ? d->words + 2 : d->words;
    if (row->mods & (LW_MOD_SCALED | LW_MOD_LD_SCALE))
        decode_scales(d);
    if (row->mods & LW_MOD_LD_SCALE)
        return;

    const bool beside = d->traits->agprs_beside; /* C and D are always accumulation registers */
    const bool acc_cd = beside || lw_encoding_get(e, w, LW_FIELD_ACC_CD),
               matrix = row->src[1].type != LW_TYPE_NONE;
    lw_op_operand spec[3] = { row->src[0], row->src[1], row->src[2] };
    d->in.cbsz = (uint8_t)lw_encoding_get(e, w, LW_FIELD_CBSZ);
    d->in.abid = (uint8_t)lw_encoding_get(e, w, LW_FIELD_ABID);
    d->in.blgp = (uint8_t)lw_encoding_get(e, w, LW_FIELD_BLGP);
    if (row->mods & LW_MOD_F8F6F4) {
        spec[0].dwords = (uint8_t)f8f6f4_registers(d->in.cbsz);
        spec[1].dwords = (uint8_t)f8f6f4_registers(d->in.blgp);
        lw_decode_require(d, spec[0].dwords && spec[1].dwords);
        lw_decode_require(d, d->in.abid == (row->mods & LW_MOD_SCALED ? 1 : 0));
        d->in.abid = 0;
    }
    lw_decode_require(d, !(row->mods & LW_MOD_SPARSE) || !d->in.blgp);
    lw_decode_require(
        d, matrix || (!d->in.cbsz && !(d->in.abid & 7) && !d->in.blgp)); /* moves of accumulation registers */
    d->in.abid = matrix ? d->in.abid : 0;
    lw_decode_vreg(d, &d->in.dst, row->dst, lw_encoding_get(e, w, LW_FIELD_VDST),
                   matrix ? acc_cd : row->dst.reg == LW_REG_ACC);
    for (unsigned i = 0; i < 3 && spec[i].type != LW_TYPE_NONE; i++) {
        static const lw_field sources[] = { LW_FIELD_SRC0, LW_FIELD_SRC1, LW_FIELD_SRC2 };
        static const lw_field files[] = { LW_FIELD_ACC_A, LW_FIELD_ACC_B, LW_FIELD_ACC_CD };
        decode_mai_operand(d, &d->in.src[i], spec[i], lw_encoding_get(e, w, sources[i]),
                           i == 2 ? acc_cd : lw_encoding_get(e, w, files[i]));
        lw_decode_require(d, !(beside && matrix && i == 2) || d->in.src[i].kind == LW_OPND_AGPR);
    }
}
