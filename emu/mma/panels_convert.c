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

static lw_mma_order order_of(const uint16_t *at, unsigned bits, unsigned count)
{
    bool same = count % (2 * LW_PANEL) == 0, beside = same;
    if (bits == 32)
        return LW_MMA_ORDER_WORDS;
    for (unsigned i = 0; same && i < count; i += i % LW_PANEL == LW_PANEL - 1 ? LW_PANEL + 1 : 1)
        same = at[i] % 2 == 0 && at[i + LW_PANEL] == at[i] + 1;
    for (unsigned i = 0; beside && i < count; i += 2)
        beside = at[i] % 2 == 0 && at[i + 1] == at[i] + 1;
    return same ? LW_MMA_ORDER_SAME : beside ? LW_MMA_ORDER_BESIDE : LW_MMA_ORDER_NONE;
}

/* The register word that is word n, in the order of the runs. */
static uint16_t ordered_word(const uint16_t *at, lw_mma_order order, unsigned n)
{
    if (order == LW_MMA_ORDER_WORDS)
        return at[n] / 2;
    return at[order == LW_MMA_ORDER_BESIDE ? 2 * n : n / LW_PANEL * 2 * LW_PANEL + n % LW_PANEL] / 2;
}

/* The move of C's words, or the inverse one of D's if they are all words of its registers. */
static lw_status make_order(const uint16_t *at, unsigned bits, unsigned count, unsigned d_words,
                            uint8_t *order, lw_move *move)
{
    enum { NOWHERE = 0xffff };
    const lw_mma_order found = order_of(at, bits, count);
    const unsigned words = found == LW_MMA_ORDER_WORDS ? count : count / 2;
    if (found == LW_MMA_ORDER_NONE || (d_words && words != d_words))
        return LW_OK;
    const lw_status st = lw_mma_move_make(words / LW_PANEL, move);
    if (st != LW_OK)
        return st;
    for (unsigned n = 0; n < words; n++)
        move->chunk[n / LW_PANEL].from[n % LW_PANEL] =
            d_words ? (uint16_t)NOWHERE : ordered_word(at, found, n);
    for (unsigned n = 0; d_words && n < words; n++) {
        const uint16_t to = ordered_word(at, found, n);
        move->chunk[to / LW_PANEL].from[to % LW_PANEL] = (uint16_t)n;
    }
    bool all = true;
    for (unsigned n = 0; n < words; n++)
        all &= move->chunk[n / LW_PANEL].from[n % LW_PANEL] != NOWHERE;
    if (all) {
        *order = (uint8_t)found;
        lw_mma_move_finish(move);
    }
    return LW_OK;
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
    const lw_status st = make_order(p->c_half, mma->c->bits, (unsigned)elements, 0, &p->c_order, &p->c);
    return st == LW_OK
               ? make_order(p->d_half, mma->d->bits, (unsigned)elements, p->d_words, &p->d_order, &p->d)
               : st;
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
        (mma->panels->shape.acc == LW_PANEL_F16 ? to->narrow_exact : to->narrow_half)(words, count);
    else if (is_brain(mma->d))
        (cut ? to->cut_brain : to->narrow_brain)(words, count);
}

/* Elements of registers in the order of the runs, as binary32 numbers. */
static void runs_of_registers(const lw_mma *mma, const uint32_t *registers, uint32_t *words)
{
    const lw_mma_panels *p = mma->panels;
    const bool beside = p->c_order == LW_MMA_ORDER_BESIDE;
    uint32_t packed[LW_PANEL_CD_WORDS / 2];
    if (p->c_order == LW_MMA_ORDER_WORDS) {
        p->words->move(&p->c, registers, words);
        return;
    }
    p->words->move(&p->c, registers, packed);
    if (is_half(mma->c)) {
        p->words->widen_runs(packed, p->runs, beside, words);
        return;
    }
    p->words->runs_of_halves(packed, p->runs, beside, words);
    widen(mma, p->runs * (unsigned)LW_PANEL, words);
}

static void registers_of_runs(const lw_mma_panels *p, const uint32_t *words, uint32_t *registers)
{
    uint32_t packed[LW_PANEL_CD_WORDS / 2];
    if (p->d_order == LW_MMA_ORDER_WORDS) {
        p->words->move(&p->d, words, registers);
        return;
    }
    p->words->halves_of_runs(words, p->runs, p->d_order == LW_MMA_ORDER_BESIDE, packed);
    p->words->move(&p->d, packed, registers);
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
    } else if (source->regs && p->c_order) {
        runs_of_registers(mma, source->regs->c, words);
        return;
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
    if (p->d_order)
        registers_of_runs(p, words, registers);
    else
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
