/* SPDX-License-Identifier: MIT */
/*
 * The matrix instructions: names, shapes, operands, modifiers.
 *
 * An instruction is a row of a constant table; handles never need freeing and may be compared. One row
 * is one meaning: the same handle serves every architecture that has the instruction, so queries name
 * the architecture too. Shapes, opcodes and register counts are those of AMD's ISA manuals, as LLVM 22
 * assembles them; of the PTX ISA manual, as ptxas 13.0 accepts them.
 */
#ifndef LANEWISE_INSN_H
#define LANEWISE_INSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/export.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_insn lw_insn;

/* D = A * B + C. SMFMAC and SWMMAC read C from D and have an index; scaled forms have two scales. */
typedef enum lw_operand {
    LW_OPERAND_A,
    LW_OPERAND_B,
    LW_OPERAND_C,
    LW_OPERAND_D,
    LW_OPERAND_INDEX,
    LW_OPERAND_SCALE_A,
    LW_OPERAND_SCALE_B,
    LW_OPERAND_COUNT,
} lw_operand;

/* "A", "B", "C", "D", "index", "scale_a", "scale_b"; NULL for other values. */
LW_API const char *lw_operand_name(lw_operand operand);

/* The operand of that name, upper or lower case. LW_E_NOT_FOUND, LW_E_ARGUMENT for NULL. */
LW_API lw_status lw_operand_find(const char *name, lw_operand *operand);

/* Number of matrix instructions that Lanewise has for `arch`; 0 where it has none. */
LW_API size_t lw_insn_count(lw_arch arch);

/* The instruction number `index` of `arch`, in an order that does not change; NULL when out of range. */
LW_API const lw_insn *lw_insn_at(lw_arch arch, size_t index);

/*
 * Finds an instruction of `arch` by mnemonic or alias, in lower or upper case. An encoding suffix
 * ("_e64") is not part of a name. PTX: by the short name in lw_insn_info.mnemonic, or by a full
 * spelling with its parts in any order that ptxas 13.0 accepts: types (D, A, B, C, scales) and layouts keep
 * their order, .xor and .and come before .popc, .b8x16 before .b6x16_p32 and .b4x16_p64; in lower case, as
 * ptxas requires. Errors:
 *   LW_E_ARGUMENT     name or insn is NULL, arch is not an architecture
 *   LW_E_NOT_FOUND    no such name anywhere; the sentence lists the nearest names of `arch`
 *   LW_E_ARCH         other architectures have it; the sentence says which
 *   LW_E_UNSUPPORTED  the assembler knows it, but it is not a matrix instruction (v_accvgpr_*,
 *                     v_mfma_ld_scale_b32), or `arch` has no rows in this version; the sentence says why
 */
LW_API lw_status lw_insn_find(lw_arch arch, const char *name, const lw_insn **insn, lw_error *error);

/* What the elements of an operand are. */
typedef struct lw_operand_info {
    bool present;         /* the instruction has this operand */
    const char *format;   /* "f16", "fp8", ...; "by cbsz", "by matrix_a_fmt" where a modifier selects it */
    uint8_t element_bits; /* 0 where a modifier selects the format */
    uint8_t registers; /* 32-bit registers per lane; the largest number where a modifier selects; 0 for B of
                          wgmma, which is in shared memory */
    uint16_t
        columns; /* tcgen05: of tensor memory, instead of registers; 0 for its B, which is in shared memory */
    const char *files; /* "v or a", "v": which register files the assembler accepts */
} lw_operand_info;

enum { LW_INSN_MAX_ALIASES = 3 };

