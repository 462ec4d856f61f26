/* SPDX-License-Identifier: MIT */
/* Exports and parameters of pixel shaders. No compute kernel runs them; they are decoded to be printed and
 * refused by name. */
#include "emu/amdgpu/decode/decode.h"

/* SECOND: where the second source is in VOP3, which is the first one beside an attribute. */
enum { CORNERS = 3, SECOND = 41 };

static const lw_op_operand value = { LW_TYPE_F32, 1, 0 };

/* src: the four values; those that are off are LW_OPND_OFF. Compressed: two registers of two values each. */
void lw_decode_export(lw_decoder *d)
{
    static const lw_field fields[LW_MAX_SRC] = { LW_FIELD_ADDR, LW_FIELD_DATA0, LW_FIELD_DATA1,
                                                 LW_FIELD_VDST };
    const unsigned enabled = lw_decode_field(d, LW_FIELD_DMASK);
    const bool compressed = lw_decode_field(d, LW_FIELD_COMPR);
    d->in.imm = lw_decode_field(d, LW_FIELD_TARGET);
    lw_decode_require(d, d->traits->exports && d->traits->exports[d->in.imm]);
    for (unsigned i = 0; i < LW_MAX_SRC; i++)
        if (enabled >> i & 1)
            lw_decode_vreg(d, &d->in.src[i], value, lw_decode_field(d, fields[compressed ? i / 2 : i]),
                           false);
        else
            d->in.src[i] = (lw_opnd){ .kind = LW_OPND_OFF };
}

/* A source of an interpolation: a vector register, of which f16 takes one half. */
static void decode_vgpr_source(lw_decoder *d, unsigned i, lw_field field)
{
    lw_op_operand spec = d->in.row->src[i];
    lw_opnd *o = &d->in.src[i];
    if (spec.type == LW_TYPE_NONE)
        return;
    const unsigned code = lw_decode_field(d, field), size = d->encoding->field[field].count;
    lw_decode_require(d, size < 9 || code >= LW_CODE_VGPR0);
    lw_decode_vreg(d, o, spec, code & (LW_CODE_VGPR0 - 1), false);
    const unsigned at = size < 9 || d->encoding->field[field].low != SECOND ? i : 1;
    o->neg = lw_decode_field(d, LW_FIELD_NEG) >> at & 1;
    o->abs = lw_decode_field(d, LW_FIELD_ABS) >> at & 1;
    if (d->traits->true16 && lw_decode_is_half((lw_type)spec.type)) {
        o->flags |= LW_OPND_F_HALF;
        o->sel = d->in.op_sel >> i & 1 ? LW_SEL_WORD_1 : LW_SEL_ALL;
    }
}

void lw_decode_interp(lw_decoder *d)
{
    static const lw_field fields[3] = { LW_FIELD_SRC0, LW_FIELD_SRC1, LW_FIELD_SRC2 };
    const lw_op_row *row = d->in.row;
    d->in.op_sel = lw_decode_small(d, LW_FIELD_OPSEL);
    d->in.clamp = lw_decode_small(d, LW_FIELD_CLAMP);
    d->in.omod = lw_decode_small(d, LW_FIELD_OMOD);
    lw_decode_require(d, !d->in.omod || row->kind & LW_INTERP_OMOD);
    lw_decode_require(d, !lw_decode_field(d, LW_FIELD_HIGH) || row->kind & LW_INTERP_HIGH);
    d->in.imm = lw_decode_field(d, LW_FIELD_WAIT);
    const unsigned taken =
        (row->src[0].type != LW_TYPE_NONE ? 2u : 0) | (row->src[2].type != LW_TYPE_NONE ? 4u : 0);
    if (row->kind & LW_INTERP_ATTR) /* an attribute has no signs */
        lw_decode_require(d,
                          !((lw_decode_field(d, LW_FIELD_NEG) | lw_decode_field(d, LW_FIELD_ABS)) & ~taken));
    lw_decode_require(d, !(row->kind & LW_INTERP_CORNER) || lw_decode_field(d, LW_FIELD_SRC0) < CORNERS);
    if (row->kind & LW_INTERP_CORNER)
        d->in.src[0] = (lw_opnd){ .kind = LW_OPND_IMM, .value = lw_decode_field(d, LW_FIELD_SRC0) };
    for (unsigned i = 0; i < 3; i++)
        decode_vgpr_source(d, i, fields[i]);
    lw_decode_vreg(d, &d->in.dst, row->dst, lw_decode_field(d, LW_FIELD_VDST), false);
    if (d->traits->true16 && lw_decode_is_half((lw_type)row->dst.type)) {
        d->in.dst.flags |= LW_OPND_F_HALF;
        d->in.dst.sel = d->in.op_sel >> 3 ? LW_SEL_WORD_1 : LW_SEL_ALL;
    }
}
