/* SPDX-License-Identifier: MIT */
/*
 * Where matrix elements are: which lane, register and bits hold an element of an operand.
 *
 * Elements are named by block and two coordinates X Y:
 *     A        X = row i, Y = k        (sparse A: stored k, see below)
 *     B        X = k, Y = column j
 *     C, D     X = row i, Y = column j
 *     index    X = row i, Y = group of four k; the element is the group's four bits: low pair = position
 *              of the first kept value, high pair = position of the second (PTX: tf32 has groups of two k,
 *              packed 4-bit data groups of eight, with positions of pairs)
 *     scale_a  X = row i, Y = block of k           scale_b  X = column j, Y = block of k
 *              (a block has 32 k, 16 for the scale16 forms of gfx1250; PTX: what .scale_vec says)
 *     ldmatrix and the like: X = row of the matrix in memory, Y = place in the row, block = matrix
 *
 * Of a sparse A only half the values of a row are stored, in the order of k. Without index data an element is
 * named by its number among them, 0..K/2-1, which is called "stored k" everywhere: stored k 9 of row 3. With
 * index data (lw_layout_create_indexed) Y is k of the dense matrix, 0..K-1, and k that are not stored have no
 * place. AMD's calculator writes dense k, and gives each of a group's four k the two places where it may be.
 *
 * Places are a lane and a run of bits of the lane's registers. Registers count from the operand's first;
 * bit 0 is a register's least significant. For tcgen05, lane and register are those of tensor memory: its
 * columns of 32 bits. An element that crosses a register boundary (6-bit data) or
 * fills several registers (f64) begins in `reg` and has msb > 31.
 *
 * Sources: AMD's matrix instruction calculator for everything that gfx908, gfx90a, gfx942, gfx11 and gfx12
 * have; AMD CDNA4 ISA manual and published probes of a gfx950 for what that adds; AMD CDNA5 ISA manual for
 * gfx1250; the PTX ISA manual, CUTLASS and ptxas for NVIDIA. lw_layout_info says which for each layout, and
 * what is open.
 */
#ifndef LANEWISE_LAYOUT_H
#define LANEWISE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lanewise/arch.h>
#include <lanewise/export.h>
#include <lanewise/insn.h>
#include <lanewise/label.h>
#include <lanewise/relation.h>
#include <lanewise/sink.h>
#include <lanewise/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lw_layout lw_layout;

/*
 * The layout of one operand under these modifiers (NULL: none) in waves of `wave` lanes (0: the only or
 * the usual size). Free it with lw_layout_free. Errors: LW_E_ARGUMENT (no such operand, wave size not
 * possible), the errors of lw_mods_check, LW_E_NO_MEMORY.
 */
LW_API lw_status lw_layout_create(lw_arch arch, const lw_insn *insn, lw_operand operand, unsigned wave,
                                  const lw_mods *mods, lw_layout **layout, lw_error *error);

/*
 * The layout of A of a sparse instruction whose index (PTX: metadata) is known: Y is k of the dense matrix.
 * `index` has `count` elements of four bits, row by row, as lw_mma_matrices has them: rows x groups, where
 * lw_layout_get_info of LW_OPERAND_INDEX gives the two numbers. It is copied. Two values whose positions
 * coincide have the same k. Errors: those of lw_layout_create; LW_E_ARGUMENT also for an instruction without
 * a sparse A, a wrong `count` or an element above 15; LW_E_UNSUPPORTED for metadata that the PTX ISA leaves
 * undefined. Positions that AMD leaves undefined are used as they are, and lw_layout_info.open says so.
 */
LW_API lw_status lw_layout_create_indexed(lw_arch arch, const lw_insn *insn, unsigned wave,
                                          const lw_mods *mods, const uint8_t *index, size_t count,
                                          lw_layout **layout, lw_error *error);

/* NULL is allowed. */
LW_API void lw_layout_free(lw_layout *layout);

