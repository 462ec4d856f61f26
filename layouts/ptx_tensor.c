/* SPDX-License-Identifier: MIT */
/*
 * Where tcgen05.mma has its operands in tensor memory: 128 lanes, whose columns of 32 bits stand for
 * registers. Rules: CUTLASS's fragments of tensor memory (tmem_frg, tmem_e_frg) and the PTX ISA manual's
 * figures.
 */
#include "isa_tables/ptx/row.h"
#include "layouts/ptx.h"

enum { WORD = 32, QUARTER = 32 /* lanes that one warp of a warpgroup reaches */ };

/* A lane has a row; of 64 rows, 16 are in each quarter. */
static void rows_over_lanes(lw_layout *layout, const lw_insn *insn)
{
    enum { TALL = 128, FEW = 16 };
    if (insn->m == TALL) {
        lw_digit_add(layout, TALL, 1, 0, lw_rows(1));
        return;
    }
    lw_digit_add(layout, FEW, 1, 0, lw_rows(1));
    lw_digit_add(layout, insn->m / FEW, QUARTER, 0, lw_rows(FEW));
}

void lw_ptx_tensor_a(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)mods;
    rows_over_lanes(layout, insn);
    lw_digit_add(layout, layout->relation.ks, 0, layout->relation.width, lw_ks(1));
}

/* Each element has a column, f16 the lower half of one. */
void lw_ptx_tensor_cd(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)mods;
    rows_over_lanes(layout, insn);
    lw_digit_add(layout, insn->n, 0, WORD, lw_cols(1));
}

/*
 * The nibbles of sparse A, one for each chunk of k (as in lw_ptx_index). Data of at most 8 bits: a lane has
 * the 16 chunks of its row. Wider data: 16 lanes have 16 rows, a lane four chunks of two of them, eight rows
 * apart.
 */
void lw_ptx_tensor_index(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    enum { NIBBLE = 4, EIGHT = 8, FOUR = 4 };
    const unsigned bits = lw_elem_rows[lw_insn_elem(insn, LW_OPERAND_A, mods)].bits;
    const bool packed = insn->ptx->data == LW_PTX_E2M1;
    layout->relation.ks = insn->k / (bits == 32 ? 2u : packed ? 8u : 4u);
    if (bits <= 8) {
        rows_over_lanes(layout, insn);
        lw_digit_add(layout, layout->relation.ks, 0, NIBBLE, lw_ks(1));
        return;
    }
    lw_digit_add(layout, FOUR, 0, NIBBLE, lw_ks(1));
    lw_digit_add(layout, EIGHT, 1, 0, lw_rows(1));
    lw_digit_add(layout, 2, EIGHT, 0, lw_ks(FOUR));
    lw_digit_add(layout, 2, 0, WORD / 2, lw_rows(EIGHT));
    lw_digit_add(layout, insn->m / (2 * EIGHT), 2 * EIGHT, 0, lw_rows(2 * EIGHT));
}

/* The scales of 32 rows (columns) have a column, the bytes from the scale id on; every quarter has all of
 * them. */
void lw_ptx_tensor_scale(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    enum { BYTE = 8, QUARTERS = 4 };
    const unsigned outer = lw_outer(layout), first = outer < QUARTER ? outer : QUARTER;
    layout->relation.ks = lw_ptx_scale_count(insn, &mods->ptx);
    lw_digit_add(layout, layout->relation.ks, 0, BYTE, lw_ks(1));
    lw_digit_add(layout, first, 1, 0, lw_outers(layout, 1));
    lw_digit_add(layout, outer / first, 0, WORD, lw_outers(layout, first));
    lw_digit_add(layout, QUARTERS, QUARTER, 0, (lw_digit){ 0 });
    layout->relation.origin.bit =
        BYTE * (layout->operand == LW_OPERAND_SCALE_A ? mods->ptx.byte_a : mods->ptx.byte_b);
}

const char *lw_ptx_tensor_unknown(const lw_layout *layout)
{
    const lw_insn *insn = layout->insn;
    const lw_operand operand = (lw_operand)layout->operand;
    if (operand == LW_OPERAND_A && insn->ptx->data == LW_PTX_FLOAT8 && layout->relation.width < 8)
        return "where tensor memory has elements of 6 and 4 bits beside those of 8 is not known here";
    if (operand == LW_OPERAND_INDEX && insn->m != 128)
        return "where the metadata of 64 rows is in tensor memory is not known here; that of 128 rows is";
    if (operand == LW_OPERAND_SCALE_B && insn->n > QUARTER && insn->n % QUARTER)
        return "the scales of so many columns leave a part of a column of tensor memory free, which a layout "
               "cannot "
               "say; take N up to 32 or a multiple of 32";
    return NULL;
}
