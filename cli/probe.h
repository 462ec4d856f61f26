/* SPDX-License-Identifier: MIT */
/*
 * Questions for a real GPU. A probe is one instruction on chosen operands, with the results that each reading
 * of what sources leave open predicts. Its images go out as text ("cases"), a program on the GPU's machine
 * answers with the images of D ("results"), and the answers are compared with the predictions.
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
    const char *d;    /* what D(0,0) would be, in hex; the rest of D as predicted by default */
    const char *insn; /* or: D is what this instruction gives on the same images */
    bool swap;        /* or: D comes out as if the index words of lanes 2n and 2n + 1 were exchanged */
} probe_guess;

typedef enum probe_fill {
    PROBE_ZEROS,  /* but for a, b, c ... */
    PROBE_SMALL,  /* small integers, their sums exact; valid random indices */
    PROBE_RANDOM, /* raw bits in even rounds, moderate exponents in odd ones; as many rounds as asked for */
} probe_fill;

/*
 * Codes in hex, separated by blanks: row 0 of A, column 0 of B from k = 0 on; "15:3c00" goes to k = 15,
 * "1400*14" is fourteen times 1400. c is C(0,0). index: the nibbles of row 0.
 */
typedef struct probe {
    const char *name, *question;
    const char *insn;   /* spelling with modifiers, as lw_insn_parse reads it */
    const char *kernel; /* what the GPU runs, where that is not `insn` */
    const char *archs;  /* only these, separated by blanks; NULL: all that have it */
    const char *a, *b, *c, *index, *scale_a, *scale_b;
    const char *topic; /* its readings are those of the probe; NULL: the default is the only one */
    probe_guess guess[PROBE_MAX_GUESSES];
    probe_fill fill;
    uint8_t pad; /* set in every byte of A: bits that belong to no element */
} probe;

size_t probe_count(void);
const probe *probe_at(size_t index);

/* The probe of a case or result, whose name is "PROBE#ROUND"; NULL when there is none. */
const probe *probe_find(const char *name, unsigned *round);

/*
 * Reads a line into *line, which grows; *more is false at the end. Refuses a line that is longer than any
 * result, or that holds a zero byte: the file may be anything. Free *line.
 */
int probe_next_line(const cli_call *call, const char *path, FILE *file, char **line, size_t *size,
                    bool *more);

/* What the GPU runs for a probe. */
const char *probe_kernel(const probe *p);

/* Has `arch` the instruction, and is the probe meant for it? */
bool probe_concerns(const probe *p, lw_arch arch);

/* A wave with the probe's operands; `round` counts repetitions of PROBE_RANDOM. Close it in any case. */
lw_status probe_open(const probe *p, lw_arch arch, unsigned round, cli_wave *wave, lw_error *error);

/* What a reading predicts. */
typedef struct probe_reading {
    char name[96];
    bool is_default;
    uint32_t *d; /* image; NULL when the instruction cannot be computed so */
} probe_reading;

/* All readings of an open probe; returns how many. Free each `d`. */
size_t probe_readings(const probe *p, const cli_wave *wave, probe_reading readings[PROBE_MAX_READINGS]);

/* Of ldmatrix, stmatrix, movmatrix: D, or memory after the store; the instruction in a kernel. */
bool probe_has_memory(const cli_wave *wave);
uint32_t *probe_predict_move(const cli_wave *wave, const char *spelling);
void probe_write_move(FILE *out, const char *kernel, const cli_wave *wave);

/* Writes the cases of every probe that concerns `arch`; PROBE_RANDOM in `rounds` repetitions. */
int probe_write_cases(const cli_call *call, lw_arch arch, unsigned rounds, FILE *out);

/* Writes the kernels that the cases of `arch` name, as CUDA or HIP. */
int probe_write_kernels(const cli_call *call, lw_arch arch, FILE *out);

/* Answers a file of cases as the emulator with these readings would: a trial of the kit without a GPU. */
int probe_answer(const cli_call *call, const char *path, FILE *cases, const char *const *readings,
                 size_t reading_count, FILE *out);

typedef struct probe_report {
    size_t results, as_default, otherwise, unexplained;
    cli_json *json; /* where verdicts go, an array being open; NULL: as text on stdout */
} probe_report;

/* Compares a file of results with the predictions and says which readings survive. */
int probe_judge(const cli_call *call, const char *path, FILE *results, probe_report *report);

#endif
