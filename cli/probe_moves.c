/* SPDX-License-Identifier: MIT */
/*
 * Probes of ldmatrix, stmatrix and movmatrix. 512 bytes stand for shared memory, one word per lane and
 * register of the image; lane L addresses the row at byte 16 L, so row i of matrix q is row i + q * (rows of
 * a matrix).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/probe.h"

enum { ROW_BITS = 128 };

bool probe_loads(const cli_wave *wave)
{
    return !strncmp(wave->info.mnemonic, "ldmatrix", 8);
}

bool probe_has_memory(const cli_wave *wave)
{
    return probe_loads(wave) || !strncmp(wave->info.mnemonic, "stmatrix", 8);
}

/* Bits of an element in memory, where packed formats take less than the byte they occupy in a register. */
static unsigned packed_bits(const char *spelling)
{
    if (strstr(spelling, "b6x16"))
        return 6;
    if (strstr(spelling, "b4x16"))
        return 4;
    return strstr(spelling, "b16") ? 16 : 8;
}

/* The element's first bit in memory; the elements of a row are contiguous from its bit 0 on. */
static size_t bit_of(const wave_operand *o, const lw_layout_entry *e, unsigned bits)
{
    const size_t row = e->x + (size_t)o->shape.x_count * e->block;
    return row * ROW_BITS + (size_t)e->y * bits;
}

static uint32_t get_bits(const uint32_t *words, size_t bit, unsigned bits)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bits; i++)
        value |= (words[(bit + i) / 32] >> (bit + i) % 32 & 1) << i;
    return value;
}

static void move_transposed(const cli_wave *wave, uint32_t *d)
{
    cli_wave other = *wave;
    uint64_t code;
    const lw_layout_info *shape = &wave->operand[LW_OPERAND_A].shape;
    other.operand[LW_OPERAND_D].image = d;
    for (unsigned x = 0; x < shape->x_count; x++)
        for (unsigned y = 0; y < shape->y_count; y++)
            if (wave_get(wave, LW_OPERAND_A, x, y, &code))
                wave_put(&other, LW_OPERAND_D, x, y, code);
}

uint32_t *probe_predict_move(const cli_wave *wave, const char *spelling)
{
    const wave_operand *d = &wave->operand[LW_OPERAND_D], *a = &wave->operand[LW_OPERAND_A];
    const wave_operand *o = probe_loads(wave) ? d : a;
    const unsigned bits = packed_bits(spelling);
    const size_t words = wave_words(wave, LW_OPERAND_D);
    uint32_t *out = cli_alloc(words * sizeof(*out));
    memset(out, 0, words * sizeof(*out));
    if (!probe_has_memory(wave)) {
        move_transposed(wave, out);
        return out;
    }
    for (size_t i = 0; i < o->entry_count; i++) {
        const lw_layout_entry *e = &o->entries[i];
        const size_t in_register = ((size_t)e->reg * wave->lanes + e->lane) * 32 + e->lsb;
        const size_t in_memory = bit_of(o, e, bits);
        const size_t from = probe_loads(wave) ? in_memory : in_register;
        const size_t to = probe_loads(wave) ? in_register : in_memory;
        out[to / 32] |= get_bits(a->image, from, bits) << to % 32;
    }
    return out;
}
