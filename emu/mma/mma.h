/* SPDX-License-Identifier: MIT */
/* A prepared matrix instruction: internal interface. */
#ifndef LW_EMU_MMA_MMA_H
#define LW_EMU_MMA_MMA_H

#include <lanewise/mma.h>

#include "emu/fast/panel.h"
#include "emu/num/dot.h"
#include "isa_tables/formats.h"
#include "isa_tables/recipes.h"
#include "layouts/layout.h"

/* The largest sizes that any row needs. */
enum {
    LW_TILE_AB_WORDS = 512, /* 16 x 128 and 32 x 64 codes of 8 bits, 32 x 128 of 4 bits, 16 x 16 of 64 bits */
    LW_TILE_AB_ELEMENTS = 4096,
    LW_TILE_CD_WORDS = 2048, /* two blocks of 32 x 32 */
    LW_TILE_INDEX = 512,     /* 16 rows of 32 groups */
    LW_TILE_SCALES = 256,
    LW_MMA_MAX_PRODUCTS = 256,
    LW_MMA_MAX_PASSES = 2,
    LW_MMA_MOST_ROWS = 128, /* of an instruction that is computed in parts */
};

/*
 * How an operand's dense image is read from its registers. The image is the operand's elements in the order
 * of lw_layout_ordinal, rows of `row_elements` each padded to whole words. `word[w]` is the register word
 * that is image word w; where words do not correspond, `word` is NULL and `place` holds each element's place.
 */
typedef struct lw_mma_port {
    uint16_t *word;
    lw_place *place;
    uint16_t words, elements, row_elements, row_words;
    uint8_t width, lanes;
} lw_mma_port;

typedef struct lw_mma_panels lw_mma_panels;

/* The products of one pass of the recipe, by number. */
typedef struct lw_mma_pass {
    uint16_t count;
    uint8_t number[LW_MMA_MAX_PRODUCTS];
} lw_mma_pass;

/* What modifiers do to the bits of an operand's image: AND with `keep`, then XOR with `flip`. NULL:
 * nothing. */
typedef struct lw_mma_signs {
    uint32_t *keep, *flip;
} lw_mma_signs;

/*
 * Constant once lw_mma_create has returned it: executing keeps what it needs on the stack, and threads and
 * launches share one. The count of owners is kept outside it (create.c), because a lw_mma may be copied for a
 * call.
 */
struct lw_mma {
    const lw_insn *insn;
    const lw_insn *whole; /* wgmma, tcgen05: `insn` is its part of 16 rows and eight columns; else NULL */
    bool no_c;            /* wgmma, tcgen05: C is left out */
    lw_arch arch;
    lw_mods mods;
    const lw_format *a, *b, *c, *d, *scale_a, *scale_b;
    const lw_format *factor_a,
        *factor_b; /* the multiplied formats: A and B, or what the recipe converts them to */
    uint8_t wave;
    bool sparse, scaled;
    uint8_t copy_registers[2];  /* of A and of B, where there are copies */
    uint8_t copies, copy_lanes; /* of A and B in the lanes; the outputs of a copy's lanes use that copy */
    uint8_t acc;                /* lw_dot_acc */
    uint8_t chunk;              /* stored values that an index nibble places: 1 (of 2), 2 (of 4), 4 (of 8) */
    uint8_t int_op;             /* lw_dot_int_op */
    uint8_t round;              /* f64: lw_fp_rounding */
    bool saturate;              /* integers: set by a modifier */
    bool ignores_clamp;         /* clamp is set in the code and has no effect */
    bool flip_b[2];             /* sparse: flips B's sign after selection, at even and odd stored places */
    uint16_t legal_index;       /* bit n: index nibble n is defined */
    uint16_t products;          /* per element of D */
    uint16_t scale_span;        /* products per scale */
    uint32_t mode_mask;         /* bits of MODE that may have an effect */
    uint8_t passes;
    lw_mma_pass pass[LW_MMA_MAX_PASSES];
    lw_recipe recipe;
    lw_mma_port port[LW_OPERAND_COUNT];
    lw_mma_signs signs[LW_OPERAND_C + 1];
    lw_mma_panels *panels; /* NULL: there is no kernel; the reference computes */
    uint8_t deep_topic;    /* 1 + index of the reading about products below 2^-126; 0: there is none */
    size_t readings;
    const lw_reading_row *reading[16]; /* the readings that apply, one for each topic of the instruction */
    char partial[640];                 /* text of evidence whose data covered a part of the instruction */
    char recipe_name[128];
    char rule[2048];
};

