/* SPDX-License-Identifier: MIT */
/*
 * Fast forms compared with the general handler: random instructions of a row, decoded from random words, on
 * waves with difficult values, any EXEC, any MODE and registers that overlap.
 */
#ifndef LW_TESTS_VALU_FORMS_KIT_H
#define LW_TESTS_VALU_FORMS_KIT_H

#include "emu/amdgpu/fast/hot.h"
#include "isa_tables/amdgpu/rows.h"
#include "tests/valu/wave_kit.h"

enum { FORMS_REGS = 24 /* registers that instructions use: so few that they often overlap */ };

typedef struct forms_case {
    lw_arch arch;
    const lw_op_row *row;
    lw_decoded in; /* exec is set */
} forms_case;

/* A random instruction of a row on a generation; false if the generation lacks it, or a hundred tries
 * failed. */
bool forms_random(kit *k, lw_arch arch, const lw_op_row *row, forms_case *out);

/* Registers, EXEC (two in three times all lanes), VCC, MODE (two in three times the usual one). */
void forms_fill(kit *k, lw_arch arch);

/* Whether two waves are the same: registers, scalars, SCC, MODE, pc. Otherwise says where they differ. */
bool forms_same(const kit *a, const kit *b, char *where, size_t size);

#endif
