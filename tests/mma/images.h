/* SPDX-License-Identifier: MIT */
/* Register images of a prepared instruction compared with matrices, through the public layouts. */
#ifndef LW_TESTS_MMA_IMAGES_H
#define LW_TESTS_MMA_IMAGES_H

#include "tiles.h"

enum { MAX_LANES = 64, MAX_REGS = 40, ARENA = MAX_LANES * MAX_REGS, MAX_ENTRIES = 16384 };

typedef struct images {
    uint32_t a[ARENA], b[ARENA], c[ARENA], index[ARENA], scale_a[ARENA], scale_b[ARENA];
} images;

typedef struct subject {
    lw_arch arch;
    const lw_insn *insn;
    lw_mods mods;
    lw_mma *mma;
    lw_mma_shape shape;
    bool sparse, scaled;
    const char *name;
} subject;

/* False if the instruction does not take the modifiers or has no such wave; aborts on other failures. */
bool subject_make(lw_arch arch, const lw_insn *insn, const lw_mods *mods, unsigned wave, subject *s);

/* The same from text. */
bool subject_parse(lw_arch arch, size_t index, const char *mods, unsigned wave, subject *s);

size_t entries_of(const subject *s, lw_operand operand, lw_layout_entry *entries);

/* Code of an entry in an image. */
uint64_t bits_at(const subject *s, const uint32_t *image, const lw_layout_entry *e);
void put_bits(const subject *s, uint32_t *image, const lw_layout_entry *e, uint64_t code);

/* Random registers, moderate C and scales, defined indices, equal copies. */
void images_fill(const subject *s, images *im, uint64_t *state);

/* The matrices that are in the images. */
void images_to_tile(const subject *s, const images *im, tile *t);

/* Computes D from matrices that the layouts extract from the images. */
void images_expect(const subject *s, const images *im, void *d);

lw_mma_registers registers_of(const subject *s, const images *im, uint32_t *d);

/* Checks that D's elements are as expected, and its other bits the same as in `before`. */
void check_d(const subject *s, const uint32_t *d, const uint32_t *before, const void *want, const char *what);

/* Matrices of zeros, with a single one in A (row i, stored value x) and in B (at the k that `k` names, column
 * j). */
void one_hot(const subject *s, tile *t, unsigned block, unsigned i, unsigned x, unsigned k, unsigned j);

/* The code of 1.0, or of the integer 1. */
uint64_t one_of(const char *format, unsigned bits);

/* Scaled forms: single products are multiplied by the scales of their row, column and block of k. */
void subject_check_scales(const subject *s, uint64_t *state);

/* C and scales as constants give the same as images full of them. */
void subject_check_constants(const subject *s, uint64_t *state);

/* Executes with separate and with overlapping registers, and checks. */
void subject_run(const subject *s, uint64_t *state);

#endif
