/* SPDX-License-Identifier: MIT */
/* Rows of AMD scalar, vector and memory instructions: one row per meaning, an opcode per generation. */
#ifndef LW_ISA_AMDGPU_OPCODE_H
#define LW_ISA_AMDGPU_OPCODE_H

#include <stdint.h>

#include <lanewise/arch.h>

/* Encoding classes. One .inc file of rows each; VOP1, VOP2 and VOPC rows also exist in VOP3 form. */
typedef enum lw_enc {
    LW_ENC_SOP1,
    LW_ENC_SOP2,
    LW_ENC_SOPC,
    LW_ENC_SOPK,
    LW_ENC_SOPP,
    LW_ENC_SMEM,
    LW_ENC_VOP1,
    LW_ENC_VOP2,
    LW_ENC_VOPC,
    LW_ENC_VOP3,
    LW_ENC_VOP3P,
    LW_ENC_MAI,
    LW_ENC_DS,
    LW_ENC_FLAT, /* flat, global and scratch */
    LW_ENC_MUBUF,
    LW_ENC_MTBUF,
    LW_ENC_TENSOR,  /* gfx1250: copies of tiles, whose operands are scalar registers */
    LW_ENC_MIMG,    /* images before gfx12 */
    LW_ENC_VIMAGE,  /* on gfx12: without and */
    LW_ENC_VSAMPLE, /* with a sampler */
    LW_ENC_EXP,
    LW_ENC_VINTRP,  /* parameters of pixel shaders: gfx9's in one dword, */
    LW_ENC_VINTERP, /* in two, */
    LW_ENC_LDSDIR,  /* and loads of them into registers */
    LW_ENC_COUNT,
} lw_enc;

/* What may be in the dword after a vector instruction, encodings without opcodes; and the two halves of VOPD,
 * whose opcodes are in the rows (lw_op_on.dual). */
enum {
    LW_ENC_SDWA = LW_ENC_COUNT,
    LW_ENC_DPP,
    LW_ENC_DPP8,
    LW_ENC_VOPD,
    LW_ENC_VOPD_Y,
    LW_ENC_VOPD3,
    LW_ENC_VOPD3_Y
};

/* How the bits of an operand are read: this decides about inline constants, literals, modifiers and text. */
typedef enum lw_type {
    LW_TYPE_NONE,
    LW_TYPE_B16,
    LW_TYPE_I16,
    LW_TYPE_U16,
    LW_TYPE_F16,
    LW_TYPE_BF16,
    LW_TYPE_V2F16,
    LW_TYPE_V2BF16,
    LW_TYPE_V2I16,
    LW_TYPE_B32,
    LW_TYPE_I32,
    LW_TYPE_U32,
    LW_TYPE_F32,
    LW_TYPE_V2F32,
    LW_TYPE_V2B32,
    LW_TYPE_B64,
    LW_TYPE_I64,
    LW_TYPE_U64,
    LW_TYPE_F64,
    LW_TYPE_MASK, /* a bit for each lane: one register or two, depending on the size of the wave */
    LW_TYPE_WIDE, /* 96 bits and more: registers only */
} lw_type;

/*
 * How well the result of an instruction is supported by sources. The weakest label that a run touched is
 * reported. EXACT is for operations whose result the manual's text defines completely (moves, integer and bit
 * operations, IEEE operations in a mode the manual names); the others are those of lanewise/label.h.
 */
typedef enum lw_evidence {
    LW_EV_NONE,  /* no semantics: executing the instruction is a fault */
    LW_EV_EXACT, /* lw_label + 1 */
    LW_EV_RECORDED,
    LW_EV_MEASURED,
    LW_EV_VENDOR,
    LW_EV_INFERRED,
    LW_EV_UNKNOWN,
} lw_evidence;

#endif
