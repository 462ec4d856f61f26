/* SPDX-License-Identifier: MIT */
/* Assembler text as LLVM 22 prints it (LLVM AMDGPUOperandSyntax, AMDGPUModifierSyntax). */
#include "emu/amdgpu/text/text.h"

void lw_text_bits(lw_text *t, const char *name, unsigned bits, unsigned count)
{
    lw_text_add(t, " ");
    lw_text_add(t, name);
    for (unsigned i = 0; i < count; i++) {
        lw_text_add(t, i ? "," : ":[");
        lw_text_add(t, bits >> i & 1 ? "1" : "0");
    }
    lw_text_add(t, "]");
}

static const char *const prefixes[] = { "flat_", "scratch_", "global_" };

/* The suffix that distinguishes the forms of a vector instruction. */
static void put_suffix(lw_text *t, const lw_decoded *in)
{
    const lw_op_row *row = in->row;
    const lw_enc enc = lw_op_enc(row, t->arch);
    const bool several = enc == LW_ENC_VOP1 || enc == LW_ENC_VOP2 || enc == LW_ENC_VOPC;
    if (in->sub == LW_SUB_DPP && (in->enc == LW_ENC_VOP3 || in->enc == LW_ENC_VOP3P))
        lw_text_add(t, "_e64_dpp");
    else if (!several || (in->mods & LW_MOD_BARE && in->sub == LW_SUB_NONE) ||
             (row->dst.type == LW_TYPE_NONE && row->enc != LW_ENC_VOPC))
        return;
    else if (in->sub == LW_SUB_SDWA)
        lw_text_add(t, "_sdwa");
    else if (in->sub == LW_SUB_DPP)
        lw_text_if(t, row->enc != LW_ENC_VOPC, "_dpp"); /* omitted, as in LLVM 22 */
    else if (in->enc == LW_ENC_VOP3)
        lw_text_add(t, "_e64");
    else
        lw_text_if(t, !(in->mods & LW_MOD_NO_VOP3), "_e32");
}

static void put_operands(lw_text *t, const lw_decoded *in)
{
    switch ((lw_enc)in->enc) {
    case LW_ENC_SOP1:
    case LW_ENC_SOP2:
    case LW_ENC_SOPC:
    case LW_ENC_SOPK:
    case LW_ENC_SOPP:
        lw_text_scalar(t, in);
        return;
    case LW_ENC_SMEM:
        lw_text_smem(t, in);
        return;
    case LW_ENC_VOP1:
    case LW_ENC_VOP2:
    case LW_ENC_VOPC:
    case LW_ENC_VOP3:
        lw_text_vop(t, in);
        return;
    case LW_ENC_VOP3P:
        lw_text_vop3p(t, in);
        return;
    case LW_ENC_MAI:
        lw_text_mai(t, in);
        return;
    case LW_ENC_DS:
        lw_text_ds(t, in);
        return;
    case LW_ENC_FLAT:
        lw_text_flat(t, in);
        return;
    case LW_ENC_MUBUF:
    case LW_ENC_MTBUF:
        lw_text_buffer(t, in);
        return;
    case LW_ENC_TENSOR:
        lw_text_tensor(t, in);
        return;
    case LW_ENC_MIMG:
    case LW_ENC_VIMAGE:
    case LW_ENC_VSAMPLE:
        lw_text_image(t, in);
        return;
    case LW_ENC_EXP:
        lw_text_export(t, in);
        return;
    case LW_ENC_VINTRP:
    case LW_ENC_VINTERP:
    case LW_ENC_LDSDIR:
        lw_text_interp(t, in);
        return;
    case LW_ENC_COUNT:
        return;
    }
}

/* A half of VOPD: "v_dual_" and the name without its "v_". The lane mask that it may read is not printed. */
static void put_half(lw_text *t, const lw_decoded *in)
{
    lw_decoded half = *in;
    if (in->row->flags & LW_OPF_CARRY_IN && in->enc != LW_ENC_VOP3) /* VOPD3 names it */
        half.src[2].kind = LW_OPND_NONE;
    lw_text_add(t, "v_dual_");
    lw_text_add(t, lw_op_name(in->row, t->arch) + 2);
    lw_text_vop(t, &half);
}

static void put_instruction(lw_text *t, const lw_decoded *in)
{
    if (in->enc == LW_ENC_FLAT && !(in->row->kind & LW_SEG_NAMED))
        lw_text_add(t, prefixes[in->seg]);
    lw_text_add(t, lw_op_name(in->row, t->arch));
    put_suffix(t, in);
    put_operands(t, in);
}

size_t lw_amdgpu_text(lw_arch arch, const lw_decoded *in, char *text, size_t size)
{
    lw_text t = {
        .at = text, .size = size, .first = true, .arch = arch, .traits = lw_amdgpu_traits_of(arch)
    };
    if (in->second.row) {
        const lw_decoded second = lw_decoded_second(in);
        put_half(&t, in);
        lw_text_add(&t, " :: ");
        t.first = true;
        put_half(&t, &second);
    } else {
        put_instruction(&t, in);
    }
    lw_text_end(&t);
    return t.length;
}