/* Dense images of one execution. index and scales have a byte per element. */
typedef struct lw_mma_tile {
    uint32_t a[LW_TILE_AB_WORDS], b[LW_TILE_AB_WORDS], c[LW_TILE_CD_WORDS];
    uint8_t index[LW_TILE_INDEX], scale_a[LW_TILE_SCALES], scale_b[LW_TILE_SCALES];
    uint32_t mode;
} lw_mma_tile;

/* Prepares a port for a layout. */
lw_status lw_mma_port_make(const lw_layout *layout, lw_mma_port *port);
void lw_mma_port_free(lw_mma_port *port);

/* From a register image to a dense image of words. */
void lw_mma_port_read(const lw_mma_port *port, const uint32_t *regs, uint32_t *image);
/* From a register image to a byte per element. */
void lw_mma_port_read_bytes(const lw_mma_port *port, const uint32_t *regs, uint8_t *bytes);
/* From a dense image of words to a register image; bits that the operand does not cover are kept. */
void lw_mma_port_write(const lw_mma_port *port, const uint32_t *image, uint32_t *regs);

/*
 * wgmma and tcgen05.mma are computed part by part. lw_mma_each_part calls `fn` for each part of plain
 * matrices, in the order of rows, then columns; its `mat` holds the part's operands, and D of the whole. Any
 * status other than LW_OK ends the iteration.
 */
typedef lw_status lw_mma_part_fn(const lw_mma *mma, const lw_mma_matrices *mat, unsigned row, unsigned col,
                                 void *context);
lw_status lw_mma_each_part(const lw_mma *mma, const lw_mma_matrices *mat, lw_mma_part_fn *fn, void *context);
/* Calls `fn` for the part that contains that element. */
lw_status lw_mma_part_with(const lw_mma *mma, const lw_mma_matrices *mat, unsigned row, unsigned col,
                           lw_mma_part_fn *fn, void *context);

/* Fills a tile from register images or matrices and applies all modifiers. LW_E_ARGUMENT if one is
 * missing. */
lw_status lw_mma_tile_from_registers(const lw_mma *mma, const lw_mma_registers *regs, lw_mma_tile *tile);
lw_status lw_mma_tile_from_matrices(const lw_mma *mma, const lw_mma_matrices *mat, lw_mma_tile *tile);

/* Computes all of D with emu/num. */
void lw_mma_reference(const lw_mma *mma, const lw_mma_tile *tile, uint32_t *d);

/*
 * Computes one element of D with emu/num and reports the steps to `log`. `group_begins` (may be NULL) is
 * called before each group, whose products are pass->number[first], ...; `group` is NULL for integers and
 * f64, where the group is the whole pass.
 */
typedef struct lw_mma_group_log {
    const lw_dot_log *dot;
    void (*group_begins)(void *context, const lw_mma_pass *pass, unsigned first, const lw_dot_group *group,
                         uint64_t accumulator);
    void *context;
} lw_mma_group_log;
uint64_t lw_mma_element(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                        unsigned col, const lw_mma_group_log *log);

/* The codes that product `i` of an element multiplies, and C's code. */
void lw_mma_product_codes(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                          unsigned col, unsigned i, uint64_t *a, uint64_t *b);
uint64_t lw_mma_c_code(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                       unsigned col);

