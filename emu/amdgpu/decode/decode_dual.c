/* SPDX-License-Identifier: MIT */
/* VOPD: two instructions in one, each a row with an opcode as a half (AMD RDNA3 ISA manual, "VOPD"). */
#include "emu/amdgpu/decode/decode.h"

enum { NARROW = 1 /* dwords of a lane mask: VOPD exists only in waves of 32 lanes */ };

static void decode_half(lw_decoder *d, unsigned enc)
{
    d->encoding = lw_encoding_of(d->traits->encodings, enc);
    const lw_op_row *row = lw_op_find_dual(d->arch, lw_decode_field(d, LW_FIELD_OP));
    lw_decode_require(d, row != NULL);
    if (!row)
        return;
    d->in.row = row;
    d->in.mods = lw_op_mods(row, d->arch) & ~(d->traits->mods_lacking | LW_MOD_SDWA | LW_MOD_DPP);
    d->in.enc = (uint8_t)lw_op_enc(row, d->arch);
    lw_decode_vop(d);
    lw_decode_require(d, row->src[1].type != LW_TYPE_NONE || !lw_decode_field(d, LW_FIELD_SRC1));
}

/* The first half stays in d->in; both halves share the literal. */
lw_status lw_decode_dual(lw_decoder *d)
{
    enum { WORDS = 2 };
    if (d->count < WORDS)
        return LW_E_TRUNCATED;
    d->used = WORDS;
    lw_decode_require(d, d->in.mask_dwords == NARROW);
    const lw_decoded fresh = d->in;
    decode_half(d, LW_ENC_VOPD_Y);
    const lw_decoded y = d->in;
    d->in = fresh;
    decode_half(d, LW_ENC_VOPD);
    d->in.second = (lw_decoded_half){ .row = y.row, .dst = y.dst, .mods = y.mods, .enc = y.enc };
    for (unsigned i = 0; i < 3; i++)
        d->in.second.src[i] = y.src[i];
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
    if (share_bank(&in->src[0], &y->src[0], BANKS))
        return "the first sources of both halves are in one bank of registers";
    if (share_bank(&in->src[1], &y->src[1], BANKS))
        return "the second sources of both halves are in one bank of registers";
    if (share_bank(addend(in->row, &in->dst, in->src), addend(y->row, &y->dst, y->src), PARITIES))
        return "the addends of both halves are in one bank of registers";
    note_scalars(&s, in->src);
    note_scalars(&s, y->src);
    return s.count > SCALARS ? "both halves together name more than two scalars" : NULL;
}
