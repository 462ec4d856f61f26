/* SPDX-License-Identifier: MIT */
/*
 * Panel kernels: sixteen outputs at once, with operands in an order in which loads are whole vectors.
 *
 * One side of the product runs along the lanes (V), the other is broadcast (S): B and A, or A and B if there
 * are too few columns. An image of a side consists of 32-bit words: image[(block * words + w) * stride + i]
 * is word w of the string of codes (k ascending, lowest bit first) of row or column i; the stride is the
 * count rounded up to sixteen; excess lanes repeat others. C and D are runs of sixteen words, one per (block,
 * i of S, panel of V, plane); planes are the low and high words of binary64.
 *
 * With `tile4` in the shape, sixteen outputs are four rows by four columns instead, as in NVIDIA's fragments.
 * Words of a string are counted in groups of four, w = 4 * q + t. S is A and V is B; image word [q][4 * row +
 * t] holds word w of row `row`, [q][t * columns + col] that of a column. Runs of C and D are by group of four
 * rows, then group of four columns; the caller chooses the order of the columns. Scales: [scale block][4 *
 * row + t] and [scale block][col].
 *
 * With `squares`, which is 4 or 8, sixteen outputs are one row of each of four squares of four by four side
 * by side, the tiles of four blocks or the quarters of a tile of eight by eight; or of each of two squares of
 * eight by eight, the tiles of two blocks. A block of the image is four or two squares; lane squares * q + i
 * of S and of V is row and column i of square q; its runs are the rows.
 */
#ifndef LW_EMU_FAST_PANEL_H
#define LW_EMU_FAST_PANEL_H

#include <stdbool.h>
#include <stdint.h>

#include <lanewise/status.h>

#include "isa_tables/dot_units.h"
#include "isa_tables/formats.h"

enum {
    LW_PANEL = 16,              /* lanes */
    LW_PANEL_SIDE_WORDS = 1024, /* of an image of a side */
    LW_PANEL_SIDE_CODES = 4096, /* of a block of a side, with excess lanes */
    LW_PANEL_CD_WORDS = 2048,
    LW_PANEL_RUNS = LW_PANEL_CD_WORDS / LW_PANEL,
    LW_PANEL_MAX_GROUPS = 64,
    LW_PANEL_MAX_BLOCKS = 16,
    LW_PANEL_MAX_SCALES = 4 * 32,             /* of a block of a side */
    LW_PANEL_TILE4_SCALES = 4 * 4 * LW_PANEL, /* of S with tiles of four */
};

/* What the host's processor supports. */
typedef enum lw_fast_isa {
    LW_FAST_PORTABLE, /* the compiler's vectors, on any host */
    LW_FAST_AVX2,
    LW_FAST_AVX512,
} lw_fast_isa;

/* The best that the host supports, or what the environment variable LANEWISE_CPU requests; that is refused if
 * the host lacks it. */
lw_status lw_fast_isa_choose(lw_fast_isa *isa, lw_error *error);

/* What a kernel's accumulator is rounded to after each step. C and D are binary32 nevertheless, and hold
 * numbers of that format only; D's infinities and NaNs are left for the reference. */
typedef enum lw_panel_acc {
    LW_PANEL_F32, /* or whatever C and D are */
    LW_PANEL_F16,
    LW_PANEL_BF16,
} lw_panel_acc;

typedef struct lw_panel_shape {
    const lw_format *s, *v;
    lw_panel_acc acc;
    lw_dot_unit unit;
    uint16_t s_count, s_stride, v_count, k, blocks;
    uint16_t s_words, v_words; /* of a string of codes */
    bool sparse;               /* V stores two of four; k counts the stored ones, S has twice as many */
    bool one_of_two;           /* sparse: every nibble of the index is for one stored code */
    bool tile4;
    uint8_t squares; /* their edge; 0: none */
    bool quarters;   /* of tiles: squares 2n and 2n + 1 have the same S, n and n + 2 the same V */
    bool differ;     /* single bits: those that differ count, otherwise those that are both 1 */
    bool c_after;    /* lw_panel_run adds lw_panels.c_after to the results */
    bool saturate;   /* integers: the total is limited to the range of i32 */
    bool cuts;       /* lw_panel_run lets the host round towards zero */
    bool flags;      /* the host has a flag for subnormal operands of fused multiply-adds, for lw_panel_run */
    bool scaled;
    uint16_t scale_span; /* codes that share a scale */
    const lw_format *scale;
    uint8_t order[LW_PANEL_MAX_GROUPS]; /* the unit's groups of k, in the order in which they are added */
} lw_panel_shape;