typedef struct lw_layout_info {
    size_t struct_size; /* sizeof(lw_layout_info): lw_layout_get_info sets it */
    const lw_insn *insn;
    const char *mnemonic; /* as the architecture spells it */
    lw_operand operand;
    const char *format;          /* of the elements: "f16", "fp4", "e8m0", "index" */
    const char *x_name, *y_name; /* "i", "j", "k", "stored k", "group", "k block" */
    uint16_t x_count, y_count, blocks;
    uint8_t width;     /* bits of an element */
    uint8_t wave;      /* lanes */
    uint8_t registers; /* 32-bit registers per lane; 0 in tensor memory */
    lw_label evidence;
    const char *note; /* where the layout comes from; never NULL */
    const char *open; /* what sources leave open, or where they contradict each other; NULL: nothing known */
    uint16_t columns; /* tcgen05: of tensor memory, whose 128 lanes are the lanes and whose columns are
                         counted as registers in entries, listings and options; 0 elsewhere */
} lw_layout_info;

/* LW_E_ARGUMENT for NULL, and for a struct_size that no version had. */
LW_API lw_status lw_layout_fill_info(const lw_layout *layout, lw_layout_info *info);
static inline lw_status lw_layout_get_info(const lw_layout *layout, lw_layout_info *info)
{
    if (info)
        info->struct_size = sizeof(*info);
    return lw_layout_fill_info(layout, info);
}

/*
 * The layout as digits, with pitch 1: rows and cols are rows and columns of the matrix (B: k and col; scales
 * of B: col and k), k of an index counts groups, of scales blocks, of a sparse A the stored values (with
 * index data too). LW_E_ARGUMENT for NULL.
 */
LW_API lw_status lw_layout_get_relation(const lw_layout *layout, lw_relation *relation);

/* One element in one place: a line of the listing. */
typedef struct lw_layout_entry {
    uint16_t lane, reg, lsb, msb; /* bits lsb..msb counted from bit 0 of `reg` */
    uint16_t block, x, y;
} lw_layout_entry;

/*
 * All entries, sorted by reg, lsb, lane, block, x, y. An element with copies has an entry per copy; a place
 * that holds several elements has one per element; a place that holds none has no entry.
 * Writes at most `capacity` of them and always the full number to *count; `entries` may be NULL when
 * capacity is 0. LW_E_ARGUMENT for NULL, LW_E_NO_MEMORY.
 */
LW_API lw_status lw_layout_entries(const lw_layout *layout, lw_layout_entry *entries, size_t capacity,
                                   size_t *count);

/*
 * Where is element (block, x, y)? The entries of all its copies, as above.
 * LW_E_ARGUMENT when the element is outside the operand. With index data, *count is 0 for a k that is not
 * stored.
 */
LW_API lw_status lw_layout_places(const lw_layout *layout, unsigned block, unsigned x, unsigned y,
                                  lw_layout_entry *entries, size_t capacity, size_t *count);

/*
 * What does a lane's register hold? Every entry with a bit in it, those that begin in an earlier register
 * included. LW_E_ARGUMENT when lane or register is outside the operand.
 */
LW_API lw_status lw_layout_elements(const lw_layout *layout, unsigned lane, unsigned reg,
                                    lw_layout_entry *entries, size_t capacity, size_t *count);

/*
 * The stored k of an entry of a sparse A's layout (of its lane, reg, lsb and x), with index data or without.
 * LW_E_ARGUMENT for NULL, for other layouts, and where the layout has no such entry.
 */
LW_API lw_status lw_layout_stored_k(const lw_layout *layout, const lw_layout_entry *entry, unsigned *k);

