/* SPDX-License-Identifier: MIT */
/* Vector ALU instructions in their 32-bit, VOP3 and VOP3P forms. */
#include "emu/amdgpu/decode/decode.h"

static const lw_op_operand mask_pair = { LW_TYPE_B64, 2, 0 };
static const lw_op_operand dword = { LW_TYPE_B32, 1, 0 };

static lw_opsel_use opsel_use(const lw_op_row *row)
{
    return (lw_opsel_use)(row->mods >> LW_MOD_OPSEL_SHIFT & 7);
}

static void set_vcc(lw_opnd *o)
{
    *o = (lw_opnd){
        .kind = LW_OPND_SGPR, .type = LW_TYPE_B64, .dwords = 2, .reg = LW_CODE_VCC, .code = LW_CODE_VCC
    };
}

static void decode_result(lw_decoder *d, unsigned code)
{
    const lw_op_operand spec = d->in.row->dst;
    if (d->in.row->enc == LW_ENC_VOPC)
        lw_decode_sreg(d, &d->in.sdst, mask_pair, code);
    else if (spec.type == LW_TYPE_NONE)
        lw_decode_require(d, code == 0);
    else if (spec.reg == LW_REG_SCALAR) {
        lw_decode_sreg(d, &d->in.dst, spec, code);
        lw_decode_require(d, code != LW_CODE_M0);
    } else
        lw_decode_vreg(d, &d->in.dst, spec, code, spec.reg == LW_REG_ACC);
}

static void decode_source(lw_decoder *d, unsigned i, unsigned code)
{
    const lw_op_operand spec = d->in.row->src[i];
    if (spec.type == LW_TYPE_NONE)
        return;
    if (spec.reg == LW_REG_SCALAR)
        lw_decode_ssrc(d, &d->in.src[i], spec, code);
    else if (spec.reg == LW_REG_ACC)
        lw_decode_vreg(d, &d->in.src[i], spec, code & 0xff, true);
    else
        lw_decode_src(d, &d->in.src[i], spec, code);
    const bool direct =
        code == LW_CODE_LDS_DIRECT && spec.reg == LW_REG_VECTOR && !(d->in.row->flags & LW_OPF_SWAP);
    const bool vector = code >= LW_CODE_VGPR0 || direct;
    const bool any = spec.reg != LW_REG_VECTOR && spec.reg != LW_REG_ACC && spec.type != LW_TYPE_WIDE;
    lw_decode_require(d, any || vector);
}

/* VCC as carry-in or carry-out of the 32-bit forms. */
static void set_implicit_masks(lw_decoder *d)
{
    if (d->in.row->enc == LW_ENC_VOPC || d->in.row->flags & LW_OPF_CARRY_OUT)
        set_vcc(&d->in.sdst);
    if (d->in.row->flags & LW_OPF_CARRY_IN)
        set_vcc(&d->in.src[2]);
}

/* The literal between or after the sources of madmk and madak. */
static void decode_k(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    if (!(row->mods & (LW_MOD_K1 | LW_MOD_K2)))
        return;
    const unsigned at = row->mods & LW_MOD_K1 ? 1 : 2;
    d->in.src[2] = d->in.src[1];
    lw_decode_src(d, &d->in.src[at], row->src[1], LW_CODE_LITERAL);
    d->in.src[at].flags = LW_OPND_F_K;
}

void lw_decode_vop(lw_decoder *d)
{
    const uint32_t w = d->words[0];
    const lw_op_row *row = d->in.row;
    const unsigned src0 = lw_bits(w, 0, 9);
    if (row->enc != LW_ENC_VOPC)
        decode_result(d, lw_bits(w, 17, 8));
    if (row->src[1].type != LW_TYPE_NONE)
        decode_source(d, 1, LW_CODE_VGPR0 + lw_bits(w, 9, 8));
    if (row->src[0].type == LW_TYPE_NONE) {
        lw_decode_nop(d, src0);
    } else if (src0 == LW_CODE_SDWA) {
        lw_decode_sdwa(d);
    } else if (src0 == LW_CODE_DPP) {
        lw_decode_dpp(d);
    } else {
        decode_source(d, 0, src0);
        decode_k(d);
    }
    if (d->in.sdst.kind == LW_OPND_NONE)
        set_implicit_masks(d);
}

