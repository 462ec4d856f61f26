/* SPDX-License-Identifier: MIT */
/* Rows of matrix instructions: one row per meaning, an opcode per generation. */
#ifndef LW_ISA_MATRIX_H
#define LW_ISA_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include <lanewise/insn.h>

#include "isa_tables/formats.h"

/*
 * Element encodings, by the names that mnemonics use. Which variant FP8 and BF8 are (FNUZ on gfx942, OCP from
 * gfx950 on) depends on the architecture: the numerics decide it, and places do not depend on it.
 */
typedef enum lw_elem {
#define ELEM(id_, name_, format_) LW_ELEM_##id_,
#include "isa_tables/elems.inc"
#undef ELEM
    LW_ELEM_COUNT,
} lw_elem;

typedef struct lw_elem_row {
    const char *name;
    uint8_t bits;   /* 0 where a modifier picks the format */
    uint8_t format; /* lw_format_id, unless lw_format_of says otherwise */
} lw_elem_row;

/* Indexed by lw_elem. */
extern const lw_elem_row lw_elem_rows[LW_ELEM_COUNT];

/*
 * The format of an element type on an architecture: FP8 and BF8 are FNUZ on gfx942 and OCP elsewhere.
 * NULL for types that are not numbers by themselves (NONE, INDEX, CBSZ, BLGP).
 */
const lw_format *lw_format_of(lw_elem elem, lw_arch arch);

/* AMD CDNA4 ISA manual: the format of f8f6f4 codes 0 to 4; LW_ELEM_NONE for higher codes. */
lw_elem lw_elem_f8f6f4(unsigned code);

enum { LW_F8F6F4_FORMATS = 5 };

/* Where elements are: the function of layouts/ that builds the layout value. */
typedef enum lw_layout_family {
    LW_FAMILY_MFMA,      /* dense, CDNA1..4 */
    LW_FAMILY_SMFMAC,    /* 4:2 sparse, CDNA3 shapes */
    LW_FAMILY_SMFMAC_X2, /* 4:2 sparse, doubled K of CDNA4 */
    LW_FAMILY_F8F6F4,    /* CDNA4: data by format */
    LW_FAMILY_WMMA,      /* gfx11, gfx12, gfx1250: the architecture says how */
    LW_FAMILY_SWMMAC,
    LW_FAMILY_PTX_L16,     /* m16n8kK */
    LW_FAMILY_PTX_L8,      /* m8n8kK */
    LW_FAMILY_PTX_QP,      /* m8n8k4 of f16: four quad-pairs */
    LW_FAMILY_PTX_L16S,    /* sparse A */
    LW_FAMILY_PTX_WMMA,    /* fragments of wmma */
    LW_FAMILY_PTX_MOVE,    /* ldmatrix, stmatrix, movmatrix */
    LW_FAMILY_PTX_WG_L16,  /* wgmma: four warps, 16 rows each */
    LW_FAMILY_PTX_WG_L16S, /* sparse */
    LW_FAMILY_PTX_TM_L16,  /* tcgen05: tensor memory */
    LW_FAMILY_PTX_TM_L16S, /* sparse */
} lw_layout_family;

/*
 * What is computed, as far as the instruction defines it. The arithmetic that a generation uses for it (the
 * recipe) is looked up by (dot class, architecture).
 */
