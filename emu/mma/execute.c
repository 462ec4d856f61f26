/* SPDX-License-Identifier: MIT */
/* From operands to a tile, from a tile to D. */
#include <stdlib.h>
#include <string.h>

#include "emu/mma/mma.h"
#include "emu/mma/pack.h"
#include "emu/mma/panels.h"

/* The code of 1.0. */
static int scale_one(const lw_format *format)
{
    return format->bias << format->frac_bits;
}

static void fill_c(const lw_mma *mma, uint64_t bits, uint32_t *image)
{
    const unsigned words = mma->port[LW_OPERAND_C].words, width = mma->c->bits;
    if (width == 16)
        bits = (bits & 0xffff) * 0x10001;
    for (unsigned w = 0; w < words; w++)
        image[w] = (uint32_t)(width == 64 && w % 2 ? bits >> 32 : bits);
}

static void apply_signs(const lw_mma *mma, lw_mma_tile *tile)
{
    lw_mma_apply_signs(mma, LW_OPERAND_A, tile->a);
    lw_mma_apply_signs(mma, LW_OPERAND_B, tile->b);
    lw_mma_apply_signs(mma, LW_OPERAND_C, tile->c);
}

lw_status lw_mma_tile_from_registers(const lw_mma *mma, const lw_mma_registers *r, lw_mma_tile *tile)
{
    const lw_mma_port *port = mma->port;
    if (!r->a || !r->b || (mma->sparse && !r->index))
        return LW_E_ARGUMENT;
    tile->mode = r->mode & mma->mode_mask;
    lw_mma_port_read(&port[LW_OPERAND_A], r->a, tile->a);
    lw_mma_port_read(&port[LW_OPERAND_B], r->b, tile->b);
    if (r->c)
        lw_mma_port_read(&port[LW_OPERAND_C], r->c, tile->c);
    else
        fill_c(mma, r->c_constant, tile->c);
    if (mma->sparse)
        lw_mma_port_read_bytes(&port[LW_OPERAND_INDEX], r->index, tile->index);
    if (mma->scaled && r->scale_a)
        lw_mma_port_read_bytes(&port[LW_OPERAND_SCALE_A], r->scale_a, tile->scale_a);
    else if (mma->scaled)
        memset(tile->scale_a, r->scale_a_constant, sizeof(tile->scale_a));
    if (mma->scaled && r->scale_b)
        lw_mma_port_read_bytes(&port[LW_OPERAND_SCALE_B], r->scale_b, tile->scale_b);
    else if (mma->scaled)
        memset(tile->scale_b, r->scale_b_constant, sizeof(tile->scale_b));
    apply_signs(mma, tile);
    return LW_OK;
}

static void pack_b(const lw_mma *mma, const void *matrix, uint32_t *image)
{
    const lw_mma_port *port = &mma->port[LW_OPERAND_B];
    uint32_t columns[LW_TILE_AB_WORDS];
    lw_mma_pack_columns(port, mma->b, mma->insn->n, matrix, columns);
    lw_mma_turn(mma->insn->blocks, port->row_words, mma->insn->n, columns, image);
}

lw_status lw_mma_tile_from_matrices(const lw_mma *mma, const lw_mma_matrices *m, lw_mma_tile *tile)
{
    const lw_mma_port *port = mma->port;
    if (!m->a || !m->b || (mma->sparse && !m->index))
        return LW_E_ARGUMENT;
    tile->mode = m->mode & mma->mode_mask;
    lw_mma_pack_rows(&port[LW_OPERAND_A], mma->a, m->a, tile->a);
    pack_b(mma, m->b, tile->b);
    if (m->c)
        lw_mma_pack_rows(&port[LW_OPERAND_C], mma->c, m->c, tile->c);
    else
        fill_c(mma, 0, tile->c);
    for (unsigned i = 0; mma->sparse && i < port[LW_OPERAND_INDEX].elements; i++)
        tile->index[i] = m->index[i] & 0xf;
    if (mma->scaled) {
        const size_t a = port[LW_OPERAND_SCALE_A].elements, b = port[LW_OPERAND_SCALE_B].elements;
        memset(tile->scale_a, scale_one(mma->scale_a), sizeof(tile->scale_a));
        memset(tile->scale_b, scale_one(mma->scale_b), sizeof(tile->scale_b));
        if (m->scale_a)
            memcpy(tile->scale_a, m->scale_a, a);
        if (m->scale_b)
            memcpy(tile->scale_b, m->scale_b, b);
    }
    apply_signs(mma, tile);
    return LW_OK;
}

