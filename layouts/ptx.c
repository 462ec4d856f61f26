/* SPDX-License-Identifier: MIT */
/*
 * Where a warp keeps matrix elements. A lane is a quad g = lane / 4 and a thread t = lane % 4 of it: in every
 * shape quads run over one coordinate and threads over the other. Rules: the PTX ISA manual's figures; equal
 * element for element to the layouts of CUTLASS's MMA and Copy traits, where CUTLASS has the instruction. The
 * fragments of wmma are those of the code that ptxas 13.0 makes for sm_75 and later.
 */
#include "isa_tables/ptx/row.h"
#include "layouts/ptx.h"

enum { QUADS = 8, THREADS = 4, QUAD = 4 /* lanes from one quad to the next */ };

/* Where 8-bit formats are possible, 4- and 6-bit elements occupy a byte too. */
static bool has_bytes(const lw_insn *insn)
{
    const lw_ptx_class data = (lw_ptx_class)insn->ptx->data;
    return data == LW_PTX_FP8 || data == LW_PTX_FLOAT8 || data == LW_PTX_NARROW;
}

static unsigned max_of(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned min_of(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* wmma's m8n32k16 is m32n8k16 with A and B, and rows and columns, exchanged. */
static bool is_turned(const lw_insn *insn)
{
    return insn->n > insn->m && !lw_ptx_is_warpgroup(insn);
}

/* Integer sums that are made of 8 x 8 products side by side (sums_of_quarters) are not exchanged. */
static bool is_sum_turned(const lw_layout *layout, const lw_insn *insn)
{
    return is_turned(insn) && !(lw_arch_traits_rows[layout->arch].sums_of_quarters &&
                                lw_insn_elem(insn, layout->operand, &layout->mods) == LW_ELEM_S32);
}

/*
 * Adjacent k fill a register's slots, then the threads of a quad; quads run over rows (columns). Further
 * registers: rows + 8, k, rows + 16 for A; k, columns + 8 for B.
 */
void lw_ptx_ab(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)mods;
    const bool is_a = layout->operand == LW_OPERAND_A;
    if (is_a && lw_ptx_is_sparse(insn))
        layout->relation.ks = insn->k / 2;
    const unsigned slot = has_bytes(insn) ? 8 : layout->relation.width, reg = max_of(32, slot),
                   slots = reg / slot;
    const unsigned outer = lw_outer(layout), runs = layout->relation.ks / (THREADS * slots);
    const bool rows_first = is_a != is_turned(insn);
    const unsigned early = rows_first ? min_of(outer / QUADS, 2) : 1;

    lw_digit_add(layout, slots, 0, slot, lw_ks(1));
    lw_digit_add(layout, THREADS, 1, 0, lw_ks(slots));
    lw_digit_add(layout, QUADS, QUAD, 0, lw_outers(layout, 1));
    lw_digit_add(layout, early, 0, reg, lw_outers(layout, QUADS));
    lw_digit_add(layout, runs, 0, reg * early, lw_ks(THREADS * slots));
    lw_digit_add(layout, outer / (QUADS * early), 0, reg * early * runs, lw_outers(layout, QUADS * early));

    /* The PTX ISA manual gives f16 fragments of wmma eight registers, of which some are copies. */
    const unsigned used = reg / 32 * early * runs * (outer / (QUADS * early));
    lw_digit_add(layout, layout->registers / used, 0, 32 * used, (lw_digit){ 0 });
    if (slot == 8 && layout->relation.width == 4)
        layout->relation.origin.bit = 2; /* e2m1 sits in bits 5:2 of its byte */
}

/* Two adjacent columns in a thread, columns over threads, rows over quads; then rows + 8, columns, rows + 16.
 */
void lw_ptx_cd(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    (void)mods;
    enum { PAIR = 2, WIDTH = PAIR * THREADS };
    const bool turned = is_sum_turned(layout, insn);
    const unsigned over_quads = turned ? insn->n : insn->m, over_threads = turned ? insn->m : insn->n;
    const unsigned pair = PAIR * layout->relation.width;
    const unsigned early = min_of(over_quads / QUADS, 2), runs = over_threads / WIDTH;
    lw_digit (*const quads)(unsigned) = turned ? lw_cols : lw_rows;
    lw_digit (*const threads)(unsigned) = turned ? lw_rows : lw_cols;

    lw_digit_add(layout, PAIR, 0, layout->relation.width, threads(1));
    lw_digit_add(layout, THREADS, 1, 0, threads(PAIR));
    lw_digit_add(layout, QUADS, QUAD, 0, quads(1));
    lw_digit_add(layout, early, 0, pair, quads(QUADS));
    lw_digit_add(layout, runs, 0, pair * early, threads(WIDTH));
    lw_digit_add(layout, over_quads / (QUADS * early), 0, pair * early * runs, quads(QUADS * early));
}

/*
 * The nibbles of sparse A, one for each chunk of k: two k of tf32, eight of a 4-bit format, four of the
 * others. 16- and 32-bit data: a word has four chunks of row g and of row g + 8; 8- and 4-bit data: a word
 * has eight chunks of one row. The selector says which threads of a quad contribute; with 0 the only one,
 * all do.
 */
void lw_ptx_index(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    enum { NIBBLE = 4, WORD = 32 };
    const unsigned bits = lw_elem_rows[lw_insn_elem(insn, LW_OPERAND_A, mods)].bits;
    const bool bytes = has_bytes(insn);
    const bool small = bytes || bits <= 8;
    const unsigned chunk = bits == 32 ? 2 : bits == 4 && !bytes ? 8 : 4;
    layout->relation.ks = insn->k / chunk;

    const unsigned across = small ? WORD / NIBBLE : WORD / NIBBLE / 2; /* chunks of a row per word */
    const unsigned words = layout->relation.ks / across;               /* words per row */
    const unsigned threads = words * (small ? 2 : 1);
    lw_digit_add(layout, across, 0, NIBBLE, lw_ks(1));
    lw_digit_add(layout, QUADS, QUAD, 0, lw_rows(1));
    if (small)
        lw_digit_add(layout, 2, 1, 0, lw_rows(QUADS));
    else
        lw_digit_add(layout, 2, 0, WORD / 2, lw_rows(QUADS));
    lw_digit_add(layout, words, small ? 2 : 1, 0, lw_ks(across));
    layout->relation.origin.lane = mods->ptx.selector * threads;
}

/* The rows of one warp are laid out like those of mma; warp w of the warpgroup has the 16 rows from 16 w
 * on. */
static void build_group(lw_layout *layout, const lw_insn *insn, const lw_mods *mods, lw_layout_builder *build)
{
    enum { WARP = 32, WARP_ROWS = 16 };
    lw_insn warp = *insn;
    const unsigned rows = layout->relation.rows;
    warp.m = WARP_ROWS;
    layout->relation.rows = WARP_ROWS;
    build(layout, &warp, mods);
    layout->relation.rows = rows;
    lw_digit_add(layout, rows / WARP_ROWS, WARP, 0, lw_rows(WARP_ROWS));
}

void lw_ptx_group_a(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    build_group(layout, insn, mods, lw_ptx_ab);
}

void lw_ptx_group_index(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    build_group(layout, insn, mods, lw_ptx_index);
}

void lw_ptx_group_cd(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    build_group(layout, insn, mods, lw_ptx_cd);
}

/*
 * Scale bytes: those of A's rows are in threads 2 * thread-id (rows 0..7) and 2 * thread-id + 1 (rows 8..15)
 * of a quad, those of B's columns in thread thread-id; those of further blocks of k in the bytes after
 * byte-id.
 */
void lw_ptx_scale(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    const bool is_a = layout->operand == LW_OPERAND_SCALE_A;
    const lw_ptx_mods *ptx = &mods->ptx;
    layout->relation.ks = lw_ptx_scale_count(insn, ptx);
    lw_digit_add(layout, layout->relation.ks, 0, 8, lw_ks(1));
    lw_digit_add(layout, QUADS, QUAD, 0, lw_outers(layout, 1));
    lw_digit_add(layout, lw_outer(layout) / QUADS, 1, 0, lw_outers(layout, QUADS));
    layout->relation.origin.lane = is_a ? 2 * ptx->thread_a : ptx->thread_b;
    layout->relation.origin.bit = 8 * (is_a ? ptx->byte_a : ptx->byte_b);
}

/*
 * m8n8k4 of f16. Product p has the lanes with lane / 4 % 4 == p. With q = lane % 4 in the lower half of the
 * warp and q + 4 in the upper half, q is a row (column). In the other layout, lane % 4 is k.
 */
void lw_ptx_quads_ab(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    enum { K = 4, UPPER = 16 };
    const bool is_a = layout->operand == LW_OPERAND_A;
    const bool other = is_a ? mods->ptx.a_col : mods->ptx.b_row;
    lw_digit_add(layout, K, 0, layout->relation.width, other ? lw_outers(layout, 1) : lw_ks(1));
    lw_digit_add(layout, THREADS, 1, 0, other ? lw_ks(1) : lw_outers(layout, 1));
    lw_digit_add(layout, insn->blocks, QUAD, 0, lw_blocks(1));
    lw_digit_add(layout, 2, UPPER, 0, lw_outers(layout, 4));
}

/* f16: a lane has a row. f32: a lane has 2x2 pairs, two rows apart and four columns apart. */
void lw_ptx_quads_cd(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    enum { UPPER = 16 };
    (void)mods;
    const unsigned w = layout->relation.width;
    if (w == 16) {
        lw_digit_add(layout, 8, 0, w, lw_cols(1));
        lw_digit_add(layout, THREADS, 1, 0, lw_rows(1));
    } else {
        lw_digit_add(layout, 2, 0, w, lw_cols(1));
        lw_digit_add(layout, 2, 0, 2 * w, lw_rows(2));
        lw_digit_add(layout, 2, 0, 4 * w, lw_cols(4));
        lw_digit_add(layout, 2, 1, 0, lw_rows(1));
        lw_digit_add(layout, 2, 2, 0, lw_cols(2));
    }
    lw_digit_add(layout, insn->blocks, QUAD, 0, lw_blocks(1));
    lw_digit_add(layout, 2, UPPER, 0, lw_rows(4));
}

static lw_digit in_row(const lw_layout *layout, unsigned stride)
{
    return layout->operand == LW_OPERAND_A ? lw_ks(stride) : lw_cols(stride);
}

/* Rows of 16 bytes: eight 16-bit or sixteen 8-bit elements (packed formats occupy a byte in a register). */
void lw_ptx_move(lw_layout *layout, const lw_insn *insn, const lw_mods *mods)
{
    const unsigned slot = insn->ptx->data == LW_PTX_B16 ? 16 : 8, slots = 32 / slot, in_a_row = 128 / slot;
    const bool mov = insn->ptx->form == LW_PTX_MOVMATRIX, mov_source = mov && layout->operand == LW_OPERAND_A;
    const bool trans = (mods->ptx.trans || insn->ptx->trans == LW_PTX_TRANS) && !mov_source;
    const bool is_store = insn->ptx->form == LW_PTX_STMATRIX;
    const unsigned rows = is_store && insn->m == 16 ? 8 : insn->m;
    layout->relation.rows = rows;
    layout->relation.cols = layout->operand == LW_OPERAND_A ? 1 : in_a_row;
    layout->relation.ks = layout->operand == LW_OPERAND_A ? in_a_row : 1;
    layout->relation.blocks = mov ? 1 : lw_ptx_matrix_count(&mods->ptx);

    /* Runs of adjacent elements fill the slots of a register; with .trans they run down the rows. */
    const unsigned run = is_store && slot == 8 ? 2 : slots;
    const unsigned per_matrix = rows * in_a_row * slot / 1024; /* registers */
    lw_digit_add(layout, run, 0, slot, trans ? lw_rows(1) : in_row(layout, 1));
    lw_digit_add(layout, slots / run, 0, slot * run, in_row(layout, QUADS));
    lw_digit_add(layout, THREADS, 1, 0, trans ? lw_rows(run) : in_row(layout, run));
    lw_digit_add(layout, QUADS, QUAD, 0, trans ? in_row(layout, 1) : lw_rows(1));
    lw_digit_add(layout, per_matrix, 0, 32, in_row(layout, QUADS));
    lw_digit_add(layout, layout->relation.blocks, 0, 32 * per_matrix, lw_blocks(1));
}
