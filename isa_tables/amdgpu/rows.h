/* SPDX-License-Identifier: MIT */
/*
 * The machine instructions of the AMD targets: one row per meaning, with its opcode in each generation.
 *
 * Rows are in the .inc files of this folder, a file per encoding class, sorted by opcode; those of matrix
 * instructions are the rows of isa_tables/matrix.inc, from which operands and modifiers follow. The comment
 * at the top of each file names the columns. The last two belong to the interpreter: `semantics` is the
 * function that runs the instruction (`none`: executing it is a fault) and `evidence` is how well that is
 * supported (lw_evidence without LW_EV_). The column of opcodes says where the instruction exists: G9(op) on
 * gfx942 and gfx950, G942 and G950 on one of them, G11(op) on gfx1100 under the same name, N11(op, name)
 * under another, E11(op, name, class) in another encoding class too, M11(op, name, modifiers) with other
 * modifiers. D11(op) is the opcode as a half of VOPD, P11(op, name) that of an instruction which is nothing
 * else. The same words with 12 are those of gfx1201 and gfx1250. W1251 marks what has DPP on gfx1251, which
 * otherwise has gfx1250's instructions (LLVM 22).
 *
 * What an instruction does to counters, what it waits for and its hazard class are words of the column of
 * effects or flags, as is the part of a result that is written. Without such a word, traffic follows from
 * encoding class, flags and kind, and the hazard class from the encoding class (for matrix instructions, from
 * the format of A). Tests compare every row that LLVM's passes accept with them (tests/decode).
 *
 * Operands are named by type. S(), V() and A() restrict one to scalar, vector or accumulation registers;
 * otherwise the encoding class decides. Opcodes, operands and modifiers agree with llvm-mc 22 (tests/decode).
 */
#ifndef LW_ISA_AMDGPU_ROWS_H
#define LW_ISA_AMDGPU_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "isa_tables/amdgpu/counters.h"
#include "isa_tables/amdgpu/opcode.h"
#include "isa_tables/matrix.h"

/* LW_OP_s_mov_b32 ...: the row's index. The flat_, global_ and scratch_ forms share a row:
 * LW_OP_load_dword. */
typedef enum lw_op {
#define LW_ROW(id, enc, codes, sem, ev) LW_OP_##id,
#include "isa_tables/amdgpu/each_row.inc"
#undef LW_ROW
    LW_OP_COUNT,
} lw_op;

/* The registers that an operand may name, where the encoding class leaves a choice. */
typedef enum lw_reg_class {
    LW_REG_DEFAULT, /* what the encoding's field allows: see the decoder */
    LW_REG_SCALAR,  /* scalar registers and constants */
    LW_REG_SGPR,    /* scalar registers only */
    LW_REG_VECTOR,  /* a VGPR */
    LW_REG_ACC,     /* an accumulation VGPR */
    LW_REG_SRC,     /* any source operand; in scalar instructions, no literal */
    LW_REG_AV,      /* VGPR or accumulation VGPR, by an ACC bit */
    LW_REG_AV_SRC,  /* the same or an inline constant */
    LW_REG_IMM,     /* an immediate instead of a register */
} lw_reg_class;

typedef struct lw_op_operand {
    uint8_t type;   /* lw_type; LW_TYPE_NONE: no such operand */
    uint8_t dwords; /* 32-bit registers */
    uint8_t reg;    /* lw_reg_class */
} lw_op_operand;

/* Modifiers of vector instructions. The decoder refuses what is not listed, except for IGN. */
enum {
    LW_MOD_NEG = 1 << 0, /* << i: source i takes neg (VOP3P: neg_lo) */
    LW_MOD_ABS = 1 << 3, /* << i: source i takes abs (VOP3P: neg_hi) */
    LW_MOD_IGN = 1 << 6, /* << i: source i's neg and abs bits are accepted without meaning */
    LW_MOD_CLAMP = 1 << 9,
    LW_MOD_OMOD = 1 << 10,
    LW_MOD_OPSEL_SHIFT = 11, /* 3 bits: lw_opsel_use */
    LW_MOD_SDWA = 1 << 14,
    LW_MOD_DPP = 1 << 15,
    LW_MOD_NO_VOP3 = 1 << 16,    /* no 64-bit form */
    LW_MOD_K1 = 1 << 17,         /* the literal is between the sources (madmk) */
    LW_MOD_K2 = 1 << 18,         /* the literal is the last source (madak) */
    LW_MOD_MIX = 1 << 19,        /* op_sel_hi: source is f16; op_sel: its high half */
    LW_MOD_BITOP3 = 1 << 20,     /* the bits of neg, abs and omod hold a truth table */
    LW_MOD_SPARSE = 1 << 21,     /* smfmac: C is D, the third source holds the index */
    LW_MOD_F8F6F4 = 1 << 22,     /* CBSZ and BLGP choose the formats of A and B */
    LW_MOD_NEG_BLGP = 1 << 23,   /* BLGP negates A, B, C */
    LW_MOD_SCALED = 1 << 24,     /* a 16-byte instruction with two scale sources */
    LW_MOD_LD_SCALE = 1 << 25,   /* the first half of a LW_MOD_SCALED instruction */
    LW_MOD_SDWA_WHOLE = 1 << 26, /* SDWA cannot select a part of the result */
    LW_MOD_NO_DPP = 1 << 27,     /* no DPP form where lw_amdgpu_traits.dpp_all */
    LW_MOD_MIX_BF16 = 1 << 29,   /* with LW_MOD_MIX: bf16 in place of f16 */
    LW_MOD_BARE = 1 << 28,       /* all forms are printed without a suffix */
    LW_MOD_SCALE_SEL =
        1 << 30, /* op_sel is a number that says which bytes of the last source are the scales */
};

