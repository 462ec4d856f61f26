/* SPDX-License-Identifier: MIT */
/* One decoded AMD instruction: filled in by the decoder, printed by the text printer, run by the
 * interpreter. */
#ifndef LW_EMU_AMDGPU_DECODE_DECODED_H
#define LW_EMU_AMDGPU_DECODE_DECODED_H

#include <stdbool.h>
#include <stdint.h>

#include "isa_tables/amdgpu/opcode.h"
#include "isa_tables/amdgpu/registers.h"
#include "isa_tables/amdgpu/traits.h"

struct lw_wave;
struct lw_decoded;
struct lw_op_row;

/* What the interpreter does after an instruction. */
typedef enum lw_step {
    LW_STEP_NEXT,    /* continue after the instruction */
    LW_STEP_JUMPED,  /* the handler has set wave->pc */
    LW_STEP_BARRIER, /* wait for the workgroup; pc moves past the instruction */
    LW_STEP_YIELD,   /* let other waves run (s_sleep); pc moves past the instruction */
    LW_STEP_WAIT,    /* pending copies below wave->wait_limit must complete; pc moves past the instruction */
    LW_STEP_PAUSE,   /* the turn ends, or the session is cancelled; pc moves past the instruction */
    LW_STEP_END,     /* the wave has ended */
    LW_STEP_FAULT,   /* wave->fault says why */
} lw_step;

/* Runs one instruction on one wave. Reads all sources before it writes anything. */
typedef lw_step (*lw_exec_fn)(struct lw_wave *wave, const struct lw_decoded *in);

typedef enum lw_opnd_kind {
    LW_OPND_NONE,
    LW_OPND_VGPR,    /* reg = 0..255 */
    LW_OPND_AGPR,    /* reg = 0..255 */
    LW_OPND_SGPR,    /* reg = LW_SGPR_*: not the code, which depends on the generation */
    LW_OPND_SPECIAL, /* reg = source code 230, 231, 235..239, 251..254: apertures, VCCZ, EXECZ, SCC,
                        LDS_DIRECT */
    LW_OPND_INLINE,  /* value = the inline constant's bits in the operand's type */
    LW_OPND_LITERAL, /* value = the literal, widened to the operand's type (f64: the high half) */
    LW_OPND_IMM,     /* value = an immediate field that is not a source operand (simm16, hwreg, ...) */
    LW_OPND_OFF,     /* the assembler's `off` */
} lw_opnd_kind;

/* Flags of an operand. */
enum {
    LW_OPND_F_K = 1,    /* the literal of madmk, madak and the like */
    LW_OPND_F_SEXT = 2, /* the part that `sel` selects is sign-extended */
    LW_OPND_F_KEEP = 8, /* a 16-bit load keeps the part of its register that it does not write */
    LW_OPND_F_HALF = 4, /* one half of a register, selected by `sel`; a result keeps the other half */
};

/* Which part of a register is a source, or receives a result. */
typedef enum lw_sel {
    LW_SEL_ALL, /* the bits that the operand's type uses, from bit 0 on */
    LW_SEL_WORD_0,
    LW_SEL_WORD_1, /* also the upper half by op_sel */
    LW_SEL_BYTE_0,
    LW_SEL_BYTE_1,
    LW_SEL_BYTE_2,
    LW_SEL_BYTE_3,
} lw_sel;

typedef struct lw_opnd {
    uint8_t kind;   /* lw_opnd_kind */
    uint8_t type;   /* lw_type */
    uint8_t dwords; /* 32-bit registers; 1 for 16-bit and smaller types */
    uint8_t flags;  /* LW_OPND_F_* */
    uint16_t reg;
    uint16_t code;    /* the encoded field, for the printer */
    uint32_t literal; /* LW_OPND_LITERAL: the encoded dword; of a literal of 64 bits, the low one */
    uint32_t high;    /* the high one */
    /*
     * Modifiers, from any encoding. For two-element operands of VOP3P, bit 0 of neg and pick belongs to the
     * low element, bit 1 to the high element. For mixed operands (fma_mix), bit 0 of pick selects the upper
     * half, and bit 1 says that the source is an f16.
     */
    uint8_t neg, abs;
    uint8_t sel;  /* lw_sel */
    uint8_t pick; /* reads the element from the upper half */
    uint64_t value;
} lw_opnd;

/* Sub-encodings that replace src0 of VOP1, VOP2 and VOPC. */
typedef enum lw_sub {
    LW_SUB_NONE,
    LW_SUB_SDWA,
    LW_SUB_DPP,
} lw_sub;

enum { LW_MAX_SRC = 4 };

/* Image instructions: what only their text says, and the registers of the address, each the first of some. */
typedef struct lw_decoded_image {
    uint8_t dmask, dim, unorm, a16, d16, tfe, lwe, array;
    uint8_t addresses;
    struct {
        uint8_t reg, dwords;
    } address[5];
} lw_decoded_image;

/* The second half of a VOPD instruction; the lw_decoded that contains it is the first. */
typedef struct lw_decoded_half {
    const struct lw_op_row *row; /* NULL: there is no second half */
    lw_opnd dst, src[3];
    uint32_t mods, imm;
    uint8_t enc;
} lw_decoded_half;