typedef struct lw_insn_info {
    size_t struct_size;                       /* sizeof(lw_insn_info): lw_insn_get_info sets it */
    const char *mnemonic;                     /* on this architecture: generations differ in spelling */
    const char *aliases[LW_INSN_MAX_ALIASES]; /* older spellings; NULL after the last one */
    const char *family;                       /* "mfma", "smfmac", "mfma_scale", "wmma", "swmmac", ... */
    const char *encoding;                     /* "VOP3P-MAI", "VOP3P", "VOP3PX2" */
    lw_arch arch;                             /* the architecture asked for */
    uint32_t archs;                           /* bit (1u << arch) for every architecture that has it */
    uint16_t m, n, k, blocks; /* A is m x k, B is k x n, C and D are m x n, each `blocks` times; of a
                                 sparse A k/2 columns are stored */
    uint8_t wave_sizes;       /* lanes it can run with: bit 0 = 32, bit 1 = 64, bit 2 = 128 (a warpgroup) */
    uint8_t wave;             /* the usual number of lanes, which the register counts below are for */
    uint8_t tuple_align;      /* tuples of registers begin at a multiple of this: 1 or 2 */
    uint8_t bytes;            /* of machine code: 8 or 16 */
    uint16_t opcode;          /* op field of VOP3P: 7 bits, 8 on gfx1250; of the second half in VOP3PX2 */
    uint8_t passes;           /* CDNA: of four cycles each, the largest where formats differ; 0 elsewhere */
    uint16_t cycles;          /* until the next one may start; 0 where nothing is published */
    const char *passes_note;  /* "" or what these numbers depend on, or their source */
    bool sparse, scaled;
    uint8_t scale_k;           /* k that share a scale; 0 when not scaled */
    bool c_inline;             /* the assembler accepts an inline constant for C */
    bool moves;                /* moves elements and computes nothing: ldmatrix, wmma.load and the like */
    uint8_t ptx_isa;           /* first PTX ISA version that has it, times ten: 70 is 7.0; 0 for AMD's */
    const char *modifiers;     /* the assembler's names, separated by blanks; "" for none */
    const char *modifier_help; /* what they mean here, one sentence each */
    const char *move_help;     /* moves: what is moved, and whose addresses name it; "" for others */
    lw_operand_info operand[LW_OPERAND_COUNT];
} lw_insn_info;

/*
 * LW_E_ARGUMENT for NULL and for a struct_size that no version had, LW_E_ARCH when `arch` does not have the
 * instruction.
 */
LW_API lw_status lw_insn_fill_info(lw_arch arch, const lw_insn *insn, lw_insn_info *info);
static inline lw_status lw_insn_get_info(lw_arch arch, const lw_insn *insn, lw_insn_info *info)
{
    if (info)
        info->struct_size = sizeof(*info);
    return lw_insn_fill_info(arch, insn, info);
}

/*
 * What the spelling of a PTX instruction says besides its shape. Element types are those that
 * lw_insn_operand names ("f16", "e4m3", "s8" ...), as members of an internal enumeration: fill this with
 * lw_insn_parse or lw_mods_parse, not by hand. All zero for AMD's instructions.
 */
typedef struct lw_ptx_mods {
    uint8_t a_type, b_type, c_type, d_type; /* 0: the only one of the instruction */
    uint8_t a_col, b_row;                   /* 1 where the spelling's layout is not .row.col */
    uint8_t satfinite;
    uint8_t round;      /* lw_ptx_round */
    uint8_t op;         /* b1: 0 .xor.popc, 1 .and.popc */
    uint8_t kind;       /* 0 none, else .kind::f8f6f4 and the like, in the rows' order */
    uint8_t scale_vec;  /* 0 (absent), 1, 2, 4: .scale_vec::NX */
    uint8_t scale_type; /* 0 for unscaled forms */
    uint8_t ordered;    /* mma.sp::ordered_metadata; 0 means the same where that is the only spelling */
    uint8_t selector;   /* sparsity selector */
    uint8_t byte_a, thread_a, byte_b, thread_b; /* which scale bytes of which lanes */
    uint8_t trans, count;                       /* ldmatrix, stmatrix: .trans, .x1 .x2 .x4 */
    uint8_t space;                              /* moves: 0 generic, 1 .global, 2 .shared, 3 .shared::cta */
    uint8_t neg_a, neg_b; /* wgmma: 1 where imm-scale-a, imm-scale-b is -1; its transposes are a_col, b_row */
    uint8_t no_c;         /* wgmma: 1 where scale-d is 0, and D is A * B alone */
} lw_ptx_mods;

