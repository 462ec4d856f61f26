/* SPDX-License-Identifier: MIT */
/*
 * Layouts without an instruction: from a notation to a relation, from a relation to another notation, CuTe's
 * algebra, and how data moves from one operand to another.
 */
#ifndef LANEWISE_CONVERT_H
#define LANEWISE_CONVERT_H

#include <lanewise/notation.h>
#include <lanewise/relation.h>
#include <lanewise/tile.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads a notation (lanewise/notation.h) as a layout of x_count x y_count elements. `operand` names the
 * coordinates: A has i and k, B k and j, C and D i and j; it decides how CuTe numbers elements. `lanes` is
 * the size of the wave for notations that do not contain it (lane arithmetic, IREE's): 32 or 64. In the
 * relation `bit` counts values, width and pitch are 1. Errors as lw_layout_judge; LW_E_UNSUPPORTED also for
 * layouts that are neither digits nor XOR bases, or in which a place holds no element or several.
 */
LW_API lw_status lw_notation_read(const char *text, size_t size, lw_operand operand, uint32_t x_count,
                                  uint32_t y_count, uint32_t lanes, lw_relation *relation,
                                  lw_notation *notation, lw_error *error);

/*
 * Writes such a relation as LW_LAYOUT_FORMULA, CUTE, TRITON, GLUON, IREE, TIRX, CK, LISTING (a line "LANE
 * VALUE X Y" for each place), GRID (an element's lane:value) or SVG. LW_E_UNSUPPORTED where the notation
 * cannot express it, and for other formats.
 */
LW_API lw_status lw_notation_print(const lw_relation *relation, lw_operand operand, lw_layout_format format,
                                   lw_sink sink, void *context, lw_error *error);

/*
 * Writes a Triton attribute as the linear layout that it means for a tensor of `shape`, which has `rank`
 * dimensions, 1 to 3: the result of Triton's to_linear_layout, warps included. These attributes are read:
 * #ttg.blocked, slice, dot_op (of blocked and of the three below that describe matrix products), nvidia_mma
 * (versions 2 and 3), amd_mfma, amd_wmma and linear, with aliases (`#mma = ..`) before them. Layouts of
 * matrix products have two dimensions. `format` is LW_LAYOUT_TRITON or LW_LAYOUT_GLUON. LW_E_FORMAT with line
 * and column; LW_E_ARGUMENT; the status of the sink.
 */
LW_API lw_status lw_triton_linear(const char *text, size_t size, const uint32_t *shape, uint32_t rank,
                                  lw_layout_format format, lw_sink sink, void *context, lw_error *error);

/*
 * Writes a tile in memory as LW_LAYOUT_CUTE (with a swizzle of elements where one is needed), TRITON
 * (shared_linear), IREE (xor_shuffle), TIRX, LISTING (a line "X Y BIT" for each element) or GRID (a line for
 * each row: the position of each 16 bytes, counted in units of 16 bytes; of each element, where some 16 bytes
 * are not contiguous).
 * Errors as above.
 */
LW_API lw_status lw_tile_print(const lw_tile *tile, lw_layout_format format, lw_sink sink, void *context,
                               lw_error *error);

/*
 * An expression of CuTe's layout algebra, evaluated: layouts, and
 *     coalesce(A)  compose(A, B)  complement(A, n)  divide(A, B)  inverse(A)
 * with the meaning of CUTLASS' media/docs/cpp/cute/02_layout_algebra.md: divide is logical_divide, inverse is
 * right_inverse (digits of stride 0 are left out first). Writes the layout that results and a newline.
 * LW_E_FORMAT for what cannot be read and where sizes do not divide evenly, with the place; LW_E_ARGUMENT;
 * what the sink answers.
 */
LW_API lw_status lw_cute_evaluate(const char *text, size_t size, lw_sink sink, void *context,
                                  lw_error *error);

/* Where the value of a lane comes from. A plain value and frozen. */
typedef struct lw_layout_move {
    uint16_t lane, value;           /* of the operand that is filled */
    uint16_t from_lane, from_value; /* of the operand that is read; the same lane where it has a copy */
} lw_layout_move;

/*
 * How the elements of `from` (D of one instruction) become those of `to` (A, B or C of another), whose first
 * element is element (x, y) of `from`: a move for each place of `to`, by lane and value. Places are values,
 * not bits: conversions between formats are not considered. Writes at most `capacity` and always the full
 * number. LW_E_UNSUPPORTED for several blocks, index data, broadcasts, waves of different sizes;
 * LW_E_ARGUMENT (NULL, x and y from which `to` does not fit into `from`), LW_E_NO_MEMORY.
 */
LW_API lw_status lw_layout_moves(const lw_layout *from, const lw_layout *to, uint32_t x, uint32_t y,
                                 lw_layout_move *moves, size_t capacity, size_t *count, lw_error *error);

/* An operand that has the layout of a notation. A plain value and frozen. */
typedef struct lw_layout_guess {
    lw_arch arch;
    const lw_insn *insn;
    lw_operand operand;
    uint8_t wave;
    lw_layout_verdict verdict; /* EQUAL, K_RENAMED, REORDERED or TRANSPOSED */
} lw_layout_guess;

/*
 * The operands, of instructions without modifiers, that have this layout. `arch` may be LW_ARCH_NONE: of all
 * architectures. Writes at most `capacity`, in the order of architectures and instructions (the operands with
 * N columns of wgmma's and tcgen05's further widths come after all others), and always the full number. If
 * the text can be read for no operand, the error is that of lw_layout_judge for the first one.
 */
LW_API lw_status lw_layout_guesses(const char *text, size_t size, lw_arch arch, lw_layout_guess *guesses,
                                   size_t capacity, size_t *count, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
