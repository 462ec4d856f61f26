/* SPDX-License-Identifier: MIT */
/* Internal interface of the decoder: an lw_decoder decodes one instruction and keeps the first refusal. */
#ifndef LW_EMU_AMDGPU_DECODE_H
#define LW_EMU_AMDGPU_DECODE_H

#include <stddef.h>

#include "emu/amdgpu/decode/decoded.h"
#include "isa_tables/amdgpu/rows.h"
#include "isa_tables/amdgpu/traits.h"

/* Codes of source operands from 128 on, and those that select a sub-encoding (AMD CDNA3 and RDNA3 ISA
 * manuals, "Operands"). Lower codes name registers: scalar_codes.inc. */
enum {
    LW_CODE_INT_0 = 128,
    LW_CODE_INT_64 = 192,
    LW_CODE_INT_LAST = 208,
    LW_CODE_DPP8 = 233,
    LW_CODE_DPP8_FETCH = 234,   /* the same; inactive lanes are read, too */
    LW_CODE_FLAT_SCRATCH = 230, /* and 231, where lw_amdgpu_traits.literal64 */
    LW_CODE_SHARED_BASE = 235,
    LW_CODE_POPS = 239,
    LW_CODE_HALF = 240,
    LW_CODE_INV_2PI = 248,
    LW_CODE_SDWA = 249,
    LW_CODE_DPP = 250,
    LW_CODE_VCCZ = 251,
    LW_CODE_LDS_DIRECT = 254,
    LW_CODE_LITERAL64 = 254, /* where lw_amdgpu_traits.literal64 */
    LW_CODE_LITERAL = 255,
    LW_CODE_VGPR0 = 256,
};

typedef struct lw_decoder {
    lw_arch arch;
    const lw_amdgpu_traits *traits;
    const lw_encoding *encoding;
    const uint32_t *words;
    size_t count;
    unsigned used;      /* dwords consumed so far, including a literal */
    bool no_literal;    /* the encoding does not allow a literal */
    bool literal_taken; /* its code: literal_code */
    unsigned literal_code;
    uint64_t literal;
    lw_status status;
    lw_decoded in;
} lw_decoder;

/* lw_amdgpu_decode_as without the copy: the instruction is d->in if it was good. */
lw_status lw_decode_start(lw_decoder *d, lw_arch arch, const lw_amdgpu_traits *traits, unsigned wave,
                          const uint32_t *words, size_t count);

/* `count` bits of a word, from bit `low`. */
static inline uint32_t lw_bits(uint32_t word, unsigned low, unsigned count)
{
    return word >> low & (uint32_t)((UINT64_C(1) << count) - 1);
}

/* A field of the instruction; 0 where its encoding has none. */
static inline uint32_t lw_decode_field(const lw_decoder *d, lw_field field)
{
    return lw_encoding_get(d->encoding, d->words, field);
}
static inline uint8_t lw_decode_small(const lw_decoder *d, lw_field field)
{
    return (uint8_t)lw_decode_field(d, field);
}

/* Records the first refusal. */
void lw_decode_refuse(lw_decoder *d, lw_status why);
static inline void lw_decode_require(lw_decoder *d, bool good)
{
    if (!good)
        lw_decode_refuse(d, LW_E_FORMAT);
}

/* A lane mask of this wave. */
static inline lw_op_operand lw_decode_mask(const lw_decoder *d)
{
    return (lw_op_operand){ LW_TYPE_MASK, d->in.mask_dwords, 0 };
}

/*
 * Operands by register class; `spec` gives type and width. All refuse what the class does not allow. A
 * register that reads as 0 and discards what is written becomes the constant 0 as a source, and LW_SGPR_NULL
 * as a result.
 */
void lw_decode_sreg(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned code); /* a scalar register */
void lw_decode_ssrc(lw_decoder *d, lw_opnd *o, lw_op_operand spec,
                    unsigned code); /* the same, or a constant */
void lw_decode_vreg(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned reg, bool acc);
void lw_decode_src(lw_decoder *d, lw_opnd *o, lw_op_operand spec, unsigned code); /* 9 bits: any operand */

/* Does the instruction have 16-bit operands that are halves of registers? The op_sel bits that it then
 * accepts. */
bool lw_decode_has_halves(const lw_amdgpu_traits *traits, const lw_op_row *row);
unsigned lw_decode_opsel_bits(const lw_op_row *row);

/* Is it a single 16-bit number, not a pair? */
bool lw_decode_is_half(lw_type type);

/* The value that a constant's code (LW_CODE_INT_0 to LW_CODE_INV_2PI) has in an operand of `type`. */
uint64_t lw_decode_inline(lw_type type, unsigned code);

/* Encoding classes. Each fills in operands and modifiers of d->in, whose row, enc, words and bits are already
 * set. */
void lw_decode_sop1(lw_decoder *d);
void lw_decode_sop2(lw_decoder *d);
void lw_decode_sopc(lw_decoder *d);
void lw_decode_sopk(lw_decoder *d);
void lw_decode_sopp(lw_decoder *d);
void lw_decode_smem(lw_decoder *d);
void lw_decode_vop(lw_decoder *d); /* VOP1, VOP2, VOPC in 32-bit, SDWA and DPP form */
void lw_decode_vop3(lw_decoder *d);
void lw_decode_vop3p(lw_decoder *d);
void lw_decode_wmma(lw_decoder *d);     /* matrix instructions in VOP3P */
void lw_decode_ld_scale(lw_decoder *d); /* the first half of scaled ones, by itself */
void lw_decode_mai(lw_decoder *d);
void lw_decode_ds(lw_decoder *d);
void lw_decode_flat(lw_decoder *d);
void lw_decode_mubuf(lw_decoder *d);
void lw_decode_mtbuf(lw_decoder *d);
void lw_decode_tensor(lw_decoder *d);
void lw_decode_image(lw_decoder *d);
void lw_decode_export(lw_decoder *d);
void lw_decode_interp(lw_decoder *d); /* VINTRP, VINTERP and LDSDIR */

/* Cache policy: single bits; or a temporal hint, whose lowest bit requests an atomic's old value, and a
 * scope. */
void lw_decode_cache_bits(lw_decoder *d);

/* Both halves of VOPD or VOPD3 (decode_dual.c). */
lw_status lw_decode_dual(lw_decoder *d, const lw_encoding *e);

/* SDWA and DPP, whose fields are in the dword after the instruction (decode_sub.c). */
void lw_decode_sdwa(lw_decoder *d);
void lw_decode_dpp(lw_decoder *d, unsigned src0);
/* Does this code of source 0 say that a dword of DPP follows? */
bool lw_decode_says_dpp(const lw_decoder *d, unsigned src0);
/* Does the row have a DPP form here? Of row_share only? */
bool lw_decode_takes_dpp(const lw_amdgpu_traits *traits, const lw_op_row *row, uint32_t mods);
bool lw_decode_shares(const lw_decoder *d);
void lw_decode_nop(lw_decoder *d, unsigned src0);

#endif
