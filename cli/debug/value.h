/* SPDX-License-Identifier: MIT */
/* Registers, LDS and memory as numbers of a type, and as the matrices that instructions see. */
#ifndef LW_CLI_DEBUG_VALUE_H
#define LW_CLI_DEBUG_VALUE_H

#include <lanewise/layout.h>

#include "cli/debug/debug.h"

typedef struct debug_type {
    const char *name;
    const char *format; /* as lw_mma_decode has it; NULL: hexadecimal */
    unsigned bits;
} debug_type;

enum { DEBUG_VALUE = 48 /* characters of a value, with NUL */ };

/* NULL if there is none of that name: x8 to x64, i4 to i64, u4 to u64, f16, bf16, f32, f64, fp8, ... */
const debug_type *debug_type_find(const char *name);
/* The names, separated by blanks. */
void debug_type_names(debug_text *text);
/* The type of an argument's array. */
const debug_type *debug_type_of(const run_arg *arg);
void debug_value(const debug_type *type, uint64_t code, char text[DEBUG_VALUE]);
/* `width` bits (at most 64) from bit `bit` on. */
uint64_t debug_bits(const uint8_t *bytes, uint64_t bit, unsigned width);

/* ---- Registers ---- */

typedef struct debug_register {
    lw_reg_file file;
    unsigned first, count;
    bool scalar; /* one value for the wave */
} debug_register;

/* "v4", "v[4:7]", "s8", "vcc", "exec", "m0"; "%r3" of the function that the wave is in. */
bool debug_register_find(const debugger *d, size_t wave, const char *name, debug_register *reg,
                         debug_text *why);
uint32_t debug_register_value(const debugger *d, size_t wave, const debug_register *reg, unsigned word,
                              unsigned lane);

/* "NAME[:COUNT] [TYPE] [lane L]" of the chosen wave. False after putting a sentence into `out`. */
bool debug_print(debugger *d, const char *words, debug_text *out);
/* "NAME[I,J] [TYPE] [RxC]", "0x1000 TYPE [RxC]". */
bool debug_memory(debugger *d, const char *words, debug_text *out);
bool debug_lds(debugger *d, const char *words, debug_text *out);

/* ---- Matrices ---- */

/* An operand's elements: codes[(block * rows + x) * cols + y]; known: some place holds it. */
typedef struct debug_tile {
    lw_layout_info info;
    uint64_t *codes;
    uint8_t *known;
    char format[32];   /* "" where codes are printed */
    unsigned from_col; /* of wgmma, whose columns come in groups of eight */
} debug_tile;

void debug_tile_free(debug_tile *tile);
/* The text of element `at`. */
void debug_tile_value(const debug_tile *tile, size_t at, char text[DEBUG_VALUE]);

/*
 * Operand number `operand` of the matrix instruction that the wave executes next; group 0, or of wgmma the
 * n-th eight columns. False: there is none; `why` then has a sentence, unless it is NULL.
 */
bool debug_tile_here(debugger *d, size_t wave, lw_operand operand, unsigned group, debug_tile *tile,
                     debug_text *why);

/* "", "A", or "INSTRUCTION OPERAND REGISTER..." with modifiers between. */
bool debug_matrix(debugger *d, const char *words, debug_text *out);

#endif
