/* SPDX-License-Identifier: MIT */
/* Results of gfx1201 that are recorded as digests: the operands are generated, and the digest is of D's
 * registers. */
#ifndef LW_CLI_DIGESTS_H
#define LW_CLI_DIGESTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    DIGEST_LANES = 32,
    DIGEST_REGISTERS = 24, /* the most registers that a generator fills */
};

/* How operands are generated. */
typedef enum digest_generator {
    DIGEST_INT, /* any bits; C at the ends of the range */
    DIGEST_F16, /* -2, -1, 0, 1, 2 in f16 or bf16 */
    DIGEST_F8,  /* the same in fp8 or bf8 */
} digest_generator;

/* A line of the file. */
typedef struct digest_case {
    digest_generator generator;
    char insn[96]; /* with modifiers, as lw_insn_parse reads it */
    unsigned sample;
    uint64_t want; /* the leading `digits` hexadecimal digits of the digest */
    unsigned digits;
} digest_case;

/* Generates register images of the operands; `index` is the register after the last one of C. */
typedef struct digest_words {
    uint32_t word[DIGEST_REGISTERS][DIGEST_LANES];
    const uint32_t *a, *b, *c, *index;
    unsigned registers;
} digest_words;

/* Whether `line` is a digest line, or the line that names the columns. */
bool digest_recognise(const char *line);
bool digest_is_head(const char *line);

/* False when the line is not "generator,instruction,modifiers,sample,digest". */
bool digest_parse(const char *line, digest_case *out);

void digest_generate(const digest_case *c, digest_words *out);

/* FNV-1a, 64 bits, over words in little-endian order. */
uint64_t digest_of(const uint32_t *words, unsigned count);

/* The leading digits of the digest of D. */
uint64_t digest_leading(const digest_case *c, const uint32_t *d, unsigned count);

#endif
