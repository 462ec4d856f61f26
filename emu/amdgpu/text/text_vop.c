/* SPDX-License-Identifier: MIT */
/* Vector ALU instructions as text. */
#include "emu/amdgpu/decode/decode.h"
#include "emu/amdgpu/text/text.h"

/*
 * The literal of v_pk_fmac_f16. From gfx11 on, an inline float stands for both halves: LLVM 22 prints lit()
 * if the literal is that, or an inline integer.
 */
static lw_opnd packed_literal(const lw_text *t, const lw_decoded *in, lw_opnd o)
{
    const bool pair = o.type == LW_TYPE_V2F16 && in->row->dst.type == LW_TYPE_V2F16;
    if (!t->traits->true16 || !pair)
        return o;
    lw_opnd half = o;
    half.type = LW_TYPE_F16;
    if (o.literal >> 16 == (o.literal & 0xffff) && !lw_text_is_number(&half))
        return half;
    if (!lw_text_is_inline_int((int32_t)o.literal))
        o.flags |= LW_OPND_F_K; /* as it is */
    return o;
}

static void put_source(lw_text *t, const lw_decoded *in, unsigned i)
{
    const lw_opnd *o = &in->src[i];
    lw_opnd typed;
    if (o->kind == LW_OPND_NONE)
        return;
    lw_text_comma(t);
    if (o->kind == LW_OPND_LITERAL) {
        typed = packed_literal(t, in, *o);
        o = &typed;
    }
    const bool neg = o->neg, abs = o->abs, sext = o->flags & LW_OPND_F_SEXT;
    /* a minus sign before a number would be parsed as part of it */
    const bool number = neg && !abs && lw_text_is_number(o);
    lw_text_if(t, neg, number ? "neg(" : "-");
    lw_text_if(t, abs, "|");
    lw_text_if(t, sext, "sext(");
    lw_text_operand(t, o);
    lw_text_if(t, sext, ")");
    lw_text_if(t, abs, "|");
    lw_text_if(t, number, ")");
}

static void put_omod(lw_text *t, const lw_decoded *in)
{
    static const char *const names[] = { "", " mul:2", " mul:4", " div:2" };
    lw_text_if(t, in->clamp, " clamp");
    lw_text_if(t, in->omod & 3, names[in->omod & 3]);
}

static void put_sdwa(lw_text *t, const lw_decoded *in)
{
    static const char *const sels[] = { "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD" };
    static const char *const sources[] = {
        "DWORD", "WORD_0", "WORD_1", "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3"
    };
    static const char *const unused[] = { "UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE" };
    const lw_op_row *row = in->row;
    if (row->enc != LW_ENC_VOPC && !(row->mods & LW_MOD_SDWA_WHOLE))
        lw_text_put(t, " dst_sel:%s dst_unused:%s", sels[in->sdwa_dst_sel], unused[in->sdwa_dst_unused]);
    lw_text_put(t, " src0_sel:%s", sources[in->src[0].sel]);
    if (row->src[1].type != LW_TYPE_NONE)
        lw_text_put(t, " src1_sel:%s", sources[in->src[1].sel]);
}

static void put_control(lw_text *t, unsigned ctrl)
{
    static const char *const shifts[] = { "row_shl", "row_shr", "row_ror" };
    static const char *const waves[] = { "wave_shl", "wave_rol", "wave_shr", "wave_ror" };
    static const char *const others[] = { "row_mirror", "row_half_mirror", "row_bcast:15", "row_bcast:31" };
    if (ctrl < 0x100)
        lw_text_put(t, " quad_perm:[%u,%u,%u,%u]", ctrl & 3, ctrl >> 2 & 3, ctrl >> 4 & 3, ctrl >> 6);
    else if (ctrl < 0x130)
        lw_text_put(t, " %s:%u", shifts[(ctrl >> 4) - 0x10], ctrl & 15);
    else if (ctrl < 0x140)
        lw_text_put(t, " %s:1", waves[ctrl >> 2 & 3]);
    else if (ctrl < 0x150)
        lw_text_put(t, " %s", others[ctrl & 3]);
    else if (!t->traits->dpp_all)
        lw_text_put(t, " row_newbcast:%u", ctrl & 15);
    else
        lw_text_put(t, " %s:%u", ctrl < 0x160 ? "row_share" : "row_xmask", ctrl & 15);
}

static void put_dpp(lw_text *t, const lw_decoded *in)
{
    if (in->dpp8) {
        for (unsigned i = 0; i < 8; i++)
            lw_text_put(t, "%s%u", i ? "," : " dpp8:[", in->dpp_lanes >> 3 * i & 7);
        lw_text_add(t, "]");
    } else {
        put_control(t, in->dpp_ctrl);
        lw_text_put(t, " row_mask:0x%x bank_mask:0x%x%s", in->dpp_row_mask, in->dpp_bank_mask,
                    in->dpp_bound_ctrl ? " bound_ctrl:1" : "");
    }
    lw_text_if(t, in->dpp_fetch_inactive, " fi:1");
}