/* What of a tile may be unused: rows of S and lanes of V whose codes are all +0. */
typedef enum lw_panel_padded {
    LW_PADDED_NOT,
    LW_PADDED_ROWS,
    LW_PADDED_LANES, /* lanes, and perhaps rows */
} lw_panel_padded;

/* What a kernel may find out on its way, so that C and D need not be read again. */
typedef struct lw_panel_quiet {
    lw_panel_padded padded; /* before: where to look for plain zeros of D (LW_SEEN_ODD_ZERO), which do not
                               count then; after, if `d`: where there are any */
    bool c, sides;          /* before: nobody asks; after, otherwise: C, or S and V, certainly have no
                               subnormal number */
    bool by_flag;           /* after, of the kernel alone: `c` and `sides` hold if no operand of its fused
                               multiply-adds was subnormal, which lw_panel_run asks the host's flag */
    uint32_t *kept;         /* before: NULL, or where C goes because D takes its place: [run][lane] */
    bool d; /* after: D certainly has no zero that counts, no subnormal number, infinity or NaN */
} lw_panel_quiet;

/* May a kernel be given lw_panel_quiet.kept? Those of chains, but for squares. */
static inline bool lw_panel_keeps_c(const lw_panel_shape *shape)
{
    return shape->unit.kind == LW_KIND_FMA && !shape->squares;
}

typedef struct lw_panels {
    const uint32_t *s, *v, *c;
    const uint32_t *c_after; /* binary32, [run][lane]; shape.c_after only: then `c` is +0, and D is dense */
    uint32_t *d;
    const uint16_t *c_at, *d_at; /* first word of each run; d may be c if the runs are the same */
    const uint32_t *index;       /* sparse: [k / 2][lane of V]: places of two stored codes, two bits each; or
                                    [k][lane of V]: 4 or 14 if the first or the second of two is stored */
    const uint32_t *scale_s, *scale_v; /* word [scale block][i] holds a scale; NULL if not scaled */
    uint16_t *redo;        /* [run], zeroed (INT and FMA: unused): lanes that the reference must compute */
    uint32_t (*bad)[2];    /* [block]: rows of S, of V (one bit each) that are the reason; may stay unset */
    lw_panel_quiet *quiet; /* NULL: nobody asks; kernels that do not look leave `c` and `d` as they are */
} lw_panels;

typedef enum lw_panel_result {
    LW_PANELS_DONE,
    LW_PANELS_REDO, /* all except the lanes in `redo` */
    LW_PANELS_NONE, /* the kernel cannot compute this tile; D may be partly written */
} lw_panel_result;

/* Kernels of floating-point numbers need the default control word, or with shape->cuts the one that rounds
 * towards zero: lw_panel_run sets it. Kernels of chains
 * (FMA, INT) may be given d == c; others only a d that overlaps no source. */
typedef lw_panel_result (*lw_panel_fn)(const lw_panel_shape *shape, const lw_panels *panels);

/* Calls a function with the default floating-point control word and restores the caller's. */
void lw_panel_default(void (*work)(void *context), void *context);

/* The same with a kernel; and adds what is added last. */
lw_panel_result lw_panel_run(lw_panel_fn fn, const lw_panel_shape *shape, const lw_panels *panels);

/* NULL when there is none. Sets shape->cuts and shape->flags. */
lw_panel_fn lw_panel_find(lw_panel_shape *shape, lw_fast_isa isa);

/*
 * A fixed rearrangement of words, a vector at a time: out[16 * i + t] = in[chunk[i].from[t]].
 */
typedef enum lw_move_kind {
    LW_MOVE_RUN,     /* sixteen consecutive words */
    LW_MOVE_SHUFFLE, /* from up to four vectors of the input */
    LW_MOVE_WORDS,
} lw_move_kind;

typedef struct lw_move_chunk {
    uint16_t from[LW_PANEL];
    uint16_t vector[4];     /* their first words */
    uint8_t pick[LW_PANEL]; /* 16 * vector + lane */
    uint8_t kind, vectors;
    bool by_half; /* the same separately for each half of eight words, in vectors of eight */
    uint16_t half_vector[2][4];
    uint8_t half_pick[LW_PANEL]; /* 8 * vector + lane */
} lw_move_chunk;

