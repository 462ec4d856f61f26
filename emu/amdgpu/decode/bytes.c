/* SPDX-License-Identifier: MIT */
/* Halves and bytes: op_sel, SDWA, packed and mixed operands, 16-bit and 8-bit memory accesses. */
#include "emu/amdgpu/decode/bytes.h"

#include <lanewise/facts.h>

#include "emu/amdgpu/decode/decode.h"

enum { LOW = 3, HIGH = 12, SDWA_DWORD = 6, SDWA_PRESERVE = 2 };

static unsigned bytes_of_sel(lw_sel sel)
{
    switch (sel) {
    case LW_SEL_WORD_0:
        return LOW;
    case LW_SEL_WORD_1:
        return HIGH;
    case LW_SEL_BYTE_0:
    case LW_SEL_BYTE_1:
    case LW_SEL_BYTE_2:
    case LW_SEL_BYTE_3:
        return 1u << (sel - LW_SEL_BYTE_0);
    case LW_SEL_ALL:
        break;
    }
    return LW_BYTES_ALL;
}

static bool is_pair(unsigned type)
{
    return type == LW_TYPE_V2F16 || type == LW_TYPE_V2BF16 || type == LW_TYPE_V2I16;
}

/* The elements that `pick` selects: bit 0 for the low result, bit 1 for the high one; a set bit selects the
 * upper element. */
static unsigned picked(unsigned pick, unsigned lower, unsigned upper)
{
    return pick == 0 ? lower : pick == 3 ? upper : lower | upper;
}

/* The bytes of an f16 of a mixed operation, or of an f32. */
static unsigned mixed_bytes(unsigned pick)
{
    return pick == 3 ? HIGH : pick == 2 ? LOW : LW_BYTES_ALL;
}

static unsigned vector_bytes(const lw_decoded *in, const lw_opnd *o)
{
    if (in->enc == LW_ENC_VOP3P && in->mods & LW_MOD_MIX)
        return mixed_bytes(o->pick);
    if (in->enc == LW_ENC_VOP3P && is_pair(o->type))
        return picked(o->pick, LOW, HIGH);
    if (o->sel)
        return bytes_of_sel((lw_sel)o->sel);
    return lw_decode_is_half((lw_type)o->type) ? LOW : LW_BYTES_ALL;
}

/* The bytes that a store of less than a dword writes. */
static unsigned stored_bytes(const lw_op_row *row)
{
    if (!(row->flags & LW_OPF_STORE) || row->flags & LW_OPF_FORMAT || row->bytes > 2)
        return LW_BYTES_ALL;
    return ((1u << row->bytes) - 1) << (row->flags & LW_OPF_D16_HI ? 2 : 0);
}

static bool is_vector_memory(const lw_op_row *row)
{
    return row->enc == LW_ENC_DS || row->enc == LW_ENC_FLAT || row->enc == LW_ENC_MUBUF ||
           row->enc == LW_ENC_MTBUF;
}

lw_part lw_decoded_source_part(const lw_decoded *in, unsigned i)
{
    const lw_opnd *o = &in->src[i];
    lw_part part = { 0, o->dwords, LW_BYTES_ALL };
    if (is_vector_memory(in->row)) {
        const unsigned data = in->row->enc == LW_ENC_DS || in->row->enc == LW_ENC_FLAT ? 1 : 3;
        part.bytes = (uint8_t)(i == data ? stored_bytes(in->row) : LW_BYTES_ALL);
        return part;
    }
    if (in->row->insn || !(o->kind == LW_OPND_VGPR || o->kind == LW_OPND_AGPR))
        return part;
    const bool wide = in->enc == LW_ENC_VOP3P && (o->type == LW_TYPE_V2F32 || o->type == LW_TYPE_V2B32);
    if (wide && (o->pick == 0 || o->pick == 3))
        return (lw_part){ o->pick == 3, 1, LW_BYTES_ALL };
    part.bytes = (uint8_t)vector_bytes(in, o);
    return part;
}

/* VOP3's op_sel selects the half for a 16-bit result. */
static bool chooses_half(const lw_decoded *in)
{
    const unsigned use = in->mods >> LW_MOD_OPSEL_SHIFT & 7;
    return in->enc == LW_ENC_VOP3 && lw_decode_is_half((lw_type)in->dst.type) &&
           (use == LW_OPSEL_ALL || use == LW_OPSEL_TWO);
}

uint8_t lw_decoded_result_bytes(const lw_decoded *in)
{
    const lw_op_row *row = in->row;
    if (in->sub == LW_SUB_SDWA && in->sdwa_dst_unused == SDWA_PRESERVE && in->sdwa_dst_sel < SDWA_DWORD)
        return (uint8_t)(in->sdwa_dst_sel < 4 ? 1u << in->sdwa_dst_sel : in->sdwa_dst_sel == 4 ? LOW : HIGH);
    if (in->dst.flags & LW_OPND_F_HALF)
        return in->dst.sel == LW_SEL_WORD_1 ? HIGH : LOW;
    /* for loads, the generation decides whether the other half is kept */
    const bool halves = is_vector_memory(row) ? in->dst.flags & LW_OPND_F_KEEP && row->bytes <= 2 : true;
    if (halves && row->flags & (LW_OPF_D16 | LW_OPF_D16_HI))
        return row->flags & LW_OPF_D16 ? LOW : HIGH;
    switch ((lw_op_part)row->part) {
    case LW_PART_HALF:
        return in->op_sel >> 3 & 1 ? HIGH : LOW;
    case LW_PART_BYTE:
        return (uint8_t)(1u << (in->op_sel >> 2 & 3));
    case LW_PART_WHOLE:
        break;
    }
    if (chooses_half(in))
        return in->dst.sel == LW_SEL_WORD_1 ? HIGH : LOW;
    return LW_BYTES_ALL;
}

bool lw_decoded_part_result(const lw_decoded *in)
{
    if (in->sub == LW_SUB_SDWA && in->dst.kind == LW_OPND_VGPR)
        return in->sdwa_dst_sel < SDWA_DWORD;
    switch ((lw_op_part)in->row->part) {
    case LW_PART_HALF:
        return in->op_sel >> 3 & 1;
    case LW_PART_BYTE:
        return (in->op_sel >> 2 & 3) != 0;
    case LW_PART_WHOLE:
        break;
    }
    return chooses_half(in) && in->dst.sel == LW_SEL_WORD_1;
}
