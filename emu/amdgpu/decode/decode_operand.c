/* SPDX-License-Identifier: MIT */
/* Operands: registers, inline constants and literals. */
#include "emu/amdgpu/decode/decode.h"

enum { SGPR_TUPLE_END = 104, TTMPS = 16, VGPRS = 256 };

static lw_opnd new_operand(lw_opnd_kind kind, lw_op_operand spec, unsigned code)
{
    return (lw_opnd){ .kind = (uint8_t)kind,
                      .type = spec.type,
                      .dwords = spec.dwords,
                      .reg = (uint16_t)code,
                      .code = (uint16_t)code };
}

/*
 * Scalar tuples start at a multiple of 2 (pairs) or 4 (longer ones); low bits are dropped, as LLVM 22 does.
 * Returns the first register, or -1 if no such tuple exists.
 */
static int scalar_start(const lw_decoder *d, int reg, unsigned dwords)
{
    if (reg < 0 || dwords <= 1)
        return reg;
    const int align = dwords == 2 ? 2 : 4, n = (int)dwords, sgprs = d->traits->sgprs;
    if (reg < sgprs) {
        const int first = reg - reg % align;
        return first + n <= (dwords == 2 ? sgprs : SGPR_TUPLE_END) ? first : -1;
    }
    if (reg >= LW_SGPR_TTMP0 && reg < LW_SGPR_M0) {
        const int first = (reg - LW_SGPR_TTMP0) / align * align;
        if (n == 3) /* LLVM 22 has no such tuples */
            return -1;
        return first + n <= TTMPS ? LW_SGPR_TTMP0 + first : -1;
    }
    const bool pair = (reg % 2 == 0 && reg < LW_SGPR_TTMP0) || reg == LW_SGPR_EXEC || reg == LW_SGPR_NULL;
    return dwords == 2 && pair ? reg : -1;
}

void lw_decode_sreg(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned code)
{
    const int first = scalar_start(d, lw_scalar_register(d->traits->encodings, code), spec.dwords);
    lw_decode_require(d, first >= 0);
    *o = new_operand(LW_OPND_SGPR, spec, code);
    o->reg = (uint16_t)(first < 0 ? 0 : first);
}

/* As a source, NULL is 0 of any width. */
static void decode_register_source(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned code)
{
    if (lw_scalar_register(d->traits->encodings, code) == LW_SGPR_NULL)
        *o = new_operand(LW_OPND_INLINE, spec, code);
    else
        lw_decode_sreg(d, o, spec, code);
}

bool lw_decode_is_half(lw_type type)
{
    return type == LW_TYPE_B16 || type == LW_TYPE_I16 || type == LW_TYPE_U16 || type == LW_TYPE_F16 ||
           type == LW_TYPE_BF16;
}

/* For a 16-bit operand, the top bit of the fields of VOP1, VOP2 and VOPC selects the half; VOP3 uses
 * op_sel. */
static void name_half(const lw_decoder *d, lw_opnd *o)
{
    enum { NUMBER = 127 };
    const bool narrow = d->in.enc == LW_ENC_VOP1 || d->in.enc == LW_ENC_VOP2 || d->in.enc == LW_ENC_VOPC;
    if (narrow || d->in.enc == LW_ENC_VOP3)
        o->flags |= LW_OPND_F_HALF;
    if (!narrow)
        return;
    o->sel = o->reg > NUMBER ? LW_SEL_WORD_1 : LW_SEL_ALL;
    o->reg &= NUMBER;
    o->code = o->reg;
}

void lw_decode_vreg(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned reg, bool acc)
{
    /* gfx90a and later: tuples start at an even register (AMD CDNA2 ISA manual, "Vector register alignment"),
     * but transposing reads of 6 bits (LLVM) */
    const bool anywhere = spec.dwords <= 1 || (spec.dwords == 3 && d->in.row->exchange);
    const bool aligned = anywhere || reg % d->traits->vgpr_align == 0;
    lw_decode_require(d, aligned && reg + spec.dwords <= VGPRS);
    *o = new_operand(acc ? LW_OPND_AGPR : LW_OPND_VGPR, spec, reg);
    if (d->traits->true16 && lw_decode_is_half((lw_type)spec.type))
        name_half(d, o);
}

typedef struct lw_inline_bits {
    uint16_t f16, bf16;
    uint32_t f32;
    uint64_t f64;
} lw_inline_bits;

/* Codes 240 to 248: +-0.5, +-1, +-2, +-4 and 1/(2 pi) (AMD CDNA3 ISA manual, "Inline constants"). */
static const lw_inline_bits float_constants[] = {
    { 0x3800, 0x3f00, 0x3f000000, UINT64_C(0x3fe0000000000000) },
    { 0xb800, 0xbf00, 0xbf000000, UINT64_C(0xbfe0000000000000) },
    { 0x3c00, 0x3f80, 0x3f800000, UINT64_C(0x3ff0000000000000) },
    { 0xbc00, 0xbf80, 0xbf800000, UINT64_C(0xbff0000000000000) },
    { 0x4000, 0x4000, 0x40000000, UINT64_C(0x4000000000000000) },
    { 0xc000, 0xc000, 0xc0000000, UINT64_C(0xc000000000000000) },
    { 0x4400, 0x4080, 0x40800000, UINT64_C(0x4010000000000000) },
    { 0xc400, 0xc080, 0xc0800000, UINT64_C(0xc010000000000000) },
    { 0x3118, 0x3e22, 0x3e22f983, UINT64_C(0x3fc45f306dc9c882) },
};