/* Would obeying MODE change D? */
static bool mode_shows(const lw_mma *mma, const lw_mma_tile *tile, const uint32_t *d)
{
    if (!tile->mode)
        return false;
    uint32_t with[LW_TILE_CD_WORDS], without[LW_TILE_CD_WORDS];
    lw_mma obeys = *mma;
    lw_mma_tile plain = *tile;
    obeys.recipe.no_clamp = obeys.recipe.keep_subnormals = false;
    plain.mode = 0;
    lw_mma_reference(&obeys, &plain, without);
    if (mma->recipe.no_clamp || mma->recipe.keep_subnormals) {
        lw_mma_reference(&obeys, tile, with);
        d = with;
    }
    return memcmp(d, without, mma->port[LW_OPERAND_D].words * sizeof(*d)) != 0;
}

static uint32_t touched_aspects(const lw_mma *mma, const lw_mma_tile *tile, const uint32_t *d)
{
    const uint32_t set = lw_mma_touched(mma, tile, d);
    return mode_shows(mma, tile, d) ? set | 1u << LW_MMA_MODE : set;
}

/* PTX metadata that names no elements is refused, as it is undefined. AMD's is used as it is. */
static lw_status refuse(const lw_mma *mma, const lw_mma_tile *tile)
{
    return lw_mma_is_ptx(mma) && lw_mma_undefined_index(mma, tile) >= 0 ? LW_E_UNSUPPORTED : LW_OK;
}

/* D's elements in the lanes of copy `c` are computed from that copy of A and B. */
static lw_status compute_copy(const lw_mma *mma, const lw_mma_registers *regs, unsigned c, lw_mma_tile *tile,
                              uint32_t *d)
{
    const lw_mma_port *port = &mma->port[LW_OPERAND_D];
    lw_mma_registers r = *regs;
    uint32_t own[LW_TILE_CD_WORDS];
    r.a += (size_t)c * mma->copy_lanes;
    r.b += (size_t)c * mma->copy_lanes;
    const lw_status st = lw_mma_tile_from_registers(mma, &r, tile);
    if (st != LW_OK)
        return st;
    lw_mma_reference(mma, tile, own);
    for (unsigned e = 0; e < port->elements; e++) {
        const size_t row = (size_t)(e / port->row_elements) * port->row_words;
        const unsigned col = e % port->row_elements;
        if (port->place[e].lane / mma->copy_lanes == c)
            lw_mma_put(d + row, col, port->width, lw_mma_code(own + row, col, port->width));
    }
    return LW_OK;
}

static lw_status execute_copies(const lw_mma *mma, const lw_mma_registers *regs, uint32_t *touched)
{
    lw_mma_tile tile;
    uint32_t d[LW_TILE_CD_WORDS] = { 0 };
    for (unsigned c = 0; c < mma->copies; c++) {
        const lw_status st = compute_copy(mma, regs, c, &tile, d);
        if (st != LW_OK)
            return st;
    }
    lw_mma_port_write(&mma->port[LW_OPERAND_D], d, regs->d);
    if (touched)
        *touched = touched_aspects(mma, &tile, d) | 1u << LW_MMA_OPERANDS;
    return LW_OK;
}

