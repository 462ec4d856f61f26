/* SPDX-License-Identifier: MIT */
/* Vector memory: DS, FLAT, MUBUF, MTBUF. */
#include "emu/amdgpu/decode/decode.h"

static const lw_op_operand none = { LW_TYPE_NONE, 0, 0 };
static const lw_op_operand one_dword = { LW_TYPE_U32, 1, 0 };
static const lw_op_operand two_dwords = { LW_TYPE_U64, 2, 0 };

/* Unused VGPR fields must be zero in DS. */
static void decode_ds_vgpr(lw_decoder *d, lw_opnd *o, lw_op_operand spec, lw_field field, bool acc)
{
    const unsigned reg = lw_decode_field(d, field);
    if (spec.type == LW_TYPE_NONE)
        lw_decode_require(d, reg == 0);
    else
        lw_decode_vreg(d, o, spec, reg, acc);
}

/* Loads of 16 bits write one half of a register. */
static void keep_half(lw_decoder *d)
{
    if (d->traits->true16 && d->in.row->flags & (LW_OPF_D16 | LW_OPF_D16_HI))
        d->in.dst.flags |= LW_OPND_F_KEEP;
}

void lw_decode_ds(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    const bool acc = lw_decode_field(d, LW_FIELD_ACC);
    d->in.offset = (int32_t)lw_decode_field(d, LW_FIELD_OFFSET);
    d->in.gds = lw_decode_small(d, LW_FIELD_GDS);
    const bool gws = row->flags & LW_OPF_GWS;
    lw_decode_require(d, !(row->flags & LW_OPF_NOGDS && d->in.gds) && (!gws || d->in.gds));
    lw_decode_require(d, !(row->flags & LW_OPF_NOOFF && (d->in.offset || acc)));
    decode_ds_vgpr(d, &d->in.src[0], row->flags & LW_OPF_NOADDR ? none : one_dword, LW_FIELD_ADDR,
                   gws && acc);
    decode_ds_vgpr(d, &d->in.src[1], row->src[0], LW_FIELD_DATA0, acc);
    decode_ds_vgpr(d, &d->in.src[2], row->src[1], LW_FIELD_DATA1, acc);
    decode_ds_vgpr(d, &d->in.dst, row->dst, LW_FIELD_VDST, acc);
    keep_half(d);
}

static void decode_flat_address(lw_decoder *d)
{
    const unsigned addr = lw_decode_field(d, LW_FIELD_ADDR), saddr = lw_decode_field(d, LW_FIELD_SADDR);
    const unsigned off = d->traits->no_saddr;
    d->in.src[0] = (lw_opnd){ .kind = LW_OPND_OFF };
    d->in.src[2] = (lw_opnd){ .kind = LW_OPND_OFF };
    switch (d->in.seg) {
    case LW_SEG_FLAT:
        lw_decode_vreg(d, &d->in.src[0], saddr == d->traits->flat_saddr ? two_dwords : one_dword, addr,
                       false);
        if (saddr != d->traits->flat_saddr)
            lw_decode_sreg(d, &d->in.src[2], two_dwords, saddr);
        lw_decode_require(d, d->traits->flat_takes_saddr || saddr == d->traits->flat_saddr);
        lw_decode_require(d, d->in.src[2].kind != LW_OPND_SGPR || d->in.src[2].reg < LW_SGPR_EXEC);
        break;
    case LW_SEG_GLOBAL:
        if (!(d->in.row->flags & LW_OPF_NOADDR))
            lw_decode_vreg(d, &d->in.src[0], saddr == off ? two_dwords : one_dword, addr, false);
        if (saddr != off || d->in.row->kind & LW_SEG_NULL)
            lw_decode_sreg(d, &d->in.src[2], two_dwords, saddr);
        /* LLVM's assembler takes EXEC as a scalar address where there is no other */
        lw_decode_require(d, d->in.src[2].kind != LW_OPND_SGPR || d->in.src[2].reg < LW_SGPR_EXEC ||
                                 d->in.row->flags & LW_OPF_NOADDR);
        break;
    case LW_SEG_SCRATCH:
        if (d->traits->flat_lds_bit ? saddr == off : lw_decode_field(d, LW_FIELD_SVE))
            lw_decode_vreg(d, &d->in.src[0], one_dword, addr, false);
        if (saddr != off)
            lw_decode_sreg(d, &d->in.src[2], one_dword, saddr);
        lw_decode_require(d, d->in.src[2].kind != LW_OPND_SGPR || d->in.src[2].reg != LW_SGPR_EXEC + 1);
        break;
    default:
        lw_decode_refuse(d, LW_E_FORMAT);
        break;
    }
}

