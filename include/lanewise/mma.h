/* SPDX-License-Identifier: MIT */
/*
 * Computing one matrix instruction: D = A * B + C, bit for bit.
 *
 * lw_mma_create prepares an instruction once (layouts, arithmetic, tables); the prepared object is
 * constant afterwards, may be used by several threads at once, and executes on register images or on
 * plain matrices. EXEC does not matter: CDNA matrix instructions ignore it (AMD CDNA3 and CDNA4 ISA
 * manuals, chapter 7).
 *
 * What silicon computes is known with different certainty for different instructions and kinds of
 * values. Every answer therefore has a label per aspect (lw_mma_get_evidence), execution reports which
 * aspects the numbers touched, and where sources leave something open, a reading can be selected by name
 * (lanewise/reading.h).
 */
#ifndef LANEWISE_MMA_H
#define LANEWISE_MMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/export.h>
#include <lanewise/insn.h>
#include <lanewise/label.h>
#include <lanewise/reading.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a result can depend on. A set of aspects is written as bits 1u << aspect. */
typedef enum lw_mma_aspect {
    LW_MMA_FINITE,    /* finite results: grouping, alignment, truncation, rounding. Always touched */
    LW_MMA_SUBNORMAL, /* a subnormal element of A, B, C or D; NVIDIA's fused units, which are measured to take
                         subnormal operands exactly: a result below the normal numbers */
    LW_MMA_ZERO_SIGN, /* a zero in D whose sign is not clearly + */
    LW_MMA_OVERFLOW,  /* an infinite (or clamped, or wrapped) element of D from finite operands */
    LW_MMA_NAN,       /* a NaN in D: which bits it has; forms that may ignore C: an infinite C */
    LW_MMA_MODE,      /* bits of MODE (FP16_OVFL, f32 denormals) that changed D, or would under a reading */
    LW_MMA_OPERANDS,  /* operands that documents leave undefined: unequal copies, sparse positions that are
                         not in ascending order */
    LW_MMA_ASPECT_COUNT,
} lw_mma_aspect;

/* "finite results", "subnormals", "sign of zero", "overflow", "NaN bits", "MODE bits", "undefined operands";
 * NULL for others. */
LW_API const char *lw_mma_aspect_name(lw_mma_aspect aspect);

typedef struct lw_mma_options {
    size_t struct_size;          /* sizeof(lw_mma_options) */
    const lw_mods *mods;         /* NULL: none */
    unsigned wave;               /* lanes; 0: the usual size */
    const char *const *readings; /* "topic:name" of lanewise/reading.h; NULL: defaults */
    size_t reading_count;
    bool reference_only; /* never use the vectorised code; the bits are the same */
} lw_mma_options;

/* A prepared instruction. */
typedef struct lw_mma lw_mma;

/*
 * Prepares `insn` of `arch`. NULL options: no modifiers, default readings. Free with lw_mma_free. Errors:
 *   LW_E_ARGUMENT     a NULL argument, an impossible wave size, a struct_size that no version had
 *   LW_E_ARCH         `arch` does not have the instruction
 *   LW_E_UNSUPPORTED  modifiers that are not defined here (as lw_mods_check)
 *   LW_E_NOT_FOUND    an unknown reading (as lw_reading_find)
 *   LW_E_NO_MEMORY
 *
 * The environment variable LANEWISE_CPU (portable, avx2, avx512, avx512fp16) names the instruction set of the
 * vectorised code; without it the best one of the host is used; portable is plain C with compiler vectors,
 * and avx512fp16 is avx512 whose packed and scalar f16 instructions of kernels use FP16 arithmetic. The bits
 * never depend on it. Any other value is LW_E_ARGUMENT, an instruction set that the processor lacks
 * LW_E_UNSUPPORTED.
 */
LW_API lw_status lw_mma_create(lw_arch arch, const lw_insn *insn, const lw_mma_options *options, lw_mma **mma,
                               lw_error *error);

/*
 * Another owner of a prepared instruction, instead of a second lw_mma_create: nothing is prepared or
 * allocated, and it takes nanoseconds. *clone behaves as `mma` does, whichever of the two is
 * freed first; the two pointers may be equal. Several threads may clone, execute and free their own at once.
 * Each is freed with lw_mma_free. LW_E_ARGUMENT for NULL.
 */
LW_API lw_status lw_mma_clone(const lw_mma *mma, lw_mma **clone);

/* Ends one ownership. NULL is allowed. */
LW_API void lw_mma_free(lw_mma *mma);

/*
 * Bits of the wave's MODE register that matter. CDNA matrix instructions round to nearest even whatever
 * MODE says. FP16_OVFL is CDNA4's rule (ISA manual 7.1.5): an overflowing F32 result becomes the largest
 * finite number, an I32 result the nearest end of the range. The F32 denormal bits act on F32 forms only
 * (CDNA3 ISA manual chapter 7; the CDNA4 manual contradicts itself, see topic "f32-denorm").
 */
