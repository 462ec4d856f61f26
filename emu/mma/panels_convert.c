/* SPDX-License-Identifier: MIT */
/*
 * C and D that reach the kernel as binary32 in buffers: 16-bit elements, in whatever half of a register they
 * are, and instructions that add C last. Hosts with kernels are little-endian.
 */
#include <stdlib.h>
#include <string.h>

#include "emu/mma/panels.h"

static bool is_half(const lw_format *f)
{
    return f->bits == 16 && f->exp_bits == 5;
}

static bool is_brain(const lw_format *f)
{
    return f->bits == 16 && f->exp_bits == 8;
}

bool lw_mma_converts(const lw_mma *mma)
{
    return mma->c->bits == 16 || mma->d->bits == 16 || mma->recipe.shape.c_last;
}

/* Elements that do not cross half words, in formats that widen and lw_mma_convert_d know; C that is added
 * last has an f32 accumulator. No such instruction has scales. */
bool lw_mma_can_convert(const lw_mma *mma)
{
    static const lw_operand operands[] = { LW_OPERAND_C, LW_OPERAND_D };
    for (int n = 0; n < 2; n++) {
        const lw_mma_port *port = &mma->port[operands[n]];
        const unsigned at = port->width == 16 ? 16 : 32;
        for (unsigned e = 0; e < port->elements; e++)
            if (port->place[e].lane == LW_NO_PLACE || port->place[e].bit % at)
                return false;
    }
    const lw_format *c = mma->c, *d = mma->d;
    const bool f32 = mma->acc == LW_ACC_F32;
    const bool known =
        (c->bits == 32 || is_half(c) || is_brain(c)) && (d->bits == 32 || is_half(d) || is_brain(d));
    return known && !mma->scaled && (f32 || (c == d && d->bits == 16 && !mma->recipe.shape.c_last));
}

static void fill_places(const lw_mma *mma, lw_mma_panels *p)
{
    const lw_mma_port *c = &mma->port[LW_OPERAND_C], *d = &mma->port[LW_OPERAND_D];
    const unsigned columns = mma->insn->n;
    for (unsigned i = 0; i < p->runs * (unsigned)LW_PANEL; i++) {
        const lw_mma_panel_place at = lw_mma_panels_place(p, i / LW_PANEL, i % LW_PANEL);
        const unsigned row = p->swapped ? at.v : at.s, col = p->swapped ? at.s : at.v;
        const unsigned e = ((unsigned)at.block * p->rows + row) * columns + col;
        const lw_place from = c->place[e], to = d->place[e];
        p->element[i] = (uint16_t)e;
        p->c_half[i] = (uint16_t)((from.bit / 32u * c->lanes + from.lane) * 2 + from.bit % 32u / 16);
        p->d_half[i] = (uint16_t)((to.bit / 32u * d->lanes + to.lane) * 2 + to.bit % 32u / 16);
    }
}

lw_status lw_mma_convert_make(const lw_mma *mma, lw_mma_panels *p)
{
    const size_t elements = (size_t)p->runs * LW_PANEL;
    uint16_t *places = calloc(3 * elements, sizeof(*places));
    if (!places)
        return LW_E_NO_MEMORY;
    p->c_half = places;
    p->d_half = places + elements;
    p->element = places + 2 * elements;
    fill_places(mma, p);
    return LW_OK;
}

static void widen(const lw_mma *mma, unsigned count, uint32_t *words)
{
    if (is_half(mma->c))
        mma->panels->words->widen_half(words, count);
    else if (is_brain(mma->c))
        mma->panels->words->widen_brain(words, count);
}

void lw_mma_convert_d(const lw_mma *mma, uint32_t *words)
{
    const lw_words *to = mma->panels->words;
    const unsigned count = mma->panels->runs * (unsigned)LW_PANEL;
    const bool cut = mma->acc == LW_ACC_BF16 || mma->recipe.shape.narrow == LW_NARROW_CUT;
    if (is_half(mma->d))
        to->narrow_half(words, count);
    else if (is_brain(mma->d))
        (cut ? to->cut_brain : to->narrow_brain)(words, count);
}

/* Elements at half words `at`, with `bits` bits each. */
static void gather(const void *from, const uint16_t *at, unsigned bits, unsigned count, uint32_t *words)
{
    const char *halves = from;
    if (bits == 32)
        for (unsigned i = 0; i < count; i++)
            memcpy(words + i, halves + (size_t)at[i] * 2, sizeof(*words));
    else
        for (unsigned i = 0; i < count; i++) {
            uint16_t code;
            memcpy(&code, halves + (size_t)at[i] * 2, sizeof(code));
            words[i] = code;
        }
}

static void scatter(const uint32_t *words, const uint16_t *at, unsigned bits, unsigned count, void *to)
{
    char *halves = to;
    if (bits == 32)
        for (unsigned i = 0; i < count; i++)
            memcpy(halves + (size_t)at[i] * 2, words + i, sizeof(*words));
    else
        for (unsigned i = 0; i < count; i++) {
            const uint16_t code = (uint16_t)words[i];
            memcpy(halves + (size_t)at[i] * 2, &code, sizeof(code));
        }
}

void lw_mma_convert_c(const lw_mma *mma, const lw_mma_source *source, uint32_t *words)
{
    const lw_mma_panels *p = mma->panels;
    const unsigned count = p->runs * (unsigned)LW_PANEL, bits = mma->c->bits;
    const void *from = source->regs ? (const void *)source->regs->c : source->mat->c;
    if (!from) {
        const uint64_t code = source->regs ? source->regs->c_constant : 0;
        for (unsigned i = 0; i < count; i++)
            words[i] = (uint32_t)(bits == 16 ? code & 0xffff : code);
    } else if (source->regs) {
        gather(from, p->c_half, bits, count, words);
    } else {
        const char *matrix = from;
        const size_t size = bits / 8;
        for (unsigned i = 0; i < count; i++) {
            words[i] = 0;
            memcpy(words + i, matrix + p->element[i] * size, size);
        }
    }
    widen(mma, count, words);
}

void lw_mma_convert_to_registers(const lw_mma *mma, const uint32_t *words, uint32_t *registers)
{
    const lw_mma_panels *p = mma->panels;
    scatter(words, p->d_half, mma->d->bits, p->runs * (unsigned)LW_PANEL, registers);
}

void lw_mma_convert_to_image(const lw_mma *mma, const uint32_t *words, uint32_t *image)
{
    const lw_mma_panels *p = mma->panels;
    char *to = (char *)image;
    const size_t size = mma->d->bits / 8;
    for (unsigned i = 0; i < p->runs * (unsigned)LW_PANEL; i++)
        memcpy(to + p->element[i] * size, words + i, size);
}