/* What the op_sel bits of VOP3 (14:11) or VOP3P do. */
typedef enum lw_opsel_use {
    LW_OPSEL_IGNORED,  /* any value, no meaning */
    LW_OPSEL_ALL,      /* VOP3: sources 0 to 2 and the result */
    LW_OPSEL_TWO,      /* sources 0 and 1 (VOP3: and the result); the bit of source 2 must be 0 */
    LW_OPSEL_NONE,     /* must be 0 */
    LW_OPSEL_NOT2,     /* ignored, but the bit of source 2 must be 0 */
    LW_OPSEL_BOUND_FI, /* bit 0: fetch_inactive, bit 1: bound_ctrl (permlane swaps) */
    LW_OPSEL_BYTES,    /* as ALL, but they choose bytes of the result */
    LW_OPSEL_BYTE_SEL, /* bits 3:2: the byte of the result to write; or 1:0, exchanged: one of the source */
} lw_opsel_use;

/* What an instruction does in addition to reading its sources and writing its result. */
enum {
    LW_OPF_R_SCC = 1 << 0,
    LW_OPF_W_SCC = 1 << 1,
    LW_OPF_R_VCC = 1 << 2,
    LW_OPF_R_EXEC = 1 << 3, /* beyond the lane mask of vector instructions */
    LW_OPF_W_EXEC = 1 << 4,
    LW_OPF_R_M0 = 1 << 5,
    LW_OPF_W_M0 = 1 << 6,
    LW_OPF_W_MODE = 1 << 7,
    LW_OPF_TIED = 1 << 8,       /* the result register is also read, or partly kept */
    LW_OPF_SWAP = 1 << 9,       /* both operands are read and written */
    LW_OPF_CARRY_IN = 1 << 10,  /* a lane mask source: VCC, in VOP3 form source 2 */
    LW_OPF_CARRY_OUT = 1 << 11, /* a lane mask result: VCC, in VOP3 form bits 14:8 */
    LW_OPF_BRANCH = 1 << 12,    /* may set the program counter or end the wave */
    LW_OPF_NO_EXEC = 1 << 13,   /* a vector instruction that ignores EXEC */
    LW_OPF_LOAD = 1 << 14,
    LW_OPF_STORE = 1 << 15,
    LW_OPF_ATOMIC = 1 << 16,
    LW_OPF_D16 = 1 << 17,      /* 16-bit data in the low half of a register */
    LW_OPF_D16_HI = 1 << 18,   /* ... in the high half */
    LW_OPF_OFF2 = 1 << 19,     /* DS: two 8-bit offsets in units of the access (st64: times 64) */
    LW_OPF_NOADDR = 1 << 20,   /* no address operand */
    LW_OPF_NOOFF = 1 << 21,    /* no offset either */
    LW_OPF_NOGDS = 1 << 22,    /* the GDS bit must be 0 */
    LW_OPF_SWIZZLE = 1 << 23,  /* the offset is a lane permutation */
    LW_OPF_LDS = 1 << 24,      /* data may go to LDS (MUBUF) or does (FLAT) */
    LW_OPF_LDS_WIDE = 1 << 25, /* the same where lw_amdgpu_traits.lds_dma_wide */
    LW_OPF_GWS = 1 << 27,      /* DS: the GDS bit must be set; the address field names a data register */
    LW_OPF_FORMAT = 1 << 26,   /* data are converted by the buffer's format */
    LW_OPF_ONE_LANE = 1 << 28, /* one lane of its vector register, which a scalar names */
    /* sources and result are flushed whatever MODE says, so that OMOD depends on IEEE only */
    LW_OPF_FLUSHED = 1 << 29,
    LW_OPF_OLD_LDS = 1 << 30, /* data may go to LDS where lw_amdgpu_traits.flat_lds_bit */
};

