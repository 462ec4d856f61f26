/* SPDX-License-Identifier: MIT */
/* How sure the arithmetic of an architecture's instructions is, aspect by aspect. */
#ifndef LW_CLI_LIST_EVIDENCE_H
#define LW_CLI_LIST_EVIDENCE_H

#include <lanewise/mma.h>

#include "cli/json.h"

/* The labels of one instruction without modifiers. */
typedef struct evidence_row {
    const char *mnemonic;
    bool computes; /* this version has its arithmetic */
    uint8_t label[LW_MMA_ASPECT_COUNT], weakest;
    char *source[LW_MMA_ASPECT_COUNT]; /* of that label */
} evidence_row;

typedef struct evidence_table {
    lw_arch arch;
    size_t count;
    evidence_row *row;
} evidence_table;

/* Reads the labels of the instructions of `family`, or of all for NULL. */
evidence_table evidence_read(lw_arch arch, const char *family);
void evidence_free(evidence_table *table);

/* One line per aspect: how many instructions have which label. */
void evidence_print(const evidence_table *table);

/* The same, with the names of the instructions and what each label rests on. */
void evidence_write(const evidence_table *table, cli_json *json);

/* The tables of all architectures. */
void evidence_print_all(void);
void evidence_write_all(cli_json *json);

#endif
