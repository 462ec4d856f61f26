/* SPDX-License-Identifier: MIT */
/* A program that finds layouts on hardware: the data from which its parts are generated. */
#ifndef LW_LAYOUTS_PROBE_H
#define LW_LAYOUTS_PROBE_H

#include "layouts/layout.h"
#include "layouts/writer.h"

enum { LW_PROBE_TEXT = 256 };

typedef struct lw_probe {
    lw_arch arch;
    const lw_insn *insn;
    lw_mods mods;
    bool tied; /* C is read from D's registers */
    bool has[LW_OPERAND_COUNT];
    lw_layout layout[LW_OPERAND_COUNT];
    unsigned at[LW_OPERAND_COUNT]; /* first register in the image of inputs */
    unsigned in_registers;
    char instruction[LW_PROBE_TEXT]; /* as lw_insn_parse reads it */
    char modifiers[LW_PROBE_TEXT];   /* as lw_mods_parse reads them */
    lw_writer *w;
} lw_probe;

/* The variable that holds an operand's registers: "a", "scale_a". */
const char *lw_probe_variable(unsigned operand);

/* Writes the kernel around the instruction, and the #if of the preprocessor branch that contains it. */
void lw_probe_put_hip(const lw_probe *p);
void lw_probe_put_cuda(const lw_probe *p);

#endif
