/* SPDX-License-Identifier: MIT */
/* Runs one prepared instruction with the reference and with every vectorised implementation that the host
 * supports. */
#ifndef LW_TESTS_FAST_CONTEST_H
#define LW_TESTS_FAST_CONTEST_H

#include "emu/mma/mma.h"

enum { CONTEST_REGISTERS = 64, CONTEST_WORDS = CONTEST_REGISTERS * 64, CONTEST_ISAS = 3 };

typedef struct contest {
    lw_mma *reference, *fast[CONTEST_ISAS];
    unsigned isas;  /* entries of `fast` */
    unsigned words; /* of D */
    char name[192]; /* architecture, instruction, modifiers */
} contest;

/* Register images of all operands. */
typedef struct contest_images {
    uint32_t a[CONTEST_WORDS], b[CONTEST_WORDS], c[CONTEST_WORDS], index[CONTEST_WORDS];
    uint32_t scale_a[CONTEST_WORDS], scale_b[CONTEST_WORDS];
} contest_images;

/* False if the instruction does not take the modifiers, or is not a multiplication. */
bool contest_open(lw_arch arch, const lw_insn *insn, const lw_mods *mods, contest *c);
/* Without modifiers but the wave size; false where that does not exist. */
bool contest_open_wave(lw_arch arch, const lw_insn *insn, unsigned wave, contest *c);
void contest_close(contest *c);

/*
 * PTX targets share instructions and often their arithmetic: whether this one equals one of an earlier call.
 * Long sweeps then leave it out, except with LW_FULL=1.
 */
bool contest_repeats(const contest *c);

/* Number of vectorised implementations that the host supports. */
unsigned contest_isas(void);

/* Sanitizers make everything about ten times slower: tests that are exhaustive elsewhere take a sample
 * there. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CONTEST_SLOW 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(CONTEST_SLOW)
#define CONTEST_SLOW 1
#endif
#ifndef CONTEST_SLOW
#define CONTEST_SLOW 0
#endif

/* Stores an element of an operand, counted row by row as the matrix is (B: column by column). */
void contest_put(const contest *c, lw_operand operand, uint32_t *regs, unsigned element, uint64_t code);

/*
 * Computes D by all of them, with and without requesting which aspects were touched (two different code paths
 * in emu/mma), and aborts unless all bits are equal. `in_place`: C is in D's registers.
 */
void contest_run(const contest *c, const contest_images *im, unsigned mode, bool in_place, const char *what);

/* The same, which never leaves the portable code out. */
void contest_run_all(const contest *c, const contest_images *im, unsigned mode, bool in_place,
                     const char *what);

#endif
