/* SPDX-License-Identifier: MIT */
/*
 * What `lanewise validate --device` compares: a subject is one instruction in a small kernel that loads its
 * operands, executes it and stores the result, in many cases, a workgroup for each. Functions of one value
 * have workgroups of SUBJECT_PER_GROUP cases: starting one takes longer than computing a case.
 */
#ifndef LW_CLI_GPU_SUBJECT_H
#define LW_CLI_GPU_SUBJECT_H

#include <stdio.h>

#include <lanewise/launch.h>

#include "cli/probe.h"

enum { SUBJECT_NAME = 192, SUBJECT_SOURCES = 3, SUBJECT_PER_GROUP = 16 };

struct subject_group;

/* A source or the result of an instruction that works lane by lane. */
typedef struct lane_operand {
    const char *type; /* PTX's; NULL: not known */
    unsigned bits;    /* of a register: 16, 32, 64; 0: there is none */
} lane_operand;

typedef struct subject {
    const struct subject_group *group;
    char name[SUBJECT_NAME];
    lw_arch arch;
    unsigned lanes;
    char *image; /* PTX text or a code object; its kernel is "k" */
    size_t image_size;
    size_t in_words, out_words; /* of one case */
    unsigned per_group;         /* cases that a workgroup computes */
    uint64_t inputs;            /* not 0: cases count through that many inputs instead of generating them */

    cli_wave wave; /* matrix instructions and probes */
    lw_mma *mma;
    const probe *probe;
    bool one_case;  /* its operands are given: it has no other cases */
    bool undefined; /* documents do not say what the case that was computed last gives */

    lane_operand source[SUBJECT_SOURCES], result; /* by lane */
    lw_program *program;
} subject;

/* Called with a name; a return value other than 0 ends the enumeration, which returns it. */
typedef int subject_visit(void *context, const char *name);

/* A row for each kind of subject. */
typedef struct subject_group {
    const char *name, *what;
    int (*each)(lw_arch arch, subject_visit *visit, void *context);
    bool (*open)(subject *s, lw_error *error);
    void (*fill)(subject *s, uint64_t seed, uint64_t number, uint32_t *in);
    bool (*expect)(subject *s, const uint32_t *in, size_t cases, uint32_t *out, lw_error *error);
    /* Says what word `word` of a case's result is, there and here, and how it comes about. */
    void (*explain)(subject *s, const uint32_t *in, const uint32_t *got, const uint32_t *want, size_t word,
                    FILE *out);
} subject_group;

/* NULL after the last one. */
const subject_group *subject_group_at(size_t index);
const subject_group *subject_group_find(const char *name);

/* Prepares a subject. False, with a sentence, if this version has no such kernel. Close it in any case. */
bool subject_open(const subject_group *group, const char *name, lw_arch arch, subject *s, lw_error *error);
void subject_close(subject *s);

/* ---- Matrix instructions ---- */

int matrix_each(lw_arch arch, subject_visit *visit, void *context);
bool matrix_open(subject *s, lw_error *error);
void matrix_fill(subject *s, uint64_t seed, uint64_t number, uint32_t *in);
bool matrix_expect(subject *s, const uint32_t *in, size_t cases, uint32_t *out, lw_error *error);
void matrix_explain(subject *s, const uint32_t *in, const uint32_t *got, const uint32_t *want, size_t word,
                    FILE *out);
/* The word of an element of D, of several the first that differs; NULL: it is no element's. */
const lw_layout_entry *matrix_entry(const cli_wave *w, const uint32_t *got, const uint32_t *want,
                                    size_t word);
/* "D[3,5] of block 0 (register 2, lane 7): X there, Y here". */
void matrix_tell(const subject *s, const lw_layout_entry *e, const uint32_t *got, const uint32_t *want,
                 FILE *out);
lw_status matrix_print_step(void *file, const lw_mma_explain_row *row);
/* All spellings of an instruction of PTX that the target has. */
int matrix_spellings(lw_arch arch, const char *text, subject_visit *visit, void *context);
bool matrix_open_code(subject *s, const char *kernel, lw_error *error);
void matrix_store_images(const cli_wave *w, uint32_t *in);

