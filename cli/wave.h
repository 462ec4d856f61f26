/* SPDX-License-Identifier: MIT */
/* One wave's register images of one matrix instruction, written and read by element. */
#ifndef LW_CLI_WAVE_H
#define LW_CLI_WAVE_H

#include <lanewise/layout.h>
#include <lanewise/mma.h>

#include "cli/cli.h"

/* Where the elements of an operand sit; entries of one element follow each other by `next`. */
typedef struct wave_operand {
    lw_operand_info info;
    lw_layout_info shape;
    lw_layout_entry *entries;
    size_t entry_count;
    size_t *first, *next; /* by element, by entry; WAVE_END ends */
    uint32_t *image;      /* reg * lanes + lane; NULL when the instruction has no such operand */
} wave_operand;

typedef struct cli_wave {
    lw_arch arch;
    const lw_insn *insn;
    lw_mods mods;
    unsigned lanes;
    lw_insn_info info;
    wave_operand operand[LW_OPERAND_COUNT];
} cli_wave;

/*
 * All images zero, of an index the nibble 4 (positions 0 and 1) everywhere. `text` is an instruction as
 * lw_insn_parse reads it, `lanes` 0 for the usual wave. Free with wave_close in any case.
 */
lw_status wave_open(lw_arch arch, const char *text, unsigned lanes, cli_wave *wave, lw_error *error);
void wave_close(cli_wave *wave);

/* Gives an operand that the instruction lacks an image without elements: what lies in memory. */
void wave_add_image(cli_wave *wave, lw_operand operand, unsigned registers);

/* The images as wave_open left them. */
void wave_clear(cli_wave *wave);

/* Words in an operand's image. */
size_t wave_words(const cli_wave *wave, lw_operand operand);

/* Element (block 0, x, y), in all its copies; the copy in the lowest place. False when there is none. */
bool wave_put(cli_wave *wave, lw_operand operand, unsigned x, unsigned y, uint64_t code);
bool wave_get(const cli_wave *wave, lw_operand operand, unsigned x, unsigned y, uint64_t *code);

/* C of an instruction that reads it from D is D. */
lw_operand wave_c(const cli_wave *wave);

/* Executes into `d` (wave_words of D) and leaves the images alone. */
lw_status wave_execute(const cli_wave *wave, const char *const *readings, size_t count, uint32_t *d,
                       lw_error *error);

#endif
