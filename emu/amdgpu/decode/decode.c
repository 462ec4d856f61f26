/* SPDX-License-Identifier: MIT */
/* From machine words to an instruction: which encoding, which row. The classes fill in the rest. */
#include "emu/amdgpu/decode/decode.h"

#include <string.h>

/*
 * How an encoding class is recognised, where its opcode sits and how long it is. The first match counts.
 * Source: AMD CDNA3 and CDNA4 ISA manuals, "Microcode formats".
 */
typedef struct lw_encoding {
    uint32_t mask, value;
    uint8_t enc, words;
    uint8_t op_low, op_count;
    void (*decode)(lw_decoder *d);
} lw_encoding;

static const lw_encoding encodings_gfx9[] = {
    { 0xff800000, 0xbe800000, LW_ENC_SOP1, 1, 8, 8, lw_decode_sop1 },
    { 0xff800000, 0xbf000000, LW_ENC_SOPC, 1, 16, 7, lw_decode_sopc },
    { 0xff800000, 0xbf800000, LW_ENC_SOPP, 1, 16, 7, lw_decode_sopp },
    { 0xf0000000, 0xb0000000, LW_ENC_SOPK, 1, 23, 5, lw_decode_sopk },
    { 0xc0000000, 0x80000000, LW_ENC_SOP2, 1, 23, 7, lw_decode_sop2 },
    { 0xfe000000, 0x7e000000, LW_ENC_VOP1, 1, 9, 8, lw_decode_vop },
    { 0xfe000000, 0x7c000000, LW_ENC_VOPC, 1, 17, 8, lw_decode_vop },
    { 0x80000000, 0x00000000, LW_ENC_VOP2, 1, 25, 6, lw_decode_vop },
    { 0xfc000000, 0xc0000000, LW_ENC_SMEM, 2, 18, 8, lw_decode_smem },
    { 0xff800000, 0xd3800000, LW_ENC_VOP3P, 2, 16, 7, lw_decode_vop3p },
    { 0xfc000000, 0xd0000000, LW_ENC_VOP3, 2, 16, 10, lw_decode_vop3 },
    { 0xfc000000, 0xd8000000, LW_ENC_DS, 2, 17, 8, lw_decode_ds },
    { 0xfc000000, 0xdc000000, LW_ENC_FLAT, 2, 18, 7, lw_decode_flat },
    { 0xfc000000, 0xe0000000, LW_ENC_MUBUF, 2, 18, 7, lw_decode_mubuf },
    { 0xfc000000, 0xe8000000, LW_ENC_MTBUF, 2, 15, 4, lw_decode_mtbuf },
};

/* First opcodes of the compare, two-source and one-source instructions within VOP3. */
enum { VOP3_VOP2 = 0x100, VOP3_VOP1 = 0x140, VOP3_OWN = 0x1c0 };

void lw_decode_refuse(lw_decoder *d, lw_status why)
{
    if (d->status == LW_OK)
        d->status = why;
}

static const lw_op_row *find_vop3(lw_arch arch, unsigned op)
{
    const lw_op_row *row = op < VOP3_VOP2   ? lw_op_find(arch, LW_ENC_VOPC, op)
                           : op < VOP3_VOP1 ? lw_op_find(arch, LW_ENC_VOP2, op - VOP3_VOP2)
                           : op < VOP3_OWN  ? lw_op_find(arch, LW_ENC_VOP1, op - VOP3_VOP1)
                                            : lw_op_find(arch, LW_ENC_VOP3, op);
    return row && row->mods & LW_MOD_NO_VOP3 ? NULL : row;
}

/* The second half of a 16-byte instruction, after v_mfma_ld_scale_b32; NULL if there is none. */
static const lw_op_row *find_scaled(const lw_decoder *d)
{
    enum { SCALED = 0x100 };
    /* bits 14:11 of the second half are 1 where a scale stands before it (LLVM 22's encoding) */
    if (d->count < 4 || (d->words[2] & 0xff807800) != 0xd3800800)
        return NULL;
    return lw_op_find(d->arch, LW_ENC_MAI, SCALED + lw_bits(d->words[2], 16, 7));
}

static const lw_op_row *find_row(lw_decoder *d, const lw_encoding *e)
{
    const unsigned op = lw_bits(d->words[0], e->op_low, e->op_count);
    if (e->enc == LW_ENC_VOP3)
        return find_vop3(d->arch, op);
    const lw_op_row *row = lw_op_find(d->arch, (lw_enc)e->enc, op);
    if (row || e->enc != LW_ENC_VOP3P)
        return row;
    row = lw_op_find(d->arch, LW_ENC_MAI, op);
    const lw_op_row *scaled = row && row->mods & LW_MOD_LD_SCALE ? find_scaled(d) : NULL;
    return scaled ? scaled : row;
}

static lw_status decode_row(lw_decoder *d, const lw_encoding *e, const lw_op_row *row)
{
    if (!row)
        return LW_E_FORMAT;
    if (d->count < e->words)
        return LW_E_TRUNCATED;
    d->in.row = row;
    d->in.enc = row->enc == LW_ENC_MAI ? (uint8_t)LW_ENC_MAI : e->enc;
    d->used = row->mods & LW_MOD_SCALED ? 4 : e->words;
    d->no_literal = e->words > 1;
    if (row->enc == LW_ENC_MAI)
        lw_decode_mai(d);
    else
        e->decode(d);
    return d->status;
}

static const lw_encoding *find_encoding(uint32_t word)
{
    const size_t n = sizeof(encodings_gfx9) / sizeof(encodings_gfx9[0]);
    for (size_t i = 0; i < n; i++)
        if ((word & encodings_gfx9[i].mask) == encodings_gfx9[i].value)
            return &encodings_gfx9[i];
    return NULL;
}

lw_status lw_amdgpu_decode(lw_arch arch, const uint32_t *words, size_t count, lw_decoded *in)
{
    if (!words || !in)
        return LW_E_ARGUMENT;
    if (arch != LW_ARCH_GFX942 && arch != LW_ARCH_GFX950)
        return LW_E_UNSUPPORTED;
    if (!count)
        return LW_E_TRUNCATED;

    const lw_encoding *e = find_encoding(words[0]);
    if (!e)
        return LW_E_FORMAT;
    const lw_decoder fresh = { .arch = arch, .words = words, .count = count, .status = LW_OK };
    lw_decoder d = fresh;
    const lw_op_row *row = find_row(&d, e);
    lw_status st = decode_row(&d, e, row);
    if (st != LW_OK && row && row->mods & LW_MOD_SCALED) {
        d = fresh; /* then the first half stands alone */
        st = decode_row(&d, e, lw_op_find(arch, LW_ENC_MAI, lw_bits(words[0], e->op_low, e->op_count)));
    }
    if (st != LW_OK)
        return st;
    d.in.words = (uint8_t)d.used;
    memcpy(d.in.bits, words, d.used * sizeof(words[0]));
    *in = d.in;
    return LW_OK;
}