typedef enum lw_dot_class {
    LW_DOT_F64,
    LW_DOT_F32,
    LW_DOT_XF32,
    LW_DOT_F16,
    LW_DOT_BF16,
    LW_DOT_FP8, /* any combination of FP8 and BF8 */
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
    LW_DOT_BF16_PAIRS, /* bf16 of gfx908 and gfx90a in the form without _1k */
    LW_DOT_F16_F16,    /* f16 C and D */
    LW_DOT_BF16_BF16,
    LW_DOT_BF16_F32C, /* bf16 D, f32 C */
    LW_DOT_FP8_F16,
    LW_DOT_I4,
    LW_DOT_SP_F16_F16,
    LW_DOT_SP_BF16_BF16,
    LW_DOT_SP_BF16_F32C,
    LW_DOT_SP_FP8_F16,
    LW_DOT_SP_I4,
    LW_DOT_SP_XF32, /* from here on PTX; tf32 is XF32 */
    LW_DOT_F8F6F4_F16,
    LW_DOT_SP_F8F6F4,
    LW_DOT_SP_F8F6F4_F16,
    LW_DOT_QP_F16, /* m8n8k4 */
    LW_DOT_QP_F16_F16,
    LW_DOT_BIN,
    LW_DOT_MX8, /* mxf8f6f4; the scaled classes are adjacent */
    LW_DOT_MX4, /* mxf4, mxf4nvf4 */
    LW_DOT_SP_MX8,
    LW_DOT_SP_MX4,
    LW_DOT_WMMA_F16, /* wmma f16 with f32 or mixed accumulators; the target decides how K is split */
    LW_DOT_WMMA_F16_F16,
    LW_DOT_WMMA_BF16,
    LW_DOT_WMMA_XF32,
    LW_DOT_WG_FP8, /* wgmma of fp8, which has a unit that mma.sync does not have */
    LW_DOT_WG_FP8_F16,
    LW_DOT_SP_WG_FP8,
    LW_DOT_SP_WG_FP8_F16,
    LW_DOT_TM_F8, /* tcgen05 of f8f6f4 */
    LW_DOT_TM_F8_F16,
    LW_DOT_SP_TM_F8,
    LW_DOT_SP_TM_F8_F16,
    LW_DOT_MOVE,        /* nothing: ldmatrix, wmma.load and the like */
    LW_DOT_CLASS_COUNT, /* at most 64: sets of classes are 64 bits wide */
} lw_dot_class;

/*
 * How an instruction's modifier fields are interpreted. Generations differ in some: lw_insn_mod_row gives the
 * rule that applies on one.
 */
typedef enum lw_mod_rule {
    LW_MODS_DENSE_BLOCKS, /* cbsz/abid share A blocks, blgp is B's lane pattern */
    LW_MODS_DENSE_BLGP,   /* one block: blgp is B's lane pattern, cbsz/abid are undefined */
    LW_MODS_DENSE_NONE,   /* cbsz/abid/blgp assemble but are undefined */
    LW_MODS_F64,          /* BLGP negates A, B, C; cbsz/abid are undefined */
    LW_MODS_SMFMAC,       /* cbsz/abid pick the index set */
    LW_MODS_FORMATS,      /* cbsz, blgp are the formats of A, B */
    LW_MODS_SCALED,       /* the same, and op_sel, op_sel_hi pick scale bytes */
    LW_MODS_WMMA_FLOAT,   /* neg_lo, neg_hi of 16-bit halves; of C, minus and absolute value */
    LW_MODS_WMMA_HALF,    /* the same; on gfx11 op_sel names the half of C and D */
    LW_MODS_WMMA_WIDE,    /* f32 A and B: neg_lo negates */
    LW_MODS_WMMA_INT,     /* neg_lo says that A, B are signed */
    LW_MODS_WMMA_BYTE,    /* fp8, bf8: no signs of A and B */
    LW_MODS_WMMA_FMT,     /* matrix_a_fmt, matrix_b_fmt are the formats */
    LW_MODS_WMMA_F4,
    LW_MODS_WMMA_FMT_SCALED, /* and where the scales are and what they are */
    LW_MODS_WMMA_F4_SCALED,
    LW_MODS_SWMMAC_FLOAT, /* as WMMA's, and index_key picks the index set; no signs of C */
    LW_MODS_SWMMAC_INT,
    LW_MODS_SWMMAC_BYTE,
    LW_MODS_PTX, /* the spelling has been read into lw_mods.ptx */
    LW_MODS_COUNT,
} lw_mod_rule;

/* Those fields that are lists of bits. */
typedef struct lw_mod_bits {
    uint8_t op_sel, op_sel_hi, neg_lo, neg_hi;
} lw_mod_bits;

/* What a rule becomes on some architectures. */
typedef struct lw_mod_row {
    uint8_t rule;          /* lw_mod_rule in the instructions' rows */
    uint32_t archs;        /* bits 1u << lw_arch */
    uint8_t reads_as;      /* lw_mod_rule: what its fields mean here */
    const char *names;     /* the assembler's names, separated by blanks */
    lw_mod_bits means;     /* bits that mean something */
    lw_mod_bits assembles; /* bits that assemble but have no documented meaning */
    uint16_t needs;        /* LW_READING_* that the bits of `assembles` require */
    const char *help;
    lw_mod_bits ignored; /* bits that code may hold without effect */
    bool ignores_clamp;  /* the same for clamp */
} lw_mod_row;

