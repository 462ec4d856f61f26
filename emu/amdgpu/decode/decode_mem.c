/* SPDX-License-Identifier: MIT */
/* Vector memory: DS, FLAT, MUBUF, MTBUF. */
#include "emu/amdgpu/decode/decode.h"

static const lw_op_operand none = { LW_TYPE_NONE, 0, 0 };
static const lw_op_operand one_dword = { LW_TYPE_U32, 1, 0 };
static const lw_op_operand two_dwords = { LW_TYPE_U64, 2, 0 };

/* Unused VGPR fields must be zero in DS. */
static void decode_ds_vgpr(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned low, bool acc)
{
    const unsigned reg = lw_bits(d->words[1], low, 8);
    if (spec.type == LW_TYPE_NONE)
        lw_decode_require(d, reg == 0);
    else
        lw_decode_vreg(d, o, spec, reg, acc);
}

void lw_decode_ds(lw_decoder *d)
{
    const uint32_t w0 = d->words[0];
    const lw_op_row *row = d->in.row;
    const bool acc = lw_bits(w0, 25, 1);
    d->in.offset = (int32_t)lw_bits(w0, 0, 16);
    d->in.gds = (uint8_t)lw_bits(w0, 16, 1);
    const bool gws = row->flags & LW_OPF_GWS;
    lw_decode_require(d, !(row->flags & LW_OPF_NOGDS && d->in.gds) && (!gws || d->in.gds));
    lw_decode_require(d, !(row->flags & LW_OPF_NOOFF && (d->in.offset || acc)));
    decode_ds_vgpr(d, &d->in.src[0], row->flags & LW_OPF_NOADDR ? none : one_dword, 0, gws && acc);
    decode_ds_vgpr(d, &d->in.src[1], row->src[0], 8, acc);
    decode_ds_vgpr(d, &d->in.src[2], row->src[1], 16, acc);
    decode_ds_vgpr(d, &d->in.dst, row->dst, 24, acc);
}

static void decode_flat_address(lw_decoder *d)
{
    const unsigned addr = lw_bits(d->words[1], 0, 8), saddr = lw_bits(d->words[1], 16, 7);
    enum { OFF = 127 };
    d->in.src[0] = (lw_opnd){ .kind = LW_OPND_OFF };
    d->in.src[2] = (lw_opnd){ .kind = LW_OPND_OFF };
    switch (d->in.seg) {
    case LW_SEG_FLAT:
        lw_decode_vreg(d, &d->in.src[0], two_dwords, addr, false);
        lw_decode_require(d, saddr == 0);
        break;
    case LW_SEG_GLOBAL:
        lw_decode_vreg(d, &d->in.src[0], saddr == OFF ? two_dwords : one_dword, addr, false);
        if (saddr != OFF)
            lw_decode_sreg(d, &d->in.src[2], two_dwords, saddr);
        lw_decode_require(d, saddr != LW_CODE_EXEC);
        break;
    case LW_SEG_SCRATCH:
        if (lw_bits(d->words[0], 13, 1))
            lw_decode_vreg(d, &d->in.src[0], one_dword, addr, false);
        if (saddr != OFF)
            lw_decode_sreg(d, &d->in.src[2], one_dword, saddr);
        break;
    default:
        lw_decode_refuse(d, LW_E_FORMAT);
        break;
    }
}

/* src[0] address, src[1] data, src[2] scalar address. */
void lw_decode_flat(lw_decoder *d)
{
    const uint32_t w0 = d->words[0], w1 = d->words[1];
    const lw_op_row *row = d->in.row;
    d->in.seg = (uint8_t)lw_bits(w0, 14, 2);
    lw_decode_require(d, row->kind >> d->in.seg & 1);
    lw_decode_require(d, d->in.seg == LW_SEG_SCRATCH || !lw_bits(w0, 13, 1));
    d->in.glc = (uint8_t)lw_bits(w0, 16, 1);
    d->in.slc = (uint8_t)lw_bits(w0, 17, 1);
    d->in.nv = (uint8_t)lw_bits(w0, 25, 1);
    d->in.lds = row->flags & LW_OPF_LDS ? 1 : 0;
    /* 13 bits, signed with an address space; flat_ takes the low 12 as they are */
    d->in.offset = d->in.seg == LW_SEG_FLAT ? (int32_t)lw_bits(w0, 0, 12) : (int32_t)(w0 << 19) >> 19;
    decode_flat_address(d);

    const bool acc = lw_bits(w1, 23, 1);
    lw_decode_require(d, !(d->in.lds && acc));
    if (row->src[0].type != LW_TYPE_NONE)
        lw_decode_vreg(d, &d->in.src[1], row->src[0], lw_bits(w1, 8, 8), acc);
    const bool result = row->dst.type != LW_TYPE_NONE && (!(row->flags & LW_OPF_ATOMIC) || d->in.glc);
    if (result)
        lw_decode_vreg(d, &d->in.dst, row->dst, lw_bits(w1, 24, 8), acc);
}

