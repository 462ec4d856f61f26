/* SPDX-License-Identifier: MIT */
/*
 * Wait states that software must insert: what kind of instruction something is to the rules, and how many
 * wait states a later instruction needs after an earlier one. The rules are rows of hazards.inc.
 */
#ifndef LW_OBSERVERS_HAZARDS_H
#define LW_OBSERVERS_HAZARDS_H

#include <lanewise/check.h>

/* Kinds of instructions, as bits; an instruction may have several. */
enum {
    LW_HZ_OTHER = 1u << 0,
    LW_HZ_SALU = 1u << 1,
    LW_HZ_SETREG = 1u << 2,
    LW_HZ_GETREG = 1u << 3,
    LW_HZ_RFE = 1u << 4,
    LW_HZ_VMEM = 1u << 5, /* vector memory, except LDS */
    LW_HZ_LDS = 1u << 6,
    LW_HZ_VALU = 1u << 7, /* vector instructions, except matrix instructions */
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
    LW_HZ_PART = 1u << 18,       /* the result is a part of its register */
    LW_HZ_WIDE_STORE = 1u << 19, /* more than 64 bits of data and no scalar offset of a buffer */
    LW_HZ_PLAIN_VALU = 1u << 20, /* LW_HZ_VALU, not LW_HZ_DOT */
    LW_HZ_NOT_TRANS = 1u << 21,  /* LW_HZ_VALU, not LW_HZ_TRANS */
    LW_HZ_WMMA = 1u << 22,
    LW_HZ_PERMLANE = 1u << 23,
    LW_HZ_DRAIN =
        1u << 24, /* waits until all vector instructions have written their results; calls and returns */
    LW_HZ_WAIT_ALU = 1u << 25,
    LW_HZ_SMEM = 1u << 26,
    LW_HZ_BUFFER = 1u << 27,   /* LW_HZ_VMEM through a resource */
    LW_HZ_ACC_READ = 1u << 28, /* v_accvgpr_read, v_accvgpr_write; LW_HZ_VALU, too */
    LW_HZ_ACC_WRITE = 1u << 29,
    LW_HZ_VGPR_VALU = 1u << 30, /* LW_HZ_VALU, not LW_HZ_ACC_WRITE */
    LW_HZ_MATRIX = LW_HZ_XDL | LW_HZ_SGEMM | LW_HZ_DGEMM,
    LW_HZ_ANY = 0xffffffu,
};

/* Uses of a register by an instruction, as bits. */
enum {
    LW_HZ_RESULT = 1u << 0,
    LW_HZ_AB = 1u << 1, /* matrix operands: A, B, index, scales */
    LW_HZ_C = 1u << 2,
    LW_HZ_SOURCE = 1u << 3,
    LW_HZ_SELECT = 1u << 4, /* selects a lane */
    LW_HZ_MASK = 1u << 5,
    LW_HZ_ADDRESS = 1u << 6,
    LW_HZ_DATA = 1u << 7,
    LW_HZ_IMPLIED = 1u << 8,
    LW_HZ_THIRD = 1u << 9, /* a dot product's addend */
    LW_HZ_USE = 0x3ffu,
};

/* Kinds of registers, as bits. */
enum { LW_HZ_VECTOR = 1, LW_HZ_SCALAR = 2, LW_HZ_EXEC = 4, LW_HZ_VCC = 8, LW_HZ_M0 = 16, LW_HZ_NOTHING = 0 };

enum { LW_HZ_OPERANDS = 16 };

typedef struct lw_hazard_operand {
    uint16_t first, count; /* numbers that are unique over all files */
    uint16_t use;
    uint8_t registers; /* one of LW_HZ_VECTOR and so on; VCC counts as scalar, too */
    bool read, written;
} lw_hazard_operand;

/* An instruction at its place. Equal notes are equal byte by byte. */
typedef struct lw_hazard_note {
    uint32_t place;
    uint32_t kinds, opcode;
    uint16_t passes;
    uint8_t wait_states;
    uint8_t count;
    uint8_t longest;             /* wait states after which it no longer matters */
    uint8_t after, after_strict; /* gfx1250: lw_facts.distance and distance_strict; 1 after transcendental
                                    instructions */
    bool wide;                   /* the wave has 64 lanes */
    bool moved, dual;            /* M0 selects a register; VOPD */
    uint8_t scratch_base;        /* lw_facts.scratch_base */
    bool base_writer;            /* gfx1250: it writes s102 or s103 */
    bool arrives;                /* gfx1250: at a barrier in LDS, when copies have completed */
    int32_t setting; /* the register that s_setreg or s_getreg names; bit 16: bit 28 of MODE; the fields of
                        LW_HZ_WAIT_ALU */
    lw_hazard_operand operands[LW_HZ_OPERANDS];
} lw_hazard_note;

typedef enum lw_hazard_target {
    LW_HZ_GFX908,
    LW_HZ_GFX90A,
    LW_HZ_GFX942,
    LW_HZ_GFX950,
    LW_HZ_TARGETS, /* of hazards.inc; the others have the rules of hazard_rdna.c */
    LW_HZ_GFX11 = LW_HZ_TARGETS,
    LW_HZ_GFX115,
    LW_HZ_GFX12,
    LW_HZ_GFX1250,
} lw_hazard_target;

