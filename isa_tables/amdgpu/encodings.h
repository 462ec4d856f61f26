/* SPDX-License-Identifier: MIT */
/* Where the fields of machine instructions are, and what the codes of scalar operands mean: one table per
 * generation. */
#ifndef LW_ISA_AMDGPU_ENCODINGS_H
#define LW_ISA_AMDGPU_ENCODINGS_H

#include <stddef.h>
#include <stdint.h>

#include "isa_tables/amdgpu/opcode.h"
#include "isa_tables/amdgpu/registers.h"

typedef enum lw_field {
    LW_FIELD_OP,
    LW_FIELD_VDST,
    LW_FIELD_SDST,
    LW_FIELD_SRC0,
    LW_FIELD_SRC1,
    LW_FIELD_SRC2,
    LW_FIELD_ABS, /* VOP3P: neg_hi */
    LW_FIELD_NEG, /* VOP3P: neg_lo */
    LW_FIELD_OMOD,
    LW_FIELD_CLAMP,
    LW_FIELD_OPSEL,
    LW_FIELD_OPSEL_HI,
    LW_FIELD_OPSEL_HI2,
    LW_FIELD_SIMM,
    LW_FIELD_SBASE,
    LW_FIELD_OFFSET,
    LW_FIELD_FLAT_OFFSET,
    LW_FIELD_OFFSET_EN,
    LW_FIELD_OFFSET_REG, /* a register in place of an immediate offset */
    LW_FIELD_SOFFSET,
    LW_FIELD_SOFFSET_EN,
    LW_FIELD_GLC,
    LW_FIELD_SLC,
    LW_FIELD_DLC,
    LW_FIELD_SC1,
    LW_FIELD_NV,
    LW_FIELD_RESERVED, /* must be 0 */
    LW_FIELD_RESERVED2,
    LW_FIELD_SCOPE,
    LW_FIELD_TH,
    LW_FIELD_GDS,
    LW_FIELD_ADDR,
    LW_FIELD_DATA0,
    LW_FIELD_DATA1,
    LW_FIELD_SADDR,
    LW_FIELD_SEG,
    LW_FIELD_SCALE_OFFSET, /* a register offset counts elements of the access */
    LW_FIELD_SVE,          /* scratch: there is a vector address */
    LW_FIELD_LDS,
    LW_FIELD_ACC, /* data are accumulation registers */
    LW_FIELD_OFFEN,
    LW_FIELD_IDXEN,
    LW_FIELD_RSRC,
    LW_FIELD_RSRC_LOW,
    LW_FIELD_RSRC_HIGH, /* bits of a resource's register that must be zero */
    LW_FIELD_TFE,
    LW_FIELD_DFMT,
    LW_FIELD_NFMT,
    LW_FIELD_CBSZ,
    LW_FIELD_ABID,
    LW_FIELD_BLGP,
    LW_FIELD_ACC_A,
    LW_FIELD_ACC_B,
    LW_FIELD_ACC_CD,
    LW_FIELD_R128, /* TENSOR from here on */
    LW_FIELD_NULL_ADDR,
    LW_FIELD_GROUP0,
    LW_FIELD_GROUP1,
    LW_FIELD_GROUP2,
    LW_FIELD_GROUP3,
    LW_FIELD_OP_HIGH, /* images, exports and interpolation from here on */
    LW_FIELD_DMASK,
    LW_FIELD_DIM,
    LW_FIELD_UNORM,
    LW_FIELD_A16,
    LW_FIELD_D16,
    LW_FIELD_LWE,
    LW_FIELD_DA,
    LW_FIELD_NSA, /* an address for each register, in a third dword */
    LW_FIELD_SSAMP,
    LW_FIELD_SSAMP_HIGH,
    LW_FIELD_SSAMP_LOW,
    LW_FIELD_ADDR1,
    LW_FIELD_ADDR2,
    LW_FIELD_ADDR3,
    LW_FIELD_ADDR4,
    LW_FIELD_TARGET,
    LW_FIELD_DONE,
    LW_FIELD_COMPR,
    LW_FIELD_VM,
    LW_FIELD_ROW_EN,
    LW_FIELD_ATTR,
    LW_FIELD_CHANNEL,
    LW_FIELD_HIGH,
    LW_FIELD_WAIT,
    LW_FIELD_WAIT_VM,
    LW_FIELD_DST_SEL, /* SDWA and DPP from here on */
    LW_FIELD_DST_UNUSED,
    LW_FIELD_SDST_EN,
    LW_FIELD_PART0,
    LW_FIELD_PART1,
    LW_FIELD_DPP_CTRL,
    LW_FIELD_BOUND_CTRL,
    LW_FIELD_FETCH_INACTIVE,
    LW_FIELD_SIGNS,
    LW_FIELD_BANK_MASK,
    LW_FIELD_ROW_MASK,
    LW_FIELD_COUNT,
} lw_field;

typedef struct lw_encoding {
    uint32_t mask, value; /* of the first dword */
    uint8_t enc, words;
    struct {
        uint8_t low, count; /* count 0: the encoding has no such field */
    } field[LW_FIELD_COUNT];
} lw_encoding;

typedef struct lw_scalar_codes {
    uint8_t first, last, reg;
} lw_scalar_codes;

/* One family of generations. */
typedef struct lw_encodings {
    const lw_encoding *rows;
    size_t count;
    const lw_scalar_codes *codes;
    size_t code_count;
} lw_encodings;

extern const lw_encodings lw_encodings_gfx908, lw_encodings_gfx9, lw_encodings_gfx11, lw_encodings_gfx12,
    lw_encodings_gfx1250;

/* The first encoding that a dword matches; the encoding of a class. NULL if there is none. */
const lw_encoding *lw_encoding_match(const lw_encodings *e, uint32_t word);
const lw_encoding *lw_encoding_of(const lw_encodings *e, unsigned enc);

/* A field of the instruction at `words`; 0 where the encoding has none. The field's dword is readable. */
static inline uint32_t lw_encoding_get(const lw_encoding *e, const uint32_t *words, lw_field field)
{
    const unsigned low = e->field[field].low, count = e->field[field].count;
    return count ? words[low / 32] >> low % 32 & (uint32_t)((UINT64_C(1) << count) - 1) : 0;
}

/* The same, sign-extended from the field's highest bit. */
static inline int32_t lw_encoding_get_signed(const lw_encoding *e, const uint32_t *words, lw_field field)
{
    const unsigned unused = 32u - e->field[field].count;
    return unused < 32 ? (int32_t)(lw_encoding_get(e, words, field) << unused) >> unused : 0;
}

/* The register (LW_SGPR_*) that a code from 0 to 127 names, or -1. */
int lw_scalar_register(const lw_encodings *e, unsigned code);

#endif