/* src[0] address, src[1] resource, src[2] scalar offset; data in dst (loads, returning atomics) or src[3]. */
static void decode_buffer(lw_decoder *d, lw_op_operand data, bool acc)
{
    const uint32_t w0 = d->words[0], w1 = d->words[1];
    const lw_op_row *row = d->in.row;
    const lw_op_operand resource = { LW_TYPE_WIDE, 4, 0 };
    d->in.offset = (int32_t)lw_bits(w0, 0, 12);
    d->in.offen = (uint8_t)lw_bits(w0, 12, 1);
    d->in.idxen = (uint8_t)lw_bits(w0, 13, 1);
    d->in.glc = (uint8_t)lw_bits(w0, 14, 1);
    d->in.src[0] = (lw_opnd){ .kind = LW_OPND_OFF };
    if (d->in.offen && d->in.idxen)
        lw_decode_vreg(d, &d->in.src[0], two_dwords, lw_bits(w1, 0, 8), false);
    else if (d->in.offen || d->in.idxen)
        lw_decode_vreg(d, &d->in.src[0], one_dword, lw_bits(w1, 0, 8), false);
    lw_decode_sreg(d, &d->in.src[1], resource, lw_bits(w1, 16, 5) * 4);
    lw_decode_ssrc(d, &d->in.src[2], one_dword, lw_bits(w1, 24, 8));
    if (data.type == LW_TYPE_NONE)
        return;
    lw_opnd o = { 0 };
    lw_decode_vreg(d, &o, data, lw_bits(w1, 8, 8), acc);
    const bool atomic = row->flags & LW_OPF_ATOMIC;
    if (row->flags & LW_OPF_LOAD || (atomic && d->in.glc))
        d->in.dst = o;
    if (row->flags & LW_OPF_STORE || atomic)
        d->in.src[3] = o;
    if (atomic && d->in.glc && row->bytes * 2u == data.dwords * 4u)
        d->in.dst.dwords = (uint8_t)(data.dwords / 2); /* compare and swap: the old value only */
}

void lw_decode_mubuf(lw_decoder *d)
{
    const uint32_t w0 = d->words[0];
    const lw_op_row *row = d->in.row;
    const bool acc = lw_bits(d->words[1], 23, 1);
    d->in.nv = (uint8_t)lw_bits(w0, 15, 1);
    d->in.lds = (uint8_t)lw_bits(w0, 16, 1);
    d->in.slc = (uint8_t)lw_bits(w0, 17, 1);
    if (row->flags & LW_OPF_NOADDR) {
        d->in.slc = 0;
        d->in.glc = (uint8_t)lw_bits(w0, 14, 1);
        lw_decode_require(d, !acc && !d->in.lds && !lw_bits(w0, 12, 2));
        return;
    }
    const bool lds_ok =
        row->flags & LW_OPF_LDS || (row->flags & LW_OPF_LDS_G950 && d->arch >= LW_ARCH_GFX950);
    lw_decode_require(d, !d->in.lds || (lds_ok && !acc));
    decode_buffer(d, d->in.lds ? none : row->dst, acc);
}

void lw_decode_mtbuf(lw_decoder *d)
{
    const uint32_t w0 = d->words[0], w1 = d->words[1];
    d->in.dfmt = (uint8_t)lw_bits(w0, 19, 4);
    d->in.nfmt = (uint8_t)lw_bits(w0, 23, 3);
    d->in.nv = (uint8_t)lw_bits(w1, 21, 1);
    d->in.slc = (uint8_t)lw_bits(w1, 22, 1);
    decode_buffer(d, d->in.row->dst, lw_bits(w1, 23, 1));
}
