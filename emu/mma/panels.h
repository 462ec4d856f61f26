/* SPDX-License-Identifier: MIT */
/* Executing a prepared instruction by the panel kernels. */
#ifndef LW_EMU_MMA_PANELS_H
#define LW_EMU_MMA_PANELS_H

#include "emu/fast/panel.h"
#include "emu/mma/mma.h"

/* Scales: bits shift[q]..shift[q]+7 of the moved words of scale block q. */
typedef struct lw_mma_scale_move {
    lw_move move;
    uint8_t shift[LW_PANEL_MAX_SCALES / LW_PANEL];
    uint16_t stride; /* words of a scale block */
} lw_mma_scale_move;

struct lw_mma_panels {
    lw_panel_shape shape;
    lw_panel_fn fn;
    lw_move_fn run_move;
    bool swapped;                      /* lanes are rows */
    bool s_direct;                     /* A's registers are the image of S */
    bool in_place;                     /* the kernel may be given d == c */
    bool same_runs;                    /* those of C and D are the same register words */
    uint8_t planes;                    /* words of an element of C and D */
    lw_move s, v, c, d;                /* d: to registers; without chunks where its runs are register words */
    lw_move order_v, tile4_c, tile4_d; /* panels of four by four, from and to dense images of matrices */
    lw_mma_scale_move scale_s, scale_v;
    uint16_t *index_word; /* sparse: register word and shift of each index, [k / 2][lane of V] */
    uint8_t *index_shift;
    unsigned indices;
    uint16_t runs, a_words, b_words, scale_a_words, scale_b_words, index_words, d_words; /* of registers */
    uint16_t c_at[LW_PANEL_RUNS], d_at[LW_PANEL_RUNS], dense_at[LW_PANEL_RUNS];
    uint8_t column[LW_PANEL]; /* panels of four by four: columns in the order of the lanes */
};

/* Row or column of S and of V, and the block, of lane t of a run. */
typedef struct lw_mma_panel_place {
    uint16_t block, s, v;
    uint16_t v_lane; /* of V in the kernel's order */
} lw_mma_panel_place;
lw_mma_panel_place lw_mma_panels_place(const lw_mma_panels *p, unsigned run, unsigned t);

/*
 * Prepares kernel and rearrangements; mma->panels stays NULL where there is no kernel for the instruction or
 * its operands are not made of whole words. LW_E_NO_MEMORY.
 */
lw_status lw_mma_panels_make(lw_mma *mma, lw_fast_isa isa);
void lw_mma_panels_free(lw_mma_panels *panels);

/* Computes D; false when another way has to (D may then be partly written if it overlaps no source). No bits
 * of MODE may be acting, and the pointers must have been checked. */
bool lw_mma_panels_run(const lw_mma *mma, const lw_mma_registers *regs);

/* May mat->d be the `d` of the next? So where it is written last, or where C and D are the kernel's own runs
 * and it never gives up. */
bool lw_mma_panels_writes_matrix(const lw_mma *mma, const lw_mma_matrices *mat);

/* The same from matrices; `d` becomes the dense image of D (LW_TILE_CD_WORDS). */
bool lw_mma_panels_run_matrices(const lw_mma *mma, const lw_mma_matrices *mat, uint32_t *d);

/* Where the operands come from: one of the two. */
typedef struct lw_mma_source {
    const lw_mma_registers *regs;
    const lw_mma_matrices *mat;
} lw_mma_source;

/* Calls the kernel, then computes what it marked for the reference. False: another way has to. */
bool lw_mma_panels_call(const lw_mma *mma, const lw_mma_source *source, lw_panels *panels);

#endif
