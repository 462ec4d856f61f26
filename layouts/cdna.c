/* SPDX-License-Identifier: MIT */
/*
 * Where CDNA keeps matrix elements. Rules: AMD's matrix instruction calculator (equal element for
 * element on gfx942), AMD CDNA4 ISA manual for f8f6f4 and scales, published one-hot probes of a gfx950
 * for its doubled SMFMAC. All waves have 64 lanes.
 */
#include "layouts/cdna.h"

enum { WAVE = 64, INDEX_BITS = 4 };

/* A's rows and B's columns run over adjacent lanes in every CDNA layout. */
static void add_outer(lw_layout *layout)
{
    lw_digit_add(layout, lw_outer(layout), 1, 0, lw_outers(layout, 1));
}

/*
 * Adjacent k share a lane; blocks, then further runs of k, fill the wave. Sparse A follows the same rule over
 * its compressed k, and so does sparse B except where K is doubled.
 */
void lw_cdna_dense_ab(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)mods;
    const unsigned dim = lw_outer(layout), lane_groups = WAVE / (dim * insn->blocks);
    const unsigned per_lane = layout->relation.ks / lane_groups;
    lw_digit_add(layout, per_lane, 0, layout->relation.width, lw_ks(1));
    add_outer(layout);
    lw_digit_add(layout, insn->blocks, dim, 0, lw_blocks(1));
    lw_digit_add(layout, lane_groups, dim * insn->blocks, 0, lw_ks(per_lane));
}

/* 8-bit data comes in two runs of 16 k per lane, 6- and 4-bit data in one run of 32. */
void lw_cdna_f8f6f4_ab(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)insn;
    (void)mods;
    const unsigned dim = lw_outer(layout), lane_groups = WAVE / dim;
    const unsigned run = layout->relation.width == 8 ? 16 : 32;
    lw_digit_add(layout, run, 0, layout->relation.width, lw_ks(1));
    add_outer(layout);
    lw_digit_add(layout, lane_groups, dim, 0, lw_ks(run));
    lw_digit_add(layout, layout->relation.ks / (run * lane_groups), 0, run * layout->relation.width,
                 lw_ks(run * lane_groups));
}

/* Doubled K: B is in two halves, each laid out over all lanes, so lanes of A and B do not match. */
void lw_cdna_sparse_x2_b(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)insn;
    (void)mods;
    const unsigned dim = lw_outer(layout), lane_groups = WAVE / dim;
    const unsigned half = layout->relation.ks / lane_groups / 2;
    lw_digit_add(layout, half, 0, layout->relation.width, lw_ks(1));
    add_outer(layout);
    lw_digit_add(layout, lane_groups, dim, 0, lw_ks(half));
    lw_digit_add(layout, 2, 0, half * layout->relation.width, lw_ks(half * lane_groups));
}

static unsigned min_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* 32-bit C and D: four adjacent rows fill four registers; columns run over lanes. */
void lw_cdna_cd32(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)mods;
    enum { RUN = 4 };
    const unsigned m = insn->m, n = insn->n;
    const unsigned across = min_of(WAVE / n, m / RUN); /* runs of one block in different lanes */
    const unsigned blocks_across = min_of(WAVE / (n * across), insn->blocks); /* blocks side by side */
    const unsigned regs_of_block = m / across;
    lw_digit_add(layout, RUN, 0, 32, lw_rows(1));
    lw_digit_add(layout, n, 1, 0, lw_cols(1));
    lw_digit_add(layout, blocks_across, n, 0, lw_blocks(1));
    lw_digit_add(layout, across, blocks_across * n, 0, lw_rows(RUN));
    lw_digit_add(layout, m / (RUN * across), 0, 32 * RUN, lw_rows(RUN * across));
    lw_digit_add(layout, insn->blocks / blocks_across, 0, 32 * regs_of_block, lw_blocks(blocks_across));
}

