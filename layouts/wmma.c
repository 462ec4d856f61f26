/* SPDX-License-Identifier: MIT */
/*
 * Where RDNA and CDNA5 keep matrix elements. Rules: AMD's matrix instruction calculator for gfx11 and gfx12
 * (equal element for element); AMD CDNA5 ISA manual 7.12 and Composable Kernel's parameters for gfx1250.
 * Rows of A and columns of B, C and D run over 16 adjacent lanes in all of them.
 */
#include "layouts/wmma.h"

enum { LANES = 16 /* of one copy or one half of a matrix */, INDEX_BITS = 4, OP_SEL_D = 1 << 2 };

/* Adjacent k share a lane in runs; further runs go to other lanes, what then remains to further registers. */
typedef struct spread {
    unsigned run;
    unsigned lane[2]; /* where the second and third run go, as a distance in lanes; 0: to further registers */
} spread;

/* Where the width determines a run's length (gfx1250): 16 bytes of 16- and 8-bit data, more of packed 6-bit
 * data. */
static unsigned run_of_width(unsigned width)
{
    static const struct {
        uint8_t width, run;
    } runs[] = { { 64, 2 }, { 32, 2 }, { 16, 8 }, { 8, 16 }, { 6, 32 }, { 4, 32 } };
    unsigned i = 0;
    while (runs[i].width != width)
        i++;
    return runs[i].run;
}

static const lw_arch_traits *traits_of(const lw_layout *layout)
{
    return &lw_arch_traits_rows[layout->arch];
}

static spread spread_of(const lw_layout *layout, unsigned ks, unsigned width)
{
    const bool dense_of_sparse = layout->operand == LW_OPERAND_B && lw_insn_is_sparse(layout->insn);
    if (traits_of(layout)->runs_by_width)
        return (spread){ run_of_width(width) * (dense_of_sparse ? 2 : 1), { LANES, 0 } };
    if (width == 16)
        return (spread){ ks / 4, { LANES, layout->relation.lanes == 64 ? 2 * LANES : 0 } };
    /* a wave of 64 divides k by four, unless too little is left to fill a register */
    if (layout->relation.lanes == 64 && ks / 4 * width >= 32)
        return (spread){ ks / 4, { 2 * LANES, LANES } };
    return (spread){ ks / 2, { LANES, 0 } };
}

static void add_spread(lw_layout *layout, const spread *s, unsigned bits)
{
    unsigned k = s->run;
    lw_digit_add(layout, s->run, 0, bits, lw_ks(1));
    for (int i = 0; i < 2 && s->lane[i]; i++, k *= 2)
        lw_digit_add(layout, 2, s->lane[i], 0, lw_ks(k));
    lw_digit_add(layout, layout->relation.ks / k, 0, s->run * bits, lw_ks(k));
}

/* Sparse A is laid out over its compressed k, as a dense A of half the k would be. */
void lw_wmma_ab(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)insn;
    (void)mods;
    lw_digit_add(layout, LANES, 1, 0, lw_outers(layout, 1));
    const unsigned copy = traits_of(layout)->ab_lanes;
    if (copy) {
        /* every lane holds all k */
        lw_digit_add(layout, layout->relation.ks, 0, layout->relation.width, lw_ks(1));
        lw_digit_add(layout, layout->relation.lanes / copy, copy, 0, (lw_digit){ 0 });
        return;
    }
    const spread s = spread_of(layout, layout->relation.ks, layout->relation.width);
    add_spread(layout, &s, layout->relation.width);
    /* 32 rows: those from 16 on are in further registers */
    lw_digit_add(layout, lw_outer(layout) / LANES, 0, layout->relation.ks / 2u * layout->relation.width,
                 lw_outers(layout, LANES));
}

void lw_wmma_cd(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    const unsigned width = layout->relation.width;
    lw_digit_add(layout, insn->n, 1, 0, lw_cols(1));
    const lw_arch_traits *traits = traits_of(layout);
    if (traits->ab_lanes) {
        /* each copy of A and B produces every other row, or every fourth; op_sel names the half of a
         * register */
        const unsigned across = layout->relation.lanes / traits->ab_lanes;
        lw_digit_add(layout, across, traits->ab_lanes, 0, lw_rows(1));
        lw_digit_add(layout, insn->m / across, 0, traits->cd_bits, lw_rows(across));
        layout->relation.origin.bit = width == 16 && (mods->op_sel & OP_SEL_D) ? 16 : 0;
        return;
    }
    const bool wide = layout->relation.lanes == 64;
    lw_digit_add(layout, wide ? 4 : 8, 0, width, lw_rows(1));
    if (wide)
        lw_digit_add(layout, 2, 2 * LANES, 0, lw_rows(4));
    lw_digit_add(layout, 2, LANES, 0, lw_rows(8));
    lw_digit_add(layout, insn->m / LANES, 0, 8 * width, lw_rows(LANES));
}

/*
 * gfx12: a group's index is in the lane of its kept values. gfx1250: it need not be; the lower 16 lanes hold
 * the index of the lower half of k, whichever lanes hold the values.
 */
void lw_wmma_index(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    spread s = { layout->relation.ks / 2u, { LANES, 0 } };
    lw_digit_add(layout, LANES, 1, 0, lw_rows(1));
    const bool apart = traits_of(layout)->index_apart;
    if (!apart) {
        s = spread_of(layout, insn->k / 2u, lw_elem_rows[lw_insn_elem(insn, LW_OPERAND_A, mods)].bits);
        s.run /= 2; /* two kept values per group */
    }
    add_spread(layout, &s, INDEX_BITS);

    unsigned per_lane = layout->relation.ks;
    for (int i = 0; i < 2 && s.lane[i]; i++)
        per_lane /= 2;
    if (!apart)
        layout->relation.origin.bit = mods->index_key * per_lane * INDEX_BITS;
}

/* Byte q of the register (or pair) scales block q of k, in 16 lanes that a modifier names, or in all 32. */
void lw_wmma_scale(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)insn;
    const unsigned row = layout->operand == LW_OPERAND_SCALE_A ? mods->scale_row_a : mods->scale_row_b;
    lw_digit_add(layout, lw_outer(layout), 1, 0, lw_outers(layout, 1));
    lw_digit_add(layout, layout->relation.ks, 0, layout->relation.width, lw_ks(1));
    layout->relation.origin.lane = LANES * row;
}
