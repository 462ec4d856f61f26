/* SPDX-License-Identifier: MIT */
/* The register images of one wave for one matrix instruction, accessed by element. */
#ifndef LW_CLI_WAVE_H
#define LW_CLI_WAVE_H

#include <lanewise/layout.h>
#include <lanewise/mma.h>

#include "cli/cli.h"

/* Where the elements of an operand are; `next` links the entries of one element. */
typedef struct wave_operand {
    lw_operand_info info;
    lw_layout_info shape;
    lw_layout_entry *entries;
    size_t entry_count;
    size_t *first, *next; /* by element, by entry; WAVE_END ends the list */
    uint32_t *image;      /* reg * lanes + lane; NULL if the instruction has no such operand */
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
 * All images are zero, except that every nibble of an index is 4 (positions 0 and 1); operands in memory have
 * none. `text` is an
 * instruction as lw_insn_parse reads it, `lanes` is 0 for the usual wave. Free with wave_close even after a
 * failure.
 */
lw_status wave_open(lw_arch arch, const char *text, unsigned lanes, cli_wave *wave, lw_error *error);
void wave_close(cli_wave *wave);

/* Gives an operand that the instruction lacks an image without elements, which stands for memory. */
void wave_add_image(cli_wave *wave, lw_operand operand, unsigned registers);

/* Gives an operand that is in memory an image and its elements' places there: a word is register * lanes +
 * lane. Takes the entries. */
void wave_add_elements(cli_wave *wave, lw_operand operand, const lw_layout_info *shape, unsigned registers,
                       lw_layout_entry *entries, size_t count);

/* Resets the images to their state after wave_open. */
void wave_clear(cli_wave *wave);

/* Words in an operand's image. */
size_t wave_words(const cli_wave *wave, lw_operand operand);

/* Element (block, x, y), in all its copies; wave_put and wave_get take block 0; wave_get reads the copy in
 * the lowest place. False if there is none. */
bool wave_put(cli_wave *wave, lw_operand operand, unsigned x, unsigned y, uint64_t code);
bool wave_put_in(cli_wave *wave, lw_operand operand, unsigned block, unsigned x, unsigned y, uint64_t code);
bool wave_get(const cli_wave *wave, lw_operand operand, unsigned x, unsigned y, uint64_t *code);

/* LW_OPERAND_D for an instruction that reads C from D. */
lw_operand wave_c(const cli_wave *wave);

/* Executes into `d` (wave_words of D) and leaves the images alone. */
lw_status wave_execute(const cli_wave *wave, const char *const *readings, size_t count, uint32_t *d,
                       lw_error *error);

#endif