/* Bits for all sources, including the accumulator, and for the result. */
static void put_halves(lw_text *t, const lw_decoded *in)
{
    const bool lane_mask = (in->row->flags & LW_OPF_CARRY_IN) != 0;
    unsigned n = 1;
    while (n < 3 && in->row->src[n].type != LW_TYPE_NONE)
        n++;
    const bool accumulates = n == 2 && in->row->enc == LW_ENC_VOP2 && in->row->flags & LW_OPF_TIED;
    n += accumulates;
    const bool to_exec = t->traits->cmpx_exec_only && in->row->flags & LW_OPF_W_EXEC;
    const bool no_result = in->row->enc == LW_ENC_VOPC && (in->sub == LW_SUB_DPP || to_exec);
    if (in->op_sel && no_result)
        lw_text_bits(t, "op_sel", in->op_sel, n);
    else if (in->op_sel && !lane_mask)
        lw_text_bits(t, "op_sel", (in->op_sel & ((1u << n) - 1)) | (unsigned)in->op_sel >> 3 << n, n + 1);
}

static void put_byte_sel(lw_text *t, const lw_decoded *in)
{
    const bool half = lw_decode_is_half((lw_type)in->row->dst.type), into = in->row->part == LW_PART_BYTE;
    const unsigned from = (in->op_sel & 1u) << 1 | (in->op_sel >> 1 & 1u),
                   byte = into ? in->op_sel >> 2 : from;
    if (half && in->op_sel & 8)
        lw_text_add(t, " op_sel:[0,1]");
    if (into && in->op_sel & 1)
        lw_text_add(t, " op_sel:[1,0,0]");
    if (byte)
        lw_text_put(t, " byte_sel:%u", byte);
}

static void put_vop3_opsel(lw_text *t, const lw_decoded *in)
{
    const unsigned use = in->mods >> LW_MOD_OPSEL_SHIFT & 7;
    if (use == LW_OPSEL_BYTE_SEL) {
        put_byte_sel(t, in);
        return;
    }
    if (in->mods & LW_MOD_SCALE_SEL) {
        if (in->op_sel)
            lw_text_put(t, " scale_sel:%u", in->op_sel);
        return;
    }
    if (lw_decode_has_halves(t->traits, in->row)) {
        put_halves(t, in);
        return;
    }
    if (use == LW_OPSEL_BOUND_FI && in->row->enc == LW_ENC_VOP3) {
        if (in->op_sel)
            lw_text_bits(t, "op_sel", in->op_sel, 2);
        return;
    }
    if (use == LW_OPSEL_BOUND_FI) {
        lw_text_if(t, in->op_sel & 2, " bound_ctrl:1");
        lw_text_if(t, in->op_sel & 1, " fi:1");
    } else if (in->op_sel && (use == LW_OPSEL_ALL || use == LW_OPSEL_BYTES))
        lw_text_bits(t, "op_sel", in->op_sel, 4);
    else if (in->op_sel)
        lw_text_bits(t, "op_sel", (in->op_sel & 3u) | (unsigned)in->op_sel >> 3 << 2, 3);
}

void lw_text_vop(lw_text *t, const lw_decoded *in)
{
    lw_text_next(t, &in->dst);
    if (!(t->traits->cmpx_exec_only && in->row->flags & LW_OPF_W_EXEC))
        lw_text_next(t, &in->sdst);
    for (unsigned i = 0; i < 3; i++)
        put_source(t, in, i);
    if (in->mods & LW_MOD_BITOP3 && in->imm)
        lw_text_put(t, in->imm <= 10 ? " bitop3:%u" : " bitop3:0x%x", in->imm);
    if (in->enc == LW_ENC_VOP3)
        put_vop3_opsel(t, in);
    put_omod(t, in);
    if (in->sub == LW_SUB_SDWA)
        put_sdwa(t, in);
    if (in->sub == LW_SUB_DPP)
        put_dpp(t, in);
}

static unsigned source_count(const lw_decoded *in)
{
    unsigned n = 0;
    while (n < 3 && in->src[n].kind != LW_OPND_NONE)
        n++;
    return n;
}

