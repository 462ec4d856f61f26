/* SPDX-License-Identifier: MIT */
/* The indices of AMD's matrix instructions in lw_insn_rows: LW_INSN_v_mfma_f32_16x16x16_f16 ... */
#ifndef LW_ISA_MATRIX_INDEX_H
#define LW_ISA_MATRIX_INDEX_H

#include "isa_tables/matrix.h"

/* The rows of PTX, which come before them. */
enum {
    LW_INSN_PTX_ROWS = 0
#define PTX(...) +1
#define PTX_QUADS PTX
#define PTX_MOVE PTX
#define PTX_ROW PTX
#include "isa_tables/ptx/mma.inc"
#undef PTX
#undef PTX_QUADS
#undef PTX_MOVE
#undef PTX_ROW
#define TCGEN05(...) +2 /* with 128 and with 64 rows */
#define TCGEN05_SCALED(...) +1
#define TCGEN05_SP TCGEN05
#define TCGEN05_SP_SCALED TCGEN05_SCALED
#include "isa_tables/ptx/tcgen05.inc"
#undef TCGEN05
#undef TCGEN05_SCALED
#undef TCGEN05_SP
#undef TCGEN05_SP_SCALED
};

enum {
    LW_INSN_BEFORE_AMD = LW_INSN_PTX_ROWS - 1,
#define MATRIX(id, ...) LW_INSN_##id,
#include "isa_tables/matrix.inc"
#undef MATRIX
#define WMMA(id, ...) LW_INSN_##id,
#include "isa_tables/matrix.inc"
#undef WMMA
};

/* Bits of an element, as constants: LW_ELEM_BITS_F16 ... */
enum {
#define ELEM(id, name, format) LW_ELEM_BITS_##id = LW_BITS_OF_##format,
#include "isa_tables/elems.inc"
#undef ELEM
};

#endif
