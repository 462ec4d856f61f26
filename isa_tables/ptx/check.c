/* SPDX-License-Identifier: MIT */
/* Which values of lw_mods.ptx are valid for which row. */
#include <stdio.h>
#include <string.h>

#include "isa_tables/error.h"
#include "isa_tables/ptx/row.h"

static bool class_has(const lw_ptx_row *row, uint8_t type)
{
    for (const uint8_t *t = lw_ptx_class_types((lw_ptx_class)row->data); *t; t++)
        if (*t == type)
            return true;
    return false;
}

/* A type is 0 or one that the column names. */
static bool type_fits(const lw_ptx_row *row, uint8_t column, uint8_t type)
{
    return type == 0 || (column == LW_ELEM_BY_TYPE ? class_has(row, type) : type == column);
}

static bool is_byte(lw_elem elem)
{
    return elem == LW_ELEM_E4M3 || elem == LW_ELEM_E5M2;
}

static lw_status check_types(const lw_insn *insn, const lw_ptx_mods *mods, lw_error *error)
{
    const lw_ptx_row *row = insn->ptx;
    if (!type_fits(row, insn->a, mods->a_type) || !type_fits(row, insn->b, mods->b_type) ||
        !type_fits(row, insn->c, mods->c_type) || !type_fits(row, insn->d, mods->d_type))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s does not have these element types", insn->mnemonic);
    const lw_elem a = lw_ptx_elem(insn, LW_OPERAND_A, mods), b = lw_ptx_elem(insn, LW_OPERAND_B, mods);
    if (row->same_types && a != b)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s needs one type for A and B", insn->mnemonic);
    if (row->data == LW_PTX_NARROW && is_byte(a) && is_byte(b))
        return lw_error_fail(error, LW_E_UNSUPPORTED,
                             "%s needs a type of fewer than eight bits; the instruction of fp8 is another",
                             insn->mnemonic);
    return LW_OK;
}

static bool layout_fits(const lw_ptx_row *row, const lw_ptx_mods *mods)
{
    if (mods->a_col > 1 || mods->b_row > 1)
        return false;
    if (!row->layouts || row->layouts == LW_PTX_COL_ONLY)
        return !mods->b_row && (row->layouts || !mods->a_col);
    return row->layouts >> (mods->a_col + 2 * mods->b_row) & 1;
}

static bool kind_fits(const lw_ptx_row *row, const lw_ptx_mods *mods)
{
    if (mods->kind && mods->kind != row->kind)
        return false;
    return mods->ordered <= 1 &&
           (mods->ordered ? row->sp & LW_PTX_SP_ORDERED : !mods->kind || !(row->sp & LW_PTX_SP));
}

static bool vec_fits(const lw_ptx_row *row, const lw_ptx_mods *mods)
{
    if (mods->scale_type && mods->scale_type != row->scale)
        return false;
    return !mods->scale_vec || (mods->scale_vec <= 4 && row->scale_vecs >> mods->scale_vec & 1);
}

static lw_status check_qualifiers(const lw_insn *insn, const lw_ptx_mods *mods, lw_error *error)
{
    const lw_ptx_row *row = insn->ptx;
    const bool space = row->form >= LW_PTX_WMMA_LOAD && row->form != LW_PTX_MOVMATRIX;
    const bool group = lw_ptx_is_warpgroup(insn), tensor = lw_ptx_is_tensor(insn);
    const struct {
        bool fits;
        const char *what;
    } parts[] = {
        { layout_fits(row, mods), "this layout" },
        { mods->satfinite <= row->satfinite, ".satfinite" },
        { mods->round <= (row->round ? LW_PTX_RP : 0), "a rounding" },
        { mods->op <= row->binary, ".and.popc" },
        { kind_fits(row, mods) || (!mods->ordered && !row->sp && mods->kind == row->kind),
          "this .kind:: or .sp::ordered_metadata" },
        { vec_fits(row, mods), "this .scale_vec or type of scales" },
        { mods->trans <= 1 && (!mods->trans || (row->trans & LW_PTX_TRANS)), ".trans" },
        { !mods->count || (mods->count <= 4 && (row->counts >> mods->count & 1)), "this number of matrices" },
        { mods->space <= (space ? 3 : 0), "a state space" },
        { mods->neg_a <= row->negates && mods->neg_b <= row->negates,
          tensor ? "negate-a and negate-b" : "imm-scale-a and imm-scale-b of -1" },
        { mods->no_c <= (group || tensor), "scale-d of 0" },
    };
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (!parts[i].fits)
            return lw_error_fail(error, LW_E_UNSUPPORTED, "%s does not take %s", insn->mnemonic,
                                 parts[i].what);
    return LW_OK;
}

