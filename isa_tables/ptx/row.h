/* SPDX-License-Identifier: MIT */
/*
 * What only PTX instructions have. A row is one shape and type class; its columns list the spellings that
 * mean it (which of the class's types, layouts and qualifiers), and lw_mods.ptx says which spelling is meant.
 */
#ifndef LW_ISA_PTX_ROW_H
#define LW_ISA_PTX_ROW_H

#include "isa_tables/matrix.h"

/* The forms, in the order of their grammars. */
typedef enum lw_ptx_form {
    LW_PTX_MMA,
    LW_PTX_MMA_SP,
    LW_PTX_WGMMA, /* executed by a warpgroup: four warps */
    LW_PTX_WGMMA_SP,
    LW_PTX_TCGEN05_MMA, /* issued by one thread; D is in tensor memory */
    LW_PTX_TCGEN05_MMA_SP,
    LW_PTX_WMMA_MMA,
    LW_PTX_WMMA_LOAD,
    LW_PTX_WMMA_STORE,
    LW_PTX_LDMATRIX,
    LW_PTX_STMATRIX,
    LW_PTX_MOVMATRIX,
    LW_PTX_FORM_COUNT,
} lw_ptx_form;

/* Which element types A and B may have, or a move may carry. */
typedef enum lw_ptx_class {
    LW_PTX_F16,
    LW_PTX_BF16,
    LW_PTX_TF32,
    LW_PTX_F64,
    LW_PTX_F32,
    LW_PTX_S32,
    LW_PTX_E2M1,
    LW_PTX_B1,
    LW_PTX_INT8,
    LW_PTX_INT4,
    LW_PTX_FP8,
    LW_PTX_FLOAT8, /* the five formats that fit eight bits */
    LW_PTX_NARROW, /* the same, but not both of eight bits */
    LW_PTX_B16,
    LW_PTX_BYTES,  /* b8 and the two packed sources of ldmatrix */
    LW_PTX_PACKED, /* the two packed sources */
    LW_PTX_B8,
    LW_PTX_CLASS_COUNT,
} lw_ptx_class;

/* Values of lw_ptx_mods.kind. */
typedef enum lw_ptx_kind {
    LW_PTX_KIND_NONE,
    LW_PTX_KIND_F8F6F4,
    LW_PTX_KIND_MXF8F6F4,
    LW_PTX_KIND_MXF4,
    LW_PTX_KIND_MXF4NVF4,
    LW_PTX_KIND_F16, /* of tcgen05 */
    LW_PTX_KIND_TF32,
    LW_PTX_KIND_I8,
    LW_PTX_KIND_COUNT,
} lw_ptx_kind;

/* Sets of layouts: bit a_col + 2 * b_row. */
enum {
    LW_PTX_ROW_COL = 1 << 0,
    LW_PTX_COL_COL = 1 << 1,
    LW_PTX_ROW_ROW = 1 << 2,
    LW_PTX_COL_ROW = 1 << 3,
    LW_PTX_ANY_LAYOUT = 15,
    LW_PTX_ROW_ONLY = LW_PTX_ROW_COL, /* moves: bit a_col alone */
    LW_PTX_COL_ONLY = LW_PTX_COL_COL,
    LW_PTX_ROW_OR_COL = LW_PTX_ROW_COL | LW_PTX_COL_COL,
};

enum { LW_PTX_SP = 1 << 0, LW_PTX_SP_ORDERED = 1 << 1 }; /* mma.sp, mma.sp::ordered_metadata */
enum { LW_PTX_PLAIN = 1 << 0, LW_PTX_TRANS = 1 << 1 };   /* without and with .trans */
enum { LW_PTX_X1 = 1 << 1, LW_PTX_X2 = 1 << 2, LW_PTX_X4 = 1 << 4 };
enum { LW_PTX_NO_VEC = 1 << 0, LW_PTX_1X = 1 << 1, LW_PTX_2X = 1 << 2, LW_PTX_4X = 1 << 4 };

typedef struct lw_ptx_row {
    uint8_t form;       /* lw_ptx_form */
    uint8_t fragment;   /* moves: the operand that is moved, as lw_operand */
    uint8_t data;       /* lw_ptx_class */
    bool same_types;    /* A and B must have the same type */
    bool satfinite;     /* may be written */
    bool round;         /* .rn .rz .rm .rp may be written */
    bool binary;        /* .xor.popc or .and.popc must be written */
    uint8_t layouts;    /* set */
    uint8_t kind;       /* lw_ptx_kind that may be written */
    bool needs_kind;    /* it must be written */
    uint8_t scale_vecs; /* set of LW_PTX_NO_VEC ..; empty for unscaled rows */
    uint8_t scale;      /* lw_elem */
    uint8_t sp;         /* set of LW_PTX_SP .. */
    uint8_t selectors;  /* number of sparsity selectors that PTX defines */
    uint8_t trans;      /* set */
    uint8_t counts;     /* set of LW_PTX_X1 .. */
    uint8_t per_matrix; /* ldmatrix: registers per matrix */
    bool part;          /* part of a wgmma or tcgen05.mma, see parts.h; not an instruction by itself */
    bool negates;       /* wgmma, tcgen05: A and B may be negated */
    bool repeated;      /* wmma f16: A and B always take eight registers */
    uint8_t isa;        /* PTX ISA version times ten */
    uint8_t also_isa;   /* the same for the spelling with an optional .kind:: or, for b1, with .and */
    uint32_t also;      /* targets of that spelling; lw_insn.archs has those of the others */
    const char *note;   /* a remark for the user, or NULL */
} lw_ptx_row;

