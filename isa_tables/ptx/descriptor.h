/* SPDX-License-Identifier: MIT */
/* The instruction descriptor of tcgen05.mma: an operand of 32 bits that says what PTX's spelling does not. */
#ifndef LW_ISA_PTX_DESCRIPTOR_H
#define LW_ISA_PTX_DESCRIPTOR_H

#include "isa_tables/ptx/row.h"

/* The descriptor of a row of tcgen05 under `mods`. */
uint32_t lw_tcgen05_descriptor(const lw_insn *insn, const lw_ptx_mods *mods);

/* What a descriptor says of an instruction of that kind. */
typedef struct lw_tcgen05_fields {
    uint16_t m, n, k;
    uint8_t a, b, d;   /* lw_elem */
    uint8_t scale;     /* lw_elem; NONE without scales */
    lw_ptx_mods flags; /* signs, transposes, saturation, scale ids */
} lw_tcgen05_fields;

/* LW_E_UNSUPPORTED with a sentence for a code that means nothing, and for what is not in this version. */
lw_status lw_tcgen05_read(uint32_t descriptor, lw_ptx_kind kind, bool sparse, lw_tcgen05_fields *fields,
                          lw_error *error);

#endif
