/* SPDX-License-Identifier: MIT */
/* A PTX instruction's full spelling, in the order of the PTX ISA manual. */
#include <stdio.h>
#include <string.h>

#include "isa_tables/ptx/spelling/request.h"

typedef struct out {
    char *text;
    size_t used;
} out;

static void put(out *o, const char *word)
{
    const int n =
        snprintf(o->text + o->used, LW_PTX_SPELLING_MAX - o->used, "%s%s", o->used ? "." : "", word);
    o->used += (size_t)n;
    if (o->used >= LW_PTX_SPELLING_MAX)
        o->used = LW_PTX_SPELLING_MAX - 1;
}

static void put_shape(out *o, const lw_insn *insn)
{
    char shape[LW_PTX_SHAPE_MAX];
    lw_ptx_shape_text(insn->m, insn->n, insn->k, shape);
    put(o, shape);
}

static void put_type(out *o, const lw_insn *insn, lw_operand operand, const lw_ptx_mods *mods)
{
    const lw_elem elem = lw_ptx_elem(insn, operand, mods);
    if (elem == LW_ELEM_B6X16 || elem == LW_ELEM_B4X16)
        put(o, "b8x16");
    put(o, lw_elem_rows[elem].name);
}

static void put_kind(out *o, const lw_insn *insn, const lw_ptx_mods *mods)
{
    char word[32];
    const lw_ptx_kind kind = lw_ptx_kind_of(insn, mods);
    if (kind == LW_PTX_KIND_NONE)
        return;
    snprintf(word, sizeof(word), "kind::%s", lw_ptx_kind_names[kind]);
    put(o, word);
    if (!insn->ptx->scale_vecs)
        return;
    put(o, "block_scale");
    if (!mods->scale_vec && (insn->ptx->scale_vecs & LW_PTX_NO_VEC))
        return;
    snprintf(word, sizeof(word), "scale_vec::%uX", lw_ptx_scale_count(insn, mods));
    put(o, word);
}

static void put_mma(out *o, const lw_insn *insn, const lw_ptx_mods *mods)
{
    const lw_ptx_row *row = insn->ptx;
    put(o, "mma");
    if (row->form == LW_PTX_MMA_SP)
        put(o, lw_ptx_is_ordered(insn, mods) ? "sp::ordered_metadata" : "sp");
    put(o, "sync.aligned");
    put_shape(o, insn);
    put(o, mods->a_col ? "col" : "row");
    put(o, mods->b_row ? "row" : "col");
    if (mods->satfinite)
        put(o, "satfinite");
    if (mods->round)
        put(o, lw_ptx_round_names[mods->round]);
    put_kind(o, insn, mods);
    put_type(o, insn, LW_OPERAND_D, mods);
    put_type(o, insn, LW_OPERAND_A, mods);
    put_type(o, insn, LW_OPERAND_B, mods);
    put_type(o, insn, LW_OPERAND_C, mods);
    if (row->scale)
        put(o, lw_elem_rows[row->scale].name);
    if (row->binary)
        put(o, mods->op ? "and.popc" : "xor.popc");
}

static void put_wgmma(out *o, const lw_insn *insn, const lw_ptx_mods *mods)
{
    put(o, "wgmma.mma_async");
    if (lw_ptx_is_sparse(insn))
        put(o, "sp");
    put(o, "sync.aligned");
    put_shape(o, insn);
    if (mods->satfinite)
        put(o, "satfinite");
    put_type(o, insn, LW_OPERAND_D, mods);
    put_type(o, insn, LW_OPERAND_A, mods);
    put_type(o, insn, LW_OPERAND_B, mods);
    if (insn->ptx->binary)
        put(o, "and.popc");
}

