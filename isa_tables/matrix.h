/* SPDX-License-Identifier: MIT */
/* Rows of matrix instructions: one row per meaning, an opcode per generation. */
#ifndef LW_ISA_MATRIX_H
#define LW_ISA_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include <lanewise/insn.h>

/*
 * Element encodings by the name the mnemonics use. Which dialect FP8 and BF8 are (FNUZ on gfx942, OCP
 * from gfx950 on) is a matter of the architecture; numerics decides it, places do not depend on it.
 */
typedef enum lw_elem {
    LW_ELEM_NONE,
    LW_ELEM_F64,
    LW_ELEM_F32,
    LW_ELEM_XF32,
    LW_ELEM_F16,
    LW_ELEM_BF16,
    LW_ELEM_FP8,
    LW_ELEM_BF8,
    LW_ELEM_FP6,
    LW_ELEM_BF6,
    LW_ELEM_FP4,
    LW_ELEM_I8,
    LW_ELEM_I32,
    LW_ELEM_E8M0,  /* a scale byte */
    LW_ELEM_INDEX, /* two 2-bit positions: the kept values of one group of four k */
    LW_ELEM_CBSZ,  /* f8f6f4: the code in CBSZ says which of FP8 BF8 FP6 BF6 FP4 */
    LW_ELEM_BLGP,  /* the same in BLGP */
    LW_ELEM_COUNT,
} lw_elem;

typedef struct lw_elem_row {
    const char *name;
    uint8_t bits; /* 0 where a modifier picks the format */
} lw_elem_row;

/* Indexed by lw_elem. */
extern const lw_elem_row lw_elem_rows[LW_ELEM_COUNT];

/* AMD CDNA4 ISA manual: the format of an f8f6f4 code 0..4; LW_ELEM_NONE above. */
lw_elem lw_elem_f8f6f4(unsigned code);

enum { LW_F8F6F4_FORMATS = 5 };

/* Where elements sit: which function of layouts/ builds the layout value. */
typedef enum lw_layout_family {
    LW_FAMILY_MFMA,      /* dense, CDNA1..4 */
    LW_FAMILY_SMFMAC,    /* 4:2 sparse, CDNA3 shapes */
    LW_FAMILY_SMFMAC_X2, /* 4:2 sparse, doubled K of CDNA4 */
    LW_FAMILY_F8F6F4,    /* CDNA4: data by format */
} lw_layout_family;

/*
 * What is computed, as far as the instruction says it. Which arithmetic that is on a generation (the
 * recipe) is looked up by (dot class, architecture).
 */
typedef enum lw_dot_class {
    LW_DOT_F64,
    LW_DOT_F32,
    LW_DOT_XF32,
    LW_DOT_F16,
    LW_DOT_BF16,
    LW_DOT_FP8, /* any mix of FP8 and BF8 */
    LW_DOT_I8,
    LW_DOT_F16_X2K, /* gfx950's doubled K */
    LW_DOT_BF16_X2K,
    LW_DOT_I8_X2K,
    LW_DOT_F8F6F4,
    LW_DOT_F8F6F4_SCALED,
    LW_DOT_SP_F16, /* sparse */
    LW_DOT_SP_BF16,
    LW_DOT_SP_FP8,
    LW_DOT_SP_I8,
    LW_DOT_SP_F16_X2K,
    LW_DOT_SP_BF16_X2K,
    LW_DOT_SP_FP8_X2K,
    LW_DOT_SP_I8_X2K,
    LW_DOT_CLASS_COUNT,
} lw_dot_class;

/* How an instruction's modifier fields are read. */
typedef enum lw_mod_rule {
    LW_MODS_DENSE_BLOCKS, /* cbsz/abid share A blocks, blgp is B's lane pattern */
    LW_MODS_DENSE_BLGP,   /* one block: blgp is B's lane pattern, cbsz/abid are undefined */
    LW_MODS_DENSE_NONE,   /* cbsz/abid/blgp assemble but are undefined */
    LW_MODS_F64,          /* BLGP negates A, B, C; cbsz/abid are undefined */
    LW_MODS_SMFMAC,       /* cbsz/abid pick the index set */
    LW_MODS_FORMATS,      /* cbsz, blgp are the formats of A, B */
    LW_MODS_SCALED,       /* the same, and op_sel, op_sel_hi pick scale bytes */
} lw_mod_rule;

/* Op 0 of the VOP3P space is v_pk_mad_i16 on every generation, so it can stand for "not here". */
enum { LW_OP_ABSENT = 0 };

struct lw_insn {
    const char *mnemonic;
    const char *aliases[LW_INSN_MAX_ALIASES];
    uint8_t op[LW_ARCH_COUNT];     /* 7-bit op, or LW_OP_ABSENT */
    uint8_t passes[LW_ARCH_COUNT]; /* of four cycles; f8f6f4: with two 6- or 4-bit operands */
    uint16_t m, n, k, blocks;
    uint8_t a, b, c, d; /* lw_elem */
    uint8_t layout;     /* lw_layout_family */
    uint8_t mods;       /* lw_mod_rule */
    uint8_t dot;        /* lw_dot_class */
};

/* All rows, sorted by mnemonic. */
extern const lw_insn lw_insn_rows[];
extern const size_t lw_insn_row_count;

static inline bool lw_insn_on(const lw_insn *insn, lw_arch arch)
{
    return insn->op[arch] != LW_OP_ABSENT;
}

static inline bool lw_insn_is_sparse(const lw_insn *insn)
{
    return insn->layout == LW_FAMILY_SMFMAC || insn->layout == LW_FAMILY_SMFMAC_X2;
}

static inline bool lw_insn_is_scaled(const lw_insn *insn)
{
    return insn->mods == LW_MODS_SCALED;
}

/*
 * The instruction with this 7-bit op in VOP3P-MAI of `arch`; `scaled` asks for the one whose first half
 * loads scales. NULL when there is none.
 */
const lw_insn *lw_insn_by_op(lw_arch arch, unsigned op, bool scaled);

/* The encoding of an operand's elements under `mods` (CBSZ and BLGP resolved); NONE when absent. */
lw_elem lw_insn_elem(const lw_insn *insn, lw_operand operand, const lw_mods *mods);

/* 32-bit registers per lane of an operand under `mods` (not NULL); 0 when absent. */
unsigned lw_insn_registers(const lw_insn *insn, lw_operand operand, const lw_mods *mods);

/* Index sets that fit in the index register of a sparse instruction: 1, 2 or 4. */
unsigned lw_insn_index_sets(const lw_insn *insn);

/* LW_E_ARGUMENT or LW_E_ARCH with a sentence unless `arch` has the instruction. */
lw_status lw_insn_require(lw_arch arch, const lw_insn *insn, lw_error *error);

/* The assembler's modifier names that a rule accepts, and what they mean. */
const char *lw_mod_rule_names(lw_mod_rule rule);
const char *lw_mod_rule_help(lw_mod_rule rule);

#endif