typedef enum lw_layout_format {
    LW_LAYOUT_LISTING, /* a line "LANE REG LSB MSB BLOCK X Y" per entry, nothing else */
    LW_LAYOUT_CSV,     /* the same with a header line and commas */
    LW_LAYOUT_JSON,    /* one object: the info, the relation in normal form, "entries" as an array of objects
                          (with index data each has "stored_k" too) */
    LW_LAYOUT_GRID,    /* the matrix as text, lane and register in each cell */
    LW_LAYOUT_SVG,     /* the matrix as a picture */
    LW_LAYOUT_TABLE,   /* a line per lane: its elements by register */
    LW_LAYOUT_FORMULA, /* "i = l%16, k = 4*(l/16)+v": element of lane l and value v */
    /* Other tools' notations, one line each in its normal form. v counts the values of a lane from the lowest
       bits on; where they are not adjacent, or do not begin at bit 0, a comment after the line says so. */
    LW_LAYOUT_CUTE,   /* CuTe: (T,V) to row + M*k of A, col + N*k of B, row + M*col of C and D; blocks last */
    LW_LAYOUT_TRITON, /* #ttg.linear<{...}> over [block,] X, Y */
    LW_LAYOUT_GLUON,  /* DistributedLinearLayout(...) */
    LW_LAYOUT_IREE,   /* outer, thread, tstrides and element of [block,] X, Y */
    LW_LAYOUT_TIRX,   /* S[...] + R[...] over [block,] X, Y, row-major */
    LW_LAYOUT_CK,     /* tile_distribution_encoding<...> over (m, k), (n, k) or (m, n), then blocks */
    LW_LAYOUT_CALCULATOR, /* AMD's matrix instruction calculator: "A[5][7] = v1{21}.[31:16]", a line per
                             element */
    LW_LAYOUT_LATEX, /* a document with a page as large as the picture, drawn as CuTe's print_latex does */
} lw_layout_format;

/* The format named "listing", "csv", "json", "grid", "svg", "table", "formula", "cute" and so on.
 * LW_E_NOT_FOUND, LW_E_ARGUMENT. */
LW_API lw_status lw_layout_format_find(const char *name, lw_layout_format *format);

/* What to show and how. Start from lw_layout_print_options_default. */
typedef struct lw_layout_print_options {
    size_t struct_size; /* sizeof(lw_layout_print_options) */
    bool colour;        /* grid: ANSI colours, one per register */
    bool unfold;        /* grid, svg: a cell per element even where neighbours along k share a register */
    uint16_t columns;   /* grid: width of the terminal in characters, at least 40; 0 means 100 */
    /* Only entries that match; negative means any. Grid and svg leave the other cells empty; with `block`
       the grid shows that block only. */
    int lane, reg, block, x, y;
} lw_layout_print_options;

/* No colour, folded, 100 columns, everything. */
LW_API void lw_layout_print_options_init(lw_layout_print_options *options, size_t size);
static inline lw_layout_print_options lw_layout_print_options_default(void)
{
    lw_layout_print_options options;
    lw_layout_print_options_init(&options, sizeof(options));
    return options;
}

/*
 * Writes the layout to `sink`. `options` may be NULL (defaults). Returns LW_OK, what the sink returned,
 * LW_E_ARGUMENT (NULL, a struct_size that no version had, a filter that lies outside the operand; the
 * sentence names its range; or a filter with a format from LW_LAYOUT_TABLE on, which shows the whole
 * operand), LW_E_UNSUPPORTED where a notation cannot express the layout, with the reason (some of the text
 * may have been written), or LW_E_NO_MEMORY.
 */
LW_API lw_status lw_layout_print(const lw_layout *layout, lw_layout_format format,
                                 const lw_layout_print_options *options, lw_sink sink, void *context,
                                 lw_error *error);

/*
 * Writes a program (HIP, or CUDA for PTX instructions; also valid C) that finds the layouts of all operands
 * of an instruction on the hardware by one-hot experiments, and compares them with those that
 * lw_layout_create gives. Compiled as plain C it calls a function that the caller supplies to execute the
 * experiments,
 *     int probe_run(const char *arch, const char *instruction, const char *modifiers, int wave,
 *                   const uint32_t *in, uint32_t *out, int count);
 * with inputs in[experiment][register][lane], the registers of A, B, C (for SMFMAC and SWMMAC: D
 * before), index, scale_a and scale_b one after the other, and results
 * out[experiment][register of D][lane]; it returns 0. Arguments and errors are those of
 * lw_layout_create; LW_E_UNSUPPORTED for PTX instructions that only move elements; otherwise what the
 * sink returned.
 */
LW_API lw_status lw_layout_probe(lw_arch arch, const lw_insn *insn, unsigned wave, const lw_mods *mods,
                                 lw_sink sink, void *context, lw_error *error);

#ifdef __cplusplus
}
#endif

#endif
