/* SPDX-License-Identifier: MIT */
/* From machine words to an instruction: its encoding and its row. The encoding classes decode the rest. */
#include "emu/amdgpu/decode/decode.h"

#include <string.h>

typedef void (*decode_fn)(lw_decoder *d);

static const decode_fn classes[LW_ENC_COUNT] = {
    [LW_ENC_SOP1] = lw_decode_sop1,      [LW_ENC_SOP2] = lw_decode_sop2,
    [LW_ENC_SOPC] = lw_decode_sopc,      [LW_ENC_SOPK] = lw_decode_sopk,
    [LW_ENC_SOPP] = lw_decode_sopp,      [LW_ENC_SMEM] = lw_decode_smem,
    [LW_ENC_VOP1] = lw_decode_vop,       [LW_ENC_VOP2] = lw_decode_vop,
    [LW_ENC_VOPC] = lw_decode_vop,       [LW_ENC_VOP3] = lw_decode_vop3,
    [LW_ENC_VOP3P] = lw_decode_vop3p,    [LW_ENC_MAI] = lw_decode_mai,
    [LW_ENC_DS] = lw_decode_ds,          [LW_ENC_FLAT] = lw_decode_flat,
    [LW_ENC_MUBUF] = lw_decode_mubuf,    [LW_ENC_MTBUF] = lw_decode_mtbuf,
    [LW_ENC_TENSOR] = lw_decode_tensor,  [LW_ENC_MIMG] = lw_decode_image,
    [LW_ENC_VIMAGE] = lw_decode_image,   [LW_ENC_VSAMPLE] = lw_decode_image,
    [LW_ENC_EXP] = lw_decode_export,     [LW_ENC_VINTRP] = lw_decode_interp,
    [LW_ENC_VINTERP] = lw_decode_interp, [LW_ENC_LDSDIR] = lw_decode_interp,
};

/* First opcode of two-source instructions within VOP3, which follow the compares; the other first opcodes
 * depend on the generation. */
enum { VOP3_VOP2 = 0x100 };

void lw_decode_refuse(lw_decoder *d, lw_status why)
{
    if (d->status == LW_OK)
        d->status = why;
}

static const lw_op_row *find_vop3(const lw_decoder *d, unsigned op)
{
    const unsigned vop1 = d->traits->vop3_vop1;
    const lw_op_row *row = op < VOP3_VOP2             ? lw_op_find(d->arch, LW_ENC_VOPC, op)
                           : op < vop1                ? lw_op_find(d->arch, LW_ENC_VOP2, op - VOP3_VOP2)
                           : op < d->traits->vop3_own ? lw_op_find(d->arch, LW_ENC_VOP1, op - vop1)
                                                      : lw_op_find(d->arch, LW_ENC_VOP3, op);
    return row && lw_op_mods(row, d->arch) & LW_MOD_NO_VOP3 ? NULL : row;
}

/* The row of a 16-byte instruction whose first half is `ld_scale`; NULL if its second half does not follow.
 */
static const lw_op_row *find_scaled(const lw_decoder *d, const lw_encoding *e, const lw_op_row *ld_scale)
{
    /* bits 14:11 of the second half are 1 if a scale precedes it (LLVM 22's encoding) */
    if (e->enc == LW_ENC_VOP3P && ld_scale->enc == LW_ENC_MAI) {
        if (d->count < 4 || (d->words[2] & 0xff807800) != 0xd3800800)
            return NULL;
        e = lw_encoding_of(d->traits->encodings, LW_ENC_MAI);
        const unsigned scale_k = 32;
        return lw_op_find(d->arch, LW_ENC_MAI,
                          LW_SCALED_OPCODES(scale_k) + lw_encoding_get(e, d->words + 2, LW_FIELD_OP));
    }
    if (d->count < 4 || (d->words[2] & e->mask) != e->value)
        return NULL;
    const unsigned scale_k = ld_scale->src[0].dwords == 2 ? 16 : 32;
    return lw_op_find(d->arch, LW_ENC_VOP3P,
                      LW_SCALED_OPCODES(scale_k) + lw_encoding_get(e, d->words + 2, LW_FIELD_OP));
}

