/* SPDX-License-Identifier: MIT */
/* VOPD: two instructions in one, each a row with an opcode as a half (AMD RDNA3 ISA manual, "VOPD"). */
#include "emu/amdgpu/decode/decode.h"

enum { NARROW = 1 /* dwords of a lane mask: VOPD exists only in waves of 32 lanes */ };

/* Which opcodes VOPD lacks where there is VOPD3, and which only one half of VOPD3 has. */
enum { LAST_SHORT = 17, BITOP2 = 18, SUB_U32 = 20, MAX_I32 = 23, MIN_I32 = 24, FIRST_WIDE = 32 };

static bool is_half_here(const lw_decoder *d, unsigned op, unsigned enc)
{
    if (!lw_encoding_of(d->traits->encodings, LW_ENC_VOPD3))
        return true;
    switch (enc) {
    case LW_ENC_VOPD3:
        return op != BITOP2 && op != MAX_I32 && op != MIN_I32;
    case LW_ENC_VOPD3_Y:
        return op < FIRST_WIDE;
    default:
        return op <= LAST_SHORT || (op >= SUB_U32 && op <= MIN_I32);
    }
}

static bool find_half(lw_decoder *d, unsigned enc)
{
    d->encoding = lw_encoding_of(d->traits->encodings, enc);
    const unsigned op = lw_decode_field(d, LW_FIELD_OP);
    const lw_op_row *row = lw_op_find_dual(d->arch, op);
    lw_decode_require(d, row != NULL && is_half_here(d, op, enc));
    d->in.row = row;
    if (!row)
        return false;
    d->in.mods = lw_op_mods(row, d->arch) & ~(d->traits->mods_lacking | LW_MOD_SDWA | LW_MOD_DPP);
    return true;
}

static void decode_half(lw_decoder *d, unsigned enc)
{
    if (!find_half(d, enc))
        return;
    const lw_op_row *row = d->in.row;
    d->in.enc = (uint8_t)lw_op_enc(row, d->arch);
    lw_decode_vop(d);
    lw_decode_require(d, row->src[1].type != LW_TYPE_NONE || !lw_decode_field(d, LW_FIELD_SRC1));
}

/* A half with three sources and signs, but without a literal. The third source is a register, a lane mask or
 * the table of bitop2. */
static void decode_long_half(lw_decoder *d, unsigned enc)
{
    if (!find_half(d, enc))
        return;
    const lw_op_row *row = d->in.row;
    const unsigned neg = lw_decode_field(d, LW_FIELD_NEG), third = lw_decode_field(d, LW_FIELD_SRC2);
    d->in.enc = LW_ENC_VOP3;
    d->no_literal = true;
    lw_decode_vreg(d, &d->in.dst, row->dst, lw_decode_field(d, LW_FIELD_VDST), false);
    lw_decode_src(d, &d->in.src[0], row->src[0], lw_decode_field(d, LW_FIELD_SRC0));
    if (row->src[1].type != LW_TYPE_NONE)
        lw_decode_vreg(d, &d->in.src[1], row->src[1], lw_decode_field(d, LW_FIELD_SRC1), false);
    if (row->flags & LW_OPF_CARRY_IN)
        lw_decode_sreg(d, &d->in.src[2], lw_decode_mask(d), third);
    else if (d->in.mods & LW_MOD_BITOP3)
        d->in.imm = third;
    else if (row->src[2].type != LW_TYPE_NONE)
        lw_decode_vreg(d, &d->in.src[2], row->src[2], third, false);
    else
        lw_decode_require(d, !third);
    lw_decode_require(d, row->src[1].type != LW_TYPE_NONE || !lw_decode_field(d, LW_FIELD_SRC1));
    const unsigned signs = d->in.mods / LW_MOD_NEG & 7;
    lw_decode_require(d, !(d->in.mods & (LW_MOD_K1 | LW_MOD_K2)) && !(neg & ~signs));
    for (unsigned i = 0; i < 3; i++)
        d->in.src[i].neg = neg >> i & 1;
}

