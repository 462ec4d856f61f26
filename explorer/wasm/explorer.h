/* SPDX-License-Identifier: MIT */
/* The program's verbs in a page: what stands in for its files, and two verbs that only the page needs. */
#ifndef LW_EXPLORER_H
#define LW_EXPLORER_H

#include <lanewise/npy.h>

#include "cli/cli.h"

#ifdef __wasm__
#define EXPLORER_CALL(name) __attribute__((export_name(#name)))
#else
#define EXPLORER_CALL(name)
#endif

/* ---- What the page calls ---- */

EXPLORER_CALL(explorer_version) const char *explorer_version(void);
EXPLORER_CALL(explorer_alloc) void *explorer_alloc(size_t size);
EXPLORER_CALL(explorer_free) void explorer_free(void *memory);

/*
 * `words` are a verb and its arguments, each with its NUL, `size` bytes in total. What the program would
 * print goes to standard output and error. Returns the exit status.
 */
EXPLORER_CALL(explorer_run) int explorer_run(char *words, size_t size);

/* Keeps a copy of a file, which options find by its name. 0 when there are too many. */
EXPLORER_CALL(explorer_put) int explorer_put(const char *name, const uint8_t *bytes, size_t size);

/* The bytes of a kept file, NULL if there is none; explorer_size says how many. */
EXPLORER_CALL(explorer_bytes) const uint8_t *explorer_bytes(const char *name);
EXPLORER_CALL(explorer_size) size_t explorer_size(const char *name);

/* ---- Between its files ---- */

/*
 * numbers INSN --arch ARCH [--mod ..] --kind random|cancellation|subnormal|nan [--seed N]
 *         [--at ROW,COL[,BLOCK] [--row NUMBERS] [--column NUMBERS] [--c NUMBER]]
 *
 * Fills the operands of `eval` and keeps them as a.npy, b.npy, c.npy, and index.npy, scale_a.npy and
 * scale_b.npy where the instruction has them. With --at, the row of A, the column of B and the element of C
 * that lead to that element of D are the numbers given (separated by commas; 0x.. is a code).
 */
extern const cli_verb explorer_verb_numbers;

/*
 * moved INSN --arch ARCH [--mod ..] --at ROW,COL[,BLOCK]
 *
 * For instructions that only move elements: the places in registers of one element of the operand, and for
 * each what executing the instruction finds of its lowest bit: loads, the bit of memory that it comes from;
 * stores, the one it goes to; movmatrix, the register. Memory begins at 0, lane L has the address 16 L;
 * wmma's rows lie one after another.
 */
extern const cli_verb explorer_verb_moved;

/* Keeps a copy of `array` under that name, in place of an earlier one; later calls find it as a file. */
void explorer_keep(const char *name, const lw_npy *array);

#endif