void lw_decode_cache_bits(lw_decoder *d)
{
    if (d->traits->temporal_hints) {
        d->in.th = lw_decode_small(d, LW_FIELD_TH);
        d->in.scope = lw_decode_small(d, LW_FIELD_SCOPE);
        d->in.nv = lw_decode_small(d, LW_FIELD_NV);
        d->in.has_scope = true;
        d->in.glc = d->in.row->flags & LW_OPF_ATOMIC && d->in.th & 1;
        return;
    }
    d->in.glc = lw_decode_small(d, LW_FIELD_GLC);
    d->in.slc = lw_decode_small(d, LW_FIELD_SLC);
    d->in.dlc = lw_decode_small(d, LW_FIELD_DLC);
    d->in.nv = lw_decode_small(d, LW_FIELD_SC1);
}

/* src[0]: address, src[1]: data, src[2]: scalar address, src[3]: an address in LDS. */
void lw_decode_flat(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    d->in.seg = lw_decode_small(d, LW_FIELD_SEG);
    lw_decode_require(d, lw_op_has_segment(row, d->arch, d->in.seg));
    const bool bit = lw_decode_field(d, LW_FIELD_SVE), old = d->traits->flat_lds_bit;
    const bool to_lds = bit && old && d->in.seg != LW_SEG_FLAT && row->flags & LW_OPF_OLD_LDS;
    lw_decode_require(d, !bit || to_lds || (!old && d->in.seg == LW_SEG_SCRATCH));
    lw_decode_cache_bits(d);
    lw_decode_require(d, !(d->in.glc && row->flags & LW_OPF_ATOMIC && lw_op_get_on(row, d->arch)->no_return));
    d->in.scale_offset = lw_decode_small(d, LW_FIELD_SCALE_OFFSET);
    d->in.lds = to_lds || row->flags & LW_OPF_LDS ? 1 : 0;
    /* signed if there is an address space; flat_ takes the low 12 of 13 bits unsigned, or all 24 bits */
    const bool narrow = d->in.seg == LW_SEG_FLAT && d->encoding->field[LW_FIELD_FLAT_OFFSET].count;
    if (!row->bytes) { /* instructions that only affect caches */
        lw_decode_require(d, lw_decode_field(d, LW_FIELD_SADDR) == d->traits->no_saddr);
        d->in.src[0] = d->in.src[2] = (lw_opnd){ .kind = LW_OPND_NONE };
        return;
    }
    d->in.offset = narrow ? (int32_t)lw_decode_field(d, LW_FIELD_FLAT_OFFSET)
                          : lw_encoding_get_signed(d->encoding, d->words, LW_FIELD_OFFSET);
    decode_flat_address(d);
    const bool acc = lw_decode_field(d, LW_FIELD_ACC);
    lw_decode_require(d, !(d->in.lds && acc));
    if (row->src[0].type != LW_TYPE_NONE)
        lw_decode_vreg(d, &d->in.src[1], row->src[0], lw_decode_field(d, LW_FIELD_DATA0), acc);
    const bool result =
        !to_lds && row->dst.type != LW_TYPE_NONE && (!(row->flags & LW_OPF_ATOMIC) || d->in.glc);
    lw_op_operand to = row->dst;
    if (row->exchange && d->in.mask_dwords == 2) /* twice the lanes, half the registers */
        to.dwords /= 2;
    if (result)
        lw_decode_vreg(d, &d->in.dst, to, lw_decode_field(d, LW_FIELD_VDST), acc);
    if (result && row->flags & LW_OPF_LDS) { /* it names the register of an address in LDS */
        d->in.src[3] = d->in.dst;
        d->in.dst = (lw_opnd){ .kind = LW_OPND_NONE };
    }
    keep_half(d);
}

/* src[0]: address, src[1]: resource, src[2]: scalar offset; data: dst (loads, returning atomics) or
 * src[3]. */