static void put_mix(lw_text *t, const lw_decoded *in)
{
    lw_decoded typed = *in; /* LLVM 22 prints literals as f16, whatever op_sel_hi says */
    for (unsigned i = 0; i < 3; i++) {
        lw_opnd *o = &typed.src[i];
        if (o->kind == LW_OPND_LITERAL)
            o->type = in->mods & LW_MOD_MIX_BF16 ? LW_TYPE_BF16 : LW_TYPE_F16;
        put_source(t, &typed, i);
    }
    if (in->op_sel)
        lw_text_bits(t, "op_sel", in->op_sel, 3);
    if (in->op_sel_hi)
        lw_text_bits(t, "op_sel_hi", in->op_sel_hi, 3);
    put_omod(t, in);
    if (in->sub == LW_SUB_DPP)
        put_dpp(t, in);
}

/* Where the scales of a matrix instruction are, and their formats. */
static void put_scales(lw_text *t, const lw_decoded *in)
{
    static const char *const formats[4] = { "", "MATRIX_SCALE_FMT_E5M3", "MATRIX_SCALE_FMT_E4M3", "3" };
    for (unsigned i = 0; i < 2; i++)
        if (in->scale_row[i])
            lw_text_put(t, " matrix_%c_scale:MATRIX_SCALE_ROW1", "ab"[i]);
    for (unsigned i = 0; i < 2; i++)
        if (in->scale_format[i])
            lw_text_put(t, " matrix_%c_scale_fmt:%s", "ab"[i], formats[in->scale_format[i]]);
}

static void put_formats(lw_text *t, const lw_decoded *in)
{
    static const char *const formats[8] = { "FP8", "BF8", "FP6", "BF6", "FP4", "", "", "" };
    if (in->cbsz)
        lw_text_put(t, " matrix_a_fmt:MATRIX_FMT_%s", formats[in->cbsz]);
    if (in->blgp)
        lw_text_put(t, " matrix_b_fmt:MATRIX_FMT_%s", formats[in->blgp]);
}

static void put_reuse(lw_text *t, const lw_decoded *in)
{
    lw_text_if(t, in->reuse_a, " matrix_a_reuse");
    lw_text_if(t, in->reuse_b, " matrix_b_reuse");
}

void lw_text_vop3p(lw_text *t, const lw_decoded *in)
{
    lw_text_next(t, &in->dst);
    if (in->mods & LW_MOD_MIX) {
        put_mix(t, in);
        return;
    }
    const unsigned n = source_count(in), all = (1u << n) - 1;
    for (unsigned i = 0; i < n; i++)
        lw_text_next(t, &in->src[i]);
    lw_text_next(t, &in->scale[0]);
    lw_text_next(t, &in->scale[1]);
    if (in->index_key)
        lw_text_put(t, " index_key:%u", in->index_key);
    put_formats(t, in);
    put_scales(t, in);
    put_reuse(t, in);
    if (in->mods & LW_MOD_LD_SCALE)
        return;
    if (in->op_sel & all)
        lw_text_bits(t, "op_sel", in->op_sel, n);
    if ((in->op_sel_hi & all) != all)
        lw_text_bits(t, "op_sel_hi", in->op_sel_hi, n);
    unsigned low = 0, high = 0;
    for (unsigned i = 0; i < n; i++) {
        low |= (in->src[i].neg & 1u) << i;
        high |= (in->src[i].neg >> 1 & 1u) << i;
    }
    if (low)
        lw_text_bits(t, "neg_lo", low, n);
    if (high)
        lw_text_bits(t, "neg_hi", high, n);
    put_omod(t, in);
    if (in->sub == LW_SUB_DPP)
        put_dpp(t, in);
}

static void put_scale_selectors(lw_text *t, const lw_decoded *in, unsigned count)
{
    if (in->op_sel)
        lw_text_bits(t, "op_sel", in->op_sel, count);
    if (in->op_sel_hi != 3 || count == 3)
        lw_text_bits(t, "op_sel_hi", in->op_sel_hi, count);
}

void lw_text_mai(lw_text *t, const lw_decoded *in)
{
    const uint32_t mods = in->mods;
    lw_text_next(t, &in->dst);
    for (unsigned i = 0; i < 3; i++)
        lw_text_next(t, &in->src[i]);
    lw_text_next(t, &in->scale[0]);
    lw_text_next(t, &in->scale[1]);
    if (mods & LW_MOD_LD_SCALE)
        put_scale_selectors(t, in, 2);
    if (mods & LW_MOD_SCALED)
        put_scale_selectors(t, in, 3);
    if (in->cbsz)
        lw_text_put(t, " cbsz:%u", in->cbsz);
    if (in->abid)
        lw_text_put(t, " abid:%u", in->abid);
    if (in->blgp && mods & LW_MOD_NEG_BLGP)
        lw_text_bits(t, "neg", in->blgp, 3);
    else if (in->blgp)
        lw_text_put(t, " blgp:%u", in->blgp);
}
