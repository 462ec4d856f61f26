/* SPDX-License-Identifier: MIT */
/* Executing a prepared instruction by the panel kernels. */
#ifndef LW_EMU_MMA_PANELS_H
#define LW_EMU_MMA_PANELS_H

#include "emu/fast/look.h"
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
    const lw_look *look;  /* NULL: aspects are told from the tile only */
    bool swapped;         /* lanes are rows */
    bool s_direct;        /* A's registers are the image of S */
    bool in_place;        /* the kernel may be given d == c */
    bool same_runs;       /* those of C and D are the same register words */
    uint8_t planes;       /* words of an element of C and D */
    uint8_t rows, across; /* of a block: of A; squares beside each other */
    lw_move s, v, c, d;   /* d: to registers; without chunks where its runs are register words */
    /* Panels of four by four and squares: from and to dense images of matrices. order_s: squares. */
    lw_move order_s, order_v, dense_c, dense_d;
    lw_mma_scale_move scale_s, scale_v;
    uint16_t *index_word; /* sparse: register word and shift of each index, [k / 2][lane of V] */
    uint8_t *index_shift;
    unsigned indices;
    uint16_t runs, a_words, b_words, scale_a_words, scale_b_words, index_words, d_words; /* of registers */
    uint16_t c_at[LW_PANEL_RUNS], d_at[LW_PANEL_RUNS], dense_at[LW_PANEL_RUNS];
    uint8_t column[LW_PANEL]; /* panels of four by four: columns in the order of the lanes */
    bool evens;               /* that order is: of every eight the even ones, then the odd ones */
};

/* Row or column of S and of V, and the block, of lane t of a run; and what the kernel calls them. */
typedef struct lw_mma_panel_place {
    uint16_t block, s, v;
    uint16_t image, s_lane, v_lane;
} lw_mma_panel_place;
lw_mma_panel_place lw_mma_panels_place(const lw_mma_panels *p, unsigned run, unsigned t);

/*
 * Prepares kernel and rearrangements; mma->panels stays NULL where there is no kernel for the instruction or
 * its operands are not made of whole words. LW_E_NO_MEMORY.
 */
lw_status lw_mma_panels_make(lw_mma *mma, lw_fast_isa isa);
void lw_mma_panels_free(lw_mma_panels *panels);

/* Steps of preparing: a move of so many chunks, whose `from` are then filled in; and what follows. */
lw_status lw_mma_move_make(size_t chunks, lw_move *move);
void lw_mma_move_finish(lw_move *move);

/* Panels of four by four. Are C's registers runs of four rows by four columns? `column` becomes the order of
 * columns: a four's are those that row 0 has in four neighbouring words. */
bool lw_mma_tile4_find(const lw_mma *mma, uint8_t column[LW_PANEL]);
/* Words of a side: by q, then by row and t, or by t and column (`column` not NULL). */
lw_status lw_mma_tile4_side(const lw_mma_port *port, unsigned count, const uint8_t *column, lw_move *move);

/* Squares: are there any, and the shape with them; places; words of S (`is_b` false) and of V. */
bool lw_mma_squares_find(const lw_mma *mma, lw_mma_panels *p);
lw_mma_panel_place lw_mma_squares_place(const lw_mma_panels *p, unsigned run, unsigned t);
lw_status lw_mma_squares_side(const lw_mma *mma, const lw_mma_panels *p, bool is_b, lw_move *move);

/* Both: the moves from and to dense images. */
lw_status lw_mma_fours_dense(const lw_mma *mma, lw_mma_panels *p);

/* Aspects that are looked for: those not known before are added to `touched`. */
typedef struct lw_mma_notes {
    uint32_t known, touched;
    bool c_is_gone;     /* D took C's place, which held nothing that matters */
    bool sides_normal;  /* A and B are known to hold no subnormal number */
    bool expects_zeros; /* D's zeros are looked for at once; set to whether the next tile's should be */
} lw_mma_notes;

/* Computes D; false when another way has to (D may then be partly written if it overlaps no source). No bits
 * of MODE may be acting, and the pointers must have been checked. `notes` may be NULL; else there is a
 * `look`. */
bool lw_mma_panels_run(const lw_mma *mma, const lw_mma_registers *regs, lw_mma_notes *notes);

/* Before the kernel runs: may D take C's place, and nothing be missed afterwards? */
bool lw_mma_note_c(const lw_mma *mma, const lw_panels *panels, const lw_mma_notes *notes);
/* After it: what operands and D, all as the kernel had them, touch. c_runs: of one
 * element, where all of C is constant. */
void lw_mma_note_d(const lw_mma *mma, const lw_panels *panels, unsigned c_runs, lw_mma_notes *notes);

/* Does none of the words of x stand among those of y? */
static inline bool lw_mma_apart(const uint32_t *x, size_t x_words, const uint32_t *y, size_t y_words)
{
    return (uintptr_t)(x + x_words) <= (uintptr_t)y || (uintptr_t)(y + y_words) <= (uintptr_t)x;
}

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
