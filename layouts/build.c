/* SPDX-License-Identifier: MIT */
/* Choosing the layout value for an operand. */
#include "isa_tables/error.h"
#include "layouts/cdna.h"

enum { SCALE_BLOCK = 32 /* k per scale: AMD CDNA4 ISA manual */ };

static void set_extents(lw_layout *layout, const lw_insn *insn)
{
    const unsigned k = insn->k;
    layout->rows = layout->cols = layout->ks = 1;
    layout->blocks = insn->blocks;
    switch ((lw_operand)layout->operand) {
    case LW_OPERAND_A:
        layout->rows = insn->m;
        layout->ks = (uint16_t)(lw_insn_is_sparse(insn) ? k / 2 : k);
        return;
    case LW_OPERAND_B:
        layout->cols = insn->n;
        layout->ks = (uint16_t)k;
        return;
    case LW_OPERAND_C:
    case LW_OPERAND_D:
        layout->rows = insn->m;
        layout->cols = insn->n;
        return;
    case LW_OPERAND_INDEX:
        layout->rows = insn->m;
        layout->ks = (uint16_t)(k / 4);
        return;
    case LW_OPERAND_SCALE_A:
        layout->rows = insn->m;
        layout->ks = (uint16_t)(k / SCALE_BLOCK);
        return;
    case LW_OPERAND_SCALE_B:
        layout->cols = insn->n;
        layout->ks = (uint16_t)(k / SCALE_BLOCK);
        return;
    case LW_OPERAND_COUNT:
        return;
    }
}

/* Where A and B sit, by family. */
static const struct {
    lw_cdna_build *a, *b;
} families[] = {
    [LW_FAMILY_MFMA] = { lw_cdna_dense_ab, lw_cdna_dense_ab },
    [LW_FAMILY_SMFMAC] = { lw_cdna_dense_ab, lw_cdna_dense_ab },
    [LW_FAMILY_SMFMAC_X2] = { lw_cdna_dense_ab, lw_cdna_sparse_x2_b },
    [LW_FAMILY_F8F6F4] = { lw_cdna_f8f6f4_ab, lw_cdna_f8f6f4_ab },
};

static lw_cdna_build *choose(const lw_layout *layout, const lw_insn *insn)
{
    switch ((lw_operand)layout->operand) {
    case LW_OPERAND_A:
        return families[insn->layout].a;
    case LW_OPERAND_B:
        return families[insn->layout].b;
    case LW_OPERAND_C:
    case LW_OPERAND_D:
        return layout->width == 64 ? lw_cdna_cd64 : lw_cdna_cd32;
    case LW_OPERAND_INDEX:
        return lw_cdna_index;
    case LW_OPERAND_SCALE_A:
    case LW_OPERAND_SCALE_B:
    case LW_OPERAND_COUNT:
        break;
    }
    return lw_cdna_scale;
}

/* Modifiers that move whole blocks or lanes; the others are constants of the families. */
static void apply_mods(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    const bool pattern = insn->mods == LW_MODS_DENSE_BLOCKS || insn->mods == LW_MODS_DENSE_BLGP ||
                         (insn->mods == LW_MODS_DENSE_NONE && (mods->assume & LW_ASSUME_BLGP_PATTERN));
    if (layout->operand == LW_OPERAND_A && insn->mods == LW_MODS_DENSE_BLOCKS)
        lw_cdna_share_blocks(layout, mods->cbsz, mods->abid);
    if (layout->operand == LW_OPERAND_B && pattern && mods->blgp)
        lw_cdna_lane_pattern(layout, mods->blgp);
}

lw_status lw_layout_build(lw_arch arch, const lw_insn *insn, lw_operand operand, unsigned wave,
                          const lw_mods *mods, lw_layout *layout, lw_error *error)
{
    const lw_mods none = { 0 };
    lw_operand_info shape;
    const lw_status st = lw_insn_operand(arch, insn, operand, mods, &shape, error);
    if (st != LW_OK)
        return st;
    if (wave != 0 && wave != 64)
        return lw_error_fail(error, LW_E_ARGUMENT, "%s runs in waves of 64 lanes only, not %u",
                             insn->mnemonic, wave);
    if (!mods)
        mods = &none;

    lw_layout built = {
        .width = shape.element_bits,
        .wave = 64,
        .registers = shape.registers,
        .operand = (uint8_t)operand,
        .elem = (uint8_t)lw_insn_elem(insn, operand, mods),
        .insn = insn,
        .arch = arch,
        .mods = *mods,
    };
    set_extents(&built, insn);
    choose(&built, insn)(&built, insn, mods);
    apply_mods(&built, insn, mods);
    *layout = built;
    return LW_OK;
}
