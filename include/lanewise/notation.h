/* SPDX-License-Identifier: MIT */
/*
 * A description of where an operand's elements are, in the notation of another tool, compared with the
 * instruction's layout.
 *
 * These notations are read; each is recognised by its form:
 *
 *     i = l%16, k = 4*(l/16)+v
 *         Lane arithmetic: assignments to i or row, j or col, k (also: col of A, row of B), b or block, and
 *         to names of your own, with C's operators of arithmetic, bits, comparison, logic and choice, `if`
 *         and `+=`, of l (lane, tid, laneid, threadIdx.x) and v (value, item). Types and `*` before a name
 *         are skipped; a C function around them may be given, or several, of which each returns the
 *         coordinate that its name is or ends in (get_row); a parameter of another name is the lane or the
 *         value if the other one is known. `l%4 = 0` or `l < 16` leaves other lanes out; lane//16 is
 *         Python's division.
 *     ((16,4),4):((1,64),16)
 *         CuTe: (T,V) to row + M*k of A, col + N*k of B, row + M*col of C and D, blocks last; also as
 *         Layout<Shape<..>, Stride<..>>, make_layout(shape, stride=stride) or FlyDSL's !fly.layout<..>, after
 *         "ThrID shape:stride,", and the lines that CuTe prints for an MMA atom.
 *     #ttg.linear<{register = ..}>
 *         Triton, over [block,] X, Y; also as Gluon's DistributedLinearLayout(..) and as the lines
 *         "register=1 -> (0, 1)" that Triton prints.
 *     #ttg.dot_op<{opIdx = 0, parent = #ttg.amd_mfma<{..}>, kWidth = 4}>
 *         Triton's other attributes of registers, lanes and warps, for a tensor of the operand's size:
 *         blocked, slice, dot_op, nvidia_mma, amd_mfma, amd_wmma; with aliases (`#mma = ..`) before them.
 *     outer = {1, 1} thread = ..
 *         IREE's single subgroup layout; also #iree_vector_ext.nested_layout<..> of one subgroup.
 *     S[(16,4,4):(1@laneid,..)]
 *         TIRx.
 *     tile_distribution_encoding<>
 *         Composable Kernel.
 *     0 0 0 15 0 0 0
 *         A listing as lw_layout_print writes it; with commas, its CSV.
 *     A[5][7] = v1{21}.[31:16]
 *         AMD's matrix instruction calculator; also its lines v1{21}.[31:16] = A[5][7], and its tables of
 *         registers or of elements, as grid, CSV, Markdown or AsciiDoc, transposed or not.
 *
 * Text after //, or after # and a blank, is skipped. v counts the values of a lane from the lowest bits on,
 * as in the notations that lw_layout_print writes.
 */
#ifndef LANEWISE_NOTATION_H
#define LANEWISE_NOTATION_H

#include <lanewise/layout.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lw_notation {
    LW_NOTATION_FORMULA,
    LW_NOTATION_CUTE,
    LW_NOTATION_TRITON,
    LW_NOTATION_IREE,
    LW_NOTATION_TIRX,
    LW_NOTATION_CK,
    LW_NOTATION_LISTING,
    LW_NOTATION_CALCULATOR,
} lw_notation;

/* "lane arithmetic", "CuTe" and so on; NULL for a value outside the enumeration. */
LW_API const char *lw_notation_name(lw_notation notation);

typedef enum lw_layout_verdict {
    LW_VERDICT_EQUAL,
    LW_VERDICT_K_RENAMED,  /* equal except for a permutation of k: harmless if and only if A and B (index,
                              scales) share it */
    LW_VERDICT_REORDERED,  /* each lane holds its elements, in another order of values */
    LW_VERDICT_TRANSPOSED, /* equal with X and Y exchanged */
    LW_VERDICT_COPIES,     /* copies are missing, surplus, or unequal to each other */
    LW_VERDICT_DIFFERENT,
} lw_layout_verdict;

enum { LW_VERDICT_TEXT = 1024, LW_VERDICT_MOST_K = 512 };

typedef struct lw_layout_judgement {
    size_t struct_size; /* sizeof(lw_layout_judgement): lw_layout_judge sets it */
    lw_layout_verdict verdict;
    lw_notation notation;
    size_t places; /* of the instruction, with their elements */
    size_t wrong;  /* places that the description has otherwise, lacks, or has in addition */
    uint16_t ks;   /* K_RENAMED: entries of k_of; otherwise 0 */
    uint16_t k_of[LW_VERDICT_MOST_K]; /* the description's k for each k of the instruction */
    char text[LW_VERDICT_TEXT]; /* the verdict in sentences, with the first wrong places; lines end in \n */
} lw_layout_judgement;

/*
 * Reads a description of `size` bytes and compares it with the layout. Errors: LW_E_ARGUMENT (NULL, a
 * struct_size that no version had); LW_E_FORMAT for text that cannot be read, with line and column;
 * LW_E_UNSUPPORTED for text that is not a layout of one wave's registers; LW_E_NO_MEMORY.
 */
LW_API lw_status lw_layout_fill_judgement(const lw_layout *layout, const char *text, size_t size,
                                          lw_layout_judgement *judgement, lw_error *error);
static inline lw_status lw_layout_judge(const lw_layout *layout, const char *text, size_t size,
                                        lw_layout_judgement *judgement, lw_error *error)
{
    if (judgement)
        judgement->struct_size = sizeof(*judgement);
    return lw_layout_fill_judgement(layout, text, size, judgement, error);
}

/*
 * The operand as a picture of the comparison: a line per X, a character per Y, one block after the other: `.`
 * where the description has every place of the element right, `X` where it does not. Errors: those of
 * lw_layout_judge, and what the sink returns.
 */
LW_API lw_status lw_layout_print_wrong(const lw_layout *layout, const char *text, size_t size, lw_sink sink,
                                       void *context, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