/* What portable vectors do in one step: four words of the output, or more that are gathered together. */
typedef enum lw_move_step_kind {
    LW_STEP_RUN,        /* sixteen neighbours */
    LW_STEP_FOUR,       /* four neighbours */
    LW_STEP_TURN,       /* four fours of neighbours, rows becoming columns */
    LW_STEP_TURN_TWICE, /* the same, which the output has twice */
    LW_STEP_ZIP,        /* two fours of neighbours, words alternating */
    LW_STEP_UNZIP,      /* the even ones and the odd ones of eight */
    LW_STEP_CROSS,      /* two fours of neighbours, which exchange the first one's odd words for the other's
                           even ones */
    LW_STEP_WORDS,
    LW_STEP_KINDS
} lw_move_step_kind;

typedef struct lw_move_step {
    uint16_t from[4], to[4], second[4]; /* of words, or the first ones of fours */
    uint8_t kind;
} lw_move_step;

typedef struct lw_move {
    lw_move_chunk *chunk;
    lw_move_step *step; /* by kind; NULL if the instruction set has something better */
    uint16_t chunks, steps;
    uint16_t of[LW_STEP_KINDS]; /* number of steps of each kind */
    bool runs;                  /* all chunks are runs */
} lw_move;

/* Is it sixteen consecutive words? */
bool lw_move_is_run(const lw_move_chunk *chunk);

/* Fills in a chunk, zeroed apart from `from`, according to `from`. */
void lw_move_prepare(lw_move_chunk *chunk);

/* Makes the steps of a move whose chunks have been filled. LW_E_NO_MEMORY. */
lw_status lw_move_make_steps(lw_move *move);

typedef void (*lw_move_fn)(const lw_move *move, const uint32_t *in, uint32_t *out);

/* Sparse A made dense: a chunk's codes, which an index nibble places among twice as many, become one or two
 * words. */
typedef struct lw_spread {
    uint8_t shift[4][16]; /* [code of the chunk][nibble]: its bit in the dense chunk */
    uint8_t bits, chunk;  /* of a code; codes of a chunk, 0: nothing is made dense */
    uint16_t chunks, lanes;
} lw_spread;

/* Index nibbles by chunk and lane: where in the registers they are. */
typedef struct lw_index {
    lw_move words;     /* without steps; chunks of 0: not sparse */
    uint32_t *shift;   /* the same for every eight lanes */
    uint8_t legal[16]; /* of each nibble: 1, or 0 if it is undefined */
    uint16_t set;      /* LW_SPARSE_*: those that are defined */
    uint32_t again;    /* bit n: chunk n has the words of the one before */
    uint32_t *used;    /* [chunk][eight lanes]: bits of the words, for it and chunks that have them again */
} lw_index;

/* What an instruction set does with words between registers and kernels: conversions of 16-bit numbers in the
 * lower halves, in place (`count` is a multiple of LW_PANEL); index: [chunk][lane]. */
typedef struct lw_words {
    lw_move_fn move;
    void (*widen_half)(uint32_t *words, unsigned count);
    void (*narrow_half)(uint32_t *words, unsigned count);  /* to nearest even, where the host rounds so */
    void (*narrow_exact)(uint32_t *words, unsigned count); /* of finite numbers that f16 has */
    /* f16 in sixteen words becomes two runs of binary32 numbers, in the order below. */
    void (*widen_runs)(const uint32_t *words, unsigned runs, bool beside, uint32_t *out);
    /* Sixteen words become two runs of sixteen halves, neighbouring lanes or (not `beside`) the same lane of
     * both; and back. `runs` is even. */
    void (*runs_of_halves)(const uint32_t *words, unsigned runs, bool beside, uint32_t *out);
    void (*halves_of_runs)(const uint32_t *in, unsigned runs, bool beside, uint32_t *words);
    void (*widen_brain)(uint32_t *words, unsigned count);
    void (*narrow_brain)(uint32_t *words, unsigned count); /* to nearest even */
    void (*cut_brain)(uint32_t *words, unsigned count);
    /* False: a nibble is undefined. All are stored. */
    bool (*index)(const lw_index *index, const uint32_t *registers, uint32_t *nibbles);
    void (*spread)(const lw_spread *spread, const uint32_t *index, const uint32_t *stored, uint32_t *dense);
} lw_words;
const lw_words *lw_words_find(lw_fast_isa isa);

#endif