/* -1: there are no rules for the target. */
int lw_hazard_target_of(lw_arch arch);

void lw_hazard_note_of(lw_hazard_note *note, const lw_event *event, lw_hazard_target target);

/* What is needed between two instructions, at one severity; states 0: nothing. */
typedef struct lw_hazard_need {
    unsigned states;
    const char *rule, *why;
    uint16_t reg; /* the first register that both use, by operand numbering; 0xffff: none */
    bool written; /* the later one writes it */
} lw_hazard_need;

typedef struct lw_hazard_needs {
    lw_hazard_need error, strict; /* strict: at least as many as error */
} lw_hazard_needs;

lw_hazard_needs lw_hazard_between(lw_hazard_target target, const lw_hazard_note *earlier,
                                  const lw_hazard_note *later);

/* What RDNA lacks between two instructions; rule NULL: nothing. `cure` is completed by the place. */
typedef struct lw_hazard_lack {
    const char *rule, *why, *cure;
    uint16_t reg; /* 0xffff: none */
    lw_severity severity;
    uint8_t vectors; /* vector instructions that are needed; 0: `cure` says what is */
    bool written;    /* the later one writes the register */
} lw_hazard_lack;

/* What was executed since an instruction: vector instructions; of them, after a transcendental one the
 * transcendental ones, after others all that are not v_nop. */
typedef struct lw_hazard_since {
    uint8_t vectors, others;
} lw_hazard_since;

lw_hazard_lack lw_hazard_rdna_between(lw_hazard_target target, const lw_hazard_note *earlier,
                                      const lw_hazard_note *later, lw_hazard_since since);
/* The same for gfx1250. */
lw_hazard_lack lw_hazard_wmma_between(const lw_hazard_note *earlier, const lw_hazard_note *later,
                                      lw_hazard_since since);
/* gfx1250: does it write s102 (bit 0) or s103 (bit 1), of which the scratch base is made? */
bool lw_hazard_writes_base(const lw_hazard_note *note, unsigned halves);
enum { LW_HZ_BASE_FAR = 10 }; /* scalar instructions after which that no longer matters */
/* One more instruction; false: the earlier one no longer matters. */
bool lw_hazard_rdna_on(const lw_hazard_note *past, const lw_hazard_note *next, lw_hazard_since *since);

/* An instruction of the past, of which the newest is the last of a list. */
typedef struct lw_hazard_recent {
    const lw_hazard_note *note;
    lw_hazard_since since;
} lw_hazard_recent;

/* What needs more than one earlier instruction: vector registers written before and after EXEC. *earlier: the
 * number in the list of the one that wrote after. */
lw_hazard_lack lw_hazard_rdna_among(lw_hazard_target target, const lw_hazard_recent *list, unsigned count,
                                    const lw_hazard_note *later, unsigned *earlier);

/* The same for gfx1250: waits that stand directly before or after an instruction, and the scratch base. */
lw_hazard_lack lw_hazard_wmma_among(const lw_hazard_recent *list, unsigned count, const lw_hazard_note *later,
                                    unsigned *earlier);

/* Scalar registers and VCC of a wave, by number: those that vector instructions have read, and who has
 * written them since without a wait. */
typedef enum lw_hazard_writer { LW_HZ_BY_SCALAR, LW_HZ_BY_VECTOR, LW_HZ_WRITERS } lw_hazard_writer;
enum { LW_HZ_SCALARS = 108 };

typedef struct lw_hazard_scalars {
    bool seen[LW_HZ_SCALARS];
    uint32_t by[LW_HZ_WRITERS][LW_HZ_SCALARS]; /* the number of the last instruction of the kind that wrote
                                                  it, plus 1; 0: none, or it was waited for */
    uint8_t idle;                              /* ds_nop in a row */
} lw_hazard_scalars;

typedef struct lw_hazard_slip {
    lw_hazard_lack lack; /* cure: the wait that is missing */
    uint32_t writer;
} lw_hazard_slip;

/* Are there rules for scalar registers, in waves of the size of the instruction's? */
bool lw_hazard_tracks(lw_hazard_target target, const lw_hazard_note *n);
/* The next instruction of a wave, with its number; true: it reads what it must not read yet. */
bool lw_hazard_scalars_on(lw_hazard_scalars *s, lw_hazard_target target, const lw_hazard_note *n,
                          uint32_t number, lw_hazard_slip *slip);

/* The words of a finding: into LW_FINDING_CURE and LW_FINDING_WHAT characters. */
void lw_hazard_write_cure(char *cure, unsigned missing, uint64_t before);
void lw_hazard_write_what(char *what, const lw_event *event, const lw_hazard_need *need, unsigned states);
void lw_hazard_write_vectors(char *what, const lw_event *event, const lw_hazard_lack *lack, unsigned vectors);

void lw_hazard_write_nops(char *cure, const lw_hazard_lack *lack, unsigned vectors, uint64_t before);

/* The file and number of the register of an operand. */
void lw_hazard_register(unsigned reg, lw_reg_file *file, unsigned *number);

#endif
