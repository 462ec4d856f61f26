/* SPDX-License-Identifier: MIT */
/* Exercises: a question is made from what the library answers, and its answers are judged by the library. */
#ifndef LW_CLI_QUIZ_QUIZ_H
#define LW_CLI_QUIZ_QUIZ_H

#include <lanewise/layout.h>
#include <lanewise/mma.h>
#include <lanewise/tile.h>

#include "cli/debug/text.h"

enum {
    QUIZ_LEVELS = 3,
    QUIZ_MOST = 100,    /* questions of one call */
    QUIZ_PRODUCTS = 4,  /* nonzero products of one question */
    QUIZ_TEXT = 1024,   /* characters of a question */
    QUIZ_ELEMENTS = 32, /* elements that a question asks for */
};

typedef enum quiz_kind {
    QUIZ_REGISTERS, /* how many registers does an operand take? */
    QUIZ_PLACE,     /* which lane and register hold an element? */
    QUIZ_HOLDS,     /* what does a register of a lane hold? */
    QUIZ_OPERANDS,  /* which operands have a given element in a given place? */
    QUIZ_TURNS,     /* how many turns does an access to a tile take? */
    QUIZ_SWIZZLE,   /* which swizzle removes its conflicts? */
    QUIZ_BITS,      /* which bits come out of a few products? */
    QUIZ_KINDS,
} quiz_kind;

/* One element of D: `count` products that are not zero, and C. Codes as in lw_mma_matrices. */
typedef struct quiz_sum {
    unsigned row, col, count;
    unsigned k[QUIZ_PRODUCTS];
    uint64_t a[QUIZ_PRODUCTS], b[QUIZ_PRODUCTS], c;
    uint64_t d; /* what the instruction writes */
    lw_label evidence;
    lw_mma_shape shape;
} quiz_sum;

typedef struct quiz_question {
    quiz_kind kind;
    unsigned level;
    bool thorough; /* looks through all codes of a format for a number */
    lw_arch arch;
    const lw_insn *insn;
    lw_insn_info info;
    lw_operand operand;
    lw_layout *layout; /* of `operand`; NULL for sums */
    lw_layout_info shown;
    lw_layout_entry at; /* the element or place that the question names */
    lw_layout_entry held[QUIZ_ELEMENTS];
    size_t held_count;
    uint32_t operands;           /* QUIZ_OPERANDS: bits 1u << operand */
    uint64_t number;             /* QUIZ_REGISTERS, QUIZ_TURNS: the answer */
    uint32_t rows, cols, access; /* the tile, and bytes of an access */
    bool by_columns;             /* the tile is stored column after column */
    lw_tile_repair repair;
    quiz_sum sum;
    char text[QUIZ_TEXT], form[QUIZ_TEXT], answer[QUIZ_TEXT], command[QUIZ_TEXT];
} quiz_question;

extern const char *const quiz_kind_names[QUIZ_KINDS];

/*
 * Makes question number `index` of a level and a seed, of `arch` (LW_ARCH_NONE: any). The same numbers make
 * the same question. False if the library has nothing to ask about, or no memory.
 */
bool quiz_ask(lw_arch arch, unsigned level, uint64_t seed, unsigned index, quiz_question *question);
void quiz_free(quiz_question *question);

typedef enum quiz_verdict {
    QUIZ_RIGHT,
    QUIZ_WRONG,
    QUIZ_UNREADABLE, /* not an answer to this kind of question */
} quiz_verdict;

/* Judges an answer; `why` says what is wrong with one that is not right. */
quiz_verdict quiz_judge(const quiz_question *question, const char *answer, char *why, size_t size);

/* The explanation: the layout with the places in question, the tile before and after, or the sum in steps. */
void quiz_explain(const quiz_question *question, bool colour, unsigned columns, debug_text *text);

/* "A[1][4] A[1][5]", with the block where there are several. */
void quiz_write_elements(const quiz_question *question, char *text, size_t size);

/* The tile with a swizzle or a padding in any notation that the library reads; "3,3,3" is Swizzle<3,3,3>. */
lw_status quiz_read_tile(const quiz_question *question, const char *text, lw_tile **tile, lw_error *error);

/* Runs the instruction on the question's numbers; `explain` may be NULL. */
lw_status quiz_compute(quiz_question *question, lw_mma_explain_fn explain, void *context);

#endif