/* .rn is what f64 forms do without a qualifier. */
typedef enum lw_ptx_round { LW_PTX_RN, LW_PTX_RZ, LW_PTX_RM, LW_PTX_RP } lw_ptx_round;

/*
 * Modifiers by the assembler's names. All zero is what the assembler encodes for an instruction written
 * without modifiers (also op_sel_hi of a scaled MFMA, as LLVM 22 assembles it).
 */
typedef struct lw_mods {
    uint8_t cbsz; /* dense: log2 of A blocks that share one; f8f6f4: format of A (gfx1250: matrix_a_fmt);
                     SMFMAC: see abid */
    uint8_t abid; /* dense: which A block they share; SMFMAC with cbsz 0: which index set */
    uint8_t blgp; /* dense: lane pattern of B; f8f6f4: format of B (gfx1250: matrix_b_fmt) */
    uint8_t neg;  /* f64: bit 0 negates A, bit 1 B, bit 2 C */
    uint8_t op_sel,
        op_sel_hi; /* scaled MFMA: bit 0 for scale A, bit 1 for scale B. gfx11: op_sel bit 2 names the half
                      of C and D; op_sel_hi has the bits that differ from the assembler's default, [1,1,1].
                      WMMA with 16-bit results on gfx11 and gfx12: all other bits have no effect */
    uint8_t neg_lo,
        neg_hi;        /* WMMA, SWMMAC: bit 0 A, 1 B, 2 C; iu8 and iu4: neg_lo means "signed". B of
                          SWMMAC: the values selected for the first, the second of each stored pair of A */
    uint8_t clamp;     /* integer WMMA, SWMMAC: saturate. WMMA with 16-bit results on gfx11, gfx12:
                          no effect (recorded of bf16, inferred of f16) */
    uint8_t index_key; /* SWMMAC: which index set of the index register */
    uint8_t scale_row_a,
        scale_row_b; /* gfx1250 matrix_a_scale, matrix_b_scale: which 16 lanes hold the scales */
    uint8_t scale_fmt_a, scale_fmt_b; /* gfx1250 matrix_a_scale_fmt: 0 E8M0, 1 E5M3, 2 E4M3 */
    uint8_t reuse_a, reuse_b;         /* gfx1250 matrix_a_reuse, matrix_b_reuse: no effect on numbers */
    uint8_t wave; /* lanes the code runs in, 32, 64 or 128; 0: the usual size. Some fields depend on it */
    uint16_t readings; /* set of LW_READING_*: readings of what no document defines */
    lw_ptx_mods ptx;
} lw_mods;

/*
 * Some modifiers assemble, but neither AMD's manuals nor its matrix calculator say what they do.
 * They are refused unless the caller names a reading (lanewise/reading.h).
 */
typedef enum lw_mods_reading {
    LW_READING_CBSZ_IGNORED = 1 << 0,
    LW_READING_BLGP_IGNORED = 1 << 1,
    LW_READING_BLGP_PATTERN = 1 << 2,
    LW_READING_INDEX_SET_IGNORED = 1 << 3,
    LW_READING_NEG_IGNORED = 1 << 4,
    LW_READING_NEG_C = 1 << 5,
    LW_READING_SCALE_FORMATS = 1 << 7,
} lw_mods_reading;