lw_status lw_mma_execute_registers(const lw_mma *mma, const lw_mma_registers *regs, uint32_t *touched)
{
    if (!mma || !regs || !regs->d)
        return LW_E_ARGUMENT;
    if (mma->whole)
        return LW_E_UNSUPPORTED; /* lw_mma_check_registers gives the reason */
    const bool usual = regs->a && regs->b && !(regs->mode & mma->mode_mask);
    if (!touched && usual && lw_mma_panels_run(mma, regs, NULL))
        return LW_OK;
    lw_mma_tile tile;
    uint32_t d[LW_TILE_CD_WORDS];
    lw_status st = lw_mma_tile_from_registers(mma, regs, &tile);
    if (st == LW_OK)
        st = refuse(mma, &tile);
    if (st != LW_OK)
        return st;
    if (!lw_mma_copies_agree(mma, regs))
        return execute_copies(mma, regs, touched);
    if (touched && usual && lw_mma_panels_run(mma, regs, NULL)) {
        lw_mma_port_read(&mma->port[LW_OPERAND_D], regs->d, d);
    } else {
        lw_mma_reference(mma, &tile, d);
        lw_mma_port_write(&mma->port[LW_OPERAND_D], d, regs->d);
    }
    if (touched)
        *touched = touched_aspects(mma, &tile, d);
    return LW_OK;
}

static lw_status execute_one(const lw_mma *mma, const lw_mma_matrices *mat, uint32_t *touched)
{
    uint32_t d[LW_TILE_CD_WORDS];
    const bool usual = mat->a && mat->b && !(mat->mode & mma->mode_mask);
    const bool direct = usual && !touched && lw_mma_panels_writes_matrix(mma, mat);
    const bool done = usual && lw_mma_panels_run_matrices(mma, mat, direct ? mat->d : d);
    if (done && direct)
        return LW_OK;
    if (!done || touched) {
        lw_mma_tile tile;
        lw_status st = lw_mma_tile_from_matrices(mma, mat, &tile);
        if (st == LW_OK)
            st = refuse(mma, &tile);
        if (st != LW_OK)
            return st;
        if (!done)
            lw_mma_reference(mma, &tile, d);
        if (touched)
            *touched = touched_aspects(mma, &tile, d);
    }
    lw_mma_unpack_rows(&mma->port[LW_OPERAND_D], mma->d, d, mat->d);
    return LW_OK;
}

typedef struct whole {
    const lw_mma *mma;
    uint8_t *d; /* of all parts */
    uint32_t *touched, set;
} whole;

/* Copies D of a part to its rows and columns of the whole. */
static lw_status execute_part(const lw_mma *mma, const lw_mma_matrices *mat, unsigned row, unsigned col,
                              void *context)
{
    whole *w = context;
    const size_t bytes = lw_format_bytes(mma->d), line = mma->whole->n * bytes, run = mma->insn->n * bytes;
    uint8_t d[LW_TILE_CD_WORDS * sizeof(uint32_t)];
    lw_mma_matrices own = *mat;
    uint32_t set = 0;
    own.d = d;
    const lw_status st = execute_one(mma, &own, w->touched ? &set : NULL);
    for (unsigned r = 0; st == LW_OK && r < mma->insn->m; r++)
        memcpy(w->d + (row + r) * line + col * bytes, d + r * run, run);
    w->set |= set;
    return st;
}

/* D is written only when all of it is known, because it may overlap the operands that are read. */
static lw_status execute_whole(const lw_mma *mma, const lw_mma_matrices *mat, uint32_t *touched)
{
    const size_t size = (size_t)mma->whole->m * mma->whole->n * lw_format_bytes(mma->d);
    whole w = { .mma = mma, .d = malloc(size), .touched = touched };
    if (!w.d)
        return LW_E_NO_MEMORY;
    const lw_status st = lw_mma_each_part(mma, mat, execute_part, &w);
    if (st == LW_OK)
        memcpy(mat->d, w.d, size);
    if (st == LW_OK && touched)
        *touched = w.set;
    free(w.d);
    return st;
}

lw_status lw_mma_execute_matrices(const lw_mma *mma, const lw_mma_matrices *mat, uint32_t *touched)
{
    if (!mma || !mat || !mat->d)
        return LW_E_ARGUMENT;
    if (mma->whole)
        return execute_whole(mma, mat, touched);
    return execute_one(mma, mat, touched);
}