/* Where modifiers are on an architecture that has the instruction. */
const lw_mod_row *lw_insn_mod_row(lw_arch arch, const lw_insn *insn);

struct lw_ptx_row;

/*
 * Ops 0 and 1 of the VOP3P space are v_pk_mad_i16 and v_pk_mul_lo_u16 on every generation. They can therefore
 * stand for "not here" and for "here according to the assembler only".
 */
enum { LW_OP_ABSENT = 0, LW_OP_ASSEMBLER_ONLY = 1 };

struct lw_insn {
    const char *mnemonic;
    const char *aliases[LW_INSN_MAX_ALIASES];
    uint8_t op[LW_ARCH_COUNT];     /* 7-bit op (gfx1250: 8 bits), or LW_OP_ABSENT, LW_OP_ASSEMBLER_ONLY */
    uint8_t passes[LW_ARCH_COUNT]; /* four cycles each; f8f6f4: two 6- or 4-bit operands; 0: unknown */
    uint16_t m, n, k, blocks;
    uint8_t a, b, c, d;           /* lw_elem */
    uint8_t scale_k;              /* k that share a scale; 0: no scales */
    uint8_t layout;               /* lw_layout_family */
    uint8_t mods;                 /* lw_mod_rule */
    uint8_t dot;                  /* lw_dot_class */
    uint32_t archs;               /* PTX: bits 1u << lw_arch; AMD's follow from `op` */
    const struct lw_ptx_row *ptx; /* what only PTX instructions have; NULL for AMD's */
};

static inline bool lw_arch_is_nvidia(lw_arch arch)
{
    return arch >= LW_ARCH_SM_70 && arch < LW_ARCH_COUNT;
}

/* All rows, sorted by mnemonic. */
extern const lw_insn lw_insn_rows[];
extern const size_t lw_insn_row_count;

static inline bool lw_insn_on(const lw_insn *insn, lw_arch arch)
{
    return insn->op[arch] > LW_OP_ASSEMBLER_ONLY || (insn->archs >> arch & 1u);
}

static inline bool lw_insn_is_sparse(const lw_insn *insn)
{
    return insn->layout == LW_FAMILY_SMFMAC || insn->layout == LW_FAMILY_SMFMAC_X2 ||
           insn->layout == LW_FAMILY_SWMMAC || insn->layout == LW_FAMILY_PTX_L16S ||
           insn->layout == LW_FAMILY_PTX_WG_L16S || insn->layout == LW_FAMILY_PTX_TM_L16S;
}

static inline bool lw_insn_is_scaled(const lw_insn *insn)
{
    return insn->scale_k != 0 || (insn->dot >= LW_DOT_MX8 && insn->dot <= LW_DOT_SP_MX4);
}

/* What all matrix instructions of an architecture have in common. The sources are beside the rows. */
typedef struct lw_arch_traits {
    uint8_t wave;         /* lanes of a wave by default */
    uint8_t wave_sizes;   /* bit 0: 32 lanes, bit 1: 64 */
    uint8_t tuple_align;  /* register tuples begin at a multiple of this */
    uint8_t ab_lanes;     /* lanes that hold one copy of A or B; 0: the whole wave */
    uint8_t cd_bits;      /* least bits of a register string that an element of C or D takes */
    bool scales_by_row;   /* a lane holds all scales of its row; otherwise one each */
    bool last_alias_only; /* an instruction's last alias is its only name */
    bool no_inline_c;     /* C cannot be an inline constant */
    bool ovfl_f16_only;   /* MODE's FP16_OVFL acts on f16 results and nothing else */
    bool f32_denormals;   /* MODE's f32 denormal bits act on fused sums, or may: a reading */
    bool runs_by_width;   /* the element width decides how many adjacent k a lane holds; else K does */
    bool index_apart;     /* the index has its own layout, in whole registers; else it follows the values */
    bool index_key_spare; /* index_key of 0 and 1 assembles even where the index fills its registers */
    bool all_addresses;   /* ldmatrix and stmatrix: every lane's address must be that of a row */
    bool fragments_unpublished; /* where wmma's fragments are is not published */
    bool sums_of_quarters;      /* 32-bit integer sums are laid out as adjacent 8 x 8 products */
    uint8_t layouts_from;       /* lw_arch whose documented layouts are used; LW_ARCH_NONE: its own */
    const char *ab, *c, *d;     /* register files */
    const char *scale;
} lw_arch_traits;

