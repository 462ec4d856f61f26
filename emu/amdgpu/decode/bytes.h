/* SPDX-License-Identifier: MIT */
/* Which bytes of its registers an operand uses. */
#ifndef LW_EMU_AMDGPU_DECODE_BYTES_H
#define LW_EMU_AMDGPU_DECODE_BYTES_H

#include "emu/amdgpu/decode/decoded.h"
#include "isa_tables/amdgpu/rows.h"

/* Registers of an operand, counted from its first, and the bytes used of each, one bit per byte. */
typedef struct lw_part {
    uint8_t first, count, bytes;
} lw_part;

/* What source `i` reads. */
lw_part lw_decoded_source_part(const lw_decoded *in, unsigned i);

/* The bytes written in each register of the result; the others keep their value. */
uint8_t lw_decoded_result_bytes(const lw_decoded *in);

/* Do modifiers put the result into a part of its register other than the lowest? With SDWA's dst_sel: into
 * any part. */
bool lw_decoded_part_result(const lw_decoded *in);

#endif