enum {
    LW_MMA_MODE_FP16_OVFL = 1u << 0,
    LW_MMA_MODE_F32_FLUSH_IN = 1u << 1,  /* F32 denormal sources are flushed */
    LW_MMA_MODE_F32_FLUSH_OUT = 1u << 2, /* F32 denormal results are flushed */
};

/*
 * Register images: register-major, x[reg * lanes + lane], reg counted from the operand's first register,
 * `lanes` the wave size. Each needs lw_insn_operand's number of registers times `lanes` words. All sources
 * are read before anything is written: d may equal or overlap any of them. SMFMAC reads C from D: pass
 * c = d. Bits of D's registers that the layout does not cover keep their value.
 */
typedef struct lw_mma_registers {
    const uint32_t *a, *b;
    const uint32_t *c; /* NULL: every element of C has the bits c_constant (an inline constant) */
    uint32_t *d;
    const uint32_t *index;   /* sparse forms only */
    const uint32_t *scale_a; /* scaled forms only; NULL: every scale byte is scale_a_constant */
    const uint32_t *scale_b;
    uint64_t c_constant;
    uint8_t scale_a_constant, scale_b_constant;
    uint32_t mode; /* LW_MMA_MODE_* */
} lw_mma_registers;

/*
 * Executes on register images. `touched` (NULL allowed) gets the set of aspects the numbers touched;
 * asking for it costs a scan of the operands. LW_E_ARGUMENT when a needed pointer is NULL,
 * LW_E_UNSUPPORTED when metadata is undefined (see lw_mma_check_registers).
 */
LW_API lw_status lw_mma_execute_registers(const lw_mma *mma, const lw_mma_registers *regs, uint32_t *touched);

/*
 * Says in a sentence why executing would fail: LW_E_ARGUMENT for a missing operand, LW_E_UNSUPPORTED for
 * metadata of a sparse PTX instruction that the PTX ISA leaves undefined (the sentence names row and chunk).
 * `d` is not used.
 */
LW_API lw_status lw_mma_check_registers(const lw_mma *mma, const lw_mma_registers *regs, lw_error *error);

/*
 * Plain matrices, one code per element, row by row, block after block: a[block][i][k], b[block][k][j],
 * c and d [block][i][j]; sparse forms: a[i][stored k], index[i][k/4] with the group's four bits (low pair:
 * position of the first value); PTX's tf32 has index[i][k/2] and its 4-bit types index[i][k/8]. Columns of
 * scale_a[i][] and scale_b[j][]: lw_mma_shape's scale_k; NULL means 1.0 everywhere.
 * An element takes 1, 2, 4 or 8 bytes, the fewest that hold its code; fp4 and fp6 codes take one byte
 * each (bits above the code are ignored). Modifiers that move elements between lanes (CBSZ and
 * ABID of dense forms, BLGP lane patterns, index sets, scale bytes) have no effect here; formats and
 * negation have. c NULL: all bits zero. All sources are read before anything is written: d may equal or
 * overlap any of them. Pointers need no alignment.
 */
typedef struct lw_mma_matrices {
    const void *a, *b, *c;
    void *d;
    const uint8_t *index;
    const uint8_t *scale_a, *scale_b;
    uint32_t mode; /* LW_MMA_MODE_* */
} lw_mma_matrices;

LW_API lw_status lw_mma_execute_matrices(const lw_mma *mma, const lw_mma_matrices *mat, uint32_t *touched);

/* As lw_mma_check_registers. */
LW_API lw_status lw_mma_check_matrices(const lw_mma *mma, const lw_mma_matrices *mat, lw_error *error);

/* Shapes of a prepared instruction's matrices. */
typedef struct lw_mma_shape {
    size_t struct_size; /* sizeof(lw_mma_shape): lw_mma_get_shape sets it */
    const lw_insn *insn;
    lw_arch arch;
    uint16_t m, n, k, blocks;
    uint16_t a_k;     /* columns of A: k, or k/2 where sparse (stored k, see lanewise/layout.h) */
    uint16_t groups;  /* columns of index where sparse, otherwise 0: k/4; 1 of 2: k/2; 4 of 8: k/8 */
    uint16_t scale_k; /* columns of scale_a and scale_b where scaled, otherwise 0 */
    const char *a_format, *b_format, *c_format, *d_format; /* "fp8 e4m3 fnuz", "f32": see lw_mma_decode */
    uint8_t a_bits, b_bits, c_bits, d_bits;                /* of an element's code */
    uint8_t a_bytes, b_bytes, c_bytes, d_bytes;            /* of an element in lw_mma_matrices */
    uint8_t wave;
} lw_mma_shape;

/* LW_E_ARGUMENT for NULL, and for a struct_size that no version had. */
LW_API lw_status lw_mma_fill_shape(const lw_mma *mma, lw_mma_shape *shape);
static inline lw_status lw_mma_get_shape(const lw_mma *mma, lw_mma_shape *shape)
{
    if (shape)
        shape->struct_size = sizeof(*shape);
    return lw_mma_fill_shape(mma, shape);
}

/* How well one aspect of a prepared instruction is supported. */
typedef struct lw_mma_evidence {
    lw_label label;
    const char *source; /* who measured, or which document; never NULL */
} lw_mma_evidence;

