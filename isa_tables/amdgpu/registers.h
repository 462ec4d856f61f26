/* SPDX-License-Identifier: MIT */
/*
 * Scalar registers by numbers that do not depend on the generation: their indices in wave.sgpr. The decoder
 * turns the codes of machine instructions into these (scalar_codes.inc).
 */
#ifndef LW_ISA_AMDGPU_REGISTERS_H
#define LW_ISA_AMDGPU_REGISTERS_H

enum {
    LW_SGPR_FLAT_SCRATCH = 102, /* gfx9; later generations have plain registers up to 105 */
    LW_SGPR_XNACK_MASK = 104,
    LW_SGPR_VCC = 106,
    LW_SGPR_TTMP0 = 108,
    LW_SGPR_M0 = 124,
    LW_SGPR_EXEC = 126,
    LW_SGPR_COUNT = 128,
    LW_SGPR_NULL = 128,      /* discards results: two dwords that nothing reads */
    LW_SGPR_FILE_SIZE = 130, /* dwords of the file, including these */
};

#endif
