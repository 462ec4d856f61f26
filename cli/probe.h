/* SPDX-License-Identifier: MIT */
/*
 * Questions for a real GPU. A probe is one instruction on chosen operands, together with the results that
 * each possible reading of an unsettled rule predicts. `lanewise validate --device` asks them (the group
 * "probe" of cli/gpu), and the answers are compared with the predictions.
 */
#ifndef LW_CLI_PROBE_H
#define LW_CLI_PROBE_H

#include <stdio.h>

#include "cli/json.h"
#include "cli/wave.h"

enum { PROBE_MAX_GUESSES = 4, PROBE_MAX_READINGS = 12, PROBE_NAME_SIZE = 64 };

/* A reading that the library does not have. */
typedef struct probe_guess {
    const char *says;
    const char *d;    /* predicted D(0,0), in hex; the rest of D as in the default prediction */
    const char *insn; /* or: D is the result of this instruction on the same images */
    bool swap;        /* or: D is as if the index words of lanes 2n and 2n + 1 were exchanged */
} probe_guess;

typedef enum probe_fill {
    PROBE_ZEROS,  /* except for a, b, c ... */
    PROBE_SMALL,  /* small integers with exact sums; valid random indices */
    PROBE_RANDOM, /* raw bits in even rounds, moderate exponents in odd ones; as many rounds as requested */
} probe_fill;

/*
 * Codes in hex, separated by blanks: row 0 of A, column 0 of B from k = 0 on; "15:3c00" goes to k = 15,
 * "1400*14" means 1400 fourteen times. c is C(0,0). index: the nibbles of row 0.
 */
typedef struct probe {
    const char *name, *question;
    const char *insn;   /* spelling with modifiers, as lw_insn_parse reads it */
    const char *kernel; /* instruction that the GPU runs, if it is not `insn` */
    const char *archs;  /* only these, separated by blanks; NULL: all that have the instruction */
    const char *a, *b, *c, *index, *scale_a, *scale_b;
    const char *topic; /* the probe has this topic's readings; NULL: the default only */
    probe_guess guess[PROBE_MAX_GUESSES];
    probe_fill fill;
    uint8_t pad; /* set in every byte of A: bits that do not belong to an element */
} probe;

size_t probe_count(void);
const probe *probe_at(size_t index);

/* NULL if there is none of that name. */
const probe *probe_find(const char *name);

/* The instruction that the GPU runs for a probe. */
const char *probe_kernel(const probe *p);

/* Whether `arch` has the instruction and the probe is meant for it. */
bool probe_concerns(const probe *p, lw_arch arch);

/* Opens a wave with the probe's operands, of PROBE_RANDOM those of round 0. Close it even after a failure. */
lw_status probe_open(const probe *p, lw_arch arch, cli_wave *wave, lw_error *error);

/* Writes the operands of a round of PROBE_RANDOM into an open probe's images. False if they do not fit. */
bool probe_set(const probe *p, unsigned round, cli_wave *wave);

/* A nibble of metadata that every sparse instruction defines: two positions in ascending order; for groups of
 * two k, one position (NVIDIA writes it as a pair of halves). */
uint64_t probe_random_index(const cli_wave *wave, uint64_t random);

/* The prediction of a reading. */
typedef struct probe_reading {
    char name[96];
    bool is_default;
    uint32_t *d; /* image; NULL if the instruction cannot be computed under this reading */
} probe_reading;

/* All readings of an open probe; returns how many. Free each `d`. */
size_t probe_readings(const probe *p, const cli_wave *wave, probe_reading readings[PROBE_MAX_READINGS]);

/* For ldmatrix, stmatrix, movmatrix: whether it loads, whether it has memory as A or D; D, or memory after
 * the store, which the caller frees. */
bool probe_loads(const cli_wave *wave);
bool probe_has_memory(const cli_wave *wave);
uint32_t *probe_predict_move(const cli_wave *wave, const char *spelling);

typedef struct probe_report {
    size_t results, as_default, otherwise, unexplained;
    cli_json *json; /* destination of verdicts, with an array open; NULL: in words */
    FILE *out;      /* where verdicts in words go; NULL: nowhere */
} probe_report;

/* Compares one D with the predictions of an open probe, of whose cases this is number `round`, and counts it.
 * Random operands are mentioned only if they refute the default. */
void probe_judge(const probe *p, unsigned round, const cli_wave *wave, const uint32_t *d,
                 probe_report *report);

#endif