/* Indexed by lw_arch. */
extern const lw_arch_traits lw_arch_traits_rows[LW_ARCH_COUNT];

/* The mnemonic on `arch`, or the row's where `arch` has none; and its other names, NULL after the last. */
const char *lw_insn_name(lw_arch arch, const lw_insn *insn);
const char *const *lw_insn_aliases(lw_arch arch, const lw_insn *insn);

/*
 * The instruction with this op in VOP3P of `arch` whose scales are shared by so many k (0: no scales). NULL
 * when there is none.
 */
const lw_insn *lw_insn_by_op(lw_arch arch, unsigned op, unsigned scale_k);

/* Lanes of the wave under `mods` (may be NULL). */
unsigned lw_insn_wave(lw_arch arch, const lw_mods *mods);

/* The encoding of an operand's elements under `mods` (formats resolved); NONE when absent. */
lw_elem lw_insn_elem(const lw_insn *insn, lw_operand operand, const lw_mods *mods);

/*
 * 32-bit registers per lane of an operand under `mods` (not NULL); 0 when absent. Where C is read from D in
 * another format (v_swmmac_bf16f32_16x16x64_bf16), D has the registers of the wider.
 */
unsigned lw_insn_registers(lw_arch arch, const lw_insn *insn, lw_operand operand, const lw_mods *mods);

/* Index sets that fit in the index register of a sparse instruction: 1, 2 or 4. `wave`: lanes of the wave. */
unsigned lw_insn_index_sets(const lw_insn *insn, unsigned wave);

/* LW_E_ARGUMENT or LW_E_ARCH with a sentence unless `arch` has the instruction. */
lw_status lw_insn_require(lw_arch arch, const lw_insn *insn, lw_error *error);

/* lw_insn_info.wave_sizes and .wave, of an instruction of the architecture. */
unsigned lw_insn_wave_sizes(lw_arch arch, const lw_insn *insn);
unsigned lw_insn_usual_wave(lw_arch arch, const lw_insn *insn);

/*
 * The modifiers without those that have no effect: hints, and those that are ignored under a reading. `mods`
 * (may be NULL) has passed lw_mods_check.
 */
lw_mods lw_mods_effective(lw_arch arch, const lw_insn *insn, const lw_mods *mods);

/* Modifier fields by name, as lw_mod_row.names, the parser and the printer use them. */
typedef enum lw_mod_kind {
    LW_MOD_FIELD_NUMBER,
    LW_MOD_FIELD_BITS, /* a list of bits: [0,1] */
    LW_MOD_FIELD_FLAG, /* the name alone */
    LW_MOD_FIELD_NAME, /* one of some names, or its number */
} lw_mod_kind;

typedef struct lw_mod_field {
    const char *name;
    uint8_t kind;         /* lw_mod_kind */
    uint8_t offset;       /* in lw_mods */
    uint8_t max;          /* NUMBER, NAME: the largest number; BITS: how many */
    const char *prefix;   /* NAME: what the assembler's names begin with */
    const char *names[8]; /* NAME: the rest of each name, by number */
} lw_mod_field;

extern const lw_mod_field lw_mod_fields[];
extern const size_t lw_mod_field_count;

/* Fails with a sentence: the instruction has no such modifier, what the modifier is for, and which it has. */
lw_status lw_mods_fail_absent(lw_arch arch, const lw_insn *insn, const char *field, lw_error *error);

/* The value of a field in the machine code of an instruction written without modifiers; lw_mods holds the
 * difference. */
uint8_t lw_mod_field_rest(const lw_mod_row *row, const lw_mod_field *field);

/* Is the field among the names that the row lists? */
bool lw_mod_row_has(const lw_mod_row *row, const char *name, size_t length);

#endif