static void decode_buffer(lw_decoder *d, lw_op_operand data, bool acc)
{
    const unsigned address = lw_decode_field(d, LW_FIELD_ADDR);
    const lw_op_row *row = d->in.row;
    const lw_op_operand resource = { LW_TYPE_WIDE, 4, 0 };
    d->in.offset = lw_encoding_get_signed(d->encoding, d->words, LW_FIELD_OFFSET);
    if (!d->traits->temporal_hints)
        d->in.offset = (int32_t)lw_decode_field(d, LW_FIELD_OFFSET);
    lw_decode_require(d, d->in.offset >= 0); /* LLVM 22 refuses offsets below the base */
    d->in.offen = lw_decode_small(d, LW_FIELD_OFFEN);
    d->in.idxen = lw_decode_small(d, LW_FIELD_IDXEN);
    lw_decode_cache_bits(d);
    lw_decode_require(d, !(d->in.glc && row->flags & LW_OPF_ATOMIC && lw_op_get_on(row, d->arch)->no_return));
    d->in.image.tfe = lw_decode_small(d, LW_FIELD_TFE);
    lw_decode_require(d, !d->in.image.tfe || (row->enc == LW_ENC_MUBUF && !(row->flags & LW_OPF_ATOMIC) &&
                                              data.type != LW_TYPE_NONE)); /* others: LLVM 22 refuses it */
    if (d->in.image.tfe) {                                                 /* a status after the data */
        data.dwords++;
        data.type = LW_TYPE_WIDE;
    }
    d->in.src[0] = (lw_opnd){ .kind = LW_OPND_OFF };
    if (d->in.offen && d->in.idxen)
        lw_decode_vreg(d, &d->in.src[0], two_dwords, address, false);
    else if (d->in.offen || d->in.idxen)
        lw_decode_vreg(d, &d->in.src[0], one_dword, address, false);
    lw_decode_require(d, !lw_decode_field(d, LW_FIELD_RSRC_HIGH));
    lw_decode_sreg(d, &d->in.src[1], resource, lw_decode_field(d, LW_FIELD_RSRC) * 4);
    lw_decode_ssrc(d, &d->in.src[2], one_dword, lw_decode_field(d, LW_FIELD_SOFFSET));
    if (data.type == LW_TYPE_NONE)
        return;
    lw_opnd o = { 0 };
    lw_decode_vreg(d, &o, data, lw_decode_field(d, LW_FIELD_DATA0), acc);
    const bool atomic = row->flags & LW_OPF_ATOMIC;
    if (row->flags & LW_OPF_LOAD || (atomic && d->in.glc))
        d->in.dst = o;
    if (row->flags & LW_OPF_STORE || atomic)
        d->in.src[3] = o;
    if (atomic && d->in.glc && row->bytes * 2u == data.dwords * 4u)
        d->in.dst.dwords = (uint8_t)(data.dwords / 2); /* compare and swap returns only the old value */
    keep_half(d);
}

void lw_decode_mubuf(lw_decoder *d)
{
    const lw_op_row *row = d->in.row;
    const bool acc = lw_decode_field(d, LW_FIELD_ACC);
    d->in.lds = lw_decode_small(d, LW_FIELD_LDS);
    if (row->flags & LW_OPF_NOADDR) {
        const bool address = lw_decode_field(d, LW_FIELD_OFFEN) || lw_decode_field(d, LW_FIELD_IDXEN);
        if (!d->traits->flat_lds_bit) { /* no cache bits before gfx942 */
            d->in.glc = lw_decode_small(d, LW_FIELD_GLC);
            d->in.nv = lw_decode_small(d, LW_FIELD_SC1);
        }
        lw_decode_require(d, !acc && !d->in.lds && !address);
        lw_decode_require(d, !d->traits->true16 || !(d->words[0] & 0x3ffff || d->words[1]));
        return;
    }
    const bool lds_ok = row->flags & LW_OPF_LDS || (row->flags & LW_OPF_LDS_WIDE && d->traits->lds_dma_wide);
    lw_decode_require(d, !d->in.lds || (lds_ok && !acc));
    decode_buffer(d, d->in.lds ? none : row->dst, acc);
    if (row->flags & LW_OPF_LDS && row->flags & LW_OPF_STORE)
        lw_decode_require(d, d->in.lds && !d->in.offen && !d->in.idxen);
}

void lw_decode_mtbuf(lw_decoder *d)
{
    d->in.dfmt = lw_decode_small(d, LW_FIELD_DFMT); /* gfx11: the whole format */
    d->in.nfmt = lw_decode_small(d, LW_FIELD_NFMT);
    decode_buffer(d, d->in.row->dst, lw_decode_field(d, LW_FIELD_ACC));
}

/* src[0] to src[3]: the groups of the descriptor; the last two may be absent. */
void lw_decode_tensor(lw_decoder *d)
{
    static const lw_op_operand four = { LW_TYPE_WIDE, 4, 0 }, eight = { LW_TYPE_WIDE, 8, 0 };
    const unsigned null = d->traits->no_saddr;
    lw_decode_cache_bits(d);
    d->in.lds = 1;
    d->in.r128 = lw_decode_small(d, LW_FIELD_R128);
    lw_decode_require(d, !lw_decode_field(d, LW_FIELD_RESERVED2) &&
                             lw_decode_field(d, LW_FIELD_NULL_ADDR) == null << 1);
    for (unsigned i = 0; i < LW_MAX_SRC; i++) {
        const unsigned code = lw_decode_field(d, (lw_field)(LW_FIELD_GROUP0 + i));
        lw_decode_require(d, code < LW_CODE_INT_0 && (i > 1 || code != null));
        lw_decode_ssrc(d, &d->in.src[i], i == 1 ? eight : four, code);
    }
}
