/* SPDX-License-Identifier: MIT */
/* A prepared matrix instruction, inside. */
#ifndef LW_EMU_MMA_MMA_H
#define LW_EMU_MMA_MMA_H

#include <lanewise/mma.h>

#include "emu/fast/fast.h"
#include "emu/num/dot.h"
#include "isa_tables/formats.h"
#include "isa_tables/recipes.h"
#include "layouts/layout.h"

/* The most an operand of any row needs. */
enum {
    LW_TILE_AB_WORDS = 512, /* 16 x 128 and 32 x 64 codes of 8 bits */
    LW_TILE_AB_ELEMENTS = 2048,
    LW_TILE_CD_WORDS = 2048, /* two blocks of 32 x 32 */
    LW_TILE_INDEX = 512,     /* 16 rows of 32 groups */
    LW_TILE_SCALES = 64,
    LW_MMA_MAX_PRODUCTS = 128,
};

/*
 * Where an operand's dense image comes from. The image is the operand's elements in the order of
 * lw_layout_ordinal, rows of `row_elements` each padded to whole words. `word[w]` is the register word that
 * is image word w; where words do not correspond, `word` is NULL and `place` holds each element's place.
 */
typedef struct lw_mma_port {
    uint16_t *word;
    lw_place *place;
    uint16_t words, elements, row_elements, row_words;
    uint8_t width, lanes;
} lw_mma_port;

typedef struct lw_mma_panels lw_mma_panels;

struct lw_mma {
    const lw_insn *insn;
    lw_arch arch;
    lw_mods mods;
    const lw_format *a, *b, *c, *d;
    uint8_t wave;
    bool sparse, scaled;
    uint16_t products; /* per element of D */
    lw_recipe recipe;
    lw_mma_port port[LW_OPERAND_COUNT]; /* D's is used for C too where they agree */
    lw_fast_shape shape;
    lw_fast_fn fast;       /* NULL: the reference */
    lw_mma_panels *panels; /* NULL: there is no kernel; tried before `fast` */
    size_t choices;
    const lw_choice_row *choice[16]; /* those in force, one per topic that concerns the instruction */
    char recipe_name[96];
    char rule[1536];
};

/* Dense images of one execution. index and scales are a byte per element. */
typedef struct lw_mma_tile {
    uint32_t a[LW_TILE_AB_WORDS], b[LW_TILE_AB_WORDS], c[LW_TILE_CD_WORDS];
    uint8_t index[LW_TILE_INDEX], scale_a[LW_TILE_SCALES], scale_b[LW_TILE_SCALES];
    uint32_t mode;
} lw_mma_tile;

/* Prepares a port for a layout. */
lw_status lw_mma_port_make(const lw_layout *layout, lw_mma_port *port);
void lw_mma_port_free(lw_mma_port *port);

/* Register image to dense image of words. */
void lw_mma_port_read(const lw_mma_port *port, const uint32_t *regs, uint32_t *image);
/* Register image to a byte per element. */
void lw_mma_port_read_bytes(const lw_mma_port *port, const uint32_t *regs, uint8_t *bytes);
/* Dense image of words to register image; bits the operand does not cover stay. */
void lw_mma_port_write(const lw_mma_port *port, const uint32_t *image, uint32_t *regs);

/* Fills a tile from register images or matrices, all modifiers applied. LW_E_ARGUMENT for missing ones. */
lw_status lw_mma_tile_from_registers(const lw_mma *mma, const lw_mma_registers *regs, lw_mma_tile *tile);
lw_status lw_mma_tile_from_matrices(const lw_mma *mma, const lw_mma_matrices *mat, lw_mma_tile *tile);

/* Computes all of D by emu/num. */
void lw_mma_reference(const lw_mma *mma, const lw_mma_tile *tile, uint32_t *d);

/* Computes one element of D by emu/num and tells `log`; `group_begins` (may be NULL) hears of each group
 * first. */
typedef struct lw_mma_group_log {
    const lw_dot_log *dot;
    void (*group_begins)(void *context, int group, int first_product, uint64_t accumulator, int scale_a,
                         int scale_b);
    void *context;
} lw_mma_group_log;
uint64_t lw_mma_element(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                        unsigned col, const lw_mma_group_log *log);

/* The codes that product `i` of an element multiplies. */
void lw_mma_product_codes(const lw_mma *mma, const lw_mma_tile *tile, unsigned block, unsigned row,
                          unsigned col, unsigned i, uint64_t *a, uint64_t *b);

/* The aspects that operands and result touch. */
uint32_t lw_mma_touched(const lw_mma *mma, const lw_mma_tile *tile, const uint32_t *d);

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