/* The dense k that each stored value of a row of A multiplies. */
void lw_mma_dense_k(const lw_mma *mma, const lw_mma_tile *tile, unsigned row, uint8_t *k_of);

/* What modifiers do to signs: prepared once, then applied to each image. LW_E_NO_MEMORY. */
lw_status lw_mma_prepare_signs(lw_mma *mma);
void lw_mma_apply_signs(const lw_mma *mma, lw_operand operand, uint32_t *image);

/* The first element of an index that documents do not define, or -1. */
int lw_mma_undefined_index(const lw_mma *mma, const lw_mma_tile *tile);

/* Copies of A and B in lanes: how many the layout of A has, and whether they agree. */
void lw_mma_find_copies(lw_mma *mma, const lw_layout *layout);
bool lw_mma_copies_agree(const lw_mma *mma, const lw_mma_registers *regs);

/* Turns the evidence of the recipe into that of this instruction. */
void lw_mma_adjust_evidence(lw_mma *mma);

/* The texts of lw_mma_get_rule. */
void lw_mma_make_rule(lw_mma *mma);

/* The aspects that operands and result touch. */
uint32_t lw_mma_touched(const lw_mma *mma, const lw_mma_tile *tile, const uint32_t *d);

/*
 * May an open question about AMD's instructions that is not in `known` decide the result for these operands?
 * A quick, conservative test for frequent execution: true more often than lw_mma_open_registers finds one.
 */
void lw_mma_find_deep_topic(lw_mma *mma);
bool lw_mma_may_be_open(const lw_mma *mma, const lw_mma_registers *regs, uint32_t known);
/* Does lw_mma_may_be_open look at the operands? If so, and if it returns false, neither A nor B holds a
 * subnormal number. */
static inline bool lw_mma_looks_deep(const lw_mma *mma, uint32_t known)
{
    return mma->deep_topic && !(known >> (mma->deep_topic - 1) & 1);
}

static inline bool lw_mma_is_ptx(const lw_mma *mma)
{
    return lw_arch_is_nvidia(mma->arch);
}

/* An element as a factor of its product. */
static inline lw_part lw_mma_factor(const lw_format *format, const lw_format *factor, uint64_t code,
                                    bool mask_first)
{
    const lw_part part = lw_part_make(format, (uint32_t)code, mask_first);
    return format == factor ? part : lw_part_widen(format, factor, part);
}

static inline lw_dot_acc lw_mma_acc_of(const lw_format *format)
{
    if (format->bits != 16)
        return LW_ACC_F32;
    return format->exp_bits == 8 ? LW_ACC_BF16 : LW_ACC_F16;
}

/* Row number `row` (of all blocks) of an image. */
static inline const uint32_t *lw_mma_row(const lw_mma_port *port, const uint32_t *image, unsigned row)
{
    return image + (size_t)row * port->row_words;
}

/* Stores code number `n` into a string whose bits there are zero. */
static inline void lw_mma_put(uint32_t *string, unsigned n, unsigned bits, uint64_t code)
{
    const unsigned at = n * bits;
    string[at / 32] |= (uint32_t)(code << at % 32);
    if (at % 32 + bits > 32)
        string[at / 32 + 1] |= (uint32_t)(code >> (32 - at % 32));
}

/* Code number `n` of a string of codes of `bits` bits. */
static inline uint64_t lw_mma_code(const uint32_t *string, unsigned n, unsigned bits)
{
    const unsigned at = n * bits;
    const uint64_t low = string[at / 32] >> at % 32;
    if (bits == 64)
        return low | (uint64_t)string[at / 32 + 1] << 32;
    const uint64_t high = at % 32 + bits > 32 ? (uint64_t)string[at / 32 + 1] << (32 - at % 32) : 0;
    return (low | high) & ((UINT64_C(1) << bits) - 1);
}

#endif
