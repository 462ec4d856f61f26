/* SPDX-License-Identifier: MIT */
/* Text with a current place, and the claims that a notation makes: which element a value of a lane is. */
#ifndef LW_LAYOUTS_NOTATION_READER_H
#define LW_LAYOUTS_NOTATION_READER_H

#include <lanewise/notation.h>

#include "layouts/notation/tv.h"

enum { LW_MOST_CLAIMS = 1 << 17, LW_MOST_LANES = 1 << 10, LW_MOST_NUMBER = 1 << 24 };

/* The lines of a listing: lane, register, lowest and highest bit, block, X, Y. */
enum { LW_LISTING_FIELDS = 7 };
typedef struct lw_listing {
    uint32_t (*line)[LW_LISTING_FIELDS];
    size_t count;
    size_t room;
    uint32_t most[LW_LISTING_FIELDS]; /* the largest of each */
    int operand;                      /* that the text names, or -1 */
} lw_listing;

typedef struct lw_reader {
    const char *text;
    size_t size, at;
    lw_error *error;
    lw_status status; /* LW_OK until something fails */
    const lw_tv *tv;
    bool transposed; /* X and Y are exchanged */
    bool sampled;    /* claims of most lanes are dropped (lw_reader_skips), those outside the operand fail */
    const lw_listing *listing;       /* the text is this listing; NULL: it is read anew */
    const struct lw_lane_code *code; /* the text is this lane arithmetic; NULL: it is read anew */
    lw_listing *collect;             /* claims of bits go here, for no operand in particular */
    lw_pair *claim;                  /* `bit` counts values; coordinates may lie outside the operand */
    size_t claims, room;
} lw_reader;

/* Fails with the line and column of the current place; later failures change nothing. Returns false. */
bool lw_reader_fail(lw_reader *r, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Blanks and comments are skipped before each of these. */
void lw_reader_skip(lw_reader *r);
bool lw_reader_end(lw_reader *r);
/* Takes `word` if it comes next; a word of letters must be followed by something other than a letter. */
bool lw_reader_take(lw_reader *r, const char *word);
/* The same, but fails where the word is missing. */
bool lw_reader_need(lw_reader *r, const char *word);
/* A decimal number of at most LW_MOST_NUMBER; `_8` and `Int<8>` are 8. */
bool lw_reader_number(lw_reader *r, uint32_t *n);
/* Numbers between two brackets, separated by commas; at most `most`. */
bool lw_reader_list(lw_reader *r, const char *open, const char *close, uint32_t *n, unsigned most,
                    unsigned *count);

/* Whether claims of this lane are dropped. */
bool lw_reader_skips(const lw_reader *r, uint32_t lane);

/* Claims that value `value` of a lane is the element with these coordinates on the axes. */
bool lw_reader_claim(lw_reader *r, uint32_t lane, uint32_t value, const uint8_t *axis, const uint32_t *at,
                     unsigned axes);

/* The same of the value that begins at this bit of the lane's registers, and of block, X and Y. */
bool lw_reader_claim_bit(lw_reader *r, uint32_t lane, uint64_t bit, const uint32_t element[3]);

/* The axes: [block,] X, Y; or, if `by_rows_first`, those of row, col, k, block that exist. Returns how
 * many. */
unsigned lw_reader_axes(const lw_reader *r, bool by_rows_first, uint8_t *axis);

/* Each reads from the first character to the end and records claims. */
typedef void lw_notation_reader(lw_reader *r);
lw_notation_reader lw_read_formula, lw_read_cute, lw_read_triton, lw_read_iree, lw_read_tirx, lw_read_ck;
lw_notation_reader lw_read_listing, lw_read_calculator;

/* The offsets of all elements as lane arithmetic over `row` and `col`: the text's `offset`, or its `byte`. */
typedef void lw_formula_found(void *context, uint32_t row, uint32_t col, bool bytes, uint64_t offset);
bool lw_formula_offsets(lw_reader *r, uint32_t rows, uint32_t cols, lw_formula_found *found, void *context);

/* Reads the whole text in this notation; earlier claims are dropped. */
void lw_notation_take(lw_reader *r, lw_notation notation);

lw_notation lw_notation_guess(const lw_reader *r);

/* The numbers of a text that is a listing as a whole; otherwise false, with none. Free with
 * free(listing->line). */
bool lw_listing_read(const char *text, size_t size, lw_listing *listing);

/* The same of AMD's calculator's text, where all elements have as many bits. */
bool lw_listing_of_calculator(const char *text, size_t size, lw_listing *listing);

/* A line more; NULL without memory, or after too many. */
uint32_t *lw_listing_add(lw_listing *listing);

/* Finds the largest numbers of a listing that was read whole; otherwise drops it. Returns whether it has
 * lines. */
bool lw_listing_finish(lw_listing *listing, bool whole);

/* Whether a lane or an element is none of the operand's, transposed or not. */
bool lw_listing_exceeds(const lw_listing *listing, const lw_tv *tv);

#endif