typedef struct sign_bits {
    unsigned neg, abs; /* bit i: source i; VOP3P: neg_lo and neg_hi */
} sign_bits;

/* Drops what has no meaning for this row and refuses what must be zero. */
static sign_bits check_signs(lw_decoder *d, unsigned neg, unsigned abs)
{
    const uint32_t mods = d->in.row->mods;
    const unsigned negs = mods / LW_MOD_NEG & 7, abses = mods / LW_MOD_ABS & 7;
    const unsigned ignored = mods / LW_MOD_IGN & 7;
    lw_decode_require(d, !(neg & ~(negs | ignored)) && !(abs & ~(abses | ignored)));
    return (sign_bits){ neg & negs, abs & abses };
}

static bool is_half(lw_type type)
{
    return type == LW_TYPE_B16 || type == LW_TYPE_I16 || type == LW_TYPE_U16 || type == LW_TYPE_F16 ||
           type == LW_TYPE_BF16;
}

static void choose_half(lw_opnd *o, unsigned op_sel, unsigned bit)
{
    if (is_half((lw_type)o->type) && op_sel >> bit & 1)
        o->sel = LW_SEL_WORD_1;
}

/* VOP3 op_sel: bits 0 to 2 for the sources, bit 3 for the result. */
static void check_opsel(lw_decoder *d)
{
    enum { SOURCE2 = 4 };
    switch (opsel_use(d->in.row)) {
    case LW_OPSEL_ALL:
    case LW_OPSEL_BYTES:
    case LW_OPSEL_BOUND_FI:
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
    const uint32_t w0 = d->words[0], w1 = d->words[1], mods = d->in.row->mods;
    const bool has_sdst = d->in.row->flags & LW_OPF_CARRY_OUT;
    d->in.clamp = (uint8_t)lw_bits(w0, 15, 1);
    lw_decode_require(d, mods & LW_MOD_CLAMP || !d->in.clamp);
    if (!has_sdst) {
        d->in.op_sel = (uint8_t)lw_bits(w0, 11, 4);
        check_opsel(d);
        for (unsigned i = 0; i < 3 && opsel_use(d->in.row) != LW_OPSEL_BYTES; i++)
            choose_half(&d->in.src[i], d->in.op_sel, i);
        choose_half(&d->in.dst, d->in.op_sel, 3);
    }
    if (mods & LW_MOD_BITOP3) {
        d->in.imm = lw_bits(w1, 29, 3) | lw_bits(w0, 8, 3) << 3 | lw_bits(w1, 27, 2) << 6;
        return;
    }
    const sign_bits signs = check_signs(d, lw_bits(w1, 29, 3), has_sdst ? 0 : lw_bits(w0, 8, 3));
    for (unsigned i = 0; i < 3; i++) {
        d->in.src[i].neg = signs.neg >> i & 1;
        d->in.src[i].abs = signs.abs >> i & 1;
    }
    d->in.omod = (uint8_t)lw_bits(w1, 27, 2);
    lw_decode_require(d, mods & LW_MOD_OMOD || !d->in.omod);
}

static void decode_vop3_sources(lw_decoder *d)
{
    const uint32_t w1 = d->words[1];
    for (unsigned i = 0; i < 3; i++)
        decode_source(d, i, lw_bits(w1, 9 * i, 9));
}

void lw_decode_vop3(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    decode_result(d, lw_bits(d->words[0], 0, 8));
    if (row->flags & LW_OPF_CARRY_OUT)
        lw_decode_sreg(d, &d->in.sdst, mask_pair, lw_bits(d->words[0], 8, 7));
    decode_vop3_sources(d);
    if (row->flags & LW_OPF_CARRY_IN) {
        const unsigned code = lw_bits(d->words[1], 18, 9);
        lw_decode_require(d, code < LW_CODE_INT_0);
        lw_decode_src(d, &d->in.src[2], mask_pair, code);
    }
    decode_vop3_modifiers(d);
}

/* Modifiers of two-element and mixed operands. */
static void set_pairs(lw_decoder *d, sign_bits signs)
{
    const bool mixed = d->in.row->mods & LW_MOD_MIX;
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
    const uint32_t w0 = d->words[0], w1 = d->words[1], mods = d->in.row->mods;
    decode_result(d, lw_bits(w0, 0, 8));
    decode_vop3_sources(d);
    d->in.clamp = (uint8_t)lw_bits(w0, 15, 1);
    lw_decode_require(d, mods & LW_MOD_CLAMP || !d->in.clamp);
    d->in.op_sel = (uint8_t)lw_bits(w0, 11, 3);
    d->in.op_sel_hi = (uint8_t)(lw_bits(w1, 27, 2) | lw_bits(w0, 14, 1) << 2);
    check_opsel(d);
    if (opsel_use(d->in.row) == LW_OPSEL_TWO)
        d->in.op_sel_hi &= 3;
    if (opsel_use(d->in.row) == LW_OPSEL_NONE)
        d->in.op_sel_hi = 7;
    set_pairs(d, check_signs(d, lw_bits(w1, 29, 3), lw_bits(w0, 8, 3)));
}

/* Registers of A or B of f8f6f4: 8 for 8-bit formats, 6 for 6-bit, 4 for FP4 (AMD CDNA4 ISA manual, 7.2). */
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

/* Scale sources and their selectors; the second half follows in words 2 and 3. */
static void decode_scales(lw_decoder *d)
{
    const uint32_t w0 = d->words[0], w1 = d->words[1];
    const bool scaled = d->in.row->mods & LW_MOD_SCALED;
    /* before a matrix instruction AMD's assembler sets bits 14:13, which LLVM 22 ignores there */
    lw_decode_require(d, !(w0 & (scaled ? 0x84ff : 0xa4ff)) && !(w1 >> 31));
    lw_opnd *at = scaled ? &d->in.scale[0] : &d->in.src[0];
    lw_decode_src(d, &at[0], dword, lw_bits(w1, 0, 9));
    lw_decode_src(d, &at[1], dword, lw_bits(w1, 9, 9));
    lw_decode_require(d, !scaled || (at[0].kind == LW_OPND_VGPR && at[1].kind == LW_OPND_VGPR));
    d->in.op_sel = (uint8_t)lw_bits(w0, 11, 2);
    d->in.op_sel_hi = (uint8_t)lw_bits(w1, 27, 2);
}

void lw_decode_mai(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    const uint32_t *w = row->mods & LW_MOD_SCALED ? d->words + 2 : d->words;
    if (row->mods & (LW_MOD_SCALED | LW_MOD_LD_SCALE))
        decode_scales(d);
    if (row->mods & LW_MOD_LD_SCALE)
        return;

    const bool acc_cd = lw_bits(w[0], 15, 1), matrix = row->src[1].type != LW_TYPE_NONE;
    lw_op_operand spec[3] = { row->src[0], row->src[1], row->src[2] };
    d->in.cbsz = (uint8_t)lw_bits(w[0], 8, 3);
    d->in.abid = (uint8_t)lw_bits(w[0], 11, 4);
    d->in.blgp = (uint8_t)lw_bits(w[1], 29, 3);
    if (row->mods & LW_MOD_F8F6F4) {
        spec[0].dwords = (uint8_t)f8f6f4_registers(d->in.cbsz);
        spec[1].dwords = (uint8_t)f8f6f4_registers(d->in.blgp);
        lw_decode_require(d, spec[0].dwords && spec[1].dwords);
        lw_decode_require(d, d->in.abid == (row->mods & LW_MOD_SCALED ? 1 : 0));
        d->in.abid = 0;
    }
    lw_decode_require(d, !(row->mods & LW_MOD_SPARSE) || !d->in.blgp);
    lw_decode_require(d, matrix || (!d->in.cbsz && !(d->in.abid & 7) && !d->in.blgp)); /* accvgpr moves */
    d->in.abid = matrix ? d->in.abid : 0;
    lw_decode_vreg(d, &d->in.dst, row->dst, lw_bits(w[0], 0, 8),
                   matrix ? acc_cd : row->dst.reg == LW_REG_ACC);
    for (unsigned i = 0; i < 3 && spec[i].type != LW_TYPE_NONE; i++) {
        const bool acc = i == 2 ? acc_cd : lw_bits(w[1], 27 + i, 1);
        decode_mai_operand(d, &d->in.src[i], spec[i], lw_bits(w[1], 9 * i, 9), acc);
    }
}