/* LW_E_ARGUMENT for NULL or an aspect out of range. */
LW_API lw_status lw_mma_get_evidence(const lw_mma *mma, lw_mma_aspect aspect, lw_mma_evidence *evidence);

/*
 * The weakest label among a set of aspects (bits 1u << aspect, as `touched` reports them); the finite
 * aspect is always included. LW_LABEL_UNKNOWN for NULL.
 */
LW_API lw_label lw_mma_weakest(const lw_mma *mma, uint32_t aspects);

/*
 * Which open questions decide the numbers at hand, whatever the labels say: topics in force for which another
 * reading would give other bits of D. Only topics that depend on values are examined (zero products, blocks
 * of zeros, tiny sums, signs of underflow, exponents of subnormals, NaNs that lose their payload, where sums
 * are clamped); D is computed once for each of their readings. *open is a set for lw_mma_open_at; `d` of the
 * operands is not used and may be NULL. LW_E_ARGUMENT for NULL.
 */
LW_API lw_status lw_mma_open_registers(const lw_mma *mma, const lw_mma_registers *regs, uint32_t *open);
LW_API lw_status lw_mma_open_matrices(const lw_mma *mma, const lw_mma_matrices *mat, uint32_t *open);

/* The reading in force for question number `index` of such a set; NULL after the last. */
LW_API const lw_reading *lw_mma_open_at(const lw_mma *mma, uint32_t open, size_t index);

/* What is computed, in words. */
typedef struct lw_mma_rule {
    const char *recipe; /* "TR, groups of 8, chained" */
    const char *text;   /* a few lines that say how one element of D is computed */
} lw_mma_rule;

/* LW_E_ARGUMENT for NULL. */
LW_API lw_status lw_mma_get_rule(const lw_mma *mma, lw_mma_rule *rule);

/* The reading in force for a topic of arithmetic that concerns this instruction; NULL for others. */
LW_API const lw_reading *lw_mma_get_reading(const lw_mma *mma, const char *topic);

/* One line of an explanation. */
typedef enum lw_mma_explain_kind {
    LW_MMA_EXPLAIN_INPUT,   /* the accumulator a group starts from */
    LW_MMA_EXPLAIN_SCALE,   /* the two scales of a block */
    LW_MMA_EXPLAIN_PRODUCT, /* one product: exact value, exponent, and its bits below the grid */
    LW_MMA_EXPLAIN_ALIGN,   /* a sum of products, or C, brought to the common grid; bits cut */
    LW_MMA_EXPLAIN_SUM,     /* the aligned sum and its normalisation */
    LW_MMA_EXPLAIN_ROUND,   /* rounding to the result's format */
    LW_MMA_EXPLAIN_SPECIAL, /* a NaN or an infinity decided the result */
    LW_MMA_EXPLAIN_RESULT,  /* the element of D */
    LW_MMA_EXPLAIN_HEAD,    /* the names of the columns of the products that follow */
} lw_mma_explain_kind;

typedef struct lw_mma_explain_row {
    lw_mma_explain_kind kind;
    int group;        /* number of the group or block of products, from 0; -1 where none */
    int k;            /* products: k of A (as a dense matrix) and of B; -1 otherwise */
    uint64_t bits;    /* accumulator, result: its bits; scales: A's byte, B's byte << 8; products that are
                         added on a grid or rounded one by one: A's code, B's code << 32; those of a chain of
                         multiply-adds or of sums of pairs: the bits of the accumulator, or of the sum of
                         the pair, after it; otherwise 0 */
    const char *text; /* one sentence; valid during the call only */
    int stored_k;     /* products of a sparse A: stored k, the column of A as it is given; -1 otherwise */
} lw_mma_explain_row;

/* A return value other than LW_OK stops the explanation, which then returns it. */
typedef lw_status (*lw_mma_explain_fn)(void *context, const lw_mma_explain_row *row);

/*
 * Explains how element (block, row, col) of D is computed, step by step. LW_E_ARGUMENT for NULL or an
 * element outside D, else what the callback returned. `d` of mat or regs is not used and may be NULL.
 */
LW_API lw_status lw_mma_explain_matrices(const lw_mma *mma, const lw_mma_matrices *mat, unsigned block,
                                         unsigned row, unsigned col, lw_mma_explain_fn explain,
                                         void *context);
LW_API lw_status lw_mma_explain_registers(const lw_mma *mma, const lw_mma_registers *regs, unsigned block,
                                          unsigned row, unsigned col, lw_mma_explain_fn explain,
                                          void *context);

/*
 * The value of an element's code as text, exact and in the shortest form of this kind: "1.5", "-0",
 * "inf", "nan", "0x1.8p-30" where decimals would be long. `format` is one of lw_mma_shape's names.
 * Writes at most `size` bytes with NUL; LW_E_NOT_FOUND for an unknown format, LW_E_ARGUMENT for NULL or a
 * size under 32.
 */
LW_API lw_status lw_mma_decode(const char *format, uint64_t code, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