/* The operands that a kernel loads, in the order in which they are in memory. */
lw_operand matrix_source(const cli_wave *wave, size_t index);
enum { MATRIX_SOURCES = 6 };

/* ---- Probes ---- */

int probes_each(lw_arch arch, subject_visit *visit, void *context);
bool probes_open(subject *s, lw_error *error);
void probes_fill(subject *s, uint64_t seed, uint64_t number, uint32_t *in);
bool probes_expect(subject *s, const uint32_t *in, size_t cases, uint32_t *out, lw_error *error);
void probes_explain(subject *s, const uint32_t *in, const uint32_t *got, const uint32_t *want, size_t word,
                    FILE *out);

/* ---- wgmma: B is in shared memory ---- */

int warpgroup_each(lw_arch arch, subject_visit *visit, void *context);
bool warpgroup_open(subject *s, lw_error *error);
bool warpgroup_expect(subject *s, const uint32_t *in, size_t cases, uint32_t *out, lw_error *error);
void warpgroup_explain(subject *s, const uint32_t *in, const uint32_t *got, const uint32_t *want, size_t word,
                       FILE *out);

/* ---- Moves between registers and shared memory ---- */

int moves_each(lw_arch arch, subject_visit *visit, void *context);
bool moves_open(subject *s, lw_error *error);
void moves_fill(subject *s, uint64_t seed, uint64_t number, uint32_t *in);
void moves_explain(subject *s, const uint32_t *in, const uint32_t *got, const uint32_t *want, size_t word,
                   FILE *out);
/* Words of a lane before and after: of shared memory, then of registers. */
enum { MOVES_SHARED = 32, MOVES_REGISTERS = 16 };

/* ---- Instructions that work lane by lane ---- */

int lanes_each(lw_arch arch, subject_visit *visit, void *context);
bool lanes_open(subject *s, lw_error *error);
void lanes_fill(subject *s, uint64_t seed, uint64_t number, uint32_t *in);
int functions_each(lw_arch arch, subject_visit *visit, void *context);
bool functions_open(subject *s, lw_error *error);
void functions_fill(subject *s, uint64_t seed, uint64_t number, uint32_t *in);
bool launch_expect(subject *s, const uint32_t *in, size_t cases, uint32_t *out, lw_error *error);
void lanes_explain(subject *s, const uint32_t *in, const uint32_t *got, const uint32_t *want, size_t word,
                   FILE *out);

/* ---- Code ---- */

/* The kernels of one instruction. False, with a sentence, where this version cannot write one. */
bool code_ptx_matrix(subject *s, const char *spelling, lw_error *error);
bool code_ptx_warpgroup(subject *s, lw_error *error);
bool code_ptx_moves(subject *s, const lw_operand_info *registers, lw_error *error);
bool code_ptx_probe_move(subject *s, const char *spelling, lw_error *error);
bool code_ptx_lanes(subject *s, const char *op, lw_error *error);
bool code_amd_matrix(subject *s, lw_error *error);
bool code_amd_lanes(subject *s, const uint32_t words[2], lw_error *error);

/* Instructions of AMD that work lane by lane, found by disassembling all opcodes: the operands are in the
 * registers that code_amd_lanes loads. */
typedef struct amd_lane_op {
    char mnemonic[64];
    uint32_t words[2];
    unsigned source_bits[SUBJECT_SOURCES], result_bits;
} amd_lane_op;

/* All of them, each once. Valid until the next call for another architecture. */
const amd_lane_op *amd_lane_ops(lw_arch arch, size_t *count);

/* Workgroups of so many cases; the last one may have cases whose results nobody reads. */
uint32_t subject_groups(const subject *s, size_t cases);

/* Words per lane of an operand: 16 bits take one. */
unsigned lane_words(const lane_operand *o);

bool subject_fail(lw_error *error, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

#endif