static const lw_op_row *find_row(lw_decoder *d, const lw_encoding *e)
{
    const unsigned high = lw_encoding_get(e, d->words, LW_FIELD_OP_HIGH);
    const unsigned op = lw_encoding_get(e, d->words, LW_FIELD_OP) | high << e->field[LW_FIELD_OP].count;
    if (e->enc == LW_ENC_VOP3)
        return find_vop3(d, op);
    const lw_op_row *row = lw_op_find(d->arch, (lw_enc)e->enc, op);
    if (!row && e->enc == LW_ENC_VOP3P)
        row = lw_op_find(d->arch, LW_ENC_MAI, op);
    const lw_op_row *scaled = row && row->mods & LW_MOD_LD_SCALE ? find_scaled(d, e, row) : NULL;
    return scaled ? scaled : row;
}

static lw_status decode_row(lw_decoder *d, const lw_encoding *e, const lw_op_row *row)
{
    if (!row)
        return LW_E_FORMAT;
    if (d->count < e->words)
        return LW_E_TRUNCATED;
    d->in.row = row;
    d->in.mods = lw_op_mods(row, d->arch) & ~d->traits->mods_lacking & ~(uint32_t)LW_MOD_DPP;
    if (lw_decode_shares(d) || lw_decode_takes_dpp(d->traits, row, lw_op_mods(row, d->arch)))
        d->in.mods |= LW_MOD_DPP;
    d->in.enc = row->enc == LW_ENC_MAI ? (uint8_t)LW_ENC_MAI : e->enc;
    d->encoding = row->enc == LW_ENC_MAI ? lw_encoding_of(d->traits->encodings, LW_ENC_MAI) : e;
    d->used = row->mods & LW_MOD_SCALED ? 4 : e->words;
    const bool vop3 = d->in.enc == LW_ENC_VOP3 || d->in.enc == LW_ENC_VOP3P;
    d->no_literal = e->words > 1 && !(vop3 && d->traits->vop3_literal);
    lw_decode_require(d, !lw_decode_field(d, LW_FIELD_RESERVED));
    classes[d->in.enc](d);
    return d->status;
}

lw_status lw_amdgpu_decode(lw_arch arch, const uint32_t *words, size_t count, lw_decoded *in)
{
    return lw_amdgpu_decode_wave(arch, lw_amdgpu_traits_of(arch)->wave, words, count, in);
}

static void start(lw_decoder *d, lw_arch arch, const lw_amdgpu_traits *traits, unsigned wave,
                  const uint32_t *words, size_t count)
{
    /* where gcc knows the size, it writes a string instruction, which takes several times as long as a call
     */
    const volatile size_t size = sizeof(*d);
    memset(d, 0, size);
    d->arch = arch;
    d->traits = traits;
    d->words = words;
    d->count = count;
    d->status = LW_OK;
    d->in.mask_dwords = wave > 32 ? 2 : 1;
}

lw_status lw_decode_start(lw_decoder *d, lw_arch arch, const lw_amdgpu_traits *traits, unsigned wave,
                          const uint32_t *words, size_t count)
{
    if (!traits->encodings)
        return LW_E_UNSUPPORTED;
    if (!count)
        return LW_E_TRUNCATED;

    const lw_encoding *e = lw_encoding_match(traits->encodings, words[0]);
    if (!e)
        return LW_E_FORMAT;
    start(d, arch, traits, wave, words, count);
    const bool dual = e->enc == LW_ENC_VOPD || e->enc == LW_ENC_VOPD3;
    const lw_op_row *row = dual ? NULL : find_row(d, e);
    lw_status st = dual ? lw_decode_dual(d, e) : decode_row(d, e, row);
    if (st != LW_OK && row && row->mods & LW_MOD_SCALED) {
        start(d, arch, traits, wave, words, count); /* the first half is then an instruction by itself */
        st = decode_row(d, e, lw_op_find(arch, (lw_enc)row->enc, lw_encoding_get(e, words, LW_FIELD_OP)));
    }
    d->in.words = (uint8_t)d->used;
    memcpy(d->in.bits, words, (st == LW_OK ? d->used : 0) * sizeof(words[0]));
    return st;
}

lw_status lw_amdgpu_decode_wave(lw_arch arch, unsigned wave, const uint32_t *words, size_t count,
                                lw_decoded *in)
{
    return lw_amdgpu_decode_as(arch, lw_amdgpu_traits_of(arch), wave, words, count, in);
}

lw_status lw_amdgpu_decode_as(lw_arch arch, const lw_amdgpu_traits *traits, unsigned wave,
                              const uint32_t *words, size_t count, lw_decoded *in)
{
    lw_decoder d;
    if (!words || !in)
        return LW_E_ARGUMENT;
    const lw_status st = lw_decode_start(&d, arch, traits, wave, words, count);
    if (st == LW_OK)
        *in = d.in;
    return st;
}
