/* SPDX-License-Identifier: MIT */
#include "isa_tables/ptx/wgmma.h"

#include <string.h>

#include "isa_tables/ptx/row_macros.h"

#define WGMMA(pre_, post_, form_, k_, data_, d_, family_, dot_, ...)                                         \
    PTX_ROW(pre_ "m64nN" post_, form_, 16, 8, k_, 1, PTX_ELEM_##data_, PTX_ELEM_##data_, LW_ELEM_##d_,       \
            LW_ELEM_##d_, family_, dot_, SM_(90), .data = LW_PTX_##data_, .layouts = LW_PTX_ROW_COL,         \
            .part = true, .negates = PTX_NEGATES(data_), .isa = __VA_ARGS__)
static const lw_insn parts[] = {
#include "isa_tables/ptx/wgmma.inc"
};
#undef WGMMA

#define WGMMA(...)                                                                                           \
    PTX_WGMMA(16, __VA_ARGS__)                                                                               \
    PTX_WGMMA(24, __VA_ARGS__)                                                                               \
    PTX_WGMMA(32, __VA_ARGS__)                                                                               \
    PTX_WGMMA(40, __VA_ARGS__)                                                                               \
    PTX_WGMMA(48, __VA_ARGS__)                                                                               \
    PTX_WGMMA(56, __VA_ARGS__)                                                                               \
    PTX_WGMMA(64, __VA_ARGS__)                                                                               \
    PTX_WGMMA(72, __VA_ARGS__)                                                                               \
    PTX_WGMMA(80, __VA_ARGS__)                                                                               \
    PTX_WGMMA(88, __VA_ARGS__)                                                                               \
    PTX_WGMMA(96, __VA_ARGS__)                                                                               \
    PTX_WGMMA(104, __VA_ARGS__)                                                                              \
    PTX_WGMMA(112, __VA_ARGS__)                                                                              \
    PTX_WGMMA(120, __VA_ARGS__)                                                                              \
    PTX_WGMMA(128, __VA_ARGS__)                                                                              \
    PTX_WGMMA(136, __VA_ARGS__)                                                                              \
    PTX_WGMMA(144, __VA_ARGS__)                                                                              \
    PTX_WGMMA(152, __VA_ARGS__)                                                                              \
    PTX_WGMMA(160, __VA_ARGS__)                                                                              \
    PTX_WGMMA(168, __VA_ARGS__)                                                                              \
    PTX_WGMMA(176, __VA_ARGS__)                                                                              \
    PTX_WGMMA(184, __VA_ARGS__)                                                                              \
    PTX_WGMMA(192, __VA_ARGS__)                                                                              \
    PTX_WGMMA(200, __VA_ARGS__)                                                                              \
    PTX_WGMMA(208, __VA_ARGS__)                                                                              \
    PTX_WGMMA(216, __VA_ARGS__)                                                                              \
    PTX_WGMMA(224, __VA_ARGS__)                                                                              \
    PTX_WGMMA(232, __VA_ARGS__)                                                                              \
    PTX_WGMMA(240, __VA_ARGS__)                                                                              \
    PTX_WGMMA(248, __VA_ARGS__)                                                                              \
    PTX_WGMMA(256, __VA_ARGS__)
static const lw_insn wide[] = {
#include "isa_tables/ptx/wgmma.inc"
};
#undef WGMMA

enum { PARTS = sizeof(parts) / sizeof(parts[0]), WIDE = sizeof(wide) / sizeof(wide[0]) };

/* Do the two differ only in N, or is one a part of the other? */
static bool is_kin(const lw_insn *a, const lw_insn *b)
{
    return a->ptx->data == b->ptx->data && a->k == b->k && a->d == b->d &&
           lw_ptx_is_sparse(a) == lw_ptx_is_sparse(b);
}

/* Columns of integers and bits: multiples of 16 from 32 on (ptxas 13.0; the manual's list ends at 224). */
bool lw_wgmma_has_width(const lw_insn *insn, unsigned n)
{
    enum { STEP = 8, MOST = 256, LAST_ODD = 32 };
    const unsigned step = insn->d == LW_ELEM_S32 && n > LAST_ODD ? 2 * STEP : STEP;
    return lw_ptx_is_warpgroup(insn) && n >= STEP && n <= MOST && n % step == 0;
}

const lw_insn *lw_wgmma_of_width(const lw_insn *insn, unsigned n)
{
    if (!lw_wgmma_has_width(insn, n))
        return NULL;
    if (insn->n == n)
        return insn;
    for (size_t i = 0; i < WIDE; i++)
        if (wide[i].n == n && is_kin(&wide[i], insn))
            return &wide[i];
    for (size_t i = 0; i < lw_insn_row_count; i++)
        if (lw_ptx_is_warpgroup(&lw_insn_rows[i]) && lw_insn_rows[i].n == n && is_kin(&lw_insn_rows[i], insn))
            return &lw_insn_rows[i];
    return NULL;
}

const lw_insn *lw_wgmma_wide_at(size_t index)
{
    return index < WIDE ? &wide[index] : NULL;
}

const lw_insn *lw_wgmma_part_of(const lw_insn *insn)
{
    for (size_t i = 0; i < PARTS && lw_ptx_is_warpgroup(insn); i++)
        if (is_kin(&parts[i], insn))
            return &parts[i];
    return NULL;
}

const lw_insn *lw_wgmma_part(const char *name)
{
    for (size_t i = 0; i < PARTS; i++)
        if (strcmp(parts[i].mnemonic, name) == 0)
            return &parts[i];
    return NULL;
}

lw_mods lw_wgmma_part_mods(const lw_insn *insn, const lw_mods *mods)
{
    lw_mods part = { .ptx = mods->ptx };
    part.ptx.a_col = part.ptx.b_row = part.ptx.no_c = 0;
    part.ptx.op = insn->ptx->binary; /* the only operation is .and.popc */
    return part;
}