/* 64-bit C and D: adjacent rows are in different lanes, unlike the 32-bit map. */
void lw_cdna_cd64(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)mods;
    const unsigned stripe = insn->n * insn->blocks, across = WAVE / stripe;
    lw_digit_add(layout, insn->n, 1, 0, lw_cols(1));
    lw_digit_add(layout, insn->blocks, insn->n, 0, lw_blocks(1));
    lw_digit_add(layout, across, stripe, 0, lw_rows(1));
    lw_digit_add(layout, insn->m / across, 0, 64, lw_rows(across));
}

/* The index of a group lies in the lane of the group's kept values. */
void lw_cdna_index(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    const unsigned lane_groups = WAVE / insn->m, per_lane = layout->relation.ks / lane_groups;
    const bool selects = mods->cbsz == 0 && lw_insn_index_sets(insn, WAVE) > 1;
    lw_digit_add(layout, per_lane, 0, INDEX_BITS, lw_ks(1));
    lw_digit_add(layout, insn->m, 1, 0, lw_rows(1));
    lw_digit_add(layout, lane_groups, insn->m, 0, lw_ks(per_lane));
    layout->relation.origin.bit = selects ? mods->abid * per_lane * INDEX_BITS : 0;
}

/* One E8M0 byte per row (or column) and 32 k; op_sel names the byte for the whole wave. */
void lw_cdna_scale(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)insn;
    const unsigned which = layout->operand == LW_OPERAND_SCALE_B;
    const unsigned byte = (mods->op_sel >> which & 1u) + 2 * (mods->op_sel_hi >> which & 1u);
    add_outer(layout);
    lw_digit_add(layout, layout->relation.ks, lw_outer(layout), 0, lw_ks(1));
    layout->relation.origin.bit = 8 * byte;
}

/* Splits the digit of blocks in two: blocks within a run no longer move the lane. */
void lw_cdna_share_blocks(lw_layout *layout, unsigned cbsz, unsigned abid)
{
    for (unsigned i = 0; i < layout->relation.digits && cbsz; i++) {
        lw_digit *d = &layout->relation.digit[i];
        if (!d->block)
            continue;
        const unsigned run = 1u << cbsz, stride = d->lane, runs = d->radix / run;
        *d = (lw_digit){ .radix = run, .block = 1 };
        layout->relation.origin.lane += abid * stride;
        lw_digit_add(layout, runs, stride * run, 0, lw_blocks(run));
        return;
    }
}

/* Splits the digit that spans the lane `boundary`, so that one digit begins exactly there. */
static void split_at_lane(lw_layout *layout, unsigned boundary)
{
    for (unsigned i = 0; i < layout->relation.digits; i++) {
        lw_digit *d = &layout->relation.digit[i];
        if (!d->lane || d->lane >= boundary || d->lane * (unsigned)d->radix <= boundary)
            continue;
        const unsigned low = boundary / d->lane;
        lw_digit high = *d;
        high.radix = d->radix / low;
        high.lane = boundary;
        high.row = d->row * low;
        high.col = d->col * low;
        high.k = d->k * low;
        high.block = d->block * low;
        d->radix = low;
        lw_digit_add(layout, high.radix, high.lane, high.bit, high);
        return;
    }
}

void lw_cdna_lane_pattern(lw_layout *layout, unsigned blgp)
{
    /* Lane l takes its value from lane l % `cut` + `first`, modulo 64: AMD's calculator, BLGP. */
    static const struct {
        uint8_t cut, first;
    } patterns[8] = { { 64, 0 }, { 32, 0 },  { 32, 32 }, { 64, 16 },
                      { 16, 0 }, { 16, 16 }, { 16, 32 }, { 16, 48 } };

    split_at_lane(layout, 16);
    split_at_lane(layout, 32);
    for (unsigned i = 0; i < layout->relation.digits; i++)
        if (layout->relation.digit[i].lane >= patterns[blgp].cut)
            layout->relation.digit[i].lane = 0;
    layout->relation.origin.lane += patterns[blgp].first;
}