typedef struct lw_decoded {
    const struct lw_op_row *row;     /* never NULL in a successfully decoded instruction */
    lw_exec_fn exec;                 /* set by the interpreter, not by the decoder */
    const struct lw_mma_key *matrix; /* the interpreter's, for matrix instructions */
    uint64_t pc;                     /* the interpreter's: the instruction's address */

    lw_opnd dst;  /* vdst, sdst, vdata of loads, ... */
    lw_opnd sdst; /* second result: carry-out, VCC of div_scale, sdst of VOPC in VOP3/SDWA form */
    /*
     * Where the sources are:
     *   SOP*, VOP*   src0 src1 src2; carry-in masks in src[2]; SOPK: register, immediate
     *   MAI          A, B, C (smfmac: A, B, index; C is dst)
     *   SMEM         base, scalar offset, data (stores, atomics)
     *   DS           address, data 0, data 1
     *   FLAT         address, data, scalar address
     *   MUBUF MTBUF  address, resource, scalar offset, data (stores, atomics)
     *   TENSOR       groups 0 to 3 of the descriptor
     *   images       resource, sampler; data are dst or src[3]
     *   EXP          the four values
     * Loaded data and the results of returning atomics are dst.
     */
    lw_opnd src[LW_MAX_SRC];
    lw_opnd scale[2]; /* v_mfma_scale_*: scales of A and B */

    lw_decoded_half second; /* VOPD */

    uint32_t mods;       /* LW_MOD_* of the row on this generation */
    uint8_t mask_dwords; /* registers of a lane mask */
    uint8_t enc;         /* the encoding used: a VOP2 row decoded from VOP3 bits has LW_ENC_VOP3 */
    uint8_t words;       /* 1..4 dwords */
    uint8_t sub;         /* lw_sub */

    uint8_t op_sel,
        op_sel_hi; /* as encoded, for text and if they do not select halves; halves: see sel, pick */
    uint8_t omod;  /* 0 none, 1 *2, 2 *4, 3 /2 */
    uint8_t clamp;

    uint8_t sdwa_dst_sel, sdwa_dst_unused; /* 0-3 byte, 4-5 word, 6 dword; 0 pad, 1 sext, 2 preserve */
    uint16_t dpp_ctrl;                     /* 9 bits */
    uint8_t dpp_row_mask, dpp_bank_mask;
    uint8_t dpp_bound_ctrl;     /* the encoded bit: 1 = out-of-range lanes read 0 */
    uint8_t dpp_fetch_inactive; /* inactive lanes are read, too */
    bool dpp8;                  /* for each of eight lanes, three bits of dpp_lanes select its source */
    uint32_t dpp_lanes;

    uint8_t index_key;        /* for sparse matrix instructions in VOP3P */
    uint8_t reuse_a, reuse_b; /* hints; scaled: where the scales are, and their formats */
    uint8_t scale_row[2], scale_format[2];
    uint8_t cbsz, abid, blgp; /* MAI; bitop3's table is in `imm` */

    int32_t offset; /* memory: byte offset, sign-extended; DS: offset0 | offset1 << 8 or offset16 */
    uint8_t glc, slc, nv, dlc; /* memory cache bits: sc0/glc, nt/slc, sc1/scc, dlc of gfx11 */
    uint8_t th, scope;         /* on gfx12 instead: temporal hint, scope */
    bool has_scope;
    uint8_t scale_offset;           /* the register offset counts elements of the access */
    uint8_t lds;                    /* MUBUF/FLAT: data goes to LDS */
    uint8_t r128;                   /* TENSOR: printed only */
    uint8_t gds;                    /* DS */
    uint8_t offen, idxen;           /* MUBUF/MTBUF */
    uint8_t seg;                    /* FLAT: 0 flat, 1 scratch, 2 global */
    uint8_t imm_offset, soffset_en; /* SMEM */
    uint8_t dfmt, nfmt;             /* MTBUF */

    lw_decoded_image image;

    uint32_t imm;     /* simm16 as encoded (SOPK, SOPP, bitop3 table, ...) */
    uint32_t bits[4]; /* the dwords themselves */
} lw_decoded;

/* Does a source have a sign modifier? */
static inline bool lw_decoded_has_signs(const lw_decoded *in)
{
    return in->src[0].neg | in->src[0].abs | in->src[1].neg | in->src[1].abs | in->src[2].neg |
           in->src[2].abs;
}

/*
 * Decodes the instruction that starts at words[0]; `count` dwords are readable (at least 1).
 * Unknown encodings and reserved field values give LW_E_FORMAT, a missing second dword LW_E_TRUNCATED; *in is
 * then unchanged. `exec` and `matrix` are NULL, and `pc` is 0.
 */
lw_status lw_amdgpu_decode(lw_arch arch, const uint32_t *words, size_t count, lw_decoded *in);

/* The same for waves of 32 or 64 lanes, whose lane masks differ in size. The function above assumes the
 * architecture's default. */
lw_status lw_amdgpu_decode_wave(lw_arch arch, unsigned wave, const uint32_t *words, size_t count,
                                lw_decoded *in);

/* The same for a sibling, whose traits are given (lw_amdgpu_traits_named). */
lw_status lw_amdgpu_decode_as(lw_arch arch, const lw_amdgpu_traits *traits, unsigned wave,
                              const uint32_t *words, size_t count, lw_decoded *in);

/* The second half of `in` as a separate instruction, with the words of both. */
lw_decoded lw_decoded_second(const lw_decoded *in);

/* Why the two halves of `in` may not be combined; NULL if they may, or if there is only one. */
const char *lw_decoded_conflict(const lw_decoded *in);

/*
 * Writes the assembler text of `in` as llvm-objdump prints it, without leading blanks or comments.
 * `pc` is the instruction's byte address (branch targets are printed as llvm-mc does: the raw simm16).
 * Always NUL-terminates; returns the length of the full text (as snprintf does).
 */
size_t lw_amdgpu_text(lw_arch arch, const lw_decoded *in, char *text, size_t size);

#endif
