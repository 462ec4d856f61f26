/* SPDX-License-Identifier: MIT */
/*
 * Fields: the PTX ISA manual's tables and CUTLASS's InstrDescriptor. With scales: scale ids in the place of
 * D's format and of the shift, and in bit 23 the format of the scales.
 */
#include "isa_tables/ptx/descriptor.h"

#include "isa_tables/error.h"

enum {
    SELECTOR = 0, /* two bits */
    SPARSE = 2,
    SATURATE = 3,
    D_FORMAT = 4, /* two bits; scale id of B */
    A_FORMAT = 7, /* three bits each */
    B_FORMAT = 10,
    NEGATE_A = 13,
    NEGATE_B = 14,
    TURN_A = 15,
    TURN_B = 16,
    N = 17, /* six bits, by 8 */
    SCALE_FORMAT = 23,
    M = 24,       /* five bits, by 16 */
    SCALE_A = 29, /* two bits */
    K_96 = 31,
    SHIFT = 30 /* two bits */
};

/* The codes of element types, by kind; holes are LW_ELEM_NONE. */
enum { CODES = 6 };
typedef struct kind_row {
    uint8_t k; /* dense */
    bool scaled;
    uint8_t codes[CODES];
} kind_row;
#define NARROW                                                                                               \
    {                                                                                                        \
        LW_ELEM_E4M3, LW_ELEM_E5M2, LW_ELEM_NONE, LW_ELEM_E2M3, LW_ELEM_E3M2, LW_ELEM_E2M1                   \
    }
static const kind_row kinds[LW_PTX_KIND_COUNT] = {
    [LW_PTX_KIND_F16] = { 16, false, { LW_ELEM_F16, LW_ELEM_BF16 } },
    [LW_PTX_KIND_TF32] = { 8, false, { LW_ELEM_NONE, LW_ELEM_NONE, LW_ELEM_TF32 } },
    [LW_PTX_KIND_I8] = { 32, false, { LW_ELEM_U8, LW_ELEM_S8 } },
    [LW_PTX_KIND_F8F6F4] = { 32, false, NARROW },
    [LW_PTX_KIND_MXF8F6F4] = { 32, true, NARROW },
    [LW_PTX_KIND_MXF4] = { 64, true, { LW_ELEM_NONE, LW_ELEM_E2M1 } },
    [LW_PTX_KIND_MXF4NVF4] = { 64, true, { LW_ELEM_NONE, LW_ELEM_E2M1 } },
};
#undef NARROW
static const uint8_t results[] = { LW_ELEM_F16, LW_ELEM_F32, LW_ELEM_S32 };

static uint32_t code_of(const uint8_t *codes, unsigned count, lw_elem elem)
{
    unsigned code = 0;
    while (code + 1 < count && codes[code] != elem)
        code++;
    return code;
}

uint32_t lw_tcgen05_descriptor(const lw_insn *insn, const lw_ptx_mods *mods)
{
    const kind_row *kind = &kinds[insn->ptx->kind];
    const uint32_t a = code_of(kind->codes, CODES, lw_ptx_elem(insn, LW_OPERAND_A, mods)),
                   b = code_of(kind->codes, CODES, lw_ptx_elem(insn, LW_OPERAND_B, mods));
    uint32_t word = a << A_FORMAT | b << B_FORMAT | (uint32_t)lw_ptx_is_sparse(insn) << SPARSE;
    word |= (uint32_t)mods->neg_a << NEGATE_A | (uint32_t)mods->neg_b << NEGATE_B;
    word |= (uint32_t)mods->a_col << TURN_A | (uint32_t)mods->b_row << TURN_B;
    word |= insn->n / 8u << N | insn->m / 16u << M;
    if (kind->scaled)
        return word | (uint32_t)(insn->ptx->scale == LW_ELEM_UE8M0) << SCALE_FORMAT |
               (uint32_t)mods->byte_a << SCALE_A | (uint32_t)mods->byte_b << D_FORMAT;
    return word | (uint32_t)mods->satfinite << SATURATE |
           code_of(results, sizeof(results), (lw_elem)insn->d) << D_FORMAT;
}

static uint32_t bits(uint32_t word, unsigned from, unsigned count)
{
    return word >> from & ((1u << count) - 1);
}

static lw_elem elem_at(const kind_row *kind, uint32_t code)
{
    return code < CODES ? (lw_elem)kind->codes[code] : LW_ELEM_NONE;
}

static lw_status check(uint32_t word, const kind_row *kind, bool sparse, const lw_tcgen05_fields *f,
                       lw_error *error)
{
    const struct {
        bool wrong;
        const char *says;
    } rules[] = {
        { !f->a || !f->b, "the code of a format means nothing for this kind" },
        { !f->d, "the code of D's format means nothing" },
        { bits(word, SPARSE, 1) != sparse, "its bit 2 and .sp do not agree" },
        { bits(word, SELECTOR, 2) != 0, "sparsity selectors above 0 are not in this version" },
        { kind->scaled && bits(word, K_96, 1),
          "k = 96 is an instruction of sm_103a that is not in this version" },
        { kind->scaled && bits(word, SATURATE, 1), "bit 3 is reserved" },
        { !kind->scaled && bits(word, SHIFT, 2), "shifts of .ws are not in this version" },
        { !kind->scaled && bits(word, SCALE_FORMAT, 1), "bit 23 is reserved" },
        { !kind->scaled && bits(word, 29, 1), "bit 29 is reserved" },
        { bits(word, 6, 1), "bit 6 is reserved" },
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        if (rules[i].wrong)
            return lw_error_fail(error, LW_E_UNSUPPORTED, "instruction descriptor 0x%08x: %s", word,
                                 rules[i].says);
    return LW_OK;
}

lw_status lw_tcgen05_read(uint32_t descriptor, lw_ptx_kind kind, bool sparse, lw_tcgen05_fields *fields,
                          lw_error *error)
{
    const uint32_t word = descriptor;
    const kind_row *row = &kinds[kind];
    const uint32_t d = bits(word, D_FORMAT, 2);
    const lw_tcgen05_fields read = {
        .m = (uint16_t)(bits(word, M, 5) * 16),
        .n = (uint16_t)(bits(word, N, 6) * 8),
        .k = (uint16_t)(row->k * (sparse ? 2 : 1)),
        .a = (uint8_t)elem_at(row, bits(word, A_FORMAT, 3)),
        .b = (uint8_t)elem_at(row, bits(word, B_FORMAT, 3)),
        .d = (uint8_t)(row->scaled           ? LW_ELEM_F32
                       : d < sizeof(results) ? results[d]
                                             : LW_ELEM_NONE),
        .scale = (uint8_t)(!row->scaled                  ? LW_ELEM_NONE
                           : bits(word, SCALE_FORMAT, 1) ? LW_ELEM_UE8M0
                                                         : LW_ELEM_UE4M3),
        .flags = { .satfinite = (uint8_t)(!row->scaled && bits(word, SATURATE, 1)),
                   .neg_a = (uint8_t)bits(word, NEGATE_A, 1),
                   .neg_b = (uint8_t)bits(word, NEGATE_B, 1),
                   .a_col = (uint8_t)bits(word, TURN_A, 1),
                   .b_row = (uint8_t)bits(word, TURN_B, 1),
                   .byte_a = (uint8_t)(row->scaled ? bits(word, SCALE_A, 2) : 0),
                   .byte_b = (uint8_t)(row->scaled ? d : 0) },
    };
    const lw_status st = check(word, row, sparse, &read, error);
    if (st == LW_OK)
        *fields = read;
    return st;
}
