/* SPDX-License-Identifier: MIT */
/* Executing a prepared instruction with the panel kernels. */
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
    const lw_words *words;
    const lw_look *look;  /* NULL: aspects are found in the tile only */
    bool swapped;         /* lanes are rows */
    bool s_direct;        /* A's registers are already the image of S */
    bool in_place;        /* the kernel may be given d == c */
    bool same_runs;       /* runs of C and D are in the same register words */
    uint8_t planes;       /* words per element of C and D */
    uint8_t rows, across; /* of a block: rows of A; squares side by side */
    lw_move s, v, c, d;   /* d: to registers; no chunks where its runs are register words */
    /* Tiles of four and squares: from and to dense images of matrices. order_s: squares only. */
    lw_move order_s, order_v, dense_c, dense_d;
    lw_mma_scale_move scale_s, scale_v;
    lw_index index; /* sparse: by [k / 2][lane of V] */
    uint16_t runs, a_words, b_words, scale_a_words, scale_b_words, index_words, d_words; /* of registers */
    uint16_t c_at[LW_PANEL_RUNS], d_at[LW_PANEL_RUNS], dense_at[LW_PANEL_RUNS];
    /* If C and D pass through buffers (lw_mma_converts), for each lane of each run: half words of the
     * registers of C and of D, and the number of the element. NULL otherwise; dense_c and dense_d are empty
     * then, and so are c and d where elements move one by one. */
    uint16_t *c_half, *d_half, *element;
    uint8_t c_order, d_order; /* lw_mma_order */
    lw_spread spread;         /* sparse A is made dense, because kernels take no such sparse operand */
    uint8_t column[LW_PANEL]; /* tiles of four: columns in the order of the lanes */
    bool evens;               /* that order is, for every eight columns: the even ones, then the odd ones */
};

/* How the halves of sixteen words are elements of runs: one by one; whole words are elements; of two runs,
 * the same lane; of two runs, neighbouring lanes. */
typedef enum lw_mma_order {
    LW_MMA_ORDER_NONE,
    LW_MMA_ORDER_WORDS,
    LW_MMA_ORDER_SAME,
    LW_MMA_ORDER_BESIDE
} lw_mma_order;

/* Row or column of S and of V, and the block, for lane t of a run; and the kernel's numbers for them. */
typedef struct lw_mma_panel_place {
    uint16_t block, s, v;
    uint16_t image, s_lane, v_lane;
} lw_mma_panel_place;
lw_mma_panel_place lw_mma_panels_place(const lw_mma_panels *p, unsigned run, unsigned t);

/*
 * Prepares kernel and moves. mma->panels stays NULL where there is no kernel for the instruction or where its
 * operands do not consist of whole words. LW_E_NO_MEMORY.
 */
lw_status lw_mma_panels_make(lw_mma *mma, lw_fast_isa isa);
void lw_mma_panels_free(lw_mma_panels *panels);

/* Steps of preparation: allocates a move of so many chunks, whose `from` are then filled in; derives the rest
 * of the move. */
lw_status lw_mma_move_make(size_t chunks, lw_move *move);
void lw_mma_move_finish(lw_move *move);

/* Tiles of four. Are C's registers runs of four rows by four columns? `column` becomes the order of columns:
 * four consecutive entries are the columns that row 0 has in four neighbouring words. */
bool lw_mma_tile4_find(const lw_mma *mma, uint8_t column[LW_PANEL]);
/* Words of a side: by q, then by row and t or, with `column`, by t and column. */
lw_status lw_mma_tile4_side(const lw_mma_port *port, unsigned count, const uint8_t *column, lw_move *move);

/* Squares: whether there are any of that edge, which also sets the shape; their places; words of S (`is_b`
 * false) and of V. */
bool lw_mma_squares_find(const lw_mma *mma, unsigned edge, lw_mma_panels *p);
lw_mma_panel_place lw_mma_squares_place(const lw_mma_panels *p, unsigned run, unsigned t);
lw_status lw_mma_squares_side(const lw_mma *mma, const lw_mma_panels *p, bool is_b, lw_move *move);

/* For both: the moves from and to dense images. */
lw_status lw_mma_fours_dense(const lw_mma *mma, lw_mma_panels *p);

