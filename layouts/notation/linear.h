/* SPDX-License-Identifier: MIT */
/* Triton's linear layouts, and the attributes that stand for one. */
#ifndef LW_LAYOUTS_NOTATION_LINEAR_H
#define LW_LAYOUTS_NOTATION_LINEAR_H

#include "layouts/notation/reader.h"

enum { LW_LINEAR_REGISTER, LW_LINEAR_LANE, LW_LINEAR_WARP, LW_LINEAR_BLOCK, LW_LINEAR_INPUTS };
enum { LW_LINEAR_BITS = 16 };

/* The coordinates are the XOR of the vectors of all bits that are set in the inputs. */
typedef struct lw_linear {
    uint32_t vector[LW_LINEAR_INPUTS][LW_LINEAR_BITS][LW_TV_MOST_AXES];
    unsigned bits[LW_LINEAR_INPUTS];
    unsigned axes;
} lw_linear;

/* The vectors of one input: [[0, 1], [0, 2]]. */
bool lw_linear_read_vectors(lw_reader *r, lw_linear *l, unsigned input);

/* name = [[..]], .. up to the last, each of the four once, in any order. `words` are the inputs' names. */
bool lw_linear_read_inputs(lw_reader *r, lw_linear *l, const char *const *words);

extern const char *const lw_linear_names[LW_LINEAR_INPUTS];

/*
 * A #ttg attribute, preceded by aliases: sets the linear layout that it stands for, for a tensor of `shape`
 * with l->axes dimensions. `as_said`: #ttg.linear is taken as written, and not extended to the tensor.
 */
bool lw_linear_read_attribute(lw_reader *r, lw_linear *l, const uint32_t *shape, bool as_said);

/* ---- Attributes as read ---- */

typedef enum lw_ttg_kind {
    LW_TTG_BLOCKED,
    LW_TTG_SLICE,
    LW_TTG_DOT_OP,
    LW_TTG_NVIDIA_MMA,
    LW_TTG_AMD_MFMA,
    LW_TTG_AMD_WMMA,
    LW_TTG_LINEAR,
} lw_ttg_kind;

/* Numbers of an attribute, one for each dimension. */
typedef struct lw_ttg_list {
    uint32_t n[LW_TV_MOST_AXES];
    unsigned count;
} lw_ttg_list;

typedef struct lw_ttg {
    lw_ttg_kind kind;
    lw_ttg_list size, threads, warps, order; /* blocked; `warps` of MMA too */
    lw_ttg_list instruction, tiles;          /* instrShape, tilesPerWarp */
    uint32_t dim, operand, k_width, version, minor, transposed, element_bits;
    bool has_k_width;
    lw_linear linear; /* linear: itself; amd_wmma: ctaLayout, in tiles */
    const struct lw_ttg *parent;
    size_t at; /* where it begins, for error messages */
} lw_ttg;

/* Applies the rules: l->axes is the rank of the shape. Fails if the attribute does not describe such a
 * tensor. */
bool lw_linear_from_attribute(lw_reader *r, const lw_ttg *a, const uint32_t *shape, lw_linear *l);

#endif
