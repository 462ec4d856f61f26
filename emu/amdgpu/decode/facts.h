/* SPDX-License-Identifier: MIT */
/* The facts about an instruction that observers receive (lanewise/facts.h), from its row and its decoded
 * fields. */
#ifndef LW_EMU_AMDGPU_DECODE_FACTS_H
#define LW_EMU_AMDGPU_DECODE_FACTS_H

#include <lanewise/facts.h>

#include "emu/amdgpu/decode/decoded.h"
#include "emu/device/observed.h"

/*
 * Lists every register that `in` names or implies (VCC, SCC, EXEC, M0, MODE) and its constants, operand by
 * operand; a register that is read by one operand and written by another is listed twice. EXEC as the lane
 * mask of a vector instruction is not listed. Registers addressed through M0 (movrel, gpr_idx) are listed as
 * encoded. Writes at most `capacity` of them and returns how many there are.
 */
size_t lw_decoded_operands(const lw_decoded *in, lw_fact_operand *operands, size_t capacity);

/* All facts of the instruction at `pc`. `operands` has room for LW_MAX_OPERANDS. */
lw_facts lw_decoded_facts(lw_arch arch, const lw_decoded *in, uint64_t pc, lw_fact_operand *operands);

/* The same of conversions to 8 bits and fewer, by the instruction's name; others stay as they are. */
void lw_decoded_narrow(lw_facts *facts, lw_arch arch, const char *name);

/* The lanes that an operand uses when EXEC is `exec`. */
uint64_t lw_decoded_lanes(const lw_decoded *in, const lw_fact_operand *operand, uint64_t exec);

/* The code of a scalar register in this generation's operands; -1 if it has none. */
int lw_scalar_code(lw_reg_file file, unsigned reg);

#endif
