/* SPDX-License-Identifier: MIT */
/* Matrix instructions of RDNA: registers according to the generation's layout, modifiers according to the
 * instruction's rule. */
#include "emu/amdgpu/decode/decode.h"

#include "isa_tables/matrix.h"

enum { DWORD_BITS = 32 };

static const lw_operand operands[3] = { LW_OPERAND_A, LW_OPERAND_B, LW_OPERAND_C };

/* The generation whose tables describe the instruction. */
static lw_arch matrix_arch(const lw_decoder *d)
{
    return lw_op_get_on(d->in.row, d->arch)->text_only ? d->traits->matrix_from : d->arch;
}

/* As many registers as the operand's elements fill in a wave of this size. */
static lw_op_operand sized(const lw_decoder *d, lw_op_operand spec, lw_operand operand)
{
    const lw_mods mods = { .wave = (uint8_t)(d->in.mask_dwords * DWORD_BITS),
                           .cbsz = d->in.cbsz,
                           .blgp = d->in.blgp };
    spec.dwords = (uint8_t)lw_insn_registers(matrix_arch(d), d->in.row->insn, operand, &mods);
    return spec;
}

/* A and B are registers, C may be an inline constant (the assembler's operand classes). */
static void decode_operand(lw_decoder *d, unsigned i, unsigned code)
{
    const bool sparse = d->in.row->mods & LW_MOD_SPARSE, is_c = i == 2 && !sparse;
    const lw_operand operand = i == 2 && sparse ? LW_OPERAND_INDEX : operands[i];
    const lw_op_operand spec = sized(d, d->in.row->src[i], operand);
    const bool inline_c = is_c && code >= LW_CODE_INT_0 && code <= LW_CODE_INV_2PI;
    lw_decode_require(d, code >= LW_CODE_VGPR0 || inline_c);
    lw_decode_src(d, &d->in.src[i], spec, code);
    lw_decode_require(d, d->in.src[i].kind == LW_OPND_VGPR || d->in.src[i].kind == LW_OPND_INLINE);
}

static bool has(const lw_mod_row *row, const char *name, size_t length)
{
    return lw_mod_row_has(row, name, length);
}

/* Fields that neither have a name nor are recorded to have no effect must have the value that the assembler
 * emits. */
static void check_fields(lw_decoder *d, unsigned neg_lo, unsigned neg_hi)
{
    const lw_mod_row *rule = lw_insn_mod_row(matrix_arch(d), d->in.row->insn);
    lw_decode_require(d, rule != NULL);
    if (!rule)
        return;
    const unsigned lo = rule->means.neg_lo | rule->assembles.neg_lo;
    const unsigned hi = rule->means.neg_hi | rule->assembles.neg_hi;
    lw_decode_require(d, !(neg_lo & ~lo) && !(neg_hi & ~hi));
    lw_decode_require(d, !d->in.clamp || rule->ignores_clamp || has(rule, "clamp", 5));
    if (has(rule, "index_key", 9)) {
        const lw_mods mods = { .wave = (uint8_t)(d->in.mask_dwords * DWORD_BITS), .index_key = d->in.op_sel };
        d->in.index_key = d->in.op_sel;
        d->in.op_sel = 0;
        lw_decode_require(d, lw_mods_check(matrix_arch(d), d->in.row->insn, &mods, NULL) == LW_OK);
    }
    if (matrix_arch(d) != d->arch) /* what that generation ignores */
        lw_decode_require(d, !d->in.op_sel && (!d->in.clamp || has(rule, "clamp", 5)));
    lw_decode_require(d, !(d->in.op_sel & ~(rule->means.op_sel | rule->ignored.op_sel)));
    if (!has(rule, "op_sel_hi", 9)) /* LLVM 22 prints and assembles it only where the rule has this name */
        lw_decode_require(d, !d->traits->opsel_hi_ones || d->in.op_sel_hi == 7);
    if (!has(rule, "op_sel_hi", 9))
        d->in.op_sel_hi = 7;
}

/* What gfx1250 has in the bits of op_sel and op_sel_hi: formats of A and B, or hints, and for sparse
 * instructions the set of the index. */
