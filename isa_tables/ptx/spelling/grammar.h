/* SPDX-License-Identifier: MIT */
/*
 * The grammar of the warp-level matrix instructions of PTX. The words after the name are a set: ptxas takes
 * them in any order, except that types (D, A, B, C, then that of the scales) and layouts (A, B) keep their
 * order, that .xor and .and precede .popc, and that .b8x16 precedes .b6x16_p32 and .b4x16_p64. The name is
 * mma, wmma.mma, wmma.load.a and the like, ldmatrix, stmatrix, movmatrix. This was found with ptxas 13.0.88
 * on about 45,000 orders of the words of 18 spellings; tests/ptx/assemble.sh repeats a part of that. ptxas
 * takes some words twice (.sync.sync), which the PTX ISA does not have: that is refused here. Everything is
 * lower case except the X of .scale_vec::1X.
 */
#ifndef LW_ISA_PTX_SPELLING_GRAMMAR_H
#define LW_ISA_PTX_SPELLING_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a word between two dots can be. */
typedef enum lw_ptx_slot {
    SLOT_END,
    SLOT_SYNC,
    SLOT_ALIGNED,
    SLOT_SPARSE,
    SLOT_FRAGMENT,
    SLOT_SHAPE,
    SLOT_LAYOUT,
    SLOT_SATFINITE,
    SLOT_ROUND,
    SLOT_KIND,
    SLOT_BLOCK_SCALE,
    SLOT_SCALE_VEC,
    SLOT_BLOCK, /* .block16, .block32 */
    SLOT_GROUP, /* .cta_group::1 */
    SLOT_TYPE,
    SLOT_SCALE_TYPE,
    SLOT_OP,
    SLOT_POPC,
    SLOT_COUNT,
    SLOT_TRANS,
    SLOT_SPACE,
    SLOT_PACKED,
    SLOT_UNKNOWN,
} lw_ptx_slot;

typedef struct lw_ptx_word {
    const char *text;
    uint8_t slot, value; /* lw_ptx_slot; what it says */
} lw_ptx_word;

extern const lw_ptx_word lw_ptx_words[];
extern const size_t lw_ptx_word_count;

/* A word that a grammar requires or allows, once for each time that it is listed. */
typedef struct lw_ptx_place {
    uint8_t slot;
    bool optional;
} lw_ptx_place;

enum { LW_PTX_MOST_PLACES = 20 };

typedef struct lw_ptx_grammar {
    const char *verb; /* the words before the set */
    uint8_t form;
    const char *order;                       /* the canonical order, for messages */
    lw_ptx_place places[LW_PTX_MOST_PLACES]; /* ended by SLOT_END */
} lw_ptx_grammar;

extern const lw_ptx_grammar lw_ptx_grammars[];
extern const size_t lw_ptx_grammar_count;

/* Pairs of words of which the first must precede the second. */
typedef struct lw_ptx_sequence {
    uint8_t first, then;
    const char *says;
} lw_ptx_sequence;

extern const lw_ptx_sequence lw_ptx_sequences[];
extern const size_t lw_ptx_sequence_count;

#endif