/* What a 16-bit (or other) immediate field of a scalar instruction means. */
typedef enum lw_imm_kind {
    LW_IMM_NOIMM, /* must be 0 */
    LW_IMM_UIMM16,
    LW_IMM_SIMM16,
    LW_IMM_LABEL, /* a branch distance in dwords from the next instruction */
    LW_IMM_WAITCNT,
    LW_IMM_SENDMSG,
    LW_IMM_HWREG,
    LW_IMM_HWREG_K32, /* hwreg and a 32-bit literal source */
    LW_IMM_ENDPGM,    /* printed unless 0 */
    LW_IMM_IDX_MODE,  /* gpr_idx(...) */
    LW_IMM_HEX16,     /* always in hexadecimal */
    LW_IMM_VERSION,   /* microcode version: a number; some have names */
    LW_IMM_DEPCTR,    /* depctr_va_vdst(...) and the like */
    LW_IMM_DELAY,     /* instid0(...) | instskip(...) | instid1(...) */
    LW_IMM_IDX_ON,    /* the same in the second source field of SOPC */
} lw_imm_kind;

/* Which part of its result an instruction writes, as op_sel says; it keeps the rest. */
typedef enum lw_op_part {
    LW_PART_WHOLE,
    LW_PART_HALF, /* op_sel[3] */
    LW_PART_BYTE, /* op_sel[3:2] */
} lw_op_part;

typedef enum lw_smem_kind {
    LW_SM_LOAD,
    LW_SM_STORE,
    LW_SM_ATOMIC,
    LW_SM_INV,      /* invalidates the scalar cache; no operands */
    LW_SM_INV_L1,   /* the first-level cache of vector memory that is shared; no operands */
    LW_SM_WB,       /* writes it back; no operands */
    LW_SM_TIME,     /* a 64-bit result */
    LW_SM_PROBE,    /* the data field is a number */
    LW_SM_DISCARD,  /* base and offset */
    LW_SM_PREFETCH, /* the same with a number of cache lines; without a base, relative to the pc */
} lw_smem_kind;

/* Opcodes of scaled matrix instructions in the index: that of their second half, plus this. */
#define LW_SCALED_OPCODES(scale_k) ((scale_k) == 16 ? 0x200 : (scale_k) != 0 ? 0x100 : 0)

/* FLAT segments, as the SEG field encodes them. */
enum { LW_SEG_FLAT = 0, LW_SEG_SCRATCH = 1, LW_SEG_GLOBAL = 2 };

/* What an image instruction's address consists of, and its data. */
enum {
    LW_IMAGE_SAMPLER = 1 << 0,
    LW_IMAGE_GRADIENTS = 1 << 1,
    LW_IMAGE_LOD = 1 << 2,       /* a level, or a clamp of it */
    LW_IMAGE_G16 = 1 << 3,       /* gradients of 16 bits */
    LW_IMAGE_GATHER = 1 << 4,    /* four data whatever dmask says */
    LW_IMAGE_NO_COORDS = 1 << 5, /* no coordinates */
    LW_IMAGE_NO_D16 = 1 << 6,    /* no data of 16 bits */
    LW_IMAGE_PAIR = 1 << 7,      /* compare and swap: two data for each element */
    LW_IMAGE_BVH = 1 << 8,       /* a ray and a node; the row's `bytes` says which layout */
};

/* What the text of an interpolation says beside registers. */
enum {
    LW_INTERP_ATTR = 1 << 0,   /* attr1.x */
    LW_INTERP_CORNER = 1 << 1, /* p0, p10 or p20 */
    LW_INTERP_HIGH = 1 << 2,   /* the high half of the attribute */
    LW_INTERP_OMOD = 1 << 3,
    LW_INTERP_WAIT = 1 << 4, /* it waits for exports */
    LW_INTERP_OPSEL = 1 << 5,
};

/* A bit of lw_op_row.kind beside those of segments: the name has no prefix; where there is no address, LLVM
 * 22 prints NULL, or a blank too many. */
enum { LW_SEG_NAMED = 1 << 7, LW_SEG_NULL = 1 << 8 };

/* A row on a generation that has the instruction. */
typedef struct lw_op_on {
    const char *name; /* NULL: the row's */
    uint32_t mods;    /* LW_MOD_*, where `own_mods` says that they are not the row's */
    uint16_t code;    /* opcode + 1; 0 where the generation lacks the instruction */
    uint8_t dual;     /* the opcode as a half of VOPD, + 1; 0: it cannot be a half */
    uint8_t enc;      /* lw_enc + 1; 0: the row's */
    uint8_t segments; /* FLAT: 1 << segment, or-ed; 0: the row's */
    bool own_mods;
    bool no_return; /* an atomic that never returns the old value */
    bool text_only; /* decoded and printed only; whether it computes here what the row says is not known */
    bool dpp_share; /* DPP, of row_share only, where lw_amdgpu_traits.dpp_share */
} lw_op_on;

