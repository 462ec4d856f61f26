/* SPDX-License-Identifier: MIT */
/* Lines of machine code that stdout does not have yet: it gets them in large pieces. */
#ifndef LW_CLI_DISASM_BLOCK_H
#define LW_CLI_DISASM_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include <lanewise/disasm.h>

typedef struct block {
    char at[1 << 16];
    size_t used; /* at first 0 */
} block;

void block_flush(block *b);
void block_put(block *b, const char *text, size_t length);

/* As llvm-objdump prints it: text, address and words. `bytes` are those of the instruction; with `open`, the
 * line does not end yet. */
void block_instruction(block *b, uint64_t address, const uint8_t *bytes, const lw_disasm *in, bool open);

#endif