static lw_status check_selectors(const lw_insn *insn, const lw_ptx_mods *mods, lw_error *error)
{
    const lw_ptx_row *row = insn->ptx;
    const unsigned scales = lw_ptx_scale_count(insn, mods);
    const char *id = lw_ptx_is_tensor(insn) ? "scale" : "byte";
    const unsigned most_byte = scales == 1 ? 3 : scales == 2 ? 2 : 0, step = scales == 2 ? 2 : 1;
    if (mods->selector && mods->selector >= row->selectors)
        return lw_error_fail(
            error, LW_E_UNSUPPORTED, "%s: sparsity selector %u; PTX defines 0 to %d for it%s%s",
            insn->mnemonic, mods->selector, row->selectors ? row->selectors - 1 : 0,
            row->selectors && row->note ? ": " : "", row->selectors && row->note ? row->note : "");
    if (mods->byte_a > most_byte || mods->byte_b > most_byte || mods->byte_a % step || mods->byte_b % step)
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: %s-id-a %u, %s-id-b %u; it takes %s",
                             insn->mnemonic, id, mods->byte_a, id, mods->byte_b,
                             scales == 1   ? "0 to 3 (one scale a row)"
                             : scales == 2 ? "0 or 2 (two scales a row)"
                                           : "0 only");
    if (lw_ptx_is_tensor(insn) && (mods->thread_a || mods->thread_b))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: scales in tensor memory have no thread-id",
                             insn->mnemonic);
    if (mods->thread_a > (scales ? 1 : 0) || mods->thread_b > (scales ? 3 : 0))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s: thread-id-a %u, thread-id-b %u; it takes %s",
                             insn->mnemonic, mods->thread_a, mods->thread_b,
                             scales ? "0 or 1 and 0 to 3" : "no scales");
    return LW_OK;
}

static bool has_amd_fields(const lw_mods *m)
{
    return m->cbsz | m->abid | m->blgp | m->neg | m->op_sel | m->op_sel_hi | m->neg_lo | m->neg_hi |
           m->clamp | m->index_key | m->scale_row_a | m->scale_row_b | m->scale_fmt_a | m->scale_fmt_b |
           m->reuse_a | m->reuse_b | m->readings;
}

lw_status lw_ptx_check(lw_arch arch, const lw_insn *insn, const lw_mods *mods, lw_error *error)
{
    const lw_mods none = { 0 };
    mods = mods ? mods : &none;
    const lw_ptx_mods *ptx = &mods->ptx;
    if (has_amd_fields(mods) || (mods->wave != 0 && mods->wave != lw_ptx_lanes(insn)))
        return lw_error_fail(error, LW_E_UNSUPPORTED, "%s takes no modifiers of AMD's; %s has %u lanes",
                             insn->mnemonic,
                             lw_ptx_is_tensor(insn)      ? "tensor memory"
                             : lw_ptx_is_warpgroup(insn) ? "a warpgroup"
                                                         : "a warp",
                             lw_ptx_lanes(insn));
    lw_status st = check_types(insn, ptx, error);
    if (st == LW_OK)
        st = check_qualifiers(insn, ptx, error);
    if (st == LW_OK)
        st = check_selectors(insn, ptx, error);
    if (st != LW_OK || (lw_ptx_archs(insn, ptx) >> arch & 1u))
        return st;
    char spelling[LW_PTX_SPELLING_MAX], names[160];
    lw_ptx_spell(insn, ptx, spelling);
    lw_ptx_name_archs(lw_ptx_archs(insn, ptx), names, sizeof(names));
    return lw_error_fail(error, LW_E_ARCH, "%s has no %s; it is an instruction of %s",
                         lw_arch_get(arch)->name, spelling, names);
}