/*
 * Reads modifiers in the assembler's spelling: "cbsz:1 abid:0", "blgp:3", "neg:[1,0,0]",
 * "op_sel:[0,1] op_sel_hi:[1,0]", "neg_lo:[1,1] clamp index_key:1", "matrix_a_fmt:MATRIX_FMT_FP4",
 * separated by blanks or commas; "reading:cbsz:ignored" selects a reading of what is open
 * ("assume:cbsz-ignored" is its former spelling), "wave:64" gives the size of the wave. Where the assembler
 * has names for numbers, the last part of the name in lower case and the number are accepted too:
 * "matrix_a_fmt:fp4"; so are names for the formats of CDNA's f8f6f4: "cbsz:fp4". Fields that the text does
 * not name are zero; an empty text gives no modifiers. The result has passed lw_mods_check. A caller with
 * several pieces joins them with blanks. *mods is written only on success. LW_E_ARGUMENT: NULL arguments.
 * LW_E_FORMAT: not a modifier, one named twice, or a number out of the field's range. LW_E_UNSUPPORTED: the
 * instruction does not have it; the sentence names those that it has. LW_E_ARCH: `arch` does not have the
 * instruction.
 */
LW_API lw_status lw_mods_parse(lw_arch arch, const lw_insn *insn, const char *text, lw_mods *mods,
                               lw_error *error);

/*
 * Reads an instruction as it is written in assembly, without operands: "v_mfma_f32_4x4x4_16b_f16 cbsz:1",
 * "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32". Modifiers (of lw_mods_parse's kind) may follow the
 * mnemonic of either vendor. Errors are those of lw_insn_find and lw_mods_parse; on failure nothing is
 * written.
 */
LW_API lw_status lw_insn_parse(lw_arch arch, const char *text, const lw_insn **insn, lw_mods *mods,
                               lw_error *error);

/*
 * Whether these modifiers are defined for this instruction. NULL mods means none. LW_OK, LW_E_ARCH, or
 * LW_E_UNSUPPORTED with the reason (and the reading that would allow it, if there is one).
 */
LW_API lw_status lw_mods_check(lw_arch arch, const lw_insn *insn, const lw_mods *mods, lw_error *error);

/*
 * Writes modifiers as lw_mods_parse reads them, in the order of the instruction's list; fields at their
 * default are left out. At most `size` characters, including the final NUL, are written; *length (may be
 * NULL) is that of the whole text without the NUL. LW_E_ARGUMENT for NULL (text may be NULL when size is 0),
 * otherwise as lw_mods_check.
 */
LW_API lw_status lw_mods_print(lw_arch arch, const lw_insn *insn, const lw_mods *mods, char *text,
                               size_t size, size_t *length);

/*
 * Writes the instruction as assembly does, without operands, so that lw_insn_parse reads it back: the
 * mnemonic and its modifiers; for PTX the full spelling and the numbers that are operands there
 * ("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 selector:1"). NULL mods means none. `text`, `size`,
 * `length` and errors as for lw_mods_print.
 */
LW_API lw_status lw_insn_print(lw_arch arch, const lw_insn *insn, const lw_mods *mods, char *text,
                               size_t size, size_t *length);

/*
 * The format that an operand's elements have under these modifiers ("fp4" for A of f8f6f4 with cbsz:4),
 * its bits per element and registers per lane, in a wave of lw_mods.wave lanes. NULL mods means none.
 * LW_E_ARGUMENT when the instruction has no such operand, otherwise as lw_mods_check. `present`, `files` are
 * filled too.
 */
LW_API lw_status lw_insn_operand(lw_arch arch, const lw_insn *insn, lw_operand operand, const lw_mods *mods,
                                 lw_operand_info *info, lw_error *error);

/*
 * The instruction descriptor that a tcgen05.mma with these modifiers (NULL: none) takes as an operand: shape,
 * types, signs, transposes. LW_E_ARGUMENT for NULL, LW_E_UNSUPPORTED for instructions without one, otherwise
 * as lw_mods_check.
 */
LW_API lw_status lw_insn_descriptor(lw_arch arch, const lw_insn *insn, const lw_mods *mods,
                                    uint32_t *descriptor);

#ifdef __cplusplus
}
#endif

#endif