extern const char *const lw_ptx_form_names[LW_PTX_FORM_COUNT];
extern const char *const lw_ptx_kind_names[LW_PTX_KIND_COUNT];

/* "s8/u8": the types of a class as one word. */
const char *lw_ptx_class_name(lw_ptx_class class);

/* The types of a class, the default first, ended by LW_ELEM_NONE. */
const uint8_t *lw_ptx_class_types(lw_ptx_class class);

/* Does the instruction move data without multiplying? */
static inline bool lw_ptx_is_move(const lw_insn *insn)
{
    return insn->ptx && insn->ptx->form >= LW_PTX_WMMA_LOAD;
}

static inline bool lw_ptx_is_sparse(const lw_insn *insn)
{
    return insn->ptx && (insn->ptx->form == LW_PTX_MMA_SP || insn->ptx->form == LW_PTX_WGMMA_SP ||
                         insn->ptx->form == LW_PTX_TCGEN05_MMA_SP);
}

/* Is it executed by the four warps of a warpgroup together (wgmma)? Its rows: isa_tables/ptx/parts.h. */
static inline bool lw_ptx_is_warpgroup(const lw_insn *insn)
{
    return insn->ptx && (insn->ptx->form == LW_PTX_WGMMA || insn->ptx->form == LW_PTX_WGMMA_SP);
}

/* Does it leave D in tensor memory (tcgen05.mma)? Its "registers" are columns there. */
static inline bool lw_ptx_is_tensor(const lw_insn *insn)
{
    return insn->ptx && (insn->ptx->form == LW_PTX_TCGEN05_MMA || insn->ptx->form == LW_PTX_TCGEN05_MMA_SP);
}

/* Is it computed in parts, and has it a row for each width? isa_tables/ptx/parts.h. */
static inline bool lw_ptx_has_parts(const lw_insn *insn)
{
    return lw_ptx_is_warpgroup(insn) || lw_ptx_is_tensor(insn);
}

/* Lanes that execute it together, or the lanes of tensor memory. */
static inline unsigned lw_ptx_lanes(const lw_insn *insn)
{
    enum { WARP = 32, MOST = 128 };
    return lw_ptx_has_parts(insn) ? MOST : WARP;
}

/* The .kind:: of `mods`; rows that require one have it even where it is not written. */
lw_ptx_kind lw_ptx_kind_of(const lw_insn *insn, const lw_ptx_mods *mods);

/* Scale factors for one row of A or column of B: 1, 2 or 4 (.scale_vec::NX or its default); 0 unscaled. */
unsigned lw_ptx_scale_count(const lw_insn *insn, const lw_ptx_mods *mods);

/* Matrices that a ldmatrix or stmatrix moves: 1, 2 or 4. */
unsigned lw_ptx_matrix_count(const lw_ptx_mods *mods);

/* As lw_insn_elem and lw_insn_registers, for PTX rows. */
lw_elem lw_ptx_elem(const lw_insn *insn, lw_operand operand, const lw_ptx_mods *mods);
unsigned lw_ptx_registers(const lw_insn *insn, lw_operand operand, const lw_ptx_mods *mods);

/* Architectures that accept `mods` (bits 1u << lw_arch); the PTX ISA version, times ten. */
uint32_t lw_ptx_archs(const lw_insn *insn, const lw_ptx_mods *mods);
unsigned lw_ptx_isa(const lw_insn *insn, const lw_ptx_mods *mods);

/* Is its metadata ordered, either written or as the only spelling? */
bool lw_ptx_is_ordered(const lw_insn *insn, const lw_ptx_mods *mods);

/* "sm_80, sm_86" for a set of architectures; "" for none. */
void lw_ptx_name_archs(uint32_t archs, char *text, size_t size);

/* Does the text begin like a matrix instruction of PTX? */
bool lw_ptx_is_name(const char *text);

/* As lw_insn_find and lw_mods_check for an NVIDIA architecture; `text` is a row's name or a full spelling. */
lw_status lw_ptx_find(lw_arch arch, const char *text, const lw_insn **insn, lw_mods *mods, lw_error *error);
lw_status lw_ptx_check(lw_arch arch, const lw_insn *insn, const lw_mods *mods, lw_error *error);

/* Reads "selector:1 byte-id-a:2 ..." into `mods`, which holds the spelling; the result is not checked. */
lw_status lw_ptx_mods_parse(const lw_insn *insn, const char *text, lw_mods *mods, lw_error *error);

/* The name of the modifier with that index, and its value in PTX spelling, NULL if it is the default or not
 * one of `insn`. Returns NULL after the last. */
const char *lw_ptx_number_at(size_t index, const lw_insn *insn, const lw_ptx_mods *mods, const char **value);

/* Modifiers that are operands in PTX text ("selector", "byte-id-a" ...), and what they mean here. */
const char *lw_ptx_mod_names(const lw_insn *insn);
const char *lw_ptx_mod_help(const lw_insn *insn);

/* What a move does, and what it requires of addresses; "" for instructions that multiply. */
const char *lw_ptx_move_help(const lw_insn *insn);

enum { LW_PTX_SPELLING_MAX = 160 };

/* The full spelling as PTX documents it; of tcgen05, with the words that stand for the descriptor. */
void lw_ptx_spell(const lw_insn *insn, const lw_ptx_mods *mods, char text[LW_PTX_SPELLING_MAX]);

#endif