enum { LW_AMD_ARCHS = LW_ARCH_GFX1250 - LW_ARCH_GFX908 + 1 };

typedef struct lw_op_row {
    const char *name;          /* without _e32 and the like; FLAT rows: without flat_, global_, scratch_ */
    const char *sem;           /* the semantic function's name, "none" if there is none yet */
    lw_op_on on[LW_AMD_ARCHS]; /* by generation: lw_op_get_on */
    uint8_t enc;               /* lw_enc */
    uint8_t evidence;          /* lw_evidence */
    lw_op_operand dst, src[3]; /* DS and FLAT: src[0] data, src[1] second data; MAI: A, B, C */
    uint32_t mods;             /* LW_MOD_* */
    uint32_t flags;            /* LW_OPF_* */
    uint8_t imm;               /* lw_imm_kind of SOPK and SOPP */
    uint8_t access;            /* SOPK: 1 register read, 2 written, 3 both */
    uint16_t kind;    /* SMEM: lw_smem_kind; FLAT: 1 << segment, or-ed; images: LW_IMAGE_*; LW_INTERP_* */
    uint8_t base;     /* SMEM: registers of the base */
    uint8_t bytes;    /* memory: bytes per lane of one access */
    uint8_t traffic;  /* lw_traffic: what it does to counters */
    uint8_t wait;     /* lw_wait */
    uint8_t part;     /* lw_op_part, where the type of the result does not say it */
    uint8_t hazard;   /* lw_hazard_class */
    uint8_t exchange; /* a transposing read: lanes, from a multiple of it on, that exchange what they read */
    const struct lw_insn *insn; /* the matrix instruction, or NULL */
} lw_op_row;

/* All rows, indexed by lw_op. */
extern const lw_op_row lw_op_rows[LW_OP_COUNT];

/* The row of `op` in an encoding of a generation; NULL if there is none. O(1). */
const lw_op_row *lw_op_find(lw_arch arch, lw_enc enc, unsigned op);

/* The row of `op` as a half of VOPD; NULL if there is none. The width of its field limits the opcodes of the
 * first half. */
const lw_op_row *lw_op_find_dual(lw_arch arch, unsigned op);

/* The row on a generation; NULL if the generation lacks the instruction. */
static inline const lw_op_on *lw_op_get_on(const lw_op_row *row, lw_arch arch)
{
    const bool amd = arch >= LW_ARCH_GFX908 && arch <= LW_ARCH_GFX1250;
    const lw_op_on *on = amd ? &row->on[arch - LW_ARCH_GFX908] : NULL;
    return on && (on->code || on->dual) ? on : NULL;
}

/* The opcode of a row; -1 where `arch` lacks it or has it as a half of VOPD only. */
static inline int lw_op_code(const lw_op_row *row, lw_arch arch)
{
    const lw_op_on *on = lw_op_get_on(row, arch);
    return on ? on->code - 1 : -1;
}

/* Encoding class, name and modifiers on a generation that has the instruction. */
static inline lw_enc lw_op_enc(const lw_op_row *row, lw_arch arch)
{
    const lw_op_on *on = lw_op_get_on(row, arch);
    return (lw_enc)(on && on->enc ? on->enc - 1 : row->enc);
}

static inline const char *lw_op_name(const lw_op_row *row, lw_arch arch)
{
    const lw_op_on *on = lw_op_get_on(row, arch);
    if (row->insn)
        return lw_insn_name(arch, row->insn);
    return on && on->name ? on->name : row->name;
}

static inline uint32_t lw_op_mods(const lw_op_row *row, lw_arch arch)
{
    const lw_op_on *on = lw_op_get_on(row, arch);
    return on && on->own_mods ? on->mods : row->mods;
}

/* Has it DPP, of row_share only, on the sibling of a generation that has such? */
static inline bool lw_op_shares(const lw_op_row *row, lw_arch arch)
{
    const lw_op_on *on = lw_op_get_on(row, arch);
    return on && on->dpp_share;
}

/* Does a FLAT row have this address space on a generation? */
static inline bool lw_op_has_segment(const lw_op_row *row, lw_arch arch, unsigned segment)
{
    const lw_op_on *on = lw_op_get_on(row, arch);
    return (on && on->segments ? on->segments : row->kind) >> segment & 1;
}

/* The row's index. */
static inline lw_op lw_op_index(const lw_op_row *row)
{
    return (lw_op)(row - lw_op_rows);
}

#endif
