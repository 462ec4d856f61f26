/* SPDX-License-Identifier: MIT */
/*
 * Software wait states: what an instruction is to them, and how many a later one needs after an earlier one.
 * The rules are rows of hazards.inc.
 */
#ifndef LW_OBSERVERS_HAZARDS_H
#define LW_OBSERVERS_HAZARDS_H

#include <lanewise/check.h>

/* What an instruction is: bits, of which it has several. */
enum {
    LW_HZ_OTHER = 1u << 0,
    LW_HZ_SALU = 1u << 1,
    LW_HZ_SETREG = 1u << 2,
    LW_HZ_GETREG = 1u << 3,
    LW_HZ_RFE = 1u << 4,
    LW_HZ_VMEM = 1u << 5, /* vector memory but LDS */
    LW_HZ_LDS = 1u << 6,
    LW_HZ_VALU = 1u << 7, /* vector instructions but matrix instructions */
    LW_HZ_TRANS = 1u << 8,
    LW_HZ_DOT = 1u << 9,
    LW_HZ_FMA64 = 1u << 10,
    LW_HZ_DIV_FMAS = 1u << 11,
    LW_HZ_LANE = 1u << 12, /* v_readlane, v_readfirstlane, v_writelane */
    LW_HZ_SWAP = 1u << 13, /* of lanes */
    LW_HZ_XDL = 1u << 14,
    LW_HZ_SGEMM = 1u << 15,
    LW_HZ_DGEMM = 1u << 16,
    LW_HZ_DPP = 1u << 17,
    LW_HZ_PART = 1u << 18,       /* result in a part of its register */
    LW_HZ_WIDE_STORE = 1u << 19, /* more than 64 bits of data, no scalar offset of a buffer */
    LW_HZ_PLAIN_VALU = 1u << 20, /* LW_HZ_VALU, not LW_HZ_DOT */
    LW_HZ_NOT_TRANS = 1u << 21,  /* LW_HZ_VALU, not LW_HZ_TRANS */
    LW_HZ_MATRIX = LW_HZ_XDL | LW_HZ_SGEMM | LW_HZ_DGEMM,
    LW_HZ_ANY = 0xffffffu,
};

/* What a register is to it: bits. */
enum {
    LW_HZ_RESULT = 1u << 0,
    LW_HZ_AB = 1u << 1, /* matrix operands: A, B, index, scales */
    LW_HZ_C = 1u << 2,
    LW_HZ_SOURCE = 1u << 3,
    LW_HZ_SELECT = 1u << 4, /* which lane */
    LW_HZ_MASK = 1u << 5,
    LW_HZ_ADDRESS = 1u << 6,
    LW_HZ_DATA = 1u << 7,
    LW_HZ_IMPLIED = 1u << 8,
    LW_HZ_THIRD = 1u << 9, /* a dot product's addend */
    LW_HZ_USE = 0x3ffu,
};

/* Which registers: bits. */
enum { LW_HZ_VECTOR = 1, LW_HZ_SCALAR = 2, LW_HZ_EXEC = 4, LW_HZ_VCC = 8, LW_HZ_M0 = 16, LW_HZ_NOTHING = 0 };

enum { LW_HZ_OPERANDS = 16 };

typedef struct lw_hazard_operand {
    uint16_t first, count; /* in one numbering of all files */
    uint16_t use;
    uint8_t registers; /* one of LW_HZ_VECTOR and so on; VCC is scalar too */
    bool read, written;
} lw_hazard_operand;

/* An instruction at its place; notes without differences are equal byte by byte. */
typedef struct lw_hazard_note {
    uint32_t place;
    uint32_t kinds, opcode;
    uint16_t passes;
    uint8_t wait_states;
    uint8_t count;
    uint8_t longest; /* wait states after which it no longer matters */
    int32_t setting; /* the register that s_setreg and s_getreg name; bit 16: its mode bit 28 */
    lw_hazard_operand operands[LW_HZ_OPERANDS];
} lw_hazard_note;

typedef enum lw_hazard_target {
    LW_HZ_GFX90A,
    LW_HZ_GFX942,
    LW_HZ_GFX950,
    LW_HZ_TARGETS,
} lw_hazard_target;

/* -1: the target has no rules here. */
int lw_hazard_target_of(lw_arch arch);

void lw_hazard_note_of(lw_hazard_note *note, const lw_event *event);

/* What is needed between two instructions, by one severity; states 0: nothing. */
typedef struct lw_hazard_need {
    unsigned states;
    const char *rule, *why;
    uint16_t reg; /* the first register that both concern, in the numbering of operands; 0xffff: none */
    bool written; /* by the later one */
} lw_hazard_need;

typedef struct lw_hazard_needs {
    lw_hazard_need error, strict; /* strict: at least as many as error */
} lw_hazard_needs;

lw_hazard_needs lw_hazard_between(lw_hazard_target target, const lw_hazard_note *earlier,
                                  const lw_hazard_note *later);

/* The file and number of a register of an operand. */
void lw_hazard_register(unsigned reg, lw_reg_file *file, unsigned *number);

#endif
