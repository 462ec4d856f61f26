/* SPDX-License-Identifier: MIT */
/* Operands as text. */
#include "emu/amdgpu/decode/decode.h"
#include "emu/amdgpu/text/text.h"

static const char *const inline_floats[] = {
    "0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494",
};

static const char *const specials[] = {
    [LW_CODE_FLAT_SCRATCH - LW_CODE_FLAT_SCRATCH] = "src_flat_scratch_base_lo",
    [1] = "src_flat_scratch_base_hi",
    [LW_CODE_SHARED_BASE - LW_CODE_FLAT_SCRATCH] = "src_shared_base",
    [236 - LW_CODE_FLAT_SCRATCH] = "src_shared_limit",
    [237 - LW_CODE_FLAT_SCRATCH] = "src_private_base",
    [238 - LW_CODE_FLAT_SCRATCH] = "src_private_limit",
    [LW_CODE_POPS - LW_CODE_FLAT_SCRATCH] = "src_pops_exiting_wave_id",
    [LW_CODE_VCCZ - LW_CODE_FLAT_SCRATCH] = "src_vccz",
    [252 - LW_CODE_FLAT_SCRATCH] = "src_execz",
    [253 - LW_CODE_FLAT_SCRATCH] = "src_scc",
    [LW_CODE_LDS_DIRECT - LW_CODE_FLAT_SCRATCH] = "src_lds_direct",
};

static const char *const special_dwords[] = {
    "flat_scratch_lo", "flat_scratch_hi", "xnack_mask_lo", "xnack_mask_hi", "vcc_lo", "vcc_hi",
};

static const char *const special_pairs[] = { "flat_scratch", "xnack_mask", "vcc" };

static inline void put_tuple(lw_text *t, const char *file, unsigned first, unsigned dwords)
{
    char *to = lw_text_room(t, 16);
    if (to && dwords <= 1 && !file[1] && first < 256) { /* most operands */
        *to++ = file[0];
        to = lw_text_small(to, first);
        t->length = (size_t)(to - t->at);
        return;
    }
    lw_text_add(t, file);
    lw_text_if(t, dwords > 1, "[");
    lw_text_decimal(t, first);
    if (dwords <= 1)
        return;
    lw_text_add(t, ":");
    lw_text_decimal(t, first + dwords - 1);
    lw_text_add(t, "]");
}

static void put_scalar(lw_text *t, unsigned reg, unsigned dwords)
{
    if (reg < t->traits->sgprs)
        put_tuple(t, "s", reg, dwords);
    else if (reg < LW_SGPR_TTMP0)
        lw_text_add(t, dwords > 1 ? special_pairs[(reg - LW_SGPR_FLAT_SCRATCH) / 2]
                                  : special_dwords[reg - LW_SGPR_FLAT_SCRATCH]);
    else if (reg < LW_SGPR_M0)
        put_tuple(t, "ttmp", reg - LW_SGPR_TTMP0, dwords);
    else if (reg == LW_SGPR_NULL)
        lw_text_add(t, "null");
    else if (reg == LW_SGPR_M0)
        lw_text_add(t, "m0");
    else
        lw_text_add(t, dwords > 1 ? "exec" : reg == LW_SGPR_EXEC ? "exec_lo" : "exec_hi");
}

bool lw_text_is_inline_int(int64_t v)
{
    return v >= -16 && v <= 64;
}

/* Can an inline constant of this width hold the bits? `half` and `inv_2pi` are the bits of 0.5 and 1/(2
 * pi). */
static bool is_inline_float(uint64_t v, unsigned exp_bits, unsigned frac_bits, uint64_t inv_2pi)
{
    const uint64_t sign = (uint64_t)1 << (exp_bits + frac_bits), bias = ((uint64_t)1 << (exp_bits - 1)) - 1;
    const uint64_t magnitude = v & ~sign;
    if (v == inv_2pi)
        return true;
    for (uint64_t e = bias - 1; e <= bias + 2; e++)
        if (magnitude == e << frac_bits)
            return true;
    return false;
}

static bool is_inline_32(uint32_t v)
{
    return lw_text_is_inline_int((int32_t)v) || is_inline_float(v, 8, 23, 0x3e22f983);
}

/* Could the literal have been written as an inline constant? If so, LLVM prints lit() to keep it a
 * literal. */
static bool needs_lit(lw_type type, uint32_t v)
{
    switch (type) {
    case LW_TYPE_F16:
        return lw_text_is_inline_int((int16_t)(v & 0xffff)) || is_inline_float(v & 0xffff, 5, 10, 0x3118);
    case LW_TYPE_BF16:
        return lw_text_is_inline_int((int16_t)(v & 0xffff)) || is_inline_float(v & 0xffff, 8, 7, 0x3e22);
    case LW_TYPE_V2F16:
        return lw_text_is_inline_int((int32_t)v) || is_inline_float(v, 5, 10, 0x3118);
    case LW_TYPE_V2BF16:
        return lw_text_is_inline_int((int32_t)v) || is_inline_float(v, 8, 7, 0x3e22);
    case LW_TYPE_B64:
    case LW_TYPE_I64:
    case LW_TYPE_U64:
        return v <= 64;
    case LW_TYPE_F64:
    case LW_TYPE_MASK:
        return false;
    case LW_TYPE_NONE:
    case LW_TYPE_B16:
    case LW_TYPE_I16:
    case LW_TYPE_U16:
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
    return is_inline_32(v);
}

static bool is_int16(unsigned type)
{
    return type == LW_TYPE_I16 || type == LW_TYPE_U16 || type == LW_TYPE_B16;
}

static bool is_int64_or_double(unsigned type)
{
    return type == LW_TYPE_B64 || type == LW_TYPE_I64 || type == LW_TYPE_U64 || type == LW_TYPE_F64 ||
           type == LW_TYPE_MASK;
}

/* A literal that is the high half of an inline double is printed like one: LLVM has no lit() for these. */
static bool put_double(lw_text *t, uint32_t high)
{
    static const uint32_t halves[] = { 0x3fe00000, 0xbfe00000, 0x3ff00000, 0xbff00000,
                                       0x40000000, 0xc0000000, 0x40100000, 0xc0100000 };
    if (high == 0) {
        lw_text_add(t, "0");
        return true;
    }
    for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++)
        if (high == halves[i]) {
            lw_text_add(t, inline_floats[i]);
            return true;
        }
    return false;
}