/* Are C and D converted on their way, and can they be? */
bool lw_mma_converts(const lw_mma *mma);
bool lw_mma_can_convert(const lw_mma *mma);
lw_status lw_mma_convert_make(const lw_mma *mma, lw_mma_panels *panels);

/* Is sparse A made dense? */
bool lw_mma_spreads(const lw_mma *mma);

/* Are the index's nibbles of eight rows at the same places of their words? */
bool lw_mma_index_is_level(const lw_mma_port *port, unsigned rows);

/* The order of groups: a recipe's split. False where a group is not within one part. */
bool lw_mma_order_groups(const lw_mma *mma, lw_panel_shape *shape);

/* Aspects that are looked for; those not known before are added to `touched`. */
typedef struct lw_mma_notes {
    uint32_t known, touched;
    bool c_is_gone;        /* D overwrote C, which held nothing that matters */
    bool sides_normal;     /* A and B are known to hold no subnormal number */
    uint8_t expects_zeros; /* lw_panel_padded: D's zeros are looked for at once; set to what is expected of
                              the next tile */
} lw_mma_notes;

/* Computes D. False when another method is needed; D may then be partly written unless it overlaps a source.
 * MODE must have no effect, and the pointers must have been checked. `notes` may be NULL; otherwise there
 * must be a `look`. */
bool lw_mma_panels_run(const lw_mma *mma, const lw_mma_registers *regs, lw_mma_notes *notes);

/* Before the kernel runs: may D overwrite C without anything being missed afterwards? */
bool lw_mma_note_c(const lw_mma *mma, const lw_panels *panels, const lw_mma_notes *notes);
/* Is there anything left that lw_mma_note_d looks for among floating-point numbers? Then panels->quiet must
 * be set, to what this has filled in. kept: as in lw_panel_quiet. */
bool lw_mma_note_quiet(const lw_mma *mma, const lw_mma_notes *notes, uint32_t *kept, lw_panel_quiet *quiet);
/* After it: what operands and D, as the kernel used them, touch. c_runs: the runs of C; those of one element
 * where all of C is constant. */
void lw_mma_note_d(const lw_mma *mma, const lw_panels *panels, unsigned c_runs, lw_mma_notes *notes);

/* Do the words of x and those of y not overlap? */
static inline bool lw_mma_apart(const uint32_t *x, size_t x_words, const uint32_t *y, size_t y_words)
{
    return (uintptr_t)(x + x_words) <= (uintptr_t)y || (uintptr_t)(y + y_words) <= (uintptr_t)x;
}

/* May mat->d be passed as `d` to lw_mma_panels_run_matrices? Yes if it is written last, or if C and D are the
 * kernel's own runs and the kernel never gives up. */
bool lw_mma_panels_writes_matrix(const lw_mma *mma, const lw_mma_matrices *mat);

/* The same from matrices; `d` becomes the dense image of D (LW_TILE_CD_WORDS). */
bool lw_mma_panels_run_matrices(const lw_mma *mma, const lw_mma_matrices *mat, uint32_t *d);

/* Where the operands come from: exactly one of the two. */
typedef struct lw_mma_source {
    const lw_mma_registers *regs;
    const lw_mma_matrices *mat;
} lw_mma_source;

/* C as binary32, by run. */
void lw_mma_convert_c(const lw_mma *mma, const lw_mma_source *source, uint32_t *words);
/* D's codes from the accumulators, in place; with the default floating-point control word only. Then to
 * registers or to the dense image. */
void lw_mma_convert_d(const lw_mma *mma, uint32_t *words);
void lw_mma_convert_to_registers(const lw_mma *mma, const uint32_t *words, uint32_t *registers);
void lw_mma_convert_to_image(const lw_mma *mma, const uint32_t *words, uint32_t *image);

/* Calls the kernel, then computes what it marked for the reference. False: another method is needed. */
bool lw_mma_panels_call(const lw_mma *mma, const lw_mma_source *source, lw_panels *panels);

/* The same where C and D are converted: sets C, which becomes binary32 in `c`, and the places of C and D; D
 * becomes codes, dense. */
bool lw_mma_panels_convert(const lw_mma *mma, const lw_mma_source *source, uint32_t *c, lw_panels *panels);

#endif