static uint64_t inline_float(lw_type type, const lw_inline_bits *bits)
{
    switch (type) {
    case LW_TYPE_B16:
    case LW_TYPE_I16:
    case LW_TYPE_U16:
    case LW_TYPE_F16:
    case LW_TYPE_V2F16:
        return bits->f16;
    case LW_TYPE_BF16:
    case LW_TYPE_V2BF16:
        return bits->bf16;
    case LW_TYPE_B64:
    case LW_TYPE_I64:
    case LW_TYPE_U64:
    case LW_TYPE_F64:
    case LW_TYPE_MASK:
        return bits->f64;
    case LW_TYPE_NONE:
    case LW_TYPE_V2I16:
    case LW_TYPE_B32:
    case LW_TYPE_I32:
    case LW_TYPE_U32:
    case LW_TYPE_F32:
    case LW_TYPE_V2F32:
    case LW_TYPE_V2B32:
    case LW_TYPE_WIDE:
        break;
    }
    return bits->f32;
}

/* The bits of `value` that an operand of `type` uses. */
static uint64_t narrow(lw_type type, uint64_t value)
{
    switch (type) {
    case LW_TYPE_B16:
    case LW_TYPE_I16:
    case LW_TYPE_U16:
    case LW_TYPE_F16:
    case LW_TYPE_BF16:
        return value & 0xffff;
    case LW_TYPE_B64:
    case LW_TYPE_I64:
    case LW_TYPE_U64:
    case LW_TYPE_F64:
    case LW_TYPE_MASK:
        return value;
    case LW_TYPE_NONE:
    case LW_TYPE_V2F16:
    case LW_TYPE_V2BF16:
    case LW_TYPE_V2I16:
    case LW_TYPE_B32:
    case LW_TYPE_I32:
    case LW_TYPE_U32:
    case LW_TYPE_F32:
    case LW_TYPE_V2F32:
    case LW_TYPE_V2B32:
    case LW_TYPE_WIDE:
        break;
    }
    return value & UINT32_MAX;
}

/* The dword or the two dwords after the instruction; a second literal of the instruction is the same one. */
static void take_literal(lw_decoder *d, unsigned code)
{
    const unsigned dwords = code == LW_CODE_LITERAL64 ? 2 : 1;
    lw_decode_require(d, !d->no_literal && !(dwords > 1 && d->encoding->words > 1));
    lw_decode_require(d, !d->literal_taken || d->literal_code == code);
    if (d->literal_taken || d->status != LW_OK)
        return;
    if (d->count < d->used + dwords) {
        lw_decode_refuse(d, LW_E_TRUNCATED);
        return;
    }
    d->literal = d->words[d->used] | (dwords > 1 ? (uint64_t)d->words[d->used + 1] << 32 : 0);
    d->used += dwords;
    d->literal_code = code;
    d->literal_taken = true;
}

static void decode_literal(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned code)
{
    take_literal(d, code);
    *o = new_operand(LW_OPND_LITERAL, spec, code);
    o->literal = (uint32_t)d->literal;
    o->high = (uint32_t)(d->literal >> 32);
    o->value = narrow((lw_type)spec.type, d->literal);
    if (code == LW_CODE_LITERAL64)
        return;
    /* a double takes a dword as its high half; an integer pair sign-extends it (I64) or zero-extends it */
    if (spec.type == LW_TYPE_F64)
        o->value = d->literal << 32;
    else if (spec.type == LW_TYPE_I64 && !d->traits->literal64_unsigned)
        o->value = (uint64_t)(int64_t)(int32_t)(uint32_t)d->literal;
}

static bool is_inline(unsigned code)
{
    return (code >= LW_CODE_INT_0 && code <= LW_CODE_INT_LAST) ||
           (code >= LW_CODE_HALF && code <= LW_CODE_INV_2PI);
}

uint64_t lw_decode_inline(lw_type type, unsigned code)
{
    if (code >= LW_CODE_HALF)
        return inline_float(type, &float_constants[code - LW_CODE_HALF]);
    const int64_t v = code <= LW_CODE_INT_64 ? (int64_t)code - LW_CODE_INT_0 : LW_CODE_INT_64 - (int64_t)code;
    return narrow(type, (uint64_t)v);
}

static void decode_constant(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned code)
{
    if (code == LW_CODE_LITERAL || (code == LW_CODE_LITERAL64 && d->traits->literal64)) {
        decode_literal(d, o, spec, code);
        return;
    }
    *o = new_operand(LW_OPND_INLINE, spec, code);
    if (is_inline(code)) {
        o->value = lw_decode_inline((lw_type)spec.type, code);
        return;
    }
    const bool scratch = code / 2 == LW_CODE_FLAT_SCRATCH / 2 && d->traits->literal64;
    const bool special = scratch || (code >= LW_CODE_SHARED_BASE && code <= LW_CODE_POPS) ||
                         (code >= LW_CODE_VCCZ && code < LW_CODE_LITERAL);
    lw_decode_require(d, special && !(code == LW_CODE_LDS_DIRECT && spec.dwords > 1));
    o->kind = LW_OPND_SPECIAL;
}

void lw_decode_ssrc(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned code)
{
    lw_decode_require(d, (code != LW_CODE_LDS_DIRECT || d->traits->literal64) && code < LW_CODE_VGPR0);
    if (code < LW_CODE_INT_0)
        decode_register_source(d, o, spec, code);
    else
        decode_constant(d, o, spec, code);
}

void lw_decode_src(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned code)
{
    if (code >= LW_CODE_VGPR0)
        lw_decode_vreg(d, o, spec, code - LW_CODE_VGPR0, false);
    else if (code < LW_CODE_INT_0)
        decode_register_source(d, o, spec, code);
    else
        decode_constant(d, o, spec, code);
}
