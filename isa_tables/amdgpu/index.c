/* SPDX-License-Identifier: MIT */
/* From opcode to row: one array per generation, filled by the compiler, which refuses two rows with one
 * opcode. */
#include <stddef.h>

#include "isa_tables/amdgpu/rows.h"

/* Where the opcodes of an encoding class start in an index, and how many it has. */
enum {
    BASE_SOP1 = 0,
    BASE_SOP2 = BASE_SOP1 + 256,
    BASE_SOPC = BASE_SOP2 + 128,
    BASE_SOPK = BASE_SOPC + 128,
    BASE_SOPP = BASE_SOPK + 32,
    BASE_SMEM = BASE_SOPP + 128,
    BASE_VOP1 = BASE_SMEM + 256,
    BASE_VOP2 = BASE_VOP1 + 256,
    BASE_VOPC = BASE_VOP2 + 64,
    BASE_VOP3 = BASE_VOPC + 256,
    BASE_VOP3P = BASE_VOP3 + 1024,
    BASE_MAI = BASE_VOP3P, /* one opcode space */
    BASE_DS = BASE_MAI + 768,
    BASE_FLAT = BASE_DS + 256,
    BASE_MUBUF = BASE_FLAT + 128,
    BASE_MTBUF = BASE_MUBUF + 256,
    BASE_TENSOR = BASE_MTBUF + 16,
    BASE_MIMG = BASE_TENSOR + 256,
    BASE_VIMAGE = BASE_MIMG + 256,
    BASE_VSAMPLE = BASE_VIMAGE + 256,
    BASE_EXP = BASE_VSAMPLE + 256,
    BASE_VINTRP = BASE_EXP + 1,
    BASE_VINTERP = BASE_VINTRP + 4,
    BASE_LDSDIR = BASE_VINTERP + 8,
    ABSENT = BASE_LDSDIR + 4, /* rows without an opcode on this generation get a slot after the rest */
    INDEX_SIZE = ABSENT + LW_OP_COUNT,
};

static const uint16_t bases[LW_ENC_COUNT + 1] = {
    BASE_SOP1,   BASE_SOP2,    BASE_SOPC,   BASE_SOPK,  BASE_SOPP,   BASE_SMEM,    BASE_VOP1,
    BASE_VOP2,   BASE_VOPC,    BASE_VOP3,   BASE_VOP3P, BASE_MAI,    BASE_DS,      BASE_FLAT,
    BASE_MUBUF,  BASE_MTBUF,   BASE_TENSOR, BASE_MIMG,  BASE_VIMAGE, BASE_VSAMPLE, BASE_EXP,
    BASE_VINTRP, BASE_VINTERP, BASE_LDSDIR, ABSENT,
};

/*
 * An opcode word is a sum in which at most one term is not 0: opcode + 1, plus, where the row has another
 * encoding class on this generation, that class's base + 1 in the upper half.
 */