static void take_special_bits(lw_decoder *d, const lw_mod_row *rule)
{
    enum { REUSE_A = 4, REUSE_B = 4, LAST_FORMAT = 4 };
    if (has(rule, "matrix_a_fmt", 12)) {
        d->in.cbsz = d->in.op_sel;
        d->in.blgp = d->in.op_sel_hi;
        lw_decode_require(d, d->in.cbsz <= LAST_FORMAT && d->in.blgp <= LAST_FORMAT);
        d->in.op_sel = 0;
        d->in.op_sel_hi = 7;
    } else if (has(rule, "matrix_a_reuse", 14) && !(d->in.row->mods & LW_MOD_SCALED)) {
        d->in.reuse_a = d->in.op_sel & REUSE_A ? 1 : 0;
        d->in.reuse_b = d->in.op_sel_hi & REUSE_B ? 1 : 0;
        d->in.op_sel &= (uint8_t)~REUSE_A;
        d->in.op_sel_hi |= REUSE_B;
    }
}

/* The half of a scaled instruction that comes first: registers of the scales, where in them the scales are,
 * their formats; hints. */
static void decode_scales(lw_decoder *d, lw_opnd scales[2], unsigned dwords)
{
    const uint32_t unused0 = 0x94ff, unused1 = 0x97fc0000,
                   no_source = 0x04000000; /* the third source is v0 */
    const uint32_t w0 = d->words[0], w1 = d->words[1];
    const lw_op_operand scale = { dwords == 2 ? LW_TYPE_B64 : LW_TYPE_B32, (uint8_t)dwords, LW_REG_SRC };
    lw_decode_require(d, !(w0 & unused0) && (w1 & unused1) == no_source);
    d->no_literal = true;
    lw_decode_src(d, &scales[0], scale, lw_bits(w1, 0, 9));
    lw_decode_src(d, &scales[1], scale, lw_bits(w1, 9, 9));
    d->in.scale_row[0] = (uint8_t)lw_bits(w0, 11, 1);
    d->in.scale_row[1] = (uint8_t)lw_bits(w1, 27, 1);
    d->in.scale_format[0] = (uint8_t)lw_bits(w1, 29, 2);
    d->in.scale_format[1] = (uint8_t)lw_bits(w0, 8, 2);
    d->in.reuse_a = (uint8_t)lw_bits(w0, 13, 1);
    d->in.reuse_b = (uint8_t)lw_bits(w0, 14, 1);
}

void lw_decode_ld_scale(lw_decoder *d)
{
    decode_scales(d, d->in.src, d->in.row->src[0].dwords);
}

void lw_decode_wmma(lw_decoder *d)
{
    static const lw_field fields[3] = { LW_FIELD_SRC0, LW_FIELD_SRC1, LW_FIELD_SRC2 };
    const uint32_t *first = d->words;
    const lw_mod_row *rule = lw_insn_mod_row(matrix_arch(d), d->in.row->insn);
    if (d->in.row->mods & LW_MOD_SCALED) {
        decode_scales(d, d->in.scale, d->in.row->insn->scale_k == 16 ? 2 : 1);
        d->words += 2;
    }
    const unsigned neg_lo = lw_decode_field(d, LW_FIELD_NEG), neg_hi = lw_decode_field(d, LW_FIELD_ABS);
    d->in.clamp = lw_decode_small(d, LW_FIELD_CLAMP);
    d->in.op_sel = lw_decode_small(d, LW_FIELD_OPSEL);
    d->in.op_sel_hi =
        (uint8_t)(lw_decode_field(d, LW_FIELD_OPSEL_HI) | lw_decode_field(d, LW_FIELD_OPSEL_HI2) << 2);
    if (rule)
        take_special_bits(d, rule);
    lw_decode_vreg(d, &d->in.dst, sized(d, d->in.row->dst, LW_OPERAND_D), lw_decode_field(d, LW_FIELD_VDST),
                   false);
    for (unsigned i = 0; i < 3; i++) {
        decode_operand(d, i, lw_decode_field(d, fields[i]));
        d->in.src[i].neg = (uint8_t)((neg_lo >> i & 1) | (neg_hi >> i & 1) << 1);
    }
    check_fields(d, neg_lo, neg_hi);
    d->words = first;
}