/* The shape, the types and saturation are in PTX's instruction descriptor: see grammar.c. */
static void put_tensor(out *o, const lw_insn *insn, const lw_ptx_mods *mods)
{
    char word[32];
    put(o, lw_ptx_is_sparse(insn) ? "tcgen05.mma.sp" : "tcgen05.mma");
    snprintf(word, sizeof(word), "cta_group::1.kind::%s", lw_ptx_kind_names[insn->ptx->kind]);
    put(o, word);
    if (insn->ptx->scale) {
        const unsigned k = insn->ptx->kind == LW_PTX_KIND_MXF8F6F4 ? 32 : 64;
        snprintf(word, sizeof(word), "block_scale.block%u", k / lw_ptx_scale_count(insn, mods));
        put(o, word);
    }
    put_shape(o, insn);
    put_type(o, insn, LW_OPERAND_D, mods);
    put_type(o, insn, LW_OPERAND_A, mods);
    put_type(o, insn, LW_OPERAND_B, mods);
    if (insn->ptx->scale)
        put(o, lw_elem_rows[insn->ptx->scale].name);
    if (mods->satfinite)
        put(o, "satfinite");
}

static void put_wmma(out *o, const lw_insn *insn, const lw_ptx_mods *mods)
{
    put(o, "wmma.mma");
    if (insn->ptx->binary)
        put(o, mods->op ? "and.popc" : "xor.popc");
    put(o, "sync.aligned");
    put(o, mods->a_col ? "col" : "row");
    put(o, mods->b_row ? "row" : "col");
    put_shape(o, insn);
    if (mods->round)
        put(o, lw_ptx_round_names[mods->round]);
    put_type(o, insn, LW_OPERAND_D, mods);
    if (insn->ptx->data != LW_PTX_F16) {
        put_type(o, insn, LW_OPERAND_A, mods);
        put_type(o, insn, LW_OPERAND_B, mods);
    }
    put_type(o, insn, LW_OPERAND_C, mods);
    if (mods->satfinite)
        put(o, "satfinite");
}

static void put_space(out *o, const lw_ptx_mods *mods)
{
    if (mods->space)
        put(o, lw_ptx_space_names[mods->space]);
}

static void put_fragment(out *o, const lw_insn *insn, const lw_ptx_mods *mods)
{
    const char fragment[2] = { "abcd"[insn->ptx->fragment], '\0' };
    put(o, lw_ptx_form_names[insn->ptx->form]);
    put(o, fragment);
    put(o, "sync.aligned");
    put(o, mods->a_col || !(insn->ptx->layouts & LW_PTX_ROW_ONLY) ? "col" : "row");
    put_shape(o, insn);
    put_space(o, mods);
    put_type(o, insn, (lw_operand)insn->ptx->fragment, mods);
}

static void put_matrices(out *o, const lw_insn *insn, const lw_ptx_mods *mods)
{
    char count[8];
    put(o, lw_ptx_form_names[insn->ptx->form]);
    put(o, "sync.aligned");
    put_shape(o, insn);
    if (insn->ptx->counts) {
        snprintf(count, sizeof(count), "x%u", lw_ptx_matrix_count(mods));
        put(o, count);
    }
    if (mods->trans || insn->ptx->trans == LW_PTX_TRANS)
        put(o, "trans");
    put_space(o, mods);
    put_type(o, insn, (lw_operand)insn->ptx->fragment, mods);
}

void lw_ptx_spell(const lw_insn *insn, const lw_ptx_mods *mods, char text[LW_PTX_SPELLING_MAX])
{
    static void (*const writers[LW_PTX_FORM_COUNT])(out *, const lw_insn *, const lw_ptx_mods *) = {
        [LW_PTX_MMA] = put_mma,
        [LW_PTX_MMA_SP] = put_mma,
        [LW_PTX_WGMMA] = put_wgmma,
        [LW_PTX_WGMMA_SP] = put_wgmma,
        [LW_PTX_TCGEN05_MMA] = put_tensor,
        [LW_PTX_TCGEN05_MMA_SP] = put_tensor,
        [LW_PTX_WMMA_MMA] = put_wmma,
        [LW_PTX_WMMA_LOAD] = put_fragment,
        [LW_PTX_WMMA_STORE] = put_fragment,
        [LW_PTX_LDMATRIX] = put_matrices,
        [LW_PTX_STMATRIX] = put_matrices,
        [LW_PTX_MOVMATRIX] = put_matrices,
    };
    out o = { text, 0 };
    text[0] = '\0';
    writers[insn->ptx->form](&o, insn, mods);
}