/* The first half stays in d->in; both halves share the literal. */
lw_status lw_decode_dual(lw_decoder *d, const lw_encoding *e)
{
    const bool is_long = e->enc == LW_ENC_VOPD3;
    if (d->count < e->words)
        return LW_E_TRUNCATED;
    d->used = e->words;
    lw_decode_require(d, d->in.mask_dwords == NARROW);
    const lw_decoded fresh = d->in;
    if (is_long)
        decode_long_half(d, LW_ENC_VOPD3_Y);
    else
        decode_half(d, LW_ENC_VOPD_Y);
    const lw_decoded y = d->in;
    d->in = fresh;
    if (is_long)
        decode_long_half(d, LW_ENC_VOPD3);
    else
        decode_half(d, LW_ENC_VOPD);
    d->in.second =
        (lw_decoded_half){ .row = y.row, .dst = y.dst, .mods = y.mods, .enc = y.enc, .imm = y.imm };
    for (unsigned i = 0; i < 3; i++)
        d->in.second.src[i] = y.src[i];
    if (is_long)
        return d->status;
    /* one half writes an even register, the other half an odd one */
    const unsigned reg = 2u * y.dst.reg + !(d->in.dst.reg & 1);
    d->in.second.dst.reg = d->in.second.dst.code = (uint16_t)reg;
    return d->status;
}

lw_decoded lw_decoded_second(const lw_decoded *in)
{
    lw_decoded out = { .row = in->second.row,
                       .dst = in->second.dst,
                       .mods = in->second.mods,
                       .enc = in->second.enc,
                       .imm = in->second.imm,
                       .mask_dwords = in->mask_dwords,
                       .words = in->words };
    for (unsigned i = 0; i < 3; i++)
        out.src[i] = in->second.src[i];
    for (unsigned i = 0; i < sizeof(in->bits) / sizeof(in->bits[0]); i++)
        out.bits[i] = in->bits[i];
    return out;
}

/* ---- What may be combined ---- */

/* A register used by both halves is read once (rdna3 silicon: tinygrad, test/amd/hw), although LLVM 22 does
 * not pair such halves. */
static bool share_bank(const lw_opnd *a, const lw_opnd *b, unsigned banks)
{
    return a->kind == LW_OPND_VGPR && b->kind == LW_OPND_VGPR && a->reg != b->reg &&
           a->reg % banks == b->reg % banks;
}

/* The addend's register: that of fmamk, or the result's old value. */
static const lw_opnd *addend(const lw_op_row *row, const lw_opnd *dst, const lw_opnd src[3])
{
    return row->flags & LW_OPF_TIED ? dst : &src[2];
}

typedef struct scalars {
    unsigned count;
    uint16_t code[6];
} scalars;

static void note_scalar(scalars *s, unsigned code)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->code[i] == code)
            return;
    s->code[s->count++] = (uint16_t)code;
}

static void note_scalars(scalars *s, const lw_opnd src[3])
{
    for (unsigned i = 0; i < 3; i++)
        if (src[i].kind == LW_OPND_SGPR || src[i].kind == LW_OPND_SPECIAL || src[i].kind == LW_OPND_LITERAL)
            note_scalar(s, src[i].code);
}

const char *lw_decoded_conflict(const lw_decoded *in)
{
    enum { BANKS = 4, PARITIES = 2, SCALARS = 2 };
    const lw_decoded_half *y = &in->second;
    scalars s = { 0 };
    if (!y->row)
        return NULL;
    if (y->dst.reg >= in->dst.reg && y->dst.reg < in->dst.reg + in->dst.dwords)
        return "both halves write one register";
    if (share_bank(&in->src[0], &y->src[0], BANKS))
        return "the first sources of both halves are in one bank of registers";
    if (share_bank(&in->src[1], &y->src[1], BANKS))
        return "the second sources of both halves are in one bank of registers";
    const unsigned addend_banks = y->enc == LW_ENC_VOP3 ? BANKS : PARITIES; /* VOPD3: LLVM 22 */
    if (share_bank(addend(in->row, &in->dst, in->src), addend(y->row, &y->dst, y->src), addend_banks))
        return "the addends of both halves are in one bank of registers";
    note_scalars(&s, in->src);
    note_scalars(&s, y->src);
    return s.count > SCALARS ? "both halves together name more than two scalars" : NULL;
}