#define PLACE(enc, word) ((word) >> 16 ? ((word) >> 16) - 1 + ((word)&0xffff) - 1 : BASE_##enc + (word)-1)
#define LW_ROW(id, enc, codes, sem, ev)                                                                      \
    [(0 codes) ? PLACE(enc, 0 codes) : ABSENT + LW_OP_##id] = LW_OP_##id + 1,

#define MATRIX_CODE(op, scale_k) +((op) ? (op) + LW_SCALED_OPCODES(scale_k) + 1 : 0)
#define WMMA_CODE(scale_k, op) +((op) ? (op) + LW_SCALED_OPCODES(scale_k) + 1 : 0)
#define HERE(op) +((op) + 1)
#define ELSEWHERE(op) +0
#define W1251

#define G11 ELSEWHERE
#define N11(op, name) +0
#define T11(op, name) +0
#define M11(op, name, mods) +0
#define E11(op, name, enc) +0
#define D11(op) +0
#define P11(op, name) +0
#define G115 ELSEWHERE
#define M115(op, name, mods) +0
#define G12(op) G120(op) G125(op)
#define N12(op, name) N120(op, name) N125(op, name)
#define S12(op, name, segments) S120(op, name, segments) S125(op, name, segments)
#define T12(op, name) T120(op, name) T125(op, name)
#define M12(op, name, mods) M120(op, name, mods) M125(op, name, mods)
#define E12(op, name, enc) E120(op, name, enc) E125(op, name, enc)
#define D12(op) D120(op) D125(op)
#define P12(op, name) P120(op, name) P125(op, name)
#define G120(op) +0
#define N120(op, name) +0
#define S120(op, name, segments) +0
#define T120(op, name) +0
#define M120(op, name, mods) +0
#define E120(op, name, enc) +0
#define D120(op) +0
#define P120(op, name) +0
#define G125(op) +0
#define N125(op, name) +0
#define S125(op, name, segments) +0
#define T125(op, name) +0
#define M125(op, name, mods) +0
#define E125(op, name, enc) +0
#define D125(op) +0
#define P125(op, name) +0
#define G9 HERE
#define WMMA_OP(...) 0

/* The words of gfx9: on all of it, from gfx90a on, from gfx942 on, before gfx942, on one target. */
#define G8A HERE
#define S908(op, segments) HERE(op)
#define R908 HERE
#define N908(op, name) HERE(op)
#define S90A(op, segments) +0
#define G9A ELSEWHERE
#define G94 ELSEWHERE
#define G908 HERE
#define G90A ELSEWHERE
#define G942 ELSEWHERE
#define G950 ELSEWHERE

static const uint16_t index_gfx908[INDEX_SIZE] = {
#define OP(on908, on90a, on942, on950) on908
#include "isa_tables/amdgpu/each_row.inc"
#undef OP
};

#undef G908
#undef S908
#undef R908
#undef N908
#define S908(op, segments) +0
#define R908 ELSEWHERE
#define N908(op, name) +0
#undef G90A
#undef G9A
#undef S90A
#define S90A(op, segments) HERE(op)
#define G908 ELSEWHERE
#define G90A HERE
#define G9A HERE

static const uint16_t index_gfx90a[INDEX_SIZE] = {
#define OP(on908, on90a, on942, on950) on90a
#include "isa_tables/amdgpu/each_row.inc"
#undef OP
};

#undef G8A
#undef S90A
#define S90A(op, segments) +0
#undef G90A
#undef G94
#undef G942
#define G8A ELSEWHERE
#define G90A ELSEWHERE
#define G94 HERE
#define G942 HERE

static const uint16_t index_gfx942[INDEX_SIZE] = {
#define OP(on908, on90a, on942, on950) on942
#include "isa_tables/amdgpu/each_row.inc"
#undef OP
};

#undef G942
#undef G950
#define G942 ELSEWHERE
#define G950 HERE

static const uint16_t index_gfx950[INDEX_SIZE] = {
#define OP(on908, on90a, on942, on950) on950
#include "isa_tables/amdgpu/each_row.inc"
#undef OP
};

#undef G94
#undef G9A
#undef G950
#undef G9
#undef G11
#undef N11
#undef T11
#undef M11
#undef E11
#undef WMMA_OP
#define WMMA_OP(on1100, on1201, on1250) (on1100)
#define G9 ELSEWHERE
#define G94 ELSEWHERE
#define G9A ELSEWHERE
#define G950 ELSEWHERE
#define G11 HERE
#define N11(op, name) HERE(op)
#define T11(op, name) HERE(op)
#define M11(op, name, mods) HERE(op)
#define E11(op, name, enc) +((BASE_##enc + 1) * 0x10000 + (op) + 1)

static const uint16_t index_gfx1100[INDEX_SIZE] = {
#define OP(on908, on90a, on942, on950) 0
#include "isa_tables/amdgpu/each_row.inc"
#undef OP
};

#undef G115
#undef M115
#define G115 HERE
#define M115(op, name, mods) HERE(op)

static const uint16_t index_gfx1150[INDEX_SIZE] = {
#define OP(on908, on90a, on942, on950) 0
#include "isa_tables/amdgpu/each_row.inc"
#undef OP
};

#undef G115
#undef M115
#define G115 ELSEWHERE
#define M115(op, name, mods) +0

#undef G11
#undef N11
#undef T11
#undef M11
#undef E11
#undef G120
#undef N120
#undef S120
#undef T120
#undef M120
#undef E120
#undef WMMA_OP
#define WMMA_OP(on1100, on1201, on1250) (on1201)
#define G11 ELSEWHERE
#define N11(op, name) +0
#define T11(op, name) +0
#define M11(op, name, mods) +0
#define E11(op, name, enc) +0
#define G120 HERE
#define N120(op, name) HERE(op)
#define S120(op, name, segments) HERE(op)
#define T120(op, name) HERE(op)
#define M120(op, name, mods) HERE(op)
#define E120(op, name, enc) +((BASE_##enc + 1) * 0x10000 + (op) + 1)

static const uint16_t index_gfx1201[INDEX_SIZE] = {
#define OP(on908, on90a, on942, on950) 0
#include "isa_tables/amdgpu/each_row.inc"
#undef OP
};

#undef G120
#undef N120
#undef S120
#undef T120
#undef M120
#undef E120
#undef G125
#undef N125
#undef S125
#undef T125
#undef M125
#undef E125
#undef WMMA_OP
#define ASM (-1)
#define WMMA_OP(on1100, on1201, on1250) ((on1250) < 0 ? (on1201) : (on1250))
#define G120(op) +0
#define N120(op, name) +0
#define S120(op, name, segments) +0
#define T120(op, name) +0
#define M120(op, name, mods) +0
#define E120(op, name, enc) +0
#define G125 HERE
#define N125(op, name) HERE(op)
#define S125(op, name, segments) HERE(op)
#define T125(op, name) HERE(op)
#define M125(op, name, mods) HERE(op)
#define E125(op, name, enc) +((BASE_##enc + 1) * 0x10000 + (op) + 1)

static const uint16_t index_gfx1250[INDEX_SIZE] = {
#define OP(on908, on90a, on942, on950) 0
#include "isa_tables/amdgpu/each_row.inc"
#undef OP
};

/* Halves of VOPD, by opcode; rows that cannot be a half come after them. */
enum { DUALS = 64 };

#undef LW_ROW
#undef MATRIX_CODE
#undef G9
#undef D11
#undef P11
#undef G125
#undef N125
#undef S125
#undef T125
#undef M125
#undef E125
#undef G942
#undef G950
#undef WMMA_OP
#define LW_ROW(id, enc, codes, sem, ev) [(0 codes) ? (0 codes) - 1 : DUALS + LW_OP_##id] = LW_OP_##id + 1,
#define MATRIX_CODE(op, scale_k) +0
#define G9(op) +0
#define G942(op) +0
#define G950(op) +0
#define G125(op) +0
#define N125(op, name) +0
#define S125(op, name, segments) +0
#define T125(op, name) +0
#define M125(op, name, mods) +0
#define E125(op, name, enc) +0
#define D11 HERE
#define P11(op, name) HERE(op)
#define WMMA_OP(...) 0
static const uint16_t duals_gfx1100[DUALS + LW_OP_COUNT] = {
#include "isa_tables/amdgpu/each_row.inc"
};

#undef D11
#undef P11
#undef D120
#undef P120
#define D11(op) +0
#define P11(op, name) +0
#define D120 HERE
#define P120(op, name) HERE(op)
static const uint16_t duals_gfx1201[DUALS + LW_OP_COUNT] = {
#include "isa_tables/amdgpu/each_row.inc"
};

#undef D120
#undef P120
#undef D125
#undef P125
#define D120(op) +0
#define P120(op, name) +0
#define D125 HERE
#define P125(op, name) HERE(op)
static const uint16_t duals_gfx1250[DUALS + LW_OP_COUNT] = {
#include "isa_tables/amdgpu/each_row.inc"
};

static const uint16_t *const duals[LW_ARCH_COUNT] = {
    [LW_ARCH_GFX1100] = duals_gfx1100,
    [LW_ARCH_GFX1150] = duals_gfx1100,
    [LW_ARCH_GFX1201] = duals_gfx1201,
    [LW_ARCH_GFX1250] = duals_gfx1250,
};

static const uint16_t *const indices[LW_ARCH_COUNT] = {
    [LW_ARCH_GFX908] = index_gfx908,   [LW_ARCH_GFX90A] = index_gfx90a,   [LW_ARCH_GFX942] = index_gfx942,
    [LW_ARCH_GFX950] = index_gfx950,   [LW_ARCH_GFX1100] = index_gfx1100, [LW_ARCH_GFX1150] = index_gfx1150,
    [LW_ARCH_GFX1201] = index_gfx1201, [LW_ARCH_GFX1250] = index_gfx1250,
};

const lw_op_row *lw_op_find(lw_arch arch, lw_enc enc, unsigned op)
{
    if ((unsigned)arch >= LW_ARCH_COUNT || !indices[arch] || (unsigned)enc >= LW_ENC_COUNT)
        return NULL;
    const unsigned end = enc == LW_ENC_VOP3P ? BASE_DS : bases[enc + 1];
    if (op >= end - bases[enc])
        return NULL;
    const uint16_t found = indices[arch][bases[enc] + op];
    if (!found)
        return NULL;
    const lw_op_row *row = &lw_op_rows[found - 1];
    return lw_op_enc(row, arch) == enc ? row : NULL;
}

const lw_op_row *lw_op_find_dual(lw_arch arch, unsigned op)
{
    if ((unsigned)arch >= LW_ARCH_COUNT || !duals[arch] || op >= DUALS)
        return NULL;
    const uint16_t found = duals[arch][op];
    return found ? &lw_op_rows[found - 1] : NULL;
}