bool lw_text_is_number(const lw_opnd *o)
{
    if (o->kind == LW_OPND_INLINE)
        return o->code >= LW_CODE_INT_0; /* the other code is null */
    return o->kind == LW_OPND_LITERAL && !needs_lit((lw_type)o->type, o->literal);
}

/* The constant that has these bits; false: there is none. */
static bool put_as_inline(lw_text *t, const lw_opnd *o)
{
    lw_opnd constant = *o;
    constant.kind = LW_OPND_INLINE;
    for (unsigned code = LW_CODE_INT_0; code <= LW_CODE_INV_2PI; code++) {
        if (code > LW_CODE_INT_LAST && code < LW_CODE_HALF)
            continue;
        constant.code = (uint16_t)code;
        if (lw_decode_inline((lw_type)o->type, code) == o->value) {
            lw_text_operand(t, &constant);
            return true;
        }
    }
    return false;
}

/* A literal of 64 bits: lit64() if 32 bits could hold it, the constant with the same bits if there is one. */
static void put_literal64(lw_text *t, const lw_opnd *o)
{
    const bool whole = o->flags & LW_OPND_F_K || is_int16(o->type);
    if (!o->high)
        lw_text_put(t, "lit64(0x%x)", o->literal);
    else if (o->type == LW_TYPE_BF16 && !is_inline_float(o->value, 8, 7, 0x3e22))
        lw_text_hex(t, o->literal);
    else if (whole || !put_as_inline(t, o))
        lw_text_put(t, "0x%llx",
                    (unsigned long long)(o->type == LW_TYPE_F64 && !o->literal ? o->value >> 32 : o->value));
}

static void put_literal(lw_text *t, const lw_opnd *o)
{
    const uint32_t v = o->literal;
    if (o->code == LW_CODE_LITERAL64) {
        put_literal64(t, o);
        return;
    }
    if (o->type == LW_TYPE_F64 && put_double(t, v))
        return;
    const bool half = o->type == LW_TYPE_F16 || is_int16(o->type);
    if (o->flags & LW_OPND_F_K)
        lw_text_hex(t, v);
    else if (needs_lit((lw_type)o->type, v))
        lw_text_put(t, "lit(0x%x)", v);
    else
        lw_text_hex(t, half ? v & 0xffff : v);
}

static void put_inline(lw_text *t, const lw_opnd *o)
{
    const int code = o->code;
    if (code < LW_CODE_INT_0)
        lw_text_add(t, "null");
    else if (code <= LW_CODE_INT_LAST)
        lw_text_integer(t, code <= LW_CODE_INT_64 ? code - LW_CODE_INT_0 : LW_CODE_INT_64 - code);
    else if (is_int16(o->type)) /* LLVM prints the bits, because floats have no meaning here */
        lw_text_hex(t, (unsigned)o->value);
    else if (code == LW_CODE_INV_2PI && o->dwords > 1 && is_int64_or_double(o->type))
        lw_text_add(t, "0.15915494309189532");
    else
        lw_text_add(t, inline_floats[code - LW_CODE_HALF]);
}

void lw_text_operand(lw_text *t, const lw_opnd *o)
{
    switch ((lw_opnd_kind)o->kind) {
    case LW_OPND_NONE:
        return;
    case LW_OPND_VGPR:
        put_tuple(t, "v", o->reg, o->dwords);
        if (o->flags & LW_OPND_F_HALF)
            lw_text_add(t, o->sel == LW_SEL_WORD_1 ? ".h" : ".l");
        return;
    case LW_OPND_AGPR:
        put_tuple(t, "a", o->reg, o->dwords);
        return;
    case LW_OPND_SGPR:
        put_scalar(t, o->reg, o->dwords);
        return;
    case LW_OPND_SPECIAL:
        lw_text_add(t, specials[o->reg - LW_CODE_FLAT_SCRATCH]);
        return;
    case LW_OPND_INLINE:
        put_inline(t, o);
        return;
    case LW_OPND_LITERAL:
        put_literal(t, o);
        return;
    case LW_OPND_IMM:
        lw_text_hex(t, (unsigned)o->value);
        return;
    case LW_OPND_OFF:
        lw_text_add(t, "off");
        return;
    }
}

void lw_text_next(lw_text *t, const lw_opnd *o)
{
    if (o->kind == LW_OPND_NONE)
        return;
    lw_text_comma(t);
    lw_text_operand(t, o);
}
